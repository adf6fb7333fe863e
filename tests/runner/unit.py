"""Unit tests: the programs of tests/unit, if the build made them. Each cmocka test counts one."""
import re
import shutil

from .common import ROOT, Job, Result, crashed


def jobs(context):
    sources = sorted((ROOT / "tests/unit").glob("*.c"))
    if not context.build:
        return
    for source in sources:
        program = context.build / "tests/unit" / source.stem
        if context.has(program):
            yield Job(f"unit/{source.stem}", one_program, program)
        else:
            context.skip(f"unit/{source.stem}",
                         "unit tests that were not built: is cmocka there, is it in Makefile.inc?")
    program = context.build / "races/races"
    if context.has(program):
        yield Job("unit/races", races, program)


def races(context, name, program):
    """The threads' test with ThreadSanitizer in all that plays, which needs addresses that are not
    drawn at random."""
    fixed = ["setarch", "-R"] if shutil.which("setarch") else []
    output = context.command([*fixed, str(program)], cwd=program.parent, merge=True,
                             more={"TSAN_OPTIONS": "exitcode=99:halt_on_error=1"})
    good = output.code == 0 and "WARNING: ThreadSanitizer" not in output.out
    return [Result(name, good, output.describe())]


def one_program(context, name, program):
    words = context.ferz[:-1] + [str(program)]           # under valgrind, if ferz is
    output = context.command(words, cwd=program.parent, merge=True)
    passed = len(re.findall(r"^\[ +OK \]", output.out, re.MULTILINE))
    failed = re.findall(r"^\[ +FAILED +\] (?!(?:.*: )?\d+ test)([^\n]*)", output.out, re.MULTILINE)
    if (output.code != 0 and not failed) or crashed(output):
        failed = failed or ["?"]
    return [Result(name, not failed, output.describe(), passed, len(set(failed)))]
