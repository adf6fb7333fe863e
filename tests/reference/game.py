"""A game: a script, and the order of its turns (chapters 8 to 10 of docs/spec)."""
import math
import re
from fractions import Fraction

from decisions import Decisions, Pending
from expressions import (BOOL, CONSTANTS, INT, Expressions, GameError, Info, Scope, Type, fault_if,
                         set_of)
from functions import Functions
from names import Names
from pieces import Pieces
from statements import Over, Statements, Stop
from words import ScriptError, holds, refuse_if
import board as boards


SHAPES = {"square": (1, 2), "hex": (1, 1), "hex_rhombus": (1, 2), "triangle": (1, 1),
          "hex_star": (1, 1), "hex_upright": (1, 1), "circle": (2, 2), "pits": (2, 2),
          "track": (1, 1)}              # how many sizes they have
OPERATORS = {
    "without": lambda game, node, board: game.without(board, node.args[1]),
    "with_edges": lambda game, node, board: boards.with_edges(
        board, game.chosen(node.args[1]).rows),
    "wrap": lambda game, node, board: boards.wrap(board, node.args[1].name, node.args[2].name),
    "join": lambda game, node, *parts: boards.join(
        [(arg.prefix, part) for arg, part in zip(node.args, parts)]),
    "layers": lambda game, node, board: boards.layers(board, game.unit.constant(node.args[1])),
    "mesh": lambda game, node, board: boards.mesh(board),
}


class State:
    """What changes during a game."""

    def __init__(self):
        self.pieces, self.vars, self.history = [], [], []
        self.occupied = self.out = self.turns = 0
        self.mover = self.upcoming = 0
        self.last_from = self.last_to = -1
        self.ranks, self.utilities, self.stopped = None, None, False

    def copy(self):
        other = State.__new__(State)
        other.__dict__.update(self.__dict__)
        other.pieces, other.vars = self.pieces[:], [v[:] for v in self.vars]
        return other


class Position:
    """The beginning of a turn or of the set-up, the events since then, and what the game waits for
    (a Pending)."""

    def __init__(self, state, phase, events=(), plies=0, body=None):
        self.state, self.phase, self.events, self.plies = state, phase, list(events), plies
        self.body, self.waits = body, Pending(None)     # body: in place of the phase, in tests

    def after(self, event):
        return Position(self.state, self.phase, [*self.events, event],
                        self.plies + (event[0] == "move"), self.body)


