#!/usr/bin/env python3
"""Makes one small mistake at a time in the rules of a script; lists those that no test finds.

    mutate.py [--ferz FERZ] [--seconds N] [--sample N] [--seed N] [--tests] [--again] [-v] SCRIPT...

mutations.py says which mistakes there are. Each one is run against the script's own tests, then
against its facts in tests/facts. A mutation that does not compile is left out, and so is one that
gives the same compiled program, under the defaults and under every pair of the options' values
(of long lists, the first four). A mutation that survives points to a rule that no test shows:
write a test and see it fail under the mutation, or explain in explained.tsv why no test can tell
the difference. A mutation whose run takes too long is run again alone, with more time. If that is
not enough either, it has the outcome `timeout`, and needs a test or an explanation, too. Without
scripts, the five games with numbered rulings are run.

The results are kept in build/mutate: a run that was stopped goes on where it was. They hold until
the rules of the script change. Survivors are tried again when a test or a fact has changed.

    --sample N   takes N mutations of each script, chosen by --seed
    --seconds N  stops after that time
    --tests      leaves out the facts, which take most of the time: lists what no test finds
    --again      forgets what is kept

The last line counts. The exit code is 1 if a mutation survives or times out without an
explanation.

explained.tsv has the columns script, line, mutation and why, separated by tabs. The line is the
text of the line without blanks around it. The mutation is `old -> new` as this program prints it,
or * for all mutations of the line.
"""
import argparse
import concurrent.futures
import hashlib
import itertools
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE.parent))
from runner import facts                                                 # noqa: E402
from runner.common import Context, settings                                 # noqa: E402
import mutations                                                         # noqa: E402

RULED = ("chess/chakart", "chess/chatrang", "icehouse/coaster-chaturanga",
         "icehouse/martian-chaturaji", "icehouse/martian-chess")
TIME_LIMIT = 20         # seconds for one run of ferz: a mistake may make a game endless
LONG_TIME_LIMIT = 120   # for those that took longer: they run alone
MOST_VALUES = 4         # of an option, that are compared
# Those that pass the script's own tests are compared with the script as it is; if they are another
# program, the facts decide.
INVALID, SAME, KILLED, TIMEOUT = "invalid", "same", "killed", "timeout"
PASSED, DIFFERENT, SURVIVED = "passed", "different", "survived"
OPEN = (PASSED, DIFFERENT, SURVIVED, TIMEOUT)       # until a test or a fact changes


def arguments():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n")[2].strip(),
                                     description=__doc__.split("\n")[0])
    parser.add_argument("scripts", nargs="*", metavar="SCRIPT",
                        help="a script in games/, with or without .game")
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
    parser.add_argument("--again", action="store_true", help="forget the results of earlier runs")
    parser.add_argument("-v", "--verbose", action="store_true",
                        help="print explained survivors, too")
    return parser.parse_args()


def digest(*texts):
    found = hashlib.sha256()
    for text in texts:
        found.update(text.encode() + b"\0")
    return found.hexdigest()[:16]


class TooLong(Exception):
    """A run of ferz was stopped."""


class Stopping(Context):
    """A context in which a run that takes too long raises TooLong."""

    def command(self, *args, **more):
        output = super().command(*args, **more)
        if output.late:
            raise TooLong
        return output


class Mutant:
    """A mutation of a script, and words for it that hold when lines are added elsewhere."""

    def __init__(self, mutation, source, seen):
        self.mutation = mutation
        old = " ".join(source[mutation.start:mutation.end].split())
        self.text = f"{old} -> {' '.join(mutation.text.split()) or 'nothing'}"
        begin = source.rfind("\n", 0, mutation.start) + 1
        self.line = source[begin:source.find("\n", mutation.start)].strip()
        seen[self.line, self.text] += 1
        if seen[self.line, self.text] > 1:
            self.text += f" ({seen[self.line, self.text]})"
        self.key = f"{self.line}\t{self.text}"


def script_path(name):
    """Of a script in games/: the path, or its end, with or without .game."""
    end = "/" + name.removeprefix("games/").removesuffix(".game") + ".game"
    found = [path for path in sorted((ROOT / "games").rglob("*.game")) if str(path).endswith(end)]
    if len(found) != 1:
        many = "several scripts" if found else "no script"
        raise SystemExit(f"mutate.py: {name}: {many} of this name in games/")
    return found[0]


