/* Damage with a structure: a compiled game in which the input changes fields, so that what comes of
 * it is almost a program. It is refused when it is loaded, or it can be played without harm. The
 * input's first byte says which game; then every eight bytes are a change. */
#include "interp/support/context.h"
#include "fuzz.h"
#include "interp/program/program_file.h"
#include "interp/program/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const scripts[] = {
    "games/chess/chess",
    "games/draughts/english",
    "games/race/ur",
    "games/sow/kalah",
    "games/classic/hex",
    "games/classic/nine-mens-morris",
    "games/classic/connect-four",
    "games/classic/gomoku",
    "games/draughts/international",
    "tests/language/can",
    "tests/language/carried",
    "tests/language/chance",
    "tests/language/keeping",
    "tests/language/look_through",
    "tests/language/secret",
    "tests/language/teams",
    "games/icehouse/martian-chess",
    "games/icehouse/martian-chaturaji",
    "games/chess/chatrang",
    "tests/language/tables",
    "tests/language/functions",
    "tests/language/notation",
    "tests/language/territory",
};
enum { SCRIPTS = sizeof scripts / sizeof *scripts, CHANGE = 8, MOST_CHANGES = 12 };

static const fz_program *compiled(unsigned number)
{
    static fz_program *made[SCRIPTS];
    char path[4096];

    if (made[number])
        return made[number];
    snprintf(path, sizeof path, "%s/../%s.game", FZ_SOURCE_STDLIB_DIR, scripts[number]);
    fz_context *context = fuzz_context();
    fz_status status = fz_compile(context, path, NULL, 0, NULL, 0, &made[number], NULL);
    if (status != FZ_OK)
        fprintf(stderr, "%s: %s\n", path, fz_context_message(context));
    fuzz_want(status == FZ_OK, "the games compile");
    fz_context_free(context);
    return made[number];
}

/* ---- changes ---- */

typedef struct change {
    uint8_t where, how;
    uint16_t item;
    uint32_t value;
} change;

/* An array of the program, to be changed item by item. */
typedef struct region {
    void *items;
    size_t count, size;
} region;

static unsigned regions_of(const fz_program *p, region *out)
{
#define REGION(field, length) {(void *)(uintptr_t)p->field, (length), sizeof *p->field}
    const region all[] = {
        REGION(functions, p->function_count),     REGION(variables, p->variable_count),
        REGION(types, p->type_count),             REGION(name_lists, p->name_list_length),
        REGION(int_tables, p->int_table_count),   REGION(int_pool, p->int_pool_length),
        REGION(set_tables, p->set_table_count),   REGION(set_pool, p->set_pool_length),
        REGION(choices, p->choice_count),         REGION(options, p->option_count),
        REGION(filters, p->filter_count),         REGION(filter_lists, p->filter_list_length),
        REGION(dice, p->die_count),               REGION(faces, p->face_count),
        REGION(places, p->place_count),           REGION(lines, p->line_count),
        REGION(removed, p->removed_count),
        REGION(sources, p->source_count),         REGION(players, p->player_count),
        REGION(kinds, p->kind_count),             REGION(tests, p->test_count),
        REGION(steps, p->step_count),             REGION(initial, p->initial_length),
        REGION(board.next, (size_t)p->board.site_count * p->board.dir_count),
        REGION(board.column, p->board.site_count), REGION(board.row, p->board.site_count),
        REGION(board.x, p->board.site_count),     REGION(board.y, p->board.site_count),
        REGION(board.site_names, p->board.site_count), REGION(board.dir_names, p->board.dir_count),
    };
#undef REGION
    memcpy(out, all, sizeof all);
    return sizeof all / sizeof *all;
}

/* A byte, a number of two or four bytes, or another item in its place. */
static void change_item(const region *r, const change *c)
{
    uint8_t *item = (uint8_t *)r->items + c->item % r->count * r->size;
    uint8_t *other = (uint8_t *)r->items + c->value % r->count * r->size;
    size_t at = (c->how >> 3) % r->size;
    uint8_t was[256];

    fuzz_want(r->size <= sizeof was, "items are small");
    switch (c->how & 7) {
    case 0: item[at] = (uint8_t)c->value; break;
    case 1: item[at] = (uint8_t)(item[at] + 1); break;
    case 2: item[at] = (uint8_t)(item[at] - 1); break;
    case 3: memcpy(item + at / 2 * 2, &c->value, r->size - at / 2 * 2 < 2 ? 1 : 2); break;
    case 4: case 5: memcpy(item + at / 4 * 4, &c->value, r->size - at / 4 * 4 < 4 ? 1 : 4); break;
    case 6: memmove(item, other, r->size); break;
    default:
        memcpy(was, item, r->size);
        memcpy(item, other, r->size);
        memcpy(other, was, r->size);
        break;
    }
}

