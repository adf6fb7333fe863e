/* What interp/program/verify.h promises of a verified program, row by row: each damage here
 * breaks one promise, and the verifier says which. Programs as they are compiled keep them all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "ferz.h"
#include "interp/program/opcodes.h"
#include "interp/program/program.h"
#include "interp/program/verify.h"
#include "interp/support/context.h"

static char *text_of(const fz_program *p, uint32_t offset)
{
    return (char *)(uintptr_t)p->text + offset;
}

/* The first instruction with that opcode. */
static uint32_t find(const fz_program *p, unsigned op)
{
    uint32_t at = 0;
    while (at < p->code_length && FZ_CODE_OP(p->code[at]) != op)
        at += fzi_opcode_length(FZ_CODE_OP(p->code[at]));
    assert_true(at < p->code_length);
    return at;
}

#define CODE(at) ((fz_code *)(uintptr_t)p->code)[at]
#define TABLE(type, field) ((type *)(uintptr_t)p->field)

#define DAMAGE(name, change)                                                                       \
    static void name(fz_program *p)                                                                \
    {                                                                                              \
        change;                                                                                    \
    }

/* ---- texts ---- */
DAMAGE(text_end, text_of(p, p->text_length - 1)[0] = 'x')
DAMAGE(title_inside_another, p->title += 1)
DAMAGE(title_control, text_of(p, p->title)[1] = '\033')
DAMAGE(title_utf8, text_of(p, p->title)[1] = '\xff')
DAMAGE(site_comma, text_of(p, p->board.site_names[3])[1] = ',')
DAMAGE(site_blank, text_of(p, p->board.site_names[3])[0] = ' ')
DAMAGE(site_cut, text_of(p, p->board.site_names[3])[0] = '\0')
DAMAGE(site_twice, TABLE(uint32_t, board.site_names)[3] = p->board.site_names[2])
DAMAGE(site_empty, TABLE(uint32_t, board.site_names)[3] = 0)
DAMAGE(direction_twice, TABLE(uint32_t, board.dir_names)[1] = p->board.dir_names[0])
DAMAGE(player_newline, text_of(p, p->players[1].name)[0] = '\n')
DAMAGE(player_twice, TABLE(fz_player_info, players)[1].name = p->players[0].name)
DAMAGE(kind_empty, TABLE(fz_kind_info, kinds)[0].name = 0)
DAMAGE(letter_comma, text_of(p, p->kinds[0].letter)[0] = ',')
DAMAGE(letter_twice, TABLE(fz_kind_info, kinds)[1].letter = p->kinds[0].letter)
DAMAGE(variable_newline, text_of(p, p->variables[0].name)[0] = '\n')
DAMAGE(setting_empty, TABLE(fz_option_choice, settings)[0].value = 0)
DAMAGE(setting_type, TABLE(fz_option_choice, settings)[0].type = FZ_OPTION_SWITCH + 1)
DAMAGE(setting_range, TABLE(fz_option_choice, settings)[0].low = INT64_MAX)
DAMAGE(setting_initial, TABLE(fz_option_choice, settings)[0].initial = 0)
DAMAGE(setting_values, TABLE(fz_option_choice, settings)[0].values = p->text_length)
DAMAGE(info_key, text_of(p, p->info[0].key)[0] = '-')
DAMAGE(test_title, text_of(p, p->tests[0].title)[0] = '\x07')
DAMAGE(label_outside, CODE(find(p, FZ_OP_TEXT) + 1) = p->text_length)

