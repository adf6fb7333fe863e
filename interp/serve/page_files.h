/* Files that the page may read and write: those below one folder, by paths of addresses. A path is
 * followed a part at a time through descriptors, and no link is followed, so nothing outside of the
 * folder is reached, whatever changes on the disk in the meantime. */
#ifndef FZ_INTERP_SERVE_PAGE_FILES_H
#define FZ_INTERP_SERVE_PAGE_FILES_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* A folder, opened; -1: it cannot be. Closed by the caller. */
int fzi_page_folder(const char *path);

/* A regular file below the folder, opened to be read, and its size; -1: there is none. `path` has
 * parts with slashes between them; hidden ones, `.`, `..` and empty ones are refused. */
int fzi_page_open(int folder, const char *path, size_t *size);

/* Replaces or makes the file as a whole; its folder must be there. */
bool fzi_page_write(int folder, const char *path, const char *bytes, size_t length);

/* Is it the name of a script? */
bool fzi_page_is_script(const char *path);

/* The paths of the scripts below the folder, sorted: an array. Of a folder with very many files it
 * has those that are nearest to the top, and `*all` is false. */
json_t *fzi_page_scripts(int folder, bool *all);

#endif
