"""What those who type at ferz on a pseudo-terminal share: typist.py, clicker.py."""
import os
import select
import termios

PATIENCE = 60


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
