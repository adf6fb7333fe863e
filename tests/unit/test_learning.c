/* Learned evaluations: what they are worth, and that their files are read as they were written or
 * not at all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "interp/agents/agent.h"
#include "interp/lab/learning.h"
#include "interp/solve/solve.h"
#include "rig.h"

/* Small enough to be solved, and with all that an evaluation reads: pieces of two kinds, a variable
 * by site, one by player, and a number. Whoever has three stones in a row wins. */
static const char game[] =
    "game \"Stones\"; players A, B; board square(3);\n"
    "option Wide: bool = false;\n"
    "piece Stone \"s\"; piece Rock \"r\";\n"
    "var mark[site]: bool; var left[player]: 0..1 = 1; var turns_left: 0..9 = 9;\n"
    "turn { choose {\n"
    "    for to in empty => { put Stone of me at to; turns_left -= 1; }\n"
    "    if left[me] > 0 and b2 in empty => {\n"
    "      put Rock of me at b2; left[me] = 0; mark[b2] = true; turns_left -= 1; } } }\n"
    "end { if line(pieces(Stone, me), 3) or (Wide and line(mine, 3)) win me;\n"
    "  if empty == {} draw; }\n";

typedef struct lesson {
    rig rig;
    fzi_setup setup;
    char *text;               /* the file that is read */
    size_t length;
} lesson;

static const char *find_text(void *user, const char *path, size_t *length)
{
    const lesson *l = user;

    if (strcmp(path, "small.eval") != 0)
        return NULL;
    *length = l->length;
    return l->text;
}

static int open_lesson(lesson *l, const char *wide)
{
    const fz_setting settings[] = {{"Wide", wide}};

    if (rig_open(&l->rig, game, settings, 1) != 0)
        return -1;
    fz_machine_set_chance(l->rig.machine, FZ_CHANCE_ASK);
    fz_context_set_overlay(l->rig.context, find_text, l);
    l->setup = (fzi_setup){.context = l->rig.context, .path = "small.game",
                           .program = l->rig.program, .machine = l->rig.machine,
                           .state = l->rig.state, .options = {.seed = 1}};
    return 0;
}

static int begin(void **given)
{
    static lesson l;

    *given = &l;
    return open_lesson(&l, "false");
}

static int end(void **given)
{
    lesson *l = *given;

    rig_clear(&l->rig);
    return 0;
}

static void play(fzi_learning *y, uint64_t games)
{
    fzi_lesson told;

    while (y->games < games)
        assert_int_equal(fzi_learning_play(y, &told), FZ_OK);
}

/* The file after so many games. */
static char *learn(lesson *l, uint64_t games)
{
    fzi_learning y;
    char *text;

    assert_int_equal(fzi_learning_begin(&y, &l->setup), FZ_OK);
    play(&y, games);
    assert_int_equal(fzi_learning_text(&y, &text), FZ_OK);
    fzi_learning_clear(&y);
    return text;
}

/* ---- what it is worth ---- */

/* What the position is worth to the first player: as solved, or as the evaluation says. */
static double solved(const fzi_solution *s, uint32_t position)
{
    double low, high;
    uint32_t steps;

    fzi_values_of(&s->values, position, &low, &high, &steps);
    return low;
}

static double learned_value(fzi_graph *g, const fzi_learned *learned, uint32_t position)
{
    if (fzi_graph_is_end(g, position))
        return fzi_graph_end(g, position);
    fzi_store_get(&g->store, position, g->row);
    assert_true(fzi_position_state(&g->form, g->row, g->state));
    return fzi_probability_of(fzi_learned_odds(learned, g->state, 0));
}

typedef struct score {
    unsigned asked, right;
} score;

/* Of a position in which moves are of different worth: is the one that the evaluation prefers one
 * of the best? */
