/* The cells of a study: making and playing them. See study.h. */
#include "study.h"

#include "lineup.h"
#include "sampling.h"
#include "interp/support/text.h"
#include "interp/terminal/progress.h"
#include "interp/terminal/terminal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/support/chance.h"

enum { MOST_CELLS = 100000, NAME_SIZE = 1024 };

static char *copy_of(const char *text)
{
    char *copy = fzi_cli_allocate(NULL, strlen(text) + 1);

    return strcpy(copy, text);
}

/* ---- cells ---- */

static void add_setting(fzi_settings *settings, fz_setting setting)
{
    settings->items =
        fzi_cli_allocate(settings->items, (settings->count + 1) * sizeof *settings->items);
    settings->items[settings->count++] = setting;
}

static int check_twice(const fzi_study *study, const fzi_study_cell *cell)
{
    const fzi_settings *s = &cell->settings;

    for (size_t i = 0; i < s->count; i++)
        for (size_t k = i + 1; k < s->count; k++)
            if (strcmp(s->items[i].name, s->items[k].name) == 0)
                return fzi_cli_complain(study->cli, "%s:%u: ruleset '%s': option %s is set twice",
                                        study->file.path, cell->line, cell->name,
                                        s->items[i].name);
    return FZ_EXIT_OK;
}

/* The ruleset with the values number `point` of the axes. */
static int add_cell(fzi_study *study, const fzi_study_game *game, const fzi_study_ruleset *ruleset,
                    size_t point, const fzi_study_cast *cast)
{
    char name[NAME_SIZE];
    fzi_study_cell *cell;
    size_t used = (size_t)snprintf(name, sizeof name, "%s", ruleset->name ? ruleset->name : "");

    if (study->count == MOST_CELLS)
        return fzi_cli_complain(study->cli, "%s: the study has more than %d cells",
                                study->file.path, MOST_CELLS);
    study->cells = fzi_cli_allocate(study->cells, (study->count + 1) * sizeof *study->cells);
    cell = &study->cells[study->count++];
    *cell = (fzi_study_cell){.game = game, .line = ruleset->name ? ruleset->line : game->line,
                       .agents = cast->agents, .playouts = cast->playouts};
    for (size_t i = 0; i < game->settings.count; i++)
        add_setting(&cell->settings, game->settings.items[i]);
    for (size_t i = 0; i < ruleset->settings.count; i++)
        add_setting(&cell->settings, ruleset->settings.items[i]);
    for (size_t i = game->axis_count; i-- > 0;) { /* the last axis is the fastest */
        const fzi_axis *axis = &game->axes[i];
        add_setting(&cell->settings,
                    (fz_setting){axis->option, axis->values[point % axis->count]});
        point /= axis->count;
    }
    for (size_t i = 0; i < game->axis_count && used < sizeof name; i++) {
        const fz_setting *s = &cell->settings.items[cell->settings.count - 1 - i];
        used += (size_t)snprintf(name + used, sizeof name - used, "%s%s=%s", used ? ", " : "",
                                 s->name, s->value);
    }
    if (!used)
        snprintf(name, sizeof name, "(default)");
    cell->name = copy_of(name);
    return check_twice(study, cell);
}

static int expand_game(fzi_study *study, fzi_study_game *game)
{
    const fzi_study_ruleset plain = {0};
    size_t points = 1;
    int code = fzi_study_fill_axes(&study->file, game);

    for (size_t i = 0; i < game->axis_count && points <= MOST_CELLS; i++)
        points *= game->axes[i].count;
    for (size_t r = 0; r < game->ruleset_count || (r == 0 && !game->ruleset_count); r++)
        for (size_t point = 0; point < points; point++)
            for (size_t a = 0; a < study->file.cast_count && code == FZ_EXIT_OK; a++)
                code = add_cell(study, game, game->ruleset_count ? &game->rulesets[r] : &plain,
                                point, &study->file.casts[a]);
    return code;
}

int fzi_study_expand(fzi_study *study)
{
    int code = FZ_EXIT_OK;

    for (size_t i = 0; i < study->file.game_count && code == FZ_EXIT_OK; i++)
        code = expand_game(study, &study->file.games[i]);
    return code;
}

/* ---- the use of the board ---- */

