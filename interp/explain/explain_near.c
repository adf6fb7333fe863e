/* Explains a text that no option makes: where the rules lead that could make such a
 * move, what stands there, and the nearest legal moves. */
#include "explain.h"

#include "interp/text/notation.h"

enum { MAX_NEAREST = 6, MAX_TEXT = 60, MAX_RULES = 6, MAX_SITES = 8 };

/* ---- rules ---- */

static size_t name_length(const char *text)
{
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_')
        length++;
    return length;
}

/* The sites that a text names, in order. */
static unsigned sites_of(const fz_program *program, const char *text, int *sites)
{
    unsigned count = 0;
    while (*text && count < MAX_SITES) {
        size_t length = name_length(text);
        const char *capture = memchr(text, 'x', length); /* e4xd5 */
        if (capture && fzi_site_find(program, text, length) < 0)
            length = (size_t)(capture - text);
        int site = length ? fzi_site_find(program, text, length) : FZ_NOT_THERE;
        if (site >= 0)
            sites[count++] = site;
        text += length ? length : 1;
    }
    return count;
}

typedef struct rule {
    uint32_t option;
    fzi_nearness near;
    fzi_buffer clauses;
    bool of_piece; /* its option is an item of the piece on the first site */
} rule;

typedef struct rules {
    fzi_question *q;
    int sites[MAX_SITES];
    unsigned count;
    uint32_t frame;
    rule found[64];
    unsigned found_count;
} rules;

/* Gives the option's bindings of sites the sites of the text, in order. False: there are others. */
static bool bind_sites(const rules *r, const fz_option_info *option, fzi_explained *scene)
{
    const fz_program *p = r->q->program;
    unsigned used = 0;
    for (unsigned i = 0; i < option->bindings; i++) {
        if (p->types[option->types[i]].kind != FZ_VALUE_SITE)
            continue;
        if (used == r->count)
            return false;
        scene->slots[i] = r->sites[used++];
        scene->known |= 1u << i;
    }
    return used == r->count;
}

static bool stands_there(const rules *r, unsigned site, unsigned kind)
{
    int there, owner;
    fzi_piece_get(r->q->program, r->q->state->block, site, &there, &owner);
    return there == (int)kind && (owner < 0 || owner == fz_state_decider(r->q->state));
}

/* The set contains the site, but the item does not move there. */
static void say_onto(fzi_explained *scene, unsigned site, unsigned onto)
{
    const fz_program *p = scene->machine->program;
    fzi_buffer_text(scene->out, scene->clauses++ ? ", " : "");
    if (onto == 2)
        fzi_buffer_format(scene->out, "there is no enemy to capture on %s",
                          fzi_text(p, p->board.site_names[site]));
    else {
        fzi_add_piece(p, scene->state, site, scene->out);
        fzi_buffer_text(scene->out, " is an own piece");
    }
}

/* Where one binding of the option may lead. False: to the site that the text names. */
static bool stops_at(rules *r, const fz_reach *reach, fzi_explained *scene, rule *found)
{
    unsigned site = (unsigned)scene->slots[reach->binding];
    int has = fzi_reason_has(scene, reach->reason, site);
    int there, owner;
    if (has < 0)
        return false;
    fzi_piece_get(r->q->program, r->q->state->block, site, &there, &owner);
    if (!has) {
        found->near = fzi_why_outside(scene, reach->reason, site);
        return true;
    }
    bool own = there >= 0 && owner == fz_state_decider(r->q->state);
    if ((reach->onto == 1 && own) || (reach->onto == 2 && (there < 0 || own))) {
        say_onto(scene, site, reach->onto);
        found->near = FZI_STOPPED;
        return true;
    }
    return false;
}

static void look_at_option(rules *r, uint32_t number)
{
    const fz_program *p = r->q->program;
    const fz_option_info *option = &p->options[number];
    fzi_explained scene = {.machine = r->q->machine, .state = r->q->state, .frame = r->frame};
    rule *found = &r->found[r->found_count];
    if (!bind_sites(r, option, &scene) || r->found_count == sizeof r->found / sizeof *r->found)
        return;
    *found = (rule){.option = number, .clauses = fzi_buffer_in(r->q->machine->allocator)};
    scene.out = &found->clauses;
    for (uint32_t i = 0; i < p->reach_count; i++) {
        const fz_reach *reach = &p->reaches[i];
        if (reach->option != number)
            continue;
        if (reach->kind && !stands_there(r, (unsigned)r->sites[0], reach->kind - 1u))
            break;
        found->of_piece = reach->kind != 0;
        if (stops_at(r, reach, &scene, found)) {
            r->found_count++;
            return;
        }
    }
    fzi_buffer_free(&found->clauses);
}

/* Another rule at the same place of the text has been met. */
static bool is_known(const rules *r, uint32_t number)
{
    const fz_option_info *options = r->q->program->options;
    for (unsigned i = 0; i < r->found_count; i++)
        if (options[r->found[i].option].place == options[number].place)
            return true;
    return false;
}

static void write_rules(rules *r)
{
    const fz_program *p = r->q->program;
    fzi_buffer *out = &r->q->out;
    unsigned written = 0;
    for (int near = FZI_STOPPED; near >= FZI_ELSEWHERE; near--) {
        for (unsigned i = 0; i < r->found_count && written < MAX_RULES; i++) {
            rule *found = &r->found[i];
            char where[256];
            if ((int)found->near != near)
                continue;
            written++;
            const fz_place *place = &p->places[p->options[found->option].place];
            fzi_place_text(p, place, where, sizeof where);
            fzi_buffer_format(out, "  %s: ", where);
            fzi_add_source(p, place, MAX_TEXT, " ...", out);
            fzi_buffer_format(out, "\n    %s\n", fzi_buffer_get(&found->clauses));
        }
    }
}

