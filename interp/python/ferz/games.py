"""Compiled games."""
import os
import threading
from dataclasses import dataclass
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Union

import numpy as np

from . import observations, playouts
from .batches import Batch
from .library import (STATUS, Diagnostic, Error, diagnostics_of, encoded, ffi, lib, new_context,
                      owned, text, whole)
from .states import State

Setting = Union[str, int, bool]
PATH_MAX = 4096
ENGINES = (None, "auto", "loop", "native")  # as fz_engine in ferz.h


@dataclass(frozen=True)
class Player:
    name: str
    team: int               # the player's own number in games without teams


@dataclass(frozen=True)
class Kind:
    """A kind of piece."""

    name: str
    letter: str


@dataclass(frozen=True)
class Option:
    """An option of a game and the value that it was compiled with. `initial`: the script's own
    value. `low` and `high` are the range of a number, else None; `values` are those of an option
    that is no number. `comment`: the author's text."""

    name: str
    value: str
    is_default: bool
    initial: str
    low: Optional[int]
    high: Optional[int]
    values: Sequence[str]
    comment: str


@dataclass(frozen=True)
class Variable:
    """A variable of a game: an array of `length` elements, 1 without an index."""

    name: str
    length: int
    is_sites: bool          # elements are sets of sites
    is_secret: bool


