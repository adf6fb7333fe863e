/* A picture of a state as one text. */
#include "compose.h"
#include "interp/vm/fault.h"
#include "scene.h"

fz_status fz_state_svg(fz_machine *machine, const fz_state *state, int player, const char *theme,
                       char **text)
{
    const fzi_picture_task task = {.player = player, .from = -1};
    int number = fzi_theme_called(theme ? theme : fzi_theme_name(0));
    const double cell = 48; /* pixels */
    fzi_buffer svg = fzi_buffer_in(machine->allocator);
    fzi_scene scene;
    fz_status status;

    if (number < 0)
        return fzi_machine_say(machine, FZ_USAGE, "there is no theme '%s'", theme);
    status = fzi_picture_compose(machine, state, &task, &scene);
    if (status == FZ_OK)
        fzi_scene_svg(&scene, (enum fzi_theme)number, cell, &svg);
    fzi_scene_clear(&scene);
    if (status == FZ_OK)
        return fzi_buffer_finish(&svg, text);
    fzi_buffer_free(&svg);
    return status;
}
