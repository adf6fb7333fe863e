/* What a publication says of the games of a report: a paragraph about the method, and entries for
 * its bibliography. See lab.h. */
#include "interp/agents/agent.h"
#include "lab.h"

#define FORMAT(...) fzi_arena_printf(r->page->arena, __VA_ARGS__)

const char *fzi_report_number(const fzi_report *r, uint64_t number)
{
    char text[32];

    return FORMAT("%s", fzi_grouped(number, text));
}

static const char *plural_of(fzi_report *r, uint64_t number, const char *noun)
{
    return FORMAT("%s %s%s", fzi_report_number(r, number), noun, fzi_plural(number));
}

const char *fzi_report_agent(const fzi_report *r, const char *agent, size_t length)
{
    const char *given = FORMAT("%.*s", (int)length, agent);
    char text[1024];

    return fzi_agent_settled(given, text, sizeof text) ? FORMAT("%s", text) : given;
}

const char *fzi_report_value(const fzi_report *r, const json_t *value)
{
    char *dump = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
    const char *text = FORMAT("%s", json_is_string(value) ? json_string_value(value) : dump);

    free(dump);
    return text;
}

/* ---- the method ---- */

static const char *options_of(fzi_report *r)
{
    json_t *options = json_object_get(r->run->experiment, "options"), *value;
    const char *name, *text = "", *before = "";

    json_object_foreach(options, name, value) {
        text = FORMAT("%s%s%s = %s", text, before, name, fzi_report_value(r, value));
        before = ", ";
    }
    return text;
}

static const char *players_of(fzi_report *r)
{
    const json_t *x = r->run->experiment;
    const char *agents = fzi_experiment_text(x, "agents"), *text = "";

    if (!*agents)
        return "Each decision was uniformly random among the legal moves.";
    if (!strchr(agents, ','))
        return FORMAT("The agent of all players was `%s`.",
                      fzi_report_agent(r, agents, strlen(agents)));
    for (unsigned p = 0; p < fzi_experiment_players(x); p++) {
        size_t length = strcspn(agents, ",");
        text = FORMAT("%s%s%s was `%s`", text, p ? ", that of " : "The agent of ",
                      fzi_experiment_player(x, p), fzi_report_agent(r, agents, length));
        agents += length + (agents[length] == ',');
    }
    return FORMAT("%s.", text);
}

static const char *stops_of(fzi_report *r)
{
    const fz_program *program = r->run->setup.program;
    const char *limit = plural_of(r, (uint64_t)program->limit_turns, "turn");
    fz_tally tally;

    fz_sums_tally(&r->run->sums, &tally);
    if (program->limit < 0)
        return "The rules ended all games.";
    if (!tally.stopped)
        return FORMAT("The limit of %s stopped no game.", limit);
    return FORMAT("The limit of %s stopped %s. Stopped games count in lengths, and not in the "
                  "shares of results.", limit, plural_of(r, tally.stopped, "game"));
}

static const char *more_of(fzi_report *r)
{
    const fz_measure_options *o = &r->run->options;
    const char *rollouts =
        o->rollouts ? FORMAT(" Prospects are means over %s from the beginning of each turn.",
                             plural_of(r, o->rollouts, "random game")) : "";
    const char *influence =
        o->influence ? " The influence of chance comes from four more games for each." : "";
    const char *depth =
        o->strategic_depth ? FORMAT(" Strategic depth comes from a match of `%s` with twice its "
                                    "effort against itself.", o->strategic_depth) : "";

    return FORMAT("%s%s%s", rollouts, influence, depth);
}

