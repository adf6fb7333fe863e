"""Memory that runs out: every command is run again and again, each time with another request for
memory refused (tests/memory/fail_malloc.c). It must end with a documented exit code and, if that is
0, with all of its output.

A request is refused once alone and once with all later ones. A test run samples the requests
evenly; `./dev soak memory` refuses each of them."""
import os
import re
import shutil
import subprocess

from .common import ROOT, Job, Result
from .lsp_client import framed

SAMPLES = 8            # requests refused for each command and way, unless --soak
TIC, CHESS, UR = "games/classic/tic-tac-toe.game", "games/chess/chess.game", "games/race/ur.game"
RECORD = "game.record"
MADE = {  # what commands read, and how it is made
    RECORD: ["playout", TIC, "-n", "1", "--record", "{file}"],
    "one.shard": ["playout", TIC, "-n", "20", "--shard", "1/2", "--output", "{file}"],
    "two.shard": ["playout", TIC, "-n", "20", "--shard", "2/2", "--output", "{file}"],
    "games.sqlite": ["playout", TIC, "-n", "10", "--db", "{file}", "--records", "all"],
}
PLAY = "a1\nmoves\nwhy a1\nundo\nb2\nposition\nquit\n"
COMMANDS = {
    "check": ["check", TIC],
    "check-playouts": ["check", TIC, "--playouts", "20"],
    "check-json": ["check", "--format", "json", TIC],
    "check-bad": ["check", "tests/errors/e0301-unknown-name.game"],
    "test": ["test", TIC],
    "moves": ["moves", TIC],
    "moves-json": ["moves", "--format", "json", TIC],
    "perft": ["perft", TIC, "3"],
    "perft-divide": ["perft", "--divide", TIC, "2"],
    "perft-hash": ["perft", "--hash", "1M", TIC, "3"],
    "perft-threads": ["perft", "--threads", "2", TIC, "3"],
    "playout": ["playout", TIC, "-n", "50"],
    "playout-json": ["playout", "--format", "json", TIC, "-n", "50"],
    "playout-threads": ["playout", TIC, "-n", "50", "--threads", "2"],
    "playout-db": ["playout", TIC, "-n", "50", "--db", "{out}", "--resume"],
    "merge": ["merge", "one.shard", "two.shard"],
    "merge-archive": ["merge", "games.sqlite"],
    "export": ["export", "games.sqlite"],
    "export-json": ["export", "games.sqlite", "--format", "json"],
    "measure": ["measure", TIC, "-n", "10", "--lines"],
    "measure-db": ["measure", "--db", "games.sqlite"],
    "report": ["report", TIC, "-n", "10", "--threads", "1"],
    "report-db": ["report", "--db", "games.sqlite", "--markdown"],
    "coverage": ["coverage", TIC, "-n", "20"],
    "compare": ["compare", TIC, TIC, "-n", "20"],
    "diff": ["diff", "games/chess/king-of-the-hill.game"],
    "diff-behaviour": ["diff", "--behaviour", TIC, TIC, "--depth", "1", "-n", "2"],
    "outcomes": ["outcomes", UR],
    "show": ["show", CHESS],
    "show-json": ["show", "--format", "json", TIC],
    "info": ["info", TIC],
    "info-json": ["info", "--format", "json", TIC],
    "rules": ["rules", CHESS],
    "rules-html": ["rules", "--html", TIC],
    "fmt": ["fmt", TIC],
    "disasm": ["disasm", TIC],
    "replay": ["replay", RECORD, TIC],
    "compile": ["compile", TIC, "--output", "{out}"],
    "play": ["play", TIC, "--seed", "1"],
    "lsp": ["lsp"],
}
# What the commands read.
INPUT = {"play": PLAY, "lsp": "".join(framed(**message).decode() for message in (
    {"id": 1, "method": "initialize", "params": {"capabilities": {}}},
    {"method": "textDocument/didOpen", "params": {"textDocument": {
        "uri": "file:///t.game", "version": 1, "text": (ROOT / TIC).read_text()}}},
    *({"id": number, "method": f"textDocument/{method}", "params": {
        "textDocument": {"uri": "file:///t.game"}, "position": {"line": 12, "character": 20}}}
      for number, method in enumerate(("hover", "completion", "references", "semanticTokens/full",
                                       "documentSymbol", "codeLens"), 2)),
    {"id": 9, "method": "shutdown"}, {"method": "exit"}))}
# With a request refused at once, a program may end before it knows its own name: any of the three
# codes is right.
EXIT_CODES = (0, 1, 2)


def jobs(context):
    if (not context.build or not shutil.which("cc") or not context.binary_exists()
            or context.is_instrumented()):
        context.skip("memory",
                     "memory tests need a build tree without sanitizers, not under valgrind")
        return
    for name in COMMANDS:
        yield Job(f"memory/{name}", refuse, name)


def library(context):
    """The refusing allocator, compiled once for all jobs."""
    path = context.scratch / "fail_malloc.so"
    with context.lock:
        if not path.exists():
            subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", str(path),
                            str(ROOT / "tests/memory/fail_malloc.c")],
                           check=True)
            for name, words in MADE.items():
                out = context.scratch / name
                subprocess.run(context.ferz + list(words_of(context, words, out)),
                               capture_output=True, env=context.environment, check=False)
    return path


def words_of(context, words, out):
    for word in words:
        if word in MADE:
            yield str(context.scratch / word)
        else:
            yield str(ROOT / word) if word.endswith(".game") else re.sub("{out}|{file}", str(out),
                                                                         word)


def run(context, name, out, preload, **limits):
    environment = dict(context.environment, LD_PRELOAD=str(preload), **limits)
    return subprocess.run(context.ferz + list(words_of(context, COMMANDS[name], out)),
                          env=environment, capture_output=True, text=True, errors="replace",
                          input=INPUT.get(name, ""), timeout=context.time_limit, check=False)


def without_times(text):
    return re.sub(r'"seconds": [0-9.e-]+', "", text)


def complaint(output, reference):
    """What is wrong with this end, or None."""
    if output.returncode not in EXIT_CODES:
        return f"exit {output.returncode}"
    if output.returncode == 0 and without_times(output.stdout) != without_times(reference.stdout):
        return "exit 0 with other output"
    if output.returncode != reference.returncode and "memory" not in output.stderr + output.stdout:
        return f"exit {output.returncode} without a word of memory"
    return None


def refuse(context, name, job):
    preload = library(context)
    count, out = context.scratch / f"requests-{job}", str(context.scratch / f"out-{job}")
    reference = run(context, job, out, preload, FERZ_COUNT_IN=str(count))
    requests = int(count.read_text())
    step = 1 if context.soak else max(1, requests // SAMPLES)
    wrong = []
    for way in ("FERZ_FAIL_AT", "FERZ_FAIL_AFTER"):
        for number in range(1, requests + 1, step):
            output = run(context, job, out, preload, **{way: str(number)})
            said = complaint(output, reference)
            if said:
                wrong.append(f"{way}={number} of {requests}: {said}: "
                             f"{output.stderr.strip()[-200:]}")
    for path in (count, out):
        if os.path.exists(path):
            os.remove(path)
    return [Result(name, not wrong, "\n".join(wrong[:10]))]
