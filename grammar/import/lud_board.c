/* The boards of .lud files as shapes of Ferz, and the names of their sites. */
#include <ctype.h>
#include <stdlib.h>

#include "lud_writer.h"

enum { MOST_SIZE = 40, MOST_SITES = 1024, MOST_NUMBER = 1000000 };

int fzi_lud_number(fzi_lud_writer *w, const fzi_lud *node)
{
    if (node->kind == FZ_LUD_WORD && isdigit((unsigned char)node->text[0])) {
        size_t length = strlen(node->text);
        return length < 6 && strspn(node->text, "0123456789") == length ? atoi(node->text) : -1;
    }
    const fzi_lud *plain =
        node->kind == FZ_LUD_LIST || node->kind == FZ_LUD_STRING ? fzi_lud_plain(w, node) : NULL;
    if (plain && plain->kind == FZ_LUD_WORD)
        return fzi_lud_number(w, plain);
    if (plain && fzi_lud_is(plain, "count") && plain->count == 2 && !w->board.is_graph &&
        w->board.count) {
        if (fzi_lud_is_word(plain->items[1], "Rows"))
            return (int)w->board.rows;
        if (fzi_lud_is_word(plain->items[1], "Columns"))
            return (int)w->board.columns;
    }
    if (!plain || plain->count != 3 || plain->items[0]->kind != FZ_LUD_WORD)
        return -1;
    int a = fzi_lud_number(w, plain->items[1]), b = fzi_lud_number(w, plain->items[2]);
    if (a < 0 || b < 0)
        return -1;
    switch (plain->items[0]->text[0]) {
    case '+': return a + b < MOST_NUMBER ? a + b : -1;
    case '-': return a - b;
    case '*': return a < 1000 && b < 1000 ? a * b : -1;
    case '/': return b ? a / b : -1;
    default: return -1;
    }
}

static void add_site(fzi_lud_writer *w, unsigned column, unsigned row)
{
    w->board.names[w->board.count++] = fzi_lud_site_name(w, column, row);
}

static bool in_range(int size)
{
    return size >= 1 && size <= MOST_SIZE;
}

/* Columns and rows; `rows` and `columns` are in range. */
static bool squares(fzi_lud_writer *w, unsigned rows, unsigned columns)
{
    fzi_lud_board *b = &w->board;

    if (rows * columns > MOST_SITES)
        return false;
    for (unsigned row = 0; row < rows; row++)
        for (unsigned column = 0; column < columns; column++)
            add_site(w, column, row);
    b->rows = rows;
    b->columns = columns;
    fzi_lud_write_holes(w);
    b->middle = b->names[(rows - 1) / 2 * columns + (columns - 1) / 2];
    return true;
}

/* A hexagon of hexagons: rows from the bottom, as Ferz names them. */
static bool hexagon(fzi_lud_writer *w, unsigned side)
{
    fzi_lud_board *b = &w->board;
    unsigned size = 2 * side - 1;

    if (side > 18)
        return false;
    for (unsigned row = 0; row < size; row++) {
        unsigned first = row < side ? 0 : row - side + 1, last = row < side ? side + row : size;
        for (unsigned column = first; column < last; column++)
            add_site(w, column, row);
    }
    b->rows = b->columns = size;
    b->hexagons = true;
    b->text = FZ_LUD_TEXT(w, "hex(%u)", side);
    b->top = FZ_LUD_TEXT(w, "rank(%u)", size);
    b->bottom = "rank(1)";
    b->middle = b->names[b->count / 2];
    return true;
}

/* (rotate 90 (hex 5)), (rotate 30 (hex 5)): the sites have the names that they have without the
 * rotation, in Ludii's order, which is that of the rows before it. */
static bool turned_hexagon(fzi_lud_writer *w, const fzi_lud *shape)
{
    const fzi_lud *inner = shape->count == 3 ? fzi_lud_plain(w, shape->items[2]) : NULL;
    int angle = inner ? fzi_lud_number(w, shape->items[1]) : -1;
    int side = inner && fzi_lud_is(inner, "hex") && inner->count == 2
                   ? fzi_lud_number(w, inner->items[1])
                   : -1;
    fzi_lud_board *b = &w->board;

    if (!fzi_lud_is(shape, "rotate") || (angle != 30 && angle != 90) || side < 2 ||
        b->on_vertices || !hexagon(w, (unsigned)side))
        return false;
    b->turned = angle;
    b->top = b->bottom = NULL;
    if (angle == 30)
        return true;
    int size = 2 * side - 1, count = 0; /* a row has the same column, less its row */
    for (int row = 0; row < size; row++)
        for (int column = 0; column < size; column++) {
            int up = column - (side - 1 - row);
            if (up >= 0 && up < size && abs(column - up) < side)
                b->names[count++] = FZ_LUD_TEXT(w, "%c%d", 'a' + column, up + 1);
        }
    return true;
}

