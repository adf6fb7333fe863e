/* Writing and reading compiled files. Each struct and array is a row of program_rows.def or
 * program_parts.def and is coded in either direction by the same text, so that both agree. */
#include "program_file.h"

#include <stdio.h>

#include "interp/support/buffer.h"
#include "interp/support/text.h"
#include "layout.h"
#include "verify.h"

enum { HEAD_SIZE = FZ_GAMEC_HEAD, MAX_PARTS = 64 };

typedef struct coder {
    bool reading, failed;
    const char *what;           /* is wrong with the bytes */
    fzi_buffer out;
    const uint8_t *in, *end;
    fzi_allocator allocator;
    void *parts[MAX_PARTS];    /* arrays made while reading */
    unsigned part_count;
    fz_program *p;
} coder;

static const char short_memory[] = "out of memory";

static void fail(coder *c, const char *what)
{
    if (!c->failed)
        c->what = what;
    c->failed = true;
}

/* ---- numbers ---- */

static void put_number(uint8_t *at, uint64_t value, unsigned size)
{
    for (unsigned i = 0; i < size; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

static uint64_t get_number(const uint8_t *at, unsigned size)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < size; i++)
        value |= (uint64_t)at[i] << 8 * i;
    return value;
}

/* Not inlined: it would be in hundreds of places, and the compiler would take seconds. */
__attribute__((noinline)) static uint64_t code_bytes(coder *c, uint64_t value, unsigned size)
{
    uint8_t bytes[8];

    if (!c->reading) {
        put_number(bytes, value, size);
        fzi_buffer_add(&c->out, bytes, size);
        return value;
    }
    if ((size_t)(c->end - c->in) < size) {
        fail(c, "it ends too early");
        return 0;
    }
    c->in += size;
    return get_number(c->in - size, size);
}

/* Codes a number, which is not touched while writing: other threads may read it. */
#define CODE(number)                                                                             \
    do {                                                                                           \
        uint64_t coded = code_bytes(c, (uint64_t)(number), sizeof(number));                        \
        if (c->reading)                                                                            \
            (number) = (__typeof__(number))coded;                                                  \
    } while (0);

/* ---- structs ---- */

#define N(field) CODE(item->field)
#define F(field) N(field)
#define TEXT(field) N(field)
#define WORD(said, field) N(field)
#define LINE(said, field) N(field)
#define QUOTED(said, field) N(field)
#define WANT(said, holds)
#define PLACE(field) N(field)
/* The layout of the state depends on types, so it is made before the verifier looks at the rest. */
#define TYPE(field)                                                                                \
    N(field)                                                                                       \
    if (item->field >= c->p->type_count)                                                           \
        fail(c, "it has a value of an unknown type");
#define INSIDE(type, field) code_##type(c, &item->field);
#define LIST(count, most, field)                                                                   \
    if ((count) > (most))                                                                          \
        fail(c, "a list in it is too long");                                                       \
    for (unsigned i = 0; i < (count) && i < (most); i++) {                                         \
        field                                                                                      \
    }
#define ROW(type, fields)                                                                          \
    static void code_##type(coder *c, type *item)                                                  \
    {                                                                                              \
        fields                                                                                     \
    }
#include "program_rows.def"

/* ---- arrays ---- */

/* Room for an array while reading; the limit is what the bytes that are left can hold. */
static void *begin_array(coder *c, const void *array, uint64_t count, size_t item)
{
    if (!c->reading)
        return (void *)(uintptr_t)array;
    if (count > (uint64_t)(c->end - c->in)) {
        fail(c, "it ends too early");
        return NULL;
    }
    void *made =
        c->part_count < MAX_PARTS ? fzi_allocate(c->allocator, (size_t)count * item) : NULL;
    if (!made) {
        fail(c, short_memory);
        return NULL;
    }
    memset(made, 0, (size_t)count * item);
    c->parts[c->part_count++] = made;
    return made;
}

/* `code` codes *item. */
#define ITEMS(field, type, count, code)                                                            \
    if (!c->failed) {                                                                              \
        type *item = begin_array(c, c->p->field, (count), sizeof(type));                           \
        c->p->field = item;                                                                        \
        for (uint64_t n = item ? (count) : 0; n && !c->failed; n--, item++)                        \
            code;                                                                                  \
    }

