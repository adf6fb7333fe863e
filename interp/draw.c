/* Boards drawn in text. Every site is a cell of one width, placed by the board's x and y; cells show the
 * piece and the variables that the script wants shown. Below: what else there is to know. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "element.h"
#include "observe.h"
#include "position.h"
#include "vm.h"
#include "width.h"
#include "words.h"

enum { LONGEST_CELL = 24 };

typedef struct cell {
    char text[LONGEST_CELL * 4];
    int owner;          /* -1: nobody's, -2: nothing stands there */
    bool latest;        /* the latest move went there */
} cell;

typedef struct drawing {
    const fz_program *program;
    const fz_state *state;
    fz_machine *machine;
    const uint8_t *base;
    int viewer;         /* -1: everything is shown */
    bool colour;
    const uint8_t *block; /* as the viewer knows it */
    uint64_t unseen[FZ_MAX_WORDS];
    cell *cells;
    int16_t *x, *y;     /* of each site, in half cells, y upwards */
    bool named;         /* the sites' names say where they lie: "e4" */
    int *line;          /* of each site, from the top */
    int lines;
    size_t half;        /* columns for half a cell */
    size_t width;       /* of the widest cell */
    fzi_buffer *out;
} drawing;

/* ---- what a cell says ---- */

static bool visible(const drawing *d, const fz_variable *v, uint32_t element)
{
    return fzi_element_visible(d->program, v, element, d->viewer);
}

static bool by_site(const fz_program *program, const fz_variable *v)
{
    return v->index_count == 1 && program->types[v->index[0]].kind == FZ_VALUE_SITE;
}

/* A short form of a value: a number, a letter, a site. */
static void add_short(const drawing *d, const fz_variable *v, uint32_t site, fzi_buffer *out)
{
    const fz_value_type *type = &d->program->types[v->type];
    int64_t value = fzi_element_get(d->program, d->block, v, site);

    switch (type->kind) {
    case FZ_VALUE_BOOL:
        fzi_buffer_char(out, value ? '*' : '.');
        break;
    case FZ_VALUE_NAMED: case FZ_VALUE_PLAYER: case FZ_VALUE_TEAM: case FZ_VALUE_KIND: {
        fzi_buffer name = fzi_buffer_in(out->allocator);
        if (type->kind == FZ_VALUE_KIND && value >= 0 &&
            *fzi_text(d->program, d->program->kinds[value].letter))
            fzi_buffer_text(&name, fzi_text(d->program, d->program->kinds[value].letter));
        else
            fzi_value_write(d->program, v->type, value, &name);
        fzi_buffer_add(out, fzi_buffer_get(&name), name.length ? 1 : 0);
        fzi_buffer_free(&name);
        break;
    }
    default:
        fzi_value_write(d->program, v->type, value, out);
        break;
    }
}

/* Is the shown value worth a mark? Where nothing can stand, counts are shown even when they are 0. */
static bool worth_showing(const drawing *d, const fz_variable *v, uint32_t site)
{
    const fz_value_type *type = &d->program->types[v->type];
    int64_t value = fzi_element_get(d->program, d->block, v, site);

    if (!visible(d, v, site))
        return false;
    if (d->program->kind_count == 0 && type->kind == FZ_VALUE_INT)
        return true;
    return value != v->initial;
}

static void add_shown(const drawing *d, uint32_t site, bool occupied, fzi_buffer *out)
{
    bool first = true;

    for (uint32_t i = 0; i < d->program->variable_count; i++) {
        const fz_variable *v = &d->program->variables[i];
        if (!v->shown || !by_site(d->program, v) || fzi_element_is_set(v) ||
            !worth_showing(d, v, site))
            continue;
        if (occupied || !first)
            fzi_buffer_char(out, first ? ':' : '/');
        add_short(d, v, site, out);
        first = false;
    }
}

/* Boards that are no regular grid name their empty sites: nobody knows them by heart. */
static bool names_sites(const drawing *d)
{
    uint8_t shape = d->program->board.shape;

    return !d->named &&
           (shape == FZ_SHAPE_GRAPH || shape == FZ_SHAPE_CIRCLE || shape == FZ_SHAPE_TRACK);
}

