/* Budgets: what a script may use up has a bound, exceeding it is an error that names the line, the
 * state stays what it was, and with a larger bound the same script goes on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "ferz_tools.h"

#define HEAD "game \"Budget\"; players A, B; board square(8); piece Man \"M\";\n"

typedef struct budget {
    const char *script;
    fz_limits less, more;
    const char *message;
} budget;

static const budget budgets[] = {
    {HEAD "var total: int;\n"
          "turn { choose \"go\" => {\n"
          "  for i in 1..100000\n"
          "    total = i;\n"
          "} }\n"
          "end { if total > 0 draw; }\n",
     {.instructions = 10000},
     {.instructions = 10000000},
     "this decision takes too many instructions"},
    {HEAD "var total: int;\n"
          "fn deep(k: int): int {\n"
          "  if k == 0 return 0;\n"
          "  return 1 + deep(k - 1);\n"
          "}\n"
          "turn { choose \"go\" => total = deep(turns + 99); }\n"
          "end { if total > 0 draw; }\n",
     {.frames = 50},
     {.frames = 200},
     "too many calls inside each other"},
    {HEAD "turn { choose\n"
          "  for a in site, b in site => put Man of me at {a, b};\n"
          "}\n"
          "end { if occupied != {} draw; }\n",
     {.moves = 1000},
     {.moves = 10000},
     "more than 1000 moves in one list"},
    {HEAD "turn { choose\n"
          "  for a in site, b in site, c in empty => put Man of me at {a, b, c};\n"
          "}\n"
          "end { if occupied != {} draw; }\n",
     {.memory = 20000},
     {.memory = 20000000},
     "more than 20000 bytes of memory"},
    {HEAD "turn {\n"
          "  if turns > 100 choose \"end\" => draw;\n"
          "}\n"
          "limit 1000 turns draw;\n",
     {.idle_turns = 50},
     {.idle_turns = 200},
     "too many turns in a row without a decision"},
    {HEAD /* what `repetitions` knows counts too */
     "turn {\n"
     "  if turns > 3000 choose \"end\" => draw;\n"
     "}\n"
     "end { if repetitions > 5000 draw; }\n",
     {.memory = 50000},
     {.memory = 1000000},
     "more than 50000 bytes of memory"},
};

static bool has_place(const char *message)
{
    unsigned line = 0, column = 0;

    return sscanf(message, "budget.game:%u:%u:", &line, &column) == 2 && line >= 2;
}

/* From the beginning to the end of a game of one decision. */
static fz_status play(const fz_program *program, const fz_limits *limits, char *message,
                      size_t size)
{
    fz_machine *machine = fz_machine_new(program, limits);
    fz_state *state = fz_state_new(machine, 1, 0);
    fz_status status = state ? FZ_OK : FZ_RUNTIME;

    if (state) {
        uint32_t turns = fz_state_turns(state);
        status = fz_state_play_random(machine, state);
        if (status != FZ_OK) {
            assert_int_equal(fz_state_turns(state), turns);
            assert_int_equal(fz_state_plies(state), 0);
            assert_int_equal(fz_state_waiting(state), FZ_WAITING_MOVE);
        } else {
            assert_int_equal(fz_state_waiting(state), FZ_GAME_OVER);
        }
    }
    snprintf(message, size, "%s", fz_machine_message(machine));
    fz_state_free(state);
    fz_machine_free(machine);
    return status;
}

static void test_budget(void **given)
{
    const budget *b = *given;
    fz_context *context = fz_context_new(NULL);
    fz_program *program = NULL;
    fz_report *report = NULL;
    char message[512];

    if (fz_compile(context, "budget.game", b->script, strlen(b->script), NULL, 0, &program,
                   &report) != FZ_OK)
        fail_msg("%s", fz_report_text(report, FZ_TEXT));
    fz_report_free(report);
    assert_int_equal(play(program, &b->more, message, sizeof message), FZ_OK);
    assert_int_equal(play(program, &b->less, message, sizeof message), FZ_RUNTIME);
    if (!has_place(message) || !strstr(message, b->message))
        fail_msg("expected 'budget.game:LINE:COLUMN: %s', not '%s'", b->message, message);
    fz_program_release(program);
    fz_context_free(context);
}

/* Nothing begins where work is cancelled; everything works again afterwards. */
static void cancelling(void **unused)
{
    fz_cancel outer = {0}, cancel = {.outer = &outer};
    fz_limits limits = {.cancel = &cancel};
    fz_context *context = fz_context_new(NULL);
    fz_program *program = NULL;
    fz_report *report = NULL;
    fz_tally tally;
    char message[256];

    (void)unused;
    fz_context_set_limits(context, &limits);
    outer.now = 1;
    assert_int_equal(fz_compile(context, "t.game", budgets[0].script, strlen(budgets[0].script),
                                NULL, 0, &program, &report), FZ_REFUSED);
    assert_non_null(strstr(fz_context_message(context), "stopped"));
    fz_report_free(report);
    outer.now = 0;
    assert_int_equal(fz_compile(context, "t.game", budgets[0].script, strlen(budgets[0].script),
                                NULL, 0, &program, &report), FZ_OK);
    fz_report_free(report);
    cancel.deadline = 1e-9;
    assert_int_equal(fz_playouts(program, &limits, 1, 0, 1000000, 2, false, NULL, &tally, message),
                     FZ_OK);
    assert_true(tally.playouts < 1000000);
    fz_program_release(program);
    fz_context_free(context);
}

static void cancel_now(void *user, const char *title, bool passed, const char *message)
{
    (void)title, (void)message;
    assert_true(passed);
    ((fz_cancel *)user)->now = 1;
}

/* A test that is cancelled has neither passed nor failed: its perft is not complete. */
static void cancelled_tests(void **unused)
{
    static const char script[] = HEAD
        "turn { choose { for s in empty => put Man of me at s; } otherwise draw; }\n"
        "limit 9 turns draw;\n"
        "test \"one\" { perft 1 64; }\n"
        "test \"two\" { perft 3 249984; }\n"
        "test \"three\" { perft 1 64; }\n";
    fz_cancel cancel = {0};
    fz_limits limits = {.cancel = &cancel};
    fz_test_sink sink = {.ended = cancel_now, .user = &cancel};
    fz_context *context = fz_context_new(NULL);
    unsigned passed, failed;

    (void)unused;
    fz_context_set_limits(context, &limits);
    assert_int_equal(fz_run_tests(context, "t.game", script, strlen(script), NULL, 0, NULL, &sink,
                                  NULL, &passed, &failed), FZ_REFUSED);
    assert_int_equal(passed, 1);
    assert_int_equal(failed, 0);
    fz_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"instructions", test_budget, NULL, NULL, (void *)(uintptr_t)&budgets[0]},
        {"frames", test_budget, NULL, NULL, (void *)(uintptr_t)&budgets[1]},
        {"moves", test_budget, NULL, NULL, (void *)(uintptr_t)&budgets[2]},
        {"memory", test_budget, NULL, NULL, (void *)(uintptr_t)&budgets[3]},
        {"idle turns", test_budget, NULL, NULL, (void *)(uintptr_t)&budgets[4]},
        {"history", test_budget, NULL, NULL, (void *)(uintptr_t)&budgets[5]},
        cmocka_unit_test(cancelling),
        cmocka_unit_test(cancelled_tests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
