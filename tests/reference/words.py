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


class ScriptError(Exception):
    """A script that is no game, with the code of the error and its line."""

    def __init__(self, code, line, words=""):
        super().__init__(f"{code} in line {line} {words}")
        self.code, self.line, self.words = code, line, words


class Node:
    """A part of the tree: its kind, its line, and parts by name."""

    def __init__(self, kind, line, **parts):
        self.kind, self.line = kind, line
        self.__dict__.update(parts)

    def __repr__(self):
        return f"{self.kind}@{self.line}"


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
        if kind == "blank" and re.search(r"[\x00-\x08\x0b-\x1f]", word.replace("\r\n", "\n")):
            raise ScriptError("E0121", line)
        if kind == "number":
            check_number(word, line)
        if kind == "string":
            if re.search(r"\\[^nt\"\\]", word.replace("\\\\", "")):
                raise ScriptError("E0104", line)
            escapes = {"n": "\n", "t": "\t", '"': '"', "\\": "\\"}
            found.append(Token("string", re.sub(r"\\(.)", lambda m: escapes[m[1]], word[1:-1]),
                               line))
        elif kind == "long":
            found.append(Token("string", word[3:-3], line))
        elif kind == "name":
            found.append(Token("word" if word in RESERVED else "name", word, line))
        elif kind != "blank":
            found.append(Token(kind, word, line))
        line += word.count("\n")
        if deprecated is not None and deprecated < len(found):
            found[deprecated].deprecated, deprecated = True, None
    found.append(Token("end", "the end", line))
    return found


def bad_character(word, text, at):
    if word == '"':
        return "E0102"
    if text.startswith("/*", at):
        return "E0103"
    return "E0108" if word == "\0" else "E0121" if word < " " or word == "\x7f" else "E0101"


def check_number(word, line):
    if not word.isdigit():
        raise ScriptError("E0106", line)
