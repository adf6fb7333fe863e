/* The function of a turn in the C that native/generate_count.c writes. */
#undef SR_
#define SR_(n) s##n
/* The turn that is over is counted. */
#undef PLAYOUT_LEAVE
#define PLAYOUT_LEAVE(flow)                                                                       \
    do {                                                                                          \
        if ((flow) == FLOW_ON || (flow) == FLOW_STOP)                                             \
            goto done;                                                                            \
        if ((flow) == FLOW_OVER)                                                                  \
            goto over;                                                                            \
        return FLOW_FAIL;                                                                         \
    } while (0)
