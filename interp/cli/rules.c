/* Rules of a script as the commands show them. See cli.h. */
#include "cli.h"

#include <ctype.h>

#include "interp/support/text.h"

const char *fzi_rule_excerpt(const fz_rule *rule, size_t width, char *text)
{
    size_t used = 0;
    bool blank = false;

    if (width > FZI_EXCERPT_SIZE - 8)
        width = FZI_EXCERPT_SIZE - 8;
    for (uint32_t i = 0; i < rule->length; i++) {
        unsigned char c = (unsigned char)rule->text[i];
        if (isspace(c)) {
            blank = used > 0;
            continue;
        }
        if (used + 2 > width) {
            while (used && fzi_utf8_continues(text[used - 1]))
                used--; /* no half of a letter */
            memcpy(text + used, "...", 3);
            used += 3;
            break;
        }
        if (blank)
            text[used++] = ' ';
        blank = false;
        text[used++] = (char)c;
    }
    text[used] = '\0';
    return text;
}

json_t *fzi_rules_json(const fz_coverage *coverage, bool never)
{
    json_t *list = json_array();
    char text[FZI_EXCERPT_SIZE];

    for (size_t i = 0; i < coverage->count; i++) {
        const fz_rule *rule = &coverage->rules[i];
        json_t *object;
        if (never && (rule->ran || rule->inside))
            continue;
        object = json_pack("{s:s, s:i, s:i, s:s, s:I, s:I, s:b}", "file", rule->path, "line",
                           (int)rule->line, "column", (int)rule->column, "rule",
                           fzi_rule_excerpt(rule, 200, text), "ran", (long long)rule->ran, "tried",
                           (long long)rule->tried, "removed", rule->removed);
        json_object_set_new(object, "offered",
                            rule->is_option ? json_integer((long long)rule->offered) : json_null());
        json_array_append_new(list, object);
    }
    return list;
}
