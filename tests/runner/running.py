"""Which jobs run, and the end of those that hang: a test that hangs is a failed test, and the
others go on."""
import contextlib
import math
import multiprocessing
import os
import signal
import threading
import time
from pathlib import Path

HANGS = 2           # a job hangs that takes so many times as long as one run of ferz may


def descendants(pid):
    """The processes that it has started, and those that they have."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = entry.read_text(encoding="utf-8", errors="replace").rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[1]) == pid:
            child = int(entry.parent.name)
            found += [child, *descendants(child)]
    return found


def command(pid):
    """The process and its words, for a message."""
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except OSError:
        words = []
    return f"{pid} {b' '.join(words).decode(errors='replace').strip()}"


def kill(processes):
    for pid in processes:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


class Running:
    """The jobs that the workers are at, in shared memory; a thread of the parent watches them."""

    def __init__(self, context, jobs):
        self.jobs = jobs
        self.patience = math.inf if context.soak else HANGS * context.time_limit
        self.worker = multiprocessing.Array("i", len(jobs), lock=False)
        self.since = multiprocessing.Array("d", len(jobs), lock=False)
        self.late, self.stop = set(), threading.Event()

    def begin(self, number):
        self.since[number] = time.monotonic()
        self.worker[number] = os.getpid()

    def end(self, number):
        self.worker[number] = 0

    def watch(self):
        while not self.stop.wait(1):
            for number, worker in enumerate(self.worker):
                if worker and time.monotonic() - self.since[number] > self.patience:
                    self.interrupt(number, worker)

    def interrupt(self, number, worker):
        """The worker goes on when what it waits for has ended; if it does not, nothing helps."""
        started = descendants(worker)
        print(f"{self.jobs[number].name} still runs after {self.patience} s: "
              + (", ".join(map(command, started)) or "the test itself"), flush=True)
        if not started or number in self.late:
            print("0 passed, 1 failed", flush=True)
            kill(descendants(os.getpid()))
            os._exit(1)
        self.late.add(number)
        self.since[number] = time.monotonic()
        kill(started)
