/* Writes the rules of a game as a page: the entry of this room. Each function writes one section;
 * sections without contents leave no heading. */
#include "rulebook.h"

#include <string.h>

#include "interp/board/board_data.h"
#include "prose.h"

static const fzi_node *declaration(const fzi_prose *p, int kind)
{
    for (const fzi_node *d = p->game->unit->decls; d; d = d->next)
        if (d->kind == kind)
            return d;
    return NULL;
}

/* Are the moves just those of the pieces, so that a text may leave them out? */
static bool moves_pieces(const fzi_node *option)
{
    const fzi_node *effect = option && !option->next && !option->quants ? option->effect : NULL;
    const fzi_symbol *symbol = effect && effect->kind == N_GENERATOR ? effect->symbol : NULL;
    if (!symbol)
        return false;
    if (symbol->kind == FZI_SYM_PRIMITIVE)
        return symbol->value == FZI_PIECE_MOVES;
    return symbol->kind == FZI_SYM_MOVES && symbol->node && fzi_is_library(symbol->node) &&
           moves_pieces(symbol->node->options);
}

/* Does the text say how to move, other than "who cannot move"? */
static bool tells_moves(const char *text)
{
    static const char cannot[] = "cannot";
    const size_t length = strlen(cannot);
    if (strncmp(text, "Move", 4) == 0)
        return true;
    for (const char *at = text; (at = strstr(at, " move")); at++)
        if ((size_t)(at - text) < length || strncmp(at - length, cannot, length) != 0)
            return true;
    return false;
}

/* Writes "Move a piece." before a text that says only further rules. */
static const char *with_moves(fzi_prose *p, const fzi_node *decl, const char *text)
{
    const fzi_node *first = decl->kind == N_D_TURN ? decl->body->stmts : NULL;
    if (!first || first->kind != N_S_CHOOSE || !moves_pieces(first->options) || tells_moves(text))
        return text;
    fzi_node choice = *first;
    choice.otherwise = NULL;
    return fzi_say(p, "%s %s", fzi_english_sentence(p, fzi_say_statement(p, &choice)), text);
}

/* The author's text of a phase, else sentences from its statements. */
static void write_phase(fzi_prose *p, fzi_node *decl)
{
    if (!decl)
        return;
    fzi_comment c = fzi_comment_of(p, decl);
    const char *text = fzi_said(p, &c);
    bool is_told = *text && !*c.cited;
    const fzi_block *before = p->page->last;
    p->pending.count = 0;
    if (is_told)
        fzi_write_base(p, decl, true);
    if (is_told)
        text = with_moves(p, decl, text);
    else
        fzi_write_statements(p, decl->body);
    if (!is_told || before == p->page->last || !fzi_page_says(p->page, text))
        fzi_page_text(p->page, fzi_english_sentence(p, text));
    if (is_told)
        fzi_write_base(p, decl, false);
    fzi_write_pending(p);
    fzi_write_used(p, decl, 0);
}

/* ---- title, players, board ---- */

/* The title that a file's header states. */
static const char *title_of(const fzi_prose *p, const char *path)
{
    size_t tail = strlen(path);
    for (size_t i = 1; i < p->analysis->sources->count; i++) {
        const fzi_source *s = fzi_source_at(p->analysis->sources, (uint32_t)i);
        size_t length = strlen(s->path);
        bool is_same = length >= tail && strcmp(s->path + length - tail, path) == 0;
        if (!is_same || (length > tail && s->path[length - tail - 1] != '/'))
            continue;
        const char *game = strstr(s->text, "game \""), *variant = strstr(s->text, "variant \"");
        const char *at = game && (!variant || game < variant) ? game : variant;
        const char *open = at ? strchr(at, '"') : NULL,
                   *close = open ? strchr(open + 1, '"') : NULL;
        if (close)
            return fzi_say(p, "%.*s", (int)(close - open) - 1, open + 1);
    }
    return path;
}

