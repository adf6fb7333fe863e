#!/usr/bin/env python3
"""Measures `ferz playout` against the hand-written reference programs and the goals.

Both run by turns on one core, a reference run and a ferz run making one pair, so that a clock
that drifts slows both. The figure to read is the ratio: the median of the pairs' ratios, with the
least and the greatest. Lengths and results of both must agree, else the two do not play the same
game and the ratio means nothing. measure.py runs, this file reads arguments and prints.

Exit status: 0 all right, 1 a disagreement or a failed run, 2 usage or I/O.
"""

import argparse
import json
import os
import statistics
import sys

import page
from measure import Failure, measure, output_of, read_games, read_table


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
        description="Measure ferz playouts against the hand-written references and the goals.")
    parser.add_argument("ferz", help="the ferz binary")
    parser.add_argument("reference", help="the ferz-bench-ref binary")
    parser.add_argument("folder", metavar="games", help="the folder of scripts")
    parser.add_argument("--rounds", type=int, default=5, help="pairs of runs for each game (5)")
    parser.add_argument("--seconds", type=float, default=1.0, help="length of one run (1)")
    parser.add_argument("--games", metavar="LIST",
                        help="games to run, separated by commas (all); references: those that have one")
    parser.add_argument("--json", metavar="FILE",
                        help="write all figures, every round's included")
    parser.add_argument("--extra", metavar="ARGS", default="",
                        help="more arguments for `ferz playout`")
    parser.add_argument("--native", action="store_true",
                        help="measure native code as well, in the same rounds")
    parser.add_argument("--seed", type=int, default=1, help="the first round's seed (1)")
    parser.add_argument("--page", action="store_true",
                        help="write the table of docs/performance.md (with --native)")
    parser.add_argument("--perft", action="store_true",
                        help="only check the references' move generators against perft.tsv")
    args = parser.parse_args()
    if args.rounds < 1 or args.seconds <= 0:
        parser.error("--rounds and --seconds must be positive")
    if args.page and not args.native:
        parser.error("--page needs --native")
    return args


def wanted(args):
    """The rows of games.tsv to run; those without a script are named and left out."""
    rows = read_games()
    if args.games == "references":
        rows = [row for row in rows if row["plays_it"]]
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


# ---- Tables ---------------------------------------------------------------------------------------

HEADING = (f"{'game':<23}{'':<10}{'playouts/s':>12}{'ns/ply':>9}  {'of the reference':<22}"
           f"{'quiet':>11}{'goal':>10}{'of it':>7}{'length':>9}{'first':>8}{'second':>8}{'draw':>8}")


def rate(number):
    return f"{number:.0f}" if number >= 1000 else f"{number:.4g}"


def table_row(game, name, pooled, engine=None, plays_it=True):
    ratio = reached = ""
    if engine and plays_it:
        ratio = f"{engine['ratio']['median']:.3f} ({engine['ratio']['least']:.3f}-{engine['ratio']['greatest']:.3f})"
    if engine:
        reached = f"{rate(engine['scaled']['median']):>11}"
        if "goal" in engine:
            reached += f"{rate(engine['goal']):>10}{engine['reached']:>7.2f}"
    return (f"{game:<23}{name:<10}{pooled['playouts_per_second']:>12.0f}{pooled['ns_per_ply']:>9.1f}  "
            f"{ratio:<22}{reached:<28}{pooled['length']:>9.2f}{pooled['first']:>8.4f}"
            f"{pooled['second']:>8.4f}{pooled['draw']:>8.4f}")


def table_rows(report):
    lines = []
    if report["plays_it"]:
        lines.append(table_row(report["game"], "reference", report["reference_pooled"]))
    for name, engine in report["engines"].items():
        game = "" if lines else report["game"]
        lines.append(table_row(game, name, engine["pooled"], engine, report["plays_it"]))
    indent = " " * 23
    notes = [f"the machine at {report['speed']['median']:.2f} of its quiet speed"]
    if not report["plays_it"] and report["engines"]["ferz"]["pooled"]["stopped"]:
        ferz = report["engines"]["ferz"]["pooled"]
        notes.append(f"{100 * ferz['stopped'] / ferz['playouts']:.2g} % stopped by limit")
    if report["peers"]:
        ours = report["engines"]["ferz"]["scaled"]["median"]
        notes.append("times as fast as others: "
                     + ", ".join(f"{name} {ours / peer:.2g}" for name, peer in report["peers"].items()))
    lines.append(indent + "; ".join(notes))
    for item in report["disagreements"]:
        lines.append(f"{indent}DIFFERS: {item['figure']} by {item['difference']:+.4g}"
                     f" ({item['standard_errors']:+.1f} standard errors)")
    return "\n".join(lines)


def summary(reports):
    lines = [""]
    for kind in reports[0]["engines"]:
        engines = [report["engines"][kind] for report in reports]
        ratios = [engine["ratio"]["median"] for engine, report in zip(engines, reports) if report["plays_it"]]
        reached = [engine["reached"] for engine in engines if "reached" in engine]
        text = f"{kind}:"
        if ratios:
            text += f" geometric mean of the ratios to references {statistics.geometric_mean(ratios):.3f};"
        if reached:
            text += (f" of the goals {statistics.geometric_mean(reached):.2f},"
                     f" {sum(one >= 1 for one in reached)} of {len(reached)} reached")
        lines.append(text.rstrip(";"))
    return "\n".join(lines)


def page_table(reports):
    """Rows for docs/performance.md: what was measured, and the rate that it would be on a quiet machine."""
    lines = ["| game | loop, share of the reference | native | loop, playouts/s quiet | of the goal | native | of the goal |",
             "| --- | --- | --- | --- | --- | --- | --- |"]
    for report in reports:
        cells = [report["game"]]
        for engine in report["engines"].values():
            cells.append(f"{engine['ratio']['median']:.3f}" if report["plays_it"] else "")
        for engine in report["engines"].values():
            cells += [f"{float(rate(engine['scaled']['median'])):,.0f}",
                      f"{engine['reached']:.2f}" if "reached" in engine else ""]
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
