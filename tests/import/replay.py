#!/usr/bin/env python3
"""Proves imported games of Ludii: follows random games that Ludii has played.

    java -cp LUDII tests/import/LudiiTrials.java LIST TRIALS 100 10
    tests/import/replay.py --list LIST --trials TRIALS [--ferz PATH] [--seconds N]
                           [--write FILE] [NAME ...]

LUDII is the user's own copy. LIST and the files in TRIALS are those of LudiiTrials.java. Each game
of LIST is imported. At every decision, the player must be Ludii's, and a legal move must lead to
the position, the next player and the end that Ludii's move leads to; all moves that do so are
followed. Where Ludii has listed all moves, the sets of positions must be equal. If the numbers of
legal moves are equal wherever the sets were compared, they must be equal everywhere. At the end,
the result must be Ludii's. After N seconds of processor time, no further game of a file begins.
Needs the Python module (./dev python). With --write FILE, the results replace the rows of these
games in that page (docs/import-results.md). Without a NAME, they replace all rows.
"""
import argparse
import functools
import hashlib
import os
import re
import subprocess
import sys
import tempfile
import time

import ferz
import numpy
from ferz.library import ffi, lib

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BEGIN = "<!-- games of Ludii: made by tests/import/replay.py -->"
END = "<!-- end -->"
FEW_STATES, MOST_STATES = 8, 64
BITS = (1 << 64) - 1


class Mismatch(Exception):
    pass


