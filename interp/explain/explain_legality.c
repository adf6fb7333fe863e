/* Says why a text is a legal move or not. Candidates are gathered without their filters and written
 * like moves; a candidate with the same text shows which option makes it, and trying it filter by
 * filter shows which clause rejects it. Otherwise: is it a move of a choice that is not reached,
 * does a condition exclude it, or is it near to a legal one? */
#include "explain.h"
#include "interp/text/notation.h"

enum { MAX_TEXT = 60 };

/* ---- places ---- */

/* "<before> at game.game:12:3", and the excerpt below. */
static void add_place(fzi_question *q, const char *before, const fz_place *place)
{
    char where[256];
    fzi_place_text(q->program, place, where, sizeof where);
    fzi_buffer_format(&q->out, "%s%s%s\n", before, *where ? " at " : "", where);
    if (!fzi_placed_text(q->program, place))
        return;
    fzi_buffer_text(&q->out, "    ");
    fzi_add_source(q->program, place, 76, " ...", &q->out);
    fzi_buffer_char(&q->out, '\n');
}

static void add_option(fzi_question *q, const char *before, uint32_t option)
{
    add_place(q, before, &q->program->places[q->program->options[option].place]);
}

/* ---- texts of moves ---- */

/* The next move of the list that reads like the text. */
static bool find_alike(fzi_question *q, const fz_state *state, const fzi_move_list *list,
                       fzi_cursor *cursor, fz_move *move)
{
    while (fzi_move_list_next(list, cursor, list->segment_count, move))
        if (fzi_reads_alike(q, state, move, q->text))
            return true;
    return false;
}

/* ---- legal ---- */

static bool explain_legal(fzi_question *q)
{
    fzi_cursor cursor = FZI_CURSOR_AT(0);
    fz_move move, real;
    bool found = find_alike(q, q->state, &q->legal->list, &cursor, &move);
    /* "a1#2" means the second of the moves that read alike. */
    bool numbered = !found && fz_move_parse(q->machine, q->state, q->text, &move) == FZ_OK;
    if (!found && !numbered)
        return false;
    /* Who decides is shown the legal moves; of those of others nothing is told. */
    if (q->whole && q->player == fz_state_decider(q->whole) &&
        fz_move_parse(q->machine, q->whole, q->text, &real) != FZ_OK) {
        fzi_buffer_format(&q->out, "'%s' is not legal: something that %s does not know forbids "
                          "it.\n", q->text, fz_program_player_name(q->program, q->player));
        return true;
    }
    fzi_buffer_format(&q->out, "'%s' is legal.\n", q->text);
    add_option(q, "It is made by the option", move.option);
    for (unsigned i = 2; found && find_alike(q, q->state, &q->legal->list, &cursor, &move); i++) {
        enum { MOST_SHOWN = 120 };
        char before[2 * MOST_SHOWN];
        snprintf(before, sizeof before,
                 "Another move reads alike, '%.*s#%u': it is made by the option", MOST_SHOWN,
                 q->text, i);
        add_option(q, before, move.option);
    }
    return true;
}

/* ---- rejected by a filter ---- */

/* Plays the candidate until the filter at `base` is judged, as tries do. If it fails, `*judged` is
 * the state in which it does, to be freed; NULL if memory is short. */
static fzi_end try_until(fzi_question *q, const fz_state *state, const fz_move *move,
                         uint32_t base, fz_state **judged)
{
    fz_state *scratch = fzi_scratch_copy(q->machine, state);
    if (!scratch)
        return FZ_END_ERROR;
    fzi_move_apply(q->machine, scratch, move);
    fzi_run run = fzi_run_of(q->machine, scratch, FZ_RUN_TRY);
    run.decider = fzi_head_of(state)->decider;
    run.base = base;
    q->machine->budget = (int64_t)q->machine->limits.instructions;
    fzi_end end = fzi_machine_run(q->machine, &run);
    q->machine->scratch_depth--;
    *judged = end == FZ_END_FAIL ? fz_state_clone(scratch) : NULL;
    return end;
}

