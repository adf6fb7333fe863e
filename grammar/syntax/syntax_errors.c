/* Messages for syntax errors. Bison says which token is wrong and which tokens would be right.
 * Typical mistakes are recognised by the surrounding tokens and have messages of their own. */
#include "syntax_errors.h"

#include "grammar/syntax/ferz_parse.h"

typedef fzi_mistake mistake;

static int following(const mistake *m)
{
    return fzi_kind_at(m, 1);
}

static bool is_contextual(int token)
{
    return token >= FZ_K_TO && token <= FZ_K_EXCLUDES;
}

static bool is_reserved(int token)
{
    return token >= FZ_K_GAME && token <= FZ_K_AFTER;
}

static bool is_name(int token)
{
    return token == FZ_K_IDENT || is_contextual(token);
}

/* The token found, for a message: 'x', "text", the end of the file. */
static const char *shown(const mistake *m, const fzi_token *token)
{
    if (token->kind == 0)
        return "the end of the file";
    const char *text = m->p->text->text + token->start;
    int length = (int)(token->end - token->start);
    if (token->kind == FZ_K_STRING)
        return length <= 30 && !memchr(text, '\n', (size_t)length)
                   ? fzi_arena_printf(m->p->arena, "%.*s", length, text)
                   : "a string";
    return fzi_arena_printf(m->p->arena, "'%.*s'%s", length > 40 ? 40 : length, text,
                            length > 40 ? "..." : "");
}

static fzi_span end_of(const mistake *m, const fzi_token *token)
{
    return (fzi_span){m->p->source, token->end, token->end};
}

/* ---- brackets ---- */

static void note_opener(const mistake *m, fzi_diag *diag, size_t token)
{
    fzi_note_at(diag, fzi_token_span(m->p, token), "opened here");
}

/* The text ends or a declaration begins while braces are open: closes those that are indented as
 * far. */
static void close_for(const mistake *m)
{
    fzi_parser *p = m->p;
    uint32_t indent = m->wrong->kind ? fzi_line_indent(p, m->wrong) : 0;
    size_t keep = p->bracket_count;
    while (keep > 0) {
        if (fzi_line_indent(p, &p->tokens.items[p->brackets[keep - 1].token]) < indent)
            break;
        keep--;
    }
    for (size_t i = keep; i < p->bracket_count; i++)
        p->closers += p->brackets[i].closer == FZ_K_RBRACE;
    p->stay = true;
}

/* Do the braces hold the items of a piece? */
static bool opens_piece(const fzi_parser *p, uint32_t token)
{
    for (uint32_t i = token; i-- > 0 && token - i < 8;) {
        const int kind = p->tokens.items[i].kind;
        if (kind == FZ_K_PIECE)
            return true;
        if (kind == FZ_K_LBRACE || kind == FZ_K_RBRACE || kind == FZ_K_SEMICOLON)
            return false;
    }
    return false;
}

static bool unclosed_at(mistake *m, const fzi_bracket *open, fzi_span place)
{
    fzi_parser *p = m->p;
    const char *opener = fzi_token_text(m->p, p->tokens.items[open->token].kind);
    fzi_diag *diag = fzi_error(p->diags, place, FZ_E_UNCLOSED, fzi_token_text(m->p, open->closer),
                               opener, shown(m, m->wrong));
    if (place.start == p->tokens.items[open->token + 1].start && m->wrong->start != place.start)
        fzi_hint_add(diag, "there is one '{' too many");
    if (m->wrong->kind == FZ_K_WHEN && opens_piece(p, (uint32_t)open->token))
        fzi_hint_add(diag, "in a piece, a condition on options stands after the set: "
                           "'move to S if E;'");
    note_opener(m, diag, open->token);
    return true;
}

