/* The tools of `ferz mcp`: what they are, and the command that each becomes. See mcp.h. */
#include "mcp.h"

#include <dirent.h>

enum type { FLAG, NUMBER, TEXT, TEXTS, VALUES };

enum argument {
#define ARGUMENT(id, name, type, option, meaning) MCP_##id,
#include "mcp_tools.def"
    ARGUMENT_COUNT
};

static const struct {
    const char *name;
    enum type type;
    const char *option, *meaning;
} rows[] = {
#define ARGUMENT(id, name, type, option, meaning) {name, type, option, meaning},
#include "mcp_tools.def"
};

#define MCP(id) (1u << MCP_##id)

static const struct tool {
    const char *name, *command, *input;
    unsigned arguments, required;
    const char *description;
} tools[] = {
#define TOOL(name, command, input, arguments, required, description)                               \
    {#name, command, input, arguments, required, description},
#include "mcp_tools.def"
};

enum { TOOL_COUNT = sizeof tools / sizeof tools[0] };

static const unsigned games = MCP(GAME) + MCP(SCRIPT) + MCP(FILE);

/* ---- pages ---- */

static int by_name(const void *a, const void *b)
{
    return strcmp(json_string_value(*(json_t *const *)a), json_string_value(*(json_t *const *)b));
}

/* The names of the chapters of the specification, sorted. */
static json_t *chapters(void)
{
    char *path = fzi_cli_text("%s/spec", fzi_documents());
    DIR *folder = opendir(path);
    json_t *names = json_array(), *sorted = json_array();
    const struct dirent *entry;

    while (folder && (entry = readdir(folder))) {
        const char *end = strrchr(entry->d_name, '.');
        if (end && strcmp(end, ".md") == 0)
            json_array_append_new(names, json_stringn(entry->d_name,
                                                      (size_t)(end - entry->d_name)));
    }
    size_t count = json_array_size(names);
    json_t **items = fzi_cli_allocate(NULL, (count + 1) * sizeof *items);
    for (size_t i = 0; i < count; i++)
        items[i] = json_array_get(names, i);
    qsort(items, count, sizeof *items, by_name);
    for (size_t i = 0; i < count; i++)
        json_array_append(sorted, items[i]);
    free(items);
    json_decref(names);
    if (folder)
        closedir(folder);
    free(path);
    return sorted;
}

static fzi_mcp_answer fail(const char *format, const char *what)
{
    char *text = fzi_cli_text(format, what);

    return (fzi_mcp_answer){.text = text, .wrong = true};
}

static fzi_mcp_answer print_page(const fzi_mcp *mcp, const char *page)
{
    json_t *names = chapters(), *name;
    bool known = !page;
    size_t i, length;

    json_array_foreach(names, i, name)
        known = known || strcmp(json_string_value(name), page) == 0;
    json_decref(names);
    if (!known)
        return fail("there is no chapter '%.100s'", page);
    char *path = page ? fzi_cli_text("%s/spec/%s.md", fzi_documents(), page)
                      : fzi_cli_text("%s/llms.txt", fzi_documents());
    char *text = fzi_file_read(mcp->cli, path, &length);
    fzi_mcp_answer answer = text ? (fzi_mcp_answer){.text = text}
                                 : fail("the page is not installed: %s", path);
    free(path);
    return answer;
}

/* ---- what the tools are ---- */

static const char *const type_names[] = {"boolean", "integer", "string", "array", "object"};

static json_t *property(enum argument a)
{
    json_t *schema = json_pack("{s:s, s:s}", "type", type_names[rows[a].type], "description",
                               rows[a].meaning);

    if (rows[a].type == NUMBER)
        json_object_set_new(schema, "minimum", json_integer(0));
    if (rows[a].type == TEXTS)
        json_object_set_new(schema, "items", json_pack("{s:s}", "type", "string"));
    if (rows[a].type == VALUES)
        json_object_set_new(schema, "additionalProperties",
                            json_pack("{s:[sss]}", "type", "string", "integer", "boolean"));
    if (a == MCP_PAGE)
        json_object_set_new(schema, "enum", chapters());
    return schema;
}

/* Without a folder there are no files. */
static bool has(const fzi_mcp *mcp, const struct tool *tool, size_t a)
{
    return tool->arguments >> a & 1 && (a != MCP_FILE || mcp->folder);
}

static json_t *describe(const fzi_mcp *mcp, const struct tool *tool)
{
    json_t *properties = json_object(), *required = json_array();

    for (size_t a = 0; a < ARGUMENT_COUNT; a++) {
        if (!has(mcp, tool, a))
            continue;
        json_object_set_new(properties, rows[a].name, property((enum argument)a));
        if (tool->required >> a & 1)
            json_array_append_new(required, json_string(rows[a].name));
    }
    return json_pack("{s:s, s:s, s:{s:s, s:o, s:o, s:b}, s:{s:b, s:b}}", "name", tool->name,
                     "description", tool->description, "inputSchema", "type", "object",
                     "properties", properties, "required", required, "additionalProperties", 0,
                     "annotations", "readOnlyHint", 1, "openWorldHint", 0);
}

json_t *fzi_mcp_tools(const fzi_mcp *mcp)
{
    json_t *list = json_array();

    for (size_t i = 0; i < TOOL_COUNT; i++)
        json_array_append_new(list, describe(mcp, &tools[i]));
    return json_pack("{s:o}", "tools", list);
}

/* ---- a call becomes a command ---- */

typedef struct call {
    fzi_mcp *mcp;
    const struct tool *tool;
    json_t *arguments;
    char *folder;           /* where the command runs; is it one of its own? */
    bool own_folder;
    char **words;           /* `count`, then NULL */
    size_t count;
    char *input;
} call;

static const char *text_of(const call *c, enum argument a)
{
    return json_string_value(json_object_get(c->arguments, rows[a].name));
}

static void add(call *c, char *word)
{
    c->words = fzi_cli_allocate(c->words, (c->count + 2) * sizeof *c->words);
    c->words[c->count++] = word;
    c->words[c->count] = NULL;
}

/* A line break would be another line of input, and what follows a NUL would be lost. */
static bool is_one_line(const json_t *text)
{
    const char *bytes = json_string_value(text);
    size_t length = json_string_length(text), i = 0;

    while (i < length && (unsigned char)bytes[i] >= ' ')
        i++;
    return i == length;
}

static bool are_lines(const json_t *texts)
{
    json_t *text;
    size_t i;

    json_array_foreach(texts, i, text)
        if (!json_is_string(text) || !is_one_line(text))
            return false;
    return true;
}

/* What is wrong with the argument; NULL. */
static char *wrong_argument(const call *c, const char *name, const json_t *value)
{
    size_t a = 0;

    while (a < ARGUMENT_COUNT && (strcmp(rows[a].name, name) != 0 || !has(c->mcp, c->tool, a)))
        a++;
    if (a == ARGUMENT_COUNT)
        return fzi_cli_text("the tool %s has no argument '%.100s'", c->tool->name, name);
    bool right = rows[a].type == FLAG     ? json_is_boolean(value)
                 : rows[a].type == NUMBER ? json_is_integer(value) && json_integer_value(value) >= 0
                 : rows[a].type == TEXT   ? json_is_string(value)
                 : rows[a].type == TEXTS  ? json_is_array(value)
                                          : json_is_object(value);
    if (!right)
        return fzi_cli_text("'%s' must be of type %s%s", name, type_names[rows[a].type],
                            rows[a].type == NUMBER ? ", from 0 up" : "");
    if (rows[a].type == TEXT && a != MCP_SCRIPT && !is_one_line(value))
        return fzi_cli_text("'%s' must be one line", name);
    if (rows[a].type == TEXTS && !are_lines(value))
        return fzi_cli_text("'%s' must have strings of one line each", name);
    if (a == MCP_SCRIPT && strlen(json_string_value(value)) != json_string_length(value))
        return fzi_cli_text("'%s' has a NUL character", name);
    /* Programs as agents, and files of agents, belong to the user. */
    if (a == MCP_AGENTS && (strstr(json_string_value(value), "pipe") ||
                            strstr(json_string_value(value), "eval")))
        return fzi_cli_text("agents that are programs or have files are not served");
    return NULL;
}

static char *wrong_arguments(const call *c)
{
    const char *name;
    json_t *value;
    unsigned given = 0;

    json_object_foreach(c->arguments, name, value) {
        char *wrong = wrong_argument(c, name, value);
        if (wrong)
            return wrong;
    }
    for (size_t a = 0; a < ARGUMENT_COUNT; a++) {
        bool there = json_object_get(c->arguments, rows[a].name);
        given += there && games >> a & 1;
        if (!there && c->tool->required >> a & 1)
            return fzi_cli_text("'%s' is missing", rows[a].name);
    }
    if (c->tool->arguments & games && given != 1)
        return fzi_cli_text("give one of game, script%s", c->mcp->folder ? " and file" : "");
    return NULL;
}

#define SCRIPT_NAME "script.game"

/* The script as a file in a folder of its own. */
static char *place_script(call *c, const char *text)
{
    char *path = fzi_cli_text("%s/" SCRIPT_NAME, c->folder);
    FILE *file = fopen(path, "wb");
    bool good = file && fputs(text, file) >= 0;

    good = file && fclose(file) == 0 && good;
    free(path);
    add(c, fzi_cli_text(SCRIPT_NAME));
    return good ? NULL : fzi_cli_text("the script cannot be written: %s", strerror(errno));
}

/* A file of the served folder, after links are followed. */
static char *place_file(call *c, const char *name)
{
    size_t length = strlen(c->mcp->folder);
    char *path = fzi_cli_text("%s/%s", c->mcp->folder, name), *real = realpath(path, NULL);
    bool inside = real && strncmp(real, c->mcp->folder, length) == 0 && real[length] == '/';
    char *wrong = inside ? NULL : fzi_cli_text("no file '%.200s' in the served folder", name);

    if (inside)
        add(c, fzi_cli_text("%s", real + length + 1));
    free(real);
    free(path);
    return wrong;
}

/* The game as a word of the command; what is wrong with it, or NULL. */
static char *place_game(call *c)
{
    const char *name = text_of(c, MCP_GAME), *script = text_of(c, MCP_SCRIPT);

    if (!(c->tool->arguments & games))
        return NULL;
    if (script)
        return place_script(c, script);
    if (!name)
        return place_file(c, text_of(c, MCP_FILE));
    char *path = fzi_library_find(name);
    if (!path)
        return fzi_cli_text("no game '%.100s'; the tool games lists them", name);
    add(c, path);
    return NULL;
}

/* The words between blanks. */
static void add_words(call *c, const char *text)
{
    while (text && *(text += strspn(text, " "))) {
        size_t length = strcspn(text, " ");
        add(c, fzi_cli_text("%.*s", (int)length, text));
        text += length;
    }
}

/* --option=NAME=VALUE of each member. */
static char *add_values(call *c, const char *option, json_t *values)
{
    const char *name;
    json_t *value;

    json_object_foreach(values, name, value) {
        bool whole = json_is_integer(value), is_text = json_is_string(value);
        char number[32];
        snprintf(number, sizeof number, "%lld", (long long)json_integer_value(value));
        if (!whole && !is_text && !json_is_boolean(value))
            return fzi_cli_text("the value of '%.100s' is no text, number or boolean", name);
        const char *text = whole ? number : is_text ? json_string_value(value)
                                          : json_is_true(value) ? "true" : "false";
        add(c, fzi_cli_text("%s=%s=%s", option, name, text));
    }
    return NULL;
}

static char *add_options(call *c)
{
    for (size_t a = 0; a < ARGUMENT_COUNT; a++) {
        json_t *value = json_object_get(c->arguments, rows[a].name);
        const char *option = rows[a].option;
        char *wrong = NULL;
        if (!value || !option)
            continue;
        if (rows[a].type == VALUES)
            wrong = add_values(c, option, value);
        else if (rows[a].type == FLAG)
            add_words(c, json_is_true(value) ? option : "");
        else if (rows[a].type == NUMBER)
            add(c, fzi_cli_text("%s=%lld", option, (long long)json_integer_value(value)));
        else
            add(c, fzi_cli_text("%s=%s", option, json_string_value(value)));
        if (wrong)
            return wrong;
    }
    return NULL;
}

static bool begin_folder(call *c)
{
    const char *base = getenv("TMPDIR");

    if (text_of(c, MCP_FILE)) {
        c->folder = fzi_cli_text("%s", c->mcp->folder);
        return true;
    }
    c->folder = fzi_cli_text("%s/ferz-mcp-XXXXXX", base && *base ? base : "/tmp");
    c->own_folder = mkdtemp(c->folder) != NULL;
    if (c->own_folder)
        fzi_mcp_guard_folder(c->folder, SCRIPT_NAME);
    return c->own_folder;
}

static void end_call(call *c)
{
    if (c->own_folder)
        fzi_mcp_delete_folder();
    for (size_t i = 0; i < c->count; i++)
        free(c->words[i]);
    free(c->words);
    free(c->folder);
    free(c->input);
}

/* Adds what the command reads for a move; NULL: nothing. */
static void add_input(call *c, const char *move)
{
    char *line = move ? fzi_cli_text(c->tool->input, move) : fzi_cli_text("%s", "");
    char *whole = fzi_cli_text("%s%s", c->input ? c->input : "", line);

    free(line);
    free(c->input);
    c->input = whole;
}

/* What is wrong; NULL. */
static char *prepare(call *c)
{
    json_t *mine;
    size_t i;

    if (!begin_folder(c))
        return fzi_cli_text("no folder for temporary files: %s", strerror(errno));
    add_words(c, "ferz");
    add_words(c, c->tool->command);
    if (c->tool->arguments & games)
        add_words(c, "--confined");
    char *wrong = add_options(c);
    add_words(c, "--"); /* a file or word may begin with a hyphen */
    if (!wrong)
        wrong = place_game(c);
    add_words(c, text_of(c, MCP_WORDS));
    json_array_foreach(json_object_get(c->arguments, rows[MCP_MINE].name), i, mine)
        add_input(c, json_string_value(mine));
    add_input(c, text_of(c, MCP_MOVE));
    return wrong;
}

bool fzi_mcp_call(fzi_mcp *mcp, const char *name, json_t *arguments, fzi_mcp_answer *answer)
{
    call c = {.mcp = mcp, .arguments = arguments};

    for (size_t i = 0; i < TOOL_COUNT && !c.tool; i++)
        c.tool = name && strcmp(tools[i].name, name) == 0 ? &tools[i] : NULL;
    if (!c.tool)
        return false;
    char *wrong = wrong_arguments(&c);
    if (!wrong && !c.tool->command) {
        *answer = print_page(mcp, text_of(&c, MCP_PAGE));
        return true;
    }
    if (!wrong)
        wrong = prepare(&c);
    *answer = wrong ? (fzi_mcp_answer){.text = wrong, .wrong = true}
                    : fzi_mcp_run(mcp, c.folder, c.words, c.count, c.input);
    end_call(&c);
    return true;
}
