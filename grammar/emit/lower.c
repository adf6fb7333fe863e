/* Runs the stages of lowering: data, variables, the functions of the phases and all that they use,
 * shown values, tests, initial values. grammar/compile.c calls it. */
#include "interp/board/topology.h"
#include "emit.h"

/* Does any rule ask where the last move came from or went to? */
static bool reads_last(const fzi_game *game)
{
    uint32_t effects = 0;
    const fzi_node *phases[] = {game->setup, game->turn, game->end, game->limit, game->on_capture};
    for (unsigned i = 0; i < sizeof phases / sizeof *phases; i++)
        effects |= phases[i] && phases[i]->body ? phases[i]->body->effects : 0;
    for (unsigned i = 0; i < game->function_count; i++)
        effects |= game->functions[i]->effects;
    for (unsigned i = 0; i < game->let_count; i++)
        effects |= game->lets[i]->effects;
    for (unsigned i = 0; i < game->piece_count; i++)
        for (const fzi_node *item = game->pieces[i].items; item; item = item->next)
            effects |= item->effects;
    for (const fzi_node *test = game->tests; test; test = test->next)
        for (const fzi_node *x = test->steps; x; x = x->next)
            effects |= x->effects;
    return effects & FZI_READS_LAST;
}

static int32_t phase_function(fzi_lower *lw, const char *name, const fzi_node *decl)
{
    return decl ? (int32_t)fzi_build_function(&lw->build, name) : -1;
}

static void lower_phase(fzi_lower *lw, int32_t function, const fzi_node *decl)
{
    if (function >= 0)
        fzi_lower_block(lw, (uint32_t)function, decl->body, NULL);
}

static void lower_limit(fzi_lower *lw)
{
    int64_t turns = 0;
    const fzi_node *limit = lw->game->limit;
    if (!limit || lw->build.failed)
        return;
    if (fzi_constant_of(lw, fzi_view_constant(lw), limit->turns, "the limit", &turns) && turns < 1)
        fzi_error(lw->game->diags, limit->turns->span, FZ_E_OUT_OF_RANGE, (long long)turns,
                  "1..2147483647");
    lw->build.program.limit_turns = (int32_t)turns;
}

/* Each file of the game says what its rules need: the most counts. */
static void lower_bound(fzi_lower *lw, const fzi_node *decl)
{
    static const struct {
        const char *name;
        long long most;
    } limits[] = {
#define LIMIT(field, name, usual, most, part) {#field, most},
#include "interp/program/limits.def"
    };
    int64_t value = 0;
    unsigned i = 0;
    while (strcmp(limits[i].name, decl->names->name) != 0)
        i++;
    uint32_t *stated = &lw->build.program.limits[i];
    if (!fzi_constant_of(lw, fzi_view_constant(lw), decl->value, "a limit", &value))
        return;
    if (value < 1 || value > limits[i].most)
        fzi_error(lw->game->diags, decl->value->span, FZ_E_OUT_OF_RANGE, (long long)value,
                  fzi_arena_printf(lw->game->arena, "1..%lld", limits[i].most));
    else if (value > *stated)
        *stated = (uint32_t)value;
}

/* First of all code: what may be computed of it in advance depends on the bound of a decision. */
static void lower_bounds(fzi_lower *lw)
{
    const fzi_node *decl = lw->game->unit->decls;
    for (; decl && !lw->build.failed; decl = decl->next)
        if (decl->kind == N_D_BOUND)
            lower_bound(lw, decl);
}

static void lower_stacks(fzi_lower *lw)
{
    int64_t height = 0;
    const fzi_node *stacks = lw->game->stacks;
    if (!stacks || lw->build.failed)
        return;
    const fzi_node *number = stacks->high;
    if (!fzi_constant_of(lw, fzi_view_constant(lw), number, "the height of stacks", &height))
        return;
    if (height < 2 || height > UINT8_MAX)
        fzi_error(lw->game->diags, number->span, FZ_E_OUT_OF_RANGE, (long long)height, "2..255");
    else
        lw->build.program.stack_limit = (uint8_t)height;
}

/* A function of the prelude that C calls if the game overrides it; -1: it does not. */
static int32_t own_function(fzi_lower *lw, const char *name)
{
    fzi_symbol *symbol = fzi_game_find(lw->game, name, 1);
    if (symbol && symbol->kind == FZI_SYM_FN && symbol->node &&
        !(symbol->node->flags & FZ_NODE_MODULE))
        return (int32_t)fzi_lower_function(lw, symbol);
    return -1;
}

