#!/usr/bin/env python3
"""Writes docs/grammar/ferz.ebnf, ferz.gbnf and ferz.lark, the grammar of scripts for other
programs, from grammar/syntax/ferz.y; with --check, says whether they are up to date.

What precedence says in ferz.y is left out, so expressions are ambiguous: the three grammars say
which texts are scripts, not how they are read. Words that the scanner tells apart by what follows
may be names everywhere, so a few texts are allowed that are no scripts."""
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


def rules():
    """Alternatives, lists of words, by name; those for recovery from mistakes are left out."""
    text = without_actions(read("grammar/syntax/ferz.y").split("\n%%\n")[1])
    words = [m["word"] or m["sign"] for m in TOKEN.finditer(text) if m.lastgroup]
    found, at = {}, 0
    while at < len(words):
        name, alternatives, at = words[at], [[]], at + 2
        while words[at] != ";":
            if words[at] == "|":
                alternatives.append([])
            elif words[at] == "%prec":
                at += 1
            elif words[at] not in ("%empty", *SILENT):
                alternatives[-1].append(words[at])
            at += 1
        found[name] = [one for one in alternatives
                       if not {"error", "RECOVER", "ENTER_SNIPPET"} & set(one)]
        at += 1
    found["name"] += [[word] for word in ALSO_NAMES if [word] not in found["name"]]
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


def gbnf_names(text):
    """GBNF knows no capitals in names."""
    return re.sub(r"\b(IDENT|INT|STRING)\b", lambda m: m[1].lower(), text)


def main():
    pages = {}
    for name, form in FORMS.items():
        text = form.text(rules())
        pages[f"docs/grammar/ferz.{name}"] = gbnf_names(text) if name == "gbnf" else text
    finish(pages, options(__doc__).parse_args().check)


if __name__ == "__main__":
    main()
