"""The WebAssembly engine and what is made of it, in build/web (./dev test --web makes it).

tests/web/*.mjs run in Node: the engine plays as ferz does, and the examples of the
package's page print what it says."""
import functools
import http.server
import json
import os
import re
import shutil
import threading

from . import page_server
from .common import ROOT, Failure, Job, Result, difference

README = ROOT / "interp/web/npm/README.md"
EXAMPLE = re.compile(r"```js\n(.*?)```(?:\n\nIt prints\n\n```text\n(.*?)```)?", re.DOTALL)
# Games of all sorts: widths of sets, chance, secrets, stacks, several players.
PLAYOUTS = {"classic/tic-tac-toe": 500, "chess/chess": 20, "go/go": 5, "race/backgammon": 50,
            "hidden/battleship": 20, "icehouse/martian-chaturaji": 10, "stacks/tak": 20,
            "tafl/alea-evangelii": 2, "cards/whist": 10, "sow/oware": 100, "dice/yahtzee": 5}
PERFT = {"classic/tic-tac-toe": 5, "chess/chess": 3, "draughts/international": 4, "sow/kalah": 4,
         "shogi/minishogi": 3, "stacks/tak": 2, "go/go": 2, "lines/yavalath": 2}


def jobs(context):
    if context.soak:
        if context.browser:
            yield Job("web/soak/random", at_random, ROOT / "build/web/npm")
        return
    if "built without" in context.run("web", "--port", "?").err:
        context.skip("web/server", "ferz was built without libmicrohttpd")
    else:
        yield Job("web/server/reading", page_server.reading)
        yield Job("web/server/saving", page_server.saving)
        yield Job("web/server/usage", page_server.usage)
        yield Job("web/server/crowded", page_server.crowded)
        yield Job("web/server/large", page_server.large)
        yield Job("web/server/bounds", page_server.bounds)
        yield Job("web/server/port_of_http", page_server.port_of_http)
    if shutil.which("node"):
        yield Job("web/manual", manual)
    package = ROOT / "build/web/npm"
    if not is_made(package / "ferz.wasm") or not shutil.which("node"):
        context.skip("web", "there is no WebAssembly engine of these sources: ./dev test --web")
        return
    yield Job("web/playouts", playouts, package)
    yield Job("web/perft", perft, package)
    yield Job("web/readme", readme, package)
    yield Job("web/command", command, package)
    if context.browser == "chromium":
        yield Job("web/random", at_random, package)
    for script, parts in (FIREFOX_PARTS if context.browser == "firefox" else BROWSER_PARTS).items():
        for part in parts if context.browser else ():
            yield Job(f"web/{script}/{part}", in_browser, script, part)
    if context.browser == "chromium":
        yield Job("web/places/static", static)
        yield Job("web/places/installed", installed)
    for script in sorted((ROOT / "tests/web").glob("*.test.mjs")):
        yield Job(f"web/{script.name.removesuffix('.test.mjs')}", script_test, package, script)


def manual(context, name):
    """The manual on the page: all sections of its pages are there, all links lead somewhere, no
    Markdown is left, and the search finds what it should."""
    made = context.command(["node", str(ROOT / "interp/web/make_manual.mjs"), str(ROOT)]).out
    places = re.findall(r'<section id="([^"]+)"', made)
    wanted = [f"{folder}-{page.stem}" for folder in ("language", "cookbook")
              for page in (ROOT / "docs" / folder).glob("*.md") if page.stem != "index"]
    missing = sorted({*wanted, "tutorial", "commands", "errors--e0301-unknown-name"} - {*places})
    lost = sorted({*re.findall(r'href="#([^"]+)"', made)} - {*re.findall(r'id="([^"]+)"', made)})
    words = re.sub(r"<[^>]+>", "", re.sub(r"<(pre|code)\b.*?</\1>", "", made, flags=re.DOTALL))
    left = re.findall(r".*(?:\*\*|\]\(|`|^#+ ).*", words)
    good = not missing and not lost and not left and len(places) == len({*places})
    results = [Result(name, good, f"missing: {missing}\nlinks to nothing: {lost}\n"
                                  f"Markdown: {left[:5]}\n")]
    if context.browser == "chromium" and shutil.which("chromium"):
        folder = context.folder()
        (folder / "manual.html").write_text(made, encoding="utf-8")
        for file in ("manual.js", "manual.css", "style.css"):
            shutil.copy(ROOT / "interp/web/page" / file, folder)
        for query, best in (("castling", "cookbook-moves--castling"), ("ride", "language-names"),
                            ("E0301", "errors--e0301-unknown-name"),
                            ("attacked", "language-pieces--attacked")):
            shown = context.command(["chromium", "--headless", "--no-sandbox", "--disable-gpu",
                                     "--dump-dom", f"file://{folder}/manual.html#q={query}"]).out
            first = re.search(r'<ol id="found".*?<a href="#([^"]+)"', shown, re.DOTALL)
            results.append(compared(f"{name}:{query}", best, first and first[1]))
    return results


