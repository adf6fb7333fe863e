/* Why a condition is false and why a set does not contain a site, in words: walks the reasons of an
 * explaining program (grammar/emit/explain_program.c) and names the parts that decide. */
#include "explain.h"

#include "interp/support/words.h"

enum {
    MAX_CLAUSES = 4,
    MAX_NAMED = 8,  /* sites that are listed by name */
    MAX_SOURCE = 60
};

typedef struct value {
    int64_t number;
    uint64_t set[FZ_MAX_WORDS];
} value;

static void explain(fzi_explained *s, uint32_t index, bool truth);

/* ---- values ---- */

static const fz_reason *at(const fzi_explained *s, uint32_t index)
{
    return &s->machine->program->reasons[index];
}

/* False: the value cannot be had. */
static bool evaluate_in(fzi_explained *s, const fz_state *state, uint32_t index, value *v)
{
    const fz_reason *r = at(s, index);
    const fz_program *p = s->machine->program;
    int64_t arguments[FZ_REASON_SLOTS];
    const uint64_t *frame = fzi_frames_of(s->state) + s->frame + FZ_FRAME_HEADER;
    memset(v, 0, sizeof *v);
    if (!index || r->function < 0)
        return false;
    for (uint32_t i = 0; i < r->inputs; i++) {
        uint32_t input = p->reason_inputs[r->first_input + i];
        if (input < FZ_REASON_FRAME && !(s->known >> input & 1))
            return false;
        arguments[i] = input < FZ_REASON_FRAME ? s->slots[input]
                                               : (int64_t)frame[input - FZ_REASON_FRAME];
    }
    return fzi_state_call(s->machine, state, (uint32_t)r->function, arguments, r->inputs,
                          &v->number, v->set) == FZ_OK;
}

static bool evaluate(fzi_explained *s, uint32_t index, value *v)
{
    return evaluate_in(s, s->state, index, v);
}

static void bind(fzi_explained *s, unsigned slot, int64_t number)
{
    s->slots[slot] = number;
    s->known |= UINT32_C(1) << slot;
}

static unsigned words_of(const fzi_explained *s)
{
    return s->machine->program->board.words;
}

/* ---- clauses ---- */

void fzi_add_source(const fz_program *program, const fz_place *place, size_t width,
                    const char *mark, fzi_buffer *out)
{
    const fz_source_info *source = &program->sources[place->source];
    const char *text = fzi_text(program, source->text);
    uint32_t end = place->end < source->text_length ? place->end : source->text_length;
    bool blank = false;
    size_t used = 0;
    for (uint32_t i = place->start; place->source && i < end; i++) {
        unsigned char c = (unsigned char)text[i];
        if (isspace(c)) {
            blank = true;
            continue;
        }
        if (used >= width && !fzi_utf8_continues((char)c)) {
            fzi_buffer_text(out, mark);
            return;
        }
        if (blank) {
            fzi_buffer_char(out, ' ');
            used++;
        }
        blank = false;
        fzi_buffer_char(out, (char)c);
        used++;
    }
}

static void begin_clause(fzi_explained *s)
{
    fzi_buffer_text(s->out, s->clauses++ ? ", " : "");
}

static bool is_full(const fzi_explained *s)
{
    return s->clauses >= MAX_CLAUSES;
}

static const char *site_name(const fzi_explained *s, unsigned site)
{
    const fz_program *p = s->machine->program;
    return fzi_text(p, p->board.site_names[site]);
}

static void add_source(fzi_explained *s, uint32_t index)
{
    const fz_program *p = s->machine->program;
    fzi_add_source(p, &p->places[at(s, index)->place], MAX_SOURCE, " ...", s->out);
}

static void add_sites(fzi_explained *s, const uint64_t *set)
{
    unsigned count = 0;
    fzi_buffer_char(s->out, '{');
    FZI_FOR_SITES(site, set, words_of(s)) {
        if (count < MAX_NAMED)
            fzi_buffer_format(s->out, "%s%s", count ? ", " : "", site_name(s, site));
        count++;
    }
    fzi_buffer_text(s->out, count > MAX_NAMED ? ", ...}" : "}");
}

void fzi_add_piece(const fz_program *p, const fz_state *state, unsigned site, fzi_buffer *out)
{
    int kind, owner;
    fzi_piece_get(p, state->block, site, &kind, &owner);
    if (kind < 0)
        fzi_buffer_format(out, "no piece on %s", fzi_text(p, p->board.site_names[site]));
    else
        fzi_buffer_format(out, "the %s of %s on %s", fzi_text(p, p->kinds[kind].name),
                          fz_program_player_name(p, owner),
                          fzi_text(p, p->board.site_names[site]));
}

