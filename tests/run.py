#!/usr/bin/env python3
"""Runs the tests that are data: scripts, bad scripts, facts, sessions, the manual's examples.

    tests/run.py [--build DIR] [--suite NAME]... [--list] [-v] [--soak] [FILTER]

The binary is $FERZ (a command line, so that it may begin with valgrind) or ferz in --build. A test
is named suite/file[:part]; FILTER is a part of that name, and `SUITE/...` its beginning. Every
failure is printed with what was expected and what came; the last line is `N passed, N failed`, and
the exit code is 1 if any failed.

Adding a test is adding a file or a line. The suites, and where each one's format is described:

    language     tests/language/*.game           runner/scripts.py
    stdlib       stdlib/**, tests/stdlib/*.game  runner/scripts.py
    games        games/**/*.game                 runner/scripts.py
    docs         docs/**/*.md, README.md         runner/docs.py
    errors       tests/errors/*.game             runner/errors.py
    facts        tests/facts/*.tsv, *.json       runner/facts.py
    cli          tests/cli/*.test                runner/sessions.py
    rules        games/**/*.game                 runner/rulebooks.py
    lsp          sessions with `ferz lsp`        runner/lsp.py
    editors      Neovim with `ferz lsp`          runner/editors.py
    native       games/**/*.game                 runner/native.py
    differential games/** (with --build)         runner/differential.py
    secrets      games/** (with --build)         runner/secrets.py
    pictures     games/**, tests/pictures/*.scene  runner/pictures.py
    reports      pages of `ferz report`          runner/reports.py
    data         docs/schema/*.json              runner/data.py
    conformance  tests/conformance/*.cases       runner/conformance.py
    unit         tests/unit/*.c (with --build)   runner/unit.py
    instructions tests/bench/instructions.tsv    runner/instructions.py
    fuzz         tests/fuzz/finds (with --build) runner/fuzz.py
    memory       every command, short of memory  runner/memory.py
    archive      runs that are killed            runner/archives.py
    stops        every command, interrupted      runner/stops.py
    extremes     numbers of options and agents   runner/extremes.py
    agents       a game of each agent in games/  runner/agents.py
    limits       scripts beyond each limit       runner/limits.py
    mpi          jobs of several processes       runner/mpi.py
    web          tests/web/*.mjs (with --build)  runner/web.py
    python       tests/python/test_*.py          runner/python_module.py
    house        the project's own lists         runner/house.py

A session (tests/cli/*.test) is a sequence of blocks; `#` lines before the first one are comments:

    $ ferz perft games/classic/tic-tac-toe.game 1     a shell command
    depth 1: 9                                        then its output in full, stdout and
                                                      stderr as they come
    ? 1                                               then, unless it is 0, the exit code

It runs in a scratch folder in which games, stdlib, docs and tests are the project's. In the
expected output `...` alone on a line stands for any lines, `[..]` within a line for any text.
"""
import argparse
import faulthandler
import multiprocessing
import os
import resource
import shutil
import signal
import subprocess
import sys
import threading
from collections import Counter, namedtuple
from pathlib import Path

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from runner import (agents, archives, conformance, data, differential, docs,         # noqa: E402
                    editors, errors, extremes, facts, fuzz, house, instructions, limits,
                    lsp, memory, mpi, native, pictures, python_module, reports, rulebooks,
                    scripts, secrets, sessions, stops, unit, web)
from runner.common import ROOT, Context, Result, processor_seconds                   # noqa: E402
from runner.running import Running, descendants, kill                                # noqa: E402

# Those of long jobs first, so that no core idles at the end.
SUITES = {
    "pictures": pictures.jobs,
    "cli": sessions.jobs,
    "unit": unit.jobs,
    "native": native.jobs,
    "lsp": lsp.jobs,
    "house": house.jobs,
    "secrets": secrets.jobs,
    "memory": memory.jobs,
    "archive": archives.jobs,
    "stops": stops.jobs,
    "extremes": extremes.jobs,
    "agents": agents.jobs,
    "limits": limits.jobs,
    "reports": reports.jobs,
    "web": web.jobs,
    "differential": differential.jobs,
    "facts": facts.jobs,
    "data": data.jobs,
    "conformance": conformance.jobs,
    "games": scripts.games,
    "errors": errors.jobs,
    "rules": rulebooks.jobs,
    "docs": docs.jobs,
    "editors": editors.jobs,
    "instructions": instructions.jobs,
    "mpi": mpi.jobs,
    "python": python_module.jobs,
    "stdlib": scripts.stdlib,
    "language": scripts.language,
    "fuzz": fuzz.jobs,
}

SLOWEST = 5         # suites that the last lines name
ENDS = 60           # seconds for the workers to end in, once all is done


def arguments():
    parser = argparse.ArgumentParser(usage="tests/run.py [options] [FILTER]",
                                     description="Runs Ferz's tests.")
    parser.add_argument("filter", nargs="?", metavar="FILTER",
                        help="only tests whose name contains this")
    parser.add_argument("--filter", dest="filter_option", metavar="FILTER", help="the same")
    parser.add_argument("--build", metavar="DIR",
                        help="the build tree (for ferz and the unit tests)")
    parser.add_argument("--make", metavar="GOALS",
                        help="have ./dev make these in build-test; meanwhile the tests run that "
                             "need no build")
    parser.add_argument("--suite", action="append", choices=SUITES,
                        help="only this suite (repeatable)")
    parser.add_argument("--list", action="store_true", help="print the names of the jobs and stop")
    parser.add_argument("--soak", action="store_true",
                        help="run what is otherwise left out, and only that")
    parser.add_argument("--browser", choices=("chromium", "firefox"),
                        help="run the page's tests in this browser as well")
    parser.add_argument("--max-nodes", type=int, default=400_000, metavar="N",
                        help="leave out perft rows above this count (default 400,000)")
    parser.add_argument("--slow", type=int, default=1, metavar="N",
                        help="multiply every time limit")
    parser.add_argument("--jobs", type=int, default=(os.cpu_count() or 1) + 1, metavar="N",
                        help="run N at a time (default: one more than processors, as some wait)")
    parser.add_argument("-v", "--verbose", action="store_true",
                        help="print every job, its processor seconds, and its long commands")
    args = parser.parse_args()
    args.filter = args.filter or args.filter_option or ""
    return args


