/* Clicks on a terminal. See mouse.h. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "mouse.h"

#include "terminal.h"

#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char switch_on[] = "\033[?1000h\033[?1006h";
static const char switch_off[] = "\033[?1006l\033[?1000l";

/* ---- on and off ---- */

/* Signals that would leave the terminal with its reports. */
static const int leaving[] = {SIGINT, SIGTERM, SIGTSTP, SIGQUIT, SIGHUP};
enum { LEAVING = sizeof leaving / sizeof leaving[0] };

static void tell_terminal(const char *text, size_t length)
{
    if (write(1, text, length) < 0)
        return; /* the terminal is gone, and with it the reports */
}

static void catch_leaving(int signal_number);

static void set_handler(int signal_number, void (*handler)(int))
{
    struct sigaction before;

    /* What is ignored, as under nohup, stays ignored. */
    if (sigaction(signal_number, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        fzi_terminal_handle(signal_number, handler, 0);
}

/* The first interrupt ends the line that is read. Of all else the program stops or ends, as it
 * would without us; if it goes on, so do the reports. */
static void catch_leaving(int signal_number)
{
    sigset_t set;

    if ((signal_number == SIGINT || signal_number == SIGTERM) && !fzi_terminal_interrupted()) {
        fzi_terminal_note_interrupt(signal_number);
        return;
    }
    tell_terminal(switch_off, sizeof switch_off - 1);
    set_handler(signal_number, SIG_DFL);
    sigemptyset(&set);
    sigaddset(&set, signal_number);
    raise(signal_number);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    set_handler(signal_number, catch_leaving);
    tell_terminal(switch_on, sizeof switch_on - 1);
}

void fzi_mouse_on(void)
{
    for (int i = 0; i < LEAVING; i++)
        set_handler(leaving[i], catch_leaving);
    fflush(stdout);
    tell_terminal(switch_on, sizeof switch_on - 1);
}

void fzi_mouse_off(void)
{
    fflush(stdout);
    tell_terminal(switch_off, sizeof switch_off - 1);
    for (int i = 0; i < LEAVING; i++)
        set_handler(leaving[i], SIG_DFL);
    if (!fzi_terminal_interrupted())
        fzi_terminal_catch_interrupt();
}

/* ---- reports ---- */

enum { MOST_PARTS = 64, ESCAPE = 27 };

/* A control sequence behind its introducer: up to its last character, which is returned. Its other
 * characters go to `parts`, which is "" for too many. -1: it breaks off; then *refused is the
 * character at which it does, or -1. */
static long read_sequence(fzi_next_character *next, void *from, char parts[MOST_PARTS],
                          long *refused)
{
    size_t length = 0;

    *refused = -1;
    for (;;) {
        long c = next(from);
        if (c < 0x20 || c > 0x7e) {
            *refused = c;
            return -1;
        }
        if (c >= 0x40) {
            parts[length < MOST_PARTS ? length : 0] = '\0';
            return c;
        }
        if (length < MOST_PARTS)
            parts[length++] = (char)c;
    }
}

/* "1;22;3" as `count` numbers; nothing else. */
static bool read_numbers(const char *text, int count, long *numbers)
{
    for (int i = 0; i < count; i++) {
        size_t digits = strspn(text, "0123456789");
        if (digits == 0 || digits > 6)
            return false;
        numbers[i] = 0;
        for (size_t k = 0; k < digits; k++)
            numbers[i] = 10 * numbers[i] + (text[k] - '0');
        text += digits;
        if (*text != (i + 1 < count ? ';' : '\0'))
            return false;
        text += i + 1 < count;
    }
    return true;
}

/* Shift, Alt and Ctrl do not matter. Wheels and other buttons have other numbers. */
static bool is_left_button(long button)
{
    return (button & ~(4L | 8 | 16)) == 0;
}

bool fzi_mouse_read(fzi_next_character *next, void *from, fzi_screen_place *place, long *refused)
{
    char parts[MOST_PARTS];
    long numbers[3];

    if (read_sequence(next, from, parts, refused) != 'M' || !read_numbers(parts, 3, numbers))
        return false;
    place->column = numbers[1];
    place->row = numbers[2];
    return is_left_button(numbers[0]);
}

bool fzi_mouse_read_bytes(fzi_next_character *next, void *from, fzi_screen_place *place)
{
    long button = next(from), column = next(from), row = next(from);

    place->column = column - 32;
    place->row = row - 32;
    return button >= 32 && column > 32 && row > 32 && is_left_button(button - 32);
}

/* Do the last characters answer where the cursor is? The number of them; 0: they do not. */
static int answer_length(const long *read, int count, fzi_screen_place *place)
{
    char parts[MOST_PARTS];
    long numbers[2];
    int first = count - 1;

    if (count < 6 || read[count - 1] != 'R')
        return 0;
    while (first > 0 && count - first < 16 && read[first] != ESCAPE)
        first--;
    if (read[first] != ESCAPE || read[first + 1] != '[')
        return 0;
    for (int i = first + 2; i < count; i++)
        parts[i - first - 2] = (char)(i == count - 1 ? '\0' : read[i]);
    if (!read_numbers(parts, 2, numbers))
        return 0;
    place->row = numbers[0];
    place->column = numbers[1];
    return count - first;
}

bool fzi_cursor_read(fzi_next_character *next, void *from, fzi_screen_place *place, long *ahead,
                     int *count)
{
    *count = 0;
    while (*count < FZI_MOST_AHEAD) {
        long c = next(from);
        if (c < 0)
            return false;
        ahead[(*count)++] = c;
        int length = answer_length(ahead, *count, place);
        if (length) {
            *count -= length;
            return true;
        }
    }
    return false;
}
