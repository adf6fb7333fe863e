#include "verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/support/words.h"
#include "variables.h"

/* A check that fails leaves through `give_up`; nothing is held but `owner`. */
typedef struct checker {
    const fz_program *p;
    uint32_t *owner;       /* for each code word: 1 + function if an instruction begins there */
    char *message;
    size_t size;
    fzi_allocator allocator;
    jmp_buf give_up;
} checker;

__attribute__((noreturn, format(printf, 2, 3))) static void refuse(checker *c, const char *format,
                                                                   ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(c->message, c->size, format, arguments);
    va_end(arguments);
    longjmp(c->give_up, 1);
}

static void want(checker *c, bool holds, const char *what, uint32_t number)
{
    if (!holds)
        refuse(c, "damaged program: %s %lu", what, (unsigned long)number);
}

/* first .. first + count - 1 lie below `limit`. */
static bool inside(uint64_t first, uint64_t count, uint64_t limit)
{
    return first <= limit && count <= limit - first;
}

/* ---- texts, types, tables ---- */

/* A text of its own, not the end of another one. */
static void text(checker *c, uint32_t offset, const char *what, uint32_t number)
{
    want(c, offset < c->p->text_length && (!offset || !c->p->text[offset - 1]), what, number);
}

static void flag(checker *c, unsigned value, const char *what, uint32_t number)
{
    want(c, value <= 1, what, number);
}

/* No text of a valid script holds what a terminal may obey: control characters but line breaks and
 * tabs. */
static bool is_harmless(const char *text, uint32_t length)
{
    for (uint32_t i = 0; i < length; i++) {
        unsigned char at = (unsigned char)text[i];
        if ((at && at < ' ' && (at < '\t' || at > '\r')) || at == 0x7F ||
            (at == 0xC2 && i + 1 < length && (unsigned char)text[i + 1] < 0xA0))
            return false;
    }
    return true;
}

static void check_counts(checker *c)
{
    const fz_program *p = c->p;
    const fz_board *b = &p->board;
    want(c, p->text && p->text_length && !p->text[0] && !p->text[p->text_length - 1] &&
                is_harmless(p->text, p->text_length), "texts", 0);
    want(c, fzi_is_width(b->words) && b->site_count && b->site_count <= b->words * 64, "sites",
         b->site_count);
    want(c, b->dir_count <= FZ_MAX_DIRS, "directions", b->dir_count);
    want(c, p->player_count >= 1 && p->player_count <= FZ_MAX_PLAYERS, "players", p->player_count);
    want(c, p->kind_count <= FZ_MAX_KINDS, "kinds", p->kind_count);
    want(c, !p->layout.at || (p->kind_count + 1) * (p->player_count + 1) <= UINT8_MAX, "kinds",
         p->kind_count);
    want(c, p->place_count >= 1 && p->source_count >= 1, "places", 0);
    want(c, p->team_count >= 1 && p->team_count <= p->player_count, "teams", p->team_count);
    want(c, p->has_teams || p->team_count == p->player_count, "teams", p->team_count);
    flag(c, p->has_teams, "teams", p->has_teams);
    flag(c, p->uses_repetitions, "repetitions", p->uses_repetitions);
    flag(c, p->uses_board_repetitions, "repetitions", p->uses_board_repetitions);
    flag(c, p->uses_chance, "chance", p->uses_chance);
    flag(c, p->unmarked, "pieces of nobody", p->unmarked);
    want(c, p->pile_limit != 1, "stacks up to", p->pile_limit);
    want(c, p->without < UINT64_C(1) << FZ_OPT_COUNT, "optimisations", p->without);
    text(c, p->title, "title", 0);
}

static void check_board(checker *c)
{
    const fz_board *b = &c->p->board;
    uint64_t dirs = (UINT64_C(1) << b->dir_count) - 1;
    enum { FARTHEST = 4 * FZ_MAX_SITES }; /* a drawing has blanks up to there */
    want(c, b->shape < FZ_SHAPE_NONE || (b->shape == FZ_SHAPE_NONE && b->site_count == 1), "shape",
         b->shape);
    flag(c, b->on_vertices, "shape", b->on_vertices);
    flag(c, b->has_sorts, "sorts", b->has_sorts);
    want(c, (uint32_t)b->columns * b->rows <= 1 << 16, "columns", b->columns);
    want(c, !((b->orthogonal | b->diagonal | b->adjacent) & ~dirs), "kinds of directions", 0);
    for (uint32_t i = 0; i < (uint32_t)b->dir_count * b->site_count; i++)
        want(c, b->next[i] >= -1 && b->next[i] < b->site_count, "neighbour", i);
    for (uint32_t i = 0; i < b->site_count; i++) {
        text(c, b->site_names[i], "name of site", i);
        want(c, b->column[i] >= 0 && b->column[i] <= b->columns, "column of site", i);
        want(c, b->row[i] >= 0 && b->row[i] <= b->rows, "row of site", i);
        want(c, !b->column[i] == !b->row[i], "row of site", i);
        want(c, !b->has_sorts || b->sorts[i] < FZ_SORT_COUNT, "sort of site", i);
        want(c, abs(b->x[i]) <= FARTHEST && abs(b->y[i]) <= FARTHEST, "place of site", i);
    }
    for (uint32_t i = 0; i < b->dir_count; i++) {
        text(c, b->dir_names[i], "name of direction", i);
        want(c, b->opposite[i] <= b->dir_count, "opposite of direction", i);
    }
}

