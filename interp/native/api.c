/* Functions and sizes of structures that generated C shares with libferz. It calls the functions
 * through pointers. */
#include "native.h"

#include "interp/vm/instructions.h"

/* The api, in the order of api.def. Function pointers as POSIX's dlsym gives them. */
#define FUNCTION(name) (void *)(uintptr_t)name,
void *const fzi_native_api[] = {
#include "api.def"
};
#undef FUNCTION

/* Generated code includes the headers of the libferz that made it; what it was compiled with
 * must agree with the libferz that loads it. */
unsigned long fzi_native_check(void)
{
    const size_t sizes[] = {sizeof(fz_machine), sizeof(fz_state), sizeof(fzi_head), sizeof(fzi_run),
                            sizeof(fzi_move_list), sizeof(fzi_segment), sizeof(fz_program),
                            sizeof(fzi_history), FZ_OP_COUNT, sizeof fzi_native_api};
    unsigned long check = 5381;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        check = check * 33 + (unsigned long)sizes[i];
    return check & 0x7fffffff;
}
