/* One file of C that plays a game by itself: the library's own text, file behind file, then the program's bytes, a
 * small main (game_main.c), and the code of the game, which stands in the place of the loop. */
#include "native.h"

#include <string.h>

#include "texts.h"

enum { MAX_NAMES = 2000, MAX_NAME = 64 };

static const char main_name[] = "game_main.c", licence_name[] = "LICENSE",
                  preface_name[] = "game_begin.txt";

/* What runs once, or only when it is asked for: optimised it would take the compiler longer than the game. */
static const char *const seldom[] = {"context.c", "slice.c", "chance_outcomes.c", "values.c", "variables.c", "optimisations.c", "layout.c", "verify.c", "last_move.c", "definite_assignment.c", "liveness.c",
                                     "trials.c", "program.c", "program_file.c", "trace.c", "coverage.c", "count_distinct.c",
                                     main_name};

typedef struct file {
    fzi_texts texts;
    fzi_buffer *out;
    const char *statics[MAX_NAMES]; /* functions that only their own file knows, of all files so far */
    size_t lengths[MAX_NAMES];
    unsigned count;
} file;

static const char *text_named(const char *name)
{
    const fzi_native_text *t = fzi_native_texts;
    while (t->name && strcmp(t->name, name) != 0)
        t++;
    return t->text ? t->text : "";
}

static bool ends_with_c(const char *name)
{
    size_t length = strlen(name);
    return length > 2 && strcmp(name + length - 2, ".c") == 0;
}

