/* Says values as nouns: numbers, locals, names with their templates, calls. */
#include "prose.h"

#include <string.h>

/* ---- operators ---- */

static const char *two(fzi_prose *p, const fzi_node *node, const char *word)
{
    return fzi_say(p, "%s %s %s", fzi_say_value(p, node->left), word,
                   fzi_say_value(p, node->right));
}

static bool is_turnable(const fzi_type *type)
{
    return type && (type->kind == FZI_TYPE_PLAYER || type->kind == FZI_TYPE_NAMED);
}

/* The members of a set that is written as a union of lists; false: of another set. */
static bool members(fzi_prose *p, const fzi_node *node, fzi_texts *texts)
{
    fzi_meaning *before;
    if (node->kind == N_E_BINARY && node->op == FZ_T_UNITE)
        return members(p, node->left, texts) && members(p, node->right, texts);
    if (node->kind == N_E_SET) {
        for (const fzi_node *m = node->members; m; m = m->next)
            fzi_texts_add(texts, fzi_say_value(p, m));
        return true;
    }
    const fzi_node *value = node->kind == N_E_NAME && node->symbol && !fzi_phrase_of(p, node)
                                ? fzi_open_value(p, node, &before)
                                : NULL;
    if (!value)
        return false;
    bool found = members(p, value, texts);
    fzi_close_value(p, before);
    return found;
}

static const char *all_members(fzi_prose *p, const fzi_node *node)
{
    fzi_texts texts = {.count = 0};
    return members(p, node, &texts) ? fzi_english_list(p, &texts, "and") : two(p, node, "and");
}

static const char *binary(fzi_prose *p, const fzi_node *node)
{
    int64_t number;
    if (node->type && node->type->kind == FZI_TYPE_BOOL)
        return fzi_say(p, "whether %s", fzi_say_condition(p, node));
    if (is_turnable(node->type) && node->op == FZ_T_PLUS &&
        fzi_prose_constant(p, node->right, &number) && number == 1)
        return node->type->kind == FZI_TYPE_PLAYER && p->game->player_count == 2
                   ? "the other player"
                   : fzi_say(p, "the %s after %s",
                             node->type->kind == FZI_TYPE_PLAYER ? "player" : "one",
                             fzi_say_value(p, node->left));
    switch (node->op) {
    case FZ_T_PLUS: return two(p, node, "plus");
    case FZ_T_MINUS:
        return two(p, node, node->type && node->type->kind == FZI_TYPE_INT ? "minus" : "without");
    case FZ_T_TIMES: return two(p, node, "times");
    case FZ_T_DIVIDE: return two(p, node, "divided by");
    case FZ_T_MODULO: return two(p, node, "modulo");
    case FZ_T_UNITE: return all_members(p, node);
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
        return fzi_say(p, "the number of %s",
                       type && (fzi_means_sites(type) || type->kind == FZI_TYPE_SITE)
                           ? fzi_say_all(p, fzi_say_set(p, node->operand))
                           : fzi_say_value(p, node->operand));
    case FZ_T_MINUS: return fzi_say(p, "minus %s", fzi_say_value(p, node->operand));
    case FZ_T_TILDE: return fzi_say(p, "all but %s", fzi_say_value(p, node->operand));
    default: return fzi_say(p, "whether %s", fzi_say_condition(p, node));
    }
}

