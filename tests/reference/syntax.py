"""The words of scripts, and files as trees, read by the table of the grammar (chapter 1 of
docs/spec). Mistakes raise ScriptError with a code."""
import re
from collections import namedtuple

from grammar import RULES, SECTIONS, parts_of

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
COMPARISONS = {"==", "!=", "<", "<=", ">", ">=", "in", "not in"}
BINARY = {"or": 0, "and": 1, **dict.fromkeys(COMPARISONS, 3), "..": 4, "|": 5, "&": 6, "+": 7,
          "-": 7, "*": 8, "/": 8, "%": 8}       # how tightly operators bind
UNARY = {"not": 2, "-": 9, "~": 9, "#": 9}
ONCE = {3, 4}                           # levels without a chain of operators
NAMING = ("let", "var", "fn", "proc")
CLOSING = {"(": ")", "[": "]", "{": "}"}
DEEPEST = 1000          # so many rules stand in each other; a level of the text needs two


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
        return None


def holds(tree, test):
    if isinstance(tree, (list, tuple)):
        return any(holds(part, test) for part in tree)
    return isinstance(tree, Node) and (test(tree) or holds(
        [part for name, part in vars(tree).items() if name not in ("file", "base")], test))


# 'name', 'word' (reserved), 'number', 'string', 'symbol' or 'end'; whether it stands below
# `/// Deprecated:`.
Token = namedtuple("Token", "kind text line deprecated")


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
    return [*found, Token("end", "the end", line, False)]


