#!/usr/bin/env python3
"""Writes docs/games.md, the table of the shipped games, and games/index.tsv, in which `ferz games`
and names of games are looked up.

    docs/games.py --ferz COMMAND           writes the page with this ferz
    docs/games.py --ferz COMMAND --check   changes nothing; says what differs, what a script's
                                           `info` lacks and which reason in docs/lengths.tsv is
                                           missing; exit status 1 if there is anything
    docs/games.py --ferz COMMAND --speed   first measures how fast each game is played that has no
                                           row in docs/speeds.tsv; on a quiet machine; all games
                                           take 15 minutes

The pictures are those of docs/pictures.py, the lengths of other systems' scripts those of
docs/lengths.tsv. `ferz info` says players, board, chance and hidden information. Everything else
stands in the scripts: sources, how far to trust them (docs/provenance.py), values that a variant
sets, rulings (T-12, MC-3 ...) in `///` comments and in the titles of tests, lines and tokens.
"""
import json
import os
import re
import statistics
import subprocess
from collections import Counter, namedtuple
from concurrent.futures import ThreadPoolExecutor

from common import ROOT, finish, options, read, row, run

GAMES = ROOT / "games"
SPEED = "docs/speeds.tsv"
LENGTHS = "docs/lengths.tsv"
BASE = GAMES / "chess/chess.game"
NEEDED = ("source", "year", "licence")
KINDS = {
    "cards": "card games", "chess": "chess and its variants", "classic": "abstract games",
    "dice": "dice games", "draughts": "draughts, checkers", "go": "go and its relatives",
    "hidden": "hidden information", "hunt": "hunt games", "icehouse": "pyramid games",
    "lines": "rows of pieces", "puzzles": "puzzles, solitaire", "race": "race games",
    "shogi": "shogi and its variants", "sow": "mancala, sowing games",
    "stacks": "stacking games", "tafl": "tafl, viking chess", "war": "war games",
    "xiangqi": "xiangqi and its variants",
}
ROUNDS, SECONDS = 3, 0.05

HEADER = re.compile(r'^(?:game|variant) "([^"]*)"(?: of ("[^"]*"(?:, "[^"]*")*))?;', re.MULTILINE)
OPTION = re.compile(r"^\s*option (\w+)", re.MULTILINE)
CHOSEN = re.compile(r"^set (\w+) = (\w+);", re.MULTILINE)
REMOVED = re.compile(r"^remove ([\w, ]+);", re.MULTILINE)
COMMENT = re.compile(r"^\s*///(.*)$", re.MULTILINE)
RULE = re.compile(r"(?:^\s*///.*\n)+(?!test )", re.MULTILINE)
TEST = re.compile(r'^test "((?:[^"\\]|\\.)*)"', re.MULTILINE)
RULING = re.compile(r"\b([A-Z]{1,3})-(\d+)(?: to \1-(\d+))?\b")

SPACE = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\n]*|/\*.*?\*/', re.DOTALL)
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|\w+|=>|==|!=|<=|>=|\.\.|\+=|-=|->|[^\s\w]')
NO_RULES = ("info", "test", "view", "option")

Length = namedtuple("Length", "script system name tokens why")

HEAD = """# The games that come with Ferz

This page lists the shipped games: their sources, options, sizes and tests. Type `ferz info FILE`
for the options and their values, `ferz rules FILE` for the rules in English, `ferz play FILE` to
play. `docs/games.py` generates the page.

Every rule in a script cites its place in the source. A picture shows the beginning, or a position
after some random moves if the board is empty at first; [`ferz show --svg`](commands.md#pictures)
draws any position.

- *from*: the year of the game or of these rules. `info` of the script also states the licence.
- *options*: of the script. A variant also has those of its base, with the values that it sets.
- *players*: how many. *Chance*: a rule rolls dice or draws. *Hidden*: some player does not see
  everything.
- *board*: its shape and the number of sites.
- *rules*, if the source numbers its rulings: how many of them comments cite, and how many appear in
  the title of a test. Otherwise: how many comments cite the source. A variant counts only its own
  text.
- *lines*, *tokens*: the length of the script, without blank lines, comments, `info`, `view`, tests
  and declarations of options. A word, a number, a text, an operator and a bracket is a token each.
  A variant counts only its own text, and libraries do not count.
- *others*: the tokens of the same game's script in Ludii and in RBG, and Ferz's tokens divided by
  them: below 1, Ferz's script is shorter. See [below](#lengths-of-other-systems-scripts).
- *tests*: how many tests `ferz test` runs, inherited ones included.
- *trust*: results of other programs and authors that the test suite `facts` compares with Ferz:
  numbers of move sequences (perft) from the start, other positions with their legal moves or
  numbers, lengths and wins or the use of lines in random play, and values under best play. "With
  its rules": in a variant that has the other program's rules. *Left out*: what the script omits of
  its sources. *Not verified*: what was compared with nothing or rests on one source. *Our own*:
  what no source says.
- *speed*: playouts a second, divided by those of chess. 2 means twice as many playouts as chess in
  the same time. It is the median of three runs, each next to a run of chess, on one core of a busy
  machine. The figures are rough: when 12 games were measured again, 4 figures changed by a factor
  of 1.8 or more, one of them by 5. `-` means not measured.
"""

