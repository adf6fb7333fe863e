/* Writes how a move or a chance result is played, in the author's terms: the statements that
 * ran, with their places and what each changed, and the options from which the next choice is made.
 * Played by a traced copy (trace.h) on a copy of the state. See ferz_tools.h. */
#include "explain.h"
#include "interp/support/words.h"

struct fz_move_trace {
    fzi_tracer tracer;
    fz_state *state;
    int viewer;           /* -1: everything is written; else only what this player sees */
    uint8_t *seen;        /* the block when changes were last written */
    size_t seen_size;
    uint32_t *counts;     /* by option: candidates at a DECIDE */
    fzi_buffer out, changes;
    uint32_t place;       /* of the statement that runs and is not written yet; 0 */
    uint32_t turns;       /* the turn that was last written */
    bool gathering;       /* between CHOOSE and DECIDE, CAN and CAN_END nothing happens */
};

/* ---- lines ---- */

/* Adds a line such as "corridor.game:97  quiet = 0;". */
static void write_place(fz_move_trace *s, const char *indent, uint32_t index, unsigned width)
{
    const fz_program *p = s->tracer.original;
    const fz_place *place = &p->places[index];
    unsigned line, column;
    if (!fzi_placed_text(p, place))
        return;
    const char *path = fzi_text(p, p->sources[place->source].path), *slash = strrchr(path, '/');
    fzi_place_begin(p, place, &line, &column);
    fzi_buffer_format(&s->out, "%s%s:%u  ", indent, slash ? slash + 1 : path, line);
    fzi_add_source(p, place, width, "...", &s->out);
    fzi_buffer_char(&s->out, '\n');
}

enum { WIDE = 54, NARROW = 44 };

/* A statement that contains others is written only if it changes something itself. */
static bool is_simple(const fz_program *p, const fz_place *place)
{
    static const char *const compound[] = {"\"",     "if ",   "for ",   "while ", "as ", "let ",
                                           "choose", "proc ", "moves ", "move ",  "capture to"};
    const char *text = fzi_placed_text(p, place);
    size_t length = place->end - place->start;
    for (size_t i = 0; i < sizeof compound / sizeof compound[0]; i++)
        if (length > strlen(compound[i]) && memcmp(text, compound[i], strlen(compound[i])) == 0)
            return false;
    return text[length - 1] == ';' && !memchr(text, '{', length);
}

/* ---- what has changed ---- */

/* Writes the statement that has just run, and its changes. */
static void write_statement(fz_move_trace *s, const fz_state *state)
{
    const fz_program *p = s->tracer.original;
    fzi_buffer_clear(&s->changes);
    fzi_changes_write(p, s->seen, state->block, "      ", &s->changes);
    memcpy(s->seen, state->block, s->seen_size);
    if (s->place && (s->changes.length || is_simple(p, &p->places[s->place])))
        write_place(s, "  ", s->place, WIDE);
    if (s->changes.length)
        fzi_buffer_text(&s->out, fzi_buffer_get(&s->changes));
    s->place = 0;
}

static void write_turn(fz_move_trace *s, const fz_state *state)
{
    const fz_program *p = s->tracer.original;
    const fzi_head *head = fzi_head_of(state);
    if (head->turns != s->turns && head->phase == FZ_PHASE_TURN)
        fzi_buffer_format(&s->out, "  turn %u, %s:\n", head->turns,
                          fzi_text(p, p->players[head->mover].name));
    s->turns = head->turns;
}

/* ---- choices ---- */

/* The candidates of all options of the choice that stand at the same place; 0 for all but the
 * first. */
static uint32_t candidates(const fz_move_trace *s, const fz_choice *choice, uint32_t option)
{
    const fz_option_info *options = s->tracer.original->options;
    uint32_t sum = 0;
    for (uint32_t i = choice->first_option; i < choice->first_option + choice->options; i++) {
        if (options[i].place != options[option].place)
            continue;
        if (i < option)
            return 0;
        sum += s->counts[i];
    }
    return sum;
}

