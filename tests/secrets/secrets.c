/* Two states that differ only in what a player may not see give that player identical text
 * everywhere.
 *
 *     secrets [--any] [--long] GAME
 *
 * Plays random games. At some positions, for each player, it draws a state that the player cannot
 * tell from the true one (text/determinize.h) and compares what the library and the commands show
 * the player of both, for 0.3 seconds at most, with --long for ten. Shown values that a player
 * knows must be true. Prints how often the two differed in fact: a game with secrets in which they
 * never did hides nothing, which is a failure without --any. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ferz.h"
#include "ferz_tools.h"
#include "interp/picture/compose.h"
#include "interp/support/chance.h"
#include "interp/text/determinize.h"

enum { GAMES = 12, STEPS = 14, TRIES = 20, MOST_WHY = 6, TENTHS = 3, LONG_TENTHS = 100 };

typedef struct test {
    fz_context *context;
    fz_program *program, *explaining;
    fz_machine *machine;
    fz_move_trace *stories[16];     /* of each player */
    unsigned compared, different;
    bool any, lasting, failed;
    char number[32];
} test;

/* Both texts are freed. */
static void same(test *t, const char *what, char *a, char *b)
{
    if (!a || !b || strcmp(a, b) != 0) {
        printf("FAIL %s differs:\n%s\nand:\n%s\n", what, a ? a : "nothing", b ? b : "nothing");
        t->failed = true;
    }
    fz_text_free(t->context, a);
    fz_text_free(t->context, b);
}

static void compare_draws(test *t, const fz_state *a, const fz_state *b, int player)
{
    for (unsigned style = 0; style < 4 && !t->failed; style++) {
        char *x = NULL, *y = NULL;
        fz_state_draw_for(t->machine, a, player, style, &x);
        fz_state_draw_for(t->machine, b, player, style, &y);
        same(t, "drawing", x, y);
    }
}

/* The scene is all that painters know. */
static char *scene_text(test *t, const fz_state *state, int player)
{
    fzi_picture_task task = {.player = player, .from = -1};
    fzi_scene scene;
    char *text = NULL;

    task.moves = fz_state_waiting(state) == FZ_WAITING_MOVE && fz_state_decider(state) == player;
    fz_status status = fzi_picture_compose(t->machine, state, &task, &scene);
    fzi_buffer out = fzi_buffer_in(scene.allocator);
    if (status == FZ_OK)
        fzi_scene_svg(&scene, FZI_THEME_wood, 48, &out);
    fzi_scene_clear(&scene);
    fzi_buffer_finish(&out, &text);
    return text;
}

static void compare_positions(test *t, const fz_state *a, const fz_state *b, int player)
{
    char *x = NULL, *y = NULL;
    fz_state_write_for(t->machine, a, player, &x);
    fz_state_write_for(t->machine, b, player, &y);
    same(t, "position", x, y);
    x = y = NULL;
    fz_state_observation(t->machine, a, player, &x);
    fz_state_observation(t->machine, b, player, &y);
    same(t, "observation", x, y);
    x = y = NULL;
    fz_state_json(t->machine, a, player, true, &x);
    fz_state_json(t->machine, b, player, true, &y);
    same(t, "data", x, y);
}

/* The end of a JSON value: of a text, a number or word, or a list or object. */
static const char *value_end(const char *at)
{
    int depth = 0;
    do {
        if (*at == '"')
            for (at++; *at && *at != '"'; at++)
                at += *at == '\\';
        depth += (*at == '[' || *at == '{') - (*at == ']' || *at == '}');
        at += *at != '\0';
    } while (*at && (depth > 0 || !strchr(",]}", *at)));
    return at;
}

/* Are the shown values as the player knows them true, where they are known? */
static bool is_true(const char *known, const char *truth)
{
    while (*known && *truth && !(known[0] == '}' && truth[0] == '}')) {
        if (strncmp(known, "\"?\"", 3) == 0) {
            known += 3;
            truth = value_end(truth);
        } else if (*known++ != *truth++) {
            return false;
        }
    }
    return true;
}

/* What the mover takes for known is what the rules compute, for whom `me` is the mover. Invisible
 * pieces are left out of it, so that their sites look empty. */
static void check_truth(test *t, const fz_state *state, int player)
{
    char *known = NULL, *truth = NULL;
    if (t->program->invisible >= 0 || fz_state_mover(state) != player)
        return;
    fz_state_json(t->machine, state, player, false, &known);
    fz_state_json(t->machine, state, -1, false, &truth);
    const char *a = known ? strstr(known, "\"shown\": {") : NULL;
    const char *b = truth ? strstr(truth, "\"shown\": {") : NULL;
    if (!a || !b || !is_true(a, b)) {
        printf("FAIL player %d takes for known what is not so:\n%s\nand:\n%s\n", player,
               a ? a : "nothing", b ? b : "nothing");
        t->failed = true;
    }
    fz_text_free(t->context, known);
    fz_text_free(t->context, truth);
}

