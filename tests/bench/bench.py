#!/usr/bin/env python3
"""Measures `ferz playout` against the hand-written reference programs.

Both run by turns on one core, a reference run and a ferz run making one pair, so that a clock
that drifts slows both. The figure to read is the ratio: the median of the pairs' ratios, with the
least and the greatest. Lengths and results of both must agree, else the two do not play the same
game and the ratio means nothing.

Exit status: 0 all right, 1 a disagreement or a failed run, 2 usage or I/O.
"""

import argparse
import json
import math
import os
import shlex
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
FIGURES = ("playouts", "plies", "seconds", "playouts_per_second", "plies_per_second", "ns_per_ply",
           "length", "first", "second", "draw", "length_sd")
SHARES = ("first", "second", "draw")
TOLERANCE = 4           # standard errors


class Failure(Exception):
    """A run that gave nothing to measure."""


def main():
    args = arguments()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    if args.perft:
        return check_perft(args.reference)
    reports, failed = [], False
    for row in wanted(args):
        try:
            report = measure(args, row)
        except Failure as failure:
            print(f"{row['reference']}: {failure}", file=sys.stderr)
            failed = True
            continue
        if not reports:
            print(HEADING)
        print(table_rows(report), flush=True)
        reports.append(report)
    if len(reports) > 1:
        mean = statistics.geometric_mean([report["ratio"] for report in reports])
        print(f"\ngeometric mean of the ratios: {mean:.3f}")
        if args.native:
            mean = statistics.geometric_mean([report["native_ratio"] for report in reports])
            print(f"of native code: {mean:.3f}")
    if args.json:
        with open(args.json, "w", encoding="utf-8") as file:
            json.dump({"rounds": args.rounds, "seconds": args.seconds, "games": reports}, file,
                      indent=1)
            file.write("\n")
    return 1 if failed or any(report["disagreements"] for report in reports) else 0


def arguments():
    parser = argparse.ArgumentParser(
        description="Measure ferz playouts against the hand-written references.")
    parser.add_argument("ferz", help="the ferz binary")
    parser.add_argument("reference", help="the ferz-bench-ref binary")
    parser.add_argument("folder", metavar="games", help="the folder of scripts")
    parser.add_argument("--rounds", type=int, default=5, help="pairs of runs for each game (5)")
    parser.add_argument("--seconds", type=float, default=1.0, help="length of one run (1)")
    parser.add_argument("--games", metavar="LIST",
                        help="references to run, separated by commas (all)")
    parser.add_argument("--json", metavar="FILE",
                        help="write all figures, every round's included")
    parser.add_argument("--extra", metavar="ARGS", default="",
                        help="more arguments for `ferz playout`")
    parser.add_argument("--native", action="store_true",
                        help="measure native code as well, in the same rounds")
    parser.add_argument("--seed", type=int, default=1, help="the first round's seed (1)")
    parser.add_argument("--perft", action="store_true",
                        help="only check the references' move generators against perft.tsv")
    args = parser.parse_args()
    if args.rounds < 1 or args.seconds <= 0:
        parser.error("--rounds and --seconds must be positive")
    return args


def read_table(name, columns):
    """The rows of a tab separated file beside this one; missing columns are empty."""
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        lines = [line.rstrip("\n") for line in file if line.strip() and not line.startswith("#")]
    return [dict(zip(columns, line.split("\t") + [""] * len(columns))) for line in lines]


def wanted(args):
    """The rows of games.tsv to run; those without a script are named and left out."""
    rows = read_table("games.tsv", ("reference", "script", "options", "note"))
    if args.games:
        names = args.games.split(",")
        unknown = set(names) - {row["reference"] for row in rows}
        if unknown:
            print(f"bench.py: not in games.tsv: {', '.join(sorted(unknown))}", file=sys.stderr)
            sys.exit(2)
        rows = [row for row in rows if row["reference"] in names]
    present = []
    for row in rows:
        row["path"] = os.path.join(args.folder, row["script"])
        if os.path.exists(row["path"]):
            present.append(row)
        else:
            print(f"{row['reference']}: left out, no {row['path']}", file=sys.stderr)
    if not present:
        print("bench.py: nothing to measure", file=sys.stderr)
        sys.exit(2)
    return present


