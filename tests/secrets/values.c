/* The information sets and the value of a small game for two players, from what each observes.
 *
 *     values GAME ITERATIONS
 *
 * Walks the whole tree. States in which a player has the same observation are one information set,
 * so a leak or a wrong `?` changes their number. Then both players learn to play against each other
 * (counterfactual regret minimization, with regrets cut at 0). Prints the number of information
 * sets and the payoff of the first player. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ferz.h"

enum { MOST_MOVES = 8 };

typedef struct node {
    int player;               /* -1: chance, -2: the end */
    size_t set;
    unsigned count;
    struct node **next;
    double *weights;          /* of chance */
    double payoff;            /* of the first player */
} node;

typedef struct information_set {
    char *observation;
    unsigned moves;
    double regret[MOST_MOVES], played[MOST_MOVES], now[MOST_MOVES];
} information_set;

typedef struct tree {
    fz_context *context;
    fz_machine *machine;
    information_set *sets;
    size_t count;
} tree;

static void *must(void *memory)
{
    if (!memory) {
        fputs("values: out of memory, or the game failed\n", stderr);
        exit(2);
    }
    return memory;
}

static void need(bool good)
{
    must(good ? &good : NULL);
}

/* ---- the tree ---- */

static size_t set_of(tree *t, const fz_state *state, int player, unsigned moves)
{
    char *text = NULL;
    size_t i = 0;
    need(fz_state_observation(t->machine, state, player, &text) == FZ_OK);
    while (i < t->count && strcmp(t->sets[i].observation, text) != 0)
        i++;
    if (i == t->count) {
        t->sets = must(realloc(t->sets, ++t->count * sizeof *t->sets));
        t->sets[i] = (information_set){.observation = text, .moves = moves};
        return i;
    }
    need(t->sets[i].moves == moves);
    fz_text_free(t->context, text);
    return i;
}

static node *grow(tree *t, const fz_state *state);

static void grow_chance(tree *t, const fz_state *state, node *n)
{
    const fz_outcome *outcomes;
    size_t count;
    double total = 0;
    need(fz_state_outcomes(t->machine, state, &outcomes, &count) == FZ_OK);
    fz_outcome *own = must(malloc(count * sizeof *own));
    memcpy(own, outcomes, count * sizeof *own);
    n->player = -1;
    n->count = (unsigned)count;
    n->next = must(calloc(count, sizeof *n->next));
    n->weights = must(calloc(count, sizeof *n->weights));
    for (size_t i = 0; i < count; i++)
        total += (double)own[i].weight;
    for (size_t i = 0; i < count; i++) {
        fz_state *after = must(fz_state_clone(state));
        need(fz_state_set_chance(t->machine, after, own[i].value) == FZ_OK);
        n->weights[i] = (double)own[i].weight / total;
        n->next[i] = grow(t, after);
        fz_state_free(after);
    }
    free(own);
}

static void grow_moves(tree *t, const fz_state *state, node *n)
{
    fz_moves *moves = must(fz_moves_new(t->machine));
    need(fz_state_moves(t->machine, state, moves) == FZ_OK && fz_moves_count(moves) <= MOST_MOVES);
    n->count = (unsigned)fz_moves_count(moves);
    n->player = fz_state_decider(state);
    n->set = set_of(t, state, n->player, n->count);
    n->next = must(calloc(n->count, sizeof *n->next));
    for (unsigned i = 0; i < n->count; i++) {
        const fz_move move = fz_moves_at(moves, i);
        fz_state *after = must(fz_state_clone(state));
        need(fz_state_play(t->machine, after, &move) == FZ_OK);
        n->next[i] = grow(t, after);
        fz_state_free(after);
    }
    fz_moves_free(moves);
}

static node *grow(tree *t, const fz_state *state)
{
    node *n = must(calloc(1, sizeof *n));
    int64_t payoff = 0;
    switch (fz_state_waiting(state)) {
    case FZ_WAITING_CHANCE:
        grow_chance(t, state, n);
        break;
    case FZ_WAITING_MOVE:
        grow_moves(t, state, n);
        break;
    case FZ_GAME_OVER:
        n->player = -2;
        need(fz_state_payoff(t->machine, state, 0, &payoff) == FZ_OK);
        n->payoff = (double)payoff;
        break;
    }
    return n;
}

