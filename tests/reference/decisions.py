"""Decisions (chapter 7 of docs/spec): lists of moves, texts, filters. A turn is run again from its
beginning with a longer list of events each time, so a decision is an exception where events end."""
import re
from dataclasses import dataclass, field
from itertools import chain
from operator import setitem
from types import SimpleNamespace

from board import members, union
from expressions import BOOL, INT, Info, Scope, fault_if, set_of
from statements import Over, Return, Stop
from syntax import Node, ScriptError, refuse_if


class Pending(Exception):
    """The game waits for a decision (`moves`), for chance (`results`: weights by value), or for
    nothing."""
    def __init__(self, decider, moves=None, results=None, kind=None):
        super().__init__()
        self.decider, self.moves, self.results, self.kind = decider, moves, results, kind
        self.any = bool(moves or results)


@dataclass(eq=False)
class Move:
    """A move: what it does from the inside out, and what names it."""
    key: tuple = ()
    binds: list = field(default_factory=list)       # (function, frame, value): binds names again
    label: object = None
    values: list = ()                               # (slot, type) of other `for`s
    ends: list = ()                                 # the slots of `from` or `here` and of `to`
    steps: list = field(default_factory=list)       # ('do', closure, frame, me), or 'filter'
    prefix: list = field(default_factory=list)      # (closure of a text, frame)

    def bind(self):
        for put, f, value in self.binds:
            put(f, value)

    def frames(self):
        found = [*(f for _, f, _ in self.binds), *(step[2] for step in self.steps)]
        return [(f, dict(f)) for f in {id(f): f for f in found}.values()]


