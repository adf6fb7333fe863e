/* setjmp and longjmp for WebAssembly, which wasi-libc leaves out: clang makes exceptions of them
 * (-mllvm -wasm-enable-sjlj), and wasi_runtime.c has the functions that it calls. */
#ifndef FZ_INTERP_WEB_SETJMP_H
#define FZ_INTERP_WEB_SETJMP_H

typedef unsigned long jmp_buf[4];

int setjmp(jmp_buf where) __attribute__((returns_twice));
_Noreturn void longjmp(jmp_buf where, int value);

#endif
