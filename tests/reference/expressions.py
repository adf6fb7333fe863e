"""Types and values, and expressions as closures (chapters 2, 4 and 5 of docs/spec). Every value is
a number: one of a finite type its position, `off`, `nobody` and `none` -1, a set a mask of bits."""
import operator
import re
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product

from board import members, union
from syntax import ScriptError, refuse_if


class GameError(Exception):
    """An error of a running game."""


def fault_if(wrong, message):
    if wrong:
        raise GameError(message)


@dataclass(eq=False)
class Type:
    """A type: 'bool', 'int', 'range', 'set', 'null' (of `off`), or the name of a finite type."""
    name: str
    values: list = None
    null: bool = True                   # whether it has `off`, `nobody` or `none`
    cyclic: bool = False
    texts: list = None
    parts: list = None                  # of a combined enum
    member: object = None               # of a set
    low: int = None                     # of a range
    high: int = None

    def __post_init__(self):
        self.finite, self.texts = self.values is not None, self.texts or self.values
        self.size = len(self.values or ()) if self.low is None else self.high - self.low + 1
        self.default = self.low if self.low is not None else -(self.finite and self.null)
        self.every = (1 << self.size) - 1
        self.plain = self if self.low is None else INT
        self.element = (self.member or self).plain      # the type of members; or the type itself

    def text(self, value):
        if self.name == "set":
            return "{" + ", ".join(map(self.member.text, members(value))) + "}"
        if not self.finite:
            return str(value)
        if value < 0:
            return {"site": "off", "dir": "off", "player": "nobody"}.get(self.name, "none")
        return self.texts[value]


BOOL = Type("bool", ["false", "true"], null=False)
INT = Type("int")
NULL = Type("null")                     # of off, nobody, none: fits every type that has one
EMPTY = Type("set", member=NULL)        # of {}: fits every set
set_of = lru_cache(None)(lambda member: Type("set", member=member))
range_of = lru_cache(None)(lambda low, high: Type("range", low=low, high=high))


def number(value):
    fault_if(not -2147483648 <= value <= 2147483647, "the result does not fit 32 bits")
    return value


def divided(a, b):
    fault_if(b == 0, "division by zero")
    return divmod(a, b)


def bits(values, most=63):
    found = 0
    for value in values:
        fault_if(not 0 <= value <= most, f"{value} is outside of a set of numbers")
        found |= 1 << value
    return found


ARITHMETIC = {"*": lambda a, b: number(a * b), "/": lambda a, b: number(divided(a, b)[0]),
              "%": lambda a, b: divided(a, b)[1],
              "..": lambda a, b: bits(range(a, b + 1), 10 ** 6)}
COMPARISONS = {"==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le,
               ">": operator.gt, ">=": operator.ge}
SET_COMPARISONS = {"==": operator.eq, "!=": operator.ne, "<=": lambda a, b: not a & ~b,
                   ">=": lambda a, b: not b & ~a}
AGGREGATES = {          # type of the values, of the result (None: that of the loop), how to combine
    "any": (BOOL, BOOL, lambda game, kind, pairs: any(e for _, e in pairs)),
    "all": (BOOL, BOOL, lambda game, kind, pairs: all(e for _, e in pairs)),
    "count": (BOOL, INT, lambda game, kind, pairs: sum(bool(e) for _, e in pairs)),
    "sum": (INT, INT, lambda game, kind, pairs: number(sum(e for _, e in pairs))),
    "max": (INT, INT, lambda game, kind, pairs: max((e for _, e in pairs), default=0)),
    "min": (INT, INT, lambda game, kind, pairs: min((e for _, e in pairs), default=0)),
    "first": (BOOL, None, lambda game, kind, pairs: next((x for x, e in pairs if e), kind.default)),
    "random": (INT, None, lambda game, kind, pairs: game.draw(kind, dict(pairs)))}
CONSTANTS = {"true", "false", "off", "nobody", "none", "me"}    # what nothing else can be called


def stored(kind, value, name="value"):
    fault_if(kind.name == "range" and not kind.low <= value <= kind.high,
             f"'{name}' can't become {value}: its range is {kind.low}..{kind.high}")
    if kind.name == "set" and kind.member.plain is INT:
        low, high = (kind.member.low, kind.member.high) if kind.member is not INT else (0, 63)
        fault_if(value >> high + 1 or value & (1 << low) - 1,
                 f"{name}: a number outside {low}..{high} in a set")
    return value


