"""Facts about games, measured with other programs: tests/facts.

*.tsv: perft tables, one count per line, separated by tabs, `#` for comments:

    game                options       position  depth  nodes  source       flags
    chess/chess.game    -             start     3      8902   where from
    chess/chess.game    Drawn=Never   fen:...   2      2039   where from   deep

Options: `-` or Name=Value,Name=Value. Position: start, fen:FEN, moves:TEXT,TEXT (played from the
start), or pos:TEXT (a position as `ferz show` writes it, with \\n for the ends of lines).
Flags: deep (for ./dev soak only, as are counts above --max-nodes), decisions (counts decisions,
not whole turns).
Lines of one position share a run.

playouts.tsv: what uniformly random play gives elsewhere; ours must lie within four standard errors:

    game                 options    playouts  decisions  deviation  wins         source
    lines/yavalath.game  Swap=true  1000      19.62      6.15       0.456,0.544  where from

Playouts is their number there, decisions the mean length of a game and its standard deviation, wins
the shares of the players. With `turns` in a further column the length is that in turns: where
forced passes count as moves. With a reason in one more column the row must differ, by two standard
errors, as chance may hide a part:

    options Name=Value: why     another rule; a row of the game with these options agrees
    script NAME: why            another rule or count; a row of this variant in tests/facts/games
                                agrees
    rule: why, count: why       another rule or another count, which no row here has

Rows with `soak` after the reason, whose games are long, are for ./dev soak.

lines.tsv: the same, and the share of each line of the board among all steps along lines, both ways.
Wins are shares of all games. Rows with the flag `soak` are for ./dev soak:

    game        options  playouts  decisions  wins     lines                      source      flags
    hunt/x.game Men=3    1000      26.4       0.4,0.5  a1-b1:0.0731,b1-b2:0.0612  where from  soak

ends.tsv: moves that end the game, and others from the same position that must not:

    game              options  position  move    result  source      after
    chess/chess.game  -        fen:...   b6-d4   2,1     where from
    chess/chess.game  -        fen:...   b6-c5   -       where from
    tafl/tablut.game  -        fen:...   e3-e4   -       where from  fen:...

The move is as `ferz moves` writes it, or several with commas between; {x} is a result of chance.
The result: the ranks of the players; `-`: the game goes on. The source is a program, or `rules: `
and the rule from which the position is derived by hand. With `after` the board after the move is
this one: a FEN (as many of its fields as are given), or pos:TEXT (board, mover and variables;
without a mover only the board and the variables that the text names).

values.tsv: what games are worth under best play, to the first player: 1 a win, 1/2, or 0. Rows with
the flag `soak` are for ./dev soak:

    game             options  value  source      flags
    classic/x.game   Men=3    1/2    where from  soak

*.json: positions with their legal moves, counts, results, and moves played. tests/facts/convert
writes these files from the forms that other programs and rulebooks use. Everything but `game` may
be left out:

    { "game": "chess/chess.game",
      "letters": {"q": "f"},            letters of the facts' FENs and promotions, as the script's
                                        (both cases)
      "aliases": {"e1g1": "O-O"},       moves that the script writes otherwise
      "positions": [
        { "id": "name", "fen": "... w", "options": {"Name": "Value"},
          "moves": ["a2a3", "a7a8q"],   exactly these, as from and to and the letter promoted to
          "perft": [20, 400],           to depth 1, 2, ... or {"3": 8902}; counts above --max-nodes
                                        are for ./dev soak
          "result": "1-0",              null: goes on; also 0-1, 1/2-1/2 or a list of ranks, null
                                        for one that is not known
          "played": ["e2e4", "e7e5"] }, from the start these moves lead here
        { "id": "name",
          "game": "name.game",          a variant in tests/facts/games of the file's game, for what
                                        that cannot begin with
          "text": "...\\nmover: White", a position text, where there is no FEN
          "play": ["a2-a3", "{5}"],     played from there, chance in braces: all that follows is
                                        about where this leads
          "legal": ["a1-a2", "pass"],   exactly these, as `ferz moves` writes them
          "count": 2,                   so many moves
          "includes": [], "excludes": [],
          "result": [1, 2],
          "score": {"White": 3},        the variable score[White] is 3
          "values": {"held[White, Man]": 1},
          "after": {"text": "..."},     the position is this one (or "fen", "result"); without a
                                        mover: whoever is to move
          "expected": ["22", "719/40"], mean numbers of sequences of 1, 2, ... decisions: chance
                                        takes the mean of its ends
          "outcomes": [                 what chance may make of a move (or of the position, without
                                        "move")
            { "move": "a2-a3",
              "given": ["Shell"],       where chance can bring this it does: conditional
                                        probabilities
              "distribution": [         all ends, as exact fractions; the same position may be said
                                        more than once
                { "p": "1/2", "text": "...", "result": null,
                  "next": "pass|." } ] } ] }      in the middle of the turn; the next moves all have
                                                  this pattern
      ],
      "moves_played": [
        { "id": "name", "fen": "... w", "options": {}, "move": "a7a8",
          "after": "... b", "result": null } ] } both "after" and "result" may be left out

Of FENs the fields that the fact gives are compared, at most board and side to move ("fen_fields":
another number). Position texts that are compared name what differs from a variable's default, like
those of `ferz show`; board, mover and variables count, except those that the file names in
"ignore": ["name"]. In the middle of a turn it is the position as it stands. Where a fact has a
result that is not null, nobody is to move.
"""
import contextlib
import copy
import hashlib
import importlib
import io
import json
import re
import sys
import threading

