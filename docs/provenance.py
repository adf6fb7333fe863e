#!/usr/bin/env python3
"""Writes the entry `agrees` into `info` of the shipped scripts: which other system's counts,
positions and statistics the test suite `facts` compares with the game, from tests/facts.

    docs/provenance.py           writes the entries
    docs/provenance.py --check   changes nothing; says which entry differs, which script of no fact
                                 lacks `unverified`, and which claims to agree outside of `agrees`;
                                 exit status 1 if there is anything

A variant in tests/facts/games has the rules of another system; its facts stand at the shipped
game that it changes, "with its rules".
"""
import json
import re

from common import ROOT, finish, options, rows_of_facts

GAMES = ROOT / "games"
FACTS = ROOT / "tests/facts"
# Systems whose name has a version; of any other source the name ends at a mark.
SYSTEM = re.compile(r"(?:Ludii|Fairy-Stockfish|RBG games|pydraughts) \S+?(?=[,: ]|$)|[^,:;]+")
BASE = re.compile(r'^variant "[^"]*" of "([^"]*)"', re.MULTILINE)
INFO = re.compile(r"^info \{\n(.*?)^\}", re.MULTILINE | re.DOTALL)
AGREES = re.compile(r'^  agrees +"[^"]*";\n', re.MULTILINE)
BEFORE = re.compile(r'^  source +"[^"]*";\n', re.MULTILINE)
CLAIM = re.compile(r"\b(?:counts|positions|perft) (?:also )?agree|\bnot compared yet|"
                   r"\bas (?:Ludii|Fairy-Stockfish|RBG) counts", re.IGNORECASE)


class Entry:
    """What agrees with one system: depths and random play by settings of options, and positions."""

    def __init__(self):
        self.depths, self.positions, self.random, self.lines = {}, 0, set(), set()

    def words(self):
        yield from settings("perft", {key: f" to depth {depth}"
                                      for key, depth in self.depths.items()})
        if self.positions:
            yield f"{self.positions} position{'' if self.positions == 1 else 's'}"
        yield from settings("random play", dict.fromkeys(self.random, ""))
        yield from settings("use of the lines", dict.fromkeys(self.lines, ""))


def settings(what, found):
    """What was found by settings of options: each if there are few."""
    if len(found) > 3:
        yield f"{what} under {len(found)} settings of options"
    else:
        for setting, extent in sorted(found.items()):
            set_to = "" if setting == "-" else f" ({setting.replace(',', ' ')})"
            yield what + extent + set_to


def shipped(game):
    """The shipped game that a fact is about, and whether it is about a variant for the facts."""
    if (GAMES / game).exists():
        return game, False
    base = BASE.search((FACTS / "games" / game).read_text(encoding="utf-8"))[1]
    return base, True


def agreements():
    """Of each shipped game, by system: what agrees."""
    found = {}

    def entry(game, source):
        game, changed = shipped(game)
        system = SYSTEM.match(source)[0] + (", with its rules" if changed else "")
        return found.setdefault(game, {}).setdefault(system, Entry())
    for path in sorted(FACTS.glob("*.tsv")):
        seen = set()
        for row in rows_of_facts(path):
            if path.stem == "playouts":
                entry(row[0], row[6]).random.add(row[1])
            elif path.stem == "lines":
                entry(row[0], "Ludii 1.3.13").lines.add(row[1])
            else:
                here = entry(row[0], row[5] if path.stem == "perft" else "Ludii 1.3.13")
                if row[2] == "start":
                    here.depths[row[1]] = max(int(row[3]), here.depths.get(row[1], 0))
                else:
                    here.positions += row[:3] not in seen
                    seen.add(row[:3])
    for path in sorted(FACTS.glob("*.json")):
        data = json.loads(path.read_text(encoding="utf-8"))
        here = entry(data["game"], data.get("source", "the author of the rulings"))
        here.positions += len(data["positions"])
    return found


def sentence(systems):
    return "; ".join(f"{system}: {', '.join(entry.words())}"
                     for system, entry in sorted(systems.items()))


def stated(source, words):
    """The script with this entry, or without one."""
    info = INFO.search(source)
    body = AGREES.sub("", info[1])
    if words:
        after = BEFORE.search(body).end()
        body = f'{body[:after]}  agrees "{words}";\n{body[after:]}'
    return source[:info.start(1)] + body + source[info.end(1):]


def faults(name, source, words):
    body = INFO.search(source)[1]
    if not words and not re.search(r"^  unverified ", body, re.MULTILINE):
        yield f"{name}: no fact is about it: say in info what is `unverified`"
    for claim in CLAIM.finditer(AGREES.sub("", source)):
        yield f"{name}: {claim[0]!r} is a claim: only `agrees` in info makes it, from tests/facts"


def main():
    args = options(__doc__).parse_args()
    found, pages, wrong = agreements(), {}, []
    for path in sorted(GAMES.rglob("*.game")):
        name, source = str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")
        words = sentence(found.get(str(path.relative_to(GAMES)), {}))
        pages[name] = stated(source, words)
        wrong += faults(name, pages[name], words)
    finish(pages, args.check, wrong)


if __name__ == "__main__":
    main()
