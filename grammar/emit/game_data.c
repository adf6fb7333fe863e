/* Makes the data of a program: board, players, kinds, variables, dice, options, sources. lower.c
 * calls it before and after the code. */
#include "emit.h"

#include <stdio.h>

#include "interp/program/values.h"
#include "interp/program/verify.h"

enum { MAX_ELEMENTS = 1 << 16 };

static void lower_board(fzi_lower *lw)
{
    fzi_build *b = &lw->build;
    const fzi_board *from = lw->game->board;
    fz_board *to = &b->program.board;
    uint32_t *sites = fzi_arena_alloc(b->arena, sizeof *sites * (from->site_count + 1));
    uint32_t *dirs = fzi_arena_alloc(b->arena, sizeof *dirs * (from->dir_count + 1));
    to->shape = (uint8_t)from->shape;
    to->on_vertices = from->on_vertices;
    to->words = (uint8_t)fzi_width_for(from->site_count);
    to->dir_count = (uint8_t)from->dir_count;
    to->site_count = (uint16_t)from->site_count;
    to->columns = (uint16_t)from->columns;
    to->rows = (uint16_t)from->rows;
    to->next = from->next;
    to->column = from->column;
    to->row = from->row;
    to->x = from->x;
    to->y = from->y;
    to->has_sorts = from->sorts != NULL;
    to->sorts = from->sorts;
    to->orthogonal = from->orthogonal;
    to->diagonal = from->diagonal;
    to->adjacent = from->adjacent;
    memcpy(to->opposite, from->opposite, sizeof to->opposite);
    for (unsigned s = 0; s < from->site_count; s++)
        sites[s] = fzi_build_text(b, from->site_names[s]);
    for (unsigned d = 0; d < from->dir_count; d++)
        dirs[d] = fzi_build_text(b, from->dir_names[d]);
    to->site_names = sites;
    to->dir_names = dirs;
}

static void lower_players(fzi_lower *lw)
{
    fzi_build *b = &lw->build;
    const fzi_game *game = lw->game;
    for (unsigned p = 0; p < game->player_count; p++) {
        const fzi_seat *seat = &game->players[p];
        fz_player_info info = {fzi_build_text(b, seat->symbol->name), (int8_t)seat->team,
                               (int8_t)seat->facing};
        fzi_array_add(b, &b->players, &info);
    }
    for (unsigned t = 0; t < game->team_count; t++) {
        uint32_t name = fzi_build_text(b, game->teams[t]->name);
        fzi_array_add(b, &b->team_names, &name);
    }
    b->program.has_teams = game->has_teams;
    for (unsigned k = 0; k < game->piece_count; k++) {
        fz_kind_info info = {fzi_build_text(b, game->pieces[k].symbol->name),
                             fzi_build_text(b, game->pieces[k].letter)};
        fzi_array_add(b, &b->kinds, &info);
    }
}

/* The faces of a die that is a range. */
static void number_faces(fzi_lower *lw, const fzi_symbol *die)
{
    int64_t low = die->type->low, high = die->type->high;
    if (!fzi_at_most(lw->game, die->span, "the die", (unsigned)(high - low + 1), "faces",
                     MAX_ELEMENTS))
        return;
    for (int64_t v = low; v <= high; v++) {
        fz_face made = {(int32_t)v, 1};
        fzi_array_add(&lw->build, &lw->build.faces, &made);
    }
}

