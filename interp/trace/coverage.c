/* Coverage: counts by instruction become counts by rule, a rule being what a place of the script
 * says: an option, a statement, a condition. See trace.h. */
#include "trace.h"

#include <stdlib.h>

#include "interp/program/place_cursor.h"
#include "interp/support/text.h"
#include "interp/support/words.h"
#include "interp/vm/game.h"

/* ---- counting ---- */

static bool cover_init(fz_cover *c, const fz_program *p)
{
    size_t codes = p->code_length + 1, options = p->option_count + 1, items = p->item_count + 1;

    *c = (fz_cover){.program = p};
    c->block = fzi_allocate_zeroed(fzi_program_allocator(p),
                                   (4 * codes + 4 * options + 4 * items) * sizeof *c->block);
    c->before = fzi_allocate(fzi_program_allocator(p), p->layout.frames);
    c->asker = p->item_count ? fz_machine_new(p, NULL) : NULL;
    if (!c->block || !c->before || (p->item_count && !c->asker))
        return false;
    c->ran = c->block;
    c->tried = c->ran + codes;
    c->option_of = (uint32_t *)(c->tried + codes);
    c->offered = c->tried + 2 * codes;
    c->played = c->offered + options;
    c->seen = c->played + options;
    c->changed = c->seen + options;
    c->item_offered = c->changed + codes;
    c->item_played = c->item_offered + items;
    c->item_seen = c->item_played + items;
    c->item_alone = c->item_seen + items;
    c->items_of = (uint32_t *)(c->item_alone + items);
    for (uint32_t i = p->item_count; i-- > 0;)
        c->items_of[p->items[i].option] = i;
    for (uint32_t i = 0; i < p->option_count; i++)
        c->option_of[p->options[i].effect] = i + 1;
    return true;
}

void fzi_cover_add(fz_cover *sum, const fz_cover *part)
{
    for (uint32_t i = 0; i < sum->program->code_length; i++) {
        sum->ran[i] += part->ran[i];
        sum->tried[i] += part->tried[i];
        sum->changed[i] += part->changed[i];
    }
    for (uint32_t i = 0; i < sum->program->option_count; i++) {
        sum->offered[i] += part->offered[i];
        sum->played[i] += part->played[i];
    }
    sum->lacks_memory |= part->lacks_memory;
    for (uint32_t i = 0; i < sum->program->item_count; i++) {
        sum->item_offered[i] += part->item_offered[i];
        sum->item_played[i] += part->item_played[i];
        sum->item_alone[i] += part->item_alone[i];
    }
}

/* The items of the option: from the first to before the last. */
static uint32_t items_end(const fz_cover *c, uint32_t option)
{
    uint32_t at = c->items_of[option];

    while (at < c->program->item_count && c->program->items[at].option == option)
        at++;
    return at;
}

/* The int registers of the state's frame. */
static const int64_t *ints_of(const fz_state *state)
{
    return (const int64_t *)(const void *)(
        fzi_frames_of(state) + fzi_head_of(state)->frame + FZ_FRAME_HEADER);
}

/* The targets of the item for a piece on the site; none if they cannot be had. */
static void ask_item(fz_cover *c, const fz_state *state, uint32_t item, int64_t site,
                     uint64_t *targets)
{
    const fz_item_info *info = &c->program->items[item];
    int64_t arguments[] = {info->me < 0 ? info->player : ints_of(state)[info->me], site};
    fz_status status = fzi_state_call(c->asker, state, info->function, arguments, 2, NULL, targets);
    c->lacks_memory |= status == FZ_NO_MEMORY;
    if (status != FZ_OK)
        memset(targets, 0, FZ_MAX_WORDS * sizeof *targets);
}

/* Counts the items to which the move that is about to be made belongs. */
static void note_played_items(fz_cover *c, const fz_state *state, uint32_t option)
{
    const fz_option_info *o = &c->program->options[option];
    const int64_t *values = ints_of(state) + o->first;
    uint64_t targets[FZ_MAX_WORDS];
    uint32_t makers = 0, last = 0;
    for (uint32_t i = c->items_of[option], end = items_end(c, option); i < end; i++) {
        ask_item(c, state, i, values[o->from], targets);
        if (!fzi_words_has(targets, (unsigned)values[o->to]))
            continue;
        c->item_played[i]++;
        makers++;
        last = i;
    }
    if (makers == 1)
        c->item_alone[last]++;
}

