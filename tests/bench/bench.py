#!/usr/bin/env python3
"""Measures `ferz playout` and the hand-written reference programs side by side.

Reference and ferz run in turn on one core, so a clock that drifts slows both. Read the ratio: the
median over the rounds, with the least and the greatest. Mean length and results of both must agree;
otherwise they do not play the same game and the ratio means nothing. measure.py makes the runs;
this file reads the arguments and prints.

Exit status: 0 success, 1 a disagreement or a failed run, 2 usage or I/O error.
"""

import argparse
import json
import os
import statistics
import sys

import page
import peers
from measure import Failure, measure, output_of, read_games, read_table


def main():
    args = arguments()
    os.environ["FERZ_ENGINE"] = "loop"      # native code is measured where it is asked for
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    if args.perft:
        return check_perft(args.reference)
    if args.peers:
        return peers.compare(args)
    reports, failed = [], False
    for row in wanted(args):
        try:
            report = measure(args, row)
        except Failure as failure:
            print(f"{row['game']}: {failure}", file=sys.stderr)
            failed = True
            continue
        if not reports:
            print(HEADING)
        print(table_rows(report), flush=True)
        reports.append(report)
    if len(reports) > 1:
        print(summary(reports))
    if args.page:
        page.replace("rates", page_table(reports))
    if args.json:
        with open(args.json, "w", encoding="utf-8") as file:
            json.dump({"rounds": args.rounds, "seconds": args.seconds, "games": reports}, file,
                      indent=1)
            file.write("\n")
    return 1 if failed or any(report["disagreements"] for report in reports) else 0


def arguments():
    parser = argparse.ArgumentParser(
        description="Measure ferz playouts and the hand-written references side by side.")
    parser.add_argument("ferz", help="the ferz binary")
    parser.add_argument("reference", help="the ferz-bench-ref binary")
    parser.add_argument("folder", metavar="games", help="the folder of scripts")
    parser.add_argument("--rounds", type=int, default=5, help="pairs of runs for each game (5)")
    parser.add_argument("--seconds", type=float, default=1.0, help="length of one run (1)")
    parser.add_argument("--games", metavar="LIST",
                        help="games to run, separated by commas (all); "
                             "references: those that have one")
    parser.add_argument("--json", metavar="FILE",
                        help="write all figures, every round's included")
    parser.add_argument("--extra", metavar="ARGS", default="",
                        help="more arguments for `ferz playout`")
    parser.add_argument("--native", action="store_true",
                        help="measure native code as well, in the same rounds")
    parser.add_argument("--seed", type=int, default=1, help="the first round's seed (1)")
    parser.add_argument("--page", action="store_true",
                        help="write the table of docs/performance.md (with --native or --peers)")
    parser.add_argument("--peers", metavar="DIR",
                        help="compare with the programs of this folder, GAME or GAME.ANYTHING, "
                             "that play as many random games as their argument says")
    parser.add_argument("--perft", action="store_true",
                        help="only check the references' move generators against perft.tsv")
    args = parser.parse_args()
    if args.rounds < 1 or args.seconds <= 0:
        parser.error("--rounds and --seconds must be positive")
    if args.page and not args.native and not args.peers:
        parser.error("--page needs --native or --peers")
    return args


def wanted(args):
    """The rows of games.tsv to run; those without a script are named and left out."""
    rows = read_games()
    if args.games == "references":
        rows = [row for row in rows if row["reference"]]
    elif args.games:
        names = args.games.split(",")
        unknown = set(names) - {row["game"] for row in rows}
        if unknown:
            print(f"bench.py: not in games.tsv: {', '.join(sorted(unknown))}", file=sys.stderr)
            sys.exit(2)
        rows = [row for row in rows if row["game"] in names]
    present = []
    for row in rows:
        row["path"] = os.path.join(args.folder, row["script"])
        if os.path.exists(row["path"]):
            present.append(row)
        else:
            print(f"{row['game']}: left out, no {row['path']}", file=sys.stderr)
    if not present:
        print("bench.py: nothing to measure", file=sys.stderr)
        sys.exit(2)
    return present


# ---- Tables --------------------------------------------------------------------------------------

HEADING = (f"{'game':<23}{'':<10}{'playouts/s':>12}{'ns/ply':>9}  {'of the reference':<22}"
           f"{'length':>9}{'first':>8}{'second':>8}{'draw':>8}")


def ratio_text(ratio):
    return f"{ratio['median']:.3f} ({ratio['least']:.3f}-{ratio['greatest']:.3f})"


def table_row(game, name, pooled, ratio=""):
    return (f"{game:<23}{name:<10}"
            f"{pooled['playouts_per_second']:>12.0f}{pooled['ns_per_ply']:>9.1f}  "
            f"{ratio:<22}{pooled['length']:>9.2f}{pooled['first']:>8.4f}"
            f"{pooled['second']:>8.4f}{pooled['draw']:>8.4f}")


def table_rows(report):
    lines = []
    if report["reference"]:
        lines.append(table_row(report["game"], "reference", report["reference_pooled"]))
    for name, engine in report["engines"].items():
        game = "" if lines else report["game"]
        ratio = ratio_text(engine["ratio"]) if report["reference"] else ""
        lines.append(table_row(game, name, engine["pooled"], ratio))
    indent = " " * 23
    notes = []
    if "native_ratio" in report:
        notes.append(f"native code {ratio_text(report['native_ratio'])} times as fast as the loop")
    pooled = report["engines"]["ferz"]["pooled"]
    if not report["reference"] and pooled["stopped"]:
        notes.append(f"{100 * pooled['stopped'] / pooled['playouts']:.2g} % stopped by limit")
    if notes:
        lines.append(indent + "; ".join(notes))
    for item in report["disagreements"]:
        lines.append(f"{indent}DIFFERS: {item['figure']} by {item['difference']:+.4g}"
                     f" ({item['standard_errors']:+.1f} standard errors)")
    return "\n".join(lines)


def summary(reports):
    lines = [""]
    for kind in reports[0]["engines"]:
        ratios = [report["engines"][kind]["ratio"]["median"] for report in reports
                  if report["reference"]]
        if ratios:
            mean = statistics.geometric_mean(ratios)
            lines.append(f"{kind}: geometric mean of the ratios to references {mean:.3f}")
    native = [report["native_ratio"]["median"] for report in reports if "native_ratio" in report]
    if native:
        mean = statistics.geometric_mean(native)
        lines.append(f"native code: geometric mean of the ratios to the loop {mean:.2f}")
    return "\n".join(lines)


def page_table(reports):
    """Rows for docs/performance.md: ratios only, because rates change with the load of the
    machine."""
    lines = ["| game | loop, share of the hand-written program | native, share | native / loop |",
             "| --- | --- | --- | --- |"]
    for report in reports:
        cells = [report["game"]]
        for engine in report["engines"].values():
            cells.append(f"{engine['ratio']['median']:.3f}" if report["reference"] else "")
        cells.append(f"{report['native_ratio']['median']:.2f}")
        lines.append("| " + " | ".join(cells) + " |")
    return lines


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