class Game:
    """A compiled game; `ferz.load` makes it. Threads may share it.

    `title`, `players`, `sites` (names), `kinds` (of pieces), `options`, `variables`; `hides`: does
    it hide anything from a player? `has_chance`, `has_payoffs`; `one_side`: are all players on one
    side, as in a puzzle? `actions`: the number of different moves, see `State.actions`; 0 if there
    are too many to be numbered. `features`: what an observation consists of, `planes` and `values`
    of them (see Observation). `warnings` are those of the compiler."""

    def __init__(self, context: Any, program: Any, path: str, limits: Mapping[str, int],
                 warnings: Sequence[Diagnostic]):
        self._context, self._program, self.path = context, program, path
        self._limits = ffi.new("fz_limits *", dict(limits))
        self._lock = threading.Lock()         # of the context
        self._machines = threading.local()
        self.warnings = list(warnings)
        self.title = text(lib.fz_program_title(program))
        self.players = [Player(text(lib.fz_program_player_name(program, p)),
                               lib.fz_program_team(program, p))
                        for p in range(lib.fz_program_players(program))]
        self.sites = [text(lib.fz_program_site_name(program, s))
                      for s in range(lib.fz_program_sites(program))]
        self.kinds = [Kind(text(lib.fz_program_kind_name(program, k)),
                           text(lib.fz_program_kind_letter(program, k)))
                      for k in range(lib.fz_program_kinds(program))]
        self.options = list(self._list_options())
        self.variables = list(self._list_variables())
        self.hides = bool(lib.fz_program_hides(program))
        self.has_chance = bool(lib.fz_program_has_chance(program))
        self.has_payoffs = bool(lib.fz_program_has_payoffs(program))
        self.one_side = bool(lib.fz_program_has_one_side(program))
        self.actions = lib.fz_program_actions(program)
        lengths = {lib.fz_program_variable(program, v.name.encode()): v.length
                   for v in self.variables}
        self.features = observations.features_of(program, lengths)
        self.planes = sum(f.size for f in self.features if f.is_planes)
        self.values = sum(f.size for f in self.features if not f.is_planes)

    def __repr__(self) -> str:
        return f"<ferz.Game {self.title!r}>"

    @property
    def engine(self) -> str:
        """What plays by now: "the loop", or "native code", or both, or why there is none."""
        said = ffi.new("char[]", 256)
        lib.fz_program_engine(self._program, said)
        return text(said)

    def _list_options(self) -> Iterable[Option]:
        info, is_default = ffi.new("fz_setting_info *"), ffi.new("bool *")
        for number in range(lib.fz_program_options(self._program)):
            lib.fz_program_option_info(self._program, number, info)
            lib.fz_program_option(self._program, number, ffi.NULL, is_default)
            ranges = info.type == lib.FZ_OPTION_NUMBER
            yield Option(text(info.name), text(info.value), bool(is_default[0]),
                         text(info.initial), info.low if ranges else None,
                         info.high if ranges else None, tuple(text(info.values).split()),
                         text(info.comment))

    def _list_variables(self) -> Iterable[Variable]:
        info = ffi.new("fz_variable_info *")
        for number in range(lib.fz_program_variables(self._program)):
            if lib.fz_program_variable_info(self._program, number, info):
                yield Variable(text(info.name), info.length, bool(info.is_sites),
                               bool(info.is_secret))

    def _machine(self, asks: bool) -> Any:
        """This thread's machine, in which chance is asked for or sampled."""
        name = "asks" if asks else "samples"
        machine = getattr(self._machines, name, None)
        if machine is None:
            machine = lib.fz_machine_new(self._program, self._limits)
            if machine == ffi.NULL:
                raise Error("out of memory", "no-memory")
            machine = owned(machine, lib.fz_machine_free, self._program, self._context)
            lib.fz_machine_set_chance(machine,
                                      lib.FZ_CHANCE_ASK if asks else lib.FZ_CHANCE_SAMPLE)
            setattr(self._machines, name, machine)
        return machine

    def _text_of(self, pointer: Any) -> str:
        """A text of the library that is the caller's."""
        try:
            return text(pointer)
        finally:
            lib.fz_text_free(self._context, pointer)

    def player(self, who: Union[int, str]) -> int:
        """The number of a player, given by number or name."""
        names = [player.name for player in self.players]
        if isinstance(who, str) and who in names:
            return names.index(who)
        if isinstance(who, str) or not 0 <= who < len(names):
            raise Error(f"there is no player {who!r}; there are {', '.join(names)}")
        return int(who)

    def start(self, seed: int = 1, stream: int = 0, chance: str = "sample") -> State:
        """A game at its beginning. Its chance is a function of `seed` and `stream`; with `chance`
        "ask" it waits at every roll for `State.set_chance`."""
        if chance not in ("sample", "ask"):
            raise ValueError('chance is "sample" or "ask"')
        return State._begin(self, seed, stream, chance == "ask")

    def position(self, position: str, seed: int = 1, chance: str = "sample") -> State:
        """A game that begins at a position (docs/positions.md of Ferz)."""
        return self.start(seed, chance=chance).read(position)

    def playouts(self, count: int = 1000, seed: int = 1, threads: int = 1,
                 agents: Optional[Sequence[str]] = None, keep_failures: bool = False
                 ) -> playouts.Playouts:
        """Plays games to their ends: those of `ferz playout` with the same seed, on any number of
        threads. `agents`: who chooses, such as ["mcts:100", "random"]: one, or one for each player
        (docs/agents.md of Ferz); without them moves are random. A game in which the script fails
        raises Error; with `keep_failures` it is among the others with the ending ERROR."""
        return playouts.run(self, count, seed, threads, agents, keep_failures)

    def batch(self, count: int, seed: int = 1, threads: int = 1, reset: bool = True,
              agents: Optional[Sequence[Optional[str]]] = None, own: bool = False) -> Batch:
        """Games that are stepped at once. Game i begins as that of stream i; with `reset`, games
        that end begin anew, each with a stream that no game had before. `agents`: who plays, one
        for each player, such as [None, "mcts:100"]; None: you choose. Agents move at once when it
        is their turn. `own`: actions and observations are in the player's own view."""
        return Batch(self, count, seed, threads, reset, agents, own)

    def own_sites(self, player: Union[int, str]) -> "np.ndarray":
        """Where each site is in a player's own view."""
        found = np.zeros(len(self.sites), np.intc)
        status = lib.fz_own_sites(self._program, self.player(player),
                                  ffi.from_buffer("int[]", found))
        if status != lib.FZ_OK:
            raise Error("out of memory", STATUS[status])
        return found

    def own_actions(self, player: Union[int, str], actions: Any) -> "np.ndarray":
        """The numbers of actions in a player's own view; what is no action stays."""
        return self._turned(player, actions, False)

    def board_actions(self, player: Union[int, str], actions: Any) -> "np.ndarray":
        """The way back from `own_actions`."""
        return self._turned(player, actions, True)

    def _turned(self, player: Union[int, str], actions: Any, back: bool) -> "np.ndarray":
        found = np.array(actions, np.int64)
        status = lib.fz_own_actions(self._program, self.player(player), back,
                                    ffi.from_buffer("int64_t[]", found), found.size)
        if status != lib.FZ_OK:
            raise Error("out of memory", STATUS[status])
        return found


