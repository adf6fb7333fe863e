"""The language server: each function below that begins with `test_` is a session of a client
(lsp_client.py) with `ferz lsp`. In the texts, «name» marks a place and is not sent."""
from .common import Failure, Job, Result
from .lsp_client import Client, edited, framed, marked, span

GAME = """game "Small";
players A, B;
board square(3);
piece Man "M" { move to step(here, forward) & empty; }
setup { put Man of A at rank(1);  put Man of B at rank(3); }
turn { choose piece_moves otherwise lose me; }
limit 20 turns draw;
"""


def jobs(_):
    for name, function in sorted(globals().items()):
        if name.startswith("test_"):
            yield Job(f"lsp/{name[5:].replace('_', '-')}", session, function)


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


# ---- diagnostics ----

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


# ---- code actions ----

def actions(game, diagnostic):
    return game.of("codeAction", range=diagnostic["range"],
                   context={"diagnostics": [diagnostic]})


def test_code_action_name(context):
    with Client(context, context.folder()) as client:
        game = client.open("a.game", GAME.replace("rank(1)", "rnk(1)"))
        found = actions(game, game.diagnostics()[0])
        equal([one["title"] for one in found], ["change to 'rank'"])
        equal(game.edited(found[0]["edit"]["changes"][client.uri("a.game")]), GAME)


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
            + "test \"near\" { expect #«near»near(a1) «op»== 0; }\n")
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
        equal(hovered(game, "op"), ("#near(a1) == 0", "```ferz\nbool\n```"))


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
