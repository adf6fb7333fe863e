" Settings for Ferz scripts. In Neovim this also starts the language server, unless
" g:ferz_lsp is 0.

if exists("b:did_ftplugin")
  finish
endif
let b:did_ftplugin = 1

setlocal commentstring=//\ %s
setlocal comments=s1:/*,mb:*,ex:*/,:///,://
setlocal suffixesadd=.game
setlocal expandtab shiftwidth=2 softtabstop=2
setlocal formatoptions-=t formatoptions+=croql
setlocal iskeyword=@,48-57,_

if executable("ferz")
  setlocal formatexpr=ferz#format()
endif
compiler ferz

let b:undo_ftplugin = "setlocal commentstring< comments< suffixesadd< expandtab< shiftwidth<"
      \ . " softtabstop< formatoptions< iskeyword< formatexpr< makeprg< errorformat<"

if has("nvim") && get(g:, "ferz_lsp", 1)
  lua require("ferz").start()
endif
