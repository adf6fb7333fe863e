/* The loop for programs whose sets have 4 words. */
#define FZ_W 4
#define FZ_LOOP fzi_run_w4
#include "vm_loop.inc.h"
