" `:make` checks the script, and the quickfix list holds its mistakes.

if exists("current_compiler")
  finish
endif
let current_compiler = "ferz"

CompilerSet makeprg=ferz\ check\ %:S
CompilerSet errorformat=%f:%l:%c:\ %trror\ %m,%f:%l:%c:\ %tarning\ %m,%-G%.%#
