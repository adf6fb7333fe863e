/* Games of sowing: boards of pits, tracks, seeds. Part of lud_writer.h. */
#ifndef FZ_GRAMMAR_IMPORT_LUD_SOW_H
#define FZ_GRAMMAR_IMPORT_LUD_SOW_H

#include "importer.h"
#include "lud.h"

enum { FZ_LUD_MOST_TRACKS = 8, FZ_LUD_MOST_PITS = 200 };

/* A lap over sites, by Ludii's numbers. */
typedef struct fzi_lud_track {
    const char *name;
    int owner; /* 0: everybody's */
    unsigned sites[FZ_LUD_MOST_PITS];
    unsigned count;
    const char *onward, *back; /* directions of the script */
} fzi_lud_track;

typedef struct fzi_lud_sowing {
    bool on;     /* the board is one of pits */
    bool stores; /* pits at the ends, which are the first and the last site */
    unsigned rows, columns;
    fzi_lud_track tracks[FZ_LUD_MOST_TRACKS];
    size_t track_count;
    /* From each site, what the tracks have and the circuit of the pits has not. */
    fzi_growing edges[FZ_LUD_MOST_PITS];
    bool has_edges;
    bool joins_more;   /* pits have neighbours besides those of their rows and columns */
    bool replaced;     /* a track has edges of `ccw` and `cw` replaced */
    unsigned own_dirs; /* names of directions that are no circuit */
    unsigned asked;    /* conditions that are asked before effects */
    bool uses_opposite;
    bool uses_reached, uses_pending, uses_state;
    bool pending_set; /* several sites at once */
    /* What is counted before the effects of an `and`; NULL: there is none around. */
    fzi_growing *before;
} fzi_lud_sowing;

struct fzi_lud_writer;

/* (mancalaBoard 2 6 …) */
bool fzi_lud_read_pits(struct fzi_lud_writer *w, const fzi_lud *node);
/* The board's text, once all tracks that the rules use are known. */
const char *fzi_lud_pits_text(struct fzi_lud_writer *w);
/* (fromTo (from …) (to …) count:…) and (remove …) of seeds as statements; NULL: not said. */
const char *fzi_lud_carry(struct fzi_lud_writer *w, const fzi_lud *node);
const char *fzi_lud_take_off(struct fzi_lud_writer *w, const fzi_lud *node);
/* (move (from …) (to …) count:…) of seeds, as an option */
bool fzi_lud_add_carry(struct fzi_lud_writer *w, const fzi_lud *node, const char *then,
                       fzi_growing *to);
/* (set Count 4 to:…) of the start */
bool fzi_lud_start_count(struct fzi_lud_writer *w, const fzi_lud *node, fzi_growing *to);

#endif
