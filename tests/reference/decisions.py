"""Decisions (chapter 7 of docs/spec): lists of moves, texts, filters. A turn is run again from its
beginning with a longer list of events each time, so a decision is an exception where events end."""
import re

from board import members
from expressions import GameError, INT, Info, Scope, plain, set_of
from names import base_of
from statements import Over, Return, Stop
from words import Node, ScriptError


class Pending(Exception):
    """The game waits for a decision (`moves`) or for chance (`results`: weights by value)."""

    def __init__(self, decider, moves=None, results=None, kind=None):
        super().__init__()
        self.decider, self.moves, self.results, self.kind = decider, moves, results, kind


class Move:
    """A move: how it binds names, what it does from the inside out, and what names it."""

    def __init__(self, key, binds, label, values, ends):
        self.key, self.binds, self.label, self.values, self.ends = key, binds, label, values, ends
        self.steps = []                 # ('do', closure, frame) or ('filter', Filter, frame, me)
        self.prefix, self.text = [], None

    def bind(self, game):
        for bind in self.binds:
            if bind[0] == "me":
                game.me = bind[1]
            else:
                bind[1][bind[2]] = bind[3](bind[1]) if bind[0] == "let" else bind[3]

    def frames(self):
        return {id(f): f for f in [*(b[1] for b in self.binds if b[0] != "me"),
                                   *(step[2] for step in self.steps)]}.values()


class Active:
    """A filter that waits for the end of an effect."""

    def __init__(self, move, number, state, frames, start, decider, me):
        self.move, self.number, self.state, self.frames = move, number, state, frames
        self.start, self.decider, self.me = start, decider, me


