#!/usr/bin/env python3
"""Writes docs/catalogue.md, the shipped games in figures.

    docs/catalogue.py --ferz COMMAND           writes the page with this ferz
    docs/catalogue.py --ferz COMMAND --check   changes nothing; exit status 1 if the page differs
    docs/catalogue.py --ferz COMMAND --speed   first measures how fast each game is played that
                                               has no row in docs/catalogue-speed.tsv; on a quiet
                                               machine; all games take 15 minutes

Players, board, chance and hidden information are those that `ferz info` tells, lines and tokens
those of the script, facts the rows of tests/facts.
"""
import argparse
import concurrent.futures
import json
import re
import shlex
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
GAMES = ROOT / "games"
FACTS = ROOT / "tests/facts"
PAGE = ROOT / "docs/catalogue.md"
SPEED = ROOT / "docs/catalogue-speed.tsv"
BASE = "chess/chess.game"
KINDS = {"counts": "count", "rows of statistics": "row of statistics", "positions": "position"}
ROUNDS, SECONDS = 3, 0.2

SPACE = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\n]*|/\*.*?\*/', re.DOTALL)
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|\w+|=>|==|!=|<=|>=|\.\.|\+=|-=|->|[^\s\w]')
BESIDE = ("info", "test", "view")

HEAD = """# The shipped games in figures

`docs/catalogue.py` generates this page. [games.md](games.md) has the pictures, sources and options.

- *Board*: its shape and the number of sites.
- *Lines*: those of the rules: without blank lines, comments, `info`, `view` and tests.
- *Tokens*: those of the same part. A name, a number, a text and an operator is a token each. A
  variant counts only its own text, and libraries are not counted.
- *Tests*: those that a player of the game would run: the script's own and inherited ones.
- *Facts*: what other programs or authors counted, and the suite `facts` compares on every run:
  numbers of moves to some depth, statistics of random play, and positions with their legal moves or
  counts.
- *Speed*: playouts a second in relation to chess, measured in turns with chess on one core of one
  machine. 2 means twice as many playouts as chess in the same time.
"""


def without_comments(text):
    return SPACE.sub(lambda match: match[0] if match[0][0] == '"' else " ", text)


def rule_part(text, beside=BESIDE):
    """The rules, without comments and the items that are no rules."""
    text = without_comments(text)
    kept, depth, start, skipping, skipped, end = [], 0, True, False, False, 0
    for match in TOKEN.finditer(text):
        token = match[0]
        if depth == 0 and start and (token in beside or skipped and token == "="):
            skipping = True
        if not skipping:
            kept.append(text[end:match.end()])
        depth += (token == "{") - (token == "}")
        start = depth == 0 and token in (";", "}")
        skipped = skipping                   # `option X { A, B } = A;` goes on behind its brace
        skipping = skipping and not start
        end = match.end()
    return "".join(kept)


def size_cells(path):
    rules = rule_part(path.read_text(encoding="utf-8"))
    lines = sum(1 for line in rules.splitlines() if line.strip())
    return lines, len(TOKEN.findall(rules))


def info_of(ferz, path):
    done = subprocess.run([*ferz, "info", "--format", "json", path], encoding="utf-8", check=True,
                          stdout=subprocess.PIPE)
    return json.loads(done.stdout)


def board_cell(board):
    if board["shape"] == "none":
        return "none"
    return f"{board['shape'].replace('_', ' ')} {board['sites']}"


def rows_of(name):
    for line in (FACTS / name).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line.split("\t")


def facts():
    """Of each game: how many counts, statistics and positions there are, and who made them."""
    found = {}

    def note(game, what, number, source=""):
        entry = found.setdefault(game, {**dict.fromkeys(KINDS, 0), "by": set()})
        entry[what] += number
        if source:
            entry["by"].add(re.split(r"[ ,]", source)[0])
    for name, what, column in (("perft.tsv", "counts", 5), ("coriovalli-perft.tsv", "counts", 5),
                               ("playouts.tsv", "rows of statistics", 6),
                               ("lines.tsv", "rows of statistics", 6)):
        for row in rows_of(name):
            by = row[column] if not name.startswith(("coriovalli", "lines")) else "Ludii"
            note(row[0], what, 1, by)
    for path in sorted(FACTS.glob("*.json")):
        data = json.loads(path.read_text(encoding="utf-8"))
        note(data["game"], "positions", len(data["positions"]), data.get("source", ""))
    return found


