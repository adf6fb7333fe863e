/* Hints for syntax errors: typical mistakes of authors who know other languages, other game systems
 * or rulebooks. They are recognized by the tokens around the wrong one. Hints quote the author's
 * own words, so that the line can be mended by reading it. */
#include <stddef.h>
#include <string.h>

#include "syntax_errors.h"

#include "grammar/syntax/ferz_parse.h"

enum { MAX_QUOTE = 60, MAX_BACK = 40 };

/* ---- the tokens around ---- */

static const char *word_at(const fzi_mistake *m, int offset)
{
    if (!fzi_kind_at(m, offset))
        return "";
    return fzi_token_name(m->p, fzi_span_of(m, m->wrong + offset));
}

static bool is_word(const fzi_mistake *m, int offset, const char *word)
{
    return strcmp(word_at(m, offset), word) == 0;
}

static bool same_line(const fzi_mistake *m, int offset)
{
    return fzi_kind_at(m, offset) && m->wrong[offset].line == m->wrong->line;
}

/* The text from one token to another; "..." if it is long. */
static const char *quoted(const fzi_mistake *m, int from, int to)
{
    uint32_t start = m->wrong[from].start, end = m->wrong[to].end;
    if (to < from || end - start > MAX_QUOTE ||
        memchr(m->p->text->text + start, '\n', end - start))
        return "...";
    return fzi_token_name(m->p, (fzi_span){m->p->source, start, end});
}

static bool opens(int kind)
{
    return kind == FZ_K_LPAREN || kind == FZ_K_LBRACKET || kind == FZ_K_LBRACE;
}

/* The place of the bracket that closes at `offset`; `offset` if it is not near. */
static int opener_at(const fzi_mistake *m, int offset)
{
    int depth = 0;
    for (int at = offset; at > offset - MAX_BACK && fzi_kind_at(m, at); at--) {
        depth += fzi_is_closer(fzi_kind_at(m, at));
        depth -= opens(fzi_kind_at(m, at));
        if (depth == 0)
            return at;
    }
    return offset;
}

static int closer_at(const fzi_mistake *m, int offset)
{
    int depth = 0;
    for (int at = offset; at < offset + MAX_BACK && fzi_kind_at(m, at); at++) {
        depth += opens(fzi_kind_at(m, at));
        depth -= fzi_is_closer(fzi_kind_at(m, at));
        if (depth == 0)
            return at;
    }
    return offset;
}

static bool is_operand(int kind)
{
    return kind == FZ_K_IDENT || kind == FZ_K_INT || (kind >= FZ_K_TO && kind <= FZ_K_EXCLUDES);
}

/* The first token of the operand that ends at `offset`: a name, a call, an element, a set. */
static int operand_start(const fzi_mistake *m, int offset)
{
    int at = offset;
    while (fzi_kind_at(m, at) == FZ_K_RPAREN || fzi_kind_at(m, at) == FZ_K_RBRACKET ||
           fzi_kind_at(m, at) == FZ_K_RBRACE) {
        int opener = opener_at(m, at);
        if (opener == at)
            return at;
        at = opener;
        if (fzi_kind_at(m, at) == FZ_K_LBRACE || !is_operand(fzi_kind_at(m, at - 1)))
            return at;
        at--;
    }
    return fzi_kind_at(m, at - 1) == FZ_K_HASH ? at - 1 : at;
}

static int operand_end(const fzi_mistake *m, int offset)
{
    int at = offset;
    while (fzi_kind_at(m, at) == FZ_K_HASH || fzi_kind_at(m, at) == FZ_K_MINUS)
        at++;
    if (opens(fzi_kind_at(m, at)))
        at = closer_at(m, at);
    while (fzi_kind_at(m, at + 1) == FZ_K_LPAREN || fzi_kind_at(m, at + 1) == FZ_K_LBRACKET)
        at = closer_at(m, at + 1);
    return at;
}

static const char *operand_before(const fzi_mistake *m)
{
    return quoted(m, operand_start(m, -1), -1);
}

static const char *operand_from(const fzi_mistake *m, int offset)
{
    return quoted(m, offset, operand_end(m, offset));
}

#define SAY(...) fzi_arena_printf(m->p->arena, __VA_ARGS__)

/* How many tokens before the wrong one `kind` stands in the same statement; 0: nowhere. */
static int back_to(const fzi_mistake *m, int kind, int most)
{
    for (int back = 1; back <= most; back++) {
        int found = fzi_kind_at(m, -back);
        if (found == kind)
            return back;
        if (!found || found == FZ_K_SEMICOLON)
            break;
    }
    return 0;
}

/* ---- phrases ---- */

static bool say_phrase(fzi_mistake *m, int offset, const char *expected, const char *hint)
{
    const char *found = SAY("'%s'", word_at(m, offset));
    fzi_diag *diag = fzi_error(m->p->diags, fzi_span_of(m, m->wrong + offset), FZ_E_SYNTAX,
                               expected, found);
    fzi_hint_add(m->p->diags, diag, "%s", hint);
    return true;
}

