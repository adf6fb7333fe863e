#!/usr/bin/env python3
"""Writes docs/grammar/ferz.ebnf, ferz.gbnf, ferz.lark and grammar.js (tree-sitter), the grammar of
scripts for other programs, from grammar/syntax/ferz.y; with --check, says whether they are up to
date.

What precedence says in ferz.y is left out of the first three, so expressions are ambiguous: they
say which texts are scripts, not how they are read. Words that the scanner tells apart by what
follows may be names everywhere, so a few texts are allowed that are no scripts."""
import re

from common import finish, options, read

HEAD = "The grammar of Ferz scripts. Made by docs/grammar.py from grammar/syntax/ferz.y."
TOKEN = re.compile(r'\s+|/\*.*?\*/|(?P<word>%?[A-Za-z_]+|"[^"]*")|(?P<sign>[:|;])', re.DOTALL)
TERMINALS = {"IDENT": "IDENT", "INT": "INT", "STRING": "STRING"}
# Tokens of the parser that stand for no text.
SILENT = {"ENTER_FILE", "FINISH"}
# Words that the scanner makes names where no name or loop follows (docs/language/syntax.md).
ALSO_NAMES = ['"turn"', '"any"', '"all"', '"count"', '"sum"', '"first"', '"at"']


def without_actions(text):
    """The rules without what stands in braces."""
    found, depth, at = "", 0, 0
    while at < len(text):
        quoted = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\]|\\.)\'|/\*.*?\*/|//[^\n]*',
                            re.DOTALL).match(text, at)
        step = quoted[0] if quoted else text[at]
        if not quoted and step == "}":
            depth -= 1
        elif depth == 0 and step != "{":
            found += step
        if not quoted and step == "{":
            depth += 1
        at += len(step)
    return found


class Words(list):
    """The words of an alternative; `level`: the word that gives its precedence, if %prec does."""

    level = None


def rules():
    """Alternatives, lists of words, by name; those for recovery from mistakes are left out."""
    text = without_actions(read("grammar/syntax/ferz.y").split("\n%%\n")[1])
    words = [m["word"] or m["sign"] for m in TOKEN.finditer(text) if m.lastgroup]
    found, at = {}, 0
    while at < len(words):
        name, alternatives, at = words[at], [Words()], at + 2
        while words[at] != ";":
            if words[at] == "|":
                alternatives.append(Words())
            elif words[at] == "%prec":
                at += 1
                alternatives[-1].level = words[at]
            elif words[at] not in ("%empty", *SILENT):
                alternatives[-1].append(words[at])
            at += 1
        found[name] = [one for one in alternatives
                       if not {"error", "RECOVER", "ENTER_SNIPPET"} & set(one)]
        at += 1
    found["name"] += [Words([word]) for word in ALSO_NAMES if [word] not in found["name"]]
    return found


def repeated(name, alternatives):
    """(first, separator and member) of a rule that is a list of itself; None: it is another."""
    own = [one for one in alternatives if one and one[0] == name]
    others = [one for one in alternatives if not one or one[0] != name]
    if len(own) == 1 and len(others) == 1 and name not in own[0][1:]:
        return others[0], own[0][1:]
    return None


class Form:
    """How a rule is written: in EBNF, in GBNF (llama.cpp) or for Lark."""

    def __init__(self, comment, joins, rename, word, ends, tail):
        self.comment, self.joins, self.rename, self.word = comment, joins, rename, word
        self.ends, self.tail = ends, tail

    def part(self, word):
        if word[0] == '"':
            return self.word(word)
        return word if word in TERMINALS else self.rename(word)

    def sequence(self, words):
        return " ".join(map(self.part, words))

    def rule(self, name, alternatives):
        listed = repeated(name, alternatives)
        if listed:
            more = f"({self.sequence(listed[1])})*"
            body = f"{self.sequence(listed[0])} {more}".strip()
        else:
            empty = [] in alternatives
            body = "\n  | ".join(self.sequence(one) for one in alternatives if one)
            body = f"({body})?" if empty else body
        return f"{self.rename(name)} {self.joins} {body}{self.ends}"

    def text(self, all_rules):
        lines = [f"{self.comment} {HEAD}", ""]
        lines += [self.rule(*rule) for rule in all_rules.items()]
        return "\n".join(lines + self.tail) + "\n"


def dashed(name):
    return {"start": "root"}.get(name, name.replace("_", "-"))