void fzi_report_methods(fzi_report *r)
{
    const json_t *x = r->run->experiment;
    const char *options = options_of(r);

    fzi_page_add(r->page, FZI_BLOCK_HEADING, "Method");
    fzi_page_text(r->page, FORMAT(
        "Ferz %s played %s of %s%s.%s %s %s%s", fzi_experiment_text(x, "ferz"),
        plural_of(r, r->run->sums.playouts, "game"), fzi_experiment_text(x, "game"),
        json_is_string(json_object_get(x, "position")) ? " from the position given below" : "",
        *options ? FORMAT(" The options were %s.", options) : "", players_of(r), stops_of(r),
        more_of(r)));
    fzi_page_text(r->page, FORMAT(
        "Intervals are 95 %% confidence intervals; their unit is the game. They are Wilson's for "
        "shares of games, Wilson's with an effective number of games (Korn and Graubard 1998) for "
        "other parts of a whole, and Student's, corrected for skewness (Hall 1992), for means and "
        "ratios. They are not corrected for the number of measures. %s",
        fzi_experiment_is(x, "repeatable")
            ? FORMAT("The seed of the random numbers was %" PRIu64 ", and the games can be "
                     "repeated exactly.", fzi_experiment_seed(x))
            : "An agent's time was limited, so the games cannot be repeated exactly."));
}

/* ---- the bibliography ---- */

/* Without what has a meaning in BibTeX. */
static const char *bibtex_text(fzi_report *r, const char *text)
{
    char *copy = fzi_arena_alloc(r->page->arena, 2 * strlen(text) + 1), *to = copy;

    for (; *text; text++) {
        if (strchr("{}\\~^", *text))
            continue;
        if (strchr("&%$#_", *text))
            *to++ = '\\';
        *to++ = *text;
    }
    *to = '\0';
    return copy;
}

/* The letters and digits that a key of BibTeX may have. */
static const char *letters_of(fzi_report *r, const char *text)
{
    char *key = fzi_arena_alloc(r->page->arena, strlen(text) + 1), *to = key;

    for (; *text; text++)
        if ((*text >= 'a' && *text <= 'z') || (*text >= '0' && *text <= '9'))
            *to++ = *text;
        else if (*text >= 'A' && *text <= 'Z')
            *to++ = (char)(*text + 'a' - 'A');
    *to = '\0';
    return key;
}

/* From the title or, where it has no such letters, from the script's name or the program. */
static const char *key_of(fzi_report *r)
{
    const json_t *x = r->run->experiment;
    char name[FZI_SCRIPT_NAME];
    const char *key = letters_of(r, fzi_experiment_text(x, "game"));

    if (!*key) {
        fzi_script_name(fzi_experiment_text(x, "script"), name);
        key = letters_of(r, name);
    }
    return *key ? key : FORMAT("%.12s", fzi_experiment_text(x, "program"));
}

/* What was played, besides the program and its version. */
static const char *note_of(fzi_report *r)
{
    const json_t *x = r->run->experiment;
    const char *agents = fzi_experiment_text(x, "agents"), *options = options_of(r);

    return bibtex_text(r, FORMAT("%s%s%s%s, seed %" PRIu64, *options ? "options " : "", options,
                                 *options ? "; " : "",
                                 *agents ? FORMAT("agents %s", agents) : "random moves",
                                 fzi_experiment_seed(x)));
}

void fzi_report_citation(fzi_report *r)
{
    const json_t *x = r->run->experiment;
    const char *version = fzi_experiment_text(x, "ferz"), *game = fzi_experiment_text(x, "game");

    fzi_page_add(r->page, FZI_BLOCK_HEADING, "How to cite this");
    fzi_page_text(r->page, "Cite the sources of the rules, the program, and these games. In "
                           "BibTeX:");
    fzi_page_add(r->page, FZI_BLOCK_DRAWING, FORMAT(
        "@software{ferz,\n"
        "  author = {{The Ferz authors}},\n"
        "  title = {Ferz: a language for board games, its compiler and its virtual machine},\n"
        "  version = {%s}\n"
        "}\n"
        "@misc{%s-games,\n"
        "  title = {%s of %s},\n"
        "  note = {Played by Ferz %s: %s, SHA-256 of the texts %s}\n"
        "}\n", version, key_of(r), plural_of(r, r->run->sums.playouts, "game"),
        bibtex_text(r, game), version, note_of(r), fzi_experiment_text(x, "program")));
}
