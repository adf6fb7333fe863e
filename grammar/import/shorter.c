/* Shorter texts that mean the same. Importers say each form by itself, so conditions and sets stand
 * side by side that a person would write as one. This works on the tree of the script, knows
 * nothing of any format, and changes only what means the same in every game. See importer.h.
 *
 * In each round the text is parsed and written again, node by node: as a rule says it in fewer
 * words, or as it stands, with its parts written so. A rule looks at the tree before it writes
 * anything, so each part is written once. */
#include "shorter.h"

enum { MOST_ROUNDS = 8 };

/* ---- the text of a tree ---- */

/* The place of an expression without parentheses around it. */
static fzi_span bare(const shortening *s, const fzi_node *node)
{
    fzi_span span = node->span;

    while (s->text[span.start] == '(' && node->kind <= N_E_ERROR && node->kind >= N_E_INT) {
        uint32_t end = span.start;
        int deep = 0;
        do
            deep += (s->text[end] == '(') - (s->text[end] == ')');
        while (deep && ++end < span.end);
        if (end + 1 != span.end)
            break;
        span.start++, span.end--;
        span.start += (uint32_t)strspn(s->text + span.start, " \n");
        while (span.end > span.start && strchr(" \n", s->text[span.end - 1]))
            span.end--;
    }
    return span;
}

/* What a part of a node asks of its text. Parentheses that the script has stay for sums in unions,
 * and where a condition would begin with another `if`. */
static enum tightness needed(const fzi_node *node, const fzi_node *part)
{
    enum tightness own;

    switch (node->kind) {
    case N_E_BINARY:
        own = tightness_of_operator(node->op);
        if (is_binary(part, node->op) && own != COMPARED && own != ANY_RANGE &&
            (part == node->left || own == UNITED || own == MET))
            return own;
        return own == UNITED ? SIGNED : own == ANY_OR ? ANY_NOT : own + 1;
    case N_E_UNARY:
        return denied_membership(node) ? COMPARED : node->op == FZ_T_NOT ? ANY_RANGE : SIGNED;
    case N_E_INDEX: return part == node->primary ? WHOLE : LOOSE;
    case N_T_RANGE: return WHOLE;
    case N_E_IF: return part == node->otherwise ? LOOSE : ANY_OR;
    case N_S_IF:
    case N_Q_IF: return ANY_OR;
    default: return LOOSE;
    }
}