static void fill_cell(drawing *d, unsigned site)
{
    fzi_buffer text = fzi_buffer_in(d->out->allocator);
    const fz_board *board = &d->program->board;
    cell *c = &d->cells[site];
    char piece[FZ_CELL_SIZE];
    int kind, owner;

    fzi_piece_get(d->program, d->block, site, &kind, &owner);
    c->owner = -2;
    if (fzi_words_has(d->unseen, site)) {
        fzi_buffer_char(&text, '?');
    } else {
        if (kind >= 0) {
            fzi_buffer_text(&text, fzi_cell_text(d->program, kind, owner, piece));
            c->owner = owner;
        }
        add_shown(d, site, kind >= 0, &text);
    }
    if (text.length == 0 && names_sites(d))
        fzi_buffer_text(&text, fzi_text(d->program, board->site_names[site]));
    else if (text.length == 0)
        fzi_buffer_char(&text, '.');
    snprintf(c->text, sizeof c->text, "%s", fzi_buffer_get(&text));
    c->latest = c->owner > -2 && fzi_head_of(d->state)->last_to == (int)site;
    fzi_buffer_free(&text);
}

/* The sites that a function of a player tells of p; where it depends on `me`, that is p as well. */
static fz_status sites_of(const drawing *d, int32_t function, int p, uint64_t *set)
{
    const int64_t arguments[] = {p, p};

    return fzi_state_call(d->machine, d->state, (uint32_t)function, arguments, 2, NULL, set);
}

/* Where the game says in its own way whose pieces are whose, colours show that. */
static fz_status find_owners(drawing *d)
{
    int32_t function = d->program->owned;
    uint64_t owned[FZ_MAX_WORDS];
    fz_status status = FZ_OK;

    for (int p = (int)d->program->player_count - 1; function >= 0 && p >= 0 && status == FZ_OK; p--) {
        status = sites_of(d, function, p, owned);
        for (unsigned s = 0; status == FZ_OK && s < d->program->board.site_count; s++) {
            if (fzi_words_has(owned, s) && d->cells[s].owner != -2)
                d->cells[s].owner = p;
        }
    }
    return status;
}

static fz_status fill_cells(drawing *d)
{
    unsigned sites = d->program->board.site_count;

    memset(d->cells, 0, sites * sizeof *d->cells);
    for (unsigned s = 0; s < sites; s++) {
        fill_cell(d, s);
        size_t n = fzi_text_width(d->cells[s].text);
        d->width = n > d->width ? n : d->width;
    }
    return find_owners(d);
}

/* ---- placing ---- */

/* A line for each height that occurs, from the top. */
static int place_lines(drawing *d)
{
    const fz_board *board = &d->program->board;
    int16_t heights[FZ_MAX_SITES];
    int lines = 0;

    for (unsigned s = 0; s < board->site_count; s++) {
        int at = 0;
        while (at < lines && heights[at] > d->y[s])
            at++;
        if (at < lines && heights[at] == d->y[s])
            continue;
        memmove(heights + at + 1, heights + at, (size_t)(lines - at) * sizeof *heights);
        heights[at] = d->y[s];
        lines++;
    }
    for (unsigned s = 0; s < board->site_count; s++) {
        for (d->line[s] = 0; heights[d->line[s]] != d->y[s];)
            d->line[s]++;
    }
    return lines;
}

/* The least columns for half a cell so that neighbours in a line do not touch. 0: some sites lie at the
 * same place, and the board cannot be drawn so. */
static size_t half_width(const drawing *d)
{
    const fz_board *board = &d->program->board;
    int nearest = 32767;

    for (unsigned s = 0; s < board->site_count; s++) {
        for (unsigned t = 0; t < s; t++) {
            int apart = abs(d->x[s] - d->x[t]);
            if (d->line[s] == d->line[t] && apart < nearest)
                nearest = apart;
        }
    }
    if (nearest == 0)
        return 0;
    return (d->width + 1 + (size_t)nearest - 1) / (size_t)nearest;
}

static int least_x(const drawing *d)
{
    int least = d->x[0];

    for (unsigned s = 1; s < d->program->board.site_count; s++)
        least = d->x[s] < least ? d->x[s] : least;
    return least;
}

/* The sites of a line by x; returns how many. */
static unsigned line_sites(const drawing *d, int line, uint16_t *sites)
{
    const fz_board *board = &d->program->board;
    unsigned count = 0;

    for (unsigned s = 0; s < board->site_count; s++) {
        unsigned at = count;
        if (d->line[s] != line)
            continue;
        for (; at > 0 && d->x[sites[at - 1]] > d->x[s]; at--)
            sites[at] = sites[at - 1];
        sites[at] = (uint16_t)s;
        count++;
    }
    return count;
}

