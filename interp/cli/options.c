/* Parsing the command line. See cli.h. */
#include "cli.h"

#include <sys/resource.h>
#include <unistd.h>

#include "grammar/source/diagnostics.h"
#include "interp/support/documents.h"

#define TAKES(id) ((fzi_cli_options)1 << FZ_CLI_##id)

static const fzi_cli_command commands[] = {
#define COMMAND(name, words, least, most, options, summary, help)                                  \
    {#name, words, least, most, options, summary, help, fzi_cli_##name},
#include "commands.def"
#undef COMMAND
};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static const fzi_cli_option_row options[] = {
#define OPTION(id, letter, name, argument, meaning) {letter, name, argument, meaning},
#include "options.def"
#undef OPTION
};

const fzi_cli_command *fzi_cli_command_at(size_t number)
{
    return number < COMMAND_COUNT ? &commands[number] : NULL;
}

fzi_cli_option_row fzi_cli_option_at(size_t option)
{
    return options[option];
}

int fzi_cli_complain(const fzi_cli *cli, const char *format, ...)
{
    va_list args;

    fprintf(stderr, "ferz%s%s: ", cli->command ? " " : "", cli->command ? cli->command->name : "");
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    return FZ_EXIT_USAGE;
}

const char *fzi_cli_hint(const fzi_cli *cli, const char *message)
{
    static const struct {
        const char *part, *hint;
    } hints[] = {
#define LIMIT(field, name, usual, most, part) {part, " (--limit " name "=N allows more)"},
#include "interp/program/limits.def"
        {"already has this run: it is", "; --resume continues it"},
        {"the run can be continued", ": --resume continues it"},
        {"runs, and none is chosen", "; choose one with --run (`ferz export` lists them)"},
        {"interrupted in cell ", "; --db FILE --resume continues"},
        {"the study wants to run a program: ",
         "\n  --allow-pipe allows it; --agents replaces the agents"},
        {"study needs an archive", ": --db FILE"},
        {"was made without records of all", "; --stored measures what the archive has"},
        {"has no record of game", "; `ferz playout --records` stores them"},
    };
    bool counts_turns =
        cli->command->options >> FZ_CLI_DECISIONS & 1 && !fzi_cli_has(cli, FZ_CLI_DECISIONS);

    for (size_t i = 0; i < sizeof hints / sizeof hints[0]; i++) {
        if (strstr(message, hints[i].part))
            return hints[i].hint;
    }
    if (counts_turns && strstr(message, "chance results in one sequence"))
        return "; a turn may be too long for perft: --decisions counts decisions instead";
    return "";
}

/* ---- nearest names ---- */

const char *fzi_cli_nearest(const char *wanted, const char *const *names, size_t count)
{
    size_t length = strlen(wanted);
    fzi_nearest nearest = {.wanted = wanted};

    for (size_t i = 0; i < count; i++) {
        if (length > 1 && strncmp(names[i], wanted, length) == 0)
            return names[i];
        fzi_nearest_offer(&nearest, names[i]);
    }
    return nearest.best;
}

/* ---- help ---- */

static void print_general_help(void)
{
    puts("Ferz plays board games that are described by .game scripts.\n\n"
         "usage: ferz COMMAND [OPTION...] ARGUMENT...\n\n"
         "GAME is a script or the name of a game of the library, which `ferz games` lists.");
#define GROUP(title) puts("\n" title ":");
#define COMMAND(name, words, least, most, options, summary, help)                                  \
    printf("  %-11s %s\n", #name, summary);
#include "commands.def"
#undef COMMAND
    puts("\nferz COMMAND --help explains a command; ferz --version prints the version.\n"
         "Exit status: 0 success, 1 invalid script, failed test or illegal move, 2 usage or "
         "I/O error.");
}

/* Names of pages with the folder where they are installed. */
static void print_with_pages(const char *text)
{
    static const char folder[] = "docs/";
    bool installed = access(FZ_DOC_DIR "/docs", F_OK) == 0;

    for (const char *at; installed && (at = strstr(text, folder)) != NULL;) {
        printf("%.*s%s/%s", (int)(at - text), text, FZ_DOC_DIR, folder);
        text = at + sizeof folder - 1;
    }
    fputs(text, stdout);
}

static void print_option(size_t i)
{
    char left[64];

    snprintf(left, sizeof left, "%c%c%s--%s%s%s", options[i].letter ? '-' : ' ',
             options[i].letter ? options[i].letter : ' ', options[i].letter ? ", " : "  ",
             options[i].name, options[i].argument ? " " : "",
             options[i].argument ? options[i].argument : "");
    printf("  %-26s ", left);
    print_with_pages(options[i].meaning);
    putchar('\n');
}

static void print_help(const fzi_cli_command *command)
{
    printf("usage: ferz %s [OPTION...] %s\n\n", command->name, command->words);
    print_with_pages(command->help);
    puts("\noptions:");
    for (size_t i = 0; i < FZ_CLI_OPTION_COUNT; i++) {
        if (command->options >> i & 1)
            print_option(i);
    }
}

/* ---- parsing ---- */

static const fzi_cli_command *find_command(const char *name)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    }
    return NULL;
}

