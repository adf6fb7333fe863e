"""Boards (chapter 3 of docs/spec) and their geometry (chapter 5). A set of sites or of directions
is a number: bit i is member i. No site and no direction are -1."""
from copy import deepcopy
from functools import lru_cache, reduce
from itertools import count, product, takewhile
from operator import or_

from syntax import refuse_if

COMPASS = ["n", "ne", "e", "se", "s", "sw", "w", "nw"]
WINDS = ["n", "nne", "ne", "ene", "e", "ese", "se", "sse", "s", "ssw", "sw", "wsw", "w", "wnw",
         "nw", "nnw"]
SQUARE = {"n": (0, 1), "ne": (1, 1), "e": (1, 0), "se": (1, -1), "s": (0, -1), "sw": (-1, -1),
          "w": (-1, 0), "nw": (-1, 1)}
HEX = {"ne": (1, 1), "e": (1, 0), "se": (0, -1), "sw": (-1, -1), "w": (-1, 0), "nw": (0, 1)}
RHOMBUS = {"ne": (0, 1), "e": (1, 0), "se": (1, -1), "sw": (0, -1), "w": (-1, 0), "nw": (-1, 1)}
UPRIGHT = {"n": (0, 1), "ne": (1, 1), "se": (1, 0), "s": (0, -1), "sw": (-1, -1), "nw": (-1, 0)}
CIRCLE = {"outward": (0, 1), "cw": (1, 0), "inward": (0, -1), "ccw": (-1, 0)}
LINES = {d: (*vector, 0) for d, vector in {**SQUARE, **CIRCLE}.items()} | {
    "up": (0, 0, 1), "down": (0, 0, -1)}        # for right angles
FOUR_SIDES = [(0, -1), (1, 0), (0, 1), (-1, 0)]         # where they lie in the lattice
SIX_SIDES = [(0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0)]
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
    alphabet = [letter for letter in "abcdefghijklmnopqrstuvwxyz" if letter != skip]
    rest, last = divmod(column - 1, len(alphabet))
    return (letters(rest, skip) if rest else "") + alphabet[last]


def union(masks):
    return reduce(or_, masks, 0)


def moved(mask, number):
    """A set of sites with other numbers."""
    return union(1 << number[s] for s in members(mask))


