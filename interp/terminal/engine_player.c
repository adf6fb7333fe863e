/* Who thinks for an engine. See engine_player.h. The main thread reads; a second one thinks. */
#include "engine_player.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "interp/text/position.h"

/* ---- the agent ---- */

void fzi_engine_settle(fzi_protocol_engine *e, bool at_once)
{
    if (!e->is_thinking)
        return;
    if (at_once)
        __atomic_store_n(&e->stop.now, 1, __ATOMIC_RELAXED);
    pthread_join(e->thread, NULL);
    __atomic_store_n(&e->stop.now, 0, __ATOMIC_RELAXED);
    e->is_thinking = false;
}

void fzi_engine_drop_agent(fzi_protocol_engine *e)
{
    fz_agent_free(e->agent);
    free(e->made);
    e->agent = NULL;
    e->made = NULL;
}

bool fzi_engine_use_agent(fzi_protocol_engine *e, const char *description)
{
    char message[256];

    if (e->made && strcmp(e->made, description) == 0)
        return true;
    fzi_engine_drop_agent(e);
    if (fzi_agent_own(e->setup, description, &e->agent, message) != FZ_OK)
        return false;
    e->made = fzi_cli_text("%s", description);
    fz_agent_begin(e->agent, e->setup->options.seed, 0);
    return true;
}

bool fzi_engine_want_agent(fzi_protocol_engine *e, const char *description)
{
    fzi_engine_settle(e, true);
    if (!fzi_engine_use_agent(e, description)) {
        e->say(fz_context_message(e->setup->context));
        return false;
    }
    free(e->wanted);
    e->wanted = fzi_cli_text("%s", description);
    return true;
}

/* The wanted agent with another effort: "mcts:1000:c=1" and "2s" give "mcts:2s:c=1". */
static char *with_effort(const char *wanted, const char *effort)
{
    size_t name = strcspn(wanted, ":");
    const char *rest = wanted + name;
    size_t first = *rest ? strcspn(rest + 1, ":") : 0;

    if (*rest && !memchr(rest + 1, '=', first)) /* its own effort */
        rest += 1 + first;
    return fzi_cli_text("%.*s:%s%s", (int)name, wanted, effort, rest);
}

/* ---- go ---- */

/* Seconds for this move: a part of the clock, and most of what each move adds. */
static double seconds_for(const fzi_protocol_engine *e, const fzi_order *o)
{
    const double margin = 0.03, least = 0.01;
    int side = fz_state_decider(e->state) == 0 ? 0 : 1;
    double clock = (double)o->time[side] / 1000;
    double moves = o->movestogo ? (double)o->movestogo : 30;
    double wanted = clock / moves + 0.8 * (double)o->increment[side] / 1000 +
                    (double)o->byoyomi / 1000;

    if (o->movetime)
        wanted = (double)o->movetime / 1000;
    else if (clock > 0 && wanted > clock / 2 + (double)o->byoyomi / 1000)
        wanted = clock / 2 + (double)o->byoyomi / 1000;
    return wanted - margin > least ? wanted - margin : least;
}

/* The description of the agent that does what the order asks for. */
static char *ordered_agent(const fzi_protocol_engine *e)
{
    const fzi_order *o = &e->order;
    bool searches = strncmp(e->wanted, "alphabeta", 9) == 0;
    char effort[48] = "";

    if (o->infinite)
        snprintf(effort, sizeof effort, "86400s");
    else if (o->depth && searches)
        snprintf(effort, sizeof effort, "%" PRIu64, o->depth);
    else if (o->movetime || o->time[0] || o->time[1] || o->byoyomi)
        snprintf(effort, sizeof effort, "%.3fs", seconds_for(e, o));
    else if (o->nodes && searches)
        snprintf(effort, sizeof effort, "64:nodes=%" PRIu64, o->nodes);
    else if (o->nodes)
        snprintf(effort, sizeof effort, "%" PRIu64, o->nodes);
    return *effort ? with_effort(e->wanted, effort) : fzi_cli_text("%s", e->wanted);
}

/* Agents without an effort take none. False, and said: there is no agent. */
static bool use_ordered_agent(fzi_protocol_engine *e)
{
    char *description = ordered_agent(e);
    bool good = fzi_engine_use_agent(e, description) || fzi_engine_use_agent(e, e->wanted);

    free(description);
    if (!good)
        e->say(fz_context_message(e->setup->context));
    return good;
}

/* Chooses one move. True: the next one, too. */
static bool decide(fzi_protocol_engine *e)
{
    bool waits = fz_state_waiting(e->state) == FZ_WAITING_MOVE;
    fz_move move;
    bool chosen = waits && fz_agent_choose(e->agent, e->state, &move) == FZ_OK;

    if (waits && !chosen)
        e->say(fz_agent_message(e->agent));
    bool goes_on = e->answer(e, chosen ? &move : NULL);
    fflush(stdout);
    return goes_on;
}

