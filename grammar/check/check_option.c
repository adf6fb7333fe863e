/* Checks choices: options, quantifiers, labels, filters. The items of pieces are options too. */
#include "check_option.h"

#include <string.h>

#include "check_body.h"
#include "check_call.h"
#include "check_expr.h"
#include "check_name.h"
#include "check_stmt.h"
#include "probe.h"

/* ---- quantifiers ---- */

static void check_quants(fzi_checker *c, fzi_node *list)
{
    fzi_region region = c->at;
    c->at.no_chance = "a quantifier";
    for (fzi_node *quant = list; quant; quant = quant->next) {
        switch (quant->kind) {
        case N_Q_FOR: fzi_check_binders(c, quant->binders); break;
        case N_Q_LET: fzi_check_bounds(c, quant->bindings, false); break;
        case N_Q_IF: fzi_check_as(c, quant->condition, c->game->type_bool); break;
        default: fzi_check_as(c, quant->player, c->game->type_player); break;
        }
    }
    c->at = region;
}

/* ---- labels ---- */

/* A part of a string literal; the whole of it if it is not written as it reads. */
static fzi_span part_of(const fzi_checker *c, fzi_span whole, const char *text, size_t at,
                        size_t length)
{
    const fzi_source *source = fzi_source_at(c->game->sources, whole.source);
    size_t start = whole.start + 1 + at;
    if (!source || start + length > source->length || strlen(text) + 2 != whole.end - whole.start ||
        memcmp(source->text + start, text + at, length) != 0)
        return whole;
    return (fzi_span){whole.source, (uint32_t)start, (uint32_t)(start + length)};
}

static void check_label_name(fzi_checker *c, fzi_node *node, bool is_condition)
{
    fzi_probe_note(c, node->span, FZI_WANTS_LABEL, NULL);
    fzi_symbol *global = fzi_find_global(c, node->name, FZI_KINDS_VALUE);
    if (!fzi_locals_find(&c->locals, node->name) && (!global || fzi_is_callable(global))) {
        fzi_nearest nearest = {.wanted = node->name};
        for (size_t i = c->locals.count; i > 0; i--)
            fzi_nearest_offer(&nearest, c->locals.items[i - 1]->name);
        fzi_diag *diag = fzi_error(c->diags, node->span, FZ_E_LABEL_NAME, node->name);
        fzi_hint_nearest(c->diags, diag, &nearest);
        if (!nearest.best)
            fzi_hint_add(c->diags, diag, "a label shows values of 'for', 'let' and parameters");
        node->type = c->game->type_poison;
        return;
    }
    const fzi_type *type = fzi_check_name(c, node, NULL, false);
    if (is_condition)
        fzi_insist(c, node, c->game->type_bool);
    else if ((type->kind == FZI_TYPE_SET && type != c->game->type_sites) ||
             type->kind == FZI_TYPE_NOTHING)
        fzi_error(c->diags, node->span, FZ_E_LABEL_TYPE, type->text);
}

/* The names in a template become expressions: `names` of the label, in their order. In
 * `{taken?x:-}` the name is a condition. */
static void check_template(fzi_checker *c, fzi_node *label)
{
    const char *text = label->text ? label->text : "";
    fzi_span span = label->name_span;
    fzi_node **end = &label->names;
    label->names = NULL;
    for (const char *open = strchr(text, '{'); open; open = strchr(open + 1, '{')) {
        const char *close = strchr(open, '}');
        size_t at = (size_t)(open - text);
        if (!close) {
            fzi_error(c->diags, part_of(c, span, text, at, 1), FZ_E_LABEL_BRACE);
            return;
        }
        size_t length = strcspn(open + 1, "?}");
        fzi_node *name = fzi_node_new(c->arena, N_E_NAME, part_of(c, span, text, at + 1, length));
        name->name = fzi_intern(c->arena, open + 1, length);
        name->name_span = name->span;
        check_label_name(c, name, open[1 + length] == '?');
        *end = name;
        end = &name->next;
    }
}

/* What is typed at a prompt and written to a record is one line. */
static void check_typed(fzi_checker *c, const fzi_node *label)
{
    if (label->text && strpbrk(label->text, "\n\r\t\v\f"))
        fzi_error(c->diags, label->name_span, FZ_E_LABEL_TEXT);
}

static void check_label(fzi_checker *c, fzi_node *label)
{
    if (!label)
        return;
    check_typed(c, label);
    check_template(c, label);
    if (label->shown) {
        check_typed(c, label->shown);
        check_template(c, label->shown);
    }
}

/* ---- options ---- */

static void check_effect(fzi_checker *c, fzi_node *stmt)
{
    bool gathers = c->at.gathers;
    fzi_mark mark = fzi_enter(c);
    c->at.gathers = false;
    fzi_check_stmt(c, stmt);
    c->at.gathers = gathers;
    fzi_leave(c, mark);
}