/* "because ...": what makes the filter fail in that state; nothing in a program without reasons.
 * Forgets the machine's scratch states. */
static void add_because(fzi_question *q, const fz_state *judged, uint32_t frame, uint32_t number)
{
    const fz_program *program = q->program;
    const fz_filter *filter = &program->filters[number];
    const fz_option_info *first = &program->options[program->choices[filter->choice].first_option];
    fzi_buffer clauses = fzi_buffer_in(q->machine->allocator);
    fzi_explained scene = {.machine = q->machine, .state = judged, .frame = frame, .out = &clauses,
                       .known = (1u << FZ_MAX_BINDINGS) - 1};

    if (filter->reason && judged) {
        const uint64_t *values = fzi_frames_of(judged) + frame + FZ_FRAME_HEADER + first->first;
        for (unsigned i = 0; i < FZ_MAX_BINDINGS; i++)
            scene.slots[i] = (int64_t)values[i];
        fzi_why_false(&scene, filter->reason);
        if (clauses.length)
            fzi_buffer_format(&q->out, "    because %s\n", fzi_buffer_get(&clauses));
    }
    fzi_buffer_free(&clauses);
}

/* The end of a filter's code: its place is that of the whole clause. */
static uint32_t verdict_of(const fz_program *program, uint32_t pc)
{
    while (pc < program->code_length && FZ_CODE_OP(program->code[pc]) != FZ_OP_FILTER_END)
        pc += fzi_opcode_length(FZ_CODE_OP(program->code[pc]));
    return pc;
}

static void add_filter(fzi_question *q, const char *before, uint32_t filter)
{
    uint32_t pc = verdict_of(q->program, q->program->filters[filter].code);

    add_place(q, before, fzi_program_place(q->program, pc));
}

/* Names the first filter, from the innermost out, that the candidate does not pass: first its
 * option's own, then those that are pending from choices before. */
static void explain_rejected(fzi_question *q, const fz_state *state, const fz_move *move)
{
    const fz_program *program = q->program;
    const fz_option_info *option = &program->options[move->option];
    uint32_t pending = fzi_head_of(state)->pendings, keeping = UINT32_MAX;
    fz_state *judged;
    fzi_buffer_format(&q->out, "'%s' is not legal.\n", q->text);
    for (uint32_t base = pending + option->filters; base-- > 0;) {
        bool own = base >= pending;
        const fzi_pending *outer = own ? NULL : fzi_pending_at(state, base);
        uint32_t first = option->first_filter + option->filters - 1;
        uint32_t filter = own ? program->filter_lists[first - (base - pending)] : outer->filter;
        if (program->filters[filter].kind != FZ_FILTER_ENSURING) {
            keeping = keeping == UINT32_MAX ? filter : keeping;
        } else if (try_until(q, state, move, base, &judged) == FZ_END_FAIL) {
            add_filter(q, own ? "It is rejected by the `ensuring`"
                              : "It is rejected by the `ensuring` of an earlier choice", filter);
            add_because(q, judged, own ? fzi_head_of(state)->frame : outer->frame, filter);
            fz_state_free(judged);
            add_option(q, "It would be made by the option", move->option);
            return;
        }
    }
    if (keeping != UINT32_MAX)
        add_filter(q, "There are better moves, by the `keeping`", keeping);
    add_option(q, "It would be made by the option", move->option);
}

/* The decision's candidates, unfiltered, in a scratch state at its DECIDE; NULL when they cannot be
 * had. */
static fz_state *gather(fzi_question *q, fz_moves *candidates)
{
    fzi_machine_begin(q->machine);
    fzi_move_list_clear(&candidates->list, 0);
    fz_state *scratch = fzi_scratch_copy(q->machine, q->state);
    if (!scratch)
        return NULL;
    fzi_run run = fzi_run_of(q->machine, scratch, FZ_RUN_GATHER);
    run.list = &candidates->list;
    run.unfiltered = true;
    return fzi_machine_run(q->machine, &run) == FZ_END_LIST ? scratch : NULL;
}

