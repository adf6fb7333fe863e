/* jansson, or stand-ins that are never reached: without it --format json is refused at the command
 * line, so that the commands need no conditionals. */
#ifndef FZ_CLI_JSON_H
#define FZ_CLI_JSON_H

#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#ifdef HAVE_JANSSON
#include <jansson.h>
enum { FZ_HAVE_JSON = 1 };
#else
enum { FZ_HAVE_JSON = 0 };
typedef struct fzi_no_json json_t;
#define json_pack(...) ((json_t *)0)
#define json_object() ((json_t *)0)
#define json_array() ((json_t *)0)
#define json_null() ((json_t *)0)
#define json_string(text) ((void)(text), (json_t *)0)
#define json_integer(number) ((void)(number), (json_t *)0)
#define json_real(number) ((void)(number), (json_t *)0)
#define json_boolean(truth) ((void)(truth), (json_t *)0)
#define json_object_set_new(object, key, value) ((void)(object), (void)(key), (void)(value))
#define json_array_append_new(array, value) ((void)(array), (void)(value))
#endif

/* Prints it with a newline and gives it up; returns FZ_EXIT_OK, or FZ_EXIT_USAGE when writing fails. */
int fzi_json_print(json_t *value);

#endif