static bool is_word(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Adds a text, after a blank where two words would become one. */
static void add(shortening *s, fzi_growing *to, const char *text, size_t length)
{
    if (length && to->length && is_word(*text) && is_word(to->text[to->length - 1]))
        fzi_grow_z(s->arena, to, " ");
    fzi_grow(s->arena, to, text, length);
}

/* A condition of an option that stands there twice. */
static bool is_asked_before(const fzi_node *option, const fzi_node *part)
{
    if (option->kind != N_OPTION || part->kind != N_Q_IF)
        return false;
    for (const fzi_node *quant = option->quants; quant && quant != part; quant = quant->next)
        if (quant->kind == N_Q_IF && quant->next == part && fzi_same_tree(quant, part))
            return true;
    return false;
}

/* A statement that no `else` behind it could belong to, and that declares nothing. */
static bool is_plain(const fzi_node *stmt)
{
    switch (stmt->kind) {
    case N_S_ASSIGN:
    case N_S_CALL:
    case N_S_PUT:
    case N_S_GIVE:
    case N_S_REMOVE:
    case N_S_AGAIN:
    case N_S_NEXT:
    case N_S_WIN:
    case N_S_LOSE:
    case N_S_DRAW: return true;
    default: return false;
    }
}

/* Would an `else` behind the part belong to a statement around it? */
static bool goes_on(const fzi_node *node, const fzi_node *part, bool around)
{
    switch (node->kind) {
    case N_S_IF: return part == node->then && node->otherwise ? true : around;
    case N_S_FOR:
    case N_S_WHILE:
    case N_S_AS: return around;
    case N_S_CHOOSE: return part == node->otherwise && around;
    default: return false;
    }
}

/* What stands alone in braces that are not needed, or the part itself: `{ again; }` is `again;`,
 * `if C { for x in S => … }` is `if C for x in S => …`. */
static const fzi_node *without_braces(const shortening *s, const fzi_node *node,
                                      const fzi_node *part)
{
    bool last = !s->has_else && (node->kind != N_S_IF || part == node->otherwise);
    bool option = node->kind == N_OPTION,
         any = option || node->kind == N_S_IF || node->kind == N_S_FOR || node->kind == N_I_AFTER;
    const fzi_node *only = part->kind == N_S_BLOCK ? part->stmts
                           : part->kind == N_GROUP ? part->options
                                                   : NULL;

    if (!any || !only || only->next || has_comment(s, part->span))
        return part;
    if (part->kind == N_S_BLOCK)
        return is_plain(only) || (only->kind == N_S_IF && last) ? only : part;
    return !node->label && !node->then_effect ? only : part;
}

/* The part that is next in the text, of those that the lists still have; NULL. */
static const fzi_node *next_part(const fzi_node *lists[FZ_NODE_CHILDREN], fzi_span rest)
{
    const fzi_node *next = NULL;

    for (int i = 0; i < FZ_NODE_CHILDREN; i++) {
        while (lists[i] && (lists[i]->span.start < rest.start || lists[i]->span.end > rest.end ||
                            lists[i]->span.start == lists[i]->span.end))
            lists[i] = lists[i]->next;
        if (lists[i] && (!next || lists[i]->span.start < next->span.start))
            next = lists[i];
    }
    return next;
}

static const char *text_at(shortening *s, const fzi_node *node, enum tightness needed, bool there);

/* The node as the script has it, its parts shortened. */
static const char *copied(shortening *s, const fzi_node *node)
{
    const fzi_node *lists[FZ_NODE_CHILDREN] = {0}, *part;
    fzi_span span = bare(s, node);
    fzi_growing to = {0};
    const char *foe = s->foe;

    s->foe = fzi_shorter_name_of_foe(s, node);
    for (int i = 0; i < FZ_NODE_CHILDREN && node->kind != N_E_GRAPH && node->kind != N_LABEL; i++)
        lists[i] = node->children[i];
    fzi_grow_z(s->arena, &to, "");
    while ((part = next_part(lists, span))) {
        const fzi_node *inner = without_braces(s, node, part);
        bool again = is_asked_before(node, part) || fzi_shorter_is_marked_before(node, part),
             has_else = s->has_else;
        s->has_else = goes_on(node, part, has_else);
        const char *rest = again ? "" : fzi_shorter_rest_of_condition(s, node, part);
        const char *text = rest ? rest : text_at(s, inner, needed(node, part), true);
        s->changed = s->changed || inner != part || again;
        s->has_else = has_else;
        add(s, &to, s->text + span.start, part->span.start - span.start);
        add(s, &to, text, strlen(text));
        span.start = part->span.end;
    }
    add(s, &to, s->text + span.start, span.end - span.start);
    s->foe = foe;
    return to.text;
}

/* `there`: in the place where it stands, where parentheses may go, but none come. */
static const char *text_at(shortening *s, const fzi_node *node, enum tightness needed, bool there)
{
    written own = s->rule(s, node);
    bool was_bare = bare(s, node).start == node->span.start;

    if (own.text || !was_bare)
        s->changed = s->changed || own.text || (there && tightness_of(node) >= needed);
    if (!own.text)
        own = (written){s->copy(s, node), there && was_bare ? WHOLE : tightness_of(node)};
    return within(s, own, needed);
}

static const char *text_of(shortening *s, const fzi_node *node, enum tightness needed)
{
    return text_at(s, node, needed, false);
}

static written rule_for(shortening *s, const fzi_node *node)
{
    switch (node->kind) {
    case N_E_BINARY: return fzi_shorter_binary(s, node);
    case N_E_UNARY: return fzi_shorter_denied(s, node);
    case N_E_OVER:
        return node->op == FZ_T_SUM ? fzi_shorter_count(s, node)
                                    : fzi_shorter_told_of_members(s, node);
    case N_E_CALL: return fzi_shorter_of_foe(s, node);
    case N_E_IF: return fzi_shorter_of_both(s, node);
    case N_E_SET_FOR: return fzi_shorter_set_for(s, node);
    case N_S_FOR:
        return fzi_shorter_mark_alike(node, node->next) ? fzi_shorter_marks(s, node)
                                                        : fzi_shorter_once(s, node);
    case N_S_IF: return fzi_shorter_nested_ifs(s, node);
    case N_Q_FOR: return fzi_shorter_narrowed(s, node);
    case N_I_MOVES: return fzi_shorter_moves(s, node);
    case N_S_CHOOSE: return node == s->choice ? fzi_shorter_choice(s, node) : (written){0};
    case N_D_LET: return node == s->alias ? (written){"", WHOLE} : fzi_shorter_table(s, node);
    case N_D_MOVES:
        return node == s->generator || node == s->alias ? (written){"", WHOLE} : (written){0};
    case N_GENERATOR:
    case N_E_NAME: return fzi_shorter_renamed(s, node);
    default: return (written){0};
    }
}

/* One round. NULL: the text does not change, or has errors. */
static const char *round_of(fzi_arena *arena, const char *text)
{
    shortening s = {.rule = rule_for, .copy = copied, .say = text_of, .arena = arena, .text = text};
    fzi_sources sources;
    fzi_diags diags;

    fzi_sources_init(&sources, arena);
    fzi_diags_init(&diags, arena, &sources);
    uint32_t source = fzi_sources_add(&sources, "", text, strlen(text));
    fzi_node *file = fzi_parse_file(arena, &sources, &diags, source, false);
    if (diags.errors)
        return NULL;
    s.file = file;
    fzi_shorter_find_alias(&s);
    if (!s.alias)
        fzi_walk(file->decls, fzi_shorter_find_generator, &s);
    const char *made = copied(&s, file);
    return s.changed ? made : NULL;
}

const char *fzi_import_shorter(fzi_arena *arena, const char *text)
{
    for (int i = 0; i < MOST_ROUNDS; i++) {
        const char *made = round_of(arena, text);
        if (!made)
            break;
        text = made;
    }
    return text;
}
