#!/usr/bin/env python3
"""Writes docs/opcodes.md from interp/program/opcodes.def; with --check, says whether it is up to date."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGET = ROOT / "docs" / "opcodes.md"
ENTRY = re.compile(r'^OP\((\w+),\s*"([^"]*)",\s*"([^"]*)",\s*(\w+),\s*"(.*)"\)$')
SECTION = re.compile(r"^/\* ---- (.*) ---- \*/$")


def table():
    source = (ROOT / "interp/program/opcodes.def").read_text()
    head = source[source.index("/*") + 2:source.index("*/")]
    lines = ["# Instructions", "", "Made from `interp/program/opcodes.def` by `docs/opcodes.py`.", "", "```"]
    lines += [re.sub(r"^ \* ?", "", line).rstrip() for line in head.strip().splitlines()]
    lines += ["```", ""]
    for line in source.splitlines():
        section, entry = SECTION.match(line), ENTRY.match(line)
        if section:
            lines += ["", f"## {section[1].capitalize()}", "",
                      "| instruction | operands | extension | effect | meaning |",
                      "| --- | --- | --- | --- | --- |"]
        elif entry:
            name, operands, extension, effect, meaning = entry.groups()
            meaning = meaning.replace("|", "\\|")
            lines.append(f"| {name} | `{operands}` | {f'`{extension}`' if extension else ''} | "
                         f"{effect.lower()} | {meaning} |")
    return "\n".join(lines) + "\n"


if "--check" in sys.argv:
    sys.exit(0 if TARGET.read_text() == table() else "docs/opcodes.md is out of date: run docs/opcodes.py")
TARGET.write_text(table())
