/* The values of options that a study varies. See study_file.h. */
#include "study_file.h"

#include "interp/cli/session.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "grammar/compile.h"

enum { MOST_VALUES = 100000 };

static char *copy_of(const char *text)
{
    char *copy = fzi_cli_allocate(NULL, strlen(text) + 1);

    return strcpy(copy, text);
}

static void add_value(fzi_axis *axis, const char *text)
{
    axis->values = fzi_cli_allocate(axis->values, (axis->count + 1) * sizeof *axis->values);
    axis->values[axis->count++] = text;
}

static const fzi_option *find_option(const fzi_analysis *analysis, const char *name)
{
    for (size_t i = 0; analysis->unit && i < analysis->unit->option_count; i++)
        if (strcmp(analysis->unit->options[i].name, name) == 0)
            return &analysis->unit->options[i];
    return NULL;
}

/* The texts are copies: the analysis goes. */
static int add_all_values(const fzi_study_file *study, fzi_axis *axis, const fzi_option *option)
{
    char number[24];

    if (option->kind == FZ_OPTION_NAMED) {
        for (const fzi_node *value = option->node->values; value; value = value->next)
            add_value(axis, copy_of(value->name));
    } else if (option->kind == FZ_OPTION_SWITCH) {
        add_value(axis, copy_of("false"));
        add_value(axis, copy_of("true"));
    } else if (option->high - option->low >= MOST_VALUES) {
        return fzi_cli_complain(study->cli, "option %s has too many values for `all`",
                                axis->option);
    } else {
        for (int64_t i = option->low; i <= option->high; i++) {
            snprintf(number, sizeof number, "%" PRId64, i);
            add_value(axis, copy_of(number));
        }
    }
    return FZ_EXIT_OK;
}

int fzi_study_fill_axes(const fzi_study_file *study, fzi_study_game *game)
{
    fz_context *context = fzi_session_context(study->cli);
    fzi_analysis *analysis = NULL;
    int code = context ? FZ_EXIT_OK : FZ_EXIT_USAGE;

    for (size_t i = 0; i < game->axis_count && code == FZ_EXIT_OK; i++) {
        fzi_axis *axis = &game->axes[i];
        const fzi_option *option;
        if (!axis->all)
            continue;
        if (!analysis)
            analysis = fzi_analyse_game(context, game->path, NULL, 0);
        option = analysis ? find_option(analysis, axis->option) : NULL;
        code = option ? add_all_values(study, axis, option)
                      : fzi_cli_complain(study->cli, "%s:%u: %s has no option '%s'",
                                         study->path, axis->line ? axis->line : game->line,
                                         game->path, axis->option);
    }
    fzi_analysis_free(analysis);
    fz_context_free(context);
    return code;
}
