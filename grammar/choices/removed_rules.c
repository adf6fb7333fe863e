/* Lists the rules of a game that have no code, for coverage: constant conditions removed them.
 * Lowering marks statements and options that have code; lower.c then looks for the others that the
 * phases lead to in the tree. */
#include "choices.h"

#include <string.h>

/* A walk over all nodes that the phases use. */
typedef struct walk {
    fzi_lower *lw;
    fzi_array todo;    /* work */
    uint8_t **listed;  /* by source and place: the generator or procedure there; NULL */
    bool pieces;       /* pieces have been added */
} walk;

typedef struct work {
    const fzi_node *nodes;
    bool module; /* of a module, whose rules need not all be used */
} work;

/* ---- what lowering meets ---- */

/* A byte for the place in a table of all sources, which is made when it is needed. */
static uint8_t *place_in(fzi_lower *lw, uint8_t ***table, fzi_span span)
{
    const fzi_sources *sources = lw->game->sources;
    if (!*table)
        *table = fzi_arena_alloc(lw->build.arena, sources->count * sizeof **table);
    uint8_t **places = &(*table)[span.source];
    if (!*places)
        *places = fzi_arena_alloc(lw->build.arena,
                                  fzi_source_at(sources, span.source)->length + 1);
    return *places + span.start;
}

void fzi_mark_rule(fzi_lower *lw, fzi_span span)
{
    if (span.source && span.source < lw->game->sources->count)
        *place_in(lw, &lw->choices->has_code, span) = 1;
}

static bool has_code(const fzi_lower *lw, fzi_span span)
{
    return !span.source || (lw->choices->has_code && lw->choices->has_code[span.source] &&
                            lw->choices->has_code[span.source][span.start]);
}

/* ---- the tree ---- */

static void add_nodes(walk *w, const fzi_node *nodes, bool module)
{
    work more = {nodes, module};
    if (nodes)
        fzi_array_add(&w->lw->build, &w->todo, &more);
}

static bool is_of_module(const fzi_symbol *symbol)
{
    return symbol->node && symbol->node->flags & FZ_NODE_MODULE;
}

/* Options and statements of a generator or procedure, once. */
static void add_symbol(walk *w, const fzi_symbol *symbol)
{
    if (*place_in(w->lw, &w->listed, symbol->node->span))
        return;
    *place_in(w->lw, &w->listed, symbol->node->span) = 1;
    add_nodes(w, symbol->kind == FZI_SYM_MOVES ? symbol->node->options : symbol->node->body,
              is_of_module(symbol));
}

static void add_pieces(walk *w)
{
    const fzi_game *game = w->lw->game;
    for (unsigned k = 0; k < game->piece_count && !w->pieces; k++)
        add_nodes(w, game->pieces[k].items, is_of_module(game->pieces[k].symbol));
    w->pieces = true;
}

static bool is_option(const fzi_node *node)
{
    return node->kind == N_OPTION || node->kind == N_I_MOVE || node->kind == N_I_AT;
}

static bool is_rule(const fzi_node *node)
{
    return is_option(node) ||
           (node->kind > N_S_BLOCK && node->kind <= N_S_DIAGRAM);
}

static void look_at(walk *w, const fzi_node *node, bool module)
{
    fzi_build *b = &w->lw->build;
    if (is_rule(node) && !module && !has_code(w->lw, node->span)) {
        fz_removed_rule rule = {fzi_build_place(b, node->span),
                                is_option(node)};
        fzi_array_add(b, &b->removed, &rule);
    }
    const fzi_symbol *symbol = node->symbol;
    if (node->kind == N_GENERATOR && symbol && symbol->kind == FZI_SYM_PRIMITIVE)
        add_pieces(w);
    else if (((node->kind == N_GENERATOR && symbol && symbol->kind == FZI_SYM_MOVES) ||
              (node->kind == N_S_CALL && symbol && symbol->kind == FZI_SYM_PROC)) &&
             symbol->node)
        add_symbol(w, symbol);
    for (unsigned i = 0; i < FZ_NODE_CHILDREN; i++)
        add_nodes(w, node->children[i], module);
}

void fzi_list_removed_rules(fzi_lower *lw)
{
    const fzi_game *game = lw->game;
    const fzi_node *phases[] = {game->setup, game->turn, game->end, game->on_capture};
    walk w = {.lw = lw, .todo = {.item_size = sizeof(work)}};
    if (lw->build.failed || game->diags->errors)
        return;
    for (unsigned i = 0; i < sizeof phases / sizeof *phases; i++)
        if (phases[i])
            add_nodes(&w, phases[i]->body, phases[i]->flags & FZ_NODE_MODULE);
    while (w.todo.count) {
        work next = *FZI_ITEM(w.todo, work, --w.todo.count);
        for (const fzi_node *node = next.nodes; node; node = node->next)
            look_at(&w, node, next.module);
    }
}
