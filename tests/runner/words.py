"""The words that the glossary of docs/design.md forbids: comments and strings of the sources, the
manual and the README use one name for one thing."""
import re

from . import rooms
from .common import ROOT

GLOSSARY = ROOT / "docs/design.md"
# A row: term, meaning, and the words that are not used for it, each between back quotes.
ROW = re.compile(r"^\| (?!term |---)([^|]+) \| [^|]* \|([^|]*)\|$", re.MULTILINE)
PROSE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.DOTALL)
CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.MULTILINE | re.DOTALL)


def glossary():
    """The page's other parts, and {forbidden word: term}."""
    before, _, after = GLOSSARY.read_text(encoding="utf-8").partition("\n## Glossary\n")
    table, _, rest = after.partition("\n## ")
    words = {word: term for term, others in ROW.findall(table)
             for word in re.findall(r"`([^`]+)`", others)}
    return before, rest, words, len(ROW.findall(table))


def texts(before, rest):
    """(path, line, text) of all that is read by people."""
    for path in rooms.sources():
        text = (ROOT / path).read_text(encoding="utf-8")
        for found in PROSE.finditer(text):
            yield path, text.count("\n", 0, found.start()) + 1, found[0]
    for path in [*sorted((ROOT / "docs").rglob("*.md")), ROOT / "README.md"]:
        parts = [before, rest] if path == GLOSSARY else [path.read_text(encoding="utf-8")]
        for part in parts:
            yield path.relative_to(ROOT), 1, CODE.sub(lambda code: "\n" * code[0].count("\n"), part)


def pattern(words):
    """Abbreviations in capitals, and other words in any case, also in the plural."""
    parts = [re.escape(word) if word.isupper() else f"(?i:{re.escape(word)}s?)" for word in words]
    return re.compile(rf"(?<![\w-])(?:{'|'.join(parts)})(?![\w-])".replace(r"\ ", r"\s+"))


def complaints():
    before, rest, words, rows = glossary()
    if rows < 40 or not words:
        return f"docs/design.md: the glossary has {rows} terms, {len(words)} forbidden words\n"
    forbidden, found = pattern(words), []
    for path, line, text in texts(before, rest):
        for word in forbidden.finditer(text):
            number = line + text.count("\n", 0, word.start())
            plain = re.sub(r"\s+", " ", word[0])
            term = next(term for other, term in words.items()
                        if plain.lower() in (other.lower(), other.lower() + "s"))
            found.append(f"{path}:{number}: '{plain}' is called '{term}'\n")
    return "".join(found)
