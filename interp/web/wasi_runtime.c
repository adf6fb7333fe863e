/* Functions that compiled code calls in WebAssembly and wasi-libc lacks.
 *
 * setjmp and longjmp (clang -mllvm -wasm-enable-sjlj, LLVM 14): a function that calls setjmp has a
 * table of its calls, their numbers and labels. longjmp throws, the function catches, and looks
 * whether the call was one of its own. */
#include <stdint.h>
#include <stdlib.h>

typedef struct call {
    uintptr_t number; /* 0 ends the table */
    uint32_t label;
} call;

/* Debian compiles the arithmetic of wide integers with a guard of the stack. */
uintptr_t __stack_chk_guard = 0x5a17c0de;
_Noreturn void __stack_chk_fail(void);

static uintptr_t latest;  /* number of a call of setjmp; 0: none yet */
static uint32_t second;   /* the second result of a function */

void setTempRet0(uint32_t value);
uint32_t getTempRet0(void);
call *saveSetjmp(uintptr_t *where, uint32_t label, call *table, uint32_t size);
uint32_t testSetjmp(uintptr_t number, const call *table, uint32_t size);
_Noreturn void __wasm_longjmp(void *where, int value);

void setTempRet0(uint32_t value)
{
    second = value;
}

uint32_t getTempRet0(void)
{
    return second;
}

/* Adds a call to the table, which may move; the second result is its size. */
call *saveSetjmp(uintptr_t *where, uint32_t label, call *table, uint32_t size)
{
    uint32_t used = 0;

    *where = ++latest;
    while (used + 1 < size && table[used].number)
        used++;
    if (used + 1 >= size) {
        size = 2 * size + 2;
        table = realloc(table, size * sizeof *table);
        if (!table)
            __builtin_trap();
    }
    table[used] = (call){*where, label};
    table[used + 1].number = 0;
    setTempRet0(size);
    return table;
}

/* The label of a call; 0: it is not in the table. */
uint32_t testSetjmp(uintptr_t number, const call *table, uint32_t size)
{
    for (uint32_t i = 0; i < size && table[i].number; i++)
        if (table[i].number == number)
            return table[i].label;
    return 0;
}

_Noreturn void __wasm_longjmp(void *where, int value)
{
    static struct {
        void *where;
        int value;
    } thrown;

    thrown.where = where;
    thrown.value = value ? value : 1;
    __builtin_wasm_throw(1, &thrown); /* the tag of C's longjmp */
    __builtin_unreachable();
}

_Noreturn void __stack_chk_fail(void)
{
    __builtin_trap();
}
