/* Draws boards as text, for draw.c. Every site is a cell of one width, placed by draw_places.c,
 * with coordinates at the edges where possible. draw_shown.c chooses the texts of the cells. */
#include <stdio.h>

#include "draw.h"
#include "interp/support/words.h"

/* In the order in which players get them. Blue is the bright one of the 16, as the other can hardly
 * be seen on black; the first two can be read on white too. Those of the palette are about as light
 * as a middle grey, and have a contrast of 3.3 at least with black and with white. */
static const struct {
    const char *name, *code, *palette;
} colours[] = {{"Blue", "94", "38;5;27"},    {"Red", "31", "38;5;160"},
               {"Green", "32", "38;5;28"},   {"Purple", "35", "38;5;133"},
               {"Yellow", "33", "38;5;136"}, {"Cyan", "36", "38;5;30"}};
enum { YELLOW = 4, COLOURS = sizeof colours / sizeof colours[0] };

/* ---- colours ---- */

/* The colour of the name, among those that players may be called by; -1: it is none. */
static int colour_called(const char *name)
{
    for (int i = 0; i < COLOURS; i++) {
        if (strcmp(name, colours[i].name) == 0)
            return i;
    }
    return -1;
}

static const char *code_of(const fzi_drawing *d, int colour)
{
    return d->palette ? colours[colour].palette : colours[colour].code;
}

/* The colour that a value is called by; -1: by none. */
static int colour_of_value(const fzi_drawing *d, const fzi_shown_value *v, uint32_t element)
{
    const fz_value_type *type = &d->program->types[v->like->type];
    int64_t value = fzi_element_get(v->program, v->block, v->like, element);

    const char *name =
        fzi_shown_known(d, v, element) ? fzi_value_own_name(d->program, type, value) : NULL;
    return name ? colour_called(name) : -1;
}

/* The colour that a player has, as a shown value of each player is called by one, or is called
 * by. */
static int own_colour(const fzi_drawing *d, int player)
{
    for (unsigned i = 0; i < d->shown_count; i++) {
        const fz_variable *like = d->shown[i].like;
        bool by_player =
            like->index_count == 1 && d->program->types[like->index[0]].kind == FZ_VALUE_PLAYER;
        int colour =
            by_player && !like->is_set ? colour_of_value(d, &d->shown[i], (uint32_t)player) : -1;
        if (colour >= 0)
            return colour;
    }
    return colour_called(fzi_text(d->program, d->program->players[player].name));
}

/* The first `let` by site whose values are players or colours. Variables are not used as
 * colours, since their values must be readable. */
static const fzi_shown_value *find_ground(const fzi_drawing *d)
{
    for (unsigned i = 0; i < d->shown_count; i++) {
        const fzi_shown_value *v = &d->shown[i];
        const fz_value_type *type = &d->program->types[v->like->type];
        if (v->program != &d->lets.layout || v->mark || !fzi_is_on_sites(d->program, v->like))
            continue;
        if (type->kind == FZ_VALUE_PLAYER)
            return v;
        for (int64_t n = 0; type->kind == FZ_VALUE_NAMED && n <= type->high; n++)
            if (colour_called(fzi_value_own_name(d->program, type, n)) >= 0)
                return v;
    }
    return NULL;
}

/* Other players take the next free colour. */
static int colour_of_player(const fzi_drawing *d, int player)
{
    bool taken[COLOURS] = {false};
    int left = COLOURS, other = 0, own = own_colour(d, player);

    if (own >= 0)
        return own;
    for (int p = 0; p < (int)d->program->player_count; p++) {
        int colour = own_colour(d, p);
        if (colour >= 0) {
            left -= !taken[colour];
            taken[colour] = true;
        }
        other += colour < 0 && p < player;
    }
    for (int i = 0, n = left ? other % left : 0; i < COLOURS; i++)
        if (!taken[i] && n-- == 0)
            return i;
    return -1;
}

const char *fzi_player_colour_name(const fzi_drawing *d, int player)
{
    int colour = own_colour(d, player);

    return colour < 0 ? NULL : colours[colour].name;
}

const char *fzi_player_colour(const fzi_drawing *d, int player)
{
    if (d->wooden)
        return "39";
    int colour = colour_of_player(d, player);

    return colour < 0 ? "39" : code_of(d, colour);
}

