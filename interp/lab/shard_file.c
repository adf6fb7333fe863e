/* Shard files. See lab.h. */
#include "lab.h"

static const fzi_checked_form form = {"ferz shard 2", "a", "shard file", "playout"};

/* ---- one file ---- */

fz_status fzi_shard_text(const fzi_shard *shard, fz_context *context, char **result)
{
    json_t *object = json_object();

    json_object_set_new(object, "format", json_string(form.format));
    json_object_set(object, "experiment", shard->experiment);
    json_object_set_new(object, "first", json_integer((long long)shard->first));
    json_object_set_new(object, "count", json_integer((long long)shard->count));
    json_object_set_new(object, "sums",
                        fzi_sums_json(&shard->sums, fzi_experiment_players(shard->experiment)));
    return fzi_checked_json_text(object, context, result);
}

static fz_status damaged(fz_context *context, const char *path)
{
    return fzi_context_fail(context, FZ_BAD_INPUT, "%s: this %s is damaged", path, form.what);
}

static fz_status parse(fz_context *context, const char *path, json_t *object, fzi_shard *shard)
{
    const json_t *first = json_object_get(object, "first"), *count;

    shard->experiment = json_object_get(object, "experiment");
    count = json_object_get(object, "count");
    if (!fzi_experiment_is_whole(shard->experiment) || !json_is_integer(first) ||
        !json_is_integer(count) || json_integer_value(first) < 0 || json_integer_value(count) < 0)
        return damaged(context, path);
    shard->first = (uint64_t)json_integer_value(first);
    shard->count = (uint64_t)json_integer_value(count);
    if (!fzi_sums_read(json_object_get(object, "sums"),
                       fzi_experiment_players(shard->experiment), context->allocator,
                       &shard->sums) ||
        fzi_shard_played(shard) != shard->count ||
        shard->count > fzi_experiment_playouts(shard->experiment) ||
        shard->first > fzi_experiment_playouts(shard->experiment) - shard->count) {
        fz_sums_clear(&shard->sums);
        return damaged(context, path);
    }
    json_incref(shard->experiment);
    return FZ_OK;
}

fz_status fzi_shard_parse(fz_context *context, const char *path, const char *text, size_t length,
                    fzi_shard *shard)
{
    json_t *object;
    fz_status status = fzi_checked_json_parse(context, path, &form, text, length, &object);

    *shard = (fzi_shard){.path = path};
    if (status != FZ_OK)
        return status;
    status = parse(context, path, object, shard);
    json_decref(object);
    return status;
}

void fzi_shard_clear(fzi_shard *shard)
{
    json_decref(shard->experiment);
    fz_sums_clear(&shard->sums);
}

/* ---- joining ---- */

static int by_playouts(const void *one, const void *other)
{
    const fzi_shard *a = one, *b = other;

    return a->first != b->first ? (a->first < b->first ? -1 : 1)
           : a->count != b->count ? (a->count < b->count ? -1 : 1) : 0;
}

static fz_status missing(fz_context *context, uint64_t first, uint64_t behind)
{
    if (behind - first == 1)
        return fzi_context_fail(context, FZ_BAD_INPUT,
                                "playout %" PRIu64 " is in none of the files", behind);
    return fzi_context_fail(context, FZ_BAD_INPUT,
                            "playouts %" PRIu64 " to %" PRIu64 " are in none of the files",
                            first + 1, behind);
}

fz_status fzi_shards_join(fz_context *context, fzi_shard *shards, size_t count, fzi_shard *all)
{
    char text[FZI_DIFFERENCE_SIZE];
    uint64_t next = 0, total = fzi_experiment_playouts(shards[0].experiment);

    *all = (fzi_shard){.experiment = json_incref(shards[0].experiment), .count = total};
    fz_sums_init(&all->sums, context->allocator.resize, context->allocator.user);
    for (size_t i = 1; i < count; i++)
        if (fzi_experiment_difference(shards[0].experiment, shards[i].experiment, text))
            return fzi_context_fail(context, FZ_BAD_INPUT, "%s and %s cannot be joined: %s",
                                    shards[0].path, shards[i].path, text);
    qsort(shards, count, sizeof *shards, by_playouts);
    for (size_t i = 0; i < count; i++) {
        const fzi_shard *shard = &shards[i];
        if (shard->first > next)
            return missing(context, next, shard->first);
        if (shard->first < next && shard->count)
            return fzi_context_fail(context, FZ_BAD_INPUT,
                                    "%s and %s overlap: both have playout %" PRIu64,
                                    shards[i - 1].path, shard->path, shard->first + 1);
        fz_sums_merge(&all->sums, &shard->sums);
        next = shard->count ? shard->first + shard->count : next;
    }
    return next < total ? missing(context, next, total) : FZ_OK;
}
