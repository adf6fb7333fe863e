/* Games in progress in the WebAssembly engine. See web_engine.h. */
#include "web_engine.h"

#include <stdio.h>
#include <stdlib.h>

#include "interp/picture/compose.h"
#include "interp/picture/scene.h"
#include "interp/support/words.h"
#include "interp/text/notation.h"
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
    if (!state || state->state)
        return state;
    fzi_web_end(state->game, FZ_RUNTIME);
    free(state);
    return NULL;
}

fzi_web_state *fzi_web_start(fzi_web_game *game, uint64_t seed, uint64_t stream, int asks)
{
    fzi_web_state *state = state_of(game, asks != 0);

    if (state)
        state->state = fz_record_begin(fzi_web_machine(state), seed, stream);
    return complete(state);
}

fzi_web_state *fzi_web_clone(const fzi_web_state *from)
{
    fzi_web_state *state = state_of(from->game, from->asks);

    if (state)
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
    char text[256] = "", *result = NULL;

    fzi_buffer_json(out, "ranks:[");
    for (int p = 0; p < players; p++)
        fzi_buffer_json(out, "i", fz_state_rank(s->state, p));
    fzi_buffer_json(out, "], utilities:[");
    for (int p = 0; p < players; p++)
        fzi_buffer_json(out, "r6", fz_state_utility(s->state, p));
    fzi_buffer_json(out, "], payoffs:[");
    for (int p = 0; p < players && fz_program_has_payoffs(program); p++) {
        int64_t value = 0;
        if (fz_state_payoff(fzi_web_machine(s), s->state, p, &value) == FZ_OK)
            fzi_buffer_json(out, "I", value);
    }
    fz_state_ending(s->state, &place);
    fz_program_place_text(program, place, text, sizeof text);
    fzi_buffer_json(out, "], stopped:b, place:s", fz_state_stopped(s->state), text);
    if (fz_record_result_text(fzi_web_machine(s), s->state, &result) == FZ_OK)
        fzi_buffer_json(out, "result:s", result);
    fz_text_free(s->game->context, result);
}

fz_status fzi_web_status(fzi_web_state *state)
{
    static const char *const waiting[] = {
        [FZ_WAITING_MOVE] = "move", [FZ_WAITING_CHANCE] = "chance", [FZ_GAME_OVER] = "over",
        [FZ_GAME_FAILED] = "failed"};
    fz_waiting what = fz_state_waiting(state->state);
    fzi_buffer *out = fzi_web_begin();

    fzi_buffer_json(out, "{waiting:s, decider:i, mover:i, turn:u, plies:u, sealed:u", waiting[what],
                    what == FZ_WAITING_MOVE ? fz_state_decider(state->state) : -1,
                    fz_state_mover(state->state), fz_state_turns(state->state),
                    fz_state_plies(state->state), fz_state_hidden_decisions(state->state));
    if (what == FZ_GAME_OVER)
        add_results(state, out);
    fzi_buffer_json(out, "}");
    return fzi_web_end(state->game, FZ_OK);
}

/* True if the state waits for this; otherwise the answer is `message`. */
static bool waits_for(const fzi_web_state *s, fz_waiting what, const char *message)
{
    bool waits = fz_state_waiting(s->state) == what;

    if (!waits)
        fzi_web_fail(FZ_USAGE, message);
    return waits;
}

/* ---- moves ---- */

fz_status fzi_web_list(fzi_web_state *state)
{
    fzi_web_game *game = state->game;

    if (game->listed == state)
        return FZ_OK;
    fz_status status = fz_state_moves(fzi_web_machine(state), state->state, game->moves);
    game->listed = status == FZ_OK ? state : NULL;
    return status;
}

/* The move at a place of the list. On failure the answer says why. */
static fz_status find_move(fzi_web_state *state, unsigned index, fz_move *move)
{
    fz_status status = fzi_web_list(state);

    if (status != FZ_OK)
        return fzi_web_end(state->game, status);
    if (index >= fz_moves_count(state->game->moves))
        return fzi_web_fail(FZ_USAGE, "there is no such move");
    *move = fz_moves_at(state->game->moves, index);
    return FZ_OK;
}

