/* Strategies of games that hide something: what is learned, what agents lose to best answers, and
 * that files are read as they were written or not at all. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "interp/agents/agent.h"
#include "interp/lab/strategy_learning.h"
#include "interp/solve/solve.h"
#include "rig.h"

/* The poker of three cards (H. W. Kuhn, 1950): worth -1/18 to the first player. */
static const char game[] =
    "game \"Poker\"; players Ann, Bob; board none;\n"
    "option Ante: 1..2 = 1;\n"
    "enum Card { none, Jack, Queen, King }\n"
    "secret var card[player]: Card; var open[player]: Card; var staked[player]: 0..3; show open,\n"
    "staked;\n"
    "turn {\n"
    "  staked = Ante; card[Ann] = random(Card); card[Bob] = random(Card - {card[Ann]});\n"
    "  choose by Ann {\n"
    "    \"check\" => choose by Bob { \"check\" => showdown(); \"bet\" => bet(Bob); }\n"
    "    \"bet\" => bet(Ann); } }\n"
    "proc bet(p: player) { staked[p] = Ante + 1; choose by p + 1 { \"fold\" => win p;\n"
    "    \"call\" => { staked = Ante + 1; showdown(); } } }\n"
    "proc showdown() { for p in player open[p] = reveal(card[p]);\n"
    "  if open[Ann] > open[Bob] win Ann; else win Bob; }\n"
    "override fn payoff(p: player): int = if standing(p) == 1 then staked[p + 1] else -staked[p];\n"
    "limit 1 turns draw;\n";

typedef struct poker {
    rig rig;
    fzi_setup setup;
    const char *text;         /* the file that is read */
    size_t length;
} poker;

static const char *find_text(void *user, const char *path, size_t *length)
{
    const poker *p = user;

    if (strcmp(path, "small.strategy") != 0)
        return NULL;
    *length = p->length;
    return p->text;
}

static int open_poker(poker *p, const char *ante)
{
    const fz_setting settings[] = {{"Ante", ante}};

    if (rig_open(&p->rig, game, settings, 1) != 0)
        return -1;
    fz_machine_set_chance(p->rig.machine, FZ_CHANCE_ASK);
    if (fz_state_restart(p->rig.machine, p->rig.state, 1, 0) != FZ_OK)
        return -1;
    fz_context_set_overlay(p->rig.context, find_text, p);
    p->setup = (fzi_setup){.context = p->rig.context, .path = "small.game",
                           .program = p->rig.program, .machine = p->rig.machine,
                           .state = p->rig.state, .options = {.seed = 1}};
    return 0;
}

static int begin(void **given)
{
    static poker p;

    *given = &p;
    return open_poker(&p, "1");
}

static int end(void **given)
{
    poker *p = *given;

    rig_clear(&p->rig);
    return 0;
}

static void play(fzi_regret_learning *y, uint64_t games)
{
    while (y->games < games)
        assert_int_equal(fzi_regrets_play(y), FZ_OK);
}

/* The file after so many games. */
static char *learn(poker *p, fzi_sampling sampling, uint64_t games)
{
    fzi_regret_learning y;
    char *text;

    assert_int_equal(fzi_regrets_begin(&y, &p->setup, NULL, sampling, SIZE_MAX), FZ_OK);
    play(&y, games);
    assert_int_equal(fzi_strategy_text(&y, &text), FZ_OK);
    fzi_regrets_clear(&y);
    return text;
}

/* ---- what agents lose ---- */

static fzi_hidden_loss loss_of(poker *p, fz_agent *agent, uint64_t samples, uint64_t seed)
{
    fz_agent *const agents[] = {agent, agent};
    const fzi_hidden_task task = {agents, samples, seed, NULL};
    fzi_hidden_loss loss;
    fzi_hidden h;

    assert_int_equal(fzi_hidden_make(&h, p->rig.machine, p->rig.state, SIZE_MAX, NULL), FZ_OK);
    assert_int_equal(fzi_hidden_try(&h, &task, &loss), FZ_OK);
    fzi_hidden_clear(&h);
    return loss;
}

static double exploitability(poker *p, const char *text)
{
    fz_agent *agent;
    char message[256];

    p->text = text;
    p->length = strlen(text);
    assert_int_equal(fzi_agent_own(&p->setup, "cfr:strategy=small.strategy", &agent, message),
                     FZ_OK);
    fzi_hidden_loss loss = loss_of(p, agent, 2, 1);
    fz_agent_free(agent);
    assert_true(loss.exact);
    assert_true(loss.low[0] == loss.high[0] && loss.low[1] == loss.high[1]);
    return (loss.low[0] + loss.low[1]) / 2;
}

/* Against even play, a best answer of Ann gains 1/2, one of Bob 5/12, by hand. Strategies come
 * closer to an equilibrium with each sampling. */
