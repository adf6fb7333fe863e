/* A part of the loop (vm_loop.inc.h): the turn and its decisions. */
    /* ---- the turn ---- */
    NUMBER(MOVER, H->mover)
    NUMBER(TURNS, H->turns)
    NUMBER(UPCOMING, H->next_mover)
    NUMBER(IS_OUT, (uint64_t)IR(B) < FIXED->player_count && H->out >> IR(B) & 1)
    NUMBER(STANDING, (uint64_t)IR(B) < FIXED->player_count ? H->rank[IR(B)] : 0)
    CASE(LAST)
    {
        IR(A) = H->last_from;
        IR(B) = H->last_to;
        NEXT(LAST);
    }
    NUMBER(REPETITIONS, REPEATED(false, 0))
    NUMBER(BOARD_REPETITIONS, REPEATED(true, 0))
    NUMBER(REPETITIONS_SINCE, REPEATED(false, IR(B)))
    CASE(NEXT)
    {
        PLAYER_CHECK(IR(A));
        H->next_mover = (int8_t)IR(A);
        NEXT(NEXT);
    }
    CASE(STOP)
    {
        IF_TRY_JUDGE();
        if (run->mode == FZ_RUN_SITES)
            return FZ_END_RETURN;
        if (run->mode != FZ_RUN_PLAY)
            FAULT("'stop' where there is no turn");
        goto phase_end;
    }
    CASE(OUT)
    {
        PLAYER_CHECK(IR(A));
        H->out |= (uint16_t)(1u << IR(A));
        NEXT(OUT);
    }
    CASE(WIN)
    {
        PLAYER_CHECK(IR(A));
        fzi_result_win(m, STATE, IR(A));
        RESULT();
    }
    CASE(LOSE)
    {
        PLAYER_CHECK(IR(A));
        if (!fzi_result_lose(m, STATE, IR(A)))
            FAULT("'lose' needs two sides");
        RESULT();
    }
    CASE(DRAW)
    {
        fzi_result_draw(m, STATE);
        RESULT();
    }
    CASE(RANK_KEY)
    {
        PLAYER_CHECK(IR(A));
        if ((uint64_t)IR(B) >= FZ_MAX_KEYS)
            goto no_index;
        if (!m->rank_keys_used)
            memset(m->rank_keys, 0, sizeof m->rank_keys);
        m->rank_keys_used = true;
        m->rank_keys[IR(A)][IR(B)] = IR(C);
        NEXT(RANK_KEY);
    }
    CASE(RANK)
    {
        fzi_result_rank(m, STATE, A);
        RESULT();
    }

    /* ---- decisions ---- */
    CASE(CHOOSE)
    {
        PLAYER_CHECK(IR(A));
        if (SPEND(8) < 0)
            goto exhausted;
        H->decider = (int8_t)IR(A);
        if (!LIST && !SET_LIST(fzi_move_list_push(m)))
            goto failed;
        fzi_move_list_clear(LIST, X(1));
        NEXT(CHOOSE);
    }
    CASE(DECIDE)
    {
        __label__ draw, wait_move, chosen, taken;
        const fz_choice *choice = &PROG->choices[X(1)];
        if (__builtin_expect(!LIST || LIST->choice != X(1), 0))
            FAULT("a choice without a list");
        if (run->mode == FZ_RUN_PLAY && !choice->filtered && !H->pendings) {
            if (!LIST->total) {
                H->no_legal_move = 1;
                AHEAD(X(2));
            }
            if (!run->plies)
                goto wait_move;
            run->legal_move_sum += LIST->total;
            goto draw;
        }
        SYNC();
        if (choice->at_once && run->tries && run->plies && !H->pendings) {
            run->seeking = FZ_SEEK_NOTHING;
            goto draw;
        }
        fzi_decision decision = fzi_decide(m, run, X(1));
        RELOAD();
        switch (decision) {
        case FZ_DECIDE_OTHERWISE:
            H->no_legal_move = 1;
            AHEAD(X(2));
        case FZ_DECIDE_DRAW: goto draw;
        case FZ_DECIDE_WAIT: goto wait_move;
        case FZ_DECIDE_PASS: return FZ_END_PASS;
        case FZ_DECIDE_FAIL: return FZ_END_FAIL;
        case FZ_DECIDE_ERROR: break;
        }
        if (run->mode == FZ_RUN_GATHER)
            return FZ_END_LIST;
        goto failed;
    draw:
        if (!run->redrawing)
            run->counter = H->counter;
        while (LIST->total || fzi_draw_again(m, run)) {
            uint32_t index = fzi_chance_below(H->key, &H->counter, LIST->total);
            uint32_t segment = PICK(index, &move);
            if ((!choice->filtered || !PROG->options[move.option].filters) && !H->pendings)
                goto chosen;
            /* Tries the move by playing it: FILTER_END returns to here or continues. */
            if (PROG->options[move.option].at_once && run->tries && !H->pendings &&
                H->plies - H->begun < m->limits.decisions) {
                if (SPEND(16) < 0)
                    goto exhausted;
                if (!fzi_trial_begin(m, run))
                    goto failed;
                run->trial = true;
                run->segment = segment;
                run->move = move;
                goto taken;
            }
            int answer = fzi_drawn(m, run, segment, &move);
            if (answer < 0)
                goto failed;
            if (answer)
                goto chosen;
        }
        /* If no move is legal, the draw has used no number of the stream: a machine that waits
         * instead of drawing must find the same stream. */
        H->counter = run->counter;
        run->redrawing = false;
        H->no_legal_move = 1;
        AHEAD(X(2));
    wait_move:
        SPILL();
        H->pc = PROG->choices[X(1)].start;
        H->waiting = FZ_WAITING_MOVE;
        return FZ_END_MOVE;
    chosen:
        if (run->log)
            fzi_log_move(run->log, &move, H->decider);
        DECIDED();
    taken:;
        const fzi_loop_option *option = &FIXED->options[move.option];
        if (__builtin_expect(option->choice != X(1), 0)) /* damaged code emitted it */
            FAULT("a move of another choice");
        TAKE(option, &move);
    }
    CASE(GROUP)
    {
        if (!LIST || LIST->group_count == FZ_MAX_GROUPS)
            FAULT("too many generators with 'keeping' inside each other");
        LIST->groups[LIST->group_count++] = LIST->segment_count;
        NEXT(GROUP);
    }
    CASE(END_GROUP)
    {
        if (!LIST || !LIST->group_count)
            FAULT("the end of a group that has not begun");
        SYNC();
        if (!fzi_group_end(m, run, X(1)))
            goto failed;
        RELOAD();
        NEXT(END_GROUP);
    }
    CASE(EMIT)
    {
        LIST_CHECK();
        LIST_DONE(EMIT, op_emit(LIST, &FIXED->options[X(1)], BOUND()));
    }
    CASE(EMIT_SET)
    {
        LIST_CHECK();
        /* All moves of the choice are in one set: draws from it without making a list. */
        if (AFTER(EMIT_SET) == FZ_OP_DECIDE && run->draws &&
            !(LIST->segment_count | H->pendings) && run->plies) {
            const fzi_loop_option *from = &FIXED->options[X(1)];
            uint32_t count = set_count(SR(A));
            if (count && from->plain && LIST->choice == from->choice) {
                run->legal_move_sum += count;
                uint32_t index = fzi_chance_below(H->key, &H->counter, count);
                DECIDED();
                BIND(from, fzi_words_select(SR(A).w, index, FZ_W));
            }
        }
        LIST_DONE(EMIT_SET, op_emit_set(LIST, &FIXED->options[X(1)], BOUND(), SR(A)));
    }
    CASE(EMIT_MASK)
    {
        LIST_CHECK();
        LIST_DONE(EMIT_MASK, op_emit_mask(LIST, &FIXED->options[X(1)], BOUND(), (uint64_t)IR(A)));
    }
    CASE(EMIT_ROWS)
    {
        LIST_CHECK();
        const fzi_set_rows *t = &FIXED->set_rows[X(2)];
        uint64_t c = (uint64_t)IR(C);
        if (IR(C) == -1 || !set_some(SR(A)))
            NEXT(EMIT_ROWS);
        if (c > t->count || c * X(3) + (uint64_t)set_last(SR(A)) >= t->count)
            goto no_index;
        LIST_DONE(EMIT_ROWS, op_emit_rows(LIST, &FIXED->options[X(1)], BOUND(), &SR(A), &SR(B),
                                          t->at + c * X(3) * FZ_W));
    }
    CASE(EMIT_SLIDES)
    {
        LIST_CHECK();
        LIST_DONE(EMIT_SLIDES,
                  op_emit_slides(LIST, &FIXED->options[X(1)], BOUND(), PROG->topology, &SR(A),
                                 &SR(B), (uint64_t)IR(C) & FIXED->dir_mask, &SR(BYTE2(0))));
    }
    CASE(EMIT_SHIFTS)
    CASE(ALSO_SHIFTS)
    {
        LIST_CHECK();
        const fzi_set_rows *t = &FIXED->set_rows[X(3)];
        bool also = OPCODE == FZ_OP_ALSO_SHIFTS;
        bool kept = AFTER(EMIT_SHIFTS) == FZ_OP_ALSO_SHIFTS || AFTER(EMIT_SHIFTS) == FZ_OP_TRACE;
        fzi_set none = set_none(), *from = &SR(A);
        uint64_t c = (uint64_t)IR(C);
        if (!also && !kept && !set_some(*from))
            NEXT(EMIT_SHIFTS);
        if (__builtin_expect(IR(C) == -1, 0)) {
            from = &none;
            c = 0;
        }
        if (c >= t->count || c * FZ_SHAPE_STEPS >= t->count)
            goto no_index;
        const int32_t *deltas = FIXED->int_rows[X(2)].at + c * FZ_SHAPE_STEPS;
        const uint64_t *valid = t->at + c * FZ_SHAPE_STEPS * FZ_W;
        if (also)
            LIST_DONE(ALSO_SHIFTS,
                      op_also_shifts(LIST, &FIXED->options[X(1)], BOUND(), from, &SR(B), deltas,
                                     valid));
        LIST_DONE(EMIT_SHIFTS,
                  op_emit_shifts(LIST, &FIXED->options[X(1)], BOUND(), from, &SR(B), deltas, valid,
                                 kept));
    }
    CASE(PEND)
    {
        if (H->pendings == FZ_MAX_PENDING)
            FAULT("too many filters are pending");
        *fzi_pending_at(STATE, H->pendings++) = (fzi_pending){H->frame, X(1)};
        NEXT(PEND);
    }
    CASE(FILTER_BEGIN)
    {
        /* Does nothing if chance or another player's decision has dropped the filter. */
        if (H->pendings) {
            fzi_pending last = *fzi_pending_at(STATE, H->pendings - 1u);
            if (last.filter == X(1) && last.frame == H->frame) {
                if (run->mode != FZ_RUN_TRY && !run->trial) {
                    H->pendings--;
                } else if (run->trial || H->pendings - 1u == run->base) {
                    run->judging = (uint8_t)(1 + PROG->filters[X(1)].kind);
                    run->behind = PC;
                    GO(PROG->filters[X(1)].code);
                } else {
                    SYNC();
                    fzi_end end = fzi_judge(m, run);
                    if (end != FZ_END_RETURN)
                        return end;
                    RELOAD();
                }
            }
        }
        NEXT(FILTER_BEGIN);
    }
    CASE(CHECK_BOUND)
    {
        int64_t keys[2 * FZ_MAX_KEYS];
        KEYS(keys, 2u * B);
        int past = fzi_keys_compare(keys, keys + B, B,
                                    PROG->filters[X(1)].kind == FZ_FILTER_KEEP_MIN);
        if (past > 0)
            FAULT("a value of this 'keeping' lies beyond its bound");
        run->reached = past == 0;
        NEXT(CHECK_BOUND);
    }
    CASE(FILTER_END)
    {
        KEYS(run->keys, B);
        run->key_count = (uint8_t)B;
        if (run->mode == FZ_RUN_VERDICT)
            return FZ_END_VERDICT;
        if (!run->judging)
            FAULT("a verdict that nobody asked for");
        if (run->trial) {
            run->judging = 0;
            if (!run->keys[0]) {
                fzi_trial_refuse(m, run);
                ENTER(fzi_head_of(STATE)->pc);
            }
            if (!--H->pendings) {
                run->trial = false;
                DECIDED();
            }
            AFTER_FILTER_BEGIN(run->behind);
        }
        return run->judging - 1 != FZ_FILTER_ENSURING || run->keys[0] ? FZ_END_PASS : FZ_END_FAIL;
    }
    CASE(SET_LAST_MOVE)
    {
        if (run->mode == FZ_RUN_SITES) {
            run->number = run->number < 0 ? IR(A) : run->number;
            run->other = run->other < 0 ? IR(B) : run->other;
            if (run->other >= 0)
                return FZ_END_RETURN;
        }
        H->last_from = (int16_t)IR(A);
        H->last_to = (int16_t)IR(B);
        NEXT(SET_LAST_MOVE);
    }
    CASE(CAN)
    {
        fzi_move_list *inner = fzi_move_list_push(m);
        if (!inner)
            goto failed;
        inner->outer = LIST;
        SET_LIST(inner);
        fzi_move_list_clear(LIST, X(1));
        NEXT(CAN);
    }
    CASE(CAN_TEST)
    {
        if (!LIST || LIST->choice != X(1))
            FAULT("a question that has not begun");
        if (LIST->total) {
            SYNC();
            int answer = fzi_can_yet(m, run);
            if (answer < 0)
                goto failed;
            RELOAD();
            if (answer)
                AHEAD(X(2));
        }
        NEXT(CAN_TEST);
    }
    CASE(CAN_END)
    {
        if (!LIST || LIST->choice != X(1) || !m->list_depth ||
            m->lists[m->list_depth - 1] != LIST)
            FAULT("the end of a question that has not begun");
        SYNC();
        int answer = fzi_can(m, run);
        if (answer < 0)
            goto failed;
        RELOAD();
        SET_LIST(LIST->outer);
        m->list_depth--;
        IR(A) = answer;
        NEXT(CAN_END);
    }
