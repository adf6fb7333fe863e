/* Why a text is a legal move or not. Candidates are gathered without their filters and written like
 * moves; a candidate that reads alike tells which option makes it, and trying it filter by filter
 * tells which clause rejects it. Else: is it a move of a choice that is not reached, does a
 * condition exclude it, or is it near to a legal one? */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "interp/ferz_tools.h"
#include "interp/program/values.h"
#include "interp/text/diagram.h"
#include "interp/text/notation.h"
#include "interp/vm/game.h"
#include "interp/vm/scratch.h"

enum { MAX_NEAREST = 6, MAX_TEXT = 60 };

typedef struct question {
    fz_machine *machine;
    const fz_program *program;
    const fz_state *state;
    const char *text;
    fz_program *explaining; /* NULL: there is none */
    fz_moves *legal;
    fzi_buffer out, label;
} question;

/* ---- places ---- */

/* A part of a script on one line, shortened. */
static void add_excerpt(question *q, const fz_place *place)
{
    const fz_source_info *source = &q->program->sources[place->source];
    const char *text = fzi_text(q->program, source->text);
    uint32_t end = place->end < source->text_length ? place->end : source->text_length;
    bool blank = false;
    size_t used = 0;

    if (place->source == 0 || place->start >= end)
        return;
    fzi_buffer_text(&q->out, "    ");
    for (uint32_t i = place->start; i < end && used < 76; i++) {
        unsigned char c = (unsigned char)text[i];
        if (isspace(c)) {
            blank = true;
            continue;
        }
        if (blank) {
            fzi_buffer_char(&q->out, ' ');
            used++;
        }
        blank = false;
        fzi_buffer_char(&q->out, (char)c);
        used++;
    }
    fzi_buffer_text(&q->out, used >= 76 ? " ...\n" : "\n");
}

/* "<before> at game.game:12:3", and the excerpt below. */
static void add_place(question *q, const char *before, const fz_place *place)
{
    char where[256];

    fzi_place_text(q->program, place, where, sizeof where);
    fzi_buffer_text(&q->out, before);
    if (*where)
        fzi_buffer_format(&q->out, " at %s\n", where);
    else
        fzi_buffer_char(&q->out, '\n');
    add_excerpt(q, place);
}

static void add_option(question *q, const char *before, uint32_t option)
{
    add_place(q, before, &q->program->places[q->program->options[option].place]);
}

/* ---- texts of moves ---- */

static bool reads_alike(question *q, const fz_state *state, const fz_move *move, const char *text)
{
    fzi_buffer_clear(&q->label);
    return fzi_move_write(q->machine, state, move, false, &q->label) == FZ_OK &&
           fzi_move_text_is(fzi_buffer_get(&q->label), text);
}

/* The next move of the list that reads like the text. */
static bool find_alike(question *q, const fz_state *state, const fzi_move_list *list,
                       fzi_cursor *cursor, fz_move *move)
{
    while (fzi_move_list_next(list, cursor, list->segment_count, move)) {
        if (reads_alike(q, state, move, q->text))
            return true;
    }
    return false;
}

/* ---- legal ---- */

static bool explain_legal(question *q)
{
    fzi_cursor cursor = FZI_CURSOR_AT(0);
    unsigned found = 0;
    fz_move move;

    while (find_alike(q, q->state, &q->legal->list, &cursor, &move)) {
        if (found++ == 0) {
            fzi_buffer_format(&q->out, "'%s' is legal.\n", q->text);
            add_option(q, "It is made by the option", move.option);
        } else {
            enum { MOST_SHOWN = 120 };
            char before[2 * MOST_SHOWN];
            snprintf(before, sizeof before,
                     "Another move reads alike, '%.*s#%u': it is made by the option",
                     MOST_SHOWN, q->text, found);
            add_option(q, before, move.option);
        }
    }
    /* "a1#2" means the second of the moves that read alike. */
    if (!found && fz_move_parse(q->machine, q->state, q->text, &move) == FZ_OK) {
        fzi_buffer_format(&q->out, "'%s' is legal.\n", q->text);
        add_option(q, "It is made by the option", move.option);
        found = 1;
    }
    return found > 0;
}

