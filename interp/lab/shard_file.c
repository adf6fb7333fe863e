/* Shard files. See shard_file.h. */
#include "shard_file.h"

#include "interp/cli/files.h"
#include "fingerprint.h"
#include "measures_json.h"
#include "sums_json.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char format[] = "ferz shard 2";

int fzi_shard_range(const fzi_cli *cli, uint64_t total, uint64_t *first, uint64_t *count)
{
    const char *text = cli->values[FZ_CLI_SHARD], *slash = text ? strchr(text, '/') : NULL;
    char number[24];
    uint64_t shard, shards;

    *first = 0;
    *count = total;
    if (!text)
        return FZ_EXIT_OK;
    if (!slash || (size_t)(slash - text) >= sizeof number)
        return fzi_cli_complain(cli, "--shard takes K/N, such as 3/16, not '%s'", text);
    memcpy(number, text, (size_t)(slash - text));
    number[slash - text] = '\0';
    if (!fzi_cli_number(number, &shard) || !fzi_cli_number(slash + 1, &shards) || shard < 1 ||
        shard > shards || shards > UINT32_MAX)
        return fzi_cli_complain(cli, "--shard takes K/N with K from 1 to N, not '%s'", text);
    *first = (uint64_t)((fz_uint128)total * (shard - 1) / shards);
    *count = (uint64_t)((fz_uint128)total * shard / shards) - *first;
    return FZ_EXIT_OK;
}

/* ---- one file ---- */

/* Of the object without its member `checksum`. */
static bool checksum(json_t *object, char sum[FZI_FINGERPRINT_SIZE])
{
    char *text = json_dumps(object, JSON_COMPACT | JSON_SORT_KEYS);
    bool good = text && fzi_fingerprint(text, strlen(text), sum);

    free(text);
    return good;
}

