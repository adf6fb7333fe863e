#!/usr/bin/env python3
"""Does more thinking win? For every shipped game of two players without heavy chance:

    MCTS with 1000 iterations scores at least 95 % against random moves;
    MCTS with 4000 iterations is stronger than MCTS with 500.

    ./dev soak --agents [--games N] [--budget S] [--minutes M | --until HH:MM] [--match K]
                        [--again | --keep] [--write] [FILTER...]

Each match has N games (80). They are played in slices of 4, 8, 16, ... seconds of processor time: a
round gives each unfinished match one slice, beginning with the fastest games of
docs/speeds.tsv. So cheap games are complete first, and the others get what is left. A
match has S seconds in all (600). The second match of a game waits for the first. --minutes or
--until bounds the whole run by the clock.

build/agents.json has the results after each slice, so a run that was stopped goes on where it was.
It goes on only with the same ferz; --keep adds games of another one, --again begins anew. --write
plays nothing: it puts the table of all results into docs/agents.md. Exit status 1 if a match
contradicts what it should show: if the whole 95 % interval of its score lies below."""
import argparse
import datetime
import hashlib
import json
import math
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/agents.md"
SPEEDS = ROOT / "docs/speeds.tsv"
BEGIN, END = "<!-- sanity -->\n", "<!-- /sanity -->\n"
MATCHES = (("mcts:1000", "random", 0.95), ("mcts:4000", "mcts:500", 0.5))
TITLES = [f"{one} against {other}" for one, other, _ in MATCHES]
# Games in which skill decides little, or in which these agents cannot show it.
EXCLUDED = {
    "cards": "the deal decides", "dice": "the dice decide",
    "race/backgammon": "the dice decide", "race/ludo": "the dice decide",
    "race/snakes-and-ladders": "the dice decide",
    "hidden/rock-paper-scissors": "every choice is as good against random moves",
    "hidden/battleship": "what is hidden decides",
}
FIRST_SLICE = 4
NORMAL_95 = 1.959963984540054


def excluded(name):
    return any(name == key or name.startswith(key + "/") for key in EXCLUDED)


def games(filters):
    """The fastest first."""
    rows = [line.split("\t") for line in SPEEDS.read_text(encoding="utf-8").splitlines()
            if not line.startswith("#")]
    rates = {row[0].removesuffix(".game"): float(row[1]) for row in rows}
    names = [str(path.relative_to(ROOT / "games").with_suffix(""))
             for path in sorted((ROOT / "games").rglob("*.game"))]
    for name in sorted(names, key=lambda name: -rates.get(name, 0)):
        if not excluded(name) and (not filters or any(f in name for f in filters)):
            yield name


def players(ferz, name):
    """0: it does not compile."""
    info = subprocess.run([ferz, "info", str(ROOT / f"games/{name}.game"), "--format", "json"],
                          check=False, capture_output=True, text=True)
    return len(json.loads(info.stdout)["players"]) if info.returncode == 0 else 0


# ---- statistics ----

