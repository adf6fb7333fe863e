/* Damage with a structure: a compiled game in which the input changes fields, so that what comes of
 * it is almost a program. The verifier refuses it, or it can be played without harm, as some are.
 * Some are saved and loaded first, and all in which bytes of the file change. The input's first two
 * bytes say which game, a small one for most inputs; then every eight bytes are a change. */
#include "interp/support/context.h"
#include "ferz_tools.h"
#include "fuzz.h"
#include "interp/program/program_file.h"
#include "interp/program/program.h"
#include "interp/program/verify.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CHANGE = 8,
    MOST_CHANGES = 12,
    FILE_CHANGES = 248,
    HEAD = 2,
    MOST_SCRIPTS = 2000,
    MOST_PATH = 512,
    SMALL_CODE = 600, SMALL_BOARD = 30, SMALL_POOL = 4000, /* words, sites, members of sets */
    LARGE_ONES = 64,            /* one of so many inputs is for any script */
    LOADED = 16, PLAYED = 64
};

/* A compiled game, and a copy to damage. */
typedef struct game_file {
    char path[MOST_PATH];
    bool tried;          /* compiled when it is first asked for */
    fz_program *program; /* NULL: it is no game by itself */
    fz_program *copy;
    fz_program fields;   /* of the copy, as they were */
} game_file;

/* All games of games/ and tests/language, in the order of their paths. */
typedef struct scripts {
    unsigned count, first_test; /* of tests/language, where small ones are looked for */
    game_file files[MOST_SCRIPTS];
} scripts;

