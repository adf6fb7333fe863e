"""Runs one game: reference, ferz and native code in turn. Computes rates, ratios and agreement."""

import json
import math
import os
import resource
import shlex
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
FIGURES = ("playouts", "plies", "seconds", "playouts_per_second", "plies_per_second", "ns_per_ply",
           "length", "first", "second", "draw", "length_sd")
SHARES = ("first", "second", "draw")
TOLERANCE = 4           # standard errors


class Failure(Exception):
    """A run without a result to measure."""


def read_table(name, columns):
    """The rows of a tab separated file beside this one; missing columns are empty."""
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        lines = [line.rstrip("\n") for line in file if line.strip() and not line.startswith("#")]
    return [dict(zip(columns, line.split("\t") + [""] * len(columns))) for line in lines]


def read_games():
    """The rows of games.tsv; `reference` is None for games without one."""
    rows = read_table("games.tsv", ("game", "script", "options", "reference", "note"))
    for row in rows:
        if row["reference"] in ("", "-"):
            row["reference"] = None
    return rows


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


# ---- Runs ----------------------------------------------------------------------------------------

def run_reference(args, row, seed):
    line = output_of([args.reference, row["reference"], str(args.seconds), str(seed)])
    return dict(zip(FIGURES, map(float, line.split("\t")[1:])))


def processor_seconds():
    """Of all programs that have been run so far."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run_ferz(args, row, count, seed, more=(), start=0):
    """The same figures from `ferz playout`, but for the deviation of the length. `start`: seconds
    that do not count."""
    options = [] if row["options"] in ("", "-") else shlex.split(row["options"])
    command = [args.ferz, "playout", row["path"], "-n", str(count), "--seed", str(seed),
               "--format", "json", "--threads", "1", *options, *shlex.split(args.extra), *more]
    before = processor_seconds()
    text = output_of(command)
    seconds = max(1e-4, processor_seconds() - before - start)
    try:
        data = json.loads(text)
        playouts, plies = data["playouts"], data["plies"]
        wins = data["wins"]
        turns = data.get("turns") or plies
        run = {"playouts": playouts, "plies": plies, "seconds": seconds,
               "playouts_per_second": playouts / seconds, "plies_per_second": plies / seconds,
               "ns_per_ply": 1e9 * seconds / plies, "length": turns / playouts,
               "first": wins[0] / playouts, "second": wins[1] / playouts,
               "draw": data["draws"] / playouts, "stopped": data.get("stopped", 0)}
    except (ValueError, KeyError, IndexError, TypeError, ZeroDivisionError) as error:
        raise Failure(f"{shlex.join(command)}: unexpected JSON ({error!r})") from error
    return run


def calibrate(args, row, more=()):
    """A number of playouts that lasts about the time wanted, and the seconds of the start."""
    count = 20
    run_ferz(args, row, 1, args.seed, more)     # compiles native code, which is cached then
    start = min(run_ferz(args, row, 1, args.seed, more)["seconds"] for _ in range(3))
    while True:
        run = run_ferz(args, row, count, args.seed, more, start)
        fitting = max(1, round(run["playouts_per_second"] * args.seconds))
        if run["seconds"] >= args.seconds / 5:
            return fitting, start
        count = min(max(fitting, 2 * count), 50 * count)


# ---- Figures ----------------------------------------------------------------------------

def pooled(runs):
    """One run's figures from several: totals, and means weighted by playouts."""
    total = {key: sum(run[key] for run in runs) for key in ("playouts", "plies", "seconds")}
    for key in ("length", *SHARES):
        total[key] = sum(run[key] * run["playouts"] for run in runs) / total["playouts"]
    for key in ("playouts_per_second", "ns_per_ply"):
        total[key] = statistics.median(run[key] for run in runs)
    total["stopped"] = sum(run.get("stopped", 0) for run in runs)
    return total


def spread(values):
    return {"median": statistics.median(values), "least": min(values), "greatest": max(values)}


def engine_report(runs, references):
    """One engine's figures, with the ratios to the reference in the same rounds,
    if the game has one."""
    report = {"pooled": pooled(runs), "runs": runs}
    if references:
        report["ratio"] = spread([run["playouts_per_second"] / reference["playouts_per_second"]
                                  for run, reference in zip(runs, references)])
    return report


def measure(args, row):
    kinds = {"ferz": []} | ({"native": ["--engine=native"]} if args.native else {})
    found = {kind: calibrate(args, row, more) for kind, more in kinds.items()}
    counts = {kind: count for kind, (count, _) in found.items()}
    runs = {kind: [] for kind in kinds}
    references = []
    for number in range(args.rounds):
        seed = args.seed + number
        if row["reference"]:
            references.append(run_reference(args, row, seed))
        for kind, more in kinds.items():
            run = run_ferz(args, row, counts[kind], seed, more, found[kind][1])
            counts[kind] = max(1, round(run["playouts_per_second"] * args.seconds))
            runs[kind].append(run)
    report = {key: row[key] for key in ("game", "script", "options", "reference", "note")}
    report["engines"] = {kind: engine_report(runs[kind], references) for kind in kinds}
    report["disagreements"] = []
    if references:
        report["reference_runs"] = references
        report["reference_pooled"] = pooled(references)
        report["reference_pooled"]["length_sd"] = statistics.mean(
            run["length_sd"] for run in references)
        report["disagreements"] = disagreements(report)
    if args.native:
        report["native_ratio"] = spread([native["playouts_per_second"] / loop["playouts_per_second"]
                                         for loop, native in zip(runs["ferz"], runs["native"])])
    return report


def disagreements(report):
    """The figures that differ by more than chance explains, and by how many standard errors."""
    reference, ferz = report["reference_pooled"], report["engines"]["ferz"]["pooled"]
    width = math.sqrt(1 / reference["playouts"] + 1 / ferz["playouts"])
    found = []
    for key in ("length", *SHARES):
        difference = ferz[key] - reference[key]
        if key == "length":
            deviation = reference["length_sd"]
        else:
            share = ((reference[key] * reference["playouts"] + ferz[key] * ferz["playouts"]) /
                     (reference["playouts"] + ferz["playouts"]))
            deviation = math.sqrt(max(0.0, share * (1 - share)))
        # Shares are printed with six digits: ignore differences by rounding.
        if abs(difference) > TOLERANCE * deviation * width + 1e-6:
            errors = difference / (deviation * width) if deviation else math.inf
            found.append({"figure": key, "difference": difference, "standard_errors": errors})
    if ferz["stopped"]:
        found.append({"figure": "stopped by limit", "difference": ferz["stopped"],
                      "standard_errors": math.inf})
    return found