/* `x is y`, `x is not y`, `x is in y` */
static bool says_is(fzi_mistake *m)
{
    bool now = is_word(m, 0, "is") && fzi_wants_operator(m);
    if (!now && !(is_word(m, -1, "is") && same_line(m, -2)))
        return false;
    int is = now ? 0 : -1, next = fzi_kind_at(m, is + 1);
    if (fzi_kind_at(m, is - 1) == FZ_K_LPAREN || fzi_kind_at(m, is - 1) == FZ_K_SEMICOLON ||
        fzi_kind_at(m, is - 1) == FZ_K_LBRACE)
        return false;
    const char *left = quoted(m, operand_start(m, is - 1), is - 1);
    const char *hint = SAY("to compare, write '%s == %s'", left, operand_from(m, is + 1));
    if (next == FZ_K_IN)
        hint = SAY("write '%s in %s'", left, operand_from(m, is + 2));
    else if (next == FZ_K_NOT && fzi_kind_at(m, is + 2) == FZ_K_IN)
        hint = SAY("write 'not %s in %s'", left, operand_from(m, is + 3));
    else if (next == FZ_K_NOT && is_word(m, is + 2, "empty"))
        hint = SAY("write '%s != {}'", left);
    else if (next == FZ_K_NOT)
        hint = SAY("write '%s != %s'", left, operand_from(m, is + 2));
    else if (is_word(m, is + 1, "empty"))
        hint = SAY("write '%s == {}' of a set, '%s in empty' of a site", left, left);
    return say_phrase(m, is, "an operator", hint);
}

/* `White wins;` */
static bool says_wins(fzi_mistake *m)
{
    static const char *const words[] = {"wins", "won", "win", "loses", "lost", "lose", NULL};
    if (!fzi_expects(m, FZ_K_PLUS_ASSIGN))
        return false;
    for (unsigned i = 0; words[i]; i++)
        if (is_word(m, 0, words[i]))
            return say_phrase(m, -1, "a statement",
                              SAY("write '%s %s;'", i < 3 ? "win" : "lose", word_at(m, -1)));
    return false;
}

/* `var a: int[5]`, `var a: bool[player] = true` */
static bool says_index_behind_type(fzi_mistake *m)
{
    int back = back_to(m, FZ_K_VAR, MAX_BACK);
    if (!back || fzi_kind_at(m, 1 - back) != FZ_K_IDENT ||
        fzi_kind_at(m, 2 - back) != FZ_K_COLON || fzi_kind_at(m, 3 - back) != FZ_K_IDENT ||
        fzi_kind_at(m, 4 - back) != FZ_K_LBRACKET || back < 5)
        return false;
    int end = closer_at(m, 4 - back);
    const char *name = word_at(m, 1 - back), *type = word_at(m, 3 - back);
    const char *index = end > 5 - back ? quoted(m, 5 - back, end - 1) : "...";
    if (end == 6 - back && fzi_kind_at(m, 5 - back) == FZ_K_INT) {
        long long size = fzi_token_number(m->p, fzi_span_of(m, m->wrong + (5 - back)));
        index = SAY("0..%lld", size ? size - 1 : 0);
    }
    return say_phrase(m, 4 - back, "';' or '='",
                      SAY("the index stands behind the name: 'var %s[%s]: %s'", name, index, type));
}

/* `proc f(s: site): sites = ...;` */
static bool says_proc_for_fn(fzi_mistake *m)
{
    int back = m->wrong->kind == FZ_K_ASSIGN ? back_to(m, FZ_K_PROC, MAX_BACK) : 0;
    if (!back || fzi_kind_at(m, 2 - back) != FZ_K_LPAREN)
        return false;
    return say_phrase(m, 0, "'{'", "a function that computes a value is a 'fn'");
}

/* `if a => b win me;` for `>=` */
static bool says_arrow_for_order(fzi_mistake *m)
{
    if (m->wrong->kind != FZ_K_ARROW || !fzi_wants_statement(m) || !fzi_wants_operator(m) ||
        !is_operand(fzi_kind_at(m, 1)))
        return false;
    int next = operand_end(m, 1) + 1;
    if (!fzi_begins_statement(fzi_kind_at(m, next)) && !is_operand(fzi_kind_at(m, next)) &&
        fzi_kind_at(m, next) != FZ_K_AND && fzi_kind_at(m, next) != FZ_K_OR)
        return false;
    return say_phrase(m, 0, "an operator", "'at least' is written '>='");
}

/* `{s for s in S if c}` */
static bool says_comprehension(fzi_mistake *m)
{
    if (m->wrong->kind != FZ_K_FOR || fzi_kind_at(m, -2) != FZ_K_LBRACE ||
        !fzi_wants_operator(m) || fzi_kind_at(m, 2) != FZ_K_IN)
        return false;
    int end = closer_at(m, -2);
    return say_phrase(m, 0, "'}' or ','",
                      SAY("write '{%s}'", end > 0 ? quoted(m, 0, end - 1) : "for x in S if c"));
}

bool fzi_foreign_phrase(fzi_mistake *m)
{
    return says_is(m) || says_wins(m) || says_index_behind_type(m) || says_proc_for_fn(m) ||
           says_arrow_for_order(m) || says_comprehension(m);
}

/* ---- reserved words ---- */

