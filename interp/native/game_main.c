/* The game of a file that stands alone, and a small command for it. */
#include "interp/ferz_tools.h"
#include "interp/program/program_file.h"
#include "interp/vm/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
typedef struct game_words {
    const char *command, *rest[256];
    unsigned count;
    unsigned long long playouts, seed, threads;
} game_words;

static int game_usage(const char *name)
{
    fprintf(stderr,
            "usage: %s playout [-n N] [--seed N] [--threads N]\n"
            "       %s perft DEPTH [--decisions]\n"
            "       %s moves [--seed N] [MOVE ...]\n",
            name, name, name);
    return 2;
}

static int game_failed(const char *message)
{
    fprintf(stderr, "%s\n", message);
    return 1;
}

/* The number that is an option's argument; false: there is none. */
static bool game_number(char **arguments, int *at, const char *name, unsigned long long *number)
{
    char *end;
    if (strcmp(arguments[*at], name) != 0 || !arguments[*at + 1])
        return false;
    *number = strtoull(arguments[*at + 1], &end, 10);
    (*at)++;
    return *end == '\0';
}

static bool game_read(int count, char **arguments, game_words *words)
{
    *words = (game_words){.playouts = 1000, .seed = 1, .threads = 1};
    for (int i = 1; i < count; i++) {
        if (game_number(arguments, &i, "-n", &words->playouts) ||
            game_number(arguments, &i, "--seed", &words->seed) ||
            game_number(arguments, &i, "--threads", &words->threads))
            continue;
        if (!words->command)
            words->command = arguments[i];
        else if (words->count < sizeof words->rest / sizeof *words->rest)
            words->rest[words->count++] = arguments[i];
    }
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
        printf("%s wins %llu\n", fz_program_player_name(game, i), (unsigned long long)t.wins[i]);
    printf("draws %llu\nstopped %llu\nfailed %llu\nplies %llu\nturns %llu\n",
           (unsigned long long)t.draws, (unsigned long long)t.stopped, (unsigned long long)t.failed,
           (unsigned long long)t.plies, (unsigned long long)t.turns);
    printf("length mean %.6f deviation %.6f median %g from %llu to %llu\n", t.mean, t.deviation, t.median,
           (unsigned long long)t.shortest, (unsigned long long)t.longest);
    fprintf(stderr, "%.2f s, %.0f decisions a second\n", t.seconds,
            t.seconds > 0 ? (double)t.plies / t.seconds : 0);
    return status == FZ_OK ? 0 : game_failed(message);
}

static int game_perft(fz_machine *machine, const fz_state *state, const game_words *words)
{
    bool decisions = words->count == 2 && strcmp(words->rest[1], "--decisions") == 0;
    unsigned depth = words->count ? (unsigned)strtoul(words->rest[0], NULL, 10) : 1;
    for (unsigned d = 1; d <= depth; d++) {
        uint64_t nodes;
        if (fz_perft(machine, state, d, decisions, NULL, &nodes) != FZ_OK)
            return game_failed(fz_machine_message(machine));
        printf("depth %u: %llu\n", d, (unsigned long long)nodes);
    }
    return 0;
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
    return 0;
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
    int code = 1;
    if (!machine)
        return game_failed("memory is short");
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

int main(int count, char **arguments)
{
    game_words words;
    if (!game_read(count, arguments, &words))
        return game_usage(arguments[0]);
    fz_program *game = fz_game();
    if (!game)
        return game_failed("memory is short");
    int code = strcmp(words.command, "playout") == 0 ? game_playouts(game, &words)
                                                     : game_run(game, &words, arguments[0]);
    fz_program_release(game);
    return code;
}
#endif
