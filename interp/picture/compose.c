/* Composes pictures (fzi_picture_compose, fz_state_svg): the board, pieces and hands, and the
 * lines of text below. The other files of this room add the parts. */
#include "compose.h"

static const double text_size = 0.34, text_line = 0.5, margin = 0.3;

/* ---- the text below ---- */

/* The number of bytes that are at most `width` wide together; at least one character. */
static size_t bytes_within(const char *line, size_t length, double width)
{
    char part[8];
    double used = 0;

    for (size_t at = 0, next; at < length; at = next) {
        for (next = at + 1; next < length && next - at < 7 && fzi_utf8_continues(line[next]);)
            next++;
        memcpy(part, line + at, next - at);
        part[next - at] = '\0';
        used += text_size * fzi_label_width(part);
        if (used > width && at > 0)
            return at;
    }
    return length;
}

/* The length of what fits into one line: whole words, or a part of a long one. */
static size_t fitting(const char *line, size_t length, double width)
{
    size_t room = bytes_within(line, length, width), end = room;

    if (length <= room)
        return length;
    for (; end > 0 && line[end] != ' ';)
        end--;
    return end ? end : room;
}

static void add_text_line(fzi_picture *p, const char *text, size_t length)
{
    char line[512];
    size_t n = length < sizeof line - 1 ? length : sizeof line - 1;

    memcpy(line, text, n);
    line[n] = '\0';
    fzi_scene_label(p->scene, (fzi_point){p->low.x, p->high.y + text_line / 2}, text_size,
                    FZI_PAINT_INK, line)
        ->anchor = FZI_ANCHOR_LEFT;
    p->high.y += text_line;
}

/* Adds lines below, as wide as the board, but not narrower than a short sentence. */
static void add_below(fzi_picture *p, const char *text)
{
    double least = 6, width = fmax(p->high.x - p->low.x, least);

    p->high.y += p->style == FZI_STYLE_NONE ? 0 : 0.2;
    for (const char *end; (end = strchr(text, '\n')); text = end + 1) {
        size_t length = (size_t)(end - text);
        while (length > 0 && *text == ' ')
            text++, length--;
        while (length > 0) {
            size_t n = fitting(text, length, width);
            add_text_line(p, text, n);
            for (text += n, length -= n; length > 0 && *text == ' ';)
                text++, length--;
        }
    }
    p->high.x = fmax(p->high.x, p->low.x + width);
}

/* ---- the whole ---- */

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
    fzi_picture_players(p);
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
        fzi_picture_pieces(p);
        status = fzi_picture_moves(p);
        fzi_picture_hands(p);
    }
    if (!p->task->use)
        fzi_picture_cards(p);
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
        p.d.colour = false;
        if (!task->use)
            fzi_below_write(&p.d);
        scene->below = scene->shape_count;
        scene->below_y = p.high.y;
        scene->below_text = scene->texts.length;
        fzi_buffer_add(&scene->texts, fzi_buffer_get(&below), below.length + 1);
        add_below(&p, fzi_buffer_get(&below));
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