static const char *info(const fzi_prose *p, const char *key)
{
    const fzi_node *decl = declaration(p, N_D_INFO);
    for (const fzi_node *e = decl ? decl->entries : NULL; e; e = e->next)
        if (strcmp(e->name, key) == 0)
            return e->text;
    return NULL;
}

static void write_title(fzi_prose *p)
{
    fzi_texts bases = {.count = 0};
    fzi_page_add(p->page, FZI_BLOCK_TITLE, p->game->unit->title);
    for (const fzi_node *b = p->game->unit->file->base; b; b = b->next)
        fzi_texts_add(&bases, fzi_say(p, FZI_STRONG "%s" FZI_STRONG, title_of(p, b->text)));
    const char *aim = info(p, "rules");
    if (bases.count)
        fzi_page_text(p->page, fzi_say(p, "A variant of %s.", fzi_english_list(p, &bases, "and")));
    if (aim)
        fzi_page_text(p->page, fzi_english_sentence(p, aim));
}

/* Does the first of the players begin, as far as can be seen? */
static bool first_begins(const fzi_prose *p)
{
    const fzi_node *setup = p->game->setup;
    return !setup || !(fzi_tree_has(setup->body, N_S_NEXT) || setup->effects & FZI_CHANCE);
}

static const char *player_names(fzi_prose *p, int team)
{
    fzi_texts names = {.count = 0};
    for (unsigned i = 0; i < p->game->player_count; i++)
        if (team < 0 || p->game->players[i].team == team)
            fzi_texts_add(&names, fzi_say_symbol(p, p->game->players[i].symbol));
    return fzi_english_list(p, &names, "and");
}

static const char *sides(fzi_prose *p)
{
    const char *text = player_names(p, 0);
    for (unsigned t = 1; t < p->game->team_count; t++)
        text = fzi_say(p, "%s%s against %s", text, t == 1 ? " play" : "", player_names(p, (int)t));
    return fzi_say(p, " %s.", text);
}

static bool is_together(const fzi_node *node, const void *unused)
{
    (void)unused;
    return node->kind == N_S_TOGETHER;
}

static void write_players(fzi_prose *p)
{
    unsigned count = p->game->player_count;
    const fzi_node *decl = declaration(p, N_D_PLAYERS), *teams = declaration(p, N_D_TEAMS);
    fzi_comment c = decl ? fzi_comment_of(p, decl) : (fzi_comment){.prose = ""};
    const char *prose = fzi_said(p, &c), *order = "";
    fzi_page_add(p->page, FZI_BLOCK_HEADING, "Players");
    if (!*prose && count > 1 && p->game->turn &&
        !fzi_tree_any(p->game->turn->body, is_together, NULL))
        order = first_begins(p)
                    ? fzi_say(p, " They play in turn; %s.",
                              fzi_english_verb(p, fzi_say_symbol(p, p->game->players[0].symbol),
                                               "begins"))
                    : " They play in turn.";
    const char *text = fzi_say(
        p, "%s player%s: %s.%s%s", fzi_english_capital(p, fzi_english_number(p, count)),
        count == 1 ? "" : "s", player_names(p, -1), p->game->has_teams ? sides(p) : "", order);
    fzi_page_text(p->page, fzi_english_both(p, text, fzi_english_sentence(p, prose)));
    if (teams)
        fzi_page_text(p->page, fzi_comment_of(p, teams).prose);
}

static const char *count_of(fzi_prose *p, unsigned count, const char *noun)
{
    return fzi_say(p, "%u %s", count, count == 1 ? noun : fzi_english_plural(p, noun));
}

static const char *sorts(fzi_prose *p, const fzi_board *board)
{
    static const char *const nouns[] = {"cell", "edge", "vertex"};
    fzi_texts kinds = {.count = 0};
    for (int sort = 0; sort < FZ_SORT_COUNT; sort++) {
        unsigned count = 0;
        for (unsigned s = 0; s < board->site_count; s++)
            count += board->sorts[s] == sort;
        if (count)
            fzi_texts_add(&kinds, count_of(p, count, nouns[sort]));
    }
    return fzi_english_list(p, &kinds, "and");
}

