/* English: names as words, articles, plurals, lists, sentences. All texts are in the arena. */
#ifndef FZ_GRAMMAR_PROSE_ENGLISH_H
#define FZ_GRAMMAR_PROSE_ENGLISH_H

#include <stdint.h>

#include "grammar/source/arena.h"

/* A name as words: "far_rank" is "far rank", "FourLots" is "four lots"; "AIM" stays. */
const char *fzi_english_name(fzi_arena *arena, const char *name);
/* The same for names of players and teams, whose capitals stay: "NorthSouth" is "North South". */
const char *fzi_english_title(fzi_arena *arena, const char *name);

const char *fzi_english_plural(fzi_arena *arena, const char *noun);
/* "a pawn", "an empty square". */
const char *fzi_english_one(fzi_arena *arena, const char *noun);
/* "White's", "the players'". */
const char *fzi_english_genitive(fzi_arena *arena, const char *owner);
/* "two", "13", "minus one". */
const char *fzi_english_number(fzi_arena *arena, int64_t number);
/* "a, b and c" with "and" as `word`. */
const char *fzi_english_list(fzi_arena *arena, const char *const *items, unsigned count,
                             const char *word);
/* With a capital, and with a full stop unless it ends in a mark. */
const char *fzi_english_sentence(fzi_arena *arena, const char *text);
const char *fzi_english_capital(fzi_arena *arena, const char *text);
/* Without the capital of a sentence, and without its full stop. Words in capitals keep them. */
const char *fzi_english_clause(fzi_arena *arena, const char *text);
/* Does it begin like a sentence, with a capital that is no name's? */
bool fzi_english_is_sentence(const char *text);
/* "x is not empty" for "x is empty". */
const char *fzi_english_not(fzi_arena *arena, const char *clause);
/* The text with all whole words `from` replaced. */
const char *fzi_english_replace(fzi_arena *arena, const char *text, const char *from,
                                const char *to);

#endif
