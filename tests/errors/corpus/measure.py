#!/usr/bin/env python3
"""Asks ferz about the mistakes of tests/errors/corpus/*.txt and shows how good its answers are.

    tests/errors/corpus/measure.py FERZ [--write] [--bad] [--option OPTION] [FILE.txt ...]

It prints the table of rates; --bad prints those that are on the wrong line, not mended, or not
found. --write writes the answers into the files, and the table into docs/errors.md. Read what has
changed before you keep it. --option passes an option to `ferz check`.
"""
import argparse
import concurrent.futures
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests"))

from runner import common, mistakes  # noqa: E402


def written(block, answer):
    kept = [line for line in block.rstrip("\n").split("\n")
            if not (line.startswith(("    hint: ", "    note: ")) or mistakes.EXPECTED.match(line)
                    or line == "nothing")]
    return "\n".join(kept + answer.lines())


def complaint(mistake, answer):
    if mistake.of_meaning:
        return "" if answer.first else "not found"
    parts = [] if answer.right_line else ["wrong line"]
    parts += [] if answer.mended else ["not mended"]
    return ", ".join(parts + ([f"{answer.errors} errors"] if answer.errors > 1 else []))


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1].strip())
    parser.add_argument("ferz")
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--bad", action="store_true")
    parser.add_argument("--option", action="append", default=[])
    args = parser.parse_intermixed_args()
    with common.Context(common.settings(build=Path(args.ferz).resolve().parent)) as context:
        for path in args.files or mistakes.files():
            text = path.read_text(encoding="utf-8")
            found = [mistakes.Mistake(block) for block in mistakes.blocks_of(path)]
            with concurrent.futures.ThreadPoolExecutor(2) as pool:
                answers = list(pool.map(
                    lambda mistake: mistakes.asked(context, mistake, *args.option), found))
            rates = mistakes.Rates()
            for mistake, answer in zip(found, answers):
                rates.add(mistake, answer)
                if args.bad and complaint(mistake, answer):
                    print(written(mistake.block, answer))
                    print("##", complaint(mistake, answer), "\n")
            print(rates.row(path.stem))
            if args.write:
                head = text[:text.index("== ")]
                blocks = [written(m.block, a) for m, a in zip(found, answers)]
                path.write_text(head + "\n\n".join(blocks) + "\n", encoding="utf-8")
    if args.write:
        page = mistakes.PAGE.read_text(encoding="utf-8")
        rows = mistakes.table()[0]
        page = re.sub(r"(<!-- rates: .*? -->\n).*?(<!-- end -->)",
                      lambda m: m[1] + rows + "\n" + m[2], page, flags=re.DOTALL)
        mistakes.PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
