/* ferz play: a person against random players or agents, on the terminal. Every choice of the
 * person is remembered with its state, so that `undo` is going back to one. */
#include "files.h"
#include "interp/terminal/terminal_game.h"
#include "interp/program/program.h"
#include "interp/text/draw.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

/* ---- showing ---- */

/* "White e2-e4"; to be freed. */
static char *joined(const char *who, const char *text)
{
    size_t size = strlen(who) + strlen(text) + 2;
    char *copy = fzi_cli_allocate(NULL, size);

    snprintf(copy, size, "%s%s%s", who, *who ? " " : "", text);
    return copy;
}

/* Appends to the list of moves that the person has seen. */
void fzi_table_note(fzi_table_game *g, const char *who, const char *text)
{
    g->told = fzi_cli_allocate(g->told, (g->told_count + 1) * sizeof *g->told);
    g->told[g->told_count++] = joined(who, text);
}

static void forget_sealed(fzi_table_game *g, size_t count)
{
    while (g->sealed_count > count)
        free(g->sealed[--g->sealed_count]);
}

static void forget_told(fzi_table_game *g, size_t count)
{
    while (g->told_count > count)
        free(g->told[--g->told_count]);
}

/* The move of another player, as the person sees it; what is sealed is remembered. */
static void tell_move(fzi_table_game *g, const fz_state *before, const fz_move *move)
{
    const char *who = fz_program_player_name(g->session.program, fz_state_decider(before));
    const char *text = fz_move_text_for(g->session.machine, before, move, g->viewer);

    printf("%s: %s\n", who, text);
    fzi_table_note(g, who, text);
    if (g->viewer >= 0 && strcmp(text, "?") == 0) {
        text = fz_move_text_shown(g->session.machine, before, move);
        g->sealed = fzi_cli_allocate(g->sealed, (g->sealed_count + 1) * sizeof *g->sealed);
        g->sealed[g->sealed_count++] = joined(who, text);
    }
}

/* All have decided: the person sees what was chosen. */
void fzi_table_unseal(fzi_table_game *g)
{
    if (!g->sealed_count || fz_state_hidden_decisions(g->session.state))
        return;
    for (size_t i = 0; i < g->sealed_count; i++) {
        printf("%s%s", i ? ", " : "Revealed: ", g->sealed[i]);
        fzi_table_note(g, "", g->sealed[i]);
        free(g->sealed[i]);
    }
    puts(".");
    g->sealed_count = 0;
}

/* The last moves, as many as a line holds. */
static void show_told(const fzi_table_game *g)
{
    static const char label[] = "Last moves: ";
    size_t width = fzi_terminal_width(1), used = sizeof label, first = g->told_count;

    while (first && used + strlen(g->told[first - 1]) + 2 < width)
        used += strlen(g->told[--first]) + 2;
    if (first == g->told_count)
        return;
    fputs(label, stdout);
    for (size_t i = first; i < g->told_count; i++)
        printf("%s%s", i > first ? ", " : "", g->told[i]);
    puts(".");
}

/* A person sees what the player sees; two at one terminal, and onlookers, see everything. */
int fzi_table_show(fzi_table_game *g)
{
    char *text = NULL;
    fz_status status = fz_state_draw_for(g->session.machine, g->session.state, g->viewer,
                                         g->session.cli->drawing, &text);

    if (status != FZ_OK)
        return fzi_session_failed(&g->session, status);
    fputs(text, stdout);
    fz_text_free(g->session.context, text);
    show_told(g);
    g->shown = true;
    return FZ_EXIT_OK;
}

/* Prints the board and the moves that are expected, above the prompt. */
static int show_choice(fzi_table_game *g)
{
    putchar('\n');
    int code = fzi_table_show(g);

    if (code == FZ_EXIT_OK)
        fzi_table_show_expected(g);
    return code;
}

void fzi_table_tell(fzi_table_game *g, const fz_state *before, const fz_move *move, int64_t chance)
{
    if (g->story)
        fputs(fz_move_trace_tell(g->story, before, move, chance), stdout);
}

/* ---- input ---- */

void fzi_table_remember(fzi_table_game *g)
{
    fz_state *copy = fz_state_clone(g->session.state);

    if (!copy)
        return;
    g->past = fzi_cli_allocate(g->past, (g->past_count + 1) * sizeof *g->past);
    g->past[g->past_count++] = (struct moment){copy, g->told_count};
}