def interval(pairs):
    """The mean score and its 95 % interval, as `ferz match` computes them (rating.h)."""
    count = sum(pairs)
    mean = sum(k * n for k, n in enumerate(pairs)) / 4 / count
    squares = sum(k * k * n for k, n in enumerate(pairs)) / 16
    variance = max(0.0, squares - count * mean * mean) / (count - 1) if count > 1 else 0.0
    n = mean * (1 - mean) * count / variance if variance > 1e-12 else 2 * count
    z = NORMAL_95
    centre = (mean + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(mean * (1 - mean) / n + z * z / (4 * n * n))
    return mean, centre - half if mean > 0 else 0.0, centre + half if mean < 1 else 1.0


def games_of(row):
    return 2 * sum(row["pairs"])


def verdict(row, wanted):
    if not games_of(row):
        return ""
    _, low, high = interval(row["pairs"])
    return "**contradicts**" if high < wanted else "shown" if low >= wanted else ""


# ---- playing ----

def processor_time(pid):
    """Seconds, of a process that runs; None: it has ended, or the system does not say."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def watch(process, seconds, end):
    """Interrupts the process after so much processor time, and at the end of the run."""
    begun, asked = time.monotonic(), None
    while process.poll() is None:
        now = time.monotonic()
        used = processor_time(process.pid)
        if asked is None and ((now - begun if used is None else used) >= seconds or now >= end):
            process.send_signal(signal.SIGINT)
            asked = now
        elif asked is not None and now - asked > 120:
            process.kill()
        time.sleep(0.05)


def match(ferz, name, number, seed, count, seconds, end):
    """What `ferz match` prints for a slice, None if it failed; and the processor time."""
    one, other, _ = MATCHES[number]
    command = [ferz, "match", str(ROOT / f"games/{name}.game"), "--agents", f"{one},{other}",
               "-n", str(count), "-t", "1", "--seed", str(seed), "--format", "json"]
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as error:
        before = os.times()
        with subprocess.Popen(command, stdout=out, stderr=error) as process:
            try:
                watch(process, seconds, end)
            except KeyboardInterrupt:
                process.send_signal(signal.SIGINT)
                raise
        after = os.times()
        used = after.children_user + after.children_system - (before.children_user +
                                                              before.children_system)
        out.seek(0)
        error.seek(0)
        text = out.read()
        if process.returncode == 0 and text:
            return json.loads(text)["rulesets"][0]["pairings"][0], used
        if process.returncode < 0 or process.returncode == 130:  # before it had begun
            return {"games": 0}, used
        print(f"{name}: {error.read().strip()}", file=sys.stderr)
        return None, used


def add(row, pairing):
    """Adds the pairs of a slice, and the results of the first agent by seat. A slice without a pair
    is played again, with more time: other games could be shorter."""
    if not pairing["games"]:
        return
    row["seed"] += 1
    row["stopped"] += pairing["stopped"]
    row["pairs"] = [a + b for a, b in zip(row["pairs"], pairing["pairs"])]
    for seat in pairing["seats"]:
        if seat["agent"] == pairing["agent"]:
            sums = row["seats"].setdefault(seat["as"], [0, 0, 0])
            for i, key in enumerate(("wins", "draws", "losses")):
                sums[i] += seat[key]


def new_row():
    return {"pairs": [0] * 5, "seed": 1, "seconds": 0.0, "stopped": 0, "seats": {},
            "failed": False}


class Run:
    def __init__(self, arguments, names):
        self.arguments, self.names = arguments, names
        self.state = {"ferz": hashlib.sha256(Path(arguments.ferz).read_bytes()).hexdigest(),
                      "results": {}, "players": {}}
        self.end = end_of(arguments)
        if arguments.results.exists() and not arguments.again:
            known = json.loads(arguments.results.read_text(encoding="utf-8"))
            if known.get("ferz") != self.state["ferz"] and not arguments.keep:
                sys.exit(f"{arguments.results} is of another ferz: --keep adds to it, --again "
                         "begins anew")
            self.state["results"] = known["results"]
            self.state["players"] = known.get("players", {})

    def save(self):
        temporary = self.arguments.results.with_suffix(".new")
        temporary.write_text(json.dumps(self.state, indent=1), encoding="utf-8")
        os.replace(temporary, self.arguments.results)

    def two_players(self, name):
        count = self.state["players"]
        if name not in count:
            count[name] = players(self.arguments.ferz, name)
            if count[name] != 2:
                self.state["results"].pop(name, None)
            self.save()
        return count[name] == 2

    def row(self, name, number):
        return self.state["results"].setdefault(name, {}).setdefault(TITLES[number], new_row())

    def complete(self, name, number):
        row = self.row(name, number)
        return (row["failed"] or games_of(row) >= self.arguments.games or
                row["seconds"] >= self.arguments.budget)

    def open_matches(self):
        wanted = self.arguments.match
        for name in self.names:
            if self.state["players"].get(name, 2) != 2:
                continue
            for number in range(len(MATCHES)):
                if wanted not in (None, number + 1) or self.complete(name, number):
                    continue
                if number == 0 or wanted or self.complete(name, 0):
                    yield name, number

    def slice(self, name, number, seconds):
        row = self.row(name, number)
        count = self.arguments.games - games_of(row)
        seconds = min(seconds, self.arguments.budget - row["seconds"] + 0.1)
        pairing, used = match(self.arguments.ferz, name, number, row["seed"], count, seconds,
                              self.end)
        row["seconds"] = round(row["seconds"] + used, 2)
        if pairing is None:
            row["failed"] = True
        else:
            add(row, pairing)
        self.save()
        print(f"{name}: {TITLES[number]}: {cell(row, MATCHES[number][2])}, "
              f"{row['seconds']:.0f} s", flush=True)

    def play(self):
        seconds = FIRST_SLICE
        while True:
            matches = list(self.open_matches())
            if not matches:
                return
            for name, number in matches:
                if time.monotonic() >= self.end:
                    return
                # An earlier run may have given it more.
                if self.two_players(name) and self.row(name, number)["seconds"] < seconds:
                    self.slice(name, number, seconds)
            seconds *= 2


def end_of(arguments):
    """When the run ends, on the monotonic clock."""
    if arguments.until:
        now = datetime.datetime.now()
        at = datetime.datetime.combine(
            now.date(), datetime.datetime.strptime(arguments.until, "%H:%M").time())
        if at <= now:
            at += datetime.timedelta(days=1)
        return time.monotonic() + (at - now).total_seconds()
    return time.monotonic() + 60 * arguments.minutes if arguments.minutes else math.inf


# ---- the table ----

def cell(row, wanted):
    if row["failed"]:
        return "failed"
    if not games_of(row):
        return "no pair of games was finished"
    mean, low, high = interval(row["pairs"])
    word = verdict(row, wanted)
    return (f"{100 * mean:.1f} % ({100 * low:.0f} to {100 * high:.0f}), {games_of(row)} games" +
            (f", {word}" if word else ""))


def table(results):
    lines = ["| game | " + " | ".join(TITLES) + " |", "| --- | --- | --- |"]
    for name, rows in sorted(results.items()):
        if not any(games_of(row) for row in rows.values()):
            continue
        cells = [cell(rows[title], wanted) if title in rows and games_of(rows[title])
                 else "not played" for title, (_, _, wanted) in zip(TITLES, MATCHES)]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def write(results):
    page = PAGE.read_text(encoding="utf-8")
    pattern = re.compile(re.escape(BEGIN) + ".*?" + re.escape(END), re.DOTALL)
    PAGE.write_text(pattern.sub(lambda _: BEGIN + "\n" + table(results) + "\n" + END, page),
                    encoding="utf-8")


def summary(results):
    """Lines that say how many matches there are with each verdict."""
    for title, (_, _, wanted) in zip(TITLES, MATCHES):
        rows = [rows[title] for rows in results.values() if title in rows]
        played = [row for row in rows if games_of(row)]
        words = [verdict(row, wanted) for row in played]
        print(f"{title}: {len(played)} of {len(rows)} matches have games, "
              f"{words.count('shown')} shown, {words.count('**contradicts**')} contradict, "
              f"{sum(row['seconds'] for row in rows):.0f} s of processor time")
        yield "**contradicts**" in words or any(row["failed"] for row in rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ferz", default=str(ROOT / "build/ferz"))
    parser.add_argument("--results", type=Path, default=ROOT / "build/agents.json")
    parser.add_argument("--games", type=int, default=80)
    parser.add_argument("--budget", type=float, default=600)
    parser.add_argument("--minutes", type=float)
    parser.add_argument("--until")
    parser.add_argument("--match", type=int, choices=(1, 2))
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("filters", nargs="*")
    arguments = parser.parse_args()
    if arguments.write:
        write(json.loads(arguments.results.read_text(encoding="utf-8"))["results"])
        return
    for number in (signal.SIGINT, signal.SIGTERM): # a shell may have let the first be ignored
        signal.signal(number, signal.default_int_handler)
    run = Run(arguments, list(games(arguments.filters)))
    try:
        run.play()
    except KeyboardInterrupt:
        print("interrupted; the same command goes on", file=sys.stderr)
    sys.exit(1 if any(list(summary(run.state["results"]))) else 0)


if __name__ == "__main__":
    main()
