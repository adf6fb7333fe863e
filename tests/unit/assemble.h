/* A tiny assembler for the tests of the VM: programs by hand, without the compiler. Everything is a
 * fixed array; what does not fit is a mistake of the test. */
#ifndef FZ_TESTS_ASSEMBLE_H
#define FZ_TESTS_ASSEMBLE_H

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/board/topology.h"
#include "interp/program/values.h"

enum { AS_MAX = 512, AS_SITES = 1024, AS_DIRS = 8 };

typedef struct assembly {
    fz_program p;
    char text[16384];
    fz_code code[AS_MAX];
    fz_function functions[16];
    fz_variable variables[16];
    fz_value_type types[16];
    uint32_t name_lists[64];
    fz_int_table int_tables[16];
    int32_t int_pool[AS_MAX];
    fz_set_table set_tables[16];
    uint64_t set_pool[AS_MAX];
    fz_choice choices[8];
    fz_option_info options[16];
    fz_filter filters[8];
    uint32_t filter_lists[32];
    fz_die dice[4];
    fz_face faces[32];
    fz_player_info players[4];
    fz_kind_info kinds[4];
    fz_place places[1];
    fz_source_info sources[1];
    uint32_t team_names[4];
    int16_t next[AS_DIRS * AS_SITES], column[AS_SITES], row[AS_SITES], x[AS_SITES], y[AS_SITES];
    uint32_t site_names[AS_SITES], dir_names[AS_DIRS];
    uint8_t initial[8192];
} assembly;

static inline uint32_t as_text(assembly *a, const char *text)
{
    uint32_t at = a->p.text_length;
    assert(at + strlen(text) + 1 <= sizeof a->text);
    strcpy(a->text + at, text);
    a->p.text_length += (uint32_t)strlen(text) + 1;
    return at;
}

/* Directions n ne e se s sw w nw. */
static inline void as_square(assembly *a, int width, int height)
{
    static const int step[AS_DIRS][2] = {{0, 1},  {1, 1},   {1, 0},  {1, -1},
                                         {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}};
    static const char *const names[] = {"n", "ne", "e", "se", "s", "sw", "w", "nw"};
    fz_board *b = &a->p.board;
    *b = (fz_board){.shape = FZ_SHAPE_SQUARE,
                    .dir_count = AS_DIRS,
                    .site_count = (uint16_t)(width * height),
                    .columns = (uint16_t)width,
                    .rows = (uint16_t)height,
                    .next = a->next,
                    .column = a->column,
                    .row = a->row,
                    .x = a->x,
                    .y = a->y,
                    .site_names = a->site_names,
                    .dir_names = a->dir_names,
                    .orthogonal = 0x55,
                    .diagonal = 0xaa,
                    .adjacent = 0xff};
    b->words = (uint8_t)fzi_width_for((unsigned)(width * height));
    for (int d = 0; d < AS_DIRS; d++) {
        a->dir_names[d] = as_text(a, names[d]);
        b->opposite[d] = (uint8_t)((d + 4) % 8);
        for (int s = 0; s < width * height; s++) {
            int c = s % width + step[d][0], r = s / width + step[d][1];
            bool on = c >= 0 && c < width && r >= 0 && r < height;
            a->next[d * width * height + s] = (int16_t)(on ? r * width + c : -1);
        }
    }
    for (int s = 0; s < width * height; s++) {
        char name[8];
        snprintf(name, sizeof name, "%c%d", (char)('a' + s % width), s / width + 1);
        a->site_names[s] = as_text(a, name);
        a->column[s] = (int16_t)(s % width + 1);
        a->row[s] = (int16_t)(s / width + 1);
        a->x[s] = (int16_t)(2 * (s % width));
        a->y[s] = (int16_t)(2 * (s / width));
    }
}

