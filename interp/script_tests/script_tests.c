/* The tests that stand in scripts: each runs on the program that its options give; a program is
 * compiled again where a test sets options. */
#include "script_case.h"
#include "interp/ferz_tools.h"
#include "interp/support/cancel.h"

#include <stdlib.h>

/* A test by its title. */
typedef struct titled {
    const char *title;
    uint32_t test;
} titled;

/* A program, and a machine for all tests of it. */
typedef struct tested {
    fz_program *program;
    fz_machine *machine;     /* NULL: no test has run */
    titled *titles;          /* in order; NULL: nothing was looked for */
} tested;

/* A program under options that some test sets. */
typedef struct variant {
    char *settings;          /* "A=B\nC=D\n"; "" for the program as it was asked for */
    tested tested;           /* no program: the script is not valid under these options */
    struct variant *next;
} variant;

typedef struct suite {
    fz_context *context;
    const char *path, *text;
    size_t length;
    const fz_setting *settings;
    size_t setting_count;
    variant *variants;
} suite;

/* ---- a test ---- */

/* False: there is no game; that is no failure if a `fails` says so. */
static bool begin_case(fzi_script_case *t, tested *of, const fz_limits *limits)
{
    if (!of->machine)
        of->machine = fz_machine_new(of->program, limits);
    t->machine = of->machine;
    if (!t->machine) {
        fzi_buffer_text(&t->out, "out of memory\n");
        t->failed = true;
        return false;
    }
    fz_machine_set_chance(t->machine, FZ_CHANCE_ASK);
    t->state = fz_state_new(t->machine, 1, 0);
    return t->state || fzi_case_broken_by_machine(t);
}

/* Runs a test of the program on a fresh state. False: something differed, and `out`, which the
 * caller frees in any case, says what. */
static bool run_case(fz_context *context, tested *of, const fz_test_info *test, fzi_buffer *out)
{
    const fz_program *program = of->program;
    fzi_script_case t = {.program = program, .test = test,
                         .out = fzi_buffer_in(context->allocator)};

    if (!begin_case(&t, of, &context->limits) && t.caught &&
        t.step + 1 < program->steps + test->first + test->steps) {
        t.step++;
        fzi_case_broken(&t, "there is no game here: set-up failed");
    }
    for (uint32_t i = 0; i < test->steps && t.state; i++) {
        t.step = &program->steps[test->first + i];
        t.caught = false;
        if (!(fzi_case_do(&t) && fzi_case_expect(&t)) && !t.caught)
            break;
        i = (uint32_t)(t.step - program->steps) - test->first;
    }
    if (t.state)
        fz_state_free(t.state);
    *out = t.out;
    return !t.failed;
}

/* ---- options that tests set ---- */

static void add_settings(const fz_program *program, const fz_test_info *test, fzi_buffer *out)
{
    for (uint32_t i = 0; i < test->steps; i++) {
        const fz_test_step *step = &program->steps[test->first + i];
        if (step->op == FZ_TEST_SET)
            fzi_buffer_format(out, "%s\n", fzi_text(program, step->text));
    }
}

/* Compiles with the lines "Name=Value" added to the options that were asked for; the later ones
 * hold. */
static fz_status compile_with(suite *s, char *lines, fz_program **program, fz_report **report)
{
    fzi_allocator allocator = s->context->allocator;
    size_t count = s->setting_count, room = count + 1;
    fz_setting *settings;
    fz_status status;

    for (const char *c = lines; *c; c++)
        room += *c == '\n';
    settings = fzi_allocate(allocator, room * sizeof *settings);
    if (!settings)
        return FZ_NO_MEMORY;
    if (count)
        memcpy(settings, s->settings, count * sizeof *settings);
    while (*lines) {
        char *end = lines + strcspn(lines, "\n"), *equals = strchr(lines, '=');
        *end = '\0';
        if (!equals)
            break;
        *equals = '\0';
        settings[count++] = (fz_setting){lines, equals + 1};
        lines = end + 1;
    }
    status = fz_compile_tested(s->context, s->path, s->text, s->length, settings, count,
                               s->setting_count, program, report);
    fzi_release(allocator, settings);
    return status;
}

/* The program for the test's options; NULL, with the reason in `out`. */
static tested *program_for(suite *s, const fz_program *program, const fz_test_info *test,
                           fzi_buffer *out)
{
    fzi_buffer lines = fzi_buffer_in(s->context->allocator);
    fz_report *report = NULL;
    variant *made, **at = &s->variants;

    add_settings(program, test, &lines);
    for (; *at; at = &(*at)->next) {
        if (strcmp((*at)->settings, fzi_buffer_get(&lines)) == 0) {
            fzi_buffer_free(&lines);
            return (*at)->tested.program ? &(*at)->tested : NULL;
        }
    }
    made = fzi_allocate(s->context->allocator, sizeof *made);
    if (!made) {
        fzi_buffer_free(&lines);
        return NULL;
    }
    *made = (variant){.settings = fzi_copy_text(s->context->allocator, fzi_buffer_get(&lines),
                                                lines.length)};
    *at = made;
    if (compile_with(s, lines.data, &made->tested.program, &report) != FZ_OK)
        fzi_buffer_format(out, "under its options the script is not valid:\n%s",
                          report && fz_report_errors(report) ? fz_report_text(report, FZ_TEXT)
                                                             : fz_context_message(s->context));
    fz_report_free(report);
    fzi_buffer_free(&lines);
    return made->tested.program ? &made->tested : NULL;
}