def output_of(command):
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              check=False)
    except OSError as error:
        print(f"bench.py: {command[0]}: {error.strerror}", file=sys.stderr)
        sys.exit(2)
    if done.returncode != 0:
        raise Failure(f"{shlex.join(command)} ended with {done.returncode}\n{done.stderr.rstrip()}")
    return done.stdout


def run_reference(args, row, seed):
    line = output_of([args.reference, row["reference"], str(args.seconds), str(seed)])
    return dict(zip(FIGURES, map(float, line.split("\t")[1:])))


def run_ferz(args, row, count, seed, more=()):
    """The same figures from `ferz playout`, but for the deviation of the length."""
    options = [] if row["options"] in ("", "-") else shlex.split(row["options"])
    command = [args.ferz, "playout", row["path"], "-n", str(count), "--seed", str(seed),
               "--format", "json", "--threads", "1", *options, *shlex.split(args.extra), *more]
    start = time.perf_counter()
    text = output_of(command)
    wall = time.perf_counter() - start
    try:
        data = json.loads(text)
        playouts, plies = data["playouts"], data["plies"]
        wins = data["wins"]
        seconds = data.get("seconds") or wall
        turns = data.get("turns") or plies
        run = {"playouts": playouts, "plies": plies, "seconds": seconds,
               "playouts_per_second": playouts / seconds, "plies_per_second": plies / seconds,
               "ns_per_ply": 1e9 * seconds / plies, "length": turns / playouts,
               "first": wins[0] / playouts, "second": wins[1] / playouts,
               "draw": data["draws"] / playouts, "stopped": data.get("stopped", 0)}
    except (ValueError, KeyError, IndexError, TypeError, ZeroDivisionError) as error:
        raise Failure(f"{shlex.join(command)}: unexpected JSON ({error!r})") from error
    return run


def calibrate(args, row):
    """A number of playouts that lasts about the time wanted."""
    count = 50
    while True:
        run = run_ferz(args, row, count, args.seed)
        fitting = max(1, round(run["playouts_per_second"] * args.seconds))
        if run["seconds"] >= args.seconds / 5:
            return fitting
        count = min(fitting, 50 * count)


def pooled(runs):
    """One run's figures from several: totals, and means weighted by playouts."""
    total = {key: sum(run[key] for run in runs) for key in ("playouts", "plies", "seconds")}
    for key in ("length", *SHARES):
        total[key] = sum(run[key] * run["playouts"] for run in runs) / total["playouts"]
    total["playouts_per_second"] = statistics.median(run["playouts_per_second"] for run in runs)
    total["ns_per_ply"] = statistics.median(run["ns_per_ply"] for run in runs)
    return total


def measure(args, row):
    count = calibrate(args, row)
    references, ferzes, natives = [], [], []
    for number in range(args.rounds):
        references.append(run_reference(args, row, args.seed + number))
        run = run_ferz(args, row, count, args.seed + number)
        if args.native:
            natives.append(run_ferz(args, row, 2 * count, args.seed + number, ["--native"]))
        count = max(1, round(run["playouts_per_second"] * args.seconds))
        ferzes.append(run)
    ratios = [ferz["playouts_per_second"] / reference["playouts_per_second"]
              for reference, ferz in zip(references, ferzes)]
    report = {"game": row["reference"], "script": row["script"], "options": row["options"],
              "note": row["note"], "ratio": statistics.median(ratios), "ratio_min": min(ratios),
              "ratio_max": max(ratios), "reference": pooled(references), "ferz": pooled(ferzes),
              "reference_runs": references, "ferz_runs": ferzes,
              "peers": {peer["program"]: 1000 * float(peer["rate"])
                        for peer in read_table("peers.tsv", ("game", "program", "rate"))
                        if peer["game"] == row["reference"]}}
    if natives:
        shares = [native["playouts_per_second"] / reference["playouts_per_second"]
                  for reference, native in zip(references, natives)]
        report |= {"native": pooled(natives), "native_runs": natives,
                   "native_ratio": statistics.median(shares), "native_ratio_min": min(shares),
                   "native_ratio_max": max(shares)}
    report["reference"]["length_sd"] = statistics.mean(run["length_sd"] for run in references)
    report["disagreements"] = disagreements(report)
    return report


