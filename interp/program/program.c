/* Makes a program from the arrays that the compiler or program_file.c filled, shares it, and
 * answers the questions of ferz.h about it. */
#include <stdio.h>

#include "data_flow.h"
#include "place_cursor.h"
#include "interp/board/topology.h"
#include "interp/support/text.h"

/* The arrays that program_parts.def does not list: field, type of an item, how many. */
#define FURTHER_PARTS                                                                             \
    PART(text, char, p->text_length)                                                              \
    PART(board.next, int16_t, (size_t)p->board.site_count * p->board.dir_count)                   \
    PART(board.column, int16_t, p->board.site_count)                                              \
    PART(board.row, int16_t, p->board.site_count)                                                 \
    PART(board.x, int16_t, p->board.site_count)                                                   \
    PART(board.y, int16_t, p->board.site_count)                                                   \
    PART(board.sorts, uint8_t, p->board.has_sorts ? p->board.site_count : 0u)                     \
    PART(board.site_names, uint32_t, p->board.site_count)                                         \
    PART(board.dir_names, uint32_t, p->board.dir_count)                                           \
    PART(initial, uint8_t, p->initial_length)

static size_t aligned(size_t size)
{
    return (size + 15) / 16 * 16;
}

void fzi_program_confine(fz_program *program)
{
#define LIMIT(field, name, usual, most, part)                                                      \
    if (program->limits[FZ_LIMIT_##field] > usual)                                                 \
        program->limits[FZ_LIMIT_##field] = usual;
#include "limits.def"
}

static const void *copy_part(uint8_t **at, const void *from, size_t size)
{
    uint8_t *part = *at;
    if (!from)
        return NULL;
    memcpy(part, from, size);
    *at += aligned(size);
    return part;
}

static bool find_hides(const fz_program *program)
{
    bool hides = program->unseen >= 0 || program->invisible >= 0;

    for (uint32_t i = 0; i < program->variable_count; i++)
        hides |= program->variables[i].secret != 0;
    for (uint32_t i = 0; i < program->choice_count; i++)
        hides |= program->choices[i].sealed != 0;
    for (uint32_t i = 0; i < program->option_count; i++)
        hides |= program->options[i].shown != program->options[i].label;
    FZI_FOR_CODE (i, program, 0, hides ? 0 : program->code_length)
        hides |= FZ_CODE_OP(program->code[i]) == FZ_OP_SEEN;
    return hides;
}

fz_program *fzi_program_make(fzi_allocator allocator, const fz_program *view)
{
    const fz_program *p = view; /* as the counts name it */
    size_t size = aligned(sizeof *p) + aligned(sizeof allocator);
#define ARRAY(field, type, count, what) size += aligned(p->count * sizeof(type));
#include "program_parts.def"
#define PART(field, type, count) size += aligned((count) * sizeof(type));
    FURTHER_PARTS
#undef PART
    uint8_t *block = fzi_allocate(allocator, size);
    if (!block)
        return NULL;
    fz_program *made = (fz_program *)(void *)block;
    *made = fzi_program_view(view);
    made->references = 1;
    made->native_code = NULL;
    made->compiled = NULL;
    made->owner = block + aligned(sizeof *p);
    *(fzi_allocator *)(void *)(block + aligned(sizeof *p)) = allocator;
    uint8_t *at = block + aligned(sizeof *p) + aligned(sizeof allocator);
#define ARRAY(field, type, count, what) \
    made->field = copy_part(&at, p->field, p->count * sizeof(type));
#include "program_parts.def"
#define PART(field, type, count) made->field = copy_part(&at, p->field, (count) * sizeof(type));
    FURTHER_PARTS
#undef PART
    made->hides = find_hides(made);
    made->topology = fzi_topology_new(&made->board, allocator);
    if (made->topology && fzi_program_find_last(made, allocator, &made->reads_last) &&
        fzi_program_find_last_moves(made, allocator, (fz_option_info *)made->options) &&
        fzi_program_find_trials(made, allocator, (fz_choice *)made->choices,
                                (fz_option_info *)made->options))
        return made;
    fzi_topology_free(made->topology);
    fzi_release(allocator, block);
    return NULL;
}

fzi_allocator fzi_program_allocator(const fz_program *program)
{
    return program->owner ? *(const fzi_allocator *)program->owner : fzi_allocator_default();
}

void fz_program_retain(fz_program *program)
{
    __atomic_add_fetch(&program->references, 1, __ATOMIC_RELAXED);
}

static void detach(fzi_attachment *attachment)
{
    if (attachment)
        attachment->free(attachment);
}

void fz_program_release(fz_program *program)
{
    if (!program || __atomic_sub_fetch(&program->references, 1, __ATOMIC_ACQ_REL))
        return;
    fzi_allocator allocator = fzi_program_allocator(program);
    fzi_topology_free(program->topology);
    detach(program->native_code);
    detach(program->compiled);
    fzi_release(allocator, program);
}

/* ---- what a program says of itself ---- */

bool fz_program_has_chance(const fz_program *program)
{
    return program->uses_chance;
}

bool fz_program_hides(const fz_program *program)
{
    return program->hides;
}

const char *fz_program_title(const fz_program *program)
{
    return fzi_text(program, program->title);
}

int fz_program_players(const fz_program *program)
{
    return (int)program->player_count;
}

const char *fz_program_player_name(const fz_program *program, int player)
{
    return fzi_is_player(program, player) ? fzi_text(program, program->players[player].name)
                                          : "nobody";
}

int fz_program_team(const fz_program *program, int player)
{
    if (!fzi_is_player(program, player))
        return FZ_NOT_THERE;
    return program->has_teams ? program->players[player].team : player;
}

int fz_program_sites(const fz_program *program)
{
    return program->board.site_count;
}

const char *fz_program_site_name(const fz_program *program, int site)
{
    bool known = site >= 0 && site < program->board.site_count;
    return known ? fzi_text(program, program->board.site_names[site]) : "off";
}

const char *fz_version(void)
{
    return FZ_VERSION;
}

int fz_program_kinds(const fz_program *program)
{
    return (int)program->kind_count;
}

static bool is_kind(const fz_program *program, int kind)
{
    return kind >= 0 && (uint32_t)kind < program->kind_count;
}

const char *fz_program_kind_name(const fz_program *program, int kind)
{
    return is_kind(program, kind) ? fzi_text(program, program->kinds[kind].name) : "none";
}

const char *fz_program_kind_letter(const fz_program *program, int kind)
{
    return is_kind(program, kind) ? fzi_text(program, program->kinds[kind].letter) : "";
}

int fz_program_options(const fz_program *program)
{
    return (int)program->setting_count;
}

bool fz_program_option_info(const fz_program *program, int option, fz_setting_info *info)
{
    if (option < 0 || (uint32_t)option >= program->setting_count)
        return false;
    const fz_option_choice *chosen = &program->settings[option];
    if (info)
        *info = (fz_setting_info){.name = fzi_text(program, chosen->name),
                                  .value = fzi_text(program, chosen->value),
                                  .initial = fzi_text(program, chosen->initial),
                                  .type = (fz_option_type)chosen->type,
                                  .low = chosen->low,
                                  .high = chosen->high,
                                  .values = fzi_text(program, chosen->values),
                                  .comment = fzi_text(program, chosen->comment)};
    return true;
}

bool fz_program_option(const fz_program *program, int option, fz_setting *setting, bool *is_default)
{
    fz_setting_info info;
    if (!fz_program_option_info(program, option, &info))
        return false;
    if (setting)
        *setting = (fz_setting){info.name, info.value};
    if (is_default)
        *is_default = program->settings[option].is_default;
    return true;
}

bool fz_program_source(const fz_program *program, unsigned number, const char **path,
                       const char **text, size_t *length)
{
    if (number + 1 >= program->source_count) /* the first is no text */
        return false;
    const fz_source_info *source = &program->sources[number + 1];
    if (path)
        *path = fzi_text(program, source->path);
    if (text)
        *text = fzi_text(program, source->text);
    if (length)
        *length = source->text_length;
    return true;
}

void fz_program_place_text(const fz_program *program, uint32_t place, char *buffer, size_t size)
{
    static const fz_place nowhere;
    fzi_place_text(program, place < program->place_count ? &program->places[place] : &nowhere,
                   buffer, size);
}

int fz_program_variable(const fz_program *program, const char *name)
{
    for (uint32_t i = 0; i < program->variable_count; i++)
        if (!program->variables[i].hidden &&
            strcmp(fzi_text(program, program->variables[i].name), name) == 0)
            return (int)i;
    return FZ_NOT_THERE;
}

int fz_program_variables(const fz_program *program)
{
    return (int)program->variable_count;
}

bool fz_program_variable_info(const fz_program *program, int variable, fz_variable_info *info)
{
    if (variable < 0 || (uint32_t)variable >= program->variable_count ||
        program->variables[variable].hidden)
        return false;
    const fz_variable *v = &program->variables[variable];
    if (info)
        *info = (fz_variable_info){.name = fzi_text(program, v->name),
                                   .length = v->is_bits ? program->board.site_count : v->length,
                                   .is_sites = v->is_set && !v->is_bits, .is_secret = v->secret};
    return true;
}

/* ---- places ---- */

uint32_t fzi_program_place_index(const fz_program *program, uint32_t code)
{
    uint32_t next = fzi_row_from(program->lines, program->line_count, sizeof *program->lines,
                                 code + 1);
    return next ? program->lines[next - 1].place : 0;
}

const fz_place *fzi_program_place(const fz_program *program, uint32_t code)
{
    static const fz_place nowhere;
    return program->place_count ? &program->places[fzi_program_place_index(program, code)]
                                : &nowhere;
}

void fzi_place_begin(const fz_program *program, const fz_place *place, unsigned *line,
                     unsigned *column)
{
    fzi_place_cursor cursor = {0};

    fzi_place_cursor_move(&cursor, program, place);
    *line = cursor.line;
    *column = cursor.column;
}

const fz_function *fzi_program_function_at(const fz_program *program, uint32_t code)
{
    for (uint32_t i = 0; i < program->function_count; i++)
        if (code >= program->functions[i].start && code < program->functions[i].end)
            return &program->functions[i];
    return NULL;
}

void fzi_place_text(const fz_program *program, const fz_place *place, char *buffer, size_t size)
{
    unsigned line, column;

    if (size)
        *buffer = '\0';
    if (!place->source || place->source >= program->source_count)
        return;
    fzi_place_begin(program, place, &line, &column);
    snprintf(buffer, size, "%s:%u:%u", fzi_text(program, program->sources[place->source].path),
             line, column);
}

void fz_option_place(const fz_program *program, uint32_t option, char *text, size_t size)
{
    if (size)
        *text = '\0';
    if (option < program->option_count)
        fzi_place_text(program, &program->places[program->options[option].place], text, size);
}
