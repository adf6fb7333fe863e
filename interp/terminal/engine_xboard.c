/* The protocol of XBoard and WinBoard. See engine_xboard.h. */
#include "engine_xboard.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Comments, which the feature `debug` allows. */
static void say(const char *what)
{
    printf("# %s\n", what);
}

/* ---- the end of a game ---- */

static void announce_end(const fzi_protocol_engine *e)
{
    const fz_program *program = e->setup->program;
    int best = -1;

    if (fz_state_waiting(e->state) != FZ_GAME_OVER)
        return;
    if (fz_state_rank(e->state, 0) != fz_state_rank(e->state, 1))
        best = fz_state_rank(e->state, 1) < fz_state_rank(e->state, 0);
    if (best < 0)
        puts("1/2-1/2 {Draw}");
    else
        printf("%s {%s wins}\n", best == 0 ? "1-0" : "0-1", fz_program_player_name(program, best));
}

/* ---- thinking ---- */

static bool decides(const fzi_xboard *board, int player)
{
    const fz_state *state = board->engine->state;

    return fz_state_waiting(state) == FZ_WAITING_MOVE && fz_state_decider(state) == player;
}

/* Adds a move to the game that the board shows. A tab precedes the later parts of a turn, so that
 * `undo` finds where the turn began. */
static char *with_move(fzi_xboard *board, const char *word)
{
    const char *before = strstr(board->game, " moves ") ? board->is_amid ? "\t" : " " : " moves ";

    return fzi_cli_text("%s%s%s", board->game, before, word);
}

/* A comma says that the turn goes on, as in the variants of XBoard that have such moves. */
static bool answer(fzi_protocol_engine *e, const fz_move *move)
{
    fzi_xboard *board = e->client;
    fzi_buffer text = fzi_buffer_in(e->setup->context->allocator);

    if (!move || __atomic_load_n(&board->is_unwanted, __ATOMIC_RELAXED))
        return false;
    fzi_engine_move_write(e->protocol, e->setup->machine, e->state, move, &text);
    char *game = with_move(board, fzi_buffer_get(&text));
    free(board->game);
    board->game = game;
    fzi_engine_play(e, move, game);
    board->is_amid = decides(board, board->plays);
    printf("move %s%s\n", fzi_buffer_get(&text), board->is_amid ? "," : "");
    announce_end(e);
    fzi_buffer_free(&text);
    return board->is_amid;
}

/* Ends its thinking without an answer. */
static void give_up(fzi_xboard *board)
{
    __atomic_store_n(&board->is_unwanted, true, __ATOMIC_RELAXED);
    fzi_engine_settle(board->engine, true);
    __atomic_store_n(&board->is_unwanted, false, __ATOMIC_RELAXED);
}

/* Own turns until the next time control; 0: there is none. */
static uint64_t moves_to_go(const fzi_xboard *board)
{
    uint64_t turns = fz_state_turns(board->engine->state); /* 0 during setup */
    uint64_t own = turns ? (turns - 1) / 2 : 0;

    return board->control ? board->control - own % board->control : 0;
}

/* Thinks if it is the engine's move. */
static void go_on(fzi_xboard *board)
{
    fzi_protocol_engine *e = board->engine;
    fzi_order order = board->order;

    if (!decides(board, board->plays))
        return;
    if (!order.movetime && board->time) {
        order.time[0] = order.time[1] = board->time;
        order.increment[0] = order.increment[1] = board->increment;
        order.movestogo = moves_to_go(board);
    }
    fzi_engine_go(e, &order);
}

/* ---- the position ---- */

/* The board shows this position, which the caller hands over. False: there is none such, and it
 * shows what it has shown. */
static bool show(fzi_xboard *board, char *game)
{
    bool good = fzi_engine_set_position(board->engine, game);

    if (!good && board->game)
        fzi_engine_set_position(board->engine, board->game);
    free(good ? board->game : game);
    if (good)
        board->game = game, board->is_amid = false;
    return good;
}

