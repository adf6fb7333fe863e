/* The compiler: reads a game with all files that it uses, and returns a program or a report. */
#include <setjmp.h>
#include <string.h>

#include "interp/support/context.h"
#include "interp/program/program_file.h"
#include "interp/board/topology.h"
#include "interp/native/ffi.h"
#include "interp/ferz_tools.h"
#include "interp/program/verify.h"
#include "grammar/compile.h"
#include "grammar/syntax/parse.h"
#include "grammar/emit/emit.h"
#include "grammar/unit/layers.h"
#include "grammar/unit/unit.h"
#include "grammar/whole_game/whole_game.h"

enum { MAX_COMPILE_MEMORY = 1 << 30 };

/* One compile: what must be released however it ends. */
typedef struct compile {
    fz_context *context;
    fzi_arena *arena;
    fzi_sources sources;
    fzi_diags diags;
    fzi_reader reader;
    fzi_lower lower;
    char *read;            /* a file on its way into the arena */
    enum fzi_purpose purpose;
    fz_program *program;
    fz_report *report;
    char *formatted;
} compile;

/* Out of memory is not 'not found'. */
static bool read_source(void *user, const char *path, fzi_arena *arena, const char **text,
                        size_t *length)
{
    compile *c = user;
    fz_status status = fzi_context_read_file(c->context, path, &c->read, length);
    if (status == FZ_NO_MEMORY)
        longjmp(*fzi_arena_handler(arena), 1);
    if (status != FZ_OK)
        return false;
    *text = fzi_arena_copy(arena, c->read, *length + 1);
    fzi_release(c->context->allocator, c->read);
    c->read = NULL;
    return true;
}

static bool compile_begin(compile *c, fz_context *context)
{
    memset(c, 0, sizeof *c);
    c->context = context;
    c->arena =
        fzi_arena_new(context->allocator.resize, context->allocator.user, MAX_COMPILE_MEMORY);
    if (!c->arena)
        return false;
    c->reader.read = read_source;
    c->reader.user = c;
    c->reader.module_dirs = (const char *const *)context->module_dirs;
    c->reader.module_dir_count = context->module_dir_count;
    return true;
}

static void compile_end(compile *c)
{
    fzi_evaluator_free(c->lower.build.evaluator);
    fzi_topology_free(c->lower.build.program.topology);
    fzi_arena_free(c->arena);
    fzi_release(c->context->allocator, c->read);
}

/* Frees what was made before memory ran out. */
static bool give_up(compile *c)
{
    fz_program_release(c->program);
    fz_report_free(c->report);
    fz_text_free(c->context, c->formatted);
    c->program = NULL;
    c->report = NULL;
    c->formatted = NULL;
    return false;
}

static void prepare(compile *c, fzi_load *load)
{
    fzi_sources_init(&c->sources, c->arena);
    fzi_diags_init(&c->diags, c->arena, &c->sources);
    load->arena = c->arena;
    load->sources = &c->sources;
    load->diags = &c->diags;
    load->reader = &c->reader;
}

/* Verifies the program as if loaded from a file, before it is run. */
static bool is_sound(compile *c, const fzi_unit *unit, const fz_program *view)
{
    char message[256];
    if (fzi_verify(view, c->context->allocator, message, sizeof message))
        return true;
    if (!*message)
        longjmp(*fzi_arena_handler(c->arena), 1);
    fzi_error(&c->diags, unit->header_span, FZ_E_UNSOUND, message);
    return false;
}

/* Parses the expression of `print`. Any other text beside it is an error. */
static void read_print(compile *c, fzi_print *print)
{
    const char *text = fzi_arena_printf(c->arena, "let value = %s;", print->text);
    uint32_t source = fzi_sources_add(&c->sources, "print", text, strlen(text));
    const fzi_node *file = fzi_parse_file(c->arena, &c->sources, &c->diags, source, true);
    const fzi_node *let = file->decls;
    if (let && !let->next && let->kind == N_D_LET && let->value)
        print->node = let->value;
    else if (!c->diags.errors)
        fzi_error(&c->diags, file->span, FZ_E_SYNTAX, "an expression", "something else");
}

/* Lowers a unit without errors; NULL for a library. */
static const fz_program *lower(compile *c, const fzi_load *load, const fzi_unit *unit,
                               fzi_game *game)
{
    return c->diags.errors || unit->is_library
               ? NULL
               : fzi_lower_game(&c->lower, game,
                                c->purpose == FZI_FOR_STEPS ? FZI_ALL_OPTIMISATIONS
                                                            : c->context->without,
                                c->purpose, load->print, &c->context->allocator);
}

