"""The project's own lists: what lies in the tree is in the build, and nothing else is."""
import re
import shutil
import subprocess
import sys
from functools import partial

from . import calls, packaging, rooms, words
from .common import ROOT, Job, Result

SOURCES = {
    "grammar": (".c", ".h", ".def", ".l", ".y"),
    "interp": (".c", ".h", ".def"),
    "stdlib": (".game",),
    "games": (".game",),
    "tests/unit": (".c", ".h"),
}
# The compiler and the machine know no game: what a game needs is said in its script or in stdlib.
# Importers (grammar/import) know names of other systems.
GAMES = re.compile(r"chess|chatur|chatrang|chakart|shatranj|draughts|kalah|breakthrough|"
                   r"reversi(?!b)|gomoku|yavalath|pentago|amazon|knightthrough|hounds|tablut|"
                   r"backgammon", re.IGNORECASE)
# What writes pages from the tree: each says with --check whether they are up to date.
MADE = ("docs/editors.py", "docs/grammar.py", "docs/opcodes.py", "docs/provenance.py",
        "docs/tables.py")
GENERATED = {"grammar/syntax/ferz_lex.c", "grammar/syntax/ferz_parse.c",
             "grammar/syntax/ferz_parse.h", "interp/native/texts.c",
             "interp/cli/skeletons.c"}
COLUMNS = 100
FORMATTED = (".c", ".h", ".def", ".l", ".y", ".py", ".inc", ".awk", ".md")
SHORT = (".c", ".h", ".def", ".l", ".y", ".py", ".awk")
LINES = 800
# One grammar: bison takes it as one file. One interface: programs include one header.
LONG = {"grammar/syntax/ferz.y", "interp/ferz.h"}
# A function of the library, and a parameter through which it returns something.
DECLARED = re.compile(r"^\w[\w *]*\b(fz_\w+)\(([^;{]*)\);", re.MULTILINE)
RESULT = re.compile(r"(?!const )(?!fz_(?:machine|context|state|agent|batch|moves|program|report|"
                    r"record) \*\w)(?!void \*\w)\w+ \*+\w+$|const \w+ \*\*\w+$")
# Tables may have longer lines: rows of .def files, and tables and code in Markdown.
ROW = re.compile(r"[A-Z][A-Z0-9_]*\(")


def of_sources(_):
    """Those that need no build."""
    for folder in SOURCES:
        yield Job(f"house/{folder}-is-listed", listed, folder)
    yield Job("house/includes-follow-the-rooms", complaints, rooms.complaints)
    yield Job("house/calls-follow-the-rooms", complaints, calls.complaints)
    yield Job("house/shared-names-have-one-meaning", complaints, calls.two_meanings)
    yield Job("house/no-function-is-dead", complaints, calls.dead)
    yield Job("house/public-functions-are-tested", complaints, calls.untested)
    yield Job("house/words-are-those-of-the-glossary", complaints, words.complaints)
    yield Job("house/names-are-unique", complaints, rooms.same_names)
    yield Job("house/lines-fit-the-columns", complaints, too_long)
    yield Job("house/files-are-short", complaints, too_many_lines)
    yield Job("house/no-game-is-named", unnamed)
    yield Job("house/modules-are-listed", complaints, unlisted_modules)
    yield Job("house/boards-of-imports-are-those-of-modules", complaints, other_boards)
    yield Job("house/the-tarball-has-all-files", complaints, undistributed)
    yield Job("house/symbols-of-the-package-are-exported", complaints, other_symbols)
    yield Job("house/results-may-be-unwanted", complaints, always_wanted)
    yield Job("house/packages-have-one-version", complaints, packaging.other_versions)
    yield Job("house/packages-have-metadata", complaints, packaging.missing_metadata)
    yield Job("house/appstream-has-all-parts", complaints, packaging.missing_appstream)
    if shutil.which("appstreamcli"):
        yield Job("house/appstream-is-valid", packaging.appstream)
    yield Job("house/a-hanging-test-fails", hanging)
    for script in MADE:
        yield Job(f"house/{script}-is-made", made, script)


def jobs(context):
    yield from of_sources(context)
    library = context.build and context.build / ".libs/libferz-core.a"
    if library and library.exists() and not context.is_instrumented() and shutil.which("objdump"):
        yield Job("house/library-has-no-globals", complaints, partial(variables, library))
    if context.build and (context.build / "Makefile").exists():
        yield Job("house/objects-wait-for-made-headers", waiting)
        yield Job("house/makes-do-not-meet", apart)
        yield Job("house/libraries-may-be-missing", packaging.without_libraries)


