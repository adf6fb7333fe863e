#!/usr/bin/env python3
"""Writes tests/facts/coaster-chaturanga.json: convert/coaster_chaturanga.py FACTS.json > that

FACTS.json gives positions (coasters, dots, pieces, held pieces, seat to move) with the first moves
of a turn, whole turns for a face of the die ("a2-a3 / AIM 1"), their number, positions after a
turn, and scores; and the live arrows of arrangements. Every field may be missing that a check can
do without. Of a turn Ferz asks one decision after the other, and "end" where the second half is
left out. Scores of a game that is not over are facts about the variant
tests/facts/games/coaster-chaturanga-ended.game, which ends it.
"""
import itertools
import json
import re
import sys

from form import about, option_words, written

GAME = "icehouse/coaster-chaturanga.game"
ENDED = "coaster-chaturanga-ended.game"
SEATS = ["SW", "SE", "NE", "NW"]
SIDES = (("SW", "NE"), ("SE", "NW"))
PORTALS = {"SW": "b2", "SE": "e2", "NE": "e5", "NW": "b5"}
COLOURS = {"G": "Green", "B": "Blue", "R": "Red", "Y": "Yellow"}
DOTS = ["outer", "right", "inner", "left"]
FACES = ("AIM", "DIG", "HOP", "SWAP", "TIP")
ORDERS = ["".join(order) for order in itertools.permutations("GBRY")]
OPTIONS = {"coasters": ("Coasters", {order.lower(): order for order in ORDERS}),
           "setup": ("Setup", {"fixed": "Fixed", "chosen": "Chosen"}), "jumping": ("Jumping", None),
           "aim_quarter_only": ("AimQuarterOnly", None), "dig_mandatory": ("DigMandatory", None),
           "max_turns": ("MaxTurns", int), "tiebreak": ("Tiebreak", None),
           "partners": ("Partners", None)}
# The published file counts turns in which HOP moves the piece that was entered in the same turn;
# CC-24 forbids them. Each piece that can be entered makes three of them, one for every other
# portal. (fact, face, its number): the number by CC-24.
CORRECTED = {("duty-enter", "HOP", 20): 14, ("duty-enter", "WILD", 86): 80,
             ("enter-choice", "HOP", 458): 452, ("enter-choice", "WILD", 1599): 1593}


def text(position, mover=None):
    """The text of a position; what has its variable's default is left out."""
    pieces = {piece[2:]: piece[:2] for piece in position.get("pieces", "").split()}
    lines = [" ".join(pieces.get(f"{file}{rank}", ".") for file in "abcdef")
             for rank in range(6, 0, -1)]
    lines += [f"coaster[{seat}] = {COLOURS[colour]}"
              for seat, colour in zip(SEATS, coasters(position)) if colour != "G"]
    lines += [f"dots = {position['dots']}"] if position.get("dots", "outer") != "outer" else []
    lines += [f"holder[{piece}] = {seat}"
              for seat, held in (position.get("held") or {}).items() for piece in held.split()]
    return "\n".join(lines + ([f"mover: {mover}"] if mover else []))


def coasters(position):
    return position.get("coasters", "GBRY")


def own_colour(position, seat):
    return coasters(position)[SEATS.index(seat)]


def base(fact, name):
    """What all facts of a position have; `why` names the rulings, which the failures print."""
    said = about(fact)
    position = fact["position"]
    options = option_words(fact.get("options"), OPTIONS)
    why = ", ".join(said.get("rulings", [])) + (f": {said['why']}" if "why" in said else "")
    return {"id": f"{fact['id']}/{name}", **({"why": why} if why else {}),
            "text": text(position, position["turn"]),
            **({"options": options} if options else {})}


def duty(fact):
    """Whether the turn begins with a duty; where the fact does not say, its first moves do: if the
    piece on the own portal can move it must, and so must an own piece enter that can."""
    if "duty" in fact:
        return fact["duty"]
    position = fact["position"]
    must = f"{PORTALS[position['turn']]}[-x]|enter {own_colour(position, position['turn'])}"
    return any(re.match(must, move) for move in fact["first_moves"])


def first_moves(fact):
    """What TIP adds to them is known: three arrangements, unless there is a duty.
    Without a move TIP is all there is."""
    dots = fact["position"].get("dots", "outer")
    tips = [f"TIP {other}" for other in DOTS if other != dots and not duty(fact)]
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


def face_of(words):
    """A face of the die that the turn fits. TIP, which can always be done, leaves a turn open after
    a move; a turn is passed where DIG has nothing to take."""
    if words == ["pass"]:
        return "DIG"
    if any(word.startswith("WILD:") for word in words):
        return "WILD"
    return next((face for word in words for face in FACES if word.startswith(face + " ")), "TIP")