def matches(name, wanted):
    """`house/` is a suite, and no part of `native/icehouse/...`."""
    suite, slash, _ = wanted.partition("/")
    return name.startswith(wanted) if slash and suite in SUITES else wanted in name


def used():
    """Processor seconds of this process and of the programs that it waited for."""
    return processor_seconds(resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)


# What a worker says about a job.
Ran = namedtuple("Ran", "results skipped seconds long")


class Worker:
    """Runs jobs by number, in a process that has inherited them: so the time of each is known."""
    context = jobs = running = None

    @classmethod
    def run(cls, number):
        """One job's results, what it skipped, its time, and its long commands; a job that breaks
        has failed."""
        job, start = cls.jobs[number], used()
        cls.running.begin(number)
        try:
            return cls.results(job, start)
        finally:
            cls.running.end(number)

    @classmethod
    def results(cls, job, start):
        cls.context.skipped, cls.context.long = [], []
        try:
            results = job.run(cls.context)
        except Exception as broken:                     # noqa: BLE001: any failure is a result here
            results = [Result(job.name, False, f"{type(broken).__name__}: {broken}")]
        return Ran(results, cls.context.skipped, used() - start, cls.context.long)


def report(job, ran, verbose):
    for result in ran.results:
        if result.failed:
            print(f"FAIL {result.name}")
            for line in result.detail.rstrip("\n").split("\n"):
                print(f"     {line}")
    if verbose:
        good = all(not result.failed for result in ran.results)
        print(f"{'ok  ' if good else 'FAIL'} {job.name} ({sum(r.passed for r in ran.results)}, "
              f"{ran.seconds:.2f} s)")
        for seconds, command in ran.long:
            print(f"     {seconds:.2f} s: {command}")
    sys.stdout.flush()


def summary(totals):
    times = totals.times
    reasons = Counter(reason for reason, _ in totals.skipped)
    for reason, number in sorted(reasons.items()):
        print(f"skipped: {number} ({reason})")
    slowest = ", ".join(f"{suite} {seconds:.1f}" for suite, seconds in times.most_common(SLOWEST))
    print(f"processor seconds: {times.total():.1f}; slowest suites: {slowest}")
    print(f"{totals.passed} passed, {totals.failed} failed")


def usual_signals():
    """A worker ends at once when it is told to, and so does what it starts."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)


def end_with_all(scratch):
    """What SIGTERM and Ctrl-C do: nothing that a test has started goes on."""
    def end(number, _):
        kill(descendants(os.getpid()))
        shutil.rmtree(scratch, ignore_errors=True)
        os._exit(128 + number)

    for number in signal.SIGTERM, signal.SIGINT:
        signal.signal(number, end)


class Totals:
    """What all jobs came to."""

    def __init__(self, verbose):
        self.verbose = verbose
        self.passed = self.failed = 0
        self.skipped, self.times = [], Counter()

    def run(self, context, jobs, processes):
        running = Running(context, jobs)
        Worker.context, Worker.jobs, Worker.running = context, jobs, running
        with multiprocessing.get_context("fork").Pool(processes, usual_signals) as pool:
            end_with_all(context.scratch)
            watch = threading.Thread(target=running.watch, daemon=True)
            watch.start()
            done = pool.imap(Worker.run, range(len(jobs)))
            for number, (job, ran) in enumerate(zip(jobs, done)):
                if number in running.late:
                    ran.results.append(Result(job.name, False, "it had to be ended: see above"))
                report(job, ran, self.verbose)
                self.passed += sum(result.passed for result in ran.results)
                self.failed += sum(result.failed for result in ran.results)
                self.skipped += ran.skipped
                self.times[job.name.split("/")[0]] += ran.seconds
            running.stop.set()
            watch.join()
            faulthandler.dump_traceback_later(ENDS, exit=True)
            pool.close()                # a worker that is terminated while it waits may wait on
            pool.join()
        faulthandler.cancel_dump_traceback_later()


def wanted(args, suites, context):
    return [job for suite, find in suites.items() if not args.suite or suite in args.suite
            for job in find(context) if matches(job.name, args.filter)]


def main():
    args = arguments()
    context, totals = Context(args), Totals(args.verbose)
    if args.list:
        print("\n".join(job.name for job in wanted(args, SUITES, context)))
        return 0
    with context:
        early = []
        if args.make:
            early = wanted(args, {"house": house.of_sources}, context)
            build = subprocess.Popen([ROOT / "dev", "build", "--test", args.make])
            totals.run(context, early, 1)
            if build.wait():
                print("0 passed, 1 failed")     # who reads only the last line must not be misled
                return 1
        if not context.binary_exists():
            print(f"tests/run.py: no such program: {' '.join(context.ferz)} (set FERZ or --build)",
                  file=sys.stderr)
            return 2
        over = {job.name for job in early}
        jobs = [job for job in wanted(args, SUITES, context) if job.name not in over]
        totals.skipped += [(reason, name) for reason, name in context.skipped
                           if matches(name, args.filter)]
        totals.run(context, jobs, args.jobs)
    summary(totals)
    return 1 if totals.failed else 0


if __name__ == "__main__":
    sys.exit(main())
