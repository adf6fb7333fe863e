/* The rows of primitives.def, and signatures of symbols in messages. */
#include "checker.h"

static const fzi_primitive_row rows[] = {
#define PRIM(name, parameters, result, effects, meaning) {#name, parameters, effects, (#result)[0]},
#include "primitives.def"
#undef PRIM
};

const fzi_primitive_row *fzi_primitive_at(int64_t index)
{
    return &rows[index];
}

bool fzi_is_of_stacks(const fzi_primitive_row *row)
{
    return strchr(row->effects, 'P') != NULL;
}

uint32_t fzi_primitive_effects(int64_t index)
{
    uint32_t effects = index == FZI_PRIM_attacked ? FZI_ATTACKS : 0;
    for (const char *at = rows[index].effects; *at; at++) {
        switch (*at) {
        case 'R': effects |= FZI_READS_STATE; break;
        case 'M': effects |= FZI_USES_ME; break;
        case 'C': effects |= FZI_CHANCE; break;
        case 'W': effects |= FZI_WRITES; break;
        case 'L': effects |= FZI_READS_LAST | FZI_READS_STATE; break;
        case 'H': effects |= FZI_READS_HISTORY | FZI_READS_STATE; break;
        default: break;
        }
    }
    return effects;
}

const fzi_type *fzi_primitive_type(const fzi_game *game, char letter)
{
    switch (letter) {
    case 's': return game->type_site;
    case 'S': return game->type_sites;
    case 'd': return game->type_dir;
    case 'D': return game->type_dirs;
    case 'p': return game->type_player;
    case 't': return game->type_team;
    case 'k': case 'K': return game->type_kind;
    case 'i': return game->type_int;
    case 'b': return game->type_bool;
    case 'o': return game->type_off;
    case 'v': return game->type_void;
    default: return NULL;
    }
}

void fzi_primitive_count(const char *parameters, unsigned *least, unsigned *most)
{
    const char *optional = strchr(parameters, '?');
    *most = (unsigned)strlen(parameters) - (optional != NULL);
    *least = optional ? (unsigned)(optional - parameters) : *most;
}

static bool means(const fzi_symbol *symbol, int primitive)
{
    return symbol && symbol->kind == FZI_SYM_PRIMITIVE && symbol->value == primitive;
}

bool fzi_names_primitive(const fzi_node *node, int primitive)
{
    return node->kind == N_E_NAME && means(node->symbol, primitive);
}

bool fzi_calls_primitive(const fzi_node *node, int primitive)
{
    return (node->kind == N_E_CALL || node->kind == N_S_CALL) && means(node->symbol, primitive);
}

const fzi_type *fzi_parameter_type(const fzi_game *game, const fzi_symbol *symbol, unsigned at)
{
    if (symbol->kind != FZI_SYM_PRIMITIVE || symbol->value >= FZI_PIECE_MOVES)
        return at < symbol->param_count ? symbol->params[at]->type : NULL;
    const char *letters = fzi_primitive_at(symbol->value)->parameters;
    for (; *letters; letters++)
        if (*letters != '?' && at-- == 0)
            return fzi_primitive_type(game, *letters);
    return NULL;
}

/* ---- signatures in messages ---- */

static const char *primitive_signature(const fzi_checker *c, const fzi_primitive_row *row)
{
    const char *text = row->name, *separator = "(", *close = "";
    for (const char *at = row->parameters; *at; at++) {
        if (*at == '?') {
            separator = "[, ";
            close = "]";
            continue;
        }
        const fzi_type *type = fzi_primitive_type(c->game, *at);
        const char *word = type        ? type->text
                           : *at == 'G' ? "generator"
                           : *at == 'R' ? "die"
                           : *at == 'X' ? "set"
                                        : "value";
        text = fzi_arena_printf(c->arena, "%s%s%s%s", text, separator, word, close);
        if (!*close)
            separator = ", ";
    }
    return fzi_arena_printf(c->arena, "%s)", text);
}

static const char *type_text(const fzi_type *type)
{
    return type ? type->text : "?";
}

const char *fzi_signature(const fzi_checker *c, const fzi_symbol *symbol)
{
    const char *text = symbol->name, *separator = "";
    if (symbol->kind == FZI_SYM_PRIMITIVE && symbol->value < FZI_PIECE_MOVES)
        return primitive_signature(c, fzi_primitive_at(symbol->value));
    if (symbol->kind == FZI_SYM_PROPERTY)
        return fzi_arena_printf(c->arena, "%s(kind)", text);
    if (symbol->kind == FZI_SYM_LET || symbol->kind == FZI_SYM_VAR) {
        separator = "[";
        for (unsigned i = 0; i < symbol->index_count; i++, separator = ", ")
            text = fzi_arena_printf(c->arena, "%s%s%s", text, separator, symbol->index[i]->text);
        return symbol->index_count ? fzi_arena_printf(c->arena, "%s]", text) : text;
    }
    if (symbol->param_count && !symbol->params) /* it is declared later */
        return fzi_arena_printf(c->arena, "%s(...)", text);
    separator = "(";
    for (unsigned i = 0; i < symbol->param_count; i++, separator = ", ")
        text = fzi_arena_printf(c->arena, "%s%s%s: %s", text, separator, symbol->params[i]->name,
                                type_text(symbol->params[i]->type));
    if (!symbol->param_count && symbol->kind != FZI_SYM_MOVES)
        text = fzi_arena_printf(c->arena, "%s(", text);
    if (symbol->param_count || symbol->kind != FZI_SYM_MOVES)
        text = fzi_arena_printf(c->arena, "%s)", text);
    return text;
}