static void check_generator_option(fzi_checker *c, fzi_node *generator)
{
    fzi_region region = c->at;
    c->at.no_chance = "the arguments of a generator";
    fzi_check_generator(c, generator);
    c->at = region;
}

void fzi_check_options(fzi_checker *c, fzi_node *list)
{
    bool outer = c->not_a_generator;
    c->not_a_generator = false;
    for (fzi_node *option = list; option; option = option->next) {
        fzi_mark mark = fzi_enter(c);
        check_quants(c, option->quants);
        check_label(c, option->label);
        if (option->effect->kind == N_GENERATOR)
            check_generator_option(c, option->effect);
        else if (option->effect->kind == N_GROUP)
            fzi_check_options(c, option->effect->options);
        else
            check_effect(c, option->effect);
        if (option->then_effect)
            check_effect(c, option->then_effect);
        fzi_leave(c, mark);
    }
    c->not_a_generator = outer;
}

/* Each key has a bound, or none has. */
static void check_bounds(fzi_checker *c, const fzi_node *filter)
{
    unsigned keys = (unsigned)fzi_list_length(filter->keys);
    unsigned bounds = (unsigned)fzi_list_length(filter->limits);
    if (bounds && bounds != keys)
        fzi_error(c->diags, filter->limits->span, FZ_E_BOUND_COUNT, bounds,
                  bounds == 1 ? "bound" : "bounds", keys, keys == 1 ? "key" : "keys");
}

void fzi_check_filters(fzi_checker *c, fzi_node *list)
{
    fzi_region region = c->at;
    c->at.no_chance = "a filter";
    for (fzi_node *filter = list; filter; filter = filter->next) {
        if (filter->op == FZ_T_ENSURING)
            fzi_check_as(c, filter->condition, c->game->type_bool);
        for (fzi_node *key = filter->keys; key; key = key->next)
            fzi_check_as(c, key, c->game->type_int);
        for (fzi_node *bound = filter->limits; bound; bound = bound->next)
            fzi_check_as(c, bound, c->game->type_int);
        check_bounds(c, filter);
    }
    c->at = region;
}

void fzi_check_choose(fzi_checker *c, fzi_node *node)
{
    if (c->at.no_choice && !c->at.pure)
        fzi_error(c->diags, node->span, FZ_E_CHOICE_HERE, c->at.no_choice);
    if (node->player)
        fzi_check_as(c, node->player, c->game->type_player);
    fzi_check_options(c, node->options);
    fzi_check_filters(c, node->filters);
    if (node->otherwise) {
        fzi_mark mark = fzi_enter(c);
        fzi_check_stmt(c, node->otherwise);
        fzi_leave(c, mark);
    }
}

/* ---- pieces ---- */

static void check_move_item(fzi_checker *c, fzi_node *item)
{
    fzi_region region = c->at;
    c->at.no_chance = "the set of a move";
    fzi_check_as(c, item->targets, c->game->type_sites);
    c->at = region;
    fzi_mark outer = fzi_enter(c);
    item->symbol = fzi_bind_named(c, fzi_intern_z(c->arena, "to"), (fzi_span){0},
                                  FZI_LOCAL_HERE_TO, c->game->type_site);
    fzi_mark inner = fzi_enter(c);
    check_quants(c, item->quants);
    check_label(c, item->label);
    if (item->effect)
        check_effect(c, item->effect);
    if (!item->effect || item->kind == N_I_AT) {
        c->at.gathers = false;
        fzi_use(c, &c->hook->symbol, item->span);
        c->at.gathers = region.gathers;
    }
    fzi_leave(c, inner);
    fzi_leave(c, outer);
}

static void check_property(fzi_checker *c, fzi_node *item)
{
    fzi_region region = c->at;
    fzi_symbol *property = fzi_find_global(c, item->name, 1u << FZI_SYM_PROPERTY);
    c->at = (fzi_region){.no_chance = "a property", .pure = "a property"};
    if (property) {
        fzi_declare(c, property, item->name_span);
        item->symbol = property;
        fzi_check_as(c, item->value, property->type);
    } else if (c->unsure) {
        fzi_check_expr(c, item->value, NULL);
    } else {
        fzi_nearest nearest = {.wanted = item->name};
        fzi_scope_nearest(c->scope, NULL, 1u << FZI_SYM_PROPERTY, &nearest);
        fzi_diag *diag = fzi_error(c->diags, item->name_span, FZ_E_UNKNOWN_PROPERTY, item->name);
        if (strcmp(item->name, "to") == 0)
            fzi_hint_add(c->diags, diag, "a move of a piece begins with 'move to'");
        else
            fzi_hint_nearest(c->diags, diag, &nearest);
        fzi_check_expr(c, item->value, NULL);
    }
    c->at = region;
}

