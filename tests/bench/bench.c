/* ferz-bench-ref: runs one hand-written reference for some seconds and prints one line of
 * figures.
 *
 *   ferz-bench-ref GAME [SECONDS [SEED]]      playouts for about so long (1 second, seed 1)
 *   ferz-bench-ref --playouts N GAME [SEED]   exactly N playouts
 *   ferz-bench-ref --perft N GAME             sequences of 1 .. N plies, one line each
 *   ferz-bench-ref --list                     the games
 *
 * The line, tab separated: game, playouts, plies, seconds, playouts/s, plies/s, ns per ply, mean
 * length, share won by the first player, by the second, share drawn, standard deviation of the
 * length. */
#define _POSIX_C_SOURCE 200809L
#include "bench.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const bench_game games[] = {
#define REF(id, name, title) {name, title, bench_##id##_playouts, bench_##id##_perft},
#include "refs.def"
#undef REF
};
enum { GAMES = sizeof games / sizeof *games };

void bench_rays_init(bench_rays *rays)
{
    static const int8_t dx[BENCH_RAYS] = {1, -1, 0, 1, -1, 0, 1, -1};
    static const int8_t dy[BENCH_RAYS] = {0, 1, 1, 1, -1, -1, -1, 0};
    for (int site = 0; site < 64; site++)
        for (int d = 0; d < BENCH_RAYS; d++) {
            uint64_t ray = 0;
            int x = site % 8 + dx[d], y = site / 8 + dy[d];
            for (; x >= 0 && x < 8 && y >= 0 && y < 8; x += dx[d], y += dy[d])
                ray |= (uint64_t)1 << (8 * y + x);
            rays->from[site][d] = ray;
        }
}

/* In seconds of the processor: other programs may run beside this one. */
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void print_figures(const bench_game *game, const bench_tally *tally, double seconds)
{
    double playouts = (double)tally->playouts, plies = (double)tally->plies;
    double mean = plies / playouts;
    double variance = (double)tally->plies_squared / playouts - mean * mean;
    printf("%s\t%" PRIu64 "\t%" PRIu64 "\t%.6f\t%.1f\t%.1f\t%.3f\t%.4f\t%.6f\t%.6f\t%.6f\t%.4f\n",
           game->name, tally->playouts, tally->plies, seconds, playouts / seconds, plies / seconds,
           1e9 * seconds / plies, mean, (double)tally->results[BENCH_FIRST] / playouts,
           (double)tally->results[BENCH_SECOND] / playouts,
           (double)tally->results[BENCH_DRAW] / playouts, sqrt(variance > 0 ? variance : 0));
}

/* Batches grow until one takes long enough for the clock's own cost to vanish. */
static void run_for(const bench_game *game, double seconds, bench_rng *rng)
{
    bench_tally tally = {0};
    uint64_t batch = 64;
    double start = now(), last = start, stop = start + seconds;
    do {
        game->playouts(rng, batch, &tally);
        double time = now();
        if (time - last < 0.01)
            batch *= 2;
        last = time;
    } while (last < stop);
    print_figures(game, &tally, last - start);
}

static void run_count(const bench_game *game, uint64_t count, bench_rng *rng)
{
    bench_tally tally = {0};
    double start = now();
    game->playouts(rng, count, &tally);
    print_figures(game, &tally, now() - start);
}

static int usage(void)
{
    fputs("usage: ferz-bench-ref GAME [SECONDS [SEED]]\n"
          "       ferz-bench-ref --playouts N GAME [SEED]\n"
          "       ferz-bench-ref --perft N GAME\n"
          "       ferz-bench-ref --list\n", stderr);
    return 2;
}

static const bench_game *find_game(const char *name)
{
    for (int i = 0; i < GAMES; i++)
        if (strcmp(games[i].name, name) == 0)
            return &games[i];
    fprintf(stderr, "ferz-bench-ref: no game '%s'; --list names them\n", name);
    return NULL;
}

/* The whole text as a number that is at least 0, or -1. */
static double number(const char *text)
{
    char *end;
    double value = strtod(text, &end);
    return end == text || *end || !(value >= 0) ? -1 : value;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--list") == 0) {
        for (int i = 0; i < GAMES; i++)
            printf("%s\t%s\n", games[i].name, games[i].title);
        return 0;
    }
    bool perft = argc > 2 && strcmp(argv[1], "--perft") == 0;
    bool counted = argc > 2 && strcmp(argv[1], "--playouts") == 0;
    double value = perft || counted ? number(argv[2]) : 1;
    int at = perft || counted ? 3 : 1;
    if (argc <= at || argv[at][0] == '-' || value < 1)
        return usage();
    const bench_game *game = find_game(argv[at++]);
    if (!game)
        return 2;
    if (!perft && !counted && at < argc)
        value = number(argv[at++]);
    double seed = !perft && at < argc ? number(argv[at++]) : 1;
    if (at != argc || value < 0 || seed < 0)
        return usage();
    bench_rng rng = {(uint64_t)seed * 0xd1342543de82ef95};
    if (perft)
        for (int depth = 1; depth <= (int)value; depth++)
            printf("%s\t%d\t%" PRIu64 "\n", game->name, depth, game->perft(depth));
    else if (counted)
        run_count(game, (uint64_t)value, &rng);
    else
        run_for(game, value, &rng);
    return 0;
}
