/* Games in progress in the WebAssembly engine. See web_engine.h. */
#include "web_engine.h"

#include <stdlib.h>
#include <string.h>

#include "interp/picture/compose.h"
#include "interp/picture/scene.h"
#include "interp/support/words.h"
#include "interp/text/position.h"
#include "interp/vm/fault.h"
#include "interp/vm/machine.h"

/* ---- states ---- */

fz_machine *fzi_web_machine(const fzi_web_state *state)
{
    fz_machine_set_chance(state->game->machine,
                          state->asks ? FZ_CHANCE_ASK : FZ_CHANCE_SAMPLE);
    return state->game->machine;
}

static fzi_web_state *state_of(fzi_web_game *game, bool asks)
{
    fzi_web_state *state = calloc(1, sizeof *state);

    if (state)
        *state = (fzi_web_state){.game = game, .asks = asks};
    else
        fzi_web_fail(FZ_NO_MEMORY, "out of memory");
    return state;
}

/* The state, if it has one inside; else NULL after a message. */
static fzi_web_state *complete(fzi_web_state *state)
{
    if (state->state)
        return state;
    fzi_web_end(state->game, FZ_RUNTIME);
    free(state);
    return NULL;
}

fzi_web_state *fzi_web_start(fzi_web_game *game, uint64_t seed, uint64_t stream, int asks)
{
    fzi_web_state *state = state_of(game, asks != 0);

    if (!state)
        return NULL;
    state->state = fz_record_begin(fzi_web_machine(state), seed, stream);
    return complete(state);
}

fzi_web_state *fzi_web_clone(const fzi_web_state *from)
{
    fzi_web_state *state = state_of(from->game, from->asks);

    if (!state)
        return NULL;
    state->state = fz_state_clone(from->state);
    return complete(state);
}

/* The state is about to change. */
static void forget_moves(const fzi_web_state *state)
{
    if (state->game->listed == state)
        state->game->listed = NULL;
}

void fzi_web_drop(fzi_web_state *state)
{
    if (!state)
        return;
    forget_moves(state);
    fz_state_free(state->state);
    free(state);
}

/* ---- how it stands ---- */

static void add_results(const fzi_web_state *s, fzi_buffer *out)
{
    const fz_program *program = s->game->program;
    int players = fz_program_players(program);
    uint32_t place;
    char text[256] = "";

    fzi_web_open(out, "ranks", '[');
    for (int p = 0; p < players; p++)
        fzi_web_integer(out, NULL, fz_state_rank(s->state, p));
    fzi_web_close(out, ']');
    fzi_web_open(out, "utilities", '[');
    for (int p = 0; p < players; p++)
        fzi_web_real(out, NULL, fz_state_utility(s->state, p), 6);
    fzi_web_close(out, ']');
    fzi_web_open(out, "payoffs", '[');
    for (int p = 0; p < players && fz_program_has_payoffs(program); p++) {
        int64_t value = 0;
        if (fz_state_payoff(fzi_web_machine(s), s->state, p, &value) == FZ_OK)
            fzi_web_integer(out, NULL, value);
    }
    fzi_web_close(out, ']');
    fzi_web_bool(out, "stopped", fz_state_stopped(s->state));
    fz_state_ending(s->state, &place);
    fz_program_place_text(program, place, text, sizeof text);
    fzi_web_string(out, "place", text);
}

static void add_result_text(const fzi_web_state *s, fzi_buffer *out)
{
    char *text = NULL;

    if (fz_record_result_text(fzi_web_machine(s), s->state, &text) == FZ_OK)
        fzi_web_string(out, "result", text);
    fz_text_free(s->game->context, text);
}

