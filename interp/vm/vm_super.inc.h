/* A part of the loop (vm_loop.inc.h), and of no other engine: superinstructions. `ip` goes on with
 * the instructions that they stand for, so operands, faults and jumps are those of the instruction
 * at hand. DISPATCH() leaves it, and what follows, to the plain instructions. */
    /* ---- phases ---- */
/* At the RETURN of a turn, in a run that plays. */
#define END_TURN()                                                                                \
    do {                                                                                          \
        if (__builtin_expect(!FIXED->end.code, 0))                                                \
            goto turn_end;                                                                        \
        H->pendings = 0;                                                                          \
        H->phase = FZ_PHASE_END;                                                                  \
        START_NEXT(end);                                                                          \
    } while (0)
    CASE(RETURN_TURN)
    {
        if (__builtin_expect(run->mode != FZ_RUN_PLAY, 0))
            PLAIN(RETURN);
        END_TURN();
    }
    CASE(RETURN_END)
    {
        if (__builtin_expect(run->mode != FZ_RUN_PLAY, 0))
            PLAIN(RETURN);
        H->pendings = 0;
        if (__builtin_expect(H->turns >= FIXED->last_turn, 0))
            goto end_end;
        if (__builtin_expect(H->out | run->notes, 0) ||
            __builtin_expect(H->turns >= run->turn_stop || H->idle >= m->limits.idle_turns, 0))
            goto begin_turn;
        H->mover = H->next_mover;
        TURN_BEGINS(FIXED->player_count);
        H->idle++;
        H->phase = FZ_PHASE_TURN;
        START_NEXT(turn);
    }

    /* ---- decisions ---- */
#define CHOOSE_MOVER(clear)                                                                       \
    do {                                                                                          \
        int64_t mover = H->mover;                                                                 \
        IR(A) = mover;                                                                            \
        ip += FZ_LENGTH_MOVER;                                                                    \
        if (__builtin_expect((uint64_t)mover >= FIXED->player_count, 0))                          \
            DISPATCH();                                                                           \
        clear;                                                                                    \
        if ((m->budget -= 8) < 0)                                                                 \
            goto exhausted;                                                                       \
        H->decider = (int8_t)mover;                                                               \
        NEXT(CHOOSE);                                                                             \
    } while (0)
#define CLEAR_LIST()                                                                              \
    do {                                                                                          \
        if (__builtin_expect(!LIST, 0))                                                           \
            DISPATCH();                                                                           \
        fzi_move_list_clear(LIST, X(1));                                                          \
    } while (0)
    CASE(MOVER_CHOOSE) { CHOOSE_MOVER(CLEAR_LIST()); }
    CASE(MOVER_CHOOSE_ONE) { CHOOSE_MOVER(if (!run->draws) CLEAR_LIST()); }
/* The list that a CHOOSE before has not cleared: the moves are listed. */
#define LIST_AFTER_ALL()                                                                          \
    do {                                                                                          \
        if (!LIST && !SET_LIST(fzi_move_list_push(m)))                                            \
            goto failed;                                                                          \
        fzi_move_list_clear(LIST, FIXED->options[X(1)].choice);                                   \
    } while (0)
/* At an EMIT_SET with all moves of the choice, of the set. */
#define DRAW_FROM(set)                                                                            \
    do {                                                                                          \
        if (__builtin_expect(run->draws, 1)) {                                                    \
            uint32_t count = set_count(set);                                                      \
            if (__builtin_expect(count && run->plies && !H->pendings, 1)) {                       \
                const fzi_loop_option *from = &FIXED->options[X(1)];                              \
                run->legal_move_sum += count;                                                     \
                uint32_t index = fzi_chance_below(H->key, &H->counter, count);                    \
                DECIDED();                                                                        \
                BIND(from, fzi_words_select((set).w, index, FZ_W));                               \
            }                                                                                     \
        }                                                                                         \
        LIST_AFTER_ALL();                                                                         \
        PLAIN(EMIT_SET);                                                                          \
    } while (0)
    CASE(SET_DRAW)
    {
        fzi_set set = SR(A);
        DRAW_FROM(set);
    }
/* The whole turn: the mover puts a mark on an empty site, drawn from all. */
#define DRAW_MARK(note)                                                                           \
    do {                                                                                          \
        enum { BEFORE = FZ_LENGTH_MOVER + FZ_LENGTH_CHOOSE + FZ_LENGTH_EMPTY };                   \
        int64_t mover = H->mover;                                                                 \
        fzi_set *empty = board_empty(FIXED, block);                                               \
        uint32_t count = set_count(*empty);                                                       \
        if (__builtin_expect(!(run->draws && count && run->plies && !H->pendings &&               \
                               m->budget >= 8 && (uint64_t)mover < FIXED->player_count),          \
                             0))                                                                  \
            PLAIN(MOVER);                                                                         \
        ip += BEFORE;                                                                             \
        run->legal_move_sum += count;                                                             \
        H->decider = (int8_t)mover;                                                               \
        uint32_t index = fzi_chance_below(H->key, &H->counter, count);                            \
        uint32_t site = fzi_words_select(empty->w, index, FZ_W);                                  \
        DECIDED();                                                                                \
        note;                                                                                     \
        set_drop(empty, site);                                                                    \
        set_add(&FZ_BLOCK_OWN(FIXED, block, mover), site);                                        \
        END_TURN();                                                                               \
    } while (0)
    CASE(MARK_TURN) { DRAW_MARK((void)0); }
    CASE(LAST_MARK_TURN)
    {
        DRAW_MARK(H->last_from = (int16_t)CODE[FIXED->options[X(1)].effect + 1];
                  H->last_to = (int16_t)site);
    }
