/* Faults of a run, and the messages that calls return for them. */
#ifndef FZ_INTERP_VM_FAULT_H
#define FZ_INTERP_VM_FAULT_H

#include "machine.h"

fzi_end fzi_fault(fz_machine *machine, const char *fault); /* FZ_END_ERROR */
fzi_end fzi_fault_format(fz_machine *machine, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
fzi_end fzi_fault_store(fz_machine *machine, uint32_t variable, int64_t value);
/* The mask of members that the variable's type has not. */
fzi_end fzi_fault_members(fz_machine *machine, uint32_t variable, int64_t mask);
/* No memory: `wanted` bytes exceed the limit, or the allocator failed. */
fzi_end fzi_fault_memory(fz_machine *machine, size_t wanted);
/* Room for `count` items of `item` bytes in an array of the machine that has room for `*room`.
 * False: the fault is set. */
bool fzi_machine_grow(fz_machine *machine, void **array, size_t *room, size_t count, size_t item);
/* No stack of so many words: it would be too deep, or memory is short. */
fzi_end fzi_fault_frames(fz_machine *machine, const fz_state *state, uint32_t words);
fzi_end fzi_fault_list(fz_machine *machine, const fzi_move_list *list);
/* Turns the fault into machine->message. Returns the status. */
fz_status fzi_machine_fail(fz_machine *machine);
/* Sets the message. Returns FZ_NO_MEMORY. */
fz_status fzi_machine_no_memory(fz_machine *machine);
/* Sets the message; for misuse and bad input. Returns the status. */
fz_status fzi_machine_say(fz_machine *machine, fz_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
