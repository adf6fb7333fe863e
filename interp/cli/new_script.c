/* Skeletons of games and variants. Each is compiled, its first move played and its test run before
 * it is returned. See cli.h. */
#include "cli.h"

#include <unistd.h>

#include "grammar/compile.h"
#include "grammar/unit/layers.h"

enum { MAX_HOLES = 8 };
typedef struct holes {
    const char *names[MAX_HOLES];
    char *texts[MAX_HOLES]; /* owned */
    unsigned count;
} holes;

/* ---- texts; who asked for one frees it ---- */

/* Takes the text. */
static void set_hole(holes *h, const char *name, char *text)
{
    for (unsigned i = 0; i < h->count; i++)
        if (strcmp(h->names[i], name) == 0) {
            free(h->texts[i]);
            h->texts[i] = text;
            return;
        }
    h->names[h->count] = name;
    h->texts[h->count++] = text;
}

static void free_holes(holes *h)
{
    for (unsigned i = 0; i < h->count; i++)
        free(h->texts[i]);
}

static const char *hole(const holes *h, const char *at, size_t length)
{
    for (unsigned i = 0; i < h->count; i++)
        if (strlen(h->names[i]) == length && memcmp(h->names[i], at, length) == 0)
            return h->texts[i];
    return NULL;
}

/* The text, to be freed; takes the buffer. */
static char *finished(fzi_buffer *buffer)
{
    char *text = fzi_cli_text("%s", fzi_buffer_get(buffer));
    fzi_buffer_free(buffer);
    return text;
}

static fzi_buffer empty_text(void)
{
    return fzi_buffer_in((fzi_allocator){fzi_cli_resize, NULL});
}

/* The skeleton with its holes filled. Braces of the script stay. */
static char *filled(const char *text, const holes *h)
{
    fzi_buffer made = empty_text();
    while (*text) {
        const char *open = strchr(text, '{'), *close = open ? strchr(open, '}') : NULL;
        const char *with = close ? hole(h, open + 1, (size_t)(close - open) - 1) : NULL;
        size_t before = open ? (size_t)(open - text) + !with : strlen(text);
        fzi_buffer_add(&made, text, before);
        fzi_buffer_text(&made, with ? with : "");
        text = with ? close + 1 : text + before;
    }
    return finished(&made);
}

/* "my-first_game.game" is "My first game". */
static char *title_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char *title = fzi_cli_text("%.*s", (int)(strlen(name) - strlen(".game")), name);
    for (char *at = title; *at; at++)
        if (*at == '-' || *at == '_' || *at == '"' || *at == '\\')
            *at = ' ';
    if (*title >= 'a' && *title <= 'z')
        *title = (char)(*title - 'a' + 'A');
    return title;
}

/* ---- trying a text ---- */

/* Compiles the text; NULL if it has errors or warnings. */
static fz_program *compiled(fzi_new_script *a, const char *text)
{
    fz_program *program = NULL;
    fz_report_free(a->report);
    a->report = NULL;
    fz_compile(a->context, a->path, text, strlen(text), NULL, 0, &program, &a->report);
    if (program && a->report && fz_report_warnings(a->report)) {
        fz_program_release(program);
        return NULL;
    }
    return program;
}

static char *weak_test(void)
{
    return fzi_cli_text("test \"the beginning\" {\n  expect turns <= 1;\n}\n");
}

/* A test of the first move; one that says less if the game begins with chance. */
static char *first_test(const fz_program *program)
{
    fz_machine *machine = fz_machine_new(program, NULL);
    fz_state *state = machine ? fz_state_new(machine, 1, 0) : NULL;
    fz_moves *moves = state ? fz_moves_new(machine) : NULL;
    char *test = weak_test();
    if (moves && fz_state_waiting(state) == FZ_WAITING_MOVE &&
        fz_state_moves(machine, state, moves) == FZ_OK && fz_moves_count(moves)) {
        fz_move move = fz_moves_at(moves, 0);
        char *text = fzi_cli_text("%s", fz_move_text(machine, state, &move));
        size_t count = fz_moves_count(moves);
        if (!strpbrk(text, "\"\\\n") && fz_state_play(machine, state, &move) == FZ_OK &&
            fz_state_waiting(state) == FZ_WAITING_MOVE) {
            free(test);
            test = fzi_cli_text("test \"the first move\" {\n  moves %zu;\n  play \"%s\";\n"
                          "  expect mover == %s;\n}\n",
                          count, text, fz_program_player_name(program, fz_state_mover(state)));
        }
        free(text);
    }
    fz_moves_free(moves);
    fz_state_free(state);
    fz_machine_free(machine);
    return test;
}

static bool passes(fzi_new_script *a, const char *text)
{
    unsigned passed = 0, failed = 0;
    fz_test_sink sink = {0};
    fz_report *report = NULL;
    fz_status status = fz_run_tests(a->context, a->path, text, strlen(text), NULL, 0, NULL, &sink,
                                    &report, &passed, &failed);
    bool good = status == FZ_OK && passed > 0 && failed == 0;
    fz_report_free(report);
    return good;
}

