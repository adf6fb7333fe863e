/* The game of a file that stands alone, and a small command for it. */
#include "interp/ferz_tools.h"
#include "interp/program/program_file.h"
#include "interp/vm/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

fz_program *fz_game(void)
{
    fz_program *program = NULL;
    fz_context *context = fz_context_new(NULL);
    if (context)
        fzi_gamec_load(context, "", (const char *)game_bytes, sizeof game_bytes, &program);
    fz_context_free(context);
    return program;
}

#ifndef FERZ_NO_MAIN
enum {
    GAME_OK,
    GAME_FAILED,
    GAME_USAGE,
    GAME_MOST_THREADS = 1024,
    GAME_MOST_DEPTH = 1000
};

typedef struct game_words {
    char *command, **rest;
    unsigned count;
    unsigned long long playouts, seed, threads;
    bool decisions;
} game_words;

static int game_usage(const char *name)
{
    fprintf(stderr,
            "usage: %s [-n N] [-s SEED] [-t THREADS] playout\n"
            "       %s [-d] perft DEPTH   (-d: counts decisions, not turns)\n"
            "       %s [-s SEED] moves [MOVE ...]\n",
            name, name, name);
    return GAME_USAGE;
}

static int game_failed(const char *message)
{
    fprintf(stderr, "%s\n", message);
    return GAME_FAILED;
}

