"""Files as trees: declarations and tests (chapters 1 and 13 of docs/spec)."""
import re

from phrases import Statements
from words import Node, ScriptError, Token


DECLARATIONS = {
    "players": "players/player* ;", "property": "name/name : type/type value/=?expr ;",
    "stacks": "up to value/expr ;", "hide": "names/name* ;",
    "setup": "body/block", "turn": "body/block", "end": "body/block",
}
STEPS = {
    "after": "texts/string* ;", "play": "texts/string* ;", "do": "stmt/statement",
    "chance": "values/expr* ;", "set": "name/name = value/expr ;", "fails": "text/string ;",
}
COUNTS = {
    "moves": "number/number ;", "perft": "depth/number decisions/decisions?true number/number ;",
}


class Parser(Statements):
    """Reads one file."""

    # The file.

    def file(self):
        line = self.token.line
        if not self.sees("game", "library", "variant"):
            raise ScriptError("E0120", line)
        kind = self.token.text
        self.at += 1
        bases = []
        if kind == "library":
            title = self.name()
        else:
            title = self.string()
            if re.search(r"[\n\t]", title):
                raise ScriptError("E0122", line)
        if kind == "variant":
            self.need("of")
            bases = self.listed(self.string)
        self.need(";")
        decls = []
        while self.token.kind != "end":
            decls += self.declaration()
        return Node("file", line, sort=kind, title=title, bases=bases, decls=decls)

    def declaration(self):
        line, change, deprecated = self.token.line, None, self.token.deprecated
        if self.sees("override", "extend"):
            change = self.token.text
            self.at += 1
        elif self.sees("remove"):
            return self.removal()
        elif self.take("set"):
            return [self.form("set", line, "name/name = value/expr ;", change=None)]
        elif self.take("use"):
            return self.uses(line)
        elif self.take("when"):
            return [self.when(line)]
        found = self.plain(line)
        for decl in found:
            decl.change, decl.deprecated = change, deprecated
        return found

    def removal(self):
        line = self.token.line
        self.need("remove")
        if self.sees("on"):
            self.at += 2
            names = ["on capture"]
        elif self.sees("setup", "turn", "end", "limit", "teams", "show", "view"):
            names = [self.token.text]
            self.at += 1
        else:
            names = self.listed(self.name)
        self.need(";")
        return [Node("remove", line, name=name, change=None) for name in names]

    def uses(self, line):
        use = self.form("use", line, "names/name* only/only?names ;")
        return [Node("use", line, name=name, only=use.only, change=None) for name in use.names]

    def names(self):
        return self.listed(self.name)

    def when(self, line):
        test = self.expr()
        branches = []
        for part in range(2):
            branches.append([])
            if part == 0 or self.take("else"):
                self.need("{")
                while not self.take("}"):
                    branches[-1] += self.declaration()
        return Node("when", line, test=test, branches=branches, change=None)

    def plain(self, line):
        word = self.token.text
        if word in ("carried", "clock", "secret", "var"):
            return self.variables(line, top=True)
        known = self.token.kind == "word" or word in ("stacks", "hide")
        if known and word in DECLARATIONS:
            self.at += 1
            return [self.form("phase" if word in ("setup", "turn", "end") else word, line,
                              DECLARATIONS[word], **{"name": word, "params": []})]
        reader = getattr(self, f"read_{word}", None) if known else None
        if reader is None:
            self.fail("E0118" if self.token.kind in ("name", "word") else None)
        self.at += 1
        found = reader(line)
        return found if isinstance(found, list) else [found]

    def read_info(self, line):
        self.need("{")
        while not self.take("}"):
            self.at += 1
            self.string()
            self.need(";")
        return Node("info", line, name=None)

    def read_option(self, line):
        name = self.name()
        if self.take(":"):
            kind = self.type()
            self.need("=")
            value = self.expr()
            self.maybe_string()
            self.need(";")
            return Node("option", line, name=name, type=kind, values=None, value=value)
        self.need("{")
        values = self.listed(lambda: (self.name(), self.maybe_string())[0])
        self.need("}")
        self.need("=")
        value = self.expr()
        self.need(";")
        return Node("option", line, name=name, values=values, value=value)

    def player(self):
        one = self.form("player", self.token.line, "name/name facing/facing?expr test/if?expr")
        return one.name, one.facing, one.test

    def read_teams(self, line):
        self.need("{")
        teams = []
        while not self.take("}"):
            name = self.name()
            self.need(":")
            teams.append((name, self.listed(self.name)))
            self.need(";")
        return Node("teams", line, name="teams", teams=teams)

    def read_board(self, line):
        value = self.expr()
        if self.take("on") and self.name() not in ("cells", "vertices"):
            raise ScriptError("E0717", line)
        self.need(";")
        return Node("board", line, name="board", value=value)

    def read_enum(self, line):
        name = self.name()
        if self.take("of"):
            parts = self.listed(self.name)
            self.need(";")
            return Node("enum", line, name=name, parts=parts, values=[])
        self.need("{")
        values = self.listed(lambda: (self.name(), self.maybe_string()))
        self.need("}")
        return Node("enum", line, name=name, parts=None, values=values)

    def read_die(self, line):
        name = self.name()
        if self.take("="):
            value = self.expr()
            self.need(";")
            return Node("die", line, name=name, range=value, faces=None)
        self.need("{")

        def face():
            value = self.expr()
            return value, self.number() if self.take(":") else 1
        faces = self.listed(face)
        self.need("}")
        return Node("die", line, name=name, range=None, faces=faces)

    def read_piece(self, line):
        names = self.listed(lambda: (self.name(), self.maybe_string()))
        items = []
        if not self.take(";"):
            self.need("{")
            while not self.take("}"):
                items.append(self.item())
        return [Node("piece", line, name=name, letter=letter, items=items)
                for name, letter in names]

    def item(self):
        line = self.token.line
        if self.sees("move", "capture"):
            word = self.token.text
            self.at += 1
            if word == "move" and self.take("as"):
                word = "as"
            else:
                self.need("to")
            value = self.expr()
            quants, label = self.quants(), self.label()
            stmt = self.statement() if self.take("=>") else self.need(";")
            return Node("item", line, sort=word, value=value, quants=quants, label=label, stmt=stmt)
        if self.sees("or", "at") and not (self.sees("at") and self.ahead().text in ("=", ";")):
            more = self.take("or")
            self.need("at")
            value = self.expr()
            quants, label = self.quants(), self.label()
            self.need("then")
            return Node("item", line, sort="at", more=more, value=value, quants=quants,
                        label=label, stmt=self.statement())
        if self.take("moves"):
            return Node("item", line, sort="moves", options=self.options())
        if self.take("attacks"):
            value = self.expr()
            self.need(";")
            return Node("item", line, sort="attacks", value=value)
        if self.take("after"):
            return Node("item", line, sort="after", stmt=self.statement())
        name = self.name()
        if name == "base" and self.take(";"):
            return Node("item", line, sort="base")
        value = self.expr()
        self.need(";")
        return Node("item", line, sort="property", name=name, value=value)

    def read_let(self, line):
        def one():
            at, name, params, kind = self.token.line, self.name(), [], None
            if self.take("["):
                params = self.listed(self.param)
                self.need("]")
            if self.take(":"):
                kind = self.type()
            self.need("=")
            return Node("let", at, name=name, params=params, type=kind, value=self.expr())
        found = [one()]
        self.need(";")
        return found

    def param(self):
        """`p: player`, or a type alone, which has no name."""
        if self.is_name(after=Token("symbol", "", 0)) and self.ahead().text == ":":
            name = self.name()
            self.need(":")
            return name, self.type()
        return None, self.type()

    def variables(self, line, top=False):
        marks = set()
        while not self.take("var"):
            marks.add(self.token.text)
            self.at += 1

        def one():
            at, name, indexes, kind, value = self.token.line, self.name(), [], None, None
            if self.take("["):
                indexes = self.listed(self.type)
                self.need("]")
            if self.take(":"):
                kind = self.type()
            if self.take("="):
                value = self.expr()
            return Node("var", at, name=name, indexes=indexes, type=kind, value=value, marks=marks)
        found = self.listed(one)
        self.viewers(*(var.value for var in found))
        self.need(";")
        return found if top else Node("vars", line, vars=found)

    def read_show(self, line):
        def one():
            path = self.path()
            if self.take("as"):
                self.string()
            return path
        names = [name for _, name in self.listed(one)]
        self.need(";")
        return Node("show", line, name="show", names=names)

    def read_view(self, line):
        depth = 0
        while depth or self.sees("{"):
            depth += self.sees("{") - self.sees("}")
            self.at += 1
        return Node("view", line, name="view")

    def read_fn(self, line):
        name, params = self.name(), self.params()
        self.need(":")
        kind = self.type()
        if self.take("="):
            value = self.expr()
            self.need(";")
            return Node("fn", line, name=name, params=params, type=kind, value=value, body=None)
        return Node("fn", line, name=name, params=params, type=kind, value=None, body=self.block())

    def params(self):
        self.need("(")
        found = [] if self.sees(")") else self.listed(self.param)
        self.need(")")
        return found

    def read_moves(self, line):
        name = self.name()
        params = self.params() if self.sees("(") else []
        options = self.options()
        filters = self.filters()
        if filters:
            self.need(";")
        return Node("moves", line, name=name, params=params, options=options, filters=filters)

    def read_proc(self, line):
        name, params = self.name(), self.params()
        kind = self.type() if self.take(":") else None
        return Node("proc", line, name=name, params=params, type=kind, body=self.block())

    def read_on(self, line):
        found = self.form("phase", line, "capture ( params/name ) body/block", name="on capture")
        found.params = [(found.params, None)]
        return found

    def read_limit(self, line):
        if self.token.kind == "name" and self.ahead().text == "=":
            return self.form("bound", line, "name/name = value/expr ;")
        return self.form("limit", line, "value/expr turns stmt/statement", name="limit")

    def read_extern(self, line):
        while not self.take(";"):
            self.at += 1
        return Node("extern", line, name=None)

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

    # Tests.

    def read_test(self, line):
        title = self.string()
        self.need("{")
        steps = []
        while not self.take("}"):
            steps.append(self.step())
        return Node("test", line, name=None, title=title, steps=steps)

    def step(self):
        line, word = self.token.line, self.token.text
        self.at += 1
        if word == "position":
            text = self.string()
            player = self.expr() if self.take("for") else None
            body = self.block() if self.sees("{") else self.need(";")
            return Node("position", line, text=text, player=player, body=body)
        if word in STEPS:
            return self.form(word, line, STEPS[word])
        if word == "expect":
            return self.expectation(line)
        self.large = True
        found = self.count(word, line)
        self.large = False
        return found

    def ended(self, node):
        self.need(";")
        return node

    def count(self, word, line):
        if word in COUNTS:
            return self.form(word, line, COUNTS[word])
        if word != "outcomes":
            self.at -= 1
            self.fail()
        self.need("{")
        cases = []
        while not self.take("}"):
            top = self.number()
            under = self.number() if self.take("/") else 1
            self.need(":")
            cases.append((top, under, self.expr()))
            self.need(";")
        return Node("outcomes", line, cases=cases)

    def true(self):
        return True

    def number(self):
        if self.token.kind != "number":
            self.fail()
        self.at += 1
        return int(self.tokens[self.at - 1].text)

    def expectation(self, line):
        player = None
        if self.sees("moves") and self.ahead().text in ("{", "includes", "excludes"):
            kind = "expect moves"
            self.at += 1
        elif self.sees("seen") and self.ahead().text == "by":
            kind = "expect seen"
            self.at += 2
            player = self.expr()
        else:
            return self.ended(Node("expect", line, value=self.expr()))
        sort = "exactly"
        if self.take("includes", "excludes"):
            sort = self.tokens[self.at - 1].text
        self.need("{")
        texts = [] if self.sees("}") else self.listed(self.string)
        self.need("}")
        return self.ended(Node(kind, line, sort=sort, texts=texts, player=player))


def parse(text):
    return Parser(text).file()
