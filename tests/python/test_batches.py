"""Batches: stepped at once, the same games as one at a time; observations."""
import gc
import threading
import unittest

import ferz
import numpy as np
from support import GAMES, ROOT, STONES

# Games of all sorts: chance, secrets, payoffs, teams, stacks, together, cards.
SORTS = ("classic/tic-tac-toe", "chess/chess", "race/backgammon", "cards/kuhn", "cards/whist",
         "stacks/tak", "sow/oware", "hidden/little-stratego", "cards/goofspiel", "go/go")


def sorts():
    for name in SORTS:
        yield name, ferz.load(GAMES / f"{name}.game")


class Stepping(unittest.TestCase):
    def test_random_steps_are_playouts(self):
        for name, game in sorts():
            count = 3 if name == "go/go" else 12
            wanted = game.playouts(count, seed=9)
            for threads in (1, 3):
                with self.subTest(name, threads=threads):
                    batch = game.batch(count, seed=9, threads=threads, reset=False)
                    rewards, plies = np.zeros(wanted.utilities.shape), np.zeros(count)
                    payoffs = np.zeros(wanted.ranks.shape)
                    while (batch.decider >= 0).any():
                        step = batch.step()
                        rewards += step.rewards
                        plies = np.where(step.done, batch.plies, plies)
                        payoffs += 0 if step.payoffs is None else step.payoffs
                    self.assertTrue(np.array_equal(rewards, wanted.utilities))
                    self.assertTrue(np.array_equal(plies, wanted.plies))
                    if game.has_payoffs:
                        self.assertTrue(np.array_equal(payoffs, wanted.payoffs))

    def test_steps_are_those_of_states(self):
        """Actions, places, masks and what is seen agree with a state that plays the same."""
        for name, game in sorts():
            with self.subTest(name):
                random = np.random.default_rng(3)
                batch = game.batch(4, seed=2, reset=False)
                states = [game.start(2, stream) for stream in range(4)]
                for turn in range(25):
                    self.agree(game, batch, states)
                    index = batch.random_index(random)
                    actions, starts = batch.actions
                    for number, state in enumerate(states):
                        if index[number] >= 0:
                            state.play(state.moves[index[number]])
                    if turn % 2 and game.actions:
                        chosen = np.full(4, -1)
                        live = index >= 0
                        chosen[live] = actions[starts[:-1][live] + index[live]]
                        batch.step(chosen)
                    else:
                        batch.step(index=index)

    def agree(self, game, batch, states):
        actions, starts = batch.actions
        self.assertEqual(batch.decider.tolist(), [state.decider for state in states])
        self.assertEqual(batch.plies.tolist(), [state.plies for state in states])
        for number, state in enumerate(states):
            self.assertEqual(actions[starts[number]:starts[number + 1]].tolist(),
                             state.actions.tolist())
        if 0 < game.actions < 10 ** 6:
            mask = batch.mask()
            self.assertEqual([np.flatnonzero(row).tolist() for row in mask],
                             [sorted(state.actions.tolist()) for state in states])
        for player in range(len(game.players)):
            seen = batch.observe(player)
            for number, state in enumerate(states):
                one = state.observe(player)
                self.assertTrue(np.array_equal(one.planes, seen.planes[number]))
                self.assertTrue(np.array_equal(one.values, seen.values[number]))
        mine = batch.observe()
        for number, state in enumerate(states):
            if state.decider >= 0:
                one = state.observe(state.decider)
                self.assertTrue(np.array_equal(one.planes, mine.planes[number]))
                self.assertTrue(np.array_equal(one.values, mine.values[number]))
            else:
                self.assertFalse(mine.planes[number].any() or mine.values[number].any())

    def test_games_begin_again(self):
        game = ferz.load(GAMES / "classic/tic-tac-toe.game")
        one, three = (game.batch(10, seed=4, threads=n) for n in (1, 3))
        ended = 0
        for _ in range(60):
            step, other = one.step(), three.step()
            ended += int(step.done.sum())
            self.assertTrue(np.array_equal(step.endings, other.endings))
            self.assertTrue(np.array_equal(one.streams, three.streams))
            self.assertTrue((one.decider >= 0).all())
            self.assertTrue((step.rewards.sum(axis=1) == step.done).all())
            self.assertTrue((one.plies[step.done] == 0).all())
        self.assertGreater(ended, 50)
        self.assertEqual(int(one.streams.sum()), sum(range(10)) + 10 * ended)

    def test_games_that_end_in_set_up(self):
        """Each end is told once, also of games in which nobody chooses."""
        game = ferz.load(text='game "H"; players A, B; board none; die Coin { HEADS, TAILS }\n'
                         'setup { if roll(Coin) == HEADS win A; }\n'
                         'turn { choose "on" => win B; otherwise draw; } limit 9 turns draw;')
        wanted = game.playouts(600, seed=7).utilities
        batch = game.batch(3, seed=7)
        told = [[], [], []]
        step = batch.first
        for _ in range(90):
            for number in np.flatnonzero(step.done):
                told[number].append(step.rewards[number].tolist())
            step = batch.step()
        for number, ends in enumerate(told):
            self.assertGreater(len(ends), 50)
            self.assertEqual(ends, wanted[number::3][:len(ends)].tolist())

    def test_bad_choices_change_nothing(self):
        game = ferz.load(GAMES / "classic/tic-tac-toe.game")
        batch = game.batch(3)
        for words in ({"actions": [0, 9, 0]}, {"actions": [0, 0, -2]}, {"index": [0, 0, 9]},
                      {"index": [2 ** 62, 0, 0]}, {"actions": [2 ** 62, 0, 0]}):
            with self.subTest(words), self.assertRaises(ferz.Error) as caught:
                batch.step(**words)
            self.assertEqual(caught.exception.status, "usage")
        for choice in (2 ** 64 - 1, 2 ** 63):       # not LEAVE, nor another negative number
            with self.subTest(choice), self.assertRaises(ferz.Error) as caught:
                batch.step(np.array([0, choice, 0], np.uint64))
            self.assertEqual(str(caught.exception), f"game 1: there is no choice {choice}")
        for wrong in ([0, 0], [[0, 0, 0]], [0.0, 0.0, 0.0], 0, "abc", [], [None] * 3):
            with self.subTest(wrong), self.assertRaises(ValueError):
                batch.step(wrong)
        self.assertRaises(TypeError, batch.step, [0, 0, 0], index=[0, 0, 0])
        self.assertEqual(batch.plies.tolist(), [0, 0, 0])
        batch.step(np.array([0, ferz.LEAVE, 8], np.int8))
        self.assertEqual(batch.plies.tolist(), [1, 0, 1])
        batch.step(np.arange(6, dtype=np.int32)[1::2])      # not contiguous
        self.assertEqual(batch.plies.tolist(), [2, 1, 2])
        batch.step(np.array([2, 4, 6], np.uint64))
        self.assertEqual(batch.plies.tolist(), [3, 2, 3])

    def test_finished_games_ignore_choices(self):
        game = ferz.load(text=STONES)
        batch = game.batch(2, reset=False)
        for choice in (2, 2, 0):
            step = batch.step(index=[choice, 0])
        self.assertEqual(step.done.tolist(), [True, False])
        self.assertEqual(step.rewards.tolist(), [[1.0, 0.0], [0.0, 0.0]])
        step = batch.step(index=[5, 0])
        self.assertEqual((step.done.tolist(), batch.counts.tolist()), ([False, False], [0, 3]))
        self.assertEqual(step.rewards.sum(), 0)

    def test_a_script_that_fails(self):
        game = ferz.load("f.game", text='game "F"; players A, B; board none; var n[1..3]: int;\n'
                         'turn { choose for i in 1..4 "{i}" => n[i] += 1; } limit 9 turns draw;')
        batch = game.batch(2, reset=False)
        step = batch.step(index=[3, 0])
        self.assertEqual(step.endings.tolist(), [ferz.Ending.ERROR, ferz.Ending.NOT_ENDED])
        self.assertIn("game 0: f.game:2:", step.failure)
        self.assertRaises(ferz.Error, batch.state, 0)
        self.assertEqual(batch.state(1).plies, 1)
        self.assertRaises(IndexError, batch.state, 2)
        self.assertFalse(batch.observe(0).planes[0].any())

    def test_arrays_are_the_callers(self):
        batch = ferz.load(GAMES / "classic/tic-tac-toe.game").batch(3)
        batch.counts[:] = 0
        self.assertEqual([len(part) for part in batch.actions], [27, 4])

    def test_none_and_nonsense(self):
        game = ferz.load(GAMES / "classic/tic-tac-toe.game")
        empty = game.batch(0)
        self.assertEqual(empty.step().rewards.shape, (0, 2))
        self.assertEqual(empty.mask().shape, (0, 9))
        self.assertEqual(empty.observe().planes.shape, (0, 3, 9))
        with self.assertRaises(ferz.Error) as caught:
            game.batch(2 ** 60)
        self.assertIn(f"no room for {2 ** 60} games", str(caught.exception))
        self.assertEqual(caught.exception.status, "no-memory")
        self.assertRaises(ferz.Error, game.batch(1).observe, 2)


