/* Files of learned evaluations. See learning.h; docs/agents.md describes the format. */
#include "learning.h"

#include "interp/solve/solve.h"

static const fzi_checked_form form = {"ferz evaluation 1", "an", "evaluation", "learn"};

/* ---- rows of numbers, as texts: a line each ---- */

static void add_row(json_t *rows, const uint16_t *numbers, size_t count)
{
    fzi_buffer text = fzi_buffer_in(fzi_allocator_default());

    for (size_t i = 0; i < count; i++)
        fzi_buffer_format(&text, "%s%u", i ? " " : "", (unsigned)numbers[i]);
    json_array_append_new(rows, json_string(fzi_buffer_get(&text)));
    fzi_buffer_free(&text);
}

/* Reads `count` whole numbers below `bound`. */
static bool read_row(const json_t *row, uint16_t *numbers, size_t count, uint32_t bound)
{
    const char *at = json_string_value(row);

    for (size_t i = 0; at && i < count; i++) {
        char *end;
        unsigned long number = strtoul(at, &end, 10);
        if (end == at || number >= bound)
            return false;
        numbers[i] = (uint16_t)number;
        at = end;
    }
    return at && !*at;
}

/* The same of a row that has each number once. */
static bool read_permutation(const json_t *row, uint16_t *numbers, size_t count)
{
    uint64_t seen[FZ_MAX_CELLS / 64] = {0};

    if (count > FZ_MAX_CELLS || !read_row(row, numbers, count, (uint32_t)count))
        return false;
    for (size_t i = 0; i < count; i++) {
        if (seen[numbers[i] / 64] >> numbers[i] % 64 & 1)
            return false;
        seen[numbers[i] / 64] |= UINT64_C(1) << numbers[i] % 64;
    }
    return true;
}

static json_t *write_rows(const uint16_t *numbers, size_t rows, size_t columns)
{
    json_t *array = json_array();

    for (size_t i = 0; numbers && i < rows; i++)
        add_row(array, numbers + i * columns, columns);
    return array;
}

/* Rows that are permutations; none: `*numbers` stays NULL. */
static bool read_rows(fzi_allocator allocator, const json_t *array, size_t columns,
                      uint16_t **numbers)
{
    size_t rows = json_array_size(array);

    if (!json_is_array(array) || rows > FZ_MAX_SYMMETRIES)
        return false;
    if (rows)
        *numbers = fzi_allocate(allocator, (rows * columns + 1) * sizeof **numbers);
    for (size_t i = 0; i < rows; i++)
        if (!*numbers ||
            !read_permutation(json_array_get(array, i), *numbers + i * columns, columns))
            return false;
    return true;
}

/* ---- layers ---- */

static const struct {
    const char *name;
    int32_t variable;
} sources[] = {{"(pieces)", FZ_LAYER_PIECES}, {"(heights)", FZ_LAYER_HEIGHTS},
               {"(choice)", FZ_LAYER_CHOICE}};

static const char *source_of(const fz_program *program, int32_t variable)
{
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
        if (sources[i].variable == variable)
            return sources[i].name;
    return program->text + program->variables[variable].name;
}

static json_t *write_layers(const fzi_learned *l)
{
    json_t *array = json_array();

    for (uint32_t i = 0; i < l->layer_count; i++) {
        const fzi_cell_layer *y = &l->layers[i];
        json_array_append_new(
            array, json_pack("{s:s, s:i, s:I, s:I, s:i, s:i}", "of", source_of(l->program,
                             y->variable), "variable", y->variable, "element",
                             (json_int_t)y->element, "low", (json_int_t)y->low, "step",
                             (int)y->step, "levels", (int)y->levels));
    }
    return array;
}

static bool read_layer(fzi_learned *l, const json_t *row)
{
    const fz_program *p = l->program;
    json_int_t element, low;
    const char *name;
    int variable, step, levels;
    fzi_cell_layer y = {.by_site = true};

    if (json_unpack((json_t *)(uintptr_t)row, "{s:s, s:i, s:I, s:I, s:i, s:i}", "of", &name,
                    "variable", &variable, "element", &element, "low", &low, "step", &step,
                    "levels", &levels) != 0 ||
        variable < FZ_LAYER_CHOICE || variable >= (int)p->variable_count || step < 1 ||
        levels < 2 || levels > UINT8_MAX || low < INT32_MIN || low > INT32_MAX || element < 0 ||
        strcmp(name, source_of(p, variable)) != 0)
        return false;
    if (variable >= 0 && !fzi_learned_reads(p, &p->variables[variable], &y.by_site))
        return false;
    y.by_site = y.by_site && variable != FZ_LAYER_CHOICE;
    y.variable = variable;
    y.element = (uint32_t)element;
    y.low = low;
    y.step = (uint32_t)step;
    y.levels = (uint32_t)levels;
    return element < (variable >= 0 && p->variables[variable].is_set
                          ? p->variables[variable].length : 1) &&
           fzi_learned_add(l, y);
}