/* "food is 3"; nothing for what the text says itself. */
static void say_value(fzi_explained *s, uint32_t index)
{
    const fz_reason *r = at(s, index);
    value v;
    if (is_full(s) || r->is_constant || !evaluate(s, index, &v))
        return;
    begin_clause(s);
    fzi_buffer_text(s->out, r->is_option ? "the option " : "");
    add_source(s, index);
    fzi_buffer_text(s->out, " is ");
    if (r->is_set)
        add_sites(s, v.set);
    else
        fzi_value_text(s->machine->program, r->type, v.number, false, s->out);
}

/* ---- truth ---- */

/* Is the condition true? -1: it is not known. Names bound by `any` and `all` must have values. */
static int truth_of(fzi_explained *s, uint32_t index)
{
    value v;
    return evaluate(s, index, &v) ? v.number != 0 : -1;
}

/* The truth of the body for the value that `slot` has; -1. */
static int body_truth(fzi_explained *s, const fz_reason *over);

/* Gives `slot` the first value, after the one that it has, for which the body is `truth`. */
static bool next_witness(fzi_explained *s, const fz_reason *over, int64_t from, bool truth)
{
    value domain;
    uint32_t known = s->known;
    if (!evaluate(s, over->parts[2], &domain))
        return false;
    bool sites = at(s, over->parts[2])->is_set;
    int64_t end = sites ? (int64_t)words_of(s) * 64 : 64;
    for (int64_t i = from; i < end; i++) {
        if (!(sites ? fzi_words_has(domain.set, (unsigned)i) : domain.number >> i & 1))
            continue;
        bind(s, over->slot, i);
        if (body_truth(s, over) == truth)
            return true;
    }
    s->known = known;
    return false;
}

static int over_truth(fzi_explained *s, const fz_reason *over)
{
    bool any = over->kind == FZ_REASON_ANY;
    uint32_t known = s->known;
    bool found = next_witness(s, over, 0, any);
    s->known = known;
    return found ? any : !any;
}

static int body_truth(fzi_explained *s, const fz_reason *over)
{
    const fz_reason *body = at(s, over->parts[1]);
    bool any = over->kind == FZ_REASON_ANY;
    if (over->parts[0]) {
        int passes = truth_of(s, over->parts[0]);
        if (passes != 1)
            return passes < 0 ? -1 : !any;
    }
    bool nested = (body->kind == FZ_REASON_ANY || body->kind == FZ_REASON_ALL) &&
                  body->function < 0;
    return nested ? over_truth(s, body) : truth_of(s, over->parts[1]);
}

/* One value for which the body is true shows that `any` is, one for which it is false that `all`
 * is not. */
static void explain_over(fzi_explained *s, uint32_t index, bool truth)
{
    const fz_reason *r = at(s, index);
    uint32_t known = s->known;
    if (truth == (r->kind == FZ_REASON_ANY) && next_witness(s, r, 0, truth))
        explain(s, r->parts[1], truth);
    else if (next_witness(s, r, 0, truth))
        do {
            explain(s, r->parts[1], truth);
        } while (!is_full(s) && next_witness(s, r, s->slots[r->slot] + 1, truth));
    s->known = known;
}

/* ---- attacks ---- */

/* Does this piece alone attack the site in `slot`? The player's other pieces stay where they are,
 * as nobody's. */
static bool attacks_alone(fzi_explained *s, uint32_t one, unsigned attacker, int64_t player)
{
    const fz_program *p = s->machine->program;
    fz_state *alone = fz_state_clone(s->state);
    value v = {0};
    for (unsigned site = 0; alone && site < p->board.site_count; site++) {
        int kind, owner;
        fzi_piece_get(p, alone->block, site, &kind, &owner);
        if (site != attacker && kind >= 0 && owner == player)
            fzi_piece_top(p, alone->block, site, kind, FZ_NOT_THERE);
    }
    bool hits = alone && evaluate_in(s, alone, one, &v) && v.number;
    fz_state_free(alone);
    return hits;
}

