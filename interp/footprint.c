/* footprint.inc.h for boards of any number of words. */
#define FZ_WORDS(r) ((r)->p->board.words)
#define FZ_FOOTPRINT fzi_footprint
#include "footprint.inc.h"
