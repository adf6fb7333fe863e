" `:make` checks the script, and the quickfix list holds its mistakes.

if exists("current_compiler")
  finish
endif
let current_compiler = "ferz"

CompilerSet makeprg=ferz\ check\ %:S
CompilerSet errorformat=%f:%l:%c:\ %trror[E%n]:\ %m,%f:%l:%c:\ %tarning[W%n]:\ %m
CompilerSet errorformat+=%f:%l:%c:\ %tote:\ %m,%-G%.%#
