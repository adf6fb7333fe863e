/* The parts of a state's block as types of C, so that the compiler sees that they lie apart: a
 * struct with the layout of the block, and, for whole games that one function plays, locals. */
#include "native.h"

#include <string.h>

#include "interp/vm/machine.h"
#include "operands.h"

typedef struct part {
    const char *type, *name;
    uint32_t offset, count, size;
} part;
enum { MOST_PARTS = 6 };

/* After the head, in their order; sets with stacks stay bytes from the stacks on. */
static unsigned list_parts(const fz_program *p, part *list)
{
    const fz_layout *l = &p->layout;
    uint32_t set = p->board.words * 8u;
    const part all[MOST_PARTS] = {
        {"fzi_set", "own", l->own, p->player_count + 1u, set},
        {"fzi_set", "kinds", l->kinds, p->kind_count, set},
        {"fzi_set", "sets", l->sets, l->set_count, set},
        {"int32_t", "ints", l->ints, l->int_count, 4},
        {"uint8_t", "at", l->at, p->board.site_count, 1},
        {"fzi_set", "empty", l->empty, 1, set},
    };
    unsigned count = 0;
    for (unsigned i = 0; i < (l->stacks ? 2 : MOST_PARTS); i++)
        if (all[i].offset && all[i].count)
            list[count++] = all[i];
    return count;
}

static void block_type(const fz_program *p, const part *list, unsigned count, fzi_buffer *out)
{
    uint32_t end = sizeof(fzi_head);
    fzi_buffer_text(out, "#define FZ_BLOCK_PARTS typedef struct ferz_block { fzi_head head; ");
    for (const part *m = list; m < list + count; m++) {
        if (m->offset > end)
            fzi_buffer_format(out, "uint8_t before_%s[%u]; ", m->name, m->offset - end);
        fzi_buffer_format(out, "%s %s[%u]; ", m->type, m->name, m->count);
        end = m->offset + m->count * m->size;
    }
    if (p->layout.frames > end)
        fzi_buffer_format(out, "uint8_t rest[%u]; ", p->layout.frames - end);
    fzi_buffer_text(out, "} ferz_block;");
}

static void copy_part(const part *m, fzi_buffer *out)
{
    if (m->size == 1) {
        fzi_buffer_format(out, " memcpy((to)->%s, (from)->%s, %u);", m->name, m->name, m->count);
        return;
    }
    for (uint32_t i = 0; i < m->count; i++)
        fzi_buffer_format(out, " (to)->%s[%u] = (from)->%s[%u];", m->name, i, m->name, i);
}

/* All parts but the head, from one block to another. */
static void copy_parts(const part *list, unsigned count, fzi_buffer *out)
{
    fzi_buffer_text(out, "\n#define FERZ_PARTS_COPY(to, from)");
    for (const part *m = list; m < list + count; m++)
        copy_part(m, out);
}

/* A struct of pointers to the parts, and its locals. */
static void apart(const part *list, unsigned count, fzi_buffer *out)
{
    fzi_buffer_text(out, " typedef struct ferz_parts { fzi_head *head; ");
    for (const part *m = list; m < list + count; m++)
        fzi_buffer_format(out, "%s *%s; ", m->type, m->name);
    fzi_buffer_text(out, "} ferz_parts;\n#define FERZ_PARTS_LOCALS fzi_head head_part; ");
    for (const part *m = list; m < list + count; m++)
        fzi_buffer_format(out, "%s %s_part[%u]; ", m->type, m->name, m->count);
    fzi_buffer_text(out, "ferz_parts parts = {&head_part");
    for (const part *m = list; m < list + count; m++)
        fzi_buffer_format(out, ", %s_part", m->name);
    fzi_buffer_text(out, "};");
    fzi_buffer_text(out, "\n#define FERZ_BLOCK(block) ((const ferz_parts *)(const void *)(block))\n"
                    "#define FERZ_HEAD(block) (FERZ_BLOCK(block)->head)\n");
}

static bool has(const part *list, unsigned count, const char *name)
{
    for (unsigned i = 0; i < count; i++)
        if (strcmp(list[i].name, name) == 0)
            return true;
    return false;
}

static void macros(const fz_program *p, bool is_apart, fzi_buffer *out)
{
    const fz_layout *l = &p->layout;
    part list[MOST_PARTS];
    unsigned count = list_parts(p, list);
    block_type(p, list, count, out);
    if (is_apart)
        apart(list, count, out);
    else
        fzi_buffer_text(out, "\n#define FERZ_BLOCK(block) ((ferz_block *)(void *)(block))\n"
                        "#define FERZ_HEAD(block) (&FERZ_BLOCK(block)->head)\n");
    if (!l->stacks)
        copy_parts(list, count, out);
    fzi_buffer_text(out, "\n");
    fzi_define_number(out, "FERZ_APART", is_apart);
    fzi_buffer_text(out, "#define FZ_BLOCK_OWN(m, block, index) (FERZ_BLOCK(block)->own[index])\n");
    fzi_buffer_text(out, l->kinds ? "#define FZ_BLOCK_KIND(m, block, index) "
                                    "(FERZ_BLOCK(block)->kinds[index])\n"
                                  : "#define FZ_BLOCK_KIND(m, block, index) (*(fzi_set *)NULL)\n");
    fzi_buffer_text(out, has(list, count, "empty")
                             ? "#define FZ_BLOCK_EMPTY(m, block) (FERZ_BLOCK(block)->empty[0])\n"
                             : "#define FZ_BLOCK_EMPTY(m, block) (*(fzi_set *)(void *)((block) + "
                               "(m)->layout.empty))\n");
    fzi_buffer_text(out, has(list, count, "at")
                             ? "#define FZ_BLOCK_AT(m, block, site) (FERZ_BLOCK(block)->at[site])\n"
                             : "#define FZ_BLOCK_AT(m, block, site) ((block)[(m)->layout.at + "
                               "(site)])\n");
    fzi_buffer_format(out,
                      has(list, count, "sets")
                          ? "#define FZ_BLOCK_SET(m, block, cell, index) (FERZ_BLOCK(block)->sets"
                            "[((cell)->offset - %u) / %u + (index)])\n"
                          : "#define FZ_BLOCK_SET(m, block, cell, index) (((fzi_set *)(void *)"
                            "((block) + (cell)->offset))[index])\n",
                      l->sets, p->board.words * 8u);
    fzi_buffer_format(out,
                      has(list, count, "ints")
                          ? "#define FZ_BLOCK_INT(m, block, cell, index) (FERZ_BLOCK(block)->ints"
                            "[((cell)->offset - %u) / 4 + (index)])\n"
                          : "#define FZ_BLOCK_INT(m, block, cell, index) (((int32_t *)(void *)"
                            "((block) + (cell)->offset))[index])\n",
                      l->ints);
}

void fzi_native_block(const fz_program *p, unsigned whole, fzi_buffer *out)
{
    if (whole) {
        fzi_buffer_format(out, "#if defined FERZ_PART && FERZ_PART == %u\n"
                          "#define FZ_NATIVE_WIDE 1\n", whole);
        macros(p, true, out);
        fzi_buffer_text(out, "#else\n");
    }
    macros(p, false, out);
    if (whole)
        fzi_buffer_text(out, "#endif\n");
}
