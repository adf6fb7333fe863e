#!/usr/bin/env python3
"""Writes the grammars of editors from the compiler's own lists of words:

    docs/editors/vim/syntax/ferz.vim
    docs/editors/vscode/syntaxes/ferz.tmLanguage.json

With --check it changes nothing and says what differs."""
import json
import re

from common import finish, language_words, options, read, types

VIM = "docs/editors/vim/syntax/ferz.vim"
TEXTMATE = "docs/editors/vscode/syntaxes/ferz.tmLanguage.json"


def built_in():
    """Names of every game: primitives, shapes of boards, and what the prelude declares."""
    names = re.findall(r"^PRIM\((\w+),", read("grammar/check/primitives.def"), re.MULTILINE)
    names += re.findall(r"^BOARD\((\w+)", read("grammar/board/boards.def"), re.MULTILINE)
    names += re.findall(r"^(?:let|fn|proc|moves) (\w+)", read("stdlib/prelude.game"), re.MULTILINE)
    names += ["piece_moves", "moves_of"]
    return names


# Statements and declarations stand out from operators and the words between expressions.
OPERATORS = ("and", "or", "not", "in", "any", "all", "count", "sum", "max", "min", "union",
             "first", "random", "if", "then", "else", "as", "for")


def groups():
    """Each word in one group."""
    reserved, contextual = language_words()
    words = reserved | contextual
    keywords = reserved - set(OPERATORS)
    operators = reserved & set(OPERATORS)
    constants = {"true", "false", "off", "nobody", "none"}
    return {
        "keyword": sorted(keywords),
        "operator": sorted(operators),
        "contextual": sorted(contextual),
        "type": sorted(set(types()) - words),
        "constant": sorted(constants),
        "builtin": sorted(set(built_in()) - words - set(types()) - constants),
    }


# ---- Vim ----

VIM_HEAD = '''\
" Vim syntax file
" Language: Ferz
" Made by docs/editors.py from the compiler's lists of words.

if exists("b:current_syntax")
  finish
endif
let s:saved = &cpo
set cpo&vim

syntax case match
syntax iskeyword @,48-57,_

'''
VIM_TAIL = '''
syntax match ferzNumber "\\<\\d\\+\\>"
syntax match ferzSign "=>\\|\\.\\.\\|[-+*/%&|~#<>=!]=\\?"
syntax match ferzEscape contained "\\\\[nt\\"\\\\]"
syntax match ferzTemplate contained "{\\w\\+}"
syntax region ferzString start=+"+ skip=+\\\\.+ end=+"\\|$+ contains=ferzEscape,ferzTemplate
syntax region ferzText start=+"""+ end=+"""+
syntax keyword ferzTodo contained TODO FIXME XXX
syntax match ferzComment "//.*$" contains=ferzTodo,@Spell
syntax match ferzDoc "///\\%([^/].*\\)\\?$" contains=ferzTodo,@Spell
syntax region ferzComment start="/\\*" end="\\*/" contains=ferzTodo,@Spell
syntax region ferzBlock start="{" end="}" transparent fold
syntax sync minlines=100

highlight default link ferzKeyword Keyword
highlight default link ferzOperator Operator
highlight default link ferzContextual Keyword
highlight default link ferzType Type
highlight default link ferzConstant Constant
highlight default link ferzBuiltin Function
highlight default link ferzNumber Number
highlight default link ferzSign Operator
highlight default link ferzString String
highlight default link ferzText String
highlight default link ferzEscape SpecialChar
highlight default link ferzTemplate Identifier
highlight default link ferzComment Comment
highlight default link ferzDoc SpecialComment
highlight default link ferzTodo Todo

let b:current_syntax = "ferz"
let &cpo = s:saved
unlet s:saved
'''


def wrapped(head, words):
    lines, line = [], head
    for word in words:
        if len(line) + 1 + len(word) > 100:
            lines.append(line)
            line = head
        line += " " + word
    return "\n".join([*lines, line]) + "\n"


def vim():
    lists = "".join(wrapped(f"syntax keyword ferz{group.capitalize()}", words)
                    for group, words in groups().items())
    return VIM_HEAD + lists + VIM_TAIL


# ---- TextMate ----

SCOPES = {"keyword": "keyword.control.ferz", "operator": "keyword.operator.word.ferz",
          "contextual": "keyword.other.ferz", "type": "support.type.ferz",
          "constant": "constant.language.ferz", "builtin": "support.function.ferz"}


def textmate():
    patterns = [
        {"name": "comment.line.documentation.ferz", "match": "///(?!/).*$"},
        {"name": "comment.line.double-slash.ferz", "match": "//.*$"},
        {"name": "comment.block.ferz", "begin": r"/\*", "end": r"\*/"},
        {"name": "string.quoted.triple.ferz", "begin": '"""', "end": '"""'},
        {"name": "string.quoted.double.ferz", "begin": '"', "end": '"|$', "patterns": [
            {"name": "constant.character.escape.ferz", "match": r'\\[nt"\\]'},
            {"name": "variable.other.ferz", "match": r"\{\w+\}"}]},
        {"name": "constant.numeric.ferz", "match": r"\b[0-9]+\b"},
        {"match": r"\b(fn|proc|moves)\s+([A-Za-z_]\w*)", "captures": {
            "1": {"name": SCOPES["keyword"]}, "2": {"name": "entity.name.function.ferz"}}},
        {"match": r"\b(piece|enum|die|option|property)\s+([A-Za-z_]\w*)", "captures": {
            "1": {"name": SCOPES["keyword"]}, "2": {"name": "entity.name.type.ferz"}}},
    ]
    patterns += [{"name": SCOPES[group], "match": rf"\b({'|'.join(words)})\b"}
                 for group, words in groups().items()]
    patterns.append({"name": "keyword.operator.ferz", "match": r"=>|\.\.|[-+*/%&|~#<>=!]=?"})
    grammar = {"name": "Ferz", "scopeName": "source.ferz", "fileTypes": ["game"],
               "comment": "Made by docs/editors.py from the compiler's lists of words.",
               "patterns": patterns}
    return json.dumps(grammar, indent=2) + "\n"


finish({VIM: vim(), TEXTMATE: textmate()}, options(__doc__).parse_args().check)