def fact_cell(entry):
    if not entry:
        return "-"
    words = [f"{entry[what]} {one if entry[what] == 1 else what}" for what, one in KINDS.items()
             if entry[what]]
    return ", ".join(words) + (f" ({', '.join(sorted(entry['by']))})" if entry["by"] else "")


# ---- speed ----

def playouts(ferz, path, count):
    """Seconds of so many playouts."""
    begin = time.monotonic()
    subprocess.run([*ferz, "playout", path, "-n", str(count), "--threads", "1", "--format", "json"],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.monotonic() - begin


def a_second(ferz, path, count):
    """Playouts a second, without the start of the command."""
    return count / max(playouts(ferz, path, count) - playouts(ferz, path, 1), 1e-9)


def enough(ferz, path):
    """So many playouts that they take a while."""
    count = 1
    while playouts(ferz, path, count + 1) - playouts(ferz, path, 1) < SECONDS:
        count *= 2
    return count + 1


def measure(ferz, games):
    """A row at a time, so that a run can be stopped and go on later."""
    base, known = GAMES / BASE, speeds()
    often = enough(ferz, base)
    for path in games:
        name = str(path.relative_to(GAMES))
        if name in known:
            continue
        count = enough(ferz, path)
        ratios = [a_second(ferz, path, count) / a_second(ferz, base, often) for _ in range(ROUNDS)]
        with SPEED.open("a", encoding="utf-8") as file:
            file.write(f"{name}\t{statistics.median(ratios):.3g}\t{min(ratios):.3g}\t"
                       f"{max(ratios):.3g}\n")


def speeds():
    if not SPEED.exists():
        return {}
    rows = (line.split("\t") for line in SPEED.read_text(encoding="utf-8").splitlines()
            if not line.startswith("#"))
    return {row[0]: row[1] for row in rows}


# ---- the page ----

def game_row(path, info, entry, speed):
    lines, tokens = size_cells(path)
    name = str(path.relative_to(GAMES))
    cells = [f"[{info['title']}](../games/{name})", str(len(info["players"])),
             board_cell(info["board"]), "yes" if info["chance"] else "",
             "yes" if info["hidden"] else "", str(len(info["options"]) or ""), str(lines),
             str(tokens), str(info["counts"]["tests"]), fact_cell(entry), speed.get(name, "-")]
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def page(ferz, games):
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        infos = dict(zip(games, pool.map(lambda path: info_of(ferz, path), games)))
    found, speed, text = facts(), speeds(), [HEAD]
    for folder in sorted({path.parent for path in games}):
        here = sorted((path for path in games if path.parent == folder),
                      key=lambda path: infos[path]["title"])
        text += [f"## {folder.relative_to(ROOT)}", "",
                 "| game | players | board | chance | hidden | options | lines | tokens | tests "
                 "| facts | speed |",
                 "| --- | --: | --- | --- | --- | --: | --: | --: | --: | --- | --: |"]
        text += [game_row(path, infos[path], found.get(str(path.relative_to(GAMES))), speed)
                 for path in here] + [""]
    return "\n".join(text).rstrip("\n") + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ferz", metavar="COMMAND", required=True)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--speed", action="store_true")
    args = parser.parse_args()
    ferz, games = shlex.split(args.ferz), sorted(GAMES.rglob("*.game"))
    if args.speed:
        measure(ferz, games)
    made = page(ferz, games)
    if not args.check:
        PAGE.write_text(made, encoding="utf-8")
    elif not PAGE.exists() or PAGE.read_text(encoding="utf-8") != made:
        print("docs/catalogue.md: not as docs/catalogue.py would write it")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