@dataclass
class Info:
    file: object
    base: object = None                 # what `base` means
    result: Type = None
    called: bool = False                # whether it is a function or procedure
    params: int = 0
    size: int = 0
    loops: set = field(default_factory=set)             # the slots of `for`s of options
    variables: set = field(default_factory=set)         # those that may be assigned


class Scope:
    """The names of a block: (slot, type). A frame holds values by slot."""
    def __init__(self, outer=None, info=None):
        self.outer, self.names, self.info = outer, {}, info or outer.info

    def find(self, name):
        if name in self.names or self.outer is None:
            return self.names.get(name)
        return self.outer.find(name)

    def ends(self):
        """The slots of `from` or `here`, and of `to`; None where there is none."""
        found = self.find("from") or self.find("here"), self.find("to")
        return [end and end[0] for end in found]

    def loops(self):
        """(slot, type) of the `for`s around an option in the same list, outermost first."""
        return [*(self.outer.loops() if self.outer else ()),
                *(one for one in self.names.values() if one[0] in self.info.loops)]

    def add(self, name, kind, line=0):
        refuse_if(name in CONSTANTS, "E0306", line)
        refuse_if(name in self.names, "E0305", line)
        self.names[name] = (self.info.size, kind)
        self.info.size += 1
        return self.info.size - 1


