"""Games for OpenSpiel: what its API test asks of a game. Where OpenSpiel is not installed, stand_in
has what is used of it."""
import importlib.util
import pathlib
import random
import sys
import unittest
import unittest.mock
import weakref

import ferz
import numpy as np
from support import GAMES

if importlib.util.find_spec("pyspiel") is None:
    sys.path.append(str(pathlib.Path(__file__).parent / "stand_in"))

import pyspiel  # noqa: E402
from ferz.openspiel import register  # noqa: E402

# Games of all sorts; those with too many actions by their greatest number of legal moves.
SORTS = {"classic/tic-tac-toe": None, "race/backgammon": 4000, "cards/kuhn": None,
         "cards/whist": None, "stacks/tak": 2000, "puzzles/peg-solitaire": None,
         "cards/goofspiel": None, "chess/dark-chess": None, "race/pachisi": None}


def known(name):
    return register(GAMES / f"{name}.game", name="ferz_" + name.split("/")[1].replace("-", "_"),
                    moves=SORTS.get(name))


def line_of(name, seed):
    """The states of a random game, each a copy of the one before with an action more."""
    chooser = random.Random(seed)
    states = [pyspiel.load_game(known(name)).new_initial_state()]
    while not states[-1].is_terminal() and len(states) < 200:
        states.append(states[-1].clone())
        states[-1].apply_action(chooser.choice(states[-1].legal_actions()))
    return states


