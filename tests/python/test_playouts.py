"""Playouts are those of `ferz playout`."""
import csv
import io
import pathlib
import subprocess
import tempfile
import unittest

import ferz
import numpy as np
from support import GAMES, ROOT, ferz as command, ferz_data

# Games of all sorts: chance, secrets, several players, payoffs, teams, one side, `limit`.
RUNS = {"classic/tic-tac-toe": 400, "chess/chess": 15, "race/backgammon": 30, "cards/kuhn": 200,
        "cards/whist": 6, "icehouse/martian-chaturaji": 6, "stacks/tak": 10, "sow/oware": 60}


def archived(path, count, seed, *words):
    """The rows of `ferz export` of an archive of playouts."""
    with tempfile.TemporaryDirectory() as folder:
        archive = pathlib.Path(folder) / "a.sqlite"
        command("playout", path, "-n", count, "--seed", seed, "--db", archive, *words)
        return list(csv.DictReader(io.StringIO(command("export", archive, "--format", "csv"))))


class Playouts(unittest.TestCase):
    def test_each_game_is_that_of_the_command(self):
        for name, count in RUNS.items():
            with self.subTest(name):
                path = GAMES / f"{name}.game"
                game = ferz.load(path)
                found = game.playouts(count, seed=5)
                rows = archived(path, count, 5)
                self.assertEqual(found.plies.tolist(), [int(row["decisions"]) for row in rows])
                self.assertEqual(found.turns.tolist(), [int(row["turns"]) for row in rows])
                ranks = [[int(row[f"rank {p + 1}"]) for p in range(len(game.players))]
                         for row in rows]
                self.assertEqual(found.ranks.tolist(), ranks)
                if game.has_payoffs:
                    payoffs = [[int(row[f"payoff {p + 1}"]) for p in range(len(game.players))]
                               for row in rows]
                    self.assertEqual(found.payoffs.tolist(), payoffs)
                else:
                    self.assertIsNone(found.payoffs)

    def test_the_sums_are_those_of_the_report(self):
        for name, count in RUNS.items():
            with self.subTest(name):
                path = GAMES / f"{name}.game"
                found = ferz.load(path).playouts(count, seed=2)
                report = ferz_data("playout", path, "-n", count, "--seed", 2)
                self.assertEqual(int(found.plies.sum()), report["plies"])
                self.assertEqual(int((found.endings == ferz.Ending.LIMIT).sum()),
                                 report["stopped"])
                wins = report["wins"]
                self.assertEqual(found.wins.tolist(),
                                 list(wins.values()) if isinstance(wins, dict) else wins)

    def test_threads_change_nothing(self):
        game = ferz.load(GAMES / "race/ur.game")
        one, four = game.playouts(900, seed=3), game.playouts(900, seed=3, threads=4)
        for name in ("plies", "turns", "endings", "ranks", "utilities"):
            self.assertTrue(np.array_equal(getattr(one, name), getattr(four, name)), name)

    def test_from_a_position(self):
        path = GAMES / "race/backgammon.game"
        state = ferz.load(path).start(3)
        for _ in range(7):
            state.play_random()
        before = state.position()
        found = state.playouts(30, seed=6)
        self.assertEqual(state.position(), before)
        rows = archived(path, 30, 6, "--position", before)
        self.assertEqual(found.plies.tolist(), [int(row["decisions"]) for row in rows])
        self.assertEqual(found.ranks[:, 0].tolist(), [int(row["rank 1"]) for row in rows])
        over = ferz.load(GAMES / "classic/tic-tac-toe.game").start().playout()
        self.assertEqual(over.playouts(3).plies.tolist(), [0, 0, 0])

    def test_agents(self):
        path = GAMES / "classic/tic-tac-toe.game"
        game = ferz.load(path)
        found = game.playouts(12, seed=4, agents=["mcts:30", "random"])
        rows = archived(path, 12, 4, "--agents", "mcts:30,random")
        self.assertEqual(found.plies.tolist(), [int(row["decisions"]) for row in rows])
        for agents in (["mcts:30"] * 3, ["nobody"], ["mcts:x", "random"]):
            with self.subTest(agents), self.assertRaises(ferz.Error):
                game.playouts(2, agents=agents)

    def test_games_that_fail(self):
        game = ferz.load(ROOT / "tests/cli/ends.game")
        with self.assertRaises(ferz.Error) as caught:
            game.playouts(300, seed=3)
        self.assertEqual(caught.exception.status, "runtime")
        found = game.playouts(300, seed=3, keep_failures=True)
        failed = found.endings == ferz.Ending.ERROR
        rows = archived_with_errors()
        self.assertEqual(failed.tolist(), [row["ending"] == "error" for row in rows])
        self.assertTrue(failed.any() and not failed.all())
        self.assertTrue((found.ranks[failed] == 0).all() and (found.ranks[~failed] > 0).all())

    def test_none_and_nonsense(self):
        game = ferz.load(GAMES / "classic/tic-tac-toe.game")
        self.assertEqual(len(game.playouts(0)), 0)
        self.assertEqual(game.playouts(0).wins.tolist(), [0, 0])
        for words in ({"count": -1}, {"seed": -1}, {"seed": 2 ** 64}, {"threads": -2}):
            with self.subTest(words), self.assertRaises(ferz.Error) as caught:
                game.playouts(**{"count": 2, **words})
            self.assertEqual(caught.exception.status, "usage")
        for words in ({"count": "many"}, {"agents": [7]}):
            with self.subTest(words), self.assertRaises(TypeError):
                game.playouts(**{"count": 2, **words})


def archived_with_errors():
    """The command ends with status 1 for them."""
    with tempfile.TemporaryDirectory() as folder:
        archive = pathlib.Path(folder) / "a.sqlite"
        subprocess.run(["ferz", "playout", str(ROOT / "tests/cli/ends.game"), "-n", "300", "--seed",
                        "3", "--db", str(archive)], capture_output=True, check=False)
        return list(csv.DictReader(io.StringIO(command("export", archive, "--format", "csv"))))


if __name__ == "__main__":
    unittest.main()