/* `one` is the reason that asks about the site in `slot`. */
static void add_attackers(fzi_explained *s, uint32_t one, unsigned target, int64_t player)
{
    const fz_program *p = s->machine->program;
    unsigned found = 0;
    for (unsigned site = 0; site < p->board.site_count && !is_full(s); site++) {
        int kind, owner;
        fzi_piece_get(p, s->state->block, site, &kind, &owner);
        if (kind < 0 || owner != player || !attacks_alone(s, one, site, player))
            continue;
        begin_clause(s);
        fzi_add_piece(p, s->state, site, s->out);
        fzi_buffer_format(s->out, " attacks %s", site_name(s, target));
        found++;
    }
    if (!found) {
        begin_clause(s);
        fzi_buffer_format(s->out, "%s attacks %s", fz_program_player_name(p, (int)player),
                          site_name(s, target));
    }
}

static void explain_attacked(fzi_explained *s, uint32_t index, bool truth)
{
    const fz_reason *r = at(s, index);
    const fz_program *p = s->machine->program;
    uint32_t known = s->known;
    value sites, player, hit;
    if (!evaluate(s, r->parts[0], &sites) || !evaluate(s, r->parts[1], &player))
        return;
    FZI_FOR_SITES(site, sites.set, words_of(s)) {
        bind(s, r->slot, site);
        if (truth && !is_full(s) && evaluate(s, r->parts[2], &hit) && hit.number)
            add_attackers(s, r->parts[2], site, player.number);
    }
    s->known = known;
    if (truth)
        return;
    begin_clause(s);
    fzi_buffer_format(s->out, "%s attacks no site of ",
                      fz_program_player_name(p, (int)player.number));
    add_sites(s, sites.set);
}

/* ---- conditions ---- */

static void explain_joined(fzi_explained *s, const fz_reason *r, bool truth)
{
    bool both = truth == (r->kind == FZ_REASON_AND);
    for (unsigned i = 0; i < 2; i++) {
        if (!both && truth_of(s, r->parts[i]) != truth)
            continue;
        explain(s, r->parts[i], truth);
        if (!both)
            return;
    }
}

static void say_in(fzi_explained *s, uint32_t set, unsigned site, bool in)
{
    begin_clause(s);
    fzi_buffer_format(s->out, "%s is %s ", site_name(s, site), in ? "in" : "not in");
    add_source(s, set);
}

static void explain_in(fzi_explained *s, uint32_t index, bool truth)
{
    const fz_reason *r = at(s, index);
    value site;
    if (!evaluate(s, r->parts[0], &site))
        return;
    if (site.number < 0)
        say_value(s, r->parts[0]);
    else if (truth)
        say_in(s, r->parts[1], (unsigned)site.number, true);
    else
        fzi_why_outside(s, r->parts[1], (unsigned)site.number);
}

static void explain(fzi_explained *s, uint32_t index, bool truth)
{
    const fz_reason *r = at(s, index);
    unsigned before = s->clauses;
    if (is_full(s) || !index)
        return;
    switch ((enum fz_reason_kind)r->kind) {
    case FZ_REASON_SAME: explain(s, r->parts[0], truth); break;
    case FZ_REASON_NOT: explain(s, r->parts[0], !truth); break;
    case FZ_REASON_AND: case FZ_REASON_OR: explain_joined(s, r, truth); break;
    case FZ_REASON_COMPARE:
        say_value(s, r->parts[0]);
        say_value(s, r->parts[1]);
        break;
    case FZ_REASON_IN: explain_in(s, index, truth); break;
    case FZ_REASON_ANY: case FZ_REASON_ALL: explain_over(s, index, truth); break;
    case FZ_REASON_ATTACKED: explain_attacked(s, index, truth); break;
    case FZ_REASON_VALUE: case FZ_REASON_MEET: case FZ_REASON_UNITE: case FZ_REASON_LESS:
    case FZ_REASON_STEP: case FZ_REASON_SLIDE: case FZ_REASON_EMPTY:
        break;
    }
    if (s->clauses == before && !is_full(s)) {
        begin_clause(s);
        fzi_buffer_text(s->out, r->is_option ? "the option " : "");
        add_source(s, index);
        fzi_buffer_text(s->out, truth ? " is true" : " is false");
    }
}

void fzi_why_false(fzi_explained *s, uint32_t reason)
{
    /* A plain value is false: the condition's own text says so. */
    if (reason && (at(s, reason)->kind != FZ_REASON_VALUE || at(s, reason)->is_option))
        explain(s, reason, false);
}

/* ---- sets ---- */

int fzi_reason_has(fzi_explained *s, uint32_t index, unsigned site)
{
    value v;
    return evaluate(s, index, &v) ? fzi_words_has(v.set, site) : -1;
}