static void check_item(fzi_checker *c, fzi_node *item)
{
    fzi_region region = c->at;
    switch (item->kind) {
    case N_I_MOVE: case N_I_AT:
        check_move_item(c, item);
        break;
    case N_I_MOVES:
        fzi_check_options(c, item->options);
        break;
    case N_I_ATTACKS:
        c->at.no_chance = "'attacks'";
        fzi_check_as(c, item->targets, c->game->type_sites);
        c->at = region;
        break;
    case N_I_AFTER:
        check_effect(c, item->effect);
        break;
    case N_I_BASE: /* nothing is replaced */
        fzi_hint_add(c->diags, fzi_error(c->diags, item->name_span, FZ_E_UNKNOWN_NAME, "base"),
                     "'base' is what a declaration with 'override' replaces");
        break;
    default:
        check_property(c, item);
        break;
    }
}

/* Does the kind state a property that nothing declares? It is taken for the one that is missing. */
static bool states_unknown(const fzi_checker *c, const fzi_piece *piece)
{
    for (const fzi_node *item = piece->items; item; item = item->next)
        if (item->kind == N_I_PROPERTY &&
            !fzi_find_global(c, item->name, 1u << FZI_SYM_PROPERTY))
            return true;
    return false;
}

/* The properties that a kind states: each once, and all that have no default. */
static void check_stated(fzi_checker *c, const fzi_piece *piece)
{
    for (const fzi_node *item = piece->items; item; item = item->next) {
        if (item->kind != N_I_PROPERTY)
            continue;
        for (const fzi_node *before = piece->items; before != item; before = before->next) {
            if (before->kind != N_I_PROPERTY || before->name != item->name)
                continue;
            fzi_diag *diag = fzi_error(c->diags, item->name_span, FZ_E_PROPERTY_TWICE, item->name);
            fzi_note_at(c->diags, diag, before->name_span, "the first one is here");
            break;
        }
    }
    for (unsigned i = 0; i < c->game->property_count; i++) {
        const fzi_symbol *property = c->game->properties[i];
        if (property->node->value || c->unsure || states_unknown(c, piece) ||
            fzi_property_node(c->game, property, (unsigned)piece->symbol->value))
            continue;
        fzi_diag *diag = fzi_error(c->diags, piece->symbol->span, FZ_E_PROPERTY_MISSING,
                                   piece->symbol->name, property->name);
        fzi_note_at(c->diags, diag, property->span, "it is declared here, without a default");
    }
}

/* An earlier kind with the same body. */
static const fzi_piece *alike(const fzi_checker *c, unsigned piece)
{
    const fzi_piece *pieces = c->game->pieces;
    for (unsigned i = 0; i < piece; i++)
        if (pieces[i].items && pieces[i].items == pieces[piece].items)
            return &pieces[i];
    return NULL;
}

bool fzi_item_is_plain(const fzi_node *item)
{
    if (item->kind != N_I_MOVE || item->label || item->effect)
        return false;
    for (const fzi_node *q = item->quants; q; q = q->next)
        if (q->kind != N_Q_IF)
            return false;
    return true;
}

/* `at` is about the plain items of its kind. */
static void check_at(fzi_checker *c, const fzi_piece *piece)
{
    const fzi_node *at = NULL;
    for (const fzi_node *item = piece->items; item; item = item->next) {
        if (fzi_item_is_plain(item))
            return;
        if (item->kind == N_I_AT && !at)
            at = item;
    }
    if (at)
        fzi_error(c->diags, at->targets->span, FZ_E_AT_WITHOUT_MOVES, piece->symbol->name);
}

void fzi_check_pieces(fzi_checker *c)
{
    fzi_region region = c->at;
    for (unsigned i = 0; i < c->game->piece_count; i++) {
        fzi_piece *piece = &c->game->pieces[i];
        const fzi_piece *same = alike(c, i);
        if (same) {
            piece->here = same->here;
            check_stated(c, piece);
            continue;
        }
        fzi_mark outer = fzi_enter(c);
        piece->here = fzi_bind_named(c, fzi_intern_z(c->arena, "here"), (fzi_span){0},
                                     FZI_LOCAL_HERE_TO, c->game->type_site);
        fzi_mark inner = fzi_enter(c);
        c->at = (fzi_region){.owner = c->piece_moves, .gathers = true};
        for (fzi_node *item = piece->items; item; item = item->next)
            check_item(c, item);
        check_at(c, piece);
        c->at = region;
        fzi_leave(c, inner);
        fzi_leave(c, outer);
        check_stated(c, piece);
    }
}
