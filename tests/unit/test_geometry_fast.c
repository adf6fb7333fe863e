/* test_geometry.c for sets of two words, with the instructions of processors with BMI2. */
#if defined(__x86_64__) && defined(__GNUC__)
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,popcnt"))), apply_to = function)
#else
#pragma GCC target("avx2,bmi,bmi2,popcnt")
#endif
#ifndef FZ_FAST
#define FZ_FAST
#endif
#define FZ_W 2
#define main(arguments) test_geometry(arguments)
#include "test_geometry.c"
#undef main
#ifdef __clang__
#pragma clang attribute pop
#endif

__attribute__((target("no-bmi2"))) int main(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("avx2") ? test_geometry() : 0;
}
#else
int main(void)
{
    return 0;
}
#endif
