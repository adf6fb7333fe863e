/* Marks in pictures, for compose.c: the latest move, the legal moves, and how much sites and lines
 * are used. */
#include "compose.h"

/* ---- where moves go ---- */

/* The first and the last site that a text of a move names; -1. */
static void find_named(const fz_program *program, const char *text, int *from, int *to)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

    *from = *to = -1;
    while (*text) {
        size_t length = strspn(text, letters);
        int site = length ? fzi_site_find(program, text, length) : -1;
        if (site >= 0) {
            *from = *from < 0 ? site : *from;
            *to = site;
        }
        text += length ? length : 1;
    }
}

void fzi_picture_move_sites(fz_machine *machine, const fz_state *state, const fz_move *move,
                            int *from, int *to)
{
    fz_move_sites(machine, state, move, from, to);
    if (*to < 0)
        find_named(state->program, fz_move_text(machine, state, move), from, to);
}

/* The part of a move that a viewer sees. Of hidden pieces, others know only the text. */
fzi_picture_move fzi_picture_move_seen(fz_machine *machine, const fz_state *state,
                                       const fz_move *move, int player)
{
    fzi_picture_move seen;

    if (player < 0 || player == fzi_head_of(state)->decider || !fz_program_hides(state->program))
        fzi_picture_move_sites(machine, state, move, &seen.from, &seen.to);
    else
        find_named(state->program, fz_move_text_for(machine, state, move, player), &seen.from,
                   &seen.to);
    return seen;
}

/* ---- the latest move ---- */

/* A viewer sees of the latest move what the text drawing underlines: where it went, if something is
 * seen there; and where it came from, if nothing is hidden. */
static fzi_picture_move remembered(const fzi_picture *p)
{
    const fzi_head *head = fzi_head_of(p->d.known);
    bool hides = p->d.viewer >= 0 && fz_program_hides(p->d.program);

    if (head->last_to < 0 || head->last_to >= p->d.program->board.site_count ||
        !p->d.cells[head->last_to].latest)
        return (fzi_picture_move){-1, -1};
    return (fzi_picture_move){hides ? -1 : head->last_from, head->last_to};
}

static void mark_site(fzi_picture *p, unsigned site)
{
    unsigned ends[2];

    if (fzi_graph_edge_ends(p->d.program, site, ends))
        fzi_scene_line(p->scene, p->at[ends[0]], p->at[ends[1]], FZI_PAINT_LAST, 0.24);
    else
        fzi_picture_cell(p, site, p->style == FZI_STYLE_POINTS ? 1.12 : 0.96, FZI_PAINT_LAST,
                         FZI_PAINT_NONE)->faded = true; /* seen around a piece on a point */
}

void fzi_picture_marks(fzi_picture *p)
{
    fzi_picture_move latest = p->task->latest ? *p->task->latest : remembered(p);
    int sites = p->d.program->board.site_count;

    if (latest.to >= 0 && latest.to < sites)
        mark_site(p, (unsigned)latest.to);
    if (latest.from >= 0 && latest.from < sites && latest.from != latest.to)
        mark_site(p, (unsigned)latest.from);
}

/* ---- legal moves ---- */

static void mark_move(fzi_picture *p, int from, int to)
{
    const fzi_drawn_cell *c = &p->d.cells[to];

    if (p->task->from < 0 && from >= 0 && from != to) {
        fzi_point begin = fzi_point_between(p->at[from], p->at[to], 0.2);
        fzi_scene_arrow(p->scene, begin, p->at[to], FZI_PAINT_MOVE, 0.06)->faded = true;
    } else if (c->owner != -2) {
        fzi_scene_circle(p->scene, p->at[to], 0.45, FZI_PAINT_NONE, FZI_PAINT_MOVE, 0.07);
    } else {
        fzi_scene_circle(p->scene, p->at[to], 0.15, FZI_PAINT_MOVE, FZI_PAINT_NONE, 0);
    }
}

/* Each pair of sites once, however many moves have it. */
static fz_status mark_all(fzi_picture *p, const fz_moves *moves)
{
    unsigned sites = p->d.program->board.site_count;
    size_t bytes = ((size_t)sites + 1) * sites;
    bool *done = fzi_allocate(p->d.machine->allocator, bytes);

    if (!done)
        return fzi_machine_no_memory(p->d.machine);
    memset(done, 0, bytes);
    for (size_t i = 0; i < fz_moves_count(moves); i++) {
        fz_move move = fz_moves_at(moves, i);
        int from, to;
        fzi_picture_move_sites(p->d.machine, p->d.state, &move, &from, &to);
        if (to < 0 || (p->task->from >= 0 && from != p->task->from))
            continue;
        size_t pair = (size_t)(from + 1) * sites + (size_t)to;
        if (!done[pair])
            mark_move(p, from, to);
        done[pair] = true;
    }
    fzi_release(p->d.machine->allocator, done);
    return FZ_OK;
}

fz_status fzi_picture_moves(fzi_picture *p)
{
    const fzi_head *head = fzi_head_of(p->d.state);

    if (!p->task->moves || head->waiting != FZ_WAITING_MOVE)
        return FZ_OK;
    if (p->d.viewer >= 0 && p->d.viewer != head->decider)
        return fzi_machine_say(p->d.machine, FZ_USAGE,
                               "the legal moves are shown to the player who decides only");
    fz_moves *moves = fz_moves_new(p->d.machine);
    if (!moves)
        return fzi_machine_no_memory(p->d.machine);
    fz_status status = fz_state_moves(p->d.machine, p->d.state, moves);
    if (status == FZ_OK)
        status = mark_all(p, moves);
    fz_moves_free(moves);
    return status;
}

/* ---- the use of a board: lines as wide as their shares, discs as large as theirs ---- */

static const double widest = 0.22, largest = 0.42;

static void add_lines(fzi_picture *p, const fzi_picture_use *use)
{
    double most = 0;

    for (size_t i = 0; i < use->line_count; i++)
        most = fmax(most, use->lines[i].share);
    for (size_t i = 0; i < use->line_count; i++) {
        const fzi_used_line *line = &use->lines[i];
        if (line->share > 0)
            fzi_picture_way(p, line->low, line->high, FZI_PAINT_RED, widest * line->share / most);
    }
}

static void add_sites(fzi_picture *p, const double *shares)
{
    unsigned count = p->d.program->board.site_count;
    double most = 0;

    for (unsigned s = 0; s < count; s++)
        most = fmax(most, shares[s]);
    for (unsigned s = 0; s < count; s++)
        if (shares[s] > 0)
            fzi_scene_circle(p->scene, p->at[s], largest * sqrt(shares[s] / most), FZI_PAINT_BLUE,
                             FZI_PAINT_NONE, 0);
}

void fzi_picture_used(fzi_picture *p)
{
    const fzi_picture_use *use = p->task->use;

    if (use->line_count)
        add_lines(p, use);
    if (use->sites)
        add_sites(p, use->sites);
}
