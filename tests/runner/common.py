"""What every suite stands on: the context (where things are, how ferz is run), jobs and results."""
import argparse
import difflib
import json
import multiprocessing
import os
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TIME_LIMIT = 120        # seconds for one run of ferz; multiplied by --slow
ENOUGH_MEMORY = 4 << 30 # bytes, for the files of a run
# How native code is compiled, which a run plays shortly: inlining takes two thirds of the time of
# compiling.
UNOPTIMISED = "-O0 -Dalways_inline=unused"
LONG = 0.2              # processor seconds of a command that -v prints


class Job:
    """Something to run, by name: `run(context)` returns a list of results."""

    def __init__(self, name, function, *args):
        self.name = name
        self.function = function
        self.args = args

    def run(self, context):
        return self.function(context, self.name, *self.args)


class Result:
    """A test passed or failed, or several of them counted by the program that ran them."""

    def __init__(self, name, good, detail="", passed=None, failed=None):
        self.name = name
        self.detail = detail
        self.passed = int(good) if passed is None else passed
        self.failed = int(not good) if failed is None else failed


class Output:
    """What a program printed, and how it ended; `late` if it was stopped."""

    def __init__(self, code, out, err, late=False):
        self.code = code
        self.out = out
        self.err = err
        self.late = late

    def describe(self):
        text = f"exit {self.code}"
        for name, stream in (("stdout", self.out), ("stderr", self.err)):
            if stream.strip():
                lines = stream.rstrip("\n").split("\n")
                text += f"\n{name}: " + "\n".join(lines[-25:] if len(lines) > 25 else lines)
        return text


def settings(**given):
    """What tests/run.py takes by default, with these."""
    usual = dict(build=None, max_nodes=400_000, slow=1, soak=False, browser=None, filter="",
                 list=False, jobs=1)
    return argparse.Namespace(**{**usual, **given})


def fast_folder():
    """Memory in place of a disk, if there is enough and programs may be run there; None: the usual
    place. The tests write ten thousand files."""
    shared = "/dev/shm"
    if os.environ.get("TMPDIR") or not os.access(shared, os.W_OK | os.X_OK):
        return None
    has = os.statvfs(shared)
    enough = has.f_bavail * has.f_frsize >= ENOUGH_MEMORY
    return shared if enough and not has.f_flag & os.ST_NOEXEC else None


