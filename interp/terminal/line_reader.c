/* Lines typed by a person. See terminal.h. */
#include "terminal.h"

#include <ctype.h>
#include <errno.h>
#include <strings.h>
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

/* Lists the words that begin like that; the editor draws the prompt again below them. */
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
    char *text = fzi_cli_text("%.*s", (int)length, word);

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
        print_words(words, count, line->buffer, length);
        then = CC_REDISPLAY;
    }
    free_words(words, count);
    return then;
}

/* Wide texts: of others libedit keeps copies that it never frees. */
static void add_keys(EditLine *editor)
{
    el_wset(editor, EL_ADDFN, L"ferz-complete", L"complete a move or a command", complete);
    el_set(editor, EL_BIND, "^I", "ferz-complete", NULL);
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

static char *ask_editor(fzi_line_reader *reader)
{
    HistEvent event;
    int length = 0;

    /* After a stop the editor draws the prompt where the cursor is; some shells leave it there. */
    snprintf(reader->drawn, sizeof reader->drawn, "%c\r%c%s", LITERAL, LITERAL, reader->prompt);
    const char *line = el_gets(reader->editor, &length);
    if (!line || length <= 0)
        return NULL;
    if (reader->history && length > 1)
        history(reader->history, &event, H_ENTER, line);
    free(reader->line);
    reader->line = fzi_cli_text("%s", line);
    return reader->line;
}
#endif

fzi_line_reader *fzi_line_reader_new(fzi_words *words, void *user)
{
    fzi_line_reader *reader = fzi_cli_allocate(NULL, sizeof *reader);

    *reader = (fzi_line_reader){.words = words, .user = user};
#ifdef HAVE_LIBEDIT
    open_editor(reader);
#endif
    return reader;
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

static char *ask_plainly(fzi_line_reader *reader)
{
    if (fzi_terminal_is(0))
        fputs(reader->prompt, stdout);
    fflush(stdout); /* a program at the other end of two pipes wants to see the board, too */
    errno = 0;
    if (getline(&reader->line, &reader->capacity, stdin) >= 0)
        return reader->line;
    if (errno == ENOMEM) /* this is not the end of the input */
        fzi_cli_no_memory();
    return NULL;
}

const char *fzi_line_reader_ask(fzi_line_reader *reader, const char *prompt)
{
    char *line;
    size_t length;

    reader->prompt = prompt;
#ifdef HAVE_LIBEDIT
    line = reader->editor ? ask_editor(reader) : ask_plainly(reader);
#else
    line = ask_plainly(reader);
#endif
    if (!line)
        return NULL;
    line += strspn(line, " \t");
    length = strcspn(line, "\r\n");
    while (length && isspace((unsigned char)line[length - 1]))
        length--;
    line[length] = '\0';
    return line;
}