FORMS = {
    "ebnf": Form("//", "::=", lambda n: n, lambda w: w, "", [
        "IDENT ::= [A-Za-z_] [A-Za-z0-9_]*", "INT ::= [0-9]+",
        'STRING ::= \'"\' ([^"\\\\#xA] | "\\" ["\\nt])* \'"\' | \'"""\' .* \'"""\'',
        "BLANK ::= [ #x9#xA#xD]+ | '//' [^#xA]* | '/*' .* '*/'   // between any two tokens"]),
    "gbnf": Form("#", "::=", dashed, lambda w: f"{w} blank", "", [
        "IDENT ::= [A-Za-z_] [A-Za-z0-9_]* blank", "INT ::= [0-9]+ blank",
        'STRING ::= ("\\"" ([^"\\\\\\n] | "\\\\" ["\\\\nt])* "\\"" | '
        '"\\"\\"\\"" ([^"] | "\\"" [^"] | "\\"\\"" [^"])* "\\"\\"\\"") blank',
        'blank ::= ([ \\t\\r\\n] | "//" [^\\n]* "\\n")*']),
    "lark": Form("//", ":", lambda n: n, lambda w: w, "", [
        "IDENT: /[A-Za-z_][A-Za-z0-9_]*/", "INT: /[0-9]+/",
        'STRING: /"""(.|\\n)*?"""|"([^"\\\\\\n]|\\\\.)*"/',
        "BLANK: /[ \\t\\r\\n]+|\\/\\/[^\\n]*|\\/\\*(.|\\n)*?\\*\\//", "%ignore BLANK"]),
}


# ---- tree-sitter ----

# What the scanner decides by the words around: the parser tries both.
CONFLICTS = [["unnamed", "name"], ["over", "name"], ["item", "name"]]
TREE_HEAD = f"""// {HEAD}
/* eslint-disable */
// @ts-check

module.exports = grammar({{
  name: "ferz",
  word: $ => $.identifier,
  extras: $ => [/\\s|\\uFEFF/, $.comment],
"""
TREE_TAIL = [
    "    identifier: $ => /[A-Za-z_][A-Za-z0-9_]*/,", "    number: $ => /[0-9]+/,",
    '    string: $ => token(choice(/"""([^"]|"[^"]|""[^"])*"""/, /"([^"\\\\\\n]|\\\\.)*"/)),',
    "    comment: $ => token(choice(/\\/\\/[^\\n]*/, /\\/\\*([^*]|\\*+[^*\\/])*\\*+\\//)),",
    "  }", "});"]
TREE_NAMES = {"IDENT": "identifier", "INT": "number", "STRING": "string", "start": "source_file"}


def levels():
    """(number, side) of each word with a precedence; a greater number binds more."""
    text = read("grammar/syntax/ferz.y").split("\n%%\n")[0]
    found = {}
    lines = re.findall(r"^%(precedence|left|nonassoc) +(.*)", text, re.MULTILINE)
    for number, (side, words) in enumerate(lines, 1):
        for word in re.findall(r'"[^"]*"|[A-Z]+', re.sub(r"/\*.*?\*/", "", words)):
            found[word] = (number, "right" if side == "precedence" else "left")
    return found


class TreeSitter:
    """No rule of tree-sitter may be empty: what may be is optional where it is used."""

    def __init__(self):
        self.rules, self.levels = rules(), levels()
        self.empty = set()
        while len(self.empty) < len(more := {name for name, one in self.rules.items()
                                            if any(self.empty.issuperset(words)
                                                   for words in one)}):
            self.empty = more

    def part(self, word):
        if word[0] == '"':
            return word
        named = f"$.{TREE_NAMES.get(word, word)}"
        return f"optional({named})" if word in self.empty else named

    def sequence(self, words):
        parts = [self.part(word) for word in words]
        if self.empty.issuperset(words):    # not without all of them
            parts = [f"$.{words[0]}"] if len(words) == 1 else parts
        return parts[0] if len(parts) == 1 else f"seq({', '.join(parts)})"

    def alternative(self, words):
        body = self.sequence(words)
        level = words.level or next((w for w in reversed(words) if w in self.levels), None) or \
            next((one.level for one in self.rules.get(words[-1], ()) if not one), None)
        if level is None:
            return body
        number, side = self.levels[level]
        return f"prec.{side}({number}, {body})"

    def body(self, name, alternatives):
        listed = repeated(name, alternatives)
        if listed and not listed[0]:
            return f"repeat1({self.sequence(listed[1])})"
        if listed:
            return f"seq({self.sequence(listed[0])}, repeat({self.sequence(listed[1])}))"
        parts = [self.alternative(words) for words in alternatives if words]
        between = ",\n      "
        return parts[0] if len(parts) == 1 else f"choice(\n      {between.join(parts)})"

    def text(self):
        conflicts = "".join(f"    [{', '.join(f'$.{name}' for name in row)}],\n"
                            for row in CONFLICTS)
        lines = [f"    {TREE_NAMES.get(name, name)}: $ => {self.body(name, one)},"
                 for name, one in self.rules.items()]
        return "\n".join([f"{TREE_HEAD}  conflicts: $ => [\n{conflicts}  ],\n  rules: {{", *lines,
                          *TREE_TAIL]) + "\n"


def gbnf_names(text):
    """GBNF knows no capitals in names."""
    return re.sub(r"\b(IDENT|INT|STRING)\b", lambda m: m[1].lower(), text)


def main():
    pages = {}
    for name, form in FORMS.items():
        text = form.text(rules())
        pages[f"docs/grammar/ferz.{name}"] = gbnf_names(text) if name == "gbnf" else text
    pages["docs/grammar/grammar.js"] = TreeSitter().text()
    finish(pages, options(__doc__).parse_args().check)


if __name__ == "__main__":
    main()
