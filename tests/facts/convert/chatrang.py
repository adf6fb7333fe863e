#!/usr/bin/env python3
"""Writes tests/facts/chatrang.json: convert/chatrang.py FACTS.json > tests/facts/chatrang.json

FACTS.json has start_perft, positions (fen with board and side, moves in long algebraic notation,
their number, perft, result, options) and moves_played; each may be missing, and so may every field
that a check can do without. What changes is the names of the options: those of the script.
"""
import json
import sys

from form import about, option_words, written

GAME = "chess/chatrang.game"
OPTIONS = {                                   # as the facts name them: as the script does
    "elephant": ("Elephant", {"jump-slide": "JumpSlide", "alfil": "Alfil", "dabbaba": "Dabbaba",
                              "silver": "Silver",
                              "bishop": "Bishop"}),
    "elephant_block": ("ElephantBlock", {"none": "Nothing", "enemy": "Enemy"}),
    "spare_elephant": ("SpareElephant", None),
    "farzin": ("Farzin", {"amazon": "Amazon", "ferz": "Ferz", "leap": "LeapingFerz",
                          "leaping-ferz": "LeapingFerz",
                          "ferz-with-one-first-leap": "LeapingFerz"}),
    "promotion": ("Promotion", {"same-move": "SameMove", "own-half-move": "OwnStep"}),
    "shahs": ("Shahs", {"crossed": "Crossed", "facing": "Facing"}),
    "stalemate": ("Stalemate",
                  {"win": "Wins", "wins": "Wins", "win-for-the-stalemated": "Wins", "loss": "Loses",
                   "loses": "Loses"}),
    "bare_king": ("BareKing", {"loses": "Loses", "loss": "Loses", "none": "Stays"}),
    "pawn_double_step": ("PawnDoubleStep", None),
    "shahs_leap": ("ShahLeap", None),
    "shah_leap": ("ShahLeap", None),
    "shah's_leap": ("ShahLeap", None),
}
KEPT = ("fen", "moves", "count", "perft", "move", "after", "result")


def converted(fact):
    options = option_words(fact.get("options"), OPTIONS)
    return {**about(fact), **{key: fact[key] for key in KEPT if key in fact},
            **({"options": options} if options else {}),
            **({"reason": fact["reason"]} if fact.get("reason") else {})}


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        facts = json.load(file)
    start = {"id": "start-deep", "why": "counts from the initial position",
             "perft": facts.get("start_perft")}
    sys.stdout.write(written({
        "game": GAME,
        "positions": ([start] if start["perft"] else [])
        + [converted(fact) for fact in facts.get("positions", [])],
        "moves_played": [converted(fact) for fact in facts.get("moves_played", [])],
    }))


if __name__ == "__main__":
    main()
