#!/usr/bin/env python3
"""Lists what no independent fact shows of the shipped games: results, captures and options.

    shown.py [--ferz FERZ] [--max-nodes N] [--jobs N] [-v] [GAME...]

Runs what the test suite `facts` would run, with `ferz coverage` in the place of `ferz perft`,
`moves`, `show`, `playout` and `measure`: a rule is shown if it ran, or if its moves were there, in
something that is compared with another program or author. A perft does not make its last moves, so
a win at its last ply is not shown by it. An option is shown if some fact sets it to another value
than its default.

Each entry is a line of two columns, the game and what is not shown:

    classic/tic-tac-toe    draw;
    classic/hex            option Swap

explained.tsv has the columns game, what, why, separated by tabs: reasons that hold for good. What
it lists and a fact shows is an error. The last line counts; the exit status is 1 if an entry has no
reason. GAMEs are names such as classic/hex; counts above --max-nodes (100000) are left out, as they
take long and show little more.
"""
import argparse
import concurrent.futures
import csv
import os
import re
import sys
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from runner import facts                                                # noqa: E402
from runner.common import ROOT, Context, Failure, settings              # noqa: E402

GAMES = ROOT / "games"
# Results, captures, and what else is there to be seen only when it comes about.
KIND = re.compile(r"(?:win|lose|draw|rank|out|remove|become|payoff)\b|capture to\b")
TAKES_NO_COUNT = {"moves": ["--perft", "1"], "show": ["--perft", "1"]}
BASE = re.compile(r'^variant "[^"]*" of "([^"]*)"', re.MULTILINE)


class Recorder(Context):
    """Runs the commands of facts as coverage, and keeps what ran."""

    def __init__(self, args):
        super().__init__(args)
        self.ran, self.every, self.set_to = set(), {}, set()

    def data(self, *arguments, cwd=ROOT):
        command, game, *words = map(str, arguments)
        self.note(command, game, words)
        return super().data(*arguments, cwd=cwd)

    def note(self, command, game, words):
        self.set_to.update(word for flag, word in zip(words, words[1:]) if flag == "-o")
        if command == "perft":
            words = ["--perft", words[0], *words[1:]]
        words = [word for word in words + TAKES_NO_COUNT.get(command, []) if word != "--for"]
        output = self.run("coverage", game, *words, "--format", "csv")
        if output.code:
            raise Failure(f"coverage {game} {words}: {output.describe()}")
        for row in csv.DictReader(output.out.splitlines()):
            place = (row["file"], row["line"], row["column"])
            self.every[place] = row["rule"]
            if int(row["ran"]) or int(row["offered"] or 0):
                self.ran.add(place)


def versions(game):
    """The game, and the variants of tests/facts/games that give it another program's rules."""
    yield game
    for path in sorted((facts.FOLDER / "games").glob("*.game")):
        base = BASE.search(path.read_text(encoding="utf-8"))
        if base and base[1] == game:
            yield path.name


def unshown(args, name):
    """The entries of a game, and what went wrong."""
    game = f"{name}.game"
    wrong = []
    with Recorder(settings(build=None, max_nodes=args.max_nodes)) as context:
        for version in versions(game):
            for job in facts.jobs(context, version):
                try:
                    wrong += [result.name for result in job.run(context) if result.failed]
                except Failure as failed:
                    wrong.append(str(failed))
        shown = frozenset(context.ran)
        context.note("playout", str(GAMES / game), ["--count", "1", "--threads", "1"])
        rules = Counter(context.every[place] for place in context.every.keys() - shown
                        if place[0] == str(GAMES / game) and KIND.match(context.every[place]))
        info = Context.data(context, "info", GAMES / game)
    entries = [f"{rule} ({count} places)" if count > 1 else rule
               for rule, count in sorted(rules.items())]
    named = {setting.partition("=")[0] for setting in context.set_to}
    entries += [f"option {option['name']}" for option in info["options"]
                if option["name"] not in named and own(GAMES / game, option["name"])]
    return name, entries, wrong


def own(path, option):
    """Whether the script itself, not its base, declares the option."""
    return re.search(rf"^\s*option {option}\b", path.read_text(encoding="utf-8"), re.MULTILINE)


def reasons():
    for line in (HERE / "explained.tsv").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            game, what, _ = line.split("\t")
            yield game, what


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ferz", default=str(ROOT / "build/ferz"))
    parser.add_argument("--max-nodes", type=int, default=100_000, metavar="N")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N")
    parser.add_argument("-v", action="store_true", help="print what has a reason, too")
    parser.add_argument("games", nargs="*", metavar="GAME")
    args = parser.parse_args()
    os.environ["FERZ"] = args.ferz
    names = args.games or sorted(str(path.relative_to(GAMES).with_suffix(""))
                                 for path in GAMES.rglob("*.game"))
    explained, missing, wrong = set(reasons()), 0, 0
    with concurrent.futures.ProcessPoolExecutor(args.jobs) as pool:
        for name, entries, faults in pool.map(unshown, [args] * len(names), names):
            for entry in entries:
                has_reason = (name, entry) in explained
                missing += not has_reason
                if args.v or not has_reason:
                    print(f"{name}\t{entry}" + ("\thas a reason" if has_reason else ""))
            stale = [what for game, what in explained if game == name and what not in entries]
            faults += [f"explained.tsv: {what}: a fact shows it" for what in stale]
            wrong += len(faults)
            print("".join(f"{name}: {fault}\n" for fault in faults), end="", flush=True)
    print(f"{missing} without a reason, {wrong} faults")
    sys.exit(1 if missing or wrong else 0)


if __name__ == "__main__":
    main()
