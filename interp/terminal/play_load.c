/* Records that a person loads, and goes on with. */
#include "terminal_game.h"

/* The name of the player who decides, or "" for chance. */
static const char *decider_of(const fz_program *program, const fz_state *state)
{
    return fz_state_waiting(state) == FZ_WAITING_MOVE
               ? fz_program_player_name(program, fz_state_decider(state)) : "";
}

/* An entry as the person sees it. */
static const char *seen(fzi_terminal_game *g, const char *entry, char *text, size_t size)
{
    fzi_setup *s = &g->setup;
    fz_move move;
    int64_t value;

    *text = '\0';
    if (fz_state_waiting(s->state) == FZ_WAITING_MOVE) {
        if (fz_move_parse(s->machine, s->state, entry, &move) == FZ_OK)
            snprintf(text, size, "%s", fz_move_text_for(s->machine, s->state, &move, g->viewer));
    } else if (*entry == '{') {
        if (fz_chance_parse(s->machine, s->state, entry + 1, strcspn(entry + 1, "}"), &value) ==
            FZ_OK)
            snprintf(text, size, "{%s}",
                     fz_chance_text_for(s->machine, s->state, value, g->viewer));
    }
    return text;
}

/* Plays the record's entries, which fit, on the state at its beginning. */
static void replay(fzi_terminal_game *g, const fz_record *record)
{
    fzi_setup *s = &g->setup;
    char text[256];

    for (size_t i = 0; i < record->entry_count; i++) {
        if (fz_state_waiting(s->state) == FZ_WAITING_MOVE &&
            g->seats >> fz_state_decider(s->state) & 1)
            fzi_terminal_remember(g);
        fzi_terminal_note(g, decider_of(s->program, s->state),
                          seen(g, record->entries[i], text, sizeof text));
        fz_record_play(s->machine, s->state, record->entries[i]);
    }
}

static bool same_options(const fz_record *a, const fz_record *b)
{
    if (strcmp(a->title, b->title) != 0 || a->setting_count != b->setting_count)
        return false;
    for (size_t i = 0; i < a->setting_count; i++)
        if (strcmp(a->settings[i].name, b->settings[i].name) != 0 ||
            strcmp(a->settings[i].value, b->settings[i].value) != 0)
            return false;
    return true;
}

/* Is the record one of this game, with these options? Says so if not. */
static bool is_ours(const fzi_terminal_game *g, const fz_record *record, FILE *wrong)
{
    fz_record own = {0};
    char *text = NULL;
    bool ours = fz_record_write(g->setup.machine, g->setup.state, g->setup.path, g->seed,
                                &text) == FZ_OK &&
                fz_record_read(g->setup.context, text, &own) == FZ_OK;

    if (!ours) {
        fputs("out of memory", wrong);
    } else if (!same_options(&own, record)) {
        ours = false;
        if (strcmp(own.title, record->title) != 0)
            fprintf(wrong, "a record of %s, not of %s", record->title, own.title);
        else
            fprintf(wrong, "a record of this game with %s",
                    record->setting_count ? "these options:" : "its default options");
        for (size_t i = 0; i < record->setting_count; i++)
            fprintf(wrong, " -o %s=%s", record->settings[i].name, record->settings[i].value);
        fputc('.', wrong);
    }
    fz_text_free(g->setup.context, text);
    fz_record_free(g->setup.context, &own);
    return ours;
}

/* Can all of the record be played from the state? Says where it cannot; what an entry says may be
 * hidden from the person. */
static bool fits(const fzi_terminal_game *g, const fz_record *record, const fz_state *start,
                 FILE *wrong)
{
    fz_state *trial = fz_state_clone(start);
    size_t i = 0;

    while (trial && i < record->entry_count && fz_state_waiting(trial) != FZ_GAME_OVER &&
           fz_record_play(g->setup.machine, trial, record->entries[i]) == FZ_OK)
        i++;
    if (!trial)
        fputs("out of memory", wrong);
    else if (i < record->entry_count && fz_program_hides(g->setup.program))
        fprintf(wrong, "entry %zu does not fit these rules; nothing is loaded.", i + 1);
    else if (i < record->entry_count)
        fprintf(wrong, "entry %zu, '%s', does not fit these rules; nothing is loaded.", i + 1,
                record->entries[i]);
    fz_state_free(trial);
    return trial && i == record->entry_count;
}

/* The person takes the same seats at the state; what was before is forgotten. False: there are no
 * such seats or agents, which has been said. */
static bool go_on(fzi_terminal_game *g, const fz_record *record, fz_state *state)
{
    fzi_terminal_forget(g);
    fz_state_free(g->setup.state);
    g->setup.state = state;
    g->seed = record->seed;
    g->shown = false;
    g->failed = fzi_terminal_seat(g) != FZ_OK;
    if (!g->failed) {
        replay(g, record);
        fzi_terminal_greet(g);
        puts("Loaded: the game was replayed.");
    }
    return !g->failed;
}

/* Goes on with the record of the text. If there is none, `wrong` may say why. */
static bool load_text(fzi_terminal_game *g, const char *text, size_t length, FILE *wrong)
{
    fz_record record = {0};
    fz_state *state = NULL;
    bool done = false;

    if (strlen(text) != length)
        fputs("no record: it holds a byte 0", wrong);
    else if (fz_record_read(g->setup.context, text, &record) != FZ_OK)
        fputs(fz_context_message(g->setup.context), wrong);
    else if (is_ours(g, &record, wrong)) {
        state = fz_record_start(g->setup.machine, &record);
        if (!state)
            fputs(fz_machine_message(g->setup.machine), wrong);
        else if (fits(g, &record, state, wrong))
            done = go_on(g, &record, state);
        else
            fz_state_free(state);
    }
    fz_record_free(g->setup.context, &record);
    return done;
}

bool fzi_terminal_load(fzi_terminal_game *g, const char *path)
{
    size_t length, said;
    char *text = g->command.read(g->command.user, path, &length), *why = NULL;
    FILE *wrong = text ? open_memstream(&why, &said) : NULL;
    bool done = wrong && load_text(g, text, length, wrong);

    if (wrong)
        fclose(wrong);
    if (why && *why && g->greeted) {
        printf("%s: %s\n", path, why);
    } else if (why && *why) {
        char *message = fzi_cli_text("%s: %s", path, why);
        g->command.complain(g->command.user, message);
        free(message);
    }
    free(why);
    free(text);
    return done;
}
