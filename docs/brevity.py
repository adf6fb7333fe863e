#!/usr/bin/env python3
"""Writes docs/brevity.md: how long scripts are, compared with those of other systems.

    docs/brevity.py            writes the page
    docs/brevity.py --check    changes nothing; exit status 1 if the page or a reason is out of date

docs/brevity.tsv has the figures of the other systems, with the reason where the script of Ferz is
not the shorter one.
"""
import sys
from collections import namedtuple

from catalogue import BESIDE, GAMES, ROOT, TOKEN, rule_part

TABLE = ROOT / "docs/brevity.tsv"
PAGE = ROOT / "docs/brevity.md"

Row = namedtuple("Row", "script system name tokens why")

HEAD = """# How long scripts are

`docs/brevity.py` generates this page from the scripts and from `docs/brevity.tsv`, which has the
figures of the other systems. The page compares the scripts of one game in Ferz, in Ludii and in
RBG. Their rules sometimes differ, for example in the options or in an end by repetition.

The columns *Ferz*, *Ludii* and *RBG* are numbers of tokens. A word, a number, a text, an operator
and a bracket is a token each. Comments do not count. *Ratio* is the tokens in Ferz divided by those
in the other system: below 1, Ferz's script is shorter. If it is not shorter, the last column says
why.

- *Ferz*: the script without `info`, `view`, tests and the declarations of options. The rules for
  every value of an option count. Libraries do not count.
- *Variants* change another script of Ferz, and only the changes count. So a small ratio of a
  variant says little; the summary also counts the games that are no variants.
- *Ludii*: the `game` and the `define` forms of its script, with the default values of its options
  in their places. `option`, `ruleset` and `metadata` do not count, nor does its library of
  definitions. Scripts of October 2020.
- *RBG*: the whole script. Scripts of December 2019.

{summary}

## Ludii

| game | Ludii's script | Ferz | Ludii | ratio | note |
| --- | --- | --: | --: | --: | --- |
"""

RBG = """
## RBG

| game | RBG's script | Ferz | RBG | ratio | note |
| --- | --- | --: | --: | --: | --- |
"""


def rows():
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            script, system, name, tokens, why = line.split("\t")
            yield Row(script, system, name, int(tokens), why)


def source(row):
    return (GAMES / f"{row.script}.game").read_text(encoding="utf-8")


def is_variant(row):
    return source(row).startswith("variant")


def tokens(row):
    return len(TOKEN.findall(rule_part(source(row), (*BESIDE, "option"))))


def table_row(row):
    here = tokens(row)
    note = "variant" if is_variant(row) else ""
    note = "; ".join(part for part in (note, row.why) if part)
    return (f"| [{row.script}](../games/{row.script}.game) | {row.name} | {here} | {row.tokens} | "
            f"{here / row.tokens:.2f} | {note} |\n")


def share(some):
    fewer = sum(tokens(row) < row.tokens for row in some)
    return f"{fewer} of {len(some)} ({100 * fewer / len(some):.0f} %)"


def page(known):
    ludii = sorted((row for row in known if row.system == "Ludii"),
                   key=lambda row: tokens(row) / row.tokens)
    rbg = sorted((row for row in known if row.system == "RBG"),
                 key=lambda row: tokens(row) / row.tokens)
    whole = [row for row in ludii if not is_variant(row)]
    summary = (f"Ferz's script is shorter than Ludii's for {share(ludii)} games, or "
               f"{share(whole)} without\n"
               f"variants. It is shorter than RBG's for {share(rbg)} games.")
    return (HEAD.format(summary=summary) + "".join(map(table_row, ludii)) + RBG
            + "".join(map(table_row, rbg)))


def unexplained(known):
    for row in known:
        if (tokens(row) >= row.tokens) != bool(row.why):
            yield (f"docs/brevity.tsv: {row.script}, {row.system}: {tokens(row)} tokens beside "
                   f"{row.tokens}: " + ("the reason is out of date" if row.why else "say why"))


def main():
    known = list(rows())
    wrong, made = list(unexplained(known)), page(known)
    if "--check" not in sys.argv:
        PAGE.write_text(made, encoding="utf-8")
    elif not PAGE.exists() or PAGE.read_text(encoding="utf-8") != made:
        wrong.append("docs/brevity.md: not as docs/brevity.py would write it")
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
