/* Reserved words that are declared as names: `var sum: int;`. One message at the declaration; then
 * the word is a name wherever it is used as one, so that its uses are no further mistakes. */
#include "parser.h"

#include "grammar/syntax/ferz_parse.h"

static int kind_at(const fzi_parser *p, size_t index)
{
    return index < p->tokens.count ? p->tokens.items[index].kind : 0;
}

/* Is a name declared by token `at`, a reserved word? */
static bool is_declared(const fzi_parser *p, size_t at)
{
    int next = kind_at(p, at + 1);
    switch (kind_at(p, at - 1)) {
    case FZ_K_VAR:
        return next == FZ_K_COLON || next == FZ_K_ASSIGN || next == FZ_K_SEMICOLON ||
               next == FZ_K_LBRACKET;
    case FZ_K_LET: case FZ_K_PROPERTY: case FZ_K_OPTION:
        return next == FZ_K_COLON || next == FZ_K_ASSIGN || next == FZ_K_LBRACKET;
    case FZ_K_FN: case FZ_K_PROC:
        return next == FZ_K_LPAREN;
    case FZ_K_FOR:
        return next == FZ_K_IN;
    case FZ_K_LPAREN: case FZ_K_COMMA:
        return next == FZ_K_COLON && kind_at(p, at + 2) == FZ_K_IDENT;
    default:
        return false;
    }
}

/* Does token `at`, a reserved word that has been declared as a name, stand for the name? */
static bool is_use(const fzi_parser *p, size_t at, int declared_by)
{
    switch (kind_at(p, at + 1)) {
    case FZ_K_ASSIGN: case FZ_K_PLUS_ASSIGN: case FZ_K_MINUS_ASSIGN: case FZ_K_OR_ASSIGN:
    case FZ_K_AND_ASSIGN: case FZ_K_RPAREN: case FZ_K_RBRACKET: case FZ_K_COMMA: case FZ_K_RANGE:
    case FZ_K_PLUS: case FZ_K_TIMES: case FZ_K_DIVIDE: case FZ_K_MODULO: case FZ_K_EQ:
    case FZ_K_NE: case FZ_K_LT: case FZ_K_LE: case FZ_K_GT: case FZ_K_GE: case FZ_K_AND:
    case FZ_K_OR: case FZ_K_THEN: case FZ_K_ELSE: case FZ_K_UNITE: case FZ_K_MEET: case FZ_K_RBRACE:
    case FZ_K_IN:
        return true;
    case FZ_K_SEMICOLON: /* `draw;` is a statement */
        return kind_at(p, at - 1) != FZ_K_SEMICOLON && kind_at(p, at - 1) != FZ_K_LBRACE &&
               kind_at(p, at - 1) != FZ_K_RBRACE && kind_at(p, at - 1) != FZ_K_RPAREN;
    case FZ_K_LPAREN:
        return declared_by == FZ_K_FN || declared_by == FZ_K_PROC;
    case FZ_K_LBRACKET:
        return declared_by == FZ_K_VAR || declared_by == FZ_K_LET;
    default:
        return false;
    }
}

static void rename_uses(fzi_parser *p, size_t declared)
{
    int word = kind_at(p, declared), declared_by = kind_at(p, declared - 1);
    p->tokens.items[declared].kind = FZ_K_IDENT;
    for (size_t i = 1; i < p->tokens.count; i++)
        if (kind_at(p, i) == word && (is_declared(p, i) || is_use(p, i, declared_by)))
            p->tokens.items[i].kind = FZ_K_IDENT;
}

void fzi_rename_reserved(fzi_parser *p)
{
    for (size_t i = 1; i < p->tokens.count; i++) {
        int word = kind_at(p, i);
        if (word < FZ_K_GAME || word > FZ_K_AFTER || !is_declared(p, i))
            continue;
        fzi_diag *diag = fzi_error(p->diags, fzi_token_span(p, i), FZ_E_RESERVED_WORD,
                                   fzi_token_text(word));
        fzi_hint_add(p->diags, diag, "choose another name, such as '%s_'", fzi_token_text(word));
        rename_uses(p, i);
    }
}
