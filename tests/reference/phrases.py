"""Expressions, options and statements as trees: the parts of the parser that declarations use."""
from words import SOMETIMES, Node, ScriptError, tokens

LOOPS = {"any", "all", "count", "sum", "max", "min", "union", "first", "random"}
COMPARISONS = {"==", "!=", "<", "<=", ">", ">=", "in", "not in"}
DEEPEST = 300
STATEMENTS = {
    "if": "test/expr yes/statement no/else?statement", "while": "test/expr body/statement",
    "for": "loops/binder* body/statement", "as": "player/expr body/statement",
    "put": "piece/expr of player/expr place/at|on where/expr ;",
    "give": "where/expr to player/expr ;", "remove": "value/expr ;", "capture": "value/expr ;",
    "next": "value/expr ;", "out": "value/expr ;", "win": "value/expr ;", "lose": "value/expr ;",
    "again": ";", "stop": ";", "draw": ";", "return": "value/expr? ;",
    "rank": "name/name by keys/expr* ;", "diagram": "text/string more/where?symbols ;",
}


class Words:
    """Reads one file. `at` is the number of the next token."""

    def __init__(self, text):
        self.tokens, self.at, self.depth = tokens(text.removeprefix("\ufeff")), 0, 0
        self.large = False              # whether a number may exceed 32 bits

    @property
    def token(self):
        return self.tokens[self.at]

    def ahead(self, n=1):
        return self.tokens[min(self.at + n, len(self.tokens) - 1)]

    def sees(self, *words):
        return self.token.text in words and self.token.kind in ("word", "symbol", "name")

    def take(self, *words):
        if self.sees(*words):
            self.at += 1
            return True
        return False

    def need(self, word):
        if not self.take(word):
            self.fail("E0112" if word == ";" and self.token.line > self.tokens[self.at - 1].line
                      else None)

    def fail(self, code=None):
        token = self.token
        last = self.tokens[self.at - 1]
        if code is None:
            code = "E0117" if token.kind == "word" and last.text in ("let", "var", "fn", "proc") \
                else "E0115" if self.sees("=") else "E0111"
            self.check_brackets()
        raise ScriptError(code, token.line if code != "E0112" else last.line,
                          f"at '{token.text}'")

    def check_brackets(self):
        """Says which bracket is to blame for a text that cannot go on here."""
        opened, closed = [], {"(": ")", "[": "]", "{": "}"}
        for token in self.tokens[:self.at]:
            if token.kind == "symbol" and token.text in closed:
                opened.append(token)
            elif token.kind == "symbol" and token.text in closed.values():
                opened.pop()
        if self.token.kind == "end" and opened:
            raise ScriptError("E0113", opened[-1].line)
        if self.sees(";") and opened and opened[-1].text != "{" or \
                self.sees(*closed.values()) and opened and not self.sees(closed[opened[-1].text]):
            raise ScriptError("E0113", self.token.line)
        if self.sees(*closed.values()) and not opened:
            raise ScriptError("E0114", self.token.line)

    def is_name(self, token=None, after=None):
        token = token or self.token
        return token.kind == "name" or token.kind == "word" and token.text in SOMETIMES and \
            (after or self.ahead()).kind != "name"

    def name(self):
        if not self.is_name():
            self.fail()
        self.at += 1
        return self.tokens[self.at - 1].text

    def path(self):
        first = self.name()
        if self.sees(".") and self.ahead().kind in ("name", "word"):
            self.at += 1
            self.at += 1
            return first, self.tokens[self.at - 1].text
        return None, first

    def listed(self, read):
        found = [read()]
        while self.take(","):
            found.append(read())
        return found

    def form(self, kind, line, pattern, **parts):
        """A node as a pattern of words says. `part/rule` reads a part with the method of this name;
        `rule*`: a list with commas; `rule?`: unless `;` follows; `word?rule`: only after the word;
        `a|b`: which of these words stands there. Another word stands there itself."""
        for item in pattern.split():
            part, slash, rule = item.partition("/")
            if slash and rule:
                parts[part] = self.part(rule)
            else:
                self.need(item)
        return Node(kind, line, **parts)

    def part(self, rule):
        first, mark, rest = rule.partition("?")
        if "|" in rule:
            if not self.take(*rule.split("|")):
                self.fail()
            return self.tokens[self.at - 1].text
        if mark and not rest:
            return None if self.sees(";") else self.part(first)
        if mark:
            return self.part(rest) if self.take(first) else None
        if rule.endswith("*"):
            return self.listed(getattr(self, rule[:-1]))
        return getattr(self, rule)()

    def string(self):
        if self.token.kind != "string":
            self.fail()
        self.at += 1
        return self.tokens[self.at - 1].text

    def maybe_string(self):
        return self.string() if self.token.kind == "string" else None

    def deeper(self):
        self.depth += 1
        if self.depth > DEEPEST:
            raise ScriptError("E0110", self.token.line)


