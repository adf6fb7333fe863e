/* Chooses the text of each site for drawings: pieces, and the values that `show` names. Called
 * by draw.c and draw_board.c. */
#include <stdio.h>

#include "draw.h"
#include "interp/support/words.h"
#include "interp/vm/game.h"

/* ---- the shown values ---- */

bool fzi_is_by_site(const fz_program *program, const fz_variable *like)
{
    return like->index_count == 1 && program->types[like->index[0]].kind == FZ_VALUE_SITE;
}

bool fzi_is_on_sites(const fz_program *program, const fz_variable *like)
{
    return fzi_is_by_site(program, like) && !fzi_element_is_set(like);
}

bool fzi_is_dirs(const fz_program *program, const fz_variable *like)
{
    const fz_value_type *type = &program->types[like->type];

    return type->kind == FZ_VALUE_MASK && program->types[type->element].kind == FZ_VALUE_DIR;
}

fz_status fzi_shown_find(fzi_drawing *d)
{
    const fz_program *p = d->program;
    size_t most = (size_t)p->variable_count + p->shown_count;
    const fzi_lets_of lets = {d->state, d->known, d->viewer < 0 ? NULL : &d->seen, d->viewer};
    fz_status status = fzi_lets_find(&d->lets, d->machine, &lets, false);

    d->shown = fzi_allocate_zeroed(d->machine->allocator, (most + 1) * sizeof *d->shown);
    if (!d->shown)
        return fzi_machine_no_memory(d->machine);
    for (uint32_t i = 0; i < p->variable_count; i++) {
        if (p->variables[i].shown)
            d->shown[d->shown_count++] =
                (fzi_shown_value){p, d->block, &p->variables[i], NULL, NULL};
    }
    for (uint32_t i = 0; status == FZ_OK && i < p->shown_count; i++) {
        const char *mark = fzi_text(p, p->shown[i].mark);
        d->shown[d->shown_count++] =
            (fzi_shown_value){&d->lets.layout, d->lets.block, &d->lets.likes[i],
                              *mark ? mark : NULL, fzi_let_unknown(&d->lets, i)};
    }
    return status;
}

/* ---- what a site says ---- */

/* True if the names of all values of an enum are short enough for a site. */
static bool has_short_names(const fz_program *p, const fz_value_type *type)
{
    enum { SHORT = 3 };

    for (int32_t i = 0; type->kind == FZ_VALUE_NAMED && i <= type->high; i++)
        if (fzi_text_width(fzi_text(p, p->name_lists[type->names + (uint32_t)i])) > SHORT)
            return false;
    return type->kind == FZ_VALUE_NAMED;
}

/* A short form of a name: the letter of a kind, the whole name if all names of the type are
 * short, else its first letter. */
static void add_name(const fz_program *p, uint16_t number, int64_t value, fzi_buffer *out)
{
    const fz_value_type *type = &p->types[number];
    fzi_buffer name = fzi_buffer_in(out->allocator);

    if (type->kind == FZ_VALUE_KIND && value >= 0 && *fzi_text(p, p->kinds[value].letter)) {
        fzi_buffer_text(out, fzi_text(p, p->kinds[value].letter));
        return;
    }
    fzi_value_text(p, number, value, false, &name);
    fzi_buffer_add(out, fzi_buffer_get(&name),
                   has_short_names(p, type) ? name.length : name.length > 0);
    out->failed |= name.failed;
    fzi_buffer_free(&name);
}

/* A short form of a value: a number, a letter, a site, an arrow. */
static void add_short(const fzi_drawing *d, const fzi_shown_value *v, uint32_t site,
                      fzi_buffer *out)
{
    const fz_value_type *type = &d->program->types[v->like->type];
    int64_t value = fzi_element_get(v->program, v->block, v->like, site);

    if (!fzi_shown_known(d, v, site)) {
        fzi_buffer_char(out, '?');
        return;
    }
    switch (type->kind) {
    case FZ_VALUE_BOOL:
        fzi_buffer_char(out, value ? '*' : '.');
        break;
    case FZ_VALUE_NAMED: case FZ_VALUE_PLAYER: case FZ_VALUE_TEAM: case FZ_VALUE_KIND:
        add_name(d->program, v->like->type, value, out);
        break;
    default:
        fzi_value_text(d->program, v->like->type, value, false, out);
        break;
    }
}

/* The directions of a site that lead to another site. */
static uint32_t leading(const fz_board *board, uint32_t site, uint32_t dirs)
{
    for (unsigned d = 0; d < board->dir_count; d++) {
        if (board->next[d * board->site_count + site] < 0)
            dirs &= ~(UINT32_C(1) << d);
    }
    return dirs;
}

