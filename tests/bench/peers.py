"""Plays programs that the user has built beside ferz and its native code, and prints how many
times as many random games ferz plays in a second of processor time.

A folder holds the programs: GAME or GAME.ANYTHING, with the names of games.tsv; of several for one
game the fastest counts. A program takes one argument, a number of games, plays as many random
games on one thread, and prints something. If it prints `states: N`, `turns: N` or `plies: N`
(also `number of states: N`), we know the length of its games: where neither our turns nor our
decisions are as many, the two end games differently (a limit, a repetition), and the table compares
moves, not games. It must draw uniformly from the same moves as ferz.
"""

import json
import os
import re
import statistics
import sys

import page
from measure import Failure, output_of, processor_seconds, read_games, spread

PLIES = re.compile(r"\b(?:states|turns|plies)\s*[:=]\s*(\d+)")
SAME_LENGTH = 0.02      # longer or shorter by a greater share: the games end differently


def compare(args):
    """Prints the table; returns the exit status."""
    programs = programs_of(args.peers)
    ratios = {"loop": [], "native": []}
    lines = ["| game | loop / peer | native / peer |", "| --- | --- | --- |"]
    failed = False
    for row in read_games():
        if row["game"] not in programs or (args.games and row["game"] not in args.games.split(",")):
            continue
        try:
            found = compare_game(args, row, programs[row["game"]])
        except Failure as failure:
            print(f"{row['game']}: {failure}", file=sys.stderr)
            failed = True
            continue
        if not found:
            continue
        if not ratios["loop"]:
            print(f"{'game':<23}{'by':<11}{'loop / peer':<24}{'native / peer':<24}peer")
        for engine, values in ratios.items():
            values.append(found[engine]["median"])
        lines.append(f"| {row['game']} | {found['loop']['median']:.2f} | "
                     f"{found['native']['median']:.2f} |")
        print(f"{row['game']:<23}{found['by']:<11}{text(found['loop']):<24}"
              f"{text(found['native']):<24}{found['peer']}", flush=True)
    if ratios["loop"]:
        means = {engine: statistics.geometric_mean(values) for engine, values in ratios.items()}
        lines.append(f"| geometric mean | {means['loop']:.2f} | {means['native']:.2f} |")
        if args.page:
            page.replace("peers", lines)
        print(f"geometric mean of {len(ratios['loop'])}: " + ", ".join(
            f"{engine} {mean:.2f}" for engine, mean in means.items()))
    elif not failed:
        print(f"bench.py: {args.peers} has no program of a game that was asked for",
              file=sys.stderr)
    return 1 if failed or not ratios["loop"] else 0


def text(ratio):
    return f"{ratio['median']:.2f} ({ratio['least']:.2f}-{ratio['greatest']:.2f})"


def programs_of(folder):
    """The executable files of a folder by the game that they play."""
    programs = {}
    try:
        names = sorted(os.listdir(folder))
    except OSError as error:
        print(f"bench.py: {folder}: {error.strerror}", file=sys.stderr)
        sys.exit(2)
    games = {row["game"] for row in read_games()}
    for name in names:
        path = os.path.join(folder, name)
        if not os.path.isfile(path) or not os.access(path, os.X_OK):
            continue
        game = name.split(".")[0]
        if game in games:
            programs.setdefault(game, []).append(path)
        else:
            print(f"{name}: left out, no game of games.tsv", file=sys.stderr)
    return programs


def compare_game(args, row, paths):
    """Ratios of one game to its fastest peer, from rounds in which all play in turn."""
    script = os.path.join(args.folder, row["script"])
    options = [] if row["options"] in ("", "-") else row["options"].split()
    ferz = [args.ferz, "playout", script, *options, "--threads", "1", "--format", "json", "-n"]
    players = {"loop": ferz, "native": [ferz[0], ferz[1], "--engine=native", *ferz[2:]]}
    players |= {path: [path] for path in paths}
    counts = {}
    for name, command in list(players.items()):
        counts[name] = calibrate(command, args.seconds)
        if counts[name] is None:
            print(f"{row['game']}: skipped {os.path.basename(name)}, it prints nothing",
                  file=sys.stderr)
            del players[name]
    paths = [path for path in paths if path in players]
    if not paths:
        return None
    rounds = [{name: run(command, counts[name]) for name, command in players.items()}
              for _ in range(args.rounds)]
    peer = max(paths, key=lambda path: statistics.median(each[path]["rate"] for each in rounds))
    return ratios_to(peer, rounds)


def ratios_to(peer, rounds):
    theirs = statistics.mean(each[peer]["length"] for each in rounds)
    ours = nearest(rounds[0]["loop"], theirs)
    same = not theirs or abs(rounds[0]["loop"][ours] / theirs - 1) <= SAME_LENGTH

    def speed(figures, length):
        return figures["rate"] * (1 if same else figures[length])
    found = {engine: spread([speed(each[engine], ours) / speed(each[peer], "length")
                             for each in rounds])
             for engine in ("loop", "native")}
    return found | {"peer": os.path.basename(peer), "by": "game" if same else "move"}


def nearest(figures, length):
    """Whether the peer counts turns, as `length`, or decisions."""
    return min(("length", "plies"), key=lambda name: abs(figures[name] - length))


# ---- Runs ----------------------------------------------------------------------------------------

def calibrate(command, seconds):
    """A number of games that lasts about the time wanted; None if the program prints nothing."""
    count = 10
    run(command, 1)         # compiles native code, which a later run finds in the cache
    while True:
        figures = run(command, count)
        if figures is None:
            return None
        fitting = max(1, round(figures["rate"] * seconds))
        if figures["seconds"] >= seconds / 5:
            return fitting
        count = max(count + 1, min(fitting, 50 * count))


def run(command, count):
    """Games a second of processor time and the mean length (0 if unknown); None without output."""
    before = processor_seconds()
    printed = output_of([*command, str(count)])
    seconds = max(1e-4, processor_seconds() - before)
    if not printed.strip():
        return None
    length, plies = lengths_of(printed, count)
    return {"seconds": seconds, "rate": count / seconds, "length": length, "plies": plies}


def lengths_of(printed, count):
    """Turns and decisions in a game, from the JSON of ferz or the text of a peer; 0 if unknown."""
    if printed.startswith("{"):
        figures = json.loads(printed)
        return (figures.get("turns") or figures["plies"]) / count, figures["plies"] / count
    plies = PLIES.search(printed)
    return (int(plies.group(1)) / count if plies else 0,) * 2
