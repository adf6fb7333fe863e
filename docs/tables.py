#!/usr/bin/env python3
"""Keeps the tables of language.md and commands.md equal to what they are about, and errors.md complete and in order.

    docs/tables.py            rewrites the tables, sorts errors.md
    docs/tables.py --check    changes nothing; says what differs, exit 1 if anything does
    docs/tables.py --ferz FILE    also runs the commands of the tutorial with this binary and puts in what they
                                  print (with --check: compares)

The tables stand between `<!-- NAME: made by docs/tables.py -->` and `<!-- end -->`; commands that are run stand
in blocks that begin with ```console run.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LANGUAGE = ROOT / "docs/language.md"
COMMANDS = ROOT / "docs/commands.md"
ERRORS = ROOT / "docs/errors.md"
TUTORIAL = ROOT / "docs/tutorial.md"
TYPES = {"s": "site", "S": "sites", "d": "dir", "D": "dirs", "p": "player", "t": "team", "k": "kind", "i": "int",
         "b": "bool", "x": "any", "X": "set", "G": "generator", "R": "die", "K": "kind", "e": "member",
         "o": "site or dir", "v": "statement"}


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


# ---- what is built in ----

ROW = re.compile(r'^PRIM\((\w+),\s*"([^"]*)",\s*(\w),\s*"[^"]*",\s*"((?:[^"\\]|\\.)*)"\)', re.MULTILINE)
GROUP = re.compile(r"^/\* ---- (.*?) ---- \*/|" + ROW.pattern, re.MULTILINE)


def signature(name, parameters):
    """As the compiler's hints write it."""
    needed, _, optional = parameters.partition("?")
    text = ", ".join(TYPES[letter] for letter in needed) + "".join(f"[, {TYPES[letter]}]" for letter in optional)
    return f"{name}({text})" if parameters else name


def primitives():
    lines = []
    for found in GROUP.finditer(read("grammar/check/primitives.def")):
        group, name, parameters, result, meaning = found.groups()
        if group:
            lines += ["", f"| {group} | | |", "| --- | --- | --- |"]
        else:
            lines.append(f"| `{signature(name, parameters)}` | {TYPES[result]} | {meaning} |")
    return "\n".join(lines[1:])


# ---- modules ----

DECLARATION = re.compile(r"((?:^///.*\n)*)^((?:override )?(?:let|fn|proc|moves|die|enum|option|(?:carried |clock |secret )*var)\b"
                         r".*)$", re.MULTILINE)


def declared(text):
    """(declaration without its body, documentation) of each declaration of a module."""
    for docs, line in DECLARATION.findall(text):
        words = " ".join(part.lstrip("/ ") for part in docs.strip().split("\n"))
        kind, rest = line.split(None, 1)
        if kind == "let":
            rest = re.split(r" = ", rest, maxsplit=1)[0]
        elif kind in ("fn", "proc", "moves"):
            rest = re.split(r" = | \{", rest, maxsplit=1)[0]
        elif kind == "die":
            rest = rest.split(None, 1)[0]
        yield f"{kind} {rest.rstrip('; =')}", words


def module(name):
    rows = list(declared(read(f"stdlib/{name}.game")))
    # A comment may stand before several declarations: those without words of their own continue it.
    return "\n".join(["| | |", "| --- | --- |", *(f"| `{cell(head)}` | {cell(words) or 'the same'} |" for head, words in rows)])


def cell(text):
    return text.replace("|", "\\|")


def prelude():
    return module("prelude")


def introduction(comment):
    """A module's first comment; lines that are set in are code."""
    text, was_code = "", False
    for line in comment.strip().split("\n"):
        line = line.removeprefix("//")
        code = line.startswith("   ")
        if code and not was_code:
            text = text.strip() + "\n\n```ferz-part\n"
        elif was_code and not code:
            text += "```\n\n"
        text += line.strip() + ("\n" if code else " ")
        was_code = code
    return text.strip() + ("\n```" if was_code else "")


def library():
    parts = []
    for path in sorted((ROOT / "stdlib").glob("*.game")):
        text = path.read_text(encoding="utf-8")
        intro = re.match(r"library \w+;\n\n((?://(?!/).*\n)+)", text)
        if path.stem == "prelude":
            continue
        parts.append(f"### use {path.stem}")
        if intro:
            parts.append(introduction(intro[1]))
        if list(declared(text)):
            parts.append(module(path.stem))
    return "\n\n".join(parts)


# ---- words ----

