"""Pages of `ferz report`: well-formed HTML with pictures, the same bytes with any number of
threads, and nothing of a script that a browser would take for HTML. Shards that hold anything
under a checksum that fits."""
import csv
import hashlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import time
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

from .common import ROOT, Job, Result

VOID = {"meta"}
GAMES = {  # and what their pages must contain
    "games/classic/picaria.game": ["Lines: the width", "Visits: the area", "repetitions + 1 >= 3",
                                   "Prospects:", "Leads:"],
    "games/race/ur.game": ["turns of a game", "The position in which the games begin"],
    "games/classic/nim.game": ["Game 1 half-way, after", "Prospects:"],
    "games/cards/kuhn.game": ["Game 1 half-way, after", ">Jack</text>",
                             "The limit of 1 turn stopped no game."],
    "tests/cli/ends.game": ["<td>limit</td>", "<td>no move</td>", "The limit of 4 turns stopped "],
    "tests/cli/stakes.game": ["payoff", "The mean payoff of each player"],
    "tests/cli/puzzle.game": ["losses", "The rules ended all games."],
    "tests/cli/duel.game": ["hides nothing"],
}
HOSTILE = '''game "A <b> & `c` \\"d";
players X, Y;
/// Sites </pre><script>alert(1)</script> of the board & <img src=x>.
board square(3);
piece Man "<";
option Size: 1..3 = 2 "</td><script>";
turn { choose to in empty "]]> {to} <!--" => { put Man of me at to; } otherwise draw; }
end { if #mine == Size win me; } // <svg onload=alert(1)> ``` ````
'''


DATA = {  # what `--data` writes beside the page of a game
    "games/race/ur.game": {"results", "ends", "decisions", "turns", "measures"},
    "games/classic/tic-tac-toe.game": {"results", "ends", "decisions", "turns", "measures"},
    "tests/cli/stakes.game": {"results", "payoffs", "ends", "decisions", "turns", "measures"},
}
# Programs of statistics read each file without further arguments: numbers are numbers.
READERS = {
    "pandas": (("python3", "/usr/bin/python3"), '''
import pandas, sys
for path in sys.argv[1:]:
    table = pandas.read_csv(path)
    assert len(table) > 0, path
    for column in table.columns.intersection(["games", "share", "value", "low", "high", "mean"]):
        assert table[column].dtype.kind in "if", (path, column, table[column].dtype)
'''),
    "R": (("Rscript",), '''
for (path in commandArgs(TRUE)) {
  table <- read.csv(path)
  stopifnot(nrow(table) > 0)
  for (column in intersect(names(table), c("games", "share", "value", "low", "high", "mean")))
    stopifnot(is.numeric(table[[column]]))
}
'''),
}


def jobs(context):
    for path, words in GAMES.items():
        if (ROOT / path).exists():
            yield Job(f"reports/{path.rsplit('/')[-1]}", one_game, ROOT / path, words)
    yield Job("reports/hostile", hostile)
    yield Job("reports/markdown", markdown)
    for path in DATA:
        yield Job(f"reports/data-{Path(path).stem}", data, path)
    for reader, (program, script) in READERS.items():
        yield Job(f"reports/{reader}", read_by, program, script)
    yield Job("reports/stored", stored)
    yield Job("reports/refused", refused)
    yield Job("reports/interrupted", interrupted)
    yield Job("reports/damaged", damaged)


class Reader(HTMLParser):
    """Checks that elements are nested, and collects what there is."""

    def __init__(self):
        super().__init__()
        self.open, self.wrong, self.count, self.text = [], [], {}, []

    def handle_starttag(self, tag, attrs):
        self.count[tag] = self.count.get(tag, 0) + 1
        if tag not in VOID:
            self.open.append(tag)
        self.wrong += [f"{tag} with {name}" for name, _ in attrs if name.startswith("on")]

    def handle_startendtag(self, tag, attrs):
        self.count[tag] = self.count.get(tag, 0) + 1

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"</{tag}> closes another element")

    def handle_data(self, data):
        self.text.append(data)


