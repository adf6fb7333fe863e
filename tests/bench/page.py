"""The tables of docs/performance.md."""

import os

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DOCUMENT = os.path.join(ROOT, "docs", "performance.md")


def replace(mark, table):
    """The text between <!-- mark --> and <!-- end --> becomes the table;
    ValueError without such a place."""
    with open(DOCUMENT, encoding="utf-8") as file:
        text = file.read()
    begin, end = f"<!-- {mark} -->\n", "<!-- end -->"
    if begin not in text:
        raise ValueError(f"{DOCUMENT} has no place for '{mark}'")
    before, rest = text.split(begin, 1)
    after = rest.split(end, 1)[1]
    with open(DOCUMENT, "w", encoding="utf-8") as file:
        file.write(f"{before}{begin}\n" + "\n".join(table) + f"\n\n{end}{after}")
