/* A part of the loop (vm_loop.inc.h): the order of phases, and faults. */
    /* ---- phases ---- */
bottom: /* the lowest frame of the run has returned */
    if (__builtin_expect(run->mode != FZ_RUN_PLAY, 0)) {
        if (run->mode == FZ_RUN_CALL || run->mode == FZ_RUN_SITES)
            return FZ_END_RETURN;
        FAULT("the end of a function where there is none");
    }
phase_end:
    if (H->phase == FZ_PHASE_TURN) {
turn_end: __attribute__((unused));
        H->pendings = 0;
        H->phase = FZ_PHASE_END;
        if (PROG->end >= 0)
            START(end);
    } else if (H->phase == FZ_PHASE_SETUP) {
        H->pendings = 0;
        goto begin_turn;
    } else if (H->phase != FZ_PHASE_END) {
        FAULT("the game goes on after its limit");
    }
end_end: __attribute__((unused));
    H->pendings = 0;
    if (PROG->limit >= 0 && H->turns >= (uint32_t)PROG->limit_turns) {
        H->phase = FZ_PHASE_LIMIT;
        H->stopped = 1;
        START(limit);
    }
begin_turn:
    if (__builtin_expect(H->turns >= run->turn_stop, 0)) {
        H->phase = FZ_PHASE_READY;
        if (H->turns >= FZ_MAX_TURNS)
            FAULT("more turns than can be counted");
        return FZ_END_TURN;
    }
    if (__builtin_expect(H->out, 0)) {
        H->phase = FZ_PHASE_READY;
        int next = fzi_state_next_mover(STATE);
        if (next < 0) /* a state that failed is still read: `next_mover` stays a player */
            FAULT("every player is out");
        H->next_mover = (int8_t)next;
    }
    H->mover = H->next_mover;
    TURN_BEGINS(FIXED->player_count);
    if (++H->idle > m->limits.idle_turns) {
        H->phase = FZ_PHASE_READY;
        FAULT("too many turns in a row without a decision");
    }
    H->phase = FZ_PHASE_TURN;
    if (__builtin_expect(run->notes, 0)) {
        if (run->log)
            fzi_log_begin(run->log, block, FIXED->layout.frames);
        if (STATE->history && !fzi_note_turn(m, STATE))
            goto failed;
        if (run->body >= 0) {
            start = (uint32_t)run->body;
            run->body = FZ_NOT_THERE;
            H->pendings = 0;
            FIRST_FRAME(start);
            ENTER(PROG->functions[start].start);
        }
    }
    START(turn);
result:
    if (run->mode == FZ_RUN_SITES)
        return FZ_END_RETURN;
    if (run->mode != FZ_RUN_PLAY)
        FAULT("a result where none may be");
    H->no_legal_move &= H->phase == FZ_PHASE_TURN;
    H->phase = FZ_PHASE_OVER;
    H->waiting = FZ_GAME_OVER;
    H->pendings = 0;
    return FZ_END_OVER;
judge_all:
    return fzi_judge_all(m, run);

    /* ---- faults ---- */
no_site:
    FAULT("a site that is not on the board");
no_index:
    FAULT("an index outside of its table");
no_direction:
    FAULT("there is no such direction");
exhausted:
    FAULT("this decision takes too many instructions");
list_full:
    fzi_fault_list(m, LIST);
    goto failed;
faulted:
    m->fault_pc = UINT32_MAX;
failed:
    if (m->fault_pc == UINT32_MAX)
        m->fault_pc = AT;
    return FZ_END_ERROR;
