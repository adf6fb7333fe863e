/* Playing the cells of a study. See lab.h. */
#include "lab.h"

#include "interp/support/chance.h"

/* ---- the use of the board ---- */

static void *zeros(const fz_study *study, size_t count, size_t size)
{
    return fzi_arena_alloc(study->arena, (count + 1) * size);
}

static void prepare_use(fz_study *study)
{
    const fzi_study_player *player = &study->player;
    const fzi_lines *lines = &player->lines;
    const fz_program *p = player->setup.program;
    fzi_study_cell *cell = player->cell;

    cell->line_count = lines->count;
    cell->site_count = (uint32_t)fz_program_sites(p);
    cell->line_names = zeros(study, lines->count, sizeof *cell->line_names);
    for (uint32_t i = 0; i < lines->count; i++)
        cell->line_names[i] = fzi_arena_printf(study->arena, "%.90s-%.90s",
                                               fz_program_site_name(p, lines->lines[i].low),
                                               fz_program_site_name(p, lines->lines[i].high));
    cell->site_names = zeros(study, cell->site_count, sizeof *cell->site_names);
    for (uint32_t i = 0; i < cell->site_count; i++)
        cell->site_names[i] = fzi_arena_printf(study->arena, "%s",
                                               fz_program_site_name(p, (int)i));
    cell->lines = zeros(study, cell->line_count, sizeof *cell->lines);
    cell->sites = zeros(study, cell->site_count, sizeof *cell->sites);
    cell->aligner = (fzi_aligner){.how = study->file.align, .lines = lines->count,
                                  .mirrors = fzi_use_mirrors(lines, player->setup.state),
                                  .mean = zeros(study, lines->count, sizeof(double)),
                                  .shares = zeros(study, lines->count, sizeof(double))};
    for (unsigned g = 0; g < FZI_USE_GROUPS; g++)
        cell->groups[g] = zeros(study, lines->count, sizeof *cell->groups[g]);
    for (unsigned r = 0; r < FZ_REFLECTIONS; r++) {
        if (!lines->site_image[r])
            continue;
        cell->image[r] = zeros(study, lines->count, sizeof *cell->image[r]);
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
        cell->groups[cell->games_used % FZI_USE_GROUPS][i] +=
            aligned ? (double)n / (double)steps : (double)n;
    }
    for (uint32_t i = 0; moves && i < cell->site_count; i++)
        fzi_sum_add(&cell->sites[i], site_moves[i], moves);
    cell->games_used++;
    return true;
}

static double *shares_of(const fz_study *study, const fzi_sum *sums, uint32_t count)
{
    double *shares = zeros(study, count, sizeof *shares);

    for (uint32_t i = 0; i < count; i++)
        if (sums[i].b)
            shares[i] = fmax(0, fzi_sum_estimate(&sums[i], FZ_AS_PART).value);
    return shares;
}

/* ---- playing ---- */

static bool stop(void *user, uint64_t done, uint64_t total)
{
    fz_study *study = user;
    const fz_watch *watch = study->options.run.watch;
    bool stops = watch && watch->stop(watch->user, study->player.before + done, study->player.all);

    (void)total;
    if (stops)
        __atomic_store_n(&study->stopped, true, __ATOMIC_RELAXED);
    return stops;
}

/* A function of the cell's game, name and agents, so other cells may come and go. */
static uint64_t seed_of(const fz_study *study)
{
    const fzi_study_player *p = &study->player;
    const char *const texts[] = {fz_program_title(p->setup.program), p->cell->name,
                                 p->cell->agents};
    uint64_t hash = FZI_HASH_START;

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        hash = fzi_text_hash(texts[i], strlen(texts[i]) + 1, hash);
    return fzi_chance_mix(study->file.seed ^ fzi_chance_mix(hash)) >> 1;
}

static void join_names(json_t *experiment, const char *member, char **names, uint32_t count)
{
    json_t *list = json_array();

    for (uint32_t i = 0; i < count; i++)
        json_array_append_new(list, json_string(names[i]));
    json_object_set_new(experiment, member, list);
}