/* The colour that the site itself has by its name, or -1 and the player whose colour it has; -1. */
static int find_ground_of(const fzi_drawing *d, unsigned site, int *player)
{
    const fzi_shown_value *v = d->ground;

    *player = -1;
    if (!v || fzi_words_has(d->unseen, site) || !fzi_shown_known(d, v, site))
        return -1;
    if (d->program->types[v->like->type].kind != FZ_VALUE_PLAYER)
        return colour_of_value(d, v, site);
    int64_t value = fzi_element_get(v->program, v->block, v->like, site);
    *player = value < d->program->player_count ? (int)value : -1;
    return -1;
}

/* The colour of a site's dot and of its arrows; -1: none. */
static int ground_of(const fzi_drawing *d, unsigned site)
{
    int player, colour = find_ground_of(d, site, &player);

    return !d->colour ? -1 : player >= 0 ? colour_of_player(d, player) : colour;
}

const char *fzi_ground_name(const fzi_drawing *d, unsigned site, int *player)
{
    int colour = find_ground_of(d, site, player);

    return colour < 0 ? NULL : colours[colour].name;
}

/* The least columns for half a cell so that neighbours in a line do not touch, and arrows have
 * room. */
static size_t half_width(const fzi_drawing *d)
{
    size_t wanted = d->width + (d->ways ? 3 : 1), nearest = (size_t)d->nearest;

    return (wanted + nearest - 1) / nearest;
}

/* ---- boards with colours of their own ---- */

static bool is_called(const fzi_drawing *d, int player, const char *name)
{
    return strcmp(fzi_text(d->program, d->program->players[player].name), name) == 0;
}

/* White and Black play on a grid, with nothing between the cells and nothing below them. */
static bool is_wooden(const fzi_drawing *d)
{
    const fz_board *board = &d->program->board;

    if (!d->colour || !d->palette || d->program->player_count != 2 || !d->nearest || d->ways ||
        d->ground || board->has_sorts || fzi_names_sites(d) ||
        !(is_called(d, 0, "White") || is_called(d, 0, "Black")) ||
        !(is_called(d, 1, "White") || is_called(d, 1, "Black")))
        return false;
    for (unsigned s = 0; s < board->site_count; s++)
        if (d->cells[s].under)
            return false;
    return true;
}

/* White and black have a contrast of 3.2 at least with each of the grounds. */
static const char *wood_of(const fzi_drawing *d, unsigned site)
{
    int column = (d->x[site] - d->left) / d->nearest, row = d->lines - 1 - d->line[site];

    if (fzi_region_of(d, site) >= 0)
        return "48;5;65";
    return d->checkered && (column + row) % 2 == 0 ? "48;5;94" : "48;5;137";
}

/* A cell from the blank before it to that of the next one. Returns its width. */
static size_t add_wooden(const fzi_drawing *d, const fzi_drawn_cell *c)
{
    bool empty = strcmp(c->text, ".") == 0;
    const char *text = empty && d->checkered ? " " : c->text;
    size_t width = d->half * (size_t)d->nearest, used = 1 + fzi_text_width(text);
    const char *colour = c->owner >= 0 ? is_called(d, c->owner, "White") ? "231" : "16"
                         : empty      ? "94" : "226";

    fzi_buffer_format(d->out, "\033[%s;%s38;5;%sm %s%s%s",
                      wood_of(d, (unsigned)(c - d->cells)), empty ? "" : "1;", colour,
                      c->latest ? "\033[4m" : "", text, c->latest ? "\033[24m" : "");
    if (width > used)
        fzi_buffer_repeat(d->out, ' ', width - used);
    fzi_buffer_text(d->out, "\033[0m");
    return width > used ? width : used;
}

/* ---- printing ---- */

/* A light grey background, and dark text where the text has no colour. */
static void shade(const fzi_drawing *d)
{
    fzi_buffer_text(d->out, d->palette ? "\033[48;5;253;38;5;238m" : "\033[47;30m");
}

