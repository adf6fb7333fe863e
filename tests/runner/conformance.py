"""The conformance suite (tests/conformance) against ferz: one job for each file of cases. Every
case names a clause of docs/spec, and every clause of chapters 1 to 14 has a case.

The reference interpreter (tests/reference) answers the cases, too. With --soak it replays games of
ferz: a script agrees if no game differs."""
import re
import sys

from .common import ROOT, Job, Result

sys.path.insert(0, str(ROOT / "tests/conformance"))
import ferz                                                                     # noqa: E402
import run as cases                                                             # noqa: E402

NOT_TESTED = "15."          # the chapter about conformance itself
REFERENCE = ROOT / "tests/reference"
GAMES, SECONDS = 10, 120    # of each script that are compared, and what they may take
LINES = 4000                # of the reference, all counted


def jobs(context):
    if context.soak:
        for path in sorted((ROOT / "games").rglob("*.game")):
            name = path.relative_to(ROOT / "games").with_suffix("").as_posix()
            yield Job(f"conformance/games/{name}", compared, path)
        return
    for path in sorted(cases.FOLDER.glob("*.cases")):
        yield Job(f"conformance/{path.stem}", one_file, path)
    yield Job("conformance/reference", reference)
    yield Job("conformance/reference-is-short", short)
    yield Job("conformance/clauses", clauses)
    yield Job("conformance/mistyped", mistyped)


def one_file(context, name, path):
    engine = ferz.Ferz(context.ferz, context.environment)
    some = cases.read_cases(path)
    engine.foresee(cases.refused(some))
    return list(results(name, engine, some))


def results(name, engine, some):
    for case in some:
        wrong = list(cases.differences(case, engine.answer))
        yield Result(f"{name}:{case.name}", not wrong, "\n".join([case.place, *wrong]))


def clauses(_, name):
    """Clauses and cases name each other."""
    there, tested = cases.clauses(), {case.clause for case in cases.all_cases()}
    wrong = [f"no case tests clause {one}" for one in sorted(there - tested)
             if not one.startswith(NOT_TESTED)]
    wrong += [f"there is no clause {one}" for one in sorted(tested - there)]
    wrong += [f"{case.place}: expects nothing" for case in cases.all_cases() if not case.points]
    return [Result(name, not wrong and len(tested) > 200, "\n".join(wrong))]


def mistyped(context, name):
    """Who asks for nothing has not passed."""
    done = []
    for words, code, said in (
            (["4.3.2", "nosuch"], 2, "no case has 'nosuch' in its name"),
            (["--engine", "nosuch"], 2, "cannot start the implementation: "),
            (["--engine", "'"], 2, "cannot start the implementation: "),
            (["--ferz", "/nosuch"], 2, "cannot start the implementation: "),
            (["--engine", "sed -u s/.*/7/", "4.3.2"], 1, "answer is no object of JSON")):
        output = context.command([sys.executable, "-B", cases.FOLDER / "run.py", *words],
                                 merge=True)
        good = output.code == code and said in output.out and "Traceback" not in output.out
        done.append(Result(f"{name}: {' '.join(words)}", good, output.describe()))
    return done


def reference(_, name):
    return list(results(name, cases.Engine(f"{sys.executable} -B {REFERENCE}/engine.py"),
                        cases.all_cases()))


def short(_, name):
    """Who wants to read the reference as a definition can."""
    lines = sum(len(path.read_text(encoding="utf-8").splitlines())
                for path in REFERENCE.glob("*.py"))
    return [Result(name, lines <= LINES, f"{lines} lines, more than {LINES}")]


def compared(context, name, path):
    output = context.command([sys.executable, "-B", cases.FOLDER / "compare.py", "--ferz",
                              context.ferz[0], "--games", str(GAMES), "--seconds", str(SECONDS),
                              path])
    good = re.search(r", 0 differs$", output.out.strip()) is not None
    return [Result(name, good, output.describe())]
