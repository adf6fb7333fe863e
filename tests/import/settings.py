#!/usr/bin/env python3
"""Proves that an imported script with options plays each ruleset as the script of that ruleset.

    tests/import/settings.py [--ferz PATH] [--script GAME] [--most N] [--include DIR] FILE.lud ...

Imports each file with its options (or takes GAME), and for N settings of its options the script of
that setting alone. Compares the counts of perft to depth 2 and the records of 20 random games.
"""
import argparse
import itertools
import os
import random
import re
import subprocess
import sys
import tempfile


def name_of(title):
    """As in grammar/import/script_settings.c."""
    words = re.findall(r"[A-Za-z0-9]+", title)
    name = "".join(word[0].upper() + word[1:] for word in words)[:40]
    return name if name[:1].isalpha() else "Of" + name[:38]


def options_of(text):
    """(heading, titles) of each option of a .lud file."""
    text = re.sub(r"//.*", "", text)
    parts = re.split(r'\(option\s+"', text)[1:]
    for part in parts:
        part = re.split(r"\((?:rulesets|metadata|game|define)\b", part)[0]
        yield part.partition('"')[0], re.findall(r'\(item\s+"([^"]*)"', part)


def value_of(kind, option, title):
    """The value of the script's option that stands for an item; None: the script lacks it."""
    if "bool" in kind:
        return str(title.lower() in ("on", "yes", "true", "enabled")).lower()
    if ".." in kind:
        low, high = re.findall(r"\d+", kind)[:2]
        numbers = [int(number) for number in re.findall(r"\d+", title)]
        fitting = [number for number in numbers if int(low) <= number <= int(high)]
        return str(fitting[0]) if fitting else None
    names = [word.split()[0] for word in re.sub(r'"[^"]*"', "", kind).strip(" {}\n").split(",")]
    name = name_of(title)
    wanted = [name, option + name, name + "2", option + name + "2"]
    return next((word for word in wanted if word in names), None)


def choices_of(lud, listed):
    """For each option of the script, pairs of what sets it in the script and in the file."""
    declared = {match[1]: match[2] for match in
                re.finditer(r"^option (\w+)(: [^=]*| \{[^}]*\}) =", listed, re.M)}
    left_out = re.findall(r"^// (.*?/.*?): ", listed, re.M)
    for heading, titles in options_of(lud):
        option = next((name for name in (name_of(heading), name_of(heading) + "2")
                       if name in declared), None)
        pairs = [(f"{option}={value}", f"{heading}/{title}") for title in titles
                 if option and f"{heading}/{title}" not in left_out
                 and (value := value_of(declared[option], option, title))]
        if pairs:
            yield pairs


def run(ferz, *words):
    return subprocess.run([ferz, *words], capture_output=True, text=True)


def play(ferz, script, settings, folder):
    """What the script does with these settings."""
    words = [word for setting in settings for word in ("-o", setting)]
    records = tempfile.mkdtemp(dir=folder)
    counts = run(ferz, "perft", script, "2", *words).stdout
    run(ferz, "playout", script, "-n", "20", "--seed", "1", "--record", records, "--records", "all",
        *words)
    games = []
    for name in sorted(os.listdir(records)):
        with open(os.path.join(records, name)) as file:
            games.append(re.sub(r"^(game|option): .*\n", "", file.read(), flags=re.M))
    return re.findall(r"^depth.*", counts, re.M), games


def examine(args, path, folder):
    """Prints the first difference. Returns (options, values, settings, equal settings)."""
    include = ["-I", args.include] if args.include else []
    script = args.script or os.path.join(folder, "all.game")
    alone = os.path.join(folder, "one.game")
    if not args.script and run(args.ferz, "import", *include, path, "-O", script).returncode:
        return 0, 0, 0, 0
    with open(path, errors="replace") as file:
        choices = list(choices_of(file.read(), run(args.ferz, "import", "--list", *include,
                                                   path).stdout))
    if not choices:
        return 0, 0, 0, 0
    settings = list(itertools.product(*choices))
    if len(settings) > args.most:
        settings = random.Random(1).sample(settings, args.most)
    equal = 0
    for setting in settings:
        chosen = ", ".join(item for _, item in setting)
        made = run(args.ferz, "import", *include, f"{path}:{chosen}", "-O", alone)
        ours = play(args.ferz, script, [value for value, _ in setting], folder)
        same = not made.returncode and ours[1] and ours == play(args.ferz, alone, [], folder)
        equal += bool(same)
        if not same and equal + 1 > settings.index(setting):
            print(f"{os.path.basename(path)}: {chosen}: different {made.stderr}")
    return len(choices), sum(map(len, choices)), len(settings), equal


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--ferz", default="ferz")
    parser.add_argument("--script")
    parser.add_argument("--most", type=int, default=40)
    parser.add_argument("--include")
    parser.add_argument("files", nargs="+")
    args = parser.parse_args()
    rows = []
    for path in args.files:
        with tempfile.TemporaryDirectory() as folder:
            rows.append(examine(args, path, folder))
    sums = [sum(column) for column in zip(*rows)]
    files = sum(row[0] > 0 for row in rows)
    print(f"{files} of {len(rows)} files: {sums[0]} options, {sums[1]} values; "
          f"{sums[3]} of {sums[2]} settings equal")
    sys.exit(sums[2] != sums[3])


if __name__ == "__main__":
    main()