static int unknown_command(fzi_cli *cli, const char *name)
{
    const char *names[COMMAND_COUNT];

    for (size_t i = 0; i < COMMAND_COUNT; i++)
        names[i] = commands[i].name;
    const char *nearest = fzi_cli_nearest(name, names, COMMAND_COUNT);
    return nearest
               ? fzi_cli_complain(cli, "unknown command '%s'; did you mean '%s'?", name, nearest)
               : fzi_cli_complain(cli, "unknown command '%s'; see ferz --help", name);
}

static int unknown_option(const fzi_cli *cli, const char *name, size_t length)
{
    const char *names[FZ_CLI_OPTION_COUNT];
    char wanted[64];
    size_t count = 0;

    for (size_t i = 0; i < FZ_CLI_OPTION_COUNT; i++) {
        if (cli->command->options >> i & 1)
            names[count++] = options[i].name;
    }
    snprintf(wanted, sizeof wanted, "%.*s", (int)length, name);
    const char *nearest = fzi_cli_nearest(wanted, names, count);
    return nearest ? fzi_cli_complain(cli, "unknown option '--%s'; did you mean '--%s'?", wanted,
                                      nearest)
                   : fzi_cli_complain(cli, "unknown option '--%s'; see ferz %s --help", wanted,
                                      cli->command->name);
}

static void list_add(fzi_cli_list *list, const char *item)
{
    list->items = fzi_cli_allocate(list->items, (list->count + 2) * sizeof *list->items);
    list->items[list->count++] = item;
    list->items[list->count] = NULL;
}

void fzi_cli_set(fzi_cli *cli, const char *name, const char *value)
{
    cli->settings =
        fzi_cli_allocate(cli->settings, (cli->setting_count + 1) * sizeof *cli->settings);
    cli->settings[cli->setting_count++] = (fz_setting){name, value};
}

/* "Name=Value" as a setting; the name is a copy, the value points into the text. */
static int add_setting(fzi_cli *cli, const char *text)
{
    const char *equals = strchr(text, '=');

    if (!equals || equals == text)
        return fzi_cli_complain(cli, "-o takes NAME=VALUE, not '%s'", text);
    fzi_cli_set(cli, fzi_cli_text("%.*s", (int)(equals - text), text), equals + 1);
    return FZ_EXIT_OK;
}

const char *fzi_cli_values_of(size_t option)
{
    switch (option) {
    case FZ_CLI_FORMAT: return "text json csv";
    case FZ_CLI_JSON_FORMAT: return "text json";
    case FZ_CLI_GRAMMAR_FORMAT: return "ebnf gbnf lark tree-sitter";
    case FZ_CLI_ENGINE: return "auto loop native";
    default: return NULL;
    }
}