/* ---- printing ---- */

/* Players who are called by a colour have it; the others take the next that nobody is called by. */
static const char *colour_of(const fz_program *program, int player)
{
    static const struct {
        const char *name, *code;
    } colours[] = {{"Cyan", "1;36"}, {"Red", "1;31"}, {"Green", "1;32"}, {"Purple", "1;35"},
                   {"Yellow", "1;33"}, {"Blue", "1;34"}};
    enum { COLOURS = sizeof colours / sizeof colours[0] };
    bool taken[COLOURS] = {false};
    int left = COLOURS, other = 0;

    for (int p = 0; p < (int)program->player_count; p++) {
        const char *name = fzi_text(program, program->players[p].name);
        bool named = false;
        for (int i = 0; i < COLOURS; i++) {
            if (strcmp(name, colours[i].name) != 0)
                continue;
            if (p == player)
                return colours[i].code;
            left -= !taken[i];
            taken[i] = named = true;
        }
        other += !named && p < player;
    }
    for (int i = 0, n = left ? other % left : 0; i < COLOURS; i++)
        if (!taken[i] && n-- == 0)
            return colours[i].code;
    return "1";
}

static void add_cell(const drawing *d, const cell *c)
{
    if (!d->colour) {
        fzi_buffer_text(d->out, c->text);
        return;
    }
    if (c->owner >= 0)
        fzi_buffer_format(d->out, "\033[%s%sm", colour_of(d->program, c->owner), c->latest ? ";4" : "");
    else if (c->owner == -1)
        fzi_buffer_text(d->out, "\033[1m");
    else if (strcmp(c->text, ".") == 0 || names_sites(d))
        fzi_buffer_text(d->out, "\033[2m");
    else
        fzi_buffer_text(d->out, "\033[33m");
    fzi_buffer_text(d->out, c->text);
    fzi_buffer_text(d->out, "\033[0m");
}

static void add_dim(const drawing *d, const char *text)
{
    if (d->colour)
        fzi_buffer_format(d->out, "\033[2m%s\033[0m", text);
    else
        fzi_buffer_text(d->out, text);
}

/* Blanks up to a column; at least none. Returns the column reached. */
static size_t pad_to(const drawing *d, size_t now, size_t wanted)
{
    if (wanted > now)
        fzi_buffer_repeat(d->out, ' ', wanted - now);
    return wanted > now ? wanted : now;
}

/* "e4" is column name "e" and row number 4. */
static size_t letters_of(const char *name)
{
    size_t n = 0;

    while (isalpha((unsigned char)name[n]))
        n++;
    return n;
}

/* Do sites of the same letters stand above each other, and those of the same number in a line? Then both
 * can be written at the edges. */
static bool has_edges(const drawing *d)
{
    const fz_board *board = &d->program->board;

    if (names_sites(d))
        return false;
    for (unsigned s = 0; s < board->site_count; s++) {
        const char *name = fzi_text(d->program, board->site_names[s]);
        size_t n = letters_of(name);
        if (n == 0 || n > 2 || !name[n] || name[n + strspn(name + n, "0123456789")])
            return false;
        for (unsigned t = 0; t < s; t++) {
            const char *other = fzi_text(d->program, board->site_names[t]);
            bool same_letters = letters_of(other) == n && memcmp(name, other, n) == 0;
            bool same_number = strcmp(name + n, other + letters_of(other)) == 0;
            if (same_letters != (d->x[s] == d->x[t]) || same_number != (d->line[s] == d->line[t]))
                return false;
        }
    }
    return true;
}

static void add_column_names(const drawing *d, size_t margin)
{
    const fz_board *board = &d->program->board;
    int least = least_x(d), after = least - 1;
    size_t now = 0;

    for (;;) {
        int best = -1;
        for (unsigned s = 0; s < board->site_count; s++) {
            if (d->x[s] > after && (best < 0 || d->x[s] < d->x[best]))
                best = (int)s;
        }
        if (best < 0)
            break;
        const char *site = fzi_text(d->program, board->site_names[best]);
        char name[16];
        snprintf(name, sizeof name, "%.*s", (int)letters_of(site), site);
        now = pad_to(d, now, margin + (size_t)(d->x[best] - least) * d->half);
        add_dim(d, name);
        now += strlen(name);
        after = d->x[best];
    }
    fzi_buffer_char(d->out, '\n');
}