class Agents(unittest.TestCase):
    def test_threads_change_nothing(self):
        for name, agents in (("classic/tic-tac-toe", ["mcts:20", None]),
                             ("race/ur", [None, "random"]), ("cards/kuhn", ["mcts:10", None])):
            with self.subTest(name):
                game = ferz.load(GAMES / f"{name}.game")
                one, three = (game.batch(7, seed=3, threads=n, agents=agents) for n in (1, 3))
                mine = agents.index(None)
                ended = 0
                for _ in range(90):
                    self.assertTrue((one.decider == mine).all())
                    step, other = one.step(), three.step()
                    self.assertTrue(np.array_equal(step.rewards, other.rewards))
                    self.assertTrue(np.array_equal(one.plies, three.plies))
                    self.assertTrue(np.array_equal(one.counts, three.counts))
                    ended += int(step.done.sum())
                self.assertGreater(ended, 2)

    def test_what_they_choose_is_a_function_of_the_position(self):
        """Another game of the batch that goes on differently changes nothing."""
        game = ferz.load(GAMES / "classic/tic-tac-toe.game")
        one, two = (game.batch(2, seed=3, agents=["mcts:30", None]) for _ in range(2))
        one.step(index=[0, 0])
        two.step(index=[0, 1])
        self.assertEqual(one.state(0).position(), two.state(0).position())
        self.assertNotEqual(one.state(1).position(), two.state(1).position())

    def test_agents_play_well(self):
        game = ferz.load(GAMES / "classic/tic-tac-toe.game")
        wins = []
        for agent in ("random", "mcts:60"):
            batch = game.batch(200, seed=2, agents=[None, agent], reset=False)
            rewards = np.zeros(2)
            while (batch.decider >= 0).any():
                rewards += batch.step().rewards.sum(axis=0)
            wins.append(rewards[1] / 200)
        self.assertLess(wins[0], 0.5)
        self.assertGreater(wins[1], 0.7)

    def test_what_is_wrong(self):
        game = ferz.load(GAMES / "classic/tic-tac-toe.game")
        for agents, words in ((["random"], "2 agents"), (["nobody", None], "nobody"),
                              ([None, "mcts:x"], "a whole number")):
            with self.subTest(agents), self.assertRaises(ferz.Error) as caught:
                game.batch(2, agents=agents)
            self.assertIn(words, str(caught.exception))
        hidden = ferz.load(GAMES / "cards/kuhn.game")
        with self.assertRaises(ferz.Error) as caught:
            hidden.batch(2, agents=["greedy", None])
        self.assertEqual(caught.exception.status, "refused")
        self.assertRaises(TypeError, game.batch, 2, agents=[7, None])


