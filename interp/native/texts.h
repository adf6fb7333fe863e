/* The texts of the headers that generated C is compiled with; texts.c is made of them by texts.awk. */
#ifndef FZ_INTERP_NATIVE_TEXTS_H
#define FZ_INTERP_NATIVE_TEXTS_H

typedef struct fzi_native_text {
    const char *name; /* without folder; NULL ends the list */
    const char *text;
} fzi_native_text;

extern const fzi_native_text fzi_native_texts[];

#endif
