"""Statements (chapter 6 of docs/spec) as closures that change the state of the game."""
import re
from functools import partialmethod
from itertools import takewhile

from board import members
from expressions import BOOL, INT, Info, Scope, fault_if, set_of, stored
from names import places
from syntax import Node, holds, refuse_if

# Statements and procedures that are built in: the types of what they take; ? may be left out.
EFFECTS = {
    "put": "kind player sites", "add": "kind player sites", "give": "sites player",
    "remove": "sites", "capture": "sites", "go": "site site", "swap": "site site",
    "become": "site kind", "stack": "site site int?", "tuck": "site site int?", "pull": "site int",
    "next": "player", "again": "", "stop": "", "out": "player", "win": "player", "lose": "player",
    "draw": ""}


class Stop(Exception):
    """`stop;`"""


class Over(Exception):
    """A result."""


class Return(Exception):
    """`return`, with its value."""


class Statements:
    def do_block(self, node, scope):
        inner = Scope(scope)
        made = [self.statement(one, inner) for one in node.stmts]
        def run(f):
            for one in made:
                one(f)
        return run

    def statement(self, node, scope):
        kind = node.kind
        changes = {"effect": node.name != "stop", "assign": not scope.find(node.name)}
        refuse_if(self.in_function and changes.get(kind, kind in ("add", "rank", "diagram")),
                  "E0603", node)
        refuse_if(node.viewer and not holds([*vars(node).values()], lambda part: part.op == "random"
                                            or part.kind == "callx"), "E0615", node)
        return getattr(self, "do_" + kind)(node, scope)

    def do_effect(self, node, scope):
        name = node.name or node.kind
        refuse_if(name == "add" and self.stacks == 1, "E0520", node)
        refuse_if(name == "lose" and self.team.size > 2, "E0607", node)
        made = self.some_arguments(node, scope, EFFECTS[name].split())
        act = getattr(self, "act_" + name)
        return lambda f: self.changing(act, *[one(f) for one in made])

    do_add = do_effect

    def changing(self, act, *values):
        act(*values)
        self.changed()

    def phase(self, decl):
        if decl.made is None:
            info = Info(decl.file, decl.base, params=int(decl.name == "capture"))
            scope, ends = Scope(info=info), decl.name == "end"
            if decl.param:
                scope.add(decl.param, self.site, decl.line)
            with self.setting(in_end=ends, no_chance=ends):
                body = self.do_block(decl.body, scope)
            decl.made = self.returning(self.extended(decl, info, body))
        return decl.made

    def returning(self, body):
        def run(f):
            try:
                body(f)
            except Return as result:
                return result.args[0]
            return None
        return run

    def procedure(self, node, scope):
        """(table, closure) of a call of a procedure, of `base` in one too; else None."""
        is_base = node.name == "base" and scope.info.base is not None
        slot = scope.info.base if is_base else node.args is not None and self.callee(node, scope)
        if not slot or slot.decl.kind != "proc":
            return None
        table = self.table(slot)
        args = self.arguments(node, table.params, scope)
        return table, lambda f: self.run(table, [arg(f) for arg in args])

    def result_of(self, node, scope, want):
        """(type, closure) of an expression, or of the call of a procedure with a result."""
        table, run = self.procedure(node, scope) or (None, None)
        if table is None:
            return self.expr(node, scope, want)
        refuse_if(table.kind is None, "E0420", node)
        return table.kind, run

    def do_base(self, node, scope):
        """`base;` in a phase or procedure: the body that this one replaces."""
        _, run = self.procedure(node, scope) or (None, self.phase(scope.info.base.decl))
        return lambda f: run({s: f[s] for s in range(scope.info.params)})

    def do_call(self, node, scope):
        called = self.procedure(node, scope)
        if called:
            return called[1]
        refuse_if(node.name not in EFFECTS, "E0422" if self.callee(node, scope) else "E0301", node)
        return self.do_effect(node, scope)

    def do_return(self, node, scope):
        info = scope.info
        refuse_if(not info.called, "E0605", node)
        refuse_if((node.value is None) != (info.result is None), "E0606", node)
        fn = self.value(node.value, scope, info.result) if node.value else lambda f: None
        def run(f):
            raise Return(fn(f))
        return run

    def do_lets(self, node, scope):
        made = []
        for one in node.lets or node.vars:
            want = self.type_of(one.type, scope.info.file)
            kind, fn = self.result_of(one.value, scope, want) if one.value else \
                (want, lambda f, kind=want: kind.default)
            fn, kind = self.fit(kind, fn, want, one.value), want or kind.plain
            slot = scope.add(one.name, kind, one.line)
            scope.info.variables |= {slot} if node.vars else set()
            made.append((slot, fn, kind if want or node.vars else None))
        def run(f):
            for slot, fn, kind in made:
                f[slot] = stored(kind, fn(f)) if kind else fn(f)
        return run

    def do_assign(self, node, scope):
        target = Node("name", node.line, module=node.module, name=node.name)
        local = scope.find(node.name) if node.module is None else None
        slot = None if local else self.slot(node, scope)
        refuse_if(not local and slot is None, "E0301", node)
        refuse_if(local[0] not in scope.info.variables if local else slot.decl.kind != "var",
                  "E0604", node)
        if local:
            name, kind = local
            value = self.assigned(node, scope, target, kind)
            return lambda f: f.update({name: stored(kind, value(f), node.name)})
        var = self.variable(slot)
        if var.indexes and not node.indexes:
            values = self.whole(node, scope, target, var)
            return lambda f: self.changing(self.state.vars.__setitem__, var.number, values(f))
        place = self.place(var, node.indexes, scope, node)
        if var.indexes:
            target = Node("index", node.line, value=target, indexes=node.indexes)
        value = self.assigned(node, scope, target, var.kind)
        def put(p, found):
            if p >= 0:
                self.state.vars[var.number][p] = stored(var.kind, found, var.name)
        return lambda f: self.changing(put, place(f), value(f))

    def assigned(self, node, scope, target, kind):
        """The new value: `x += y` is `x = x + y`."""
        value = node.value if node.op == "=" else Node(
            "binary", node.line, op=node.op[0], left=target, right=node.value)
        return self.fit(*self.result_of(value, scope, kind), kind, node.value)

    def whole(self, node, scope, target, var):
        """A closure of the elements for the assignment of a whole array."""
        named = node.value.kind == "name" and not scope.find(node.value.name)
        other = self.slot(node.value, scope) if named else None
        decl = other.decl if other else node
        if decl.kind == "var" and decl.indexes:
            source = self.variable(other).number
            return lambda f: list(self.state.vars[source])
        if decl.kind == "let" and decl.params:
            table = self.table(other)
            return lambda f: [self.run(table, place) for place in places(var.indexes)]
        if var.kind is BOOL and var.indexes == [self.site] and \
                node.value.name not in ("true", "false"):
            mask = self.assigned(node, scope, target, set_of(self.site))
            return lambda f: [mask(f) >> bit & 1 for bit in range(self.site.size)]
        fn = self.value(node.value, scope, var.kind)
        return lambda f: [stored(var.kind, fn(f), var.name)] * len(var.initial)

    def do_if(self, node, scope):
        test, yes = self.value(node.test, scope, BOOL), self.statement(node.yes, Scope(scope))
        no = self.statement(node.no, Scope(scope)) if node.no else lambda f: None
        return lambda f: (yes if test(f) else no)(f)

    def do_while(self, node, scope):
        test, body = self.value(node.test, scope, BOOL), self.statement(node.body, Scope(scope))
        def run(f):
            for count in takewhile(lambda _: test(f), range(10 ** 7 + 1)):
                fault_if(count == 10 ** 7, "instructions: more than the limit")
                body(f)
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

    def act_stop(self):
        raise Stop()

    def act_next(self, player):
        fault_if(player < 0, "no player is next")
        self.state.upcoming = player

    def act_again(self):
        self.state.upcoming = self.state.mover

    def act_out(self, player):
        state = self.state
        state.out |= 1 << player if player >= 0 else 0
        if state.out >> state.upcoming & 1 and state.out != (1 << self.player.size) - 1:
            state.upcoming = self.next_player(state.upcoming)

    def act_draw(self):
        self.over([0] * self.team.size, "draw")

    def act_win(self, player):
        self.over([int(t == self.team_of[player]) for t in range(self.team.size)], "win")

    def act_lose(self, player):
        self.over([int(t != self.team_of[player]) for t in range(self.team.size)], "lose")

    def do_rank(self, node, scope):
        inner = Scope(scope)
        slot = inner.add(node.name, self.player)
        keys = [self.value(key, inner, INT) for key in node.keys]
        def run(f):
            totals = [[0] * len(keys) for _ in range(self.team.size)]
            for f[slot], team in enumerate(self.team_of):
                totals[team] = [total + key(f) for total, key in zip(totals[team], keys)]
            self.over(totals, "rank")
        return run

    def over(self, keys, word):
        """Ends the game: the team with the highest key is first."""
        n = len(keys)
        ranks = [1 + sum(other > key for other in keys) for key in keys]
        worth = [(n - rank - (ranks.count(rank) - 1) / 2) / (n - 1) if n > 1 else 0.5
                 for rank in ranks]
        if n == 1:
            ranks, worth = {"win": ([1], [1]), "lose": ([2], [0])}.get(word, ([1], [0.5]))
        self.state.ranks = [ranks[team] for team in self.team_of]
        self.state.utilities = [worth[team] for team in self.team_of]
        self.changed()
        raise Over()

    def stand(self, site, stack, carried=None):
        """Puts a whole stack on a site, and sets what it carries."""
        fault_if(len(stack) > self.stacks, "a stack that is too high")
        state, bit = self.state, 1 << site
        state.pieces[site] = stack
        state.occupied = state.occupied | bit if stack else state.occupied & ~bit
        for number, var in enumerate(self.carried):
            if carried or not stack:
                state.vars[var.number][site] = carried[number] if stack else var.initial[site]

    def carried_at(self, site):
        return [self.state.vars[var.number][site] for var in self.carried]

    def at_first(self, site):
        return [var.initial[site] for var in self.carried]

    def act_add(self, kind, player, sites, below=True):
        for s in members(sites):
            fault_if(kind < 0, "'put' needs a kind of piece")
            self.stand(s, (*(self.state.pieces[s] if below else ()), (kind, player)),
                       self.at_first(s))

    act_put = partialmethod(act_add, below=False)

    def act_remove(self, sites):
        for s in members(sites):
            self.stand(s, ())

    def act_capture(self, sites):
        hook = self.phases.get("capture")
        for s in members(sites & self.state.occupied):
            if hook:
                self.deeper(hook, {0: s})
            self.stand(s, ())
            self.changed()

    def act_go(self, a, b):
        if a < 0 or b < 0 or a == b or not self.state.pieces[a]:
            return
        self.act_capture(1 << b)
        stack, carried = self.state.pieces[a], self.carried_at(a)
        self.stand(a, ())
        self.stand(b, stack, carried)

    def act_swap(self, a, b):
        if a >= 0 <= b:
            there = self.state.pieces[b], self.carried_at(b)
            self.stand(b, self.state.pieces[a], self.carried_at(a))
            self.stand(a, *there)

    def act_become(self, site, kind):
        if site >= 0 <= kind and self.state.pieces[site]:
            *below, (_, owner) = self.state.pieces[site]
            self.stand(site, (*below, (kind, owner)))

    def act_give(self, sites, player):
        for s in members(sites & self.state.occupied):
            *below, (kind, _) = self.state.pieces[s]
            self.stand(s, (*below, (kind, player)))

    def act_stack(self, a, b, n=None, under=False):
        if a < 0 or b < 0 or a == b or not self.state.pieces[a]:
            return
        pile, there = self.state.pieces[a], self.state.pieces[b]
        rest = 0 if n is None else len(pile) - max(0, min(n, len(pile)))
        self.stand(b, pile[rest:] + there if under else there + pile[rest:])
        self.stand(a, pile[:rest])

    act_tuck = partialmethod(act_stack, under=True)

    def act_pull(self, site, place):
        pile = self.state.pieces[site] if site >= 0 else ()
        if 1 <= place <= len(pile):
            self.stand(site, pile[:place - 1] + pile[place:])

    def do_diagram(self, node, scope):
        more = {symbol: (self.fixed(piece, scope, self.kind),
                         self.fixed(player, scope, self.player))
                for symbol, piece, player in node.more}
        cells = self.diagram(node.text, more, node.line)
        return lambda f: self.set_up(cells)

    def set_up(self, cells):
        for s, stack in enumerate(cells):
            self.stand(s, stack, self.at_first(s))
        self.changed()

    def diagram(self, text, more, line):
        board, words, known = self.board, text.split(), self.spellings() | more
        row = board.row
        if board.shape == "graph" and all(re.fullmatch(r"[a-z]\d\d?", n) for n in board.names):
            row = [int(name[1:]) for name in board.names]
        order = sorted(range(board.size), key=lambda s: (-row[s], board.names[s][0], s)
                       if row is not board.row else (-row[s], s)) if any(row) else range(board.size)
        if "/" in text.split("\n", 1)[0]:       # a FEN
            stacks = []
            for part in re.findall(r"\d+|\([^)]*\)|[^\d/(]+", words[0]):
                cell = () if part.isdigit() else self.cell(part, known, line)
                stacks += [()] * int(part) if part.isdigit() else [cell] if part[0] == "(" else \
                    [(piece,) for piece in cell]
        else:
            stacks = [() if word == "." else self.cell(word, known, line) for word in words]
        refuse_if(len(stacks) != board.size, "E0812", line)
        return [stack for _, stack in sorted(zip(order, stacks))]

    def spellings(self):
        """(kind, owner) of what stands for a piece in a diagram."""
        found = {}
        for letter, kind in self.letters.items():
            for p in range(self.player.size + 1):
                found |= dict.fromkeys((f"{letter}{p}", f"{letter}:{p}"), (kind, p - 1))
            if self.player.size <= 2:
                cases = zip((letter.upper(), letter.lower()), range(self.player.size))
                found |= {text: (kind, p) for text, p in cases}
            found |= {letter: (kind, -1)} if letter == letter.lower() else {}
        return found

    def cell(self, word, known, line):
        """The pieces of a cell from the bottom; a + may stand between them."""
        word, longest = word if word in known else word.strip("()"), sorted(known, key=len)[::-1]
        parts = re.findall("|".join(map(re.escape, longest)) + "|.", word)
        for number, part in enumerate(parts):
            refuse_if(part not in known and (part != "+" or number == 0), "E0811", line)
        return tuple(known[part] for part in parts if part in known)