/* A number of digits alone, from `least` to `most`. */
static bool game_number(const char *text, unsigned long long least, unsigned long long most,
                        unsigned long long *number)
{
    unsigned long long value = 0;
    for (const char *at = text; *at; at++) {
        unsigned digit = (unsigned)(*at - '0');
        if (*at < '0' || *at > '9' || value > (most - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    *number = value;
    return *text && value >= least;
}

/* False: it says what is wrong. Moves follow `--`, as they may begin with anything. */
static bool game_read(int count, char **arguments, game_words *words)
{
    *words = (game_words){.playouts = 1000, .seed = 1, .threads = 1};
    for (int option; (option = getopt(count, arguments, "n:s:t:d")) != -1;) {
        unsigned long long *number = option == 'n' ? &words->playouts
                                     : option == 's' ? &words->seed
                                                     : &words->threads;
        unsigned long long least = option == 't', most = option == 't' ? GAME_MOST_THREADS
                                                                       : UINT64_MAX;
        words->decisions |= option == 'd';
        if (option == '?')
            return false;
        if (option != 'd' && !game_number(optarg, least, most, number)) {
            fprintf(stderr, "-%c takes a number from %llu to %llu, not '%s'\n", option, least, most,
                    optarg);
            return false;
        }
    }
    words->command = arguments[optind];
    words->rest = words->command ? arguments + optind + 1 : NULL;
    words->count = words->command ? (unsigned)(count - optind - 1) : 0;
    return words->command != NULL;
}

static int game_playouts(const fz_program *game, const game_words *words)
{
    fz_tally t;
    char message[256];
    fz_status status = fz_playouts(game, NULL, words->seed, 0, words->playouts,
                                   (unsigned)words->threads, false, NULL, &t, message);
    printf("playouts %llu\n", (unsigned long long)t.playouts);
    for (int i = 0; i < fz_program_players(game); i++)
        printf("%s won %llu\n", fz_program_player_name(game, i), (unsigned long long)t.wins[i]);
    if (fz_program_has_one_side(game))
        printf("losses %llu\n", (unsigned long long)t.losses);
    if (t.shared)
        printf("shared %llu\n", (unsigned long long)t.shared);
    for (int i = 0; fz_program_has_payoffs(game) && i < fz_program_players(game); i++)
        printf("%s payoff mean %.6f deviation %.6f\n", fz_program_player_name(game, i),
               t.payoff_mean[i], t.payoff_deviation[i]);
    printf("draws %llu\nstopped %llu\nfailed %llu\nplies %llu\nturns %llu\n",
           (unsigned long long)t.draws, (unsigned long long)t.stopped, (unsigned long long)t.failed,
           (unsigned long long)t.plies, (unsigned long long)t.turns);
    printf("length mean %.6f deviation %.6f median %g from %llu to %llu\n", t.mean, t.deviation,
           t.median, (unsigned long long)t.shortest, (unsigned long long)t.longest);
    fprintf(stderr, "%.2f s, %.0f decisions a second\n", t.seconds,
            t.seconds > 0 ? (double)t.plies / t.seconds : 0);
    if (t.failed)
        fprintf(stderr, "in game %llu of seed %llu: ", (unsigned long long)t.failed_stream + 1,
                words->seed);
    return status == FZ_OK ? GAME_OK : game_failed(message);
}

static int game_perft(fz_machine *machine, const fz_state *state, const game_words *words)
{
    unsigned long long depth;
    if (words->count != 1 || !game_number(words->rest[0], 1, GAME_MOST_DEPTH, &depth)) {
        fprintf(stderr, "perft takes one DEPTH from 1 to %d\n", GAME_MOST_DEPTH);
        return GAME_USAGE;
    }
    for (unsigned d = 1; d <= depth; d++) {
        uint64_t nodes;
        if (fz_perft(machine, state, d, words->decisions, NULL, &nodes) != FZ_OK)
            return game_failed(fz_machine_message(machine));
        printf("depth %u: %llu\n", d, (unsigned long long)nodes);
        fflush(stdout);
    }
    return GAME_OK;
}

static int game_list(fz_machine *machine, const fz_state *state)
{
    const fz_program *game = machine->program;
    fz_moves *moves = fz_moves_new(machine);
    if (fz_state_waiting(state) == FZ_GAME_OVER) {
        for (int i = 0; i < fz_program_players(game); i++)
            printf("%s %d\n", fz_program_player_name(game, i), fz_state_rank(state, i));
    } else if (!moves || fz_state_moves(machine, state, moves) != FZ_OK) {
        fz_moves_free(moves);
        return game_failed(fz_machine_message(machine));
    }
    for (size_t i = 0; i < fz_moves_count(moves); i++) {
        fz_move move = fz_moves_at(moves, i);
        printf("%s\n", fz_move_text(machine, state, &move));
    }
    fz_moves_free(moves);
    return GAME_OK;
}

static int game_moves(fz_machine *machine, fz_state *state, const game_words *words)
{
    for (unsigned i = 0; i < words->count; i++) {
        fz_move move;
        if (fz_move_parse(machine, state, words->rest[i], &move) != FZ_OK ||
            fz_state_play(machine, state, &move) != FZ_OK)
            return game_failed(fz_machine_message(machine));
    }
    return game_list(machine, state);
}

static int game_run(const fz_program *game, const game_words *words, const char *name)
{
    fz_machine *machine = fz_machine_new(game, NULL);
    fz_state *state = NULL;
    int code = GAME_FAILED;
    if (!machine)
        return game_failed("out of memory");
    bool perft = strcmp(words->command, "perft") == 0;
    if (perft)
        fz_machine_set_chance(machine, FZ_CHANCE_ASK);
    state = fz_state_new(machine, words->seed, 0);
    if (!state)
        code = game_failed(fz_machine_message(machine));
    else if (perft)
        code = game_perft(machine, state, words);
    else if (strcmp(words->command, "moves") == 0)
        code = game_moves(machine, state, words);
    else
        code = game_usage(name);
    fz_state_free(state);
    fz_machine_free(machine);
    return code;
}

/* A full disk must not look like success. */
static int game_finish(int code)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    fputs("cannot write the output\n", stderr);
    return GAME_USAGE;
}

int main(int count, char **arguments)
{
    game_words words;
    if (!game_read(count, arguments, &words))
        return game_usage(arguments[0]);
    fz_program *game = fz_game();
    if (!game)
        return game_failed("out of memory");
    int code;
    if (strcmp(words.command, "playout") != 0)
        code = game_run(game, &words, arguments[0]);
    else
        code = words.count ? game_usage(arguments[0]) : game_playouts(game, &words);
    fz_program_release(game);
    return game_finish(code);
}
#endif
