/* The rules of one variant: its keys and those of its bases, in the order of fairy_keys.def. See
 * fairy.h. */
#include "fairy.h"

#include <ctype.h>
#include <stdlib.h>

enum { MAX_NUMBER = 1000, MAX_BASES = 64 };

enum sort { TEXT, WORD, NUMBER, BOOL, RANK, FILE_, RESULT, KIND_, KINDS, SQUARES, COUNTS, PAIRS };
enum players { WHITE, BLACK, BOTH };
enum state { SAID, NOT_YET, NO_RULE };

#define FILE FILE_
#define KIND KIND_
static const struct row {
    const char *key;
    enum sort sort;
    enum fzi_fairy_field field;
    enum players players;
    const char *preset;
    enum state state;
} rows[] = {
#define KEY(key, sort, field, players, preset, state)                                              \
    {#key, sort, FZ_FAIRY_F_##field, players, preset, state},
#include "fairy_keys.def"
#undef KEY
};
#undef FILE
#undef KIND
enum { ROWS = sizeof rows / sizeof *rows };

static const struct kind_row {
    const char *key, *name, *moves;
} kinds[] = {
#define KIND(key, name, moves) {#key, name, moves},
#include "fairy_kinds.def"
#undef KIND
};

const char *fzi_fairy_kind_name(enum fzi_fairy_kind kind)
{
    return kinds[kind].name;
}

static void refuse(fzi_fairy_rules *rules, unsigned line, const char *clause, const char *why)
{
    fzi_import_refuse(rules->arena, &rules->refused, line, clause, why);
}

void fzi_fairy_refuse_kind(fzi_fairy_rules *rules, enum fzi_fairy_kind kind, const char *why)
{
    refuse(rules, rules->kind_line[kind],
           fzi_arena_printf(rules->arena, "%s = %c:%s", kinds[kind].key,
                            tolower((unsigned char)rules->letters[kind]), rules->moves[kind]),
           why);
}

void fzi_fairy_refuse_field(fzi_fairy_rules *rules, enum fzi_fairy_field field, const char *why)
{
    const fzi_fairy_value *white = rules->values[field], *black = white + 1;
    const fzi_fairy_value *value = black->line > white->line ? black : white;

    refuse(rules, value->line, fzi_arena_printf(rules->arena, "%s = %s", value->key, value->text),
           why);
}

/* ---- values ---- */

static enum fzi_fairy_kind kind_of(const fzi_fairy_rules *rules, char letter)
{
    if (isalpha((unsigned char)letter))
        for (int k = 0; k < FZ_FAIRY_KINDS; k++)
            if (rules->letters[k] == toupper((unsigned char)letter))
                return (enum fzi_fairy_kind)k;
    return letter == '*' ? FZ_FAIRY_ANY : FZ_FAIRY_NONE;
}

/* A whole number and nothing else. */
static bool read_number(const char *text, long least, long *number)
{
    char *end;
    *number = strtol(text, &end, 10);
    return end > text && *end == '\0' && *number >= least && *number <= MAX_NUMBER;
}

/* A number from 1, or a letter from a. */
static bool read_file(const char *text, long *number)
{
    if (islower((unsigned char)text[0]) && text[1] == '\0') {
        *number = text[0] - 'a' + 1;
        return true;
    }
    return read_number(text, 1, number);
}

static bool read_result(const char *text, long *number)
{
    static const char *const results[] = {"none", "loss", "draw", "win"};
    for (int i = 0; i < 4; i++)
        if (strcmp(text, results[i]) == 0) {
            *number = i;
            return true;
        }
    return false;
}

static bool read_kinds(const fzi_fairy_rules *rules, const char *text, uint64_t *set)
{
    *set = 0;
    for (; *text && *text != '-'; text++) {
        enum fzi_fairy_kind kind = kind_of(rules, *text);
        if (kind == FZ_FAIRY_NONE && *text != ' ')
            return false;
        if (*text != ' ')
            *set |= (uint64_t)1 << kind;
    }
    return *text == '\0' || text[1] == '\0';
}

/* `p:g s:-` and `q:1 r:2`: pairs of a letter and a letter or a number. They add to those of the
 * base. */
static bool read_pairs(fzi_fairy_rules *rules, const char *text, bool counts)
{
    char word[16];

    while ((text = fzi_fairy_word(text, word, sizeof word)) && strcmp(word, "-") != 0) {
        enum fzi_fairy_kind kind = kind_of(rules, word[0]);
        if (kind >= FZ_FAIRY_KINDS || word[1] != ':')
            return false;
        if (counts) {
            if (!read_number(word + 2, 0, &rules->limit[kind]))
                return false;
            continue;
        }
        enum fzi_fairy_kind to = kind_of(rules, word[2]);
        if (to == FZ_FAIRY_ANY || (to == FZ_FAIRY_NONE && word[2] != '-') || word[2] == '\0' ||
            word[3] != '\0')
            return false;
        rules->promoted[kind] = to;
    }
    return true;
}

static bool read_kind(const fzi_fairy_rules *rules, const char *text, long *number)
{
    *number = kind_of(rules, text[0]);
    return text[0] != '\0' && text[1] == '\0' && (*number != FZ_FAIRY_NONE || text[0] == '-');
}

static bool read_value(fzi_fairy_rules *rules, enum sort sort, const char *text,
                       fzi_fairy_value *value)
{
    value->text = text;
    switch (sort) {
    case NUMBER:
    case RANK: return read_number(text, sort == RANK, &value->number);
    case BOOL:
        value->number = strcmp(text, "true") == 0;
        return value->number || strcmp(text, "false") == 0;
    case FILE_: return read_file(text, &value->number);
    case RESULT: return read_result(text, &value->number);
    case KIND_: return read_kind(rules, text, &value->number);
    case KINDS: return read_kinds(rules, text, &value->kinds);
    case SQUARES: return fzi_squares_read(text, &value->squares);
    case COUNTS:
    case PAIRS: return read_pairs(rules, text, sort == COUNTS);
    default: return true;
    }
}

static bool same_value(enum sort sort, const fzi_fairy_value *a, const fzi_fairy_value *b)
{
    if (sort == TEXT || sort == WORD || sort == COUNTS || sort == PAIRS)
        return strcmp(a->text, b->text) == 0;
    return a->number == b->number && a->kinds == b->kinds &&
           fzi_squares_equal(&a->squares, &b->squares);
}

/* ---- the kinds of pieces ---- */

static void remove_kind(fzi_fairy_rules *rules, int kind)
{
    rules->letters[kind] = '\0';
    for (int colour = 0; colour < FZ_FAIRY_COLOURS; colour++)
        FZ_FAIRY_VALUE(rules, PROMOTION_KINDS, colour)->kinds &= ~((uint64_t)1 << kind);
}

/* A kind takes its letter from the kind that had it. */
static void add_kind(fzi_fairy_rules *rules, int kind, char letter, unsigned line)
{
    enum fzi_fairy_kind other = kind_of(rules, letter);

    if (other < FZ_FAIRY_KINDS)
        remove_kind(rules, (int)other);
    rules->letters[kind] = (char)toupper((unsigned char)letter);
    rules->kind_line[kind] = line;
}

/* `archbishop = a`, `customPiece1 = p:mfW`, `king = k:N`, `queen = -`. */
static void read_piece(fzi_fairy_rules *rules, int kind, const fzi_fairy_entry *entry)
{
    const char *value = entry->value;
    bool has_letter = isalpha((unsigned char)*value), own = !kinds[kind].moves;
    const char *moves = has_letter && value[1] == ':' ? value + 2 : NULL;

    if ((!has_letter && strcmp(value, "-") != 0) ||
        (has_letter && (moves ? !own && kind != FZ_FAIRY_king : value[1] != '\0' || own))) {
        refuse(rules, entry->line, fzi_arena_printf(rules->arena, "%s = %s", entry->key, value),
               "not a letter with or without moves");
        return;
    }
    if (!has_letter) {
        remove_kind(rules, kind);
        return;
    }
    add_kind(rules, kind, *value, entry->line);
    rules->moves[kind] = moves ? moves : kinds[kind].moves;
    if (moves && own && strchr(moves, 'e'))
        for (int colour = 0; colour < FZ_FAIRY_COLOURS; colour++)
            FZ_FAIRY_VALUE(rules, EN_PASSANT_PAWNS, colour)->kinds |= (uint64_t)1 << kind;
}

/* The rest of `mobilityRegionWhiteKing` names a kind; -1: it does not. */
static int region_kind(const char *key, int *colour)
{
    static const char *const begins[] = {"mobilityRegionWhite", "mobilityRegionBlack"};

    for (*colour = 0; *colour < FZ_FAIRY_COLOURS; ++*colour) {
        size_t length = strlen(begins[*colour]);
        if (strncmp(key, begins[*colour], length) != 0)
            continue;
        for (int k = 0; k < FZ_FAIRY_KINDS; k++)
            if (tolower((unsigned char)key[length]) == kinds[k].key[0] &&
                strcmp(key + length + 1, kinds[k].key + 1) == 0)
                return k;
    }
    return -1;
}

/* ---- a section ---- */

static const fzi_fairy_entry *entry_of(const fzi_fairy_section *section, const char *key)
{
    for (size_t i = 0; i < section->count; i++)
        if (strcmp(section->entries[i].key, key) == 0)
            return &section->entries[i];
    return NULL;
}

static void apply_row(fzi_fairy_rules *rules, const struct row *row, const fzi_fairy_entry *entry)
{
    fzi_fairy_value value = {.key = entry->key, .line = entry->line};

    if (!read_value(rules, row->sort, entry->value, &value)) {
        refuse(rules, entry->line,
               fzi_arena_printf(rules->arena, "%s = %s", entry->key, entry->value),
               "not a value of this key");
        return;
    }
    for (int colour = 0; colour < FZ_FAIRY_COLOURS; colour++)
        if (row->players == BOTH || (int)row->players == colour)
            rules->values[row->field][colour] = value;
}

static bool known(const char *key)
{
    int colour;

    for (size_t i = 0; i < ROWS; i++)
        if (strcmp(rows[i].key, key) == 0)
            return true;
    for (int k = 0; k < FZ_FAIRY_KINDS; k++)
        if (strcmp(kinds[k].key, key) == 0)
            return true;
    return region_kind(key, &colour) >= 0;
}

static void apply_regions(fzi_fairy_rules *rules, const fzi_fairy_section *section)
{
    for (size_t i = 0; i < section->count; i++) {
        const fzi_fairy_entry *entry = &section->entries[i];
        int colour, kind = region_kind(entry->key, &colour);
        if (kind >= 0 && !fzi_squares_read(entry->value, &rules->region[kind][colour]))
            refuse(rules, entry->line, entry->key, "not a value of this key");
    }
}

static void apply_section(fzi_fairy_rules *rules, const fzi_fairy_section *section)
{
    const fzi_fairy_entry *entry;

    for (int k = 0; k < FZ_FAIRY_KINDS; k++)
        if ((entry = entry_of(section, kinds[k].key)))
            read_piece(rules, k, entry);
    apply_regions(rules, section);
    for (size_t i = 0; i < ROWS; i++)
        if ((entry = entry_of(section, rows[i].key)))
            apply_row(rules, &rows[i], entry);
    for (size_t i = 0; i < section->count; i++)
        if (!known(section->entries[i].key))
            refuse(rules, section->entries[i].line, section->entries[i].key, "no such key");
}

/* The presets name kinds by the letters of chess. */
static void preset(fzi_fairy_rules *rules)
{
    static const char letters[] = "PNBRQ";

    for (int k = 0; k < FZ_FAIRY_KINDS; k++)
        rules->promoted[k] = FZ_FAIRY_NONE;
    for (int k = 0; letters[k]; k++)
        rules->letters[k] = letters[k];
    rules->letters[FZ_FAIRY_king] = 'K';
    for (size_t i = 0; i < ROWS; i++)
        if (rows[i].preset)
            apply_row(rules, &rows[i], &(fzi_fairy_entry){rows[i].key, rows[i].preset, 0});
    memset(rules->letters, 0, sizeof rules->letters);
}

/* ---- a variant ---- */

static void refuse_untold(fzi_fairy_rules *rules)
{
    fzi_fairy_rules presets = {.arena = rules->arena};

    preset(&presets);
    for (size_t i = 0; i < ROWS; i++)
        if (rows[i].preset && rows[i].state == NOT_YET) {
            enum fzi_fairy_field field = rows[i].field;
            for (int colour = 0; colour < FZ_FAIRY_COLOURS; colour++)
                if ((int)rows[i].players == colour || rows[i].players == BOTH) {
                    if (same_value(rows[i].sort, &rules->values[field][colour],
                                   &presets.values[field][colour]))
                        continue;
                    fzi_fairy_refuse_field(rules, field, "not translated yet");
                    break;
                }
        }
}

bool fzi_fairy_apply(const fzi_fairy_file *file, const fzi_fairy_section *section, fzi_arena *arena,
                     fzi_fairy_rules *rules)
{
    const fzi_fairy_section *way[MAX_BASES];
    size_t depth = 0;

    *rules = (fzi_fairy_rules){.arena = arena, .name = section->name, .path = file->path};
    preset(rules);
    if (section->again) {
        refuse(rules, section->line, "name", "a variant before it has the same");
        return false;
    }
    for (const fzi_fairy_section *at = section; at;) {
        way[depth++] = at;
        const fzi_fairy_section *base = *at->base ? fzi_fairy_base(file, at) : NULL;
        if (*at->base && (!base || depth == MAX_BASES)) {
            refuse(rules, at->line, fzi_arena_printf(arena, "base = %s", at->base),
                   base ? "builds on too many variants" : "no variant of this name before it");
            return false;
        }
        at = base;
    }
    while (depth-- > 0)
        apply_section(rules, way[depth]);
    refuse_untold(rules);
    return true;
}
