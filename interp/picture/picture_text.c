/* Writes lines of text, and the names of values, for the other files that draw pictures. */
#include "compose.h"

static const double text_size = 0.34, text_line = 0.5;
static const double usual = 11; /* the width of a board under which text has its usual size */

/* ---- names ---- */

void fzi_picture_index(const fzi_picture *p, const fz_variable *like, uint32_t element, bool first,
                       fzi_buffer *out)
{
    fzi_buffer index = fzi_buffer_in(out->allocator);

    fzi_element_index_write(p->d.program, like, element, &index);
    const char *text = fzi_buffer_get(&index) + (index.length > 0);
    size_t length = strcspn(text, ",]");
    if (!first) {
        text += length + (text[length] == ',' ? 2 : 0);
        length = strcspn(text, "]");
    }
    fzi_buffer_add(out, text, length);
    out->failed |= index.failed;
    fzi_buffer_free(&index);
}

/* ---- lines ---- */

double fzi_picture_scale(const fzi_picture *p)
{
    return fmax(1, fmin(2.2, (p->high.x - p->low.x) / usual));
}

/* The number of bytes that are at most `width` wide together; at least one character. */
static size_t bytes_within(const char *line, size_t length, double width)
{
    char part[8];
    double used = 0;

    for (size_t at = 0, next; at < length; at = next) {
        for (next = at + 1; next < length && next - at < 7 && fzi_utf8_continues(line[next]);)
            next++;
        memcpy(part, line + at, next - at);
        part[next - at] = '\0';
        used += text_size * fzi_label_width(part);
        if (used > width && at > 0)
            return at;
    }
    return length;
}

/* The length of what fits into one line: whole words, or a part of a long one. */
static size_t fitting(const char *line, size_t length, double width)
{
    size_t room = bytes_within(line, length, width), end = room;

    if (length <= room)
        return length;
    for (; end > 0 && line[end] != ' ';)
        end--;
    return end ? end : room;
}

static void add_text_line(fzi_picture *p, const char *text, size_t length, double scale)
{
    char line[512];
    size_t n = length < sizeof line - 1 ? length : sizeof line - 1;

    memcpy(line, text, n);
    line[n] = '\0';
    fzi_scene_label(p->scene, (fzi_point){p->low.x, p->high.y + scale * text_line / 2},
                    scale * text_size, FZI_PAINT_INK, line)
        ->anchor = FZI_ANCHOR_LEFT;
    p->high.y += scale * text_line;
}

void fzi_picture_lines(fzi_picture *p, const char *text)
{
    double least = 6, width = fmax(p->high.x - p->low.x, least), scale = fzi_picture_scale(p);

    for (const char *end; (end = strchr(text, '\n')); text = end + 1) {
        size_t length = (size_t)(end - text);
        while (length > 0 && *text == ' ')
            text++, length--;
        while (length > 0) {
            size_t n = fitting(text, length, width / scale);
            add_text_line(p, text, n, scale);
            for (text += n, length -= n; length > 0 && *text == ' ';)
                text++, length--;
        }
    }
    p->high.x = fmax(p->high.x, p->low.x + width);
}
