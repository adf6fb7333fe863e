/* What the fuzz targets share; see fuzz.h. */
#include "fuzz.h"
#include "ferz_tools.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char stdlib_dir[4096] = FZ_SOURCE_STDLIB_DIR;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    const char *slash = strrchr((*argv)[0], '/');
    char beside[sizeof stdlib_dir];

    (void)argc;
    setenv("FERZ_ENGINE", "loop", 1); /* native code would be looked for and compiled meanwhile */
    snprintf(beside, sizeof beside, "%.*s/stdlib", slash ? (int)(slash - (*argv)[0]) : 1,
             slash ? (*argv)[0] : ".");
    if (access(beside, R_OK) == 0)
        memcpy(stdlib_dir, beside, sizeof beside);
    return 0;
}

void fuzz_path(char *path, size_t size, const char *name)
{
    snprintf(path, size, "%s/../%s", stdlib_dir, name);
}

enum { MOST_BLOCK = 64 << 20, MOST_TEXTS = 6 };

const fz_limits fuzz_limits = {.instructions = 30000, .frames = 64, .moves = 10000,
                               .memory = 16u << 20, .idle_turns = 100};

bool fuzz_replays = false;

bool fuzz_closely(const uint8_t *data, size_t size, unsigned one_of)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (size_t i = 0; i < size; i++)
        hash = (hash ^ data[i]) * UINT64_C(0x100000001b3);
    return fuzz_replays || (hash >> 32) % one_of == 0;
}

void fuzz_want(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "fuzz: this does not hold: %s\n", what);
    abort();
}

static void *fuzz_resize(void *user, void *ptr, size_t size)
{
    (void)user;
    if (size == 0) {
        free(ptr);
        return NULL;
    }
    return size > MOST_BLOCK ? NULL : realloc(ptr, size);
}

fz_context *fuzz_context(void)
{
    const char *const dirs[] = {stdlib_dir, NULL};
    const fz_config config = {.resize = fuzz_resize, .module_dirs = dirs};
    fz_context *context = fz_context_new(&config);

    fuzz_want(context != NULL, "there is a context");
    return context;
}

/* ---- playing ---- */

typedef struct player {
    fz_context *context;
    fz_machine *machine;
    fz_state *state;
    fz_moves *moves;
    int plies;
    bool strict;
} player;

static void want_same(const char *text, const char *again)
{
    if (strcmp(text, again))
        fprintf(stderr, "%s\n--\n%s\n", text, again);
    fuzz_want(!strcmp(text, again), "and is the same");
}

void fuzz_write_and_read(fz_context *context, fz_machine *machine, const fz_state *state)
{
    char *text = NULL, *again = NULL;
    fz_state *other = fz_state_clone(state);

    if (other && fz_state_write(machine, state, true, &text) == FZ_OK) {
        fz_status status = fz_state_read(machine, other, text);
        if (status != FZ_OK)
            fprintf(stderr, "%s\n%s\n", text, fz_machine_message(machine));
        fuzz_want(status == FZ_OK, "a position that was written can be read");
        fuzz_want(fz_state_write(machine, other, true, &again) == FZ_OK, "and written again");
        /* What the rules end is over when it is read (docs/positions.md). */
        if (fz_state_waiting(other) != FZ_GAME_OVER || fz_state_waiting(state) == FZ_GAME_OVER)
            want_same(text, again);
    }
    fz_text_free(context, text);
    fz_text_free(context, again);
    fz_state_free(other);
}

/* The texts of some of the legal moves, and the way back. */
static void look_at_moves(player *p)
{
    size_t count = fz_moves_count(p->moves), step = count / MOST_TEXTS + 1;
    int from, to;

    for (size_t i = 0; i < count; i += step) {
        fz_move move = fz_moves_at(p->moves, i), found;
        const char *said = fz_move_text(p->machine, p->state, &move);
        char text[256];
        snprintf(text, sizeof text, "%s", said ? said : "");
        fz_move_text_shown(p->machine, p->state, &move);
        fz_move_sites(p->machine, p->state, &move, &from, &to);
        if (!said || strlen(said) >= sizeof text)
            continue;
        fz_status status = fz_move_parse(p->machine, p->state, text, &found);
        if (p->strict && status == FZ_NOT_FOUND) {
            fprintf(stderr, "'%s': %s\n", text, fz_machine_message(p->machine));
            fuzz_want(false, "the text of a legal move is one");
        }
        if (i == 0)
            fz_move_why(p->machine, p->state, text);
    }
}

static void look(player *p)
{
    char *text = NULL;

    if (fz_state_draw(p->machine, p->state, FZ_DRAW_COLOUR, &text) == FZ_OK)
        fz_text_free(p->context, text);
    if (fz_state_draw_for(p->machine, p->state, 0, FZ_DRAW_ASCII, &text) == FZ_OK)
        fz_text_free(p->context, text);
    if (fz_state_write_fen(p->machine, p->state, &text) == FZ_OK)
        fz_text_free(p->context, text);
    if (p->strict)
        fuzz_write_and_read(p->context, p->machine, p->state);
    else if (fz_state_write(p->machine, p->state, true, &text) == FZ_OK) {
        fz_state_read(p->machine, p->state, text);
        fz_text_free(p->context, text);
    }
}

static fz_status resolve_chance(player *p)
{
    const fz_outcome *outcomes;
    size_t count;
    fz_status status = fz_state_outcomes(p->machine, p->state, &outcomes, &count);

    if (status != FZ_OK)
        return status;
    if (p->strict)
        fuzz_want(count > 0, "chance has an outcome");
    int64_t value = count ? outcomes[fz_state_plies(p->state) % count].value : 0;
    fz_chance_text(p->machine, p->state, value);
    return fz_state_set_chance(p->machine, p->state, value);
}