def is_made(engine):
    """Is it there, and newer than everything that it is made of?"""
    sources = [path for folder in ("grammar", "interp", "stdlib", "games")
               for path in (ROOT / folder).rglob("*")
               if path.suffix in (".c", ".h", ".def", ".l", ".y", ".game")
               and "cli" not in path.parts]
    return engine.exists() and \
        engine.stat().st_mtime > max(path.stat().st_mtime for path in sources)


def node(context, package, script, *arguments):
    """The JSON that a script prints, which gets the folder of the package."""
    output = context.command(["node", str(ROOT / "tests/web" / script), str(package), *arguments])
    try:
        return json.loads(output.out)
    except ValueError:
        raise Failure(f"no JSON from {script}: {output.describe()}") from None


def compared(name, expected, got):
    return Result(name, expected == got, f"ferz: {expected}\nWebAssembly: {got}")


def playouts(context, name, package):
    """The same seed is the same games: counts, lengths and results."""
    found = node(context, package, "counts.mjs", "playouts", json.dumps(PLAYOUTS))
    results = []
    for game, count in PLAYOUTS.items():
        ferz = context.data("playout", ROOT / f"games/{game}.game", "-n", count, "--seed", 7)
        length = ferz["length"]
        expected = {"plies": ferz["plies"], "turns": ferz["turns"], "wins": ferz["wins"],
                    "draws": ferz["draws"], "stopped": ferz["stopped"],
                    "shortest": length["min"], "longest": length["max"]}
        results.append(compared(f"{name}/{game}", expected, found[game]))
    return results


def perft(context, name, package):
    found = node(context, package, "counts.mjs", "perft", json.dumps(PERFT))
    results = []
    for game, depth in PERFT.items():
        output = context.run("perft", ROOT / f"games/{game}.game", depth)
        expected = output.out.split("\n")[depth - 1].split(": ")[1].split()[0].replace(",", "")
        results.append(compared(f"{name}/{game}", expected, found[game]))
    return results


def packed(context, name, package, folder):
    """The package in the folder, as users get it: packed and installed."""
    if not shutil.which("npm"):
        (folder / "node_modules").mkdir()
        (folder / "node_modules/ferz").symlink_to(package)
        return
    output = context.command(["npm", "pack", "--json", str(package)], cwd=folder)
    tarball = json.loads(output.out)  # a list, in newer versions by the names of packages
    tarball = tarball[0] if isinstance(tarball, list) else next(iter(tarball.values()))
    files = sorted(one["path"] for one in tarball["files"])
    expected = ["LICENSE", "README.md", "command.js", "ferz.wasm", "files.json", "index.d.ts",
                "index.js", "package.json", "wasi.js"]
    yield compared(f"{name}:packed", expected, files)
    output = context.command(["npm", "install", "--offline", "--no-audit", "--no-fund",
                              f"./{tarball['filename']}"], cwd=folder)
    yield Result(f"{name}:installed", output.code == 0, output.describe())


def readme(context, name, package):
    """Each example of the page prints what stands below it."""
    folder = context.folder()
    (folder / "package.json").write_text('{"type": "module"}')
    results = [*packed(context, name, package, folder)]
    for number, (code, printed) in enumerate(EXAMPLE.findall(README.read_text("utf-8")), 1):
        (folder / "example.js").write_text(code)
        output = context.command(["node", "example.js"], cwd=folder)
        good = output.code == 0 and output.out == printed
        results.append(Result(f"{name}:{number}", good,
                              difference(printed, output.out) + "\n" + output.err))
    return results


MINE = """game "Mine";
players A, B;
board square(4);
piece Man "M";
turn { choose to in empty => put Man of me at to; otherwise draw; }
"""
SMALL = 'variant "Small" of "mine.game";\noverride board square(2);\n'

