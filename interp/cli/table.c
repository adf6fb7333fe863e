/* Tables. See cli.h. */
#include "cli.h"

#include "interp/support/text.h"

#include <stdarg.h>

void fzi_table_begin(fzi_table *table, const char *alignment)
{
    *table = (fzi_table){.columns = strlen(alignment), .alignment = alignment};
}

void fzi_table_cell(fzi_table *table, const char *format, ...)
{
    va_list args;
    int length;
    char *cell;

    va_start(args, format);
    length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    cell = fzi_cli_allocate(NULL, (size_t)length + 1);
    va_start(args, format);
    vsnprintf(cell, (size_t)length + 1, format, args);
    va_end(args);
    table->cells = fzi_cli_allocate(table->cells, (table->count + 1) * sizeof *table->cells);
    table->cells[table->count++] = cell;
}

static size_t column_width(const fzi_table *table, size_t column, bool header)
{
    size_t widest = 0;

    for (size_t i = header ? column : table->columns + column; i < table->count;
         i += table->columns) {
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

void fzi_table_print(const fzi_table *table, const char *indent, bool header)
{
    size_t *widths = fzi_cli_allocate(NULL, table->columns * sizeof *widths);

    for (size_t column = 0; column < table->columns; column++)
        widths[column] = column_width(table, column, header);
    for (size_t i = header ? 0 : table->columns; i < table->count; i++) {
        if (i % table->columns == 0)
            fputs(indent, stdout);
        print_cell(table, i, widths[i % table->columns]);
    }
    free(widths);
}

void fzi_csv_field(const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, stdout);
        return;
    }
    putchar('"');
    for (; *text; text++) {
        if (*text == '"')
            putchar('"');
        putchar(*text);
    }
    putchar('"');
}

void fzi_table_print_csv(const fzi_table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        fzi_csv_field(table->cells[i]);
        putchar((i + 1) % table->columns ? ',' : '\n');
    }
}

void fzi_table_clear(fzi_table *table)
{
    for (size_t i = 0; i < table->count; i++)
        free(table->cells[i]);
    free(table->cells);
}
