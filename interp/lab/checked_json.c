/* Files of one JSON object with a checksum. See lab.h. */
#include "lab.h"

/* The checksum of the object without its member `checksum`. */
static bool checksum(json_t *object, char sum[FZI_FINGERPRINT_SIZE])
{
    char *text = json_dumps(object, JSON_COMPACT | JSON_SORT_KEYS);

    if (text)
        fzi_fingerprint(text, strlen(text), sum);
    free(text);
    return text;
}

fz_status fzi_checked_json_text(json_t *object, fz_context *context, char **result)
{
    fzi_buffer line = fzi_buffer_in(context->allocator);
    char sum[FZI_FINGERPRINT_SIZE] = "";

    checksum(object, sum);
    json_object_set_new(object, "checksum", json_string(sum));
    char *text = json_dumps(object, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
    json_decref(object);
    fzi_buffer_text(&line, text ? text : "");
    fzi_buffer_char(&line, '\n');
    line.failed = line.failed || !text || !*sum;
    free(text);
    return fzi_buffer_finish(&line, result) == FZ_OK ? FZ_OK : fzi_context_no_memory(context);
}

static fz_status refuse(fz_context *context, const char *path, const fzi_checked_form *form,
                        const char *text, size_t length, const json_error_t *error)
{
    size_t size = strlen(form->format), begin = length < size + 40 ? length : size + 40;

    for (size_t i = 0; i + size <= begin; i++)
        if (memcmp(text + i, form->format, size) == 0)
            return fzi_context_fail(context, FZ_BAD_INPUT, "%s: this %s is damaged: line %d: %s",
                                    path, form->what, error->line, error->text);
    return fzi_context_fail(context, FZ_BAD_INPUT, "%s: this is not %s %s of ferz %s", path,
                            form->article, form->what, form->command);
}

static fz_status check(fz_context *context, const char *path, const fzi_checked_form *form,
                       json_t *object)
{
    const char *word = json_string_value(json_object_get(object, "format"));
    char sum[FZI_FINGERPRINT_SIZE] = "";

    if (!word || strncmp(word, form->format, strlen(form->format) - 1) != 0)
        return fzi_context_fail(context, FZ_BAD_INPUT, "%s: this is not %s %s of ferz %s", path,
                                form->article, form->what, form->command);
    if (strcmp(word, form->format) != 0)
        return fzi_context_fail(context, FZ_BAD_INPUT,
                                "%s: this file has the format '%s', which this version of "
                                "ferz (" FZ_VERSION ") cannot read", path, word);
    json_t *stored = json_incref(json_object_get(object, "checksum"));
    json_object_del(object, "checksum");
    bool same = json_is_string(stored) && checksum(object, sum) &&
                strcmp(json_string_value(stored), sum) == 0;
    json_decref(stored);
    return same ? FZ_OK
                : fzi_context_fail(context, FZ_BAD_INPUT, "%s: this %s is damaged", path,
                                   form->what);
}

fz_status fzi_checked_json_parse(fz_context *context, const char *path,
                                 const fzi_checked_form *form, const char *text, size_t length,
                                 json_t **object)
{
    json_error_t error;

    *object = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
    if (!*object)
        return refuse(context, path, form, text, length, &error);
    fz_status status = check(context, path, form, *object);
    if (status != FZ_OK) {
        json_decref(*object);
        *object = NULL;
    }
    return status;
}

fz_status fzi_checked_json_read(fz_context *context, const char *path, const fzi_checked_form *form,
                                json_t **object)
{
    size_t length;
    char *text;
    fz_status status = fzi_context_read_file(context, path, &text, &length);

    *object = NULL;
    if (status != FZ_OK)
        return status;
    status = fzi_checked_json_parse(context, path, form, text, length, object);
    fzi_release(context->allocator, text);
    return status;
}

fz_status fzi_checked_json_damaged(fz_context *context, const char *path,
                                   const fzi_checked_form *form, const char *member, size_t row)
{
    char place[32] = "";

    if (row)
        snprintf(place, sizeof place, ", row %zu", row);
    return fzi_context_fail(context, FZ_BAD_INPUT, "%s: '%s'%s is not what %s %s of this game has",
                            path, member, place, form->article, form->what);
}

fz_status fzi_checked_json_program(fz_context *context, const char *path,
                                   const fzi_checked_form *form, const fz_program *p,
                                   const json_t *object)
{
    const char *program = json_string_value(json_object_get(object, "program"));
    const char *game = json_string_value(json_object_get(object, "game"));
    char fingerprint[FZI_FINGERPRINT_SIZE];
    json_t *options = fzi_all_options(p);
    bool same = json_equal(options, json_object_get(object, "options"));

    json_decref(options);
    fzi_fingerprint_program(p, fingerprint);
    if (!program || !game)
        return fzi_checked_json_damaged(context, path, form, "program", 0);
    if (strcmp(program, fingerprint) != 0)
        return fzi_context_fail(context, FZ_REFUSED, "%s: this %s is of another program: "
                                "'%.60s', SHA-256 %.12s..., not %.12s...", path, form->what, game,
                                program, fingerprint);
    return same ? FZ_OK
                : fzi_context_fail(context, FZ_REFUSED, "%s: this %s is of other options of the "
                                   "game", path, form->what);
}

fz_status fzi_checked_json_course(fz_context *context, const char *path,
                                  const fzi_checked_form *form, const json_t *object,
                                  uint64_t *games, uint64_t *seed)
{
    const json_t *played = json_object_get(object, "games");

    if (!json_is_integer(played) || json_integer_value(played) < 0)
        return fzi_checked_json_damaged(context, path, form, "games", 0);
    *games = (uint64_t)json_integer_value(played);
    return fzi_seed_read(json_string_value(json_object_get(object, "seed")), seed)
               ? FZ_OK
               : fzi_checked_json_damaged(context, path, form, "seed", 0);
}
