/* Declarations for the language server that wasi-libc lacks: included before its files. */
#ifndef FZ_INTERP_WEB_ABSENT_H
#define FZ_INTERP_WEB_ABSENT_H

#include <stdlib.h>
#include <string.h>

/* There are no links. */
static inline char *realpath(const char *path, char *resolved)
{
    return resolved ? strcpy(resolved, path) : strdup(path);
}

#endif