class Board:
    """Sites with names and, on most boards, columns and rows; directions; edges."""
    def __init__(self, shape, dirs):
        self.shape, self.dirs = shape, list(dirs)
        self.names, self.column, self.row, self.layer = [], [], [], []
        self.at = []                    # the place of each site in the lattice, or None
        self.vectors = {}               # of directions in the lattice
        self.wraps = [0, 0]             # the period of each axis of the lattice
        self.walked = False             # there is no lattice: leaps are walked
        self.next = []                  # next[direction][site]
        self.groups = {"orthogonal": 0, "diagonal": 0, "adjacent": 0}
        self.sets = {}                  # of sites by name, or by the number of a side
        self.layers = 0

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

    @property
    def adjacent(self):
        return self.groups["adjacent"]

    def where(self, test, *of):
        """The sites whose column and row, or other values, fulfil a test."""
        values = zip(*(of or (self.column, self.row)))
        return union(1 << s for s, one in enumerate(values) if test(*one))

    def site_at(self, column, row, layer=1):
        return next((s for s, place in enumerate(zip(self.column, self.row, self.layer))
                     if place == (column, row, layer if self.layers else 0) and column > 0), -1)

    def lines_by_number(self, word):
        """Rows, columns, sides or layers."""
        if word == "side":
            return {n: mask for n, mask in self.sets.items() if isinstance(n, int)}
        of = {"rank": self.row, "file": self.column, "layer": self.layer}[word]
        return {n: self.where(lambda value, n=n: value == n, of) for n in {*of} - {0}}

    def dir_set(self, names):
        return union(1 << d for d, name in enumerate(self.dirs) if name in names)

    def set_groups(self, orthogonal, diagonal=()):
        one, two = self.dir_set(orthogonal), self.dir_set(diagonal)
        self.groups = {"orthogonal": one, "diagonal": two, "adjacent": one | two}

    def add_dir(self, name, row, *groups):
        self.dirs.append(name)
        self.next.append(row)
        for group in ("adjacent", *groups):
            self.groups[group] |= 1 << len(self.dirs) - 1

    @property
    def lattice(self):
        return {place: s for s, place in enumerate(self.at)}

    def link(self):
        """Edges by places in the lattice."""
        lattice = self.lattice
        self.next = [[lattice.get(self.moved(place, self.vectors[d]), -1) for place in self.at]
                     for d in self.vectors]

    def moved(self, place, *vectors):
        place = [sum(xs) for xs in zip(place, *vectors)]
        return tuple(x % period if period else x for x, period in zip(place, self.wraps))

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
        found, most = 0, None if most is None else max(most, 0)
        for d in members(dirs):
            for start in members(sites):
                for site in self.ray(start, d)[:most]:
                    found |= 1 << site
                    if not over >> site & 1:
                        break
        return found

    @lru_cache(maxsize=None)
    def ray(self, site, d):
        """The sites of a ray in order."""
        found = []
        here = self.walk(site, d, 1)
        while here >= 0 and here != site and here not in found:
            found.append(here)
            here = self.next[d][here]
        return found

    def walk(self, site, d, steps):
        if steps < 0 or d < 0:
            return -1
        for _ in range(steps):
            site = self.next[d][site] if site >= 0 else -1
        return site

    @lru_cache(maxsize=None)
    def leaps(self, site, a, b):
        """For each orientation of a leap, the site that it leads to from `site` (or -1)."""
        ends, lattice = [], self.lattice
        for first, second in self.turns():
            if self.walked:
                ends.append(max(self.walk(self.walk(site, first, a), second, b),
                                self.walk(self.walk(site, second, b), first, a)))
            else:
                v, w = self.vectors[self.dirs[first]], self.vectors[self.dirs[second]]
                place = self.moved(self.at[site], [a * x + b * y for x, y in zip(v, w)])
                ends.append(lattice.get(place, -1))
        return [-1 if end == site else end for end in ends]

    def leap(self, sites, a, b):
        return union(1 << end for s in members(sites) for end in self.leaps(s, a, b) if end >= 0)

    def ride(self, sites, a, b, over):
        found = 0
        for start in members(sites):
            for way, site in enumerate(self.leaps(start, a, b)):
                while site >= 0 and site != start:
                    found |= 1 << site
                    site = self.leaps(site, a, b)[way] if over >> site & 1 else -1
        return found

    @lru_cache(maxsize=None)
    def turns(self):
        """Pairs of directions at a right angle; on hexagons, of neighbours."""
        if self.shape == "hex":
            ring = [d for d in range(len(self.dirs)) if self.dirs[d] in self.vectors]
            return [(d, ring[(i + k) % len(ring)]) for i, d in enumerate(ring) for k in (1, -1)]
        lines = {d: LINES[self.dirs[d]] for d in members(self.groups["orthogonal"])
                 if self.dirs[d] in LINES}
        return [(i, j) for i in lines for j in lines
                if sum(x * y for x, y in zip(lines[i], lines[j])) == 0]

    # Chapter 5.2 and 5.3.

    def flood(self, start, inside, dirs):
        reached = fresh = start
        while fresh:
            fresh = self.step(fresh, dirs) & inside & ~reached
            reached |= fresh
        return reached

    def connected(self, sites, start, goal, dirs):
        return bool(self.flood(sites & start, sites, dirs) & goal & sites)

    def dist(self, a, b):
        return self.distances(a).get(b, -1) if a >= 0 <= b else -1

    @lru_cache(maxsize=None)
    def distances(self, site):
        far, fresh, reached = {site: 0}, 1 << site, 1 << site
        for distance in count(1):
            fresh = self.step(fresh, self.adjacent) & ~reached
            reached |= fresh
            if not fresh:
                return far
            far |= dict.fromkeys(members(fresh), distance)

    @lru_cache(maxsize=None)
    def between(self, a, b):
        ways = [ray[:ray.index(b)] for d in members(self.adjacent)
                for ray in [self.ray(a, d)] if b in ray]
        return union(1 << s for s in min(ways, key=len, default=()))

    def line_at(self, site, sites, n, dirs):
        return any(len(row) >= n and site in row for row in self.lines(sites, dirs))

    def line(self, sites, n, dirs):
        return n <= 0 or any(len(row) >= n for row in self.lines(sites, dirs))

    def lines(self, sites, dirs):
        """The rows of a set, as lists of sites, from each site along each direction."""
        for d in members(dirs):
            for start in members(sites):
                yield [start, *takewhile(lambda s: sites >> s & 1, self.ray(start, d))]

    def row_before(self, site, d, sites, ends):
        """The sites of a set that begin a ray, up to one of `ends`; else 0."""
        row = 0
        for s in self.ray(site, d):
            if not sites >> s & 1:
                return row if ends >> s & 1 else 0
            row |= 1 << s
        return 0

    def flanked(self, site, sites, ends, dirs):
        return union(self.row_before(site, d, sites, ends) for d in members(dirs))

    def flanking(self, sites, row, ends, dirs):
        return union(1 << s for s in members(sites)
                     if any(self.row_before(s, d, row, ends) for d in members(dirs)))

    @lru_cache(maxsize=None)
    def opposite(self, d):
        other = "_".join(OPPOSITE.get(part, "?") for part in self.dirs[d].split("_"))
        if other in self.dirs:
            return self.dirs.index(other)
        return next((e for e, name in enumerate(self.dirs) if name not in WINDS and
                     self.returns(d, e) and self.returns(e, d)), -1)

    def returns(self, d, e):
        """Whether each step in a direction is taken back by one in another."""
        return all(t < 0 or self.next[e][t] == s for s, t in enumerate(self.next[d]))