/* ---- types, variables ---- */
DAMAGE(type_kind, TABLE(fz_value_type, types)[0].kind = FZ_VALUE_MASK + 1)
DAMAGE(type_low, TABLE(fz_value_type, types)[0].low = TABLE(fz_value_type, types)[0].high + 1)
static void site_high(fz_program *p)
{
    for (uint32_t i = 0; i < p->type_count; i++)
        if (p->types[i].kind == FZ_VALUE_SITE || p->types[i].kind == FZ_VALUE_PLAYER)
            TABLE(fz_value_type, types)[i].high++;
}
static void name_low(fz_program *p)
{
    for (uint32_t i = 0; i < p->type_count; i++)
        if (p->types[i].kind == FZ_VALUE_NAMED)
            TABLE(fz_value_type, types)[i].low = -2;
}
/* The texts of the values are inside, their names are not. */
static void names_outside(fz_program *p)
{
    for (uint32_t i = 0; i < p->type_count; i++)
        if (p->types[i].kind == FZ_VALUE_NAMED)
            TABLE(fz_value_type, types)[i].names =
                p->name_list_length - (uint32_t)p->types[i].high - 1;
}
DAMAGE(mask_load, CODE(find(p, FZ_OP_MLOADX)) ^= FZ_OP_MLOADX ^ FZ_OP_LOADX)
DAMAGE(mask_store, CODE(find(p, FZ_OP_STOREX)) ^= FZ_OP_STOREX ^ FZ_OP_MSTOREX)
DAMAGE(mask_initial, memset(TABLE(uint8_t, initial) + (p->layout.ints - p->layout.own), 255,
                            4u * p->layout.int_count))
DAMAGE(variable_flag, TABLE(fz_variable, variables)[0].secret = 2)
DAMAGE(variable_set, TABLE(fz_variable, variables)[0].is_set ^= 1)
DAMAGE(variable_type, TABLE(fz_variable, variables)[0].type = (uint16_t)p->type_count)
DAMAGE(variable_long, TABLE(fz_variable, variables)[0].length = 1 << 24)
DAMAGE(variable_offset, TABLE(fz_variable, variables)[0].offset += 1)
DAMAGE(carried, TABLE(fz_variable, variables)[0].carried = 1)

/* ---- stacks ---- */
DAMAGE(stack_of_one, p->stack_limit = 1)
DAMAGE(stacks, p->stack_limit = 4)
DAMAGE(no_stacks, p->stack_limit = 0)
static void height(fz_program *p)
{
    fz_code *code = &CODE(find(p, FZ_OP_KIND));
    *code = FZ_CODE(FZ_OP_HEIGHT, FZ_CODE_A(*code), FZ_CODE_B(*code), 0);
}

/* ---- the board ---- */
DAMAGE(words, p->board.words = 3)
DAMAGE(no_sites, p->board.site_count = 0)
DAMAGE(neighbour, TABLE(int16_t, board.next)[5] = (int16_t)p->board.site_count)
DAMAGE(column, TABLE(int16_t, board.column)[5] = (int16_t)(p->board.columns + 1))
DAMAGE(far, TABLE(int16_t, board.x)[5] = INT16_MAX)
DAMAGE(opposite, p->board.opposite[0] = FZ_MAX_DIRS)
DAMAGE(adjacent, p->board.adjacent = UINT32_MAX)
DAMAGE(sort, TABLE(uint8_t, board.sorts)[5] = FZ_SORT_COUNT)
DAMAGE(sorts, p->board.has_sorts = 2)
DAMAGE(shape, p->board.shape = FZ_SHAPE_NONE + 1)
DAMAGE(no_board, p->board.shape = FZ_SHAPE_NONE)
DAMAGE(mark, TABLE(fz_shown, shown)[0].mark = p->text_length)
DAMAGE(hint_row, TABLE(fz_hint, hints)[0].row = FZ_HINT_ROWS)
DAMAGE(hint_site, TABLE(fz_hint, hints)[0].b = p->board.site_count)
DAMAGE(facing, TABLE(fz_player_info, players)[0].facing = 99)
DAMAGE(team, TABLE(fz_player_info, players)[0].team = 1)

