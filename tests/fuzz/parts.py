"""Runs the fuzz targets in parts, and keeps what they found and how much they ran.

    tests/fuzz/parts.py FOLDER [--programs FOLDER] [--seconds N] [--goal] [TARGET ...]

The folder of programs (FOLDER) has the programs, dictionaries and seeds that
tests/fuzz/oss/build.sh made; corpora, finds, logs and counts.tsv are kept in FOLDER. Each target
runs for N seconds (60). With --goal the targets take turns, the one furthest from its goal first,
until all have reached it; interrupt it and start it again at any time. A target with ten finds
rests.

Most turns read small inputs, which say as much as large ones and are faster. Every eighth turn of a
target reads large ones, which are kept in a corpus of their own."""
import argparse
import re
import subprocess
import sys
import zipfile
from pathlib import Path

# Executions: those of a small text are fast, those that compile or play are not.
GOALS = {"position": 10**8, "fen": 10**8, "record": 10**8, "move": 10**8,
         "import": 10**7,
         "script": 10**7, "compiled": 10**7, "damage": 10**7}
SMALL, LARGE = 1500, 40000      # bytes
LONGEST = {"compiled": 12000}   # of small inputs; the smallest programs have 5000 bytes
LARGE_TURNS, MOST_FINDS = 8, 10
HAVE_LARGE = {"script", "compiled", "import"}


def counts_of(folder):
    """Executions and seconds of each target so far."""
    counts = {name: [0, 0] for name in GOALS}
    path = folder / "counts.tsv"
    for line in path.read_text().splitlines() if path.exists() else []:
        name, runs, seconds = line.split("\t")
        counts[name] = [int(runs), int(seconds)]
    return counts


def add(folder, name, runs, seconds):
    counts = counts_of(folder)
    counts[name] = [counts[name][0] + runs, counts[name][1] + seconds]
    new = folder / "counts.new"
    new.write_text("".join(f"{key}\t{value[0]}\t{value[1]}\n" for key, value in counts.items()))
    new.replace(folder / "counts.tsv")
    return counts[name]


def seed(folder, programs, name):
    """Unpacks the seeds, small and large ones."""
    with zipfile.ZipFile(programs / f"{name}_seed_corpus.zip") as packed:
        for entry in packed.infolist():
            size = "" if entry.file_size <= LONGEST.get(name, SMALL) else "-large"
            packed.extract(entry, folder / "seeds" / (name + size))


def run(folder, programs, name, seconds):
    """One part. False: it found something."""
    turn = counts_of(folder)[name][1] // max(seconds, 1)
    large = "-large" if name in HAVE_LARGE and turn % LARGE_TURNS == LARGE_TURNS - 1 else ""
    corpus, finds = folder / "corpus" / (name + large), folder / "finds" / name
    for place in (corpus, finds):
        place.mkdir(parents=True, exist_ok=True)
    if not (folder / "seeds" / name).exists():
        seed(folder, programs, name)
    longest = LARGE if large else LONGEST.get(name, SMALL)
    # Without -entropic, which takes half of the time of a short execution.
    words = [str(programs / name), f"-max_total_time={seconds}", "-timeout=120",
             "-rss_limit_mb=1500", f"-max_len={longest}", "-print_final_stats=1", "-entropic=0",
             f"-artifact_prefix={finds}/", str(corpus), str(folder / "seeds" / (name + large))]
    if (programs / f"{name}.dict").exists():
        words.insert(1, f"-dict={programs / name}.dict")
    done = subprocess.run(words, capture_output=True, text=True, errors="replace", check=False)
    (folder / f"{name}.log").write_text(done.stderr)
    found = re.search(r"stat::number_of_executed_units: (\d+)", done.stderr)
    took = re.search(r"Done \d+ runs in (\d+) second", done.stderr)
    total = add(folder, name, int(found[1]) if found else 0, int(took[1]) if took else seconds)
    print(f"{name}: {int(found[1]) if found else 0:,} executions, {total[0]:,} in all "
          f"of {GOALS[name]:,}", flush=True)
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
        counts = counts_of(given.folder)
        left = [name for name in names
                if counts[name][0] < GOALS[name] and finds[name] < MOST_FINDS]
        if not left:
            sys.exit(any(finds.values()))
        name = min(left, key=lambda one: counts[one][0] / GOALS[one])
        finds[name] += not run(given.folder, programs, name, given.seconds)


main()