def wrong_page(page):
    reader = Reader()
    reader.feed(page)
    reader.close()
    wrong = reader.wrong + [f"<{tag}> is open" for tag in reader.open]
    if reader.count.get("script") or reader.count.get("img") or reader.count.get("link"):
        wrong.append("the page has elements that it must not have")
    names = re.findall(r' id="([^"]*)"', page)
    if len(names) != len(set(names)):
        wrong.append("an id stands twice")
    for name in re.findall(r'(?:href="|url\()#([^")]*)', page):
        if name not in names:
            wrong.append(f"nothing has the id {name}")
            break
    if re.search(r'(src|href)="(?!#)', page):
        wrong.append("the page needs another file")
    for svg in re.findall(r"<svg.*?</svg>", page, re.S):
        ElementTree.fromstring(svg)
    return wrong, reader


def one_game(context, name, path, words):
    folder, pages = context.folder(), []
    wrong = []
    for threads in (1, 2):
        rollouts = ["--rollouts", 2] if "Prospects:" in words else []
        output = context.run("report", path, "-n", 60, "-t", threads, *rollouts, "-O",
                             folder / "page")
        if output.code not in (0, 1):
            return [Result(name, False, output.describe())]
        page = (folder / "page").read_text(encoding="utf-8")
        pages.append(re.sub(r"<pre>[^ <]*ferz report .*?</pre>", "", page, flags=re.S))
        if pages[-1] == page:
            wrong.append("the page lacks its command line")
    if pages[0] != pages[1]:
        wrong.append("other bytes with two threads")
    more, reader = wrong_page(pages[0])
    wrong += more + [f"the page lacks {word!r}" for word in words
                     if word not in pages[0] and word not in "".join(reader.text)]
    wrong += [f"the page has a path of this machine: {root}" for root in (ROOT, folder)
              if str(root) in page]
    if "library prelude" in page:
        wrong.append("the page has the text of the prelude")
    if not reader.count.get("svg", 0) >= 2:
        wrong.append("there are no plots")
    return [Result(name, not wrong, "\n".join(wrong))]


def hostile(context, name):
    script = context.folder() / "hostile.game"
    script.write_text(HOSTILE, encoding="utf-8")
    output = context.run("report", script, "-n", 20)
    if output.code:
        return [Result(name, False, output.describe())]
    wrong, reader = wrong_page(output.out)
    if HOSTILE.strip() not in "".join(reader.text):
        wrong.append("the page does not have the text of the script")
    return [Result(name, not wrong, "\n".join(wrong))]


def markdown(context, name):
    folder = context.folder()
    script = folder / "hostile.game"
    script.write_text(HOSTILE, encoding="utf-8")
    output = context.run("report", script, "-n", 20, "--markdown", "-O", folder / "page.md")
    page = (folder / "page.md").read_text(encoding="utf-8") if output.code == 0 else ""
    pictures = re.findall(r"!\[[^]]*\]\(<(.*?)>\)", page)
    wrong = [] if output.code == 0 else [output.describe()]
    if len(pictures) < 3 or not all((folder / file).exists() for file in pictures):
        wrong.append(f"pictures: {pictures}")
    for file in pictures:
        ElementTree.fromstring((folder / file).read_bytes())
    if f"`````text\n{HOSTILE}`````" not in page:
        wrong.append("the fence does not enclose the script")
    output = context.run("report", script, "-n", 20, "--markdown")
    if output.code or "![" in output.out:
        wrong.append("standard output has no pictures")
    return [Result(name, not wrong, "\n".join(wrong))]


def with_data(context, path, *more):
    """The page of a game, and the files beside it by name."""
    folder = context.folder()
    output = context.run("report", path, "-n", 40, *more, "--data", "-O", folder / "page.html")
    page = (folder / "page.html").read_text(encoding="utf-8") if output.code == 0 else ""
    return output, page, {file.name: file for file in sorted(folder.iterdir())}


def rows_of(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, strict=True))


