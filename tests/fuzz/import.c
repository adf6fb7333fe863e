/* Any text as a file of variants: each variant becomes a script, or is refused. Of some inputs a
 * part is imported too, and the formatter must leave the scripts as they are. */
#include "fuzz.h"
#include "ferz_tools.h"

#include <string.h>

enum { MOST_VARIANTS = 8, CLOSELY = 32 };

static void want_formatted(fz_context *context, const char *script)
{
    char *formatted = NULL;
    fz_status status =
        fz_format_source(context, "fuzz.game", script, strlen(script), &formatted, NULL);

    fuzz_want(status == FZ_OK && strcmp(script, formatted) == 0, "scripts are formatted");
    fz_text_free(context, formatted);
}

static void import_one(fz_context *context, fz_import *import, const char *name, bool partial,
                       bool closely)
{
    const fz_import_clause *refused;
    const char *script;
    size_t count;
    fz_status status = fz_import_script(import, name, partial, &script, &refused, &count);

    fuzz_want(status == FZ_OK || status == FZ_NO_MEMORY, "what is made is a script");
    if (status == FZ_OK)
        fuzz_want(script || count, "a script, or what it lacks");
    for (size_t i = 0; i < count; i++)
        fuzz_want(*refused[i].why, "each clause is refused for a reason");
    if (script && closely)
        want_formatted(context, script);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fz_context *context = fuzz_context();
    fz_import *import = NULL;

    bool closely = fuzz_closely(data, size, CLOSELY);
    const char *path = size && *data == '(' ? "fuzz.lud" : "fuzz.ini";
    if (fz_import_open(context, path, (const char *)data, size, &import) == FZ_OK)
        for (size_t i = 0; i < MOST_VARIANTS && fz_import_name(import, i); i++) {
            import_one(context, import, fz_import_name(import, i), false, closely);
            if (closely)
                import_one(context, import, fz_import_name(import, i), true, true);
        }
    if (import && !fz_import_has_many(import))
        import_one(context, import, NULL, false, closely);
    fz_import_free(import);
    fz_context_free(context);
    return 0;
}