char *fzi_shard_text(const fzi_shard *shard)
{
    json_t *object = json_object();
    char sum[FZI_FINGERPRINT_SIZE], *text, *line;
    size_t length;

    json_object_set_new(object, "format", json_string(format));
    json_object_set(object, "experiment", shard->experiment);
    json_object_set_new(object, "first", json_integer((long long)shard->first));
    json_object_set_new(object, "count", json_integer((long long)shard->count));
    json_object_set_new(object, "sums",
                        fzi_sums_json(&shard->sums, fzi_experiment_players(shard->experiment)));
    if (shard->measures) {
        json_object_set(object, "names", shard->names);
        json_object_set_new(object, "measures", fzi_measures_json(shard->measures));
    }
    checksum(object, sum);
    json_object_set_new(object, "checksum", json_string(sum));
    text = json_dumps(object, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
    json_decref(object);
    length = strlen(text);
    line = fzi_cli_allocate(text, length + 2);
    strcpy(line + length, "\n");
    return line;
}

static int damaged(const fzi_cli *cli, const char *path)
{
    return fzi_cli_complain(cli, "%s: this shard file is damaged", path);
}

static int parse(const fzi_cli *cli, const char *path, json_t *object, fzi_shard *shard)
{
    const char *word = json_string_value(json_object_get(object, "format"));
    const json_t *first = json_object_get(object, "first"), *count;
    char *given, sum[FZI_FINGERPRINT_SIZE];
    const char *stored = json_string_value(json_object_get(object, "checksum"));
    bool same;

    if (!word || strncmp(word, format, strlen(format) - 1) != 0)
        return fzi_cli_complain(cli, "%s: this is not a shard file of ferz playout", path);
    if (strcmp(word, format) != 0)
        return fzi_cli_complain(cli, "%s: this file has the format '%s', which this version of "
                                "ferz (" FZ_VERSION ") cannot read", path, word);
    given = fzi_cli_allocate(NULL, stored ? strlen(stored) + 1 : 1);
    strcpy(given, stored ? stored : "");
    json_object_del(object, "checksum");
    same = checksum(object, sum) && strcmp(given, sum) == 0;
    free(given);
    shard->experiment = json_object_get(object, "experiment");
    count = json_object_get(object, "count");
    if (!same || !fzi_experiment_is_whole(shard->experiment) || !json_is_integer(first) ||
        !json_is_integer(count) || json_integer_value(first) < 0 || json_integer_value(count) < 0)
        return damaged(cli, path);
    shard->first = (uint64_t)json_integer_value(first);
    shard->count = (uint64_t)json_integer_value(count);
    if (!fzi_sums_read(json_object_get(object, "sums"),
                       fzi_experiment_players(shard->experiment), &shard->sums) ||
        shard->sums.playouts + shard->sums.failed != shard->count ||
        shard->count > fzi_experiment_playouts(shard->experiment) ||
        shard->first > fzi_experiment_playouts(shard->experiment) - shard->count) {
        fz_sums_clear(&shard->sums);
        return damaged(cli, path);
    }
    json_incref(shard->experiment);
    return FZ_EXIT_OK;
}

/* Those of a shard of `ferz measure`. Games that failed are not measured. */
static int parse_measures(const fzi_cli *cli, const char *path, const json_t *object,
                          fzi_shard *shard)
{
    const json_t *measures = json_object_get(object, "measures");

    if (!measures && !json_object_get(shard->experiment, "measures"))
        return FZ_EXIT_OK;
    shard->names = json_incref(json_object_get(object, "names"));
    shard->measures = fzi_cli_allocate(NULL, sizeof *shard->measures);
    if (fzi_measures_read(measures, shard->names, shard->measures) &&
        json_object_get(shard->experiment, "measures") &&
        shard->measures->games <= shard->sums.playouts)
        return FZ_EXIT_OK;
    fzi_shard_clear(shard);
    return damaged(cli, path);
}

int fzi_shard_parse(const fzi_cli *cli, const char *path, const char *text, size_t length,
                    fzi_shard *shard)
{
    json_error_t error;
    json_t *object = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
    int code;

    *shard = (fzi_shard){.path = path};
    if (!object) {
        size_t begin = length < strlen(format) + 40 ? length : strlen(format) + 40;
        for (size_t i = 0; i + sizeof format - 1 <= begin; i++)
            if (memcmp(text + i, format, sizeof format - 1) == 0)
                return fzi_cli_complain(cli, "%s: this shard file is damaged: line %d: %s", path,
                                        error.line, error.text);
        return fzi_cli_complain(cli, "%s: this is not a shard file of ferz playout", path);
    }
    code = parse(cli, path, object, shard);
    if (code == FZ_EXIT_OK)
        code = parse_measures(cli, path, object, shard);
    json_decref(object);
    return code;
}

int fzi_shard_read(const fzi_cli *cli, const char *path, fzi_shard *shard)
{
    size_t length;
    char *text = fzi_file_read(cli, path, &length);
    int code;

    if (!text)
        return FZ_EXIT_USAGE;
    code = fzi_shard_parse(cli, path, text, length, shard);
    free(text);
    return code;
}

void fzi_shard_clear(fzi_shard *shard)
{
    json_decref(shard->experiment);
    json_decref(shard->names);
    fz_sums_clear(&shard->sums);
    if (shard->measures)
        fzi_measures_clear(shard->measures);
    free(shard->measures);
}

/* ---- joining ---- */

static int by_playouts(const void *one, const void *other)
{
    const fzi_shard *a = one, *b = other;

    return a->first != b->first ? (a->first < b->first ? -1 : 1)
           : a->count != b->count ? (a->count < b->count ? -1 : 1) : 0;
}

static int missing(const fzi_cli *cli, uint64_t first, uint64_t behind)
{
    if (behind - first == 1)
        return fzi_cli_complain(cli, "playout %" PRIu64 " is in none of the files", behind);
    return fzi_cli_complain(cli, "playouts %" PRIu64 " to %" PRIu64 " are in none of the files",
                            first + 1, behind);
}

/* The measures of all; games of one program have the same names. */
static int join_measures(const fzi_cli *cli, const fzi_shard *shards, size_t count, fzi_shard *all)
{
    const fzi_measures *first = shards[0].measures;

    if (!first)
        return FZ_EXIT_OK;
    all->names = json_incref(shards[0].names);
    all->measures = fzi_cli_allocate(NULL, sizeof *all->measures);
    if (!fzi_measures_make(all->measures, first->sizes, first->allocator))
        return fzi_cli_complain(cli, "out of memory");
    for (size_t i = 0; i < count; i++)
        if (!json_equal(shards[i].names, all->names) ||
            !fzi_measures_merge(all->measures, shards[i].measures))
            return fzi_cli_complain(cli, "%s and %s cannot be joined: different boards",
                                    shards[0].path, shards[i].path);
    return FZ_EXIT_OK;
}

int fzi_shards_join(const fzi_cli *cli, fzi_shard *shards, size_t count, fzi_shard *all)
{
    char text[FZI_DIFFERENCE_SIZE];
    uint64_t next = 0, total = fzi_experiment_playouts(shards[0].experiment);

    *all = (fzi_shard){.experiment = json_incref(shards[0].experiment), .count = total};
    fz_sums_init(&all->sums, fzi_cli_resize, NULL);
    for (size_t i = 1; i < count; i++)
        if (fzi_experiment_difference(shards[0].experiment, shards[i].experiment, text))
            return fzi_cli_complain(cli, "%s and %s cannot be joined: %s", shards[0].path,
                                    shards[i].path, text);
    qsort(shards, count, sizeof *shards, by_playouts);
    for (size_t i = 0; i < count; i++) {
        const fzi_shard *shard = &shards[i];
        if (shard->first > next)
            return missing(cli, next, shard->first);
        if (shard->first < next && shard->count)
            return fzi_cli_complain(cli, "%s and %s overlap: both have playout %" PRIu64,
                                    shards[i - 1].path, shard->path, shard->first + 1);
        fz_sums_merge(&all->sums, &shard->sums);
        next = shard->count ? shard->first + shard->count : next;
    }
    return next < total ? missing(cli, next, total) : join_measures(cli, shards, count, all);
}
