/* Reading runs of archives. See lab.h. */
#include "lab.h"
#include "sqlite.h"

/* ---- reasons of ends ---- */

bool fzi_archive_add_end(fz_archive *a, fz_ending kind, uint32_t place, const char *text)
{
    fzi_archived_end *ends = realloc(a->ends, (a->end_count + 1) * sizeof *ends);
    char *copy = ends ? malloc(strlen(text) + 1) : NULL;

    if (ends)
        a->ends = ends;
    if (!copy) {
        a->failed = true;
        fzi_context_no_memory(a->context);
        return false;
    }
    strcpy(copy, text);
    a->ends[a->end_count++] = (fzi_archived_end){kind, place, copy};
    return true;
}

/* The short form of a place that fz_program_place_text gave, like that of fzi_place_name. The files
 * may have been elsewhere, and the script may have had another name. */
static const char *short_place(const fz_program *program, const char *place)
{
    const char *slash = strrchr(place, '/'), *name = slash ? slash + 1 : place, *path, *text;
    size_t length, file = strcspn(name, ":");

    for (unsigned i = 1; fz_program_source(program, i, &path, &text, &length); i++) {
        slash = strrchr(path, '/');
        path = slash ? slash + 1 : path;
        if (strlen(path) == file && strncmp(path, name, file) == 0)
            return name;
    }
    return name[file] ? name + file + 1 : name;
}

long long fzi_archive_place(const fz_program *program, const char *wanted)
{
    const char *short_wanted = short_place(program, wanted), *shown = fzi_shown_place(wanted);
    long long as_shown = -1, as_short = -1;
    char text[FZI_PLACE_SIZE];

    for (uint32_t place = 0; place < program->place_count; place++) {
        fz_program_place_text(program, place, text, sizeof text);
        if (strcmp(text, wanted) == 0)
            return place;
        if (as_shown < 0 && strcmp(fzi_shown_place(text), shown) == 0)
            as_shown = place;
        fzi_place_name(program, place, text);
        if (as_short < 0 && strcmp(text, short_wanted) == 0)
            as_short = place;
    }
    return as_shown >= 0 ? as_shown : as_short;
}

static bool load_ends(fz_archive *a)
{
    sqlite3_stmt *s = fzi_archive_query(a, "SELECT ending, kind, place FROM ending WHERE run = ? "
                                        "ORDER BY ending", "i", a->run);
    bool good = s != NULL;

    while (good && fzi_archive_next(a, s)) {
        const char *place = fzi_archive_text(s, 2);
        fz_ending ending = fzi_ending_called(fzi_archive_text(s, 1));
        long long number = ending == FZ_ENDED_BY_ERROR ? 0 : fzi_archive_place(a->program, place);
        good = ending != FZ_NOT_ENDED && number >= 0 &&
               sqlite3_column_int64(s, 0) == (long long)a->end_count &&
               fzi_archive_add_end(a, ending, (uint32_t)number, place);
    }
    sqlite3_finalize(s);
    return good && !a->failed;
}

/* ---- games ---- */

/* Numbers of a JSON array such as "[1,2]". */
static bool read_numbers(const char *text, unsigned count, int64_t *numbers)
{
    for (unsigned i = 0; i < count; i++) {
        char *end;
        if (*text != (i ? ',' : '['))
            return false;
        numbers[i] = strtoll(text + 1, &end, 10);
        if (end == text + 1)
            return false;
        text = end;
    }
    return strcmp(text, "]") == 0;
}

/* Has each player as many sides before it as its rank says? One side may play against nobody. */
static bool are_ranks(const fz_program *program, const fz_game_row *row, unsigned players)
{
    for (unsigned p = 0; p < players; p++) {
        int before = row->nature > 0 && row->nature < row->rank[p];
        uint32_t counted = 0; /* the teams */
        for (unsigned q = 0; q < players; q++) {
            int team = fz_program_team(program, (int)q);
            if (team == fz_program_team(program, (int)p) && row->rank[q] != row->rank[p])
                return false;
            before += row->rank[q] < row->rank[p] && !(counted >> team & 1);
            counted |= UINT32_C(1) << team;
        }
        if (row->rank[p] != 1 + before)
            return false;
    }
    return true;
}