def disagreements(report):
    """What differs by more than chance explains, and by how many standard errors."""
    reference, ferz = report["reference"], report["ferz"]
    spread = math.sqrt(1 / reference["playouts"] + 1 / ferz["playouts"])
    found = []
    for key in ("length", *SHARES):
        difference = ferz[key] - reference[key]
        if key == "length":
            deviation = reference["length_sd"]
        else:
            share = ((reference[key] * reference["playouts"] + ferz[key] * ferz["playouts"]) /
                     (reference["playouts"] + ferz["playouts"]))
            deviation = math.sqrt(max(0.0, share * (1 - share)))
        # Shares printed with six digits differ by their rounding, which is no disagreement.
        if abs(difference) > TOLERANCE * deviation * spread + 1e-6:
            errors = difference / (deviation * spread) if deviation else math.inf
            found.append({"figure": key, "difference": difference, "standard_errors": errors})
    stopped = sum(run["stopped"] for run in report["ferz_runs"])
    if stopped:
        found.append({"figure": "stopped by limit", "difference": stopped,
                      "standard_errors": math.inf})
    return found


HEADING = (f"{'game':<15}{'':<10}{'playouts/s':>12}{'ns/ply':>9}   {'ferz/reference':<22}"
           f"{'length':>9}{'first':>9}{'second':>9}{'draw':>9}")


def table_rows(report):
    ratio = f"{report['ratio']:.3f} ({report['ratio_min']:.3f}-{report['ratio_max']:.3f})"
    lines = []
    names = [("reference", report["game"], ""), ("ferz", "", ratio)]
    if "native" in report:
        ratio = (f"{report['native_ratio']:.3f} ({report['native_ratio_min']:.3f}-"
                 f"{report['native_ratio_max']:.3f})")
        names.append(("native", "", ratio))
    for name, game, middle in names:
        run = report[name]
        lines.append(f"{game:<15}{name:<10}{run['playouts_per_second']:>12.0f}"
                     f"{run['ns_per_ply']:>9.1f}   {middle:<22}{run['length']:>9.3f}"
                     f"{run['first']:>9.4f}{run['second']:>9.4f}{run['draw']:>9.4f}")
    if report["peers"]:
        rate = report["ferz"]["playouts_per_second"]
        lines.append(f"{'':<15}times as fast as others elsewhere: "
                     + ", ".join(f"{name} {rate / peer:.2g}" for name, peer in report["peers"].items()))
    for item in report["disagreements"]:
        lines.append(f"{'':<15}DIFFERS: {item['figure']} by {item['difference']:+.4g}"
                     f" ({item['standard_errors']:+.1f} standard errors)")
    return "\n".join(lines)


def check_perft(reference):
    expected = read_table("perft.tsv", ("game", "depth", "count"))
    wrong = 0
    for row in expected:
        try:
            lines = output_of([reference, "--perft", row["depth"], row["game"]]).splitlines()
        except Failure as failure:
            lines = [f"\t\tnothing: {failure}"]
        got = lines[-1].split("\t")[2]
        verdict = "ok" if got == row["count"] else f"WRONG, expected {row['count']}"
        wrong += got != row["count"]
        print(f"{row['game']:<15}{row['depth']:>3}  {got:>12}  {verdict}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
