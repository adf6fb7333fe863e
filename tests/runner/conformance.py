"""The conformance suite (tests/conformance) against ferz: one job for each file of cases. Every
case names a clause of docs/spec, and every clause of chapters 1 to 14 has a case."""
import sys

from .common import ROOT, Job, Result

sys.path.insert(0, str(ROOT / "tests/conformance"))
import ferz                                                                     # noqa: E402
import run as cases                                                             # noqa: E402

NOT_TESTED = "15."          # the chapter about conformance itself


def jobs(_):
    for path in sorted(cases.FOLDER.glob("*.cases")):
        yield Job(f"conformance/{path.stem}", one_file, path)
    yield Job("conformance/clauses", clauses)


def one_file(context, name, path):
    engine = ferz.Ferz(context.ferz, context.environment)
    results = []
    for case in cases.read_cases(path):
        wrong = list(cases.differences(case, engine.answer))
        results.append(Result(f"{name}:{case.name}", not wrong, "\n".join([case.place, *wrong])))
    return results


def clauses(_, name):
    """Clauses and cases name each other; twins of expectations are other values."""
    there, tested = cases.clauses(), {case.clause for case in cases.all_cases()}
    wrong = [f"no case tests clause {one}" for one in sorted(there - tested)
             if not one.startswith(NOT_TESTED)]
    wrong += [f"there is no clause {one}" for one in sorted(tested - there)]
    wrong += [f"{case.place}: expects nothing" for case in cases.all_cases() if not case.points]
    return [Result(name, not wrong and len(tested) > 200, "\n".join(wrong))]
