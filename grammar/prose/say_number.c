/* Numbers and other single values as nouns. */
#include "prose.h"

#include <string.h>

static const char *two(fzi_prose *p, const fzi_node *node, const char *word)
{
    return fzi_arena_printf(p->arena, "%s %s %s", fzi_say_value(p, node->left), word,
                            fzi_say_value(p, node->right));
}

static bool is_turnable(const fzi_type *type)
{
    return type && (type->kind == FZI_TYPE_PLAYER || type->kind == FZI_TYPE_NAMED);
}

static const char *binary(fzi_prose *p, const fzi_node *node)
{
    int64_t number;
    if (node->type && node->type->kind == FZI_TYPE_BOOL)
        return fzi_arena_printf(p->arena, "whether %s", fzi_say_condition(p, node));
    if (is_turnable(node->type) && node->op == FZ_T_PLUS &&
        fzi_prose_constant(p, node->right, &number) && number == 1)
        return node->type->kind == FZI_TYPE_PLAYER && p->game->player_count == 2
                   ? "the other player"
                   : fzi_arena_printf(p->arena, "the %s after %s",
                                      node->type->kind == FZI_TYPE_PLAYER ? "player" : "one",
                                      fzi_say_value(p, node->left));
    switch (node->op) {
    case FZ_T_PLUS: return two(p, node, "plus");
    case FZ_T_MINUS:
        return two(p, node, node->type && node->type->kind == FZI_TYPE_INT ? "minus" : "without");
    case FZ_T_TIMES: return two(p, node, "times");
    case FZ_T_DIVIDE: return two(p, node, "divided by");
    case FZ_T_MODULO: return two(p, node, "modulo");
    case FZ_T_UNITE: return two(p, node, "and");
    case FZ_T_MEET: return two(p, node, "that are also among");
    case FZ_T_RANGE: return two(p, node, "to");
    default: return two(p, node, "and");
    }
}

static const char *unary(fzi_prose *p, const fzi_node *node)
{
    const fzi_type *type = node->operand->type;
    switch (node->op) {
    case FZ_T_HASH:
        return fzi_arena_printf(p->arena, "the number of %s",
                                type && (fzi_means_sites(type) || type->kind == FZI_TYPE_SITE)
                                    ? fzi_say_all(p, fzi_say_set(p, node->operand))
                                    : fzi_say_value(p, node->operand));
    case FZ_T_MINUS: return fzi_arena_printf(p->arena, "minus %s", fzi_say_value(p, node->operand));
    case FZ_T_TILDE:
        return fzi_arena_printf(p->arena, "all but %s", fzi_say_value(p, node->operand));
    default: return fzi_arena_printf(p->arena, "whether %s", fzi_say_condition(p, node));
    }
}

static const char *over(fzi_prose *p, const fzi_node *node)
{
    static const struct {
        int op;
        const char *words;
    } rows[] = {{FZ_T_SUM, "the sum of"},
                {FZ_T_MAX, "the greatest"},
                {FZ_T_MIN, "the least"},
                {FZ_T_UNION, "all"}};
    fzi_meaning *before = p->meanings;
    const char *text = NULL, *body;
    for (const fzi_node *b = node->binders; b; b = b->next)
        fzi_mean_each(p, b,
                      node->op == FZ_T_COUNT || node->op == FZ_T_FIRST || node->op == FZ_T_RANDOM
                          ? NULL
                          : "every");
    if (node->op == FZ_T_COUNT || node->op == FZ_T_FIRST) {
        const char *which = p->meanings->later;
        const char *first = p->meanings->first;
        p->meanings->first = NULL;
        text = fzi_arena_printf(p->arena, "%s %s for which %s",
                                node->op == FZ_T_COUNT ? "the number of times that there is"
                                                       : "the first of",
                                first ? first : which, fzi_say_condition(p, node->body));
    } else if (node->op == FZ_T_RANDOM) {
        text = fzi_arena_printf(p->arena, "%s at random", fzi_say_local(p, p->meanings->symbol));
    }
    for (size_t i = 0; !text && i < sizeof rows / sizeof *rows; i++)
        if (rows[i].op == node->op) {
            body = fzi_say_value(p, node->body);
            text = fzi_arena_printf(p->arena, "%s %s", rows[i].words, body);
        }
    p->meanings = before;
    return text ? text : fzi_arena_printf(p->arena, "whether %s", fzi_say_condition(p, node));
}

static const char *each_in(fzi_prose *p, const fzi_node *list, const char *word)
{
    enum { MOST = 64 };
    const char *items[MOST];
    unsigned count = 0;
    for (const fzi_node *m = list; m && count < MOST; m = m->next)
        items[count++] = m->kind == N_KEY
                             ? fzi_arena_printf(p->arena, "%s for %s", fzi_say_value(p, m->value),
                                                fzi_say_value(p, m->key))
                             : fzi_say_value(p, m);
    return count ? fzi_english_list(p->arena, items, count, word) : "nothing";
}

/* ---- names and calls ---- */

static const struct {
    int primitive;
    const char *words; /* {1} {2} {3}: the arguments */
} phrases[] = {
#define WORDS(name, words) {FZI_PRIM_##name, words},
#include "primitive_words.def"
#undef WORDS
};