/* ---- excluded by the `if` of an option ---- */

enum { MAX_EXCLUDED = 8 };

/* The condition as the option writes it. If it names a `let`, also the part of the `let`. */
static void add_condition(fzi_question *q, const fz_filter *filter)
{
    const fz_place *condition = &q->program->places[filter->condition - 1];
    const fz_place *part = fzi_program_place(q->program, verdict_of(q->program, filter->code));

    add_place(q, "but its condition is false", condition);
    if (part->source != condition->source || part->start != condition->start ||
        part->end != condition->end)
        add_place(q, "because this is false", part);
}

/* The first condition that the candidate does not meet. FZ_END_PASS: it meets all; FZ_END_ERROR: it
 * is not known. */
static fzi_end first_condition(fzi_question *q, const fz_state *state, const fz_move *move,
                               uint32_t *filter, fz_state **judged)
{
    const fz_program *program = q->program;
    const fz_option_info *option = &program->options[move->option];
    uint32_t last = fzi_head_of(state)->pendings + option->filters - 1u;
    fzi_end end = FZ_END_PASS;
    for (unsigned i = 0; i < option->filters && end == FZ_END_PASS; i++) {
        *filter = program->filter_lists[option->first_filter + i];
        if (!program->filters[*filter].condition)
            break;
        end = try_until(q, state, move, last - i, judged);
    }
    return end;
}

/* The moves of the list that read like the text, one of each option. */
static unsigned find_excluded(fzi_question *q, const fzi_move_list *list, fz_move *moves)
{
    fzi_cursor cursor = FZI_CURSOR_AT(0);
    unsigned count = 0;
    fz_move move;

    while (count < MAX_EXCLUDED && find_alike(q, q->state, list, &cursor, &move)) {
        unsigned i = 0;
        while (i < count && moves[i].option != move.option)
            i++;
        if (i == count)
            moves[count++] = move;
    }
    return count;
}

static void add_excluded(fzi_question *q, const fz_move *move, uint32_t filter,
                         const fz_state *judged, bool first)
{
    if (first)
        fzi_buffer_format(&q->out, "'%s' is not legal.\n", q->text);
    add_option(q, "It would be made by the option", move->option);
    add_condition(q, &q->program->filters[filter]);
    add_because(q, judged, fzi_head_of(q->state)->frame, filter);
}

/* Explains candidates with this text: the first that meets its conditions but that a filter
 * rejects; or all that a condition has excluded, which the explaining program lists. */
static bool explain_listed(fzi_question *q, fz_moves *candidates, bool excluded)
{
    fz_move moves[MAX_EXCLUDED];
    fz_state *state = gather(q, candidates), *judged;
    unsigned count = state ? find_excluded(q, &candidates->list, moves) : 0;
    bool found = false;
    uint32_t filter;
    for (unsigned i = 0; i < count && (excluded || !found); i++) {
        /* Candidates are tried where the list is complete, at the DECIDE, as the machine does.
         * Reasons and texts use the scratch states. */
        state = gather(q, candidates);
        judged = NULL;
        fzi_end end = state ? first_condition(q, state, &moves[i], &filter, &judged) : FZ_END_ERROR;
        if (end == FZ_END_FAIL && excluded)
            add_excluded(q, &moves[i], filter, judged, !found);
        else if (end == FZ_END_PASS && !excluded)
            explain_rejected(q, state, &moves[i]);
        found = found || end == (excluded ? FZ_END_FAIL : FZ_END_PASS);
        fz_state_free(judged);
    }
    q->machine->scratch_depth = q->machine->list_depth = 0;
    return found;
}

