/* Boards from their text: sites, neighbours, named sets, relative directions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "grammar/board/board.h"
#include "grammar/syntax/parse.h"
#include "interp/support/context.h"

typedef struct compile {
    fzi_arena *arena;
    fzi_sources sources;
    fzi_diags diags;
    fzi_board *board;
} compile;

/* The board of a text, or NULL with what is wrong in `diags`. */
static void compile_board(compile *c, const char *expression)
{
    c->arena = fzi_arena_new(fzi_allocator_default().resize, NULL, 0);
    assert_non_null(c->arena);
    fzi_sources_init(&c->sources, c->arena);
    fzi_diags_init(&c->diags, c->arena, &c->sources);
    const char *text = fzi_arena_printf(c->arena, "game \"Board\";\nboard %s;\n", expression);
    uint32_t source = fzi_sources_add(&c->sources, "board.game", text, strlen(text));
    fzi_node *file = fzi_parse_file(c->arena, &c->sources, &c->diags, source, false);
    fzi_load load = {.arena = c->arena, .sources = &c->sources, .diags = &c->diags};
    fzi_unit unit = {.title = "Board"};
    c->board = NULL;
    for (const fzi_node *decl = file->decls; decl; decl = decl->next)
        if (decl->kind == N_D_BOARD)
            c->board = fzi_board_make(&load, &unit, decl);
}

static void free_board(compile *c)
{
    fzi_arena_free(c->arena);
}

/* ---- facts of boards ---- */

static const char *after(const fzi_board *b, const char *site, const char *dir)
{
    int s = fzi_board_site(b, site), d = fzi_board_dir(b, dir);
    assert_true(s >= 0 && d >= 0);
    int to = b->next[(unsigned)d * b->site_count + (unsigned)s];
    return to < 0 ? "-" : b->site_names[to];
}

/* Names of the sites of a set, in order. */
static const char *listed(const fzi_board *b, const uint64_t *set, char *text)
{
    char *at = text;
    *at = '\0';
    for (unsigned s = 0; s < b->site_count; s++)
        if (set[s / 64] >> s % 64 & 1)
            at += sprintf(at, "%s%s", at == text ? "" : " ", b->site_names[s]);
    return text;
}

static const char *dirs_of(const fzi_board *b, uint32_t mask, char *text)
{
    char *at = text;
    *at = '\0';
    for (unsigned d = 0; d < b->dir_count; d++)
        if (mask >> d & 1)
            at += sprintf(at, "%s%s", at == text ? "" : " ", b->dir_names[d]);
    return text;
}

typedef struct shape_case {
    const char *expression;
    unsigned sites;
    const char *dirs, *diagonal;
    const char *first, *last;  /* the names of sites */
    const char *walk;          /* "site dir site, ..." */
    const char *sets;          /* "name=sites;..." with name or name:n */
} shape_case;

