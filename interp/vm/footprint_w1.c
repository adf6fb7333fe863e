/* footprint.inc.h for boards of one word. */
#define FZ_WORDS(r) 1
#define FZ_MOST_WORDS 1
#define FZ_FOOTPRINT fzi_footprint_find_w1
#include "footprint.inc.h"
