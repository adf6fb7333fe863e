"""What names and calls mean in expressions: declarations, values, the board, built-in functions."""
import re
from itertools import product

from board import COMPASS, members
from expressions import (BOOL, EMPTY, INT, NULL, GameError, Info, Scope, fault_if, mask_of, plain,
                         set_of, stored)
from words import Node, ScriptError, refuse_if
from unit import Slot

TURNS = {"forward": 0, "forward_right": 1, "right": 2, "backward_right": 3, "backward": 4,
         "backward_left": 5, "left": 6, "forward_left": 7}
STATE = {                               # words for the state
    "mover": ("player", lambda game: game.state.mover), "me": ("player", lambda game: game.me),
    "upcoming": ("player", lambda game: game.state.upcoming),
    "turns": ("int", lambda game: game.state.turns),
    "last_from": ("site", lambda game: game.state.last_from),
    "last_to": ("site", lambda game: game.state.last_to),
    "occupied": ("sites", lambda game: game.state.occupied),
    "empty": ("sites", lambda game: game.board.every & ~game.state.occupied),
    "repetitions": ("int", lambda game: game.repetitions(True, 0)),
    "board_repetitions": ("int", lambda game: game.repetitions(False, 0)),
}
HEX_TURNS = [0, 1, 2, 2, 3, 4, 4, 5]


class Table:
    """A `let`, a function or a procedure: what a call needs."""

    def __init__(self, params, kind):
        self.params, self.kind = params, kind
        self.fn, self.memo, self.nested = None, {}, False       # nested: counts as a nested call
        self.reads = self.attacks = False       # whether it depends on the state, on `attacked`


class Variable:
    """State: where its elements are, their type, and what they are at first."""

    def __init__(self, decl, number, indexes, kind):
        self.decl, self.number, self.indexes, self.kind = decl, number, indexes, kind
        self.name, self.marks = decl.name, decl.marks
        self.initial = []