static void check_players(checker *c)
{
    const fz_program *p = c->p;
    for (uint32_t i = 0; i < p->player_count; i++) {
        text(c, p->players[i].name, "player", i);
        want(c, p->players[i].facing >= -1 && p->players[i].facing < p->board.dir_count, "player",
             i);
        want(c, p->players[i].team >= 0 && (uint32_t)p->players[i].team < p->team_count,
             "team of player", i);
        want(c, p->has_teams || (uint32_t)p->players[i].team == i, "team of player", i);
    }
    for (uint32_t i = 0; i < p->team_count; i++)
        text(c, p->team_names[i], "team", i);
    for (uint32_t i = 0; i < p->kind_count; i++) {
        text(c, p->kinds[i].name, "kind", i);
        text(c, p->kinds[i].letter, "kind", i);
    }
    for (uint32_t i = 0; i < p->setting_count; i++) {
        text(c, p->settings[i].name, "option", i);
        text(c, p->settings[i].value, "option", i);
        flag(c, p->settings[i].is_default, "option", i);
    }
    for (uint32_t i = 0; i < p->info_count; i++) {
        text(c, p->info[i].key, "info", i);
        text(c, p->info[i].value, "info", i);
    }
}

/* How many values there are, from 0 on; 0: numbers or sets. */
static int64_t value_count(const fz_program *p, const fz_value_type *t)
{
    switch (t->kind) {
    case FZ_VALUE_BOOL: return 2;
    case FZ_VALUE_SITE: return p->board.site_count;
    case FZ_VALUE_DIR: return p->board.dir_count;
    case FZ_VALUE_PLAYER: return p->player_count;
    case FZ_VALUE_TEAM: return p->team_count;
    case FZ_VALUE_KIND: return p->kind_count;
    case FZ_VALUE_NAMED: return (int64_t)t->high + 1;
    default: return 0;
    }
}

static void check_types(checker *c)
{
    const fz_program *p = c->p;
    for (uint32_t i = 0; i < p->name_list_length; i++)
        text(c, p->name_lists[i], "name", i);
    for (uint32_t i = 0; i < p->type_count; i++) {
        const fz_value_type *t = &p->types[i];
        want(c, t->kind <= FZ_VALUE_MASK && t->element < p->type_count, "type", i);
        want(c, t->kind >= FZ_VALUE_SITES || t->low <= t->high, "type", i);
        int64_t count = value_count(p, t);
        bool from = t->low == 0 || (t->kind == FZ_VALUE_NAMED && t->low == FZ_NOT_THERE);
        want(c, !count || (from && t->high == count - 1), "type", i);
        if (t->kind == FZ_VALUE_MASK)
            want(c, t->element < p->type_count && p->types[t->element].kind < FZ_VALUE_SITES,
                 "type", i);
        if (t->kind == FZ_VALUE_NAMED)
            want(c, t->high >= 0 && inside(t->names, (uint64_t)t->high + 1, p->name_list_length),
                 "type", i);
    }
}

/* No bits beyond the last site. */
static bool clean(const fz_program *p, const uint64_t *set)
{
    for (unsigned i = 0; i < p->board.words; i++) {
        unsigned sites = p->board.site_count <= i * 64 ? 0 : p->board.site_count - i * 64u;
        if (sites < 64 && set[i] >> sites)
            return false;
    }
    return true;
}

static void check_tables(checker *c)
{
    const fz_program *p = c->p;
    unsigned w = p->board.words;
    /* bounded: many tables of the same rows would be looked at for ever */
    uint64_t rows = 0, faces = 0;
    for (uint32_t i = 0; i < p->int_table_count; i++)
        want(c, inside(p->int_tables[i].first, p->int_tables[i].length, p->int_pool_length),
             "table", i);
    for (uint32_t i = 0; i < p->set_table_count; i++) {
        const fz_set_table *t = &p->set_tables[i];
        want(c, inside(t->first, (uint64_t)t->rows * w, p->set_pool_length), "table", i);
        want(c, (rows += t->rows) <= 1 << 24, "rows of table", i);
        for (uint32_t row = 0; row < t->rows; row++)
            want(c, clean(p, p->set_pool + t->first + (size_t)row * w), "row of table", i);
    }
    for (uint32_t i = 0; i < p->die_count; i++) {
        const fz_die *die = &p->dice[i];
        uint64_t total = 0;
        text(c, die->name, "die", i);
        want(c, die->type < p->type_count && inside(die->first, die->faces, p->face_count), "die",
             i);
        want(c, (faces += die->faces) <= 1 << 24, "faces of die", i);
        for (uint32_t f = 0; f < die->faces; f++) {
            const fz_face *face = &p->faces[die->first + f];
            want(c,
                 face->value >= p->types[die->type].low && face->value <= p->types[die->type].high,
                 "die", i);
            total += face->weight;
        }
        want(c, total && total <= UINT32_MAX, "weights of die", i);
    }
    for (uint32_t i = 0; i < p->native_count; i++) {
        const fz_native *n = &p->natives[i];
        text(c, n->name, "native function", i);
        text(c, n->library, "native function", i);
        text(c, n->symbol, "native function", i);
        want(c,
             n->params <= sizeof n->order && n->int_params + n->set_params == n->params &&
                 n->low <= n->high,
             "native function", i);
        unsigned sets = 0;
        for (unsigned k = 0; k < n->params; k++) {
            flag(c, n->order[k], "native function", i);
            sets += n->order[k];
        }
        want(c, sets == n->set_params, "native function", i);
    }
}

