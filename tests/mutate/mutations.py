"""Finds what can be changed in the rules of a script: small mistakes that an author might make.

A mutation replaces some text of the script. `mutations(source)` lists all of them, in the order
of the text. It knows tokens, blocks and expressions, not types: the caller drops mutations that
do not compile.

    delete      a statement, an option of moves, an item of a piece, an `else` or `then` part,
                `otherwise`, `keeping`, `ensuring`, what a variant overrides or removes
    condition   made true, made false, negated
    operator    & | - of sets, + - * of numbers, comparisons, and or, any all, min max
    result      a win or loss becomes a draw, a draw a win; ranks are
                turned round
    operand     of a binary operator, or an element of a list, left out
    number      one more, one less
    order       two neighbours of a list, or of a row of a picture, change places
    site        the next on its rank; in a picture: a piece is missing
    name        the next of the same list: kinds, players, enumerators; opposite directions;
                mine and theirs
"""
import re
from collections import namedtuple

Token = namedtuple("Token", "kind text start end line")
Mutation = namedtuple("Mutation", "start end text line what")

TOKENS = re.compile(r'''(?P<space>\s+|//[^\n]*)
    |(?P<string>"""(?:.|\n)*?"""|"(?:[^"\\\n]|\\.)*")
    |(?P<number>\d+)
    |(?P<name>[A-Za-z_]\w*)
    |(?P<sign>=>|==|!=|<=|>=|\+=|-=|\|=|&=|\.\.|.)''', re.VERBOSE)
SITE = re.compile(r"[a-y]\d+")
# Words that end an expression or stand before one.
WORDS = set("""
    after again all and any as at attacks board by capture carried choose clock count diagram die
    draw else end ensuring enum extern facing first fn for game give graph if in info keeping let
    library limit lose max min move moves next not of on option or otherwise out override piece
    players proc property put random rank remove return secret set setup show shown stop sum teams
    test then turn union use var variant when while win
""".split())
BINARY = {"+", "-", "*", "/", "%", "&", "|", "==", "!=", "<", "<=", ">", ">=", "and", "or", "in"}
UNARY = {"-", "~", "#", "not"}
QUANTIFIERS = {"any", "all", "count", "sum", "max", "min", "union", "first", "random"}
CLOSING = {"(": ")", "[": "]", "{": "}"}
# Words after which a statement goes on after a closing brace.
CONTINUED = ("else", "then", "otherwise", "and", "or", "in", "where")
CLAUSES = ("keeping", "ensuring", "otherwise")
# Items at the top of a script that state no rule. A `limit` only stops games that would not end.
NO_RULE = {"game", "variant", "library", "use", "info", "option", "test", "show", "view", "limit"}

DECLARING = ("piece", "let", "fn", "proc", "moves", "var", "enum", "die", "property")

OTHER_OPERATORS = {
    "&": "|-", "|": "&-", "-": "&|+", "+": "-", "*": "+", "/": "*", "==": ["!="], "!=": ["=="],
    "<": ["<=", ">"], "<=": ["<", ">="], ">": [">=", "<"], ">=": [">", "<="],
    "and": ["or"], "or": ["and"], "any": ["all"], "all": ["any"], "min": ["max"], "max": ["min"],
    "+=": ["-="], "-=": ["+="], "|=": ["&="], "&=": ["|="],
    "win": ["lose"], "lose": ["win"],
}
PAIRS = """
    forward backward, forward_left forward_right, orthogonal diagonal, mine theirs, me foe,
    true false, n s, e w, ne sw, nw se, row column, file rank, empty occupied, last_from
    last_to, from to, dark light, step slide, owned placed
"""
CYCLES = [*(pair.split() for pair in PAIRS.split(",")),
          ["adjacent", "orthogonal"], ["adjacent", "diagonal"]]


def tokens(source):
    found, line = [], 1
    for match in TOKENS.finditer(source):
        if match.lastgroup != "space":
            found.append(Token(match.lastgroup, match[0], match.start(), match.end(), line))
        line += match[0].count("\n")
    return found


