/* `hide x;` takes names out of the `show`s of bases and modules. */
#include "layers.h"

/* Takes the name out of all `show`s, which become copies, as children are shared with the files'
 * trees. */
static bool hide_name(fzi_loader *loader, const char *name)
{
    bool found = false;
    for (fzi_node *decl = loader->unit->decls; decl; decl = decl->next) {
        if (decl->kind != N_D_SHOW)
            continue;
        fzi_node *names = fzi_node_clone(loader->load->arena, decl)->names, **link = &names;
        while (*link) {
            bool hidden = (*link)->name == name;
            found |= hidden;
            if (hidden)
                *link = (*link)->next;
            else
                link = &(*link)->next;
        }
        decl->names = names;
    }
    return found;
}

void fzi_settle_shown(fzi_loader *loader)
{
    for (const fzi_node *decl = loader->unit->decls; decl; decl = decl->next)
        if (decl->kind == N_D_HIDE)
            for (const fzi_node *name = decl->names; name; name = name->next)
                if (!hide_name(loader, name->name))
                    fzi_error(loader->load->diags, name->span, FZ_E_NOT_SHOWN, name->name);
    for (fzi_node **link = &loader->unit->decls; *link;) {
        bool done = (*link)->kind == N_D_HIDE || ((*link)->kind == N_D_SHOW && !(*link)->names);
        if (done)
            *link = (*link)->next;
        else
            link = &(*link)->next;
    }
}