static void fell(node *n)
{
    for (unsigned i = 0; i < n->count; i++)
        fell(n->next[i]);
    free(n->next);
    free(n->weights);
    free(n);
}

/* ---- learning ---- */

static void choose(information_set *s)
{
    double sum = 0;
    for (unsigned i = 0; i < s->moves; i++)
        sum += s->regret[i];
    for (unsigned i = 0; i < s->moves; i++)
        s->now[i] = sum > 0 ? s->regret[i] / sum : 1.0 / s->moves;
}

/* The payoff of `learner`, who reaches the node with probability `own`, all else with `others`. */
static double walk(tree *t, const node *n, int learner, double own, double others, double round)
{
    double value = 0, each[MOST_MOVES];
    if (n->player == -2)
        return learner ? -n->payoff : n->payoff;
    for (unsigned i = 0; n->player == -1 && i < n->count; i++)
        value += n->weights[i] *
                 walk(t, n->next[i], learner, own, others * n->weights[i], round);
    if (n->player == -1)
        return value;
    information_set *s = &t->sets[n->set];
    bool mine = n->player == learner;
    for (unsigned i = 0; i < n->count; i++) {
        double p = s->now[i];
        each[i] = walk(t, n->next[i], learner, mine ? own * p : own, mine ? others : others * p,
                       round);
        value += p * each[i];
    }
    for (unsigned i = 0; mine && i < n->count; i++) {
        s->regret[i] += others * (each[i] - value);
        s->played[i] += round * own * s->now[i];
    }
    return value;
}

static void learn(tree *t, const node *root, unsigned iterations)
{
    for (unsigned k = 1; k <= iterations; k++) {
        for (int learner = 0; learner < 2; learner++) {
            for (size_t i = 0; i < t->count; i++)
                choose(&t->sets[i]);
            walk(t, root, learner, 1, 1, k);
            for (size_t i = 0; i < t->count; i++)
                for (unsigned m = 0; m < t->sets[i].moves; m++)
                    if (t->sets[i].regret[m] < 0)
                        t->sets[i].regret[m] = 0;
        }
    }
}

/* With the mean of all that was played. */
static double value_of(const tree *t, const node *n)
{
    double value = 0, sum = 0;
    if (n->player == -2)
        return n->payoff;
    const information_set *s = n->player >= 0 ? &t->sets[n->set] : NULL;
    for (unsigned i = 0; s && i < n->count; i++)
        sum += s->played[i];
    for (unsigned i = 0; i < n->count; i++)
        value += (s ? (sum > 0 ? s->played[i] / sum : 1.0 / n->count) : n->weights[i]) *
                 value_of(t, n->next[i]);
    return value;
}

int main(int argc, char **argv)
{
    tree t = {.context = must(fz_context_new(NULL))};
    fz_program *program = NULL;
    if (argc != 3) {
        fputs("usage: values GAME ITERATIONS\n", stderr);
        return 2;
    }
    need(fz_compile(t.context, argv[1], NULL, 0, NULL, 0, &program, NULL) == FZ_OK);
    t.machine = must(fz_machine_new(program, NULL));
    fz_machine_set_chance(t.machine, FZ_CHANCE_ASK);
    fz_state *state = must(fz_state_new(t.machine, 1, 0));
    node *root = grow(&t, state);
    learn(&t, root, (unsigned)strtoul(argv[2], NULL, 10));
    printf("information sets %zu\nvalue %.4f\n", t.count, value_of(&t, root));
    fell(root);
    for (size_t i = 0; i < t.count; i++)
        fz_text_free(t.context, t.sets[i].observation);
    free(t.sets);
    fz_state_free(state);
    fz_machine_free(t.machine);
    fz_program_release(program);
    fz_context_free(t.context);
    return 0;
}