static void lower_dice(fzi_lower *lw)
{
    fzi_build *b = &lw->build;
    for (unsigned i = 0; i < lw->game->die_count; i++) {
        fzi_symbol *symbol = lw->game->dice[i];
        const fzi_node *node = symbol->node;
        fz_die die = {fzi_build_text(b, symbol->name), fzi_build_type(b, symbol->type),
                      (uint32_t)b->faces.count, 0};
        bool named = symbol->type->kind == FZI_TYPE_NAMED;
        int64_t number = 0;
        for (const fzi_node *face = node->faces; face; face = face->next, number++) {
            int64_t value = number;
            fzi_view nothing = fzi_view_constant(lw);
            if (!named && !fzi_constant_int(lw, fzi_elaborate(lw, nothing, face->value), &value))
                fzi_not_constant(lw, face->span, FZ_E_CONSTANT_WANTED, "a face");
            fz_face made = {(int32_t)value, (uint32_t)face->number};
            fzi_array_add(b, &b->faces, &made);
        }
        if (!node->faces)
            number_faces(lw, symbol);
        die.faces = (uint32_t)b->faces.count - die.first;
        uint32_t *index = FZI_NEW(b->arena, uint32_t);
        *index = fzi_array_add(b, &b->dice, &die);
        symbol->lowered = index;
    }
}

/* "false true", or the names, and the comments of the names. */
static void list_values(fzi_build *b, const fzi_option *option, fz_option_choice *choice)
{
    const char *values = option->kind == FZ_OPTION_SWITCH ? "false true" : "", *comment = "";
    for (const fzi_node *v = option->node->values; v; v = v->next) {
        values = fzi_arena_printf(b->arena, "%s%s%s", values, *values ? " " : "", v->name);
        if (v->text)
            comment = fzi_arena_printf(b->arena, "%s%s%s: %s", comment, *comment ? "; " : "",
                                       v->name, v->text);
    }
    choice->values = fzi_build_text(b, values);
    choice->comment = fzi_build_text(b, option->node->text ? option->node->text : comment);
}

static fz_option_choice option_choice(fzi_build *b, const fzi_option *option)
{
    fz_option_choice choice = {.name = fzi_build_text(b, option->name),
                               .low = option->low, .high = option->high,
                               .type = (uint8_t)option->kind,
                               .is_default = option->chosen == option->initial};
    choice.value = fzi_build_text(b, fzi_option_text(b->arena, option, option->chosen));
    choice.initial = fzi_build_text(b, fzi_option_text(b->arena, option, option->initial));
    list_values(b, option, &choice);
    return choice;
}

static void lower_settings(fzi_lower *lw)
{
    fzi_build *b = &lw->build;
    const fzi_unit *unit = lw->game->unit;
    for (size_t i = 0; i < unit->option_count; i++) {
        fz_option_choice choice = option_choice(b, &unit->options[i]);
        fzi_array_add(b, &b->settings, &choice);
    }
    for (const fzi_node *decl = unit->decls; decl; decl = decl->next) {
        if (decl->kind != N_D_INFO)
            continue;
        for (const fzi_node *entry = decl->entries; entry; entry = entry->next) {
            fz_info_entry info = {fzi_build_text(b, entry->name), fzi_build_text(b, entry->text)};
            bool known = false;
            for (size_t k = 0; k < b->info.count; k++) {
                fz_info_entry *there = FZI_ITEM(b->info, fz_info_entry, k);
                if (there->key == info.key) {
                    there->value = info.value;
                    known = true;
                }
            }
            if (!known)
                fzi_array_add(b, &b->info, &info);
        }
    }
}

static void lower_sources(fzi_lower *lw)
{
    fzi_build *b = &lw->build;
    bool hides = lw->emission->purpose == FZI_FOR_FILES;
    fz_source_info none = {0};
    fzi_array_add(b, &b->sources, &none);
    for (size_t i = 1; i < lw->game->sources->count; i++) {
        const fzi_source *source = fzi_source_at(lw->game->sources, (uint32_t)i);
        const char *name = strrchr(source->path, '/');
        fz_source_info info = {fzi_build_text(b, hides && name ? name + 1 : source->path),
                               fzi_build_text_n(b, source->text, source->length),
                               (uint32_t)source->length};
        fzi_array_add(b, &b->sources, &info);
    }
}

/* ---- variables ---- */

static bool is_shown(const fzi_game *game, const fzi_symbol *symbol)
{
    for (unsigned i = 0; i < game->shown_count; i++) {
        if (game->shown[i]->symbol == symbol)
            return true;
    }
    return false;
}

