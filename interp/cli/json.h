/* jansson, or stand-ins that are never reached: without it --format json is refused at the command
 * line, so that the commands need no conditionals. */
#ifndef FZ_CLI_JSON_H
#define FZ_CLI_JSON_H

#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include <stddef.h>

#ifdef HAVE_JANSSON
#include <jansson.h>
enum { FZ_HAVE_JSON = 1 };
#else
enum { FZ_HAVE_JSON = 0 };
typedef struct fzi_no_json json_t;
static inline json_t *json_pack(const char *format, ...)
{
    (void)format;
    return NULL;
}
static inline json_t *json_object(void) { return NULL; }
static inline json_t *json_array(void) { return NULL; }
static inline json_t *json_null(void) { return NULL; }
static inline json_t *json_string(const char *text) { (void)text; return NULL; }
static inline json_t *json_integer(long long number) { (void)number; return NULL; }
static inline json_t *json_real(double number) { (void)number; return NULL; }
static inline json_t *json_boolean(int truth) { (void)truth; return NULL; }
static inline json_t *json_incref(json_t *value) { return value; }
static inline void json_decref(json_t *value) { (void)value; }
static inline int json_object_set_new(json_t *object, const char *key, json_t *value)
{
    (void)object, (void)key, (void)value;
    return 0;
}
static inline int json_array_append_new(json_t *array, json_t *value)
{
    (void)array, (void)value;
    return 0;
}
#endif

/* Before the first value: without memory the program ends, so that no value is left out. */
void fzi_json_begin(void);
/* Prints it and gives it up. */
int fzi_json_write(json_t *value);
/* Prints it with a newline and gives it up; returns FZ_EXIT_OK, or FZ_EXIT_USAGE when writing
 * fails. */
int fzi_json_print(json_t *value);

#endif
