"""Sessions with the language server about ranges, links, calls, commands and the index; see lsp.py,
which runs them."""
import time

from .common import ROOT
from .lsp import GAME, MARKDOWN, actions, contains, equal, still_serves
from .lsp_client import Client, span

FUNCTIONS = """fn near(s: site): sites = step(s, adjacent);
fn «far»far(s: site): sites = near(s) & empty;
proc clear(s: site) { remove far(s); }
"""
SNIPPETS = {"textDocument": {"completion": {"completionItem": {"snippetSupport": True}}}}


def labels(client, text):
    document = client.open("labels.game", text)
    found = document.ask("completion")
    document.close()
    return [item["label"] for item in sorted(found, key=lambda item: item["sortText"])]


def test_completion_board(context):
    with Client(context, context.folder()) as client:
        found = labels(client, 'game "S"; players A, B; board «»')
        equal(found[0], "circle")
        equal("sum" in found or "random" in found, False)


def test_completion_types(context):
    with Client(context, context.folder()) as client:
        for start in ("let q: ", "var q[site]: ", "fn q(a: site, b: ", "fn q(a: site): ",
                      "proc q(a: "):
            found = labels(client, GAME + "enum Hue { Red, Blue }\n" + start + "«»")
            equal((found[-1], "sites" in found, "sum" in found), ("set of", True, False))
        contains(labels(client, GAME + "let q: sites = «»"), "rank")


def test_completion_use(context):
    with Client(context, context.folder()) as client:
        found = labels(client, 'game "S"; use chess, «»;')
        equal(("chess" in found, "lines" in found), (False, True))


def test_completion_snippet(context):
    with Client(context, context.folder(), SNIPPETS) as client:
        game = client.open("a.game", GAME + "«»")
        texts = {item["label"]: item["textEdit"]["newText"] for item in game.ask("completion")}
        equal(texts["enum"], "enum ${1:Name} { ${2:First}, ${3:Second} }")
        equal(texts["when"], "when")


def test_hover_words(context):
    """Words of the grammar and built-in names have the manual's sentence and a link to it."""
    text = (GAME.replace("turn {", "«turn»turn {").replace("choose", "«choose»choose")
            .replace("square", "«board»square").replace("forward", "«name»forward"))
    page = (ROOT / "docs/language").as_uri()
    with Client(context, context.folder(), MARKDOWN) as client:
        game = client.open("a.game", text)
        for mark, word, link in (("choose", "choose\n```\n\na decision", "choices.md#choose"),
                                 ("turn", "turn", "turns.md#"), ("board", "square", "boards.md"),
                                 ("name", "the direction that `me` faces", "players.md#")):
            contains(game.ask("hover", mark)["contents"]["value"], word)
            contains(game.ask("hover", mark)["contents"]["value"], f"({page}/{link}")


def test_selection(context):
    """Each range contains the next one, from the word to the whole text."""
    text = GAME.replace("forward", "for«»ward")
    with Client(context, context.folder()) as client:
        game = client.open("a.game", text)
        found = game.of("selectionRange", positions=[game.position()])[0]
        words = []
        while found:
            words.append(game.text_at(found["range"]))
            found = found.get("parent")
        equal(words[0], "forward")
        equal([part for part in ("here, forward", "step(here, forward)",
                                 "step(here, forward) & empty") if part not in words], [])
        equal(words[-1], game.text)
        equal(all(inner in outer for inner, outer in zip(words, words[1:])), True)


def test_selection_deep(context):
    """Of very many brackets inside each other, the innermost are ranges."""
    many = 60_000
    text = GAME + "let a = " + "(" * many + "1«»2" + ")" * many + ";\n"
    with Client(context, context.folder()) as client:
        game = client.open("a.game", text)
        found, depth = game.of("selectionRange", positions=[game.position()])[0], 0
        equal(game.text_at(found["range"]), "12")
        while found:
            found, depth = found.get("parent"), depth + 1
        equal(100 < depth <= 500, True)
        still_serves(client)


def test_format_range(context):
    text = GAME.replace("board square(3);", "board     square( 3 );") + "let   a  =  1;\n"
    with Client(context, context.folder()) as client:
        game = client.open("a.game", text)
        edits = game.of("rangeFormatting", range=span((2, 0), (2, 3)), options={})
        equal(game.edited(edits), GAME + "let   a  =  1;\n")


def test_format_typed(context):
    text = GAME + "proc p(s: site) {\n«line»\n}\nlet   a=1;«sign»\n"
    with Client(context, context.folder()) as client:
        game = client.open("a.game", text)
        edits = game.ask("onTypeFormatting", "line", ch="\n", options={})
        equal(game.edited(edits), game.text.replace("{\n\n}", "{\n  \n}"))
        edits = game.ask("onTypeFormatting", "sign", ch=";", options={})
        equal(game.edited(edits), game.text.replace("let   a=1;", "let a = 1;"))


def test_links(context):
    folder = context.folder()
    (folder / "base.game").write_text(GAME)
    with Client(context, folder) as client:
        game = client.open("v.game", 'variant "V" of "base.game";\nuse lines;\n')
        found = game.of("documentLink")
        equal([game.text_at(link["range"]) for link in found], ['"base.game"', "lines"])
        equal(found[0]["target"], client.uri("base.game"))
        contains(found[1]["target"], "stdlib/lines.game")


