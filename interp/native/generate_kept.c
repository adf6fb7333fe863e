/* What whole games keep beside the sets of the board, if it is wide: how many sites are empty up to
 * each word, and each player's stones line by line. A word of a set that has just been stored
 * delays the next load of the whole set; these are read instead. For generate_playout.c. */
#include "generate_playout.h"

#include "interp/support/words.h"
#include "operands.h"

/* ---- what is kept ---- */

/* Does the instruction change the board in another way than PUT1 and PUT1_GIVEN? */
static bool changes_more(unsigned op)
{
    return op == FZ_OP_PHANTOM || op == FZ_OP_UNPHANTOM || fzi_opcode_is(op, FZ_FLAG_STACKS) ||
           (fzi_plan_changes_board(op) && op != FZ_OP_PUT1 && op != FZ_OP_PUT1_GIVEN);
}

/* The instruction that has always just run before this one, if it is such a one. */
static bool follows(const fzi_playout_plan *g, uint32_t at, unsigned op)
{
    uint32_t before = fzi_plan_before(g, at);
    return before != UINT32_MAX && FZ_CODE_OP(g->p->code[before]) == op;
}

bool fzi_kept_reads_empty(const fzi_playout_plan *g, uint32_t at)
{
    unsigned op = FZ_CODE_OP(g->p->code[at]);
    return (op == FZ_OP_EMIT_SET || op == FZ_OP_JSSOME || op == FZ_OP_JSNONE) &&
           follows(g, at, FZ_OP_EMPTY) &&
           FZ_CODE_A(g->p->code[fzi_plan_before(g, at)]) == FZ_CODE_A(g->p->code[at]);
}

static bool reads_lines(const fzi_playout_plan *g, uint32_t at)
{
    return FZ_CODE_OP(g->p->code[at]) == FZ_OP_LINE_AT_GIVEN && follows(g, at, FZ_OP_OWNED) &&
           FZ_CODE_A(g->p->code[fzi_plan_before(g, at)]) == FZ_CODE_C(g->p->code[at]);
}

void fzi_kept_plan(fzi_playout_plan *g)
{
    const fz_program *p = g->p;
    bool counts = false;
    uint32_t windows = UINT32_MAX;
    g->windows = UINT32_MAX;
    for (uint32_t i = 0; i < p->function_count; i++) {
        if (!g->seen[i])
            continue;
        FZI_FOR_INSTRUCTIONS(at, p, &p->functions[i]) {
            if ((int32_t)i != p->setup && changes_more(FZ_CODE_OP(p->code[at])))
                return;
            counts = counts || (FZ_CODE_OP(p->code[at]) == FZ_OP_EMIT_SET &&
                                fzi_kept_reads_empty(g, at));
            if (windows == UINT32_MAX && reads_lines(g, at))
                windows = p->code[at + 2];
        }
    }
    if (!g->whole || !p->layout.empty)
        return;
    g->counts = counts;
    g->windows = windows;
}

bool fzi_kept_empty(const fzi_playout_plan *g, uint32_t at)
{
    return g->counts && fzi_kept_reads_empty(g, at);
}

bool fzi_kept_line(const fzi_playout_plan *g, uint32_t at)
{
    return g->windows != UINT32_MAX && reads_lines(g, at) && g->p->code[at + 2] == g->windows;
}

/* ---- lines ---- */

/* Which line of each axis a site is on, and its place there; [site * axes + axis]. */
typedef struct lines {
    unsigned axes, count, longest;
    uint16_t *line;
    uint8_t *place;
} lines;

static const uint64_t *window_of(const fzi_playout_plan *g, unsigned axis, unsigned site)
{
    const fz_program *p = g->p;
    unsigned row = axis * (p->board.site_count + 1u) + site + 1;
    return p->set_pool + p->set_tables[g->windows].first + row * p->board.words;
}

/* The next site of the line, or the one before; -1: none. Sites ascend along a line. */
static int neighbour(const fzi_playout_plan *g, unsigned axis, unsigned site, bool up)
{
    const uint64_t *window = window_of(g, axis, site);
    int found = -1;
    FZI_FOR_SITES(other, window, g->p->board.words) {
        if (up && other > site)
            return (int)other;
        if (!up && other < site)
            found = (int)other;
    }
    return found;
}

static bool walk_line(const fzi_playout_plan *g, lines *l, unsigned axis, unsigned first)
{
    unsigned place = 0;
    int before = -1;
    for (int at = (int)first; at >= 0; at = neighbour(g, axis, (unsigned)at, true)) {
        if (neighbour(g, axis, (unsigned)at, false) != before || place > UINT8_MAX)
            return false;
        l->line[(unsigned)at * l->axes + axis] = (uint16_t)l->count;
        l->place[(unsigned)at * l->axes + axis] = (uint8_t)place++;
        before = at;
    }
    l->longest = place > l->longest ? place : l->longest;
    return ++l->count < UINT16_MAX;
}