static const char *over(fzi_prose *p, const fzi_node *node)
{
    bool one = node->op == FZ_T_COUNT || node->op == FZ_T_FIRST || node->op == FZ_T_RANDOM;
    fzi_meaning *before = p->meanings;
    const char *words = NULL, *text = NULL;
    for (const fzi_node *b = node->binders; b; b = b->next)
        fzi_mean_each(p, b, one ? NULL : "every");
    if (one)
        text = fzi_say_local(p, p->meanings->symbol);
    switch (node->op) {
    case FZ_T_COUNT:
        words = "the number of times that there is";
        text = fzi_say(p, "%s for which %s", text, fzi_say_condition(p, node->body));
        break;
    case FZ_T_FIRST:
        words = "the first";
        if (strncmp(text, "a ", 2) == 0 || strncmp(text, "an ", 3) == 0)
            text += strcspn(text, " ") + 1;
        text = fzi_say(p, "%s for which %s", text, fzi_say_condition(p, node->body));
        break;
    case FZ_T_RANDOM: text = fzi_say(p, "%s at random", text); break;
    case FZ_T_SUM: words = "the sum of"; break;
    case FZ_T_MAX: words = "the greatest"; break;
    case FZ_T_MIN: words = "the least"; break;
    case FZ_T_UNION: words = "all"; break;
    default: break;
    }
    if (words)
        text = fzi_say(p, "%s %s", words, text ? text : fzi_say_value(p, node->body));
    p->meanings = before;
    return text ? text : fzi_say(p, "whether %s", fzi_say_condition(p, node));
}

const char *fzi_say_each(fzi_prose *p, const fzi_node *list, fzi_sayer *say, const char *word)
{
    fzi_texts texts = {.count = 0};
    for (const fzi_node *m = list; m; m = m->next)
        fzi_texts_add(&texts, say(p, m));
    return fzi_english_list(p, &texts, word);
}

static const char *entry(fzi_prose *p, const fzi_node *entry)
{
    return entry->kind == N_KEY ? fzi_say(p, "%s for %s", fzi_say_value(p, entry->value),
                                          fzi_say_value(p, entry->key))
                                : fzi_say_value(p, entry);
}

static const char *each_in(fzi_prose *p, const fzi_node *list)
{
    return list ? fzi_say_each(p, list, entry, "and") : "nothing";
}

/* ---- locals ---- */

/* Is the phrase used for another local already? */
static bool is_taken(const fzi_prose *p, const char *later)
{
    for (const fzi_meaning *m = p->meanings; m; m = m->outer)
        if (m->later && strcmp(m->later, later) == 0)
            return true;
    return false;
}

static const char *noun_of_member(fzi_prose *p, const fzi_node *binder)
{
    const fzi_type *type = binder->type;
    if (type && type->kind == FZI_TYPE_SITE)
        return fzi_say_set(p, binder->set).noun;
    if (type && type->kind == FZI_TYPE_INT)
        return "number";
    if (type && type->kind == FZI_TYPE_KIND)
        return "kind";
    if (type && type->kind == FZI_TYPE_DIR)
        return "direction";
    return type && type->kind == FZI_TYPE_NAMED  ? fzi_english_name(p, type->symbol->name)
           : type && type->kind == FZI_TYPE_TEAM ? "team"
                                                 : "player";
}

/* "players where the player is out of the game", of a set of values other than sites. */
static const char *members_where(fzi_prose *p, const fzi_node *node)
{
    const fzi_node binder = {.type = node->symbol->type, .set = node->set, .symbol = node->symbol};
    fzi_meaning *before = p->meanings;
    const char *noun = noun_of_member(p, &binder);
    const fzi_symbol *set = fzi_use_symbol(node->set);
    bool all = set && (set->kind == FZI_SYM_TYPE || set->kind == FZI_SYM_ENUM);
    const char *text = fzi_english_plural(p, noun);
    if (!all)
        text = fzi_say(p, "%s of %s", text, fzi_say_value(p, node->set));
    fzi_mean(p, node->symbol, NULL, fzi_say(p, "the %s", noun));
    if (node->condition)
        text = fzi_say(p, "%s where %s", text, fzi_say_condition(p, node->condition));
    p->meanings = before;
    return text;
}