/* Writes how many moves each option makes, before filters. */
static void write_list(fz_move_trace *s, const fzi_move_list *list)
{
    const fz_program *p = s->tracer.original;
    const fz_choice *choice = &p->choices[list->choice];
    memset(s->counts, 0, p->option_count * sizeof *s->counts);
    for (uint32_t i = 0; i < list->segment_count; i++)
        s->counts[list->segments[i].option] += list->segments[i].count;
    write_place(s, "  ", choice->place, WIDE);
    for (uint32_t i = 0; i < choice->options; i++) {
        uint32_t count = candidates(s, choice, choice->first_option + i);
        char indent[32];
        if (!count)
            continue;
        snprintf(indent, sizeof indent, "%10u %s  ", count, count == 1 ? "move " : "moves");
        write_place(s, indent, p->options[choice->first_option + i].place, NARROW);
    }
    if (!list->total)
        fzi_buffer_text(&s->out, "      no move\n");
}

/* Writes how many moves are left where a filter rejects some of the list. */
static void write_legal(fz_move_trace *s)
{
    const fz_program *p = s->tracer.original;
    fz_machine *m = s->tracer.machine;
    fz_moves *moves = NULL;
    if (fz_state_waiting(s->state) == FZ_WAITING_MOVE)
        moves = fz_moves_new(m);
    s->gathering = true; /* what runs now is no part of the story */
    if (moves && fz_state_moves(m, s->state, moves) == FZ_OK &&
        p->choices[moves->list.choice].filtered)
        fzi_buffer_format(&s->out, "%10zu of them legal\n", fz_moves_count(moves));
    fz_moves_free(moves);
}

/* ---- the hook ---- */

/* Does a place's code begin here? Elsewhere a jump leads to its rest. */
static uint32_t place_begun(const fz_program *p, uint32_t pc)
{
    uint32_t line = fzi_row_from(p->lines, p->line_count, sizeof *p->lines, pc);
    return line < p->line_count && p->lines[line].code == pc ? p->lines[line].place : 0;
}

static bool ends_statement(const fz_program *p, const fz_place *place)
{
    const char *text = fzi_placed_text(p, place);
    return text && strchr(";}", text[place->end - place->start - 1]);
}

static void note(void *user, const fzi_run *run, const fzi_move_list *list, uint32_t pc)
{
    fz_move_trace *s = user;
    const fz_program *p = s->tracer.original;
    unsigned op = FZ_CODE_OP(p->code[pc]);
    if (run->mode != FZ_RUN_PLAY || s->viewer >= 0 ||
        (s->gathering && op != FZ_OP_DECIDE && op != FZ_OP_CAN_END))
        return;
    if (op == FZ_OP_CAN || op == FZ_OP_CAN_END) {
        s->gathering = op == FZ_OP_CAN;
        return;
    }
    uint32_t place = place_begun(p, pc);
    if (op == FZ_OP_CHOOSE || op == FZ_OP_DECIDE) {
        write_statement(s, run->state);
        write_turn(s, run->state);
        s->gathering = op == FZ_OP_CHOOSE;
        if (op == FZ_OP_DECIDE && list)
            write_list(s, list);
    } else if (place && place != s->place && ends_statement(p, &p->places[place])) {
        write_statement(s, run->state);
        write_turn(s, run->state);
        s->place = place;
    }
}

/* ---- what a player sees of it ---- */

/* Finds what the player knows of the current state. */
static bool look(fz_move_trace *s, const uint8_t *base, fzi_observed *seen)
{
    return fzi_observe(s->tracer.machine, s->state, s->viewer, base, seen) == FZ_OK;
}

/* The sites that the player did not see before or does not see now. */
static void write_hidden(fz_move_trace *s, const fzi_observed *before, const fzi_observed *now)
{
    const fz_program *p = s->tracer.original;
    for (unsigned site = 0; site < p->board.site_count; site++) {
        bool was = fzi_words_has(before->unseen, site), is = fzi_words_has(now->unseen, site);
        if (is && !was)
            fzi_buffer_format(&s->changes, "      %s: ?\n", fzi_text(p, p->board.site_names[site]));
    }
}

