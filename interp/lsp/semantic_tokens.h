/* The kinds of semantic tokens. */
#ifndef FZ_INTERP_LSP_SEMANTIC_TOKENS_H
#define FZ_INTERP_LSP_SEMANTIC_TOKENS_H

#include <jansson.h>

/* TOKEN(id, the protocol's name) */
#define FZI_TOKEN_TYPES                                                                            \
    TOKEN(KEYWORD, "keyword")                                                                      \
    TOKEN(COMMENT, "comment")                                                                      \
    TOKEN(STRING, "string")                                                                        \
    TOKEN(NUMBER, "number")                                                                        \
    TOKEN(TYPE, "type")                                                                            \
    TOKEN(ENUM, "enum")                                                                            \
    TOKEN(ENUM_MEMBER, "enumMember")                                                               \
    TOKEN(CLASS, "class")                                                                          \
    TOKEN(PROPERTY, "property")                                                                    \
    TOKEN(VARIABLE, "variable")                                                                    \
    TOKEN(PARAMETER, "parameter")                                                                  \
    TOKEN(FUNCTION, "function")                                                                    \
    TOKEN(METHOD, "method")                                                                        \
    TOKEN(NAMESPACE, "namespace")

json_t *fzi_lsp_legend(void);

#endif