bool fzi_explain_rules(fzi_question *q)
{
    rules r = {.q = q, .frame = fzi_head_of(q->state)->frame};
    const fz_program *p = q->program;
    bool pieces = false;
    r.count = sites_of(p, q->text, r.sites);
    if (!r.count)
        return false;
    for (uint32_t c = 0; c < p->choice_count; c++) {
        const fz_choice *choice = &p->choices[c];
        for (uint32_t i = 0; choice->start == fzi_head_of(q->state)->pc && i < choice->options; i++)
            if (!is_known(&r, choice->first_option + i))
                look_at_option(&r, choice->first_option + i);
    }
    for (unsigned i = 0; i < r.found_count; i++)
        pieces |= r.found[i].of_piece;
    if (pieces && r.count == 2) {
        int kind, owner;
        fzi_piece_get(p, q->state->block, (unsigned)r.sites[0], &kind, &owner);
        fzi_buffer_format(&q->out, "'%s' is not legal: no rule of %s leads from %s to %s.\n",
                          q->text, fzi_text(p, p->kinds[kind].name),
                          fzi_text(p, p->board.site_names[r.sites[0]]),
                          fzi_text(p, p->board.site_names[r.sites[1]]));
    } else if (r.found_count) {
        fzi_buffer_format(&q->out, "'%s' is not legal: no rule leads there.\n", q->text);
    }
    write_rules(&r);
    for (unsigned i = 0; i < r.found_count; i++)
        fzi_buffer_free(&r.found[i].clauses);
    return r.found_count > 0;
}

/* ---- near moves ---- */

bool fzi_reads_alike(fzi_question *q, const fz_state *state, const fz_move *move, const char *text)
{
    fzi_buffer_clear(&q->label);
    return fzi_move_write(q->machine, state, move, false, &q->label) == FZ_OK &&
           fzi_move_text_is(fzi_buffer_get(&q->label), text);
}

static unsigned letters_apart(const char *a, const char *b)
{
    const char *from[] = {a, b};
    char texts[2][MAX_TEXT + 1];
    for (unsigned t = 0; t < 2; t++) {
        size_t length = strlen(from[t]);
        if (length > MAX_TEXT)
            return 999;
        for (size_t i = 0; i <= length; i++)
            texts[t][i] = (char)tolower((unsigned char)from[t][i]);
    }
    return fzi_letters_apart(texts[0], texts[1], false);
}

typedef struct near_move {
    char text[MAX_TEXT + 1];
    unsigned apart;
} near_move;

static unsigned find_nearest(fzi_question *q, near_move *nearest)
{
    const fzi_move_list *list = &q->legal->list;
    fzi_cursor cursor = FZI_CURSOR_AT(0);
    unsigned count = 0, at;
    fz_move move;
    while (fzi_move_list_next(list, &cursor, list->segment_count, &move)) {
        if (fzi_reads_alike(q, q->state, &move, q->text))
            continue;
        const char *text = fzi_buffer_get(&q->label);
        for (at = 0; at < count && strcmp(nearest[at].text, text) != 0;)
            at++;
        if (at < count)
            continue;
        unsigned apart = letters_apart(text, q->text);
        for (at = count; at > 0 && nearest[at - 1].apart > apart; at--)
            if (at < MAX_NEAREST)
                nearest[at] = nearest[at - 1];
        if (at == MAX_NEAREST)
            continue;
        snprintf(nearest[at].text, sizeof nearest[at].text, "%s", text);
        nearest[at].apart = apart;
        count += count < MAX_NEAREST;
    }
    return count;
}

/* Says what stands on the site with which the text begins, if it does. */
static void explain_site(fzi_question *q)
{
    const fz_program *p = q->program;
    const uint8_t *block = q->state->block;
    size_t length = name_length(q->text);
    int site = length ? fzi_site_find(p, q->text, length) : FZ_NOT_THERE, kind, owner;
    if (site < 0 || !p->kind_count)
        return;
    fzi_piece_get(p, block, (unsigned)site, &kind, &owner);
    if (kind < 0 && q->text[length] == '\0')
        return; /* a site alone is where something would be put */
    if (fzi_words_has(q->unseen, (unsigned)site))
        fzi_buffer_format(&q->out, "%s does not see what stands on %.*s.\n",
                          fz_program_player_name(p, q->player), (int)length, q->text);
    else if (kind < 0)
        fzi_buffer_format(&q->out, "Nothing stands on %.*s.\n", (int)length, q->text);
    else
        fzi_buffer_format(&q->out, "On %.*s stands a %s of %s.\n", (int)length, q->text,
                          fzi_text(p, p->kinds[kind].name), fz_program_player_name(p, owner));
    if (fzi_stack_height(p, block, (unsigned)site) > 1) {
        fzi_buffer_text(&q->out, "The stack from the bottom: ");
        fzi_stack_write(p, block, (unsigned)site, &q->out);
        fzi_buffer_text(&q->out, ".\n");
    }
}

void fzi_explain_unknown(fzi_question *q)
{
    near_move nearest[MAX_NEAREST];

    fz_state_moves(q->machine, q->state, q->legal);
    unsigned count = find_nearest(q, nearest);
    fzi_buffer_format(&q->out, "No option makes '%s' here.\n", q->text);
    explain_site(q);
    for (unsigned i = 0; i < count; i++)
        fzi_buffer_format(&q->out, "%s%s", i ? ", " : "The nearest legal moves: ", nearest[i].text);
    if (count)
        fzi_buffer_text(&q->out, ".\n");
}
