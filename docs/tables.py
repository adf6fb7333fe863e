#!/usr/bin/env python3
"""Keeps the tables of the manual and of commands.md up to date, the index complete, errors.md
complete and in order, and the links of all pages valid.

    docs/tables.py                rewrites the tables, sorts errors.md
    docs/tables.py --check        changes nothing; prints the differences; exit status 1 if there
                                  are any

The tables stand between `<!-- NAME: made by docs/tables.py -->` and `<!-- end -->`.
"""
import re
import textwrap
from functools import partial

from common import ROOT, cell, finish, language_words, options, read, types

# The first page of the manual links to all others, in the order in which they are read.
LANGUAGE = "docs/language.md"
INDEX = "docs/language/index.md"
COMMANDS = "docs/commands.md"
ERRORS = "docs/errors.md"
PAGES = {"docs/llms.txt", "docs/mcp.md"} | {f"docs/language/{name}.md"
                             for name in ("index", "library", "names", "syntax")}
TYPES = {"s": "site", "S": "sites", "d": "dir", "D": "dirs", "p": "player", "t": "team",
         "k": "kind", "i": "int", "b": "bool", "x": "any", "y": "any", "X": "set", "G": "generator",
         "R": "die", "K": "kind", "e": "member",
         "o": "site or dir", "v": "statement"}
# Where the name is not the letter.
PARAMETERS = {"x": "x", "y": "x", "X": "set", "G": "generator", "R": "die", "K": "k"}
# The names of two or three of one type.
SEVERAL = {"s": "ab", "i": "abc", "S": "STU"}


# ---- what is built in ----

ROW = re.compile(r'^PRIM\((\w+),\s*"([^"]*)",\s*(\w),\s*"[^"]*",\s*"((?:[^"\\]|\\.)*)"\)',
                 re.MULTILINE)
GROUP = re.compile(r"^/\* ---- (.*?) ---- \*/|" + ROW.pattern, re.MULTILINE)


def parameter_names(letters):
    """A name for each type letter; several of one type are told apart."""
    seen = dict.fromkeys(letters, 0)
    for letter in letters:
        several = letters.count(letter) > 1
        name = (SEVERAL[letter][seen[letter]] if several
                else PARAMETERS.get(letter, "n" if letter == "i" else letter))
        seen[letter] += 1
        yield name


def signature(name, parameters):
    """As a declaration would be written: slide(S: sites, D: dirs[, T: sites][, n: int])."""
    if not parameters:
        return name
    needed, _, optional = parameters.partition("?")
    typed = [f"{word}: {TYPES[letter]}" if word != TYPES[letter] else word
             for word, letter in zip(parameter_names(needed + optional), needed + optional)]
    text = ", ".join(typed[:len(needed)]) + "".join(f"[, {one}]" for one in typed[len(needed):])
    return f"{name}({text})"


def primitives_def():
    """The file with each row on one line: adjacent string literals are one, as in C."""
    text = re.sub(r'"\s*\n\s*"', "", read("grammar/check/primitives.def"))
    return re.sub(r',\n\s+"', ', "', text)


def primitives():
    lines = []
    for found in GROUP.finditer(primitives_def()):
        group, name, parameters, result, meaning = found.groups()
        if group:
            lines += ["", f"| {group} | | |", "| --- | --- | --- |"]
        else:
            lines.append(f"| `{signature(name, parameters)}` | {TYPES[result]} | {meaning} |")
    return "\n".join(lines[1:])


def builtins():
    """The built-in functions as a list, for docs/llms.txt: it counts tokens."""
    rows = [found.groups() for found in GROUP.finditer(primitives_def())]
    return "\n".join(f"- `{signature(name, parameters)}`: {meaning}"
                     for group, name, parameters, _, meaning in rows
                     if not group and "(" in signature(name, parameters))


# ---- modules ----

DECLARATION = re.compile(r"((?:^///.*\n)*)^((?:override )?(?:let|fn|proc|moves|die|enum|option|"
                         r"(?:carried |clock |secret )*var)\b.*)$", re.MULTILINE)


def as_sentences(words):
    """A text may begin with a phrase, which `ferz rules` puts into sentences."""
    phrase, _, rest = words.partition(". ")
    words = rest or phrase if re.match(r"[a-z{]", words) else words
    words = re.sub(r"\{(\w+)\}", r"\1", words)
    first = words[:1] if re.match(r"\w\b", words) else words[:1].upper()
    return first + words[1:] + ("." if words and words[-1].isalnum() else "")


