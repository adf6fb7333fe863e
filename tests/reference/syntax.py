"""Files as trees: reads a text by the table of the grammar."""
import re

from grammar import RULES, SECTIONS, parts_of
from words import SOMETIMES, Node, ScriptError, refuse_if, tokens

COMPARISONS = {"==", "!=", "<", "<=", ">", ">=", "in", "not in"}
BINARY = {"or": 0, "and": 1, **dict.fromkeys(COMPARISONS, 3), "..": 4, "|": 5, "&": 6, "+": 7,
          "-": 7, "*": 8, "/": 8, "%": 8}       # how tightly operators bind
UNARY = {"not": 2, "-": 9, "~": 9, "#": 9}
ONCE = {3, 4}                           # levels without a chain of operators
CLOSING = {"(": ")", "[": "]", "{": "}"}
DEEPEST = 1000          # so many rules stand in each other; a level of the text needs two


class Miss(Exception):
    """The text does not go on as a rule says."""


class Parser:
    """Reads a text. `at` is the number of the next token, `far` that of the farthest one that was
    looked at, `wanted` what could stand there."""

    def __init__(self, text):
        self.tokens, self.at, self.depth = tokens(text.removeprefix("\ufeff")), 0, 0
        self.far, self.wanted = 0, set()

    @property
    def token(self):
        return self.tokens[self.at]

    def ahead(self):
        return self.tokens[min(self.at + 1, len(self.tokens) - 1)]

    def want(self, *words):
        """Notes what could stand here."""
        if self.at > self.far:
            self.far, self.wanted = self.at, set()
        if self.at == self.far:
            self.wanted.update(words)

    def sees(self, *words):
        self.want(*words)
        return self.token.text in words and self.token.kind != "string"

    def next(self, fits):
        """The text of the next token, if it fits."""
        self.want()
        if not fits:
            raise Miss()
        self.at += 1
        return self.tokens[self.at - 1].text

    # Rules.

    def one(self, what):
        """What a rule makes of the text that follows."""
        return self.deeper(self.found, what)

    def deeper(self, read, *args):
        self.depth += 1
        refuse_if(self.depth > DEEPEST, "E0110", self.token)
        try:
            return read(*args)
        finally:
            self.depth -= 1

    def found(self, what):
        if "/" in what:
            return self.next(self.sees(*what.strip("/").split("/")))
        if what in SECTIONS:
            self.want(what)
            return self.first_of(filter(self.may_begin, SECTIONS[what].items()), self.made)
        return self.made((what, RULES[what])) if what in RULES else getattr(self, what)()

    def may_begin(self, named):
        sort, word = named[1][1][0][:2]
        return sort != "word" or word == self.token.text

    def made(self, named):
        """The node or the tuple of a rule."""
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
        """What the first way gives that fits."""
        start = self.at
        for way in ways:
            try:
                return read(way)
            except Miss:
                self.at = start
        raise Miss()

    def many(self, what, mark):
        """A list; lists in it are parts of it, except between commas."""
        found = []
        while True:
            start = self.at
            try:
                one = self.one(what)
            except Miss:
                self.at = start
                if mark == "*":
                    return found
                raise
            found += one if isinstance(one, list) and mark != "," else [one]
            if mark == "." or mark == "," and not self.sees(","):
                return found
            self.at += mark == ","

    # Rules that are not in the table.

    def name(self):
        word = self.token.kind == "word" and self.token.text in SOMETIMES
        return self.next(self.token.kind == "name" or word and self.ahead().kind != "name")

    def text(self):
        return self.next(self.token.kind == "string")

    def number(self):
        return int(self.next(self.token.kind == "number"))

    def small(self):
        line, number = self.token.line, self.number()
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

    def expr(self):
        return self.level(0)

    def bound(self):
        return self.level(BINARY["|"])

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

    # Mistakes.

    def mistake(self):
        """The error of a text that cannot go on."""
        token, last, wanted = self.tokens[self.far], self.tokens[self.far - 1], self.wanted
        missing, ended = ";" in wanted and token.line > last.line, "and" in wanted
        begun = {"+=", "declaration"} & wanted and token.kind in ("name", "word")
        for wrong, code in (
                (self.far == 0, "E0120"), (missing, "E0112"),
                (ended and token.text in COMPARISONS, "E0119"),
                ("+=" in wanted and token.text == "==", "E0116"), (begun, "E0118")):
            refuse_if(wrong, code, last if missing else token)
        self.check_brackets(token)
        refuse_if(token.kind == "word" and last.text in ("let", "var", "fn", "proc"), "E0117", token)
        raise ScriptError("E0115" if token.text == "=" else "E0111", token.line, token.text)

    def check_brackets(self, token):
        """Says which bracket is to blame for a text that cannot go on here."""
        opened = []
        for one in self.tokens[:self.far]:
            if one.kind == "symbol" and one.text in CLOSING:
                opened.append(one)
            elif one.kind == "symbol" and one.text in CLOSING.values():
                opened.pop()
        wanted, closes = CLOSING[opened[-1].text] if opened else None, token.text in CLOSING.values()
        refuse_if(closes and not opened, "E0114", token)
        refuse_if(opened and token.kind == "end", "E0113", opened and opened[-1])
        refuse_if(opened and (token.text == ";" and wanted != "}" or closes and token.text != wanted),
                  "E0113", token)


def parse(text):
    parser = Parser(text)
    try:
        file = parser.one("file")
        parser.next(parser.token.kind == "end")
    except Miss:
        parser.mistake()
    refuse_if(re.search(r"[\n\t]", file.title), "E0122", file)
    return file
