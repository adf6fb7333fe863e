"""Games for OpenSpiel, which must be installed.

    import pyspiel
    from ferz.openspiel import register

    register("backgammon", moves=4000)          # a script, or a game that Ferz comes with
    game = pyspiel.load_game("ferz_backgammon")

Actions are those of the game; with `moves=N`, an action is a place in the list of legal moves, of
which there are at most N. A result of chance is its place in the list of outcomes. The returns of
two players are 1, 0 and -1; those of others are the utilities, from 0 to 1. What a player sees is
its observation, as text and as a tensor: the planes, then the values. The information state of a
player is what it has seen and chosen since the beginning; in games that hide nothing, all that
happened.
"""
import ctypes
import functools
import os
import re
from typing import Any, Dict, Iterator, List, Mapping, Optional, Tuple, Union

import numpy as np
import pyspiel

from . import games
from .library import Error
from .states import Outcome, State

MOST = 1 << 20          # actions, results of chance, and decisions unless `length` says otherwise


def _links(chain: Any, end: Any = None) -> Iterator[Any]:
    """The values of a chain of pairs (earlier pairs, value), the latest first, back to `end`."""
    while chain is not end:
        chain, value = chain
        yield value


def _check(count: int, what: str, most: int) -> None:
    if count > most:
        raise Error(f"there are {count} {what}, more than {most}")


class _Line:
    """A game in progress. `past` is the chain of its actions. `memories` has for players, when
    `known` was called last, a copy of the line and the chain of texts. Copies of a line share the
    chains, which never change."""

    def __init__(self, rules: "_Rules", state: State, past: Any = None):
        self.rules, self.state, self.past = rules, state, past
        self.found: Optional[Dict[int, Any]] = None         # see choices
        self.memories: Dict[int, Tuple[_Line, Any]] = {}

    def copy(self) -> "_Line":
        line = _Line(self.rules, self.state.copy(), self.past)
        line.found, line.memories = self.found, dict(self.memories)
        return line

    def __deepcopy__(self, _memo: Any) -> "_Line":
        return self.copy()

    def __reduce__(self) -> Any:
        return _replayed, (self.rules.name, self.since(None))

    def since(self, past: Any) -> List[int]:
        """The actions after that past."""
        return list(_links(self.past, past))[::-1]

    def choices(self) -> Dict[int, Any]:
        """The outcomes or the legal moves, as State takes them, by ascending actions."""
        if self.found is None:
            state, places = self.state, self.rules.places
            if state.waiting == "chance":
                found = dict(enumerate(state.outcomes))
                _check(len(found), "outcomes", self.rules.outcomes)
            elif places is None:
                found = {action: action for action in sorted(state.actions.tolist())}
            else:
                found = dict(enumerate(state._legal()))
                _check(len(found), "legal moves", places)
            self.found = found
        return self.found

    def text_of(self, action: int) -> str:
        """A move or a result of chance, as text."""
        choice = self.choices().get(action)
        if choice is None:
            return f"action {action}"
        return choice.text if isinstance(choice, Outcome) else self.state._notation(choice)

    def play(self, action: int) -> None:
        state = self.state
        if state.waiting == "move" and self.rules.places is None:
            state.play(action)
        elif action not in self.choices():
            raise Error(f"there is no action {action}")
        elif state.waiting == "chance":
            state.set_chance(self.choices()[action])
        else:
            state.play(self.choices()[action])
        self.past, self.found = (self.past, action), None

    def known(self, player: int) -> str:
        """What a player has seen and chosen since the beginning; in a game that hides nothing, all
        moves and outcomes."""
        hides = self.rules.game.hides
        who = player if hides else 0
        if who not in self.memories:
            begun = self.rules.begin()
            self.memories[who] = begun, (None, begun.state.observation(who)) if hides else None
        line, texts = self.memories[who]
        if line.past is not self.past:
            line = line.copy()
            for action in self.since(line.past):
                texts = line.learn(action, who, texts)
            line.past = self.past
            self.memories[who] = line, texts
        return "".join(reversed(list(_links(texts))))

    def learn(self, action: int, player: int, texts: Any) -> Any:
        """Plays on. Returns the texts with those of what the player sees."""
        if not self.rules.game.hides:
            texts = texts, self.text_of(action) + "\n"
            self.play(action)
            return texts
        if self.state.decider == player:
            texts = texts, f"> {self.text_of(action)}\n"
        self.play(action)
        seen = self.state.observation(player)
        return texts if seen == texts[1] else (texts, seen)


