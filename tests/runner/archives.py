"""Archives: runs that are killed, interrupted or out of disk space, and go on with --resume; files
with a changed byte.

`./dev test` kills a few runs; `./dev soak archive` kills 100 of each kind, of which ten have a full
disk, and plays ten million games in one run, whose memory must not grow."""
import os
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import time

from .common import ROOT, Job, Result

GAME = "games/classic/tic-tac-toe.game"
GAMES = 25_000          # of the run "random"
# Commands: archives with records, with agents, with errors, of several runs, on more threads.
RUNS = {
    "random": ["playout", GAME, "--seed", "7", "-n", str(GAMES), "-t", "2"],
    "records": ["playout", "tests/cli/stakes.game", "--seed", "7", "-n", "6000", "-b",
                "--records", "all", "-t", "3"],
    "agents": ["playout", GAME, "--seed", "7", "-n", "150", "--agents", "mcts:300,random",
               "-t", "2"],
    "shard": ["playout", "games/race/ur.game", "--seed", "7", "-n", "9000", "--shard", "2/3"],
    "study": ["study", "tests/cli/lines.study", "-n", "60", "-t", "2", "--lines"],
}
KILLS, SOAK_KILLS = 4, 100
FULL = 10               # one of ten is not killed: its disk is full
PAIRS = 60              # one of ten or twenty met the file half made when it was made in steps
CASES, SOAK_CASES = 20, 4000    # archives with a changed byte
MANY, FEW, GROWTH = "10M", "100k", 4 << 10     # playouts; kilobytes that they may differ by
TABLES = ("SELECT run, first, count, records, experiment, ended IS NULL FROM run ORDER BY run",
          "SELECT run, game, decisions, turns, moves, kind, place, ranks, against, payoffs, "
          "record FROM played ORDER BY run, game",
          "SELECT run, game, use FROM use ORDER BY run, game")


def jobs(context):
    if not context.soak:
        for name in RUNS:
            yield Job(f"archive/killed/{name}", killed, name)
        yield Job("archive/interrupted", interrupted)
        yield Job("archive/disk-full", disk_full)
        yield Job("archive/two-at-once", two_at_once)
        yield Job("archive/made-at-once", made_at_once)
        yield Job("archive/changed-values", changed_values)
        yield Job("archive/changed-bytes", changed_bytes)
        yield Job("archive/changed-meanwhile", changed_meanwhile)
        return
    for name in RUNS:
        yield Job(f"archive/soak/killed/{name}", killed, name)
    yield Job("archive/soak/many", many)
    yield Job("archive/soak/changed-bytes", changed_bytes)


def words(context, name, path, *more):
    return [*context.ferz, *RUNS[name], "--db", str(path), "-f", "json", *more]


def rows(path):
    with sqlite3.connect(path) as database:
        found = [database.execute(query).fetchall() for query in TABLES]
        whole = database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    database.close()
    return found, whole


def start(context, command, **more):
    return subprocess.Popen(command, cwd=ROOT, env=context.environment, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)


def reference(context, name, folder):
    """The rows and the report of a run that nothing disturbs, and its seconds."""
    begun = time.monotonic()
    output = context.command(words(context, name, folder / "whole.sqlite"))
    if output.code:
        raise RuntimeError(output.describe())
    return rows(folder / "whole.sqlite")[0], output.out, time.monotonic() - begun


def limited(size):
    """Files cannot grow beyond this size."""
    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return {"preexec_fn": limit, "restore_signals": False}


def killed(context, name, run):
    """Ends with the rows and the report of a run that nobody kills."""
    folder = context.folder()
    wanted, report, seconds = reference(context, run, folder)
    path = folder / "killed.sqlite"
    dice, kills, caught = random.Random(f"{name}{os.getpid()}"), 0, 0
    while kills < (SOAK_KILLS if context.soak else KILLS):
        if caught == 8:                        # it is nearly done: another one begins
            for file in folder.glob("killed.sqlite*"):
                file.unlink()
            caught = 0
        full = kills % FULL >= FULL - 1 if context.soak else kills == KILLS - 1
        size = (path.stat().st_size if path.exists() else 0) + dice.randrange(1 << 18)
        process = start(context, words(context, run, path, "--resume"),
                        **(limited(size) if full else {}))
        try:
            process.wait(None if full else dice.uniform(0, min(2, seconds)))
        except subprocess.TimeoutExpired:
            process.kill()
            kills += 1
            caught += 1
        else:
            if process.returncode not in ((0, 2) if full else (0,)):
                return [Result(name, False, f"exit {process.returncode}, disk full: {full}\n"
                                            f"{process.stderr.read()}")]
            kills += 1 if process.returncode else 0.2
            caught = caught + 1 if process.returncode else 8
        process.communicate()
        if path.exists() and not rows_are_a_beginning(path, wanted):
            return [Result(name, False, f"after {kills} kills the archive is no beginning")]
    output = context.command(words(context, run, path, "--resume"))
    found, whole = rows(path)
    detail = "" if found == wanted else f"other rows after {kills} kills\n"
    detail += "" if whole else "the archive is damaged\n"
    detail += "" if output.out == report else f"another report\n{output.describe()}"
    return [Result(name, not detail, detail)]


