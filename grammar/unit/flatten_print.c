/* Writes the parts of a merged text. See flatten_parts.h. */
#include "flatten_parts.h"

typedef struct printing {
    fzi_merging *m;
    fzi_arena *arena;
    fzi_growing text;
} printing;

static void put(printing *p, const char *text)
{
    fzi_grow_z(p->arena, &p->text, text);
}

/* ---- the header ---- */

static const char *quoted(const printing *p, const char *text)
{
    fzi_growing g = {.text = NULL};
    fzi_grow_z(p->arena, &g, "\"");
    for (; *text; text++) {
        const char *escape = *text == '"'    ? "\\\""
                             : *text == '\\' ? "\\\\"
                             : *text == '\n' ? "\\n"
                             : *text == '\t' ? "\\t"
                                             : NULL;
        if (escape)
            fzi_grow_z(p->arena, &g, escape);
        else
            fzi_grow(p->arena, &g, text, 1);
    }
    fzi_grow_z(p->arena, &g, "\"");
    return g.text;
}

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* "// From a.game, b.game and c.game." */
static void put_origin(printing *p)
{
    const fzi_unit *unit = p->m->unit;
    size_t count = 0, number = 0;
    for (size_t i = 0; i < unit->layer_count; i++)
        count += !unit->layers[i]->module || unit->layers[i]->is_merged;
    if (count < 2)
        return;
    put(p, "\n// From ");
    for (size_t i = unit->layer_count; i-- > 0;) {
        const fzi_layer *layer = unit->layers[i];
        if (layer->module && !layer->is_merged)
            continue;
        put(p, number == 0 ? "" : number + 1 == count ? " and " : ", ");
        put(p, file_name(layer->path));
        number++;
    }
    put(p, ".\n");
}

static void put_info(printing *p)
{
    for (const fzi_node *d = p->m->unit->decls; d; d = d->next) {
        if (d->kind != N_D_INFO || !d->entries)
            continue;
        put(p, "\ninfo {\n");
        for (const fzi_node *entry = d->entries; entry; entry = entry->next) {
            const char *own = fzi_part_slice(p->m, entry->span.source, entry->name_span.end,
                                             entry->span.end);
            put(p, entry->name);
            put(p, " ");
            if (strstr(own, "\"\"\""))
                put(p, own + strspn(own, " \t\r\n"));
            else
                put(p, fzi_arena_printf(p->arena, "%s;", quoted(p, entry->text)));
            put(p, "\n");
        }
        put(p, "}\n");
    }
}

/* ---- parts ---- */

static void put_parts(printing *p, const fzi_part *list);

static bool is_name(const char *text)
{
    return !text[strspn(text, "_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")];
}

static void put_when(printing *p, const fzi_part *part)
{
    const char *condition = part->condition;
    const fzi_part *then = part->then, *otherwise = part->otherwise;
    if (!then) {
        condition = fzi_arena_printf(p->arena, is_name(condition) ? "not %s" : "not (%s)",
                                     condition);
        then = otherwise;
        otherwise = NULL;
    }
    put(p, fzi_arena_printf(p->arena, "when %s {\n", condition));
    put_parts(p, then);
    put(p, "}");
    if (otherwise) {
        put(p, " else {\n");
        put_parts(p, otherwise);
        put(p, "}");
    }
}

static void put_part(printing *p, const fzi_part *part)
{
    if (part->blank_before)
        put(p, "\n");
    put(p, part->heading);
    if (*part->heading && (part->decl || part->condition))
        put(p, "\n");
    if (!part->decl && !part->condition)
        return;
    put(p, part->lead);
    if (part->condition) {
        put_when(p, part);
    } else {
        put(p, part->indent);
        put(p, part->word);
        put(p, part->text);
    }
    if (*part->trail) {
        put(p, "  ");
        put(p, part->trail);
    } else {
        put(p, "\n");
    }
}

/* Tests of bases are left out: they need not hold in the script. */
static void put_parts(printing *p, const fzi_part *list)
{
    for (; list; list = list->next) {
        bool is_test = list->decl && list->decl->kind == N_D_TEST;
        bool is_empty = list->condition && !list->then && !list->otherwise;
        if (!is_empty && (!is_test || list->layer == p->m->unit->layer_count))
            put_part(p, list);
    }
}

const char *fzi_parts_print(fzi_merging *m, const char *uses)
{
    printing p = {.m = m, .arena = m->load->arena};
    put(&p, fzi_part_preface(m, m->unit->header_span.source));
    put(&p, fzi_arena_printf(p.arena, "game %s;\n", quoted(&p, m->unit->title)));
    put_origin(&p);
    if (*uses)
        put(&p, fzi_arena_printf(p.arena, "\nuse %s;\n", uses));
    put_info(&p);
    put_parts(&p, m->parts);
    return p.text.text;
}
