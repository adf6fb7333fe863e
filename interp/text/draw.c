/* Draws states as text: the board, and below it variables, the moves of this turn, and whose
 * turn it is. Implements fz_state_draw; pictures use the same drawing. */
#include "draw.h"

/* ---- what stands below ---- */

static bool shown_below(const fzi_drawing *d, const fz_variable *v)
{
    return v->shown && !fzi_is_by_site(d->program, v);
}

static bool visible(const fzi_drawing *d, const fz_variable *v, uint32_t element)
{
    return fzi_element_visible(d->program, v, element, d->viewer);
}

bool fzi_is_hand(const fz_program *program, const fz_variable *v)
{
    return v->index_count == 2 && !v->is_set && !v->hidden &&
           program->types[v->index[0]].kind == FZ_VALUE_PLAYER &&
           program->types[v->index[1]].kind == FZ_VALUE_KIND &&
           program->types[v->type].kind == FZ_VALUE_INT;
}

/* Numbers by player, such as pieces in hand and points, are always printed, not only after a
 * change. */
static void show_holdings(const fzi_drawing *d, uint8_t *base)
{
    const fz_program *p = d->program;

    for (uint32_t i = 0; i < p->variable_count; i++) {
        const fz_variable *v = &p->variables[i];
        bool by_player = v->index_count >= 1 && p->types[v->index[0]].kind == FZ_VALUE_PLAYER;
        if (!by_player || !(v->index_count == 1 || fzi_is_hand(p, v)) || v->is_set || v->hidden ||
            p->types[v->type].kind != FZ_VALUE_INT)
            continue;
        for (uint32_t e = 0; e < fzi_element_count(p, v); e++)
            fzi_element_put(p, base, v, e, 0);
    }
}

/* Site arrays are in the cells or would fill the screen, unless only few of their elements are
 * set. */
static bool listed_below(const fzi_drawing *d, const fz_variable *v)
{
    uint32_t set = 0, count = fzi_element_count(d->program, v);

    if (v->hidden || (v->shown && fzi_is_on_sites(d->program, v)))
        return false;
    if (shown_below(d, v))
        return true;
    for (uint32_t e = 0; e < count; e++) {
        if (!visible(d, v, e))
            return false;
        set += !fzi_element_same(d->program, d->block, d->base, v, e);
    }
    return set > 0 && (set <= 12 || !v->index_count);
}

bool fzi_is_listed(const fzi_drawing *d, const fz_variable *v)
{
    return (v->secret && !v->hidden && d->viewer >= 0) || listed_below(d, v);
}

/* An array's elements have a line each from `start` on: puts as many into one as it holds, with the
 * name in front. */
static void join_lines(const fzi_drawing *d, const fz_variable *v, size_t start)
{
    enum { WIDTH = 79 };
    const char *name = fzi_text(d->program, v->name);
    fzi_buffer lines = fzi_buffer_in(d->out->allocator), *out = d->out;
    size_t used = 0;

    if (out->failed || out->length == start)
        return;
    fzi_buffer_text(&lines, out->data + start);
    out->failed |= lines.failed;
    out->data[out->length = start] = '\0';
    for (char *line = lines.data, *end; !out->failed && line && (end = strchr(line, '\n'));
         line = end + 1) {
        *end = '\0';
        size_t wide = fzi_text_width(line), skipped = strlen(name);
        bool along = used && !v->is_set && used + 2 + wide - skipped <= WIDTH;
        fzi_buffer_text(out, along ? ", " : used ? "\n  " : "  ");
        fzi_buffer_text(out, along ? line + skipped : line);
        used = along ? used + 2 + wide - skipped : 2 + wide;
    }
    fzi_buffer_char(out, '\n');
    fzi_buffer_free(&lines);
}

/* The viewer's own elements that have changed, and what is not known. A single value of the viewer
 * is always drawn, so that it cannot be taken for an unknown one. */
static void add_secret(const fzi_drawing *d, const fz_variable *v)
{
    uint32_t count = fzi_element_count(d->program, v);

    for (uint32_t e = 0; e < count; e++) {
        bool tells = v->index_count == 1 || v->shown ||
                     !fzi_element_same(d->program, d->block, d->base, v, e);
        if (!visible(d, v, e) || !tells)
            continue;
        fzi_buffer_text(d->out, fzi_text(d->program, v->name));
        fzi_element_index_write(d->program, v, e, d->out);
        fzi_buffer_text(d->out, " = ");
        fzi_element_write(d->program, d->block, v, e, d->out);
        fzi_buffer_char(d->out, '\n');
    }
    fzi_unknown_write(d->program, v, d->viewer, "", d->out);
}