/* Counts the items with candidates among the moves of a segment, from number `first` on. */
static void note_offered_items(fz_cover *c, const fz_state *state, const fzi_move_list *list,
                               const fzi_segment *segment, uint32_t first)
{
    const fz_program *p = c->program;
    const fz_option_info *o = &p->options[segment->option];
    uint64_t targets[FZ_MAX_WORDS];

    for (uint32_t i = c->items_of[segment->option], end = items_end(c, segment->option); i < end;
         i++) {
        int32_t asked = -1;
        for (uint32_t k = 0; k < segment->count && c->item_seen[i] != c->decisions; k++) {
            fz_move move;
            fzi_move_list_pick(list, first + k, p->board.words, &move);
            if (move.values[o->from] != asked)
                ask_item(c, state, i, asked = move.values[o->from], targets);
            if (!fzi_words_has(targets, (unsigned)move.values[o->to]))
                continue;
            c->item_seen[i] = c->decisions;
            c->item_offered[i]++;
        }
    }
}

/* The options that have candidates, each once. */
static void note_offers(fz_cover *c, const fz_state *state, const fzi_move_list *list)
{
    uint32_t first = 0;

    c->decisions++;
    for (uint32_t i = 0; i < list->segment_count; i++) {
        const fzi_segment *segment = &list->segments[i];
        if (segment->count && c->seen[segment->option] != c->decisions) {
            c->seen[segment->option] = c->decisions;
            c->offered[segment->option]++;
        }
        note_offered_items(c, state, list, segment, first);
        first += segment->count;
    }
}

/* Does it put, take or change pieces? Variables are set to what they are on purpose. */
static bool is_writer(unsigned op)
{
    switch (op) {
    case FZ_OP_PUT: case FZ_OP_PUT1: case FZ_OP_PUT1_GIVEN: case FZ_OP_TAKE: case FZ_OP_TAKE1:
    case FZ_OP_MOVE: case FZ_OP_SWAP: case FZ_OP_BECOME: case FZ_OP_GIVE: case FZ_OP_STACK:
    case FZ_OP_TUCK: case FZ_OP_PULL: case FZ_OP_PUT_ON:
        return true;
    default: return false;
    }
}

/* Counts whether the instruction that has just run changed the state; one that ends the game is not
 * asked. */
static void note_change(fz_cover *c, const fzi_run *run, uint32_t pc)
{
    const fz_layout *layout = &c->program->layout;
    const uint8_t *block = run->state->block;
    size_t from = layout->own, size = layout->frames - from;
    if (c->writer && memcmp(block + from, c->before + from, size))
        c->changed[c->writer - 1]++;
    c->writer = is_writer(FZ_CODE_OP(c->program->code[pc])) ? pc + 1 : 0;
    if (c->writer)
        memcpy(c->before + from, block + from, size);
}

static void note(void *user, const fzi_run *run, const fzi_move_list *list, uint32_t pc)
{
    fz_cover *c = user;

    note_change(c, run, pc);
    if (run->mode == FZ_RUN_TRY) {
        c->tried[pc]++;
        return;
    }
    c->ran[pc]++;
    if (run->mode != FZ_RUN_PLAY)
        return;
    if (c->option_of[pc]) {
        c->played[c->option_of[pc] - 1]++;
        note_played_items(c, run->state, c->option_of[pc] - 1);
    }
    if (list && FZ_CODE_OP(c->program->code[pc]) == FZ_OP_DECIDE)
        note_offers(c, run->state, list);
}

/* ---- which code counts ---- */

/* Instructions that a game should run: not those of tests and of `limit`, nor the labels of
 * moves. */
static void mark_function(const fz_program *p, uint32_t function, uint8_t *live)
{
    const fz_function *f = &p->functions[function];
    if (live[f->start])
        return;
    FZI_FOR_INSTRUCTIONS(at, p, f)
        live[at] = 1;
    FZI_FOR_INSTRUCTIONS(at, p, f) {
        if (fzi_opcode_is(FZ_CODE_OP(p->code[at]), FZ_FLAG_CALLS))
            mark_function(p, p->code[at + 1], live);
    }
}

