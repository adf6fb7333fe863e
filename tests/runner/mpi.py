"""The processes of an MPI job play one run: `./dev test --mpi`. Skipped if ferz was built without
MPI, or nothing starts jobs of that MPI. Open MPI and MPICH may both be installed: `mpirun` is of
one, and ferz of one."""
import shutil

from .common import Job, Result

# Games with payoffs and errors, agents, chance; more processes than playouts.
RUNS = {
    "random": ["games/classic/tic-tac-toe.game", "-n", "20011"],
    "agents": ["games/classic/connect-four.game", "-n", "9", "--agents", "mcts:50,alphabeta:2"],
    "payoffs": ["tests/cli/stakes.game", "-n", "500", "-b"],
    "errors": ["tests/cli/ends.game", "-n", "300"],
    "few": ["games/race/ur.game", "-n", "3"],
    "shard": ["games/race/ur.game", "-n", "100", "--shard", "2/3"],
}
PROCESSES = (1, 2, 4)
# The MPIs by their libraries: what says so in `mpirun --version`, and what starts more processes
# than there are processors, also as root.
STARTERS = {"libmpi.so": ("mpirun.openmpi", "Open MPI", ["--allow-run-as-root", "--oversubscribe"]),
            "libmpich.so": ("mpirun.mpich", "HYDRA", [])}


def jobs(_):
    for name in RUNS:
        yield Job(f"mpi/{name}", same, name)
    yield Job("mpi/refused", refused)


def starter(context):
    """The words that start jobs of the MPI with which ferz was built; None: there are none."""
    linked = context.command(["ldd", context.ferz[-1]]).out
    for library, (program, sign, options) in STARTERS.items():
        for word in (program, "mpirun"):
            if library in linked and shutil.which(word) and \
                    sign in context.command([word, "--version"], merge=True).out:
                return [word, *options]
    return None


def job(context, count, *words):
    """ferz as a job of so many processes."""
    return context.command([*starter(context), "-np", str(count), *context.ferz, *words],
                           more={"OMPI_MCA_btl_base_warn_component_unused": "0"})


def is_built(context, name):
    if starter(context):
        return True
    context.skip(name, "ferz was built without MPI, or there is no mpirun of that MPI")
    return False


def same(context, name, run):
    """The report, and the file of --output, of any number of processes are those of one run."""
    if not is_built(context, name):
        return []
    folder = context.folder()
    results = []
    for more in (["-f", "text"], ["-f", "json"], ["--output", str(folder / "sums")]):
        words = ["playout", *RUNS[run], *more]
        wanted = context.run(*words)
        sums = (folder / "sums").read_text() if "--output" in more else ""
        for count in PROCESSES:
            got = job(context, count, *words)
            good = got.out == wanted.out and got.code == wanted.code
            if "--output" in more:
                good = good and (folder / "sums").read_text() == sums
            results.append(Result(f"{name}: {count} processes, {more[-1]}", good,
                                  f"one run: {wanted.describe()}\nprocesses: {got.describe()}"))
    return results


def refused(context, name):
    """One message, and no process waits for ever."""
    if not is_built(context, name):
        return []
    archive = job(context, 3, "playout", RUNS["few"][0], "--db", str(context.folder() / "a"))
    absent = job(context, 3, "playout", "absent.game")
    good = (archive.code == absent.code == 2 and archive.err.count("--db is for one process") == 1
            and "absent.game" in absent.err)
    return [Result(name, good, archive.describe() + "\n" + absent.describe())]