/* "a queen, rook or knight". */
static const char *one_kind(fzi_prose *p, const fzi_node *set)
{
    fzi_texts texts = {.count = 0};
    if (members(p, set, &texts) && texts.count)
        return fzi_english_one(p, fzi_english_list(p, &texts, "or"));
    const char *kinds = fzi_say_value(p, set);
    return strncmp(kinds, "kinds", 5) == 0 ? fzi_say(p, "a kind%s", kinds + 5)
                                           : fzi_say(p, "one of %s", kinds);
}

static const char *introduced(fzi_prose *p, const fzi_node *binder, const char *determiner)
{
    if (binder->type && binder->type->kind == FZI_TYPE_SITE) {
        fzi_phrase set = fzi_say_set(p, binder->set);
        if (!determiner || (set.whole && set.is_single))
            return fzi_say_one(p, set);
        return fzi_say(p, "%s %s%s%s%s", determiner, set.adjective, *set.adjective ? " " : "",
                       set.noun, set.place);
    }
    const char *noun = noun_of_member(p, binder);
    if (binder->type && binder->type->kind == FZI_TYPE_KIND && !determiner)
        return one_kind(p, binder->set);
    const fzi_symbol *set = fzi_use_symbol(binder->set);
    bool all = set && (FZI_SYM_TYPE == set->kind || FZI_SYM_ENUM == set->kind);
    const char *one = determiner ? fzi_say(p, "%s %s", determiner, noun) : fzi_english_one(p, noun);
    return all ? one : fzi_say(p, "%s of %s", one, fzi_say_value(p, binder->set));
}

/* The only member of a set that is written as a list of one; NULL. */
static const fzi_node *only_member(const fzi_node *set)
{
    const fzi_symbol *symbol = fzi_use_symbol(set);
    bool is_let = symbol && symbol->kind == FZI_SYM_LET && !symbol->param_count && symbol->node;
    if (is_let && symbol->node->value)
        set = symbol->node->value;
    return set->kind == N_E_SET && set->members && !set->members->next ? set->members : NULL;
}

void fzi_mean_parameter(fzi_prose *p, const fzi_symbol *symbol)
{
    const fzi_type *type = symbol->type;
    const fzi_node binder = {.type = type};
    const char *name = fzi_say(p, FZI_SLANTED "%s" FZI_SLANTED, symbol->name);
    if (type->kind == FZI_TYPE_SET || type->kind == FZI_TYPE_BOOL) {
        fzi_mean(p, symbol, NULL, name);
        return;
    }
    const char *noun = type->kind == FZI_TYPE_SITE ? p->site : noun_of_member(p, &binder);
    const char *later = fzi_say(p, "the %s", noun);
    if (is_taken(p, later) || type->kind == FZI_TYPE_INT)
        later = fzi_say(p, "the %s %s", noun, name);
    fzi_mean(p, symbol, NULL, later);
}

void fzi_mean_each(fzi_prose *p, const fzi_node *binder, const char *determiner)
{
    const fzi_node *only = only_member(binder->set);
    if (only) {
        fzi_mean_value(p, binder->symbol, only, p->meanings);
        return;
    }
    const char *first = introduced(p, binder, determiner);
    const char *noun = noun_of_member(p, binder);
    const char *later = fzi_say(p, "%s %s", determiner ? "that" : "the", noun);
    if (is_taken(p, later))
        later = fzi_say(p, "the other %s", noun);
    if (is_taken(p, later))
        later = fzi_say(p, "the %s %s%s%s", noun, FZI_SLANTED, binder->name, FZI_SLANTED);
    fzi_mean(p, binder->symbol, first, later);
}

const char *fzi_say_meaning(fzi_prose *p, const fzi_node *use, fzi_sayer *say)
{
    fzi_meaning *before;
    const fzi_symbol *symbol = fzi_use_symbol(use);
    const fzi_node *value = symbol->kind == FZI_SYM_LOCAL ? fzi_open_local(p, symbol, &before)
                                                          : fzi_open_value(p, use, &before);
    if (!value)
        return NULL;
    const char *text = say(p, value);
    fzi_close_value(p, before);
    return text;
}

