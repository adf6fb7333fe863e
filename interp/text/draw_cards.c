/* Writes the cards of drawings in text as cards: the rank and the sign of the suit. See draw.h. */
#include "draw.h"

static const struct {
    const char *sign;
    bool red;
} suits[] = {
#define SUIT(id, name, red, sign) {sign, red},
#include "interp/program/views.def"
#undef SUIT
};

/* The texts of a type's cards. */
typedef struct deck {
    const fzi_drawing *d;
    uint16_t type;
    fzi_buffer one, other;
} deck;

static int suit_of(const deck *k, int64_t card)
{
    const fz_hint *hint = fzi_hint_find(k->d->program, FZ_HINT_SUIT, card);

    return hint ? hint->b : -1;
}

static const char *text_of(const deck *k, int64_t card, fzi_buffer *out)
{
    fzi_buffer_clear(out);
    fzi_value_text(k->d->program, k->type, card, false, out);
    return fzi_buffer_get(out);
}

/* The card of that text; -1: there is none. */
static int64_t card_called(deck *k, const char *text, size_t length)
{
    for (int64_t c = 0; c <= k->d->program->types[k->type].high; c++)
        if (strncmp(text_of(k, c, &k->one), text, length) == 0 && k->one.length == length)
            return c;
    return -1;
}

/* The rank: what its text has beyond the common beginning of its suit. */
static const char *rank_of(deck *k, int64_t card)
{
    const char *text = text_of(k, card, &k->one);
    size_t common = k->one.length;

    for (int64_t c = 0; c <= k->d->program->types[k->type].high; c++) {
        const char *other = c != card && suit_of(k, c) == suit_of(k, card)
                                ? text_of(k, c, &k->other) : text;
        size_t same = 0;
        while (same < common && text[same] == other[same])
            same++;
        common = same;
    }
    return text + (common < k->one.length ? common : 0);
}

static void add_card(deck *k, int64_t card, fzi_buffer *out)
{
    int suit = suit_of(k, card);
    bool red = suit >= 0 && suits[suit].red;
    const char *sign = suit >= 0 ? suits[suit].sign : ""; /* a suit of the script may have none */
    const char *rank = suit >= 0 ? rank_of(k, card) : text_of(k, card, &k->one);

    if (k->d->palette)
        fzi_buffer_format(out, "\033[48;5;255;38;5;%sm %s%s \033[0m", red ? "160" : "16", rank,
                          sign);
    else if (k->d->colour)
        fzi_buffer_format(out, "\033[%sm%s%s\033[0m", red ? "31" : "1", rank, sign);
    else
        fzi_buffer_format(out, "%s%s", rank, sign);
}

/* Appends the lines with words that are cards replaced, and without the signs of a set. */
static void rewrite(deck *k, const char *text, fzi_buffer *out)
{
    bool in_set = false, value = false;

    while (*text) {
        size_t length = strcspn(text, " ,{}[]|\n");
        int64_t card = length && value ? card_called(k, text, length) : -1;
        if (card >= 0) {
            add_card(k, card, out);
        } else if (!length) {
            bool begins = *text == '{' && value, ends = *text == '}' && in_set;
            if (!begins && !ends && !(*text == ',' && in_set))
                fzi_buffer_char(out, *text);
            in_set = begins || (in_set && !ends);
            length = 1;
        } else {
            fzi_buffer_add(out, text, length);
            value = *text == '=' || value;
        }
        value = value && text[length - 1] != '\n' && (in_set || *text != ',');
        text += length;
    }
}

void fzi_cards_write(const fzi_drawing *d, uint16_t type, size_t start)
{
    const fz_value_type *of = &d->program->types[type];
    fzi_allocator allocator = d->out->allocator;

    type = of->kind == FZ_VALUE_MASK ? of->element : type;
    deck k = {d, type, fzi_buffer_in(allocator), fzi_buffer_in(allocator)};
    if (!d->symbols || d->program->types[type].kind != FZ_VALUE_NAMED ||
        !fzi_hint_find(d->program, FZ_HINT_CARDS, type) || suit_of(&k, 0) < 0 || d->out->failed)
        return;
    char *text = fzi_copy_text(allocator, d->out->data + start, d->out->length - start);
    if (text) {
        d->out->length = start;
        rewrite(&k, text, d->out);
    }
    fzi_release(allocator, text);
    fzi_buffer_free(&k.one);
    fzi_buffer_free(&k.other);
}