/* The file ends, or a declaration begins, inside braces. */
static bool runs_out(mistake *m, bool said)
{
    fzi_parser *p = m->p;
    bool declares = (m->wrong->flags & FZ_TOKEN_NEW_LINE) &&
                    (fzi_only_declares(p, m->wrong->kind) || fzi_begins_segment(p, p->now));
    if (!m->open || !(m->wrong->kind == 0 || declares))
        return false;
    fzi_bracket open = *m->open;
    if (p->misled) { /* the first wrong indentation */
        open.token = p->misled - 1;
        open.closer = FZ_K_RBRACE;
    }
    fzi_span place =
        m->wrong->kind || !m->previous ? fzi_span_of(m, m->wrong) : end_of(m, m->previous);
    const fzi_token *inner = &p->tokens.items[open.token + 1];
    bool twice = inner->kind == FZ_K_LBRACE && inner[-1].kind == FZ_K_LBRACE;
    if (!said)
        unclosed_at(m, &open, twice ? fzi_span_of(m, inner) : place);
    p->misled = 0;
    close_for(m);
    return true;
}

static bool wrong_bracket(mistake *m)
{
    fzi_parser *p = m->p;
    int wrong = m->wrong->kind;
    if (!fzi_is_closer(wrong) && wrong != FZ_K_SEMICOLON)
        return false;
    bool set = m->open && m->open->closer == FZ_K_RBRACE && fzi_is_closer(wrong) &&
               m->p->tokens.items[m->open->token].line == m->wrong->line &&
               (m->open->token == 0 || m->p->tokens.items[m->open->token - 1].kind != FZ_K_RPAREN);
    if (set && fzi_expects(m, FZ_K_RBRACE) && !fzi_expects(m, FZ_K_PUT))
        return unclosed_at(m, m->open, fzi_span_of(m, m->wrong));
    if (m->open && m->open->closer != FZ_K_RBRACE && m->open->closer != wrong &&
        (fzi_expects(m, m->open->closer) || fzi_is_closer(wrong)))
        return unclosed_at(m, m->open, fzi_span_of(m, m->wrong));
    if (wrong == FZ_K_SEMICOLON)
        return false;
    for (size_t i = 0; i < p->bracket_count; i++)
        if (p->brackets[i].closer == wrong)
            return false;
    fzi_error(p->diags, fzi_span_of(m, m->wrong), FZ_E_NOTHING_TO_CLOSE, fzi_token_text(p, wrong));
    return true;
}

/* ---- signs ---- */

static bool wrong_equals(mistake *m)
{
    fzi_parser *p = m->p;
    int wrong = m->wrong->kind;
    fzi_span here = fzi_span_of(m, m->wrong);
    if (wrong == FZ_K_ASSIGN && m->open && m->open->closer == FZ_K_RBRACKET &&
        fzi_is_torn(p, p->now))
        return unclosed_at(m, m->open, here);
    int code = wrong == FZ_K_ASSIGN && fzi_expects(m, FZ_K_EQ)   ? FZ_E_ASSIGN_IN_EXPRESSION
               : wrong == FZ_K_EQ && fzi_expects(m, FZ_K_ASSIGN) ? FZ_E_COMPARE_AS_STATEMENT
               : fzi_is_among(p, wrong, "== != < <= > >= in") && fzi_expects(m, FZ_K_AND)
                   ? FZ_E_CHAINED_COMPARISON
                   : 0;
    fzi_diag *diag = code ? fzi_error(p->diags, here, code) : NULL;
    if (diag && code != FZ_E_CHAINED_COMPARISON)
        fzi_hint_edit(diag, NULL, wrong == FZ_K_ASSIGN ? "==" : "=");
    return diag != NULL;
}

/* ---- words ---- */

/* A name where a statement, item or option begins, and nothing that could follow it. */
static bool begins_wrongly(const mistake *m)
{
    if (!m->previous || m->previous->kind != FZ_K_IDENT || m->wrong->kind == 0)
        return false;
    size_t index = (size_t)(m->previous - m->p->tokens.items);
    int before = index ? m->p->tokens.items[index - 1].kind : 0;
    return fzi_is_among(m->p, before, "; { } => otherwise else");
}

/* Offers the words that could stand here, or, if a name stands before the wrong token, in its
 * place. */
