/* The state of a game at the terminal: what was played and shown, who sits where. play_loop.c plays
 * it; play_commands.c and play_load.c use this too. */
#include "terminal_game.h"

#include <strings.h>

/* ---- showing ---- */

/* "White e2-e4"; to be freed. */
static char *joined(const char *who, const char *text)
{
    return fzi_cli_text("%s%s%s", who, *who ? " " : "", text);
}

/* Appends to the list of moves that the person has seen. */
void fzi_terminal_note(fzi_terminal_game *g, const char *who, const char *text)
{
    g->told = fzi_cli_allocate(g->told, (g->told_count + 1) * sizeof *g->told);
    g->told[g->told_count++] = joined(who, text);
}

static void forget_sealed(fzi_terminal_game *g, size_t count)
{
    while (g->sealed_count > count)
        free(g->sealed[--g->sealed_count]);
}

static void forget_told(fzi_terminal_game *g, size_t count)
{
    while (g->told_count > count)
        free(g->told[--g->told_count]);
}

void fzi_terminal_note_move(fzi_terminal_game *g, const fz_state *before, const fz_move *move)
{
    const char *who = fz_program_player_name(g->setup.program, fz_state_decider(before));
    const char *text = fz_move_text_for(g->setup.machine, before, move, g->viewer);

    printf("%s: %s\n", who, text);
    fzi_terminal_note(g, who, text);
    if (g->viewer >= 0 && strcmp(text, "?") == 0) {
        text = fz_move_text_shown(g->setup.machine, before, move);
        g->sealed = fzi_cli_allocate(g->sealed, (g->sealed_count + 1) * sizeof *g->sealed);
        g->sealed[g->sealed_count++] = joined(who, text);
    }
}

/* All have decided: the person sees what was chosen. */
void fzi_terminal_unseal(fzi_terminal_game *g)
{
    if (!g->sealed_count || fz_state_hidden_decisions(g->setup.state))
        return;
    for (size_t i = 0; i < g->sealed_count; i++) {
        printf("%s%s", i ? ", " : "Revealed: ", g->sealed[i]);
        fzi_terminal_note(g, "", g->sealed[i]);
        free(g->sealed[i]);
    }
    puts(".");
    g->sealed_count = 0;
}

/* The last moves, as many as a line holds. */
static void show_told(const fzi_terminal_game *g)
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
fz_status fzi_terminal_show(fzi_terminal_game *g)
{
    char *text = NULL;
    fz_status status = fz_state_draw_for(g->setup.machine, g->setup.state, g->viewer,
                                         g->drawing, &text);

    if (status != FZ_OK)
        return status;
    fputs(text, stdout);
    fz_text_free(g->setup.context, text);
    show_told(g);
    g->shown = true;
    return FZ_OK;
}

fz_status fzi_terminal_failed(const fzi_terminal_game *g, fz_status status)
{
    fzi_setup_failed(&g->setup, status);
    g->command.complain(g->command.user, fz_context_message(g->setup.context));
    return status;
}

void fzi_terminal_tell(fzi_terminal_game *g, const fz_state *before, const fz_move *move,
                       int64_t chance)
{
    if (g->story)
        fputs(fz_move_trace_tell(g->story, before, move, chance), stdout);
}

/* ---- input ---- */

void fzi_terminal_remember(fzi_terminal_game *g)
{
    fz_state *copy = fz_state_clone(g->setup.state);

    if (!copy)
        return;
    g->past = fzi_cli_allocate(g->past, (g->past_count + 1) * sizeof *g->past);
    g->past[g->past_count++] = (struct moment){copy, g->told_count};
}

/* The agents begin to think about a game that is new to them. */
void fzi_terminal_begin_agents(fzi_terminal_game *g)
{
    int players = fz_program_players(g->setup.program);

    for (int p = 0; fzi_terminal_has_agents(g) && p < players; p++)
        if (g->deciders[p].new_game)
            g->deciders[p].new_game(g->deciders[p].self, g->seed, (uint64_t)p);
}

void fzi_terminal_tell_agents(fzi_terminal_game *g, const fz_move *move)
{
    int players = fz_program_players(g->setup.program);

    for (int p = 0; fzi_terminal_has_agents(g) && p < players; p++)
        if (g->deciders[p].note_move)
            g->deciders[p].note_move(g->deciders[p].self, move);
}

bool fzi_terminal_undo(fzi_terminal_game *g)
{
    if (g->past_count == 0)
        return false;
    fz_state_free(g->setup.state);
    g->setup.state = g->past[--g->past_count].state;
    forget_told(g, g->past[g->past_count].told);
    forget_sealed(g, fz_state_hidden_decisions(g->setup.state));
    fzi_terminal_begin_agents(g);
    g->shown = false;
    return true;
}

/* ---- seats ---- */

/* The players of the list, which are separated by commas. */
static fz_status find_seats(fzi_terminal_game *g, const char *list)
{
    char *names = fzi_cli_text("%s", list), *problem = NULL;

    for (char *name = names, *end; name && !problem; name = end) {
        end = strchr(name, ',');
        if (end)
            *end++ = '\0';
        name += strspn(name, " ");
        g->viewer = fzi_player_called(g->setup.program, name);
        if (g->viewer < 0)
            problem = fzi_cli_text("no player '%s'", name);
        else
            g->seats |= UINT32_C(1) << g->viewer;
    }
    if (problem)
        g->command.complain(g->command.user, problem);
    free(names);
    free(problem);
    return g->viewer < 0 ? FZ_USAGE : FZ_OK;
}

static fz_status find_side(fzi_terminal_game *g)
{
    const char *list = g->players;
    fz_status status = FZ_OK;

    g->viewer = FZI_SEES_ALL;
    if (list && strcasecmp(list, "all") == 0)
        g->seats = UINT32_MAX;
    else if (!list || strcasecmp(list, "none") != 0)
        status = find_seats(g, list ? list : fz_program_player_name(g->setup.program, 0));
    if (g->seats & (g->seats - 1))
        g->viewer = FZI_SEES_ALL;
    return status;
}

static fz_status make_agents(fzi_terminal_game *g)
{
    char text[256] = "";
    const char *message = text;

    if (!g->setup.options.agents)
        return FZ_OK;
    fz_status status = fzi_lineup_read(&g->lineup, &g->setup, g->setup.options.agents);
    if (status != FZ_OK)
        message = fz_context_message(g->setup.context);
    else
        status = g->lineup.maker.make(g->lineup.maker.user, g->deciders, text);
    if (status == FZ_OK)
        fzi_terminal_begin_agents(g);
    else
        g->command.complain(g->command.user, message);
    return status;
}

fz_status fzi_terminal_seat(fzi_terminal_game *g)
{
    fz_status status = find_side(g);

    if (status == FZ_OK)
        status = make_agents(g);
    if (status == FZ_OK && g->traces) {
        g->story = fz_move_trace_new(g->setup.program, g->setup.options.limits, g->viewer);
        if (!g->story)
            return fzi_terminal_failed(g, FZ_NO_MEMORY);
    }
    return status;
}

void fzi_terminal_forget(fzi_terminal_game *g)
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
    fzi_lineup_clear(&g->lineup);
    fz_move_trace_free(g->story);
    g->story = NULL;
    g->seats = 0;
}

void fzi_terminal_leave(fzi_terminal_game *g)
{
    fzi_terminal_forget(g);
    free(g->sealed);
    free(g->told);
    free(g->past);
    fz_program_release(g->explaining);
    fzi_setup_clear(&g->setup);
}
