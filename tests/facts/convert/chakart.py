#!/usr/bin/env python3
"""Writes tests/facts/chakart.json: convert/chakart.py FACTS.json > tests/facts/chakart.json

FACTS.json has legal (fen and moves), outcomes (fen, move, distribution), results, trees (fen and expected numbers of
leaves) and setup. Its FENs have two fields more than Ferz knows: the flags, which become the variables shell and stealth,
and what the mover still owes, which becomes the turn that led there: a king steps on an egg, or a pawn on a mushroom.
"""
import json
import re
import sys

from form import written

GAME = "chess/chakart.game"
KINDS = {"q": "Queen", "r": "Rook", "n": "Knight", "b": "Bishop", "k": "King"}
EGGS = {name.lower(): name for name in ("KingBoo", "Koopa", "Toadette", "Chomp", "Daisy", "Bowser", "Luigi", "Waluigi")}
SQUARE = "[a-h][1-8]"


def cells(board):
    """{square: letter} of the first field of a FEN."""
    found = {}
    for rank, row in zip("87654321", board.split("/")):
        row = re.sub(r"\d", lambda number: "." * int(number[0]), row)
        found.update({file + rank: cell for file, cell in zip("abcdefgh", row) if cell != "."})
    return found


def text(board, side, flags, plies):
    """A position text."""
    rows = [" ".join(board.get(file + rank, ".") for file in "abcdefgh") for rank in "87654321"]
    spent = [f"{name}[{player}] = false" for (name, player), flag in zip(
        (("shell", "White"), ("stealth", "White"), ("shell", "Black"), ("stealth", "Black")), flags) if flag == "0"]
    return "\n".join(rows + spent + [f"mover: {'White' if side == 'w' else 'Black'}", f"turns: {int(plies) + 1}"])


def fields(fen):
    board, side, plies, flags, *owed = fen.split()
    return cells(board), side, re.search("[01]{4}", flags)[0], plies, owed[0] if owed else ""


def move_text(move):
    """Kinds are capitals in Ferz."""
    return re.sub(r"^[a-z](?=@)|(?<==)[a-z]$", lambda letter: letter[0].upper(), move)


def neighbours(square):
    return [file + rank for file in "abcdefgh" for rank in "12345678"
            if file + rank != square and abs(ord(file) - ord(square[0])) < 2 and abs(ord(rank) - ord(square[1])) < 2]


def before(board, side, owed):
    """The board as the turn began, and what was played since. A king has stepped on an egg and leaves nothing. A pawn
    that is carried to the last rank leaves a mushroom, which the fact does not have: it changes no answer there."""
    board = dict(board)
    if owed.startswith("promote:"):
        last, first = owed.split(":")[1], owed.split(":")[4]
        passed = last[0] + str((int(last[1]) + int(first[1])) // 2)
        board[first] = board.pop(last)
        board[passed] = "m"
        return board, [first + passed]
    king = next(square for square, cell in board.items() if cell == ("K" if side == "w" else "k"))
    origin = next(square for square in neighbours(king) if square not in board)
    board[origin] = board[king]
    board[king] = "e"
    effect, _, kind = owed.partition(":")
    return board, [origin + king, f"{{{EGGS[effect]}}}"] + ([f"{{{KINDS[kind]}}}"] if kind else [])


def position(fen):
    board, side, flags, plies, owed = fields(fen)
    played = []
    if owed:
        board, played = before(board, side, owed)
    return {"text": text(board, side, flags, plies), **({"play": played} if played else {})}


def owed_next(owed):
    """What all moves look like while this is owed."""
    effect, _, kind = owed.partition(":")
    return {"kingboo": f"{SQUARE}<>{SQUARE}", "daisy": rf"{SQUARE}\*?{SQUARE}(~|=.)?", "promote": "=.",
            "toadette": f"{kind.upper()}@{SQUARE}"}[effect]


def end(outcome):
    board, side, flags, plies, owed = fields(outcome["fen"])
    return {"p": outcome["p"], "text": text(board, side, flags, plies), **({"next": owed_next(owed)} if owed else {}),
            "result": None if outcome["result"] == "*" else outcome["result"]}


def about(fact):
    return {key: fact[key] for key in ("id", "why", "rulings") if key in fact}


def legal(fact):
    return {**about(fact), **position(fact["fen"]), "legal": [move_text(move) for move in fact["moves"]]}


def outcomes(fact):
    given = {"given": [EGGS[fact["given_egg"]]]} if "given_egg" in fact else {}
    return {**about(fact), **position(fact["fen"]), "outcomes": [
        {"move": move_text(fact["move"]), **given, "distribution": [end(item) for item in fact["outcomes"]]}]}


def result(number, fact):
    return {"id": f"result-{number}", "rulings": fact["rulings"], **position(fact["fen"]),
            "result": None if fact["result"] == "*" else fact["result"]}


def tree(number, fact):
    """The numbers for three decisions take thousands of positions; the script's own tests have them."""
    return {"id": f"tree-{number}", **position(fact["fen"]), "expected": fact["expected"][:2]}


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        facts = json.load(file)
    sys.stdout.write(written({
        "game": GAME,
        "positions": [legal(fact) for fact in facts["legal"]] + [outcomes(fact) for fact in facts["outcomes"]]
        + [result(number, fact) for number, fact in enumerate(facts["results"], 1)]
        + [tree(number, fact) for number, fact in enumerate(facts["trees"], 1)]
    }))


if __name__ == "__main__":
    main()
