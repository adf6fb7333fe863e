"""A board and its geometry (chapters 3 and 5 of docs/spec). A set of sites or of directions is a
number: bit i is member i. No site and no direction are -1."""
from functools import lru_cache, reduce
from itertools import count, takewhile
from operator import or_

from syntax import refuse_if

COMPASS = ["n", "ne", "e", "se", "s", "sw", "w", "nw"]
WINDS = ["n", "nne", "ne", "ene", "e", "ese", "se", "sse", "s", "ssw", "sw", "wsw", "w", "wnw",
         "nw", "nnw"]
SQUARE = {"n": (0, 1), "ne": (1, 1), "e": (1, 0), "se": (1, -1), "s": (0, -1), "sw": (-1, -1),
          "w": (-1, 0), "nw": (-1, 1)}
CIRCLE = {"outward": (0, 1), "cw": (1, 0), "inward": (0, -1), "ccw": (-1, 0)}
LINES = {d: (*vector, 0) for d, vector in {**SQUARE, **CIRCLE}.items()} | {
    "up": (0, 0, 1), "down": (0, 0, -1)}        # for right angles
OPPOSITE = {"cw": "ccw", "ccw": "cw", "inward": "outward", "outward": "inward", "up": "down",
            "down": "up"} | {wind: WINDS[(i + 8) % 16] for i, wind in enumerate(WINDS)}


@lru_cache(maxsize=1 << 16)
def members(mask):
    """The members of a set, ascending."""
    return [member for member in range(mask.bit_length()) if mask >> member & 1]


def union(masks):
    return reduce(or_, masks, 0)


def moved(mask, number):
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

    def where(self, test, *of):
        """The sites whose column and row, or other values, fulfil a test."""
        values = zip(*(of or (self.column, self.row)))
        return union(1 << s for s, one in enumerate(values) if test(*one))

    def site_at(self, column, row, layer=1):
        return next((s for s, place in enumerate(zip(self.column, self.row, self.layer))
                     if place == (column, row, layer if self.layers else 0) and column > 0), -1)

    def lines_by_number(self, word):
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
        lattice = self.lattice
        self.next = [[lattice.get(self.moved(place, self.vectors[d]), -1) for place in self.at]
                     for d in self.vectors]

    def moved(self, place, *vectors):
        place = [sum(xs) for xs in zip(place, *vectors)]
        return tuple(x % period if period else x for x, period in zip(place, self.wraps))

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
            fresh = self.step(fresh, self.groups["adjacent"]) & ~reached
            reached |= fresh
            if not fresh:
                return far
            far |= dict.fromkeys(members(fresh), distance)

    @lru_cache(maxsize=None)
    def between(self, a, b):
        ways = [ray[:ray.index(b)] for d in members(self.groups["adjacent"])
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
        return next((e for e, name in enumerate(self.dirs) if name not in WINDS and all(
            end < 0 or self.next[back][end] == s for way, back in ((d, e), (e, d))
            for s, end in enumerate(self.next[way]))), -1)

    def with_sets(self, sides, depth=0):
        """Adds sides, corners, border and centre. A side is what lies farthest in a direction; with
        `depth`, it is a triangle of so many rows, and its tip is a corner."""
        tips, vectors = [], self.vectors.values()
        for number, (x, y) in enumerate(sides, 1):
            far = [x * a + y * b for a, b in self.at]
            tips.append(self.where(lambda v, most=max(far): v == most, far))
            self.sets[number] = self.where(lambda v, most=max(far): v > most - (depth or 1), far)
        self.sets["corners"] = union(tips if depth else (
            a & b for a, b in zip(tips, [*tips[1:], tips[0]])))
        self.sets["border"] = self.where(lambda *ends: -1 in ends, *self.next)
        mean = [sum(axis) / self.size for axis in zip(*self.at)]
        slant = ((1, -1) in vectors) - ((1, 1) in vectors)          # of the axes, on hexagons
        far = [dx * dx + dy * dy + slant * dx * dy
               for dx, dy in ((x - mean[0], y - mean[1]) for x, y in self.at)]
        self.sets["centre"] = self.where(lambda v: v < min(far) + 1e-6, far)
        return self

    def add_way(self, a, b):
        """An edge without a direction: each site has its own numbers for them."""
        taken = None
        for start, end in ((a, b), (b, a)):
            free = next((row for row in self.next if row[start] < 0 and row is not taken), None)
            if free is None:
                free = [-1] * self.size
                self.add_dir(f"way{len(self.dirs) + 1}", free, "orthogonal")
            free[start], taken = end, free

    def add_edges(self, rows):
        made = {}
        for name, edges in rows:
            refuse_if({name, *(t for t, _ in edges)} - {"off", *self.names}, "E0707", 0)
            s = self.names.index(name)
            for other, d in edges:
                refuse_if(made.setdefault((s, d or other), other) != other != "off", "E0708", 0)
                if d in self.dirs:
                    self.next[self.dirs.index(d)][s] = -1 if other == "off" else \
                        self.names.index(other)