static const shape_case shape_cases[] = {
    {"square(8)", 64, "n ne e se s sw w nw", "ne se sw nw", "a1", "h8",
     "a1 n a2, a1 ne b2, h8 e -, e4 sw d3, a1 w -",
     "corners=a1 h1 a8 h8;centre=d4 e4 d5 e5;rank:2=a2 b2 c2 d2 e2 f2 g2 h2;side:1=a1 b1 c1 d1 e1 "
     "f1 "
     "g1 h1;side:4=a1 a2 a3 a4 a5 a6 a7 a8;side:5=?;rank:9=?;rank:0=?"},
    {"square(28, 2)", 56, "n ne e se s sw w nw", "ne se sw nw", "a1", "ab2",
     "z1 e aa1, aa1 e ab1, ab1 n ab2", "file:27=aa1 aa2"},
    {"square(5, 1)", 5, "n ne e se s sw w nw", "ne se sw nw", "a1", "e1", "a1 e b1, a1 n -",
     "corners=a1 e1;centre=c1"},
    {"hex(3)", 19, "ne e se sw w nw", "", "a1", "e5",
     "a1 nw a2, a1 ne b2, a1 e b1, a1 se -, c3 se c2, c3 sw b2, e5 se e4, c5 w -",
     "corners=a1 c1 a3 e3 c5 e5;centre=c3;side:1=a1 b1 c1;side:2=c1 d2 e3;side:3=e3 e4 e5;"
     "side:4=c5 d5 e5;side:5=a3 b4 c5;side:6=a1 a2 a3;side:7=?"},
    {"hex(1)", 1, "ne e se sw w nw", "", "a1", "a1", "a1 e -", "corners=a1;border=a1;centre=a1"},
    {"hex_rhombus(11)", 121, "ne e se sw w nw", "", "a1", "k11",
     "b2 ne b3, b2 nw a3, b2 se c1, b2 sw b1, a1 nw -", "corners=a1 k1 a11 k11;centre=f6"},
    {"hex_star(5)", 121, "ne e se sw w nw", "", "e1", "m17", "e1 ne f2, e1 nw e2, i9 w h9",
     "corners=e1 a5 m5 e13 q13 m17;centre=i9;side:1=e1 e2 f2 e3 f3 g3 e4 f4 g4 h4;"
     "side:4=j14 k14 l14 m14 k15 l15 m15 l16 m16 m17"},
    {"triangle(4)", 10, "ne e se sw w nw", "", "a1", "a4", "b1 nw a2, b1 ne b2, a4 se b3",
     "corners=a1 d1 a4;centre=b2;side:1=a1 b1 c1 d1;side:2=d1 c2 b3 a4;side:3=a1 a2 a3 a4"},
    {"circle(3, 4)", 12, "outward cw inward ccw", "", "a1", "c4",
     "a1 cw a2, a4 cw a1, a1 ccw a4, a1 outward b1, a1 inward -, c2 outward -",
     "centre=a1 a2 a3 a4;border=c1 c2 c3 c4;corners=?;rank:2=b1 b2 b3 b4;file:2=a2 b2 c2"},
    {"pits(2, 6)", 12, "n e s w ccw cw", "", "a1", "f2",
     "f1 ccw f2, a2 ccw a1, a1 cw a2, b1 ccw c1, b2 ccw a2, a1 n a2",
     "side:1=a1 b1 c1 d1 e1 f1;side:2=a2 b2 c2 d2 e2 f2;border=?"},
    {"pits(4, 8)", 32, "n e s w ccw cw", "", "a1", "h4",
     "h1 ccw h2, a2 ccw a1, h3 ccw h4, a4 ccw a3",
     "side:2=a3 b3 c3 d3 e3 f3 g3 h3 a4 b4 c4 d4 e4 f4 g4 h4"},
    {"pits(3, 2)", 6, "n e s w", "", "a1", "b3", "a1 n a2", "side:1=?"},
    {"track(30)", 30, "e w", "", "t1", "t30", "t1 e t2, t30 e -, t1 w -", "corners=?;side:1=?"},
    {"graph { a: b e, c n; b: a w; c: a s, b se; }", 3, "n e se s w", "se", "a", "c",
     "a e b, a n c, b n -, c se b", "border=?"},
    {"graph { a: b up, c over; b: a down; c: off over; }", 3, "up over down", "", "a", "c",
     "a up b, b down a, c over -", ""},
    {"without(square(5), corners | {c3} - rank(1))", 20, "n ne e se s sw w nw", "ne se sw nw", "b1",
     "d5", "b1 w -, c2 n -, b2 n b3", "corners=;rank:1=b1 c1 d1;centre="},
    {"without(square(4), ~(rank(2) & {a2, c2, c3}))", 2, "n ne e se s sw w nw", "ne se sw nw", "a2",
     "c2", "a2 e -", "rank:1="},
    {"without(hex(3), side(1))", 16, "ne e se sw w nw", "", "a2", "e5", "a2 se -", "side:1="},
    {"join(square(2), track(2), graph { hand: off e; })", 7, "n ne e se s sw w nw", "ne se sw nw",
     "a1", "hand", "b2 e -, t1 e t2, t2 w t1, hand e -", "rank:2=a2 b2;corners=a1 b1 a2 b2"},
    {"with_edges(square(3), graph { a1: c3 jump; b2: off n, a1 e; })", 9,
     "n ne e se s sw w nw jump", "ne se sw nw", "a1", "c3",
     "a1 jump c3, c3 jump -, b2 n -, b2 e a1", "corners=a1 c1 a3 c3"},
    {"wrap(square(4, 3), e, w)", 12, "n ne e se s sw w nw", "ne se sw nw", "a1", "d3",
     "d1 e a1, a2 w d2, d2 ne a3, d3 ne -, a1 nw d2", "corners=?;border=a1 b1 c1 d1 a3 b3 c3 d3"},
    {"wrap(wrap(square(4), w, e), s, n)", 16, "n ne e se s sw w nw", "ne se sw nw", "a1", "d4",
     "d4 ne a1, a1 sw d4, a4 n a1", "border="},
    {"wrap(hex_rhombus(3), ne, sw)", 9, "ne e se sw w nw", "", "a1", "c3",
     "a3 ne a1, b3 nw a1, a3 nw -", ""},
    {"wrap(track(3), e, w)", 3, "e w", "", "t1", "t3", "t3 e t1, t1 w t3", ""},
    {"wrap(without(square(3), {a2, b1}), e, w)", 7, "n ne e se s sw w nw", "ne se sw nw", "a1",
     "c3", "c2 e -, c1 e a1, a1 e -, c3 e a3", ""},
};

