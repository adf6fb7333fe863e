"""One mistake, one message, on its line, with what mends it: tests/errors/corpus/*.txt.

Each block is a realistic mistake in a game of games/: what the lines were, what they became, what
would mend the mistake, and what `ferz check` says first:

    == games/classic/hex.game    # C: type before the parameter
    - the line of the game
    + the line with the mistake
    mends: s: site
    +0 E0111 ':' expected, found 's'
        hint: write the type after the name: 's: site'

The number counts lines from the first of the block. Exactly one error is expected unless another
number stands in brackets after the code: E0301[2]. `line: +19` says where the mistake shows if not
in a line of the block that has changed. `mends:` gives texts, separated by ` || `: the message or a
hint must contain one of them to mend the mistake. Without it, the message must name each token that
was lost, or the one that is too much. A block whose kind begins with `meaning` is a slip that is no
error of grammar, names or types; it has no `mends:`, and it is found if anything is said. `nothing`
is the result of one that is not found. A fix of the first message, carried out, mends the mistake.

tests/errors/corpus/measure.py writes the results into the files and the table of docs/errors.md;
the measured rates must not fall below LEAST.
"""
import collections
import difflib
import json
import os
import re
import threading
from pathlib import Path

from .common import ROOT, Failure, Job, Result, crashed

FOLDER = ROOT / "tests/errors/corpus"
PAGE = ROOT / "docs/errors.md"
EXPECTED = re.compile(r"([+-]\d+) ([EW]\d+)(?:\[(\d+)\])? (.*)$")
TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|[A-Za-z_]\w*|\d+|=>|==|!=|<=|>=|\.\.|[^\s\w]')
# Shares of each file in percent: the first message on the right line, a message or hint that mends,
# slips of meaning found. Mistakes with more than one error: at most 3 (in blind.txt, whose answers
# nobody has mended).
LEAST = {"line": 93, "mends": 70, "found": 50}


class Mistake:
    def __init__(self, block):
        self.block = block.rstrip("\n")
        lines = self.block.split("\n")
        self.game, _, self.kind = lines[0][3:].partition("    # ")
        self.old = [line[2:] for line in lines if line == "-" or line.startswith("- ")]
        self.new = [line[2:] for line in lines[1:] if line == "+" or line.startswith("+ ")]
        self.mends = next((line[7:].split(" || ") for line in lines
                           if line.startswith("mends: ")), [])
        self.shown_at = next((int(line[6:]) for line in lines if line.startswith("line: ")), None)
        self.result = [line for line in lines if line.startswith(("    hint: ", "    note: ")) or
                       EXPECTED.match(line) or line == "nothing"]
        if not self.old:
            raise Failure(f"not a mistake:\n{block}")

    @property
    def of_meaning(self):
        return self.kind.startswith("meaning")

    def made(self):
        """The game's text with the mistake, and the number of the first line of the block."""
        lines = (ROOT / self.game).read_text(encoding="utf-8").split("\n")
        places = [i for i in range(len(lines)) if lines[i:i + len(self.old)] == self.old]
        if len(places) != 1:
            raise Failure(f"{self.game} has this line {len(places)} times: {self.old[0]}")
        at = places[0]
        return "\n".join(lines[:at] + self.new + lines[at + len(self.old):]), at + 1

    def changed(self):
        """The lines of the block, counted from 0, that the mistake is in."""
        found = set()
        for tag, _, _, start, end in difflib.SequenceMatcher(
                None, self.old, self.new, autojunk=False).get_opcodes():
            if tag != "equal":
                found.update(range(start, max(end, start + 1)))
        return found if self.shown_at is None else {self.shown_at}

    def lost_and_extra(self):
        old, new = (TOKEN.findall("\n".join(lines)) for lines in (self.old, self.new))
        lost, extra = [], []
        for tag, i, j, k, l in difflib.SequenceMatcher(None, old, new,
                                                       autojunk=False).get_opcodes():
            if tag != "equal":
                lost += old[i:j]
                extra += new[k:l]
        return lost, extra

    def is_mended_by(self, message, hints):
        said = "\n".join([message, *hints])
        if self.mends:
            return any(text in said for text in self.mends)
        lost, extra = self.lost_and_extra()
        return all(f"'{token}'" in said for token in lost or extra[:1])


