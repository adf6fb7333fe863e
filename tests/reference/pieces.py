"""Moves of pieces (chapter 6.1 of docs/spec). In items, slot 0 is `here`, slot 1 `to`."""
from dataclasses import dataclass, field

from board import members
from expressions import BOOL, Scope, set_of, union
from syntax import Node, refuse_if


@dataclass
class Items:
    """What the items of a kind of piece are."""
    plain: list = field(default_factory=list)
    parts: list = field(default_factory=list)           # its options
    threats: list = field(default_factory=list)         # what its other items could capture
    attacks: list = field(default_factory=list)


class Pieces:
    """Compiles the items of pieces: they become options with the quantifier `for to in …`."""

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
        """The options of a kind of piece, compiled once."""
        if kind in self.made_items:
            return self.made_items[kind]
        made = self.made_items[kind] = Items()
        nodes = self.item_nodes(self.kinds[kind].decl)
        plain = [(node, file) for node, file in nodes if is_plain(node)]
        with self.setting(attacking=False):
            made.plain = [self.plain_item(node, file) for node, file in plain]
            refuse_if(self.attacking, "E0610", plain and plain[0][0])
        made.attacks = [self.sites_of(node, file) for node, file in nodes if node.kind == "attacks"]
        wholes = [self.sites_of(node, file) for node, file in nodes
                  if node.kind == "at" and not node.more]
        after = [Node("made", node.line, made=self.statement(node.stmt, self.item_scope(file)))
                 for node, file in nodes if node.kind == "after"]

        def rest(f):
            return self.reached(kind, f[0]) & ~union(whole(f) for whole in wholes)
        for node, file in nodes:
            if plain and node is plain[0][0]:
                made.parts.append(self.moves_to(rest, Node("item", node.line), file, after))
            elif node.kind == "at":
                refuse_if(not plain, "E0640", node)
                made.parts.append(self.moves_to(self.crowned(kind, node, file), node, file, after))
            elif node.kind == "moves":
                made.parts.append(self.own_options(node, file, after))
            elif node.kind in ("move", "capture") and not is_plain(node):
                made.parts.append(self.moves_to(self.labelled(made, node, file), node, file, after))
        return made

    def item_nodes(self, decl):
        found = self.item_nodes(decl.base) if decl.change == "extend" else []
        for node in decl.items:
            found += self.item_nodes(decl.base) if node.kind == "base" else [(node, decl.file)]
        return found

    def item_scope(self, file, *names):
        scope = self.scope(file)
        for name in names or ("here", "to"):
            scope.add(name, self.site)
        return Scope(scope)

    def sites_of(self, node, file):
        return self.value(node.value, self.item_scope(file), set_of(self.site))

    def moves_to(self, reach, node, file, after):
        """An option for each site that a closure reaches."""
        sites = Node("made", node.line, made=(
            set_of(self.site), lambda f: reach(f) & f["targets"]))
        go = Node("made", node.line, made=self.default_effect)
        stmts = ([] if node.stmt and node.kind != "at" else [go]) + [node.stmt] * bool(node.stmt)
        return self.option(Node(
            "option", node.line, label=node.label, stmt=Node("block", 0, stmts=stmts + after),
            quants=[Node("for", node.line, name="to", value=sites), *(node.quants or ())]),
            self.item_scope(file, "here"))

    def default_effect(self, f):
        self.act_go(f[0], f[1])
        self.changed()

    def expr_made(self, node, scope, want):
        return node.made

    def do_made(self, node, scope):
        return node.made

    def crowned(self, kind, node, file):
        """`at … then`: the plain moves that end on a set."""
        sites = self.sites_of(node, file)
        return lambda f: self.reached(kind, f[0]) & sites(f)

    def labelled(self, made, node, file):
        """`move to` or `capture to` with a text, an effect or loops."""
        sites, scope = self.sites_of(node, file), self.item_scope(file)
        quants = [self.quant(q, scope) for q in node.quants]
        made.threats.append(lambda f: sites(f) >> f[1] & 1 and self.possible(quants, f))
        return lambda f: sites(f) & self.allowed(node.kind)

    def own_options(self, node, file, after):
        """`moves { }`, which has no targets."""
        always = Node("made", node.line, made=(BOOL, lambda f: f["targets"] == -1))
        return self.option(Node("option", node.line, quants=[Node("if", node.line, test=always)],
                                options=node.options, then=Node("block", 0, stmts=after)),
                           self.item_scope(file, "here"))

    # Plain items, and what they reach.

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

    # `attacked`.

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


def is_plain(node):
    if node.kind == "as":
        return True
    return node.kind in ("move", "capture") and node.label is None and node.stmt is None and \
        not any(q.kind in ("for", "subset") for q in node.quants)
