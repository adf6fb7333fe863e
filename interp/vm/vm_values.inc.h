/* A part of the loop (vm_loop.inc.h): values, numbers, masks, jumps, calls, variables. */
    /* ---- moving values ---- */
    NUMBER(INT, (int32_t)X(1))
    NUMBER(WIDE, (int64_t)((uint64_t)X(2) << 32 | X(1)))
    NUMBER(COPY, IR(B))
    SETS(SCOPY, SR(B))
    NUMBER(REVEAL, IR(B))
    SETS(SREVEAL, SR(B))
    SETS(SNONE, set_none())
    SETS(SALL, board_all(FIXED))
    SETS(SROW, set_at(FIXED->set_rows[X(1)].at + (size_t)X(2) * FZ_W))
    LOOK_UP(TABLE, int_rows, t->length, GIVE_NEXT(TABLE, t->initial), IR(A) = t->at[index])
    LOOK_UP2(TABLE2, int_rows, t->length, GIVE_NEXT(TABLE2, t->initial), IR(A) = t->at[index])
    LOOK_UP(MTABLE, int_rows, t->length / 2, GIVE_NEXT(MTABLE, 0),
            IR(A) = fzi_mask_get(t->at + 2 * index))
    LOOK_UP2(MTABLE2, int_rows, t->length / 2, GIVE_NEXT(MTABLE2, 0),
             IR(A) = fzi_mask_get(t->at + 2 * index))
    LOOK_UP(STABLE, set_rows, t->count, GIVE_NONE(STABLE), SR(A) = set_at(t->at + index * FZ_W))
    LOOK_UP2(STABLE2, set_rows, t->count, GIVE_NONE(STABLE2),
             SR(A) = set_at(t->at + index * FZ_W))
    CASE(INDEX)
    {
        uint64_t c = (uint64_t)IR(C);
        if (IR(B) == -1 || IR(C) == -1)
            GIVE_NEXT(INDEX, -1);
        if (c >= X(1) || IR(B) < 0 || IR(B) > INT32_MAX)
            goto no_index;
        IR(A) = IR(B) * (int64_t)X(1) + IR(C);
        NEXT(INDEX);
    }
    CASE(SUNION_ROWS)
    {
        const fzi_set_rows *t = &FIXED->set_rows[X(1)];
        fzi_set from = SR(B), out = set_none();
        uint64_t c = (uint64_t)IR(C);
        if (IR(C) != -1 && set_some(from)) {
            if (c > t->count || c * X(2) + (uint64_t)set_last(from) >= t->count)
                goto no_index;
            const uint64_t *rows = t->at + c * X(2) * FZ_W;
            do
                out = set_or(out, set_at(rows + (uint64_t)set_take(&from) * FZ_W));
            while (set_some(from));
        }
        SR(A) = out;
        NEXT(SUNION_ROWS);
    }

    /* ---- integers and booleans ---- */
    PARTIAL(ADD, op_add, OVERFLOW)
    PARTIAL(SUB, op_sub, OVERFLOW)
    PARTIAL(MUL, op_mul, OVERFLOW)
    PARTIAL(DIV, op_div, IR(C) ? OVERFLOW : "division by zero")
    PARTIAL(MOD, op_mod, "division by zero")
    CASE(NEG)
    {
        int64_t result;
        if (!op_sub(&result, 0, IR(B)))
            FAULT(OVERFLOW);
        GIVE_NEXT(NEG, result);
    }
    CASE(ADDK)
    {
        int64_t result;
        if (!op_add(&result, IR(B), (int32_t)X(1)))
            FAULT(OVERFLOW);
        GIVE_NEXT(ADDK, result);
    }
    BINARY(IMIN, b < c ? b : c)
    BINARY(IMAX, b > c ? b : c)
    BINARY(EQ, b == c)
    BINARY(NE, b != c)
    BINARY(LT, b < c)
    BINARY(LE, b <= c)
    NUMBER(NOT, !IR(B))
    CASE(CHECK)
    CASE(CHECKED)
    {
        bool copy = OPCODE == FZ_OP_CHECKED;
        int64_t value = copy ? IR(B) : IR(A);
        if (value < (int32_t)X(1) || value > (int32_t)X(2)) {
            fzi_fault_format(m, "%lld is outside %d..%d", (long long)value, (int)X(1), (int)X(2));
            goto failed;
        }
        GIVE_NEXT(CHECKED, value);
    }
    NUMBER(CYCLE, op_cycle(IR(B), IR(C), (int32_t)X(1)))
    CASE(STEP_ON)
    {
        int64_t b = IR(B), c = IR(C);
        SITE_OR(b, GIVE_NEXT(STEP_ON, -1));
        DIRECTION_OR(c, GIVE_NEXT(STEP_ON, -1));
        IR(A) = PROG->board.next[c * PROG->board.site_count + b];
        NEXT(STEP_ON);
    }
    CASE(WALK)
    {
        int64_t site = IR(B), dir = IR(C), n = IR(BYTE(0));
        SITE_OR(site, GIVE_NEXT(WALK, -1));
        DIRECTION_OR(dir, GIVE_NEXT(WALK, -1));
        if (n < 0)
            GIVE_NEXT(WALK, -1);
        for (; n > 0 && site >= 0; n--) {
            if (SPEND(1) < 0)
                goto exhausted;
            site = PROG->board.next[dir * PROG->board.site_count + site];
        }
        GIVE_NEXT(WALK, site);
    }

    /* ---- masks ---- */
    CASE(MBIT)
    {
        int64_t result;
        if (!op_mbit(&result, IR(B)))
            FAULT("a number outside 0..63 in a set");
        GIVE_NEXT(MBIT, result);
    }
    BINARY(MHAS, op_mhas(b, c))
    BINARY(MAND, b & c)
    BINARY(MOR, b | c)
    BINARY(MSUB, b & ~c)
    NUMBER(MCOUNT, __builtin_popcountll((uint64_t)IR(B)))
    NUMBER(MFIRST, op_mfirst(IR(B)))
    NUMBER(MLAST, op_mlast(IR(B)))
    NUMBER(MONLY, op_monly(IR(B)))
    NUMBER(MTURN, op_mturn(IR(B), IR(C), (int32_t)X(1)))
    PARTIAL(MRANGE, op_mrange, "a number outside 0..63 in a set")

    /* ---- jumps and loops ---- */
    CASE(JUMP) { JUMP(X(1)); }
    CASE(JTRUE) { AHEAD_IF(JTRUE, IR(A), X(1)); }
    CASE(JFALSE) { AHEAD_IF(JFALSE, !IR(A), X(1)); }
    CASE(JEQ) { AHEAD_IF(JEQ, IR(A) == IR(B), X(1)); }
    CASE(JNE) { AHEAD_IF(JNE, IR(A) != IR(B), X(1)); }
    CASE(JLT) { AHEAD_IF(JLT, IR(A) < IR(B), X(1)); }
    CASE(JLE) { AHEAD_IF(JLE, IR(A) <= IR(B), X(1)); }
    CASE(JSNONE) { AHEAD_IF(JSNONE, !set_some(SR(A)), X(1)); }
    CASE(JSSOME) { AHEAD_IF(JSSOME, set_some(SR(A)), X(1)); }
    CASE(JSHAS)
    {
        int64_t site = IR(B);
        SITE_OR(site, ELSE_NEXT(JSHAS));
        AHEAD_IF(JSHAS, set_has(&SR(A), (uint64_t)site), X(1));
    }
    CASE(JSMISS)
    {
        int64_t site = IR(B);
        SITE_OR(site, AHEAD(X(1)));
        AHEAD_IF(JSMISS, !set_has(&SR(A), (uint64_t)site), X(1));
    }
    CASE(JSMEETS) { AHEAD_IF(JSMEETS, set_meets(SR(A), SR(B)), X(1)); }
    CASE(JSAPART) { AHEAD_IF(JSAPART, !set_meets(SR(A), SR(B)), X(1)); }
    CASE(EACH)
    {
        if (!set_some(SR(B)))
            AHEAD(X(1));
        IR(A) = set_take(&SR(B));
        NEXT(EACH);
    }
    CASE(MEACH)
    {
        if (!IR(B))
            AHEAD(X(1));
        int64_t mask = IR(B), least = op_mtake(&mask);
        IR(B) = mask;
        GIVE_NEXT(MEACH, least);
    }
    CASE(EACH_ON)
    {
        if (!set_some(SR(B)))
            NEXT(EACH_ON);
        IR(A) = set_take(&SR(B));
        BACK_TO(X(1));
    }
    CASE(MEACH_ON)
    {
        if (!IR(B))
            NEXT(MEACH_ON);
        int64_t mask = IR(B), least = op_mtake(&mask);
        IR(B) = mask;
        IR(A) = least;
        BACK_TO(X(1));
    }
    CASE(COUNT_UP)
    {
        IR(A) = (int64_t)((uint64_t)IR(A) + 1);
        if (IR(A) <= IR(B))
            BACK_TO(X(1));
        NEXT(COUNT_UP);
    }

    /* ---- calls ---- */
    CASE(CALL)
    {
        const fz_function *f = &PROG->functions[X(1)];
        uint32_t size = fzi_frame_size(f, FZ_W);
        if (SPEND(4) < 0)
            goto exhausted;
        SPILL();
        FRAME_ROOM(size);
        uint64_t *frame = (uint64_t *)(void *)(block + FIXED->layout.frames) + H->frame;
        uint64_t *callee = (uint64_t *)(void *)(block + FIXED->layout.frames) + H->top;
        fzi_set *sets = (fzi_set *)(void *)(callee + FZ_FRAME_HEADER + f->ints);
        set_clear_all(sets, f->set_params, FIXED->clears[X(1)]);
        PASS(f, callee + FZ_FRAME_HEADER, sets);
        callee[0] = X(1);
        callee[1] = H->frame | (uint64_t)C << 32 | (uint64_t)f->ints << 40;
        frame[0] = (uint32_t)frame[0] | (uint64_t)(PC + FZ_LENGTH_CALL) << 32;
        H->frame = H->top;
        H->top += size;
        H->depth++;
        ENTER_CALLEE(f, callee, sets);
    }
    CASE(TAILCALL)
    {
        const fz_function *f = &PROG->functions[X(1)];
        uint32_t size = fzi_frame_size(f, FZ_W);
        if (SPEND(4) < 0)
            goto exhausted;
        FRAME_ROOM(size);
        uint64_t *frame = (uint64_t *)(void *)(block + FIXED->layout.frames) + H->frame;
        uint64_t *callee = (uint64_t *)(void *)(block + FIXED->layout.frames) + H->top;
        fzi_set *sets = (fzi_set *)(void *)(callee + FZ_FRAME_HEADER + f->ints);
        set_clear_all(sets, f->set_params, FIXED->clears[X(1)]);
        PASS(f, callee + FZ_FRAME_HEADER, sets);
        callee[0] = X(1);
        callee[1] = (frame[1] & UINT64_C(0xffffffffff)) | (uint64_t)f->ints << 40;
        memmove(frame, callee, (size_t)size * 8);
        H->top = H->frame + size;
        ENTER(f->start);
    }
    CASE(RETURN)
    {
        if (IS_LOWEST())
            BOTTOM();
        LEAVE((void)0);
    }
    CASE(IRETURN)
    {
        int64_t number = IR(A);
        if (IS_LOWEST()) {
            if (run->mode == FZ_RUN_CALL)
                run->number = number;
            BOTTOM();
        }
        LEAVE(ints[result] = number);
    }
    CASE(SRETURN)
    {
        fzi_set set = SR(A);
        if (IS_LOWEST()) {
            if (run->set)
                set_write(run->set, set);
            BOTTOM();
        }
        LEAVE(sets[result] = set);
    }
    CASE(NATIVE)
    {
        const fz_native *f = &PROG->natives[X(1)];
        const char *message = "native functions are not allowed";
        int64_t result = 0;
        if (!m->native ||
            !m->native(m->native_user, X(1), REGISTERS(B), (const uint64_t *)SET_REGISTERS(C),
                                     &result, &message))
            FAULT(message);
        if (result < f->low || result > f->high)
            FAULT("the native function's result is outside its range");
        GIVE_NEXT(NATIVE, result);
    }

    /* ---- variables ---- */
    NUMBER(LOAD, *INTVAR(&FIXED->cells[X(1)]) & FIXED->cells[X(1)].keep)
    LOOK_UP(LOADX, cells, t->length, GIVE_NEXT(LOADX, t->initial),
            IR(A) = FZ_BLOCK_INT(FIXED, block, t, index) & t->keep)
    CASE(SUM_OF)
    {
        const fzi_cell *cell = &FIXED->cells[X(1)];
        fzi_set sites = SR(B);
        int64_t sum = 0;
        while (set_some(sites)) {
            uint64_t site = (uint64_t)set_take(&sites);
            if (!op_add(&sum, sum, FZ_BLOCK_INT(FIXED, block, cell, site) & cell->keep))
                FAULT(OVERFLOW);
        }
        GIVE_NEXT(SUM_OF, sum);
    }
    CASE(SABOVE)
    {
        const fzi_cell *cell = &FIXED->cells[X(1)];
        fzi_set sites = SR(B), out = set_none();
        while (set_some(sites)) {
            uint64_t site = (uint64_t)set_take(&sites);
            if ((FZ_BLOCK_INT(FIXED, block, cell, site) & cell->keep) > IR(C))
                set_add(&out, site);
        }
        SR(A) = out;
        NEXT(SABOVE);
    }
    STORE_IN(STORE, RANGE_CHECK, *INTVAR(cell) = (int32_t)value)
    STORE_AT(STOREX, RANGE_CHECK, FZ_BLOCK_INT(FIXED, block, cell, index) = (int32_t)value)
    CASE(FILL)
    {
        const fzi_cell *cell = &FIXED->cells[X(1)];
        int64_t value = IR(A);
        if (cell->is_set) { /* a `bool` array over sites kept as one set */
            *SETVAR(cell) = value ? board_all(FIXED) : set_none();
            NEXT(FILL);
        }
        RANGE_CHECK(cell, value);
        (void)SPEND(cell->length / 16);
        for (uint32_t i = 0; i < cell->length; i++)
            FZ_BLOCK_INT(FIXED, block, cell, i) = (int32_t)value;
        NEXT(FILL);
    }
    NUMBER(MLOAD, fzi_mask_get(INTVAR(&FIXED->cells[X(1)])))
    LOOK_UP(MLOADX, cells, t->length, GIVE_NEXT(MLOADX, 0),
            IR(A) = fzi_mask_get(&FZ_BLOCK_INT(FIXED, block, t, 2 * index)))
    STORE_IN(MSTORE, MEMBERS_CHECK, fzi_mask_put(INTVAR(cell), value))
    STORE_AT(MSTOREX, MEMBERS_CHECK,
             fzi_mask_put(&FZ_BLOCK_INT(FIXED, block, cell, 2 * index), value))
    CASE(MFILL)
    {
        const fzi_cell *cell = &FIXED->cells[X(1)];
        int64_t value = IR(A);
        MEMBERS_CHECK(cell, value);
        (void)SPEND(cell->length / 16);
        for (uint32_t i = 0; i < cell->length; i++)
            fzi_mask_put(&FZ_BLOCK_INT(FIXED, block, cell, 2 * (size_t)i), value);
        NEXT(MFILL);
    }
    SETS(SLOAD, *SETVAR(&FIXED->cells[X(1)]))
    LOOK_UP(SLOADX, cells, t->length, GIVE_NONE(SLOADX),
            SR(A) = FZ_BLOCK_SET(FIXED, block, t, index))
    CASE(SSTORE)
    {
        *SETVAR(&FIXED->cells[X(1)]) = SR(A);
        NEXT(SSTORE);
    }
    CASE(SSTOREX)
    {
        const fzi_cell *cell = &FIXED->cells[X(1)];
        if ((uint64_t)IR(B) < cell->length)
            FZ_BLOCK_SET(FIXED, block, cell, IR(B)) = SR(A);
        else if (IR(B) != -1)
            goto no_index;
        NEXT(SSTOREX);
    }
    CASE(SFILL)
    {
        const fzi_cell *cell = &FIXED->cells[X(1)];
        (void)SPEND(cell->length / 16);
        for (uint32_t i = 0; i < cell->length; i++)
            FZ_BLOCK_SET(FIXED, block, cell, i) = SR(A);
        NEXT(SFILL);
    }
    AT_SITE(BITLOAD, FIXED->cells[X(1)].initial,
            set_has(SETVAR(&FIXED->cells[X(1)]), (uint64_t)site))
    CASE(BITSTORE)
    {
        const fzi_cell *cell = &FIXED->cells[X(1)];
        int64_t site = IR(B);
        SITE_OR(site, ELSE_NEXT(BITSTORE));
        if (IR(A))
            set_add(SETVAR(cell), (uint64_t)site);
        else
            set_drop(SETVAR(cell), (uint64_t)site);
        NEXT(BITSTORE);
    }
