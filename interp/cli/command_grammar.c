/* ferz grammar: the grammar of scripts for other programs, one of the files of docs/grammar. */
#include "cli.h"

int fzi_cli_grammar(const fzi_cli *cli)
{
    /* In the order of the values of --format. */
    static const char *const files[] = {"ferz.ebnf", "ferz.gbnf", "ferz.lark", "grammar.js"};
    size_t length;
    char *path = fzi_cli_text("%s/grammar/%s", fzi_documents(), files[cli->grammar_format]);
    char *text = fzi_file_read(cli, path, &length);
    int status = text ? FZ_EXIT_OK : FZ_EXIT_USAGE;

    if (text)
        fwrite(text, 1, length, stdout);
    free(text);
    free(path);
    return status;
}
