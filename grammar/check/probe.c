/* Notes what is expected at the place that a tool asks about (fzi_probe in check.h). */
#include "checker.h"

static void keep_locals(const fzi_checker *c, fzi_probe *probe)
{
    probe->local_count = c->locals.count;
    probe->locals = fzi_arena_alloc(c->arena, (c->locals.count + 1) * sizeof *probe->locals);
    for (size_t i = 0; i < c->locals.count; i++)
        probe->locals[i] = c->locals.items[i];
}

void fzi_probe_note(fzi_checker *c, fzi_span span, enum fzi_probe_kind wanted, const fzi_type *type)
{
    fzi_probe *probe = c->load->probe;
    if (!probe || span.source != probe->source || span.start != probe->offset ||
        (probe->wanted != FZI_WANTS_NOTHING && (probe->type || !type)))
        return;
    probe->wanted = wanted;
    probe->type = type;
    keep_locals(c, probe);
}

void fzi_probe_arguments(fzi_checker *c, const fzi_symbol *callee, const fzi_node *arguments)
{
    unsigned at = 0;
    for (; c->load->probe && arguments; arguments = arguments->next)
        fzi_probe_note(c, arguments->span, FZI_WANTS_VALUE,
                       fzi_parameter_type(c->game, callee, at++));
}
