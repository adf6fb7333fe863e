/* Any JSON object as a file of `ferz learn`, for a shipped game: its checksum and the names of its
 * program are made right, as anybody can. What is read values positions, or chooses moves. */
#include "fuzz.h"
#include "interp/lab/learning.h"
#include "interp/lab/strategy_learning.h"
#include "interp/vm/machine.h"

enum { MOST_BYTES = 1 << 20 };

typedef struct file {
    const char *text;
    size_t length;
} file;

static const char *find(void *user, const char *path, size_t *length)
{
    const file *f = user;

    (void)path;
    *length = f->length;
    return f->text;
}

/* The file, to be freed with fz_text_free; NULL: the input is no JSON object. */
static char *complete(const fuzz_input *input)
{
    const fz_program *program = input->machine->program;
    json_t *object = json_loads(input->text, 0, NULL);
    char fingerprint[FZI_FINGERPRINT_SIZE], *text = NULL;

    if (!json_is_object(object)) {
        json_decref(object);
        return NULL;
    }
    fzi_fingerprint_program(program, fingerprint);
    json_object_set_new(object, "game", json_string(fz_program_title(program)));
    json_object_set_new(object, "program", json_string(fingerprint));
    json_object_set_new(object, "options", fzi_all_options(program));
    fzi_checked_json_text(object, input->context, &text);
    return text;
}

static void use_evaluation(const fuzz_input *input, fzi_learned *learned)
{
    for (unsigned ply = 0; ply < 4 && fz_state_waiting(input->state) == FZ_WAITING_MOVE; ply++) {
        if (learned->program->player_count > 1)
            fzi_learned_odds(learned, input->state, (int)ply % 2);
        if (fz_state_play_random(input->machine, input->state) != FZ_OK)
            break;
    }
    fzi_learned_free(learned);
}

static void use_strategy(fzi_strategy *strategy)
{
    for (size_t set = 0; set < strategy->count; set++) {
        double sum = 0;
        for (uint32_t move = 0; move < strategy->sets[set].count; move++)
            sum += fzi_strategy_probability(strategy, set, move);
        fuzz_want(sum > 0.999 && sum < 1.001, "probabilities add up to 1");
    }
    fzi_strategy_free(strategy);
}

static void read_both(const fuzz_input *input, const char *text)
{
    file f = {text, strlen(text)};
    const fz_program *program = input->machine->program;
    fzi_learned *learned;
    fzi_strategy *strategy;

    fz_context_set_overlay(input->context, find, &f);
    if (fzi_evaluation_read(input->context, program, "fuzz", &learned, NULL) == FZ_OK)
        use_evaluation(input, learned);
    else
        fuzz_want(*fz_context_message(input->context), "a failure is told");
    if (fzi_strategy_read(input->context, program, "fuzz", MOST_BYTES, &strategy, NULL) == FZ_OK)
        use_strategy(strategy);
    else
        fuzz_want(*fz_context_message(input->context), "a failure is told");
    fz_context_set_overlay(input->context, NULL, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input;
    char *text;

    if (!fuzz_input_begin(&input, data, size))
        return 0;
    if ((text = complete(&input)) != NULL) {
        read_both(&input, text);
        fz_text_free(input.context, text);
    }
    fuzz_input_end(&input);
    return 0;
}