/* Text to program. When memory runs out, the arena longjmps to this function. */
static bool run(compile *c, fzi_load *load, const char *path, const char *text, size_t length)
{
    if (setjmp(*fzi_arena_handler(c->arena)))
        return give_up(c);
    prepare(c, load);
    fzi_unit *unit = fzi_unit_load(load, path, text, length);
    if (unit && !unit->is_broken) {
        if (load->print)
            read_print(c, load->print);
        fzi_game *game = fzi_check(load, unit);
        fzi_note_changes(&c->diags, unit);
        const fz_program *view = lower(c, load, unit, game);
        if (view && is_sound(c, unit, view) &&
            !(c->program = fzi_program_make(c->context->allocator, view)))
            return false;
    }
    c->report = fzi_report_new(&c->diags, c->context->allocator);
    return c->report || give_up(c);
}

/* Native functions are bound when a program is loaded, not when it first calls one. */
static fz_status bind_natives(fz_context *context, fz_program **program)
{
    fz_status status = fzi_natives_load(context, *program, &(*program)->native_code);
    if (status != FZ_OK) {
        fz_program_release(*program);
        *program = NULL;
    }
    return status;
}

static bool looks_compiled(const char *text, size_t length)
{
    return length >= 4 && memcmp(text, FZ_GAMEC_MAGIC, 4) == 0;
}

static fz_status finish(compile *c, bool done, fz_program **program, fz_report **report)
{
    fz_status status = !done ? FZ_NO_MEMORY : c->program ? FZ_OK : FZ_INVALID;
    if (status == FZ_OK) {
        *program = c->program;
        status = bind_natives(c->context, program);
    }
    if (status == FZ_NO_MEMORY)
        fzi_context_fail(c->context, status, "out of memory");
    else if (status == FZ_INVALID)
        fzi_context_fail(c->context, status, c->diags.errors ? "the script has errors"
                                                             : "a library is no game");
    if (report && done)
        *report = c->report;
    else
        fz_report_free(c->report);
    return status;
}

static fz_status compile_with(fz_context *context, const char *path, const char *text,
                              size_t length, fzi_load *load, enum fzi_purpose purpose,
                              fz_program **program, fz_report **report)
{
    compile c;
    char *read = NULL;
    fz_program *unused = NULL;
    fz_status status;
    if (!program) {
        status = compile_with(context, path, text, length, load, purpose, &unused, report);
        fz_program_release(unused);
        return status;
    }
    if (report)
        *report = NULL;
    if (!text) {
        status = fzi_context_read_file(context, path, &read, &length);
        if (status != FZ_OK)
            return status;
        text = read;
    }
    if (length > FZ_MAX_FILE) {
        fzi_release(context->allocator, read);
        return fzi_context_fail(context, FZ_BAD_INPUT, "%s: too large", path);
    }
    if (looks_compiled(text, length)) {
        status = purpose == FZI_FOR_WHY || purpose == FZI_FOR_STEPS
                     ? fzi_context_fail(context, FZ_USAGE, "%s: not a script", path)
                     : fzi_gamec_load(context, path, text, length, program);
        fzi_release(context->allocator, read);
        return status == FZ_OK ? bind_natives(context, program) : status;
    }
    if (!compile_begin(&c, context)) {
        fzi_release(context->allocator, read);
        return fzi_context_no_memory(context);
    }
    c.purpose = purpose;
    bool done = run(&c, load, path, text, length);
    fzi_release(context->allocator, read);
    compile_end(&c);
    return finish(&c, done, program, report);
}

fz_status fz_compile(fz_context *context, const char *path, const char *text, size_t length,
                     const fz_setting *settings, size_t setting_count, fz_program **program,
                     fz_report **report)
{
    return fz_compile_tested(context, path, text, length, settings, setting_count, 0, program,
                             report);
}

fz_status fz_compile_tested(fz_context *context, const char *path, const char *text, size_t length,
                            const fz_setting *settings, size_t setting_count, size_t tested,
                            fz_program **program, fz_report **report)
{
    fzi_load load = {.settings = settings, .setting_count = setting_count,
                     .tested_count = tested};
    enum fzi_purpose purpose = context->covers ? FZI_FOR_COVERAGE : FZI_FOR_GAMES;
    return compile_with(context, path, text, length, &load, purpose, program, report);
}

