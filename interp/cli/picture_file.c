/* Pictures of positions, written to a file or to standard output. For show, replay and others. */
#include "cli.h"

#include <unistd.h>

#include "interp/picture/compose.h"
#include "interp/program/values.h"

/* Pixels, or points of a PDF, for the distance of neighbouring sites. */
enum { CELL = 48, CELL_OF_PDF = 36 };

/* The task of --moves: a site, or `all`. */
static int read_moves(const fzi_session *session, fzi_picture_task *task)
{
    const char *site = session->cli->values[FZ_CLI_MOVES];

    if (!site)
        return FZ_EXIT_OK;
    task->moves = true;
    task->from = strcmp(site, "all") == 0 ? -1
                                          : fzi_site_find(session->program, site, strlen(site));
    if (task->from < 0 && strcmp(site, "all") != 0)
        return fzi_cli_complain(session->cli, "the board has no site '%s'", site);
    return FZ_EXIT_OK;
}

/* The bytes of the file. */
static const char *paint(const fzi_cli *cli, const fzi_scene *scene, fzi_buffer *out)
{
    enum fzi_theme number = (enum fzi_theme)fzi_picture_theme(cli);

    if (fzi_cli_has(cli, FZ_CLI_PDF))
        return fzi_scene_paint(scene, FZI_PICTURE_PDF, number, CELL_OF_PDF, out);
    if (fzi_cli_has(cli, FZ_CLI_PNG))
        return fzi_scene_paint(scene, FZI_PICTURE_PNG, number, CELL, out);
    fzi_scene_svg(scene, number, CELL, out);
    return NULL;
}

/* Paints the scene and writes the file; NULL: to standard output. */
static int write_scene(fzi_session *session, const fzi_scene *scene, const char *file)
{
    const fzi_cli *cli = session->cli;
    fzi_buffer out = fzi_buffer_in(scene->allocator);
    const char *problem = paint(cli, scene, &out);
    int code;

    if (problem || out.failed)
        code = fzi_cli_complain(cli, "%s", problem ? problem : "out of memory");
    else
        code = fzi_file_write(cli, file ? file : "-", fzi_buffer_get(&out), out.length);
    fzi_buffer_free(&out);
    return code;
}

static int write_picture(fzi_session *session, int player, const char *file)
{
    fzi_picture_task task = {
        .player = player,
        .from = -1,
        .set = fzi_cli_has(session->cli, FZ_CLI_SET) ? FZ_PICTURE_SET : NULL};
    fzi_picture_move latest;
    fzi_scene scene;
    int code = read_moves(session, &task);

    if (code != FZ_EXIT_OK)
        return code;
    if (session->before) {
        latest = fzi_picture_move_seen(session->machine, session->before, &session->latest,
                                       player);
        task.latest = &latest;
    }
    fz_status status = fzi_picture_compose(session->machine, session->state, &task, &scene);
    code = status == FZ_OK ? write_scene(session, &scene, file)
                           : fzi_session_failed(session, status);
    fzi_scene_clear(&scene);
    return code;
}

int fzi_picture_write(fzi_session *session, int player)
{
    return write_picture(session, player, session->cli->values[FZ_CLI_OUTPUT]);
}

int fzi_picture_write_numbered(fzi_session *session, int player, size_t number)
{
    const char *file = session->cli->values[FZ_CLI_OUTPUT], *slash = strrchr(file, '/');
    const char *dot = strrchr(slash ? slash : file, '.');
    size_t stem = dot ? (size_t)(dot - file) : strlen(file);
    char *name = fzi_cli_text("%.*s-%03zu%s", (int)stem, file, number, dot ? dot : "");
    int code = write_picture(session, player, name);

    free(name);
    return code;
}
