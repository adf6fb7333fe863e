"""Games for OpenSpiel, which must be installed.

    import pyspiel
    from ferz.openspiel import register

    register("backgammon", moves=4000)          # a script, or a game that Ferz comes with
    game = pyspiel.load_game("ferz_backgammon")

Actions are those of the game; with `moves=N`, an action is a place in the list of legal moves, of
which there are at most N. A result of chance is its place in the list of outcomes. The returns of
two players are 1, 0 and -1; those of others are the utilities, from 0 to 1. What a player sees is
its observation, as text and as a tensor: the planes, then the values. The information state of a
player is what it has seen and chosen since the beginning.
"""
import os
import re
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np
import pyspiel

from . import games
from .library import Error
from .states import State

MOST = 1 << 20          # actions, results of chance, and decisions unless `length` says otherwise


def _at(found: Sequence[Any], place: int) -> Any:
    if not 0 <= place < len(found):
        raise Error(f"there is no action {place}")
    return found[place]


class _Line:
    """A game in progress, with what happened in it."""

    def __init__(self, rules: "_Rules", events: Tuple[int, ...], state: State):
        self.rules, self.events, self.state = rules, events, state

    def __deepcopy__(self, _memo: Any) -> "_Line":
        return _Line(self.rules, self.events, self.state.copy())

    def __reduce__(self) -> Any:
        return _replayed, (self.rules.name, self.events)

    def actions(self) -> List[int]:
        """Those that are legal, ascending."""
        if self.rules.places is None:
            return sorted(map(int, self.state.actions))
        count = len(self.state.moves)
        if count > self.rules.places:
            raise Error(f"there are {count} legal moves, more than {self.rules.places}")
        return list(range(count))

    def text_of(self, action: int) -> str:
        """A move or a result of chance, as text."""
        state = self.state
        if state.waiting == "chance":
            return state.outcomes[action].text
        places = range(len(state.moves)) if self.rules.places else state.actions
        return dict(zip(map(int, places), state.moves)).get(action, f"action {action}")

    def play(self, action: int) -> None:
        state = self.state
        if state.waiting == "chance":
            state.set_chance(_at(state.outcomes, action))
        elif self.rules.places is None:
            state.play(action)
        else:
            state.play(_at(state.moves, action))
        self.events += (action,)

    def known(self, player: int) -> str:
        """What a player has seen and chosen since the beginning."""
        line = self.rules.begin()
        seen = [line.state.observation(player)]
        for action in self.events:
            if line.state.decider == player:
                seen.append(f"> {line.text_of(action)}\n")
            line.play(action)
            now = line.state.observation(player)
            if now != seen[-1]:
                seen.append(now)
        return "".join(seen)


class _Rules:
    """A game of Ferz under the name that OpenSpiel knows."""

    def __init__(self, game: games.Game, name: str, moves: Optional[int], length: int):
        if moves is None and not 0 < game.actions <= MOST:
            raise ValueError(f"{game.title} has more than {MOST} actions: give `moves`, the "
                             "greatest number of legal moves")
        self.game, self.name, self.places, self.length = game, name, moves, length
        self.actions = moves or game.actions
        self.opposed = len(game.players) == 2 and not game.one_side

    def begin(self) -> _Line:
        return _Line(self, (), self.game.start(chance="ask"))

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
            max_chance_outcomes=MOST if self.game.has_chance else 0,
            num_players=len(self.game.players), min_utility=-1.0 if self.opposed else 0.0,
            max_utility=1.0, max_game_length=self.length, **total)


_REGISTERED: Dict[str, _Rules] = {}


def _replayed(name: str, events: Tuple[int, ...]) -> _Line:
    line = _REGISTERED[name].begin()
    for action in events:
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
        return self.line.actions()

    def chance_outcomes(self) -> List[Tuple[int, float]]:
        found = self.line.state.outcomes
        total = sum(one.weight for one in found)
        return [(i, one.weight / total) for i, one in enumerate(found)]

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
        size = 0 if recalls else game.planes * len(game.sites) + game.values
        self.recalls = recalls
        self.tensor = None if recalls else np.zeros(size, np.float32)
        self.dict = {} if recalls else {"observation": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        if self.tensor is not None:
            seen = state.position.observe(player)
            self.tensor[:] = np.concatenate([seen.planes.ravel(), seen.values.ravel()])

    def string_from(self, state: SpielState, player: int) -> str:
        return state.line.known(player) if self.recalls else state.position.observation(player)


def register(path: Union[str, "os.PathLike[str]"], *, name: Optional[str] = None,
             options: Optional[Mapping[str, games.Setting]] = None, moves: Optional[int] = None,
             length: int = MOST, text: Optional[str] = None) -> str:
    """Makes a game known to pyspiel.load_game; returns its name there: `name`, or "ferz_" and that
    of the script. `path`, `text` and `options` are those of ferz.load. `length`: the greatest
    number of decisions in a game, if you know it."""
    stem = os.path.splitext(os.path.basename(os.fspath(path)))[0]
    known = name or "ferz_" + re.sub(r"\W", "_", stem)
    rules = _Rules(games.load(path, text=text, options=options), known, moves, length)
    _REGISTERED[known] = rules
    pyspiel.register_game(rules.kind(), lambda params: SpielGame(rules, params))
    return known