def declared(text):
    """(declaration without its body, documentation) of each declaration of a module, except those
    that it has for itself and deprecated ones."""
    for docs, line in DECLARATION.findall(text):
        if re.search(r"^[a-z ]*\b_", line) or docs.startswith("/// Deprecated:"):
            continue
        words = " ".join(part.lstrip("/ ") for part in docs.strip().split("\n"))
        kind, rest = line.split(None, 1)
        if kind == "let":
            rest = re.split(r" = ", rest, maxsplit=1)[0]
        elif kind in ("fn", "proc", "moves"):
            rest = re.split(r" = | \{", rest, maxsplit=1)[0]
        elif kind == "die":
            rest = rest.split(None, 1)[0]
        yield f"{kind} {rest.rstrip('; ={')}", as_sentences(words)


def module(name):
    rows = list(declared(read(f"stdlib/{name}.game")))
    # A comment may stand before several declarations: those without words of their own continue it.
    return "\n".join(["| | |", "| --- | --- |",
                      *(f"| `{cell(head)}` | {cell(words) or 'the same'} |"
                        for head, words in rows)])


def prelude():
    return module("prelude")


def introduction(comment):
    """A module's first comment; lines that are set in are code."""
    text, was_code = "", False
    for line in comment.strip().split("\n"):
        line = line.removeprefix("//")
        code = line.startswith("   ")
        if code and not was_code:
            text = filled(text) + "\n\n```ferz-part\n"
        elif was_code and not code:
            text += "```\n\n"
        text += line.strip() + ("\n" if code else " ")
        was_code = code
    return text.strip() + "\n```" if was_code else filled(text)


def filled(text):
    """The last paragraph in lines of at most 100 columns."""
    before, _, paragraph = text.strip().rpartition("\n\n")
    lines = textwrap.fill(paragraph, 100, break_long_words=False, break_on_hyphens=False)
    return f"{before}\n\n{lines}" if before else lines


def library():
    parts = []
    for path in sorted((ROOT / "stdlib").glob("*.game")):
        text = path.read_text(encoding="utf-8")
        intro = re.match(r"library \w+;\n\n((?://(?!/).*\n)+)", text)
        if path.stem == "prelude":
            continue
        parts.append(f"## use {path.stem}")
        if intro:
            parts.append(introduction(intro[1]))
        if list(declared(text)):
            parts.append(module(path.stem))
    return "\n\n".join(parts)


# ---- words ----

def reserved():
    """The words that are never names."""
    lines, line = [], ""
    for word in sorted(language_words()[0]):
        if len(line) + len(word) > 100:
            lines.append(line.strip())
            line = ""
        line += word + " "
    return "```text\n" + "\n".join([*lines, line.strip()]) + "\n```"


# ---- the index ----

HEADING = re.compile(r"^(#{1,4}) (.+)$", re.MULTILINE)
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
QUOTED = re.compile(r"`([^`\n]+)`")
# Pages that list words without explaining them, and sections that do so beside others.
NO_INDEX = {"syntax.md", "index.md", "library.md"}
LAST = ("files-and-declarations", "built-in-names")
MOST_SECTIONS = 4
PAGE_OF = re.compile(r"(cookbook|\w+(?=[.]md))")
NAME = re.compile(r"^\| `\w+ (\w+)[^|]*(?:\\\|[^|]*)*` \| (.*) \|$", re.MULTILINE)


