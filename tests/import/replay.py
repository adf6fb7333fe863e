#!/usr/bin/env python3
"""Proves imported games of Ludii: follows random games that Ludii has played.

    java -cp LUDII tests/import/LudiiTrials.java LIST TRIALS 10 40
    tests/import/replay.py --list LIST --trials TRIALS [--ferz PATH] [--write FILE] [NAME ...]

LUDII is the user's own copy. LIST and the files in TRIALS are those of LudiiTrials.java. Each game
of LIST is imported; at every decision, the set of positions after the legal moves, the next player
and the end must be Ludii's, and at the end the result. A move is followed by all moves that lead to
the same position. Needs the Python module (./dev python). With --write FILE, the results replace
the table of games in that page (docs/import-results.md).
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter

import ferz
import numpy

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BEGIN = "<!-- games of Ludii: made by tests/import/replay.py -->"
END = "<!-- end -->"
FEW_STATES, MOST_STATES = 8, 64


class Mismatch(Exception):
    pass


def frozen(counter):
    """What a counter has, without what it has zero times."""
    return frozenset((key, count) for key, count in counter.items() if count)


def kind_name(text):
    """The name of a kind in a script."""
    text = ("" if text[:1].isalpha() else "x") + text
    return re.sub(r"[^A-Za-z0-9]", "_", text[:1].upper() + text[1:])


def column_name(number):
    name = ""
    while number:
        number, rest = divmod(number - 1, 26)
        name = chr(97 + rest) + name
    return name


class Trials:
    """What LudiiTrials.java has written."""

    def __init__(self, path):
        with open(path, encoding="utf-8", errors="replace") as file:
            self.lines = file.read().split("\n")
        self.failure = self.lines[0][5:] if self.lines[0].startswith("FAIL") else None
        self.pieces, self.labels, self.hands = {}, [], {}
        if self.failure:
            return
        self.players = int(self.lines[0].split("\t")[1])
        for line in self.lines:
            words = line.split(" ")
            if words[0] == "PIECE":
                self.pieces[int(words[1])] = (int(words[2]), kind_name(" ".join(words[3:])))
            elif words[0] == "HAND":
                self.hands[int(words[1])] = int(words[2]) - 1
            elif words[0] == "SITES":
                self.labels = words[1:]


class Replay:
    def __init__(self, script, trials):
        self.game = ferz.load(script)
        self.trials = trials
        names = [variable.name for variable in self.game.variables]
        self.has_hands = "hand" in names
        self.dice = [name for name in ("dice", "pips") if name in names]
        with open(script) as file:
            text = file.read()
        rhombus = re.search(r"hex_rhombus\((\d+)\)", text)
        self.stacks = "\nstacks up to" in text
        self.hand_sites = re.findall(r" (hand\d+): off;", text)
        self.sites = [site for site in self.game.sites if site not in self.hand_sites]
        self.has_seeds = "seeds" in names
        if self.has_seeds and "west" in self.sites:      # Ludii counts from the store in the west
            self.sites = ["west"] + [site for site in self.sites if site != "west"]
        if rhombus:       # Ludii's stands on a corner: its columns count the other way
            self.sites = []
            for label in trials.labels:
                letters, row = re.match(r"([A-Z]+)(\d+)$", label).groups()
                column = 0
                for letter in letters:
                    column = 26 * column + ord(letter) - 64
                self.sites.append(column_name(int(rhombus[1]) + 1 - column) + row)
        labels = [label.lower() for label in trials.labels]
        if sorted(labels) == sorted(self.sites):
            self.sites = labels               # a turned or merged board has another order
        self.swaps = '"swap" =>' in text
        self.swapped = False
        self.changes = {}
        if len(self.sites) != len(trials.labels):
            raise Mismatch(f"{len(self.sites)} sites, not {len(trials.labels)}")
        self.find_shown()

    def foreign(self, tokens, sign=1):
        """How many pieces there are where in a position of Ludii, or in a part of it."""
        made = Counter()
        for token in tokens:
            word, rest = token.split(":")
            what, count = [int(number) for number in rest.split(".")[:2]]
            site, (owner, kind) = int(word), self.trials.pieces[what]
            player = self.player(owner) if 0 < owner <= self.trials.players else -1
            on_board = site < len(self.sites)
            if self.has_seeds:
                key = self.sites[site] if on_board else ("hand", site - len(self.sites))
            elif not on_board and not self.hand_sites:
                key = ("hand", player)
            else:
                owner = self.trials.hands.get(site, site - len(self.sites))
                key = (self.sites[site] if on_board else f"hand{owner + 1}"
                       if len(self.hand_sites) > 1 else self.hand_sites[0], kind, player)
                count = count if self.stacks else 1
            made[key] += sign * count
        return made

    def change(self, difference):
        """What a move of Ludii changes."""
        key = (difference, self.swapped)
        if key not in self.changes:
            words = [word for word in difference.split() if word[1:]]
            change = self.foreign([word[1:] for word in words if word[0] == "+"])
            change.update(self.foreign([word[1:] for word in words if word[0] == "-"], -1))
            self.changes[key] = frozen(change)
        return self.changes[key]

    def player(self, number):
        """Ferz's number of a player of Ludii, where who swaps takes over the colour that was first:
        Ludii lets each colour go on, and Ferz each player."""
        return 2 - number if self.swapped else number - 1

    def find_shown(self):
        """The parts of an observation that say where pieces and seeds are, and the meaning of each
        of their numbers."""
        wanted = ["seeds", "store"] if self.has_seeds else ["pieces", "below"]
        if self.has_hands:
            wanted.append("hand")
        self.shown, self.meaning = [], []
        for feature in self.game.features:
            if feature.name in wanted:
                shape = feature.shape + feature.is_planes * (len(self.game.sites),)
                self.shown.append((feature.is_planes, slice(feature.first,
                                                            feature.first + feature.size)))
                self.meaning += [(feature.name, *index) for index in numpy.ndindex(shape)]

    def numbers(self, state):
        """The position of a state of Ferz."""
        seen = state.observe(0)
        return numpy.concatenate([seen.planes[part].ravel() if is_planes else seen.values[part]
                                  for is_planes, part in self.shown], dtype=numpy.int32)

    def own(self, before, after):
        """How many pieces there are more where, as foreign() says it."""
        made = Counter()
        for at in numpy.nonzero(before != after)[0]:
            name, *index = self.meaning[at]
            for sign, number in ((-1, int(before[at])), (1, int(after[at]))):
                if number:
                    key, count = self.piece(name, index, number)
                    made[key] += sign * count
        return made

    def piece(self, name, index, number):
        """What is where, and how often, by a number of an observation."""
        if name == "pieces":
            owner, kind, site = index
            owner = owner if owner < len(self.game.players) else -1
        elif name == "below":
            site, (kind, owner) = index[0], divmod(number - 1, len(self.game.players) + 1)
            owner -= 1
        else:
            return self.game.sites[index[0]] if name == "seeds" else \
                ("hand", index[0] if index else 0), number
        return (self.game.sites[site], self.game.kinds[kind].name, owner), 1

    def run(self):
        """The number of decisions that were compared."""
        decisions, ply, states, now, at = 0, 0, [], [], 0
        lines = self.trials.lines
        while at < len(lines):
            words = lines[at].split(" ")
            if words[0] == "POS":
                states, rolled, self.swapped = [self.game.start(chance="ask")], None, False
                ply = 0
                now = [word for word in words[2:] if word]
                nothing = numpy.zeros(len(self.meaning), numpy.int32)
                if self.own(nothing, self.numbers(states[0])) != self.foreign(now):
                    raise Mismatch("the first positions differ")
            elif words[0] == "ROLL":
                rolled = [int(word) for word in words[1:]]
            elif words[0] == "DEC":
                count = int(words[2])
                decisions += 1
                ply += 1
                now, states = self.decide(self.thrown(states, rolled), now,
                                          lines[at + 1:at + 1 + count], int(words[1]),
                                          (decisions, ply))
                rolled = None
                at += count
            elif words[0] == "OVER":
                ranks = [float(word) for word in words[2:]]
                self.compare_results(states[0], ranks[::-1] if self.swapped else ranks)
            at += 1
        return decisions

    def thrown(self, states, rolled):
        """The states in which the script waits for a move, after the throw that Ludii has made.
        Where it has none in its moves, because there is only a pass, all throws are followed."""
        if rolled is None or not any(state.waiting == "chance" for state in states):
            rolled = None
        while any(state.waiting == "chance" for state in states):
            after = []
            for state in states:
                if state.waiting != "chance":
                    after.append(state)
                    continue
                for outcome in state.outcomes:
                    after.append(state.copy().set_chance(outcome.value))
            states = after
        if rolled is None or not self.dice:
            return states
        return [state for state in states if self.shows(state, rolled)]

    def shows(self, state, rolled):
        shown = state.value(self.dice[0])
        return shown == sum(rolled) if isinstance(shown, int) else list(shown) == rolled

    @staticmethod
    def compare_results(state, theirs):
        def order(ranks):
            return [sorted(set(ranks)).index(rank) for rank in ranks]
        if not state.over:
            raise Mismatch("the game goes on")
        if len(theirs) > 1 and order(theirs) != order(list(state.ranks)):
            raise Mismatch(f"results {list(state.ranks)}, not {theirs}")

    @staticmethod
    def changed(now, difference):
        after = list(now)
        for word in difference.split():
            if word[1:] and word[0] == "-":
                after.remove(word[1:])
            elif word[1:]:
                after.append(word[1:])
        return after

    def decide(self, states, now, lines, mover, numbers):
        """Compares the positions after all moves by what they change. Where all go on."""
        number, number_of_move = numbers
        position = self.foreign(now)
        theirs, chosen, reached, swapped = set(), None, now, False
        for line in lines:
            head, _, difference = line[1:].partition(" ")
            before = self.swapped
            self.swapped = before or (self.swaps and number_of_move == 2 and
                                      not difference.strip())
            if self.swapped != before:      # all pieces change their owner
                change = self.foreign(now)
                change.subtract(position)
                change = frozen(change)
            else:
                change = self.change(difference)
            key = ("over" if head[0] == "E" else self.player(int(head)), change)
            theirs.add(key)
            if line[0] == "*":
                chosen, reached, swapped = key, self.changed(now, difference), self.swapped
            self.swapped = before
        good, problem = [], ""
        for state in states:
            if state.over or state.decider != self.player(mover):
                problem = f"decision {number}: over" if state.over else \
                          f"decision {number}: player {state.decider + 1}, not {mover}"
                continue
            ours = self.moves(state, position)
            if set(ours) == theirs:
                good += ours[chosen]
            else:
                problem = f"decision {number}: {len(ours)} positions, {len(theirs)} of Ludii, " \
                          f"{len(theirs & set(ours))} equal"
        if not good:
            raise Mismatch(problem)
        self.swapped = swapped
        if len(good) > FEW_STATES:          # many moves lead to states that are the same
            good = list({state.position(): state for state in good}.values())
        return reached, good[:MOST_STATES]

    def moves(self, state, position):
        """The states after all moves, by who goes on and what differs from Ludii's position."""
        before, made = self.numbers(state), {}
        ahead = self.own(numpy.zeros(len(self.meaning), numpy.int32), before)
        ahead.subtract(position)            # what the script did before, such as with a throw
        ahead = Counter(dict(frozen(ahead)))
        for move in state.moves:
            tried = state.copy().play(move)
            after = "over" if tried.over else \
                tried.mover if tried.waiting == "chance" else tried.decider
            change = self.own(before, self.numbers(tried))
            if ahead:
                change.update(ahead)
            made.setdefault((after, frozen(change)), []).append(tried)
        return made


