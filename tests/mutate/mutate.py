#!/usr/bin/env python3
"""Makes one small mistake at a time in the rules of a script; lists those that no test finds.

    mutate.py [--ferz FERZ] [--seconds N] [--sample N] [--seed N] [--tests] [--again] [-v] SCRIPT...

mutations.py says which mistakes there are. Each one is run against the script's own tests, then
against its facts in tests/facts; judges.py says how. A mutation that does not compile is left out,
and so is one that gives the same compiled program, under the defaults and under every pair of the
options' values (of long lists, the first four). A mutation that survives points to a rule that no
test shows: write a test and see it fail under the mutation, or explain in explained.tsv why no test
can tell the difference. One that makes the tests or a fact take ten times as long is found.

Survivors after which random games are the same are marked `same games`: many of them play the same
game. Those marked `other games` need a test. -v asks this of those that are explained, too: either
other games are no other rules, or the reason is wrong.

A module of stdlib/ is run against the tests of the scripts that use it.

The results are kept in build/mutate: a run that was stopped goes on where it was. They hold until
the rules of the script change. Survivors are tried again when a test or a fact has changed.

settled.tsv lists the scripts that were run to the end without an open survivor, and the fingerprint
of their rules. Without scripts, those are run first that it does not list, then those whose rules
have changed since. --settled runs only those that it lists: ./dev soak does. --write adds to it
what a run has settled.

    --sample N   takes N mutations of each script, chosen by --seed
    --seconds N  stops after that time
    --tests      leaves out the facts, which take most of the time: lists what no test finds
    --list       runs nothing: lists the open survivors of earlier runs
    --again      forgets what is kept

The last line of a script counts. The exit code is 1 if a mutation survives without an explanation,
or if the tests of a script fail without any; what was not tried in time does not matter.

explained.tsv has the columns script, line, mutation and why, separated by tabs. The line is the
text of the line; blanks and comments in it do not matter. The mutation is `old -> new` as this
program prints it, or * for all mutations of the line.
"""
import argparse
import concurrent.futures
import hashlib
import json
import random
import sys
import threading
import time
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE.parent))
import mutations                                                            # noqa: E402
from judges import Judge                                                    # noqa: E402

# Those that pass the script's own tests are compared with the script as it is; if they are another
# program, the facts decide; of those that survive, random games are compared.
INVALID, SAME, KILLED = "invalid", "same", "killed"
PASSED, DIFFERENT, SURVIVED = "passed", "different", "survived"
QUIET, LOUD = "quiet", "loud"
OPEN = (PASSED, DIFFERENT, SURVIVED, QUIET, LOUD)         # until a test or a fact changes


def arguments():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n")[2].strip(),
                                     description=__doc__.split("\n")[0])
    parser.add_argument("scripts", nargs="*", metavar="SCRIPT",
                        help="a script in games/ or stdlib/, with or without .game")
    parser.add_argument("--ferz", default=str(ROOT / "build/ferz"),
                        help="the program (default build/ferz)")
    parser.add_argument("--seconds", type=float, default=float("inf"), metavar="N",
                        help="stop after N seconds")
    parser.add_argument("--sample", type=int, metavar="N", help="only N mutations of each script")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="which ones (default 1)")
    parser.add_argument("--jobs", type=int, default=2, metavar="N",
                        help="run N at a time (default 2)")
    parser.add_argument("--tests", action="store_true",
                        help="only the script's own tests, no facts")
    parser.add_argument("--settled", action="store_true",
                        help="only scripts that settled.tsv lists")
    parser.add_argument("--write", action="store_true", help="add settled scripts to settled.tsv")
    parser.add_argument("--list", action="store_true", help="only list what earlier runs have left")
    parser.add_argument("--again", action="store_true", help="forget the results of earlier runs")
    parser.add_argument("-v", "--verbose", action="store_true",
                        help="print explained survivors, too")
    return parser.parse_args()


def digest(*texts):
    found = hashlib.sha256()
    for text in texts:
        found.update(text.encode() + b"\0")
    return found.hexdigest()[:16]


class Mutant:
    """A mutation of a script, and words for it that hold when lines are added elsewhere, or the
    script is formatted in another way."""

    def __init__(self, mutation, source, seen):
        self.mutation = mutation
        old = " ".join(source[mutation.start:mutation.end].split())
        self.text = f"{old} -> {' '.join(mutation.text.split()) or 'nothing'}"
        begin = source.rfind("\n", 0, mutation.start) + 1
        self.line = source[begin:source.find("\n", mutation.start)].strip()
        self.key = key_of(self.line, self.text)
        seen[self.key] += 1
        if seen[self.key] > 1:
            self.text += f" ({seen[self.key]})"
            self.key = key_of(self.line, self.text)


def key_of(line, mutation):
    return f"{mutations.words(line)}\t{mutations.words(mutation)}"


