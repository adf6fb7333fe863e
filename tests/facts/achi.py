#!/usr/bin/env python3
"""Solves Achi without Ferz, for the facts about its value: tests/facts/achi.py MEN [MOVE...].

The rules are those of `ferz rules games/classic/achi.game`, without the draw after turns without a
capture. Prints how many positions there are, counting those that symmetries turn into each other as
one, then after the MOVEs the value for the first player and in how many decisions the winner wins,
then the same of each move.
"""
import sys
from array import array

POINTS = ("a1 c1 e1 b2 c2 d2 a3 b3 d3 e3 b4 c4 d4 a5 c5 e5").split()
ROWS = ("a1 c1 e1,e1 e3 e5,a5 c5 e5,a1 a3 a5,b2 c2 d2,d2 d3 d4,b4 c4 d4,b2 b3 b4,"
        "c1 c2,e3 d3,c5 c4,a3 b3").split(",")       # the sides, and the lines that join them
ALL = (1 << len(POINTS)) - 1
PUT, TAKE, OVER = 0, 1, 2
UNKNOWN, LOST, WON = 0, 1, 2        # for the first player


def bit(name):
    return 1 << POINTS.index(name)


LINES = [[POINTS.index(name) for name in row.split()] for row in ROWS]
BESIDE = [0] * len(POINTS)
for line in LINES:
    for one, other in zip(line, line[1:]):
        BESIDE[one] |= 1 << other
        BESIDE[other] |= 1 << one
MILLS = [sum(1 << point for point in line) for line in LINES if len(line) == 3]


def symmetries():
    """Permutations of the points that keep neighbours."""
    found = []

    def place(image):
        point = len(image)
        if point == len(POINTS):
            found.append(image)
            return
        for to in range(len(POINTS)):
            if to not in image and all(
                    (BESIDE[point] >> other & 1) == (BESIDE[to] >> image[other] & 1)
                    for other in range(point)):
                place(image + [to])
    place([])
    return found


def tables():
    """Of each symmetry but the first: the image of each set of points."""
    for image in symmetries()[1:]:
        table = array("H", bytes(2 << len(POINTS)))
        for points in range(1, ALL + 1):
            low = points & -points
            table[points] = table[points ^ low] | 1 << image[low.bit_length() - 1]
        yield table


TABLES = list(tables())


def number(kind, mover, men, hands):
    """The least of the position and its images."""
    one, other = men
    best = one << 16 | other
    for table in TABLES:
        image = table[one] << 16 | table[other]
        if image < best:
            best = image
    return ((best << 4 | hands[0]) << 4 | hands[1]) << 3 | kind << 1 | mover


def split(position):
    men = position >> 27, position >> 11 & ALL
    return position >> 1 & 3, position & 1, men, (position >> 7 & 15, position >> 3 & 15)


def bits(points):
    while points:
        yield points & -points
        points &= points - 1


def end_turn(mover, men, hands):
    """The position after the turn, of which the end says who has won."""
    foe = 1 - mover
    if hands[foe] + men[foe].bit_count() < 3:
        return OVER, mover, men, hands
    stuck = not hands[foe] and not any(BESIDE[one.bit_length() - 1] & ALL & ~(men[0] | men[1])
                                       for one in bits(men[foe]))
    return OVER if stuck else PUT, foe, men, hands


def replaced(pair, player, value):
    return (value, pair[1]) if player == 0 else (pair[0], value)


def moves(position):
    """The texts of the moves, and the positions that follow."""
    kind, mover, men, hands = position
    mine, theirs, empty = men[mover], men[1 - mover], ALL & ~(men[0] | men[1])
    if kind == TAKE:
        for taken in bits(theirs):
            yield (f"x{POINTS[taken.bit_length() - 1]}",
                   end_turn(mover, replaced(men, 1 - mover, theirs ^ taken), hands))
        return
    if hands[mover]:
        ways = [("", 0, to) for to in bits(empty)]
        hands = replaced(hands, mover, hands[mover] - 1)
    else:
        ways = [(f"{POINTS[one.bit_length() - 1]}-", one, to) for one in bits(mine)
                for to in bits(BESIDE[one.bit_length() - 1] & empty)]
    for text, one, to in ways:
        own = mine ^ one | to
        after = replaced(men, mover, own)
        takes = theirs and any(mill & to and mill & own == mill for mill in MILLS)
        yield (text + POINTS[to.bit_length() - 1],
               (TAKE, mover, after, hands) if takes else end_turn(mover, after, hands))


class Solution:
    def __init__(self, men):
        self.first = PUT, 0, (0, 0), (men, men)
        self.numbers = {number(*self.first): 0}
        self.positions = array("Q", self.numbers)
        self.after, self.begins = array("I"), array("I", [0])
        for position in self.positions:     # which grow
            here = split(position)
            following = set() if here[0] == OVER else {number(*to) for _, to in moves(here)}
            for to in following:
                index = self.numbers.setdefault(to, len(self.positions))
                if index == len(self.positions):
                    self.positions.append(to)
                self.after.append(index)
            self.begins.append(len(self.after))
        self.solve()

    def before(self):
        """Where the positions begin that lead to each, and which they are."""
        begins = array("I", bytes(4 * (len(self.positions) + 1)))
        for to in self.after:
            begins[to + 1] += 1
        for index in range(len(self.positions)):
            begins[index + 1] += begins[index]
        place, found = array("I", begins), array("I", bytes(4 * len(self.after)))
        for index in range(len(self.positions)):
            for to in self.after[self.begins[index]:self.begins[index + 1]]:
                found[place[to]] = index
                place[to] += 1
        return begins, found

    def solve(self):
        begins, before = self.before()
        count = len(self.positions)
        self.values, self.steps = bytearray(count), array("H", bytes(2 * count))
        left = array("H", (self.begins[i + 1] - self.begins[i] for i in range(count)))
        decided = []
        for index, position in enumerate(self.positions):
            kind, mover, men, hands = split(position)
            if kind == OVER:
                few = hands[1 - mover] + men[1 - mover].bit_count() < 3
                self.values[index] = WON if (mover == 0) == few else LOST
                decided.append(index)
        for index in decided:               # which grow, by their distance from the end
            value = self.values[index]
            for earlier in before[begins[index]:begins[index + 1]]:
                if self.values[earlier]:
                    continue
                left[earlier] -= 1
                if (value == WON) == (self.positions[earlier] & 1 == 0) or not left[earlier]:
                    self.values[earlier] = value
                    self.steps[earlier] = self.steps[index] + 1
                    decided.append(earlier)

    def value(self, position):
        index = self.numbers[number(*position)]
        return ("draw", "win", "loss")[(UNKNOWN, WON, LOST).index(self.values[index])], \
            self.steps[index]


def main():
    solution = Solution(int(sys.argv[1]))
    position = solution.first
    for text in sys.argv[2:]:
        position = dict(moves(position))[text]
    print(len(solution.positions))
    print(*solution.value(position))
    for text, to in moves(position):
        print(text, *solution.value(to))


if __name__ == "__main__":
    main()
