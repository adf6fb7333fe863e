"""Clicks and types at `ferz ARGS` on a pseudo-terminal with a screen: clicker.py KEYS ARGS.

Blanks separate the KEYS:
  ENTER, TAB        these keys
  @LINE,COLUMN      a click: in the lowest line of the screen in which the regular expression LINE
                    is found, in this column from 0; `_` stands for a blank
  @@ROW,COLUMN      a click at this place of the screen, from 1
  ESC...            bytes behind ESC [, such as ESC<0;3;4M; \\xNN is a byte
  BYTES             from now on the terminal reports clicks with bytes, as old ones do
  DEAF              from now on it does not say where its cursor is
  SIZE=ROWSxCOLUMNS the window has another size
  INT, QUIT, EOF, STOP  Ctrl-C, Ctrl-\\, Ctrl-D, Ctrl-Z; what stops goes on half a second later
  TERM, CONT        these signals
  WAIT              a second passes
  ?                 prints the line of the cursor
  text              typed, with blanks for `_`

Prints what `?` asks for, the last line "Last moves", the end of the program, and whether the
terminal still reports clicks."""
import fcntl
import os
import pty
import re
import signal
import struct
import sys
import termios
import time

from keyboard import PATIENCE, is_read, read

SIGNALS = {"INT": b"\x03", "QUIT": b"\x1c", "STOP": b"\x1a", "EOF": b"\x04", "TERM": b"",
           "CONT": b""}


class Screen:
    """As much of a terminal as ferz and libedit use."""

    def __init__(self, rows, columns):
        self.rows, self.columns = rows, columns
        self.lines = [[" "] * columns for _ in range(rows)]
        self.row = self.column = 0
        self.modes, self.answer, self.rest = set(), b"", ""
        self.inserts, self.told = False, []

    def feed(self, text):
        text = self.rest + text
        self.rest = ""
        at = 0
        while at < len(text):
            if text[at] != "\x1b":
                self.put(text[at])
                at += 1
                continue
            found = re.match(r"\x1b(?:\[([0-9;?]*)([@-~])|[()].|[=>78cM])", text[at:])
            if not found:
                self.rest = text[at:]
                return
            if found[2]:
                self.control(found[1], found[2])
            at += found.end()

    def put(self, character):
        if character == "\r":
            self.column = 0
        elif character == "\n":
            self.told.append("".join(self.lines[self.row]).rstrip())
            self.down()
        elif character == "\b":
            self.column = max(0, self.column - 1)
        elif character >= " ":
            if self.column == self.columns:
                self.column = 0
                self.down()
            line = self.lines[self.row]
            if self.inserts:
                line.insert(self.column, character)
                line.pop()
            else:
                line[self.column] = character
            self.column += 1

    def down(self):
        if self.row + 1 < self.rows:
            self.row += 1
        else:
            self.lines = self.lines[1:] + [[" "] * self.columns]

    def control(self, numbers, letter):
        if letter in "hl":
            self.switch(numbers, letter == "h")
            return
        count = int(numbers) if numbers.isdigit() else 1
        line = self.lines[self.row]
        if letter == "A":
            self.row = max(0, self.row - count)
        elif letter == "B":
            self.row = min(self.rows - 1, self.row + count)
        elif letter == "C":
            self.column = min(self.columns - 1, self.column + count)
        elif letter == "D":
            self.column = max(0, self.column - count)
        elif letter == "G":
            self.column = count - 1
        elif letter == "H":
            self.row, self.column = ([int(n) - 1 for n in numbers.split(";")] if numbers
                                     else (0, 0))
        elif letter == "K":
            line[self.column:] = [" "] * (self.columns - self.column)
        elif letter == "J":
            line[self.column:] = [" "] * (self.columns - self.column)
            for below in range(self.row + 1, self.rows):
                self.lines[below] = [" "] * self.columns
        elif letter == "P":
            del line[self.column:self.column + count]
            line += [" "] * (self.columns - len(line))
        elif letter == "@":
            line[self.column:self.column] = [" "] * count
            del line[self.columns:]
        elif letter == "n":
            self.answer += b"\x1b[%d;%dR" % (self.row + 1, min(self.column + 1, self.columns))

    def switch(self, numbers, on):
        if numbers == "4":
            self.inserts = on
        (self.modes.add if on else self.modes.discard)(numbers)

    def before_cursor(self):
        return "".join(self.lines[self.row][:self.column])

    def find(self, expression):
        """The lowest row, from 1, in which the expression is found."""
        for row in range(self.rows - 1, -1, -1):
            if re.search(expression, "".join(self.lines[row])):
                return row + 1
        sys.exit(f"no line with {expression!r} on the screen:\n" + "\n".join(map(
            "".join, self.lines)))


