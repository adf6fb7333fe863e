"""Numbers at the ends of their ranges, for each option of options.def that takes one, each limit
and each number of an agent: the command answers, refuses, or works on until it is stopped. It
never crashes, and it takes no memory for what it has not done yet. Outputs that are full or closed:
a command that cannot write its answer does not end with 0. And a time of day that jumps: it
changes no answer and no deadline (tests/memory/jumping_clock.c)."""
import re
import resource
import subprocess
import time

from . import memory
from .common import ROOT, Job, Result

VALUES = ("0", "2147483648", "18446744073709551615")
MORE = ("-1", "1", "2147483647", "4294967295", "4294967296", "9223372036854775807",
        "9223372036854775808", "18446744073709551616", "1e9", "1e400", "nan", "", " 1", "0x10")
TIC, KUHN = "games/classic/tic-tac-toe.game", "games/cards/kuhn.game"
# For each option a command that takes it; `#` is the number.
COMMANDS = {
    "LIMIT": [["playout", TIC, "-n", "10", "--limit", f"{name}=#"] for name in (
        "instructions", "frames", "moves", "memory", "idle-turns", "decisions", "playout", "time")],
    "SEED": [["playout", TIC, "-n", "10", "--seed", "#"]],
    "HASH": [["perft", TIC, "3", "--hash", "#"]],
    "COUNT": [["playout", TIC, "--count", "#"]],
    "THREADS": [["playout", TIC, "-n", "10", "--threads", "#"]],
    "SHARD": [["playout", TIC, "-n", "10", "--shard", "1/#", "--output", "{out}"],
              ["playout", TIC, "-n", "#", "--shard", "#/#", "--output", "{out}"]],
    "ROLLOUTS": [["measure", TIC, "-n", "1", "--rollouts", "#"]],
    "PRECISION": [["solve", KUHN, "--precision", "#"]],
    "RECORDS": [["playout", TIC, "-n", "5", "--records", "#", "--record", "{out}"],
                ["playout", TIC, "-n", "5", "--records", "1..#", "--record", "{out}"]],
    "BUDGET": [["reconstruct", "tests/cli/laps.study", "--trials", "0", "--budget", "#"]],
    "VARIANTS": [["tune", "tests/cli/laps.game", "--target", "length 4", "--variants", "#"]],
    "TRIALS": [["reconstruct", "tests/cli/laps.study", "--trials", "#"]],
    "RUN": [["export", "{db}", "--run", "#"]],
    "GAME": [["export", "{db}", "--game", "#"]],
    "PLAYOUTS": [["check", TIC, "--playouts", "#"]],
    "PERFT": [["coverage", TIC, "--perft", "#"]],
    "PLAYERS": [["new", "{out}.game", "--players", "#"]],
    "AT": [["replay", "{record}", TIC, "--at", "#"]],
    "DEPTH": [["diff", "--behaviour", TIC, TIC, "-n", "1", "--depth", "#"]],
    "PORT": [["web", "--page", "{db}", "--port", "#"]],
    "SPRT": [["match", TIC, "--agents", "random,random", "-n", "2", "--sprt", f"{name}=#"]
             for name in ("elo0", "elo1", "alpha", "beta")],
    "RECOVER": [["study", "tests/cli/use.study", "-n", "2", "--lines", "--recover", "#"]],
    "AGENTS": [["match", TIC, "--agents", f"{agent},random", "-n", "1"]
               for agent in ("mcts:#", "mcts:1:trees=#", "mcts:1:c=#", "flat:#", "alphabeta:#",
                             "softmax:temperature=#")],
}
NUMERIC = re.compile(r"\b(N|BYTES|P|DEPTH|NAME=N|K/N|WHICH|TEST)\b")
SECONDS, SOAK_SECONDS, MEMORY = 0.15, 0.4, 6 << 30
# Run one after the other: those that have an answer have the same one; the others end in time.
CLOCKED = [["playout", TIC, "-n", "50", "--seed", "1", "--agents", "flat:20,random"],
           ["playout", TIC, "-n", "200", "--seed", "1", "--db", "{out}"],
           ["merge", "{out}"],
           ["perft", TIC, "4", "-t", "2"]]
NATIVE = ["playout", TIC, "-n", "20", "--seed", "1", "--engine", "native"]
BOUNDED = [["match", TIC, "--agents", "mcts:0.01s,random", "-n", "2"]]
SOAK_BOUNDED = [["playout", TIC, "-n", "1G", "--limit", "time=1"],
                ["solve", "games/classic/connect-four.game", "--limit", "time=1"]]
PATIENCE = 20           # seconds of the clock: the machine is busy


def jobs(context):
    if not context.binary_exists() or context.is_instrumented():
        return
    options = re.findall(r'^OPTION\((\w+), [^,]+, "[^"]+", ("[^"]*"|NULL)',
                         (ROOT / "interp/cli/options.def").read_text(encoding="utf-8"),
                         re.MULTILINE)
    yield Job("extremes/each-number-is-tried", complete, options)
    for option in COMMANDS:
        yield Job(f"extremes/{option.lower()}", tried, option)
    yield Job("extremes/outputs", outputs)
    yield Job("extremes/confined-addresses", capped)
    yield Job("extremes/confined-times", capped_times)
    yield Job("extremes/clocks", clocks)
    if context.soak:
        yield Job("extremes/memory-of-trials", trials)


def complete(_, name, options):
    missing = [option for option, argument in options
               if NUMERIC.search(argument) and option not in COMMANDS]
    return [Result(name, not missing, f"no command in tests/runner/extremes.py: {missing}")]