/* The number of the text among the option's values. */
static int set_value(const fzi_cli *cli, size_t option, const char *text, int *number)
{
    const char *values = fzi_cli_values_of(option);
    size_t used = 0;
    char list[64];

    *number = 0;
    for (const char *at = values, *end; *at; at = *end ? end + 1 : end, ++*number) {
        end = at + strcspn(at, " ");
        if (strlen(text) == (size_t)(end - at) && memcmp(text, at, strlen(text)) == 0)
            return FZ_EXIT_OK;
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%.*s",
                                 at == values ? "" : *end ? ", " : " or ", (int)(end - at), at);
    }
    return fzi_cli_complain(cli, "--%s takes %s, not '%s'", options[option].name, list, text);
}

/* The values are in the order of the enums. */
static int set_format(fzi_cli *cli, size_t option, const char *text)
{
    int number, code = set_value(cli, option, text, &number);

    cli->format = (enum fzi_cli_format)number;
    return code;
}

static int set_engine(fzi_cli *cli, const char *text)
{
    int number, code = set_value(cli, FZ_CLI_ENGINE, text, &number);

    cli->engine = (fz_engine)(FZ_ENGINE_AUTO + number);
    return code;
}

static int set_number(const fzi_cli *cli, size_t option, const char *text, uint64_t *number)
{
    /* Rows of an archive are numbered from 1, and no search plays nothing. */
    bool above = option == FZ_CLI_RUN || option == FZ_CLI_GAME || option == FZ_CLI_BUDGET ||
                 option == FZ_CLI_VARIANTS;

    if (fzi_number_read(text, number) && (!above || (*number > 0 && *number <= INT64_MAX)))
        return FZ_EXIT_OK;
    return fzi_cli_complain(cli, "--%s takes a number%s, not '%s'", options[option].name,
                            above ? " from 1" : "", text);
}

/* False: there is no such limit, or it cannot be so high. */
static bool set_one_limit(fz_limits *limits, const char *name, size_t length, uint64_t number)
{
#define LIMIT(field, text, usual, most, part)                                                      \
    if (sizeof text == length + 1 && memcmp(name, text, length) == 0) {                            \
        limits->field = (__typeof__(limits->field))number;                                         \
        return limits->field == number;                                                            \
    }
#include "interp/program/limits.def"
    return false;
}

/* A whole number or one with decimals, from a millisecond; 0: the text is none. */
static double read_seconds(const char *text)
{
    enum { MAX_SECONDS = 100000000 }; /* three years */
    uint64_t number;
    double seconds = 0;

    if (fzi_number_read(text, &number)) {
        seconds = (double)number;
    } else if (strspn(text, "0123456789.") == strlen(text)) {
        char *end;
        seconds = strtod(text, &end);
        if (*end)
            return 0;
    }
    return seconds >= 0.001 && seconds <= MAX_SECONDS ? seconds : 0;
}

/* Parses a limit such as "instructions=200M". */
static int set_limit(fzi_cli *cli, const char *text)
{
    size_t length = strcspn(text, "=");
    uint64_t number = 0;
    double seconds = strncmp(text, "time=", 5) == 0 ? read_seconds(text + 5) : 0;

    if (text[length] && fzi_number_read(text + length + 1, &number) && number > 0 &&
        set_one_limit(&cli->limits, text, length, number))
        return FZ_EXIT_OK;
    if (seconds > 0) {
        fzi_terminal_stop_after(seconds);
        return FZ_EXIT_OK;
    }
    return fzi_cli_complain(cli, "--limit takes NAME=N, such as moves=2M, not '%s'; the names are "
#define LIMIT(field, name, usual, most, part) name ", "
#include "interp/program/limits.def"
                            "time (in seconds, such as 0.5)", text);
}