/* The directions that are written on the site as arrows; 0: the value is none, or between the
 * sites. */
static uint32_t directions(const fzi_drawing *d, const fzi_shown_value *v, uint32_t site)
{
    unsigned kind = d->program->types[v->like->type].kind;
    int64_t value = fzi_element_get(v->program, v->block, v->like, site);

    if (!fzi_shown_known(d, v, site))
        return 0;
    if (kind == FZ_VALUE_DIR)
        return value >= 0 && value < d->program->board.dir_count ? UINT32_C(1) << value : 0;
    if (!fzi_is_dirs(d->program, v->like))
        return 0;
    uint32_t dirs = leading(&d->program->board, site, (uint32_t)value);
    if (v == d->ways && d->picture)
        return 0;
    return v == d->ways ? fzi_arrows_left(d, site, dirs) : dirs;
}

bool fzi_shown_names(const fzi_drawing *d, const fzi_shown_value *v, unsigned site)
{
    if (v->program->types[v->like->type].kind == FZ_VALUE_BOOL)
        return fzi_shown_known(d, v, site) &&
               fzi_element_get(v->program, v->block, v->like, site) != 0;
    for (uint32_t e = 0; e < v->like->length; e++) {
        if (!fzi_shown_known(d, v, e))
            continue;
        if (!v->like->is_set && fzi_element_get(v->program, v->block, v->like, e) == (int)site)
            return true;
        if (v->like->is_set &&
            fzi_words_has(fzi_element_sites(v->program, v->block, v->like, e), site))
            return true;
    }
    return false;
}

int fzi_region_of(const fzi_drawing *d, unsigned site)
{
    for (unsigned i = 0; i < d->shown_count; i++)
        if (d->shown[i].mark && fzi_shown_names(d, &d->shown[i], site))
            return (int)i;
    return -1;
}

/* The mark of the first region that has the site; NULL: it is in none. */
static const char *mark_of(const fzi_drawing *d, unsigned site)
{
    int region = fzi_region_of(d, site);

    return region < 0 ? NULL : d->shown[region].mark;
}

/* True if the value is shown on this site. In games without pieces, counts are shown even if
 * they are 0. */
static bool worth_showing(const fzi_drawing *d, const fzi_shown_value *v, uint32_t site)
{
    unsigned kind = d->program->types[v->like->type].kind;
    int64_t value = fzi_element_get(v->program, v->block, v->like, site);

    if (!fzi_shown_known(d, v, site))
        return v->unknown != NULL;
    if (fzi_is_dirs(d->program, v->like))
        return directions(d, v, site) != 0;
    if (d->program->kind_count == 0 && kind == FZ_VALUE_INT && !mark_of(d, site))
        return true;
    return value != v->like->initial;
}

/* Without colours, a letter replaces the colour of a site, and the sites of each player have
 * another dot. */
static bool has_letters(const fzi_drawing *d)
{
    return d->ground && !d->colour &&
           d->program->types[d->ground->like->type].kind != FZ_VALUE_PLAYER;
}

static char dot_of(const fzi_drawing *d, uint32_t site)
{
    static const char dots[] = ",';`\"^~";
    const fzi_shown_value *v = d->ground;

    if (!v || d->colour || !d->nearest || has_letters(d) || !fzi_shown_known(d, v, site))
        return '.';
    int64_t player = fzi_element_get(v->program, v->block, v->like, site);
    return player < 0 ? '.' : dots[(uint64_t)player % (sizeof dots - 1)];
}

static void add_shown(const fzi_drawing *d, uint32_t site, bool occupied, fzi_buffer *out)
{
    bool first = true;

    if (has_letters(d) && !occupied) {
        add_short(d, d->ground, site, out);
        occupied = true;
    }
    for (unsigned i = 0; i < d->shown_count; i++) {
        const fzi_shown_value *v = &d->shown[i];
        if (v == d->ground || v->mark || !fzi_is_on_sites(d->program, v->like) ||
            !worth_showing(d, v, site) || (d->draws && d->draws(d, v->like)))
            continue;
        uint32_t dirs = directions(d, v, site);
        if (dirs) {
            fzi_arrows_write(d, site, dirs, out);
        } else {
            if (occupied || !first)
                fzi_buffer_char(out, first ? ':' : '/');
            add_short(d, v, site, out);
        }
        first = false;
    }
}

bool fzi_names_sites(const fzi_drawing *d)
{
    uint8_t shape = d->program->board.shape;

    return !d->named &&
           (shape == FZ_SHAPE_GRAPH || shape == FZ_SHAPE_CIRCLE || shape == FZ_SHAPE_TRACK);
}

