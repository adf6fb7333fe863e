"""Games in progress."""
import json
import operator
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np

from . import observations, playouts
from .library import STATUS, Error, encoded, ffi, lib, owned, text, whole
from .playouts import Ending

if TYPE_CHECKING:
    from .games import Game

Who = Union[int, str, None]


class Move(str):
    """A legal move: its notation, which is a str, and `action` (its number, the same in every
    state; -1: none), `option` and `values` (what the script's `for`s name), `source` and `target`
    (sites; -1: none)."""

    action: int
    option: int
    values: Tuple[int, ...]
    source: int
    target: int


@dataclass(frozen=True)
class Outcome:
    """What chance may bring: its number, its text, and its weight among the others."""

    value: int
    weight: int
    text: str


class State:
    """A game in progress; `Game.start` makes it. Two threads that use one state wait for each
    other."""

    def __init__(self, game: "Game", pointer: Any, asks: bool, seed: int):
        self.game = game
        self._seed, self._asks = seed, asks
        self._state = owned(pointer, lib.fz_state_free, game._program, game._context)
        self._lock = threading.RLock()

    @classmethod
    def _begin(cls, game: "Game", seed: int, stream: int, asks: bool) -> "State":
        seed, stream = whole(seed, "seed"), whole(stream, "stream")
        machine = game._machine(asks)
        pointer = lib.fz_record_begin(machine, seed, stream)
        if pointer == ffi.NULL:
            raise Error(text(lib.fz_machine_message(machine)), "runtime")
        return cls(game, pointer, asks, seed)

    @classmethod
    def _recorded(cls, game: "Game", seed: int, position: Optional[str]) -> "State":
        """Where a record begins."""
        state = cls._begin(game, seed, 0, True)
        return state if position is None else state.read(position)

    def _enter(self, entry: str) -> "State":
        """Plays an entry of a record."""
        with self._lock:
            self._check(lib.fz_record_play(self._machine, self._state, encoded(entry)))
        return self

    @property
    def _machine(self) -> Any:
        return self.game._machine(self._asks)

    def _check(self, status: int, machine: Any = None) -> None:
        """Raises the error of a call on that machine, or on the state's own."""
        if status != lib.FZ_OK:
            raise Error(text(lib.fz_machine_message(machine or self._machine)) or STATUS[status],
                        STATUS[status])

    def _written(self, write: Any, *arguments: Any) -> str:
        """The text that a function of the library makes of the state."""
        found = ffi.new("char **")
        with self._lock:
            self._check(write(self._machine, self._state, *arguments, found))
        return self.game._text_of(found[0])

    # ---- how it stands ----

    @property
    def waiting(self) -> str:
        """"move", "chance" or "over"; "failed" after a playout in which the script failed."""
        with self._lock:
            return ("move", "chance", "over", "failed")[lib.fz_state_waiting(self._state)]

    @property
    def over(self) -> bool:
        return self.waiting == "over"

    @property
    def decider(self) -> int:
        """The player whose choice is waited for; -1 if none is."""
        with self._lock:
            return lib.fz_state_decider(self._state) if self.waiting == "move" else -1

    @property
    def mover(self) -> int:
        """The player whose turn it is."""
        with self._lock:
            return lib.fz_state_mover(self._state)

    @property
    def turn(self) -> int:
        with self._lock:
            return lib.fz_state_turns(self._state)

    @property
    def plies(self) -> int:
        """The number of decisions so far."""
        with self._lock:
            return lib.fz_state_plies(self._state)

    @property
    def sealed(self) -> int:
        """How many of the latest decisions the other players do not see yet."""
        with self._lock:
            return lib.fz_state_hidden_decisions(self._state)

    def _by_player(self, function: Any) -> Optional[Tuple[Any, ...]]:
        with self._lock:
            if not self.over:
                return None
            return tuple(function(self._state, p) for p in range(len(self.game.players)))

    @property
    def ranks(self) -> Optional[Tuple[int, ...]]:
        """Of each player: 1 is first, shared ranks are equal. None while the game goes on."""
        return self._by_player(lib.fz_state_rank)

    @property
    def utilities(self) -> Optional[Tuple[float, ...]]:
        """Of each player: 1 is a win, 0 a loss. None while the game goes on."""
        return self._by_player(lib.fz_state_utility)

    @property
    def payoffs(self) -> Optional[Tuple[int, ...]]:
        """Of each player. None while the game goes on, and in games without payoffs."""
        def payoff(state: Any, player: int) -> int:
            value = ffi.new("int64_t *")
            self._check(lib.fz_state_payoff(self._machine, state, player, value))
            return value[0]
        return self._by_player(payoff) if self.game.has_payoffs else None

    @property
    def result(self) -> str:
        """Such as "White 1, Black 2"; "" while the game goes on."""
        return self._written(lib.fz_record_result_text)

    @property
    def ending(self) -> Ending:
        with self._lock:
            return Ending(lib.fz_state_ending(self._state, ffi.NULL))

    @property
    def ending_place(self) -> str:
        """Where in the script the result stands: "file:line:column"; "" if it is not known."""
        place, found = ffi.new("uint32_t *"), ffi.new("char[512]")
        with self._lock:
            lib.fz_state_ending(self._state, place)
        lib.fz_program_place_text(self.game._program, place[0], found, 512)
        return text(found)

    # ---- moves ----

    def _list(self) -> Any:
        moves = lib.fz_moves_new(self._machine)
        if moves == ffi.NULL:
            raise Error("out of memory", "no-memory")
        moves = ffi.gc(moves, lib.fz_moves_free)
        self._check(lib.fz_state_moves(self._machine, self._state, moves))
        return moves

    def _legal(self) -> List[Any]:
        """The legal moves, as `play` and `_notation` take them: for many, faster than `moves`."""
        with self._lock:
            if self.waiting != "move":
                return []
            moves = self._list()
            return [lib.fz_moves_at(moves, i) for i in range(lib.fz_moves_count(moves))]

    def _notation(self, move: Any) -> str:
        """The text of a legal move."""
        with self._lock:
            return text(lib.fz_move_text(self._machine, self._state, self._found(move)))

    def _made(self, move: Any) -> Move:
        """A Move of a legal fz_move."""
        machine = self._machine
        made = Move(self._notation(move))
        made.action = lib.fz_move_action(self.game._program, ffi.addressof(move))
        made.option = move.option
        made.values = tuple(move.values[0:move.count])
        sites = ffi.new("int[2]")
        lib.fz_move_sites(machine, self._state, ffi.addressof(move), sites, sites + 1)
        made.source, made.target = sites
        return made

    @property
    def moves(self) -> List[Move]:
        """The legal moves in the order of the language; none unless one is waited for."""
        with self._lock:
            return [self._made(move) for move in self._legal()]

    @property
    def actions(self) -> "np.ndarray":
        """The numbers of the legal moves (int64), in the order of `moves`: below `game.actions`,
        and the same in every state."""
        with self._lock:
            if self.waiting != "move":
                return np.zeros(0, np.int64)
            moves = self._list()
            found = np.zeros(lib.fz_moves_count(moves), np.int64)
            self._check(lib.fz_moves_actions(moves, ffi.from_buffer("int64_t[]", found)))
            return found

    def _found(self, move: Any) -> Any:
        """The fz_move that is meant."""
        if isinstance(move, ffi.CData):
            return ffi.addressof(move)
        found = ffi.new("fz_move *")
        if isinstance(move, Move):
            found.option, found.count = move.option, len(move.values)
            found.values[0:len(move.values)] = move.values
        elif isinstance(move, str):
            self._check(lib.fz_move_parse(self._machine, self._state, encoded(move, "a move"),
                                          found))
        elif not lib.fz_action_move(self.game._program, operator.index(move), found):
            raise Error(f"there is no action {move}")
        return found

    def play(self, move: Union[str, int]) -> "State":
        """Plays a legal move, given by its notation, as a Move or by its action, and goes on to the
        next choice. Returns this state. If that fails, the state is as before."""
        with self._lock:
            self._check(lib.fz_state_play(self._machine, self._state, self._found(move)))
        return self

    def play_random(self) -> "State":
        """Plays one random move from the chance of the game."""
        with self._lock:
            self._check(lib.fz_state_play_random(self._machine, self._state))
        return self

    def playout(self) -> "State":
        """Plays random moves to the end. Chance happens by itself here, also in a state that asks
        for it: it is drawn from the seed of the game."""
        with self._lock:
            while self.waiting == "chance":
                self.sample_chance()
            machine = self.game._machine(False)
            self._check(lib.fz_state_playout(machine, self._state, 0), machine)
        return self

    def playouts(self, count: int = 1000, seed: int = 1, threads: int = 1,
                 agents: Optional[Sequence[str]] = None) -> playouts.Playouts:
        """Plays games from here to their ends, as `Game.playouts`. Lengths are counted from
        here."""
        begun = self.copy()
        return playouts.run(self.game, count, seed, threads, agents, False, begun._state)

    def choose(self, agent: str = "mcts:1000", seed: int = 1) -> Move:
        """The move that an agent chooses (docs/agents.md of Ferz)."""
        game = self.game
        made, move = ffi.new("fz_agent **"), ffi.new("fz_move *")
        with game._lock:
            status = lib.fz_agent_new(game._context, game._program, encoded(agent), made)
            if status != lib.FZ_OK:
                raise Error(text(lib.fz_context_message(game._context)), STATUS[status])
        helper = ffi.gc(made[0], lib.fz_agent_free)
        with self._lock:
            lib.fz_agent_begin(helper, whole(seed, "seed"), 0)
            status = lib.fz_agent_choose(helper, self._state, move)
            if status != lib.FZ_OK:
                raise Error(text(lib.fz_agent_message(helper)), STATUS[status])
            return self._made(move[0])

    def why(self, move: str) -> str:
        """Why a text is a legal move or not, with places in the script."""
        with self._lock:
            return text(lib.fz_move_why(self._machine, self._state, encoded(move)))

    def copy(self) -> "State":
        """Another state that goes on from here, with the same chance."""
        with self._lock:
            pointer = lib.fz_state_clone(self._state)
        if pointer == ffi.NULL:
            raise Error("out of memory", "no-memory")
        return State(self.game, pointer, self._asks, self._seed)

    # ---- chance ----

    @property
    def outcomes(self) -> List[Outcome]:
        """What may come, with weights, if chance is waited for."""
        with self._lock:
            if self.waiting != "chance":
                return []
            rows, count = ffi.new("fz_outcome **"), ffi.new("size_t *")
            self._check(lib.fz_state_outcomes(self._machine, self._state, rows, count))
            found = [(rows[0][i].value, rows[0][i].weight) for i in range(count[0])]
            return [Outcome(value, weight, self._chance_text(value)) for value, weight in found]

    def _chance_text(self, value: int) -> str:
        return text(lib.fz_chance_text(self._machine, self._state, value))

    def set_chance(self, value: Union[int, Outcome]) -> "State":
        """Gives the result of the chance that is waited for. Returns this state."""
        number = value.value if isinstance(value, Outcome) else value
        with self._lock:
            self._check(lib.fz_state_set_chance(self._machine, self._state, number))
        return self

    def sample_chance(self) -> "State":
        """Draws the chance that is waited for from the seed of the game."""
        with self._lock:
            self._check(lib.fz_state_sample_chance(self._machine, self._state, ffi.NULL))
        return self

    # ---- what stands there ----

    def _known(self, player: Who) -> Any:
        """The state as a player knows it; None: the whole."""
        if player is None:
            return self._state
        known = lib.fz_state_clone_for(self._machine, self._state, self.game.player(player))
        if known == ffi.NULL:
            raise Error(text(lib.fz_machine_message(self._machine)), "runtime")
        return ffi.gc(known, lib.fz_state_free)

    def pieces(self, player: Who = None) -> Dict[str, Tuple[int, int]]:
        """Kind and owner (-1: nobody) of the piece on each site that is not empty; of the top one
        of a stack. `player`: only what this player sees."""
        pair = ffi.new("int[2]")
        found = {}
        with self._lock:
            known = self._known(player)
            for number, site in enumerate(self.game.sites):
                lib.fz_state_piece(known, number, pair, pair + 1)
                if pair[0] >= 0:
                    found[site] = (pair[0], pair[1])
        return found

    def value(self, variable: str, player: Who = None) -> Any:
        """A variable of the script: a number, a set of names of sites, or a list of them if it has
        an index. `player`: as this player knows it; what it does not know is as at the
        beginning."""
        game = self.game
        number = lib.fz_program_variable(game._program, encoded(variable))
        info = ffi.new("fz_variable_info *")
        if number < 0 or not lib.fz_program_variable_info(game._program, number, info):
            raise Error(f"there is no variable {variable!r}", "not-found")
        value = ffi.new("int64_t *")
        found = []
        with self._lock:
            known = self._known(player)
            for element in range(info.length):
                if info.is_sites:
                    found.append({name for site, name in enumerate(game.sites)
                                  if lib.fz_state_variable_has(known, number, element, site)})
                elif lib.fz_state_variable(known, number, element, value):
                    found.append(value[0])
        return found[0] if info.length == 1 else found

    def data(self, player: Who = None, moves: bool = False) -> Dict[str, Any]:
        """The state as what JSON can hold: mover, result, pieces, variables and shown values by
        name, as `player` knows them ("?": it does not); None: with everything. `moves`: with the
        legal moves, unless they tell the player something. docs/data.md describes all of it."""
        number = -1 if player is None else self.game.player(player)
        return json.loads(self._written(lib.fz_state_json, number, moves))

    def draw(self, player: Who = None) -> str:
        """The board drawn in text, as a player sees it; None: with everything."""
        if player is None:
            return self._written(lib.fz_state_draw, 0)
        return self._written(lib.fz_state_draw_for, self.game.player(player), 0)

    def __str__(self) -> str:
        return self.draw()

    def svg(self, player: Who = None, theme: Optional[str] = None) -> str:
        """The board as SVG, as a player sees it; None: with everything. `theme`: "wood", "plain" or
        "night"."""
        name = ffi.NULL if theme is None else encoded(theme)
        return self._written(lib.fz_state_svg, -1 if player is None else self.game.player(player),
                             name)

    def _repr_svg_(self) -> str:
        """What notebooks show."""
        return self.svg()

    def __repr__(self) -> str:
        return f"<ferz.State of {self.game.title!r}, {self.plies} decisions, {self.waiting}>"

    def position(self, player: Who = None) -> str:
        """The position as text, which `read` and the command ferz read. `player`: only what this
        player knows."""
        if player is None:
            return self._written(lib.fz_state_write, False)
        return self._written(lib.fz_state_write_for, self.game.player(player))

    def read(self, position: str) -> "State":
        """Becomes the position of a text. Returns this state."""
        with self._lock:
            self._check(lib.fz_state_read(self._machine, self._state,
                                          encoded(position, "a position")))
            self._check(lib.fz_record_from_here(self._machine, self._state))
        return self

    def observation(self, player: Union[int, str]) -> str:
        """All that a player knows, as text: the position and what it saw in this turn. States that
        differ in what is hidden from the player have the same observation."""
        return self._written(lib.fz_state_observation, self.game.player(player))

    def observe(self, player: Union[int, str], own: bool = False) -> observations.Observation:
        """What `observation` tells, as arrays of numbers; `own`: in the player's own view."""
        found = observations.blocks(self.game)
        with self._lock:
            self._check(lib.fz_state_observe(self._machine, self._state, self.game.player(player),
                                             own, *observations.pointers(found)))
        return found

    def record(self) -> str:
        """The record of the game, which `ferz replay` reads."""
        return self._written(lib.fz_record_write, encoded(self.game.path), self._seed)
