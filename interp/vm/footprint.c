/* footprint.inc.h for the boards of the one game that a file is made for. */
#define FZ_FOOTPRINT fzi_footprint_find
#include "footprint.inc.h"
