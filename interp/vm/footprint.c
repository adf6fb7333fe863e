/* footprint.inc.h for boards of any number of words; for those of the one game that a file is made
 * for. */
#ifdef FZ_STANDALONE
#define FZ_WORDS(r) FZ_STANDALONE
#define FZ_MOST_WORDS FZ_STANDALONE
#else
#define FZ_WORDS(r) ((r)->p->board.words)
#define FZ_MOST_WORDS FZ_MAX_WORDS
#endif
#define FZ_FOOTPRINT fzi_footprint_find
#include "footprint.inc.h"
