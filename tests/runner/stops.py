"""Stopping: SIGINT and SIGTERM end every command at any moment, with all that it has started.

Each thread of a command may work for PROCESSOR seconds after the signal, and WALL seconds may pass
on a busy machine. `./dev test` sends one signal to each; `./dev soak stops` sends many."""
import os
import random
import resource
import signal
import subprocess
import time

from .common import Job, Result

PROCESSOR, SLACK, WALL = 0.1, 0.05, 2
SOAK_SIGNALS = 20
TICKS = os.sysconf("SC_CLK_TCK")
CHESS = "games/chess/chess.game"
TIC = "games/classic/tic-tac-toe.game"
SLOW = """\
game "Slow";
players X, O;
board square(3);
piece Mark "x";
turn {
    var n = 0;
    while n < 100000000 { n += 1; }
    choose to in empty => put Mark of me at to;
}
end { if empty == {} draw; }
test "slow" { play "a1", "a2"; }
"""
STUDY = f"""\
study Long
game {TIC}
ruleset one:
playouts 100000000
agents random
"""
# A question that no buffer holds: the agent must be read it.
WIDE = """\
game "Wide";
players X, O;
board square(30);
piece Mark "x";
turn { choose a in empty, b in empty => put Mark of me at a; }
end { if empty == {} draw; }
"""
LARGE = SLOW.replace("choose", "if n == 7 n += 1;\n" * 100000 + "choose")
MCP = ('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"playout","arguments":'
       '{"game":"chess","count":1000000000}}}\n')
# By name: the words of a command that takes minutes, or waits for ever. What stands in `pipe` is an
# agent; the input stays open and empty, but for INPUT.
COMMANDS = {
    "check-playouts": ["check", CHESS, "--playouts", "100M"],
    "check-deep": ["check", CHESS, "--deep"],
    "test": ["test", "slow.game", "--limit", "instructions=1000G"],
    "play": ["play", TIC],
    "play-agent": ["play", CHESS, "--agents", "alphabeta:40"],
    "step": ["step", TIC],
    "engine": ["engine", CHESS],
    "perft": ["perft", CHESS, "9"],
    "perft-merge": ["perft", CHESS, "9", "--merge"],
    "perft-distinct": ["perft", CHESS, "9", "--distinct"],
    "perft-threads": ["perft", CHESS, "9", "-t", "3"],
    "perft-deal": ["perft", "games/cards/whist.game", "1"],
    "playout": ["playout", TIC, "-n", "1G"],
    "playout-native": ["playout", TIC, "-n", "100G", "--engine", "native"],
    "playout-slow": ["playout", "slow.game", "-n", "100", "--limit", "instructions=1000G"],
    "playout-threads": ["playout", "games/race/ur.game", "-n", "1G", "-t", "3"],
    "playout-pipe": ["playout", TIC, "--agents", "pipe:sleep 1000"],
    "playout-family": ["playout", TIC, "--agents", "pipe:sleep 1000 & sleep 1000"],
    "playout-wide": ["playout", "wide.game", "--agents", "pipe:timeout=1000s:sleep 1000"],
    "playout-records": ["playout", TIC, "-n", "1G", "--records", "all", "--db", "a.sqlite",
                        "--resume"],
    "alphabeta": ["playout", CHESS, "--agents", "alphabeta:40"],
    "mcts": ["playout", CHESS, "--agents", "mcts:1000000000"],
    "flat": ["playout", CHESS, "--agents", "flat:1000000000"],
    "greedy": ["playout", CHESS, "-n", "1G", "--agents", "greedy"],
    "match": ["match", CHESS, "--agents", "alphabeta:40,mcts:100000000", "-n", "10", "-t", "2"],
    "match-slow": ["match", "slow.game", "--agents", "greedy,random", "-n", "100",
                   "--limit", "instructions=1000G"],
    "measure": ["measure", CHESS, "-n", "100M", "-t", "2"],
    "measure-rollouts": ["measure", CHESS, "-n", "1000", "--rollouts", "100000"],
    "measure-depth": ["measure", TIC, "-n", "10", "--strategic-depth", "mcts:100000000"],
    "report": ["report", CHESS, "-n", "100M"],
    "study": ["study", "long.study"],
    "coverage": ["coverage", CHESS, "-n", "100M"],
    "coverage-perft": ["coverage", CHESS, "--perft", "9"],
    "compare": ["compare", TIC, CHESS, "-n", "1G"],
    "learn": ["learn", CHESS, "-n", "1G", "-O", "chess.eval"],
    "learn-hidden": ["learn", "games/hidden/phantom-tic-tac-toe.game", "-n", "1G", "--sampling",
                     "chance", "-O", "phantom.strategy"],
    "solve": ["solve", "games/classic/connect-four.game"],
    "solve-hidden": ["solve", "games/hidden/phantom-tic-tac-toe.game"],
    "outcomes": ["outcomes", "games/cards/whist.game"],
    "diff": ["diff", CHESS, CHESS, "--behaviour", "--depth", "9"],
    "merge": ["merge", "fifo"],
    "show": ["show", CHESS, "--position", "-"],
    "replay": ["replay", "-"],
    "native": ["playout", "games/shogi/shogi.game", "-n", "1", "--engine", "native"],
    "compile": ["check", "large.game"],
    "lsp": ["lsp", "--stdio"],
    "mcp": ["mcp"],
    "web": ["web", "--port", "0", "--page", "page"],
}
INPUT = {"mcp": MCP}
# These end by themselves within a second: a signal that comes too late is sent earlier.
SHORT = {"compile"}


