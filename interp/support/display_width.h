/* How many columns a text takes on a terminal. A header, because the library and the command both
 * need it and the library does not export it. Include config.h first. */
#ifndef FZ_INTERP_SUPPORT_DISPLAY_WIDTH_H
#define FZ_INTERP_SUPPORT_DISPLAY_WIDTH_H

#include <stddef.h>

#ifdef HAVE_UTF8PROC
#include <utf8proc.h>

static inline size_t fzi_text_width(const char *text)
{
    const utf8proc_uint8_t *at = (const utf8proc_uint8_t *)text;
    size_t width = 0;

    while (*at) {
        utf8proc_int32_t point;
        utf8proc_ssize_t length = utf8proc_iterate(at, -1, &point);
        width += length > 0 ? (size_t)utf8proc_charwidth(point) : 1;
        at += length > 0 ? length : 1;
    }
    return width;
}
#else
/* One column for each code point: right for all but wide and combining characters. */
static inline size_t fzi_text_width(const char *text)
{
    size_t width = 0;

    for (; *text; text++)
        width += ((unsigned char)*text & 0xc0) != 0x80;
    return width;
}
#endif
#endif
