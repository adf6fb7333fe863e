"""Native code plays the same games as the loop: the same playouts from the same seed, the same
counts of moves. It is compiled without optimisation, which is for speed only and takes long.

A test run plays the few games and scripts of tests/language that together have every instruction,
with each sign of its operands, and every width of sets; with a FILTER each game that it names.
Files that stand alone are made of one small game that needs all that they have of the library, and
of another as a part of a program. `./dev soak native` plays all games, deeper, and makes larger
files that stand alone, also with the compiler's best optimisation, for its warnings."""
import concurrent.futures
import json
import re

from . import facts
from .common import ROOT, UNOPTIMISED, Failure, Job, Result, difference

PLAYOUTS = 20
FIXED_COST = 2000       # of a game, in instructions: fewer and larger games compile faster
MOST_FIRST = 100        # first decisions, throws among them: of more, depth 2 takes too long
IGNORED = ("seconds", "threads")
DEEP = 5_000             # first decisions, in a soak
THROWS = ("--limit", "instructions=1M")
MOST_NODES = 10_000     # of a count from tests/facts
# Native code counts their turns in its own way: checks, pins, promotions, drops, palaces, hoppers.
COUNTED = ("chess/chess", "shogi/minishogi", "xiangqi/minixiangqi")
# Chains that are only asked whether they reach a side are not flooded.
REACHED = ROOT / "tests/language/reached.game"
# Stones take the places of others, on a board where counts and lines are kept.
KEPT = ROOT / "tests/language/kept.game"
ALONE = ROOT / "tests/language/alone.game"
SMALL = ROOT / "games/classic/tic-tac-toe.game"
# They use tries, chance, weighed chance, history, boards of several words, texts of moves that call
# functions.
ALONE_SOAK = ("chess/chakart", "go/go", "icehouse/martian-chess", "chess/chess", "race/backgammon",
              "draughts/international", "classic/hex")
WARNINGS = ("-Wall", "-Wextra", "-Werror")
CLIENT = """#define FERZ_INTERFACE_ONLY
#include "game.c"
#include <stdio.h>
int main(void)
{
    fz_program *game = fz_game();
    fz_machine *machine = fz_machine_new(game, NULL);
    fz_state *state = fz_state_new(machine, 5, 0);
    fz_moves *moves = fz_moves_new(machine);
    fz_move last = {0};
    while (fz_state_waiting(state) == FZ_WAITING_MOVE) {
        if (fz_state_moves(machine, state, moves) != FZ_OK)
            return 1;
        last = fz_moves_at(moves, fz_moves_count(moves) - 1);
        printf("%s\\n", fz_move_text(machine, state, &last));
        if (fz_state_play(machine, state, &last) != FZ_OK)
            return 1;
    }
    if (fz_state_play(machine, state, &last) != FZ_USAGE)
        return 1;
    for (int i = 0; i < fz_program_players(game); i++)
        printf("%s %d\\n", fz_program_player_name(game, i), fz_state_rank(state, i));
    fz_moves_free(moves);
    fz_state_free(state);
    fz_machine_free(machine);
    fz_program_release(game);
    return 0;
}
"""


def jobs(context):
    if any("valgrind" in word for word in context.ferz):
        return
    named = {path: f"native/{path.relative_to(ROOT / 'games').with_suffix('')}"
             for path in sorted((ROOT / "games").rglob("*.game"))}
    if not context.soak and not context.filter and not context.listing:
        named |= {path: f"native/language/{path.stem}"
                  for path in sorted((ROOT / "tests/language").glob("*.game"))}
        chosen = cover(context, [path for path in named if not is_variant(path)])
        counted_too = [ROOT / f"games/{name}.game" for name in COUNTED] + [REACHED, KEPT]
        named = {path: named[path] for path in dict.fromkeys([*chosen, *counted_too])}
    for path, name in named.items():
        yield Job(name, same, path)
    if context.soak:
        for name in ALONE_SOAK:
            yield Job(f"native/alone/{name}", alone, ROOT / "games" / f"{name}.game")
        yield Job("native/alone/optimised", optimised)
    else:
        yield Job("native/alone/all", alone_and_misused)
    yield Job("native/alone/client", client, *("-O2" if context.soak else UNOPTIMISED).split())


def is_variant(path):
    return path.read_text(encoding="utf-8").startswith("variant ")


