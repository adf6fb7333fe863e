"""The language server: each function below that begins with `test_` is a session of a client
(lsp_client.py) with `ferz lsp`. In the texts, «name» marks a place and is not sent."""
import json
import os
import re
from pathlib import Path

from .common import ROOT, Failure, Job, Result
from .lsp_client import Client, edited, framed, marked, span

GAME = """game "Small";
players A, B;
board square(3);
piece Man "M" { move to step(here, forward) & empty; }
setup { put Man of A at rank(1);  put Man of B at rank(3); }
turn { choose piece_moves otherwise lose me; }
limit 20 turns draw;
"""


def jobs(context):
    from . import lsp_dap as dap, lsp_edits, lsp_modules as modules, lsp_requests as more
    for name, function in sorted({**globals(), **vars(dap), **vars(modules), **vars(more)}.items()):
        if name.startswith("test_"):
            yield Job(f"lsp/{name[5:].replace('_', '-')}", session, function)
    yield from lsp_edits.jobs(context)


def session(context, name, function):
    try:
        function(context)
    except Failure as failure:
        return [Result(name, False, str(failure))]
    return [Result(name, True)]


def equal(got, expected):
    if got != expected:
        raise Failure(f"expected {expected!r}\ngot      {got!r}")


def contains(got, part):
    if part not in got:
        raise Failure(f"expected {part!r} in\n{got!r}")


def summary(document, diagnostics):
    return [(d["code"], document.text_at(d["range"])) for d in diagnostics]


def test_diagnostics(context):
    """They follow every change, also of parts of a text, and go when the document is closed."""
    with Client(context, context.folder()) as client:
        game = client.open("a.game", GAME.replace("rank(1)", "rnk(1)"))
        found = game.diagnostics()
        equal(summary(game, found), [("E0301", "rnk")])
        equal(found[0]["severity"], 1)
        equal(found[0]["source"], "ferz")
        contains(found[0]["message"], "hint: did you mean 'rank'?")
        place = found[0]["range"]
        game.send([{"range": place, "text": "rank"}])
        game.text = GAME
        equal(game.diagnostics(), [])
        game.change(GAME + "let unused = 1;\n")
        found = game.diagnostics()
        equal(summary(game, found), [("W0301", "unused")])
        equal((found[0]["severity"], found[0]["tags"]), (2, [1]))
        game.close()
        equal(client.published("a.game"), [])


def test_related_places(context):
    with Client(context, context.folder()) as client:
        game = client.open("a.game", GAME + "let two = 1;\nlet two = 2;\n")
        found = [d for d in game.diagnostics() if d["code"][0] == "E"]
        equal(len(found), 1)
        related = found[0]["relatedInformation"][0]
        equal(related["location"]["uri"], client.uri("a.game"))
        equal(game.text_at(related["location"]["range"]), "two")


def test_columns(context):
    """Columns count UTF-16 units, or bytes if the client prefers UTF-8."""
    text = GAME + 'test "ä𝄞" { expect nothing == 1; }\n'
    for encodings, column in ((None, 20), (["utf-8", "utf-16"], 23)):
        general = {"general": {"positionEncodings": encodings}} if encodings else {}
        with Client(context, context.folder(), general) as client:
            equal(client.answer["capabilities"]["positionEncoding"],
                  encodings[0] if encodings else "utf-16")
            game = client.open("a.game", text)
            place = game.diagnostics()[0]["range"]
            equal(place["start"], {"line": 7, "character": column})
            equal(place["end"], {"line": 7, "character": column + 7})
            place["start"]["character"] += 2
            game.send([{"range": place, "text": "rth"}])      # north: unknown too
            equal(game.diagnostics()[0]["message"].split("\n")[0], "unknown name 'north'")


def test_unsaved_base(context):
    """A variant sees the text of its base that the editor holds, not the file's."""
    folder = context.folder()
    (folder / "base.game").write_text(GAME)
    with Client(context, folder) as client:
        variant = client.open("new.game", 'variant "V" of "base.game";\nremove gone;\n')
        equal(summary(variant, variant.diagnostics()), [("E0215", "gone")])
        base = client.open("base.game", GAME + "let gone = 1;\n")
        equal(variant.diagnostics(), [])
        base.close()
        equal(summary(variant, variant.diagnostics()), [("E0215", "gone")])


def test_error_elsewhere(context):
    """A mistake in another file stands at the header and leads there."""
    folder = context.folder()
    (folder / "base.game").write_text(GAME.replace("rank(1)", "rnk(1)"))
    with Client(context, folder) as client:
        variant = client.open("new.game", 'variant "V" of "base.game";\n')
        found = variant.diagnostics()
        equal(summary(variant, found), [("E0301", '"V"')])
        related = found[0]["relatedInformation"][0]["location"]
        equal((related["uri"], related["range"]["start"]["line"]), (client.uri("base.game"), 4))


# ---- a client must not be able to stop the server ----

