#!/usr/bin/env python3
"""Runs the conformance suite of the language against an implementation.

    tests/conformance/run.py [--engine COMMAND | --ferz PROGRAM] [--list] [--twins] [FILTER...]

COMMAND reads a request a line and answers each with a line, both JSON (docs/spec/conformance.md).
Without it, the program ferz is asked (ferz.py). Exit status: 0 if every case has the answer that
it states, 1 if not, 2 if nothing was asked. FILTER is a clause or a part of a title.

The cases are data: *.cases in this folder. A case begins with its clause and a title:

    = 4.3.2 a quotient is rounded down
    + small                             the text `@ small` of the same file, then the script
    var x = 5;
    > option Size=3                     before the game begins
    > file base.game                    the following lines are another file
    > play a1, {3}                      moves, and results of chance in braces
    > for A                             what follows is what this player knows
    > value -7 / 2 = -4                 the value of an expression
    > moves = ["a1", "b1"]              a part of the state, and what it is in JSON
    > perft 2 = 81                      or `decisions 2 = 81`
    > outcomes variables.x = {"1": "1/2", "2": "1/2"}       after the last move of `play`
    > tests = [true, false]             which tests of the script pass
    > error E0301 4                     refused with this code, on this line if one is given
    > fails division by zero            the last `play`, or set-up, stops with these words, if any

`--twins` expects something else in each line, and reports every line that still holds: a case that
cannot fail is no case.
"""
import argparse
import json
import os
import re
import shlex
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import ferz                                                                     # noqa: E402

FOLDER = Path(__file__).resolve().parent
CLAUSE = re.compile(r"^\*\*(\d+\.\d+\.\d+)\*\*", re.MULTILINE)


class Case:
    """What a case asks, and what it expects at each point of its game."""

    def __init__(self, clause, title, place):
        self.clause, self.title, self.place = clause, title, place
        self.files, self.options, self.events = {"case.game": ""}, {}, []
        self.player, self.values = None, []
        self.points = []                # (events, player, kind of request, [(path, wanted)])

    @property
    def name(self):
        return f"{self.clause} {self.title}"

    def expect(self, kind, path, wanted):
        point = (list(self.events), self.player, kind)
        if not self.points or self.points[-1][:3] != point:
            self.points.append((*point, []))
        self.points[-1][3].append((path, wanted))

    def request(self, events, player, kind):
        script = self.files["case.game"].rstrip("\n") + "\n"
        for number, value in enumerate(self.values):
            script += f"let value_{number} = {value};\nshow value_{number};\n"
        asked = {"script": script, "files": {n: t for n, t in self.files.items()
                                             if n != "case.game"},
                 "options": self.options, "events": events, "player": player}
        return {**asked, **kind_of(kind)}


def refused(cases):
    """The requests of cases that expect an error, and name no option."""
    return [case.request(*case.points[0][:3]) for case in cases
            if not case.options and case.points[0][3][0][0] == "error.code"]


def kind_of(kind):
    word, _, number = kind.partition(" ")
    return {} if word == "state" else {word: int(number) if number else True}


def read_cases(path):
    """The cases of a file."""
    shared, cases, lines, name = {}, [], None, None
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        case = cases[-1] if cases else None
        if line.startswith("@ "):
            name, lines = line[2:].strip(), []
            shared[name] = lines
        elif line.startswith("= "):
            clause, title = line[2:].split(" ", 1)
            cases.append(Case(clause, title, f"{path.name}:{number}"))
            lines, name = None, "case.game"
        elif lines is not None:
            lines.append(line)
        elif case and line.startswith("> "):
            name = instruction(case, line[2:].strip()) or name
        elif case and line.startswith("+ "):
            case.files[name] += "\n".join(shared[line[2:].strip()]).strip("\n") + "\n"
        elif case and (line or case.files[name]) and not case.points:
            case.files[name] += line + "\n"
    return cases


def instruction(case, text):
    """Reads a line after `>`; a name if what follows is another file."""
    word, _, rest = text.partition(" ")
    if word == "file":
        case.files[rest] = ""
        return rest
    if word == "option":
        option, _, value = rest.partition("=")
        case.options[option] = value
    elif word == "play":
        case.events = case.events + rest.split(", ")
    elif word == "for":
        case.player = rest
    elif word == "error":
        code, _, line = rest.partition(" ")
        case.expect("state", "error.code", code)
        if line:
            case.expect("state", "error.line", int(line))
    elif word == "fails":
        case.expect("state", "failed.message", rest)
    else:
        path, wanted = text.rsplit(" = ", 1)
        wanted = json.loads(wanted)
        if word == "value":
            case.values.append(path.split(" ", 1)[1])
            case.expect("state", f"shown.value_{len(case.values) - 1}", wanted)
        elif word in ("perft", "decisions"):
            case.expect(path, word, wanted)
        elif word == "tests":
            case.expect("tests", word, wanted)
        elif word == "outcomes":
            case.expect("outcomes", "outcomes." + path.split(" ", 1)[1], wanted)
        else:
            case.expect("state", path, wanted)
    return None


