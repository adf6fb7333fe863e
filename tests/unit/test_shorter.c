/* Scripts of importers in fewer words: each rule, and texts that look like its case but are not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "grammar/import/importer.h"

/* A condition, a statement or a declaration, and what becomes of it; NULL: nothing. */
static const char *const conditions[][2] = {
    {"(a) in mine", "a in mine"},
    {"(a + b) in mine", "a + b in mine"},
    {"(a or b) and c", NULL},
    {"not (a and b)", NULL},
    {"#(A | B) + 1 == n", NULL},
    {"A | (B & C) == D", NULL},
    {"a in A or a in B", "a in A | B"},
    {"a in A and a not in B", "a in A - B"},
    {"a not in A and a not in B", "a not in A | B"},
    {"a in A and c and a in B - C", "a in A & B - C and c"},
    {"a in A or a not in B", NULL},
    {"a in A or b in B", NULL},
    {"a in 1..3 or a in B", NULL},
    {"{for x in {for x in S if f(x)} if g(x)} == T", "{for x in S if f(x) and g(x)} == T"},
    {"{for x in {for x in S if f(x) or h(x)} if g(x)} == T",
     "{for x in S if (f(x) or h(x)) and g(x)} == T"},
    {"{for y in {for x in S if f(x)} if g(y)} == T", NULL},
    {"{for x in site if x in A and x not in B} == T", "A - B == T"},
    {"{for x in site if x not in A} == T", "~A == T"},
    {"{for x in S if x in A and f(x)} == T", "{for x in S & A if f(x)} == T"},
    {"{for x in S if x in f(x)} == T", NULL},
    {"{for x in S if y in A} == T", NULL},
    {"{for k in kind if k in A} == T", NULL},
    {"{for c in Card if c in A} == T", NULL},
    {"#(A & B) > 0", "A & B != {}"},
    {"0 == #(A & B)", "A & B == {}"},
    {"#(A & B) > 1", NULL},
    {"{for x in S if f(x)} != {}", "any x in S : f(x)"},
    {"#{for x in S if f(x)} < 1", "not (any x in S : f(x))"},
    {"all x in S : x in A", "S <= A"},
    {"any x in S : x not in A", "S - A != {}"},
    {"all x in S : x not in A", "S & A == {}"},
    {"all x in S : x in f(x)", NULL},
    {"first(S) != off", "S != {}"},
    {"first(S) == a1", NULL},
    {"(sum i in 1..3 if f(i) : 1) >= 3", "all i in 1..3 : f(i)"},
    {"(sum i in 1..3 if f(i) : 1) >= 2", "(count i in 1..3 : f(i)) >= 2"},
    {"(sum i in 1..3 if f(i) : 2) >= 6", NULL},
    {"3 < n", "n > 3"},
    {"not (a == b)", "a != b"},
    {"not (a < b)", NULL},
    {"n == (5 / 2) + 1", "n == 3"},
    {"n == 2 - 3", NULL},
    {"A & B & A == C", "A & B == C"},
    {"A & occupied & mine == C", "A & mine == C"},
    {"A | occupied | mine == C", NULL},
    {"{for x in theirs if f(x, owned(owner(x)))} == C", "{for x in theirs if f(x, theirs)} == C"},
    {"{for x in occupied if f(x, owned(owner(x)))} == C", NULL},
    {"{for x in theirs if any x in S : f(owned(owner(x)))} == C", NULL},
    {"f(if me == P1 then g(P1, P2) else g(P2, P1))", "f(g(me, foe))"},
    {"f(if me == P2 then A[P1] else A[P2])", "f(A[foe])"},
    {"f(if me == P1 then g(P1, P2) else g(P1, P2))", NULL},
    {"f(if me == P1 then g(P1, me) else g(P2, me))", NULL},
};

static const char *const statements[][2] = {
    {"if a { again; }", "if a again;"},
    {"if a { if b again; } else draw;", NULL},
    {"if a { if b again; }", "if a and b again;"},
    {"if a { if b or c again; }", "if a and (b or c) again;"},
    {"if a again; else { if b draw; }", "if a again; else if b draw;"},
    {"if a if b again; else { if c draw; } else win me;", NULL},
    {"if a { let x = b; f(x); }", NULL},
    {"if a { // why\nagain; }", NULL},
    {"for x in S { n = 1; }", "if S != {} n = 1;"},
    {"if a for x in S { n = 1; } else draw;", "if a for x in S n = 1; else draw;"},
    {"for x in S { n = n + 1; }", "for x in S n = n + 1;"},
    {"for x in S { n[x] = 1; }", "for x in S n[x] = 1;"},
    {"for x in union d in D if s + d in A : {s + d} n = 1;", "if (any d in D : s + d in A) n = 1;"},
    {"for x in a1 n[x] = 1; for x in b2 n[x] = 1;", "for x in {a1, b2} n[x] = 1; "},
    {"for x in a1 n[x] = 1; for x in b2 n[x] = 2;", NULL},
    {"for x in a1 n[x] = 1; for x in b2 n[x] = n[a1];", NULL},
    {"choose { if a for x in S if x in A and b => f(x); }",
     "choose { if a for x in S & A if b => f(x); }"},
    {"choose { for x in S, y in T if x in A and y in f(x) => g(x, y); }",
     "choose { for x in S & A, y in T & f(x)  => g(x, y); }"},
    {"choose { for x in S, y in T if x in f(y) => g(x, y); }", NULL},
    {"choose { if a if a pass; if a pass; }", "choose { if a  pass; if a pass; }"},
    {"choose { if a { b; } }", "choose { if a b; }"},
    {"choose { if a { b; } then again; }", NULL},
};