@functools.lru_cache(None)
def weight(key):
    """A random number of 64 bits for a piece on a site, or for a seed. A position is the sum of its
    pieces, and so a difference is what a move changes."""
    return int.from_bytes(hashlib.blake2b(repr(key).encode(), digest_size=8).digest(), "big")


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
        if not rhombus and sorted(labels) == sorted(self.sites):
            self.sites = labels               # a turned or merged board has another order
        self.swaps = '"swap" =>' in text
        self.swapped = False
        self.changes = {}
        self.same_counts, self.other_counts = True, []
        if len(self.sites) != len(trials.labels):
            raise Mismatch(f"{len(self.sites)} sites, not {len(trials.labels)}")
        self.find_shown()

    def foreign(self, tokens):
        """The sum of the pieces in a position of Ludii, or in a part of it."""
        total = 0
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
            total += count * weight(key)
        return total & BITS

    def change(self, difference):
        """What a move of Ludii changes."""
        key = (difference, self.swapped)
        if key not in self.changes:
            words = [word for word in difference.split() if word[1:]]
            more, less = (self.foreign([word[1:] for word in words if word[0] == sign])
                          for sign in "+-")
            self.changes[key] = (more - less) & BITS
        return self.changes[key]

    def player(self, number):
        """Ferz's number of a player of Ludii, where who swaps takes over the colour that was first:
        Ludii lets each colour go on, and Ferz each player."""
        return 2 - number if self.swapped else number - 1

    def find_shown(self):
        """The parts of an observation that say where pieces and seeds are, and the weights of their
        numbers: those of seeds and of most pieces count, those of lower pieces name one."""
        wanted = ["seeds", "store"] if self.has_seeds else ["pieces", "below"]
        if self.has_hands:
            wanted.append("hand")
        self.shown = []
        for feature in self.game.features:
            if feature.name in wanted:
                shape = feature.shape + feature.is_planes * (len(self.game.sites),)
                part = slice(feature.first, feature.first + feature.size)
                numbers = range(1, len(self.game.kinds) * (len(self.game.players) + 1) + 1)
                weights = [[0] + [weight(self.piece(feature.name, index, number))
                                  for number in (numbers if feature.name == "below" else (1,))]
                           for index in numpy.ndindex(shape)]
                self.shown.append((feature.name, feature.is_planes, part,
                                   numpy.array(weights, numpy.uint64)))

    def sums(self, planes, values):
        """The positions of observations, each as the sum of its pieces."""
        total = numpy.zeros(len(planes), numpy.uint64)
        for name, is_planes, part, weights in self.shown:
            numbers = planes[:, part].reshape(len(planes), -1) if is_planes else values[:, part]
            if name == "below":
                total += weights[numpy.arange(len(weights)), numbers].sum(axis=1)
            else:
                total += numbers.astype(numpy.uint64) @ weights[:, 1]
        return [int(number) for number in total]

    def sum_of(self, state):
        seen = state.observe(0)
        return self.sums(seen.planes[None], seen.values[None])[0]

    def piece(self, name, index, number):
        """What is where, by a number of an observation."""
        if name == "pieces":
            owner, kind, site = index
            owner = owner if owner < len(self.game.players) else -1
        elif name == "below":
            site, (kind, owner) = index[0], divmod(number - 1, len(self.game.players) + 1)
            owner -= 1
        else:
            return self.game.sites[index[0]] if name == "seeds" else \
                ("hand", index[0] if index else 0)
        return self.game.sites[site], self.game.kinds[kind].name, owner

    def run(self, seconds):
        """What was compared: (whole games, games, decisions, decisions with all moves)."""
        end = time.process_time() + seconds
        whole, games, decisions, compared = 0, 0, 0, 0
        ply, states, now, rolled, at = 0, [], [], None, 0
        lines = self.trials.lines
        while at < len(lines):
            words = lines[at].split(" ")
            at += 1
            if words[0] == "POS":
                if games and time.process_time() > end:
                    break
                states, rolled, self.swapped = [self.game.start(chance="ask")], None, False
                games, ply = games + 1, 0
                now = [word for word in words[2:] if word]
                if self.sum_of(states[0]) != self.foreign(now):
                    raise Mismatch("the first positions differ")
            elif words[0] == "ROLL":
                rolled = [int(word) for word in words[1:]]
            elif words[0] in ("ALL", "ONE"):
                begin = at
                while at < len(lines) and lines[at][:1] in ("*", "-"):
                    at += 1
                ply += 1
                decisions += 1
                compared += words[0] == "ALL"
                place = f"game {games}, decision {ply}"
                now, states = self.decide(states, rolled, now, lines[begin:at], words, place)
                rolled = None
            elif words[0] == "OVER":
                ranks = [float(word) for word in words[2:]]
                self.compare_results(states[0], ranks[::-1] if self.swapped else ranks,
                                     f"game {games}, decision {ply}")
                whole += 1
        if self.same_counts and self.other_counts:
            raise Mismatch(self.other_counts[0])
        return whole, games, decisions, compared

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
    def compare_results(state, theirs, place):
        def order(ranks):
            return [sorted(set(ranks)).index(rank) for rank in ranks]
        if not state.over:
            raise Mismatch(f"{place}: the game goes on")
        if len(theirs) > 1 and order(theirs) != order(list(state.ranks)):
            raise Mismatch(f"{place}: results {list(state.ranks)}, not {theirs}")

    @staticmethod
    def changed(now, difference):
        after = list(now)
        for word in difference.split():
            if word[1:] and word[0] == "-":
                after.remove(word[1:])
            elif word[1:]:
                after.append(word[1:])
        return after

    def decide(self, states, rolled, now, lines, words, place):
        """Compares the positions after all moves, or after the chosen one, by what they change.
        Where all go on."""
        mover, count = int(words[1]), int(words[2])
        thrown = any(state.waiting == "chance" for state in states)
        states = self.thrown(states, rolled)
        position = self.foreign(now) if thrown or self.swaps else None
        theirs, chosen, reached, swapped = set(), None, now, False
        for line in lines:
            head, _, difference = line[1:].partition(" ")
            before = self.swapped
            self.swapped = before or (self.swaps and place.endswith(" decision 2") and
                                      not difference.strip())
            if self.swapped != before:      # all pieces change their owner
                change = (self.foreign(now) - position) & BITS
            else:
                change = self.change(difference)
            key = ("over" if head[0] == "E" else self.player(int(head)), change)
            theirs.add(key)
            if line[0] == "*":
                chosen, reached, swapped = key, self.changed(now, difference), self.swapped
            self.swapped = before
        good, counts, problem = [], set(), ""
        for state in states:
            if state.over or state.decider != self.player(mover):
                problem = f"{place}: over" if state.over else \
                          f"{place}: player {state.decider + 1}, not {mover}"
                continue
            ours = self.moves(state, position, thrown)
            if set(ours) == theirs if words[0] == "ALL" else chosen in ours:
                good += [self.played(state, move) for move in ours[chosen]]
                counts.add(sum(len(reaching) for reaching in ours.values()))
            else:
                problem = f"{place}: {len(ours)} positions, {len(theirs)} of Ludii, " \
                          f"{len(theirs & set(ours))} equal"
        if not good:
            raise Mismatch(problem)
        if count not in counts:
            self.same_counts = self.same_counts and words[0] == "ONE"
            self.other_counts.append(f"{place}: {min(counts)} moves, {count} of Ludii")
        self.swapped = swapped
        if len(good) > FEW_STATES:          # many moves lead to states that are the same
            good = list({state.position(): state for state in good}.values())
        return reached, good[:MOST_STATES]

    def moves(self, state, position, thrown):
        """The moves by who goes on and what differs from Ludii's position."""
        before, made = position if thrown else self.sum_of(state), {}
        for move, player, after in zip(*self.tried(state)):
            made.setdefault((player, (after - before) & BITS), []).append(move)
        return made

    def tried(self, state):
        """The legal moves, who goes on after each, and the position. It calls the library as State
        does, without an object for each move."""
        machine, listed = state._machine, state._list()
        moves = [lib.fz_moves_at(listed, i) for i in range(lib.fz_moves_count(listed))]
        scratch, pointer, after = state.copy(), ffi.new("fz_move *"), []
        planes = numpy.zeros((len(moves), self.game.planes, len(self.game.sites)), numpy.uint8)
        values = numpy.zeros((len(moves), self.game.values), numpy.int32)
        planes_at = ffi.cast("uint8_t *", ffi.from_buffer(planes))
        values_at = ffi.cast("int32_t *", ffi.from_buffer(values))
        for i, pointer[0] in enumerate(moves):
            lib.fz_state_copy(scratch._state, state._state)
            scratch._check(lib.fz_state_play(machine, scratch._state, pointer))
            scratch._check(lib.fz_state_observe(machine, scratch._state, 0, False,
                                                planes_at + i * planes[0].size,
                                                values_at + i * self.game.values))
            waiting = scratch.waiting
            after.append("over" if waiting == "over" else
                         scratch.mover if waiting == "chance" else scratch.decider)
        return moves, after, self.sums(planes, values)

    @staticmethod
    def played(state, move):
        reached, pointer = state.copy(), ffi.new("fz_move *", move)
        reached._check(lib.fz_state_play(reached._machine, reached._state, pointer))
        return reached