/* The sizes of the two blocks of fz_state_observe. */
static void block_sizes(const fz_program *program, size_t *planes, size_t *values)
{
    fz_feature feature;
    *planes = *values = 0;
    for (unsigned i = 0; fz_program_feature(program, i, &feature); i++)
        *(feature.is_planes ? planes : values) += feature.rows * feature.columns;
    *planes *= (size_t)fz_program_sites(program);
}

/* Where two blocks of numbers differ first. */
static void tell_feature(const fz_program *program, bool is_planes, size_t number)
{
    fz_feature f;
    for (unsigned i = 0; fz_program_feature(program, i, &f); i++)
        if (f.is_planes == is_planes && number >= f.first &&
            number < f.first + f.rows * f.columns)
            printf("FAIL the feature %s differs at %zu\n", f.name, number - f.first);
}

/* What the player sees, as numbers, in memory that holds something else before. */
static void compare_numbers(test *t, const fz_state *a, const fz_state *b, int player, bool own)
{
    size_t plane_bytes, count;
    block_sizes(t->program, &plane_bytes, &count);
    uint8_t *planes = malloc(2 * plane_bytes + 1);
    int32_t *values = malloc(2 * count * sizeof *values);
    if (!planes || !values)
        exit(2);
    for (size_t i = 0; i < 2 * plane_bytes; i++)
        planes[i] = (uint8_t)(7 + i / (plane_bytes ? plane_bytes : 1));
    for (size_t i = 0; i < 2 * count; i++)
        values[i] = (int32_t)(7 + i / count);
    if (fz_state_observe(t->machine, a, player, own, planes, values) != FZ_OK ||
        fz_state_observe(t->machine, b, player, own, planes + plane_bytes, values + count) !=
            FZ_OK) {
        printf("FAIL no observation: %s\n", fz_machine_message(t->machine));
        t->failed = true;
    }
    for (size_t i = 0; i < plane_bytes && !t->failed; i++)
        if (planes[i] != planes[plane_bytes + i]) {
            tell_feature(t->program, true, i / (size_t)fz_program_sites(t->program));
            t->failed = true;
        }
    for (size_t i = 0; i < count && !t->failed; i++)
        if (values[i] != values[count + i]) {
            tell_feature(t->program, false, i);
            t->failed = true;
        }
    free(planes);
    free(values);
}

static char *copied(const char *text)
{
    char *copy = malloc(strlen(text) + 1);
    if (!copy)
        exit(2);
    return strcpy(copy, text);
}

static char *joined(char *list, const char *text)
{
    size_t used = list ? strlen(list) : 0, size = used + strlen(text) + 3;
    list = realloc(list, size);
    if (!list)
        exit(2);
    snprintf(list + used, size - used, "%s%s", used ? ", " : "", text);
    return list;
}

static const char *number_text(test *t, const fz_state *state, const fz_move *move)
{
    (void)state;
    snprintf(t->number, sizeof t->number, "%lld", (long long)fz_move_action(t->program, move));
    return t->number;
}

static const char *move_text(test *t, const fz_state *state, const fz_move *move)
{
    return fz_move_text(t->machine, state, move);
}

/* The legal moves as one text; the player decides. */
static char *moves_of(test *t, const fz_state *state,
                      const char *(*text_of)(test *t, const fz_state *state, const fz_move *move))
{
    fz_moves *moves = fz_moves_new(t->machine);
    char *list = copied("");
    if (moves && fz_state_moves(t->machine, state, moves) == FZ_OK)
        for (size_t i = 0; i < fz_moves_count(moves); i++) {
            const fz_move move = fz_moves_at(moves, i);
            list = joined(list, text_of(t, state, &move));
        }
    fz_moves_free(moves);
    return list;
}

/* What `why` says of the move, from what the player knows. */
static char *why(test *t, const fz_state *state, int player, const char *text)
{
    fz_program *explaining = t->compared % 8 == 1 ? t->explaining : NULL;
    return copied(fz_move_why_with(t->machine, state, player, explaining, text));
}

/* A copy of what the player knows, as a text, if that can be written. */
static char *known_text(test *t, const fz_state *state, int player)
{
    fz_state *known = fz_state_clone_for(t->machine, state, player);
    char *written = NULL;

    if (known && fz_state_write(t->machine, known, true, &written) != FZ_OK)
        written = NULL;
    char *text = copied(written ? written : "");
    fz_text_free(t->context, written);
    fz_state_free(known);
    return text;
}