static int no_hidden(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static void find_scripts(scripts *found, const char *path)
{
    struct dirent **entries;
    size_t length = strlen(path);

    if (length > 5 && !strcmp(path + length - 5, ".game")) {
        fuzz_want(found->count < MOST_SCRIPTS && length < MOST_PATH,
                  "there is room for all scripts");
        memcpy(found->files[found->count++].path, path, length + 1);
        return;
    }
    int count = scandir(path, &entries, no_hidden, alphasort);
    for (int i = 0; i < count; i++) {
        char inner[4096];
        snprintf(inner, sizeof inner, "%s/%s", path, entries[i]->d_name);
        find_scripts(found, inner);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

static game_file *compiled(game_file *f)
{
    if (!f->tried) {
        fz_context *context = fuzz_context();
        f->tried = true;
        fz_compile(context, f->path, NULL, 0, NULL, 0, &f->program, NULL);
        if (f->program) {
            f->copy = fzi_program_make(fzi_allocator_default(), f->program);
            fuzz_want(f->copy != NULL, "there is memory");
            f->fields = *f->copy;
        }
        fz_context_free(context);
    }
    return f;
}

static bool is_small(const fz_program *p)
{
    return p && p->code_length <= SMALL_CODE && p->board.site_count <= SMALL_BOARD &&
           p->set_pool_length <= SMALL_POOL && p->int_pool_length <= SMALL_POOL;
}

static game_file *chosen(unsigned number)
{
    static scripts all;
    bool any = number % LARGE_ONES == 0;

    if (!all.count) {
        for (int i = 0; i < 2; i++) {
            char folder[MOST_PATH];
            all.first_test = all.count;
            fuzz_path(folder, sizeof folder, i ? "tests/language" : "games");
            find_scripts(&all, folder);
        }
        fuzz_want(all.first_test < all.count, "there are scripts");
    }
    if (any)
        return compiled(&all.files[number / LARGE_ONES % all.count]);
    unsigned tests = all.count - all.first_test, at = number % tests;
    while (!is_small(compiled(&all.files[all.first_test + at])->program))
        at = (at + 1) % tests;
    return &all.files[all.first_test + at];
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
        REGION(text, p->text_length),             REGION(shown, p->shown_count),
        REGION(natives, p->native_count),         REGION(team_names, p->team_count),
        REGION(settings, p->setting_count),       REGION(info, p->info_count),
        REGION(hints, p->hint_count),
        REGION(board.next, (size_t)p->board.site_count * p->board.dir_count),
        REGION(board.column, p->board.site_count), REGION(board.row, p->board.site_count),
        REGION(board.sorts, p->board.has_sorts ? p->board.site_count : 0u),
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

    if (c->where < 112) {
        change_code(p, c);
    } else if (c->where < 236) {
        const region *r = &regions[c->where % count];
        if (r->count)
            change_item(r, c);
    } else if (c->where < 240) {
        *functions[c->how % 8] = (int32_t)c->value;
    } else if (c->where < FILE_CHANGES) {
        uint8_t *const bytes[] = {
            &p->has_teams,
            &p->uses_repetitions,
            &p->uses_board_repetitions,
            &p->uses_chance,
            &p->unmarked,
            &p->stack_limit,
            &p->board.shape,
            &p->board.on_vertices,
            &p->board.opposite[c->item % FZ_MAX_DIRS],
        };
        uint32_t *const words[] = {&p->board.orthogonal, &p->board.diagonal, &p->board.adjacent,
                                   &p->title, &p->without};
        uint16_t *const sizes[] = {&p->board.columns, &p->board.rows};
        if (c->how % 3 == 0)
            *bytes[c->how / 3 % 9] = (uint8_t)c->value;
        else if (c->how % 3 == 1)
            *words[c->how / 3 % 5] = c->value;
        else
            *sizes[c->how / 3 % 2] = (uint16_t)c->value;
    }
}

/* Bytes of the file, whatever they stand for: counts too. */
static void change_file(char *bytes, size_t length, const change *c)
{
    size_t at =
        FZ_GAMEC_HEAD + (c->item + (size_t)(c->where & 3) * 65536) % (length - FZ_GAMEC_HEAD);

    switch (c->how & 7) {
    case 0: bytes[at]++; break;
    case 1: bytes[at]--; break;
    case 2: bytes[at] ^= (char)(1 << (c->how >> 3 & 7)); break;
    case 3: bytes[at] = (char)0xff; break;
    case 4: memset(bytes + at, 0, length - at < 4 ? length - at : 4); break;
    default: bytes[at] = (char)c->value; break;
    }
}

/* ---- a run ---- */

/* A game on an engine, and what can be seen of it. */
typedef struct game {
    fz_machine *machine;
    fz_state *state;
    char *text;
} game;

static bool game_begin(game *g, fz_program *program)
{
    g->machine = fz_machine_new(program, &fuzz_limits);
    g->state = g->machine ? fz_state_new(g->machine, 7, 0) : NULL;
    return g->machine != NULL;
}

static fz_status game_look(fz_context *context, game *g, fz_status status)
{
    fz_text_free(context, g->text);
    g->text = NULL;
    return status == FZ_OK ? fz_state_write_now(g->machine, g->state, &g->text) : status;
}

static void game_end(fz_context *context, game *g)
{
    fz_text_free(context, g->text);
    fz_state_free(g->state);
    fz_machine_free(g->machine);
}

/* The loop and native code of what is left of the program play the same game and fail in the
 * same way. */
static void compare_engines(fz_context *context, fz_program *program, const char *bytes,
                            size_t length)
{
    enum { LARGEST_CODE = 1500, PLIES = 40 };
    fz_program *native = NULL;
    game one = {0}, other = {0};

    if (program->code_length <= LARGEST_CODE &&
        fzi_gamec_load(context, "fuzz.gamec", bytes, length, &native) == FZ_OK &&
        fz_program_set_engine(context, native, FZ_ENGINE_NATIVE) == FZ_OK &&
        game_begin(&one, program) && game_begin(&other, native)) {
        fuzz_want(!one.state == !other.state, "both engines begin");
        fz_status status = one.state && other.state ? FZ_OK : FZ_RUNTIME, same = status;
        for (int ply = 0;
             status == FZ_OK && fz_state_waiting(one.state) != FZ_GAME_OVER && ply < PLIES; ply++) {
            status = game_look(context, &one, fz_state_play_random(one.machine, one.state));
            same = game_look(context, &other, fz_state_play_random(other.machine, other.state));
            fuzz_want(status == same, "both engines go on, or fail");
            if (status == FZ_OK && strcmp(one.text, other.text))
                fprintf(stderr, "loop:\n%s\nnative:\n%s\n", one.text, other.text);
            fuzz_want(status != FZ_OK || !strcmp(one.text, other.text),
                      "both engines play the same game");
        }
        if (status != FZ_OK)
            fuzz_want(!strcmp(fz_machine_message(one.machine), fz_machine_message(other.machine)),
                      "both engines say why");
    }
    game_end(context, &one);
    game_end(context, &other);
    fz_program_release(native);
}

static void play(fz_context *context, fz_program *program, const char *bytes, size_t length)
{
    char *code = NULL;

    if (program->native_count == 0 && getenv("FZ_ENGINES")) {
        compare_engines(context, program, bytes, length);
    } else if (program->native_count == 0) {
        fuzz_play(context, program, 6, false);
        fuzz_tour(context, program);
        fuzz_run_tests(context, program, bytes, length);
    }
    if (fz_program_disassemble(context, program, &code) == FZ_OK)
        fz_text_free(context, code);
}

static void load(const char *bytes, size_t length, bool plays)
{
    fz_context *context = fuzz_context();
    fz_program *program = NULL;
    fz_status status = fzi_gamec_load(context, "fuzz.gamec", bytes, length, &program);

    if (getenv("FZ_TELL"))
        fprintf(stderr, "%s\n", status == FZ_OK ? "accepted" : fz_context_message(context));
    if (status != FZ_OK)
        fuzz_want(*fz_context_message(context), "a refusal is told");
    else if (plays)
        play(context, program, bytes, length);
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

static size_t read_changes(const uint8_t *data, size_t size, change *changes)
{
    size_t count = 0;

    for (; count < MOST_CHANGES && HEAD + (count + 1) * CHANGE <= size; count++) {
        const uint8_t *at = data + HEAD + count * CHANGE;
        changes[count] =
            (change){at[0], at[1], (uint16_t)(at[2] | at[3] << 8),
                     at[4] | (uint32_t)at[5] << 8 | (uint32_t)at[6] << 16 | (uint32_t)at[7] << 24};
    }
    return count;
}

/* The copy is as the compiled game was. */
static void mend(game_file *f)
{
    region regions[64], whole[64];
    unsigned count = regions_of(f->program, whole);

    *f->copy = f->fields;
    regions_of(f->copy, regions);
    for (unsigned i = 0; i < count; i++)
        if (regions[i].count)
            memcpy(regions[i].items, whole[i].items, regions[i].count * regions[i].size);
    memcpy((fz_code *)(uintptr_t)f->copy->code, f->program->code,
           f->copy->code_length * sizeof *f->copy->code);
}

static void verify(const fz_program *damaged)
{
    char message[256] = "";

    if (!fzi_verify(damaged, fzi_allocator_default(), message, sizeof message))
        fuzz_want(*message, "a refusal is told");
}

static void pass_through_file(const fz_program *damaged, const change *changes, size_t count,
                              bool plays)
{
    fz_context *context = fuzz_context();
    char *bytes = NULL;
    size_t length;

    if (fz_program_save(context, damaged, &bytes, &length) == FZ_OK) {
        for (size_t i = 0; i < count; i++)
            if (changes[i].where >= FILE_CHANGES)
                change_file(bytes, length, &changes[i]);
        fzi_gamec_seal(bytes, length);
        keep(bytes, length);
        load(bytes, length, plays);
    }
    fz_text_free(context, bytes);
    fz_context_free(context);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    game_file *f = size >= HEAD ? chosen(data[0] | (unsigned)data[1] << 8) : NULL;
    change changes[MOST_CHANGES];

    if (!f || !f->program || size < HEAD + CHANGE)
        return 0;
    size_t count = read_changes(data, size, changes);
    bool by_file = fuzz_closely(data, size, LOADED);
    for (size_t i = 0; i < count; i++) {
        by_file |= changes[i].where >= FILE_CHANGES;
        change_program(f->copy, &changes[i]);
    }
    if (by_file)
        pass_through_file(f->copy, changes, count, fuzz_closely(data, size, PLAYED));
    else
        verify(f->copy);
    mend(f);
    return 0;
}
