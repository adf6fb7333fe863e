/* The differential test: whatever optimisations are switched off, a game is the same. It plays a
 * game with all of them, and writes down at every decision the legal moves in their order and
 * where the one that is drawn leads; then the same game from the same seed without all of them,
 * and without each, and compares word for word.
 *
 *     differential [-n GAMES] [-p PLIES] [-l LISTS] [-m MOST] [-d DEPTH] [-k NUMBER] [--all]
 *                  [--native] GAME [OPTION=VALUE]...
 *
 * GAMES games are played, fewer when they have MOST plies together, and of a long one only the
 * beginning; the first is looked at for PLIES decisions. With -l every other game is looked at, to
 * its end, at one of LISTS decisions: rules about rare positions need many. perft counts up to
 * DEPTH decisions and turns. A program that is the same without an optimisation is not played
 * again, unless the machine plays it in another way. With -k only some are switched off alone,
 * which ones depends on NUMBER; with --all none is. With --native it is native code that plays,
 * without all of them and without those of its own. Prints a line for each: "ok NAME" or "FAIL
 * NAME" with what differs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ferz.h"
#include "interp/program/program.h"

enum { SEED = 11, MOST_OPTIONS = 16, MOST_SHOWN = 2000, COUNTED_MS = 5,
       COUNTED_NODES = 50, /* of a ply that is played */
       LONG_GAME = 2000,
       SHARE = 7 /* one of so many optimisations is switched off alone, with -k */ };

/* By optimisation: whether the machine plays the same program in another way without it. */
static const bool is_played[] = {
#define COMPILED false
#define PLAYED true
#define OPTIMISATION(id, name, part, meaning) [FZ_OPT_##id] = part,
#include "interp/program/optimisations.def"
#undef OPTIMISATION
#undef PLAYED
#undef COMPILED
};

/* What was seen, an event after the other. */
typedef struct log {
    char **events;
    size_t count, capacity;
} log;

typedef struct test {
    const char *path;
    fz_setting settings[MOST_OPTIONS];
    size_t setting_count;
    unsigned games, plies, lists, most;
    uint64_t played;           /* plies of all games, in one run */
    unsigned decisions, turns; /* depths that are counted */
    unsigned number; /* of -k, and 1; 0: each optimisation is switched off alone */
    bool native, only_all;
    const char *without;     /* of the run at hand; "": nothing */
    log *expected;           /* NULL: this run is what others are compared with */
    log *seen;
    char *program; /* the saved program with all optimisations */
    size_t program_size;
    bool failed;
} test;

static void *must(void *memory)
{
    if (!memory) {
        fputs("differential: out of memory\n", stderr);
        exit(2);
    }
    return memory;
}

static void fail(test *t, const char *what, const char *more)
{
    if (!t->failed)
        printf("FAIL %s\n%s %.*s\n", *t->without ? t->without : "none", what, MOST_SHOWN, more);
    t->failed = true;
}

/* Takes the text; it is the next event, or compared with it. */
static void see(test *t, char *event)
{
    log *seen = t->seen;
    if (seen->count == seen->capacity) {
        seen->capacity = seen->capacity ? seen->capacity * 2 : 1024;
        seen->events = must(realloc(seen->events, seen->capacity * sizeof *seen->events));
    }
    size_t n = seen->count++;
    seen->events[n] = event;
    const char *expected = !t->expected              ? event
                           : n < t->expected->count ? t->expected->events[n]
                                                     : "nothing more";
    if (strcmp(event, expected) != 0) {
        fail(t, "expected:", expected);
        printf("got: %.*s\n", MOST_SHOWN, event);
    }
}

static void forget(log *l)
{
    for (size_t i = 0; i < l->count; i++)
        free(l->events[i]);
    free(l->events);
    *l = (log){0};
}

/* ---- what there is to see ---- */

typedef struct text {
    char *bytes;
    size_t length, capacity;
} text;

static void add(text *to, const char *what)
{
    size_t length = strlen(what);
    if (to->length + length + 1 > to->capacity) {
        to->capacity = (to->length + length + 1) * 2;
        to->bytes = must(realloc(to->bytes, to->capacity));
    }
    memcpy(to->bytes + to->length, what, length + 1);
    to->length += length;
}

static void add_number(text *to, const char *name, uint64_t number)
{
    char word[64];
    snprintf(word, sizeof word, "%s %llu ", name, (unsigned long long)number);
    add(to, word);
}

/* The legal moves, in their order. */
static void see_moves(test *t, fz_machine *machine, const fz_state *state, fz_moves *moves)
{
    text list = {0};
    if (fz_state_moves(machine, state, moves) != FZ_OK)
        fail(t, "no list of moves:", fz_machine_message(machine));
    add_number(&list, "moves", fz_moves_count(moves));
    for (size_t i = 0; i < fz_moves_count(moves) && !t->failed; i++) {
        const fz_move move = fz_moves_at(moves, i);
        add(&list, fz_move_text(machine, state, &move));
        add(&list, ", ");
    }
    see(t, list.bytes);
}

