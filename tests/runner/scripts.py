"""Scripts that test themselves: tests/language, tests/stdlib, stdlib/, games/.

`ferz test FILE` must end with exit 0; its last line, `N passed, M failed`, is what counts (a script
without tests counts one: it is valid). A script may instead, or besides, pin what other commands
print. At the head of the file or anywhere else in a line of its own:

    //~ run perft % 2        ferz perft FILE 2; without a % the file comes last
    //~ exit 1               the exit code, if it is not 0
    //| depth 1: 20          the expected stdout in full, line by line
    //! warning: ...         the expected stderr in full; not looked at if there is no such line
"""
import re
import shlex

from .common import ROOT, Job, Result, crashed, difference

SUMMARY = re.compile(r"^(\d+) passed, (\d+) failed$")


def language(_):
    for path in sorted((ROOT / "tests/language").glob("*.game")):
        yield Job(f"language/{path.stem}", one_script, path)


def stdlib(_):
    for path in sorted((ROOT / "stdlib").rglob("*.game")):
        yield Job(f"stdlib/{path.stem}", module, path)
    for path in sorted((ROOT / "tests/stdlib").glob("*.game")):
        yield Job(f"stdlib/test-{path.stem}", one_script, path)


def games(_):
    for path in sorted((ROOT / "games").rglob("*.game")):
        yield Job(f"games/{path.relative_to(ROOT / 'games').with_suffix('')}", one_script, path)


def has_tests(source):
    return re.search(r'^\s*test\s+"', source, re.MULTILINE) is not None


def one_script(context, name, path):
    source = path.read_text(encoding="utf-8")
    runs = pinned_runs(source)
    results = [pinned(context, f"{name}:{index + 1}", path, run) for index, run in enumerate(runs)]
    if not runs or has_tests(source):
        results.append(self_test(context, name, path))
    return results


def module(context, name, path):
    """A library: valid, and its own tests pass if it has any."""
    if has_tests(path.read_text(encoding="utf-8")):
        return [self_test(context, name, path)]
    return [checked(context, name, path)]


def checked(context, name, path):
    output = context.run("check", path, cwd=path.parent)
    return Result(name, output.code == 0, output.describe())


def self_test(context, name, path):
    output = context.run("test", path, cwd=path.parent)
    lines = output.out.rstrip("\n").split("\n")
    summary = SUMMARY.match(lines[-1])
    if not summary or crashed(output):
        return Result(name, False,
                      "`ferz test` has no last line `N passed, N failed`\n" + output.describe())
    passed, failed = map(int, summary.groups())
    if (output.code == 0) != (failed == 0):
        return Result(name, False, f"exit code and count differ\n{output.describe()}")
    if passed + failed == 0:
        return Result(name, True)
    return Result(name, not failed, output.describe(), passed, failed)


def pinned_runs(source):
    """The `//~ run` blocks of a script: arguments, exit code, stdout, stderr (None: any)."""
    runs = []
    for line in source.split("\n"):
        line = line.strip()
        if line.startswith("//~ run "):
            runs.append({"arguments": line[8:], "exit": 0, "out": "", "err": None})
        elif runs and line.startswith("//~ exit "):
            runs[-1]["exit"] = int(line[9:])
        elif runs and line[:3] == "//|":
            runs[-1]["out"] += line[3:].removeprefix(" ") + "\n"
        elif runs and line[:3] == "//!":
            runs[-1]["err"] = (runs[-1]["err"] or "") + line[3:].removeprefix(" ") + "\n"
    return runs


def pinned(context, name, path, run):
    words = shlex.split(run["arguments"])
    words = ([path.name if word == "%" else word for word in words] if "%" in words
             else [*words, path.name])
    output = context.run(*words, cwd=path.parent)
    wrong = []
    if output.code != run["exit"]:
        wrong.append(f"exit {output.code}, expected {run['exit']}\n{output.err.rstrip()}")
    # Blanks at the end of a line are invisible in an expectation, so they do not count.
    for stream, got in (("out", output.out), ("err", output.err)):
        expected = run[stream]
        got = "".join(line.rstrip() + "\n" for line in got.splitlines())
        if expected is not None and got != expected:
            wrong.append(f"ferz {' '.join(words)}: std{stream}\n{difference(expected, got)}")
    return Result(name, not wrong, "\n".join(wrong))
