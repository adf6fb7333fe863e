"""What programs read: JSON of the commands, by the schemas in docs/schema. A schema must also
refuse an answer that lacks a member or has one more."""
import json
import re
import subprocess
import sys
from functools import cache

from .common import ROOT, Job, Result

SCHEMAS = ROOT / "docs/schema"
AS_PLAYOUT = {"merge"}
SHARED = "common"       # what the others refer to
# By schema: commands whose answers it describes, the forms of games among them.
COMMANDS = {
    "state": [
        "show chess/chess", "show cards/whist --for East", "show draughts/lasca --play a3-b4",
        "show race/backgammon", "show hidden/battleship",
        "show tests/cli/puzzle.game --play 'add 3, add 3, add 1'",
        "show tests/cli/mesh.game", "moves chess/crazyhouse", "moves cards/leduc --for Bob",
        "moves tests/cli/duel.game --for South --play 't1-t2, {Heads}'",
        "outcomes tests/cli/duel.game t1-t2",
        "playout classic/nim -n 1 --record $TMPDIR/record >$TMPDIR/report; "
        "ferz replay $TMPDIR/record",
    ],
    "check": ["check tests/errors/e0301-idle.game", "check tests/errors/e0111-type-in-braces.game",
              "check classic/hex --playouts 2", "check tests/cli/unequal.game --deep"],
    "test": ["test classic/tic-tac-toe"],
    "coverage": ["coverage classic/hex -n 2", "coverage classic/tic-tac-toe --perft 2 --never"],
    "perft": ["perft classic/tic-tac-toe 2 --play a1", "perft classic/tic-tac-toe 2 --divide",
              "perft tests/cli/duel.game 1 --expected"],
    "playout": ["playout classic/tic-tac-toe -n 5 --branching",
                "playout classic/hex -o Size=3 -n 4 --agents greedy,random",
                "playout icehouse/martian-chaturaji -n 4", "playout tests/cli/puzzle.game -n 3",
                "playout classic/nim -n 4 --shard 1/2",
                "playout classic/nim -n 2 --agents mcts:1ms",
                "playout cards/leduc -n 3", "playout classic/nim -n 0",
                "learn classic/tic-tac-toe -n 2 -O $TMPDIR/c.eval >$TMPDIR/report; ferz playout "
                "classic/tic-tac-toe -n 2 --agents greedy:eval=$TMPDIR/c.eval"],
    "match": ["match classic/tic-tac-toe --agents random,greedy,mcts:2 -n 4",
              "match classic/tic-tac-toe classic/hex:Size=3 --agents random,greedy -n 4 "
              "--sprt elo1=9",
              "match cards/leduc --agents random,mcts:2 -n 2"],
    "measure": ["measure classic/tic-tac-toe -n 4 --rollouts 2 --lines",
                "measure race/ur -n 2 -o Pieces=1 --influence",
                "measure classic/tic-tac-toe -n 9 --skill mcts:1..4"],
    "compare": ["compare classic/tic-tac-toe classic/hex:Size=3 -n 5"],
    "study": ["study tests/cli/lines.study -n 4 --lines --compare all --distances "
              "--wear tests/cli/coriovalli-wear.txt --recover 0.1",
              "study tests/cli/placed.study -n 4"],
    "reconstruct": ["reconstruct tests/cli/laps.study --trials 4"],
    "tune": ["tune tests/cli/laps.game --target 'length 3..9, draws < 10 %' --budget 24"],
    "diff": ["diff chess/chess chess/three-check",
             "diff --behaviour classic/tic-tac-toe classic/nim",
             "diff --behaviour classic/tic-tac-toe classic/tic-tac-toe --depth 1 -n 1"],
    "solve": ["solve classic/tic-tac-toe --play 'b2, a1, c1'", "solve cards/kuhn",
              "solve race/ur -o Pieces=1 --precision .1",
             "solve cards/kuhn --agents random", "solve cards/kuhn --agents mcts:3,random -n 4"],
    "learn": ["learn classic/tic-tac-toe -n 20 -O $TMPDIR/a.eval",
              "learn sow/kalah -n 2 -O $TMPDIR/b.eval",
              "learn cards/kuhn -n 20 -O $TMPDIR/c.strategy"],
    "export": [f"playout classic/nim -n 3 {more} --db $TMPDIR/games.sqlite >$TMPDIR/report; "
               "ferz export $TMPDIR/games.sqlite"
               for more in ("--records 2", "--records 2 --resume", "-s 2 --branching")],
    "games": ["games mancala"],
    "info": ["info chess/chess", "info cards/whist", "info tests/cli/mesh.game", "info classic/nim",
             "info classic/hex"],
}


@cache
def validator():
    """A Python that has jsonschema; that of the PATH may be another than Debian's. None: there is
    none."""
    for python in (sys.executable, "/usr/bin/python3"):
        if subprocess.run([python, "-c", "import jsonschema"], capture_output=True,
                          check=False).returncode == 0:
            return python
    return None


def jobs(context):
    yield Job("data/schemas", all_described)
    for path in sorted(SCHEMAS.glob("*.json")):
        if path.stem == SHARED:
            continue
        if validator():
            yield Job(f"data/{path.stem}", one_schema, path)
        else:
            context.skip(f"data/{path.stem}", "python3 has no jsonschema")


def all_described(_, name):
    """Each command that prints JSON has a schema."""
    text = (ROOT / "interp/cli/commands.def").read_text(encoding="utf-8")
    printing = [re.match(r"\w+", row)[0] for row in text.split("\nCOMMAND(")[1:]
                if re.match(r'[^"]*"[^"]*"[^"]*(?<!GRAMMAR_)FORMAT\)', row)]
    described = {word for commands in COMMANDS.values() for command in commands
                 for word in re.findall(r"(?:^|ferz )(\w+)", command)} | AS_PLAYOUT
    missing = [command for command in printing if command not in described]
    return [Result(name, bool(printing) and not missing, f"no schema: {', '.join(missing)}")]


def one_schema(context, name, path):
    answers = []
    for command in COMMANDS.get(path.stem, []):
        output = context.command(["sh", "-c", f"ferz {command} --format json"], cwd=ROOT)
        if not output.out:
            return [Result(f"{name}:{command}", False, output.describe())]
        answer = json.loads(output.out)
        answers += [(command, part) for part in (answer if isinstance(answer, list) else [answer])]
    said = subprocess.run([validator(), ROOT / "tests/data/validate.py", path],
                          input=json.dumps(answers), text=True, capture_output=True, check=False)
    wrong = said.stdout + said.stderr
    return [Result(name, bool(answers) and not wrong, wrong or "no command has this schema")]
