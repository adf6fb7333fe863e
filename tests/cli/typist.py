"""Types at `ferz ARGS` on a pseudo-terminal: typist.py [-p LINES | -c LINES] KEYS ARGS. Blanks
separate the KEYS: TAB, ENTER, STOP (Ctrl-Z; the program is continued), or text. After each ENTER it
waits for the prompt "> ". Prints the lines that begin with "Last moves", and the moves that a TAB
has listed; with -p those in which the regular expression LINES is found; with -c these with their
escape sequences, as ^[."""
import os
import pty
import re
import select
import signal
import sys
import termios
import time

PATIENCE = 60
KEYS = {"TAB": "\t", "ENTER": "\n", "STOP": "\x1a"}
CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x08")


def read(terminal, seconds):
    """What was printed meanwhile: b"" if nothing was, None when the other side is closed."""
    if not select.select([terminal], [], [], seconds)[0]:
        return b""
    try:
        return os.read(terminal, 4096) or None
    except OSError:
        return None


def is_read(terminal):
    """Is a line edited, so that the terminal itself neither shows nor keeps what is typed? Before
    that, a prompt may already stand there."""
    return not termios.tcgetattr(terminal)[3] & termios.ICANON


def run_as_shells_do(words):
    """Runs ferz in a group of its own, in the foreground, and continues it when it stops."""
    ferz = os.fork()
    if ferz == 0:
        os.setpgid(0, 0)
        signal.signal(signal.SIGTTOU, signal.SIG_IGN)
        os.tcsetpgrp(0, os.getpid())
        signal.signal(signal.SIGTTOU, signal.SIG_DFL)
        os.execvp("ferz", ["ferz", *words])
    while True:
        _, status = os.waitpid(ferz, os.WUNTRACED)
        if not os.WIFSTOPPED(status):
            os._exit(os.waitstatus_to_exitcode(status) & 0xff)
        os.kill(ferz, signal.SIGCONT)


def read_until_quiet(terminal, prompt):
    """The bytes that were printed until the prompt stands there and a line is read, or the end of
    the output. They may end inside of a character."""
    seen, until = b"", time.monotonic() + PATIENCE
    while time.monotonic() < until:
        printed = read(terminal, 0.4)
        if printed is None:
            return seen
        if not printed and prompt in seen and is_read(terminal):
            return seen
        seen += printed
    return seen


def main():
    words, shown, colours = sys.argv[1:], re.compile("^(Last moves|a2-)"), False
    if words[0] in ("-p", "-c"):
        colours, shown, words = words[0] == "-c", re.compile(words[1]), words[2:]
    keys, *words = words
    process, terminal = pty.fork()
    if process == 0:
        os.environ["TERM"] = "xterm"
        run_as_shells_do(words)
    seen = read_until_quiet(terminal, b"> ")
    for key in keys.split(" "):
        os.write(terminal, KEYS.get(key, key).encode())
        seen += read_until_quiet(terminal, b"> " if key == "ENTER" else b"")
    os.write(terminal, b"\x15quit\n")
    seen += read_until_quiet(terminal, b"\0")
    seen = seen.decode()
    _, status = os.waitpid(process, 0)
    print("exit", os.waitstatus_to_exitcode(status))
    text = seen.replace("\x1b", "^[") if colours else CONTROL.sub("", seen)
    for line in text.replace("\r", "\n").split("\n"):
        if shown.search(line):
            print(line.rstrip())


main()
