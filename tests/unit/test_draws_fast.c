/* test_draws.c with the instructions of processors with BMI2. */
#if defined(__x86_64__) && defined(__GNUC__)
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("bmi,bmi2,popcnt"))), apply_to = function)
#else
#pragma GCC target("bmi,bmi2,popcnt")
/* At -Og gcc does not see that fzi_lanes_select sets both results where it returns true. */
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#ifndef FZ_FAST
#define FZ_FAST
#endif
#define main(arguments) test_draws(arguments)
#include "test_draws.c"
#undef main
#ifdef __clang__
#pragma clang attribute pop
#endif

__attribute__((target("no-bmi2"))) int main(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("bmi2") ? test_draws() : 0;
}
#else
int main(void)
{
    return 0;
}
#endif
