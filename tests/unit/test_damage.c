/* Damaged programs: the verifier refuses them, or they run within their bounds. The number of
 * rounds is FZ_DAMAGE_ROUNDS, 400 without it. */
#include "assembled_games.h"
#include "interp/program/verify.h"
#include "interp/support/chance.h"

/* ---- damaged programs ---- */

typedef struct region {
    void *at;
    size_t size;
} region;

/* Runs a program that the verifier has let pass, within tight bounds; only that it ends matters. */
static void run_damaged(const fz_program *program, unsigned seed)
{
    fz_limits limits = {.instructions = 5000, .frames = 20, .moves = 500, .memory = 1 << 20,
                        .idle_turns = 50};
    fz_machine *machine = fz_machine_new(program, &limits);
    fz_state *state = fz_state_new(machine, seed, 1);
    fz_moves *moves = fz_moves_new(machine);
    for (unsigned i = 0; state && i < 5 && fz_state_waiting(state) == FZ_WAITING_MOVE; i++) {
        if (fz_state_moves(machine, state, moves) == FZ_OK && fz_moves_count(moves)) {
            fz_move move = fz_moves_at(moves, seed % fz_moves_count(moves));
            fzi_buffer text = fzi_buffer_in(fzi_allocator_default());
            int from, to;
            fzi_move_write(machine, state, &move, i & 1, &text);
            fzi_buffer_free(&text);
            fz_move_sites(machine, state, &move, &from, &to);
            fz_state_play(machine, state, &move);
        } else {
            fz_state_play_random(machine, state);
        }
    }
    if (state)
        fz_state_playout(machine, state, 20);
    fz_machine_set_chance(machine, FZ_CHANCE_ASK);
    if (state && fz_state_restart(machine, state, seed, 2) == FZ_OK &&
        fz_state_waiting(state) == FZ_WAITING_CHANCE) {
        const fz_outcome *outcomes;
        size_t count;
        if (fz_state_outcomes(machine, state, &outcomes, &count) == FZ_OK && count)
            fz_state_set_chance(machine, state, outcomes[0].value);
    }
    fz_moves_free(moves);
    fz_state_free(state);
    fz_machine_free(machine);
}

static unsigned damage(fz_program *p, unsigned rounds)
{
#define REGION(field, type, count) {(void *)(uintptr_t)p->field, (count) * sizeof(type)}
    const region regions[] = {
        REGION(code, fz_code, p->code_length),
        REGION(code, fz_code, p->code_length),
        REGION(code, fz_code, p->code_length),
        REGION(functions, fz_function, p->function_count),
        REGION(variables, fz_variable, p->variable_count),
        REGION(types, fz_value_type, p->type_count),
        REGION(choices, fz_choice, p->choice_count),
        REGION(options, fz_option_info, p->option_count),
        REGION(filters, fz_filter, p->filter_count),
        REGION(filter_lists, uint32_t, p->filter_list_length),
        REGION(int_tables, fz_int_table, p->int_table_count),
        REGION(int_pool, int32_t, p->int_pool_length),
        REGION(set_tables, fz_set_table, p->set_table_count),
        REGION(set_pool, uint64_t, p->set_pool_length),
        REGION(dice, fz_die, p->die_count),
        REGION(faces, fz_face, p->face_count),
        REGION(initial, uint8_t, p->initial_length),
        REGION(board.next, int16_t, (size_t)p->board.dir_count * p->board.site_count),
        {&p->layout, sizeof p->layout},
    };
#undef REGION
    unsigned passed = 0;
    uint64_t counter = 0, key = fzi_chance_key(p->code_length, rounds);
    for (unsigned i = 0; i < rounds; i++) {
        uint8_t *where[3], was[3];
        unsigned changes = 1 + fzi_chance_below(key, &counter, 3);
        for (unsigned n = 0; n < changes; n++) {
            const region *r;
            do
                r = &regions[fzi_chance_below(key, &counter, sizeof regions / sizeof *regions)];
            while (!r->size);
            where[n] = (uint8_t *)r->at + fzi_chance_below(key, &counter, r->size);
            was[n] = *where[n];
            *where[n] = (uint8_t)(fzi_chance_below(key, &counter, 2)
                                      ? fzi_chance_below(key, &counter, 256)
                                      : was[n] + fzi_chance_below(key, &counter, 5) - 2);
        }
        char message[128];
        if (fzi_verify(p, fzi_allocator_default(), message, sizeof message)) {
            passed++;
            run_damaged(p, i);
        } else {
            assert_true(*message);
        }
        for (unsigned n = changes; n-- > 0;)
            *where[n] = was[n];
    }
    return passed;
}

static void test_damage(void **unused)
{
    (void)unused;
    const char *times = getenv("FZ_DAMAGE_ROUNDS");
    unsigned rounds = times ? (unsigned)atoi(times) : 400;
    for (int i = 0; i < 7; i++) {
        switch (i) {
        case 0: three_in_a_row(3, 3); break;
        case 1: apart(4, false); break;
        case 2: apart(4, true); break;
        case 3: race(); break;
        default: walks((enum walk_rule)(i - 3)); break;
        }
        fz_program *p = as_finish(&a);
        char message[128];
        bool good = fzi_verify(p, fzi_allocator_default(), message, sizeof message);
        assert_string_equal(message, "");
        assert_true(good);
        assert_true(damage(p, rounds) > 0);
        fz_program_release(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
