#!/usr/bin/env python3
"""What scripts cost at the compiler's limits, for docs/language/limits.md.

    tests/bench/limits.py FERZ [--write]

Compiles a script at each limit, and large scripts of what has no limit but the size of the file,
and prints a table of processor seconds and of memory; --write puts it into the manual. The suite
`limits` asks the same list whether more is a named error, and whether costs grow linearly."""
import argparse
import collections
import os
import subprocess
import sys
import tempfile
from pathlib import Path

MANUAL = Path(__file__).resolve().parents[2] / "docs/language/limits.md"
BEGIN, END = "<!-- costs: made by tests/bench/limits.py -->", "<!-- end -->"
HEAD = 'game "Large";\nplayers X, O;\nboard square(3);\npiece Mark "x";\nvar acc = 0;\n'
TURN = "turn {{ {} choose to in empty => put Mark of me at to; }}\n"
END_PHASE = "end { if empty == {} draw; }\n"
LARGE = 100_000


def game(declarations="", turn=""):
    return HEAD + declarations + TURN.format(turn) + END_PHASE


def repeated(text, count):
    """The text as often, with the number for each @."""
    return "".join(text.replace("@", str(number)) for number in range(count))


def filters(count):
    chain = "".join(f"moves m{i + 1} {{ m{i}; }} ensuring acc < {i};\n" for i in range(count))
    first = 'moves m0 { for to in empty "{to}" => { acc += 1; put Mark of me at to; } }\n'
    return HEAD + first + chain + f"turn {{ choose m{count} otherwise draw; }}\n" + END_PHASE


def options_of_a_choice(count):
    listed = repeated('"o@" => put Mark of me at first(empty);\n', count)
    return HEAD + f"turn {{ choose {{ {listed} }} }}\n" + END_PHASE


def nested(count):
    return game(turn="if acc == 7 { " * count + "acc = 3; " + "}" * count)


def variant(count):
    base = game(repeated("let t@ = @;\n", count))
    return 'variant "V" of "base.game";\n' + repeated("override let t@ = @ + 1;\n", count), base


Row = collections.namedtuple("Row", "what limit script code")   # code: of the error beyond it
ROWS = [
    Row("filters pending at one time", 16, filters, "E0813"),
    Row("options of a choice", 4096, options_of_a_choice, "E0808"),
    Row("local values at one time", 240,
        lambda n: game(turn=repeated("let l@ = acc + @; acc = l@;\n", n)), None),
    Row("options of a game", 1000, lambda n: game(repeated("option O@: bool = true;\n", n)),
        "E0813"),
    Row("declarations that override, extend or remove others", 2000, variant, "E0813"),
    Row("shown names", 4096, lambda n: game(repeated("var t@: int;\nshow t@;\n", n),
                                            repeated("t@ += 1;\n", n)), "E0813"),
    Row("types of values: enums, dice, ranges", 4000,
        lambda n: game(repeated("enum E@ { A@, B@ }\nvar t@: E@;\n", n),
                       repeated("t@ = B@; if t@ == A@ acc = 1;\n", n)), "E0813"),
    Row("`if`s inside one another", 130, nested, None),
    Row("statements", LARGE, lambda n: game(turn=repeated("if acc == @ acc += 1;\n", n)), None),
    Row("lines of `end`", LARGE,
        lambda n: game() .replace("end {", "end {" + repeated("if acc == @ win me;\n", n)), None),
    Row("functions", LARGE, lambda n: game(
        repeated("fn f@(a: int): int { if a > @ return 1; return acc; }\n", n),
        repeated("acc = f@(acc);\n", n)), None),
    Row("procedures", LARGE, lambda n: game(repeated("proc p@() { acc += @; }\n", n),
                                            repeated("p@();\n", n)), None),
    Row("values of an `enum`", LARGE, lambda n: game(
        "enum E { " + ", ".join(f"V{i}" for i in range(n)) + " }\nvar fav: E;\n",
        f"fav = V{n - 1};"), None),
    Row("names of a `die`", LARGE, lambda n: game(
        "die D { " + ", ".join(f"F{i}" for i in range(n)) + " }\nvar cast: D;\n",
        f"cast = F{n - 1};"), None),
    Row("`let`s", LARGE, lambda n: game(repeated("let t@ = acc + @;\n", n),
                                        repeated("if t@ > 3 acc += 1;\n", n)), None),
    Row("tables", LARGE, lambda n: game(repeated("let t@[i: 0..1] = [@, 1];\n", n)), None),
    Row("entries of a table", 60_000, lambda n: game(
        f"let t[i: 0..{n - 1}] = [" + ", ".join(map(str, range(n))) + "];\n", "acc = t[acc];"),
        None),
    Row("variables", LARGE, lambda n: game(repeated("var t@: int;\n", n),
                                           repeated("t@ += 1; if t@ > 5 acc = 1;\n", n)), None),
    Row("tests", LARGE, lambda n: game() + repeated('test "t@" { moves 9; }\n', n), None),
]