const char *fzi_reserved_hint(const fzi_mistake *m)
{
    int word = m->wrong->kind;
    const char *text = word_at(m, 0);
    if (fzi_kind_at(m, -1) == FZ_K_REMOVE && fzi_only_declares(word))
        return SAY("it cannot be removed: write 'override %s %s'", text,
                   word == FZ_K_LIMIT     ? "n turns draw;"
                   : word == FZ_K_PLAYERS ? "A, B;"
                   : word == FZ_K_BOARD   ? "square(8);"
                                          : "{ ... }");
    if (word == FZ_K_BOARD && fzi_kind_at(m, 1) == FZ_K_LBRACKET) {
        const char *site = quoted(m, 2, closer_at(m, 1) - 1);
        return SAY("kind(%s) is the piece on a site; 'put K of me at %s;' puts one there", site,
                   site);
    }
    bool one = fzi_kind_at(m, 1) == FZ_K_LPAREN && closer_at(m, 1) > 2;
    const char *argument = one ? quoted(m, 2, closer_at(m, 1) - 1) : "p";
    switch (word) {
    case FZ_K_WIN: case FZ_K_LOSE: case FZ_K_OUT: case FZ_K_NEXT: case FZ_K_REMOVE:
    case FZ_K_CAPTURE:
        return SAY("it begins a statement: '%s %s;'", text, argument);
    case FZ_K_DRAW: case FZ_K_AGAIN: case FZ_K_STOP:
        return SAY("it is a statement: '%s;'", text);
    case FZ_K_PUT:
        return "it begins a statement: 'put K of me at S;'";
    case FZ_K_MOVE:
        return "to move a piece, write 'go(from, to);'";
    default:
        return NULL;
    }
}

/* ---- declarations ---- */

/* `limit 3 turns;`, `limit turns 3 draw;`, `limit = 3;`, `limit 3;` */
static const char *hint_limit(const fzi_mistake *m)
{
    int back = back_to(m, FZ_K_LIMIT, 4);
    if (!back)
        return NULL;
    const char *number = "400";
    for (int at = 1 - back; at < 3; at++)
        if (fzi_kind_at(m, at) == FZ_K_INT || fzi_kind_at(m, at) == FZ_K_IDENT) {
            number = word_at(m, at);
            break;
        }
    return SAY("write 'limit %s turns draw;'", number);
}

static const char *hint_players(const fzi_mistake *m)
{
    if (fzi_kind_at(m, -1) == FZ_K_PLAYERS && m->wrong->kind == FZ_K_INT)
        return "list the names of the players: 'players White, Black;'";
    if (fzi_kind_at(m, -1) == FZ_K_PLAYERS && m->wrong->kind == FZ_K_COLON)
        return "without ':': 'players White, Black;'";
    if (fzi_kind_at(m, -1) == FZ_K_PLAYERS && m->wrong->kind == FZ_K_LBRACE)
        return SAY("without braces: 'players %s;'",
                   closer_at(m, 0) > 1 ? quoted(m, 1, closer_at(m, 0) - 1) : "White, Black");
    return NULL;
}

static const char *hint_header(const fzi_mistake *m)
{
    if (fzi_kind_at(m, -2) == FZ_K_GAME && fzi_kind_at(m, -1) == FZ_K_STRING)
        return SAY("a variant begins with 'variant %s of \"base.game\";'", word_at(m, -1));
    int before = fzi_kind_at(m, -1);
    if ((before == FZ_K_GAME || before == FZ_K_VARIANT || before == FZ_K_TEST) &&
        is_operand(m->wrong->kind))
        return SAY("the title stands in quotes: %s \"%s\"", word_at(m, -1), word_at(m, 0));
    return NULL;
}

static const char *hint_piece(const fzi_mistake *m)
{
    if (fzi_kind_at(m, -1) == FZ_K_PIECE && m->wrong->kind == FZ_K_STRING)
        return "the name stands without quotes, then the letter in quotes: 'piece Rook \"R\"'";
    if (fzi_kind_at(m, -2) != FZ_K_PIECE || fzi_kind_at(m, -1) != FZ_K_IDENT)
        return fzi_kind_at(m, -3) == FZ_K_PIECE && m->wrong->kind == FZ_K_COLON
                   ? "the moves of a piece stand in '{' and '}'"
                   : NULL;
    if (m->wrong->kind == FZ_K_COLON)
        return "the moves of a piece stand in '{' and '}'";
    if (m->wrong->kind == FZ_K_ASSIGN || m->wrong->kind == FZ_K_COMMA) {
        const char *letter = fzi_kind_at(m, 1) == FZ_K_STRING ? word_at(m, 1) : "\"R\"";
        return SAY("the letter stands behind the name: 'piece %s %s'", word_at(m, -1), letter);
    }
    if (m->wrong->kind == FZ_K_IDENT)
        return SAY("the letter stands in quotes: 'piece %s \"%s\"'", word_at(m, -1), word_at(m, 0));
    return NULL;
}

static const char *hint_option_decl(const fzi_mistake *m)
{
    if (fzi_kind_at(m, -2) != FZ_K_OPTION || m->wrong->kind != FZ_K_ASSIGN)
        return NULL;
    const char *name = word_at(m, -1), *value = word_at(m, 1);
    if (fzi_kind_at(m, 1) == FZ_K_INT)
        return SAY("state the numbers to choose from: 'option %s: 1..%s = %s;'", name, value,
                   value);
    return SAY("state the values to choose from: 'option %s { A, B } = A;', or "
               "'option %s: bool = false;'", name, name);
}

