"""Ferz: compile the rules of a board game, play it, and play many games at once.

    import ferz

    game = ferz.load("games/classic/tic-tac-toe.game")
    state = game.start(seed=1)
    state.play("b2")
    print(state, state.moves)
    print(game.playouts(1000, seed=1).wins)

docs/python.md of Ferz describes the module."""
from .batches import LEAVE, Batch, Step
from .checks import Check, Difference, Finding, check, compare
from .experiments import Archive, Study, archive, join, measure, report, shard, study
from .games import Game, Option, Player, load
from .library import Diagnostic, Error, version
from .observations import Feature, Observation
from .playouts import Ending, Playouts
from .records import Record
from .states import Move, Outcome, State

__version__ = version()
__all__ = ["LEAVE", "Archive", "Batch", "Check", "Diagnostic", "Difference", "Ending", "Error",
           "Feature", "Finding", "Game", "Move", "Observation", "Option", "Outcome", "Player",
           "Playouts", "Record", "State", "Step", "Study", "archive", "check", "compare", "join",
           "load", "measure", "report", "shard", "study"]
