#!/usr/bin/env python3
"""The reference interpreter as an implementation of the conformance suite: answers requests, one a
line (docs/spec/conformance.md)."""
import json
import sys
import traceback
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.setrecursionlimit(20000)
sys.set_int_max_str_digits(0)
from board import members                                                       # noqa: E402
from expressions import BOOL, GameError, fault_if                                         # noqa: E402
from game import Game                                                           # noqa: E402
from words import ScriptError                                                   # noqa: E402
from unit import Unit, reader                                                   # noqa: E402

LIBRARY = HERE.parents[1] / "stdlib"
GAMES = HERE.parents[1] / "games"


def folders():
    return [LIBRARY, GAMES, *sorted(p for p in GAMES.iterdir() if p.is_dir())]


def load(text, path="case.game", files=None, settings=None):
    return Game(Unit(path, text, reader(files or {}, folders()), settings))


def value_of(kind, value):
    """A value as data."""
    if kind.name == "set":
        return [value_of(kind.member, v) for v in members(value)]
    if kind is BOOL:
        return bool(value)
    if kind.values is None:
        return value
    if value < 0:
        return None
    return kind.values[value] if kind.name == "kind" else kind.text(value)


def elements(game, var, values, indexes, start=0):
    if not indexes:
        return value_of(var.kind, values[start])
    if var.kind is BOOL and indexes == [game.site]:
        return [game.site.text(s) for s in range(game.site.size) if values[start + s]]
    kind, size = indexes[0], 1
    for other in indexes[1:]:
        size *= other.size
    low = kind.low or 0
    return {str(value_of(kind, i + low)).lower() if kind is BOOL else
            str(value_of(kind, i + low)): elements(game, var, values, indexes[1:], start + i * size)
            for i in range(kind.size)}


def hidden(game, var, values, player):
    """A variable as a player knows it."""
    found = elements(game, var, values, var.indexes)
    if player is None or "secret" not in var.marks:
        return found

    def veil(part, indexes):
        if isinstance(part, dict):
            kind = indexes[0]
            return {key: one if kind is game.player and key == game.player.text(player)
                    else veil(one, indexes[1:]) for key, one in part.items()}
        return "?"
    return veil(found, var.indexes)


def state_of(game, position, waits, player=None):
    """The state as data, and the moves."""
    state = game.state
    me, game.me = game.me, waits.decider if waits and waits.moves is not None else state.mover
    names = game.player.values
    answer = {
        "players": names, "mover": names[state.mover] if state.turns or True else None,
        "decider": names[waits.decider] if waits and waits.moves is not None else None,
        "waiting": "over" if state.ranks else "move" if waits and waits.moves is not None
        else "chance", "over": bool(state.ranks), "turns": state.turns, "plies": position.plies,
        "sites": sites_of(game, player),
        "variables": {var.name: hidden(game, var, state.vars[var.number], player)
                      for var in game.variables},
        "shown": shown(game), "result": result_of(game) if state.ranks else None}
    if waits and waits.moves is not None:
        game.me = me
        answer["moves"] = [{"text": text} for text in game.texts(waits.moves)]
    else:
        answer["moves"] = []
    game.me = me
    return answer


def sites_of(game, player):
    found = []
    unknown = empty = 0
    if player is not None:
        me, game.me = game.me, player
        unknown, empty = (game.called(game.function(
            game.unit.prelude.slots["call", name, 1]), [lambda f: player])({})
            for name in ("unseen", "invisible"))
        game.me = me
    for s, stack in enumerate(game.state.pieces):
        name = game.site.text(s)
        pieces = [{"kind": game.kind.values[k], "owner": game.player.values[p] if p >= 0 else None}
                  for k, p in stack]
        if unknown >> s & 1:
            found.append({"site": name, "unknown": True})
        elif pieces and not empty >> s & 1:
            found.append({"site": name, **pieces[-1], **({"pieces": pieces} if game.stacks > 1
                                                         else {})})
    return found


def shown(game):
    found = {}
    for name, file in game.unit.shown.items():
        slot = game.unit.find(file, ("name", name))
        if slot and slot.decl.kind == "let" and not slot.decl.params:
            table = game.let(slot)
            found[name] = value_of(table.kind, game.called(table, [])({}))
    return found


def result_of(game):
    state = game.state
    sort = game.unit.prelude.slots["call", "payoff", 1]
    result = {"ranks": state.ranks, "utilities": state.utilities, "stopped": state.stopped}
    if sort.decl.file is not game.unit.prelude:
        result["payoffs"] = []
        for p in range(game.player.size):
            game.me = p
            result["payoffs"].append(game.called(game.function(sort), [lambda f: p])({}))
    return result


def after_event(game, position, waits, event):
    """The position after a move by its text, or a result of chance in braces."""
    if event.startswith("{") and event.endswith("}") and waits and waits.results is not None:
        for value in waits.results:
            kind = waits.kind
            if event[1:-1] in (kind.text(value), kind.values[value] if kind.finite and value >= 0
                               else None):
                return game.advance(position.after(("chance", value)))
        raise GameError(f"no such result of chance: {event}")
    fault_if(waits is None or waits.moves is None,
             f"'{event}' is not possible: {'over' if waits is None else 'chance'}")
    texts = game.texts(waits.moves)
    fault_if(event not in texts, f"'{event}' is not legal")
    return game.advance(position.after(("move", waits.moves[texts.index(event)].key)))


def settle(game, position, waits):
    """Lets chance happen that nobody gives: its first result."""
    while waits is not None and waits.results is not None:
        value = next(iter(waits.results))
        position, waits = game.advance(position.after(("chance", value)))
    return position, waits


def answer(request):
    game = load(request["script"], "case.game", request.get("files"), request.get("options"))
    if request.get("tests"):
        import script_tests
        return {"tests": script_tests.run(game, request)}
    position, waits = game.beginning()
    events = request.get("events", [])
    for number, event in enumerate(events):
        if waits is not None and waits.results is not None and not event.startswith("{"):
            position, waits = settle(game, position, waits)
        position, waits = after_event(game, position, waits, event)
    player = request.get("player")
    if player is not None:
        player = game.player.values.index(player)
    for kind in ("perft", "decisions"):
        if kind in request:
            return {kind: game.perft(position, waits, request[kind], kind == "decisions")}
    if request.get("outcomes"):
        found = []
        for probability, at, more in game.outcomes(position, waits):
            game.run_phase(at)
            found.append({"probability": str(probability), **state_of(game, at, more)})
        return {"outcomes": found}
    position, waits = settle(game, position, waits)
    return state_of(game, position, waits, player)


def safe_answer(request):
    try:
        return answer(request)
    except ScriptError as error:
        return {"error": {"code": error.code, "line": error.line}}
    except GameError as error:
        return {"failed": {"message": str(error)}}
    except Exception as error:                  # a fault of this program fails a case, not all
        where = traceback.extract_tb(error.__traceback__)[-1]
        return {"failed": {"message": f"{error!r} at {where.name}:{where.lineno}"}}


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(safe_answer(json.loads(line))), flush=True)
