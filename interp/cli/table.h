/* Tables: aligned columns for people, comma-separated values for programs. */
#ifndef FZ_CLI_TABLE_H
#define FZ_CLI_TABLE_H

#include "interp/lab/sampling.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct fzi_table {
    size_t columns;
    const char *alignment; /* a letter by column: l left, r right */
    char **cells;          /* row by row, copies */
    size_t count;
} fzi_table;

/* The first row added is the header. */
void fzi_table_begin(fzi_table *table, const char *alignment);
void fzi_table_cell(fzi_table *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Columns two blanks apart, each line after `indent`; without the header unless `header`. */
void fzi_table_print(const fzi_table *table, const char *indent, bool header);
void fzi_table_print_csv(const fzi_table *table);
void fzi_table_clear(fzi_table *table);

/* A field of comma-separated values, quoted if it must be. */
void fzi_csv_field(const char *text);

#endif