class OwnView(unittest.TestCase):
    def test_a_batch_is_its_states(self):
        """Observations, masks, actions and steps in own views are those of states, turned."""
        for name, game in sorts():
            with self.subTest(name):
                random = np.random.default_rng(3)
                batch, board = (game.batch(3, seed=2, reset=False, own=own)
                                for own in (True, False))
                for _ in range(20):
                    self.agree(game, batch, board)
                    index = batch.random_index(random)
                    actions, starts = batch.actions
                    if game.actions:
                        live = index >= 0
                        chosen = np.full(3, ferz.LEAVE)
                        chosen[live] = actions[starts[:-1][live] + index[live]]
                        batch.step(chosen)
                    else:
                        batch.step(index=index)
                    board.step(index=index)

    def agree(self, game, batch, board):
        actions, starts = batch.actions
        plain = board.actions[0]
        self.assertTrue(np.array_equal(batch.decider, board.decider))
        mine = batch.observe()
        for number, who in enumerate(batch.decider):
            if who < 0:
                continue
            turned = actions[starts[number]:starts[number + 1]]
            there = plain[starts[number]:starts[number + 1]]
            self.assertTrue(np.array_equal(game.own_actions(who, there), turned))
            self.assertTrue(np.array_equal(game.board_actions(who, turned), there))
            seen = batch.state(number).observe(who, own=True)
            self.assertTrue(np.array_equal(seen.planes, mine.planes[number]))
            self.assertTrue(np.array_equal(seen.values, mine.values[number]))
            self.assertEqual((seen.player, seen.decider), (who, 0))
            plain_seen = batch.state(number).observe(who)
            self.assertEqual(int(seen.planes.sum()), int(plain_seen.planes.sum()))
        if 0 < game.actions < 10 ** 6:
            self.assertEqual([np.flatnonzero(row).tolist() for row in batch.mask()],
                             [sorted(actions[a:b].tolist()) for a, b in zip(starts, starts[1:])])

    def test_chess_is_mirrored(self):
        game = ferz.load(GAMES / "chess/chess.game")
        first = game.start().observe("White", own=True)
        second = game.start().observe("Black", own=True)
        self.assertTrue(np.array_equal(first.pieces, second.pieces))
        self.assertEqual(game.own_sites("Black").reshape(8, 8)[0].tolist(), list(range(56, 64)))
        self.assertEqual(game.own_sites("White").tolist(), list(range(64)))
        state = game.start().play("e2-e4").play("e7-e5")
        white = game.start().play("e2-e4").observe("White", own=True)
        black = game.start().play("a2-a3").play("e7-e5").observe("Black", own=True)
        self.assertTrue(np.array_equal(white.pieces[0], black.pieces[0]))
        self.assertEqual((state.observe(1, own=True).mover, state.observe(0, own=True).mover),
                         (1, 0))

    def test_players_follow_in_turn(self):
        game = ferz.load(GAMES / "cards/whist.game")
        batch = game.batch(2, own=True)
        for player in range(4):
            seen = batch.observe(player)
            self.assertEqual(seen.player.tolist(), [player] * 2)
            self.assertEqual(seen.decider.tolist(), [(who - player) % 4 for who in batch.decider])

    def test_what_is_wrong(self):
        game = ferz.load(GAMES / "classic/tic-tac-toe.game")
        self.assertRaises(ferz.Error, game.own_sites, 2)
        self.assertEqual(game.own_actions(1, [-1, 9, 0]).tolist(), [-1, 9, 8])
        self.assertEqual(game.own_actions(1, 0).tolist(), 8)