class Engine:
    """An implementation as a process that answers lines."""

    def __init__(self, command):
        self.process = subprocess.Popen(shlex.split(command), stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)

    def answer(self, request):
        try:
            self.process.stdin.write(json.dumps(request) + "\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except OSError:
            line = ""
        try:
            answer = json.loads(line) if line else {"failed": {"message": "the engine has ended"}}
        except ValueError:
            answer = None
        return answer if isinstance(answer, dict) else \
            {"failed": {"message": "the engine's answer is no object of JSON"}}


def part(answer, path):
    """The part of an answer that a path names. Moves are their texts; sites are by name."""
    if path.startswith("outcomes."):
        return distribution(answer.get("outcomes", answer), path.removeprefix("outcomes."))
    for word in path.split("."):
        if isinstance(answer, dict) and word == "moves":
            answer = answer.get("moves")
            answer = answer and [move["text"] for move in answer]
        elif isinstance(answer, dict) and word == "sites" and isinstance(answer.get("sites"), list):
            answer = {site["site"]: on_site(site) for site in answer["sites"]}
        elif isinstance(answer, dict):
            answer = answer.get(word)
        else:
            return None
    return answer


def on_site(site):
    if site.get("unknown"):
        return "?"
    pieces = site.get("pieces") or [site]
    return " ".join(f"{one['kind']}:{one['owner'] or '-'}" for one in pieces)


def distribution(outcomes, path):
    """The probability of each value of a part, over all outcomes."""
    if not isinstance(outcomes, list):
        return None
    found = {}
    for outcome in outcomes:
        value = part(outcome, path)
        key = value if isinstance(value, str) else json.dumps(value)
        found[key] = found.get(key, 0) + Fraction(outcome["probability"])
    return {key: str(value) for key, value in found.items()}


def holds(path, wanted, found):
    if path == "failed.message":
        return isinstance(found, str) and wanted in found
    return found == wanted and isinstance(found, bool) == isinstance(wanted, bool)


def differences(case, answer_of, twins=False):
    """What an implementation answers otherwise; with twins, which expectations cannot fail."""
    for events, player, kind, expected in case.points:
        answer = answer_of(case.request(events, player, kind))
        for path, wanted in expected:
            found = part(answer, path)
            if twins and holds(path, other(wanted), found):
                yield f"{path} is also {other(wanted)}"
            if not twins and not holds(path, wanted, found):
                trouble = "" if path.startswith(("error", "failed")) else \
                    "".join(f" ({answer[key]})" for key in ("error", "failed") if answer.get(key))
                yield f"{path}: wanted {json.dumps(wanted)}, found {json.dumps(found)}{trouble}" + \
                    (f" after {', '.join(events)}" if events else "")


def other(wanted):
    """Something else of the same form."""
    if isinstance(wanted, bool):
        return not wanted
    if isinstance(wanted, (int, float)):
        return wanted + 1
    if isinstance(wanted, str):
        return wanted + "~"
    if isinstance(wanted, list):
        return wanted[::-1] if wanted != wanted[::-1] else wanted + ["~"]
    return {**(wanted or {}), "~": 0}


def clauses():
    """The clauses of the specification."""
    return {clause for page in (FOLDER.parents[1] / "docs/spec").glob("*.md")
            for clause in CLAUSE.findall(page.read_text(encoding="utf-8"))}


def all_cases():
    return [case for path in sorted(FOLDER.glob("*.cases")) for case in read_cases(path)]


def start(args, cases):
    if args.engine:
        return Engine(args.engine)
    engine = ferz.Ferz([os.path.abspath(args.ferz)])
    engine.foresee(refused(cases))
    return engine


def main():
    parser = argparse.ArgumentParser(description="Runs the conformance suite.")
    parser.add_argument("filter", nargs="*")
    parser.add_argument("--engine", help="the implementation: reads and answers lines of JSON")
    parser.add_argument("--ferz", default=FOLDER.parents[1] / "build/ferz",
                        help="the program ferz, without --engine (default: build/ferz)")
    parser.add_argument("--list", action="store_true", help="print the clauses without a case")
    parser.add_argument("--twins", action="store_true", help="find cases that cannot fail")
    args = parser.parse_args()
    cases = all_cases()
    for one in args.filter:
        if not any(one in case.name for case in cases):
            parser.error(f"no case has {one!r} in its name")
    cases = [case for case in cases
             if not args.filter or any(one in case.name for one in args.filter)]
    if args.list:
        missing = clauses() - {case.clause for case in cases}
        print("\n".join(sorted(missing, key=lambda c: [int(n) for n in c.split(".")])))
        return 0
    try:
        engine = start(args, cases)
    except (OSError, ValueError) as wrong:
        parser.error(f"cannot start the implementation: {wrong}")
    failed = 0
    for case in cases:
        wrong = list(differences(case, engine.answer, args.twins))
        failed += bool(wrong)
        for line in wrong:
            print(f"{case.place}: {case.name}: {line}")
    print(f"{len(cases) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