def rows_are_a_beginning(path, wanted):
    """What a killed run has left: nothing at all, or the first games, each with its use."""
    with sqlite3.connect(path) as database:
        tables = database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        found = [database.execute(query).fetchall() if tables else [] for query in TABLES[1:]]
    database.close()
    return all(part == whole[:len(part)] for part, whole in zip(found, wanted[1:])) and \
        len(found[1]) == (len(found[0]) if wanted[2] else 0)


def has_games(path):
    """A run that has stored a game also catches the signal."""
    if not path.exists():
        return False
    with sqlite3.connect(path, timeout=60) as database:
        tables = database.execute("SELECT name FROM sqlite_master WHERE name = 'game'").fetchall()
        found = bool(tables) and database.execute("SELECT 1 FROM game LIMIT 1").fetchall()
    database.close()
    return bool(found)


def interrupted(context, name):
    """SIGINT: the report is that of the games in the archive, and --resume goes on."""
    folder = context.folder()
    wanted, report, seconds = reference(context, "random", folder)
    path = folder / "stopped.sqlite"
    process = start(context, words(context, "random", path))
    while not has_games(path) and process.poll() is None:
        time.sleep(0.01)
    time.sleep(seconds / 3)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    found, whole = rows(path)
    games = len(found[1])
    detail = "" if whole and found[1] == wanted[1][:games] else "other rows\n"
    # A build with sanitizers may need longer than the tenth of a second in which it has to end.
    cut_off = context.slow > 1 and process.returncode == -signal.SIGINT
    if games < len(wanted[1]) and not cut_off:
        detail += "" if f'"playouts": {games},' in out else f"{games} rows, and the report\n{out}"
        detail += "" if f"interrupted after {games} of" in err else err
    output = context.command(words(context, "random", path, "--resume"))
    detail += "" if rows(path)[0] == wanted and output.out == report else "not the same in the end"
    return [Result(name, not detail, detail)]


def disk_full(context, name):
    """The disk is full: a message, exit status 2, and the archive is whole and goes on. Where there
    is no room for a first byte, no file is left."""
    folder = context.folder()
    process = start(context, words(context, "random", folder / "none.sqlite"), **limited(0))
    process.communicate()
    left = [file.name for file in folder.glob("none.sqlite*")]
    if process.returncode != 2 or left:
        return [Result(name, False, f"exit {process.returncode}, left: {left}")]
    wanted, report, _ = reference(context, "random", folder)
    path = folder / "full.sqlite"

    process = start(context, words(context, "random", path), **limited(1 << 20))
    out, err = process.communicate()
    games = len(rows(path)[0][1])
    detail = "" if process.returncode == 2 and not out else f"exit {process.returncode}\n{out}"
    detail += "" if f"the archive has {games} of {GAMES} playouts" in err else f"{games}: {err}"
    detail += "" if 0 < games < GAMES else f"{games} games\n"
    output = context.command(words(context, "random", path, "--resume"))
    detail += "" if rows(path)[0] == wanted and output.out == report else "not the same in the end"
    return [Result(name, not detail, detail)]


def two_at_once(context, name):
    """Two processes write two runs into one archive."""
    folder = context.folder()
    path = folder / "both.sqlite"
    both = [start(context, words(context, run, path)) for run in ("random", "shard")]
    ends = [(*process.communicate(), process.returncode) for process in both]
    detail = "".join(err for _, err, code in ends if code)
    with sqlite3.connect(path) as database:
        counts = sorted(database.execute("SELECT count(*) FROM game GROUP BY run").fetchall())
    database.close()
    detail += "" if counts == [(3000,), (GAMES,)] else str(counts)
    return [Result(name, not detail, detail)]


def made_at_once(context, name):
    """Pairs of processes make an archive at the same moment: both find or make a whole one."""
    folder = context.folder()
    for number in range(PAIRS):
        path = folder / f"{number}.sqlite"
        both = [start(context, [*context.ferz, "playout", GAME, "-n", "1", "-t", "1", "--seed",
                                str(seed), "--db", str(path)]) for seed in (1, 2)]
        ends = [(*process.communicate(), process.returncode) for process in both]
        errors = "".join(err for _, err, code in ends if code)
        with sqlite3.connect(path) as database:
            runs = database.execute("SELECT count(*) FROM run").fetchone()[0] if not errors else 0
            journal = database.execute("PRAGMA journal_mode").fetchone()[0]
        database.close()
        if errors or runs != 2 or journal != "wal":
            return [Result(name, False, f"pair {number}: {runs} runs, {journal}\n{errors}")]
    return [Result(name, True)]


PARTIAL = ("DELETE FROM game WHERE game > 8", "DELETE FROM use WHERE game > 8",
           "UPDATE run SET ended = NULL")


