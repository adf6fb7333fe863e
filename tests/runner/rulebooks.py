"""The rules in English of every shipped game (`ferz rules`): each page has its sections, none is
empty, and the prose contains no code. Three pages are compared in full with tests/rules/NAME.md:
after a change, `./dev rulebooks NAME` prints what to put there."""
import html.parser
import re

from .common import ROOT, Job, Result, difference

SECTIONS = ["Players", "Board", "Pieces", "Set-up", "The turn", "Chance", "Hidden information",
            "End of the game", "Scores", "Options", "Sources"]
NEEDED = {"Players", "Board", "The turn", "Sources"}
# What no rulebook says.
RAW = [(re.compile(pattern), words) for pattern, words in [
    (r"[A-Za-z]\\?_[A-Za-z]", "a name with an underscore"),
    (r"==|!=|<=|>=|&&|\|\||=>|\.\.", "an operator"),
    (r"[{}]", "a brace"),
    (r"\b(?:fn|proc|let|var|bool|int|dirs|theirs|upcoming)\b", "a word of the language"),
    (r"\w\(", "a call"),
    (r"\b(the|a|an|of|to|and|or|is) \1\b", "a word that stands twice"),
    (r"\b(?:a|an) (?:the|a|an|own [a-z]+s)\b", "two articles"),
    (r" [,.;:]|,,|\(\)|, \.", "a mark after a blank"),
]]


class Tags(html.parser.HTMLParser):
    """Finds tags that are not closed."""
    VOID = {"meta", "!doctype"}

    def __init__(self):
        super().__init__()
        self.open, self.wrong, self.links = [], [], []

    def handle_starttag(self, tag, attrs):
        self.links += [value for name, value in attrs if name in ("src", "href")]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)


def prose(page):
    """The page without drawings, code, sources, and the table of options."""
    page = re.sub(r"^```.*?^```$", "", page, flags=re.MULTILINE | re.DOTALL)
    page = re.sub(r"^\|.*$", "", page, flags=re.MULTILINE)
    return re.sub(r"`[^`\n]*`", "CODE", page.split("\n## Sources")[0])


def complaints(page):
    headings = re.findall(r"^## (.*)$", page, re.MULTILINE)
    order = [name for name in SECTIONS if name in headings]
    if headings != order:
        yield f"sections {headings}, expected {order}\n"
    for name in sorted(NEEDED - set(headings)):
        yield f"no section {name!r}\n"
    for heading, text in re.findall(r"^(#+ .*)\n(.*?)(?=^#|\Z)", page, re.MULTILINE | re.DOTALL):
        if not text.strip() and heading.startswith("## "):
            yield f"{heading!r} is empty\n"
    for line in prose(page).split("\n"):
        for pattern, words in RAW:
            if pattern.search(line):
                yield f"{words}: {line}\n"


def one_game(context, name, path):
    game = str(path.relative_to(ROOT))
    page = context.run("rules", game)
    results = []
    wrong = "".join(complaints(page.out)) if page.code == 0 else page.err
    results.append(Result(name, page.code == 0 and not wrong and not page.err, wrong + page.err))
    made = context.run("rules", "--html", game)
    tags = Tags()
    tags.feed(made.out)
    results.append(Result(f"{name}:html", made.code == 0 and not tags.open and not tags.wrong
                          and not tags.links, f"open {tags.open}, wrong {tags.wrong}, "
                                              f"links {tags.links}"))
    expected = ROOT / "tests/rules" / f"{path.stem}.md"
    if expected.exists():
        text = expected.read_text(encoding="utf-8")
        results.append(Result(f"{name}:text", page.out == text, difference(text, page.out)))
    return results


def jobs(_):
    for path in sorted((ROOT / "games").rglob("*.game")):
        yield Job(f"rules/{path.parent.name}/{path.stem}", one_game, path)