static void check_places(checker *c)
{
    const fz_program *p = c->p;
    for (uint32_t i = 0; i < p->source_count; i++) {
        const fz_source_info *source = &p->sources[i];
        text(c, source->path, "source", i);
        text(c, source->text, "source", i);
        want(c, strlen(fzi_text(p, source->text)) == source->text_length, "source", i);
    }
    for (uint32_t i = 0; i < p->place_count; i++) {
        const fz_place *place = &p->places[i];
        want(c, place->source < p->source_count && place->start <= place->end &&
                    place->end <= p->sources[place->source].text_length, "place", i);
    }
    for (uint32_t i = 0; i < p->line_count; i++)
        want(c, p->lines[i].place < p->place_count && p->lines[i].code < p->code_length &&
                    (!i || p->lines[i].code >= p->lines[i - 1].code), "line", i);
    for (uint32_t i = 0; i < p->removed_count; i++)
        want(c, p->removed[i].place < p->place_count, "removed rule", i);
}

/* ---- variables and layout ---- */

static void check_flags(checker *c, const fz_variable *v, const char *what, uint32_t number)
{
    const uint8_t flags[] = {v->is_set, v->is_bits, v->carried, v->clock,
                             v->secret, v->shown,   v->hidden};
    for (size_t i = 0; i < sizeof flags; i++)
        flag(c, flags[i], what, number);
}

static void check_variables(checker *c)
{
    const fz_program *p = c->p;
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < p->variable_count; i++) {
        const fz_variable *v = &p->variables[i];
        text(c, v->name, "variable", i);
        want(c, v->type < p->type_count && v->length && v->index_count <= 4, "variable", i);
        check_flags(c, v, "variable", i);
        bool sites = p->types[v->type].kind == FZ_VALUE_SITES;
        bool bits = v->is_bits && p->types[v->type].kind == FZ_VALUE_BOOL && v->index_count == 1 &&
                    v->index[0] < p->type_count && p->types[v->index[0]].kind == FZ_VALUE_SITE;
        want(c, v->is_set == (sites || bits) && v->is_bits == bits, "variable", i);
        for (unsigned n = 0; n < v->index_count; n++)
            want(c, v->index[n] < p->type_count, "variable", i);
        want(c, fzi_element_count_sound(p, v), "indexes of variable", i);
        want(c, !v->carried || !p->pile_limit, "carried variable", i);
        want(c, !v->carried || v->is_bits || v->length % p->board.site_count == 0,
             "carried variable", i);
        bytes += (uint64_t)v->length *
                 (v->is_set ? p->board.words * 8u : 4u * fzi_variable_slots(p, v));
    }
    want(c, bytes <= FZ_MAX_VARIABLE_BYTES, "variables:", p->variable_count);
}

/* Is the value one of the type's, or what reading at `off` gives? */
static bool fits(const fz_program *p, const fz_variable *v, int64_t value)
{
    const fz_value_type *t = &p->types[v->type];
    if (t->kind == FZ_VALUE_MASK) {
        int64_t members = value_count(p, &p->types[t->element]);
        uint64_t high = (uint64_t)p->types[t->element].high;
        uint64_t most = members ? (uint64_t)members - 1 : high < 63 ? high : 63;
        return most >= 31 || !((uint64_t)(uint32_t)value >> (most + 1));
    }
    bool absent = t->kind != FZ_VALUE_INT && t->kind != FZ_VALUE_BOOL && value == FZ_NOT_THERE;
    return absent || value == v->initial || (value >= t->low && value <= t->high);
}

static void check_initial(checker *c)
{
    const fz_program *p = c->p;
    const fz_layout *l = &p->layout;
    unsigned w = p->board.words;
    uint32_t sets = (l->sets - l->own) / 8 / w + l->set_count;
    want(c, p->initial && p->initial_length == l->stack - l->own, "initial state", 0);
    for (uint32_t i = 0; i < sets; i++) {
        uint64_t set[FZ_MAX_WORDS];
        memcpy(set, p->initial + (size_t)i * w * 8, w * 8u);
        want(c, clean(p, set), "initial set", i);
    }
    const int32_t *ints = (const int32_t *)(const void *)(p->initial + (l->ints - l->own));
    for (uint32_t i = 0; i < p->variable_count; i++) {
        const fz_variable *v = &p->variables[i];
        bool wide = fzi_variable_is_wide(p, v);
        for (uint32_t e = 0; !v->is_set && !wide && e < v->length; e++)
            want(c, fits(p, v, ints[v->offset + e]), "initial value of variable", i);
        for (uint32_t e = 0; wide && e < v->length; e++) {
            uint64_t mask = (uint64_t)fzi_mask_get(ints + v->offset + 2 * (size_t)e);
            want(c, !(mask & ~fzi_mask_all(p, &p->types[v->type])), "initial value of variable", i);
        }
    }
    /* Set-up puts the pieces: before it, sets of owners and kinds and the byte board agree in being
     * empty. */
    for (uint32_t i = 0; i < l->sets - l->own; i++)
        want(c, !p->initial[i], "pieces before set-up", i);
    for (uint32_t i = 0; l->at && i < p->board.site_count; i++)
        want(c, !p->initial[l->at - l->own + i], "pieces before set-up", i);
}