const char *fzi_say_local(fzi_prose *p, const fzi_symbol *symbol)
{
    fzi_meaning *m = (fzi_meaning *)fzi_meaning_of(p, symbol);
    fzi_meaning *before;
    const fzi_node *value = fzi_open_local(p, symbol, &before);
    const char *text;
    if (value) {
        text = fzi_say_value(p, value);
        fzi_close_value(p, before);
        if (strlen(text) <= FZI_PROSE_LONGEST)
            return text;
    }
    if (!m || m->value)
        return fzi_say(p, "the %s", fzi_english_name(p, symbol->name));
    text = m->first ? m->first : m->later;
    m->first = NULL;
    return text;
}

/* ---- templates ---- */

static const char *said_argument(fzi_prose *p, const fzi_node *argument)
{
    if (argument->type && fzi_means_sites(argument->type))
        return fzi_say_all(p, fzi_say_set(p, argument));
    if (argument->type && argument->type->kind == FZI_TYPE_SET &&
        argument->type->element->kind == FZI_TYPE_DIR)
        return fzi_say_ways(p, argument);
    return fzi_say_value(p, argument);
}

/* A `let` of the game or of the library, or an option. */
static const fzi_symbol *global(const fzi_prose *p, const char *name)
{
    const fzi_symbol *symbol = fzi_game_find(p->game, fzi_intern_z(p->arena, name), -1);
    bool is_value = symbol && (symbol->kind == FZI_SYM_LET || symbol->kind == FZI_SYM_OPTION);
    return is_value ? symbol : NULL;
}

static fzi_node *named(fzi_prose *p, const fzi_symbol *symbol)
{
    fzi_node *use = FZI_NEW(p->arena, fzi_node);
    use->kind = N_E_NAME;
    use->name = symbol->name;
    use->symbol = (fzi_symbol *)symbol;
    use->type = symbol->type;
    return use;
}

/* One of a set, or the value; of a table, that of `me`. */
static const char *said_global(fzi_prose *p, const fzi_symbol *symbol)
{
    fzi_node *use = named(p, symbol);
    if (symbol->param_count) {
        fzi_node *table = FZI_NEW(p->arena, fzi_node);
        table->kind = N_E_INDEX;
        table->primary = use;
        table->indexes = named(p, fzi_game_find(p->game, "me", -1));
        table->type = symbol->type;
        use = table;
    }
    const char *phrase = fzi_phrase_of(p, use);
    if (phrase && !strchr(phrase, '{'))
        return phrase;
    return fzi_means_sites(symbol->type) ? fzi_say_one(p, fzi_say_set(p, use))
                                         : fzi_say_value(p, use);
}

/* {s} and {2} are the arguments of the parameter of that name and of the second one, {royals} the
 * value of the `let` of that name; {site} and {sites} are the game's words, {player} is `me`. NULL:
 * the text in braces stays. */
static const char *said_slot(fzi_prose *p, const char *name, const fzi_symbol *symbol,
                             const fzi_node *arguments)
{
    if (*name >= '1' && *name <= '9' && !name[1]) {
        for (int i = *name - '1'; arguments && i > 0; i--)
            arguments = arguments->next;
        return arguments ? fzi_say_value(p, arguments) : "";
    }
    for (unsigned i = 0; symbol && i < symbol->param_count && arguments; i++) {
        if (strcmp(symbol->params[i]->name, name) == 0)
            return said_argument(p, arguments);
        arguments = arguments->next;
    }
    if (strcmp(name, "site") == 0)
        return p->site;
    if (strcmp(name, "sites") == 0)
        return fzi_english_plural(p, p->site);
    const fzi_symbol *value = global(p, name);
    if (value) {
        fzi_tell(p, value);
        return said_global(p, value);
    }
    return strcmp(name, "player") == 0 ? p->me : NULL;
}

