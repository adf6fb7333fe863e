/* Checks the tests of a script. A test for other options is checked in a compile with those
 * options. */
#include "statements.h"

/* The value that `set` gives an option; false if the option has no such value. */
static bool set_value(const fzi_option *option, const fzi_node *node, int64_t *value)
{
    bool negative = node->kind == N_E_UNARY && node->op == FZ_T_MINUS;
    const fzi_node *number = negative ? node->operand : node;
    switch (option->kind) {
    case FZ_OPTION_NUMBER:
        *value = negative ? -number->number : number->number;
        return number->kind == N_E_INT && *value >= option->low && *value <= option->high;
    case FZ_OPTION_SWITCH:
        if (node->kind != N_E_NAME)
            return false;
        *value = strcmp(node->name, "true") == 0;
        return *value || strcmp(node->name, "false") == 0;
    default:
        *value = node->kind == N_E_NAME ? fzi_named_value(option, node->name) : -1;
        return *value >= 0;
    }
}

const fzi_node *fzi_test_sets(const fzi_node *test, const fzi_option *option)
{
    const fzi_node *found = NULL;
    for (const fzi_node *step = test->steps; step; step = step->next)
        if (step->kind == N_X_SET && strcmp(step->name, option->name) == 0)
            found = step;
    return found;
}

bool fzi_test_applies(const fzi_game *game, const fzi_node *test)
{
    for (size_t i = 0; i < game->unit->option_count; i++) {
        const fzi_option *option = &game->unit->options[i];
        const fzi_node *set = fzi_test_sets(test, option);
        int64_t value = option->tested;
        if ((set && !set_value(option, set->value, &value)) || value != option->chosen)
            return false;
    }
    return true;
}

static void check_set(fzi_checker *c, const fzi_node *step)
{
    int64_t value;
    const fzi_option *option = fzi_find_option(c->unit, step->name);
    if (!option) {
        fzi_unknown_option(c->diags, c->unit, step->name_span, step->name);
        return;
    }
    fzi_symbol *symbol = fzi_find_global(c, step->name, step->span.source, 1u << FZI_SYM_OPTION);
    if (symbol)
        symbol->used = true;
    if (!set_value(option, step->value, &value))
        fzi_not_a_value(c->diags, step->value->span, option,
                        fzi_source_text(c->game->sources, step->value->span));
}

/* A chance result: a face, or a member of a set. The names of faces come first. */
static void check_chance_result(fzi_checker *c, fzi_node *node)
{
    const fzi_type *want = NULL;
    for (unsigned i = 0; i < c->game->die_count && node->kind == N_E_NAME; i++) {
        const fzi_symbol *die = c->game->dice[i];
        for (fzi_entry *e = fzi_scope_find(c->scope, node->name, node->span.source); e;
             e = fzi_scope_next(c->scope, e, node->name, node->span.source))
            if (e->symbol.kind == FZI_SYM_VALUE && fzi_type_same(e->symbol.type, die->type))
                want = die->type;
    }
    fzi_check_expr(c, node, want);
}

static void check_condition(fzi_checker *c, fzi_node *node)
{
    c->at = (fzi_region){.no_chance = "the condition of a test"};
    fzi_check_as(c, node, c->game->type_bool);
    c->at = (fzi_region){0};
}

static void check_step(fzi_checker *c, fzi_node *step)
{
    switch (step->kind) {
    case N_X_POSITION:
        if (step->player)
            fzi_check_as(c, step->player, c->game->type_player);
        c->at = (fzi_region){.no_chance = "a position", .no_choice = "a position"};
        if (step->body)
            fzi_check_stmt(c, step->body);
        c->at = (fzi_region){0};
        break;
    case N_X_DO:
        fzi_check_stmt(c, step->body);
        break;
    case N_X_CHANCE:
        for (fzi_node *value = step->values; value; value = value->next)
            check_chance_result(c, value);
        break;
    case N_X_EXPECT_SEEN:
        fzi_check_as(c, step->owner, c->game->type_player);
        break;
    case N_X_EXPECT:
        check_condition(c, step->condition);
        break;
    case N_X_OUTCOMES:
        for (fzi_node *outcome = step->outcomes; outcome; outcome = outcome->next)
            check_condition(c, outcome->condition);
        break;
    default:
        break;
    }
}

static void check_test(fzi_checker *c, fzi_node *test)
{
    fzi_mark mark = fzi_enter(c);
    c->at = (fzi_region){0};
    for (fzi_node *step = test->steps; step; step = step->next)
        check_step(c, step);
    fzi_leave(c, mark);
}

void fzi_check_tests(fzi_checker *c)
{
    c->game->tests = c->unit->tests;
    for (fzi_node *test = c->unit->tests; test; test = test->next) {
        for (fzi_node *step = test->steps; step; step = step->next)
            if (step->kind == N_X_SET)
                check_set(c, step);
        if (fzi_test_applies(c->game, test))
            check_test(c, test);
    }
    fzi_check_functions(c);
}

void fzi_check_other_tests(fzi_checker *c)
{
    fzi_diags kept = *c->diags;
    c->diags->first = c->diags->last = NULL;
    for (fzi_node *test = c->unit->tests; test; test = test->next)
        if (!fzi_test_applies(c->game, test))
            check_test(c, test);
    *c->diags = kept;
}
