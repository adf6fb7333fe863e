"""The words of scripts (chapter 1 of docs/spec). Mistakes raise ScriptError with a code."""
import re
from dataclasses import dataclass

RESERVED = set("""after again all and any as at attacks board by capture carried choose clock count
diagram die draw else end ensuring enum extend extern first fn for game give graph if in info
keeping let library limit lose max min move moves next not of on option or otherwise out override
piece players proc property put random rank remove return secret set setup show shown stop sum teams
test then turn union use var variant view when while win""".split())
SOMETIMES = {"any", "all", "count", "sum", "first", "at", "turn"}   # names where nothing else fits
# A group is the kind of a token, or the code of a mistake.
TOKEN = re.compile(r"""
    (?P<blank>\s+|//[^\n]*|/\*.*?\*/) | (?P<E0103>/\*) |
    (?P<long>\"\"\".*?\"\"\") | (?P<string>"(?:[^"\\\n]|\\[nt"\\])*") |
    (?P<E0104>"(?:[^"\\\n]|\\.)*") | (?P<E0102>") |
    (?P<E0106>\d+[A-Za-z_]) | (?P<number>\d+) | (?P<name>[A-Za-z_]\w*) |
    (?P<symbol>=>|==|!=|<=|>=|\+=|-=|\|=|&=|\.\.|[{}()\[\];,:.=<>+\-*/%|&~\#]) |
    (?P<E0101>.)""", re.VERBOSE | re.DOTALL | re.ASCII)
CONTROLS = {"E0108": r"\0", "E0121": r"[\x01-\x08\x0e-\x1f\x7f]"}
ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\"}


class ScriptError(Exception):
    """A script that is no game, with the code of the error and its line."""

    def __init__(self, code, line, words=""):
        super().__init__(f"{code} in line {line} {words}")
        self.code, self.line = code, line


def refuse_if(wrong, code, where):
    """Refuses the script if something is wrong. `where` is a line, or what has one."""
    if wrong:
        raise ScriptError(code, where if isinstance(where, int) else where.line)


class Node:
    """A part of the tree: its kind, line, and parts by name; those that are missing are None."""

    def __init__(self, kind, line, **parts):
        self.__dict__.update(parts, kind=kind, line=line)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return None


def holds(tree, test):
    """Whether a test is true for a node of a tree."""
    if isinstance(tree, (list, tuple)):
        return any(holds(part, test) for part in tree)
    return isinstance(tree, Node) and (test(tree) or holds(
        [part for name, part in vars(tree).items() if name not in ("file", "base")], test))


@dataclass
class Token:
    """A word: 'name', 'word' (reserved), 'number', 'string', 'symbol' or 'end'."""
    kind: str
    text: str
    line: int
    deprecated: bool = False            # whether it stands below `/// Deprecated:`


def tokens(text):
    for code, wrong in CONTROLS.items():
        before, *after = re.split(wrong, text, maxsplit=1)
        refuse_if(after, code, 1 + before.count("\n"))
    found, line, deprecated = [], 1, False
    for match in TOKEN.finditer(text):
        kind, word = match.lastgroup, match.group()
        refuse_if(kind.startswith("E0"), kind, line)
        if kind == "string":
            word = re.sub(r"\\(.)", lambda sign: ESCAPES[sign[1]], word[1:-1])
        elif kind == "long":
            kind, word = "string", word[3:-3]
        elif word in RESERVED:
            kind = "word"
        if kind != "blank":
            found.append(Token(kind, word, line, deprecated))
        deprecated = kind == "blank" and (deprecated or word.startswith("/// Deprecated:"))
        line += match.group().count("\n")
    return [*found, Token("end", "the end", line)]