/* "3/16" */
static int set_shard(fzi_cli *cli, const char *text)
{
    const char *slash = strchr(text, '/');
    uint64_t shard, shards;
    char number[24];

    if (!slash || (size_t)(slash - text) >= sizeof number)
        return fzi_cli_complain(cli, "--shard takes K/N, such as 3/16, not '%s'", text);
    snprintf(number, sizeof number, "%.*s", (int)(slash - text), text);
    if (!fzi_number_read(number, &shard) || !fzi_number_read(slash + 1, &shards) || shard < 1 ||
        shard > shards || shards > UINT32_MAX)
        return fzi_cli_complain(cli, "--shard takes K/N with K from 1 to N, not '%s'", text);
    cli->shard = (unsigned)shard;
    cli->shards = (unsigned)shards;
    return FZ_EXIT_OK;
}

/* Applies an option; most are only stored. */
static int take(fzi_cli *cli, size_t option, const char *value)
{
    cli->given |= (fzi_cli_options)1 << option;
    cli->values[option] = value;
    switch (option) {
    case FZ_CLI_CHOICE: return add_setting(cli, value);
    case FZ_CLI_INCLUDE: list_add(&cli->includes, value); break;
    case FZ_CLI_GIVEN: list_add(&cli->chance_given, value); break;
    case FZ_CLI_NATIVE_PATH: list_add(&cli->native_paths, value); break;
    case FZ_CLI_FORMAT: case FZ_CLI_JSON_FORMAT: return set_format(cli, option, value);
    case FZ_CLI_GRAMMAR_FORMAT: return set_value(cli, option, value, &cli->grammar_format);
    case FZ_CLI_ENGINE: return set_engine(cli, value);
    case FZ_CLI_LIMIT: return set_limit(cli, value);
    case FZ_CLI_SHARD: return set_shard(cli, value);
    case FZ_CLI_SEED: return set_number(cli, option, value, &cli->seed);
    case FZ_CLI_COUNT: return set_number(cli, option, value, &cli->count);
    case FZ_CLI_RUN: return set_number(cli, option, value, &cli->run);
    case FZ_CLI_GAME: return set_number(cli, option, value, &cli->game);
    case FZ_CLI_PLAYOUTS: return set_number(cli, option, value, &cli->playouts);
    case FZ_CLI_HASH: return set_number(cli, option, value, &cli->hash);
    case FZ_CLI_PERFT:
        if (!fzi_number_read(value, &cli->perft) || cli->perft < 1 || cli->perft > 1000)
            return fzi_cli_complain(cli, "--perft takes a number of turns from 1 to 1000");
        break;
    case FZ_CLI_ROLLOUTS: return set_number(cli, option, value, &cli->rollouts);
    case FZ_CLI_DEPTH: return set_number(cli, option, value, &cli->depth);
    case FZ_CLI_AT: return set_number(cli, option, value, &cli->at);
    case FZ_CLI_BUDGET: return set_number(cli, option, value, &cli->budget);
    case FZ_CLI_VARIANTS: return set_number(cli, option, value, &cli->variants);
    case FZ_CLI_THREADS:
        if (set_number(cli, option, value, &cli->threads) != FZ_EXIT_OK)
            return FZ_EXIT_USAGE;
        if (cli->threads < 1 || cli->threads > 1024)
            return fzi_cli_complain(cli, "--threads takes a number from 1 to 1024");
        break;
    default: break;
    }
    return FZ_EXIT_OK;
}

/* Finds the option of this name, or the only one that begins with it. The whole name of another
 * command's option is no beginning: `--for` is not short for `--format`. */
static int option_called(const fzi_cli *cli, const char *name, size_t length, size_t *option)
{
    size_t found[2], matches = 0;

    bool whole = false;

    for (size_t i = 0; i < FZ_CLI_OPTION_COUNT && length > 0; i++) {
        bool taken = cli->command->options >> i & 1;
        if (strncmp(options[i].name, name, length) != 0)
            continue;
        whole |= !taken && !options[i].name[length];
        if (!taken)
            continue;
        if (!options[i].name[length]) {
            *option = i;
            return FZ_EXIT_OK;
        }
        if (matches < 2)
            found[matches++] = i;
    }
    if (matches == 0 || whole)
        return unknown_option(cli, name, length);
    if (matches == 2)
        return fzi_cli_complain(cli, "'--%.*s' may be '--%s' or '--%s'", (int)length, name,
                                options[found[0]].name, options[found[1]].name);
    *option = found[0];
    return FZ_EXIT_OK;
}

