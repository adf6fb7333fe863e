/* Betza's notation, as far as variants.ini uses it, as `move to` and `capture to` of a piece. See
 * fairy.h. */
#include "fairy.h"

#include <ctype.h>
#include <stdlib.h>

/* An atom with its modifiers. Offsets are in ranks ahead and files to the right. */
enum { MAX_OFFSETS = 16, MAX_ATOMS = 32 };
typedef struct atom {
    signed char ahead[MAX_OFFSETS], right[MAX_OFFSETS];
    int count, all; /* all: how many there are without direction */
    int far, near;  /* of a leap; 1 and 0 or 1 of a step */
    int limit;      /* of a slide; 0: none */
    bool rides, hops, vaults, lame, quiet, capture, first;
} atom;

static const struct letter {
    char letter;
    int far, near;
    bool rides, both; /* both: orthogonal and diagonal */
} letters[] = {
    {'W', 1, 0, false, false}, {'F', 1, 1, false, false}, {'D', 2, 0, false, false},
    {'N', 2, 1, false, false}, {'A', 2, 2, false, false}, {'H', 3, 0, false, false},
    {'L', 3, 1, false, false}, {'C', 3, 1, false, false}, {'J', 3, 2, false, false},
    {'Z', 3, 2, false, false}, {'G', 3, 3, false, false}, {'K', 1, 0, false, true},
    {'R', 1, 0, true, false},  {'B', 1, 1, true, false},  {'Q', 1, 0, true, true},
};

static const struct letter *letter_of(char c)
{
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
        if (letters[i].letter == c)
            return &letters[i];
    return NULL;
}

/* ---- reading ---- */

enum { MAX_DIRECTIONS = 8 };
typedef struct directions {
    char pairs[MAX_DIRECTIONS * 2][2];
    int count;
} directions;

static void add_pair(directions *d, char first, char second)
{
    d->pairs[d->count][0] = first;
    d->pairs[d->count++][1] = second;
}

static bool has_pair(const directions *d, const char *list)
{
    for (; *list; list += 2)
        for (int i = 0; i < d->count; i++)
            if (memcmp(d->pairs[i], list, 2) == 0)
                return true;
    return d->count == 0;
}

static void add_offset(atom *a, int ahead, int right)
{
    for (int i = 0; i < a->count; i++)
        if (a->ahead[i] == ahead && a->right[i] == right)
            return;
    a->ahead[a->count] = (signed char)ahead;
    a->right[a->count++] = (signed char)right;
}

/* The directions of a leap of these lengths; each list names the pairs that allow one. */
static void add_offsets(atom *a, const directions *d, int far, int near)
{
    static const struct {
        int ahead_far, ahead_near, right_far, right_near;
        const char *pairs;
    } turns[] = {
        {1, 0, 0, 1, "ffvvrfrvfhrhhr"},  {-1, 0, 0, -1, "bbvvlblvbhlhhr"},
        {0, -1, 1, 0, "rrssbrbsbhrhhr"}, {0, 1, -1, 0, "llssflfsfhlhhr"},
        {0, 1, 1, 0, "rrssfrfsfhrhhl"},  {0, -1, -1, 0, "llssblbsbhlhhl"},
        {-1, 0, 0, 1, "bbvvrbrvbhrhhl"}, {1, 0, 0, -1, "ffvvlflvfhlhhl"},
    };
    for (size_t i = 0; i < sizeof turns / sizeof *turns; i++)
        if (has_pair(d, turns[i].pairs))
            add_offset(a, turns[i].ahead_far * far + turns[i].ahead_near * near,
                       turns[i].right_far * far + turns[i].right_near * near);
    a->all += near == 0 || near == far ? 4 : 8;
}

/* Two different letters are two directions of a piece that steps orthogonally. */
static directions split(const directions *d)
{
    directions apart = {.count = 0};
    for (int i = 0; i < d->count; i++) {
        add_pair(&apart, d->pairs[i][0], d->pairs[i][0]);
        if (d->pairs[i][0] != d->pairs[i][1])
            add_pair(&apart, d->pairs[i][1], d->pairs[i][1]);
    }
    return apart;
}

static void set_offsets(atom *a, const struct letter *letter, const directions *d)
{
    directions apart = split(d);

    a->far = letter->far;
    a->near = letter->near;
    a->rides |= letter->rides;
    add_offsets(a, letter->near == 0 && !letter->both ? &apart : d, letter->far, letter->near);
    if (letter->both)
        add_offsets(a, d, 1, 1);
}

/* The number of characters that a direction takes, 1 or 2; 0: it is none. */
static size_t read_direction(const char *at, directions *d)
{
    static const char vertical[] = "fbvh", horizontal[] = "rlsh";
    bool v = strchr(vertical, at[0]), h = strchr(horizontal, at[0]);

    if (d->count == MAX_DIRECTIONS || (!v && !h))
        return 0;
    bool pair = at[1] != '\0' && (at[1] == at[0] || (v && strchr(horizontal, at[1])) ||
                                  (h && strchr(vertical, at[1])));
    add_pair(d, at[0], pair ? at[1] : at[0]);
    return pair ? 2 : 1;
}

