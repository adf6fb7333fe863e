/* The input of `ferz play`: commands and moves. */
#include "interp/text/draw.h"
#include "interp/text/notation.h"
#include "terminal_game.h"

/* ---- lists of moves ---- */

/* The texts of the legal moves, to be freed with free_texts. NULL: there are none. */
static char **legal_texts(fzi_terminal_game *g, size_t *count)
{
    fz_moves *moves = fz_moves_new(g->setup.machine);
    char **texts = NULL;

    *count = 0;
    if (moves && fz_state_waiting(g->setup.state) == FZ_WAITING_MOVE &&
        fz_state_moves(g->setup.machine, g->setup.state, moves) == FZ_OK)
        *count = fz_moves_count(moves);
    if (*count)
        texts = fzi_cli_allocate(NULL, *count * sizeof *texts);
    for (size_t i = 0; i < *count; i++) {
        fz_move move = fz_moves_at(moves, i);
        const char *text = fz_move_text(g->setup.machine, g->setup.state, &move);
        texts[i] = fzi_cli_text("%s", text);
    }
    fz_moves_free(moves);
    return texts;
}

static void free_texts(char **texts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(texts[i]);
    free(texts);
}

/* Between two texts the line may end. `only`: those that it says, NULL for all. */
static void print_wrapped(char *const *texts, size_t count, const unsigned char *only)
{
    size_t width = fzi_terminal_width(1), used = 0;

    for (size_t i = 0; i < count; i++) {
        if (only && !only[i])
            continue;
        if (used && used + strlen(texts[i]) + 2 > width) {
            putchar('\n');
            used = 0;
        }
        used += (size_t)printf("%s%s", used ? "  " : "", texts[i]);
    }
    putchar('\n');
}

/* A number that is typed chooses a move, unless moves begin with numbers themselves. */
static void number_texts(char **texts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (isdigit((unsigned char)*texts[i]))
            return;
    for (size_t i = 0; i < count; i++) {
        char *plain = texts[i];
        texts[i] = fzi_cli_text("%zu %s", i + 1, plain);
        free(plain);
    }
}

static void show_moves(fzi_terminal_game *g)
{
    size_t count;
    char **texts = legal_texts(g, &count);

    number_texts(texts, count);
    if (texts)
        print_wrapped(texts, count, NULL);
    free_texts(texts, count);
}

/* Prints the history as the person was shown it, several moves a line. */
static void show_history(fzi_terminal_game *g)
{
    if (g->told_count)
        print_wrapped(g->told, g->told_count, NULL);
    else
        puts("Nothing was played yet.");
}

/* The symbols of a kind in drawings: of both players, or of one. */
static void add_symbols(const fzi_terminal_game *g, int kind, char text[16])
{
    const fz_program *program = g->setup.program;
    unsigned style = g->drawing;
    int players = (style & FZ_DRAW_SYMBOLS) ? fz_program_players(program) : 0;

    text[0] = '\0';
    for (int p = 0; p < 2 && p < players; p++) {
        const char *symbol = fzi_piece_symbol(program, style & FZ_DRAW_COLOUR, kind, p);
        if (symbol && strlen(text) + strlen(symbol) < 14 && !strstr(text, symbol))
            strcat(text, symbol);
    }
    if (*text)
        strcat(text, " ");
}

/* Prints the symbols and letters of the pieces, by player. */
static void show_pieces(fzi_terminal_game *g)
{
    const fz_program *program = g->setup.program;
    char symbols[16];
    size_t width = fzi_terminal_width(1), used = 0;

    for (uint32_t k = 0; k < program->kind_count; k++) {
        const char *letter = fzi_text(program, program->kinds[k].letter);
        const char *name = fzi_text(program, program->kinds[k].name);
        add_symbols(g, (int)k, symbols);
        size_t wide = strlen(symbols) + strlen(letter) + strlen(name) + 4;
        if (used && used + wide > width) {
            putchar('\n');
            used = 0;
        }
        used += (size_t)printf("%s%s%s%s%s%s", used ? "  " : "", symbols, letter,
                               *letter ? " " : "", name, k + 1 < program->kind_count ? "," : ".");
    }
    puts(program->kind_count ? "" : "This game has no pieces.");
}

/* `trace` turns it on and off. */
static void toggle_trace(fzi_terminal_game *g)
{
    if (g->story) {
        fz_move_trace_free(g->story);
        g->story = NULL;
        g->traces = false;
        puts("The trace is off.");
        return;
    }
    g->traces = true;
    g->story = fz_move_trace_new(g->setup.program, g->setup.options.limits, g->viewer);
    puts(g->story ? "The trace is on: each move shows what the rules do."
                  : "Out of memory: the trace stays off.");
}

/* ---- what the person may type ---- */

