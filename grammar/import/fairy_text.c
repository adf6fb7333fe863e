/* Texts that several parts of a script are made of. See fairy_writer.h. */
#include "fairy_writer.h"

void fzi_fairy_say(fzi_fairy_writer *w, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fzi_grow_z(w->arena, &w->text, fzi_arena_vprintf(w->arena, format, args));
    va_end(args);
}

bool fzi_fairy_is_kind(const fzi_fairy_writer *w, enum fzi_fairy_kind kind)
{
    return w->rules->letters[kind] != '\0';
}

const char *fzi_fairy_by_player(fzi_fairy_writer *w, const fzi_squares sets[FZ_FAIRY_COLOURS])
{
    const char *white = fzi_squares_text(w->arena, &sets[0], w->files, w->ranks);
    const char *black = fzi_squares_text(w->arena, &sets[1], w->files, w->ranks);

    return strcmp(white, black) == 0
               ? FZ_FAIRY_TEXT(w, "[_p: player]: sites = %s", white)
               : FZ_FAIRY_TEXT(w, "[p: player]: sites = {White: %s, Black: %s}", white, black);
}

static const char *joined(fzi_fairy_writer *w, uint64_t kinds, const char *format,
                          const char *between, const char *player)
{
    fzi_growing text = {0};
    for (int k = 0; k < FZ_FAIRY_KINDS; k++)
        if (fzi_fairy_has(kinds, (enum fzi_fairy_kind)k) &&
            fzi_fairy_is_kind(w, (enum fzi_fairy_kind)k)) {
            fzi_grow_z(w->arena, &text, text.length ? between : "");
            fzi_grow_z(
                w->arena, &text,
                FZ_FAIRY_TEXT(w, format, fzi_fairy_kind_name((enum fzi_fairy_kind)k), player));
        }
    return text.text ? text.text : "";
}

const char *fzi_fairy_kind_list(fzi_fairy_writer *w, uint64_t kinds)
{
    return joined(w, kinds, "%s", ", ", "");
}

const char *fzi_fairy_pieces_text(fzi_fairy_writer *w, uint64_t kinds, const char *player)
{
    const char *text = joined(w, kinds, *player ? "pieces(%s, %s)" : "pieces(%s)", " | ", player);
    return *text ? text : "{}";
}

bool fzi_fairy_is_word(const fzi_fairy_writer *w, enum fzi_fairy_field field, const char *word)
{
    return strcmp(w->rules->values[field][0].text, word) == 0;
}

bool fzi_fairy_pseudo(const fzi_fairy_writer *w)
{
    uint64_t kinds = FZ_FAIRY_SET_OF(w->rules, EXTINCTION_KINDS, 0);

    for (int k = 0; k < FZ_FAIRY_KINDS && FZ_FAIRY_NUMBER(w->rules, PSEUDO_ROYAL); k++)
        if (fzi_fairy_has(kinds, (enum fzi_fairy_kind)k) &&
            fzi_fairy_is_kind(w, (enum fzi_fairy_kind)k))
            return true;
    return FZ_FAIRY_NUMBER(w->rules, PSEUDO_ROYAL) && fzi_fairy_has(kinds, FZ_FAIRY_ANY);
}

bool fzi_fairy_hands(const fzi_fairy_writer *w)
{
    return FZ_FAIRY_NUMBER(w->rules, DROPS) ||
           (FZ_FAIRY_NUMBER(w->rules, GATING) && FZ_FAIRY_NUMBER(w->rules, SEIRAWAN));
}

bool fzi_fairy_royal(const fzi_fairy_writer *w)
{
    return fzi_fairy_is_kind(w, FZ_FAIRY_king) || fzi_fairy_pseudo(w);
}

const char *fzi_fairy_flips(fzi_fairy_writer *w, const char *to, bool drop)
{
    if (fzi_fairy_is_word(w, FZ_FAIRY_F_FLIP, "reversi"))
        return FZ_FAIRY_TEXT(w, "give flanked(%s, theirs, mine) to me", to);
    if (fzi_fairy_is_word(w, FZ_FAIRY_F_FLIP, "none"))
        return NULL;
    bool beside = drop && fzi_fairy_is_word(w, FZ_FAIRY_F_FLIP, "quadwrangle");
    return FZ_FAIRY_TEXT(w, "%sgive step(%s, adjacent) & theirs to me",
                         beside ? FZ_FAIRY_TEXT(w, "if step(%s, adjacent) & mine != {} ", to) : "",
                         to);
}

bool fzi_fairy_crowns(const fzi_fairy_writer *w, enum fzi_fairy_kind kind)
{
    uint64_t royals = FZ_FAIRY_SET_OF(w->rules, EXTINCTION_KINDS, 0);
    enum fzi_fairy_kind to = w->rules->promoted[kind];

    return FZ_FAIRY_NUMBER(w->rules, PSEUDO_ROYAL) && fzi_fairy_is_kind(w, kind) &&
           to != FZ_FAIRY_NONE && fzi_fairy_has(royals, to) && !fzi_fairy_has(royals, kind);
}