class Script:
    """The tokens of a script, and where its blocks and expressions end."""

    def __init__(self, source):
        self.source = source
        self.tokens = tokens(source)
        self.partner = {}
        self.found = []
        opened = []
        for index, token in enumerate(self.tokens):
            if token.text in CLOSING:
                opened.append(index)
            elif token.text in CLOSING.values() and opened:
                self.partner[opened.pop()] = index

    def text(self, index):
        return self.tokens[index].text if index < len(self.tokens) else ""

    def is_operand_end(self, index):
        token = self.tokens[index]
        return (token.kind == "number" or token.text in ")]}"
                or token.kind == "name" and token.text not in WORDS)

    # ---- Expressions: each function returns the index after what it has read, or None. ----

    def operand(self, at):
        text = self.text(at)
        if text in UNARY:
            return self.operand(at + 1)
        if text == "if":
            return self.choice(at)
        if text in QUANTIFIERS and self.text(at + 1) not in ("(", "["):
            return self.after_colon(at + 1)
        if text == "as":
            return self.after_colon(at + 1)
        if text in CLOSING:
            end = self.partner.get(at, len(self.tokens)) + 1
        elif self.is_word(at):
            end = at + 1
        else:
            return None
        while self.text(end) in ("(", "[", "."):
            end = end + 2 if self.text(end) == "." else self.partner.get(end, len(self.tokens)) + 1
        return end

    def is_word(self, at):
        """A number or a name: also of those functions whose name is a reserved word."""
        if at >= len(self.tokens):
            return False
        token = self.tokens[at]
        callable_word = token.text in QUANTIFIERS or token.text == "rank"
        return token.kind == "number" or token.kind == "name" and (
            token.text not in WORDS or callable_word)

    def expression(self, at, operators=None):
        """Also notes its binary operators: (before, operator, after, end)."""
        end = self.operand(at)
        while end is not None and self.text(end) in BINARY:
            after = self.operand(end + 1)
            if after is None:
                return end
            if operators is not None:
                operators.append((at, end, end + 1, after))
            at, end = end + 1, after
        return end

    def choice(self, at):
        for word in ("then", "else"):
            at = self.expression(at + 1)
            if at is None or self.text(at) != word:
                return None
        return self.expression(at + 1)

    def after_colon(self, at):
        while at < len(self.tokens) and self.text(at) not in (":", ";"):
            at = self.partner[at] + 1 if at in self.partner else at + 1
        return self.expression(at + 1) if self.text(at) == ":" else None

    # ---- Mutations ----

    def add(self, first, last, text, what):
        """The tokens from first to before last become `text`."""
        if first < last <= len(self.tokens):
            start, end = self.tokens[first], self.tokens[last - 1]
            self.found.append(Mutation(start.start, end.end, text, start.line, what))

    def span(self, first, last):
        return self.source[self.tokens[first].start:self.tokens[last - 1].end]

    def items(self, first, last):
        """The statements, options or declarations between two tokens."""
        start = at = first
        while at < last:
            if at in self.partner:
                opened, at = at, self.partner[at]
                follows = self.text(at + 1)
                more = follows not in ("}", "") and (
                    self.tokens[at + 1].kind == "sign" or follows in CONTINUED)
                done = self.text(opened) == "{" and not more
            else:
                done = self.text(at) == ";" and self.text(at + 1) not in ("else", "otherwise")
            at += 1
            if done:
                yield start, at
                start = at

    def rules(self):
        for first, last in self.items(0, len(self.tokens)):
            if self.item_word(first) not in NO_RULE:
                yield first, last

    def item_word(self, first):
        return self.text(first + 1 if self.text(first) == "override" else first)

    def deletions(self, first, last):
        for at in range(first, last):
            if self.text(at) == "{":
                inside = list(self.items(at + 1, self.partner.get(at, at)))
                for start, end in inside:
                    self.add(start, end, "", "deleted")
                if inside and self.text(at - 1) in ("else", "then", "otherwise"):
                    self.add(at, self.partner[at] + 1, "{}", "emptied")
            elif self.text(at) == "else":
                end = next((end for start, end in self.items(at + 1, last)), None)
                if end and ";" in self.span(at, end):
                    self.add(at, end, "", "deleted")
            elif self.text(at) == "then" and self.text(at + 2) == "(":
                self.add(at, self.partner[at + 2] + 1, "", "deleted")

    def clauses(self, first, last):
        for at in range(first, last):
            if self.text(at) in CLAUSES:
                end = at + 1
                if self.text(end) == "{":
                    end = self.partner[end] + 1
                else:
                    while end < last and self.text(end) not in (*CLAUSES, ";", "}", "=>"):
                        end = self.partner.get(end, end) + 1
                if self.span(at, end) != "otherwise {}":    # says only that nothing happens
                    self.add(at, end, "", "deleted")

    def conditions(self, first, last):
        for at in range(first, last):
            if self.text(at) in ("if", "while") or self.text(at) == "when" and at == first:
                end = self.expression(at + 1)
                if end:
                    for text in ("true", "false", f"not ({self.span(at + 1, end)})"):
                        self.add(at + 1, end, text, "condition")
            if self.text(at) == "not" and self.text(at + 1) != "in":
                self.add(at, at + 1, "", "not left out")

    def operators(self, first, last):
        for at in range(first, last):
            token = self.tokens[at]
            operand = at > 0 and self.is_operand_end(at - 1)
            if token.text in QUANTIFIERS or token.text in ("win", "lose") or operand:
                for text in OTHER_OPERATORS.get(token.text, ()):
                    self.add(at, at + 1, text, "operator")
            if not operand:
                self.operands(at)

    def operands(self, at):
        found = []
        self.expression(at, found)
        for before, operator, after, end in found:
            if self.text(operator) in ("&", "|", "-", "+", "and", "or", "*", "%"):
                self.add(operator, end, "", "operand left out")
                self.add(before, after, "", "operand left out")

    def results(self, first, last):
        for at in range(first, last):
            if self.text(at) in ("win", "lose"):
                end = self.expression(at + 1)
                if end:
                    self.add(at, end, "draw", "result")
            elif self.text(at) == "draw":
                self.add(at, at + 1, "win me", "result")
            elif self.text(at) == "by" and self.text(at - 2) == "rank":
                end = self.expression(at + 1)
                if end:
                    self.add(at + 1, end, f"-({self.span(at + 1, end)})", "result")

    def elements(self, first, last):
        """Of sets and tables in brackets, of lists of binders no more than the rest allows."""
        for at in range(first, last):
            if self.text(at) == "," and at + 1 < last:
                end = self.expression(at + 1)
                if end and self.text(end) in (",", "}", "]"):
                    self.add(at, end, "", "element left out")

    def orders(self, first, last):
        """Of lists in brackets, not of indices."""
        for at in range(first, last):
            if self.text(at) == "[" and not self.is_operand_end(at - 1):
                one = at + 1, self.expression(at + 1)
                while one[1] and self.text(one[1]) == ",":
                    two = one[1] + 1, self.expression(one[1] + 1)
                    if two[1] and self.span(*one) != self.span(*two):
                        self.add(one[0], two[1], f"{self.span(*two)}, {self.span(*one)}", "order")
                    one = two

    def sites(self, first, last):
        for at in range(first, last):
            if SITE.fullmatch(self.text(at)):
                text = self.text(at)
                self.add(at, at + 1, chr(ord(text[0]) + 1) + text[1:], "site")

    def pictures(self, first, last):
        """Of each row the first piece, and the first two neighbours that differ."""
        for token in self.tokens[first:last]:
            start, line = token.start, token.line
            for row in token.text.split("\n") if token.text.startswith('"""') else []:
                cells = list(re.finditer(r"[^\s\"]+", row))
                for cell in [cell for cell in cells if cell[0] not in ".-"][:1]:
                    self.found.append(Mutation(start + cell.start(), start + cell.end(), ".", line,
                                               "site"))
                pairs = [(one, two) for one, two in zip(cells, cells[1:]) if one[0] != two[0]]
                for one, two in pairs[:1]:
                    self.found.append(Mutation(start + one.start(), start + two.end(),
                                               f"{two[0]} {one[0]}", line, "order"))
                start, line = start + len(row) + 1, line + 1

    def numbers(self, first, last):
        for at in range(first, last):
            if self.tokens[at].kind == "number":
                value = int(self.text(at))
                for other in (value + 1, value - 1) if value else (1,):
                    if not self.widens(at, other > value):
                        self.add(at, at + 1, str(other), "number")

    def widens(self, at, more):
        """Whether the range of a variable, a table's index or a parameter grows: nothing reads the
        further elements, and no rule gives the further values."""
        if self.text(at + 1 if not more else at - 1) != "..":
            return False
        while at > 0 and self.text(at - 1) not in (";", "=", "{", "}"):
            at -= 1
            if self.text(at) in ("var", "let", "fn", "proc", "moves"):
                return True
        return False

    def names(self, first, last, cycles):
        for at in range(first, last):
            used = self.text(at - 1) != "." and not self.declares(at)
            if self.tokens[at].kind == "name" and used:
                for cycle in cycles:
                    if self.text(at) in cycle:
                        other = cycle[(cycle.index(self.text(at)) + 1) % len(cycle)]
                        self.add(at, at + 1, other, "name")

    def declares(self, at):
        parameter = self.text(at - 1) in ("(", "[", ",") and self.text(at + 1) == ":"
        bound = self.text(at - 1) in (*QUANTIFIERS, "for", ",") and self.text(at + 1) == "in"
        return parameter or bound or self.text(at - 1) in DECLARING

    def lists(self):
        """The names that declarations put side by side: kinds, players, enumerators."""
        kinds, found = [], []
        for first, last in self.rules_and_options():
            word = self.text(first)
            names = [self.text(at) for at in range(first + 1, last)
                     if self.tokens[at].kind == "name" and self.text(at - 1) in (word, "{", ",")]
            if word == "piece":
                kinds += names if ";" == self.text(last - 1) else names[:1]
            elif word in ("enum", "die", "option"):
                found.append(names[1:])
            elif word == "players":
                found.append(names)
        return [names for names in [list(dict.fromkeys(kinds)), *found] if len(names) > 1]

    def rules_and_options(self):
        for first, last in self.items(0, len(self.tokens)):
            if self.text(first) in ("option", "when") or self.text(first) not in NO_RULE:
                inside = self.text(first) == "when"
                yield from self.branches(first, last) if inside else [(first, last)]

    def branches(self, first, last):
        """The declarations in the braces of a `when`."""
        for at in range(first, last):
            begins = self.text(at - 1) == "else" or self.expression(first + 1) == at
            if self.text(at) == "{" and begins:
                yield from self.items(at + 1, self.partner[at])

    def defaults(self):
        """Of options: another value is the default."""
        for first, last in self.items(0, len(self.tokens)):
            if self.text(first) == "option":
                equal = next((at for at in range(first, last) if self.text(at) == "="), None)
                if equal:
                    yield equal + 1, last