static void offer_words(const mistake *m, fzi_nearest *nearest)
{
    bool here = fzi_is_place(m, FZI_PLACE_DECLARATION) || fzi_is_place(m, FZI_PLACE_TEST);
    for (int token = FZ_K_GAME; token <= FZ_K_EXCLUDES; token++)
        if (here ? fzi_expects(m, token) : is_reserved(token) && !fzi_only_declares(m->p, token))
            fzi_nearest_offer(nearest, fzi_token_text(m->p, token));
}

/* Also words that are joined with the next: `expectteam`. */
static void hint_joined(const mistake *m, fzi_diag *diag, const char *word)
{
    for (int token = FZ_K_GAME; token <= FZ_K_EXCLUDES; token++) {
        const char *text = fzi_token_text(m->p, token);
        size_t length = strlen(text);
        if (length > 2 && strncmp(word, text, length) == 0 && fzi_expects(m, token)) {
            fzi_hint_add(diag, "did you mean '%s %s'?", text, word + length);
            return;
        }
    }
}

static bool unknown_word(mistake *m, const fzi_token *token, const char *what, int place,
                         bool must_be_near)
{
    fzi_parser *p = m->p;
    const char *word = fzi_token_name(p, fzi_span_of(m, token));
    bool foreign = fzi_is_foreign(place, word);
    fzi_nearest nearest = {.wanted = word};
    if (!foreign)
        offer_words(m, &nearest);
    if (must_be_near && !foreign && !nearest.best)
        return false;
    fzi_diag *diag = fzi_error(p->diags, fzi_span_of(m, token), FZ_E_UNKNOWN_WORD, what, word);
    if (foreign)
        fzi_hint_foreign(diag, place, word);
    else if (nearest.best)
        fzi_hint_nearest(diag, &nearest);
    else
        hint_joined(m, diag, word);
    return true;
}

static bool misspelled_word(mistake *m)
{
    bool name = is_name(m->wrong->kind);
    if (name && fzi_is_place(m, FZI_PLACE_DECLARATION))
        return unknown_word(m, m->wrong, "declaration", FZI_FOREIGN_DECLARATION, false);
    if (name && fzi_is_place(m, FZI_PLACE_TEST))
        return unknown_word(m, m->wrong, "test statement", FZI_FOREIGN_TEST, false);
    /* After the name of an assignment or call. */
    if (fzi_expects(m, FZ_K_PLUS_ASSIGN) && m->previous && is_name(m->previous->kind))
        return unknown_word(m, m->previous, "statement", FZI_FOREIGN_STATEMENT,
                            !name && m->wrong->kind != FZ_K_INT);
    if (!begins_wrongly(m))
        return false;
    if (fzi_expects(m, FZ_K_LPAREN) && fzi_expects(m, FZ_K_THEN)) /* a generator's */
        return unknown_word(m, m->previous, "option", FZI_FOREIGN_STATEMENT, true);
    return false;
}

/* `mvoe to x;`: a property's name, and its value `to`. */
static bool misspelled_item(mistake *m)
{
    size_t index = (size_t)(m->wrong - m->p->tokens.items);
    if (index < 3 || m->previous->kind != FZ_K_TO || m->wrong[-2].kind != FZ_K_IDENT)
        return false;
    return fzi_is_among(m->p, m->wrong[-3].kind, "; { }") &&
           unknown_word(m, m->wrong - 2, "item", FZI_FOREIGN_ITEM, true);
}

/* A statement where an option begins. If it is the first in its braces, they hold statements only:
 * "pass" { again; } */
static bool statement_as_option(mistake *m)
{
    fzi_parser *p = m->p;
    const fzi_token *first = m->wrong;
    int wrong = m->wrong->kind;
    if (begins_wrongly(m) && fzi_expects(m, FZ_K_LPAREN) && fzi_expects(m, FZ_K_THEN) &&
        fzi_is_among(p, wrong, "= += -= |= &= ["))
        first = m->previous;
    else if (!fzi_is_place(m, FZI_PLACE_OPTION) || !fzi_begins_statement(wrong))
        return false;
    fzi_diag *diag =
        fzi_error(p->diags, fzi_span_of(m, first), FZ_E_SYNTAX, "an option", shown(m, first));
    fzi_hint_add(diag, "write '=>' before the statement of an option");
    fzi_hint_edit(diag, &(fzi_span){p->source, first->start, first->start}, "=> ");
    p->skip_block = first > p->tokens.items && first[-1].kind == FZ_K_LBRACE;
    return true;
}

