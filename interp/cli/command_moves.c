/* ferz moves: the legal moves of a position. */
#include "cli.h"

static int print_json(fzi_session *session)
{
    json_t *object = json_object();
    int code = fzi_session_describe(session, session->state, true, object);

    if (code == FZ_EXIT_OK)
        return fzi_json_print(object);
    json_decref(object);
    return code;
}

static const char *site_name(const fzi_session *session, int site)
{
    return site < 0 ? "" : fz_program_site_name(session->program, site);
}

static void print_csv(fzi_session *session, const fz_moves *moves)
{
    fzi_table table;

    fzi_table_begin(&table, "lll", "text\tfrom\tto");
    for (size_t i = 0; i < fz_moves_count(moves); i++) {
        fz_move move = fz_moves_at(moves, i);
        int from, to;
        fz_move_sites(session->machine, session->state, &move, &from, &to);
        fzi_table_add(&table, "%s\t%s\t%s",
                      fz_move_text(session->machine, session->state, &move),
                      site_name(session, from), site_name(session, to));
    }
    fzi_table_print_csv(&table);
}

static void print_text(fzi_session *session, const fz_moves *moves)
{
    for (size_t i = 0; i < fz_moves_count(moves); i++) {
        fz_move move = fz_moves_at(moves, i);
        puts(fz_move_text(session->machine, session->state, &move));
    }
    if (fz_state_waiting(session->state) == FZ_GAME_OVER)
        fputs("the game is over\n", stderr);
    else if (fz_state_waiting(session->state) == FZ_WAITING_CHANCE)
        fputs("the position waits for a chance result\n", stderr);
}

static bool sees_moves(const fzi_session *session)
{
    bool sees = fzi_session_sees_moves(session);

    if (!sees)
        fprintf(stderr, "the decision is that of %s, and its moves are hidden from %s\n",
                fz_program_player_name(session->program, fz_state_decider(session->state)),
                session->cli->values[FZ_CLI_PLAYER]);
    return sees;
}

static int list_moves(fzi_session *session)
{
    bool sees = fz_state_waiting(session->state) == FZ_WAITING_MOVE && sees_moves(session);
    if (session->cli->format == FZ_CLI_JSON) /* lists them itself */
        return print_json(session);
    fz_moves *moves = fz_moves_new(session->machine);
    fz_status status = FZ_OK;
    int code = FZ_EXIT_OK;

    if (!moves)
        return fzi_session_failed(session, FZ_NO_MEMORY);
    if (sees)
        status = fz_state_moves(session->machine, session->state, moves);
    if (status != FZ_OK)
        code = fzi_session_failed(session, status);
    else if (session->cli->format == FZ_CLI_CSV)
        print_csv(session, moves);
    else
        print_text(session, moves);
    fz_moves_free(moves);
    return code;
}

int fzi_cli_moves(const fzi_cli *cli)
{
    return fzi_session_run(cli, FZ_CHANCE_SAMPLE, list_moves);
}