static bool has_agents(const fzi_table_game *g)
{
    return g->deciders[0].choose_move != NULL;
}

/* The agents begin to think about a game that is new to them. */
void fzi_table_begin_agents(fzi_table_game *g)
{
    int players = fz_program_players(g->session.program);

    for (int p = 0; has_agents(g) && p < players; p++)
        if (g->deciders[p].new_game)
            g->deciders[p].new_game(g->deciders[p].self, g->seed, (uint64_t)p);
}

void fzi_table_tell_agents(fzi_table_game *g, const fz_move *move)
{
    int players = fz_program_players(g->session.program);

    for (int p = 0; has_agents(g) && p < players; p++)
        if (g->deciders[p].note_move)
            g->deciders[p].note_move(g->deciders[p].self, move);
}

bool fzi_table_undo(fzi_table_game *g)
{
    if (g->past_count == 0)
        return false;
    fz_state_free(g->session.state);
    g->session.state = g->past[--g->past_count].state;
    forget_told(g, g->past[g->past_count].told);
    forget_sealed(g, fz_state_hidden_decisions(g->session.state));
    fzi_table_begin_agents(g);
    g->shown = false;
    return true;
}

static void ask(fzi_table_game *g)
{
    int decider = fz_state_decider(g->session.state);
    const char *name = fz_program_player_name(g->session.program, decider);
    char prompt[128], *line;
    const char *typed;
    size_t length;

    snprintf(prompt, sizeof prompt, "%s> ", name);
    typed = fzi_line_reader_ask(g->lines, prompt);
    if (!typed) {
        if (fzi_terminal_is(0))
            putchar('\n');
        g->quit = true;
        return;
    }
    typed += strspn(typed, " \t");
    length = strlen(typed);
    while (length && isspace((unsigned char)typed[length - 1]))
        length--;
    line = fzi_cli_allocate(NULL, length + 1);
    memcpy(line, typed, length);
    line[length] = '\0';
    if (fzi_table_reload(g)) /* the script may have changed meanwhile */
        fzi_table_obey(g, line);
    free(line);
}

/* ---- the other players ---- */

static fz_status play_agent(fzi_table_game *g)
{
    const fz_decider *decider = &g->deciders[fz_state_decider(g->session.state)];
    fz_move move = {0};

    if (decider->choose_move(decider->self, g->session.state, &move) != FZ_OK) {
        fzi_cli_complain(g->session.cli, "%s", decider->why(decider->self));
        g->failed = true;
        return FZ_OK;
    }
    return fz_state_play(g->session.machine, g->session.state, &move);
}

static fz_status reply(fzi_table_game *g)
{
    fz_state *before = fz_state_clone(g->session.state);
    fz_status status = !before         ? FZ_NO_MEMORY
                       : has_agents(g) ? play_agent(g)
                                       : fz_state_play_random(g->session.machine,
                                                              g->session.state);
    fz_move move;

    if (status == FZ_OK && fz_state_last_move(before, g->session.state, &move)) {
        tell_move(g, before, &move);
        fzi_table_tell_agents(g, &move);
        fzi_table_tell(g, before, &move, 0);
        fzi_table_unseal(g);
    }
    if (before)
        fz_state_free(before);
    g->shown = false;
    return status;
}

static bool chance_is_next(const fz_state *state, uint32_t turn)
{
    return fz_state_waiting(state) == FZ_WAITING_CHANCE && fz_state_turns(state) == turn;
}

/* Prints a result of chance behind others, on the next line if it does not fit. Returns the columns
 * that are used then. */
static size_t print_result(const char *text, size_t used)
{
    size_t wide = fzi_terminal_text_width(text, strlen(text));

    if (!used)
        fputs("Chance: ", stdout);
    else if (used + wide + 3 > fzi_terminal_width(1)) /* ", " and the next comma */
        fputs(",\n  ", stdout);
    else
        return (size_t)printf(", %s", text) - strlen(text) + wide + used;
    fputs(text, stdout);
    return wide + (used ? 2 : strlen("Chance: "));
}

