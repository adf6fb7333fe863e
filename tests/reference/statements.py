"""Statements (chapter 6 of docs/spec) as closures that change the state of the game."""
import re

from board import members
from expressions import BOOL, INT, GameError, Info, Scope, fault_if, plain, set_of, stored
from names import base_of, own_arguments, places
from words import Node, ScriptError, holds, refuse_if


class Stop(Exception):
    """`stop;`"""


class Over(Exception):
    """A result."""


class Return(Exception):
    """`return`, with its value."""


class Statements:
    """Compiles statements."""

    def block(self, node, scope):
        inner = Scope(scope)
        made = [self.statement(one, inner) for one in node.stmts]

        def run(f):
            for one in made:
                one(f)
        return run

    def statement(self, node, scope):
        refuse_if(self.in_function and (node.kind in CHANGES or node.kind == "assign" and not
                  scope.find(node.name)), "E0603", node)
        refuse_if(node.viewer and not holds([*vars(node).values()], may_be_chance), "E0615", node)
        if node.kind in EFFECTS:
            return self.effect_of(node, scope, *EFFECTS[node.kind])
        return getattr(self, "do_" + node.kind)(node, scope)

    def effect_of(self, node, scope, parts, act):
        """A statement that evaluates its parts, in order, and changes the state."""
        return self.changing([self.value(getattr(node, part), scope, self.types[kind])
                              for part, kind in parts.items()], act)

    def changing(self, made, act):
        def run(f):
            act(self, *[one(f) for one in made])
            self.changed()
        return run

    def do_block(self, node, scope):
        return self.block(node, scope)

    def returning(self, body):
        def run(f):
            try:
                body(f)
            except Return as result:
                return result.args[0]
            return None
        return run

    def do_base(self, node, scope):
        """`base;` in a phase or procedure: the body that this one replaces."""
        _, run = self.procedure(node, scope) or (None, self.phase(scope.info.base.decl))
        return lambda f: run({s: f[s] for s in range(scope.info.params)})

    def procedure(self, node, scope):
        """(table, closure) of a call of a procedure, of `base` in one too; else None."""
        if node.name == "base" and scope.info.base is not None:
            slot = scope.info.base
        else:
            slot = self.callee(node, scope) if node.args is not None else None
        if slot is None or slot.decl.kind != "proc":
            return None
        table = self.table(slot)
        args = own_arguments(scope) if node.args is None else \
            self.arguments(node, table.params, scope)
        return table, lambda f: self.run(table, [arg(f) for arg in args])

    def result_of(self, node, scope, want):
        """(type, closure) of an expression, or of the call of a procedure with a result."""
        table, run = self.procedure(node, scope) or (None, None)
        if table is None:
            return self.expr(node, scope, want)
        refuse_if(table.kind is None, "E0420", node)
        return table.kind, run

    def do_call(self, node, scope):
        called = self.procedure(node, scope)
        if called:
            return called[1]
        if node.name not in ACTIONS:
            slot = self.unit.find(scope.info.file, ("call", node.name, len(node.args)))
            raise ScriptError("E0422" if slot else "E0301", node.line)
        kinds, act = ACTIONS[node.name]
        made = [self.value(arg, scope, self.types[kind]) for arg, kind in zip(node.args, kinds)]
        refuse_if(len(node.args) != len(made), "E0406", node)
        return self.changing(made, act)

    def do_lets(self, node, scope):
        made = []
        for one in node.lets or node.vars:
            kind = self.type_of(one.type, scope.info.file)
            fn, checked = None, kind
            if one.value:
                found, fn = self.result_of(one.value, scope, kind)
                fn, kind = self.fit(found, fn, kind, one.value), kind or plain(found)
            slot = scope.add(one.name, kind, one.line)
            if node.vars:
                scope.info.variables.add(slot)
                checked = kind
            made.append((slot, fn or (lambda f, kind=kind: kind.default), checked))

        def run(f):
            for slot, fn, kind in made:
                f[slot] = stored(kind, fn(f)) if kind else fn(f)
        return run

    do_vars = do_lets

    def do_assign(self, node, scope):
        target = Node("name", node.line, module=node.module, name=node.name)
        local = scope.find(node.name) if node.module is None else None
        slot = None if local else self.slot(node, scope)
        refuse_if(not local and slot is None, "E0301", node)
        refuse_if(local and local[0] not in scope.info.variables or
                  slot and slot.decl.kind != "var", "E0604", node)
        if local:
            place, kind = local
            value = self.assigned(node, scope, target, kind)

            def put(f):
                f[place] = stored(kind, value(f), node.name)
            return put
        var = self.variable(slot)
        if var.indexes and not node.indexes:
            return self.whole(node, scope, target, var)
        place = self.place(var, node.indexes, scope, node)
        if var.indexes:
            target = Node("index", node.line, value=target, indexes=node.indexes)
        value = self.assigned(node, scope, target, var.kind)

        def run(f):
            p, found = place(f), value(f)
            if p >= 0:
                self.state.vars[var.number][p] = stored(var.kind, found, var.name)
                self.changed()
        return run

    def assigned(self, node, scope, target, kind):
        """The new value: `x += y` is `x = x + y`."""
        value = node.value if node.op == "=" else Node(
            "binary", node.line, op=node.op[0], left=target, right=node.value)
        found, fn = self.result_of(value, scope, kind)
        return self.fit(found, fn, kind, node.value)

    def whole(self, node, scope, target, var):
        """The assignment of a whole array."""
        other = self.slot(node.value, scope) if node.value.kind == "name" and \
            not scope.find(node.value.name) else None
        size, decl = len(var.initial), other.decl if other else node
        if decl.kind == "var" and decl.indexes:
            source = self.variable(other).number
            values = lambda f: list(self.state.vars[source])            # noqa: E731
        elif decl.kind == "let" and decl.params:
            table = self.table(other)
            values = lambda f: [self.run(table, place)                  # noqa: E731
                                for place in places(var.indexes)]
        elif var.kind is BOOL and var.indexes == [self.site] and \
                node.value.name not in ("true", "false"):
            mask = self.assigned(node, scope, target, set_of(self.site))
            values = lambda f: bits_of(mask(f), size)                   # noqa: E731
        else:
            fn = self.value(node.value, scope, var.kind)
            values = lambda f: [stored(var.kind, fn(f), var.name)] * size       # noqa: E731

        def run(f):
            self.state.vars[var.number] = values(f)
            self.changed()
        return run

    # Control.

    def do_if(self, node, scope):
        test, yes = self.condition(node.test, scope), self.statement(node.yes, Scope(scope))
        no = self.statement(node.no, Scope(scope)) if node.no else lambda f: None
        return lambda f: (yes if test(f) else no)(f)

    def do_while(self, node, scope):
        test, body = self.condition(node.test, scope), self.statement(node.body, Scope(scope))

        def run(f):
            for _ in range(10 ** 7):
                if not test(f):
                    return
                body(f)
            raise GameError("instructions: more than the limit")
        return run

    def do_for(self, node, scope):
        inner, each, *_ = self.loops(node.loops, scope)
        body = self.statement(node.body, inner)

        def run(f):
            for _ in each(f):
                body(f)
        return run

    def do_as(self, node, scope):
        player, body = self.value(node.player, scope, self.player), self.statement(node.body, scope)

        def run(f):
            with self.setting(me=player(f)):
                body(f)
        return run

    def do_return(self, node, scope):
        refuse_if(not scope.info.called, "E0605", node)
        refuse_if((node.value is None) != (scope.info.result is None), "E0606", node)
        fn = self.value(node.value, scope, scope.info.result) if node.value else lambda f: None

        def run(f):
            raise Return(fn(f))
        return run

    def stop(self):
        raise Stop()

    def next(self, player):
        fault_if(player < 0, "no player is next")
        self.state.upcoming = player

    def again(self):
        self.state.upcoming = self.state.mover

    # Results.

    def leave(self, player):
        """`out`"""
        if player >= 0:
            self.state.out |= 1 << player
        if self.state.upcoming >= 0 and self.state.out >> self.state.upcoming & 1 and \
                self.state.out != (1 << self.player.size) - 1:
            self.state.upcoming = self.next_player(self.state.upcoming)

    def draw_all(self):
        self.over({t: 0 for t in range(self.team.size)}, "draw")

    def win(self, player):
        self.over({t: int(t == self.team_of[player]) for t in range(self.team.size)}, "win")

    def do_lose(self, node, scope):
        refuse_if(self.team.size > 2, "E0607", node)
        return self.effect_of(node, scope, {"value": "player"}, lambda game, player: game.over(
            {t: int(t != game.team_of[player]) for t in range(game.team.size)}, "lose"))

    def do_rank(self, node, scope):
        inner = Scope(scope)
        slot = inner.add(node.name, self.player)
        keys = [self.value(key, inner, INT) for key in node.keys]

        def run(f):
            totals = {t: [0] * len(keys) for t in range(self.team.size)}
            for p in range(self.player.size):
                f[slot] = p
                values = [key(f) for key in keys]
                team = self.team_of[p]
                totals[team] = [a + b for a, b in zip(totals[team], values)]
            self.over(totals, "rank")
        return run

    def over(self, keys, word):
        """Ends the game: the team with the highest key is first."""
        sides = len(keys)
        ranks = {t: 1 + sum(other > key for other in keys.values()) for t, key in keys.items()}
        worth = {}
        for team, rank in ranks.items():
            ties = sum(other == rank for other in ranks.values())
            worth[team] = (sides - rank - (ties - 1) / 2) / (sides - 1) if sides > 1 else 0.5
        if sides == 1:
            ranks[0], worth[0] = {"win": (1, 1), "lose": (2, 0)}.get(word, (1, 0.5))
        self.state.ranks = [ranks[team] for team in self.team_of]
        self.state.utilities = [worth[team] for team in self.team_of]
        self.changed()
        raise Over()

    # Pieces.

    def do_put(self, node, scope):
        on = node.place == "on"
        refuse_if(on and self.stacks == 1, "E0520", node)
        return self.effect_of(node, scope, {"piece": "kind", "player": "player", "where": "sites"},
                              lambda game, *values: game.put(on, *values))

    def put(self, on, kind, player, sites):
        for s in members(sites):
            fault_if(kind < 0, "'put' needs a kind of piece")
            self.stand(s, (self.state.pieces[s] if on else ()) + ((kind, player),))
            self.reset(s)

    def stand(self, site, stack, carried=()):
        """Puts a whole stack on a site, with what it carries."""
        fault_if(len(stack) > self.stacks, "a stack that is too high")
        self.state.pieces[site] = stack
        bit = 1 << site
        self.state.occupied = self.state.occupied | bit if stack else self.state.occupied & ~bit
        if not stack:
            self.reset(site)
        for var, value in zip(self.carried, carried):
            self.state.vars[var.number][site] = value

    def reset(self, site):
        for var in self.carried:
            self.state.vars[var.number][site] = var.initial[site]

    def remove(self, sites):
        for s in members(sites):
            self.stand(s, ())

    def capture(self, sites):
        for s in members(sites & self.state.occupied):
            self.take(s)

    def take(self, site):
        """Captures what stands on a site."""
        if self.on_capture:
            self.deeper(self.on_capture, {0: site})
        self.stand(site, ())
        self.changed()

    def go(self, a, b):
        if a < 0 or b < 0 or a == b or not self.state.pieces[a]:
            return
        if self.state.pieces[b]:
            self.take(b)
        stack, carried = self.state.pieces[a], self.carried_at(a)
        self.stand(a, ())
        self.stand(b, stack, carried)

    def swap(self, a, b):
        if a < 0 or b < 0:
            return
        there = self.state.pieces[b], self.carried_at(b)
        self.stand(b, self.state.pieces[a], self.carried_at(a))
        self.stand(a, *there)

    def carried_at(self, site):
        return [self.state.vars[var.number][site] for var in self.carried]

    def become(self, site, kind):
        if site >= 0 and self.state.pieces[site] and kind >= 0:
            *below, (_, owner) = self.state.pieces[site]
            self.stand(site, (*below, (kind, owner)))

    def give(self, sites, player):
        for s in members(sites & self.state.occupied):
            *below, (kind, _) = self.state.pieces[s]
            self.stand(s, (*below, (kind, player)))

    def stack(self, a, b, n=None, under=False):
        if a < 0 or b < 0 or a == b or not self.state.pieces[a]:
            return
        pile = self.state.pieces[a]
        n = len(pile) if n is None else max(0, min(n, len(pile)))
        moved, rest, there = pile[len(pile) - n:], pile[:len(pile) - n], self.state.pieces[b]
        self.stand(b, moved + there if under else there + moved)
        self.stand(a, rest)

    def pull(self, site, place):
        pile = self.state.pieces[site] if site >= 0 else ()
        if 1 <= place <= len(pile):
            self.stand(site, pile[:place - 1] + pile[place:])

    def do_diagram(self, node, scope):
        more = {symbol: (self.fixed(piece, scope, self.kind),
                         self.fixed(player, scope, self.player))
                for symbol, piece, player in node.more or ()}
        cells = self.diagram(node.text, more, node.line)

        def run(f):
            for s, stack in enumerate(cells):
                self.stand(s, stack)
                self.reset(s)
            self.changed()
        return run

    def diagram(self, text, more, line):
        """The stacks of a diagram, by site."""
        board, words = self.board, text.split()
        order = sorted(range(board.size), key=lambda s: (-board.row[s], s)) \
            if any(board.row) else range(board.size)
        if len(words) == 1 and "/" in text or "/" in text.split("\n", 1)[0]:
            stacks = self.fen(words[0], line)
        else:
            stacks = [() if word == "." else self.cell(word, more, line) for word in words]
        refuse_if(len(stacks) != board.size, "E0812", line)
        return [stack for _, stack in sorted(zip(order, stacks))]

    def fen(self, text, line):
        """The stacks of a board in FEN."""
        found = []
        for part in re.findall(r"\d+|\([^)]*\)|[^\d/(]+", text):
            found += [()] * int(part) if part.isdigit() else \
                [self.cell(part, {}, line)] if part[0] == "(" else \
                [(piece,) for piece in self.cell(part, {}, line)]
        return found

    def cell(self, word, more, line):
        """The pieces of a cell from the bottom."""
        word, found = word if word in more else word.strip("()"), []
        while word:
            sizes = [n for n in range(1, len(word) + 1) if self.one_piece(word[:n], more)]
            if sizes:
                found.append(self.one_piece(word[:sizes[-1]], more))
            refuse_if(not sizes and (not found or word[0] != "+"), "E0811", line)
            word = word[sizes[-1] if sizes else 1:]
        return tuple(found)

    def one_piece(self, word, more):
        """(kind, owner) of a piece; None if a word is none."""
        letter, player = re.fullmatch(r"(.+?):?(\d*)", word).groups()
        if word in self.letters and word == word.lower():
            return self.letters[word], -1
        if word in more:
            return more[word]
        if player or self.player.size > 2:
            return (self.letters[letter], int(player) - 1) if player and letter in self.letters \
                else None
        return next(((kind, p) for p, changed in enumerate((str.upper, str.lower))
                     for known, kind in self.letters.items()
                     if changed(known) == word and p < self.player.size), None)

    def phase(self, decl):
        """The body of a phase, or of what it replaces."""
        if decl.made is None:
            info = Info(decl.file, base_of(decl))
            info.params, scope = int(decl.name == "capture"), Scope(info=info)
            if decl.param:
                scope.add(decl.param, self.site, decl.line)
            ends = decl.name == "end"
            with self.setting(in_end=ends, no_chance=ends):
                body = self.block(decl.body, scope)
            decl.made = self.returning(self.extended(decl, info, body))
        return decl.made