def estimates(rows):
    return {(row["measure"], row["element"]): (row["value"], row["low"], row["high"])
            for row in rows}


def data(context, name, path):
    """The files hold the numbers of the page and of `measure`, and nothing is left out."""
    output, page, files = with_data(context, path)
    if output.code:
        return [Result(name, False, output.describe())]
    tables = {file[5:-4]: rows_of(where) for file, where in files.items() if file.endswith(".csv")}
    wrong = [] if set(tables) == DATA[path] else [f"tables: {sorted(tables)}"]
    wrong += [f"the page does not name {file}" for file in files
              if file.endswith(".csv") and file not in page]
    pictures = [file for file in files if file.endswith(".svg")]
    if len(pictures) != page.count("<svg"):
        wrong.append(f"{len(pictures)} pictures beside the page, {page.count('<svg')} in it")
    for file in pictures:
        ElementTree.fromstring(files[file].read_bytes())
    for table, column in (("decisions", "games"), ("turns", "games"), ("ends", "games"),
                          ("results", "games")):
        if sum(int(row[column]) for row in tables[table]) != 40:
            wrong.append(f"{table}: not 40 games")
    measured = context.run("measure", path, "-n", 40, "--format", "csv").out
    expected = estimates(row for row in csv.DictReader(measured.splitlines()) if row["value"])
    got = estimates(tables["measures"])
    wrong += [f"{key}: {got.get(key)}, not {value}" for key, value in expected.items()
              if got.get(key) != value][:3]
    wrong += [f"{key}: `measure` does not have it" for key in set(got) - set(expected)][:3]
    refused = context.run("report", path, "-n", 1, "--data")
    if refused.code != 2 or "--output" not in refused.err:
        wrong.append(refused.describe())
    return [Result(name, not wrong, "\n".join(wrong))]


def read_by(context, name, programs, script):
    _, _, files = with_data(context, "tests/cli/stakes.game")
    paths = [str(where) for file, where in files.items() if file.endswith(".csv")]
    probe = ("-e", "0") if "Rscript" in programs else ("-c", "import pandas")
    for program in programs:
        if shutil.which(program) and not subprocess.run(
                [program, *probe], capture_output=True, check=False).returncode:
            break
    else:
        context.skip(name, f"no {name.split('/')[1]}")
        return []
    file = context.folder() / "read"
    file.write_text(script, encoding="utf-8")
    done = subprocess.run([program, str(file), *paths], capture_output=True, text=True,
                          check=False, env={**os.environ, "LC_ALL": "C.UTF-8"})
    good = done.returncode == 0 and len(paths) == 6
    return [Result(name, good, f"{paths}\n{done.stdout}{done.stderr}")]


def stored(context, name):
    """Pages about the rows of an archive have nothing that other pages do not have, and plays
    nothing: games of an agent that cannot be asked again have one, too."""
    archive, wrong = context.folder() / "archive", []
    agent = ("import json, sys\n"
             "for line in sys.stdin: print(json.dumps({'move': json.loads(line)['moves'][-1]}), "
             "flush=True)")
    script = context.folder() / "last.py"
    script.write_text(agent, encoding="utf-8")
    for words in (("study", "tests/cli/lines.study", "--db", archive),
                  ("playout", "games/cards/kuhn.game", "-n", 30, "-b", "--db", archive),
                  ("playout", "games/classic/picaria.game", "-n", 4, "--agents",
                   f"pipe:python3 {script}", "--db", archive)):
        output = context.run(*words)
        if output.code:
            return [Result(name, False, output.describe())]
    runs = len(json.loads(context.run("export", archive, "-f", "json").out)["runs"])
    for run, words in ((1, ("Lines that are used most", "Sites that are visited most")),
                       (runs - 1, ("| Ann | ", "| branching | ", "`\"fold\" => win p;`")),
                       (runs, ("| decisions | ",))):
        command = ("report", "--db", archive, "--run", run, "--markdown")
        page, full = context.run(*command, "--stored"), context.run(*command)
        if page.code or (full.code == 0) != (run < runs):
            wrong.append(page.describe() + full.describe())
            continue
        more = [line for line in page.out.splitlines()
                if line.startswith("| ") and line not in full.out.splitlines()]
        if run < runs and more:
            wrong.append(f"run {run}: only in the page of rows: {more}")
        wrong += [f"run {run}: no {word!r}" for word in (*words, "The games were not played again")
                  if word not in page.out]
        if "| coverage" in page.out:
            wrong.append("a measure of the moves in a page of rows")
    for words in (("--rollouts", 2), ("--influence",), ("--strategic-depth", "mcts:9")):
        output = context.run("report", "--db", archive, "--run", 1, "--stored", *words)
        if output.code != 2 or "not what is stored" not in output.err:
            wrong.append(output.describe())
    output = context.run("report", "games/cards/kuhn.game", "--stored")
    if output.code != 2 or "needs an archive" not in output.err:
        wrong.append(output.describe())
    return [Result(name, not wrong, "\n".join(wrong))]


