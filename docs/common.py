"""What the programs of docs/ share: they write pages from the sources, or with --check compare
them."""
import argparse
import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def rows_of_facts(path):
    """Of a table of tests/facts, without comments."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            yield tuple(line.split("\t"))


def language_words():
    """The words of the grammar: those that are never names, and those that are names where the
    grammar expects no such word."""
    blocks = re.findall(r"^%token .*\n(?:    .*\n)*", read("grammar/syntax/ferz.y"), re.MULTILINE)
    return [set(re.findall(r'\b[A-Z]+ "([a-z]+)"', block)) for block in blocks[:2]]


def types():
    """The names of types."""
    row = re.search(r"bool int site sites dir dirs player team kind",
                    read("grammar/check/check.h"))
    return row[0].split()


def options(text, ferz=False):
    """A parser of --check and, with `ferz`, of --ferz COMMAND: a list of words."""
    parser = argparse.ArgumentParser(description=text,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="change nothing, say what differs")
    if ferz:
        parser.add_argument("--ferz", metavar="COMMAND", type=shlex.split, required=True)
    return parser


def run(ferz, *words):
    """The output of a command of ferz."""
    return subprocess.run([*ferz, *words], encoding="utf-8", check=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL).stdout


def finish(pages, check, wrong=()):
    """Writes `pages`, texts by name, or compares them. Prints the complaints, and those of `wrong`;
    exits with status 1 if there are any."""
    wrong = list(wrong)
    for name, text in pages.items():
        path = ROOT / name
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        if check:
            wrong.append(f"{name}: not as {Path(sys.argv[0]).name} would write it")
        else:
            path.write_text(text, encoding="utf-8")
    print("\n".join(wrong), end="\n" if wrong else "")
    sys.exit(1 if wrong else 0)


def cell(text):
    """For a table of Markdown."""
    return text.replace("|", "\\|")


def row(cells):
    return f"| {' | '.join(map(cell, cells))} |"