static void compare_texts(test *t, const char *what, char *a, char *b)
{
    if (strcmp(a, b) != 0) {
        printf("FAIL %s differs:\n%s\nand:\n%s\n", what, a, b);
        t->failed = true;
    }
    free(a);
    free(b);
}

/* What the player may choose, why, and what the trace tells of it. */
static void compare_choices(test *t, const fz_state *a, const fz_state *b, int player)
{
    compare_texts(t, "list of moves", moves_of(t, a, move_text), moves_of(t, b, move_text));
    compare_texts(t, "list of actions", moves_of(t, a, number_text),
                  moves_of(t, b, number_text));
    compare_texts(t, "why", why(t, a, player, "no such move"), why(t, b, player, "no such move"));
    fz_moves *moves = fz_moves_new(t->machine);
    size_t count = moves && fz_state_moves(t->machine, a, moves) == FZ_OK ? fz_moves_count(moves)
                                                                          : 0;
    for (size_t i = 0; i < count && i < MOST_WHY && !t->failed; i++) {
        const fz_move move = fz_moves_at(moves, i);
        char *text = copied(fz_move_text(t->machine, a, &move));
        compare_texts(t, "why", why(t, a, player, text), why(t, b, player, text));
        free(text);
    }
    fz_moves_free(moves);
}

/* What happens now may depend on the secret; where nothing that the player sees does, the traces
 * are the same. */
static void compare_traces(test *t, const fz_state *a, const fz_state *b, int player)
{
    fz_moves *moves = fz_moves_new(t->machine);
    fz_move move;
    char *x = NULL, *y = NULL;
    fz_state *c = fz_state_clone(a), *d = fz_state_clone(b);
    if (moves && c && d && fz_state_moves(t->machine, a, moves) == FZ_OK &&
        fz_moves_count(moves)) {
        move = fz_moves_at(moves, 0);
        if (fz_state_play(t->machine, c, &move) == FZ_OK &&
            fz_state_play(t->machine, d, &move) == FZ_OK &&
            fz_state_write_for(t->machine, c, player, &x) == FZ_OK &&
            fz_state_write_for(t->machine, d, player, &y) == FZ_OK && strcmp(x, y) == 0) {
            char *told = copied(fz_move_trace_tell(t->stories[player], a, &move, 0));
            compare_texts(t, "trace", told,
                          copied(fz_move_trace_tell(t->stories[player], b, &move, 0)));
        }
    }
    fz_text_free(t->context, x);
    fz_text_free(t->context, y);
    fz_state_free(c);
    fz_state_free(d);
    fz_moves_free(moves);
}

/* The number of the move that the agent advises; "": it cannot play this game. */
static char *hint(test *t, const fz_state *state, const char *description)
{
    fz_agent *agent = NULL;
    fz_move move;
    const char *text = "";

    if (fz_agent_new(t->context, t->program, description, &agent) == FZ_OK) {
        fz_agent_begin(agent, 5, 1);
        text = fz_agent_choose(agent, state, &move) == FZ_OK ? number_text(t, state, &move)
                                                             : fz_agent_message(agent);
    }
    text = copied(text);
    fz_agent_free(agent);
    return (char *)text;
}

static void compare_hints(test *t, const fz_state *a, const fz_state *b)
{
    static const char *const advisers[] = {"random", "flat:6", "mcts:12"};

    for (size_t i = 0; i < sizeof advisers / sizeof *advisers && !t->failed; i++)
        compare_texts(t, "hint", hint(t, a, advisers[i]), hint(t, b, advisers[i]));
}

/* Who sees an awaited roll, and its text for the player. */
static void compare_chance(test *t, const fz_state *a, const fz_state *b, int player)
{
    const fz_outcome *outcomes;
    size_t count;

    if (fz_state_sees_chance(a, player) != fz_state_sees_chance(b, player)) {
        printf("FAIL who sees the roll depends on what is hidden\n");
        t->failed = true;
    } else if (fz_state_outcomes(t->machine, a, &outcomes, &count) == FZ_OK && count) {
        int64_t value = outcomes[0].value;
        char *text = copied(fz_chance_text_for(t->machine, a, value, player));
        compare_texts(t, "chance", text,
                      copied(fz_chance_text_for(t->machine, b, value, player)));
    }
}

