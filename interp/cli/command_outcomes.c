/* ferz outcomes: every position that chance may bring after a move, with its exact probability. */
#include "cli.h"

typedef struct outcome_list {
    fzi_session *session;
    struct outcome {
        fz_ratio probability;
        char *position;       /* its text: what makes two ends the same */
        fz_state *state;
    } *items;
    size_t count;
} outcome_list;

static fz_status note_end(void *user, const fz_state *state, fz_ratio probability)
{
    outcome_list *list = user;
    char *text;
    fz_status status = fz_state_write(list->session->machine, state, false, &text);

    if (status != FZ_OK)
        return status;
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->items[i].position, text) != 0)
            continue;
        list->items[i].probability = fz_ratio_add(list->items[i].probability, probability);
        fz_text_free(list->session->context, text);
        return FZ_OK;
    }
    list->items = fzi_cli_allocate(list->items, (list->count + 1) * sizeof *list->items);
    struct outcome *item = &list->items[list->count++];
    *item = (struct outcome){probability, text, fz_state_clone(state)};
    return item->state ? FZ_OK : FZ_NO_MEMORY;
}

static int by_probability(const void *a, const void *b)
{
    const struct outcome *x = a, *y = b;

    if (x->probability.value != y->probability.value)
        return x->probability.value < y->probability.value ? 1 : -1;
    return strcmp(x->position, y->position);
}

static int print_list(outcome_list *list)
{
    enum fzi_cli_format format = list->session->cli->format;
    json_t *array = json_array();
    char ratio[FZ_RATIO_SIZE];

    for (size_t i = 0; i < list->count; i++) {
        struct outcome *item = &list->items[i];
        char *drawing = NULL;
        fz_ratio_text(item->probability, true, ratio);
        if (format == FZ_CLI_JSON) {
            json_t *object = json_object();
            json_object_set_new(object, "probability", json_string(ratio));
            json_object_set_new(object, "value", json_real(item->probability.value));
            json_array_append_new(array, object);
            int code = fzi_session_describe(list->session, item->state, false, object);
            if (code != FZ_EXIT_OK) {
                json_decref(array);
                return code;
            }
            continue;
        }
        fz_status status = fz_state_draw(list->session->machine, item->state,
                                         list->session->cli->drawing, &drawing);
        if (status != FZ_OK)
            return fzi_session_failed(list->session, status);
        printf("%s%s  (%.4f %%)\n%s", i ? "\n" : "", ratio, 100 * item->probability.value, drawing);
        fz_text_free(list->session->context, drawing);
    }
    if (format == FZ_CLI_JSON)
        return fzi_json_print(array);
    json_decref(array);
    return FZ_EXIT_OK;
}

static int enumerate(fzi_session *session)
{
    outcome_list list = {.session = session};
    double unfollowed;
    int code = session->cli->words.count > 1
                   ? fzi_session_play(session, session->cli->words.items[1]) : FZ_EXIT_OK;
    fz_status status;

    if (code != FZ_EXIT_OK)
        return code;
    status = fz_state_each_outcome(session->machine, session->state,
                                   session->cli->chance_given.items, note_end, &list, &unfollowed);
    if (status != FZ_OK) {
        code = fzi_session_failed(session, status);
    } else {
        qsort(list.items, list.count, sizeof *list.items, by_probability);
        code = print_list(&list);
        if (unfollowed > 0)
            fprintf(stderr, "ferz outcomes: long chains of chance are left out; their probability "
                            "is %.2g in all\n", unfollowed);
    }
    for (size_t i = 0; i < list.count; i++) {
        fz_text_free(session->context, list.items[i].position);
        fz_state_free(list.items[i].state);
    }
    free(list.items);
    return code;
}

int fzi_cli_outcomes(const fzi_cli *cli)
{
    return fzi_session_run(cli, FZ_CHANCE_ASK, enumerate);
}
