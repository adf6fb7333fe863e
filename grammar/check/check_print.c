/* The expression of `print`: it is checked where the debugger stands, in the scope of the statement
 * there. See check_print.h. */
#include "check_print.h"

#include <string.h>

#include "check_expr.h"
#include "types.h"

static void check(fzi_checker *c)
{
    fzi_print *print = c->load->print;
    fzi_region outer = c->at;
    c->at = (fzi_region){.owner = outer.owner, .pure = "print", .no_chance = "print",
                         .no_choice = "print"};
    const fzi_type *type = fzi_check_expr(c, print->node, NULL);
    if (type->kind == FZI_TYPE_VOID)
        fzi_error(c->diags, print->node->span, FZ_E_WRONG_TYPE, "a value", "none");
    c->at = outer;
}

void fzi_check_print_at(fzi_checker *c, const fzi_node *stmt)
{
    fzi_print *print = c->load->print;
    if (!print->node || print->stmt || !print->path || stmt->span.start != print->start ||
        stmt->span.end != print->end || stmt->kind == N_S_BLOCK ||
        strcmp(fzi_source_at(c->game->sources, stmt->span.source)->path, print->path) != 0)
        return;
    print->stmt = stmt;
    check(c);
}

void fzi_check_print(fzi_checker *c)
{
    if (c->load->print->node && !c->load->print->stmt)
        check(c);
}