/* The beginning of the n-th instruction, and the words that are left from there. */
static fz_code *instruction(const fz_program *p, uint32_t number, uint32_t *left)
{
    uint32_t count = 0, at = 0;

    for (uint32_t i = 0; i < p->code_length; i += fzi_opcode_length(FZ_CODE_OP(p->code[i])))
        count++;
    for (number %= count; number; number--)
        at += fzi_opcode_length(FZ_CODE_OP(p->code[at]));
    *left = p->code_length - at;
    return (fz_code *)(uintptr_t)p->code + at;
}

static void change_code(const fz_program *p, const change *c)
{
    uint32_t left, other_left;
    fz_code *code = instruction(p, c->item, &left), *other = instruction(p, c->value, &other_left);
    unsigned shift = c->how >> 4 & 3, length = fzi_opcode_length(FZ_CODE_OP(*code));
    unsigned word = (c->how >> 6 & 3) % length;

    if (length > left)
        length = left;
    if (word >= length)
        word = 0;
    switch (c->how & 15) {
    case 0: case 1: *code = (*code & ~(fz_code)0xff) | c->value % FZ_OP_COUNT; break;
    case 2: case 3: *code = (*code & ~(0xffu << 8 * shift)) | (c->value & 0xff) << 8 * shift; break;
    case 4: *code += 1u << 8 * shift; break;
    case 5: *code -= 1u << 8 * shift; break;
    case 6: code[word] = c->value; break;
    case 7: code[word] += 1; break;
    case 8: code[word] -= 1; break;
    case 9: case 10: code[word] = (uint32_t)(other - p->code); break; /* the beginning of another */
    case 11: code[word] = c->value & 0xff; break;
    case 12: code[word] = other[0]; break;
    default:
        if (other_left >= length && fzi_opcode_length(FZ_CODE_OP(*other)) == length)
            memmove(code, other, length * sizeof *code);
        break;
    }
}

static void change_program(fz_program *p, const change *c)
{
    int32_t *const functions[] = {&p->setup,  &p->turn,      &p->end,   &p->limit,
                                  &p->unseen, &p->invisible, &p->owned, &p->limit_turns};
    region regions[64];
    unsigned count = regions_of(p, regions);

    if (c->where < 128) {
        change_code(p, c);
    } else if (c->where < 252) {
        const region *r = &regions[c->where % count];
        if (r->count)
            change_item(r, c);
    } else if (c->where < 254) {
        *functions[c->how % 8] = (int32_t)c->value;
    } else {
        uint8_t *const flags[] = {&p->has_teams, &p->uses_repetitions, &p->uses_board_repetitions,
                                  &p->uses_chance, &p->unmarked};
        *flags[c->how % 5] ^= 1;
    }
}

/* ---- a run ---- */

static void load_and_play(const char *bytes, size_t length)
{
    fz_context *context = fuzz_context();
    fz_program *program = NULL;
    char *code = NULL;

    if (fzi_gamec_load(context, "fuzz.gamec", bytes, length, &program) == FZ_OK) {
        if (program->native_count == 0) {
            fuzz_play(context, program, 6, false);
            fuzz_run_tests(context, program, bytes, length);
        }
        if (fz_program_disassemble(context, program, &code) == FZ_OK)
            fz_text_free(context, code);
    } else {
        fuzz_want(*fz_context_message(context), "a refusal is told");
    }
    fz_program_release(program);
    fz_context_free(context);
}

/* FZ_KEEP=FILE keeps the damaged program, for the finds of `compiled`. */
static void keep(const char *bytes, size_t length)
{
    const char *path = getenv("FZ_KEEP");
    FILE *file = path ? fopen(path, "wb") : NULL;

    if (file) {
        fwrite(bytes, 1, length, file);
        fclose(file);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1 + CHANGE)
        return 0;
    const fz_program *whole = compiled(data[0] % SCRIPTS);
    fz_context *context = fuzz_context();
    fz_program *damaged = fzi_program_make(context->allocator, whole);
    char *bytes = NULL;
    size_t length;

    fuzz_want(damaged != NULL, "there is memory");
    for (size_t i = 0; i < MOST_CHANGES && 1 + (i + 1) * CHANGE <= size; i++) {
        const uint8_t *at = data + 1 + i * CHANGE;
        change c = {at[0], at[1], (uint16_t)(at[2] | at[3] << 8),
                    at[4] | (uint32_t)at[5] << 8 | (uint32_t)at[6] << 16 | (uint32_t)at[7] << 24};
        change_program(damaged, &c);
    }
    if (fz_program_save(context, damaged, &bytes, &length) == FZ_OK) {
        keep(bytes, length);
        load_and_play(bytes, length);
    }
    fz_text_free(context, bytes);
    fz_program_release(damaged);
    fz_context_free(context);
    return 0;
}
