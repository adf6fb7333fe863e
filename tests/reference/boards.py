"""Boards of scripts (chapter 3 of docs/spec): shapes, graphs and operators."""
from copy import deepcopy
from itertools import product

from board import CIRCLE, COMPASS, SQUARE, WINDS, Board, members, moved, union
from expressions import Type, set_of
from syntax import Node, ScriptError, refuse_if

HEX = {"ne": (1, 1), "e": (1, 0), "se": (0, -1), "sw": (-1, -1), "w": (-1, 0), "nw": (0, 1)}
RHOMBUS = {"ne": (0, 1), "e": (1, 0), "se": (1, -1), "sw": (0, -1), "w": (-1, 0), "nw": (-1, 1)}
UPRIGHT = {"n": (0, 1), "ne": (1, 1), "se": (1, 0), "s": (0, -1), "sw": (-1, -1), "nw": (-1, 0)}
FOUR_SIDES = [(0, -1), (1, 0), (0, 1), (-1, 0)]         # where they lie in the lattice
SIX_SIDES = [(0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0)]


def letters(column, skip=""):
    """a, b, …, z, aa, ab, …"""
    alphabet = [letter for letter in "abcdefghijklmnopqrstuvwxyz" if letter != skip]
    rest, last = divmod(column - 1, len(alphabet))
    return (letters(rest, skip) if rest else "") + alphabet[last]


def grid(shape, vectors, width, height, exists=lambda c, r: True,
         name=lambda c, r: f"{letters(c)}{r}", place=lambda c, r: (c - 1, r - 1), wraps=(0, 0)):
    """A board in columns and rows, numbered row by row."""
    board = Board(shape, vectors)
    board.vectors, board.wraps = vectors, [*wraps]
    for r, c in product(range(1, height + 1), range(1, width + 1)):
        if exists(c, r):
            board.add(name(c, r), c, r, place(c, r))
    board.link()
    board.set_groups(vectors)
    return board


def square(width, height):
    board = grid("square", SQUARE, width, height).with_sets(FOUR_SIDES)
    board.set_groups(["n", "e", "s", "w"], ["ne", "se", "sw", "nw"])
    return board


def circle(rings, spokes):
    board = grid("circle", CIRCLE, spokes, rings, name=lambda c, r: f"{letters(r)}{c}",
                 wraps=(spokes, 0))
    board.sets = {"border": board.where(lambda c, r: r == rings),
                  "centre": board.where(lambda c, r: r == 1)}
    return board