class Game(Decisions, Pieces, Statements, Names, Functions, Expressions):
    """A script that can be played."""

    def __init__(self, unit):
        self.unit = unit
        self.cache, self.depth, self.reads, self.in_function = {}, 0, False, False
        self.attacking = False          # whether what is compiled depends on `attacked`
        self.parts_used = []            # enums that are parts of others
        self.open_generators = []       # those whose options are being compiled
        self.no_chance, self.in_end, self.numbers = False, False, 0
        self.state, self.me, self.events, self.at = None, 0, [], 0
        self.active, self.raw, self.deciding, self.prelude_calls = [], False, None, {}
        self.variables, self.made_items = [], {}
        self.frames = unit.bounds.get("frames", 256)
        self.known = {key for file in unit.files.values() for key in file.slots}
        for name in ("players", "board", "turn"):
            refuse_if(unit.find(unit.main, ("global", name)) is None, "E0501", 1)
        self.make_types()
        self.make_pieces()
        self.check_names()
        self.carried = []
        for slot in unit.slots("var"):
            var = self.variable(slot)
            if "carried" in var.marks:
                self.carried.append(var)
        self.compile()

    # What there is.

    def decl(self, name):
        slot = self.unit.find(self.unit.main, ("global", name))
        return slot.decl if slot else None

    def make_types(self):
        players, teams = self.unit.players(), self.unit.teams()
        self.declared_players = [name for name, _, _ in self.decl("players").players]
        names = [name for name, _ in players]
        self.has_teams = self.decl("teams") is not None
        self.check_players(teams)
        teams = [(team, people) for team, people in teams if people]
        self.player = Type("player", names, cyclic=True)
        self.team = Type("team", [team for team, _ in teams], null=False)
        self.team_of = [next(t for t, (_, people) in enumerate(teams) if name in people)
                        for name in names]
        board = self.decl("board")
        refuse_if(board.place not in (None, "cells", "vertices"), "E0717", board)
        self.types = {"bool": BOOL, "int": INT, "player": self.player, "team": self.team}
        self.enums = []
        try:
            self.use_board(self.make_board(board.value, board))
        except ScriptError as error:
            raise ScriptError(error.code, error.line or board.line) from error
        refuse_if(len(self.board.dirs) > 32, "E0715", board)
        kinds = [slot.decl for slot in self.unit.slots("piece")]
        self.kind = Type("kind", [k.name for k in kinds], texts=[k.letter or k.name for k in kinds])
        self.types["kind"] = self.kind
        self.facing = [self.face(p, facing) for p, (_, facing) in enumerate(players)]
        for sort in ("enum", "option", "die"):
            for slot in self.unit.slots(sort):
                kind = self.enum(slot)
                if kind is not None:
                    self.enums.append(kind)
        stacks = self.decl("stacks")
        self.stacks = self.fixed(stacks.value, self.scope(stacks.file), INT) if stacks else 1

    def check_players(self, teams):
        """Players differ, and each is in one team."""
        refuse_if(not self.unit.players(), "E0240", self.decl("players"))
        people = [name for _, members in teams for name in members]
        refuse_if(len({*self.declared_players}) < len(self.declared_players), "E0305",
                  self.decl("players"))
        refuse_if(len({*people}) < len(people), "E0508", self.decl("teams"))
        refuse_if(len(people) < len(self.unit.players()), "E0509", self.decl("teams"))

    def face(self, player, facing):
        if facing is not None:
            refuse_if(facing.name not in self.board.dirs, "E0301", facing)
            return self.board.dirs.index(facing.name)
        start = self.board.dirs.index("n") if "n" in self.board.dirs else 0
        if player == 1 and self.player.size == 2 and self.board.dirs:
            return self.board.opposite(start)
        return start if self.board.dirs else -1

    def make_board(self, node, decl):
        node = self.chosen(node)
        if node.name == "none" and node.kind == "name":
            return boards.Board("none", [])
        if node.name == "base" and node.kind == "name":
            return self.make_board(decl.base.value, decl.base)
        if node.kind == "graph":
            return boards.graph(node.rows)
        refuse_if(node.kind != "callx", "E0712", 0)
        name, args = node.name, node.args
        refuse_if(name not in SHAPES and name not in OPERATORS, "E0703", 0)
        refuse_if(name != "join" and any(arg.kind == "prefixed" for arg in args), "E0718", 0)
        if name in OPERATORS:
            parts = [self.make_board(arg.value if arg.prefix else arg, decl)
                     for arg in args[:None if name == "join" else 1]]
            return OPERATORS[name](self, node, *parts)
        least, most = SHAPES[name]
        refuse_if(not least <= len(args) <= most, "E0704", 0)
        sizes = [self.unit.constant(arg) for arg in args]
        refuse_if(min(sizes) < 1 or name == "hex_star" and sizes[0] < 2 or
                  name == "circle" and sizes[1] < 3, "E0702", 0)
        return getattr(boards, name)(*sizes * (most // len(sizes)))

    def chosen(self, node):
        """The part of `if … then … else` that the options choose."""
        while node.kind == "choice":
            node = node.yes if self.unit.constant(node.test) else node.no
        return node

    def use_board(self, board):
        self.board = board
        self.site, self.dir = Type("site", board.names), Type("dir", board.dirs, cyclic=True)
        self.types |= {"site": self.site, "dir": self.dir, "sites": set_of(self.site),
                       "dirs": set_of(self.dir)}

    def without(self, board, node):
        """A board without sites: an expression before the game is made."""
        self.use_board(board)
        self.kind = self.types["kind"] = Type("kind", [])
        try:
            gone = self.fixed(self.chosen(node), self.scope(), set_of(self.site))
        except ScriptError as error:
            raise ScriptError({"E0301": "E0705", "E0303": "E0705", "E0401": "E0713"}.get(
                error.code, error.code), 0) from error
        return boards.without(board, gone)

    def make_pieces(self):
        self.kinds = self.unit.slots("piece")
        self.letters, used = {}, {}
        first = [slot.decl.name[0] for slot in self.kinds]
        for number, slot in enumerate(self.kinds):
            decl = slot.decl
            letter = decl.letter
            if letter is None:
                letter = decl.name[0] if first.count(decl.name[0]) == 1 else decl.name
            refuse_if(decl.letter and (len(letter.encode()) > 16 or not letter.isdigit() and
                      re.search(r"[\s.\"\d]", letter)), "E0504", decl)
            refuse_if(letter.upper() in used and decl.letter is not None, "E0503", decl)
            used[letter.upper()] = number
            self.letters[letter] = number
            self.check_properties(decl)
        self.properties = {}
        for slot in self.unit.slots("property"):
            kind = self.type_of(slot.decl.type, slot.decl.file)
            table = self.properties[slot.decl.name] = {"type": kind}
            for number, piece in enumerate(self.kinds):
                node, file = self.stated(piece.decl, slot.decl.name) or (slot.decl, slot.decl.file)
                refuse_if(node.value is None, "E0506", piece.decl)
                table[number] = self.fixed(node.value, self.scope(file), kind)

    def check_properties(self, decl):
        known = {slot.decl.name for slot in self.unit.slots("property")}
        names = [node.name for node in decl.items if node.kind == "property"]
        for number, name in enumerate(names):
            refuse_if(name not in known or name in names[:number], "E0507" if name in known else
                      "E0505", decl)

    def stated(self, decl, name):
        """Where a kind states a property: itself, or where `base;` or `extend` takes it from."""
        for node in decl.items:
            if node.kind == "property" and node.name == name:
                return node, decl.file
        below = decl.change == "extend" or any(node.kind == "base" for node in decl.items)
        return self.stated(decl.base, name) if below and decl.base else None

    def check_names(self):
        """Names that no declaration may have."""
        taken = {*CONSTANTS, *self.types, *self.board.names, *self.board.dirs}
        for file in self.unit.files.values():
            for key, slot in file.slots.items():
                refuse_if(key[0] == "name" and key[1] in taken, "E0306", slot.decl)

    def compile(self):
        self.phases = {}
        self.on_capture = None
        for name in ("capture", "setup", "turn", "end"):
            decl = self.decl(name)
            if decl is not None:
                self.phases[name] = self.phase(decl)
        self.on_capture = self.phases.get("capture")
        for kind in range(self.kind.size):
            self.items(kind)
        for kind in range(self.kind.size):
            self.check_borrowed(kind)
        for slot in [slot for kind in ("let", "fn", "proc") for slot in self.unit.slots(kind)]:
            self.table(slot)
        for slot in self.unit.slots("moves"):
            self.generator(slot.decl)
        self.end_turns = math.inf, None
        limit = self.decl("limit")
        if limit is not None:
            scope = self.scope(limit.file)
            number = self.fixed(limit.value, scope, INT)
            refuse_if(number < 1, "E0410", limit)
            with self.setting(no_chance=True):
                self.end_turns = number, self.statement(limit.stmt, scope)
        places = [limit.stmt] if limit else [file.decls for file in self.unit.files.values()]
        refuse_if(not holds(places, lambda node: node.kind in ("win", "lose", "draw", "rank") or
                            limit and node.kind == "call"),
                  "E0609" if limit else "E0608", limit and limit.stmt or 1)

    def prelude_value(self, name):
        """`mine`, `theirs` or `foe` for `me`, as the game declares them."""
        if name not in self.prelude_calls:
            slot = self.unit.prelude.slots["name", name]
            self.prelude_calls[name] = self.called(self.table(slot), [])
        return self.prelude_calls[name]({})

    def changed(self):
        if self.cache:
            self.cache.clear()

    def set_state(self, state):
        self.state = state
        self.cache = {}

    # Chance.

    def draw(self, kind, weights):
        """The next result of chance."""
        if not weights:
            return kind.default
        if self.at < len(self.events):
            sort, value = self.events[self.at]
            fault_if(sort != "chance" or value not in weights, "no such result of chance")
            self.at += 1
            self.active = []
            return value
        raise Pending(None, results=weights, kind=kind)

    # Turns.

    def new_state(self):
        state = State()
        state.pieces = [()] * self.board.size
        state.vars = [list(var.initial) for var in self.variables]
        return state

    def beginning(self):
        return self.advance(Position(self.new_state(), "setup"))

    def next_player(self, player):
        """The next player in order who is not out."""
        for step in range(1, self.player.size + 1):
            other = (player + step) % self.player.size
            if not self.state.out >> other & 1:
                return other
        raise GameError("all players are out")

    def advance(self, position):
        """Plays until a decision, chance, or the end."""
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
        mover = state.upcoming
        if state.out >> mover & 1:
            mover = self.next_player(mover)
        state.mover, state.turns = mover, state.turns + 1
        state.upcoming = self.next_player(mover)
        state.history = [*state.history, self.record(mover)]
        return Position(state, "turn", (), plies)

    def record(self, mover):
        stable = tuple(tuple(self.state.vars[var.number]) for var in self.variables
                       if "clock" not in var.marks)
        pieces = tuple(self.state.pieces)
        return pieces, (pieces, stable, mover)

    def repetitions(self, whole, since):
        pieces, full = self.record(self.state.upcoming)
        return sum(old[1] == full if whole else old[0] == pieces
                   for old in self.state.history[max(since - 1, 0):])

    def run_phase(self, position):
        """Runs the set-up or a turn with its events."""
        self.set_state(position.state.copy())
        self.events, self.at, self.active = list(position.events), 0, []
        self.depth, self.raw, self.deciding = 0, False, None
        self.me = self.state.mover
        found = Position(position.state, position.phase, (), position.plies, position.body)
        try:
            self.run_body(position)
        except Pending as pending:
            found.waits = pending
        except Over:
            pass
        found.events = list(self.events)
        return found

    def run_body(self, position):
        body = position.body or self.phases.get(position.phase, lambda f: None)
        try:
            body({})
        except Stop:
            pass
        self.me = self.state.mover
        if position.phase == "turn":
            self.phases.get("end", lambda f: None)({})
            limit, stmt = self.end_turns
            if self.state.turns >= limit:
                self.state.stopped = True
                stmt({})

    # Counting.

    def children(self, waits):
        """(weight, event) of all ways to go on."""
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
            for _, event in self.children(position.waits):
                child = self.advance(position.after(event))
                rest = left - 1 if decisions and event[0] == "move" else left
                done = self.state.turns - start + bool(self.state.ranks and child.events)
                if decisions and rest == 0 or not decisions and done >= depth:
                    total += 1
                elif child.waits.any:
                    total += count(child, rest)
            return total
        return count(position, depth) if position.waits.any else 0

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
