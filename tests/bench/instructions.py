#!/usr/bin/env python3
"""Counts machine instructions for a decision of random play in the loop, with valgrind. Writes
instructions.tsv; the suite `instructions` fails when a count grows.

    tests/bench/instructions.py BUILD [--dry]

Exit status: 0 success, 1 a run failed, 2 usage error.
"""

import argparse
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

from measure import Failure, read_games, read_table

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TABLE = os.path.join(ROOT, "tests/bench/instructions.tsv")
# Games of games.tsv that between them spend their time in different instructions, and playouts,
# so many that starting them hardly counts.
PLAYED = (("tic-tac-toe", 1000), ("connect-four", 200), ("breakthrough", 60), ("reversi", 40),
          ("gomoku", 40), ("ur", 40), ("chess", 5), ("international-draughts", 4),
          ("nine-mens-morris", 40), ("yavalath", 150), ("fox-and-hounds", 120), ("go-9x9", 15))
NEEDED = {"avx2", "bmi1", "bmi2", "popcnt"}     # of the processor, by the fast loops


def main():
    parser = argparse.ArgumentParser(usage="./dev bench --instructions [--dry]",
                                     description=__doc__)
    parser.add_argument("build", metavar="BUILD")
    parser.add_argument("--dry", action="store_true", help="print the table, write nothing")
    args = parser.parse_args()
    ferz = os.path.join(args.build, "ferz")
    try:
        rows = [f"{game}\t{playouts}\t{decision(ferz, game, playouts):.1f}\n"
                for game, playouts in PLAYED]
    except Failure as failure:
        print(f"instructions.py: {failure}", file=sys.stderr)
        return 1
    text = ("# Machine instructions for a decision of random play in the loop, by valgrind.\n"
            "# ./dev bench --instructions writes this table for one kind of build.\n"
            f"# build: {build_of(args.build)}\n"
            "# game\tplayouts\tinstructions\n" + "".join(rows))
    sys.stdout.write(text)
    if not args.dry:
        with open(TABLE, "w", encoding="utf-8") as file:
            file.write(text)
    return 0


def build_of(folder):
    """The compiler and the flags of a build tree; counts depend on them."""
    with open(os.path.join(folder, "Makefile"), encoding="utf-8") as file:
        text = file.read()
    found = {name: (re.search(rf"^{name} = *(.*)$", text, re.MULTILINE) or ("", ""))[1]
             for name in ("CC", "CFLAGS", "FZ_CPPFLAGS", "host_cpu")}
    version = subprocess.run([*shlex.split(found["CC"]), "-dumpfullversion"],
                             stdout=subprocess.PIPE, encoding="utf-8", check=False).stdout.strip()
    return " ".join(f"{found['CC']} {version} {found['CFLAGS']} {found['FZ_CPPFLAGS']} "
                    f"{found['host_cpu']}".split())


def has_fast_loops():
    """Can this machine run, and valgrind count, the loops for newer processors?"""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            return NEEDED <= set((re.search(r"^flags\s*: (.*)$", file.read(),
                                            re.MULTILINE) or ("", ""))[1].split())
    except OSError:
        return False


def expected():
    """The build that the table is for, and its rows."""
    with open(TABLE, encoding="utf-8") as file:
        build = re.search(r"^# build: (.*)$", file.read(), re.MULTILINE)[1]
    return build, read_table("instructions.tsv", ("game", "playouts", "instructions"))


def decision(ferz, game, playouts):
    """Instructions for a decision."""
    row = next(row for row in read_games() if row["game"] == game)
    options = [] if row["options"] == "-" else shlex.split(row["options"])
    total, data = counted(ferz, "fz_playouts_run",
                          ["playout", os.path.join(ROOT, "games", row["script"]), "-n",
                           str(playouts), "--seed", "1", "--threads", "1", *options])
    return total / data["plies"]


def counted(ferz, function, words):
    """Instructions within the function, and what the run printed."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out")
        done = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}",
                               f"--toggle-collect={function}", ferz, *words, "--format", "json",
                               "--engine", "loop"],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
                              stdin=subprocess.DEVNULL, check=False)
        if done.returncode:
            raise Failure(f"{shlex.join(words)}: {done.stderr.strip()[-300:]}")
        with open(out, encoding="utf-8") as file:
            total = re.search(r"^(?:totals|summary): (\d+)", file.read(), re.MULTILINE)
    return int(total[1]), json.loads(done.stdout)


if __name__ == "__main__":
    sys.exit(main())
