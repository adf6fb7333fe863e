#!/usr/bin/env python3
"""Writes tests/facts/martian-chess.json: convert/martian_chess.py FACTS.json > tests/facts/martian-chess.json

FACTS.json has facts with position (rows from the top rank, seat to move, captured points, last move or -), moves, perft,
options, and played: moves one after the other with the positions they lead to, and next_moves and result in the last.
"""
import json
import re
import sys

from form import written

GAME = "icehouse/martian-chess.game"
SEATS = {2: {"S": "South", "N": "North"}, 4: {seat: seat for seat in ("SW", "NW", "NE", "SE")}}
OPTIONS = {                                   # as the facts name them: as the script does
    "players": ("Players", {2: "Two", 4: "Four"}),
    "teams": ("Teams", {True: "true", False: "false"}),
    "edition": ("Edition", {"four": "FourKinds", "original": "Original"}),
    "setup": ("Setup", {"nine": "Nine", "text": "Text"}),
    "no_reverse": ("NoReverse", {"two-player": "TwoPlayer", "all": "All", "off": "Off"}),
    "tie": ("Tie", {"draw": "Draw", "ender": "Ender"}),
    "quiet_limit": ("QuietLimit", {}),
    "queen_guard": ("QueenGuard", {True: "true", False: "false"}),
    "field_promotion": ("FieldPromotion", {True: "true", False: "false"}),
}


def options(fact):
    found = {}
    for key, value in fact.get("options", {}).items():
        name, values = OPTIONS[key]
        found[name] = str(values.get(value, value))
    return found


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


def captured(position, players):
    return dict(zip(SEATS[players].values(), map(int, position.split()[2].split(","))))


def text(position, players):
    """The position text of a position of the facts."""
    rows, seat, _, last = position.split()
    lines = []
    for rank, row in zip(range(8, 0, -1), rows.split("/")):
        cells = "".join("." * int(char) if char.isdigit() else char for char in row)
        lines.append(" ".join(char if char == "." else cell(players, char, column, rank)
                              for column, char in enumerate(cells)))
    lines += [f"score[{name}] = {points}" for name, points in captured(position, players).items() if points]
    lines.append(f"mover: {SEATS[players][seat]}")
    if last != "-":
        lines.append(f"last: {last.replace('-', ' ')}")
    return "\n".join(lines)


def ranks(result, players):
    """Sides are seats, or teams written A+B; a tie that has a winner counts as one."""
    totals, winner = result["totals"], result["winner"]
    side_of = {seat: side for side in totals for seat in side.split("+")}
    best = max(totals.values())

    def rank(side):
        above = sum(total > totals[side] for total in totals.values())
        return above + 1 if totals[side] < best or winner == side or winner.startswith("draw") else 2
    return [rank(side_of[seat]) for seat in SEATS[players]]


def converted(fact):
    """The position itself, then what its moves lead to."""
    players = fact.get("options", {}).get("players", 2)
    common = {"rulings": fact["cites"], "text": text(fact["position"], players)}
    if "note" in fact:
        common["why"] = fact["note"]
    if options(fact):
        common["options"] = options(fact)
    perft = [fact["perft"][depth] for depth in sorted(fact.get("perft", {}), key=int)]
    yield {"id": fact["id"], **common, "legal": fact["moves"], "count": fact["move_count"],
           **({"perft": perft} if perft else {})}
    played = fact.get("played", [])
    for number, step in enumerate(played, 1):
        last = number == len(played)
        result = ranks(fact["result"], players) if last and "result" in fact else None
        yield {"id": f"{fact['id']}-{number}", **common, "play": [before["move"] for before in played[:number]],
               "after": {"text": re.sub(r"\nlast:.*", "", text(step["position"], players)), "result": result},
               "result": result, "score": captured(step["position"], players),
               **({"legal": fact["next_moves"]} if last and "next_moves" in fact else {})}


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        facts = json.load(file)["facts"]
    sys.stdout.write(written({"game": GAME, "ignore": ["quiet"],
                              "positions": [position for fact in facts for position in converted(fact)]}))


if __name__ == "__main__":
    main()