/* Was the explaining program made of the same text? The file may have changed since. */
static bool same_text(const fz_program *a, const fz_program *b)
{
    bool same = a->source_count == b->source_count;
    for (uint32_t i = 0; same && i < a->source_count; i++) {
        const fz_source_info *x = &a->sources[i], *y = &b->sources[i];
        same = x->text_length == y->text_length &&
               memcmp(fzi_text(a, x->text), fzi_text(b, y->text), x->text_length) == 0;
    }
    return same;
}

/* The same position in the explaining program; NULL: it cannot be had. */
static fz_state *explaining_state(fzi_question *q, fz_machine *machine)
{
    fz_state *state = fz_state_new(machine, 0, 0);
    char *text = NULL;
    bool done = state && fz_state_write(q->machine, q->state, true, &text) == FZ_OK &&
                fz_state_read(machine, state, text) == FZ_OK &&
                fz_state_waiting(state) == FZ_WAITING_MOVE &&
                fz_state_decider(state) == fz_state_decider(q->state);
    fzi_release(q->machine->allocator, text);
    if (!done)
        fz_state_free(state);
    return done ? state : NULL;
}

/* The same question to the explaining program. False: there is none, or it cannot be asked. */
static bool ask_explaining(fzi_question *q, fzi_question *other)
{
    fz_state *state = NULL;

    *other = *q;
    other->machine = NULL;
    if (!q->explaining || !same_text(q->program, q->explaining))
        return false;
    other->program = q->explaining;
    other->machine = fz_machine_new(q->explaining, &q->machine->limits);
    if (other->machine)
        other->state = state = explaining_state(q, other->machine);
    other->out = other->label = fzi_buffer_in(q->machine->allocator);
    other->legal = state ? fz_moves_new(other->machine) : NULL;
    return other->legal != NULL;
}

static void leave_explaining(fzi_question *other)
{
    if (!other->machine)
        return;
    fz_moves_free(other->legal);
    fz_state_free((fz_state *)other->state); /* made by ask_explaining */
    fz_machine_free(other->machine);
    fzi_buffer_free(&other->out);
    fzi_buffer_free(&other->label);
}

/* ---- another choice comes first ---- */

/* A copy of the state that goes on at the choice's `otherwise`, as if it had no legal move; NULL
 * when it comes to no further choice of the same player. */
static fz_state *skip_choice(fzi_question *q, const fz_state *state)
{
    const fzi_head *head = fzi_head_of(state);
    fz_state *next = fz_state_clone(state);
    fzi_run run;
    if (!next)
        return NULL;
    fzi_machine_begin(q->machine);
    const fz_state *at = fzi_state_gather(q->machine, next, &q->legal->list, &run);
    const fz_code *decide = at ? &q->program->code[fzi_head_of(at)->pc] : NULL;
    q->machine->scratch_depth = q->machine->list_depth = 0;
    if (decide && FZ_CODE_OP(*decide) == FZ_OP_DECIDE) {
        /* The registers are those of the beginning of the choice; only the place differs. */
        fzi_head_of(next)->pc = decide[2];
        bool waits = fzi_state_go(q->machine, next, 0) == FZ_OK;
        const fzi_head *then = fzi_head_of(next);
        if (waits && then->waiting == FZ_WAITING_MOVE && then->decider == head->decider &&
            then->turns == head->turns && then->phase == head->phase)
            return next;
        q->machine->scratch_depth = q->machine->list_depth = 0;
    }
    fz_state_free(next);
    return NULL;
}

/* Adds the place of the choice that the state waits at. */
static void add_choice(fzi_question *q, const char *before, const fz_state *state)
{
    const fz_program *p = q->program;
    for (uint32_t i = 0; i < p->choice_count; i++)
        if (p->choices[i].start == fzi_head_of(state)->pc) {
            add_place(q, before, &p->places[p->choices[i].place]);
            return;
        }
}