static void add_variables(const fzi_drawing *d)
{
    for (uint32_t i = 0; i < d->program->variable_count; i++) {
        const fz_variable *v = &d->program->variables[i];
        size_t start = d->out->length;
        bool is_listed = listed_below(d, v);
        if (is_listed && fzi_is_thing(d, v)) {
            fzi_things_write(d, &(fzi_shown_value){d->program, d->block, v, NULL, NULL});
            continue;
        }
        if (v->secret && !v->hidden && d->viewer >= 0)
            add_secret(d, v);
        else if (is_listed)
            fzi_variable_write(d->program, d->block, shown_below(d, v) ? NULL : d->base, v, NULL,
                               "", d->out);
        join_lines(d, v, start);
        fzi_cards_write(d, v->type, start);
    }
    for (unsigned i = 0; i < d->shown_count; i++) {
        const fzi_shown_value *v = &d->shown[i];
        size_t start = d->out->length;
        bool is_listed = v->program == &d->lets.layout && !v->mark &&
                         !fzi_is_on_sites(d->program, v->like);
        if (is_listed && fzi_is_thing(d, v->like)) {
            fzi_things_write(d, v);
            continue;
        }
        if (is_listed)
            fzi_variable_write(v->program, v->block, NULL, v->like, v->unknown, "", d->out);
        join_lines(d, v->like, start);
        fzi_cards_write(d, v->like->type, start);
    }
}

/* In the colour of the player's pieces. */
static void add_player(const fzi_drawing *d, int player)
{
    const char *name =
        player < 0 ? "nobody" : fzi_text(d->program, d->program->players[player].name);

    if (d->colour && player >= 0)
        fzi_buffer_format(d->out, "\033[1;%sm%s\033[0m", fzi_player_colour(d, player), name);
    else
        fzi_buffer_text(d->out, name);
}

/* "Ann and Bob": the players of that rank. */
static void add_ranked(const fzi_drawing *d, int rank)
{
    const char *between = "";

    for (unsigned p = 0; p < d->program->player_count; p++) {
        if (fzi_head_of(d->state)->rank[p] != rank)
            continue;
        fzi_buffer_text(d->out, between);
        add_player(d, (int)p);
        between = " and ";
    }
}

/* Adds the result of one side, which has won, has lost, or neither. */
static void add_result_alone(const fzi_drawing *d)
{
    const fzi_head *head = fzi_head_of(d->state);

    if (head->rank[0] == head->nature) {
        fzi_buffer_text(d->out, "The game is over");
        return;
    }
    add_ranked(d, head->rank[0]);
    fzi_buffer_text(d->out, d->program->player_count == 1 ? " has" : " have");
    fzi_buffer_text(d->out, head->rank[0] == 1 ? " won" : " lost");
}

/* A payoff that cannot be computed is left out. */
static void add_payoffs(const fzi_drawing *d)
{
    const char *between = "Payoffs: ";

    for (unsigned p = 0; p < d->program->player_count; p++) {
        int64_t value;
        if (!fz_program_has_payoffs(d->program) ||
            fz_state_payoff(d->machine, d->state, (int)p, &value) != FZ_OK)
            continue;
        fzi_buffer_text(d->out, between);
        add_player(d, (int)p);
        fzi_buffer_format(d->out, " %lld", (long long)value);
        between = ", ";
    }
    if (*between == ',')
        fzi_buffer_text(d->out, ".\n");
}

static void add_result(const fzi_drawing *d)
{
    const fzi_head *head = fzi_head_of(d->state);
    unsigned players = d->program->player_count, first = 0;

    for (unsigned p = 0; p < players; p++)
        first += head->rank[p] == 1;
    if (fz_program_has_one_side(d->program)) {
        add_result_alone(d);
    } else if (first == players) {
        fzi_buffer_text(d->out, "Drawn");
    } else {
        add_ranked(d, 1);
        fzi_buffer_text(d->out, first == 1                         ? " has won"
                                : fzi_state_winner(d->state) >= 0 ? " have won"
                                                                   : " share the first place");
    }
    if (players > 2 && first != players && !fz_program_has_one_side(d->program)) {
        fzi_buffer_text(d->out, "; ranks");
        for (unsigned p = 0; p < players; p++) {
            fzi_buffer_text(d->out, p ? ", " : " ");
            add_player(d, (int)p);
            fzi_buffer_format(d->out, " %d", head->rank[p]);
        }
    }
    fzi_buffer_format(d->out, "%s, after %u turn%s.\n",
                      head->stopped ? " (stopped by the limit)" : "",
                      head->turns, head->turns == 1 ? "" : "s");
    add_payoffs(d);
}