def test_calls(context):
    with Client(context, context.folder()) as client:
        game = client.open("a.game", GAME + FUNCTIONS)
        item = game.ask("prepareCallHierarchy", "far")[0]
        equal((item["name"], item["uri"]), ("far", client.uri("a.game")))
        callers = client.request("callHierarchy/incomingCalls", item=item)
        equal([(c["from"]["name"], [game.text_at(r) for r in c["fromRanges"]]) for c in callers],
              [("clear", ["far"])])
        called = client.request("callHierarchy/outgoingCalls", item=item)
        equal([c["to"]["name"] for c in called], ["near"])
        equal(client.request("callHierarchy/incomingCalls", item=callers[0]["from"]), [])


def test_pull(context):
    """A client that asks for diagnostics gets none unasked, and is told when others' change."""
    folder = context.folder()
    (folder / "base.game").write_text(GAME)
    can = {"textDocument": {"diagnostic": {}},
           "workspace": {"diagnostics": {"refreshSupport": True}}}
    with Client(context, folder, can) as client:
        game = client.open("v.game", 'variant "V" of "base.game";\nremove gone;\n')
        equal([d["code"] for d in game.of("diagnostic")["items"]], ["E0215"])
        client.open("base.game", GAME + "let gone = 1;\n")
        equal(game.of("diagnostic")["items"], [])
        while True:
            message = client.messages.pop(0) if client.messages else client.read()
            equal(message["method"] == "textDocument/publishDiagnostics", False)
            if message["method"] == "workspace/diagnostic/refresh":
                break


def test_commands(context):
    text = GAME + 'test "good" { expect true; }\ntest "bad" { expect false; }\n'
    with Client(context, context.folder()) as client:
        game = client.open("a.game", text)
        run = "workspace/executeCommand"
        names = client.answer["capabilities"]["executeCommandProvider"]["commands"]
        equal(names, ["ferz.server.runTests", "ferz.server.show"])
        said = client.request(run, command=names[0], arguments=[game.at["uri"]])
        contains(said, "1 passed, 1 failed\nfailed: bad\n")
        said = client.request(run, command=names[0], arguments=[game.at["uri"], "good"])
        equal(said, "1 passed, 0 failed\n")
        contains(client.request(run, command=names[1], arguments=[game.at["uri"]]), " 1  M M M\n")
        equal(client.fails(run, command="ferz.other", arguments=[game.at["uri"]])["code"], -32602)


def test_index(context):
    """Names of the workspace are read once, and anew when their file changes."""
    folder = context.folder()
    (folder / "b.game").write_text(GAME + "let first_name = 1;\n")
    with Client(context, folder) as client:
        def found(query):
            return [s["name"] for s in client.request("workspace/symbol", query=query)]
        equal(found("first_name"), ["first_name"])
        (folder / "b.game").write_text(GAME + "let second_name = 22;\n")
        equal((found("first_name"), found("second_name")), ([], ["second_name"]))


def test_memory_cap(context):
    """A text that takes more memory than a stranger's script may is reported; it had no errors.
    Files fill the memory at once, before a busy machine has spent the time that it may take; with
    sanitizers the time may come first."""
    folder, modules = context.folder(), "abcde"
    (folder / "a.game").write_bytes(b"x" * (60 << 20))
    for module in modules[1:]:
        (folder / f"{module}.game").hardlink_to(folder / "a.game")
    with Client(context, folder) as client:
        game = client.open("fat.game", GAME + f"use {', '.join(modules)};")
        said = [d["message"] for d in game.diagnostics()]
        late = context.is_instrumented() and said == ["stopped: compiling takes too long"]
        equal(said, said if late else ["compiling takes more than 256 MiB"])
        pulled = client.request("textDocument/diagnostic", textDocument=game.at)
        equal([pulled["items"][0]["message"]], said)
        game.close()
        still_serves(client)


def test_time_cap(context):
    """The cap on the time of an analysis does not end what is asked about it later."""
    with Client(context, context.folder()) as client:
        game = client.open("old.game", GAME + "let q: sites = «»")
        game.diagnostics()
        time.sleep(10.2)
        for _ in range(300):
            equal(len(game.ask("completion")) > 0, True)


# ---- code actions ----

def test_code_action_limit(context):
    with Client(context, context.folder()) as client:
        text = GAME.replace("limit 20 turns draw;\n", "").replace("lose me;", "{}")
        game = client.open("a.game", text)
        found = [one for diagnostic in game.diagnostics() for one in actions(game, diagnostic)]
        edits = found[0]["edit"]["changes"][client.uri("a.game")]
        equal(game.edited(edits), text + "limit 400 turns draw;\n")


def test_code_action_titles(context):
    with Client(context, context.folder()) as client:
        game = client.open("a.game", GAME.replace("rank(1)", "rnk(1)"))
        found = actions(game, game.diagnostics()[0])
        equal([(one["title"], one["kind"]) for one in found], [("change to 'rank'", "quickfix")])
        game.change(GAME.replace("draw;", "draw"))
        diagnostic = game.diagnostics()[0]
        equal([one["title"] for one in actions(game, diagnostic)], ["insert ';'"])
        equal("insert" in diagnostic["message"], False)
