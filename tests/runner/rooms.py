"""The rooms of grammar/ and interp/: which order they have, and that every include follows it."""
import re

from .common import ROOT

# From the bottom up, as data flows: a file includes files of its own room and of rooms that stand
# before it. The two interfaces come first: everybody may include them, and they include no room.
ORDER = (
    "interp/ferz.h", "interp/ferz_tools.h",
    "interp/support",   # memory, buffers, words of sets
    "interp/board",     # sites, directions, and what is derived from them
    "interp/program",   # what the compiler makes: its format, its analyses
    "interp/state",     # a game in progress: position, history, log, lists of moves
    "interp/vm",        # runs a program on a state
    "interp/text",      # positions, moves, records, drawings
    "interp/picture",   # drawings as shapes, and as files
    "interp/count",     # perft, and the outcomes of chance
    "interp/trace",     # a game statement by statement: coverage, stepping
    "interp/play",      # playouts, matches, ratings
    "interp/explain",   # why a move is legal or not
    "interp/script_tests",
    "interp/agents",    # players that choose moves
    "interp/batch",     # many games and moves as arrays of numbers
    "interp/data",      # positions and moves as JSON
    "interp/measures",  # what many games say about a game
    "interp/solve",     # exact values of small games
    "interp/native",    # the C back end, and libraries that scripts call
    "grammar/source", "grammar/syntax", "grammar/unit", "grammar/board", "grammar/check",
    "grammar/whole_game",   # effects, secrets, warnings
    "grammar/ir",        # expressions as intermediate code, and their instructions
    "grammar/elaborate", # expressions of the checked tree as intermediate code
    "grammar/choices",   # the code that lists the moves of a choice
    "grammar/emit",      # the code of statements; the data of a program
    "grammar/compile.h", "grammar/compile.c",
    "grammar/import",   # other systems' rules as scripts
    "grammar/query",    # questions about a checked tree
    "grammar/prose",    # a checked tree in English
    "interp/lab",       # archives, shards, measures of runs, studies, reports
    "interp/checks",    # deep check, symmetry, attacks, differences of two games
    "interp/lsp",       # the language server
    "interp/web",       # the engine for WebAssembly
    "interp/terminal",  # a game or the debugger at the terminal
    "interp/serve",     # the server of the page
    "interp/cli",       # the command
)
# Files that call each other, as in natural recursion: {files without endings: why}. At most six.
RECURSION = {
    ("grammar/check/calls", "grammar/check/declared_types", "grammar/check/expressions",
     "grammar/check/resolve"): "the type of a name may be inferred from an expression",
    ("grammar/prose/say_condition", "grammar/prose/say_movement", "grammar/prose/say_set",
     "grammar/prose/say_value"): "sets have conditions, and conditions compare values of sets",
    ("grammar/elaborate/elaborate", "grammar/elaborate/elaborate_call",
     "grammar/elaborate/elaborate_primitive", "grammar/elaborate/elaborate_table"):
        "expressions contain expressions",
    ("grammar/emit/choose", "grammar/emit/functions", "grammar/emit/statement_code",
     "grammar/emit/together"):
        "statements contain statements, calls inline them, and options have effects",
    ("interp/vm/filter", "interp/vm/game", "interp/vm/prune"):
        "a filter is judged by playing moves, which may have filters",
}
# How many files of a room may stand in other circles of calls: none.
IN_CIRCLES = {}
# What the compiler sees of interp/: the format of a program, what it stands on, and who evaluates
# constants.
COMPILER_SEES = ("interp/ferz.h", "interp/ferz_tools.h", "interp/support", "interp/board",
                 "interp/program", "interp/vm/evaluator.h", "interp/native/ffi.h")
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
# Written by flex, bison, awk and configure.
MADE = {"grammar/syntax/ferz_lex.c", "grammar/syntax/ferz_parse.c",
        "grammar/syntax/ferz_parse.h", "interp/native/texts.c", "interp/cli/skeletons.c",
        "config.h"}


def sources():
    paths = [path for folder in ("grammar", "interp") for path in (ROOT / folder).rglob("*")]
    names = [str(path.relative_to(ROOT)) for path in paths
             if path.suffix in (".c", ".h", ".def", ".l", ".y")]
    return sorted(set(names) - MADE)


def within(path, place):
    return path == place or path.startswith(place + "/")


def rank(path):
    """The place of the path's room in the order; None: it is in no room."""
    return next((i for i, places in enumerate(ORDER)
                 for place in ([places] if isinstance(places, str) else places)
                 if within(path, place)), None)


def included(path, files):
    """The files that it includes: a bare name is one of the same room, or an interface."""
    room = path.rsplit("/", 1)[0]
    for name in INCLUDE.findall((ROOT / path).read_text(encoding="utf-8")):
        places = (f"{room}/{name}", name, f"interp/{name}")
        found = [place for place in places if place in files or place in MADE]
        yield found[0] if found else name


def graph():
    files = sources()
    return {path: list(included(path, set(files))) for path in files}


def cycles(edges):
    """One line for each include that leads back to a file which is being included."""
    state, found = {}, []

    def visit(path, way):
        state[path] = "open"
        for other in edges[path]:
            if state.get(other) == "open":
                found.append("a cycle: " + " -> ".join(way[way.index(other):] + [other]) + "\n")
            elif other in edges and other not in state:
                visit(other, way + [other])
        state[path] = "done"

    for path in edges:
        if path not in state:
            visit(path, [path])
    return found


def upward(edges):
    """(file, included file) where the order is broken."""
    for path, others in edges.items():
        for other in others:
            if other in MADE:
                continue
            here, there = rank(path), rank(other)
            hidden = path.startswith("grammar/") and other.startswith("interp/") and \
                not any(within(other, place) for place in COMPILER_SEES)
            if there is None or (here is not None and there > here) or hidden:
                yield path, other


def complaints():
    edges = graph()
    found = [f"in no room: {path}\n" for path in edges if rank(path) is None]
    found += [f"against the order of rooms: {path} -> {other}\n" for path, other in upward(edges)]
    return "".join(found + cycles(edges))


def same_names():
    """Base names that several files have: a name tells which file is meant, also in a standalone
    game."""
    by_name = {}
    for path in sources():
        by_name.setdefault(path.rsplit("/", 1)[1], []).append(path)
    return "".join(f"one name: {' '.join(paths)}\n" for paths in by_name.values() if len(paths) > 1)
