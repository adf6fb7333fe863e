"""Compiling games and playing them one at a time."""
import gc
import os
import tempfile
import threading
import unittest

import ferz
from support import GAMES, STONES


class Loading(unittest.TestCase):
    def test_what_a_game_says_of_itself(self):
        game = ferz.load(text=STONES, options={"Most": 2})
        self.assertEqual(game.title, "Seven stones")
        self.assertEqual([player.name for player in game.players], ["First", "Second"])
        self.assertEqual(game.options, [ferz.Option("Most", "2", False, "3", 2, 4, (), "")])
        self.assertEqual([(v.name, v.length, v.is_sites, v.is_secret) for v in game.variables],
                         [("stones", 1, False, False)])
        self.assertEqual((game.hides, game.has_payoffs, game.one_side), (False, False, False))
        self.assertEqual(game.start().moves, ["1", "2"])
        board = ferz.load(GAMES / "classic/tic-tac-toe.game")
        self.assertEqual(board.sites[:4], ["a1", "b1", "c1", "a2"])
        self.assertEqual([kind.letter for kind in board.kinds], ["X"])

    def test_games_by_name(self):
        self.assertEqual(ferz.load("tic-tac-toe").title, "Tic-Tac-Toe")
        by_family = ferz.load("race/ur", options={})
        self.assertEqual(by_family.title, "Royal Game of Ur")
        self.assertTrue(os.path.isfile(by_family.path))
        with self.assertRaises(ferz.Error) as caught:
            ferz.load("no-such-game")
        self.assertEqual(caught.exception.status, "not-found")

    def test_a_state_is_data(self):
        state = ferz.load(GAMES / "cards/kuhn.game").start()
        decider = state.data()["decider"]
        other = next(name for name in state.data()["players"] if name != decider)
        self.assertEqual([move["text"] for move in state.data(moves=True)["moves"]], state.moves)
        self.assertEqual(len(state.data(decider, moves=True)["moves"]), len(state.moves))
        self.assertIsNone(state.data(other, moves=True)["moves"])
        self.assertNotIn("moves", state.data(other))
        self.assertEqual(state.data(other)["player"], other)
        self.assertNotEqual(state.data(other)["variables"], state.data()["variables"])

    def test_engines_play_the_same_games(self):
        with tempfile.TemporaryDirectory() as cache:
            os.environ.update(XDG_CACHE_HOME=cache, FERZ_COMPILE_AFTER="20", FERZ_CFLAGS="-O0")
            try:
                games = [ferz.load(GAMES / "classic/tic-tac-toe.game", engine=engine)
                         for engine in ("loop", "auto", "native")]
                runs = [game.playouts(100, threads=2).plies.tolist() for game in games]
                made = [name for name in os.listdir(cache + "/ferz") if name.endswith(".so")]
                os.environ["FERZ_CC"] = "no-such-compiler"
                lost = ferz.load(text=STONES, engine="auto")
                self.assertEqual(lost.playouts(100).plies.tolist(),
                                 ferz.load(text=STONES, engine="loop").playouts(100).plies.tolist())
                with self.assertRaises(ferz.Error) as caught:
                    ferz.load(text=STONES, engine="native")
            finally:
                for name in ("XDG_CACHE_HOME", "FERZ_COMPILE_AFTER", "FERZ_CFLAGS", "FERZ_CC"):
                    os.environ.pop(name, None)
        self.assertEqual(runs, [runs[0]] * 3)
        self.assertEqual([game.engine for game in games],
                         ["the loop", "the loop, then native code", "native code"])
        self.assertEqual(len(made), 1)
        self.assertEqual(caught.exception.status, "not-found")
        with self.assertRaises(ValueError):
            ferz.load(text=STONES, engine="fast")

    def test_errors_have_their_place(self):
        with self.assertRaises(ferz.Error) as caught:
            ferz.load("some.game", text=STONES.replace("lose me", "lose mee"))
        error = caught.exception
        self.assertEqual(error.status, "invalid")
        self.assertEqual((error.diagnostics[0].file, error.diagnostics[0].line),
                         ("some.game", 10))
        self.assertEqual(error.diagnostics[0].severity, "error")
        self.assertIn("some.game:10:", str(error))
        self.assertIn("mee", str(error))

    def test_what_cannot_be_loaded(self):
        for words, status in (({"path": "absent.game"}, "not-found"),
                              ({"text": STONES, "options": {"Least": 1}}, "invalid"),
                              ({"text": STONES, "options": {"Most": 9}}, "invalid"),
                              ({"text": ""}, "invalid")):
            with self.subTest(words), self.assertRaises(ferz.Error) as caught:
                ferz.load(**words)
            self.assertEqual(caught.exception.status, status)
        self.assertRaises(TypeError, ferz.load)
        for limits, words in (({"foo": 1}, "there is no limit 'foo'; there are: instructions, "),
                              ({"playout": -1}, "the limit playout is a number from 0"),
                              ({"frames": 2 ** 32}, "to 2^32 - 1, not 4294967296")):
            with self.subTest(limits), self.assertRaises(ferz.Error) as caught:
                ferz.load(text=STONES, limits=limits)
            self.assertIn(words, str(caught.exception))
            self.assertEqual(caught.exception.status, "usage")
        self.assertRaises(TypeError, ferz.load, text=STONES, limits={"playout": 1.5})
        self.assertRaises(ValueError, ferz.load, text=STONES, options={"Most\0": 2})
        self.assertRaises(TypeError, ferz.load, text=7)

    def test_limits(self):
        endless = ('game "E"; players A, B; board none; var n: 0..1;'
                   'turn { choose "on" => n = 1 - n; } end { if n > 1 draw; }')
        game = ferz.load(text=endless, limits={"playout": 50})
        with self.assertRaises(ferz.Error) as caught:
            game.playouts(1)
        self.assertEqual(caught.exception.status, "runtime")
        self.assertIn("more than 50 decisions", str(caught.exception))
        found = game.playouts(1, keep_failures=True)
        self.assertEqual(found.endings.tolist(), [ferz.Ending.ERROR])


