/* Pictures of how the cells of a study use their boards. See study.h. */
#include "study.h"

#include "interp/cli/files.h"
#include "interp/cli/picture_file.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "interp/picture/compose.h"
#include "interp/picture/plot.h"
#include "interp/picture/scene.h"

enum { PATH_SIZE = 4096 };

int fzi_study_prepare_pictures(const fzi_study *study)
{
    const char *folder = study->cli->values[FZ_CLI_PICTURES];

    if (fzi_picture_theme(study->cli) < 0)
        return FZ_EXIT_USAGE;
    if (!fzi_cli_has(study->cli, FZ_CLI_PICTURES))
        return FZ_EXIT_OK;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return fzi_cli_complain(study->cli, "%s: %s", folder, strerror(errno));
    return FZ_EXIT_OK;
}

/* FOLDER/012-line-game-mcts-10.svg */
static void name_file(const fzi_study *study, const fzi_study_cell *cell, char path[PATH_SIZE])
{
    const char *const texts[] = {cell->name, cell->agents};
    size_t used = (size_t)snprintf(path, PATH_SIZE - 300, "%s/%03zu",
                                   study->cli->values[FZ_CLI_PICTURES],
                                   (size_t)(cell - study->cells) + 1);
    size_t most = used + 200;

    for (size_t i = 0; i < 2; i++) {
        bool dash = true;
        for (const char *at = texts[i]; *at && used < most; at++) {
            bool word = isalnum((unsigned char)*at);
            if (word && dash)
                path[used++] = '-';
            if (word)
                path[used++] = (char)tolower((unsigned char)*at);
            dash = !word;
        }
    }
    strcpy(path + used, ".svg");
}

static int paint(const fzi_study *study, const fzi_study_cell *cell, const fzi_scene *scene)
{
    fzi_buffer svg = fzi_buffer_in(scene->allocator);
    char path[PATH_SIZE];
    int code = FZ_EXIT_OK;

    fzi_scene_svg(scene, (enum fzi_theme)fzi_picture_theme(study->cli), FZI_PLOT_CELL, &svg);
    name_file(study, cell, path);
    if (scene->failed || svg.failed)
        code = fzi_cli_complain(study->cli, "out of memory");
    else
        code = fzi_file_write(study->cli, path, fzi_buffer_get(&svg), strlen(fzi_buffer_get(&svg)));
    fzi_buffer_free(&svg);
    return code;
}

int fzi_study_draw(const fzi_study *study, const fzi_study_cell *cell, const fzi_session *session,
                   const fzi_lines *lines)
{
    double *shares = fzi_cli_allocate(NULL, (lines->count + 1) * sizeof *shares);
    fzi_used_line *used = fzi_cli_allocate(NULL, (lines->count + 1) * sizeof *used);
    const fzi_picture_use use = {.lines = used, .line_count = lines->count};
    const fzi_picture_task task = {.player = -1, .from = -1, .use = &use};
    fzi_scene scene;
    int code = FZ_EXIT_OK;

    fzi_cell_line_shares(cell, shares);
    for (uint32_t i = 0; i < lines->count; i++)
        used[i] = (fzi_used_line){lines->lines[i].low, lines->lines[i].high, shares[i]};
    fzi_scene_init(&scene, (fzi_allocator){fzi_cli_resize, NULL});
    if (lines->count) { /* a board without lines has no such picture */
        fz_status status = fzi_picture_compose(session->machine, session->state, &task, &scene);
        code = status == FZ_OK ? paint(study, cell, &scene) : fzi_session_failed(session, status);
    }
    fzi_scene_clear(&scene);
    free(shares);
    free(used);
    return code;
}
