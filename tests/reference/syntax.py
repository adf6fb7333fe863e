"""Files as trees: what the table of the grammar does not say."""
import re

from grammar import DECLARATIONS, EXPRESSIONS, ITEMS, RULES, STATEMENTS, STEPS, Reader
from words import SOMETIMES, Node, refuse_if

LOOPS = {"any", "all", "count", "sum", "max", "min", "union", "first", "random"}
CALLED = {"max", "min", "random", "rank", "first", "sum"}       # words that are functions, too
COMPARISONS = {"==", "!=", "<", "<=", ">", ">=", "in", "not in"}
LEVELS = [("or",), ("and",), None, None, ("|",), ("&",), ("+", "-"), ("*", "/", "%")]


class Expressions(Reader):
    """Reads expressions."""

    def expr(self):
        return self.nested(self.binary, 0)

    def binary(self, level):
        """An expression of operators of a level and above."""
        if level == 2:
            return self.negation()
        if level == len(LEVELS):
            return self.unary()
        left = self.binary(level + 1)
        while self.token.kind in ("symbol", "word") and self.sees(*LEVELS[level]):
            left = self.operation(left, self.binary, level + 1)
        return left

    def operation(self, left, read, *args):
        line, op = self.token.line, self.token.text
        self.at += 1
        return Node("binary", line, op=op, left=left, right=read(*args))

    def negation(self):
        line = self.token.line
        if self.take("not"):
            return Node("unary", line, op="not", value=self.nested(self.negation))
        left = self.range()
        negated = self.sees("not") and self.ahead().text == "in"
        self.at += negated
        if self.token.kind not in ("symbol", "word") or not self.sees(*COMPARISONS):
            return left
        found = self.operation(left, self.range)
        found.op = "not in" if negated else found.op
        if self.token.kind == "symbol" and self.sees(*COMPARISONS) or self.sees("in"):
            self.fail("E0119")
        return found

    def range(self):
        left = self.binary(4)
        return self.operation(left, self.binary, 4) if self.sees("..") else left

    def unary(self):
        line = self.token.line
        if self.take("-", "~", "#"):
            return Node("unary", line, op=self.last.text, value=self.nested(self.unary))
        value = self.primary()
        while self.sees("["):
            line = self.token.line
            self.at += 1
            value = Node("index", line, value=value, indexes=self.listed("expr"))
            self.need("]")
        return value

    def primary(self):
        token, line = self.token, self.token.line
        if token.kind == "number":
            refuse_if(int(token.text) > 2147483647, "E0105", line)
            return Node("number", line, value=self.number())
        if self.sees("graph") and self.ahead().text == "{":
            return self.graph(line)
        if token.kind == "word" and token.text in LOOPS and (
                self.ahead().kind == "name" or token.text not in SOMETIMES and
                self.ahead().text != "("):
            return self.rule("aggregate", EXPRESSIONS, op=token.text)
        if self.take("("):
            found = self.expr()
            self.need(")")
            return found
        if self.take("{"):
            return self.braces_of(line)
        for word, rule in (("[", "list"), ("if", "choice"), ("as", "as")):
            if self.sees(word):
                return self.rule(rule, EXPRESSIONS)
        return self.named(line)

    def braces_of(self, line):
        """A set, a filter, or a table."""
        if self.take("}"):
            return Node("set", line, values=[])
        if self.sees("for"):
            return self.rule("filter", EXPRESSIONS)
        first = self.expr()
        if self.take(":"):
            entries = [(first, self.expr())]
            found = Node("table", line, entries=entries)
            entries += self.listed("entry") if self.take(",") else []
        else:
            found = Node("set", line, values=[first])
            found.values += self.listed("expr") if self.take(",") else []
        self.need("}")
        return found

    def graph(self, line):
        self.at += 2
        rows, known = [], set()
        while not self.take("}"):
            self.at += 1
            name = self.last.text
            if not self.sees(":"):
                rows += self.lines(name)
                known |= {site for site, _ in rows}
                continue
            refuse_if(name in known, "E0710", line)
            known.add(name)
            self.need(":")
            rows.append((name, self.listed("edge")))
            self.need(";")
        return Node("graph", line, rows=rows)

    def edge(self):
        """(site, direction or None)"""
        self.at += 1
        site = self.last.text
        if self.token.kind not in ("name", "word"):
            return site, None
        self.at += 1
        return site, self.last.text

    def lines(self, d):
        """A row of lines, as rows of single edges."""
        e, rows, last = self.token.text, [], None
        self.at += 1
        self.need(":")
        while not self.take(";"):
            site = self.token.text
            self.at += 1
            if site == ",":
                last = None
                continue
            rows += [(last, [(site, d)])] if last else []
            rows += [(site, [(last, e)] if last else [])] if site != "off" else []
            last = site if site != "off" else None
        return rows

    def named(self, line):
        if self.token.kind == "word" and self.token.text in CALLED and self.ahead().text == "(":
            self.at += 1
            module, name = None, self.last.text
        else:
            module, name = self.path()
        if not self.take("("):
            return Node("name", line, module=module, name=name)
        args = [] if self.sees(")") else self.listed("argument")
        self.need(")")
        return Node("callx", line, module=module, name=name, args=[value for _, value in args],
                    prefixes=[prefix for prefix, _ in args])

    def type(self):
        line = self.token.line
        if self.take("set"):
            self.need("of")
            return Node("set of", line, member=self.type())
        value = self.binary(5)
        if self.take(".."):
            return Node("range", line, low=value, high=self.binary(5))
        if value.kind != "name":
            self.fail()
        return value