def refused(context, name):
    wrong = []
    for words, says in ((("--theme", "wodo"), "did you mean 'wood'?"),
                        (("--agents", "mcst"), "mcts"),
                        (("-O", "/absent/page"), "/absent/page")):
        output = context.run("report", "games/classic/tic-tac-toe.game", "-n", 3, *words)
        if output.code != 2 or says not in output.err:
            wrong.append(output.describe())
    return [Result(name, not wrong, "\n".join(wrong))]


def interrupted(context, name):
    """Nothing tells when the first game is over, so a busy machine gets more time."""
    page = context.folder() / "page"
    for seconds in (1, 4, 30):
        process = subprocess.Popen([*context.ferz, "report", str(ROOT / "games/chess/chess.game"),
                                    "-n", "1M", "-t", "1", "-O", str(page)], stderr=subprocess.PIPE,
                                   text=True, env=context.environment)
        time.sleep(seconds)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=context.time_limit)
        text = page.read_text(encoding="utf-8") if page.exists() else ""
        good = process.returncode == 0 and "<strong>Interrupted.</strong>" in text
        if good:
            break
    return [Result(name, good, f"exit {process.returncode}: {err}")]


def change(chance, value):
    """Changes something in an array or object, at some depth."""
    while True:
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        if not keys:
            return
        key = chance.choice(keys)
        if isinstance(value[key], (dict, list)) and value[key] and chance.random() < 0.9:
            value = value[key]
            continue
        others = [None, True, -1, 2**62, "", "x", [], {}, "-1", str(2**64), str(2**119),
                  "-" + str(2**126), [value[key]], "A" * 4096, "~" * 4096]
        if chance.random() < 0.2:
            del value[key]
        else:
            value[key] = chance.choice(others)
        return


def damaged(context, name):
    """Any answer but a crash."""
    folder, chance, wrong = context.folder(), random.Random(5), []
    whole = folder / "whole"
    output = context.run("playout", "games/classic/picaria.game", "-n", 20, "-O", whole)
    if output.code:
        return [Result(name, False, output.describe())]
    for number in range(150):
        shard = json.loads(whole.read_text(encoding="utf-8"))
        for _ in range(chance.choice((1, 1, 3))):
            part = chance.choice(("sums", "sums", "experiment"))
            if isinstance(shard.get(part), dict):
                change(chance, shard[part])
        shard.pop("checksum")
        text = json.dumps(shard, separators=(",", ":"), sort_keys=True, ensure_ascii=False)
        shard["checksum"] = hashlib.sha256(text.encode()).hexdigest()
        (folder / "damaged").write_text(json.dumps(shard), encoding="utf-8")
        output = context.run("merge", folder / "damaged", "-f", chance.choice(("json", "text")))
        if output.code not in (0, 1, 2) or "ERROR" in output.err or "runtime error" in output.err:
            wrong.append(f"case {number}: {output.describe()}")
    return [Result(name, not wrong, "\n".join(wrong))]
