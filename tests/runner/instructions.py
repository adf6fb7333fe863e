"""Speed, counted: no game of tests/bench/instructions.tsv needs 3 % more machine instructions for a
decision than the table says. Counts do not depend on the load of the machine, but on the compiler:
the table is for one kind of build. `./dev bench --instructions` writes it, after a change that is
meant to cost or to save."""
import shutil
import sys

from .common import ROOT, Job, Result

sys.path.insert(0, str(ROOT / "tests/bench"))
import instructions                                                        # noqa: E402

GROWTH = 1.03


def jobs(context):
    reason = obstacle(context)
    if reason:
        context.skip("instructions", reason)
        return
    for row in instructions.expected()[1]:
        yield Job(f"instructions/{row['game']}", count, row)


def obstacle(context):
    """Why nothing can be counted here; None."""
    if not shutil.which("valgrind"):
        return "no valgrind to count instructions with"
    if not instructions.has_fast_loops():
        return "instructions are counted on processors with AVX2 and BMI2"
    if (not context.build or not context.binary_exists() or context.is_instrumented()
            or instructions.build_of(context.build) != instructions.expected()[0]):
        return "instructions are counted in the build that tests/bench/instructions.tsv names"
    return None


def count(context, name, row):
    was = float(row["instructions"])
    found = instructions.decision(context.ferz[0], row["game"], int(row["playouts"]))
    return [Result(name, found <= GROWTH * was,
                   f"{found:.1f} instructions for a decision, {found / was:.3f} of {was:.1f}; "
                   "./dev bench --instructions writes the table anew")]
