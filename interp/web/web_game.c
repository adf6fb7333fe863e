/* Scripts in the WebAssembly engine: compiling, describing, testing. See web_engine.h. */
#include "web_engine.h"

#include <stdlib.h>

static fz_context *contexts[2]; /* of games, and of programs for coverage */
static fz_limits the_limits;
static fzi_buffer the_answer;

/* ---- memory and answers ---- */

static fz_context *context_of(bool covers)
{
    static const char *const folders[] = {"/stdlib", NULL};
    const fz_config config = {.module_dirs = folders};
    fz_context **context = &contexts[covers];

    if (!*context && (*context = fz_context_new(&config)) && covers)
        fz_context_enable_coverage(*context);
    if (*context)
        fz_context_set_limits(*context, &the_limits);
    return *context;
}

fz_context *fzi_web_context(void)
{
    return context_of(false);
}

fzi_buffer *fzi_web_begin(void)
{
    if (!the_answer.allocator.resize)
        the_answer = fzi_buffer_in(fzi_allocator_default());
    fzi_buffer_clear(&the_answer);
    the_answer.failed = false;
    return &the_answer;
}

const char *fzi_web_answer(void)
{
    return fzi_buffer_get(&the_answer);
}

size_t fzi_web_answer_length(void)
{
    return the_answer.length;
}

fz_status fzi_web_fail(fz_status status, const char *message)
{
    fzi_buffer_text(fzi_web_begin(), message);
    return status;
}

fz_status fzi_web_end(const fzi_web_game *game, fz_status status)
{
    const char *message = "";

    if (status == FZ_OK && the_answer.failed)
        status = FZ_NO_MEMORY;
    if (status == FZ_OK)
        return FZ_OK;
    if (status == FZ_NO_MEMORY)
        return fzi_web_fail(status, "out of memory");
    if (game && game->machine)
        message = fz_machine_message(game->machine);
    if (!*message && contexts[false])
        message = fz_context_message(contexts[false]);
    return fzi_web_fail(status, *message ? message : "the operation failed");
}

fz_status fzi_web_text(const fzi_web_game *game, fz_status status, const char *text)
{
    fzi_buffer *out = fzi_web_begin();

    if (status == FZ_OK)
        fzi_buffer_json(out, "{text:s}", text);
    return fzi_web_end(game, status);
}

void fzi_web_limits(uint64_t instructions, uint64_t playout, uint32_t idle_turns, uint32_t memory)
{
    the_limits = (fz_limits){.instructions = instructions,
                             .playout = (uint32_t)playout,
                             .idle_turns = idle_turns,
                             .memory = memory};
    fzi_web_context();
}

/* ---- games ---- */

/* Cuts "Name=Value\n…" into settings; false when memory is short. */
static bool read_settings(fzi_web_game *game, const char *text)
{
    size_t lines = 1;

    for (const char *at = text; *at; at++)
        lines += *at == '\n';
    game->setting_text = fzi_copy_text(fzi_allocator_default(), text, strlen(text));
    game->settings = calloc(lines, sizeof *game->settings);
    if (!game->setting_text || !game->settings)
        return false;
    for (char *at = game->setting_text, *end; *at; at = end) {
        end = at + strcspn(at, "\n");
        if (*end)
            *end++ = '\0';
        char *equals = strchr(at, '=');
        if (equals) {
            *equals = '\0';
            game->settings[game->setting_count++] = (fz_setting){at, equals + 1};
        }
    }
    return true;
}

static fz_status open_game(fzi_web_game *game, const char *path, const char *settings, bool covers)
{
    fz_report *report = NULL;
    fzi_buffer *out = fzi_web_begin();

    game->context = context_of(covers);
    game->path = fzi_copy_text(fzi_allocator_default(), path, strlen(path));
    if (!game->context || !game->path || !read_settings(game, settings))
        return fzi_web_fail(FZ_NO_MEMORY, "out of memory");
    fz_status status = fz_compile(game->context, game->path, NULL, 0, game->settings,
                                  game->setting_count, &game->program, &report);
    if (!report)
        return fzi_web_fail(status, fz_context_message(game->context));
    fzi_buffer_json(out, "{diagnostics:j, text:s, library:b", fz_report_text(report, FZ_JSON),
                    fz_report_text(report, FZ_TEXT),
                    status == FZ_INVALID && fz_report_errors(report) == 0);
    if (status != FZ_OK && fz_report_errors(report) == 0)
        fzi_buffer_json(out, "message:s", fz_context_message(game->context));
    fzi_buffer_json(out, "}");
    fz_report_free(report);
    if (status != FZ_OK)
        return status;
    game->machine = fz_machine_new(game->program, &the_limits);
    game->moves = game->machine ? fz_moves_new(game->machine) : NULL;
    return game->moves ? FZ_OK : fzi_web_fail(FZ_NO_MEMORY, "out of memory");
}