class Subject:
    """A script under test. Each worker has a folder of games in which only this script changes."""

    def __init__(self, name, args):
        self.path = script_path(name)
        self.name = str(self.path.relative_to(ROOT / "games").with_suffix(""))
        self.source = self.path.read_text(encoding="utf-8")
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
        self.evidence = digest(self.source, *(path.read_text(encoding="utf-8")
                                              for path in self.fact_files()))
        self.lock = threading.Lock()
        self.local = threading.local()
        self.base = {}
        self.options = None
        self.known = {} if args.again else self.kept()

    def fact_files(self):
        there = [*(ROOT / "tests/facts").glob("*.*"), *(ROOT / "tests/facts/given").glob("*.json")]
        stem = self.path.stem
        return [path for path in sorted(there)
                if path.stem == stem or path.name == "perft.tsv" or path.name == "playouts.tsv"]

    # ---- Results of earlier runs ----

    def kept(self):
        found = {}
        if self.store.exists():
            for line in self.store.read_text(encoding="utf-8").split("\n"):
                rules, evidence, key, outcome = json.loads(line) if line else (None,) * 4
                holds = outcome not in OPEN or evidence == self.evidence
                if rules == self.rules and holds:
                    found[key] = outcome
        return found

    def keep(self, mutant, outcome):
        with self.lock:
            self.known[mutant.key] = outcome
            self.store.parent.mkdir(parents=True, exist_ok=True)
            with self.store.open("a", encoding="utf-8") as file:
                file.write(json.dumps([self.rules, self.evidence, mutant.key, outcome]) + "\n")

    def complete(self):
        undecided = (PASSED,) if self.args.tests else (PASSED, DIFFERENT)
        return all(self.known.get(mutant.key, PASSED) not in undecided for mutant in self.mutants)

    # ---- One mutation ----

    def worker(self):
        """This thread's context."""
        if not hasattr(self.local, "context"):
            self.local.context = worker_context(self.args)
        return self.local.context

    def changed(self, mutant, judge, time_limit):
        """What `judge` says of the script with this mutation."""
        context = self.worker()
        context.time_limit = time_limit
        path = context.games / f"{self.name}.game"
        path.write_text(mutations.applied(self.source, mutant.mutation), encoding="utf-8")
        try:
            return judge(context, path, mutant)
        except TooLong:
            return TIMEOUT
        finally:
            path.write_text(self.source, encoding="utf-8")

    def sound(self):
        """Whether the tests hold without a mutation."""
        context = self.worker()
        return context.run("test", f"{self.name}.game", cwd=context.games).code == 0

    def tested(self, context, path, _):
        """First without counts, which may take very long where a mistake allows too many moves."""
        full = path.read_text(encoding="utf-8")
        for text in dict.fromkeys((mutations.without_counts(full), full)):
            path.write_text(text, encoding="utf-8")
            output = context.run("test", path.name, cwd=path.parent)
            if output.code != 0:
                return INVALID if output.out.endswith("0 passed, 0 failed\n") else KILLED
        return PASSED

    def compared(self, context, path, mutant):
        """Of a mutation that no test of the script has found."""
        return SAME if self.same_program(context, path, mutant) else DIFFERENT

    def judged(self, context, *_):
        """Of a mutation that no test of the script has found, and that is another program."""
        return SURVIVED if self.holds(context) else KILLED

    def holds(self, context):
        """Whether all facts about the script are still true."""
        for job in facts.jobs(context, f"{self.name}.game"):
            try:
                if any(result.failed for result in job.run(context)):
                    return False
            except TooLong:
                raise
            except Exception:  # noqa: BLE001: any failure finds the mutation
                return False
        return True

    def same_program(self, context, path, mutant):
        spread = mutations.spread(self.source, mutant.mutation)
        if spread is None:
            return False
        plain = mutations.spread(self.source)
        for words in self.settings():
            if words not in self.base:
                self.base[words] = compiled(context, path, plain, words)
            if compiled(context, path, spread, words) != self.base[words]:
                return False
        return True

    def settings(self):
        """The words for the defaults, and for each pair of values of options."""
        if self.options is None:
            self.options = [[f"{name}={value}" for value in values[:MOST_VALUES]]
                            for name, values in mutations.options(self.source)]
        pairs = [pair for one, two in itertools.combinations(self.options, 2)
                 for pair in itertools.product(one, two)]
        return [(), *((value,) for values in self.options for value in values), *pairs]


