/* A ruleset of a .lud file as the text of a script: equipment, start, play and end. */
#include <ctype.h>
#include <stdlib.h>

#include "lud_writer.h"

/* ---- pieces ---- */

/* Is there an earlier piece of this kind? */
static bool is_again(const fzi_lud_writer *w, size_t number)
{
    for (size_t i = 0; i < number; i++)
        if (strcmp(w->pieces[i].kind, w->pieces[number].kind) == 0)
            return true;
    return false;
}

/* A capital letter of the kind's name that no other kind has, or any free one; 0: none. */
static char letter_of(const char *kind, char *used)
{
    for (const char *at = kind; *at; at++) {
        char c = (char)toupper((unsigned char)*at);
        if (isupper((unsigned char)c) && !used[c - 'A']) {
            used[c - 'A'] = 1;
            return c;
        }
    }
    for (char c = 'A'; c <= 'Z'; c++)
        if (!used[c - 'A']) {
            used[c - 'A'] = 1;
            return c;
        }
    return 0;
}

static void find_letters(fzi_lud_writer *w)
{
    char used[26] = {0};

    for (size_t i = 0; i < w->piece_count; i++)
        for (size_t n = 0; n <= i; n++)
            if (strcmp(w->pieces[n].kind, w->pieces[i].kind) == 0) {
                w->pieces[i].letter =
                    n < i ? w->pieces[n].letter : letter_of(w->pieces[i].kind, used);
                break;
            }
}

static bool add_piece(fzi_lud_writer *w, size_t number, fzi_growing *to)
{
    const fzi_lud_piece *piece = &w->pieces[number];
    fzi_growing body = {0};

    for (size_t i = number; i < w->piece_count; i++) {
        const fzi_lud_piece *p = &w->pieces[i];
        if (strcmp(p->kind, piece->kind) != 0 || !p->moves || !w->plays_pieces)
            continue;
        const char *condition = p->owner > 0 && (i > number || is_again(w, i) || w->players > 1)
                                    ? FZ_LUD_TEXT(w, "me == P%d", p->owner)
                                    : NULL;
        bool only = condition != NULL;
        for (size_t n = 0; n < w->piece_count && only; n++)
            only = n == i || strcmp(w->pieces[n].kind, piece->kind) != 0;
        w->item_kind = piece->kind;
        bool good = fzi_lud_items(w, p->moves, only ? NULL : condition, &body);
        w->item_kind = NULL;
        if (!good)
            return false;
    }
    fzi_grow_z(w->arena, to,
               piece->letter ? FZ_LUD_TEXT(w, "piece %s \"%c\"", piece->kind, piece->letter)
                             : FZ_LUD_TEXT(w, "piece %s", piece->kind));
    fzi_grow_z(w->arena, to, body.length ? FZ_LUD_TEXT(w, " {\n%s}\n", body.text) : ";\n");
    return true;
}

/* ---- end ---- */

/* The text with `from` as the name of a player replaced by `p`. */
static const char *of_player(fzi_lud_writer *w, const char *text, const char *from)
{
    fzi_growing g = {0};
    size_t length = strlen(from);

    for (; *text; text++)
        if (strncmp(text, from, length) == 0 && !isdigit((unsigned char)text[length])) {
            fzi_grow_z(w->arena, &g, "p");
            text += length - 1;
        } else
            fzi_grow(w->arena, &g, text, 1);
    return g.text ? g.text : "";
}

/* {(score P1 …) (score P2 …)} */
static const char *ranked(fzi_lud_writer *w, const fzi_lud *set)
{
    const char *all = NULL;

    if (set->count != (size_t)w->players)
        return fzi_lud_unsaid(w, set, "not translated yet");
    for (size_t i = set->count; i-- > 0;) {
        const fzi_lud *score = fzi_lud_plain(w, set->items[i]);
        if (!score)
            return NULL;
        const char *player = fzi_lud_is(score, "score") && score->count == 3
                                 ? fzi_lud_say(w, FZ_SAY_PLAYER, score->items[1])
                                 : NULL;
        if (!player || strcmp(player, FZ_LUD_TEXT(w, "P%zu", i + 1)) != 0)
            return fzi_lud_unsaid(w, score, "not translated yet");
        fzi_lud_names names = w->names;
        w->names.player = player;
        const char *value = fzi_lud_say(w, FZ_SAY_INT, score->items[2]);
        w->names = names;
        if (!value)
            return NULL;
        value = of_player(w, value, player);
        all = !all || strcmp(all, value) == 0
                  ? value
                  : FZ_LUD_TEXT(w, "if p == %s then %s else (%s)", player, value, all);
    }
    return FZ_LUD_TEXT(w, "rank p by %s;", all);
}