static void end_tested(tested *t, fzi_allocator allocator)
{
    fz_machine_free(t->machine);
    fzi_release(allocator, t->titles);
    if (t->program)
        fz_program_release(t->program);
}

static void free_variants(suite *s)
{
    while (s->variants) {
        variant *v = s->variants;
        s->variants = v->next;
        end_tested(&v->tested, s->context->allocator);
        FZI_RELEASE(s->context->allocator, v->settings, v);
    }
}

static int by_title(const void *a, const void *b)
{
    const titled *one = a, *other = b;
    int order = strcmp(one->title, other->title);

    return order ? order : (one->test > other->test) - (one->test < other->test);
}

static bool sort_titles(tested *t, fzi_allocator allocator)
{
    const fz_program *program = t->program;

    if (!t->titles && program->test_count) {
        t->titles = fzi_allocate(allocator, program->test_count * sizeof *t->titles);
        for (uint32_t i = 0; t->titles && i < program->test_count; i++)
            t->titles[i] = (titled){fzi_text(program, program->tests[i].title), i};
        if (t->titles)
            qsort(t->titles, program->test_count, sizeof *t->titles, by_title);
    }
    return t->titles || !program->test_count;
}

/* The first row that does not stand before the given one. */
static uint32_t find_title(const tested *t, titled row)
{
    uint32_t low = 0, high = t->program->test_count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (by_title(&t->titles[middle], &row) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The test of the same title in another program; of equal titles, the one in the same place among
 * them. */
static const fz_test_info *same_test(tested *own, const fz_test_info *test, tested *other,
                                     fzi_allocator allocator)
{
    const char *title = fzi_text(own->program, test->title);
    uint32_t number = (uint32_t)(test - own->program->tests);

    if (!sort_titles(own, allocator) || !sort_titles(other, allocator))
        return NULL;
    const titled first = {title, 0};
    uint32_t before = find_title(own, (titled){title, number}) - find_title(own, first);
    uint32_t found = find_title(other, first) + before;
    if (found >= other->program->test_count || strcmp(other->titles[found].title, title) != 0)
        return NULL;
    return &other->program->tests[other->titles[found].test];
}

static bool sets_options(const fz_program *program, const fz_test_info *test)
{
    for (uint32_t i = 0; i < test->steps; i++) {
        if (program->steps[test->first + i].op == FZ_TEST_SET)
            return true;
    }
    return false;
}

static bool run_test(suite *s, tested *own, const fz_test_info *test, fzi_buffer *out)
{
    const fz_program *program = own->program;

    *out = fzi_buffer_in(s->context->allocator);
    if (!sets_options(program, test))
        return run_case(s->context, own, test, out);
    tested *other = program_for(s, program, test, out);
    if (!other) {
        if (!out->length)
            fzi_buffer_text(out, "the script cannot be compiled under its options\n");
        return false;
    }
    const fz_test_info *found = same_test(own, test, other, s->context->allocator);
    if (found)
        return run_case(s->context, other, found, out);
    fzi_buffer_text(out, "under its options the test does not exist\n");
    return false;
}

fz_status fz_run_tests(fz_context *context, const char *path, const char *text, size_t length,
                       const fz_setting *settings, size_t setting_count, const char *filter,
                       const fz_test_sink *sink, fz_report **report, unsigned *passed,
                       unsigned *failed)
{
    suite s = {.context = context, .path = path, .text = text, .length = length,
               .settings = settings, .setting_count = setting_count};
    tested own = {0};
    unsigned unused[2];
    fz_status status = fz_compile_tested(context, path, text, length, settings, setting_count,
                                         setting_count, &own.program, report);
    const fz_program *program = own.program;

    passed = passed ? passed : &unused[0];
    failed = failed ? failed : &unused[1];
    *passed = *failed = 0;
    for (uint32_t i = 0; status == FZ_OK && program && i < program->test_count; i++) {
        const char *title = fzi_text(program, program->tests[i].title);
        fzi_buffer out;
        if (filter && !strstr(title, filter))
            continue;
        bool good = run_test(&s, &own, &program->tests[i], &out);
        if (fzi_cancelled(context->limits.cancel)) { /* the test may have ended early */
            status = fzi_context_fail(context, FZ_REFUSED, "stopped before all tests have ended");
        } else {
            ++*(good ? passed : failed);
            if (sink && sink->ended)
                sink->ended(sink->user, title, good, good ? "" : fzi_buffer_get(&out));
        }
        fzi_buffer_free(&out);
    }
    free_variants(&s);
    end_tested(&own, context->allocator);
    return status;
}
