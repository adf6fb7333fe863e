/* Translates the tests of a script to steps, which the library runs. lower.c calls it. */
#include "emit.h"

#include "interp/support/position_form.h"

static fz_test_step step_new(fzi_lower *lw, int op, const fzi_node *node)
{
    fz_test_step step = {0};
    step.op = (uint8_t)op;
    step.function = -1;
    step.place = fzi_build_place(&lw->build, node->span);
    return step;
}

static void add(fzi_lower *lw, const fz_test_step *step)
{
    fzi_array_add(&lw->build, &lw->build.steps, step);
}

static bool is_comparison(const fzi_node *node)
{
    if (node->kind != N_E_BINARY)
        return false;
    switch (node->op) {
    case FZ_T_EQ: case FZ_T_NE: case FZ_T_LT: case FZ_T_LE: case FZ_T_GT: case FZ_T_GE:
    case FZ_T_IN:
        return true;
    default:
        return false;
    }
}

static uint32_t source_text(fzi_lower *lw, fzi_span span);

/* A part of an expectation whose value a failing test shows. Constants speak for themselves. */
static void add_part(fzi_lower *lw, const fzi_node *part, uint32_t first)
{
    fzi_build *b = &lw->build;
    fzi_local *me = fzi_me_new(lw);
    fzi_view view = {NULL, fzi_ir_local(&lw->maker, me)};
    const fzi_ir *value = fzi_elaborate(lw, view, part);
    fz_test_step step = step_new(lw, FZ_TEST_PART, part);
    fzi_codegen e;

    step.text = source_text(lw, part->span);
    for (uint32_t i = first; i < b->steps.count; i++)
        if (FZI_ITEM(b->steps, fz_test_step, i)->text == step.text)
            return;
    if (!value->state)
        return;
    step.a = fzi_build_type(b, part->type);
    step.function = (int32_t)fzi_build_function(b, "part of an expectation");
    fzi_emit_begin(lw, &e, (uint32_t)step.function, 0);
    e.span = part->span;
    fzi_take_parameter(&e, me);
    fzi_return_value(&e, fzi_fold_to_table(lw, value));
    add(lw, &step);
}

/* Adds the operands of the condition's comparisons, also of those that `and`, `or` and `not` join.
 * `whole`: the condition is all of the expectation, so a plain truth value is not shown. */
static void add_parts(fzi_lower *lw, const fzi_node *condition, bool whole, uint32_t first)
{
    bool joins = condition->kind == N_E_BINARY &&
                 (condition->op == FZ_T_AND || condition->op == FZ_T_OR);
    if (joins || is_comparison(condition)) {
        const fzi_node *sides[] = {condition->left, condition->right};
        for (unsigned i = 0; i < 2; i++) {
            if (joins)
                add_parts(lw, sides[i], false, first);
            else
                add_part(lw, sides[i], first);
        }
    } else if (condition->kind == N_E_UNARY && condition->op == FZ_T_NOT) {
        add_parts(lw, condition->operand, whole, first);
    } else if (!whole) {
        add_part(lw, condition, first);
    }
}

static uint32_t source_text(fzi_lower *lw, fzi_span span)
{
    const fzi_source *source = fzi_source_at(lw->game->sources, span.source);
    return fzi_build_text_n(&lw->build, source->text + span.start, span.end - span.start);
}

static int64_t constant(fzi_lower *lw, const fzi_node *node, const char *what)
{
    int64_t value = 0;
    fzi_constant_of(lw, fzi_view_constant(lw), node, what, &value);
    return value;
}

static int32_t block_function(fzi_lower *lw, const char *name, const fzi_node *stmt)
{
    uint32_t index = fzi_build_function(&lw->build, name);
    fzi_lower_block(lw, index, stmt, NULL);
    return (int32_t)index;
}

static void add_texts(fzi_lower *lw, int op, const fzi_node *texts)
{
    for (; texts; texts = texts->next) {
        fz_test_step step = step_new(lw, op, texts);
        step.text = fzi_build_text(&lw->build, texts->text);
        add(lw, &step);
    }
}

static void add_position(fzi_lower *lw, const fzi_node *node)
{
    fz_test_step step = step_new(lw, FZ_TEST_POSITION, node);
    bool from_text = fzi_position_form(node->text) != FZI_FORM_PIECES;
    if (!from_text)
        fzi_check_diagram_size(lw, node->text, node->name_span);
    else if (fzi_position_form(node->text) == FZI_FORM_FEN)
        fzi_check_fen(lw, node->text, node->name_span);
    step.text = fzi_build_text(&lw->build, node->text);
    step.a = node->player ? constant(lw, node->player, "for") : from_text ? FZ_NOT_THERE : 0;
    if (node->body)
        step.function = block_function(lw, "position", node->body);
    add(lw, &step);
}

static void add_expected_moves(fzi_lower *lw, const fzi_node *node)
{
    int op = node->op == FZ_T_INCLUDES   ? FZ_TEST_MOVES_INCLUDE
             : node->op == FZ_T_EXCLUDES ? FZ_TEST_MOVES_EXCLUDE
                                         : FZ_TEST_MOVES_ARE;
    fz_test_step step = step_new(lw, op, node);
    step.a = (int64_t)fzi_list_length(node->moves);
    add(lw, &step);
    add_texts(lw, FZ_TEST_TEXT, node->moves);
}

