/* Is a program fit to run? The loop checks only what depends on values; everything else is looked
 * at here, once, so that a damaged or hostile file is refused instead of reading outside of its
 * tables.
 *
 * program_rows.def says what a verified program has in the items of its arrays. Beyond that, where
 * "inside" means that each number that names an item of a table is below the table's length:
 *
 *   text           begins and ends with NUL. Every text that is named begins after a NUL
 *   names          of sites, directions, players, teams, kinds and variables are words, and those
 *                  of one sort differ. So they need no quotes and no check where they are written
 *                  in lists. Letters of kinds have no blanks, digits, dots, commas, braces or
 *                  quotes, at most FZ_MAX_LETTER bytes, and differ without regard to case
 *   code           whole instructions from the first word of each function to its last, after
 *                  which nothing goes on; no word is in two functions. Registers, jumps and
 *                  tables are inside. Jumps lead to instructions of the same function, forwards
 *                  but for the ends of loops. Every register is written on every way before it is
 *                  read (definite_assignment.c)
 *   functions      results and parameters fit their calls; phases, tests and drawings call what
 *                  takes at most `me`
 *   variables      FZ_MAX_VARIABLE_BYTES in all, offsets that are those of the layout
 *   tables         have no bits beyond the last site; steps of shapes stay on the board;
 *                  LINE_AT_GIVEN has whole axes
 *   choices        each option is in the list of its choice and in no other; they begin with
 *                  CHOOSE or CAN of this choice; filter lists are inside and of the same function
 *   options        effect, label and shown begin in the choice's function
 *   filters        end in a FILTER_END with as many keys as they say; CHECK_BOUND stands in bounded
 *                  filters alone
 *   dice           faces are values of the type; weights add up to 1 .. UINT32_MAX
 *   steps          lists are followed by their items
 *   board          1 .. 64 * words sites; neighbours, opposites, columns and rows are inside; a
 *                  drawing by x and y is not huge
 *   layout         what the counts and the code make it
 *   initial        sets have no bits beyond the last site, numbers are values of their type,
 *                  there are no pieces
 *   stacks         stack_limit is not 1; with stacks nothing is carried, and instructions of stacks
 *                  stand nowhere else
 *   flags          0 or 1; uses_repetitions and uses_board_repetitions are what the code does
 *
 * Not guaranteed, and checked when it happens: values in registers, the depth of calls, the length
 * of lists, time. */
#ifndef FZ_INTERP_PROGRAM_VERIFY_H
#define FZ_INTERP_PROGRAM_VERIFY_H

#include "interp/support/context.h"
#include "program.h"

/* True if the program is sound. Otherwise `message` says why; "" if memory is short.
 * program->topology may be NULL. */
bool fzi_verify(const fz_program *program, fzi_allocator allocator, char *message, size_t size);

/* Parts of it, for programs in which all else is sound. False: `*what` and `*number`, or `*at`, say
 * what is wrong; NULL, or UINT32_MAX, that memory is short. */
bool fzi_texts_sound(const fz_program *program, fzi_allocator allocator, const char **what,
                     uint32_t *number);
bool fzi_registers_assigned(const fz_program *program, fzi_allocator allocator, uint32_t *at);

#endif
