/* The checks that need the whole game: effects, secrets, views, and warnings. The entry of the
 * checker is here, too. */
#ifndef FZ_GRAMMAR_WHOLE_GAME_WHOLE_GAME_H
#define FZ_GRAMMAR_WHOLE_GAME_WHOLE_GAME_H

#include "grammar/check/checker.h"

/* Checks a unit; never NULL. The diagnostics of `load` say whether there were errors. */
fzi_game *fzi_check(fzi_load *load, fzi_unit *unit);

/* ---- the stages, in this order ---- */

/* Computes the effects of every construct and symbol. */
void fzi_check_effects(fzi_checker *c);
/* ---- deciders.c: whose secrets an expression reads ---- */

/* The effects of reading the element `player` of a secret variable; NULL: that of `me`. */
uint32_t fzi_foreign_element(fzi_checker *c, const fzi_node *player);
/* The effects of a use of the symbol, whose own effects are given. */
uint32_t fzi_foreign_use(fzi_checker *c, const fzi_symbol *used, uint32_t effects);
/* Those that come from its arguments or indexes, which get them. */
uint32_t fzi_foreign_arguments(fzi_checker *c, const fzi_symbol *used, fzi_node *arguments);
/* What a local is: a member of the set, one for which also the condition holds, or the value. */
uint32_t fzi_players_of(const fzi_checker *c, const fzi_node *set);
uint32_t fzi_players_where(uint32_t players, const fzi_symbol *local, const fzi_node *condition);
uint32_t fzi_player_effects(const fzi_node *value);

/* ---- the other stages ---- */

/* Checks `shown to`, and warns about public variables with secret values. */
void fzi_check_secrets(fzi_checker *c);
/* The hints of `view { ... }`. */
void fzi_check_views(fzi_checker *c);
/* The names and conditions in the braces of `///` texts. */
void fzi_check_texts(fzi_checker *c);
/* Warns about code and names without use. */
void fzi_check_unused(fzi_checker *c);
/* Warns about names of modules that the game declares without replacing them. */
void fzi_check_replaced(fzi_checker *c);
/* Reports loops that no decision can afford. */
void fzi_check_costs(fzi_checker *c);
/* Warns about code that is allowed but hardly intended. */
void fzi_check_suspicious(fzi_checker *c);

/* ---- the texts of declarations ---- */

/* A mistake in a condition: its code, place, and what the message names. */
typedef struct fzi_text_fault {
    int code; /* 0: there is none */
    const char *from;
    size_t length;
    const char *name, *text;
} fzi_text_fault;

/* Does the condition of `{if ...: text}` hold? "Flying", "not Flying", "Ko=Simple and Size>9". */
bool fzi_text_condition(const fzi_game *game, const char *text, size_t length,
                        fzi_text_fault *fault);
/* The option or constant `let` of that name and its value; NULL. */
const fzi_symbol *fzi_text_constant(const fzi_game *game, const char *name, int64_t *value);

/* ---- parts of fzi_check_suspicious ---- */

/* Do two expressions, statements or options of one place say the same, without chance? */
bool fzi_same_code(const fzi_node *a, const fzi_node *b);
/* The value of a `let` without parameters, through as many names as it takes. */
const fzi_node *fzi_let_value(const fzi_node *node);
/* Warns about duplicates in the node itself; the caller visits its children. */
void fzi_check_duplicates(fzi_checker *c, fzi_node *node);

/* Is the expression a set of sites, or a site? */
bool fzi_is_set_of_sites(const fzi_node *node);
/* Are all sites of the set empty in every position? */
bool fzi_only_empty(const fzi_checker *c, const fzi_node *set);
/* Warns about an intersection or difference that is always empty. */
void fzi_check_intersection(fzi_checker *c, const fzi_node *node);
/* Warns about an item of a piece whose set has no possible target. */
void fzi_check_targets(fzi_checker *c, const fzi_node *item);

/* Warns if the comparison has always the same answer. `in_turn`: in the body of `turn`, `end` or
 * `limit`. */
void fzi_check_comparison(fzi_checker *c, const fzi_node *node, bool in_turn);

/* Warns if nothing seems to end the game, and about variables that leave their range. */
void fzi_check_termination(fzi_checker *c);

#endif
