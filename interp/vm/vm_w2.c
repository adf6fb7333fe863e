/* The loop for programs whose sets have 2 words. */
#define FZ_W 2
#define FZ_LOOP fzi_run_w2
#include "vm_loop.inc.h"
