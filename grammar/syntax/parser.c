/* The parser's side of the grammar (ferz.y): delivers tokens to bison, and makes nodes. */
#include "parser.h"

#include "grammar/syntax/ferz_parse.h"

/* ---- delivering tokens ---- */

/* Delivers a token that is not in the text. */
static int deliver_empty(const fzi_parser *p, int kind, fzi_span *span)
{
    uint32_t place = p->next ? p->tokens.items[p->next - 1].end : 0;
    *span = (fzi_span){p->source, place, place};
    return kind;
}

int fzi_parser_feed(fzi_parser *p, fzi_span *span)
{
    if (p->entry) {
        int entry = p->entry;
        p->entry = 0;
        return deliver_empty(p, entry, span);
    }
    if (p->skipping) {
        p->skipping = false;
        fzi_skip_mistake(p);
        p->stay = p->ended = p->give_up = p->skip_block = false;
        return deliver_empty(p, FZ_K_RECOVER, span);
    }
    if (!p->tracked)
        fzi_track_bracket(p, p->now, 0);
    p->tracked = true;
    if (p->again_closed) {
        p->again_closed--;
        return deliver_empty(p, FZ_K_RBRACE, span);
    }
    if (p->closers) {
        p->closers--;
        if (p->bracket_count)
            p->bracket_count--;
        return deliver_empty(p, FZ_K_RBRACE, span);
    }
    p->now = p->next;
    *span = fzi_token_span(p, p->now);
    if (p->bracket_count && p->stopped != p->now + 1 && fzi_begins_segment(p, p->now))
        return FZ_K_ENTER_SNIPPET; /* a bracket is not closed: this token is always an error */
    if (p->now < p->tokens.count) {
        p->next++;
        p->tracked = false;
        return p->tokens.items[p->now].kind;
    }
    if (p->wanted && !p->has_wanted)
        return FZ_K_ENTER_SNIPPET; /* always an error: the caller wants the expected tokens */
    bool ended = p->ended || p->hopeless;
    p->ended = true;
    return ended ? 0 : FZ_K_FINISH;
}

/* ---- nodes ---- */

void fzi_too_deep(fzi_parser *p, fzi_span span)
{
    if (!p->too_deep)
        fzi_error(p->diags, span, FZ_E_NESTED_TOO_DEEPLY);
    p->too_deep = true;
}

static uint32_t list_height(const fzi_node *list, uint32_t height)
{
    for (; list; list = list->next)
        if (list->height > height)
            height = list->height;
    return height;
}

/* A tree that is too deep is cut and grows again from there, so there is one message and the depth
 * stays bounded. */
static void set_height(fzi_parser *p, fzi_node *node)
{
    uint32_t below = 0;
    for (unsigned i = 0; i < FZ_NODE_CHILDREN; i++)
        below = list_height(node->children[i], below);
    node->height = 1 + below;
    if (node->height < FZ_MAX_DEPTH)
        return;
    fzi_too_deep(p, node->span);
    memset(node->children, 0, sizeof node->children);
    node->height = 1;
    if (node->kind >= N_E_INT && node->kind <= N_E_AS)
        node->kind = N_E_ERROR;
}

fzi_node *fzi_make(fzi_parser *p, fzi_span span, const fzi_node *node)
{
    fzi_node *made = fzi_arena_copy(p->arena, node, sizeof *node);
    made->span = span;
    set_height(p, made);
    return made;
}

const char *fzi_make_path(fzi_parser *p, const char *module, const char *name)
{
    return fzi_intern_z(p->arena, fzi_arena_printf(p->arena, "%s.%s", module, name));
}

fzi_span fzi_path_end(const char *path, fzi_span span)
{
    const char *point = strchr(path, '.');
    if (point)
        span.start = span.end - (uint32_t)strlen(point + 1);
    return span;
}

