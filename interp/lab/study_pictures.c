/* Pictures of how the cells of a study use their boards. See study.h. */
#include "study.h"

#include <ctype.h>

#include "interp/picture/compose.h"
#include "interp/picture/plot.h"

enum { NAME_SIZE = 300 };

/* 012-line-game-mcts-10.svg */
static void name_file(const fz_study *study, const fzi_study_cell *cell, char name[NAME_SIZE])
{
    const char *const texts[] = {cell->name, cell->agents};
    size_t used = (size_t)snprintf(name, NAME_SIZE, "%03zu", (size_t)(cell - study->cells) + 1);
    size_t most = used + 200;

    for (size_t i = 0; i < 2; i++) {
        bool dash = true;
        for (const char *at = texts[i]; *at && used < most; at++) {
            bool word = isalnum((unsigned char)*at);
            if (word && dash)
                name[used++] = '-';
            if (word)
                name[used++] = (char)tolower((unsigned char)*at);
            dash = !word;
        }
    }
    strcpy(name + used, ".svg");
}

fz_status fzi_study_paint(const fz_study *study, const fzi_scene *scene, const char *name)
{
    const fz_study_options *o = &study->options;
    fzi_buffer svg = fzi_buffer_in(scene->allocator);
    fz_status status = FZ_OK;

    fzi_scene_svg(scene, (enum fzi_theme)study->theme, FZI_PLOT_CELL, &svg);
    if (scene->failed || svg.failed)
        status = fzi_context_no_memory(study->context);
    else if (!o->picture(o->user, name, fzi_buffer_get(&svg)))
        status = fzi_context_fail(study->context, FZ_USAGE, "%s", "");
    fzi_buffer_free(&svg);
    return status;
}

fz_status fzi_study_draw(const fz_study *study)
{
    const fzi_study_player *player = &study->player;
    const fzi_lines *lines = &player->lines;
    fzi_used_line *used = fzi_arena_alloc(study->arena, (lines->count + 1) * sizeof *used);
    const fzi_picture_use use = {.lines = used, .line_count = lines->count};
    const fzi_picture_task task = {.player = -1, .from = -1, .use = &use};
    fzi_scene scene;
    char name[NAME_SIZE];
    fz_status status = FZ_OK;

    for (uint32_t i = 0; i < lines->count; i++)
        used[i] = (fzi_used_line){lines->lines[i].low, lines->lines[i].high,
                                  player->cell->line_shares[i]};
    fzi_scene_init(&scene, study->context->allocator);
    if (lines->count) { /* a board without lines has no such picture */
        status = fzi_picture_compose(player->setup.machine, player->setup.state, &task, &scene);
        name_file(study, player->cell, name);
        status = status == FZ_OK ? fzi_study_paint(study, &scene, name)
                                 : fzi_setup_failed(&player->setup, status);
    }
    fzi_scene_clear(&scene);
    return status;
}
