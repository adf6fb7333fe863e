/* The same loop as in vm_w16.c for newer x86 processors. */
#define FZ_UNROLL
#include "vm_fast.inc.h"
#ifdef FZ_FAST
#define FZ_W 16
#define FZ_LOOP fzi_run_w16_fast
#include "vm_loop.inc.h"
#endif
#include "vm_fast_end.inc.h"
