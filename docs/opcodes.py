#!/usr/bin/env python3
"""Writes docs/opcodes.md from interp/program/opcodes.def; with --check, says whether it is up to
date."""
import re
import sys

from common import finish, options, read

ENTRY = re.compile(r'^OP4?\((\w+),\s*"([^"]*)",\s*"([^"]*)",\s*(?:"([^"]*)",\s*)?([\w| ]+),'
                   r'\s*"(.*)"\)$')
FLAG = re.compile(r'^FLAG\((\w+),\s*"(.*)"\)$')
SECTION = re.compile(r"^/\* ---- (.*) ---- \*/$")


def flags():
    """The legend, a table for each section of opcode_flags.def."""
    lines = ["## Flags", "", "| flag | an instruction that has it |", "| --- | --- |"]
    for line in read("interp/program/opcode_flags.def").splitlines():
        flag = FLAG.match(line)
        if flag:
            lines.append(f"| {flag[1].lower()} | {flag[2]} |")
    return lines


def instruction(entry):
    name, operands, extension, data, flags_of, meaning = entry.groups()
    words = f"`{extension}`" if extension else ""
    if data:
        words += f" `{data}`"
    names = ", ".join(flag.strip().lower() for flag in flags_of.split("|") if flag != "PURE")
    return f"| {name} | `{operands}` | {words} | {names} | {meaning.replace('|', chr(92) + '|')} |"


def table():
    source = read("interp/program/opcodes.def")
    head = source[source.index("/*") + 2:source.index("*/")]
    lines = ["# Instructions", "",
             "`ferz disasm GAME` prints the instructions of a game. This page says what they do.",
             "`docs/opcodes.py` makes it from `interp/program/opcodes.def` and `opcode_flags.def`.",
             "", "```"]
    lines += [re.sub(r"^ \* ?", "", line).rstrip() for line in head.strip().splitlines()]
    lines += ["```", ""] + flags()
    for line in source.splitlines():
        section, entry = SECTION.match(line), ENTRY.match(line)
        if section:
            lines += ["", f"## {section[1].capitalize()}", "",
                      "| instruction | operands | extension | flags | meaning |",
                      "| --- | --- | --- | --- | --- |"]
        elif entry:
            lines.append(instruction(entry))
        elif line.startswith("OP"):
            sys.exit(f"docs/opcodes.py does not understand: {line}")
    return "\n".join(lines) + "\n"


finish({"docs/opcodes.md": table()}, options(__doc__).parse_args().check)