class Names:
    """Compiles names and calls."""

    def slot(self, node, scope):
        """The declaration that a name means, or None."""
        file = scope.info.file
        if node.module is None:
            return self.unit.find(file, ("name", node.name), node.line)
        module = self.unit.module(file, node.module)
        if module is None:
            return None
        slot = module.slots.get(("name", node.name))
        refuse_if(slot is None and node.module != "prelude", "E0226", node)
        return slot

    def expr_name(self, node, scope, want):
        name = node.name
        local = scope.find(name) if node.module is None else None
        if local:
            slot, kind = local
            return plain(kind), lambda f: f[slot]
        if node.module is None and name == "base" and scope.info.base is not None:
            return self.base_value(node, scope)
        refuse_if(self.board.shape == "none" and name in ("site", "dir") and scope.info.file is not
                  self.unit.prelude, "E0720", node)
        found = self.constant_of(node, scope, want) or self.declared_name(node, scope) or \
            self.word(node)
        if found:
            return found
        refuse_if(node.module is None and ("name", name) not in self.known and
                  any(key[:2] == ("call", name) for key in self.known), "E0311", node)
        refuse_if(name in ("here", "to"), "E0302", node)
        raise ScriptError("E0303" if re.fullmatch(r"[a-z]{1,2}\d+", name) else "E0301", node.line)

    def constant_of(self, node, scope, want):
        """A value of a type by name: of the expected type, or of the type before the dot."""
        if node.module is not None:
            kind = self.named_type(node.module, scope)
            refuse_if(kind and node.name not in [*kind.values, "none"], "E0307", node)
            return kind and named(kind, node.name)
        if node.name in ("true", "false"):
            return constant(BOOL, node.name == "true")
        if node.name in ("off", "nobody", "none"):
            return constant(want if want in (self.player, self.site, self.dir, self.kind) else NULL,
                            -1)
        kind = want.member if want is not None and want.name == "set" else want
        if kind is not None and kind.finite and kind is not self.site and node.name in kind.values:
            return named(kind, node.name)
        return None

    def named_type(self, name, scope):
        if name in self.types and self.types[name].finite:
            return self.types[name]
        slot = self.unit.find(scope.info.file, ("name", name))
        return self.enum(slot) if slot and slot.decl.kind in ("enum", "option", "die") else None

    def declared_name(self, node, scope):
        slot = self.slot(node, scope)
        if slot is None:
            return None
        decl = slot.decl
        if decl.kind == "let":
            table = self.let(slot)
            refuse_if(table.params, "E0409", node)
            self.uses(table)
            return table.kind, self.called(table, [])
        if decl.kind == "var":
            return self.whole_variable(self.variable(slot), node)
        if decl.kind == "piece":
            return named(self.kind, decl.name)
        if decl.kind == "option":
            value = self.unit.options[decl.name]
            return named(self.enum(slot), value) if self.enum(slot) else \
                constant(BOOL if isinstance(value, bool) else INT, value)
        refuse_if(decl.kind not in ("enum", "die"), "E0309", node)
        return every(self.enum(slot)) if self.enum(slot) else \
            constant(set_of(INT), mask_of(min(decl.faces_made), max(decl.faces_made)))

    def whole_variable(self, var, node):
        self.reads = True
        whole = var.kind is BOOL and var.indexes == [self.site]
        refuse_if(var.indexes and not whole, "E0409", node)
        if whole:
            return set_of(self.site), lambda f: sum(
                1 << s for s, v in enumerate(self.state.vars[var.number]) if v)
        return plain(var.kind), lambda f: self.state.vars[var.number][0]

    def word(self, node):
        """Names that are built in: types, values of types, the state, the board."""
        name = node.name
        if name in self.types and self.types[name].finite:
            return every(self.types[name])
        kinds = [kind for kind in self.enums if name in kind.values]
        for kind in (self.player, self.team, *kinds):
            if name in kind.values and (kind is not self.team or self.has_teams):
                refuse_if(len(kinds) > 1 and kind is kinds[0], "E0304", node)
                return named(kind, name)
        if name in STATE:
            self.reads = True
            kind, read = STATE[name]
            return self.types[kind], lambda f: read(self)
        return self.board_word(node)

    def board_word(self, node):
        name, board = node.name, self.board
        if name in ("orthogonal", "diagonal", "adjacent"):
            return constant(set_of(self.dir), board.groups[name])
        if name in ("corners", "border", "centre", "cells", "edges", "vertices"):
            refuse_if(name not in board.sets, "E0714", node)
            return constant(set_of(self.site), board.sets[name])
        if name in TURNS and name not in board.dirs:
            table = [self.turned(facing, name) for facing in self.facing]
            refuse_if(all(d < 0 for d in table), "E0706", node)
            self.reads = True
            return self.dir, lambda f: table[self.me]
        return next((named(kind, name) for kind in (self.site, self.dir) if name in kind.values),
                    None)

    def turned(self, facing, name):
        """A relative direction for a player who faces a direction."""
        board, eighths = self.board, TURNS[name]
        if eighths == 0 or facing < 0:
            return facing
        word = board.dirs[facing]
        if board.shape == "circle":
            return (facing + eighths // 2) % 4 if eighths % 2 == 0 else -1
        slanted = board.shape == "graph" and not {"n", "s"} & set(board.dirs) and \
            {"ne", "nw", "se", "sw"} & set(board.dirs)
        if board.shape == "hex" or slanted:
            ring = [d for d in range(len(board.dirs)) if board.dirs[d] in (COMPASS if slanted
                                                                           else board.vectors)]
            step = len(ring) // 6
            return ring[(ring.index(facing) + HEX_TURNS[eighths] * step) % len(ring)]
        if word not in COMPASS:
            return board.opposite(facing) if name == "backward" else -1
        other = COMPASS[(COMPASS.index(word) + eighths) % 8]
        return board.dirs.index(other) if other in board.dirs else -1

    # Declarations.

    def parameters(self, decl, info, params=None):
        """(scope, types) of the parameters of a declaration: the first slots of a frame."""
        scope, params = Scope(info=info), params or decl.params
        kinds = [self.type_of(kind, decl.file) for _, kind in params]
        for number, ((name, _), kind) in enumerate(zip(params, kinds)):
            scope.add(name or f"[{number}]", kind, decl.line)
        info.params = len(kinds)
        refuse_if(decl.change == "extend" and decl.kind != "phase" and kinds != [
            self.type_of(kind, decl.base.file) for _, kind in decl.base.params], "E0223", decl)
        return scope, kinds

    def let(self, slot):
        decl = slot.decl
        refuse_if(decl.made is False, "E0510", decl)
        if decl.made:
            return decl.made
        decl.made = False
        scope, params = self.parameters(decl, Info(decl.file, base_of(decl)))
        want = self.type_of(decl.type, decl.file) if decl.type else None
        with self.setting(reads=False, attacking=False, no_chance=True):
            kind, fn = self.table_value(decl.value, params, 0, scope, want)
            refuse_if(want is None and kind in (NULL, EMPTY), "E0419", decl)
            decl.made = made = Table(params, want or kind)
            made.fn, made.reads, made.attacks = fn, self.reads, self.attacking
        if not made.reads and not params:
            value = stored(made.kind, fn({}), decl.name)
            made.fn = lambda f: value
        return made

    def table_value(self, node, params, depth, scope, want):
        """(type, closure) of the value of a `let`; parameters from `depth` on index a table."""
        if node.kind not in ("table", "list") or depth == len(params):
            kind, fn = self.expr(node, scope, want)
            return want or plain(kind), self.fit(kind, fn, want, node)
        kind = params[depth]
        entries = self.entries(node, kind, scope)
        found = {}
        for key, value in entries.items():
            made, found[key] = self.table_value(value, params, depth + 1, scope, want)
            want = want or (made if made not in (NULL, EMPTY) else None)
        want = want or made
        return want, lambda f: found[f[depth]](f) if f[depth] in found else want.default

    def entries(self, node, kind, scope):
        """The expressions of a table by the values of its index."""
        low = kind.low or 0
        if node.kind == "list":
            values = node.values
            if kind is self.player and len(values) == len(self.declared_players):
                values = [v for v, name in zip(values, self.declared_players)
                          if name in kind.values]
            refuse_if(len(values) != kind.size, "E0414", node)
            return {low + i: value for i, value in enumerate(values)}
        found = {}
        for key, value in node.entries:
            if kind is self.player and key.kind == "name" and key.name in self.declared_players \
                    and key.name not in kind.values:
                continue
            number = self.fixed(key, scope, kind)
            refuse_if(number in found, "E0416", key)
            found[number] = value
        return found

    def variable(self, slot):
        decl = slot.decl
        if decl.made:
            return decl.made
        indexes = [self.type_of(index, decl.file) for index in decl.indexes]
        refuse_if(len(indexes) > 4, "E0813", decl)
        refuse_if(not all(kind.finite or kind.low is not None for kind in indexes), "E0413", decl)
        refuse_if("secret" in decl.marks and self.player in indexes[1:], "E0511", decl)
        if "carried" in decl.marks:
            self.check_carried(decl, indexes)
        scope = Scope(info=Info(decl.file))
        kind = self.type_of(decl.type, decl.file) if decl.type else None if decl.value else BOOL
        initial = None
        if decl.value:
            with self.setting(reads=False):
                kind, initial = self.table_value(decl.value, indexes, 0, scope, kind)
                refuse_if(self.reads, "E0803", decl.value)
        member = kind.member if kind.name == "set" else None
        refuse_if(member and member is not self.site and (
            member is INT or (member.low or 0) < 0 or
            (member.high or member.size - 1) > 63), "E0418", decl)
        decl.made = var = Variable(decl, len(self.variables), indexes, kind)
        self.variables.append(var)
        var.initial = self.computed_now(lambda: [
            initial(dict(enumerate(place))) if initial else kind.default
            for place in places(indexes)], decl.value)
        self.computed_now(lambda: [stored(kind, value) for value in var.initial], decl.value,
                          "E0410")
        return var

    def check_carried(self, decl, indexes):
        refuse_if(len(decl.marks) > 1, "E0513", decl)
        refuse_if(indexes != [self.site], "E0512", decl)
        refuse_if(self.stacks > 1, "E0521", decl)

    def function(self, slot):
        """A function or procedure as a table; its body is compiled once."""
        decl = slot.decl
        if decl.made:
            return decl.made
        kind = self.type_of(decl.type, decl.file) if decl.type else None
        info = Info(decl.file, base_of(decl), kind, called=True)
        scope, params = self.parameters(decl, info)
        decl.made = made = Table(params, kind)
        made.nested = decl.body is not None
        with self.setting(reads=False, attacking=False, in_function=decl.kind == "fn"):
            if decl.body is None:
                made.fn = self.value(decl.value, scope, kind)
            else:
                with self.setting(no_chance=self.in_end):
                    body = self.block(decl.body, Scope(scope))
                refuse_if(kind and not leaves(decl.body), "E0518", decl)
                made.fn = self.returning(self.extended(decl, info, body))
            made.reads, made.attacks = self.reads or decl.kind == "proc", self.attacking
        return made

    def extended(self, decl, info, body):
        """A body after that which it extends, if there is one."""
        if decl.change != "extend" or info.base is None:
            return body
        first = self.function(info.base).fn if decl.kind == "proc" else self.phase(info.base.decl)

        def both(f):
            first(dict(f))
            body(f)
        return both

    def run(self, table, values):
        frame = dict(enumerate(values))
        return self.deeper(table.fn, frame) if table.nested else table.fn(frame)

    def called(self, table, args):
        """A closure that calls a table or a function; results are kept until the state changes."""
        def run(f):
            values = tuple([arg(f) for arg in args])
            memo, key = (self.cache, (table, self.me, values)) if table.reads else \
                (table.memo, values)
            if key not in memo:
                memo[key] = self.run(table, values)
            return memo[key]
        return run

    def deeper(self, fn, frame):
        fault_if(self.depth >= self.frames, "nested calls: more than the limit of frames")
        with self.setting(depth=self.depth + 1):
            return fn(frame)

    def base_value(self, node, scope):
        """`base`, or `base(x)`, in a function or a `let`."""
        slot = scope.info.base
        table = self.function(slot) if slot.decl.kind == "fn" else self.let(slot)
        args = own_arguments(scope) if node.args is None else \
            self.arguments(node, table.params, scope)
        self.uses(table)
        return plain(table.kind), self.called(table, args)

    def uses(self, table):
        self.reads |= table.reads
        self.attacking |= table.attacks

    # Calls.

    def callee(self, node, scope):
        """The function or procedure that a call means, or None."""
        return self.found(node, scope.info.file, "call", node.name, len(node.args))

    def found(self, node, file, *key):
        """The declaration that a name means in a file, or in the module before the dot."""
        where = self.unit.module(file, node.module) if node.module else file
        return where and self.unit.find(where, key, node.line)

    def expr_callx(self, node, scope, want):
        name, file = node.name, scope.info.file
        if name == "base" and scope.info.base is not None:
            return self.base_value(node, scope)
        slot = self.callee(node, scope)
        refuse_if(slot and slot.decl.kind == "proc", "E0421", node)
        if slot:
            table = self.function(slot)
            args = self.arguments(node, table.params, scope)
            self.uses(table)
            return plain(table.kind), self.called(table, args)
        named = self.unit.find(file, ("name", name), node.line)
        if named and named.decl.kind == "property":
            return self.property_of(named, node, scope)
        if named and named.decl.kind == "enum":
            return self.part(self.enum(named), node, scope)
        builtin = getattr(self, f"call_{name}", None)
        if builtin is None or node.module not in (None, "prelude"):
            others = any(self.unit.find(file, ("call", name, n)) for n in range(16))
            raise ScriptError("E0406" if others else "E0310" if named else "E0301", node.line)
        return builtin(node, scope, want)

    def arguments(self, node, params, scope):
        refuse_if(len(node.args) != len(params), "E0406", node)
        found = []
        for arg, kind in zip(node.args, params):
            refuse_if(kind.name == "range" and arg.kind == "number" and not kind.low <= arg.value <=
                      kind.high, "E0410", arg)
            found.append(self.value(arg, scope, kind))
        return found

    def property_of(self, slot, node, scope):
        table = self.properties[slot.decl.name]
        kind = self.value(node.args[0], scope, self.kind)
        default = table["type"].default
        return plain(table["type"]), lambda f: table[k] if (k := kind(f)) >= 0 else default

    def part(self, enum, node, scope):
        """A part of a value of a combined enum, or the value with given parts."""
        if len(node.args) == 1:
            kind, fn = self.expr(node.args[0], scope)
            refuse_if(not kind.parts or enum not in kind.parts, "E0401", node)
            after = 1
            for other in kind.parts[kind.parts.index(enum) + 1:]:
                after *= other.size
            return enum, lambda f: v // after % enum.size if (v := fn(f)) >= 0 else enum.default
        args = self.arguments(node, enum.parts or [], scope)

        def run(f):
            found = 0
            for arg, kind in zip(args, enum.parts):
                found = found * kind.size + arg(f)
            return found
        return enum, run


def leaves(node):
    """Whether each way through a statement ends the function."""
    if node.kind == "block":
        return any(map(leaves, node.stmts))
    if node.kind == "if":
        return node.no is not None and leaves(node.yes) and leaves(node.no)
    return node.kind in ("return", "stop", "win", "lose", "draw", "rank") or \
        node.kind == "as" and leaves(node.body)


def places(indexes):
    """All combinations of values of types."""
    return product(*(range(kind.low or 0, (kind.low or 0) + kind.size) for kind in indexes))


def constant(kind, value):
    return kind, lambda f: value


def named(kind, name):
    """The value of a type that has a name; `none` is -1."""
    return constant(kind, kind.values.index(name) if name in kind.values else -1)


def every(kind):
    return constant(set_of(kind), (1 << kind.size) - 1)


def base_of(decl):
    """What `base` means in a declaration: a slot of its own, or None."""
    return Slot(decl.base, decl.base.file) if decl.base is not None else None


def own_arguments(scope):
    """Closures that give the parameters of the declaration itself."""
    return [lambda f, s=s: f[s] for s in range(scope.info.params)]


def primitive(result, *params, reads=False):
    """Makes a built-in function of Python's `function(game, *values)`. A parameter is the name of a
    type; one that ends in ? may be left out, and `dirs?` are then all."""
    def made(function):
        def compile_it(self, node, scope, want):
            least = sum(not param.endswith("?") for param in params)
            refuse_if(not least <= len(node.args) <= len(params), "E0406", node)
            args = [self.value(arg, scope, self.types[param.rstrip("?")])
                    for arg, param in zip(node.args, params)]
            if params[-1] == "dirs?" and len(args) < len(params):
                args.append(lambda f: self.board.adjacent)
            self.reads |= reads
            kind = self.types[result]
            if len(args) == 1:
                one = args[0]
                return kind, lambda f: function(self, one(f))
            return kind, lambda f: function(self, *[arg(f) for arg in args])
        return compile_it
    return made


def numbered(word):
    """Makes a function that gives rows, columns, sides or layers of the board by number."""
    def compile_it(self, node, scope, want):
        table = self.board.lines_by_number(word)
        refuse_if(node.args[0].kind == "number" and node.args[0].value not in table, "E0714", node)
        refuse_if(not table, "E0714", node)
        number = self.value(node.args[0], scope, INT)
        return set_of(self.site), lambda f: table.get(number(f), 0)
    return compile_it


def chosen(pick):
    """Makes a function that chooses of the members of a set, or gives what stands for none."""
    def compile_it(self, node, scope, want):
        if node.args[0].kind == "binary" and node.args[0].op == "..":
            kind, domain = self.domain(node.args[0], scope)
        else:
            kind, fn = self.as_set(node.args[0], scope, want and set_of(want))
            domain = lambda f: members(fn(f))                           # noqa: E731
        return plain(kind), lambda f: pick(self, kind, domain(f))
    return compile_it


class Primitives:
    """The built-in functions."""

    call_file, call_side, call_layer = map(numbered, ("file", "side", "layer"))

    def call_rank(self, node, scope, want):
        if len(node.args) == 1:
            return numbered("rank")(self, node, scope, want)
        number = self.value(node.args[0], scope, INT)
        player = self.value(node.args[1], scope, self.player)
        rows, columns = map(self.board.lines_by_number, ("rank", "file"))
        refuse_if(not rows or not columns, "E0714", node)

        def run(f):
            n, p = number(f), player(f)
            if p < 0:
                return 0
            way = self.board.dirs[self.facing[p]] if self.facing[p] >= 0 else "n"
            table = columns if way in ("e", "w") else rows
            return table.get(max(table) + 1 - n if way[0] in "sw" else n, 0)
        return set_of(self.site), run

    call_column = primitive("int", "site")(lambda g, s: g.board.column[s] if s >= 0 else 0)
    call_row = primitive("int", "site")(lambda g, s: g.board.row[s] if s >= 0 else 0)
    call_layer_of = primitive("int", "site")(lambda g, s: g.board.layer[s] if s >= 0 else 0)

    @primitive("site", "int", "int", "int?")
    def call_site_at(self, column, row, layer=1):
        board = self.board
        return next((s for s in range(board.size) if board.column[s] == column
                     and board.row[s] == row and (not board.layers or board.layer[s] == layer)
                     and column > 0), -1)

    call_step = primitive("sites", "sites", "dirs")(lambda g, S, D: g.board.step(S, D))
    call_ray = primitive("sites", "site", "dir")(
        lambda g, s, d: sum(1 << t for t in g.board.ray(s, d)))
    call_walk = primitive("site", "site", "dir", "int")(lambda g, s, d, n: g.board.walk(s, d, n))
    call_between = primitive("sites", "site", "site")(
        lambda g, a, b: g.board.between(a, b) if a >= 0 <= b else 0)
    call_dist = primitive("int", "site", "site")(
        lambda g, a, b: g.board.distances(a).get(b, -1) if a >= 0 <= b else -1)
    call_flood = primitive("sites", "sites", "sites", "dirs?")(
        lambda g, S, T, D: g.board.flood(S, T, D))

    def call_slide(self, node, scope, want):
        sites, dirs = (self.value(arg, scope, set_of(kind))
                       for arg, kind in zip(node.args, (self.site, self.dir)))
        over = most = None
        for arg in node.args[2:]:
            kind, fn = self.expr(arg, scope, set_of(self.site))
            if plain(kind) is INT:
                most = fn
            else:
                over = self.fit(kind, fn, set_of(self.site), arg)
        if over is None:
            self.reads = True
        return set_of(self.site), lambda f: self.board.slide(
            sites(f), dirs(f), over(f) if over else ~self.state.occupied, most(f) if most else None)
    @primitive("sites", "sites", "int", "int")
    def call_leap(self, sites, a, b):
        return sum({1 << t for s in members(sites) for t in self.board.leaps(s, a, b) if t >= 0})

    @primitive("sites", "sites", "int", "int", "sites?", reads=True)
    def call_ride(self, sites, a, b, over=None):
        over = ~self.state.occupied if over is None else over
        found = 0
        for start in members(sites):
            for way in range(len(self.board.leaps(start, a, b))):
                site = self.board.leaps(start, a, b)[way]
                while site >= 0 and site != start:
                    found |= 1 << site
                    site = self.board.leaps(site, a, b)[way] if over >> site & 1 else -1
        return found

    @primitive("bool", "sites", "int", "dirs?")
    def call_line(self, sites, n, dirs):
        return n <= 0 or any(len(row) >= n for row in self.board.lines(sites, dirs))

    @primitive("bool", "site", "sites", "int", "dirs?")
    def call_line_at(self, site, sites, n, dirs):
        if site < 0 or not sites >> site & 1:
            return False
        return n == 1 or any(len(row) >= n and site in row
                             for row in self.board.lines(sites, dirs))

    @primitive("bool", "sites", "sites", "sites", "dirs?")
    def call_connected(self, sites, start, goal, dirs):
        return bool(self.board.flood(sites & start, sites, dirs) & goal & sites)

    @primitive("sites", "site", "sites", "sites", "dirs?")
    def call_flanked(self, site, sites, ends, dirs):
        found = 0
        for d in members(dirs):
            row = 0
            for s in self.board.ray(site, d):
                if not sites >> s & 1:
                    found |= row if ends >> s & 1 else 0
                    break
                row |= 1 << s
        return found

    @primitive("sites", "sites", "sites", "sites", "dirs?")
    def call_flanking(self, sites, row, ends, dirs):
        found = 0
        for d in members(dirs):
            for start in members(sites):
                passed = False
                for s in self.board.ray(start, d):
                    if not row >> s & 1:
                        found |= (1 << start) if passed and ends >> s & 1 else 0
                        break
                    passed = True
        return found

    call_kind = primitive("kind", "site", "int?", reads=True)(
        lambda g, s, place=None: g.piece_at(s, place)[0])
    call_owner = primitive("player", "site", "int?", reads=True)(
        lambda g, s, place=None: g.piece_at(s, place)[1])

    def piece_at(self, site, place):
        stack = self.state.pieces[site] if site >= 0 else ()
        if place is None:
            return stack[-1] if stack else (-1, -1)
        return stack[place - 1] if 1 <= place <= len(stack) else (-1, -1)

    call_height = primitive("int", "site", reads=True)(
        lambda g, s: len(g.state.pieces[s]) if s >= 0 else 0)
    call_team = primitive("team", "player")(lambda g, p: g.team_of[p] if p >= 0 else 0)
    call_is_out = primitive("bool", "player", reads=True)(
        lambda g, p: p >= 0 and bool(g.state.out >> p & 1))
    call_standing = primitive("int", "player", reads=True)(
        lambda g, p: g.state.ranks[p] if g.state.ranks and p >= 0 else 0)
    call_repetitions_since = primitive("int", "int", reads=True)(
        lambda g, n: g.repetitions(True, n))
    is_attacked = primitive("bool", "sites", "player", reads=True)(
        lambda g, S, p: g.attacked(S, p))

    def call_attacked(self, node, scope, want):
        self.attacking = True
        return self.is_attacked(node, scope, want)

    call_max = primitive("int", "int", "int")(lambda g, a, b: max(a, b))
    call_min = primitive("int", "int", "int")(lambda g, a, b: min(a, b))

    def call_can(self, node, scope, want):
        arg = node.args[0]
        generator = self.generator_call(Node(
            "generator", arg.line, module=arg.module, name=arg.name,
            args=arg.args if arg.kind == "callx" else []), scope)
        self.reads = True
        return BOOL, lambda f: next(generator(f), None) is not None

    def call_int(self, node, scope, want):
        kind, fn = self.expr(node.args[0], scope)
        return INT, lambda f: int(fn(f))

    def call_reveal(self, node, scope, want):
        return self.expr(node.args[0], scope, want)

    call_the = chosen(lambda g, kind, v: v[0] if len(v) == 1 else kind.default)
    call_first = chosen(lambda g, kind, v: v[0] if v else kind.default)
    call_last = chosen(lambda g, kind, v: v[-1] if v else kind.default)
    one_by_chance = chosen(lambda g, kind, v: g.draw(kind, dict.fromkeys(v, 1)) if v else
                           v.start if isinstance(v, range) else kind.default)

    def chance(self, node):
        refuse_if(self.in_function or self.no_chance, "E0601", node)
        self.reads = True

    def call_random(self, node, scope, want):
        self.chance(node)
        return self.one_by_chance(node, scope, want)

    def call_roll(self, node, scope, want):
        self.chance(node)
        slot = self.slot(node.args[0], scope)
        refuse_if(slot is None or slot.decl.kind != "die", "E0309", node)
        kind = self.enum(slot) or INT
        faces = {face: weight for face, weight in slot.decl.faces_made.items() if weight}
        return kind, lambda f: self.draw(kind, faces)
