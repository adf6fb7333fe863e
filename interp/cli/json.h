/* Prints JSON values, also as tables, for all commands. */
#ifndef FZ_CLI_JSON_H
#define FZ_CLI_JSON_H

#include <jansson.h>
#include <stdbool.h>

/* Before the first value: without memory the program ends, so that no value is left out. */
void fzi_json_begin(void);
/* Prints it and gives it up. */
int fzi_json_write(json_t *value);
/* Prints it with a newline and gives it up; returns FZ_EXIT_OK, or FZ_EXIT_USAGE when writing
 * fails. */
int fzi_json_print(json_t *value);
/* Prints an array of objects as a table: the members of the first one are the columns. `only`: rows
 * in which this is true; NULL: all. CSV has all rows. */
void fzi_json_print_rows(json_t *rows, bool csv, const char *only);

#endif
