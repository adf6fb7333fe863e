/* Sums of measures as JSON. See measures_json.h. */
#include "measures_json.h"

#include "sums_json.h"

#include <string.h>

enum {
    MOST_ELEMENTS = 1 << 22, /* of a list */
    SUM_NUMBERS = 6
};

/* ---- writing ---- */

static json_t *row_of(const fzi_exact *numbers, unsigned count)
{
    json_t *row = json_array();

    for (unsigned i = 0; i < count; i++)
        json_array_append_new(row, fzi_wide_json(numbers[i]));
    return row;
}

static json_t *sum_json(size_t element, const fzi_sum *s)
{
    const fzi_exact numbers[SUM_NUMBERS] = {(fzi_exact)s->games, s->a, s->b, s->aa, s->ab, s->bb};
    json_t *row = row_of(numbers, SUM_NUMBERS);

    json_array_insert_new(row, 0, json_integer((json_int_t)element));
    return row;
}

/* Those to which some game has added. */
static json_t *sums_json(const fzi_sum *sums, size_t count)
{
    json_t *rows = json_array();

    for (size_t i = 0; i < count; i++)
        if (sums[i].games)
            json_array_append_new(rows, sum_json(i, &sums[i]));
    return rows;
}

static json_t *counts_json(const fzi_counts *c)
{
    json_t *rows = json_array();

    for (size_t i = 0; i < c->room; i++)
        if (c->of[i])
            json_array_append_new(rows, json_pack("[I, o]", (json_int_t)i,
                                                  fzi_wide_json((fzi_exact)c->of[i])));
    return rows;
}

static json_t *contents_json(const fzi_measures *m)
{
    json_t *rows = json_array();

    for (uint32_t s = 0; s < m->sites; s++) {
        const uint64_t *tops = m->contents[s].tops;
        const fzi_exact numbers[] = {tops[0], tops[1], tops[2], tops[3], m->contents[s].heights};
        json_array_append_new(rows, row_of(numbers, 5));
    }
    return rows;
}

/* A letter for each register. */
static json_t *sketch_json(const uint8_t *sketch)
{
    char text[FZ_SKETCH + 1];

    for (unsigned i = 0; i < FZ_SKETCH; i++)
        text[i] = (char)('A' + sketch[i]);
    text[FZ_SKETCH] = '\0';
    return json_string(text);
}

json_t *fzi_measures_json(const fzi_measures *m)
{
    json_t *object = json_object(), *lists = json_array(), *counts = json_array();

    json_object_set_new(object, "games", fzi_wide_json((fzi_exact)m->games));
    json_object_set_new(object, "sums", sums_json(m->sums, FZ_MEASURES));
    for (unsigned i = 0; i < FZ_LISTS; i++)
        json_array_append_new(lists, sums_json(m->lists[i], m->sizes[i]));
    json_object_set_new(object, "lists", lists);
    for (unsigned i = 0; i < FZ_COUNTS; i++)
        json_array_append_new(counts, counts_json(&m->counts[i]));
    json_object_set_new(object, "counts", counts);
    json_object_set_new(object, "contents", contents_json(m));
    json_object_set_new(object, "sketch", sketch_json(m->sketch));
    return object;
}

/* ---- reading ---- */

/* Not so large that sums of some of them would overflow. */
static bool read_number(const json_t *value, fzi_exact *number)
{
    const fzi_exact most = (fzi_exact)1 << 120;
    fz_signed_wide wide;

    if (!fzi_wide_read(value, true, &wide) || wide > most || wide < -most)
        return false;
    *number = wide;
    return true;
}

static bool read_count(const json_t *value, uint64_t *count)
{
    fzi_exact number;

    if (!read_number(value, &number) || number < 0 || number > (fzi_exact)UINT64_MAX)
        return false;
    *count = (uint64_t)number;
    return true;
}

static bool read_index(const json_t *value, size_t behind, size_t *index)
{
    if (!json_is_integer(value) || json_integer_value(value) < 0 ||
        (uint64_t)json_integer_value(value) >= behind)
        return false;
    *index = (size_t)json_integer_value(value);
    return true;
}

