/* Printing JSON. See json.h. */
#include "json.h"

#include "options.h"

#include <stdio.h>
#include <stdlib.h>

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
