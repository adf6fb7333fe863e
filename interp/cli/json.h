/* Printing JSON. */
#ifndef FZ_CLI_JSON_H
#define FZ_CLI_JSON_H

#include <jansson.h>

/* Before the first value: without memory the program ends, so that no value is left out. */
void fzi_json_begin(void);
/* Prints it and gives it up. */
int fzi_json_write(json_t *value);
/* Prints it with a newline and gives it up; returns FZ_EXIT_OK, or FZ_EXIT_USAGE when writing
 * fails. */
int fzi_json_print(json_t *value);

#endif