/* argv[*at] begins with `--`. */
static int parse_long(fzi_cli *cli, int argc, char **argv, int *at)
{
    const char *name = argv[*at] + 2, *value = strchr(name, '=');
    size_t length = value ? (size_t)(value - name) : strlen(name);
    size_t i = 0;
    int code = option_called(cli, name, length, &i);

    if (code != FZ_EXIT_OK)
        return code;
    if (!options[i].argument)
        return value ? fzi_cli_complain(cli, "--%s takes no value", options[i].name)
                     : take(cli, i, "");
    if (value)
        return take(cli, i, value + 1);
    if (*at + 1 >= argc)
        return fzi_cli_complain(cli, "--%s requires an argument: %s", options[i].name,
                                options[i].argument);
    return take(cli, i, argv[++*at]);
}

/* argv[*at] is `-` and letters; the rest of the word is the value of one that takes any. */
static int parse_short(fzi_cli *cli, int argc, char **argv, int *at)
{
    for (const char *letter = argv[*at] + 1; *letter; letter++) {
        size_t i = 0;
        while (i < FZ_CLI_OPTION_COUNT &&
               !(options[i].letter == *letter && cli->command->options >> i & 1))
            i++;
        if (i == FZ_CLI_OPTION_COUNT)
            return fzi_cli_complain(cli, "unknown option '-%c'; see ferz %s --help", *letter,
                                    cli->command->name);
        if (options[i].argument) {
            if (letter[1])
                return take(cli, i, letter + 1);
            if (*at + 1 >= argc)
                return fzi_cli_complain(cli, "-%c requires an argument: %s", *letter,
                                        options[i].argument);
            return take(cli, i, argv[++*at]);
        }
        int code = take(cli, i, "");
        if (code != FZ_EXIT_OK)
            return code;
    }
    return FZ_EXIT_OK;
}

static int parse_words(fzi_cli *cli, int argc, char **argv)
{
    bool only_words = false;
    int code = FZ_EXIT_OK;

    for (int at = 2; at < argc && code == FZ_EXIT_OK; at++) {
        const char *word = argv[at];
        if (only_words || word[0] != '-' || !word[1])
            list_add(&cli->words, word);
        else if (strcmp(word, "--") == 0)
            only_words = true;
        else if (word[1] == '-')
            code = parse_long(cli, argc, argv, &at);
        else
            code = parse_short(cli, argc, argv, &at);
    }
    return code;
}

/* `ferz`, `ferz help [COMMAND]`, `ferz --version`: everything that runs no command. */
static bool answered(fzi_cli *cli, int argc, char **argv, int *exit_code)
{
    const char *word = argc > 1 ? argv[1] : NULL;
    bool help = word && (strcmp(word, "help") == 0 || strcmp(word, "--help") == 0 ||
                         strcmp(word, "-h") == 0);

    *exit_code = FZ_EXIT_OK;
    if (!word) {
        *exit_code = fzi_cli_complain(cli, "no command given; see ferz --help");
    } else if (help && argc > 2) {
        const fzi_cli_command *command = find_command(argv[2]);
        if (command)
            print_help(command);
        else
            *exit_code = unknown_command(cli, argv[2]);
    } else if (help) {
        print_general_help();
    } else if (strcmp(word, "--version") == 0 || strcmp(word, "version") == 0) {
        puts("ferz " FZ_VERSION);
    } else {
        return false;
    }
    return true;
}

