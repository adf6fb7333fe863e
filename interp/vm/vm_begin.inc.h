/* A part of the loop (vm_loop.inc.h): the start of a run, which may begin between turns. */
    run->draws = m->draws && run->mode == FZ_RUN_PLAY && !run->log;
    run->tries = m->tries && run->mode == FZ_RUN_PLAY && !run->log && !run->branching && !m->traced;
    run->notes = run->log || STATE->history || run->body >= 0;
    if (H->phase == FZ_PHASE_READY && run->mode == FZ_RUN_PLAY)
        goto begin_turn;
    if (H->phase == FZ_PHASE_NEW && run->mode == FZ_RUN_PLAY) {
        if (PROG->setup < 0)
            goto begin_turn;
        H->phase = FZ_PHASE_SETUP;
        if (run->log)
            fzi_log_begin(run->log, block, FIXED->layout.frames);
        START(setup);
    }