static bool read_row(const fz_archive *a, sqlite3_stmt *s, fz_game_row *row)
{
    unsigned players = (unsigned)fz_program_players(a->program);
    long long end = sqlite3_column_int64(s, 4);
    const char *payoffs = fzi_archive_text(s, 7);
    int64_t ranks[16];

    *row = (fz_game_row){.stream = (uint64_t)sqlite3_column_int64(s, 0) - 1,
                         .plies = (uint64_t)sqlite3_column_int64(s, 1),
                         .turns = (uint64_t)sqlite3_column_int64(s, 2),
                         .legal_move_sum = (uint64_t)sqlite3_column_int64(s, 3),
                         .nature = (int8_t)sqlite3_column_int(s, 6)};
    if (end < 0 || (size_t)end >= a->end_count || row->stream != a->first + a->done ||
        row->plies > UINT32_MAX)
        return false;
    row->ending = a->ends[end].kind;
    row->place = a->ends[end].place;
    row->error = a->ends[end].text;
    if (row->ending == FZ_ENDED_BY_ERROR)
        return true;
    if (!read_numbers(fzi_archive_text(s, 5), players, ranks) ||
        (*payoffs && !read_numbers(payoffs, players, row->payoff)))
        return false;
    for (unsigned p = 0; p < players; p++) {
        if (ranks[p] < 1 || ranks[p] > 16)
            return false;
        row->rank[p] = (int8_t)ranks[p];
    }
    return are_ranks(a->program, row, players);
}

/* "[[lines],[sites]]" */
static bool read_use(const char *text, uint32_t *counts, size_t count)
{
    size_t found = 0;

    while (*text && found < count) {
        text += strspn(text, "[],");
        counts[found++] = (uint32_t)strtoul(text, (char **)&text, 10);
    }
    return found == count && strcmp(text, "]]") == 0;
}

/* The archive is not what it should be at the game that comes next. */
static fz_status wrong_game(fz_archive *a, const char *what)
{
    return fzi_archive_say(a, FZ_BAD_INPUT, "the archive is damaged: run %lld has %s game %" PRIu64,
                           a->run, what, a->first + a->done + 1);
}

enum { USE_COLUMN = 8 };
#define WHOLE_GAME "row_is_whole(g.checksum, " FZI_GAME_ROW("g.") ")"
#define GAME_COLUMNS "g.game, decisions, turns, moves, ending, ranks, against, payoffs"

/* Adds the games from a->first on to the sums, without those after number `last`. */
static fz_status load_games(fz_archive *a, long long last, fz_sums *sums, fzi_take_row *take,
                            void *user)
{
    static const char plain[] =
        "SELECT " GAME_COLUMNS " FROM game g WHERE run = ?1 AND game > ?2 AND game <= ?3 AND "
        WHOLE_GAME " ORDER BY game";
    static const char with_use[] =
        "SELECT " GAME_COLUMNS ", use FROM game g LEFT JOIN use u ON u.run = g.run AND "
        "u.game = g.game WHERE g.run = ?1 AND g.game > ?2 AND g.game <= ?3 AND " WHOLE_GAME
        " AND (u.run IS NULL OR row_is_whole(u.checksum, " FZI_USE_ROW("u.") ")) ORDER BY g.game";
    bool use = take && a->lines;
    sqlite3_stmt *s = fzi_archive_query(a, use ? with_use : plain, "iii", a->run,
                                        (long long)a->first, last);
    size_t lines = use ? a->lines->count : 0, sites = (size_t)fz_program_sites(a->program);
    uint32_t *counts = malloc((lines + sites + 1) * sizeof *counts);
    fz_status status = !counts ? fzi_context_no_memory(a->context) : s ? FZ_OK : FZ_BAD_INPUT;

    while (status == FZ_OK && fzi_archive_next(a, s)) {
        fz_game_row row;
        if (a->done == a->count || !read_row(a, s, &row) ||
            !fz_sums_add(sums, a->program, &row)) {
            status = wrong_game(a, "a wrong row for");
        } else if (take && row.ending != FZ_ENDED_BY_ERROR) {
            if (use && !read_use(fzi_archive_text(s, USE_COLUMN), counts, lines + sites))
                status = wrong_game(a, "no use of the board for");
            else if (!take(user, &row, use ? counts : NULL, use ? counts + lines : NULL))
                status = fzi_context_no_memory(a->context);
        }
        a->done++;
    }
    sqlite3_finalize(s);
    free(counts);
    return a->failed ? FZ_BAD_INPUT : status;
}

