" 'formatexpr' of Ferz scripts: `ferz fmt` formats whole scripts only, so Vim itself formats parts.
" A script with a mistake stays as it is.
function! ferz#format() abort
  if mode() =~# '[iR]' || v:lnum != 1 || v:count != line("$")
    return 1
  endif
  let text = system("ferz fmt -", getline(1, "$"))
  if v:shell_error
    echohl ErrorMsg | echomsg split(text, "\n")[0] | echohl None
    return 0
  endif
  let lines = split(text, "\n", 1)[:-2]
  if lines !=# getline(1, "$")
    call setline(1, lines)
    if line("$") > len(lines)
      execute "silent keepjumps " . (len(lines) + 1) . ",$delete _"
    endif
  endif
  return 0
endfunction
