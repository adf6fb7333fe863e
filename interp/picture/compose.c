/* Composes pictures (fzi_picture_compose, fz_state_svg): the board, pieces and hands, values, and
 * the lines of text below. The other files of this room add the parts. */
#include "compose.h"

static const double margin = 0.3;

static fz_status fill(fzi_picture *p)
{
    fz_status status = fzi_drawing_open(&p->d);

    if (status != FZ_OK)
        return status;
    p->at = fzi_allocate(p->d.machine->allocator,
                         p->d.program->board.site_count * sizeof *p->at);
    if (!p->at)
        return fzi_machine_no_memory(p->d.machine);
    fzi_shown_choose(&p->d);
    status = fzi_cells_fill(&p->d);
    if (status != FZ_OK)
        return status;
    p->d.draws_dice = fzi_hint_find(p->d.program, FZ_HINT_DICE, -1) != NULL;
    p->d.draws_type = fzi_picture_draws_type;
    p->d.colour = false;
    if (!p->task->use)
        fzi_below_write(&p->d);
    fzi_picture_players(p);
    p->figures = fzi_has_figures(p->d.program);
    fzi_sites_lay(p);
    if (p->style != FZI_STYLE_NONE) {
        p->scene->sites = p->at;
        p->scene->site_count = p->d.program->board.site_count;
        fzi_picture_board(p);
    }
    if (p->style != FZI_STYLE_NONE && p->task->use) {
        fzi_picture_used(p);
    } else if (p->style != FZI_STYLE_NONE) {
        fzi_picture_marks(p);
        fzi_picture_sites(p);
        status = fzi_picture_moves(p);
        fzi_picture_hands(p);
        fzi_picture_losses(p);
    }
    if (!p->task->use) {
        fzi_picture_cards(p);
        p->high.y += p->style == FZI_STYLE_NONE ? 0 : 0.2;
        status = status == FZ_OK ? fzi_picture_values(p) : status;
    }
    return status;
}

fz_status fzi_picture_compose(fz_machine *machine, const fz_state *state,
                              const fzi_picture_task *task, fzi_scene *scene)
{
    fzi_buffer below = fzi_buffer_in(machine->allocator);
    fzi_picture p = {.d = {.program = state->program,
                           .state = state,
                           .machine = machine,
                           .viewer = task->player,
                           .colour = true,
                           .picture = true,
                           .draws = fzi_picture_draws,
                           .out = &below},
                     .task = task,
                     .scene = scene};

    fzi_scene_init(scene, machine->allocator);
    fzi_machine_begin(machine);
    if (task->player >= (int)state->program->player_count)
        return fzi_machine_say(machine, FZ_USAGE, "there is no player %d", task->player);
    fz_status status = fill(&p);
    if (status == FZ_OK) {
        scene->below = scene->shape_count;
        scene->below_y = p.high.y;
        scene->below_text = scene->texts.length;
        fzi_buffer_add(&scene->texts, fzi_buffer_get(&below), below.length + 1);
        fzi_picture_lines(&p, fzi_buffer_get(&below));
        scene->low = (fzi_point){p.low.x - margin, p.low.y - margin};
        scene->high = (fzi_point){p.high.x + margin, p.high.y + margin};
    }
    if (status == FZ_OK && (scene->failed || below.failed))
        status = fzi_machine_no_memory(machine);
    if (!scene->sites)
        fzi_release(machine->allocator, p.at);
    fzi_drawing_close(&p.d);
    fzi_buffer_free(&below);
    return status;
}

fz_status fz_state_svg(fz_machine *machine, const fz_state *state, int player, const char *theme,
                       char **text)
{
    const fzi_picture_task task = {.player = player, .from = -1};
    int number = fzi_theme_called(theme ? theme : fzi_theme_name(0));
    const double cell = 48; /* pixels */
    fzi_buffer svg = fzi_buffer_in(machine->allocator);
    fzi_scene scene;

    if (number < 0)
        return fzi_machine_say(machine, FZ_USAGE, "there is no theme '%s'", theme);
    fz_status status = fzi_picture_compose(machine, state, &task, &scene);
    if (status == FZ_OK)
        fzi_scene_svg(&scene, (enum fzi_theme)number, cell, &svg);
    fzi_scene_clear(&scene);
    return fzi_text_finish(machine, status, &svg, text);
}
