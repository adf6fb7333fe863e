#include "verify.h"

#include "verify_parts.h"

/* ---- what is run from outside ---- */

/* A function that is called with so many integers or fewer: `me`, a player. */
static void entry(fzi_verifier *c, int32_t function, bool needed, unsigned params, unsigned result,
                  const char *what, uint32_t number)
{
    fzi_want(c, function < 0 ? !needed : (uint32_t)function < c->p->function_count, what, number);
    if (function < 0)
        return;
    const fz_function *f = &c->p->functions[function];
    fzi_want(c, f->int_params <= params && !f->set_params && f->result == result, what, number);
}

/* A part of an expectation: its function gives a value of its type. */
static void check_part(fzi_verifier *c, const fz_test_step *step, uint32_t at)
{
    const fz_program *p = c->p;
    bool typed = step->a >= 0 && step->a < p->type_count && step->function >= 0 &&
                 (uint32_t)step->function < p->function_count;
    fzi_want(c, typed, "step", at);
    if (typed)
        fzi_want(c,
                 p->functions[step->function].result ==
                     (p->types[step->a].kind == FZ_VALUE_SITES ? 2 : 1),
                 "step", at);
}

static void check_step(fzi_verifier *c, uint32_t number)
{
    const fz_test_step *step = &c->p->steps[number];
    bool truth = step->op == FZ_TEST_EXPECT || step->op == FZ_TEST_OUTCOME;
    if (step->op == FZ_TEST_PART)
        check_part(c, step, number);
    else
        entry(c, step->function, truth || step->op == FZ_TEST_DO, 1, truth, "step", number);
}

/* Steps that are lists: as many of the right sort follow as they say. */
static void check_list(fzi_verifier *c, const fz_test_info *test, uint32_t at)
{
    const fz_test_step *step = &c->p->steps[at];
    bool texts = step->op >= FZ_TEST_MOVES_ARE && step->op <= FZ_TEST_SEEN_EXCLUDE;
    if (!texts && step->op != FZ_TEST_OUTCOMES)
        return;
    fzi_want(c, step->a >= 0 && step->a < test->first + test->steps - at, "step", at);
    for (uint32_t i = 1; i <= (uint32_t)step->a; i++)
        fzi_want(c, step[i].op == (texts ? FZ_TEST_TEXT : FZ_TEST_OUTCOME), "step", at + i);
}

static void check_entries(fzi_verifier *c)
{
    const fz_program *p = c->p;
    entry(c, p->setup, false, 1, 0, "set-up", 0);
    entry(c, p->turn, true, 1, 0, "turn", 0);
    entry(c, p->end, false, 1, 0, "end", 0);
    entry(c, p->limit, false, 1, 0, "limit", 0);
    entry(c, p->unseen, false, 2, 2, "unseen", 0);
    entry(c, p->invisible, false, 2, 2, "invisible", 0);
    entry(c, p->owned, false, 2, 2, "owned", 0);
    entry(c, p->payoff, false, 2, 1, "payoff", 0);
    fzi_want(c, p->limit_turns >= 0 && (p->limit < 0 || p->limit_turns > 0), "limit", 0);
#define LIMIT(field, name, usual, most, part)                                                      \
    fzi_want(c, p->limits[FZ_LIMIT_##field] <= most, "limit of " #field, 0);
#include "limits.def"
    for (uint32_t i = 0; i < p->step_count; i++)
        check_step(c, i);
    for (uint32_t i = 0; i < p->test_count; i++) {
        const fz_test_info *test = &p->tests[i];
        for (uint32_t s = 0; s < test->steps; s++)
            check_list(c, test, test->first + s);
    }
}

/* Only the compiler makes programs with items: they are not in program files. */
static void check_items(fzi_verifier *c)
{
    const fz_program *p = c->p;
    for (uint32_t i = 0; i < p->item_count; i++) {
        const fz_item_info *item = &p->items[i];
        fzi_want(c, item->option < p->option_count && item->place < p->place_count, "item", i);
        fzi_want(c, !i || item[-1].option <= item->option, "item", i);
        const fz_option_info *option = &p->options[item->option];
        const fz_function *f = &p->functions[p->choices[option->choice].function];
        fzi_want(c, option->from >= 0 && option->to >= 0, "item", i);
        fzi_want(c, item->me < 0 ? item->player < (int)p->player_count : item->me < f->ints,
                 "item", i);
        entry(c, (int32_t)item->function, true, 2, 2, "item", i);
    }
}

static void check_names(fzi_verifier *c)
{
    const char *what;
    uint32_t number;
    if (fzi_texts_sound(c->p, c->allocator, &what, &number))
        return;
    if (what)
        fzi_want(c, false, what, number);
    longjmp(c->give_up, 1); /* memory is short */
}

static void check_all(fzi_verifier *c)
{
    fzi_verify_data(c);
    fzi_verify_instructions(c);
    fzi_verify_layout(c);
    fzi_verify_code(c);
    check_entries(c);
    check_items(c);
    check_names(c);
}

bool fzi_verify(const fz_program *program, fzi_allocator allocator, char *message, size_t size)
{
    fzi_verifier c = {.p = program, .message = message, .size = size, .allocator = allocator};
    if (size)
        *message = '\0';
    c.owner = fzi_allocate(allocator, program->code_length * sizeof *c.owner);
    if (!c.owner)
        return false;
    memset(c.owner, 0, program->code_length * sizeof *c.owner);
    bool good = false;
    if (!setjmp(c.give_up)) {
        check_all(&c);
        good = true;
    }
    fzi_release(allocator, c.owner);
    return good;
}