static void begin_game(fzi_xboard *board)
{
    give_up(board);
    board->plays = 1;
    board->order = (fzi_order){0};
    show(board, fzi_cli_text("startpos"));
}

static void set_up(fzi_xboard *board, const char *fen)
{
    give_up(board);
    if (!show(board, fzi_cli_text("fen %s", fen)))
        puts("tellusererror Illegal position");
}

/* Adds the parts of a turn, with commas between them. */
static char *with_parts(fzi_xboard *board, const char *words)
{
    char *game = with_move(board, words), *comma = game + strlen(board->game);

    while ((comma = strchr(comma, ',')) != NULL)
        *comma = '\t';
    return game;
}

/* One move, or the parts of a turn with commas between them. */
static void user_move(fzi_xboard *board, const char *words)
{
    int player;

    give_up(board);
    player = fz_state_decider(board->engine->state);
    if (!strcspn(words, ",") || strpbrk(words, " \t") || !show(board, with_parts(board, words))) {
        printf("Illegal move: %s\n", words);
        return;
    }
    board->is_amid = decides(board, player);
    announce_end(board->engine);
    go_on(board);
}

static void take_back(fzi_xboard *board, unsigned count)
{
    give_up(board);
    char *game = fzi_cli_text("%s", board->game), *list = strstr(game, " moves ");

    for (; list && count > 0; count--) {
        char *last = strrchr(list, ' ');
        if (last == list + strlen(" moves"))
            last = list;
        *last = '\0';
        list = last == list ? NULL : list;
    }
    show(board, game);
}

/* ---- what it can do, and how the board shows it ---- */

/* A text that stands between quotes, so it cannot have any. */
static void put_unquoted(const char *text)
{
    for (; *text; text++)
        putchar(*text == '"' ? '\'' : *text);
}

static void introduce(const fzi_xboard *board)
{
    const fzi_protocol_engine *e = board->engine;
    char name[FZI_SCRIPT_NAME], *fen = NULL;
    bool has_fen = fz_state_write_fen(e->setup->machine, e->start, &fen) == FZ_OK;

    fz_text_free(e->setup->context, fen);
    fzi_script_name(e->setup->path, name);
    printf("feature done=0 myname=\"Ferz %s, ", fz_version());
    put_unquoted(fz_program_title(e->setup->program));
    printf("\" variants=\"normal,%s\"\n", name);
    printf("feature ping=1 setboard=%d playother=1 usermove=1 colors=0 sigint=0 sigterm=0 "
           "analyze=0 debug=1 name=0\nfeature option=\"Agent -string ",
           has_fen);
    put_unquoted(e->wanted);
    puts("\" done=1");
}

/* The variant with the name of the script may be one that the board does not know: it is told how
 * to show it. */
static void choose_variant(const fzi_xboard *board, const char *wanted)
{
    const fzi_protocol_engine *e = board->engine;
    const fz_board *shape = &e->setup->program->board;
    char name[FZI_SCRIPT_NAME], *fen = NULL;

    fzi_script_name(e->setup->path, name);
    if (strcmp(wanted, name) != 0) {
        printf("Error (unknown variant): %s\n", wanted);
        return;
    }
    if (fz_state_write_fen(e->setup->machine, e->start, &fen) == FZ_OK)
        printf("setup (-) %ux%u+0_fairy %s\n", shape->columns, shape->rows, fen);
    fz_text_free(e->setup->context, fen);
}

/* ---- clocks and options ---- */

/* level MOVES MINUTES[:SECONDS] INCREMENT */
static void set_level(fzi_xboard *board, const char *words)
{
    unsigned moves = 0, minutes = 0, seconds = 0;
    double increment = 0;

    if (sscanf(words, "%u %u:%u %lf", &moves, &minutes, &seconds, &increment) < 3) {
        seconds = 0;
        sscanf(words, "%u %u %lf", &moves, &minutes, &increment);
    }
    board->control = moves;
    board->time = ((uint64_t)minutes * 60 + seconds) * 1000;
    board->increment = increment > 0 && increment < 1e6 ? (uint64_t)(increment * 1000) : 0;
    board->order.movetime = 0;
}

