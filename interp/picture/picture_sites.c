/* Draws the content of the sites for compose.c: pieces, stacks, and the values that the script
 * shows there. */
#include <stdio.h>

#include "interp/support/words.h"
#include "compose.h"

/* ---- stacks ---- */

/* The pieces of a stack from the bottom, each a little higher than the one before. */
static void add_stack(fzi_picture *p, unsigned site, unsigned height)
{
    double rise = fmin(0.13, 0.6 / height), size = 0.82;
    fzi_point at = {p->at[site].x, p->at[site].y + rise * (height - 1) / 2};
    char count[16];

    for (unsigned i = 1; i <= height; i++) {
        int kind, owner;
        fzi_stack_get(p->d.program, p->d.block, site, i, &kind, &owner);
        bool crowned = fzi_piece_shape(p->d.program, p->figures, kind, owner) ==
                       FZ_SHAPE_OF_CROWNED;
        if (i == height || crowned)
            fzi_picture_piece(p, at, size, kind, owner);
        else
            fzi_picture_body(p, at, size, owner);
        at.y -= rise;
    }
    if (height < 4)
        return;
    snprintf(count, sizeof count, "%u", height);
    fzi_scene_label(p->scene, (fzi_point){p->at[site].x + 0.4, p->at[site].y - 0.36}, 0.2,
                    FZI_PAINT_INK, count);
}

/* ---- sites ---- */

/* Draws what the script shows on a site, beside the piece if there is one. */
static void add_values(fzi_picture *p, unsigned site, int kind)
{
    const fzi_drawn_cell *c = &p->d.cells[site];
    const char *text = c->text + c->values;
    bool alone = c->owner == -2, inside = !alone && fzi_is_plain_disc(p->d.program, kind);

    if (c->bare || (strcmp(text, "0") == 0 && p->style != FZI_STYLE_PITS))
        return;
    text += *text == ':' && c->values > 0;
    double width = fzi_label_width(text);
    if (width <= 0)
        return;
    fzi_point at = p->at[site];
    double size = fmin(alone ? 0.4 : 0.26, 0.86 / width);
    if (!alone && !inside)
        at = (fzi_point){at.x + 0.34, at.y + 0.36};
    fzi_shape *shape = fzi_scene_label(p->scene, at, size, FZI_PAINT_INK, text);
    if (inside)
        shape->on = (uint8_t)fzi_owner_paint(p, c->owner);
    else if (alone && p->style == FZI_STYLE_PITS)
        shape->on = FZI_PAINT_DARK;
}

/* A piece on an edge is a line along it. */
static bool add_edge_piece(fzi_picture *p, unsigned site, int owner)
{
    unsigned ends[2];

    if (!fzi_graph_edge_ends(p->d.program, site, ends))
        return false;
    fzi_scene_line(p->scene, p->at[ends[0]], p->at[ends[1]], FZI_PAINT_EDGE, 0.15);
    fzi_scene_line(p->scene, fzi_point_between(p->at[ends[0]], p->at[ends[1]], 0.02),
                   fzi_point_between(p->at[ends[0]], p->at[ends[1]], 0.98),
                   fzi_owner_paint(p, owner), 0.1);
    return true;
}

/* The size of pieces: smaller in hexagons, where corners take room, and in meshes, where
 * vertices lie between the cells. */
static double room_of(const fzi_picture *p)
{
    bool hexes = p->style == FZI_STYLE_HEXES || p->style == FZI_STYLE_UPRIGHT;

    return p->d.program->board.has_sorts ? 0.78 : hexes && p->figures ? 0.86 : 1;
}

/* The colour that the piece on the site carries, if the viewer knows it. */
static enum fzi_paint tint_of(const fzi_picture *p, unsigned site)
{
    const fz_program *program = p->d.program;

    for (unsigned i = 0; i < p->d.shown_count; i++) {
        const fzi_shown_value *v = &p->d.shown[i];
        if (!fzi_is_on_sites(program, v->like) || !fzi_picture_is_tint(&p->d, v->like) ||
            !fzi_shown_known(&p->d, v, site))
            continue;
        return fzi_picture_colour(program, v->like,
                                  fzi_element_get(v->program, v->block, v->like, site));
    }
    return FZI_PAINT_NONE;
}

static void add_site(fzi_picture *p, unsigned site)
{
    const fzi_drawn_cell *c = &p->d.cells[site];
    unsigned height = fzi_stack_height(p->d.program, p->d.block, site);
    int kind, owner;

    if (fzi_words_has(p->d.unseen, site)) {
        fzi_picture_cell(p, site, 0.96, FZI_PAINT_UNSEEN, FZI_PAINT_NONE);
        fzi_scene_label(p->scene, p->at[site], 0.4, FZI_PAINT_NONE, "?")->on = FZI_PAINT_UNSEEN;
        return;
    }
    fzi_piece_get(p->d.program, p->d.block, site, &kind, &owner);
    p->tint = (uint8_t)(kind >= 0 ? tint_of(p, site) : FZI_PAINT_NONE);
    bool things = fzi_picture_things(p, site, c->owner);
    if (kind >= 0 && !things && !add_edge_piece(p, site, c->owner)) {
        if (owner < 0 && fzi_sort_of(&p->d.program->board, site) == FZ_SORT_VERTEX)
            fzi_picture_body(p, p->at[site], 0.3, owner); /* the middle of a fence */
        else if (height > 1)
            add_stack(p, site, height);
        else
            fzi_picture_piece(p, p->at[site], room_of(p), kind, c->owner);
    }
    add_values(p, site, kind);
    p->tint = FZI_PAINT_NONE;
}

void fzi_picture_sites(fzi_picture *p)
{
    for (unsigned s = 0; s < p->d.program->board.site_count; s++)
        if (!fzi_words_has(p->cut, s))
            add_site(p, s);
    fzi_picture_tokens(p);
}
