/* Says statements as clauses, "put a stone on an empty cell", and as paragraphs. */
#include "prose.h"

#include <string.h>

/* ---- small ones ---- */

static const char *piece_on(fzi_prose *p, const fzi_node *set)
{
    fzi_phrase ph = fzi_say_set(p, set);
    if (ph.is_piece)
        return fzi_say_all(p, ph);
    if (ph.whole && ph.is_single)
        return strncmp(ph.whole, "the piece", 9) == 0 || strstr(ph.whole, " piece")
                   ? ph.whole
                   : fzi_say(p, "the piece on %s", ph.whole);
    return fzi_say(p, "the pieces on %s", fzi_say_all(p, ph));
}

static const char *onto(fzi_prose *p, const fzi_node *set)
{
    fzi_phrase ph = fzi_say_set(p, set);
    if (ph.whole && ph.is_single)
        return ph.whole;
    if (ph.whole)
        return fzi_say(p, "each %s of %s", p->site, ph.whole);
    return fzi_say(p, "every %s%s%s%s", ph.adjective, *ph.adjective ? " " : "", ph.noun, ph.place);
}

static const char *put(fzi_prose *p, const fzi_node *stmt)
{
    const char *noun = fzi_say_value(p, stmt->piece);
    const char *owner = "";
    if (strncmp(noun, "that ", 5) == 0 || strncmp(noun, "the ", 4) == 0 ||
        strncmp(noun, "a ", 2) == 0)
        noun = fzi_say(p, "piece of %s", noun);
    if (fzi_is_me(stmt->owner))
        owner = "";
    else if (fzi_names_primitive(stmt->owner, FZI_PRIM_nobody))
        noun = fzi_say(p, "neutral %s", noun);
    else
        owner = fzi_say(p, " of %s", fzi_say_value(p, stmt->owner));
    return fzi_say(p, "put %s%s on %s", fzi_english_one(p, noun), owner, onto(p, stmt->sites));
}

static const char *given(fzi_prose *p, const fzi_node *stmt)
{
    fzi_phrase ph = fzi_say_set(p, stmt->sites);
    return fzi_say(p, "%s now %s to %s", piece_on(p, stmt->sites),
                   ph.whole && ph.is_single ? "belongs" : "belong", fzi_say_value(p, stmt->owner));
}

static const char *verb(fzi_prose *p, const fzi_node *player, const char *word)
{
    return fzi_english_verb(p, player ? fzi_say_value(p, player) : p->me, word);
}

static const char *ranked(fzi_prose *p, const fzi_node *stmt)
{
    fzi_texts keys = {.count = 0};
    fzi_meaning *before = p->meanings;
    bool lowest = false;
    if (stmt->symbol)
        fzi_mean(p, stmt->symbol, NULL, "each player");
    for (const fzi_node *k = stmt->keys; k; k = k->next) {
        lowest = k->kind == N_E_UNARY && k->op == FZ_T_MINUS;
        fzi_texts_add(&keys, fzi_say_value(p, lowest ? k->operand : k));
    }
    p->meanings = before;
    const char *list = fzi_english_list(p, &keys, "and then");
    return fzi_say(p,
                   "the game is over, and the players are ranked by %s: the %s "
                   "wins",
                   fzi_english_replace(p, list, "each player's", "their"),
                   lowest ? "lowest" : "highest");
}

/* ---- assignments ---- */

static const char *variable(fzi_prose *p, const fzi_node *stmt)
{
    const char *text = fzi_say_phrase(p, stmt);
    if (!text && stmt->symbol->node)
        text = fzi_comment_noun(p, stmt->symbol->node);
    if (text)
        return text;
    text = fzi_say_name(p, stmt);
    fzi_decls *pending = &p->pending; /* what changes it is said here */
    if (pending->count && pending->items[pending->count - 1] == stmt->symbol->node)
        pending->count--;
    return text;
}

static bool is_counter(const fzi_symbol *symbol)
{
    return symbol->kind == FZI_SYM_LOCAL || (symbol->node && symbol->node->flags & FZ_NODE_CLOCK);
}

