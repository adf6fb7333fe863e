/* ferz completion: scripts that let shells complete the command line, from the lists of commands
 * and options. */
#include "cli.h"

/* The first line of a text, with a backslash before each of some characters. */
static void print_escaped(const char *text, const char *escaped)
{
    for (; *text && *text != '\n'; text++)
        printf("%s%c", strchr(escaped, *text) ? "\\" : "", *text);
}

/* In single quotes of a shell. */
static void print_quoted(const char *text, const char *escaped)
{
    for (; *text && *text != '\n'; text++) {
        if (*text == '\'')
            fputs("'\\''", stdout);
        else
            printf("%s%c", strchr(escaped, *text) ? "\\" : "", *text);
    }
}

static bool takes(const fzi_cli_command *command, size_t option)
{
    return command->options >> option & 1;
}

/* Prints the names of the library's games, a line each. */
#define LIST_GAMES "ferz games -f csv 2>/dev/null | sed '1d;s/,.*//'"

static bool takes_games(const fzi_cli_command *command)
{
    return strstr(command->words, "GAME") != NULL;
}

/* ---- bash ---- */

static void print_bash_options(void)
{
    for (size_t i = 0; fzi_cli_command_at(i); i++) {
        const fzi_cli_command *command = fzi_cli_command_at(i);
        printf("        %s) options='", command->name);
        for (size_t o = 0; o < FZ_CLI_OPTION_COUNT; o++)
            if (takes(command, o))
                printf("--%s ", fzi_cli_option_at(o).name);
        printf("'%s ;;\n", takes_games(command) ? " games=1" : "");
    }
}

/* Options of one name have other values in other commands. */
static void print_bash_values(void)
{
    for (size_t i = 0; fzi_cli_command_at(i); i++)
        for (size_t o = 0; o < FZ_CLI_OPTION_COUNT; o++)
            if (takes(fzi_cli_command_at(i), o) && fzi_cli_values_of(o))
                printf("        %s--%s)\n"
                       "            COMPREPLY=($(compgen -W '%s' -- \"$current\"))\n"
                       "            return ;;\n",
                       fzi_cli_command_at(i)->name, fzi_cli_option_at(o).name,
                       fzi_cli_values_of(o));
}

static void print_bash(void)
{
    fputs("# bash completion for ferz. Put `eval \"$(ferz completion bash)\"` into ~/.bashrc.\n"
          "_ferz()\n{\n"
          "    local current=${COMP_WORDS[COMP_CWORD]} last=${COMP_WORDS[COMP_CWORD-1]}\n"
          "    local options= games=\n"
          "    COMPREPLY=()\n"
          "    if [ \"$COMP_CWORD\" = 1 ]; then\n"
          "        COMPREPLY=($(compgen -W '",
          stdout);
    for (size_t i = 0; fzi_cli_command_at(i); i++)
        printf("%s ", fzi_cli_command_at(i)->name);
    fputs("--help --version' -- \"$current\"))\n        return\n    fi\n"
          "    case ${COMP_WORDS[1]} in\n",
          stdout);
    print_bash_options();
    fputs("    esac\n    case ${COMP_WORDS[1]}$last in\n", stdout);
    print_bash_values();
    fputs("    esac\n"
          "    case $current in\n"
          "        -*) COMPREPLY=($(compgen -W \"$options\" -- \"$current\")) ;;\n"
          "        *) COMPREPLY=($(compgen -f -- \"$current\")) ;;\n"
          "    esac\n"
          "    if [[ -n $games && $current != -* && $last != -* ]]; then\n"
          "        COMPREPLY+=($(compgen -W \"$(" LIST_GAMES ")\" -- \"$current\"))\n"
          "    fi\n}\n"
          "complete -o filenames -F _ferz ferz\n",
          stdout);
}

/* ---- zsh ---- */