def still_serves(client):
    game = client.open("alive.game", GAME.replace("rank(1)", "rnk(1)"))
    equal(summary(game, game.diagnostics()), [("E0301", "rnk")])
    game.close()


def test_damaged_messages(context):
    with Client(context, context.folder()) as client:
        for number, data in enumerate((
                b"Content-Length: 5\r\n\r\n{oops",
                b"Content-Length: 2\r\n\r\n[]",
                b'Content-Length: 4\r\n\r\n"\xff\xfe"',
                b"Content-Length: many\r\n\r\n",
                b"No-Length: 5\r\n\r\n",
                b"Content-Length: 99999999999999999999999\r\n\r\n",
                b"Content-Length: 3\r\n\r\n{}{}",        # two bytes too short
                b"x" * 100_000,
                b"Content-Length: 7" + b" " * 5000,
                b"\r\n\r\n")):
            client.send_bytes(data)
            while number not in (6, 9):
                if "error" in client.read():
                    break
        still_serves(client)


def test_too_large(context):
    """A message above the limit is skipped, and the next one is read."""
    with Client(context, context.folder()) as client:
        size = 65 << 20
        client.send_bytes(b"Content-Length: %d\r\n\r\n" % size)
        for _ in range(65):
            client.send_bytes(b" " * (1 << 20))
        equal(client.read()["error"]["code"], -32700)
        still_serves(client)


def test_huge_document(context):
    with Client(context, context.folder()) as client:
        for number, text in enumerate((
                "(" * 1_000_000, GAME + "// long\n" * 200_000, "x" * 17_000_000,
                GAME + "let a = " + "1 + " * 100_000 + "1;", "\0" * 100, "")):
            game = client.open(f"huge-{number}.game", text)
            if not text.startswith(GAME):
                equal(len(game.diagnostics()) > 0, True)
            game.close()
        still_serves(client)


def test_strange_messages(context):
    with Client(context, context.folder()) as client:
        equal(client.fails("textDocument/nothing")["code"], -32601)
        equal(client.fails("initialize", capabilities={})["code"], -32600)
        equal(client.fails("textDocument/codeAction")["code"], -32602)
        equal(client.fails("textDocument/codeAction", textDocument=7)["code"], -32602)
        client.send(id=77, method=5)
        equal(client.end(77)["error"]["code"], -32600)
        client.notify("textDocument/nothing")
        client.notify("textDocument/didOpen", textDocument={"uri": 5})
        client.notify("textDocument/didChange", textDocument={"uri": "file:///none"})
        game = client.open("a.game", GAME)
        for changes in (7, [7], [{}], [{"text": 5}], [{"range": {}, "text": ""}],
                        [{"range": {"start": {"line": "a"}, "end": {}}, "text": ""}]):
            game.send(changes)
        far = {"line": 1 << 40, "character": -5}
        game.send([{"range": {"start": far, "end": {"line": 0, "character": 0}}, "text": "x"}])
        equal(len(game.diagnostics()) > 0, True)
        still_serves(client)


def test_order_of_life(context):
    """No request before `initialize`, none after `shutdown`; the exit status tells."""
    folder = context.folder()
    with Client(context, folder, initialize=False) as client:
        equal(client.fails("textDocument/hover")["code"], -32002)
        client.request("initialize", capabilities={})
    client = Client(context, folder)
    client.request("shutdown")
    equal(client.fails("textDocument/hover")["code"], -32600)
    client.notify("exit")
    equal(client.server.wait(timeout=client.limit), 0)
    client = Client(context, folder)
    client.server.stdin.close()
    equal(client.server.wait(timeout=client.limit), 1)


def test_cancelled(context):
    """Requests that wait in the queue can be cancelled: each has one answer."""
    with Client(context, context.folder()) as client:
        game = client.open("a.game", GAME)
        numbers = range(1000, 1020)
        place = {"textDocument": game.at, "range": span((0, 0), (9, 0))}
        client.send_bytes(b"".join(
            [framed(id=number, method="textDocument/codeAction", params=place)
             for number in numbers]
            + [framed(method="$/cancelRequest", params={"id": number}) for number in numbers]))
        answers = [client.end(number) for number in numbers]
        for answer in answers:
            equal("result" in answer or answer["error"]["code"] == -32800, True)
        equal("error" in answers[-1], True)
        still_serves(client)


def test_speed(context):
    """A change of the largest shipped game is checked in less than 50 ms of processor time."""
    if context.is_instrumented():
        return
    with Client(context, ROOT) as client:
        path = max(ROOT.glob("games/*/*.game"), key=lambda one: one.stat().st_size)
        text = path.read_text(encoding="utf-8")
        game = client.open(str(path.relative_to(ROOT)), text)
        game.diagnostics()
        times, before = 20, processor_time(client)
        for number in range(times):
            game.change(f"{text}// {number}\n")
            equal(game.diagnostics(), [])
        used = (processor_time(client) - before) / times
        equal(used < 0.05 or f"{1000 * used:.0f} ms", True)