class Parser:
    """Reads a text; raises SyntaxError where it does not go on as a rule says. `at` is the number
    of the next token, `far` that of the farthest one that was looked at, `wanted` what could stand
    there."""
    def __init__(self, text):
        self.tokens, self.at, self.depth = tokens(text.removeprefix("\ufeff")), 0, 0
        self.far, self.wanted = 0, set()

    @property
    def token(self):
        return self.tokens[self.at]

    def ahead(self):
        return self.tokens[min(self.at + 1, len(self.tokens) - 1)]

    def want(self, *words):
        if self.at > self.far:
            self.far, self.wanted = self.at, set()
        if self.at == self.far:
            self.wanted.update(words)

    def sees(self, *words):
        self.want(*words)
        return self.token.text in words and self.token.kind != "string"

    def next(self, fits):
        self.want()
        if not fits:
            raise SyntaxError
        self.at += 1
        return self.tokens[self.at - 1].text

    def one(self, what):
        return self.deeper(self.found, what)

    def deeper(self, read, *args):
        self.depth += 1
        refuse_if(self.depth > DEEPEST, "E0110", self.token)
        try:
            return read(*args)
        finally:
            self.depth -= 1

    def found(self, what):
        if what in ("text", "number"):
            text = self.next(self.token.kind == {"text": "string"}.get(what, what))
            return text if what == "text" else int(text)
        if what in ("expr", "bound"):
            return self.level(0 if what == "expr" else BINARY["|"])
        if "/" in what:
            return self.next(self.sees(*what.strip("/").split("/")))
        if what in SECTIONS:
            self.want(what)
            return self.first_of([(name, rule) for name, rule in SECTIONS[what].items() if
                                  rule[1][0][0] != "word" or rule[1][0][1] == self.token.text],
                                 self.made)
        return self.made((what, RULES[what])) if what in RULES else getattr(self, what)()

    def made(self, named):
        name, (sort, rule) = named
        line, parts = self.token.line, self.with_parts(rule, parts_of(rule))
        if sort == "=":
            return Node(name.partition(".")[0], line, **parts)
        return tuple(parts.values()) if len(parts) > 1 else parts.popitem()[1]

    def with_parts(self, rule, parts):
        """The parts, and those of a sequence that is read."""
        parts = dict(parts)
        for sort, *rest in rule:
            if sort == "word":
                self.next(self.sees(*rest))
            elif sort == "rule":
                parts = self.with_parts(RULES[rest[0]][1], parts)
            elif sort == "ways":
                parts = self.first_of(rest[0], lambda way, parts=parts: self.with_parts(way, parts))
            else:
                name, what, mark = rest
                parts[name] = parts[name] + self.many(what, mark) if mark else self.one(what)
        return parts

    def first_of(self, ways, read):
        start = self.at
        for way in ways:
            try:
                return read(way)
            except SyntaxError:
                self.at = start
        raise SyntaxError

    def many(self, what, mark):
        """A list; lists in it are parts of it, except between commas."""
        found = []
        while True:
            start = self.at
            try:
                one = self.one(what)
            except SyntaxError:
                self.at = start
                if mark == "*":
                    return found
                raise
            found += one if isinstance(one, list) and mark != "," else [one]
            if mark == "." or mark == "," and not self.sees(","):
                return found
            self.at += mark == ","

    def name(self):
        word = self.token.kind == "word" and self.token.text in SOMETIMES
        return self.next(self.token.kind == "name" or word and self.ahead().kind != "name")

    def small(self):
        line, number = self.token.line, self.found("number")
        refuse_if(number > 2147483647, "E0105", line)
        return number

    def declarations(self):
        """A declaration; kinds of pieces and variables that are declared together, one by one."""
        deprecated = self.token.deprecated
        change = self.next(True) if self.sees("override", "extend") else None
        decl = self.one("declaration")
        found = decl.vars or [decl]
        for var in decl.vars or ():
            var.marks = {*decl.marks}
        if decl.kind == "piece":
            found = [Node("piece", decl.line, name=name, letter=letter, items=decl.items)
                     for name, letter in decl.pieces]
        for one in found:
            one.change, one.deprecated = change, deprecated
        return found

    def level(self, lowest):
        """An expression of operators that bind as tightly or tighter."""
        line, op = self.token.line, self.operator()
        if UNARY.get(op, -1) >= lowest:
            self.at += 1
            left = Node("unary", line, op=op, value=self.deeper(self.level, UNARY[op]))
            highest = UNARY[op] - 1
        else:
            left, highest = self.indexed(), 9
        while True:
            self.want("and")
            line, op = self.token.line, self.operator()
            level = BINARY.get(op, -1)
            if not lowest <= level <= highest:
                return left
            self.at += 2 if op == "not in" else 1
            left = Node("binary", line, op=op, left=left, right=self.level(level + 1))
            highest = level - (level in ONCE)

    def operator(self):
        token = self.token
        if token.text == "not" and self.ahead().text == "in":
            return "not in"
        return token.text if token.kind in ("symbol", "word") else None

    def indexed(self):
        value = self.one("primary")
        while self.sees("["):
            value = Node("index", self.token.line, value=value, indexes=self.one("indexes"))
        return value

    def mistake(self):
        """The error of a text that cannot go on: the first that applies."""
        token, last, wanted, opened = self.tokens[self.far], self.tokens[self.far - 1], \
            self.wanted, []
        for one in self.tokens[:self.far]:
            if one.kind == "symbol" and one.text in CLOSING:
                opened.append(one)
            elif one.kind == "symbol" and one.text in CLOSING.values():
                opened.pop()
        bracket, closes = CLOSING[opened[-1].text] if opened else "", token.text in CLOSING.values()
        ended, begun = "and" in wanted, {"+=", "declaration"} & wanted
        for wrong, code, where in (
                (self.far == 0, "E0120", token),
                (";" in wanted and token.line > last.line, "E0112", last),
                (ended and token.text in COMPARISONS, "E0119", token),
                ("+=" in wanted and token.text == "==", "E0116", token),
                (begun and token.kind in ("name", "word"), "E0118", token),
                (closes and not opened, "E0114", token),
                (opened and token.kind == "end", "E0113", (opened or [token])[-1]),
                (opened and token.text == ";" and bracket != "}", "E0113", token),
                (closes and token.text != bracket, "E0113", token),
                (token.kind == "word" and last.text in NAMING, "E0117", token),
                (token.text == "=", "E0115", token)):
            refuse_if(wrong, code, where)
        raise ScriptError("E0111", token.line, token.text)


def parse(text):
    parser = Parser(text)
    try:
        file = parser.one("file")
        parser.next(parser.token.kind == "end")
    except SyntaxError:
        parser.mistake()
    refuse_if(file.edition not in (None, 1), "E0123", file)
    refuse_if(re.search(r"[\n\t]", file.title), "E0122", file)
    return file