/* ---- code ---- */
DAMAGE(opcode, CODE(p->functions[p->turn].start) = FZ_OP_COUNT)
DAMAGE(trace, CODE(p->functions[p->turn].start) = FZ_OP_TRACE)
DAMAGE(function_end, TABLE(fz_function, functions)[p->turn].end += 1)
DAMAGE(overlap, TABLE(fz_function, functions)[1].start = p->functions[0].start)
DAMAGE(turn_result, TABLE(fz_function, functions)[p->turn].result = 1)
DAMAGE(turn_params, TABLE(fz_function, functions)[p->turn].int_params = 2)
DAMAGE(no_turn, p->turn = -1)
DAMAGE(payoff, p->payoff = (int32_t)p->function_count)
DAMAGE(payoff_result, p->payoff = p->turn)
DAMAGE(limit_turns, p->limit_turns = -5)
DAMAGE(stated_limit, p->limits[FZ_LIMIT_frames] = 1001)
static void unwritten(fz_program *p) /* a function with no instruction that writes what it reads */
{
    uint32_t at = find(p, FZ_OP_CHOOSE);
    fz_function *f = &TABLE(fz_function, functions)[p->choices[p->code[at + 1]].function];
    f->ints++;
    CODE(at) = FZ_CODE(FZ_OP_CHOOSE, f->ints - 1u, 0, 0);
}
DAMAGE(repetitions, p->uses_repetitions ^= 1)
DAMAGE(line_ascending, TABLE(fz_line, lines)[p->line_count - 1].code = 0)
static void line_inside(fz_program *p) /* of the second word of an instruction */
{
    for (uint32_t i = 0; i + 1 < p->line_count; i++) {
        uint32_t at = p->lines[i].code;
        if (fzi_opcode_length(FZ_CODE_OP(p->code[at])) > 1 && p->lines[i + 1].code > at) {
            TABLE(fz_line, lines)[i].code = at + 1;
            return;
        }
    }
}
DAMAGE(place_end, TABLE(fz_place, places)[1].end = UINT32_MAX)
DAMAGE(source_length, TABLE(fz_source_info, sources)[1].text_length -= 1)

/* ---- choices ---- */
DAMAGE(choice_range, TABLE(fz_choice, choices)[0].first_option += 1)
DAMAGE(sealed_nowhere, TABLE(fz_choice, choices)[0].sealed = p->variable_count + 1)
DAMAGE(sealed_public, TABLE(fz_choice, choices)[0].sealed = 1)
DAMAGE(option_choice, TABLE(fz_option_info, options)[0].choice = p->choice_count - 1)
DAMAGE(option_bindings, TABLE(fz_option_info, options)[0].first = 255)
DAMAGE(option_from, TABLE(fz_option_info, options)[0].from = FZ_MAX_BINDINGS)
DAMAGE(option_label, TABLE(fz_option_info, options)[0].label = p->code_length)
DAMAGE(filter_keys, TABLE(fz_filter, filters)[0].keys += 1)
DAMAGE(filter_kind, TABLE(fz_filter, filters)[0].kind = FZ_FILTER_KEEP_MIN + 1)
DAMAGE(filter_bounded, TABLE(fz_filter, filters)[0].bounded ^= 1)
static void filter_judges(fz_program *p) /* itself */
{
    uint32_t at = p->filters[0].code;
    while (FZ_CODE_OP(p->code[at]) != FZ_OP_FILTER_BEGIN || p->code[at + 1] != 0)
        at--;
    TABLE(fz_filter, filters)[0].code = at;
}
static void filter_leaves(fz_program *p) /* jumps after its verdict */
{
    uint32_t at = p->filters[0].code, verdict = at;
    while (FZ_CODE_OP(p->code[verdict]) != FZ_OP_FILTER_END)
        verdict += fzi_opcode_length(FZ_CODE_OP(p->code[verdict]));
    assert_int_equal(fzi_opcode_length(FZ_CODE_OP(p->code[at])), fzi_opcode_length(FZ_OP_JUMP));
    CODE(at) = FZ_CODE(FZ_OP_JUMP, 0, 0, 0);
    CODE(at + 1) = verdict + fzi_opcode_length(FZ_OP_FILTER_END);
}
DAMAGE(filter_list, TABLE(uint32_t, filter_lists)[0] = p->filter_count)

/* ---- chance, tables, state, tests ---- */
DAMAGE(die_weights,
       for (uint32_t i = 0; i < p->face_count; i++) TABLE(fz_face, faces)[i].weight = 0)