/* The changes between two observations: nothing else depends only on what the player sees. */
static void write_seen_changes(fz_move_trace *s, const fzi_observed *before,
                               const fzi_observed *now)
{
    const fz_program *p = s->tracer.original;
    memcpy(s->seen, before->state->block, s->seen_size);
    fzi_buffer_clear(&s->changes);
    fzi_changed_pieces_write(p, s->seen, now->state->block, "      ", &s->changes);
    write_hidden(s, before, now);
    fzi_changed_values_write(p, s->seen, now->state->block, "      ", &s->changes);
    fzi_buffer_text(&s->out, fzi_buffer_get(&s->changes));
}

/* ---- the story ---- */

fz_move_trace *fz_move_trace_new(const fz_program *program, const fz_limits *limits, int player)
{
    fzi_allocator a = fzi_program_allocator(program);
    fz_move_trace *s = fzi_allocate(a, sizeof *s);

    if (!s)
        return NULL;
    *s = (fz_move_trace){.seen_size = program->layout.frames, .out = fzi_buffer_in(a),
                    .changes = fzi_buffer_in(a),
                    .viewer = fz_program_hides(program) ? player : -1};
    s->seen = fzi_allocate(a, s->seen_size);
    s->counts = fzi_allocate(a, (program->option_count + 1) * sizeof *s->counts);
    if (fzi_tracer_init(&s->tracer, program, limits, note, s))
        s->state = fzi_state_make(s->tracer.program);
    if (s->seen && s->counts && s->state) {
        fz_machine_set_chance(s->tracer.machine, FZ_CHANCE_ASK);
        fzi_state_forget(s->state);
        return s;
    }
    fz_move_trace_free(s);
    return NULL;
}

void fz_move_trace_free(fz_move_trace *s)
{
    if (!s)
        return;
    fzi_allocator a = s->out.allocator;
    fz_state_free(s->state);
    fzi_tracer_clear(&s->tracer);
    fzi_buffer_free(&s->out);
    fzi_buffer_free(&s->changes);
    FZI_RELEASE(a, s->seen, s->counts, s);
}

/* Plays the move or the result of chance. */
static void go_on(fz_move_trace *s, const fz_move *move, int64_t chance)
{
    fz_machine *m = s->tracer.machine;
    fzi_machine_begin(m);
    if (move)
        fzi_state_take(m, s->state, move, UINT32_MAX, true);
    else
        fzi_state_give_chance(m, s->state, chance, UINT32_MAX, true);
}

static void tell_seen(fz_move_trace *s, const fz_move *move, int64_t chance)
{
    fz_state *base = fzi_position_new(s->state);
    fzi_observed before = {0}, now = {0};
    if (base && look(s, base->block, &before)) {
        go_on(s, move, chance);
        if (look(s, base->block, &now))
            write_seen_changes(s, &before, &now);
    }
    write_turn(s, s->state);
    fzi_observed_clear(&before);
    fzi_observed_clear(&now);
    if (base)
        fz_state_free(base);
}

const char *fz_move_trace_tell(fz_move_trace *s, const fz_state *before, const fz_move *move,
                               int64_t chance)
{
    const fz_program *p = s->tracer.original;

    fzi_buffer_clear(&s->out);
    if (!fzi_state_copy(s->state, before))
        return "";
    memcpy(s->seen, s->state->block, s->seen_size);
    s->place = move ? p->options[move->option].place : 0;
    s->turns = fz_state_turns(before);
    s->gathering = false;
    if (s->viewer >= 0) {
        tell_seen(s, move, chance);
        return fzi_buffer_get(&s->out);
    }
    go_on(s, move, chance);
    write_statement(s, s->state);
    write_turn(s, s->state);
    write_legal(s);
    return fzi_buffer_get(&s->out);
}