static const char *assigned(fzi_prose *p, const fzi_node *stmt)
{
    if (!stmt->symbol || is_counter(stmt->symbol) || fzi_only_remembers(p, stmt->symbol))
        return "";
    const char *name = variable(p, stmt);
    bool is_truth = stmt->value->type && stmt->value->type->kind == FZI_TYPE_BOOL;
    int64_t truth;
    if (is_truth && fzi_prose_constant(p, stmt->value, &truth))
        return fzi_say(p, "note that %s holds%s", name, truth ? "" : " no longer");
    const char *value = fzi_say_value(p, stmt->value);
    switch (stmt->op) {
    case FZ_T_PLUS_ASSIGN:
    case FZ_T_OR_ASSIGN: return fzi_say(p, "add %s to %s", value, name);
    case FZ_T_MINUS_ASSIGN: return fzi_say(p, "take %s from %s", value, name);
    default: return fzi_say(p, "%s becomes %s", name, value);
    }
}

static bool is_chance(const fzi_node *value)
{
    return value && value->effects & FZI_CHANCE;
}

/* Binds the names of a statement, which later statements use. */
static const char *let(fzi_prose *p, const fzi_node *stmt)
{
    fzi_texts clauses = {.count = 0};
    for (const fzi_node *b = stmt->bindings; b; b = b->next) {
        const fzi_symbol *called = b->value->kind == N_E_CALL ? b->value->symbol : NULL;
        bool acts = called && called->kind == FZI_SYM_PROC;
        const char *name = fzi_english_name(p, b->name);
        if (is_chance(b->value) && !acts)
            fzi_texts_add(&clauses, fzi_say(p, "take %s", fzi_say_value(p, b->value)));
        else if (acts)
            fzi_texts_add(&clauses, fzi_english_name(p, called->name));
        if (is_chance(b->value) || acts)
            fzi_mean(p, b->symbol, NULL, fzi_say(p, "the %s", name));
        else
            fzi_mean_value(p, b->symbol, b->value, p->meanings);
    }
    return fzi_english_list(p, &clauses, "and");
}

static const char *local_variable(fzi_prose *p, const fzi_node *stmt)
{
    fzi_mean(p, stmt->symbol, NULL, fzi_say(p, "the %s", fzi_english_name(p, stmt->name)));
    return is_chance(stmt->value) ? fzi_say(p, "take %s", fzi_say_value(p, stmt->value)) : "";
}

/* ---- calls ---- */

bool fzi_is_being_said(const fzi_prose *p, const fzi_node *decl)
{
    for (const fzi_saying *s = p->saying; s; s = s->outer)
        if (s->decl == decl)
            return true;
    return p->depth >= FZI_PROSE_DEPTH || p->left == 0;
}

/* Enters the body of the procedure or generator that is used; ends with fzi_close_body. */
fzi_saying fzi_open_body(fzi_prose *p, const fzi_node *use)
{
    const fzi_saying saying = {use->symbol->node, p->meanings, p->saying};
    fzi_mean_arguments(p, use->symbol, use->arguments);
    p->depth++;
    p->left--;
    return saying;
}

void fzi_close_body(fzi_prose *p, const fzi_saying *saying)
{
    fzi_close_value(p, saying->before);
    p->saying = saying->outer;
}

static const char *primitive(fzi_prose *p, const fzi_node *call)
{
    const fzi_node *a = call->arguments;
    const char *kind;
    switch (call->symbol->value) {
    case FZI_PRIM_go: return fzi_fill(p, call, "move {1} to {2}");
    case FZI_PRIM_swap: return fzi_fill(p, call, "exchange {1} and {2}");
    case FZI_PRIM_pull: return fzi_fill(p, call, "remove a piece of {1}");
    case FZI_PRIM_stack:
    case FZI_PRIM_tuck:
        return fzi_say(p, "put %s %s", a->next->next ? "that many" : "all",
                       fzi_fill(p, call,
                                call->symbol->value == FZI_PRIM_stack ? "pieces of {1} on {2}"
                                                                      : "pieces of {1} under {2}"));
    case FZI_PRIM_become:
        kind = fzi_say_value(p, a->next);
        return fzi_say(p, "%s becomes %s", piece_on(p, a),
                       strchr(kind, ' ') ? kind : fzi_english_one(p, kind));
    default: return "";
    }
}

