/* One C file that plays a game without the library: the library's own text (texts.h), the program's
 * bytes, a small main program (game_main.c), and the code of the game in the place of the loop. */
#include "native.h"
#include "texts.h"

/* The first comment, with the licence, and the library's interface. */
static void beginning(fzi_buffer *out, const fz_program *program)
{
    fzi_buffer_text(out, "/* ");
    for (const char *c = fz_program_title(program); *c; c++)
        fzi_buffer_char(out, *c == '*' ? '-' : *c); /* no end of the comment in a title */
    fzi_buffer_text(out, ", made into one file by ferz compile --c --standalone.\n *\n");
    fzi_buffer_text(out, fzi_alone_preface);
    fzi_buffer_text(out, " */\n#if !defined(_POSIX_C_SOURCE) && !defined(_GNU_SOURCE)\n"
                    "#define _POSIX_C_SOURCE 200809L\n#endif\n");
    fzi_buffer_text(out, fzi_alone_interface);
    fzi_buffer_text(out, "#ifdef __cplusplus\nextern \"C\" {\n#endif\n"
                    "/* The game; NULL when memory is short. */\nfz_program *fz_game(void);\n"
                    "#ifdef __cplusplus\n}\n#endif\n");
}

enum { BYTES_A_LINE = 24 };

/* Formatting each byte would take longer than all the rest of the file. */
static void line_of_bytes(fzi_buffer *out, const char *bytes, size_t count)
{
    char line[BYTES_A_LINE * 4 + 2];
    size_t at = 0;
    line[at++] = '\n';
    for (size_t i = 0; i < count; i++) {
        unsigned byte = (unsigned char)bytes[i];
        if (byte >= 100)
            line[at++] = (char)('0' + byte / 100);
        if (byte >= 10)
            line[at++] = (char)('0' + byte / 10 % 10);
        line[at++] = (char)('0' + byte % 10);
        line[at++] = ',';
    }
    line[at] = '\0';
    fzi_buffer_text(out, line);
}

static void bytes_of(fzi_buffer *out, const char *bytes, size_t length)
{
    fzi_buffer_format(out, "\n/* ---- the game, compiled ---- */\n"
                      "static const unsigned char game_bytes[%zu] = {", length);
    for (size_t i = 0; i < length; i += BYTES_A_LINE)
        line_of_bytes(out, bytes + i, length - i < BYTES_A_LINE ? length - i : BYTES_A_LINE);
    fzi_buffer_text(out, "};\n");
}

static bool whole(fzi_buffer *out, const fz_program *program, const char *bytes, size_t length)
{
    beginning(out, program);
    fzi_buffer_format(out, "#ifndef FERZ_INTERFACE_ONLY\n"
                      "#define FZ_W %u\n#define FZ_STANDALONE FZ_W\n#define FZ_NATIVE 1\n",
                      program->board.words);
    fzi_buffer_text(out,
                    fzi_alone_headers); /* before all sources: no source changes how they compile */
    fzi_buffer_text(out, "#undef FZ_INLINE\n");
    for (const char *const *source = fzi_alone_sources; *source; source++)
        fzi_buffer_text(out, *source);
    bytes_of(out, bytes, length);
    fzi_buffer_text(out, fzi_alone_main);
    fzi_buffer_text(out, "\n/* ---- the game's code ---- */\n");
    bool good = fzi_native_generate_alone(program, out);
    fzi_buffer_text(out, "#endif\n");
    return good && !out->failed;
}

fz_status fz_program_c_standalone(fz_context *context, const fz_program *program, char **text,
                                  size_t *length)
{
    fzi_buffer out = fzi_buffer_in(context->allocator);
    char *bytes;
    size_t size;
    if (fzi_native_calls_out(program))
        return fzi_context_fail(context, FZ_REFUSED,
                                "a game that calls native functions can't stand alone");
    fz_status status = fz_program_save(context, program, &bytes, &size);
    if (status != FZ_OK)
        return status;
    bool good = whole(&out, program, bytes, size);
    fz_text_free(context, bytes);
    if (!good) {
        fzi_buffer_free(&out);
        return fzi_context_no_memory(context);
    }
    if (length)
        *length = out.length;
    return fzi_buffer_finish(&out, text);
}