# What `npx ferz` prints: words, exit status, the last lines of its answer.
COMMANDS = (
    ("check small.game", 0, ""),
    ("check small.game -o Size=3", 1, "error[E0208]: there is no option 'Size'\n"),
    ("check bad.game", 1, "bad.game:5:61: error[E0118]: no statement begins with 'loose'\n"),
    ("moves small.game a1", 0, "b1\na2\nb2\n"),
    ("moves small.game a1 a1", 1, "\n  mine.game:5:15: to in empty"),
    ("check ../bad.game", 2, "../bad.game: ENOENT\n"),
    ("perft chess 3", 0, "8902\n"),
    ("playout small.game -n 5", 0, "Small: 5 games, 4 to 4 decisions, mean 4.00\n"
     "A won 0.00 %\nB won 0.00 %\ndraws 100.00 %\n"),
    ("show small.game a1 b1", 0, "A to move, turn 3.\n"),
    ("fmt small.game", 0, "\noverride board square(2);\n"),
    ("rules small.game | tail -1", 0, "</html>\n"),
    ("--help", 0, "2 if the command cannot be done.\n"),
    ("show small.game --colour 2>&1 | cut -c1-25", 0, "Unknown option '--colour'\n"),
    ("test tic-tac-toe", 0, " passed, 0 failed\n"),
    ("play small.game --agent random < moves.txt", 0, "A 1, B 1\n"),
    ("show nothing", 2, "there is no game 'nothing'\n"),
    ("show absent.game", 2, "absent.game: ENOENT\n"),
    ("playout chess -n many", 2, "--count: 'many' is no number from 0 to 2^32 - 1\n"),
    ("playout chess -n 4294967301", 2, "'4294967301' is no number from 0 to 2^32 - 1\n"),
    ("playout pig -n 9 --seed 9007199254740993 | sed 1q", 0, "57 to 106 decisions, mean 83.89\n"),
    ("playout pig --seed 18446744073709551616", 2, "is no number from 0 to 2^64 - 1\n"),
)


def command(context, name, package):
    """The package as a command, which reads scripts with what lies beside them."""
    folder = context.folder()
    for file, text in (("mine", MINE), ("small", SMALL), ("bad", MINE.replace("draw", "loose"))):
        (folder / f"{file}.game").write_text(text)
    (folder / "moves.txt").write_text("a1\na1\nb1\na2\nb2\n" * 2)
    results = []
    for words, status, end in COMMANDS:
        output = context.command(["sh", "-c", f"node {package}/command.js {words} 2>&1"],
                                 cwd=folder)
        good = output.code == status and (end in output.out if status == 1
                                          else output.out.endswith(end))
        results.append(Result(f"{name}:{words}", good, output.describe()))
    return results




BROWSER_PARTS = {
    "browser": ("early", "patient", "tour", "keyboard", "panels", "writing", "players", "sharing",
                "phone"),
    "playing": ("screen", "dragging", "cards", "hands", "sound", "searching", "choosing"),
    "keeping": ("making", "reload", "files", "links", "passing", "offline", "speed"),
    "accessible": ("boards", "colours", "tabs", "reader", "focus", "secrets", "small", "still"),
}
# Parts that need neither a phone nor the tree that screen readers read, which only Chromium lets
# tests see.
FIREFOX_PARTS = {
    "browser": ("keyboard",),
    "playing": ("dragging", "cards", "hands", "sound", "searching", "choosing"),
}


def in_browser(context, name, script, part):
    """A part of a script: the page as ferz serves it, in Chromium. Screenshots are left in
    build/web/shots."""
    scripts, shots = context.folder(), ROOT / "build/web/shots"
    (scripts / "mine.game").write_text(MINE)
    (scripts / "50% #1?.game").write_text(MINE.replace("Mine", "Odd"))
    shots.mkdir(exist_ok=True)
    with page_server.served(context, ROOT / "build/web/site", "--save", scripts) as server:
        address = f"http://127.0.0.1:{server.port}/?key={server.key}"
        output = context.command(["node", str(ROOT / f"tests/web/{script}.mjs"), address,
                                  str(ROOT / "build/node"), str(shots), part],
                                 more={"FERZ_TEST_FOLDER": str(scripts),
                                       "BROWSER": context.browser})
    if part != "sharing":
        return counted(name, output)
    saved = (scripts / "mine.game").read_text()
    odd = (scripts / "50% #1?.game").read_text()
    return [*counted(name, output),
            Result(f"{name}:saved", saved == MINE.replace('"Mine"', '"Mine too"'), saved),
            Result(f"{name}:saved odd", odd == MINE.replace('"Mine"', '"Odd one"'), odd)]


