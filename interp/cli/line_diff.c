/* Two texts, line by line. See cli.h. */
#include "cli.h"

enum { MAX_CELLS = 4 << 20 }; /* of the table below; larger texts are not aligned */

typedef struct line {
    const char *text;
    size_t length;
} line;

static line *lines_of(const char *text, size_t *count)
{
    size_t most = 1;
    line *lines;

    *count = 0;
    for (const char *at = text; at && *at; at++)
        most += *at == '\n';
    lines = fzi_cli_allocate(NULL, most * sizeof *lines);
    while (text && *text) {
        size_t length = strcspn(text, "\n");
        lines[(*count)++] = (line){text, length};
        text += length + (text[length] == '\n');
    }
    return lines;
}

static bool same(line a, line b)
{
    return a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

/* table[i * (m + 1) + k]: how many lines the ends after i and k have in common. */
static unsigned *common(const line *a, size_t n, const line *b, size_t m)
{
    unsigned *table = fzi_cli_allocate(NULL, (n + 1) * (m + 1) * sizeof *table);

    memset(table, 0, (n + 1) * (m + 1) * sizeof *table);
    for (size_t i = n; i-- > 0;)
        for (size_t k = m; k-- > 0;) {
            unsigned down = table[(i + 1) * (m + 1) + k], across = table[i * (m + 1) + k + 1];
            table[i * (m + 1) + k] = same(a[i], b[k]) ? table[(i + 1) * (m + 1) + k + 1] + 1
                                     : down > across  ? down
                                                      : across;
        }
    return table;
}

static void print_line(char sign, line l, bool colour)
{
    const char *begin = !colour || sign == ' ' ? "" : sign == '-' ? "\033[31m" : "\033[32m";

    printf("    %s%c %.*s%s\n", begin, sign, (int)l.length, l.text, *begin ? "\033[0m" : "");
}

void fzi_line_diff_print(const char *left, const char *right, bool colour)
{
    size_t n, m, i = 0, k = 0;
    line *a = lines_of(left, &n), *b = lines_of(right, &m);
    unsigned *table = (n + 1) * (m + 1) <= MAX_CELLS ? common(a, n, b, m) : NULL;

    while (i < n || k < m) {
        bool equal = i < n && k < m && same(a[i], b[k]);
        bool takes_left = i < n && (k == m || !table || table[(i + 1) * (m + 1) + k] >=
                                                            table[i * (m + 1) + k + 1]);
        if (equal || takes_left)
            print_line(equal ? ' ' : '-', a[i++], colour);
        else
            print_line('+', b[k], colour);
        k += equal || !takes_left;
    }
    free(table);
    free(a);
    free(b);
}
