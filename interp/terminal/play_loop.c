/* Plays a game at the terminal to its end. The command `play` calls this. */
#include "terminal_game.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Prints the board and the moves that are expected, above the prompt. */
static int show_choice(fzi_table_game *g)
{
    putchar('\n');
    int code = fzi_table_show(g);

    if (code == FZ_EXIT_OK)
        fzi_table_show_expected(g);
    return code;
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
                       : fzi_table_has_agents(g) ? play_agent(g)
                                       : fz_state_play_random(g->session.machine,
                                                              g->session.state);
    fz_move move;

    if (status == FZ_OK && fz_state_last_move(before, g->session.state, &move)) {
        fzi_table_note_move(g, before, &move);
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

int fzi_table_play(fzi_table_game *g)
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
