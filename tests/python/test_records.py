"""Records are read as they were written, and step through the states of their game."""
import os
import pathlib
import tempfile
import unittest

import ferz
from support import GAMES, ferz as command

# Games of all sorts: chance, secrets, payoffs, several decisions in a turn.
SORTS = ("classic/tic-tac-toe", "race/ur", "race/backgammon", "cards/kuhn", "stacks/tak",
         "hidden/little-stratego")


def recorded(path, seed):
    state = ferz.load(path).start(seed)
    while not state.over and state.plies < 80:
        state.play(state.moves[-1])
    return state


class Records(unittest.TestCase):
    def test_records_of_states(self):
        for name in SORTS:
            with self.subTest(name):
                state = recorded(GAMES / f"{name}.game", 3)
                record = ferz.Record(state.record())
                self.assertEqual((record.title, record.seed), (state.game.title, 3))
                self.assertEqual(record.result, state.result)
                self.assertEqual((record.error, record.position, record.options), ("", None, {}))
                states = list(record.states())
                self.assertEqual(len(states), len(record.entries) + 1)
                self.assertEqual(len(record.moves), state.plies)
                self.assertEqual([s.plies for s in states], sorted(s.plies for s in states))
                self.assertEqual(states[0].plies, 0)
                last = states[-1]
                self.assertEqual((last.result, last.ranks), (state.result, state.ranks))
                self.assertEqual(last.position(), state.position())
                self.assertEqual(last.record(), state.record())

    def test_records_of_the_command(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "game.rec"
            command("playout", GAMES / "race/ur.game", "-n", 1, "--seed", 6, "--record", path)
            record = ferz.Record.load(path)
            *_, last = record.states()
            played = record.game().start(6).playout()
            self.assertEqual(last.position(), played.position())
            self.assertEqual(record.result, played.result)

    def test_states_are_their_own(self):
        record = ferz.Record(recorded(GAMES / "classic/tic-tac-toe.game", 1).record())
        states = list(record.states())
        states[1].play(states[1].moves[3])
        self.assertEqual([s.plies for s in states[:3]], [0, 2, 2])
        self.assertNotEqual(states[1].position(), states[2].position())

    def test_a_game_that_was_compiled_before(self):
        state = recorded(GAMES / "classic/tic-tac-toe.game", 1)
        first = next(ferz.Record(state.record()).states(state.game))
        self.assertIs(first.game, state.game)

    def test_options_and_positions(self):
        path = GAMES / "sow/oware.game"
        game = ferz.load(path)
        state = game.start().play_random().play_random()
        later = game.position(state.position()).play_random()
        record = ferz.Record(later.record())
        self.assertEqual(record.position.split(), state.position().split())
        self.assertEqual(len(record.entries), 1)
        *_, last = record.states()
        self.assertEqual(last.position(), later.position())
        with tempfile.TemporaryDirectory() as folder:
            script = pathlib.Path(folder) / "stones.game"
            script.write_text('game "S"; players A, B; board none; option Most: 2..4 = 3;\n'
                              'var n: int; turn { choose for i in 1..Most "{i}" => n += i; }\n'
                              "limit 3 turns draw;\n")
            state = ferz.load(script, options={"Most": 4}).start().play("4")
            record = ferz.Record(state.record())
            self.assertEqual(record.options, {"Most": "4"})
            *_, last = record.states()
            self.assertEqual(last.value("n"), 4)

    def test_a_script_beside_the_record(self):
        with tempfile.TemporaryDirectory() as folder:
            place = pathlib.Path(folder)
            (place / "ttt.game").write_text((GAMES / "classic/tic-tac-toe.game").read_text())
            record = recorded(GAMES / "classic/tic-tac-toe.game", 1).record()
            lines = ["game: ttt.game" if line.startswith("game:") else line
                     for line in record.splitlines()]
            (place / "a.rec").write_text("\n".join(lines) + "\n")
            found = ferz.Record.load(place / "a.rec")
            self.assertEqual(found.path, os.path.join(folder, "ttt.game"))
            self.assertTrue(list(found.states())[-1].over)

    def test_what_is_wrong(self):
        for words in ("", "nonsense", "ferz record 1\n", "ferz record 1\ntitle: a\n"):
            with self.subTest(words), self.assertRaises(ferz.Error) as caught:
                ferz.Record(words)
            self.assertEqual(caught.exception.status, "bad-input")
        self.assertRaises(ValueError, ferz.Record, "\0")
        self.assertRaises(TypeError, ferz.Record, 7)
        self.assertRaises(OSError, ferz.Record.load, "/nowhere/a.rec")
        record = ferz.Record(recorded(GAMES / "classic/tic-tac-toe.game", 1).record())
        record.entries[2] = "z9"
        states = record.states()
        self.assertEqual([next(states).plies for _ in range(3)], [0, 1, 2])
        self.assertRaises(ferz.Error, next, states)


if __name__ == "__main__":
    unittest.main()