/* The layout is what the counts and the code make it: nothing else would fit the loop. */
static void check_layout(checker *c)
{
    const fz_program *p = c->p;
    fz_program again = fzi_program_view(p);
    fz_variable *variables = fzi_allocate(c->allocator, p->variable_count * sizeof *variables);
    if (!variables)
        longjmp(c->give_up, 1);
    if (p->variable_count)
        memcpy(variables, p->variables, p->variable_count * sizeof *variables);
    again.variables = variables;
    memset(&again.layout, 0, sizeof again.layout);
    fzi_layout_make(&again, variables);
    bool same = !memcmp(&again.layout, &p->layout, sizeof again.layout);
    for (uint32_t i = 0; same && i < p->variable_count; i++)
        same = variables[i].offset == p->variables[i].offset;
    fzi_release(c->allocator, variables);
    want(c, same, "layout", 0);
    check_initial(c);
}

/* ---- code ---- */

static void find_instructions(checker *c, uint32_t function)
{
    const fz_program *p = c->p;
    const fz_function *f = &p->functions[function];
    text(c, f->name, "function", function);
    want(c, f->start < f->end && f->end <= p->code_length, "function", function);
    want(c, f->int_params <= f->ints && f->set_params <= f->sets && f->result <= 2, "function",
         function);
    uint32_t at = f->start, last = at;
    while (at < f->end) {
        unsigned op = FZ_CODE_OP(p->code[at]);
        want(c, op < FZ_OP_COUNT && op != FZ_OP_TRACE && !c->owner[at], "instruction at", at);
        c->owner[at] = function + 1;
        last = at;
        at += fzi_opcode_length(op);
    }
    want(c, at == f->end && fzi_opcode_is(FZ_CODE_OP(p->code[last]), FZ_FLAG_ENDS),
         "end of function", function);
}

static bool begins(const checker *c, uint32_t at, uint32_t function)
{
    return at < c->p->code_length && c->owner[at] == function + 1;
}

static void operand(checker *c, char letter, unsigned value, const fz_function *f, uint32_t at)
{
    switch (letter) {
    case 'I': case 'i': case 'm':
        want(c, value < f->ints, "register at", at);
        break;
    case 'S': case 's': case 'w':
        want(c, value < f->sets, "register at", at);
        break;
    case 'U':
        break;
    default:
        want(c, !value, "operand at", at);
        break;
    }
}

static void bytes(checker *c, unsigned op, fz_code word, const fz_function *f, uint32_t at)
{
    const char *letters = fzi_opcode_bytes(op);
    for (unsigned i = 0; i < 4; i++)
        if (letters[i] != '_')
            operand(c, letters[i], word >> (8 * i) & 0xff, f, at);
}

static uint32_t function_of_filter(const fz_program *p, uint32_t filter)
{
    return p->choices[p->filters[filter].choice].function;
}

static void extension(checker *c, char letter, uint32_t function, unsigned op, fz_code word,
                      uint32_t at)
{
    const fz_program *p = c->p;
    bool good = true;
    switch (letter) {
    case 'J':
        good = begins(c, word, function);
        if (op == FZ_OP_COUNT_UP || op == FZ_OP_EACH_ON || op == FZ_OP_MEACH_ON)
            good = good && word <= at;
        else if (op != FZ_OP_JUMP && op != FZ_OP_RANDOM_WEIGHED)
            good = good && word > at;
        break;
    case 'V': good = word < p->int_table_count; break;
    case 'T': good = word < p->set_table_count; break;
    case 'A': good = word < p->variable_count; break;
    case 'F': good = word < p->function_count; break;
    case 'C': good = word < p->choice_count && p->choices[word].function == function; break;
    case 'O': good = word < p->option_count &&
                     p->choices[p->options[word].choice].function == function; break;
    case 'L': good = word < p->filter_count && function_of_filter(p, word) == function; break;
    case 'D': good = word < p->die_count; break;
    case 'X': text(c, word, "text at", at); break;
    case 'Y': good = word < p->type_count; break;
    case 'N': good = word < p->native_count; break;
    case '4': bytes(c, op, word, &p->functions[function], at); break;
    default: break; /* K: below */
    }
    want(c, good, "instruction at", at);
}

static void check_call(checker *c, const fz_function *f, fz_code word, uint32_t at)
{
    const fz_function *to = &c->p->functions[c->p->code[at + 1]];
    bool tail = FZ_CODE_OP(word) == FZ_OP_TAILCALL;
    want(c, FZ_CODE_A(word) + to->int_params <= f->ints || !to->int_params, "call at", at);
    want(c, FZ_CODE_B(word) + to->set_params <= f->sets || !to->set_params, "call at", at);
    if (tail) /* its result goes where this function's would have gone */
        want(c, !to->result || to->result == f->result, "call at", at);
    else if (to->result)
        want(c, FZ_CODE_C(word) < (to->result == 1 ? f->ints : f->sets), "call at", at);
}

