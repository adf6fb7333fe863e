/* Writes the differences between two blocks of a game as lines. See trace.h. */
#include "trace.h"

#include "interp/text/position.h"

void fzi_changed_pieces_write(const fz_program *p, const uint8_t *old, const uint8_t *now,
                              const char *indent, fzi_buffer *out)
{
    const char *between = indent;
    for (unsigned site = 0; p->kind_count && site < p->board.site_count; site++) {
        int kind, owner, old_kind, old_owner;
        fzi_piece_get(p, now, site, &kind, &owner);
        fzi_piece_get(p, old, site, &old_kind, &old_owner);
        size_t stack = p->layout.stacks + (size_t)site * p->stack_limit;
        if (kind == old_kind && owner == old_owner &&
            !memcmp(now + stack, old + stack, p->stack_limit))
            continue;
        fzi_buffer_format(out, "%s%s: ", between, fzi_text(p, p->board.site_names[site]));
        if (kind < 0)
            fzi_buffer_text(out, "empty");
        else if (fzi_stack_height(p, now, site) > 1)
            fzi_stack_write(p, now, site, out);
        else
            fzi_buffer_format(out, "%s of %s", fzi_text(p, p->kinds[kind].name),
                              fz_program_player_name(p, owner));
        between = ", ";
    }
    if (between != indent)
        fzi_buffer_char(out, '\n');
}

void fzi_changed_values_write(const fz_program *p, const uint8_t *old, const uint8_t *now,
                              const char *indent, fzi_buffer *out)
{
    const fzi_head *before = (const fzi_head *)(const void *)old;
    const fzi_head *after = (const fzi_head *)(const void *)now;
    for (uint32_t i = 0; i < p->variable_count; i++)
        if (!p->variables[i].hidden)
            fzi_variable_write(p, now, old, &p->variables[i], NULL, indent, out);
    if (after->turns == before->turns && after->next_mover != before->next_mover &&
        after->next_mover >= 0)
        fzi_buffer_format(out, "%snext: %s\n", indent,
                          fzi_text(p, p->players[after->next_mover].name));
    for (uint32_t i = 0; i < p->player_count; i++)
        if ((after->out & ~before->out) >> i & 1)
            fzi_buffer_format(out, "%sout: %s\n", indent, fzi_text(p, p->players[i].name));
}

void fzi_changes_write(const fz_program *p, const uint8_t *old, const uint8_t *now,
                       const char *indent, fzi_buffer *out)
{
    fzi_changed_pieces_write(p, old, now, indent, out);
    fzi_changed_values_write(p, old, now, indent, out);
}
