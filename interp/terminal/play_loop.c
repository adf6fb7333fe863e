/* Plays a game at the terminal to its end. The command `play` calls this. */
#include "terminal_game.h"

#include <ctype.h>

/* Prints the board and the moves that are expected, above the prompt. */
static fz_status show_choice(fzi_terminal_game *g)
{
    putchar('\n');
    fz_status status = fzi_terminal_show(g);

    if (status == FZ_OK)
        fzi_terminal_show_expected(g);
    return status;
}

static void ask(fzi_terminal_game *g)
{
    int decider = fz_state_decider(g->setup.state);
    const char *name = fz_program_player_name(g->setup.program, decider);
    char prompt[128];

    snprintf(prompt, sizeof prompt, "%s> ", name);
    const char *line = fzi_line_reader_ask(g->lines, prompt);
    g->quit = !line;
    if (!line && fzi_terminal_is(0))
        putchar('\n');
    if (line)
        fzi_terminal_obey(g, line);
}

/* ---- the other players ---- */

static fz_status play_agent(fzi_terminal_game *g)
{
    const fz_decider *decider = &g->deciders[fz_state_decider(g->setup.state)];
    fz_move move = {0};

    if (decider->choose_move(decider->self, g->setup.state, &move) != FZ_OK) {
        g->command.complain(g->command.user, decider->why(decider->self));
        g->failed = true;
        return FZ_OK;
    }
    return fz_state_play(g->setup.machine, g->setup.state, &move);
}

static fz_status reply(fzi_terminal_game *g)
{
    fz_state *before = fz_state_clone(g->setup.state);
    fz_status status = !before         ? FZ_NO_MEMORY
                       : fzi_terminal_has_agents(g) ? play_agent(g)
                                       : fz_state_play_random(g->setup.machine,
                                                              g->setup.state);
    fz_move move;

    if (status == FZ_OK && fz_state_last_move(before, g->setup.state, &move)) {
        fzi_terminal_note_move(g, before, &move);
        fzi_terminal_tell_agents(g, &move);
        fzi_terminal_tell(g, before, &move, 0);
        fzi_terminal_unseal(g);
    }
    fz_state_free(before);
    g->shown = false;
    return status;
}

static bool chance_is_next(const fz_state *state, uint32_t turn)
{
    return fz_state_waiting(state) == FZ_WAITING_CHANCE && fz_state_turns(state) == turn;
}

/* Prints a result of chance after others, on the next line if it does not fit. Returns the columns
 * that are used then. */
static size_t print_result(const char *text, size_t used)
{
    size_t wide = fzi_text_width(text);

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
static fz_status roll(fzi_terminal_game *g)
{
    fz_status status = FZ_OK;
    uint32_t turn = fz_state_turns(g->setup.state);
    size_t used = 0;

    while (status == FZ_OK && chance_is_next(g->setup.state, turn)) {
        fz_state *before = fz_state_clone(g->setup.state);
        int64_t value;
        status = before ? fz_state_sample_chance(g->setup.machine, g->setup.state, &value)
                        : FZ_NO_MEMORY;
        if (status == FZ_OK) {
            char text[128], result[128 + 2];
            snprintf(text, sizeof text, "%s",
                     fz_chance_text_for(g->setup.machine, before, value, g->viewer));
            snprintf(result, sizeof result, "{%s}", text);
            used = print_result(text, used);
            if (g->story) {
                putchar('\n');
                used = 0;
            }
            fzi_terminal_note(g, "", result);
            fzi_terminal_tell(g, before, NULL, value);
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

static fz_status play_turns(fzi_terminal_game *g)
{
    fz_state **state = &g->setup.state;
    fz_status status = FZ_OK;

    while (!g->quit && !fzi_terminal_interrupted() && fz_state_waiting(*state) != FZ_GAME_OVER) {
        if (fz_state_waiting(*state) == FZ_WAITING_CHANCE) {
            status = roll(g);
        } else if (!(g->seats >> fz_state_decider(*state) & 1)) {
            status = reply(g);
        } else {
            status = g->shown ? FZ_OK : show_choice(g);
            if (status == FZ_OK)
                ask(g);
        }
        if (status != FZ_OK || g->failed)
            return status == FZ_OK ? FZ_RUNTIME : status;
    }
    if (fz_state_waiting(*state) != FZ_GAME_OVER)
        return FZ_OK;
    putchar('\n');
    return fzi_terminal_show(g);
}

fz_status fzi_terminal_play(fzi_terminal_game *g)
{
    fz_status status = play_turns(g);

    if (fz_program_hides(g->setup.program)) /* it determines what is hidden */
        printf("Seed %llu.\n", (unsigned long long)g->seed);
    return status == FZ_OK || g->failed ? status : fzi_terminal_failed(g, status);
}
