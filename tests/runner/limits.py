"""The limits of the compiler: what exceeds one is a named error; `./dev soak limits` compiles
scripts at a quarter of each size and at the whole one, whose costs must be near to linear. So must
those of other commands. The lists are in tests/bench/limits.py."""
import sys

from .common import ROOT, Job, Result

sys.path.insert(0, str(ROOT / "tests/bench"))
import limits                                   # noqa: E402

GROWTH, NOISE = 8, 0.3  # times for four times as much; seconds


def jobs(context):
    for number, row in enumerate(limits.ROWS):
        if context.soak:
            yield Job(f"limits/soak/growth/{named(row)}", growth, number)
        elif row.code:
            yield Job(f"limits/{named(row)}", beyond, number)
    for number, row in enumerate(limits.COMMANDS):
        if context.binary_exists() and context.is_instrumented():
            # sanitizers give large blocks back page by page
            context.skip(f"limits/{named(row)}", "times need a build without sanitizers")
            continue
        yield Job(f"limits/{named(row)}", command_growth, number)


def named(row):
    return row.what.replace("`", "").replace(" ", "-")


def beyond(context, name, number):
    row = limits.ROWS[number]
    _, _, code, said = limits.compile_script(context.ferz, row, row.limit + row.limit // 10 + 1)
    good = code == 1 and f"error[{row.code}]" in said
    return [Result(name, good, f"exit {code}, {row.code} expected\n{said[:500]}")]


def growth(context, name, number):
    row = limits.ROWS[number]
    return linear(name, *[limits.compile_script(context.ferz, row, size)
                          for size in (row.limit // 4, row.limit)])


def command_growth(context, name, number):
    row = limits.COMMANDS[number]
    return linear(name, *[limits.run(context.ferz, row.words, row.script(size))
                          for size in (row.count // 4, row.count)])


def linear(name, small, large):
    if small[2] > 1 or large[2] > 1:
        return [Result(name, False, "\n".join((small[3][:300], large[3][:300])))]
    good = large[0] < GROWTH * small[0] + NOISE
    return [Result(name, good, f"{small[0]:.2f} s, then {large[0]:.2f} s")]
