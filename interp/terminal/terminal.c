/* The terminal. See terminal.h. */
#include "terminal.h"

#include <ctype.h>
#include <langinfo.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

bool fzi_terminal_is(int descriptor)
{
    return isatty(descriptor) == 1;
}

bool fzi_terminal_colour(int descriptor)
{
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

    return fzi_terminal_is(descriptor) && !(no_color && *no_color) && term &&
           strcmp(term, "dumb") != 0;
}

bool fzi_terminal_palette(void)
{
    const char *term = getenv("TERM"), *more = getenv("COLORTERM");

    return (term && (strstr(term, "256color") || strstr(term, "direct"))) ||
           (more && (strcmp(more, "truecolor") == 0 || strcmp(more, "24bit") == 0));
}

bool fzi_terminal_unicode(void)
{
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

size_t fzi_terminal_width(int descriptor)
{
    struct winsize size;

    if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return 80;
}

const char *fzi_excerpt(const char *from, size_t length, size_t width, char *text)
{
    size_t used = 0;
    bool blank = false;

    if (width > FZI_EXCERPT_SIZE - 8)
        width = FZI_EXCERPT_SIZE - 8;
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)from[i];
        if (isspace(c)) {
            blank = used > 0;
            continue;
        }
        if (used + 2 > width) {
            while (used && fzi_utf8_continues(text[used - 1]))
                used--; /* no half of a letter */
            memcpy(text + used, "...", 3);
            used += 3;
            break;
        }
        if (blank)
            text[used++] = ' ';
        blank = false;
        text[used++] = (char)c;
    }
    text[used] = '\0';
    return text;
}

/* ---- interrupts ---- */

/* The one mutable global: a signal handler has no other way to tell. */
static volatile sig_atomic_t interrupted;
static volatile sig_atomic_t reading;

static void handle(int signal_number, void (*handler)(int), int flags)
{
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = flags;
    sigemptyset(&action.sa_mask);
    sigaction(signal_number, &action, NULL);
}

/* A signal that comes before the reading of a character ends nothing. The alarms that follow it
 * end the reading. */
static void wake(int signal_number)
{
    (void)signal_number;
    if (reading)
        alarm(1);
}

static void note_interrupt(int signal_number)
{
    interrupted = signal_number;
    wake(signal_number);
}

void fzi_terminal_begin_reading(void)
{
    handle(SIGALRM, wake, 0);
    reading = 1;
    if (interrupted)
        alarm(1);
}

void fzi_terminal_end_reading(void)
{
    reading = 0;
    alarm(0);
}

void fzi_terminal_catch_interrupt(void)
{
    handle(SIGINT, note_interrupt, (int)SA_RESETHAND);
    handle(SIGTERM, note_interrupt, (int)SA_RESETHAND);
}

void fzi_terminal_release_interrupt(void)
{
    handle(SIGINT, SIG_DFL, 0);
    handle(SIGTERM, SIG_DFL, 0);
    if (interrupted)
        raise(interrupted);
}

bool fzi_terminal_interrupted(void)
{
    return interrupted != 0;
}