/* Steps: all that a choice lists, among the machine's. */
#define DRAWS_STEPS() __builtin_expect(run->draws && run->plies && !H->pendings, 1)
#define BEGIN_STEPS() (m->step_words = m->step_moves = 0)
#define DRAW_STEP(name)                                                                           \
    do {                                                                                          \
        if (__builtin_expect(!m->step_moves, 0)) {                                                \
            LIST_AFTER_ALL();                                                                     \
            NEXT(name);                                                                           \
        }                                                                                         \
        const fzi_loop_option *option = &FIXED->options[X(1)];                                    \
        run->legal_move_sum += m->step_moves;                                                     \
        op_draw_step(m, block, I + option->first);                                                \
        DECIDED();                                                                                \
        GO(option->effect);                                                                       \
    } while (0)
    CASE(STEPS)
    {
        BEGIN_STEPS();
        if (DRAWS_STEPS() && op_more_steps(m, ip, I, S))
            NEXT(EMIT_SHIFTS);
        LIST_AFTER_ALL();
        PLAIN(EMIT_SHIFTS);
    }
    CASE(STEPS_DRAW)
    {
        BEGIN_STEPS();
        if (DRAWS_STEPS() && op_more_steps(m, ip, I, S))
            DRAW_STEP(EMIT_SHIFTS);
        LIST_AFTER_ALL();
        PLAIN(EMIT_SHIFTS);
    }
    CASE(MORE_STEPS)
    {
        if (!DRAWS_STEPS())
            PLAIN(ALSO_SHIFTS);
        if (op_more_steps(m, ip, I, S))
            NEXT(ALSO_SHIFTS);
        goto steps_failed;
    }
    CASE(MORE_STEPS_DRAW)
    {
        if (!DRAWS_STEPS())
            PLAIN(ALSO_SHIFTS);
        if (op_more_steps(m, ip, I, S))
            DRAW_STEP(ALSO_SHIFTS);
    steps_failed:
        LIST_AFTER_ALL();
        if (m->step_moves != UINT32_MAX)
            PLAIN(ALSO_SHIFTS);
        LIST->full = true;
        goto list_full;
    }
    CASE(STEPS_LISTED)
    {
        const fzi_set_rows *t = &FIXED->set_rows[X(3)];
        fzi_set *from = &SR(A);
        if (!set_some(*from))
            NEXT(EMIT_SHIFTS);
        uint64_t c = (uint64_t)IR(C), row = c * FZ_SHAPE_STEPS;
        if (__builtin_expect(!LIST || c >= t->count || row >= t->count, 0))
            PLAIN(EMIT_SHIFTS);
        LIST_DONE(EMIT_SHIFTS, op_emit_shifts(LIST, &FIXED->options[X(1)], BOUND(), from, &SR(B),
                                              FIXED->int_rows[X(2)].at + row,
                                              t->at + row * FZ_W, false));
    }
    CASE(DECIDE_PLAIN)
    {
        const fzi_move_list *list = LIST;
        if (__builtin_expect(run->mode != FZ_RUN_PLAY || !run->plies || !list || run->log ||
                             list->choice != X(1) || !list->total || H->pendings, 0))
            PLAIN(DECIDE);
        run->legal_move_sum += list->total;
        uint32_t index = fzi_chance_below(H->key, &H->counter, list->total);
        const fzi_loop_option *option = op_take_move(FIXED->options, list, index, I);
        DECIDED();
        if (__builtin_expect(option->choice != X(1), 0))
            FAULT("a move of another choice");
        GO(option->effect);
    }
/* An INT, then a SET_LAST_MOVE that it begins. */
#define NOTE_LAST()                                                                               \
    do {                                                                                          \
        IR(A) = (int32_t)X(1);                                                                    \
        H->last_from = (int16_t)X(1);                                                             \
        ip += FZ_LENGTH_INT;                                                                      \
        if (__builtin_expect(run->mode == FZ_RUN_SITES, 0))                                       \
            DISPATCH();                                                                           \
        H->last_to = (int16_t)IR(B);                                                              \
    } while (0)
    CASE(INT_LAST)
    {
        NOTE_LAST();
        NEXT(SET_LAST_MOVE);
    }

    /* ---- pieces and lines ---- */
