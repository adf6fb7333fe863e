"""Which file calls which: circles of files, calls against the order of rooms, dead functions.

`python3 -B tests/runner/calls.py [NAME]` prints the circles; with a part of a file's name also the
calls of these files that stay within a circle. A file here is a source with its header: `x.c` and
`x.h` are `x`. A use is any mention of a function's name outside of comments, strings and
prototypes, so a function whose address is taken is called, too. A function-like macro counts as a
function of the file that defines it.
"""
import re
import sys
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from runner import rooms                                                             # noqa: E402
from runner.common import ROOT                                                       # noqa: E402

NOISE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', re.DOTALL)
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
# A function at the left margin; its brace is on a line of its own.
FUNCTION = re.compile(r"^(?!typedef)([A-Za-z_][\w *]*?[ *])(fzi?_\w+)\(([^;{}]*)\)\s*\n\{",
                      re.MULTILINE)
PROTOTYPE = re.compile(r"^(?!return)[A-Za-z_][\w *]*?[ *]\w+\([^;{}]*\)[\w\s()]*;", re.MULTILINE)
ANY_FUNCTION = re.compile(r"^(?!typedef)([A-Za-z_][\w *]*?[ *])(\w+)\(([^;{}]*)\)\s*\n\{",
                          re.MULTILINE)
