#!/usr/bin/env python3
"""Writes docs/catalogue.md, the shipped games in figures.

    docs/catalogue.py --ferz COMMAND           writes the page with this ferz
    docs/catalogue.py --ferz COMMAND --check   changes nothing; exit status 1 if the page differs
    docs/catalogue.py --ferz COMMAND --speed   first measures how fast each game is played that
                                               has no row in docs/catalogue-speed.tsv; on a quiet
                                               machine; all games take 15 minutes

Players, board, chance and hidden information come from `ferz info`, lines and tokens from the
script, facts from the tables in tests/facts.
"""
import argparse
import concurrent.futures
import json
import os
import re
import shlex
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
GAMES = ROOT / "games"
FACTS = ROOT / "tests/facts"
PAGE = ROOT / "docs/catalogue.md"
SPEED = ROOT / "docs/catalogue-speed.tsv"
BASE = "chess/chess.game"
KINDS = {"counts": "count", "rows of statistics": "row of statistics", "positions": "position"}
ROUNDS, SECONDS = 3, 0.05

SPACE = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\n]*|/\*.*?\*/', re.DOTALL)
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|\w+|=>|==|!=|<=|>=|\.\.|\+=|-=|->|[^\s\w]')
BESIDE = ("info", "test", "view")

HEAD = """# The shipped games in figures

`docs/catalogue.py` generates this page. [games.md](games.md) has the pictures, sources and options.

- *Board*: its shape and the number of sites.
- *Chance*: a rule rolls dice or draws. *Hidden*: some player does not see everything.
- *Options*: how many options the script has.
- *Lines*: the lines of the rules, without blank lines, comments, `info`, `view` and tests.
- *Tokens*: the tokens in these lines. A name, a number, a text, an operator and a bracket is a
  token each. A variant counts only its own text, and libraries do not count.
  [brevity.md](brevity.md) also leaves out the declarations of options, so its numbers are smaller.
- *Tests*: how many tests `ferz test` runs, inherited ones included.
- *Facts*: how many results of other programs or authors the test suite `facts` compares with Ferz,
  and whose they are. A *count* is a number of move sequences (perft). A *row of statistics* has the
  lengths and wins, or the use of lines, in random play. A *position* has its legal moves or their
  number.
- *Speed*: playouts a second, divided by those of chess. 2 means twice as many playouts as chess in
  the same time. It is the median of three runs, each next to a run of chess, on one core of a busy
  machine. The figures are rough: when 12 games were measured again, 4 figures changed by a factor
  of 1.8 or more, one of them by 5. `-` means not measured.
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
    """Seconds of processor time of so many playouts; other work changes them less."""
    arguments = ["playout", str(path), "-n", str(count), "--threads", "1", "--format", "json"]
    process = subprocess.Popen([*ferz, *arguments], stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, process.args)
    return usage.ru_utime + usage.ru_stime


def difference(ferz, path, count):
    """Seconds of so many playouts, without the start of the command."""
    return playouts(ferz, path, count + 1) - playouts(ferz, path, 1)


def a_second(ferz, path, count):
    """Playouts a second. Measures again if other work on the machine hid the difference."""
    while True:
        seconds = difference(ferz, path, count)
        if seconds > SECONDS / 4:
            return count / seconds


def enough(ferz, path):
    """So many playouts that they take a while, twice: one long time may be other work."""
    count = 1
    while any(difference(ferz, path, count) < SECONDS for _ in range(2)):
        count *= 2
    return count


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
    """Of each game: median, least and most, as written."""
    if not SPEED.exists():
        return {}
    rows = (line.split("\t") for line in SPEED.read_text(encoding="utf-8").splitlines()
            if not line.startswith("#"))
    return {row[0]: row[1:] for row in rows}


# ---- the page ----

def game_row(path, info, entry, speed):
    lines, tokens = size_cells(path)
    name = str(path.relative_to(GAMES))
    cells = [f"[{info['title']}](../games/{name})", str(len(info["players"])),
             board_cell(info["board"]), "yes" if info["chance"] else "",
             "yes" if info["hidden"] else "", str(len(info["options"]) or ""), str(lines),
             str(tokens), str(info["counts"]["tests"]), fact_cell(entry), speed.get(name, "-")[0]]
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def page(ferz, games):
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        infos = dict(zip(games, pool.map(lambda path: info_of(ferz, path), games)))
    found, speed = facts(), speeds()
    text = [HEAD]
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
