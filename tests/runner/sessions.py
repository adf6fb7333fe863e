"""Command sessions: tests/cli/*.test. The format is described at the top of run.py."""
import re

from .common import ROOT, Job, Result, difference


def jobs(_):
    for path in sorted((ROOT / "tests/cli").glob("*.test")):
        yield Job(f"cli/{path.stem}", one_session, path)


def steps(source):
    """(line, command, expected lines, expected exit code or None) of each block."""
    found = []
    for number, line in enumerate(source.rstrip("\n").split("\n"), 1):
        if line.startswith("$ "):
            found.append([number, line[2:], [], None])
        elif found and re.match(r"\? \d+$", line):
            found[-1][3] = int(line[2:])
        elif found:
            found[-1][2].append(line.removeprefix("\\")
                                if line.startswith(("\\$ ", "\\? ")) else line)
    for step in found:                       # blank lines before the next command are only layout
        while step[2] and not step[2][-1].strip():
            step[2].pop()
    return found


def pattern(lines):
    """What the expected lines match: `...` stands for any lines, `[..]` for any text in a line."""
    parts = [r"(?:.*\n)*" if line == "..." else
             ".*".join(map(re.escape, line.rstrip().split("[..]"))) + r"\n" for line in lines]
    return re.compile("".join(parts))


def one_session(context, name, path):
    folder = context.folder()
    for shared in ("games", "stdlib", "docs", "tests"):
        (folder / shared).symlink_to(ROOT / shared)
    return session(context, name, folder, path.read_text(encoding="utf-8"), strict=True)


def session(context, name, folder, source, strict):
    """Runs the commands in the folder. Strict: stderr counts,
    and the exit code is 0 unless said."""
    results = []
    for line, command, expected, code in steps(source):
        output = context.command(["sh", "-c", command], cwd=folder, merge=strict)
        got = [text.rstrip()
               for text in (output.out if strict or output.out else output.err).split("\n")]
        while got and not got[-1]:
            got.pop()
        wrong = []
        if not pattern(expected).fullmatch("".join(text + "\n" for text in got)):
            wrong.append(difference("\n".join(expected), "\n".join(got)))
        if output.code != (code or 0) and (strict or code is not None):
            wrong.append(f"exit {output.code}, expected {code or 0}")
        results.append(Result(f"{name}:{line}", not wrong, "\n".join([f"$ {command}", *wrong])))
    return results