class Expressions(Words):
    """Reads expressions."""

    LEVELS = [("or",), ("and",), None, None, ("|",), ("&",), ("+", "-"), ("*", "/", "%")]

    def expr(self):
        self.deeper()
        found = self.logic(0)
        self.depth -= 1
        return found

    def logic(self, level):
        if level == 2:
            line = self.token.line
            if self.sees("not"):
                self.deeper()
                self.at += 1
                found = Node("unary", line, op="not", value=self.logic(2))
                self.depth -= 1
                return found
            return self.comparison()
        left = self.logic(level + 1)
        while self.sees(*self.LEVELS[level]):
            line, op = self.token.line, self.token.text
            self.at += 1
            left = Node("binary", line, op=op, left=left, right=self.logic(level + 1))
        return left

    def comparison(self):
        left = self.range()
        op = self.token.text if self.token.kind in ("symbol", "word") else ""
        if op == "not" and self.ahead().text == "in":
            op = "not in"
        if op not in COMPARISONS:
            return left
        line = self.token.line
        self.at += 2 if op == "not in" else 1
        found = Node("binary", line, op=op, left=left, right=self.range())
        if self.token.kind == "symbol" and self.token.text in COMPARISONS or self.sees("in"):
            self.fail("E0119")
        return found

    def range(self):
        left = self.binary(4)
        line = self.token.line
        if self.take(".."):
            return Node("binary", line, op="..", left=left, right=self.binary(4))
        return left

    def binary(self, level):
        if level == len(self.LEVELS):
            return self.unary()
        left = self.binary(level + 1)
        while self.token.kind == "symbol" and self.token.text in self.LEVELS[level]:
            line, op = self.token.line, self.token.text
            self.at += 1
            left = Node("binary", line, op=op, left=left, right=self.binary(level + 1))
        return left

    def unary(self):
        line = self.token.line
        if self.sees("-", "~", "#"):
            op = self.token.text
            self.at += 1
            self.deeper()
            found = Node("unary", line, op=op, value=self.unary())
            self.depth -= 1
            return found
        return self.postfix(self.primary())

    def postfix(self, value):
        while self.sees("["):
            line = self.token.line
            self.at += 1
            value = Node("index", line, value=value, indexes=self.listed(self.expr))
            self.need("]")
        return value

    def primary(self):
        token, line = self.token, self.token.line
        if token.kind == "number":
            self.at += 1
            if int(token.text) > 2147483647 and not self.large:
                raise ScriptError("E0105", line)
            return Node("number", line, value=int(token.text))
        if self.take("("):
            found = self.expr()
            self.need(")")
            return found
        if self.take("{"):
            return self.braces(line)
        if self.take("["):
            found = Node("list", line, values=self.listed(self.expr))
            self.need("]")
            return found
        if self.take("if"):
            return self.form("choice", line, "test/expr then yes/expr else no/expr")
        if self.take("as"):
            return self.form("as", line, "player/expr : value/expr")
        if self.sees("graph") and self.ahead().text == "{":
            return self.graph(line)
        if token.kind == "word" and token.text in LOOPS and (
                self.ahead().kind == "name" or token.text not in SOMETIMES and
                self.ahead().text != "("):
            return self.aggregate(line)
        return self.named(line)

    def aggregate(self, line):
        op = self.token.text
        self.at += 1
        return self.form("aggregate", line, "loops/binder* test/if?expr : value/expr", op=op)

    def braces(self, line):
        if self.take("}"):
            return Node("set", line, values=[])
        if self.take("for"):
            return self.form("filter", line, "name/name in value/expr test/if?expr }")
        first = self.expr()
        if self.take(":"):
            entries = [(first, self.expr())]
            while self.take(","):
                key = self.expr()
                self.need(":")
                entries.append((key, self.expr()))
            self.need("}")
            return Node("table", line, entries=entries)
        values = [first]
        while self.take(","):
            values.append(self.expr())
        self.need("}")
        return Node("set", line, values=values)

    def lines(self, d):
        """A row of lines, as rows of single edges."""
        e, rows = self.token.text, []
        self.at += 1
        self.need(":")
        last = None
        while not self.take(";"):
            site = self.token.text
            self.at += 1
            if site == ",":
                last = None
                continue
            if last:
                rows.append((last, [(site, d)]))
            if site != "off":
                rows.append((site, [(last, e)] if last else []))
            last = site if site != "off" else None
        return rows

    def graph(self, line):
        self.at += 2
        rows, known = [], set()

        def edge():
            self.at += 1
            site = self.tokens[self.at - 1].text
            if self.token.kind in ("name", "word"):
                self.at += 1
                return site, self.tokens[self.at - 1].text
            return site, None
        while not self.take("}"):
            self.at += 1
            name = self.tokens[self.at - 1].text
            if not self.sees(":"):
                rows += self.lines(name)
                known |= {site for site, _ in rows}
                continue
            if name in known:
                raise ScriptError("E0710", line)
            known.add(name)
            self.need(":")
            rows.append((name, self.listed(edge)))
            self.need(";")
        return Node("graph", line, rows=rows)

    def named(self, line):
        token = self.token
        if token.kind == "word" and token.text in ("max", "min", "random", "rank", "first", "sum") \
                and self.ahead().text == "(":
            self.at += 1
            module, name = None, token.text
        else:
            module, name = self.path()
        if self.take("("):
            args = [] if self.sees(")") else self.listed(self.argument)
            self.need(")")
            return Node("callx", line, module=module, name=name, args=[a for _, a in args],
                        prefixes=[p for p, _ in args])
        return Node("name", line, module=module, name=name)

    def argument(self):
        if self.token.kind == "name" and self.ahead().text == ":":
            prefix = self.name()
            self.at += 1
            return prefix, self.expr()
        return None, self.expr()


