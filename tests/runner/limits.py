"""The limits of the compiler: what exceeds one is a named error; `./dev soak limits` compiles
scripts at a quarter of each size and at the whole one, whose costs must be near to linear. The list
is tests/bench/limits.py."""
import sys

from .common import ROOT, Job, Result

sys.path.insert(0, str(ROOT / "tests/bench"))
import limits                                   # noqa: E402

GROWTH, NOISE = 8, 0.3  # times for four times as much; seconds


def jobs(context):
    for number, row in enumerate(limits.ROWS):
        name = row.what.replace("`", "").replace(" ", "-")
        if context.soak:
            yield Job(f"limits/soak/growth/{name}", growth, number)
        elif row.code:
            yield Job(f"limits/{name}", beyond, number)


def beyond(context, name, number):
    row = limits.ROWS[number]
    _, _, code, said = limits.compile_script(context.ferz, row, row.limit + row.limit // 10 + 1)
    good = code == 1 and f"error[{row.code}]" in said
    return [Result(name, good, f"exit {code}, {row.code} expected\n{said[:500]}")]


def growth(context, name, number):
    row = limits.ROWS[number]
    found = [limits.compile_script(context.ferz, row, size)
             for size in (row.limit // 4, row.limit)]
    if any(code for _, _, code, _ in found):
        return [Result(name, False, "\n".join(said[:300] for *_, said in found))]
    less, more = (seconds for seconds, *_ in found)
    return [Result(name, more < GROWTH * less + NOISE, f"{less:.2f} s, then {more:.2f} s")]
