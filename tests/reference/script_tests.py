"""The tests of a script (chapter 13 of docs/spec)."""
import re
from fractions import Fraction

import engine
from expressions import BOOL, GameError, fault_if
from game import Position
from statements import Over
from syntax import ScriptError


class Run:
    """One test. `given` are results of chance that follow, `broken` is the error of the latest
    statement."""

    def __init__(self, game):
        self.game, self.position, self.given, self.broken = game, None, [], None

    def begin(self):
        if self.position is None:
            self.go(self.game.beginning)

    def go(self, act):
        """Does something, or keeps the error for `fails`."""
        before = self.position
        try:
            self.position = act()
            while self.given and self.position.waits.results:
                waits = self.position.waits
                number = self.fixed(self.given.pop(0), waits.kind)
                fault_if(number not in waits.results, "no such result of chance")
                self.position = self.game.advance(self.position.after(("chance", number)))
        except GameError as error:
            self.position, self.broken = before, str(error)
            if self.position is not None:
                self.game.run_phase(self.position)

    def again(self):
        self.position = self.game.advance(self.position)
        return self.position

    def fixed(self, node, kind):
        return self.game.expr(node, self.game.scope(), kind)[1]({})

    def truth(self, node, position):
        game = self.game
        fn = game.value(node, game.scope(), BOOL)
        game.run_phase(position)
        game.me = position.waits.decider if position.waits.moves else game.state.mover
        game.cache = {}
        return fn({})

    def moves(self):
        return self.game.texts(self.again().waits.moves) if self.position.waits.moves else []

    def step(self, node):
        if node.kind == "chance":
            self.given += node.values
        if node.kind not in ("set", "position", "after"):
            self.begin()
        if node.kind == "fails":
            fault_if(node.text not in (self.broken or ""), f"{node.text}: {self.broken}")
            self.broken = None
        elif node.kind != "set":
            fault_if(self.broken is not None, self.broken)
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
        self.go(self.again)

    def test_expect(self, node):
        """What players are shown as text is not part of this interpreter."""
        if node.value is not None:
            fault_if(not self.truth(node.value, self.position), f"line {node.line}")
        elif node.player is None:
            found, wanted = {*self.moves()}, {*node.listing.texts}
            fault_if({"includes": wanted - found, "excludes": wanted & found,
                     None: wanted ^ found}[node.listing.sort], f"line {node.line}: moves {found}")

    def test_moves(self, node):
        fault_if(len(self.moves()) != node.number, f"line {node.line}: {len(self.moves())} moves")

    def test_perft(self, node):
        found = self.game.perft(self.again(), node.depth, node.decisions)
        fault_if(found != node.number, f"line {node.line}: perft {found}, not {node.number}")

    def test_outcomes(self, node):
        ways = self.game.outcomes(self.again())
        for top, under, test in node.cases:
            total = sum(chance for chance, position in ways if self.truth(test, position))
            fault_if(total != Fraction(top, under or 1), f"line {node.line}: probability {total}")

    def test_do(self, node):
        game = self.game
        body = game.statement(node.stmt, game.scope())
        game.run_phase(self.position)
        state = game.state.copy()
        self.go(lambda: game.advance(Position(state, "turn", (), self.position.plies, body)))

    def test_position(self, node):
        game, state = self.game, self.game.new_state()
        player = self.fixed(node.player, game.player) if node.player else 0
        rows = [line for line in node.text.split("\n")
                if line.strip() and not re.match(r"\s*[\w\[\], |]+ ?[=:] ", line)]
        fault_if("/" in node.text, "a FEN")
        game.set_state(state)
        game.set_up(game.diagram("\n".join(rows), {}, node.line))
        state.mover = game.me = player
        if node.body is not None:
            game.events, game.at = [], 0
            game.do_block(node.body, game.scope())({})
        self.start(state, player)

    def start(self, state, player):
        """Begins the turn of a position, unless `end` gives a result first."""
        game, before = self.game, (player - 1) % self.game.player.size
        state.turns, state.upcoming = player, player
        probe = state.copy()
        probe.mover = game.me = before
        game.set_state(probe)
        try:
            game.phases.get("end", lambda f: None)({})
        except Over:
            self.position = Position(probe, "over")
            return
        game.set_state(state)
        self.go(lambda: game.advance(game.begin_turn(0)))


def run(game, request):
    found = []
    for test in game.unit.tests:
        settings = {step.name: step.value for step in test.steps if step.kind == "set"}
        try:
            played = Run(retold(game, settings, request) if settings else game)
            for step in test.steps:
                played.step(step)
            played.begin()
            found.append(played.broken is None)
        except (GameError, ScriptError):
            found.append(False)
    return found


def retold(game, settings, request):
    values = {name: node.name if node.kind == "name" else str(game.unit.constant(node))
              for name, node in settings.items()}
    return engine.load(request["script"], game.unit.main.path, request.get("files"),
                       {**request.get("options", {}), **values})
