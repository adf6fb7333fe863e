/* What the parser expected and found at a syntax error. Called by syntax_errors.c and
 * syntax_hints.c. */
#include "syntax_errors.h"

#include <stddef.h>

#include "grammar/syntax/ferz_parse.h"

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