fz_status fzi_web_status(fzi_web_state *state)
{
    static const char *const waiting[] = {
        [FZ_WAITING_MOVE] = "move", [FZ_WAITING_CHANCE] = "chance", [FZ_GAME_OVER] = "over",
        [FZ_GAME_FAILED] = "failed"};
    fz_waiting what = fz_state_waiting(state->state);
    fzi_buffer *out = fzi_web_begin();

    fzi_web_open(out, NULL, '{');
    fzi_web_string(out, "waiting", waiting[what]);
    fzi_web_integer(out, "decider",
                    what == FZ_WAITING_MOVE ? fz_state_decider(state->state) : -1);
    fzi_web_integer(out, "mover", fz_state_mover(state->state));
    fzi_web_integer(out, "turn", fz_state_turns(state->state));
    fzi_web_integer(out, "plies", fz_state_plies(state->state));
    fzi_web_integer(out, "sealed", fz_state_hidden_decisions(state->state));
    if (what == FZ_GAME_OVER) {
        add_results(state, out);
        add_result_text(state, out);
    }
    fzi_web_close(out, '}');
    return fzi_web_end(state->game, FZ_OK);
}

/* ---- moves ---- */

fz_status fzi_web_list(fzi_web_state *state)
{
    fzi_web_game *game = state->game;
    fz_status status;

    if (game->listed == state)
        return FZ_OK;
    status = fz_state_moves(fzi_web_machine(state), state->state, game->moves);
    game->listed = status == FZ_OK ? state : NULL;
    return status;
}

static void add_move(const fzi_web_state *s, const fz_move *move, int player, fzi_buffer *out)
{
    fz_machine *machine = fzi_web_machine(s);
    int from, to;

    fzi_picture_move_sites(machine, s->state, move, &from, &to);
    fzi_web_open(out, NULL, '{');
    fzi_web_string(out, "text", fz_move_text(machine, s->state, move));
    if (player >= 0)
        fzi_web_string(out, "shown", fz_move_text_for(machine, s->state, move, player));
    fzi_web_integer(out, "from", from);
    fzi_web_integer(out, "to", to);
    fzi_web_close(out, '}');
}

fz_status fzi_web_moves(fzi_web_state *state, int player)
{
    fz_status status = FZ_OK;
    bool waits = fz_state_waiting(state->state) == FZ_WAITING_MOVE &&
                 (player < 0 || player == fz_state_decider(state->state));

    if (waits)
        status = fzi_web_list(state);
    fzi_buffer *out = fzi_web_begin();
    fzi_web_open(out, NULL, '[');
    for (size_t i = 0; waits && status == FZ_OK && i < fz_moves_count(state->game->moves); i++) {
        fz_move move = fz_moves_at(state->game->moves, i);
        add_move(state, &move, player, out);
    }
    fzi_web_close(out, ']');
    return fzi_web_end(state->game, status);
}

fz_status fzi_web_told(fzi_web_state *state, int index, int64_t chance)
{
    fz_machine *machine = fzi_web_machine(state);
    int players = fz_program_players(state->game->program);
    fz_status status = index >= 0 ? fzi_web_list(state) : FZ_OK;
    fzi_buffer *out = fzi_web_begin();
    fz_move move = {0};

    if (status == FZ_OK && index >= 0) {
        if ((size_t)index >= fz_moves_count(state->game->moves))
            return fzi_web_fail(FZ_USAGE, "there is no such move");
        move = fz_moves_at(state->game->moves, (size_t)index);
    }
    fzi_web_open(out, NULL, '[');
    for (int p = 0; status == FZ_OK && p < players; p++)
        fzi_web_string(out, NULL,
                       index >= 0 ? fz_move_text_for(machine, state->state, &move, p)
                                  : fz_chance_text_for(machine, state->state, chance, p));
    fzi_web_close(out, ']');
    return fzi_web_end(state->game, status);
}

fz_status fzi_web_play(fzi_web_state *state, unsigned index)
{
    fz_status status = fz_state_waiting(state->state) == FZ_WAITING_MOVE ? fzi_web_list(state)
                                                                       : FZ_OK;

    if (status != FZ_OK)
        return fzi_web_end(state->game, status);
    if (state->game->listed != state || index >= fz_moves_count(state->game->moves))
        return fzi_web_fail(FZ_USAGE, "there is no such move");
    fz_move move = fz_moves_at(state->game->moves, index);
    fzi_web_begin();
    status = fz_state_play(fzi_web_machine(state), state->state, &move);
    forget_moves(state);
    return fzi_web_end(state->game, status);
}

