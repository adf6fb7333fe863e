/* What native code believes of a program it must also hold for one that no compiler writes: damaged
 * programs that the verifier lets pass. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "interp/program/program.h"
#include "interp/program/verify.h"
#include "interp/support/context.h"
#include "rig.h"

static const char game[] =
    "game \"Plans\";\n"
    "players A, B;\n"
    "board square(3);\n"
    "piece Stone \"o\";\n"
    "var total: int;\n"
    "turn { total = 7; choose s in empty => put Stone of me at s; otherwise {} }\n"
    "end { for i in 1..4 { total += i; if total > 50 draw; } }\n";

static fz_code *code_of(fz_program *p)
{
    return (fz_code *)(uintptr_t)p->code;
}

/* The last instruction of a function with the opcode, before a place. */
static uint32_t find(const fz_program *p, int32_t function, unsigned op, uint32_t before)
{
    uint32_t found = UINT32_MAX;
    FZI_FOR_INSTRUCTIONS(at, p, &p->functions[function])
        if (at < before && FZ_CODE_OP(p->code[at]) == op)
            found = at;
    assert_true(found != UINT32_MAX);
    return found;
}

/* The loop begins anew with each round. */
static void counter_set_inside(fz_program *p)
{
    uint32_t end = find(p, p->end, FZ_OP_COUNT_UP, UINT32_MAX), start = end;
    do
        start = find(p, p->end, FZ_OP_INT, start);
    while (FZ_CODE_A(p->code[start]) != FZ_CODE_A(p->code[end]));
    code_of(p)[end + 1] = start;
}

/* A move leads to the choice of the next one. */
static void effect_before_choice(fz_program *p)
{
    ((fz_option_info *)(uintptr_t)p->options)->effect = p->functions[p->turn].start;
}

/* Without a move, the effect puts a piece on site 7 all the same. */
static void effect_without_move(fz_program *p)
{
    uint32_t decide = find(p, p->turn, FZ_OP_DECIDE, UINT32_MAX),
             store = find(p, p->turn, FZ_OP_STORE, decide),
             number = find(p, p->turn, FZ_OP_INT, store), site = p->options->first;
    code_of(p)[number] = (p->code[number] & ~UINT32_C(0xff00)) | site << 8;
    code_of(p)[store] = (p->code[store] & ~UINT32_C(0xff00)) | site << 8;
    code_of(p)[decide + 2] = p->options->effect;
}

/* Is the text in the C of the game, or of the damaged game, but not in both? */
static void check(void (*damage)(fz_program *p), const char *text, int of_damaged)
{
    for (int damaged = 0; damaged < 2; damaged++) {
        rig r;
        char message[128] = "", *c;
        size_t length;
        assert_int_equal(rig_open(&r, game, NULL, 0), 0);
        if (damaged)
            damage(r.program);
        fzi_verify(r.program, fzi_allocator_default(), message, sizeof message);
        assert_string_equal(message, "");
        assert_int_equal(fz_program_c(r.context, r.program, &c, &length), FZ_OK);
        if (!strstr(c, text) != (damaged != of_damaged))
            fail_msg("%s, damaged %d: %s", text, damaged, strstr(c, text) ? "there" : "not there");
        fz_text_free(r.context, c);
        rig_clear(&r);
    }
}

static void test_costs(void **unused)
{
    (void)unused;
    check(counter_set_inside, "#define PLAYOUT_COST 0\n", 1);
}

static void test_decisions(void **unused)
{
    (void)unused;
    check(effect_before_choice, "#define PLAYOUT_LOOPS 1", 1);
}

static void test_drawn(void **unused)
{
    (void)unused;
    check(effect_without_move, "(uint64_t)IR(A))) __builtin_unreachable();", 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_costs),
        cmocka_unit_test(test_decisions),
        cmocka_unit_test(test_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
