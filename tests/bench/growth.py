#!/usr/bin/env python3
"""Measures how costs grow: playing with the size of the board and of the state; compiling with the
length of the script. Writes the tables of docs/performance.md (between its marks) and the figures
beside it.

Times are processor time, the least of several runs in turn: what else the machine does can only add
to them.

Exit status: 0 all right, 1 a run failed, 2 usage.
"""

import argparse
import json
import math
import os
import re
import resource
import subprocess
import sys
import tempfile

import long_game
import svg
from page import ROOT, replace

FIGURES = os.path.join(ROOT, "docs", "performance")
# Script, its name in figures, options of a size, sizes.
BOARDS = (("classic/hex", "Hex", ("Size",), (5, 8, 9, 11, 12, 16, 17, 19)),
          ("go/go", "Go", ("Size",), (7, 9, 11, 13)))
LENGTHS = (500, 1000, 2000, 5000, 10000, 20000)


class Failure(Exception):
    """A run without a result to measure."""


def main():
    args = arguments()
    parts = {"boards": boards, "scripts": scripts}
    chosen = args.parts.split(",") if args.parts else list(parts)
    if unknown := set(chosen) - set(parts):
        print(f"growth.py: no such part: {', '.join(sorted(unknown))}", file=sys.stderr)
        return 2
    os.makedirs(FIGURES, exist_ok=True)
    try:
        for name in chosen:
            print(f"{name}:", file=sys.stderr)
            for mark, table in parts[name](args).items():
                replace(mark, table)
    except Failure as failure:
        print(f"growth.py: {failure}", file=sys.stderr)
        return 1
    return 0


def arguments():
    parser = argparse.ArgumentParser(description="Measure how costs grow, for docs/performance.md.")
    parser.add_argument("ferz", help="the ferz binary")
    parser.add_argument("folder", metavar="games", help="the folder of scripts")
    parser.add_argument("--parts", metavar="LIST",
                        help="of boards, scripts; all if unsaid")
    parser.add_argument("--seconds", type=float, default=0.3, help="length of one run (0.3)")
    parser.add_argument("--rounds", type=int, default=3, help="runs, of which the best counts (3)")
    return parser.parse_args()


# ---- running ----

def run(words, more=None):
    """What it prints, and the seconds of processor that it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          check=False,
                          env={**os.environ, **(more or {})})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode or "the loop plays" in done.stderr:
        raise Failure(f"{' '.join(words)} ended with {done.returncode}\n{done.stderr.rstrip()}")
    return done.stdout + done.stderr, (after.ru_utime + after.ru_stime - before.ru_utime -
                                       before.ru_stime)


def script(args, name):
    return os.path.join(args.folder, name + ".game")


def playouts(args, name, options, count):
    """Seconds of processor, decisions, and the mean length."""
    text, seconds = run([args.ferz, "playout", script(args, name), "-n", str(count), "--threads",
                         "1", "--format", "json", *options])
    plies = json.loads(text)["plies"]
    return seconds, plies, plies / count


def rates(args, name, options):
    """Nanoseconds for a decision in the loop and as native code, the least of rounds in turn;
    decisions in a game."""
    kinds = [[*options, "--engine", engine] for engine in ("loop", "native")]
    start = [min(playouts(args, name, kind, 1)[0] for _ in range(3)) for kind in kinds]
    best, counts, length = [math.inf, math.inf], [4, 4], 0
    for _ in range(args.rounds):
        for i, kind in enumerate(kinds):
            seconds = 0
            while seconds < args.seconds / 2:
                seconds, plies, length = playouts(args, name, kind, counts[i])
                seconds = max(seconds - start[i], 1e-4)
                if seconds < args.seconds / 2:
                    counts[i] = math.ceil(counts[i] * min(50, args.seconds / seconds))
            best[i] = min(best[i], 1e9 * seconds / plies)
    return *best, length


# ---- measurements ----

def boards(args):
    lines, series, sizes_of = [], [], []
    for name, title, options, sizes in BOARDS:
        points = {"loop": [], "native": []}
        bytes_of = []
        for size in sizes:
            chosen = [word for option in options for word in ("-o", f"{option}={size}")]
            state = json.loads(run([args.ferz, "info", script(args, name), *chosen,
                                    "--format", "json"])[0])["state"]
            loop, fast, length = rates(args, name, chosen)
            points["loop"].append((size * size, loop))
            points["native"].append((size * size, fast))
            bytes_of.append((size * size, state["at_decision"]))
            lines.append(f"| {title} {size}x{size} | {size * size} | {state['set_words']} | "
                         f"{state['bytes']} | "
                         f"{state['at_decision']:.0f} | {length:.0f} | {loop:.0f} | {fast:.0f} |")
            print("  " + lines[-1], file=sys.stderr)
        series += [(title, points["loop"]), (title + ", native", points["native"])]
        sizes_of.append((title, bytes_of))
    figure("boards.svg", series, "sites of the board", "ns for a decision", pairs=True)
    figure("states.svg", sizes_of, "sites of the board", "bytes that a copy of the state moves")
    return {"boards": ["| board | sites | words of a set | board and variables, bytes | "
                       "copy at a decision, bytes | "
                       "decisions in a game | ns a decision | native |",
                       "| --- | --- | --- | --- | --- | --- | --- | --- |", *lines]}


def scripts(args):
    lines = ["| lines | check, s | compile, s | µs a line |", "| --- | --- | --- | --- |"]
    points = {"check": [], "compile": []}
    with tempfile.TemporaryDirectory() as folder:
        path, output = os.path.join(folder, "long.game"), os.path.join(folder, "long.gamec")
        for wanted in LENGTHS:
            text = long_game.text(wanted)
            count = text.count("\n")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            times = [min(run([args.ferz, *words])[1] for _ in range(args.rounds))
                     for words in (("check", path), ("compile", path, "-O", output))]
            points["check"].append((count, times[0]))
            points["compile"].append((count, times[1]))
            lines.append(f"| {count:,} | {times[0]:.3f} | {times[1]:.3f} | "
                         f"{1e6 * times[1] / count:.1f} |")
            print("  " + lines[-1], file=sys.stderr)
    figure("scripts.svg", list(points.items()), "lines of the script", "seconds")
    return {"scripts": lines}


# ---- what is written ----

def figure(name, series, x, y, pairs=False):
    with open(os.path.join(FIGURES, name), "w", encoding="utf-8") as file:
        file.write(svg.chart(series, x, y, pairs))


if __name__ == "__main__":
    sys.exit(main())