DAMAGE(die_value, TABLE(fz_face, faces)[0].value = INT32_MAX)
DAMAGE(int_table, TABLE(fz_int_table, int_tables)[0].length += p->int_pool_length + 1)
DAMAGE(set_table, TABLE(fz_set_table, set_tables)[0].rows += p->set_pool_length + 1)
DAMAGE(initial_value, TABLE(int32_t, initial)[(p->layout.ints - p->layout.own) / 4] = INT32_MAX)
DAMAGE(initial_piece, TABLE(uint8_t, initial)[0] = 1)
DAMAGE(layout, p->layout.frames += 8)
DAMAGE(step_op, TABLE(fz_test_step, steps)[0].op = FZ_TEST_OP_COUNT)
DAMAGE(test_steps, TABLE(fz_test_info, tests)[0].steps = p->step_count + 1)
DAMAGE(step_function, for (uint32_t i = 0; i < p->step_count; i++) TABLE(fz_test_step, steps)[i]
                          .function = p->turn)

/* A damage, the game it is done to and what the verifier says. */
typedef struct row {
    const char *game, *message;
    void (*damage)(fz_program *program);
} row;

static const row rows[] = {
    {"games/chess/chess", "texts", text_end},
    {"games/chess/chess", "title", title_inside_another},
    {"games/chess/chess", "texts", title_control},
    {"games/chess/chess", "title", title_utf8},
    {"games/chess/chess", "name of site 3", site_comma},
    {"games/chess/chess", "name of site 3", site_blank},
    {"games/chess/chess", "name of site 3", site_cut},
    {"games/chess/chess", "name of site 3", site_twice},
    {"games/chess/chess", "name of site 3", site_empty},
    {"games/chess/chess", "name of direction 1", direction_twice},
    {"games/chess/chess", "name of player 1", player_newline},
    {"games/chess/chess", "name of player 1", player_twice},
    {"games/chess/chess", "name of kind 0", kind_empty},
    {"games/chess/chess", "letter of kind 0", letter_comma},
    {"games/chess/chess", "letter of kind 1", letter_twice},
    {"games/chess/chess", "name of variable 0", variable_newline},
    {"games/chess/chess", "value of option 0", setting_empty},
    {"games/chess/chess", "type of option 0", setting_type},
    {"games/chess/chess", "range of option 0", setting_range},
    {"games/chess/chess", "value of option 0", setting_initial},
    {"games/chess/chess", "option 0", setting_values},
    {"games/chess/chess", "name of info 0", info_key},
    {"games/chess/chess", "texts", test_title},
    {"games/chess/chess", "text at", label_outside},
    {"games/chess/chess", "type 0", type_kind},
    {"games/chess/chess", "type 0", type_low},
    {"games/chess/chess", "type", site_high},
    {"games/cards/whist", "type", name_low},
    {"games/cards/whist", "type", names_outside},
    {"games/cards/whist", "variable at", mask_load},
    {"games/cards/whist", "variable at", mask_store},
    {"games/cards/whist", "initial value of variable", mask_initial},
    {"games/chess/chess", "variable 0", variable_flag},
    {"games/chess/chess", "variable", variable_set},
    {"games/chess/chess", "variable 0", variable_type},
    {"games/chess/chess", "variable", variable_long},
    {"games/chess/chess", "layout", variable_offset},
    {"games/chess/chess", "stacks up to", stack_of_one},
    {"games/chess/chess", "layout", stacks},
    {"games/draughts/lasca", "layout", no_stacks},
    {"games/chess/chess", "instruction at", height},
    {"games/stacks/tak", "carried variable", carried},
    {"games/chess/chess", "sites", words},
    {"games/chess/chess", "sites", no_sites},
    {"games/chess/chess", "neighbour 5", neighbour},
    {"games/chess/chess", "column of site 5", column},
    {"games/chess/chess", "place of site 5", far},
    {"games/chess/chess", "opposite of direction 0", opposite},
    {"games/chess/chess", "kinds of directions", adjacent},
    {"games/classic/dots-and-boxes", "sort of site 5", sort},
    {"games/classic/dots-and-boxes", "sorts", sorts},
    {"games/chess/chess", "shape", shape},
    {"games/chess/chess", "shape", no_board},
    {"games/classic/jungle", "shown value", mark},
    {"games/war/alquerque", "hint 0", hint_row},
    {"games/war/alquerque", "hint 0", hint_site},
    {"games/chess/chess", "player 0", facing},
    {"games/chess/chess", "team of player 0", team},
    {"games/chess/chess", "instruction at", opcode},
    {"games/chess/chess", "instruction at", trace},
    {"games/chess/chess", "function", function_end},
    {"games/chess/chess", "instruction at", overlap},
    {"games/chess/chess", "turn", turn_result},
    {"games/chess/chess", "turn", turn_params},
    {"games/chess/chess", "turn", no_turn},
    {"games/chess/chess", "payoff", payoff},
    {"games/chess/chess", "payoff", payoff_result},
    {"games/chess/chess", "limit", limit_turns},
    {"games/chess/chess", "limit of frames", stated_limit},
    {"games/chess/chess", "a register is read before it is written", unwritten},
    {"games/chess/chess", "repetitions", repetitions},
    {"games/chess/chess", "line", line_ascending},
    {"games/chess/chess", "line", line_inside},
    {"games/chess/chess", "place 1", place_end},
    {"games/chess/chess", "source 1", source_length},
    {"games/chess/chess", "choice", choice_range},
    {"games/hidden/rock-paper-scissors", "choice 0", sealed_nowhere},
    {"games/hidden/rock-paper-scissors", "choice 0", sealed_public},
    {"games/chess/chess", "choice", option_choice},
    {"games/chess/chess", "option", option_bindings},
    {"games/chess/chess", "option 0", option_from},
    {"games/chess/chess", "option 0", option_label},
    {"games/chess/chess", "filter 0", filter_keys},
    {"games/chess/chess", "filter 0", filter_kind},
    {"games/chess/chess", "filter 0", filter_bounded},
    {"games/chess/chess", "filter 0", filter_judges},
    {"games/chess/chess", "filter 0", filter_leaves},
    {"games/chess/chess", "option 0", filter_list},
    {"games/race/ur", "weights of die 0", die_weights},
    {"games/race/ur", "die 0", die_value},
    {"games/chess/chess", "table 0", int_table},
    {"games/chess/chess", "table 0", set_table},
    {"games/chess/chess", "initial value", initial_value},
    {"games/chess/chess", "pieces before set-up", initial_piece},
    {"games/chess/chess", "layout", layout},
    {"games/chess/chess", "step 0", step_op},
    {"games/chess/chess", "test 0", test_steps},
    {"games/chess/chess", "step", step_function},
};

