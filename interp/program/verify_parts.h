/* Checks that all parts of the verifier use. verify.c says in which order they run: a part relies
 * on those before it. */
#ifndef FZ_INTERP_PROGRAM_VERIFY_PARTS_H
#define FZ_INTERP_PROGRAM_VERIFY_PARTS_H

#include <setjmp.h>
#include <stdio.h>

#include "interp/support/context.h"
#include "program.h"

/* A check that fails leaves through `give_up`; nothing is held but `owner`. */
typedef struct fzi_verifier {
    const fz_program *p;
    uint32_t *owner;       /* for each code word: 1 + function if an instruction begins there */
    char *message;
    size_t size;
    fzi_allocator allocator;
    jmp_buf give_up;
} fzi_verifier;

/* Leaves with "damaged program: WHAT NUMBER". */
__attribute__((noreturn)) static inline void fzi_refuse(fzi_verifier *c, const char *what,
                                                        uint32_t number)
{
    snprintf(c->message, c->size, "damaged program: %s %lu", what, (unsigned long)number);
    longjmp(c->give_up, 1);
}

static inline void fzi_want(fzi_verifier *c, bool holds, const char *what, uint32_t number)
{
    if (!holds)
        fzi_refuse(c, what, number);
}

static inline void fzi_want_flag(fzi_verifier *c, unsigned value, const char *what, uint32_t number)
{
    fzi_want(c, value <= 1, what, number);
}

/* A text of its own, not the end of another one. */
static inline void fzi_want_text(fzi_verifier *c, uint32_t offset, const char *what,
                                 uint32_t number)
{
    fzi_want(c, offset < c->p->text_length && (!offset || !c->p->text[offset - 1]), what, number);
}

/* first .. first + count - 1 lie below `limit`. */
static inline bool fzi_inside(uint64_t first, uint64_t count, uint64_t limit)
{
    return first <= limit && count <= limit - first;
}

/* verify_texts.c: UTF-8 without control characters, except those that `allowed` names; letters,
 * digits and `_`, and not empty. */
bool fzi_is_line(const char *text, const char *allowed);
/* A name, or `module.name`. */
bool fzi_is_word(const char *text);
/* A text of its own that is a line. */
static inline void fzi_want_line(fzi_verifier *c, uint32_t offset, const char *allowed,
                                 const char *what, uint32_t number)
{
    fzi_want_text(c, offset, what, number);
    fzi_want(c, fzi_is_line(fzi_text(c->p, offset), allowed), what, number);
}
/* Characters that a script may have between quotes. */
static const char fzi_in_quotes[] = "\t\n\v\f\r";

/* verify_data.c: all that the code stands on. The layout is what the code makes it. */
void fzi_verify_data(fzi_verifier *c);
void fzi_verify_layout(fzi_verifier *c);

/* verify_code.c: where instructions begin, which fills `owner`; then choices, operands and flow. */
void fzi_verify_instructions(fzi_verifier *c);
void fzi_verify_code(fzi_verifier *c);

#endif
