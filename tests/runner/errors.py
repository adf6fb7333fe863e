"""Bad scripts with exactly the diagnostics that are expected: tests/errors/*.game.

Expectations stand in the script, where the eye is:

    piece Rook "R" { move to slide(here, orthagonal); }   //~ E0312 38-47 unknown name 'orthagonal'
                                                          //~ hint: did you mean 'orthogonal'?
                                                          //~ note: 2:5-9 the message of the note

The code, the columns from and to (both inclusive, from 1), the message in full; hints and notes
belong to the diagnostic before them, all of them and in their order; a note may leave its place
unsaid.

    //~^ E0312 38-47 ...          is about the line above (`^^`: two above), where there is no room
    //~ E0312 38-+2:5 ...         ends two lines further down, in column 5
    //~ base.game:3 E0312 1-4 ... is in another file (its last part), line 3
    //~ args -o Setup=Mirrored    further arguments of ferz check
    //~ full                      no such lines: the text output stands in NAME.expect instead

If NAME.expect exists, `ferz check NAME.game` in tests/errors must print it, stdout and stderr
together. Scripts that others need (base games, modules) live in sub-folders, where nothing is run.

Besides, every code of grammar/source/errors.def has an example here, or a line with the reason in
tests/errors/uncovered.txt, and a place in docs/errors.md. Realistic mistakes in games, each with
one message, are in tests/errors/corpus: runner/mistakes.py.
"""
import json
import re
import shlex
from pathlib import Path

from . import mistakes
from .common import ROOT, Failure, Job, Result, crashed, difference

FOLDER = ROOT / "tests/errors"
MARK = re.compile(r"//~(\^*) ?(.*?)\s*$")
DIAGNOSTIC = re.compile(r"(?:(\S+\.game):(\d+) )?([EW]\d+) (\d+)-(?:\+(\d+):)?(\d+)(?: (.*))?$")
NOTE_PLACE = re.compile(r"(?:\S+\.game:)?\d+:\d+-(?:\+\d+:)?\d+ (.*)$")
DEFINED = re.compile(r"^\s*(?:ERROR|WARNING)\s*\(\s*([EW]\d+)", re.MULTILINE)


def jobs(_):
    for path in sorted(FOLDER.glob("*.game")):
        yield Job(f"errors/{path.stem}", one_script, path)
    yield from mistakes.jobs(_)
    yield Job("errors/every-code-has-an-example", examples)
    yield Job("errors/every-code-is-documented", documented)
    folder = ROOT.parent / "shared/drafts"  # beside the project, where it is worked on
    if folder.is_dir():
        yield Job("errors/drafts", drafts, folder)


def place(file, line, column, end_line, end_column):
    """A span as expectations write it; the file is None in the script itself."""
    more = f"+{end_line - line}:" if end_line != line else ""
    return f"{file + ':' if file else ''}{line}:{column}-{more}{end_column}"


class Diagnostic:
    """One diagnostic as text, expected or reported, in the same form."""

    def __init__(self, file, line, column, end_line, end_column, headline):
        self.key = (file or "", line, column, headline)
        self.headline = f"{place(file, line, column, end_line, end_column)} {headline}".rstrip()
        self.notes = []
        self.hints = []

    def lines(self):
        return [self.headline, *("  note: " + note for note in self.notes),
                *("  hint: " + hint for hint in self.hints)]


def expectations(source):
    """(diagnostics, arguments, whether NAME.expect is all there is)."""
    found, arguments, full = [], [], False
    for number, line in enumerate(source.split("\n"), 1):
        mark = MARK.search(line)
        if not mark:
            continue
        up, words = len(mark[1]), mark[2]
        if words == "full":
            full = True
        elif words.startswith("args "):
            arguments += shlex.split(words[5:])
        elif words.startswith(("hint: ", "note: ")):
            if not found:
                raise Failure(f"line {number}: a hint or note before any diagnostic")
            (found[-1].hints if words.startswith("hint") else found[-1].notes).append(words[6:])
        else:
            parsed = DIAGNOSTIC.match(words)
            if not parsed:
                raise Failure(f"line {number}: not an expectation: //~ {words}")
            file, other, code, column, more, end, message = parsed.groups()
            at = int(other or number - up)
            found.append(Diagnostic(file, at, int(column), at + int(more or 0), int(end),
                                    f"{code} {message or ''}"))
    return sorted(found, key=lambda d: d.key), arguments, full


def span(item, path):
    """The file (None for the script), line, column, end line and end column of a JSON span."""
    name = Path(item.get("file") or path).name
    line, column = item["line"], item["column"]
    return (name if name != path.name else None, line, column,
            item.get("end_line", line), item.get("end_column", column))


