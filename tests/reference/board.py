"""Boards (chapter 3 of docs/spec) and their geometry (chapter 5). A set of sites or of directions
is a number: bit i is member i. No site and no direction are -1."""
from functools import lru_cache, reduce
from itertools import count
from operator import or_

from words import refuse_if

COMPASS = ["n", "ne", "e", "se", "s", "sw", "w", "nw"]
WINDS = ["n", "nne", "ne", "ene", "e", "ese", "se", "sse", "s", "ssw", "sw", "wsw", "w", "wnw",
         "nw", "nnw"]
SQUARE = {"n": (0, 1), "ne": (1, 1), "e": (1, 0), "se": (1, -1), "s": (0, -1), "sw": (-1, -1),
          "w": (-1, 0), "nw": (-1, 1)}
HEX = {"ne": (1, 1), "e": (1, 0), "se": (0, -1), "sw": (-1, -1), "w": (-1, 0), "nw": (0, 1)}
RHOMBUS = {"ne": (0, 1), "e": (1, 0), "se": (1, -1), "sw": (0, -1), "w": (-1, 0), "nw": (-1, 1)}
UPRIGHT = {"n": (0, 1), "ne": (1, 1), "se": (1, 0), "s": (0, -1), "sw": (-1, -1), "nw": (-1, 0)}
OPPOSITE = {"cw": "ccw", "ccw": "cw", "inward": "outward", "outward": "inward", "up": "down",
            "down": "up"} | {wind: WINDS[(i + 8) % 16] for i, wind in enumerate(WINDS)}


