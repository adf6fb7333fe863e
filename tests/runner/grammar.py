"""The grammar for other programs (docs/grammar): Lark and tree-sitter read every script with it,
and no script with a word too many; tree-sitter reads docs/grammar/test/corpus as it says there.
Without these programs the tests are skipped. Lark takes a second a script, so it reads only a few
without --soak."""
import re
import shutil
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


SUCCESSES = re.compile(r"successful parses: (\d+); failed parses: (\d+)")


def jobs(context):
    if all(map(shutil.which, ("tree-sitter", "cc", "node"))):
        yield Job("docs/tree-sitter", tree_sitter)
    else:
        context.skip("docs/tree-sitter", "there is no tree-sitter, or no cc or node")
    if not python_with_lark():
        context.skip("docs/grammar", "python3 has no lark")
        return
    scripts = all_scripts() if context.soak else [ROOT / name for name in FEW]
    for start in range(0, len(scripts), 40):
        yield Job(f"docs/grammar:{start}", read, scripts[start:start + 40])


def all_scripts():
    return [path for folder in ("games", "stdlib", "tests/language")
            for path in sorted((ROOT / folder).rglob("*.game"))]


def tree_sitter(context, name):
    folder = context.folder()
    shutil.copy(ROOT / "docs/grammar/grammar.js", folder)
    shutil.copytree(ROOT / "docs/grammar/test", folder / "test")
    scripts = all_scripts()
    (folder / "scripts").write_text("".join(f"{path}\n" for path in scripts))
    (folder / "longer").mkdir()
    for number, path in enumerate(scripts):
        (folder / f"longer/{number}.game").write_text(path.read_text("utf-8") + ";\n", "utf-8")
    (folder / "wrong").write_text("".join(f"{path}\n" for path in (folder / "longer").iterdir()))

    def run(*words):
        return context.command(["tree-sitter", *words], cwd=folder, merge=True,
                               more={"HOME": str(folder), "XDG_CACHE_HOME": str(folder)})

    def counts(list_name):
        found = SUCCESSES.search(run("parse", "-q", "--stat", "--paths", list_name).out)
        return found and (int(found[1]), int(found[2]))

    for step in (("generate",), ("test",)):
        output = run(*step)
        if output.code != 0:
            return [Result(name, False, output.describe())]
    found = counts("scripts"), counts("wrong")
    wanted = (len(scripts), 0), (0, len(scripts))
    return [Result(name, found == wanted, f"read and not read: {found}, not {wanted}")]


def read(_, name, scripts):
    said = subprocess.run([python_with_lark(), "-c", READ, ROOT / "docs/grammar/ferz.lark",
                           *scripts], capture_output=True, text=True, check=False)
    wrong = said.stdout + said.stderr
    return [Result(name, not wrong, wrong)]