static const char *call(fzi_prose *p, const fzi_node *stmt)
{
    const fzi_symbol *symbol = stmt->symbol;
    if (!symbol)
        return "";
    if (symbol->kind == FZI_SYM_PRIMITIVE)
        return primitive(p, stmt);
    const char *text = fzi_say_phrase(p, stmt);
    const fzi_node *decl = symbol->node;
    if (text)
        return text;
    if (!decl || decl->kind != N_D_PROC)
        return fzi_english_name(p, symbol->name);
    fzi_comment c = fzi_comment_of(p, decl);
    if (*c.prose && !*c.cited && !p->in_list) {
        fzi_decls_add(p, &p->described, decl);
        return fzi_fill(p, stmt, c.prose);
    }
    if (decl->body->height > 12 || fzi_is_being_said(p, decl)) {
        fzi_decls_add(p, &p->pending, decl);
        return fzi_english_name(p, symbol->name);
    }
    const fzi_saying saying = fzi_open_body(p, stmt);
    p->saying = &saying;
    text = fzi_say_statement(p, decl->body);
    fzi_close_body(p, &saying);
    if (strlen(text) > 2 * FZI_PROSE_LONGEST) {
        fzi_decls_add(p, &p->pending, decl);
        text = fzi_english_name(p, symbol->name);
    }
    return text;
}

/* ---- moves ---- */

const char *fzi_say_filters(fzi_prose *p, const fzi_node *filters)
{
    const char *text = "";
    for (const fzi_node *f = filters; f; f = f->next) {
        int64_t holds;
        if (f->condition && fzi_prose_constant(p, f->condition, &holds) && holds)
            continue;
        const char *condition = f->condition ? fzi_say_condition(p, f->condition) : "";
        if (*condition)
            text = fzi_say(p, "%s so that afterwards %s", text, condition);
        else if (f->op != FZ_T_ENSURING)
            text = fzi_say(p, "%s, with %s as %s as possible", text, fzi_say_value(p, f->keys),
                           f->op == FZ_T_MAX ? "great" : "small");
    }
    return text;
}

/* "x or y"; between long ones there is a semicolon. */
static const char *alternatives(fzi_prose *p, const fzi_texts *clauses)
{
    bool is_long = false;
    for (unsigned i = 0; i < clauses->count; i++)
        is_long = is_long || strpbrk(clauses->items[i], ",;:") || strstr(clauses->items[i], " if ");
    if (!is_long)
        return fzi_english_list(p, clauses, "or");
    const char *text = clauses->count ? clauses->items[0] : "";
    for (unsigned i = 1; i < clauses->count; i++)
        text = fzi_say(p, "%s; or %s", text, clauses->items[i]);
    return text;
}

const char *fzi_say_options(fzi_prose *p, const fzi_node *options)
{
    fzi_texts clauses = {.count = 0};
    bool outer = p->in_list;
    for (const fzi_node *o = options; o; o = o->next) {
        fzi_meaning *before = p->meanings;
        p->in_list = outer || options->next;
        const char *text = fzi_say_option(p, o);
        p->in_list = outer;
        p->meanings = before;
        if (*text)
            fzi_texts_add(&clauses, text);
    }
    return alternatives(p, &clauses);
}

/* The moves and what must be true after each of them. */
static const char *filtered(fzi_prose *p, const char *moves, const fzi_node *filters)
{
    const char *text = fzi_say_filters(p, filters);
    bool is_list = *text && (strstr(moves, "; ") || strstr(moves, " or "));
    return fzi_say(p, "%s%s%s", moves, is_list ? "; the move must be made" : "", text);
}