static char **names_of_lines(const fz_program *program, const fzi_lines *lines)
{
    char **names = fzi_cli_allocate(NULL, (lines->count + 1) * sizeof *names), text[200];

    for (uint32_t i = 0; i < lines->count; i++) {
        snprintf(text, sizeof text, "%.90s-%.90s",
                 fz_program_site_name(program, lines->lines[i].low),
                 fz_program_site_name(program, lines->lines[i].high));
        names[i] = copy_of(text);
    }
    return names;
}

static void *zeros(size_t count, size_t size)
{
    void *memory = fzi_cli_allocate(NULL, (count + 1) * size);

    return memset(memory, 0, (count + 1) * size);
}

static void prepare_use(fzi_study *study, fzi_study_cell *cell, const fzi_session *session,
                        const fzi_lines *lines)
{
    const fz_program *p = session->program;

    cell->line_count = lines->count;
    cell->site_count = (uint32_t)fz_program_sites(p);
    cell->line_names = names_of_lines(p, lines);
    cell->site_names = zeros(cell->site_count, sizeof *cell->site_names);
    for (uint32_t i = 0; i < cell->site_count; i++)
        cell->site_names[i] = copy_of(fz_program_site_name(p, (int)i));
    cell->lines = zeros(cell->line_count, sizeof *cell->lines);
    cell->sites = zeros(cell->site_count, sizeof *cell->sites);
    cell->aligner = (fzi_aligner){.how = study->file.align, .lines = lines->count,
                                  .mirrors = fzi_use_mirrors(lines, session->state),
                                  .mean = zeros(lines->count, sizeof(double)),
                                  .shares = zeros(lines->count, sizeof(double))};
    for (unsigned r = 0; r < FZ_REFLECTIONS; r++) {
        cell->halves[r] = zeros(lines->count, sizeof *cell->halves[r]);
        if (!lines->site_image[r])
            continue;
        cell->image[r] = zeros(lines->count, sizeof *cell->image[r]);
        for (uint32_t i = 0; i < lines->count; i++)
            cell->image[r][i] = lines->lines[i].image[r];
        cell->aligner.image[r] = cell->image[r];
    }
}

/* Without alignment long games weigh more; aligned games all weigh the same. */
static bool take_game(void *user, const fz_game_row *row, const uint32_t *line_steps,
                      const uint32_t *site_moves)
{
    fzi_study_cell *cell = user;
    unsigned mirrors = fzi_align_game(&cell->aligner, line_steps);
    bool aligned = cell->aligner.how != FZ_ALIGN_NONE;
    int64_t steps = 0, moves = 0;

    (void)row;
    for (uint32_t i = 0; i < cell->line_count; i++)
        steps += line_steps[i];
    for (uint32_t i = 0; i < cell->site_count; i++)
        moves += site_moves[i];
    for (uint32_t i = 0; steps && i < cell->line_count; i++) {
        int64_t n = line_steps[fzi_aligned_line(&cell->aligner, mirrors, i)];
        if (aligned)
            fzi_sum_add(&cell->lines[i], n * FZ_MEASURE_UNIT / steps, FZ_MEASURE_UNIT);
        else
            fzi_sum_add(&cell->lines[i], n, steps);
        cell->halves[cell->games_used % 2][i] += aligned ? (double)n / (double)steps : (double)n;
    }
    for (uint32_t i = 0; moves && i < cell->site_count; i++)
        fzi_sum_add(&cell->sites[i], site_moves[i], moves);
    cell->games_used++;
    return true;
}

void fzi_cell_line_shares(const fzi_study_cell *cell, double *out)
{
    for (uint32_t i = 0; i < cell->line_count; i++) {
        double value = fzi_sum_estimate(&cell->lines[i], FZ_AS_PART).value;
        out[i] = value >= 0 ? value : 0;
    }
}

void fzi_cell_site_shares(const fzi_study_cell *cell, double *out)
{
    for (uint32_t i = 0; i < cell->site_count; i++) {
        double value = fzi_sum_estimate(&cell->sites[i], FZ_AS_PART).value;
        out[i] = value >= 0 ? value : 0;
    }
}

bool fzi_cells_share_lines(const fzi_study_cell *one, const fzi_study_cell *other)
{
    if (one->line_count != other->line_count)
        return false;
    for (uint32_t i = 0; i < one->line_count; i++)
        if (strcmp(one->line_names[i], other->line_names[i]) != 0)
            return false;
    return true;
}

/* ---- playing ---- */