static void add_cell(const fzi_drawing *d, const fzi_drawn_cell *c)
{
    bool empty = strcmp(c->text, ".") == 0 || strcmp(c->text, "+") == 0;

    if (!d->colour || !*c->text) {
        fzi_buffer_text(d->out, c->text);
        return;
    }
    int ground = ground_of(d, (unsigned)(c - d->cells));
    bool shaded = d->symbols && fzi_region_of(d, (unsigned)(c - d->cells)) >= 0;
    if (shaded)
        shade(d);
    if (c->owner >= 0)
        fzi_buffer_format(d->out, "\033[1;%s%sm", fzi_player_colour(d, c->owner),
                          c->latest ? ";4" : "");
    else if (c->owner == -1)
        fzi_buffer_text(d->out, "\033[1m");
    else if (ground >= 0)
        fzi_buffer_format(d->out, "\033[%sm", code_of(d, ground));
    else if (!shaded)
        fzi_buffer_format(d->out, "\033[%sm",
                          empty || fzi_names_sites(d) ? "2" : code_of(d, YELLOW));
    fzi_buffer_text(d->out, c->text);
    fzi_buffer_text(d->out, "\033[0m");
}

static void add_dim(const fzi_drawing *d, const char *text)
{
    if (d->colour)
        fzi_buffer_format(d->out, "\033[2m%s\033[0m", text);
    else
        fzi_buffer_text(d->out, text);
}

/* Blanks up to a column; at least none. Returns the column reached. */
static size_t pad_to(const fzi_drawing *d, size_t now, size_t wanted)
{
    if (wanted > now)
        fzi_buffer_repeat(d->out, ' ', wanted - now);
    return wanted > now ? wanted : now;
}

/* In the colour of the ground it leads over. */
static void add_arrow(const fzi_drawing *d, const fzi_arrow *arrow)
{
    int from = ground_of(d, (unsigned)(arrow->ways == 2 ? arrow->high : arrow->low));
    bool alike = arrow->ways != 3 || ground_of(d, (unsigned)arrow->high) == from;

    if (from >= 0 && alike)
        fzi_buffer_format(d->out, "\033[%sm%s\033[0m", code_of(d, from),
                          fzi_arrow_text(d, arrow));
    else
        fzi_buffer_text(d->out, fzi_arrow_text(d, arrow));
}

/* The arrows of a row up to a column. Returns the column reached. */
static size_t add_arrows(const fzi_drawing *d, size_t row, size_t now, size_t wanted)
{
    for (size_t column = now; d->ways && column < wanted; column++) {
        const fzi_arrow *arrow = &d->arrows[row * d->columns + column];
        if (!arrow->ways)
            continue;
        pad_to(d, now, column);
        add_arrow(d, arrow);
        now = column + 1;
    }
    return now;
}

size_t fzi_name_letters(const char *name)
{
    size_t n = 0;

    while (isalpha((unsigned char)name[n]))
        n++;
    return n;
}

size_t fzi_name_prefix(const char *name)
{
    size_t n = 0, letters = fzi_name_letters(name);

    for (size_t i = 0; i < letters; i++) {
        if (isupper((unsigned char)name[i]))
            n = i + 1;
    }
    return n;
}

/* Names stand at the edges of cells; edges and vertices are named from these. */
static bool is_labelled(const fzi_drawing *d, unsigned site)
{
    return fzi_sort_of(&d->program->board, site) == FZ_SORT_CELL;
}

bool fzi_has_edges(const fzi_drawing *d)
{
    const fz_board *board = &d->program->board;

    if (fzi_names_sites(d))
        return false;
    for (unsigned s = 0; s < board->site_count; s++) {
        const char *name = fzi_text(d->program, board->site_names[s]);
        size_t n = fzi_name_letters(name);
        if (!is_labelled(d, s))
            continue;
        if (n == 0 || n - fzi_name_prefix(name) > 2 || !name[n] ||
            name[n + strspn(name + n, "0123456789")])
            return false;
        for (unsigned t = 0; t < s; t++) {
            const char *other = fzi_text(d->program, board->site_names[t]);
            if (!is_labelled(d, t))
                continue;
            bool same_letters = fzi_name_letters(other) == n && memcmp(name, other, n) == 0;
            bool same_number = strcmp(name + n, other + fzi_name_letters(other)) == 0;
            if (same_letters != (d->x[s] == d->x[t]) || same_number != (d->line[s] == d->line[t]))
                return false;
        }
    }
    return true;
}

