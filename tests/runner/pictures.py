"""Pictures: of one in eight shipped games (of all in a soak) a well-formed SVG with the moves; of
one in sixteen a PNG and a PDF, and the same bytes each time. `pictures/gallery` draws all games.
`tests/pictures/NAME.svg` begins with the arguments of the `ferz show` that writes the rest of it:
`<?ferz ARGUMENTS?>`."""
import shlex
import subprocess
import sys
from xml.etree import ElementTree

from .common import ROOT, Job, Result, difference

SHARE, SVG_SHARE = 16, 8     # one of so many games is drawn in all formats, and as SVG
BEGINNINGS = {"png": b"\x89PNG\r\n", "pdf": b"%PDF-"}


def jobs(context):
    if not context.soak:
        yield Job("pictures/gallery", drawn, "docs/pictures.py")
        yield Job("pictures/games", drawn, "docs/games.py")
        for path in sorted((ROOT / "tests/pictures").glob("*.svg")):
            yield Job(f"pictures/svg/{path.stem}", one_svg, path)
    formats = [("svg", "wood"), ("png", "plain"), ("pdf", "night")]
    if "without cairo" in context.run("show", "games/classic/nim.game", "--png").err:
        context.skip("pictures: PNG, PDF", "this ferz was built without cairo")
        formats = formats[:1]
    for number, path in enumerate(sorted((ROOT / "games").rglob("*.game"))):
        name = path.relative_to(ROOT / "games").with_suffix("")
        whole = context.soak or number % SHARE == 0
        if not (whole or context.filter or context.listing) and number % SVG_SHARE:
            continue
        yield Job(f"pictures/{name}", one_game, path, formats if whole else formats[:1], whole)


def one_svg(context, name, path):
    first, _, expected = path.read_text(encoding="utf-8").partition("\n")
    arguments = first.removeprefix("<?ferz ").removesuffix("?>")
    output = context.run("show", "--svg", *shlex.split(arguments))
    good = output.code == 0 and output.out == expected
    return [Result(name, good, difference(expected, output.out) + output.err)]


def drawn(context, name, program):
    """What a program of docs/ wrote with ferz is what it would write now."""
    script = [sys.executable, "-BS", ROOT / program, "--check"]
    done = subprocess.run([*script, "--ferz", shlex.join(context.ferz)], encoding="utf-8",
                          check=False, env=context.environment, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    return [Result(name, done.returncode == 0, done.stdout)]


def painted(context, path, format_, file, *more):
    output = context.run("show", path, f"--{format_}", "-O", file, *more)
    return output, file.read_bytes() if file.exists() else b""


def one_game(context, name, path, formats, again):
    folder, wrong = context.folder(), []
    for format_, theme in formats:
        more = ("--theme", theme, "--moves", "all")
        output, data = painted(context, path, format_, folder / "a", *more)
        if output.code:
            wrong.append(output.describe())
        elif format_ == "svg":
            wrong += wrong_svg(data)
        elif not data.startswith(BEGINNINGS[format_]):
            wrong.append(f"no {format_}")
        if again and painted(context, path, format_, folder / "b", *more)[1] != data:
            wrong.append(f"{format_}: other bytes the second time")
    return [Result(name, not wrong, "\n".join(wrong))]


def wrong_svg(data):
    try:
        root = ElementTree.fromstring(data)
    except ElementTree.ParseError as error:
        return [f"svg: {error}"]
    if not root.tag.endswith("}svg") or len(list(root.iter())) < 5:
        return ["svg: there is nothing in it"]
    if len(root.get("viewBox", "").split(" ")) != 4:  # other than Chromium, Firefox wants blanks
        return [f"svg: the view box is {root.get('viewBox')}"]
    return []