/* Resolves and prints chance. Results of one roll share a line. */
static fz_status roll(fzi_table_game *g)
{
    fz_status status = FZ_OK;
    uint32_t turn = fz_state_turns(g->session.state);
    size_t used = 0;

    while (status == FZ_OK && chance_is_next(g->session.state, turn)) {
        fz_state *before = fz_state_clone(g->session.state);
        int64_t value;
        status = before ? fz_state_sample_chance(g->session.machine, g->session.state, &value)
                        : FZ_NO_MEMORY;
        if (status == FZ_OK) {
            char text[128], result[128 + 2];
            snprintf(text, sizeof text, "%s",
                     fz_chance_text_for(g->session.machine, before, value, g->viewer));
            snprintf(result, sizeof result, "{%s}", text);
            used = print_result(text, used);
            if (g->story) {
                putchar('\n');
                used = 0;
            }
            fzi_table_note(g, "", result);
            fzi_table_tell(g, before, NULL, value);
        }
        if (before)
            fz_state_free(before);
    }
    if (!g->story)
        putchar('\n');
    g->shown = false;
    return status;
}

/* ---- the game ---- */

static int play_game(fzi_table_game *g)
{
    fz_state **state = &g->session.state;

    while (!g->quit && !fzi_terminal_interrupted() && fz_state_waiting(*state) != FZ_GAME_OVER) {
        fz_status status = FZ_OK;
        fzi_table_reload(g);
        if (g->failed)
            return FZ_EXIT_WRONG;
        if (fz_state_waiting(*state) == FZ_GAME_OVER)
            break;
        if (fz_state_waiting(*state) == FZ_WAITING_CHANCE) {
            status = roll(g);
        } else if (!(g->seats >> fz_state_decider(*state) & 1)) {
            status = reply(g);
        } else {
            if (!g->shown) {
                status = show_choice(g) == FZ_EXIT_OK ? FZ_OK : FZ_RUNTIME;
            }
            if (status == FZ_OK)
                ask(g);
        }
        if (status != FZ_OK)
            return fzi_session_failed(&g->session, status);
        if (g->failed)
            return FZ_EXIT_WRONG;
    }
    if (fz_state_waiting(*state) != FZ_GAME_OVER)
        return FZ_EXIT_OK;
    putchar('\n');
    return fzi_table_show(g);
}

/* The players named in --as, which are separated by commas. */
static int find_seats(fzi_table_game *g, const char *names)
{
    char *copy = fzi_cli_allocate(NULL, strlen(names) + 1);
    int code = FZ_EXIT_OK;

    strcpy(copy, names);
    for (char *name = copy; name && code == FZ_EXIT_OK;) {
        char *end = strchr(name, ',');
        if (end)
            *end++ = '\0';
        name += strspn(name, " ");
        g->viewer = fzi_session_player(&g->session, name);
        if (g->viewer < 0)
            code = FZ_EXIT_USAGE;
        else
            g->seats |= UINT32_C(1) << g->viewer;
        name = end;
    }
    free(copy);
    return code;
}

static int find_side(fzi_table_game *g)
{
    const char *names = g->session.cli->values[FZ_CLI_SIDE];
    int code = FZ_EXIT_OK;

    g->viewer = FZI_SEES_ALL;
    if (names && strcasecmp(names, "all") == 0)
        g->seats = UINT32_MAX;
    else if (!names || strcasecmp(names, "none") != 0)
        code = find_seats(g, names ? names : fz_program_player_name(g->session.program, 0));
    if (g->seats & (g->seats - 1))
        g->viewer = FZI_SEES_ALL;
    return code;
}

static uint64_t fresh_seed(void)
{
    struct timespec now;

    timespec_get(&now, TIME_UTC);
    return ((uint64_t)now.tv_sec * 1000003 + (uint64_t)now.tv_nsec) % 1000000000;
}

/* Two players' pieces differ by the case of their letters. */
static bool tells_by_case(const fz_program *program)
{
    for (uint32_t k = 0; k < program->kind_count && program->player_count == 2; k++) {
        const char *letter = fzi_text(program, program->kinds[k].letter);
        for (; *letter; letter++)
            if (isalpha((unsigned char)*letter))
                return true;
    }
    return false;
}

/* Prints a text in lines of whole words. */
static void print_paragraph(const char *text)
{
    size_t width = fzi_terminal_width(1), used = 0;

    for (text += strspn(text, " \n"); *text; text += strspn(text, " \n")) {
        size_t length = strcspn(text, " \n"), wide = fzi_terminal_text_width(text, length);
        if (used && used + wide + 1 >= width) {
            putchar('\n');
            used = 0;
        }
        printf("%s%.*s", used ? " " : "", (int)length, text);
        used += wide + (used != 0);
        text += length;
    }
    if (used)
        putchar('\n');
}

