"""What a player may not see appears nowhere in what that player is shown: for every script of
games/ and of tests/language. tests/secrets/secrets.c plays random games, draws what a player does
not see anew, and compares all texts for that player."""
import os
import re

from .common import ROOT, Job, Result, crashed


def jobs(context):
    if not context.build:
        return
    program = context.build / "tests/secrets/secrets"
    if not os.access(program, os.X_OK):
        context.skip("secrets", "the program was not built: make tests/secrets/secrets")
        return
    for folder in ("games", "tests/language"):
        for path in sorted((ROOT / folder).rglob("*.game")):
            text = path.read_text(encoding="utf-8")
            if re.search(r"\b(secret|shown|unseen|invisible|together)\b", text):
                yield Job(f"secrets/{path.relative_to(ROOT).with_suffix('')}", one, program, path)


def one(context, name, program, path):
    output = context.command([*context.ferz[:-1], str(program), str(path)])
    good = output.code == 0 and not crashed(output)
    return [Result(name, good, output.describe())]