/* A position names the latest move if some rule may ask for it, and without optimisations more may
 * be thought to. */
static void drop_latest(char *position)
{
    static const char word[] = "\nlast: ";
    char *line = strstr(position, word), *end = line ? strchr(line + 1, '\n') : NULL;
    if (end)
        memmove(line, end, strlen(end) + 1);
}

/* Where it stands, and how it ended. */
static void see_state(test *t, fz_context *context, const fz_program *program, fz_machine *machine,
                      const fz_state *state)
{
    text now = {0};
    char *position = NULL;
    if (fz_state_write(machine, state, false, &position) == FZ_OK) {
        drop_latest(position);
        add(&now, position);
    } else {
        fail(t, "no position:", fz_machine_message(machine));
    }
    fz_text_free(context, position);
    add_number(&now, "plies", fz_state_plies(state));
    add_number(&now, "turns", fz_state_turns(state));
    add_number(&now, "stopped", fz_state_stopped(state));
    for (int i = 0; fz_state_waiting(state) == FZ_GAME_OVER && i < fz_program_players(program); i++)
        add_number(&now, "rank", (uint64_t)fz_state_rank(state, i));
    see(t, now.bytes);
}

static void play_game(test *t, fz_context *context, const fz_program *program, fz_machine *machine,
                      unsigned game)
{
    fz_moves *moves = must(fz_moves_new(machine));
    fz_state *state = fz_state_new(machine, SEED, game);
    if (!state)
        fail(t, "no beginning:", fz_machine_message(machine));
    const bool is_other = game % 2 && t->lists;
    for (unsigned i = 0; !t->failed && i < (is_other ? LONG_GAME : game ? 0 : t->plies) &&
                         fz_state_waiting(state) == FZ_WAITING_MOVE;
         i++) {
        if (!is_other || (i + game) % t->lists == 0)
            see_moves(t, machine, state, moves);
        if (t->failed)
            break;
        if (fz_state_play_random(machine, state) != FZ_OK)
            fail(t, "no move:", fz_machine_message(machine));
        if (!is_other)
            see_state(t, context, program, machine, state);
    }
    const unsigned plies = t->most < LONG_GAME ? t->most : LONG_GAME;
    if (!t->failed && fz_state_playout(machine, state, plies) != FZ_OK)
        fail(t, "no end:", fz_machine_message(machine));
    if (!t->failed)
        see_state(t, context, program, machine, state);
    t->played += state ? fz_state_plies(state) : 0;
    fz_state_free(state);
    fz_moves_free(moves);
}

static bool is_late(void *user, uint64_t done, uint64_t total)
{
    (void)done;
    (void)total;
    return clock() > *(const clock_t *)user;
}

/* What takes long with all optimisations is counted by none, nor what they count fast and others
 * would count one by one. */
static void count(test *t, fz_machine *machine, bool decisions, unsigned *depths)
{
    fz_state *state = fz_state_new(machine, SEED, 0);
    for (unsigned depth = 1; state && depth <= *depths && !t->failed; depth++) {
        text counted = {0};
        uint64_t nodes = 0;
        clock_t until = clock() + CLOCKS_PER_SEC * COUNTED_MS / 1000;
        const fz_watch watch = {is_late, &until};
        fz_status status =
            fz_perft(machine, state, depth, decisions, t->expected ? NULL : &watch, &nodes);
        if (!t->expected && (clock() > until || nodes > (uint64_t)t->most * COUNTED_NODES)) {
            *depths = depth - 1;
            break;
        }
        add_number(&counted, "depth", depth);
        add_number(&counted, "status", status); /* some have too many throws to follow */
        add_number(&counted, "nodes", status == FZ_OK ? nodes : 0);
        see(t, counted.bytes);
    }
    fz_state_free(state);
}

/* ---- runs ---- */

static fz_program *compiled(test *t, fz_context *context, bool native)
{
    fz_program *program = NULL;
    fz_report *report = NULL;
    if (fz_context_disable_optimisations(context, t->without) != FZ_OK ||
        fz_compile(context, t->path, NULL, 0, t->settings, t->setting_count, &program, &report) !=
            FZ_OK)
        fail(t, fz_context_message(context), report ? fz_report_text(report, FZ_TEXT) : "");
    else if (fz_program_set_engine(context, program,
                                   native ? FZ_ENGINE_NATIVE : FZ_ENGINE_LOOP) != FZ_OK)
        fail(t, "no native code:", fz_context_message(context));
    fz_report_free(report);
    return program;
}

/* The program as it is saved, but for the note of what it was made without. */
static void save(test *t, fz_context *context, const fz_program *program, char **bytes,
                 size_t *size)
{
    fz_program plain = *program;
    plain.without = 0;
    if (fz_program_save(context, &plain, bytes, size) != FZ_OK)
        fail(t, "not saved:", fz_context_message(context));
}