def pits(rows, columns):
    board = grid("square", {d: SQUARE[d] for d in ("n", "e", "s", "w")}, columns, rows)
    if rows in (2, 4):
        ends = [(c + 1 if r % 2 else c - 1, r) for c, r in zip(board.column, board.row)]
        ccw = [board.site_at(c, r) if 1 <= c <= columns else s + columns * (1 if r % 2 else -1)
               for s, (c, r) in enumerate(ends)]
        board.dirs += ["ccw", "cw"]
        board.next += [ccw, [ccw.index(s) for s in range(board.size)]]
    if rows % 2 == 0:
        board.sets = {1: board.where(lambda c, r: r <= rows // 2),
                      2: board.where(lambda c, r: r > rows // 2)}
    return board


def cube(c, r, n):
    """A place on a star as three coordinates, 0 in the middle, whose sum is 0."""
    return c - 2 * n + 1, 2 * n - 1 - r, r - c


SHAPES = {              # the least and the greatest number of sizes, and what makes the board
    "square": (1, 2, square), "circle": (2, 2, circle), "pits": (2, 2, pits),
    "hex": (1, 1, lambda n: grid("hex", HEX, 2 * n - 1, 2 * n - 1, lambda c, r: abs(c - r) < n)
            .with_sets(SIX_SIDES)),
    "hex_rhombus": (1, 2, lambda w, h: grid("hex", RHOMBUS, w, h).with_sets(FOUR_SIDES)),
    "triangle": (1, 1, lambda n: grid("hex", RHOMBUS, n, n, lambda c, r: c + r <= n + 1)
                 .with_sets([(0, -1), (1, 1), (-1, 0)])),
    "hex_star": (1, 1, lambda n: grid(
        "hex", HEX, 4 * n - 3, 4 * n - 3, lambda c, r: max(cube(c, r, n)) < n or
        min(cube(c, r, n)) > -n).with_sets(SIX_SIDES, n - 1)),
    "hex_upright": (1, 1, lambda n: grid(
        "hex", UPRIGHT, 2 * n - 1, 2 * n - 1, lambda c, r: r < 2 * n - abs(n - c),
        lambda c, r: f"{letters(c, 'j')}{r}", lambda c, r: (c - 1, r - 1 + max(0, c - n)))
                    .with_sets([*SIX_SIDES[1:], SIX_SIDES[0]])),
    "track": (1, 1, lambda n: grid("square", {"e": (1, 0), "w": (-1, 0)}, n, 1,
                                   name=lambda c, r: f"t{c}"))}


def edges_of(rows):
    """[(site, [(neighbour, direction or None)])]"""
    found = []
    for row in rows:
        refuse_if(row.name in (name for name, _ in found), "E0710", row)
        found += [(row.name, row.edges)] if row.name else []
        for line in row.lines or ():
            found += [(site, []) for site in line if site != "off"]
            for a, b in zip(line, line[1:]):
                if "off" not in (a, b):
                    found += [(a, [(b, row.way)]), (b, [(a, row.back)])]
    return found


class Boards:
    def use_board(self, board):
        self.board = board
        self.site, self.dir = Type("site", board.names), Type("dir", board.dirs, cyclic=True)
        self.types |= {"site": self.site, "dir": self.dir, "sites": set_of(self.site),
                       "dirs": set_of(self.dir)}

    def make_board(self, node, decl):
        node = self.chosen(node)
        name, args = node.name, node.args or []
        operator = getattr(self, f"board_{name}", None)
        if node.kind == "graph":
            return self.graph(edges_of(node.rows))
        if node.kind == "name" and name == "none":
            return Board("none", [])
        if node.kind == "name" and name == "base":
            return self.make_board(decl.base.decl.value, decl.base.decl)
        refuse_if(node.kind != "callx", "E0712", 0)
        refuse_if(name not in SHAPES and not operator, "E0703", 0)
        refuse_if(name != "join" and any(arg.prefix for arg in args), "E0718", 0)
        if operator:
            return operator(args, *[self.make_board(arg.value if arg.prefix else arg, decl)
                                    for arg in args[:None if name == "join" else 1]])
        least, most, make = SHAPES[name]
        refuse_if(not least <= len(args) <= most, "E0704", 0)
        sizes = [self.unit.constant(arg) for arg in args]
        refuse_if(min(sizes) < 1 or name == "hex_star" and sizes[0] < 2 or
                  name == "circle" and sizes[1] < 3, "E0702", 0)
        return make(*sizes * (most // len(sizes)))

    def chosen(self, node):
        """The part of `if … then … else` that the options choose."""
        while node.kind == "choice":
            node = node.yes if self.unit.constant(node.test) else node.no
        return node

    def graph(self, rows):
        ends = [end for _, edges in rows for end in edges]
        used = list(dict.fromkeys(d for _, d in ends if d))
        board = Board("graph", sorted(used, key=lambda d: ([*COMPASS, d]).index(d)))
        board.walked = True
        for name in dict.fromkeys(name for name, _ in rows):
            board.add(name)
        diagonal = ["ne", "se", "sw", "nw"] if {"n", "e", "s", "w"} <= {*used} else []
        board.set_groups({*used} - {*diagonal}, diagonal)
        board.next = [[-1] * board.size for _ in used]
        board.add_edges(rows)
        for name, edges in rows:
            for other, d in edges:
                if d is None and other != "off":
                    board.add_way(board.names.index(name), board.names.index(other))
        return board

    def board_with_edges(self, args, board):
        board, rows = deepcopy(board), edges_of(self.chosen(args[1]).rows)
        for d in dict.fromkeys(d for _, edges in rows for t, d in edges if t != "off"):
            if d and d not in board.dirs:
                board.add_dir(d, [-1] * board.size)
        board.add_edges(rows)
        return board

    def board_without(self, args, board):
        """The sites are an expression before the game is made."""
        self.use_board(board)
        self.kind = self.types["kind"] = Type("kind", [])
        try:
            gone = self.fixed(self.chosen(args[1]), self.scope(), set_of(self.site))
        except ScriptError as error:
            codes = {"E0301": "E0705", "E0303": "E0705", "E0401": "E0713"}
            raise ScriptError(codes.get(error.code, error.code), 0) from error
        kept = members(board.every & ~gone)
        refuse_if(not kept, "E0711", 0)
        number = {s: i for i, s in enumerate(kept)}
        other = deepcopy(board)
        for name in ("names", "column", "row", "at", "layer"):
            setattr(other, name, [getattr(board, name)[s] for s in kept])
        other.next = [[number.get(row[s], -1) for s in kept] for row in board.next]
        other.sets = {name: moved(mask & ~gone, number) for name, mask in board.sets.items()}
        return other

    def board_wrap(self, args, board):
        a, b = (board.vectors.get(arg.name, (0, 0)) for arg in args[1:])
        whole = board.shape in ("square", "hex") and \
            board.size == len({*board.column}) * len({*board.row})
        refuse_if(not whole or not any(a) or all(a) or (-a[0], -a[1]) != b, "E0716", 0)
        other = deepcopy(board)
        axis = 0 if a[0] else 1
        other.wraps[axis] = 1 + max(place[axis] for place in board.at)
        other.link()
        other.next += board.next[len(board.vectors):]
        other.sets.pop("corners", None)
        if "border" in board.sets:
            other.sets["border"] = union(board.sets[n] for n in range(1, 5)
                                         if not other.wraps[n % 2])
        return other

    def board_join(self, args, *boards):
        parts = [(arg.prefix, board) for arg, board in zip(args, boards)]
        first, layered = parts[0][1], any(prefix for prefix, _ in parts)
        dirs = list(dict.fromkeys(d for _, part in parts for d in part.dirs))
        if all(d in COMPASS for d in dirs):
            dirs.sort(key=COMPASS.index)
        board = Board(first.shape, dirs)
        board.walked, board.vectors, board.next = True, first.vectors, [[] for _ in dirs]
        for number, (prefix, part) in enumerate(parts):
            start, own = board.size, number == 0 or prefix
            board.layers += bool(layered and own)
            for s, name in enumerate(part.names):
                place = (part.column[s], part.row[s], None, board.layers) if own else ()
                board.add((prefix or "") + name, *place)
            for d, row in zip(dirs, board.next):
                ends = part.next[part.dirs.index(d)] if d in part.dirs else [-1] * part.size
                row += [end + start if end >= 0 else -1 for end in ends]
            for name, mask in part.sets.items() if own else ():
                board.sets[name] = board.sets.get(name, 0) | mask << start
            for name, mask in part.groups.items():
                board.groups[name] |= board.dir_set([part.dirs[d] for d in members(mask)])
        return board

    def board_layers(self, args, base):
        number = self.unit.constant(args[1])
        board = self.board_join([Node("prefixed", 0, prefix=chr(65 + i)) for i in range(number)],
                                *[base] * number)
        board.layers = number
        for way, change in (("up", base.size), ("down", -base.size)):
            for d, name in enumerate([None, *base.dirs], -1):
                row = []
                for s in range(board.size):
                    layer, place = divmod(s, base.size)
                    end = base.next[d][place] if name else place
                    end += layer * base.size + change
                    row.append(end if end // base.size == layer + change // base.size and
                               0 <= end < board.size else -1)
                group = "orthogonal" if not name else "diagonal" if \
                    base.groups["orthogonal"] >> d & 1 else "adjacent"
                board.add_dir(f"{way}_{name}" if name else way, row, group)
        return board

    def board_mesh(self, args, base):
        if base.shape == "graph":
            return self.mesh_of_graph(base)
        refuse_if(base.shape == "circle" or any(base.wraps) or None in base.at, "E0719", 0)
        # Cells are `scale` apart; `vectors` lead to their edges and ends.
        scale, vectors, edges, ends = 2, SQUARE, ["n", "e", "s", "w"], ["ne", "se", "sw", "nw"]
        if base.shape == "hex":
            steps = [[3 * x for x in base.vectors[d]] for d in base.dirs]
            tips = [tuple(2 * (x + y) // 3 for x, y in zip(a, b))
                    for a, b in zip(steps, [*steps[1:], steps[0]])]
            edges, ends = base.dirs, ["nne", "e", "sse", "ssw", "w", "nnw"] if "n" in base.dirs \
                else ["ene", "ese", "s", "wsw", "wnw", "n"]
            scale, vectors = 6, dict(zip([*edges, *ends], [*steps, *tips]))
        board = Board(base.shape, [d for d in WINDS if d in vectors])
        board.walked, board.vectors = base.shape == "hex", vectors
        found = {}                          # place: (name, sort, column, row)
        for s, name in enumerate(base.names):
            x, y = (scale * axis for axis in base.at[s])
            found[x, y] = (name, "cells", base.column[s], base.row[s])
            for sort, dirs in (("edges", edges), ("vertices", ends)):
                for d in dirs:
                    place = (x + vectors[d][0], y + vectors[d][1])
                    found.setdefault(place, (name + d, sort, 0, 0))
        for place in sorted(found, key=lambda place: place[::-1]):
            name, sort, column, row = found[place]
            board.sets[sort] = board.sets.get(sort, 0) | 1 << board.size
            board.add(name, column, row, place)
        lattice, sixths = board.lattice, range(1, 7)        # a step is at most half a cell
        board.next = [[next((lattice[end] for end in (
            tuple(x + dx * part / 6 for x, dx in zip(place, vectors[d])) for part in sixths)
            if end in lattice), -1) for place in board.at] for d in board.dirs]
        board.set_groups(edges, ends)
        cell = {s: board.names.index(name) for s, name in enumerate(base.names)}
        board.sets |= {name: moved(mask, cell) for name, mask in base.sets.items()}
        if "border" in base.sets:
            cells, near = board.sets["cells"], lambda sites: board.step(
                sites, board.groups["adjacent"])
            outer = union(1 << s for s in members(board.sets["edges"])
                          if (near(1 << s) & cells).bit_count() == 1)
            board.sets["border"] |= outer | near(outer) & board.sets["vertices"]
        return board

    def mesh_of_graph(self, base):
        rows, middle = [(name, []) for name in base.names], {}
        for s, ends in enumerate(zip(*base.next)):
            for d, end in zip(base.dirs, ends):
                if end >= 0:
                    a, b = base.names[s], base.names[end]
                    edge = middle.setdefault(frozenset({a, b}), f"{a}_{b}")
                    rows += [(a, [(edge, d)]), (edge, [(b, d)])]
        board = self.graph(rows)
        board.sets = {"cells": 0, "vertices": base.every, "edges": board.every & ~base.every}
        return board