static void test_strategies_are_learned(void **given)
{
    static const struct {
        fzi_sampling sampling;
        uint64_t games;
        double most;
    } cases[] = {{FZ_SAMPLING_OUTCOME, 6000, 0.08}, {FZ_SAMPLING_EXTERNAL, 3000, 0.03},
                 {FZ_SAMPLING_CHANCE, 1000, 0.06}};
    poker *p = *given;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *none = learn(p, cases[i].sampling, 0);
        char *text = learn(p, cases[i].sampling, cases[i].games);
        double before = exploitability(p, none), after = exploitability(p, text);
        print_message("%s: %.4f\n", fzi_sampling_names[cases[i].sampling], after);
        assert_float_equal(before, (0.5 + 5.0 / 12) / 2, 1e-9);
        assert_true(after > 0 && after < cases[i].most);
        fz_text_free(p->rig.context, none);
        fz_text_free(p->rig.context, text);
    }
}

/* What is known from a sample lies around the truth, in the mean of many samples. */
static void test_samples_bound_the_loss(void **given)
{
    enum { TRIALS = 300 };
    poker *p = *given;
    fz_agent *agent;
    double low[2] = {0}, high[2] = {0};
    const double truth[] = {0.5, 5.0 / 12};

    assert_int_equal(fz_agent_new(p->rig.context, p->rig.program, "random", &agent), FZ_OK);
    fzi_agent_class silent = {.choose = agent->class->choose};
    assert_true(loss_of(p, agent, 2, 1).exact);
    agent->class = &silent;
    for (uint64_t i = 0; i < TRIALS; i++) {
        fzi_hidden_loss loss = loss_of(p, agent, 8, i);
        assert_false(loss.exact);
        for (unsigned side = 0; side < 2; side++) {
            low[side] += loss.low[side] / TRIALS;
            high[side] += loss.high[side] / TRIALS;
        }
    }
    print_message("%.3f to %.3f, %.3f to %.3f\n", low[0], high[0], low[1], high[1]);
    for (unsigned side = 0; side < 2; side++) {
        /* 0.02 is four standard errors. */
        assert_true(low[side] < truth[side] - 0.02 && low[side] > truth[side] - 0.2);
        assert_true(high[side] > truth[side] - 0.02 && high[side] < truth[side] + 0.2);
    }
    fz_agent_free(agent);
}

/* ---- files ---- */

static fz_status read_text(poker *p, const char *text, size_t length)
{
    fzi_strategy *s;

    p->text = text;
    p->length = length;
    fz_status status = fzi_strategy_read(p->rig.context, p->rig.program, "small.strategy",
                                         SIZE_MAX, &s, NULL);
    assert_int_equal(status == FZ_OK, s != NULL);
    fzi_strategy_free(s);
    return status;
}

static void test_resumed_is_uninterrupted(void **given)
{
    poker *p = *given;
    char *whole = learn(p, FZ_SAMPLING_OUTCOME, 40), *part = learn(p, FZ_SAMPLING_OUTCOME, 15);
    char *text;
    fzi_regret_learning y;

    p->text = part;
    p->length = strlen(part);
    p->setup.options.seed = 2; /* that of the file counts, as does its sampling */
    assert_int_equal(fzi_regrets_begin(&y, &p->setup, "small.strategy", FZ_SAMPLING_CHANCE,
                                       SIZE_MAX), FZ_OK);
    play(&y, 40);
    assert_int_equal(fzi_strategy_text(&y, &text), FZ_OK);
    assert_string_equal(text, whole);
    p->setup.options.seed = 1;
    fzi_regrets_clear(&y);
    fz_text_free(p->rig.context, text);
    fz_text_free(p->rig.context, whole);
    fz_text_free(p->rig.context, part);
}

/* A cancelled game changes nothing, wherever it is when it stops. */
static void test_cancelled_games_do_not_count(void **given)
{
    poker *p = *given;
    char *whole = learn(p, FZ_SAMPLING_CHANCE, 20), *text;
    fzi_regret_learning y;

    assert_int_equal(fzi_regrets_begin(&y, &p->setup, NULL, FZ_SAMPLING_CHANCE, SIZE_MAX), FZ_OK);
    play(&y, 20);
    fz_cancel stop = {.outer = y.machine->limits.cancel};
    y.machine->limits.cancel = &stop;
    fz_status status = FZ_OK;
    for (double seconds = 1e-5; status == FZ_OK; seconds *= 0.9) {
        stop.deadline = fzi_seconds() + seconds;
        status = fzi_regrets_play(&y);
        if (status == FZ_OK) { /* back to the beginning */
            fzi_regrets_clear(&y);
            assert_int_equal(fzi_regrets_begin(&y, &p->setup, NULL, FZ_SAMPLING_CHANCE, SIZE_MAX),
                             FZ_OK);
            play(&y, 20);
            y.machine->limits.cancel = &stop;
        }
    }
    assert_int_equal(status, FZ_NOT_FOUND);
    assert_int_equal(fzi_strategy_text(&y, &text), FZ_OK);
    assert_string_equal(text, whole);
    fzi_regrets_clear(&y);
    fz_text_free(p->rig.context, text);
    fz_text_free(p->rig.context, whole);
}