/* The generator by its name; the page then describes it. */
static const char *named_generator(fzi_prose *p, const fzi_symbol *symbol)
{
    const char *name = fzi_english_name(p, symbol->name);
    bool is_plural = *name && name[strlen(name) - 1] == 's';
    fzi_decls_add(p, &p->pending, symbol->node);
    return fzi_say(p, is_plural ? "make one of the %s" : "make a move of %s", name);
}

static const char *generator(fzi_prose *p, const fzi_node *g, bool in_item)
{
    const fzi_symbol *symbol = g->symbol;
    if (symbol && symbol->kind == FZI_SYM_PRIMITIVE)
        return symbol->value == FZI_PIECE_MOVES
                   ? "move a piece"
                   : fzi_say(p, "move %s", fzi_say_one(p, fzi_say_set(p, g->arguments)));
    const char *text = symbol ? fzi_say_phrase(p, g) : NULL;
    const fzi_node *decl = symbol ? symbol->node : NULL;
    if (text || !decl)
        return text ? text : "move";
    const char *prose = fzi_is_library(decl) ? "" : fzi_comment_of(p, decl).prose;
    if (*prose && in_item) {
        fzi_decls_add(p, &p->described, decl);
        return fzi_fill(p, g, prose);
    }
    if (*prose || fzi_is_being_said(p, decl))
        return named_generator(p, symbol);
    const fzi_saying saying = fzi_open_body(p, g);
    p->saying = &saying;
    text = filtered(p, fzi_say_options(p, decl->options), decl->filters);
    fzi_close_body(p, &saying);
    return strlen(text) > 2 * FZI_PROSE_LONGEST ? named_generator(p, symbol) : text;
}

/* A label without values: "pass". */
static const char *fixed_label(const fzi_node *option)
{
    return option->label && option->label->text && !strchr(option->label->text, '{')
               ? option->label->text
               : "";
}

/* Does the label begin with a word, and have values: "bid {n}", but not "{from}-{to}"? */
static bool is_spoken(const fzi_node *option)
{
    const char *text = option->label && option->label->text ? option->label->text : "";
    const size_t letters = strspn(text, "abcdefghijklmnopqrstuvwxyz");
    return letters > 1 && strchr(text + letters, '{');
}

/* What stands in braces in a label: the local of that name, or the code. */
static const char *label_value(fzi_prose *p, const char *name)
{
    for (const fzi_meaning *m = p->meanings; m; m = m->outer)
        if (strcmp(m->symbol->name, name) == 0)
            return fzi_say_local(p, m->symbol);
    return fzi_say(p, "`%s`", name);
}

/* The move by its label, with what its values are: "choose *bid* for a number of one to nine". */
static const char *said_label(fzi_prose *p, const fzi_node *option)
{
    const char *text = option->label ? option->label->text : NULL, *words = "";
    fzi_texts values = {.count = 0};
    if (!text)
        return fzi_say(p, "choose %s", fzi_say_code(p, option));
    for (const char *open, *close; (open = strchr(text, '{')) && (close = strchr(open, '}'));) {
        const char *name = fzi_say(p, "%.*s", (int)(close - open) - 1, open + 1);
        bool is_blank = open == text || (open == text + 1 && *text == ' ');
        words = fzi_say(p, "%s%.*s", words, is_blank ? 0 : (int)(open - text), text);
        fzi_texts_add(&values, label_value(p, name));
        text = close + 1;
    }
    text += !*words && *text == ' ';
    words = fzi_say(p, "%s%s", words, text);
    const char *list = fzi_english_list(p, &values, "and");
    if (!*words)
        return fzi_say(p, "choose %s", list);
    const size_t length = strlen(words) - (words[strlen(words) - 1] == ' ');
    return fzi_say(p, "choose " FZI_SLANTED "%.*s" FZI_SLANTED "%s%s", (int)length, words,
                   values.count ? " for " : "", list);
}

/* Binds the names of the quantifiers; returns their conditions, ", if ...". NULL: a condition on
 * options is false. */