NAME = re.compile(r"\b[A-Za-z_]\w+")
MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(FZI?_\w+)\(((?:[^\\\n]|\\\n|\\.)*)", re.MULTILINE)
WORD = re.compile(r"\b(?:FZ|fz)\w+")
TYPE = re.compile(r"^(?:typedef (?:struct|enum|union) |struct |enum |union )(fzi?_\w+) \{",
                  re.MULTILINE)
# Functions that flex and bison write.
MADE = re.compile(r"fz_yy|fzi_lex_")
SCANNER = "grammar/syntax/ferz"
MOST_RECURSION = 6
# Compilers call the functions of the first, and native code those of the others.
CALLED_FROM_ELSEWHERE = {"interp/web/wasi_runtime.c", "interp/vm/vm_count.inc.h",
                         "interp/vm/vm_playout.inc.h", "interp/vm/vm_playout_kept.inc.h",
                         "interp/vm/vm_playout_moves.inc.h"}


def code(path):
    """The text without comments, strings and prototypes; lines stay lines."""
    text = NOISE.sub(lambda found: "\n" * found[0].count("\n") or " ",
                     (ROOT / path).read_text(encoding="utf-8"))
    return PROTOTYPE.sub("", text) if path.endswith((".c", ".h")) else text


def unit(path):
    """The name of a source and its header together."""
    return re.sub(r"(\.inc)?\.[a-z]+$", "", path)


@cache
def scanned():
    """(file of each shared function or macro, the words of each file)."""
    home, words = {}, defaultdict(set)
    for path in rooms.sources():
        text = code(path)
        words[unit(path)].update(WORD.findall(text))
        for kind, name, _ in FUNCTION.findall(text):
            if "static" not in kind.split() or path.endswith(".h"):
                home[name] = unit(path)
        if path.endswith(".h"):
            for name, _ in MACRO.findall(text):
                home.setdefault(name, unit(path))
    return home, words


def graph():
    """The other files that each file calls: {file: {other: names}}."""
    home, words = scanned()
    edges = {name: defaultdict(set) for name in words}
    for name, mentioned in words.items():
        for word in mentioned:
            there = home.get(word, SCANNER if MADE.match(word) else name)
            if there != name:
                edges[name][there].add(word)
    return edges


def circles(edges):
    """The sets of files that call each other, directly or through others (Tarjan)."""
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in edges[node]:
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            start = stack.index(node)
            if len(stack) - start > 1:
                found.append(sorted(stack[start:]))
            del stack[start:]

    sys.setrecursionlimit(10_000)
    for node in sorted(edges):
        if node not in index:
            visit(node)
    return sorted(found, key=lambda circle: (-len(circle), circle))


def upward(edges):
    """(file, file, names) of each call of a room that stands later in the order."""
    for name, others in sorted(edges.items()):
        for other, called in sorted(others.items()):
            here, there = rooms.rank(name), rooms.rank(other)
            if here is not None and there is not None and there > here:
                yield name, other, sorted(called)


def unexpected(edges):
    """The circles that no named recursion explains."""
    return [circle for circle in circles(edges)
            if not any(set(circle) <= set(named) for named in rooms.RECURSION)]


def in_circles(edges):
    """How many files of each room stand in such circles."""
    return Counter(name.rsplit("/", 1)[0] for circle in unexpected(edges) for name in circle)


def complaints():
    edges = graph()
    found = [f"{number} files of {room} call each other in circles, "
             f"{rooms.IN_CIRCLES.get(room, 0)} may\n" for room, number in in_circles(edges).items()
             if number > rooms.IN_CIRCLES.get(room, 0)]
    if len(rooms.RECURSION) > MOST_RECURSION:
        found.append(f"more than {MOST_RECURSION} circles are allowed by name\n")
    found += [f"no circle of calls: {' '.join(named)}\n" for named in rooms.RECURSION
              if not any(set(circle) <= set(named) for circle in circles(edges))]
    return "".join(found + against(edges))


def against(edges):
    return [f"a call against the order of rooms: {name} -> {other}: {' '.join(called)}\n"
            for name, other, called in upward(edges)]


def two_meanings():
    """Names that two files define, as functions or as types."""
    places = defaultdict(set)
    for path in rooms.sources():
        text = code(path)
        for kind, name, _ in FUNCTION.findall(text):
            if "static" not in kind.split() or path.endswith(".h"):
                places[name].add(path)
        for name in TYPE.findall(text):
            places[name].add(path)
    return "".join(f"two meanings: {name}: {' '.join(sorted(there))}\n"
                   for name, there in sorted(places.items()) if len(there) > 1)


def stripped(path):
    """A text without comments and prototypes. Names in strings stay: native code calls them."""
    text = (ROOT / path).read_text(encoding="utf-8")
    return PROTOTYPE.sub("", COMMENT.sub("", text)) if str(path).endswith((".c", ".h")) else text


def bodies(text):
    """Each function as (name, what its head and body mention), and (None, the rest)."""
    rest, end = "", 0
    for found in ANY_FUNCTION.finditer(text):
        if found.start() >= end:
            rest += text[end:found.start()]
            end = text.index("\n}", found.end()) + 2
            yield found[2], NAME.findall(found[1] + found[3] + text[found.end():end])
    yield None, NAME.findall(rest + text[end:])


def public():
    """The functions of the library's interface."""
    header = COMMENT.sub("", (ROOT / "interp/ferz.h").read_text(encoding="utf-8"))
    return set(re.findall(r"\b(fz_\w+)\(", header))


def dead():
    """Functions that neither the interface nor a command leads to; a test that calls them does
    not count. commands.def and the engine's exports lead to functions by other names."""
    home, mentions = {}, defaultdict(set)
    for path in rooms.sources():
        text = stripped(path)
        if path in CALLED_FROM_ELSEWHERE or not path.endswith((".c", ".h")):
            mentions[None].update(NAME.findall(text))
            continue
        for name, words in bodies(text):
            home.setdefault(name, path)
            mentions[name].update(words)
    home.pop(None)
    live = set()
    open_names = [*mentions[None], *public(),
                  *(name for name in home if name.startswith(("fzi_cli_", "fzi_web_", "fzi_lex_")))]
    while open_names:
        name = open_names.pop()
        if name in home and name not in live:
            live.add(name)
            open_names += mentions[name]
    return "".join(f"only tests call {name}, if anybody: {path}\n"
                   for name, path in sorted(home.items()) if name not in live)


def untested():
    """Functions of the interface that no test program calls."""
    called = {name for path in (ROOT / "tests").rglob("*.[ch]")
              for name in NAME.findall(stripped(path.relative_to(ROOT)))}
    return "".join(f"no test calls {name}\n" for name in sorted({*public()} - called))


def main():
    edges = graph()
    for circle in circles(edges):
        print(len(circle), "files:", " ".join(circle))
        for name in circle:
            for other in sorted(set(edges[name]) & set(circle)):
                if len(sys.argv) > 1 and sys.argv[1] in name:
                    print(f"    {name} -> {other}: {' '.join(sorted(edges[name][other]))}")
    print("".join(against(edges)), end="")
    for room, number in sorted(in_circles(edges).items()):
        print(f"{room}: {number} files in circles, {rooms.IN_CIRCLES.get(room, 0)} allowed")


if __name__ == "__main__":
    main()