/* Is there an `=>` between these braces that belongs to no `choose`, or `otherwise` after them? */
static bool holds_options(const fzi_parser *p, size_t brace)
{
    size_t depth = 0;
    bool chooses = false;
    for (const fzi_token *at = &p->tokens.items[brace]; at->kind; at++) {
        depth += at->kind == FZ_K_LBRACE;
        depth -= at->kind == FZ_K_RBRACE;
        if (depth == 0) {
            int before = brace ? p->tokens.items[brace - 1].kind : 0;
            return at[1].kind == FZ_K_OTHERWISE && before != FZ_K_ARROW && before != FZ_K_THEN;
        }
        if (depth > 1)
            continue;
        if (at->kind == FZ_K_ARROW && !chooses)
            return true;
        chooses |= at->kind == FZ_K_CHOOSE;
        chooses &= at->kind != FZ_K_SEMICOLON && at->kind != FZ_K_RBRACE;
    }
    return false;
}

/* Options where statements stand: their `choose` is missing. */
static bool options_as_statements(mistake *m)
{
    fzi_parser *p = m->p;
    size_t open = p->bracket_count - p->skip_depth;
    if (!p->in_stmts || p->bracket_count <= p->skip_depth)
        return false;
    size_t brace = p->brackets[open - 1].token;
    if (p->brackets[open - 1].closer != FZ_K_RBRACE || brace + 1 == p->plain_block)
        return false;
    if (!holds_options(p, brace)) {
        p->plain_block = brace + 1;
        return false;
    }
    fzi_diag *diag = fzi_error(p->diags, fzi_token_span(p, brace), FZ_E_SYNTAX, "'choose'", "'{'");
    fzi_hint_add(diag, "these braces hold options");
    fzi_note_at(diag, fzi_span_of(m, m->wrong), "as is seen here");
    p->skip_block = true;
    return true;
}

/* A word of the language where a name stands, judged by what comes next. */
static bool reserved_as_name(mistake *m)
{
    bool unclosed_set = fzi_kind_at(m, -1) == FZ_K_LBRACE && fzi_begins_statement(m->wrong->kind);
    if (!is_reserved(m->wrong->kind) || !fzi_expects(m, FZ_K_IDENT) || unclosed_set ||
        fzi_is_place(m, FZI_PLACE_DECLARATION) || fzi_is_place(m, FZI_PLACE_OPTION))
        return false;
    fzi_parser *p = m->p;
    int next = following(m);
    bool after_word = m->previous && is_reserved(m->previous->kind);
    if (!fzi_is_among(p, next, "= ( [ : , ; ) ] in . += -= == facing") &&
        !(after_word && (next == FZ_K_LBRACE || next == FZ_K_STRING)))
        return false;
    const char *word = fzi_token_text(m->p, m->wrong->kind);
    fzi_diag *diag = fzi_error(p->diags, fzi_span_of(m, m->wrong), FZ_E_RESERVED_WORD, word);
    const char *hint = fzi_reserved_hint(m);
    if (hint)
        fzi_hint_add(diag, "%s", hint);
    else
        fzi_hint_add(diag, "choose another name, such as '%s_'", word);
    return true;
}

/* ---- the rest ---- */

/* Does the statement before the wrong token begin with the word? */
static bool is_after(const mistake *m, int word)
{
    for (int at = -1; at > -20 && fzi_kind_at(m, at) && fzi_kind_at(m, at) != FZ_K_SEMICOLON; at--)
        if (fzi_kind_at(m, at) == word)
            return true;
    return false;
}