fzi_web_game *fzi_web_load(const char *path, const char *settings, int covers)
{
    fzi_web_game *game = calloc(1, sizeof *game);

    if (!game) {
        fzi_web_fail(FZ_NO_MEMORY, "out of memory");
        return NULL;
    }
    if (open_game(game, path, settings, covers != 0) == FZ_OK)
        return game;
    fzi_web_unload(game);
    return NULL;
}

void fzi_web_unload(fzi_web_game *game)
{
    if (!game)
        return;
    fz_moves_free(game->moves);
    fz_machine_free(game->machine);
    fz_program_release(game->explaining);
    fz_program_release(game->program);
    free(game->path);
    free(game->settings);
    free(game->setting_text);
    free(game);
}

/* ---- descriptions ---- */

fz_status fzi_web_describe(fzi_web_game *game)
{
    const fz_program *program = game->program;
    fzi_buffer *out = fzi_web_begin();

    fzi_buffer_json(out, "{title:s, players:[", fz_program_title(program));
    for (int p = 0; p < fz_program_players(program); p++)
        fzi_buffer_json(out, "{name:s, team:i}", fz_program_player_name(program, p),
                        fz_program_team(program, p));
    fzi_buffer_json(out, "], sites:[");
    for (int s = 0; s < fz_program_sites(program); s++)
        fzi_buffer_json(out, "s", fz_program_site_name(program, s));
    fzi_buffer_json(out, "], kinds:[");
    for (int k = 0; k < fz_program_kinds(program); k++)
        fzi_buffer_json(out, "{name:s, letter:s}", fz_program_kind_name(program, k),
                        fz_program_kind_letter(program, k));
    fzi_buffer_json(out, "], options:[");
    for (int i = 0; i < fz_program_options(program); i++) {
        static const char *const types[] = {[FZ_OPTION_NAMED] = "named",
                                            [FZ_OPTION_NUMBER] = "number",
                                            [FZ_OPTION_SWITCH] = "switch"};
        fz_setting_info info;
        if (fz_program_option_info(program, i, &info))
            fzi_buffer_json(out, "{name:s, value:s, isDefault:b, type:s, low:I, high:I, values:s,"
                                 " comment:s}",
                            info.name, info.value, strcmp(info.value, info.initial) == 0,
                            types[info.type], info.low, info.high, info.values, info.comment);
    }
    fzi_buffer_json(out, "], hides:b, oneSide:b, payoffs:b}", fz_program_hides(program),
                    fz_program_has_one_side(program), fz_program_has_payoffs(program));
    return fzi_web_end(game, FZ_OK);
}

/* ---- files ---- */

fz_status fzi_web_format(const char *path)
{
    fz_context *context = fzi_web_context();
    fz_report *report = NULL;
    char *text = NULL;
    fz_status status = context ? fz_format_source(context, path, NULL, 0, &text, &report)
                               : FZ_NO_MEMORY;

    if (status != FZ_OK && report)
        fzi_web_fail(status, fz_report_text(report, FZ_TEXT));
    else
        status = fzi_web_text(NULL, status, text);
    fz_report_free(report);
    if (context)
        fz_text_free(context, text);
    return status;
}

static void test_ended(void *user, const char *title, bool passed, const char *message)
{
    fzi_buffer_json(user, "{title:s, passed:b, message:s}", title, passed, message);
}

fz_status fzi_web_test(const char *path, const char *settings)
{
    fz_context *context = fzi_web_context();
    fzi_web_game choice = {0};
    fzi_buffer *out = fzi_web_begin();
    const fz_test_sink sink = {.ended = test_ended, .user = out};
    fz_report *report = NULL;
    unsigned passed = 0, failed = 0;
    fz_status status = FZ_NO_MEMORY;

    fzi_buffer_json(out, "{tests:[");
    if (context && read_settings(&choice, settings))
        status = fz_run_tests(context, path, NULL, 0, choice.settings, choice.setting_count, NULL,
                              &sink, &report, &passed, &failed);
    fzi_buffer_json(out, "]}");
    if (status == FZ_RUNTIME || (status == FZ_INVALID && report && !fz_report_errors(report)))
        status = FZ_OK; /* tests that failed are in the answer */
    if (status != FZ_OK && report && fz_report_errors(report))
        fzi_web_fail(status, fz_report_text(report, FZ_TEXT));
    else
        status = fzi_web_end(NULL, status);
    fz_report_free(report);
    free(choice.settings);
    free(choice.setting_text);
    return status;
}
