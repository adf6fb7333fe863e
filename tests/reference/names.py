"""What names and calls mean in expressions: declarations, values, the board, the state, functions
(chapters 2, 4, 5 and 9 of docs/spec)."""
import re
from dataclasses import dataclass, field
from itertools import product
from math import prod
from types import SimpleNamespace

from board import COMPASS, Board, union
from expressions import (BOOL, EMPTY, INT, NULL, Info, Scope, Type, bits, fault_if, set_of, stored)
from syntax import Node, ScriptError, refuse_if

TURNS = {"forward": 0, "forward_right": 1, "right": 2, "backward_right": 3, "backward": 4,
         "backward_left": 5, "left": 6, "forward_left": 7}
HEX_TURNS = [0, 1, 2, 2, 3, 4, 4, 5]
# Functions, and words: the type of the result, those of the parameters, and what computes it. A
# parameter with ? may be left out; `dirs?` are then all.
OF_BOARD = {
    "column": ("int", "site", lambda board, s: board.column[s] if s >= 0 else 0),
    "row": ("int", "site", lambda board, s: board.row[s] if s >= 0 else 0),
    "layer_of": ("int", "site", lambda board, s: board.layer[s] if s >= 0 else 0),
    "site_at": ("site", "int int int?", Board.site_at),
    "step": ("sites", "sites dirs", Board.step),
    "leap": ("sites", "sites int int", Board.leap),
    "ray": ("sites", "site dir", lambda board, s, d: union(
        1 << t for t in (board.ray(s, d) if s >= 0 <= d else ()))),
    "walk": ("site", "site dir int", Board.walk),
    "flood": ("sites", "sites sites dirs?", Board.flood),
    "connected": ("bool", "sites sites sites dirs?", Board.connected),
    "dist": ("int", "site site", Board.dist),
    "between": ("sites", "site site", Board.between),
    "line": ("bool", "sites int dirs?", Board.line),
    "line_at": ("bool", "site sites int dirs?", Board.line_at),
    "flanked": ("sites", "site sites sites dirs?", Board.flanked),
    "flanking": ("sites", "sites sites sites dirs?", Board.flanking),
    "max": ("int", "int int", lambda board, a, b: max(a, b)),
    "min": ("int", "int int", lambda board, a, b: min(a, b)),
}
OF_STATE = {
    "mover": ("player", "", lambda game: game.state.mover),
    "me": ("player", "", lambda game: game.me),
    "upcoming": ("player", "", lambda game: game.state.upcoming),
    "turns": ("int", "", lambda game: game.state.turns),
    "last_from": ("site", "", lambda game: game.state.last_from),
    "last_to": ("site", "", lambda game: game.state.last_to),
    "occupied": ("sites", "", lambda game: game.state.occupied),
    "empty": ("sites", "", lambda game: game.board.every & ~game.state.occupied),
    "repetitions": ("int", "", lambda game: game.repetitions(True, 0)),
    "board_repetitions": ("int", "", lambda game: game.repetitions(False, 0)),
    "kind": ("kind", "site int?", lambda game, *where: game.piece_at(*where)[0]),
    "owner": ("player", "site int?", lambda game, *where: game.piece_at(*where)[1]),
    "height": ("int", "site", lambda game, s: len(game.state.pieces[s]) if s >= 0 else 0),
    "ride": ("sites", "sites int int sites?", lambda game, S, a, b, T=None: game.board.ride(
        S, a, b, ~game.state.occupied if T is None else T)),
    "team": ("team", "player", lambda game, p: game.team_of[p] if p >= 0 else 0),
    "is_out": ("bool", "player", lambda game, p: p >= 0 and bool(game.state.out >> p & 1)),
    "standing": ("int", "player",
                 lambda game, p: game.state.ranks[p] if game.state.ranks and p >= 0 else 0),
    "repetitions_since": ("int", "int", lambda game, n: game.repetitions(True, n)),
    "attacked": ("bool", "sites player", lambda game, S, p: game.attacked(S, p)),
}
# What a function chooses from the members of a set, given a default.
CHOOSE = {
    "the": lambda game, kind, found: found[0] if len(found) == 1 else kind.default,
    "first": lambda game, kind, found: found[0] if found else kind.default,
    "last": lambda game, kind, found: found[-1] if found else kind.default,
    "random": lambda game, kind, found: game.draw(kind, dict.fromkeys(found, 1)) if found else
    found.start if isinstance(found, range) else kind.default,
}