def every_script():
    return [*sorted((ROOT / "games").rglob("*.game")), *sorted((ROOT / "stdlib").glob("*.game"))]


def script_path(name):
    """Of a script in games/ or stdlib/: the path, or its end, with or without .game."""
    end = "/" + name.removesuffix(".game") + ".game"
    found = [path for path in every_script() if str(path).endswith(end)]
    if len(found) != 1:
        many = "several scripts" if found else "no script"
        raise SystemExit(f"mutate.py: {name}: {many} of this name in games/ and stdlib/")
    return found[0]


def script_name(path):
    """As the tables write it: games/ is left out."""
    return str(path.relative_to(ROOT).with_suffix("")).removeprefix("games/")


def fact_texts(path):
    """What tests/facts says of the script."""
    name = f"{path.parent.name}/{path.name}"
    for file in sorted((ROOT / "tests/facts").glob("*.*")):
        text = file.read_text(encoding="utf-8")
        if file.suffix == ".tsv":
            yield from (line for line in text.split("\n") if line.startswith(name + "\t"))
        elif name in text:
            yield text
    for file in sorted((ROOT / "tests/facts/given").glob("*.json")):
        text = file.read_text(encoding="utf-8")
        if path.stem in file.stem or path.stem in text:
            yield text


class Subject:
    """A script under test, and the results that are known."""

    def __init__(self, path, args):
        self.path = path
        self.name = script_name(path)
        self.source = path.read_text(encoding="utf-8")
        self.args = args
        seen = Counter()
        self.mutants = [Mutant(mutation, self.source, seen)
                        for mutation in mutations.mutations(self.source)]
        if args.sample:
            number = min(args.sample, len(self.mutants))
            chosen = random.Random(args.seed).sample(range(len(self.mutants)), number)
            self.mutants = [self.mutants[index] for index in sorted(chosen)]
        self.explained = explanations(self.name)
        self.used = set()
        self.store = ROOT / "build/mutate" / f"{self.name.replace('/', '-')}.jsonl"
        self.rules = digest(mutations.rule_part(self.source))
        self.tests = digest(*(mutations.test_part(text) for text in self.testing_texts()))
        self.facts = digest(*fact_texts(path))
        self.lock = threading.Lock()
        self.judges, self.idle = [], []
        self.known, self.before = {}, {}
        if not args.again:
            self.recall()

    def testing_texts(self):
        """The scripts whose tests are run: of a module it may be any."""
        if self.path.parent != ROOT / "stdlib":
            return [self.source]
        scripts = [*every_script(), *sorted((ROOT / "tests/language").rglob("*.game"))]
        return [path.read_text(encoding="utf-8") for path in scripts]

    # ---- Results of earlier runs ----

    def recall(self):
        """What holds still. `before` says what is known of those whose tests must be run again."""
        lines = self.store.read_text(encoding="utf-8").split("\n") if self.store.exists() else []
        for rules, tests, said, key, outcome in map(json.loads, filter(None, lines)):
            if rules != self.rules:
                continue
            if outcome not in OPEN:
                self.known[key] = outcome
                continue
            if said != self.facts and outcome in (SURVIVED, QUIET, LOUD):
                outcome = DIFFERENT
            if tests == self.tests:
                self.known[key] = outcome
            else:
                self.known.pop(key, None)
                self.before[key] = outcome

    def keep(self, mutant, outcome):
        if outcome == PASSED:
            outcome = self.before.get(mutant.key, PASSED)
        with self.lock:
            self.known[mutant.key] = outcome
            self.store.parent.mkdir(parents=True, exist_ok=True)
            with self.store.open("a", encoding="utf-8") as file:
                row = [self.rules, self.tests, self.facts, mutant.key, outcome]
                file.write(json.dumps(row) + "\n")

    def complete(self):
        undecided = (PASSED,) if self.args.tests else (PASSED, DIFFERENT)
        return all(self.known.get(mutant.key, PASSED) not in undecided for mutant in self.mutants)

    def explanation(self, mutant):
        """The key of its reason, if it has one."""
        return next((found for found in (mutant.key, key_of(mutant.line, "*"))
                     if found in self.explained), None)

    # ---- Workers ----

    def try_one(self, mutant, judgement):
        with self.lock:
            judge = self.idle.pop() if self.idle else None
        if not judge:
            judge = Judge(self.args.ferz, self.path, self.source)
            self.judges.append(judge)
        if judge.sound:
            self.keep(mutant, judge.changed(mutant, lambda mutant: judgement(judge, mutant)))
        self.idle.append(judge)

    def sound(self):
        return all(judge.sound for judge in self.judges)

    def close(self):
        for judge in self.judges:
            judge.close()


def explanations(name):
    """{key: why} for a script."""
    return {key_of(line, mutation): why for script, line, mutation, why in rows("explained.tsv")
            if script == name}


