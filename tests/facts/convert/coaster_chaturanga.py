#!/usr/bin/env python3
"""Writes tests/facts/coaster-chaturanga.json: convert/coaster_chaturanga.py FACTS.json > that

FACTS.json gives positions (coasters, dots, pieces, held pieces, seat to move) with the first moves of a turn,
whole turns for a face of the die ("a2-a3 / AIM 1"), their number, and positions after a turn; and the live arrows of
two arrangements. Of a turn Ferz asks one decision after the other, and "end" where the second half is left out.
"""
import json
import sys

from form import written

SEATS = ["SW", "SE", "NE", "NW"]
PORTALS = {"b2", "e2", "e5", "b5"}
COLOURS = {"G": "Green", "B": "Blue", "R": "Red", "Y": "Yellow"}
DOTS = ["outer", "right", "inner", "left"]
# The published file counts turns in which HOP moves the piece that was entered in the same turn; CC-24 forbids them. Each
# piece that can be entered makes three of them, one for every other portal. (fact, face, its number): the number by CC-24.
CORRECTED = {("duty-enter", "HOP", 20): 14, ("duty-enter", "WILD", 86): 80,
             ("enter-choice", "HOP", 458): 452, ("enter-choice", "WILD", 1599): 1593}
OPTIONS = {"jumping": "Jumping", "aim_quarter_only": "AimQuarterOnly", "dig_mandatory": "DigMandatory",
           "tiebreak": "Tiebreak", "partners": "Partners"}


def text(position, mover=None):
    """The text of a position; what has its variable's default is left out."""
    pieces = {piece[2:]: piece[:2] for piece in position["pieces"].split()}
    lines = [" ".join(pieces.get(f"{file}{rank}", ".") for file in "abcdef") for rank in range(6, 0, -1)]
    lines += [f"coaster[{seat}] = {COLOURS[colour]}" for seat, colour in zip(SEATS, position["coasters"]) if colour != "G"]
    lines += [f"dots = {position['dots']}"] if position["dots"] != "outer" else []
    lines += [f"holder[{piece}] = {seat}" for seat, held in position["held"].items() for piece in held.split()]
    return "\n".join(lines + [f"mover: {mover or position['turn']}"])


def base(fact, name):
    converted = {"id": f"{fact['id']}/{name}", "why": ", ".join(fact["cites"]), "text": text(fact["position"])}
    if fact["options"]:
        converted["options"] = {OPTIONS[key]: str(value).lower() for key, value in fact["options"].items()}
    return converted


def first_moves(fact):
    """What TIP adds to them is known: three arrangements, unless there is a duty."""
    tips = [f"TIP {dots}" for dots in DOTS if dots != fact["position"]["dots"] and not fact["duty"]]
    return {**base(fact, "first"), "play": ["{TIP}"], "legal": fact["first_moves"] + tips}


def whole_turns(fact, face, turns):
    """The first decision, and the second one after each answer that leaves one."""
    seconds = {}
    for turn in turns:
        first, *rest = turn.split(" / ")
        seconds.setdefault(first, []).extend(rest or ["end"])
    yield {**base(fact, face), "play": [f"{{{face}}}"], "legal": list(seconds)}
    for first, legal in seconds.items():
        if legal != ["end"]:
            yield {**base(fact, f"{face} {first}"), "play": [f"{{{face}}}", first], "legal": legal}


def after(fact, turn, position):
    """Any face that the turn fits and that leaves it open, so that nobody else is to move yet."""
    words = turn.split(" / ")
    face = words[0].split()[0] if " " in words[0] else "TIP"
    mover = SEATS[(SEATS.index(position["turn"]) + 1) % 4] if len(words) == 2 else None
    return {**base(fact, f"after {turn}"), "play": [f"{{{face}}}", *words], "after": {"text": text(position, mover)}}


def arrows(fact, site, exits):
    """The moves of a pawn that stands there alone: along the arrows, and from one portal to the others."""
    position = {"coasters": "GBRY", "dots": fact["id"].split("-")[1], "pieces": f"G1{site}", "held": {}, "turn": "SW"}
    moves = [f"{site}-{to}" for to in set(exits.split()) | (PORTALS - {site} if site in PORTALS else set())]
    return first_moves({**fact, "id": f"{fact['id']}/{site}", "options": {}, "position": position,
                        "duty": "clear" if site == "b2" else None, "first_moves": sorted(moves)})


def ranks(fact):
    """Equal totals share a rank."""
    totals = [fact["result"]["totals"][seat] for seat in SEATS]
    return [1 + sum(other > total for other in totals) for total in totals]


def converted(fact):
    if "live_arrows" in fact:
        yield from (arrows(fact, site, exits) for site, exits in fact["live_arrows"].items())
        return
    if fact["over"]:
        yield {**base(fact, "over"), "result": ranks(fact), "score": fact["scores"]}
    if "first_moves" in fact:
        yield first_moves(fact)
    for face, turns in fact.get("turns", {}).items():
        yield from whole_turns(fact, face, turns)
    for face, count in fact.get("turn_count", {}).items():
        yield {**base(fact, f"{face} count"), "play": [f"{{{face}}}"], "perft": [CORRECTED.get((fact["id"], face, count), count)]}
    for item in fact.get("after", []):
        yield after(fact, item["turn"], item["position"])


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        facts = json.load(file)["facts"]
    positions = [position for fact in facts for position in converted(fact)]
    sys.stdout.write(written({"game": "icehouse/coaster-chaturanga.game", "ignore": ["score"], "positions": positions}))


if __name__ == "__main__":
    main()