/* The whole text with a test that passes; NULL if the skeleton does not fit the board. */
static char *tried(fzi_new_script *a, const char *name, holes *h)
{
    const fzi_skeleton *skeleton = fzi_skeletons;
    while (strcmp(skeleton->name, name) != 0)
        skeleton++;
    set_hole(h, "test", fzi_cli_text("%s", ""));
    char *text = filled(skeleton->text, h);
    fz_program *program = compiled(a, text);
    free(text);
    if (!program)
        return NULL;
    set_hole(h, "test", first_test(program));
    text = filled(skeleton->text, h);
    fz_program_release(program);
    if (passes(a, text))
        return text;
    free(text);
    set_hole(h, "test", weak_test());
    text = filled(skeleton->text, h);
    if (passes(a, text))
        return text;
    free(text);
    return NULL;
}

/* ---- a game ---- */

static char *players_of(const char *wanted)
{
    static const char *const names[] = {"Red", "Blue", "Green", "Yellow", "Purple", "Cyan"};
    fzi_buffer list = empty_text();
    uint64_t count;
    if (wanted && !fzi_number_read(wanted, &count))
        return fzi_cli_text("%s", wanted);
    if (!wanted || count == 2)
        return fzi_cli_text("White, Black");
    for (uint64_t i = 0; i < count; i++) {
        fzi_buffer_text(&list, i ? ", " : "");
        if (i < 6)
            fzi_buffer_text(&list, names[i]);
        else
            fzi_buffer_format(&list, "P%d", (int)i + 1);
    }
    return finished(&list);
}

/* The first skeleton that fits the board and the players. */
static char *game_text(fzi_new_script *a, const char *board, const char *wanted)
{
    char *players = players_of(wanted), *text = NULL;
    bool are_two = strchr(players, ',') && strchr(players, ',') == strrchr(players, ',');
    holes h = {.count = 0};
    set_hole(&h, "title", title_of(a->path));
    set_hole(&h, "file", fzi_cli_text("%s", a->path));
    set_hole(&h, "players", players);
    set_hole(&h, "board", fzi_cli_text("%s", board));
    if (strcmp(board, "none") == 0) {
        text = tried(a, "none", &h);
    } else {
        if (are_two && strncmp(board, "square", 6) == 0)
            text = tried(a, "march", &h);
        if (!text)
            text = tried(a, "row", &h);
        if (!text)
            text = tried(a, "fill", &h);
    }
    free_holes(&h);
    return text;
}

/* ---- a variant ---- */

/* The folder of a path, absolute; NULL if it does not exist. */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = fzi_cli_text("%.*s", (int)(slash ? slash + 1 - path : 1), slash ? path : ".");
    char *real = realpath(folder, NULL);
    free(folder);
    return real;
}

/* Does the name of that game of the library suffice? Not if a file of the name is beside `file`,
 * which comes first. */
static bool is_found_by_name(const char *file, const char *base, const char *name)
{
    const char *games = fz_library_games(), *slash = strrchr(file, '/');
    if (!games || strncmp(base, games, strlen(games)) != 0 || base[strlen(games)] != '/')
        return false;
    char *beside = fzi_cli_text("%.*s%s", slash ? (int)(slash + 1 - file) : 0, file, name);
    bool is_there = access(beside, F_OK) == 0;
    free(beside);
    return !is_there;
}

/* The base as the variant names it: a game of the library, or its path from the variant's folder.
 */
static char *base_path(const char *file, const char *base)
{
    const char *slash = strrchr(base, '/');
    if (slash && is_found_by_name(file, base, slash + 1))
        return fzi_cli_text("%s", slash + 1);
    char *from = folder_of(file), *folder = folder_of(base);
    char *to = from && folder ? fzi_cli_text("%s/%s", folder, slash ? slash + 1 : base) : NULL;
    if (!to) {
        free(from);
        free(folder);
        return fzi_cli_text("%s", base);
    }
    size_t same = 0;
    for (size_t i = 0; from[i] == to[i] || (!from[i] && to[i] == '/'); i++) {
        if (to[i] == '/')
            same = i;
        if (!from[i])
            break;
    }
    fzi_buffer made = empty_text();
    for (const char *at = from + same; *at; at++)
        if (*at == '/' && at[1])
            fzi_buffer_text(&made, "../");
    fzi_buffer_text(&made, to + same + 1);
    free(to);
    free(from);
    free(folder);
    return finished(&made);
}

/* Is it another one of that name, with other parameters? */
static bool is_named_before(const fzi_node *decls, const fzi_node *decl)
{
    const fzi_node *d = decls;
    while (d != decl && (d->kind != decl->kind || strcmp(d->name, decl->name) != 0))
        d = d->next;
    return d != decl;
}

