#!/usr/bin/env python3
"""Writes tests/facts/martian-chaturaji.json: convert/martian_chaturaji.py FACTS.json > ...

FACTS.json has positions as lists of pieces by army, and for each what single dice allow
("actions"), the number of turns that a roll allows ("turn_count"), and what follows actions played
one after the other ("played"). All but the position and who is to move may be missing; whose dice
are rolled then follows from the position. A list of actions becomes the list of moves after a
double, which allows what one die allows. Whose dice are rolled is told by the variable `dice` after
a one has been rolled with each.
"""
import json
import re
import sys

from form import about, option_words, written

GAME = "icehouse/martian-chaturaji.game"
ARMIES = ("blue", "red", "green", "yellow")
KINDS = "MPRS"
OPTIONS = {"start": ("Start", {"roll": "Roll", **{army: army.capitalize() for army in ARMIES}}),
           "same_piece_twice": ("SamePieceTwice", None), "double_step": ("DoubleStep", None),
           "promote_to_monarch": ("PromoteToMonarch", None), "quiet_limit": ("QuietLimit", int)}
THRONES = {"blue": "f1", "red": "a3", "green": "c8", "yellow": "h6"}


def pieces(position, army):
    return (position.get(army) or "").split()


def text(position, mover=None):
    """Pieces by army as a position text. Without a mover it is left open who is to move."""
    cells = {piece[1:]: f"{piece[0]}{number}" for number, army in enumerate(ARMIES, 1)
             for piece in pieces(position, army)}
    rows = [" ".join(cells.get(f"{file}{rank}", ".") for file in "abcdefgh")
            for rank in range(8, 0, -1)]
    return "\n".join(rows + ([f"mover: {mover.capitalize()}"] if mover else []))


def winner(step):
    """The ranks that a step tells, if it does."""
    if "winner" not in step:
        return {}
    if not step["winner"]:
        return {"result": None}
    if step["winner"] == "draw":
        return {"result": [1] * 4}
    return {"result": [1 if army in step["winner"] else 2 for army in ARMIES]}


def rollers(position, mover):
    """MJ-30 to MJ-32: the armies whose dice the mover rolls."""
    def monarch(army):
        return [piece[1:] for piece in pieces(position, army) if piece[0] == "M"]
    partner = ARMIES[(ARMIES.index(mover) + 2) % 4]
    awake = monarch(mover) or THRONES[mover] in monarch(partner)
    commanded = [army for army in ARMIES if not monarch(army) and THRONES[army] in monarch(mover)]
    return ([mover] if awake else []) + commanded[:1]


def rolled(armies, rolls):
    """The player's own dice are thrown before those of the army under command."""
    return [f"{{{value}}}" for army in armies for value in rolls[army]]


def doubles(armies, value=1):
    return rolled(armies, {army: (value, value) for army in armies})


def dice_of(armies, value=1):
    """What `dice` holds after doubles of these armies: nothing for the others."""
    return {f"dice[{army.capitalize()}, {value}]": 2 * (army in armies) for army in ARMIES}


class Turn:
    """A part of what was played: the steps of one player, and the step that ended it,
    if one did."""

    def __init__(self, mover, armies, position):
        self.mover = mover
        self.armies = armies
        self.position = position
        self.steps = []
        self.end = None

    def dice(self):
        """Two values for each army: those of its actions, the rest fours."""
        values = {army: [] for army in self.armies}
        position = self.position
        for step in self.steps:
            if "action" in step:
                values[owner(step["action"], position)].append(kind_value(step["action"]))
            position = step.get("position", position)
        return {army: (thrown + [4, 4])[:2] for army, thrown in values.items()}

    def is_over(self, number):
        """Whether no die is left after so many steps, and nothing to bring back:
        then the next turn begins."""
        return (sum("action" in step for step in self.steps[:number]) == 2 * len(self.armies)
                and not any("return" in step for step in self.steps[number:]))


