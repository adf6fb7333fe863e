"""Types and values, and expressions as closures (chapters 2, 4 and 5 of docs/spec). Every value is
a number: one of a finite type its position, `off`, `nobody` and `none` -1, a set a mask of bits."""
import operator
import re
from contextlib import contextmanager
from functools import lru_cache

from board import members, union
from words import ScriptError, refuse_if


class GameError(Exception):
    """An error of a running game."""


def fault_if(wrong, message):
    """Stops the game if something is wrong."""
    if wrong:
        raise GameError(message)


class Type:
    """A type: 'bool', 'int', 'range', 'set', 'empty' (of `off`), or the name of a finite type."""

    def __init__(self, name, values=None, null=True, cyclic=False, texts=None):
        self.name, self.values, self.null, self.cyclic = name, values, null, cyclic
        self.texts, self.parts, self.member = texts or values, None, None
        self.low = self.high = None

    @property
    def size(self):
        return self.high - self.low + 1 if self.name == "range" else len(self.values)

    @property
    def default(self):
        return self.low if self.name == "range" else -1 if self.values is not None and self.null \
            else 0

    @property
    def finite(self):
        return self.values is not None

    def text(self, value):
        if self.name == "set":
            return "{" + ", ".join(map(self.member.text, members(value))) + "}"
        if self.name == "bool":
            return "true" if value else "false"
        if self.values is None:
            return str(value)
        if value < 0:
            return {"site": "off", "dir": "off", "player": "nobody"}.get(self.name, "none")
        return self.texts[value]


BOOL = Type("bool", ["false", "true"], null=False)
INT = Type("int")
NULL = Type("null")                     # of off, nobody, none: fits every type that has one
EMPTY = Type("set")                     # of {}: fits every set


@lru_cache(maxsize=None)
def set_of(member):
    found = Type("set")
    found.member = member
    return found


@lru_cache(maxsize=None)
def range_of(low, high):
    found = Type("range")
    found.low, found.high = low, high
    return found


EMPTY.member = NULL


def plain(kind):
    return INT if kind.name == "range" else kind


def number(value):
    fault_if(not -2147483648 <= value <= 2147483647, "the result does not fit 32 bits")
    return value


def product(a, b):
    return number(a * b)