static bool missing_semicolon(mistake *m)
{
    fzi_parser *p = m->p;
    int wrong = m->wrong->kind;
    bool next_begins = (m->wrong->flags & FZ_TOKEN_NEW_LINE) || wrong == FZ_K_RBRACE ||
                       wrong == FZ_K_ELSE || wrong == FZ_K_OTHERWISE ||
                       (is_reserved(wrong) && !fzi_continues(p, wrong));
    bool branch = (wrong == FZ_K_ELSE || wrong == FZ_K_OTHERWISE) && !fzi_expects(m, FZ_K_ELSE);
    if (!fzi_expects(m, FZ_K_SEMICOLON) || !m->previous || !next_begins ||
        (fzi_continues(p, wrong) && !branch))
        return false;
    fzi_diag *diag = fzi_error(p->diags, end_of(m, m->previous), FZ_E_MISSING_SEMICOLON,
                               shown(m, m->previous));
    if (wrong == FZ_K_RBRACE && fzi_is_among(p, following(m), "; ) ,")) /* `== a1};` */
        fzi_hint_add(diag, "or a '{' is missing before %s", shown(m, m->previous));
    if (wrong == FZ_K_ELSE && is_after(m, FZ_K_CHOOSE))
        fzi_hint_add(diag, "what happens without a move is written 'otherwise ...'");
    else if (wrong == FZ_K_OTHERWISE)
        fzi_hint_add(diag, "a statement ends in ';', also before 'otherwise'");
    else if (wrong == FZ_K_IF && (is_after(m, FZ_K_WIN) || is_after(m, FZ_K_LOSE)))
        fzi_hint_add(diag, "the condition stands before it: 'if ... win ...;'");
    fzi_fix_add(diag, "insert ';'");
    fzi_hint_edit(diag, &(fzi_span){p->source, m->previous->end, m->previous->end}, ";");
    p->stay = !branch; /* the rest of the statement is skipped, too */
    return true;
}

enum { MAX_NAMED = 4, MAX_CHOICES = 24 };

typedef struct choices {
    const char *items[MAX_CHOICES];
    size_t count;
    bool left[FZ_TOKEN_LIMIT]; /* expected, and not yet said */
} choices;

static void add_choice(choices *c, const char *text)
{
    if (c->count < MAX_CHOICES)
        c->items[c->count++] = text;
}

static void drop(const mistake *m, choices *c, const char *list)
{
    for (int token = FZ_K_GAME; token <= FZ_K_DOT; token++)
        c->left[token - FZ_K_GAME] &= !fzi_is_among(m->p, token, list);
}

static void drop_range(choices *c, int from, int to)
{
    for (int token = from; token <= to; token++)
        c->left[token - FZ_K_GAME] = false;
}

/* Places, with one name for all words and signs that may begin there. */
static const struct {
    enum fzi_parse_place place;
    int from; /* the words from this one on, with the signs */
    const char *signs, *name;
} starts[] = {
    {FZI_PLACE_DECLARATION, FZ_K_GAME, "", "a declaration"},
    {FZI_PLACE_STATEMENT, FZ_K_GAME, "{", "a statement"},
    {FZI_PLACE_ITEM, FZ_K_GAME, "", "a move or property of the piece"},
    {FZI_PLACE_TEST, FZ_K_GAME, "", "a test statement"},
    {FZI_PLACE_OPTION, FZ_K_TO, "for let if as shown => {", "an option"},
    {FZI_PLACE_EXPRESSION, FZ_K_TO,
     "( [ { - ~ # not if any all count sum max min union first "
     "random as rank graph",
     "an expression"},
};