static fz_status load(fz_archive *a, long long last, fz_sums *sums, fzi_take_row *take, void *user)
{
    if (load_ends(a))
        return load_games(a, last, sums, take, user);
    return a->failed ? FZ_BAD_INPUT
                     : fzi_archive_say(a, FZ_BAD_INPUT,
                                       "the archive is damaged: the endings of run %lld", a->run);
}

fz_status fzi_archive_load(fz_archive *a, fz_sums *sums, fzi_take_row *take, void *user)
{
    return load(a, INT64_MAX, sums, take, user);
}

/* ---- all runs of an experiment ---- */

/* Loads those games of the run of the row that are not covered yet, if it is one of the
 * experiment. */
static fz_status load_part(fz_archive *a, sqlite3_stmt *row, const json_t *experiment,
                           uint64_t wanted, uint64_t *covered, fz_sums *sums, fzi_take_row *take,
                           void *user)
{
    json_t *other = fzi_archive_json(row, 4);
    uint64_t first = (uint64_t)sqlite3_column_int64(row, 1) - 1;
    uint64_t count = (uint64_t)sqlite3_column_int64(row, 2);
    uint64_t behind = (uint64_t)sqlite3_column_int64(row, 3);
    uint64_t end = behind < wanted ? behind : wanted;
    fz_status status = FZ_OK;

    a->run = sqlite3_column_int64(row, 0);
    if (!fzi_experiment_is_whole(other)) {
        status = fzi_archive_say(a, FZ_BAD_INPUT,
                                 "the archive is damaged: run %lld has no experiment", a->run);
    } else if (fzi_experiment_is_same(other, experiment) && end > *covered && end > first) {
        fzi_archive_forget(a);
        a->first = first > *covered ? first : *covered;
        a->count = end - a->first;
        a->done = 0;
        *covered = end;
        if (behind > first + count)
            status = fzi_archive_say(a, FZ_BAD_INPUT, "the archive is damaged: run %lld has more "
                                     "games than it was to play", a->run);
        else if (!fzi_experiment_has_use(other))
            status = fzi_archive_say(a, FZ_BAD_INPUT, "run %lld has games of the study without "
                                     "their use of the board: `ferz study` did not play them",
                                     a->run);
        else
            status = load(a, (long long)end, sums, take, user);
    }
    json_decref(other);
    return status;
}

/* Runs may overlap, such as an interrupted one and shards that were played instead: each game
 * counts once. Of runs that begin together the longest comes first. */
fz_status fzi_archive_read(fz_archive *a, const json_t *experiment, uint64_t count,
                           fz_sums *sums, fzi_take_row *take, void *user)
{
    sqlite3_stmt *s = fzi_archive_query(
        a, "SELECT run, first, count, (SELECT max(game) FROM game WHERE game.run = run.run) AS "
        "last, experiment FROM run WHERE seed = ? ORDER BY first, last DESC, run", "t",
        fzi_experiment_text(experiment, "seed"));
    fz_status status = FZ_OK;
    uint64_t covered = 0;

    while (status == FZ_OK && fzi_archive_next(a, s))
        status = load_part(a, s, experiment, count, &covered, sums, take, user);
    sqlite3_finalize(s);
    return a->failed ? FZ_BAD_INPUT : status;
}

/* ---- lists and texts ---- */

static json_t *value_at(sqlite3_stmt *s, int column)
{
    static const char *const json[] = {"experiment", "ranks", "payoffs"};
    const char *text = (const char *)sqlite3_column_text(s, column);
    json_t *value = NULL;

    if (sqlite3_column_type(s, column) == SQLITE_INTEGER)
        return json_integer(sqlite3_column_int64(s, column));
    for (size_t i = 0; text && i < sizeof json / sizeof *json; i++)
        if (strcmp(json[i], sqlite3_column_name(s, column)) == 0)
            value = json_loads(text, JSON_DECODE_ANY, NULL);
    if (!value && text)
        value = json_string(text);
    return value ? value : json_null();
}

static bool finds(fz_archive *a, const char *query, long long run)
{
    sqlite3_stmt *s = fzi_archive_query(a, query, "i", run);
    bool found = fzi_archive_next(a, s);

    sqlite3_finalize(s);
    return found;
}