static inline uint16_t as_type(assembly *a, unsigned kind, int32_t low, int32_t high)
{
    a->types[a->p.type_count] = (fz_value_type){.kind = (uint8_t)kind, .low = low, .high = high};
    return (uint16_t)a->p.type_count++;
}

/* Two players, one kind of piece, and the types site (0), int -1000..1000 (1), player (2). */
static inline void as_begin(assembly *a, int width, int height)
{
    memset(a, 0, sizeof *a);
    fz_program *p = &a->p;
    p->text = a->text;
    p->text_length = 1;
    p->code = a->code;
    p->functions = a->functions;
    p->variables = a->variables;
    p->types = a->types;
    p->name_lists = a->name_lists;
    p->int_tables = a->int_tables;
    p->int_pool = a->int_pool;
    p->set_tables = a->set_tables;
    p->set_pool = a->set_pool;
    p->choices = a->choices;
    p->options = a->options;
    p->filters = a->filters;
    p->filter_lists = a->filter_lists;
    p->dice = a->dice;
    p->faces = a->faces;
    p->players = a->players;
    p->kinds = a->kinds;
    p->places = a->places;
    p->place_count = 1;
    p->sources = a->sources;
    p->source_count = 1;
    p->team_names = a->team_names;
    p->setup = p->turn = p->end = p->limit = -1;
    p->unseen = p->invisible = p->owned = p->payoff = -1;
    p->title = as_text(a, "test");
    p->player_count = p->team_count = 2;
    a->players[0] = (fz_player_info){as_text(a, "First"), 0, 0};
    a->players[1] = (fz_player_info){as_text(a, "Second"), 1, 4};
    a->team_names[0] = a->players[0].name;
    a->team_names[1] = a->players[1].name;
    p->kind_count = 1;
    a->kinds[0] = (fz_kind_info){as_text(a, "Stone"), as_text(a, "S")};
    as_square(a, width, height);
    as_type(a, FZ_VALUE_SITE, 0, width * height - 1);
    as_type(a, FZ_VALUE_INT, -1000, 1000);
    as_type(a, FZ_VALUE_PLAYER, 0, 1);
}

/* ---- code ---- */

static inline uint32_t as_here(const assembly *a)
{
    return a->p.code_length;
}

static inline uint32_t as_word(assembly *a, uint32_t word)
{
    assert(a->p.code_length < AS_MAX);
    a->code[a->p.code_length] = word;
    return a->p.code_length++;
}

/* An instruction with `extra` extension words; where the first of them is. */
#define AS(a, op, x, y, z) as_word(a, FZ_CODE(FZ_OP_##op, x, y, z))
#define AS1(a, op, x, y, z, e) (AS(a, op, x, y, z), as_word(a, (uint32_t)(e)))
#define AS2(a, op, x, y, z, e, f) (AS1(a, op, x, y, z, e), as_word(a, (uint32_t)(f)))
#define AS3(a, op, x, y, z, e, f, g) (AS2(a, op, x, y, z, e, f), as_word(a, (uint32_t)(g)))

static inline void as_patch(assembly *a, uint32_t word)
{
    a->code[word] = a->p.code_length;
}

static inline uint32_t as_function(assembly *a, const char *name, int int_params, int set_params,
                                   int ints, int sets, int result)
{
    fz_function *f = &a->functions[a->p.function_count];
    *f = (fz_function){.name = as_text(a, name), .start = as_here(a),
                       .int_params = (uint8_t)int_params, .set_params = (uint8_t)set_params,
                       .ints = (uint8_t)ints, .sets = (uint8_t)sets, .result = (uint8_t)result};
    return a->p.function_count++;
}

static inline void as_function_end(assembly *a)
{
    a->functions[a->p.function_count - 1].end = as_here(a);
}

/* ---- tables ---- */

static inline uint32_t as_variable(assembly *a, const char *name, uint16_t type, uint32_t length,
                                   bool is_set, int32_t initial)
{
    a->variables[a->p.variable_count] = (fz_variable){.name = as_text(a, name), .length = length,
                                                      .type = type, .is_set = is_set,
                                                      .initial = initial};
    return a->p.variable_count++;
}

