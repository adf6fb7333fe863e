/* Texts that grow. See buffer.h. */
#include "buffer.h"

#include <stdarg.h>
#include <stdio.h>

static bool reserve(fzi_buffer *buffer, size_t more)
{
    size_t wanted = buffer->capacity ? buffer->capacity : 128;

    if (buffer->failed)
        return false;
    while (wanted < buffer->length + more + 1)
        wanted *= 2;
    if (wanted == buffer->capacity)
        return true;
    char *grown = buffer->allocator.resize(buffer->allocator.user, buffer->data, wanted);
    if (!grown) {
        buffer->failed = true;
        return false;
    }
    buffer->data = grown;
    buffer->capacity = wanted;
    return true;
}

void fzi_buffer_add(fzi_buffer *buffer, const void *bytes, size_t length)
{
    if (!reserve(buffer, length))
        return;
    if (length)
        memcpy(buffer->data + buffer->length, bytes, length);
    buffer->length += length;
    buffer->data[buffer->length] = '\0';
}

void fzi_buffer_text(fzi_buffer *buffer, const char *text)
{
    fzi_buffer_add(buffer, text, strlen(text));
}

void fzi_buffer_char(fzi_buffer *buffer, char c)
{
    fzi_buffer_add(buffer, &c, 1);
}

void fzi_buffer_repeat(fzi_buffer *buffer, char c, size_t count)
{
    while (count-- > 0)
        fzi_buffer_char(buffer, c);
}

void fzi_buffer_csv(fzi_buffer *buffer, const char *text)
{
    const char *quote = strpbrk(text, ",\"\r\n") ? "\"" : "";

    fzi_buffer_text(buffer, quote);
    for (; *text; text++) {
        if (*text == '"')
            fzi_buffer_char(buffer, '"');
        fzi_buffer_char(buffer, *text);
    }
    fzi_buffer_text(buffer, quote);
}

void fzi_buffer_format(fzi_buffer *buffer, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (length < 0 || !reserve(buffer, (size_t)length))
        return;
    va_start(args, format);
    vsnprintf(buffer->data + buffer->length, (size_t)length + 1, format, args);
    va_end(args);
    buffer->length += (size_t)length;
}

const char *fzi_buffer_get(const fzi_buffer *buffer)
{
    return buffer->data ? buffer->data : "";
}

void fzi_buffer_trim(fzi_buffer *buffer)
{
    while (buffer->length && buffer->data[buffer->length - 1] == ' ')
        buffer->data[--buffer->length] = '\0';
}

void fzi_buffer_clear(fzi_buffer *buffer)
{
    buffer->length = 0;
    buffer->failed = false;
    if (buffer->data)
        buffer->data[0] = '\0';
}

void fzi_buffer_free(fzi_buffer *buffer)
{
    fzi_release(buffer->allocator, buffer->data);
    *buffer = fzi_buffer_in(buffer->allocator);
}

fz_status fzi_buffer_finish(fzi_buffer *buffer, char **text)
{
    reserve(buffer, 0);
    if (buffer->failed) {
        fzi_buffer_free(buffer);
        return FZ_NO_MEMORY;
    }
    if (!text) {
        fzi_buffer_free(buffer);
        return FZ_OK;
    }
    buffer->data[buffer->length] = '\0';
    *text = buffer->data;
    *buffer = fzi_buffer_in(buffer->allocator);
    return FZ_OK;
}