static void print_zsh_option(size_t o)
{
    fzi_cli_option_row row = fzi_cli_option_at(o);

    fputs("            '", stdout);
    printf("*--%s%s[", row.name, row.argument ? "=" : "");
    print_quoted(row.meaning, "[]:\\");
    putchar(']');
    if (row.argument && fzi_cli_values_of(o))
        printf(":%s:(%s)", row.argument, fzi_cli_values_of(o));
    else if (row.argument)
        printf(":%s:_files", row.argument);
    puts("' \\");
}

static void print_zsh(void)
{
    puts("#compdef ferz\n"
         "# zsh completion for ferz. Write it to a file _ferz in a folder of $fpath.\n"
         "_ferz()\n{\n"
         "    local -a commands\n"
         "    commands=(");
    for (size_t i = 0; fzi_cli_command_at(i); i++) {
        printf("        '%s:", fzi_cli_command_at(i)->name);
        print_quoted(fzi_cli_command_at(i)->summary, ":\\");
        puts("'");
    }
    puts("    )\n"
         "    if (( CURRENT == 2 )); then\n"
         "        _describe command commands\n"
         "        return\n"
         "    fi\n"
         "    case $words[2] in");
    for (size_t i = 0; fzi_cli_command_at(i); i++) {
        const fzi_cli_command *command = fzi_cli_command_at(i);
        printf("    %s)\n        shift words; (( CURRENT-- ))\n        _arguments \\\n",
               command->name);
        for (size_t o = 0; o < FZ_CLI_OPTION_COUNT; o++)
            if (takes(command, o))
                print_zsh_option(o);
        printf("            '*:file:%s' ;;\n", takes_games(command) ? "_ferz_games" : "_files");
    }
    puts("    esac\n}\n"
         "_ferz_games()\n{\n    _files\n"
         "    compadd -- ${(f)\"$(" LIST_GAMES ")\"}\n}\n"
         "if [ \"$funcstack[1]\" = _ferz ]; then _ferz \"$@\"; else compdef _ferz ferz; fi");
}

/* ---- fish ---- */

static void print_fish_option(const char *command, size_t o)
{
    fzi_cli_option_row row = fzi_cli_option_at(o);

    printf("complete -c ferz -n '__fish_seen_subcommand_from %s' -l %s", command, row.name);
    if (row.letter)
        printf(" -s %c", row.letter);
    if (row.argument)
        fputs(fzi_cli_values_of(o) ? " -x" : " -r", stdout);
    if (fzi_cli_values_of(o))
        printf(" -a '%s'", fzi_cli_values_of(o));
    fputs(" -d '", stdout);
    print_escaped(row.meaning, "'\\");
    puts("'");
}

static void print_fish(void)
{
    puts("# fish completion for ferz. Write it to ~/.config/fish/completions/ferz.fish.");
    for (size_t i = 0; fzi_cli_command_at(i); i++) {
        const fzi_cli_command *command = fzi_cli_command_at(i);
        printf("complete -c ferz -f -n __fish_use_subcommand -a %s -d '", command->name);
        print_escaped(command->summary, "'\\");
        puts("'");
        for (size_t o = 0; o < FZ_CLI_OPTION_COUNT; o++)
            if (takes(command, o))
                print_fish_option(command->name, o);
        if (takes_games(command))
            printf("complete -c ferz -n '__fish_seen_subcommand_from %s' -a \"(" LIST_GAMES
                   ")\"\n", command->name);
    }
}

int fzi_cli_completion(const fzi_cli *cli)
{
    static const struct {
        const char *shell;
        void (*print)(void);
    } shells[] = {{"bash", print_bash}, {"zsh", print_zsh}, {"fish", print_fish}};

    for (size_t i = 0; i < sizeof shells / sizeof shells[0]; i++) {
        if (strcmp(cli->words.items[0], shells[i].shell) == 0) {
            shells[i].print();
            return FZ_EXIT_OK;
        }
    }
    return fzi_cli_complain(cli, "unknown shell '%s'; expected bash, zsh or fish",
                            cli->words.items[0]);
}
