/* Writes JSON for the page and for programs in JavaScript. See web_engine.h. */
#include "web_engine.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "interp/support/text.h"

static void put_quoted(fzi_buffer *out, const char *text, size_t length)
{
    const unsigned char *at = (const unsigned char *)text;

    fzi_buffer_char(out, '"');
    for (size_t i = 0; i < length;) {
        size_t n = fzi_utf8_length(text + i, length - i);
        if (n == 0)
            fzi_buffer_text(out, "\\ufffd");
        else if (at[i] == '"' || at[i] == '\\')
            fzi_buffer_format(out, "\\%c", at[i]);
        else if (at[i] < 0x20)
            fzi_buffer_format(out, "\\u%04x", at[i]);
        else
            fzi_buffer_add(out, at + i, n);
        i += n ? n : 1;
    }
    fzi_buffer_char(out, '"');
}

/* Adds the comma after the previous value, and the key. */
static void begin(fzi_buffer *out, const char *key)
{
    char last = out->length ? out->data[out->length - 1] : '[';

    if (last != '[' && last != '{')
        fzi_buffer_char(out, ',');
    if (key) {
        put_quoted(out, key, strlen(key));
        fzi_buffer_char(out, ':');
    }
}

void fzi_web_open(fzi_buffer *out, const char *key, char bracket)
{
    begin(out, key);
    fzi_buffer_char(out, bracket);
}

void fzi_web_close(fzi_buffer *out, char bracket)
{
    fzi_buffer_char(out, bracket);
}

void fzi_web_string_part(fzi_buffer *out, const char *key, const char *text, size_t length)
{
    begin(out, key);
    put_quoted(out, text, length);
}

void fzi_web_string(fzi_buffer *out, const char *key, const char *text)
{
    if (text)
        fzi_web_string_part(out, key, text, strlen(text));
    else
        fzi_web_written(out, key, "null");
}

void fzi_web_integer(fzi_buffer *out, const char *key, int64_t value)
{
    begin(out, key);
    fzi_buffer_format(out, "%" PRId64, value);
}

void fzi_web_real(fzi_buffer *out, const char *key, double value, int digits)
{
    char text[64];

    begin(out, key);
    snprintf(text, sizeof text, "%.*f", digits, value);
    if (strchr(text, '.')) {
        size_t length = strlen(text);
        while (text[length - 1] == '0')
            length--;
        text[text[length - 1] == '.' ? length - 1 : length] = '\0';
    }
    fzi_buffer_text(out, isfinite(value) ? text : "null");
}

void fzi_web_bool(fzi_buffer *out, const char *key, bool value)
{
    fzi_web_written(out, key, value ? "true" : "false");
}

void fzi_web_written(fzi_buffer *out, const char *key, const char *json)
{
    begin(out, key);
    fzi_buffer_text(out, json);
}
