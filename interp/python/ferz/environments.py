"""Games as environments of PettingZoo and Gymnasium, which must be installed.

    import ferz
    from ferz.environments import Environment, SoloEnvironment

    env = Environment(ferz.load("tic-tac-toe"))                         # all players choose
    env = SoloEnvironment(ferz.load("tic-tac-toe"), agents=[None, "mcts:50"])

An observation is a dict: `observation` has the planes and then the values of what the player sees
(int32), `action_mask` a 1 for each legal action. Actions are those of the game; with `moves=N`, an
action is a place in the list of legal moves, of which there are at most N. Rewards come at the end
of a game and are the utilities: 1 is a win, 0 a loss, 0.5 a draw of two players. A game that
`limit` ends is truncated.
"""
from typing import Any, Dict, Optional, Sequence

import gymnasium
import numpy as np
import pettingzoo
from gymnasium import spaces

from .games import Game
from .library import Error
from .states import Ending, State

MOST = 1 << 20      # actions with a mask


def _space(game: Game, actions: int) -> spaces.Dict:
    planes, values = game.planes * len(game.sites), game.values
    numbers = np.iinfo(np.int32)
    low = np.concatenate([np.zeros(planes, np.int32), np.full(values, numbers.min, np.int32)])
    high = np.concatenate([np.full(planes, 255, np.int32), np.full(values, numbers.max, np.int32)])
    return spaces.Dict({"observation": spaces.Box(low, high, dtype=np.int32),
                        "action_mask": spaces.Box(0, 1, (actions,), np.int8)})


class _Table:
    """A game that begins again and again: each time with the next stream of the seed."""

    def __init__(self, game: Game, own: bool, moves: Optional[int], render_mode: Optional[str]):
        if moves is None and not 0 < game.actions <= MOST:
            raise ValueError(f"this game has no actions, or more than {MOST}: give `moves`, the "
                             "greatest number of legal moves")
        if render_mode not in (None, "ansi", "human"):
            raise ValueError(f"there is no render mode {render_mode!r}")
        self.game, self.own, self.places, self.render_mode = game, own, moves, render_mode
        self.actions = moves or game.actions
        self.seed, self.stream = 1, -1
        self.state: State = game.start()

    def seen(self, player: int) -> Dict[str, np.ndarray]:
        seen = self.state.observe(player, own=self.own)
        mask = np.zeros(self.actions, np.int8)
        if self.state.decider == player:
            mask[self._legal(player)] = 1
        return {"observation": np.concatenate([seen.planes.ravel().astype(np.int32),
                                               seen.values.ravel()]),
                "action_mask": mask}

    def _legal(self, player: int) -> Any:
        if self.places is None:
            actions = self.state.actions
            return self.game.own_actions(player, actions) if self.own else actions
        count = len(self.state.moves)
        if count > self.places:
            raise Error(f"there are {count} legal moves, more than {self.places}")
        return slice(count)

    def begin(self, seed: Optional[int]) -> None:
        self.seed, self.stream = (self.seed, self.stream + 1) if seed is None else (seed, 0)
        self.state = self.game.start(seed=self.seed, stream=self.stream)

    def play(self, action: int) -> None:
        number = int(action)
        if self.places is not None:
            moves = self.state.moves
            if not 0 <= number < len(moves):
                raise Error(f"there is no legal move {number}")
            self.state.play(moves[number])
        elif self.own:
            self.state.play(int(self.game.board_actions(self.state.decider, number)))
        else:
            self.state.play(number)
        self.render()

    def truncated(self) -> bool:
        return self.state.ending is Ending.LIMIT

    def render(self) -> Optional[str]:
        if self.render_mode == "human":
            print(self.state)
        return str(self.state) if self.render_mode == "ansi" else None


