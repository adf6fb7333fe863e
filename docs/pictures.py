#!/usr/bin/env python3
"""Writes docs/pictures: the beginning of each shipped game that has a board, as SVG. Of a game that
begins with an empty board and hides nothing, it is the position after some random moves.

    docs/pictures.py --ferz COMMAND           writes the pictures with this ferz
    docs/pictures.py --ferz COMMAND --check   changes nothing; says what differs; exit status 1 if
                                           there is anything

Games that begin alike share a picture, that of the first one. docs/pictures/index.tsv says which
picture belongs to which game; docs/games.py reads it.
"""
import json
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

from common import ROOT, finish, options, run

FOLDER = ROOT / "docs/pictures"
INDEX = "index.tsv"
SHAPE = re.compile(r"<(path|use)[ >]")
ENTRY = re.compile(r"^ *\d+\. ", re.MULTILINE)
MOVES = 10  # of a random game, with the results of chance; half of a short one


def picture(ferz, path):
    """The SVG of a game; "" if it has no board, only lines of text."""
    svg = run(ferz, "show", path, "--svg")
    if len(SHAPE.findall(svg)) <= 1:
        return ""
    if begins_empty(ferz, path):
        with TemporaryDirectory() as folder:
            record = Path(folder) / "record"
            run(ferz, "playout", path, "-n", "1", "--record", record)
            played = len(ENTRY.findall(record.read_text(encoding="utf-8")))
            return run(ferz, "replay", record, path, "--at", str(min(MOVES, played // 2)), "--svg")
    return svg


def begins_empty(ferz, path):
    """Is the board empty at first, of a game that hides nothing? Seeds in pits are no pieces."""
    for line in run(ferz, "show", path, "--output", "-").split("\n"):
        is_row = ":" not in line and "=" not in line and not line.startswith("  ")
        if line.startswith("pieces:") or (is_row and set(line.split()) - {".", "+"}):
            return False
    game = json.loads(run(ferz, "info", path, "--format", "json"))
    return not game["hidden"] and game["board"]["shape"] != "pits"


def made(ferz):
    """The files of the folder, as texts by name."""
    games = sorted((ROOT / "games").rglob("*.game"))
    with ThreadPoolExecutor() as pool:
        texts = list(pool.map(lambda path: picture(ferz, path), games))
    files, rows, first = {}, [], {}
    for path, text in zip(games, texts):
        if not text:
            continue
        name = first.setdefault(text, f"{path.stem}.svg")
        if files.setdefault(name, text) != text:
            sys.exit(f"two games are called {path.stem}")
        rows.append(f"{path.relative_to(ROOT)}\t{name}\n")
    files[INDEX] = "".join(rows)
    return files


def main():
    args = options(__doc__, ferz=True).parse_args()
    files, wrong = made(args.ferz), []
    FOLDER.mkdir(exist_ok=True)
    for old in sorted(FOLDER.iterdir()):
        if old.name not in files and args.check:
            wrong.append(f"docs/pictures/{old.name}: docs/pictures.py would not write it")
        elif old.name not in files:
            old.unlink()
    finish({f"docs/pictures/{name}": text for name, text in files.items()}, args.check, wrong)


if __name__ == "__main__":
    main()