static void check_walks(const fzi_board *b, const char *walks)
{
    char site[16], dir[16], to[16];
    for (const char *at = walks; at && *at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        assert_int_equal(sscanf(at, " %15s %15s %15[^,]", site, dir, to), 3);
        assert_string_equal(after(b, site, dir), to);
    }
}

static void check_sets(const fzi_board *b, const char *sets)
{
    char name[16], wanted[400], text[8000];
    for (const char *at = sets; at && *at; at = strchr(at, ';') ? strchr(at, ';') + 1 : NULL) {
        long long n = 0;
        uint64_t set[FZ_BOARD_WORDS];
        wanted[0] = '\0';
        assert_true(sscanf(at, "%15[a-z]:%lld=%399[^;]", name, &n, wanted) >= 2
                    || sscanf(at, "%15[a-z]=%399[^;]", name, wanted) >= 1);
        bool known = fzi_board_named_set(b, name, n, set);
        assert_string_equal(known ? listed(b, set, text) : "?", wanted);
    }
}

static void shapes(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof shape_cases / sizeof *shape_cases; i++) {
        const shape_case *s = &shape_cases[i];
        char text[400];
        compile c;
        compile_board(&c, s->expression);
        if (!c.board || c.diags.errors)
            fail_msg("%s: %s", s->expression, c.diags.first ? c.diags.first->message : "no board");
        const fzi_board *b = c.board;
        assert_int_equal(b->site_count, s->sites);
        assert_string_equal(dirs_of(b, ~UINT32_C(0), text), s->dirs);
        assert_string_equal(dirs_of(b, b->diagonal, text), s->diagonal);
        assert_int_equal(b->orthogonal & b->diagonal, 0);
        assert_string_equal(b->site_names[0], s->first);
        assert_string_equal(b->site_names[b->site_count - 1], s->last);
        check_walks(b, s->walk);
        check_sets(b, s->sets);
        free_board(&c);
    }
}

/* On regular boards every step can be taken back, by the opposite direction; and no two sites
 * are drawn in the same place. */
static void steps_back(void **state)
{
    (void)state;
    static const char *const regular[] = {
        "square(9, 10)", "hex(5)",     "hex_rhombus(5, 4)", "hex_star(4)", "triangle(7)",
        "circle(4, 16)", "pits(4, 7)", "track(40)",         "square(32)",  "hex(18)",
        "circle(1, 3)",  "without(hex(4), {d4})", "wrap(square(5), n, s)"};
    for (size_t i = 0; i < sizeof regular / sizeof *regular; i++) {
        compile c;
        compile_board(&c, regular[i]);
        assert_non_null(c.board);
        const fzi_board *b = c.board;
        for (unsigned d = 0; d < b->dir_count; d++) {
            assert_true(b->opposite[d] < b->dir_count);
            for (unsigned s = 0; s < b->site_count; s++) {
                int to = b->next[d * b->site_count + s];
                if (to >= 0)
                    assert_int_equal(b->next[b->opposite[d] * b->site_count + (unsigned)to], s);
            }
        }
        for (unsigned s = 0; s < b->site_count; s++)
            for (unsigned o = 0; o < s; o++)
                assert_false(b->x[s] == b->x[o] && b->y[s] == b->y[o]);
        free_board(&c);
    }
}