const char *fzi_say_quantifiers(fzi_prose *p, const fzi_node *quants)
{
    const char *conditions = "";
    int64_t value;
    for (const fzi_node *q = quants; q; q = q->next) {
        if (q->kind == N_Q_FOR) {
            for (const fzi_node *b = q->binders; b; b = b->next)
                fzi_mean_each(p, b, NULL);
        } else if (q->kind == N_Q_LET) {
            for (const fzi_node *b = q->bindings; b; b = b->next)
                fzi_mean_value(p, b->symbol, b->value, p->meanings);
        } else if (q->kind == N_Q_AS) {
            p->me = fzi_say_value(p, q->player);
        } else if (fzi_prose_constant(p, q->condition, &value)) {
            if (!value)
                return NULL;
        } else {
            const char *condition = fzi_say_condition(p, q->condition);
            if (*condition)
                conditions =
                    fzi_say(p, "%s%s %s", conditions, *conditions ? " and" : " if", condition);
        }
    }
    return conditions;
}

/* The text without its full stop, and the rest; the text if there is no rest. */
static const char *continued(fzi_prose *p, const char *text, const char *rest)
{
    size_t length = strlen(text);
    bool stops = *rest && length && text[length - 1] == '.';
    return fzi_say(p, "%.*s%s", (int)(length - stops), text, rest);
}

static const char *group(fzi_prose *p, const fzi_node *effect, bool is_bound)
{
    const char *text = fzi_say_options(p, effect->options);
    return is_bound && strstr(text, "; or ") ? fzi_say(p, "(%s)", text) : text;
}

/* Has a name of the quantifiers been introduced, so that what introduces it must stand first? */
static bool introduces(const fzi_prose *p, const fzi_meaning *outer)
{
    for (const fzi_meaning *m = p->meanings; m && m != outer; m = m->outer)
        if (!m->value && !m->first)
            return true;
    return false;
}

/* The clause under its conditions, which are " if ...". */
static const char *under(fzi_prose *p, const char *conditions, const char *text, bool is_first)
{
    if (!*conditions ||
        !(is_first || strpbrk(text, ",;:") || strstr(text, " if ") || strstr(text, " so that ")))
        return continued(p, text, conditions);
    bool is_list = strstr(text, "; or ") != NULL, is_nested = strncmp(text, "if ", 3) == 0;
    return fzi_say(p, "%s%s%s", conditions + 1, is_list || is_nested ? ": " : ", ",
                   fzi_english_is_sentence(text) ? fzi_english_clause(p, text) : text);
}

const char *fzi_say_option(fzi_prose *p, const fzi_node *option)
{
    const char *me = p->me, *label = fixed_label(option), *text;
    const fzi_node *effect = option->effect;
    const fzi_meaning *outer = p->meanings;
    bool in_item = p->in_item && !option->then_effect;
    p->in_item = false;
    const char *conditions = fzi_say_quantifiers(p, option->quants);
    if (!conditions) {
        p->me = me;
        return "";
    }
    bool is_first =
        *label || option->then_effect || effect->kind == N_GROUP || introduces(p, outer);
    if (effect->kind == N_GENERATOR)
        text = generator(p, effect, in_item);
    else if (effect->kind == N_GROUP)
        text = group(p, effect, *conditions || option->then_effect);
    else {
        const char *said = is_spoken(option) ? said_label(p, option) : "";
        text = fzi_say_statement(p, effect);
        if (*said && *text)
            text = fzi_say(p, "%s: %s", said, text);
        is_first = is_first || *said;
    }
    if (*label && effect->kind != N_GENERATOR && effect->kind != N_GROUP)
        text = fzi_say(p, FZI_SLANTED "%s" FZI_SLANTED "%s%s", label, *text ? ": " : "", text);
    else if (!*text && effect->kind != N_GENERATOR && effect->kind != N_GROUP) {
        text = said_label(p, option);
        is_first = true;
    }
    if (option->then_effect && *fzi_say_statement(p, option->then_effect))
        text = fzi_say(p, "%s; then %s", text, fzi_say_statement(p, option->then_effect));
    p->me = me;
    return under(p, conditions, text, is_first);
}

