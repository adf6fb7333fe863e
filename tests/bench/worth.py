#!/usr/bin/env python3
"""Measures the value of each optimisation: counts machine instructions for a decision of random
play, and for perft, with all optimisations and without each of them. callgrind counts only the
functions that play or count, so start-up and other processes do not matter. Prints two tables.

Exit status: 0 success, 1 a run failed, 2 usage error.
"""

import argparse
import concurrent.futures
import os
import re
import shlex
import subprocess
import sys

from instructions import counted
from measure import Failure

# Script, options, games that are played: enough for some thousand decisions.
PLAYED = (("classic/connect-four", "", 100), ("classic/breakthrough", "", 30),
          ("classic/reversi", "", 30), ("chess/chess", "", 4), ("draughts/english", "", 20),
          ("classic/lines-of-action", "", 6), ("go/go", "-o Size=9", 8), ("race/ur", "", 20))
# Script, depth of perft in decisions or turns.
COUNTED = (("classic/breakthrough", 3), ("chess/chess", 3), ("chess/shatranj", 3),
           ("draughts/international", 4))
OF_PERFT = ("footprints", "last-turn")
# Of perft and of native code, for which valgrind lacks instructions.
ELSEWHERE = ("footprints", "last-turn", "live")
LITTLE = 0.02 # smaller changes are left out


def main():
    args = arguments()
    names = optimisations(args)
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        try:
            for games, chosen, measure in (
                    (PLAYED, [n for n in names if n not in ELSEWHERE], playout),
                    (COUNTED, list(OF_PERFT), perft)):
                rows = table(pool, games, [*chosen, "all"],
                             lambda game, without, measure=measure: measure(args, game, without))
                print("\n".join(rows) + "\n", flush=True)
        except Failure as failure:
            print(f"worth.py: {failure}", file=sys.stderr)
            return 1
    return 0


def arguments():
    parser = argparse.ArgumentParser(usage="./dev bench --worth [options]", description=__doc__)
    parser.add_argument("ferz", metavar="FERZ")
    parser.add_argument("games", metavar="GAMES")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N",
                        help="run N at a time")
    return parser.parse_args()


def optimisations(args):
    """Their names, as the error about a wrong one lists them."""
    done = subprocess.run([args.ferz, "info", "--without", "?",
                           os.path.join(args.games, "classic/hex.game")],
                          stderr=subprocess.PIPE, encoding="utf-8", check=False)
    found = re.search(r"no optimisation '\?': (.*) or all", done.stderr)
    return re.findall(r"[\w-]+", found[1])


def playout(args, game, without):
    path, options, count = game
    words = ["playout", os.path.join(args.games, path + ".game"), "-n", str(count), "--seed", "1",
             "--threads", "1",
             *shlex.split(options), *(["--without", without] if without else [])]
    total, data = counted(args.ferz, "fz_playouts_run", words)
    return total / data["plies"]


def perft(args, game, without):
    path, depth = game
    words = ["perft", os.path.join(args.games, path + ".game"), str(depth), "--threads", "1",
             *(["--without", without] if without else [])]
    total, data = counted(args.ferz, "fz_count", words)
    return total / sum(depth["nodes"] for depth in data["depths"])


def table(pool, games, names, measure):
    """A row for each game: instructions with all optimisations,
    and by how many times more without each."""
    jobs = {(game[0], name): pool.submit(measure, game, name)
            for game in games for name in ["", *names]}
    yes = {key: job.result() for key, job in jobs.items()}
    used = [name for name in names
            if any(abs(yes[game[0], name] / yes[game[0], ""] - 1) > LITTLE for game in games)]
    rows = ["| game | instructions | " + " | ".join(used) + " |", "| --- " * (len(used) + 2) + "|"]
    for path, *_ in games:
        base = yes[path, ""]
        ratios = [yes[path, name] / base for name in used]
        rows.append(f"| {os.path.basename(path)} | {base:,.0f} | "
                    + " | ".join(f"{ratio:.2f}" if abs(ratio - 1) > LITTLE else ""
                                 for ratio in ratios) + " |")
    return rows


if __name__ == "__main__":
    sys.exit(main())