/* The levels of pieces are those of the first layer, if that has pieces. */
static bool codes_fit(const fzi_learned *l, size_t codes)
{
    unsigned levels = l->layer_count && l->layers[0].variable == FZ_LAYER_PIECES
                          ? l->layers[0].levels : UINT8_MAX + 1;

    for (size_t i = 0; i < codes; i++)
        if (l->codes[i] >= levels)
            return false;
    for (uint32_t i = 1; i < l->layer_count; i++)
        if (l->layers[i].variable == FZ_LAYER_PIECES)
            return false;
    return true;
}

static const fzi_cell_layer *layer_with(const fzi_learned *l, uint32_t cell)
{
    const fzi_cell_layer *y = l->layers;

    while (cell >= y->first + y->count)
        y++;
    return y;
}

/* A cell is read as another of as many levels. */
static bool seats_fit(const fzi_learned *l, size_t seats)
{
    for (size_t i = 0; i < seats * l->cells; i++)
        if (layer_with(l, l->seats[i])->levels !=
            layer_with(l, (uint32_t)(i % l->cells))->levels)
            return false;
    return !seats || seats == l->program->player_count;
}

static bool read_codes(fzi_learned *l, const json_t *array)
{
    size_t codes = fzi_learned_code(l->program, (int)l->program->kind_count, -1);

    for (size_t i = 0; i < codes; i++) {
        json_int_t code = json_integer_value(json_array_get(array, i));
        if (!json_is_integer(json_array_get(array, i)) || code < 0 || code > UINT8_MAX)
            return false;
        l->codes[i] = (uint8_t)code;
    }
    return json_array_size(array) == codes && codes_fit(l, codes);
}

/* ---- weights ---- */

static size_t weights_of(const fzi_learned *l)
{
    return (size_t)l->tables * l->weight_count;
}

/* Those that some position has changed: "NUMBER WEIGHT SUM AMOUNT". */
static json_t *write_weights(const fzi_learning *y)
{
    json_t *rows = json_array();

    for (size_t i = 0; i < weights_of(y->learned); i++) {
        char text[96];
        if (!(y->amounts[i] > 0))
            continue;
        snprintf(text, sizeof text, "%zu %.9g %.9g %.9g", i, (double)y->learned->weights[i],
                 (double)y->sums[i], (double)y->amounts[i]);
        json_array_append_new(rows, json_string(text));
    }
    return rows;
}

/* One row, which begins with a number of `from` on. */
static bool read_weight(const char *text, size_t from, size_t count, size_t *number,
                        float values[3])
{
    char *end;

    *number = text && *text >= '0' && *text <= '9' ? strtoul(text, &end, 10) : count;
    if (*number < from || *number >= count)
        return false;
    for (unsigned i = 0; i < 3; i++) {
        const char *at = end;
        if (*at != ' ')
            return false;
        values[i] = strtof(at + 1, &end);
        if (end == at + 1 || !isfinite(values[i]) || fabsf(values[i]) > 1e30f)
            return false;
    }
    return !*end && fabsf(values[1]) <= values[2]; /* a sum, and that of its amounts */
}

/* Returns 0, or the number of the first row that is wrong. */
static size_t read_weights(const json_t *rows, fzi_learned *l, fzi_learning *y)
{
    size_t count = weights_of(l), from = 0, at;
    float values[3];

    for (size_t i = 0; i < json_array_size(rows); i++, from = at + 1) {
        if (!read_weight(json_string_value(json_array_get(rows, i)), from, count, &at, values))
            return i + 1;
        l->weights[at] = values[0];
        if (y) {
            y->sums[at] = values[1];
            y->amounts[at] = values[2];
        }
    }
    return json_is_array(rows) ? 0 : 1;
}

/* ---- files ---- */

