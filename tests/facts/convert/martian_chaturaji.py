#!/usr/bin/env python3
"""Writes tests/facts/martian-chaturaji.json: convert/martian_chaturaji.py FACTS.json > ...

FACTS.json has positions as lists of pieces by army, and for each what single dice allow ("actions"), the number
of turns that a roll allows ("turn_count"), and what follows actions played one after the other ("played").
A list of actions becomes the list of moves after a double, which allows what one die allows. Whose dice are
rolled is told by the variable `dice` after a one has been rolled with each.
"""
import json
import re
import sys

from form import written

GAME = "icehouse/martian-chaturaji.game"
ARMIES = ("blue", "red", "green", "yellow")
KINDS = "MPRS"
OPTIONS = {"same_piece_twice": "SamePieceTwice", "double_step": "DoubleStep", "promote_to_monarch": "PromoteToMonarch"}
RESULTS = {None: None, "blue+green": [1, 2, 1, 2], "red+yellow": [2, 1, 2, 1]}


def text(position, mover):
    """Pieces by army as a position text."""
    cells = {piece[1:]: f"{piece[0]}{number}" for number, army in enumerate(ARMIES, 1)
             for piece in position[army].split()}
    rows = [" ".join(cells.get(f"{file}{rank}", ".") for file in "abcdefgh") for rank in range(8, 0, -1)]
    return "\n".join([*rows, f"mover: {mover.capitalize()}"])


def rolled(armies, rolls):
    """The player's own dice are thrown before those of the army under command."""
    return [f"{{{value}}}" for army in armies for value in rolls[army]]


def doubles(armies, value=1):
    return rolled(armies, {army: (value, value) for army in armies})


def dice_of(armies, value=1):
    """What `dice` holds after doubles of these armies: nothing for the others."""
    return {f"dice[{army.capitalize()}, {value}]": 2 * (army in armies) for army in ARMIES}


class Fact:
    def __init__(self, fact):
        self.fact = fact
        self.start = text(fact["position"], fact["to_move"])
        self.armies = fact["rolls_for"]
        self.options = {OPTIONS[name]: str(value).lower() for name, value in fact["options"].items()}

    def said(self, part, play, **more):
        return {"id": f"{self.fact['id']}-{part}", "rulings": self.fact["cites"], "options": self.options,
                "text": self.start, "play": play, **more}

    def positions(self):
        if self.armies:
            yield self.said("rolls", doubles(self.armies), values=dice_of(self.armies))
        if "actions" in self.fact:
            yield from self.lists()
        for roll, count in self.fact.get("turn_count", {}).items():
            values = {army: numbers.split(",") for army, numbers in re.findall(r"([a-z]+)([\d,]+)", roll)}
            yield self.said(f"turns-{roll}", rolled(self.armies, values), perft=[count])
        if "played" in self.fact:
            yield from self.played()

    def lists(self):
        for value in range(1, 5):
            if all(f"{army}{value}" in self.fact["actions"] for army in self.armies):
                legal = [f"{army.capitalize()}{value}:{action}" for army in self.armies
                         for action in self.fact["actions"][f"{army}{value}"]]
                yield self.said(f"dice-{value}", doubles(self.armies, value), legal=legal + ["end"])

    def played(self):
        """Dice for all actions of a turn are thrown before them: an army's are the kinds of its pieces that move."""
        steps, play = list(self.fact["played"]), []
        position, mover, armies = self.fact["position"], self.fact["to_move"], self.armies
        for index, step in enumerate(steps):
            if index == 0 and armies:
                play += rolled(armies, self.dice(steps, position))
            if "action" in step:
                play.append(self.move(step["action"], position))
            elif "return" in step:
                play.append(step["return"].capitalize())
            elif "end" in step:
                play += ["end"] if armies else []
                mover, armies = step["to_move"], step["rolls_for"]
                if armies:                           # a turn that is skipped is over before anyone can look at it
                    yield self.said(f"played-{index}", play + doubles(armies), values=dice_of(armies),
                                    after={"text": text(position, mover)})
                    play = play + doubles(armies)
                continue
            position = step["position"]
            winner = RESULTS[step.get("winner")]
            after = {"text": text(position, mover), "result": winner}
            yield self.said(f"played-{index}", list(play), result=winner, after=after)
            if step.get("exchange"):
                first, second = (step["return"].split()[0].capitalize() for step in steps[index + 1:index + 3])
                yield self.said(f"exchange-{index}", list(play), legal=[f"{first} first", f"{second} first", "no exchange"])
                for army, squares in step["exchange"].items():
                    yield self.said(f"exchange-{index}-{army}", play + [f"{army.capitalize()} first"],
                                    legal=[f"{army.capitalize()} {square}" for square in squares])
                play.append(f"{first} first")
            elif "action" in step and not winner:    # no exchange is offered: the turn goes on
                yield self.said(f"goes-on-{index}", list(play), includes=["end"])

    def dice(self, steps, position):
        """Two values for each army: those of its actions in this turn, the rest fours."""
        values = {army: [] for army in self.armies}
        for step in steps:
            if "end" in step:
                break
            if "action" in step:
                values[owner(step["action"], position)].append(kind_value(step["action"]))
                position = step["position"]
        return {army: (thrown + [4, 4])[:2] for army, thrown in values.items()}

    def move(self, action, position):
        return f"{owner(action, position).capitalize()}{kind_value(action)}:{action}"


def kind_value(action):
    return KINDS.index(action[0]) + 1


def owner(action, position):
    piece = re.match(r"[A-Z][a-h]\d", action)[0]
    return next(army for army in ARMIES if piece in position[army].split())


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        facts = json.load(file)
    sys.stdout.write(written({
        "game": GAME,
        "ignore": ["dice", "commanded", "fallen", "quiet"],
        "positions": [position for fact in facts["facts"] for position in Fact(fact).positions()],
    }))


if __name__ == "__main__":
    main()
