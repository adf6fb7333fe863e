/* The command line: which command, which options, which words. The lists are commands.def and
 * options.def; parsing, --help and the hints for mistyped names all come from them. */
#ifndef FZ_CLI_OPTIONS_H
#define FZ_CLI_OPTIONS_H

#include "interp/lab/setup.h"
#include "interp/terminal/terminal.h"

enum { FZ_EXIT_OK, FZ_EXIT_WRONG, FZ_EXIT_USAGE };

enum fzi_cli_option {
#define OPTION(id, letter, name, argument, meaning) FZ_CLI_##id,
#include "options.def"
#undef OPTION
    FZ_CLI_OPTION_COUNT
};

/* A set of options: a bit for each. */
__extension__ typedef unsigned __int128 fzi_cli_options;
_Static_assert(FZ_CLI_OPTION_COUNT <= 128, "a set of options has a bit for each");

enum fzi_cli_format { FZ_CLI_TEXT, FZ_CLI_JSON, FZ_CLI_CSV };

typedef struct fzi_cli_list { /* NULL-terminated */
    const char **items;
    size_t count;
} fzi_cli_list;

typedef struct fzi_cli {
    const struct fzi_cli_command *command;
    fzi_cli_list words;             /* what is no option */
    fzi_cli_options given;
    const char *values[FZ_CLI_OPTION_COUNT]; /* the last one given; NULL */
    fz_setting *settings;           /* of -o */
    size_t setting_count;
    fzi_cli_list includes, native_paths, chance_given;
    enum fzi_cli_format format;
    bool covers;                    /* the game is compiled for coverage */
    const char *line;               /* the whole command line, as for a shell */
    uint64_t run, game;             /* of an archive; 0: not given */
    uint64_t seed, count, threads, at, playouts, seconds, hash, rollouts;
    uint64_t depth;                 /* of --depth */
    unsigned shard, shards;         /* of --shard: 3 of 16; 0: all */
    fz_limits limits;               /* of --limit */
    bool colour, error_colour;      /* on stdout, on stderr */
    unsigned drawing;               /* FZ_DRAW_...: how boards are drawn on stdout */
} fzi_cli;

typedef struct fzi_cli_command {
    const char *name, *words;
    size_t least, most;
    fzi_cli_options options;
    const char *summary, *help;
    int (*run)(const fzi_cli *cli);
} fzi_cli_command;

#define COMMAND(name, words, least, most, options, summary, help)                                  \
    int fzi_cli_##name(const fzi_cli *cli);
#include "commands.def"
#undef COMMAND

/* The commands by number from 0; NULL when there are no more. */
const fzi_cli_command *fzi_cli_command_at(size_t number);
typedef struct fzi_cli_option_row {
    char letter;                         /* 0: none */
    const char *name, *argument, *meaning; /* argument: NULL for a switch */
} fzi_cli_option_row;
fzi_cli_option_row fzi_cli_option_at(size_t option);

/* Parses argv[1 ..]. True: run cli->command. False: *exit_code, everything is said. */
bool fzi_cli_parse(fzi_cli *cli, int argc, char **argv, int *exit_code);
void fzi_cli_clear(fzi_cli *cli);

static inline bool fzi_cli_has(const fzi_cli *cli, enum fzi_cli_option option)
{
    return cli->given >> option & 1;
}

/* "ferz perft: " and the text on stderr, with a newline; returns FZ_EXIT_USAGE. */
int fzi_cli_complain(const fzi_cli *cli, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Complains that the command has no CSV output; returns FZ_EXIT_USAGE. */
int fzi_cli_no_csv(const fzi_cli *cli);

/* A hint such as " (--limit frames=N allows more)" if the message reports a limit, otherwise "". */
const char *fzi_cli_limit_hint(const fzi_cli *cli, const char *message);

/* The nearest of the names to `wanted`, near enough to be meant; NULL. */
const char *fzi_cli_nearest(const char *wanted, const char *const *names, size_t count);

#endif
