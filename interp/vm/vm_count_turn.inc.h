/* The function of a turn in the C that native/generate_count.c writes. */
#undef SR_
#define SR_(n) s##n
#undef RESULT
#define RESULT()                                                                                  \
    do {                                                                                          \
        d->at = PC;                                                                               \
        goto over;                                                                                \
    } while (0)
#undef DRAWN
#define DRAWN() ((void)0)
#undef PLAYOUT_RETURN
#define PLAYOUT_RETURN(give)                                                                      \
    do {                                                                                          \
        d->at = PC;                                                                               \
        goto done;                                                                                \
    } while (0)
#undef PLAYOUT_CALL
#define PLAYOUT_CALL(deeper, call)                                                                \
    do {                                                                                          \
        if ((m->budget -= 4) < 0)                                                                 \
            goto exhausted;                                                                       \
        PLAYOUT_DEPTH();                                                                          \
        if (PLAYOUT_RECURSES)                                                                     \
            d->depth += deeper;                                                                   \
        playout_flow flow = call;                                                                 \
        if (__builtin_expect(flow, 0)) {                                                          \
            if (flow == FLOW_STOP)                                                                \
                goto done;                                                                        \
            if (flow == FLOW_OVER)                                                                \
                goto over;                                                                        \
            return FLOW_FAIL;                                                                     \
        }                                                                                         \
        if (PLAYOUT_RECURSES)                                                                     \
            d->depth -= deeper;                                                                   \
    } while (0)