class Statements(Expressions):
    """Reads options and statements."""

    def option(self, quants=()):
        quants = [*quants, *self.quants()]
        return self.nested(lambda: self.rule("option", RULES, quants=quants))

    def quants(self):
        found = []
        while self.sees("for", "let", "if", "as"):
            line = self.token.line
            self.at += 1
            word = self.last.text
            found += self.binders() if word == "for" else self.listed("let") if word == "let" else \
                [self.rule("if")] if word == "if" else [Node("as", line, player=self.expr())]
        return found

    def binders(self):
        return [self.rule("subset")] if self.ahead().text == "subset" else self.listed("for")

    def label(self):
        """(text, line), or None. What others see is not part of this interpreter."""
        line, text = self.token.line, self.maybe_text()
        if self.take("shown"):
            self.text()
        return None if text is None else (text, line)

    def filters(self):
        """(word, keys, bounds) of each filter."""
        found = []
        if self.take("ensuring"):
            found.append(("ensuring", [self.expr()], None))
        if self.take("keeping"):
            word = self.need("max", "min")
            keys, bounds = self.listed("expr"), None
            if self.take("up" if word == "max" else "down"):
                self.need("to")
                bounds = self.listed("expr")
            found.append((word, keys, bounds))
        return found

    def ended_filters(self):
        found = self.filters()
        if found:
            self.need(";")
        return found

    def choose(self):
        line, by = self.last.line, self.expr() if self.take("by") else None
        braces, ended = self.sees("{"), True
        if braces:
            options = self.rule("braces")
        elif self.is_name() and self.ahead().text in ("in", "subset"):
            options = [self.option(self.binders())]
        elif self.sees("for", "let", "if", "as"):
            options = [self.option()]
        else:
            options = [self.rule("chosen", quants=[])]
            ended = options[0].stmt is not None
        filters = self.filters() if braces or not ended else []
        otherwise = self.statement() if self.take("otherwise") else None
        if otherwise is None and (filters or not ended):
            self.need(";")
        return Node("choose", line, by=by, options=options, filters=filters, otherwise=otherwise)

    def statement(self):
        return self.nested(self.one_statement)

    def one_statement(self):
        word = self.token.text
        if self.sees("{"):
            return self.rule("block")
        if self.take("choose"):
            return self.choose()
        if self.token.kind == "word" and word in ("let", "var"):
            return self.rule(word + "s", STATEMENTS)
        if self.token.kind == "word" and word in STATEMENTS or \
                word == "together" and self.ahead().kind == "name":
            return self.rule(word, STATEMENTS)
        if self.token.kind == "word" and not self.is_name():
            self.fail()
        return self.simple(self.token.line)

    def simple(self, line):
        """A call, or an assignment."""
        module, name = self.path()
        if name == "base" and self.take(";"):
            return Node("base", line, name=name)
        if self.take("("):
            return self.rule("call", module=module, name=name)
        indexes = []
        if self.take("["):
            indexes = self.listed("expr")
            self.need("]")
        op = self.token.text
        if not self.take("=", "+=", "-=", "|=", "&="):
            self.fail("E0116" if self.sees("==") else
                      "E0118" if self.token.kind in ("name", "word") else None)
        return self.rule("assign", module=module, name=name, indexes=indexes, op=op)


