/* Stands first in a file that is compiled for x86 processors with BMI2 and AVX2, whatever the flags of the
 * build: the baseline has not even an instruction that counts bits. The machine asks the processor
 * before it uses such a loop (fzi_loop_of). */
#include <stdint.h>
#include <string.h>
#if defined(__x86_64__) && defined(__GNUC__) && !defined(FZ_NO_FAST)
#define FZ_FAST 1
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,popcnt"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,bmi,bmi2,popcnt")
#if defined(FZ_UNROLL) && defined(__OPTIMIZE__) /* loops over the words of large sets: a third faster */
#pragma GCC optimize("O3")
#endif
#endif
#else
typedef int fzi_nothing_to_compile;
#endif
