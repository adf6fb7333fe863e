"""`ferz show --rules` on every variant of games/ and of tests/language: the text stands alone, is
formatted, passes its tests, and plays the same games as the variant. Games with `when` are read as
well. A soak compares their counts of moves."""
import json
import re

from .common import ROOT, Job, Result, difference

SAME = ("playouts", "plies", "turns", "wins", "draws", "stopped", "failed", "length", "players")
PLAYOUTS = "8"


def jobs(context):
    what = ["perft", "2", "--decisions"] if context.soak else \
        ["playout", "-n", PLAYOUTS, "--seed", "7"]
    for folder in ("games", "tests/language"):
        for path in sorted((ROOT / folder).rglob("*.game")):
            text = path.read_text(encoding="utf-8")
            if re.search(r'^(variant "|when |  when )', text, re.MULTILINE):
                yield Job(f"merged/{path.relative_to(ROOT).with_suffix('')}", one, path, what)


def one(context, name, path, what):
    shown = context.run("show", "--rules", path)
    if shown.code != 0:
        is_library = path.read_text(encoding="utf-8").startswith("library")
        good = is_library and "a library is no game" in shown.err
        return [Result(name, good, shown.describe())]
    merged = context.folder() / "merged.game"
    merged.write_text(shown.out, encoding="utf-8")
    results = [Result(f"{name}:{what[0]}", *same(context, path, merged, what))]
    if not context.soak:
        results += [Result(f"{name}:alone", *alone(context, merged)),
                    Result(f"{name}:again", *again(context, merged, shown.out))]
    return results


def alone(context, merged):
    """Its own tests, and its format."""
    tested = context.run("test", merged, cwd=merged.parent)
    if tested.code != 0:
        return False, tested.describe()
    checked = context.run("fmt", "--check", merged)
    return checked.code == 0, checked.describe()


def again(context, merged, text):
    """The merged text of a text without bases is the text, without the line about its files."""
    shown = context.run("show", "--rules", merged)
    expected = re.sub(r"^// From .*\n\n", "", text, flags=re.MULTILINE)
    out = re.sub(r"^// From .*\n\n", "", shown.out, flags=re.MULTILINE)
    return out == expected, difference(expected, out) + shown.err


def same(context, path, merged, words):
    outputs = [context.run(words[0], file, *words[1:], "--format", "json")
               for file in (path, merged)]
    if any(output.code for output in outputs):      # both fail in the same way, or the test fails
        both = [re.search(r"^ferz.*(: .*)", output.err, re.MULTILINE) for output in outputs]
        both = [found and found[1] for found in both]
        return outputs[0].code == outputs[1].code and both[0] == both[1], str(both)
    found = [json.loads(output.out) for output in outputs]
    if words[0] == "playout":
        found = [{key: one.get(key) for key in SAME} for one in found]
    else:
        found = [[row["nodes"] for row in one["depths"]] for one in found]
    return found[0] == found[1], f"{found[0]}\n{found[1]}"