static void add_move(const fzi_web_state *s, const fz_move *move, int player, fzi_buffer *out)
{
    fz_machine *machine = fzi_web_machine(s);
    int from, to;

    fzi_picture_move_sites(machine, s->state, move, &from, &to);
    fzi_buffer_json(out, "{text:s", fz_move_text(machine, s->state, move));
    if (player >= 0)
        fzi_buffer_json(out, "shown:s", fz_move_text_for(machine, s->state, move, player));
    fzi_buffer_json(out, "from:i, to:i}", from, to);
}

fz_status fzi_web_moves(fzi_web_state *state, int player)
{
    fz_status status = FZ_OK;
    bool waits = fz_state_waiting(state->state) == FZ_WAITING_MOVE &&
                 (player < 0 || player == fz_state_decider(state->state));

    if (waits)
        status = fzi_web_list(state);
    fzi_buffer *out = fzi_web_begin();
    fzi_buffer_json(out, "[");
    for (size_t i = 0; waits && status == FZ_OK && i < fz_moves_count(state->game->moves); i++) {
        fz_move move = fz_moves_at(state->game->moves, i);
        add_move(state, &move, player, out);
    }
    fzi_buffer_json(out, "]");
    return fzi_web_end(state->game, status);
}

fz_status fzi_web_told(fzi_web_state *state, int index, int64_t chance)
{
    fz_machine *machine = fzi_web_machine(state);
    fz_move move = {0};
    fz_status status = index >= 0 ? find_move(state, (unsigned)index, &move) : FZ_OK;

    if (status != FZ_OK)
        return status;
    fzi_buffer *out = fzi_web_begin();
    fzi_buffer_json(out, "[");
    for (int p = 0; p < fz_program_players(state->game->program); p++)
        fzi_buffer_json(out, "s", index >= 0
                                      ? fz_move_text_for(machine, state->state, &move, p)
                                      : fz_chance_text_for(machine, state->state, chance, p));
    fzi_buffer_json(out, "]");
    return fzi_web_end(state->game, FZ_OK);
}

static fz_status play(fzi_web_state *state, const fz_move *move)
{
    fzi_web_begin();
    forget_moves(state);
    return fzi_web_end(state->game, fz_state_play(fzi_web_machine(state), state->state, move));
}

fz_status fzi_web_play(fzi_web_state *state, unsigned index)
{
    fz_move move;

    if (!waits_for(state, FZ_WAITING_MOVE, "there is no such move"))
        return FZ_USAGE;
    fz_status status = find_move(state, index, &move);
    return status == FZ_OK ? play(state, &move) : status;
}

fz_status fzi_web_play_text(fzi_web_state *state, const char *text)
{
    fz_move move;

    if (!waits_for(state, FZ_WAITING_MOVE, "the game does not wait for a move"))
        return FZ_USAGE;
    fz_status status = fz_move_parse(fzi_web_machine(state), state->state, text, &move);
    return status == FZ_OK ? play(state, &move) : fzi_web_end(state->game, status);
}

/* Copies of the texts of the listed moves; what is missing is NULL. Freed by free_texts. */
static char **copy_texts(fzi_web_state *s, size_t count)
{
    char **texts = calloc(count + 1, sizeof *texts);

    for (size_t i = 0; texts && i < count; i++) {
        fz_move move = fz_moves_at(s->game->moves, i);
        const char *text = fz_move_text(fzi_web_machine(s), s->state, &move);
        size_t size = strlen(text) + 1;
        texts[i] = malloc(size);
        if (texts[i])
            memcpy(texts[i], text, size);
    }
    return texts;
}

static void free_texts(char **texts, size_t count)
{
    for (size_t i = 0; texts && i < count; i++)
        free(texts[i]);
    free(texts);
}