static void unmark_label(const fz_program *p, uint32_t at, uint8_t *live)
{
    unsigned op;
    do {
        op = FZ_CODE_OP(p->code[at]);
        live[at] = 0;
        at += fzi_opcode_length(op);
    } while (op != FZ_OP_TEXT_END);
}

static void mark_live(const fz_program *p, bool without_setup, uint8_t *live)
{
    const int32_t roots[] = {without_setup ? FZ_NOT_THERE : p->setup, p->turn, p->end};

    for (size_t i = 0; i < sizeof roots / sizeof roots[0]; i++)
        if (roots[i] >= 0)
            mark_function(p, (uint32_t)roots[i], live);
    for (uint32_t i = 0; i < p->option_count; i++) {
        unmark_label(p, p->options[i].label, live);
        unmark_label(p, p->options[i].shown, live);
    }
}

/* ---- rules ---- */

/* A library: what it offers need not all be used. */
static bool is_library(const fz_program *p, const fz_source_info *source)
{
    const char *text = fzi_text(p, source->text);

    return fzi_begins_library(text, strlen(text));
}

static bool contains(const char *text, size_t length, const char *part)
{
    size_t size = strlen(part);

    for (size_t i = 0; i + size <= length; i++)
        if (memcmp(text + i, part, size) == 0)
            return true;
    return false;
}

/* Statements and options end so: `{ one; two; }`, `"pass" => {}`. Parts of expressions, such as
 * `{a1, a2}` and `mine == {}`, are too small to be rules. */
static bool is_rule(const char *text, size_t length)
{
    char last = text[length - 1];

    return last == ';' ||
           (last == '}' && (contains(text, length, ";") || contains(text, length, "=>")));
}

const char *fzi_placed_text(const fz_program *p, const fz_place *place)
{
    const fz_source_info *source = &p->sources[place->source];
    bool known = place->source && place->source < p->source_count && place->start < place->end &&
                 place->end <= source->text_length;
    return known ? fzi_text(p, source->text) + place->start : NULL;
}

typedef struct rule_list {
    const fz_program *program;
    fz_rule *by_place;    /* text NULL: no rule is known there yet */
} rule_list;

static fz_rule *rule_at(rule_list *l, uint32_t place)
{
    const fz_program *p = l->program;
    const fz_place *at = &p->places[place];
    fz_rule *rule = &l->by_place[place];
    const char *text = fzi_placed_text(p, at);
    if (rule->text)
        return rule;
    if (!text || is_library(p, &p->sources[at->source]) || !is_rule(text, at->end - at->start))
        return NULL;
    *rule = (fz_rule){.path = fzi_text(p, p->sources[at->source].path), .text = text,
                      .length = at->end - at->start};
    return rule;
}

static void count_code(rule_list *l, const fz_cover *c, const uint8_t *live)
{
    const fz_program *p = l->program;

    /* The first instruction counts: other code may jump to the last one. */
    for (uint32_t i = 0; i < p->line_count; i++) {
        uint32_t at = p->lines[i].code;
        fz_rule *rule = live[at] ? rule_at(l, p->lines[i].place) : NULL;
        if (!rule)
            continue;
        rule->ran = c->ran[at] > rule->ran ? c->ran[at] : rule->ran;
        rule->tried = c->tried[at] > rule->tried ? c->tried[at] : rule->tried;
    }
}

/* Counts how often an option had moves, and how often one was played. */
static fz_rule *count_option(rule_list *l, uint32_t place, uint64_t offered, uint64_t played)
{
    fz_rule *rule = rule_at(l, place);

    if (!rule)
        return NULL;
    if (!rule->is_option)
        rule->ran = 0;
    rule->is_option = true;
    rule->offered += offered;
    rule->ran += played;
    return rule;
}

static void count_item(rule_list *l, const fz_cover *c, uint32_t item)
{
    fz_rule *rule = count_option(l, l->program->items[item].place, c->item_offered[item],
                                 c->item_played[item]);

    if (!rule)
        return;
    rule->is_item = true;
    rule->alone += c->item_alone[item];
}

/* An option may stand in several choices, as generators do. */
static void count_options(rule_list *l, const fz_cover *c, const uint8_t *live)
{
    const fz_program *p = l->program;

    for (uint32_t i = 0; i < p->option_count; i++) {
        const fz_choice *choice = &p->choices[p->options[i].choice];
        bool is_question = FZ_CODE_OP(p->code[choice->start]) == FZ_OP_CAN;
        uint32_t item = c->items_of[i], end = items_end(c, i);
        if (!live[choice->start] || is_question)
            continue;
        if (item == end)
            count_option(l, p->options[i].place, c->offered[i], c->played[i]);
        for (; item < end; item++)
            count_item(l, c, item);
    }
}

