"""The manual's examples run: fenced blocks of the pages in docs/, of docs/llms.txt and README.md.

    ```ferz                   a whole file (its first declaration is game, variant or library) must
                              pass `ferz test`, a library `ferz check`; anything else is not run
    ```ferz file=name.game    the same, and later blocks of the page can use it under that name
    ```ferz-error E0312       must be refused with this code (several: with all of them)

    ```console run            a session: after each line `$ command` what it prints in full (stdout,
                              or stderr if that is all there is), in the form of tests/cli (see
                              run.py); exit codes are checked only where a line `? N` gives one

The tour in docs/design.md names functions that exist; files, folders and functions that design.md
and CONTRIBUTING.md quote exist too.

A block runs in a folder that holds `games` and, beside it, each family (`variant "X" of
"chess/chess.game"`).
"""
import json
import re
from html.parser import HTMLParser

from . import grammar
from .common import ROOT, Job, Result
from .scripts import checked, self_test
from .sessions import session

FENCE = re.compile(r"^```(ferz(?:-error)?|console)(?: +([^\n]*))?\n(.*?)^```\s*$",
                   re.MULTILINE | re.DOTALL)
MODELS, MOST_TOKENS = "docs/llms.txt", 4000
COMMENTS = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


def jobs(context):
    yield from grammar.jobs(context)
    if context.soak:
        return
    for page in [ROOT / "README.md", ROOT / MODELS, *sorted((ROOT / "docs").rglob("*.md"))]:
        if list(blocks(page)):
            stem = page.relative_to(ROOT).with_suffix("").as_posix()
            yield Job(f"docs/{stem.removeprefix('docs/')}", one_page, page)
    yield Job("docs/tokens", tokens)
    yield Job("docs/tour", tour)
    yield Job("docs/names", names)
    yield Job("docs/html", html)
    yield Job("docs/man-open-block", man_open_block)


def tokens(_, name):
    """The page for language models stays short, as a tokenizer of common words would count it."""
    text = (ROOT / MODELS).read_text(encoding="utf-8")
    number = sum(1 + (len(part) - 1) // 6 for part in re.findall(r"\w+|[^\w\s]+", text))
    return [Result(name, 1000 < number < MOST_TOKENS, f"{MODELS} has {number} tokens")]


class Reader(HTMLParser):
    """Elements that are not closed, anchors and links."""

    def __init__(self):
        super().__init__()
        self.open, self.wrong, self.anchors, self.links = [], [], set(), []

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.anchors.add(found.get("id"))
        self.links += [found["href"]] if "href" in found else []
        self.open += [tag] if tag not in ("meta", "img", "br") else []

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"</{tag}> at {self.getpos()}")


def html(context, name):
    """The pages as HTML (docs/html.awk): elements are closed, and links in them lead somewhere."""
    pages, wrong = {}, []
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        output = context.command(["awk", "-f", ROOT / "docs/html.awk", page])
        reader = pages[page] = Reader()
        reader.feed(output.out)
        wrong += [f"{page.name}: {one}" for one in [*reader.wrong, *reader.open]]
    for page, reader in pages.items():
        for link in reader.links:
            path, _, anchor = link.partition("#")
            there = (page.parent / path.replace(".html", ".md")).resolve() if path else page
            if there in pages and anchor and anchor not in pages[there].anchors:
                wrong.append(f"{page.name}: there is no {link}")
            elif ":" not in link and not there.exists():
                wrong.append(f"{page.name}: there is no {link}")
    return [Result(name, not wrong and len(pages) > 50, "\n".join(wrong))]


def man_open_block(context, name):
    """A block of code that nothing closes is an error of a man page, and does not hang."""
    page = context.folder() / "open.md"
    page.write_text("# Page\n\n```\nopen\n", encoding="utf-8")
    output = context.command(["awk", "-v", "page=ferz-page", "-v", "about=a page", "-f",
                              ROOT / "docs/man.awk", page])
    return [Result(name, output.code == 1 and "is not closed" in output.err, output.describe())]