typedef struct player {
    fzi_study *study;
    fzi_study_cell *cell;
    fzi_cli cli;                /* of the cell */
    fzi_session session;
    fzi_lines lines;
    const fz_lineup *cast;
    fzi_shard shard;
    fzi_wanted wanted;
    fzi_progress *progress;
    uint64_t before, all;       /* games, for the bar */
} player;

static bool watch(void *user, uint64_t done, uint64_t total)
{
    const player *p = user;

    (void)total;
    fzi_progress_update(p->progress, p->before + done, p->all);
    return fzi_terminal_interrupted();
}

/* A function of what the cell is, so other cells may come and go. */
static uint64_t seed_of(const player *p)
{
    const char *const texts[] = {fz_program_title(p->session.program), p->cell->name,
                                 p->cell->agents};
    uint64_t hash = FZI_HASH_START;

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        hash = fzi_text_hash(texts[i], strlen(texts[i]) + 1, hash);
    return fzi_chance_mix(p->study->file.seed ^ fzi_chance_mix(hash)) >> 1;
}

static void join_names(json_t *experiment, const char *member, char **names, uint32_t count)
{
    json_t *list = json_array();

    for (uint32_t i = 0; i < count; i++)
        json_array_append_new(list, json_string(names[i]));
    json_object_set_new(experiment, member, list);
}

static int make_experiment(player *p, const fzi_lineup *cast)
{
    json_t *x = fzi_experiment_of(&p->session, cast);

    p->shard.experiment = x;
    if (!x)
        return FZ_EXIT_USAGE;
    if (!*fzi_experiment_text(x, "program"))
        return fzi_cli_complain(p->study->cli,
                                "this ferz was built without libmd, which studies need");
    json_object_set_new(x, "study", json_string(p->study->file.title));
    json_object_set_new(x, "ruleset", json_string(p->cell->name));
    join_names(x, "lines", p->cell->line_names, p->cell->line_count);
    join_names(x, "sites", p->cell->site_names, p->cell->site_count);
    p->cell->experiment = json_incref(x);
    return FZ_EXIT_OK;
}

static int play_rest(player *p)
{
    fzi_archive *a = &p->study->archive;
    fz_watch watcher = {watch, p};
    fz_sink sink = fzi_archive_sink(a);
    char message[256];
    fz_tally tally = {0};
    fz_playout_options sample = {.program = p->session.program,
                                 .limits = &p->cli.limits,
                                 .cast = p->cast,
                                 .seed = p->cli.seed,
                                 .first = p->shard.first + a->done,
                                 .count = p->shard.count - a->done,
                                 .threads = fzi_threads(p->cli.threads),
                                 .watch = &watcher,
                                 .sink = &sink,
                                 .sums = &p->shard.sums};
    fz_status status;
    int code;

    if (!sample.count)
        return FZ_EXIT_OK;
    p->before += a->done;
    status = fz_playouts_run(&sample, &tally, message);
    code = fzi_archive_end(a);
    if (code == FZ_EXIT_OK && status != FZ_OK && !fzi_terminal_interrupted())
        code = fzi_session_playouts_failed(&p->session, &tally, p->cast,
                                           tally.failed ? p->shard.sums.message : message);
    return code;
}

static int play_as(player *p, const fzi_lineup *cast)
{
    fzi_archive *a = &p->study->archive;
    int code = make_experiment(p, cast);

    if (code == FZ_EXIT_OK)
        code = fzi_shard_range(&p->cli, p->cli.count, &p->shard.first, &p->shard.count);
    if (code != FZ_EXIT_OK)
        return code;
    p->cast = cast ? &cast->cast : NULL;
    fz_sums_init(&p->shard.sums, fzi_cli_resize, NULL);
    fz_sums_init(&p->cell->sums, fzi_cli_resize, NULL);
    a->cli = &p->cli;
    a->lines = &p->lines;
    code = fzi_archive_begin(a, &p->session, NULL, &p->wanted, &p->shard);
    if (code == FZ_EXIT_OK)
        code = play_rest(p);
    fzi_archive_end_run(a);
    if (code == FZ_EXIT_OK)
        code = fzi_archive_read(a, p->shard.experiment, &p->cell->sums, take_game, p->cell);
    fzi_archive_end_run(a);
    if (code == FZ_EXIT_OK && fzi_cli_has(p->study->cli, FZ_CLI_PICTURES))
        code = fzi_study_draw(p->study, p->cell, &p->session, &p->lines);
    fz_sums_tally(&p->cell->sums, &p->cell->tally);
    a->cli = p->study->cli;
    a->lines = NULL;
    return code;
}

