"""The Python module in build/python (./dev python makes it): tests/python/test_*.py, and the
examples of docs/python.md, each of which prints what stands below it, and notebooks. Skipped
without the module, or if it is older than its sources."""
import os
import re
import shutil
import sys
from functools import lru_cache

from .common import ROOT, Job, Result, difference

MODULE = ROOT / "build/python"
PAGE = ROOT / "docs/python.md"
EXAMPLE = re.compile(r"^```python\n(.*?)^```$(?:\n\nIt prints\n\n^```text\n(.*?)^```$)?",
                     re.DOTALL | re.MULTILINE)
COUNT = re.compile(r"^Ran (\d+) tests? in", re.MULTILINE)
WRONG = re.compile(r"(?:failures|errors|unexpected successes)=(\d+)")


def jobs(context):
    problem = missing()
    if problem:
        context.skip("python", problem)
        return
    for script in sorted((ROOT / "tests/python").glob("test_*.py")):
        yield Job(f"python/{script.stem}", unittests, script)
    for number, (code, printed) in enumerate(EXAMPLE.findall(PAGE.read_text("utf-8")), 1):
        yield Job(f"python/page:{number}", example, code, printed)
    yield Job("python/wheel", wheel)
    for path in sorted((ROOT / "interp/python/examples").glob("*.ipynb")):
        yield Job(f"python/{path.stem}", notebook, path)


@lru_cache
def interpreter():
    """A Python with numpy and cffi: Debian's need not be the first on the PATH."""
    for python in (sys.executable, "python3", "/usr/bin/python3"):
        found = shutil.which(python)
        if found and os.system(f"'{found}' -c 'import _cffi_backend, numpy' 2>/dev/null") == 0:
            return found
    return None


def missing():
    """Why there is nothing to test; None."""
    if not interpreter():
        return "python3 has no cffi or no numpy: ./dev test --python"
    made = MODULE / "ferz/_place.py"
    sources = [path for folder in ("grammar", "interp") for path in (ROOT / folder).rglob("*")
               if path.suffix in (".c", ".h", ".def", ".l", ".y", ".py")
               and not {"cli", "web", "lsp", "examples"} & set(path.relative_to(ROOT).parts)]
    if not made.exists() or \
            made.stat().st_mtime < max(path.stat().st_mtime for path in sources):
        return "there is no Python module of these sources: ./dev test --python"
    return None


def python(context, *words, cwd=ROOT):
    return context.command([interpreter(), "-B", *map(str, words)], cwd=cwd,
                           more={"PYTHONPATH": str(MODULE), "PYTHONWARNINGS": "error"})


def unittests(context, name, script):
    output = python(context, "-m", "unittest", script.name, cwd=script.parent)
    ran = COUNT.search(output.err)
    failed = sum(map(int, WRONG.findall(output.err)))
    if not ran or (output.code != 0) != (failed > 0) or int(ran[1]) == 0:
        return [Result(name, False, output.describe())]
    return [Result(name, failed == 0, output.describe(), int(ran[1]) - failed, failed)]


# Nothing of it lies outside the folder that pip made.
INSTALLED = """
import os, ferz
from importlib.metadata import version
here = os.path.dirname(ferz.__file__)
game = ferz.load(text='game "A"; use lines; players A, B; board square(3); piece Man "M"; '
                 'turn { choose to in empty => put Man of me at to; } '
                 'end { if line_at(last_to, mine, 3) win me; if empty == {} draw; }')
chess = ferz.load("gardner")
print(here, version("ferz") == ferz.version(), sum(game.playouts(10, seed=1).wins) <= 10,
      len(chess.start().moves), os.environ["FERZ_STDLIB"])
"""


def wheel(context, name):
    """Two have the same bytes; pip installs one, and it plays with games and modules of its own."""
    folder = context.folder()
    names = []
    for place in ("one", "two"):
        (folder / place).mkdir()
        output = python(context, ROOT / "interp/python/build_wheel.py", folder / place)
        names.append(output.out.strip())
    one, two = ((folder / place / names[0]).read_bytes() for place in ("one", "two"))
    done = python(context, "-m", "pip", "--disable-pip-version-check", "install", "--no-index",
                  "--no-deps", "--no-warn-conflicts", "--target", folder / "site",
                  folder / "one" / names[0])
    output = context.command([interpreter(), "-B", "-c", INSTALLED], cwd=folder,
                             more={"PYTHONPATH": str(folder / "site")})
    module = folder / "site/ferz"
    wanted = f"{module} True True 7 {module}/library/stdlib\n"
    return [Result(f"{name}: bytes", one == two, "two wheels differ"),
            Result(f"{name}: installed", output.out == wanted,
                   difference(wanted, output.out) + output.err + done.describe())]


def example(context, name, code, printed):
    output = python(context, "-c", code)
    good = output.code == 0 and output.out == printed
    return [Result(name, good, difference(printed, output.out) + "\n" + output.err)]


def notebook(context, name, path):
    output = python(context, ROOT / "tests/python/notebook.py", path)
    return [Result(name, output.code == 0, output.describe())]