/* With more than two players, who wins or loses leaves the game, which goes on. */
static const char *leave(fzi_lud_writer *w, const char *player, bool wins)
{
    w->ranks = true;
    return FZ_LUD_TEXT(w, "%s(%s);", wins ? "finish" : "fail", player);
}

/* (result Mover Win), as the next player says it if `turned`. NULL: not said. */
static const char *result(fzi_lud_writer *w, const fzi_lud *written, bool turned)
{
    const fzi_lud *node = fzi_lud_plain(w, written);

    if (!node)
        return NULL;
    if (fzi_lud_is(node, "byScore") && node->count == 1) {
        w->uses_score = true;
        return "rank p by score[p];";
    }
    if (fzi_lud_is(node, "byScore") && node->count == 2 &&
        strcmp(fzi_lud_text(w->arena, node->items[1], 20), "misere:True") == 0) {
        w->uses_score = true;
        return "rank p by -score[p];";
    }
    if (fzi_lud_is(node, "byScore") && node->count == 2 && node->items[1]->kind == FZ_LUD_SET)
        return ranked(w, node->items[1]);
    if (!fzi_lud_is(node, "result") || node->count != 3)
        return fzi_lud_unsaid(w, node, "not translated yet");
    if (fzi_lud_is_word(node->items[2], "Draw") || fzi_lud_is_word(node->items[2], "Tie")) {
        w->ranks = w->ranks || w->players > 2;
        return w->ranks ? "rank_all();" : "draw;";
    }
    const char *player = fzi_lud_say(w, FZ_SAY_PLAYER, node->items[1]);
    if (!player || (turned && w->players > 2))
        return fzi_lud_unsaid(w, node, "not translated yet");
    if (turned && w->players == 1)
        player = "me";
    else if (turned && strcmp(player, "me") == 0)
        player = "foe";
    else if (turned && (strcmp(player, "foe") == 0 || strcmp(player, "upcoming") == 0))
        player = "me";
    bool wins = fzi_lud_is_word(node->items[2], "Win");
    if (!wins && !fzi_lud_is_word(node->items[2], "Loss"))
        return fzi_lud_unsaid(w, node, "not translated yet");
    if (w->players > 2 && w->repeats)
        return fzi_lud_unsaid(w, node,
                              "in Ludii, the player could still have to move again: "
                              "not translated yet");
    if (w->players > 2)
        return leave(w, player, wins);
    return FZ_LUD_TEXT(w, "%s %s;", wins ? "win" : "lose", player);
}

typedef struct endings {
    fzi_growing rules; /* of `end` */
    const char *stuck; /* what happens to who cannot move; NULL */
    bool is_last;      /* no further rule follows */
} endings;

static bool add_ending(fzi_lud_writer *w, const fzi_lud *written, endings *e);
static bool add_end(fzi_lud_writer *w, const fzi_lud *written, endings *e);

static bool is_stuck(const fzi_lud *test, const char *player)
{
    return fzi_lud_is(test, "no") && test->count == 3 && fzi_lud_is_word(test->items[1], "Moves") &&
           fzi_lud_is_word(test->items[2], player);
}

/* (if C (result …)), (if C {(if …) …} (result …)) */
static bool add_end_if(fzi_lud_writer *w, const fzi_lud *node, endings *e)
{
    const fzi_lud *test = node->count >= 3 ? fzi_lud_plain(w, node->items[1]) : NULL;

    if (!test || node->count > 4)
        return fzi_lud_refuse(w, node);
    const fzi_lud *then = fzi_lud_plain(w, node->items[2]);
    if (is_stuck(test, "Next") && node->count == 3 && !e->stuck && e->is_last && then &&
        then->kind != FZ_LUD_SET) {
        const char *text = result(w, node->items[2], true);
        bool scores = text && strncmp(text, "rank ", 5) == 0; /* `me` is who has moved there */
        if (!scores || !(strstr(text, " me") || strstr(text, "(me") || strstr(text, "mine")))
            e->stuck = text;
        if (!text || e->stuck)
            return text != NULL;
    }
    const char *condition = fzi_lud_say(w, FZ_SAY_BOOL, node->items[1]);
    if (!condition)
        return false;
    if (node->count == 3 && strncmp(condition, "false", 5) == 0 && !strstr(condition, " or "))
        return true; /* of players who always have a move */
    if (e->stuck)
        return fzi_lud_unsaid(w, node, "a rule after that of a player without moves") != NULL;
    if (node->count == 3 && then && then->kind != FZ_LUD_SET && !fzi_lud_is(then, "if")) {
        const char *text = result(w, then, false);
        if (text)
            fzi_grow_z(w->arena, &e->rules, FZ_LUD_TEXT(w, "if %s %s\n", condition, text));
        return text != NULL;
    }
    fzi_grow_z(w->arena, &e->rules, FZ_LUD_TEXT(w, "if %s {\n", condition));
    e->is_last = false;
    for (size_t i = 2; i < node->count; i++)
        if (!add_end(w, node->items[i], e))
            return false;
    fzi_grow_z(w->arena, &e->rules, "}\n");
    return true;
}

