/* ferz: one program with many commands. Each has a file of its own; commands.def lists them. */
#include "cli.h"

#include <locale.h>

int fzi_cli_main(int argc, char **argv)
{
    fzi_cli cli;
    int code;

    if (fzi_cli_parse(&cli, argc, argv, &code) && fzi_library_words(&cli, &code))
        code = cli.command->run(&cli);
    fzi_cli_clear(&cli);
    /* A disk that is full must not look like success. */
    errno = 0;
    if (fflush(stdout) != 0 || ferror(stdout)) {
        if (!errno) { /* it failed before: one more byte tells why */
            clearerr(stdout);
            putchar('\n');
            fflush(stdout);
        }
        fprintf(stderr, "ferz: cannot write%s%s\n", errno ? ": " : "",
                errno ? strerror(errno) : "");
        return FZ_EXIT_USAGE;
    }
    return code;
}

int main(int argc, char **argv)
{
    setlocale(LC_CTYPE, "");
    fzi_json_begin();
    return fzi_cli_main(argc, argv);
}