def crossing_lines(count):
    """A board of Ludii: so many lines across as many others."""
    rows = [f"{{{0} {i}.5}} {{{count} {i}.5}} {{{i}.5 {0}}} {{{i}.5 {count}}}"
            for i in range(count)]
    edges = " ".join(f"{{{2 * i} {2 * i + 1}}}" for i in range(2 * count))
    return ('(game "Lines" (players 2) (equipment {(board (splitCrossings (graph vertices:{'
            f'{" ".join(rows)}}} edges:{{{edges}}}))) (piece "Disc" Each)}}) '
            '(rules (play (move Add (to (sites Empty)))) '
            '(end (if (is Line 3) (result Mover Win)))))')


# What a command costs with a script of so many parts.
Command = collections.namedtuple("Command", "what count words script")
COMMANDS = [
    Command("coverage of `if`s", 8000, ["coverage", "large.game", "-n", "1"],
            lambda n: game(turn=repeated("if acc == @ acc += 1;\n", n))),
    Command("disasm of `if`s in a line", 8000, ["disasm", "large.game"],
            lambda n: game(turn=repeated("if acc == @ acc += 1; ", n))),
    Command("test of tests", 5000, ["test", "large.game"],
            lambda n: game() + repeated('test "t@" { play "a1"; expect acc == 0; }\n', n)),
    Command("test of tests with options", 20_000, ["test", "large.game"],
            lambda n: game("option Slow: bool = false;\n") +
            repeated(f'test "{"long " * 60}@" {{ set Slow = true; expect acc == 0; }}\n', n)),
    Command("diff of `let`s", 8000, ["diff", "large.game", "large.game"],
            lambda n: game(repeated("let t@ = acc + @;\n", n), "acc = t1;")),
    Command("import of crossing lines", 30, ["import", "--partial", "large.lud"],
            crossing_lines),
]


def compile_script(ferz, row, count):
    """Processor seconds, MiB, and the messages of one compile."""
    return run(ferz, ["compile", "large.game", "-O", "large.gamec"], row.script(count))


def run(ferz, words, text):
    """The same of a command; a script and its base are a tuple."""
    with tempfile.TemporaryDirectory(prefix="ferz-limits-") as folder:
        text, base = text if isinstance(text, tuple) else (text, "")
        Path(folder, "base.game").write_text(base, encoding="utf-8")
        file = next(word for word in words if word.startswith("large."))
        Path(folder, file).write_text(text, encoding="utf-8")
        with open(Path(folder, "messages"), "w+", encoding="utf-8") as messages:
            process = subprocess.Popen([*ferz, *words], cwd=folder, stdout=messages,
                                       stderr=messages)
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            messages.seek(0)
            said = messages.read()
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, process.returncode, said


def table(ferz):
    lines = ["| | number | seconds | MiB |", "| --- | --- | --- | --- |"]
    for row in ROWS:
        seconds, memory, code, said = compile_script(ferz, row, row.limit)
        if code:
            sys.exit(f"{row.what}: {said[:300]}")
        lines.append(f"| {row.what} | {row.limit:,} | {seconds:.2f} | {memory:.0f} |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("ferz")
    parser.add_argument("--write", action="store_true", help="put the table into the manual")
    args = parser.parse_args()
    made = table([os.path.abspath(args.ferz)])
    print(made)
    if args.write:
        text = MANUAL.read_text(encoding="utf-8")
        before, rest = text.split(BEGIN)
        after = rest.split(END, 1)[1]
        MANUAL.write_text(f"{before}{BEGIN}\n{made}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
