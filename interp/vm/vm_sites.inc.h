/* A part of the loop (vm_loop.inc.h): sets of sites, geometry, the board. */
    /* ---- sets of sites ---- */
    SETS(SAND, set_and(SR(B), SR(C)))
    SETS(SOR, set_or(SR(B), SR(C)))
    SETS(SSUB, set_sub(SR(B), SR(C)))
    SETS(SNOT, set_sub(board_all(FIXED), SR(B)))
    SETS_AT(SBIT, set_one((uint64_t)site))
    CASE(SADD)
    {
        int64_t site = IR(B);
        SITE_OR(site, ELSE_NEXT(SADD));
        set_add(&SR(A), (uint64_t)site);
        NEXT(SADD);
    }
    AT_SITE(SHAS, 0, set_has(&SR(C), (uint64_t)site))
    NUMBER(SCOUNT, set_count(SR(B)))
    NUMBER(SEQ, set_equal(SR(B), SR(C)))
    NUMBER(SLE, !set_some(set_sub(SR(B), SR(C))))
    NUMBER(SSOME, set_some(SR(B)))
    NUMBER(SMEETS, set_meets(SR(B), SR(C)))
    CASE(COVERS)
    {
        const fzi_set_rows *t = &FIXED->set_rows[X(1)];
        IR(A) = set_covers(SR(B), t->at, t->count);
        (void)SPEND(t->count / 16);
        NEXT(COVERS);
    }
    NUMBER(SFIRST, set_first(SR(B)))
    NUMBER(SLAST, set_last(SR(B)))
    NUMBER(SONLY, set_only(SR(B)))

    /* ---- geometry ---- */
    CASE(SHIFT)
    {
        DIRECTION_OR(IR(C), GIVE_NONE(SHIFT));
        SR(A) = geo_shift(PROG->topology, SR(B), (uint64_t)IR(C));
        NEXT(SHIFT);
    }
    SETS(SHIFT_GIVEN, geo_shift(PROG->topology, SR(B), C))
    SETS(STEP, geo_step(PROG->topology, SR(B), (uint64_t)IR(C) & FIXED->dir_mask))
    CASE(STEP_BACK)
    {
        const fzi_set_rows *t = &FIXED->set_rows[X(2)];
        uint64_t c = (uint64_t)IR(C);
        if (c >= t->count || c * FZ_SHAPE_STEPS >= t->count) {
            if (IR(C) != -1)
                goto no_index;
            GIVE_NONE(STEP_BACK);
        }
        SR(A) = geo_step_back(SR(B), FIXED->int_rows[X(1)].at + c * FZ_SHAPE_STEPS,
                             t->at + c * FZ_SHAPE_STEPS * FZ_W);
        NEXT(STEP_BACK);
    }
    CASE(SLIDE)
    {
        fzi_set from = SR(B), through = SR(BYTE(0)), out = set_none();
        uint64_t dirs = (uint64_t)IR(C) & FIXED->dir_mask;
        int64_t most = IR(BYTE(1));
        while (set_some(from))
            out = set_or(out,
                         geo_slide(PROG->topology, (uint64_t)set_take(&from), dirs, through, most));
        SR(A) = out;
        NEXT(SLIDE);
    }
    CASE(LEAP)
    {
        fzi_set from = SR(B), out = set_none();
        while (set_some(from))
            fzi_ride(m->program->topology, (int)set_take(&from), IR(C), IR(BYTE(0)), NULL, out.w);
        SR(A) = out;
        NEXT(LEAP);
    }
    CASE(RIDE)
    {
        fzi_set from = SR(B), through = SR(BYTE(1)), out = set_none();
        while (set_some(from))
            fzi_ride(m->program->topology, (int)set_take(&from), IR(C), IR(BYTE(0)), through.w,
                     out.w);
        SR(A) = out;
        NEXT(RIDE);
    }
    CASE(RAY)
    {
        int64_t site = IR(B), dir = IR(C);
        SITE_OR(site, GIVE_NONE(RAY));
        DIRECTION_OR(dir, GIVE_NONE(RAY));
        SR(A) = set_at(PROG->topology->rays +
                      ((uint64_t)site * PROG->board.dir_count + (uint64_t)dir) * FZ_W);
        NEXT(RAY);
    }
    CASE(FLOOD)
    {
        (void)SPEND(PROG->board.site_count / 16);
        SR(A) = geo_flood_grown(PROG->topology, m, SR(B), SR(C),
                                (uint64_t)IR(BYTE(0)) & FIXED->dir_mask);
        NEXT(FLOOD);
    }
    CASE(BETWEEN)
    {
        int64_t from = IR(B), to = IR(C);
        SITE_OR(from, GIVE_NONE(BETWEEN));
        SITE_OR(to, GIVE_NONE(BETWEEN));
        fzi_set out = set_none();
        fzi_between(m->program->topology, (int)from, (int)to, out.w);
        SR(A) = out;
        NEXT(BETWEEN);
    }
    CASE(DISTANCE)
    {
        int64_t from = IR(B), to = IR(C);
        SITE_OR(from, GIVE_NEXT(DISTANCE, -1));
        SITE_OR(to, GIVE_NEXT(DISTANCE, -1));
        IR(A) = fzi_distance(m->program->topology, (int)from, (int)to);
        NEXT(DISTANCE);
    }
    NUMBER(LINE, geo_line(PROG->topology, SR(B), IR(C), (uint64_t)IR(BYTE(0)) & FIXED->dir_mask))
    AT_SITE(LINE_AT, 0, geo_line_at(PROG->topology, (uint64_t)site, &SR(C), IR(BYTE(0)),
                                    (uint64_t)IR(BYTE(1)) & FIXED->dir_mask))
    AT_SITE(LINE_AT_GIVEN, 0, geo_line_given((uint64_t)site, &SR(C), (int32_t)X(1),
                                             &FIXED->set_rows[X(2)], FIXED->site_count))
    CASE(CONNECTED)
    {
        (void)SPEND(PROG->board.site_count / 16);
        IR(A) = geo_connected(PROG->topology, &SR(B), &SR(C), &SR(BYTE(0)),
                              (uint64_t)IR(BYTE(1)) & FIXED->dir_mask);
        NEXT(CONNECTED);
    }
    SETS_AT(FLANKED, geo_flanked(PROG->topology, (uint64_t)site, SR(C), SR(BYTE(0)),
                                 (uint64_t)IR(BYTE(1)) & FIXED->dir_mask))
    SETS(FLANKING, geo_flanking_known(PROG->topology, &m->flanking, SR(B), SR(C), SR(BYTE(0)),
                                      (uint64_t)IR(BYTE(1)) & FIXED->dir_mask))

    /* ---- the board ---- */
    CASE(OWNED)
    {
        OWNER_CHECK(IR(B));
        SR(A) = *board_own(FIXED, block, IR(B));
        NEXT(OWNED);
    }
    CASE(OF_KIND)
    CASE(OF)
    {
        fzi_set set = set_none();
        if ((uint64_t)IR(B) + 1 > FIXED->kind_count)
            FAULT("there is no such kind of piece");
        if (IR(B) >= 0)
            set = board_of_kind(FIXED, block, IR(B));
        if (OPCODE == FZ_OP_OF) {
            OWNER_CHECK(IR(C));
            set = set_and(set, *board_own(FIXED, block, IR(C)));
        }
        SR(A) = set;
        NEXT(OF);
    }
    CASE(OF_GIVEN)
    {
        OWNER_CHECK(IR(C));
        SR(A) = set_and(board_of_kind(FIXED, block, B), *board_own(FIXED, block, IR(C)));
        NEXT(OF_GIVEN);
    }
    SETS(OCCUPIED, board_occupied(FIXED, block))
    SETS(EMPTY, board_free(FIXED, block))
    AT_SITE(KIND, -1, board_kind_at(FIXED, block, (uint64_t)site))
    AT_SITE(OWNER, -1, board_owner_at(FIXED, block, (uint64_t)site))
    CASE(PUT)
    {
        KIND_CHECK("put", IR(B));
        OWNER_CHECK(IR(C));
        fzi_set sites = SR(A);
        if (FIXED->carries)
            fzi_carried_reset_set(m, STATE, sites.w);
        board_clear(FIXED, block, sites);
        board_set(FIXED, block, sites, IR(B), IR(C));
        NEXT(PUT);
    }
    PUT_AT(PUT1, KIND_CHECK("put", IR(B)), IR(B))
    PUT_AT(PUT1_GIVEN, (void)0, B)
    CASE(TAKE)
    {
        fzi_set sites = SR(A);
        if (FIXED->carries)
            fzi_carried_reset_set(m, STATE, sites.w);
        board_clear(FIXED, block, sites);
        NEXT(TAKE);
    }
    CASE(TAKE1)
    {
        int64_t site = IR(A);
        SITE_OR(site, ELSE_NEXT(TAKE1));
        if (FIXED->carries)
            fzi_carried_reset(m, STATE, (unsigned)site);
        board_clear1(FIXED, block, (uint64_t)site);
        NEXT(TAKE1);
    }
    CASE(MOVE)
    {
        int64_t from = IR(A), to = IR(B);
        SITE_OR(from, ELSE_NEXT(MOVE));
        SITE_OR(to, ELSE_NEXT(MOVE));
        if (board_move(FIXED, block, (uint64_t)from, (uint64_t)to) && FIXED->carries)
            fzi_carried_move(m, STATE, (unsigned)from, (unsigned)to);
        NEXT(MOVE);
    }
    CASE(SWAP)
    {
        int64_t one = IR(A), other = IR(B);
        SITE_OR(one, ELSE_NEXT(SWAP));
        SITE_OR(other, ELSE_NEXT(SWAP));
        uint8_t first = FZ_BLOCK_AT(FIXED, block, one), second = FZ_BLOCK_AT(FIXED, block, other);
        board_recode(FIXED, block, (uint64_t)one, second);
        board_recode(FIXED, block, (uint64_t)other, first);
        if (FIXED->carries)
            fzi_carried_swap(m, STATE, (unsigned)one, (unsigned)other);
        NEXT(SWAP);
    }
    CASE(BECOME)
    {
        int64_t site = IR(A);
        SITE_OR(site, ELSE_NEXT(BECOME));
        KIND_CHECK("become", IR(B));
        uint8_t there = FZ_BLOCK_AT(FIXED, block, (uint64_t)site);
        if (there)
            board_recode(FIXED, block, (uint64_t)site,
                         board_code(FIXED, IR(B), FIXED->owner_of[there]));
        NEXT(BECOME);
    }
    CASE(GIVE)
    {
        fzi_set sites = set_and(SR(A), board_occupied(FIXED, block));
        OWNER_CHECK(IR(B));
        if (!FIXED->layout.at) { /* there is one kind, and nothing but the owner changes */
            for (unsigned o = 0; o <= FIXED->player_count; o++)
                *board_own(FIXED, block, o) = set_sub(*board_own(FIXED, block, o), sites);
            *board_own(FIXED, block, IR(B)) = set_or(*board_own(FIXED, block, IR(B)), sites);
            NEXT(GIVE);
        }
        while (set_some(sites)) {
            uint64_t site = (uint64_t)set_take(&sites);
            uint8_t there = FZ_BLOCK_AT(FIXED, block, site);
            board_recode(FIXED, block, site, there && FIXED->kind_of[there] >= 0
                                             ? board_code(FIXED, FIXED->kind_of[there], IR(B)) : 0);
        }
        NEXT(GIVE);
    }
    CASE(PHANTOM)
    {
        int64_t site = IR(B);
        SITE_OR(site, GIVE_NEXT(PHANTOM, 0));
        OWNER_CHECK(IR(C));
        IR(A) = board_phantom(FIXED, block, (uint64_t)site, IR(C));
        NEXT(PHANTOM);
    }
    CASE(UNPHANTOM)
    {
        int64_t site = IR(B);
        SITE_OR(site, ELSE_NEXT(UNPHANTOM));
        board_unphantom(FIXED, block, (uint64_t)site, IR(A));
        NEXT(UNPHANTOM);
    }

    /* ---- stacks of pieces ---- */
    AT_SITE(HEIGHT, 0, stack_height(FIXED, block, (uint64_t)site))
    AT_SITE(KIND_IN, -1, FIXED->kind_of[stack_code(FIXED, block, (uint64_t)site, IR(C))])
    AT_SITE(OWNER_IN, -1, FIXED->owner_of[stack_code(FIXED, block, (uint64_t)site, IR(C))])
    MOVE_STACK(STACK, false)
    MOVE_STACK(TUCK, true)
    CASE(PULL)
    {
        int64_t site = IR(A);
        SITE_OR(site, ELSE_NEXT(PULL));
        fzi_stack_pull(m, STATE, (unsigned)site, IR(B));
        NEXT(PULL);
    }
    CASE(PUT_ON)
    {
        fzi_set sites = SR(A);
        KIND_CHECK("put", IR(B));
        OWNER_CHECK(IR(C));
        if (!fzi_stack_put(m, STATE, sites.w, IR(B), IR(C)))
            FAULT("more pieces on a site than 'stacks up to' allows");
        NEXT(PUT_ON);
    }