/* The moves of the deciding player in this turn so far. */
static void add_played(const fzi_drawing *d)
{
    fzi_position position = fzi_position_of(d->state);

    if (!position.block || position.played_count == 0)
        return;
    fzi_buffer_text(d->out, position.in_setup ? "So far:" : "So far in this turn:");
    fzi_played_write(d->machine, d->state, &position, d->viewer, " ", ",", NULL, d->out);
    if (!d->out->failed)
        d->out->data[d->out->length - 1] = '.';
    fzi_buffer_char(d->out, '\n');
}

/* Does the picture show what chance gave? */
static bool is_drawn(const fzi_drawing *d, const fzi_result *result)
{
    return fzi_is_throw(result->thrown) ||
           (result->type >= 0 && d->draws_type && d->draws_type(d, result->type));
}

/* The lines of `entries` that a picture does not draw itself, of which the last few say enough. */
static void add_undrawn(const fzi_drawing *d, const fzi_position *position,
                        const fzi_result *results, const char *entries)
{
    enum { LAST = 6 };
    size_t count = position->played_count, left = 0, first = d->out->length;

    for (int pass = 0; pass < 2; pass++) {
        const char *line = entries;
        for (size_t i = 0; i < count && *line; i++) {
            bool chance = position->played[i].is_chance;
            size_t length = strcspn(line, "\n"), braces = chance && length > 1;
            bool drawn = is_drawn(d, &results[i]);
            left += !drawn && !pass;
            if (pass && !drawn && left-- <= LAST) {
                fzi_buffer_text(d->out, d->out->length == first ? "" : ", ");
                fzi_buffer_add(d->out, line + braces, length - 2 * braces);
            }
            line += length + 1;
        }
        if (!pass && left == 0)
            return;
        if (!pass)
            fzi_buffer_text(d->out, position->in_setup ? "So far: " : "So far in this turn: ");
        if (!pass && left > LAST)
            fzi_buffer_text(d->out, "\u2026 ");
        first = pass ? first : d->out->length;
    }
    fzi_buffer_text(d->out, ".\n");
}

/* The same for a picture. */
static void add_played_aside(fzi_drawing *d)
{
    fzi_position position = fzi_position_of(d->state);
    fzi_buffer entries = fzi_buffer_in(d->out->allocator);
    fzi_result *results = NULL;

    if (!position.block || position.played_count == 0)
        return;
    results = fzi_allocate_zeroed(d->out->allocator, position.played_count * sizeof *results);
    if (results)
        fzi_played_write(d->machine, d->state, &position, d->viewer, "", "\n", results, &entries);
    for (size_t i = 0; results && i < position.played_count; i++)
        if (fzi_is_throw(results[i].thrown) && d->throw_count < FZI_THROWS)
            d->throws[d->throw_count++] = results[i].thrown;
    if (results)
        add_undrawn(d, &position, results, fzi_buffer_get(&entries));
    d->out->failed |= !results || entries.failed;
    fzi_release(d->out->allocator, results);
    fzi_buffer_free(&entries);
}

static void add_status(const fzi_drawing *d)
{
    const fzi_head *head = fzi_head_of(d->state);

    if (head->waiting == FZ_GAME_OVER) {
        add_result(d);
        return;
    }
    if (head->waiting == FZ_GAME_FAILED) {
        fzi_buffer_text(d->out, "The script failed in the turn of ");
        add_player(d, head->mover);
    } else if (head->waiting == FZ_WAITING_CHANCE) {
        fzi_buffer_text(d->out, "Chance, in the turn of ");
        add_player(d, head->mover);
    } else if (head->decider != head->mover) {
        add_player(d, head->decider);
        fzi_buffer_text(d->out, " chooses, in the turn of ");
        add_player(d, head->mover);
    } else {
        add_player(d, head->mover);
        fzi_buffer_text(d->out, head->turns == 0 ? " to choose, setting up" : " to move");
    }
    if (head->turns)
        fzi_buffer_format(d->out, ", turn %u", head->turns);
    fzi_buffer_text(d->out, ".\n");
}

