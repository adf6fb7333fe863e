/* Plays the games of a cell, and reads its results from the archive. See study.h. */
#include "study.h"

#include "interp/support/cancel.h"
#include "interp/support/chance.h"

/* ---- the use of the board ---- */

static void *zeros(const fz_study *study, size_t count, size_t size)
{
    return fzi_arena_alloc(study->arena, (count + 1) * size);
}

static char **copy_names(const fz_study *study, uint32_t count)
{
    return zeros(study, count, sizeof(char *));
}

static void name_use(fz_study *study)
{
    const fzi_lines *lines = &study->player.lines;
    const fz_program *p = study->player.setup.program;
    fzi_study_cell *cell = study->player.cell;

    cell->line_names = copy_names(study, cell->line_count);
    for (uint32_t i = 0; i < lines->count; i++)
        cell->line_names[i] = fzi_arena_printf(study->arena, "%.90s-%.90s",
                                               fz_program_site_name(p, lines->lines[i].low),
                                               fz_program_site_name(p, lines->lines[i].high));
    cell->site_names = copy_names(study, cell->site_count);
    for (uint32_t i = 0; i < cell->site_count; i++)
        cell->site_names[i] = fzi_arena_printf(study->arena, "%s",
                                               fz_program_site_name(p, (int)i));
}

/* Room for the results of the cell, which has not been played before. */
static void prepare_use(fz_study *study)
{
    const fzi_study_player *player = &study->player;
    const fzi_lines *lines = &player->lines;
    fzi_study_cell *cell = player->cell;

    cell->line_count = lines->count;
    cell->site_count = (uint32_t)fz_program_sites(player->setup.program);
    name_use(study);
    cell->lines = zeros(study, cell->line_count, sizeof *cell->lines);
    cell->sites = zeros(study, cell->site_count, sizeof *cell->sites);
    cell->judged.players = (unsigned)fz_program_players(player->setup.program);
    cell->judged.seats = zeros(study, cell->judged.players, sizeof *cell->judged.seats);
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

/* The results will be read anew, with the games of another round. */
static void forget_results(fzi_study_cell *cell)
{
    fzi_judged *j = &cell->judged;

    fz_sums_clear(&cell->sums);
    json_decref(cell->experiment);
    memset(cell->lines, 0, cell->line_count * sizeof *cell->lines);
    memset(cell->sites, 0, cell->site_count * sizeof *cell->sites);
    memset(j->seats, 0, j->players * sizeof *j->seats);
    *j = (fzi_judged){.seats = j->seats, .players = j->players, .from = j->from};
    memset(cell->aligner.mean, 0, cell->line_count * sizeof *cell->aligner.mean);
    cell->aligner.games = cell->games_used = 0;
    for (unsigned g = 0; g < FZI_USE_GROUPS; g++)
        memset(cell->groups[g], 0, cell->line_count * sizeof *cell->groups[g]);
}

/* Without alignment long games weigh more; aligned games all weigh the same. */
static bool take_game(void *user, const fz_game_row *row, const uint32_t *line_steps,
                      const uint32_t *site_moves)
{
    const fz_study *study = user;
    fzi_study_cell *cell = study->player.cell;
    unsigned mirrors = fzi_align_game(&cell->aligner, line_steps);
    bool aligned = cell->aligner.how != FZ_ALIGN_NONE;
    int64_t steps = 0, moves = 0;

    fzi_judge_game(&cell->judged, study->player.setup.program, row);
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

bool fzi_study_stop(void *user, uint64_t done, uint64_t total)
{
    fz_study *study = user;
    const fz_watch *watch = study->options.run.watch;
    bool stops = watch && watch->stop(watch->user, study->before + done, study->all);

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
    const fz_watch watch = {fzi_study_stop, study};
    fz_tally tally;

    a->lines = &p->lines;
    p->setup.options.watch = &watch;
    fz_status status = fzi_archive_begin(a, &p->setup, &p->shard);
    const uint64_t done = a->done;
    study->before += done;
    if (status == FZ_OK)
        status = fzi_shard_play(&p->setup, p->lineup.games, a, &p->shard, &tally);
    if (status == FZ_OK && p->shard.count > done)
        tell_engine(study);
    fzi_archive_end_run(a);
    if (status == FZ_OK)
        status = fzi_archive_read(a, p->shard.experiment, p->cell->played, &p->cell->sums,
                                  take_game, study);
    fzi_archive_end_run(a);
    a->lines = NULL;
    study->before += p->shard.count - done;
    p->cell->line_shares = shares_of(study, p->cell->lines, p->cell->line_count);
    p->cell->site_shares = shares_of(study, p->cell->sites, p->cell->site_count);
    if (status == FZ_OK && study->options.picture && !study->options.target)
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
    if (p->cell->experiment)
        forget_results(p->cell);
    else
        prepare_use(study);
    p->cell->experiment = NULL;
    fz_status status = fzi_lineup_read(&p->lineup, &p->setup, p->setup.options.agents);
    fz_sums_init(&p->shard.sums, allocator.resize, allocator.user);
    fz_sums_init(&p->cell->sums, allocator.resize, allocator.user);
    if (status == FZ_OK)
        status = make_experiment(study);
    return status == FZ_OK ? play_into_archive(study) : status;
}

void fzi_study_clear_player(fzi_study_player *p)
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

/* Of a search, each round plays further games, as a run of its own. */
static void set_range(fz_study *study, uint64_t games)
{
    fzi_study_player *p = &study->player;

    fzi_setup_range(&p->setup, &p->shard.first, &p->shard.count);
    if (games < p->cell->playouts || p->cell->played) {
        p->shard.first = p->cell->played;
        p->shard.count = games - p->cell->played;
    }
    p->cell->played = games;
}

fz_status fzi_study_play_cell(fz_study *study, fzi_study_cell *cell, uint64_t games,
                              fz_report **report)
{
    fzi_study_player *p = &study->player;

    fzi_study_clear_player(p);
    *p = (fzi_study_player){.cell = cell,
                            .setup = {.context = study->context, .path = cell->game->path,
                                      .options = study->options.run}};
    p->lines.allocator = study->context->allocator;
    p->setup.options.settings = cell->settings.items;
    p->setup.options.setting_count = cell->settings.count;
    p->setup.options.count = cell->playouts;
    p->setup.options.from = NULL;
    set_range(study, games);
    fz_status status = fzi_setup_compile(&p->setup, report);
    if (status == FZ_OK)
        set_engine(study);
    if (status == FZ_OK)
        status = fzi_setup_begin(&p->setup, NULL);
    if (status == FZ_OK)
        status = play_opened(study);
    if (status != FZ_OK && !study->archive.failed && !study->options.target)
        fzi_context_add_line(study->context, "  in %s:%u: ruleset '%s', agents %s",
                             study->file.path, cell->line, cell->name, cell->agents);
    return status;
}

bool fzi_study_cancelled(const fz_study *study)
{
    const fz_limits *limits = study->options.run.limits;

    return limits && fzi_cancelled(limits->cancel);
}