def processor_time(client):
    """Seconds that the server has used; 0 where the system does not tell."""
    try:
        stat = Path(f"/proc/{client.server.pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0
    return (int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK")


# ---- code actions ----

def actions(game, diagnostic):
    return game.of("codeAction", range=diagnostic["range"],
                   context={"diagnostics": [diagnostic]})


# What is wrong, and what it becomes. Each is a declaration after GAME.
MENDED = (
    ("fn f(s: site): bool = s == xyzzy;", None),        # no name is near enough
    ("fn f(s: site): sites = step(s, orthagonal);", "fn f(s: site): sites = step(s, orthogonal);"),
    ("fn f(s: site): bool = s = a1;", "fn f(s: site): bool = s == a1;"),
    ("fn f(s: site): bool = s == a1 && s == a2;", "fn f(s: site): bool = s == a1 and s == a2;"),
    ("fn f(s: site): bool = !(s == a1);", "fn f(s: site): bool = not (s == a1);"),
    ("fn f(): int = mine;", "fn f(): int = #(mine);"),
    ("fn f(s: site): bool = s in mine or theirs;",
     "fn f(s: site): bool = s in mine or theirs != {};"),
    ("fn f(): sites = mine and theirs;", "fn f(): sites = mine & theirs;"),
    ("fn f(s: site): player = s;", "fn f(s: site): player = owner(s);"),
    ("fn f(): bool = mine < theirs;", "fn f(): bool = mine <= theirs;"),
    ("proc p() { choose piece_moves; }", "proc p() { choose piece_moves otherwise {} }"),
    ("proc p(s: site) { draw; }", "proc p(_s: site) { draw; }"),
    ("proc p() { total = 1; }", "proc p() { var total = 1; }"),
    ("proc p() { draw }", "proc p() { draw; }"),
    ("let m: int = (sum s in mine : s in theirs);",
     "let m: int = (count s in mine : s in theirs);"),
    ("fn f(): int = len(mine);", "fn f(): int = #(mine);"),
    ("fn f(s: site): bool = s =< b1;", "fn f(s: site): bool = s <= b1;"),
    ("proc p() { choose { 'pass' => draw; } }", 'proc p() { choose { "pass" => draw; } }'),
    ("proc p() { choose { for to in mine remove to; } }",
     "proc p() { choose { for to in mine => remove to; } }"),
    ("fn f(p: player): bool = p in A | B;", "fn f(p: player): bool = p in {A, B};"),
    ("enum X { Up, Down }\nenum Y { Up, Flat }\nlet up = int(Up);",
     "enum X { Up, Down }\nenum Y { Up, Flat }\nlet up = int(X.Up);"),
    ("on capture { draw; }", "on capture(s) { draw; }"),
    ("proc p() { choose piece_moves otherwise pass; }",
     "proc p() { choose piece_moves otherwise {} }"),
    ("fn f(): bool = (turns > 3) & mine == {};", "fn f(): bool = (turns > 3) and mine == {};"),
    ("override let mine = {};\nlet foe = A;", "override let mine = {};\noverride let foe = A;"),
)


def test_code_actions(context):
    """Hints that say exactly what to write can be carried out; the text is right then."""
    with Client(context, context.folder()) as client:
        for number, (wrong, right) in enumerate(MENDED):
            game = client.open(f"{number}.game", GAME + wrong + "\n")
            found = [one for one in game.diagnostics() if one["code"] not in ("W0301", "W0303")
                     or wrong.startswith("proc p(s")]
            offered = [one for diagnostic in found for one in actions(game, diagnostic)
                       if "W0301" not in [d["code"] for d in one["diagnostics"]]]
            texts = [game.edited(one["edit"]["changes"][client.uri(f"{number}.game")])
                     for one in offered]
            equal((wrong, texts[:1]), (wrong, [GAME + right + "\n"] if right else []))
            game.close()


# ---- names ----

MARKDOWN = {"textDocument": {"hover": {"contentFormat": ["markdown"]}}}


def hovered(game, mark):
    found = game.ask("hover", mark)
    return found and (game.text_at(found["range"]), found["contents"]["value"])


def test_hover(context):
    text = (GAME.replace("piece Man", "/// Rule 7.\npiece Man")
            .replace("step(here", "«step»step(«here»here").replace("put Man", "put «man»Man", 1)
            + "/// Where A wants to go.\nlet «far»far = rank(3);\n"
            + "fn near(s: site): sites = step(«s»s, adjacent) & «use»far;\n"
            + "let home[p: player]: sites = {A«key»: rank(1), B: rank(3)};\n"
            + "test \"near\" { expect #«near»near(a1) «op»== 0; expect a1 in home[A]; }\n")
    with Client(context, context.folder(), MARKDOWN) as client:
        game = client.open("a.game", text)
        equal(game.diagnostics(), [])
        equal(hovered(game, "man"), ("Man", '```ferz\npiece Man "M"\n```\n\nRule 7.'))
        equal(hovered(game, "s"), ("s", "```ferz\nparameter s: site\n```"))
        name, words = hovered(game, "use")
        equal(name, "far")
        contains(words, "```ferz\nlet far: sites = rank(3)\n```\n\nWhere A wants to go.")
        contains(hovered(game, "near")[1], "```ferz\nfn near(s: site): sites\n```")
        contains(hovered(game, "step")[1],
                 "```ferz\nbuilt in step(S: sites, D: dirs): sites\n```\n\n"
                 "one step from every site of S in every direction of D")
        equal(hovered(game, "op"),
              ("#near(a1) == 0", "```ferz\nbool\n```\n\nIn words: the number of squares one square "
                                 "in any direction from a1 and on rank 3 is zero."))
        contains(hovered(game, "near")[1], "In words: squares one square in any direction from a1")
        contains(hovered(game, "key")[1], "player A")


def test_hover_view(context):
    with Client(context, context.folder(), MARKDOWN) as client:
        game = client.open("a.game", GAME + "view { «hint»cells plain; pieces «shape»ring; }")
        equal(hovered(game, "hint"), ("cells", "how the cells of the board are coloured"))
        equal(hovered(game, "shape"), ("ring", "a ring"))


def test_hover_picture(context):
    text = (GAME.replace("step(here", "«step»step(here")
            + "let «far»far = rank(2) | rank(3);\nshow turns_played;\nvar turns_played: int;\n"
            + "on capture(s) { turns_played += #far; }\n"
            + "fn near(s: site): sites = «free»step(s, adjacent);\n"
            + "test \"near\" { expect #near(a1) == 3; }\n")
    with Client(context, context.folder(), MARKDOWN) as client:
        game = client.open("a.game", text)
        contains(hovered(game, "far")[1],
                 "```text\n 3  m:* m:* m:*\n 2  *   *   *\n 1  M   M   M\n"
                 "    a   b   c\n```")
        words = hovered(game, "step")[1]
        contains(words, " 3  m   m:* m\n")
        contains(words, "\nhere = b2\n```")
        equal("text" in hovered(game, "free")[1], False)


def test_definition(context):
    """Of names of the script, of its base, of libraries; of modules and bases, their files."""
    folder = context.folder()
    (folder / "base.game").write_text(GAME + "let goal = rank(3);\n")
    (folder / "mine.game").write_text("library mine;\n/// Twice.\nfn twice(n: int): int = 2 * n;\n")
    text = ('variant "V" of "«base»base.game";\nuse «mod»mine;\n'
            "override let «over»goal = rank(2);\n"
            "let two = «twice»twice(1);\n"
            'test "x" { expect #«goal»goal == 3 and «two»two == 2 and «foe»foe == B; }\n')
    with Client(context, folder) as client:
        game = client.open("v.game", text)
        equal(game.diagnostics(), [])

        def where(mark):
            found = game.ask("definition", mark)
            return (found["uri"].rpartition("/")[2], found["range"]["start"]["line"])

        equal(where("base"), ("base.game", 0))
        equal(where("mod"), ("mine.game", 0))
        equal(where("twice"), ("mine.game", 2))
        equal(where("goal"), ("v.game", 2))
        equal(where("over"), ("base.game", 7))
        equal(where("two"), ("v.game", 3))
        equal(where("foe")[0], "prelude.game")


def used(game, mark, **options):
    found = game.ask("references", mark, context={"includeDeclaration": True}, **options)
    return sorted((one["uri"].rpartition("/")[2], one["range"]["start"]["line"])
                  for one in found)


def test_references(context):
    """In the script, its base, and the other scripts of the workspace; not of another meaning."""
    folder = context.folder()
    (folder / "base.game").write_text(
        GAME + "let goal = rank(3);\nfn at_goal(s: site): bool = s in goal;\n"
               'test "t" { expect at_goal(a3); }\n')
    (folder / "other.game").write_text(
        'variant "O" of "base.game";\ntest "o" { expect #goal == 3; }\n')
    (folder / "stranger.game").write_text(GAME + "let goal = rank(1);\n")
    text = ('variant "V" of "base.game";\noverride let goal = rank(2);\n'
            'test "x" { expect #«goal»goal == 3; }\n'
            + "moves all_goals(goal: site) { \"x {goal}\" => {} }\n")
    with Client(context, folder) as client:
        game = client.open("v.game", text)
        equal(used(game, "goal"), [("base.game", 7), ("base.game", 8), ("other.game", 1),
                                   ("v.game", 1), ("v.game", 2)])
        found = game.ask("documentHighlight", "goal")
        equal([one["kind"] for one in found], [3, 2])


def test_rename(context):
    folder = context.folder()
    with Client(context, folder) as client:
        game = client.open("a.game", GAME.replace("piece Man", "piece «man»Man")
                           .replace("here,", "«here»here,").replace("rank(1)", "«rank»rank(1)"))
        found = game.ask("prepareRename", "man")
        equal((game.text_at(found["range"]), found["placeholder"]), ("Man", "Man"))
        changes = game.ask("rename", "man", newName="Stone")["changes"]
        equal(game.edited(changes[client.uri("a.game")]), GAME.replace("Man", "Stone"))
        for mark, name in (("man", "me"), ("man", "if"), ("man", "two words"), ("man", ""),
                           ("man", "9"), ("man", "mine"), ("rank", "row_"), ("here", "there")):
            error = client.fails("textDocument/rename", textDocument=game.at, newName=name,
                                 position=game.position(mark))
            equal((name, error["code"]), (name, -32803))


def test_rename_in_labels(context):
    """A label shows values by name; what hides another name is not possible."""
    with Client(context, context.folder()) as client:
        text = GAME + 'moves hops { for «»stone in mine "hop {stone}" => go(stone, off); }\n'
        game = client.open("a.game", text)
        changes = game.ask("rename", newName="man")["changes"]
        equal(game.edited(changes[client.uri("a.game")]), marked(text)[0].replace("stone", "man"))
        game.change(GAME + "fn f(«»a: site, b: site): bool = a == b;\n")
        equal(client.fails("textDocument/rename", textDocument=game.at, newName="b",
                           position=game.position())["code"], -32803)


def test_rename_of_enums(context):
    """The parts of an enum and the functions of their names are renamed together."""
    text = ("enum «suit»Suit { C, H }\nenum Rank { Ten, Ace }\nenum «card»Card of Suit, Rank;\n"
            "let low: Card = «make»Card(C, Ten);\n"
            "fn red(c: Card): bool = «of»Suit(c) == H and «value»HAce != low;\n")
    with Client(context, context.folder()) as client:
        game = client.open("a.game", GAME + text)
        equal([d for d in game.diagnostics() if d["severity"] == 1], [])
        for marks, name, line in ((("suit", "of"), "Suit", 0), (("card", "make"), "Card", 2)):
            for mark in marks:
                changes = game.ask("rename", mark, newName="Other")["changes"]
                equal(game.edited(changes[client.uri("a.game")]),
                      marked(GAME + text)[0].replace(name, "Other"))
                found = game.ask("definition", mark)
                equal(found["range"]["start"]["line"], GAME.count("\n") + line)
            equal(len(used(game, marks[0])), marked(text)[0].count(name))
        client.fails("textDocument/rename", textDocument=game.at, newName="Heart",
                     position=game.position("value"))


def test_rename_across_files(context):
    folder = context.folder()
    (folder / "base.game").write_text(GAME)
    with Client(context, folder) as client:
        text = 'variant "V" of "base.game";\ntest "x" { expect kind(a1) == «»Man; }\n'
        game = client.open("v.game", text)
        changes = game.ask("rename", newName="Stone")["changes"]
        equal(sorted(changes), [client.uri("base.game"), client.uri("v.game")])
        base = edited(GAME, changes[client.uri("base.game")])
        equal(base, GAME.replace("Man", "Stone"))
        equal(game.edited(changes[client.uri("v.game")]),
              marked(text)[0].replace("Man", "Stone"))


def test_base_and_extend(context):
    """`base` leads to what it stands for; names after `extend` are renamed with the others."""
    folder = context.folder()
    base = GAME + "let goal = rank(3);\nproc land() { draw; }\n"
    (folder / "base.game").write_text(base)
    text = ('variant "V" of "base.game";\nremove limit;\n'
            "override let goal = «goal»base | rank(2);\n"
            "override turn { «turn»base; }\n"
            "extend piece «piece»Man { capture to «rank»rank(1); }\n"
            "extend proc «land»land() { draw; }\n"
            'test "x" { expect #goal == 6;  do land(); }\n')
    with Client(context, folder) as client:
        game = client.open("v.game", text)
        equal([d for d in game.diagnostics() if d["severity"] == 1], [])
        for mark, line in (("goal", 7), ("turn", 5), ("piece", 3)):
            found = game.ask("definition", mark)
            equal((mark, found["uri"].rpartition("/")[2], found["range"]["start"]["line"]),
                  (mark, "base.game", line))
        client.fails("textDocument/rename", textDocument=game.at, newName="other",
                     position=game.position("goal"))
        for mark, name in (("piece", "Man"), ("land", "land")):
            changes = game.ask("rename", mark, newName="Other")["changes"]
            equal(edited(base, changes[client.uri("base.game")]), base.replace(name, "Other"))
            equal(game.edited(changes[client.uri("v.game")]),
                  marked(text)[0].replace(name, "Other"))


def test_symbols(context):
    with Client(context, context.folder()) as client:
        game = client.open("a.game", GAME + "enum Fruit { Pear, Apple }\nlet n: int = 3;\n"
                                            'test "first move" { play "a1-a2"; }\n')
        found = game.of("documentSymbol")
        equal([one["name"] for one in found],
              ["A", "B", "board", "Man", "setup", "turn", "limit", "Fruit", "n", "first move"])
        equal([one["name"] for one in found[7]["children"]], ["Pear", "Apple"])
        equal(found[8]["detail"], "int")
        found = client.request("workspace/symbol", query="frt")
        equal([(one["name"], one["containerName"]) for one in found], [("Fruit", "Small")])


def test_folding(context):
    with Client(context, context.folder()) as client:
        game = client.open("a.game", "// one\n// two\n" + GAME.replace("{ choose", "{\nchoose")
                           + 'test "d" {\nposition """\n. . .\n. . .\n. . .\n""";\n}\n')
        equal([(one["startLine"], one["endLine"], one.get("kind"))
               for one in game.of("foldingRange")],
              [(0, 1, "comment"), (7, 8, None), (11, 15, None), (10, 16, None)])


def test_formatting(context):
    with Client(context, context.folder()) as client:
        game = client.open("a.game", GAME.replace("board square", "  board   square"))
        edits = game.of("formatting", options={"tabSize": 2, "insertSpaces": True})
        equal(game.edited(edits), GAME)
        equal(edits[0]["range"], span((2, 0), (3, 0)))
        game.change(GAME)
        equal(game.of("formatting", options={}), [])
        game.change(GAME + "let = 3;")
        equal(client.fails("textDocument/formatting", textDocument=game.at, options={})["code"],
              -32803)


# ---- completion ----

COMPLETED = GAME + """enum Fruit { Pear, Apple }
option Size: 3..9 = 3 "columns";
option Mode { Plain, Wild "everything" } = Plain;
let goal = rank(3);
let worth[k: kind] = 2;
var passes: int;
var last_fruit: Fruit;
fn near(s: site): sites = step(s, adjacent) & goal;
moves jumps(s: site) { "jump" => { passes += 1; } }
proc note(s: site) { passes += int(s in goal); }
"""


def completed(client, line, capabilities=None):
    """The labels offered at «» in a line after the game, in the order that clients show."""
    client.count = getattr(client, "count", 0) + 1
    game = client.open(f"c{client.count}.game", COMPLETED + line + "\n")
    items = game.ask("completion")
    game.close()
    return [item["label"] for item in sorted(items, key=lambda item: item["sortText"])]


def test_completion_types(context):
    """Where a type is expected, names of other types are left out, wherever the line ends."""
    with Client(context, context.folder()) as client:
        players = completed(client, "proc p() { put Man of «»; }")
        equal({"A", "B", "me", "mover", "nobody", "foe"} - set(players), set())
        equal({"Man", "goal", "a1", "Pear", "passes", "near"} & set(players), set())
        for line in ("proc p() { put Man of «»", "proc p() { put Man of «» at a1; }",
                     "proc p() { put Man of m«» at a1; }\nlet n = 1;", "proc p() { win «»"):
            equal("A" in completed(client, line), True)
            equal("a1" in completed(client, line), False)
        kinds = completed(client, "proc p() { put «»")
        equal({"Man", "none"} - set(kinds), set())
        dirs = completed(client, "fn f(s: site): sites = step(s, «»);")
        equal({"n", "ne", "adjacent", "orthogonal", "forward"} - set(dirs), set())
        equal({"a1", "goal", "s", "A"} & set(dirs), set())
        dirs = completed(client, "fn f(s: site): sites = slide(s, «»")
        equal("orthogonal" in dirs and "a1" not in dirs, True)
        fruit = completed(client, "proc p() { last_fruit = «»; }")
        equal({"Pear", "Apple", "last_fruit"} - set(fruit), set())
        equal({"A", "Man", "a1", "passes"} & set(fruit), set())
        fruit = completed(client, "proc p() { if last_fruit == «» draw; }")
        equal("Pear" in fruit and "Man" not in fruit, True)
        numbers = completed(client, "proc p() { passes = «»; }")
        equal({"passes", "Size", "turns", "count", "sum", "#"} & set(numbers),
              {"passes", "Size", "turns", "count", "sum"})
        equal({"any", "union", "goal", "A"} & set(numbers), set())
        members = completed(client, "proc p() { passes = int(Fruit.«»); }")
        equal(members, ["Apple", "Pear"])


def test_completion_places(context):
    with Client(context, context.folder()) as client:
        statements = completed(client, "proc p(s: site) { «» }")
        equal({"note", "go", "swap", "passes", "while", "choose", "put"} - set(statements), set())
        equal({"near", "Man", "a1", "s", "test"} & set(statements), set())
        locals_ = completed(client, "fn f(one: site): sites { let two = n; return step(one, «»");
        equal("two" in locals_ and "one" not in locals_, True)
        generators = completed(client, "proc p() { choose «»; }")
        equal({"piece_moves", "jumps"} - set(generators), set())
        equal("note" in generators, False)
        types = completed(client, "fn f(s: «»): int = 1;")
        equal({"site", "sites", "int", "Fruit"} - set(types), set())
        equal("goal" in types, False)
        declarations = completed(client, "«»")
        equal({"piece", "let", "fn", "test"} - set(declarations), set())
        equal({"goal", "while"} & set(declarations), set())
        equal(completed(client, "// a word: «»"), [])
        equal(completed(client, 'test "st«»" {}'), [])
        equal(completed(client, 'test "s" { set «»'), ["Mode", "Size"])
        equal(completed(client, 'test "s" { set Mode = «»'), ["Plain", "Wild"])
        label = completed(client, 'moves m(s: site) { for to in goal "x {«»}" => {} }')
        equal(label, ["s", "to"])
        equal("loops" in completed(client, "view { cells plain;  «»"), True)
        equal(completed(client, "view { cells «»; }"), "checkered cropped plain triangles".split())
        equal({"ring", "Man"} & set(completed(client, "view { pieces Man as «»; }")), {"ring"})
        equal({"ring", "Man", "A"} - set(completed(client, "view { pieces «»; }")), set())
        modules = completed(client, "use «»")
        equal("lines" in modules and "prelude" not in modules, True)


def test_completion_items(context):
    with Client(context, context.folder(), {"textDocument": {"completion": {"completionItem": {
            "snippetSupport": True}}}}) as client:
        game = client.open("a.game", COMPLETED + "let x = #ne«»ar;\n")
        items = {item["label"]: item for item in game.ask("completion")}
        near = items["near"]
        equal(near["detail"], "near(s: site): sites")
        equal(near["textEdit"]["newText"], "near($0)")
        equal(game.text_at(near["textEdit"]["range"]), "near")
        contains(items["step"]["documentation"], "one step from every site")


def test_signature_help(context):
    with Client(context, context.folder()) as client:
        game = client.open("a.game",
                           COMPLETED + "let x = slide(a1, step(b2«inner», n)«outer» , «t»\n")
        found = game.ask("signatureHelp", "inner")
        equal(found["signatures"][0]["label"], "step(S: sites, D: dirs): sites")
        equal(found["activeParameter"], 0)
        found = game.ask("signatureHelp", "t")
        one = found["signatures"][0]
        equal(one["label"], "slide(S: sites, D: dirs[, T: sites][, n: int]): sites")
        equal([one["label"][slice(*p["label"])] for p in one["parameters"]],
              ["S: sites", "D: dirs", "T: sites", "n: int"])
        equal(found["activeParameter"], 2)
        game.change(GAME + "let x = 1«»;\n")
        equal(game.ask("signatureHelp"), None)


# ---- colours, hints, lenses ----

# Keys of `info` and sites of boards: words that have no meaning as names.
UNNAMED = re.compile(r"^info {(?s:.*?)^}|^view {.*}$|^view {(?s:.*?)^}"
                     r"|^(?:override )?board (?s:[^;{]*{.*?^}.*?\n|.*?;\n)", re.MULTILINE)
# Texts and comments; words are its group.
SCANNED = re.compile(r'"""(?s:.*?)"""|"(?:\\.|[^"\\\n])*"|//.*|/\*(?s:.*?)\*/|([A-Za-z_]\w*)')


def tokens(client, game):
    legend = client.answer["capabilities"]["semanticTokensProvider"]["legend"]
    lines = [line.encode("utf-16-le") for line in game.text.split("\n")]
    line = column = 0
    data = game.of("semanticTokens/full")["data"]
    for down, right, length, kind, modifiers in zip(*[iter(data)] * 5):
        line, column = line + down, right if down else column + right
        words = [word for i, word in enumerate(legend["tokenModifiers"]) if modifiers >> i & 1]
        yield (lines[line][2 * column:2 * (column + length)].decode("utf-16-le"),
               ".".join([legend["tokenTypes"][kind], *words]))


def test_semantic_tokens(context):
    with Client(context, context.folder()) as client:
        game = client.open("a.game", GAME + "/// ä doc\nlet goal = rank(3) & mine; // 𝄞\n"
                                            "var m: int;\nproc p(s: site) { m = #goal; }\n"
                                            'test "𝄞" { position """\n. . .\n. . .\n""";  }\n')
        found = list(tokens(client, game))
        for token in (("game", "keyword"), ("A", "enumMember.declaration"),
                      ("Man", "class.declaration"), ("Man", "class"),
                      ("step", "function.defaultLibrary"), ("/// ä doc", "comment.documentation"),
                      ("goal", "variable.declaration.readonly"), ("goal", "variable.readonly"),
                      ("mine", "variable.readonly"), ("// 𝄞", "comment"), ("3", "number"),
                      ("m", "variable.declaration"), ("m", "variable.modification"),
                      ("p", "method.declaration"), ("s", "parameter.declaration.readonly"),
                      ("site", "type.defaultLibrary"), ('"""', "string"), (". . .", "string")):
            contains(found, token)


def test_every_name_has_a_meaning(context):
    """In the shipped games, no name is without a meaning."""
    with Client(context, ROOT) as client:
        for path in sorted(ROOT.glob("games/*/*.game")):
            if re.search("^when |^players .* if ", path.read_text(encoding="utf-8"),
                         re.MULTILINE):
                continue        # what other options declare means nothing now
            game = client.open(str(path.relative_to(ROOT)), path.read_text(encoding="utf-8"))
            known = {word for word, _ in tokens(client, game)}
            plain = UNNAMED.sub("", game.text)
            words = {found[1] for found in SCANNED.finditer(plain) if found[1]}
            missing = words - known
            equal((game.name, missing), (game.name, set()))
            game.close()


def test_inlay_hints(context):
    with Client(context, context.folder()) as client:
        game = client.open("a.game", GAME + "let goal = rank(3);\nlet worth[k: kind] = 2;\n"
                                            "let typed: int = 3;\nlet kinds = {Man};\n"
                                            "proc p() { let x = #goal; var y = 1;\n"
                                            "  y = x; choose for to in goal let up = to + n"
                                            " => {} }\n")
        found = game.of("inlayHint", range=span((0, 0), (99, 0)))
        equal([one["label"] for one in found],
              [": sites", ": int", ": set of kind", ": int", ": int", ": site"])
        equal(["textEdits" in one for one in found], [True, True, False, True, True, True])
        edits = [edit for one in found for edit in one.get("textEdits", [])]
        contains(game.edited(edits), "let worth[k: kind]: int = 2;")
        game.change(game.edited(edits))
        equal([d for d in game.diagnostics() if d["severity"] == 1], [])
        equal(game.of("inlayHint", range=span((7, 0), (8, 0))), [])


def test_code_lenses(context):
    """Their arguments are those of `ferz test` and `ferz play`."""
    folder = context.folder()
    with Client(context, folder) as client:
        text = (GAME + 'test "one" { play "a1-a2", "b3-b2";  expect moves { "a2-a3" }; }\n'
                'test "two" { position """\nm . m\nM . .\n. . .\n""" for B;  moves 1; }\n'
                'test "three" { chance 1;  play "a1-a2"; }\n')
        (folder / "a.game").write_text(text)
        game = client.open("a.game", text)
        found = game.of("codeLens")
        titles = [one["command"]["title"] for one in found]
        equal(titles.count("run this test"), 3)
        equal((titles.count("play from here"), titles.count("run all tests"),
               titles.count("play")), (2, 1, 1))
        for one in found:
            uri, arguments = one["command"]["arguments"]
            equal(uri, client.uri("a.game"))
            if one["command"]["title"] == "play from here":
                output = context.run("show", folder / "a.game", *arguments)
                equal(output.code, 0)
                contains(output.out, "B to move" if "--position" in arguments else "A to move")
            if one["command"]["title"] == "run this test" and "three" not in arguments:
                output = context.run("test", folder / "a.game", *arguments)
                contains(output.out + output.err, "1 passed" if "two" in arguments else "1 ")


def test_words_of_editors(context):
    """The lists of words in the grammars of editors are the lexer's."""
    declared = set(re.findall(r'\b[A-Z]+ "([a-z_]+)"',
                              "".join(re.findall(r"^%token (?s:.*?)\n\n",
                                                 (ROOT / "grammar/syntax/ferz.y").read_text(),
                                                 re.MULTILINE))))
    equal("ensuring" in declared and "to" in declared and len(declared) > 80, True)
    vim, mate = {}, {}
    for group, words in re.findall(r"^syntax keyword ferz(\w+) (.*)$",
                                   (ROOT / "docs/editors/vim/syntax/ferz.vim").read_text(),
                                   re.MULTILINE):
        vim.setdefault(group.lower(), set()).update(words.split())
    vim.pop("todo", None)
    grammar = json.loads((ROOT / "docs/editors/vscode/syntaxes/ferz.tmLanguage.json").read_text())
    lists = [re.fullmatch(r"\\b\(([a-z_|]+)\)\\b", one.get("match", ""))
             for one in grammar["patterns"]]
    mate = [set(found[1].split("|")) for found in lists if found]
    equal(sorted(map(sorted, mate)), sorted(map(sorted, vim.values())))
    equal(words := vim["keyword"] | vim["operator"] | vim["contextual"], declared)
    with Client(context, context.folder()) as client:
        game = client.open("a.game", " ".join(sorted(words | vim["builtin"] | vim["type"])))
        found = {word for word, kind in tokens(client, game) if kind == "keyword"}
        equal(found - words, set())
        for word in words - found:      # those that are names here
            game.change(GAME + f"let {word} = 1;\n")
            equal([d for d in game.diagnostics() if d["code"].startswith("E01")], [])
