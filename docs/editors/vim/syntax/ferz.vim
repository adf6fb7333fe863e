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

syntax keyword ferzKeyword after again at attacks board by capture carried choose clock diagram die
syntax keyword ferzKeyword draw end ensuring enum extend extern fn game give graph info keeping let
syntax keyword ferzKeyword library limit lose move moves next of on option otherwise out override
syntax keyword ferzKeyword piece players proc property put rank remove return secret set setup show
syntax keyword ferzKeyword shown stop teams test turn use var variant view when while win
syntax keyword ferzOperator all and any as count else first for if in max min not or random sum then
syntax keyword ferzOperator union
syntax keyword ferzContextual base chance decisions do down excludes expect facing fails ferz from
syntax keyword ferzContextual hide includes only outcomes perft play position seen stacks subset
syntax keyword ferzContextual symbol to together turns up where
syntax keyword ferzType bool dir dirs int kind player site sites team
syntax keyword ferzConstant false nobody none off true
syntax keyword ferzBuiltin _subset _subsets abs adjacent allied attacked backward backward_left
syntax keyword ferzBuiltin backward_right become between board_repetitions border can captures
syntax keyword ferzBuiltin captures_of cells centre circle column connected corners diagonal dist
syntax keyword ferzBuiltin edges empty file flanked flanking flood foe forward forward_left
syntax keyword ferzBuiltin forward_right friends go height hex hex_rhombus hex_star hex_upright
syntax keyword ferzBuiltin invisible is_out join last last_from last_to layer layer_of layers leap
syntax keyword ferzBuiltin left line line_at marked me mesh mine mover moves_of neutral occupied
syntax keyword ferzBuiltin orthogonal owned owner payoff piece_moves pieces pits placed pull ray
syntax keyword ferzBuiltin repetitions repetitions_since reveal ride right ring roll row side
syntax keyword ferzBuiltin site_at slide square stack standing step swap the theirs track triangle
syntax keyword ferzBuiltin tuck unseen upcoming vertices walk with_edges without wrap

syntax match ferzNumber "\<\d\+\>"
syntax match ferzSign "=>\|\.\.\|[-+*/%&|~#<>=!]=\?"
syntax match ferzEscape contained "\\[nt\"\\]"
syntax match ferzTemplate contained "{\w\+}"
syntax region ferzString start=+"+ skip=+\\.+ end=+"\|$+ contains=ferzEscape,ferzTemplate
syntax region ferzText start=+"""+ end=+"""+
syntax keyword ferzTodo contained TODO FIXME XXX
syntax match ferzComment "//.*$" contains=ferzTodo,@Spell
syntax match ferzDoc "///\%([^/].*\)\?$" contains=ferzTodo,@Spell
syntax region ferzComment start="/\*" end="\*/" contains=ferzTodo,@Spell
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