static const char *after_line(const char *line)
{
    const char *end = strchr(line, '\n');
    return end ? end + 1 : line + strlen(line);
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

static const char *behind(const char *line, size_t length, const char *word)
{
    size_t n = strlen(word);
    for (const char *at = line; at + n < line + length; at++)
        if (memcmp(at, word, n) == 0)
            return at + n;
    return NULL;
}

/* The name of the function that begins in this line and is its file's alone; NULL. */
static const char *static_name(const char *line, size_t *length)
{
    size_t whole = strcspn(line, "\n");
    const char *from = behind(line, whole, "static ");
    if (!from)
        from = behind(line, whole, "FZ_INLINE ");
    if (!from || *line == ' ' || *line == '#' || memchr(line, '=', whole))
        return NULL;
    const char *paren = memchr(from, '(', (size_t)(line + whole - from));
    const char *name = paren;
    while (name && name > from && is_letter(name[-1]))
        name--;
    *length = (size_t)(paren - name);
    return *length ? name : NULL;
}

static bool is_known(const file *f, const char *name, size_t length, unsigned among)
{
    for (unsigned i = 0; i < among; i++)
        if (f->lengths[i] == length && memcmp(f->statics[i], name, length) == 0)
            return true;
    return false;
}

/* In one file two functions can't have one name: the later one gets its file's number behind it. */
static void rename_statics(file *f, const char *text, unsigned number, bool begin)
{
    unsigned before = f->count;
    for (const char *line = text; *line; line = after_line(line)) {
        size_t length;
        const char *name = static_name(line, &length);
        if (!name)
            continue;
        if (!begin)
            fzi_buffer_format(f->out, "#undef %.*s\n", (int)length, name);
        else if (is_known(f, name, length, before))
            fzi_buffer_format(f->out, "#define %.*s %.*s_%u\n", (int)length, name, (int)length, name, number);
        else if (f->count < MAX_NAMES) {
            f->statics[f->count] = name;
            f->lengths[f->count++] = length;
        }
    }
}

/* What a source file defines for itself ends with it. */
static void forget_macros(file *f, const char *text)
{
    static const char word[] = "#define ";
    for (const char *line = text; *line; line = after_line(line))
        if (strncmp(line, word, sizeof word - 1) == 0)
            fzi_buffer_format(f->out, "#undef %.*s\n", (int)strcspn(line + sizeof word - 1, " (\n"),
                              line + sizeof word - 1);
}

/* What the game's code has in its headers, which come last. */
static void know_headers(file *f)
{
    for (const fzi_native_text *t = fzi_native_texts; t->name; t++)
        for (const char *line = t->text; *line && !ends_with_c(t->name); line = after_line(line)) {
            size_t length;
            const char *name = static_name(line, &length);
            if (name && f->count < MAX_NAMES) {
                f->statics[f->count] = name;
                f->lengths[f->count++] = length;
            }
        }
}

static bool is_seldom(const char *name)
{
    for (size_t i = 0; i < sizeof seldom / sizeof *seldom; i++)
        if (strcmp(seldom[i], name) == 0)
            return true;
    return false;
}

static void source(file *f, const char *name, unsigned number)
{
    const char *text = text_named(name);
    fzi_buffer_format(f->out, "\n/* ---- %s ---- */\n", name);
    if (is_seldom(name))
        fzi_buffer_text(f->out, "#if defined(__GNUC__) && !defined(__clang__)\n"
                        "#pragma GCC push_options\n#pragma GCC optimize(\"O0\")\n#endif\n");
    rename_statics(f, text, number, true);
    fzi_native_text_add(&f->texts, name);
    rename_statics(f, text, number, false);
    forget_macros(f, text);
    if (is_seldom(name))
        fzi_buffer_text(f->out, "#if defined(__GNUC__) && !defined(__clang__)\n"
                        "#pragma GCC pop_options\n#endif\n");
}

/* Before all sources, so that none decides how the others' functions are compiled. */
static void headers(file *f, const fz_program *program)
{
    fzi_buffer_format(f->out, "#define FZ_W %u\n#define FZ_STANDALONE FZ_W\n#define FZ_NATIVE 1\n",
                      program->board.words);
    for (const fzi_native_text *t = fzi_native_texts; t->name; t++) {
        size_t length = strlen(t->name);
        if (length > 2 && strcmp(t->name + length - 2, ".h") == 0 && !strstr(t->name, ".inc.h"))
            fzi_native_text_add(&f->texts, t->name);
    }
    fzi_buffer_text(f->out, "#undef FZ_INLINE\n");
}

/* The licence as a comment, and what of the library's interface is there. */
static void beginning(file *f, const fz_program *program)
{
    fzi_buffer_text(f->out, "/* ");
    for (const char *c = fz_program_title(program); *c; c++)
        fzi_buffer_char(f->out, *c == '*' ? '-' : *c); /* no end of the comment in a title */
    fzi_buffer_text(f->out, ", made into one file by ferz compile --c --standalone.\n *\n");
    for (const char *line = text_named(preface_name); *line; line = after_line(line))
        fzi_buffer_format(f->out, " * %.*s\n", (int)strcspn(line, "\n"), line);
    fzi_buffer_text(f->out, " *\n * The library's part of this file:\n *\n");
    for (const char *line = text_named(licence_name); *line; line = after_line(line))
        fzi_buffer_format(f->out, " * %.*s\n", (int)strcspn(line, "\n"), line);
    fzi_buffer_text(f->out, " */\n#if !defined(_POSIX_C_SOURCE) && !defined(_GNU_SOURCE)\n"
                    "#define _POSIX_C_SOURCE 200809L\n#endif\n");

    fzi_native_text_add(&f->texts, "ferz.h");
    fzi_buffer_text(f->out, "#ifdef __cplusplus\nextern \"C\" {\n#endif\n"
                    "/* The game; NULL when memory is short. */\nfz_program *fz_game(void);\n"
                    "#ifdef __cplusplus\n}\n#endif\n");
}

static void bytes_of(file *f, const char *bytes, size_t length)
{
    fzi_buffer_format(f->out, "\n/* ---- the game, compiled ---- */\n"
                      "static const unsigned char game_bytes[%zu] = {", length);
    for (size_t i = 0; i < length; i++)
        fzi_buffer_format(f->out, "%s%u,", i % 24 ? "" : "\n", (unsigned char)bytes[i]);
    fzi_buffer_text(f->out, "};\n");
}

static bool whole(file *f, const fz_program *program, const char *bytes, size_t length)
{
    unsigned number = 0;
    know_headers(f);
    beginning(f, program);
    fzi_buffer_text(f->out, "#ifndef FERZ_INTERFACE_ONLY\n");
    headers(f, program);
    for (const fzi_native_text *t = fzi_native_texts; t->name; t++)
        if (ends_with_c(t->name) && strcmp(t->name, main_name) != 0)
            source(f, t->name, ++number);
    bytes_of(f, bytes, length);
    source(f, main_name, ++number);
    fzi_buffer_text(f->out, "\n/* ---- the game's code ---- */\n");
    bool good = fzi_native_generate_alone(program, &f->texts);
    fzi_buffer_text(f->out, "#endif\n");
    return good && !f->out->failed;
}

fz_status fz_program_c_standalone(fz_context *context, const fz_program *program, char **text,
                                  size_t *length)
{
    fzi_buffer out = fzi_buffer_in(context->allocator);
    char *bytes;
    size_t size;
    if (fzi_native_calls_out(program))
        return fzi_context_fail(context, FZ_REFUSED, "a game that calls native functions can't stand alone");
    fz_status status = fz_program_save(context, program, &bytes, &size);
    if (status != FZ_OK)
        return status;
    file *f = fzi_allocate(context->allocator, sizeof *f);
    bool good = f != NULL;
    if (good) {
        *f = (file){.texts = {.out = &out}, .out = &out};
        good = whole(f, program, bytes, size);
    }
    fzi_release(context->allocator, f);
    fz_text_free(context, bytes);
    if (!good) {
        fzi_buffer_free(&out);
        return fzi_context_fail(context, FZ_NO_MEMORY, "memory is short");
    }
    *length = out.length;
    return fzi_buffer_finish(&out, text);
}