class Environment(pettingzoo.AECEnv):
    """A game whose players choose in turn, for PettingZoo. Agents are called player_0, player_1 and
    so on, in the order of `game.players`. `own`: observations and actions are in the own view of
    the player. `reset(seed)` begins the game of that seed; without a seed, another one follows.
    `render_mode`: "ansi" makes `render()` return the board as text, "human" prints it."""

    metadata = {"name": "ferz", "render_modes": ["ansi", "human"], "is_parallelizable": False}

    def __init__(self, game: Game, own: bool = False, moves: Optional[int] = None,
                 render_mode: Optional[str] = None):
        super().__init__()
        self._table = _Table(game, own, moves, render_mode)
        self.game, self.render_mode = game, render_mode
        self.possible_agents = [f"player_{i}" for i in range(len(game.players))]
        self.agents = list(self.possible_agents)
        self._numbers = {name: i for i, name in enumerate(self.possible_agents)}
        actions = self._table.actions
        self.observation_spaces = {name: _space(game, actions) for name in self.possible_agents}
        self.action_spaces = {name: spaces.Discrete(actions) for name in self.possible_agents}

    @property
    def position(self) -> State:
        """The game as it stands."""
        return self._table.state

    def observation_space(self, agent: str) -> spaces.Space:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space:
        return self.action_spaces[agent]

    def observe(self, agent: str) -> Dict[str, np.ndarray]:
        return self._table.seen(self._numbers[agent])

    def reset(self, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None) -> None:
        self._table.begin(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict(self.rewards)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict(self.terminations)
        self.infos: Dict[str, Dict[str, Any]] = {name: {} for name in self.agents}
        self._go_on(self.agents[0])

    def _go_on(self, last: str) -> None:
        """After a move, or at the beginning: who chooses, or how the game ended."""
        state = self._table.state
        if not state.over:
            self.agent_selection = self.possible_agents[state.decider]
            return
        ended = self.truncations if self._table.truncated() else self.terminations
        ended.update(dict.fromkeys(ended, True))
        self.rewards = dict(zip(self.possible_agents, map(float, state.utilities)))
        self._accumulate_rewards()
        self.agent_selection = last

    def step(self, action: Optional[int]) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._table.play(action)
        self._cumulative_rewards[agent] = 0.0
        self._go_on(agent)

    def render(self) -> Optional[str]:
        return self._table.render()

    def close(self) -> None:
        pass


class _Legal(spaces.Discrete):
    """Actions of which `sample` without a mask gives a legal one, as checks of environments do."""

    def __init__(self, env: "SoloEnvironment", actions: int):
        super().__init__(actions)
        self._env = env

    def sample(self, mask: Optional[np.ndarray] = None, **more: Any) -> Any:
        if mask is None and not self._env.position.over:
            mask = self._env.seen()["action_mask"]
        return super().sample(mask, **more)


class SoloEnvironment(gymnasium.Env):
    """A game of which one player is to learn, for Gymnasium. `agents`: who plays, an agent for each
    other player and None for the learner; without it, the learner plays all. `illegal`: the reward
    of an illegal action, which then ends the game; without it, such an action is an error."""

    metadata = {"render_modes": ["ansi", "human"]}

    def __init__(self, game: Game, agents: Optional[Sequence[Optional[str]]] = None,
                 own: bool = False, moves: Optional[int] = None,
                 render_mode: Optional[str] = None, illegal: Optional[float] = None):
        self._table = _Table(game, own, moves, render_mode)
        self.game, self.render_mode, self.illegal = game, render_mode, illegal
        self._agents = list(agents) if agents else [None] * len(game.players)
        if len(self._agents) != len(game.players) or None not in self._agents:
            raise ValueError("agents: one for each player, and None for the learner")
        self._learner = self._agents.index(None)
        self.observation_space = _space(game, self._table.actions)
        self.action_space = _Legal(self, self._table.actions)

    @property
    def position(self) -> State:
        """The game as it stands."""
        return self._table.state

    def seen(self) -> Dict[str, np.ndarray]:
        """The observation of the one who chooses; of the learner when the game is over."""
        state = self._table.state
        player = state.decider if not state.over and self._agents[state.decider] is None \
            else self._learner
        return self._table.seen(player)

    def _let_agents_play(self) -> None:
        state = self._table.state
        while not state.over and self._agents[state.decider]:
            state.play(state.choose(self._agents[state.decider], self._table.stream + 1))

    def reset(self, *, seed: Optional[int] = None,
              options: Optional[Dict[str, Any]] = None) -> Any:
        super().reset(seed=seed)
        self._table.begin(seed)
        self._let_agents_play()
        return self.seen(), {}

    def step(self, action: int) -> Any:
        player = self._table.state.decider
        if self.illegal is not None and action not in np.flatnonzero(self.seen()["action_mask"]):
            return self.seen(), self.illegal, True, False, {}
        self._table.play(action)
        self._let_agents_play()
        state, truncated = self._table.state, self._table.truncated()
        reward = float(state.utilities[player]) if state.over else 0.0
        return self.seen(), reward, state.over and not truncated, truncated, {}

    def render(self) -> Optional[str]:
        return self._table.render()