# An instruction of `ferz disasm`: its place, name and operands.
INSTRUCTION = re.compile(r"^ +\d+  ([A-Z]\w+)(.*)$", re.MULTILINE)


def features(context, path):
    """What native code treats differently, and the number of instructions."""
    found = INSTRUCTION.findall(context.run("disasm", path).out)
    if not found:
        return set(), 0                 # a library
    width = context.data("info", path)["state"]["set_words"]
    names = {name for name, _ in found}
    tries = {"questions and filters"} if {"CAN", "PEND"} <= names else set()
    return {f"{width} words"} | tries | {name + " -" * (" -" in operands)
                                         for name, operands in found}, len(found)


def cover(context, paths):
    """Games that have all features between them: next the one that adds most for its length."""
    with concurrent.futures.ThreadPoolExecutor(context.processes) as pool:
        found = dict(zip(paths, pool.map(lambda path: features(context, path), paths)))
    missing, chosen = set().union(*(has for has, _ in found.values())), []
    while missing:
        chosen.append(max(paths, key=lambda path: len(found[path][0] & missing) /
                                                  (FIXED_COST + found[path][1])))
        missing -= found[chosen[-1]][0]
    return chosen


def same(context, name, path):
    where = {"XDG_CACHE_HOME": str(context.folder())}
    results = []
    # Whole turns with all throws may be too many to count.
    whole = context.soak or not context.data("info", path)["chance"]
    counts = [["perft", path, depth(context, path, *words), *words, *THROWS]
              for words in ([[], ["--decisions"]] if whole else [["--decisions"]])]
    for what in (["playout", path, "-n", PLAYOUTS, "--seed", 3, "--threads", 1], *counts):
        plain, native = played(context, what), played(context, [*what, "--engine", "native"], where)
        results.append(Result(f"{name}: {what[0]}", plain == native,
                              f"the loop   {plain}\nnative     {native}"))
    return results + known(context, name, path, where)


def known(context, name, path, where):
    """The counts of tests/facts, from each of their positions."""
    results = []
    game = str(path).removeprefix(f"{ROOT / 'games'}/")
    for (_, options, position, decisions), rows in facts.rows_of(facts.FOLDER / "perft.tsv",
                                                                 game).items():
        rows = {depth: nodes for depth, (nodes, _) in rows.items() if nodes <= MOST_NODES}
        if options != "-" or decisions or not rows:
            continue
        output = context.run("perft", path, max(rows), *facts.position_words(position),
                             "--format", "json", "--engine", "native", more=where)
        got = {row["depth"]: row["nodes"] for row in json.loads(output.out or "{}")["depths"]}
        results.append(Result(f"{name}: {position}", all(got.get(d) == rows[d] for d in rows),
                              f"expected {rows}\ngot      {got}\n{output.err}"))
    return results


def depth(context, path, *words):
    first = context.run("perft", path, 1, *words, *THROWS, "--format", "json")
    if first.code:
        return 1
    return 2 if json.loads(first.out)["depths"][0]["nodes"] <= (DEEP if context.soak
                                                                else MOST_FIRST) else 1


def played(context, what, more=None):
    output = context.run(*what, "--format", "json", more=more)
    if output.code:                 # too many throws to follow: so must it be with the other
        return output.err
    if more and "--engine native" in output.err:
        raise Failure(f"{what[0]}: {output.describe()}")
    return [line for line in output.out.split("\n")
            if not any(f'"{word}"' in line for word in IGNORED)]


# ---- files that stand alone ----

def made(context, path, *flags):
    """A folder with the game as game.c, and the program that the compiler makes of it."""
    folder = context.folder()
    output = context.run("compile", "--c", "--standalone", path, "-O", folder / "game.c")
    if output.code:
        raise Failure(output.describe())
    built(context, folder, *flags, "game.c", "-o", "game", "-lm")
    return folder


def built(context, folder, *words):
    output = context.command(["cc", *words], cwd=folder)
    if output.code or output.err:
        raise Failure(f"cc {' '.join(words)}: {output.describe()}")


def run_alone(context, folder, *words):
    output = context.command(["./game", *map(str, words)], cwd=folder)
    if output.code:
        raise Failure(f"./game {words}: {output.describe()}")
    return output.out


