#!/usr/bin/env python3
"""Makes realistic mistakes in shipped games and shows how many messages each of them gets.

    tests/errors/corpus/mistakes.py FERZ [--count N] [--seed N] [--kind KIND] [--more-than N]

Every mistake is one slip of an author: a missing or doubled token, a misspelt name, a word or sign
of another language, a forgotten declaration, swapped arguments. A mistake should get one message,
on its line. The program prints those that get more messages than --more-than (default 1), in the
form of mistakes.txt, and a table of all kinds. tests/errors/corpus/mistakes.txt keeps the good ones
as tests.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import random
import re
import shlex
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
TOKEN = re.compile(r'"""(?:[^"]|"(?!""))*"""|"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*.*?\*/|'
                   r'[A-Za-z_]\w*|\d+|'
                   r'=>|==|!=|<=|>=|\.\.|\+=|-=|\|=|&=|[^\sA-Za-z_0-9]', re.DOTALL)
WORD = re.compile(r"[A-Za-z_]\w*$")


class Token:
    def __init__(self, match):
        self.text, self.start, self.end = match[0], match.start(), match.end()


def tokens_of(text):
    return [Token(m) for m in TOKEN.finditer(text) if not m[0].startswith(("//", "/*"))]


def cut(text, token, instead=""):
    return text[:token.start] + instead + text[token.end:]


def slip(word, rng):
    """One letter lost, doubled, exchanged with its neighbour, or another one."""
    at = rng.randrange(len(word) - 1)
    return rng.choice([
        word[:at] + word[at + 1] + word[at] + word[at + 2:],
        word[:at] + word[at + 1:],
        word[:at] + word[at] + word[at:],
        word[:at] + "x" + word[at + 1:],
    ])


def drops(sign):
    def make(text, tokens, rng):
        return cut(text, rng.choice([t for t in tokens if t.text == sign]))
    return make


def doubles(sign):
    def make(text, tokens, rng):
        return cut(text, rng.choice([t for t in tokens if t.text == sign]), sign + sign)
    return make


def replaces(old, *new):
    def make(text, tokens, rng):
        return cut(text, rng.choice([t for t in tokens if t.text == old]), rng.choice(new))
    return make


def adds_before(sign, *what):
    def make(text, tokens, rng):
        at = rng.choice([t for t in tokens if t.text == sign])
        return cut(text, at, rng.choice(what) + sign)
    return make


def misspells(reserved):
    def make(text, tokens, rng):
        good = [t for t in tokens if WORD.match(t.text) and len(t.text) > 3
                and (t.text in RESERVED) == reserved]
        at = rng.choice(good)
        return cut(text, at, slip(at.text, rng))
    return make


def changes_case(text, tokens, rng):
    at = rng.choice([t for t in tokens if WORD.match(t.text) and t.text not in RESERVED
                     and len(t.text) > 2])
    return cut(text, at, at.text.swapcase() if at.text[0].islower() and len(at.text) < 3
               else at.text[0].swapcase() + at.text[1:])


def forgets_declaration(text, tokens, rng):
    lines = text.split("\n")
    at = rng.choice([i for i, line in enumerate(lines)
                     if re.match(r"(let|var|clock var|carried var|fn|property|option|enum|die|use|"
                                 r"piece|players)\b.*;", line)])
    return "\n".join(lines[:at] + lines[at + 1:])


def misspells_declaration(text, tokens, rng):
    found = [m for m in re.finditer(r"^(?:let|var|fn|proc|moves|piece|option|enum|die|property|"
                                    r"clock var) (\w\w\w\w+)", text, re.M)]
    at = rng.choice(found)
    return text[:at.start(1)] + slip(at[1], rng) + text[at.end(1):]


def swaps_tokens(text, tokens, rng):
    i = rng.randrange(len(tokens) - 1)
    a, b = tokens[i], tokens[i + 1]
    return text[:a.start] + b.text + " " + a.text + text[b.end:]


def drops_token(text, tokens, rng):
    return cut(text, rng.choice(tokens))


def doubles_token(text, tokens, rng):
    at = rng.choice(tokens)
    return cut(text, at, at.text + " " + at.text)


def arguments(text, tokens, rng):
    """A call with at least two plain arguments: its parts."""
    calls = [m for m in re.finditer(r"\b(\w+)\((\w+), (\w+)(?=[,)])", text)]
    return rng.choice(calls)


def swaps_arguments(text, tokens, rng):
    call = arguments(text, tokens, rng)
    return text[:call.start()] + f"{call[1]}({call[3]}, {call[2]}" + text[call.end():]


def drops_argument(text, tokens, rng):
    call = arguments(text, tokens, rng)
    return text[:call.start()] + f"{call[1]}({call[3]}" + text[call.end():]


def adds_argument(text, tokens, rng):
    call = arguments(text, tokens, rng)
    return text[:call.start()] + f"{call[1]}({call[2]}, {call[2]}, {call[3]}" + text[call.end():]


def rewrites(pattern, *replacements):
    def make(text, tokens, rng):
        at = rng.choice(list(re.finditer(pattern, text, re.M)))
        return text[:at.start()] + at.expand(rng.choice(replacements)) + text[at.end():]
    return make


def joins_words(text, tokens, rng):
    pairs = [(a, b) for a, b in zip(tokens, tokens[1:])
             if WORD.match(a.text) and WORD.match(b.text) and b.start == a.end + 1]
    a, b = rng.choice(pairs)
    return text[:a.end] + text[b.start:]


def opens_string(text, tokens, rng):
    at = rng.choice([t for t in tokens if t.text.startswith('"') and not t.text.startswith('"""')])
    return cut(text, at, rng.choice([at.text[:-1], at.text[1:], "'" + at.text[1:-1] + "'"]))


KINDS = {
    **{f"no {sign}": drops(sign)
       for sign in (";", ",", "(", ")", "{", "}", "[", "]", ":", "=", "=>")},
    **{f"double {sign}": doubles(sign) for sign in (";", ",", "(", ")", "{", "}", "]")},
    **{f"no {word}": drops(word)
       for word in ("for", "in", "of", "at", "to", "then", "else", "otherwise", "by", "if",
                    "turns", "let", "choose", "and", "not")},
    "== to =": replaces("==", "=", "===", "is"),
    "= to ==": replaces("=", "==", ":=", "<-"),
    "=> to ->": replaces("=>", "->", "=", ">=", ":"),
    "!= to <>": replaces("!=", "<>", "=!", "~=", "is not"),
    "<= to =<": replaces("<=", "=<"),
    ">= to =>": replaces(">=", "=>"),
    "and": replaces("and", "&&", "&", ","),
    "or": replaces("or", "||", "|"),
    "not": replaces("not", "!"),
    "..": replaces("..", "-", "...", " to ", ":"),
    "| to ,": replaces("|", ",", "+", "or", "||"),
    "& to and": replaces("&", "and", "&&", "*"),
    "+= to ++": rewrites(r"(\w+) \+= 1", r"\1++", r"\1 =+ 1", r"inc \1"),
    "; to ,": replaces(";", ",", ":", "."),
    ", to ;": replaces(",", ";", " "),
    "( to {": replaces("(", "{", "["),
    ") to }": replaces(")", "}", "]"),
    "} to )": replaces("}", ")", "]"),
    "if": replaces("if", "when", "If", "where"),
    "else": replaces("else", "elif", "otherwise", "else then"),
    "let": replaces("let", "const", "var", "def", "set", "int"),
    "var": replaces("var", "let", "int", "variable", "global"),
    "fn": replaces("fn", "function", "def", "func", "proc"),
    "proc": replaces("proc", "procedure", "void", "fn", "action"),
    "moves": replaces("moves", "move", "generator", "actions"),
    "for": replaces("for", "foreach", "for each", "forall", "each"),
    "in": replaces("in", "of", "from", ":", "="),
    "choose": replaces("choose", "choice", "select", "pick"),
    "otherwise": replaces("otherwise", "else", "default", "or"),
    "piece": replaces("piece", "pieces", "unit"),
    "players": replaces("players", "player"),
    "option": replaces("option", "options", "param"),
    "turn": replaces("turn", "turns", "play"),
    "end": replaces("end", "ends", "finish"),
    "setup": replaces("setup", "start", "init"),
    "on capture": replaces("on", "when", "after", "at"),
    "win": replaces("win", "wins", "winner", "return"),
    "draw": replaces("draw", "tie", "drawn"),
    "lose": replaces("lose", "loses", "loss"),
    "remove": replaces("remove", "delete", "kill", "take"),
    "put": rewrites(r"put (\w+) of (\w+) at ", r"put \1 at ", r"put \2 \1 at ", r"put \1 of \2 on ",
                    r"place \1 of \2 at ",
                    r"put \1 for \2 at "),
    "expect": replaces("expect", "assert", "check", "except"),
    "perft": replaces("perft", "prft", "count"),
    "position": replaces("position", "board", "pos", "diagram"),
    "test": replaces("test", "tests", "it"),
    "true": replaces("true", "True", "yes", "TRUE"),
    "off": replaces("off", "null", "none", "nil"),
    "none": replaces("none", "null", "nil"),
    "me": replaces("me", "self", "player", "mine"),
    "foe": replaces("foe", "enemy", "opponent", "other"),
    "# to count": rewrites(r"#(\w+)", r"count(\1)", r"len(\1)", r"\1.size", r"size(\1)"),
    "not in": rewrites(r"not (\w+) in (\w+)", r"\1 not in \2", r"! \1 in \2"),
    "!= {}": rewrites(r" != \{\}", r"", r" != none", r" != 0", r" not empty"),
    "misspelt name": misspells(False),
    "misspelt word": misspells(True),
    "case": changes_case,
    "no declaration": forgets_declaration,
    "misspelt declaration": misspells_declaration,
    "swapped tokens": swaps_tokens,
    "no token": drops_token,
    "double token": doubles_token,
    "swapped arguments": swaps_arguments,
    "no argument": drops_argument,
    "one more argument": adds_argument,
    "joined words": joins_words,
    "open string": opens_string,
    "( before ;": adds_before(";", ")", "}", " end", ","),
    "; before {": adds_before("{", ";", ":", " do ", "=> "),
    "type": rewrites(r"^((?:clock )?var \w+(?:\[\w+\])?): (\w+)", r"\1 \2", r"\1: number",
                     r"\1 = \2", r"\1: \2[]"),
    "fn type": rewrites(r"^(fn \w+\([^)]*\)): \w+", r"\1", r"\1 -> bool", r"\1: boolean"),
    "param type": rewrites(r"\((\w+): (\w+)", r"(\1", r"(\2 \1", r"(\1 \2"),
    "board": rewrites(r"board (\w+)\((\d+)\)", r"board \1 \2", r"board \2x\2",
                      r"board \1(\2, \2, \2)", r"board = \1(\2)",
                      r"board \1[\2]"),
    "letter": rewrites(r'piece (\w+) "(\w)"', r"piece \1 \2", r'piece "\2" \1', r'piece \1 = "\2"',
                       r'piece \1, "\2"'),
    "move to": rewrites(r"\b(move|capture) to ", r"\1 ", r"\1s to ", r"to ", r"\1 at ",
                        r"\1 from here to "),
    "step": rewrites(r"\b(step|slide|leap)\((\w+), (\w+)\)", r"\1 \3", r"\1(\3)", r"\1(\3, \2)",
                     r"\2.\1(\3)", r"\1[\2, \3]"),
    "index": rewrites(r"\b(\w+)\[(\w+)\]", r"\1(\2)", r"\1.\2", r"\1", r"\1[\2, \2]", r"\1[\2"),
    "stray letter": rewrites(r";$", "; x", ";;", "; )", "; }"),
}

RESERVED = set()


def load_reserved():
    page = (ROOT / "docs/language/syntax.md").read_text(encoding="utf-8")
    words = re.search(r"<!-- reserved.*?```text\n(.*?)```", page, re.DOTALL)[1]
    RESERVED.update(words.split())


def place(before, after):
    """The first line that differs, and how many lines differ in the old and the new text."""
    old, new = before.split("\n"), after.split("\n")
    first = next((i for i, (a, b) in enumerate(zip(old, new)) if a != b), min(len(old), len(new)))
    last = 0
    while last < min(len(old), len(new)) - first and old[-1 - last] == new[-1 - last]:
        last += 1
    return first, old[first:len(old) - last], new[first:len(new) - last]


def messages(ferz, path, text, scratch):
    target = Path(scratch) / path.parent.name / path.name
    out = subprocess.run([*ferz, "check", "--format", "json", str(target)], capture_output=True,
                         text=True, timeout=60)
    return json.loads(out.stdout), out.returncode


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1].strip())
    parser.add_argument("ferz")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind")
    parser.add_argument("--games", default="*", help="folders of games/ (a pattern)")
    parser.add_argument("--more-than", type=int, default=1)
    parser.add_argument("--all", action="store_true", help="print every mistake")
    args = parser.parse_args()
    load_reserved()
    ferz = shlex.split(args.ferz)
    rng = random.Random(args.seed)
    games = sorted((ROOT / "games").glob(f"{args.games}/*.game"))
    kinds = [args.kind] if args.kind else list(KINDS)
    made = []
    while len(made) < args.count:
        kind = kinds[len(made) % len(kinds)]
        for _ in range(50):
            path = rng.choice(games)
            text = path.read_text(encoding="utf-8")
            try:
                after = KINDS[kind](text, tokens_of(text), rng)
            except (IndexError, ValueError):
                continue
            if after != text:
                break
        else:
            made.append(None)
            continue
        made.append((kind, path, text, after))
    made = [m for m in made if m]

    def check(mistake):
        kind, path, text, after = mistake
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch) / path.parent.name
            folder.mkdir()
            for other in path.parent.glob("*.game"):
                os.symlink(other, folder / other.name)
            (folder / path.name).unlink()
            (folder / path.name).write_text(after, encoding="utf-8")
            try:
                found, code = messages(ferz, path, after, scratch)
            except (ValueError, subprocess.TimeoutExpired) as broken:
                return mistake, [], str(broken)
            return mistake, found, code

    table = collections.defaultdict(lambda: [0, 0, 0, 0])
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for (kind, path, text, after), found, code in pool.map(check, made):
            errors = [d for d in found if d["severity"] == "error"]
            first, old, new = place(text, after)
            row = table[kind]
            row[0] += 1
            row[1] += not errors
            row[2] += len(errors) > 1
            row[3] += max(0, len(errors) - 1)
            if code not in (0, 1) or args.all or len(errors) > args.more_than:
                print(f"== {path.relative_to(ROOT)}    # {kind}")
                for line in old:
                    print("-", line)
                for line in new:
                    print("+", line)
                for d in found[:12]:
                    where = "" if str(d["file"]).endswith(path.name) else f"{d['file']}:"
                    print(f"{where}{d['line'] - first - 1:+d}:{d['column']} {d['code']} "
                          f"{d['message']}")
                    for hint in d["hints"]:
                        print(f"    hint: {hint}")
                if code not in (0, 1):
                    print("!!", code)
    total = [sum(row[i] for row in table.values()) for i in range(4)]
    for kind, row in sorted(table.items(), key=lambda item: -item[1][3]):
        if row[2] or args.all:
            print(f"{kind:24} {row[0]:5} mistakes, {row[1]:4} accepted, "
                  f"{row[2]:4} with more than one error, "
                  f"{row[3]:5} errors too many")
    print(f"{'all':24} {total[0]:5} mistakes, {total[1]:4} accepted, "
          f"{total[2]:4} with more than one error, "
          f"{total[3]:5} errors too many")


if __name__ == "__main__":
    main()
