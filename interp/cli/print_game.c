/* Describes a game, for `ferz info`. */
#include "cli.h"

static const char *shape_of(const fz_board *board)
{
    static const char *const names[] = {
        [FZ_SHAPE_SQUARE] = "square",
        [FZ_SHAPE_HEX] = "hex",
        [FZ_SHAPE_HEX_RHOMBUS] = "hex_rhombus",
        [FZ_SHAPE_HEX_STAR] = "hex_star",
        [FZ_SHAPE_TRIANGLE] = "triangle",
        [FZ_SHAPE_CIRCLE] = "circle",
        [FZ_SHAPE_PITS] = "pits",
        [FZ_SHAPE_TRACK] = "track",
        [FZ_SHAPE_HEX_UPRIGHT] = "hex_upright",
        [FZ_SHAPE_GRAPH] = "graph",
        [FZ_SHAPE_NONE] = "none",
    };
    return board->shape < sizeof names / sizeof names[0] ? names[board->shape] : "board";
}

/* ---- text ---- */

static void print_count(uint32_t count, const char *one, const char *many, const char *after)
{
    printf("%u %s%s", count, count == 1 ? one : many, after);
}

static void print_notes(const fz_program *program)
{
    fzi_table table;

    fzi_table_begin(&table, "ll", NULL);
    for (uint32_t i = 0; i < program->info_count; i++)
        fzi_table_add(&table, "%s\t%s", fzi_text(program, program->info[i].key),
                      fzi_text(program, program->info[i].value));
    fzi_table_print(&table, "  ");
}

/* "2..5 = 3", as the script declares it, and its comment. */
static void add_declaration(fzi_table *table, const fz_setting_info *option)
{
    const char *between = *option->comment ? "  " : "";

    if (option->type == FZ_OPTION_NUMBER)
        fzi_table_add(table, "%lld..%lld = %s%s%s", (long long)option->low,
                      (long long)option->high, option->initial, between, option->comment);
    else
        fzi_table_add(table, "%s = %s%s%s",
                      option->type == FZ_OPTION_SWITCH ? "bool" : option->values,
                      option->initial, between, option->comment);
}

static void print_settings(const fz_program *program)
{
    fz_setting_info option;
    fzi_table table;
    bool is_default;

    if (program->setting_count == 0)
        return;
    puts("options");
    fzi_table_begin(&table, "llll", NULL);
    for (int i = 0; fz_program_option_info(program, i, &option); i++) {
        fz_program_option(program, i, NULL, &is_default);
        fzi_table_add(&table, "%s\t%s\t%s", option.name, option.value,
                      is_default ? "" : "(chosen)");
        add_declaration(&table, &option);
    }
    fzi_table_print(&table, "  ");
}

static void print_players(const fz_program *program)
{
    const char *between = "  ";

    print_count(program->player_count, "player", "players", "\n");
    for (uint32_t p = 0; p < program->player_count; p++) {
        const fz_player_info *player = &program->players[p];
        printf("%s%s", between, fzi_text(program, player->name));
        if (program->has_teams)
            printf(" (%s)", fzi_text(program, program->team_names[player->team]));
        between = ", ";
    }
    printf("\n%s, %s\n", program->uses_chance ? "with chance" : "no chance",
           fz_program_hides(program) ? "with hidden information" : "nothing is hidden");
}

static int count_of_sort(const fz_board *board, int sort)
{
    int count = 0;

    for (unsigned s = 0; board->has_sorts && s < board->site_count; s++)
        count += board->sorts[s] == sort;
    return count;
}

static void print_sorts(const fz_board *board)
{
    fputs(" (", stdout);
    print_count((unsigned)count_of_sort(board, FZ_SORT_CELL), "cell", "cells", ", ");
    print_count((unsigned)count_of_sort(board, FZ_SORT_EDGE), "edge", "edges", ", ");
    print_count((unsigned)count_of_sort(board, FZ_SORT_VERTEX), "vertex", "vertices", "), ");
}

static void print_board(const fz_program *program)
{
    const fz_board *board = &program->board;

    if (board->shape == FZ_SHAPE_NONE) {
        puts("no board");
        return;
    }
    printf("board\n  %s", shape_of(board));
    if (board->columns && board->rows)
        printf(", %u by %u", board->columns, board->rows);
    fputs(", ", stdout);
    print_count(board->site_count, board->on_vertices ? "vertex" : "site",
                board->on_vertices ? "vertices" : "sites", board->has_sorts ? "" : ", ");
    if (board->has_sorts)
        print_sorts(board);
    print_count(board->dir_count, "direction", "directions", "");
    for (unsigned d = 0; d < board->dir_count; d++)
        printf("%s%s", d ? " " : ": ", fzi_text(program, board->dir_names[d]));
    putchar('\n');
}