/* The next column of cells to the right of `after`; -1: there is none. */
static int next_column(const fzi_drawing *d, int after)
{
    int best = -1;

    for (unsigned s = 0; s < d->program->board.site_count; s++) {
        if (d->x[s] > after && (best < 0 || d->x[s] < d->x[best]) && is_labelled(d, s))
            best = (int)s;
    }
    return best;
}

/* The first `length` letters of a text at a column of a line that has reached `now`. Returns the
 * column reached. */
static size_t add_label(const fzi_drawing *d, size_t now, size_t column, const char *text,
                        size_t length)
{
    char label[32];

    snprintf(label, sizeof label, "%.*s", (int)length, text);
    now = pad_to(d, now, column);
    add_dim(d, label);
    return now + strlen(label);
}

static void add_column_names(const fzi_drawing *d)
{
    size_t now = 0;

    for (int s, after = d->left - 1; (s = next_column(d, after)) >= 0; after = d->x[s]) {
        const char *name = fzi_text(d->program, d->program->board.site_names[s]);
        size_t prefix = fzi_name_prefix(name);
        now = add_label(d, now, fzi_column_of(d, (unsigned)s), name + prefix,
                        fzi_name_letters(name) - prefix);
    }
    fzi_buffer_char(d->out, '\n');
}

/* Above each layer, its prefix; no line if there are none. */
static void add_prefixes(const fzi_drawing *d)
{
    const char *last = "";
    size_t now = 0, length = 0;

    for (int s, after = d->left - 1; (s = next_column(d, after)) >= 0; after = d->x[s]) {
        const char *name = fzi_text(d->program, d->program->board.site_names[s]);
        size_t prefix = fzi_name_prefix(name);
        if (prefix == length && memcmp(name, last, length) == 0)
            continue;
        last = name;
        length = prefix;
        now = add_label(d, now, fzi_column_of(d, (unsigned)s), name, prefix);
    }
    if (now)
        fzi_buffer_char(d->out, '\n');
}

/* The horizontal distance between two sites with the same letters in neighbouring lines; 0:
 * unknown. */
static int column_slant(const fzi_drawing *d, unsigned site)
{
    const fz_board *board = &d->program->board;
    const char *name = fzi_text(d->program, board->site_names[site]);
    size_t n = fzi_name_letters(name);

    for (unsigned t = 0; n && n <= 2 && name[n] && t < board->site_count; t++) {
        const char *other = fzi_text(d->program, board->site_names[t]);
        if (d->line[t] == d->line[site] - 1 && fzi_name_letters(other) == n &&
            memcmp(name, other, n) == 0)
            return d->x[site] - d->x[t];
    }
    return 0;
}

/* On skewed boards, the letters of the columns stand below the lowest line, at the ends of the
 * slanted columns. */
static void add_slanted_names(const fzi_drawing *d)
{
    uint16_t sites[FZ_MAX_SITES];
    unsigned count = fzi_line_sites(d, d->lines - 1, sites);
    int slant = count ? column_slant(d, sites[0]) : 0;
    size_t now = 0;

    if (slant == 0 || count < 2 || d->program->board.has_sorts)
        return;
    for (unsigned i = 0; i < count; i++) {
        const char *site = fzi_text(d->program, d->program->board.site_names[sites[i]]);
        long at = (long)fzi_column_of(d, sites[i]) + slant * (long)d->half;
        now = add_label(d, now, at > 0 ? (size_t)at : 0, site, fzi_name_letters(site));
    }
    fzi_buffer_char(d->out, '\n');
}

/* The name of the first or the last cell of a line; "": it has none. */
static const char *line_name(const fzi_drawing *d, const uint16_t *sites, unsigned count, bool last)
{
    for (unsigned i = 0; i < count; i++) {
        unsigned site = sites[last ? count - 1 - i : i];
        if (is_labelled(d, site))
            return fzi_text(d->program, d->program->board.site_names[site]);
    }
    return "";
}

static size_t margin_width(const fzi_drawing *d, bool edges)
{
    size_t widest = 0;
    uint16_t sites[FZ_MAX_SITES];

    if (fzi_names_sites(d))
        return 2;
    for (int line = 0; line < d->lines; line++) {
        const char *name = line_name(d, sites, fzi_line_sites(d, line, sites), false);
        size_t n = strlen(name) - (edges ? fzi_name_letters(name) : 0);
        widest = n > widest ? n : widest;
    }
    return widest + 3;
}