/* "it leads to {e3}" */
static fzi_nearness say_leads(fzi_explained *s, uint32_t index, const char *before)
{
    value v;
    begin_clause(s);
    if (!evaluate(s, index, &v)) {
        add_source(s, index);
        fzi_buffer_text(s->out, " is not known");
    } else if (fzi_words_empty(v.set, words_of(s))) {
        fzi_buffer_text(s->out, "it leads nowhere");
    } else {
        fzi_buffer_format(s->out, "it leads %s", before);
        add_sites(s, v.set);
    }
    return FZI_ELSEWHERE;
}

/* Does the line from one of the sites in one of the directions lead to the site? `*steps` is how
 * far; with `through`, `*stop` is the first site before it that ends a slide, or -1. */
static bool in_line(const fzi_explained *s, const value *from, int64_t dirs, unsigned site,
                    const uint64_t *through, unsigned *steps, int *stop)
{
    const fz_board *board = &s->machine->program->board;
    for (unsigned d = 0; d < board->dir_count; d++) {
        if (!(dirs >> d & 1))
            continue;
        FZI_FOR_SITES(start, from->set, words_of(s)) {
            int place = (int)start;
            *stop = -1;
            for (*steps = 1; *steps <= board->site_count; ++*steps) {
                place = board->next[d * board->site_count + (unsigned)place];
                if (place < 0 || place == (int)start)
                    break;
                if (place == (int)site)
                    return true;
                if (through && *stop < 0 && !fzi_words_has(through, (unsigned)place))
                    *stop = place;
            }
        }
    }
    return false;
}

/* Why the set has no member at all: clauses about what it is made of. */
static void explain_empty(fzi_explained *s, uint32_t index)
{
    const fz_reason *r = at(s, index);
    bool cut = r->kind == FZ_REASON_MEET || r->kind == FZ_REASON_LESS;
    bool leads = r->kind == FZ_REASON_STEP || r->kind == FZ_REASON_SLIDE;
    value first;
    if (is_full(s))
        return;
    bool known = (cut || leads) && r->parts[0] && evaluate(s, r->parts[0], &first);
    if (r->kind == FZ_REASON_SAME || (known && fzi_words_empty(first.set, words_of(s)))) {
        explain_empty(s, r->parts[0]);
    } else if (known && cut) {
        FZI_FOR_SITES(site, first.set, words_of(s)) {
            if (!is_full(s))
                fzi_why_outside(s, index, site);
        }
    } else if (known) {
        begin_clause(s);
        fzi_buffer_text(s->out, "the board ends at ");
        add_sites(s, first.set);
    } else {
        begin_clause(s);
        add_source(s, index);
        fzi_buffer_text(s->out, " is empty");
    }
}

static fzi_nearness outside_step(fzi_explained *s, uint32_t index, unsigned site)
{
    const fz_reason *r = at(s, index);
    value from, dirs;
    unsigned steps;
    int stop;
    if (!evaluate(s, r->parts[0], &from) || !evaluate(s, r->parts[1], &dirs))
        return say_leads(s, index, "to ");
    if (fzi_words_empty(from.set, words_of(s))) {
        explain_empty(s, r->parts[0]);
        return FZI_STOPPED;
    }
    bool far = in_line(s, &from, dirs.number, site, NULL, &steps, &stop);
    say_leads(s, index, far ? "only to " : "to ");
    return far ? FZI_IN_LINE : FZI_ELSEWHERE;
}

static void find_empty(const fzi_explained *s, value *v)
{
    const fz_program *p = s->machine->program;
    memset(v, 0, sizeof *v);
    for (unsigned site = 0; site < p->board.site_count; site++) {
        int kind, owner;
        fzi_piece_get(p, s->state->block, site, &kind, &owner);
        if (kind < 0)
            fzi_words_add(v->set, site);
    }
}

