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

/* The place of the parser, judged by the tokens that it expects. */
bool fzi_wants_declaration(const fzi_mistake *m)
{
    return fzi_expects(m, FZ_K_ENUM) && fzi_expects(m, FZ_K_PROPERTY);
}

bool fzi_wants_statement(const fzi_mistake *m)
{
    return fzi_expects(m, FZ_K_PUT) && fzi_expects(m, FZ_K_GIVE);
}

bool fzi_wants_item(const fzi_mistake *m)
{
    return fzi_expects(m, FZ_K_ATTACKS);
}

bool fzi_wants_test(const fzi_mistake *m)
{
    return fzi_expects(m, FZ_K_OUTCOMES) && !fzi_expects(m, FZ_K_IDENT);
}

bool fzi_wants_option(const fzi_mistake *m)
{
    return fzi_expects(m, FZ_K_FOR) && fzi_expects(m, FZ_K_LET) && fzi_expects(m, FZ_K_ARROW);
}

bool fzi_wants_expression(const fzi_mistake *m)
{
    return fzi_expects(m, FZ_K_HASH) && fzi_expects(m, FZ_K_TILDE);
}

bool fzi_wants_operator(const fzi_mistake *m)
{
    return fzi_expects(m, FZ_K_TIMES) && fzi_expects(m, FZ_K_MODULO);
}

bool fzi_begins_statement(int token)
{
    return (token >= FZ_K_PUT && token <= FZ_K_DIAGRAM && token != FZ_K_AT) ||
           token == FZ_K_CHOOSE || token == FZ_K_WHILE || token == FZ_K_REMOVE;
}
