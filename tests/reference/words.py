"""The words of scripts (chapter 1 of docs/spec): tokens and nodes. Mistakes raise ScriptError
with a code."""
import re

RESERVED = set("""after again all and any as at attacks board by capture carried choose clock count
diagram die draw else end ensuring enum extend extern first fn for game give graph if in info
keeping let library limit lose max min move moves next not of on option or otherwise out override
piece players proc property put random rank remove return secret set setup show shown stop sum teams
test then turn union use var variant view when while win""".split())
SOMETIMES = {"any", "all", "count", "sum", "first", "at", "turn"}   # names where nothing else fits
TOKEN = re.compile(r"""
    (?P<blank>[ \t\r\n]+|//[^\n]*|/\*.*?\*/) |
    (?P<long>\"\"\".*?\"\"\") | (?P<string>"(?:[^"\\\n]|\\.)*") |
    (?P<number>\d+[A-Za-z_]*) | (?P<name>[A-Za-z_][A-Za-z0-9_]*) |
    (?P<symbol>=>|==|!=|<=|>=|\+=|-=|\|=|&=|\.\.|[{}()\[\];,:.=<>+\-*/%|&~\#]) |
    (?P<bad>.)""", re.VERBOSE | re.DOTALL)
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f]")
ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\"}


class ScriptError(Exception):
    """A script that is no game, with the code of the error and its line."""

    def __init__(self, code, line, words=""):
        super().__init__(f"{code} in line {line} {words}")
        self.code, self.line, self.words = code, line, words


def refuse_if(wrong, code, where):
    """Refuses the script if something is wrong. `where` is a line, or a node."""
    if wrong:
        raise ScriptError(code, where if isinstance(where, int) else where.line)


class Node:
    """A part of the tree: its kind, line, and parts by name; those that are missing are None."""

    def __init__(self, kind, line, **parts):
        self.kind, self.line = kind, line
        self.__dict__.update(parts)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return None

    def __repr__(self):
        return f"{self.kind}@{self.line}"

    def inner(self):
        """What the node consists of."""
        return [part for name, part in self.__dict__.items() if name not in ("file", "base")]


def holds(tree, test):
    """Whether a test is true for a node of a tree."""
    if isinstance(tree, (list, tuple)):
        return any(holds(part, test) for part in tree)
    return isinstance(tree, Node) and (test(tree) or holds(tree.inner(), test))


class Token:
    """A word: 'name', 'word' (reserved), 'number', 'string', 'symbol' or 'end'."""

    def __init__(self, kind, text, line):
        self.kind, self.text, self.line = kind, text, line
        self.deprecated = False


def tokens(text):
    found, line, deprecated = [], 1, None       # deprecated: a token below `/// Deprecated:`
    for match in TOKEN.finditer(text):
        kind, word = match.lastgroup, match.group()
        if re.match(r"///\s*Deprecated:", word):
            deprecated = len(found)
        if kind == "bad" or word == "/" and text.startswith("/*", match.start()):
            raise ScriptError(bad_character(word, text, match.start()), line)
        refuse_if(kind == "blank" and CONTROL.search(word.replace("\r\n", "\n")), "E0121", line)
        refuse_if(kind == "number" and not word.isdigit(), "E0106", line)
        if kind == "string":
            refuse_if(re.search(r"\\[^nt\"\\]", word.replace("\\\\", "")), "E0104", line)
            found.append(Token(kind, re.sub(r"\\(.)", lambda m: ESCAPES[m[1]], word[1:-1]), line))
        elif kind == "long":
            found.append(Token("string", word[3:-3], line))
        elif kind != "blank":
            found.append(Token("word" if word in RESERVED else kind, word, line))
        line += word.count("\n")
        if deprecated is not None and deprecated < len(found):
            found[deprecated].deprecated, deprecated = True, None
    return [*found, Token("end", "the end", line)]


def bad_character(word, text, at):
    if word == '"':
        return "E0102"
    if text.startswith("/*", at):
        return "E0103"
    return "E0108" if word == "\0" else "E0121" if word < " " or word == "\x7f" else "E0101"