def listed(_, name, folder):
    """Every source file is named in the folder's Makefile.inc, and every name there is a file."""
    there = {str(path.relative_to(ROOT))
             for path in (ROOT / folder).rglob("*") if path.suffix in SOURCES[folder]}
    inc = ROOT / (folder if folder != "tests/unit" else "tests") / "Makefile.inc"
    words = set(re.findall(rf"{folder}/[\w./+-]+",
                           re.sub(r"#[^\n]*", "", inc.read_text(encoding="utf-8"))))
    if folder == "tests/unit":
        words = {word if word.endswith(".h") else word + ".c" for word in words}
    named = {word for word in words if word.endswith(SOURCES[folder])}
    missing, gone = sorted(there - named - GENERATED), sorted(named - there - GENERATED)
    detail = "".join(f"not in {inc.relative_to(ROOT)}: {path}\n" for path in missing)
    detail += "".join(f"in {inc.relative_to(ROOT)}, but no such file: {path}\n" for path in gone)
    return [Result(name, not detail, detail)]


def unlisted_modules():
    """stdlib/modules.list, by which hints find the module of a name, has every module."""
    there = {path.stem for path in (ROOT / "stdlib").glob("*.game")} - {"prelude"}
    words = set((ROOT / "stdlib/modules.list").read_text(encoding="utf-8").split())
    return "".join(f"{name}\n" for name in sorted(there ^ words))


def other_boards():
    """The importer knows the boards of modules by hashes of their texts."""
    problems = ""
    table = (ROOT / "grammar/import/lud_boards.def").read_text(encoding="utf-8")
    for name, wanted in re.findall(r"^BOARD\((\w+), (0x\w+)\)", table, re.M):
        text = (ROOT / f"stdlib/{name}.game").read_text(encoding="utf-8")
        board = "".join(text.partition("\nboard ")[2].rstrip().removesuffix(";").split())
        value = 0xcbf29ce484222325
        for byte in board.encode():
            value = (value ^ byte) * 0x100000001b3 % 2 ** 64
        if value != int(wanted, 16):
            problems += f"{name}: {value:#018x}\n"
    return problems or ("" if "BOARD(" in table else "no boards\n")


def undistributed():
    """Each tracked file is named for the build or the tarball, or a folder of it is."""
    named = {"configure.ac", "Makefile.am", "Makefile.inc", ".gitignore"}
    for path in [ROOT / "Makefile.am", *ROOT.rglob("Makefile.inc")]:
        text = re.sub(r"#[^\n]*", "", path.read_text(encoding="utf-8"))
        named |= set(re.findall(r"[\w./+-]+", text))
    wanted = [path for path in tracked(("",)) if not path.endswith("/Makefile.inc")]
    return "".join(f"{path}\n" for path in wanted if not named & {
        path, path.rsplit(".", 1)[0], path + ".in", path.removesuffix(".in"),
        *("/".join(path.split("/")[:n]) for n in range(2, path.count("/") + 1))})


def other_symbols():
    """The functions of ferz.h and those that programs linked with the package may use. One that
    vanishes breaks them: it stays, or the library gets another number."""
    declared = {match[1] for match in DECLARED.finditer(
        (ROOT / "interp/ferz.h").read_text(encoding="utf-8"))}
    file = ROOT / "docs/packaging/debian/libferz1.symbols"
    listed_there = set(re.findall(r"^ (fz_\w+)@", file.read_text(encoding="utf-8"), re.MULTILINE))
    return "".join(f"{name}: not in {file.name}\n" for name in sorted(declared - listed_there)) + \
        "".join(f"{name}: not in ferz.h\n" for name in sorted(listed_there - declared))


def rules(context, *goals):
    """The rules of the build tree's Makefile when these are to be made, as make prints them."""
    return subprocess.run(["make", "-pn", *goals], cwd=context.build, check=True, text=True,
                          capture_output=True).stdout


def variables(library):
    """Variables of the library that are no constants: contexts and machines would share them."""
    symbols = subprocess.run(["objdump", "-t", library], check=True, text=True,
                             capture_output=True).stdout
    return "".join(f"{name} is a variable of the whole process\n" for name in re.findall(
        r"^\w+ .{7} (?:\.data|\.bss|\.tdata|\.tbss|\*COM\*)(?!\.rel\.ro)\S*\t\w+ (?!\.)(\S+)$",
        symbols, re.MULTILINE))