static void print_pieces(const fz_program *program)
{
    if (program->kind_count == 0)
        return;
    puts("pieces");
    for (uint32_t k = 0; k < program->kind_count; k++) {
        const char *letter = fzi_text(program, program->kinds[k].letter);
        printf("%s%s%s%s", k ? ", " : "  ", fzi_text(program, program->kinds[k].name),
               *letter ? " " : "", letter);
    }
    putchar('\n');
}

static unsigned visible_variables(const fz_program *program)
{
    unsigned count = 0;

    for (uint32_t i = 0; i < program->variable_count; i++)
        count += !program->variables[i].hidden;
    return count;
}

/* The bytes copied with a state, at the first decisions of a random game. */
typedef struct copied {
    size_t sum, most;
    unsigned decisions; /* 0: none was reached */
} copied;

static copied copies_of(const fz_program *program)
{
    enum { DECISIONS = 100, SEED = 1 };
    copied found = {0};
    fz_machine *machine = fz_machine_new(program, NULL);
    fz_state *state = machine ? fz_state_new(machine, SEED, 0) : NULL;
    fz_status status = state ? FZ_OK : FZ_RUNTIME;

    while (status == FZ_OK && fz_state_waiting(state) == FZ_WAITING_MOVE &&
           found.decisions < DECISIONS) {
        size_t size = fz_state_size(state);
        found.sum += size;
        found.most = size > found.most ? size : found.most;
        found.decisions++;
        status = fz_state_playout(machine, state, 1);
    }
    fz_state_free(state);
    fz_machine_free(machine);
    return found;
}

static size_t mean_size(copied of)
{
    return of.decisions ? (of.sum + of.decisions / 2) / of.decisions : 0;
}

static void print_sizes(const fz_program *program)
{
    copied copies = copies_of(program);

    printf("a state\n  sets of %u word%s, %u bytes of board and variables\n", program->board.words,
           program->board.words == 1 ? "" : "s", program->layout.frames);
    if (copies.decisions)
        printf("  %zu bytes to copy at a decision, at most %zu (the first %u decision%s of a "
               "random game)\n",
               mean_size(copies), copies.most, copies.decisions, fzi_plural(copies.decisions));
    if (fz_program_history_bytes(program))
        printf("  %u bytes a turn for 'repetitions'\n", fz_program_history_bytes(program));
}

static json_t *sizes_json(const fz_program *program)
{
    copied copies = copies_of(program);

    return json_pack("{s:i, s:i, s:i, s:i, s:i}", "set_words", (int)program->board.words, "bytes",
                     (int)program->layout.frames, "at_decision", (int)mean_size(copies),
                     "at_decision_most", (int)copies.most, "history_a_turn",
                     (int)fz_program_history_bytes(program));
}

void fzi_game_print(const fz_program *program)
{
    printf("%s\n", fz_program_title(program));
    print_notes(program);
    print_settings(program);
    print_players(program);
    print_board(program);
    print_pieces(program);
    printf("program\n  ");
    print_count(program->function_count, "function", "functions", ", ");
    print_count(program->code_length, "word of code", "words of code", ", ");
    print_count(program->choice_count, "choice", "choices", ", ");
    print_count(program->option_count, "option in them", "options in them", ", ");
    print_count(program->filter_count, "filter", "filters", ", ");
    print_count(visible_variables(program), "variable", "variables", ", ");
    print_count(program->die_count, "die", "dice", ", ");
    print_count(program->test_count, "test", "tests", "\n");
    print_sizes(program);
}

/* ---- JSON ---- */

static json_t *pairs(const fz_program *program)
{
    json_t *object = json_object();

    for (uint32_t i = 0; i < program->info_count; i++)
        json_object_set_new(object, fzi_text(program, program->info[i].key),
                            json_string(fzi_text(program, program->info[i].value)));
    return object;
}

/* The values of an option that is no number. */
static json_t *values_of(const char *values)
{
    json_t *list = json_array();

    while (*values) {
        size_t length = strcspn(values, " ");
        json_array_append_new(list, json_stringn(values, length));
        values += length + (values[length] == ' ');
    }
    return list;
}

