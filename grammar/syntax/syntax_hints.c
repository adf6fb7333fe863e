/* Hints for syntax errors: typical mistakes of authors who know other languages, other game systems
 * or rulebooks. syntax_hints.def lists them by the tokens around the wrong one. Hints quote the
 * author's own words, so that the line can be mended by reading it. */
#include "syntax_errors.h"

#include "grammar/syntax/ferz_parse.h"

enum { MAX_QUOTE = 60, MAX_BACK = 40 };

/* Places of syntax_hints.def. */
#define EXPECTED(token) fzi_expects(m, FZ_K_##token)
#define DECLARES fzi_is_place(m, FZI_PLACE_DECLARATION)
#define ACTS fzi_is_place(m, FZI_PLACE_STATEMENT)
#define ITEM fzi_is_place(m, FZI_PLACE_ITEM)
#define OPTION fzi_is_place(m, FZI_PLACE_OPTION)
#define EXPRESSION fzi_is_place(m, FZI_PLACE_EXPRESSION)
#define OPERATOR fzi_is_place(m, FZI_PLACE_OPERATOR)
#define BODY_WORD (is_word(m, 0, "turn") || is_word(m, 0, "setup") || is_word(m, 0, "end"))
#define BEGINS (DECLARES || ACTS || ITEM || OPTION || fzi_is_place(m, FZI_PLACE_TEST))
#define IN_PARENTHESES (m->open && m->open->closer == FZ_K_RPAREN)
#define IN_BRACES (m->open && m->open->closer == FZ_K_RBRACE)
#define IN_LOWER_CASE (*word_at(m, -1) >= 'a' && *word_at(m, -1) <= 'z')
#define NO_OPERATOR \
    (OPERATOR && same_line(m, -1) && fzi_kind_at(m, 1) != FZ_K_STRING && !ACTS)

/* ---- what the parser expected and found ---- */

bool fzi_expects(const fzi_mistake *m, int token)
{
    return m->expected[token - FZ_K_GAME];
}

int fzi_kind_at(const fzi_mistake *m, int offset)
{
    ptrdiff_t at = m->wrong - m->p->tokens.items + offset;
    return at >= 0 && at < (ptrdiff_t)m->p->tokens.count ? m->wrong[offset].kind : 0;
}

fzi_span fzi_span_of(const fzi_mistake *m, const fzi_token *token)
{
    return (fzi_span){m->p->source, token->start, token->end};
}

bool fzi_is_place(const fzi_mistake *m, enum fzi_parse_place place)
{
    /* words that are expected together in such places only */
    static const int signs[][3] = {
        [FZI_PLACE_DECLARATION] = {FZ_K_ENUM, FZ_K_PROPERTY},
        [FZI_PLACE_STATEMENT] = {FZ_K_PUT, FZ_K_GIVE},
        [FZI_PLACE_ITEM] = {FZ_K_ATTACKS},
        [FZI_PLACE_TEST] = {FZ_K_OUTCOMES},
        [FZI_PLACE_OPTION] = {FZ_K_FOR, FZ_K_LET, FZ_K_ARROW},
        [FZI_PLACE_EXPRESSION] = {FZ_K_HASH, FZ_K_TILDE},
        [FZI_PLACE_OPERATOR] = {FZ_K_TIMES, FZ_K_MODULO},
    };
    for (size_t i = 0; i < 3 && signs[place][i]; i++)
        if (!fzi_expects(m, signs[place][i]))
            return false;
    return place != FZI_PLACE_TEST || !fzi_expects(m, FZ_K_IDENT);
}

bool fzi_begins_statement(int token)
{
    return (token >= FZ_K_PUT && token <= FZ_K_DIAGRAM && token != FZ_K_AT) ||
           token == FZ_K_CHOOSE || token == FZ_K_WHILE || token == FZ_K_REMOVE;
}

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

/* The place of the bracket that closes at `offset`; `offset` if it is not near. */
static int opener_at(const fzi_mistake *m, int offset)
{
    int depth = 0;
    for (int at = offset; at > offset - MAX_BACK && fzi_kind_at(m, at); at--) {
        depth += fzi_is_closer(fzi_kind_at(m, at));
        depth -= fzi_is_opener(fzi_kind_at(m, at));
        if (depth == 0)
            return at;
    }
    return offset;
}