static bool explain_duty(fzi_question *q)
{
    fz_state *next = skip_choice(q, q->state);
    bool found = false;
    for (unsigned i = 0; next && i < 8 && !found; i++) {
        fzi_cursor cursor = FZI_CURSOR_AT(0);
        fz_move move;
        found = fz_state_moves(q->machine, next, q->legal) == FZ_OK &&
                find_alike(q, next, &q->legal->list, &cursor, &move);
        if (found) {
            fzi_buffer_format(&q->out, "'%s' is not legal.\n", q->text);
            add_choice(q, "There are moves that come first, those of the choice", q->state);
            add_option(q, "Only without any it would be made by the option", move.option);
        }
        fz_state *after = found ? NULL : skip_choice(q, next);
        fz_state_free(next);
        next = after;
    }
    fz_state_free(next);
    return found;
}

/* ---- the whole ---- */

static bool explain_illegal(fzi_question *q, fzi_question *other, fz_moves *candidates)
{
    return explain_listed(other ? other : q, candidates, false) || explain_duty(q) ||
           (other && (explain_listed(other, candidates, true) || fzi_explain_rules(other)));
}

static void explain(fzi_question *q)
{
    fzi_question other;
    if (fz_state_waiting(q->state) != FZ_WAITING_MOVE) {
        fzi_buffer_text(&q->out, fz_state_waiting(q->state) == FZ_GAME_OVER
                                     ? "The game is over.\n" : "Chance is waited for, no move.\n");
        return;
    }
    if (fz_state_moves(q->machine, q->state, q->legal) != FZ_OK) {
        fzi_buffer_format(&q->out, "%s\n", fz_machine_message(q->machine));
        return;
    }
    if (explain_legal(q))
        return;
    bool explains = ask_explaining(q, &other);
    fz_moves *candidates = fz_moves_new(explains ? other.machine : q->machine);
    bool done = candidates && explain_illegal(q, explains ? &other : NULL, candidates);
    if (explains)
        fzi_buffer_text(&q->out, fzi_buffer_get(&other.out));
    if (!done)
        fzi_explain_unknown(q);
    fz_moves_free(candidates);
    leave_explaining(&other);
}

const char *fz_move_why(fz_machine *machine, const fz_state *state, const char *text)
{
    return fz_move_why_with(machine, state, -1, NULL, text);
}

/* From here on the question is about what the player knows. False: memory is short. */
static bool know_less(fzi_question *q, int player)
{
    fzi_observed seen = {0};
    fz_state *base = fzi_position_new(q->state);
    bool good = base && fzi_observe(q->machine, q->state, player, base->block, &seen) == FZ_OK;

    q->player = player;
    q->whole = q->state;
    fzi_words_copy(q->unseen, seen.unseen, q->program->board.words);
    fzi_observed_clear(&seen);
    fz_state_free(base);
    q->state = good ? fz_state_clone_for(q->machine, q->whole, player) : NULL;
    return q->state;
}

const char *fz_move_why_with(fz_machine *machine, const fz_state *state, int player,
                             fz_program *explaining, const char *text)
{
    fzi_question q = {.machine = machine, .program = state->program, .state = state,
                      .explaining = explaining};
    bool part = player >= 0 && fz_program_hides(state->program);
    char trimmed[4 * MAX_TEXT];

    while (isspace((unsigned char)*text))
        text++;
    snprintf(trimmed, sizeof trimmed, "%s", text);
    for (size_t n = strlen(trimmed); n && isspace((unsigned char)trimmed[n - 1]); n--)
        trimmed[n - 1] = '\0';
    q.text = trimmed;
    q.out = q.label = fzi_buffer_in(machine->allocator);
    q.legal = fz_moves_new(machine);
    if (q.legal && (!part || know_less(&q, player)))
        explain(&q);
    fz_moves_free(q.legal);
    if (part)
        fz_state_free((fz_state *)q.state); /* made by know_less */
    fzi_machine_begin(machine);
    fzi_buffer_clear(&machine->text);
    fzi_buffer_text(&machine->text, fzi_buffer_get(&q.out));
    fzi_buffer_free(&q.out);
    fzi_buffer_free(&q.label);
    return fzi_buffer_get(&machine->text);
}