def place_in(said, mistake):
    """What a message shows in the file with the mistake: itself or a note."""
    own = [item for item in [said, *said.get("notes", [])]
           if str(item.get("file", "")).endswith(mistake.game.rsplit("/", 1)[1])]
    return own[0] if own else said


class Answer:
    """What ferz says about a mistake."""

    def __init__(self, mistake, said, first_line):
        errors = [item for item in said if item["severity"] == "error"]
        self.errors = len(errors)
        self.first = (errors or said or [None])[0]
        place = self.first and place_in(self.first, mistake)
        self.line = (place["line"] or 0) - first_line if place else None
        self.right_line = self.line in mistake.changed()
        self.mended = bool(self.first) and mistake.is_mended_by(
            self.first["message"], self.first["hints"] + self.notes())

    def notes(self):
        """Those about other places that are not the same mistake again."""
        notes = self.first.get("notes", []) if self.first else []
        return [note["message"] for note in notes if not note["message"].startswith("the same")]

    def lines(self):
        if not self.first:
            return ["nothing"]
        count = f"[{self.errors}]" if self.errors > 1 else ""
        return [f"{self.line:+d} {self.first['code']}{count} {self.first['message']}",
                *(f"    note: {note}" for note in self.notes()),
                *(f"    hint: {hint}" for hint in self.first["hints"])]


def files():
    return sorted(FOLDER.glob("*.txt"))


def blocks_of(path):
    return re.split(r"^(?=== )", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]


def jobs(_):
    size = 20
    for path in files():
        blocks = blocks_of(path)
        for start in range(0, len(blocks), size):
            yield Job(f"errors/{path.stem}-{start // size + 1}", some_mistakes,
                      blocks[start:start + size])
    yield Job("errors/rates", rates_hold)


def some_mistakes(context, name, blocks):
    results = []
    for block in blocks:
        try:
            mistake = Mistake(block)
            answer = asked(context, mistake)
            wrong = ""
            if answer.lines() != mistake.result:
                wrong = "found:\n" + "\n".join(answer.lines())
            wrong += "\n".join(wrong_fixes(context, mistake, answer))
        except Failure as failure:
            wrong = str(failure)
        results.append(Result(name, not wrong, f"{block.rstrip()}\n{wrong}"))
    return results


class Beside(threading.local):
    """Folders of this thread, by those of games, with links to all scripts: bases of variants."""

    def __init__(self):
        self.folders = {}

    def folder(self, context, of):
        if of not in self.folders:
            made = self.folders[of] = context.folder() / of.name
            made.mkdir()
            for script in of.glob("*.game"):
                os.symlink(script, made / script.name)
        return self.folders[of]


BESIDE = Beside()


def asked(context, mistake, *options):
    text, at = mistake.made()
    return Answer(mistake, check(context, mistake, text, *options), at)


def check(context, mistake, text, *options):
    """The diagnostics of the text in place of the game."""
    path = ROOT / mistake.game
    script = BESIDE.folder(context, path.parent) / path.name
    script.unlink()
    script.write_text(text, encoding="utf-8")
    output = context.run("check", "--format", "json", *options, str(script), cwd=ROOT)
    script.unlink()
    os.symlink(path, script)
    if crashed(output):
        raise Failure(crashed(output))
    return json.loads(output.out.replace(f"{script.parents[1]}/", ""))


# ---- fixes ----

def offset(text, line, column):
    """Where a place of a range lies in the text."""
    return sum(len(one) + 1 for one in text.split("\n")[:line - 1]) + column - 1


