"""The rules in English of every shipped game (`ferz rules`): each page has its sections, none is
empty, and the prose contains no code. Each value of each option changes the page, beside the table
of options; tests/rules/unsaid.tsv says where not, and why. Three pages are compared in full with
tests/rules/NAME.md: after a change, `./dev rulebooks NAME` prints what to put there."""
import html.parser
import re
from pathlib import Path

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


def options(page):
    """(name, value) for each value of an option that is not chosen; of a range both ends."""
    for row in re.findall(r"^\| `(\w+)` \| (.*?) \| (\S+).*\|$", page, re.MULTILINE):
        name, values, chosen = row[0], row[1], row[2].strip("`")
        named = re.findall(r"(?:^|; )`(\w+)`", values)
        for value in named or values.split(" or " if values.startswith("true") else " to "):
            if value != chosen:
                yield name, value


def rules_of(page):
    """The page without its table of options."""
    return re.sub(r"^## Options\n.*?(?=^## |\Z)", "", page, flags=re.MULTILINE | re.DOTALL)


def unsaid():
    lines = (ROOT / "tests/rules/unsaid.tsv").read_text(encoding="utf-8").splitlines()
    return {tuple(line.split("\t")[:3]) for line in lines if not line.startswith("#")}


def every_value(context, name, path, page):
    """In a soak also of the options that come from a base."""
    game, wrong, known = str(path.relative_to(ROOT)), "", unsaid()
    own = re.findall(r"^\s*option (\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    for option, value in options(page):
        if option not in own and not context.soak:
            continue
        made = context.run("rules", game, "-o", f"{option}={value}")
        is_same = made.code == 0 and rules_of(made.out) == rules_of(page)
        is_known = (str(Path(game).relative_to("games").with_suffix("")), option, value) in known
        if (made.code != 0 or is_same) != is_known:
            why = "no sentence changes" if is_same else made.err or "unsaid.tsv lists it"
            wrong += f"{option}={value}: {why}\n"
        elif not is_known:
            wrong += "".join(complaints(made.out))
    return Result(f"{name}:options", not wrong, wrong)


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
    if "\n## Options" in page.out:
        results.append(every_value(context, name, path, page.out))
    expected = ROOT / "tests/rules" / f"{path.stem}.md"
    if expected.exists():
        text = expected.read_text(encoding="utf-8")
        results.append(Result(f"{name}:text", page.out == text, difference(text, page.out)))
    return results


def jobs(_):
    for path in sorted((ROOT / "games").rglob("*.game")):
        yield Job(f"rules/{path.parent.name}/{path.stem}", one_game, path)
