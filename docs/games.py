#!/usr/bin/env python3
"""Writes docs/games.md, the table of the shipped games, from the scripts in games/.

    docs/games.py            writes the page
    docs/games.py --check    changes nothing; says what differs or what a script's `info` lacks;
                             exit status 1 if there is anything

The pictures are those of docs/pictures.py. Everything else stands in the scripts: title, `info`,
options, the values that a variant sets, and the numbers of rulings (T-12, MC-3 ...) in `///`
comments and in the titles of tests.
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs/games.md"
PICTURES = ROOT / "docs/pictures/index.tsv"
NEEDED = ("source", "year", "licence")

HEADER = re.compile(r'^(?:game|variant) "([^"]*)"(?: of ("[^"]*"(?:, "[^"]*")*))?;', re.MULTILINE)
INFO = re.compile(r"^info \{\n(.*?)^\}", re.MULTILINE | re.DOTALL)
KEY = re.compile(r'^  (\w+)\s+"((?:[^"\\]|\\.)*)";', re.MULTILINE)
OPTION = re.compile(r"^\s*option (\w+)", re.MULTILINE)
CHOSEN = re.compile(r"^set (\w+) = (\w+);", re.MULTILINE)
REMOVED = re.compile(r"^remove ([\w, ]+);", re.MULTILINE)
COMMENT = re.compile(r"^\s*///(.*)$", re.MULTILINE)
RULE = re.compile(r"(?:^\s*///.*\n)+(?!test )", re.MULTILINE)
# What a comment says to `ferz rules` alone.
SAID = re.compile(r"^[ \t]*/// ?rule:.*\n(?:[ \t]*///.*\n)*", re.MULTILINE)
TEST = re.compile(r'^test "((?:[^"\\]|\\.)*)"', re.MULTILINE)
RULING = re.compile(r"\b([A-Z]{1,3})-(\d+)(?: to \1-(\d+))?\b")

HEAD = """# The games that come with Ferz

`docs/games.py` generates this page from the scripts. The `info` of each script states the source of
its rules, the year of the game or of these rules, and the licence. `ferz info` prints it, with the
options and their values. Every rule in a script cites its place in the source.

[catalogue.md](catalogue.md) has the games in figures: players, board, size, facts, speed.
[brevity.md](brevity.md) compares the length of scripts with that of other systems' scripts.
The pictures show how the games begin, or a position after some random moves if the board is
empty at first; [`ferz show --svg`](commands.md#pictures) draws any position.

- *Options*: the options of the script. A variant also has those of its base, with the values that
  it sets.
- *Rules*, if the source numbers its rulings: how many of them comments cite, and how many appear in
  the title of a test. Otherwise: how many comments cite the source. A variant counts only its own
  text.
"""


class Script:
    def __init__(self, path):
        self.path = path
        source = path.read_text(encoding="utf-8")
        self.title, bases = HEADER.search(source).groups()
        names = re.findall(r'"([^"]*)"', bases or "")
        self.bases = [(path.parent / name).resolve() for name in names]
        info = INFO.search(source)
        self.info = dict(KEY.findall(info[1])) if info else {}
        self.options = OPTION.findall(source)
        self.chosen = CHOSEN.findall(source)
        self.removed = ", ".join(REMOVED.findall(source)).split(", ")
        source = SAID.sub("", source)
        self.rules = len(RULE.findall(source))
        self.cited = rulings(" ".join(COMMENT.findall(source)))
        self.tested = rulings(" ".join(TEST.findall(source)))

    def lacking(self):
        return [key for key in NEEDED if key not in self.info]


def rulings(text):
    """The numbers in a text; `T-10 to T-16` is seven of them."""
    found = set()
    for letters, first, last in RULING.findall(text):
        found.update((letters, number) for number in range(int(first), int(last or first) + 1))
    return found


def option_cell(script, scripts):
    words = [f"{name}={value}" for name, value in script.chosen] + script.options
    bases = [scripts[base] for base in script.bases]
    words += [f"no {name}" for name in script.removed
              if any(name in base.options for base in bases)]
    if bases:
        words.append("those of " + " and ".join(base.title for base in bases))
    return ", ".join(words) or "-"


def rule_cell(script):
    every = rulings(script.info.get("rulings", ""))
    if not every:
        return f"{script.rules} cited" if script.rules else "-"
    return (f"{len(script.cited & every)} cited, {len(script.tested & every)} in tests, "
            f"of {len(every)}")


def picture_cell(script, pictures):
    name = pictures.get(str(script.path.relative_to(ROOT)))
    return f'<img src="pictures/{name}" alt="" height="120">' if name else ""


def game_row(script, scripts, pictures):
    place = script.path.relative_to(ROOT)
    cells = [picture_cell(script, pictures), script.title, script.info.get("source", "-"),
             script.info.get("year", "-"),
             f"[{place.name}](../{str(place).replace(' ', '%20')})", option_cell(script, scripts),
             rule_cell(script)]
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def page(scripts):
    lines = [HEAD]
    rows = PICTURES.read_text(encoding="utf-8").splitlines()
    pictures = dict(row.split("\t") for row in rows)
    for folder in sorted({path.parent for path in scripts}):
        here = sorted((script for path, script in scripts.items() if path.parent == folder),
                      key=lambda s: s.title)
        lines += [f"## {folder.relative_to(ROOT)}", "",
                  "| | game | source | from | script | options | rules |",
                  "| --- | --- | --- | --- | --- | --- | --- |"]
        lines += [game_row(script, scripts, pictures) for script in here] + [""]
    return "\n".join(lines).rstrip("\n") + "\n"


def main():
    scripts = {path: Script(path) for path in sorted((ROOT / "games").rglob("*.game"))}
    made = page(scripts)
    wrong = [f"{path.relative_to(ROOT)}: info lacks {', '.join(script.lacking())}"
             for path, script in scripts.items() if script.lacking()]
    if "--check" in sys.argv:
        if not PAGE.exists() or PAGE.read_text(encoding="utf-8") != made:
            wrong.append("docs/games.md: not as docs/games.py would write it")
    else:
        PAGE.write_text(made, encoding="utf-8")
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