def load(path: Union[str, "os.PathLike[str]", None] = None, *, text: Optional[str] = None,
         options: Optional[Mapping[str, Setting]] = None,
         limits: Optional[Mapping[str, int]] = None, engine: Optional[str] = None) -> Game:
    """Compiles the script at `path`, or `text`; `path` then says where files that it uses are
    looked for. A path that is no file may be the name of a game that Ferz comes with: "race/ur", or
    "ur" alone. `options` are values of the game's options. `limits` bounds what the script may use
    up: instructions, frames, moves, memory, idle_turns, decisions, playout (fz_limits in ferz.h).
    `engine`: "auto" (default) compiles the game in the background when it is played for long,
    "native" at once, "loop" never. Games are the same.

    Raises Error with status "invalid" and `diagnostics` if the script has errors."""
    if path is None and text is None:
        raise TypeError("load needs a path or a text")
    name = os.fspath(path) if path is not None else "script.game"
    if text is None and not os.path.exists(name):
        name = shipped_path(name) or name
    if engine not in ENGINES:
        raise ValueError('engine is "auto", "loop" or "native"')
    bounds = checked_limits(limits or {})
    context = new_context()
    program, warnings = _compile(context, name, text, options or {})
    status = lib.fz_program_set_engine(context, program, ENGINES.index(engine))
    if status != lib.FZ_OK:
        raise Error(_message(context), STATUS[status])
    return Game(context, program, name, bounds, warnings)


def shipped_path(name: str) -> Optional[str]:
    """The path of a game that Ferz comes with; None if there is none of this name."""
    found = ffi.new("char[]", PATH_MAX)
    there = lib.fz_library_path(os.fsencode(name), found, PATH_MAX)
    return os.fsdecode(ffi.string(found)) if there else None


def checked_limits(limits: Mapping[str, int]) -> Dict[str, int]:
    """The fields of an fz_limits."""
    fields = {name: 8 * ffi.sizeof(field.type) for name, field in ffi.typeof("fz_limits").fields
              if name != "cancel"}
    for name in limits:
        if name not in fields:
            raise Error(f"there is no limit {name!r}; there are: {', '.join(fields)}")
    return {name: whole(value, f"the limit {name}", fields[name])
            for name, value in limits.items()}


def _message(context: Any) -> str:
    return text(lib.fz_context_message(context))


def settings_of(options: Mapping[str, Setting]) -> "tuple[Any, List[Any]]":
    """The array of settings, and what must live as long."""
    texts: List[Any] = []
    rows: List[Dict[str, Any]] = []
    for name, value in options.items():
        said = str(value).lower() if isinstance(value, bool) else str(value)
        texts += [ffi.new("char[]", encoded(name)), ffi.new("char[]", encoded(said))]
        rows.append({"name": texts[-2], "value": texts[-1]})
    return ffi.new("fz_setting[]", rows), texts


def _compile(context: Any, path: str, script: Optional[str], options: Mapping[str, Setting]
             ) -> "tuple[Any, List[Diagnostic]]":
    program, report = ffi.new("fz_program **"), ffi.new("fz_report **")
    settings, _texts = settings_of(options)
    source = ffi.NULL if script is None else encoded(script, "the script")
    status = lib.fz_compile(context, os.fsencode(path), source,
                            0 if script is None else len(source), settings, len(options), program,
                            report)
    said: List[Diagnostic] = []
    words = ""
    if report[0] != ffi.NULL:
        found = owned(report[0], lib.fz_report_free, context)
        said, words = diagnostics_of(found), text(lib.fz_report_text(found, lib.FZ_TEXT))
    if status != lib.FZ_OK:
        raise Error(words.rstrip("\n") or _message(context), STATUS[status], said)
    return owned(program[0], lib.fz_program_release, context), said
