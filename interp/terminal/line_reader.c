/* Lines typed by a person. See line_reader.h. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "line_reader.h"

#include "interp/support/display_width.h"
#include "mouse.h"
#include "interp/cli/options.h"
#include "terminal.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <termios.h>
#include <wchar.h>

#ifdef HAVE_LIBEDIT
#include <histedit.h>
#endif

struct fzi_line_reader {
    char *line;
    size_t capacity;
    const char *prompt;
    char drawn[160];  /* the prompt as the editor draws it */
    fzi_words *words; /* NULL: Tab completes nothing */
    void *user;
    fzi_clicked *clicked; /* NULL: clicks are not reported */
    void *clicking;
    size_t listed;    /* rows between the first prompt for this line and the present one */
#ifdef HAVE_LIBEDIT
    EditLine *editor; /* NULL when stdin is no terminal */
    History *history;
#endif
};

#ifdef HAVE_LIBEDIT
enum { LITERAL = 1 }; /* encloses what the editor prints without counting columns */

static char *editor_prompt(EditLine *editor)
{
    fzi_line_reader *reader = NULL;

    el_get(editor, EL_CLIENTDATA, &reader);
    return reader ? reader->drawn : (char *)(uintptr_t)"";
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

/* The row of the cursor below the prompt. */
static size_t cursor_row(const fzi_line_reader *reader, const LineInfo *line)
{
    size_t typed = (size_t)(line->cursor - line->buffer);

    return (fzi_text_width(reader->prompt) + fzi_terminal_text_width(line->buffer, typed)) /
           fzi_terminal_width(1);
}

/* Lists the words that begin like that; the prompt comes again below them. */
static void print_words(fzi_line_reader *reader, char *const *words, size_t count,
                        const char *begun, size_t length)
{
    size_t width = 0, columns = fzi_terminal_width(1);

    reader->listed += cursor_row(reader, el_line(reader->editor)) + 1;
    putchar('\n');
    for (size_t i = 0; i < count; i++) {
        if (strncasecmp(words[i], begun, length) != 0)
            continue;
        printf("%s  ", words[i]);
        width += fzi_text_width(words[i]) + 2;
    }
    putchar('\n');
    reader->listed += width ? (width + columns - 1) / columns : 1;
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

static void free_words(char **words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(words[i]);
    free(words);
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
        print_words(reader, words, count, line->buffer, length);
        then = CC_REDISPLAY;
    }
    free_words(words, count);
    return then;
}

/* ---- clicks ---- */

/* A key that a person presses takes longer; of a report all comes at once. In tenths of a
 * second. */
enum { REPORT_TIME = 5 };

/* Until reading is patient again, characters that do not come in time are none. */
static void read_impatiently(struct termios *patient)
{
    struct termios now;

    tcgetattr(0, patient);
    now = *patient;
    now.c_cc[VMIN] = 0;
    now.c_cc[VTIME] = REPORT_TIME;
    tcsetattr(0, TCSANOW, &now);
}

static long next_character(void *editor)
{
    wchar_t c;

    return fzi_terminal_interrupted() || el_wgetc(editor, &c) != 1 ? -1 : (long)c;
}

/* Characters that will be read again, behind those for which this was called before. */
typedef struct unread_characters {
    long characters[FZI_MOST_AHEAD];
    int count;
} unread_characters;

static void unread(EditLine *editor, const unread_characters *ahead)
{
    wchar_t text[FZI_MOST_AHEAD + 1];

    for (int i = 0; i < ahead->count; i++)
        text[i] = (wchar_t)ahead->characters[i];
    text[ahead->count] = L'\0';
    if (ahead->count)
        el_wpush(editor, text);
}

/* The prompt is in this row of the screen, from 1. What was typed before the terminal answered is
 * put into `ahead`. */
static bool find_prompt(fzi_line_reader *reader, long *row, unread_characters *ahead)
{
    fzi_screen_place cursor;

    fputs(FZI_ASK_CURSOR, stdout);
    fflush(stdout);
    bool found = fzi_cursor_read(next_character, reader->editor, &cursor, ahead->characters,
                                 &ahead->count);
    *row = cursor.row - (long)cursor_row(reader, el_line(reader->editor));
    return found;
}

static unsigned char take_answer(fzi_line_reader *reader, fzi_click_answer *answer)
{
    unsigned char then = CC_NORM;

    if (answer->line) {
        const LineInfo *line = el_line(reader->editor);
        el_cursor(reader->editor, count_characters(line->cursor,
                                                   (size_t)(line->lastchar - line->cursor)));
        line = el_line(reader->editor);
        replace_line(reader->editor, answer->line, strlen(answer->line),
                     count_characters(line->buffer, (size_t)(line->lastchar - line->buffer)));
        then = CC_REFRESH;
    }
    if (answer->count) {
        print_words(reader, answer->words, answer->count, "", 0);
        then = CC_REDISPLAY;
    }
    if (answer->enters)
        el_push(reader->editor, "\n");
    free(answer->line);
    free_words(answer->words, answer->count);
    return then;
}

/* The line up to its end, to be freed. */
static char *copy_line(const LineInfo *line)
{
    size_t length = (size_t)(line->lastchar - line->buffer);
    char *copy = fzi_cli_allocate(NULL, length + 1);

    memcpy(copy, line->buffer, length);
    copy[length] = '\0';
    return copy;
}

static unsigned char click(fzi_line_reader *reader, const fzi_screen_place *place)
{
    unread_characters ahead = {.count = 0};
    unsigned char then = CC_NORM;
    long prompt;

    if (!reader->clicked)
        return then;
    if (find_prompt(reader, &prompt, &ahead)) {
        char *line = copy_line(el_line(reader->editor));
        fzi_click_answer answer =
            reader->clicked(reader->clicking, prompt - (long)reader->listed - place->row,
                            place->column - 1, line);
        free(line);
        then = take_answer(reader, &answer);
    }
    unread(reader->editor, &ahead);
    return then;
}

/* The rest of a report: of one with numbers, or of one with bytes. */
static unsigned char report_click(EditLine *editor, bool bytes)
{
    fzi_line_reader *reader = NULL;
    fzi_screen_place place;
    struct termios patient;
    unread_characters ahead = {.characters = {-1}};
    unsigned char then = CC_NORM;

    el_get(editor, EL_CLIENTDATA, &reader);
    read_impatiently(&patient);
    bool pressed = bytes ? fzi_mouse_read_bytes(next_character, editor, &place)
                         : fzi_mouse_read(next_character, editor, &place, ahead.characters);
    ahead.count = ahead.characters[0] >= 0;
    unread(editor, &ahead);
    if (reader && pressed)
        then = click(reader, &place);
    tcsetattr(0, TCSANOW, &patient);
    return fzi_terminal_interrupted() ? CC_EOF : then;
}

static unsigned char click_with_numbers(EditLine *editor, int key)
{
    (void)key;
    return report_click(editor, false);
}

static unsigned char click_with_bytes(EditLine *editor, int key)
{
    (void)key;
    return report_click(editor, true);
}

/* Wide texts: of others libedit keeps copies that it never frees. */
static void add_keys(EditLine *editor)
{
    el_wset(editor, EL_ADDFN, L"ferz-complete", L"complete a move or a command", complete);
    el_set(editor, EL_BIND, "^I", "ferz-complete", NULL);
    el_wset(editor, EL_ADDFN, L"ferz-click", L"a click", click_with_numbers);
    el_set(editor, EL_BIND, "\\e[<", "ferz-click", NULL);
    el_wset(editor, EL_ADDFN, L"ferz-click-bytes", L"a click, in bytes", click_with_bytes);
    el_set(editor, EL_BIND, "\\e[M", "ferz-click-bytes", NULL);
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
    el_set(reader->editor, EL_PROMPT_ESC, editor_prompt, LITERAL);
    el_set(reader->editor, EL_EDITOR, "emacs");
    el_set(reader->editor, EL_SIGNAL, 1);
    add_keys(reader->editor);
    if (reader->history)
        el_set(reader->editor, EL_HIST, history, reader->history);
}

static const char *ask_editor(fzi_line_reader *reader)
{
    HistEvent event;
    int length = 0;
    const char *line;
    size_t used;

    /* After a stop the editor draws the prompt where the cursor is; some shells leave it there. */
    snprintf(reader->drawn, sizeof reader->drawn, "%c\r%c%s", LITERAL, LITERAL, reader->prompt);
    reader->listed = 0;
    if (reader->clicked)
        fzi_mouse_on();
    fzi_terminal_begin_reading();
    line = el_gets(reader->editor, &length);
    fzi_terminal_end_reading();
    if (reader->clicked)
        fzi_mouse_off();

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

bool fzi_line_reader_click(fzi_line_reader *reader, fzi_clicked *clicked, void *user)
{
#ifdef HAVE_LIBEDIT
    const char *term = getenv("TERM");

    if (clicked && (!reader->editor || !term || strcmp(term, "dumb") == 0))
        return false;
    reader->clicked = clicked;
    reader->clicking = user;
    return true;
#else
    (void)user;
    return !clicked;
#endif
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