def may_be_chance(node):
    """Whether a part of an expression may ask for chance."""
    return node.kind == "callx" or node.kind == "aggregate" and node.op == "random"


def bits_of(mask, size):
    return [mask >> bit & 1 for bit in range(size)]


CHANGES = {"put", "remove", "capture", "give", "next", "again", "out", "win", "lose", "draw",
           "rank", "diagram"}
EFFECTS = {
    "remove": ({"value": "sites"}, Statements.remove),
    "capture": ({"value": "sites"}, Statements.capture),
    "give": ({"where": "sites", "player": "player"}, Statements.give),
    "next": ({"value": "player"}, Statements.next), "again": ({}, Statements.again),
    "out": ({"value": "player"}, Statements.leave),
    "win": ({"value": "player"}, Statements.win), "draw": ({}, Statements.draw_all),
    "stop": ({}, Statements.stop),
}
ACTIONS = {
    "go": (("site", "site"), Statements.go), "swap": (("site", "site"), Statements.swap),
    "become": (("site", "kind"), Statements.become),
    "stack": (("site", "site", "int"), Statements.stack),
    "tuck": (("site", "site", "int"),
             lambda game, a, b, n=None: Statements.stack(game, a, b, n, under=True)),
    "pull": (("site", "int"), Statements.pull),
}