/* (forEach Player if:C (result Player Loss)) */
static bool add_end_each(fzi_lud_writer *w, const fzi_lud *node, endings *e)
{
    const fzi_lud *test = fzi_lud_labelled(node, "if");
    fzi_lud_names names = w->names;

    bool others = node->count > 1 && fzi_lud_is_word(node->items[1], "NonMover");
    bool many = w->players > 2;
    if (node->count != 4 || !test || (!others && !fzi_lud_is_word(node->items[1], "Player")) ||
        !fzi_lud_is(node->items[3], "result") ||
        !fzi_lud_is_word(node->items[3]->items[1], "Player"))
        return fzi_lud_refuse(w, node);
    w->names.player = others && !many ? "foe" : "p";
    const char *condition = fzi_lud_say(w, FZ_SAY_BOOL, test);
    w->names = names;
    if (!condition || node->items[3]->count != 3)
        return false;
    bool loss = fzi_lud_is_word(node->items[3]->items[2], "Loss");
    if (!loss && !fzi_lud_is_word(node->items[3]->items[2], "Win"))
        return fzi_lud_refuse(w, node);
    if (many)
        fzi_grow_z(w->arena, &e->rules,
                   FZ_LUD_TEXT(w, "for p in player if %snot is_out(p) and %s %s\n",
                               others ? "p != me and " : "", fzi_lud_term(w, condition),
                               leave(w, "p", !loss)));
    else
        fzi_grow_z(w->arena, &e->rules,
                   FZ_LUD_TEXT(w, "%sif %s %s %s;\n", others ? "" : "for p in player ", condition,
                               loss ? "lose" : "win", others ? "foe" : "p"));
    return true;
}

static bool add_end(fzi_lud_writer *w, const fzi_lud *written, endings *e)
{
    return add_ending(w, written, e) || fzi_lud_go_on(w);
}

static bool add_ending(fzi_lud_writer *w, const fzi_lud *written, endings *e)
{
    const fzi_lud *node = fzi_lud_plain(w, written);

    if (!node)
        return false;
    if (node->kind == FZ_LUD_SET) {
        bool last = e->is_last;
        for (size_t i = 0; i < node->count; i++) {
            e->is_last = last && i + 1 == node->count;
            if (!add_end(w, node->items[i], e))
                return false;
        }
        return true;
    }
    if (fzi_lud_is(node, "if"))
        return add_end_if(w, node, e);
    if (fzi_lud_is(node, "forEach"))
        return add_end_each(w, node, e);
    const char *text = result(w, node, false);
    if (text)
        fzi_grow_z(w->arena, &e->rules, FZ_LUD_TEXT(w, "%s\n", text));
    return text != NULL;
}

/* ---- the whole ---- */

typedef struct rules {
    const fzi_lud *start, *play, *end;
} rules;

/* (meta (swap)), (meta {(swap) (no Repeat)}) */
static bool read_meta(fzi_lud_writer *w, const fzi_lud *node, size_t first)
{
    const struct {
        const char *rule;
        bool *flag;
    } known[] = {{"(passEnd NoEnd)", &w->goes_on},
                 {"(swap)", &w->swaps},
                 {"(no Repeat)", &w->no_repeat},
                 {"(no Repeat Positional)", &w->no_repeat}};

    for (size_t i = first; i < node->count; i++) {
        const fzi_lud *item = node->items[i];
        const char *text = fzi_lud_text(w->arena, item, 40);
        size_t n = 0;
        while (n < sizeof known / sizeof *known && strcmp(known[n].rule, text) != 0)
            n++;
        if (n < sizeof known / sizeof *known)
            *known[n].flag = true;
        else if (item->kind != FZ_LUD_SET || !read_meta(w, item, 0))
            return false;
    }
    return true;
}