class Expressions:
    """Compiles expressions. A closure takes a frame, and reads the state of the game from the
    object."""
    def type_of(self, node, file):
        if node is None:
            return None
        if node.kind == "set":
            return set_of(self.type_of(node.member, file))
        if node.kind == "range":
            low, high = (self.fixed(part, self.scope(file), INT) for part in (node.low, node.high))
            refuse_if(low > high, "E0412", node)
            return range_of(low, high)
        if node.module is None and node.name in self.types:
            return self.types[node.name]
        slot = self.found(node, file, "name", node.name)
        kind = slot and self.enum(slot)
        if slot and not kind and slot.decl.kind == "die":
            return range_of(min(slot.decl.weights), max(slot.decl.weights))
        refuse_if(not kind, "E0308", node)
        return kind

    def enum(self, slot):
        """The type of an enum, of an option with names, or of a die with names; else None."""
        decl = slot.decl
        if decl.kind not in ("enum", "option", "die") or decl.enum or decl.weights:
            return decl.enum
        if decl.kind == "die":
            decl.weights, names = self.faces(slot)
            decl.enum = names and Type(decl.name, names, null=False, cyclic=True)
        elif decl.kind == "option":
            decl.enum = Type(decl.name, [*dict(decl.values)], null=False) if decl.values else None
        elif decl.values:
            texts = {name: text or name for name, text in decl.values if name != "none"}
            refuse_if(len({*texts.values()}) < len(texts) or not all(
                re.fullmatch(r"\w+", text) for text in texts.values()), "E0541", decl)
            decl.enum = Type(decl.name, [*texts], len(texts) < len(decl.values), True,
                             [*texts.values()])
        else:
            parts = [self.enum(self.unit.find(slot.file, ("name", part), decl.line))
                     for part in decl.parts]
            self.parts_used += parts
            refuse_if(len({*self.parts_used}) < len(self.parts_used), "E0542", decl)
            names = map("".join, product(*(part.texts for part in parts)))
            decl.enum = Type(decl.name, [*names], cyclic=True, parts=parts)
        return decl.enum

    def faces(self, slot):
        """The weights of a die by face, and the names of the faces if they have some."""
        decl, scope, weights = slot.decl, self.scope(slot.file), {}
        if decl.range is not None:
            low, high = (self.fixed(part, scope, INT)
                         for part in (decl.range.left, decl.range.right))
            return dict.fromkeys(range(low, high + 1), 1), None
        named = [face.kind == "name" and self.unit.find(slot.file, ("name", face.name)) is None
                 for face, _ in decl.faces]
        refuse_if(any(named) != all(named), "E0516", decl)
        for face, weight in decl.faces:
            key = face.name if named[0] else self.fixed(face, scope, INT)
            weights[key] = weights.get(key, 0) + (1 if weight is None else weight)
        refuse_if(not any(weights.values()), "E0517", decl)
        return (dict(enumerate(weights.values())), [*weights]) if named[0] else (weights, None)

    @contextmanager
    def setting(self, **values):
        before = {name: getattr(self, name) for name in values}
        self.__dict__.update(values)
        try:
            yield
        finally:
            self.__dict__.update(before)

    def scope(self, file=None):
        return Scope(info=Info(file or self.unit.main))

    def fixed(self, node, scope, want=None):
        with self.setting(reads=set()):
            fn = self.value(node, scope, want)
            refuse_if(self.reads, "E0411", node)
        return self.computed_now(lambda: fn({}), node)

    def computed_now(self, compute, node, code="E0805"):
        try:
            return compute()
        except GameError as error:
            raise ScriptError(code, node.line) from error

    def value(self, node, scope, want):
        return self.fit(*self.expr(node, scope, want), want, node)

    def fit(self, kind, fn, want, node):
        """A closure whose value may be stored in the type `want`."""
        if want is None or kind.plain is want.plain or kind is NULL and want.null and want.finite:
            return fn
        refuse_if(want.name != "set", "E0401", node)
        member, fn = self.to_set(kind, fn, node)
        refuse_if(member is not NULL and member.plain is not want.element, "E0401", node)
        return fn

    def to_set(self, kind, fn, node):
        """(type of the members, closure) of a value that stands for a set."""
        if kind.name == "set":
            return kind.member, fn
        refuse_if(kind is not NULL and (not kind.finite or kind is BOOL), "E0401", node)
        return kind, lambda f: 1 << v if (v := fn(f)) >= 0 else 0

    def as_set(self, node, scope, want=None):
        return self.to_set(*self.expr(node, scope, want), node)

    def between_constants(self, node):
        """The type of the members of `a .. b` (2.2.5)."""
        try:
            low, high = (self.unit.constant(part) for part in (node.left, node.right))
        except ScriptError:
            return INT
        return range_of(low, high) if low <= high else INT

    def domain(self, node, scope, want=None):
        """(type, closure that gives an iterable) of what a loop goes over."""
        if node.kind == "binary" and node.op == "..":
            low, high = self.value(node.left, scope, INT), self.value(node.right, scope, INT)
            return self.between_constants(node), lambda f: range(low(f), high(f) + 1)
        kind, fn = self.expr(node, scope, want and set_of(want))
        if kind is BOOL and node.kind == "name":
            return BOOL, lambda f: (0, 1)
        kind, fn = self.to_set(kind, fn, node)
        refuse_if(kind is NULL, "E0419", node)
        return kind, lambda f: members(fn(f))

    def pair(self, left, right, scope, want=None, steps=False):
        """(type, closure, type, closure) of two expressions: the names in one may need the type of
        the other. With `steps`, what follows a site may be a direction."""
        try:
            kind, a = self.expr(left, scope, want)
        except ScriptError as error:
            if error.code not in ("E0304", "E0419"):
                raise
            other, b = self.expr(right, scope, want)
            return *self.expr(left, scope, other), other, b
        site = steps and kind.element is self.site
        other, b = self.expr(right, scope, self.dir if site else want or kind)
        if kind.element is not other.element and other.element not in (INT, steps and self.dir):
            again, fn = self.expr(left, scope, other)
            kind, a = (again, fn) if again.element is other.element else (kind, a)
        return kind, a, other, b

    def unified(self, left, right, scope, want=None, code="E0405"):
        """(type, closure, closure) of two expressions of one type."""
        kind, a, other, b = self.pair(left, right, scope, want)
        known = other if kind is NULL else kind
        if kind.plain is other.plain or NULL in (kind, other) and known.finite and known.null:
            return known.plain, a, b
        refuse_if("set" not in (kind.name, other.name), code, left)
        return self.sets(left, right, code, kind, a, other, b)

    def sets(self, left, right, code, kind, a, other, b):
        (kind, a), (other, b) = self.to_set(kind, a, left), self.to_set(other, b, right)
        refuse_if(kind.plain is not other.plain and NULL not in (kind, other), code, left)
        return set_of(other if kind is NULL else kind), a, b

    def expr(self, node, scope, want=None):
        """(type, closure). `want` is the type that is expected, or that of its members."""
        method = getattr(self, f"expr_{node.kind}", None)
        refuse_if(not method, "E0718" if node.kind == "prefixed" else "E0415", node)
        return method(node, scope, want)

    def expr_number(self, node, scope, want):
        return INT, lambda f: node.value

    def expr_choice(self, node, scope, want):
        test = self.value(node.test, scope, BOOL)
        kind, yes, no = self.unified(node.yes, node.no, scope, want)
        return kind, lambda f: yes(f) if test(f) else no(f)

    def expr_as(self, node, scope, want):
        player = self.value(node.player, scope, self.player)
        kind, fn = self.expr(node.value, scope, want)
        def run(f):
            with self.setting(me=player(f)):
                return fn(f)
        return kind, run

    def expr_unary(self, node, scope, want):
        if node.op == "not":
            fn = self.value(node.value, scope, BOOL)
            return BOOL, lambda f: not fn(f)
        if node.op == "-":
            fn = self.value(node.value, scope, INT)
            return INT, lambda f: number(-fn(f))
        if node.op == "#" and node.value.op == "..":
            _, fn = self.domain(node.value, scope)
            return INT, lambda f: len(fn(f))
        member, fn = self.as_set(node.value, scope, want if node.op == "~" else None)
        if node.op == "#":
            return INT, lambda f: fn(f).bit_count()
        refuse_if(member is NULL, "E0419", node)
        refuse_if(member.plain is INT, "E0403", node)
        return set_of(member), lambda f: member.every & ~fn(f)

    def expr_binary(self, node, scope, want):
        op, left, right = node.op, node.left, node.right
        if op in ("and", "or"):
            a, b = self.value(left, scope, BOOL), self.value(right, scope, BOOL)
            return BOOL, (lambda f: a(f) and b(f)) if op == "and" else (lambda f: a(f) or b(f))
        if op in ("in", "not in"):
            return self.membership(node, scope)
        if op in COMPARISONS:
            kind, a, b = self.unified(left, right, scope, code="E0404")
            how = (SET_COMPARISONS if kind.name == "set" else COMPARISONS).get(op)
            refuse_if(not how or kind is BOOL and op not in ("==", "!="), "E0402", node)
            return BOOL, lambda f: how(a(f), b(f))
        if op in ("|", "&"):
            kind, a, b = self.sets(left, right, "E0402", *self.pair(left, right, scope, want))
            return kind, (lambda f: a(f) | b(f)) if op == "|" else (lambda f: a(f) & b(f))
        if op in ("+", "-"):
            return self.sum(node, scope, want)
        a, b, how = self.value(left, scope, INT), self.value(right, scope, INT), ARITHMETIC[op]
        kind = set_of(self.between_constants(node)) if op == ".." else INT
        return kind, lambda f: how(a(f), b(f))

    def membership(self, node, scope):
        yes, left, right = node.op == "in", node.left, node.right
        if right.op == "..":
            x, (_, fn) = self.value(left, scope, INT), self.domain(right, scope)
            return BOOL, lambda f: (x(f) in fn(f)) == yes
        kind, x, other, fn = self.pair(left, right, scope)
        member, fn = self.to_set(other, fn, right)
        refuse_if(kind.plain is not member.plain and NULL not in (kind, member), "E0402", node)
        return BOOL, lambda f: ((v := x(f)) >= 0 and bool(fn(f) >> v & 1)) == yes

    def sum(self, node, scope, want):
        """`x + y` and `x - y`: numbers, sites that take a step, values that turn, sets."""
        board, plus, sign = self.board, node.op == "+", 1 if node.op == "+" else -1
        kind, a, other, b = self.pair(node.left, node.right, scope, want, steps=True)
        if kind.plain is INT:
            b = self.fit(other, b, INT, node.right)
            return INT, lambda f: number(a(f) + sign * b(f))
        if kind in (self.site, NULL) and other is self.dir and plus:
            return self.site, lambda f: board.next[d][s] if (s := a(f)) >= 0 <= (d := b(f)) else -1
        if kind.member is self.site and other is self.dir and plus:
            return kind, lambda f: board.step(a(f), 1 << d) if (d := b(f)) >= 0 else 0
        if kind.cyclic and other.plain is INT:
            return kind, lambda f: (v + sign * b(f)) % kind.size if (v := a(f)) >= 0 else v
        if kind.member is self.dir and other.plain is INT:
            return kind, lambda f: union(1 << (d + sign * b(f)) % self.dir.size
                                         for d in members(a(f)))
        refuse_if(plus, "E0402", node)
        kind, a, b = self.sets(node.left, node.right, "E0402", kind, a, other, b)
        return kind, lambda f: a(f) & ~b(f)

    def expr_set(self, node, scope, want):
        if not node.values:
            return (want if want is not None and want.name == "set" else EMPTY), lambda f: 0
        hint, found = want and (want.member or want), []
        for value in sorted(node.values, key=lambda v: v.kind == "name"):
            kind, fn = self.expr(value, scope, hint)
            refuse_if(kind.name == "set" or kind is NULL or value.kind == "name" and value.name in
                      ("off", "nobody", "none"), "E0417", value)
            if hint is None or hint.plain is not kind.plain and not found:
                hint = kind
            refuse_if(kind.plain is not hint.plain, "E0405", value)
            found.append(fn)
        if hint.plain is INT:
            return set_of(INT), lambda f: bits(fn(f) for fn in found)
        return set_of(hint), lambda f: union(1 << v for fn in found if (v := fn(f)) >= 0)

    def expr_filter(self, node, scope, want):
        _, each, slot, kind = self.loops([node], scope, node.test)
        return set_of(kind), lambda f: bits((f[slot] for _ in each(f)), 10 ** 6)

    def loops(self, loops, scope, test=None):
        """(inner scope, closure that goes through the combinations, the first slot and type)."""
        made, inner = [], scope
        for one in loops:
            kind, domain = self.domain(one.value, inner)
            inner = Scope(inner)
            made.append((inner.add(one.name, kind, one.line), kind, domain))
        guard = self.value(test, inner, BOOL) if test else None
        def each(f, depth=0):
            slot, _, domain = made[depth]
            for f[slot] in domain(f):
                if depth + 1 < len(made):
                    yield from each(f, depth + 1)
                elif guard is None or guard(f):
                    yield
        return inner, each, *made[0][:2]

    def expr_aggregate(self, node, scope, want):
        if node.op == "random":
            self.chance(node)
        with self.setting(no_chance=self.no_chance or node.op == "random"):
            inner, each, slot, kind = self.loops(node.loops, scope, node.test)
            if node.op == "union":
                member, fn = self.as_set(node.value, inner, want)
                return set_of(member), lambda f: union(fn(f) for _ in each(f))
            wanted, found, how = AGGREGATES[node.op]
            fn = self.value(node.value, inner, wanted)
        return found or kind, lambda f: how(self, kind, ((f[slot], fn(f)) for _ in each(f)))

    def expr_index(self, node, scope, want):
        target = node.value
        refuse_if(target.kind != "name", "E0408", node)
        is_base = target.name == "base" and scope.info.base is not None and not scope.find("base")
        slot = scope.info.base if is_base else self.slot(target, scope)
        refuse_if(slot is None, "E0301", node)
        if slot.decl.kind == "var":
            var = self.variable(slot)
            place, default = self.place(var, node.indexes, scope, node), var.kind.default
            self.reads |= {"state"}
            return var.kind, lambda f: self.state.vars[var.number][p] if (p := place(f)) >= 0 \
                else default
        table = self.table(slot) if slot.decl.kind == "let" else None
        refuse_if(not table or len(node.indexes) != len(table.params),
                  "E0407" if table and table.params else "E0408", node)
        args = [self.bounded(*one, scope) for one in zip(node.indexes, table.params)]
        (_, call), default = self.called(table, args), table.kind.default
        finite = [arg for arg, kind in zip(args, table.params) if kind.finite]
        if slot.decl.value.kind not in ("table", "list"):
            return table.kind, call
        return table.kind, lambda f: default if any([arg(f) < 0 for arg in finite]) else call(f)

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
