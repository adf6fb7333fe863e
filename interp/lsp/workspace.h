/* The scripts of the workspace: where a name is used in all of them. */
#ifndef FZ_INTERP_LSP_WORKSPACE_H
#define FZ_INTERP_LSP_WORKSPACE_H

#include "lsp.h"

/* A name by its first declaration. */
typedef struct fzi_name {
    const char *text;
    const char *path;   /* the file that declares it; NULL: it is built in */
    uint32_t start;     /* its place in that file */
    bool is_local;      /* of a body, so no other file uses it */
} fzi_name;

/* A place where the name stands. */
typedef struct fzi_use_place {
    char *uri, *path;
    json_t *range;
    uint32_t start, end; /* bytes of the text */
    bool declares;
} fzi_use_place;

typedef struct fzi_name_uses {
    fzi_use_place *items;
    size_t count;
} fzi_name_uses;

/* All uses in the document, the files that it consists of, other open documents and, unless the
 * name is built in or local, all scripts in the folders of the workspace. */
fzi_name_uses fzi_workspace_uses(fzi_lsp *lsp, fzi_document *document, const fzi_name *name);
void fzi_uses_clear(fzi_name_uses *uses);
/* Would another name at these places bring errors, or mean something else somewhere? */
bool fzi_workspace_clashes(fzi_lsp *lsp, fzi_document *document, const fzi_name_uses *uses,
                           const char *name);
/* Is the file open, or in a folder of the workspace? Only then may it be changed. */
bool fzi_workspace_owns(const fzi_lsp *lsp, const char *path);

/* Calls `visit` for each script of the workspace, open or not. */
typedef void fzi_workspace_visit(void *user, const char *path);
void fzi_workspace_each(const fzi_lsp *lsp, fzi_workspace_visit *visit, void *user);

#endif