static void add_removed(rule_list *l)
{
    for (uint32_t i = 0; i < l->program->removed_count; i++) {
        const fz_removed_rule *removed = &l->program->removed[i];
        fz_rule *rule = rule_at(l, removed->place);
        if (!rule)
            continue;
        rule->removed = true;
        rule->is_option = removed->is_option;
    }
}

static int by_text(const void *a, const void *b)
{
    const fz_rule *x = a, *y = b;
    int paths = strcmp(x->path, y->path);
    if (paths || x->text != y->text)
        return paths ? paths : x->text < y->text ? -1 : 1;
    return x->length > y->length ? -1 : x->length < y->length;
}

static const fz_place *place_of(const fz_program *p, uint32_t pc)
{
    uint32_t next = fzi_row_from(p->lines, p->line_count, sizeof *p->lines, pc + 1);
    return next ? &p->places[p->lines[next - 1].place] : NULL;
}

/* Rules in the order of the text, united. */
typedef struct rule_tree {
    const fz_program *program;
    fz_rule *rules;
    size_t count;
    uint32_t *outer; /* the rule that each stands in: its number from 1; 0: none */
} rule_tree;

static bool contains_text(const fz_rule *rule, const char *text)
{
    return rule->text <= text && text < rule->text + rule->length;
}

static uint32_t around(const rule_tree *t, uint32_t number, const char *text)
{
    while (number && !contains_text(&t->rules[number - 1], text))
        number = t->outer[number - 1];
    return number;
}

static bool is_source_of(const fz_program *p, uint32_t source, const char *text)
{
    const char *whole = fzi_text(p, p->sources[source].text);
    return whole <= text && text < whole + p->sources[source].text_length;
}

static void find_lines(const rule_tree *t)
{
    const fz_program *p = t->program;
    fzi_place_cursor cursor = {0};
    uint32_t source = 0;

    for (size_t i = 0; i < t->count; i++) {
        fz_rule *rule = &t->rules[i];
        while (!is_source_of(p, source, rule->text))
            source = (source + 1) % p->source_count;
        const char *text = fzi_text(p, p->sources[source].text);
        const fz_place place = {.source = source, .start = (uint32_t)(rule->text - text)};
        fzi_place_cursor_move(&cursor, p, &place);
        rule->line = cursor.line;
        rule->column = cursor.column;
    }
}

/* The innermost rule that a text of the file stands in; NULL: none. */
static fz_rule *rule_around(const rule_tree *t, const char *path, const char *text)
{
    size_t low = 0, high = t->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int paths = strcmp(t->rules[middle].path, path);
        if (paths < 0 || (paths == 0 && t->rules[middle].text <= text))
            low = middle + 1;
        else
            high = middle;
    }
    uint32_t number = around(t, (uint32_t)low, text);
    return number ? &t->rules[number - 1] : NULL;
}

static void count_changes(const rule_tree *t, const fz_cover *c, const uint8_t *live)
{
    const fz_program *p = c->program;
    for (uint32_t f = 0; f < p->function_count; f++) {
        FZI_FOR_INSTRUCTIONS(at, p, &p->functions[f]) {
            const fz_place *place = live[at] && c->ran[at] && is_writer(FZ_CODE_OP(p->code[at]))
                                        ? place_of(p, at) : NULL;
            const char *text = place ? fzi_placed_text(p, place) : NULL;
            fz_rule *rule =
                text ? rule_around(t, fzi_text(p, p->sources[place->source].path), text) : NULL;
            if (rule) {
                rule->writes += c->ran[at];
                rule->changes += c->changed[at];
            }
        }
    }
}

/* Code of one rule may stand in several places. Of an option, what counts is how often it was
 * played. */
static size_t unite(fz_rule *rules, size_t count)
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++) {
        fz_rule *rule = &rules[i], *before = kept ? &rules[kept - 1] : NULL;
        if (!before || by_text(before, rule) != 0) {
            rules[kept++] = *rule;
        } else if (rule->is_option && before->is_option) {
            before->ran += rule->ran;
            before->offered += rule->offered;
            before->alone += rule->alone;
        } else if (rule->is_option == before->is_option) {
            before->ran = rule->ran > before->ran ? rule->ran : before->ran;
            before->tried = rule->tried > before->tried ? rule->tried : before->tried;
        } else if (rule->is_option) {
            *before = *rule;
        }
    }
    return kept;
}