void fzi_lower_variables(fzi_lower *lw)
{
    fzi_build *b = &lw->build;
    for (unsigned i = 0; i < lw->game->var_count; i++) {
        fzi_symbol *symbol = lw->game->vars[i];
        fzi_lowered_var *lowered = FZI_NEW(b->arena, fzi_lowered_var);
        fz_variable var = {0};
        uint64_t length = 1;
        var.name = fzi_build_text(b, symbol->name);
        var.type = fzi_build_type(b, symbol->type);
        for (unsigned k = 0; k < symbol->index_count && k < 4; k++) {
            var.index[k] = fzi_build_type(b, symbol->index[k]);
            length *= (uint64_t)fzi_type_size(symbol->index[k]);
            length = length > UINT32_MAX ? UINT32_MAX : length;
        }
        if (!fzi_at_most(lw->game, symbol->span, "the variable", (unsigned)length, "elements",
                         MAX_ELEMENTS))
            length = 1;
        var.index_count = (uint8_t)symbol->index_count;
        var.is_bits = symbol->index_count == 1 && symbol->index[0]->kind == FZI_TYPE_SITE &&
                      symbol->type->kind == FZI_TYPE_BOOL;
        var.is_set = var.is_bits || fzi_is_sites(symbol->type);
        var.length = var.is_bits ? 1 : (uint32_t)length;
        uint16_t flags = symbol->node->flags;
        var.carried = (flags & FZ_NODE_CARRIED) != 0;
        var.clock = (flags & FZ_NODE_CLOCK) != 0;
        var.secret = (flags & FZ_NODE_SECRET) != 0;
        var.shown = is_shown(lw->game, symbol);
        var.initial = (int32_t)fzi_type_default(symbol->type);
        lowered->is_bits = var.is_bits;
        lowered->is_set = var.is_set;
        lowered->is_wide = symbol->type->kind == FZI_TYPE_SET && !var.is_set &&
                           symbol->type->element->kind != FZI_TYPE_DIR;
        lowered->variable = fzi_array_add(b, &b->variables, &var);
        symbol->lowered = lowered;
    }
}

/* The variable whose initial values are being evaluated. */
typedef struct initial {
    fzi_lower *lw;
    uint8_t *block;
    const fzi_symbol *symbol;
} initial;

/* `count` elements from `first` on begin with the value of `node`. */
static void initial_elements(const initial *in, uint32_t first, uint32_t count,
                             const fzi_node *node)
{
    fzi_lower *lw = in->lw;
    const fzi_symbol *symbol = in->symbol;
    const fzi_lowered_var *var = symbol->lowered;
    bool whole_set = var->is_bits && fzi_is_sites(node->type);
    uint64_t words[FZ_MAX_WORDS];
    int64_t value;
    fzi_view nothing = fzi_view_constant(lw);
    const fzi_ir *ir = whole_set ? fzi_elaborate_sites(lw, nothing, node)
                                 : fzi_elaborate_as(lw, nothing, node, symbol->type);
    ir = fzi_fold_to_table(lw, ir);
    bool set = ir->is_set;
    if (set ? !fzi_constant_set(lw, ir, words) : !fzi_constant_int(lw, ir, &value)) {
        fzi_not_constant(lw, node->span, FZ_E_NOT_CONSTANT, symbol->name);
        return;
    }
    if (!set && !var->is_bits && symbol->type->kind == FZI_TYPE_INT &&
        (value < symbol->type->low || value > symbol->type->high)) {
        fzi_error(lw->game->diags, node->span, FZ_E_OUT_OF_RANGE, (long long)value,
                  symbol->type->text);
        return;
    }
    const fz_program *p = &lw->build.program;
    const fz_variable *v = &p->variables[var->variable];
    for (uint32_t i = first; i < first + (whole_set ? 1 : count); i++) {
        if (set)
            fzi_element_put_sites(p, in->block, v, i, words);
        else
            fzi_element_put(p, in->block, v, i, value);
    }
}