/* Whether the program is, without the optimisation, the same and played in the same way. The layout
 * of states asks for EMPTY; LIVE is about native code. */
static bool is_same(test *t, unsigned optimisation)
{
    bool other_way = optimisation == FZ_OPT_EMPTY ||
                     (is_played[optimisation] && optimisation != FZ_OPT_LIVE);
    fz_context *context = must(fz_context_new(NULL));
    char *bytes = NULL;
    size_t size = 0;
    t->without = fz_optimisation_name(optimisation);
    t->failed = false;
    fz_program *program = other_way ? NULL : compiled(t, context, false);
    if (program)
        save(t, context, program, &bytes, &size);
    bool same = !t->failed && bytes && size == t->program_size &&
                memcmp(bytes, t->program, size) == 0;
    fz_text_free(context, bytes);
    fz_program_release(program);
    fz_context_free(context);
    return same;
}

static void run(test *t, const char *without, bool native)
{
    log seen = {0};
    fz_context *context = must(fz_context_new(NULL));
    t->without = without;
    t->failed = false;
    t->seen = t->expected ? &seen : t->seen;
    fz_program *program = compiled(t, context, native);
    /* Without optimisations a decision of some games takes more than is allowed. */
    const fz_limits limits = {.instructions = UINT64_C(10000000000)};
    fz_machine *machine = t->failed ? NULL : must(fz_machine_new(program, &limits));
    if (!t->expected && !t->failed) {
        char *bytes = NULL;
        save(t, context, program, &bytes, &t->program_size);
        if (bytes)
            t->program = memcpy(must(malloc(t->program_size)), bytes, t->program_size);
        fz_text_free(context, bytes);
    }
    t->played = 0;
    for (unsigned game = 0; game < t->games && !t->failed; game++) {
        play_game(t, context, program, machine, game);
        if (!t->expected && t->played >= t->most)
            t->games = game + 1; /* other runs play as many */
    }
    if (!t->failed)
        count(t, machine, true, &t->decisions);
    if (!t->failed)
        count(t, machine, false, &t->turns);
    if (t->expected && !t->failed && seen.count != t->expected->count)
        fail(t, "it ends too early", "");
    if (t->expected && !t->failed)
        printf("ok %s%s\n", native ? "native " : "", *without ? without : "none");
    forget(&seen);
    fz_machine_free(machine);
    fz_program_release(program);
    fz_context_free(context);
}

static bool run_all(test *t)
{
    log expected = {0};
    bool good = true;
    t->seen = &expected;
    run(t, "", false);
    good &= !t->failed;
    t->expected = &expected;
    if (t->native) {
        static const char *const natively[] = {"all", "live,processor"};
        for (unsigned i = 0; good && i < sizeof natively / sizeof *natively; i++) {
            run(t, natively[i], true);
            good &= !t->failed;
        }
    } else if (good) {
        run(t, "all", false);
        good &= !t->failed;
        for (unsigned i = 0; !t->only_all && fz_optimisation_name(i); i++) {
            if (t->number && i % SHARE != (t->number - 1) % SHARE)
                continue;
            if (is_same(t, i))
                printf("ok %s: the same program\n", fz_optimisation_name(i));
            else
                run(t, fz_optimisation_name(i), false);
            good &= !t->failed;
        }
    }
    forget(&expected);
    free(t->program);
    return good;
}

static bool read_words(test *t, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        char *equals = strchr(argv[i], '=');
        unsigned *number = strcmp(argv[i], "-n") == 0   ? &t->games
                           : strcmp(argv[i], "-p") == 0 ? &t->plies
                           : strcmp(argv[i], "-l") == 0 ? &t->lists
                           : strcmp(argv[i], "-m") == 0 ? &t->most
                           : strcmp(argv[i], "-k") == 0 ? &t->number
                           : strcmp(argv[i], "-d") == 0 ? &t->decisions
                                                        : NULL;
        if (strcmp(argv[i], "--native") == 0)
            t->native = true;
        else if (strcmp(argv[i], "--all") == 0)
            t->only_all = true;
        else if (number && i + 1 < argc)
            *number = (unsigned)strtoul(argv[++i], NULL, 10) + (number == &t->number);
        else if (!number && !t->path)
            t->path = argv[i];
        else if (equals && t->setting_count < MOST_OPTIONS) {
            *equals = '\0';
            t->settings[t->setting_count++] = (fz_setting){argv[i], equals + 1};
        } else
            return false;
    }
    t->turns = t->decisions;
    return t->path;
}

int main(int argc, char **argv)
{
    test t = {.games = 10, .plies = 60, .most = 5000, .decisions = 2};
    if (!read_words(&t, argc, argv)) {
        fputs("usage: differential [-n GAMES] [-p PLIES] [-l LISTS] [-m MOST] [-d DEPTH] "
              "[-k NUMBER] [--all] [--native] GAME [OPTION=VALUE]...\n",
              stderr);
        return 2;
    }
    return run_all(&t) ? 0 : 1;
}
