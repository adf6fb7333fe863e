"""Types at `ferz ARGS` on a pseudo-terminal: typist.py [-p LINES | -c LINES] KEYS ARGS. Blanks
separate the KEYS: TAB, ENTER, or text. Behind each ENTER it waits for the prompt "> ". Prints the
lines that begin with "Last moves", and the moves that a TAB has listed; with -p those in which the
regular expression LINES is found; with -c these with their escape sequences, as ^[."""
import os
import pty
import re
import sys
import time

from keyboard import PATIENCE, is_read, read

KEYS = {"TAB": "\t", "ENTER": "\n"}
CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x08")


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
        os.execvp("ferz", ["ferz", *words])
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