bool fzi_is_no_statement(const fzi_node *stmt)
{
    return stmt->kind == N_S_BLOCK && !stmt->stmts;
}

static const char *said_otherwise(fzi_prose *p, const fzi_node *stmt)
{
    if (!stmt->otherwise || fzi_is_no_statement(stmt->otherwise))
        return "";
    const char *text = fzi_say_statement(p, stmt->otherwise);
    if (*text && fzi_english_is_sentence(text))
        return fzi_say(p, ". %s", text);
    const char *before = strncmp(text, "if ", 3) == 0 ? "otherwise" : "if that is impossible";
    return *text ? fzi_say(p, "; %s, %s", before, text) : "";
}

static const char *choice(fzi_prose *p, const fzi_node *stmt)
{
    fzi_meaning *before = p->meanings;
    const char *who = "";
    if (stmt->player && !fzi_is_me(stmt->player))
        who = fzi_say(p, "%s chooses: ", fzi_say_value(p, stmt->player));
    p->in_item = stmt->options && !stmt->options->next;
    const char *moves = fzi_say_options(p, stmt->options);
    if (*who && strncmp(moves, "choose ", 7) == 0 && !strstr(moves, "; or ")) {
        who = fzi_say(p, "%.*s ", (int)strlen(who) - 2, who);
        moves += strlen("choose ");
    }
    const char *text = fzi_say(p, "%s%s", who, filtered(p, moves, stmt->filters));
    p->meanings = before;
    return continued(p, text, said_otherwise(p, stmt));
}

/* ---- compound statements ---- */

static const char *block(fzi_prose *p, const fzi_node *stmts)
{
    fzi_texts clauses = {.count = 0};
    fzi_meaning *before = p->meanings;
    bool is_long = false, sentences = false;
    for (const fzi_node *s = stmts; s; s = s->next) {
        const char *text = fzi_say_statement(p, s);
        if (!*text)
            continue;
        is_long = is_long || (clauses.count && strpbrk(clauses.items[clauses.count - 1], ",;"));
        sentences = sentences || fzi_english_is_sentence(text);
        fzi_texts_add(&clauses, text);
    }
    p->meanings = before;
    if (clauses.count < 2 || (!sentences && !is_long))
        return fzi_english_list(p, &clauses, "and");
    const char *text = "";
    for (unsigned i = 0; i < clauses.count; i++)
        text = sentences ? fzi_english_both(p, text, fzi_english_sentence(p, clauses.items[i]))
                         : fzi_say(p, "%s%s%s", text, i ? "; then " : "", clauses.items[i]);
    return text;
}

/* Can the condition not hold under the chosen options, such as `repeated(Repetition)` with 0? */
static bool never_holds(fzi_prose *p, const fzi_node *condition)
{
    int64_t left, right;
    fzi_meaning *before;
    if (fzi_prose_constant(p, condition, &left))
        return !left;
    if (condition->kind == N_E_BINARY && condition->op == FZ_T_AND)
        return never_holds(p, condition->left) || never_holds(p, condition->right);
    if (condition->kind == N_E_BINARY)
        return condition->op == FZ_T_GT && fzi_prose_constant(p, condition->left, &left) &&
               fzi_prose_constant(p, condition->right, &right) && left <= right;
    const fzi_node *value =
        condition->kind == N_E_CALL ? fzi_open_value(p, condition, &before) : NULL;
    bool never = value && never_holds(p, value);
    if (value)
        fzi_close_value(p, before);
    return never;
}

