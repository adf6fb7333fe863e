/* Games that are over as they begin. See fairy_writer.h. */
#include "fairy_writer.h"

static void refuse(fzi_fairy_writer *w, enum fzi_fairy_field field)
{
    fzi_fairy_refuse_field(w->rules, field, "the game would end before it begins");
}

static bool counts(const fzi_fairy_writer *w, uint64_t kinds, int file, int rank, int colour)
{
    if (file < 0 || rank < 0 || file >= w->files || rank >= w->ranks)
        return false;
    enum fzi_fairy_kind kind = w->start.kind[rank][file];
    return kind != FZ_FAIRY_NONE && w->start.colour[rank][file] == colour &&
           (fzi_fairy_has(kinds, FZ_FAIRY_ANY) || fzi_fairy_has(kinds, kind));
}

/* The longest row of a player's pieces. */
static long longest_row(const fzi_fairy_writer *w, uint64_t kinds, int colour)
{
    static const int steps[][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
    long longest = 0;

    for (int r = 0; r < w->ranks; r++)
        for (int f = 0; f < w->files; f++)
            for (int d = 0; d < 4; d++) {
                long n = 0;
                while (counts(w, kinds, f + (int)n * steps[d][0], r + (int)n * steps[d][1], colour))
                    n++;
                longest = n > longest ? n : longest;
            }
    return longest;
}

/* Rows that may end the game, in whatever direction, and squares of two by two within rows. */
static void refuse_rows(fzi_fairy_writer *w)
{
    fzi_fairy_rules *r = w->rules;
    uint64_t kinds = FZ_FAIRY_SET_OF(r, CONNECT_KINDS, 0);

    for (int c = 0; c < FZ_FAIRY_COLOURS; c++) {
        long row = longest_row(w, kinds, c), n = FZ_FAIRY_NUMBER(r, CONNECT_N);
        if (n && row >= n)
            refuse(w, FZ_FAIRY_F_CONNECT_N);
        if (FZ_FAIRY_NUMBER(r, CONNECT_NXN) && row >= 2)
            refuse(w, FZ_FAIRY_F_CONNECT_NXN);
    }
}

static void refuse_goals(fzi_fairy_writer *w)
{
    for (int c = 0; c < FZ_FAIRY_COLOURS; c++) {
        const fzi_squares *goal = &FZ_FAIRY_VALUE(w->rules, FLAG_REGION, c)->squares;
        long kind = FZ_FAIRY_VALUE(w->rules, FLAG_KIND, c)->number, there = 0;
        uint64_t kinds = kind == FZ_FAIRY_NONE ? 0 : (uint64_t)1 << kind;
        for (int r = 0; r < w->ranks; r++)
            for (int f = 0; f < w->files; f++)
                there += fzi_squares_has(goal, f, r) && counts(w, kinds, f, r, c);
        if (there > 0 && there >= FZ_FAIRY_NUMBER(w->rules, FLAG_COUNT))
            refuse(w, FZ_FAIRY_F_FLAG_REGION);
    }
}

static long number(const fzi_fairy_writer *w, int kind, int colour)
{
    long sum = 0;
    for (int k = 0; k < FZ_FAIRY_KINDS; k++)
        if (kind == FZ_FAIRY_ANY || k == kind)
            sum += w->start.count[k][colour] + w->start.hand[k][colour];
    return sum;
}

static void refuse_extinction(fzi_fairy_writer *w)
{
    fzi_fairy_rules *r = w->rules;
    uint64_t kinds = FZ_FAIRY_SET_OF(r, EXTINCTION_KINDS, 0);
    bool applies = FZ_FAIRY_NUMBER(r, EXTINCTION) != FZ_FAIRY_NO_RESULT &&
                   (!FZ_FAIRY_NUMBER(r, PSEUDO_ROYAL) || FZ_FAIRY_NUMBER(r, BLAST));

    for (int k = 0; k <= FZ_FAIRY_ANY && applies; k++)
        for (int c = 0; c < FZ_FAIRY_COLOURS && fzi_fairy_has(kinds, (enum fzi_fairy_kind)k); c++)
            if (number(w, k, c) <= FZ_FAIRY_NUMBER(r, EXTINCTION_COUNT) &&
                number(w, k, !c) >= FZ_FAIRY_NUMBER(r, EXTINCTION_OTHERS)) {
                refuse(w, FZ_FAIRY_F_EXTINCTION_KINDS);
                return;
            }
}

void fzi_fairy_refuse_ended(fzi_fairy_writer *w)
{
    refuse_rows(w);
    refuse_goals(w);
    refuse_extinction(w);
}