def at_random(context, name, package):
    """Random actions on the page. $FERZ_ACTIONS and $FERZ_SEED say how many, and which."""
    more = {"FERZ_ACTIONS": "10000" if context.soak else "100", "FERZ_SEED": "1",
            "FERZ_PACKAGE": str(package), **{key: value for key, value in os.environ.items()
                                             if key in ("FERZ_ACTIONS", "FERZ_SEED")}}
    shots = ROOT / "build/web/shots"
    shots.mkdir(exist_ok=True)
    with page_server.served(context, ROOT / "build/web/site") as server:
        output = context.command(["node", str(ROOT / "tests/web/random.mjs"),
                                  f"http://127.0.0.1:{server.port}/?key={server.key}",
                                  str(ROOT / "build/node"), str(shots)], more=more)
    print(output.out, end="", flush=True)
    return counted(name, output)


def played(context, name, address, part):
    """A game on the page at an address."""
    shots = ROOT / "build/web/shots"
    shots.mkdir(exist_ok=True)
    return counted(name, context.command(["node", str(ROOT / "tests/web/places.mjs"), address,
                                          str(ROOT / "build/node"), str(shots), part]))


class Files(http.server.SimpleHTTPRequestHandler):
    """A server that does not know what WebAssembly is."""
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map,
                      ".wasm": "application/octet-stream"}

    def log_message(self, *_):  # pylint: disable=arguments-differ
        pass


def static(context, name):
    """The page as files in a folder of another server."""
    folder = context.folder()
    (folder / "some").mkdir()
    shutil.copytree(ROOT / "build/web/site", folder / "some/path")
    handler = functools.partial(Files, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever).start()
        try:
            return played(context, name, f"http://127.0.0.1:{server.server_port}/some/path/",
                          "files")
        finally:
            server.shutdown()


def installed(context, name):
    """`make install` brings the page, the manual, completions and files for Vim, `ferz web` finds
    the page there and serves it, and `make uninstall` leaves no file and no folder of ours."""
    stage = context.folder()
    make = ["make", "-s", "-C", str(context.build), f"DESTDIR={stage}",
            f"PAGE={ROOT / 'build/web/site'}"]
    output = context.command([*make, "install"])
    binary = next(stage.rglob("bin/ferz"), None)
    if output.code != 0 or not binary:
        return [Result(f"{name}:install", False, output.describe())]
    prefix = binary.parents[1]
    results = [Result(f"{name}:{file}", (prefix / "share" / file).exists()) for file in (
        "ferz/web/index.html", "doc/ferz/README.md", "doc/ferz/docs/language/types.md",
        "doc/ferz/docs/pictures/hex.svg", "bash-completion/completions/ferz",
        "doc/ferz/docs/language/types.html", "man/man5/ferz-language.5", "man/man7/ferz-agents.7",
        "ferz/games/index.tsv",
        "vim/vimfiles/syntax/ferz.vim")]
    # A name space of its own, in which the stage lies where it belongs and no page is built.
    own = ["unshare", "-rm", "sh", "-c", 'mount --bind "$0" "$1" && shift && exec "$@"',
           str(prefix), "/" + str(prefix.relative_to(stage))]
    if context.command([*own, "true"]).code == 0:
        inside = "/" + str(binary.relative_to(stage))
        for words, said in ((["games", "othello"], "reversi"), (["moves", "tic-tac-toe"], "a1"),
                            (["help", "lsp"], "doc/ferz/docs/editors.md")):
            output = context.command([*own, inside, *words])
            results.append(Result(f"{name}:{words[-1]}", said in output.out, output.describe()))
        hidden = ["sh", "-c", 'mount -t tmpfs none "$0" && exec "$@"', str(ROOT / "build/web/site")]
        binary = "/" + str(binary.relative_to(stage))
        words = [binary, "web", "--port", "0", str(context.folder())]
        with page_server.started(context, [*own, *hidden, *words]) as server:
            results += played(context, name, f"http://127.0.0.1:{server.port}/?key={server.key}",
                              "game")
    else:
        context.skip(f"{name}:served", "this user may not mount folders")
    output = context.command([*make, "uninstall"])
    left = [str(path.relative_to(stage)) for path in stage.rglob("*")
            if not path.is_dir() or path.name == "ferz"]
    results.append(Result(f"{name}:uninstall", output.code == 0 and not left,
                          output.describe() + f"\nleft: {left[:10]}"))
    return results


def script_test(context, name, package, script):
    """A script that prints `N passed, N failed` at its end."""
    return counted(name, context.command(["node", str(script), str(package)]))


def counted(name, output):
    counts = re.search(r"^(\d+) passed, (\d+) failed$", output.out, re.MULTILINE)
    if not counts or output.code not in (0, 1):
        return [Result(name, False, output.describe())]
    passed, failed = map(int, counts.groups())
    return [Result(name, failed == 0, output.describe(), passed, failed)]
