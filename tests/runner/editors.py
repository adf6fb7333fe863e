"""Editors as clients of the language server: Neovim with the files of docs/editors/vim. (The
packager of VS Code's extension runs in `./dev editors`.)"""
import json
import shutil

from .common import ROOT, Job, Result

SCRIPT = """game "Small";
players A, B;
board square(3);
piece Man "M" {   move to step(here, orthogonl) & empty; }
setup { put Man of A at rnk(1);  put Man of B at rank(3); }
turn { choose piece_moves otherwise lose me; }
limit 20 turns draw;
test "corner" { expect kind(a1) == Man; }
test "other" { expect kind(a1) == Man; }
"""
SAVED = """game "Small";
players A, B;
board square(3);
piece Stone "M" { move to step(here, orthogonal) & empty; }
setup { put Stone of A at rank(1);  put Stone of B at rank(3); }
turn { choose piece_moves otherwise lose me; }
limit 20 turns draw;
test "corner" { expect kind(a1) == Stone; }
test "other" { expect kind(a1) == Stone; }
"""


# Vim and Neovim without the server: `:make`, and `gq` over a script that has a mistake and one
# that has none.
PLAIN = {"vim": ["-es", "-T", "dumb"], "nvim": ["--headless"]}
BAD = 'game "Small";\nplayers A,B;\nboard square(3;\npiece Man   "M" { }\n'


def jobs(context):
    if shutil.which("nvim"):
        yield Job("editors/neovim", neovim)
    else:
        context.skip("editors/neovim", "Neovim is not installed")
    for editor in PLAIN:
        if shutil.which(editor):
            yield Job(f"editors/plain-{editor}", plain)


def neovim(context, name):
    folder = context.folder()
    script = folder / "small.game"
    script.write_text(SCRIPT, encoding="utf-8")
    output = context.command(
        ["nvim", "--headless", "-n", "-i", "NONE", "-u", "NONE",
         "--cmd", f"set runtimepath^={ROOT / 'docs/editors/vim'}",
         "--cmd", "filetype plugin on | syntax on",
         script.name, "-c", f"luafile {ROOT / 'tests/runner/neovim.lua'}"],
        cwd=folder, more={"XDG_CONFIG_HOME": str(folder), "XDG_DATA_HOME": str(folder),
                          "XDG_STATE_HOME": str(folder), "XDG_CACHE_HOME": str(folder)})
    try:
        seen = json.loads((folder / "seen").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return [Result(name, False, "Neovim wrote nothing: " + output.describe())]
    found = [(line, column, code) for line, column, code, _ in seen.get("diagnostics", [])]
    expected = {
        "filetype": (seen.get("filetype"), "ferz"),
        "syntax": (seen.get("keyword"), "ferzKeyword"),
        "diagnostics": (sorted(found), [(3, 37, "E0301"), (4, 24, "E0301")]),
        "code action": (seen.get("action"), "change to 'orthogonal'"),
        "hover": (seen.get("hover"), '```ferz\npiece Stone "M"\n```'),
        "steps": (seen["steps"], ["diagnostics", "code action", "rename", "second code action",
                                  "no diagnostics", "saved", "lenses", "run in a terminal"]),
        "saved text": (script.read_text(encoding="utf-8"), SAVED),
    }
    return [Result(f"{name}:{what}", got == wanted,
                   f"expected {wanted!r}\ngot      {got!r}\n{output.describe()}")
            for what, (got, wanted) in expected.items()]


def plain(context, name):
    folder = context.folder()
    editor = name.removeprefix("editors/plain-")
    (folder / "bad.game").write_text(BAD, encoding="utf-8")
    (folder / "good.game").write_text(BAD.replace("(3;", "(3);"), encoding="utf-8")
    output = context.command(
        [editor, *PLAIN[editor], "-n", "-i", "NONE", "-u", "NONE",
         "--cmd", f"set nocompatible runtimepath^={ROOT / 'docs/editors/vim'}",
         "--cmd", "let g:ferz_lsp = 0 | filetype plugin on", "bad.game", "-c", "silent make",
         "-c", "call writefile([json_encode(map(getqflist(), "
               "{i, q -> [q.lnum, q.col, q.nr, q.text]}))], 'found')",
         "-c", "normal! gggqG", "-c", "silent write! bad.after",
         "-c", "edit! good.game", "-c", "normal! gggqG", "-c", "silent write! good.after",
         "-c", "qa!"],
        cwd=folder, more={"XDG_CONFIG_HOME": str(folder), "XDG_DATA_HOME": str(folder),
                          "XDG_STATE_HOME": str(folder), "XDG_CACHE_HOME": str(folder)})
    results = []
    for file, wanted in (
            ("found", json.dumps([[3, 15, 113, "')' expected to close '(', found ';'"],
                                  [3, 13, -1, "opened here"]])),
            ("bad.after", BAD),
            ("good.after", 'game "Small";\nplayers A, B;\nboard square(3);\n'
                           'piece Man "M" {}\n')):
        try:
            got = (folder / file).read_text(encoding="utf-8")
            if file == "found":
                got = json.dumps(json.loads(got))
        except (OSError, ValueError) as error:
            got = str(error)
        results.append(Result(f"{name}:{file}", got == wanted,
                              f"expected {wanted!r}\ngot      {got!r}\n{output.describe()}"))
    return results