/* A name, or a value of a type, `Suit.Clubs`: whether it is a module is not known yet. */
fzi_node *fzi_make_name(fzi_parser *p, const char *path, fzi_span span)
{
    const char *point = strchr(path, '.');
    fzi_span end = fzi_path_end(path, span), begin = span;
    if (!point)
        return fzi_make(p, span, &(fzi_node){.kind = N_E_NAME, .name = path, .name_span = span});
    size_t length = (size_t)(point - path);
    begin.end = begin.start + (uint32_t)length;
    const fzi_node type = {.kind = N_E_NAME, .name = fzi_intern(p->arena, path, length),
                           .name_span = begin};
    return fzi_make(p, span, &(fzi_node){.kind = N_E_MEMBER,
                                         .name = fzi_intern_z(p->arena, point + 1),
                                         .name_span = end,
                                         .type_name = fzi_make(p, begin, &type)});
}

/* let S's set = X  for S's number in 1..subsets(S's set)  let S = subset(S's set, S's number)
 * The two names contain a blank, which no name of a script can. */
fzi_list fzi_make_subset(fzi_parser *p, fzi_span span, const char *name, fzi_span name_span,
                         fzi_node *set)
{
    const char *whole = fzi_intern_z(p->arena, fzi_arena_printf(p->arena, "%s's set", name));
    const char *number = fzi_intern_z(p->arena, fzi_arena_printf(p->arena, "%s's number", name));
    fzi_span at = set->span;
#define MAKE(...) fzi_make(p, at, &(fzi_node){.kind = __VA_ARGS__})
#define NAMED(kind, word) MAKE(kind, .name = (word), .name_span = at)
#define CALL(text, first) \
    MAKE(N_E_CALL, .name = fzi_intern_z(p->arena, text), .name_span = at, .arguments = (first))
    fzi_node *bound = MAKE(N_BOUND, .name = whole, .name_span = at, .value = set);
    fzi_node *range = MAKE(N_E_BINARY, .op = FZ_T_RANGE, .left = MAKE(N_E_INT, .number = 1),
                           .right = CALL("_subsets", NAMED(N_E_NAME, whole)));
    fzi_node *binder = MAKE(N_BINDER, .name = number, .name_span = at, .set = range);
    fzi_list arguments = fzi_list_add(fzi_list_of(NAMED(N_E_NAME, whole)),
                                      NAMED(N_E_NAME, number));
    const fzi_node subset = {.kind = N_BOUND, .name = name, .name_span = name_span,
                             .value = CALL("_subset", arguments.first)};
    fzi_list quants = fzi_list_of(MAKE(N_Q_LET, .bindings = bound));
    quants = fzi_list_add(quants, MAKE(N_Q_FOR, .binders = binder));
#undef MAKE
#undef NAMED
#undef CALL
    const fzi_node let = {.kind = N_Q_LET, .bindings = fzi_make(p, span, &subset)};
    return fzi_list_add(quants, fzi_make(p, span, &let));
}

void fzi_set_items(fzi_parser *p, fzi_node *piece, fzi_node *items)
{
    piece->items = items;
    set_height(p, piece);
}

int64_t fzi_small_number(fzi_parser *p, fzi_span span, int64_t value)
{
    if (value <= INT32_MAX)
        return value;
    fzi_error(p->diags, span, FZ_E_NUMBER_TOO_LARGE, "2147483647");
    return INT32_MAX;
}

void fzi_attach_doc(fzi_parser *p, fzi_span span, fzi_node *node)
{
    size_t low = 0, high = p->docs.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (p->docs.items[middle].start < span.start)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < p->docs.count && p->docs.items[low].start == span.start)
        node->doc = p->docs.items[low].end + 1;
}

fzi_list fzi_list_of(fzi_node *node)
{
    return (fzi_list){node, node};
}

fzi_list fzi_list_add(fzi_list list, fzi_node *node)
{
    return fzi_list_join(list, fzi_list_of(node));
}

fzi_list fzi_list_join(fzi_list list, fzi_list more)
{
    if (!list.first)
        return more;
    if (!more.first)
        return list;
    list.last->next = more.first;
    list.last = more.last;
    return list;
}