fz_status fz_compile_explaining(fz_context *context, const char *path, const fz_setting *settings,
                                size_t setting_count, fz_program **program)
{
    fzi_load load = {.settings = settings, .setting_count = setting_count};
    return compile_with(context, path, NULL, 0, &load, FZI_FOR_WHY, program, NULL);
}

fz_status fz_compile_stepping(fz_context *context, const char *path, const fz_setting *settings,
                              size_t setting_count, const fz_print *print, fz_program **program,
                              fz_report **report)
{
    fzi_load load = {.settings = settings, .setting_count = setting_count};
    fzi_print what = {0};
    if (print) {
        what = (fzi_print){.path = print->path, .start = print->start, .end = print->end,
                           .text = print->expression};
        load.print = &what;
    }
    return compile_with(context, path, NULL, 0, &load, FZI_FOR_STEPS, program, report);
}

/* ---- analyses ---- */

typedef struct analysis {
    fzi_analysis shown; /* the first member */
    compile compile;
    fzi_load load;
} analysis;

/* Checks a unit with mistakes for the meaning of its names. New errors would mostly follow from
 * these mistakes, so they are dropped. */
static fzi_game *check_broken(compile *c, fzi_load *load, fzi_unit *unit)
{
    fzi_diags kept = c->diags;
    c->diags.first = c->diags.last = NULL;
    fzi_game *game = fzi_check(load, unit);
    c->diags = kept;
    return game;
}

static bool run_analysis(analysis *a, const char *path, const char *text, size_t length,
                         bool is_whole)
{
    compile *c = &a->compile;
    if (setjmp(*fzi_arena_handler(c->arena)))
        return false;
    prepare(c, &a->load);
    fzi_unit *unit = fzi_unit_load(&a->load, path, text, length);
    a->shown.unit = unit;
    if (unit && unit->is_broken)
        a->shown.game = check_broken(c, &a->load, unit);
    else if (unit)
        a->shown.game = fzi_check(&a->load, unit);
    if (is_whole && a->shown.game && !unit->is_broken)
        lower(c, &a->load, unit, a->shown.game);
    fzi_diags_sort(&c->diags);
    return true;
}

static fzi_analysis *analyse(fz_context *context, const fzi_load *load, const char *path,
                             const char *text, size_t length, bool is_whole)
{
    if (length > FZ_MAX_FILE)
        return NULL;
    analysis *a = fzi_allocate(context->allocator, sizeof *a);
    if (!a)
        return NULL;
    memset(a, 0, sizeof *a);
    if (!compile_begin(&a->compile, context)) {
        fzi_release(context->allocator, a);
        return NULL;
    }
    a->load = *load;
    a->load.is_for_tools = true;
    a->shown.arena = a->compile.arena;
    a->shown.sources = &a->compile.sources;
    a->shown.diags = &a->compile.diags;
    if (run_analysis(a, path, text, length, is_whole))
        return &a->shown;
    fzi_analysis_free(&a->shown);
    return NULL;
}

fzi_analysis *fzi_analyse(fz_context *context, const char *path, const char *text, size_t length,
                          fzi_probe *probe, bool is_whole)
{
    const fzi_load load = {.probe = probe};
    return analyse(context, &load, path, text, length, is_whole);
}

fzi_analysis *fzi_analyse_game(fz_context *context, const char *path, const fz_setting *settings,
                               size_t setting_count)
{
    const fzi_load load = {.settings = settings,
                           .setting_count = setting_count};
    return analyse(context, &load, path, NULL, 0, false);
}

void fzi_analysis_free(fzi_analysis *shown)
{
    analysis *a = (analysis *)shown;
    if (!a)
        return;
    fzi_allocator allocator = a->compile.context->allocator;
    compile_end(&a->compile);
    fzi_release(allocator, a);
}

/* ---- formatting ---- */

static bool run_format(compile *c, const char *path, const char *text, size_t length)
{
    fzi_load load = {0};
    if (setjmp(*fzi_arena_handler(c->arena)))
        return give_up(c);
    prepare(c, &load);
    uint32_t source = fzi_sources_add(&c->sources, path, text, length);
    fzi_node *file = fzi_parse_file(c->arena, &c->sources, &c->diags, source, false);
    if (file && !c->diags.errors) {
        const char *formatted = fzi_format(c->arena, &c->sources, source, file);
        c->formatted = fzi_copy_text(c->context->allocator, formatted, strlen(formatted));
    }
    c->report = fzi_report_new(&c->diags, c->context->allocator);
    return (c->report && (c->formatted || c->diags.errors)) || give_up(c);
}

