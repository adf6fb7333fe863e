/* test_geometry.c for sets of several words. */
#define FZ_W 4
#include "test_geometry.c"
