/* The bases of a variant: finds, reads and parses them, and puts all files of the game in order. */
#include "layers.h"
#include "interp/support/text.h"

static bool says_where(const char *path)
{
    return *path == '/' || strncmp(path, "./", 2) == 0 || strncmp(path, "../", 3) == 0;
}

/* Does the line of the library's index begin with this game, `folder/name` or `name`? */
static const char *indexed(const char *line, const char *name, size_t length)
{
    const char *end = line + strcspn(line, "\t\n"),
               *slash = memchr(line, '/', (size_t)(end - line));
    const char *begin = slash && !memchr(name, '/', length) ? slash + 1 : line;

    return (size_t)(end - begin) == length && memcmp(begin, name, length) == 0 ? end : NULL;
}

/* The index of the library's games; NULL without one. */
static const char *library_index(fzi_loader *loader)
{
    const char *games = loader->load->reader ? loader->load->reader->games : NULL, *index;
    size_t size;
    if (!games)
        return NULL;
    const char *path = fzi_arena_printf(loader->load->arena, "%s/index.tsv", games);
    return fzi_read_text(loader, path, &index, &size) == FZI_READ_DONE ? index : NULL;
}

static const char *next_line(const char *line)
{
    line += strcspn(line, "\n");
    return line + (*line != '\0');
}

/* A game of the library by its name, `name.game` or `folder/name.game`: its index has the
 * folder. */
static fzi_read read_library(fzi_loader *loader, const char *name, const char **path,
                             const char **text, size_t *length)
{
    static const char ending[] = ".game";
    fzi_arena *arena = loader->load->arena;
    const char *index, *end;
    size_t all = strlen(name), last = sizeof ending - 1;

    if (all <= last || strcmp(name + all - last, ending) != 0 || !(index = library_index(loader)))
        return FZI_READ_ABSENT;
    for (const char *line = index; *line; line = next_line(line))
        if ((end = indexed(line, name, all - last))) {
            *path = fzi_arena_printf(arena, "%s/%.*s%s", loader->load->reader->games,
                                     (int)(end - line), line, ending);
            return fzi_read_text(loader, *path, text, length);
        }
    return FZI_READ_ABSENT;
}

/* Other paths are also searched in the reader's folders, then in the library. A library of that
 * name is no base, so it is passed over. If a file cannot be read, `text` says why. */
static fzi_read read_base(fzi_loader *loader, const fzi_layer *variant, const char *name,
                          const char **path, const char **text, size_t *length)
{
    fzi_arena *arena = loader->load->arena;
    const fzi_reader *reader = loader->load->reader;
    const char *own = fzi_path_join(arena, variant->folder, name);
    *path = own;
    fzi_read read = fzi_read_text(loader, own, text, length);
    if (read != FZI_READ_ABSENT)
        return read;
    for (size_t i = 0; reader && !says_where(name) && i < reader->module_dir_count; i++) {
        *path = fzi_path_join(arena, fzi_arena_printf(arena, "%s/", reader->module_dirs[i]), name);
        read = fzi_read_text(loader, *path, text, length);
        if (read == FZI_READ_FAILED ||
            (read == FZI_READ_DONE && !fzi_begins_library(*text, *length)))
            return read;
    }
    read = says_where(name) ? FZI_READ_ABSENT : read_library(loader, name, path, text, length);
    if (read == FZI_READ_ABSENT)
        *path = own;
    return read;
}

/* A game of the library whose name is nearly the same, without ending; NULL: none. */
static const char *alike(fzi_loader *loader, const char *name)
{
    fzi_arena *arena = loader->load->arena;
    const char *index = library_index(loader), *ending = strstr(name, ".game");
    size_t all = ending ? (size_t)(ending - name) : strlen(name);
    fzi_nearest nearest = {.wanted = fzi_arena_printf(arena, "%.*s", (int)all, name)};
    for (const char *line = index ? index : ""; *line; line = next_line(line)) {
        size_t length = strcspn(line, "\t\n");
        const char *slash = memchr(line, '/', length);
        const char *from = slash && !strchr(name, '/') ? slash + 1 : line;
        fzi_nearest_offer(&nearest,
                          fzi_arena_printf(arena, "%.*s", (int)(line + length - from), from));
    }
    return 3 * nearest.distance <= all ? nearest.best : NULL; /* there are many short names */
}