from . import texts
from .common import ROOT, Failure, Job, Result

FOLDER = ROOT / "tests/facts"
CONVERTING = threading.Lock()
MOST_NODES = 12_000_000     # that a test run counts where all counts of a position are large
RESULTS = {"1-0": [1, 2], "0-1": [2, 1], "1/2-1/2": [1, 1], "*": None}


def jobs(context, only=None):
    """All of them, or those about one game."""
    for path in sorted(FOLDER.glob("*.tsv")):
        reader = {"playouts": random_play, "lines": random_lines, "ends": ends,
                  "values": values}.get(path.stem, tables)
        yield from reader(context, path, only)
    for path in sorted(FOLDER.glob("*.json")):
        facts = Facts(context, path)
        if only in (None, facts.data["game"]):
            yield from positions(context, path.stem, facts)
    for path in sorted((FOLDER / "given").glob("*.json")):
        yield from converted(context, path, only)


# ---- Facts as others write them ------------------------------------------------------------------

# What a converter needs; any other field may be missing.
NEEDED = {"fen", "position", "pieces", "turn", "to_move", "move", "action", "return", "outcomes",
          "p", "end", "id", "exchange",
          "blue", "red", "green", "yellow"}
# What is no field but a table of seats, faces or options.
TABLES = {"totals", "scores", "ranking_keys", "held", "live_arrows", "turn_count", "actions",
          "turns", "options", "perft"}


def converted(context, path, only):
    """tests/facts/given: facts in the form of the published files, one for each way that
    tests/facts/convert can go. The names of these files are those of the converters."""
    try:
        data = convert(path.stem, path)
    except Failure as failed:
        yield Job(f"facts/given-{path.stem}", broken, failed)
        return
    if only in (None, data["game"]):
        yield from positions(context, f"given-{path.stem}", Facts(context, data=data))
    if only is None and not context.soak:
        yield Job(f"facts/given-{path.stem}/fields-left-out", fields_left_out, path)


def broken(_, name, failed):
    return [Result(name, False, str(failed))]


def convert(name, path):
    """What the program in tests/facts/convert prints of the file; in this process, as it is run
    again and again, and one at a time: arguments and output are those of the process."""
    script, printed = FOLDER / "convert" / f"{name.replace('-', '_')}.py", io.StringIO()
    with CONVERTING:
        sys.path.insert(0, str(script.parent))
        given, sys.argv = sys.argv, [str(script), str(path)]
        try:
            with contextlib.redirect_stdout(printed):
                importlib.import_module(script.stem).main()
        except Exception as wrong:          # noqa: BLE001: any failure is one of the file
            raise Failure(f"{script} {path}\n{type(wrong).__name__}: {wrong}") from wrong
        finally:
            sys.argv = given
            sys.path.remove(str(script.parent))
    return json.loads(printed.getvalue())