static const char *filled(fzi_prose *p, const char *text, const fzi_symbol *symbol,
                          const fzi_node *arguments)
{
    const char *made = "";
    for (;;) {
        const char *open = strchr(text, '{'), *close = open ? strchr(open, '}') : NULL;
        if (!close)
            return fzi_say(p, "%s%s", made, text);
        const char *name = fzi_say(p, "%.*s", (int)(close - open) - 1, open + 1);
        const char *shown = said_slot(p, name, symbol, arguments);
        made = fzi_say(p, "%s%.*s%s", made, (int)(open - text), text,
                       shown ? shown : fzi_say(p, "{%s}", name));
        text = close + 1;
    }
}

const char *fzi_fill(fzi_prose *p, const fzi_node *use, const char *text)
{
    return filled(p, text, fzi_use_symbol(use), fzi_use_arguments(use));
}

const char *fzi_fill_text(fzi_prose *p, const char *text)
{
    return filled(p, text, NULL, NULL);
}

const char *fzi_say_phrase(fzi_prose *p, const fzi_node *use)
{
    const char *phrase = fzi_phrase_of(p, use);
    return phrase ? fzi_fill(p, use, phrase) : NULL;
}

/* ---- names ---- */

const char *fzi_say_name(fzi_prose *p, const fzi_node *use)
{
    const fzi_symbol *symbol = fzi_use_symbol(use);
    const char *name = fzi_english_name(p, symbol ? symbol->name : use->name);
    const fzi_type *type = symbol ? symbol->type : NULL;
    const char *owner = NULL, *rest = "";
    for (const fzi_node *a = fzi_use_arguments(use); a; a = a->next) {
        bool is_player = a->type && a->type->kind == FZI_TYPE_PLAYER;
        const char *argument = said_argument(p, a);
        if (is_player && !owner && !strstr(argument, " if ") && !strstr(argument, " for "))
            owner = fzi_english_genitive(p, argument);
        else
            rest = fzi_say(p, "%s %s %s", rest, *rest ? "and" : "of", argument);
    }
    if (symbol && symbol->node && symbol->kind != FZI_SYM_LOCAL && !fzi_is_library(symbol->node))
        fzi_decls_add(p, &p->pending, symbol->node);
    if (type && type->kind == FZI_TYPE_BOOL)
        name = fzi_say(p, FZI_SLANTED "%s" FZI_SLANTED, name);
    return owner ? fzi_say(p, "%s %s%s", owner, name, rest) : fzi_say(p, "the %s%s", name, rest);
}

/* ---- names and calls ---- */

const char *fzi_say_owner(fzi_prose *p, const fzi_node *player)
{
    return fzi_english_genitive(p, fzi_say_value(p, player));
}

const char *fzi_say_symbol(fzi_prose *p, const fzi_symbol *symbol)
{
    switch (symbol->kind) {
    case FZI_SYM_PLAYER:
    case FZI_SYM_TEAM: return fzi_english_title(p, symbol->name);
    case FZI_SYM_SITE: return symbol->name;
    case FZI_SYM_DIR: return fzi_say_direction(p, symbol->name);
    case FZI_SYM_KIND: return fzi_english_name(p, symbol->name);
    case FZI_SYM_VALUE:
        return symbol->node && symbol->node->kind == N_NAME && symbol->node->text
                   ? symbol->node->text
                   : fzi_english_capital(p, fzi_english_name(p, symbol->name));
    case FZI_SYM_TYPE:
        if (strcmp(symbol->name, "site") == 0)
            return fzi_english_plural(p, p->site);
        if (strcmp(symbol->name, "dir") == 0)
            return "directions";
        return fzi_english_plural(p, fzi_english_name(p, symbol->name));
    default: return fzi_english_name(p, symbol->name);
    }
}

static const struct {
    int primitive;
    const char *words; /* {1} {2} {3}: the arguments */
} phrases[] = {
#define WORDS(name, words) {FZI_PRIM_##name, words},
#include "primitive_words.def"
#undef WORDS
};

