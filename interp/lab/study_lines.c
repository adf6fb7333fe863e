/* The lines of study files: words, paths, messages with places. See study.h. */
#include "study.h"

#include <ctype.h>

char *fzi_study_trim(char *text)
{
    char *end = text + strlen(text);

    while (isspace((unsigned char)*text))
        text++;
    while (end > text && isspace((unsigned char)end[-1]))
        end--;
    *end = '\0';
    return text;
}

char *fzi_study_cut(char *text, char separator)
{
    char *found = strchr(text, separator);

    if (found)
        *found++ = '\0';
    return found;
}

fz_status fzi_study_wrong(const fzi_study_line *line, const char *at, const char *format, ...)
{
    char text[300];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return fzi_context_fail(line->study->context, FZ_BAD_INPUT, "%s:%u:%d: %s", line->study->path,
                            line->line, (int)(at - line->start) + 1, text);
}

char *fzi_study_path(const fzi_study_file *study, const char *name)
{
    const char *slash = strrchr(study->path, '/');
    size_t folder = *name == '/' || !slash ? 0 : (size_t)(slash - study->path) + 1;

    return fzi_arena_printf(study->arena, "%.*s%s", (int)folder, study->path, name);
}
