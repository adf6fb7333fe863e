/* ferz grammar: the grammar of scripts for other programs, one of the files of docs/grammar. */
#include "cli.h"

int fzi_cli_grammar(const fzi_cli *cli)
{
    static const struct {
        const char *format, *file;
    } files[] = {{"ebnf", "ferz.ebnf"},
                 {"gbnf", "ferz.gbnf"},
                 {"lark", "ferz.lark"},
                 {"tree-sitter", "grammar.js"}};
    const char *format = cli->values[FZ_CLI_GRAMMAR_FORMAT];
    size_t i = 0, length;

    while (format && i < sizeof files / sizeof *files && strcmp(files[i].format, format) != 0)
        i++;
    if (i == sizeof files / sizeof *files)
        return fzi_cli_complain(
            cli, "unknown format '%s'; expected ebnf, gbnf, lark or tree-sitter", format);
    char *path = fzi_cli_text("%s/grammar/%s", fzi_documents(), files[i].file);
    char *text = fzi_file_read(cli, path, &length);
    int status = text ? FZ_EXIT_OK : FZ_EXIT_USAGE;

    if (text)
        fwrite(text, 1, length, stdout);
    free(text);
    free(path);
    return status;
}