def made(context):
    """A record and an archive, made once."""
    record, archive = context.scratch / "extremes.record", context.scratch / "extremes.sqlite"
    with context.lock:
        if not archive.exists():
            context.run("playout", TIC, "-n", "1", "--record", record)
            context.run("playout", TIC, "-n", "3", "--db", archive, "--records", "all")
    return {"{record}": str(record), "{db}": str(archive)}


def tried(context, name, option):
    files = made(context)
    wrong = []
    for number, value in enumerate(VALUES + (MORE if context.soak else ())):
        for words in COMMANDS[option]:
            out = context.scratch / f"extreme-{option}-{number}"
            line = [word.replace("#", value).replace("{out}", str(out)) for word in words]
            for key, path in files.items():
                line = [word.replace(key, path) for word in line]
            code = end(context, line)
            if code not in (0, 1, 2, None):
                wrong.append(f"exit {code}: {' '.join(line)}")
    return [Result(name, not wrong, "\n".join(wrong))]


def end(context, line):
    """The exit status; None: it had to be stopped."""
    process = subprocess.Popen(
        [*context.ferz, *line], cwd=ROOT, env=context.environment, stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)))
    try:
        return process.wait(SOAK_SECONDS if context.soak else SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return None


def outputs(context, name):
    """Every command of the suite `memory` with a full output, without one, and without any."""
    memory.library(context)     # makes what they read
    wrong = []
    for command, words in memory.COMMANDS.items():
        out = context.scratch / f"full-{command}"
        line = ["sh", "-c", "", "sh", *context.ferz, *memory.words_of(context, words, out)]
        prints = bool(run_shell(context, command, line, '"$@"').stdout)
        for way in ('"$@" >/dev/full', '"$@" >&-', '"$@" >&- 2>&- <&-'):
            for path in out.parent.glob(f"{out.name}*"):
                path.unlink()
            code = run_shell(context, command, line, way).returncode
            if code not in (0, 1, 2) or (code == 0 and prints):
                wrong.append(f"exit {code}: {command} {way}")
    return [Result(name, not wrong, "\n".join(wrong))]


def run_shell(context, command, line, script):
    line[2] = script
    return subprocess.run(line, cwd=ROOT, env=context.environment, capture_output=True,
                          input=memory.INPUT.get(command, "").encode(), check=False,
                          timeout=context.time_limit)


def capped(context, name):
    """An agent of a confined command inherits its cap of addresses: 2 GiB, told in KiB. (The
    sanitizers, which take terabytes, cannot run below it.)"""
    output = context.run("match", TIC, "-n", 1, "--confined", "--agents",
                         "pipe:ulimit -v >&2; exit,random")
    first = output.err.split("\n")[0]
    return [Result(name, first == "2097152", output.describe())]


def preloaded(folder, source):
    """A library that stands before that of C."""
    made = folder / f"{source}.so"
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", str(made),
                    str(ROOT / f"tests/memory/{source}.c")], check=True)
    return str(made)


def capped_times(context, name):
    """A confined compile ends after 10 seconds and a confined command after 60, here of a clock
    that runs fast; without --confined nothing ends them."""
    folder = context.folder()
    more = {"LD_PRELOAD": preloaded(folder, "fast_clock")}
    script = folder / "long.game"
    script.write_text('game "Long"; players A, B; board square(3); turn {} limit 9 turns draw;\n'
                      f"let long = {{{'a1, ' * 200_000}a1}};\n")
    cases = [(["check", script], 0, "valid"),
             (["check", script, "--confined"], 2, "stopped: compiling takes too long"),
             (["playout", TIC, "-n", 30_000, "-t", 1], 0, ""),
             (["playout", TIC, "-n", "1G", "-t", 1, "--confined"], 0, "interrupted after ")]
    results = []
    for words, code, said in cases:
        output = context.run(*words, more=more)
        results.append(Result(f"{name}: {words[0]} {words[-1]}",
                              output.code == code and said in output.err + output.out,
                              output.describe()))
    return results


def trials(context, name):
    """The trials of a calibration, however many, need the memory of one."""
    code = subprocess.run(
        [*context.ferz, "reconstruct", "tests/cli/laps.study", "--trials", "400000"], cwd=ROOT,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (48 << 20, 48 << 20))).returncode
    return [Result(name, code == 0, f"code {code}")]


def clocks(context, name):
    folder, wrong = context.folder(), []
    preload = preloaded(folder, "jumping_clock")
    # Native code is found in the cache, or compiled again; never half of it is used.
    once = CLOCKED + [NATIVE] * (3 if context.soak else 0)
    answers = []
    for jumps in (False, True):
        more = {"XDG_CACHE_HOME": str(folder / f"cache{jumps}"), "FERZ_CFLAGS": "-O0",
                **({"LD_PRELOAD": preload} if jumps else {})}
        lines = [[word.replace("{out}", str(folder / f"{jumps}.sqlite")) for word in words]
                 for words in once]
        answers.append([context.command([*context.ferz, *line], cwd=ROOT, more=more)
                        for line in lines])
        for line in BOUNDED + (SOAK_BOUNDED if context.soak else []):
            begun = time.monotonic()
            code = context.command([*context.ferz, *line], cwd=ROOT, more=more).code
            if code not in (0, 1) or time.monotonic() - begun > PATIENCE:
                wrong.append(f"exit {code} after {time.monotonic() - begun:.1f} s: {line}")
    for line, usual, other in zip(once, *answers):
        if usual.code or (usual.code, usual.out) != (other.code, other.out):
            wrong.append(f"{line}: {usual.describe()}\n{other.describe()}")
    return [Result(name, not wrong, "\n".join(wrong))]