static bool read_rules(fzi_lud_writer *w, const fzi_lud *node, size_t first, rules *r)
{
    for (size_t i = first; i < node->count; i++) {
        const fzi_lud *item = fzi_lud_plain(w, node->items[i]);
        if (!item)
            return false;
        if (fzi_lud_is(item, "meta") && read_meta(w, item, 1))
            continue;
        const fzi_lud **place = fzi_lud_is(item, "start")  ? &r->start
                                : fzi_lud_is(item, "play") ? &r->play
                                : fzi_lud_is(item, "end")  ? &r->end
                                                           : NULL;
        bool phases = fzi_lud_has_label(item, "phases") && !w->phase_count;
        if (phases) {
            if (!fzi_lud_read_phases(w, item))
                return false;
        } else if (item->label) {
            if (!fzi_lud_refuse(w, item) && !fzi_lud_go_on(w))
                return false;
        } else if (item->kind == FZ_LUD_SET) {
            if (!read_rules(w, item, 0, r))
                return false;
        } else if (place && !*place)
            *place = item;
        else if (!fzi_lud_refuse(w, item) && !fzi_lud_go_on(w))
            return false;
    }
    return true;
}

typedef struct script {
    fzi_growing pieces, setup, turn, next;
    endings end;
    const char *draws; /* of pass_draws */
} script;

/* The phases in which a draw follows when all have passed, since Ludii looks for passes where it
 * looks for an end: "" for all, NULL for none. With dice, passes end no game. */
static const char *pass_draws(fzi_lud_writer *w, const rules *r)
{
    fzi_growing phases = {0};
    size_t count = 0;

    bool never = w->dice.count || w->asks_passes || w->goes_on;
    if (never || r->end)
        return never ? NULL : "";
    for (size_t i = 0; i < w->phase_count; i++)
        if (w->phases[i].end)
            fzi_grow_z(w->arena, &phases,
                       FZ_LUD_TEXT(w, "%s%s", count++ ? ", " : "", w->phases[i].kind));
    return count == 0 ? NULL : count == w->phase_count ? "" : phases.text;
}

/* The choice among the moves of a generator of its own, whose name is `legal`. */
static bool say_legal(fzi_lud_writer *w, const rules *r, script *s)
{
    fzi_growing options = {0};

    if (w->dice.count)
        return fzi_lud_unsaid(w, r->play, "whether there are moves before a throw") != NULL;
    if (!(w->phase_count ? fzi_lud_phased_options(w, &options)
                         : fzi_lud_options(w, r->play->items[1], "", &options)))
        return false;
    if (w->swaps) {
        w->uses_prev = w->uses_prev || w->repeats;
        fzi_grow_z(w->arena, &options,
                   FZ_LUD_TEXT(w, "if turns == 2%s \"swap\" => %c\n",
                               w->repeats ? " and prev != me" : "", FZ_LUD_EXCHANGE));
    }
    const char *filter = !w->no_repeat ? ""
                         : w->counts_passes
                             ? " ensuring board_repetitions == 0 or passed_at == turns;"
                             : " ensuring board_repetitions == 0;";
    w->uses_passing = w->uses_passing || (w->no_repeat && w->counts_passes);
    fzi_grow_z(w->arena, &w->lists,
               FZ_LUD_TEXT(w, "moves legal {\n%s}%s\n", options.text ? options.text : "", filter));
    s->turn = (fzi_growing){0};
    fzi_grow_z(w->arena, &s->turn, fzi_lud_legal_choice(w, s->end.stuck));
    return true;
}