fz_status fzi_web_find(fzi_web_state *state, const char *typed)
{
    if (!waits_for(state, FZ_WAITING_MOVE, "the game does not wait for a move"))
        return FZ_USAGE;
    fz_status status = fzi_web_list(state);
    if (status != FZ_OK)
        return fzi_web_end(state->game, status);

    size_t count = fz_moves_count(state->game->moves), copied = 0;
    char **texts = copy_texts(state, count);
    unsigned char *fits = calloc(count + 1, 1);
    while (texts && copied < count && texts[copied])
        copied++;
    bool good = texts && fits && copied == count;
    if (good) {
        long found = fzi_typed_move((const char *const *)texts, count, typed, fits);
        fzi_buffer *out = fzi_web_begin();
        fzi_buffer_json(out, "{index:i, several:[", found < 0 ? -1 : (int)found);
        for (size_t i = 0; found == FZI_SEVERAL_MOVES && i < count; i++)
            if (fits[i])
                fzi_buffer_json(out, "s", texts[i]);
        fzi_buffer_json(out, "]}");
    }
    free_texts(texts, count);
    free(fits);
    return good ? fzi_web_end(state->game, FZ_OK) : fzi_web_fail(FZ_NO_MEMORY, "out of memory");
}

/* ---- chance ---- */

static const char not_chance[] = "the game does not wait for chance";

fz_status fzi_web_outcomes(fzi_web_state *state, int player)
{
    fz_machine *machine = fzi_web_machine(state);
    const fz_outcome *outcomes;
    fz_outcome *copy;
    size_t count;

    if (!waits_for(state, FZ_WAITING_CHANCE, not_chance))
        return FZ_USAGE;
    fz_status status = fz_state_outcomes(machine, state->state, &outcomes, &count);
    if (status != FZ_OK)
        return fzi_web_end(state->game, status);
    /* The texts are calls of the machine, which keeps the array until then. */
    copy = malloc(count * sizeof *copy + 1);
    if (!copy)
        return fzi_web_fail(FZ_NO_MEMORY, "out of memory");
    memcpy(copy, outcomes, count * sizeof *copy);
    fzi_buffer *out = fzi_web_begin();
    fzi_buffer_json(out, "[");
    for (size_t i = 0; i < count; i++)
        fzi_buffer_json(out, "{value:I, weight:U, text:s}", copy[i].value, copy[i].weight,
                        fz_chance_text_for(machine, state->state, copy[i].value, player));
    fzi_buffer_json(out, "]");
    free(copy);
    return fzi_web_end(state->game, FZ_OK);
}

fz_status fzi_web_set_chance(fzi_web_state *state, int64_t value)
{
    if (!waits_for(state, FZ_WAITING_CHANCE, not_chance))
        return FZ_USAGE;
    fzi_web_begin();
    forget_moves(state);
    return fzi_web_end(state->game,
                       fz_state_set_chance(fzi_web_machine(state), state->state, value));
}

fz_status fzi_web_sample_chance(fzi_web_state *state)
{
    int64_t value;

    if (!waits_for(state, FZ_WAITING_CHANCE, not_chance))
        return FZ_USAGE;
    fz_state *before = fz_state_clone(state->state);
    if (!before)
        return fzi_web_fail(FZ_NO_MEMORY, "out of memory");
    fzi_buffer *out = fzi_web_begin();
    forget_moves(state);
    fz_status status = fz_state_sample_chance(fzi_web_machine(state), state->state, &value);
    if (status == FZ_OK)
        fzi_buffer_json(out, "{value:I, text:s}", value,
                        fz_chance_text(fzi_web_machine(state), before, value));
    fz_state_free(before);
    return fzi_web_end(state->game, status);
}

/* ---- texts ---- */