def fields_left_out(context, name, path):
    """The converter also takes the file without any one field that it does not need."""
    data = json.loads(path.read_text(encoding="utf-8"))
    results = []
    for number, (label, less) in enumerate(with_less(data)):
        shorter = context.folder() / f"{number}.json"
        shorter.write_text(json.dumps(less), encoding="utf-8")
        try:
            convert(path.stem, shorter)
        except Failure as failed:
            results.append(Result(f"{name}: {label}", False, str(failed)))
    return results or [Result(name, True)]


def with_less(data):
    """The data without one field, for each field of the first object that has it,
    all the way down."""
    seen = set()

    def walk(value, path):
        for key in value if isinstance(value, dict) else range(len(value)):
            place = (*path, key)
            kind = tuple(part for part in place if isinstance(part, str))
            if isinstance(value, dict) and key not in NEEDED and kind not in seen:
                seen.add(kind)
                yield ".".join(map(str, place)), without(data, place)
            if isinstance(value[key], (dict, list)) and key not in TABLES:
                yield from walk(value[key], place)
    yield from walk(data, ())


def without(data, place):
    less = copy.deepcopy(data)
    inner = less
    for key in place[:-1]:
        inner = inner[key]
    del inner[place[-1]]
    return less


def game_words(context, game):
    """The script, and where a variant of tests/facts/games finds its base."""
    if (context.games / game).exists():
        return [context.games / game]
    return [FOLDER / "games" / game, "--include", context.games]


def asked(context, command, game, *words):
    """The JSON that a command prints about a game. Most games are asked about often, so each is
    compiled once with the same options; reading the program takes a third of that time."""
    pairs = [at for at, word in enumerate(words) if word == "-o"]
    options = [word for at in pairs for word in words[at:at + 2]]
    rest = [word for at, word in enumerate(words) if at not in pairs and at - 1 not in pairs]
    name = hashlib.md5(repr((game, sorted(options))).encode()).hexdigest()
    program = context.scratch / f"{name}.gamec"
    if not program.exists():
        made = context.folder() / "made"
        output = context.run("compile", *game_words(context, game), *options, "-O", made)
        if output.code:
            raise Failure(f"{game}: {output.describe()}")
        made.rename(program)
    return context.data(command, program, *rest)


# ---- Perft tables --------------------------------------------------------------------------------

def table(path):
    """The rows of a table: number of the line, and columns."""
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        if line.strip() and not line.startswith("#"):
            yield number, line.split("\t")


def rows_of(path, only):
    """By game, options, position, and whether decisions are counted: the nodes of each depth."""
    groups = {}
    for number, columns in table(path):
        if len(columns) < 6:
            raise SystemExit(f"{path}:{number}: "
                             "six columns and flags are expected, separated by tabs")
        game, options, position, depth, nodes = columns[:5]
        flags = columns[6].split(",") if len(columns) > 6 else []
        if only in (None, game):
            rows = groups.setdefault((game, options, position, "decisions" in flags), {})
            rows[int(depth)] = (int(nodes), "deep" in flags)
    return groups


def tables(context, path, only):
    """One job for all the rows of a position."""
    numbers = {}
    for (game, options, position, decisions), rows in rows_of(path, only).items():
        rows = chosen(context, rows)
        if not rows:
            continue
        numbers[game] = numbers.get(game, 0) + 1
        name = f"facts/{path.stem}/{game.removesuffix('.game')}:{numbers[game]}"
        yield Job(name, perft, game, options, position, decisions, rows)


def chosen(context, rows):
    """Those of a test run are below --max-nodes; where none is, the least, if it is not deep. The
    others are for a soak."""
    test = {depth for depth, (nodes, deep) in rows.items()
            if not deep and nodes <= context.max_nodes}
    least = min(rows, key=rows.get)
    if (not test and not rows[least][1] and rows[least][0] <= MOST_NODES
            and context.max_nodes >= PLAYOUTS * 100):
        test = {least}
    return {depth: nodes for depth, (nodes, _) in rows.items() if (depth in test) != context.soak}


