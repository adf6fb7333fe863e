/* The use of a board in many games, and the rules in English, for the WebAssembly engine. See
 * web_engine.h. */
#include "web_engine.h"

#include <math.h>
#include <setjmp.h>
#include <stdlib.h>

#include "grammar/prose/rulebook.h"
#include "interp/measures/measures.h"
#include "interp/picture/compose.h"
#include "interp/picture/scene.h"

/* ---- the rules in English ---- */

static const char *rulebook(const fzi_analysis *analysis)
{
    jmp_buf *handler = fzi_arena_handler(analysis->arena);

    return setjmp(*handler) ? NULL : fzi_page_html(fzi_rulebook(analysis, NULL));
}

fz_status fzi_web_rules(fzi_web_game *game)
{
    fzi_analysis *analysis =
        fzi_analyse_game(game->context, game->path, game->settings, game->setting_count);

    if (!analysis || !analysis->game || analysis->diags->errors) {
        fzi_analysis_free(analysis);
        return fzi_web_fail(FZ_INVALID, "The script has errors.");
    }
    const char *text = rulebook(analysis);
    fzi_buffer_json(fzi_web_begin(), "{html:s}", text);
    fzi_analysis_free(analysis);
    return fzi_web_end(game, text ? FZ_OK : FZ_NO_MEMORY);
}

/* ---- how games use a board ---- */

typedef struct use {
    fzi_web_game *game;
    const fz_state *state;
    fzi_lines lines;
    fzi_measures measures;
    enum fzi_theme theme;
} use;

static double share_of(const use *u, unsigned list, uint32_t element)
{
    double value = fzi_list_value(&u->measures, list, element).value;

    return isnan(value) ? 0 : value;
}

/* The element with the greatest share; 0 if none was used. */
static uint32_t most_used(const use *u, unsigned list)
{
    uint32_t most = 0;

    for (uint32_t i = 1; i < u->measures.sizes[list]; i++)
        if (share_of(u, list, i) > share_of(u, list, most))
            most = i;
    return most;
}

/* {"svg", "share", and the sites of what is used most} */
static fz_status add_use(use *u, const fzi_picture_use *shown, unsigned list, fzi_buffer *out)
{
    const fzi_picture_task task = {.player = -1, .from = -1, .use = shown};
    const double cell = 48;
    uint32_t most = most_used(u, list);
    fzi_scene scene;
    fz_status status = fzi_picture_compose(u->game->machine, u->state, &task, &scene);

    if (status == FZ_OK) {
        fzi_buffer svg = fzi_buffer_in(scene.allocator);
        fzi_scene_svg(&scene, u->theme, cell, &svg);
        out->failed |= svg.failed;
        fzi_buffer_json(out, shown->sites ? "sites:" : "lines:");
        fzi_buffer_json(out, "{svg:s, share:r6, most:[u", fzi_buffer_get(&svg),
                        share_of(u, list, most),
                        shown->sites ? most : (uint32_t)u->lines.lines[most].low);
        if (!shown->sites)
            fzi_buffer_json(out, "u", (uint32_t)u->lines.lines[most].high);
        fzi_buffer_json(out, "]}");
        fzi_buffer_free(&svg);
    }
    fzi_scene_clear(&scene);
    return status;
}

static bool is_used(const use *u, unsigned list)
{
    return u->measures.sizes[list] && share_of(u, list, most_used(u, list)) > 0;
}

static fz_status add_sites(use *u, fzi_buffer *out)
{
    uint32_t count = u->measures.sizes[FZ_LIST_SITE];
    double *shares = is_used(u, FZ_LIST_SITE) ? malloc(count * sizeof *shares) : NULL;
    fz_status status = FZ_OK;

    for (uint32_t s = 0; shares && s < count; s++)
        shares[s] = share_of(u, FZ_LIST_SITE, s);
    if (shares)
        status = add_use(u, &(fzi_picture_use){.sites = shares}, FZ_LIST_SITE, out);
    free(shares);
    return status;
}

static fz_status add_lines(use *u, fzi_buffer *out)
{
    fzi_used_line *used =
        is_used(u, FZ_LIST_LINE_PAIR) ? malloc(u->lines.count * sizeof *used) : NULL;
    fz_status status = FZ_OK;

    for (uint32_t i = 0; used && i < u->lines.count; i++)
        used[i] = (fzi_used_line){u->lines.lines[i].low, u->lines.lines[i].high,
                                  share_of(u, FZ_LIST_LINE_PAIR, i)};
    if (used)
        status = add_use(u, &(fzi_picture_use){.lines = used, .line_count = u->lines.count},
                         FZ_LIST_LINE_PAIR, out);
    free(used);
    return status;
}

static fz_status add_uses(use *u, fzi_buffer *out)
{
    fz_status status = FZ_OK;
    bool has_board = u->game->program->board.site_count > 1 && u->measures.games;

    fzi_buffer_json(out, "{games:U", u->measures.games);
    if (has_board)
        status = add_sites(u, out);
    if (has_board && status == FZ_OK)
        status = add_lines(u, out);
    fzi_buffer_json(out, "}");
    return status;
}

fz_status fzi_web_use(fzi_web_state *state, uint64_t seed, uint32_t count, const char *theme)
{
    fz_limits limits = {0};
    char message[256] = "";
    uint64_t failed;
    int number = fzi_theme_called(theme);
    use u = {.game = state->game, .state = state->state, .theme = (enum fzi_theme)number};
    const fz_program *program = state->game->program;
    const fzi_measuring task = {.sample = {.program = program, .limits = &limits, .seed = seed,
                                           .count = count, .threads = 1}};
    fzi_allocator allocator = fzi_allocator_default();
    fz_status status = FZ_NO_MEMORY;

    if (number < 0)
        return fzi_web_fail(FZ_USAGE, "there is no such theme");
    if (fzi_lines_init(&u.lines, program, allocator) &&
        fzi_measures_init(&u.measures, program, &u.lines, false, allocator))
        status = fzi_measure(&task, &u.lines, &u.measures, &failed, message);
    if (status == FZ_OK || status == FZ_RUNTIME) /* games that failed are left out */
        status = fzi_web_end(state->game, add_uses(&u, fzi_web_begin()));
    else
        fzi_web_fail(status, *message ? message : "the games cannot be measured");
    fzi_measures_clear(&u.measures);
    fzi_lines_clear(&u.lines);
    return status;
}
