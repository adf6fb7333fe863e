/* Draws a set of sites for hovers (hover.c). Compiles the script with a shown `let` of truth
 * values, so the language's own drawing marks the sites. */
#include "lsp.h"

/* A larger picture would delay the editor. */
enum { MAX_INSTRUCTIONS = 2000000, MAX_LINES = 40 };

/* ---- can it be drawn? ---- */

/* The local names that a set uses. */
typedef struct locals {
    const fzi_node *set;
    bool here;
    bool others; /* names other than `here` that are bound outside of the set */
} locals;

static void visit(void *user, fzi_node *node)
{
    locals *found = user;
    const fzi_symbol *s = node->symbol;
    const fzi_span *set = &found->set->span;
    if (!s || s->kind != FZI_SYM_LOCAL)
        return;
    if (s->local == FZI_LOCAL_FOR)
        found->others |= s->span.source != set->source || s->span.start < set->start ||
                         s->span.end > set->end;
    else if (node->kind == N_BINDER || node->kind == N_E_SET_FOR)
        return;
    else if (s->local == FZI_LOCAL_HERE_TO && strcmp(s->name, "here") == 0)
        found->here = true;
    else
        found->others = true;
}

/* ---- the script with the set ---- */

static unsigned middle_site(const fzi_board *board)
{
    unsigned best = 0;
    long least = -1, x = 0, y = 0, count = (long)board->site_count;
    for (unsigned i = 0; i < board->site_count; i++) {
        x += board->x[i];
        y += board->y[i];
    }
    for (unsigned i = 0; i < board->site_count; i++) {
        long dx = count * board->x[i] - x, dy = count * board->y[i] - y, far = dx * dx + dy * dy;
        if (least < 0 || far < least) {
            least = far;
            best = i;
        }
    }
    return best;
}

/* Removes the `show`s of the script, which would hide the marks. */
static void blank_shows(const fzi_lsp_place *at, char *text)
{
    for (const fzi_node *decl = at->analysis->unit->file->decls; decl; decl = decl->next)
        if (decl->kind == N_D_SHOW)
            for (uint32_t i = decl->span.start; i < decl->span.end; i++)
                if (text[i] != '\n')
                    text[i] = ' ';
}

static const char *with_set(const fzi_lsp_place *at, const fzi_node *set, const char *here)
{
    fzi_arena *arena = at->analysis->arena;
    char *text = fzi_arena_copy(arena, at->document->text, at->document->length + 1);
    int length = (int)(set->span.end - set->span.start);
    const char *expression = fzi_arena_printf(arena, "%.*s", length, text + set->span.start);
    blank_shows(at, text);
    if (here)
        return fzi_arena_printf(arena,
                                "%s\nfn picture_(here: site): sites = %s;\n"
                                "let picture_here_: site = %s;\n"
                                "let picture_of_[s_: site]: bool = s_ in picture_(picture_here_);\n"
                                "show picture_of_;\n", text, expression, here);
    return fzi_arena_printf(arena,
                            "%s\nlet picture_: sites = %s;\n"
                            "let picture_of_[s_: site]: bool = s_ in picture_;\n"
                            "show picture_of_;\n", text, expression);
}

/* ---- drawing ---- */

/* Without the line with the player to move. */
static const char *board_only(fzi_arena *arena, const char *drawing)
{
    char *text = fzi_arena_printf(arena, "%s", drawing);
    size_t lines = 0;
    for (char *at = text; *at; at++)
        lines += *at == '\n';
    if (lines > MAX_LINES)
        return NULL;
    size_t length = strlen(text);
    while (length && text[length - 1] == '\n')
        text[--length] = '\0';
    char *last = strrchr(text, '\n');
    if (last)
        *last = '\0';
    return text;
}

static const char *draw(const fzi_lsp_place *at, const fz_program *program)
{
    fz_limits limits = {.instructions = MAX_INSTRUCTIONS};
    fz_machine *machine = fz_machine_new(program, &limits);
    fz_state *state = machine ? fz_state_new(machine, 1, 0) : NULL;
    const char *drawing = NULL;
    char *text = NULL;
    if (state && fz_state_draw(machine, state, 0, &text) == FZ_OK)
        drawing = board_only(at->analysis->arena, text);
    fz_text_free(at->lsp->context, text);
    fz_state_free(state);
    fz_machine_free(machine);
    return drawing;
}

const char *fzi_set_picture(const fzi_lsp_place *at, const fzi_node *set)
{
    const fzi_game *game = at->analysis->game;
    locals used = {.set = set};
    if (at->analysis->diags->errors || !game->board || !game->turn ||
        set->span.source != FZI_OWN_SOURCE)
        return NULL;
    visit(&used, (fzi_node *)set);
    fzi_walk_below(set, visit, &used);
    if (used.others)
        return NULL;
    const char *here = used.here ? game->board->site_names[middle_site(game->board)] : NULL;
    const char *text = with_set(at, set, here), *drawing = NULL;
    fz_program *program = NULL;
    if (fz_compile(at->lsp->context, at->document->path, text, strlen(text), NULL, 0, &program,
                   NULL) == FZ_OK)
        drawing = draw(at, program);
    fz_program_release(program);
    return drawing && here ? fzi_arena_printf(at->analysis->arena, "%s\nhere = %s", drawing, here)
                           : drawing;
}