class Playing(unittest.TestCase):
    def setUp(self):
        self.game = ferz.load(GAMES / "classic/tic-tac-toe.game")

    def test_a_game(self):
        state = self.game.start()
        self.assertEqual((state.waiting, state.over, state.decider, state.mover, state.plies),
                         ("move", False, 0, 0, 0))
        self.assertIsNone(state.ranks)
        self.assertEqual(state.result, "")
        move = state.moves[4]
        self.assertEqual((move, move.action, move.source, move.target, move.values),
                         ("b2", 4, -1, 4, (4,)))
        state.play(move).play("a1").play(1)
        self.assertEqual(state.pieces(), {"a1": (0, 1), "b1": (0, 0), "b2": (0, 0)})
        self.assertIn("O to move", str(state))
        self.assertTrue(state.svg().startswith("<svg"))
        state.play("a2").play("b3")
        self.assertTrue(state.over)
        self.assertEqual((state.ranks, state.utilities, state.payoffs, state.result),
                         ((1, 2), (1.0, 0.0), None, "X 1, O 2"))
        self.assertEqual(state.ending, ferz.Ending.RULE)
        self.assertIn("tic-tac-toe.game:", state.ending_place)
        self.assertEqual((state.moves, state.actions.tolist(), state.decider), ([], [], -1))

    def test_bad_moves_change_nothing(self):
        state = self.game.start().play("b2")
        before = state.position()
        for move in ("b2", "", "z9", "b2\n", 4, 9, -1, 2 ** 60, self.game.start().moves[4]):
            with self.subTest(move), self.assertRaises(ferz.Error):
                state.play(move)
        for move in (None, 1.5, [], b"a1"):
            with self.subTest(move):
                self.assertRaises(TypeError, state.play, move)
        self.assertRaises(OverflowError, state.play, 2 ** 70)
        self.assertRaises(ValueError, state.play, "a\0")
        self.assertEqual(state.position(), before)

    def test_a_finished_game_takes_no_moves(self):
        state = self.game.start().playout()
        for call in (lambda: state.play("a1"), lambda: state.play(0), state.play_random,
                     state.sample_chance, lambda: state.set_chance(1), state.choose):
            with self.subTest(), self.assertRaises(ferz.Error):
                call()
        self.assertEqual(state.playout().over, True)

    def test_copies_go_their_own_way(self):
        state = self.game.start().play("b2")
        other = state.copy().play("a1")
        self.assertEqual((state.plies, other.plies), (1, 2))

    def test_actions_name_the_same_moves_in_every_state(self):
        for name in ("classic/tic-tac-toe", "chess/chess", "race/backgammon", "cards/kuhn"):
            game = ferz.load(GAMES / f"{name}.game")
            state = game.start(7)
            for _ in range(40):
                if state.over:
                    break
                moves, actions = state.moves, state.actions
                self.assertEqual([move.action for move in moves], actions.tolist())
                self.assertEqual(len(set(actions.tolist())), len(moves))
                self.assertTrue(((actions >= 0) & (actions < game.actions)).all())
                number = len(moves) // 2
                other = state.copy().play(moves[number])
                state.play(actions[number])
                self.assertEqual(other.position(), state.position())

    def test_positions(self):
        state = self.game.start().play("b2").play("a1")
        other = self.game.position(state.position())
        self.assertEqual(other.position(), state.position())
        self.assertEqual(other.moves, state.moves)
        before = other.position()
        self.assertRaises(ferz.Error, other.read, "nonsense")
        self.assertEqual(other.position(), before)

    def test_records_are_those_of_the_command(self):
        path = GAMES / "race/ur.game"
        state = ferz.load(path).start(5)
        while not state.over:
            state.play(state.moves[-1])
        record = state.record()
        self.assertIn(state.result, record)
        self.assertTrue(record.startswith("ferz record"))

    def test_chance(self):
        game = ferz.load(GAMES / "race/ur.game")
        state = game.start(chance="ask")
        self.assertEqual(state.waiting, "chance")
        self.assertEqual([(o.value, o.weight) for o in state.outcomes],
                         [(0, 1), (1, 4), (2, 6), (3, 4), (4, 1)])
        self.assertEqual(state.moves, [])
        self.assertRaises(ferz.Error, state.set_chance, 7)
        state.set_chance(state.outcomes[2])
        self.assertEqual(state.waiting, "move")
        sampled, asked = game.start(3), game.start(3, chance="ask")
        for _ in range(30):
            while asked.waiting == "chance":
                asked.sample_chance()
            self.assertEqual(asked.moves, sampled.moves)
            if asked.over:
                break
            asked.play(asked.moves[0])
            sampled.play(sampled.moves[0])
        self.assertRaises(ValueError, game.start, chance="none")

    def test_a_playout_of_a_state_that_asks_ends(self):
        game = ferz.load(GAMES / "race/ur.game")
        for seed in range(1, 6):
            asked = game.start(seed, chance="ask")
            asked.set_chance(asked.outcomes[seed - 1]) if seed % 2 else None
            self.assertTrue(asked.playout().over)
            self.assertIn(asked.result, asked.record())
        self.assertEqual(game.start(2, chance="ask").playout().record(),
                         game.start(2).playout().record())

    def test_secrets(self):
        game = ferz.load(GAMES / "cards/kuhn.game")
        self.assertTrue(game.hides and game.has_payoffs)
        mine, theirs = set(), set()
        for seed in range(30):
            state = game.start(seed)
            mine.add(state.observation(0))
            theirs.add(state.observation(game.players[1].name))
            self.assertIn("?", state.observation(0))
        self.assertEqual((len(mine), len(theirs)), (3, 3))     # one's own card, one of three
        self.assertRaises(ferz.Error, state.observation, 2)
        self.assertRaises(ferz.Error, state.observation, "Nobody")
        self.assertEqual(len(state.playout().payoffs), 2)

    def test_values(self):
        state = ferz.load(text=STONES).start().play("2")
        self.assertEqual(state.value("stones"), 5)
        self.assertRaises(ferz.Error, state.value, "pebbles")

    def test_agents(self):
        state = self.game.start().play("a1").play("b2").play("b1")
        self.assertEqual(state.choose("alphabeta:3"), "c1")
        self.assertEqual(state.choose("mcts:200", seed=2), state.choose("mcts:200", seed=2))
        for agent, words in (("nobody:3", "there is no agent 'nobody'"),
                             ("mcts:1.5", "a whole number from 1")):
            for call in (lambda: state.choose(agent), lambda: state.playouts(2, agents=[agent]),
                         lambda: self.game.playouts(2, agents=[agent, "random"]),
                         lambda: self.game.batch(2, agents=[agent, None])):
                with self.subTest(agent), self.assertRaises(ferz.Error) as caught:
                    call()
                self.assertIn(words, str(caught.exception))
                self.assertEqual(caught.exception.status, "usage")
        with self.assertRaises(ferz.Error) as caught:
            ferz.load(GAMES / "cards/kuhn.game").playouts(2, agents=["greedy"])
        self.assertEqual(caught.exception.status, "refused")

    def test_numbers_out_of_range(self):
        state = self.game.start()
        for call in (lambda: self.game.playouts(-1), lambda: self.game.playouts(2 ** 60),
                     lambda: self.game.playouts(1, seed=-1),
                     lambda: self.game.playouts(1, threads=-1), lambda: state.playouts(-1),
                     lambda: self.game.start(-1), lambda: self.game.start(1, 2 ** 64),
                     lambda: state.choose(seed=-1), lambda: self.game.batch(-1),
                     lambda: self.game.batch(1, seed=2 ** 64),
                     lambda: self.game.batch(1, threads=-1)):
            with self.subTest(), self.assertRaises(ferz.Error) as caught:
                call()
            self.assertIn("is a number from 0 to 2^", str(caught.exception))
            self.assertEqual(caught.exception.status, "usage")
        for count in (1.5, "2", None, True):
            with self.subTest(count):
                self.assertRaises(TypeError, self.game.playouts, count)
                self.assertRaises(TypeError, self.game.batch, count)

    def test_why(self):
        self.assertIn("legal", self.game.start().play("b2").why("b2"))

    def test_a_script_that_fails_is_an_error_with_its_place(self):
        game = ferz.load("f.game", text='game "F"; players A, B; board none; var n[1..3]: int;\n'
                         'turn { choose for i in 1..4 "{i}" => n[i] += 1; } limit 9 turns draw;')
        state = game.start()
        before = state.position()
        with self.assertRaises(ferz.Error) as caught:
            state.play("4")
        self.assertEqual(caught.exception.status, "runtime")
        self.assertIn("f.game:2:", str(caught.exception))
        self.assertEqual(state.position(), before)
        state.play("3")