static const char *board_words(fzi_prose *p, const fzi_board *b)
{
    const char *all = b->sorts ? sorts(p, b) : count_of(p, b->site_count, p->site);
    bool is_full = b->columns * b->rows == b->site_count;
    const char *words = "A board of";
    if (b->layers > 1)
        return fzi_say(p, "A board of %s in %u layers.", all, b->layers);
    switch (b->shape) {
    case FZ_SHAPE_NONE: return "The game needs no board.";
    case FZ_SHAPE_SQUARE:
        if (is_full && !b->sorts)
            return fzi_say(p, "A %s board of %u by %u %s.",
                           b->columns == b->rows ? "square" : "rectangular", b->columns, b->rows,
                           fzi_english_plural(p, p->site));
        break;
    case FZ_SHAPE_HEX:
    case FZ_SHAPE_HEX_UPRIGHT: words = "A hexagonal board of"; break;
    case FZ_SHAPE_HEX_RHOMBUS:
        if (is_full)
            return fzi_say(p, "A rhombus of %s, %u by %u.", all, b->columns, b->rows);
        break;
    case FZ_SHAPE_HEX_STAR: words = "A star of"; break;
    case FZ_SHAPE_TRIANGLE: words = "A triangular board of"; break;
    case FZ_SHAPE_CIRCLE: words = "A round board of"; break;
    case FZ_SHAPE_PITS: return fzi_say(p, "A board of %u rows of %u pits.", b->rows, b->columns);
    case FZ_SHAPE_TRACK: words = b->wraps & 1 ? "A ring of" : "A row of"; break;
    default: return fzi_say(p, "A board of %s joined by lines.", all);
    }
    return fzi_say(p, "%s %s.", words, all);
}

/* A track that is joined is a ring. */
static const char *joined_edges(const fzi_board *b)
{
    static const char *const words[] = {
        "", "The left edge joins the right edge.", "The top edge joins the bottom edge.",
        "The left edge joins the right edge, and the top edge joins the bottom edge."};
    return b->shape == FZ_SHAPE_TRACK || b->shape == FZ_SHAPE_CIRCLE ? "" : words[b->wraps & 3];
}

static void write_board(fzi_prose *p)
{
    const fzi_board *board = p->game->board;
    fzi_node *decl = (fzi_node *)declaration(p, N_D_BOARD);
    if (!board)
        return;
    fzi_page_add(p->page, FZI_BLOCK_HEADING, "Board");
    fzi_comment c = fzi_comment_of(p, decl);
    const char *prose = fzi_said(p, &c);
    fzi_tell_used(p, decl);
    const char *shape = strstr(prose, "board") ? "" : board_words(p, board);
    fzi_page_text(p->page, fzi_english_both(p, shape, fzi_english_sentence(p, prose)));
    if (!*prose)
        fzi_page_text(p->page, joined_edges(board));
    if (!p->game->stacks)
        return;
    int64_t high = 0;
    bool known = fzi_prose_constant(p, p->game->stacks->high, &high);
    prose = fzi_comment_of(p, p->game->stacks).prose;
    if (!*prose)
        prose = fzi_say(p, "%s pieces can stand on a %s, one on top of the other.",
                        known ? fzi_say(p, "Up to %s", fzi_english_number(p, high)) : "Several",
                        p->site);
    fzi_page_text(p->page, prose);
}

/* ---- pieces ---- */

/* A property that most pieces need not state, and that has no text, is for the script. */
static bool is_bookkeeping(const fzi_prose *p, const fzi_node *item)
{
    const fzi_symbol *property = fzi_game_find(p->game, item->name, 1);
    return property && property->node && !property->node->doc && property->node->value;
}

static const char *properties(fzi_prose *p, const fzi_piece *piece)
{
    const char *text = "";
    for (const fzi_node *item = piece->items; item; item = item->next)
        if (item->kind == N_I_PROPERTY && !is_bookkeeping(p, item))
            text = fzi_say(p, "%s %s: %s.", text,
                           fzi_english_capital(p, fzi_english_name(p, item->name)),
                           fzi_say_value(p, item->value));
    return text;
}