class _Rules:
    """A game of Ferz under the name that OpenSpiel knows."""

    def __init__(self, game: games.Game, name: str, moves: Optional[int], length: int,
                 outcomes: int):
        if moves is None and not 0 < game.actions <= MOST:
            raise ValueError(f"{game.title} has more than {MOST} actions: give `moves`, the "
                             "greatest number of legal moves")
        self.game, self.name, self.places = game, name, moves
        self.length, self.outcomes = length, outcomes
        self.actions = moves or game.actions
        self.opposed = len(game.players) == 2 and not game.one_side
        self.first = game.start(chance="ask")

    def begin(self) -> _Line:
        return _Line(self, self.first.copy())

    def kind(self) -> Any:
        sort, game = pyspiel.GameType, self.game
        return sort(
            short_name=self.name, long_name=game.title, dynamics=sort.Dynamics.SEQUENTIAL,
            chance_mode=sort.ChanceMode.EXPLICIT_STOCHASTIC if game.has_chance
            else sort.ChanceMode.DETERMINISTIC,
            information=sort.Information.IMPERFECT_INFORMATION if game.hides
            else sort.Information.PERFECT_INFORMATION,
            utility=sort.Utility.ZERO_SUM if self.opposed else sort.Utility.GENERAL_SUM,
            reward_model=sort.RewardModel.TERMINAL, max_num_players=len(game.players),
            min_num_players=len(game.players), provides_information_state_string=True,
            provides_information_state_tensor=False, provides_observation_string=True,
            provides_observation_tensor=True, parameter_specification={})

    def bounds(self) -> Any:
        total: Dict[str, Any] = {"utility_sum": 0.0} if self.opposed else {}
        return pyspiel.GameInfo(
            num_distinct_actions=self.actions,
            max_chance_outcomes=self.outcomes if self.game.has_chance else 0,
            num_players=len(self.game.players), min_utility=-1.0 if self.opposed else 0.0,
            max_utility=1.0, max_game_length=self.length, **total)


_REGISTERED: Dict[str, _Rules] = {}


def _replayed(name: str, actions: List[int]) -> _Line:
    line = _REGISTERED[name].begin()
    for action in actions:
        line.play(action)
    return line


class SpielGame(pyspiel.Game):
    """A registered game; `game` is that of Ferz."""

    def __init__(self, rules: _Rules, params: Any = None):
        super().__init__(rules.kind(), rules.bounds(), params or {})
        self._rules, self.game = rules, rules.game

    def new_initial_state(self, state: Any = None) -> "SpielState":
        if state is not None:
            raise Error("states are read from their history, not from a structure")
        return SpielState(self)

    def max_chance_nodes_in_history(self) -> int:
        return MOST if self.game.has_chance else 0

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """Of what is public and what is private together: Ferz does not tell them apart."""
        if iig_obs_type is None:
            return _Observer(self.game, False)
        if iig_obs_type.public_info and \
                iig_obs_type.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER:
            return _Observer(self.game, iig_obs_type.perfect_recall)
        return _Nothing()


class SpielState(pyspiel.State):
    """A game in progress; `position` is the state of Ferz."""

    def __init__(self, game: SpielGame):
        super().__init__(game)
        self.line = game._rules.begin()

    @property
    def position(self) -> State:
        return self.line.state

    def current_player(self) -> int:
        waits = self.line.state.waiting
        if waits == "move":
            return self.line.state.decider
        return pyspiel.PlayerId.CHANCE if waits == "chance" else pyspiel.PlayerId.TERMINAL

    def _legal_actions(self, player: int) -> List[int]:
        return list(self.line.choices())

    def chance_outcomes(self) -> List[Tuple[int, float]]:
        found = self.line.choices()
        total = sum(one.weight for one in found.values())
        return [(action, one.weight / total) for action, one in found.items()]

    def _apply_action(self, action: int) -> None:
        self.line.play(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.line.text_of(action)

    def is_terminal(self) -> bool:
        return self.line.state.over

    def returns(self) -> List[float]:
        utilities = self.line.state.utilities
        if utilities is None:
            return [0.0] * len(self.line.rules.game.players)
        return [2 * u - 1 if self.line.rules.opposed else u for u in map(float, utilities)]

    def __str__(self) -> str:
        return self.line.state.position()


class _Nothing:
    """An observation that there is not."""

    tensor, dict = None, {}

    def set_from(self, state: SpielState, player: int) -> None:
        pass

    def string_from(self, state: SpielState, player: int) -> Optional[str]:
        return None


class _Observer:
    """What a player sees now, or with `recalls` has seen, which is a text only."""

    def __init__(self, game: games.Game, recalls: bool):
        self.recalls, self.tensor, self.dict = recalls, None, {}
        if recalls:
            return
        end = game.planes * len(game.sites)
        self.tensor = np.zeros(end + game.values, np.float32)
        parts = {"planes": self.tensor[:end].reshape(game.planes, -1) if end else None,
                 "values": self.tensor[end:] if game.values else None}
        self.dict = {name: part for name, part in parts.items() if part is not None}

    def set_from(self, state: SpielState, player: int) -> None:
        if not self.recalls:
            seen = state.position.observe(player)
            for name, part in self.dict.items():
                part[...] = getattr(seen, name)

    def string_from(self, state: SpielState, player: int) -> str:
        return state.line.known(player) if self.recalls else state.position.observation(player)


def register(path: Union[str, "os.PathLike[str]"], *, name: Optional[str] = None,
             options: Optional[Mapping[str, games.Setting]] = None, moves: Optional[int] = None,
             length: int = MOST, outcomes: int = MOST, text: Optional[str] = None) -> str:
    """Makes a game known to pyspiel.load_game; returns its name there: `name`, or "ferz_" and that
    of the script. `path`, `text` and `options` are those of ferz.load. `length`: the greatest
    number of decisions in a game, if you know it. `outcomes`: that of results of a roll or draw."""
    stem = os.path.splitext(os.path.basename(os.fspath(path)))[0]
    known = name or "ferz_" + re.sub(r"\W", "_", stem)
    rules = _Rules(games.load(path, text=text, options=options), known, moves, length,
                   outcomes)
    _REGISTERED[known] = rules
    create = functools.partial(SpielGame, rules)
    # OpenSpiel releases it after Python has ended. It would abort if that freed an object.
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(create))
    pyspiel.register_game(rules.kind(), create)
    return known