const char *fzi_say_primitive(fzi_prose *p, const fzi_node *use)
{
    const fzi_symbol *symbol = fzi_use_symbol(use);
    for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++)
        if (phrases[i].primitive == symbol->value)
            return fzi_english_replace(p, fzi_fill(p, use, phrases[i].words),
                                       "the piece on the piece", "the piece");
    return fzi_english_name(p, symbol->name);
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
    if (symbol->kind == FZI_SYM_OPTION)
        fzi_tell(p, symbol);
    if (symbol->kind == FZI_SYM_OPTION && symbol->type->kind == FZI_TYPE_INT)
        return fzi_english_number(p, symbol->value);
    if (symbol->kind == FZI_SYM_PART || symbol->kind == FZI_SYM_PROPERTY)
        return fzi_say(p, "the %s of %s", fzi_english_name(p, symbol->name),
                       each_in(p, use->arguments));
    if (has_words(symbol))
        return fzi_say_symbol(p, symbol);
    const char *text = fzi_say_phrase(p, use);
    if (!text && !symbol->param_count && symbol->index_count == 0 && symbol->node)
        text = fzi_comment_noun(p, symbol->node);
    if (text)
        return text;
    if (use->type && use->type->kind == FZI_TYPE_INT && fzi_prose_constant(p, use, &value))
        return fzi_english_number(p, value);
    text = fzi_say_meaning(p, use, fzi_say_value);
    return !text || strlen(text) > FZI_PROSE_LONGEST ? fzi_say_name(p, use) : text;
}

static const char *chosen(fzi_prose *p, const fzi_node *node)
{
    int64_t value;
    if (fzi_prose_constant(p, node->condition, &value))
        return fzi_say_value(p, value ? node->then : node->otherwise);
    const char *condition = fzi_say_condition(p, node->condition);
    if (node->type && node->type->kind == FZI_TYPE_PLAYER)
        return fzi_say(p, "%s (if %s) or %s (if not)", fzi_say_value(p, node->then), condition,
                       fzi_say_value(p, node->otherwise));
    return fzi_say(p, "%s if %s, otherwise %s", fzi_say_value(p, node->then), condition,
                   fzi_say_value(p, node->otherwise));
}

/* "White's score if White has passed, otherwise Black's score" */
static const char *lifted(fzi_prose *p, const fzi_node *node)
{
    bool has_operands =
        node->kind == N_E_CALL || node->kind == N_E_INDEX || node->kind == N_E_BINARY;
    const fzi_node *either = has_operands ? fzi_lifted_value(p, node) : NULL;
    if (!either)
        return NULL;
    p->lifted++;
    const char *text = chosen(p, either);
    p->lifted--;
    return text;
}

const char *fzi_say_value(fzi_prose *p, const fzi_node *node)
{
    int64_t number;
    const char *text;
    if (node->kind == N_E_INT ||
        (node->type && node->type->kind == FZI_TYPE_INT && fzi_prose_constant(p, node, &number)))
        return fzi_prose_constant(p, node, &number) ? fzi_english_number(p, number) : "";
    if (node->type && fzi_means_sites(node->type) && node->kind != N_E_MEMBER)
        return fzi_say_all(p, fzi_say_set(p, node));
    if ((text = lifted(p, node)) != NULL)
        return text;
    if (node->kind == N_E_BINARY && node->type && node->type->kind == FZI_TYPE_SITE)
        return fzi_say_one(p, fzi_say_set(p, node));
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
    case N_E_SET: return each_in(p, node->members);
    case N_E_SET_FOR: return members_where(p, node);
    case N_E_LIST:
    case N_E_KEYS: return each_in(p, node->entries);
    case N_E_IF: return chosen(p, node);
    case N_E_OVER: return over(p, node);
    case N_E_AS: return fzi_say_value(p, node->body);
    default: break;
    }
    return fzi_say_code(p, node);
}