static void check_variable_use(checker *c, unsigned op, const fz_variable *v, uint32_t at)
{
    bool good, wide = fzi_variable_is_wide(c->p, v);
    switch (op) {
    case FZ_OP_SUM_OF: case FZ_OP_SABOVE:
        good = !v->is_set && !wide && v->length >= c->p->board.site_count;
        break;
    case FZ_OP_LOAD: case FZ_OP_LOADX: case FZ_OP_STORE: case FZ_OP_STOREX:
        good = !v->is_set && !wide;
        break;
    case FZ_OP_FILL:
        good = (!v->is_set && !wide) || v->is_bits;
        break;
    case FZ_OP_MLOAD: case FZ_OP_MLOADX: case FZ_OP_MSTORE: case FZ_OP_MSTOREX: case FZ_OP_MFILL:
        good = wide;
        break;
    case FZ_OP_BITLOAD: case FZ_OP_BITSTORE: case FZ_OP_SLOAD: case FZ_OP_SSTORE:
        good = v->is_set;
        break;
    default:
        good = v->is_set && !v->is_bits;
        break;
    }
    want(c, good, "variable at", at);
}

/* Every step stays on the board, and those of a shape ascend. */
static bool is_shape(const fz_program *p, uint32_t ints, uint32_t sets)
{
    const fz_int_table *deltas = &p->int_tables[ints];
    const fz_set_table *valid = &p->set_tables[sets];
    unsigned words = p->board.words;
    if (deltas->length != valid->rows || deltas->length % FZ_SHAPE_STEPS)
        return false;
    for (uint32_t i = 0; i < valid->rows; i++) {
        const uint64_t *row = p->set_pool + valid->first + i * words;
        int64_t delta = p->int_pool[deltas->first + i];
        bool first = i % FZ_SHAPE_STEPS == 0;
        for (int64_t s = 0; s < p->board.site_count; s++) {
            bool has = row[s / 64] >> s % 64 & 1;
            if (has && (s + delta < 0 || s + delta >= p->board.site_count ||
                        (!first && delta <= p->int_pool[deltas->first + i - 1])))
                return false;
        }
        if (delta <= -FZ_MAX_SITES || delta >= FZ_MAX_SITES)
            return false;
    }
    return true;
}

/* For each axis what it adds to a site's number, then a row for each site. */
static bool is_windows(const fz_program *p, int32_t n, uint32_t table)
{
    const fz_set_table *t = &p->set_tables[table];
    unsigned words = p->board.words, rows = p->board.site_count + 1u;
    if (n < 2 || t->rows % rows)
        return false;
    for (uint32_t axis = 0; axis < t->rows; axis += rows) {
        const uint64_t *delta = p->set_pool + t->first + (size_t)axis * words;
        if (*delta < 1 || *delta >= p->board.site_count)
            return false;
        for (unsigned i = 1; i < words; i++)
            if (delta[i])
                return false;
    }
    return true;
}

/* What the letters do not say. */
static void check_special(checker *c, const fz_function *f, uint32_t at)
{
    const fz_program *p = c->p;
    const fz_code *code = p->code + at;
    unsigned op = FZ_CODE_OP(*code), x = FZ_CODE_A(*code), y = FZ_CODE_B(*code),
             z = FZ_CODE_C(*code);
    bool good = true;
    switch (op) {
    case FZ_OP_SROW: good = code[2] < p->set_tables[code[1]].rows; break;
    case FZ_OP_TABLE2: case FZ_OP_STABLE2: case FZ_OP_MTABLE2: case FZ_OP_SUNION_ROWS:
        good = (int32_t)code[2] > 0;
        break;
    case FZ_OP_INDEX: case FZ_OP_CYCLE: good = (int32_t)code[1] > 0; break;
    case FZ_OP_MTURN: good = (int32_t)code[1] > 0 && code[1] <= 64; break;
    case FZ_OP_CALL: case FZ_OP_TAILCALL: check_call(c, f, *code, at); break;
    case FZ_OP_IRETURN: good = f->result == 1; break;
    case FZ_OP_SRETURN: good = f->result == 2; break;
    case FZ_OP_NATIVE:
        good = (!p->natives[code[1]].int_params || y + p->natives[code[1]].int_params <= f->ints) &&
               (!p->natives[code[1]].set_params || z + p->natives[code[1]].set_params <= f->sets);
        break;
    case FZ_OP_GIVE: good = p->layout.at != 0 || p->kind_count < 2; break;
    case FZ_OP_OF_GIVEN: case FZ_OP_PUT1_GIVEN: good = y < p->kind_count; break;
    case FZ_OP_SHIFT_GIVEN: good = z < p->board.dir_count; break;
    case FZ_OP_RANK: good = x <= FZ_MAX_KEYS; break;
    case FZ_OP_CHOOSE: case FZ_OP_CAN: good = p->choices[code[1]].start == at; break;
    case FZ_OP_DECIDE:
        good = FZ_CODE_OP(p->code[p->choices[code[1]].start]) == FZ_OP_CHOOSE;
        break;
    case FZ_OP_CAN_YET:
        good = FZ_CODE_OP(p->code[p->choices[code[1]].start]) == FZ_OP_CAN &&
               FZ_CODE_OP(p->code[code[2]]) == FZ_OP_CAN_END && p->code[code[2] + 1] == code[1];
        break;
    case FZ_OP_CAN_END:
        good = FZ_CODE_OP(p->code[p->choices[code[1]].start]) == FZ_OP_CAN;
        break;
    case FZ_OP_GROUP: case FZ_OP_END_GROUP:
        good = p->filters[code[1]].kind != FZ_FILTER_ENSURING;
        break;
    case FZ_OP_EMIT_ROWS:
        good = (int32_t)code[3] > 0 && code[3] <= 1 << 16;
        break;
    case FZ_OP_EMIT_SHIFTS: case FZ_OP_ALSO_SHIFTS:
        good = is_shape(p, code[2], code[3]);
        break;
    case FZ_OP_STEP_BACK: good = is_shape(p, code[1], code[2]); break;
    case FZ_OP_WITHIN:
        good = p->filters[code[1]].bounded && y == p->filters[code[1]].keys &&
               x + 2 * y <= f->ints;
        break;
    case FZ_OP_LINE_AT_GIVEN: good = is_windows(p, (int32_t)code[1], code[2]); break;
    case FZ_OP_VERDICT: good = y >= 1 && y <= FZ_MAX_KEYS && x + y <= f->ints; break;
    case FZ_OP_RANDOM_WEIGHED: good = FZ_CODE_OP(p->code[code[2]]) == FZ_OP_WEIGH; break;
    default: break;
    }
    good = good && (p->layout.at || !fzi_opcode_is(op, FZ_FLAG_AT));
    good = good && (p->layout.piles || !fzi_opcode_is(op, FZ_FLAG_PILES));
    if (fzi_opcode_binds(op))
        good = good && p->options[code[1]].bindings >= fzi_opcode_binds(op);
    want(c, good, "instruction at", at);
}