static bool read_sums(const json_t *rows, fzi_sum *sums, size_t count, uint64_t games)
{
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        fzi_exact n[SUM_NUMBERS];
        size_t element;
        if (json_array_size(row) != SUM_NUMBERS + 1 ||
            !read_index(json_array_get(row, 0), count, &element))
            return false;
        for (unsigned k = 0; k < SUM_NUMBERS; k++)
            if (!read_number(json_array_get(row, k + 1), &n[k]))
                return false;
        if (n[0] < 0 || n[0] > (fzi_exact)games)
            return false;
        sums[element] = (fzi_sum){(uint64_t)n[0], n[1], n[2], n[3], n[4], n[5]};
    }
    return json_is_array(rows);
}

static bool read_counts(const json_t *rows, fzi_counts *counts, fzi_allocator allocator)
{
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        size_t number;
        uint64_t times;
        if (json_array_size(row) != 2 ||
            !read_index(json_array_get(row, 0), FZI_MOST_COUNTED, &number) ||
            !read_count(json_array_get(row, 1), &times) || times > (uint64_t)1 << 60 ||
            !fzi_counts_add(counts, allocator, number, times))
            return false;
    }
    return json_is_array(rows);
}

static bool read_contents(const json_t *rows, fzi_measures *m)
{
    bool good = json_array_size(rows) == m->sites;

    for (uint32_t s = 0; good && s < m->sites; s++) {
        const json_t *row = json_array_get(rows, s);
        for (unsigned w = 0; good && w < 4; w++)
            good = read_count(json_array_get(row, w), &m->contents[s].tops[w]);
        good = good && read_count(json_array_get(row, 4), &m->contents[s].heights);
    }
    return good;
}

static bool read_sketch(const char *text, uint8_t *sketch)
{
    enum { GREATEST = 53 };

    if (!text || strlen(text) != FZ_SKETCH)
        return false;
    for (unsigned i = 0; i < FZ_SKETCH; i++) {
        if (text[i] < 'A' || text[i] > 'A' + GREATEST)
            return false;
        sketch[i] = (uint8_t)(text[i] - 'A');
    }
    return true;
}

/* How many elements each list has. */
static bool read_sizes(const json_t *names, uint32_t sizes[FZ_LISTS])
{
    for (unsigned list = 0; list < FZ_LISTS; list++) {
        const json_t *array = json_object_get(names, fzi_list_infos[list].name);
        size_t count = json_array_size(array);
        if (!json_is_array(array) || count > MOST_ELEMENTS)
            return false;
        for (size_t i = 0; i < count; i++)
            if (!json_is_string(json_array_get(array, i)))
                return false;
        sizes[list] = (uint32_t)count;
    }
    return json_is_boolean(json_object_get(names, "symmetric"));
}

bool fzi_measures_read(const json_t *object, const json_t *names, fzi_allocator allocator,
                       fzi_measures *m)
{
    const json_t *lists = json_object_get(object, "lists");
    const json_t *counts = json_object_get(object, "counts");
    uint32_t sizes[FZ_LISTS];
    bool good;

    *m = (fzi_measures){.allocator = allocator};
    good = read_sizes(names, sizes) && fzi_measures_make(m, sizes, allocator) &&
           read_count(json_object_get(object, "games"), &m->games) &&
           read_sums(json_object_get(object, "sums"), m->sums, FZ_MEASURES, m->games) &&
           json_array_size(lists) == FZ_LISTS && json_array_size(counts) == FZ_COUNTS &&
           read_contents(json_object_get(object, "contents"), m) &&
           read_sketch(json_string_value(json_object_get(object, "sketch")), m->sketch);
    for (unsigned i = 0; good && i < FZ_LISTS; i++)
        good = read_sums(json_array_get(lists, i), m->lists[i], m->sizes[i], m->games);
    for (unsigned i = 0; good && i < FZ_COUNTS; i++)
        good = read_counts(json_array_get(counts, i), &m->counts[i], allocator);
    return good;
}
