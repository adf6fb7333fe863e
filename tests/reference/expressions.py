"""Types and values, and expressions as closures (chapters 2, 4 and 5 of docs/spec). Every value is
a number: one of a finite type its position, `off`, `nobody` and `none` -1, a set a mask of bits."""
import re
from contextlib import contextmanager
from functools import lru_cache

from board import members
from words import ScriptError


class GameError(Exception):
    """An error of a running game."""


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
    if not -2147483648 <= value <= 2147483647:
        raise GameError("the result does not fit 32 bits")
    return value


def divided(a, b):
    if b == 0:
        raise GameError("division by zero")
    return number(a // b)


def remainder(a, b):
    if b == 0:
        raise GameError("division by zero")
    return a % b


def stored(kind, value, name="value"):
    """What a variable of a type holds."""
    if kind.name == "range" and not kind.low <= value <= kind.high:
        raise GameError(f"'{name}' can't become {value}: its range is {kind.low}..{kind.high}")
    if kind.name == "set" and kind.member.name in ("range", "int"):
        low, high = (kind.member.low, kind.member.high) if kind.member.name == "range" else (0, 63)
        if value >> high + 1 or value & (1 << low) - 1:
            raise GameError(f"{name}: a number outside {low}..{high} in a set")
    return value


class Scope:
    """The names of a block: (slot, type). Frames have `info.size` slots."""

    def __init__(self, outer=None, info=None):
        self.outer, self.names = outer, {}
        self.info = info or outer.info

    def find(self, name):
        scope = self
        while scope:
            if name in scope.names:
                return scope.names[name]
            scope = scope.outer
        return None

    def add(self, name, kind, line=0):
        if name in self.names:
            raise ScriptError("E0305", line)
        self.names[name] = (self.info.size, kind)
        self.info.size += 1
        return self.info.size - 1


class Info:
    """What all scopes of one frame share: its size, the file, and what `base` is."""

    def __init__(self, file, base=None):
        self.size, self.file, self.base = 0, file, base
        self.loops, self.params, self.result = set(), [], None
        self.called, self.variables = False, set()      # a function; slots that may be assigned


class Expressions:
    """Compiles expressions. A closure takes a frame, and reads the state of the game from the
    object."""

    # Types.

    def type_of(self, node, file):
        if node.kind == "set of":
            return set_of(self.type_of(node.member, file))
        if node.kind == "range":
            scope = Scope(info=Info(file))
            low, high = (self.fixed(part, scope, INT) for part in (node.low, node.high))
            if low > high:
                raise ScriptError("E0412", node.line)
            return range_of(low, high)
        name = node.name
        if node.module is None and name in self.types:
            return self.types[name]
        where = file if node.module is None else self.unit.module(file, node.module)
        slot = self.unit.find(where, ("name", name), node.line)
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
        if hasattr(decl, "made"):
            return decl.made
        decl.made = None
        if decl.kind == "option" and decl.values is not None:
            decl.made = Type(decl.name, decl.values, null=False)
        elif decl.kind == "die":
            decl.faces_made = self.faces(slot)
        elif decl.kind == "enum" and decl.parts is None:
            values = [(name, text) for name, text in decl.values if name != "none"]
            decl.made = Type(decl.name, [name for name, _ in values], cyclic=True,
                             null=len(values) < len(decl.values),
                             texts=[text or name for name, text in values])
            texts = decl.made.texts
            if len({*texts}) < len(texts) or not all(re.fullmatch(r"\w+", t) for t in texts):
                raise ScriptError("E0541", decl.line)
        elif decl.kind == "enum":
            parts = [self.enum(self.unit.find(slot.file, ("name", part), decl.line))
                     for part in decl.parts]
            if len({*parts}) < len(parts) or any(part in self.parts_used for part in parts):
                raise ScriptError("E0542", decl.line)
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
        if named != all(names) or named != any(names):
            raise ScriptError("E0516", decl.line)
        for face, weight in decl.faces:
            key = face.name if named else self.fixed(face, scope, INT)
            faces[key] = faces.get(key, 0) + weight
        if not any(faces.values()):
            raise ScriptError("E0517", decl.line)
        if named:
            decl.made = Type(decl.name, list(faces), null=False, cyclic=True)
            faces = {i: weight for i, weight in enumerate(faces.values())}
        return faces

    def fixed(self, node, scope, want=None, code="E0411"):
        """The value of a constant."""
        before, self.reads = self.reads, False
        kind, fn = self.expr(node, scope, want)
        if self.reads:
            raise ScriptError(code, node.line)
        self.reads = before
        fn = self.fit(kind, fn, want, node) if want else fn
        try:
            return fn([0] * 32)
        except GameError as error:
            raise ScriptError("E0805", node.line) from error

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
    def without_chance(self, allowed=False):
        """Compiles what must not ask for chance, or, `allowed`, what may."""
        before, self.no_chance = self.no_chance, not allowed
        try:
            yield
        finally:
            self.no_chance = before

    def condition(self, node, scope):
        return self.value(node, scope, BOOL)

    def as_set(self, node, scope, want=None):
        """(type of the members, closure) of an expression that stands for a set."""
        kind, fn = self.expr(node, scope, want)
        if kind.name == "set":
            return kind.member, fn
        if kind is NULL:
            return NULL, lambda f: 0
        if kind.finite and kind is not BOOL:
            return kind, lambda f: 1 << v if (v := fn(f)) >= 0 else 0
        raise ScriptError("E0401", node.line, "a set expected")

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
        if kind is NULL:
            raise ScriptError("E0419", node.line)
        return kind, lambda f: members(fn(f))

    # Expressions.

    def expr(self, node, scope, want=None):
        """(type, closure)."""
        return getattr(self, f"expr_{node.kind}", self.no_value)(node, scope, want)

    def no_value(self, node, scope, want):
        raise ScriptError("E0415", node.line)

    def expr_number(self, node, scope, want):
        value = node.value
        return INT, lambda f: value

    def expr_choice(self, node, scope, want):
        test = self.condition(node.test, scope)
        kind, yes, no = self.unified(node.yes, node.no, scope, want)
        return kind, lambda f: yes(f) if test(f) else no(f)

    def expr_as(self, node, scope, want):
        player = self.value(node.player, scope, self.player)
        before, self.reads = self.reads, False
        kind, fn = self.expr(node.value, scope, want)
        self.reads |= before

        def run(f):
            me, self.me = self.me, player(f)
            try:
                return fn(f)
            finally:
                self.me = me
        return kind, run

    def unified(self, left, right, scope, want=None):
        """Two expressions of one type."""
        try:
            kind, a = self.expr(left, scope, want)
            guess = want or (kind if kind not in (NULL, EMPTY) else None)
        except ScriptError as error:
            if error.code != "E0304":
                raise
            kind, a = None, None
            guess = want
        try:
            other, b = self.expr(right, scope, guess)
        except ScriptError as error:
            if error.code != "E0304" or kind is None:
                raise
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
        if "set" in (kind.name, other.name):
            (one, a), (two, b) = self.as_set(left, scope), self.as_set(right, scope)
            if one in (two, NULL) or two is NULL or plain(one) is plain(two):
                return set_of(two if one is NULL else one), a, b
        raise ScriptError("E0405", left.line)

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
        if plain(member) is INT or member is NULL:
            raise ScriptError("E0403" if member is not NULL else "E0419", node.line)
        every = (1 << member.size) - 1
        return set_of(member), lambda f: every & ~fn(f)

    def expr_binary(self, node, scope, want):
        op = node.op
        if op in ("and", "or"):
            a, b = self.condition(node.left, scope), self.condition(node.right, scope)
            return BOOL, (lambda f: a(f) and b(f)) if op == "and" else (lambda f: a(f) or b(f))
        if op in ("in", "not in"):
            return self.membership(node, scope)
        if op in ("==", "!=", "<", "<=", ">", ">="):
            return self.comparison(node, scope)
        if op == "..":
            low, high = self.value(node.left, scope, INT), self.value(node.right, scope, INT)
            return set_of(self.between_constants(node, scope)), lambda f: mask_of(low(f), high(f))
        if op in ("|", "&"):
            member, a, b = self.two_sets(node, scope, want)
            return set_of(member), (lambda f: a(f) | b(f)) if op == "|" else (lambda f: a(f) & b(f))
        if op in ("+", "-"):
            return self.sum(node, scope, want)
        a, b = self.value(node.left, scope, INT), self.value(node.right, scope, INT)
        if op == "*":
            return INT, lambda f: number(a(f) * b(f))
        if op == "/":
            return INT, lambda f: divided(a(f), b(f))
        return INT, lambda f: remainder(a(f), b(f))

    def two_sets(self, node, scope, want=None):
        hint = want if want is not None and want.name == "set" else None
        try:
            member, a = self.as_set(node.left, scope, hint)
        except ScriptError as error:
            if error.code not in ("E0304", "E0419"):
                raise
            member = None
        near = set_of(member) if member not in (None, NULL) else hint
        other, b = self.as_set(node.right, scope, near)
        if member is None or member is NULL or plain(member) is not plain(other):
            member, a = self.as_set(node.left, scope, set_of(other))
        if plain(member) is not plain(other) and NULL not in (member, other):
            raise ScriptError("E0402", node.line)
        return other if member is NULL else member, a, b

    def membership(self, node, scope):
        yes = node.op == "in"
        right = node.right
        if right.kind == "binary" and right.op == "..":
            x, (_, fn) = self.value(node.left, scope, INT), self.domain(right, scope)
            return BOOL, lambda f: (x(f) in fn(f)) == yes
        try:
            kind, x = self.expr(node.left, scope)
            member, fn = self.as_set(right, scope, set_of(kind) if kind is not NULL else None)
        except ScriptError as error:
            if error.code != "E0304":
                raise
            member, fn = self.as_set(right, scope)
            kind, x = self.expr(node.left, scope, member)
        if plain(kind) is not plain(member):
            kind, x = self.expr(node.left, scope, member)
        if plain(kind) is not plain(member) and NULL not in (kind, member):
            raise ScriptError("E0402", node.line)
        return BOOL, lambda f: ((v := x(f)) >= 0 and bool(fn(f) >> v & 1)) == yes

    def comparison(self, node, scope):
        try:
            kind, a, b = self.unified(node.left, node.right, scope)
        except ScriptError as error:
            raise ScriptError("E0404" if error.code == "E0405" else error.code,
                              error.line) from error
        op = node.op
        if op == "==":
            return BOOL, lambda f: a(f) == b(f)
        if op == "!=":
            return BOOL, lambda f: a(f) != b(f)
        if kind.name == "set" and op == ">=":
            return BOOL, lambda f: not b(f) & ~a(f)
        if kind.name == "set" and op == "<=":
            return BOOL, lambda f: not a(f) & ~b(f)
        if kind is BOOL or kind.name == "set":
            raise ScriptError("E0402", node.line)
        return BOOL, {"<": lambda f: a(f) < b(f), "<=": lambda f: a(f) <= b(f),
                      ">": lambda f: a(f) > b(f), ">=": lambda f: a(f) >= b(f)}[op]

    def sum(self, node, scope, want):
        plus = node.op == "+"
        try:
            kind, a = self.expr(node.left, scope, want)
        except ScriptError as error:
            if error.code not in ("E0419", "E0304"):
                raise
            kind = EMPTY
        if plain(kind) is INT:
            b = self.value(node.right, scope, INT)
            return INT, (lambda f: number(a(f) + b(f))) if plus else (lambda f: number(a(f) - b(f)))
        if not plus and kind.name == "set" and not (
                kind.member is self.dir and self.turns(node.right, scope, kind)):
            member, a, b = self.two_sets(node, scope, want)
            return set_of(member), lambda f: a(f) & ~b(f)
        other, b = self.expr(node.right, scope, self.dir if kind is self.site else None)
        if other.name == "set" and not plus:
            member, a, b = self.two_sets(node, scope, want)
            return set_of(member), lambda f: a(f) & ~b(f)
        return self.shift(node, kind, a, other, b, plus)

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
            if kind.name == "set" or kind is NULL or value.kind == "name" and \
                    value.name in ("off", "nobody", "none"):
                raise ScriptError("E0417", value.line)
            if hint is None or plain(hint) is not plain(kind) and not found:
                hint = kind
            if plain(kind) is not plain(hint):
                raise ScriptError("E0405", value.line)
            found.append(fn)
        if plain(hint) is INT:
            return set_of(INT), lambda f: bits(fn(f) for fn in found)
        return set_of(hint), lambda f: sum({1 << v for fn in found if (v := fn(f)) >= 0})

    def expr_filter(self, node, scope, want):
        kind, domain = self.domain(node.value, scope)
        inner = Scope(scope)
        slot = inner.add(node.name, kind)
        test = self.condition(node.test, inner) if node.test else lambda f: True

        def run(f):
            found = 0
            for v in domain(f):
                f[slot] = v
                if test(f):
                    if v < 0:
                        raise GameError(f"{v} is outside of a set of numbers")
                    found |= 1 << v
            return found
        return set_of(kind), run

    def loops(self, loops, scope):
        """(inner scope, closure that runs `body(f)` for each combination until it is true)."""
        made, inner = [], scope
        for name, value, line in loops:
            kind, domain = self.domain(value, inner)
            inner = Scope(inner)
            made.append((inner.add(name, kind, line), domain))

        def run(f, body, depth=0):
            slot, domain = made[depth]
            for v in domain(f):
                f[slot] = v
                if run(f, body, depth + 1) if depth + 1 < len(made) else body(f):
                    return True
            return False
        return inner, run, made

    def expr_aggregate(self, node, scope, want):
        if node.op == "random":
            return self.weighted(node, scope)
        inner, run, made = self.loops(node.loops, scope)
        guard = self.condition(node.test, inner) if node.test else None
        if node.op in ("any", "all", "count", "first"):
            test = self.condition(node.value, inner)
            kind = inner.names[node.loops[-1][0]][1]
        else:
            kind, test = self.expr(node.value, inner, want)
            if node.op == "union":
                member, test = self.as_set(node.value, inner, want)
                kind = set_of(member)
            else:
                test, kind = self.fit(kind, test, INT, node), INT
        return AGGREGATES[node.op](kind, run, guard, test, made[0][0])

    def weighted(self, node, scope):
        name, value, line = node.loops[0]
        self.chance(node)
        with self.without_chance():
            kind, domain = self.domain(value, scope)
            inner = Scope(scope)
            slot = inner.add(name, kind, line)
            weight = self.value(node.value, inner, INT)

        def run(f):
            weights = {}
            for v in domain(f):
                f[slot] = v
                if weight(f) < 0:
                    raise GameError("a weight below 0")
                weights[v] = weight(f)
            return self.draw(kind, {v: w for v, w in weights.items() if w})
        return kind, run

    def expr_index(self, node, scope, want):
        target = node.value
        if target.kind != "name":
            raise ScriptError("E0408", node.line)
        if target.name == "base" and scope.info.base is not None and not scope.find("base"):
            return self.table_of(scope.info.base, node, scope)
        slot = self.slot(target, scope)
        if slot is None or slot.decl.kind not in ("let", "var"):
            raise ScriptError("E0408" if slot else "E0301", node.line)
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
        if len(node.indexes) != len(table.params):
            raise ScriptError("E0407" if table.params else "E0408", node.line)
        args = []
        for index, kind in zip(node.indexes, table.params):
            args.append(self.bounded(index, kind, scope))
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
        if node.kind == "number" and not kind.low <= node.value <= kind.high:
            raise ScriptError("E0410", node.line)

        def run(f):
            value = fn(f)
            if not kind.low <= value <= kind.high:
                raise GameError(f"{value} is outside {kind.low}..{kind.high}")
            return value
        return run

    def place(self, var, indexes, scope, node):
        """A closure for the place of an element in a variable; -1 at off, nobody or none."""
        if len(indexes) != len(var.indexes):
            raise ScriptError("E0409" if not indexes else "E0407", node.line)
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


def mask_of(low, high):
    if high < low:
        return 0
    if low < 0 or high > 10 ** 6:
        raise GameError("a number outside 0..63 in a set")
    return (1 << high + 1) - (1 << low)


def bits(values):
    found = 0
    for value in values:
        if not 0 <= value <= 63:
            raise GameError("a number outside 0..63 in a set")
        found |= 1 << value
    return found


def any_of(_, run, guard, test, slot, wanted=True):
    def body(f):
        return (guard is None or guard(f)) and bool(test(f)) == wanted
    return BOOL, lambda f: run(f, body) == wanted


def all_of(*parts):
    return any_of(*parts, wanted=False)


def first_of(kind, run, guard, test, slot):
    def body(f):
        return (guard is None or guard(f)) and test(f)
    default = kind.default
    return kind, lambda f: f[slot] if run(f, body) else default


def gathered(combine):
    def made(kind, run, guard, test, slot):
        def value(f):
            found = []

            def body(f):
                if guard is None or guard(f):
                    found.append(test(f))
            run(f, body)
            return combine(found)
        return (INT if kind is BOOL else kind), value
    return made


def union_of(masks):
    found = 0
    for mask in masks:
        found |= mask
    return found


AGGREGATES = {
    "any": any_of, "all": all_of, "first": first_of,
    "count": lambda kind, *rest: gathered(lambda v: sum(map(bool, v)))(INT, *rest),
    "sum": gathered(lambda v: number(sum(v))), "max": gathered(lambda v: max(v, default=0)),
    "min": gathered(lambda v: min(v, default=0)), "union": gathered(union_of),
}
