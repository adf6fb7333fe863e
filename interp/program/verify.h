/* Is a program fit to run? The loop checks only what depends on values; everything else is looked
 * at here, once, so that a damaged or hostile file is refused instead of reading outside of its
 * tables.
 *
 * What a verified program guarantees, in the order of fz_program (program.h). "Inside" means:
 * every number that names an item of a table is below the table's length.
 *
 *   text           begins and ends with NUL. Every text that is named begins after a NUL
 *   names          of sites, directions, players, teams, kinds, named values, dice, options, info
 *                  and variables are letters, digits and `_`, and not empty; those of one sort
 *                  differ. So they need no quotes and no check where they are written in lists.
 *                  Letters of kinds have no blanks, digits, dots, commas, braces or quotes, at
 *                  most FZ_MAX_LETTER bytes, and differ without regard to case
 *   other texts    (title, info, tests, labels) are UTF-8 without control characters but tabs and
 *                  ends of lines. The paths and texts of sources may have any bytes but NUL
 *   code           whole instructions from the first word of each function to its last, after
 *                  which nothing goes on; no word is in two functions. Registers, jumps and
 *                  tables are inside. Jumps lead to instructions of the same function, forwards
 *                  but for the ends of loops. Every register is written on every way before it is
 *                  read (definite_assignment.c)
 *   functions      results and parameters fit their calls; phases, tests and drawings call what
 *                  takes at most `me`
 *   variables      as many elements as the indexes have, FZ_MAX_VARIABLE_BYTES in all, offsets
 *                  that are those of the layout; flags are 0 or 1; a set exactly where the type
 *                  says so
 *   shown          as variables, and functions that have their indexes as parameters; the marks of
 *                  regions are texts
 *   hints          sites, kinds, players, types and shapes are those that there are
 *   types          a range that is not empty, and for all but numbers and sets that of the values
 *                  there are; members of masks are no sets; name lists are inside
 *   tables         rows are inside and have no bits beyond the last site; steps of shapes stay on
 *                  the board; LINE_AT_GIVEN has whole axes
 *   choices        each option is in the list of its choice and in no other; they begin with
 *                  CHOOSE or CAN of this choice; filter lists are inside and of the same function;
 *                  a sealed one has a variable that the compiler made
 *   options        bindings have registers and types; effect, label and shown begin in the
 *                  choice's function
 *   filters        end in a FILTER_END with as many keys as they say; CHECK_BOUND stands in bounded
 *                  filters alone
 *   dice           faces are values of the type; weights add up to 1 .. UINT32_MAX
 *   natives        parameters are as many as their order says
 *   places, lines  places are inside their source's text; lines ascend by code and name the
 *                  beginnings of instructions; removed rules have places
 *   players        teams are inside, or each player's own; facing is a direction or -1
 *   settings, info names as above; values of settings are one line; types are known, ranges
 *                  not empty
 *   tests, steps   steps are inside and not shared; lists are followed by their items; functions
 *                  as above
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