static bool say_rules(fzi_lud_writer *w, const rules *r, script *s)
{
    if (w->phase_count ? r->play != NULL : !r->play || r->play->count != 2)
        return fzi_lud_refuse(w, r->play ? r->play : w->file->game);
    find_letters(w);
    if (r->start && !fzi_lud_add_start(w, r->start, &s->setup))
        return false;
    if (!fzi_lud_begin_phases(w, &s->setup))
        return false;
    bool ended = r->end != NULL;
    w->takes_off = fzi_lud_uses(w, "move", "Remove");
    w->chains = fzi_lud_uses(w, "max", "Moves");
    w->uses_legal = w->chains || w->swaps || w->no_repeat;
    w->repeats =
        (fzi_lud_uses(w, "moveAgain", NULL) && !w->chains) || fzi_lud_uses(w, "set", "NextPlayer");
    for (size_t i = 0; i < w->phase_count; i++)
        ended = ended || w->phases[i].end;
    w->counts_passes = (ended && !w->dice.count) || fzi_lud_uses(w, "all", "Passed");
    const fzi_lud *play = r->play ? fzi_lud_plain(w, r->play->items[1]) : NULL;
    w->always_moves = w->dice.count && play && fzi_lud_is(play, "do") &&
                      fzi_lud_labelled(play, "next") && !fzi_lud_labelled(play, "ifAfterwards");
    w->names.played = true;
    w->at_end = w->repeats;
    w->in_end = true;
    for (size_t i = 0; i < w->phase_count; i++) {
        const fzi_lud *end = w->phases[i].end;
        if (!end)
            continue;
        fzi_grow_z(w->arena, &s->end.rules,
                   FZ_LUD_TEXT(w, "if %s == %s {\n", w->phase, w->phases[i].kind));
        for (size_t n = 1; n < end->count; n++)
            if (!add_end(w, end->items[n], &s->end))
                return false;
        fzi_grow_z(w->arena, &s->end.rules, "}\n");
    }
    for (size_t i = 1; r->end && i < r->end->count; i++) {
        s->end.is_last = i + 1 == r->end->count;
        if (!add_end(w, r->end->items[i], &s->end))
            return false;
    }
    s->draws = pass_draws(w, r);
    const char *ends = s->end.rules.text ? s->end.rules.text : "";
    bool others = strstr(ends, "stuck(P") || strstr(ends, "stuck(foe") ||
                  strstr(ends, " and stuck(") || strstr(ends, "can(");
    if (s->draws && !*s->draws && (w->ranks || (!s->end.stuck && others))) {
        /* this rule comes last */
        fzi_grow_z(w->arena, &s->end.rules,
                   FZ_LUD_TEXT(w, "if all_passed %s\n", w->ranks ? "rank_all();" : "draw;"));
        s->draws = NULL;
    }
    if (!fzi_lud_next_phases(w, &s->next) && !fzi_lud_go_on(w))
        return false;
    w->at_end = w->in_end = false;
    w->names = (fzi_lud_names){0};
    if (w->uses_legal
            ? !say_legal(w, r, s)
            : !(w->phase_count ? fzi_lud_phased_choice(w, s->end.stuck, &s->turn)
                               : fzi_lud_choice(w, r->play->items[1], "", s->end.stuck, &s->turn)))
        return false;
    bool legal = s->turn.text && strncmp(s->turn.text, "choose legal ", 13) == 0;
    for (size_t i = 0; i < w->piece_count; i++)
        if (!w->sow.on && !is_again(w, i) && !add_piece(w, i, &s->pieces) && !fzi_lud_go_on(w))
            return false;
    if (!legal && w->uses_legal && !say_legal(w, r, s)) /* an effect asks for all moves */
        return false;
    const fzi_growing *const rest[] = {&s->end.rules, &w->lists, &s->pieces, &w->declared};
    bool plain = (!s->draws || !*s->draws) && !(s->setup.text && strstr(s->setup.text, "hand["));
    if (plain)
        fzi_lud_phases_by_hand(w, &s->turn, &s->next, rest, sizeof rest / sizeof *rest);
    fzi_growing *const texts[] = {&s->end.rules, &s->next, &s->turn, &w->lists, &s->pieces};
    return !w->swaps || fzi_lud_exchange(w, texts, sizeof texts / sizeof *texts) ||
           fzi_lud_unsaid(w, r->play, "a swap of players who are not alike") != NULL;
}

static bool uses_facing(const fzi_lud_writer *w, const script *s)
{
    const fzi_growing *all[] = {&s->pieces, &s->turn, &s->setup, &w->lists};
    static const char *const words[] = {"forward", "backward", "left", "right"};

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (size_t n = 0; all[i]->text && n < sizeof words / sizeof *words; n++)
            if (fzi_lud_mentions(w, all[i]->text, words[n]))
                return true;
    return false;
}

static void add_players(fzi_lud_writer *w, bool facing, fzi_growing *to)
{
    static const char *const preset[] = {"n", "s"};

    fzi_grow_z(w->arena, to, "players ");
    for (int p = 0; p < w->players; p++) {
        const char *faces = w->facing[p] ? w->facing[p] : "n";
        fzi_grow_z(w->arena, to, FZ_LUD_TEXT(w, "%sP%d", p ? ", " : "", p + 1));
        if (facing && !w->board.hexagons && !w->sow.on &&
            (w->players != 2 || strcmp(faces, preset[p]) != 0))
            fzi_grow_z(w->arena, to, FZ_LUD_TEXT(w, " facing %s", faces));
    }
    fzi_grow_z(w->arena, to, ";\n");
}

/* Do the rules have this word? */
static bool says(const fzi_lud_writer *w, const script *s, const char *word)
{
    const char *const texts[] = {s->pieces.text, s->turn.text,      w->lists.text,
                                 s->next.text,   s->end.rules.text, w->declared.text};
    bool found = false;

    for (size_t i = 0; i < sizeof texts / sizeof *texts && !found; i++)
        found = texts[i] && fzi_lud_mentions(w, texts[i], word);
    return found;
}

