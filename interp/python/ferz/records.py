"""Records of games."""
import os
from typing import TYPE_CHECKING, Any, Iterator, List, Optional, Union

from .library import STATUS, Error, encoded, ffi, lib, new_context, text
from .states import State

if TYPE_CHECKING:
    from .games import Game


class Record:
    """The record of a game (docs/commands.md of Ferz): `State.record` writes one.

    `path` (of the script), `title` (of the game), `options` (a dict), `seed`, `position` (where the
    game begins; None: at the beginning), `entries` (moves, and results of chance as "{3}"), `moves`
    (the moves alone), `result` (such as "White 1, Black 2"; "" if the game goes on) and `error`
    (which ended the game; "")."""

    path: str
    title: str
    seed: int
    position: Optional[str]
    entries: List[str]
    result: str
    error: str

    def __init__(self, record: str):
        """Reads the text of a record. Error with the status "bad-input" if it is none."""
        context = new_context()
        found = ffi.new("fz_record *")
        status = lib.fz_record_read(context, encoded(record, "a record"), found)
        try:
            if status != lib.FZ_OK:
                raise Error(text(lib.fz_context_message(context)), STATUS[status])
            self._fill(found)
        finally:
            lib.fz_record_free(context, found)

    def _fill(self, found: Any) -> None:
        self.path, self.title, self.seed = text(found.game), text(found.title), found.seed
        self.position = None if found.position == ffi.NULL else text(found.position)
        self.options = {text(found.settings[i].name): text(found.settings[i].value)
                        for i in range(found.setting_count)}
        self.entries = [text(found.entries[i]) for i in range(found.entry_count)]
        self.result, self.error = text(found.result), text(found.error)

    @classmethod
    def load(cls, path: "Union[str, os.PathLike[str]]") -> "Record":
        """Reads the file at `path`. If the script is not where the record says, but there beside
        the record, `path` of the record says so."""
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            record = cls(file.read())
        beside = os.path.join(os.path.dirname(os.fspath(path)), record.path)
        if not os.path.exists(record.path) and os.path.exists(beside):
            record.path = beside
        return record

    def __repr__(self) -> str:
        return f"<ferz.Record of {self.title!r}, {len(self.entries)} entries>"

    @property
    def moves(self) -> List[str]:
        return [entry for entry in self.entries if not entry.startswith("{")]

    def game(self) -> "Game":
        """Compiles the script with the options of the record. `path` may also be the name of a
        shipped game, such as "chess/makruk"; a file of that name comes first."""
        from .games import load     # which imports this module
        return load(self.path, options=self.options)

    def states(self, game: "Optional[Game]" = None) -> Iterator[State]:
        """The states of the game: where it begins, and after each entry; states of their own. They
        wait for chance (`State.outcomes`). `game`: compiled before; None: self.game(). Error if an
        entry is not legal; the states before it have come."""
        state = State._recorded(game or self.game(), self.seed, self.position)
        yield state
        for entry in self.entries:
            state = state.copy()._enter(entry)
            yield state