def option_words(options):
    return [word for option in options for word in ("-o", option)]


def position_words(position):
    if position.startswith("fen:"):
        return ["--fen", position[4:]]
    if position.startswith("moves:"):
        return ["--play", position[6:]]
    if position.startswith("pos:"):
        return ["--position", position[4:].replace("\\n", "\n")]
    if position in ("start", "-"):
        return []
    raise Failure(f"not a position: {position}")


def perft(context, name, game, options, position, decisions, rows):
    words = position_words(position) + option_words([] if options == "-" else options.split(","))
    counts = perft_counts(context, game, max(rows), words + (["--decisions"] if decisions else []))
    return [Result(f"{name}: depth {depth}", counts.get(depth) == nodes,
                   f"{game} {options} {position}\nexpected {nodes}\ngot      {counts.get(depth)}")
            for depth, nodes in rows.items()]


def perft_counts(context, game, depth, words):
    data = asked(context, "perft", game, depth, *words)
    return {row["depth"]: row["nodes"] for row in data["depths"]}


# ---- Random play ---------------------------------------------------------------------------------

PLAYOUTS = 500          # left out, like long counts, where --max-nodes is small
LEAST_PLAYOUTS = 100
SOAK_PLAYOUTS = 4000


# What a row says that differs: of whose options, or of which script, there is a row that agrees; or
# why none can.
REASON = re.compile(r"(?:(options|script) (\S+): |(?:rule|count): )\S.*")


def random_play(context, path, only):
    rows = [columns for _, columns in table(path)]
    agreeing = {tuple(row[:2]) for row in rows if len(row) < 9}
    for game, options, *row in rows:
        if row[-1] == "soak" and not context.soak:
            continue
        if context.max_nodes >= PLAYOUTS * 100 and only in (None, game):
            yield Job(f"facts/playouts/{game.removesuffix('.game')}", one_random_play, game,
                      options, row, agreeing)


def one_random_play(context, name, game, options, row, agreeing):
    """The row agrees; or it gives a reason, and something differs by two standard errors."""
    pairs = compared_play(context, game, options, row)
    results = [Result(f"{name}: {what}", abs(found - expected) <= limit,
                      f"{game} {options}\nexpected {expected:.4g}, within {limit:.2g}\n"
                      f"got      {found:.4g}") for what, expected, found, limit in pairs]
    if len(row) < 7:
        return results
    reason = REASON.fullmatch(row[6])
    if not reason:
        fault = "the reason has none of the forms that runner/facts.py names"
    elif all(abs(found - expected) <= limit / 2 for _, expected, found, limit in pairs):
        fault = "a reason is given, but nothing differs"
    elif reason[1] == "options" and (game, reason[2]) not in agreeing:
        fault = "no row with these options agrees"
    elif reason[1] == "script" and not any(script == reason[2] for script, _ in agreeing):
        fault = "no row of this script agrees"
    else:
        fault = ""
    return [Result(f"{name}: differs", not fault, f"{game} {options}\n{row[6]}\n{fault}")]


def compared_play(context, game, options, row):
    """What is compared, what it is there, what it is here, and how far the two may be apart."""
    count, mean, deviation = (float(column) for column in row[:3])
    words = option_words([] if options == "-" else options.split(","))
    # Many more than there tell little more.
    played = SOAK_PLAYOUTS if context.soak else int(min(PLAYOUTS, max(count, LEAST_PLAYOUTS)))
    got = context.data("playout", *game_words(context, game), "--count", played, "--threads", 1,
                       *words)
    length = "turns" if row[5:6] == ["turns"] else "decisions"
    found = got["turns" if length == "turns" else "plies"] / got["playouts"]
    pairs = [(length, mean, found, deviation ** 2)]
    for player, share in enumerate(map(float, row[3].split(",")), 1):
        ours = got["wins"][player - 1] / got["playouts"]
        # Of all games together: a share of 0 has no variance of its own.
        both = (share * count + ours * played) / (count + played)
        pairs.append((f"wins {player}", share, ours, both * (1 - both)))
    return [(what, expected, ours, 4 * (variance / count + variance / played) ** 0.5)
            for what, expected, ours, variance in pairs]