static void ask(const fzi_solution *s, fzi_graph *g, const fzi_learned *learned, uint32_t position,
                score *sum)
{
    const fzi_graph_block *b = &g->block;
    uint32_t at = position % FZ_GRAPH_BLOCK;
    double sign = g->kinds[position] == FZ_NODE_FIRST ? 1 : -1;
    double best = -2, worst = 2, most = -2, chosen = 0;

    for (uint32_t i = b->first[at]; i < b->first[at + 1]; i++) {
        double worth = sign * solved(s, b->next[i]);
        double promise = sign * learned_value(g, learned, b->next[i]);
        chosen = promise > most ? worth : chosen;
        most = promise > most ? promise : most;
        best = worth > best ? worth : best;
        worst = worth < worst ? worth : worst;
    }
    sum->asked += worst < best;
    sum->right += worst < best && chosen == best;
}

static double share_right(lesson *l, uint64_t games)
{
    fzi_graph_task task = {.machine = l->rig.machine, .from = l->rig.state,
                           .most = (size_t)1 << 28};
    fzi_solution solution = {.count = 0};
    fzi_graph *g = &solution.graph;
    score sum = {0, 0};
    fzi_learning y;

    assert_int_equal(fzi_learning_begin(&y, &l->setup), FZ_OK);
    play(&y, games);
    assert_int_equal(fzi_solution_make(&solution, &task, 1e-6), FZ_OK);
    for (uint32_t i = 0; i < g->count; i++) {
        if (i % FZ_GRAPH_BLOCK == 0)
            assert_true(fzi_graph_read(g, i / FZ_GRAPH_BLOCK));
        if (!fzi_graph_is_end(g, i))
            ask(&solution, g, y.learned, i, &sum);
    }
    fzi_solution_clear(&solution);
    fzi_learning_clear(&y);
    assert_true(sum.asked > 1000);
    return (double)sum.right / sum.asked;
}

static void test_moves_are_ranked(void **given)
{
    double before = share_right(*given, 0), after = share_right(*given, 1500);

    print_message("right moves: %.3f before, %.3f after\n", before, after);
    assert_true(before < 0.75);
    assert_true(after > 0.92);
}

/* An estimate proves nothing: far from the end, no move of a search without playouts is proven. */
static void test_estimates_are_no_proofs(void **given)
{
    const lesson *l = *given;
    fz_moves *moves = fz_moves_new(l->rig.machine);
    fz_agent *agent;
    uint64_t visits;
    double proven;

    assert_int_equal(fz_agent_new(l->rig.context, l->rig.program, "mcts:40:depth=0", &agent),
                     FZ_OK);
    assert_int_equal(fz_agent_choose(agent, l->rig.state, NULL), FZ_OK);
    assert_int_equal(fz_state_moves(l->rig.machine, l->rig.state, moves), FZ_OK);
    for (size_t i = 0; i < fz_moves_count(moves); i++) {
        const fz_move move = fz_moves_at(moves, i);
        assert_true(fz_agent_opinion(agent, l->rig.state, &move, &visits, &proven));
        assert_true(visits > 0 && isnan(proven));
    }
    fz_agent_free(agent);
    fz_moves_free(moves);
}

/* Where lines as long as elsewhere would need too many weights, they are shorter. */
static void test_large_boards_have_shorter_lines(void **given)
{
    rig large;
    (void)given;

    assert_int_equal(rig_open(&large, "game \"Large\"; players A, B; board square(30);\n"
                              "piece Man \"m\"; turn { stop; } end { if turns > 9 draw; }\n",
                              NULL, 0), 0);
    fzi_learned *l = fzi_learned_new(large.program, fzi_allocator_default());
    assert_non_null(l);
    for (unsigned i = 0; i < 8; i++)
        assert_true(fzi_learned_add(l, (fzi_cell_layer){.variable = FZ_LAYER_HEIGHTS,
                                                        .by_site = true, .step = 1, .levels = 6}));
    assert_true(fzi_learned_derive(l));
    unsigned longest = 0;
    for (uint32_t i = 0; i < l->pattern_count; i++)
        longest = l->patterns[i].count > longest ? l->patterns[i].count : longest;
    assert_int_equal(longest, 2);
    fzi_learned_free(l);
    rig_clear(&large);
}