static const char *with_arguments(fzi_prose *p, const char *text, const fzi_node *arguments)
{
    const char *made = "";
    for (;;) {
        const char *open = strchr(text, '{');
        if (!open)
            return fzi_arena_printf(p->arena, "%s%s", made, text);
        const fzi_node *a = arguments;
        for (int i = open[1] - '1'; a && i > 0; i--)
            a = a->next;
        made = fzi_arena_printf(p->arena, "%s%.*s%s", made, (int)(open - text), text,
                                a ? fzi_say_value(p, a) : "");
        text = open + 3;
    }
}

const char *fzi_say_primitive(fzi_prose *p, const fzi_node *use)
{
    const fzi_symbol *symbol = fzi_use_symbol(use);
    for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++)
        if (phrases[i].primitive == symbol->value)
            return fzi_english_replace(p->arena,
                                       with_arguments(p, phrases[i].words, fzi_use_arguments(use)),
                                       "the piece on the piece", "the piece");
    return fzi_english_name(p->arena, symbol->name);
}

static const char *primitive(fzi_prose *p, const fzi_node *use)
{
    const fzi_symbol *symbol = fzi_use_symbol(use);
    if (symbol->value == FZI_PRIM_me || symbol->value == FZI_PRIM_mover)
        return p->me;
    if (symbol->value == FZI_PRIM_reveal)
        return fzi_say_value(p, use->arguments);
    return fzi_say_primitive(p, use);
}

static bool has_words(const fzi_symbol *symbol)
{
    return symbol->kind != FZI_SYM_LET && symbol->kind != FZI_SYM_VAR && symbol->kind != FZI_SYM_FN;
}

static const char *by_name(fzi_prose *p, const fzi_node *use)
{
    const fzi_symbol *symbol = fzi_use_symbol(use);
    int64_t value;
    if (symbol->kind == FZI_SYM_LOCAL)
        return fzi_say_local(p, symbol);
    if (symbol->kind == FZI_SYM_PRIMITIVE)
        return primitive(p, use);
    if (symbol->kind == FZI_SYM_OPTION && symbol->type->kind == FZI_TYPE_INT)
        return fzi_english_number(p->arena, symbol->value);
    if (symbol->kind == FZI_SYM_PART || symbol->kind == FZI_SYM_PROPERTY)
        return fzi_arena_printf(p->arena, "the %s of %s", fzi_english_name(p->arena, symbol->name),
                                each_in(p, use->arguments, "and"));
    if (has_words(symbol))
        return fzi_say_symbol(p, symbol);
    const char *text = fzi_say_template(p, use);
    if (!text && !symbol->param_count && symbol->index_count == 0 && symbol->node)
        text = fzi_comment_noun(p->analysis, symbol->node);
    if (text)
        return text;
    if (use->type && use->type->kind == FZI_TYPE_INT && fzi_prose_constant(p, use, &value))
        return fzi_english_number(p->arena, value);
    fzi_meaning *before;
    const fzi_node *body = fzi_open_value(p, use, &before);
    if (!body)
        return fzi_say_name(p, use);
    text = fzi_say_value(p, body);
    fzi_close_value(p, before);
    return strlen(text) > FZI_PROSE_LONGEST ? fzi_say_name(p, use) : text;
}

static const char *chosen(fzi_prose *p, const fzi_node *node)
{
    int64_t value;
    if (fzi_prose_constant(p, node->condition, &value))
        return fzi_say_value(p, value ? node->then : node->otherwise);
    const char *condition = fzi_say_condition(p, node->condition);
    return fzi_arena_printf(p->arena, "%s if %s, otherwise %s", fzi_say_value(p, node->then),
                            condition, fzi_say_value(p, node->otherwise));
}

const char *fzi_say_value(fzi_prose *p, const fzi_node *node)
{
    int64_t number;
    if (node->kind == N_E_INT ||
        (node->type && node->type->kind == FZI_TYPE_INT && fzi_prose_constant(p, node, &number)))
        return fzi_prose_constant(p, node, &number) ? fzi_english_number(p->arena, number) : "";
    if (node->type && fzi_means_sites(node->type) && node->kind != N_E_MEMBER)
        return fzi_say_all(p, fzi_say_set(p, node));
    switch (node->kind) {
    case N_E_NAME:
    case N_E_INDEX:
    case N_E_CALL:
        if (!fzi_use_symbol(node))
            break;
        return by_name(p, node);
    case N_E_MEMBER: return node->symbol ? fzi_say_symbol(p, node->symbol) : node->name;
    case N_E_BINARY: return binary(p, node);
    case N_E_UNARY: return unary(p, node);
    case N_E_SET: return each_in(p, node->members, "and");
    case N_E_SET_FOR: return fzi_say_all(p, fzi_say_set(p, node));
    case N_E_LIST:
    case N_E_KEYS: return each_in(p, node->entries, "and");
    case N_E_IF: return chosen(p, node);
    case N_E_OVER: return over(p, node);
    case N_E_AS: return fzi_say_value(p, node->body);
    default: break;
    }
    return "it";
}
