/* Searches the scripts of the workspace for the uses of a name, for references and renames. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif
#include "lsp.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { MAX_SCRIPTS = 5000, MAX_FOLDER_DEPTH = 12, MAX_PATH = 4096 };

/* ---- files ---- */

static bool ends_in(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

typedef struct folder_walk {
    const fzi_lsp *lsp;
    fzi_workspace_visit *visit;
    void *user;
    unsigned left; /* scripts to visit */
} folder_walk;

/* Hidden folders and links to folders are left out, so the walk ends. */
static void walk_folder(folder_walk *w, const char *folder, unsigned depth)
{
    DIR *directory = depth < MAX_FOLDER_DEPTH ? opendir(folder) : NULL;
    struct dirent *entry;
    while (directory && w->left && (entry = readdir(directory))) {
        char path[MAX_PATH];
        struct stat info;
        int length = snprintf(path, sizeof path, "%s%s%s", folder,
                              ends_in(folder, "/") ? "" : "/", entry->d_name);
        if (*entry->d_name == '.' || length >= MAX_PATH || lstat(path, &info) != 0)
            continue;
        if (S_ISDIR(info.st_mode)) {
            walk_folder(w, path, depth + 1);
        } else if (ends_in(path, ".game") && !fzi_lsp_document_at(w->lsp, path)) {
            w->left--;
            w->visit(w->user, path);
        }
    }
    if (directory)
        closedir(directory);
}

void fzi_workspace_each(const fzi_lsp *lsp, fzi_workspace_visit *visit, void *user)
{
    folder_walk w = {lsp, visit, user, MAX_SCRIPTS};
    for (const fzi_document *d = lsp->documents; d; d = d->next)
        visit(user, d->path);
    for (size_t i = 0; i < lsp->root_count; i++)
        walk_folder(&w, lsp->roots[i], 0);
}

bool fzi_workspace_owns(const fzi_lsp *lsp, const char *path)
{
    if (fzi_lsp_document_at(lsp, path))
        return true;
    char *full = realpath(path, NULL);
    bool owns = false;
    for (size_t i = 0; full && i < lsp->root_count && !owns; i++) {
        char *root = realpath(lsp->roots[i], NULL);
        size_t length = root ? strlen(root) : 0;
        owns = length && strncmp(full, root, length) == 0 &&
               (full[length] == '/' || root[length - 1] == '/');
        free(root);
    }
    free(full);
    return owns;
}

/* ---- uses ---- */

typedef struct search {
    fzi_lsp *lsp;
    const fzi_name *name;
    fzi_document *document; /* already looked through */
    fzi_name_uses uses;
} search;

static bool is_known(const fzi_name_uses *uses, const char *path, uint32_t start)
{
    for (size_t i = 0; i < uses->count; i++)
        if (uses->items[i].start == start && strcmp(uses->items[i].path, path) == 0)
            return true;
    return false;
}

static void add_use(search *s, const fzi_analysis *a, const fzi_mention *m)
{
    const fzi_source *source = fzi_source_at(a->sources, m->span.source);
    if (is_known(&s->uses, source->path, m->span.start))
        return;
    s->uses.items = fzi_lsp_resize(s->uses.items, (s->uses.count + 1) * sizeof *s->uses.items);
    s->uses.items[s->uses.count++] = (fzi_use_place){
        .uri = fzi_uri_of_path(s->lsp, source->path),
        .path = fzi_lsp_copy(source->path, strlen(source->path)),
        .range = fzi_lsp_span_range(s->lsp, a, m->span), .start = m->span.start,
        .end = m->span.end, .declares = m->declares};
}

static bool is_meant(const search *s, const fzi_analysis *a, const fzi_mention *m)
{
    const fzi_source *source = fzi_source_at(a->sources, m->target.source);
    if (!s->name->path)
        return !source && m->symbol && strcmp(m->symbol->name, s->name->text) == 0;
    return source && m->target.start == s->name->start &&
           strcmp(source->path, s->name->path) == 0;
}

static void search_analysis(search *s, const fzi_analysis *a, uint32_t source)
{
    fzi_mentions all = fzi_mentions_find(a, source);
    for (size_t i = 0; i < all.count; i++)
        if (is_meant(s, a, &all.items[i]))
            add_use(s, a, &all.items[i]);
}

/* True if the file contains the name as text, which is cheaper to find out than an analysis. */
static bool contains(search *s, const char *path)
{
    char *text = NULL;
    size_t length;
    if (fzi_context_read_regular(s->lsp->context, path, &text, &length) != FZ_OK)
        return false;
    bool found = strstr(text, s->name->text) != NULL;
    fz_text_free(s->lsp->context, text);
    return found;
}

static void search_file(void *user, const char *path)
{
    search *s = user;
    if (strcmp(path, s->document->path) == 0 || !contains(s, path))
        return;
    fzi_analysis *a = fzi_analyse(s->lsp->context, path, NULL, 0, NULL, false);
    if (!a)
        return;
    if (setjmp(*fzi_arena_handler(a->arena)) == 0)
        search_analysis(s, a, 0);
    fzi_analysis_free(a);
}

fzi_name_uses fzi_workspace_uses(fzi_lsp *lsp, fzi_document *document, const fzi_name *name)
{
    search s = {lsp, name, document, {0}};
    fzi_analysis *a = fzi_document_analysis(lsp, document);
    search_analysis(&s, a, name->is_local || !name->path ? FZI_OWN_SOURCE : 0);
    if (name->path && !name->is_local)
        fzi_workspace_each(lsp, search_file, &s);
    return s.uses;
}

void fzi_uses_clear(fzi_name_uses *uses)
{
    for (size_t i = 0; i < uses->count; i++) {
        free(uses->items[i].uri);
        free(uses->items[i].path);
        json_decref(uses->items[i].range);
    }
    free(uses->items);
    *uses = (fzi_name_uses){0};
}

/* ---- trying a new name ---- */

/* The document's text with the name at its places; free. */
static char *renamed(const fzi_document *document, const fzi_name_uses *uses, const char *name,
                     size_t *length)
{
    char *text = fzi_lsp_resize(NULL, document->length + 1 + uses->count * strlen(name));
    size_t from = 0;
    *length = 0;
    for (size_t i = 0; i < uses->count; i++) {
        const fzi_use_place *use = &uses->items[i];
        if (strcmp(use->path, document->path) != 0 || use->start < from)
            continue;
        memcpy(text + *length, document->text + from, use->start - from);
        *length += use->start - from;
        memcpy(text + *length, name, strlen(name));
        *length += strlen(name);
        from = use->end;
    }
    memcpy(text + *length, document->text + from, document->length - from);
    *length += document->length - from;
    text[*length] = '\0';
    return text;
}

/* True if the name at the first place has as many uses as before. */
static bool keeps_meaning(const fzi_analysis *tried, const fzi_name_uses *uses)
{
    fzi_mentions all = fzi_mentions_find(tried, FZI_OWN_SOURCE);
    const fzi_mention *first = fzi_mention_at(&all, uses->items[0].start);
    size_t count = 0;
    for (size_t i = 0; first && i < all.count; i++)
        count += all.items[i].target.source == first->target.source &&
                 all.items[i].target.start == first->target.start;
    return count == uses->count;
}

bool fzi_workspace_clashes(fzi_lsp *lsp, fzi_document *document, const fzi_name_uses *uses,
                           const char *name)
{
    const fzi_analysis *now = fzi_document_analysis(lsp, document);
    for (size_t i = 0; i < uses->count; i++)
        if (strcmp(uses->items[i].path, document->path) != 0)
            return false; /* only all files together would show it */
    size_t length;
    char *text = renamed(document, uses, name, &length);
    fzi_analysis *tried = fzi_analyse(lsp->context, document->path, text, length, NULL, true);
    volatile bool clashes = true;
    if (tried && setjmp(*fzi_arena_handler(tried->arena)) == 0)
        clashes = tried->diags->errors > now->diags->errors || !keeps_meaning(tried, uses);
    fzi_analysis_free(tried);
    free(text);
    return clashes;
}