static void test_damage_is_found(void **given)
{
    poker *p = *given;
    char *text = learn(p, FZ_SAMPLING_EXTERNAL, 30);
    size_t length = strlen(text);

    assert_int_equal(read_text(p, text, length), FZ_OK);
    for (size_t i = 0; i + 2 < length; i += 17)
        assert_int_equal(read_text(p, text, i), FZ_BAD_INPUT);
    for (size_t i = 0; i < length; i += 7) {
        char kept = text[i];
        text[i] = kept == '7' ? '8' : '7';
        if (kept != ' ' && kept != '\n')
            assert_int_not_equal(read_text(p, text, length), FZ_OK);
        text[i] = kept;
    }
    fz_text_free(p->rig.context, text);
}

/* The file with its first row of a set replaced, and the checksum made anew. */
static void assert_row_refused(poker *p, const char *text, const char *row)
{
    fz_context *context = p->rig.context;
    json_t *object = json_loads(text, 0, NULL);
    char *made;

    assert_non_null(object);
    json_object_del(object, "checksum");
    json_array_set_new(json_object_get(object, "sets"), 1, row ? json_string(row) : json_null());
    assert_int_equal(fzi_checked_json_text(object, context, &made), FZ_OK);
    assert_int_equal(read_text(p, made, strlen(made)), FZ_BAD_INPUT);
    assert_non_null(strstr(fz_context_message(context), "'sets', row 2"));
    fz_text_free(context, made);
}

static void test_nonsense_is_refused(void **given)
{
    static const char *const rows[] = {
        NULL, "", "12 1 0 1 1", "0123456789abcdef0123456789abcdef",
        "0123456789abcdef0123456789abcdef 1 0", "0123456789abcdef0123456789abcdef 1 0 1",
        "0123456789abcdef0123456789abcdef 3 0 1 1", "0123456789abcdef0123456789abcdef 0 0 1 1",
        "0123456789abcdef0123456789abcdef 1e300 0 1 1",
        "0123456789abcdef0123456789abcdef 2.5 0 1 1",
        "0123456789abcdef0123456789abcdef 1 -1 1 1", "0123456789abcdef0123456789abcdef 1 0 nan 1",
        "0123456789abcdef0123456789abcdef 1 0 1 inf",
        "0123456789abcdef0123456789abcdef 1 0 1 2e300", "0123456789abcdef0123456789abcdef 1 0 1 -1",
        "0123456789abcdef0123456789abcdef 1 0 1 1 x", "0123456789abcdef0123456789abcdef 1 0 1  1",
        "0123456789ABCDEF0123456789abcdef 1 0 1 1"};
    poker *p = *given;
    char *text = learn(p, FZ_SAMPLING_EXTERNAL, 30);

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_row_refused(p, text, rows[i]);
    fz_text_free(p->rig.context, text);
}

static void test_other_games_are_refused(void **given)
{
    poker *p = *given, other = {.text = NULL};
    char *text = learn(p, FZ_SAMPLING_EXTERNAL, 3);

    assert_int_equal(open_poker(&other, "2"), 0);
    assert_int_equal(read_text(&other, text, strlen(text)), FZ_REFUSED);
    rig_clear(&other.rig);
    fz_text_free(p->rig.context, text);
}

/* Where memory is full, nothing more is learned, and the game goes on. */
static void test_memory_may_be_full(void **given)
{
    poker *p = *given;
    fzi_regret_learning y;

    assert_int_equal(fzi_regrets_begin(&y, &p->setup, NULL, FZ_SAMPLING_EXTERNAL, 600), FZ_OK);
    play(&y, 50);
    assert_true(y.full > 0 && y.strategy->memory <= 600 && y.strategy->count < 12);
    fzi_regrets_clear(&y);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_strategies_are_learned),
        cmocka_unit_test(test_samples_bound_the_loss),
        cmocka_unit_test(test_resumed_is_uninterrupted),
        cmocka_unit_test(test_cancelled_games_do_not_count),
        cmocka_unit_test(test_damage_is_found),
        cmocka_unit_test(test_nonsense_is_refused),
        cmocka_unit_test(test_other_games_are_refused),
        cmocka_unit_test(test_memory_may_be_full),
    };
    return cmocka_run_group_tests_name("strategies", tests, begin, end);
}
