/* The loop for programs whose sets have 16 words. */
#define FZ_W 16
#define FZ_LOOP fzi_run_w16
#include "vm_loop.inc.h"