fz_status fzi_web_play_text(fzi_web_state *state, const char *text)
{
    fz_machine *machine = fzi_web_machine(state);
    fz_move move;
    fz_status status;

    fzi_web_begin();
    if (fz_state_waiting(state->state) != FZ_WAITING_MOVE)
        return fzi_web_fail(FZ_USAGE, "the game does not wait for a move");
    status = fz_move_parse(machine, state->state, text, &move);
    if (status == FZ_OK) {
        forget_moves(state);
        status = fz_state_play(machine, state->state, &move);
    }
    return fzi_web_end(state->game, status);
}

/* ---- chance ---- */

fz_status fzi_web_outcomes(fzi_web_state *state, int player)
{
    fz_machine *machine = fzi_web_machine(state);
    const fz_outcome *outcomes;
    fz_outcome *copy;
    size_t count;
    fzi_buffer *out = fzi_web_begin();
    fz_status status;

    if (fz_state_waiting(state->state) != FZ_WAITING_CHANCE)
        return fzi_web_fail(FZ_USAGE, "the game does not wait for chance");
    status = fz_state_outcomes(machine, state->state, &outcomes, &count);
    if (status != FZ_OK)
        return fzi_web_end(state->game, status);
    /* The texts are calls of the machine, which keeps the array until then. */
    copy = malloc(count * sizeof *copy + 1);
    if (!copy)
        return fzi_web_fail(FZ_NO_MEMORY, "out of memory");
    memcpy(copy, outcomes, count * sizeof *copy);
    fzi_web_open(out, NULL, '[');
    for (size_t i = 0; i < count; i++) {
        fzi_web_open(out, NULL, '{');
        fzi_web_integer(out, "value", copy[i].value);
        fzi_web_integer(out, "weight", (int64_t)copy[i].weight);
        fzi_web_string(out, "text",
                       fz_chance_text_for(machine, state->state, copy[i].value, player));
        fzi_web_close(out, '}');
    }
    fzi_web_close(out, ']');
    free(copy);
    return fzi_web_end(state->game, FZ_OK);
}

fz_status fzi_web_set_chance(fzi_web_state *state, int64_t value)
{
    fzi_web_begin();
    if (fz_state_waiting(state->state) != FZ_WAITING_CHANCE)
        return fzi_web_fail(FZ_USAGE, "the game does not wait for chance");
    forget_moves(state);
    return fzi_web_end(state->game,
                            fz_state_set_chance(fzi_web_machine(state), state->state, value));
}

fz_status fzi_web_sample_chance(fzi_web_state *state)
{
    fzi_buffer *out = fzi_web_begin();
    int64_t value;
    fz_state *before;
    fz_status status;

    if (fz_state_waiting(state->state) != FZ_WAITING_CHANCE)
        return fzi_web_fail(FZ_USAGE, "the game does not wait for chance");
    before = fz_state_clone(state->state);
    if (!before)
        return fzi_web_fail(FZ_NO_MEMORY, "out of memory");
    forget_moves(state);
    status = fz_state_sample_chance(fzi_web_machine(state), state->state, &value);
    if (status == FZ_OK) {
        fzi_web_open(out, NULL, '{');
        fzi_web_integer(out, "value", value);
        fzi_web_string(out, "text", fz_chance_text(fzi_web_machine(state), before, value));
        fzi_web_close(out, '}');
    }
    fz_state_free(before);
    return fzi_web_end(state->game, status);
}

/* ---- texts ---- */

/* The answer {"text": …} of a text of the library, which is freed. */
static fz_status answer_text(const fzi_web_state *s, fz_status status, char *text)
{
    fzi_buffer *out = fzi_web_begin();

    if (status == FZ_OK) {
        fzi_web_open(out, NULL, '{');
        fzi_web_string(out, "text", text);
        fzi_web_close(out, '}');
    }
    fz_text_free(s->game->context, text);
    return fzi_web_end(s->game, status);
}

