#!/usr/bin/env python3
"""Compares ferz with the interpreter in tests/reference: random games, move for move.

    tests/conformance/compare.py [--ferz PROGRAM] [--games N] [--seconds N] SCRIPT...

ferz plays random games with seed 1 and writes a record of each. The interpreter replays them: each
move must be legal, each result of chance possible, and a game must end where the record ends, with
the same ranks. At one of 50 decisions, but at most at five of a game, the whole lists of moves are
compared. After --seconds, no other game of a script begins. Exit status: 1 if anything differs.
"""
import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/reference"))

import engine                                               # noqa: E402
from expressions import GameError, fault_if                 # noqa: E402
from game import Game                                       # noqa: E402
from unit import Unit, reader                               # noqa: E402


class Replayed(Game):
    """A game that leaves out moves which no one asks for: with `wanted`, filters without keys see
    only moves of this text. Other filters, `can` and what is tried within a filter see all."""
    wanted = None

    def narrowed(self, moves, own, best):
        if self.wanted is not None and not own.keys:
            moves = [move for move in moves if self.wanted.endswith(*self.texts([move]))]
        return super().narrowed(moves, own, best)

    def with_all(self, function, *args):
        with self.setting(wanted=None):
            return function(*args)

    def tried(self, *args):
        return self.with_all(super().tried, *args)

    def call_can(self, *args):
        kind, can = super().call_can(*args)
        return kind, lambda f: self.with_all(can, f)


def ferz(program, *words):
    done = subprocess.run([program, *words], capture_output=True, text=True, check=False)
    fault_if(done.returncode, f"ferz {' '.join(map(str, words))}: {done.stderr.strip()[:200]}")
    return done.stdout


def records(program, path, games, folder):
    """(events, ranks, stopped) of random games."""
    ferz(program, "playout", "-n", str(games), "--seed", "1", "--engine", "loop", "--records",
         "all", "--record", folder, path)
    for number in range(1, games + 1):
        text = (folder / f"{number}.txt").read_text(encoding="utf-8")
        events = re.findall(r"^ +(?:\d+\.)? *(.*)$", text, re.MULTILINE)
        result = re.search(r"^result: (.*)$", text, re.MULTILINE)
        fault_if(result is None, "the game has no result")
        ranks = re.findall(r" (\d+)(?:,|$| \()", result[1].split(";")[0])
        yield events, [int(rank) for rank in ranks], result[1].endswith("(stopped)")


def replay(program, path, game, number, events, *result):
    rarely = max(50, len(events) // 4)
    whole = [(count + number) % rarely == 0 for count in range(len(events))]
    texts = [None if every or event[0] == "{" or "#" in event else event
             for every, event in zip(whole, events)] + [None]
    game.wanted = texts[0]
    position = game.beginning()
    for count, event in enumerate(events):
        if whole[count] and position.waits.moves:
            same_list(program, path, game.texts(position.waits.moves), events[:count])
        game.wanted = texts[count + 1]
        try:
            position = engine.after_event(game, position, event)
        except GameError as error:
            raise GameError(f"game {number}, event {count + 1}: {error}") from error
    found = [game.state.ranks, game.state.stopped]
    fault_if(found != [*result], f"game {number}: ranks {found}, not {result}")


def same_list(program, path, texts, events):
    words = ["--play", ", ".join(events)] if events else []
    moves = json.loads(ferz(program, "moves", "--format", "json", *words, path))["moves"]
    wanted = [move["text"] for move in moves]
    extra = sorted(set(texts) ^ set(wanted))
    fault_if(texts != wanted, f"after {', '.join(events)[-200:]}: {len(texts)} moves, ferz has "
             f"{len(wanted)}; {extra[:8] or 'in another order'}")


def compare(args, path, folder):
    """(verdict, how many games agree, what differs)."""
    end, number = time.monotonic() + args.seconds, 0
    try:
        text = path.read_text(encoding="utf-8")
        game, compiled = Replayed(Unit(str(path), text, reader({}, engine.FOLDERS))), folder / "c"
        ferz(args.ferz, "compile", path, "--output", compiled)
        for number, record in enumerate(records(args.ferz, path, args.games, folder), 1):
            replay(args.ferz, compiled, game, number, *record)
            if time.monotonic() > end:
                return "late", number, ""
        return "agrees", number, ""
    except Exception as error:                  # also of the interpreter itself
        return "differs", max(number - 1, 0), repr(error)


def main():
    parser = argparse.ArgumentParser(description="Compares ferz with the reference interpreter.")
    parser.add_argument("scripts", nargs="+", type=Path)
    parser.add_argument("--ferz", default=ROOT / "build/ferz")
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=60)
    args, counts = parser.parse_args(), Counter(agrees=0, late=0, differs=0)
    for path in args.scripts:
        with tempfile.TemporaryDirectory() as folder:
            verdict, games, why = compare(args, path.resolve(), Path(folder))
        counts[verdict] += 1
        print(f"{path}: {verdict}, {games} games {why}", flush=True)
    print(", ".join(f"{number} {verdict}" for verdict, number in counts.items()))
    return 1 if counts["differs"] else 0


if __name__ == "__main__":
    sys.exit(main())
