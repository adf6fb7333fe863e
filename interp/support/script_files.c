/* Which files a script may name: those in folders that the user has given. See context.h. */
#ifdef HAVE_CONFIG_H
#include <config.h> /* realpath is an extension */
#endif
#include "context.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef __wasm__
static bool may_read(const fz_context *context, const char *script, const char *path)
{
    (void)context, (void)script, (void)path;
    return true; /* there are only the files of the page */
}
#else
/* Both without links, and the folder without a slash at its end unless it is the root. */
static bool is_in(const char *real, const char *folder)
{
    char real_folder[PATH_MAX];

    if (!realpath(*folder ? folder : ".", real_folder))
        return false;
    size_t length = strlen(real_folder);
    return strncmp(real, real_folder, length) == 0 &&
           (real[length] == '/' || real_folder[length - 1] == '/');
}

static bool may_read(const fz_context *context, const char *script, const char *path)
{
    char real[PATH_MAX], folder[PATH_MAX];
    size_t length = script ? fzi_folder_length(script) : 0;

    if (context->allow_outside)
        return true;
    /* What is not there is reported as such. /dev/stdin may be there and have no real path. */
    if (!realpath(path, real))
        return access(path, F_OK) != 0;
    snprintf(folder, sizeof folder, "%.*s", (int)length, script ? script : "");
    bool inside = is_in(real, folder) || (context->library && is_in(real, fz_library_games()));
    for (size_t i = 0; i < context->module_dir_count && !inside; i++)
        inside = is_in(real, context->module_dirs[i]);
    return inside;
}
#endif

fz_status fzi_context_read_part(fz_context *context, const char *script, const char *path,
                                char **text, size_t *length)
{
    bool given = context->overlay && context->overlay(context->overlay_user, path, length);

    if (!given && !may_read(context, script, path))
        return fzi_context_fail(context, FZ_BAD_INPUT,
                                "%s: outside the folders of the script and of -I "
                                "(--allow-outside allows it)", path);
    return fzi_context_read_regular(context, path, text, length);
}