def compiled(context, path, source, words):
    """The program without the script's text, which is a part of it, and without its digest. The
    program also has the script's path, which is relative here: the same for each worker."""
    path.write_text(source, encoding="utf-8")
    options = [word for pair in words for word in ("-o", pair)]
    try:
        done = subprocess.run([*context.ferz, "compile", *options, "-O", "-", path.name],
                              cwd=path.parent, env=context.environment,
                              stdin=subprocess.DEVNULL, capture_output=True, check=False,
                              timeout=context.time_limit)
    except subprocess.TimeoutExpired:
        raise TooLong from None
    if done.returncode != 0:
        return done.returncode
    return done.stdout[32:].replace(source.encode(), b"")


def worker_context(args):
    """A context with games of its own."""
    os.environ["FERZ"] = os.path.abspath(args.ferz)
    context = Stopping(settings(max_nodes=2_000_000))
    context.time_limit = LONG_TIME_LIMIT
    context.games = Path(tempfile.mkdtemp(prefix="ferz-mutate-")) / "games"
    shutil.copytree(ROOT / "games", context.games)
    CONTEXTS.append(context)
    return context


CONTEXTS = []


def explanations(name):
    """{(line, mutation): why} for a script."""
    found = {}
    path = HERE / "explained.tsv"
    for line in path.read_text(encoding="utf-8").split("\n") if path.exists() else []:
        if line and not line.startswith("#"):
            script, text, mutation, why = line.split("\t")
            if script == name:
                found[text, mutation] = why
    return found


# ---- Runs ----

def run(subject, deadline):
    """Tries what is not known yet."""
    stages = [(subject.tested, None), (subject.compared, PASSED), (subject.judged, DIFFERENT)]
    for judge, undecided in stages[:2] if subject.args.tests else stages:
        todo = [mutant for mutant in subject.mutants if subject.known.get(mutant.key) == undecided]
        late = []

        def one(mutant):
            if time.monotonic() < deadline:
                outcome = subject.changed(mutant, judge, TIME_LIMIT)
                if outcome == TIMEOUT:
                    late.append(mutant)
                else:
                    subject.keep(mutant, outcome)

        with concurrent.futures.ThreadPoolExecutor(subject.args.jobs) as pool:
            for number, _ in enumerate(pool.map(one, todo), 1):
                if sys.stderr.isatty() and number % 10 == 0:
                    print(f"\r{subject.name}: {number} of {len(todo)}", end="", file=sys.stderr)
        for mutant in late:
            if time.monotonic() < deadline:
                subject.keep(mutant, subject.changed(mutant, judge, LONG_TIME_LIMIT))


def report(subject, verbose):
    """Lists what survives; returns the number of mutations that nobody has explained."""
    open_ones = 0
    for mutant in subject.mutants:
        if subject.known.get(mutant.key) in OPEN:
            keys = ((mutant.line, mutant.text), (mutant.line, "*"))
            entry = next((key for key in keys if key in subject.explained), None)
            subject.used.add(entry)
            open_ones += entry is None
            if entry is None or verbose:
                print(f"games/{subject.name}.game:{mutant.mutation.line}: {mutant.text}")
                print(f"    {mutant.line}")
                if subject.known[mutant.key] == TIMEOUT:
                    print(f"    (no answer in {LONG_TIME_LIMIT} seconds)")
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
    said += [f"{counts[TIMEOUT]} of them timed out"] if counts[TIMEOUT] else []
    print(f"{subject.name}: {', '.join(said)}")
    sys.stdout.flush()
    return open_ones


def outdated(subject):
    """Explanations of what does not survive, or is not there any more."""
    stale = sorted(set(subject.explained) - subject.used)
    for line, mutation in stale:
        print(f"tests/mutate/explained.tsv: {subject.name}: does not survive: {mutation} in {line}")
    return len(stale)


def main():
    args = arguments()
    deadline = time.monotonic() + args.seconds
    wrong = 0
    try:
        for name in args.scripts or RULED:
            subject = Subject(name, args)
            if not subject.sound():
                print(f"{subject.name}: its own tests fail: they would find any mutation")
                wrong += 1
                continue
            run(subject, deadline)
            wrong += report(subject, args.verbose)
            if not args.sample and subject.complete():
                wrong += outdated(subject)
    finally:
        for context in CONTEXTS:
            shutil.rmtree(context.games.parent, ignore_errors=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