static void add_values(fzi_lud_writer *w, const script *s, fzi_growing *to)
{
    fzi_lud_declare_phases(w, to);
    fzi_lud_declare_dice(w, to);
    if (w->uses_mark) {
        fzi_grow_z(w->arena, to, "let mark[p: player]: kind = {");
        for (int p = 1; p <= w->players; p++) {
            const char *kind = w->held_kinds[p - 1];
            for (size_t i = 0; i < w->piece_count && !kind; i++)
                if (w->pieces[i].owner == p)
                    kind = w->pieces[i].kind;
            fzi_grow_z(w->arena, to,
                       FZ_LUD_TEXT(w, "%sP%d: %s", p > 1 ? ", " : "", p, kind ? kind : "none"));
        }
        fzi_grow_z(w->arena, to, "};\n");
    }
    if (w->uses_turns)
        fzi_grow_z(w->arena, to,
                   "/// Several moves of a player are one turn.\nvar n_turns: int;\n");
    if (w->uses_visited)
        fzi_grow_z(w->arena, to,
                   "/// Where the player has been in this turn.\nvar visited: sites;\n");
    if (w->uses_moves_in_turn)
        fzi_grow_z(w->arena, to,
                   "/// How many moves the player has made before in this turn.\nvar "
                   "moves_in_turn: int;\n");
    if ((w->uses_prev || w->uses_turns || w->uses_moves_in_turn) && !w->uses_passing)
        fzi_grow_z(w->arena, to, "/// Who made the move before.\nvar prev: player;\n");
    if (w->uses_passing && s->draws && *s->draws)
        fzi_grow_z(w->arena, to,
                   FZ_LUD_TEXT(w,
                               "extend proc note_pass() { if all_passed and %s in {%s} draw; }\n",
                               w->phase, s->draws));
    if (w->uses_stuck && w->repeats)
        fzi_grow_z(w->arena, to, "override fn stuck(p: player): bool = stuck_at[p] > 0;\n");
    if (w->uses_score)
        fzi_grow_z(w->arena, to, "var score[player]: int;\n");
    if (w->declared.text)
        fzi_grow_z(w->arena, to, w->declared.text);
    if (w->chains)
        fzi_grow_z(w->arena, to,
                   "/// How many moves the player has made before in this turn.\nvar hops: int;\n"
                   "proc go_on() {\nhops += 1;\nchoose legal otherwise {}\n}\n");
    if (w->sow.on)
        fzi_grow_z(w->arena, to,
                   FZ_LUD_TEXT(w, "var seeds[site]: int%s;\n",
                               w->held_number ? FZ_LUD_TEXT(w, " = %s", w->held_number) : ""));
    if (w->sow.stores && w->sow.uses_opposite) /* by number: the store in the east has a pit, too */
        fzi_grow_z(w->arena, to,
                   "fn opposite_of(s: site): site = if s == east then a2 else if s == west then "
                   "off else opposite(s);\n");
    if (w->sow.uses_reached)
        fzi_grow_z(w->arena, to, "/// Where the latest seeds came.\nvar reached: site;\n");
    if (w->sow.uses_state)
        fzi_grow_z(w->arena, to, "carried var state[site]: int;\n");
    if (w->levels)
        fzi_grow_z(w->arena, to, fzi_lud_levels(w, says(w, s, "carry"), says(w, s, "drop")));
    if (w->uses_worth)
        fzi_grow_z(w->arena, to, "carried var worth[site]: int;\n");
    if (w->sow.uses_pending)
        fzi_grow_z(w->arena, to,
                   w->sow.pending_set
                       ? "/// Sites that the latest move has left for the next one.\n"
                         "var pending: sites;\nvar new_pending: sites;\n"
                       : "/// A site that the latest move has left for the next one.\n"
                         "var pending: site;\nvar new_pending: site;\n");
    if (w->uses_to_clear)
        fzi_grow_z(w->arena, to,
                   "/// Pieces that are removed at the end of the turn.\nvar to_clear: sites;\n");
}

/* The text with words in place of what stands for them: see lud_writer.h. */
static const char *finished(fzi_lud_writer *w, const char *text)
{
    bool asks = strstr(text, "last_from");
    const char *const words[] = {[FZ_LUD_THEN] = " ",
                                 [FZ_LUD_ORIGIN] = asks ? "from" : "to",
                                 [FZ_LUD_TARGET] = asks ? " let to = from" : "",
                                 [FZ_LUD_LABEL] = asks ? " \"{to}\"" : "",
                                 [FZ_LUD_EXCHANGE] = w->exchange};
    fzi_growing g = {0};

    while (*text) {
        size_t length = strcspn(text, "\1\2\3\6\7");
        fzi_grow(w->arena, &g, text, length);
        text += length;
        if (*text)
            fzi_grow_z(w->arena, &g, words[(int)*text++]);
    }
    return g.text;
}

