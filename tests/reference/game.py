"""A game: a script, and the order of its turns (chapters 8 to 10 of docs/spec)."""
import math
import re
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction

from boards import Boards
from decisions import Decisions, Pending
from expressions import BOOL, CONSTANTS, INT, Expressions, Type, fault_if
from names import Names
from statements import Over, Statements, Stop
from syntax import ScriptError, holds, refuse_if


@dataclass
class State:
    pieces: list
    vars: list
    history: list = field(default_factory=list)
    occupied: int = 0
    out: int = 0
    turns: int = 0
    mover: int = 0
    upcoming: int = 0
    last_from: int = -1
    last_to: int = -1
    ranks: list = None
    utilities: list = None
    stopped: bool = False

    def copy(self):
        return replace(self, pieces=self.pieces[:], vars=[values[:] for values in self.vars])


@dataclass
class Position:
    """The beginning of a turn or of the set-up, the events since then, and what the game waits
    for."""
    state: State
    phase: str
    events: list = ()
    plies: int = 0
    body: object = None                 # in place of the phase, in tests
    waits: Pending = Pending(None)

    def after(self, event):
        return replace(self, events=[*self.events, event], waits=Pending(None),
                       plies=self.plies + (event[0] == "move"))


class Game(Decisions, Statements, Names, Boards, Expressions):
    # While something is compiled: what it depends on; where it stands.
    reads, in_function, no_chance, in_end = frozenset(), False, False, False
    numbers = 0                         # of options
    # While a turn runs: the events, and how many have happened; the filters that wait; whether
    # lists are made without filters, and for whom a filter is evaluated.
    state, me, depth, events, at, active, raw, deciding = None, 0, 0, [], 0, [], False, None

    def __init__(self, unit):
        self.unit = unit
        self.open_generators = []       # those whose options are being compiled
        self.parts_used = []            # enums that are parts of others
        self.cache, self.made_items = {}, {}
        self.frames = unit.bounds.get("frames", 256)
        self.known = {key for file in unit.files.values() for key in file.slots}
        for name in ("players", "board", "turn"):
            refuse_if(self.decl(name) is None, "E0501", 1)
        self.make_players()
        self.make_types()
        self.make_pieces()
        taken = {*CONSTANTS, *self.types, *self.board.names, *self.board.dirs}
        for file in unit.files.values():
            for (sort, name, *_), slot in file.slots.items():
                refuse_if(sort == "name" and name in taken, "E0306", slot.decl)
        self.variables = []
        found = [self.variable(slot) for slot in unit.slots("var")]
        self.carried = [var for var in found if "carried" in var.marks]
        self.compile()

    def decl(self, name):
        slot = self.unit.find(self.unit.main, ("global", name))
        return slot and slot.decl

    def make_players(self):
        players, teams = self.unit.players(), self.unit.teams()
        self.declared_players = [name for name, _, _ in self.decl("players").players]
        self.has_teams = self.decl("teams") is not None
        refuse_if(not players, "E0240", self.decl("players"))
        refuse_if(len({*self.declared_players}) < len(self.declared_players), "E0305",
                  self.decl("players"))
        team_of = [(name, t) for t, (_, members) in enumerate(teams) for name in members]
        refuse_if(len(dict(team_of)) < len(team_of), "E0508", self.decl("teams"))
        refuse_if(len(team_of) < len(players), "E0509", self.decl("teams"))
        used = sorted({t for _, t in team_of})
        self.player = Type("player", [name for name, _ in players], cyclic=True)
        self.team = Type("team", [teams[t][0] for t in used], null=False)
        self.team_of = [used.index(dict(team_of)[name]) for name, _ in players]
        self.types = {"bool": BOOL, "int": INT, "player": self.player, "team": self.team}

    def make_types(self):
        board, stacks, self.enums = self.decl("board"), self.decl("stacks"), []
        refuse_if(board.place not in (None, "cells", "vertices"), "E0717", board)
        try:
            self.use_board(self.make_board(board.value, board))
        except ScriptError as error:
            raise ScriptError(error.code, error.line or board.line) from error
        refuse_if(len(self.board.dirs) > 32, "E0715", board)
        kinds = {slot.decl.name: slot.decl.letter for slot in self.unit.slots("piece")}
        self.kind = self.types["kind"] = Type(
            "kind", [*kinds], texts=[letter or name for name, letter in kinds.items()])
        self.facing = [self.face(p, facing) for p, (_, facing) in enumerate(self.unit.players())]
        found = [self.enum(slot) for sort in ("enum", "option", "die")
                 for slot in self.unit.slots(sort)]
        self.enums = [kind for kind in found if kind]
        self.stacks = self.fixed(stacks.value, self.scope(stacks.file), INT) if stacks else 1

    def face(self, player, facing):
        dirs = self.board.dirs
        if facing is not None:
            refuse_if(facing.name not in dirs, "E0301", facing)
            return dirs.index(facing.name)
        start = dirs.index("n") if "n" in dirs else 0
        if player == 1 and self.player.size == 2 and dirs:
            return self.board.opposite(start)
        return start if dirs else -1

    def make_pieces(self):
        self.kinds = self.unit.slots("piece")
        self.letters, used, self.properties = {}, set(), {}
        declared = self.unit.slots("property")
        first = [slot.decl.name[0] for slot in self.kinds]
        for number, slot in enumerate(self.kinds):
            decl, letter = slot.decl, slot.decl.letter
            refuse_if(letter and (len(letter.encode()) > 16 or not letter.isdigit() and
                                  re.search(r"[\s.\"\d]", letter)), "E0504", decl)
            letter = letter or (decl.name[0] if first.count(decl.name[0]) == 1 else decl.name)
            refuse_if(letter.upper() in used and decl.letter, "E0503", decl)
            used.add(letter.upper())
            self.letters[letter] = number
            names = [node.name for node in decl.items if node.kind == "property"]
            refuse_if({*names} - {one.decl.name for one in declared}, "E0505", decl)
            refuse_if(len({*names}) < len(names), "E0507", decl)
        for slot in declared:
            kind = self.type_of(slot.decl.type, slot.decl.file)
            table = self.properties[slot.decl.name] = {"type": kind}
            for number, piece in enumerate(self.kinds):
                node, file = self.stated(piece.decl, slot.decl.name) or (slot.decl, slot.decl.file)
                refuse_if(node.value is None, "E0506", piece.decl)
                table[number] = self.fixed(node.value, self.scope(file), kind)

    def stated(self, decl, name):
        """Where a kind states a property: itself, or where `base;` or `extend` takes it from."""
        for node in decl.items:
            if node.kind == "property" and node.name == name:
                return node, decl.file
        below = decl.change == "extend" or any(node.kind == "base" for node in decl.items)
        return self.stated(decl.base.decl, name) if below and decl.base else None

    def compile(self):
        unit, limit = self.unit, self.decl("limit")
        self.phases = {name: self.phase(self.decl(name))
                       for name in ("capture", "setup", "turn", "end") if self.decl(name)}
        for check in (self.items, self.check_borrowed):
            for kind in range(self.kind.size):
                check(kind)
        for slot in [slot for kind in ("let", "fn", "proc") for slot in unit.slots(kind)]:
            self.table(slot)
        for slot in unit.slots("moves"):
            self.generator(slot.decl)
        self.end_turns = math.inf, None
        if limit:
            number = self.fixed(limit.value, self.scope(limit.file), INT)
            refuse_if(number < 1, "E0410", limit)
            with self.setting(no_chance=True):
                self.end_turns = number, self.statement(limit.stmt, self.scope(limit.file))
        places = limit.stmt if limit else [file.decls for file in unit.files.values()]
        refuse_if(not holds(places, lambda node: node.kind == "rank" or node.kind == "effect" and
                            node.name in ("win", "lose", "draw") or limit and node.kind == "call"),
                  "E0609" if limit else "E0608", limit.stmt if limit else 1)

    def prelude_value(self, name):
        """`mine`, `theirs` or `foe` for `me`, as the game declares them."""
        return self.called(self.table(self.unit.prelude.slots["name", name]), [])[1]({})

    def changed(self):
        if self.cache:
            self.cache.clear()

    def set_state(self, state):
        self.state, self.cache = state, {}

    def draw(self, kind, weights):
        fault_if(any(weight < 0 for weight in weights.values()), "a weight below 0")
        weights = {value: weight for value, weight in weights.items() if weight}
        if not weights:
            return kind.default
        if self.at == len(self.events):
            raise Pending(None, results=weights, kind=kind)
        sort, value = self.events[self.at]
        fault_if(sort != "chance" or value not in weights, "no such result of chance")
        self.at += 1
        self.active = []
        return value

    def new_state(self):
        return State([()] * self.board.size, [list(var.initial) for var in self.variables])

    def beginning(self):
        return self.advance(Position(self.new_state(), "setup"))

    def next_player(self, player):
        order = [(player + step) % self.player.size for step in range(1, self.player.size + 1)]
        found = [other for other in order if not self.state.out >> other & 1]
        fault_if(not found, "all players are out")
        return found[0]

    def advance(self, position):
        idle = 0
        while True:
            position = self.run_phase(position)
            if position.waits.any or self.state.ranks:
                return position
            decided = any(event[0] == "move" for event in position.events)
            idle = 0 if decided or position.phase == "setup" else idle + 1
            fault_if(idle >= self.unit.bounds.get("idle_turns", 10000),
                     "idle turns: too many turns without a decision")
            position = self.begin_turn(position.plies)

    def begin_turn(self, plies):
        state = self.state
        state.mover = state.upcoming
        if state.out >> state.mover & 1:
            state.mover = self.next_player(state.mover)
        state.turns += 1
        state.upcoming = self.next_player(state.mover)
        state.history = [*state.history, self.record(state.mover)]
        return Position(state, "turn", (), plies)

    def record(self, mover):
        """What `repetitions` compares: the pieces, and all."""
        stable = tuple(tuple(self.state.vars[var.number]) for var in self.variables
                       if "clock" not in var.marks)
        pieces = tuple(self.state.pieces)
        return pieces, (pieces, stable, mover)

    def repetitions(self, whole, since):
        now = self.record(self.state.upcoming)[whole]
        return sum(old[whole] == now for old in self.state.history[max(since - 1, 0):])

    def run_phase(self, position):
        self.set_state(position.state.copy())
        self.events, self.at, self.active = list(position.events), 0, []
        self.depth, self.raw, self.deciding = 0, False, None
        self.me, waits = self.state.mover, Pending(None)
        try:
            with suppress(Stop):
                (position.body or self.phases.get(position.phase, lambda f: None))({})
            self.me = self.state.mover
            if position.phase == "turn":
                self.phases.get("end", lambda f: None)({})
                limit, stmt = self.end_turns
                if self.state.turns >= limit:
                    self.state.stopped = True
                    stmt({})
        except Pending as pending:
            waits = pending
        except Over:
            pass
        return replace(position, events=list(self.events), waits=waits)

    def children(self, waits):
        """(probability, event) of all ways to go on."""
        if waits.moves:
            return [(1, ("move", move.key)) for move in waits.moves]
        total = sum(waits.results.values())
        return [(Fraction(weight, total), ("chance", value))
                for value, weight in waits.results.items()]

    def perft(self, position, depth, decisions=False):
        """The number of sequences of whole turns, or of decisions."""
        start = max(position.state.turns, 1)
        def count(position, left):
            total = 0
            for _, event in self.children(position.waits) if position.waits.any else ():
                child = self.advance(position.after(event))
                rest = left - bool(decisions and event[0] == "move")
                turns = self.state.turns - start + bool(self.state.ranks and child.events)
                total += 1 if (rest == 0 if decisions else turns >= depth) else count(child, rest)
            return total
        return count(position, depth)

    def outcomes(self, position):
        """(probability, position) after all chance that is waited for."""
        if not position.waits.results:
            return [(Fraction(1), position)]
        found = []
        for weight, event in self.children(position.waits):
            child = self.advance(position.after(event))
            same = self.state.turns == position.state.turns
            found += [(weight * p, end) for p, end in
                      (self.outcomes(child) if same else [(Fraction(1), child)])]
        return found