# Chapter 3.2 to 3.4: shapes.

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


def with_sets(board, sides, depth=0):
    """Adds sides, corners, border and centre. A side is what lies farthest in a direction; with
    `depth`, it is a triangle of so many rows, and its tip is a corner."""
    tips, vectors = [], board.vectors.values()
    for number, (x, y) in enumerate(sides, 1):
        far = [x * a + y * b for a, b in board.at]
        tips.append(board.where(lambda v, most=max(far): v == most, far))
        board.sets[number] = board.where(lambda v, most=max(far): v > most - (depth or 1), far)
    board.sets["corners"] = union(tips if depth else (
        a & b for a, b in zip(tips, [*tips[1:], tips[0]])))
    board.sets["border"] = board.where(lambda *ends: -1 in ends, *board.next)
    mean = [sum(axis) / board.size for axis in zip(*board.at)]
    slant = ((1, -1) in vectors) - ((1, 1) in vectors)          # of the axes, on hexagons
    far = [dx * dx + dy * dy + slant * dx * dy
           for dx, dy in ((x - mean[0], y - mean[1]) for x, y in board.at)]
    board.sets["centre"] = board.where(lambda v: v < min(far) + 1e-6, far)
    return board


def square(width, height):
    board = with_sets(grid("square", SQUARE, width, height), FOUR_SIDES)
    board.set_groups(["n", "e", "s", "w"], ["ne", "se", "sw", "nw"])
    return board


def hex(n):
    return with_sets(grid("hex", HEX, 2 * n - 1, 2 * n - 1, lambda c, r: abs(c - r) < n), SIX_SIDES)


def hex_rhombus(width, height):
    return with_sets(grid("hex", RHOMBUS, width, height), FOUR_SIDES)


