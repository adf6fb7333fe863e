/* The compiler: reads a game with all files that it uses, and returns a program or a report. */
#include "interp/program/program_file.h"
#include "interp/board/topology.h"
#include "interp/native/ffi.h"
#include "interp/ferz_tools.h"
#include "interp/program/verify.h"
#include "grammar/compile.h"
#include "grammar/syntax/parse.h"
#include "grammar/emit/emit.h"
#include "grammar/unit/layers.h"
#include "grammar/whole_game/whole_game.h"

enum {
    MAX_COMPILE_MEMORY = 1 << 30,
    MAX_CONFINED_MEMORY = 1 << 28,
    MAX_CONFINED_SECONDS = 10
};

/* One compile, or another job with the files of a script: its input, its results, and what must be
 * released however it ends. */
typedef struct compile {
    fzi_analysis shown;      /* the first member: an analysis is a compile that goes on */
    fz_context *context;
    fz_cancel cancel;        /* asked at each chunk of the arena */
    const char *path, *text; /* of the script; text NULL: the file at `path` */
    size_t length;
    fzi_load load;
    enum fzi_purpose purpose;
    bool is_whole;           /* of an analysis: it is lowered */
    fzi_arena *arena;
    fzi_sources sources;
    fzi_diags diags;
    fzi_reader reader;
    fzi_lower lower;
    char *own;               /* the script's text, if it was read from the file */
    char *read;              /* a file on its way into the arena */
    fz_program *program;
    fz_report *report;
    char *made;              /* a formatted text */
    fz_print *print;         /* gets the names at its place; NULL */
} compile;

/* Says that memory is short: run() returns false. */
static _Noreturn void run_out(const compile *c)
{
    longjmp(*fzi_arena_handler(c->arena), 1);
}

/* Out of memory is not 'not found'. */
static fzi_read read_source(void *user, const char *path, fzi_arena *arena, const char **text,
                            size_t *length)
{
    compile *c = user;
    fz_status status = fzi_context_read_part(c->context, c->path, path, &c->read, length);
    if (status == FZ_NO_MEMORY)
        run_out(c);
    if (status != FZ_OK) {
        *text = fzi_arena_printf(arena, "%s", fz_context_message(c->context) + strlen(path));
        return status == FZ_NOT_FOUND ? FZI_READ_ABSENT : FZI_READ_FAILED;
    }
    *text = fzi_arena_copy(arena, c->read, *length + 1);
    fzi_release(c->context->allocator, c->read);
    c->read = NULL;
    return FZI_READ_DONE;
}

static int memory_of(const fz_context *context)
{
    return context->confined ? MAX_CONFINED_MEMORY : MAX_COMPILE_MEMORY;
}

/* Does the job; false: memory is short, and nothing has been made. */
static bool run(compile *c, void (*job)(compile *c))
{
    fz_context *context = c->context;
    c->arena =
        fzi_arena_new(context->allocator.resize, context->allocator.user,
                      (size_t)memory_of(context));
    if (!c->arena)
        return false;
    c->cancel.outer = context->limits.cancel;
    if (context->confined)
        c->cancel.deadline = fzi_seconds() + MAX_CONFINED_SECONDS;
    fzi_arena_cancel(c->arena, &c->cancel);
    c->reader = (fzi_reader){read_source, c, (const char *const *)context->module_dirs,
                             context->module_dir_count,
                             context->library ? fz_library_games() : NULL};
    if (!setjmp(*fzi_arena_handler(c->arena))) {
        fzi_sources_init(&c->sources, c->arena);
        fzi_diags_init(&c->diags, c->arena, &c->sources);
        c->load.arena = c->arena;
        c->load.sources = &c->sources;
        c->load.diags = &c->diags;
        c->load.reader = &c->reader;
        job(c);
        return true;
    }
    fz_program_release(c->program);
    fz_report_free(c->report);
    fz_text_free(context, c->made);
    c->program = NULL;
    c->report = NULL;
    c->made = NULL;
    return false;
}

static void compile_end(compile *c)
{
    fzi_evaluator_free(c->lower.build.evaluator);
    fzi_topology_free(c->lower.build.program.topology);
    fzi_arena_free(c->arena);
    FZI_RELEASE(c->context->allocator, c->read, c->own);
}

/* Says why a job has not been done, and frees its memory. */
static fz_status not_done(compile *c)
{
    bool full = c->arena && fzi_arena_is_full(c->arena);
    compile_end(c);
    if (fzi_cancelled(&c->cancel))
        return fzi_context_fail(c->context, FZ_REFUSED, "stopped: compiling takes too long");
    return full ? fzi_context_fail(c->context, FZ_REFUSED, "compiling takes more than %d MiB",
                                   memory_of(c->context) >> 20)
                : fzi_context_no_memory(c->context);
}