def random_lines(context, path, only):
    for number, (game, *row) in table(path):
        if (context.soak == row[-1].endswith("soak") and only in (None, game)
                and context.max_nodes >= PLAYOUTS * 100):
            yield Job(f"facts/lines/{game.removesuffix('.game')}:{number}", one_random_lines, game,
                      *row[:6])


def one_random_lines(context, name, game, options, playouts, decisions, wins, lines, source):
    """The spread of single games is not given there: that of ours stands for both."""
    words = option_words([] if options == "-" else options.split(","))
    got = context.data("measure", *game_words(context, game), "--count", PLAYOUTS, "--threads", 1,
                       *words)
    more = (1 + PLAYOUTS / float(playouts)) ** 0.5
    ended = got["measures"]["completion"]["value"]
    lists = {what: {row["name"]: row for row in rows} for what, rows in got["lists"].items()}
    pairs = [("decisions", float(decisions), got["measures"]["decisions"], 1)]
    pairs += [(f"wins {player}", float(share), row, ended)
              for (player, row), share in zip(lists["wins"].items(), wins.split(","), strict=True)]
    used = lists["line, both directions"]
    expected = dict(pair.split(":") for pair in lines.split(","))
    pairs += [(line, float(share), used[line], 1) for line, share in expected.items()]
    results = [Result(f"{name}: lines", set(used) == set(expected), f"{sorted(used)}")]
    for what, value, ours, factor in pairs:
        low, high = ours["interval"]
        limit = 4 * more * (high - low) / 2 / 1.96
        found = ours["value"] * factor
        results.append(Result(f"{name}: {what}", abs(found - value) <= limit,
                              f"{source}\n{game} {options}\nexpected {value:.4g}, "
                              f"within {limit:.2g}\ngot      {found:.4g}"))
    return results


# ---- Ends ----------------------------------------------------------------------------------------

def ends(context, path, only):
    """One job for all the rows of a game."""
    games = {}
    for _, (game, *row) in table(path):
        if only in (None, game):
            games.setdefault(game, []).append(row)
    for game, rows in games.items():
        if not context.soak:
            yield Job(f"facts/ends/{game.removesuffix('.game')}", moves_that_end, game, rows)


def moves_that_end(context, name, game, rows):
    results = []
    for number, (options, position, move, result, _, *after) in enumerate(rows, 1):
        words = position_words(position)
        if position.startswith("moves:"):       # one --play for these and the move
            words, move = [], f"{position[6:]},{move}"
        words += option_words([] if options == "-" else options.split(","))
        state = asked(context, "moves", game, *words, "--play", move)
        got = [",".join(map(str, state["result"]["ranks"])) if state.get("over") else "-"]
        expected = [result]
        for board in after:
            expected.append(board)
            got.append(same_board(board, state))
        results.append(Result(f"{name}:{number}", got == expected,
                              f"{game} {options} {position} {move}\n"
                              f"expected {expected}\ngot      {got}"))
    return results


def same_board(expected, state):
    """What is expected, if the state agrees; else what the state is, in the same words."""
    kind, _, text = expected.partition(":")
    if kind == "fen":
        return expected if same_fen(text, state["fen"]) else f"fen:{state['fen']}"
    found, wanted = texts.parts(texts.text_of(state)), texts.parts(text.replace("\\n", "\n"))
    return (expected if all(found.get(key) == value for key, value in wanted.items())
            else f"pos:{found}")


# ---- Values --------------------------------------------------------------------------------------

VALUES = {"1": (1, 1), "1/2": (0.5, 0.5), "0": (0, 0)}
# Achi with few men: after which moves its moves are compared with those that achi.py values.
ACHI = {3: ("d4", "e1", "b3", "c1", "e3"), 4: ("e1", "c5", "b4", "d4", "c4", "a5", "d2"), 6: ()}


def values(context, path, only):
    if only is not None:            # solving takes long
        return
    for number, (game, options, value, source, *flags) in table(path):
        if context.soak == ("soak" in flags):
            yield Job(f"facts/values/{game.removesuffix('.game')}:{number}", one_value, game,
                      options, value, source)
    for men, moves in ACHI.items():
        if context.soak == (men > 3):
            yield Job(f"facts/values/achi-{men}", achi, men, moves)


