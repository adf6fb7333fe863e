#include "place_cursor.h"

#include "interp/support/text.h"

static void move_back(fzi_place_cursor *c, const char *text, uint32_t to)
{
    while (c->at > to) {
        c->at--;
        c->line -= text[c->at] == '\n';
        c->column -= !fzi_utf8_continues(text[c->at]);
    }
    if (to >= c->line_start)
        return;
    for (c->line_start = to; c->line_start && text[c->line_start - 1] != '\n'; c->line_start--)
        ;
    c->column = 1;
    for (uint32_t i = c->line_start; i < to; i++)
        c->column += !fzi_utf8_continues(text[i]);
}

void fzi_place_cursor_move(fzi_place_cursor *c, const fz_program *program, const fz_place *place)
{
    const fz_source_info *source = &program->sources[place->source];
    const char *text = program->text + source->text;
    uint32_t to = place->start < source->text_length ? place->start : source->text_length;

    if (c->source != place->source || !c->line)
        *c = (fzi_place_cursor){.source = place->source, .line = 1, .column = 1};
    if (to < c->at)
        move_back(c, text, to);
    while (c->at < to) {
        c->column += !fzi_utf8_continues(text[c->at]);
        if (text[c->at++] == '\n') {
            c->line++;
            c->column = 1;
            c->line_start = c->at;
        }
    }
}