static const char *hint_fn(const fzi_mistake *m)
{
    int back = back_to(m, FZ_K_FN, MAX_BACK);
    if (!back || !fzi_expects(m, FZ_K_COLON))
        return NULL;
    if (m->open && m->open->closer == FZ_K_RPAREN && fzi_kind_at(m, -1) == FZ_K_IDENT)
        return SAY("state the type: '%s: site'", word_at(m, -1));
    if (m->wrong->kind == FZ_K_LBRACE || m->wrong->kind == FZ_K_ASSIGN)
        return SAY("a 'fn' states its type, as in '%s: bool'; an effect is a 'proc'",
                   quoted(m, 1 - back, -1));
    return NULL;
}

/* `fn f(s: site): sites { step(s, adjacent) & empty }` */
static const char *hint_return(const fzi_mistake *m)
{
    int body = 0, wrong = m->wrong->kind;
    if (!m->open || m->open->closer != FZ_K_RBRACE ||
        !(fzi_expects(m, FZ_K_SEMICOLON) || fzi_expects(m, FZ_K_PLUS_ASSIGN)))
        return NULL;
    body = (int)(&m->p->tokens.items[m->open->token] - m->wrong);
    bool begins = fzi_kind_at(m, body - 3) == FZ_K_RPAREN &&
                  fzi_kind_at(m, body - 2) == FZ_K_COLON &&
                  fzi_kind_at(m, body - 1) == FZ_K_IDENT &&
                  fzi_kind_at(m, body + 1) == FZ_K_IDENT;
    if (!begins || wrong == FZ_K_SEMICOLON || back_to(m, FZ_K_SEMICOLON, -body - 1))
        return NULL;
    int open = opener_at(m, body - 3);
    return fzi_kind_at(m, open - 2) == FZ_K_FN
               ? SAY("a function returns its value: 'return %s ...;'", quoted(m, body + 1, -1))
               : NULL;
}

/* `proc f(site s)`, `proc f(s)` */
static const char *hint_parameter(const fzi_mistake *m)
{
    if (!fzi_expects(m, FZ_K_COLON) || !m->open || m->open->closer != FZ_K_RPAREN ||
        fzi_kind_at(m, -1) != FZ_K_IDENT ||
        (fzi_kind_at(m, -2) != FZ_K_LPAREN && fzi_kind_at(m, -2) != FZ_K_COMMA))
        return NULL;
    if (m->wrong->kind == FZ_K_IDENT)
        return SAY("the type stands behind the name: '%s: %s'", word_at(m, 0), word_at(m, -1));
    return SAY("state the type: '%s: site'", word_at(m, -1));
}

static const char *hint_declaration(const fzi_mistake *m)
{
    int wrong = m->wrong->kind, last = fzi_kind_at(m, -1);
    if (fzi_kind_at(m, -2) == FZ_K_ENUM && wrong == FZ_K_ASSIGN)
        return SAY("the values stand in braces: 'enum %s { A, B }'", word_at(m, -1));
    if (fzi_kind_at(m, -2) == FZ_K_DIE && wrong == FZ_K_LPAREN)
        return SAY("write 'die %s = %s;'", word_at(m, -1), quoted(m, 1, closer_at(m, 0) - 1));
    if (wrong == FZ_K_LBRACKET && last == FZ_K_RBRACKET && back_to(m, FZ_K_VAR, MAX_BACK))
        return SAY("all indexes stand in one pair of brackets: [%s, %s]",
                   quoted(m, opener_at(m, -1) + 1, -2), quoted(m, 1, closer_at(m, 0) - 1));
    if (fzi_kind_at(m, -2) == FZ_K_VAR && wrong == FZ_K_IDENT)
        return SAY("the type stands behind ':': 'var %s: %s'", word_at(m, -1), word_at(m, 0));
    if (fzi_kind_at(m, -4) == FZ_K_VAR && fzi_kind_at(m, -2) == FZ_K_ASSIGN && wrong == FZ_K_COLON)
        return SAY("the type stands before the value: 'var %s: %s = %s'", word_at(m, -3),
                   word_at(m, 1), word_at(m, -1));
    if (fzi_kind_at(m, -2) == FZ_K_SET && is_word(m, 0, "to"))
        return SAY("write 'set %s = %s;'", word_at(m, -1), word_at(m, 1));
    if (last == FZ_K_CLOCK || last == FZ_K_CARRIED || last == FZ_K_SECRET)
        return SAY("write '%s var %s: %s;'", word_at(m, -1),
                   fzi_kind_at(m, 1) == FZ_K_IDENT ? word_at(m, 1) : "name", word_at(m, 0));
    return NULL;
}

/* ---- pieces and options ---- */