/* A modifier that takes one character. */
static bool read_modifier(char c, atom *a)
{
    switch (c) {
    case 'm': return a->quiet = true;
    case 'c': return a->capture = true;
    case 'p': return a->hops = true;
    case 'g': return a->hops = a->vaults = true;
    case 'n': return a->lame = true;
    case 'i': return a->first = true;
    case 'e': return true;
    default: return false;
    }
}

/* Reads one atom. The end of it; NULL: it is not understood. */
static const char *read_atom(const char *at, atom *a)
{
    directions d = {.count = 0};
    const struct letter *letter;

    *a = (atom){.count = 0};
    while (*at && !(letter = letter_of(*at))) {
        size_t taken = read_modifier(*at, a) ? 1 : read_direction(at, &d);
        if (taken == 0)
            return NULL;
        at += taken;
    }
    if (*at == '\0')
        return NULL;
    if (isdigit((unsigned char)at[1]) || at[1] == *at) {
        a->rides = true;
        a->limit = isdigit((unsigned char)at[1]) ? at[1] - '0' : 0;
    }
    set_offsets(a, letter, &d);
    if (!a->quiet && !a->capture)
        a->quiet = a->capture = true;
    return at + (a->rides && !letter->rides ? 2 : a->limit || at[1] == *at ? 2 : 1);
}

/* The number of atoms; -1: the text is not understood. */
static int read_all(const char *text, atom *atoms)
{
    int count = 0;

    for (; *text && count < MAX_ATOMS; count++)
        if (!(text = read_atom(text, &atoms[count])))
            return -1;
    return *text ? -1 : count;
}

/* ---- the sets of a piece ---- */

static bool unit(const atom *a)
{
    return a->far == 1;
}

/* The directions of offsets by `length` squares: `orthogonal`, `forward | left`. */
static const char *dirs_text(fzi_arena *arena, const atom *a, int length)
{
    static const struct {
        int ahead, right;
        const char *name;
    } names[] = {
        {1, 0, "forward"},         {-1, 0, "backward"},       {0, -1, "left"},
        {0, 1, "right"},           {1, -1, "forward_left"},   {1, 1, "forward_right"},
        {-1, -1, "backward_left"}, {-1, 1, "backward_right"},
    };
    fzi_growing text = {0};
    unsigned found = 0;

    for (unsigned n = 0; n < 8; n++)
        for (int i = 0; i < a->count; i++)
            if (a->ahead[i] == names[n].ahead * length && a->right[i] == names[n].right * length)
                found |= 1u << n;
    if (found == 0xff)
        return "adjacent";
    if ((found & 0x0f) == 0x0f)
        fzi_grow_z(arena, &text, "orthogonal");
    if ((found & 0xf0) == 0xf0)
        fzi_grow_z(arena, &text, text.length ? " | diagonal" : "diagonal");
    for (unsigned n = 0; n < 8; n++)
        if (found >> n & 1 && (found >> (n & 4) & 0xf) != 0xf) {
            fzi_grow_z(arena, &text, text.length ? " | " : "");
            fzi_grow_z(arena, &text, names[n].name);
        }
    return text.text;
}

/* `walk(here, forward, 2)`, `here + left`. */
static const char *go(fzi_arena *arena, const char *from, const char *dir, int steps)
{
    return steps == 0   ? from
           : steps == 1 ? fzi_arena_printf(arena, "%s + %s", from, dir)
                        : fzi_arena_printf(arena, "walk(%s, %s, %d)", from, dir, steps);
}

/* One leap after the other. */
static const char *leaps_text(fzi_arena *arena, const atom *a)
{
    fzi_growing text = {0};
    for (int i = 0; i < a->count; i++) {
        int ahead = a->ahead[i], right = a->right[i];
        const char *vertical = ahead > 0 ? "forward" : "backward";
        const char *horizontal = right > 0 ? "right" : "left";
        fzi_grow_z(arena, &text, text.length ? " | " : "");
        if (abs(ahead) == abs(right))
            fzi_grow_z(arena, &text,
                       go(arena, "here", fzi_arena_printf(arena, "%s_%s", vertical, horizontal),
                          abs(ahead)));
        else
            fzi_grow_z(arena, &text,
                       go(arena, go(arena, "here", vertical, abs(ahead)), horizontal, abs(right)));
    }
    return text.text;
}

/* One lame leap of a horse after the other. */
static const char *lame_leaps_text(fzi_arena *arena, const atom *a)
{
    fzi_growing text = {0};
    for (int i = 0; i < a->count; i++) {
        const char *vertical = a->ahead[i] > 0 ? "forward" : "backward";
        const char *horizontal = a->right[i] > 0 ? "right" : "left";
        fzi_grow_z(arena, &text, text.length ? " | " : "");
        fzi_grow_z(arena, &text,
                   fzi_arena_printf(arena, "step(step(here, %s) & empty, %s_%s)",
                                    abs(a->ahead[i]) > abs(a->right[i]) ? vertical : horizontal,
                                    vertical, horizontal));
    }
    return text.text;
}