/* By the agent of that name; "": by the agent that gave the last hint. */
static void hint_by(fzi_terminal_game *g, const char *name)
{
    char message[256];
    fz_move move = {0};
    fz_agent *named = NULL;

    if ((*name || !g->adviser) &&
        fzi_agent_make(&g->setup, *name ? name : "mcts:2000", &named, message) != FZ_OK) {
        printf("No hint: %s.\n", message);
        return;
    }
    if (named) {
        fz_agent_free(g->adviser);
        g->adviser = named;
    }
    fz_agent_begin(g->adviser, g->seed, fz_state_plies(g->setup.state));
    if (fz_agent_choose(g->adviser, g->setup.state, &move) != FZ_OK) {
        printf("No hint: %s.\n", fz_agent_message(g->adviser));
        return;
    }
    printf("Perhaps %s.\n", fz_move_text(g->setup.machine, g->setup.state, &move));
}

static void hint(fzi_terminal_game *g)
{
    hint_by(g, "");
}

static void undo(fzi_terminal_game *g)
{
    if (!fzi_terminal_undo(g))
        puts("There is no move to undo.");
}

static void show_again(fzi_terminal_game *g)
{
    putchar('\n');
    fzi_terminal_show(g);
}

static void show_position(fzi_terminal_game *g)
{
    char *text = NULL;
    bool part = g->viewer >= 0 && fz_program_hides(g->setup.program);
    fz_status status =
        part ? fz_state_write_for(g->setup.machine, g->setup.state, g->viewer, &text)
             : fz_state_write(g->setup.machine, g->setup.state, false, &text);

    if (status == FZ_OK)
        fputs(text, stdout);
    else
        puts(fz_machine_message(g->setup.machine));
    fz_text_free(g->setup.context, text);
}

fz_status fzi_terminal_save(fzi_terminal_game *g, const char *path)
{
    char *text = NULL;
    fz_status status = fz_record_write(g->setup.machine, g->setup.state, g->setup.path,
                                       g->seed, &text);

    if (status != FZ_OK)
        return fzi_terminal_failed(g, status);
    if (!g->command.write(g->command.user, path, text))
        status = FZ_USAGE;
    fz_text_free(g->setup.context, text);
    return status;
}

static void save(fzi_terminal_game *g, const char *path)
{
    fzi_terminal_save(g, path);
}

static void load(fzi_terminal_game *g, const char *path)
{
    fzi_terminal_load(g, path);
}

static void explain(fzi_terminal_game *g, const char *text)
{
    fputs(fzi_why(&g->setup, &g->explaining, g->setup.state, g->viewer, text), stdout);
}

/* The short form of a move is explained as the move. */
static void explain_typed(fzi_terminal_game *g, const char *typed)
{
    size_t count;
    char **texts = legal_texts(g, &count);
    unsigned char *fits = fzi_cli_allocate(NULL, count + 1);
    long found = fzi_typed_move((const char *const *)texts, count, typed, fits);

    explain(g, found >= 0 ? texts[found] : typed);
    free(fits);
    free_texts(texts, count);
}

static void play(fzi_terminal_game *g, const fz_move *move)
{
    fzi_terminal_remember(g);
    fzi_terminal_note(g,
                      fz_program_player_name(g->setup.program, fz_state_decider(g->setup.state)),
                      fz_move_text(g->setup.machine, g->setup.state, move));
    fzi_terminal_tell(g, g->setup.state, move, 0);
    fz_status status = fz_state_play(g->setup.machine, g->setup.state, move);
    fzi_terminal_unseal(g);
    if (status == FZ_OK)
        fzi_terminal_tell_agents(g, move);
    else
        fzi_terminal_failed(g, status);
    g->shown = false;
}

/* A text that is no move's own: the one that is meant; NULL after saying why there is none. */
static const char *meant(fzi_terminal_game *g, char *const *texts, size_t count, const char *typed)
{
    unsigned char *fits = fzi_cli_allocate(NULL, count + 1);
    long found = fzi_typed_move((const char *const *)texts, count, typed, fits);

    if (found == FZI_SEVERAL_MOVES) {
        printf("Several moves begin like that: ");
        print_wrapped(texts, count, fits);
    } else if (found < 0) {
        explain(g, typed);
    }
    free(fits);
    return found >= 0 ? texts[found] : NULL;
}

static void play_text(fzi_terminal_game *g, const char *typed)
{
    size_t count = 0;
    char **texts = NULL;
    fz_move move;
    fz_status status = fz_move_parse(g->setup.machine, g->setup.state, typed, &move);

    if (status == FZ_NOT_FOUND) {
        texts = legal_texts(g, &count);
        const char *text = meant(g, texts, count, typed);
        if (text)
            status = fz_move_parse(g->setup.machine, g->setup.state, text, &move);
    }
    if (status == FZ_OK)
        play(g, &move);
    else if (status != FZ_NOT_FOUND)
        fzi_terminal_failed(g, status);
    free_texts(texts, count);
}

