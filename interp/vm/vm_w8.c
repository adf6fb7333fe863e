/* The loop for programs whose sets have 8 words. */
#define FZ_W 8
#define FZ_LOOP fzi_run_w8
#include "vm_loop.inc.h"