static fz_status make_experiment(fz_study *study)
{
    fzi_study_player *p = &study->player;
    json_t *x = fzi_experiment_of(&p->setup, !p->lineup.timed);

    p->shard.experiment = x;
    if (!x)
        return FZ_RUNTIME;
    json_object_set_new(x, "study", json_string(study->file.title));
    json_object_set_new(x, "ruleset", json_string(p->cell->name));
    join_names(x, "lines", p->cell->line_names, p->cell->line_count);
    join_names(x, "sites", p->cell->site_names, p->cell->site_count);
    p->cell->experiment = json_incref(x);
    return FZ_OK;
}

static void tell_engine(const fz_study *study)
{
    const fz_study_options *o = &study->options;
    char text[256];

    if (!o->played)
        return;
    fz_program_engine(study->player.setup.program, text);
    o->played(o->user, text);
}

static fz_status play_into_archive(fz_study *study)
{
    fzi_study_player *p = &study->player;
    fz_archive *a = &study->archive;
    const fz_watch watch = {stop, study};
    fz_tally tally;

    a->lines = &p->lines;
    p->setup.options.watch = &watch;
    fz_status status = fzi_archive_begin(a, &p->setup, &p->shard);
    const uint64_t done = a->done;
    p->before += done;
    if (status == FZ_OK)
        status = fzi_shard_play(&p->setup, p->lineup.games, a, &p->shard, &tally);
    if (status == FZ_OK && p->shard.count > done)
        tell_engine(study);
    fzi_archive_end_run(a);
    if (status == FZ_OK)
        status = fzi_archive_read(a, p->shard.experiment, &p->cell->sums, take_game, p->cell);
    fzi_archive_end_run(a);
    a->lines = NULL;
    p->cell->line_shares = shares_of(study, p->cell->lines, p->cell->line_count);
    p->cell->site_shares = shares_of(study, p->cell->sites, p->cell->site_count);
    if (status == FZ_OK && study->options.picture)
        status = fzi_study_draw(study);
    fz_sums_tally(&p->cell->sums, &p->cell->tally);
    return status;
}

static fz_status play_opened(fz_study *study)
{
    fzi_study_player *p = &study->player;
    fzi_allocator allocator = study->context->allocator;

    p->setup.options.seed = seed_of(study);
    p->setup.options.agents = strcmp(p->cell->agents, "random") != 0 ? p->cell->agents : NULL;
    if (!fzi_lines_init(&p->lines, p->setup.program, allocator))
        return fzi_context_no_memory(study->context);
    prepare_use(study);
    fz_status status = fzi_lineup_read(&p->lineup, &p->setup, p->setup.options.agents);
    fz_sums_init(&p->shard.sums, allocator.resize, allocator.user);
    fz_sums_init(&p->cell->sums, allocator.resize, allocator.user);
    if (status == FZ_OK)
        status = make_experiment(study);
    fzi_setup_range(&p->setup, &p->shard.first, &p->shard.count);
    return status == FZ_OK ? play_into_archive(study) : status;
}

static void clear_player(fzi_study_player *p)
{
    fzi_lineup_clear(&p->lineup);
    if (p->setup.context) {
        fzi_shard_clear(&p->shard);
        fzi_lines_clear(&p->lines);
        fzi_setup_clear(&p->setup);
    }
    *p = (fzi_study_player){0};
}

static void set_engine(fz_study *study)
{
    const fz_study_options *o = &study->options;
    fz_program *program = study->player.setup.program;
    fz_status status = fz_program_set_engine(study->context, program, o->engine);

    if (status != FZ_OK && o->native_failed)
        o->native_failed(o->user, fz_context_message(study->context));
}

static fz_status play_cell(fz_study *study, fzi_study_cell *cell, uint64_t before, uint64_t all,
                           fz_report **report)
{
    fzi_study_player *p = &study->player;

    clear_player(p);
    *p = (fzi_study_player){.cell = cell, .before = before, .all = all,
                            .setup = {.context = study->context, .path = cell->game->path,
                                      .options = study->options.run}};
    p->lines.allocator = study->context->allocator;
    p->setup.options.settings = cell->settings.items;
    p->setup.options.setting_count = cell->settings.count;
    p->setup.options.count = cell->playouts;
    p->setup.options.from = NULL;
    fz_status status = fzi_setup_compile(&p->setup, report);
    if (status == FZ_OK)
        set_engine(study);
    if (status == FZ_OK)
        status = fzi_setup_begin(&p->setup, NULL);
    if (status == FZ_OK)
        status = play_opened(study);
    if (status != FZ_OK && !study->archive.failed)
        fzi_context_add_line(study->context, "  in %s:%u: ruleset '%s', agents %s",
                             study->file.path, cell->line, cell->name, cell->agents);
    return status;
}

