/* Functions of a shared library that is loaded when they are needed: few runs of the command draw
 * pictures or serve the page, and what cairo and libmicrohttpd bring with them takes longer to load
 * than a small game to play. paint.c and page_server.c have tables of such functions.
 *
 * configure defines NAME_SONAME where it can tell under which name the library is found. Where it
 * cannot, the library is linked as others are, and the table is filled by the linker. */
#ifndef FZ_INTERP_SUPPORT_ON_DEMAND_H
#define FZ_INTERP_SUPPORT_ON_DEMAND_H

#include <dlfcn.h>

/* A member of the table, for the function prefix##name. */
#define FZI_POINTER(prefix, name) __typeof__(prefix##name) *name;

/* In a function that returns false if the library or one of its functions is missing. A library
 * stays loaded, so loading it again costs nothing. */
#define FZI_LOAD(soname)                                                                          \
    void *library = dlopen(soname, RTLD_NOW | RTLD_LOCAL);                                        \
    if (!library)                                                                                 \
        return false
#define FZI_LOOK_UP(table, prefix, name)                                                          \
    if (!(*(void **)(void *)&(table)->name = dlsym(library, #prefix #name)))                      \
        return false;
#define FZI_LINKED(table, prefix, name) (table)->name = prefix##name;

#endif
