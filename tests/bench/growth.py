#!/usr/bin/env python3
"""Measures how costs grow: playing with the size of the board and of the state, with threads;
compiling with the length of the script; native code with the game. Writes the tables of
docs/performance.md (between its marks) and the figures beside it.

Each time is the least of several runs: what else the machine does can only add to it.

Exit status: 0 all right, 1 a run failed, 2 usage.
"""

import argparse
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time

import long_game
import svg
from page import ROOT, replace

FIGURES = os.path.join(ROOT, "docs", "performance")
# Script, its name in figures, options of a size, sizes.
BOARDS = (("classic/hex", "Hex", ("Size",), (5, 7, 9, 11, 13, 15, 17, 19)),
          ("go/go", "Go", ("Size",), (5, 7, 9, 11, 13, 15, 17, 19)),
          ("classic/breakthrough", "Breakthrough", ("Width", "Height"), (5, 6, 8, 10, 12, 14, 16)),
          ("classic/reversi", "Reversi", ("Size",), (4, 6, 8, 10, 12, 14, 16)))
THREADED = ("classic/tic-tac-toe", "classic/hex", "chess/chess", "race/backgammon", "go/go")
LENGTHS = (500, 1000, 2000, 5000, 10000, 20000)


class Failure(Exception):
    """A run without a result to measure."""


def main():
    args = arguments()
    parts = {"boards": boards, "threads": threads, "scripts": scripts, "native": native}
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
                        help="of boards, threads, scripts, native; all if unsaid")
    parser.add_argument("--seconds", type=float, default=0.3, help="length of one run (0.3)")
    parser.add_argument("--rounds", type=int, default=3, help="runs, of which the best counts (3)")
    return parser.parse_args()


# ---- running ----

def run(words, more=None):
    """What it prints, and the seconds of processor that it and its children took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          check=False,
                          env={**os.environ, **(more or {})})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode or "continuing without native code" in done.stderr:
        raise Failure(f"{' '.join(words)} ended with {done.returncode}\n{done.stderr.rstrip()}")
    return done.stdout + done.stderr, (after.ru_utime + after.ru_stime - before.ru_utime -
                                       before.ru_stime)


def script(args, name):
    return os.path.join(args.folder, name + ".game")


def playouts(args, name, options, count, *more):
    """Seconds, decisions a second, and the mean length."""
    text, _ = run([args.ferz, "playout", script(args, name), *options, "-n", str(count), *more])
    time = re.search(r"^([\d.]+) s, .* ([\d,]+) decisions a second", text, re.MULTILINE)
    length = re.search(r"length +mean ([\d.]+)", text)
    return float(time[1]), int(time[2].replace(",", "")), float(length[1])


def rate(args, name, options, *more, threads=1):
    """Nanoseconds for a ply, the least of the rounds; decisions in a game."""
    more = (*more, "--threads", str(threads))
    count = 4
    while True:
        seconds, _, _ = playouts(args, name, options, count, *more)
        if seconds >= args.seconds / 4 or count >= 1 << 22:
            break
        count *= 4
    count = max(1, int(count * args.seconds / max(seconds, 1e-6)))
    runs = [playouts(args, name, options, count, *more) for _ in range(args.rounds)]
    return min(1e9 / speed for _, speed, _ in runs), runs[0][2]


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
            loop, length = rate(args, name, chosen)
            fast, _ = rate(args, name, chosen, "--engine=native")
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


def threads(args):
    lines = ["| game | 1 thread, ns a decision | 2 threads | speed-up |",
             "| --- | --- | --- | --- |"]
    for name in THREADED:
        pairs = [[rate(args, name, (), threads=count)[0] for count in (1, 2)]
                 for _ in range(args.rounds)]
        one, two = (min(column) for column in zip(*pairs))
        lines.append(f"| {name} | {one:.0f} | {two:.0f} | {one / two:.2f} |")
        print("  " + lines[-1], file=sys.stderr)
    return {"threads": lines}


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


def native(args):
    """The first native run of each game: the compiler's processor time, and what one waits."""
    lines = ["| game | code, instructions | compiler, s of processor | waited, s | "
             "ns a decision | native | times |",
             "| --- | --- | --- | --- | --- | --- | --- |"]
    rows = []
    for folder, _, files in os.walk(args.folder):
        for file in files:
            if file.endswith(".game"):
                name = os.path.relpath(os.path.join(folder, file[:-5]), args.folder)
                rows.append(native_row(args, name))
                print(f"  {rows[-1][1]}", file=sys.stderr)
    lines += [line for _, line in sorted(rows, reverse=True)]
    return {"native": lines}


def native_row(args, name):
    with tempfile.TemporaryDirectory() as cache:
        start = time.perf_counter()
        _, cost = run([args.ferz, "playout", script(args, name), "-n", "1", "--threads", "1",
                       "--engine=native"],
                      {"XDG_CACHE_HOME": cache})
        waited = time.perf_counter() - start
    code = sum(1 for line in run([args.ferz, "disasm", script(args, name)])[0].split("\n")
               if line[:6].strip().isdigit())
    loop, _ = rate(args, name, ())
    fast, _ = rate(args, name, (), "--engine=native")
    return cost, (f"| {name} | {code:,} | {cost:.1f} | {waited:.1f} | {loop:.0f} | {fast:.0f} | "
                  f"{loop / fast:.2f} |")


# ---- what is written ----

def figure(name, series, x, y, pairs=False):
    with open(os.path.join(FIGURES, name), "w", encoding="utf-8") as file:
        file.write(svg.chart(series, x, y, pairs))


if __name__ == "__main__":
    sys.exit(main())
