/* Two texts, line by line. See cli.h. */
#include "cli.h"

#include "interp/support/text.h"

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

/* table[i * (m + 1) + k]: how many lines the ends behind i and k have in common. */
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

fzi_diff_row *fzi_line_diff(const char *left, const char *right, size_t *count)
{
    size_t n, m, i = 0, k = 0;
    line *a = lines_of(left, &n), *b = lines_of(right, &m);
    fzi_diff_row *rows = fzi_cli_allocate(NULL, (n + m + 1) * sizeof *rows);
    unsigned *table = (n + 1) * (m + 1) <= MAX_CELLS ? common(a, n, b, m) : NULL;
    *count = 0;
    while (i < n || k < m) {
        bool equal = i < n && k < m && same(a[i], b[k]);
        bool takes_left = i < n && (k == m || !table || table[(i + 1) * (m + 1) + k] >=
                                                            table[i * (m + 1) + k + 1]);
        fzi_diff_row *row = &rows[(*count)++];
        *row = (fzi_diff_row){0};
        if (equal || takes_left) {
            row->left = a[i].text;
            row->left_length = a[i++].length;
        }
        if (equal || !takes_left) {
            row->right = b[k].text;
            row->right_length = b[k++].length;
        }
    }
    free(table);
    free(a);
    free(b);
    return rows;
}

void fzi_line_diff_print(const fzi_diff_row *rows, size_t count, const char *indent, bool colour)
{
    for (size_t i = 0; i < count; i++) {
        const fzi_diff_row *row = &rows[i];
        char sign = row->left && row->right ? ' ' : row->left ? '-' : '+';
        const char *begin = !colour || sign == ' ' ? "" : sign == '-' ? "\033[31m" : "\033[32m";
        printf("%s%s%c %.*s%s\n", indent, begin, sign,
               (int)(row->left ? row->left_length : row->right_length),
               row->left ? row->left : row->right, *begin ? "\033[0m" : "");
    }
}

/* Columns of a text in UTF-8. */
static size_t columns(const char *text, size_t length)
{
    size_t count = 0;
    for (size_t i = 0; i < length; i++)
        count += !fzi_utf8_continues(text[i]);
    return count;
}

/* The bytes of the first `most` columns. */
static size_t fitting(const char *text, size_t length, size_t most)
{
    size_t at = 0, count = 0;
    while (at < length) {
        count += !fzi_utf8_continues(text[at]);
        if (count > most)
            break;
        at++;
    }
    return at;
}

/* A removed line stands beside the added one that follows the removed ones. */
static size_t pair_rows(const fzi_diff_row *rows, size_t count, fzi_diff_row *paired)
{
    size_t made = 0;
    for (size_t i = 0; i < count;) {
        size_t left = i, right;
        while (left < count && !rows[left].right)
            left++;
        for (right = left; right < count && !rows[right].left;)
            right++;
        if (right == i) {
            paired[made++] = rows[i++];
            continue;
        }
        for (size_t k = 0; i + k < left || left + k < right; k++) {
            fzi_diff_row row = {0};
            if (i + k < left) {
                row.left = rows[i + k].left;
                row.left_length = rows[i + k].left_length;
            }
            if (left + k < right) {
                row.right = rows[left + k].right;
                row.right_length = rows[left + k].right_length;
            }
            paired[made++] = row;
        }
        i = right;
    }
    return made;
}

static bool is_same_row(const fzi_diff_row *row)
{
    return row->left && row->right &&
           same((line){row->left, row->left_length}, (line){row->right, row->right_length});
}

void fzi_line_diff_beside(const fzi_diff_row *rows, size_t count, const char *indent, size_t width)
{
    fzi_diff_row *paired = fzi_cli_allocate(NULL, (count + 1) * sizeof *paired);
    size_t half = (width - strlen(indent) - 3) / 2;
    count = pair_rows(rows, count, paired);
    for (size_t i = 0; i < count; i++) {
        const fzi_diff_row *row = &paired[i];
        const char *left = row->left ? row->left : "", *right = row->right ? row->right : "";
        size_t first = fitting(left, row->left_length, half),
               second = fitting(right, row->right_length, half);
        char sign = is_same_row(row) ? ' ' : !row->right ? '<' : !row->left ? '>' : '|';
        printf("%s%.*s%*s %c", indent, (int)first, left, (int)(half - columns(left, first)), "",
               sign);
        if (second)
            printf(" %.*s", (int)second, right);
        putchar('\n');
    }
    free(paired);
}