def mutations(source):
    """All mutations of the script's rules, each once, in the order of the text."""
    script = Script(source)
    cycles = CYCLES + script.lists()
    for first, last in script.rules():
        if script.text(first) in ("on", "override", "remove"):
            script.add(first, last, "", "deleted")
        script.deletions(first, last)
        script.clauses(first, last)
        script.conditions(first, last)
        script.operators(first, last)
        script.results(first, last)
        script.elements(first, last)
        script.orders(first, last)
        script.sites(first, last)
        script.pictures(first, last)
        script.numbers(first, last)
        script.names(first, last, cycles)
    for first, last in script.defaults():
        script.numbers(first, last)
        script.names(first, last, cycles)
    unique = {place(mutation): mutation for mutation in reversed(script.found)}
    return sorted(unique.values(), key=place)


def place(mutation):
    return mutation.start, mutation.end, mutation.text


def options(source):
    """A script's options: (name, its values; of a number the least and the greatest)."""
    script = Script(source)
    found = []
    for first, last in script.items(0, len(script.tokens)):
        if script.text(first) == "option":
            if script.text(first + 2) == "{":
                inside = range(first + 3, script.partner[first + 2])
                values = [script.text(at) for at in inside if script.text(at - 1) in ("{", ",")]
            else:
                equal = next(at for at in range(first, last) if script.text(at) == "=")
                values = [script.text(at) for at in range(first + 3, equal)
                          if script.tokens[at].kind == "number"]
            found.append((script.text(first + 1), values or ["false", "true"]))
    return found


