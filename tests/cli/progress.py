"""Runs `ferz ARGS` with stderr on a pseudo-terminal, and with "interrupt" as the first argument
sends SIGINT when the bar stands. Prints what the bar looked like."""
import os
import pty
import re
import signal
import subprocess
import sys

BAR = re.compile(r"\r\x1b\[K\[([#.]{30})\] +(\d+) %  (\d+) ([a-z ]+), (\d+)/s(, \d+ s left)?")


def main():
    words = sys.argv[1:]
    interrupt = words[0] == "interrupt"
    outside, inside = pty.openpty()
    process = subprocess.Popen(["ferz", *words[interrupt:]], stdout=subprocess.PIPE, stderr=inside)
    os.close(inside)
    seen, sent = "", False
    while True:
        try:
            read = os.read(outside, 4096)
        except OSError:  # the other side is closed
            break
        if not read:
            break
        seen += read.decode()
        if interrupt and not sent and BAR.search(seen):
            process.send_signal(signal.SIGINT)
            sent = True
    out = process.stdout.read().decode()
    process.wait()
    bars = BAR.findall(seen)
    parts = [int(percent) for _, percent, *_ in bars]
    print("exit", process.returncode)
    print("bars:", "yes" if bars else "no", "- of", {what for _, _, _, what, *_ in bars})
    print("growing:", parts == sorted(parts),
          "- right:", all(shown.count("#") - 1 <= 30 * int(p) / 100 + 0.31 and
                          shown.count("#") + 1 >= 30 * int(p) / 100 - 0.31
                          for shown, p, *_ in bars))
    rest = seen[seen.rindex("\r\x1b[K") + 4:] if bars else seen
    print("taken away:", "[" not in rest)
    print("none on stdout:", "\r" not in out and "#" not in out and bool(out))
    print("interrupted:", "interrupted after" in rest)


main()
