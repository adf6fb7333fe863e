/* The functions that the text of the instructions (vm_*.inc.h, ops_*.h) calls. The loop and
 * generated C include this header; native/api.def lists the functions that generated C reaches
 * through pointers. */
#ifndef FZ_INTERP_VM_INSTRUCTIONS_H
#define FZ_INTERP_VM_INSTRUCTIONS_H

#include "carried.h"
#include "fault.h"
#include "filter.h"
#include "interp/board/topology.h"
#include "interp/program/values.h"
#include "interp/state/state.h"
#include "interp/support/chance.h"
#include "outcomes.h"
#include "piles.h"
#include "results.h"
#include "scratch.h"

#endif
