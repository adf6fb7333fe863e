/* ferz cite: what a publication has to say of the runs of an archive, and the commands that repeat
 * them. */
#include "cli.h"

/* A word of a command line, quoted for a shell if it must be. */
static void print_word(const char *text)
{
    bool plain = *text && strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                       "0123456789._/:=,+-") == strlen(text);

    putchar(' ');
    if (plain) {
        fputs(text, stdout);
        return;
    }
    putchar('\'');
    for (; *text; text++)
        fputs(*text == '\'' ? "'\\''" : (char[]){*text, '\0'}, stdout);
    putchar('\'');
}

/* Does the library's script make the program that was played? */
static bool is_played(fz_context *context, const char *path, const json_t *x)
{
    json_t *given = json_object_get(x, "given"), *value;
    size_t count = json_object_size(given), i = 0;
    fz_setting *settings = fzi_cli_allocate(NULL, (count + 1) * sizeof *settings);
    char fingerprint[FZI_FINGERPRINT_SIZE] = "";
    fz_program *program = NULL;
    fz_report *report = NULL;
    const char *name;

    json_object_foreach(given, name, value)
        if (json_is_string(value))
            settings[i++] = (fz_setting){name, json_string_value(value)};
    if (fz_compile(context, path, NULL, 0, settings, i, &program, &report) == FZ_OK)
        fzi_fingerprint_program(program, fingerprint);
    fz_report_free(report);
    fz_program_release(program);
    free(settings);
    return strcmp(fingerprint, fzi_experiment_text(x, "program")) == 0;
}

/* A game of the library is named as everybody can name it, other scripts by their path. To be
 * freed. */
static char *script_of(fz_context *context, const json_t *x)
{
    const char *script = fzi_experiment_text(x, "script"), *at = script + strlen(script);
    unsigned slashes = 0;

    while (at > script && (at[-1] != '/' || ++slashes < 2))
        at--;
    char *name = fzi_cli_text("%.*s", (int)strcspn(at, "."), at), *path = fzi_library_find(name);
    bool shipped = slashes && path && is_played(context, path, x);
    free(path);
    if (shipped)
        return name;
    free(name);
    return fzi_cli_text("%s", script);
}

/* --option NAME=VALUE of each member. */
static void print_settings(const char *option, json_t *values)
{
    const char *name;
    json_t *value;

    json_object_foreach(values, name, value) {
        char *word = json_is_string(value)
                         ? fzi_cli_text("%s=%s", name, json_string_value(value))
                         : fzi_cli_text("%s=%lld", name, (long long)json_integer_value(value));
        printf(" %s", option);
        print_word(word);
        free(word);
    }
}

static void print_command(fz_context *context, const json_t *x)
{
    const char *agents = fzi_experiment_text(x, "agents");
    char *script = script_of(context, x);

    fputs("  ferz playout", stdout);
    print_word(script);
    free(script);
    print_settings("-o", json_object_get(x, "given"));
    print_settings("--limit", json_object_get(x, "limits"));
    if (*agents) {
        fputs(" --agents", stdout);
        print_word(agents);
    }
    if (json_is_string(json_object_get(x, "position")))
        fputs(" --position position.txt", stdout);
    printf("%s --seed %" PRIu64 " -n %" PRIu64 "\n", fzi_experiment_is(x, "branching") ? " -b" : "",
           fzi_experiment_seed(x), fzi_experiment_playouts(x));
}

static void print_part(const json_t *columns, const char *title, const char *member,
                       const char *otherwise)
{
    const char *text = fzi_experiment_text(columns, member);

    printf(" %s: %s.", title, *text ? text : otherwise);
}

typedef struct citation {
    fz_context *context;
    bool after;               /* a run was printed before */
} citation;

static void print_run(void *user, json_t *row)
{
    const json_t *x = json_object_get(row, "experiment");
    long long played = json_integer_value(json_object_get(row, "played"));
    uint64_t asked = fzi_experiment_playouts(x);
    json_t *trace = fzi_experiment_trace(x, 0, asked), *columns = json_object();
    citation *c = user;

    fzi_json_add_run(columns, trace, "run");
    printf("%sRun %lld, %.10s: %s, %lld of %" PRIu64 " games, with Ferz %s.\n",
           c->after ? "\n" : "",
           json_integer_value(json_object_get(row, "run")), fzi_experiment_text(row, "started"),
           fzi_experiment_text(x, "game"), played, asked, fzi_experiment_text(x, "ferz"));
    printf("Script and modules: SHA-256 %s.", fzi_experiment_text(x, "program"));
    print_part(columns, "Options", "run options", "none");
    print_part(columns, "Agents", "run agents", "random moves");
    print_part(columns, "Limits", "run limits", "default");
    putchar('\n');
    if (!fzi_experiment_is(x, "repeatable"))
        puts("An agent's time was limited: other games are played when it is repeated.");
    puts("To repeat it:\n");
    print_command(c->context, x);
    if (json_is_string(json_object_get(x, "position")))
        printf("\nposition.txt:\n\n%s", fzi_experiment_text(x, "position"));
    json_decref(columns);
    json_decref(trace);
    c->after = true;
}

int fzi_cli_cite(const fzi_cli *cli)
{
    fz_context *context = fzi_session_context(cli);
    fz_archive *archive = NULL;
    citation c = {context, false};

    if (!context)
        return FZ_EXIT_USAGE;
    fz_status status = fz_archive_open(context, cli->words.items[0], false, &archive);
    if (status == FZ_OK)
        status = fzi_archive_list(archive, false, cli->run, print_run, &c);
    int code = fzi_cli_failed(cli, context, status, NULL);
    if (code == FZ_EXIT_OK && cli->run && !c.after)
        code = fzi_cli_complain(cli, "%s: there is no run %" PRIu64, cli->words.items[0], cli->run);
    fz_archive_close(archive);
    fz_context_free(context);
    return code;
}