/* How far a column of letters runs to the side from one line down to the next; 0: not known. */
static int column_slant(const drawing *d, unsigned site)
{
    const fz_board *board = &d->program->board;
    const char *name = fzi_text(d->program, board->site_names[site]);
    size_t n = letters_of(name);

    for (unsigned t = 0; n && n <= 2 && name[n] && t < board->site_count; t++) {
        const char *other = fzi_text(d->program, board->site_names[t]);
        if (d->line[t] == d->line[site] - 1 && letters_of(other) == n && memcmp(name, other, n) == 0)
            return d->x[site] - d->x[t];
    }
    return 0;
}

/* On skewed boards the letters of the columns stand below the lowest line, where their columns would go on. */
static void add_slanted_names(const drawing *d, size_t margin)
{
    uint16_t sites[FZ_MAX_SITES];
    unsigned count = line_sites(d, d->lines - 1, sites);
    int slant = count ? column_slant(d, sites[0]) : 0, least = least_x(d);
    size_t now = 0;

    if (slant == 0 || count < 2)
        return;
    for (unsigned i = 0; i < count; i++) {
        const char *site = fzi_text(d->program, d->program->board.site_names[sites[i]]);
        long at = (long)margin + (long)(d->x[sites[i]] - least + slant) * (long)d->half;
        char name[16];
        snprintf(name, sizeof name, "%.*s", (int)letters_of(site), site);
        now = pad_to(d, now, at > 0 ? (size_t)at : 0);
        add_dim(d, name);
        now += strlen(name);
    }
    fzi_buffer_char(d->out, '\n');
}

static size_t margin_width(const drawing *d, bool edges)
{
    const fz_board *board = &d->program->board;
    size_t widest = 0;
    uint16_t sites[FZ_MAX_SITES];

    if (names_sites(d))
        return 2;
    for (int line = 0; line < d->lines; line++) {
        unsigned count = line_sites(d, line, sites);
        const char *name = count ? fzi_text(d->program, board->site_names[sites[0]]) : "";
        size_t n = strlen(name) - (edges ? letters_of(name) : 0);
        widest = n > widest ? n : widest;
    }
    return widest + 3;
}

static void add_line(const drawing *d, int line, size_t margin, bool edges)
{
    const fz_board *board = &d->program->board;
    uint16_t sites[FZ_MAX_SITES];
    unsigned count = line_sites(d, line, sites);
    int least = least_x(d);
    const char *name = fzi_text(d->program, board->site_names[sites[0]]);
    size_t now = 0, first = margin + (size_t)(d->x[sites[0]] - least) * d->half;

    name += edges ? letters_of(name) : 0;
    if (!names_sites(d)) {
        /* On skewed boards the name stands beside the first site of its line. */
        now = pad_to(d, 0, (edges ? margin : first) - 2 - strlen(name));
        add_dim(d, name);
        now += strlen(name);
    }
    for (unsigned i = 0; i < count; i++) {
        const cell *c = &d->cells[sites[i]];
        now = pad_to(d, now, margin + (size_t)(d->x[sites[i]] - least) * d->half);
        add_cell(d, c);
        now += fzi_text_width(c->text);
    }
    if (!edges && !names_sites(d) && count > 1) {
        fzi_buffer_text(d->out, "  ");
        add_dim(d, fzi_text(d->program, board->site_names[sites[count - 1]]));
    }
    fzi_buffer_char(d->out, '\n');
}

/* The board as a list, where sites lie upon each other. */
static void add_list(const drawing *d)
{
    const fz_board *board = &d->program->board;

    for (unsigned s = 0; s < board->site_count; s++) {
        if (d->cells[s].owner == -2 && strcmp(d->cells[s].text, ".") == 0)
            continue;
        fzi_buffer_format(d->out, "  %s ", fzi_text(d->program, board->site_names[s]));
        add_cell(d, &d->cells[s]);
        fzi_buffer_char(d->out, '\n');
    }
}

static void add_board(drawing *d)
{
    bool edges;
    size_t margin;

    d->lines = place_lines(d);
    d->half = half_width(d);
    if (d->half == 0) {
        add_list(d);
        return;
    }
    edges = has_edges(d);
    margin = margin_width(d, edges);
    for (int line = 0; line < d->lines; line++)
        add_line(d, line, margin, edges);
    if (edges)
        add_column_names(d, margin);
    else if (!names_sites(d))
        add_slanted_names(d, margin);
}