def waiting(context, name):
    """In a new tree nobody knows yet what a source includes, so the objects say it: order-only."""
    header = "grammar/syntax/ferz_parse.h"
    sources = [path for path in (ROOT / "grammar").rglob("*.[cl]")
               if f'"{header}"' in path.read_text(encoding="utf-8") and path.stem != "ferz_parse"]
    printed = rules(context, header)
    detail = ""
    for path in sources:
        stem = "ferz_lex" if path.suffix == ".l" else path.stem
        if not re.search(rf"^grammar/syntax/{stem}\.lo:.*\|.* ?{header}$", printed, re.MULTILINE):
            detail += f"{stem}.lo may be compiled before {header} is there\n"
    if not re.search(r"^%/ferz_parse\.c %/ferz_parse\.h: %/ferz\.y$", printed, re.MULTILINE):
        detail += "no rule says that one run of bison writes both files\n"
    return [Result(name, bool(sources) and not detail, detail)]


def apart(context, name):
    """`all` is a make of its own: another goal waits for it. Alone it runs in parallel."""
    detail = ""
    for goals, waits in ((("all", "ferz"), True), (("all",), False), (("ferz", "ferz.sym"), False)):
        if ("\n.NOTPARALLEL:" in rules(context, *goals)) != waits:
            detail += f"make {' '.join(goals)} {'does not wait' if waits else 'waits'}\n"
    return [Result(name, not detail, detail)]


def complaints(_, name, check):
    detail = check()
    return [Result(name, not detail, detail)]


def tracked(endings):
    """The tracked files with such names; none outside of a clone."""
    listing = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True,
                             check=False)
    return [path for path in listing.stdout.split()
            if path.endswith(endings) and (ROOT / path).is_file()]


def too_many_lines():
    """Sources of more than 800 lines: a file is about one idea."""
    found = []
    for path in tracked(SHORT):
        lines = (ROOT / path).read_bytes().count(b"\n")
        if lines > LINES and path not in LONG:
            found.append(f"more than {LINES} lines: {path} has {lines}\n")
    return "".join(found)


def too_long():
    """Lines of more than 100 columns; tables may be wider, and code in Markdown."""
    return "".join(f"more than {COLUMNS} columns: {path}:{number}\n" for path in tracked(FORMATTED)
                   for number in long_lines(path, (ROOT / path).read_text(encoding="utf-8")))


def long_lines(path, text):
    code, markdown = False, path.endswith(".md")
    for number, line in enumerate(text.split("\n"), 1):
        code ^= markdown and line.lstrip().startswith("```")
        table = (code or line.startswith("|")) if markdown else \
            path.endswith(".def") and ROW.match(line)
        if len(line) > COLUMNS and not table:
            yield number


def always_wanted():
    """Functions of ferz.h that return something through a pointer: each is called without it."""
    header = re.sub(r"/\*.*?\*/", "", (ROOT / "interp/ferz.h").read_text("utf-8"), flags=re.DOTALL)
    tried = (ROOT / "tests/unit/test_unwanted.c").read_text("utf-8")
    return "".join(f"{name} is not in tests/unit/test_unwanted.c\n"
                   for name, parameters in DECLARED.findall(header)
                   if any(map(RESULT.match, map(str.strip, parameters.split(","))))
                   and f"{name}(" not in tried)


def unnamed(_, name):
    found = [f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
             for folder in ("grammar", "interp") for path in sorted((ROOT / folder).rglob("*"))
             if path.is_file() and path.suffix in SOURCES["grammar"]
             and path.parent != ROOT / "grammar/import"
             for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1)
             if GAMES.search(line)]
    return [Result(name, not found, "\n".join(found))]


def made(context, name, script):
    """The page is as its script would write it now."""
    output = context.command([sys.executable, "-BS", str(ROOT / script), "--check"])
    return [Result(name, output.code == 0, output.describe())]


# Two jobs: the first waits for a program that does not end.
HANGING = """\
import subprocess, sys
sys.path.insert(0, "tests")
import run
from runner.common import Context, Job, Result, settings
context, totals = Context(settings(build="build")), run.Totals(False)
context.time_limit = 0.2
totals.run(context, [Job("slow", lambda *_: subprocess.run(["sleep", "60"]) and []),
                     Job("quick", lambda *_: [Result("quick", True)])], 1)
run.summary(totals)
"""


def hanging(context, name):
    """A test that hangs has failed, and names what it waited for; the next one runs."""
    output = context.command([sys.executable, "-c", HANGING])
    wanted = "slow still runs after", "sleep 60", "FAIL slow", "1 passed, 1 failed"
    missing = [part for part in wanted if part not in output.out]
    return [Result(name, not missing, f"missing: {missing}\n{output.describe()}")]