class Fact:
    def __init__(self, number, fact):
        self.fact = fact
        self.said = {"id": f"fact-{number}", **about(fact)}
        self.mover = fact["to_move"]
        self.start = text(fact["position"], self.mover)
        self.armies = (fact["rolls_for"] if "rolls_for" in fact
                       else rollers(fact["position"], self.mover))
        self.options = option_words(fact.get("options"), OPTIONS)

    def made(self, part, play, **more):
        return {**self.said, "id": f"{self.said['id']}-{part}",
                **({"options": self.options} if self.options else {}),
                "text": self.start, "play": play, **more}

    def positions(self):
        if self.armies:
            yield self.made("rolls", doubles(self.armies), values=dice_of(self.armies))
            yield from self.lists()
        for roll, count in self.fact.get("turn_count", {}).items():
            values = {army: numbers.split(",")
                      for army, numbers in re.findall(r"([a-z]+)([\d,]+)", roll)}
            yield self.made(f"turns-{roll}", rolled(self.armies, values), perft=[count])
        yield from self.played()

    def lists(self):
        """All actions of a double where the fact has them for each army, else those that it has."""
        actions = self.fact.get("actions", {})
        for value in range(1, 5):
            there = [army for army in self.armies if f"{army}{value}" in actions]
            moves = [f"{army.capitalize()}{value}:{action}"
                     for army in there for action in actions[f"{army}{value}"]]
            if there:
                said = ({"legal": moves + ["end"]} if there == list(self.armies)
                        else {"includes": moves})
                yield self.made(f"dice-{value}", doubles(self.armies, value), **said)

    def turns(self):
        """What was played, turn by turn."""
        turn = Turn(self.mover, self.armies, self.fact["position"])
        for step in self.fact.get("played", []):
            if "end" not in step:
                turn.steps.append(step)
                continue
            turn.end = step
            yield turn
            position = next((step["position"] for step in reversed(turn.steps)
                             if "position" in step), turn.position)
            following = step.get("to_move", ARMIES[(ARMIES.index(turn.mover) + 1) % 4])
            turn = Turn(following,
                        step["rolls_for"] if "rolls_for" in step else rollers(position, following),
                        position)
        yield turn

    def played(self):
        """Dice for all actions of a turn are thrown before them:
        an army's are the kinds of its pieces that move."""
        play = []
        for number, turn in enumerate(self.turns()):
            # A turn that is skipped is over before anyone can look at it.
            if number and turn.armies:
                yield self.made(f"turn-{number}", play + doubles(turn.armies),
                                values=dice_of(turn.armies),
                                after={"text": text(turn.position, turn.mover)})
            play += rolled(turn.armies, turn.dice())
            yield from self.actions(turn, play, f"played-{number}")
            if turn.end and turn.armies and not turn.is_over(len(turn.steps)):
                play.append("end")
            if turn.end and turn.end.get("winner"):
                yield self.made(f"end-{number}", list(play), **winner(turn.end))

    def actions(self, turn, play, name):
        """The steps of a turn; `play` grows with them."""
        position = turn.position
        for index, step in enumerate(turn.steps, 1):
            play.append(move(step["action"], position) if "action" in step
                        else step["return"].capitalize())
            position = step.get("position", position)
            result = winner(step)
            offered = bool(step.get("exchange"))
            mover = (None if turn.is_over(index) and not offered or result.get("result")
                     else turn.mover)
            after = ({"after": {"text": text(position, mover), **result}}
                     if "position" in step else {})
            yield self.made(f"{name}-{index}", list(play), **result, **after)
            if offered:
                yield from self.exchange(step["exchange"], play, f"{name}-{index}")
                returns = [later["return"].split()[0].capitalize()
                           for later in turn.steps[index:] if "return" in later]
                if index < len(turn.steps) or turn.end:
                    play.append(f"{returns[0]} first" if returns and "return" in turn.steps[index]
                                else "no exchange")
            elif "action" in step and not turn.is_over(index) and result == {"result": None}:
                # No exchange is offered.
                yield self.made(f"{name}-{index}-goes-on", list(play), includes=["end"])

    def exchange(self, squares, play, name):
        armies = [army.capitalize() for army in squares]
        yield self.made(f"{name}-exchange", list(play),
                        legal=[f"{army} first" for army in armies] + ["no exchange"])
        for army in squares:
            yield self.made(f"{name}-exchange-{army}", play + [f"{army.capitalize()} first"],
                            legal=[f"{army.capitalize()} {square}" for square in squares[army]])


def move(action, position):
    return f"{owner(action, position).capitalize()}{kind_value(action)}:{action}"


def kind_value(action):
    return KINDS.index(action[0]) + 1


def owner(action, position):
    piece = re.match(r"[A-Z][a-h]\d", action)[0]
    return next(army for army in ARMIES if piece in pieces(position, army))


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        facts = json.load(file).get("facts", [])
    sys.stdout.write(written({
        "game": GAME,
        "ignore": ["dice", "commanded", "fallen", "quiet"],
        "positions": [position for number, fact in enumerate(facts, 1)
                      for position in Fact(number, fact).positions()],
    }))


if __name__ == "__main__":
    main()