def solved(context, game, *words):
    return asked(context, "solve", game, "--symmetry", "--limit", "memory=16G", *words)


def one_value(context, name, game, options, value, source):
    found = solved(context, game, *option_words([] if options == "-" else options.split(",")))
    return [Result(name, (found["low"], found["high"]) == VALUES[value],
                   f"{source}\n{game} {options}\nexpected {value}\n"
                   f"got      {found['low']} to {found['high']}")]


def achi(context, name, men, moves):
    """The number of positions, and the value and the decisions of each move."""
    game, words = "achi-few.game", ["-o", f"Men={men}"]
    found = solved(context, game, *words, "--play", ", ".join(moves))
    whole = solved(context, game, *words) if moves else found
    got = [str(whole["positions"])]
    for way in found["ways"]:
        result = {1: "win", 0.5: "draw", 0: "loss"}[way["low"]]
        got.append(f"{way['move']} {result} {way['decisions'] or 0}")
    output = context.command([sys.executable, FOLDER / "achi.py", str(men), *moves])
    first, _, *ways = output.out.splitlines() or ["", ""]
    expected = [first, *ways]
    return [Result(name, sorted(got) == sorted(expected), "\n".join([*expected, "got", *got]))]


# ---- Positions -----------------------------------------------------------------------------------

class Facts:
    """A file of positions, and the script's words for what it says."""

    def __init__(self, context, path=None, data=None):
        self.context = context
        self.data = data or json.loads(path.read_text(encoding="utf-8"))
        self.game = self.data["game"]
        letters = self.data.get("letters", {})
        self.letters = {source.lower(): script.lower() for source, script in letters.items()}
        self.aliases = self.data.get("aliases", {})

    def fen(self, fen):
        """A FEN of the facts in the script's letters."""
        board, space, rest = fen.partition(" ")
        return "".join(self.letter(char) for char in board) + space + rest

    def letter(self, char):
        found = self.letters.get(char.lower(), char.lower())
        return found.upper() if char.isupper() else found

    def asked(self, command, *words):
        return asked(self.context, command, self.game, *words)

    def of(self, position):
        """The same, about the game that the position names, if it names one."""
        if "game" not in position:
            return self
        other = copy.copy(self)
        other.game = position["game"]
        return other

    def words(self, position):
        words = ["--fen", self.fen(position["fen"])] if "fen" in position else []
        if "text" in position:
            words += ["--position", position["text"]]
        if position.get("play"):
            words += ["--play", ",".join(position["play"])]
        return words + option_words(f"{key}={value}"
                                    for key, value in position.get("options", {}).items())

    def moves(self, words, play=()):
        """What `ferz moves` says after these moves."""
        return self.asked("moves", *words, *(["--play", ",".join(play)] if play else []))

    def long_algebraic(self, move):
        """A move of the script as the facts write it, in the script's letters: e7e8q."""
        if not move.get("from") or not move.get("to"):
            return move["text"]
        promoted = re.search(r"=(\w)$", move["text"])
        return move["from"] + move["to"] + (promoted[1].lower() if promoted else "")

    def expected_move(self, move):
        """A move of the facts in the script's letters."""
        return move[:-1] + self.letter(move[-1]) if re.search(r"\d[a-z]$", move) else move

    def find(self, move, listed):
        """The script's text of a move of the facts.
        Where a script promotes by itself it has no letter."""
        written = {self.long_algebraic(item): item["text"] for item in listed["moves"]}
        wanted = self.expected_move(move)
        for spelling in (wanted, self.aliases.get(move), re.sub(r"(\d)[a-z]$", r"\1", wanted)):
            if spelling in written:
                return written[spelling]
        raise Failure(f"{move} is not legal in {listed.get('fen')}\n"
                      f"legal: {' '.join(sorted(written))}")


