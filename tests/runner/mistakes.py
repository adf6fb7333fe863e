"""One mistake, one message: tests/errors/corpus/mistakes.txt.

Each block is a realistic mistake in a game of games/: what the line was, what it became,
and the first error:

    == games/classic/hex.game    # no ;
    - the line of the game
    + the line with the mistake
    +0 E0112 ';' expected after 'me'

The number counts lines from the first changed one. Exactly one error is expected unless another
number stands in brackets behind the code: E0301[2]. tests/errors/corpus/mistakes.py makes more such
blocks.
"""
import json
import os
import re
import tempfile
from pathlib import Path

from .common import ROOT, Failure, Job, Result, crashed

DATA = ROOT / "tests/errors/corpus/mistakes.txt"
EXPECTED = re.compile(r"([+-]\d+) ([EW]\d+)(?:\[(\d+)\])? (.*)$")


class Mistake:
    def __init__(self, block):
        lines = block.rstrip("\n").split("\n")
        self.game, _, self.kind = lines[0][3:].partition("    # ")
        self.old = [line[2:] for line in lines if line.startswith("- ")]
        self.new = [line[2:] for line in lines[1:-1] if line == "+" or line.startswith("+ ")]
        expected = EXPECTED.match(lines[-1])
        if not self.old or not expected:
            raise Failure(f"not a mistake:\n{block}")
        self.line, self.code, count, self.message = expected.groups()
        self.count = int(count or 1)

    def made(self):
        """The game's text with the mistake, and the number of the first line that differs."""
        lines = (ROOT / self.game).read_text(encoding="utf-8").split("\n")
        places = [i for i in range(len(lines)) if lines[i:i + len(self.old)] == self.old]
        if len(places) != 1:
            raise Failure(f"{self.game} has this line {len(places)} times: {self.old[0]}")
        at = places[0]
        return "\n".join(lines[:at] + self.new + lines[at + len(self.old):]), at + 1


def jobs(_):
    blocks = re.split(r"^(?=== )", DATA.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    size = 20
    for start in range(0, len(blocks), size):
        yield Job(f"errors/mistakes-{start // size + 1}", some_mistakes, blocks[start:start + size])


def some_mistakes(context, name, blocks):
    results = []
    for block in blocks:
        try:
            wrong = compared(context, Mistake(block))
        except Failure as failure:
            wrong = str(failure)
        results.append(Result(name, not wrong, f"{block.rstrip()}\n{wrong}"))
    return results


def compared(context, mistake):
    text, at = mistake.made()
    path = ROOT / mistake.game
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / path.parent.name
        folder.mkdir()
        for other in path.parent.glob("*.game"):    # a variant's base stands beside it
            if other != path:
                os.symlink(other, folder / other.name)
        (folder / path.name).write_text(text, encoding="utf-8")
        output = context.run("check", "--format", "json", str(folder / path.name), cwd=ROOT)
    if crashed(output):
        return crashed(output)
    errors = [item for item in json.loads(output.out) if item["severity"] == "error"]
    shown = "\n".join(f"{(item['line'] or 0) - at:+d} {item['code']} {item['message']}"
                      for item in errors)
    wanted = f"{mistake.line} {mistake.code} {mistake.message}"
    if len(errors) != mistake.count or shown.split("\n")[0] != wanted:
        return f"{mistake.count} expected, found {len(errors)}:\n{shown}"
    return ""
