/* The progress bar. See terminal.h. */
#include "terminal.h"

static void draw_bar(double part)
{
    enum { WIDTH = 30 };

    fputc('[', stderr);
    for (int i = 0; i < WIDTH; i++)
        fputc(i < (int)(part * WIDTH) ? '#' : '.', stderr);
    fprintf(stderr, "] %3.0f %%  ", part * 100);
}

void fzi_progress_update(fzi_progress *progress, uint64_t done, uint64_t total)
{
    if (!progress->visible)
        return;
    double now = fzi_seconds();
    if (now - progress->shown < 0.1)
        return;
    progress->shown = now;
    double elapsed = now - progress->started;
    double rate = (double)done / elapsed;
    fputs("\r\033[K", stderr);
    if (total)
        draw_bar((double)done / (double)total);
    fprintf(stderr, "%llu %s, %.0f/s", (unsigned long long)done, progress->what, rate);
    if (total && done && elapsed > 1)
        fprintf(stderr, ", %.0f s left", (double)(total - done) / rate);
    fflush(stderr);
}

static bool update_or_stop(void *user, uint64_t done, uint64_t total)
{
    fzi_progress_update(user, done, total);
    return fzi_terminal_interrupted();
}

fz_watch fzi_progress_begin(fzi_progress *progress, const char *what)
{
    *progress = (fzi_progress){.visible = fzi_terminal_is(2), .what = what};
    progress->started = progress->shown = fzi_seconds();
    return (fz_watch){update_or_stop, progress};
}

void fzi_progress_end(fzi_progress *progress)
{
    if (progress->visible)
        fputs("\r\033[K", stderr);
    progress->visible = false;
}