/* The words with blanks between them, quoted where a shell would take them for something else. */
static char *command_line(int argc, char **argv)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-+=.,:/@%";
    size_t size = 8;
    char *text;

    for (int i = 1; i < argc; i++)
        size += 4 * strlen(argv[i]) + 4;
    char *at = text = fzi_cli_allocate(NULL, size);
    at += snprintf(at, size, "ferz");
    for (int i = 1; i < argc; i++) {
        bool quoted = !argv[i][0] || argv[i][strspn(argv[i], plain)];
        *at++ = ' ';
        if (quoted)
            *at++ = '\'';
        for (const char *from = argv[i]; *from; from++) {
            if (*from == '\'')
                at += snprintf(at, 4, "'\\'");
            *at++ = *from;
        }
        if (quoted)
            *at++ = '\'';
    }
    *at = '\0';
    return text;
}

/* Of --confined: the limits that a script from a stranger gets, unless others are given. */
static int confine(fzi_cli *cli)
{
    enum { SECONDS = 60 };
    static const struct rlimit most = {(rlim_t)2 << 30, (rlim_t)2 << 30};

    if (!fzi_cli_has(cli, FZ_CLI_CONFINED))
        return FZ_EXIT_OK;
    if (fzi_cli_has(cli, FZ_CLI_ALLOW_NATIVE) || fzi_cli_has(cli, FZ_CLI_ALLOW_OUTSIDE))
        return fzi_cli_complain(cli, "--confined allows nothing: leave out --allow-%s",
                                fzi_cli_has(cli, FZ_CLI_ALLOW_NATIVE) ? "native" : "outside");
    if (cli->limits.cancel->deadline <= 0)
        fzi_terminal_stop_after(SECONDS);
#ifndef __SANITIZE_ADDRESS__ /* reserves more than that */
    setrlimit(RLIMIT_AS, &most);
#endif
    (void)most;
    return FZ_EXIT_OK;
}

bool fzi_cli_parse(fzi_cli *cli, int argc, char **argv, int *exit_code)
{
    *cli = (fzi_cli){.seed = 1, .count = 1000, .at = UINT64_MAX};
    cli->limits.cancel = fzi_terminal_stop();
    cli->colour = fzi_terminal_colour(1);
    cli->error_colour = fzi_terminal_colour(2);
    cli->drawing = (cli->colour ? FZ_DRAW_COLOUR : 0u) |
                   (fzi_terminal_palette() ? FZ_DRAW_PALETTE : 0u) |
                   (fzi_terminal_unicode() ? 0u : FZ_DRAW_ASCII);
    if (answered(cli, argc, argv, exit_code))
        return false;
    cli->command = find_command(argv[1]);
    if (!cli->command) {
        *exit_code = unknown_command(cli, argv[1]);
        return false;
    }
    cli->line = command_line(argc, argv);
    *exit_code = parse_words(cli, argc, argv);
    if (*exit_code != FZ_EXIT_OK)
        return false;
    if (fzi_cli_has(cli, FZ_CLI_HELP)) {
        print_help(cli->command);
        return false;
    }
    *exit_code = confine(cli);
    if (*exit_code != FZ_EXIT_OK)
        return false;
    if (cli->words.count < cli->command->least || cli->words.count > cli->command->most) {
        *exit_code = fzi_cli_complain(cli, "usage: ferz %s [OPTION...] %s", cli->command->name,
                                      cli->command->words);
        return false;
    }
    return true;
}

void fzi_cli_clear(fzi_cli *cli)
{
    for (size_t i = 0; i < cli->found.count; i++)
        free((char *)(uintptr_t)cli->found.items[i]);
    free(cli->found.items);
    for (size_t i = 0; i < cli->setting_count; i++)
        free((char *)(uintptr_t)cli->settings[i].name);
    free(cli->settings);
    free((char *)(uintptr_t)cli->line);
    free(cli->words.items);
    free(cli->includes.items);
    free(cli->native_paths.items);
    free(cli->chance_given.items);
}