def mover_after(fact, words, position):
    """Who is to move after these halves of a turn;
    None where that takes more than the text of the turn."""
    seat = fact["position"]["turn"]
    if len(words) == 1 and " " not in words[0] and words != ["pass"]:
        return seat
    following = SEATS[(SEATS.index(seat) + 1) % 4]
    colours = {piece[0] for piece in position.get("pieces", "").split()}
    done = len(words) == 2 or words == ["pass"]
    return following if done and own_colour(position, following) in colours else None


def after(fact, turn, position):
    words = turn.split(" / ")
    return {**base(fact, f"after {turn}"), "play": [f"{{{face_of(words)}}}", *words],
            "after": {"text": text(position, mover_after(fact, words, position))}}


def arrows(fact):
    """The moves of a pawn that stands there alone: along the arrows,
    and from one portal to the others."""
    given = fact.get("position", {})
    dots = fact.get("dots",
                    given.get("dots", next((dots for dots in DOTS if dots in fact["id"]), "outer")))
    for site, exits in fact["live_arrows"].items():
        exits = set(exits.split() if isinstance(exits, str) else exits)
        position = {"coasters": coasters(given), "dots": dots,
                    "pieces": coasters(given)[0] + f"1{site}", "turn": "SW"}
        others = set(PORTALS.values()) - {site} if site in PORTALS.values() else set()
        yield first_moves({**fact, "id": f"{fact['id']}/{site}", "position": position,
                           "duty": site == PORTALS["SW"],
                           "first_moves": sorted(f"{site}-{to}" for to in exits | others)})


def side_of(seat, names):
    """The side of a seat, as the names spell it: SW, or SW+NE."""
    return next((name for name in names if seat in name.split("+")), None)


def ranks(fact):
    """Equal totals share a rank, but tie-breakers part them: then the keys say how or, of the
    first, the winner. None for a rank that the fact does not tell."""
    options = option_words(fact.get("options"), OPTIONS)
    result, keys = fact.get("result") or {}, fact.get("ranking_keys")
    totals = result.get("totals") or fact["scores"]
    together = options.get("Partners") == "true"
    value = {}
    for seat in SEATS:
        members = next(side for side in SIDES if seat in side) if together else (seat,)
        named = {side_of(member, totals) for member in members}
        value[seat] = sum(totals[name] for name in named)
    if options.get("Tiebreak") == "true" and keys and not together:
        value = {seat: tuple(keys[seat]) for seat in SEATS}
    first = re.split(r"[ +]", result.get("winner") or "")
    found = []
    for seat in SEATS:
        rivals = [other for other in SEATS
                  if value[other] == value[seat] and not (together and same_side(seat, other))]
        rank = 1 + len({other_side(other, together)
                        for other in SEATS if value[other] > value[seat]})
        apart = options.get("Tiebreak") == "true" and len(rivals) > (0 if together else 1)
        found.append(rank if not apart or seat in first
                     else 2 if together and first != [""] else None)
    return found


def same_side(one, two):
    return any(one in side and two in side for side in SIDES)


def other_side(seat, together):
    return next(side for side in SIDES if seat in side) if together else seat


def scores(fact):
    """The score of each seat, and the ranks; of partners the ranks are those of two sides."""
    over = {} if fact.get("over") else {"game": ENDED}
    given = fact.get("scores") or {}
    score = {seat: given[seat] for seat in SEATS if seat in given}
    return {**base(fact, "over" if fact.get("over") else "score"), **over, "result": ranks(fact),
            **({"score": score} if score else {})}


def converted(fact):
    if "live_arrows" in fact:
        yield from arrows(fact)
    if "position" not in fact:
        return
    if fact.get("scores") or (fact.get("result") or {}).get("totals"):
        yield scores(fact)
    if fact.get("over"):
        yield {**base(fact, "nothing to do"), "legal": fact.get("first_moves", [])}
        return
    if "first_moves" in fact:
        yield first_moves(fact)
    for face, turns in fact.get("turns", {}).items():
        yield from whole_turns(fact, face, turns)
    for face, count in fact.get("turn_count", {}).items():
        yield {**base(fact, f"{face} count"), "play": [f"{{{face}}}"],
               "perft": [CORRECTED.get((fact["id"], face, count), count)]}
    for item in fact.get("after", []):
        yield after(fact, item["turn"], item["position"])


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        facts = json.load(file).get("facts", [])
    positions = [position for number, fact in enumerate(facts, 1)
                 for position in converted({"id": f"fact-{number}", **fact})]
    sys.stdout.write(written({"game": GAME, "ignore": ["score"], "positions": positions}))


if __name__ == "__main__":
    main()