static void check_code(checker *c, uint32_t function)
{
    const fz_program *p = c->p;
    const fz_function *f = &p->functions[function];
    for (uint32_t at = f->start; at < f->end;) {
        fz_code word = p->code[at];
        unsigned op = FZ_CODE_OP(word);
        const char *letters = fzi_opcode_operands(op), *more = fzi_opcode_extension(op);
        operand(c, letters[0], FZ_CODE_A(word), f, at);
        operand(c, letters[1], FZ_CODE_B(word), f, at);
        operand(c, letters[2], FZ_CODE_C(word), f, at);
        for (uint32_t i = 0; more[i]; i++) {
            extension(c, more[i], function, op, p->code[at + 1 + i], at);
            if (more[i] == 'A')
                check_variable_use(c, op, &p->variables[p->code[at + 1 + i]], at);
        }
        check_special(c, f, at);
        at += fzi_opcode_length(op);
    }
}

/* ---- choices ---- */

static void check_filter_list(checker *c, uint32_t first, unsigned count, uint32_t function,
                              const char *what, uint32_t number)
{
    const fz_program *p = c->p;
    want(c, count <= FZ_MAX_PENDING && inside(first, count, p->filter_list_length), what, number);
    for (unsigned i = 0; i < count; i++)
        want(c, p->filter_lists[first + i] < p->filter_count &&
                    function_of_filter(p, p->filter_lists[first + i]) == function, what, number);
}

/* The code of a filter ends in a VERDICT with its keys, and says WITHIN if its keys are bounded. */
static void check_filter(checker *c, uint32_t number)
{
    const fz_program *p = c->p;
    const fz_filter *filter = &p->filters[number];
    want(c,
         filter->choice < p->choice_count && filter->kind <= FZ_FILTER_KEEP_MIN &&
             filter->keys >= 1 && filter->keys <= FZ_MAX_KEYS &&
             (filter->kind != FZ_FILTER_ENSURING || filter->keys == 1),
         "filter", number);
    flag(c, filter->bounded, "filter", number);
    want(c, !filter->bounded || filter->kind != FZ_FILTER_ENSURING, "filter", number);
    uint32_t function = function_of_filter(p, number), at = filter->code;
    want(c, begins(c, at, function), "filter", number);
    bool within = false;
    while (at < p->functions[function].end && FZ_CODE_OP(p->code[at]) != FZ_OP_VERDICT) {
        within |= FZ_CODE_OP(p->code[at]) == FZ_OP_WITHIN && p->code[at + 1] == number;
        at += fzi_opcode_length(FZ_CODE_OP(p->code[at]));
    }
    want(c, at < p->functions[function].end && FZ_CODE_B(p->code[at]) == filter->keys, "filter",
         number);
    want(c, within == filter->bounded, "filter", number);
}

