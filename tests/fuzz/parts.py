"""Runs the fuzz targets in parts, and keeps what they found and how much they ran.

    tests/fuzz/parts.py FOLDER [--programs FOLDER] [--seconds N] [--goal] [TARGET ...]

The folder of programs (FOLDER) has the programs, dictionaries and seeds that
tests/fuzz/oss/build.sh made; corpora, finds and logs are kept in FOLDER. Each target runs for N
seconds (60). With --goal the targets take turns, the one with the least time left to its goal
first, until all have reached it; interrupt it and start it again at any time. A target with ten
finds rests.

Executions are counted in executions.tsv, a table of the sources, so that later runs and other
machines go on from there: a row for each target and commit. A run without --goal, which may be
slowed down by sanitizers, counts too.

Most turns read small inputs, which say as much as large ones and are faster. Every eighth turn of a
target reads large ones, which are kept in a corpus of their own."""
import argparse
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

# Executions: those of a small text are fast, those that compile or play are not.
GOALS = {"position": 10**8, "fen": 10**8, "record": 10**8, "move": 10**8,
         "import": 10**7, "learned": 10**7,
         "script": 10**7, "compiled": 10**7, "damage": 10**7}
# Bytes of small and large inputs; the smallest programs have 5000 bytes.
USUAL = (1500, 40000)
LONGEST = {"compiled": (12000, 40000), "position": (400, 3000), "fen": (200, 1000),
           "record": (400, 3000), "learned": (1500, 3000), "move": (60, 1000), "damage": (98, 98)}
LARGE_TURNS, MOST_FINDS = 8, 10
TABLE = Path(__file__).parent / "executions.tsv"
HEAD = "# Executions of fuzz targets (tests/fuzz/parts.py adds to it)\n" \
       "# target\tcommit\texecutions\tseconds\n"


def rows():
    """(target, commit): [executions, seconds]"""
    found = {}
    for line in TABLE.read_text().splitlines() if TABLE.exists() else []:
        if not line.startswith("#"):
            target, commit, runs, seconds = line.split("\t")
            found[target, commit] = [int(runs), int(seconds)]
    return found


def counts_of(name):
    """Executions and seconds of a target so far."""
    mine = [row for (target, _), row in rows().items() if target == name]
    return [sum(row[column] for row in mine) for column in (0, 1)]


def commit():
    done = subprocess.run(["git", "-C", TABLE.parent, "rev-parse", "--short=8", "HEAD"],
                          capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"


def add(name, runs, seconds):
    table = rows()
    row = table.setdefault((name, commit()), [0, 0])
    row[:] = row[0] + runs, row[1] + seconds
    new = TABLE.with_suffix(".new")
    new.write_text(HEAD + "".join(f"{target}\t{at}\t{one[0]}\t{one[1]}\n"
                                  for (target, at), one in sorted(table.items())))
    new.replace(TABLE)


def left(name):
    """Seconds to the goal at the rate so far; a target without a rate goes first."""
    runs, seconds = counts_of(name)
    return (GOALS[name] - runs) * seconds / runs if runs else 0


def seed(folder, programs, name):
    """Unpacks the seeds, small and large ones, if they are new."""
    folders = [folder / "seeds" / (name + size) for size in ("", "-large")]
    archive = programs / f"{name}_seed_corpus.zip"
    if all(one.exists() and one.stat().st_mtime > archive.stat().st_mtime for one in folders):
        return
    for one in folders:
        shutil.rmtree(one, ignore_errors=True)
        one.mkdir(parents=True)
    with zipfile.ZipFile(archive) as packed:
        for entry in packed.infolist():
            packed.extract(entry, folders[entry.file_size > LONGEST.get(name, USUAL)[0]])


def shrink(program, corpus, log):
    """A turn begins with reading the whole corpus: files that add nothing to the others go."""
    kept = re.findall(r"corp: (\d+)/", log)
    if kept and len(list(corpus.iterdir())) > 3 * int(kept[-1]):
        new = corpus.with_suffix(".new")
        shutil.rmtree(new, ignore_errors=True)
        new.mkdir()
        if subprocess.run([program, "-merge=1", new, corpus], capture_output=True,
                          check=False).returncode == 0:
            shutil.rmtree(corpus)
            new.rename(corpus)


def run(folder, programs, name, seconds):
    """One part. False: it found something."""
    before, turn = counts_of(name)[0], counts_of(name)[1] // max(seconds, 1)
    small, most = LONGEST.get(name, USUAL)
    large = "-large" if most > small and turn % LARGE_TURNS == LARGE_TURNS - 1 else ""
    corpus, finds = folder / "corpus" / (name + large), folder / "finds" / name
    for place in (corpus, finds):
        place.mkdir(parents=True, exist_ok=True)
    seed(folder, programs, name)
    longest = most if large else small
    words = [str(programs / name), f"-max_total_time={seconds}", "-timeout=120",
             "-rss_limit_mb=1500", f"-max_len={longest}", "-print_final_stats=1",
             "-entropic=0", # to weigh inputs by what they find takes as long as to run them
             f"-artifact_prefix={finds}/", str(corpus),
             *(str(folder / "seeds" / (name + size)) for size in sorted({large, ""}))]
    if (programs / f"{name}.dict").exists():
        words.insert(1, f"-dict={programs / name}.dict")
    done = subprocess.run(words, capture_output=True, text=True, errors="replace", check=False)
    (folder / f"{name}.log").write_text(done.stderr)
    shrink(programs / name, corpus, done.stderr)
    found = re.search(r"stat::number_of_executed_units: (\d+)", done.stderr)
    took = re.search(r"Done \d+ runs in (\d+) second", done.stderr)
    runs = int(found[1]) if found else 0
    add(name, runs, int(took[1]) if took else seconds)
    print(f"{name}: {runs:,} executions, {before + runs:,} in all of {GOALS[name]:,}", flush=True)
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if not re.match(r"#\d+\t", line)]
        print("\n".join(lines[-30:]))
        print(f"{name} found something: {finds} (log: {folder / name}.log; once mended, keep it in "
              f"tests/fuzz/finds/{name})")
    return done.returncode == 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--programs", type=Path)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--goal", action="store_true")
    parser.add_argument("targets", nargs="*")
    given = parser.parse_intermixed_args()
    unknown = set(given.targets) - set(GOALS)
    if unknown:
        parser.error(f"no fuzz target '{unknown.pop()}'; there are: {' '.join(GOALS)}")
    names = given.targets or list(GOALS)
    programs = given.programs or given.folder
    given.folder.mkdir(parents=True, exist_ok=True)
    if not given.goal:
        sys.exit(not all([run(given.folder, programs, name, given.seconds) for name in names]))
    finds = dict.fromkeys(names, 0)
    while True:
        waiting = [name for name in names
                   if counts_of(name)[0] < GOALS[name] and finds[name] < MOST_FINDS]
        if not waiting:
            sys.exit(any(finds.values()))
        name = min(waiting, key=left)
        finds[name] += not run(given.folder, programs, name, given.seconds)


main()