static const char *lame_text(fzi_arena *arena, const atom *a)
{
    if (a->far == 2 && a->near != 1)
        return fzi_arena_printf(arena, "lame(here, %s, 0)", dirs_text(arena, a, 2));
    if (a->count < a->all)
        return a->far == 2 ? lame_leaps_text(arena, a) : NULL;
    return a->far == 2                   ? "lame(here, orthogonal, 1)"
           : a->far == 3 && a->near == 2 ? "long_lame(here, orthogonal, 1)"
                                         : NULL;
}

/* The sites that the atom leads to; NULL: there are no words for it. */
static const char *atom_text(fzi_arena *arena, const atom *a)
{
    if (a->hops && !a->vaults && !a->lame && unit(a) && a->limit == 2)
        return fzi_arena_printf(arena, "(union d in %s : step(step(here, d) & occupied, d))",
                                dirs_text(arena, a, 1));
    if (a->hops)
        return unit(a) && a->limit == 0 && !a->lame
                   ? fzi_arena_printf(arena, "%s(here, %s)", a->vaults ? "vault" : "hop",
                                      dirs_text(arena, a, 1))
                   : NULL;
    if (a->lame && !a->rides)
        return lame_text(arena, a);
    if (unit(a) && a->rides && a->limit != 1)
        return fzi_arena_printf(arena, a->limit ? "slide(here, %s, empty, %d)" : "slide(here, %s)",
                                dirs_text(arena, a, 1), a->limit);
    if (unit(a))
        return fzi_arena_printf(arena, "step(here, %s)", dirs_text(arena, a, 1));
    if (a->rides)
        return a->limit == 0 && a->count == a->all
                   ? fzi_arena_printf(arena, "ride(here, %d, %d)", a->near, a->far)
                   : NULL;
    return a->count == a->all ? fzi_arena_printf(arena, "leap(here, %d, %d)", a->near, a->far)
                              : leaps_text(arena, a);
}

static void join(fzi_arena *arena, const char **sum, const char *part)
{
    *sum = *sum ? fzi_arena_printf(arena, "%s | %s", *sum, part) : part;
}

const char *fzi_fairy_moves_of(fzi_arena *arena, const char *betza, fzi_fairy_moves *moves)
{
    atom atoms[MAX_ATOMS];
    int count = read_all(betza, atoms);

    *moves = (fzi_fairy_moves){.passes = strchr(betza, 'e') != NULL};
    for (int i = 0; i < count; i++) {
        const atom *a = &atoms[i];
        const char *text = a->count ? atom_text(arena, a) : NULL;
        if (!text)
            return "moves that are not translated yet";
        moves->hops |= strstr(text, "hop(") || strstr(text, "vault(") || strstr(text, "lame(");
        join(arena,
             a->first                 ? &moves->first
             : a->quiet && a->capture ? &moves->both
             : a->quiet               ? &moves->quiet
                                      : &moves->capture,
             text);
    }
    return count < 0 ? "moves that are not understood" : NULL;
}

/* ---- dead ends ---- */

static bool leaves(const atom *a, int file, int rank, int files, int ranks, int sense)
{
    for (int i = 0; i < a->count && a->quiet && !a->first; i++) {
        int f = file + sense * a->right[i], r = rank + sense * a->ahead[i];
        if (f >= 0 && f < files && r >= 0 && r < ranks)
            return true;
    }
    return false;
}

fzi_squares fzi_fairy_dead_ends(const fzi_fairy_rules *rules, enum fzi_fairy_kind kind, int colour)
{
    atom atoms[MAX_ATOMS];
    int count = read_all(rules->moves[kind], atoms);
    int files = (int)FZ_FAIRY_NUMBER(rules, FILES), ranks = (int)FZ_FAIRY_NUMBER(rules, RANKS);
    fzi_squares dead = {{0}};

    for (int r = 0; r < ranks; r++)
        for (int f = 0; f < files; f++) {
            bool out = false;
            for (int i = 0; i < count; i++)
                out |= leaves(&atoms[i], f, r, files, ranks, colour == 0 ? 1 : -1);
            if (!out)
                fzi_squares_put(&dead, f, r);
        }
    return dead;
}

static bool has_offset(const atom *a, int ahead, int right)
{
    for (int i = 0; i < a->count && a->quiet && !a->first; i++)
        if (a->ahead[i] == ahead && a->right[i] == right)
            return true;
    return false;
}

bool fzi_fairy_returns(const fzi_fairy_rules *rules, enum fzi_fairy_kind kind)
{
    atom atoms[MAX_ATOMS];
    int count = read_all(rules->moves[kind], atoms);

    for (int i = 0; i < count; i++)
        for (int d = 0; d < atoms[i].count && atoms[i].quiet && !atoms[i].first; d++)
            for (int k = 0; k < count; k++)
                if (has_offset(&atoms[k], -atoms[i].ahead[d], -atoms[i].right[d]))
                    return true;
    return false;
}
