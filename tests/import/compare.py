#!/usr/bin/env python3
"""Compares imported variants with the engine whose format they have.

    tests/import/compare.py --engine PATH --variants FILE [--ferz PATH] [--games N] [NAME ...]

PATH is the user's own Fairy-Stockfish, FILE a variants.ini. Every variant of the file and of the
engine that `ferz import` translates is counted to depth 2, and to depth 3 where that has few
positions. Then the engine plays random games to their end, or for 200 moves: the script must have
as many legal moves at each, and the same result at the end. (The engine answers in the protocol of
xboard how a game has ended, also by repetition and by rules that count moves.) With --write FILE
the results become that page (docs/import-results.md); with --ends FILE the shortest games that
ended become tests (tests/import/ends.txt, of tests/import/own.ini).
"""
import argparse
import os
import random
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PLIES = 200
DEEP = 60000     # positions that depth 3 may have


class Engine:
    """A UCI engine."""

    def __init__(self, path, variants):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True, bufsize=1)
        self.send(f"setoption name VariantPath value {variants}")
        self.version, self.names = self.variants()
        self.name, self.ranks = "", 0

    def send(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def ask(self, line, last):
        self.send(line)
        lines = []
        for answer in self.process.stdout:
            lines.append(answer.rstrip("\n"))
            if answer.startswith(last):
                return lines
        raise SystemExit(f"{self.name}: the engine has ended at: {line}")

    def variants(self):
        lines = self.ask("uci", "uciok")
        version = next(line[8:] for line in lines if line.startswith("id name "))
        return version, next(re.findall(r" var (\S+)", line) for line in lines
                             if line.startswith("option name UCI_Variant "))

    def choose(self, name):
        self.send(f"setoption name UCI_Variant value {name}")
        self.name = name

    def position(self, moves):
        self.send("position startpos" + (" moves " + " ".join(moves) if moves else ""))

    def perft(self, depth):
        """The moves, and the number of positions."""
        lines = self.ask(f"go perft {depth}", "Nodes searched")
        moves = [line.split(":")[0] for line in lines if re.match(r"\S+: \d+$", line)]
        return moves, int(lines[-1].split(":")[1])

    def board(self):
        """The pieces by square, and the whole position as a FEN."""
        fen = next(line[5:] for line in self.ask("d", "Checkers") if line.startswith("Fen: "))
        rows = re.sub(r"\[.*?\]", "", fen.split()[0]).split("/")
        self.ranks = len(rows)
        pieces = {}
        for number, row in enumerate(rows):
            file = 0
            for digits, piece in re.findall(r"(\d+)|\+?([A-Za-z*])~?", row):
                if digits:
                    file += int(digits)
                else:
                    pieces[f"{chr(97 + file)}{len(rows) - number}"] = piece
                    file += 1
        return pieces, fen


class Judge:
    """The same engine as a referee: the protocol of xboard says how a game has ended."""

    def __init__(self, path, variants):
        self.path, self.variants = path, variants
        self.start()

    def start(self):
        self.process = subprocess.Popen([self.path], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True, bufsize=1)
        for line in ("xboard", "protover 2", f"option VariantPath={self.variants}", "sd 1"):
            self.send(line)

    def send(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def result(self, name, moves, ranks):
        """White's part after these moves: 1, 0.5 or 0; None if the game goes on, if xboard has no
        such move (walls in place of moves), or if the engine crashes in its search."""
        try:
            for line in [f"variant {name}", "force"] + [self.move(m, ranks) for m in moves]:
                self.send(line)
            self.send("go")
            for answer in self.process.stdout:
                found = re.match(r"(1-0|0-1|1/2-1/2) |move |Illegal", answer)
                if found:
                    for line in ("force", "undo", "ping 1"):     # undo: it gets its states back
                        self.send(line)
                    while not self.process.stdout.readline().startswith("pong"):
                        pass
                    return {"1-0": 1, "0-1": 0, "1/2-1/2": 0.5}.get(found[1])
        except BrokenPipeError:
            pass
        self.start()
        return None

    @staticmethod
    def move(move, ranks):
        """The move as xboard writes it: ranks from 0 if there are ten, walls before letters."""
        move = re.sub(r"(\w\d+\w\d+)(.?),(\w+)$", r"\1,\3\2", move)
        if ranks == 10:
            move = re.sub(r"\d+", lambda found: str(int(found[0]) - 1), move)
        if re.match(r"([a-z]\d+)\1$", move):
            move = "@@@@"
        return "usermove " + move


class Script:
    """What the texts of a script's moves depend on."""

    def __init__(self, text):
        castled = re.search(r"let castled.*?White: \[(\w)\d+, (\w)\d+", text)
        self.castled = castled.groups() if castled else "gc"
        self.walls = "wall_off(" in text        # one after each move
        self.wall_moves = '"wall {s}"' in text and not self.walls
        self.enters = "leaving(" in text


def text_of(move, legal, board, script):
    """A move of the engine as those that scripts write; None if this cannot be told."""
    drop = re.match(r"(\+?\w)@(\w+)$", move)
    if drop:
        return [f"{drop[1].upper()}@{drop[2]}"]
    move, _, wall = move.partition(",")
    found = re.match(r"([a-z]\d+)([a-z]\d+)(\+|-|[a-z])?$", move)
    if not found:
        return None
    here, to, more = found.groups()
    walls = ["wall " + re.match(r"[a-z]\d+(.*)", wall)[1]] if wall else []
    if here == to:
        return walls if script.wall_moves else [f"{here}-{to}={more.upper()}"] if more else ["pass"]
    walls = walls if script.walls else []
    if more == "+" and here + to in legal:
        return [f"{here}-{to}+"] + walls
    if more == "-" and here + to in legal:
        return [f"{here}-{to}~"] + walls
    mine = to in board and board[to] != "*" and board[to].isupper() == board[here].isupper()
    enters, rook = "", ""
    if script.enters and more and more.isalpha() and board[here] not in "Pp":
        if mine and board[to] in "Kk":                # a piece enters where the rook has left
            here, to, rook = to, here, "@rook"
        enters, more = f"{more.upper()}{rook}/", None
    if mine and not more:                             # the king castles with this rook
        step = script.castled[to < here] + here[1:]
        return [f"{enters}{here}-{step}" + ("#2" if here + step in legal and not enters
                                              else "")] + walls
    becomes = f"={more.upper()}" if more and more.isalpha() else ""
    taken = to in board and board[to] != "*" and not mine
    return [f"{enters}{here}{'x' if taken else '-'}{to}{becomes}"] + walls


def choose(chance, legal, board, played, mode):
    """A random move. Some games capture when they can, others go back and forth."""
    if mode == "captures":
        taking = [m for m in legal if re.match(r"[a-z]\d+([a-z]\d+)", m) and
                  re.match(r"[a-z]\d+([a-z]\d+)", m)[1] in board]
        return chance.choice(taking if taking and chance.random() < 0.8 else legal)
    if mode == "back and forth" and len(played) > 8:
        back = re.sub(r"^([a-z]\d+)([a-z]\d+)$", r"\2\1", played[-2])
        return back if back in legal and chance.random() < 0.9 else chance.choice(legal)
    return chance.choice(legal)


def ending(result):
    return (f"  expect standing(White) == {2 if result == 0 else 1} and "
            f"standing(Black) == {2 if result == 1 else 1};")


def test_of(engine, judge, chance, name, script, mode):
    """A random game as statements of a test, and how it ended; None if there are moves that it
    cannot write."""
    lines, played, seen, end = [], [], set(), "not at all"
    for _ in range(PLIES):
        engine.position(played)
        legal, count = engine.perft(1)
        board, fen = engine.board()
        where, quiet = " ".join(fen.split()[:2]), int((re.findall(r" (\d+) \d+$", fen) or [0])[0])
        if not legal or where in seen or quiet > 30 or chance.random() < 0.05:
            result = judge.result(engine.name, played, engine.ranks)
            if result is None and not legal:
                end = "unknown"
                break
            if result is not None:
                lines += ["  moves 0;", ending(result)]
                end = "without a move" if not legal else "by rule"
                break
        seen.add(where)
        lines.append(f"  perft 1 {count};" if script.walls else f"  moves {count};")
        move = choose(chance, legal, board, played, mode)
        texts = text_of(move, set(legal), board, script)
        if texts is None:
            return None, move
        lines += [f'  play "{text}";' for text in texts]
        played.append(move)
    return [f'test "{name}" {{'] + lines + ["}"], end


MODES = "at random", "captures", "back and forth", "at random"


def short_test(lines, end):
    """A game as one test of its end."""
    moves = [found[1] for found in (re.match(r'  play ("[^"]*")', line) for line in lines) if found]
    return [f'test "{end}" {{', f"  play {', '.join(moves)};", *lines[-3:-1], "}"]


def tests_of(engine, judge, name, games, script, short):
    """Tests of the counts and of some games; how many games ended how. `short` gets the shortest
    games."""
    chance = random.Random(name)
    engine.choose(name)
    engine.position([])
    second = engine.perft(2)[1]
    counts = [f"perft 2 {second};"]
    if second ** 1.5 < DEEP:
        counts.append(f"perft 3 {engine.perft(3)[1]};")
    lines = ['test "counts" { set Quiet = 0;  set Repetition = 0;  ' + "  ".join(counts) + " }"]
    ends = {}
    for number in range(games):
        test, end = test_of(engine, judge, chance, f"game {number + 1}", script,
                            MODES[number % len(MODES)])
        if test is None:
            return None, f"move {end}"
        ends[end] = ends.get(end, 0) + 1
        shortest = short.get((name, end))
        if end in ("by rule", "without a move") and (not shortest or len(test) < len(shortest)):
            short[name, end] = test
        lines += test
    return "\n".join(lines) + "\n", ends


def run(*words):
    return subprocess.run(words, capture_output=True, text=True, check=False, timeout=300)


def compare(args, engine, judge, name, folder, short):
    """(state, detail, lines of the script) of a variant."""
    made = run(args.ferz, "import", f"{args.variants}:{name}")
    if made.returncode != 0:
        first = made.stderr.strip().split("\n")[0]
        return "refused", re.sub(r"^.*?\[\S+\] ", "", first)
    lines = made.stdout.count("\n")
    tests, why = tests_of(engine, judge, name, args.games, Script(made.stdout), short)
    if tests is None:
        return "not compared", why, lines
    path = os.path.join(folder, "script.game")
    with open(path, "w", encoding="utf-8") as file:
        file.write(made.stdout + "\n" + tests)
    if args.keep:
        kept = os.path.join(args.keep, name.replace("/", "-") + "-kept.game")
        with open(kept, "w", encoding="utf-8") as file:
            file.write(made.stdout + "\n" + tests)
    try:
        result = run(args.ferz, "test", path)
    except subprocess.TimeoutExpired:
        return "too slow", "", lines
    if result.returncode == 0:
        return "equal", ", ".join(f"{n} {end}" for end, n in sorted(why.items())), lines
    said = (result.stderr + result.stdout).strip().split("\n")
    wrong = [line for line in said if not line.startswith("FAIL")] or said
    return "differs", " ".join(wrong[:2]).replace(path, ""), lines


def page(rows, version, games):
    """docs/import-results.md."""
    counts, clauses = {}, {}
    for row in rows:
        counts[row[1]] = counts.get(row[1], 0) + 1
        if row[1] == "refused":
            clause = re.sub(r" = .*?: ", ": ", row[2])
            clauses[clause] = clauses.get(clause, 0) + 1
    text = ("# Import of Fairy-Stockfish's variants\n\n"
            "`tests/import/compare.py` makes this page from a user's engine and variants.ini:\n"
            f"{version}.\n\n"
            "*Equal*: perft to depth 2, and to depth 3 where it has few positions, is that of the\n"
            f"engine. In {games} random games of up to {PLIES} moves, each position has as many\n"
            "legal moves as the engine lists, and a game that ends has the engine's result: the\n"
            "last column says how these games ended. *Not at all*: not within these moves.\n"
            "*Unknown*: the engine did not answer.\n\n" +
            ", ".join(f"{n} {state}" for state, n in sorted(counts.items(), key=lambda c: -c[1])) +
            ".\n\n| refused | first clause |\n| --- | --- |\n")
    for clause, count in sorted(clauses.items(), key=lambda c: (-c[1], c[0])):
        text += f"| {count} | {clause} |\n"
    text += "\n| variant | state | |\n| --- | --- | --- |\n"
    for row in rows:
        text += f"| {row[0]} | {row[1]} | {row[2]} |\n"
    return text


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--engine", required=True)
    parser.add_argument("--variants", required=True)
    parser.add_argument("--ferz", default=os.path.join(ROOT, "build-quick/ferz"))
    parser.add_argument("--games", type=int, default=4)
    parser.add_argument("--write")
    parser.add_argument("--version", help="what the page calls the engine")
    parser.add_argument("--ends")
    parser.add_argument("--keep")
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    engine, judge = Engine(args.engine, args.variants), Judge(args.engine, args.variants)
    rows, sizes, short = [], [], {}
    with tempfile.TemporaryDirectory() as folder:
        for name in args.names or engine.names:
            row = (name, *compare(args, engine, judge, name, folder, short))
            rows.append(row)
            if len(row) > 3:
                sizes.append(row[3])
            print(*row, sep="\t", flush=True)
    counts = {}
    for row in rows:
        counts[row[1]] = counts.get(row[1], 0) + 1
    print(counts, "median of lines:", sorted(sizes)[len(sizes) // 2] if sizes else "-")
    if args.ends:
        with open(args.ends, "w", encoding="utf-8") as file:
            for (name, end), lines in sorted(short.items()):
                file.write("\n".join([f"== {name}", *short_test(lines, end), ""]))
    if args.write:
        other = ""                   # the games of Ludii, which replay.py writes
        if os.path.exists(args.write):
            with open(args.write, encoding="utf-8") as file:
                other = "".join(file.read().partition("\n## ")[1:])
        with open(args.write, "w", encoding="utf-8") as file:
            file.write(page(rows, args.version or engine.version, args.games) + other)
    return 0


if __name__ == "__main__":
    sys.exit(main())
