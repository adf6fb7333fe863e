/* Logs of turns. See state.h. */
#include "state.h"

enum { MAX_LOGGED = 1 << 21 }; /* 100 MiB or so */

fzi_log *fzi_log_new(fzi_allocator allocator)
{
    fzi_log *log = fzi_allocate(allocator, sizeof *log);

    if (log)
        *log = (fzi_log){.allocator = allocator};
    return log;
}

void fzi_log_free(fzi_log *log)
{
    if (!log)
        return;
    fzi_allocator allocator = log->allocator;
    FZI_RELEASE(allocator, log->start, log->spare, log->entries, log->origin, log);
}

/* Room for `count` entries; without memory, or when there are too many, the log is lost, and the
 * game goes on. */
static bool reserve(fzi_log *log, size_t count)
{
    size_t wanted = log->capacity ? log->capacity : 16;
    if (count <= log->capacity)
        return true;
    while (wanted < count)
        wanted *= 2;
    fzi_log_entry *grown =
        wanted > MAX_LOGGED ? NULL : log->allocator.resize(log->allocator.user, log->entries,
                                                           wanted * sizeof *grown);
    if (!grown) {
        log->lost = true;
        return false;
    }
    log->entries = grown;
    log->capacity = wanted;
    return true;
}

static bool set_start(fzi_log *log, const uint8_t *block, size_t size)
{
    if (size > log->start_size) {
        uint8_t *start = log->allocator.resize(log->allocator.user, log->start, size);
        if (!start) {
            log->lost = true;
            return false;
        }
        log->start = start;
    }
    log->start_size = size;
    if (size)
        memcpy(log->start, block, size);
    return true;
}

static bool copy_origin(fzi_log *into, const fzi_log *from)
{
    fzi_release(into->allocator, into->origin);
    into->origin = NULL;
    into->before = from->before;
    if (!from->origin)
        return true;
    into->origin = fzi_copy_text(into->allocator, from->origin, strlen(from->origin));
    return into->origin != NULL;
}

bool fzi_log_copy(fzi_log *into, const fzi_log *from)
{
    if (!set_start(into, from->start, from->start_size) || !reserve(into, from->count) ||
        !copy_origin(into, from))
        return false;
    if (from->count)
        memcpy(into->entries, from->entries, from->count * sizeof *from->entries);
    into->count = from->count;
    into->turn = from->turn;
    into->keep = from->keep;
    into->whole = from->whole;
    into->lost = from->lost;
    return true;
}

static void swap_start(fzi_log *log)
{
    uint8_t *start = log->start;
    size_t size = log->start_size;

    log->start = log->spare;
    log->start_size = log->spare_size;
    log->spare = start;
    log->spare_size = size;
}

void fzi_log_forget(fzi_log *log)
{
    if (!log)
        return;
    log->count = log->turn = log->before = 0;
    log->start_size = 0;
    log->lost = false;
}

void fzi_log_begin(fzi_log *log, const uint8_t *block, size_t size)
{
    if (log->marked) {
        if (!log->begun)
            swap_start(log);
        log->begun = true;
    } else if (!log->keep) {
        log->count = 0;
        log->lost = false;
    }
    log->turn = log->count;
    set_start(log, block, size);
}

void fzi_log_mark(fzi_log *log)
{
    if (!log)
        return;
    log->marked = true;
    log->begun = false;
    log->was_lost = log->lost;
    log->mark_count = log->count;
    log->mark_turn = log->turn;
}

/* Drops the entries of finished turns, unless the log keeps them. */
void fzi_log_commit(fzi_log *log)
{
    if (!log)
        return;
    log->marked = false;
    if (log->keep || log->turn == 0 || !log->begun)
        return;
    memmove(log->entries, log->entries + log->turn,
            (log->count - log->turn) * sizeof *log->entries);
    log->count -= log->turn;
    log->turn = 0;
}

void fzi_log_rollback(fzi_log *log)
{
    if (!log)
        return;
    log->marked = false;
    log->count = log->mark_count;
    log->turn = log->mark_turn;
    log->lost = log->was_lost;
    if (log->begun)
        swap_start(log);
}

static void add(fzi_log *log, fzi_log_entry entry)
{
    if (reserve(log, log->count + 1))
        log->entries[log->count++] = entry;
}

void fzi_log_move(fzi_log *log, const fz_move *move, int decider)
{
    add(log, (fzi_log_entry){.move = *move, .decider = (int8_t)decider});
}

void fzi_log_chance(fzi_log *log, int64_t value, uint16_t blind)
{
    add(log, (fzi_log_entry){.is_chance = true, .value = value, .blind = blind});
}
