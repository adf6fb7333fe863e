/* The loop for programs whose sets have 1 word. */
#define FZ_W 1
#define FZ_LOOP fzi_run_w1
#include "vm_loop.inc.h"