/* "You play Blue and Green, against random players. " */
static void print_seats(const fzi_table_game *g, int others, FILE *out)
{
    const char *between = "You play ";

    for (int p = 0; others && p < fz_program_players(g->session.program); p++) {
        if (!(g->seats >> p & 1))
            continue;
        fprintf(out, "%s%s", between, fz_program_player_name(g->session.program, p));
        between = " and ";
    }
    if (others)
        fputs(has_agents(g)  ? ", against agents. "
              : others == 1 ? ", against a random player. "
                            : ", against random players. ", out);
}

static void show_seats(const fzi_table_game *g, int others)
{
    int players = fz_program_players(g->session.program);
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);

    if (!out)
        return;
    if (others < players)
        print_seats(g, others, out);
    fputs(others == players ? "All players play at random." : "Type help for the list of commands.",
          out);
    if (fclose(out) == 0)
        print_paragraph(text);
    free(text);
}

/* Prints the `rules` of `info`. */
static void show_rules(const fz_program *program)
{
    const char *text = "";

    for (uint32_t i = 0; i < program->info_count; i++) {
        if (strcmp(fzi_text(program, program->info[i].key), "rules") == 0)
            text = fzi_text(program, program->info[i].value);
    }
    print_paragraph(text);
}

/* Of two players' symbols, as all of some kind show. False: some kinds have letters. */
static bool show_symbols(const fzi_table_game *g)
{
    const fz_program *program = g->session.program;
    unsigned style = g->session.cli->drawing;
    const char *shown[2] = {NULL, NULL};
    bool all = (style & FZ_DRAW_SYMBOLS) && program->player_count == 2;

    for (int k = 0; all && k < (int)program->kind_count; k++) {
        const char *first = fzi_piece_symbol(program, style & FZ_DRAW_COLOUR, k, 0);
        const char *second = fzi_piece_symbol(program, style & FZ_DRAW_COLOUR, k, 1);
        if (first && second && !shown[0] && strcmp(first, second) != 0) {
            shown[0] = first;
            shown[1] = second;
        }
        all = first && second;
    }
    if (shown[0])
        printf("%s is %s, %s is %s.\n", shown[0], fz_program_player_name(program, 0), shown[1],
               fz_program_player_name(program, 1));
    return all;
}

void fzi_table_greet(fzi_table_game *g)
{
    const fz_program *program = g->session.program;
    int players = fz_program_players(program), others = 0;

    if (g->greeted)
        return;
    g->greeted = true;
    for (int p = 0; p < players; p++)
        others += !(g->seats >> p & 1);
    printf("%s, seed %llu.\n", fz_program_title(program), (unsigned long long)g->seed);
    show_rules(program);
    show_seats(g, others);
    if (!show_symbols(g) && tells_by_case(program))
        printf("Capital letters are %s, small ones %s.\n", fz_program_player_name(program, 0),
               fz_program_player_name(program, 1));
}

static int make_agents(fzi_table_game *g)
{
    const fzi_cli *cli = g->session.cli;
    char message[256] = "";
    fzi_setup setup;
    fz_status status;
    int code = FZ_EXIT_OK;

    if (!fzi_cli_has(cli, FZ_CLI_AGENTS))
        return FZ_EXIT_OK;
    setup = fzi_session_setup(&g->session);
    status = fzi_lineup_read(&g->cast, &setup, setup.options.agents);
    if (status != FZ_OK)
        code = fzi_cli_failed(cli, setup.context, status, NULL);
    else if (g->cast.cast.make(g->cast.cast.user, g->deciders, message) != FZ_OK)
        code = fzi_cli_complain(cli, "%s", message);
    if (code == FZ_EXIT_OK)
        fzi_table_begin_agents(g);
    return code;
}

int fzi_table_seat(fzi_table_game *g)
{
    bool traces = g->traces || fzi_cli_has(g->session.cli, FZ_CLI_TRACE);
    int code = find_side(g);

    if (code == FZ_EXIT_OK)
        code = make_agents(g);
    if (code == FZ_EXIT_OK && traces) {
        g->story = fz_move_trace_new(g->session.program, &g->session.cli->limits, g->viewer);
        if (!g->story)
            return fzi_session_failed(&g->session, FZ_NO_MEMORY);
    }
    return code;
}