/* A statement ran if one inside it ran. */
static void count_outer(const rule_tree *t)
{
    for (size_t i = t->count; i-- > 1;)
        for (uint32_t at = t->outer[i]; at && t->rules[i].ran; at = t->outer[at - 1]) {
            fz_rule *outer = &t->rules[at - 1];
            if (!outer->is_option && !outer->ran)
                outer->ran = t->rules[i].ran;
        }
}

static void mark_inside(const rule_tree *t)
{
    count_outer(t);
    for (size_t i = 0; i < t->count; i++) {
        const fz_rule *outer = t->outer[i] ? &t->rules[t->outer[i] - 1] : NULL;
        t->rules[i].inside = outer && (outer->inside || !outer->ran);
    }
}

/* Makes one rule for each text of those that were counted by their places. */
static void make_tree(rule_tree *t)
{
    size_t count = 0;

    for (uint32_t i = 0; i < t->program->place_count; i++)
        if (t->rules[i].text)
            t->rules[count++] = t->rules[i];
    qsort(t->rules, count, sizeof *t->rules, by_text);
    t->count = unite(t->rules, count);
    for (size_t i = 0; i < t->count; i++)
        t->outer[i] = around(t, (uint32_t)i, t->rules[i].text);
    find_lines(t);
}

fz_status fz_cover_rules(const fz_cover *cover, fz_coverage *coverage)
{
    const fz_program *p = cover->program;
    fzi_allocator a = fzi_program_allocator(p);
    rule_list l = {p, fzi_allocate_zeroed(a, (p->place_count + 1) * sizeof *l.by_place)};
    rule_tree t = {.program = p, .rules = l.by_place,
                   .outer = fzi_allocate(a, (p->place_count + 1) * sizeof *t.outer)};
    uint8_t *live = fzi_allocate_zeroed(a, p->code_length + 1);
    bool enough = l.by_place && t.outer && live && !cover->lacks_memory;

    *coverage = (fz_coverage){.rules = l.by_place, .program = p};
    if (enough) {
        mark_live(p, cover->without_setup, live);
        count_code(&l, cover, live);
        count_options(&l, cover, live);
        add_removed(&l);
        make_tree(&t);
        count_changes(&t, cover, live);
        mark_inside(&t);
        coverage->count = t.count;
    }
    FZI_RELEASE(a, t.outer, live);
    return enough ? FZ_OK : FZ_NO_MEMORY;
}

/* Before and after each instruction that writes. */
static void trace_writers(fz_cover *c)
{
    const fz_program *p = c->program;
    FZI_FOR_CODE (at, p, 0, p->code_length) {
        unsigned op = FZ_CODE_OP(p->code[at]);
        if (!is_writer(op))
            continue;
        fzi_tracer_at(&c->tracer, at);
        if (at + fzi_opcode_length(op) < p->code_length)
            fzi_tracer_at(&c->tracer, at + fzi_opcode_length(op));
    }
}

fz_cover *fz_cover_begin(const fz_program *program, const fz_limits *limits)
{
    fz_cover *cover = fzi_allocate_zeroed(fzi_program_allocator(program), sizeof *cover);
    if (cover && cover_init(cover, program) &&
        fzi_tracer_init(&cover->tracer, program, limits, note, cover)) {
        trace_writers(cover);
        return cover;
    }
    fz_cover_free(cover);
    return NULL;
}

fz_machine *fz_cover_machine(fz_cover *cover)
{
    return cover->tracer.machine;
}

void fz_cover_free(fz_cover *cover)
{
    if (!cover)
        return;
    fzi_allocator allocator = fzi_program_allocator(cover->program);
    fzi_tracer_clear(&cover->tracer);
    fz_machine_free(cover->asker);
    FZI_RELEASE(allocator, cover->before, cover->block, cover);
}

void fz_coverage_free(fz_coverage *coverage)
{
    if (coverage->program)
        fzi_release(fzi_program_allocator(coverage->program), coverage->rules);
    *coverage = (fz_coverage){0};
}