/* ---- rejected by a filter ---- */

/* Plays the candidate until the filter at `base` is judged, as tries do. */
static fzi_end try_until(question *q, const fz_state *state, const fz_move *move, uint32_t base)
{
    fz_state *scratch = fzi_scratch_copy(q->machine, state);
    fzi_run run;
    fzi_end end;

    if (!scratch)
        return FZ_END_ERROR;
    fzi_move_apply(q->machine, scratch, move);
    run = fzi_run_of(q->machine, scratch, FZ_RUN_TRY);
    run.decider = fzi_head_of(state)->decider;
    run.base = base;
    q->machine->budget = (int64_t)q->machine->limits.instructions;
    end = fzi_machine_run(q->machine, &run);
    q->machine->scratch_depth--;
    return end;
}

static bool is_keeping(const fz_program *program, uint32_t filter)
{
    return program->filters[filter].kind != FZ_FILTER_ENSURING;
}

/* The end of a filter's code: its place is that of the whole clause. */
static uint32_t verdict_of(const fz_program *program, uint32_t pc)
{
    while (pc < program->code_length && FZ_CODE_OP(program->code[pc]) != FZ_OP_VERDICT)
        pc += fzi_opcode_length(FZ_CODE_OP(program->code[pc]));
    return pc;
}

static void add_filter(question *q, const char *before, uint32_t filter)
{
    uint32_t pc = verdict_of(q->program, q->program->filters[filter].code);

    add_place(q, before, fzi_program_place(q->program, pc));
}

/* Names the first filter, from the innermost out, that the candidate does not pass: first its
 * option's own, then those that are pending from choices before. */