class Decisions:
    """Compiles options and runs decisions."""

    # Options: each becomes a function that yields moves for a frame.

    def options(self, nodes, scope):
        made = [self.option(node, scope) for node in nodes]

        def gather(f):
            for one in made:
                yield from one(f)
        return gather

    def option(self, node, scope):
        self.numbers += 1
        number, inner = self.numbers, Scope(scope)
        quants = [self.quant(q, inner) for q in node.quants]
        label = self.label(node.label, inner)
        then = self.effect(node.then, inner) if node.then else None
        if node.stmt is not None:
            inside = self.leaf(node, inner, quants, label)
        elif node.options is not None:
            inside = self.options(node.options, inner)
        elif node.generator.name == "base" and scope.info.base is not None:
            inside = self.base_option(node, inner)
        else:
            inside = self.generator_call(node.generator, inner)
        leaf = node.stmt is not None

        def gather(f):
            for key, binds in self.bound(quants, f, 0, (number,), []):
                me = self.me
                for move in inside(f):
                    move.key = key + move.key
                    move.binds = binds + move.binds
                    if label and not leaf:
                        move.prefix.insert(0, (label, f))
                    if then:
                        move.steps.append(("do", then, f, me))
                    yield move
        return gather

    def effect(self, node, scope):
        """A statement of an option, in which the generators around it may stand again."""
        around, self.open_generators = self.open_generators, []
        made = self.statement(node, Scope(scope))
        self.open_generators = around
        return made

    def leaf(self, node, inner, quants, label):
        effect = self.effect(node.stmt, inner)
        ends = [inner.find(word) for word in ("from", "here")]
        ends = [next((end[0] for end in ends if end), None), (inner.find("to") or (None,))[0]]
        values = self.loop_values(inner)

        def gather(f):
            move = Move((), [], label, [(f, slot, kind) for slot, kind, name in values
                                        if slot not in ends], [(f, slot) for slot in ends])
            move.steps.append(("do", effect, f, self.me))
            yield move
        return gather

    def loop_values(self, scope):
        """The `for`s around an option in the same list of options, outermost first."""
        found = []
        while scope:
            for name, (slot, kind) in scope.names.items():
                if slot in scope.info.loops:
                    found.append((slot, kind, name))
            scope = scope.outer
        return sorted(found)

    def quant(self, node, scope):
        with self.without_chance():
            return self.quantifier(node, scope)

    def quantifier(self, node, scope):
        if node.kind == "if":
            return "if", self.condition(node.test, scope), None, None
        if node.kind == "as":
            return "as", self.value(node.player, scope, self.player), None, None
        if node.kind == "let":
            want = self.type_of(node.type, scope.info.file) if node.type else None
            kind, fn = self.expr(node.value, scope, want)
            fn = self.fit(kind, fn, want, node) if want else fn
            return "let", fn, scope.add(node.name, want or plain(kind), node.line), None
        if node.kind == "subset":
            kind, fn = self.as_set(node.value, scope)
            slot = scope.add(node.name, set_of(kind), node.line)
            scope.info.loops.add(slot)
            return "for", lambda f: subsets(fn(f)), slot, set_of(kind)
        kind, domain = self.domain(node.value, scope)
        slot = scope.add(node.name, kind, node.line)
        scope.info.loops.add(slot)
        return "for", domain, slot, kind

    def bound(self, quants, f, at, key, binds):
        """The ways to bind quantifiers, with `me` set: (key, binds)."""
        if at == len(quants):
            yield key, binds
            return
        sort, fn, slot, _ = quants[at]
        if sort == "if":
            if fn(f):
                yield from self.bound(quants, f, at + 1, key, binds)
        elif sort == "let":
            f[slot] = fn(f)
            yield from self.bound(quants, f, at + 1, key, [*binds, ("let", f, slot, fn)])
        elif sort == "as":
            me, self.me = self.me, fn(f)
            try:
                yield from self.bound(quants, f, at + 1, key, [*binds, ("me", self.me)])
            finally:
                self.me = me
        else:
            for value in list(fn(f)):
                f[slot] = value
                yield from self.bound(quants, f, at + 1, (*key, value),
                                      [*binds, ("for", f, slot, value)])

    def label(self, label, scope):
        """A template as parts: texts, and (slot, type, yes, no)."""
        if label is None or label[0] is None:
            return None
        line, parts = label[2], []
        if re.search(r"[\t\n]", label[0]):
            raise ScriptError("E0614", line)
        for text, inner in re.findall(r"([^{]*)(?:\{([^}]*)(?:\}|$))?", label[0]):
            parts += [text] if text else []
            if not inner:
                continue
            name, mark, rest = inner.partition("?")
            yes, _, no = rest.partition(":")
            parts.append((*self.part_of_label(name.strip(), scope, line),
                          (yes, no) if mark else None))
        if label[0].count("{") != label[0].count("}"):
            raise ScriptError("E0611", line)
        return parts

    def part_of_label(self, name, scope, line):
        try:
            kind, fn = self.expr(Node("name", line, module=None, name=name), scope)
            if kind.name == "set" and (kind.member.high or 0) > 63:
                raise ScriptError("E0612", line)
            return kind, fn
        except ScriptError as error:
            raise ScriptError("E0809" if error.code == "E0301" else error.code, line) from error

    def generator_call(self, node, scope):
        """A function that yields the legal moves of a generator."""
        name, file = node.name, scope.info.file
        if node.module is None and name in ("piece_moves", "moves_of"):
            return self.piece_generator(node, scope)
        where = self.unit.module(file, node.module) if node.module else file
        slot = self.unit.find(where, ("name", name), node.line)
        if slot is None or slot.decl.kind != "moves":
            other = slot or self.unit.find(where, ("call", name, len(node.args)))
            raise ScriptError("E0309" if other else "E0301", node.line)
        if slot.decl in self.open_generators:
            raise ScriptError("E0807", node.line)
        made = self.generator(slot.decl)
        if len(node.args) != len(made["params"]):
            raise ScriptError("E0406", node.line)
        args = [self.value(arg, scope, kind) for arg, kind in zip(node.args, made["params"])]
        return self.used(made, args)

    def used(self, made, args):
        def gather(f):
            frame = [arg(f) for arg in args]
            frame += [0] * (made["info"].size - len(frame))
            yield from self.filtered(made["gather"](frame), made["filter"], frame)
        return gather

    def generator(self, decl):
        if getattr(decl, "made", None) is not None:
            return decl.made
        base = base_of(decl)
        info = Info(decl.file, base)
        info.loops, scope = set(), Scope(info=info)
        params = decl.params if decl.params or decl.change != "extend" else base.decl.params
        kinds = [self.type_of(kind, decl.file) for _, kind in params]
        info.params = [scope.add(name, kind, decl.line) for (name, _), kind in zip(params, kinds)]
        made = decl.made = {"params": kinds, "info": info, "filter": None}
        self.open_generators.append(decl)
        with self.without_chance(allowed=True):
            gather = self.options(decl.options, Scope(scope))
        self.open_generators.pop()
        made["gather"] = gather
        made["filter"] = self.filter(decl.filters, scope)
        if decl.change == "extend":
            self.extend_generator(made, self.generator(base.decl), gather)
        return made

    def extend_generator(self, made, below, gather):
        info, count = below["info"], len(made["params"])

        def both(f):
            yield from below["gather"](f[:count] + [0] * (info.size - count))
            yield from gather(f)
        made["gather"] = both
        outer, own = below["filter"], made["filter"]
        if outer:
            made["filter"] = Filter(
                lambda f: all(one.test(f[:count] + [0] * max(info.size, len(f)))
                              for one in (outer, own) if one and one.test),
                outer.word or own and own.word, outer.keys or own and own.keys or [], [])

    def base_option(self, node, scope):
        """`base;` among options."""
        made = self.generator(scope.info.base.decl)
        args = [self.value(arg, scope, kind)
                for arg, kind in zip(node.generator.args, made["params"])] or \
            [lambda f, s=s: f[s] for s in scope.info.params]
        return self.used(made, args)

    # Moves of pieces.

    def piece_generator(self, node, scope):
        args = [self.value(arg, scope, set_of(self.site)) for arg in node.args]
        mine = self.value(Node("name", node.line, module="prelude", name="mine"), scope,
                          set_of(self.site)) if not args else None

        def gather(f):
            targets = args[1](f) if len(args) > 1 else None
            sites = [s for s in members((args[0] if args else mine)(f)) if self.state.pieces[s]]
            for kind in range(self.kind.size):
                own = [s for s in sites if self.state.pieces[s][-1][0] == kind]
                yield from self.moves_of_kind(kind, own, targets)
        return gather

    def moves_of_kind(self, kind, sites, targets):
        for number, part in enumerate(self.items(kind)):
            if targets is not None and part["sort"] == "moves":
                continue
            for site in sites:
                frame = [site, 0] + [0] * part["info"].size
                for move in part["gather"](frame, targets):
                    move.key = ("piece", site, kind, number) + move.key
                    yield move

    def items(self, kind):
        """The options of a kind of piece, compiled once."""
        if kind in self.made_items:
            return self.made_items[kind]
        nodes = self.item_nodes(self.kinds[kind].decl)
        after = [self.after(node, file) for node, file in nodes if node.sort == "after"]
        plain_nodes = [(n, file) for n, file in nodes if is_plain(n)]
        crowned = [(n, file) for n, file in nodes if n.sort == "at"]
        self.attacking = False
        plain_sets = [self.plain_item(n, file) for n, file in plain_nodes]
        if self.attacking:
            raise ScriptError("E0610", plain_nodes[0][0].line)
        self.plain_items[kind] = plain_sets
        parts, done = [], False
        self.made_items[kind] = parts
        if crowned and not plain_nodes:
            raise ScriptError("E0640", crowned[0][0].line)
        wholes = [self.at_set(n, file) for n, file in crowned if not n.more]
        for node, file in nodes:
            if is_plain(node) and not done:
                done = True
                parts.append(self.plain_part(kind, wholes, None, after))
            elif node.sort == "at":
                parts.append(self.plain_part(kind, [], (node, file), after))
            elif node.sort == "moves":
                parts.append(self.moves_part(node, file, after))
            elif node.sort in ("move", "capture") and not is_plain(node):
                parts.append(self.labelled_part(node, file, after))
        return parts

    def item_nodes(self, decl):
        found = []
        base = getattr(decl, "base", None)
        if decl.change == "extend":
            found += self.item_nodes(base)
        for node in decl.items:
            found += self.item_nodes(base) if node.sort == "base" else [(node, decl.file)]
        return found

    def item_scope(self, file):
        info = Info(file)
        info.loops, info.params = set(), []
        scope = Scope(info=info)
        scope.add("here", self.site)
        scope.add("to", self.site)
        return info, Scope(scope)

    def after(self, node, file):
        info, scope = self.item_scope(file)
        return self.statement(node.stmt, scope), info

    def at_set(self, node, file):
        info, scope = self.item_scope(file)
        return self.value(node.value, scope, set_of(self.site)), info

    def plain_item(self, node, file):
        info, scope = self.item_scope(file)
        if node.sort == "as":
            kind, fn = self.expr(node.value, scope, self.kind)
            member = fn if kind.name == "set" else lambda f: 1 << k if (k := fn(f)) >= 0 else 0
            fixed = node.value.kind == "name" and node.value.name in self.kind.values
        else:
            member, fixed = self.value(node.value, scope, set_of(self.site)), True
        inner = Scope(scope)
        return node.sort, member, [self.quant(q, inner) for q in node.quants], info, fixed

    def check_borrowed(self, kind):
        """`move as K` leads to no kind that borrows from an expression, and not back."""
        seen, next_kinds = set(), [kind]
        for one in next_kinds:
            for node, _ in self.item_nodes(self.kinds[one].decl):
                if node.sort == "as" and node.value.kind == "name" and \
                        node.value.name in self.kind.values:
                    other = self.kind.values.index(node.value.name)
                    if other == kind or self.computed(other):
                        raise ScriptError("E0642", node.line)
                    if other not in seen:
                        seen.add(other)
                        next_kinds.append(other)

    def computed(self, kind):
        """Whether a kind borrows from an expression."""
        self.items(kind)
        return any(sort == "as" and not fixed for sort, *_, fixed in self.plain_items[kind])

    def reached(self, kind, site, attack=None):
        """The targets of a kind's plain items from a site; with `attack`, those on this set."""
        self.items(kind)
        found = 0
        for sort, member, quants, info, fixed in self.plain_items[kind]:
            frame = [site, 0] + [0] * info.size
            if sort == "as":
                if any(True for _ in self.bound(quants, frame, 0, (), [])):
                    for other in members(member(frame)):
                        if fixed or not self.computed(other):
                            found |= self.reached(other, site, attack)
                continue
            targets = member(frame) & (self.allowed(sort) if attack is None else attack)
            for to in members(targets) if quants else ():
                frame[1] = to
                if not any(True for _ in self.bound(quants, frame, 0, (), [])):
                    targets &= ~(1 << to)
            found |= targets
        return found

    def allowed(self, sort):
        theirs = self.prelude_value("theirs")
        return theirs if sort == "capture" else theirs | ~self.state.occupied

    def plain_part(self, kind, wholes, at, after):
        """The plain items of a kind as an option; with `at`, those that it changes."""
        info, scope = self.item_scope(at[1] if at else self.kinds[kind].decl.file)
        inner = Scope(scope)
        sites = self.value(at[0].value, scope, set_of(self.site)) if at else None
        quants = [self.quant(q, inner) for q in at[0].quants] if at else []
        label = self.label(at[0].label, inner) if at else None
        then = self.statement(at[0].stmt, Scope(inner)) if at else None
        values = self.loop_values(inner)

        def gather(f, targets):
            reached = self.reached(kind, f[0]) & (-1 if targets is None else targets)
            for mask, mask_info in wholes:
                reached &= ~mask([f[0], 0] + [0] * mask_info.size)
            for to in members(reached & sites(f) if sites else reached):
                f[1] = to
                for key, binds in self.bound(quants, f, 0, (to,), [("for", f, 1, to)]):
                    move = Move(key, binds, label, [(f, s, k) for s, k, _ in values],
                                [(f, 0), (f, 1)])
                    steps = [self.default_effect, then, *(a for a, _ in after)]
                    move.steps = [("do", step, f, self.me) for step in steps if step]
                    yield move
        grown = max([info.size, *(i.size for _, i in after)])
        return {"sort": "plain", "info": Sized(info, grown), "gather": gather}

    def default_effect(self, f):
        self.go(f[0], f[1])
        self.changed()

    def labelled_part(self, node, file, after):
        info, scope = self.item_scope(file)
        member = self.value(node.value, scope, set_of(self.site))
        inner = Scope(scope)
        quants = [self.quant(q, inner) for q in node.quants]
        label, values = self.label(node.label, inner), self.loop_values(inner)
        effect = self.statement(node.stmt, Scope(inner)) if node.stmt else self.default_effect

        def gather(f, targets):
            reached = member(f) & self.allowed(node.sort) & (-1 if targets is None else targets)
            for to in members(reached):
                f[1] = to
                for key, binds in self.bound(quants, f, 0, (to,), [("for", f, 1, to)]):
                    move = Move(key, binds, label, [(f, s, k) for s, k, _ in values],
                                [(f, 0), (f, 1)])
                    move.steps = [("do", step, f, self.me) for step in
                                  (effect, *(a for a, _ in after))]
                    yield move
        grown = max([info.size, *(i.size for _, i in after)])
        return {"sort": "item", "info": Sized(info, grown), "gather": gather,
                "attack": (node.sort, member, quants, info)}

    def moves_part(self, node, file, after):
        info = Info(file)
        info.loops, info.params = set(), []
        outer = Scope(info=info)
        outer.add("here", self.site)
        scope = Scope(outer)
        inside = self.options(node.options, scope)

        def gather(f, _):
            for move in inside(f):
                move.steps += [("do", one, f, self.me) for one, _ in after]
                yield move
        return {"sort": "moves", "info": Sized(info, max([info.size, 2,
                                                          *(i.size for _, i in after)])),
                "gather": gather}

    def attacked(self, sites, player):
        """Whether a player's pieces could capture an enemy's piece on one of the sites."""
        if player < 0:
            return False
        me, self.me = self.me, player
        try:
            return any(self.attacks(site, player) for site in members(sites))
        finally:
            self.me = me

    def attacks(self, target, player):
        before, bit = self.state.pieces[target], 1 << target
        was = self.state.occupied
        if not before or not self.prelude_value("theirs") & bit:
            self.state.pieces[target] = ((before[-1][0] if before else self.kind.size,
                                          self.prelude_value("foe")),)
            self.state.occupied |= bit
        self.cache.clear()
        try:
            for site in members(self.prelude_value("mine") & ~bit):
                kind = self.state.pieces[site][-1][0]
                if kind < self.kind.size and self.threatens(kind, site, bit):
                    return True
            return False
        finally:
            self.state.pieces[target], self.state.occupied = before, was
            self.cache.clear()

    def threatens(self, kind, site, bit):
        if self.reached(kind, site, bit):
            return True
        for part in self.items(kind):
            if "attack" in part:
                _, member, quants, info = part["attack"]
                frame = [site, bit.bit_length() - 1] + [0] * info.size
                if member(frame) & bit and any(
                        True for _ in self.bound(quants, frame, 0, (), [])):
                    return True
        for mask, info in self.attack_sets(kind):
            if mask([site, 0] + [0] * info.size) & bit:
                return True
        return False

    def attack_sets(self, kind):
        if kind not in self.made_attacks:
            self.made_attacks[kind] = [
                self.at_set(node, file) for node, file in self.item_nodes(self.kinds[kind].decl)
                if node.sort == "attacks"]
        return self.made_attacks[kind]

    # Choosing.

    def do_choose(self, node, scope):
        if self.no_chance or self.in_function:
            raise ScriptError("E0602", node.line)
        by = self.value(node.by, scope, self.player) if node.by else None
        gather = self.options(node.options, Scope(scope))
        own = self.filter(node.filters, scope)
        otherwise = self.statement(node.otherwise, Scope(scope)) if node.otherwise else None

        def run(f):
            decider = by(f) if by else self.state.mover
            move = self.decide(decider, lambda: self.filtered(gather(f), own, f), True)
            if move is None:
                if otherwise:
                    otherwise(f)
            else:
                self.play(move, decider)
        return run

    def decide(self, decider, listed, effect_follows):
        """The move that the next event names; None if there is no move."""
        if self.at < len(self.events):
            kind, value = self.events[self.at]
            self.at += 1
            self.deciders(decider)
            if kind == "none":
                return None
            self.raw = True
            try:
                move = next((m for m in listed() if m.key == value), None)
            finally:
                self.raw = False
            if kind != "move" or move is None:
                raise GameError("no such move")
            return move
        moves = list(listed())
        if not moves:
            self.events.append(("none", None))
            self.at += 1
            return None
        self.deciders(decider)
        for active in reversed(self.active):
            moves = self.narrowed(moves, active)
        raise Pending(decider, moves)

    def deciders(self, decider):
        """A decision of another player ends the filters that wait."""
        self.active = [one for one in self.active if one.decider == decider]

    def play(self, move, decider):
        """Runs the effect of a move, with its filters pending."""
        me = self.me
        frames = [(f, list(f)) for f in move.frames()]
        state = self.state.copy() if any(s[0] == "filter" for s in move.steps) else None
        mine = {n: Active(move, n, state, frames, self.at, decider, me)
                for n, step in enumerate(move.steps) if step[0] == "filter"}
        self.active += reversed(list(mine.values()))
        self.run_steps(move, len(move.steps), mine)
        self.me = me

    def run_steps(self, move, until, mine=None):
        move.bind(self)
        self.name_move(move)
        for number, step in enumerate(move.steps[:until]):
            if step[0] == "filter":
                if mine and mine[number] in self.active:
                    self.active.remove(mine[number])
                continue
            self.me = step[3]
            step[1](step[2])

    def name_move(self, move):
        ends = [f[slot] if slot is not None else -1 for f, slot in move.ends]
        self.state.last_from, self.state.last_to = ends
        self.changed()

    # Filters.

    def filter(self, filters, scope):
        if not filters:
            return None
        inner, test, word, keys, bounds = Scope(scope), None, None, [], []
        with self.without_chance():
            for sort, values, limit in filters:
                if sort == "ensuring":
                    test = self.condition(values[0], inner)
                else:
                    word, keys = sort, [self.value(key, inner, INT) for key in values]
                    bounds = [self.value(key, inner, INT) for key in limit or ()]
                    if limit and len(bounds) != len(keys):
                        raise ScriptError("E0613", limit[0].line)
        return Filter(test, word, keys, bounds)

    def filtered(self, moves, own, frame):
        """The moves that a filter leaves."""
        if own is None:
            yield from moves
            return
        me, found = self.me, []
        for move in moves:
            move.steps.append(("filter", own, frame, me))
            found.append(move)
        if self.raw:
            yield from found
            return
        if not own.keys:
            for move in found:
                if self.best(Active(move, len(move.steps) - 1, self.state, None, 0,
                                    self.decider_now(), me), []) is not None:
                    yield move
            return
        yield from self.narrowed_by(found, own, lambda move: self.best(
            Active(move, len(move.steps) - 1, self.state, None, 0, self.decider_now(), me), []))

    def decider_now(self):
        return self.deciding if self.deciding is not None else self.state.mover

    def narrowed(self, moves, active):
        """At a decision inside an effect: the moves that a filter outside leaves."""
        own = active.move.steps[active.number][1]
        events = self.events[active.start:self.at]
        return self.narrowed_by(moves, own, lambda move: self.best(
            active, [*events, ("move", move.key)]))

    def narrowed_by(self, moves, own, best):
        values = [(best(move), move) for move in moves]
        values = [(value, move) for value, move in values if value is not None]
        if own.keys and values:
            top = max(value for value, _ in values)
            values = [(value, move) for value, move in values if value == top]
        return [move for _, move in values]

    def best(self, active, events):
        """The best value of a filter after an effect and the events; None if no way fulfils it."""
        outcome = self.tried(active, events)
        if not isinstance(outcome, list):
            return outcome
        found = [self.best(active, [*events, *more]) for more in outcome]
        return max((value for value in found if value is not None), default=None)

    def tried(self, active, events):
        """Runs an effect on a copy: the value of the filter, or the ways to go on (a list)."""
        kept = (self.state, self.events, self.at, self.active, self.me, self.raw, self.depth,
                self.deciding, self.cache)
        move, own = active.move, active.move.steps[active.number]
        live = [(f, list(f)) for f in move.frames()]
        for f, values in active.frames or ():
            f[:] = values
        bounds = [bound(own[2]) for bound in own[1].bounds]
        self.state, self.events, self.at = active.state.copy(), list(events), 0
        self.active, self.me, self.raw, self.cache = [], active.me, False, {}
        try:
            try:
                self.deciding = active.decider
                self.run_steps(move, active.number)
            except Pending as pending:
                if pending.moves is not None and pending.decider == active.decider:
                    tail = self.events[len(events):]
                    return [[*tail, ("move", one.key)] for one in pending.moves]
            except (Stop, Over, Return):
                pass
            self.me = active.me
            self.cache = {}
            return own[1].value(own[2], bounds)
        finally:
            for f, values in live:
                f[:] = values
            (self.state, self.events, self.at, self.active, self.me, self.raw, self.depth,
             self.deciding, self.cache) = kept

    def do_together(self, node, scope):
        inner, loop, made = self.loops(node.loops, scope)
        choose = node.choose
        if choose.filters:
            raise ScriptError("E0616", choose.line)
        by = self.value(choose.by, inner, self.player) if choose.by else None
        gather = self.options(choose.options, Scope(inner))
        otherwise = self.statement(choose.otherwise, Scope(inner)) if choose.otherwise else None

        def run(f):
            chosen = []

            def one(f):
                frame = list(f)
                decider = by(frame) if by else self.state.mover
                chosen.append((self.decide(decider, lambda: gather(frame), False), frame, decider))
            self.together += 1
            loop(f, one)
            self.together -= 1
            for move, frame, decider in chosen:
                if move is not None:
                    self.play(move, decider)
                elif otherwise:
                    otherwise(frame)
        return run

    # Texts.

    def texts(self, moves):
        """The texts of a list of moves, in its order."""
        found, seen = [], {}
        me = self.me
        for move in moves:
            self.me = me
            move.bind(self)
            text = "".join(self.rendered(label, f) for label, f in move.prefix)
            text += self.rendered(move.label, move.steps[0][2]) if move.label is not None else \
                self.default_text(move)
            seen[text] = seen.get(text, 0) + 1
            found.append(text if seen[text] == 1 else f"{text}#{seen[text]}")
        self.me = me
        return found

    def rendered(self, parts, f):
        found = ""
        for part in parts:
            if isinstance(part, str):
                found += part
                continue
            kind, fn, choice = part
            value = fn(f)
            found += choice[0 if value else 1] if choice else self.shown(kind, value)
        return found

    def shown(self, kind, value):
        if kind.name == "set":
            return "+".join(self.shown(kind.member, v) for v in members(value)) or "-"
        return kind.text(value)

    def default_text(self, move):
        (f, a), (_, b) = move.ends
        start = f[a] if a is not None else None
        end = f[b] if b is not None else None
        text = ""
        if start is not None and end is not None:
            enemy = end >= 0 and self.prelude_value("theirs") >> end & 1
            text = f"{self.site.text(start)}{'x' if enemy else '-'}{self.site.text(end)}"
        elif start is not None or end is not None:
            text = self.site.text(end if start is None else start)
        values = [self.shown(kind, f[slot]) for f, slot, kind in move.values]
        return "=".join([text, *values] if text else values)


class Sized:
    """The size of a frame that several bodies share."""

    def __init__(self, info, size):
        self.info, self.least = info, size

    @property
    def size(self):
        return max(self.info.size, self.least) + 40


class Filter:
    """`ensuring` and `keeping`."""

    def __init__(self, test, word, keys, bounds):
        self.test, self.word, self.keys, self.bounds = test, word, keys, bounds

    def value(self, f, bounds):
        """None if the condition is false; else the keys, the best being the largest."""
        if self.test and not self.test(f):
            return None
        sign = -1 if self.word == "min" else 1
        values = [sign * key(f) for key in self.keys]
        if any(value > sign * bound for value, bound in zip(values, bounds)):
            raise GameError("a key beyond its bound")
        return tuple(values)


def is_plain(node):
    if node.sort == "as":
        return True
    return node.sort in ("move", "capture") and node.label is None and node.stmt is None and \
        not any(q.kind in ("for", "subset") for q in node.quants)


def subsets(mask):
    """The subsets of a set, the first member changing fastest."""
    sites = list(members(mask))
    for number in range(1 << len(sites)):
        yield sum(1 << site for i, site in enumerate(sites) if number >> i & 1)
