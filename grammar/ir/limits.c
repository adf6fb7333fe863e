/* Limits of a program's size. Inlining can make expressions grow exponentially: a name may use
 * another name twice, which uses a third one twice. All stages of lowering call it. */
#include "lowering.h"

/* ---- counts ---- */

bool fzi_at_most(const fzi_game *game, fzi_span span, const char *what, unsigned count,
                 const char *of, unsigned most)
{
    if (count <= most)
        return true;
    fzi_error(game->diags, span, FZ_E_TOO_MANY, what, count, of, most);
    return false;
}

void fzi_give_up(fzi_build *b, fzi_span span, int code, const char *what)
{
    if (!b->failed)
        fzi_error(b->game->diags, span, code, what);
    b->failed = true;
}

/* ---- expressions and statements ---- */

static void too_large(fzi_lower *lw, fzi_span span, const char *what, unsigned most)
{
    fzi_diags *diags = lw->game->diags;
    if (!lw->build.failed)
        fzi_error(diags, span, FZ_E_TOO_LARGE, what, most);
    lw->build.failed = true;
}

bool fzi_lower_enter(fzi_lower *lw, fzi_span span)
{
    enum { MAX_NESTED = 600, FUNCTION = 4, MAX_EXPANDED = 2000000 };
    if (lw->nested + lw->build.depth * FUNCTION > MAX_NESTED)
        fzi_give_up(&lw->build, span, FZ_E_EXPANDS_TOO_DEEPLY, NULL);
    if (++lw->expanded > MAX_EXPANDED)
        too_large(lw, lw->at.end ? lw->at : span, "the game", MAX_EXPANDED);
    lw->nested += !lw->build.failed;
    return !lw->build.failed;
}

void fzi_lower_leave(fzi_lower *lw)
{
    lw->nested--;
}

bool fzi_ir_fits(fzi_lower *lw, const fzi_ir *ir, fzi_span span)
{
    enum { MAX_DEEP = 1600, MAX_COST = 200000 };
    if (ir->depth > MAX_DEEP)
        fzi_give_up(&lw->build, span, FZ_E_EXPANDS_TOO_DEEPLY, NULL);
    if (ir->cost > MAX_COST)
        too_large(lw, span, "this", MAX_COST);
    return ir->depth <= MAX_DEEP && ir->cost <= MAX_COST;
}
