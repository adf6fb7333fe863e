#!/usr/bin/env python3
"""Lists what no independent fact shows of the shipped games: results, captures and options.

    shown.py [--ferz FERZ] [--max-nodes N] [--jobs N] [-v] [GAME...]

Runs what the test suite `facts` would run, with `ferz coverage` in the place of `ferz perft`,
`moves`, `show`, `playout` and `measure`: a rule is shown if it ran, or if its moves were there, in
something that is compared with another program or author. A perft does not make its last moves, so
a win at its last ply is not shown by it. An option is shown if some fact sets it to another value
than its default.

Each entry is a line: the game, what is not shown, and where it stands.

    chess/chess    draw;          line 163, 164
    classic/hex    option Swap    line 14

explained.tsv has the columns game, what, why, separated by tabs: reasons that hold for good, for
all lines of that text. What it lists and facts show is an error. The last line counts; the exit
status is 1 if an entry has no reason. GAMEs are names such as classic/hex; counts above --max-nodes
(100000) are left out, as they take long and show little more.
"""
import argparse
import concurrent.futures
import csv
import os
import re
import sys
from collections import defaultdict
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from runner import facts                                                # noqa: E402
from runner.common import ROOT, Context, Failure, settings              # noqa: E402

GAMES = ROOT / "games"
# Results, captures, and what else is there to be seen only when it comes about.
KIND = re.compile(r"(?:win|lose|draw|rank|out|remove|become|payoff)\b|capture to\b")
MOVES = ["--perft", "1", "--decisions"]
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
        words = covering(command, words)
        output = self.run("coverage", game, *words, "--format", "csv")
        if output.code and words[-len(MOVES):] == MOVES:    # what follows takes too long
            words = words[:-len(MOVES)] + ["--count", "0"]
            output = self.run("coverage", game, *words, "--format", "csv")
        if output.code:
            raise Failure(f"coverage {game} {words}: {output.describe()}")
        for row in csv.DictReader(output.out.splitlines()):
            place = (row["file"], int(row["line"]), row["column"])
            self.every[place] = row["rule"]
            if int(row["ran"]) or int(row["offered"] or 0):
                self.ran.add(place)


def asked(context, command, game, *words):
    """As facts.asked, but of the script: a program that was compiled before has its options in it,
    and one instruction for several rules."""
    script, *include = facts.game_words(context, game)
    return context.data(command, script, *include, *words)


def covering(command, words):
    """The words for `ferz coverage` of what another command looks at."""
    if command == "perft":
        at = 2 if words[0] == "--include" else 0
        return [*words[:at], "--perft", *words[at:]]
    if command == "outcomes":           # of a move, or of the position; chance is not narrowed here
        while "--given" in words:
            at = words.index("--given")
            words = words[:at] + words[at + 2:]
        if words and not words[0].startswith("-"):
            words = ["--play", *words] if words[0] != "--include" else words
        elif words[:1] == ["--include"] and len(words) > 2 and words[2][0] != "-":
            words = [*words[:2], "--play", *words[2:]]
    return words + (MOVES if command in ("moves", "show", "outcomes") else [])


def versions(game):
    """The game, and the variants of tests/facts/games that give it another program's rules."""
    yield game
    for path in sorted((facts.FOLDER / "games").glob("*.game")):
        base = BASE.search(path.read_text(encoding="utf-8"))
        if base and base[1] == game:
            yield path.name


def unshown(args, name):
    """The entries of a game, and what went wrong."""
    facts.asked = asked
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
        rules = defaultdict(list)
        for place in sorted(context.every.keys() - shown):
            if place[0] == str(GAMES / game) and KIND.match(context.every[place]):
                rules[context.every[place]].append(place[1])
        info = Context.data(context, "info", GAMES / game)
    named = {setting.partition("=")[0] for setting in context.set_to}
    for option in info["options"]:
        line = declared(GAMES / game, option["name"])
        if line and option["name"] not in named:
            rules[f"option {option['name']}"].append(line)
    return name, rules, wrong


def declared(path, option):
    """The line where the script itself, not its base, declares the option; 0: nowhere."""
    source = path.read_text(encoding="utf-8")
    found = re.search(rf"^\s*option {option}\b", source, re.MULTILINE)
    return source.count("\n", 0, found.end()) + 1 if found else 0


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
            for entry, lines in sorted(entries.items()):
                has_reason = (name, entry) in explained
                missing += not has_reason
                if args.v or not has_reason:
                    print(f"{name}\t{entry}\tline {', '.join(map(str, lines))}"
                          + (", has a reason" if has_reason else ""))
            stale = [what for game, what in explained if game == name and what not in entries]
            faults += [f"explained.tsv: {what}: a fact shows it" for what in stale]
            wrong += len(faults)
            print("".join(f"{name}: {fault}\n" for fault in faults), end="", flush=True)
    print(f"{missing} without a reason, {wrong} faults")
    sys.exit(1 if missing or wrong else 0)


if __name__ == "__main__":
    main()