static const char *hint_item(const fzi_mistake *m)
{
    int wrong = m->wrong->kind, last = fzi_kind_at(m, -1);
    if (last == FZ_K_MOVE || last == FZ_K_CAPTURE)
        return is_word(m, 0, "forward") || is_word(m, 0, "orthogonal") ||
                       is_word(m, 0, "diagonal") || is_word(m, 0, "adjacent")
                   ? SAY("say to which sites: '%s to step(here, %s)'", word_at(m, -1),
                         word_at(m, 0))
                   : SAY("write '%s to %s'", word_at(m, -1), operand_from(m, 0));
    if (last == FZ_K_MOVES && is_word(m, 0, "to"))
        return "write 'move to'";
    if (fzi_wants_item(m) && wrong == FZ_K_FOR)
        return "'for' stands behind the set of 'move to', or in 'moves { }'; "
               "'union d in D : S' unites sets";
    if (fzi_wants_item(m) && wrong == FZ_K_IF)
        return "the condition stands behind the set: 'move to S if condition;'";
    if (fzi_wants_item(m) && wrong == FZ_K_LPAREN)
        return "an item is written 'move to slide(here, orthogonal);'";
    if (!fzi_expects(m, FZ_K_SEMICOLON) || !fzi_wants_option(m) || !back_to(m, FZ_K_TO, MAX_BACK))
        return NULL;
    if (wrong == FZ_K_THEN)
        return "write the effect behind '=>', as '=> { go(here, to);  ... }'; "
               "'after' runs after all moves of the piece";
    if (wrong == FZ_K_IDENT && (is_word(m, 0, "where") || is_word(m, 0, "unless") ||
                                is_word(m, 0, "provided") || is_word(m, 0, "only")))
        return "a condition is written 'if ...'";
    if (wrong == FZ_K_COMMA)
        return "sets of targets are united with '|'";
    return NULL;
}

static const char *hint_move_for(const fzi_mistake *m)
{
    if (m->wrong->kind != FZ_K_FOR || !fzi_wants_expression(m))
        return NULL;
    if (fzi_kind_at(m, -1) == FZ_K_SUM || fzi_kind_at(m, -1) == FZ_K_COUNT ||
        fzi_kind_at(m, -1) == FZ_K_ANY || fzi_kind_at(m, -1) == FZ_K_ALL)
        return NULL;
    if (fzi_kind_at(m, 2) == FZ_K_IN)
        return SAY("to unite sets, write 'union %s in %s : ...'", word_at(m, 1),
                   operand_from(m, 3));
    return NULL;
}

static const char *hint_choice(const fzi_mistake *m)
{
    int wrong = m->wrong->kind, last = fzi_kind_at(m, -1);
    if (last == FZ_K_COMMA && fzi_begins_statement(wrong) && back_to(m, FZ_K_IN, MAX_BACK))
        return "write '=>' before the statement of an option";
    if (wrong == FZ_K_THEN && fzi_expects(m, FZ_K_SEMICOLON) && back_to(m, FZ_K_ARROW, MAX_BACK))
        return "several statements of an effect stand in braces: '=> { ...;  ...; }'";
    if (wrong == FZ_K_ASSIGN && fzi_kind_at(m, -1) == FZ_K_IDENT && fzi_expects(m, FZ_K_THEN))
        return SAY("write 'let %s = ...'", word_at(m, -1));
    if (fzi_kind_at(m, -2) == FZ_K_CHOOSE && last == FZ_K_IDENT && wrong == FZ_K_FROM)
        return SAY("write 'choose %s in %s'", word_at(m, -1), operand_from(m, 1));
    if (fzi_kind_at(m, -2) == FZ_K_CHOOSE && last == FZ_K_IDENT && wrong == FZ_K_IDENT)
        return SAY("another player decides by 'choose by %s ...'", word_at(m, -1));
    return NULL;
}

/* ---- statements ---- */

/* Does the text declare a piece of this name? */
static bool is_piece(const fzi_mistake *m, int offset)
{
    const fzi_tokens *tokens = &m->p->tokens;
    const char *name = word_at(m, offset);
    for (size_t i = 1; i < tokens->count; i++)
        if (tokens->items[i - 1].kind == FZ_K_PIECE && tokens->items[i].kind == FZ_K_IDENT &&
            fzi_token_name(m->p, fzi_span_of(m, &tokens->items[i])) == name)
            return true;
    return false;
}

/* `put Man at a1`, `put White Man at a1`, `put Man of White on a1` */
static const char *hint_put(const fzi_mistake *m)
{
    int back = back_to(m, FZ_K_PUT, MAX_BACK);
    if (!back)
        return NULL;
    if (fzi_expects(m, FZ_K_OF) && m->wrong->kind == FZ_K_AT)
        return SAY("say whose piece it is: 'put %s of me at %s;'", quoted(m, 1 - back, -1),
                   operand_from(m, 1));
    if (fzi_expects(m, FZ_K_OF) && back == 2 && is_operand(m->wrong->kind)) {
        bool behind = is_piece(m, 0);
        return SAY("write 'put %s of %s at ...;'", word_at(m, behind ? 0 : -1),
                   word_at(m, behind ? -1 : 0));
    }
    if (fzi_expects(m, FZ_K_OF) && m->wrong->kind == FZ_K_BY)
        return SAY("write 'put %s of %s at ...;'", quoted(m, 1 - back, -1), word_at(m, 1));
    if (fzi_expects(m, FZ_K_AT) && (m->wrong->kind == FZ_K_ON || m->wrong->kind == FZ_K_IN ||
                                   m->wrong->kind == FZ_K_TO))
        return SAY("write 'at' before the sites: 'put %s at %s;'", quoted(m, 1 - back, -1),
                   operand_from(m, 1));
    int at = back_to(m, FZ_K_AT, 12);
    if (at && m->wrong->kind == FZ_K_COMMA && !m->p->bracket_count)
        return NULL;
    if (at && m->wrong->kind == FZ_K_COMMA && fzi_expects(m, FZ_K_SEMICOLON)) {
        int end = 1;
        while (fzi_kind_at(m, end + 1) && fzi_kind_at(m, end + 1) != FZ_K_SEMICOLON &&
               fzi_kind_at(m, end + 1) != FZ_K_RBRACE)
            end++;
        return SAY("several sites stand in braces: {%s}", quoted(m, 1 - at, end));
    }
    return NULL;
}