static const char *piece_text(fzi_prose *p, const fzi_piece *piece)
{
    fzi_comment c = fzi_comment_of(p, piece->symbol->node);
    const char *made = !*c.prose || *c.cited ? fzi_say_piece(p, piece) : "";
    if (*c.cited && *made)
        made = fzi_say(p, "%.*s (%s).", (int)strlen(made) - 1, made, c.cited);
    return fzi_english_both(p, made, fzi_said(p, &c));
}

/* Pieces that are declared together have one text. */
static bool shares_text(const fzi_prose *p, const fzi_piece *a, const fzi_piece *b)
{
    const fzi_span x = a->symbol->node->name_span, y = b->symbol->node->name_span;
    const fzi_source *source = fzi_source_at(p->analysis->sources, x.source);
    if (x.source != y.source || !source || x.end > y.start || y.start > source->length)
        return false;
    for (uint32_t i = x.end; i < y.start; i++)
        if (strchr(";{}", source->text[i]))
            return false;
    return true;
}

static const char *piece_name(fzi_prose *p, const fzi_piece *piece)
{
    const char *name = fzi_strong(p, piece->symbol->name);
    return *piece->letter ? fzi_say(p, "%s (%s)", name, piece->letter) : name;
}

static void write_capture(fzi_prose *p, const fzi_node *decl)
{
    fzi_comment c = fzi_comment_of(p, decl);
    const char *text = fzi_said(p, &c);
    p->pending.count = 0;
    if (!*text) {
        fzi_mean(p, p->game->capture_site, NULL, "the piece");
        text = fzi_say_statement(p, decl->body);
        text = *text ? fzi_say(p, "when a piece is captured, %s", text) : "";
    }
    fzi_page_text(p->page, fzi_english_sentence(p, text));
    fzi_write_pending(p);
}

/* Notes what the rules of several pieces use; pieces that are declared together count as one. */
static void note_shared(fzi_prose *p)
{
    const fzi_piece *pieces = p->game->pieces;
    fzi_decls before = p->used;
    for (unsigned i = 0; i < p->game->piece_count; i++) {
        if (i && !shares_text(p, &pieces[i - 1], &pieces[i]))
            before = p->used;
        for (const fzi_node *item = pieces[i].items; item; item = item->next)
            fzi_note_used(p, item, &before);
    }
}

static void write_pieces(fzi_prose *p)
{
    const fzi_game *g = p->game;
    note_shared(p);
    fzi_page_add(p->page, FZI_BLOCK_HEADING, "Pieces");
    for (unsigned i = 0; i < g->piece_count; i++) {
        const char *names = piece_name(p, &g->pieces[i]);
        p->pending.count = 0;
        const fzi_piece *piece = &g->pieces[i];
        for (; i + 1 < g->piece_count && shares_text(p, piece, &g->pieces[i + 1]); i++)
            names = fzi_say(p, "%s, %s", names, piece_name(p, &g->pieces[i + 1]));
        const char *text = piece_text(p, piece), *values = properties(p, piece);
        fzi_page_item(p->page, 0,
                      fzi_say(p, "%s%s%s%s", names, *text || *values ? ": " : "", text, values));
        for (const fzi_node *item = piece->items; item; item = item->next)
            fzi_write_used(p, item, 1);
    }
    if (g->piece_count && fzi_pieces_capture(p))
        fzi_page_text(p->page, "A piece captures an enemy piece by moving to where it stands.");
    if (g->on_capture)
        write_capture(p, g->on_capture);
    fzi_page_add(p->page, FZI_BLOCK_SUBHEADING, "Rules for several kinds");
    for (unsigned i = 0; i < g->piece_count; i++)
        for (const fzi_node *item = g->pieces[i].items; item; item = item->next)
            fzi_write_used(p, item, 0);
}

