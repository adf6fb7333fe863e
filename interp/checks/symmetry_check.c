/* Mirrors positions: the rows in reverse order, or all sites (a half turn), and every piece goes to
 * the other player. The deep check calls this at every position. */
#include "checks.h"

#include <stdio.h>

#include "interp/support/chance.h"
#include "interp/text/position.h"
#include "interp/vm/fault.h"

enum { HALF_TURN = 1 };
enum { MAX_RESULTS = 100 }; /* moves whose results are compared */
enum { LATE_TURN = 101 }; /* so that rules for the first turns do not matter */

/* Where each site lies in the mirror. False: the rows do not lie on each other. */
static bool find_image(const fz_board *board, int way, uint16_t *image)
{
    uint16_t order[FZ_MAX_SITES];
    unsigned count = board->site_count;

    fzi_diagram_order(board, order);
    for (unsigned first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && board->y[order[end]] == board->y[order[first]];)
            end++;
        if (board->y[order[count - end]] != board->y[order[count - first - 1]])
            return false;
        for (unsigned i = first; i < end; i++)
            image[order[i]] = order[way == HALF_TURN ? count - 1 - i : count - end + i - first];
    }
    return true;
}

/* Puts what stands on the sites of `from` on their images, for the other player; without an image,
 * where it is. */
static void put_pieces(const fz_program *p, const uint8_t *from, const uint16_t *image, uint8_t *to)
{
    for (unsigned s = 0; s < p->board.site_count; s++)
        for (unsigned place = 1; place <= fzi_stack_height(p, from, s); place++) {
            int kind, owner;
            fzi_stack_get(p, from, s, place, &kind, &owner);
            fzi_piece_add(p, to, image ? image[s] : s, kind,
                          image && owner >= 0 ? 1 - owner : owner);
        }
}

static bool same_pieces(const fz_program *p, const uint8_t *a, const uint8_t *b)
{
    for (unsigned s = 0; s < p->board.site_count; s++) {
        unsigned height = fzi_stack_height(p, a, s);
        if (height != fzi_stack_height(p, b, s))
            return false;
        for (unsigned place = 1; place <= height; place++) {
            int kind, owner, other_kind, other_owner;
            fzi_stack_get(p, a, s, place, &kind, &owner);
            fzi_stack_get(p, b, s, place, &other_kind, &other_owner);
            if (kind != other_kind || owner != other_owner)
                return false;
        }
    }
    return true;
}

static bool both_have_pieces(const fz_program *program, const fz_state *state)
{
    bool has[2] = {false, false};
    for (int s = 0; s < fz_program_sites(program); s++) {
        int kind, owner;
        fz_state_piece(state, s, &kind, &owner);
        if (owner == 0 || owner == 1)
            has[owner] = true;
    }
    return has[0] && has[1];
}

/* Is the beginning the same for the other player? */
static bool fits(fzi_mirror *mirror, const fz_state *start, int way)
{
    fz_state *image = fzi_position_new(start);
    bool same = image && find_image(&mirror->program->board, way, mirror->image[way]);

    if (same) {
        put_pieces(mirror->program, start->block, mirror->image[way], image->block);
        same = same_pieces(mirror->program, start->block, image->block);
    }
    fz_state_free(image);
    return same;
}

void fzi_mirror_begin(fzi_mirror *mirror, fz_machine *machine, const fz_state *start)
{
    const fz_program *p = start->program;

    *mirror = (fzi_mirror){.program = p, .machine = machine};
    if (p->player_count != 2 || fz_program_has_one_side(p) || !both_have_pieces(p, start) ||
        !fzi_board_has_rows(&p->board))
        return;
    mirror->ours = fz_state_new(machine, 1, 0);
    mirror->theirs = fz_state_new(machine, 1, 0);
    mirror->after = fz_state_new(machine, 1, 0);
    mirror->moves = fz_moves_new(machine);
    for (int way = 0; way < 2; way++)
        mirror->fits[way] = mirror->ours && mirror->theirs && mirror->after && mirror->moves &&
                            fits(mirror, start, way);
}

/* The number of moves of the player at the beginning of a turn in the middle of the game, with the
 * pieces of `block`, mirrored or not, and all variables as at the beginning; -1: the game is over;
 * -2: unknown. */
static long moves_in(fzi_mirror *mirror, fz_state *state, const uint8_t *block,
                     const uint16_t *image, int player)
{
    uint32_t turns = LATE_TURN + (uint32_t)player;
    fzi_head_of(state)->counter = mirror->rolls; /* both roll the same */
    fz_state *built = fzi_position_new(state);

    if (!built)
        return -2;
    fzi_machine_begin(mirror->machine);
    put_pieces(mirror->program, block, image, built->block);
    if (fzi_position_begin(mirror->machine, state, built, player, turns, turns - 1) != FZ_OK)
        return -2;
    if (fz_state_waiting(state) == FZ_GAME_OVER)
        return -1;
    if (fz_state_waiting(state) != FZ_WAITING_MOVE ||
        fz_state_moves(mirror->machine, state, mirror->moves) != FZ_OK)
        return -2;
    return (long)fz_moves_count(mirror->moves);
}

