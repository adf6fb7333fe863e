/* Evaluates the expression of a board: calls the makers of boards.def, which may call it again for
 * their arguments. */
#include "board_builder.h"

typedef struct maker_entry {
    const char *name;
    fzi_board *(*make)(fzi_board_maker *m, const fzi_node *call);
    unsigned least, most; /* arguments; most 0: any number */
    const char *written;
} maker_entry;

static const maker_entry makers[] = {
#define BOARD(name, function, least, most, written) {#name, function, least, most, written},
#include "boards.def"
#undef BOARD
};

static const maker_entry *find_maker(const char *name)
{
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++)
        if (!strcmp(makers[i].name, name))
            return &makers[i];
    return NULL;
}

static fzi_board *unknown_maker(fzi_board_maker *m, const fzi_node *node)
{
    fzi_nearest nearest = {.wanted = node->name};
    fzi_diag *diag = fzi_error(m->diags, node->name_span, FZ_E_UNKNOWN_BOARD, node->name);
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++)
        fzi_nearest_offer(&nearest, makers[i].name);
    if (!fzi_hint_foreign(diag, FZI_FOREIGN_BOARD, node->name))
        fzi_hint_nearest(diag, &nearest);
    return NULL;
}

static bool right_count(fzi_board_maker *m, const maker_entry *maker, const fzi_node *call)
{
    size_t count = fzi_list_length(call->arguments);
    if (count >= maker->least && (!maker->most || count <= maker->most))
        return true;
    const char *wanted = "1 argument";
    if (!maker->most)
        wanted = fzi_arena_printf(m->arena, "%u or more arguments", maker->least);
    else if (maker->most > maker->least)
        wanted = fzi_arena_printf(m->arena, "%u or %u arguments", maker->least, maker->most);
    else if (maker->most > 1)
        wanted = fzi_arena_printf(m->arena, "%u arguments", maker->least);
    fzi_error(m->diags, call->span, FZ_E_BOARD_ARGUMENTS, maker->name, wanted, (int)count,
              maker->written);
    return false;
}

/* `board none`: a program has at least one site, so this one has no name. */
static fzi_board *no_board(fzi_board_maker *m, const fzi_node *node)
{
    fzi_board *board = fzi_board_new(m, node->span, FZ_SHAPE_NONE, 1);
    board->site_names[0] = "none";
    board->dir_names[0] = "none";
    board->dir_count = 1;
    board->next[0] = FZ_NOT_THERE;
    return board;
}

const fzi_node *fzi_board_chosen(fzi_board_maker *m, const fzi_node *node)
{
    while (node->kind == N_E_IF)
        node = fzi_unit_condition(m->load, m->unit, node->condition) ? node->then : node->otherwise;
    return node;
}

fzi_board *fzi_board_expression(fzi_board_maker *m, const fzi_node *node)
{
    const maker_entry *maker = NULL;
    node = fzi_board_chosen(m, node);
    if (node->kind == N_E_ERROR) /* the parser has reported it */
        return NULL;
    if (node->kind == N_E_GRAPH)
        return fzi_board_graph(m, node);
    if (node->kind == N_PART) {
        fzi_error(m->diags, node->name_span, FZ_E_PREFIX_HERE, node->name);
        return NULL;
    }
    if (node->kind == N_E_NAME && !strcmp(node->name, "none"))
        return no_board(m, node);
    if (node->kind == N_E_CALL || node->kind == N_E_NAME) {
        maker = find_maker(node->name);
        if (!maker)
            return unknown_maker(m, node);
    }
    if (node->kind == N_E_CALL)
        return right_count(m, maker, node) ? maker->make(m, node) : NULL;
    fzi_diag *diag = fzi_error(m->diags, node->span, FZ_E_NOT_A_BOARD);
    if (maker) /* without its arguments */
        fzi_hint_add(diag, "it is written '%s'", maker->written);
    return NULL;
}

bool fzi_board_number(fzi_board_maker *m, const fzi_node *call, const fzi_node *node,
                      const char *what, int64_t least, int64_t *value)
{
    if (node->kind == N_PART)
        fzi_error(m->diags, node->name_span, FZ_E_PREFIX_HERE, node->name);
    if (node->kind == N_PART || !fzi_unit_constant(m->load, m->unit, node, true, value))
        return false;
    if (*value >= least && *value <= FZ_MAX_SITES)
        return true;
    fzi_error(m->diags, node->span, FZ_E_BOARD_SIZE,
              fzi_arena_printf(m->arena, "%s of '%s'", what, call->name), (int)least, FZ_MAX_SITES,
              (long long)*value);
    return false;
}

static void read_drawing(fzi_board_maker *m, const fzi_node *decl, fzi_board *board)
{
    if (!decl->name || !strcmp(decl->name, "cells"))
        return;
    if (!strcmp(decl->name, "vertices")) {
        board->on_vertices = true;
        return;
    }
    fzi_nearest nearest = {.wanted = decl->name};
    fzi_diag *diag = fzi_error(m->diags, decl->name_span, FZ_E_BOARD_ON, decl->name);
    fzi_nearest_offer(&nearest, "cells");
    fzi_nearest_offer(&nearest, "vertices");
    fzi_hint_nearest(diag, &nearest);
}

fzi_board *fzi_board_make(fzi_load *load, const fzi_unit *unit, const fzi_node *decl)
{
    fzi_board_maker m = {.load = load, .unit = unit, .arena = load->arena, .diags = load->diags};
    fzi_board *board = fzi_board_expression(&m, decl->board);
    if (board)
        read_drawing(&m, decl, board);
    return board;
}