/* How an edge runs on the screen: one of - | / and backslash. */
static char edge_line(const fzi_drawing *d, unsigned site)
{
    const fz_board *board = &d->program->board;
    int x = 0, y = 0;

    for (unsigned dir = 0; dir < board->dir_count; dir++) {
        int to = board->next[dir * board->site_count + site];
        if (to < 0)
            continue;
        bool end = fzi_sort_of(board, (unsigned)to) == FZ_SORT_VERTEX;
        x = end ? d->x[to] - d->x[site] : d->y[site] - d->y[to]; /* cells lie across */
        y = end ? d->y[to] - d->y[site] : d->x[to] - d->x[site];
        if (end)
            break;
    }
    return y == 0 ? '-' : x == 0 ? '|' : (x > 0) == (y > 0) ? '/' : '\\';
}

/* The text of an empty site. */
static void add_nothing(const fzi_drawing *d, unsigned site, fzi_buffer *out)
{
    const char *mark = mark_of(d, site);
    int sort = fzi_sort_of(&d->program->board, site);

    if (d->marked && fzi_words_has(d->marked, site))
        return; /* the star is enough */
    if (mark)
        fzi_buffer_text(out, mark);
    else if (sort == FZ_SORT_EDGE)
        return;
    else if (fzi_names_sites(d))
        fzi_buffer_text(out, fzi_text(d->program, d->program->board.site_names[site]));
    else
        fzi_buffer_char(out, sort == FZ_SORT_VERTEX ? '+' : dot_of(d, site));
}

const char *fzi_drawn_piece(const fzi_drawing *d, int kind, int owner, char *cell)
{
    const char *symbol =
        d->symbols ? fzi_piece_symbol(d->program, d->colour, kind, owner) : NULL;

    return symbol ? symbol : fzi_cell_text(d->program, kind, owner, cell);
}

/* Nobody's pieces on edges are lines. */
static void add_piece(const fzi_drawing *d, unsigned site, int kind, int owner, fzi_buffer *out)
{
    char piece[FZ_CELL_SIZE];

    if (owner < 0 && fzi_sort_of(&d->program->board, site) == FZ_SORT_EDGE)
        fzi_buffer_char(out, edge_line(d, site));
    else
        fzi_buffer_text(out, fzi_drawn_piece(d, kind, owner, piece));
}

static void fill_cell(fzi_drawing *d, unsigned site)
{
    fzi_buffer text = fzi_buffer_in(d->out->allocator);
    fzi_drawn_cell *c = &d->cells[site];
    int kind, owner;

    fzi_piece_get(d->program, d->block, site, &kind, &owner);
    c->owner = -2;
    if (fzi_words_has(d->unseen, site)) {
        fzi_buffer_char(&text, '?');
    } else {
        if (kind >= 0) {
            add_piece(d, site, kind, owner, &text);
            c->owner = owner;
            c->under = fzi_stack_height(d->program, d->block, site) - 1;
        }
        c->values = (uint8_t)(text.length < sizeof c->text ? text.length : sizeof c->text - 1);
        add_shown(d, site, kind >= 0, &text);
    }
    c->bare = text.length == 0;
    if (c->bare)
        add_nothing(d, site, &text);
    if (d->marked && fzi_words_has(d->marked, site))
        fzi_buffer_char(&text, '*');
    snprintf(c->text, sizeof c->text, "%s", fzi_buffer_get(&text));
    d->out->failed |= text.failed;
    c->latest = c->owner > -2 && fzi_head_of(d->state)->last_to == (int)site;
    fzi_buffer_free(&text);
}

/* The owners of pieces by the script's own function, if it has one; colours show them. */
static fz_status find_owners(fzi_drawing *d)
{
    int32_t function = d->program->owned;
    uint64_t owned[FZ_MAX_WORDS];
    fz_status status = FZ_OK;

    for (int p = (int)d->program->player_count - 1; function >= 0 && p >= 0 && status == FZ_OK;
         p--) {
        status = fzi_sites_told(d->machine, d->state, function, p, owned);
        for (unsigned s = 0; status == FZ_OK && s < d->program->board.site_count; s++) {
            if (fzi_words_has(owned, s) && d->cells[s].owner != -2)
                d->cells[s].owner = p;
        }
    }
    return status;
}

fz_status fzi_cells_fill(fzi_drawing *d)
{
    unsigned sites = d->program->board.site_count;

    memset(d->cells, 0, sites * sizeof *d->cells);
    d->width = 0;
    for (unsigned s = 0; s < sites; s++) {
        fill_cell(d, s);
        size_t n = fzi_text_width(d->cells[s].text);
        d->width = n > d->width ? n : d->width;
    }
    return find_owners(d);
}
