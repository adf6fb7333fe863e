"""What a player may not see appears nowhere in what that player is shown: for every script of
games/ and of tests/language. tests/secrets/secrets.c plays random games, draws what a player does
not see anew, and compares all texts for that player: for a second, in a soak for ten. Games whose
value is known: ferz solve finds it from what the players observe."""
import json
import re

from .common import ROOT, Job, Result, crashed


# The number of information sets, and the payoff of the first player when both play well.
VALUES = {
    "cards/kuhn": (12, -1 / 18),          # Kuhn 1950
    "cards/leduc": (936, -0.0856),        # Southey 2005; Lanctot 2013
}


def jobs(context):
    if not context.build:
        return
    program = context.build / "tests/secrets/secrets"
    if not context.has(program):
        context.skip("secrets", "the program was not built: make tests/secrets/secrets")
        return
    for folder in ("games", "tests/language"):
        for path in sorted((ROOT / folder).rglob("*.game")):
            text = path.read_text(encoding="utf-8")
            if re.search(r"\b(secret|shown|unseen|invisible|together)\b", text):
                words = [word for word, wanted in (("--any", folder != "games"),
                                                   ("--long", context.soak)) if wanted]
                yield Job(f"secrets/{path.relative_to(ROOT).with_suffix('')}", one, program,
                          [*words, str(path)])
    if context.soak:
        return
    for game, known in VALUES.items():
        yield Job(f"secrets/value/{game}", valued, game, known)


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
