/* Guesses for known_value.c: in each run hidden values are set to other ones that they may have. */
#ifndef FZ_INTERP_TEXT_KNOWN_GUESS_H
#define FZ_INTERP_TEXT_KNOWN_GUESS_H

#include "known_value.h"

/* The run says nothing any more: it ends soon, for want of budget. */
void fzi_known_give_up(fzi_knower *k);
/* One of so many ways; each is tried in some run. Gives up where they are too many. */
unsigned fzi_known_choose(fzi_knower *k, unsigned ways);

/* The viewer cannot look at the site. */
bool fzi_known_unseen(const fzi_knower *k, int64_t site);
/* The viewer does not see the element, in whatever form the array is kept. */
bool fzi_known_hides(const fzi_knower *k, const fz_variable *v, int64_t element);
/* The bits that differ between values of the variable's type, all of them for numbers. */
uint64_t fzi_known_bits(const fz_program *p, const fz_variable *v);

/* Has this run guessed the element, or with `variable` NULL the piece on the site? */
bool fzi_guessed(const fzi_knower *k, const fz_variable *variable, uint32_t element);
/* Sets the element in the block, unless it is guessed already. False: it may have too many
 * values. */
bool fzi_guess_element(fzi_knower *k, uint8_t *block, const fz_variable *v, uint32_t element);
/* The same for what stands on an unseen site. */
bool fzi_guess_piece(fzi_knower *k, uint8_t *block, unsigned site);
/* Guesses all that is hidden, so that the rest of the run needs no notes; gives up where that has
 * too many ways, or where something was noted as unknown before. */
void fzi_guess_everything(fzi_knower *k, uint8_t *block);

#endif