/* Collects the expected tokens: first groups, as one choice each, then single tokens. */
static void collect(const mistake *m, choices *c)
{
    memcpy(c->left, m->expected, sizeof c->left);
    if (fzi_expects(m, FZ_K_SEMICOLON))
        add_choice(c, "';'");
    drop(m, c, ";");
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (fzi_is_place(m, starts[i].place)) {
            add_choice(c, starts[i].name);
            drop(m, c, starts[i].signs);
            drop_range(c, starts[i].from, FZ_K_EXCLUDES);
            drop_range(c, FZ_K_IDENT, FZ_K_STRING);
            break;
        }
    if (fzi_expects(m, FZ_K_PLUS_ASSIGN)) {
        add_choice(c, "'='");
        drop(m, c, "= += -= |= &=");
    }
    if (c->left[FZ_K_IDENT - FZ_K_GAME])
        drop_range(c, FZ_K_TO, FZ_K_EXCLUDES);
    bool operator = fzi_is_place(m, FZI_PLACE_OPERATOR);
    drop(m, c, ".");
    if (operator)
        drop(m, c, "or and == != < <= > >= in not .. | & + - * / % [ . ( shown");
    if (fzi_expects(m, FZ_K_IN)) /* `for x`: the usual word is enough */
        drop(m, c, "subset");
    for (int token = FZ_K_GAME; token <= FZ_K_STRING; token++) {
        const char *text = fzi_token_text(m->p, token);
        if (c->left[token - FZ_K_GAME])
            add_choice(c, token >= FZ_K_IDENT ? text : fzi_arena_printf(m->p->arena, "'%s'", text));
    }
    if (operator)
        add_choice(c, "an operator");
}

static const char *joined(const mistake *m, const choices *c)
{
    fzi_arena *arena = m->p->arena;
    if (c->count == 0)
        return "the end of the file";
    const char *text = c->items[0];
    size_t last = c->count > MAX_NAMED ? MAX_NAMED : c->count - 1;
    for (size_t i = 1; i < last; i++)
        text = fzi_arena_printf(arena, "%s, %s", text, c->items[i]);
    if (c->count > MAX_NAMED)
        return fzi_arena_printf(arena, "%s or another token", text);
    return c->count > 1 ? fzi_arena_printf(arena, "%s or %s", text, c->items[last]) : text;
}

static void say_expected(mistake *m)
{
    fzi_parser *p = m->p;
    choices c = {.count = 0};
    collect(m, &c);
    fzi_diag *diag = fzi_error(p->diags, fzi_span_of(m, m->wrong), FZ_E_SYNTAX, joined(m, &c),
                               shown(m, m->wrong));
    const char *hint = fzi_syntax_hint(m);
    if (hint)
        fzi_syntax_hint_add(m, diag, hint);
    if (m->open && fzi_expects(m, m->open->closer) && m->open->closer != FZ_K_RBRACE)
        note_opener(m, diag, m->open->token);
}

/* One message for each line: further errors on it are mostly the same mistake. */
static bool is_said(const mistake *m)
{
    const fzi_parser *p = m->p;
    const fzi_token *last = p->last_wrong ? &p->tokens.items[p->last_wrong - 1] : NULL;
    bool broken = (m->wrong->flags & FZ_TOKEN_BROKEN) ||
                  (m->previous && (m->previous->flags & FZ_TOKEN_BROKEN));
    return broken || p->excused == p->now + 1 || (last && last->line == m->wrong->line);
}

void fzi_syntax_error(fzi_parser *p, const bool *expected)
{
    mistake m = {
        .p = p,
        .expected = expected,
        .wrong = &p->tokens.items[p->now],
        .previous = p->now ? &p->tokens.items[p->now - 1] : NULL,
        .open = fzi_parser_open(p),
    };
    if (p->wanted && !p->has_wanted && p->now >= p->tokens.count) {
        memcpy(p->wanted, expected, FZ_TOKEN_LIMIT * sizeof *expected);
        p->has_wanted = true;
    }
    p->closers = 0;
    bool said = is_said(&m);
    p->last_wrong = p->now + 1;
    if (runs_out(&m, said))
        return;
    p->give_up = fzi_is_torn(p, p->now);
    if (said || fzi_foreign_phrase(&m) || wrong_bracket(&m) || wrong_equals(&m) ||
        statement_as_option(&m) || options_as_statements(&m) || misspelled_word(&m) ||
        misspelled_item(&m) || reserved_as_name(&m) || missing_semicolon(&m))
        return;
    say_expected(&m);
}
