/* A part of the loop (vm_loop.inc.h): chance, and the texts of moves. */
    /* ---- chance ---- */
    CASE(SEEN)
    {
        int64_t blind = IR(B);
        IR(A) = H->blind;
        H->blind = (uint16_t)blind;
        NEXT(SEEN);
    }
    CASE(ROLL)
    {
        CHANCE_CHECK();
        if (run->mode == FZ_RUN_OUTCOMES) {
            if (!fzi_outcomes_of_die(m, X(1)))
                goto failed;
            return FZ_END_CHANCE;
        }
        CHANCE(ROLL, PC,
               op_roll(PROG->faces + PROG->dice[X(1)].first,
                       fzi_chance_below(H->key, &H->counter, FIXED->die_totals[X(1)])));
    }
    CASE(RANDOM_SITE)
    {
        fzi_set set = SR(B);
        uint32_t count = set_count(set);
        if (!count)
            GIVE_NEXT(RANDOM_SITE, -1);
        CHANCE_CHECK();
        if (run->mode == FZ_RUN_OUTCOMES) {
            while (set_some(set))
                OUTCOME(set_take(&set), 1);
            return FZ_END_CHANCE;
        }
        CHANCE(RANDOM_SITE, PC,
               fzi_words_select(set.w, fzi_chance_below(H->key, &H->counter, count), FZ_W));
    }
    CASE(RANDOM_MASK)
    {
        int64_t mask = IR(B);
        if (!mask)
            GIVE_NEXT(RANDOM_MASK, (int32_t)X(1));
        CHANCE_CHECK();
        if (run->mode == FZ_RUN_OUTCOMES) {
            while (mask)
                OUTCOME(op_mtake(&mask), 1);
            return FZ_END_CHANCE;
        }
        uint32_t count = (uint32_t)__builtin_popcountll((uint64_t)mask);
        CHANCE(RANDOM_MASK, PC,
               fzi_bit_select((uint64_t)mask, fzi_chance_below(H->key, &H->counter, count)));
    }
    CASE(RANDOM_RANGE)
    {
        int64_t low = IR(B), high = IR(C);
        if (high < low)
            GIVE_NEXT(RANDOM_RANGE, low);
        if (!int_fits(low) || !int_fits(high))
            FAULT("a random number of more than 32 bits");
        CHANCE_CHECK();
        if (run->mode == FZ_RUN_OUTCOMES) {
            if (high - low >= 1 << 20)
                FAULT("too many outcomes to list");
            for (; low <= high; low++)
                OUTCOME(low, 1);
            return FZ_END_CHANCE;
        }
        CHANCE(RANDOM_RANGE, PC,
               low + fzi_chance_below(H->key, &H->counter, (uint64_t)(high - low + 1)));
    }
    CASE(WEIGH)
    {
        m->weight_count = m->weight_base;
        NEXT(WEIGH);
    }
    CASE(WEIGHT)
    {
        if (IR(B) < 0)
            FAULT("a weight below 0");
        if (IR(B) && !fzi_weigh(m, IR(A), IR(B)))
            goto failed;
        NEXT(WEIGHT);
    }
    CASE(RANDOM_WEIGHED)
    {
        int64_t total = fzi_weigh_total(m);
        if (!total)
            GIVE_NEXT(RANDOM_WEIGHED, (int32_t)X(1));
        if (total < 0)
            FAULT("the sum of the weights has more than 32 bits");
        CHANCE_CHECK();
        if (run->mode == FZ_RUN_OUTCOMES) {
            for (uint32_t i = m->weight_base; i < m->weight_count; i++)
                OUTCOME(m->weights[i].value, (uint64_t)m->weights[i].weight);
            return FZ_END_CHANCE;
        }
        CHANCE(RANDOM_WEIGHED, X(2),
               fzi_weigh_pick(m, fzi_chance_below(H->key, &H->counter, (uint64_t)total)));
    }

    /* ---- texts of moves ---- */
    CASE(TEXT)
    {
        if (m->text.length > FZ_MAX_TEXT)
            FAULT("the text of a move is too long");
        fzi_buffer_text(&m->text, fzi_text(PROG, X(1)));
        NEXT(TEXT);
    }
    CASE(TEXT_VALUE)
    {
        if (m->text.length > FZ_MAX_TEXT)
            FAULT("the text of a move is too long");
        fzi_value_text(PROG, (uint16_t)X(1), IR(A), true, &m->text);
        NEXT(TEXT_VALUE);
    }
    CASE(TEXT_END)
    {
        if (run->mode != FZ_RUN_TEXT)
            FAULT("the end of a text where there is none");
        return FZ_END_RETURN;
    }
