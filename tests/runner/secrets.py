"""What a player may not see appears nowhere in what that player is shown: for every script of
games/ and of tests/language. tests/secrets/secrets.c plays random games, draws what a player does
not see anew, and compares all texts for that player: for 0.3
seconds, in a soak for ten. Games
whose value is known: ferz solve finds it from what the players observe.

Scripts that leak: `ferz check --deep` finds the leak of each of leaks/, as its first lines say, and
none in its twin. Shipped games have none, and have one without their `reveal`."""
import json
import re

from .common import ROOT, Job, Result, crashed


# The number of information sets, and the payoff of the first player when both play well.
VALUES = {
    "cards/kuhn": (12, -1 / 18),          # Kuhn 1950
    "cards/leduc": (936, -0.0856),        # Southey 2005; Lanctot 2013
}


# Shipped games that the check goes through in a short run.
SILENT = ("cards/goofspiel", "cards/kuhn", "cards/leduc", "hidden/battleship",
          "hidden/phantom-tic-tac-toe", "hidden/rock-paper-scissors")
# What everybody sees if `reveal` is taken out of a shipped game.
UNREVEALED = {
    "cards/kuhn": "'open'", "cards/leduc": "'open'", "hidden/battleship": "'hits'",
    "puzzles/mastermind": "'blacks'",
}
# In a short run, those that take less than a second.
SHORTLY = [row for row in UNREVEALED.items() if row[0] != "puzzles/mastermind"]


def hides(text):
    words = r"\b(secret|shown|unseen|invisible|together)\b|^use .*\b(cards|tricks)\b"
    return re.search(words, text, re.M)


def jobs(context):
    if not context.build:
        return
    yield from leak_jobs(context)
    program = context.build / "tests/secrets/secrets"
    if not context.has(program):
        context.skip("secrets", "the program was not built: make tests/secrets/secrets")
        return
    for folder in ("games", "tests/language"):
        for path in sorted((ROOT / folder).rglob("*.game")):
            text = path.read_text(encoding="utf-8")
            if hides(text):
                known = folder == "games" or path.stem.startswith("known_")
                words = [word for word, wanted in (("--any", not known), ("--long", context.soak))
                         if wanted]
                yield Job(f"secrets/{path.relative_to(ROOT).with_suffix('')}", one, program,
                          [*words, str(path)])
    if context.soak:
        return
    for game, known in VALUES.items():
        yield Job(f"secrets/value/{game}", valued, game, known)


def leak_jobs(context):
    for path in sorted((ROOT / "tests/secrets/leaks").glob("*.game")):
        yield Job(f"secrets/leaks/{path.stem}", leaking, path)
    for game in sorted((ROOT / "games").rglob("*.game")) if context.soak else []:
        if hides(game.read_text(encoding="utf-8")):
            yield Job(f"secrets/silent/{game.stem}", silent, game)
    for game in SILENT if not context.soak else ():
        yield Job(f"secrets/silent/{game}", silent, ROOT / f"games/{game}.game")
    for game, subject in UNREVEALED.items() if context.soak else SHORTLY:
        yield Job(f"secrets/unrevealed/{game}", unrevealed, game, subject)


def leaks(context, path):
    """The findings about secrets of the script, and all that was printed."""
    output = context.run("check", "--deep", "--playouts", 1, "--format", "json", path.name,
                         cwd=path.parent)
    files = json.loads(output.out)
    found = [finding for file in files for finding in file["deep"]
             if "a secret to" in finding["message"]]
    return found, files, output


def copied(context, path, change=lambda text: text):
    copy = context.folder() / path.name
    copy.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8")
    return copy


def replays(context, path, finding):
    (path.parent / "found.record").write_text(finding["record"], encoding="utf-8")
    return context.run("replay", "found.record", cwd=path.parent).code == 0


def leaking(context, name, path):
    """Lines `//~ LINE:COLUMN MESSAGE` are the findings, whose records replay, and `//~ CODE` the
    warnings about secrets."""
    lines = re.findall(r"^//~ (.*)$", path.read_text(encoding="utf-8"), re.M)
    copy = copied(context, path)
    found, files, _ = leaks(context, copy)
    said = [f"{finding['line']}:{finding['column']} {finding['message']}" for finding in found]
    said += [diagnostic["code"] for file in files for diagnostic in file["diagnostics"]
             if diagnostic["code"] in ("W0611", "W0623", "W0624")]
    good = said == lines and all(replays(context, copy, finding) for finding in found)
    return [Result(name, good, "expected:\n" + "\n".join(lines) + "\nfound:\n" + "\n".join(said))]


def silent(context, name, path):
    found, files, output = leaks(context, path)
    return [Result(name, not found and bool(files[0]["playouts"]), output.describe())]


def unrevealed(context, name, game, subject):
    """Without its `reveal`, a shipped game reveals secrets in these public values."""
    path = copied(context, ROOT / f"games/{game}.game", lambda text: text.replace("reveal(", "("))
    found, _, output = leaks(context, path)
    good = any(finding["message"].startswith(subject) for finding in found)
    return [Result(name, good, output.describe())]


def one(context, name, program, words):
    output = context.command([*context.ferz[:-1], str(program), *words])
    good = output.code == 0 and not crashed(output)
    return [Result(name, good, output.describe())]


def valued(context, name, game, known):
    """A leak or a wrong `?` changes the number of information sets."""
    sets, value = known
    output = context.run("solve", ROOT / f"games/{game}.game", "--format", "json")
    try:
        found = json.loads(output.out)
        good = (found["information_sets"] == sets and found["exploitability"] <= 0.001
                and abs(found["value"] - value) < 0.0011)
    except (ValueError, KeyError):
        good = False
    return [Result(name, good, f"expected {sets} sets, {value:.4f}\n{output.describe()}")]
