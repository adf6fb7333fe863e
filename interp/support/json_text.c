/* Writes JSON. Called by diagnostics.c and the WebAssembly engine. See buffer.h. */
#include "buffer.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "text.h"

static void put_string(fzi_buffer *out, const char *text, size_t length)
{
    fzi_buffer_char(out, '"');
    for (size_t i = 0; i < length;) {
        size_t n = fzi_utf8_length(text + i, length - i);
        if (n == 0)
            fzi_buffer_text(out, "\\ufffd");
        else if (text[i] == '"' || text[i] == '\\')
            fzi_buffer_format(out, "\\%c", text[i]);
        else if (n == 1 && (text[i] < 0x20 || text[i] == 0x7f))
            fzi_buffer_format(out, "\\u%04x", (unsigned)text[i]);
        else
            fzi_buffer_add(out, text + i, n);
        i += n ? n : 1;
    }
    fzi_buffer_char(out, '"');
}

/* Without trailing zeros. */
static void put_real(fzi_buffer *out, double value, int digits)
{
    char text[64];
    size_t length = (size_t)snprintf(text, sizeof text, "%.*f", digits, value);

    while (digits && length && text[length - 1] == '0')
        length--;
    if (isfinite(value))
        fzi_buffer_add(out, text, text[length - 1] == '.' ? length - 1 : length);
    else
        fzi_buffer_text(out, "null");
}

/* In a struct, because a pointer to a va_list that is a parameter has no portable type. */
typedef struct arguments {
    va_list list;
} arguments;

static void put_value(fzi_buffer *out, const char *code, arguments *a)
{
    const char *text;

    switch (*code) {
    case 's':
        text = va_arg(a->list, const char *);
        if (text)
            put_string(out, text, strlen(text));
        else
            fzi_buffer_text(out, "null");
        break;
    case 'p':
        text = va_arg(a->list, const char *);
        put_string(out, text, va_arg(a->list, size_t));
        break;
    case 'i': fzi_buffer_format(out, "%d", va_arg(a->list, int)); break;
    case 'u': fzi_buffer_format(out, "%u", va_arg(a->list, unsigned)); break;
    case 'I': fzi_buffer_format(out, "%" PRId64, va_arg(a->list, int64_t)); break;
    case 'U': fzi_buffer_format(out, "%" PRIu64, va_arg(a->list, uint64_t)); break;
    case 'r': put_real(out, va_arg(a->list, double), code[1] - '0'); break;
    case 'b': fzi_buffer_text(out, va_arg(a->list, int) ? "true" : "false"); break;
    case 'j': fzi_buffer_text(out, va_arg(a->list, const char *)); break;
    default: fzi_buffer_text(out, "null"); break;
    }
}

void fzi_buffer_json(fzi_buffer *out, const char *format, ...)
{
    static const char word[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    arguments a;

    va_start(a.list, format);
    for (size_t length; *format; format += length ? length : 1) {
        length = strspn(format, word);
        bool begins = length || *format == '[' || *format == '{';
        if (begins && out->length && !strchr("[{ ", out->data[out->length - 1]))
            fzi_buffer_text(out, ", "); /* after the value before */
        if (length && format[length] == ':')
            fzi_buffer_format(out, "\"%.*s\": ", (int)length, format);
        else if (length)
            put_value(out, format, &a);
        else if (strchr("[]{}", *format))
            fzi_buffer_char(out, *format);
    }
    va_end(a.list);
}