static void cannot_read(fzi_loader *loader, const fzi_layer *variant, const fzi_node *base,
                        const char *path)
{
    fzi_diags *diags = loader->load->diags;
    fzi_diag *diag = fzi_error(diags, base->span, FZ_E_CANNOT_READ, path, "");
    const char *other, *text;
    size_t length;
    const char *with_ending = fzi_arena_printf(loader->load->arena, "%s.game", base->text);
    if (read_base(loader, variant, with_ending, &other, &text, &length) == FZI_READ_DONE)
        fzi_hint_add(diag, "did you mean '%s'?", with_ending);
    else if (!says_where(base->text) && (other = alike(loader, base->text)))
        fzi_hint_add(diag, "did you mean '%s.game'?", other);
    else if (!says_where(base->text))
        fzi_hint_add(
            diag, "Ferz looks for a base in the folder of the file, in those given with -I and in "
                  "FERZ_PATH, and among the games of the library");
}

/* The file of that path, if its bases are being followed or have been. */
static fzi_layer *begun_game(const fzi_loader *loader, const char *path)
{
    for (fzi_layer *layer = loader->games; layer; layer = layer->begun_before)
        if (strcmp(fzi_path_join(loader->load->arena, "", layer->path), path) == 0)
            return layer;
    return NULL;
}

/* One base of a variant; NULL after a complaint. A base of several files is read once. */
static fzi_layer *base_of(fzi_loader *loader, const fzi_layer *variant, const fzi_node *base)
{
    fzi_load *load = loader->load;
    const char *path, *text;
    size_t length;
    fzi_read read = read_base(loader, variant, base->text, &path, &text, &length);
    bool is_script = read == FZI_READ_DONE && fzi_begins_script(text, length);
    if (read == FZI_READ_ABSENT)
        cannot_read(loader, variant, base, path);
    else if (read == FZI_READ_FAILED)
        fzi_error(load->diags, base->span, FZ_E_CANNOT_READ, path, text);
    else if (!is_script) /* nothing of it is quoted */
        fzi_error(load->diags, base->span, FZ_E_NOT_A_SCRIPT, path);
    if (!is_script)
        return NULL;
    fzi_layer *layer = begun_game(loader, path);
    if (layer && layer->loading)
        fzi_error(load->diags, base->span, FZ_E_VARIANT_CYCLE);
    if (layer)
        return layer->loading ? NULL : layer;
    layer = fzi_layer_new(loader, path, text, length);
    if (layer->file->op == FZ_T_LIBRARY)
        fzi_error(load->diags, base->span, FZ_E_BASE_NOT_A_GAME, base->text);
    if (layer->file->op == FZ_T_LIBRARY || layer->file->op == FZ_T_NONE ||
        !fzi_follow_bases(loader, layer))
        return NULL;
    return layer;
}

/* Variants of one game can be combined: the files of all of them begin with that game. */
static bool changes_another_game(fzi_loader *loader, const fzi_layer *base, const fzi_node *name)
{
    const fzi_layer *root = loader->chain[0];
    while (base->base_count)
        base = base->bases[0];
    if (base == root)
        return false;
    fzi_error(loader->load->diags, name->span, FZ_E_OTHER_GAME, name->text, base->file->text,
              root->file->text);
    return true;
}

bool fzi_follow_bases(fzi_loader *loader, fzi_layer *layer)
{
    fzi_arena *arena = loader->load->arena;
    layer->begun_before = loader->games;
    loader->games = layer;
    layer->loading = true;
    const fzi_node *base = layer->file->op == FZ_T_VARIANT ? layer->file->base : NULL;
    layer->bases = fzi_arena_alloc(arena, (fzi_list_length(base) + 1) * sizeof *layer->bases);
    for (; base; base = base->next) {
        fzi_layer *found = base_of(loader, layer, base);
        if (!found || changes_another_game(loader, found, base))
            return false;
        layer->bases[layer->base_count++] = found;
    }
    layer->loading = false;
    *FZI_MORE(arena, loader->chain, loader->chain_count, loader->chain_capacity) = layer;
    return true;
}
