/* Loops over the pieces of a small board that ask a table where each leads, such as men on a course
 * by a throw: the members of a set for which the entry is in another one. The sites that lead into
 * a set are looked up by four of its sites at a time, without a branch. For generate_playout.c. */
#include "generate_playout.h"

#include "operands.h"

enum {
    MOST_SITES = 32,  /* a row of the new table is an uint32_t */
    MOST_ROWS = 64,
    NO_REGISTER = 256
};

/* for x in from if table[outer, x, inner] in into: add x to out */
typedef struct loop {
    uint32_t body, on, exit;
    unsigned x, from, into, out, key, value, outer, inner; /* registers */
    unsigned outers, inners;
    const fz_int_table *table;
} loop;

static uint32_t after(const fzi_playout_plan *g, uint32_t at)
{
    return at + fzi_opcode_length(FZ_CODE_OP(g->p->code[at]));
}

/* The look-up, from the beginning of the body on; the place behind it. 0: there is none. */
static uint32_t find_look_up(const fzi_playout_plan *g, loop *l)
{
    const fz_program *p = g->p;
    const fz_code *code = p->code + l->body;
    uint32_t at = l->body;
    l->key = l->x;
    l->outer = l->inner = NO_REGISTER;
    l->inners = 1;
    if (FZ_CODE_OP(*code) == FZ_OP_INDEX && FZ_CODE_C(*code) == l->x &&
        code[1] == p->board.site_count) {
        l->outer = FZ_CODE_B(*code);
        l->key = FZ_CODE_A(*code);
        at = after(g, at);
        code = p->code + at;
    }
    if (FZ_CODE_OP(*code) == FZ_OP_TABLE2) {
        l->inner = FZ_CODE_C(*code);
        l->inners = code[2];
    } else if (FZ_CODE_OP(*code) != FZ_OP_TABLE) {
        return 0;
    }
    l->value = FZ_CODE_A(*code);
    l->table = &p->int_tables[code[1]];
    return FZ_CODE_B(*code) == l->key ? after(g, at) : 0;
}

/* The condition and what follows it. */
static bool find_test(const fzi_playout_plan *g, loop *l, uint32_t at)
{
    const fz_code *miss = g->p->code + at, *add = g->p->code + after(g, at);
    if (FZ_CODE_OP(*miss) != FZ_OP_JSMISS || FZ_CODE_B(*miss) != l->value ||
        FZ_CODE_OP(*add) != FZ_OP_SADD || FZ_CODE_B(*add) != l->x)
        return false;
    l->into = FZ_CODE_A(*miss);
    l->out = FZ_CODE_A(*add);
    l->on = after(g, after(g, at));
    const fz_code *on = g->p->code + l->on;
    return miss[1] == l->on && FZ_CODE_OP(*on) == FZ_OP_EACH_ON && FZ_CODE_A(*on) == l->x &&
           FZ_CODE_B(*on) == l->from && on[1] == l->body && after(g, l->on) == l->exit;
}

/* Are registers free for it, and does nothing but the loop lead into it? */
static bool is_alone(const fzi_playout_plan *g, const loop *l, uint32_t place)
{
    const fz_function *f = &g->p->functions[g->now];
    const fzi_live *live = &g->live[l->exit];
    if (l->from == l->into || l->from == l->out || l->into == l->out || l->outer == l->x ||
        l->inner == l->x || l->inner == l->key || l->outer == l->value || l->inner == l->value ||
        l->outer == l->key || fzi_live_int(live, l->x) || fzi_live_int(live, l->key) ||
        fzi_live_int(live, l->value))
        return false;
    FZI_FOR_INSTRUCTIONS(at, g->p, f) {
        int64_t to = fzi_opcode_jump(g->p->code + at);
        if (to > place && to <= l->on && (at < place || at > l->on))
            return false;
    }
    return true;
}

