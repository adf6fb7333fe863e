/* The protocol of engines. See engine_serve.h. The main thread reads; a second one thinks. */
#include "engine_serve.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/support/cancel.h"
#include "interp/text/notation.h"

static const struct {
    const char *name, *ready, *none, *begin;
} protocols[] = {
#define PROTOCOL(name, ready, none, begin) {#name, ready, none, begin},
#include "interp/text/protocols.def"
};

typedef struct engine {
    fzi_setup *setup;
    fzi_protocol protocol;
    fz_state *start;      /* the beginning of the game */
    fz_state *state;      /* the position to think about */
    char *played;         /* how it was described: the start, and moves with blanks between */
    char *wanted;         /* the agent, as the user names it */
    char *made;           /* the description that `agent` was made of; NULL: it must be made */
    fz_agent *agent;
    fz_cancel stop;       /* ends its thinking */
    pthread_t thread;
    bool is_thinking;     /* the thread must be joined */
    bool is_endless;      /* it thinks until it is told to stop */
    bool quit;
} engine;

/* What the user should know; the protocol has no errors. */
static void say(const char *what)
{
    printf("info string %s\n", what);
}

/* ---- thinking ---- */

static void *think(void *argument)
{
    engine *e = argument;
    fzi_buffer text = fzi_buffer_in(e->setup->context->allocator);
    fz_machine *machine = e->setup->machine;
    fz_status status = FZ_USAGE;
    fz_move move;

    if (fz_state_waiting(e->state) == FZ_WAITING_MOVE)
        status = fz_agent_choose(e->agent, e->state, &move);
    if (status == FZ_OK) {
        fzi_engine_move_write(e->protocol, machine, e->state, &move, &text);
        printf("bestmove %s\n", fzi_buffer_get(&text));
    } else {
        if (fz_state_waiting(e->state) == FZ_WAITING_MOVE)
            say(fz_agent_message(e->agent));
        puts(protocols[e->protocol].none);
    }
    fflush(stdout);
    fzi_buffer_free(&text);
    return NULL;
}

/* The answer comes now, or has come. */
static void settle(engine *e, bool at_once)
{
    if (!e->is_thinking)
        return;
    if (at_once)
        __atomic_store_n(&e->stop.now, 1, __ATOMIC_RELAXED);
    pthread_join(e->thread, NULL);
    __atomic_store_n(&e->stop.now, 0, __ATOMIC_RELAXED);
    e->is_thinking = false;
}

/* ---- the agent ---- */

static void drop_agent(engine *e)
{
    fz_agent_free(e->agent);
    free(e->made);
    e->agent = NULL;
    e->made = NULL;
}

/* The agent with this description, kept as long as the description stays. */
static bool use_agent(engine *e, const char *description)
{
    char message[256];

    if (e->made && strcmp(e->made, description) == 0)
        return true;
    drop_agent(e);
    if (fzi_agent_own(e->setup, description, &e->agent, message) != FZ_OK)
        return false;
    e->made = fzi_cli_text("%s", description);
    fz_agent_begin(e->agent, e->setup->options.seed, 0);
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

/* What `go` says; 0: nothing. Times in milliseconds. */
typedef struct order {
    uint64_t depth, nodes, movetime, time[2], increment[2], movestogo, byoyomi;
    bool infinite;
} order;

static order read_order(char *words)
{
    order o = {0};
    const struct {
        const char *name;
        uint64_t *value;
    } numbers[] = {
        {"depth", &o.depth}, {"nodes", &o.nodes}, {"movetime", &o.movetime},
        {"wtime", &o.time[0]}, {"btime", &o.time[1]}, {"winc", &o.increment[0]},
        {"binc", &o.increment[1]}, {"movestogo", &o.movestogo}, {"byoyomi", &o.byoyomi},
    };
    char *rest, *word = strtok_r(words, " \t", &rest);

    for (; word; word = strtok_r(NULL, " \t", &rest)) {
        o.infinite |= strcmp(word, "infinite") == 0;
        for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
            if (strcmp(word, numbers[i].name) != 0)
                continue;
            char *value = strtok_r(NULL, " \t", &rest);
            if (!value)
                return o;
            *numbers[i].value = *value == '-' ? 1 : strtoull(value, NULL, 10);
        }
    }
    return o;
}