static void check_choices(checker *c)
{
    const fz_program *p = c->p;
    uint64_t options = 0;
    for (uint32_t i = 0; i < p->choice_count; i++) {
        const fz_choice *choice = &p->choices[i];
        want(c, choice->function < p->function_count && choice->place < p->place_count, "choice",
             i);
        want(c, inside(choice->first_option, choice->options, p->option_count), "choice", i);
        for (uint32_t o = 0; o < choice->options; o++)
            want(c, p->options[choice->first_option + o].choice == i, "choice", i);
        options += choice->options;
        want(c, begins(c, choice->start, choice->function), "choice", i);
        unsigned op = FZ_CODE_OP(p->code[choice->start]);
        want(c, fzi_opcode_is(op, FZ_FLAG_OPENS), "choice", i);
        want(c, p->code[choice->start + 1] == i, "choice", i);
        flag(c, choice->filtered, "choice", i);
    }
    want(c, options == p->option_count, "options:", p->option_count);
    for (uint32_t i = 0; i < p->filter_count; i++)
        check_filter(c, i);
    for (uint32_t i = 0; i < p->choice_count; i++) {
        const fz_choice *choice = &p->choices[i];
        check_filter_list(c, choice->filter, choice->filters, choice->function, "choice", i);
        want(c, choice->filtered || !choice->filters, "choice", i);
        const fz_variable *v =
            choice->sealed - 1 < p->variable_count ? &p->variables[choice->sealed - 1] : NULL;
        want(c, !choice->sealed || (v && v->hidden && !v->is_set), "choice", i);
    }
}

static void check_options(checker *c)
{
    const fz_program *p = c->p;
    for (uint32_t i = 0; i < p->option_count; i++) {
        const fz_option_info *o = &p->options[i];
        want(c, o->choice < p->choice_count && o->bindings <= FZ_MAX_BINDINGS, "option", i);
        uint32_t function = p->choices[o->choice].function;
        want(c, o->first + o->bindings <= p->functions[function].ints || !o->bindings, "option", i);
        want(c, begins(c, o->effect, function) && begins(c, o->label, function) &&
                    begins(c, o->shown, function), "option", i);
        want(c, o->from >= -1 && o->from < o->bindings && o->to >= -1 && o->to < o->bindings,
             "option", i);
        for (unsigned b = 0; b < o->bindings; b++) {
            want(c, o->types[b] < p->type_count, "option", i);
            text(c, o->names[b], "option", i);
        }
        check_filter_list(c, o->first_filter, o->filters, function, "option", i);
        want(c, p->choices[o->choice].filtered || !o->filters, "option", i);
        want(c, o->place < p->place_count, "option", i);
    }
}

/* ---- what is run from outside ---- */

/* A function that is called with so many integers or fewer: `me`, a player. */
static void entry(checker *c, int32_t function, bool needed, unsigned params, unsigned result,
                  const char *what, uint32_t number)
{
    want(c, function < 0 ? !needed : (uint32_t)function < c->p->function_count, what, number);
    if (function < 0)
        return;
    const fz_function *f = &c->p->functions[function];
    want(c, f->int_params <= params && !f->set_params && f->result == result, what, number);
}

static void check_part(checker *c, const fz_test_step *step, uint32_t at)
{
    const fz_program *p = c->p;
    bool typed = step->a >= 0 && step->a < p->type_count && step->function >= 0 &&
                 (uint32_t)step->function < p->function_count;
    want(c, typed, "step", at);
    if (typed)
        want(c, p->functions[step->function].result ==
                    (p->types[step->a].kind == FZ_VALUE_SITES ? 2 : 1), "step", at);
}

static void check_step(checker *c, uint32_t number)
{
    const fz_program *p = c->p;
    const fz_test_step *step = &p->steps[number];
    bool truth = step->op == FZ_TEST_EXPECT || step->op == FZ_TEST_OUTCOME, good = true;
    want(c, step->op < FZ_TEST_OP_COUNT && step->place < p->place_count, "step", number);
    text(c, step->text, "step", number);
    if (step->op == FZ_TEST_PART)
        check_part(c, step, number);
    else
        entry(c, step->function, truth || step->op == FZ_TEST_DO, 1, truth, "step", number);
    switch (step->op) {
    case FZ_TEST_POSITION: good = step->a >= -1 && step->a < p->player_count; break;
    case FZ_TEST_PERFT:
    case FZ_TEST_PERFT_DECISIONS:
    case FZ_TEST_MOVE_COUNT: good = step->a >= 0; break;
    case FZ_TEST_SEEN_INCLUDE:
    case FZ_TEST_SEEN_EXCLUDE: good = step->b >= 0 && step->b < p->player_count; break;
    case FZ_TEST_OUTCOME: good = step->a >= 0 && step->b > 0; break;
    default: break;
    }
    want(c, good, "step", number);
}

/* Steps that are lists: as many of the right sort follow as they say. */
static void check_list(checker *c, const fz_test_info *test, uint32_t at)
{
    const fz_test_step *step = &c->p->steps[at];
    bool texts = step->op >= FZ_TEST_MOVES_ARE && step->op <= FZ_TEST_SEEN_EXCLUDE;
    if (!texts && step->op != FZ_TEST_OUTCOMES)
        return;
    want(c, step->a >= 0 && step->a < test->first + test->steps - at, "step", at);
    for (uint32_t i = 1; i <= (uint32_t)step->a; i++)
        want(c, step[i].op == (texts ? FZ_TEST_TEXT : FZ_TEST_OUTCOME), "step", at + i);
}

