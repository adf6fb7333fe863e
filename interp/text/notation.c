/* Texts of moves, for all who print or read moves. A text is the label of the option with the
 * move's bindings. To read one, the legal moves are written until one has this text, so every
 * text in a list can be read. */
#include "notation.h"

#include <ctype.h>
#include <stdlib.h>

#include "interp/ferz_tools.h"
#include "interp/program/values.h"
#include "interp/support/text.h"
#include "interp/vm/fault.h"
#include "interp/vm/game.h"

/* The label without blanks at its ends. */
static fz_status write_label(fz_machine *machine, const fz_state *state, const fz_move *move,
                             fzi_buffer *out)
{
    fz_status status = fzi_move_write(machine, state, move, false, out);
    const char *text = fzi_buffer_get(out);

    if (status != FZ_OK || !out->length)
        return status;
    fzi_slice_strip(&text, &out->length);
    memmove(out->data, text, out->length);
    out->data[out->length] = '\0';
    return FZ_OK;
}

/* ---- moves that read alike ---- */

static int by_hash(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

/* The bytes on which the legal moves of a state depend, except its history. */
static const uint8_t *key_of(const fz_state *state, size_t *size)
{
    size_t pending = fzi_head_of(state)->pendings * sizeof(fzi_pending);

    *size = pending + fzi_state_used(state);
    return state->block - pending;
}

static void forget(fz_machine *machine)
{
    FZI_RELEASE(machine->allocator, machine->alike.state, machine->alike.hashes);
    machine->alike = (fzi_alike){0};
}

static bool is_known(const fz_machine *machine, const fz_state *state)
{
    size_t size;
    const uint8_t *key = key_of(state, &size);

    return machine->alike.state && machine->alike.size == size &&
           memcmp(machine->alike.state, key, size) == 0;
}

/* Only the hashes that occur more than once are kept, each once. */
static uint32_t keep_repeated(uint64_t *hashes, size_t count)
{
    uint32_t kept = 0;

    qsort(hashes, count, sizeof *hashes, by_hash);
    for (size_t i = 1; i < count; i++) {
        if (hashes[i] == hashes[i - 1] && (!kept || hashes[kept - 1] != hashes[i]))
            hashes[kept++] = hashes[i];
    }
    return kept;
}

/* False: the labels could not be written. */
static bool hash_labels(fz_machine *machine, const fz_state *state, const fzi_move_list *list,
                        uint64_t *hashes)
{
    fzi_buffer label = fzi_buffer_in(machine->allocator);
    fzi_cursor cursor = FZI_CURSOR_AT(0);
    bool done = true;
    size_t count = 0;
    fz_move move;

    while (done && fzi_move_list_next(list, &cursor, list->segment_count, &move)) {
        fzi_buffer_clear(&label);
        done = write_label(machine, state, &move, &label) == FZ_OK;
        hashes[count++] = fzi_text_hash(label.data, label.length, FZI_HASH_START);
    }
    fzi_buffer_free(&label);
    return done;
}

/* Notes which texts several of the legal moves have. `moves` is filled with these. */
static fz_status learn(fz_machine *machine, const fz_state *state, fz_moves *moves)
{
    fz_status status = fz_state_moves(machine, state, moves);
    size_t size, count = moves->list.total;
    const uint8_t *key = key_of(state, &size);
    uint64_t *hashes;

    if (status != FZ_OK || is_known(machine, state))
        return status;
    forget(machine);
    hashes = fzi_allocate(machine->allocator, (count + 1) * sizeof *hashes);
    machine->alike.hashes = hashes;
    machine->alike.state = hashes ? fzi_allocate(machine->allocator, size) : NULL;
    if (!machine->alike.state || !hash_labels(machine, state, &moves->list, hashes)) {
        status = machine->alike.state ? FZ_RUNTIME : fzi_machine_no_memory(machine);
        forget(machine);
        return status;
    }
    memcpy(machine->alike.state, key, size);
    machine->alike.size = size;
    machine->alike.count = keep_repeated(hashes, count);
    return FZ_OK;
}

/* The number of the move among those with this label, from 1; 0: none of them. */
static unsigned ordinal_of(fz_machine *machine, const fz_state *state, const fzi_move_list *list,
                           const char *label, const fz_move *wanted)
{
    fzi_buffer other = fzi_buffer_in(machine->allocator);
    fzi_cursor cursor = FZI_CURSOR_AT(0);
    unsigned before = 0;
    bool found = false;
    fz_move move;

    while (!found && fzi_move_list_next(list, &cursor, list->segment_count, &move)) {
        fzi_buffer_clear(&other);
        if (write_label(machine, state, &move, &other) == FZ_OK)
            before += strcmp(fzi_buffer_get(&other), label) == 0;
        found = fzi_move_same(&move, wanted);
    }
    fzi_buffer_free(&other);
    return found ? before : 0;
}

/* If the list cannot be made, for example before an error of the script, the label has no
 * number. */
static void add_ordinal(fz_machine *machine, const fz_state *state, const fz_move *move,
                        fzi_buffer *label)
{
    uint64_t hash = fzi_text_hash(label->data, label->length, FZI_HASH_START);
    fz_moves *moves = fz_moves_new(machine);
    unsigned ordinal = 0;
    fz_status status = FZ_OK;

    if (moves && !is_known(machine, state))
        status = learn(machine, state, moves);
    if (moves && status == FZ_OK && machine->alike.count &&
        bsearch(&hash, machine->alike.hashes, machine->alike.count, sizeof hash, by_hash) &&
        fz_state_moves(machine, state, moves) == FZ_OK)
        ordinal = ordinal_of(machine, state, &moves->list, fzi_buffer_get(label), move);
    fz_moves_free(moves);
    if (ordinal > 1 || !label->length)
        fzi_buffer_format(label, "#%u", ordinal > 1 ? ordinal : 1);
}

fz_status fzi_move_name(fz_machine *machine, const fz_state *state, const fz_move *move,
                        fzi_buffer *out)
{
    fzi_buffer label = fzi_buffer_in(machine->allocator);
    fz_status status = write_label(machine, state, move, &label);

    if (status == FZ_OK) {
        add_ordinal(machine, state, move, &label);
        fzi_buffer_text(out, fzi_buffer_get(&label));
        status = label.failed || out->failed ? fzi_machine_no_memory(machine) : FZ_OK;
    }
    fzi_buffer_free(&label);
    return status;
}

/* ---- texts ---- */

/* The text of the move, in the machine's own buffer. */
static const char *text_of(fz_machine *machine, const fz_state *state, const fz_move *move,
                           bool shown)
{
    fzi_buffer text = fzi_buffer_in(machine->allocator);
    fz_status status = shown ? fzi_move_write(machine, state, move, true, &text)
                             : fzi_move_name(machine, state, move, &text);

    fzi_buffer_clear(&machine->text);
    fzi_buffer_text(&machine->text, status == FZ_OK ? fzi_buffer_get(&text) : "?");
    fzi_buffer_free(&text);
    return fzi_buffer_get(&machine->text);
}

const char *fz_move_text(fz_machine *machine, const fz_state *state, const fz_move *move)
{
    return text_of(machine, state, move, false);
}

const char *fz_move_text_shown(fz_machine *machine, const fz_state *state, const fz_move *move)
{
    return text_of(machine, state, move, true);
}

const char *fz_move_text_for(fz_machine *machine, const fz_state *state, const fz_move *move,
                             int player)
{
    bool other = player >= 0 && fz_state_decider(state) != player;

    if (other && move->option < machine->program->option_count &&
        fzi_move_is_sealed(machine->program, move))
        return "?";
    return text_of(machine, state, move, other);
}

bool fzi_move_text_is(const char *text, const char *wanted)
{
    size_t own = strlen(text), length = strlen(wanted);

    fzi_slice_strip(&text, &own);
    fzi_slice_strip(&wanted, &length);
    return own == length && memcmp(text, wanted, length) == 0;
}

/* "text#3" as its length without the number, and the number from 2; 0: it has none. `#1` is an
 * empty label. */
static unsigned split_ordinal(const char *text, size_t *length)
{
    const char *sign = strrchr(text, '#');
    unsigned number = 0;

    for (const char *at = sign ? sign + 1 : ""; *at && !isspace((unsigned char)*at); at++) {
        if (*at < '0' || *at > '9' || number > 1000000)
            return 0;
        number = number * 10 + (unsigned)(*at - '0');
    }
    *length = sign ? (size_t)(sign - text) : 0;
    return number > 1 || sign == text ? number : 0;
}

/* The first move of the list whose label is the text, or the one that `#2` and so on after it
 * means. A label that itself ends so goes first. */
static fz_status find(fz_machine *machine, const fz_state *state, const fzi_move_list *list,
                      const char *text, fzi_buffer *label, fz_move *found)
{
    fzi_cursor cursor = FZI_CURSOR_AT(0);
    size_t length = 0;
    unsigned alike = 0;
    fz_move move;

    text += strspn(text, " \t\r\n");
    unsigned ordinal = split_ordinal(text, &length);
    while (fzi_move_list_next(list, &cursor, list->segment_count, &move)) {
        fzi_buffer_clear(label);
        fz_status status = write_label(machine, state, &move, label);
        if (status != FZ_OK)
            return status;
        const char *own = fzi_buffer_get(label);
        if (fzi_move_text_is(own, text)) {
            *found = move;
            return FZ_OK;
        }
        if (ordinal && strlen(own) == length && memcmp(own, text, length) == 0 &&
            ++alike == ordinal)
            *found = move;
    }
    if (ordinal && alike >= ordinal)
        return FZ_OK;
    return fzi_machine_say(machine, FZ_NOT_FOUND, "'%s' is not a legal move", text);
}

fz_status fz_move_parse(fz_machine *machine, const fz_state *state, const char *text, fz_move *move)
{
    fzi_buffer label = fzi_buffer_in(machine->allocator);
    fz_moves *moves = fz_moves_new(machine);
    fz_move unused;

    if (!moves)
        return fzi_machine_no_memory(machine);
    fz_status status = fz_state_moves(machine, state, moves);
    if (status == FZ_OK)
        status = find(machine, state, &moves->list, text, &label, move ? move : &unused);
    fzi_buffer_free(&label);
    fz_moves_free(moves);
    return status;
}

enum { MAX_COMMAS = 8 }; /* in the text of one move */

size_t fz_move_length(fz_machine *machine, const fz_state *state, const char *texts, size_t length)
{
    const char *end = memchr(texts, ',', length);
    size_t best = end ? (size_t)(end - texts) : length;

    if (fz_state_waiting(state) != FZ_WAITING_MOVE)
        return best;
    for (int commas = 0; commas < MAX_COMMAS && end; commas++) {
        size_t left = length - (size_t)(end + 1 - texts);
        fz_move move;
        end = memchr(end + 1, ',', left);
        char *text = fzi_copy_text(machine->allocator, texts, end ? (size_t)(end - texts) : length);
        if (!text)
            break;
        if (fz_move_parse(machine, state, text, &move) == FZ_OK)
            best = strlen(text);
        fzi_release(machine->allocator, text);
    }
    return best;
}