fz_status fz_format_source(fz_context *context, const char *path, const char *text, size_t length,
                           char **formatted, fz_report **report)
{
    compile c;
    if (report)
        *report = NULL;
    if (length > FZ_MAX_FILE)
        return fzi_context_fail(context, FZ_BAD_INPUT, "%s: too large", path);
    if (!compile_begin(&c, context))
        return fzi_context_no_memory(context);
    bool done = run_format(&c, path, text, length);
    compile_end(&c);
    fz_status status = !done ? FZ_NO_MEMORY : c.formatted ? FZ_OK : FZ_INVALID;
    if (formatted && status == FZ_OK)
        *formatted = c.formatted;
    else
        fz_text_free(context, c.formatted);
    if (report && done)
        *report = c.report;
    else
        fz_report_free(c.report);
    return status;
}

/* ---- merged texts ---- */

static bool run_merge(compile *c, fzi_load *load, const char *path, const char *text,
                      size_t length, bool inlines, fz_merged **merged)
{
    if (setjmp(*fzi_arena_handler(c->arena)))
        return give_up(c);
    prepare(c, load);
    fzi_unit *unit = fzi_unit_load(load, path, text, length);
    if (unit && !unit->is_broken) {
        fzi_check(load, unit);
        fzi_note_changes(&c->diags, unit);
    }
    if (unit && !c->diags.errors && !unit->is_library)
        *merged = fzi_merged_text(load, unit, inlines);
    c->report = fzi_report_new(&c->diags, c->context->allocator);
    return c->report || give_up(c);
}

static const char *why_not_merged(const fz_report *report, const char *text)
{
    return report && fz_report_errors(report)       ? "the script has errors"
           : fzi_begins_library(text, strlen(text)) ? "a library is no game"
                                                    : "the script cannot be one file";
}

fz_status fz_merge_source(fz_context *context, const char *path, const fz_setting *settings,
                          size_t setting_count, bool inlines, fz_merged **merged,
                          fz_report **report)
{
    compile c;
    size_t length;
    char *text = NULL;
    fzi_load load = {.settings = settings, .setting_count = setting_count};
    fz_merged *made = NULL;
    if (merged)
        *merged = NULL;
    if (report)
        *report = NULL;
    fz_status status = fzi_context_read_file(context, path, &text, &length);
    if (status != FZ_OK)
        return status;
    if (length > FZ_MAX_FILE || looks_compiled(text, length)) {
        fzi_release(context->allocator, text);
        return fzi_context_fail(context, FZ_USAGE, "%s: not a script", path);
    }
    bool done = compile_begin(&c, context);
    if (done) {
        done = run_merge(&c, &load, path, text, length, inlines, &made);
        if (done && made && merged) {
            *merged = made;
            c.arena = NULL; /* it belongs to the result */
        }
        compile_end(&c);
    }
    if (!done || !made)
        status = fzi_context_fail(context, done ? FZ_INVALID : FZ_NO_MEMORY, "%s",
                                  done ? why_not_merged(c.report, text) : "out of memory");
    fzi_release(context->allocator, text);
    if (report && done)
        *report = c.report;
    else if (done)
        fz_report_free(c.report);
    return status;
}

void fz_merged_free(fz_merged *merged)
{
    fzi_arena_free(merged ? merged->arena : NULL);
}

static bool run_base(compile *c, const char *path, char **base)
{
    fzi_load load = {0};
    if (setjmp(*fzi_arena_handler(c->arena)))
        return give_up(c);
    prepare(c, &load);
    const fzi_unit *unit = fzi_unit_load(&load, path, NULL, 0);
    const fzi_layer *own = NULL;
    for (size_t i = 0; unit && i < unit->layer_count; i++)
        if (!unit->layers[i]->module)
            own = unit->layers[i];
    if (own && own->base_count)
        *base = fzi_copy_text(c->context->allocator, own->bases[0]->path,
                              strlen(own->bases[0]->path));
    return true;
}

fz_status fz_base_of(fz_context *context, const char *path, char **base)
{
    compile c;
    char *made = NULL;
    if (base)
        *base = NULL;
    if (!compile_begin(&c, context))
        return fzi_context_no_memory(context);
    bool done = run_base(&c, path, &made);
    compile_end(&c);
    if (base)
        *base = made;
    else
        fz_text_free(context, made);
    return !done ? FZ_NO_MEMORY : made ? FZ_OK : FZ_NOT_FOUND;
}