def divided(a, b):
    fault_if(b == 0, "division by zero")
    return number(a // b)


def remainder(a, b):
    fault_if(b == 0, "division by zero")
    return a % b


def stored(kind, value, name="value"):
    """What a variable of a type holds."""
    fault_if(kind.name == "range" and not kind.low <= value <= kind.high,
             f"'{name}' can't become {value}: its range is {kind.low}..{kind.high}")
    if kind.name == "set" and kind.member.name in ("range", "int"):
        low, high = (kind.member.low, kind.member.high) if kind.member.name == "range" else (0, 63)
        fault_if(value >> high + 1 or value & (1 << low) - 1,
                 f"{name}: a number outside {low}..{high} in a set")
    return value


CONSTANTS = {"true", "false", "off", "nobody", "none", "me"}    # what nothing else can be called


class Scope:
    """The names of a block: (slot, type). A frame holds values by slot."""

    def __init__(self, outer=None, info=None):
        self.outer, self.names = outer, {}
        self.info = info or outer.info

    def find(self, name):
        if name in self.names or self.outer is None:
            return self.names.get(name)
        return self.outer.find(name)

    def add(self, name, kind, line=0):
        refuse_if(name in CONSTANTS, "E0306", line)
        refuse_if(name in self.names, "E0305", line)
        self.names[name] = (self.info.size, kind)
        self.info.size += 1
        return self.info.size - 1


class Info:
    """What all scopes of one frame share: its size, the file, what `base` is, the slots of loops
    and of what may be assigned, the type of the result."""

    def __init__(self, file, base=None, result=None, called=False):
        self.size, self.file, self.base = 0, file, base
        self.loops, self.variables, self.params = set(), set(), 0
        self.result, self.called = result, called


class Expressions:
    """Compiles expressions. A closure takes a frame, and reads the state of the game from the
    object."""

    # Types.

    def type_of(self, node, file):
        if node.kind == "set":
            return set_of(self.type_of(node.member, file))
        if node.kind == "range":
            scope = Scope(info=Info(file))
            low, high = (self.fixed(part, scope, INT) for part in (node.low, node.high))
            refuse_if(low > high, "E0412", node)
            return range_of(low, high)
        name = node.name
        if node.module is None and name in self.types:
            return self.types[name]
        slot = self.found(node, file, "name", name)
        if slot and slot.decl.kind in ("enum", "option", "die"):
            found = self.enum(slot)
            if found is None and slot.decl.kind == "die":
                faces = slot.decl.faces_made
                found = range_of(min(faces), max(faces))
            if found is not None:
                return found
        raise ScriptError("E0308", node.line)

    def enum(self, slot):
        """The type of an enum, of an option with names, or of a die with names; else None."""
        decl = slot.decl
        if decl.made is not None or decl.faces_made:
            return decl.made
        if decl.kind == "option" and decl.values:
            decl.made = Type(decl.name, [name for name, _ in decl.values], null=False)
        elif decl.kind == "die":
            decl.faces_made = self.faces(slot)
        elif decl.kind == "enum" and not decl.parts:
            values = [(name, text) for name, text in decl.values if name != "none"]
            decl.made = Type(decl.name, [name for name, _ in values], cyclic=True,
                             null=len(values) < len(decl.values),
                             texts=[text or name for name, text in values])
            texts = decl.made.texts
            refuse_if(len({*texts}) < len(texts) or not all(re.fullmatch(r"\w+", t) for t in texts),
                      "E0541", decl)
        elif decl.kind == "enum":
            parts = [self.enum(self.unit.find(slot.file, ("name", part), decl.line))
                     for part in decl.parts]
            refuse_if(len({*parts}) < len(parts) or any(part in self.parts_used for part in parts),
                      "E0542", decl)
            self.parts_used += parts
            names = [""]
            for part in parts:
                names = [name + text for name in names for text in part.texts]
            decl.made = Type(decl.name, names, cyclic=True)
            decl.made.parts = parts
        return decl.made

    def faces(self, slot):
        """The faces of a die and their weights; makes its type if they are names."""
        decl, scope = slot.decl, Scope(info=Info(slot.file))
        if decl.range is not None:
            low, high = (self.fixed(part, scope, INT)
                         for part in (decl.range.left, decl.range.right))
            return {face: 1 for face in range(low, high + 1)}
        names = [face.kind == "name" and self.unit.find(slot.file, ("name", face.name)) is None
                 for face, _ in decl.faces]
        named, faces = names[0], {}
        refuse_if(named != all(names) or named != any(names), "E0516", decl)
        for face, weight in decl.faces:
            key = face.name if named else self.fixed(face, scope, INT)
            faces[key] = faces.get(key, 0) + (1 if weight is None else weight)
        refuse_if(not any(faces.values()), "E0517", decl)
        if named:
            decl.made = Type(decl.name, list(faces), null=False, cyclic=True)
            faces = {i: weight for i, weight in enumerate(faces.values())}
        return faces

    def fixed(self, node, scope, want=None, code="E0411"):
        """The value of a constant."""
        with self.setting(reads=False):
            fn = self.value(node, scope, want)
            refuse_if(self.reads, code, node)
        return self.computed_now(lambda: fn({}), node)

    def computed_now(self, compute, node, code="E0805"):
        """A value that the script must be able to compute before the game."""
        try:
            return compute()
        except GameError as error:
            raise ScriptError(code, node.line) from error

    def fit(self, kind, fn, want, node):
        """A closure whose value may be stored in the type `want`."""
        if want is None or kind is want:
            return fn
        if plain(kind) is INT and plain(want) is INT or kind is NULL and want.null \
                and want.finite:
            return fn
        if want.name == "set":
            if kind is EMPTY or kind.name == "set" and (
                    kind.member is want.member or plain(kind.member) is plain(want.member)):
                return fn
            if kind is want.member and plain(kind) is not INT:
                return lambda f: 1 << v if (v := fn(f)) >= 0 else 0
            if kind is NULL:
                return lambda f: 0
        raise ScriptError("E0401", node.line, f"{want.name} expected, found {kind.name}")

    def value(self, node, scope, want):
        """A closure of an expression that gives the type `want`."""
        kind, fn = self.expr(node, scope, want)
        return self.fit(kind, fn, want, node)

    @contextmanager
    def setting(self, **values):
        """Gives attributes of the game other values for a while."""
        before = {name: getattr(self, name) for name in values}
        self.__dict__.update(values)
        try:
            yield
        finally:
            self.__dict__.update(before)

    def condition(self, node, scope):
        return self.value(node, scope, BOOL)

    def as_set(self, node, scope, want=None):
        """(type of the members, closure) of an expression that stands for a set."""
        kind, fn = self.expr(node, scope, want)
        if kind.name == "set":
            return kind.member, fn
        if kind is NULL:
            return NULL, lambda f: 0
        refuse_if(not kind.finite or kind is BOOL, "E0401", node)
        return kind, lambda f: 1 << v if (v := fn(f)) >= 0 else 0

    def between_constants(self, node, scope):
        """The type of the members of `a .. b` (2.2.5)."""
        try:
            low, high = (self.unit.constant(part) for part in (node.left, node.right))
        except ScriptError:
            return INT
        return range_of(low, high) if low <= high else INT

    def domain(self, node, scope):
        """(type, closure that gives an iterable) of what a loop goes over."""
        if node.kind == "binary" and node.op == "..":
            low, high = self.value(node.left, scope, INT), self.value(node.right, scope, INT)
            return self.between_constants(node, scope), lambda f: range(low(f), high(f) + 1)
        kind, fn = self.expr(node, scope)
        if kind is BOOL and node.kind == "name":
            return BOOL, lambda f: (0, 1)
        kind, fn = self.as_set(node, scope)
        refuse_if(kind is NULL, "E0419", node)
        return kind, lambda f: members(fn(f))

    # Expressions.

    def expr(self, node, scope, want=None):
        """(type, closure)."""
        return getattr(self, f"expr_{node.kind}", self.no_value)(node, scope, want)

    def no_value(self, node, scope, want):
        raise ScriptError("E0718" if node.kind == "prefixed" else "E0415", node.line)

    def expr_number(self, node, scope, want):
        value = node.value
        return INT, lambda f: value

    def expr_choice(self, node, scope, want):
        test = self.condition(node.test, scope)
        kind, yes, no = self.unified(node.yes, node.no, scope, want)
        return kind, lambda f: yes(f) if test(f) else no(f)

    def expr_as(self, node, scope, want):
        player = self.value(node.player, scope, self.player)
        kind, fn = self.expr(node.value, scope, want)

        def run(f):
            with self.setting(me=player(f)):
                return fn(f)
        return kind, run

    def guessed(self, node, scope, want, *codes):
        """(type, closure), or two times None if the type cannot be known without a hint."""
        try:
            return self.expr(node, scope, want)
        except ScriptError as error:
            if error.code not in ("E0304", *codes):
                raise
            return None, None

    def unified(self, left, right, scope, want=None, code="E0405"):
        """Two expressions of one type."""
        kind, a = self.guessed(left, scope, want)
        guess = want or (kind if kind not in (NULL, EMPTY) else None)
        other, b = self.guessed(right, scope, guess) if kind else self.expr(right, scope, guess)
        if other is None:
            other, b = self.expr(right, scope, plain(kind))
        if kind is None or plain(kind) is not plain(other):
            again, c = self.expr(left, scope, other if other.name != "set" else None)
            if plain(again) is plain(other):
                kind, a = again, c
        if plain(kind) is plain(other):
            return plain(kind), a, b
        if kind is NULL and other.null or kind is EMPTY and other.name == "set":
            return other, a, b
        if other is NULL and kind.null or other is EMPTY and kind.name == "set":
            return kind, a, b
        refuse_if("set" not in (kind.name, other.name), code, left)
        (one, a), (two, b) = self.as_set(left, scope), self.as_set(right, scope)
        refuse_if(plain(one) is not plain(two) and NULL not in (one, two), code, left)
        return set_of(two if one is NULL else one), a, b

    def expr_unary(self, node, scope, want):
        if node.op == "not":
            fn = self.condition(node.value, scope)
            return BOOL, lambda f: not fn(f)
        if node.op == "-":
            fn = self.value(node.value, scope, INT)
            return INT, lambda f: number(-fn(f))
        if node.op == "#" and node.value.kind == "binary" and node.value.op == "..":
            _, fn = self.domain(node.value, scope)
            return INT, lambda f: len(fn(f))
        member, fn = self.as_set(node.value, scope, want if node.op == "~" else None)
        if node.op == "#":
            return INT, lambda f: fn(f).bit_count()
        refuse_if(plain(member) is INT or member is NULL, "E0403" if member is not NULL else
                  "E0419", node)
        every = (1 << member.size) - 1
        return set_of(member), lambda f: every & ~fn(f)

    def expr_binary(self, node, scope, want):
        op = node.op
        if op in ("and", "or"):
            a, b = self.condition(node.left, scope), self.condition(node.right, scope)
            return BOOL, (lambda f: a(f) and b(f)) if op == "and" else (lambda f: a(f) or b(f))
        if op in ("in", "not in"):
            return self.membership(node, scope)
        if op in COMPARISONS:
            return self.comparison(node, scope)
        if op in ("|", "&"):
            member, a, b = self.two_sets(node, scope, want)
            return set_of(member), (lambda f: a(f) | b(f)) if op == "|" else (lambda f: a(f) & b(f))
        if op in ("+", "-"):
            return self.sum(node, scope, want)
        a, b = self.value(node.left, scope, INT), self.value(node.right, scope, INT)
        kind = set_of(self.between_constants(node, scope)) if op == ".." else INT
        how = {"*": product, "/": divided, "%": remainder, "..": mask_of}[op]
        return kind, lambda f: how(a(f), b(f))

    def two_sets(self, node, scope, want=None):
        hint = want if want is not None and want.name == "set" else None
        known, _ = self.guessed(node.left, scope, hint, "E0419")
        member, a = self.as_set(node.left, scope, hint) if known else (None, None)
        near = set_of(member) if member not in (None, NULL) else hint
        other, b = self.as_set(node.right, scope, near)
        if member is None or plain(member) is not plain(other):
            member, a = self.as_set(node.left, scope, set_of(other))
        refuse_if(plain(member) is not plain(other) and NULL not in (member, other), "E0402", node)
        return other if member is NULL else member, a, b

    def membership(self, node, scope):
        yes, right = node.op == "in", node.right
        if right.kind == "binary" and right.op == "..":
            x, (_, fn) = self.value(node.left, scope, INT), self.domain(right, scope)
            return BOOL, lambda f: (x(f) in fn(f)) == yes
        kind, x = self.guessed(node.left, scope, None)
        hint = set_of(kind) if kind not in (None, NULL) else None
        known, _ = self.guessed(right, scope, hint)
        member, fn = self.as_set(right, scope, hint if known else None)
        if kind is None or plain(kind) is not plain(member):
            kind, x = self.expr(node.left, scope, member)
        refuse_if(plain(kind) is not plain(member) and NULL not in (kind, member), "E0402", node)
        return BOOL, lambda f: ((v := x(f)) >= 0 and bool(fn(f) >> v & 1)) == yes

    def comparison(self, node, scope):
        kind, a, b = self.unified(node.left, node.right, scope, code="E0404")
        how = (SET_COMPARISONS if kind.name == "set" else COMPARISONS).get(node.op)
        refuse_if(not how or kind is BOOL and node.op not in ("==", "!="), "E0402", node)
        return BOOL, lambda f: how(a(f), b(f))

    def sum(self, node, scope, want):
        plus = node.op == "+"
        kind, a = self.guessed(node.left, scope, want, "E0419")
        kind = kind or EMPTY
        if plain(kind) is INT:
            b, sign = self.value(node.right, scope, INT), 1 if plus else -1
            return INT, lambda f: number(a(f) + sign * b(f))
        turned = kind.name == "set" and self.turns(node.right, scope, kind)
        if plus or turned or kind.name != "set":
            other, b = self.expr(node.right, scope, self.dir if kind is self.site else None)
            if plus or other.name != "set":
                return self.shift(node, kind, a, other, b, plus)
        member, a, b = self.two_sets(node, scope, want)
        return set_of(member), lambda f: a(f) & ~b(f)

    def shift(self, node, kind, a, other, b, plus):
        """`x + y` where x is no number."""
        board = self.board
        if kind in (self.site, NULL) and other is self.dir and plus:
            return self.site, lambda f: board.next[d][s] \
                if (s := a(f)) >= 0 <= (d := b(f)) else -1
        if kind.name == "set" and kind.member is self.site and other is self.dir and plus:
            return kind, lambda f: board.step(a(f), 1 << d) if (d := b(f)) >= 0 else 0
        if plain(other) is INT and kind.cyclic:
            size, sign = kind.size, 1 if plus else -1
            return kind, lambda f: (v + sign * b(f)) % size if (v := a(f)) >= 0 else v
        if plain(other) is INT and kind.name == "set" and kind.member is self.dir:
            size, sign = self.dir.size, 1 if plus else -1
            return kind, lambda f: sum({1 << (d + sign * b(f)) % size for d in members(a(f))})
        raise ScriptError("E0402", node.line)

    def expr_set(self, node, scope, want):
        if not node.values:
            return (want if want is not None and want.name == "set" else EMPTY), lambda f: 0
        hint = want.member if want is not None and want.name == "set" else None
        found = []
        for value in sorted(node.values, key=lambda v: v.kind == "name"):
            kind, fn = self.expr(value, scope, hint)
            refuse_if(kind.name == "set" or kind is NULL or value.kind == "name" and value.name in
                      ("off", "nobody", "none"), "E0417", value)
            if hint is None or plain(hint) is not plain(kind) and not found:
                hint = kind
            refuse_if(plain(kind) is not plain(hint), "E0405", value)
            found.append(fn)
        if plain(hint) is INT:
            return set_of(INT), lambda f: bits(fn(f) for fn in found)
        return set_of(hint), lambda f: sum({1 << v for fn in found if (v := fn(f)) >= 0})

    def expr_filter(self, node, scope, want):
        inner, each, (slot, kind) = self.loops([node], scope, node.test)

        def run(f):
            found = 0
            for _ in each(f):
                fault_if(f[slot] < 0, f"{f[slot]} is outside of a set of numbers")
                found |= 1 << f[slot]
            return found
        return set_of(kind), run

    def loops(self, loops, scope, test=None):
        """(inner scope, closure that goes through the combinations, the first slot and type)."""
        made, inner = [], scope
        for one in loops:
            kind, domain = self.domain(one.value, inner)
            inner = Scope(inner)
            made.append((inner.add(one.name, kind, one.line), kind, domain))
        guard = self.condition(test, inner) if test else lambda f: True

        def each(f, depth=0):
            slot, _, domain = made[depth]
            for f[slot] in domain(f):
                if depth + 1 < len(made):
                    yield from each(f, depth + 1)
                elif guard(f):
                    yield
        return inner, each, made[0][:2]

    def expr_aggregate(self, node, scope, want):
        if node.op == "random":
            return self.weighted(node, scope)
        inner, each, (slot, kind) = self.loops(node.loops, scope, node.test)
        if node.op == "first":
            test = self.condition(node.value, inner)
            return kind, lambda f: next((f[slot] for _ in each(f) if test(f)), kind.default)
        if node.op == "union":
            member, fn = self.as_set(node.value, inner, want)
            return set_of(member), lambda f: union(fn(f) for _ in each(f))
        wanted, found, how = AGGREGATES[node.op]
        fn = self.value(node.value, inner, wanted)
        return found, lambda f: how(fn(f) for _ in each(f))

    def weighted(self, node, scope):
        self.chance(node)
        with self.setting(no_chance=True):
            inner, each, (slot, kind) = self.loops(node.loops, scope)
            weight = self.value(node.value, inner, INT)

        def run(f):
            weights = {f[slot]: weight(f) for _ in each(f)}
            fault_if(any(w < 0 for w in weights.values()), "a weight below 0")
            return self.draw(kind, {v: w for v, w in weights.items() if w})
        return kind, run

    def expr_index(self, node, scope, want):
        target = node.value
        refuse_if(target.kind != "name", "E0408", node)
        if target.name == "base" and scope.info.base is not None and not scope.find("base"):
            return self.table_of(scope.info.base, node, scope)
        slot = self.slot(target, scope)
        refuse_if(slot is None or slot.decl.kind not in ("let", "var"), "E0408" if slot else
                  "E0301", node)
        if slot.decl.kind == "var":
            var = self.variable(slot)
            place = self.place(var, node.indexes, scope, node)
            self.reads = True
            default = var.kind.default
            return var.kind, lambda f: self.state.vars[var.number][p] if (p := place(f)) >= 0 \
                else default
        return self.table_of(slot, node, scope)

    def table_of(self, slot, node, scope):
        table = self.let(slot)
        refuse_if(len(node.indexes) != len(table.params), "E0407" if table.params else "E0408",
                  node)
        args = [self.bounded(index, kind, scope)
                for index, kind in zip(node.indexes, table.params)]
        self.uses(table)
        call, finite = self.called(table, args), [kind.finite for kind in table.params]
        default, listed = table.kind.default, slot.decl.value.kind in ("table", "list")

        def run(f):
            if listed and any([one and arg(f) < 0 for arg, one in zip(args, finite)]):
                return default
            return call(f)
        return table.kind, run

    def bounded(self, node, kind, scope):
        """An index: a closure whose value is checked if it is a number."""
        fn = self.value(node, scope, kind)
        if kind.name != "range":
            return fn
        refuse_if(node.kind == "number" and not kind.low <= node.value <= kind.high, "E0410", node)

        def run(f):
            value = fn(f)
            fault_if(not kind.low <= value <= kind.high,
                     f"{value} is outside {kind.low}..{kind.high}")
            return value
        return run

    def place(self, var, indexes, scope, node):
        """A closure for the place of an element in a variable; -1 at off, nobody or none."""
        refuse_if(len(indexes) != len(var.indexes), "E0409" if not indexes else "E0407", node)
        parts = [(self.bounded(index, kind, scope), kind.low or 0, kind.size)
                 for index, kind in zip(indexes, var.indexes)]

        def run(f):
            found = 0
            for fn, low, size in parts:
                value = fn(f) - low
                if value < 0:
                    return -1
                found = found * size + value
            return found
        return run


COMPARISONS = {"==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le,
               ">": operator.gt, ">=": operator.ge}
SET_COMPARISONS = {"==": operator.eq, "!=": operator.ne, "<=": lambda a, b: not a & ~b,
                   ">=": lambda a, b: not b & ~a}


def mask_of(low, high):
    if high < low:
        return 0
    fault_if(low < 0 or high > 10 ** 6, "a number outside 0..63 in a set")
    return (1 << high + 1) - (1 << low)


def bits(values):
    values = list(values)
    fault_if(any(not 0 <= value <= 63 for value in values), "a number outside 0..63 in a set")
    return union(1 << value for value in values)


AGGREGATES = {                          # type of the values, of the result, how to combine them
    "any": (BOOL, BOOL, any), "all": (BOOL, BOOL, all),
    "count": (BOOL, INT, lambda values: sum(map(bool, values))),
    "sum": (INT, INT, lambda values: number(sum(values))),
    "max": (INT, INT, lambda values: max(values, default=0)),
    "min": (INT, INT, lambda values: min(values, default=0)),
}
