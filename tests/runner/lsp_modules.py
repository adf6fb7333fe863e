"""Sessions with the language server about names of modules."""
from .lsp import GAME, completed, contains, equal
from .lsp_client import Client


def test_names_of_modules(context):
    """`module.name` and the names of `only`: where they are, what they can be, new names."""
    folder = context.folder()
    (folder / "moons.game").write_text("library moons;\n/// Bright.\nlet bright: sites = corners;\n"
                                       "let dark: sites = {a2};\n"
                                       "fn shine(s: site): bool = s in bright;\n")
    use = "use moons only «list»shine;\n"
    text = (GAME + use + "let bright: sites = {b2};\n"
            "let two = moons.«last»bright | «own»bright | «mod»moons.dark;\n")
    with Client(context, folder) as client:
        game = client.open("g.game", text)
        equal([found["code"] for found in game.diagnostics()], ["W0301"])

        def where(mark):
            found = game.ask("definition", mark)
            return (found["uri"].rpartition("/")[2], found["range"]["start"]["line"])

        equal(where("list"), ("moons.game", 4))
        equal(where("last"), ("moons.game", 2))
        equal(where("mod"), ("moons.game", 0))
        equal(where("own")[0], "g.game")
        contains(game.ask("hover", "last")["contents"]["value"], "Bright.")
        changes = game.ask("rename", "last", newName="light")["changes"]
        equal({uri.rpartition("/")[2]: len(edits) for uri, edits in changes.items()},
              {"g.game": 1, "moons.game": 2})
        equal([game.text_at(edit["range"]) for uri, edits in changes.items()
               if uri.endswith("g.game") for edit in edits], ["bright"])
        client.count = 100
        equal(completed(client, "use moons;\nlet x = moons.«»;"), ["bright", "dark", "shine"])
        equal(completed(client, "use moons only «»;"), ["bright", "dark", "shine"])
        labels = completed(client, "use moons only bright;\nlet x: bool = «»;")
        equal("moons.shine" in labels and "shine" not in labels, True)


def test_deprecated_names(context):
    """Editors strike them out: where they are used, and where they are offered."""
    folder = context.folder()
    (folder / "moons.game").write_text("library moons;\n"
                                       "/// Bright.\n/// Deprecated: write 'shine'.\n"
                                       "let bright: sites = corners;\n"
                                       "let shine: sites = bright;\n")
    with Client(context, folder) as client:
        game = client.open("g.game", GAME + "use moons;\nlet two = bright;\n"
                                            "test \"x\" { expect two == shine; }\n")
        found = game.diagnostics()
        equal([(one["code"], one["tags"], game.text_at(one["range"])) for one in found],
              [("W0311", [2], "bright")])
        contains(found[0]["message"], "write 'shine'")
        other = client.open("h.game", GAME + "use moons;\nlet three = «»bright;\n")
        items = {item["label"]: item for item in other.ask("completion")}
        equal((items["bright"].get("tags"), items["shine"].get("tags")), ([1], None))