static void describe(char *text, size_t size, const fzi_mirror *mirror, int player, long moves)
{
    if (moves == -1)
        snprintf(text, size, "the game is over with %s to move",
                 fz_program_player_name(mirror->program, player));
    else
        snprintf(text, size, "%ld move%s of %s", moves, moves == 1 ? "" : "s",
                 fz_program_player_name(mirror->program, player));
}

/* ---- results of moves ---- */

/* The pieces, mirrored for the other player or not. */
static uint64_t hash_result(const fzi_mirror *mirror, const fz_state *state, const uint16_t *image)
{
    const fz_program *p = mirror->program;
    uint64_t sum = 0;
    for (unsigned s = 0; s < p->board.site_count; s++)
        for (unsigned place = 1; place <= fzi_stack_height(p, state->block, s); place++) {
            int kind, owner;
            fzi_stack_get(p, state->block, s, place, &kind, &owner);
            uint64_t at = image ? image[s] : s;
            uint64_t whose = (uint64_t)(image && owner >= 0 ? 1 - owner : owner) & 0xff;
            sum += fzi_chance_mix(at << 32 | place << 24 | (uint64_t)kind << 8 | whose);
        }
    return sum;
}

/* What the moves of the state lead to; 0: too many, or they fail. */
static size_t hash_results(fzi_mirror *mirror, const fz_state *state, const uint16_t *image,
                           uint64_t *results)
{
    size_t count = fz_state_moves(mirror->machine, state, mirror->moves) == FZ_OK
                       ? fz_moves_count(mirror->moves) : 0;
    if (count > MAX_RESULTS)
        return 0;
    for (size_t i = 0; i < count; i++) {
        const fz_move move = fz_moves_at(mirror->moves, i);
        if (fz_state_copy(mirror->after, state) != FZ_OK ||
            fz_state_play(mirror->machine, mirror->after, &move) != FZ_OK)
            return 0;
        results[i] = hash_result(mirror, mirror->after, image);
    }
    return count;
}

static bool has_result(const uint64_t *results, size_t count, uint64_t result)
{
    size_t i = 0;
    while (i < count && results[i] != result)
        i++;
    return i < count;
}

/* A move of `ours` that leads to what no move of `theirs` does; its number, or -1. */
static int odd_move(fzi_mirror *mirror, const uint16_t *image)
{
    uint64_t ours[MAX_RESULTS], theirs[MAX_RESULTS];
    fz_machine *m = mirror->machine;
    fz_chance mode = m->chance;
    m->chance = FZ_CHANCE_ASK; /* results before the next roll */
    size_t others = hash_results(mirror, mirror->theirs, NULL, theirs);
    size_t count = others ? hash_results(mirror, mirror->ours, image, ours) : 0;
    m->chance = mode;
    for (size_t i = 0; i < count; i++)
        if (!has_result(theirs, others, ours[i]))
            return (int)i;
    return -1;
}

static bool differ_in_results(fzi_mirror *mirror, int way, int player)
{
    int odd = odd_move(mirror, mirror->image[way]);
    if (odd < 0)
        return false;
    const fz_move move = fz_moves_at(mirror->moves, (size_t)odd);
    const char *text = fz_move_text(mirror->machine, mirror->ours, &move);
    snprintf(mirror->note, sizeof mirror->note,
             "'%.40s' of %s leads to what no move of %s leads to in the mirrored position",
             text ? text : "", fz_program_player_name(mirror->program, player),
             fz_program_player_name(mirror->program, 1 - player));
    return true;
}

bool fzi_mirror_compare(fzi_mirror *mirror, const fz_state *state, bool results)
{
    const uint8_t *block = fz_state_at_turn_start(state) ? fzi_position_of(state).block : NULL;
    if ((!mirror->fits[0] && !mirror->fits[1]) || !block)
        return false;
    int player = fz_state_mover(state);
    for (int way = 0; way < 2; way++) {
        char ours[80], theirs[80];
        if (!mirror->fits[way] || mirror->differs[way])
            continue;
        mirror->rolls++;
        long a = moves_in(mirror, mirror->ours, block, NULL, player);
        long b = moves_in(mirror, mirror->theirs, block, mirror->image[way], 1 - player);
        if (a == -2 || b == -2)
            continue;
        if (a == b) {
            mirror->differs[way] = results && a > 0 && differ_in_results(mirror, way, player);
            continue;
        }
        mirror->differs[way] = true;
        describe(ours, sizeof ours, mirror, player, a);
        describe(theirs, sizeof theirs, mirror, 1 - player, b);
        snprintf(mirror->note, sizeof mirror->note, "%s here, but in the mirrored position %s",
                 ours, theirs);
    }
    for (int way = 0; way < 2; way++)
        if (mirror->fits[way] && !mirror->differs[way])
            return false;
    mirror->fits[0] = mirror->fits[1] = false; /* it has been said */
    return true;
}

void fzi_mirror_end(fzi_mirror *mirror)
{
    fz_moves_free(mirror->moves);
    fz_state_free(mirror->ours);
    fz_state_free(mirror->theirs);
    fz_state_free(mirror->after);
}
