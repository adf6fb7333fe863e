autocmd BufNewFile,BufRead *.game setfiletype ferz
