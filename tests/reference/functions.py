"""Calls in expressions, and the functions that are built in (chapters 4, 5 and 9 of docs/spec)."""
from board import Board, members, union
from expressions import BOOL, INT, plain, set_of
from syntax import Node, ScriptError, refuse_if

# By name: the type of the result, the types of the parameters, and what computes it. A parameter
# with ? may be left out; `dirs?` are then all.
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


class Functions:
    """Compiles calls."""

    def expr_callx(self, node, scope, want):
        name, file = node.name, scope.info.file
        if name == "base" and scope.info.base is not None:
            return self.base_value(node, scope)
        slot = self.callee(node, scope)
        refuse_if(slot and slot.decl.kind == "proc", "E0421", node)
        if slot:
            table = self.table(slot)
            args = self.arguments(node, table.params, scope)
            self.uses(table)
            return plain(table.kind), self.called(table, args)
        named = self.unit.find(file, ("name", name), node.line)
        if named and named.decl.kind == "property":
            return self.property_of(named, node, scope)
        if named and named.decl.kind == "enum":
            return self.part(self.enum(named), node, scope)
        others = any(self.unit.find(file, ("call", name, n)) for n in range(16))
        special, builtin = getattr(self, f"call_{name}", None), {**OF_BOARD, **OF_STATE}.get(name)
        refuse_if(node.module not in (None, "prelude") or not (special or builtin or name in CHOOSE),
                  "E0406" if others else "E0310" if named else "E0301", node)
        if special:
            return special(node, scope, want)
        return self.choice_of(node, scope, want) if name in CHOOSE else \
            self.built_in(node, scope, *builtin)

    def callee(self, node, scope):
        """The function or procedure that a call means, or None."""
        return self.found(node, scope.info.file, "call", node.name, len(node.args))

    def property_of(self, slot, node, scope):
        table = self.properties[slot.decl.name]
        kind, default = self.value(node.args[0], scope, self.kind), table["type"].default
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

    def built_in(self, node, scope, result, params, function):
        params = params.split()
        least = sum(not param.endswith("?") for param in params)
        refuse_if(not least <= len(node.args) <= len(params), "E0406", node)
        args = [self.value(arg, scope, self.types[param.rstrip("?")])
                for arg, param in zip(node.args, params)]
        if params[-1] == "dirs?" and len(args) < len(params):
            args.append(lambda f: self.board.adjacent)
        self.reads |= node.name in OF_STATE
        self.attacking |= node.name == "attacked"
        of = self if node.name in OF_STATE else self.board
        return self.types[result], lambda f: function(of, *[arg(f) for arg in args])

    def piece_at(self, site, place=None):
        """(kind, owner)"""
        stack = self.state.pieces[site] if site >= 0 else ()
        place = len(stack) if place is None else place
        return stack[place - 1] if 1 <= place <= len(stack) else (-1, -1)

    def choice_of(self, node, scope, want):
        if node.name == "random":
            self.chance(node)
        kind, domain = self.domain(node.args[0], scope, want)
        choose = CHOOSE[node.name]
        return plain(kind), lambda f: choose(self, kind, domain(f))

    # Functions that take other things than values, or are several ones.

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
            if plain(kind) is INT:
                most = fn
            else:
                over = self.fit(kind, fn, set_of(self.site), arg)
        self.reads |= over is None
        return set_of(self.site), lambda f: self.board.slide(
            sites(f), dirs(f), over(f) if over else ~self.state.occupied, most(f) if most else None)

    def call_can(self, node, scope, want):
        arg = node.args[0]
        generator = self.generator_call(Node("generator", arg.line, module=arg.module,
                                             name=arg.name, args=arg.args or []), scope)
        self.reads = True
        return BOOL, lambda f: next(generator(f), None) is not None

    def call_int(self, node, scope, want):
        _, fn = self.expr(node.args[0], scope)
        return INT, lambda f: int(fn(f))

    def call_reveal(self, node, scope, want):
        return self.expr(node.args[0], scope, want)

    def call_roll(self, node, scope, want):
        self.chance(node)
        slot = self.slot(node.args[0], scope)
        refuse_if(slot is None or slot.decl.kind != "die", "E0309", node)
        kind = self.enum(slot) or INT
        faces = {face: weight for face, weight in slot.decl.weights.items() if weight}
        return kind, lambda f: self.draw(kind, faces)

    def chance(self, node):
        refuse_if(self.in_function or self.no_chance, "E0601", node)
        self.reads = True
