/* Compares `attacked` with captures. The captures are those of a variant of the game in which a
 * turn is one move of a piece, without the filters of the game. The deep check calls this at every
 * position. */
#include "checks.h"

#include "interp/support/buffer.h"

#include <stdio.h>

enum { MAX_SITES = 1024 };

static const char variant[] =
    "variant \"Attacks\" of \"./%s\";\n"
    "var asked_attacked: sites;\n"
    "var asked_theirs: sites;\n"
    "override turn {\n"
    "  asked_theirs = theirs;\n"
    "  asked_attacked = {for s in theirs if attacked({s}, me)};\n"
    "  choose { piece_moves;  \"none\" => {} }\n"
    "}\n";

/* `attacked` sets a piece on the site that it asks about, and nothing else does. */
static bool asks(fz_context *context, const fz_program *program)
{
    char *text = NULL;
    bool found = fz_program_disassemble(context, program, &text) == FZ_OK &&
                 strstr(text, "PHANTOM");
    fz_text_free(context, text);
    return found;
}

static void compile(fzi_attack_check *attacks, const char *path, const fz_setting *settings,
                    size_t setting_count)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    fzi_buffer text = fzi_buffer_in(attacks->context->allocator), beside = text;
    fz_report *report = NULL;

    fzi_buffer_format(&text, variant, name);
    fzi_buffer_format(&beside, "%.*sattacks", (int)(name - path), path);
    if (text.failed || beside.failed ||
        fz_compile(attacks->context, beside.data, text.data, text.length, settings, setting_count,
                   &attacks->program, &report) != FZ_OK)
        attacks->program = NULL;
    fz_report_free(report);
    fzi_buffer_free(&text);
    fzi_buffer_free(&beside);
}

void fzi_attack_check_begin(fzi_attack_check *attacks, const fz_check *check, fz_machine *machine,
                            const fz_limits *limits, const fz_setting *settings,
                            size_t setting_count)
{
    *attacks = (fzi_attack_check){.context = check->context, .machine = machine};
    if (fz_program_sites(check->program) > MAX_SITES || !asks(check->context, check->program))
        return;
    compile(attacks, check->path, settings, setting_count);
    if (!attacks->program)
        return;
    attacks->attacked = fz_program_variable(attacks->program, "asked_attacked");
    attacks->theirs = fz_program_variable(attacks->program, "asked_theirs");
    attacks->lister = fz_machine_new(attacks->program, limits);
    if (attacks->lister) {
        attacks->state = fz_state_new(attacks->lister, 1, 0);
        attacks->moves = fz_moves_new(attacks->lister);
    }
}

/* Puts the position into the variant. */
static bool put_position(const fzi_attack_check *check, const fz_state *state)
{
    char *text = NULL;
    bool good = fz_state_write(check->machine, state, false, &text) == FZ_OK &&
                fz_state_read(check->lister, check->state, text) == FZ_OK;
    fz_text_free(check->context, text);
    return good && fz_state_waiting(check->state) == FZ_WAITING_MOVE &&
           fz_state_moves(check->lister, check->state, check->moves) == FZ_OK;
}

/* The sites with enemies to which a piece can move; by site the kind of one such piece, or -1. */
static void list_captures(const fzi_attack_check *check, int *kinds)
{
    for (int s = 0; s < fz_program_sites(check->program); s++)
        kinds[s] = -1;
    for (size_t i = 0; i < fz_moves_count(check->moves); i++) {
        fz_move move = fz_moves_at(check->moves, i);
        int from, to, kind, owner;
        fz_move_sites(check->lister, check->state, &move, &from, &to);
        if (from < 0 || to < 0 || from == to)
            continue;
        fz_state_piece(check->state, from, &kind, &owner);
        if (fz_state_variable_has(check->state, check->theirs, 0, to) && kinds[to] < 0)
            kinds[to] = kind;
    }
}

static bool say(fzi_attack_check *check, unsigned way, int site, int kind)
{
    const char *name = fz_program_site_name(check->program, site);
    const char *player = fz_program_player_name(check->program, fz_state_mover(check->state));
    if (check->said[way])
        return false;
    check->said[way] = true;
    if (way == 0)
        snprintf(check->note, sizeof check->note,
                 "attacked({%s}, %s) is true, but no piece of %s can capture there", name, player,
                 player);
    else
        snprintf(check->note, sizeof check->note,
                 "a %s of %s can capture on %s, but attacked({%s}, %s) is false",
                 kind < 0 ? "piece" : fz_program_kind_name(check->program, kind), player, name,
                 name, player);
    return true;
}

bool fzi_attack_check_compare(fzi_attack_check *check, const fz_state *state)
{
    int kinds[MAX_SITES];
    if (!check->state || !check->moves || !fz_state_at_turn_start(state) ||
        !put_position(check, state))
        return false;
    list_captures(check, kinds);
    for (int s = 0; s < fz_program_sites(check->program); s++) {
        bool attacked = fz_state_variable_has(check->state, check->attacked, 0, s);
        if (attacked != (kinds[s] >= 0) && say(check, !attacked, s, kinds[s]))
            return true;
    }
    return false;
}

void fzi_attack_check_end(fzi_attack_check *check)
{
    fz_moves_free(check->moves);
    fz_state_free(check->state);
    fz_machine_free(check->lister);
    if (check->program)
        fz_program_release(check->program);
}