static inline uint32_t as_choice(assembly *a)
{
    fz_choice *c = &a->choices[a->p.choice_count];
    *c = (fz_choice){.function = a->p.function_count - 1, .start = as_here(a),
                     .first_option = a->p.option_count};
    return a->p.choice_count++;
}

static inline uint32_t as_option(assembly *a, uint32_t choice, int first, int bindings, int from,
                                 int to)
{
    fz_option_info *o = &a->options[a->p.option_count];
    *o = (fz_option_info){.choice = choice, .first = (uint8_t)first, .bindings = (uint8_t)bindings,
                          .from = (int8_t)from, .to = (int8_t)to,
                          .first_filter = a->p.filter_list_length};
    a->choices[choice].options++;
    return a->p.option_count++;
}

/* The filter is the option's next one outwards. */
static inline void as_filtered(assembly *a, uint32_t option, uint32_t filter)
{
    a->filter_lists[a->p.filter_list_length++] = filter;
    a->options[option].filters++;
    a->choices[a->options[option].choice].filtered = 1;
}

static inline uint32_t as_filter(assembly *a, uint32_t choice, int kind, int keys)
{
    a->filters[a->p.filter_count] =
        (fz_filter){.choice = choice, .kind = (uint8_t)kind, .keys = (uint8_t)keys};
    return a->p.filter_count++;
}

static inline uint32_t as_int_table(assembly *a, const int32_t *values, uint32_t count,
                                    int32_t initial)
{
    a->int_tables[a->p.int_table_count] = (fz_int_table){a->p.int_pool_length, count, initial};
    memcpy(a->int_pool + a->p.int_pool_length, values, count * sizeof *values);
    a->p.int_pool_length += count;
    return a->p.int_table_count++;
}

static inline uint32_t as_set_table(assembly *a, const uint64_t *words, uint32_t rows)
{
    uint32_t count = rows * a->p.board.words;
    a->set_tables[a->p.set_table_count] = (fz_set_table){a->p.set_pool_length, rows};
    memcpy(a->set_pool + a->p.set_pool_length, words, count * sizeof *words);
    a->p.set_pool_length += count;
    return a->p.set_table_count++;
}

static inline uint32_t as_die(assembly *a, uint16_t type, const fz_face *faces, uint32_t count)
{
    a->dice[a->p.die_count] = (fz_die){as_text(a, "die"), type, a->p.face_count, count};
    memcpy(a->faces + a->p.face_count, faces, count * sizeof *faces);
    a->p.face_count += count;
    return a->p.die_count++;
}

/* The label of an option: its text is that of its bindings' sites one after the other. */
static inline void as_labels(assembly *a)
{
    for (uint32_t i = 0; i < a->p.option_count; i++)
        if (!a->options[i].label) {
            a->options[i].label = a->options[i].shown = as_here(a);
            for (unsigned b = 0; b < a->options[i].bindings; b++)
                AS1(a, TEXT_VALUE, a->options[i].first + b, 0, 0, 0);
            AS(a, TEXT_END, 0, 0, 0);
        }
}

/* The program; released by the caller. */
static inline fz_program *as_finish(assembly *a)
{
    fz_program *p = &a->p;
    p->topology = fzi_topology_new(&p->board, fzi_allocator_default());
    fzi_layout_make(p, a->variables);
    assert(fzi_layout_initial_length(p) <= sizeof a->initial);
    fzi_initial_clear(p, a->initial);
    p->initial = a->initial;
    p->initial_length = fzi_layout_initial_length(p);
    fz_program *made = fzi_program_make(fzi_allocator_default(), p);
    fzi_topology_free(p->topology);
    p->topology = NULL;
    assert(made);
    return made;
}

#endif