static void code_counts(coder *c)
{
    fz_program *p = c->p;
    uint32_t *counts[] = {
        &p->text_length, &p->code_length, &p->function_count, &p->variable_count, &p->shown_count,
        &p->hint_count, &p->type_count, &p->name_list_length, &p->int_table_count,
        &p->int_pool_length, &p->set_table_count, &p->set_pool_length, &p->choice_count,
        &p->option_count, &p->filter_count, &p->filter_list_length, &p->die_count, &p->face_count,
        &p->native_count, &p->place_count, &p->line_count, &p->removed_count, &p->source_count,
        &p->player_count, &p->team_count, &p->kind_count, &p->setting_count, &p->info_count,
        &p->test_count, &p->step_count,
    };

    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        CODE(*counts[i])
    if (c->reading &&
        (p->text_length == 0 || p->player_count < 1 || p->player_count > FZ_MAX_PLAYERS ||
         p->kind_count > FZ_MAX_KINDS || p->team_count < 1 || p->team_count > FZ_MAX_PLAYERS ||
         p->type_count > 65535))
        fail(c, "its counts are none of a program");
}

static void code_board(coder *c)
{
    fz_board *b = &c->p->board;

    CODE(b->shape)
    CODE(b->on_vertices)
    CODE(b->has_sorts)
    CODE(b->words)
    CODE(b->dir_count)
    CODE(b->site_count)
    CODE(b->columns)
    CODE(b->rows)
    CODE(b->orthogonal)
    CODE(b->diagonal)
    CODE(b->adjacent)
    for (unsigned i = 0; i < FZ_MAX_DIRS; i++)
        CODE(b->opposite[i])
    if (c->reading && (!fzi_is_width(b->words) || b->dir_count > FZ_MAX_DIRS))
        fail(c, "its board is none");
    ITEMS(board.next, int16_t, (uint64_t)b->dir_count * b->site_count, CODE(*item))
    ITEMS(board.column, int16_t, b->site_count, CODE(*item))
    ITEMS(board.row, int16_t, b->site_count, CODE(*item))
    ITEMS(board.x, int16_t, b->site_count, CODE(*item))
    ITEMS(board.y, int16_t, b->site_count, CODE(*item))
    ITEMS(board.sorts, uint8_t, b->has_sorts ? b->site_count : 0u, CODE(*item))
    ITEMS(board.site_names, uint32_t, b->site_count, CODE(*item))
    ITEMS(board.dir_names, uint32_t, b->dir_count, CODE(*item))
}

static void code_rules(coder *c)
{
    fz_program *p = c->p;

    CODE(p->setup)
    CODE(p->turn)
    CODE(p->end)
    CODE(p->limit)
    CODE(p->unseen)
    CODE(p->invisible)
    CODE(p->owned)
    CODE(p->payoff)
    CODE(p->limit_turns)
    for (unsigned i = 0; i < FZ_LIMIT_COUNT; i++)
        CODE(p->limits[i])
    CODE(p->has_teams)
    CODE(p->uses_repetitions)
    CODE(p->uses_board_repetitions)
    CODE(p->uses_chance)
    CODE(p->unmarked)
    CODE(p->stack_limit)
    CODE(p->without)
}

/* The initial contents of a state: sets, then ints, then the byte board; where they lie follows
 * from the program, so the layout itself is not in the file. */
static void code_initial(coder *c)
{
    const fz_layout *l = &c->p->layout;
    uint8_t *initial = begin_array(c, c->p->initial, c->p->initial_length, 1);
    uint64_t *sets = (uint64_t *)(void *)initial;
    int32_t *ints = initial ? (int32_t *)(void *)(initial + (l->ints - l->own)) : NULL;
    uint32_t set_words = (l->ints - l->own) / 8, rest = l->ints + l->int_count * 4;

    for (uint32_t i = 0; initial && i < set_words; i++)
        CODE(sets[i])
    for (uint32_t i = 0; initial && i < l->int_count; i++)
        CODE(ints[i])
    for (uint32_t at = rest; initial && at < l->frames; at++)
        CODE(initial[at - l->own])
    c->p->initial = initial;
}

/* Everything; the program points into the bytes' arrays when reading. What is read is bounded by
 * the bytes, and the verifier checks it; only the layout is made before. */
static void code_program(coder *c)
{
    fz_program *p = c->p;

    code_counts(c);
    ITEMS(text, char, p->text_length, CODE(*item))
    CODE(p->title)
    code_board(c);
#define ARRAY(field, type, length, what) ITEMS(field, type, p->length, code_##type(c, item))
#define TEXTS(field, length, what) NUMBERS(field, uint32_t, length)
#define NUMBERS(field, type, length) ITEMS(field, type, p->length, CODE(*item))
#define LATER(field, type, length)
#include "program_parts.def"
    code_rules(c);
    if (c->reading && !c->failed && fzi_variable_bytes(p) > FZ_MAX_VARIABLE_BYTES)
        fail(c, "its variables are too large");
    if (c->failed)
        return;
    if (c->reading) {
        fzi_layout_make(p, (fz_variable *)(uintptr_t)p->variables);
        p->initial_length = fzi_layout_initial_length(p);
    }
    code_initial(c);
}