class Context:
    def __init__(self, args):
        build = Path(args.build).resolve() if args.build else None
        named = os.environ.get("FERZ")
        self.build = build
        self.games = ROOT / "games"
        self.ferz = shlex.split(named) if named else [str((build or ROOT / "build") / "ferz")]
        self.ferz = [os.path.abspath(word) if "/" in word and word[0] != "-" else word
                     for word in self.ferz]
        self.max_nodes = args.max_nodes
        self.soak = args.soak
        self.filter = args.filter
        self.listing = args.list
        self.processes = args.jobs
        self.browser = args.browser
        self.slow = args.slow
        self.time_limit = TIME_LIMIT * args.slow * (10 if args.soak else 1)
        self.skipped, self.long = [], []
        self.lock = multiprocessing.Lock()
        self.scratch = None
        self.environment = dict(os.environ, NO_COLOR="1", TERM="dumb", LC_ALL="C.UTF-8",
                                ASAN_OPTIONS="exitcode=99:detect_leaks=1",
                                LSAN_OPTIONS=f"suppressions={ROOT}/tests/leaks.supp:"
                                             "print_suppressions=0",
                                UBSAN_OPTIONS="print_stacktrace=1:halt_on_error=1",
                                FERZ_ENGINE="loop",  # what is timed does not decide what is tested
                                FERZ_CFLAGS="-O0" if args.soak else UNOPTIMISED,
                                FERZ_PATH=str(ROOT / "stdlib"))

    def __enter__(self):
        """A scratch folder for the run, with `ferz` on the PATH."""
        self.scratch = Path(tempfile.mkdtemp(prefix="ferz-test-", dir=fast_folder()))
        self.environment["TMPDIR"] = str(self.scratch)
        bin_folder = self.scratch / "bin"
        bin_folder.mkdir()
        if len(self.ferz) == 1 and self.binary_exists():
            (bin_folder / "ferz").symlink_to(shutil.which(self.ferz[0]))
        else:
            script(bin_folder / "ferz", f'exec {shlex.join(self.ferz)} "$@"\n')
        # Without what is installed beside Python, which takes longer to find than most scripts run.
        script(bin_folder / "python3", f'exec {shlex.quote(sys.executable)} -S "$@"\n')
        compiler = shutil.which("cc")
        if compiler:
            (self.scratch / "compiled").mkdir()
            script(bin_folder / "cc", COMPILE_ONCE.format(kept=self.scratch / "compiled",
                                                          compiler=shlex.quote(compiler),
                                                          path=shlex.quote(os.environ["PATH"])))
        self.environment["PATH"] = f"{bin_folder}:{self.environment.get('PATH', '')}"
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.scratch, ignore_errors=True)

    def has(self, program):
        """Whether the build made the program; for a list of names it is not needed."""
        return self.listing or os.access(program, os.X_OK)

    def binary_exists(self):
        return shutil.which(self.ferz[0]) is not None and (
            "/" not in self.ferz[-1] or os.path.exists(self.ferz[-1]))

    def is_instrumented(self):
        """Under valgrind, or built with sanitizers: then nothing can be loaded in front of the C
        library."""
        return len(self.ferz) > 1 or b"__asan_init" in Path(self.ferz[0]).read_bytes()

    def folder(self):
        """A fresh folder under the scratch folder."""
        return Path(tempfile.mkdtemp(dir=self.scratch))

    def skip(self, name, reason):
        self.skipped.append((reason, name))

    def run(self, *arguments, cwd=ROOT, merge=False, more=None):
        """ferz with these arguments; `merge` lets stderr come in between stdout,
        `more` is environment."""
        return self.command([*self.ferz, *map(str, arguments)], cwd, merge, more)

    def command(self, words, cwd=ROOT, merge=False, more=None):
        if self.listing:
            return Output(0, "", "")        # nothing may be built yet
        start = processor_seconds(resource.RUSAGE_CHILDREN)
        try:
            done = subprocess.run(words, cwd=cwd, env={**self.environment, **(more or {})},
                                  stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT if merge else subprocess.PIPE,
                                  timeout=self.time_limit, check=False)
        except subprocess.TimeoutExpired as late:
            return Output(-1, text(late.stdout),
                          text(late.stderr) + f"stopped after {self.time_limit} s\n", late=True)
        finally:
            taken = processor_seconds(resource.RUSAGE_CHILDREN) - start
            if taken >= LONG:
                self.long.append((taken, shlex.join(map(str, words))))
        return Output(done.returncode, text(done.stdout), text(done.stderr))

    def data(self, *arguments, cwd=ROOT):
        """The JSON that ferz prints for these arguments; raises if it ends otherwise."""
        output = self.run(*arguments, "--format", "json", cwd=cwd)
        try:
            found = json.loads(output.out)
        except ValueError:
            raise Failure(f"no JSON from: ferz {shlex.join(map(str, arguments))} --format json\n"
                          + output.describe()) from None
        if output.code != 0:
            raise Failure(f"ferz {shlex.join(map(str, arguments))}: {output.describe()}")
        return found


# The compiler of a test run: what it made of a text without a word, it does not make again. Sources
# that include others are always compiled. The real one must not find this one on the PATH: ccache
# looks there for the compiler that it stands for.
COMPILE_ONCE = """\
out=a.out previous=
for word; do
    [ "$previous" != -o ] || out=$word
    previous=$word
done
key=$(for word; do
    if [ "$word" = "$out" ]; then :
    elif [ -f "$word" ]; then cat "$word"
    else echo "$word"; fi
done | md5sum)
kept={kept}/${{key%% *}}
if [ -e "$kept" ]; then
    cp "$kept" "$out"
    exit
fi
PATH={path} {compiler} "$@" 2>"$kept.$$"
code=$?
cat "$kept.$$" >&2
[ $code != 0 ] || [ -s "$kept.$$" ] || grep -qs '^#include "' -- "$@" ||
    {{ cp "$out" "$kept.$$" && mv "$kept.$$" "$kept"; }}
exit $code
"""


class Failure(Exception):
    """A test cannot go on; the text says why."""

    def __str__(self):
        return self.args[0]


def script(path, text):
    path.write_text("#!/bin/sh\n" + text)
    path.chmod(0o755)


def text(raw):
    return raw.decode("utf-8", "replace") if raw else ""


def difference(expected, got):
    """Expected and got, line by line, as a diff without its header."""
    lines = difflib.unified_diff(expected.splitlines(), got.splitlines(), "expected", "got",
                                 lineterm="", n=2)
    return "\n".join(line for line in lines if not line.startswith("@@"))


def processor_seconds(*whose):
    """What this process, the programs that it waited for, or both have used."""
    return sum(getattr(resource.getrusage(who), time) for who in whose
               for time in ("ru_utime", "ru_stime"))


def crashed(output):
    """The sentence for a program that did not end by itself, or None."""
    if output.code < 0 or output.code >= 97 or "runtime error:" in output.err:
        return "crashed: " + output.describe()
    return None