static const char *const declarations[][2] = {
    {"piece K { moves { for to in S & empty => go(here, to); } }",
     "piece K { move to S & empty; }"},
    {"piece K { moves { for to in S => go(here, to); } }", NULL},
    {"piece K { moves { for to in empty => go(to, here); } }", NULL},
    {"piece K { after { if a again; } }", "piece K { after if a again; }"},
    {"moves legal { a; b; } ensuring c; turn { choose legal otherwise draw; }",
     " turn { choose { a; b; } ensuring c otherwise draw; }"},
    {"moves legal { a; b; } turn { choose legal otherwise draw; } end { if can(legal) draw; }",
     NULL},
    {"moves legal { a; } turn { choose legal otherwise draw; } end { if can(legal) draw; }",
     " turn { choose a otherwise draw; } end { if can(a) draw; }"},
    {"/// These.\nmoves legal { a; b; } turn { choose legal otherwise draw; }", NULL},
    {"let A[p: player] = {P1: x, P2: y}; let B[p: player] = {P1: x, P2: y}; fn f(): sites = A[P1] "
     "| B[P2];",
     " let B[p: player] = {P1: x, P2: y}; fn f(): sites = B[P1] | B[P2];"},
    {"let A[p: player]: site = {P1: x, P2: y};", "let A[p: player] = {P1: x, P2: y};"},
    {"let A[p: player]: site = {P1: x, P2: off};", NULL},
    {"let A[p: player]: sites = {P1: x, P2: y};", NULL},
    {"let A[p: player]: sites = {P1: {x}, P2: rank(2)};",
     "let A[p: player] = {P1: {x}, P2: rank(2)};"},
};

static void *resize(void *user, void *from, size_t size)
{
    (void)user;
    if (size)
        return realloc(from, size);
    free(from);
    return NULL;
}

/* Compares the script of each text between `before` and `after` with what is to become of it. */
static void compare(const char *const (*texts)[2], size_t count, const char *before,
                    const char *after)
{
    const char *head = "game \"T\";\nplayers P1, P2;\n";
    fzi_arena *arena = fzi_arena_new(resize, NULL, 0);

    assert_non_null(arena);
    assert_false(setjmp(*fzi_arena_handler(arena)));
    for (size_t i = 0; i < count; i++) {
        const char *from = texts[i][0], *to = texts[i][1] ? texts[i][1] : from;
        const char *script = fzi_arena_printf(arena, "%s%s%s%s", head, before, from, after);
        const char *wanted = fzi_arena_printf(arena, "%s%s%s%s", head, before, to, after);
        assert_string_equal(fzi_import_shorter(arena, script), wanted);
    }
    fzi_arena_free(arena);
}

static void test_conditions(void **state)
{
    (void)state;
    compare(conditions, sizeof conditions / sizeof *conditions, "let v = f(", ");");
    compare(conditions, sizeof conditions / sizeof *conditions, "end { rank p by ", "; }");
}

static void test_statements(void **state)
{
    (void)state;
    compare(statements, sizeof statements / sizeof *statements, "turn { ", " }");
}

static void test_declarations(void **state)
{
    (void)state;
    compare(declarations, sizeof declarations / sizeof *declarations, "", "");
}

/* What no parser takes stays as it is. */
static void test_errors(void **state)
{
    const char *const wrong[][2] = {{"turn { if (a) }", NULL}, {"let a = (b;", NULL}};

    (void)state;
    compare(wrong, sizeof wrong / sizeof *wrong, "", "");
}

/* Each part is written once, however deep it lies. */
static void test_depth(void **state)
{
    enum { DEEP = 60 };
    fzi_arena *arena = fzi_arena_new(resize, NULL, 0);
    const char *set = "S";

    (void)state;
    assert_non_null(arena);
    assert_false(setjmp(*fzi_arena_handler(arena)));
    for (int i = 0; i < DEEP; i++)
        set = fzi_arena_printf(arena, "{for x in S if x in A or (x in (%s) and not (f(x) == 1))}",
                               set);
    const char *script = fzi_arena_printf(arena, "game \"T\";\nlet a = %s;\n", set);
    assert_true(strlen(fzi_import_shorter(arena, script)) < strlen(script));
    fzi_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_conditions),   cmocka_unit_test(test_statements),
        cmocka_unit_test(test_declarations), cmocka_unit_test(test_errors),
        cmocka_unit_test(test_depth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