def anchor(heading):
    """As GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def sections(text):
    """(heading, text without code) of each section of a page."""
    text = FENCED.sub("", text)
    found = list(HEADING.finditer(text))
    for this, after in zip(found, [*found[1:], None]):
        yield this[2], text[this.end():after.start() if after else len(text)]


def words_said():
    """The rows of words.tsv, below its two lines of heading: meanings by word."""
    return dict(row.split("\t") for row in read("docs/words.tsv").splitlines()[2:])


def vocabulary():
    """The meanings of every word of the language by word: of the grammar, of types and boards
    (words.tsv), of built-in names and those of the prelude, as their declarations give them."""
    words = {word: [meaning] for word, meaning in words_said().items()}
    for found in GROUP.finditer(primitives_def()):
        if found[2]:
            words.setdefault(found[2], []).append(found[5])
    for head, meaning in declared(read("stdlib/prelude.game")):
        words.setdefault(re.match(r"\w+ (\w+)", head)[1], []).append(meaning)
    return words


def known_words():
    """What words.tsv has to say, no more and no less."""
    return (set.union(*language_words()) | set(types()) | {"piece_moves", "moves_of"}
            | set(re.findall(r'^BOARD\((\w+)', read("grammar/board/boards.def"), re.MULTILINE)))


def wrong_words():
    said = set(words_said())
    return [f"words.tsv: {what} `{word}`" for what, words in (
                ("nothing says what this means:", known_words() - said),
                ("there is no word", said - known_words())) for word in sorted(words)]


def explains(word, heading, text):
    """How well a section explains a word: 0 its heading names it, 1 a row or entry of it begins
    with the word, 2 it mentions the word; None: not at all."""
    if word not in heading and word not in text:
        return None
    named = re.compile(rf"(?<![\w.]){word}(?!\w)")
    if any(named.search(code) for code in QUOTED.findall(heading)):
        return 0
    # The first cell of a row, the code that begins an entry of a list, and code before a colon.
    first = re.findall(r"^\| ([^|]*(?:\\\|[^|]*)*) \|", text, re.MULTILINE)
    first += re.findall(r"^(?:- |\d\. |\*\*)(.*?)[:.]", text, re.MULTILINE)
    first += re.findall(r"^- (`[^`]+`)|(`[^`]+`(?:, `[^`]+`)*):", text, re.MULTILINE)
    cells = [cell for found in first for cell in ([found] if isinstance(found, str) else found)]
    if any(re.match(rf"(?:\w+ )*{word}(?!\w)", code)
           for cell in cells for code in QUOTED.findall(cell)):
        return 1
    return 2 if any(named.search(code) for code in QUOTED.findall(text)) else None


def places(word, parts):
    """The sections that explain a word, the best first."""
    ranked = []
    for order, (heading, where, text) in enumerate(parts):
        rank = explains(word, heading, text)
        if rank is not None:
            ranked.append((rank, anchor(heading) in LAST, order, heading, where))
    ranked.sort()
    good = [row for row in ranked if row[0] < 2 and not row[1]]
    chosen = [row for row in ranked if row[0] < 2] if good else ranked[:3]
    return [(heading, where)
            for *_, heading, where in sorted(chosen, key=lambda row: (row[1], row))[:MOST_SECTIONS]]


def link(place):
    return f"[{place[0]}]({place[1]})"


def manual():
    """(heading, where, text) of each section of the manual; the first of a page is the page."""
    for name in re.findall(r"\]\(language/([\w-]+\.md)\)", read(LANGUAGE)):
        for number, (heading, text) in enumerate(sections(read(f"docs/language/{name}"))):
            yield heading, f"{name}#{anchor(heading)}" if number else name, text


def topics():
    """(heading, where) of each recipe, and of each section about boards and positions."""
    recipes = sorted((ROOT / "docs/cookbook").glob("*.md"))
    for name in (*(f"../cookbook/{path.name}" for path in recipes),
                 "boards.md", "graphs.md", "../positions.md"):
        for heading, _ in list(sections(read(f"docs/language/{name}")))[1:]:
            yield heading, f"{name}#{anchor(heading)}"


def all_of(meanings):
    """One text; those of modules are whole sentences."""
    return " ".join(meaning if meaning[-1] == "." or meaning == meanings[-1] else f"{meaning};"
                    for meaning in meanings)


def listed(rows):
    """A table of (word, sections, meaning) in the order of the alphabet."""
    return "\n".join(["| word | explained in | meaning |", "| --- | --- | --- |", *(
        f"| `{word}` | {', '.join(map(link, found)) or '?'} | {cell(meaning)} |"
        for word, found, meaning in sorted(rows, key=lambda row: (row[0].lower(), row)))])


def index():
    parts = [part for part in manual() if part[1].partition("#")[0] not in NO_INDEX]
    return listed((word, places(word, parts), all_of(meanings))
                  for word, meanings in vocabulary().items())


def names():
    """What modules declare; names that several forms share have one row for each module."""
    rows = {}
    for heading, where, text in manual():
        if heading.startswith("use "):
            for word, meaning in NAME.findall(text):
                rows.setdefault((word, (heading, where)), meaning)
    return listed((word, [found], meaning) for (word, found), meaning in rows.items())


def subjects():
    return "\n".join(["| topic | page |", "| --- | --- |", *(
        f"| {link(topic)} | {PAGE_OF.search(topic[1])[1]} |"
        for topic in sorted(topics(), key=lambda topic: topic[0].lower()))])


def missing_words():
    return [f"index.md: no section explains `{word}`"
            for word in re.findall(r"^\| `(\w+)` \| \? \|", page(INDEX), re.MULTILINE)]


def missing_pages():
    linked = {place.partition("#")[0] for _, place, _ in manual()}
    return [f"{path.name}: language.md does not link to it"
            for path in sorted((ROOT / "docs/language").glob("*.md")) if path.name not in linked]


# ---- links ----

LINK = re.compile(r"\]\(([^)\s:]*)\)")


def broken_links():
    """Links inside the manual that lead nowhere."""
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    anchors = {}
    for path in pages:
        text = FENCED.sub("", path.read_text(encoding="utf-8"))
        anchors[path.resolve()] = {anchor(heading) for _, heading in HEADING.findall(text)}
    wrong = []
    for path in pages:
        for target in LINK.findall(FENCED.sub("", path.read_text(encoding="utf-8"))):
            name, _, part = target.partition("#")
            there = (path.parent / name).resolve() if name else path.resolve()
            if not there.exists() or part and part not in anchors.get(there, ()):
                wrong.append(f"{path.name}: a link to {target}, which is not there")
    return wrong


# ---- optimisations ----

SWITCH = re.compile(r'^OPTIMISATION\(\w+,\s*"([^"]*)",\s*(\w+),\s*"([^"]*)"\)', re.MULTILINE)


def optimisations():
    rows = [f"| `{name}` | {part.lower()} | {meaning} |"
            for name, part, meaning in SWITCH.findall(read("interp/program/optimisations.def"))]
    return "\n".join(["| name | when | what it does |", "| --- | --- | --- |", *rows])


# ---- commands ----

TEXT = re.compile(r'"((?:[^"\\]|\\.)*)"')
COMMAND = re.compile(r"^COMMAND\((\w+),(.*?)\)$", re.MULTILINE | re.DOTALL)
OPTION = re.compile(r"^OPTION\((\w+), (?:'(\w)'|0), \"([^\"]*)\", (NULL|\"[^\"]*\"),(.*?)\)$",
                    re.MULTILINE | re.DOTALL)
SETS = re.compile(r"^#define (\w+)((?:.*\\\n)*.*)", re.MULTILINE)


def literal(text):
    """The adjacent string literals of a row as one text."""
    return "".join(TEXT.findall(text)).replace("\\n", "\n").replace('\\"', '"')


def options_def():
    """(identifier, name as in a table, long name, meaning) of each option."""
    for found, letter, name, argument, meaning in OPTION.findall(read("interp/cli/options.def")):
        head = f"`-{letter}`, " if letter else ""
        words = "" if argument == "NULL" else " " + argument.strip('"')
        yield found, f"{head}`--{name}{words}`", name, " ".join(literal(meaning).split())


def commands_def():
    """(name, words, identifiers of options, summary, help) of each command."""
    text = read("interp/cli/commands.def")
    sets = {name: re.findall(r"TAKES\((\w+)\)", body) for name, body in SETS.findall(text)}
    for name, row in COMMAND.findall(text):
        takes, rest = re.search(r"\d+, \d+,(.*?),(\s*\".*)", row, re.DOTALL).groups()
        ids = re.findall(r"TAKES\((\w+)\)", takes)
        ids += [one for group, members in sets.items() if group in takes for one in members]
        summary, help_ = rest.split(",\n", 1)
        yield name, literal(row.split(",")[0]), ids, literal(summary), literal(help_)


def option_table():
    rows = [f"| {cell(head)} | {cell(meaning)} |" for found, head, _, meaning in options_def()
            if found not in ("JSON_FORMAT", "GRAMMAR_FORMAT")]
    return "\n".join(["| option | meaning |", "| --- | --- |", *rows])


def command_table():
    rows = [f"| [`ferz {name}`](#{name}) `{cell(words)}` | {summary} |" if words else
            f"| [`ferz {name}`](#{name}) | {summary} |"
            for name, words, _, summary, _ in commands_def()]
    return "\n".join(["| command | what it does |", "| --- | --- |", *rows])


def command(name):
    """The beginning of a command's section: usage, help and names of the options."""
    words, ids, help_ = next((row[1], row[2], row[4]) for row in commands_def() if row[0] == name)
    names = [f"`--{long}`" for one, _, long, _ in options_def() if one in ids and one != "HELP"]
    listed = f"\n\n{filled('[Options](#options): ' + ', '.join(names) + '.')}" if names else ""
    quoted = re.sub(r"(`[^`]*`)|(?<![\w-])--[a-z][a-z-]*",
                    lambda found: found[1] or f"`{found[0]}`", " ".join(help_.split()))
    usage = f"ferz {name} [OPTION...] {words}".rstrip()
    return f"`{usage}`\n\n{filled(quoted)}{listed}"


