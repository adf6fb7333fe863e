/* Tables. See cli.h. */
#include "cli.h"

enum { SEPARATOR = '\037' }; /* of the cells of a text; what they show does not have it */

/* Adds the cells of the text, and frees it. */
static void add_cells(fzi_table *table, char *text)
{
    char *cell = text;

    for (char *end; cell; cell = end ? end + 1 : NULL) {
        end = strchr(cell, SEPARATOR);
        table->cells = fzi_cli_allocate(table->cells, (table->count + 1) * sizeof *table->cells);
        table->cells[table->count++] =
            fzi_cli_text("%.*s", (int)(end ? end - cell : (ptrdiff_t)strlen(cell)), cell);
    }
    free(text);
}

/* A copy whose tabs are separators of cells. */
static char *separated(const char *format)
{
    char *copy = fzi_cli_text("%s", format);

    for (char *at = copy; *at; at++)
        *at = *at == '\t' ? SEPARATOR : *at;
    return copy;
}

void fzi_table_begin(fzi_table *table, const char *alignment, const char *header)
{
    *table = (fzi_table){.columns = strlen(alignment), .alignment = alignment};
    if (header)
        add_cells(table, separated(header));
}

void fzi_table_add(fzi_table *table, const char *format, ...)
{
    char *cells = separated(format), *text;
    va_list args;

    va_start(args, format);
    text = fzi_cli_text_of(cells, args);
    va_end(args);
    free(cells);
    add_cells(table, text);
}

void fzi_table_clear(fzi_table *table)
{
    for (size_t i = 0; i < table->count; i++)
        free(table->cells[i]);
    free(table->cells);
    table->cells = NULL;
    table->count = 0;
}

static size_t column_width(const fzi_table *table, size_t column)
{
    size_t widest = 0;

    for (size_t i = column; i < table->count; i += table->columns) {
        size_t width = fzi_text_width(table->cells[i]);
        if (width > widest)
            widest = width;
    }
    return widest;
}

static void print_cell(const fzi_table *table, size_t i, size_t width)
{
    size_t column = i % table->columns;
    int blanks = (int)(width - fzi_text_width(table->cells[i]));
    bool last = column + 1 == table->columns;

    if (table->alignment[column] == 'r')
        printf("%*s%s", blanks, "", table->cells[i]);
    else
        printf("%s%*s", table->cells[i], last ? 0 : blanks, "");
    fputs(last ? "\n" : "  ", stdout);
}

void fzi_table_print(fzi_table *table, const char *indent)
{
    size_t *widths = fzi_cli_allocate(NULL, table->columns * sizeof *widths);

    for (size_t column = 0; column < table->columns; column++)
        widths[column] = column_width(table, column);
    for (size_t i = 0; i < table->count; i++) {
        if (i % table->columns == 0)
            fputs(indent, stdout);
        print_cell(table, i, widths[i % table->columns]);
    }
    free(widths);
    fzi_table_clear(table);
}

void fzi_csv_field(const char *text)
{
    fzi_buffer field = fzi_buffer_in((fzi_allocator){fzi_cli_resize, NULL});

    fzi_buffer_csv(&field, text);
    fputs(fzi_buffer_get(&field), stdout);
    fzi_buffer_free(&field);
}

void fzi_csv_number(double value, int digits)
{
    if (isnan(value))
        putchar(',');
    else
        printf(",%.*f", digits, value);
}

void fzi_table_print_csv(fzi_table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        fzi_csv_field(table->cells[i]);
        putchar((i + 1) % table->columns ? ',' : '\n');
    }
    fzi_table_clear(table);
}