/* ---- relative directions ---- */

static void relative(void **state)
{
    (void)state;
    static const char *const cases[][4] = {
        {"square(8)", "n", "forward", "n"},        {"square(8)", "n", "forward_left", "nw"},
        {"square(8)", "s", "forward_left", "se"},  {"square(8)", "s", "right", "w"},
        {"square(8)", "e", "backward_right", "sw"}, {"square(8)", "ne", "left", "nw"},
        {"hex(4)", "ne", "forward_left", "nw"},    {"hex(4)", "ne", "left", "w"},
        {"hex(4)", "ne", "right", "se"},           {"hex(4)", "w", "backward", "e"},
        {"circle(3, 8)", "outward", "right", "cw"}, {"circle(3, 8)", "cw", "left", "outward"},
        {"circle(3, 8)", "cw", "forward_left", "-"}, {"track(9)", "e", "backward", "w"},
        {"track(9)", "e", "left", "-"},            {"pits(2, 6)", "ccw", "backward", "cw"},
        {"pits(2, 6)", "n", "forward_left", "-"},  {"pits(2, 6)", "n", "left", "w"},
        {"graph { a: b up; b: a down; }", "up", "backward", "down"},
        {"graph { a: b up; b: a down; }", "up", "left", "-"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        compile c;
        compile_board(&c, cases[i][0]);
        assert_non_null(c.board);
        int got = fzi_board_relative(c.board, cases[i][2], fzi_board_dir(c.board, cases[i][1]));
        assert_string_equal(got < 0 ? "-" : c.board->dir_names[got], cases[i][3]);
        assert_int_equal(fzi_board_relative(c.board, "forward", -1), -1);
        free_board(&c);
    }
}

/* ---- mistakes ---- */

static void mistakes(void **state)
{
    (void)state;
    static const struct {
        const char *expression;
        int code;
    } cases[] = {
        {"square(33, 32)", FZ_E_TOO_MANY_SITES}, {"hex(19)", FZ_E_TOO_MANY_SITES},
        {"hex(2000)", FZ_E_BOARD_SIZE},          {"hex_star(1)", FZ_E_BOARD_SIZE},
        {"circle(2, 2)", FZ_E_BOARD_SIZE},       {"track(0 - 3)", FZ_E_BOARD_SIZE},
        {"octagon(3)", FZ_E_UNKNOWN_BOARD},      {"pits(2)", FZ_E_BOARD_ARGUMENTS},
        {"triangle", FZ_E_NOT_A_BOARD},          {"a1 | b1", FZ_E_NOT_A_BOARD},
        {"wrap(triangle(3), e, w)", FZ_E_CANNOT_WRAP},
        {"wrap(square(3), e, n)", FZ_E_CANNOT_WRAP},
        {"without(track(3), t1 | t4)", FZ_E_UNKNOWN_SITE},
        {"without(track(3), {t1} == {t2})", FZ_E_NOT_SITES},
        {"with_edges(track(3), graph { t1: t9 e; })", FZ_E_EDGE_TO_NOWHERE},
        {"join(track(3), track(2))", FZ_E_JOINED_TWICE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        compile c;
        compile_board(&c, cases[i].expression);
        assert_null(c.board);
        assert_int_equal(c.diags.errors, 1);
        assert_int_equal(c.diags.first->code, cases[i].code);
        free_board(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes),
        cmocka_unit_test(steps_back),
        cmocka_unit_test(relative),
        cmocka_unit_test(mistakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