/* At a PUT1_GIVEN; `then`: how it goes on. */
#define PUT_THE_MARK(then)                                                                        \
    do {                                                                                          \
        uint64_t site = (uint64_t)IR(A), owner = (uint64_t)IR(C);                                 \
        fzi_set *empty = board_empty(FIXED, block);                                               \
        if (__builtin_expect(owner >= FIXED->player_count || site >= FIXED->site_count, 0) ||     \
            __builtin_expect(!set_has(empty, site), 0))                                           \
            PLAIN(PUT1_GIVEN);                                                                    \
        set_drop(empty, site);                                                                    \
        set_add(&FZ_BLOCK_OWN(FIXED, block, owner), site);                                        \
        then;                                                                                     \
    } while (0)
    CASE(PUT_MARK) { PUT_THE_MARK(NEXT(PUT1_GIVEN)); }
    CASE(INT_LAST_MARK)
    {
        NOTE_LAST();
        ip += FZ_LENGTH_SET_LAST_MOVE;
        PUT_THE_MARK(NEXT(PUT1_GIVEN));
    }
    CASE(INT_LAST_MARK_TURN)
    {
        NOTE_LAST();
        ip += FZ_LENGTH_SET_LAST_MOVE;
        if (__builtin_expect(run->mode != FZ_RUN_PLAY, 0))
            DISPATCH();
        PUT_THE_MARK(END_TURN());
    }
    CASE(MOVE_TURN)
    {
        uint64_t from = (uint64_t)IR(A), to = (uint64_t)IR(B);
        if (__builtin_expect(run->mode != FZ_RUN_PLAY || from >= FIXED->site_count ||
                             to >= FIXED->site_count, 0))
            PLAIN(MOVE);
        if (board_move(FIXED, block, from, to) && FIXED->carries)
            fzi_carried_move(m, STATE, (unsigned)from, (unsigned)to);
        ip += FZ_LENGTH_MOVE;
        END_TURN();
    }
    CASE(EMPTY_KEPT)
    {
        SR(A) = *board_empty(FIXED, block);
        NEXT(EMPTY);
    }
    CASE(EMPTY_JUMP)
    {
        const fzi_set *empty = board_empty(FIXED, block);
        SR(A) = *empty;
        ip += FZ_LENGTH_EMPTY;
        AHEAD_IF(JSSOME, set_some(*empty), X(1));
    }
    CASE(TABLE_OWNED)
    {
        const fzi_int_row *t = &FIXED->int_rows[X(1)];
        uint64_t index = (uint64_t)IR(B);
        if (__builtin_expect(index >= t->length, 0))
            PLAIN(TABLE);
        int64_t owner = t->at[index];
        IR(A) = owner;
        ip += FZ_LENGTH_TABLE;
        OWNER_CHECK(owner);
        SR(A) = *board_own(FIXED, block, owner);
        NEXT(OWNED);
    }
/* At a LINE_AT_GIVEN and a JFALSE. */
#define LINE_OR_JUMP(set)                                                                         \
    do {                                                                                          \
        int64_t site = IR(B);                                                                     \
        if (__builtin_expect((uint64_t)site >= FIXED->site_count, 0))                             \
            PLAIN(LINE_AT_GIVEN);                                                                 \
        bool line = geo_line_given((uint64_t)site, set, (int32_t)X(1), &FIXED->set_rows[X(2)],    \
                                   FIXED->site_count);                                            \
        IR(A) = line;                                                                             \
        ip += FZ_LENGTH_LINE_AT_GIVEN;                                                            \
        AHEAD_IF(JFALSE, !line, X(1));                                                            \
    } while (0)
    CASE(LINE_JUMP) { LINE_OR_JUMP(&SR(C)); }
/* At an OWNED before it. The set itself is read: a load of the copy would have to wait. */
#define OWNED_LINE_OR_JUMP()                                                                      \
    do {                                                                                          \
        OWNER_CHECK(IR(B));                                                                       \
        const fzi_set *own = board_own(FIXED, block, IR(B));                                      \
        SR(A) = *own;                                                                             \
        ip += FZ_LENGTH_OWNED;                                                                    \
        LINE_OR_JUMP(own);                                                                        \
    } while (0)
    CASE(OWNED_LINE) { OWNED_LINE_OR_JUMP(); }
    CASE(LAST_OWNED_LINE)
    {
        IR(A) = H->last_from;
        IR(B) = H->last_to;
        ip += FZ_LENGTH_LAST;
        OWNED_LINE_OR_JUMP();
    }
    CASE(COVERS_JUMP)
    {
        const fzi_set_rows *t = &FIXED->set_rows[X(1)];
        bool covers = set_covers(SR(B), t->at, t->count);
        m->budget -= t->count / 16;
        IR(A) = covers;
        ip += FZ_LENGTH_COVERS;
        AHEAD_IF(JFALSE, !covers, X(1));
    }
    CASE(INT_OF_KIND)
    {
        int64_t kind = (int32_t)X(1);
        IR(A) = kind;
        ip += FZ_LENGTH_INT;
        SR(A) = board_of_kind(FIXED, block, kind);
        NEXT(OF_KIND);
    }
    CASE(INT_JNE)
    {
        int64_t number = (int32_t)X(1);
        IR(A) = number;
        ip += FZ_LENGTH_INT;
        AHEAD_IF(JNE, IR(A) != number, X(1));
    }
