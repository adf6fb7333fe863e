/* Rules of a script as the commands show them. See cli.h. */
#include "cli.h"

json_t *fzi_rule_json(const fz_rule *rule)
{
    char text[FZI_EXCERPT_SIZE];

    fzi_excerpt(rule->text, rule->length, 200, text);
    json_t *object = json_pack("{s:s, s:i, s:i, s:s, s:I, s:I, s:b}", "file", rule->path, "line",
                               (int)rule->line, "column", (int)rule->column, "rule", text, "ran",
                               (long long)rule->ran, "tried", (long long)rule->tried, "removed",
                               rule->removed);
    json_object_set_new(object, "offered",
                        rule->is_option ? json_integer((long long)rule->offered) : json_null());
    return object;
}

json_t *fzi_rules_json(const fz_coverage *coverage, bool never)
{
    json_t *list = json_array();

    for (size_t i = 0; i < coverage->count; i++)
        if (!never || !(coverage->rules[i].ran || coverage->rules[i].inside))
            json_array_append_new(list, fzi_rule_json(&coverage->rules[i]));
    return list;
}