static json_t *settings(const fz_program *program)
{
    static const char *const types[] = {"named", "number", "switch"};
    json_t *list = json_array();
    fz_setting_info option;
    bool is_default;

    for (int i = 0; fz_program_option_info(program, i, &option); i++) {
        fz_program_option(program, i, NULL, &is_default);
        json_t *object = json_pack("{s:s, s:s, s:b, s:s, s:s}", "name", option.name, "value",
                                   option.value, "default", is_default, "initial", option.initial,
                                   "type", types[option.type]);
        if (option.type == FZ_OPTION_NUMBER)
            json_object_set_new(object, "range", json_pack("[I, I]", (json_int_t)option.low,
                                                           (json_int_t)option.high));
        else
            json_object_set_new(object, "values", values_of(option.values));
        json_object_set_new(object, "comment", json_string(option.comment));
        json_array_append_new(list, object);
    }
    return list;
}

static json_t *players(const fz_program *program)
{
    json_t *list = json_array();

    for (uint32_t p = 0; p < program->player_count; p++) {
        const fz_player_info *player = &program->players[p];
        const char *team = program->has_teams
                               ? fzi_text(program, program->team_names[player->team]) : NULL;
        json_array_append_new(list, json_pack("{s:s, s:s?}", "name",
                                              fzi_text(program, player->name), "team", team));
    }
    return list;
}

static json_t *pieces(const fz_program *program)
{
    json_t *list = json_array();

    for (uint32_t k = 0; k < program->kind_count; k++)
        json_array_append_new(list, json_pack("{s:s, s:s}", "name",
                                              fzi_text(program, program->kinds[k].name), "letter",
                                              fzi_text(program, program->kinds[k].letter)));
    return list;
}

/* Names of the sites, and where they lie: x and y in half cells, as drawings show them. */
static json_t *places(const fz_program *program)
{
    const fz_board *board = &program->board;
    json_t *list = json_array();

    for (unsigned s = 0; board->shape != FZ_SHAPE_NONE && s < board->site_count; s++) {
        json_t *site = json_pack("{s:s}", "site", fzi_text(program, board->site_names[s]));
        if (board->row && board->row[s] > 0)
            json_object_update_new(site, json_pack("{s:i, s:i}", "column", board->column[s], "row",
                                                   board->row[s]));
        if (board->x && board->y)
            json_object_update_new(site, json_pack("{s:i, s:i}", "x", board->x[s], "y",
                                                   board->y[s]));
        json_array_append_new(list, site);
    }
    return list;
}

static json_t *board_of(const fz_program *program)
{
    const fz_board *board = &program->board;
    bool there = board->shape != FZ_SHAPE_NONE;
    json_t *directions = json_array(), *sorts = NULL;

    for (unsigned d = 0; there && d < board->dir_count; d++)
        json_array_append_new(directions, json_string(fzi_text(program, board->dir_names[d])));
    if (there && board->has_sorts)
        sorts = json_pack("{s:i, s:i, s:i}", "cells", count_of_sort(board, FZ_SORT_CELL), "edges",
                          count_of_sort(board, FZ_SORT_EDGE), "vertices",
                          count_of_sort(board, FZ_SORT_VERTEX));
    return json_pack("{s:s, s:i, s:i, s:i, s:o, s:o*, s:o}", "shape", shape_of(board), "sites",
                     there ? (int)board->site_count : 0, "columns",
                     there ? (int)board->columns : 0, "rows", there ? (int)board->rows : 0,
                     "directions", directions, "sorts", sorts, "places", places(program));
}

static json_t *counts(const fz_program *program)
{
    return json_pack("{s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i}", "functions",
                     (int)program->function_count, "code", (int)program->code_length, "choices",
                     (int)program->choice_count, "options", (int)program->option_count, "filters",
                     (int)program->filter_count, "variables", (int)visible_variables(program),
                     "dice", (int)program->die_count, "tests", (int)program->test_count);
}

json_t *fzi_game_json(const fz_program *program)
{
    return json_pack("{s:s, s:o, s:o, s:o, s:b, s:b, s:o, s:o, s:o, s:o}", "title",
                     fz_program_title(program), "info", pairs(program), "options",
                     settings(program), "players", players(program), "chance",
                     (int)program->uses_chance, "hidden", (int)fz_program_hides(program), "board",
                     board_of(program), "pieces", pieces(program), "counts", counts(program),
                     "state", sizes_json(program));
}