def run_as_shells_do(words):
    """Runs ferz in a group of its own, in the foreground, and sends it on when it stops."""
    ferz = os.fork()
    if ferz == 0:
        os.setpgid(0, 0)
        signal.signal(signal.SIGTTOU, signal.SIG_IGN)
        os.tcsetpgrp(0, os.getpid())
        for default in (signal.SIGTTOU, signal.SIGINT, signal.SIGQUIT):  # ignored in the background
            signal.signal(default, signal.SIG_DFL)
        os.execvp("ferz", ["ferz", *words])
    while True:
        _, status = os.waitpid(ferz, os.WUNTRACED)
        if not os.WIFSTOPPED(status):
            os._exit(os.waitstatus_to_exitcode(status) & 0xff)
        time.sleep(0.5)
        os.kill(ferz, signal.SIGCONT)


class Person:
    def __init__(self, words):
        self.screen = Screen(24, 80)
        self.bytes = self.deaf = self.ended = False
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.environ.update(TERM="xterm", NO_COLOR="1")
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
            run_as_shells_do(words)
        self.watch(self.asks)

    def watch(self, done=lambda: False, patience=PATIENCE):
        """Shows the output until what is waited for is there, or the program has ended."""
        until = time.monotonic() + patience
        while not self.ended and not done() and time.monotonic() < until:
            printed = read(self.terminal, 0.05)
            self.ended = printed is None
            self.screen.feed((printed or b"").decode(errors="replace"))
            if self.screen.answer and not self.deaf:
                os.write(self.terminal, self.screen.answer)
            self.screen.answer = b""

    def asks(self):
        return "> " in self.screen.before_cursor() and is_read(self.terminal)

    def settle(self, key=b""):
        """Types the key, and waits until it has been read: a further one is shown behind the
        prompt. Both are typed at once, while the line is read."""
        if not self.ended:
            os.write(self.terminal, key + b"~")
            self.watch(lambda: re.search("> .*~$", self.screen.before_cursor()) and self.asks())
        if not self.ended:
            os.write(self.terminal, b"\x7f")
            self.watch(lambda: not self.screen.before_cursor().endswith("~"))

    def reports(self):
        return bool(self.screen.modes & {"?1000", "?1006"})

    def click(self, row, column):
        if "?1000" not in self.screen.modes:
            return b""
        if self.bytes:
            return b"\x1b[M" + bytes([32, 32 + column, 32 + row])
        return b"\x1b[<0;%d;%dM\x1b[<0;%d;%dm" % (column, row, column, row)

    def resize(self, size):
        self.screen.rows, self.screen.columns = map(int, size.split("x"))
        self.screen.lines = [line[:self.screen.columns] for line in
                             self.screen.lines[-self.screen.rows:]]
        self.screen.row = min(self.screen.row, self.screen.rows - 1)
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack(
            "HHHH", self.screen.rows, self.screen.columns, 0, 0))

    def bytes_of(self, key):
        """What the key sends; None: it sends nothing."""
        if key.startswith("@@"):
            row, column = map(int, key[2:].split(","))
            return self.click(row, column)
        if key.startswith("@"):
            line, column = key[1:].replace("_", " ").rsplit(",", 1)
            return self.click(self.screen.find(line), int(column) + 1)
        if key.startswith("ESC"):
            return b"\x1b[" + key[3:].encode("latin-1").decode("unicode_escape").encode("latin-1")
        return {"ENTER": b"\n", "TAB": b"\t"}.get(key, key.replace("_", " ").encode())

    def act(self, key):
        if key == "?":
            print("line:", "".join(self.screen.lines[self.screen.row]).rstrip())
        elif key == "BYTES":
            self.bytes = True
        elif key == "WAIT":
            self.watch(patience=1)
        elif key == "DEAF":
            self.deaf = True
        elif key.startswith("SIZE="):
            self.resize(key[5:])
        elif key in SIGNALS:
            self.send(key)
        elif key.startswith("ESC"):  # what follows may be part of it
            os.write(self.terminal, self.bytes_of(key))
        else:
            self.settle(self.bytes_of(key))

    def send(self, name):
        if not SIGNALS[name]:
            os.kill(os.tcgetpgrp(self.terminal), getattr(signal, "SIG" + name))
        else:
            os.write(self.terminal, SIGNALS[name])
        if name == "CONT":
            self.watch(patience=1)
            return
        reported = self.reports()
        self.watch(lambda: name == "STOP" and not self.reports())
        print(name, "clicks are reported:", self.reports())
        if reported:
            self.watch(lambda: self.reports() and self.asks())
        else:
            self.watch(patience=1)
        self.settle()

    def leave(self):
        if not self.ended:
            os.write(self.terminal, b"\x15quit\n")
            self.watch()
        _, status = os.waitpid(self.process, 0)
        played = [line for line in self.screen.told if line.startswith("Last moves")]
        print(*played[-1:], sep="\n", end="\n" if played else "")
        print("end", os.waitstatus_to_exitcode(status), "clicks are reported:", self.reports())


def main():
    keys, *words = sys.argv[1:]
    person = Person(words)
    for key in keys.split():
        person.act(key)
    person.leave()


main()