void fzi_below_write(fzi_drawing *d)
{
    if (!d->picture)
        add_variables(d);
    if (!d->bare) {
        if (d->picture)
            add_played_aside(d);
        else
            add_played(d);
        add_status(d);
    }
}

/* ---- the whole ---- */

/* The drawing is of what the viewer knows: the positions before, which `repetitions` asks for, are
 * not that. */
static fz_status look(fzi_drawing *d)
{
    fz_status status = fzi_observe(d->machine, d->state, d->viewer, d->base, &d->seen);

    if (status != FZ_OK)
        return status;
    d->known = d->seen.state;
    d->block = d->seen.state->block;
    memcpy(d->unseen, d->seen.unseen, sizeof d->unseen);
    if (fz_program_hides(d->program))
        fzi_head_of(d->seen.state)->history = 0;
    return FZ_OK;
}

static fz_status make_room(fzi_drawing *d)
{
    unsigned sites = d->program->board.site_count;
    fzi_allocator allocator = d->machine->allocator;

    d->cells = fzi_allocate(allocator, sites * sizeof *d->cells);
    d->line = fzi_allocate(allocator, sites * sizeof *d->line);
    d->x = fzi_allocate(allocator, sites * sizeof *d->x);
    d->y = fzi_allocate(allocator, sites * sizeof *d->y);
    return d->cells && d->line && d->x && d->y
               ? FZ_OK
               : fzi_machine_no_memory(d->machine);
}

fz_status fzi_drawing_open(fzi_drawing *d)
{
    fz_status status = FZ_OK;

    d->empty = fzi_position_new(d->state);
    if (!d->empty)
        return fzi_machine_no_memory(d->machine);
    d->base = d->empty->block;
    d->block = d->state->block;
    d->known = d->state;
    if (d->viewer >= 0)
        status = look(d);
    show_holdings(d, d->empty->block);
    if (status == FZ_OK)
        status = fzi_shown_find(d);
    if (status == FZ_OK)
        status = make_room(d);
    if (status == FZ_OK)
        fzi_sites_place(d);
    return status;
}

void fzi_drawing_close(fzi_drawing *d)
{
    fzi_allocator allocator = d->machine->allocator;

    FZI_RELEASE(allocator, d->shown, d->lets.memory, d->cells, d->line, d->x, d->y);
    fzi_observed_clear(&d->seen);
    fz_state_free(d->empty);
}

/* `bare`: without the lines that say whose turn it is. */
static fz_status draw(fz_machine *machine, const fz_state *state, int player,
                      const uint64_t *marked, bool bare, unsigned style, char **text)
{
    fzi_buffer out = fzi_buffer_in(machine->allocator);
    fzi_drawing d = {.program = state->program,
                     .state = state,
                     .machine = machine,
                     .viewer = player,
                     .colour = style & FZ_DRAW_COLOUR,
                     .palette = style & FZ_DRAW_PALETTE,
                     .ascii = style & FZ_DRAW_ASCII,
                     .symbols = style & FZ_DRAW_SYMBOLS,
                     .marked = marked,
                     .bare = bare,
                     .out = &out};

    fzi_machine_begin(machine);
    if (player >= (int)state->program->player_count)
        return fzi_machine_say(machine, FZ_USAGE, "there is no player %d", player);
    fz_status status = fzi_drawing_open(&d);
    if (status == FZ_OK)
        status = fzi_board_draw(&d);
    if (status == FZ_OK)
        fzi_below_write(&d);
    fzi_drawing_close(&d);
    return fzi_text_finish(machine, status, &out, text);
}

fz_status fz_state_draw_for(fz_machine *machine, const fz_state *state, int player, unsigned style,
                            char **text)
{
    return draw(machine, state, player, NULL, false, style, text);
}

fz_status fz_state_draw_marked(fz_machine *machine, const fz_state *state, const uint64_t *marked,
                               unsigned style, char **text)
{
    return draw(machine, state, -1, marked, true, style & ~(unsigned)FZ_DRAW_SYMBOLS, text);
}

fz_status fz_state_draw(fz_machine *machine, const fz_state *state, unsigned style, char **text)
{
    return draw(machine, state, -1, NULL, false, style, text);
}