fz_status fzi_web_position(fzi_web_state *state, int player)
{
    fz_machine *machine = fzi_web_machine(state);
    char *text = NULL;
    fz_status status = player < 0 ? fz_state_write(machine, state->state, false, &text)
                                  : fz_state_write_for(machine, state->state, player, &text);

    return answer_text(state, status, text);
}

fz_status fzi_web_observation(fzi_web_state *state, int player)
{
    char *text = NULL;
    fz_status status = fz_state_observation(fzi_web_machine(state), state->state, player, &text);

    return answer_text(state, status, text);
}

fz_status fzi_web_draw(fzi_web_state *state, int player)
{
    fz_machine *machine = fzi_web_machine(state);
    char *text = NULL;
    fz_status status = player < 0 ? fz_state_draw(machine, state->state, 0, &text)
                                  : fz_state_draw_for(machine, state->state, player, 0, &text);

    return answer_text(state, status, text);
}

fz_status fzi_web_read(fzi_web_state *state, const char *position)
{
    fz_machine *machine = fzi_web_machine(state);
    fz_status status;

    fzi_web_begin();
    forget_moves(state);
    status = fz_state_read(machine, state->state, position);
    if (status == FZ_OK)
        status = fz_record_from_here(machine, state->state);
    return fzi_web_end(state->game, status);
}

fz_status fzi_web_record(fzi_web_state *state, const char *path, uint64_t seed)
{
    char *text = NULL;
    fz_status status = fz_record_write(fzi_web_machine(state), state->state, path, seed, &text);

    return answer_text(state, status, text);
}

/* One site, as the viewer knows it. */
static void add_site(fzi_buffer *out, const fz_state *known, int site)
{
    int kind, owner;

    fz_state_piece(known, site, &kind, &owner);
    if (kind < 0 && owner < 0) {
        fzi_web_written(out, NULL, "null");
        return;
    }
    fzi_web_open(out, NULL, '[');
    fzi_web_integer(out, NULL, kind);
    fzi_web_integer(out, NULL, owner);
    fzi_web_integer(out, NULL, fz_state_height(known, site));
    fzi_web_close(out, ']');
}

/* A site that the player knows to be hidden is "?", one that only looks empty is null. */
fz_status fzi_web_contents(fzi_web_state *state, int player)
{
    const fz_program *program = state->game->program;
    fz_machine *machine = fzi_web_machine(state);
    fzi_observed seen = {0};
    fz_state *base = NULL;
    fz_status status = FZ_OK;

    fzi_machine_begin(machine);
    if (player >= 0 && !fzi_is_player(program, player)) {
        status = fzi_machine_say(machine, FZ_USAGE, "there is no player %d", player);
    } else if (player >= 0) {
        base = fzi_position_new(state->state);
        status = base ? fzi_observe(machine, state->state, player, base->block, &seen)
                      : fzi_machine_no_memory(machine);
    }
    fzi_buffer *out = fzi_web_begin();
    if (status == FZ_OK) {
        fzi_web_open(out, NULL, '[');
        for (int s = 0; s < fz_program_sites(program); s++) {
            if (fzi_words_has(seen.unseen, (unsigned)s))
                fzi_web_string(out, NULL, "?");
            else
                add_site(out, player < 0 ? state->state : seen.state, s);
        }
        fzi_web_close(out, ']');
    }
    fzi_observed_clear(&seen);
    fz_state_free(base);
    return fzi_web_end(state->game, status);
}

/* ---- explanations ---- */

/* In a game with secrets, from what the player who decides knows. */
fz_status fzi_web_why(fzi_web_state *state, const char *text)
{
    fzi_web_game *game = state->game;
    fz_machine *machine = fzi_web_machine(state);
    bool part = fz_program_hides(game->program) &&
                fz_state_waiting(state->state) == FZ_WAITING_MOVE;
    fz_state *known = part ? fz_state_clone_for(machine, state->state,
                                                fz_state_decider(state->state))
                           : NULL;
    fzi_buffer *out;

    if (part && !known)
        return fzi_web_end(game, FZ_NO_MEMORY);
    if (!game->explaining && !game->no_explaining &&
        fz_compile_explaining(game->context, game->path, game->settings, game->setting_count,
                              &game->explaining) != FZ_OK)
        game->no_explaining = true;
    out = fzi_web_begin();
    fzi_web_open(out, NULL, '{');
    fzi_web_string(out, "text", fz_move_why_with(machine, known ? known : state->state,
                                                 game->explaining, text));
    fzi_web_close(out, '}');
    fz_state_free(known);
    return fzi_web_end(game, FZ_OK);
}