class Lines(unittest.TestCase):
    def check_decision(self, game, state):
        now, legal = state.current_player(), state.legal_actions()
        self.assertTrue(legal)
        self.assertEqual(legal, sorted(set(legal)))
        if now == pyspiel.PlayerId.CHANCE:
            self.assertLess(legal[-1], game.max_chance_outcomes())
            self.assertAlmostEqual(sum(p for _, p in state.chance_outcomes()), 1)
            return
        self.assertLess(legal[-1], game.num_distinct_actions())
        for player in range(game.num_players()):
            self.assertEqual(state.legal_actions(player), legal if player == now else [])
        texts = {state._action_to_string(now, action) for action in legal}
        self.assertEqual(len(texts), len(legal))

    def test_lines(self):
        for name in SORTS:
            with self.subTest(name):
                states = line_of(name, 5)
                game = pyspiel.load_game(known(name))
                for number, state in enumerate(states):
                    self.assertEqual(len(state.history()), number)     # clones are their own
                for state in states[::7]:
                    if not state.is_terminal():
                        self.check_decision(game, state)
                    again = state.read_again() if hasattr(state, "read_again") else \
                        pyspiel.deserialize_game_and_state(
                            pyspiel.serialize_game_and_state(game, state))[1]
                    self.assertEqual(str(again), str(state))

    def test_ends(self):
        for name in ("classic/tic-tac-toe", "race/backgammon", "cards/kuhn"):
            last = next(states[-1] for states in (line_of(name, seed) for seed in range(99))
                        if states[-1].is_terminal() and states[-1].returns()[0])
            self.assertEqual(last.current_player(), pyspiel.PlayerId.TERMINAL)
            self.assertEqual(last.legal_actions(), [])
            self.assertEqual(sorted(last.returns()), [-1, 1])

    def test_kinds(self):
        kinds = {name: pyspiel.load_game(known(name)).get_type() for name in SORTS}
        chance = {name for name, kind in kinds.items()
                  if kind.chance_mode != pyspiel.GameType.ChanceMode.DETERMINISTIC}
        hidden = {name for name, kind in kinds.items()
                  if kind.information == pyspiel.GameType.Information.IMPERFECT_INFORMATION}
        self.assertEqual(chance, {"race/backgammon", "cards/kuhn", "cards/whist",
                                  "cards/goofspiel", "race/pachisi"})
        self.assertEqual(hidden, {"cards/kuhn", "cards/whist", "cards/goofspiel",
                                  "chess/dark-chess"})

    def test_information_states(self):
        """What a player does not see makes no difference; what it saw and chose is not
        forgotten."""
        state = pyspiel.load_game(known("cards/kuhn")).new_initial_state()
        found = {}

        def walk(state, path):
            if state.is_terminal():
                return
            player = state.current_player()
            if player >= 0:
                own = (player, path[player], tuple(path[2:]))
                text = state.information_state_string(player)
                self.assertEqual(found.setdefault(text, own), own)
            for action in state.legal_actions():
                after = state.clone()
                after.apply_action(action)
                walk(after, path + [state._action_to_string(player, action)])

        walk(state, [])
        self.assertEqual(len(found), 12)

    def test_information_states_of_copies(self):
        """They do not depend on when they were asked for, and copies go on apart."""
        for name in ("cards/kuhn", "chess/dark-chess", "race/backgammon", "classic/tic-tac-toe"):
            states = line_of(name, 3)[:40]
            players = range(pyspiel.load_game(known(name)).num_players())
            late = [[state.information_state_string(p) for p in players] for state in states]
            state = pyspiel.load_game(known(name)).new_initial_state()
            for number, action in enumerate(states[-1].history()):
                found = [state.information_state_string(p) for p in players]
                self.assertEqual(found, late[number])
                aside = state.clone()
                aside.apply_action(state.legal_actions()[-1])
                self.assertEqual(len({aside.information_state_string(0), found[0]}), 2)
                state.apply_action(action)
            self.assertEqual([state.information_state_string(p) for p in players], late[-1])

    def test_information_states_without_secrets(self):
        """All that happened: the texts of moves and of outcomes."""
        for name in ("race/backgammon", "classic/tic-tac-toe"):
            states = line_of(name, 4)[:30]
            texts = [state._action_to_string(state.current_player(), action)
                     for state, action in zip(states, states[-1].history())]
            self.assertEqual(states[-1].information_state_string(1).splitlines(), texts)

    def test_many_choices(self):
        """The texts of all legal moves take a time in proportion to their number."""
        state = pyspiel.load_game(register(GAMES / "go/go.game")).new_initial_state()
        legal = state.legal_actions()
        with unittest.mock.patch.object(ferz.State, "_list", side_effect=AssertionError):
            texts = {state._action_to_string(0, action) for action in legal}
        self.assertEqual(len(texts), len(legal))

    def test_observations(self):
        state = pyspiel.load_game(known("cards/kuhn")).new_initial_state()
        while state.current_player() == pyspiel.PlayerId.CHANCE:
            state.apply_action(state.legal_actions()[0])
        game = ferz.load(GAMES / "cards/kuhn.game")
        self.assertEqual(state.observation_string(1), state.position.observation(1))
        self.assertEqual(len(state.observation_tensor(1)),
                         game.planes * len(game.sites) + game.values)
        self.assertNotEqual(list(state.observation_tensor(0)), list(state.observation_tensor(1)))

    def test_tensors(self):
        """Their parts are the arrays of `observe`; a part without elements is none."""
        for name, parts in (("classic/tic-tac-toe", ["planes", "values"]),
                            ("cards/kuhn", ["values"])):
            state = line_of(name, 1)[-1]
            observer = pyspiel.load_game(known(name)).make_py_observer()
            observer.set_from(state, 1)
            seen = state.position.observe(1)
            self.assertEqual(list(observer.dict), parts)
            for part, found in observer.dict.items():
                self.assertEqual(found.tolist(), getattr(seen, part).tolist())
            self.assertEqual(np.concatenate([part.ravel() for part in observer.dict.values()])
                             .tolist(), observer.tensor.tolist())

    def test_mistakes(self):
        with self.assertRaises(ValueError):
            register(GAMES / "race/backgammon.game")
        state = pyspiel.load_game(register(GAMES / "race/backgammon.game", name="ferz_two",
                                           moves=2)).new_initial_state()
        chooser = random.Random(1)
        while state.current_player() == pyspiel.PlayerId.CHANCE:
            state.apply_action(chooser.choice(state.legal_actions()))
        with self.assertRaisesRegex(ferz.Error, "legal moves, more than 2"):
            state.legal_actions()

    def test_games_outlast_python(self):
        """OpenSpiel releases what makes a game after Python has ended, when objects cannot be freed
        any more."""
        with unittest.mock.patch.object(pyspiel, "register_game") as registered:
            register(GAMES / "cards/kuhn.game", name="ferz_lasting")
        create = weakref.ref(registered.call_args[0][1])
        registered.reset_mock()
        self.assertEqual(create()({}).get_type().short_name, "ferz_lasting")

    def test_outcomes(self):
        """A bound that is too low is an error, as one of moves is."""
        for outcomes, legal in ((3, True), (2, False)):
            game = pyspiel.load_game(register(GAMES / "cards/kuhn.game", name=f"ferz_{outcomes}",
                                              outcomes=outcomes))
            self.assertEqual(game.max_chance_outcomes(), outcomes)
            state = game.new_initial_state()
            if legal:
                self.assertEqual(state.legal_actions(), [0, 1, 2])
            else:
                with self.assertRaisesRegex(ferz.Error, "3 outcomes, more than 2"):
                    state.chance_outcomes()

    def test_length(self):
        script = GAMES / "classic/tic-tac-toe.game"
        self.assertEqual(pyspiel.load_game(register(script, length=9)).max_game_length(), 9)
        self.assertEqual(pyspiel.load_game(register(script)).max_game_length(), 1 << 20)

    def test_illegal_actions(self):
        """They change nothing; a negative number is no place from the end."""
        chance = pyspiel.load_game(known("cards/kuhn")).new_initial_state()
        move = pyspiel.load_game(register(GAMES / "classic/tic-tac-toe.game", name="ferz_places",
                                          moves=9)).new_initial_state()
        for state in (chance, move):
            for action in (-2, 9):
                before = str(state)
                with self.assertRaises(ferz.Error):
                    state.apply_action(action)
                self.assertEqual(str(state), before)
                self.assertEqual(state._action_to_string(0, action), f"action {action}")


if __name__ == "__main__":
    unittest.main()