def tokens_of(text):
    text = re.sub(r"//.*|/\*.*?\*/", "", text)
    return len(re.findall(r'"[^"]*"|\w+|[^\s\w]', text))


def forms_of(text, opening, closing):
    """The outermost parts between these brackets, each with the stars behind it. `(<` and `(>` are
    no brackets."""
    depth, begin, at = 0, 0, 0
    while at < len(text):
        if text[at] == '"':
            at = text.find('"', at + 1) % (len(text) + 1)
        elif text[at] == opening and (opening == "(" or text[at - 1] != "("):
            begin = at + 1 if depth == 0 else begin
            depth += 1
        elif text[at] == closing and (closing == ")" or text[at - 1] != "(") and depth:
            depth -= 1
            if depth == 0:
                yield text[begin:at], len(re.match(r"\s*(\**)", text[at + 1:])[1])
        at += 1


def chosen_items(options, wanted):
    """What stands for each <Tag:argument>, with the items of a ruleset or those of most stars."""
    values = {}
    for option in options:
        heading, tag = re.match(r'option\s+"([^"]*)"\s*<([^>]*)>', option).groups()
        rest = option[option.index("args:") + 5:]
        arguments = [name for name, _ in forms_of(rest[:rest.index("}")], "<", ">")]
        items = [(re.match(r'item\s+"([^"]*)"', item), item, stars)
                 for item, stars in forms_of(rest[rest.index("}") + 1:], "(", ")")]
        item = max(items, key=lambda row: (f"{heading}/{row[0][1]}" in wanted, row[2]))[1]
        for name, (value, _) in zip(arguments, forms_of(item, "<", ">")):
            values[f"<{tag}:{name}>"] = value
            values.setdefault(f"<{tag}>", value)
    return values


