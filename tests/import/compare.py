#!/usr/bin/env python3
"""Compares imported variants with the engine whose format they have.

    tests/import/compare.py --engine PATH --variants FILE [--ferz PATH] [--games N] [NAME ...]

PATH is the user's own Fairy-Stockfish, FILE a variants.ini. Every variant of the file and of the
engine that `ferz import` translates is counted to depth 2, and to depth 3 where that has few
positions; then the engine plays random games of 60 moves, and the script must have as many legal
moves at each. With --write FILE the results become that page (docs/import-results.md).
"""
import argparse
import os
import random
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PLIES = 60
DEEP = 60000     # positions that depth 3 may have


class Engine:
    """A UCI engine."""

    def __init__(self, path, variants):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True, bufsize=1)
        self.send(f"setoption name VariantPath value {variants}")
        self.names = self.variants()

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
        raise SystemExit("the engine has ended")

    def variants(self):
        for line in self.ask("uci", "uciok"):
            if line.startswith("option name UCI_Variant "):
                return re.findall(r" var (\S+)", line)
        return []

    def choose(self, name):
        self.send(f"setoption name UCI_Variant value {name}")

    def position(self, moves):
        self.send("position startpos" + (" moves " + " ".join(moves) if moves else ""))

    def perft(self, depth):
        """The moves, and the number of positions."""
        lines = self.ask(f"go perft {depth}", "Nodes searched")
        moves = [line.split(":")[0] for line in lines if re.match(r"\S+: \d+$", line)]
        return moves, int(lines[-1].split(":")[1])

    def board(self):
        """The pieces by square."""
        fen = next(line[5:] for line in self.ask("d", "Checkers") if line.startswith("Fen: "))
        rows = re.sub(r"\[.*?\]", "", fen.split()[0]).split("/")
        pieces = {}
        for number, row in enumerate(rows):
            file = 0
            for digits, piece in re.findall(r"(\d+)|\+?([A-Za-z*])~?", row):
                if digits:
                    file += int(digits)
                else:
                    pieces[f"{chr(97 + file)}{len(rows) - number}"] = piece
                    file += 1
        return pieces


def text_of(move, legal, board, castled):
    """A move of the engine as scripts write it. `castled`: the king's files, towards each side."""
    drop = re.match(r"(\+?\w)@(\w+)$", move)
    if drop:
        return f"{drop[1].upper()}@{drop[2]}"
    move = re.sub(",.*", "", move)      # a wall where the piece has left
    found = re.match(r"([a-z]\d+)([a-z]\d+)(\+|-|[a-z])?$", move)
    if not found:
        return None
    here, to, more = found.groups()
    if here == to:
        return "pass"
    if more == "+" and here + to in legal:
        return f"{here}-{to}+"
    if more == "-" and here + to in legal:
        return f"{here}-{to}~"
    taken = to in board and board[to] != "*" and board[to].isupper() != board[here].isupper()
    if to in board and not taken and not more:      # the king castles with this rook
        step = castled[to < here] + here[1:]
        return f"{here}-{step}" + ("#2" if here + step in legal else "")
    becomes = f"={more.upper()}" if more and more.isalpha() else ""
    return f"{here}{'x' if taken else '-'}{to}{becomes}"


def test_of(engine, chance, name, castled):
    """A random game as statements of a test; None if there are moves that it cannot write."""
    lines, played = [], []
    for _ in range(PLIES):
        engine.position(played)
        legal, count = engine.perft(1)
        lines.append(f"  moves {count};")
        if not legal:
            break
        move = chance.choice(legal)
        text = text_of(move, set(legal), engine.board(), castled)
        if text is None:
            return None, move
        lines.append(f'  play "{text}";')
        played.append(move)
    return [f'test "{name}" {{', "  set Quiet = 0;", "  set Repetition = 0;"] + lines + ["}"], None


def tests_of(engine, name, games, chance, castled):
    engine.choose(name)
    engine.position([])
    counts = [f"perft 2 {engine.perft(2)[1]};"]
    if engine.perft(2)[1] ** 1.5 < DEEP:
        counts.append(f"perft 3 {engine.perft(3)[1]};")
    lines = ['test "counts" { set Quiet = 0;  set Repetition = 0;  ' + "  ".join(counts) + " }"]
    for number in range(games):
        test, move = test_of(engine, chance, f"game {number + 1}", castled)
        if test is None:
            return None, f"move {move}"
        lines += test
    return "\n".join(lines) + "\n", None


def run(*words):
    return subprocess.run(words, capture_output=True, text=True, check=False, timeout=300)


def compare(args, engine, name, folder):
    """(state, detail) of a variant."""
    made = run(args.ferz, "import", f"{args.variants}:{name}")
    if made.returncode != 0:
        first = made.stderr.strip().split("\n")[0]
        return "refused", re.sub(r"^.*?\[\S+\] ", "", first)
    lines = made.stdout.count("\n")
    chance = random.Random(name)
    files = re.search(r"let castled.*?White: \[(\w)\d+, (\w)\d+", made.stdout)
    tests, why = tests_of(engine, name, args.games, chance, files.groups() if files else "gc")
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
        result = run(args.ferz, "test", "-I", os.path.join(ROOT, "games/chess"), path)
    except subprocess.TimeoutExpired:
        return "too slow", "", lines
    if result.returncode == 0:
        return "equal", f"{args.games} games", lines
    said = (result.stderr + result.stdout).strip().split("\n")
    wrong = [line for line in said if re.search("error|expected|fail", line, re.IGNORECASE)]
    return "differs", (wrong or said)[0].replace(path, ""), lines


def page(rows):
    counts = {}
    for row in rows:
        counts[row[1]] = counts.get(row[1], 0) + 1
    text = ("# What ferz import makes of the engine's variants\n\n"
            "`tests/import/compare.py` makes this page from a user's engine and variants.ini.\n"
            "*Equal*: the counts of perft to depth 2 or 3 agree, and the number of legal moves at\n"
            "each of 60 moves of the random games.\n\n" +
            ", ".join(f"{n} {state}" for state, n in sorted(counts.items(), key=lambda c: -c[1])) +
            ".\n\n| variant | state | |\n| --- | --- | --- |\n")
    for row in rows:
        text += f"| {row[0]} | {row[1]} | {row[2] if row[1] != 'equal' else ''} |\n"
    return text


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--engine", required=True)
    parser.add_argument("--variants", required=True)
    parser.add_argument("--ferz", default=os.path.join(ROOT, "build-quick/ferz"))
    parser.add_argument("--games", type=int, default=2)
    parser.add_argument("--write")
    parser.add_argument("--keep")
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    engine = Engine(args.engine, args.variants)
    rows, sizes = [], []
    with tempfile.TemporaryDirectory() as folder:
        for name in args.names or engine.names:
            row = (name, *compare(args, engine, name, folder))
            rows.append(row)
            if len(row) > 3:
                sizes.append(row[3])
            print(*row, sep="\t", flush=True)
    counts = {}
    for row in rows:
        counts[row[1]] = counts.get(row[1], 0) + 1
    print(counts, "median of lines:", sorted(sizes)[len(sizes) // 2] if sizes else "-")
    if args.write:
        with open(args.write, "w", encoding="utf-8") as file:
            file.write(page(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
