"""What programs read: JSON of the commands, by the schemas in docs/schema. A schema must also
refuse an answer that lacks a member or has one more."""
import json
import subprocess
import sys
from functools import cache

from .common import ROOT, Job, Result

SCHEMAS = ROOT / "docs/schema"
# By schema: commands whose answers it describes, the forms of games among them.
COMMANDS = {
    "state": [
        "show chess/chess", "show cards/whist --for East", "show draughts/lasca --play a3-b4",
        "show race/backgammon", "show hidden/battleship",
        "show tests/cli/puzzle.game --play 'add 3, add 3, add 1'",
        "show tests/cli/mesh.game", "moves chess/crazyhouse", "moves cards/leduc --for Bob",
        "moves tests/cli/duel.game --for South --play 't1-t2, {Heads}'",
        "outcomes tests/cli/duel.game t1-t2",
    ],
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
    for path in sorted(SCHEMAS.glob("*.json")):
        if validator():
            yield Job(f"data/{path.stem}", one_schema, path)
        else:
            context.skip(f"data/{path.stem}", "python3 has no jsonschema")


def one_schema(context, name, path):
    answers = []
    for command in COMMANDS.get(path.stem, []):
        output = context.command(["sh", "-c", f"ferz {command} --format json"], cwd=ROOT)
        if output.code:
            return [Result(f"{name}:{command}", False, output.describe())]
        answer = json.loads(output.out)
        answers += [(command, part) for part in (answer if isinstance(answer, list) else [answer])]
    said = subprocess.run([validator(), ROOT / "tests/data/validate.py", path],
                          input=json.dumps(answers), text=True, capture_output=True, check=False)
    wrong = said.stdout + said.stderr
    return [Result(name, bool(answers) and not wrong, wrong or "no command has this schema")]
