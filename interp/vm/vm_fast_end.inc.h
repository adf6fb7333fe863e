/* Ends what vm_fast.inc.h began. */
#if defined(FZ_FAST) && defined(__clang__)
#pragma clang attribute pop
#elif defined(FZ_FAST)
#pragma GCC pop_options
#endif
