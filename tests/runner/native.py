"""Native code plays the same games as the loop: for every script of games/ the same playouts from the same
seed, the same counts of moves. It is compiled without optimisation, which is for speed only and takes long."""
from .common import ROOT, Failure, Job, Result

PLAYOUTS = 20
IGNORED = ("seconds", "threads")


def jobs(context):
    if any("valgrind" in word for word in context.ferz):
        return
    for path in sorted((ROOT / "games").rglob("*.game")):
        yield Job(f"native/{path.relative_to(ROOT / 'games').with_suffix('')}", same, path)


def same(context, name, path):
    where = {"XDG_CACHE_HOME": str(context.folder()), "FERZ_CFLAGS": "-O0"}
    results = []
    for what in (["playout", path, "-n", PLAYOUTS, "--seed", 3, "--threads", 1],
                 ["perft", path, 2, "--decisions"]):
        plain, native = played(context, what), played(context, [*what, "--native"], where)
        results.append(Result(f"{name}: {what[0]}", plain == native, f"the loop   {plain}\nnative     {native}"))
    return results


def played(context, what, more=None):
    output = context.run(*what, "--format", "json", more=more)
    if output.code:                 # too many throws to follow: so must it be with the other
        return output.err
    if more and "--native" in output.err:
        raise Failure(f"{what[0]}: {output.describe()}")
    return [line for line in output.out.split("\n") if not any(f'"{word}"' in line for word in IGNORED)]
