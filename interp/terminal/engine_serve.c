/* Protocols of engines: UCI, UCCI and USI, which differ in a few words. See engine_serve.h. */
#include "engine_serve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine_xboard.h"

static const struct {
    const char *name, *ready, *none;
} protocols[] = {
#define PROTOCOL(name, ready, none) {#name, ready, none},
#include "interp/text/protocols.def"
};

/* The protocol has no errors. */
static void say(const char *what)
{
    printf("info string %s\n", what);
}

static bool answer(fzi_protocol_engine *e, const fz_move *move)
{
    fzi_buffer text = fzi_buffer_in(e->setup->context->allocator);

    if (move) {
        fzi_engine_move_write(e->protocol, e->setup->machine, e->state, move, &text);
        printf("bestmove %s\n", fzi_buffer_get(&text));
    } else {
        puts(protocols[e->protocol].none);
    }
    fzi_buffer_free(&text);
    return false;
}

static fzi_order read_order(char *words)
{
    fzi_order o = {0};
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

static void go(fzi_protocol_engine *e, char *words)
{
    fzi_order order = read_order(words);

    fzi_engine_go(e, &order);
}

static void introduce(fzi_protocol_engine *e, const char *word)
{
    for (unsigned i = 0; i < FZI_PROTOCOLS; i++)
        if (strcmp(word, protocols[i].name) == 0)
            e->protocol = (fzi_protocol)i;
    char name[FZI_SCRIPT_NAME];

    fzi_script_name(e->setup->path, name);
    printf("id name Ferz %s, %s\nid author the authors of Ferz\n"
           "option name Agent type string default %s\n",
           fz_version(), fz_program_title(e->setup->program), e->wanted);
    /* Boards offer an engine for the variants that it lists. */
    if (e->protocol == FZI_PROTOCOL_uci)
        printf("option name UCI_Variant type combo default %s var %s\n", name, name);
    puts(protocols[e->protocol].ready);
}

/* setoption name Agent value mcts:1000 */
static void set_option(fzi_protocol_engine *e, const char *words)
{
    const char *value = strstr(words, "value ");

    if (strncmp(words, "name Agent ", 11) == 0 && value)
        fzi_engine_want_agent(e, value + strlen("value "));
}

/* Words that the protocol does not have are passed over, as it demands. */
static void obey(fzi_protocol_engine *e, const char *word, char *rest)
{
    if (!strcmp(word, "uci") || !strcmp(word, "ucci") || !strcmp(word, "usi"))
        introduce(e, word);
    else if (!strcmp(word, "isready"))
        puts("readyok");
    else if (!strcmp(word, "setoption"))
        set_option(e, rest);
    else if (!strcmp(word, "ucinewgame") || !strcmp(word, "usinewgame"))
        fzi_engine_settle(e, true), fzi_engine_drop_agent(e);
    else if (!strcmp(word, "position"))
        fzi_engine_set_position(e, rest);
    else if (!strcmp(word, "go"))
        go(e, rest);
    else if (!strcmp(word, "stop"))
        fzi_engine_settle(e, true);
}

static void read_all(fzi_protocol_engine *e)
{
    fzi_xboard board = {.engine = e};
    char *line = NULL;
    size_t size = 0;
    ssize_t length;

    while (!e->quit && (length = getline(&line, &size, stdin)) >= 0) {
        while (length && strchr("\r\n ", line[length - 1]))
            line[--length] = '\0';
        char *word = line + strspn(line, " \t"), *rest = word + strcspn(word, " \t");
        bool more = *rest != '\0';
        *rest = '\0';
        rest += more;
        rest += strspn(rest, " \t");
        if (!strcmp(word, "xboard"))
            fzi_xboard_begin(&board);
        else if (e->protocol == FZI_PROTOCOL_xboard)
            fzi_xboard_obey(&board, word, rest);
        else
            obey(e, word, rest);
        e->quit |= !strcmp(word, "quit");
        fflush(stdout);
    }
    free(line);
    /* At the end of the input the answer still comes, but nobody is left to say `stop`. */
    fzi_engine_settle(e, e->quit || e->is_endless);
    fzi_xboard_end(&board);
}

bool fzi_engine_serve(fzi_setup *setup, const char *agent)
{
    fz_context *context = setup->context;
    fz_limits limits = *fzi_setup_limits(setup);
    fzi_protocol_engine e = {.setup = setup, .start = setup->state,
                             .stop = {.outer = limits.cancel},
                             .wanted = fzi_cli_text("%s", agent), .answer = answer, .say = say};

    limits.cancel = &e.stop;
    fz_context_set_limits(context, &limits);
    e.state = fz_state_clone(setup->state);
    bool good = e.state && fzi_engine_use_agent(&e, e.wanted);
    if (good)
        read_all(&e);
    fzi_engine_drop_agent(&e);
    fz_state_free(e.state);
    free(e.played);
    free(e.wanted);
    return good;
}