static fz_status play_cells(fz_study *study, fz_report **report)
{
    uint64_t before = 0, all = 0;
    fz_status status = FZ_OK;

    for (size_t i = 0; i < study->count; i++)
        all += study->cells[i].playouts;
    for (size_t i = 0; i < study->count && status == FZ_OK; i++) {
        status = play_cell(study, &study->cells[i], before, all, report);
        before += study->cells[i].playouts;
        if (status == FZ_OK && stop(study, 0, 0))
            return fzi_context_fail(study->context, FZ_RUNTIME, "interrupted in cell %zu of %zu",
                                    i + 1, study->count);
    }
    return status;
}

/* ---- public functions ---- */

static fz_status read_file(fz_study *study, const char *text, size_t length)
{
    fz_context *context = study->context;
    char *own = NULL;
    fz_status status = FZ_OK;

    if (!text) {
        status = fzi_context_read_file(context, study->file.path, &own, &length);
        text = own;
    }
    if (status == FZ_OK)
        status = fzi_study_file_read(&study->file, text, length, &study->options);
    fzi_release(context->allocator, own);
    for (size_t i = 0; i < study->file.game_count && status == FZ_OK; i++)
        status = fzi_study_expand(study, &study->file.games[i]);
    return status;
}

static fz_status open_study(fz_study *study, const char *path, const char *text, size_t length)
{
    const fz_study_options *o = &study->options;

    if (setjmp(*fzi_arena_handler(study->arena)))
        return fzi_context_no_memory(study->context);
    study->file = (fzi_study_file){.context = study->context, .arena = study->arena,
                                   .path = fzi_arena_printf(study->arena, "%s", path)};
    study->theme = o->theme ? fzi_theme_called(o->theme) : 0;
    if (study->theme < 0)
        return fzi_context_fail(study->context, FZ_USAGE, "there is no theme '%s'", o->theme);
    fz_status status = read_file(study, text, length);
    if (status == FZ_OK && !o->archive && (o->run.resume || o->run.shard))
        return fzi_context_fail(study->context, FZ_USAGE, "%s needs an archive",
                                o->run.resume ? "continuing a study" : "a shard of a study");
    return status;
}

fz_status fz_study_open(fz_context *context, const char *path, const char *text, size_t length,
                        const fz_study_options *options, fz_study **result)
{
    fzi_allocator allocator = context->allocator;
    fz_study *study = fzi_allocate(allocator, sizeof *study);
    fz_status status;

    if (result)
        *result = NULL;
    if (!study)
        return fzi_context_no_memory(context);
    *study = (fz_study){.context = context};
    if (options)
        study->options = *options;
    study->arena = fzi_arena_new(allocator.resize, allocator.user, 0);
    status = study->arena ? open_study(study, path, text, length)
                          : fzi_context_no_memory(context);
    if (status == FZ_OK && result)
        *result = study;
    else
        fz_study_free(study);
    return status;
}

fz_status fz_study_play(fz_study *study, fz_report **report)
{
    const char *path = study->options.archive ? study->options.archive : fzi_archive_in_memory;
    fz_status status = FZ_OK;

    if (report)
        *report = NULL;
    if (study->count && study->cells[0].experiment)
        return fzi_context_fail(study->context, FZ_USAGE, "the study was played already");
    if (setjmp(*fzi_arena_handler(study->arena)))
        return fzi_context_no_memory(study->context);
    status = fzi_archive_open(&study->archive, study->context, path, true);
    if (status == FZ_OK)
        status = play_cells(study, report);
    clear_player(&study->player);
    return status;
}

void fz_study_free(fz_study *study)
{
    if (!study)
        return;
    clear_player(&study->player);
    for (size_t i = 0; i < study->count; i++) {
        if (!study->cells[i].experiment)
            continue;
        json_decref(study->cells[i].experiment);
        fz_sums_clear(&study->cells[i].sums);
    }
    fzi_archive_clear(&study->archive);
    if (study->arena)
        fzi_arena_free(study->arena);
    fzi_release(study->context->allocator, study);
}
