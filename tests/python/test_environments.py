"""Environments: the games, masks and rewards of states, for those who use PettingZoo or Gymnasium.
Where these are not installed, stand_in has what is used of them."""
import importlib.util
import pathlib
import sys
import unittest

import ferz
import numpy as np
from support import GAMES

for library in ("gymnasium", "pettingzoo"):
    if importlib.util.find_spec(library) is None:
        sys.path.append(str(pathlib.Path(__file__).parent / "stand_in"))
        break

from ferz.environments import Environment, SoloEnvironment  # noqa: E402

# Games of all sorts; those with too many actions by their greatest number of legal moves.
SORTS = {"classic/tic-tac-toe": None, "race/backgammon": 4000, "cards/kuhn": None,
         "cards/whist": None, "stacks/tak": 2000, "puzzles/peg-solitaire": None,
         "cards/goofspiel": None}
ENDLESS = """
game "Endless";
players A, B;
board none;
limit 6 turns draw;
turn { choose "wait" => {} }
"""


def first(mask):
    return int(np.flatnonzero(mask)[0])


def played(env, seed):
    """The whole game in which each agent takes its first action; what each got."""
    env.reset(seed=seed)
    got = {}
    for agent in env.agent_iter():
        observation, reward, ended, truncated, _ = env.last()
        got[agent] = got.get(agent, 0) + reward
        env.step(None if ended or truncated else first(observation["action_mask"]))
    return got


class Together(unittest.TestCase):
    def test_games_are_those_of_states(self):
        for name, moves in SORTS.items():
            game = ferz.load(GAMES / f"{name}.game")
            with self.subTest(name):
                got = played(Environment(game, moves=moves), seed=4)
                state = game.start(seed=4)
                while not state.over:
                    state.play(state.moves[0] if moves else int(state.actions.min()))
                self.assertEqual([got[f"player_{i}"] for i in range(len(game.players))],
                                 list(state.utilities))

    def test_observations_fit_their_space(self):
        for name, moves in SORTS.items():
            env = Environment(ferz.load(GAMES / f"{name}.game"), own=True, moves=moves)
            env.reset()
            for agent in env.agents:
                with self.subTest(name, agent=agent):
                    seen = env.observe(agent)
                    self.assertTrue(env.observation_space(agent).contains(seen))
                    self.assertEqual(seen["action_mask"].any(), agent == env.agent_selection)

    def test_actions_in_the_own_view(self):
        env = Environment(ferz.load(GAMES / "chess/chess.game"), own=True)
        env.reset()
        env.step(first(env.observe("player_0")["action_mask"]))
        mask = env.observe("player_1")["action_mask"]
        board = env.game.board_actions("Black", np.flatnonzero(mask))
        self.assertEqual(sorted(board), sorted(env.position.actions))
        env.step(first(mask))
        self.assertEqual(env.position.plies, 2)

    def test_what_is_hidden_is_not_seen(self):
        env = Environment(ferz.load(GAMES / "cards/kuhn.game"))
        env.reset(seed=3)
        one = env.observe("player_0")["observation"]
        env.reset(seed=3)
        values = env.position.observe(0)["card"]
        self.assertEqual(list(values), [0, -1])
        self.assertTrue(np.array_equal(one, env.observe("player_0")["observation"]))

    def test_seeds(self):
        env = Environment(ferz.load(GAMES / "race/backgammon.game"), moves=4000)
        positions = []
        for seed in (7, None, 7, None):
            env.reset(seed=seed)
            positions.append([env.position.position(), *env.position.moves])
        self.assertEqual(positions[:2], positions[2:])
        self.assertNotEqual(positions[0], positions[1])

    def test_limits_truncate(self):
        env = Environment(ferz.load(text=ENDLESS))
        env.reset()
        for _ in range(6):
            self.assertEqual((any(env.terminations.values()), any(env.truncations.values())),
                             (False, False))
            env.step(0)
        self.assertEqual((any(env.terminations.values()), all(env.truncations.values())),
                         (False, True))
        self.assertEqual(env.rewards, {"player_0": 0.5, "player_1": 0.5})

    def test_an_illegal_action_changes_nothing(self):
        for moves, illegal in ((None, 4), (9, 8)):
            env = Environment(ferz.load(GAMES / "classic/tic-tac-toe.game"), moves=moves)
            env.reset()
            env.step(4)
            with self.assertRaises(ferz.Error):
                env.step(illegal)
            self.assertEqual((env.agent_selection, env.position.plies), ("player_1", 1))


class Alone(unittest.TestCase):
    def test_others_have_moved(self):
        game = ferz.load(GAMES / "classic/tic-tac-toe.game")
        ends = set()
        for seed in range(8):
            env = SoloEnvironment(game, agents=["random" if seed % 2 else "mcts:200", None])
            seen, _ = env.reset(seed=seed)
            ended, plies = False, 1
            while not ended:
                self.assertEqual(env.position.plies, plies)
                self.assertTrue(env.observation_space.contains(seen))
                seen, reward, ended, truncated, _ = env.step(first(seen["action_mask"]))
                plies += 2
            self.assertFalse(truncated)
            self.assertEqual(reward, env.position.utilities[1])
            ends.add(reward)
        self.assertLessEqual({0.0, 1.0}, ends)

    def test_a_puzzle(self):
        env = SoloEnvironment(ferz.load(GAMES / "puzzles/peg-solitaire.game"))
        seen, _ = env.reset()
        self.assertEqual(seen["action_mask"].sum(), 4)

    def test_illegal_actions_may_end_the_game(self):
        env = SoloEnvironment(ferz.load(GAMES / "classic/tic-tac-toe.game"), illegal=-0.5)
        for _ in range(2):
            seen, _ = env.reset(seed=1)
            action = first(seen["action_mask"])
            self.assertEqual(env.step(action)[1:4], (0.0, False, False))
            self.assertEqual(env.step(action)[1:4], (-0.5, True, False))
            self.assertEqual(env.step(-1)[1:4], (-0.5, True, False))

    def test_samples_are_legal(self):
        env = SoloEnvironment(ferz.load(GAMES / "race/backgammon.game"), agents=["random", None],
                              moves=4000)
        env.reset(seed=2)
        ended = False
        while not ended:
            _, _, ended, _, _ = env.step(env.action_space.sample())
        self.assertTrue(env.position.over)

    def test_too_many_moves(self):
        game = ferz.load(GAMES / "race/backgammon.game")
        with self.assertRaises(ValueError):
            SoloEnvironment(game)
        env = SoloEnvironment(game, moves=2)
        with self.assertRaisesRegex(ferz.Error, "legal moves, more than 2"):
            env.reset()

    def test_wrong_agents(self):
        game = ferz.load(GAMES / "classic/tic-tac-toe.game")
        for agents in (["random"], ["random", "random"]):
            with self.assertRaises(ValueError):
                SoloEnvironment(game, agents=agents)


if __name__ == "__main__":
    unittest.main()
