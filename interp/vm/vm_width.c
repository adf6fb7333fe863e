/* The dispatch loop and the footprints of filters for one width: -DFZ_W=n is the number of words
 * of a set. interp/Makefile.inc compiles this file for each width, and once more with -DFZ_FAST for
 * x86 processors with BMI2 and AVX2, whatever the flags of the build: baseline x86-64 does not even
 * have an instruction that counts bits. The machine asks the processor before it uses a fast loop
 * (find_engine). */
#include <stdint.h> /* before the pragmas, which would apply to what these define */
#include <string.h>

#define LOOP_NAME(words) LOOP_NAME_(words)
#define FOOTPRINT_NAME(words) FOOTPRINT_NAME_(words)

/* For large sets the compiler takes up to fifteen seconds: too long for a build that is tested. */
#if FZ_W > 2 && !defined(NDEBUG) && defined(__OPTIMIZE__) && !defined(__clang__)
#pragma GCC optimize("Og")
#endif

#ifndef FZ_FAST
#define LOOP_NAME_(words) fzi_run_w##words
#define FOOTPRINT_NAME_(words) fzi_footprint_w##words
#define FZ_LOOP LOOP_NAME(FZ_W)
#define FZ_FOOTPRINT FOOTPRINT_NAME(FZ_W)
#include "footprint.inc.h"
#include "vm_loop.inc.h"

#elif defined(__x86_64__) && defined(__GNUC__) && !defined(FZ_NO_FAST)
#define LOOP_NAME_(words) fzi_run_w##words##_fast
#define FOOTPRINT_NAME_(words) fzi_footprint_w##words##_fast
#define FZ_LOOP LOOP_NAME(FZ_W)
#define FZ_FOOTPRINT FOOTPRINT_NAME(FZ_W)
#define FZ_AVX2
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,popcnt"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,bmi,bmi2,popcnt")
#if FZ_W > 2 && \
    defined(NDEBUG) /* unrolled loops over the words of large sets: a third faster */
#pragma GCC optimize("O3")
#endif
#endif
#include "footprint.inc.h"
#include "vm_loop.inc.h"
#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#else
typedef int fzi_nothing_to_compile;
#endif