/* (sites Side NE) of hexagons; NULL: there is none. */
const char *fzi_lud_hex_side(fzi_lud_writer *w, const char *name)
{
    static const struct {
        const char *shape, *names[6]; /* of sides 1, 2 … */
        int turned;
    } boards[] = {{"hex(", {"S", "SE", "NE", "N", "NW", "SW"}, 0},
                  {"hex(", {"SE", "E", "NE", "NW", "W", "SW"}, 30},
                  {"hex(", {"SE", "E", "NE", "NW", "W", "SW"}, 90},
                  {"hex_rhombus(", {"SE", "SW", "NW", "NE"}, 0}};

    for (size_t i = 0; i < sizeof boards / sizeof *boards; i++)
        for (int side = 0; side < 6 && boards[i].turned == w->board.turned; side++)
            if (boards[i].names[side] && strcmp(boards[i].names[side], name) == 0 &&
                strncmp(w->board.text, boards[i].shape, strlen(boards[i].shape)) == 0)
                return FZ_LUD_TEXT(w, "side(%d)", side + 1);
    return NULL;
}

/* A rhombus that stands on a corner. Ferz's lies on a side: its columns count from the right. */
static bool rhombus(fzi_lud_writer *w, unsigned size)
{
    fzi_lud_board *b = &w->board;

    if (size > 32)
        return false;
    for (unsigned height = 0; height < 2 * size - 1; height++)
        for (unsigned column = 0; column < size; column++)
            if (height >= column && height - column < size)
                add_site(w, size - 1 - column, height - column);
    b->rows = b->columns = size;
    b->hexagons = true;
    b->text = FZ_LUD_TEXT(w, "hex_rhombus(%u)", size);
    return true;
}

static bool triangle(fzi_lud_writer *w, unsigned size)
{
    fzi_lud_board *b = &w->board;

    for (unsigned row = 0; row < size; row++)
        for (unsigned column = 0; column + row < size; column++)
            add_site(w, column, row);
    b->rows = b->columns = size;
    b->hexagons = true;
    b->text = FZ_LUD_TEXT(w, "triangle(%u)", size);
    b->bottom = "rank(1)";
    return true;
}

static bool read_shape(fzi_lud_writer *w, const fzi_lud *shape)
{
    const fzi_lud *last = shape->items[shape->count - 1];
    const char *kind = shape->count > 2 && shape->items[1]->kind == FZ_LUD_WORD &&
                               isalpha((unsigned char)shape->items[1]->text[0])
                           ? shape->items[1]->text
                           : "";
    int size = shape->count >= 2 && !last->label ? fzi_lud_number(w, last) : -1;
    bool plain = !*kind && shape->count == 2, named = *kind && shape->count == 3;

    if (!in_range(size))
        return false;
    if (fzi_lud_is(shape, "square") && plain)
        return squares(w, (unsigned)size, (unsigned)size);
    if (fzi_lud_is(shape, "rectangle") && !*kind && shape->count == 3 && !shape->items[1]->label) {
        int rows = fzi_lud_number(w, shape->items[1]);
        return in_range(rows) && squares(w, (unsigned)rows, (unsigned)size);
    }
    bool hexes = fzi_lud_is(shape, "hex") && !w->board.on_vertices;
    bool points = fzi_lud_is(shape, "tri") && w->board.on_vertices;
    if ((hexes && plain) || ((hexes || points) && named && strcmp(kind, "Hexagon") == 0))
        return hexagon(w, (unsigned)size);
    if (hexes && named && strcmp(kind, "Diamond") == 0)
        return rhombus(w, (unsigned)size);
    if ((points && plain) || ((hexes || points) && named && strcmp(kind, "Triangle") == 0))
        return triangle(w, (unsigned)size);
    return false;
}