/* The rest of the line after the word and blanks. NULL: the line begins with another word. */
static const char *after_word(const char *line, const char *word)
{
    size_t n = strlen(word);

    if (strncmp(line, word, n) != 0 || (line[n] && line[n] != ' '))
        return NULL;
    line += n;
    return line + strspn(line, " ");
}

static void quit(fzi_terminal_game *g)
{
    g->quit = true;
}

static void show_help(fzi_terminal_game *g);

/* Something must follow a word that has an argument. `with_text` gets what follows, `plain` runs if
 * nothing does. Without help: another word for a command, or the command `help`. */
static const struct command {
    const char *word, *argument, *help;
    void (*plain)(fzi_terminal_game *g);
    void (*with_text)(fzi_terminal_game *g, const char *text);
} commands[] = {
    {"moves", NULL, "list the legal moves", show_moves, NULL},
    {"pieces", NULL, "list the pieces and their letters", show_pieces, NULL},
    {"hint", NULL, "suggest a move; hint AGENT: as that agent would play", hint, hint_by},
    {"why", "MOVE", "explain why a move is legal or illegal", NULL, explain_typed},
    {"trace", NULL, "switch the trace of the rules on or off", toggle_trace, NULL},
    {"history", NULL, "list the moves that were played", show_history, NULL},
    {"undo", NULL, "go back to your last decision", undo, NULL},
    {"show", NULL, "draw the board again", show_again, NULL},
    {"position", NULL, "print the position as text", show_position, NULL},
    {"save", "FILE", "write a record of the game", NULL, save},
    {"load", "FILE", "go on with the game of a record", NULL, load},
    {"play", "MOVE", "play a move whose text reads like a command", NULL, play_text},
    {"quit", NULL, "leave the game", quit, NULL},
    {"exit", NULL, NULL, quit, NULL},
    {"help", NULL, NULL, show_help, NULL},
    {"?", NULL, NULL, show_help, NULL},
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static void show_help(fzi_terminal_game *g)
{
    (void)g;
    puts("Type a move as the list shows it, or shorter (g1f3, or a beginning that fits\n"
         "one move only), or its number in the list. Tab completes. Or type:");
    for (size_t i = 0; i < COMMANDS && commands[i].help; i++)
        printf("  %s %-*s %s\n", commands[i].word, 11 - (int)strlen(commands[i].word),
               commands[i].argument ? commands[i].argument : "", commands[i].help);
}

/* The command that the line is, and its text; NULL: it is a move. */
static const struct command *find_command(const char *line, const char **text)
{
    for (size_t i = 0; i < COMMANDS; i++) {
        *text = after_word(line, commands[i].word);
        if (*text && (**text ? commands[i].with_text != NULL : commands[i].plain != NULL))
            return &commands[i];
    }
    return NULL;
}

/* Prints the legal moves if they fit on a line, otherwise their number. */
void fzi_terminal_show_expected(fzi_terminal_game *g)
{
    size_t count, length = 8;
    const char *rest;
    char **texts = legal_texts(g, &count);

    for (size_t i = 0; i < count; i++)
        length += strlen(texts[i]) + (i ? 2 : 0);
    if (count && length <= fzi_terminal_width(1)) {
        fputs("Moves: ", stdout);
        print_wrapped(texts, count, NULL);
    } else if (count) {
        printf("%zu move%s; type `moves` to see %s.\n", count, fzi_plural(count),
                count == 1 ? "it" : "them");
    }
    for (size_t i = 0; i < count; i++)
        if (find_command(texts[i], &rest))
            printf("`%s` alone is a command; the move is `play %s`.\n", texts[i], texts[i]);
    free_texts(texts, count);
}

char **fzi_terminal_words(void *game, size_t *count)
{
    char **words = legal_texts(game, count);

    words = fzi_cli_allocate(words, (*count + 2 * COMMANDS) * sizeof *words);
    for (size_t i = 0; i < COMMANDS; i++) {
        if (commands[i].plain)
            words[(*count)++] = fzi_cli_text("%s", commands[i].word);
        if (commands[i].with_text)
            words[(*count)++] = fzi_cli_text("%s ", commands[i].word);
    }
    return words;
}

/* The line is the word of a command alone that needs a text, and no move. */
static bool says_what_is_missing(const fzi_terminal_game *g, const char *line)
{
    const fzi_setup *s = &g->setup;
    fz_move move;

    for (size_t i = 0; i < COMMANDS; i++) {
        const char *word = commands[i].word, *argument = commands[i].argument;
        if (!argument || strcmp(line, word) != 0 ||
            fz_move_parse(s->machine, s->state, line, &move) == FZ_OK)
            continue;
        printf("`%s` needs a %s: %s %s\n", word, argument, word, argument);
        return true;
    }
    return false;
}

void fzi_terminal_obey(fzi_terminal_game *g, const char *line)
{
    const char *text;
    const struct command *command = find_command(line, &text);

    if (command && *text)
        command->with_text(g, text);
    else if (command)
        command->plain(g);
    else if (*line && !says_what_is_missing(g, line))
        play_text(g, line);
}
