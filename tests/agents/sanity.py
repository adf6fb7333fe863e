#!/usr/bin/env python3
"""Does more thinking win? For every shipped game of two players without heavy chance:

    MCTS with 1000 iterations scores at least 95 % against random moves;
    MCTS with 4000 iterations is stronger than MCTS with 500.

    ./dev soak --agents [--games N] [--seconds S] [--threads T] [--match K] [--again] [--retry]
                        [--write] [FILTER...]

Each match has at most N games (20) and S seconds (60), as many games as that gives. A match
contradicts what it should show if the 95 % interval of its score lies below. Results are kept in
build/agents.json, so a run that was stopped goes on where it was; --again begins anew, --retry
plays the matches again in which no game was finished. --match 1 or 2 plays only the first or the
second match of each game. --write puts the table of all results into
docs/agents.md. Exit status 1 if a match contradicts."""
import argparse
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/agents.md"
BEGIN, END = "<!-- sanity -->\n", "<!-- /sanity -->\n"
MATCHES = (("mcts:1000", "random", 0.95), ("mcts:4000", "mcts:500", 0.5))
# Games in which skill decides little, or in which these agents cannot show it.
EXCLUDED = {
    "cards": "the deal decides", "dice": "the dice decide",
    "race/backgammon": "the dice decide", "race/ludo": "the dice decide",
    "race/snakes-and-ladders": "the dice decide",
    "hidden/rock-paper-scissors": "every choice is as good against random moves",
    "hidden/battleship": "what is hidden decides",
}


def excluded(name):
    return any(name == key or name.startswith(key + "/") for key in EXCLUDED)


def games(ferz, filters):
    for path in sorted((ROOT / "games").rglob("*.game")):
        name = str(path.relative_to(ROOT / "games").with_suffix(""))
        if excluded(name) or (filters and not any(f in name for f in filters)):
            continue
        info = subprocess.run([*ferz, "info", str(path), "--format", "json"], check=False,
                              capture_output=True, text=True)
        if info.returncode == 0 and len(json.loads(info.stdout)["players"]) == 2:
            yield name, path


def play(ferz, path, agents, arguments):
    """What a match gives that is interrupted after so many seconds; None: it failed."""
    command = [*ferz, "match", str(path), "--agents", ",".join(agents), "-n", str(arguments.games),
               "-t", str(arguments.threads), "--format", "json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True) as process:
        try:
            out, error = process.communicate(timeout=arguments.seconds)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)
            try:
                out, error = process.communicate(timeout=60)
            except subprocess.TimeoutExpired:
                process.kill()
                out, error = process.communicate()
    if process.returncode < 0:   # it did not even begin
        return {"games": 0}
    if process.returncode != 0:
        print(f"{path}: {error.strip()}", file=sys.stderr)
        return None
    pairing = json.loads(out)["rulesets"][0]["pairings"][0]
    return {"games": pairing["games"], "score": pairing["score"], "elo": pairing["elo"]}


def verdict(result, wanted):
    low, high = result["score"]["interval"]
    if high < wanted:
        return "**contradicts**"
    return "shown" if low >= wanted else ""


def cell(result, wanted):
    if not result or result["games"] == 0:
        return "no game was finished"
    low, high = result["score"]["interval"]
    word = verdict(result, wanted)
    return (f"{100 * result['score']['value']:.0f} % ({100 * low:.0f} to {100 * high:.0f}), "
            f"{result['games']} games" + (f", {word}" if word else ""))


def table(results):
    titles = [f"{one} against {other}" for one, other, _ in MATCHES]
    lines = ["| game | " + " | ".join(titles) + " |", "| --- | --- | --- |"]
    for name, row in sorted(results.items()):
        if not any(result and result["games"] for result in row.values()):
            continue
        cells = [cell(row[title], wanted) if title in row else "not played"
                 for title, (_, _, wanted) in zip(titles, MATCHES)]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def write(results):
    page = PAGE.read_text(encoding="utf-8")
    pattern = re.compile(re.escape(BEGIN) + ".*?" + re.escape(END), re.DOTALL)
    PAGE.write_text(pattern.sub(lambda _: BEGIN + "\n" + table(results) + "\n" + END, page),
                    encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ferz", default=str(ROOT / "build/ferz"))
    parser.add_argument("--results", type=Path, default=ROOT / "build/agents.json")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--match", type=int, choices=(1, 2))
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--retry", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("filters", nargs="*")
    arguments = parser.parse_args()
    ferz = [arguments.ferz]
    results = {}
    if arguments.results.exists() and not arguments.again:
        results = json.loads(arguments.results.read_text(encoding="utf-8"))
    wrong = 0
    for name, path in games(ferz, arguments.filters):
        row = results.setdefault(name, {})
        for number, (one, other, wanted) in enumerate(MATCHES, 1):
            if arguments.match not in (None, number):
                continue
            title = f"{one} against {other}"
            known = row.get(title)
            if title not in row or (arguments.retry and not (known and known["games"])):
                row[title] = play(ferz, path, (one, other), arguments)
                temporary = arguments.results.with_suffix(".new")
                temporary.write_text(json.dumps(results, indent=1), encoding="utf-8")
                os.replace(temporary, arguments.results)
            print(f"{name}: {title}: {cell(row[title], wanted)}", flush=True)
            wrong += row[title] is None or "contradicts" in cell(row[title], wanted)
    if arguments.write:
        write(results)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