/* A site's piece is one byte of the state: kind and owner together. */
static bool kinds_fit(const fzi_game *game)
{
    unsigned owners = game->player_count + 1, most = UINT8_MAX / owners - 1;
    fzi_span span = game->unit->header_span;
    if (most >= FZ_MAX_KINDS)
        return fzi_at_most(game, span, "the game", game->piece_count, "kinds of pieces",
                           FZ_MAX_KINDS);
    if (game->piece_count <= most)
        return true;
    const char *what = fzi_arena_printf(game->arena, "a game of %u players", game->player_count);
    return fzi_at_most(game, span, what, game->piece_count, "kinds of pieces", most);
}

/* Does the game fit the program format? */
static bool within_limits(const fzi_game *game)
{
    enum { MAX_INDEXES = 4, MAX_PARAMETERS = 15 };
    fzi_span header = game->unit->header_span;
    bool good =
        fzi_at_most(game, header, "the game", game->player_count, "players", FZ_MAX_PLAYERS);
    good &= kinds_fit(game);
    for (unsigned i = 0; i < game->var_count; i++)
        good &= fzi_at_most(game, game->vars[i]->span, "the variable", game->vars[i]->index_count,
                            "indexes", MAX_INDEXES);
    for (unsigned i = 0; i < game->let_count; i++)
        good &= fzi_at_most(game, game->lets[i]->span, "the table", game->lets[i]->index_count,
                            "indexes", FZ_MAX_BINDINGS);
    for (unsigned i = 0; i < game->function_count; i++)
        good &= fzi_at_most(game, game->functions[i]->span, "this", game->functions[i]->param_count,
                            "parameters", MAX_PARAMETERS);
    return good;
}

/* The functions of later rooms that elaboration calls. */
static const fzi_function_makers makers = {fzi_lower_function, fzi_lower_attacked, fzi_lower_can};

const fz_program *fzi_lower_game(fzi_lower *lw, fzi_game *game, uint32_t without,
                                 enum fzi_purpose purpose, const fzi_print *print,
                                 const fzi_allocator *allocator)
{
    memset(lw, 0, sizeof *lw);
    fzi_build *b = &lw->build;
    fz_program *program = &b->program;
    lw->game = game;
    lw->makers = &makers;
    lw->choices = FZI_NEW(game->arena, fzi_choices);
    lw->choices->items_apart = purpose == FZI_FOR_STEPS;
    lw->choices->attack_function = -1;
    lw->emission = FZI_NEW(game->arena, fzi_emission);
    lw->emission->purpose = purpose;
    lw->emission->print = print && print->node ? print : NULL;
    lw->emission->capture_function = -1;
    lw->reads_last = reads_last(game);
    if (!within_limits(game))
        return NULL;
    fzi_build_init(b, game);
    program->owner = allocator;
    program->without = without;
    fzi_lower_data(lw);
    fzi_lower_variables(lw);
    fzi_build_view(b);
    program->topology = fzi_topology_new(&program->board, *allocator);
    if (!program->topology)
        longjmp(*fzi_arena_handler(b->arena), 1);
    lower_stacks(lw);
    lower_bounds(lw);
    program->setup = phase_function(lw, "setup", game->setup);
    program->turn = phase_function(lw, "turn", game->turn);
    program->end = phase_function(lw, "end", game->end);
    program->limit = phase_function(lw, "limit", game->limit);
    if (game->on_capture) {
        lw->emission->capture_function = (int32_t)fzi_build_function(b, "on capture");
        fzi_lower_block(lw, (uint32_t)lw->emission->capture_function, game->on_capture->body,
                        game->capture_site);
    }
    lower_phase(lw, program->setup, game->setup);
    lower_phase(lw, program->turn, game->turn);
    lower_phase(lw, program->end, game->end);
    lower_phase(lw, program->limit, game->limit);
    lower_limit(lw);
    fzi_list_removed_rules(lw);
    program->unseen = own_function(lw, "unseen");
    program->invisible = own_function(lw, "invisible");
    program->owned = own_function(lw, "owned");
    program->payoff = own_function(lw, "payoff");
    fzi_lower_printed(lw);
    fzi_lower_shown(lw);
    fzi_lower_hints(lw);
    program->unmarked =
        lw->emission->puts_neutral && !lw->emission->puts_players; /* tests do not count */
    fzi_lower_tests(lw);
    if (game->diags->errors || b->failed)
        return NULL;
    fzi_lower_initial(lw);
    return game->diags->errors || b->failed ? NULL : program;
}