static void add_expected_lines(fzi_lower *lw, const fzi_node *node)
{
    int op = node->op == FZ_T_INCLUDES ? FZ_TEST_SEEN_INCLUDE : FZ_TEST_SEEN_EXCLUDE;
    fz_test_step step = step_new(lw, op, node);
    step.a = (int64_t)fzi_list_length(node->moves);
    step.b = constant(lw, node->owner, "seen by");
    add(lw, &step);
    add_texts(lw, FZ_TEST_TEXT, node->moves);
}

static void add_outcomes(fzi_lower *lw, const fzi_node *node)
{
    fz_test_step step = step_new(lw, FZ_TEST_OUTCOMES, node);
    step.a = (int64_t)fzi_list_length(node->outcomes);
    add(lw, &step);
    for (const fzi_node *outcome = node->outcomes; outcome; outcome = outcome->next) {
        step = step_new(lw, FZ_TEST_OUTCOME, outcome);
        step.a = outcome->number;
        step.b = outcome->denominator ? outcome->denominator->number : 1;
        step.text = source_text(lw, outcome->condition->span);
        step.function = (int32_t)fzi_value_function(lw, "expectation", outcome->condition);
        add(lw, &step);
    }
}

static void add_set(fzi_lower *lw, const fzi_node *node)
{
    fz_test_step step = step_new(lw, FZ_TEST_SET, node);
    const fzi_source *source = fzi_source_at(lw->game->sources, node->value->span.source);
    const char *text = fzi_arena_printf(lw->build.arena, "%s=%.*s", node->name,
                                        (int)(node->value->span.end - node->value->span.start),
                                        source->text + node->value->span.start);
    step.text = fzi_build_text(&lw->build, text);
    add(lw, &step);
}

/* The options that the test does not set and whose value here is not the one it is written for. */
static void add_unset(fzi_lower *lw, const fzi_node *test)
{
    const fzi_unit *unit = lw->game->unit;
    for (size_t i = 0; i < unit->option_count; i++) {
        const fzi_option *option = &unit->options[i];
        if (option->chosen == option->tested || fzi_test_sets(test, option))
            continue;
        fz_test_step step = step_new(lw, FZ_TEST_SET, test);
        const char *value = fzi_option_text(lw->build.arena, option, option->tested);
        step.text = fzi_build_text(&lw->build,
                                   fzi_arena_printf(lw->build.arena, "%s=%s", option->name, value));
        add(lw, &step);
    }
}

static void add_step(fzi_lower *lw, const fzi_node *node)
{
    fz_test_step step;
    switch (node->kind) {
    case N_X_POSITION: add_position(lw, node); return;
    case N_X_AFTER: add_texts(lw, FZ_TEST_AFTER, node->moves); return;
    case N_X_PLAY: add_texts(lw, FZ_TEST_PLAY, node->moves); return;
    case N_X_EXPECT_MOVES: add_expected_moves(lw, node); return;
    case N_X_EXPECT_SEEN: add_expected_lines(lw, node); return;
    case N_X_OUTCOMES: add_outcomes(lw, node); return;
    case N_X_SET: add_set(lw, node); return;
    case N_X_CHANCE:
        for (const fzi_node *value = node->values; value; value = value->next) {
            step = step_new(lw, FZ_TEST_CHANCE, value);
            step.a = constant(lw, value, "chance");
            add(lw, &step);
        }
        return;
    case N_X_DO:
        step = step_new(lw, FZ_TEST_DO, node);
        step.function = block_function(lw, "do", node->body);
        break;
    case N_X_EXPECT:
        step = step_new(lw, FZ_TEST_EXPECT, node);
        step.text = source_text(lw, node->condition->span);
        step.function = (int32_t)fzi_value_function(lw, "expectation", node->condition);
        add(lw, &step);
        add_parts(lw, node->condition, true, (uint32_t)lw->build.steps.count);
        return;
    case N_X_FAILS:
        step = step_new(lw, FZ_TEST_FAILS, node);
        step.text = fzi_build_text(&lw->build, node->text);
        break;
    case N_X_MOVES:
        step = step_new(lw, FZ_TEST_MOVE_COUNT, node);
        step.a = node->number;
        break;
    default: /* N_X_PERFT */
        step = step_new(
            lw, node->flags & FZ_NODE_DECISIONS ? FZ_TEST_PERFT_DECISIONS : FZ_TEST_PERFT, node);
        step.a = node->depth->number;
        step.b = node->number;
        break;
    }
    add(lw, &step);
}

void fzi_lower_tests(fzi_lower *lw)
{
    fzi_build *b = &lw->build;
    for (const fzi_node *test = lw->game->tests; test; test = test->next) {
        fz_test_info info = {fzi_build_text(b, test->text), (uint32_t)b->steps.count, 0,
                             fzi_build_place(b, test->name_span)};
        /* Under other options the test belongs to another program; only its settings are recorded.
         * */
        bool applies = fzi_test_applies(lw->game, test);
        for (const fzi_node *node = test->steps; node; node = node->next) {
            if (applies || node->kind == N_X_SET)
                add_step(lw, node);
        }
        if (!applies)
            add_unset(lw, test);
        info.steps = (uint32_t)b->steps.count - info.first;
        fzi_array_add(b, &b->tests, &info);
    }
}
