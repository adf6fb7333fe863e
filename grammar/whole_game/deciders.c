/* Whose secrets an expression reads, compared with the player who decides. Called by effects.c
 * while it walks the tree; secrets.c warns.
 *
 * Inside of a choice, FZI_FOREIGN says that who decides surely does not always see the secret.
 * Outside of one, a declaration only notes that it reads the element of `me` (FZI_OF_ME), of
 * another player (FZI_OF_OTHER), or of a parameter (secret_params). What that means is decided
 * where a choice uses the declaration. */
#include "whole_game.h"

/* A player that is NULL is `me`. */
static bool is_me(const fzi_node *player)
{
    return !player || fzi_names_primitive(player, FZI_PRIM_me);
}

static bool is_constant(const fzi_node *player)
{
    return player && player->kind == N_E_NAME && player->symbol &&
           player->symbol->kind == FZI_SYM_PLAYER;
}

static uint32_t local_effects(const fzi_node *player)
{
    const fzi_symbol *local = player && player->kind == N_E_NAME ? player->symbol : NULL;
    return local && local->kind == FZI_SYM_LOCAL ? local->effects : 0;
}

/* A player other than `me`, as far as the expression tells. */
static bool is_other(const fzi_node *player)
{
    return (!is_me(player) && player->effects & FZI_USES_ME) ||
           local_effects(player) & FZI_OTHER_PLAYER;
}

static bool is_each(const fzi_node *player)
{
    return local_effects(player) & FZI_ALL_PLAYERS;
}

/* Does every player come to the choice, so that a named player is not always who decides? */
static bool all_decide(const fzi_checker *c)
{
    return c->in_turn && c->guards == 0 && c->alternates;
}

/* Is the element surely not always that of the player who decides? */
static bool is_foreign(const fzi_checker *c, const fzi_node *player)
{
    const fzi_node *decider = c->choice->player;
    if (!decider || is_me(decider))
        return is_other(player) || is_each(player) || (is_constant(player) && all_decide(c));
    if (player && fzi_same_code(decider, player))
        return false;
    if (is_constant(decider) && is_constant(player))
        return true;
    if (is_other(decider))
        return is_me(player) || is_each(player);
    return is_other(player) || is_each(player) || (is_me(player) && is_each(decider));
}

/* The number of the parameter that the expression names; -1: it names none. */
static int parameter_of(const fzi_checker *c, const fzi_node *player)
{
    const fzi_symbol *owner = c->walked ? &c->walked->symbol : NULL;
    for (unsigned i = 0; owner && i < owner->param_count && i < 32; i++)
        if (player && player->kind == N_E_NAME && player->symbol == owner->params[i])
            return (int)i;
    return -1;
}

uint32_t fzi_foreign_element(fzi_checker *c, const fzi_node *player)
{
    if (c->as && !is_constant(player)) { /* `me` is the player of the `as`; of others nothing is
                                            known */
        if (!is_me(player))
            return 0;
        player = c->as;
    }
    const int parameter = parameter_of(c, player);
    if (parameter >= 0) {
        c->walked->secret_params |= UINT32_C(1) << parameter;
        return 0;
    }
    if (c->choice)
        return is_foreign(c, player) ? FZI_FOREIGN : 0;
    return is_me(player) ? FZI_OF_ME : is_other(player) ? FZI_OF_OTHER : 0;
}

/* Does a use of what reads another player's secret read one that the decider does not see? */
static bool reads_foreign(const fzi_checker *c)
{
    const fzi_node *decider = c->choice->player;
    return !decider || is_me(decider) || !is_other(decider);
}

uint32_t fzi_foreign_use(fzi_checker *c, const fzi_symbol *used, uint32_t effects)
{
    uint32_t known = effects & ~(uint32_t)(FZI_OF_ME | FZI_OF_OTHER);
    const fzi_node *as = c->as;
    if (!used)
        return known;
    if (used->kind == FZI_SYM_LOCAL) /* it was evaluated outside of the `as` */
        c->as = NULL;
    if (effects & FZI_OF_ME)
        known |= fzi_foreign_element(c, NULL);
    if (effects & FZI_OF_OTHER && !c->as)
        known |= !c->choice ? FZI_OF_OTHER : reads_foreign(c) ? FZI_FOREIGN : 0;
    c->as = as;
    return known;
}

uint32_t fzi_foreign_arguments(fzi_checker *c, const fzi_symbol *used, fzi_node *arguments)
{
    uint32_t effects = 0, number = 0;
    bool has_entry = used && (used->kind == FZI_SYM_LET || used->kind == FZI_SYM_FN ||
                              used->kind == FZI_SYM_MOVES || used->kind == FZI_SYM_PROC);
    const uint32_t secret = has_entry ? fzi_entry_of((fzi_symbol *)used)->secret_params : 0;
    for (fzi_node *a = arguments; a && number < 32; a = a->next, number++)
        if (secret & UINT32_C(1) << number) {
            a->effects |= fzi_foreign_element(c, a);
            effects |= a->effects & FZI_UNSEEN_BY_DECIDER;
        }
    return effects;
}

/* ---- locals that are players ---- */

static bool is_all(const fzi_checker *c, const fzi_node *set)
{
    return set->kind == N_E_NAME && set->symbol && set->symbol->kind == FZI_SYM_TYPE &&
           set->symbol->type == c->game->type_player;
}

/* Is it `p != me`, or a condition that implies it, for the local? */
static bool excludes_me(const fzi_node *condition, const fzi_symbol *local)
{
    if (condition->kind != N_E_BINARY)
        return false;
    if (condition->op == FZ_T_AND)
        return excludes_me(condition->left, local) || excludes_me(condition->right, local);
    const fzi_node *left = condition->left, *right = condition->right;
    return condition->op == FZ_T_NE &&
           ((left->symbol == local && is_me(right)) || (right->symbol == local && is_me(left)));
}

uint32_t fzi_players_of(const fzi_checker *c, const fzi_node *set)
{
    set = fzi_let_value(set);
    if (is_all(c, set))
        return FZI_ALL_PLAYERS;
    if (set->kind == N_E_SET_FOR && is_all(c, set->set))
        return set->condition && excludes_me(set->condition, set->symbol) ? FZI_OTHER_PLAYER
                                                                          : FZI_ALL_PLAYERS;
    if (set->kind == N_E_BINARY && set->op == FZ_T_MINUS && is_all(c, set->left)) {
        const fzi_node *without = set->right;
        if (without->kind == N_E_SET && without->members && !without->members->next)
            without = without->members;
        return is_me(without) ? FZI_OTHER_PLAYER : 0;
    }
    if (set->kind != N_E_SET || !set->members || !set->members->next)
        return 0;
    for (const fzi_node *member = set->members; member; member = member->next)
        if (!is_constant(member))
            return 0;
    return FZI_ALL_PLAYERS;
}

uint32_t fzi_players_where(uint32_t players, const fzi_symbol *local, const fzi_node *condition)
{
    if (!(players & FZI_ALL_PLAYERS))
        return players;
    return (players & ~(uint32_t)FZI_ALL_PLAYERS) |
           (excludes_me(condition, local) ? FZI_OTHER_PLAYER : 0);
}

uint32_t fzi_player_effects(const fzi_node *value)
{
    bool is_player = value->type && value->type->kind == FZI_TYPE_PLAYER;
    return !is_player ? 0
                      : (is_other(value) ? FZI_OTHER_PLAYER : 0u) |
                            (is_each(value) ? FZI_ALL_PLAYERS : 0u);
}
