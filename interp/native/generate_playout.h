/* The texts of whole games, for generate_playout.c: choices without a list (generate_moves.c) and
 * filters (generate_tries.c). Each takes the instruction at a place of the function `g->now`. */
#ifndef FZ_INTERP_NATIVE_GENERATE_PLAYOUT_H
#define FZ_INTERP_NATIVE_GENERATE_PLAYOUT_H

#include "playout_plan.h"

/* ---- generate_playout.c ---- */

/* The registers of a function but its parameters. */
void fzi_playout_locals(fzi_playout_plan *g, const fz_function *f);
/* The label and the operands of an instruction. False: it belongs to a move's text, which runs
 * elsewhere, and has no more. */
bool fzi_playout_begin(fzi_playout_plan *g, uint32_t at);
/* Writes the text of the instruction. */
void fzi_playout_instruction(fzi_playout_plan *g, uint32_t at);

/* ---- generate_moves.c ---- */

/* The locals that hold the moves of the function's choices. */
void fzi_moves_locals(fzi_playout_plan *g, const fz_function *f);
void fzi_choose_text(fzi_playout_plan *g, uint32_t at);
/* An instruction that lists moves. False: the text of the loop does, which uses a list. */
bool fzi_emit_text(fzi_playout_plan *g, uint32_t at);
void fzi_decide_text(fzi_playout_plan *g, uint32_t at);
/* Joins the steps of an EMIT_SHIFTS and of all that add to the same moves. */
void fzi_join_text(fzi_playout_plan *g, const fz_function *f, uint32_t place);

/* ---- generate_kept.c ---- */

/* Plans what is kept beside the board. */
void fzi_kept_plan(fzi_playout_plan *g);
/* Does the instruction read the set of empty sites? */
bool fzi_kept_reads_empty(const fzi_playout_plan *g, uint32_t at);
/* Does it read the set of empty sites, which is counted? Does it test a line that is
 * kept? */
bool fzi_kept_empty(const fzi_playout_plan *g, uint32_t at);
bool fzi_kept_line(const fzi_playout_plan *g, uint32_t at);
/* The constants and tables for vm_playout.inc.h. False when memory is short. */
bool fzi_kept_tables(fzi_playout_plan *g);
/* Before PUT1 and PUT1_GIVEN. */
void fzi_kept_put_text(fzi_playout_plan *g);
/* An instruction that reads what is kept. False: the text of the loop does. */
bool fzi_kept_text(fzi_playout_plan *g, uint32_t at);

/* ---- generate_drawn.c ---- */

/* Before PUT1 and PUT1_GIVEN. */
void fzi_drawn_put_text(fzi_playout_plan *g, uint32_t at);
/* MOVE. False: the text of the loop does. */
bool fzi_drawn_move_text(fzi_playout_plan *g, uint32_t at);

/* ---- generate_reaches.c ---- */

/* The constants for vm_playout.inc.h, and the locals of a function. */
void fzi_reaches_plan(fzi_playout_plan *g);
void fzi_reaches_locals(fzi_playout_plan *g, const fz_function *f);
/* Sites that are flooded only to ask whether a goal is among them are not flooded. False: the text
 * of the loop does. */
bool fzi_reaches_text(fzi_playout_plan *g, uint32_t at);

/* ---- generate_preimage.c ---- */

/* EACH: where the loop finds the sites that a table leads into a set, it is looked up at once. */
void fzi_preimage_text(fzi_playout_plan *g, uint32_t at);

/* ---- generate_tries.c ---- */

/* How many sites of the board a try of the choice changes at most, if it changes nothing else but
 * the latest move; else 0. */
uint32_t fzi_tries_sites(const fzi_playout_plan *g, uint32_t choice);
/* The choice whose tries the MOVE at the place is all of that changes the board; UINT32_MAX: there
 * is none. */
uint32_t fzi_only_move(const fzi_playout_plan *g, uint32_t place);
/* Before an instruction that changes sites. */
void fzi_note_sites_text(fzi_playout_plan *g, uint32_t place);
/* The locals of tries: the block from before, what is pending, registers. */
void fzi_tries_locals(fzi_playout_plan *g, const fz_function *f);
/* Keeps the registers that are live at a place. */
void fzi_keep_text(fzi_playout_plan *g, uint32_t at);
void fzi_restore_text(fzi_playout_plan *g, uint32_t at);
/* Begins to try the drawn move of a choice in place. */
void fzi_before_tries_text(fzi_playout_plan *g, uint32_t at);
void fzi_trial_text(fzi_playout_plan *g, uint32_t choice);
/* CAN_TEST and CAN_END. */
void fzi_question_text(fzi_playout_plan *g, uint32_t at);
/* PEND, FILTER_BEGIN, FILTER_END. */
void fzi_pend_text(fzi_playout_plan *g, uint32_t at);
void fzi_judge_text(fzi_playout_plan *g, uint32_t at);
void fzi_verdict_text(fzi_playout_plan *g, uint32_t at);
/* The choice whose filters end here. */
uint32_t fzi_judged_choice(const fzi_playout_plan *g, uint32_t at);
/* Goes on behind the latest FILTER_BEGIN of a choice. */
void fzi_behind_text(fzi_playout_plan *g, uint32_t choice);

#endif