/* The answer {"text": …} of a text of the library, which is freed. */
static fz_status answer_text(const fzi_web_state *s, fz_status status, char *text)
{
    status = fzi_web_text(s->game, status, text);
    fz_text_free(s->game->context, text);
    return status;
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

/* One line with a slash. */
static bool is_fen(const char *text)
{
    const char *end = strchr(text, '\n');

    return strchr(text, '/') && (!end || end[strspn(end, " \r\n")] == '\0');
}

fz_status fzi_web_read(fzi_web_state *state, const char *position)
{
    fz_machine *machine = fzi_web_machine(state);

    fzi_web_begin();
    forget_moves(state);
    fz_status status = is_fen(position) ? fz_state_read_fen(machine, state->state, position)
                                        : fz_state_read(machine, state->state, position);
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

fz_status fzi_web_read_record(const char *text)
{
    fz_context *context = fzi_web_context();
    fz_record record = {0};
    char seed[24];

    if (!context)
        return fzi_web_fail(FZ_NO_MEMORY, "out of memory");
    fz_status status = fz_record_read(context, text, &record);
    fzi_buffer *out = fzi_web_begin();
    if (status == FZ_OK) {
        snprintf(seed, sizeof seed, "%llu", (unsigned long long)record.seed);
        fzi_buffer_json(out, "{game:s, position:s, seed:s, options:[", record.game,
                        record.position, seed);
        for (size_t i = 0; i < record.setting_count; i++)
            fzi_buffer_json(out, "[s, s]", record.settings[i].name, record.settings[i].value);
        fzi_buffer_json(out, "], entries:[");
        for (size_t i = 0; i < record.entry_count; i++)
            fzi_buffer_json(out, "s", record.entries[i]);
        fzi_buffer_json(out, "]}");
    }
    fz_record_free(context, &record);
    return status == FZ_OK ? fzi_web_end(NULL, status)
                           : fzi_web_fail(status, fz_context_message(context));
}

/* One site, as the viewer knows it. */
static void add_site(fzi_buffer *out, const fz_state *known, int site)
{
    int kind, owner;

    fz_state_piece(known, site, &kind, &owner);
    if (kind < 0 && owner < 0)
        fzi_buffer_json(out, "n");
    else
        fzi_buffer_json(out, "[i, i, u]", kind, owner, fz_state_height(known, site));
}

/* A site that the player knows to be hidden is "?", one that only looks empty is null. */
fz_status fzi_web_contents(fzi_web_state *state, int player)
{
    fz_machine *machine = fzi_web_machine(state);
    fzi_observed seen = {0};
    fz_state *base = NULL;
    fz_status status = FZ_OK;

    if (player >= 0)
        status = fzi_observe_begin(machine, state->state, player, &base);
    if (base)
        status = fzi_observe(machine, state->state, player, base->block, &seen);
    fzi_buffer *out = fzi_web_begin();
    fzi_buffer_json(out, "[");
    for (int s = 0; status == FZ_OK && s < fz_program_sites(state->game->program); s++) {
        if (fzi_words_has(seen.unseen, (unsigned)s))
            fzi_buffer_json(out, "s", "?");
        else
            add_site(out, player < 0 ? state->state : seen.state, s);
    }
    fzi_buffer_json(out, "]");
    fzi_observed_clear(&seen);
    fz_state_free(base);
    return fzi_web_end(state->game, status);
}

/* ---- explanations ---- */

/* In a game with secrets, from what the player who decides knows. */
fz_status fzi_web_why(fzi_web_state *state, const char *text)
{
    fzi_web_game *game = state->game;
    bool waits = fz_state_waiting(state->state) == FZ_WAITING_MOVE;

    if (!game->explaining && !game->no_explaining &&
        fz_compile_explaining(game->context, game->path, game->settings, game->setting_count,
                              &game->explaining) != FZ_OK)
        game->no_explaining = true;
    return fzi_web_text(game, FZ_OK,
                        fz_move_why_with(fzi_web_machine(state), state->state,
                                         waits ? fz_state_decider(state->state) : -1,
                                         game->explaining, text));
}

fz_status fzi_web_story(fzi_web_state *state, int index, int64_t chance, int player)
{
    fz_limits limits = {0};
    fz_move move = {0};
    fz_status status = index >= 0 ? find_move(state, (unsigned)index, &move) : FZ_OK;

    if (status != FZ_OK)
        return status;
    fz_move_trace *story = fz_move_trace_new(state->game->program, &limits, player);
    if (!story)
        return fzi_web_fail(FZ_NO_MEMORY, "out of memory");
    status = fzi_web_text(state->game, FZ_OK,
                          fz_move_trace_tell(story, state->state, index >= 0 ? &move : NULL,
                                             chance));
    fz_move_trace_free(story);
    return status;
}

/* ---- pictures ---- */

/* [{"name", "role", "box"}] of the shapes that can be clicked. */
static void add_things(const fzi_scene *scene, fzi_buffer *out)
{
    static const char *const roles[] = {NULL, "card", "die", "hand", "swatch"};

    fzi_buffer_json(out, "things:[");
    for (size_t i = 0; i < scene->shape_count; i++) {
        const fzi_shape *shape = &scene->shapes[i];
        const fzi_point *points = fzi_shape_points(scene, shape);
        if (shape->kind == FZI_POLYGON && shape->role && shape->count == 4)
            fzi_buffer_json(out, "{name:s, role:s, box:[r4, r4, r4, r4]}",
                            fzi_shape_text(scene, shape), roles[shape->role], points[0].x,
                            points[0].y, points[2].x, points[2].y);
    }
    fzi_buffer_json(out, "]");
}

/* [{"text", "colour"}] of the values whose names are colours. */
static void add_swatches(const fz_program *program, enum fzi_theme theme, fzi_buffer *out)
{
    fzi_buffer_json(out, "swatches:[");
    for (uint32_t t = 0; t < program->type_count; t++) {
        const fz_value_type *type = &program->types[t];
        for (int32_t i = 0; type->kind == FZ_VALUE_NAMED && i <= type->high; i++) {
            enum fzi_paint paint = fzi_paint_called(fzi_value_own_name(program, type, i));
            char colour[8];
            if (!paint)
                continue;
            snprintf(colour, sizeof colour, "#%06x", (unsigned)fzi_paint_colour(theme, paint));
            fzi_buffer_json(out, "{text:s, colour:s}", fzi_value_name(program, type, i), colour);
        }
    }
    fzi_buffer_json(out, "],");
}

/* `bare`: without the lines of text below, which a page sets in its own type. */
static void add_picture(fzi_scene *scene, const fz_program *program, enum fzi_theme theme,
                        bool bare, fzi_buffer *out)
{
    const double cell = 48, margin = 0.3;
    fzi_buffer svg = fzi_buffer_in(scene->allocator);

    if (bare && scene->below) {
        scene->shape_count = scene->below;
        scene->high.y = scene->below_y + margin;
    }
    fzi_scene_svg(scene, theme, cell, &svg);
    out->failed |= svg.failed;
    fzi_buffer_json(out, "{svg:s, below:s, drawn:b, box:[r4, r4, r4, r4], sites:[",
                    fzi_buffer_get(&svg), fzi_buffer_get(&scene->texts) + scene->below_text,
                    scene->below > 0, scene->low.x, scene->low.y, scene->high.x, scene->high.y);
    fzi_buffer_free(&svg);
    for (size_t i = 0; i < scene->site_count; i++)
        fzi_buffer_json(out, "r4, r4", scene->sites[i].x, scene->sites[i].y);
    fzi_buffer_json(out, "],");
    add_swatches(program, theme, out);
    add_things(scene, out);
    fzi_buffer_json(out, "}");
}

enum { MOST_LOST = 64 };

/* The pieces that the page has counted; those that do not exist are left out. */
static size_t read_lost(const fz_program *program, const char *text, fzi_picture_lost *lost)
{
    size_t count = 0;
    int used = 0;

    for (fzi_picture_lost one; count < MOST_LOST &&
         sscanf(text, "%d %d %u%n", &one.owner, &one.kind, &one.number, &used) == 3; text += used)
        if (one.owner >= 0 && one.owner < fz_program_players(program) && one.kind >= 0 &&
            one.kind < fz_program_kinds(program))
            lost[count++] = one;
    return count;
}

fz_status fzi_web_picture(fzi_web_state *state, int player, const char *set, const char *theme,
                          int bare, const char *lost)
{
    fzi_picture_lost lost_pieces[MOST_LOST];
    const fzi_picture_task task = {.player = player, .from = -1, .set = *set ? set : NULL,
                                   .lost = lost_pieces,
                                   .lost_count = read_lost(state->game->program, lost,
                                                           lost_pieces)};
    int number = fzi_theme_called(theme);
    fzi_scene scene;

    if (number < 0)
        return fzi_web_fail(FZ_USAGE, "there is no such theme");
    fz_status status = fzi_picture_compose(fzi_web_machine(state), state->state, &task, &scene);
    if (status == FZ_OK)
        add_picture(&scene, state->game->program, (enum fzi_theme)number, bare != 0,
                    fzi_web_begin());
    fzi_scene_clear(&scene);
    return fzi_web_end(state->game, status);
}
