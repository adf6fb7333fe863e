/* The text before a game at the terminal: title, rules, seats, symbols. */
#include "terminal_game.h"

#include "interp/text/draw.h"

#include <ctype.h>

/* Two players' pieces differ by the case of their letters. */
static bool tells_by_case(const fz_program *program)
{
    for (uint32_t k = 0; k < program->kind_count && program->player_count == 2; k++) {
        const char *letter = fzi_text(program, program->kinds[k].letter);
        for (; *letter; letter++)
            if (isalpha((unsigned char)*letter))
                return true;
    }
    return false;
}

/* Prints a text in lines of whole words. */
static void print_paragraph(const char *text)
{
    size_t width = fzi_terminal_width(1), used = 0;

    for (text += strspn(text, " \n"); *text; text += strspn(text, " \n")) {
        size_t length = strcspn(text, " \n"), wide;
        char *word = fzi_cli_text("%.*s", (int)length, text);
        wide = fzi_text_width(word);
        if (used && used + wide + 1 >= width) {
            putchar('\n');
            used = 0;
        }
        printf("%s%s", used ? " " : "", word);
        used += wide + (used != 0);
        text += length;
        free(word);
    }
    if (used)
        putchar('\n');
}

/* "You play Blue and Green, against random players. " */
static void print_seats(const fzi_terminal_game *g, int others, FILE *out)
{
    const char *between = "You play ";

    for (int p = 0; others && p < fz_program_players(g->setup.program); p++) {
        if (!(g->seats >> p & 1))
            continue;
        fprintf(out, "%s%s", between, fz_program_player_name(g->setup.program, p));
        between = " and ";
    }
    if (others)
        fputs(fzi_terminal_has_agents(g)  ? ", against agents. "
              : others == 1 ? ", against a random player. "
                            : ", against random players. ", out);
}

static void show_seats(const fzi_terminal_game *g, int others)
{
    int players = fz_program_players(g->setup.program);
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);

    if (!out)
        return;
    if (others < players)
        print_seats(g, others, out);
    fputs(others == players ? "All players play at random." : "Type help for the list of commands.",
          out);
    if (fclose(out) == 0)
        print_paragraph(text);
    free(text);
}

/* Prints the `rules` of `info`. */
static void show_rules(const fz_program *program)
{
    const char *text = "";

    for (uint32_t i = 0; i < program->info_count; i++) {
        if (strcmp(fzi_text(program, program->info[i].key), "rules") == 0)
            text = fzi_text(program, program->info[i].value);
    }
    print_paragraph(text);
}

/* Shows two players' symbols, if all of some kind have them. False: some kinds have letters. */
static bool show_symbols(const fzi_terminal_game *g)
{
    const fz_program *program = g->setup.program;
    unsigned style = g->drawing;
    const char *shown[2] = {NULL, NULL};
    bool all = (style & FZ_DRAW_SYMBOLS) && program->player_count == 2;

    for (int k = 0; all && k < (int)program->kind_count; k++) {
        const char *first = fzi_piece_symbol(program, style & FZ_DRAW_COLOUR, k, 0);
        const char *second = fzi_piece_symbol(program, style & FZ_DRAW_COLOUR, k, 1);
        if (first && second && !shown[0] && strcmp(first, second) != 0) {
            shown[0] = first;
            shown[1] = second;
        }
        all = first && second;
    }
    if (shown[0])
        printf("%s is %s, %s is %s.\n", shown[0], fz_program_player_name(program, 0), shown[1],
               fz_program_player_name(program, 1));
    return all;
}

void fzi_terminal_greet(fzi_terminal_game *g)
{
    const fz_program *program = g->setup.program;
    int players = fz_program_players(program), others = 0;

    if (g->greeted)
        return;
    g->greeted = true;
    for (int p = 0; p < players; p++)
        others += !(g->seats >> p & 1);
    fputs(fz_program_title(program), stdout);
    if (fz_program_hides(program)) /* the seed is shown at the end */
        puts(".");
    else
        printf(", seed %llu.\n", (unsigned long long)g->seed);
    show_rules(program);
    show_seats(g, others);
    if (!show_symbols(g) && tells_by_case(program))
        printf("Capital letters are %s, small ones %s.\n", fz_program_player_name(program, 0),
               fz_program_player_name(program, 1));
}
