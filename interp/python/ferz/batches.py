"""Many games that are stepped at once."""
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Optional, Sequence, Tuple, Union

import numpy as np

from . import observations
from .library import STATUS, Error, encoded, ffi, lib, owned, text, whole
from .playouts import Ending
from .states import State

if TYPE_CHECKING:
    from .games import Game

LEAVE = -1              # a choice: the game is left as it is


@dataclass(frozen=True)
class Step:
    """What a step did. `done` (bool): the step ended the game; `rewards` (float64, by player): of
    those games, 1 is a win and 0 a loss, else 0; `payoffs` (int64, by player): the same as the
    script counts, None in games without payoffs; `endings` (uint8): why they ended, see Ending.
    Games whose script failed are done with the ending ERROR and rewards 0; `failure` tells the
    first of them, "" if there is none."""

    rewards: "np.ndarray"
    payoffs: Optional["np.ndarray"]
    endings: "np.ndarray"
    failure: str

    @property
    def done(self) -> "np.ndarray":
        return self.endings != Ending.NOT_ENDED

    @property
    def truncated(self) -> "np.ndarray":
        """Games that `limit` ended."""
        return self.endings == Ending.LIMIT


class Batch:
    """`len(batch)` games of one script, stepped at once; `Game.batch` makes it. How the games stand
    is in arrays with an element for each game, new ones after each step: `decider` (int8: whose
    choice it is; -1: the game is over), `counts` (uint32: legal moves), `plies` (uint32: decisions)
    and `streams` (uint64: of chance). With `own`, actions and observations are in the player's own
    view. `first` tells which games ended
    in their set-up. Two threads that use one batch wait for each other."""

    def __init__(self, game: "Game", count: int, seed: int, threads: int, reset: bool,
                 agents: Optional[Sequence[Optional[str]]], own: bool):
        count, seed = whole(count, "count"), whole(seed, "seed")
        threads = whole(threads, "threads", 32)
        self.game, self.reset, self.own = game, reset, own
        self._count, self._seed = count, seed
        found, message = ffi.new("fz_batch **"), ffi.new("char[256]")
        task = ffi.new("fz_batch_task *", {"program": game._program, "limits": game._limits,
                                           "seed": seed, "count": count, "threads": threads,
                                           "own": own, "context": game._context})
        if agents is not None:
            if len(agents) != len(game.players):
                raise Error(f"{len(game.players)} agents are needed, one for each player; None "
                            "where you choose")
            names = [ffi.NULL if name is None else ffi.new("char[]", encoded(name, "an agent"))
                     for name in agents]
            task.agents = descriptions = ffi.new("char *[]", names)    # kept until the call
        with game._lock:                                               # of the context
            status = lib.fz_batch_new(task, found, message)
        if status != lib.FZ_OK:
            raise Error(text(message), STATUS[status])
        self._batch = owned(found[0], lib.fz_batch_free, game._program, game._context)
        self._lock = threading.RLock()
        self.first = self._look()

    def __len__(self) -> int:
        return self._count

    def __repr__(self) -> str:
        return f"<ferz.Batch: {len(self)} games of {self.game.title!r}>"

    def _check(self, status: int) -> None:
        if status != lib.FZ_OK:
            raise Error(text(lib.fz_batch_message(self._batch)) or STATUS[status], STATUS[status])

    def _look(self) -> Step:
        """Sets the arrays; what the last step did."""
        games, players = self._count, len(self.game.players)
        failure = text(lib.fz_batch_message(self._batch))
        found = {"deciders": np.zeros(games, np.int8), "counts": np.zeros(games, np.uint32),
                 "plies": np.zeros(games, np.uint32), "streams": np.zeros(games, np.uint64),
                 "endings": np.zeros(games, np.uint8),
                 "utilities": np.zeros((games, players), np.float64),
                 "payoffs": np.zeros((games, players), np.int64)}
        places = {name: ffi.from_buffer(array) for name, array in found.items()}
        arrays = ffi.new("fz_batch_arrays *")
        for name in found:
            setattr(arrays, name, ffi.cast(ffi.typeof(getattr(arrays, name)), places[name]))
        lib.fz_batch_look(self._batch, arrays)
        self.decider, self.counts = found["deciders"], found["counts"]
        self._counts = self.counts.copy()   # callers may write into theirs
        self.plies, self.streams = found["plies"], found["streams"]
        return Step(found["utilities"], found["payoffs"] if self.game.has_payoffs else None,
                    found["endings"], failure)

    @property
    def actions(self) -> Tuple["np.ndarray", "np.ndarray"]:
        """The numbers of the legal moves of all games, one game after the other (int64), and where
        each game begins in it: those of game i are actions[starts[i]:starts[i + 1]]."""
        with self._lock:
            starts = np.zeros(self._count + 1, np.int64)
            np.cumsum(self._counts, out=starts[1:])
            actions = np.zeros(starts[-1], np.int64)
            self._check(lib.fz_batch_actions(self._batch, ffi.from_buffer("int64_t[]", actions)))
            return actions, starts

    def mask(self) -> "np.ndarray":
        """For each game (bool, `game.actions` columns): is the action a legal move?"""
        with self._lock:
            found = np.zeros((self._count, self.game.actions), np.bool_)
            self._check(lib.fz_batch_mask(self._batch, ffi.from_buffer("uint8_t[]", found)))
            return found

    def observe(self, player: Union[int, str, None] = None) -> observations.Observation:
        """What a player sees of each game; None: the one who decides in it (all 0 in games that
        are over)."""
        number = -1 if player is None else self.game.player(player)
        found = observations.blocks(self.game, self._count)
        with self._lock:
            self._check(lib.fz_batch_observe(self._batch, number, *observations.pointers(found)))
        return found

    def random_index(self, random: "np.random.Generator") -> "np.ndarray":
        """The place of a random legal move in each game; LEAVE in games that are over."""
        with self._lock:
            places = (random.random(self._count) * self.counts).astype(np.int64)
            return np.where(self.counts > 0, places, LEAVE)

    def _choices(self, choices: Any) -> "np.ndarray":
        """Choices as the library takes them."""
        array = np.asarray(choices)
        if array.shape != (self._count,) or not np.issubdtype(array.dtype, np.integer):
            raise ValueError(f"{self._count} whole numbers are needed, one for each game, not "
                             f"{array.dtype} of shape {array.shape}")
        most = np.iinfo(np.int64).max
        if array.dtype == np.uint64 and (array > most).any():   # they would become negative
            game = int(np.argmax(array > most))
            raise Error(f"game {game}: there is no choice {array[game]}")
        return np.ascontiguousarray(array, np.int64)

    def step(self, actions: Any = None, *, index: Any = None) -> Step:
        """Plays a move in each game, given by its action, or with `index` by its place among the
        legal ones; LEAVE (-1) leaves the game alone. Without both, random moves: those of
        `Game.playouts`. Games that are over ignore theirs. With `reset` games that end begin
        anew. If a choice is not legal, Error, and no game is changed."""
        if actions is not None and index is not None:
            raise TypeError("step takes actions or index")
        choices = actions if index is None else index
        kind = lib.FZ_BATCH_ACTIONS if index is None else lib.FZ_BATCH_INDEXES
        pointer = ffi.NULL
        if choices is not None:
            array = self._choices(choices)
            pointer = ffi.from_buffer("int64_t[]", array)
        with self._lock:
            self._check(lib.fz_batch_step(self._batch, pointer, kind, self.reset))
            return self._look()

    def state(self, number: int) -> State:
        """A copy of one of the games."""
        if not 0 <= number < self._count:
            raise IndexError(f"there are {self._count} games")
        with self._lock:
            pointer = lib.fz_batch_state(self._batch, number)
        if pointer == ffi.NULL:
            raise Error("the script failed in this game", "runtime")
        return State(self.game, pointer, False, self._seed)
