"""Finds of the fuzz targets: tests/fuzz/finds/TARGET/* run through the target's plain program, if
the build made it. Each find counts one; an empty folder only runs the program."""
from .common import ROOT, Job, Result, crashed


def jobs(context):
    if not context.build:
        return
    for folder in sorted((ROOT / "tests/fuzz/finds").iterdir()):
        program = context.build / "tests/fuzz" / folder.name
        if context.has(program):
            yield Job(f"fuzz/{folder.name}", one_target, program, folder)
        else:
            context.skip(f"fuzz/{folder.name}", "fuzz targets that were not built")


def one_target(context, name, program, folder):
    output = context.command([*context.ferz[:-1], str(program), str(folder)], merge=True)
    passed = output.out.count(": ok\n")
    broken = output.code != 0 or crashed(output)
    return [Result(name, not broken, output.describe(), passed, int(bool(broken)))]