# ---- tools of `ferz mcp` ----

TOOLS = "interp/cli/mcp_tools.def"
ARGUMENT = re.compile(r'^ARGUMENT\((\w+), "(\w+)", (\w+), (?:NULL|"[^"]*"),(.*?)\)$',
                      re.MULTILINE | re.DOTALL)
TOOL = re.compile(r'^TOOL\((\w+), (?:NULL|"[^"]*"), (?:NULL|"[^"]*"),(.*?),\s*'
                  r'([\w()+ ]+),\s*((?:"[^"\n]*(?:\\"[^"\n]*)*"\s*)+)\)$', re.MULTILINE | re.DOTALL)
TOOL_SETS = re.compile(r"^#define (SOME_\w+) (.*)", re.MULTILINE)


def tool_names(text, sets, arguments):
    """The arguments of a sum of MCP(ID) in the order of the table."""
    for _ in sets:
        text = re.sub(r"SOME_\w+", lambda found: sets[found[0]], text)
    ids = set(re.findall(r"MCP\((\w+)\)", text))
    return [name for one, name, *_ in arguments if one in ids]


def tools():
    text = read(TOOLS)
    sets, arguments = dict(TOOL_SETS.findall(text)), ARGUMENT.findall(text)
    rows = ["| tool | arguments | what it does |", "| --- | --- | --- |"]
    for name, takes, required, description in TOOL.findall(text):
        needed = tool_names(required, sets, arguments)
        listed_names = ", ".join(f"**`{one}`**" if one in needed else f"`{one}`"
                                 for one in tool_names(takes, sets, arguments))
        rows.append(f"| `{name}` | {listed_names} | {literal(description)} |")
    rows += ["", "| argument | type | meaning |", "| --- | --- | --- |"]
    types_ = {"FLAG": "boolean", "NUMBER": "integer", "TEXT": "string", "TEXTS": "array",
              "VALUES": "object"}
    rows += [f"| `{name}` | {types_[type_]} | {cell(literal(meaning))} |"
             for _, name, type_, meaning in arguments]
    return "\n".join(rows)