static const char *hint_statement(const fzi_mistake *m)
{
    int wrong = m->wrong->kind, last = fzi_kind_at(m, -1);
    bool statement = fzi_wants_statement(m);
    if (statement && wrong == FZ_K_MOVE && fzi_kind_at(m, 2) == FZ_K_TO)
        return SAY("to move a piece, write 'go(%s, %s);'", word_at(m, 1), operand_from(m, 3));
    if (statement && wrong == FZ_K_MOVE)
        return "to move a piece, write 'go(from, to);'";
    if (last == FZ_K_CHOOSE && (wrong == FZ_K_ANY || wrong == FZ_K_MOVES || wrong == FZ_K_MOVE))
        return "the moves of all pieces are 'piece_moves': 'choose piece_moves;'";
    if (statement && wrong == FZ_K_MOVES && is_word(m, -1, "no"))
        return "whether there is no move is asked with 'not can(piece_moves)'";
    if ((last == FZ_K_WIN || last == FZ_K_LOSE) && wrong == FZ_K_ASSIGN)
        return SAY("without '=': '%s %s;'", word_at(m, -1), operand_from(m, 1));
    if (statement && wrong == FZ_K_COLON)
        return "there is no ':' behind a condition";
    if ((last == FZ_K_ELSE || last == FZ_K_OTHERWISE) && wrong == FZ_K_COLON)
        return SAY("there is no ':' behind '%s'", word_at(m, -1));
    if (statement && wrong == FZ_K_THEN)
        return "in a statement there is no 'then' behind the condition";
    if (statement && is_word(m, -1, "the"))
        return "a condition is written with sets and values, as 'empty == {}' (no site is empty)";
    if ((wrong == FZ_K_ARROW || wrong == FZ_K_STRING) && statement)
        return "options belong in 'choose { }' or 'moves'";
    if (statement && wrong == FZ_K_TILDE && fzi_kind_at(m, 1) == FZ_K_ASSIGN)
        return SAY("write '%s != %s'", operand_before(m), operand_from(m, 2));
    if (last == FZ_K_RANK && wrong == FZ_K_BY)
        return "name the player: 'rank p by ...'";
    if (fzi_kind_at(m, -2) == FZ_K_FOR && is_word(m, -1, "each"))
        return SAY("write 'for %s in ...'", word_at(m, 0));
    if (last == FZ_K_FOR && wrong == FZ_K_LPAREN)
        return "a loop is written 'for i in 1..n', without parentheses";
    return NULL;
}

/* After a name where a statement begins: an assignment or a call should follow. */
static const char *hint_after_name(const fzi_mistake *m)
{
    int wrong = m->wrong->kind, last = fzi_kind_at(m, -1);
    if (wrong == FZ_K_ASSIGN && last == FZ_K_RPAREN) {
        int open = opener_at(m, -1);
        bool kind = is_word(m, open - 1, "kind"), owner = is_word(m, open - 1, "owner");
        const char *site = quoted(m, open + 1, -2), *value = operand_from(m, 1);
        if (kind)
            return SAY("to change a piece, write 'become(%s, %s);'", site, value);
        if (owner)
            return SAY("to change its owner, write 'give %s to %s;'", site, value);
        return SAY("an element is written in brackets: %s[%s]", word_at(m, open - 1), site);
    }
    if (!fzi_expects(m, FZ_K_PLUS_ASSIGN) || last != FZ_K_IDENT)
        return NULL;
    if (wrong == FZ_K_COLON && fzi_kind_at(m, 1) == FZ_K_ASSIGN)
        return SAY("without ':': '%s = %s;'", word_at(m, -1), operand_from(m, 2));
    if (wrong == FZ_K_MINUS && fzi_kind_at(m, 1) == FZ_K_MINUS)
        return SAY("to subtract 1, write '%s -= 1;'", word_at(m, -1));
    if (wrong == FZ_K_SEMICOLON)
        return SAY("a proc is called by '%s();', and a generator stands in 'choose'",
                   word_at(m, -1));
    if (wrong == FZ_K_EQ || wrong == FZ_K_NE || wrong == FZ_K_LT || wrong == FZ_K_LE ||
        wrong == FZ_K_GT || wrong == FZ_K_GE || wrong == FZ_K_IN || wrong == FZ_K_AND ||
        wrong == FZ_K_OR)
        return "a condition stands behind 'if'";
    return NULL;
}

/* ---- expressions ---- */

/* Words that begin declarations and are not their names. */
static const char *hint_declared_word(int word)
{
    switch (word) {
    case FZ_K_PLAYERS: return "all players are written 'player'";
    case FZ_K_BOARD: return "all sites are written 'site'";
    case FZ_K_PIECE: return "all kinds of pieces are written 'kind', and all pieces 'occupied'";
    case FZ_K_TURN: return "the number of the turn is 'turns', and whose turn it is, 'mover'";
    case FZ_K_OPTION: return "an option is written by its name";
    default: return NULL;
    }
}