static bool find_lines(const fzi_playout_plan *g, lines *l)
{
    unsigned sites = g->p->board.site_count;
    for (unsigned axis = 0; axis < l->axes; axis++)
        for (unsigned site = 0; site < sites; site++)
            if (neighbour(g, axis, site, false) < 0 && !walk_line(g, l, axis, site))
                return false;
    return l->longest < 64;
}

static uint64_t around(const fzi_playout_plan *g, const lines *l, unsigned axis, unsigned site)
{
    uint64_t bits = UINT64_C(1) << l->place[site * l->axes + axis];
    const uint64_t *window = window_of(g, axis, site);
    FZI_FOR_SITES(other, window, g->p->board.words)
        bits |= UINT64_C(1) << l->place[other * l->axes + axis];
    return bits;
}

/* Lines of several axes share words of 64 bits. A bit stays empty between two of them. */
static unsigned line_bits(const lines *l)
{
    unsigned bits = 16;
    while (bits <= l->longest)
        bits *= 2;
    return bits;
}

static unsigned shared_words(const lines *l)
{
    return (l->axes * line_bits(l) + 63) / 64;
}

/* For each site: by words, the sites around it; for each axis, its line, and its bit there. */
static void line_tables(fzi_playout_plan *g, const lines *l)
{
    unsigned sites = g->p->board.site_count, bits = line_bits(l);
    fzi_buffer_format(g->out, "static const struct { uint64_t around[%u], bit[%u]; uint16_t "
                      "line[%u]; } playout_sites[%u] = {\n", shared_words(l), l->axes, l->axes,
                      sites);
    for (unsigned site = 0; site < sites; site++) {
        const char *between = "{{";
        for (unsigned axis = 0; axis < l->axes; axis++) {
            fzi_buffer_format(g->out, "%sUINT64_C(0x%llx) << %u", between,
                              (unsigned long long)around(g, l, axis, site), axis * bits % 64);
            between = (axis + 1) * bits % 64 ? " | " : ", ";
        }
        for (unsigned axis = 0; axis < l->axes; axis++)
            fzi_buffer_format(g->out, "%sUINT64_C(1) << %u", axis ? ", " : "}, {",
                              l->place[site * l->axes + axis] + axis * bits % 64);
        for (unsigned axis = 0; axis < l->axes; axis++)
            fzi_buffer_format(g->out, "%s%u", axis ? ", " : "}, {", l->line[site * l->axes + axis]);
        fzi_buffer_text(g->out, "}},\n");
    }
    fzi_buffer_text(g->out, "};\n");
}

bool fzi_kept_tables(fzi_playout_plan *g)
{
    const fz_program *p = g->p;
    fzi_allocator a = fzi_program_allocator(p);
    bool wants = g->windows != UINT32_MAX, good = true;
    lines l = {.axes = 1};
    if (wants) {
        l.axes = p->set_tables[g->windows].rows / (p->board.site_count + 1u);
        size_t count = (size_t)p->board.site_count * l.axes;
        l.line = fzi_allocate_zeroed(a, count * sizeof *l.line + 1);
        l.place = fzi_allocate_zeroed(a, count + 1);
        good = l.line && l.place;
        if (good && find_lines(g, &l))
            line_tables(g, &l);
        else
            g->windows = UINT32_MAX;
    }
    fzi_define_number(g->out, "PLAYOUT_COUNTS", g->counts);
    fzi_define_number(g->out, "PLAYOUT_LINES", g->windows != UINT32_MAX ? l.count : 0);
    fzi_define_number(g->out, "PLAYOUT_AXES", l.axes);
    fzi_define_number(g->out, "PLAYOUT_LINE_BITS", line_bits(&l));
    FZI_RELEASE(a, l.line, l.place);
    return good;
}

/* ---- texts ---- */

void fzi_kept_put_text(fzi_playout_plan *g)
{
    if (g->counts || g->windows != UINT32_MAX)
        fzi_buffer_text(g->out, "if ((uint64_t)IR(A) < FIXED->site_count && "
                        "(uint64_t)(IR(C) + 1) <= FIXED->player_count) "
                        "playout_put(d, (uint64_t)IR(A), IR(C));\n");
}

bool fzi_kept_text(fzi_playout_plan *g, uint32_t at)
{
    unsigned op = FZ_CODE_OP(g->p->code[at]);
    if (fzi_kept_line(g, at)) {
        fzi_buffer_format(g->out, "AT_SITE(LINE_AT_GIVEN, 0, playout_line_at(d, (uint64_t)site, "
                          "i%u, (int32_t)X(1)))\n", FZ_CODE_B(g->p->code[fzi_plan_before(g, at)]));
        return true;
    }
    if (op == FZ_OP_EMIT_SET || !fzi_kept_empty(g, at))
        return false;
    fzi_buffer_format(g->out, "AHEAD_IF(JSSOME, %splayout_empty_count(d), X(1));\n",
                      op == FZ_OP_JSSOME ? "" : "!");
    return true;
}