def readers(context, folder):
    """Small archives, whole and half, each with the commands that read it."""
    plays = ["playout", "tests/cli/stakes.game", "--seed", "7", "-n", "12", "-b", "--records",
             "all", "-f", "json"]
    study = ["study", "tests/cli/use.study", "-n", "12", "--lines", "-f", "json"]
    found = []
    for file, words in (("plays", plays), ("study", study)):
        whole, half = folder / f"{file}.sqlite", folder / f"{file}-half.sqlite"
        output = context.run(*words, "--db", whole)
        if output.code:
            raise RuntimeError(output.describe())
        shutil.copy(whole, half)
        for sql in PARTIAL:
            subprocess.run(["python3", "-B", ROOT / "tests/cli/edit_archive.py", half, sql],
                           check=True)
        resume = [*words, "--resume", "--db"]
        found += [(half, resume), (whole, resume), (whole, ["export", "-f", "json"])]
    found += [(folder / "plays.sqlite", words) for words in (
        ["merge", "-f", "json"], ["measure", "--stored", "-f", "json", "--db"],
        ["export", "--run", "1", "--game", "7"])]
    return found


def answer(context, file, words):
    """What a command says about an archive, of which it gets a copy."""
    copy = file.with_name("copy.sqlite")
    shutil.copy(file, copy)
    at = words.index("export") + 1 if "export" in words else len(words)
    output = context.run(*words[:at], copy, *words[at:])
    for left in copy.parent.glob("copy.sqlite*"):
        left.unlink()
    return output


def changed_values(context, name):
    """Any one value of a row that was changed is found, but for keys whose change harms nothing."""
    folder, wrong = context.folder(), []
    whole, resume = [case for case in readers(context, folder) if "--lines" in case[1]][0]
    right, file = answer(context, whole, resume).out, folder / "changed.sqlite"
    for table in ("source", "run", "ending", "game", "use"):
        with sqlite3.connect(whole) as database:
            columns = database.execute(f"PRAGMA table_xinfo({table})").fetchall()
        database.close()
        for column, key in ((row[1], row[5]) for row in columns if row[6] == 0):
            shutil.copy(whole, file)
            with sqlite3.connect(file) as database:
                database.execute(f"UPDATE OR IGNORE {table} SET {column} = CASE typeof({column}) "
                                 f"WHEN 'integer' THEN {column} + 1 WHEN 'text' THEN "
                                 f"{column} || ' ' ELSE 1 END WHERE {column} IS "
                                 f"(SELECT max({column}) FROM {table})")
            database.close()
            output = answer(context, file, resume)
            if output.code != 2 or "damaged" not in output.err:
                if not key or output.code != 2 and output.out != right:
                    wrong.append(f"{table}.{column}: {output.describe()}")
    return [Result(name, not wrong, "\n".join(wrong))]


def changed_meanwhile(context, name):
    """A game that another program stores under our hands is said to be one, not SQL."""
    path = context.folder() / "meanwhile.sqlite"
    command = ["playout", GAME, "-n", "20", "--db", str(path)]
    context.run(*command)
    with sqlite3.connect(path) as database:
        database.executescript("DELETE FROM game WHERE game > 8; "
                               "CREATE TRIGGER other AFTER INSERT ON game WHEN new.game = 10 BEGIN "
                               "INSERT INTO game SELECT 1, 11, decisions, turns, moves, ending, "
                               "ranks, against, payoffs, record, checksum FROM game "
                               "WHERE game = 1; END")
    database.close()
    output = context.run(*command, "--resume")
    wanted = f"ferz playout: {path}: another program has changed the archive meanwhile\n"
    return [Result(name, output.code == 2 and output.err == wanted, output.describe())]


def changed_bytes(context, name):
    """A changed byte is found, or changes no answer."""
    folder, wrong, found = context.folder(), [], 0
    commands = readers(context, folder)
    right = [answer(context, file, words).out for file, words in commands]
    dice = random.Random(f"{name}{os.getpid()}" if context.soak else name)
    for _ in range(SOAK_CASES if context.soak else CASES):
        number = dice.randrange(len(commands))
        file, words = commands[number]
        data = bytearray(file.read_bytes())
        at = dice.randrange(len(data))
        while data[at] == 0 and dice.random() < 0.9:    # most of a page may be unused
            at = dice.randrange(len(data))
        old, data[at] = data[at], dice.choice([c for c in range(256) if c != data[at]])
        changed = folder / "changed.sqlite"
        changed.write_bytes(data)
        output = answer(context, changed, words)
        found += output.code != 0
        if not (output.code == 0 and output.out == right[number] or
                output.code in (1, 2) and output.err):
            wrong.append(f"byte {at} of {file.name}, {old} to {data[at]}: {output.describe()}")
    if not found:
        wrong.append("no change was found")
    return [Result(name, not wrong, "\n".join(wrong))]


def many(context, name):
    """Ten million games in one run take the memory of a hundred thousand."""
    peaks = []
    for count in (FEW, MANY):
        process = start(context, [*context.ferz, "playout", GAME, "-n", count, "-t", "2",
                                  "-f", "json"])
        out = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.stderr.close()
        process.stdout.close()
        peaks.append(usage.ru_maxrss)
        if status or '"failed": 0' not in out:
            return [Result(name, False, f"exit {status}\n{out}")]
    good = peaks[1] - peaks[0] < GROWTH
    return [Result(name, good, f"kilobytes: {peaks}")]