/* ---- files ---- */

/* Reads the text as a file. */
static fz_status read_text(lesson *l, const char *text, size_t length)
{
    fzi_learned *learned;

    l->text = (char *)(uintptr_t)text;
    l->length = length;
    fz_status status =
        fzi_evaluation_read(l->rig.context, l->rig.program, "small.eval", &learned, NULL);
    assert_int_equal(status == FZ_OK, learned != NULL);
    fzi_learned_free(learned);
    return status;
}

static void test_resumed_is_uninterrupted(void **given)
{
    lesson *l = *given;
    char *whole = learn(l, 40), *part = learn(l, 15), *text;
    fzi_learning y;

    l->text = part;
    l->length = strlen(part);
    l->setup.options.seed = 2; /* that of the file counts */
    assert_int_equal(fzi_learning_resume(&y, &l->setup, "small.eval"), FZ_OK);
    play(&y, 40);
    assert_int_equal(fzi_learning_text(&y, &text), FZ_OK);
    assert_string_equal(text, whole);
    l->setup.options.seed = 1;
    fzi_learning_clear(&y);
    fz_text_free(l->rig.context, text);
    fz_text_free(l->rig.context, whole);
    fz_text_free(l->rig.context, part);
}

/* A file that lacks its end, or in which a byte is another, is refused. */
static void test_damage_is_found(void **given)
{
    lesson *l = *given;
    char *text = learn(l, 3);
    size_t length = strlen(text);

    assert_int_equal(read_text(l, text, length), FZ_OK);
    for (size_t i = 0; i + 2 < length; i += 61)
        assert_int_equal(read_text(l, text, i), FZ_BAD_INPUT);
    for (size_t i = 0; i < length; i += 31) {
        char kept = text[i];
        text[i] = kept == '7' ? '8' : '7';
        if (kept != ' ' && kept != '\n')
            assert_int_not_equal(read_text(l, text, length), FZ_OK);
        text[i] = kept;
    }
    fz_text_free(l->rig.context, text);
}

/* The file with one part replaced, and the checksum made anew; to be freed. */
static char *change(lesson *l, const char *text, const char *part, const char *other)
{
    const char *at = strstr(text, part);
    fzi_buffer changed = fzi_buffer_in(fzi_allocator_default());
    char *made;

    assert_non_null(at);
    fzi_buffer_add(&changed, text, (size_t)(at - text));
    fzi_buffer_text(&changed, other);
    fzi_buffer_text(&changed, at + strlen(part));
    json_t *object = json_loads(fzi_buffer_get(&changed), 0, NULL);
    fzi_buffer_free(&changed);
    assert_non_null(object);
    json_object_del(object, "checksum");
    assert_int_equal(fzi_checked_json_text(object, l->rig.context, &made), FZ_OK);
    return made;
}

/* `says`: what is wrong with the changed file. */
static void assert_refused(lesson *l, const char *text, const char *part, const char *other,
                           fz_status status, const char *says)
{
    char *made = change(l, text, part, other);
    fz_context *context = l->rig.context;

    assert_int_equal(read_text(l, made, strlen(made)), status);
    if (!strstr(fz_context_message(context), says))
        fail_msg("%s\nlacks: %s", fz_context_message(context), says);
    fz_text_free(context, made);
}