/* True if a line joins the two neighbours of a row: one is an edge with a piece, the other one
 * of its ends. */
static bool is_drawn_through(const fzi_drawing *d, unsigned left, unsigned right)
{
    unsigned edge = fzi_sort_of(&d->program->board, left) == FZ_SORT_EDGE ? left : right;
    unsigned end = edge == left ? right : left, ends[2];

    return d->cells[edge].owner != -2 && fzi_graph_edge_ends(d->program, edge, ends) &&
           (ends[0] == end || ends[1] == end);
}

static void add_line(const fzi_drawing *d, int line, bool edges)
{
    uint16_t sites[FZ_MAX_SITES];
    unsigned count = fzi_line_sites(d, line, sites);
    const char *name = line_name(d, sites, count, false);
    size_t now = 0;

    name += edges ? fzi_name_letters(name) : 0;
    if (!fzi_names_sites(d) && *name) {
        /* On skewed boards the name stands beside the first site of its line. */
        size_t first = edges ? d->margin : fzi_column_of(d, sites[0]);
        now = add_label(d, 0, first - 2 - strlen(name), name, strlen(name));
    }
    for (unsigned i = 0; i < count; i++) {
        const fzi_drawn_cell *c = &d->cells[sites[i]];
        size_t column = fzi_column_of(d, sites[i]);
        if (!*c->text)
            continue;
        now = i ? add_arrows(d, 2 * (size_t)line, now, column) : now;
        if (i && is_drawn_through(d, sites[i - 1], sites[i]) && column > now) {
            fzi_buffer_repeat(d->out, '-', column - now);
            now = column;
        }
        if (d->wooden) {
            now = pad_to(d, now, column - 1);
            now += add_wooden(d, c);
            continue;
        }
        now = pad_to(d, now, column);
        add_cell(d, c);
        now += fzi_text_width(c->text);
    }
    name = line_name(d, sites, count, true);
    if (!edges && !fzi_names_sites(d) && count > 1 && *name) {
        fzi_buffer_text(d->out, "  ");
        add_dim(d, name);
    }
    fzi_buffer_char(d->out, '\n');
}

/* A piece under the top one of a site, so many places below. Returns its width. */
static size_t add_buried(const fzi_drawing *d, unsigned site, unsigned below)
{
    char cell[FZ_CELL_SIZE];
    unsigned height = fzi_stack_height(d->program, d->block, site);
    int kind, owner;

    fzi_stack_get(d->program, d->block, site, height - below, &kind, &owner);
    const char *text = fzi_drawn_piece(d, kind, owner, cell);
    if (d->colour && owner >= 0)
        fzi_buffer_format(d->out, "\033[%sm%s\033[0m", fzi_player_colour(d, owner), text);
    else
        fzi_buffer_text(d->out, text);
    return fzi_text_width(text);
}

/* The pieces under those of a line hang below them, the highest first. */
static void add_stacks(const fzi_drawing *d, int line)
{
    uint16_t sites[FZ_MAX_SITES];
    unsigned count = fzi_line_sites(d, line, sites), most = 0;

    for (unsigned i = 0; i < count; i++)
        most = d->cells[sites[i]].under > most ? d->cells[sites[i]].under : most;
    for (unsigned below = 1; below <= most; below++) {
        size_t now = 0;
        for (unsigned i = 0; i < count; i++) {
            if (d->cells[sites[i]].under < below)
                continue;
            now = pad_to(d, now, fzi_column_of(d, sites[i]));
            now += add_buried(d, sites[i], below);
        }
        fzi_buffer_char(d->out, '\n');
    }
}

/* The board as a list, where sites lie upon each other. */
static void add_list(const fzi_drawing *d)
{
    const fz_board *board = &d->program->board;

    for (unsigned s = 0; s < board->site_count; s++) {
        const char *text = d->cells[s].text;
        const char *name = fzi_text(d->program, board->site_names[s]);
        bool says_nothing = !*text || strcmp(text, ".") == 0 || strcmp(text, name) == 0;
        if (d->cells[s].owner == -2 && says_nothing)
            continue;
        fzi_buffer_format(d->out, "  %s ", name);
        add_cell(d, &d->cells[s]);
        for (unsigned below = 1; below <= d->cells[s].under; below++) {
            fzi_buffer_char(d->out, ' ');
            add_buried(d, s, below);
        }
        fzi_buffer_char(d->out, '\n');
    }
}

