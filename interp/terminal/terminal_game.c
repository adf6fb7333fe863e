/* The state of a game at the terminal: what was played and shown, who sits where. play_loop.c plays
 * it; play_commands.c and play_reload.c use this too. */
#include "terminal_game.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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

void fzi_table_note_move(fzi_table_game *g, const fz_state *before, const fz_move *move)
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

/* The agents begin to think about a game that is new to them. */
void fzi_table_begin_agents(fzi_table_game *g)
{
    int players = fz_program_players(g->session.program);

    for (int p = 0; fzi_table_has_agents(g) && p < players; p++)
        if (g->deciders[p].new_game)
            g->deciders[p].new_game(g->deciders[p].self, g->seed, (uint64_t)p);
}

void fzi_table_tell_agents(fzi_table_game *g, const fz_move *move)
{
    int players = fz_program_players(g->session.program);

    for (int p = 0; fzi_table_has_agents(g) && p < players; p++)
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

/* ---- seats ---- */

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
    status = fzi_lineup_read(&g->lineup, &setup, setup.options.agents);
    if (status != FZ_OK)
        code = fzi_cli_failed(cli, setup.context, status, NULL);
    else if (g->lineup.maker.make(g->lineup.maker.user, g->deciders, message) != FZ_OK)
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
    fzi_lineup_clear(&g->lineup);
    fz_move_trace_free(g->story);
    g->story = NULL;
    g->seats = 0;
}
