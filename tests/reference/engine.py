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
from expressions import BOOL, GameError, fault_if                               # noqa: E402
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


def state_of(game, position, player=None):
    """The state as data, and the moves."""
    state, waits, names = game.state, position.waits, game.player.values
    answer = {
        "players": names, "mover": names[state.mover],
        "decider": names[waits.decider] if waits.moves else None,
        "waiting": "over" if state.ranks else "move" if waits.moves else "chance",
        "over": bool(state.ranks), "turns": state.turns, "plies": position.plies,
        "result": result_of(game) if state.ranks else None}
    with game.setting(me=waits.decider if waits.moves else state.mover):
        answer["sites"] = sites_of(game, player)
        answer["variables"] = {var.name: hidden(game, var, state.vars[var.number], player)
                               for var in game.variables}
        answer["shown"] = shown(game)
    answer["moves"] = [{"text": text} for text in game.texts(waits.moves or [])]
    return answer


def sites_of(game, player):
    found = []
    unknown = empty = 0
    if player is not None:
        with game.setting(me=player):
            unknown, empty = (game.run(game.table(game.unit.prelude.slots["call", name, 1]),
                                       [player]) for name in ("unseen", "invisible"))
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
            table = game.table(slot)
            found[name] = value_of(table.kind, game.called(table, [])({}))
    return found


def result_of(game):
    state = game.state
    payoff = game.unit.prelude.slots["call", "payoff", 1]
    result = {"ranks": state.ranks, "utilities": state.utilities, "stopped": state.stopped}
    if payoff.decl.file is not game.unit.prelude:
        result["payoffs"] = []
        for p in range(game.player.size):
            with game.setting(me=p):
                result["payoffs"].append(game.run(game.table(payoff), [p]))
    return result


def after_event(game, position, event):
    """The position after a move by its text, or a result of chance in braces."""
    waits = position.waits
    if event.startswith("{") and event.endswith("}") and waits.results:
        for value in waits.results:
            kind = waits.kind
            if event[1:-1] in (kind.text(value), kind.values[value] if kind.finite and value >= 0
                               else None):
                return game.advance(position.after(("chance", value)))
        raise GameError(f"no such result of chance: {event}")
    fault_if(not waits.moves, f"'{event}' is not possible: {'chance' if waits.any else 'over'}")
    texts = game.texts(waits.moves)
    fault_if(event not in texts, f"'{event}' is not legal")
    return game.advance(position.after(("move", waits.moves[texts.index(event)].key)))


def settle(game, position):
    """Lets chance happen that nobody gives: its first result."""
    while position.waits.results:
        value = next(iter(position.waits.results))
        position = game.advance(position.after(("chance", value)))
    return position


def answer(request):
    game = load(request["script"], "case.game", request.get("files"), request.get("options"))
    if request.get("tests"):
        import script_tests
        return {"tests": script_tests.run(game, request)}
    position = game.beginning()
    for event in request.get("events", []):
        if not event.startswith("{"):
            position = settle(game, position)
        position = after_event(game, position, event)
    player = request.get("player")
    if player is not None:
        player = game.player.values.index(player)
    for kind in ("perft", "decisions"):
        if kind in request:
            return {kind: game.perft(position, request[kind], kind == "decisions")}
    if request.get("outcomes"):
        found = []
        for probability, at in game.outcomes(position):
            game.run_phase(at)
            found.append({"probability": str(probability), **state_of(game, at)})
        return {"outcomes": found}
    return state_of(game, settle(game, position), player)


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