/* mine.size, piece.owner */
static const char *hint_property(const fzi_mistake *m, int offset)
{
    static const char *const sizes[] = {"size", "length", "count", "len", "number"};
    const char *object = quoted(m, operand_start(m, offset - 2), offset - 2);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (is_word(m, offset, sizes[i]))
            return SAY("the number of a set's members is written '#%s'", object);
    return fzi_kind_at(m, offset + 1) == FZ_K_LPAREN
               ? SAY("functions stand before their values: '%s(%s, ...)'", word_at(m, offset),
                     object)
               : SAY("what belongs to a value is asked with a function: '%s(%s)'",
                     word_at(m, offset), object);
}

/* site.step(dirs) */
static const char *hint_method(const fzi_mistake *m)
{
    if (m->wrong->kind != FZ_K_LPAREN || fzi_kind_at(m, -1) != FZ_K_IDENT ||
        fzi_kind_at(m, -2) != FZ_K_DOT)
        return NULL;
    int end = closer_at(m, 0), start = operand_start(m, -3);
    const char *object = quoted(m, start, -3), *function = word_at(m, -1);
    return end > 1 ? SAY("write '%s(%s, %s)'", function, object, quoted(m, 1, end - 1))
                   : SAY("write '%s(%s)'", function, object);
}

/* `# a comment` */
static bool is_comment(const fzi_mistake *m)
{
    int before = fzi_kind_at(m, -1);
    return m->wrong->kind == FZ_K_HASH && !fzi_wants_expression(m) &&
           (before == FZ_K_SEMICOLON || before == FZ_K_LBRACE || before == FZ_K_RBRACE ||
            m->p->text->text[m->wrong->end] == ' ');
}

static const char *hint_operand(const fzi_mistake *m)
{
    int wrong = m->wrong->kind, last = fzi_kind_at(m, -1);
    if (last == FZ_K_DOT || (wrong == FZ_K_DOT && fzi_kind_at(m, 1) == FZ_K_IDENT))
        return hint_property(m, last == FZ_K_DOT ? 0 : 1);
    if (last == FZ_K_ALL && wrong == FZ_K_RPAREN)
        return "all directions are written 'adjacent', all sites 'site', all players 'player'";
    if (is_comment(m))
        return "a comment begins with '//'";
    if (fzi_wants_expression(m) && hint_declared_word(wrong))
        return hint_declared_word(wrong);
    if (hint_method(m))
        return hint_method(m);
    if (wrong == FZ_K_STRING && fzi_wants_expression(m)) {
        const char *text = fzi_token_string(m->p, fzi_span_of(m, m->wrong));
        if (*text && strlen(text) < MAX_QUOTE && !strpbrk(text, " \n\t\""))
            return SAY("names stand without quotes: %s", text);
        return NULL;
    }
    if (fzi_wants_expression(m) && wrong == FZ_K_RBRACKET && last == FZ_K_LBRACKET)
        return SAY("the index is missing: %s[...]", word_at(m, -2));
    if (last == FZ_K_COUNT && wrong == FZ_K_LPAREN)
        return SAY("the number of a set's members is written '#%s'",
                   closer_at(m, 0) == 2 ? word_at(m, 1) : "S");
    bool over = last == FZ_K_SUM || last == FZ_K_COUNT || last == FZ_K_ANY || last == FZ_K_ALL ||
                last == FZ_K_UNION || last == FZ_K_MAX || last == FZ_K_MIN || last == FZ_K_FIRST;
    if (over && wrong == FZ_K_FOR)
        return SAY("without 'for': '%s %s in ... : ...'", word_at(m, -1), word_at(m, 1));
    if (over && wrong == FZ_K_LPAREN)
        return SAY("write '%s x in S : %s'", word_at(m, -1),
                   last == FZ_K_ANY || last == FZ_K_ALL ? "condition" : "value");
    if (wrong == FZ_K_COMMA && m->open && m->open->closer == FZ_K_RPAREN &&
        fzi_expects(m, FZ_K_RPAREN)) {
        const fzi_token *open = &m->p->tokens.items[m->open->token];
        int from = (int)(open - m->wrong) + 1, end = closer_at(m, from - 1);
        if (from < 0 && end > 0 && fzi_kind_at(m, from) == FZ_K_INT && from == -1 &&
            fzi_kind_at(m, 1) == FZ_K_INT && !is_operand(fzi_kind_at(m, from - 2)))
            return fzi_kind_at(m, from - 2) == FZ_K_COMMA
                       ? SAY("the numbers stand without parentheses of their own: %s, %s",
                             word_at(m, -1), word_at(m, 1))
                       : SAY("a site is named, as e4, or is site_at(%s, %s)", word_at(m, -1),
                             word_at(m, 1));
        return "a list in parentheses has no meaning: a set stands in braces, {a, b}";
    }
    return NULL;
}

/* slide(here, forward) where empty */
static const char *hint_where(const fzi_mistake *m)
{
    bool read = fzi_kind_at(m, -1) == FZ_K_WHERE; /* as the name of something */
    if (!read && !(m->wrong->kind == FZ_K_WHERE && fzi_wants_operator(m)))
        return NULL;
    int end = read ? -2 : -1;
    const char *set = quoted(m, operand_start(m, end), end);
    return SAY("'%s & S' is what is also in the set S; '{for s in %s if ...}' chooses members",
               set, set);
}

