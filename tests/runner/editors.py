"""Editors as clients of the language server: Neovim with the files of docs/editors/vim. (The
packager of VS Code's extension runs in `./dev editors`.) Boards as clients of `ferz engine`: Cute
Chess, which knows the rules itself, plays games of Ferz against Ferz."""
import json
import re
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


# The variant as cutechess-cli names it, the script, the protocol, the agent.
MATCHES = [("standard", "chess", "uci", "mcts:20"),
           ("standard", "chess", "xboard", "alphabeta:1"),
           ("crazyhouse", "crazyhouse", "uci", "mcts:20"),
           ("atomic", "atomic", "xboard", "alphabeta:1")]
UNFAIR = re.compile(r"illegal|disconnect|stall|on time|unterminated|warning", re.IGNORECASE)


def jobs(context):
    for match in MATCHES:
        if shutil.which("cutechess-cli"):
            yield Job(f"editors/cutechess-{match[1]}-{match[2]}", board_match, *match)
        else:
            context.skip(f"editors/cutechess-{match[1]}-{match[2]}", "there is no cutechess-cli")
    if shutil.which("nvim"):
        yield Job("editors/neovim", neovim)
    else:
        context.skip("editors/neovim", "Neovim is not installed")
    for editor in PLAIN:
        if shutil.which(editor):
            yield Job(f"editors/plain-{editor}", plain)


def board_match(context, name, variant, game, protocol, agent):
    """Two games to their ends, in which no move is illegal."""
    folder, words = context.folder(), []
    program, *wrapped = context.ferz
    for number in range(2):
        arguments = [*wrapped, "engine", game, "--agents", agent]
        words += ["-engine", f"name=Ferz{number}", f"cmd={program}",
                  *(f"arg={argument}" for argument in arguments)]
    output = context.command(
        ["cutechess-cli", *words, "-each", f"proto={protocol}", "tc=inf", "depth=1",
         "-variant", variant, "-games", "2", "-rounds", "1", "-pgnout", "games.pgn"],
        cwd=folder, merge=True)
    record = folder / "games.pgn"
    games = record.read_text("utf-8") if record.exists() else ""
    ends = re.findall(r'^\[Result "(.*)"\]$', games, re.MULTILINE)
    good = output.code == 0 and len(ends) == 2 and "*" not in ends and not UNFAIR.search(output.out)
    return [Result(name, good, f"{ends} " + output.describe())]


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
