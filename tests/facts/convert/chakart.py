#!/usr/bin/env python3
"""Writes tests/facts/chakart.json: convert/chakart.py FACTS.json > tests/facts/chakart.json

FACTS.json has legal (fen and moves), outcomes (fen, move, distribution), results, trees (fen and
expected numbers of leaves) and setup; each may be missing, and so may every field that a check can
do without. Its FENs have fields that Ferz does not know: the plies, the flags, which become the
variables shell and stealth, and in the middle of a turn what the mover still owes. Such a fact is
about the variant tests/facts/games/chakart-owed.game, whose turn begins there.
"""
import json
import re
import sys

from form import about, written

GAME = "chess/chakart.game"
IN_A_TURN = "chakart-owed.game"
KINDS = {"p": "Pawn", "q": "Queen", "r": "Rook", "n": "Knight", "b": "Bishop", "k": "King"}
OBJECTS = {"w": "Bomb", "d": "Banana", "e": "Egg", "m": "Mushroom"}
EGGS = {name.lower(): name for name in ("KingBoo", "Koopa", "Toadette", "Chomp", "Daisy", "Bowser",
                                        "Luigi", "Waluigi")}
SQUARE = "[a-h][1-8]"
FEN = re.compile(r"(?P<board>\S+) +(?P<side>[wb])(?: +(?P<plies>\d+))?(?: +(?P<flags>\{[^}]*\}))?"
                 r"(?: +(?P<owed>\S+))?$")
FLAGS = (("shell", "White"), ("stealth", "White"), ("shell", "Black"), ("stealth", "Black"))


def rows(board):
    """The first field of a FEN as the rows of a position text."""
    return [" ".join(re.sub(r"\d", lambda number: "." * int(number[0]), row))
            for row in board.split("/")]


def text(fen, more=()):
    """A position text."""
    found = FEN.match(fen.strip())
    flags = re.search("[01]{4}", found["flags"])[0] if found["flags"] else "1111"
    spent = [f"{name}[{player}] = false"
             for (name, player), flag in zip(FLAGS, flags) if flag == "0"]
    turns = [f"turns: {int(found['plies']) + 1}"] if found["plies"] else []
    return "\n".join([*rows(found["board"]), *spent, *more,
                      f"mover: {'White' if found['side'] == 'w' else 'Black'}", *turns])


def owed_of(fen):
    return FEN.match(fen.strip())["owed"] or ""


def shifted(square, files, ranks):
    return chr(ord(square[0]) + files) + str(int(square[1]) + ranks)


def due(owed):
    """What is owed, as variables of the variant."""
    what, *rest = owed.split(":")
    if what == "promote":
        square, found, displacement, first = (rest + ["-"] * 4)[:4]
        lines = ["owed = Promotion", f"landed = {square}"]
        lines += [f"found = {OBJECTS[found]}"] if found != "-" else []
        if displacement != "-":
            files, ranks = map(int, displacement.split(","))
            lines += [f"behind = {shifted(square, -files, -ranks)}"]
        return lines + ([f"home = {first}"] if first != "-" else [])
    if what == "toadette":
        return ["owed = Drop", f"drop_kind = {KINDS[rest[0]]}"]
    return [f"owed = {({'kingboo': 'Boo', 'daisy': 'Second'})[what]}"]


def position(fen):
    owed = owed_of(fen)
    return {"game": IN_A_TURN, "text": text(fen, due(owed))} if owed else {"text": text(fen)}


def owed_next(owed):
    """What all moves look like while this is owed."""
    effect, _, kind = owed.partition(":")
    return {"kingboo": f"{SQUARE}<>{SQUARE}", "daisy": rf"{SQUARE}\*?{SQUARE}(~|=.)?",
            "promote": "=.",
            "toadette": f"{kind}@{SQUARE}"}[effect]


def result(fact):
    """Nothing, if the fact does not tell it."""
    return {"result": None if fact["result"] == "*" else fact["result"]} if "result" in fact else {}


def end(outcome):
    owed = owed_of(outcome["fen"])
    return {"p": outcome["p"], "text": text(outcome["fen"]),
            **({"next": owed_next(owed)} if owed else {}), **result(outcome)}


def legal(fact):
    moves = {"legal": fact["moves"]} if "moves" in fact else {}
    return {**about(fact), **position(fact["fen"]), **moves,
            **({"count": fact["count"]} if "count" in fact else {}),
            **result(fact)}


def outcomes(fact):
    given = {"given": [EGGS[fact["given_egg"].lower()]]} if fact.get("given_egg") else {}
    return {**about(fact), **position(fact["fen"]), "outcomes": [
        {"move": fact["move"], **given,
         "distribution": [end(item) for item in fact["outcomes"]]}]}


def tree(fact):
    """The numbers for three decisions take thousands of positions;
    the script's own tests have them."""
    return {**about(fact), **position(fact["fen"]), "expected": fact.get("expected", [])[:2]}


def setup(fact):
    """What the numbers of random back ranks say, the script's own tests show."""
    if "fixed" in fact:
        yield {"id": "setup-fixed", **about(fact), "options": {"Setup": "Fixed"},
               "after": {"text": text(fact["fixed"])}}


def numbered(name, made, given):
    """The facts of one list, with a name where they have none."""
    for number, fact in enumerate(given, 1):
        yield {"id": f"{name}-{number}", **made(fact)}


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        facts = json.load(file)
    sys.stdout.write(written({
        "game": GAME,
        "ignore": ["owed", "drop_kind", "landed", "found", "behind", "home"],
        "positions": [*numbered("legal", legal, facts.get("legal", [])),
                      *numbered("outcomes", outcomes, facts.get("outcomes", [])),
                      *numbered("result", legal, facts.get("results", [])),
                      *numbered("tree", tree, facts.get("trees", [])),
                      *setup(facts.get("setup", {}))]
    }))


if __name__ == "__main__":
    main()