def positions(context, stem, file):
    for index, position in enumerate(file.data.get("positions", [])):
        facts = file.of(position)
        name = f"facts/{stem}/{position.get('id', index + 1)}"
        regular, deep = split_counts(context, position.get("perft", []))
        if context.soak:
            if deep:
                yield Job(name, deep_perft, facts, position, deep)
        else:
            yield Job(name, one_position, facts, position, regular)
    if not context.soak:
        for index, played in enumerate(file.data.get("moves_played", [])):
            yield Job(f"facts/{stem}/played-{played.get('id', index + 1)}", one_move,
                      file.of(played), played)


def split_counts(context, counts):
    depths = ({int(depth): nodes for depth, nodes in counts.items()} if isinstance(counts, dict)
              else dict(enumerate(counts, 1)))
    return ({d: n for d, n in depths.items() if n <= context.max_nodes},
            {d: n for d, n in depths.items() if n > context.max_nodes})


def count_results(context, name, facts, position, depths):
    got = perft_counts(context, facts.game, max(depths), facts.words(position)) if depths else {}
    return [Result(f"{name}: depth {depth}", got.get(depth) == nodes,
                   f"{position.get('fen', position.get('text', 'start'))} "
                   f"{position.get('options', '')}\nexpected {nodes}\ngot      {got.get(depth)}")
            for depth, nodes in depths.items()]


def deep_perft(context, name, facts, position, depths):
    return count_results(context, name, facts, position, depths)


def one_position(context, name, facts, position, depths):
    results = []
    if "moves" in position or "result" in position:
        listed = facts.moves(facts.words(position))
        if "moves" in position:
            results.append(same_moves(name, facts, position, listed))
        if "result" in position:
            results.append(same_result(name, position, listed))
    if "played" in position:
        results.append(replayed(name, facts, position))
    results += texts.check(facts, name, position, ranks_of)
    return results + count_results(context, name, facts, position, depths)


def same_moves(name, facts, position, listed):
    expected = sorted(facts.aliases.get(move, facts.expected_move(move))
                      for move in position["moves"])
    got = sorted(facts.aliases.get(move, move)
                 for move in map(facts.long_algebraic, listed["moves"]))
    missing, surplus = list(expected), []
    for move in got:
        if move in missing:
            missing.remove(move)
        else:
            surplus.append(move)
    return Result(f"{name}: moves", expected == got,
                  f"{position.get('fen', position.get('text', 'start'))} "
                  f"{position.get('options', '')} {position.get('why', '')}\n"
                  f"missing: {' '.join(missing)}\nnot legal, but listed: {' '.join(surplus)}")


def ranks_of(fact):
    expected = fact.get("result")
    return RESULTS.get(expected, expected) if isinstance(expected, str) else expected


def same_result(name, position, state):
    ranks = ranks_of(position)
    got = state["result"]["ranks"] if state.get("over") and state.get("result") else None
    same = (ranks == got if None in (ranks, got)
            else all(one in (None, two) for one, two in zip(ranks, got, strict=True)))
    return Result(f"{name}: result", same,
                  f"{position.get('fen', position.get('text', ''))} {position.get('why', '')}\n"
                  f"expected {ranks}\ngot      {got}")


def same_fen(expected, got):
    """Whether board and side agree, as far as the fact gives them."""
    fields = expected.split()[:2]
    return bool(got) and got.split()[:len(fields)] == fields


def replayed(name, facts, position):
    """The moves from the start lead to the position."""
    words = option_words(f"{key}={value}" for key, value in position.get("options", {}).items())
    play = []
    for move in position["played"]:
        play.append(facts.find(move, facts.moves(words, play)))
    got = facts.moves(words, play).get("fen")
    expected = facts.fen(position["fen"])
    return Result(f"{name}: played", same_fen(expected, got),
                  f"{' '.join(play)}\nexpected {expected}\ngot      {got}")


def one_move(context, name, facts, played):
    words = facts.words(played)
    text = facts.find(played["move"], facts.moves(words))
    state = facts.asked("show", *words, "--play", text)
    results = [same_result(name, played, state)] if "result" in played else []
    if "after" in played:
        expected = facts.fen(played["after"])
        results.append(Result(f"{name}: after", same_fen(expected, state.get("fen")),
                              f"{played['fen']} {text}\nexpected {expected}\n"
                              f"got      {state.get('fen')}"))
    return results
