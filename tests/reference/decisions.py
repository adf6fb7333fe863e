"""Decisions (chapter 7 of docs/spec): lists of moves, texts, filters. A turn is run again from its
beginning with a longer list of events each time, so a decision is an exception where events end."""
import re
from contextlib import contextmanager
from operator import setitem

from board import members
from expressions import INT, GameError, Info, Scope, fault_if, plain, set_of, union
from names import base_of, own_arguments
from statements import Over, Return, Stop
from words import Node, ScriptError, refuse_if


class Pending(Exception):
    """The game waits for a decision (`moves`), for chance (`results`: weights by value), or for
    nothing."""

    def __init__(self, decider, moves=None, results=None, kind=None):
        super().__init__()
        self.decider, self.moves, self.results, self.kind = decider, moves, results, kind
        self.any = bool(moves or results)


class Move:
    """A move: what binds its names again, what it does from the inside out, and what names it."""

    def __init__(self, key, binds, label, values, ends):
        self.key, self.binds, self.label, self.values, self.ends = key, binds, label, values, ends
        self.steps = []                 # ('do', closure, frame) or ('filter', Filter, frame, me)
        self.prefix = []                # (closure of a text, frame)

    def bind(self):
        for put, f, value in self.binds:
            put(f, value)

    def frames(self):
        """The frames of the move, and what they hold."""
        found = [*(f for _, f, _ in self.binds), *(step[2] for step in self.steps)]
        return [(f, dict(f)) for f in {id(f): f for f in found}.values()]


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
        quants = [self.quant(q, inner) for q in node.quants or ()]
        label = self.label(node.label, inner)
        then = self.effect(node.then, inner) if node.then else None
        if node.stmt is not None:
            inside = self.leaf(node, inner, quants, label)
        elif node.generator is None:
            inside = self.options(node.options, inner)
        elif node.generator.name == "base" and scope.info.base is not None:
            inside = self.base_option(node, inner)
        else:
            inside = self.generator_call(node.generator, inner)
        leaf = node.stmt is not None

        def gather(f):
            for key, binds in self.bound(quants, f, (number,)):
                me = self.me
                for move in inside(f):
                    move.key, move.binds = key + move.key, binds + move.binds
                    move.prefix[:0] = [(label, f)] if label and not leaf else []
                    move.steps += [("do", then, f, me)] if then else []
                    yield move
        return gather

    def effect(self, node, scope):
        """A statement of an option, in which the generators around it may stand again."""
        with self.setting(open_generators=[]):
            return self.statement(node, Scope(scope))

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
        """A quantifier: (whether it is part of the key, closure of the values, what binds one)."""
        with self.setting(no_chance=True):
            if node.kind == "if":
                test = self.condition(node.test, scope)
                return False, lambda f: (True,) if test(f) else (), lambda f, _: None
            if node.kind == "as":
                player = self.value(node.player, scope, self.player)
                return False, lambda f: (player(f),), lambda f, me: setattr(self, "me", me)
            if node.kind == "let":
                want = self.type_of(node.type, scope.info.file)
                kind, fn = self.expr(node.value, scope, want)
                fn = self.fit(kind, fn, want, node)
                slot = scope.add(node.name, want or plain(kind), node.line)
                return False, lambda f: (None,), lambda f, _: setitem(f, slot, fn(f))
            if node.kind == "subset":
                kind, fn = self.as_set(node.value, scope)
                kind, domain = set_of(kind), lambda f: subsets(fn(f))
            else:
                kind, domain = self.domain(node.value, scope)
            slot = scope.add(node.name, kind, node.line)
            scope.info.loops.add(slot)
            return True, domain, lambda f, value: setitem(f, slot, value)

    def bound(self, quants, f, key=(), binds=()):
        """The ways to bind quantifiers, with `me` set: (key, binds)."""
        if not quants:
            yield key, [*binds]
            return
        (keyed, values, put), me = quants[0], self.me
        try:
            for value in list(values(f)):
                put(f, value)
                yield from self.bound(quants[1:], f, (*key, value) if keyed else key,
                                      [*binds, (put, f, value)])
        finally:
            self.me = me

    def label(self, label, scope):
        """A template as a closure of the text."""
        if label is None or label.text is None:
            return None
        template, line, parts = label.text, label.line, []
        refuse_if(re.search(r"[\t\n]", template), "E0614", line)
        for text, inner in re.findall(r"([^{]*)(?:\{([^}]*)(?:\}|$))?", template):
            parts.append(lambda f, text=text: text)
            if inner:
                parts.append(self.part_of_label(inner, scope, line))
        refuse_if(template.count("{") != template.count("}"), "E0611", line)
        return lambda f: "".join(part(f) for part in parts)

    def part_of_label(self, inner, scope, line):
        name, mark, rest = inner.partition("?")
        yes, _, no = rest.partition(":")
        try:
            kind, fn = self.expr(Node("name", line, name=name.strip()), scope)
        except ScriptError as error:
            raise ScriptError("E0809" if error.code == "E0301" else error.code, line) from error
        refuse_if(kind.name == "set" and (kind.member.high or 0) > 63, "E0612", line)
        return lambda f: (yes if fn(f) else no) if mark else self.shown(kind, fn(f))

    def generator_call(self, node, scope):
        """A function that yields the legal moves of a generator."""
        if node.module is None and node.name in ("piece_moves", "moves_of"):
            return self.piece_generator(node, scope)
        slot = self.found(node, scope.info.file, "name", node.name)
        refuse_if(slot is None or slot.decl.kind != "moves",
                  "E0309" if slot or self.callee(node, scope) else "E0301", node)
        refuse_if(slot.decl in self.open_generators, "E0807", node)
        made = self.generator(slot.decl)
        refuse_if(len(node.args) != len(made.params), "E0406", node)
        args = [self.value(arg, scope, kind) for arg, kind in zip(node.args, made.params)]
        return self.used(made, args)

    def used(self, made, args):
        def gather(f):
            frame = dict(enumerate(arg(f) for arg in args))
            yield from self.filtered(made.gather(frame), made.filter, frame)
        return gather

    def generator(self, decl):
        if decl.made:
            return decl.made
        base = base_of(decl)
        info, extends = Info(decl.file, base), decl.change == "extend"
        scope, kinds = self.parameters(decl, info, extends and base.decl.params)
        made = decl.made = Generator(kinds)
        self.open_generators.append(decl)
        with self.setting(no_chance=False):
            made.gather = self.options(decl.options, Scope(scope))
        self.open_generators.pop()
        made.filter = self.filter(decl.filters, scope)
        if extends:
            self.extend_generator(made, self.generator(base.decl), made.gather)
        return made

    def extend_generator(self, made, below, gather):
        def both(f):
            yield from below.gather(dict(f))
            yield from gather(f)
        made.gather = both
        outer, own = below.filter, made.filter
        if outer:
            made.filter = Filter(
                lambda f: all(one.test(dict(f)) for one in (outer, own) if one and one.test),
                outer.word or own and own.word, outer.keys or own and own.keys or [], [])

    def base_option(self, node, scope):
        """`base;` among options."""
        made = self.generator(scope.info.base.decl)
        args = [self.value(arg, scope, kind)
                for arg, kind in zip(node.generator.args, made.params)] or own_arguments(scope)
        return self.used(made, args)

    # Moves of pieces. In the items of a piece, slot 0 is `here`, slot 1 `to`.

    def piece_generator(self, node, scope):
        args = [self.value(arg, scope, set_of(self.site)) for arg in node.args]

        def gather(f):
            targets = args[1](f) if len(args) > 1 else None
            sites = [s for s in members(args[0](f) if args else self.prelude_value("mine"))
                     if self.state.pieces[s]]
            for kind in range(self.kind.size):
                own = [s for s in sites if self.state.pieces[s][-1][0] == kind]
                yield from self.moves_of_kind(kind, own, targets)
        return gather

    def moves_of_kind(self, kind, sites, targets):
        for number, part in enumerate(self.items(kind).parts):
            for site in sites:
                for move in part({0: site}, targets):
                    move.key = ("piece", site, kind, number) + move.key
                    yield move

    def items(self, kind):
        """The options of a kind of piece, compiled once."""
        if kind in self.made_items:
            return self.made_items[kind]
        made = self.made_items[kind] = Items()
        nodes = self.item_nodes(self.kinds[kind].decl)
        plain_nodes = [(node, file) for node, file in nodes if is_plain(node)]
        with self.setting(attacking=False):
            made.plain = [self.plain_item(node, file) for node, file in plain_nodes]
            refuse_if(self.attacking, "E0610", plain_nodes and plain_nodes[0][0])
        made.attacks = [self.at_set(node, file) for node, file in nodes if node.kind == "attacks"]
        wholes = [self.at_set(node, file) for node, file in nodes
                  if node.kind == "at" and not node.more]
        after = [self.statement(node.stmt, self.item_scope(file)) for node, file in nodes
                 if node.kind == "after"]

        def reached(f):
            return self.reached(kind, f[0])

        def rest(f):
            return reached(f) & ~union(whole(dict(f)) for whole in wholes)
        for node, file in nodes:
            if plain_nodes and node is plain_nodes[0][0]:
                made.parts.append(self.reaching(rest, Node("item", 0, quants=[]), self.item_scope(
                    file), [self.default_effect], after))
            elif node.kind == "at":
                refuse_if(not plain_nodes, "E0640", node)
                made.parts.append(self.crown(reached, node, self.item_scope(file), after))
            elif node.kind == "moves":
                made.parts.append(self.options_of_piece(node, self.item_scope(file, "here"), after))
            elif node.kind in ("move", "capture") and not is_plain(node):
                made.parts.append(self.labelled(made, node, self.item_scope(file), after))
        return made

    def item_nodes(self, decl):
        found = self.item_nodes(decl.base) if decl.change == "extend" else []
        for node in decl.items:
            found += self.item_nodes(decl.base) if node.kind == "base" else [(node, decl.file)]
        return found

    def item_scope(self, file, *names):
        scope = Scope(info=Info(file))
        for name in names or ("here", "to"):
            scope.add(name, self.site)
        return Scope(scope)

    def at_set(self, node, file):
        return self.value(node.value, self.item_scope(file), set_of(self.site))

    def plain_item(self, node, file):
        """(sort, closure of the set, quantifiers, whether a borrowed kind is fixed)"""
        scope = self.item_scope(file)
        wanted = self.kind if node.kind == "as" else self.site
        member = self.value(node.value, scope, set_of(wanted))
        fixed = node.value.kind == "name" and node.value.name in self.kind.values
        inner = Scope(scope)
        return node.kind, member, [self.quant(q, inner) for q in node.quants], fixed

    def check_borrowed(self, kind):
        """`move as K` leads to no kind that borrows from an expression, and not back."""
        reached = [kind]
        for one in reached:
            for node, _ in self.item_nodes(self.kinds[one].decl):
                if node.kind == "as" and node.value.name in self.kind.values:
                    other = self.kind.values.index(node.value.name)
                    refuse_if(other == kind or self.computed(other), "E0642", node)
                    reached += [other] if other not in reached else []

    def computed(self, kind):
        """Whether a kind borrows from an expression."""
        return any(sort == "as" and not fixed for sort, *_, fixed in self.items(kind).plain)

    def reached(self, kind, site, attack=None):
        """The targets of a kind's plain items from a site; with `attack`, those on this set."""
        found = 0
        for sort, member, quants, fixed in self.items(kind).plain:
            frame = {0: site}
            if sort == "as":
                if self.possible(quants, frame):
                    found |= union(self.reached(other, site, attack)
                                   for other in members(member(frame))
                                   if fixed or not self.computed(other))
                continue
            targets = member(frame) & (self.allowed(sort) if attack is None else attack)
            found |= union(1 << to for to in members(targets)
                           if self.possible(quants, {0: site, 1: to})) if quants else targets
        return found

    def possible(self, quants, frame):
        return any(True for _ in self.bound(quants, frame))

    def allowed(self, sort):
        theirs = self.prelude_value("theirs")
        return theirs if sort == "capture" else theirs | ~self.state.occupied

    def reaching(self, reached, node, scope, steps, after):
        """An option for each site that a closure reaches: quantifiers and label of an item."""
        quants, label = [self.quant(q, scope) for q in node.quants], self.label(node.label, scope)
        values = self.loop_values(scope)
        steps = [*steps, *([self.statement(node.stmt, Scope(scope))] if node.stmt else []), *after]

        def gather(f, targets):
            for to in members(reached(f) & (-1 if targets is None else targets)):
                f[1] = to
                for key, binds in self.bound(quants, f, (to,), [(put_to, f, to)]):
                    move = Move(key, binds, label, [(f, s, k) for s, k, _ in values],
                                [(f, 0), (f, 1)])
                    move.steps = [("do", step, f, self.me) for step in steps]
                    yield move
        return gather

    def crown(self, reached, node, scope, after):
        """`at … then`: the plain moves that end on a set."""
        sites = self.value(node.value, scope, set_of(self.site))
        return self.reaching(lambda f: reached(f) & sites(f), node, Scope(scope),
                             [self.default_effect], after)

    def labelled(self, made, node, scope, after):
        """`move to` or `capture to` with a text, an effect or loops."""
        member, inner = self.value(node.value, scope, set_of(self.site)), Scope(scope)
        quants = [self.quant(q, inner) for q in node.quants or ()]

        def threatens(f):
            return member(f) >> f[1] & 1 and self.possible(quants, f)
        made.threats.append(threatens)
        return self.reaching(lambda f: member(f) & self.allowed(node.kind), node, Scope(scope),
                             [] if node.stmt else [self.default_effect], after)

    def default_effect(self, f):
        self.go(f[0], f[1])
        self.changed()

    def options_of_piece(self, node, scope, after):
        inside = self.options(node.options, scope)

        def gather(f, targets):
            for move in inside(f) if targets is None else ():
                move.steps += [("do", one, f, self.me) for one in after]
                yield move
        return gather

    def attacked(self, sites, player):
        """Whether a player's pieces could capture an enemy's piece on one of the sites."""
        with self.setting(me=player):
            return player >= 0 and any(map(self.attacks, members(sites)))

    def attacks(self, target):
        before, was, bit = self.state.pieces[target], self.state.occupied, 1 << target
        if not before or not self.prelude_value("theirs") & bit:
            self.state.pieces[target] = ((before[-1][0] if before else self.kind.size,
                                          self.prelude_value("foe")),)
            self.state.occupied |= bit
        self.changed()
        try:
            return any(self.threatens(self.state.pieces[site][-1][0], site, target)
                       for site in members(self.prelude_value("mine") & ~bit))
        finally:
            self.state.pieces[target], self.state.occupied = before, was
            self.changed()

    def threatens(self, kind, site, target):
        if kind == self.kind.size:
            return False
        made, bit = self.items(kind), 1 << target
        return self.reached(kind, site, bit) or \
            any(threat({0: site, 1: target}) for threat in made.threats) or \
            any(attack({0: site}) & bit for attack in made.attacks)

    # Choosing.

    def choice(self, node, scope):
        """Closures of a choice: who decides, the moves, what happens if there are none."""
        by = self.value(node.by, scope, self.player) if node.by else lambda f: self.state.mover
        gather, own = self.options(node.options, Scope(scope)), self.filter(node.filters, scope)
        otherwise = self.statement(node.otherwise, Scope(scope)) if node.otherwise else \
            lambda f: None
        return by, lambda f: self.filtered(gather(f), own, f), otherwise

    def do_choose(self, node, scope):
        refuse_if(self.no_chance or self.in_function, "E0602", node)
        by, listed, otherwise = self.choice(node, scope)

        def run(f):
            decider = by(f)
            move = self.decide(decider, lambda: listed(f))
            if move is None:
                otherwise(f)
            else:
                self.play(move, decider)
        return run

    def decide(self, decider, listed):
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
            fault_if(kind != "move" or move is None, "no such move")
            return move
        moves = list(listed())
        if not moves:
            self.events.append(("none", None))
            self.at += 1
            return None
        self.deciders(decider)
        for active in reversed(self.active):
            moves = [*self.narrowed(moves, active)]
        raise Pending(decider, moves)

    def deciders(self, decider):
        """A decision of another player ends the filters that wait."""
        self.active = [one for one in self.active if one.decider == decider]

    def play(self, move, decider):
        """Runs the effect of a move, with its filters pending."""
        me = self.me
        waiting = {n: Active(move, n, self.state.copy(), move.frames(), self.at, decider, me)
                   for n, step in enumerate(move.steps) if step[0] == "filter"}
        self.active += reversed(waiting.values())
        self.run_steps(move, len(move.steps), waiting)
        self.me = me

    def run_steps(self, move, until, waiting):
        move.bind()
        self.name_move(move)
        for number, (sort, act, f, me) in enumerate(move.steps[:until]):
            if sort == "do":
                self.me = me
                act(f)
            elif waiting.get(number) in self.active:
                self.active.remove(waiting[number])

    def name_move(self, move):
        ends = [f[slot] if slot is not None else -1 for f, slot in move.ends]
        self.state.last_from, self.state.last_to = ends
        self.changed()

    # Filters.

    def filter(self, filters, scope):
        if filters is None:
            return None
        inner = Scope(scope)
        with self.setting(no_chance=True):
            test = self.condition(filters.test, inner) if filters.test else None
            keys = [self.value(key, inner, INT) for key in filters.keys]
            bounds = [self.value(key, inner, INT) for key in filters.bounds]
            refuse_if(bounds and len(bounds) != len(keys), "E0613", filters)
        return Filter(test, filters.best, keys, bounds)

    def filtered(self, moves, own, frame):
        """The moves that a filter leaves."""
        if own is None:
            yield from moves
            return
        me, found = self.me, []
        for move in moves:
            move.steps.append(("filter", own, frame, me))
            found.append(move)
        decider = self.state.mover if self.deciding is None else self.deciding
        yield from found if self.raw else self.narrowed_by(found, own, lambda move: self.best(
            Active(move, len(move.steps) - 1, self.state, [], 0, decider, me), []))

    def narrowed(self, moves, active):
        """At a decision inside an effect: the moves that a filter outside leaves."""
        own = active.move.steps[active.number][1]
        events = self.events[active.start:self.at]
        return self.narrowed_by(moves, own, lambda move: self.best(
            active, [*events, ("move", move.key)]))

    def narrowed_by(self, moves, own, best):
        if not own.keys:
            yield from (move for move in moves if best(move) is not None)
            return
        values = [(value, move) for move in moves if (value := best(move)) is not None]
        top = max((value for value, _ in values), default=None)
        yield from (move for value, move in values if value == top)

    def best(self, active, events):
        """The best value of a filter after an effect and the events; None if no way fulfils it."""
        outcome = self.tried(active, events)
        if not isinstance(outcome, list):
            return outcome
        found = [self.best(active, [*events, *more]) for more in outcome]
        return max((value for value in found if value is not None), default=None)

    def tried(self, active, events):
        """Runs an effect on a copy: the value of the filter, or the ways to go on (a list)."""
        move, (_, own, frame, _) = active.move, active.move.steps[active.number]
        live = move.frames()
        restore(active.frames)
        bounds = [bound(frame) for bound in own.bounds]
        with restored(live), self.setting(
                state=active.state.copy(), events=[*events], at=0, active=[], raw=False,
                me=active.me, cache={}, deciding=active.decider, depth=self.depth):
            try:
                self.run_steps(move, active.number, {})
            except Pending as pending:
                if pending.moves and pending.decider == active.decider:
                    tail = self.events[len(events):]
                    return [[*tail, ("move", one.key)] for one in pending.moves]
            except (Stop, Over, Return):
                pass
            self.me, self.cache = active.me, {}
            return own.value(frame, bounds)

    def do_together(self, node, scope):
        inner, each, *_ = self.loops(node.loops, scope)
        refuse_if(node.choose.filters, "E0616", node.choose)
        by, listed, otherwise = self.choice(node.choose, inner)

        def run(f):
            chosen = []
            for _ in each(f):
                frame = dict(f)
                decider = by(frame)
                chosen.append((self.decide(decider, lambda: listed(frame)), frame, decider))
            for move, frame, decider in chosen:
                if move is None:
                    otherwise(frame)
                else:
                    self.play(move, decider)
        return run

    # Texts.

    def texts(self, moves):
        """The texts of a list of moves, in its order."""
        found, seen = [], {}
        for move in moves:
            with self.setting(me=self.me):
                move.bind()
                text = "".join(label(f) for label, f in move.prefix)
                text += move.label(move.steps[0][2]) if move.label else self.default_text(move)
            seen[text] = seen.get(text, 0) + 1
            found.append(text if seen[text] == 1 else f"{text}#{seen[text]}")
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


class Generator:
    """`moves`: the types of its parameters, what gathers its moves, and its filter."""

    def __init__(self, params):
        self.params, self.gather, self.filter = params, None, None


class Items:
    """What the items of a kind of piece are: the plain ones, options, and what it attacks."""

    def __init__(self):
        self.plain, self.parts, self.threats, self.attacks = [], [], [], []


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
        fault_if(any(value > sign * bound for value, bound in zip(values, bounds)),
                 "a key beyond its bound")
        return tuple(values)


def put_to(f, to):
    f[1] = to


def restore(frames):
    for f, values in frames:
        f.clear()
        f.update(values)


@contextmanager
def restored(frames):
    """Gives frames back what they hold now."""
    try:
        yield
    finally:
        restore(frames)


def is_plain(node):
    if node.kind == "as":
        return True
    return node.kind in ("move", "capture") and node.label is None and node.stmt is None and \
        not any(q.kind in ("for", "subset") for q in node.quants)


def subsets(mask):
    """The subsets of a set, the first member changing fastest."""
    sites = list(members(mask))
    for number in range(1 << len(sites)):
        yield sum(1 << site for i, site in enumerate(sites) if number >> i & 1)