/* "//   piece King, Queen", a line for each sort of declaration. */
static char *names_of(const fzi_analysis *analysis)
{
    static const char *const sorts[] = {"option", "piece", "let", "var", "fn", "proc", "moves"};
    fzi_buffer text = empty_text();
    for (size_t i = 0; i < sizeof sorts / sizeof *sorts; i++) {
        size_t width = 0;
        for (const fzi_node *d = analysis->unit->decls; d; d = d->next) {
            if (strcmp(fzi_decl_sort(d->kind), sorts[i]) != 0 || d->kind == N_D_EXTERN ||
                d->flags & FZ_NODE_MODULE || strchr(d->name, ' ') ||
                is_named_before(analysis->unit->decls, d))
                continue;
            if (width == 0)
                fzi_buffer_format(&text, "//   %s %s", sorts[i], d->name);
            else
                fzi_buffer_format(&text, "%s%s", width > 90 ? ",\n//     " : ", ", d->name);
            width = width == 0 ? 5 + strlen(sorts[i]) : width > 90 ? 7 : width;
            width += strlen(d->name) + 2;
        }
        fzi_buffer_text(&text, width ? "\n" : "");
    }
    return finished(&text);
}

/* Adds the line as a comment if it is a valid change of the base. */
static void add_example(fzi_new_script *a, const char *base, fzi_buffer *examples, char *line)
{
    char *text = fzi_cli_text("variant \"Try\" of \"%s\";\n%s\n", base, line);
    fz_program *program = compiled(a, text);
    if (program) {
        fzi_buffer_format(examples, "//   %s\n", line);
        fz_program_release(program);
    }
    free(text);
    free(line);
}

static char *option_value(const fzi_option *option)
{
    const fzi_node *value = option->node->values;
    if (option->kind == FZ_OPTION_SWITCH)
        return fzi_cli_text("%s", option->chosen ? "false" : "true");
    if (option->kind == FZ_OPTION_NUMBER)
        return fzi_cli_text(
            "%lld", (long long)(option->chosen < option->high ? option->chosen + 1 : option->low));
    if (option->chosen == 0 && value->next)
        value = value->next;
    return fzi_cli_text("%s", value->name);
}

static char *examples_of(fzi_new_script *a, const fzi_analysis *analysis, const char *base)
{
    fzi_buffer examples = empty_text();
    const fzi_game *game = analysis->game;
    for (size_t i = 0; i < analysis->unit->option_count && i < 2; i++) {
        const fzi_option *option = &analysis->unit->options[i];
        char *value = option_value(option);
        add_example(a, base, &examples, fzi_cli_text("set %s = %s;", option->name, value));
        free(value);
    }
    if (game->piece_count)
        add_example(a, base, &examples,
                    fzi_cli_text("extend piece %s { move to step(here, adjacent); }",
                           game->pieces[0].symbol->name));
    if (game->setup)
        add_example(a, base, &examples, fzi_cli_text("override setup { base; }"));
    add_example(a, base, &examples, fzi_cli_text("extend end { if turns >= 50 draw; }"));
    return finished(&examples);
}

static char *variant_text(fzi_new_script *a, const char *file)
{
    fzi_analysis *analysis = fzi_analyse_game(a->context, file, NULL, 0);
    holes h = {.count = 0};
    char *base = base_path(a->path, file), *text = NULL;
    if (!analysis || !analysis->game || analysis->diags->errors || analysis->unit->is_library) {
        fzi_analysis_free(analysis);
        text = fzi_cli_text("variant \"Try\" of \"%s\";\n", base);
        compiled(a, text); /* says what is wrong with the base */
        free(text);
        free(base);
        return NULL;
    }
    set_hole(&h, "title", title_of(a->path));
    set_hole(&h, "file", fzi_cli_text("%s", a->path));
    set_hole(&h, "base", base);
    set_hole(&h, "of", fzi_cli_text("%s", analysis->unit->title));
    set_hole(&h, "names", names_of(analysis));
    set_hole(&h, "examples", examples_of(a, analysis, base));
    text = tried(a, "variant", &h);
    free_holes(&h);
    fzi_analysis_free(analysis);
    return text;
}

/* Formats the text with `ferz fmt`: boards and players of the command line may have another layout.
 * */
static char *formatted(fzi_new_script *a, char *text)
{
    char *made = NULL;
    fz_report *report = NULL;
    if (fz_format_source(a->context, a->path, text, strlen(text), &made, &report) == FZ_OK) {
        free(text);
        text = fzi_cli_text("%s", made);
        fz_text_free(a->context, made);
    }
    fz_report_free(report);
    return text;
}

char *fzi_new_game(fzi_new_script *script, const char *board, const char *players)
{
    char *text = game_text(script, board ? board : "square(8)", players);
    return text ? formatted(script, text) : NULL;
}

char *fzi_new_variant(fzi_new_script *script, const char *base)
{
    char *text = variant_text(script, base);
    return text ? formatted(script, text) : NULL;
}