@lru_cache(maxsize=1 << 16)
def members(mask):
    """The members of a set, ascending."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


def letters(column, skip=""):
    """a, b, …, z, aa, ab, …"""
    alphabet = [chr(97 + i) for i in range(26) if chr(97 + i) not in skip]
    text = ""
    while column > 0:
        column, rest = divmod(column - 1, len(alphabet))
        text = alphabet[rest] + text
    return text


def union(masks):
    return reduce(or_, masks, 0)


class Board:
    """Sites with names and, on most boards, columns and rows; directions; edges."""

    def __init__(self, shape, dirs):
        self.shape, self.dirs = shape, list(dirs)
        self.names, self.column, self.row, self.layer = [], [], [], []
        self.at = []                    # the place of each site in the lattice, or None
        self.vectors = {}               # of directions in the lattice
        self.next = []                  # next[direction][site]
        self.ortho = self.diag = self.adj = 0
        self.sides, self.corners, self.border, self.centre = {}, None, None, None
        self.wraps = [0, 0]             # the period of each axis
        self.lattice = {}               # the places of the whole lattice, holes included
        self.sets = {}                  # cells, edges, vertices of a mesh
        self.layers = 0
        self.walked = False             # leaps are walked, as on graphs

    def add(self, name, column=0, row=0, place=None, layer=0):
        refuse_if(name in self.names, "E0709", 0)
        refuse_if(len(self.names) == 1024, "E0701", 0)
        self.names.append(name)
        self.column.append(column)
        self.row.append(row)
        self.at.append(place)
        self.layer.append(layer)

    @property
    def size(self):
        return len(self.names)

    @property
    def every(self):
        return (1 << self.size) - 1

    def where(self, test):
        """The sites whose column and row fulfil a test."""
        return sum(1 << s for s in range(self.size) if test(self.column[s], self.row[s]))

    def set_sides(self, *tests):
        self.sides = {number: self.where(test) for number, test in enumerate(tests, 1)}
        self.border = union(self.sides.values())

    def lines_by_number(self, word):
        """Rows, columns, sides or layers."""
        if word == "side":
            return self.sides
        of = {"rank": self.row, "file": self.column, "layer": self.layer}[word]
        return {n: union(1 << s for s in range(self.size) if of[s] == n) for n in {*of} - {0}}

    def few_steps(self, full):
        """The sites that have fewer steps than the others."""
        return union(1 << s for s in range(self.size)
                     if sum(row[s] >= 0 for row in self.next) < full)

    def dir_set(self, names):
        return sum(1 << self.dirs.index(name) for name in set(names) if name in self.dirs)

    def link(self, vectors):
        """Edges by places in the lattice."""
        self.vectors = vectors
        self.lattice = {place: s for s, place in enumerate(self.at)}
        self.next = [[self.lattice.get(self.moved(self.at[s], vectors.get(d)), -1)
                      for s in range(self.size)] for d in self.dirs]

    def moved(self, place, vector, times=1):
        if vector is None or place is None:
            return None
        moved = [place[i] + times * vector[i] for i in range(2)]
        for i in range(2):
            if self.wraps[i]:
                moved[i] %= self.wraps[i]
        return tuple(moved)

    def copy(self):
        other = Board(self.shape, self.dirs)
        for name, value in self.__dict__.items():
            other.__dict__[name] = value.copy() if hasattr(value, "copy") else value
        other.next = [row.copy() for row in self.next]
        return other

    # Chapter 5.1: steps.

    @lru_cache(maxsize=1 << 16)
    def step(self, sites, dirs):
        found = 0
        for d in members(dirs):
            row = self.next[d]
            for s in members(sites):
                if row[s] >= 0:
                    found |= 1 << row[s]
        return found

    def slide(self, sites, dirs, over, most=None):
        found = 0
        for d in members(dirs):
            row = self.next[d]
            for start in members(sites):
                site = row[start]
                for _ in range(10 ** 6 if most is None else max(most, 0)):
                    if site < 0 or site == start:
                        break
                    found |= 1 << site
                    if not over >> site & 1:
                        break
                    site = row[site]
        return found

    def ray(self, site, d):
        """The sites of a ray in order."""
        found = []
        if site < 0 or d < 0:
            return found
        here = self.next[d][site]
        while here >= 0 and here != site and here not in found:
            found.append(here)
            here = self.next[d][here]
        return found

    def walk(self, site, d, steps):
        if steps < 0 or site < 0 or d < 0:
            return -1
        for _ in range(steps):
            site = self.next[d][site]
            if site < 0:
                return -1
        return site

    @lru_cache(maxsize=None)
    def leaps(self, site, a, b):
        """For each orientation of a leap, the site that it leads to from `site` (or -1)."""
        ways = []
        for first, second in self.turns():
            if self.walked:
                ends = {self.walk(self.walk(site, first, a), second, b),
                        self.walk(self.walk(site, second, b), first, a)}
                ways.append(max(ends))
            else:
                v, w = self.vectors[self.dirs[first]], self.vectors[self.dirs[second]]
                place = self.moved(self.moved(self.at[site], v, a), w, b)
                ways.append(self.lattice.get(place, -1))
        return [-1 if end == site else end for end in ways]

    @lru_cache(maxsize=None)
    def turns(self):
        """Pairs of directions at a right angle; on hexagons, of neighbours."""
        if self.shape == "hex":
            ring = [d for d in range(len(self.dirs)) if self.dirs[d] in self.vectors]
            return [(ring[i], ring[(i + k) % len(ring)]) for i in range(len(ring)) for k in (1, -1)]
        if self.shape == "circle":
            return [(i, j) for i in range(4) for j in ((i + 1) % 4, (i + 3) % 4)]
        axes = [d for d in members(self.ortho) if self.line_of(d)]
        return [(i, j) for i in axes for j in axes
                if sum(x * y for x, y in zip(self.line_of(i), self.line_of(j))) == 0]

    def line_of(self, d):
        """A direction as a vector in space, for right angles."""
        name = self.dirs[d]
        if name in ("up", "down"):
            return (0, 0, 1)
        return (*SQUARE[name], 0) if name in SQUARE else None

    # Chapter 5.2 and 5.3.

    def flood(self, start, inside, dirs):
        reached = fresh = start
        while fresh:
            fresh = self.step(fresh, dirs) & inside & ~reached
            reached |= fresh
        return reached

    @lru_cache(maxsize=None)
    def distances(self, site):
        far, fresh, reached = {site: 0}, 1 << site, 1 << site
        for distance in count(1):
            fresh = self.step(fresh, self.adj) & ~reached
            reached |= fresh
            if not fresh:
                return far
            for s in members(fresh):
                far[s] = distance

    @lru_cache(maxsize=None)
    def between(self, a, b):
        ways = [ray[:ray.index(b)] for d in members(self.adj)
                for ray in [self.ray(a, d)] if b in ray]
        return sum(1 << s for s in min(ways, key=len)) if ways else 0

    def lines(self, sites, dirs):
        """The unbroken rows of a set, as lists of sites, along each direction."""
        for d in members(dirs):
            back = self.opposite(d)
            for start in members(sites):
                before = self.next[back][start] if back >= 0 else -1
                if before >= 0 and sites >> before & 1 and not self.circular(start, d, sites):
                    continue
                row = [start]
                for s in self.ray(start, d):
                    if not sites >> s & 1:
                        break
                    row.append(s)
                yield row

    def circular(self, start, d, sites):
        ray = self.ray(start, d)
        return bool(ray) and self.next[d][ray[-1]] == start and all(sites >> s & 1 for s in ray)

    def opposite(self, d):
        other = "_".join(OPPOSITE.get(part, "?") for part in self.dirs[d].split("_"))
        if other in self.dirs:
            return self.dirs.index(other)
        return next((e for e, name in enumerate(self.dirs) if name not in WINDS and
                     self.returns(d, e) and self.returns(e, d)), -1)

    def returns(self, d, e):
        """Whether each step in a direction is taken back by one in another."""
        return all(t < 0 or self.next[e][t] == s for s, t in enumerate(self.next[d]))


def grid(shape, width, height, vectors, exists, name=lambda c, r: f"{letters(c)}{r}",
         place=lambda c, r: (c - 1, r - 1), wraps=(0, 0)):
    """A board in columns and rows, numbered row by row."""
    board = Board(shape, vectors)
    board.wraps = [*wraps]
    for row in range(1, height + 1):
        for column in range(1, width + 1):
            if exists(column, row):
                board.add(name(column, row), column, row, place(column, row))
    board.link(vectors)
    return board


def compass_sets(board):
    board.ortho = board.dir_set(["n", "e", "s", "w"])
    board.diag = board.dir_set(["ne", "se", "sw", "nw"])
    board.adj = board.ortho | board.diag


def square(width, height=None):
    height = width if height is None else height
    board = grid("square", width, height, SQUARE, lambda c, r: True)
    compass_sets(board)
    board.set_sides(lambda c, r: r == 1, lambda c, r: c == width, lambda c, r: r == height,
                    lambda c, r: c == 1)
    board.corners = (board.sides[1] | board.sides[3]) & (board.sides[2] | board.sides[4])
    middle = {(width + 1) // 2, width // 2 + 1}, {(height + 1) // 2, height // 2 + 1}
    board.centre = board.where(lambda c, r: c in middle[0] and r in middle[1])
    return board


def hexagonal(board, *sides, corners=None):
    """Directions, border, corners and centre of boards of hexagons."""
    board.ortho = board.adj = (1 << len(board.dirs)) - 1
    board.set_sides(*sides)
    board.border = board.few_steps(6)
    board.corners = corners if corners is not None else union(
        a & b for m, a in board.sides.items() for n, b in board.sides.items() if m < n)
    flat = [plane(place, board.vectors) for place in board.at]
    mean = [sum(p[i] for p in flat) / len(flat) for i in range(2)]
    far = [(p[0] - mean[0]) ** 2 + (p[1] - mean[1]) ** 2 for p in flat]
    board.centre = union(1 << s for s in range(board.size) if far[s] < min(far) + 1e-6)
    return board


def plane(place, vectors):
    """Any affine picture in which steps have equal lengths."""
    (x, y), root = place, 3 ** .5 / 2
    if "n" in vectors:                  # columns upright: se (1, 0), n (0, 1)
        return x * root, y - x / 2
    if vectors["ne"] == (1, 1):         # e (1, 0), nw (0, 1)
        return x - y / 2, y * root
    return x + y / 2, y * root


def hexagon(n):
    wide = 2 * n - 1
    board = grid("hex", wide, wide, HEX, lambda c, r: abs(c - r) < n)
    return hexagonal(board, lambda c, r: r == 1, lambda c, r: c - r == n - 1,
                     lambda c, r: c == wide, lambda c, r: r == wide, lambda c, r: r - c == n - 1,
                     lambda c, r: c == 1)


def hex_rhombus(width, height=None):
    height = width if height is None else height
    board = grid("hex", width, height, RHOMBUS, lambda c, r: True)
    return hexagonal(board, lambda c, r: r == 1, lambda c, r: c == width, lambda c, r: r == height,
                     lambda c, r: c == 1)


def triangle(n):
    board = grid("hex", n, n, RHOMBUS, lambda c, r: c + r <= n + 1)
    return hexagonal(board, lambda c, r: r == 1, lambda c, r: c + r == n + 1, lambda c, r: c == 1)


def hex_star(n):
    m, middle = n - 1, 2 * n - 1

    def cube(c, r):
        return c - middle, middle - r, r - c

    board = grid("hex", 4 * m + 1, 4 * m + 1, HEX,
                 lambda c, r: max(cube(c, r)) <= m or min(cube(c, r)) >= -m)
    sides = [lambda c, r, axis=axis, sign=sign: sign * cube(c, r)[axis] > m
             for axis, sign in ((1, 1), (2, -1), (0, 1), (1, -1), (2, 1), (0, -1))]
    tips = board.where(lambda c, r: max(map(abs, cube(c, r))) == 2 * m)
    return hexagonal(board, *sides, corners=tips)


def hex_upright(n):
    wide = 2 * n - 1

    def height(c):
        return wide - abs(n - c)

    board = grid("hex", wide, wide, UPRIGHT, lambda c, r: r <= height(c),
                 name=lambda c, r: f"{letters(c, 'j')}{r}",
                 place=lambda c, r: (c - 1, r - 1 + max(0, c - n)))
    return hexagonal(board, lambda c, r: r == 1 and c >= n, lambda c, r: c == wide,
                     lambda c, r: r == height(c) and c >= n,
                     lambda c, r: r == height(c) and c <= n, lambda c, r: c == 1,
                     lambda c, r: r == 1 and c <= n)


def circle(rings, spokes):
    vectors = {"outward": (0, 1), "cw": (1, 0), "inward": (0, -1), "ccw": (-1, 0)}
    board = grid("circle", spokes, rings, vectors, lambda c, r: True,
                 lambda c, r: f"{letters(r)}{c}", wraps=(spokes, 0))
    board.ortho = board.adj = 15
    board.border = board.where(lambda c, r: r == rings)
    board.centre = board.where(lambda c, r: r == 1)
    return board


def pits(rows, columns):
    vectors = {d: SQUARE[d] for d in ("n", "e", "s", "w")}
    board = grid("square", columns, rows, vectors, lambda c, r: True)
    board.ortho = board.adj = 15
    if rows in (2, 4):
        board.dirs += ["ccw", "cw"]
        ring = {}
        for first in range(0, board.size, 2 * columns):
            row, above = range(first, first + columns), range(first + columns, first + 2 * columns)
            order = [*row, *reversed(above)]
            ring |= dict(zip(order, [*order[1:], first]))
        board.next += [[ring[s] for s in range(board.size)],
                       [{t: s for s, t in ring.items()}[s] for s in range(board.size)]]
    if rows % 2 == 0:
        board.sides = {1: board.where(lambda c, r: r <= rows // 2),
                       2: board.where(lambda c, r: r > rows // 2)}
    return board


def track(length):
    vectors = {"e": (1, 0), "w": (-1, 0)}
    board = grid("square", length, 1, vectors, lambda c, r: True, lambda c, r: f"t{c}")
    board.ortho = board.adj = 3
    return board


def graph(rows):
    """rows: [(site, [(neighbour, direction or None)])]."""
    used = [d for _, edges in rows for t, d in edges if d]
    plain = any(d is None for _, edges in rows for t, d in edges if t != "off")
    dirs = [d for d in COMPASS if d in used]
    dirs += [d for d in dict.fromkeys(used) if d not in dirs]
    board = Board("graph", dirs)
    board.walked = True
    for name in dict.fromkeys(name for name, _ in rows):
        board.add(name)
    check_ends(board, rows)
    if {"n", "e", "s", "w"} <= set(dirs):
        board.diag = board.dir_set(["ne", "se", "sw", "nw"])
    board.adj = (1 << len(dirs)) - 1
    board.ortho = board.adj & ~board.diag
    board.next = [[-1] * board.size for _ in dirs]
    if plain:
        return ways(board, rows)
    add_edges(board, rows)
    return board


def ways(board, rows):
    """Edges without directions: each site numbers its own."""
    for name, edges in rows:
        for other, _ in edges:
            if other == "off":
                continue
            taken = None
            for a, b in ((name, other), (other, name)):
                a, b = board.names.index(a), board.names.index(b)
                free = next((row for row in board.next if row[a] < 0 and row is not taken), None)
                if free is None:
                    board.dirs.append(f"way{len(board.dirs) + 1}")
                    free = [-1] * board.size
                    board.next.append(free)
                free[a], taken = b, free
    board.ortho = board.adj = (1 << len(board.dirs)) - 1
    return board


def add_edges(board, rows):
    made = {}
    for name, edges in rows:
        s = board.names.index(name)
        for other, d in edges:
            if d is None:
                continue
            refuse_if(made.setdefault((s, d), other) != other and other != "off", "E0708", 0)
            board.next[board.dirs.index(d)][s] = -1 if other == "off" else board.names.index(other)


def check_ends(board, rows):
    for name, edges in rows:
        refuse_if({name, *(t for t, _ in edges)} - {"off", *board.names}, "E0707", 0)


def with_edges(board, rows):
    board = board.copy()
    check_ends(board, rows)
    for _, edges in rows:
        for other, d in edges:
            if d and d not in board.dirs and other != "off":
                board.dirs.append(d)
                board.next.append([-1] * board.size)
                board.adj |= 1 << len(board.dirs) - 1
    add_edges(board, [(name, [(t, d) for t, d in edges if d in board.dirs])
                      for name, edges in rows])
    return board


def without(board, gone):
    kept = [s for s in range(board.size) if not gone >> s & 1]
    refuse_if(not kept, "E0711", 0)
    number = {s: i for i, s in enumerate(kept)}
    other = board.copy()

    def fewer(mask):
        return mask if mask is None else sum(1 << number[s] for s in members(mask) if s in number)

    for name in ("names", "column", "row", "at", "layer"):
        setattr(other, name, [getattr(board, name)[s] for s in kept])
    other.next = [[number.get(row[s], -1) for s in kept] for row in board.next]
    other.lattice = {place: number[s] for place, s in board.lattice.items() if s in number}
    other.corners, other.border, other.centre = map(fewer, (board.corners, board.border,
                                                            board.centre))
    other.sides = {n: fewer(side) for n, side in board.sides.items()}
    other.sets = {n: fewer(side) for n, side in board.sets.items()}
    return other


def wrap(board, d, back):
    a, b = (board.vectors.get(word, (0, 0)) for word in (d, back))
    refuse_if(not any(a) or all(a) or (-a[0], -a[1]) != b or board.shape not in ("square", "hex") or
              board.size != len({*board.column}) * len({*board.row}), "E0716", 0)
    other = board.copy()
    axis = 0 if board.vectors[d][0] else 1
    other.wraps[axis] = 1 + max(place[axis] for place in board.at if place)
    extra = {name: board.next[i] for i, name in enumerate(board.dirs) if name not in board.vectors}
    other.link(board.vectors)
    other.next = [extra.get(name, row) for name, row in zip(other.dirs, other.next)]
    other.corners = None
    if board.border is not None and len(board.sides) == 4:
        open_sides = [n for n in (1, 2, 3, 4) if not other.wraps[1 if n in (1, 3) else 0]]
        other.border = union(board.sides[n] for n in open_sides)
    return other


def join(parts):
    """parts: [(prefix or None, board)]."""
    first = parts[0][1]
    layered = any(prefix for prefix, _ in parts)
    dirs = list(dict.fromkeys(d for _, part in parts for d in part.dirs))
    if all(d in COMPASS for d in dirs):
        dirs.sort(key=COMPASS.index)
    board = Board(first.shape, dirs)
    board.walked = True
    board.next = [[] for _ in dirs]
    board.vectors = first.vectors
    for number, (prefix, part) in enumerate(parts):
        start = board.size
        own = number == 0 or prefix
        board.layers += bool(layered and own)
        for s in range(part.size):
            board.add((prefix or "") + part.names[s], part.column[s] if own else 0,
                      part.row[s] if own else 0, None, board.layers if own else 0)
        for i, d in enumerate(dirs):
            row = part.next[part.dirs.index(d)] if d in part.dirs else [-1] * part.size
            board.next[i] += [t + start if t >= 0 else -1 for t in row]
        for name in ("corners", "border", "centre"):
            if own and getattr(part, name) is not None:
                setattr(board, name, (getattr(board, name) or 0) | getattr(part, name) << start)
        for n, side in part.sides.items() if own else ():
            board.sides[n] = board.sides.get(n, 0) | side << start
        for name in ("ortho", "diag", "adj"):
            more = sum(1 << dirs.index(part.dirs[d]) for d in members(getattr(part, name)))
            setattr(board, name, getattr(board, name) | more)
    return board


def layers(base, number):
    board = join([(chr(65 + i), base) for i in range(number)])
    board.layers = number
    size = base.size
    for way, sign in (("up", 1), ("down", -1)):
        for d in [None, *range(len(base.dirs))]:
            board.dirs.append(way if d is None else f"{way}_{base.dirs[d]}")
            row = []
            for s in range(board.size):
                layer, place = divmod(s, size)
                end = place if d is None else base.next[d][place]
                row.append(end + (layer + sign) * size
                           if end >= 0 and 0 <= layer + sign < number else -1)
            board.next.append(row)
            bit = 1 << len(board.dirs) - 1
            board.adj |= bit
            if d is None:
                board.ortho |= bit
            elif base.ortho >> d & 1:
                board.diag |= bit
    return board


def mesh(base):
    if base.shape == "graph":
        return mesh_of_graph(base)
    refuse_if(base.shape == "circle" or any(base.wraps) or None in base.at, "E0719", 0)
    hexes = base.shape == "hex"
    if hexes:
        flat = base.vectors
        ring = [(3 * flat[d][0], 3 * flat[d][1]) for d in base.dirs]
        tips = [tuple(2 * (a + b) // 3 for a, b in zip(ring[i], ring[(i + 1) % 6]))
                for i in range(6)]
        upright = "n" in base.dirs
        between = ["nne", "e", "sse", "ssw", "w", "nnw"] if upright else \
            ["ene", "ese", "s", "wsw", "wnw", "n"]
        names = dict(zip(base.dirs, ring)) | dict(zip(between, tips))
        edges, ends = base.dirs, between
    else:
        names = {d: SQUARE[d] for d in COMPASS}
        edges, ends = ["n", "e", "s", "w"], ["ne", "se", "sw", "nw"]
    return mesh_of_cells(base, 6 if hexes else 2, names, edges, ends)


def mesh_of_cells(base, scale, names, edges, ends):
    order = [d for d in WINDS if d in names]
    board = Board(base.shape, order)
    board.walked = base.shape == "hex"
    found = {}                          # place: (name, sort, column, row)
    for s in range(base.size):
        x, y = base.at[s][0] * scale, base.at[s][1] * scale
        found[x, y] = (base.names[s], "cells", base.column[s], base.row[s])
        for sort, dirs in (("edges", edges), ("vertices", ends)):
            for d in dirs:
                place = (x + names[d][0], y + names[d][1])
                found.setdefault(place, (base.names[s] + d, sort, 0, 0))
    for place in sorted(found, key=lambda p: (p[1], p[0])):
        name, sort, column, row = found[place]
        board.sets[sort] = board.sets.get(sort, 0) | 1 << board.size
        board.add(name, column, row, place)
    board.lattice = {place: s for s, place in enumerate(board.at)}
    board.vectors = names
    board.next = [[mesh_step(board, s, names[d]) for s in range(board.size)]
                  for d in order]
    board.ortho, board.diag = board.dir_set(edges), board.dir_set(ends)
    board.adj = board.ortho | board.diag
    of_cell = {base.names[s]: board.names.index(base.names[s]) for s in range(base.size)}

    def lifted(mask):
        return None if mask is None else sum(1 << of_cell[base.names[s]] for s in members(mask))

    board.corners, board.centre = lifted(base.corners), lifted(base.centre)
    board.sides = {n: lifted(side) for n, side in base.sides.items()}
    board.border = mesh_border(board, lifted(base.border))
    return board


def mesh_step(board, s, vector):
    """The nearest site of the mesh along a direction, at most half a cell away."""
    (x, y), (dx, dy) = board.at[s], vector
    places = [(x + dx * part / 6, y + dy * part / 6) for part in range(1, 7)]
    return next((board.lattice[place] for place in places if place in board.lattice), -1)


def mesh_border(board, cells):
    if cells is None:
        return None
    outer = 0
    for s in members(board.sets["edges"]):
        if bin(board.step(1 << s, board.adj) & board.sets["cells"]).count("1") == 1:
            outer |= 1 << s
    return cells | outer | board.step(outer, board.adj) & board.sets["vertices"]


def mesh_of_graph(base):
    board = Board("graph", base.dirs)
    board.walked = True
    for name in base.names:
        board.add(name)
    pairs = []
    for s in range(base.size):
        for row in base.next:
            if row[s] >= 0 and {s, row[s]} not in pairs:
                pairs.append({s, row[s]})
                board.add(f"{base.names[s]}_{base.names[row[s]]}")
    board.next = [[-1] * board.size for _ in base.dirs]
    for d, row in enumerate(base.next):
        for s, t in enumerate(row):
            if t >= 0:
                edge = base.size + pairs.index({s, t})
                board.next[d][s], board.next[d][edge] = edge, t
    board.ortho, board.diag, board.adj = base.ortho, base.diag, base.adj
    board.sets = {"cells": 0, "vertices": (1 << base.size) - 1,
                  "edges": (1 << board.size) - (1 << base.size)}
    return board