def triangle(n):
    return with_sets(grid("hex", RHOMBUS, n, n, lambda c, r: c + r <= n + 1),
                     [(0, -1), (1, 1), (-1, 0)])


def hex_star(n):
    def cube(c, r):
        return c - 2 * n + 1, 2 * n - 1 - r, r - c

    return with_sets(grid("hex", HEX, 4 * n - 3, 4 * n - 3, lambda c, r: max(cube(c, r)) < n or
                          min(cube(c, r)) > -n), SIX_SIDES, n - 1)


def hex_upright(n):
    return with_sets(grid("hex", UPRIGHT, 2 * n - 1, 2 * n - 1, lambda c, r: r < 2 * n - abs(n - c),
                          lambda c, r: f"{letters(c, 'j')}{r}",
                          lambda c, r: (c - 1, r - 1 + max(0, c - n))),
                     [*SIX_SIDES[1:], SIX_SIDES[0]])


def circle(rings, spokes):
    board = grid("circle", CIRCLE, spokes, rings, name=lambda c, r: f"{letters(r)}{c}",
                 wraps=(spokes, 0))
    board.sets = {"border": board.where(lambda c, r: r == rings),
                  "centre": board.where(lambda c, r: r == 1)}
    return board


def pits(rows, columns):
    board = grid("square", {d: SQUARE[d] for d in ("n", "e", "s", "w")}, columns, rows)
    if rows in (2, 4):
        ring = {}
        for first in range(0, board.size, 2 * columns):
            order = [*range(first, first + columns),
                     *reversed(range(first + columns, first + 2 * columns))]
            ring |= dict(zip(order, [*order[1:], first]))
        back = {t: s for s, t in ring.items()}
        for name, way in (("ccw", ring), ("cw", back)):
            board.dirs.append(name)
            board.next.append([way[s] for s in range(board.size)])
    if rows % 2 == 0:
        board.sets = {1: board.where(lambda c, r: r <= rows // 2),
                      2: board.where(lambda c, r: r > rows // 2)}
    return board


def track(length):
    return grid("square", {"e": (1, 0), "w": (-1, 0)}, length, 1, name=lambda c, r: f"t{c}")


# Chapter 3.5: graphs.

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


def graph(rows):
    rows = edges_of(rows)
    ends = [end for _, edges in rows for end in edges]
    used = list(dict.fromkeys(d for _, d in ends if d))
    board = Board("graph", sorted(used, key=lambda d: (COMPASS.index(d) if d in COMPASS else 8)))
    board.walked = True
    for name in dict.fromkeys(name for name, _ in rows):
        board.add(name)
    diagonal = ["ne", "se", "sw", "nw"] if {"n", "e", "s", "w"} <= {*used} else []
    board.set_groups({*used} - {*diagonal}, diagonal)
    board.next = [[-1] * board.size for _ in used]
    add_edges(board, rows)
    for name, edges in rows:
        for other, d in edges:
            if d is None and other != "off":
                add_way(board, board.names.index(name), board.names.index(other))
    return board


def add_way(board, a, b):
    """An edge without a direction: each site has its own numbers for them."""
    taken = None
    for start, end in ((a, b), (b, a)):
        free = next((row for row in board.next if row[start] < 0 and row is not taken), None)
        if free is None:
            free = [-1] * board.size
            board.add_dir(f"way{len(board.dirs) + 1}", free, "orthogonal")
        free[start], taken = end, free


def add_edges(board, rows):
    made = {}
    for name, edges in rows:
        refuse_if({name, *(t for t, _ in edges)} - {"off", *board.names}, "E0707", 0)
        s = board.names.index(name)
        for other, d in edges:
            refuse_if(made.setdefault((s, d or other), other) != other != "off", "E0708", 0)
            if d in board.dirs:
                board.next[board.dirs.index(d)][s] = -1 if other == "off" else \
                    board.names.index(other)


# Chapter 3.6: operators.

def with_edges(board, rows):
    board, rows = deepcopy(board), edges_of(rows)
    for d in dict.fromkeys(d for _, edges in rows for t, d in edges if t != "off"):
        if d and d not in board.dirs:
            board.add_dir(d, [-1] * board.size)
    add_edges(board, rows)
    return board


def without(board, gone):
    kept = members(board.every & ~gone)
    refuse_if(not kept, "E0711", 0)
    number = {s: i for i, s in enumerate(kept)}
    other = deepcopy(board)
    for name in ("names", "column", "row", "at", "layer"):
        setattr(other, name, [getattr(board, name)[s] for s in kept])
    other.next = [[number.get(row[s], -1) for s in kept] for row in board.next]
    other.sets = {name: moved(mask & ~gone, number) for name, mask in board.sets.items()}
    return other


def wrap(board, d, back):
    a, b = (board.vectors.get(word, (0, 0)) for word in (d, back))
    refuse_if(not any(a) or all(a) or (-a[0], -a[1]) != b or board.shape not in ("square", "hex") or
              board.size != len({*board.column}) * len({*board.row}), "E0716", 0)
    other = deepcopy(board)
    axis = 0 if a[0] else 1
    other.wraps[axis] = 1 + max(place[axis] for place in board.at)
    other.link()
    other.next += board.next[len(board.vectors):]
    other.sets.pop("corners", None)
    if "border" in board.sets:
        other.sets["border"] = union(board.sets[n] for n in range(1, 5) if not other.wraps[n % 2])
    return other


def join(parts):
    """parts: [(prefix or None, board)]."""
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


def layers(base, number):
    board = join([(chr(65 + i), base) for i in range(number)])
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


def mesh(base):
    if base.shape == "graph":
        return mesh_of_graph(base)
    refuse_if(base.shape == "circle" or any(base.wraps) or None in base.at, "E0719", 0)
    if base.shape != "hex":
        return mesh_of_cells(base, 2, SQUARE, ["n", "e", "s", "w"], ["ne", "se", "sw", "nw"])
    steps = [[3 * x for x in base.vectors[d]] for d in base.dirs]
    tips = [tuple(2 * (x + y) // 3 for x, y in zip(a, b))
            for a, b in zip(steps, [*steps[1:], steps[0]])]
    ends = ["nne", "e", "sse", "ssw", "w", "nnw"] if "n" in base.dirs else \
        ["ene", "ese", "s", "wsw", "wnw", "n"]
    return mesh_of_cells(base, 6, dict(zip([*base.dirs, *ends], [*steps, *tips])), base.dirs, ends)


def mesh_of_cells(base, scale, vectors, edges, ends):
    """Cells are `scale` apart; `vectors` lead to their edges and ends."""
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
        outer = sum(1 << s for s in members(board.sets["edges"]) if
                    (board.step(1 << s, board.adjacent) & board.sets["cells"]).bit_count() == 1)
        board.sets["border"] |= outer | \
            board.step(outer, board.adjacent) & board.sets["vertices"]
    return board


def mesh_of_graph(base):
    board = Board("graph", base.dirs)
    board.walked, board.groups = True, base.groups
    for name in base.names:
        board.add(name)
    pairs = []
    for s, ends in enumerate(zip(*base.next)):
        for end in ends:
            if end >= 0 and {s, end} not in pairs:
                pairs.append({s, end})
                board.add(f"{base.names[s]}_{base.names[end]}")
    board.next = [[-1] * board.size for _ in base.dirs]
    for steps, row in zip(base.next, board.next):
        for s, end in enumerate(steps):
            if end >= 0:
                edge = base.size + pairs.index({s, end})
                row[s], row[edge] = edge, end
    board.sets = {"cells": 0, "vertices": base.every, "edges": board.every & ~base.every}
    return board