static void add_modules(fzi_lud_writer *w, const script *s, fzi_growing *to)
{
    const struct {
        const char *name;
        bool used;
    } modules[] = {{"lines", w->uses_lines},
                   {s->draws && !*s->draws ? "passing" : "passes", w->uses_passing},
                   {"draughts", w->uses_leaps},
                   {"race", w->uses_race},
                   {"connection", w->uses_connection},
                   {"custodial", w->uses_custodial},
                   {"mating", w->uses_mating},
                   {"groups", w->uses_groups},
                   {"squares", w->uses_squares && !w->uses_leaps},
                   {"placing", w->uses_hand && !w->sow.on},
                   {"standings", w->ranks}};

    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++)
        if (modules[i].used)
            fzi_grow_z(w->arena, to, FZ_LUD_TEXT(w, "use %s;\n", modules[i].name));
}

static const char *whole(fzi_lud_writer *w, const fzi_lud_ruleset *ruleset, script *s)
{
    fzi_growing to = {0};
    fzi_arena *a = w->arena;

    fzi_grow_z(a, &to, FZ_LUD_TEXT(w, "game \"%s\";\n", fzi_import_plain(a, w->file->name)));
    fzi_grow_z(a, &to,
               FZ_LUD_TEXT(w, "\ninfo {\nsource \"%s%s%s\";\n}\n\n",
                           fzi_import_plain(a, fzi_import_file_name(w->file->path)),
                           *ruleset->name ? ", " : "", fzi_import_plain(a, ruleset->name)));
    add_modules(w, s, &to);
    if (w->sow.on) {
        fzi_grow_z(a, &to, "use mancala;\n");
        w->board.text = fzi_lud_pits_text(w);
    }
    const char *board =
        FZ_LUD_TEXT(w, "%s%s", w->board.text, w->board.on_vertices ? " on vertices" : "");
    const char *module = fzi_lud_board_module(board);
    if (module)
        fzi_grow_z(a, &to, FZ_LUD_TEXT(w, "use %s;\n", module));
    fzi_grow_z(a, &to, "\n");
    add_players(w, uses_facing(w, s), &to);
    if (!module)
        fzi_grow_z(a, &to, FZ_LUD_TEXT(w, "board %s;\n", board));
    if (w->stacks)
        fzi_grow_z(a, &to, "stacks up to 60;\n");
    if (s->pieces.text)
        fzi_grow_z(a, &to, FZ_LUD_TEXT(w, "\n%s\n", s->pieces.text));
    if (!fzi_lud_declare_regions(w, &to))
        return NULL;
    add_values(w, s, &to);
    if (!fzi_lud_declare_stored(w, &to))
        return NULL;
    const char *held = w->uses_hand && !w->sow.on && w->held_number
                           ? FZ_LUD_TEXT(w, "hand = %s;\n", w->held_number)
                           : "";
    const char *setup = s->setup.text ? s->setup.text : "";
    if (*held || setup[strspn(setup, " \n")])
        fzi_grow_z(a, &to, FZ_LUD_TEXT(w, "\nsetup {\n%s%s}\n", held, setup));
    if (w->lists.text)
        fzi_grow_z(a, &to, FZ_LUD_TEXT(w, "\n%s", w->lists.text));
    bool notes_prev =
        w->uses_prev || w->uses_turns || w->uses_moves_in_turn || (w->uses_passing && w->repeats);
    bool asked = (s->end.rules.text && fzi_lud_mentions(w, s->end.rules.text, "prev ")) ||
                 (s->next.text && fzi_lud_mentions(w, s->next.text, "prev "));
    fzi_grow_z(
        a, &to,
        FZ_LUD_TEXT(
            w, "\nturn {\n%s%s%s%s\n%s%s%s%s%s}\n",
            w->uses_stuck && w->repeats ? "stuck_at[me] = 0;\n" : "",
            w->uses_moves_in_turn ? "moves_in_turn = if prev == me then moves_in_turn + 1 else 0;\n"
                                  : "",
            w->uses_turns ? "if prev != me n_turns += 1;\n" : "", s->turn.text,
            w->chains ? "hops = 0;\n" : "",
            !w->sow.uses_pending ? ""
            : w->sow.pending_set ? "pending = new_pending;\nnew_pending = {};\n"
                                 : "pending = new_pending;\nnew_pending = off;\n",
            w->uses_visited
                ? "visited = if upcoming == me then visited | last_from | last_to else {};\n"
                : "",
            notes_prev && !asked ? "prev = me;\n" : "",
            w->uses_to_clear ? "if upcoming != me {\nremove to_clear;\nto_clear = {};\n}\n" : ""));
    fzi_grow_z(a, &s->end.rules, s->next.text ? s->next.text : "");
    if (notes_prev && asked) /* the rules of the end mean who has moved before */
        fzi_grow_z(a, &s->end.rules, "prev = me;\n");
    if (w->uses_counter)
        fzi_grow_z(a, &s->end.rules, "counter += 1;\n");
    if (s->end.rules.text && *s->end.rules.text)
        fzi_grow_z(a, &to, FZ_LUD_TEXT(w, "\nend {\n%s}\n", s->end.rules.text));
    if (!w->uses_passing)
        fzi_grow_z(a, &to, "\nlimit 1000 turns draw;\n");
    return finished(w, fzi_lud_unshared(w, to.text));
}