static bool add_track(fzi_lud_writer *w, const fzi_lud *track)
{
    if (!fzi_lud_is(track, "track") || w->track_form_count == FZ_LUD_MOST_FORMS)
        return false;
    w->track_forms[w->track_form_count++] = track;
    return true;
}

/* Tracks say nothing until a form uses them. */
static bool is_tracks(fzi_lud_writer *w, const fzi_lud *written)
{
    const fzi_lud *node = fzi_lud_plain(w, written);

    if (!node)
        return false;
    for (size_t i = 0; node->kind == FZ_LUD_SET && i < node->count; i++) {
        const fzi_lud *track = fzi_lud_plain(w, node->items[i]);
        if (!track || !add_track(w, track))
            return false;
    }
    return node->kind == FZ_LUD_SET || add_track(w, node);
}

/* Those of hands may follow. */
static const char **names_of_sites(fzi_lud_writer *w)
{
    return fzi_arena_alloc(w->arena, (MOST_SITES + FZ_LUD_MOST_PLAYERS) * sizeof(char *));
}

static bool read_board(fzi_lud_writer *w, const fzi_lud *node)
{
    const fzi_lud *shape = node->count > 1 ? fzi_lud_plain(w, node->items[1]) : NULL;
    const fzi_lud *use = fzi_lud_labelled(node, "use");

    if (!shape || !fzi_lud_is(node, "board"))
        return fzi_lud_unsaid(w, node, "not translated yet") != NULL;
    for (size_t i = 2; i < node->count; i++)
        if (node->items[i] != use && !is_tracks(w, node->items[i]))
            return fzi_lud_unsaid(w, node->items[i], "not translated yet") != NULL;
    w->board.on_vertices = fzi_lud_is_word(use, "Vertex");
    if (use && !w->board.on_vertices && !fzi_lud_is_word(use, "Cell"))
        return fzi_lud_unsaid(w, node, "not translated yet") != NULL;
    w->board.names = names_of_sites(w);
    if (shape->kind == FZ_LUD_LIST && shape->count >= 2 && read_shape(w, shape))
        return true;
    if (shape->kind == FZ_LUD_LIST && turned_hexagon(w, shape))
        return true;
    if (shape->kind == FZ_LUD_LIST)
        return fzi_lud_read_graph(w, shape);
    return fzi_lud_unsaid(w, shape, "this board is not translated yet") != NULL;
}

bool fzi_lud_read_board(fzi_lud_writer *w, const fzi_lud *node)
{
    if (read_board(w, node))
        return true;
    if (!fzi_lud_go_on(w))
        return false;
    w->board = (fzi_lud_board){.names = names_of_sites(w)};
    return squares(w, 8, 8);
}

const char *fzi_lud_site(const fzi_lud_writer *w, const char *text)
{
    if (isdigit((unsigned char)text[0])) {
        size_t number = strtoul(text, NULL, 10);
        /* The numbers of hands come behind those of points and of faces. */
        bool hands = w->hand_sites && (!w->board.is_graph || w->board.open);
        size_t count = w->board.count + (hands ? w->hand_count : 0);
        return strspn(text, "0123456789") == strlen(text) && number < count ? w->board.names[number]
                                                                            : NULL;
    }
    for (size_t i = 0; i < w->board.count && !strstr(w->board.text, "_rhombus") &&
                       !strstr(w->board.text, "triangle");
         i++) {
        const char *name = w->board.names[i];
        size_t at = 0;
        while (name[at] && tolower((unsigned char)text[at]) == name[at])
            at++;
        if (!name[at] && !text[at])
            return name;
    }
    return NULL;
}

const char *fzi_lud_board_module(const char *text)
{
    static const struct {
        const char *module;
        uint64_t hash;
    } boards[] = {
#define BOARD(module, hash) {#module, hash},
#include "lud_boards.def"
#undef BOARD
    };
    uint64_t hash = 0xcbf29ce484222325; /* FNV-1a */

    for (; *text; text++)
        if (!isspace((unsigned char)*text))
            hash = (hash ^ (unsigned char)*text) * 0x100000001b3;
    for (size_t i = 0; i < sizeof boards / sizeof *boards; i++)
        if (boards[i].hash == hash)
            return boards[i].module;
    return NULL;
}