def reserved():
    """The words of the scanner that the grammar does not also take as names."""
    words = re.findall(r'^"([a-z]+)"\s+\{ return FZ_K', read("grammar/syntax/ferz.l"), re.MULTILINE)
    names = re.search(r"^contextual:(.*?)^  ;", read("grammar/syntax/ferz.y"), re.MULTILINE | re.DOTALL)
    free = set(re.findall(r'"([a-z]+)"', names[1]))
    lines, line = [], ""
    for word in sorted(set(words) - free):
        if len(line) + len(word) > 100:
            lines.append(line.strip())
            line = ""
        line += word + " "
    return "```text\n" + "\n".join([*lines, line.strip()]) + "\n```"


# ---- optimisations ----

SWITCH = re.compile(r'^OPTIMISATION\(\w+,\s*"([^"]*)",\s*(\w+),\s*"([^"]*)"\)', re.MULTILINE)


def optimisations():
    rows = [f"| `{name}` | {part.lower()} | {meaning} |" for name, part, meaning in SWITCH.findall(read("interp/program/optimisations.def"))]
    return "\n".join(["| name | when | what it does |", "| --- | --- | --- |", *rows])


MAKERS = {"prelude": prelude, "primitives": primitives, "library": library, "reserved": reserved,
          "optimisations": optimisations}
PLACE = re.compile(r"(<!-- (\w+): made by docs/tables.py -->\n).*?(<!-- end -->)", re.DOTALL)


def page(path):
    return PLACE.sub(lambda found: f"{found[1]}{MAKERS[found[2]]()}\n{found[3]}", path.read_text(encoding="utf-8"))


# ---- errors ----

SECTION = re.compile(r"^## (?=[EW]\d{4} )", re.MULTILINE)
DEFINED = re.compile(r"^\s*(?:ERROR|WARNING)\s*\(\s*([EW]\d+)", re.MULTILINE)


def errors():
    head, *sections = SECTION.split(ERRORS.read_text(encoding="utf-8"))
    sections = sorted(section.strip() for section in sections)
    return "\n\n".join([head.strip(), *("## " + section for section in sections)]) + "\n"


def missing_codes():
    said = re.findall(r"^## ([EW]\d{4}) ", ERRORS.read_text(encoding="utf-8"), re.MULTILINE)
    defined = set(DEFINED.findall(read("grammar/source/errors.def")))
    return ([f"errors.md: nothing about {code}" for code in sorted(defined - set(said))]
            + [f"errors.md: {code} is no code" for code in sorted(set(said) - defined)]
            + [f"errors.md: {code} twice" for code in sorted({code for code in said if said.count(code) > 1})])


# ---- sessions ----

BLOCK = re.compile(r"^```(ferz\S*|console)((?: \S+)*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TIMES = re.compile(r"^\d+\.\d+ s, .*\n", re.MULTILINE)


def session(ferz):
    """The tutorial with what its commands print. Files that it names are written first, as a reader would."""
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(os.path.abspath(ferz), f"{folder}/ferz")
        os.symlink(ROOT / "games/chess", f"{folder}/chess")
        environment = dict(os.environ, PATH=f"{folder}:{os.environ['PATH']}", FERZ_PATH=str(ROOT / "stdlib"),
                           NO_COLOR="1", TERM="dumb", LC_ALL="C.UTF-8")

        def block(found):
            kind, info, text = found.groups()
            if kind != "console":
                for name in re.findall(r"file=(\S+)", info):
                    Path(folder, name).write_text(text, encoding="utf-8")
            if kind != "console" or "run" not in info.split():
                return found[0]
            printed = ""
            for command in re.findall(r"^\$ (.*)$", text, re.MULTILINE):
                done = subprocess.run(["sh", "-c", command], cwd=folder, env=environment, encoding="utf-8", check=False,
                                      stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                printed += f"$ {command}\n" + TIMES.sub("", done.stdout)
            return f"```console{info}\n{printed}```"

        return BLOCK.sub(block, TUTORIAL.read_text(encoding="utf-8"))


def main():
    parser = argparse.ArgumentParser(description="Keeps the tables of the manual equal to what they are about.")
    parser.add_argument("--check", action="store_true", help="change nothing, say what differs")
    parser.add_argument("--ferz", metavar="FILE", help="run the tutorial's commands with this binary")
    args = parser.parse_args()
    wrong = missing_codes()
    pages = [(LANGUAGE, page(LANGUAGE)), (COMMANDS, page(COMMANDS)), (ERRORS, errors())]
    if args.ferz:
        pages.append((TUTORIAL, session(args.ferz)))
    for path, made in pages:
        if made == path.read_text(encoding="utf-8"):
            continue
        if args.check:
            wrong.append(f"{path.name}: not as docs/tables.py would write it")
        else:
            path.write_text(made, encoding="utf-8")
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