def jobs(context):
    for name in COMMANDS:
        if name == "web" and "built without" in context.run("web", "--port", "?").err:
            context.skip("stops/web", "ferz was built without libmicrohttpd")
            continue
        yield Job(f"stops/{'soak/' if context.soak else ''}{name}", stopped, name)


def used(pid):
    """The processor seconds of a process so far."""
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def members(session):
    """The processes that live in the session."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
                name, rest = file.read().split("(", 1)[1].rsplit(")", 1)
        except OSError:
            continue
        fields = rest.split()
        if int(fields[3]) == session and fields[0] != "Z":
            found.append(f"{pid} {name}")
    return found


def send(context, words, folder, number, delay):
    """What is wrong with how the command ends; None if it had ended by itself."""
    process = subprocess.Popen([*context.ferz, *words], cwd=folder, stdin=subprocess.PIPE,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               env={**context.environment, "XDG_CACHE_HOME": str(folder / "cache")},
                               start_new_session=True)
    process.stdin.write(INPUT.get(words[0], "").encode())
    process.stdin.flush()
    try:
        process.wait(delay)
        return None
    except subprocess.TimeoutExpired:
        pass
    before, begun = used(process.pid), time.monotonic()
    threads = min(len(os.listdir(f"/proc/{process.pid}/task")), os.cpu_count() or 1)
    process.send_signal(number)
    problem = ""
    while os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
        if time.monotonic() - begun > 10:
            problem = "still runs after 10 s"
            process.kill()
            break
        time.sleep(0.002)
    passed, after = time.monotonic() - begun, used(process.pid) - before
    process.wait()
    process.stdin.close()
    if not problem and (after > PROCESSOR * threads + SLACK or passed > WALL):
        problem = f"ended after {passed:.2f} s, {after:.2f} s of the processor"
    patience = time.monotonic() + 2
    while members(process.pid) and time.monotonic() < patience:
        time.sleep(0.01)
    left = members(process.pid)
    if left:
        for member in left:
            os.kill(int(member.split()[0]), signal.SIGKILL)
        problem += " left running: " + ", ".join(left)
    return problem


def stopped(context, name, command):
    folder = context.folder()
    for link in ("games", "stdlib"):
        (folder / link).symlink_to(os.path.join(os.path.dirname(os.path.dirname(
            os.path.dirname(os.path.abspath(__file__)))), link))
    (folder / "slow.game").write_text(SLOW)
    (folder / "wide.game").write_text(WIDE)
    (folder / "large.game").write_text(LARGE)
    (folder / "long.study").write_text(STUDY)
    (folder / "page").mkdir()
    (folder / "page/index.html").write_text("")
    (folder / "page/ferz.wasm").write_text("")
    os.mkfifo(folder / "fifo")
    dice = random.Random(f"{name}{os.getpid()}")
    bad = []
    for _ in range(SOAK_SIGNALS if context.soak else 1):
        number = dice.choice((signal.SIGINT, signal.SIGTERM))
        delay = dice.uniform(0.02, 1 if context.soak else 0.15)
        problem = send(context, COMMANDS[command], folder, number, delay)
        while problem is None and command in SHORT and delay > 0.02:
            delay /= 2
            problem = send(context, COMMANDS[command], folder, number, delay)
        if problem:
            bad.append(f"{number.name} after {delay:.2f} s: {problem}")
        elif problem is None:
            bad.append("it had ended before the signal")
    return [Result(name, not bad, "\n".join(bad))]