def tally(data):
    """What the file's main prints, of the JSON of ferz playout."""
    length = data["length"]
    lines = [f"playouts {data['playouts']}",
             *(f"{name} won {wins}" for name, wins in zip(data["players"], data["wins"])),
             *(f"{word} {data[word]}" for word in ("draws", "stopped", "failed", "plies", "turns"))]
    return "\n".join([*lines,
                      f"length mean {length['mean']:.6f} deviation {length['deviation']:.6f} "
                      f"median {length['median']:g} from {length['min']} to {length['max']}\n"])


def alone(context, name, path):
    return compared(context, name, path, made(context, path, "-O0", *WARNINGS))


def compared(context, name, path, folder):
    """The same playouts, counts and moves as ferz."""
    data = context.data("playout", path, "-n", PLAYOUTS, "--seed", 3, "--threads", 1)
    first = context.run("moves", path).out
    alike = re.search(r"^.*#2$", first, re.MULTILINE)
    move = alike[0] if alike else first.split("\n", 1)[0]
    pairs = (("playout", tally(data),
              run_alone(context, folder, "-n", PLAYOUTS, "-s", 3, "playout")),
             ("threads", tally(data),
              run_alone(context, folder, "-n", PLAYOUTS, "-s", 3, "-t", 2, "playout")),
             ("perft", counted(context.run("perft", path, 2, "--decisions")),
              counted(context.command(["./game", "-d", "perft", "2"], cwd=folder))),
             ("moves", first, run_alone(context, folder, "moves")),
             ("a move", context.run("moves", path, "--play", move).out,
              run_alone(context, folder, "--", "moves", move)))
    return [Result(f"{name}: {what}", expected == got, difference(expected, got))
            for what, expected, got in pairs]


def counted(output):
    """What was counted, and why no more."""
    why = (output.err.removeprefix("ferz perft: ")
           .replace(" (--limit instructions=N allows more)", ""))
    return output.out + why


def alone_and_misused(context, name):
    folder = made(context, ALONE, *UNOPTIMISED.split(), *WARNINGS)
    return [*compared(context, name, ALONE, folder), *misused(context, name, folder)]


def optimised(context, name):
    """Without a warning also where the compiler looks through calls."""
    folder = made(context, SMALL, "-O2", *WARNINGS)
    return [*compared(context, name, SMALL, folder), *misused(context, name, folder)]


# What the small command line refuses, and a part of what it says of it.
MISUSED = (("-n -5 playout", "-n takes a number"), ("-n 5x playout", "-n takes a number"),
           ("-n", "usage:"), ("-n 18446744073709551616 playout", "-n takes a number"),
           ("-s -1 playout", "-s takes a number"), ("-t 0 playout", "-t takes a number"),
           ("-t 1025 playout", "-t takes a number"), ("playout 5", "usage:"),
           ("-z playout", "usage:"), ("perft", "one DEPTH"), ("perft x", "one DEPTH"),
           ("perft 0", "one DEPTH"), ("perft 2 3", "one DEPTH"),
           ("perft 1001", "one DEPTH"), ("plyout", "usage:"), ("", "usage:"))


def misused(context, name, folder):
    """Numbers that are none, options that are none, a full disk:
    an exit code of 2 and a word on it."""
    results = []
    for words, said in MISUSED:
        output = context.command(["./game", *words.split()], cwd=folder)
        good = output.code == 2 and said in output.err and not output.out
        results.append(Result(f"{name}: {words}", good, output.describe()))
    full = context.command(["sh", "-c", "./game moves > /dev/full"], cwd=folder)
    results.append(Result(f"{name}: full disk", full.code == 2 and "cannot write" in full.err,
                          full.describe()))
    illegal = context.command(["./game", "--", "moves", "-z"], cwd=folder)
    results.append(Result(f"{name}: illegal move", illegal.code == 1, illegal.describe()))
    return results


def client(context, name, *optimised):
    """The file as a part of another program: its interface from the head of it, main left out."""
    folder = context.folder()
    output = context.run("compile", "--c", "--standalone", SMALL, "-O", folder / "game.c")
    if output.code:
        raise Failure(output.describe())
    (folder / "client.c").write_text(CLIENT)
    built(context, folder, *optimised, "-Wunused", "-Werror", "-DFERZ_NO_MAIN", "-c", "game.c",
          "-o", "game.o")
    built(context, folder, "-O0", *WARNINGS, "client.c", "game.o", "-o", "game", "-lm")
    expected = "c3\nb3\na3\nc2\nb2\na2\nc1\nX 1\nO 2\n"
    got = run_alone(context, folder)
    return [Result(name, expected == got, difference(expected, got))]