class Memory(unittest.TestCase):
    def test_states_outlive_their_game(self):
        state = ferz.load(GAMES / "classic/tic-tac-toe.game").start()
        other = state.copy()
        del state
        gc.collect()
        self.assertEqual(len(other.play("b2").moves), 8)

    def test_threads_share_a_state(self):
        game = ferz.load(GAMES / "race/ur.game")
        state, failures = game.start(), []

        def work():
            try:
                for _ in range(60):
                    copy = state.copy()
                    copy.playout()
                    if copy.ranks not in ((1, 2), (2, 1)):
                        failures.append(copy.ranks)
                    str(state), state.moves, state.position()
            except Exception as broken:     # noqa: BLE001
                failures.append(broken)
        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for _ in range(20):
            if not state.over:
                try:
                    state.play_random()
                except ferz.Error as over:
                    failures.append(over)
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])

    def test_threads_play_one_state_at_a_time(self):
        state, played = ferz.load(GAMES / "classic/tic-tac-toe.game").start(), []

        def work():
            for move in ("a1", "b1", "c1", "a2"):
                try:
                    state.play(move)
                    played.append(move)
                except ferz.Error:
                    pass
        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(sorted(played), ["a1", "a2", "b1", "c1"])
        self.assertEqual(state.plies, 4)


if __name__ == "__main__":
    unittest.main()
