"""Judges a mutation: the script's own tests, the compiled program, the facts, random games.

Each worker has a folder of games and one of modules in which only one script changes.
"""
import itertools
import json
import os
import re
import resource
import shutil
import subprocess
import tempfile
from pathlib import Path

from runner import facts
from runner.common import ROOT, Context, settings
import mutations

WALL_LIMIT = 300        # seconds for one run of ferz, however busy the machine is
MOST_VALUES = 4         # of an option, that are compared
SLOWER = 10             # times the script's own time: then the mutation is found by its slowness
SHORT = 0.5             # seconds of random games
BATCH = 16              # scripts in one start of ferz, of those that use a module
FOLLOWS = re.compile(r'^(?:variant "[^"]*" of "([^"]*?)(?:\.game)?"|use ([^;]*);)', re.MULTILINE)


class TooLong(Exception):
    """A run of ferz used up its time."""


class Stopping(Context):
    """A context in which a run that takes too long raises TooLong."""

    def command(self, *args, **more):
        output = super().command(*args, **more)
        if output.late or output.code in (-24, -9):      # SIGXCPU, SIGKILL
            raise TooLong
        return output


class Judge:
    """One worker's folders, and what it knows of the script without a mutation."""

    def __init__(self, ferz, path, source):
        os.environ["FERZ"] = os.path.abspath(ferz)
        self.source = source
        self.context = context = Stopping(settings())
        context.time_limit = WALL_LIMIT
        self.plain_ferz = context.ferz
        self.folder = Path(tempfile.mkdtemp(prefix="ferz-mutate-"))
        for room in ("games", "stdlib"):
            shutil.copytree(ROOT / room, self.folder / room)
        context.games = self.folder / "games"
        context.scratch = self.folder / "programs"
        context.scratch.mkdir()
        context.environment["FERZ_PATH"] = str(self.folder / "stdlib")
        self.path = self.folder / path.relative_to(ROOT)
        self.is_module = path.is_relative_to(ROOT / "stdlib")
        self.base, self.options, self.jobs = {}, None, None
        self.allow(WALL_LIMIT)
        self.batches = self.followers() if self.is_module else [[self.path]]
        self.sound, needed = self.timed(lambda: self.passes(self.batches))
        self.test_seconds = seconds(needed)
        self.playouts, self.played = None, {}

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    # ---- Time ----

    def allow(self, limit):
        """Whole seconds of processor time for each run of ferz from now on."""
        self.context.ferz = ["prlimit", f"--cpu={limit}", *self.plain_ferz]

    @staticmethod
    def timed(function):
        """What it returns, and the processor time that ferz took for it."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        found = function()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return found, after.ru_utime - before.ru_utime

    # ---- The mutated script ----

    def changed(self, mutant, judgement):
        """What `judgement` says of the script with this mutation."""
        for program in self.context.scratch.glob("*"):
            if program.is_dir():
                shutil.rmtree(program)
            else:
                program.unlink()
        self.path.write_text(mutations.applied(self.source, mutant.mutation), encoding="utf-8")
        try:
            return judgement(mutant)
        finally:
            self.path.write_text(self.source, encoding="utf-8")

    def followers(self):
        """The scripts that use the module, or are variants of one that does; a few at a time."""
        scripts = sorted(path for folder in (self.context.games, ROOT / "tests/language")
                         for path in folder.rglob("*.game"))
        uses = {path: names_of(path) for path in [*scripts, *self.path.parent.glob("*.game")]}
        found = {self.path.stem}
        if self.path.stem == "prelude":
            chosen = scripts
        else:
            while more := {path.stem for path, names in uses.items() if names & found} - found:
                found |= more
            chosen = [path for path in scripts if uses[path] & found]
        chosen = [path for path in chosen if 'test "' in path.read_text(encoding="utf-8")]
        return [chosen[at:at + BATCH] for at in range(0, len(chosen), BATCH)]

    # ---- Tests ----

    def passes(self, batches):
        return all(self.context.run("test", *batch, cwd=self.path.parent).code == 0
                   for batch in batches)

    def tested(self, _):
        """"invalid", "killed" or "passed". First without counts, which may take very long where a
        mistake allows too many moves."""
        self.allow(self.test_seconds)
        full = self.path.read_text(encoding="utf-8")
        if self.is_module:
            return "passed" if self.module_passes() else "killed"
        for text in dict.fromkeys((mutations.without_counts(full), full)):
            self.path.write_text(text, encoding="utf-8")
            try:
                output = self.context.run("test", self.path.name, cwd=self.path.parent)
            except TooLong:
                return "killed"
            if output.code != 0:
                return "invalid" if output.out.endswith("0 passed, 0 failed\n") else "killed"
        return "passed"

    def module_passes(self):
        try:
            return self.passes(self.batches)
        except TooLong:
            return False

    # ---- Programs ----

    def compared(self, mutant):
        """Of a mutation that no test of the script has found: whether it is another program."""
        self.allow(WALL_LIMIT)
        spread = None if self.is_module else mutations.spread(self.source, mutant.mutation)
        if spread is None:
            return "different"
        plain = mutations.spread(self.source)
        for words in self.settings():
            if words not in self.base:
                self.base[words] = self.compiled(plain, words)
            if self.compiled(spread, words) != self.base[words]:
                return "different"
        return "same"

    def settings(self):
        """The words for the defaults, and for each pair of values of options."""
        values = self.option_values()
        pairs = [pair for one, two in itertools.combinations(values, 2)
                 for pair in itertools.product(one, two)]
        return [(), *((value,) for each in values for value in each), *pairs]

    def option_values(self):
        if self.options is None:
            self.options = [[f"{name}={value}" for value in values[:MOST_VALUES]]
                            for name, values in mutations.options(self.source)]
        return self.options

    def compiled(self, source, words):
        """The program without the script's text, which is a part of it, and without its digest.
        The program also has the script's path, which is relative here: the same for each worker."""
        self.path.write_text(source, encoding="utf-8")
        done = subprocess.run([*self.plain_ferz, "compile", *facts.option_words(words), "-O", "-",
                               self.path.name],
                              cwd=self.path.parent, env=self.context.environment,
                              stdin=subprocess.DEVNULL, capture_output=True, check=False,
                              timeout=WALL_LIMIT)
        if done.returncode != 0:
            return done.returncode
        return done.stdout[32:].replace(source.encode(), b"")

    # ---- Facts ----

    def checked(self, _):
        """Of a mutation that is another program: "killed" or "survived"."""
        if self.is_module:
            return "survived"
        for needed, job in self.timed_jobs():
            self.allow(seconds(needed))
            if not holds(job, self.context):
                return "killed"
        return "survived"

    def timed_jobs(self):
        """The facts about the script, the quickest first."""
        if self.jobs is None:
            mutated = self.path.read_text(encoding="utf-8")
            self.path.write_text(self.source, encoding="utf-8")
            self.allow(WALL_LIMIT)
            game = f"{self.path.relative_to(self.context.games)}"
            jobs = []
            for job in facts.jobs(self.context, game):
                good, needed = self.timed(lambda job=job: holds(job, self.context))
                if not good:
                    raise SystemExit(f"mutate.py: {game}: the fact {job.name} fails without any "
                                     "mutation: it would find all of them")
                jobs.append((needed, job))
            self.jobs = sorted(jobs, key=lambda pair: pair[0])
            self.path.write_text(mutated, encoding="utf-8")
            for program in self.context.scratch.glob("*.gamec"):
                program.unlink()
        return self.jobs

    # ---- Random games ----

    def plays(self, _):
        """Of a survivor: "quiet" if random games are the same, under each option, too; or
        "loud"."""
        if self.is_module:
            return "loud"
        mutated = self.path.read_text(encoding="utf-8")
        words = [(), *((value,) for each in self.option_values() for value in each)]
        for each in words:
            if each not in self.played:
                self.path.write_text(self.source, encoding="utf-8")
                self.played[each] = self.games(each)
                self.path.write_text(mutated, encoding="utf-8")
            if self.games(each) != self.played[each]:
                return "loud"
        return "quiet"

    def games(self, words):
        """The results of random games, without the places in the script's text."""
        self.allow(WALL_LIMIT if self.playouts is None else int(SLOWER * SHORT) + 1)
        if self.playouts is None:
            _, needed = self.timed(lambda: self.sample(words, 10))
            self.playouts = max(10, min(500, int(10 * SHORT / max(needed, 0.001))))
        try:
            return self.sample(words, self.playouts)
        except TooLong:
            return "too long"

    def sample(self, words, count):
        output = self.context.run("playout", self.path, "--count", count, "--seed", 1,
                                  "--threads", 1, "--format", "json", *facts.option_words(words))
        try:
            found = json.loads(output.out)
        except ValueError:
            return output.code
        found.pop("endings", None)
        return found


def seconds(needed):
    return 2 + int(SLOWER * needed)


def holds(job, context):
    try:
        return not any(result.failed for result in job.run(context))
    except Exception:  # noqa: BLE001: any failure finds the mutation
        return False


def names_of(path):
    """The modules that a script uses, and its base."""
    found = set()
    for base, used in FOLLOWS.findall(path.read_text(encoding="utf-8")):
        found |= {base.split("/")[-1]} if base else {name.strip() for name in used.split(",")}
    return found