fz_status fzi_web_story(fzi_web_state *state, int index, int64_t chance, int player)
{
    fz_limits limits = {0};
    fz_status status = index >= 0 ? fzi_web_list(state) : FZ_OK;
    fz_move move = {0};
    fz_move_trace *story;
    fzi_buffer *out;

    if (status != FZ_OK)
        return fzi_web_end(state->game, status);
    if (index >= 0) {
        if ((size_t)index >= fz_moves_count(state->game->moves))
            return fzi_web_fail(FZ_USAGE, "there is no such move");
        move = fz_moves_at(state->game->moves, (size_t)index);
    }
    story = fz_move_trace_new(state->game->program, &limits, player);
    if (!story)
        return fzi_web_fail(FZ_NO_MEMORY, "out of memory");
    out = fzi_web_begin();
    fzi_web_open(out, NULL, '{');
    fzi_web_string(out, "text",
                   fz_move_trace_tell(story, state->state, index >= 0 ? &move : NULL, chance));
    fzi_web_close(out, '}');
    fz_move_trace_free(story);
    return fzi_web_end(state->game, FZ_OK);
}

/* ---- pictures ---- */

/* `bare`: without the lines of text below, which a page sets in its own type. */
static void add_svg(fzi_scene *scene, enum fzi_theme theme, bool bare, fzi_buffer *out)
{
    const double cell = 48, margin = 0.3;
    fzi_buffer svg = fzi_buffer_in(scene->allocator);
    const char *below = fzi_buffer_get(&scene->texts) + scene->below_text;

    if (bare && scene->below) {
        scene->shape_count = scene->below;
        scene->high.y = scene->below_y + margin;
    }
    fzi_scene_svg(scene, theme, cell, &svg);
    out->failed |= svg.failed;
    fzi_web_string(out, "svg", fzi_buffer_get(&svg));
    fzi_web_string(out, "below", below);
    fzi_web_bool(out, "drawn", scene->below > 0);
    fzi_buffer_free(&svg);
}

static void add_picture(fzi_scene *scene, enum fzi_theme theme, bool bare, fzi_buffer *out)
{
    fzi_web_open(out, NULL, '{');
    add_svg(scene, theme, bare, out);
    fzi_web_open(out, "box", '[');
    fzi_web_real(out, NULL, scene->low.x, 4);
    fzi_web_real(out, NULL, scene->low.y, 4);
    fzi_web_real(out, NULL, scene->high.x, 4);
    fzi_web_real(out, NULL, scene->high.y, 4);
    fzi_web_close(out, ']');
    fzi_web_open(out, "sites", '[');
    for (size_t i = 0; i < scene->site_count; i++) {
        fzi_web_real(out, NULL, scene->sites[i].x, 4);
        fzi_web_real(out, NULL, scene->sites[i].y, 4);
    }
    fzi_web_close(out, ']');
    fzi_web_close(out, '}');
}

fz_status fzi_web_picture(fzi_web_state *state, int player, const char *set, const char *theme,
                          int bare)
{
    const fzi_picture_task task = {.player = player, .from = -1, .set = *set ? set : NULL};
    int number = fzi_theme_called(theme);
    fzi_scene scene;
    fz_status status;

    if (number < 0)
        return fzi_web_fail(FZ_USAGE, "there is no such theme");
    status = fzi_picture_compose(fzi_web_machine(state), state->state, &task, &scene);
    if (status == FZ_OK)
        add_picture(&scene, (enum fzi_theme)number, bare != 0, fzi_web_begin());
    fzi_scene_clear(&scene);
    return fzi_web_end(state->game, status);
}
