#!/usr/bin/env python3
"""Writes tests/facts/martian-chess.json:
convert/martian_chess.py FACTS.json > tests/facts/martian-chess.json

FACTS.json has facts with position (rows from the top rank, seat to move, captured points, last move
or -), moves, their number, perft, options, and played: moves one after the other with the positions
they lead to, and next_moves and result in the last. All but the position may be missing.
"""
import json
import re
import sys

from form import about, option_words, written

GAME = "icehouse/martian-chess.game"
SEATS = {2: {"S": "South", "N": "North"}, 4: {seat: seat for seat in ("SW", "NW", "NE", "SE")}}
OPTIONS = {                                   # as the facts name them: as the script does
    "players": ("Players", {"2": "Two", "4": "Four", "two": "Two", "four": "Four"}),
    "teams": ("Teams", None),
    "edition": ("Edition", {"four": "FourKinds", "original": "Original"}),
    "setup": ("Setup", {"nine": "Nine", "text": "Text"}),
    "no_reverse": ("NoReverse", {"two-player": "TwoPlayer", "all": "All", "off": "Off"}),
    "tie": ("Tie", {"draw": "Draw", "ender": "Ender"}),
    "quiet_limit": ("QuietLimit", int),
    "queen_guard": ("QueenGuard", None),
    "field_promotion": ("FieldPromotion", None),
}


def holder(players, column, rank):
    """The number, from 0, of the seat in whose territory a square lies."""
    if players == 2:
        return 0 if rank <= 4 else 1
    return (0 if rank <= 4 else 1) if column < 4 else (3 if rank <= 4 else 2)


def cell(players, letter, column, rank):
    """A piece's sign names who has it."""
    seat = holder(players, column, rank)
    if players == 4:
        return f"{letter}{seat + 1}"
    return letter.lower() if seat else letter


def fields(position):
    """Rows, seat, points and last move; the last two may be missing."""
    rows, seat, *more = position.split()
    return rows, seat, more[0] if more else "-", more[1] if len(more) > 1 else "-"


def captured(position, players):
    points = fields(position)[2]
    return dict(zip(SEATS[players].values(), map(int, points.split(",")))) if points != "-" else {}


def text(position, players, mover=True):
    """The position text of a position of the facts."""
    rows, seat, _, last = fields(position)
    lines = []
    for rank, row in zip(range(8, 0, -1), rows.split("/")):
        cells = "".join("." * int(char) if char.isdigit() else char for char in row)
        lines.append(" ".join(char if char == "." else cell(players, char, column, rank)
                              for column, char in enumerate(cells)))
    lines += [f"score[{name}] = {points}"
              for name, points in captured(position, players).items() if points]
    lines += [f"mover: {SEATS[players][seat]}"] if mover else []
    lines += [f"last: {re.sub('[-x+]', ' ', last)}"] if last not in ("-", "pass") else []
    return "\n".join(lines)


def ranks(result, players):
    """Sides are seats, or teams written A+B; a tie that has a winner counts as one. None if the
    fact does not tell."""
    if not result.get("totals"):
        return [None] * players
    totals, winner = result["totals"], result.get("winner") or "draw"
    side_of = {seat: side for side in totals for seat in side.split("+")}
    best = max(totals.values())

    def rank(side):
        above = sum(total > totals[side] for total in totals.values())
        return (above + 1 if totals[side] < best or winner == side or winner.startswith("draw")
                else 2)
    return [rank(side_of[seat]) for seat in SEATS[players]]


def step(fact, common, number, players):
    """The position after so many of the moves that were played."""
    played = fact["played"]
    this, last = played[number - 1], number == len(played)
    over = bool(this.get("over")) or last and "result" in fact
    result = ranks(fact.get("result") or {}, players) if over else None
    found = {"id": f"{fact['id']}-{number}", **common,
             "play": [before["move"] for before in played[:number]], "result": result}
    if "position" in this:
        found["after"] = {
            "text": re.sub(r"\nlast:.*", "", text(this["position"], players, not over)),
            "result": result}
        found["score"] = captured(this["position"], players)
    if last and "next_moves" in fact:
        found["legal"] = fact["next_moves"]
    return found


def converted(number, fact):
    """The position itself, then what its moves lead to."""
    options = option_words(fact.get("options"), OPTIONS)
    players = 4 if options.get("Players") == "Four" else 2
    fact = {"id": f"fact-{number}", **fact}
    said = about(fact)
    name = said.pop("id")
    common = {**said, "text": text(fact["position"], players),
              **({"options": options} if options else {})}
    here = {"legal": fact.get("moves"), "count": fact.get("move_count"), "perft": fact.get("perft")}
    over = ({"result": ranks(fact["result"] or {}, players)}
            if "result" in fact and not fact.get("played") else {})
    yield {"id": name, **common, **{key: value for key, value in here.items() if value is not None},
           **over}
    for played in range(1, len(fact.get("played", [])) + 1):
        yield step(fact, common, played, players)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        facts = json.load(file).get("facts", [])
    sys.stdout.write(written({"game": GAME, "ignore": ["quiet"],
                              "positions": [position for number, fact in enumerate(facts, 1)
                                            for position in converted(number, fact)]}))


if __name__ == "__main__":
    main()