def applied(source, mutation):
    return source[:mutation.start] + mutation.text + source[mutation.end:]


def without_counts(source):
    """The text without perft and outcomes, which count all moves and all results of chance."""
    script = Script(source)
    parts, done = [], 0
    for at, token in enumerate(script.tokens):
        if token.text == "perft":
            end = next(end for end in range(at, len(script.tokens)) if script.text(end) == ";")
        elif token.text == "outcomes" and script.text(at + 1) == "{":
            end = script.partner[at + 1]
        else:
            continue
        parts.append(source[done:token.start])
        done = script.tokens[end].end
    return "".join(parts) + source[done:]


def words(text):
    """The tokens, with a blank between them: comments, blanks and lines make no difference."""
    return " ".join(token.text for token in tokens(text))


def rule_part(source):
    """The rules and options: what mutations are about."""
    return parts(source, lambda word: word not in NO_RULE - {"option", "use", "variant"})


def test_part(source):
    return parts(source, lambda word: word == "test")


def parts(source, chosen):
    """The words of those items at the top of a script whose first word is chosen."""
    script = Script(source)
    return " ".join(token.text for first, last in script.items(0, len(script.tokens))
                    if chosen(script.item_word(first)) for token in script.tokens[first:last])


def spread(source, mutation=None):
    """The rule part with blanks after each token. A mutation then leaves every other token where it
    is, and the compiled program differs only where the rules do. None if the text of the mutation
    is too long for that."""
    script = Script(source)
    parts = []
    for first, last in script.items(0, len(script.tokens)):
        if script.text(first) == "test":
            continue
        for token in script.tokens[first:last]:
            room = len(token.text) + 24
            text = token.text
            if mutation and token.start < mutation.start < token.end:
                text = (text[:mutation.start - token.start] + mutation.text
                        + text[mutation.end - token.start:])
            elif mutation and mutation.start <= token.start < mutation.end:
                first = token.start == mutation.start
                text = mutation.text if first else "\n" * token.text.count("\n")
                if len(text) > room:
                    return None
            parts.append(text + " " * (room - len(text)))
    return "".join(parts)
