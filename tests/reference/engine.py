#!/usr/bin/env python3
"""The reference interpreter as an implementation of the conformance suite: answers requests, one a
line (docs/spec/conformance.md), and runs the tests of scripts (chapter 13)."""
import json
import re
import sys
from fractions import Fraction
from math import prod
from pathlib import Path

from board import members
from expressions import BOOL, GameError, fault_if
from game import Game, Position
from statements import Over
from syntax import ScriptError
from unit import Unit, reader

sys.setrecursionlimit(20000)
sys.set_int_max_str_digits(0)
HERE = Path(__file__).resolve().parent
GAMES = HERE.parents[1] / "games"
FOLDERS = [HERE.parents[1] / "stdlib", GAMES, *sorted(p for p in GAMES.iterdir() if p.is_dir())]


def load(text, path="case.game", files=None, settings=None):
    return Game(Unit(path, text, reader(files or {}, FOLDERS), settings))


def value_of(kind, value):
    if kind.name == "set":
        return [value_of(kind.member, v) for v in members(value)]
    if kind is BOOL or not kind.finite:
        return bool(value) if kind is BOOL else value
    return None if value < 0 else kind.values[value] if kind.name == "kind" else kind.text(value)


def elements(game, var, player, indexes, start=0, hidden=False):
    """A variable as data, or the elements from `start`; `?` where they are hidden from a player."""
    values = game.state.vars[var.number]
    if not indexes:
        return "?" if hidden else value_of(var.kind, values[start])
    if var.kind is BOOL and indexes == [game.site]:
        return "?" if hidden else [site for s, site in enumerate(game.site.values)
                                   if values[start + s]]
    kind, size = indexes[0], prod(other.size for other in indexes[1:])
    texts = [str(value_of(kind, i + (kind.low or 0))) for i in range(kind.size)]
    return {text.lower() if kind is BOOL else text: elements(
        game, var, player, indexes[1:], start + i * size,
        hidden and not (kind is game.player and i == player)) for i, text in enumerate(texts)}


def state_of(game, position, player=None):
    state, waits, names = game.state, position.waits, game.player.values
    with game.setting(me=waits.decider if waits.moves else state.mover):
        return {
            "players": names, "mover": names[state.mover],
            "decider": names[waits.decider] if waits.moves else None,
            "waiting": "over" if state.ranks else "move" if waits.moves else "chance",
            "over": bool(state.ranks), "turns": state.turns, "plies": position.plies,
            "result": result_of(game) if state.ranks else None, "sites": sites_of(game, player),
            "variables": {var.name: elements(game, var, player, var.indexes, 0, player is not None
                                             and "secret" in var.marks) for var in game.variables},
            "shown": dict(shown(game)),
            "moves": [{"text": text} for text in game.texts(waits.moves or [])]}


def of_prelude(game, name, player):
    with game.setting(me=player):
        return game.run(game.table(game.unit.prelude.slots["call", name, 1]), [player])


def sites_of(game, player):
    found, unknown, empty = [], 0, 0
    if player is not None:
        unknown, empty = (of_prelude(game, name, player) for name in ("unseen", "invisible"))
    for s, stack in enumerate(game.state.pieces):
        site = {"site": game.site.text(s)}
        pieces = [{"kind": game.kind.values[k], "owner": game.player.values[p] if p >= 0 else None}
                  for k, p in stack]
        if unknown >> s & 1:
            found.append({**site, "unknown": True})
        elif pieces and not empty >> s & 1:
            found.append({**site, **pieces[-1], **({"pieces": pieces} if game.stacks > 1 else {})})
    return found


def shown(game):
    for name, file in game.unit.shown.items():
        slot = game.unit.find(file, ("name", name))
        if slot and slot.decl.kind == "let" and not slot.decl.params:
            table = game.table(slot)
            yield name, value_of(table.kind, game.called(table, [])[1]({}))


def result_of(game):
    state, payoff = game.state, game.unit.prelude.slots["call", "payoff", 1]
    result = {"ranks": state.ranks, "utilities": state.utilities, "stopped": state.stopped}
    if payoff.decl.file is not game.unit.prelude:
        result["payoffs"] = [of_prelude(game, "payoff", p) for p in range(game.player.size)]
    return result


def after_event(game, position, event):
    """The position after a move by its text, or a result of chance in braces."""
    waits, kind = position.waits, position.waits.kind
    if event.startswith("{") and event.endswith("}") and waits.results:
        for value in waits.results:
            if event[1:-1] in (kind.text(value), kind.finite and value >= 0 and kind.values[value]):
                return game.advance(position.after(("chance", value)))
        raise GameError(f"no such result of chance: {event}")
    fault_if(not waits.moves, f"'{event}' is not possible: {'chance' if waits.any else 'over'}")
    texts = game.texts(waits.moves)
    fault_if(event not in texts, f"'{event}' is not legal")
    return game.advance(position.after(("move", waits.moves[texts.index(event)].key)))


def settle(game, position):
    """Lets chance happen that nobody gives: its first result."""
    while position.waits.results:
        position = game.advance(position.after(("chance", next(iter(position.waits.results)))))
    return position


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
                number = self.game.fixed(self.given.pop(0), self.game.scope(), waits.kind)
                fault_if(number not in waits.results, "no such result of chance")
                self.position = self.game.advance(self.position.after(("chance", number)))
        except GameError as error:
            self.position, self.broken = before, str(error)
            if self.position is not None:
                self.game.run_phase(self.position)

    def again(self):
        self.position = self.game.advance(self.position)
        return self.position

    def truth(self, node, position):
        game = self.game
        fn = game.value(node, game.scope(), BOOL)
        game.run_phase(position)
        game.me = position.waits.decider if position.waits.moves else game.state.mover
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
                self.go(lambda: after_event(self.game, self.again(), text))

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
        player = game.fixed(node.player, game.scope(), game.player) if node.player else 0
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


def tests(game, request):
    """Whether each test passes. One that sets options has a game of its own."""
    found = []
    for test in game.unit.tests:
        settings = {step.name: step.value.name or str(game.unit.constant(step.value))
                    for step in test.steps if step.kind == "set"}
        try:
            played = Run(game if not settings else load(
                request["script"], game.unit.main.path, request.get("files"),
                {**request.get("options", {}), **settings}))
            for step in test.steps:
                played.step(step)
            played.begin()
            found.append(played.broken is None)
        except (GameError, ScriptError):
            found.append(False)
    return found


def answer(request):
    game = load(request["script"], "case.game", request.get("files"), request.get("options"))
    if request.get("tests"):
        return {"tests": tests(game, request)}
    position = game.beginning()
    for event in request.get("events", []):
        if not event.startswith("{"):
            position = settle(game, position)
        position = after_event(game, position, event)
    for kind in ("perft", "decisions"):
        if kind in request:
            return {kind: game.perft(position, request[kind], kind == "decisions")}
    if request.get("outcomes"):
        return {"outcomes": [{"probability": str(probability),
                              **state_of(game, game.run_phase(at))}
                             for probability, at in game.outcomes(position)]}
    player = request.get("player")
    return state_of(game, settle(game, position),
                    None if player is None else game.player.values.index(player))


def safe_answer(request):
    try:
        return answer(request)
    except ScriptError as error:
        return {"error": {"code": error.code, "line": error.line}}
    except GameError as error:
        return {"failed": {"message": str(error)}}
    except Exception as error:                  # a fault of this program fails a case, not all
        return {"failed": {"message": repr(error)}}


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(safe_answer(json.loads(line))), flush=True)