/* Seconds for this move: a part of the clock, and most of what each move adds. */
static double seconds_for(const engine *e, const order *o)
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

/* The description of the agent that does what `go` asks for. */
static char *ordered_agent(const engine *e, const order *o)
{
    bool searches = strncmp(e->wanted, "alphabeta", 9) == 0;
    char effort[48] = "";

    if (o->infinite)
        snprintf(effort, sizeof effort, "86400s");
    else if (o->movetime || o->time[0] || o->time[1] || o->byoyomi)
        snprintf(effort, sizeof effort, "%.3fs", seconds_for(e, o));
    else if (o->depth && searches)
        snprintf(effort, sizeof effort, "%" PRIu64, o->depth);
    else if (o->nodes && searches)
        snprintf(effort, sizeof effort, "64:nodes=%" PRIu64, o->nodes);
    else if (o->nodes)
        snprintf(effort, sizeof effort, "%" PRIu64, o->nodes);
    return *effort ? with_effort(e->wanted, effort) : fzi_cli_text("%s", e->wanted);
}

static void go(engine *e, char *words)
{
    settle(e, true);
    order o = read_order(words);
    char *description = ordered_agent(e, &o);

    e->is_endless = o.infinite;
    /* Agents without an effort take none. */
    if (!use_agent(e, description) && !use_agent(e, e->wanted)) {
        say(fz_context_message(e->setup->context));
        puts(protocols[e->protocol].none);
    } else if (pthread_create(&e->thread, NULL, think, e) == 0) {
        e->is_thinking = true;
    } else {
        think(e);
    }
    free(description);
}

/* ---- position ---- */

static bool play(engine *e, const char *word)
{
    fz_machine *machine = e->setup->machine;
    fz_move move;

    if (!fzi_engine_move_read(e->protocol, machine, e->state, word, &move) ||
        fz_state_play(machine, e->state, &move) != FZ_OK)
        return false;
    if (e->agent)
        fz_agent_played(e->agent, &move);
    return true;
}

static bool play_all(engine *e, char *words)
{
    char *rest, *word = strtok_r(words, " \t", &rest), text[128];

    for (; word; word = strtok_r(NULL, " \t", &rest)) {
        if (play(e, word))
            continue;
        snprintf(text, sizeof text, "'%.100s' is not a legal move", word);
        say(text);
        return false;
    }
    return true;
}

/* Sets the state to where the text without its moves begins. */
static bool begin_at(engine *e, const char *text, size_t length)
{
    const char *word = protocols[e->protocol].begin;
    size_t skipped = strlen(word);
    fz_status status = fz_state_copy(e->state, e->start);

    if (e->agent)
        fz_agent_begin(e->agent, e->setup->options.seed, 0);
    if (length > skipped && strncmp(text, word, skipped) == 0 && text[skipped] == ' ') {
        char *fen = fzi_cli_text("%.*s", (int)(length - skipped), text + skipped);
        status = fz_state_read_fen(e->setup->machine, e->state, fen + strspn(fen, " "));
        free(fen);
    } else if (strncmp(text, "startpos", 8) != 0) {
        say("a position begins with startpos or a FEN");
        return false;
    }
    if (status != FZ_OK)
        say(fz_machine_message(e->setup->machine));
    return status == FZ_OK;
}

