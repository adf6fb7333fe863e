"""Whatever optimisations are switched off, games are the same: for every script of games/, as it is
and with other values of its options, the same moves in the same order at every decision, the same
games from the same seed, the same counts. tests/differential/differential.c plays them, first with
all optimisations, then without all and without some, which differ from game to game; a soak does
without each. And the tests that stand in scripts pass without all of them, in a short run those of
half of the games."""
import re

from .common import ROOT, Job, Result, crashed

# As it is, without all and some; with other options without all at once. A soak plays longer, and
# without each, and compares the lists of moves of many whole games: some positions are rare.
WHOLE = ("-n", 12, "-p", 20, "-m", 200, "-d", 2)
SOAK = ("-n", 12, "-p", 60, "-m", 5000, "-d", 2)
LISTS = ("--all", "-n", 200, "-l", 1, "-m", 30000, "-d", 1)
OTHERWISE = ("--all", "-n", 3, "-p", 20, "-m", 100, "-d", 2)
# Games that between them use what native code has of its own: tries, chance, history, several
# words, questions.
NATIVE = ("games/classic/hex", "tests/language/alone", "games/sow/kalah")
# What is about bounds that only tables keep.
BOUNDED = ("limits_towers", "can_early")
LIMITS = ("--limit", "instructions=10G")
# Games in which every optimisation that makes another program makes one.
AFFECTED = ("chess/chess", "classic/connect-four", "classic/lines-of-action", "sow/kalah")
SWITCH = re.compile(r'^OPTIMISATION\(\w+,\s*"([^"]*)",\s*COMPILED', re.MULTILINE)
OPTION = re.compile(r'^option (\w+)(?:: (bool|-?\d+\.\.-?\d+))?\s*(\{.*?\})?\s*= (\w+)',
                    re.MULTILINE | re.DOTALL)


def jobs(context):
    if not context.build:
        return
    program = context.build / "tests/differential/differential"
    if not context.has(program):
        context.skip("differential",
                     "the differential test was not built: make tests/differential/differential")
        return
    for place, path in enumerate(sorted((ROOT / "games").rglob("*.game"))):
        game = path.relative_to(ROOT / "games").with_suffix("")
        words = SOAK if context.soak else (*WHOLE, "-k", place)
        yield Job(f"differential/{game}", same, program, path, words, [])
        if context.soak:
            yield Job(f"differential/lists/{game}", same, program, path, LISTS, [])
            continue
        for number, options in enumerate(others(path.read_text(encoding="utf-8")), 1):
            yield Job(f"differential/{game}:{number}", same, program, path, OTHERWISE, options)
    for folder, part in ("games", 1 if context.soak else 2), ("stdlib", 1), ("tests/language", 1):
        for path in sorted((ROOT / folder).rglob("*.game"))[::part]:
            if path.stem not in BOUNDED:
                yield Job(f"differential/tests/{path.relative_to(ROOT).with_suffix('')}",
                          tested, path)
    if not any("valgrind" in word for word in context.ferz) and not context.soak:
        for name in SWITCH.findall((ROOT / "interp/program/optimisations.def")
                                   .read_text(encoding="utf-8")):
            yield Job(f"differential/is-switched/{name}", switched, name)
        for game in NATIVE:
            yield Job(f"differential/native/{game}", same, program, ROOT / f"{game}.game",
                      ("--native", "-n", 3, "-p", 40, "-d", 1), [])


def others(text):
    """Settings other than the default: the first has the first other value of every option,
    and so on."""
    values = []
    for name, type_, members, default in OPTION.findall(re.sub(r"//[^\n]*", "", text)):
        if members:
            possible = re.findall(r"\w+", re.sub(r'"[^"]*"', "", members))
        elif type_ == "bool":
            possible = ["false", "true"]
        else:
            low, high = map(int, type_.split(".."))
            possible = [str((int(default) + (low if int(default) > low else high)) // 2)]
        values.append([f"{name}={value}" for value in possible if value != default])
    for number in range(max(map(len, values), default=0)):
        yield [value[min(number, len(value) - 1)] for value in values if value]


def tested(context, name, path):
    """The file's tests without optimisations; libraries have what their tests need."""
    output = context.run("test", path, "--without", "all", *LIMITS)
    return [Result(name, output.code == 0 and not crashed(output), output.describe())]


def switched(context, name, optimisation):
    """It makes another program, or another state."""
    def made(path, *more):
        game = ROOT / "games" / f"{path}.game"
        return [context.run(word, game, *more).out for word in ("disasm", "info")]
    differs = any(made(path) != made(path, "--without", optimisation) for path in AFFECTED)
    return [Result(name, differs, "nothing is different without it")]


def same(context, name, program, path, words, options):
    where = {"XDG_CACHE_HOME": str(context.folder())}
    output = context.command([*context.ferz[:-1], str(program), *map(str, words), str(path),
                              *options], more=where)
    passed = len(re.findall(r"^ok ", output.out, re.MULTILINE))
    failed = len(re.findall(r"^FAIL ", output.out, re.MULTILINE))
    good = output.code == 0 and passed and not failed and not crashed(output)
    return [Result(name, good, " ".join(options) + "\n" + output.describe(), passed,
                   0 if good else max(failed, 1))]