static void set_option(fzi_xboard *board, const char *words)
{
    static const char agent[] = "Agent=";

    if (strncmp(words, agent, sizeof agent - 1) == 0 &&
        !fzi_engine_want_agent(board->engine, words + sizeof agent - 1))
        puts("tellusererror There is no such agent");
}

/* Milliseconds, at least 1: 0 would mean that there is no clock, and clocks go below 0. */
static uint64_t milliseconds(const char *text, double unit)
{
    double value = unit * strtod(text, NULL);

    return value > 1 ? value < 1e12 ? (uint64_t)value : (uint64_t)1e12 : 1;
}

static bool set_clock(fzi_xboard *board, const char *word, const char *rest)
{
    if (!strcmp(word, "level"))
        set_level(board, rest);
    else if (!strcmp(word, "time"))
        board->time = milliseconds(rest, 10); /* from hundredths of a second */
    else if (!strcmp(word, "st"))
        board->order.movetime = milliseconds(rest, 1000);
    else if (!strcmp(word, "sd"))
        board->order.depth = strtoull(rest, NULL, 10);
    else
        return false;
    return true;
}

/* ---- lines ---- */

/* Words that say nothing to this engine. */
static bool is_idle(const char *word)
{
    static const char *const idle[] = {
        "accepted", "rejected", "random", "hard", "easy", "post", "nopost", "computer", "name",
        "rating", "ics", "otim", "quit", "",
    };

    for (size_t i = 0; i < sizeof idle / sizeof idle[0]; i++)
        if (strcmp(word, idle[i]) == 0)
            return true;
    return false;
}

/* What decides who plays. */
static bool set_player(fzi_xboard *board, const char *word)
{
    const fz_state *state = board->engine->state;

    if (!strcmp(word, "force") || !strcmp(word, "result")) {
        give_up(board);
        board->plays = -1;
    } else if (!strcmp(word, "go")) {
        give_up(board);
        board->plays = fz_state_decider(state);
        go_on(board);
    } else if (!strcmp(word, "playother")) {
        give_up(board);
        board->plays = !fz_state_decider(state);
    } else {
        return false;
    }
    return true;
}

void fzi_xboard_obey(fzi_xboard *board, const char *word, char *rest)
{
    if (set_player(board, word) || set_clock(board, word, rest) || is_idle(word))
        return;
    if (!strcmp(word, "protover"))
        give_up(board), introduce(board);
    else if (!strcmp(word, "new"))
        begin_game(board);
    else if (!strcmp(word, "variant"))
        give_up(board), choose_variant(board, rest);
    else if (!strcmp(word, "usermove"))
        user_move(board, rest);
    else if (!strcmp(word, "setboard"))
        set_up(board, rest);
    else if (!strcmp(word, "undo") || !strcmp(word, "remove"))
        take_back(board, *word == 'u' ? 1 : 2);
    else if (!strcmp(word, "?"))
        fzi_engine_settle(board->engine, true);
    else if (!strcmp(word, "ping"))
        printf("pong %s\n", rest);
    else if (!strcmp(word, "option"))
        set_option(board, rest);
    else
        printf("Error (unknown command): %s\n", word);
}

void fzi_xboard_begin(fzi_xboard *board)
{
    fzi_protocol_engine *e = board->engine;

    if (fz_program_players(e->setup->program) != 2) {
        puts("tellusererror The game is not for two players");
        e->quit = true;
        return;
    }
    fzi_engine_settle(e, true); /* it answers by the protocol in which it was asked */
    e->protocol = FZI_PROTOCOL_xboard;
    e->answer = answer;
    e->say = say;
    e->client = board;
    begin_game(board);
}

void fzi_xboard_end(fzi_xboard *board)
{
    free(board->game);
}