def has_call(node):
    """Whether something in an expression may ask for chance."""
    if isinstance(node, (list, tuple)):
        return any(map(has_call, node))
    return isinstance(node, Node) and (
        node.kind == "callx" or node.kind == "aggregate" and node.op == "random" or
        any(map(has_call, node.__dict__.values())))


class Statements(Expressions):
    """Reads options and statements."""

    def options(self):
        self.need("{")
        found = []
        while not self.take("}"):
            found.append(self.option())
        return found

    def option(self, quants=None):
        self.deeper()
        line = self.token.line
        quants = (quants or []) + self.quants()
        label = self.label()
        found = Node("option", line, quants=quants, label=label, stmt=None, generator=None,
                     options=None, then=None)
        if self.take("=>"):
            found.stmt = self.statement()
        elif self.sees("{"):
            found.options = self.options()
            found.then = self.statement() if self.take("then") else None
        else:
            found.generator = self.generator()
            if self.take("then"):
                found.then = self.statement()
            else:
                self.need(";")
        self.depth -= 1
        return found

    def generator(self):
        line, (module, name) = self.token.line, self.path()
        args = []
        if self.take("("):
            args = [] if self.sees(")") else self.listed(self.expr)
            self.need(")")
        return Node("generator", line, module=module, name=name, args=args)

    def quants(self):
        found = []
        while True:
            line = self.token.line
            if self.take("for"):
                found += self.binders_or_subset()
            elif self.take("let"):
                found += [Node("let", line, name=n, type=t, value=v) for n, t, v in self.lets()]
            elif self.take("if"):
                found.append(Node("if", line, test=self.expr()))
            elif self.take("as"):
                found.append(Node("as", line, player=self.expr()))
            else:
                return found

    def binders_or_subset(self):
        if self.ahead().text == "subset":
            line, name = self.token.line, self.name()
            self.at += 1
            self.need("of")
            return [Node("subset", line, name=name, value=self.expr())]
        return [Node("for", line, name=name, value=value) for name, value, line in self.binders()]

    def binder(self):
        line, name = self.token.line, self.name()
        self.need("in")
        return name, self.expr(), line

    def binders(self):
        return self.listed(self.binder)

    def lets(self):
        def one():
            at = self.form("let", self.token.line, "name/name type/:?type = value/expr")
            return at.name, at.type, at.value
        return self.listed(one)

    def label(self):
        line, own = self.token.line, self.maybe_string()
        other = self.string() if self.take("shown") else None
        return (own, other, line) if own is not None or other is not None else None

    def filters(self):
        found = []
        if self.take("ensuring"):
            found.append(("ensuring", [self.expr()], None))
        if self.take("keeping"):
            word = self.token.text
            if not self.take("max", "min"):
                self.fail()
            keys, bounds = self.listed(self.expr), None
            if self.take("up" if word == "max" else "down"):
                self.need("to")
                bounds = self.listed(self.expr)
            found.append((word, keys, bounds))
        return found

    def choose(self, line):
        by = self.expr() if self.take("by") else None
        ends = True                     # whether the option has ended the statement
        if self.sees("{"):
            options = self.options()
            ends = "braces"
        elif self.is_name() and self.ahead().text in ("in", "subset"):
            options = [self.option(self.binders_or_subset())]
        elif self.sees("for", "let", "if", "as"):
            options = [self.option()]
        else:
            at, label = self.token.line, self.label()
            option = Node("option", at, quants=[], label=label, stmt=None, generator=None,
                          options=None, then=None)
            if self.take("=>"):
                option.stmt = self.statement()
            else:
                option.generator, ends = self.generator(), False
            options = [option]
        filters = self.filters() if ends is not True else []
        otherwise = None
        if self.take("otherwise"):
            otherwise = self.statement()
        elif ends is False or filters:
            self.need(";")
        return Node("choose", line, by=by, options=options, filters=filters, otherwise=otherwise)

    def block(self):
        line = self.token.line
        self.need("{")
        found = []
        while not self.take("}"):
            found.append(self.statement())
        return Node("block", line, stmts=found)

    def statement(self):
        self.deeper()
        line, word = self.token.line, self.token.text
        if self.sees("{"):
            found = self.block()
        elif self.token.kind == "word" and word in STATEMENTS:
            self.at += 1
            found = self.form(word, line, STATEMENTS[word])
        elif self.take("choose"):
            found = self.choose(line)
        elif self.take("let"):
            found = self.let(line)
        elif self.sees("var"):
            found = self.variables(line)
        elif self.sees("together") and self.ahead().kind == "name":
            self.at += 1
            loops = self.binders()
            at = self.token.line
            self.need("choose")
            found = Node("together", line, loops=loops, choose=self.choose(at))
        else:
            found = self.simple(line)
        self.depth -= 1
        return found

    def simple(self, line):
        if self.token.kind == "word" and not self.is_name():
            self.fail()
        module, name = self.path()
        if name == "base" and self.take(";"):
            return Node("base", line)
        if self.take("("):
            args = [] if self.sees(")") else self.listed(self.expr)
            self.need(")")
            self.need(";")
            return Node("call", line, module=module, name=name, args=args)
        indexes = []
        if self.take("["):
            indexes = self.listed(self.expr)
            self.need("]")
        op = self.token.text
        if not self.take("=", "+=", "-=", "|=", "&="):
            self.fail("E0116" if self.sees("==") else
                      "E0118" if self.token.kind in ("name", "word") else None)
        value = self.expr()
        self.viewers(value)
        self.need(";")
        return Node("assign", line, module=module, name=name, indexes=indexes, op=op, value=value)

    def viewers(self, *values):
        line = self.token.line
        if self.take("shown"):
            if not any(map(has_call, values)):
                raise ScriptError("E0615", line)
            self.need("to")
            self.expr()

    def symbols(self):
        return self.listed(self.symbol)

    def symbol(self):
        """A letter that a diagram defines."""
        at = self.form("symbol", self.token.line, "letter/string = piece/expr of player/expr")
        return at.letter, at.piece, at.player

    def let(self, line):
        lets = self.lets()
        self.viewers(*(value for _, _, value in lets))
        self.need(";")
        return Node("lets", line, lets=lets)