/* ---- what stands below ---- */

static bool shown_below(const drawing *d, const fz_variable *v)
{
    return v->shown && !by_site(d->program, v);
}

/* What a player has, such as pieces in hand and points, is always told, and not only when it has changed. */
static void show_holdings(const drawing *d, uint8_t *base)
{
    const fz_program *p = d->program;

    for (uint32_t i = 0; i < p->variable_count; i++) {
        const fz_variable *v = &p->variables[i];
        bool by_player = v->index_count >= 1 && p->types[v->index[0]].kind == FZ_VALUE_PLAYER;
        bool by_kind = v->index_count == 2 && p->types[v->index[1]].kind == FZ_VALUE_KIND;
        if (!by_player || !(v->index_count == 1 || by_kind) || v->is_set || v->hidden ||
            p->types[v->type].kind != FZ_VALUE_INT)
            continue;
        for (uint32_t e = 0; e < fzi_element_count(p, v); e++)
            fzi_element_put(p, base, v, e, 0);
    }
}

/* Site arrays are in the cells or would fill the screen, unless only few of their elements are set. */
static bool listed_below(const drawing *d, const fz_variable *v)
{
    uint32_t set = 0, count = fzi_element_count(d->program, v);

    if (v->hidden || (v->shown && by_site(d->program, v) && !fzi_element_is_set(v)))
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

static void add_secret(const drawing *d, const fz_variable *v)
{
    uint32_t count = fzi_element_count(d->program, v);

    for (uint32_t e = 0; e < count; e++) {
        if (!visible(d, v, e) || fzi_element_same(d->program, d->block, d->base, v, e))
            continue;
        fzi_buffer_format(d->out, "  %s", fzi_text(d->program, v->name));
        fzi_element_index_write(d->program, v, e, d->out);
        fzi_buffer_text(d->out, " = ");
        fzi_element_write(d->program, d->block, v, e, d->out);
        fzi_buffer_char(d->out, '\n');
    }
}

static void add_variables(const drawing *d)
{
    for (uint32_t i = 0; i < d->program->variable_count; i++) {
        const fz_variable *v = &d->program->variables[i];
        if (v->secret && !v->hidden && d->viewer >= 0)
            add_secret(d, v);
        else if (listed_below(d, v))
            fzi_variable_write(d->program, d->block, shown_below(d, v) ? NULL : d->base, v, "  ",
                               d->out);
    }
}

/* In the colour of the player's pieces. */
static void add_player(const drawing *d, int player)
{
    const char *name = player < 0 ? "nobody" : fzi_text(d->program, d->program->players[player].name);

    if (d->colour && player >= 0)
        fzi_buffer_format(d->out, "\033[%sm%s\033[0m", colour_of(d->program, player), name);
    else
        fzi_buffer_text(d->out, name);
}

static void add_result(const drawing *d)
{
    const fzi_head *head = fzi_head_of(d->state);
    unsigned players = d->program->player_count, first = 0;
    const char *between = "";

    for (unsigned p = 0; p < players; p++)
        first += head->rank[p] == 1;
    if (first == players) {
        fzi_buffer_text(d->out, players == 1 ? "The game is over" : "Drawn");
    } else {
        for (unsigned p = 0; p < players; p++) {
            if (head->rank[p] != 1)
                continue;
            fzi_buffer_text(d->out, between);
            add_player(d, (int)p);
            between = " and ";
        }
        fzi_buffer_text(d->out, first == 1 ? " has won" : " have won");
    }
    if (players > 2 && first != players) {
        fzi_buffer_text(d->out, "; ranks");
        for (unsigned p = 0; p < players; p++) {
            fzi_buffer_text(d->out, p ? ", " : " ");
            add_player(d, (int)p);
            fzi_buffer_format(d->out, " %d", head->rank[p]);
        }
    }
    fzi_buffer_format(d->out, "%s, after %u turns.\n", head->stopped ? " (stopped by the limit)" : "",
                      head->turns);
}

/* What the player to choose has done in this turn already. */
static void add_played(const drawing *d)
{
    fzi_position position = fzi_position_of(d->state);

    if (!position.block || position.played_count == 0)
        return;
    fzi_buffer_text(d->out, position.in_setup ? "So far:" : "So far in this turn:");
    fzi_played_write(d->machine, d->state, &position, d->viewer, " ", ",", d->out);
    if (!d->out->failed)
        d->out->data[d->out->length - 1] = '.';
    fzi_buffer_char(d->out, '\n');
}

static void add_status(const drawing *d)
{
    const fzi_head *head = fzi_head_of(d->state);

    if (head->waiting == FZ_GAME_OVER) {
        add_result(d);
        return;
    }
    if (head->waiting == FZ_WAITING_CHANCE) {
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

/* Where a graph's sites lie: its names may say it better than the board does. */
static void place_sites(drawing *d)
{
    const fz_board *board = &d->program->board;
    unsigned count = board->site_count;

    memcpy(d->x, board->x, count * sizeof *d->x);
    memcpy(d->y, board->y, count * sizeof *d->y);
    if (board->shape != FZ_SHAPE_GRAPH)
        return;
    for (unsigned s = 0; s < count; s++) {
        const char *name = fzi_text(d->program, board->site_names[s]);
        if (!islower((unsigned char)name[0]) || !isdigit((unsigned char)name[1]) || strlen(name) > 3 ||
            (name[2] && !isdigit((unsigned char)name[2]))) {
            memcpy(d->x, board->x, count * sizeof *d->x);
            memcpy(d->y, board->y, count * sizeof *d->y);
            return;
        }
        d->x[s] = (int16_t)(2 * (name[0] - 'a'));
        d->y[s] = (int16_t)(2 * atoi(name + 1));
    }
    d->named = true;
}

/* ---- the whole ---- */

/* Draws d->block, with room for the cells. */
static fz_status draw_block(drawing *d, fzi_buffer *out)
{
    unsigned sites = d->program->board.site_count;
    fz_status status = FZ_OK;

    d->cells = fzi_allocate(out->allocator, sites * sizeof *d->cells);
    d->line = fzi_allocate(out->allocator, sites * sizeof *d->line);
    d->x = fzi_allocate(out->allocator, sites * sizeof *d->x);
    d->y = fzi_allocate(out->allocator, sites * sizeof *d->y);
    d->out = out;
    if (d->cells && d->line && d->x && d->y) {
        place_sites(d);
        status = fill_cells(d);
        add_board(d);
        add_variables(d);
        add_played(d);
        add_status(d);
    } else {
        out->failed = true;
    }
    fzi_release(out->allocator, d->cells);
    fzi_release(out->allocator, d->line);
    fzi_release(out->allocator, d->x);
    fzi_release(out->allocator, d->y);
    return status;
}

static fz_status draw(drawing *d, char **text)
{
    fzi_buffer out = fzi_buffer_in(d->machine->allocator);
    fz_state *base = fzi_position_new(d->state);
    fzi_observed seen = {0};
    fz_status status = FZ_OK;

    if (!base)
        return fzi_machine_say(d->machine, FZ_NO_MEMORY, "out of memory");
    d->base = base->block;
    d->block = d->state->block;
    if (d->viewer >= 0) {
        status = fzi_observe(d->machine, d->state, d->viewer, d->base, &seen);
        d->block = seen.state ? seen.state->block : d->block;
        memcpy(d->unseen, seen.unseen, sizeof d->unseen);
    }
    show_holdings(d, base->block);
    if (status == FZ_OK)
        status = draw_block(d, &out);
    fzi_observed_clear(&seen);
    fz_state_free(base);
    if (status != FZ_OK) {
        fzi_buffer_free(&out);
        return status;
    }
    status = fzi_buffer_finish(&out, text);
    return status == FZ_OK ? status : fzi_machine_say(d->machine, status, "out of memory");
}

fz_status fz_state_draw_for(fz_machine *machine, const fz_state *state, int player, bool colour,
                            char **text)
{
    drawing d = {.program = state->program, .state = state, .machine = machine, .viewer = player,
                 .colour = colour};

    fzi_machine_begin(machine);
    if (player >= (int)state->program->player_count)
        return fzi_machine_say(machine, FZ_USAGE, "there is no player %d", player);
    return draw(&d, text);
}

fz_status fz_state_draw(fz_machine *machine, const fz_state *state, bool colour, char **text)
{
    return fz_state_draw_for(machine, state, -1, colour, text);
}
