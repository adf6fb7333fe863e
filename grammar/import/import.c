/* Other systems' rules as scripts, for ferz_tools.h. What is read and made lives in an arena that
 * the import owns. */
#include "fairy.h"
#include "interp/support/context.h"

struct fz_import {
    fz_context *context;
    fzi_arena *arena;
    fzi_fairy_file file;
    char *script; /* the latest, formatted; NULL */
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

    *made = NULL;
    if (!import)
        return fzi_context_fail(context, FZ_NO_MEMORY, "%s: out of memory", path);
    import->context = context;
    import->arena = fzi_arena_new(allocator.resize, allocator.user, context->limits.memory);
    import->file.path = path;
    if (!import->arena || setjmp(*fzi_arena_handler(import->arena))) {
        fz_status status = no_memory(import);
        fz_import_free(import);
        return status;
    }
    import->file.arena = import->arena;
    import->file.path = fzi_arena_printf(import->arena, "%s", path);
    fzi_fairy_read(&import->file, text, length);
    *made = import;
    return FZ_OK;
}

void fz_import_free(fz_import *import)
{
    if (!import)
        return;
    fzi_allocator allocator = import->context->allocator;
    fz_text_free(import->context, import->script);
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
        fzi_context_fail(import->context, FZ_INVALID, "%s", fz_report_text(report, FZ_TEXT));
    fz_report_free(report);
    return status;
}

fz_status fz_import_script(fz_import *import, const char *name, bool partial, const char **script,
                           const fz_import_clause **refused, size_t *refused_count)
{
    fzi_fairy_rules *rules;
    const fzi_fairy_section *section = fzi_fairy_find(&import->file, name);

    *script = NULL;
    *refused = NULL;
    *refused_count = 0;
    fz_text_free(import->context, import->script);
    import->script = NULL;
    if (!section)
        return fzi_context_fail(import->context, FZ_NOT_FOUND, "%s: no variant '%s'",
                                import->file.path, name);
    if (setjmp(*fzi_arena_handler(import->arena)))
        return no_memory(import);
    rules = FZI_NEW(import->arena, fzi_fairy_rules);
    const char *text =
        fzi_fairy_apply(&import->file, section, rules) ? fzi_fairy_script(rules, partial) : NULL;
    *refused = rules->refused;
    *refused_count = rules->refused_count;
    fz_status status = text ? format(import, section->name, text) : FZ_OK;
    *script = import->script;
    return status;
}
