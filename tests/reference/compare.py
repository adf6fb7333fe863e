#!/usr/bin/env python3
"""Compares ferz with the reference interpreter: random games, move for move.

    tests/reference/compare.py [--ferz PROGRAM] [--games N] [--seconds N] SCRIPT...

ferz plays random games with seed 1 and writes a record of each. The interpreter replays them: each
move must be legal, each result of chance possible, and a game must end where the record ends, with
the same ranks. At one of 50 decisions, the whole lists of moves are compared. A script that needs
more than --seconds is cut off: some of its games agree. Exit status: 1 if anything differs.
"""
import argparse
import json
import re
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import engine
from expressions import GameError, fault_if


def late(*_):
    raise TimeoutError


def ferz(program, *words):
    done = subprocess.run([program, *words], capture_output=True, text=True, check=False)
    fault_if(done.returncode, f"ferz {' '.join(map(str, words))}: {done.stderr.strip()[:200]}")
    return done.stdout


def records(program, path, games):
    """(events, ranks, stopped) of random games."""
    with tempfile.TemporaryDirectory() as folder:
        ferz(program, "playout", "-n", str(games), "--seed", "1", "--engine", "loop", "--records",
             "all", "--record", folder, path)
        texts = [(Path(folder) / f"{n}.txt").read_text(encoding="utf-8")
                 for n in range(1, games + 1)]
    for text in texts:
        events = re.findall(r"^ +(?:\d+\.)? *(.*)$", text, re.MULTILINE)
        result = re.search(r"^result: (.*)$", text, re.MULTILINE)
        fault_if(result is None, "the game has no result")
        ranks = re.findall(r" (\d+)(?:,|$| \()", result[1].split(";")[0])
        yield events, [int(rank) for rank in ranks], result[1].endswith("(stopped)")


def replay(program, path, game, number, events, *wanted):
    position = game.beginning()
    for count, event in enumerate(events):
        if position.waits.moves and (count + number) % 50 == 0:
            same_list(program, path, game.texts(position.waits.moves), events[:count])
        try:
            position = engine.after_event(game, position, event)
        except GameError as error:
            raise GameError(f"game {number}, event {count + 1}: {error}") from error
    found = [game.state.ranks, game.state.stopped]
    fault_if(found != [*wanted], f"game {number}: ranks {found}, not {wanted}")


def same_list(program, path, texts, events):
    words = ["--play", ", ".join(events)] if events else []
    moves = json.loads(ferz(program, "moves", "--format", "json", *words, path))["moves"]
    wanted = [move["text"] for move in moves]
    extra = sorted(set(texts) ^ set(wanted))
    fault_if(texts != wanted, f"after {', '.join(events)[-200:]}: {len(texts)} moves, ferz has "
             f"{len(wanted)}; {extra[:8] or 'in another order'}")


def compare(args, path):
    """(verdict, how many games agree, what differs)."""
    signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, args.seconds)
    number = 0
    try:
        game = engine.load(path.read_text(encoding="utf-8"), str(path))
        for number, record in enumerate(records(args.ferz, path, args.games), 1):
            replay(args.ferz, path, game, number, *record)
        return "agrees", number, ""
    except TimeoutError:
        return "late", max(number - 1, 0), ""
    except Exception as error:                  # also of the interpreter itself
        return "differs", max(number - 1, 0), repr(error)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def main():
    parser = argparse.ArgumentParser(description="Compares ferz with the reference interpreter.")
    parser.add_argument("scripts", nargs="+", type=Path)
    parser.add_argument("--ferz", default=engine.HERE.parents[1] / "build/ferz")
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=60)
    args, counts = parser.parse_args(), Counter(agrees=0, late=0, differs=0)
    for path in args.scripts:
        verdict, games, why = compare(args, path.resolve())
        counts[verdict] += 1
        print(f"{path}: {verdict}, {games} games {why}", flush=True)
    print(", ".join(f"{number} {verdict}" for verdict, number in counts.items()))
    return 1 if counts["differs"] else 0


if __name__ == "__main__":
    sys.exit(main())