/* (game "Name" (players …) (equipment …) (rules …)), in which any part may be a definition. */
static bool read_game(fzi_lud_writer *w, const fzi_lud *game, size_t first, rules *r,
                      bool *equipped)
{
    for (size_t i = first; i < game->count; i++) {
        const fzi_lud *item = game->items[i];
        if (fzi_lud_definition(w->file, item)) {
            const fzi_lud *body = fzi_lud_expand_once(&w->expansion, item);
            if (!body || ++w->depth > 50 || !read_game(w, body, 0, r, equipped))
                return fzi_lud_refuse(w, item);
            continue;
        }
        bool good = true;
        if (fzi_lud_is(item, "players"))
            good = fzi_lud_read_players(w, item);
        else if (fzi_lud_is(item, "equipment") && item->count == 2)
            good = *equipped = item->items[1]->kind == FZ_LUD_SET
                                   ? fzi_lud_read_equipment(w, item->items[1])
                                   : fzi_lud_refuse(w, item);
        else if (fzi_lud_is(item, "rules"))
            good = read_rules(w, item, 1, r);
        else
            good = fzi_lud_refuse(w, item);
        if (!good && !fzi_lud_go_on(w))
            return false;
    }
    w->depth = 0;
    return true;
}

static const char *(*const others[])(fzi_lud_writer *w, enum fzi_lud_type type,
                                     const fzi_lud *node) = {
    fzi_lud_effects, fzi_lud_capture,   fzi_lud_on_track,   fzi_lud_die, fzi_lud_state,
    fzi_lud_test,    fzi_lud_say_seeds, fzi_lud_say_values, NULL};

const char *fzi_lud_script(fzi_arena *arena, const fzi_lud_file *file,
                           const fzi_lud_ruleset *ruleset, bool partial,
                           fzi_import_refused *refused)
{
    fzi_lud_fault fault;
    fzi_lud_file *chosen = fzi_lud_choose(file, ruleset, arena, &fault);
    fzi_lud_writer *w = FZI_NEW(arena, fzi_lud_writer);
    rules r = {0};
    script s = {0};
    bool equipped = false;
    const char *text = NULL;
    size_t before = refused->count;

    if (!chosen) {
        fzi_import_refuse(arena, refused, fault.line, file->name, fault.why);
        return NULL;
    }
    w->arena = arena;
    w->file = chosen;
    w->expansion = (fzi_lud_expansion){.file = chosen, .arena = arena};
    w->list = fzi_lud_list;
    w->list_from = fzi_lud_list_from;
    w->partial = partial;
    w->refused = refused;
    w->others = others;
    fzi_lud_read_forms(w);
    fzi_lud_find_stored(w);
    if (read_game(w, chosen->game, 2, &r, &equipped) &&
        (equipped || fzi_lud_refuse(w, chosen->game)) && w->board.text) {
        bool counted = w->players > 0;
        w->players = counted ? w->players : 2; /* the rules are read for what they lack, too */
        fzi_lud_add_hand_sites(w);
        fzi_lud_find_own_rows(w);
        if (say_rules(w, &r, &s) && counted)
            text = whole(w, ruleset, &s);
    }
    if (text)
        return FZ_LUD_TEXT(w, "%s%s", text, fzi_import_refused_text(arena, refused));
    const fzi_lud *node = w->unsaid ? w->unsaid : chosen->game;
    if (!w->unsaid && refused->count > before)
        return NULL;
    fzi_import_refuse(arena, refused, node->line, fzi_lud_text(arena, node, 120),
                      w->unsaid_why ? w->unsaid_why : "not translated yet");
    return NULL;
}
