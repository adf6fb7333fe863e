/* Serves the page of interp/web and the scripts of a folder to browsers of this machine. */
#ifndef FZ_INTERP_SERVE_PAGE_SERVER_H
#define FZ_INTERP_SERVE_PAGE_SERVER_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Descriptors of folders: the caller's. */
typedef struct fzi_page_task {
    int page;         /* the page's own files */
    int scripts;      /* /files/ */
    bool may_save;    /* scripts may be written */
    const char *key;  /* requests for scripts must have it; a text of visible ASCII characters */
    uint16_t port;    /* 0: a free one */
} fzi_page_task;

/* Can Ferz serve here? */
bool fzi_page_serves(void);
/* A thread answers on 127.0.0.1 while `until` runs, which learns the port. False: errno says
 * why. */
bool fzi_page_serve(const fzi_page_task *task,
                    void (*until)(const fzi_page_task *task, uint16_t port));

/* ---- page_files.c ---- */

/* Files that the page may read and write: those below one folder, by paths of addresses. A path is
 * followed a part at a time through descriptors, and no link is followed, so nothing outside of the
 * folder is reached, whatever changes on the disk in the meantime. */

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
