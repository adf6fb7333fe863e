/* The terminal. See terminal.h. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "terminal.h"

#include "options.h"

#include <langinfo.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

#ifdef HAVE_LIBEDIT
#include <histedit.h>
#endif

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

/* ---- interrupts ---- */

/* The one mutable global: a signal handler has no other way to tell. */
static volatile sig_atomic_t interrupted;

static void note_interrupt(int signal_number)
{
    interrupted = signal_number;
}

void fzi_terminal_catch_interrupt(void)
{
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_handler = note_interrupt;
    action.sa_flags = (int)SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

void fzi_terminal_release_interrupt(void)
{
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_handler = SIG_DFL;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    if (interrupted)
        raise(interrupted);
}

bool fzi_terminal_interrupted(void)
{
    return interrupted != 0;
}

/* ---- lines ---- */

struct fzi_line_reader {
    char *line;
    size_t capacity;
    const char *prompt;
    fzi_words *words; /* NULL: Tab completes nothing */
    void *user;
#ifdef HAVE_LIBEDIT
    EditLine *editor; /* NULL when stdin is no terminal */
    History *history;
#endif
};

#ifdef HAVE_LIBEDIT
static char *editor_prompt(EditLine *editor)
{
    fzi_line_reader *reader = NULL;

    el_get(editor, EL_CLIENTDATA, &reader);
    return (char *)(uintptr_t)(reader ? reader->prompt : "");
}

/* The bytes of the character at the beginning; what is no character counts as one of one byte. */
static size_t character(const char *text, size_t length)
{
    mbstate_t state = {0};
    size_t bytes = mbrlen(text, length, &state);

    return bytes == 0 || bytes > length ? 1 : bytes;
}

/* The editor counts characters. */
static int count_characters(const char *text, size_t length)
{
    int count = 0;

    for (size_t at = 0; at < length; at += character(text + at, length - at))
        count++;
    return count;
}

/* The length without a part of a character at the end. */
static size_t whole_characters(const char *text, size_t length)
{
    size_t all = strlen(text), at = 0;

    while (at < length) {
        size_t bytes = character(text + at, all - at);
        if (at + bytes > length)
            break;
        at += bytes;
    }
    return at;
}

/* How far all words that begin with the `length` bytes agree; `fit` is one of them. */
static size_t common_part(char *const *words, size_t count, const char *begun, size_t length,
                          const char **fit)
{
    size_t common = 0;

    *fit = NULL;
    for (size_t i = 0; i < count; i++) {
        if (strncasecmp(words[i], begun, length) != 0)
            continue;
        size_t same = length;
        while (*fit && same < common && words[i][same] == (*fit)[same])
            same++;
        common = *fit ? same : strlen(words[i]);
        *fit = words[i];
    }
    return *fit ? whole_characters(*fit, common) : 0;
}

static void print_words(char *const *words, size_t count, const char *begun, size_t length)
{
    putchar('\n');
    for (size_t i = 0; i < count; i++)
        if (strncasecmp(words[i], begun, length) == 0)
            printf("%s  ", words[i]);
    putchar('\n');
    fflush(stdout);
}

static void replace_line(EditLine *editor, const char *word, size_t length, int old)
{
    char *text = fzi_cli_allocate(NULL, length + 1);

    memcpy(text, word, length);
    text[length] = '\0';
    el_deletestr(editor, old);
    el_insertstr(editor, text);
    free(text);
}

/* Tab: as much as all words that fit agree in; if that is typed already, the words. */
static unsigned char complete(EditLine *editor, int key)
{
    fzi_line_reader *reader = NULL;
    const LineInfo *line = el_line(editor);
    size_t length = (size_t)(line->cursor - line->buffer), count = 0, common;
    const char *fit;
    unsigned char then = CC_ERROR;

    (void)key;
    el_get(editor, EL_CLIENTDATA, &reader);
    if (!reader || !reader->words)
        return then;
    char **words = reader->words(reader->user, &count);
    common = common_part(words, count, line->buffer, length, &fit);
    if (fit && common > length) {
        replace_line(editor, fit, common, count_characters(line->buffer, length));
        then = CC_REFRESH;
    } else if (fit) {
        print_words(words, count, line->buffer, length);
        then = CC_REDISPLAY;
    }
    for (size_t i = 0; i < count; i++)
        free(words[i]);
    free(words);
    return then;
}

static void open_editor(fzi_line_reader *reader)
{
    HistEvent event;

    if (!fzi_terminal_is(0) || !fzi_terminal_is(1))
        return;
    reader->editor = el_init("ferz", stdin, stdout, stderr);
    if (!reader->editor)
        return;
    reader->history = history_init();
    if (reader->history)
        history(reader->history, &event, H_SETSIZE, 500);
    el_set(reader->editor, EL_CLIENTDATA, reader);
    el_set(reader->editor, EL_PROMPT, editor_prompt);
    el_set(reader->editor, EL_EDITOR, "emacs");
    el_set(reader->editor, EL_SIGNAL, 1);
    /* Wide texts: of others libedit keeps copies that it never frees. */
    el_wset(reader->editor, EL_ADDFN, L"ferz-complete", L"complete a move or a command", complete);
    el_set(reader->editor, EL_BIND, "^I", "ferz-complete", NULL);
    if (reader->history)
        el_set(reader->editor, EL_HIST, history, reader->history);
}

static const char *ask_editor(fzi_line_reader *reader)
{
    HistEvent event;
    int length = 0;
    const char *line = el_gets(reader->editor, &length);
    size_t used;

    if (!line || length <= 0)
        return NULL;
    if (reader->history && length > 1)
        history(reader->history, &event, H_ENTER, line);
    used = (size_t)length;
    reader->line = fzi_cli_allocate(reader->line, used + 1);
    memcpy(reader->line, line, used + 1);
    return reader->line;
}
#endif

fzi_line_reader *fzi_line_reader_new(void)
{
    fzi_line_reader *reader = fzi_cli_allocate(NULL, sizeof *reader);

    memset(reader, 0, sizeof *reader);
#ifdef HAVE_LIBEDIT
    open_editor(reader);
#endif
    return reader;
}

void fzi_line_reader_complete(fzi_line_reader *reader, fzi_words *words, void *user)
{
    reader->words = words;
    reader->user = user;
}

void fzi_line_reader_free(fzi_line_reader *reader)
{
#ifdef HAVE_LIBEDIT
    if (reader->history)
        history_end(reader->history);
    if (reader->editor)
        el_end(reader->editor);
#endif
    free(reader->line);
    free(reader);
}

static const char *ask_plainly(fzi_line_reader *reader)
{
    if (fzi_terminal_is(0))
        fputs(reader->prompt, stdout);
    fflush(stdout); /* a program at the other end of two pipes wants to see the board, too */
    return getline(&reader->line, &reader->capacity, stdin) < 0 ? NULL : reader->line;
}

const char *fzi_line_reader_ask(fzi_line_reader *reader, const char *prompt)
{
    const char *line;

    reader->prompt = prompt;
#ifdef HAVE_LIBEDIT
    line = reader->editor ? ask_editor(reader) : ask_plainly(reader);
#else
    line = ask_plainly(reader);
#endif
    if (line)
        reader->line[strcspn(reader->line, "\r\n")] = '\0';
    return line;
}
