"""Many games as arrays."""
import enum
import time
from typing import Any, Optional, Sequence

import numpy as np

from .library import STATUS, Error, encoded, ffi, lib, text, whole

SECONDS = 0.3           # between two looks at signals such as Ctrl-C


class Ending(enum.IntEnum):
    """Why a game ended."""

    NOT_ENDED = 0
    RULE = 1            # a result in `end` or in a turn
    WITHOUT_MOVE = 2    # a result in an `otherwise`: a decision had no legal move
    LIMIT = 3           # the script's `limit`
    ERROR = 4           # the script failed


class Playouts:
    """Games that were played to their ends, in the order of their streams. `plies` and `turns`
    (uint64), `endings` (uint8, see Ending) have an element for each game; `ranks` (int8; 1 is
    first, shared ranks are equal), `utilities` (float64; 1 is a win, 0 a loss) and `payoffs`
    (int64; None in games without payoffs) have a row for each game and a column for each player.
    Games that failed have the ending ERROR, rank 0 and utility 0."""

    def __init__(self, count: int, players: int, payoffs: bool):
        self.plies = np.zeros(count, np.uint64)
        self.turns = np.zeros(count, np.uint64)
        self.endings = np.zeros(count, np.uint8)
        self.ranks = np.zeros((count, players), np.int8)
        self.utilities = np.zeros((count, players), np.float64)
        self.payoffs = np.zeros((count, players), np.int64) if payoffs else None

    def __len__(self) -> int:
        return len(self.plies)

    @property
    def wins(self) -> "np.ndarray":
        """The number of games that each player or its team alone won; games that `limit` ended
        do not count."""
        return (self.utilities[self.endings != Ending.LIMIT] == 1).sum(axis=0)

    def __repr__(self) -> str:
        mean = self.plies.mean() if len(self) else 0
        return f"<ferz.Playouts: {len(self)} games, mean length {mean:.1f}>"

    def _arrays(self, first: int) -> Any:
        """Where the library writes from game number `first` on; they live as long as self."""
        def at(array: Optional["np.ndarray"], kind: str) -> Any:
            if array is None:
                return ffi.NULL
            return ffi.cast(kind, ffi.from_buffer(array)) + first * array[:1].size
        return ffi.new("fz_playout_arrays *", {
            "plies": at(self.plies, "uint64_t *"), "turns": at(self.turns, "uint64_t *"),
            "endings": at(self.endings, "uint8_t *"), "ranks": at(self.ranks, "int8_t *"),
            "utilities": at(self.utilities, "double *"), "payoffs": at(self.payoffs, "int64_t *")})


def run(game: Any, count: int, seed: int, threads: int, agents: Optional[Sequence[str]],
        keep_failures: bool, beginning: Any = ffi.NULL) -> Playouts:
    """See Game.playouts. `beginning`: an fz_state that nobody changes meanwhile."""
    count, seed = whole(count, "count", 48), whole(seed, "seed")
    threads = whole(threads, "threads", 32)
    names = [ffi.new("char[]", encoded(name, "an agent")) for name in agents or ()]
    list_of_names = ffi.new("char *[]", names)
    message = ffi.new("char[256]")
    done = ffi.new("uint64_t *")
    found = Playouts(count, len(game.players), game.has_payoffs)
    task = ffi.new("fz_playout_task *", {
        "program": game._program, "from": beginning, "limits": game._limits,
        "seed": seed, "threads": threads,
        "agents": list_of_names, "agent_count": len(names), "context": game._context})
    first, size = 0, 1 if names else 64
    while first < count:
        task.first, task.count = first, min(size, count - first)
        begun = time.monotonic()
        with game._lock:     # the context's message
            status = lib.fz_playouts_into(task, found._arrays(first), done, message)
        why = text(message)
        if status != lib.FZ_OK and not (status == lib.FZ_RUNTIME and keep_failures and
                                        done[0] == task.count):
            raise Error(why, STATUS[status])
        first += task.count
        took = time.monotonic() - begun
        size = max(1, int(size * min(4.0, max(0.25, SECONDS / max(took, 1e-6)))))
    return found