/* Of a run that ended all games are there, of others those before the last. */
fz_status fzi_archive_complete(fz_archive *a, uint64_t run)
{
    if (finds(a, "SELECT 1 FROM run LEFT JOIN (SELECT run AS r, count(*) AS n, max(game) AS last "
              "FROM game GROUP BY run) ON r = run WHERE (?1 = 0 OR run = ?1) AND ifnull(n, 0) <> "
              "CASE WHEN ended ISNULL THEN ifnull(last - first + 1, 0) ELSE count END",
              (long long)run))
        return fzi_archive_say(a, FZ_BAD_INPUT,
                               "the archive is damaged: it lacks games of a run");
    if (!run && finds(a, "SELECT 1 FROM game WHERE ?1 = 0 AND run NOT IN (SELECT run FROM run)", 0))
        return fzi_archive_say(a, FZ_BAD_INPUT,
                               "the archive is damaged: it has games of a run that it lacks");
    return a->failed ? FZ_BAD_INPUT : FZ_OK;
}

bool fzi_archive_begins(fz_archive *a)
{
    if (!finds(a, "SELECT 1 FROM (SELECT run FROM ending UNION ALL SELECT run FROM game UNION ALL "
               "SELECT run FROM use) WHERE run = ?", a->run))
        return !a->failed;
    fzi_archive_say(a, FZ_BAD_INPUT, "the archive is damaged: it has games of run %lld, which it "
                    "lacks: use another archive", a->run);
    return false;
}

fz_status fzi_archive_list(fz_archive *a, bool games, uint64_t run,
                           void (*take)(void *user, json_t *row), void *user)
{
    sqlite3_stmt *s = fzi_archive_query(
        a, games ? "SELECT run, game, decisions, turns, moves, kind AS ending, place, ranks, "
                   "against, payoffs, record FROM game g LEFT JOIN ending USING(run, ending) "
                   "WHERE (?1 = 0 OR run = ?1) AND row_is_whole(CASE WHEN kind NOTNULL THEN "
                   "g.checksum END, " FZI_GAME_ROW("g.") ") ORDER BY run, game"
                 : "SELECT run, experiment, first, count, records, command, started, ended, "
                   "(SELECT count(*) FROM game WHERE game.run = run.run) AS played "
                   "FROM run WHERE ?1 = 0 OR run = ?1 ORDER BY run", "i", (long long)run);

    fz_status status = games ? fzi_archive_complete(a, run) : FZ_OK;

    while (fzi_archive_next(a, s)) {
        json_t *row = json_object();
        for (int i = 0; i < sqlite3_column_count(s); i++)
            json_object_set_new(row, sqlite3_column_name(s, i), value_at(s, i));
        take(user, row);
        json_decref(row);
    }
    sqlite3_finalize(s);
    return a->failed ? FZ_BAD_INPUT : status;
}

/* Hands over the text in the row of the statement. FZ_NOT_FOUND: there is no row (`*found`), or no
 * text. */
static fz_status text_of(fz_archive *archive, sqlite3_stmt *s, char **result, bool *found)
{
    const char *text = NULL;
    char *copy = NULL;

    *found = fzi_archive_next(archive, s);
    if (*found)
        text = (const char *)sqlite3_column_text(s, 0);
    if (text)
        copy = fzi_copy_text(archive->context->allocator, text, strlen(text));
    sqlite3_finalize(s);
    if (result)
        *result = copy;
    else
        fz_text_free(archive->context, copy);
    if (archive->failed)
        return FZ_BAD_INPUT;
    return copy ? FZ_OK : text ? fzi_context_no_memory(archive->context) : FZ_NOT_FOUND;
}

fz_status fz_archive_runs(fz_archive *archive, char **json)
{
    static const char sql[] =
        "SELECT json_group_array(json_object('run', run, 'experiment', json(experiment), 'first', "
        "first, 'count', count, 'games', (SELECT count(*) FROM game WHERE game.run = run.run), "
        "'started', started, 'ended', ended)) FROM (SELECT * FROM run ORDER BY run) AS run";
    bool found;

    archive->failed = false;
    return text_of(archive, fzi_archive_query(archive, sql, ""), json, &found);
}

fz_status fz_archive_record(fz_archive *archive, uint64_t run, uint64_t game, char **record)
{
    static const char sql[] =
        "SELECT record FROM game g WHERE run = ? AND game = ? AND " WHOLE_GAME;
    bool found;
    fz_status status;

    archive->failed = false;
    status = text_of(archive, fzi_archive_query(archive, sql, "ii", (long long)run,
                                                (long long)game), record, &found);
    if (status != FZ_NOT_FOUND)
        return status;
    return fzi_archive_say(archive, status, "run %" PRIu64 " has no %sgame %" PRIu64, run,
                           found ? "record of " : "", game);
}
