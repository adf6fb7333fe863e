/* Other systems' rules as scripts, for ferz_tools.h. What is read lives in an arena, what is made
 * of one variant in another. */
#include "fairy.h"
#include "interp/support/context.h"

enum { MAX_TEXT = 4 << 20 };

struct fz_import {
    fz_context *context;
    fzi_arena *arena;
    fzi_fairy_file file;
    fzi_arena *work; /* of the latest script; NULL */
    char *script;    /* the latest, formatted; NULL */
};

static fz_status no_memory(fz_import *import)
{
    return fzi_context_fail(import->context, FZ_NO_MEMORY, "%s: out of memory", import->file.path);
}

fz_status fz_import_open(fz_context *context, const char *path, const char *text, size_t length,
                         fz_import **made)
{
    fzi_allocator allocator = context->allocator;
    fz_import *import = fzi_allocate_zeroed(allocator, sizeof *import);

    if (made)
        *made = NULL;
    if (length > MAX_TEXT) {
        fzi_release(allocator, import);
        return fzi_context_fail(context, FZ_BAD_INPUT, "%s: too large", path);
    }
    if (!import)
        return fzi_context_fail(context, FZ_NO_MEMORY, "%s: out of memory", path);
    import->context = context;
    import->arena = fzi_arena_new(allocator.resize, allocator.user, 0);
    import->file.path = path;
    if (!import->arena || setjmp(*fzi_arena_handler(import->arena))) {
        fz_status status = no_memory(import);
        fz_import_free(import);
        return status;
    }
    import->file.arena = import->arena;
    import->file.path = fzi_arena_printf(import->arena, "%s", path);
    if (!fzi_fairy_read(&import->file, text, length)) {
        fz_import_free(import);
        return fzi_context_fail(context, FZ_BAD_INPUT, "%s: too many variants", path);
    }
    if (made)
        *made = import;
    else
        fz_import_free(import);
    return FZ_OK;
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
    return number < import->file.own ? import->file.sections[number].name : NULL;
}

/* The script as the formatter leaves it. */
static fz_status format(fz_import *import, const char *name, const char *text)
{
    fz_report *report = NULL;
    fz_status status =
        fz_format_source(import->context, name, text, strlen(text), &import->script, &report);

    if (status == FZ_INVALID)
        fzi_context_fail(import->context, FZ_INVALID, "%s: [%s] %s", import->file.path, name,
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
    if (import->work)
        fzi_arena_free(import->work);
    import->work = fzi_arena_new(allocator.resize, allocator.user, 0);
    return import->work != NULL;
}

fz_status fz_import_script(fz_import *import, const char *name, bool partial, const char **script,
                           const fz_import_clause **refused, size_t *refused_count)
{
    const fzi_fairy_section *section = fzi_fairy_find(&import->file, name);

    if (script)
        *script = NULL;
    if (refused)
        *refused = NULL;
    if (refused_count)
        *refused_count = 0;
    if (!section)
        return fzi_context_fail(import->context, FZ_NOT_FOUND, "%s: no variant '%s'",
                                import->file.path, name);
    if (!begin(import) || setjmp(*fzi_arena_handler(import->work)))
        return no_memory(import);
    fzi_fairy_rules *rules = FZI_NEW(import->work, fzi_fairy_rules);
    const char *text = fzi_fairy_apply(&import->file, section, import->work, rules)
                           ? fzi_fairy_script(rules, partial)
                           : NULL;
    fz_status status = text ? format(import, section->name, text) : FZ_OK;
    if (refused)
        *refused = rules->refused;
    if (refused_count)
        *refused_count = rules->refused_count;
    if (script)
        *script = import->script;
    return status;
}
