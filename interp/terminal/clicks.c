/* Clicks on a printed board. See clicks.h. */
#include "clicks.h"

#include "interp/program/program.h"
#include "interp/program/values.h"
#include "interp/support/display_width.h"
#include "interp/cli/options.h"
#include "terminal.h"
#include "typed_move.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- from the screen to a site ---- */

void fzi_printed_clear(fzi_printed_board *board)
{
    free(board->text);
    free(board->places);
    *board = (fzi_printed_board){0};
}

/* The line of the text that is printed in a row, counted from its first, and in *wrapped how many
 * rows of that line stand above; -1: there is none. */
static long line_of_row(const fzi_printed_board *board, long row, long *wrapped)
{
    const char *text = board->text;

    for (long line = 0; *text; line++) {
        long rows = (long)fzi_terminal_line_rows(text, board->columns);
        if (row < rows) {
            *wrapped = row;
            return line;
        }
        row -= rows;
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    return -1;
}

/* Columns between a column and a place; 0: it is in it. */
static long distance(const fz_drawn_site *place, long column)
{
    return column < place->column ? place->column - column
           : column >= place->column + place->columns ? column - place->column - place->columns + 1
                                                      : 0;
}

int fzi_printed_site(const fzi_printed_board *board, long above, long column, size_t columns)
{
    enum { NEAR = 1 };
    long wrapped, least = NEAR + 1, line;
    int site = FZI_NO_SITE;

    if (!board->text)
        return FZI_NO_SITE;
    if (columns != board->columns)
        return FZI_UNKNOWN_PLACE;
    long row = (long)fzi_terminal_rows(board->text, columns) - above;
    line = above > 0 && row >= 0 ? line_of_row(board, row, &wrapped) : -1;
    if (line < 0 || column < 0 || column >= (long)columns)
        return FZI_NO_SITE;
    column += wrapped * (long)columns;
    for (size_t s = 0; s < board->sites; s++) {
        const fz_drawn_site *place = &board->places[s];
        if (line < place->line || line >= place->line + place->lines ||
            distance(place, column) >= least)
            continue;
        least = distance(place, column);
        site = (int)s;
    }
    return site;
}

/* ---- the sites of moves ---- */

enum { MOST_SITES = 32 };

/* A legal move: its text, and its sites in their order. */
typedef struct clicked_move {
    char *text;
    int sites[MOST_SITES];
    size_t ends[MOST_SITES]; /* where their names end in the text; 0: it does not name them */
    size_t count;
} clicked_move;

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static void add_site(clicked_move *move, int site, size_t end)
{
    if (move->count == MOST_SITES)
        return;
    move->sites[move->count] = site;
    move->ends[move->count++] = end;
}

static bool has_site(const clicked_move *move, int site)
{
    for (size_t i = 0; i < move->count; i++)
        if (move->sites[i] == site)
            return true;
    return false;
}

/* Adds the sites of a word that consists of their names, with an 'x' before some: b1b2, a1xc3.
 * Otherwise nothing. */
static void add_word(const fz_program *program, clicked_move *move, size_t begin, size_t end)
{
    size_t before = move->count, at = begin;

    while (at < end) {
        size_t length = end - at;
        int site = -1;
        while (length && (site = fzi_site_find(program, move->text + at, length)) < 0)
            length--;
        if (site < 0 && at > begin && move->text[at] == 'x') {
            at++;
            continue;
        }
        if (site < 0) {
            move->count = before;
            return;
        }
        at += length;
        add_site(move, site, at);
    }
}

/* The sites that the text names; b1#2 is the second b1. */
static void find_named(const fz_program *program, clicked_move *move)
{
    const char *text = move->text;

    for (size_t at = 0; text[at] && text[at] != '#';) {
        size_t end = at;
        while (is_name(text[end]))
            end++;
        add_word(program, move, at, end);
        at = end > at ? end : at + 1;
    }
}

/* What the text does not name is still where the move comes from or goes to. */
static void read_move(const fzi_session *g, const fz_move *legal, clicked_move *move)
{
    int from, to;

    move->text = strdup(fz_move_text(g->machine, g->state, legal));
    move->count = 0;
    find_named(g->program, move);
    fz_move_sites(g->machine, g->state, legal, &from, &to);
    if (from >= 0 && !has_site(move, from) && move->count < MOST_SITES) {
        memmove(move->sites + 1, move->sites, move->count * sizeof *move->sites);
        memmove(move->ends + 1, move->ends, move->count * sizeof *move->ends);
        move->sites[0] = from;
        move->ends[0] = 0;
        move->count++;
    }
    if (to >= 0 && !has_site(move, to))
        add_site(move, to, 0);
}

/* Does the line begin this move, and is the site its next behind those that were clicked? */
static bool goes_on(const clicked_move *move, const char *line, size_t clicked, int site)
{
    return move->count > clicked && move->sites[clicked] == site &&
           (!*line || fzi_typed_agrees(move->text, line));
}

/* The legal moves that go on like that, *count of them, to be freed with free_moves. */
static clicked_move *fitting_moves(const fzi_session *g, const char *line, size_t clicked,
                                   int site, size_t *count)
{
    fz_moves *moves = fz_moves_new(g->machine);
    clicked_move *fitting = NULL, move;
    size_t legal = 0;

    *count = 0;
    if (moves && fz_state_waiting(g->state) == FZ_WAITING_MOVE &&
        fz_state_moves(g->machine, g->state, moves) == FZ_OK)
        legal = fz_moves_count(moves);
    for (size_t i = 0; i < legal; i++) {
        fz_move listed = fz_moves_at(moves, i);
        read_move(g, &listed, &move);
        if (goes_on(&move, line, clicked, site)) {
            fitting = fzi_cli_allocate(fitting, (*count + 1) * sizeof *fitting);
            fitting[(*count)++] = move;
        } else {
            free(move.text);
        }
    }
    fz_moves_free(moves);
    return fitting;
}

static void free_moves(clicked_move *moves, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(moves[i].text);
    free(moves);
}

/* ---- what a click means ---- */

/* How far the texts of moves agree; not further than the name of the clicked site, if the first
 * names it. */
static size_t common_length(const clicked_move *moves, size_t count, size_t clicked)
{
    size_t common = strlen(moves->text), end = moves->ends[clicked];

    for (size_t i = 1; i < count; i++) {
        size_t same = 0;
        while (same < common && moves[i].text[same] == moves->text[same])
            same++;
        common = same;
    }
    return end && end < common ? end : common;
}

/* Do the moves have no further sites? They differ in something else, such as the piece of a
 * promotion. */
static bool all_end(const clicked_move *moves, size_t count, size_t clicked)
{
    for (size_t i = 0; i < count; i++)
        if (moves[i].count > clicked + 1)
            return false;
    return true;
}

/* The number of sites that the line names, perhaps in capitals. */
static size_t named_in(const fz_program *program, const char *line)
{
    clicked_move move = {.text = strdup(line)};

    find_named(program, &move);
    for (char *c = move.text; !move.count && *c; c++)
        *c = (char)tolower((unsigned char)*c);
    if (!move.count)
        find_named(program, &move);
    free(move.text);
    return move.count;
}

void fzi_clicked_clear(fzi_clicked_sites *clicked)
{
    free(clicked->line);
    *clicked = (fzi_clicked_sites){.last = FZI_NO_SITE};
}

/* The moves go on with the site that was clicked last, behind so many others. */
static fzi_click_answer answer_with(const clicked_move *moves, size_t count, size_t clicked)
{
    fzi_click_answer answer = {0};

    if (count == 1 && (clicked > 0 || moves->count == 1)) {
        answer.line = strdup(moves->text);
        answer.enters = true;
        return answer;
    }
    answer.line = strndup(moves->text, common_length(moves, count, clicked));
    if (!all_end(moves, count, clicked))
        return answer;
    answer.words = fzi_cli_allocate(NULL, count * sizeof *answer.words);
    for (answer.count = 0; answer.count < count; answer.count++)
        answer.words[answer.count] = strdup(moves[answer.count].text);
    return answer;
}

fzi_click_answer fzi_click_site(const fzi_session *session, int site, const char *line,
                                fzi_clicked_sites *clicked)
{
    bool same = clicked->line && strcmp(clicked->line, line) == 0;
    size_t before = same ? clicked->count : named_in(session->program, line), count;
    fzi_click_answer answer = {0};
    clicked_move *moves = fitting_moves(session, line, before, site, &count);

    if (!count && same && before == 1 && site == clicked->last) {
        answer.line = strdup(""); /* a second click takes the first back */
        fzi_clicked_clear(clicked);
        return answer;
    }
    if (!count && *line) {
        before = 0;
        moves = fitting_moves(session, "", before, site, &count);
    }
    if (count) {
        answer = answer_with(moves, count, before);
        fzi_clicked_clear(clicked);
        *clicked = (fzi_clicked_sites){strdup(answer.line), before + 1, site};
    }
    free_moves(moves, count);
    return answer;
}
