/* Printing JSON. See cli.h. */
#include "cli.h"

static void *allocate(size_t size)
{
    return fzi_cli_allocate(NULL, size);
}

void fzi_json_begin(void)
{
    json_set_alloc_funcs(allocate, free);
}

int fzi_json_write(json_t *value)
{
    int failed = !value || json_dumpf(value, stdout, JSON_INDENT(2) | JSON_PRESERVE_ORDER |
                                                         JSON_REAL_PRECISION(10) | JSON_ENCODE_ANY);
    json_decref(value);
    return failed ? FZ_EXIT_USAGE : FZ_EXIT_OK;
}

int fzi_json_print(json_t *value)
{
    int code = fzi_json_write(value);

    putchar('\n');
    return code;
}

/* ---- tables ---- */

static void print_value(const json_t *value, bool exact, char *text, size_t size)
{
    double number = json_number_value(value);

    if (json_is_string(value))
        snprintf(text, size, "%s", json_string_value(value));
    else if (json_is_boolean(value))
        snprintf(text, size, "%s", json_is_true(value) ? "true" : "false");
    else if (json_is_integer(value))
        snprintf(text, size, "%lld", (long long)json_integer_value(value));
    else if (json_is_real(value))
        snprintf(text, size, exact ? "%.6g" : fabs(number) < 10 ? "%.4f" : "%.2f", number);
    else
        *text = '\0';
}

/* ---- the run of a row ---- */

/* "a; b" of an array, "name=value; ..." of an object. */
static char *joined(json_t *value)
{
    char *text = fzi_cli_text("%s", ""), more[512];
    const char *name;
    json_t *item;
    size_t i;

    json_array_foreach(value, i, item) {
        char *longer = fzi_cli_text("%s%s%s", text, i ? "; " : "", json_string_value(item));
        free(text);
        text = longer;
    }
    json_object_foreach(value, name, item) {
        print_value(item, true, more, sizeof more);
        char *longer = fzi_cli_text("%s%s%s=%s", text, *text ? "; " : "", name, more);
        free(text);
        text = longer;
    }
    return text;
}

void fzi_csv_run_names(const json_t *run, const char *prefix)
{
    const char *name;
    json_t *value;

    json_object_foreach((json_t *)run, name, value)
        printf(",%s%s", prefix, name);
}

static char *flat(json_t *value)
{
    char text[2048];

    if (json_is_array(value) || json_is_object(value))
        return joined(value);
    print_value(value, true, text, sizeof text);
    return fzi_cli_text("%s", text);
}

void fzi_csv_run(const json_t *run)
{
    const char *name;
    json_t *value;

    json_object_foreach((json_t *)run, name, value) {
        char *text = flat(value);
        putchar(',');
        fzi_csv_field(text);
        free(text);
    }
}

void fzi_json_add_run(json_t *row, const json_t *run, const char *prefix)
{
    const char *name;
    json_t *value;

    json_object_foreach((json_t *)run, name, value) {
        char *member = fzi_cli_text("%s %s", prefix, name), *text = flat(value);
        json_object_set_new(row, member, json_string(text));
        free(member);
        free(text);
    }
}

static bool is_kept(const json_t *row, const char *only)
{
    return !only || json_is_true(json_object_get(row, only));
}

void fzi_json_print_rows(json_t *rows, bool csv, const char *only)
{
    json_t *first = json_array_get(rows, 0);
    char alignment[64], text[2048];
    const char *member;
    fzi_table table;
    json_t *value;
    size_t columns = 0;

    json_object_foreach(first, member, value) {
        if (columns + 1 < sizeof alignment)
            alignment[columns++] = json_is_string(value) ? 'l' : 'r';
    }
    alignment[columns] = '\0';
    fzi_table_begin(&table, alignment, NULL);
    json_object_foreach(first, member, value)
        fzi_table_add(&table, "%s", member);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        json_t *row = json_array_get(rows, i);
        if (!csv && !is_kept(row, only))
            continue;
        json_object_foreach(first, member, value) {
            print_value(json_object_get(row, member), csv, text, sizeof text);
            fzi_table_add(&table, "%s", text);
        }
    }
    if (csv)
        fzi_table_print_csv(&table);
    else
        fzi_table_print(&table, "  ");
}