/* ---- set-up, turn, end ---- */

static void write_setup(fzi_prose *p, const char *drawing)
{
    fzi_node *setup = p->game->setup;
    fzi_page_add(p->page, FZI_BLOCK_HEADING, "Set-up");
    const fzi_block *before = p->page->last;
    write_phase(p, setup);
    if (before == p->page->last && drawing && setup)
        fzi_page_text(p->page, "The pieces stand as in the drawing.");
    if (!drawing)
        return;
    fzi_page_text(p->page, setup && setup->effects & FZI_CHANCE
                               ? "Chance has a part in it. It may look like this:"
                               : "The board at the beginning:");
    fzi_page_add(p->page, FZI_BLOCK_DRAWING, drawing);
}

static void write_turn(fzi_prose *p)
{
    fzi_page_add(p->page, FZI_BLOCK_HEADING, "The turn");
    write_phase(p, p->game->turn);
}

/* The payoff of the game; NULL: places count. */
static const fzi_symbol *payoff(const fzi_prose *p)
{
    const fzi_symbol *symbol = fzi_game_find(p->game, "payoff", 1);
    return symbol && symbol->node && !fzi_is_library(symbol->node) ? symbol : NULL;
}

static void write_end(fzi_prose *p)
{
    fzi_node *limit = p->game->limit;
    fzi_page_add(p->page, FZI_BLOCK_HEADING, "End of the game");
    write_phase(p, p->game->end);
    if (!limit)
        return;
    fzi_comment c = fzi_comment_of(p, limit);
    const char *text = fzi_said(p, &c);
    int64_t turns = 0;
    fzi_prose_constant(p, limit->turns, &turns);
    const char *stopped = strstr(text, " win") || (turns == 1 && payoff(p))
                              ? "" /* the text or the scores say it */
                          : limit->body->kind == N_S_DRAW
                              ? "; then it is a draw"
                              : fzi_say(p, "; then %s", fzi_say_statement(p, limit->body));
    stopped = fzi_say(p, "A game is stopped after %s turn%s%s.", fzi_say_value(p, limit->turns),
                      turns == 1 ? "" : "s", stopped);
    fzi_page_text(p->page, fzi_english_both(p, stopped, fzi_english_sentence(p, text)));
}

static void write_scores(fzi_prose *p)
{
    const fzi_symbol *gain = payoff(p);
    fzi_page_add(p->page, FZI_BLOCK_HEADING, "Scores");
    if (!gain)
        return;
    fzi_comment c = fzi_comment_of(p, gain->node);
    p->pending.count = 0;
    const char *text = fzi_said(p, &c);
    if (!*text && gain->node->value) {
        fzi_mean(p, gain->params[0], NULL, "the player");
        text = fzi_say(p, "each player gains %s", fzi_say_value(p, gain->node->value));
    }
    fzi_page_text(p->page, fzi_english_sentence(p, text));
    fzi_write_pending(p);
    fzi_write_used(p, gain->node, 0);
}

/* ---- chance and hidden information ---- */

static const char *said_faces(fzi_prose *p, const fzi_node *die)
{
    fzi_texts faces = {.count = 0};
    if (die->range)
        return fzi_say(p, "%s, all equally likely", fzi_say_value(p, die->range));
    bool is_weighted = false;
    for (const fzi_node *f = die->faces; f; f = f->next)
        is_weighted = is_weighted || f->number != 1;
    for (const fzi_node *f = die->faces; f; f = f->next) {
        const char *face = fzi_say_value(p, f->value);
        fzi_texts_add(&faces, is_weighted
                                  ? fzi_say(p, "%s (weight %lld)", face, (long long)f->number)
                                  : face);
    }
    return fzi_say(p, "%s%s", fzi_english_list(p, &faces, "or"),
                   is_weighted ? "" : ", all equally likely");
}

