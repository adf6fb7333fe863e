"""The tests of a script (chapter 13 of docs/spec)."""
import re
from fractions import Fraction

import engine
from expressions import GameError, fault_if
from game import Position
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
        self.game, self.position = game, None
        self.given, self.broken = [], None

    def begin(self):
        if self.position is None:
            self.go(self.game.beginning)

    def go(self, act):
        """Does something, or keeps the error for `fails`."""
        before = self.position
        try:
            self.position = act()
            while self.given and self.position.waits.results:
                waits, number = self.position.waits, self.fixed(self.given.pop(0),
                                                                self.position.waits.kind)
                fault_if(number not in waits.results, "no such result of chance")
                self.position = self.game.advance(self.position.after(("chance", number)))
        except GameError as error:
            self.position, self.broken = before, str(error)
            if self.position is not None:
                self.game.run_phase(self.position)

    def again(self):
        """Plays to the position again."""
        self.position = self.game.advance(self.position)
        return self.position

    def fixed(self, node, kind):
        kind, fn = self.game.expr(node, self.game.scope(), kind)
        return fn({})

    def truth(self, node, position):
        game = self.game
        fn = game.condition(node, game.scope())
        game.run_phase(position)
        game.me = position.waits.decider if position.waits.moves else game.state.mover
        game.cache = {}
        return fn({})

    def moves(self):
        return self.game.texts(self.again().waits.moves) if self.position.waits.moves else []

    def step(self, node):
        """Runs a statement of the test."""
        if node.kind == "set":
            return
        if node.kind == "fails":
            self.begin()
            fail_if(node.text not in (self.broken or ""), f"{node.text}: {self.broken}")
            self.broken = None
            return
        if node.kind == "chance" and self.position is None:
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
                self.go(lambda: engine.after_event(self.game, self.again(), text))

    def test_after(self, node):
        self.position = None
        self.begin()
        self.test_play(node)

    def test_chance(self, node):
        self.given += node.values
        self.go(self.again)

    def test_expect(self, node):
        """What players are shown as text is not part of this interpreter."""
        if node.value is not None:
            fail_if(not self.truth(node.value, self.position), f"line {node.line}")
        elif node.player is None:
            texts, wanted = self.moves(), node.listing.texts
            good = {"includes": set(wanted) <= set(texts), "excludes": not set(wanted) & set(texts),
                    None: sorted(texts) == sorted(wanted)}[node.listing.sort]
            fail_if(not good, f"line {node.line}: moves {texts}")

    def test_moves(self, node):
        fail_if(len(self.moves()) != node.number, f"line {node.line}: {len(self.moves())} moves")

    def test_perft(self, node):
        found = self.game.perft(self.again(), node.depth, node.decisions)
        fail_if(found != node.number, f"line {node.line}: perft {found}, not {node.number}")

    def test_outcomes(self, node):
        ways = self.game.outcomes(self.again())
        for top, under, test in node.cases:
            total = sum(probability for probability, position in ways
                        if self.truth(test, position))
            fail_if(total != Fraction(top, under or 1),
                    f"line {node.line}: probability {total}, not {top}/{under}")

    def test_do(self, node):
        game = self.game
        body = game.statement(node.stmt, game.scope())
        game.run_phase(self.position)
        state = game.state.copy()
        self.go(lambda: game.advance(Position(state, "turn", (), self.position.plies, body)))

    def test_position(self, node):
        game = self.game
        state = game.new_state()
        player = self.fixed(node.player, game.player) if node.player else 0
        rows = [line for line in node.text.split("\n")
                if line.strip() and not re.match(r"\s*[\w\[\], |]+ ?[=:] ", line)]
        fail_if("/" in node.text, "a FEN")
        game.set_state(state)
        game.set_up(game.diagram("\n".join(rows), {}, node.line))
        state.mover = player
        game.me = player
        if node.body is not None:
            game.events, game.at = [], 0
            game.do_block(node.body, game.scope())({})
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
            game.phases.get("end", lambda f: None)({})
        except Over:
            self.position = Position(probe, "over")
            return
        game.set_state(state)
        self.go(lambda: game.advance(game.begin_turn(0)))


def run(game, request=None):
    """Which tests of a script pass."""
    found = []
    for test in game.unit.tests:
        settings = {step.name: step.value for step in test.steps if step.kind == "set"}
        try:
            played = Run(retold(game, settings, request) if settings else game)
            for step in test.steps:
                played.step(step)
            played.begin()
            found.append(played.broken is None)
        except (Failed, GameError, ScriptError):
            found.append(False)
    return found


def retold(game, settings, request):
    """The same script with other values of options."""
    unit = game.unit
    values = dict(request.get("options") or {}) if request else {}
    for name, node in settings.items():
        values[name] = node.name if node.kind == "name" else str(unit.constant(node))
    text = request["script"] if request else unit.text
    return engine.load(text, unit.main.path, (request or {}).get("files"), values)