/* The moves that come after those of the last position are played on: the agent keeps its tree. */
static void set_position(engine *e, char *text)
{
    static const char moves[] = " moves ";
    const char *list = strstr(text, moves);
    size_t before = e->played ? strlen(e->played) : 0;
    bool goes_on = e->played && strncmp(text, e->played, before) == 0 &&
                   (text[before] == ' ' || !text[before]);
    size_t at = list ? (size_t)(list - text) : strlen(text);
    goes_on = goes_on && before >= at; /* else the FEN has more fields than the last one had */

    settle(e, true);
    char *kept = fzi_cli_text("%s", text), *rest;
    rest = kept + (goes_on ? before : at);
    if (strncmp(rest, moves, sizeof moves - 1) == 0)
        rest += sizeof moves - 1;
    free(e->played);
    e->played = (goes_on || begin_at(e, text, at)) && play_all(e, rest)
                    ? fzi_cli_text("%s", text) : NULL;
    free(kept);
}

/* ---- the other commands ---- */

static void introduce(engine *e, const char *word)
{
    for (unsigned i = 0; i < FZI_PROTOCOLS; i++)
        if (strcmp(word, protocols[i].name) == 0)
            e->protocol = (fzi_protocol)i;
    printf("id name Ferz %s, %s\nid author the authors of Ferz\n"
           "option name Agent type string default %s\n%s\n",
           fz_version(), fz_program_title(e->setup->program), e->wanted,
           protocols[e->protocol].ready);
}

/* setoption name Agent value mcts:1000 */
static void set_option(engine *e, char *words)
{
    char *value = strstr(words, "value ");

    if (strncmp(words, "name Agent ", 11) != 0 || !value)
        return;
    settle(e, true);
    char *before = e->wanted;
    e->wanted = fzi_cli_text("%s", value + strlen("value "));
    if (!use_agent(e, e->wanted)) {
        say(fz_context_message(e->setup->context));
        free(e->wanted);
        e->wanted = before;
        return;
    }
    free(before);
}

/* Words that the protocol does not have are passed over, as it demands. */
static void obey(engine *e, char *line)
{
    char *rest = line + strcspn(line, " \t");
    bool more = *rest != '\0';

    *rest = '\0';
    rest += more;
    rest += strspn(rest, " \t");
    if (!strcmp(line, "uci") || !strcmp(line, "ucci") || !strcmp(line, "usi"))
        introduce(e, line);
    else if (!strcmp(line, "isready"))
        puts("readyok");
    else if (!strcmp(line, "setoption"))
        set_option(e, rest);
    else if (!strcmp(line, "ucinewgame") || !strcmp(line, "usinewgame"))
        settle(e, true), drop_agent(e);
    else if (!strcmp(line, "position"))
        set_position(e, rest);
    else if (!strcmp(line, "go"))
        go(e, rest);
    else if (!strcmp(line, "stop"))
        settle(e, true);
    e->quit |= !strcmp(line, "quit");
}

static void read_all(engine *e)
{
    char *line = NULL;
    size_t size = 0;
    ssize_t length;

    while (!e->quit && (length = getline(&line, &size, stdin)) >= 0) {
        while (length && strchr("\r\n ", line[length - 1]))
            line[--length] = '\0';
        obey(e, line + strspn(line, " \t"));
        fflush(stdout);
    }
    free(line);
    /* At the end of the input the answer still comes, but nobody is left to say `stop`. */
    settle(e, e->quit || e->is_endless);
}

bool fzi_engine_serve(fzi_setup *setup, const char *agent)
{
    fz_context *context = setup->context;
    fz_limits limits = *fzi_setup_limits(setup);
    engine e = {.setup = setup, .start = setup->state, .stop = {.outer = limits.cancel},
                .wanted = fzi_cli_text("%s", agent)};

    limits.cancel = &e.stop;
    fz_context_set_limits(context, &limits);
    e.state = fz_state_clone(setup->state);
    bool good = e.state && use_agent(&e, e.wanted);
    if (good)
        read_all(&e);
    drop_agent(&e);
    fz_state_free(e.state);
    free(e.played);
    free(e.wanted);
    return good;
}