static void write_chance(fzi_prose *p)
{
    const fzi_game *g = p->game;
    bool in_setup = g->setup && g->setup->effects & FZI_CHANCE;
    bool in_turn = g->turn && g->turn->effects & FZI_CHANCE;
    fzi_page_add(p->page, FZI_BLOCK_HEADING, "Chance");
    if (in_setup || in_turn)
        fzi_page_text(p->page, in_setup && in_turn
                                   ? "Chance has a part in the set-up and in the turns."
                               : in_setup ? "Chance has a part in the set-up only."
                                          : "Chance has a part in the turns.");
    for (unsigned i = 0; i < g->die_count && (in_setup || in_turn); i++) {
        const fzi_symbol *die = g->dice[i];
        if (!die->used || !die->node)
            continue;
        const char *text =
            fzi_say(p, "%s: %s.", fzi_strong(p, die->name), said_faces(p, die->node));
        fzi_comment c = fzi_comment_of(p, die->node);
        const char *prose = fzi_page_says(p->page, fzi_said(p, &c)) ? "" : fzi_said(p, &c);
        fzi_page_item(p->page, 0, fzi_english_both(p, text, prose));
    }
}

static bool is_shown_label(const fzi_node *node, const void *unused)
{
    (void)unused;
    return node->kind == N_LABEL && node->shown;
}

/* Is there such a node in the game, other than in a library? */
static bool game_has(const fzi_prose *p, fzi_node_test *test)
{
    for (const fzi_node *d = p->game->unit->decls; d; d = d->next)
        if (!fzi_is_library(d) && fzi_below_any(d, test, NULL))
            return true;
    return false;
}

static void write_overridden(fzi_prose *p, const char *name, const char *words)
{
    const fzi_symbol *fn = fzi_game_find(p->game, name, 1);
    if (!fn || !fn->node || fzi_is_library(fn->node))
        return;
    fzi_comment c = fzi_comment_of(p, fn->node);
    if (*c.prose) {
        fzi_page_item(p->page, 0, fzi_said(p, &c));
    } else if (fn->node->value) {
        fzi_mean(p, fn->params[0], NULL, "a player");
        fzi_page_item(p->page, 0, fzi_say(p, "%s: %s.", words, fzi_say_value(p, fn->node->value)));
    }
}

static void write_hidden(fzi_prose *p)
{
    const fzi_game *g = p->game;
    fzi_page_add(p->page, FZI_BLOCK_HEADING, "Hidden information");
    for (unsigned i = 0; i < g->var_count; i++) {
        const fzi_node *decl = g->vars[i]->node;
        if (!(decl->flags & FZ_NODE_SECRET))
            continue;
        fzi_comment c = fzi_comment_of(p, decl);
        bool by_player = g->vars[i]->index_count && g->vars[i]->index[0]->kind == FZI_TYPE_PLAYER;
        fzi_page_item(p->page, 0,
                      fzi_say(p, "%s: %s", fzi_strong(p, decl->name),
                              *c.prose    ? c.prose
                              : by_player ? "each player sees only their own."
                                          : "nobody sees this."));
    }
    write_overridden(p, "unseen", "Hidden from a player, who sees only that there is something");
    write_overridden(p, "invisible", "Invisible to a player");
    if (game_has(p, is_together))
        fzi_page_item(p->page, 0,
                      "Decisions that are made at the same time stay secret until "
                      "all have been made.");
    if (game_has(p, is_shown_label))
        fzi_page_item(p->page, 0, "The other players are told of some moves only in part.");
}

/* ---- options and sources ---- */

static const char *values_of(fzi_prose *p, const fzi_option *option)
{
    const char *text = "";
    if (option->kind == FZ_OPTION_SWITCH)
        return "true or false";
    if (option->kind == FZ_OPTION_NUMBER)
        return fzi_say(p, "%lld to %lld", (long long)option->low, (long long)option->high);
    for (const fzi_node *v = option->node->values; v; v = v->next)
        text = fzi_say(p, "%s%s`%s`%s%s", text, *text ? "; " : "", v->name, v->text ? ": " : "",
                       v->text ? v->text : "");
    return text;
}