static bool fits(const fzi_playout_plan *g, loop *l)
{
    unsigned sites = g->p->board.site_count;
    if (!l->inners || sites > MOST_SITES || l->table->length % (sites * l->inners))
        return false;
    l->outers = l->table->length / (sites * l->inners);
    for (uint32_t i = 0; i < l->table->length; i++) {
        int32_t to = g->p->int_pool[l->table->first + i];
        if (to < -1 || to >= (int32_t)sites)
            return false;
    }
    return l->outers && (l->outers == 1 || l->outer != NO_REGISTER) &&
           l->outers * l->inners <= MOST_ROWS;
}

/* The sites that lead into four sites, of which `some` are in the set. */
static uint32_t leading(const fzi_playout_plan *g, const loop *l, unsigned row, unsigned first,
                        unsigned some)
{
    unsigned sites = g->p->board.site_count;
    uint32_t leads = 0;
    for (unsigned x = 0; x < sites; x++) {
        uint32_t entry = (row / l->inners * sites + x) * l->inners + row % l->inners;
        int32_t to = g->p->int_pool[l->table->first + entry] - (int32_t)first;
        if (to >= 0 && to < 4 && some >> to & 1)
            leads |= UINT32_C(1) << x;
    }
    return leads;
}

static void table_text(fzi_playout_plan *g, const loop *l, unsigned quarters)
{
    unsigned rows = l->outers * l->inners;
    fzi_buffer_format(g->out, "static const uint32_t leads[%u][%u][16] = {\n", rows, quarters);
    for (unsigned row = 0; row < rows; row++) {
        fzi_buffer_text(g->out, "{");
        for (unsigned q = 0; q < quarters; q++) {
            fzi_buffer_text(g->out, "{");
            for (unsigned some = 0; some < 16; some++)
                fzi_buffer_format(g->out, "%uu,", (unsigned)leading(g, l, row, 4 * q, some));
            fzi_buffer_text(g->out, "},");
        }
        fzi_buffer_text(g->out, "},\n");
    }
    fzi_buffer_text(g->out, "};\n");
}

static void index_text(fzi_playout_plan *g, unsigned reg, const char *otherwise)
{
    if (reg == NO_REGISTER)
        fzi_buffer_text(g->out, otherwise);
    else
        fzi_buffer_format(g->out, "(uint64_t)i%u", reg);
}

void fzi_preimage_text(fzi_playout_plan *g, uint32_t at)
{
    const fz_code *code = g->p->code + at;
    loop l = {.body = after(g, at), .exit = code[1], .x = FZ_CODE_A(*code),
              .from = FZ_CODE_B(*code)};
    uint32_t test = find_look_up(g, &l);
    if (!test || !find_test(g, &l, test) || !is_alone(g, &l, at) || !fits(g, &l))
        return;
    unsigned quarters = (g->p->board.site_count + 3u) / 4;
    fzi_buffer_text(g->out, "{ uint64_t outer = ");
    index_text(g, l.outer, "0");
    fzi_buffer_text(g->out, ", inner = ");
    index_text(g, l.inner, "0");
    fzi_buffer_format(g->out, ";\nif (outer < %u && inner < %u) {\n", l.outers, l.inners);
    table_text(g, &l, quarters);
    fzi_buffer_format(g->out, "const uint32_t (*row)[16] = leads[outer * %u + inner];\n"
                      "uint64_t into = s%u.w[0], found = 0;\n", l.inners, l.into);
    for (unsigned q = 0; q < quarters; q++)
        fzi_buffer_format(g->out, "found |= row[%u][into >> %u & 15];\n", q, 4 * q);
    fzi_buffer_format(g->out, "if (SPEND((int64_t)(set_count(s%1$u) - set_some(s%1$u)) * %2$u) < 0)"
                      " goto exhausted;\ns%3$u.w[0] |= s%1$u.w[0] & found;\ns%1$u = set_none();\n"
                      "goto L%4$u;\n} }\n", l.from, l.on - l.body + 1, l.out, l.exit);
}