static bool has_arrows_between_lines(const fzi_drawing *d)
{
    for (size_t row = 1; row < 2 * (size_t)d->lines; row += 2) {
        for (size_t column = 0; column < d->columns; column++) {
            if (d->arrows[row * d->columns + column].ways)
                return true;
        }
    }
    return false;
}

/* The first shown set of directions by site becomes arrows between the sites. */
static const fzi_shown_value *find_ways(const fzi_drawing *d)
{
    for (unsigned i = 0; (d->nearest || d->picture) && i < d->shown_count; i++) {
        const fzi_shown_value *v = &d->shown[i];
        if (fzi_is_on_sites(d->program, v->like) &&
            fzi_is_dirs(d->program, v->like))
            return v;
    }
    return NULL;
}

/* With arrows, if there are some and they find their places. */
static bool set_arrows(fzi_drawing *d)
{
    d->half = half_width(d);
    d->columns = d->margin + (size_t)(d->right - d->left) * d->half + 1;
    size_t bytes = 2 * (size_t)d->lines * d->columns * sizeof *d->arrows;
    d->arrows = fzi_allocate(d->out->allocator, bytes);
    if (!d->arrows) {
        d->out->failed = true;
        return false;
    }
    memset(d->arrows, 0, bytes);
    return fzi_arrows_place(d);
}

/* Two lines whose sites have numbers are labelled with these above and below. */
static bool is_numbered(const fzi_drawing *d)
{
    for (unsigned s = 0; s < d->program->board.site_count; s++)
        if (d->lines != 2 || fzi_site_number(d, s) < 0)
            return false;
    return true;
}

static void add_numbers(const fzi_drawing *d, int line)
{
    uint16_t sites[FZ_MAX_SITES];
    unsigned count = fzi_line_sites(d, line, sites);
    size_t now = 0;

    for (unsigned i = 0; i < count; i++) {
        char number[16];
        snprintf(number, sizeof number, "%d", fzi_site_number(d, sites[i]));
        now = add_label(d, now, fzi_column_of(d, sites[i]), number, strlen(number));
    }
    fzi_buffer_char(d->out, '\n');
}

static void add_board(const fzi_drawing *d, bool edges)
{
    bool between = d->ways && has_arrows_between_lines(d), numbers = edges && is_numbered(d);

    if (numbers)
        add_numbers(d, 0);
    else if (edges)
        add_prefixes(d);
    for (int line = 0; line < d->lines; line++) {
        add_line(d, line, edges);
        add_stacks(d, line);
        if (between && line + 1 < d->lines) {
            add_arrows(d, 2 * (size_t)line + 1, 0, d->columns);
            fzi_buffer_char(d->out, '\n');
        }
    }
    if (numbers)
        add_numbers(d, 1);
    else if (edges)
        add_column_names(d);
    else if (!fzi_names_sites(d))
        add_slanted_names(d);
}

void fzi_shown_choose(fzi_drawing *d)
{
    d->ways = find_ways(d);
    d->ground = find_ground(d);
}

fz_status fzi_board_draw(fzi_drawing *d)
{
    bool edges = fzi_has_edges(d);

    if (d->program->board.shape == FZ_SHAPE_NONE)
        return FZ_OK;
    fzi_shown_choose(d);
    d->margin = margin_width(d, edges);
    fz_status status = fzi_cells_fill(d);
    if (status == FZ_OK && d->ways && !set_arrows(d)) {
        d->ways = NULL;
        status = fzi_cells_fill(d);
    }
    if (status == FZ_OK && !d->nearest) {
        add_list(d);
    } else if (status == FZ_OK) {
        d->half = half_width(d);
        d->wooden = is_wooden(d);
        d->checkered = fzi_is_checkered(d->program);
        add_board(d, edges);
    }
    fzi_release(d->out->allocator, d->arrows);
    d->arrows = NULL;
    return status;
}