static void write_options(fzi_prose *p)
{
    const fzi_unit *unit = p->game->unit;
    if (!unit->option_count)
        return;
    fzi_page_add(p->page, FZI_BLOCK_HEADING, "Options");
    fzi_page_row(p->page, (const char *const[]){"Option", "Values", "Chosen", "Meaning"}, 4);
    for (size_t i = 0; i < unit->option_count; i++) {
        const fzi_option *o = &unit->options[i];
        const char *help = o->node->text ? fzi_english_sentence(p, o->node->text) : "";
        fzi_comment c = fzi_comment_of(p, o->node);
        const char *chosen = fzi_option_value(p, o, o->chosen);
        if (o->chosen != o->initial)
            chosen = fzi_say(p, "%s (default %s)", chosen, fzi_option_value(p, o, o->initial));
        fzi_page_row(p->page,
                     (const char *const[]){fzi_say(p, "`%s`", o->name), values_of(p, o), chosen,
                                           fzi_english_both(p, help, fzi_said(p, &c))},
                     4);
    }
}

/* A key of `info` as a bold label. Those that say how far to trust the script have words. */
static const char *label(fzi_prose *p, const char *key)
{
    static const char *const words[][2] = {{"agrees", "Agrees with"},
                                           {"omits", "Left out"},
                                           {"unverified", "Not verified"},
                                           {"own", "Our own"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(key, words[i][0]) == 0)
            return fzi_say(p, FZI_STRONG "%s" FZI_STRONG, words[i][1]);
    return fzi_strong(p, key);
}

static void write_sources(fzi_prose *p)
{
    const fzi_node *decl = declaration(p, N_D_INFO);
    fzi_page_add(p->page, FZI_BLOCK_HEADING, "Sources");
    for (const fzi_node *e = decl ? decl->entries : NULL; e; e = e->next)
        if (strcmp(e->name, "rules") != 0 && strcmp(e->name, "fen") != 0)
            fzi_page_item(
                p->page, 0,
                fzi_say(p, "%s: %s", label(p, e->name), fzi_english_sentence(p, e->text)));
}

/* ---- the page ---- */

static void tell(void *user, fzi_node *node)
{
    fzi_tell_text(user, node);
}

fzi_page *fzi_rulebook(const fzi_analysis *analysis, const char *drawing)
{
    fzi_prose prose = fzi_prose_of(analysis);
    prose.page = fzi_page_new(analysis->arena);
    for (fzi_node *d = prose.game->unit->decls; d; d = d->next)
        if (!fzi_is_library(d) && !(d->name && strchr(d->name, ' '))) { /* not what is replaced */
            fzi_tell_text(&prose, d);
            fzi_walk_below(d, tell, &prose);
        }
    write_title(&prose);
    write_players(&prose);
    write_board(&prose);
    write_pieces(&prose);
    write_setup(&prose, drawing);
    write_turn(&prose);
    write_chance(&prose);
    write_hidden(&prose);
    write_end(&prose);
    write_scores(&prose);
    write_options(&prose);
    write_sources(&prose);
    return prose.page;
}

/* ---- for editors ---- */

const char *fzi_in_english(const fzi_analysis *analysis, const fzi_node *expression)
{
    if (analysis->diags->errors || !analysis->game || !expression->type)
        return NULL;
    fzi_prose prose = fzi_prose_of(analysis);
    const char *text =
        expression->type->kind == FZI_TYPE_BOOL ? fzi_say_condition(&prose, expression)
        : expression->type->kind == FZI_TYPE_SET && expression->type->element->kind == FZI_TYPE_DIR
            ? fzi_say_ways(&prose, expression)
            : fzi_say_value(&prose, expression);
    if (!*text || strlen(text) > FZI_PROSE_LONGEST)
        return NULL;
    char *plain = fzi_arena_printf(analysis->arena, "%s", text), *end = plain;
    for (const char *at = text; *at; at++)
        if (!strchr(FZI_STRONG FZI_SLANTED, *at))
            *end++ = *at;
    *end = '\0';
    return plain;
}