COLUMNS = """\
| | game | source | from | options | players | board | rules | lines | tokens | others | tests \
| trust | speed |
| --- | --- | --- | --- | --- | --- | --- | --- | --: | --: | --- | --: | --- | --: |"""

OTHERS = """## Lengths of other systems' scripts

The rules of the scripts sometimes differ, for example in the options or in an end by repetition.

- *Ferz*: the rules for every value of an option count. A variant changes another script, and only
  the changes count, so a small ratio of a variant says little.
- *Ludii*: the `game` and the `define` forms of its script, with the default values of its options
  in their places. `option`, `ruleset` and `metadata` do not count, nor does its library of
  definitions. Scripts of October 2020.
- *RBG*: the whole script. Scripts of December 2019.

{summary}

| longer in Ferz | than | why |
| --- | --- | --- |
"""


class Script:
    def __init__(self, path):
        self.path, self.name = path, str(path.relative_to(GAMES))
        source = path.read_text(encoding="utf-8")
        bases = HEADER.search(source)[2]
        names = re.findall(r'"([^"]*)"', bases or "")
        self.bases = [(path.parent / name).resolve() for name in names]
        self.options = OPTION.findall(source)
        self.chosen = CHOSEN.findall(source)
        self.removed = ", ".join(REMOVED.findall(source)).split(", ")
        self.lines, self.tokens = size(source)
        self.rules = len(RULE.findall(source))
        self.cited = rulings(" ".join(COMMENT.findall(source)))
        self.tested = rulings(" ".join(TEST.findall(source)))
        self.data, self.info = {}, {}

    def ask(self, ferz):
        self.data = json.loads(run(ferz, "info", "--format", "json", self.path))
        self.info = self.data["info"]

    def lacking(self):
        return [key for key in NEEDED if key not in self.info]


def rulings(text):
    """The numbers in a text; `T-10 to T-16` is seven of them."""
    found = set()
    for letters, first, last in RULING.findall(text):
        found.update((letters, number) for number in range(int(first), int(last or first) + 1))
    return found


# ---- lengths ----

def size(source):
    rules = rule_part(source)
    return sum(1 for line in rules.splitlines() if line.strip()), len(TOKEN.findall(rules))


def rule_part(text):
    """The rules, without comments and the items that are no rules."""
    text = SPACE.sub(lambda match: match[0] if match[0][0] == '"' else " ", text)
    kept, depth, start, skipping, skipped, end = [], 0, True, False, False, 0
    for match in TOKEN.finditer(text):
        token = match[0]
        if depth == 0 and start and (token in NO_RULES or skipped and token == "="):
            skipping = True
        if not skipping:
            kept.append(text[end:match.end()])
        depth += (token == "{") - (token == "}")
        start = depth == 0 and token in (";", "}")
        skipped = skipping                   # `option X { A, B } = A;` goes on after its brace
        skipping = skipping and not start
        end = match.end()
    return "".join(kept)


def lengths():
    for line in read(LENGTHS).splitlines():
        if line and not line.startswith("#"):
            script, system, name, tokens, why = line.split("\t")
            yield Length(f"{script}.game", system, name, int(tokens), why)


def share(scripts, some):
    fewer = sum(scripts[other.script].tokens < other.tokens for other in some)
    return f"{fewer} of {len(some)} ({100 * fewer / len(some):.0f} %)"


def others(scripts, known):
    """The section about other systems."""
    ludii = [other for other in known if other.system == "Ludii"]
    whole = [other for other in ludii if not scripts[other.script].bases]
    rbg = [other for other in known if other.system == "RBG"]
    summary = (f"Ferz's script is shorter than Ludii's for {share(scripts, ludii)} games, or "
               f"{share(scripts, whole)} without\n"
               f"variants. It is shorter than RBG's for {share(scripts, rbg)} games.")
    rows = [row([scripts[other.script].data["title"], other.system, other.why])
            for other in known if other.why]
    return OTHERS.format(summary=summary) + "\n".join(rows)


def unexplained(scripts, known):
    for other in known:
        tokens = scripts[other.script].tokens
        if (tokens >= other.tokens) != bool(other.why):
            yield (f"{LENGTHS}: {other.script}, {other.system}: {tokens} tokens beside "
                   f"{other.tokens}: " + ("the reason is out of date" if other.why else "say why"))


# ---- speed ----

def playouts(ferz, path, count):
    """Seconds of processor time of so many playouts; other work changes them less."""
    arguments = ["playout", str(path), "-n", str(count), "--threads", "1", "--format", "json"]
    process = subprocess.Popen([*ferz, *arguments], stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, process.args)
    return usage.ru_utime + usage.ru_stime


def difference(ferz, path, count):
    """Seconds of so many playouts, without the start of the command."""
    return playouts(ferz, path, count + 1) - playouts(ferz, path, 1)