def rows(name):
    """The columns of the lines of a table."""
    path = HERE / name
    for line in path.read_text(encoding="utf-8").split("\n") if path.exists() else []:
        if line and not line.startswith("#"):
            yield line.split("\t")


# ---- Scripts that are done ----

def settled():
    """{script: fingerprint of the rules that were settled}"""
    return {row[0]: row[1] for row in rows("settled.tsv")}


def chosen_scripts(args):
    """As named; or all, first those that were never settled, then those that have changed."""
    if args.scripts:
        return [script_path(name) for name in args.scripts]
    done = settled()

    def urgency(path):
        rules = digest(mutations.rule_part(path.read_text(encoding="utf-8")))
        return 0 if script_name(path) not in done else 1 if done[script_name(path)] != rules else 2

    paths = [path for path in every_script() if not args.settled or script_name(path) in done]
    return sorted(paths, key=urgency)


def settle(subject):
    """Writes a script's row into settled.tsv."""
    path = HERE / "settled.tsv"
    head = [line for line in path.read_text(encoding="utf-8").split("\n") if line.startswith("#")]
    counts = Counter(subject.known[mutant.key] for mutant in subject.mutants)
    table = {row[0]: row for row in rows("settled.tsv")}
    explained = sum(counts[outcome] for outcome in OPEN)
    table[subject.name] = [subject.name, subject.rules, *map(str, (
        len(subject.mutants) - counts[INVALID], counts[KILLED], counts[SAME], explained))]
    lines = head + ["\t".join(table[name]) for name in sorted(table)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


# ---- Runs ----

def run(subject, deadline):
    """Tries what is not known yet; False if the tests fail without any mutation."""
    stages = [(Judge.tested, None), (Judge.compared, PASSED), (Judge.checked, DIFFERENT),
              (Judge.plays, SURVIVED)]
    for judgement, undecided in stages[:2] if subject.args.tests else stages:
        todo = [mutant for mutant in subject.mutants if subject.known.get(mutant.key) == undecided
                and not (judgement == Judge.plays and not subject.args.verbose
                         and subject.explanation(mutant))]

        def one(mutant):
            if time.monotonic() < deadline and subject.sound():
                subject.try_one(mutant, judgement)

        with concurrent.futures.ThreadPoolExecutor(subject.args.jobs) as pool:
            for number, _ in enumerate(pool.map(one, todo), 1):
                if sys.stderr.isatty() and number % 10 == 0:
                    print(f"\r{subject.name}: {number} of {len(todo)}", end="", file=sys.stderr)
    if not subject.sound():
        print(f"{subject.name}: its own tests fail: they would find any mutation")
    return subject.sound()


def report(subject, verbose):
    """Lists what survives; returns the number of mutations that nobody has explained."""
    open_ones = 0
    for mutant in subject.mutants:
        if subject.known.get(mutant.key) in OPEN:
            entry = subject.explanation(mutant)
            subject.used.add(entry)
            open_ones += entry is None
            if entry is None or verbose:
                same = {QUIET: " (same games)", LOUD: " (other games)"}
                print(f"{subject.path.relative_to(ROOT)}:{mutant.mutation.line}: "
                      f"{mutant.text}{same.get(subject.known[mutant.key], '')}")
                print(f"    {mutant.line}")
                if entry:
                    print(f"    ({subject.explained[entry]})")
    counts = Counter(subject.known[mutant.key] for mutant in subject.mutants
                     if mutant.key in subject.known)
    missing = len(subject.mutants) - sum(counts.values())
    undecided = counts[PASSED] + counts[DIFFERENT]
    survived = sum(counts[outcome] for outcome in OPEN)
    said = [f"{len(subject.mutants)} mutations", f"{counts[INVALID]} do not compile",
            f"{counts[SAME]} give the same program", f"{counts[KILLED]} are found",
            f"{survived} survive ({survived - open_ones} explained)"]
    said += [f"{missing} not tried"] if missing else []
    said += [f"{undecided} of them not tried on facts"] if undecided else []
    print(f"{subject.name}: {', '.join(said)}")
    sys.stdout.flush()
    return open_ones


def outdated(subject):
    """Explanations of what does not survive, or is not there any more."""
    stale = sorted(set(subject.explained) - subject.used)
    for line, mutation in (entry.split("\t") for entry in stale):
        print(f"tests/mutate/explained.tsv: {subject.name}: does not survive: {mutation} in {line}")
    return len(stale)


def main():
    args = arguments()
    deadline = time.monotonic() + args.seconds
    wrong = 0
    for path in chosen_scripts(args):
        if time.monotonic() >= deadline:
            break
        subject = Subject(path, args)
        try:
            sound = args.list or run(subject, deadline)
        finally:
            subject.close()
        left = report(subject, args.verbose) + (not sound)
        if not args.sample and subject.complete():
            left += outdated(subject)
            if args.write and not left and not args.tests:
                settle(subject)
        wrong += left
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