class Observing(unittest.TestCase):
    def test_features(self):
        game = ferz.load(GAMES / "chess/chess.game")
        seen = game.start().play("e2-e4").observe(1)
        self.assertEqual(seen.pieces.shape, (3, len(game.kinds), 64))
        pawn = [kind.name for kind in game.kinds].index("Pawn")
        rows = seen.pieces[0, pawn].reshape(8, 8)
        self.assertEqual(rows.sum(axis=1).tolist(), [0, 7, 0, 1, 0, 0, 0, 0])
        self.assertEqual((seen.mover, seen.decider, seen.plies), (1, 1, 1))
        self.assertEqual(game.planes, seen.planes.shape[0])
        self.assertEqual(game.values, seen.values.shape[0])
        self.assertRaises(AttributeError, lambda: seen.pots)
        self.assertRaises(KeyError, lambda: seen["pots"])

    def test_variables(self):
        state = ferz.load(GAMES / "sow/oware.game").start()
        names = [variable.name for variable in state.game.variables]
        for name in names:
            self.assertTrue(np.array_equal(state.observe(0)[name], state.value(name)), name)

    def test_stacks(self):
        state = ferz.load(GAMES / "stacks/tak.game").start(4)
        for _ in range(60):
            if not state.over:
                state.play_random()
        seen = state.observe(0)
        top = (seen.pieces.sum(axis=(0, 1)) > 0)
        self.assertTrue(np.array_equal(seen.heights > 0, top))
        self.assertTrue(np.array_equal((seen.below > 0).sum(axis=1) + top, seen.heights))

    def test_what_is_hidden_is_not_there(self):
        """Of all deals, a player sees three cards and never the other's."""
        game = ferz.load(GAMES / "cards/kuhn.game")
        batch = game.batch(200, seed=8)
        for player in (0, 1):
            seen = batch.observe(player)["card"]
            self.assertEqual(len(np.unique(seen, axis=0)), 3)
            self.assertEqual(len(np.unique(seen[:, 1 - player])), 1)

    def test_arrays_outlive_the_batch(self):
        game = ferz.load(ROOT / "games/classic/tic-tac-toe.game")
        batch = game.batch(5)
        step, seen, decider = batch.step(), batch.observe(), batch.decider
        state = batch.state(3)
        del batch, game
        gc.collect()
        self.assertEqual((step.rewards.sum(), seen.planes.sum(), decider.sum()), (0, 5, 5))
        self.assertEqual(state.plies, 1)

    def test_threads_share_a_batch(self):
        batch = ferz.load(GAMES / "race/ur.game").batch(64, threads=2)
        failures = []

        def work():
            try:
                for _ in range(20):
                    batch.step()
                    batch.actions, batch.observe()
            except Exception as broken:     # noqa: BLE001
                failures.append(broken)
        threads = [threading.Thread(target=work) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])


if __name__ == "__main__":
    unittest.main()