/* What is left of this time is at least a millisecond: 0 would mean that there is no clock. */
static void spend(uint64_t *time, uint64_t spent)
{
    if (*time)
        *time = *time > spent ? *time - spent : 1;
}

static void *think(void *argument)
{
    fzi_protocol_engine *e = argument;
    double begun = fzi_seconds();

    while (decide(e)) {
        double now = fzi_seconds();
        uint64_t spent = (uint64_t)((now - begun) * 1000);
        begun = now;
        spend(&e->order.movetime, spent);
        spend(&e->order.time[0], spent);
        spend(&e->order.time[1], spent);
        if (!use_ordered_agent(e))
            break;
    }
    return NULL;
}

void fzi_engine_go(fzi_protocol_engine *e, const fzi_order *order)
{
    fzi_engine_settle(e, true);
    e->order = *order;
    e->is_endless = order->infinite;
    if (!use_ordered_agent(e)) {
        e->answer(e, NULL);
    } else if (pthread_create(&e->thread, NULL, think, e) == 0) {
        e->is_thinking = true;
    } else {
        think(e);
    }
}

/* ---- position ---- */

static bool play(fzi_protocol_engine *e, const fz_move *move)
{
    if (fz_state_play(e->setup->machine, e->state, move) != FZ_OK)
        return false;
    if (e->agent)
        fz_agent_played(e->agent, move);
    return true;
}

void fzi_engine_play(fzi_protocol_engine *e, const fz_move *move, const char *played)
{
    free(e->played);
    e->played = play(e, move) ? fzi_cli_text("%s", played) : NULL;
}

static bool play_all(fzi_protocol_engine *e, char *words)
{
    char *rest, *word = strtok_r(words, " \t", &rest), text[128];
    fz_move move;

    for (; word; word = strtok_r(NULL, " \t", &rest)) {
        if (fzi_engine_move_read(e->protocol, e->setup->machine, e->state, word, &move) &&
            play(e, &move))
            continue;
        snprintf(text, sizeof text, "'%.100s' is not a legal move", word);
        e->say(text);
        return false;
    }
    return true;
}

/* Reads the FEN that follows the word of the protocol. */
static fz_status read_fen(fzi_protocol_engine *e, const char *text, size_t length)
{
    fzi_buffer fen = fzi_buffer_in(e->setup->context->allocator);
    char *given = fzi_cli_text("%.*s", (int)length, text), *first = given + strspn(given, " ");

    if (e->protocol == FZI_PROTOCOL_usi)
        fzi_fen_of_sfen(e->setup->program, first, &fen);
    else
        fzi_buffer_text(&fen, first);
    fz_status status = fz_state_read_fen(e->setup->machine, e->state, fzi_buffer_get(&fen));
    fzi_buffer_free(&fen);
    free(given);
    if (status != FZ_OK)
        e->say(fz_machine_message(e->setup->machine));
    return status;
}

/* Sets the state to where the text without its moves begins. */
static bool begin_at(fzi_protocol_engine *e, const char *text, size_t length)
{
    const char *word = e->protocol == FZI_PROTOCOL_usi ? "sfen" : "fen";
    size_t skipped = strlen(word);

    if (fz_state_copy(e->state, e->start) != FZ_OK) {
        e->say("out of memory");
        return false;
    }
    if (e->agent)
        fz_agent_begin(e->agent, e->setup->options.seed, 0);
    if (length > skipped && strncmp(text, word, skipped) == 0 && text[skipped] == ' ')
        return read_fen(e, text + skipped, length - skipped) == FZ_OK;
    if (strncmp(text, "startpos", 8) == 0)
        return true;
    e->say("a position begins with startpos or a FEN");
    return false;
}

/* The moves that come after those of the last position are played on: the agent keeps its tree. */
bool fzi_engine_set_position(fzi_protocol_engine *e, const char *text)
{
    static const char moves[] = " moves ";
    const char *list = strstr(text, moves);
    size_t before = e->played ? strlen(e->played) : 0;
    bool goes_on = e->played && strncmp(text, e->played, before) == 0 &&
                   strchr(" \t", text[before]);
    size_t at = list ? (size_t)(list - text) : strlen(text);
    goes_on = goes_on && before >= at; /* else the FEN has more fields than the last one had */

    fzi_engine_settle(e, true);
    char *kept = fzi_cli_text("%s", text), *rest;
    rest = kept + (goes_on ? before : at);
    if (strncmp(rest, moves, sizeof moves - 1) == 0)
        rest += sizeof moves - 1;
    free(e->played);
    e->played = (goes_on || begin_at(e, text, at)) && play_all(e, rest)
                    ? fzi_cli_text("%s", text) : NULL;
    free(kept);
    return e->played != NULL;
}

