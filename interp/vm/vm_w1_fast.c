/* The same loop as in vm_w1.c for newer x86 processors. */
#include "vm_fast.inc.h"
#ifdef FZ_FAST
#define FZ_W 1
#define FZ_LOOP fzi_run_w1_fast
#include "vm_loop.inc.h"
#endif
#include "vm_fast_end.inc.h"