static fz_status one_ply(player *p, int ply)
{
    uint64_t nodes;

    if (fz_state_waiting(p->state) == FZ_WAITING_CHANCE)
        return resolve_chance(p);
    fz_status status = fz_state_moves(p->machine, p->state, p->moves);
    if (status != FZ_OK)
        return status;
    if (p->strict)
        fuzz_want(fz_moves_count(p->moves) > 0, "who decides has a move");
    if (ply % 4 == 0)
        look_at_moves(p);
    if (ply % 8 == 0 && fz_moves_count(p->moves) < 100)
        fz_perft(p->machine, p->state, 2, true, NULL, &nodes);
    return fz_state_play_random(p->machine, p->state);
}

static void play(player *p, fz_chance mode)
{
    fz_status status = FZ_OK;

    fz_machine_set_chance(p->machine, mode);
    p->state = fz_state_new(p->machine, 1, 0);
    for (int ply = 0; p->state && status == FZ_OK && ply < p->plies &&
                      fz_state_waiting(p->state) != FZ_GAME_OVER; ply++) {
        if (ply % 8 == 0)
            look(p);
        status = one_ply(p, ply);
    }
    if (status != FZ_OK || !p->state)
        fuzz_want(*fz_machine_message(p->machine), "a failure is told");
    if (p->state)
        look(p);
    fz_state_free(p->state);
}

void fuzz_play(fz_context *context, fz_program *program, int plies, bool strict)
{
    player p = {.context = context, .machine = fz_machine_new(program, &fuzz_limits),
                .plies = plies, .strict = strict};

    if (p.machine && (p.moves = fz_moves_new(p.machine)) != NULL) {
        play(&p, FZ_CHANCE_SAMPLE);
        play(&p, FZ_CHANCE_ASK);
    }
    fz_moves_free(p.moves);
    fz_machine_free(p.machine);
}

void fuzz_run_tests(fz_context *context, const fz_program *program, const char *bytes, size_t size)
{
    unsigned passed, failed;

    for (uint32_t i = 0; i < program->step_count; i++) {
        const fz_test_step *step = &program->steps[i];
        bool counts = step->op == FZ_TEST_PERFT || step->op == FZ_TEST_PERFT_DECISIONS;
        if (step->op == FZ_TEST_OUTCOMES || (counts && step->a != 1))
            return;
    }
    fz_context_set_limits(context, &fuzz_limits);
    fz_run_tests(context, "fuzz.gamec", bytes, size, NULL, 0, NULL, NULL, NULL, &passed, &failed);
}

/* ---- texts for shipped games ---- */

/* The first byte of an input chooses: '0' is the first. Seeds are for the small ones. These are
 * faster, and together have all that texts can contain: hands, promoted pieces, pits, stacks,
 * cards, dice, hidden pieces, boards without rows. */
static const char *const games[] = {
    "games/chess/chess", "games/race/ur", "games/sow/kalah", "games/draughts/english",
    "games/classic/breakthrough", "games/classic/nine-mens-morris",
    /* small */
    "games/chess/microchess", "games/shogi/dobutsu", "games/sow/awari", "games/classic/achi",
    "games/cards/kuhn", "games/hidden/phantom-tic-tac-toe", "tests/language/stacks",
    "tests/language/die_faces",
};
enum { GAMES = sizeof games / sizeof games[0] };

/* A game waiting for input. Made once each: a target runs thousands of times. */
typedef struct board {
    fz_context *context;
    fz_machine *machine;
    fz_state *states[16]; /* by the number of moves made */
} board;

static void compile(board *b, const char *name)
{
    static const fz_limits limits = {.instructions = 2000000, .memory = 16u << 20};
    fz_program *program = NULL;
    char file[64], path[4200];

    b->context = fuzz_context();
    snprintf(file, sizeof file, "%s.game", name);
    fuzz_path(path, sizeof path, file);
    fz_status status = fz_compile(b->context, path, NULL, 0, NULL, 0, &program, NULL);
    if (status != FZ_OK)
        fprintf(stderr, "%s: %s\n", path, fz_context_message(b->context));
    fuzz_want(status == FZ_OK, "the games compile");
    b->machine = fz_machine_new(program, &limits);
    fuzz_want(b->machine != NULL, "there is a machine");
    fz_program_release(program);
}

static fz_state *state_of(board *b, unsigned plies)
{
    if (!b->states[plies]) {
        fz_state *state = fz_state_new(b->machine, 1, 0);
        fuzz_want(state && (!plies || fz_state_playout(b->machine, state, plies) == FZ_OK),
                  "games go on");
        b->states[plies] = state;
    }
    return b->states[plies];
}

bool fuzz_input_begin(fuzz_input *input, const uint8_t *data, size_t size)
{
    static board boards[GAMES];

    if (size < 2)
        return false;
    unsigned game = (uint8_t)(data[0] - '0') % GAMES;
    board *b = &boards[game];
    if (!b->machine)
        compile(b, games[game]);
    input->context = b->context;
    input->machine = b->machine;
    fz_machine_set_chance(b->machine, FZ_CHANCE_SAMPLE);
    input->state = fz_state_clone(state_of(b, data[1] % 16));
    input->text = malloc(size - 1);
    fuzz_want(input->state && input->text, "there is memory");
    memcpy(input->text, data + 2, size - 2);
    input->text[size - 2] = '\0';
    return true;
}

void fuzz_input_end(fuzz_input *input)
{
    fz_state_free(input->state);
    free(input->text);
}