static const char *branch(fzi_prose *p, const fzi_node *stmt)
{
    int64_t value;
    if (never_holds(p, stmt->condition))
        return stmt->otherwise ? fzi_say_statement(p, stmt->otherwise) : "";
    if (fzi_prose_constant(p, stmt->condition, &value)) {
        const fzi_node *taken = value ? stmt->then : stmt->otherwise;
        return taken ? fzi_say_statement(p, taken) : "";
    }
    const char *condition = fzi_say_condition(p, stmt->condition);
    if (!*condition)
        return "";
    const char *yes = fzi_say_statement(p, stmt->then);
    const char *no = stmt->otherwise ? fzi_say_statement(p, stmt->otherwise) : "";
    if (fzi_english_is_sentence(yes) && *yes)
        yes = fzi_english_clause(p, yes);
    if (*yes && *no)
        return fzi_say(p, "if %s, %s; otherwise %s", condition, yes, no);
    if (*yes)
        return fzi_say(p, "if %s, %s", condition, yes);
    return *no ? fzi_say(p, "if %s, %s", fzi_say_not(p, stmt->condition), no) : "";
}

static const char *loop(fzi_prose *p, const fzi_node *stmt)
{
    fzi_meaning *before = p->meanings;
    const char *each = "", *later = "";
    for (const fzi_node *b = stmt->binders; b; b = b->next) {
        fzi_mean_each(p, b, "each");
        each = fzi_say(p, "%s%s%s", each, *each ? " and " : "", fzi_say_local(p, b->symbol));
        later = fzi_say_local(p, b->symbol);
    }
    const char *text = fzi_say_statement(p, stmt->body);
    p->meanings = before;
    bool is_direction = stmt->binders->type && stmt->binders->type->kind == FZI_TYPE_DIR;
    if (is_direction && !stmt->binders->next && !strstr(text, later))
        return text; /* it is about the sites in these directions */
    return *text ? fzi_say(p, "for %s, %s%s", each,
                           stmt->kind == N_S_TOGETHER ? "all at the same time, " : "", text)
                 : "";
}

static const char *as_player(fzi_prose *p, const fzi_node *stmt)
{
    const char *me = p->me;
    p->me = fzi_say_value(p, stmt->player);
    const char *text = fzi_say_statement(p, stmt->body);
    p->me = me;
    return text;
}

/* Notes that the text says how the variable changes. */
static const char *assignment_said(fzi_prose *p, const fzi_node *stmt, const char *text)
{
    if (stmt->kind == N_S_ASSIGN && *text)
        fzi_decls_add(p, &p->described, stmt);
    return text;
}

const char *fzi_say_statement(fzi_prose *p, const fzi_node *s)
{
    const char *text;
    const fzi_node *lifted = fzi_lifted_statement(p, s);
    if (lifted) {
        p->lifted++;
        text = branch(p, lifted);
        p->lifted--;
        return assignment_said(p, s, text);
    }
    switch (s->kind) {
    case N_S_BLOCK: return block(p, s->stmts);
    case N_S_CHOOSE: return choice(p, s);
    case N_S_ASSIGN: return assignment_said(p, s, assigned(p, s));
    case N_S_CALL: return call(p, s);
    case N_S_LET: return let(p, s);
    case N_S_VAR: return local_variable(p, s);
    case N_S_IF: return branch(p, s);
    case N_S_FOR:
    case N_S_TOGETHER: return loop(p, s);
    case N_S_AS: return as_player(p, s);
    case N_S_PUT: return put(p, s);
    case N_S_GIVE: return given(p, s);
    case N_S_REMOVE: return fzi_say(p, "remove %s", piece_on(p, s->sites));
    case N_S_CAPTURE: return fzi_say(p, "capture %s", piece_on(p, s->sites));
    case N_S_NEXT: return verb(p, s->player, "plays next");
    case N_S_AGAIN: return verb(p, NULL, "plays again");
    case N_S_STOP: return "the turn ends";
    case N_S_WIN: return verb(p, s->player, "wins");
    case N_S_LOSE: return verb(p, s->player, "loses");
    case N_S_OUT: return verb(p, s->player, "is out of the game");
    case N_S_DRAW: return "the game is a draw";
    case N_S_RANK: return ranked(p, s);
    case N_S_WHILE:
        text = fzi_say_statement(p, s->body);
        return *text ? fzi_say(p, "as long as %s, %s", fzi_say_condition(p, s->condition), text)
                     : "";
    default: return "";
    }
}