static const char *hint_operator(const fzi_mistake *m)
{
    int wrong = m->wrong->kind, last = fzi_kind_at(m, -1);
    if (hint_where(m))
        return hint_where(m);
    if (last == FZ_K_NOT && is_word(m, 0, "empty") && same_line(m, -2))
        return SAY("write '%s != {}'", quoted(m, operand_start(m, -2), -2));
    if (last == FZ_K_NOT && fzi_expects(m, FZ_K_IN) && same_line(m, -2))
        return SAY("write '%s != %s'", quoted(m, operand_start(m, -2), -2), operand_from(m, 0));
    if (last == FZ_K_RANK && wrong == FZ_K_INT)
        return SAY("write 'rank(%s)'", word_at(m, 0));
    if (!fzi_wants_operator(m) || !same_line(m, -1))
        return NULL;
    if (fzi_kind_at(m, 1) == FZ_K_STRING || fzi_wants_statement(m))
        return NULL;
    if (fzi_kind_at(m, -2) == FZ_K_EXPECT && (wrong == FZ_K_INCLUDES || wrong == FZ_K_EXCLUDES))
        return SAY("write 'expect moves %s { ... }'", word_at(m, 0));
    if (last != FZ_K_IDENT || !(is_operand(wrong) || wrong == FZ_K_LBRACE))
        return NULL;
    char first = *word_at(m, -1);
    bool behind_paren = fzi_kind_at(m, -2) == FZ_K_LPAREN;
    if (first >= 'a' && first <= 'z' && is_operand(wrong) &&
        (behind_paren || fzi_kind_at(m, -2) == FZ_K_BOARD || is_word(m, -1, "file") ||
         is_word(m, -1, "side") || is_word(m, -1, "step") || is_word(m, -1, "slide") ||
         is_word(m, -1, "leap") || is_word(m, -1, "pieces") || is_word(m, -1, "roll") ||
         is_word(m, -1, "kind") || is_word(m, -1, "owner")))
        return behind_paren
                   ? "a function is called as name(a, b), for example line(mine, 3)"
                   : SAY("arguments stand in parentheses: %s(%s)", word_at(m, -1), word_at(m, 0));
    return is_operand(wrong) && !fzi_wants_option(m)
               ? "an operator is missing here, such as 'and', 'or', '|' or '&'"
               : NULL;
}

/* ---- tests ---- */

static const char *hint_test(const fzi_mistake *m)
{
    int wrong = m->wrong->kind, last = fzi_kind_at(m, -1);
    if (last == FZ_K_EXPECT && wrong == FZ_K_MOVE)
        return SAY("write 'expect moves includes { %s };'",
                   fzi_kind_at(m, 1) == FZ_K_STRING ? word_at(m, 1) : "\"a1-a2\"");
    if (last == FZ_K_PLAY && wrong != FZ_K_STRING && is_operand(wrong)) {
        int end = 0;
        while (fzi_kind_at(m, end + 1) && fzi_kind_at(m, end + 1) != FZ_K_SEMICOLON &&
               fzi_kind_at(m, end + 1) != FZ_K_COMMA && same_line(m, end + 1))
            end++;
        return SAY("the texts of moves stand in quotes: play \"%s\";", quoted(m, 0, end));
    }
    if (last == FZ_K_MOVES && (wrong == FZ_K_EQ || wrong == FZ_K_ASSIGN))
        return SAY("write 'moves %s;'", word_at(m, 1));
    if (last == FZ_K_PERFT && wrong == FZ_K_LPAREN)
        return SAY("write 'perft %s %s;'", word_at(m, 1),
                   fzi_kind_at(m, 4) == FZ_K_INT ? word_at(m, 4) : "n");
    if (fzi_kind_at(m, -2) == FZ_K_PERFT && (wrong == FZ_K_EQ || wrong == FZ_K_ASSIGN))
        return SAY("write 'perft %s %s;'", word_at(m, -1), word_at(m, 1));
    return NULL;
}

/* ---- the whole ---- */

static const char *hint_punctuation(const fzi_mistake *m)
{
    int wrong = m->wrong->kind, last = fzi_kind_at(m, -1);
    bool begins = fzi_wants_declaration(m) || fzi_wants_statement(m) || fzi_wants_item(m) ||
                  fzi_wants_test(m) || fzi_wants_option(m);
    if (last == FZ_K_COMMA && fzi_is_closer(wrong))
        return "there is no ',' behind the last of a list";
    if (begins && last == FZ_K_RBRACE && wrong == FZ_K_SEMICOLON)
        return "there is no ';' behind '}'";
    if (fzi_wants_declaration(m) && wrong == FZ_K_IF)
        return "declarations under a condition on options stand in 'when'";
    if (fzi_wants_declaration(m) && wrong == FZ_K_AFTER)
        return "did you mean 'on'?";
    if (fzi_wants_declaration(m) && (fzi_begins_statement(wrong) || wrong == FZ_K_FOR))
        return "statements stand in 'setup', 'turn', 'end' or a 'proc'";
    return NULL;
}

const char *fzi_syntax_hint(const fzi_mistake *m)
{
    static const char *(*const hints[])(const fzi_mistake *) = {
        hint_punctuation, hint_limit, hint_players, hint_header, hint_piece, hint_option_decl,
        hint_fn, hint_return, hint_parameter, hint_declaration, hint_item, hint_move_for,
        hint_choice, hint_put, hint_test, hint_statement, hint_after_name, hint_operand,
        hint_operator,
    };
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++) {
        const char *hint = hints[i](m);
        if (hint)
            return hint;
    }
    return NULL;
}