/* The table at index number `at`, for `count` elements from `first` on. Elements without a key keep
 * their default. */
static void initial_part(const initial *in, unsigned at, uint32_t first, uint32_t count,
                         const fzi_node *node)
{
    const fzi_symbol *symbol = in->symbol;
    bool keyed = node->kind == N_E_KEYS;
    if (at == symbol->index_count || (node->kind != N_E_LIST && !keyed)) {
        initial_elements(in, first, count, node);
        return;
    }
    const fzi_type *type = symbol->index[at];
    int64_t low = fzi_type_low(type);
    uint32_t size = (uint32_t)fzi_type_size(type), stride = count / size;
    int64_t place = 0;
    for (const fzi_node *item = node->entries; item; item = item->next, place++) {
        fzi_view nothing = fzi_view_constant(in->lw);
        if (keyed && !fzi_constant_int(in->lw, fzi_elaborate(in->lw, nothing, item->key), &place))
            return;
        if (keyed)
            place -= low;
        if (place >= 0 && place < size)
            initial_part(in, at + 1, first + (uint32_t)place * stride, stride,
                         keyed ? item->value : item);
    }
}

static void initial_variable(fzi_lower *lw, uint8_t *block, const fzi_symbol *symbol)
{
    const initial in = {lw, block, symbol};
    uint32_t count = 1;
    for (unsigned k = 0; k < symbol->index_count; k++)
        count *= (uint32_t)fzi_type_size(symbol->index[k]);
    initial_part(&in, 0, 0, count, symbol->node->value);
}

static bool variables_fit(const fzi_lower *lw)
{
    uint64_t bytes = fzi_variable_bytes(&lw->build.program);
    return fzi_at_most(lw->game, lw->game->unit->header_span, "the game",
                       bytes > UINT32_MAX ? UINT32_MAX : (unsigned)bytes, "bytes of variables",
                       FZ_MAX_VARIABLE_BYTES);
}

/* Looks at the generated code, so rules that options disable need no history. */
static void find_repetitions(fz_program *p)
{
    for (uint32_t i = 0; i < p->code_length; i += fzi_opcode_length(FZ_CODE_OP(p->code[i]))) {
        p->uses_repetitions |= FZ_CODE_OP(p->code[i]) == FZ_OP_REPETITIONS ||
                               FZ_CODE_OP(p->code[i]) == FZ_OP_REPETITIONS_SINCE;
        p->uses_board_repetitions |= FZ_CODE_OP(p->code[i]) == FZ_OP_BOARD_REPETITIONS;
    }
}

void fzi_lower_initial(fzi_lower *lw)
{
    fzi_build *b = &lw->build;
    fzi_build_view(b);
    if (!variables_fit(lw))
        return;
    find_repetitions(&b->program);
    fzi_layout_make(&b->program, b->variables.items);
    b->program.initial_length = fzi_layout_initial_length(&b->program);
    uint8_t *bytes = fzi_arena_alloc(b->arena, b->program.initial_length + 8);
    uint8_t *block = fzi_initial_clear(&b->program, bytes);
    for (unsigned i = 0; i < lw->game->var_count; i++) {
        if (lw->game->vars[i]->node->value)
            initial_variable(lw, block, lw->game->vars[i]);
    }
    fzi_build_view(b);
    b->program.initial = bytes;
}

void fzi_lower_data(fzi_lower *lw)
{
    fzi_build *b = &lw->build;
    b->program.title = fzi_build_text(b, lw->game->unit->title);
    lower_board(lw);
    lower_sources(lw);
    lower_players(lw);
    lower_settings(lw);
    lw->maker.arena = b->arena;
    lw->maker.words = b->program.board.words;
    lw->maker.site_count = b->program.board.site_count;
    lw->maker.fuses = fzi_on(&b->program, FZ_OPT_FUSED);
    lower_dice(lw);
}