def tokens_of_game(path, heading):
    """The tokens of (game …) and of the file's definitions, with the values of a ruleset."""
    with open(path, encoding="utf-8", errors="replace") as file:
        forms = list(forms_of(re.sub(r"//.*", "", file.read()), "(", ")"))
    text = "\n".join(f"({form})" for form, _ in forms if re.match(r"(game|define)\b", form))
    rulesets = [ruleset for form, _ in forms if form.startswith("rulesets")
                for ruleset in forms_of(form, "(", ")")]
    named = [row for row in rulesets if f'"{heading}"' in row[0]] if heading else rulesets
    wanted = max(named, key=lambda row: row[1])[0] if named else ""
    values = chosen_items([form for form, _ in forms if form.startswith("option")],
                          re.findall(r'"([^"]*)"', wanted))
    for _ in range(5):
        text = re.sub(r"<[A-Z][^<>]*>", lambda tag: values.get(tag[0], tag[0]), text)
    return tokens_of(text)


def examine(ferz_path, path, heading, trials, folder):
    """The state of a game, and a remark."""
    script = os.path.join(folder, "script.game")
    name = f":{heading.partition('/')[2]}" if heading else ""
    made = subprocess.run([ferz_path, "import", path + name, "-O", script], text=True,
                          capture_output=True)
    if made.returncode:
        lines = made.stderr.strip().split("\n")
        return "refused", lines[0].partition("] ")[2][:100], None
    with open(script) as file:
        sizes = (tokens_of(file.read()), tokens_of_game(path, heading))
    if not os.path.exists(trials):
        return "translated", "no trials", sizes
    played = Trials(trials)
    if played.failure:
        return "translated", "no trials", sizes
    try:
        decisions = Replay(script, played).run()
        if not decisions:
            return "translated", "no trials", sizes
        return "proved", f"{decisions} decisions", sizes
    except Mismatch as problem:
        return "different", str(problem), sizes
    except (KeyError, ValueError):
        return "different", "the trials contradict themselves", sizes
    except ferz.Error as problem:
        return "different", str(problem).split("\n")[0][-100:], sizes
    finally:
        os.unlink(script)