/* Ends a job that `done` says memory was enough for. The caller gets the report. */
static fz_status finish(compile *c, bool done, bool made, const char *why_not, fz_report **report)
{
    if (report)
        *report = c->report;
    else
        fz_report_free(c->report);
    if (!done)
        return not_done(c);
    compile_end(c);
    return made ? FZ_OK : fzi_context_fail(c->context, FZ_INVALID, "%s", why_not);
}

static void write_report(compile *c)
{
    c->report = fzi_report_new(&c->diags, c->context->allocator);
    if (!c->report)
        run_out(c);
}

static fz_status read_own(compile *c)
{
    if (c->text)
        return FZ_OK;
    fz_status status = fzi_context_read_file(c->context, c->path, &c->own, &c->length);
    c->text = c->own;
    return status;
}

static bool looks_compiled(const compile *c)
{
    return c->length >= 4 && memcmp(c->text, FZ_GAMEC_MAGIC, 4) == 0;
}

static fzi_unit *load_unit(compile *c)
{
    return fzi_unit_load(&c->load, c->path, c->text, c->length);
}

/* ---- programs ---- */

/* Verifies the program as if loaded from a file, before it is run. */
static bool is_sound(compile *c, const fzi_unit *unit, const fz_program *view)
{
    char message[256];
    if (fzi_verify(view, c->context->allocator, message, sizeof message))
        return true;
    if (!*message)
        run_out(c);
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
static const fz_program *lower(compile *c, const fzi_unit *unit, fzi_game *game)
{
    return c->diags.errors || unit->is_library
               ? NULL
               : fzi_lower_game(&c->lower, game,
                                c->purpose == FZI_FOR_STEPS ? FZI_ALL_OPTIMISATIONS
                                                            : c->context->without,
                                c->purpose, c->load.print, &c->context->allocator);
}

static void make_program(compile *c)
{
    fzi_unit *unit = load_unit(c);
    if (unit && !unit->is_broken) {
        if (c->load.print)
            read_print(c, c->load.print);
        fzi_game *game = fzi_check(&c->load, unit);
        fzi_note_changes(&c->diags, unit);
        const fz_program *view = lower(c, unit, game);
        if (view && is_sound(c, unit, view) &&
            !(c->program = fzi_program_make(c->context->allocator, view)))
            run_out(c);
        if (c->print && c->load.print->locals &&
            !(c->print->locals = fzi_copy_text(c->context->allocator, c->load.print->locals,
                                               strlen(c->load.print->locals))))
            run_out(c);
    }
    write_report(c);
}

/* Native functions are bound when a program is loaded, not when it first calls one. */
static fz_status attach(fz_context *context, fz_program **program)
{
    if (context->confined)
        fzi_program_confine(*program);
    fz_status status = fzi_natives_load(context, *program, &(*program)->native_code);
#ifndef __wasm__ /* there is no compiler */
    if (status == FZ_OK)
        status = fzi_engine_attach(context, *program);
#endif
    if (status != FZ_OK) {
        fz_program_release(*program);
        *program = NULL;
    }
    return status;
}

static fz_status compile_script(compile *c, fz_program **program, fz_report **report)
{
    bool done = run(c, make_program);
    const char *why_not = c->diags.errors ? "the script has errors" : "a library is no game";
    fz_status status = finish(c, done, c->program, why_not, report);
    if (status == FZ_OK)
        *program = c->program;
    return status;
}

static fz_status compile_with(compile *c, fz_program **program, fz_report **report)
{
    fz_program *unused = NULL;
    if (!program) {
        fz_status status = compile_with(c, &unused, report);
        fz_program_release(unused);
        return status;
    }
    if (report)
        *report = NULL;
    fz_status status = read_own(c);
    if (status != FZ_OK)
        return status;
    bool is_script = !looks_compiled(c), explains = c->purpose == FZI_FOR_WHY ||
                                                    c->purpose == FZI_FOR_STEPS;
    if (c->length <= FZ_MAX_FILE && is_script)
        status = compile_script(c, program, report);
    else if (c->length > FZ_MAX_FILE)
        status = fzi_context_fail(c->context, FZ_BAD_INPUT, "%s: too large", c->path);
    else
        status = explains ? fzi_context_fail(c->context, FZ_USAGE, "%s: not a script", c->path)
                          : fzi_gamec_load(c->context, c->path, c->text, c->length, program);
    if (c->length > FZ_MAX_FILE || !is_script)
        compile_end(c);
    return status == FZ_OK ? attach(c->context, program) : status;
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
    compile c = {.context = context, .path = path, .text = text, .length = length,
                 .purpose = context->covers          ? FZI_FOR_COVERAGE
                            : context->hides_folders ? FZI_FOR_FILES
                                                     : FZI_FOR_GAMES,
                 .load = {.settings = settings, .setting_count = setting_count,
                          .tested_count = tested}};
    return compile_with(&c, program, report);
}

fz_status fz_compile_explaining(fz_context *context, const char *path, const fz_setting *settings,
                                size_t setting_count, fz_program **program)
{
    compile c = {.context = context, .path = path, .purpose = FZI_FOR_WHY,
                 .load = {.settings = settings, .setting_count = setting_count}};
    return compile_with(&c, program, NULL);
}

fz_status fz_compile_stepping(fz_context *context, const char *path, const fz_setting *settings,
                              size_t setting_count, fz_print *print, fz_program **program,
                              fz_report **report)
{
    compile c = {.context = context, .path = path, .purpose = FZI_FOR_STEPS, .print = print,
                 .load = {.settings = settings, .setting_count = setting_count}};
    fzi_print what = {0};
    if (print) {
        print->locals = NULL;
        what = (fzi_print){.path = print->path, .start = print->start, .end = print->end,
                           .text = print->expression};
        c.load.print = &what;
    }
    fz_status status = compile_with(&c, program, report);
    if (print && status != FZ_OK) {
        fzi_release(context->allocator, print->locals);
        print->locals = NULL;
    }
    return status;
}

/* ---- analyses ---- */

/* Checks a unit with mistakes for the meaning of its names. New errors would mostly follow from
 * these mistakes, so they are dropped. */
static fzi_game *check_broken(compile *c, fzi_unit *unit)
{
    fzi_diags kept = c->diags;
    c->diags.first = c->diags.last = NULL;
    fzi_game *game = fzi_check(&c->load, unit);
    c->diags = kept;
    return game;
}

static void analyse_unit(compile *c)
{
    fzi_unit *unit = load_unit(c);
    c->shown = (fzi_analysis){c->arena, &c->sources, &c->diags, unit, NULL};
    if (unit)
        c->shown.game = unit->is_broken ? check_broken(c, unit) : fzi_check(&c->load, unit);
    if (c->is_whole && unit && !unit->is_broken)
        lower(c, unit, c->shown.game);
    fzi_diags_sort(&c->diags);
}

static fzi_analysis *analyse(const compile *asked)
{
    fz_context *context = asked->context;
    compile *c = asked->length > FZ_MAX_FILE ? NULL : fzi_allocate(context->allocator, sizeof *c);
    if (!c) {
        fzi_context_fail(context, FZ_REFUSED, "%s", asked->length > FZ_MAX_FILE ? "too large"
                                                                               : "out of memory");
        return NULL;
    }
    *c = *asked;
    c->load.is_for_tools = true;
    if (run(c, analyse_unit)) {
        c->cancel.deadline = 0; /* who asks about the unit later may take room, too */
        return &c->shown;
    }
    not_done(c);
    fzi_release(context->allocator, c);
    return NULL;
}

fzi_analysis *fzi_analyse(fz_context *context, const char *path, const char *text, size_t length,
                          fzi_probe *probe, bool is_whole)
{
    const compile c = {.context = context, .path = path, .text = text, .length = length,
                       .load = {.probe = probe}, .is_whole = is_whole};
    return analyse(&c);
}

fzi_analysis *fzi_analyse_game(fz_context *context, const char *path, const fz_setting *settings,
                               size_t setting_count)
{
    const compile c = {.context = context, .path = path,
                       .load = {.settings = settings, .setting_count = setting_count}};
    return analyse(&c);
}

void fzi_analysis_free(fzi_analysis *shown)
{
    compile *c = (compile *)shown;
    if (!c)
        return;
    compile_end(c);
    fzi_release(c->context->allocator, c);
}

/* ---- formatting ---- */

static void format_text(compile *c)
{
    uint32_t source = fzi_sources_add(&c->sources, c->path, c->text, c->length);
    fzi_node *file = fzi_parse_file(c->arena, &c->sources, &c->diags, source, false);
    if (!c->diags.errors) {
        const char *formatted = fzi_format(c->arena, &c->sources, source, file);
        c->made = fzi_copy_text(c->context->allocator, formatted, strlen(formatted));
        if (!c->made)
            run_out(c);
    }
    write_report(c);
}

fz_status fz_format_source(fz_context *context, const char *path, const char *text, size_t length,
                           char **formatted, fz_report **report)
{
    compile c = {.context = context, .path = path, .text = text, .length = length};
    if (report)
        *report = NULL;
    if (length > FZ_MAX_FILE)
        return fzi_context_fail(context, FZ_BAD_INPUT, "%s: too large", path);
    fz_status status = read_own(&c);
    if (status != FZ_OK)
        return status;
    bool done = run(&c, format_text);
    status = finish(&c, done, c.made, "the script has errors", report);
    if (formatted && status == FZ_OK)
        *formatted = c.made;
    else
        fz_text_free(context, c.made);
    return status;
}
