/* The items of pieces as options: `piece_moves` and `moves_of`. */
#ifndef FZ_GRAMMAR_LOWER_LOWER_PIECE_H
#define FZ_GRAMMAR_LOWER_LOWER_PIECE_H

#include "gathering.h"

/* Gathers the moves of the pieces on the sites `on`; with `within`, only those to these sites. */
void fzi_gather_pieces(fzi_gather *g, fzi_way way, const fzi_ir *on, const fzi_ir *within);
/* Where a plain item leads the piece on `here`, which the view has; NULL: it can never have a
 * move. */
const fzi_ir *fzi_item_reach(fzi_codegen *e, fzi_view view, const fzi_piece *piece,
                             const fzi_node *item);
/* The pieces of a kind on the sites `on`. */
const fzi_ir *fzi_pieces_on(fzi_lower *lw, const fzi_ir *on, unsigned kind);

#endif