class Decisions:
    """Options become functions that yield moves for a frame."""
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
        label, is_leaf = self.label(node.label, inner), node.stmt is not None
        then = self.effect(node.then, inner) if node.then else None
        if is_leaf:
            effect, ends = self.effect(node.stmt, inner), inner.ends()
            values = [one for one in inner.loops() if one[0] not in ends]
            inside = lambda f: [Move((), [], label, values, ends,               # noqa: E731
                                     [("do", effect, f, self.me)])]
        elif node.generator is None:
            inside = self.options(node.options, inner)
        else:
            inside = self.generator_call(node.generator, inner)
        def gather(f):
            for key, binds in self.bound(quants, f, (number,)):
                me = self.me
                for move in inside(f):
                    move.key, move.binds = key + move.key, binds + move.binds
                    move.prefix[:0] = [(label, f)] if label and not is_leaf else []
                    move.steps += [("do", then, f, me)] if then else []
                    yield move
        return gather

    def effect(self, node, scope):
        """A statement of an option, in which the generators around it may stand again."""
        with self.setting(open_generators=[]):
            return self.statement(node, Scope(scope))

    def quant(self, node, scope):
        """A quantifier: (whether it is part of the key, closure of the values, what binds one)."""
        with self.setting(no_chance=True):
            if node.kind == "if":
                test = self.value(node.test, scope, BOOL)
                return False, lambda f: (True,) if test(f) else (), lambda f, _: None
            if node.kind == "as":
                player = self.value(node.player, scope, self.player)
                return False, lambda f: (player(f),), lambda f, me: setattr(self, "me", me)
            if node.kind == "let":
                want = self.type_of(node.type, scope.info.file)
                kind, fn = self.expr(node.value, scope, want)
                fn = self.fit(kind, fn, want, node)
                slot = scope.add(node.name, want or kind.plain, node.line)
                return False, lambda f: (None,), lambda f, _: setitem(f, slot, fn(f))
            if node.kind == "subset":
                kind, fn = self.as_set(node.value, scope)
                kind, domain = set_of(kind), lambda f: [
                    union(1 << site for i, site in enumerate(sites) if number >> i & 1)
                    for sites in [members(fn(f))] for number in range(1 << len(sites))]
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
        if label is None or label.text is None:
            return None
        template, parts = label.text, []
        refuse_if(re.search(r"[\t\n]", template), "E0614", label)
        for text, inner in re.findall(r"([^{]*)(?:\{([^}]*)(?:\}|$))?", template):
            parts.append(lambda f, text=text: text)
            if inner:
                parts.append(self.part_of_label(inner, scope, label.line))
        refuse_if(template.count("{") != template.count("}"), "E0611", label)
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
        if node.module is None and node.name in ("piece_moves", "moves_of"):
            return self.piece_generator(node, scope)
        if node.name == "base" and scope.info.base is not None:
            made = self.generator(scope.info.base.decl)
        else:
            slot = self.found(node, scope.info.file, "name", node.name)
            refuse_if(slot is None or slot.decl.kind != "moves",
                      "E0309" if slot or self.callee(node, scope) else "E0301", node)
            refuse_if(slot.decl in self.open_generators, "E0807", node)
            made = self.generator(slot.decl)
        args = self.arguments(node, made.params, scope)
        def gather(f):
            frame = dict(enumerate(arg(f) for arg in args))
            yield from self.filtered(made.gather(frame), made.filter, frame)
        return gather

    def generator(self, decl):
        if decl.made:
            return decl.made
        base, extends = decl.base, decl.change == "extend"
        scope, kinds = self.parameters(decl, Info(decl.file, base), extends and base.decl.params)
        made = decl.made = SimpleNamespace(params=kinds)
        self.open_generators.append(decl)
        with self.setting(no_chance=False, in_function=False):
            own = self.options(decl.options, Scope(scope))
        self.open_generators.pop()
        made.gather, made.filter = own, self.filter(decl.filters, scope)
        if extends:
            below = self.generator(base.decl)
            made.gather = lambda f: chain(below.gather(dict(f)), own(f))
            made.filter = below.filter or made.filter
        return made

    # Moves of pieces (chapter 6.1): items become options with the quantifier `for to in …`. Slot 0
    # is `here`, slot 1 `to`.

    def piece_generator(self, node, scope):
        args = [self.value(arg, scope, set_of(self.site)) for arg in node.args]
        def gather(f):
            targets = args[1](f) if len(args) > 1 else -1
            sites = [s for s in members(args[0](f) if args else self.prelude_value("mine"))
                     if self.state.pieces[s]]
            for kind in range(self.kind.size):
                own = [s for s in sites if self.state.pieces[s][-1][0] == kind]
                for part in self.items(kind).parts if own else ():
                    for site in own:
                        for move in part({0: site, "targets": targets}):
                            move.key = ("piece", site, kind) + move.key
                            yield move
        return gather

    def items(self, kind):
        """What the items of a kind of piece are, compiled once: `plain` ones, options (`parts`),
        what is attacked (`attacks`), what labelled items could capture (`threats`)."""
        if kind in self.made_items:
            return self.made_items[kind]
        made = self.made_items[kind] = SimpleNamespace(parts=[], threats=[])
        nodes = self.item_nodes(self.kinds[kind].decl)
        plain = [node for node in nodes if node.kind == "as" or node.kind in ("move", "capture") and
                 not (node.label or node.stmt or {"for", "subset"} & {q.kind for q in node.quants})]
        with self.setting(reads=set()):
            made.plain = [self.plain_item(node) for node in plain]
            refuse_if("attacked" in self.reads, "E0610", plain and plain[0])
        made.attacks = [self.sites_of(node) for node in nodes if node.kind == "attacks"]
        wholes = [self.sites_of(node) for node in nodes if node.kind == "at" and not node.more]
        after = [Node("made", node.line, made=self.statement(node.stmt, self.item_scope(node)))
                 for node in nodes if node.kind == "after"]
        def crowned(sites):
            return lambda f: self.reached(kind, f[0]) & sites(f)
        for node in nodes:
            refuse_if(node.kind == "at" and not plain, "E0640", node)
            if node.kind == "moves":
                always = Node("made", node.line, made=(BOOL, lambda f: f["targets"] == -1))
                made.parts.append(self.option(Node(
                    "option", node.line, quants=[Node("if", node.line, test=always)],
                    options=node.options, then=Node("block", 0, stmts=after)),
                    self.item_scope(node, "here")))
            elif node.kind == "at":
                made.parts.append(self.moves_to(crowned(self.sites_of(node)), node, after))
            elif node in plain[:1]:
                rest = crowned(lambda f: ~union(whole(f) for whole in wholes))
                made.parts.append(self.moves_to(
                    rest, Node("item", node.line, file=node.file), after))
            elif node.kind in ("move", "capture") and node not in plain:
                made.parts.append(self.moves_to(self.labelled(made, node), node, after))
        return made

    def item_nodes(self, decl):
        found = self.item_nodes(decl.base.decl) if decl.change == "extend" else []
        for node in decl.items:
            node.file = decl.file
            found += self.item_nodes(decl.base.decl) if node.kind == "base" else [node]
        return found

    def item_scope(self, node, *names):
        scope = self.scope(node.file)
        for name in names or ("here", "to"):
            scope.add(name, self.site)
        return Scope(scope)

    def sites_of(self, node):
        return self.value(node.value, self.item_scope(node), set_of(self.site))

    def moves_to(self, reach, node, after):
        sites = Node("made", node.line, made=(set_of(self.site), lambda f: reach(f) & f["targets"]))
        go = Node("made", node.line, made=lambda f: self.changing(self.act_go, f[0], f[1]))
        stmts = [go] * (not node.stmt or node.kind == "at") + [node.stmt] * bool(node.stmt) + after
        return self.option(Node(
            "option", node.line, label=node.label, stmt=Node("block", 0, stmts=stmts),
            quants=[Node("for", node.line, name="to", value=sites), *(node.quants or ())]),
            self.item_scope(node, "here"))

    def expr_made(self, node, scope, want=None):
        return node.made

    do_made = expr_made

    def labelled(self, made, node):
        """`move to` or `capture to` with a text, an effect or loops."""
        sites, scope = self.sites_of(node), self.item_scope(node)
        quants = [self.quant(q, scope) for q in node.quants]
        made.threats.append(lambda f: sites(f) >> f[1] & 1 and self.possible(quants, f))
        return lambda f: sites(f) & self.allowed(node.kind)

    def plain_item(self, node):
        """(sort, closure of the set, quantifiers, whether a borrowed kind is fixed)"""
        scope = self.item_scope(node)
        member = self.value(node.value, scope, set_of(
            self.kind if node.kind == "as" else self.site))
        fixed = node.value.kind == "name" and node.value.name in self.kind.values
        return node.kind, member, [self.quant(q, scope) for q in node.quants], fixed

    def check_borrowed(self, kind):
        """`move as K` leads to no kind that borrows from an expression, and not back."""
        reached = [kind]
        for one in reached:
            for node in self.item_nodes(self.kinds[one].decl):
                if node.kind == "as" and node.value.name in self.kind.values:
                    other = self.kind.values.index(node.value.name)
                    refuse_if(other == kind or self.computed(other), "E0642", node)
                    reached += [other] if other not in reached else []

    def computed(self, kind):
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

    def attacked(self, sites, player):
        """Whether a player's pieces could capture an enemy's piece on one of the sites."""
        with self.setting(me=player):
            return player >= 0 and any(map(self.attacks, members(sites)))

    def attacks(self, target):
        if self.prelude_value("theirs") >> target & 1:
            return self.threatened(target)
        before, was = self.state.pieces[target], self.state.occupied
        kind = before[-1][0] if before else self.kind.size
        self.state.pieces[target] = ((kind, self.prelude_value("foe")),)
        self.state.occupied |= 1 << target
        self.changed()
        try:
            return self.threatened(target)
        finally:
            self.state.pieces[target], self.state.occupied = before, was
            self.changed()

    def threatened(self, target):
        bit = 1 << target
        for site in members(self.prelude_value("mine") & ~bit):
            kind = self.state.pieces[site][-1][0]
            made = self.items(kind)
            if self.reached(kind, site, bit) or \
                    any(threat({0: site, 1: target}) for threat in made.threats) or \
                    any(attack({0: site}) & bit for attack in made.attacks):
                return True
        return False

    def do_choose(self, node, scope, frames=lambda f: [f]):
        """A decision in each of some frames; then the effects."""
        refuse_if(self.no_chance or self.in_function, "E0602", node)
        by = self.value(node.by, scope, self.player) if node.by else lambda f: self.state.mover
        gather, own = self.options(node.options, Scope(scope)), self.filter(node.filters, scope)
        otherwise = self.statement(node.otherwise, Scope(scope)) if node.otherwise else \
            lambda f: None
        def run(f):
            chosen = []
            for frame in frames(f):
                decider = by(frame)
                listed = lambda: self.filtered(gather(frame), own, frame)       # noqa: E731
                chosen.append((self.decide(decider, listed), decider, frame))
            for move, decider, frame in chosen:
                if move is None:
                    otherwise(frame)
                else:
                    self.play(move, decider)
        return run

    def do_together(self, node, scope):
        inner, each, *_ = self.loops(node.loops, scope)
        refuse_if(node.choose.filters, "E0616", node.choose)
        return self.do_choose(node.choose, inner, lambda f: (dict(f) for _ in each(f)))

    def decide(self, decider, listed):
        """The move that the next event names; None if there is no move. A decision of another
        player ends the filters that wait."""
        if self.at < len(self.events):
            kind, value = self.events[self.at]
            self.at += 1
            self.active = [one for one in self.active if one.decider == decider]
            if kind == "none":
                return None
            with self.setting(raw=True):
                move = next((m for m in listed() if m.key == value), None)
            fault_if(kind != "move" or move is None, "no such move")
            return move
        moves = list(listed())
        if not moves:
            self.events.append(("none", None))
            self.at += 1
            return None
        self.active = [one for one in self.active if one.decider == decider]
        for active in reversed(self.active):
            events, own = self.events[active.start:self.at], active.move.steps[active.number][1]
            moves = self.narrowed(moves, own, lambda move: self.best(
                active, [*events, ("move", move.key)]))
        raise Pending(decider, moves)

    def play(self, move, decider):
        me = self.me
        waiting = {n: self.waiting(move, n, decider, me, self.state.copy(), move.frames(), self.at)
                   for n, step in enumerate(move.steps) if step[0] == "filter"}
        self.active += reversed(waiting.values())
        self.run_steps(move, len(move.steps), waiting)
        self.me = me

    def waiting(self, move, number, decider, me, state, frames=(), start=0):
        """A filter that waits for the end of an effect: where its step is, and what was before."""
        return SimpleNamespace(move=move, number=number, decider=decider, me=me, state=state,
                               frames=frames, start=start)

    def run_steps(self, move, until, waiting):
        move.bind()
        f = move.steps[0][2]
        self.state.last_from, self.state.last_to = [f.get(slot, -1) for slot in move.ends]
        self.changed()
        for number, (sort, act, f, me) in enumerate(move.steps[:until]):
            if sort == "do":
                self.me = me
                act(f)
            elif waiting.get(number) in self.active:
                self.active.remove(waiting[number])

    def filter(self, node, scope):
        if node is None:
            return None
        inner = Scope(scope)
        with self.setting(no_chance=True):
            test = self.value(node.test, inner, BOOL) if node.test else None
            keys, bounds = ([self.value(key, inner, INT) for key in values]
                            for values in (node.keys, node.bounds))
        refuse_if(bounds and len(bounds) != len(keys), "E0613", node)
        return SimpleNamespace(test=test, keys=keys, bounds=bounds,
                               sign=-1 if node.best == "min" else 1)

    def filtered(self, moves, own, frame):
        if own is None:
            return moves
        found, me, decider = [], self.me, self.state.mover if self.deciding is None else \
            self.deciding
        for move in moves:
            move.steps.append(("filter", own, frame, me))
            found.append(move)
        return found if self.raw else self.narrowed(found, own, lambda move: self.best(
            self.waiting(move, len(move.steps) - 1, decider, me, self.state), []))

    def narrowed(self, moves, own, best):
        values = [(value, move) for move in moves if (value := best(move)) is not None]
        top = max((value for value, _ in values), default=None)
        return [move for value, move in values if value == top]

    def best(self, active, events):
        """The best value of a filter after an effect and the events; None if no way fulfils it."""
        outcome = self.tried(active, events)
        if not isinstance(outcome, list):
            return outcome
        found = (self.best(active, [*events, *more]) for more in outcome)
        values = (value for value in found if value is not None)
        keys = active.move.steps[active.number][1].keys
        return max(values, default=None) if keys else next(values, None)    # (), if one way does

    def tried(self, active, events):
        """Runs an effect on a copy: the value of the filter (the largest is the best), None if its
        condition is false, or the ways to go on (a list)."""
        move, (_, own, frame, _) = active.move, active.move.steps[active.number]
        live = move.frames()
        restore(active.frames)
        bounds = [bound(frame) for bound in own.bounds]
        try:
            with self.setting(
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
                if own.test and not own.test(frame):
                    return None
                values = [own.sign * key(frame) for key in own.keys]
                fault_if(any(value > own.sign * bound for value, bound in zip(values, bounds)),
                         "a key beyond its bound")
                return tuple(values)
        finally:
            restore(live)

    def texts(self, moves):
        found, seen = [], {}
        for move in moves:
            with self.setting(me=self.me):
                move.bind()
                text = "".join(label(f) for label, f in move.prefix)
                f = move.steps[0][2]
                text += move.label(f) if move.label else self.default_text(move, f)
            seen[text] = seen.get(text, 0) + 1
            found.append(text if seen[text] == 1 else f"{text}#{seen[text]}")
        return found

    def shown(self, kind, value):
        if kind.name == "set":
            return "+".join(self.shown(kind.member, v) for v in members(value)) or "-"
        return kind.text(value)

    def default_text(self, move, f):
        start, end = (None if slot is None else f[slot] for slot in move.ends)
        found = [self.site.text(site) for site in (start, end) if site is not None]
        if len(found) == 2:
            enemy = end >= 0 and self.prelude_value("theirs") >> end & 1
            found = [("x" if enemy else "-").join(found)]
        return "=".join(found + [self.shown(kind, f[slot]) for slot, kind in move.values])


def restore(frames):
    for f, values in frames:
        f.clear()
        f.update(values)
