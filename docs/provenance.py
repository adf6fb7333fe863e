#!/usr/bin/env python3
"""Writes the entry `agrees` into `info` of the shipped scripts: which other system's counts,
positions and statistics the test suite `facts` compares with the game, from tests/facts.

    docs/provenance.py           writes the entries
    docs/provenance.py --check   changes nothing; says which entry differs and what is wrong with
                                 `source`, `omits`, `unverified` and `own`; exit status 1 if there
                                 is anything

Positions derived from the rules are no agreement with another system.
A variant in tests/facts/games has the rules of another system; its facts stand at the shipped
game that it changes, "with its rules".

The check also finds

- a script that no fact is about and that does not say what is `unverified`;
- claims to agree, and words about what is not known, seen or said, outside of these entries;
- "no other program's counts" beside facts, and "compared only while pieces are placed" beside more
  than one perft;
- a source that is "known only through" another one, if `source` does not name both;
- a reachable `limit`, which is no rule, that `own` does not name ("after 1000 turns"). The comment
  of any other limit says "Never reached".
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
CLAIM = re.compile(r"\b(?:counts|positions|perft) (?:also )?agree|"
                   r"\bas (?:Ludii|Fairy-Stockfish|RBG) counts", re.IGNORECASE)
STATED = re.compile(r'^  (agrees|omits|unverified|own) +"((?:[^"\\]|\\.)*)";\n', re.MULTILINE)
# What only an entry says, and which.
ELSEWHERE = {key: re.compile(rf"\b(?:{words})\b", re.IGNORECASE) for key, words in {
    "unverified": r"not (?:yet )?(?:seen (?:itself|themselves)|compared|verified)|unverified|"
                  r"as (?:told|retold|cited|quoted|summed up) (?:by|in|on|there)|"
                  r"as commonly said|sources differ",
    "own": r"(?:sources?|page|text) (?:is|are) silent|(?:does|do|did) not say|not said|"
           r"not in the sources?|ours|no rule of the sources?",
}.items()}
IN_SOURCE = re.compile(r"\bcounts (?:of|by)\b|\bleft out\b|\bwithout\b", re.IGNORECASE)
SECOND_HAND = re.compile(r"(?:^|; )([^;]*?) (?:is|are) known only through ([^;]*)")
ONLY_PERFT = r"[^:;]*: perft to depth \d+(?: \([^)]*\))?"
LIMIT = re.compile(r"((?:^///.*\n)*)^(?:override )?limit (\d+) turns", re.MULTILINE)
NOTHING, PLACED = "no other program's counts", "compared only while pieces are placed"


class Entry:
    """What agrees with one system: depths and random play by settings of options, and positions."""

    def __init__(self):
        self.depths, self.positions, self.ends = {}, 0, False
        self.random, self.lines, self.values = set(), set(), set()

    def words(self):
        yield from settings("perft", {key: f" to depth {depth}"
                                      for key, depth in self.depths.items()})
        if self.positions:
            yield f"{self.positions} position{'' if self.positions == 1 else 's'}"
        if self.ends:
            yield "moves and their results"
        yield from settings("random play", dict.fromkeys(self.random, ""))
        yield from settings("use of the lines", dict.fromkeys(self.lines, ""))
        yield from settings("value under best play", dict.fromkeys(self.values, ""))


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
                if len(row) < 9:                # more columns: a reason why it does not agree
                    entry(row[0], row[6]).random.add(row[1])
            elif path.stem == "ends":
                if not row[5].startswith("rules: "):    # no other system
                    entry(row[0], row[5]).ends = True
            elif path.stem == "values":
                entry(row[0], row[3]).values.add(row[1])
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


def faults(name, script, words):
    """What the check finds in a script whose entry `agrees` is this."""
    body = INFO.search(script)[1]
    entries = dict(STATED.findall(body))
    source = BEFORE.search(body)[0]
    if not words and "unverified" not in entries:
        yield f"{name}: no fact is about it: say in info what is `unverified`"
    if words and NOTHING in entries.get("unverified", ""):
        yield f"{name}: {NOTHING!r}, but facts are about it"
    if PLACED in entries.get("unverified", "") and not re.fullmatch(ONLY_PERFT, words):
        yield f"{name}: {PLACED!r}, but more than one perft from the start is"
    for key, entry in entries.items():
        if entry.endswith("."):
            yield f"{name}: `{key}` ends with a full stop"
    yield from misplaced(name, STATED.sub("", script))
    if found := IN_SOURCE.search(source):
        yield f"{name}: {found[0]!r} in `source`, which names sources only"
    for known, through in SECOND_HAND.findall(entries.get("unverified", "")):
        for title in re.split(r", | and ", f"{known}, {through}"):
            if title not in source:
                yield f"{name}: `unverified` names {title!r}, `source` does not"
    yield from limits(name, script, entries.get("own", ""))


def misplaced(name, rest):
    """Words outside of the entries that belong into one."""
    for claim in CLAIM.finditer(rest):
        yield f"{name}: {claim[0]!r} is a claim: only `agrees` in info makes it, from tests/facts"
    for key, words in ELSEWHERE.items():
        for found in words.finditer(rest):
            yield f"{name}: {found[0]!r}: say it in info, in `{key}`"


def limits(name, script, own):
    """Limits and `own` name the same turns."""
    turns = {turns for comment, turns in LIMIT.findall(script)
             if "Never reached" not in comment and turns != "1"}
    for turn in turns:
        if f"after {turn} turns" not in own:
            yield (f"{name}: limit {turn}: say \"after {turn} turns\" in `own`, or why it is "
                   "never reached")
    for turn in re.findall(r"after (\d+) turns", own):
        if not re.search(rf"\b{turn}\b", STATED.sub("", script)):
            yield f"{name}: `own` names {turn} turns, the rules do not"


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
