/* Values that are things, as `view { men ...; seeds ...; dice ...; }` says, below a drawing in
 * words: "store: South 3 seeds, North 0 seeds". Called by draw.c. */
#include "draw.h"

#include "interp/ferz_tools.h"

int64_t fzi_view_number(const fzi_drawing *d, const fz_variable *like)
{
    const fz_program *program = d->program;

    for (uint32_t i = 0; i < program->shown_count; i++)
        if (like == &d->lets.likes[i])
            return i;
    for (uint32_t i = 0; i < program->variable_count; i++)
        if (like == &program->variables[i])
            return (int64_t)program->shown_count + i;
    return -1;
}

int fzi_look_of(const fzi_drawing *d, const fz_variable *like)
{
    static const enum fz_hint_row rows[] = {FZ_HINT_MEN, FZ_HINT_TOKEN, FZ_HINT_BAR, FZ_HINT_SEEDS,
                                            FZ_HINT_DICE};
    int64_t number = fzi_view_number(d, like);

    for (size_t i = 0; number >= 0 && i < sizeof rows / sizeof *rows; i++)
        if (fzi_hint_find(d->program, rows[i], number))
            return (int)rows[i];
    return -1;
}

int fzi_site_number(const fzi_drawing *d, unsigned site)
{
    const fz_program *program = d->program;
    unsigned sites = program->board.site_count;
    int player = d->viewer >= 0 ? d->viewer : fz_state_decider(d->state);
    unsigned mine = (player < 0 ? 0 : (unsigned)player) * sites + site;
    int number = -1;

    for (uint32_t i = 0; i < program->hint_count; i++) {
        const fz_hint *h = &program->hints[i];
        if (h->row == FZ_HINT_NUMBER && (h->a == mine || (h->a == site && number < 0)))
            number = h->b;
    }
    return number;
}

void fzi_name_words(const fz_program *program, const fz_variable *like, fzi_buffer *out)
{
    for (const char *c = fzi_text(program, like->name); *c; c++)
        fzi_buffer_char(out, *c == '_' ? ' ' : *c);
}

/* ---- in words ---- */

static unsigned kind_of_index(const fzi_drawing *d, const fz_variable *like)
{
    return like->index_count ? d->program->types[like->index[0]].kind : FZ_VALUE_INT;
}

bool fzi_is_thing(const fzi_drawing *d, const fz_variable *like)
{
    unsigned index = kind_of_index(d, like);
    int look = fzi_look_of(d, like);

    return look >= 0 && look != FZ_HINT_TOKEN && !like->secret && like->index_count <= 1 &&
           d->program->types[like->type].kind == FZ_VALUE_INT &&
           (index == FZ_VALUE_PLAYER || (index == FZ_VALUE_INT && look == FZ_HINT_DICE) ||
            !like->index_count);
}

static void add_count(const fzi_drawing *d, int look, int64_t count)
{
    const char *things = look == FZ_HINT_SEEDS ? count == 1 ? "seed" : "seeds"
                         : count == 1          ? "man"
                                               : "men";

    if (look == FZ_HINT_DICE)
        fzi_buffer_format(d->out, "%lld", (long long)count);
    else
        fzi_buffer_format(d->out, "%lld %s", (long long)count, things);
}

/* How many dice show each number: "1, 1, 5". There may be more where it is not known. */
static void add_dice(const fzi_drawing *d, const fzi_shown_value *v)
{
    enum { MOST_DICE = 100 }; /* of a number, one by one */
    int64_t low = d->program->types[v->like->index[0]].low;
    const char *between = "";
    bool unknown = false;

    for (uint32_t e = 0; e < v->like->length; e++) {
        bool known = fzi_shown_known(d, v, e);
        int64_t count = known ? fzi_element_get(v->program, v->block, v->like, e) : 0;
        for (int64_t i = 0; i < count && i <= MOST_DICE; i++, between = ", ")
            fzi_buffer_format(d->out, i < MOST_DICE ? "%s%lld" : "%s\u2026", between,
                              (long long)(low + e));
        unknown |= !known;
    }
    if (unknown)
        fzi_buffer_format(d->out, "%s?", between);
    else if (!*between)
        fzi_buffer_text(d->out, "none");
}

void fzi_things_write(const fzi_drawing *d, const fzi_shown_value *v)
{
    int look = fzi_look_of(d, v->like);
    bool by_player = v->like->index_count && kind_of_index(d, v->like) == FZ_VALUE_PLAYER;

    fzi_buffer_text(d->out, "  ");
    fzi_name_words(d->program, v->like, d->out);
    fzi_buffer_text(d->out, ": ");
    for (uint32_t e = 0; e < v->like->length; e++) {
        if (v->like->index_count && !by_player) {
            add_dice(d, v);
            break;
        }
        fzi_buffer_text(d->out, e ? ", " : "");
        if (by_player)
            fzi_buffer_format(d->out, "%s ", fzi_text(d->program, d->program->players[e].name));
        if (fzi_shown_known(d, v, e))
            add_count(d, look, fzi_element_get(v->program, v->block, v->like, e));
        else
            fzi_buffer_char(d->out, '?');
    }
    fzi_buffer_char(d->out, '\n');
}