def a_second(ferz, path, count):
    """Playouts a second. Measures again if other work on the machine hid the difference."""
    while True:
        seconds = difference(ferz, path, count)
        if seconds > SECONDS / 4:
            return count / seconds


def enough(ferz, path):
    """So many playouts that they take a while, twice: one long time may be other work."""
    count = 1
    while any(difference(ferz, path, count) < SECONDS for _ in range(2)):
        count *= 2
    return count


def measure(ferz, scripts):
    """Writes a row at a time, so that a stopped run can continue."""
    known, often = speeds(), enough(ferz, BASE)
    for name, script in scripts.items():
        if name in known:
            continue
        count = enough(ferz, script.path)
        ratios = [a_second(ferz, script.path, count) / a_second(ferz, BASE, often)
                  for _ in range(ROUNDS)]
        with (ROOT / SPEED).open("a", encoding="utf-8") as file:
            file.write(f"{name}\t{statistics.median(ratios):.3g}\t{min(ratios):.3g}\t"
                       f"{max(ratios):.3g}\n")


def speeds():
    """The median of each game, as written."""
    lines = (line.split("\t") for line in read(SPEED).splitlines() if not line.startswith("#"))
    return {line[0]: line[1] for line in lines}


# ---- the page ----

def option_cell(script, scripts):
    words = [f"{name}={value}" for name, value in script.chosen] + script.options
    bases = [scripts[str(base.relative_to(GAMES))] for base in script.bases]
    words += [f"no {name}" for name in script.removed
              if any(name in base.options for base in bases)]
    if bases:
        words.append("those of " + " and ".join(base.data["title"] for base in bases))
    return ", ".join(words) or "-"


def player_cell(data):
    words = [str(len(data["players"]))] + [word for word in ("chance", "hidden") if data[word]]
    return ", ".join(words)


def board_cell(board):
    if board["shape"] == "none":
        return "none"
    return f"{board['shape'].replace('_', ' ')} {board['sites']}"


def rule_cell(script):
    every = rulings(script.info.get("rulings", ""))
    if not every:
        return f"{script.rules} cited" if script.rules else "-"
    return (f"{len(script.cited & every)} cited, {len(script.tested & every)} in tests, "
            f"of {len(every)}")


def trust_cell(info):
    words = {"agrees": "", "omits": "*Left out*: ", "unverified": "*Not verified*: ",
             "own": "*Our own*: "}
    return "<br>".join(word + info[key] for key, word in words.items() if key in info) or "-"


def other_cell(script, known):
    return ", ".join(f"{other.system} {other.tokens} ({script.tokens / other.tokens:.2f})"
                     for other in known if other.script == script.name) or "-"


def page(scripts, known):
    pictures = dict(line.split("\t") for line in read("docs/pictures/index.tsv").splitlines())
    speed, lines = speeds(), [HEAD]
    for folder in sorted({script.path.parent for script in scripts.values()}):
        here = sorted((script for script in scripts.values() if script.path.parent == folder),
                      key=lambda script: script.data["title"])
        lines += [f"## {folder.relative_to(ROOT)}", "", COLUMNS]
        for script in here:
            picture = pictures.get(f"games/{script.name}")
            lines.append(row([
                f'<img src="pictures/{picture}" alt="" height="120">' if picture else "",
                f"[{script.data['title']}](../games/{script.name})",
                script.info.get("source", "-"), script.info.get("year", "-"),
                option_cell(script, scripts), player_cell(script.data),
                board_cell(script.data["board"]), rule_cell(script), str(script.lines),
                str(script.tokens), other_cell(script, known),
                str(script.data["counts"]["tests"]), trust_cell(script.info),
                speed.get(script.name, "-")]))
        lines.append("")
    return "\n".join([*lines, others(scripts, known), ""])


def index(scripts):
    """A line for each game: name, title, other names, kind, players, board."""
    return "".join("\t".join([name.removesuffix(".game"), script.data["title"],
                              script.info.get("names", ""), KINDS[name.partition("/")[0]],
                              player_cell(script.data), board_cell(script.data["board"])]) + "\n"
                   for name, script in scripts.items())


def twice(scripts):
    """Complaints about games of the same name."""
    stems = Counter(script.path.stem for script in scripts.values())
    return [f"games: {stem}.game is there {count} times" for stem, count in stems.items()
            if count > 1]


def main():
    parser = options(__doc__, ferz=True)
    parser.add_argument("--speed", action="store_true")
    args = parser.parse_args()
    scripts = {str(path.relative_to(GAMES)): Script(path)
               for path in sorted(GAMES.rglob("*.game"))}
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda script: script.ask(args.ferz), scripts.values()))
    if args.speed:
        measure(args.ferz, scripts)
    known = sorted(lengths())
    wrong = [f"games/{name}: info lacks {', '.join(script.lacking())}"
             for name, script in scripts.items() if script.lacking()]
    finish({"docs/games.md": page(scripts, known), "games/index.tsv": index(scripts)}, args.check,
           wrong + twice(scripts) + list(unexplained(scripts, known)))


if __name__ == "__main__":
    main()