def tokens_of(text):
    """Without comments, and without what a .lud file has as metadata."""
    text = re.sub(r"^info \{\n.*?^\}", "", text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"//.*|/\*.*?\*/", "", text)
    return len(re.findall(r'""".*?"""|"[^"]*"|\w+|[-+*/|&<>=!]=|=>|\.\.|[^\s\w]', text, re.DOTALL))


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


def examine(ferz_path, path, heading, trials, folder, seconds):
    """The state of a game, and a remark."""
    script = os.path.join(folder, "script.game")
    names = subprocess.run([ferz_path, "import", "--list", path], text=True, capture_output=True)
    name = heading.partition("/")[2] or names.stdout.partition("\n")[0]
    made = subprocess.run([ferz_path, "import", f"{path}:{name}", "-O", script], text=True,
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
        whole, games, decisions, compared = Replay(script, played).run(seconds)
        if not compared:
            return "translated", "no trials", sizes
        return "proved", f"{whole} of {games} games to the end, {decisions} decisions, " \
            f"{compared} with all moves", sizes
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


def row_of(name, state, remark):
    return f"| {name} | {state} | {remark.replace('|', '/')} |"


def sizes_of(results):
    """What the page says about the number of tokens."""
    proved = [sizes for _, state, _, sizes in results if state == "proved"]
    less = sum(ours < theirs for ours, theirs in proved)
    return f"""\
Proved scripts have a median of {median([ours for ours, _ in proved])} tokens. Their .lud files
have {median([theirs for _, theirs in proved])} in the game and in the definitions of the file,
without those that files share. {less} of the scripts are shorter.
"""


def page(rows, count, sizes):
    """The table. `rows` are those of games that are not refused, of `count` games."""
    states = [row.split(" | ")[1] for row in rows]
    return f"""

{states.count('proved')} of {count} games proved, \
{states.count('translated')} translated without trials, \
{states.count('different')} different, {count - len(rows)} refused.

{sizes}
| game | state | |
| --- | --- | --- |
""" + "\n".join(rows) + "\n\n"


def write(path, results, count):
    """Games that were not examined keep their rows. The sizes are those of a run of all games."""
    with open(path) as file:
        before, begin, rest = file.read().partition(BEGIN)
    old, end, after = rest.partition(END)
    rows = {row.split(" | ")[0][2:]: row for row in re.findall(r"^\| .* \|$", old, re.M)[2:]}
    sizes = re.search(r"^Proved scripts .*?\n\n", old, re.M | re.S)[0][:-1]
    if len(results) == count:
        rows, sizes = {}, sizes_of(results)
    for name, state, remark, _ in results:
        rows.pop(name, None)
        if state != "refused":
            rows[name] = row_of(name, state, remark)
    with open(path, "w") as file:
        file.write(before + begin + page([rows[name] for name in sorted(rows)], count, sizes) +
                   end + after)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--list", required=True)
    parser.add_argument("--trials", required=True)
    parser.add_argument("--ferz", default=os.path.join(ROOT, "build/ferz"))
    parser.add_argument("--seconds", type=float, default=float("inf"))
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
                                           os.path.join(arguments.trials, trials), folder,
                                           arguments.seconds)
            results.append((name, state, remark, sizes))
            if state != "refused":
                print(name, state, remark, flush=True)
    if arguments.write:
        write(arguments.write, results, len(rows))
    return any(state == "different" for _, state, _, _ in results)


if __name__ == "__main__":
    sys.exit(main())
