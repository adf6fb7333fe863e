"""The grammar for other programs (docs/grammar): Lark reads every script with it, and no script
with a word too many. Without Lark the test is skipped. It takes a second a script, so only a few
are read without --soak."""
import subprocess
import sys
from functools import cache

from .common import ROOT, Job, Result

READ = """
import sys, lark
sys.setrecursionlimit(10000)
grammar = lark.Lark(open(sys.argv[1]).read(), parser="earley", lexer="basic")
for name in sys.argv[2:]:
    text = open(name, encoding="utf-8").read()
    for wanted, part in (("read", text), ("refused", text + ";")):
        try:
            grammar.parse(part)
            found = "read"
        except lark.exceptions.LarkError as error:
            found = "refused"
        if found != wanted:
            print(f"{name}: {found}, not {wanted}")
"""
FEW = ("games/classic/tic-tac-toe.game", "games/draughts/brazilian.game")


@cache
def python_with_lark():
    for python in (sys.executable, "/usr/bin/python3"):
        if subprocess.run([python, "-c", "import lark"], capture_output=True,
                          check=False).returncode == 0:
            return python
    return None


def jobs(context):
    if not python_with_lark():
        context.skip("docs/grammar", "python3 has no lark")
        return
    scripts = [ROOT / name for name in FEW]
    if context.soak:
        scripts = [path for folder in ("games", "stdlib", "tests/language")
                   for path in sorted((ROOT / folder).rglob("*.game"))]
    for start in range(0, len(scripts), 40):
        yield Job(f"docs/grammar:{start}", read, scripts[start:start + 40])


def read(_, name, scripts):
    said = subprocess.run([python_with_lark(), "-c", READ, ROOT / "docs/grammar/ferz.lark",
                           *scripts], capture_output=True, text=True, check=False)
    wrong = said.stdout + said.stderr
    return [Result(name, not wrong, wrong)]