static fz_program *compile(fz_context *context, const char *game)
{
    char path[1024];
    fz_program *program = NULL;
    snprintf(path, sizeof path, "%s/../%s.game", FZ_SOURCE_STDLIB_DIR, game);
    fz_status status = fz_compile(context, path, NULL, 0, NULL, 0, &program, NULL);
    if (status != FZ_OK)
        fail_msg("%s: %s", path, fz_context_message(context));
    return program;
}

static void every_row(void **state)
{
    (void)state;
    static const char *const dirs[] = {FZ_SOURCE_STDLIB_DIR, NULL};
    const fz_config config = {.module_dirs = dirs};
    fz_context *context = fz_context_new(&config);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fz_program *p = compile(context, rows[i].game);
        char message[256];
        assert_true(fzi_verify(p, fzi_allocator_default(), message, sizeof message));
        fz_program kept =
            *p; /* what is freed is found again when a damage was to the program itself */
        rows[i].damage(p);
        bool good = fzi_verify(p, fzi_allocator_default(), message, sizeof message);
        if (good || !strstr(message, rows[i].message))
            fail_msg("%s, row %zu: '%s' expected, found '%s'", rows[i].game, i, rows[i].message,
                     message);
        *p = kept;
        fz_program_release(p);
    }
    fz_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_row)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