def median(numbers):
    return sorted(numbers)[len(numbers) // 2] if numbers else 0


def page(results):
    states = [state for _, state, _, _ in results]
    proved = [sizes for _, state, _, sizes in results if state == "proved"]
    less = sum(ours < theirs for ours, theirs in proved)
    yield BEGIN
    yield ""
    yield f"{states.count('proved')} of {len(results)} games proved, " \
          f"{states.count('translated')} translated without trials, " \
          f"{states.count('different')} different, {states.count('refused')} refused."
    yield ""
    yield f"Proved scripts have a median of {median([ours for ours, _ in proved])} tokens. Their"
    yield f".lud files have {median([theirs for _, theirs in proved])} in the game and in the " \
          "definitions of the file,"
    yield f"without those that files share. {less} of the scripts are shorter."
    yield ""
    yield "| game | state | |"
    yield "| --- | --- | --- |"
    for name, state, remark, _ in results:
        if state != "refused":
            yield f"| {name} | {state} | {remark.replace('|', '/')} |"
    yield ""
    yield END


def write(path, results):
    with open(path) as file:
        text = file.read()
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    with open(path, "w") as file:
        file.write(before + "\n".join(page(results)) + after)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--list", required=True)
    parser.add_argument("--trials", required=True)
    parser.add_argument("--ferz", default=os.path.join(ROOT, "build/ferz"))
    parser.add_argument("--write")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    results = []
    with open(arguments.list) as file:
        rows = [line.rstrip("\n").split("\t") for line in file if line.strip()]
    with tempfile.TemporaryDirectory() as folder:
        for path, heading, trials in rows:
            name = os.path.basename(path)[:-len(".lud")]
            if arguments.names and name not in arguments.names:
                continue
            state, remark, sizes = examine(arguments.ferz, path, heading,
                                           os.path.join(arguments.trials, trials), folder)
            results.append((name, state, remark, sizes))
            if state != "refused":
                print(name, state, remark, flush=True)
    if arguments.write:
        write(arguments.write, sorted(results))
    return any(state == "different" for _, state, _, _ in results)


if __name__ == "__main__":
    sys.exit(main())