def fixed(text, edits):
    for edit in sorted(edits, key=lambda edit: (edit["range"]["line"], edit["range"]["column"]),
                       reverse=True):
        at = edit["range"]
        start = offset(text, at["line"], at["column"])
        end = offset(text, at["end_line"], at["end_column"])
        text = text[:start] + edit["text"] + text[end:]
    return text


def wrong_fixes(context, mistake, answer):
    """Each fix of the first message, carried out, leaves a script without that error: a valid one,
    or one whose first error is another, and none of syntax if the mistake was none. Returns the
    texts of those that do not."""
    fixes = collections.defaultdict(list)
    for edit in answer.first["fixes"] if answer.first else []:
        if edit["file"].endswith(mistake.game.rsplit("/", 1)[1]):
            fixes[edit["fix"]].append(edit)
    wrong = []
    for edits in fixes.values():
        said = check(context, mistake, fixed(mistake.made()[0], edits))
        first = next((item for item in said if item["severity"] == answer.first["severity"]), None)
        if first and first["message"] == answer.first["message"]:
            wrong.append(f"this fix leaves the mistake as it is: {edits}\n{first}")
        broken = [item for item in said if item["code"].startswith("E01")]
        if broken and not answer.first["code"].startswith("E01"):
            wrong.append(f"this fix breaks the syntax: {edits}\n{broken[0]}")
    return wrong


# ---- rates ----

class Rates:
    """How many mistakes, and for how many of them each good thing is true."""

    def __init__(self):
        self.count = collections.Counter()

    def add(self, mistake, answer):
        if mistake.of_meaning:
            self.count["meaning"] += 1
            self.count["found"] += bool(answer.first)
            return
        self.count["mistakes"] += 1
        self.count["line"] += answer.right_line
        self.count["mends"] += answer.mended
        self.count["cascades"] += answer.errors > 1

    def share(self, what, of):
        return 100 * self.count[what] / self.count[of] if self.count[of] else 100.0

    def row(self, name):
        share = [f"{self.share(what, 'mistakes'):.0f} %" for what in ("line", "mends")]
        return (f"| {name} | {self.count['mistakes']} | {share[0]} | {share[1]} | "
                f"{self.count['cascades']} | {self.count['found']} of {self.count['meaning']} |")

    def too_low(self):
        return [what for what, of in (("line", "mistakes"), ("mends", "mistakes"),
                                      ("found", "meaning"))
                if self.share(what, of) < LEAST[what]] + (
                    ["cascades"] if self.count["cascades"] > 3 else [])


def recorded(block):
    """The answer that the file has."""
    mistake = Mistake(block)
    said = []
    for line in mistake.result:
        place = EXPECTED.match(line)
        if place:
            said = [{"severity": "error" if place[2][0] == "E" else "warning", "code": place[2],
                     "line": int(place[1]), "message": place[4], "hints": [], "notes": []}]
            said += said * (int(place[3] or 1) - 1)
        elif line != "nothing":
            said[0]["hints"].append(line[10:])       # notes and hints are told alike
    return mistake, Answer(mistake, said, 0)


def table():
    rows = ["| mistakes | number | right line | mended | with several errors | of meaning: found |",
            "| --- | --- | --- | --- | --- | --- |"]
    low = []
    for path in files():
        rates = Rates()
        for block in blocks_of(path):
            rates.add(*recorded(block))
        rows.append(rates.row(path.stem))
        low += [f"{path.stem}: {what}" for what in rates.too_low()]
    return "\n".join(rows), low


def rates_hold(_, name):
    rows, low = table()
    fresh = rows in PAGE.read_text(encoding="utf-8")
    return [Result(name, not low, f"too low: {', '.join(low)}\n{rows}"),
            Result(name, fresh, f"docs/errors.md should have (measure.py --write):\n{rows}")]