static int closer_at(const fzi_mistake *m, int offset)
{
    int depth = 0;
    for (int at = offset; at < offset + MAX_BACK && fzi_kind_at(m, at); at++) {
        depth += fzi_is_opener(fzi_kind_at(m, at));
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
    if (fzi_is_opener(fzi_kind_at(m, at)))
        at = closer_at(m, at);
    while (fzi_kind_at(m, at + 1) == FZ_K_LPAREN || fzi_kind_at(m, at + 1) == FZ_K_LBRACKET)
        at = closer_at(m, at + 1);
    return at;
}

/* The operand that begins at the token, or one before the wrong one that ends there. */
static const char *operand_at(const fzi_mistake *m, int offset)
{
    return offset < 0 ? quoted(m, operand_start(m, offset), offset)
                      : quoted(m, offset, operand_end(m, offset));
}

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

/* ---- patterns ---- */

/* Is the token of that sort, a word in capitals, or that word or sign of the language or the
 * author? */
static bool is_one(const fzi_mistake *m, int offset, const char *sort)
{
    int kind = fzi_kind_at(m, offset), word = fzi_lex_word(m->p, sort);
    static const struct { const char *sort; int kind; } kinds[] = {
        {"NAME", FZ_K_IDENT}, {"INT", FZ_K_INT}, {"STRING", FZ_K_STRING}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(sort, kinds[i].sort) == 0)
            return kind == kinds[i].kind;
    if (strcmp(sort, "OPERAND") == 0)
        return is_operand(kind);
    if (strcmp(sort, "STATEMENT") == 0)
        return fzi_begins_statement(kind);
    if (strcmp(sort, "DECLARATION") == 0)
        return fzi_only_declares(m->p, kind);
    return word == FZ_K_IDENT ? is_word(m, offset, sort) : kind == word;
}

/* Is the token one of those between the `/`s of an item of a pattern? */
static bool is_item(const fzi_mistake *m, int offset, const char *item, size_t length)
{
    bool wanted = !(item[0] == '!' && item[1] >= 'a');
    if (length == 1 && *item == '_')
        return true;
    for (const char *at = item + !wanted, *end = item + length; at < end;) {
        size_t count = 0;
        while (at + count < end && at[count] != '/')
            count++;
        if (is_one(m, offset, fzi_intern(m->p->arena, at, count)))
            return wanted;
        at += count + 1;
    }
    return !wanted;
}

/* Do the tokens around the wrong one match? `*since`: how many tokens before it the word before
 * `...` stands. */
static bool sees(const fzi_mistake *m, const char *pattern, int *since)
{
    const char *dots = strstr(pattern, " ... ");
    if (dots) {
        const char *word = fzi_intern(m->p->arena, pattern, (size_t)(dots - pattern));
        *since = back_to(m, fzi_lex_word(m->p, word), MAX_BACK);
        if (!*since)
            return false;
        pattern = dots + strlen(" ... ");
    }
    int offset = 0;
    for (const char *at = pattern; *at != '^'; at += strspn(at, " "), offset--)
        at += strcspn(at, " ");
    for (const char *at = pattern; *at; at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");
        if (*at != '^' && !is_item(m, offset++, at, length))
            return false;
        at += length;
    }
    return true;
}

/* ---- texts ---- */

#define SAY(...) fzi_arena_printf(m->p->arena, __VA_ARGS__)

static const char *inside_brackets(const fzi_mistake *m, int offset)
{
    return offset < 0 ? quoted(m, opener_at(m, offset) + 1, offset - 1)
                      : quoted(m, offset + 1, closer_at(m, offset) - 1);
}

/* A text of the table with the author's words in the place of $1, $o-1, ... */
static const char *told(const fzi_mistake *m, const char *text, int since)
{
    fzi_growing told = {.text = NULL};
    for (;;) {
        size_t plain = strcspn(text, "$");
        fzi_grow(m->p->arena, &told, text, plain);
        if (!text[plain])
            return told.text;
        text += plain + 1;
        char sort = *text >= 'a' ? *text++ : 'w';
        bool before = *text == '-';
        text += before;
        int number = sort == 's' ? 0 : *text++ - '0', offset = before ? -number : number;
        fzi_grow_z(m->p->arena, &told,
                   sort == 'w'   ? word_at(m, offset)
                   : sort == 's' ? quoted(m, 1 - since, -1)
                   : sort == 'i' ? inside_brackets(m, offset)
                                 : operand_at(m, offset));
    }
}

/* ---- phrases ---- */

void fzi_syntax_hint_add(const fzi_mistake *m, fzi_diag *diag, const char *hint)
{
    size_t length = strcspn(hint, "\n");
    fzi_hint_add(diag, "%.*s", (int)length, hint);
    const char *edit = hint[length] ? hint + length + 1 : NULL;
    size_t before = edit ? strspn(edit, "<") : 0;
    if (before) {
        fzi_span span = fzi_span_of(m, m->wrong - before);
        span.end = m->wrong->end;
        fzi_hint_edit(diag, &span, "%s", edit + before);
    } else if (edit) {
        fzi_hint_edit(diag, NULL, "%s", edit);
    }
}

static bool say_phrase(const fzi_mistake *m, int offset, const char *expected, const char *hint)
{
    const char *found = SAY("'%s'", word_at(m, offset));
    fzi_diag *diag = fzi_error(m->p->diags, fzi_span_of(m, m->wrong + offset), FZ_E_SYNTAX,
                               expected, found);
    fzi_syntax_hint_add(m, diag, hint);
    return true;
}

/* `x is y`, `x is not y`, `x is in y` */
static bool says_is(const fzi_mistake *m)
{
    fzi_mistake is = *m;
    int since = 0;
    bool now = is_word(m, 0, "is") && OPERATOR;
    is.wrong -= !now;
    if (!now && !(is_word(m, -1, "is") && same_line(m, -2)))
        return false;
    if (sees(&is, "(/;/{ ^", &since))
        return false;
#define IS(pattern, text)                                                                          \
    if (sees(&is, pattern, &since))                                                                \
        return say_phrase(&is, 0, "an operator", told(&is, text, since));
#include "syntax_hints.def"
    return false;
}

/* `var a: int[5]`, `var a: bool[player] = true` */
static bool says_index_after_type(const fzi_mistake *m)
{
    int back = back_to(m, FZ_K_VAR, MAX_BACK);
    if (back < 5 || fzi_kind_at(m, 1 - back) != FZ_K_IDENT ||
        fzi_kind_at(m, 2 - back) != FZ_K_COLON || fzi_kind_at(m, 3 - back) != FZ_K_IDENT ||
        fzi_kind_at(m, 4 - back) != FZ_K_LBRACKET)
        return false;
    const char *name = word_at(m, 1 - back), *type = word_at(m, 3 - back);
    const char *index = quoted(m, 5 - back, closer_at(m, 4 - back) - 1);
    if (closer_at(m, 4 - back) == 6 - back && fzi_kind_at(m, 5 - back) == FZ_K_INT) {
        long long size = fzi_token_number(m->p, fzi_span_of(m, m->wrong + (5 - back)));
        index = SAY("0..%lld", size ? size - 1 : 0);
    }
    return say_phrase(m, 4 - back, "';' or '='",
                      SAY("the index stands after the name: 'var %s[%s]: %s'", name, index, type));
}

/* `if a => b win me;` for `>=` */
static bool is_order(const fzi_mistake *m)
{
    int next = fzi_kind_at(m, operand_end(m, 1) + 1);
    return ACTS && OPERATOR && (fzi_begins_statement(next) || is_operand(next) ||
                                next == FZ_K_AND || next == FZ_K_OR);
}

/* Is the word before the wrong one the name of a limit? */
static bool is_limit(const fzi_mistake *m)
{
    const char *word = word_at(m, -1);
#define LIMIT(field, name, usual, most, part)                                                      \
    if (strcmp(word, #field) == 0)                                                                 \
        return true;
#include "interp/program/limits.def"
    return false;
}

/* `{s for s in S if c}` */
static bool says_comprehension(const fzi_mistake *m)
{
    int since, end = closer_at(m, -2);
    if (!OPERATOR || !sees(m, "{ _ ^ for _ in", &since))
        return false;
    return say_phrase(m, 0, "'}' or ','",
                      SAY("write '{%s}'", end > 0 ? quoted(m, 0, end - 1) : "for x in S if c"));
}

/* `turn ( ... )`, `turn() { ... }` */
static bool says_parentheses(const fzi_mistake *m)
{
    int since, end = closer_at(m, 1);
    if (!DECLARES || !BODY_WORD || !sees(m, "^ _ (", &since))
        return false;
    fzi_span span = fzi_span_of(m, m->wrong + 1);
    fzi_diag *diag = fzi_error(m->p->diags, span, FZ_E_SYNTAX, "'{'", "'('");
    fzi_hint_add(diag, "statements stand in braces: '%s { ... }'", word_at(m, 0));
    if (fzi_kind_at(m, end) == FZ_K_RPAREN && fzi_kind_at(m, end + 1) == FZ_K_LBRACE) {
        span.end = m->wrong[end + 1].end;
        fzi_hint_edit(diag, &span, "{");
    } else if (fzi_kind_at(m, end) == FZ_K_RPAREN) {
        span = fzi_span_of(m, m->wrong + end);
        fzi_hint_edit(diag, NULL, "{");
        fzi_hint_edit(diag, &span, "}");
    }
    return true;
}

bool fzi_foreign_phrase(const fzi_mistake *m)
{
    int since = 0;
    if (says_is(m) || says_index_after_type(m) || says_comprehension(m) || says_parentheses(m))
        return true;
#define PHRASE(place, pattern, at, expected, text)                                                 \
    if (sees(m, pattern, &since) && (place))                                                       \
        return say_phrase(m, at, expected, told(m, text, since));
#include "syntax_hints.def"
    return false;
}

const char *fzi_reserved_hint(const fzi_mistake *m)
{
    int since = 0;
#define RESERVED(place, pattern, text)                                                             \
    if (sees(m, pattern, &since) && (place))                                                       \
        return told(m, text, since);
#include "syntax_hints.def"
    return NULL;
}

/* ---- hints that are computed ---- */

/* `limit 3 turns;`, `limit turns 3 draw;`, `limit = 3;`, `limit 3;` */
static const char *hint_limit(const fzi_mistake *m)
{
    int back = back_to(m, FZ_K_LIMIT, 4);
    const char *number = "400";
    for (int at = 2; back && at >= 1 - back; at--)
        if (fzi_kind_at(m, at) == FZ_K_INT || fzi_kind_at(m, at) == FZ_K_IDENT)
            number = word_at(m, at);
    return back ? SAY("write 'limit %s turns draw;'", number) : NULL;
}

/* `fn f(s: site): sites { step(s, adjacent) & empty }` */
static const char *hint_return(const fzi_mistake *m)
{
    int wrong = m->wrong->kind, since;
    if (!m->open || m->open->closer != FZ_K_RBRACE ||
        !(EXPECTED(SEMICOLON) || EXPECTED(PLUS_ASSIGN)))
        return NULL;
    const fzi_token *open = &m->p->tokens.items[m->open->token];
    int body = (int)(open - m->wrong);
    fzi_mistake brace = *m;
    brace.wrong = open;
    if (!sees(&brace, ") : NAME ^ _ NAME", &since) || wrong == FZ_K_SEMICOLON ||
        back_to(m, FZ_K_SEMICOLON, -body - 1))
        return NULL;
    return fzi_kind_at(m, opener_at(m, body - 3) - 2) == FZ_K_FN
               ? SAY("a function returns its value: 'return %s ...;'", quoted(m, body + 1, -1))
               : NULL;
}

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

/* The last token before the next `;` or a token of the other kind. */
static int last_before(const fzi_mistake *m, int offset, int kind)
{
    while (fzi_kind_at(m, offset + 1) && fzi_kind_at(m, offset + 1) != FZ_K_SEMICOLON &&
           fzi_kind_at(m, offset + 1) != kind)
        offset++;
    return offset;
}

/* `put Man of White at a1, a2;` */
static const char *hint_sites(const fzi_mistake *m)
{
    int at = back_to(m, FZ_K_PUT, MAX_BACK) ? back_to(m, FZ_K_AT, 12) : 0;
    if (!at || m->wrong->kind != FZ_K_COMMA || !m->p->bracket_count || !EXPECTED(SEMICOLON))
        return NULL;
    return SAY("several sites stand in braces: {%s}",
               quoted(m, 1 - at, last_before(m, 1, FZ_K_RBRACE)));
}

static const char *hint_play(const fzi_mistake *m)
{
    if (fzi_kind_at(m, -1) != FZ_K_PLAY || !is_operand(m->wrong->kind))
        return NULL;
    int end = last_before(m, 0, FZ_K_COMMA);
    while (!same_line(m, end))
        end--;
    return SAY("the texts of moves stand in quotes: play \"%s\";", quoted(m, 0, end));
}

/* `kind(s) = Queen;`, `owner(s) = me;`, `table(s) = 3;` */
static const char *hint_element(const fzi_mistake *m)
{
    if (m->wrong->kind != FZ_K_ASSIGN || fzi_kind_at(m, -1) != FZ_K_RPAREN)
        return NULL;
    int name = opener_at(m, -1) - 1;
    const char *site = inside_brackets(m, -1), *value = operand_at(m, 1);
    if (is_word(m, name, "kind"))
        return SAY("to change a piece, write 'become(%s, %s);'", site, value);
    if (is_word(m, name, "owner"))
        return SAY("to change its owner, write 'give %s to %s;'", site, value);
    return SAY("an element is written in brackets: %s[%s]", word_at(m, name), site);
}

/* mine.size, piece.owner */
static const char *hint_property(const fzi_mistake *m)
{
    int since, at = fzi_kind_at(m, -1) == FZ_K_DOT ? 0 : 1;
    if (at && !sees(m, "^ . NAME", &since))
        return NULL;
    const char *object = operand_at(m, at - 2), *word = word_at(m, at);
    if (is_item(m, at, "size/length/count/len/number", strlen("size/length/count/len/number")))
        return SAY("the number of a set's members is written '#%s'", object);
    return fzi_kind_at(m, at + 1) == FZ_K_LPAREN
               ? SAY("functions stand before their values: '%s(%s, ...)'", word, object)
               : SAY("what belongs to a value is asked with a function: '%s(%s)'", word, object);
}

/* `# a comment` */
static bool is_comment(const fzi_mistake *m)
{
    int before = fzi_kind_at(m, -1);
    return m->wrong->kind == FZ_K_HASH && !EXPRESSION &&
           (before == FZ_K_SEMICOLON || before == FZ_K_LBRACE || before == FZ_K_RBRACE ||
            m->p->text->text[m->wrong->end] == ' ');
}

static const char *hint_string(const fzi_mistake *m)
{
    if (m->wrong->kind != FZ_K_STRING || !EXPRESSION)
        return NULL;
    const char *text = fzi_token_string(m->p, fzi_span_of(m, m->wrong));
    return *text && strlen(text) < MAX_QUOTE && !strpbrk(text, " \n\t\"")
               ? SAY("names stand without quotes: %s", text)
               : NULL;
}

/* `(1, 2)` */
static const char *hint_list(const fzi_mistake *m)
{
    int since;
    if (m->wrong->kind != FZ_K_COMMA || !IN_PARENTHESES || !EXPECTED(RPAREN))
        return NULL;
    const fzi_token *open = &m->p->tokens.items[m->open->token];
    if (open != m->wrong - 2 || closer_at(m, -2) <= 0 || is_operand(fzi_kind_at(m, -3)) ||
        !sees(m, "( INT ^ , INT", &since))
        return "a list in parentheses has no meaning: a set stands in braces, {a, b}";
    return fzi_kind_at(m, -3) == FZ_K_COMMA
               ? told(m, "the numbers stand without parentheses of their own: $-1, $1", since)
               : told(m, "a site is named, as e4, or is site_at($-1, $1)", since);
}

const char *fzi_syntax_hint(const fzi_mistake *m)
{
    int since = 0;
    const char *formed;
#define FORMED(function)                                                                           \
    if ((formed = function(m)))                                                                    \
        return formed;
#define HINT(place, pattern, text)                                                                 \
    if (sees(m, pattern, &since) && (place))                                                       \
        return told(m, text, since);
#include "syntax_hints.def"
    return NULL;
}