def reported(items, path):
    found = []
    for item in items:
        diagnostic = Diagnostic(*span(item, path), f"{item['code']} {item['message']}")
        for note in item.get("notes", []):
            where = place(*span(note, path)) + " " if note.get("line") else ""
            diagnostic.notes.append(where + note["message"])
        diagnostic.hints = item.get("hints", [])
        found.append(diagnostic)
    return sorted(found, key=lambda d: d.key)


def without_unsaid_places(expected, got):
    """Takes the place out of a reported note where the expected one does not name it."""
    for wanted, have in zip(expected, got):
        for index, note in enumerate(wanted.notes[:len(have.notes)]):
            placed = NOTE_PLACE.match(have.notes[index])
            if placed and not NOTE_PLACE.match(note):
                have.notes[index] = placed[1]


def one_script(context, name, path):
    expected, arguments, full = expectations(path.read_text(encoding="utf-8"))
    results = []
    expect_file = path.with_suffix(".expect")
    if full and not expect_file.exists():
        return [Result(name, False, f"{expect_file.name} is missing")]
    if expect_file.exists():
        output = context.run("check", *arguments, path.name, cwd=FOLDER, merge=True)
        wanted = expect_file.read_text(encoding="utf-8")
        results.append(Result(f"{name}:text", output.out == wanted and not crashed(output),
                              difference(wanted, output.out) or output.describe()))
    if not full:
        results.append(compared(context, name, path, expected, arguments))
    return results


def compared(context, name, path, expected, arguments):
    output = context.run("check", *arguments, path.name, "--format", "json", cwd=FOLDER)
    try:
        diagnostics = json.loads(output.out)
    except ValueError:
        return Result(name, False, "ferz check --format json printed no JSON\n" + output.describe())
    got = reported(diagnostics, path)
    without_unsaid_places(expected, got)
    wanted_lines, got_lines = (sum((d.lines() for d in which), []) for which in (expected, got))
    wanted_code = 1 if any(item["severity"] == "error" for item in diagnostics) else 0
    wrong = crashed(output) or ""
    if wanted_lines != got_lines:
        wrong += difference("\n".join(wanted_lines), "\n".join(got_lines))
    if not wrong and output.code != wanted_code:
        wrong = f"exit {output.code}, expected {wanted_code}\n{output.err}"
    if not wrong and not expected:
        wrong = "nothing is expected of this script (it belongs into tests/language)"
    return Result(name, not wrong, wrong)


def codes():
    table = ROOT / "grammar/source/errors.def"
    return DEFINED.findall(table.read_text(encoding="utf-8")) if table.exists() else []


def examples(*_):
    shown = set()
    for path in FOLDER.glob("*.game"):
        marks = map(MARK.search, path.read_text(encoding="utf-8").split("\n"))
        shown |= {parsed[3] for mark in marks if mark and (parsed := DIAGNOSTIC.match(mark[2]))}
    for path in FOLDER.glob("*.expect"):
        shown |= set(re.findall(r"\b[EW]\d{4}\b", path.read_text(encoding="utf-8")))
    excused = set()
    uncovered = FOLDER / "uncovered.txt"
    if uncovered.exists():
        excused = {line.split()[0] for line in uncovered.read_text(encoding="utf-8").split("\n")
                   if line.strip() and not line.startswith("#")}
    missing = [code for code in codes() if code not in shown | excused]
    needless = sorted(excused & shown | excused - set(codes()))
    detail = "no example in tests/errors: " + ", ".join(missing) if missing else ""
    if needless:
        detail += "\nneedless in uncovered.txt: " + ", ".join(needless)
    return [Result("errors/every-code-has-an-example", not detail, detail)]


def drafts(context, name, folder):
    """Scripts of before the release are valid, or are told what to write (drafts.tsv)."""
    rows = (FOLDER / "drafts.tsv").read_text(encoding="utf-8").splitlines()
    told = dict(row.split("\t") for row in rows if not row.startswith("#"))
    wrong = ""
    for path in sorted(folder.glob("*/*.game")):
        output = context.run("check", path)
        draft = str(path.relative_to(folder).with_suffix(""))
        good = told[draft] in output.out + output.err if draft in told else output.code == 0
        wrong += "" if good else f"{draft}: {output.describe()}"
    return [Result(name, not wrong, wrong)]


def documented(*_):
    page = ROOT / "docs/errors.md"
    words = page.read_text(encoding="utf-8") if page.exists() else ""
    missing = [code for code in codes() if code not in words]
    return [Result("errors/every-code-is-documented", not missing,
                   "not in docs/errors.md: " + ", ".join(missing))]