void fzi_table_forget(fzi_table_game *g)
{
    for (size_t i = 0; i < g->past_count; i++)
        fz_state_free(g->past[i].state);
    g->past_count = 0;
    forget_told(g, 0);
    forget_sealed(g, 0);
    for (int p = 0; p < 16; p++)
        if (g->deciders[p].release)
            g->deciders[p].release(g->deciders[p].self);
    memset(g->deciders, 0, sizeof g->deciders);
    fz_agent_free(g->adviser);
    g->adviser = NULL;
    fzi_lineup_clear(&g->cast);
    fz_move_trace_free(g->story);
    g->story = NULL;
    g->seats = 0;
}

static int run(fzi_table_game *g, fzi_cli *cli)
{
    int code = fzi_session_begin(&g->session, FZ_CHANCE_ASK);

    g->seed = cli->seed;
    if (code == FZ_EXIT_OK)
        code = fzi_table_seat(g);
    if (code != FZ_EXIT_OK)
        return code;
    if (fzi_cli_has(cli, FZ_CLI_LOAD) && !fzi_table_load(g, cli->values[FZ_CLI_LOAD]))
        return FZ_EXIT_USAGE;
    fzi_table_greet(g);
    g->lines = fzi_line_reader_new();
    fzi_line_reader_complete(g->lines, fzi_table_words, g);
    fzi_terminal_catch_interrupt();
    code = play_game(g);
    fzi_line_reader_free(g->lines);
    if (fzi_terminal_interrupted())
        fputs("interrupted\n", stderr);
    /* However the game ended, what was played is kept. */
    if (fzi_cli_has(cli, FZ_CLI_RECORD)) {
        int saved = fzi_table_save(g, cli->values[FZ_CLI_RECORD]);
        code = code == FZ_EXIT_OK ? saved : code;
    }
    return code;
}

/* The record of --load. */
typedef struct loaded_record {
    fz_context *context; /* NULL: there is none */
    fz_record record;
} loaded_record;

/* The game has the options and the seed of the record of --load. An exit code. */
static int take_options(fzi_cli *cli, loaded_record *loaded)
{
    const char *path = cli->values[FZ_CLI_LOAD];
    size_t length;
    char *text = path ? fzi_file_read(cli, path, &length) : NULL;
    int code = FZ_EXIT_OK;

    if (!path)
        return FZ_EXIT_OK;
    if (fzi_session_begins_elsewhere(cli)) {
        free(text);
        return fzi_cli_complain(cli, "--load does not go with --position, --fen or --play");
    }
    loaded->context = text ? fzi_session_context(cli) : NULL;
    if (!loaded->context) {
        free(text);
        return FZ_EXIT_USAGE;
    }
    if (fz_record_read(loaded->context, text, &loaded->record) != FZ_OK)
        code = fzi_cli_complain(cli, "%s: %s", path, fz_context_message(loaded->context));
    free(text);
    if (code == FZ_EXIT_OK) {
        fzi_session_add_settings(cli, &loaded->record);
        cli->seed = loaded->record.seed;
        return code;
    }
    fz_record_free(loaded->context, &loaded->record);
    fz_context_free(loaded->context);
    loaded->context = NULL;
    return code;
}

int fzi_cli_play(const fzi_cli *cli)
{
    fzi_cli own = *cli;   /* with a seed of its own, if none was asked for */
    fzi_table_game g = {0};
    loaded_record loaded = {0};
    int code;

    if (!fzi_cli_has(cli, FZ_CLI_SEED))
        own.seed = fresh_seed();
    if (!fzi_cli_has(cli, FZ_CLI_LETTERS) && fzi_terminal_is(1) && fzi_terminal_unicode())
        own.drawing |= FZ_DRAW_SYMBOLS;
    code = take_options(&own, &loaded);
    if (code != FZ_EXIT_OK)
        return code;
    g.watched = fzi_watched_new();
    code = fzi_session_open_watched(&g.session, &own, cli->words.items[0], g.watched);
    if (code == FZ_EXIT_OK)
        code = run(&g, &own);
    fzi_table_forget(&g);
    free(g.sealed);
    free(g.told);
    free(g.past);
    fzi_session_clear(&g.session);
    fzi_watched_free(g.watched);
    if (loaded.context) {
        free(own.settings);
        fz_record_free(loaded.context, &loaded.record);
        fz_context_free(loaded.context);
    }
    return code;
}
