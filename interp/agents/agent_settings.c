/* Descriptions of agents: NAME, NAME:ARGUMENT, and further NAME=VALUE after colons. */
#include "agent.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct kind_info {
    const char *name, *argument, *meaning;
} kind_info;

static const kind_info kinds[] = {
    [FZ_AGENT_NOTHING] = {"", "", ""},
#define AGENT(name, kind, argument, meaning) [FZ_AGENT_##kind] = {name, argument, meaning},
#include "agents.def"
};
enum { KINDS = sizeof kinds / sizeof *kinds };

enum { REAL, WHOLE, PATH };

typedef struct setting_info {
    const char *agent, *name;
    int numbers;
    double low, high, initial, learned;
} setting_info;

static const setting_info infos[] = {
#define SETTING(agent, name, numbers, low, high, initial, learned, meaning) \
    {agent, name, numbers, low, high, initial, learned},
#include "agents.def"
};
enum { INFOS = sizeof infos / sizeof *infos };

bool fz_agent_info(unsigned number, const char **name, const char **argument, const char **meaning)
{
    if (number + 1 >= KINDS)
        return false;
    if (name)
        *name = kinds[number + 1].name;
    if (argument)
        *argument = kinds[number + 1].argument;
    if (meaning)
        *meaning = kinds[number + 1].meaning;
    return true;
}

/* A part of a description, up to the next colon. */
typedef struct part {
    const char *text;
    int length;
} part;

static bool is(part p, const char *word)
{
    return (size_t)p.length == strlen(word) && strncmp(p.text, word, (size_t)p.length) == 0;
}

/* A decimal number, which may end in k or M. Returns what follows it; NULL: it is none. */
static const char *number_of(part p, double *value)
{
    char text[40], *end;
    size_t length = (size_t)p.length < sizeof text ? (size_t)p.length : sizeof text - 1;

    memcpy(text, p.text, length);
    text[length] = '\0';
    if (!strchr("0123456789.", *text) || !*text)
        return NULL;
    text[strcspn(text, "xX")] = '\0'; /* strtod reads 0x10 too */
    *value = strtod(text, &end);
    if (end == text)
        return NULL;
    if (*end == 'k' || *end == 'M')
        *value *= *end++ == 'k' ? 1e3 : 1e6;
    return p.text + (end - text);
}

/* `1000`, `20k`, `0.5s`, `200ms`. */
static bool read_effort(part p, fzi_effort *effort)
{
    double value;
    const char *rest = number_of(p, &value), *end = p.text + p.length;

    if (!rest || value <= 0 || value > 1e15)
        return false;
    if (rest == end && value == floor(value))
        effort->count = (uint64_t)value;
    else if (end - rest == 1 && *rest == 's')
        effort->seconds = value;
    else if (end - rest == 2 && strncmp(rest, "ms", 2) == 0)
        effort->seconds = value / 1000;
    return effort->count || effort->seconds > 0;
}

/* The setting NAME=VALUE of the agent. */
static bool read_setting(part p, fzi_agent_settings *settings, char *message, size_t size)
{
    const char *equals = memchr(p.text, '=', (size_t)p.length);
    part name = {p.text, equals ? (int)(equals - p.text) : p.length};
    unsigned at = 0;

    for (unsigned i = 0; i < INFOS; i++) {
        double value;
        if (strcmp(infos[i].agent, kinds[settings->kind].name) != 0)
            continue;
        if (!is(name, infos[i].name)) {
            at++;
            continue;
        }
        part text = {equals + 1, p.length - name.length - 1};
        if (infos[i].numbers == PATH && equals && text.length > 0) {
            settings->file = text.text;
            settings->file_length = text.length;
            return true;
        }
        if (infos[i].numbers == PATH) {
            snprintf(message, size, "'%.*s': the path of a file is expected",
                     p.length > 40 ? 40 : p.length, p.text);
            return false;
        }
        if (equals && number_of(text, &value) == text.text + text.length &&
            value >= infos[i].low && value <= infos[i].high &&
            (infos[i].numbers == REAL || value == floor(value))) {
            settings->values[at] = value;
            return true;
        }
        snprintf(message, size, "'%.*s': a %snumber from %g to %g is expected",
                 p.length > 40 ? 40 : p.length, p.text, infos[i].numbers == WHOLE ? "whole " : "",
                 infos[i].low, infos[i].high);
        return false;
    }
    snprintf(message, size, "'%.*s' is no setting of agent '%s'",
             p.length > 40 ? 40 : p.length, p.text,
             kinds[settings->kind].name);
    return false;
}

/* Values that the description does not give are NAN until it is read. */
static void begin_values(fzi_agent_settings *settings)
{
    for (unsigned i = 0; i < FZ_MAX_SETTINGS; i++)
        settings->values[i] = NAN;
}

static void default_values(fzi_agent_settings *settings)
{
    unsigned at = 0;

    for (unsigned i = 0; i < INFOS; i++)
        if (strcmp(infos[i].agent, kinds[settings->kind].name) == 0) {
            if (isnan(settings->values[at]))
                settings->values[at] = settings->file ? infos[i].learned : infos[i].initial;
            at++;
        }
}