static void compare(test *t, const fz_state *a, const fz_state *b, int player)
{
    char *x = NULL, *y = NULL;
    if (fz_state_write(t->machine, a, false, &x) == FZ_OK &&
        fz_state_write(t->machine, b, false, &y) == FZ_OK && strcmp(x, y) != 0)
        t->different++;
    fz_text_free(t->context, x);
    fz_text_free(t->context, y);
    t->compared++;
    compare_draws(t, a, b, player);
    same(t, "picture", scene_text(t, a, player), scene_text(t, b, player));
    compare_positions(t, a, b, player);
    check_truth(t, a, player);
    compare_texts(t, "known position", known_text(t, a, player), known_text(t, b, player));
    for (unsigned own = 0; own < 2 && !t->failed; own++)
        compare_numbers(t, a, b, player, own);
    if (fz_state_waiting(a) == FZ_WAITING_MOVE && fz_state_decider(a) == player) {
        compare_choices(t, a, b, player);
        compare_traces(t, a, b, player);
        if (t->compared % 4 == 1)
            compare_hints(t, a, b);
    }
    if (fz_state_waiting(a) == FZ_WAITING_CHANCE && fz_state_waiting(b) == FZ_WAITING_CHANCE)
        compare_chance(t, a, b, player);
}

static bool is_late(const test *t)
{
    return t->different && clock() > (t->lasting ? LONG_TENTHS : TENTHS) * CLOCKS_PER_SEC / 10;
}

/* A state that looks the same to the player; NULL: none was found. */
static fz_state *draw_world(fz_machine *machine, const fz_state *state, int player, uint64_t seed)
{
    fz_state *world = NULL;
    fzi_worlds w;

    fzi_worlds_init(&w, machine);
    w.key = fzi_chance_key(seed, 0);
    if (fzi_worlds_look(&w, state, player) == FZ_OK)
        fzi_worlds_draw(&w, NULL, TRIES, &world);
    fzi_worlds_free(&w);
    return world;
}

/* In each second game chance is asked for, as in `play`. */
static void go_on(test *t, fz_state *state, unsigned moves)
{
    int64_t value;

    if (fz_state_waiting(state) == FZ_WAITING_CHANCE)
        fz_state_sample_chance(t->machine, state, &value);
    else
        while (moves-- && fz_state_waiting(state) == FZ_WAITING_MOVE)
            if (fz_state_play_random(t->machine, state) != FZ_OK)
                break;
}

static void play_game(test *t, unsigned game)
{
    fz_machine_set_chance(t->machine, game % 2 ? FZ_CHANCE_ASK : FZ_CHANCE_SAMPLE);
    fz_state *state = fz_record_begin(t->machine, 7, game);
    int players = fz_program_players(t->program);
    for (unsigned i = 0; state && i < STEPS && !t->failed && !is_late(t); i++) {
        for (int p = 0; p < players && !t->failed; p++) {
            fz_state *other = draw_world(t->machine, state, p, game * STEPS + i);
            if (other)
                compare(t, state, other, p);
            fz_state_free(other);
        }
        if (fz_state_waiting(state) == FZ_GAME_OVER)
            break;
        go_on(t, state, 1 + (game + i) % 3);
    }
    if (!state) {
        printf("FAIL no beginning: %s\n", fz_machine_message(t->machine));
        t->failed = true;
    }
    fz_state_free(state);
}

static int run(test *t, const char *path)
{
    fz_report *report = NULL;
    if (fz_compile(t->context, path, NULL, 0, NULL, 0, &t->program, &report) != FZ_OK) {
        printf("FAIL %s\n", report ? fz_report_text(report, FZ_TEXT) : "no memory");
        return 1;
    }
    fz_report_free(report);
    if (!fz_program_hides(t->program)) {
        puts("ok, nothing is hidden");
        return 0;
    }
    t->machine = fz_machine_new(t->program, NULL);
    fz_compile_explaining(t->context, path, NULL, 0, &t->explaining);
    for (int p = 0; p < fz_program_players(t->program); p++)
        t->stories[p] = fz_move_trace_new(t->program, NULL, p);
    for (unsigned game = 0; game < GAMES && !t->failed; game++)
        play_game(t, game);
    if (!t->failed && !t->different && !t->any) {
        printf("FAIL %u states compared, and none differed\n", t->compared);
        t->failed = true;
    }
    if (!t->failed)
        printf("ok, %u states compared, %u of them other ones\n", t->compared, t->different);
    return t->failed;
}

int main(int argc, char **argv)
{
    test t = {0};
    for (int i = 1; i < argc - 1; i++) {
        t.any |= strcmp(argv[i], "--any") == 0;
        t.lasting |= strcmp(argv[i], "--long") == 0;
    }
    if (argc != 2 + t.any + t.lasting) {
        fputs("usage: secrets [--any] [--long] GAME\n", stderr);
        return 2;
    }
    t.context = fz_context_new(NULL);
    int code = t.context ? run(&t, argv[argc - 1]) : 2;
    for (int p = 0; p < 16; p++)
        fz_move_trace_free(t.stories[p]);
    if (t.machine)
        fz_machine_free(t.machine);
    if (t.program)
        fz_program_release(t.program);
    if (t.explaining)
        fz_program_release(t.explaining);
    if (t.context)
        fz_context_free(t.context);
    return code;
}