fz_status fzi_learning_text(const fzi_learning *y, char **text)
{
    const fzi_learned *l = y->learned;
    const fz_program *p = l->program;
    char fingerprint[FZI_FINGERPRINT_SIZE], seed[24];
    json_t *codes = json_array();

    fzi_fingerprint_program(p, fingerprint);
    snprintf(seed, sizeof seed, "%" PRIu64, y->seed);
    for (size_t i = 0; i < fzi_learned_code(p, (int)p->kind_count, -1); i++)
        json_array_append_new(codes, json_integer(l->codes[i]));
    json_t *object = json_pack(
        "{s:s, s:s, s:s, s:s, s:o, s:s, s:I, s:o, s:o, s:o, s:o, s:o}", "format", form.format,
        "ferz", FZ_VERSION, "game", fz_program_title(p), "program", fingerprint, "options",
        fzi_all_options(p), "seed", seed, "games", (json_int_t)y->games, "codes", codes, "layers",
        write_layers(l), "seats", write_rows(l->seats, p->player_count, l->cells), "symmetries",
        write_rows(l->symmetries, l->symmetry_count, p->board.site_count), "weights",
        write_weights(y));
    return object ? fzi_checked_json_text(object, y->setup->context, text)
                  : fzi_context_no_memory(y->setup->context);
}

static fz_status read_sums(fzi_learning *y, const char *path, const json_t *object, size_t count)
{
    fzi_allocator allocator = y->setup->context->allocator;
    fz_status status = fzi_checked_json_course(y->setup->context, path, &form, object, &y->games,
                                               &y->seed);

    if (status != FZ_OK)
        return status;
    y->sums = fzi_allocate_zeroed(allocator, count * sizeof *y->sums);
    y->amounts = fzi_allocate_zeroed(allocator, count * sizeof *y->amounts);
    return y->sums && y->amounts ? FZ_OK : fzi_context_no_memory(y->setup->context);
}

static fz_status read_shape(fz_context *context, const char *path, const json_t *object,
                            fzi_learned *l)
{
    const json_t *layers = json_object_get(object, "layers");
    const json_t *seats = json_object_get(object, "seats");

    for (size_t i = 0; i < json_array_size(layers); i++)
        if (!read_layer(l, json_array_get(layers, i)))
            return fzi_checked_json_damaged(context, path, &form, "layers", i + 1);
    if (!read_codes(l, json_object_get(object, "codes")))
        return fzi_checked_json_damaged(context, path, &form, "codes", 0);
    if (!read_rows(l->allocator, seats, l->cells, &l->seats) ||
        !seats_fit(l, json_array_size(seats)))
        return fzi_checked_json_damaged(context, path, &form, "seats", 0);
    if (!read_rows(l->allocator, json_object_get(object, "symmetries"),
                   l->program->board.site_count, &l->symmetries))
        return fzi_checked_json_damaged(context, path, &form, "symmetries", 0);
    l->symmetry_count = (uint32_t)json_array_size(json_object_get(object, "symmetries"));
    return fzi_learned_derive(l) ? FZ_OK : fzi_context_no_memory(context);
}

static fz_status read_object(fz_context *context, const char *path, const json_t *object,
                             fzi_learned *l, fzi_learning *y)
{
    fz_status status = fzi_checked_json_program(context, path, &form, l->program, object);

    if (status == FZ_OK)
        status = read_shape(context, path, object, l);
    if (status == FZ_OK && y)
        status = read_sums(y, path, object, weights_of(l));
    if (status != FZ_OK)
        return status;
    size_t row = read_weights(json_object_get(object, "weights"), l, y);
    return row ? fzi_checked_json_damaged(context, path, &form, "weights", row) : FZ_OK;
}

fz_status fzi_evaluation_read(fz_context *context, const fz_program *program, const char *path,
                              fzi_learned **learned, fzi_learning *y)
{
    json_t *object;
    fz_status status = fzi_checked_json_read(context, path, &form, &object);

    *learned = NULL;
    if (status != FZ_OK)
        return status;
    *learned = fzi_learned_new((fz_program *)(uintptr_t)program, context->allocator);
    status = *learned ? read_object(context, path, object, *learned, y)
                      : fzi_context_no_memory(context);
    json_decref(object);
    if (status != FZ_OK && !y) {
        fzi_learned_free(*learned);
        *learned = NULL;
    }
    return status;
}
