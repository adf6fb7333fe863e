"""The tests of a script (chapter 13 of docs/spec)."""
import re
from fractions import Fraction

import engine
from expressions import GameError, fault_if
from game import Position, State
from statements import Over
from words import ScriptError


class Failed(Exception):
    """An expectation that does not hold."""


def fail_if(wrong, message):
    if wrong:
        raise Failed(message)


class Run:
    """One test."""

    def __init__(self, game):
        self.game, self.position, self.waits = game, None, None
        self.given, self.broken, self.error = [], None, None

    def begin(self):
        if self.position is None:
            self.go(self.game.beginning)

    def go(self, act):
        """Does something, or keeps the error for `fails`."""
        before = self.position, self.waits
        try:
            self.position, self.waits = act()
            self.settle()
        except GameError as error:
            self.position, self.waits = before
            self.broken = str(error)
            if self.position is not None:
                self.game.run_phase(self.position)

    def settle(self):
        while self.given and self.waits is not None and self.waits.results is not None:
            value = self.given.pop(0)
            kind = self.waits.kind
            number = self.fixed(value, kind)
            fault_if(number not in self.waits.results, "no such result of chance")
            self.position, self.waits = self.game.advance(
                self.position.after(("chance", number)))

    def fixed(self, node, kind):
        kind, fn = self.game.expr(node, self.game.main_scope(), kind)
        return fn({})

    def truth(self, node):
        game = self.game
        fn = game.condition(node, game.main_scope())
        game.run_phase(self.position)
        game.me = self.waits.decider if self.waits is not None and self.waits.moves is not None \
            else game.state.mover
        game.cache = {}
        return fn({})

    def moves(self):
        if self.waits is None or self.waits.moves is None:
            return []
        self.position, self.waits = self.game.advance(self.position)
        return self.game.texts(self.waits.moves)

    def step(self, node):
        """Runs a statement of the test."""
        if node.kind == "set":
            return
        if node.kind == "fails":
            self.begin()
            fail_if(node.text not in (self.broken or ""), f"{node.text}: {self.broken}")
            self.broken = None
            return
        if node.kind == "chance" and self.position is None and self.waits is None:
            self.given += node.values
            self.begin()
            return
        if node.kind != "position":
            self.begin()
        fail_if(self.broken is not None, self.broken)
        getattr(self, "test_" + node.kind)(node)

    def test_play(self, node):
        for text in node.texts:
            if self.broken is None:
                self.go(lambda: engine.after_event(self.game, *self.game.advance(self.position),
                                                   text))

    def test_after(self, node):
        self.position = self.waits = None
        self.begin()
        self.test_play(node)

    def test_chance(self, node):
        self.given += node.values
        self.go(lambda: self.game.advance(self.position))

    def test_expect(self, node):
        """What players are shown as text is not part of this interpreter."""
        if node.value is not None:
            fail_if(not self.truth(node.value), f"line {node.line}")
        elif node.player is None:
            texts, wanted = self.moves(), node.listing.texts
            good = {"includes": set(wanted) <= set(texts), "excludes": not set(wanted) & set(texts),
                    None: sorted(texts) == sorted(wanted)}[node.listing.sort]
            fail_if(not good, f"line {node.line}: moves {texts}")

    def test_moves(self, node):
        fail_if(len(self.moves()) != node.number, f"line {node.line}: {len(self.moves())} moves")

    def test_perft(self, node):
        self.position, self.waits = self.game.advance(self.position)
        found = self.game.perft(self.position, self.waits, node.depth, node.decisions)
        fail_if(found != node.number, f"line {node.line}: perft {found}, not {node.number}")

    def test_outcomes(self, node):
        self.position, self.waits = self.game.advance(self.position)
        kept = self.position, self.waits
        ways = self.game.outcomes(self.position, self.waits)
        for top, under, test in node.cases:
            total = Fraction(0)
            for probability, position, waits in ways:
                self.position, self.waits = position, waits
                total += probability * bool(self.truth(test))
            fail_if(total != Fraction(top, under),
                    f"line {node.line}: probability {total}, not {top}/{under}")
        self.position, self.waits = kept

    def test_do(self, node):
        game = self.game
        body = game.statement(node.stmt, game.main_scope())
        game.run_phase(self.position)
        state = game.state.copy()
        position = Position(state, "turn", (), self.position.plies, body)
        self.go(lambda: game.advance(position))

    def test_position(self, node):
        game = self.game
        state = State()
        state.vars = [list(var.initial) for var in game.variables]
        state.pieces = [()] * game.board.size
        player = self.fixed(node.player, game.player) if node.player else 0
        rows = [line for line in node.text.split("\n")
                if line.strip() and not re.match(r"\s*[\w\[\], |]+ ?[=:] ", line)]
        fail_if("/" in node.text, "a FEN")
        game.set_state(state)
        for s, stack in enumerate(game.diagram("\n".join(rows), {}, node.line)):
            game.stand(s, stack)
        state.mover = player
        game.me = player
        if node.body is not None:
            game.events, game.at = [], 0
            game.block(node.body, game.main_scope())({})
        self.start(state, player)

    def start(self, state, player):
        """Begins the turn of a position, unless `end` gives a result first."""
        game = self.game
        before = (player - 1) % game.player.size
        state.turns, state.upcoming = player, player
        probe = state.copy()
        probe.mover = before
        game.set_state(probe)
        game.me = before
        try:
            if "end" in game.phases:
                game.phases["end"]({})
        except Over:
            self.position, self.waits = Position(probe, "over"), None
            return
        game.set_state(state)
        self.go(lambda: game.advance(game.begin_turn(0)))


def run(game, request=None, wanted=None):
    """Which tests of a script pass."""
    found = []
    for test in game.unit.tests:
        settings = {step.name: step.value for step in test.steps if step.kind == "set"}
        try:
            played = Run(retold(game, settings, request) if settings else game)
            for step in test.steps:
                played.step(step)
            played.begin()
            good = played.broken is None
            if wanted is not None:
                wanted.append(played.broken)
        except (Failed, GameError, ScriptError) as error:
            good = False
            if wanted is not None:
                wanted.append(str(error))
        found.append(good)
    return found


def retold(game, settings, request):
    """The same script with other values of options."""
    unit = game.unit
    values = dict(request.get("options") or {}) if request else {}
    for name, node in settings.items():
        values[name] = node.name if node.kind == "name" else str(unit.constant(node))
    text = request["script"] if request else unit.text
    return engine.load(text, unit.main.path, (request or {}).get("files"), values)
