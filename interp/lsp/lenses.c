/* Code lenses (methods.def): run a test, play the game, play from the position of a test. The
 * commands are the client's: they run `ferz test` and `ferz play` in a terminal, with the
 * arguments given here. */
#include "lsp.h"

typedef struct lenses {
    const fzi_lsp_place *at;
    json_t *list;
} lenses;

/* Gives the arguments up: they follow the path of the script. */
static void add_lens(const lenses *l, fzi_span span, const char *title, const char *command,
                     json_t *arguments)
{
    json_array_append_new(
        l->list, json_pack("{s:o, s:{s:s, s:s, s:[o, o]}}", "range",
                           fzi_lsp_span_range(l->at->lsp, l->at->analysis, span), "command",
                           "title", title, "command", command, "arguments",
                           fzi_lsp_string(l->at->document->uri), arguments));
}

/* ---- playing from a test ---- */

/* "White" or a name that `for` gives; NULL: an expression that only a machine can evaluate. */
static const char *player_of(const fzi_node *position)
{
    const fzi_node *player = position->player;
    return player && player->kind == N_E_NAME ? player->name : NULL;
}

static const char *moves_of(fzi_arena *arena, const char *moves, const fzi_node *list)
{
    for (; list; list = list->next)
        moves = fzi_arena_printf(arena, "%s%s%s", moves, *moves ? ", " : "",
                                 list->text ? list->text : "");
    return moves;
}

/* The arguments of `ferz play` that lead to the position after a step of a test; NULL: none do,
 * because the test sets variables, options or chance. */
static json_t *arguments_to(const lenses *l, const fzi_node *test, const fzi_node *step)
{
    fzi_arena *arena = l->at->analysis->arena;
    const char *position = NULL, *moves = "";
    for (const fzi_node *s = test->steps; s; s = s->next) {
        if (s->kind == N_X_POSITION) {
            const char *player = player_of(s);
            if (s->body || (s->player && !player) || !s->text)
                return NULL;
            position = fzi_arena_printf(arena, "%s%s%s\n", s->text, player ? "\nmover: " : "",
                                        player ? player : "");
            moves = "";
        } else if (s->kind == N_X_PLAY || s->kind == N_X_AFTER) {
            moves = moves_of(arena, s->kind == N_X_AFTER ? "" : moves, s->moves);
            position = s->kind == N_X_AFTER ? NULL : position;
        } else if (s->kind == N_X_DO || s->kind == N_X_CHANCE || s->kind == N_X_SET) {
            return NULL;
        }
        if (s == step)
            break;
    }
    json_t *arguments = json_array();
    if (position) {
        json_array_append_new(arguments, json_string("--position"));
        json_array_append_new(arguments, fzi_lsp_string(position));
    }
    if (*moves) {
        json_array_append_new(arguments, json_string("--play"));
        json_array_append_new(arguments, fzi_lsp_string(moves));
    }
    return arguments;
}

static void add_test(const lenses *l, const fzi_node *test)
{
    add_lens(l, test->name_span.source ? test->name_span : test->span, "run this test",
             "ferz.runTest",
             json_pack("[s, o]", "--filter", fzi_lsp_string(test->text ? test->text : "")));
    for (const fzi_node *s = test->steps; s; s = s->next) {
        bool leads = s->kind == N_X_POSITION || s->kind == N_X_PLAY || s->kind == N_X_AFTER;
        json_t *arguments = leads ? arguments_to(l, test, s) : NULL;
        if (arguments)
            add_lens(l, s->span, "play from here", "ferz.play", arguments);
    }
}

static void add_all(const lenses *l, const fzi_node *list, bool *has_tests)
{
    for (; list; list = list->next) {
        if (list->kind == N_D_WHEN) {
            add_all(l, list->then, has_tests);
            add_all(l, list->otherwise, has_tests);
        } else if (list->kind == N_D_TEST) {
            add_test(l, list);
            *has_tests = true;
        }
    }
}

json_t *fzi_lsp_code_lenses(const fzi_lsp_place *at)
{
    const fzi_unit *unit = at->analysis->unit;
    bool has_tests = false;
    if (!unit)
        return NULL;
    lenses l = {at, json_array()};
    add_all(&l, unit->file->decls, &has_tests);
    if (has_tests)
        add_lens(&l, unit->header_span, "run all tests", "ferz.runTest", json_array());
    if (!unit->is_library)
        add_lens(&l, unit->header_span, "play", "ferz.play", json_array());
    return l.list;
}
