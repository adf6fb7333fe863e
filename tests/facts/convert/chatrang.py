#!/usr/bin/env python3
"""Writes tests/facts/chatrang.json: convert/chatrang.py FACTS.json > tests/facts/chatrang.json

FACTS.json has start_perft, positions (fen with board and side, moves in long algebraic notation, perft,
result, options) and moves_played. What changes is the names of the options: those of the script.
"""
import json
import sys

from form import written

GAME = "chess/chatrang.game"
OPTIONS = {                                   # as the facts name them: as the script does
    ("elephant", "alfil"): ("Elephant", "Alfil"),
    ("elephant_block", "enemy"): ("ElephantBlock", "Enemy"),
    ("farzin", "ferz"): ("Farzin", "Ferz"),
}
# A position in which the aim is already reached is none that a game can stand in: Ferz looks at `end` when
# a turn ends. Such a fact is kept as the move that leads there.
REACHED = {"bare": ("k7/2K5/8/8/8/8/1R6/1p6 w", "b2b1")}
KEPT = ("id", "why", "rulings", "fen", "moves", "perft", "move", "after", "result", "reason")


def converted(fact):
    kept = {key: fact[key] for key in KEPT if key in fact and (key != "reason" or fact[key])}
    if "options" in fact:
        kept["options"] = dict(OPTIONS[item] for item in fact["options"].items())
    return kept


def reached(fact):
    fen, move = REACHED[fact["id"]]
    return {**converted({key: fact[key] for key in ("id", "why", "rulings")}), "fen": fen, "move": move,
            "after": fact["fen"], "result": fact["result"], "reason": fact["reason"]}


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        facts = json.load(file)
    positions = [fact for fact in facts["positions"] if fact["id"] not in REACHED]
    ended = [fact for fact in facts["positions"] if fact["id"] in REACHED]
    start = {"id": "start-deep", "why": "counts from the initial position", "perft": facts["start_perft"]}
    sys.stdout.write(written({
        "game": GAME,
        "positions": [start] + [converted(fact) for fact in positions],
        "moves_played": [converted(fact) for fact in facts["moves_played"]] + [reached(fact) for fact in ended],
    }))


if __name__ == "__main__":
    main()
