"""The language server under random edits: after some of them, each of its answers is that of a new
server that opens the text as it is now. A test run makes a few edits of one script, a soak 5,000 of
each of twenty, in parts: a soak that was interrupted goes on where it was (build/edits)."""
import random
import re
from functools import partial

from .common import ROOT, Failure, Job
from .lsp_client import Client, span

EDITS, SOAK_EDITS, PART, EVERY = 30, 5000, 100, 10
SCRIPTS = (
    "games/classic/tic-tac-toe.game", "games/chess/chess.game", "games/race/ur.game",
    "games/chess/king-of-the-hill.game", "games/cards/kuhn.game", "games/sow/kalah.game",
    "games/draughts/english.game", "games/classic/breakthrough.game",
    "games/hidden/battleship.game", "games/classic/nine-mens-morris.game",
    "games/shogi/shogi.game", "games/xiangqi/xiangqi.game", "games/race/backgammon.game",
    "games/tafl/brandub.game", "games/cards/whist.game", "games/go/go.game",
    "stdlib/chess.game", "stdlib/prelude.game", "stdlib/repetition.game",
    "tests/language/known_values.game")
WHOLE = ("documentSymbol", "semanticTokens/full", "foldingRange", "codeLens", "formatting")
AT = ("hover", "definition", "references", "completion", "signatureHelp", "documentHighlight",
      "prepareRename")


def jobs(context):
    from .lsp import session   # which uses this file
    for path in SCRIPTS if context.soak else SCRIPTS[:1]:
        yield Job(f"lsp/edits/{path}", session, partial(edits, path=path))


def position(text, offset):
    before = text[:offset]
    line = before.rpartition("\n")[2]
    return before.count("\n"), len(line.encode("utf-16-le")) // 2


def piece(dice, text):
    """A part of a text: a word, a line or a statement, or nothing."""
    parts = dice.choice((re.findall(r"\w+|\S", text), text.splitlines(keepends=True),
                         re.findall(r"[^;{}]*[;{}]", text), [""]))
    return dice.choice(parts or [""])


def edit(dice, document, original):
    """Replaces, inserts or removes a part; now and then the text becomes the original again."""
    text = document.text
    if dice.random() < 0.1:
        start, end, new = 0, len(text), original
    else:
        start = dice.randrange(len(text) + 1)
        end = min(len(text), start + dice.choice((0, 0, 1, 3, 12, 80)))
        new = dice.choice((piece(dice, original), piece(dice, text), "", "ä𝄞", "{", "}", ";", "\n"))
    document.text = text[:start] + new + text[end:]
    document.send([{"range": span(position(text, start), position(text, end)), "text": new}])


def answers(client, document, places):
    """Everything that is asked of a document."""
    found = {"diagnostics": document.diagnostics()}
    for method in WHOLE:
        formats = method == "formatting"
        options = {"options": {"tabSize": 2, "insertSpaces": True}} if formats else {}
        found[method] = outcome(client, method, document, **options)
    for place in places:
        line, character = position(document.text, place)
        for method in AT:
            more = {"context": {"includeDeclaration": True}} if method == "references" else {}
            found[method, place] = outcome(client, method, document,
                                           position={"line": line, "character": character}, **more)
    return found


def outcome(client, method, document, **params):
    answer = client.end(client.begin(f"textDocument/{method}", textDocument=document.at, **params))
    return answer.get("result", answer.get("error"))


def compare(context, folder, client, document, dice):
    places = [dice.randrange(len(document.text) + 1) for _ in range(3)]
    found = answers(client, document, places)
    with Client(context, folder) as fresh:
        other = fresh.open(document.name, document.text)
        expected = answers(fresh, other, places)
    for what in expected:
        if found[what] != expected[what]:
            raise Failure(f"{what}: expected {expected[what]!r}\ngot {found[what]!r}\nin\n"
                          f"{document.text}")


def edits(context, path):
    if not context.soak:
        part(context, path, path, EDITS)
        return
    noted = ROOT / "build/edits" / path.replace("/", "-")
    noted.parent.mkdir(parents=True, exist_ok=True)
    done = int(noted.read_text()) if noted.exists() else 0
    while done < SOAK_EDITS:
        part(context, path, f"{path} {done}", PART)
        done += PART
        noted.write_text(f"{done}\n")
    noted.unlink()


def part(context, path, seed, count):
    original = (ROOT / path).read_text(encoding="utf-8")
    dice, folder = random.Random(seed), context.folder()
    with Client(context, folder) as client:
        document = client.open(ROOT.joinpath(path).name, original)
        for number in range(count):
            edit(dice, document, original)
            if number % EVERY == EVERY - 1:
                compare(context, folder, client, document, dice)