@dataclass(eq=False)
class Table:
    """A `let`, a function or a procedure: what a call needs."""
    params: list
    kind: Type
    nested: bool = False                # whether it counts as a nested call
    fn: object = None
    memo: dict = field(default_factory=dict)
    reads: set = frozenset()            # whether it depends on the 'state', on 'attacked'


class Names:
    def found(self, node, file, *key):
        """The declaration that a name means in a file, or in the module before the dot."""
        if node.module is None:
            return self.unit.find(file, key, node.line)
        module = self.unit.module(file, node.module)
        return module and module.slots.get(key)

    def slot(self, node, scope):
        slot, file = self.found(node, scope.info.file, "name", node.name), scope.info.file
        refuse_if(slot is None and node.module not in (None, "prelude") and
                  self.unit.module(file, node.module), "E0226", node)
        return slot

    def expr_name(self, node, scope, want):
        name = node.name
        local = scope.find(name) if node.module is None else None
        if local:
            slot, kind = local
            return kind.plain, lambda f: f[slot]
        if node.module is None and name == "base" and scope.info.base is not None:
            return self.expr_callx(node, scope, want)
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
            slot = self.unit.find(scope.info.file, ("name", node.module))
            kind = self.types.get(node.module) or slot and self.enum(slot)
            if not kind or not kind.finite:
                return None
            refuse_if(node.name not in [*kind.values, "none"], "E0307", node)
            return named(kind, node.name)
        if node.name in ("true", "false"):
            return constant(BOOL, node.name == "true")
        if node.name in ("off", "nobody", "none"):
            return constant(want if want in (self.player, self.site, self.dir, self.kind) else NULL,
                            -1)
        kind = want.element if want else None
        if kind and kind.finite and kind is not self.site and node.name in kind.values:
            return named(kind, node.name)
        return None

    def declared_name(self, node, scope):
        slot = self.slot(node, scope)
        if slot is None:
            return None
        decl, enum = slot.decl, self.enum(slot)
        if decl.kind == "let":
            table = self.table(slot)
            refuse_if(table.params, "E0409", node)
            return table.kind, self.called(table, [])[1]
        if decl.kind == "var":
            var = self.variable(slot)
            self.reads |= {"state"}
            if var.kind is BOOL and var.indexes == [self.site]:
                return set_of(self.site), lambda f: union(
                    1 << s for s, v in enumerate(self.state.vars[var.number]) if v)
            refuse_if(var.indexes, "E0409", node)
            return var.kind.plain, lambda f: self.state.vars[var.number][0]
        if decl.kind == "piece":
            return named(self.kind, decl.name)
        if decl.kind == "option":
            value = self.unit.options[decl.name]
            return named(enum, value) if enum else \
                constant(BOOL if isinstance(value, bool) else INT, value)
        refuse_if(decl.kind not in ("enum", "die"), "E0309", node)
        return constant(set_of(enum), enum.every) if enum else \
            constant(set_of(INT), bits(range(min(decl.weights), max(decl.weights) + 1)))

    def word(self, node):
        """Names that are built in: types, values of types, the state, the board."""
        name, board = node.name, self.board
        if name in self.types and self.types[name].finite:
            return constant(set_of(self.types[name]), self.types[name].every)
        enums = [kind for kind in self.enums if name in kind.values]
        for kind in (self.player, *([self.team] if self.has_teams else []), *enums):
            if name in kind.values:
                refuse_if(len(enums) > 1 and kind in enums, "E0304", node)
                return named(kind, name)
        if name in OF_STATE and not OF_STATE[name][1]:
            return self.built_in(node, None, *OF_STATE[name])
        if name in board.groups:
            return constant(set_of(self.dir), board.groups[name])
        if name in ("corners", "border", "centre", "cells", "edges", "vertices"):
            refuse_if(name not in board.sets, "E0714", node)
            return constant(set_of(self.site), board.sets[name])
        if name in TURNS and name not in board.dirs:
            table = [self.turned(facing, name) for facing in self.facing]
            refuse_if(all(d < 0 for d in table), "E0706", node)
            self.reads |= {"state"}
            return self.dir, lambda f: table[self.me]
        return next((named(kind, name) for kind in (self.site, self.dir) if name in kind.values),
                    None)

    def turned(self, facing, name):
        """A relative direction for a player who faces a direction."""
        board, eighths = self.board, TURNS[name]
        if eighths == 0 or facing < 0:
            return facing
        winds, ring, step = {*COMPASS} & {*board.dirs}, COMPASS, eighths
        slanted = board.shape == "graph" and not {"n", "s"} & winds and winds - {"e", "w"}
        if board.shape == "circle":
            ring, step = board.dirs, eighths / 2
        elif board.shape == "hex" or slanted:
            ring = [d for d in board.dirs if d in (COMPASS if slanted else board.vectors)]
            step = HEX_TURNS[eighths] * (len(ring) // 6)
        if board.dirs[facing] not in ring:
            return board.opposite(facing) if name == "backward" else -1
        other = ring[(ring.index(board.dirs[facing]) + int(step)) % len(ring)]
        return board.dirs.index(other) if other in board.dirs and step == int(step) else -1

    def parameters(self, decl, info, params=None):
        """(scope, types) of the parameters of a declaration: the first slots of a frame."""
        scope, params = Scope(info=info), params or decl.params
        kinds = [self.type_of(kind, decl.file) for _, kind in params]
        for (name, _), kind in zip(params, kinds):
            scope.add(name, kind, decl.line)
        info.params = len(kinds)
        refuse_if(decl.change == "extend" and kinds != [
            self.type_of(kind, decl.base.file) for _, kind in decl.base.decl.params], "E0223", decl)
        return scope, kinds

    def table(self, slot):
        decl, is_let = slot.decl, slot.decl.kind == "let"
        refuse_if(decl.made is False, "E0510", decl)
        if decl.made:
            return decl.made
        want = self.type_of(decl.type, decl.file)
        info = Info(decl.file, decl.base, want, called=not is_let)
        scope, params = self.parameters(decl, info)
        made = Table(params, want, nested=decl.body is not None)
        decl.made = not is_let and made
        with self.setting(reads=set(), in_function=decl.kind != "proc",
                          no_chance=is_let or self.in_end):
            if decl.body is None:
                made.kind, made.fn = self.table_value(
                    decl.value, params, 0 if is_let else len(params), scope, want)
                refuse_if(made.kind in (NULL, EMPTY), "E0419", decl)
            else:
                body = self.do_block(decl.body, Scope(scope))
                refuse_if(want and not leaves(decl.body), "E0518", decl)
                made.fn = self.returning(self.extended(decl, info, body))
            made.reads = self.reads | ({"state"} if decl.kind == "proc" else set())
        decl.made = made
        if is_let and not made.reads and not params:
            value = stored(made.kind, made.fn({}), decl.name)
            made.fn = lambda f: value
        return made

    def table_value(self, node, params, depth, scope, want):
        """(type, closure) of the value of a `let`; parameters from `depth` on index a table."""
        if node.kind not in ("table", "list") or depth == len(params):
            kind, fn = self.expr(node, scope, want)
            return want or kind.plain, self.fit(kind, fn, want, node)
        found = {}
        for key, value in self.entries(node, params[depth], scope).items():
            made, found[key] = self.table_value(value, params, depth + 1, scope, want)
            want = want or (made if made not in (NULL, EMPTY) else None)
        want = want or made
        return want, lambda f: found[f[depth]](f) if f[depth] in found else want.default

    def entries(self, node, kind, scope):
        missing = {*self.declared_players} - {*kind.values} if kind is self.player else {}
        if node.kind == "list":
            values = node.values
            if missing and len(values) == len(self.declared_players):
                values = [value for value, name in zip(values, self.declared_players)
                          if name not in missing]
            refuse_if(len(values) != kind.size, "E0414", node)
            return dict(enumerate(values, kind.low or 0))
        found = {}
        for key, value in node.entries:
            if key.name not in missing:
                number = self.fixed(key, scope, kind)
                refuse_if(number in found, "E0416", key)
                found[number] = value
        return found

    def variable(self, slot):
        decl = slot.decl
        if decl.made:
            return decl.made
        indexes = [self.type_of(index, decl.file) for index in decl.indexes]
        carried = "carried" in decl.marks
        for wrong, code in (
                (len(indexes) > 4, "E0813"),
                (not all(kind.finite or kind.low is not None for kind in indexes), "E0413"),
                ("secret" in decl.marks and self.player in indexes[1:], "E0511"),
                (carried and len(decl.marks) > 1, "E0513"),
                (carried and indexes != [self.site], "E0512"),
                (carried and self.stacks > 1, "E0521")):
            refuse_if(wrong, code, decl)
        kind, initial = self.type_of(decl.type, decl.file), None
        if decl.value:
            with self.setting(reads=set()):
                kind, initial = self.table_value(decl.value, indexes, 0, self.scope(decl.file),
                                                 kind)
                refuse_if(self.reads, "E0803", decl.value)
        kind = kind or BOOL
        member = kind.member
        refuse_if(member and member is not self.site and (
            member is INT or (member.low or 0) < 0 or
            (member.high or member.size - 1) > 63), "E0418", decl)
        decl.made = var = SimpleNamespace(name=decl.name, marks=decl.marks, indexes=indexes,
                                          kind=kind, number=len(self.variables))
        self.variables.append(var)
        var.initial = self.computed_now(lambda: [
            initial(dict(enumerate(place))) if initial else kind.default
            for place in places(indexes)], decl.value)
        self.computed_now(lambda: [stored(kind, value) for value in var.initial], decl.value,
                          "E0410")
        return var

    def extended(self, decl, info, body):
        if decl.change != "extend" or info.base is None:
            return body
        first = self.table(info.base).fn if decl.kind == "proc" else self.phase(info.base.decl)
        def both(f):
            first(dict(f))
            body(f)
        return both

    def run(self, table, values):
        frame = dict(enumerate(values))
        return self.deeper(table.fn, frame) if table.nested else table.fn(frame)

    def called(self, table, args):
        """(type, closure) of a call of a table or function; results are kept until the state
        changes."""
        self.reads |= table.reads
        def run(f):
            values = tuple([arg(f) for arg in args])
            memo, key = (self.cache, (table, self.me, values)) if table.reads else \
                (table.memo, values)
            if key not in memo:
                memo[key] = self.run(table, values)
            return memo[key]
        return table.kind.plain, run

    def deeper(self, fn, frame):
        fault_if(self.depth >= self.frames, "nested calls: more than the limit of frames")
        with self.setting(depth=self.depth + 1):
            return fn(frame)

    def arguments(self, node, params, scope):
        """Closures of arguments; `base` without any takes those of the declaration itself."""
        if node.name == "base" and not node.args:
            return [lambda f, s=s: f[s] for s in range(scope.info.params)]
        refuse_if(len(node.args) != len(params), "E0406", node)
        for arg, kind in zip(node.args, params):
            refuse_if(kind.name == "range" and arg.kind == "number" and not kind.low <= arg.value <=
                      kind.high, "E0410", arg)
        return [self.value(arg, scope, kind) for arg, kind in zip(node.args, params)]

    def expr_callx(self, node, scope, want):
        name, file = node.name, scope.info.file
        is_base = name == "base" and scope.info.base is not None
        slot = scope.info.base if is_base else self.callee(node, scope)
        refuse_if(slot and slot.decl.kind == "proc", "E0421", node)
        if slot:
            table = self.table(slot)
            return self.called(table, self.arguments(node, table.params, scope))
        named = self.unit.find(file, ("name", name), node.line)
        if named and named.decl.kind == "property":
            table, kind = self.properties[name], self.value(node.args[0], scope, self.kind)
            default = table["type"].default
            return table["type"].plain, lambda f: table[k] if (k := kind(f)) >= 0 else default
        if named and named.decl.kind == "enum":
            return self.part(self.enum(named), node, scope)
        others = any(self.unit.find(file, ("call", name, n)) for n in range(16))
        special, builtin = getattr(self, f"call_{name}", None), {**OF_BOARD, **OF_STATE}.get(name)
        known = node.module in (None, "prelude") and (special or builtin)
        refuse_if(not known, "E0406" if others else "E0310" if named else "E0301", node)
        return special(node, scope, want) if special else self.built_in(node, scope, *builtin)

    def callee(self, node, scope):
        return self.found(node, scope.info.file, "call", node.name, len(node.args))

    def part(self, enum, node, scope):
        """A part of a value of a combined enum, or the value with given parts."""
        if len(node.args) == 1:
            kind, fn = self.expr(node.args[0], scope)
            refuse_if(not kind.parts or enum not in kind.parts, "E0401", node)
            after = prod(other.size for other in kind.parts[kind.parts.index(enum) + 1:])
            return enum, lambda f: v // after % enum.size if (v := fn(f)) >= 0 else enum.default
        args = self.arguments(node, enum.parts or [], scope)
        def run(f):
            found = 0
            for arg, kind in zip(args, enum.parts):
                found = found * kind.size + arg(f)
            return found
        return enum, run

    def built_in(self, node, scope, result, params, function):
        args = self.some_arguments(node, scope, params.split())
        self.reads |= {"state", node.name} if node.name in OF_STATE else set()
        of = self if node.name in OF_STATE else self.board
        one = args[0] if len(args) == 1 else None
        return self.types[result], (lambda f: function(of, one(f))) if one else \
            (lambda f: function(of, *[arg(f) for arg in args]))

    def some_arguments(self, node, scope, params):
        least, args = sum(not param.endswith("?") for param in params), node.args or ()
        refuse_if(not least <= len(args) <= len(params), "E0406", node)
        found = [self.value(arg, scope, self.types[param.rstrip("?")])
                 for arg, param in zip(args, params)]
        return found + [lambda f: self.board.groups["adjacent"]] * ("dirs?" in params[len(args):])

    def piece_at(self, site, place=None):
        """(kind, owner)"""
        stack = self.state.pieces[site] if site >= 0 else ()
        place = len(stack) if place is None else place
        return stack[place - 1] if 1 <= place <= len(stack) else (-1, -1)

    def call_first(self, node, scope, want):
        if node.name == "random":
            self.chance(node)
        kind, domain = self.domain(node.args[0], scope, want)
        choose = CHOOSE[node.name]
        return kind.plain, lambda f: choose(self, kind, domain(f))

    call_last = call_the = call_random = call_first

    def call_rank(self, node, scope, want):
        if len(node.args) == 1:
            return self.call_file(node, scope, want)
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

    def call_file(self, node, scope, want):
        """Also of rows, sides and layers."""
        table = self.board.lines_by_number(node.name)
        first = node.args[0]
        refuse_if(not table or first.kind == "number" and first.value not in table, "E0714", node)
        number = self.value(first, scope, INT)
        return set_of(self.site), lambda f: table.get(number(f), 0)

    call_side = call_layer = call_file

    def call_slide(self, node, scope, want):
        sites, dirs = (self.value(arg, scope, set_of(kind))
                       for arg, kind in zip(node.args, (self.site, self.dir)))
        over = most = None
        for arg in node.args[2:]:
            kind, fn = self.expr(arg, scope, set_of(self.site))
            if kind.plain is INT:
                most = fn
            else:
                over = self.fit(kind, fn, set_of(self.site), arg)
        self.reads |= {"state"} if over is None else set()
        return set_of(self.site), lambda f: self.board.slide(
            sites(f), dirs(f), over(f) if over else ~self.state.occupied, most(f) if most else None)

    def call_can(self, node, scope, want):
        arg = node.args[0]
        generator = self.generator_call(Node("generator", arg.line, module=arg.module,
                                             name=arg.name, args=arg.args or []), scope)
        self.reads |= {"state"}
        return BOOL, lambda f: next(generator(f), None) is not None

    def call_int(self, node, scope, want):
        kind, fn = self.expr(node.args[0], scope, want)
        return (kind, fn) if node.name == "reveal" else (INT, lambda f: int(fn(f)))

    call_reveal = call_int

    def call_roll(self, node, scope, want):
        self.chance(node)
        slot = self.slot(node.args[0], scope)
        refuse_if(slot is None or slot.decl.kind != "die", "E0309", node)
        kind = self.enum(slot) or INT
        return kind, lambda f: self.draw(kind, slot.decl.weights)

    def chance(self, node):
        refuse_if(self.in_function or self.no_chance, "E0601", node)
        self.reads |= {"state"}


def leaves(node):
    """Whether each way through a statement ends the function."""
    if node.kind == "block":
        return any(map(leaves, node.stmts))
    if node.kind == "if":
        return node.no is not None and leaves(node.yes) and leaves(node.no)
    return node.kind in ("return", "rank") or node.kind == "as" and leaves(node.body) or \
        node.kind == "effect" and node.name in ("stop", "win", "lose", "draw")


def places(indexes):
    return product(*(range(kind.low or 0, (kind.low or 0) + kind.size) for kind in indexes))


def constant(kind, value):
    return kind, lambda f: value


def named(kind, name):
    """The value of a type that has a name; `none` is -1."""
    return constant(kind, kind.values.index(name) if name in kind.values else -1)