/* ---- the head ---- */

static uint64_t mix_text(uint64_t hash, const char *text)
{
    return fzi_text_hash(text, strlen(text) + 1, hash);
}

/* Changes whenever an instruction does, so that the head of a file shows which machine it is for.
 * */
static uint64_t fingerprint(void)
{
    uint64_t hash = FZI_HASH_START;

#define OP(name, operands, extension, flags, meaning)                                             \
    hash = mix_text(mix_text(mix_text(hash, #name), operands), extension);
#include "opcodes.def"
#undef OP
    return hash;
}

static uint64_t checksum(const uint8_t *bytes, size_t length)
{
    uint64_t hash = fzi_text_hash((const char *)bytes, length, FZI_HASH_START);

    return hash ^ hash >> 32;
}

void fzi_gamec_seal(char *bytes, size_t length)
{
    uint8_t *head = (uint8_t *)bytes;

    if (length < HEAD_SIZE)
        return;
    memcpy(head, FZ_GAMEC_MAGIC, 4);
    put_number(head + 4, FZ_GAMEC_VERSION, 4);
    put_number(head + 8, fingerprint(), 8);
    put_number(head + 16, length - HEAD_SIZE, 8);
    put_number(head + 24, checksum(head + HEAD_SIZE, length - HEAD_SIZE), 8);
}

fz_status fz_program_save(fz_context *context, const fz_program *program, char **bytes,
                          size_t *length)
{
    fz_program copy = fzi_program_view(program);
    coder c = {.out = fzi_buffer_in(context->allocator), .p = &copy};
    uint8_t head[HEAD_SIZE] = {0};
    char *saved;

    fzi_buffer_add(&c.out, head, sizeof head);
    code_program(&c);
    size_t size = c.out.length;
    if (fzi_buffer_finish(&c.out, &saved) != FZ_OK)
        return fzi_context_no_memory(context);
    fzi_gamec_seal(saved, size);
    if (length)
        *length = size;
    if (bytes)
        *bytes = saved;
    else
        fz_text_free(context, saved);
    return FZ_OK;
}

/* NULL when the head fits the bytes after it. */
static const char *check_head(const uint8_t *bytes, size_t length)
{
    if (length < HEAD_SIZE || memcmp(bytes, FZ_GAMEC_MAGIC, 4) != 0)
        return "it is no compiled game";
    if (get_number(bytes + 4, 4) != FZ_GAMEC_VERSION || get_number(bytes + 8, 8) != fingerprint())
        return "it was made by another version of ferz";
    if (get_number(bytes + 16, 8) != length - HEAD_SIZE)
        return "its length is not what it says";
    if (get_number(bytes + 24, 8) != checksum(bytes + HEAD_SIZE, length - HEAD_SIZE))
        return "its checksum is wrong";
    return NULL;
}

static fz_status refuse(fz_context *context, const char *path, const char *what)
{
    return fzi_context_fail(context, FZ_BAD_INPUT, "%s: this compiled file cannot be used: %s",
                            path, what);
}

/* Optimisations of how a program is played, which can be switched off in one that is made. */
enum { COMPILED = 0, PLAYED = 1 };
static const uint32_t played =
#define OPTIMISATION(id, name, part, meaning) (uint32_t)part << FZ_OPT_##id |
#include "optimisations.def"
#undef OPTIMISATION
    0;

fz_status fzi_gamec_load(fz_context *context, const char *path, const char *bytes, size_t length,
                         fz_program **program)
{
    fz_program view = {0};
    coder c = {.reading = true, .allocator = context->allocator, .p = &view};
    const char *what = check_head((const uint8_t *)bytes, length);
    char message[256];
    fz_program *made = NULL;

    if (what)
        return refuse(context, path, what);
    c.in = (const uint8_t *)bytes + HEAD_SIZE;
    c.end = (const uint8_t *)bytes + length;
    code_program(&c);
    if (!c.failed && c.in != c.end)
        fail(&c, "there is more in it than a program");
    if (!c.failed && !fzi_verify(&view, context->allocator, message, sizeof message))
        fail(&c, *message ? message : short_memory);
    if (!c.failed) {
        view.without |= context->without & played;
        made = fzi_program_make(context->allocator, &view);
        if (!made)
            fail(&c, short_memory);
    }
    for (unsigned i = 0; i < c.part_count; i++)
        fzi_release(context->allocator, c.parts[i]);
    if (c.failed)
        return c.what == short_memory
                 ? fzi_context_fail(context, FZ_NO_MEMORY, "%s: %s", path, c.what)
                 : refuse(context, path, c.what);
    *program = made;
    return FZ_OK;
}