def missing_details():
    """Details in commands.md of options that do not exist."""
    names = {name for _, _, name, _ in options_def()}
    details = read(COMMANDS).partition("\n## Options\n")[2].partition("\n## ")[0]
    return [f"commands.md: there is no option --{name}"
            for name in re.findall(r"^- `--([\w-]+)`:", details, re.MULTILINE) if name not in names]


MAKERS = {"prelude": prelude, "primitives": primitives, "builtins": builtins,
          "library": library, "reserved": reserved,
          "optimisations": optimisations, "index": index, "names": names, "topics": subjects,
          "options": option_table, "commands": command_table, "tools": tools}
MAKERS |= {row[0]: partial(command, row[0]) for row in commands_def()}
PLACE = re.compile(r"(<!-- (\w+): made by docs/tables.py -->\n).*?(<!-- end -->)", re.DOTALL)


def page(path):
    return PLACE.sub(lambda found: f"{found[1]}{MAKERS[found[2]]()}\n{found[3]}", read(path))


# ---- errors ----

SECTION = re.compile(r"^## (?=[EW]\d{4} )", re.MULTILINE)
DEFINED = re.compile(r"^\s*(?:ERROR|WARNING)\s*\(\s*([EW]\d+)", re.MULTILINE)


def errors():
    head, *sections = SECTION.split(read(ERRORS))
    sections = sorted(section.strip() for section in sections)
    return "\n\n".join([head.strip(), *("## " + section for section in sections)]) + "\n"


def missing_codes():
    said = re.findall(r"^## ([EW]\d{4}) ", read(ERRORS), re.MULTILINE)
    defined = set(DEFINED.findall(read("grammar/source/errors.def")))
    return ([f"errors.md: nothing about {code}" for code in sorted(defined - set(said))]
            + [f"errors.md: {code} is no code" for code in sorted(set(said) - defined)]
            + [f"errors.md: {code} twice"
               for code in sorted({code for code in said if said.count(code) > 1})])


def main():
    pages = {path: page(path) for path in (*sorted(PAGES), COMMANDS)} | {ERRORS: errors()}
    finish(pages, options(__doc__).parse_args().check, missing_codes() + missing_words()
           + wrong_words() + missing_pages() + missing_details() + broken_links())


if __name__ == "__main__":
    main()
