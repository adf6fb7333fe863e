/* Converts between bytes of a text and positions of the protocol, for all requests. Columns
 * count UTF-16 units unless the client prefers bytes. */
#include "lsp.h"

#include "interp/support/text.h"

/* The length in bytes of the character at `at`; bytes that are not UTF-8 count as characters. */
static size_t character_length(const char *at, const char *end)
{
    size_t length = fzi_utf8_length(at, (size_t)(end - at));
    return length ? length : 1;
}

static uint32_t units_of(const fzi_lsp *lsp, size_t length)
{
    return lsp->client.utf8 ? (uint32_t)length : length == 4 ? 2 : 1;
}

uint32_t fzi_lsp_units(const fzi_lsp *lsp, const char *text, size_t length)
{
    uint32_t units = 0;
    const char *end = text + length;
    while (text < end) {
        size_t one = character_length(text, end);
        units += units_of(lsp, one);
        text += one;
    }
    return units;
}

json_t *fzi_lsp_position(const fzi_lsp *lsp, const fzi_source *source, uint32_t offset)
{
    if (offset > source->length)
        offset = (uint32_t)source->length;
    uint32_t line = fzi_source_place(source, offset).line - 1, start = source->line_starts[line];
    return json_pack("{s:i, s:i}", "line", (int)line, "character",
                     (int)fzi_lsp_units(lsp, source->text + start, offset - start));
}

json_t *fzi_lsp_range(const fzi_lsp *lsp, const fzi_source *source, uint32_t start, uint32_t end)
{
    return json_pack("{s:o, s:o}", "start", fzi_lsp_position(lsp, source, start), "end",
                     fzi_lsp_position(lsp, source, end));
}

json_t *fzi_lsp_span_range(const fzi_lsp *lsp, const fzi_analysis *analysis, fzi_span span)
{
    const fzi_source *source = fzi_source_at(analysis->sources, span.source);
    if (!source)
        return json_pack("{s:{s:i, s:i}, s:{s:i, s:i}}", "start", "line", 0, "character", 0, "end",
                         "line", 0, "character", 0);
    return fzi_lsp_range(lsp, source, span.start, span.end);
}

bool fzi_lsp_offset(const fzi_lsp *lsp, const fzi_document *document, const json_t *position,
                    uint32_t *offset)
{
    const json_t *line = json_object_get(position, "line"),
                 *character = json_object_get(position, "character");
    if (!json_is_integer(line) || !json_is_integer(character))
        return false;
    const char *at = document->text, *end = at + document->length, *newline = at;
    for (json_int_t i = json_integer_value(line); i > 0 && newline; i--) {
        newline = memchr(at, '\n', (size_t)(end - at));
        at = newline ? newline + 1 : end;
    }
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    if (!stop)
        stop = end;
    if (stop > at && stop[-1] == '\r')
        stop--;
    for (json_int_t left = json_integer_value(character); left > 0 && at < stop;) {
        size_t one = character_length(at, stop);
        left -= units_of(lsp, one);
        at += one;
    }
    *offset = (uint32_t)(at - document->text);
    return true;
}

json_t *fzi_lsp_text_edit(const fzi_lsp *lsp, const fzi_analysis *analysis, fzi_span span,
                          const char *text)
{
    return json_pack("{s:o, s:o}", "range", fzi_lsp_span_range(lsp, analysis, span), "newText",
                     fzi_lsp_string(text));
}
