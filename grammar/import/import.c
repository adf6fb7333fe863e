/* Other systems' rules as scripts, for ferz_tools.h. What is read lives in an arena, what is made
 * of one game in another. */
#include "importer.h"
#include "interp/support/context.h"

enum { MAX_TEXT = 4 << 20 };

static const fzi_import_format *const formats[] = {
#define FORMAT(id) &fzi_format_##id,
#include "formats.def"
#undef FORMAT
};

struct fz_import {
    fz_context *context;
    const fzi_import_format *format;
    fzi_arena *arena;
    const char *path;
    void *file;      /* of the format */
    fzi_arena *work; /* of the latest script; NULL */
    fzi_import_refused refused;
    char *script; /* the latest, formatted; NULL */
};

/* NULL: the path has none of the endings. */
static const fzi_import_format *format_of(const char *path)
{
    const char *dot = strrchr(fzi_import_file_name(path), '.');

    for (size_t i = 0; dot && i < sizeof formats / sizeof *formats; i++)
        if (strcmp(dot, formats[i]->ending) == 0)
            return formats[i];
    return NULL;
}

bool fz_import_knows(const char *path)
{
    return format_of(path) != NULL;
}

static fz_status no_memory(fz_import *import, const char *path)
{
    return fzi_context_fail(import->context, FZ_NO_MEMORY, "%s: out of memory", path);
}

fz_status fz_import_open(fz_context *context, const char *path, const char *text, size_t length,
                         fz_import **made)
{
    fzi_allocator allocator = context->allocator;
    fz_import *import;
    const char *why = NULL;

    if (made)
        *made = NULL;
    if (length > MAX_TEXT)
        return fzi_context_fail(context, FZ_BAD_INPUT, "%s: too large", path);
    if (!(import = fzi_allocate_zeroed(allocator, sizeof *import)))
        return fzi_context_fail(context, FZ_NO_MEMORY, "%s: out of memory", path);
    import->context = context;
    import->format = format_of(path) ? format_of(path) : formats[0];
    import->arena = fzi_arena_new(allocator.resize, allocator.user, 0);
    if (!import->arena || setjmp(*fzi_arena_handler(import->arena))) {
        fz_status status = no_memory(import, path);
        fz_import_free(import);
        return status;
    }
    import->path = fzi_arena_printf(import->arena, "%s", path);
    import->file = import->format->read(import->arena, import->path, text, length, &why);
    if (!import->file) {
        fz_status status = fzi_context_fail(context, FZ_BAD_INPUT, "%s: %s", path, why);
        fz_import_free(import);
        return status;
    }
    if (made)
        *made = import;
    else
        fz_import_free(import);
    return FZ_OK;
}

fz_status fz_import_define(fz_import *import, const char *path, const char *text, size_t length)
{
    const char *why = NULL;

    if (!import->format->define)
        return FZ_OK;
    if (length > MAX_TEXT)
        return fzi_context_fail(import->context, FZ_BAD_INPUT, "%s: too large", path);
    if (setjmp(*fzi_arena_handler(import->arena)))
        return no_memory(import, path);
    return import->format->define(import->file, text, length, &why)
               ? FZ_OK
               : fzi_context_fail(import->context, FZ_BAD_INPUT, "%s: %s", path, why);
}

void fz_import_free(fz_import *import)
{
    if (!import)
        return;
    fzi_allocator allocator = import->context->allocator;
    fz_text_free(import->context, import->script);
    if (import->work)
        fzi_arena_free(import->work);
    if (import->arena)
        fzi_arena_free(import->arena);
    fzi_release(allocator, import);
}

const char *fz_import_name(const fz_import *import, size_t number)
{
    return import->format->name(import->file, number);
}

bool fz_import_has_many(const fz_import *import)
{
    return import->format->many;
}

const char *fz_import_options(const fz_import *import)
{
    return import->refused.options ? import->refused.options : "";
}

/* The script as the formatter leaves it. */
static fz_status format(fz_import *import, const char *name, const char *text)
{
    fz_report *report = NULL;
    const char *laid = fzi_import_layout(import->work, fzi_import_shorter(import->work, text));
    fz_status status =
        fz_format_source(import->context, name, laid, strlen(laid), &import->script, &report);

    if (status == FZ_INVALID)
        fzi_context_fail(import->context, FZ_INVALID, "%s: [%s] %s", import->path, name,
                         fz_report_text(report, FZ_TEXT));
    fz_report_free(report);
    return status;
}

/* Forgets the latest script, and begins another. */
static bool begin(fz_import *import)
{
    fzi_allocator allocator = import->context->allocator;

    fz_text_free(import->context, import->script);
    import->script = NULL;
    import->refused = (fzi_import_refused){0};
    if (import->work)
        fzi_arena_free(import->work);
    import->work = fzi_arena_new(allocator.resize, allocator.user, 0);
    return import->work != NULL;
}

fz_status fz_import_script(fz_import *import, const char *name, bool partial, const char **script,
                           const fz_import_clause **refused, size_t *refused_count)
{
    const char *found = name ? import->format->find(import->file, name) : fz_import_name(import, 0);

    if (script)
        *script = NULL;
    if (refused)
        *refused = NULL;
    if (refused_count)
        *refused_count = 0;
    if (!found)
        return fzi_context_fail(import->context, FZ_NOT_FOUND, "%s: no variant '%s'", import->path,
                                name);
    if (!begin(import) || setjmp(*fzi_arena_handler(import->work)))
        return no_memory(import, import->path);
    const char *text =
        import->format->script(import->file, name ? found : NULL, partial, import->work,
                               &import->refused);
    fz_status status = text ? format(import, found, text) : FZ_OK;
    if (status == FZ_INVALID && import->refused.count) /* what is left of it is no script */
        status = FZ_OK;
    if (refused)
        *refused = import->refused.items;
    if (refused_count)
        *refused_count = import->refused.count;
    if (script)
        *script = import->script;
    return status;
}