/* What would be read beyond an array is refused even with the right checksum. */
static void test_nonsense_is_refused(void **given)
{
    static const struct {
        const char *part, *other;
        fz_status status;
        const char *says;
    } cases[] = {
        {"\"ferz evaluation 1\"", "\"ferz evaluation 2\"", FZ_BAD_INPUT, "cannot read"},
        {"\"ferz evaluation 1\"", "\"ferz shard 2\"", FZ_BAD_INPUT, "not an evaluation"},
        {"\"Wide\": \"false\"", "\"Wide\": \"true\"", FZ_REFUSED, "other options"},
        {"\"of\": \"mark\"", "\"of\": \"left\"", FZ_BAD_INPUT, "'layers', row 2"},
        {"\"levels\": 5", "\"levels\": 256", FZ_BAD_INPUT, "'layers', row 1"},
        {"\"levels\": 5", "\"levels\": 2", FZ_BAD_INPUT, "'codes'"},
        {"\"variable\": 1", "\"variable\": 99", FZ_BAD_INPUT, "'layers', row 3"},
        {"\"low\": 0", "\"low\": 9999999999", FZ_BAD_INPUT, "'layers', row 1"},
        {"\"step\": 1", "\"step\": 0", FZ_BAD_INPUT, "'layers', row 1"},
        {"\"seats\": []", "\"seats\": [\"0 1\"]", FZ_BAD_INPUT, "'seats'"},
        {"\"2 1 0 5", "\"2 1 0 6", FZ_BAD_INPUT, "'symmetries'"},
        {"\"2 1 0 5", "\"2 1 0 9", FZ_BAD_INPUT, "'symmetries'"},
        {"\"weights\": [\n  \"0 ", "\"weights\": [\n  \"1000000 ", FZ_BAD_INPUT, "'weights', row"},
        {"\"weights\": [\n  \"0 ", "\"weights\": [\n  \"0 0 2 1\", \"1 ", FZ_BAD_INPUT,
         "'weights', row 1 "},
    };
    lesson *l = *given;
    char *text = learn(l, 3);

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_refused(l, text, cases[i].part, cases[i].other, cases[i].status, cases[i].says);
    fz_text_free(l->rig.context, text);
}

/* Who goes on needs numbers to go on with. */
static void test_nonsense_is_not_resumed(void **given)
{
    static const struct {
        const char *part, *other, *says;
    } cases[] = {{"\"seed\": \"1\"", "\"seed\": \"-1\"", "'seed'"},
                 {"\"seed\": \"1\"", "\"seed\": \"18446744073709551616\"", "'seed'"},
                 {"\"seed\": \"1\"", "\"seed\": 1", "'seed'"},
                 {"\"games\": 3", "\"games\": -3", "'games'"},
                 {"\"games\": 3", "\"games\": \"3\"", "'games'"}};
    lesson *l = *given;
    char *text = learn(l, 3);

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *made = change(l, text, cases[i].part, cases[i].other);
        fzi_learning y;
        l->text = made;
        l->length = strlen(made);
        assert_int_equal(fzi_learning_resume(&y, &l->setup, "small.eval"), FZ_BAD_INPUT);
        assert_non_null(strstr(fz_context_message(l->rig.context), cases[i].says));
        fzi_learning_clear(&y);
        fz_text_free(l->rig.context, made);
    }
    fz_text_free(l->rig.context, text);
}

/* The same texts with another option are another game. */
static void test_other_games_are_refused(void **given)
{
    lesson *l = *given;
    char *text = learn(l, 3);
    lesson other = {.text = NULL};

    assert_int_equal(open_lesson(&other, "true"), 0);
    assert_int_equal(read_text(&other, text, strlen(text)), FZ_REFUSED);
    rig_clear(&other.rig);
    fz_text_free(l->rig.context, text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moves_are_ranked),
        cmocka_unit_test(test_estimates_are_no_proofs),
        cmocka_unit_test(test_large_boards_have_shorter_lines),
        cmocka_unit_test(test_resumed_is_uninterrupted),
        cmocka_unit_test(test_nonsense_is_not_resumed),
        cmocka_unit_test(test_damage_is_found),
        cmocka_unit_test(test_nonsense_is_refused),
        cmocka_unit_test(test_other_games_are_refused),
    };
    return cmocka_run_group_tests_name("learning", tests, begin, end);
}