/* A part of an expectation: its function gives a value of its type. */
static void check_entries(checker *c)
{
    const fz_program *p = c->p;
    entry(c, p->setup, false, 1, 0, "set-up", 0);
    entry(c, p->turn, true, 1, 0, "turn", 0);
    entry(c, p->end, false, 1, 0, "end", 0);
    entry(c, p->limit, false, 1, 0, "limit", 0);
    entry(c, p->unseen, false, 2, 2, "unseen", 0);
    entry(c, p->invisible, false, 2, 2, "invisible", 0);
    entry(c, p->owned, false, 2, 2, "owned", 0);
    entry(c, p->payoff, false, 2, 1, "payoff", 0);
    want(c, p->limit_turns >= 0 && (p->limit < 0 || p->limit_turns > 0), "limit", 0);
    for (uint32_t i = 0; i < p->test_count; i++) {
        text(c, p->tests[i].title, "test", i);
        want(c, inside(p->tests[i].first, p->tests[i].steps, p->step_count) &&
                    p->tests[i].place < p->place_count, "test", i);
    }
    for (uint32_t i = 0; i < p->step_count; i++)
        check_step(c, i);
    for (uint32_t i = 0; i < p->test_count; i++) {
        const fz_test_info *test = &p->tests[i];
        want(c, !i || test->first >= test[-1].first + test[-1].steps, "test", i);
        for (uint32_t s = 0; s < test->steps; s++)
            check_list(c, test, test->first + s);
    }
}

/* Shown `let`s have no place in the state; all else is that of variables. */
static void check_shown(checker *c)
{
    const fz_program *p = c->p;
    uint64_t elements = 0;
    for (uint32_t i = 0; i < p->shown_count; i++) {
        const fz_variable *v = &p->shown[i].like;
        text(c, v->name, "shown value", i);
        text(c, p->shown[i].mark, "shown value", i);
        want(c,
             v->type < p->type_count && v->length && v->index_count <= 4 && !v->is_bits &&
                 !v->hidden,
             "shown value", i);
        check_flags(c, v, "shown value", i);
        want(c, v->is_set == (p->types[v->type].kind == FZ_VALUE_SITES), "shown value", i);
        for (unsigned n = 0; n < v->index_count; n++)
            want(c, v->index[n] < p->type_count, "shown value", i);
        want(c, fzi_element_count_sound(p, v) && fzi_element_count(p, v) == v->length,
             "shown value", i);
        elements += v->length;
        want(c, p->shown[i].function < p->function_count, "shown value", i);
        const fz_function *f = &p->functions[p->shown[i].function];
        want(c,
             f->int_params == v->index_count + 1 && !f->set_params &&
                 f->result == (v->is_set ? 2 : 1),
             "shown value", i);
    }
    want(c, elements <= 1 << 20, "shown values:", p->shown_count);
}

/* What the flags say of the code, and the order in which it uses registers. */
static void check_flow(checker *c)
{
    const fz_program *p = c->p;
    bool whole = false, board = false;
    uint32_t at;
    for (uint32_t i = 0; i < p->function_count; i++)
        for (at = p->functions[i].start; at < p->functions[i].end;
             at += fzi_opcode_length(FZ_CODE_OP(p->code[at]))) {
            whole |= FZ_CODE_OP(p->code[at]) == FZ_OP_REPETITIONS;
            board |= FZ_CODE_OP(p->code[at]) == FZ_OP_BOARD_REPETITIONS;
        }
    for (uint32_t i = 0; i < p->line_count; i++) /* traced programs have other instructions there */
        want(c, c->owner[p->lines[i].code], "line", i);
    want(c, p->uses_repetitions == whole && p->uses_board_repetitions == board, "repetitions", 0);
    if (!fzi_registers_assigned(p, c->allocator, &at)) {
        want(c, at == UINT32_MAX, "a register is read before it is written at", at);
        longjmp(c->give_up, 1); /* memory is short */
    }
}

static void check_names(checker *c)
{
    const char *what;
    uint32_t number;
    if (fzi_texts_sound(c->p, c->allocator, &what, &number))
        return;
    if (what)
        want(c, false, what, number);
    longjmp(c->give_up, 1); /* memory is short */
}

static void check_all(checker *c)
{
    const fz_program *p = c->p;
    check_counts(c);
    check_board(c);
    check_players(c);
    check_types(c);
    check_tables(c);
    check_places(c);
    check_variables(c);
    for (uint32_t i = 0; i < p->function_count; i++)
        find_instructions(c, i);
    check_layout(c);
    check_choices(c);
    check_options(c);
    for (uint32_t i = 0; i < p->function_count; i++)
        check_code(c, i);
    check_flow(c);
    check_entries(c);
    check_shown(c);
    check_names(c);
}

bool fzi_verify(const fz_program *program, fzi_allocator allocator, char *message, size_t size)
{
    checker c = {.p = program, .message = message, .size = size, .allocator = allocator};
    if (size)
        *message = '\0';
    c.owner = fzi_allocate(allocator, program->code_length * sizeof *c.owner);
    if (!c.owner)
        return false;
    memset(c.owner, 0, program->code_length * sizeof *c.owner);
    bool good = false;
    if (!setjmp(c.give_up)) {
        check_all(&c);
        good = true;
    }
    fzi_release(allocator, c.owner);
    return good;
}