static int play_opened(player *p)
{
    bool agents = strcmp(p->cell->agents, "random") != 0;
    fzi_lineup cast;
    int code;

    p->cli.seed = seed_of(p);
    p->cli.values[FZ_CLI_AGENTS] = agents ? p->cell->agents : NULL;
    p->cli.given &= ~((fzi_cli_options)1 << FZ_CLI_AGENTS);
    if (agents)
        p->cli.given |= (fzi_cli_options)1 << FZ_CLI_AGENTS;
    if (!fzi_lines_init(&p->lines, p->session.program, (fzi_allocator){fzi_cli_resize, NULL}))
        return fzi_cli_complain(p->study->cli, "out of memory");
    prepare_use(p->study, p->cell, &p->session, &p->lines);
    if (!agents)
        return play_as(p, NULL);
    code = fzi_lineup_read(&cast, &p->session, p->cell->agents);
    if (code != FZ_EXIT_OK)
        return code;
    code = play_as(p, &cast);
    fzi_lineup_clear(&cast);
    return code;
}

static int play_cell(fzi_study *study, fzi_study_cell *cell, fzi_progress *progress,
                     uint64_t before, uint64_t all)
{
    player p = {.study = study, .cell = cell, .cli = *study->cli, .progress = progress,
                .before = before, .all = all};
    int code;

    p.cli.settings = cell->settings.items;
    p.cli.setting_count = cell->settings.count;
    p.cli.count = cell->playouts;
    p.lines.allocator = (fzi_allocator){fzi_cli_resize, NULL};
    code = fzi_session_open(&p.session, &p.cli, cell->game->path);
    if (code == FZ_EXIT_OK)
        code = fzi_session_begin(&p.session, FZ_CHANCE_ASK);
    if (code == FZ_EXIT_OK)
        code = play_opened(&p);
    if (code != FZ_EXIT_OK && !study->archive.failed)
        fprintf(stderr, "  in %s:%u: ruleset '%s', agents %s\n", study->file.path,
                cell->line, cell->name, cell->agents);
    fzi_shard_clear(&p.shard);
    fzi_lines_clear(&p.lines);
    fzi_session_clear(&p.session);
    return code;
}

int fzi_study_play(fzi_study *study)
{
    fzi_progress progress;
    uint64_t before = 0, all = 0;
    int code = FZ_EXIT_OK;

    for (size_t i = 0; i < study->count; i++)
        all += study->cells[i].playouts;
    fzi_terminal_catch_interrupt();
    fzi_progress_begin(&progress, "playouts");
    for (size_t i = 0; i < study->count && code == FZ_EXIT_OK; i++) {
        code = play_cell(study, &study->cells[i], &progress, before, all);
        before += study->cells[i].playouts;
        if (code == FZ_EXIT_OK && fzi_terminal_interrupted()) {
            fzi_progress_end(&progress);
            fzi_cli_complain(study->cli, "interrupted in cell %zu of %zu; --db FILE --resume "
                             "continues", i + 1, study->count);
            return FZ_EXIT_WRONG;
        }
    }
    fzi_progress_end(&progress);
    return code;
}

/* ---- the end ---- */

static void free_names(char **names, uint32_t count)
{
    for (uint32_t i = 0; names && i < count; i++)
        free(names[i]);
    free(names);
}

void fzi_study_clear(fzi_study *study)
{
    for (size_t i = 0; i < study->count; i++) {
        fzi_study_cell *cell = &study->cells[i];
        free_names(cell->line_names, cell->line_count);
        free_names(cell->site_names, cell->site_count);
        for (unsigned r = 0; r < FZ_REFLECTIONS; r++) {
            free(cell->image[r]);
            free(cell->halves[r]);
        }
        free(cell->lines);
        free(cell->sites);
        free(cell->aligner.mean);
        free(cell->aligner.shares);
        free(cell->settings.items);
        free(cell->name);
        if (cell->experiment) {
            json_decref(cell->experiment);
            fz_sums_clear(&cell->sums);
        }
    }
    free(study->cells);
    fzi_archive_close(&study->archive);
    fzi_study_free(&study->file);
}
