"""Memory that runs out: every command is run again and again, each time with another request for
memory refused (tests/memory/fail_malloc.c). It must give the same answer as with enough memory, or
end with exit status 2 and say "out of memory".

A request is refused once alone and once with all later ones. A test run samples the requests
evenly; `./dev soak memory` refuses each of them. Of a painted picture only the end is compared:
without memory, fontconfig goes on with other settings. It may also try for ever, until the painting
process is stopped after a minute, so all later requests are refused at few places, in a soak."""
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
STEP = "a1\nstep\nwhere\nprint mine\nnext\nout\nback\nb2\nquit\n"
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
    "measure-skill": ["measure", TIC, "-n", "5", "--skill", "mcts:1..4", "--format", "json"],
    "report": ["report", TIC, "-n", "10", "--threads", "1"],
    "report-db": ["report", "--db", "games.sqlite", "--markdown"],
    "report-data": ["report", TIC, "-n", "10", "-t", "1", "--data", "--output", "{out}"],
    "coverage": ["coverage", TIC, "-n", "20"],
    "compare": ["compare", TIC, TIC, "-n", "20"],
    "diff": ["diff", "games/chess/king-of-the-hill.game"],
    "diff-behaviour": ["diff", "--behaviour", TIC, TIC, "--depth", "1", "-n", "2"],
    "outcomes": ["outcomes", UR],
    "show": ["show", CHESS],
    "engine": ["engine", TIC, "--agents", "random"],
    "show-json": ["show", "--format", "json", TIC],
    "info": ["info", TIC],
    "info-json": ["info", "--format", "json", TIC],
    "rules": ["rules", CHESS],
    "rules-html": ["rules", "--html", TIC],
    "fmt": ["fmt", TIC],
    "import": ["import", "tests/import/own.ini:hands"],
    "disasm": ["disasm", TIC],
    "replay": ["replay", RECORD, TIC],
    "compile": ["compile", TIC, "--output", "{out}"],
    "compile-c": ["compile", "--c", TIC, "--output", "{out}"],
    "show-svg": ["show", "--svg", TIC],
    "show-png": ["show", "--png", TIC, "--output", "{out}"],
    "replay-svg": ["replay", "--svg", RECORD, TIC],
    "match": ["match", TIC, "--agents", "mcts:20,random", "-n", "4", "-t", "1"],
    "learn": ["learn", TIC, "-n", "3", "--output", "{out}"],
    "learn-hidden": ["learn", "games/cards/kuhn.game", "-n", "3", "--output", "{out}"],
    "solve": ["solve", "games/cards/kuhn.game"],
    "solve-draws": ["solve", "games/classic/three-mens-morris.game", "--symmetry"],
    "solve-agents": ["solve", "games/cards/kuhn.game", "--agents", "mcts:3", "-n", "2"],
    "study": ["study", "tests/cli/lines.study", "-n", "4", "-t", "1"],
    "step": ["step", TIC, "--seed", "1"],
    "coverage-perft": ["coverage", TIC, "--perft", "2"],
    "check-deep": ["check", "--deep", TIC, "--playouts", "2"],
    "new": ["new", "{out}.game"],
    "play": ["play", TIC, "--seed", "1"],
    "lsp": ["lsp"],
    "mcp": ["mcp"],
}
# What the commands read.
INPUT = {"mcp": '{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n',
         "play": PLAY, "step": STEP, "engine": "uci\nposition startpos moves b2\ngo\n",
         "lsp": "".join(framed(**message).decode() for message in (
    {"id": 1, "method": "initialize", "params": {"capabilities": {}}},
    {"method": "textDocument/didOpen", "params": {"textDocument": {
        "uri": "file:///t.game", "version": 1, "text": (ROOT / TIC).read_text()}}},
    *({"id": number, "method": f"textDocument/{method}", "params": {
        "textDocument": {"uri": "file:///t.game"}, "position": {"line": 12, "character": 20}}}
      for number, method in enumerate(("hover", "completion", "references", "semanticTokens/full",
                                       "documentSymbol", "codeLens"), 2)),
    {"id": 9, "method": "shutdown"}, {"method": "exit"}))}
# The second is the system's text, of a file that could not be opened or written.
NO_MEMORY = re.compile("out of memory|Cannot allocate memory")


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
            yield re.sub("{out}|{file}", str(out), word) if "{" in word else \
                str(ROOT / word) if word.endswith((".game", ".study")) else word


def run(context, name, out, preload, **limits):
    for path in out.parent.glob(f"{out.name}*"):
        path.unlink()
    environment = dict(context.environment, LD_PRELOAD=str(preload), **limits)
    return subprocess.run(context.ferz + list(words_of(context, COMMANDS[name], out)),
                          env=environment, capture_output=True, text=True, errors="replace",
                          input=INPUT.get(name, ""), timeout=context.time_limit, check=False)


def answer(output, out):
    """What was asked for: the exit code, the texts without times and speeds, and the file."""
    written = out.read_bytes() if out.exists() else b""
    if written.startswith(b"\x89PNG"):
        return output.returncode
    return (output.returncode, re.sub(r'"seconds": [0-9.e-]+', "", output.stdout),
            re.sub(r"^[0-9.]+ s, .* a second$", "", output.stderr, flags=re.MULTILINE),
            b"" if written.startswith(b"SQLite") else written)


def refuse(context, name, job):
    preload = library(context)
    count, out = context.scratch / f"{job}.requests", context.scratch / f"{job}.out"
    reference = answer(run(context, job, out, preload, FERZ_COUNT_IN=str(count)), out)
    requests = int(count.read_text())
    step = 1 if context.soak else max(1, requests // SAMPLES)
    wrong = []
    for way in ("FERZ_FAIL_AT", "FERZ_FAIL_AFTER"):
        if way == "FERZ_FAIL_AFTER" and job == "show-png":
            step = requests // SAMPLES if context.soak else requests
        for number in range(1, requests + 1, step):
            output = run(context, job, out, preload, **{way: str(number)})
            if answer(output, out) != reference and not (
                    output.returncode == 2 and NO_MEMORY.search(output.stderr)):
                wrong.append(f"{way}={number} of {requests}: exit {output.returncode}, "
                             f"another answer: {output.stderr.strip()[-200:]}")
    return [Result(name, not wrong, "\n".join(wrong[:10]))]