def blocks(page):
    """(line, kind, words after it, text) of each block that runs."""
    source = page.read_text(encoding="utf-8")
    for fence in FENCE.finditer(source):
        kind, info, text = fence.groups()
        info = (info or "").split()
        header = COMMENTS.sub("", text).split(None, 1)[:1]
        if kind == "ferz-error" or kind == "console" and "run" in info or \
                kind == "ferz" and header and header[0] in ("game", "variant", "library"):
            yield source.count("\n", 0, fence.start()) + 1, kind, info, text


def one_page(context, name, page):
    folder = context.folder()
    for family in [ROOT / "games", *(ROOT / "games").glob("*")]:
        (folder / family.name).symlink_to(family)
    results = []
    for line, kind, info, text in blocks(page):
        if kind == "console":
            results += session(context, f"{name}:{line}", folder, text, strict=False)
            continue
        named = [word[5:] for word in info if word.startswith("file=")]
        library = re.match(r"library\s+(\w+)", COMMENTS.sub("", text).lstrip())
        path = folder / (named[0] if named else f"{library[1] if library else f'line-{line}'}.game")
        path.write_text(text, encoding="utf-8")
        test = f"{name}:{line}"
        if kind == "ferz-error":
            results.append(refused(context, test, path,
                                   [word for word in info if re.match(r"[EW]\d+$", word)]))
        else:
            results.append((checked if library else self_test)(context, test, path))
    return results


def tour(_, name):
    """Each step of the tour in docs/design.md names a function that its file defines."""
    section = (ROOT / "docs/design.md").read_text(encoding="utf-8").partition("\n## A tour\n")[2]
    steps = re.findall(r"^\| (\d+) \| .* \| `(\S+)` \| `(\w+)` \| `.*` \|$",
                       section.partition("\n## ")[0], re.MULTILINE)
    wrong = [f"step {step}: {path} does not define {function}\n" for step, path, function in steps
             if not (ROOT / path).exists() or not re.search(
                 rf"^\w[^;\n]*\b{function}\([^;]*?\)\n\{{",
                 (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE)]
    if [step for step, *_ in steps] != [str(step) for step in range(1, 13)]:
        wrong.append("the tour does not have the steps 1 to 12\n")
    return [Result(name, not wrong, "".join(wrong))]


def names(_, name):
    """Files, folders and names with fz_ that the pages for maintainers quote."""
    sources = [path for folder in ("grammar", "interp", "docs", "tests")
               for path in (ROOT / folder).rglob("*") if "__pycache__" not in path.parts]
    places = {str(path.relative_to(ROOT)) for path in sources} | {"interp/native/texts.c"}
    code = "".join(path.read_text(encoding="utf-8") for path in sources
                   if path.suffix in (".c", ".h", ".def", ".l", ".y"))
    known = set(re.findall(r"\bfzi?_\w+", code))
    wrong = []
    for page in ("docs/design.md", "CONTRIBUTING.md"):
        for quoted in re.findall(r"`([^`\n]+)`", (ROOT / page).read_text(encoding="utf-8")):
            files = re.findall(r"(?<![\w*}.])[\w./]+\.(?:c|h|def|l|y|py|awk)\b", quoted)
            files += re.findall(r"^([a-z_]+(?:/[a-z_]+)*)/$", quoted)
            wrong += [f"{page}: there is no {file}\n" for file in files if "NAME" not in file
                      and not (ROOT / file).exists()
                      and not any(f"/{place}".endswith(f"/{file}") for place in places)]
            wrong += [f"{page}: there is no {word}\n"
                      for word in re.findall(r"\bfzi?_[a-z]\w+", quoted) if word not in known]
    return [Result(name, not wrong, "".join(wrong))]


def refused(context, name, path, codes):
    output = context.run("check", path, "--format", "json", cwd=path.parent)
    try:
        found = {item["code"] for item in json.loads(output.out)}
    except ValueError:
        return Result(name, False, "ferz check --format json printed no JSON\n" + output.describe())
    good = (bool(codes) and set(codes) <= found
            and (output.code == 1) == any(c[0] == "E" for c in found))
    return Result(name, good, f"expected {' '.join(codes) or 'a code in the fence'}, "
                              f"got {' '.join(sorted(found))}\n"
                  + output.describe())