static fzi_nearness outside_slide(fzi_explained *s, uint32_t index, unsigned site)
{
    const fz_reason *r = at(s, index);
    const fz_program *p = s->machine->program;
    value from, dirs, through, most;
    unsigned steps;
    int stop;
    if (!evaluate(s, r->parts[0], &from) || !evaluate(s, r->parts[1], &dirs))
        return say_leads(s, index, "to ");
    bool over_empty = !r->parts[2] || at(s, r->parts[2])->kind == FZ_REASON_EMPTY;
    bool through_known = over_empty || evaluate(s, r->parts[2], &through);
    if (over_empty)
        find_empty(s, &through);
    if (fzi_words_empty(from.set, words_of(s))) {
        explain_empty(s, r->parts[0]);
        return FZI_IN_LINE;
    }
    if (!through_known || !in_line(s, &from, dirs.number, site, through.set, &steps, &stop)) {
        begin_clause(s);
        fzi_buffer_format(s->out, "%s is not in line", site_name(s, site));
        return FZI_ELSEWHERE;
    }
    begin_clause(s);
    if (stop >= 0 && !over_empty) {
        fzi_buffer_format(s->out, "it stops at %s, which is not in ", site_name(s, (unsigned)stop));
        add_source(s, r->parts[2]);
    } else if (stop >= 0) {
        fzi_buffer_text(s->out, "it is blocked by ");
        fzi_add_piece(p, s->state, (unsigned)stop, s->out);
    } else if (r->parts[3] && evaluate(s, r->parts[3], &most)) {
        fzi_buffer_format(s->out, "%s is %u steps away, and it goes at most %lld",
                          site_name(s, site), steps, (long long)most.number);
    } else {
        fzi_buffer_format(s->out, "it does not reach %s", site_name(s, site));
    }
    return FZI_STOPPED;
}

/* Of two alternatives, the one that comes nearer gives the reason. */
static fzi_nearness outside_both(fzi_explained *s, const fz_reason *r, unsigned site)
{
    fzi_buffer *out = s->out;
    fzi_buffer texts[2] = {fzi_buffer_in(out->allocator), fzi_buffer_in(out->allocator)};
    fzi_nearness near[2];
    unsigned clauses[2], before = s->clauses;
    for (unsigned i = 0; i < 2; i++) {
        s->out = &texts[i];
        s->clauses = before;
        near[i] = fzi_why_outside(s, r->parts[i], site);
        clauses[i] = s->clauses;
    }
    unsigned best = near[1] > near[0];
    s->out = out;
    s->clauses = clauses[best];
    fzi_buffer_text(out, fzi_buffer_get(&texts[best]));
    if (near[0] == FZI_ELSEWHERE && near[1] == FZI_ELSEWHERE && !is_full(s)) {
        fzi_buffer_text(out, " or ");
        fzi_buffer_text(out, fzi_buffer_get(&texts[1]) + (before ? 2 : 0));
        s->clauses++;
    }
    fzi_buffer_free(&texts[0]);
    fzi_buffer_free(&texts[1]);
    return near[best];
}

static fzi_nearness outside_part(fzi_explained *s, uint32_t index, unsigned site)
{
    const fz_reason *r = at(s, index);
    int first = r->parts[0] ? fzi_reason_has(s, r->parts[0], site) : 1;
    if (first != 1)
        return fzi_why_outside(s, r->parts[0], site);
    if (r->kind == FZ_REASON_MEET)
        fzi_why_outside(s, r->parts[1], site);
    else
        say_in(s, r->parts[1], site, true);
    return FZI_STOPPED;
}

/* Does the value differ for other sites from which the rule could begin? */
static bool depends_on_binding(const fzi_explained *s, const fz_reason *r)
{
    for (uint32_t i = 0; i < r->inputs; i++)
        if (s->machine->program->reason_inputs[r->first_input + i] < FZ_MAX_BINDINGS)
            return true;
    return false;
}

fzi_nearness fzi_why_outside(fzi_explained *s, uint32_t index, unsigned site)
{
    const fz_reason *r = at(s, index);
    value v;
    if (!index || is_full(s))
        return FZI_ELSEWHERE;
    switch ((enum fz_reason_kind)r->kind) {
    case FZ_REASON_SAME: return fzi_why_outside(s, r->parts[0], site);
    case FZ_REASON_MEET: case FZ_REASON_LESS: return outside_part(s, index, site);
    case FZ_REASON_UNITE: return outside_both(s, r, site);
    case FZ_REASON_STEP: return outside_step(s, index, site);
    case FZ_REASON_SLIDE: return outside_slide(s, index, site);
    case FZ_REASON_EMPTY:
        begin_clause(s);
        fzi_add_piece(s->machine->program, s->state, site, s->out);
        fzi_buffer_text(s->out, " is in the way");
        return FZI_STOPPED;
    default: break;
    }
    if (depends_on_binding(s, r))
        return say_leads(s, index, "to ");
    say_in(s, index, site, false);
    if (!r->is_constant && evaluate(s, index, &v)) {
        fzi_buffer_text(s->out, ", which is ");
        add_sites(s, v.set);
    }
    return FZI_ELSEWHERE;
}