/* Agents that search think as long as this unless the description says otherwise. */
static fzi_effort default_effort(fzi_agent_kind kind)
{
    switch (kind) {
    case FZ_AGENT_FLAT:
    case FZ_AGENT_MCTS: return (fzi_effort){.count = 1000};
    case FZ_AGENT_ALPHABETA: return (fzi_effort){.count = 4};
    default: return (fzi_effort){0};
    }
}

static part next_part(const char *text)
{
    return (part){text, (int)strcspn(text, ":")};
}

static bool read_name(part name, fzi_agent_settings *settings, char *message, size_t size)
{
    for (unsigned i = 1; i < KINDS; i++)
        if (is(name, kinds[i].name)) {
            settings->kind = (fzi_agent_kind)i;
            return true;
        }
    size_t used = (size_t)snprintf(message, size, "there is no agent '%.*s'; there are:",
                                   name.length > 40 ? 40 : name.length, name.text);
    for (unsigned i = 1; i < KINDS && used < size; i++)
        used += (size_t)snprintf(message + used, size - used, "%s %s", i > 1 ? "," : "",
                                 kinds[i].name);
    return false;
}

bool fzi_agent_settings_read(const char *description, fzi_agent_settings *settings, char *message,
                             size_t size)
{
    part p = next_part(description);
    const char *rest = description + p.length;

    *settings = (fzi_agent_settings){0};
    if (!read_name(p, settings, message, size))
        return false;
    settings->effort = default_effort(settings->kind);
    begin_values(settings);
    for (bool first = true; *rest; first = false) {
        fzi_effort effort = {0};
        p = next_part(rest + 1);
        rest = p.text + p.length;
        if (first && *kinds[settings->kind].argument && !memchr(p.text, '=', (size_t)p.length)) {
            if (!read_effort(p, &effort)) {
                snprintf(message, size,
                         "'%.*s': a whole number from 1 or a time such as 0.5s is expected",
                         p.length > 40 ? 40 : p.length, p.text);
                return false;
            }
            settings->effort = effort;
        } else if (!read_setting(p, settings, message, size)) {
            return false;
        }
    }
    default_values(settings);
    if (settings->kind == FZ_AGENT_CFR && !settings->file)
        snprintf(message, size, "'cfr' needs strategy=FILE, a strategy of ferz learn");
    return settings->kind != FZ_AGENT_CFR || settings->file;
}

char *fzi_agent_file(fzi_allocator allocator, const char *description, bool *strategy)
{
    fzi_agent_settings settings;
    char message[256];

    if (!fzi_agent_settings_read(description, &settings, message, sizeof message) || !settings.file)
        return NULL;
    *strategy = settings.kind == FZ_AGENT_CFR;
    return fzi_copy_text(allocator, settings.file, (size_t)settings.file_length);
}

bool fzi_agent_doubled(const char *description, char *text, size_t size)
{
    fzi_agent_settings settings;
    part name = next_part(description), effort;
    const char *rest = description + name.length;
    char message[256];
    int written;

    if (!fzi_agent_settings_read(description, &settings, message, sizeof message) ||
        (settings.kind != FZ_AGENT_FLAT && settings.kind != FZ_AGENT_MCTS))
        return false;
    effort = next_part(*rest ? rest + 1 : rest);
    if (*rest && !memchr(effort.text, '=', (size_t)effort.length))
        rest = effort.text + effort.length;
    if (settings.effort.count)
        written = snprintf(text, size, "%.*s:%llu%s", name.length, name.text,
                           2 * (unsigned long long)settings.effort.count, rest);
    else
        written = snprintf(text, size, "%.*s:%gs%s", name.length, name.text,
                           2 * settings.effort.seconds, rest);
    return written >= 0 && (size_t)written < size;
}

bool fzi_agent_settled(const char *description, char *text, size_t size)
{
    fzi_agent_settings settings;
    char message[256];
    unsigned at = 0;

    if (!fzi_agent_settings_read(description, &settings, message, sizeof message))
        return false;
    size_t used = (size_t)snprintf(text, size, "%s", kinds[settings.kind].name);
    if (settings.effort.count && used < size)
        used += (size_t)snprintf(text + used, size - used, ":%llu",
                                 (unsigned long long)settings.effort.count);
    else if (settings.effort.seconds > 0 && used < size)
        used += (size_t)snprintf(text + used, size - used, ":%gs", settings.effort.seconds);
    for (unsigned i = 0; i < INFOS && used < size; i++) {
        if (strcmp(infos[i].agent, kinds[settings.kind].name) != 0)
            continue;
        if (infos[i].numbers != PATH)
            used += (size_t)snprintf(text + used, size - used, ":%s=%.15g", infos[i].name,
                                     settings.values[at++]);
        else if (settings.file)
            used += (size_t)snprintf(text + used, size - used, ":%s=%.*s", infos[i].name,
                                     settings.file_length, settings.file);
    }
    return used < size;
}