class Parser(Statements):
    """Reads one file."""

    def file(self):
        line = self.token.line
        refuse_if(not self.sees("game", "library", "variant"), "E0120", line)
        sort = self.need("game", "library", "variant")
        title = self.name() if sort == "library" else self.text()
        refuse_if(re.search(r"[\n\t]", title), "E0122", line)
        bases = self.listed("text") if sort == "variant" and self.need("of") else []
        self.need(";")
        decls = []
        while self.token.kind != "end":
            decls += self.declaration()
        return Node("file", line, sort=sort, title=title, bases=bases, decls=decls)

    def declaration(self):
        line, deprecated = self.token.line, self.token.deprecated
        if self.take("remove"):
            return [Node("remove", line, name=name) for name in self.removed()]
        if self.sees("set"):
            return [self.rule("set", STEPS)]
        if self.sees("use"):
            use = self.rule("use", DECLARATIONS)
            return [Node("use", line, name=name, only=use.only or None) for name in use.names]
        if self.take("when"):
            return [Node("when", line, test=self.expr(), branches=[
                self.branch(), self.branch() if self.take("else") else []])]
        change = self.last.text if self.take("override", "extend") else None
        found = self.plain(line)
        for decl in found:
            decl.change, decl.deprecated = change, deprecated
        return found

    def removed(self):
        if self.take("on"):
            names = [f"on {self.need('capture')}"]
        elif self.sees("setup", "turn", "end", "limit", "teams", "show", "view"):
            self.at += 1
            names = [self.last.text]
        else:
            names = self.listed("name")
        self.need(";")
        return names

    def branch(self):
        self.need("{")
        found = []
        while not self.take("}"):
            found += self.declaration()
        return found

    def plain(self, line):
        """A declaration, or some that stand in one."""
        word = self.token.text
        if word in ("carried", "clock", "secret", "var"):
            marks = set()
            while not self.sees("var"):
                marks.add(word)
                self.at += 1
                word = self.token.text
            found = self.rule("vars", STATEMENTS).vars
            for var in found:
                var.marks = marks
            return found
        known = self.token.kind == "word" or word in ("stacks", "hide")
        if known and word in ("info", "view", "extern"):
            return [self.skipped(word, line)]
        if not known or word not in DECLARATIONS:
            self.fail("E0118" if self.token.kind in ("name", "word") else None)
        if word == "limit" and self.tokens[self.at + 2].text == "=":
            word = "bound"
        decl = self.rule(word, DECLARATIONS, name=word)
        refuse_if(decl.place not in (None, "cells", "vertices"), "E0717", line)
        if word == "piece":
            return [Node("piece", line, name=name, letter=letter, items=decl.items)
                    for name, letter in decl.pieces]
        if word in ("setup", "turn", "end", "on"):
            decl.kind, decl.name = "phase", "on capture" if word == "on" else word
            decl.params = [(decl.param, None)] if decl.param else []
        return [decl]

    def skipped(self, word, line):
        """What does not change the game: its braces, or the text to a semicolon."""
        depth = 0
        while depth or not self.take(";"):
            depth += self.sees("{") - self.sees("}")
            self.at += 1
            if depth == 0 and self.last.text == "}":
                break
        return Node(word, line, name=None if word != "view" else word)

    def item(self):
        word = self.token.text
        if word not in ITEMS or word == "at" and self.ahead().text in ("=", ";"):
            found = self.rule("property")
            base = found.name == "base" and found.value is None
            found.kind, found.sort = "item", "base" if base else "property"
        else:
            found = self.rule(word, ITEMS)
            found.kind, found.more = "item", word == "or"
            found.sort = "at" if word == "or" else "as" if found.how == "as" else word
        return found

    def param(self):
        """(name or None, type): a type alone has no name."""
        name = self.name() if self.is_name() and self.ahead().text == ":" else None
        if name:
            self.need(":")
        return name, self.type()

    def step(self):
        if self.token.text not in STEPS:
            self.fail()
        return self.rule(self.token.text, STEPS)


def parse(text):
    return Parser(text).file()