static void explain_rejected(question *q, const fz_state *state, const fz_move *move)
{
    const fz_program *program = q->program;
    const fz_option_info *option = &program->options[move->option];
    uint32_t pending = fzi_head_of(state)->pendings, keeping = UINT32_MAX;

    fzi_buffer_format(&q->out, "'%s' is not legal.\n", q->text);
    for (unsigned i = 0; i < option->filters + pending; i++) {
        bool own = i < option->filters;
        uint32_t base =
            own ? pending + option->filters - 1 - i : pending - 1 - (i - option->filters);
        uint32_t filter = own ? program->filter_lists[option->first_filter + i]
                              : fzi_pending_at(state, base)->filter;
        if (is_keeping(program, filter)) {
            keeping = keeping == UINT32_MAX ? filter : keeping;
            continue;
        }
        if (try_until(q, state, move, base) == FZ_END_FAIL) {
            add_filter(q, own ? "It is rejected by the `ensuring`"
                              : "It is rejected by the `ensuring` of an earlier choice", filter);
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
static fz_state *gather(question *q, fz_moves *candidates)
{
    fz_state *scratch;
    fzi_run run;

    fzi_machine_begin(q->machine);
    fzi_move_list_clear(&candidates->list, 0);
    scratch = fzi_scratch_copy(q->machine, q->state);
    if (!scratch)
        return NULL;
    run = fzi_run_of(q->machine, scratch, FZ_RUN_GATHER);
    run.list = &candidates->list;
    run.unfiltered = true;
    return fzi_machine_run(q->machine, &run) == FZ_END_LIST ? scratch : NULL;
}

static bool explain_candidate(question *q, fz_moves *candidates)
{
    fzi_cursor cursor = FZI_CURSOR_AT(0);
    fz_move move;
    fz_state *state = gather(q, candidates);
    bool found = state && find_alike(q, q->state, &candidates->list, &cursor, &move);

    /* The candidate is tried where the list is complete, at the DECIDE, as the machine does.
     * Writing texts has used the scratch state, so it is gathered again. */
    if (found)
        state = gather(q, candidates);
    if (found && state)
        explain_rejected(q, state, &move);
    q->machine->scratch_depth = q->machine->list_depth = 0;
    return found;
}

/* ---- excluded by the `if` of an option ---- */

enum { MAX_EXCLUDED = 8 };

/* The condition as the option writes it. If it names a `let`, also the part of the `let`. */
static void add_condition(question *q, const fz_filter *filter)
{
    const fz_place *condition = &q->program->places[filter->condition - 1];
    const fz_place *part = fzi_program_place(q->program, verdict_of(q->program, filter->code));

    add_place(q, "but its condition is false", condition);
    if (part->source != condition->source || part->start != condition->start ||
        part->end != condition->end)
        add_place(q, "because this is false", part);
}

/* The first condition that the candidate does not meet; NULL: none, or it is not known. */
static const fz_filter *false_condition(question *q, const fz_state *state, const fz_move *move)
{
    const fz_program *program = q->program;
    const fz_option_info *option = &program->options[move->option];
    uint32_t pending = fzi_head_of(state)->pendings;

    for (unsigned i = 0; i < option->filters; i++) {
        const fz_filter *filter =
            &program->filters[program->filter_lists[option->first_filter + i]];
        fzi_end end;
        if (!filter->condition)
            break;
        end = try_until(q, state, move, pending + option->filters - 1 - i);
        if (end != FZ_END_PASS)
            return end == FZ_END_FAIL ? filter : NULL;
    }
    return NULL;
}

/* The moves of the list that read like the text, one of each option. */
static unsigned find_excluded(question *q, const fzi_move_list *list, fz_move *moves)
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

/* In the explaining program, whose list without filters contains what conditions exclude. */
static bool explain_excluded(question *q, fz_moves *candidates)
{
    fz_move moves[MAX_EXCLUDED];
    fz_state *state = gather(q, candidates);
    unsigned count = state ? find_excluded(q, &candidates->list, moves) : 0;
    bool found = false;

    state = count ? gather(q, candidates) : NULL;
    for (unsigned i = 0; i < count && state; i++) {
        const fz_filter *filter = false_condition(q, state, &moves[i]);
        if (!filter)
            continue;
        if (!found)
            fzi_buffer_format(&q->out, "'%s' is not legal.\n", q->text);
        found = true;
        add_option(q, "It would be made by the option", moves[i].option);
        add_condition(q, filter);
    }
    q->machine->scratch_depth = q->machine->list_depth = 0;
    return found;
}

/* Was the explaining program made of the same text? The file may have changed since. */
static bool same_text(const fz_program *a, const fz_program *b)
{
    bool same = a->source_count == b->source_count;

    for (uint32_t i = 0; same && i < a->source_count; i++) {
        uint32_t length = a->sources[i].text_length;
        same = length == b->sources[i].text_length &&
               memcmp(fzi_text(a, a->sources[i].text), fzi_text(b, b->sources[i].text),
                      length) == 0;
    }
    return same;
}

/* The same position in the explaining program; NULL: it cannot be had. */
static fz_state *explaining_state(question *q, fz_machine *machine)
{
    fz_state *state = fz_state_new(machine, 0, 0);
    char *text = NULL;
    bool done = state && fz_state_write(q->machine, q->state, true, &text) == FZ_OK &&
                fz_state_read(machine, state, text) == FZ_OK &&
                fz_state_waiting(state) == FZ_WAITING_MOVE &&
                fz_state_decider(state) == fz_state_decider(q->state);

    fzi_release(q->machine->allocator, text);
    if (done)
        return state;
    fz_state_free(state);
    return NULL;
}

static bool explain_condition(question *q)
{
    bool fits = q->explaining && same_text(q->program, q->explaining);
    fz_machine *machine = fits ? fz_machine_new(q->explaining, &q->machine->limits) : NULL;
    fz_state *state = machine ? explaining_state(q, machine) : NULL;
    fz_moves *candidates = state ? fz_moves_new(machine) : NULL;
    bool found = false;

    if (candidates) {
        question other = *q;
        other.machine = machine;
        other.program = q->explaining;
        other.state = state;
        found = explain_excluded(&other, candidates);
        q->out = other.out;
        q->label = other.label;
        fz_moves_free(candidates);
    }
    fz_state_free(state);
    fz_machine_free(machine);
    return found;
}

/* ---- another choice comes first ---- */

/* A copy of the state that goes on at the choice's `otherwise`, as if it had no legal move; NULL
 * when it comes to no further choice of the same player. */
static fz_state *skip_choice(question *q, const fz_state *state)
{
    const fz_program *program = q->program;
    fzi_head *head = fzi_head_of(state);
    fz_state *next = fz_state_clone(state);
    fzi_run run;
    int8_t decider = head->decider;
    fzi_move_list *list;
    fz_state *at;

    if (!next)
        return NULL;
    fzi_machine_begin(q->machine);
    list = &q->legal->list;
    at = fzi_state_gather(q->machine, next, list, &run);
    if (at && FZ_CODE_OP(program->code[fzi_head_of(at)->pc]) == FZ_OP_DECIDE) {
        /* The registers are those of the beginning of the choice; only the place differs. */
        fzi_head_of(next)->pc = program->code[fzi_head_of(at)->pc + 2];
        q->machine->scratch_depth = q->machine->list_depth = 0;
        if (fzi_state_go(q->machine, next, 0) == FZ_OK &&
            fzi_head_of(next)->waiting == FZ_WAITING_MOVE &&
            fzi_head_of(next)->decider == decider &&
            fzi_head_of(next)->turns == head->turns && fzi_head_of(next)->phase == head->phase)
            return next;
    }
    q->machine->scratch_depth = q->machine->list_depth = 0;
    fz_state_free(next);
    return NULL;
}

/* The choice that a waiting state stands at; -1. */
static int64_t choice_of(const fz_program *program, const fz_state *state)
{
    for (uint32_t i = 0; i < program->choice_count; i++) {
        if (program->choices[i].start == fzi_head_of(state)->pc)
            return i;
    }
    return -1;
}

static void add_choice(question *q, const char *before, const fz_state *state)
{
    int64_t choice = choice_of(q->program, state);

    if (choice >= 0)
        add_place(q, before, &q->program->places[q->program->choices[choice].place]);
}

static bool explain_duty(question *q)
{
    fz_state *next = skip_choice(q, q->state);

    for (unsigned i = 0; next && i < 8; i++) {
        fzi_cursor cursor = FZI_CURSOR_AT(0);
        fz_state *after;
        fz_move move;
        if (fz_state_moves(q->machine, next, q->legal) == FZ_OK &&
            find_alike(q, next, &q->legal->list, &cursor, &move)) {
            fzi_buffer_format(&q->out, "'%s' is not legal.\n", q->text);
            add_choice(q, "There are moves that come first, those of the choice", q->state);
            add_option(q, "Only without any it would be made by the option", move.option);
            fz_state_free(next);
            return true;
        }
        after = skip_choice(q, next);
        fz_state_free(next);
        next = after;
    }
    if (next)
        fz_state_free(next);
    return false;
}

/* ---- near ---- */

static unsigned letters_apart(const char *a, const char *b)
{
    unsigned row[MAX_TEXT + 1];
    size_t n = strlen(a), m = strlen(b);

    if (n > MAX_TEXT || m > MAX_TEXT)
        return 999;
    for (size_t j = 0; j <= m; j++)
        row[j] = (unsigned)j;
    for (size_t i = 1; i <= n; i++) {
        unsigned corner = row[0];
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= m; j++) {
            unsigned best =
                corner + (tolower((unsigned char)a[i - 1]) != tolower((unsigned char)b[j - 1]));
            if (row[j] + 1 < best)
                best = row[j] + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            corner = row[j];
            row[j] = best;
        }
    }
    return row[m];
}

typedef struct near_move {
    char text[MAX_TEXT + 1];
    unsigned apart;
} near_move;

static unsigned find_nearest(question *q, near_move *nearest)
{
    fzi_cursor cursor = FZI_CURSOR_AT(0);
    unsigned count = 0;
    fz_move move;

    while (fzi_move_list_next(&q->legal->list, &cursor, q->legal->list.segment_count, &move)) {
        const char *text;
        unsigned apart, at;
        if (reads_alike(q, q->state, &move, q->text))
            continue;
        text = fzi_buffer_get(&q->label);
        for (at = 0; at < count && strcmp(nearest[at].text, text) != 0;)
            at++;
        if (at < count)
            continue;
        apart = letters_apart(text, q->text);
        for (at = count; at > 0 && nearest[at - 1].apart > apart; at--) {
            if (at < MAX_NEAREST)
                nearest[at] = nearest[at - 1];
        }
        if (at < MAX_NEAREST) {
            snprintf(nearest[at].text, sizeof nearest[at].text, "%s", text);
            nearest[at].apart = apart;
            count += count < MAX_NEAREST;
        }
    }
    return count;
}

/* What stands where the text begins, if it begins with a site. */
static void explain_site(question *q)
{
    const fz_program *program = q->program;
    size_t length = 0;
    int site, kind, owner;

    while (isalnum((unsigned char)q->text[length]) || q->text[length] == '_')
        length++;
    site = length ? fzi_site_find(program, q->text, length) : -1;
    if (site < 0 || !program->kind_count)
        return;
    fzi_piece_get(program, q->state->block, (unsigned)site, &kind, &owner);
    if (kind < 0 && q->text[length] == '\0')
        return; /* a site alone is where something would be put */
    if (kind < 0)
        fzi_buffer_format(&q->out, "Nothing stands on %.*s.\n", (int)length, q->text);
    else
        fzi_buffer_format(&q->out, "On %.*s stands a %s of %s.\n", (int)length, q->text,
                          fzi_text(program, program->kinds[kind].name),
                          owner < 0 ? "nobody" : fzi_text(program, program->players[owner].name));
    if (fzi_pile_height(program, q->state->block, (unsigned)site) > 1) {
        fzi_buffer_text(&q->out, "The stack from the bottom: ");
        fzi_pile_write(program, q->state->block, (unsigned)site, &q->out);
        fzi_buffer_text(&q->out, ".\n");
    }
}

static void explain_unknown(question *q)
{
    near_move nearest[MAX_NEAREST];
    unsigned count;

    fz_state_moves(q->machine, q->state, q->legal);
    count = find_nearest(q, nearest);
    fzi_buffer_format(&q->out, "No option makes '%s' here.\n", q->text);
    explain_site(q);
    for (unsigned i = 0; i < count; i++)
        fzi_buffer_format(&q->out, "%s%s", i ? ", " : "The nearest legal moves: ", nearest[i].text);
    if (count)
        fzi_buffer_text(&q->out, ".\n");
}

/* ---- the whole ---- */

static void explain(question *q)
{
    fz_moves *candidates;

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
    candidates = fz_moves_new(q->machine);
    if (candidates) {
        bool done = explain_candidate(q, candidates);
        fz_moves_free(candidates);
        if (done)
            return;
    }
    if (!explain_duty(q) && !explain_condition(q))
        explain_unknown(q);
}

const char *fz_move_why(fz_machine *machine, const fz_state *state, const char *text)
{
    return fz_move_why_with(machine, state, NULL, text);
}

const char *fz_move_why_with(fz_machine *machine, const fz_state *state, fz_program *explaining,
                             const char *text)
{
    question q = {.machine = machine, .program = state->program, .state = state,
                  .explaining = explaining};
    char trimmed[4 * MAX_TEXT];

    while (isspace((unsigned char)*text))
        text++;
    snprintf(trimmed, sizeof trimmed, "%s", text);
    for (size_t n = strlen(trimmed); n && isspace((unsigned char)trimmed[n - 1]); n--)
        trimmed[n - 1] = '\0';
    q.text = trimmed;
    q.out = q.label = fzi_buffer_in(machine->allocator);
    q.legal = fz_moves_new(machine);
    if (q.legal) {
        explain(&q);
        fz_moves_free(q.legal);
    }
    fzi_machine_begin(machine);
    fzi_buffer_clear(&machine->text);
    fzi_buffer_text(&machine->text, fzi_buffer_get(&q.out));
    fzi_buffer_free(&q.out);
    fzi_buffer_free(&q.label);
    return fzi_buffer_get(&machine->text);
}
