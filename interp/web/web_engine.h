/* The engine for WebAssembly: what npm/index.js calls. A client of libferz; JavaScript sees
 * numbers, handles and texts.
 *
 * A call returns a status of ferz.h, 0 for success, or a handle, 0 on failure. Then fzi_web_answer
 * is its answer: JSON, or on failure a message. Texts that go in are UTF-8 with a NUL, in memory of
 * malloc. Handles are freed by the caller, states and runs before their game.
 *
 * Files come from the host (WASI): scripts, modules in /stdlib. */
#ifndef FZ_INTERP_WEB_WEB_ENGINE_H
#define FZ_INTERP_WEB_WEB_ENGINE_H

#include <stdint.h>

#include "interp/support/buffer.h"
#include "ferz_tools.h"

#ifdef __wasm__
#define FZ_EXPORT(name) __attribute__((export_name(name)))
#else
#define FZ_EXPORT(name)
#endif

/* ---- for the files of this room ---- */

typedef struct fzi_web_game {
    fz_context *context;
    fz_program *program;
    fz_program *explaining;  /* for reasons; NULL: not made yet, or it cannot be made */
    bool no_explaining;
    fz_machine *machine;
    fz_moves *moves;
    const struct fzi_web_state *listed; /* the state whose moves are in `moves`; NULL: none */
    char *path;
    fz_setting *settings;
    size_t setting_count;
    char *setting_text;
} fzi_web_game;

typedef struct fzi_web_state {
    fzi_web_game *game;
    fz_state *state;
    bool asks;               /* chance is set from outside; else sampled */
} fzi_web_state;

/* The one context; NULL when memory is short. */
fz_context *fzi_web_context(void);
/* The answer, emptied. */
fzi_buffer *fzi_web_begin(void);
/* On failure the message of the machine, of the context, or the given one becomes the answer. */
fz_status fzi_web_end(const fzi_web_game *game, fz_status status);
fz_status fzi_web_fail(fz_status status, const char *message);
/* The answer {"text": …}; if the status is a failure, that of fzi_web_end. */
fz_status fzi_web_text(const fzi_web_game *game, fz_status status, const char *text);
/* The machine in the state's mode of chance. */
fz_machine *fzi_web_machine(const fzi_web_state *state);
/* The legal moves; they are valid until the state changes. */
fz_status fzi_web_list(fzi_web_state *state);

/* ---- memory and answers ---- */

const char *fzi_web_answer(void) FZ_EXPORT("answer");
size_t fzi_web_answer_length(void) FZ_EXPORT("answer_length");
/* Bounds for what is made from now on; 0: the default (fz_limits). */
void fzi_web_limits(uint64_t instructions, uint64_t playout, uint32_t idle_turns,
                    uint32_t memory) FZ_EXPORT("limits");

/* ---- web_game.c: scripts ---- */

/* Compiles the script at `path`. `settings`: lines "Name=Value". `covers`: for coverage. The answer
 * is {"diagnostics": [...]}, also without a handle. */
fzi_web_game *fzi_web_load(const char *path, const char *settings, int covers) FZ_EXPORT("load");
void fzi_web_unload(fzi_web_game *game) FZ_EXPORT("unload");
/* Title, players, sites, kinds, options and agents. */
fz_status fzi_web_describe(fzi_web_game *game) FZ_EXPORT("describe");
/* The formatted text of a file, as {"text": ...}. */
fz_status fzi_web_format(const char *path) FZ_EXPORT("format");
/* Runs the tests of the script at `path`: {"tests": [{"title", "passed", "message"}]}. */
fz_status fzi_web_test(const char *path, const char *settings) FZ_EXPORT("test");

/* ---- web_state.c: games in progress ---- */

/* `asks`: chance waits until it is set. The state remembers the whole game. */
fzi_web_state *fzi_web_start(fzi_web_game *game, uint64_t seed, uint64_t stream, int asks)
    FZ_EXPORT("start");
fzi_web_state *fzi_web_clone(const fzi_web_state *from) FZ_EXPORT("clone");
void fzi_web_drop(fzi_web_state *state) FZ_EXPORT("drop");
/* The event that the state waits for, and the result if the game is over. */
fz_status fzi_web_status(fzi_web_state *state) FZ_EXPORT("status");
/* [{"text", "shown", "from", "to"}]; `player` reads "shown", -1: everybody. Nothing is listed for a
 * player who does not decide. */
fz_status fzi_web_moves(fzi_web_state *state, int player) FZ_EXPORT("moves");
/* The texts that the players see when a move (by its place in the list; -1: a value of chance)
 * is played, in the order of the players. */
fz_status fzi_web_told(fzi_web_state *state, int index, int64_t chance) FZ_EXPORT("told");
/* The sites as the player sees them: null if empty, "?" if hidden, else [kind, owner, height] as
 * numbers. */
fz_status fzi_web_contents(fzi_web_state *state, int player) FZ_EXPORT("contents");
/* Plays a legal move by its place in the list, or by its text. */
fz_status fzi_web_play(fzi_web_state *state, unsigned index) FZ_EXPORT("play");
fz_status fzi_web_play_text(fzi_web_state *state, const char *text) FZ_EXPORT("play_text");
/* The place in the list of the move that a person typed, as fzi_typed_move reads it: {"index",
 * "several"}. -1: there is none, or `several` texts fit. */
fz_status fzi_web_find(fzi_web_state *state, const char *typed) FZ_EXPORT("find");
/* [{"value", "weight", "text"}] of the chance that is waited for. */
fz_status fzi_web_outcomes(fzi_web_state *state, int player) FZ_EXPORT("outcomes");
fz_status fzi_web_set_chance(fzi_web_state *state, int64_t value) FZ_EXPORT("set_chance");
/* Draws the awaited chance from the state's own stream: {"value", "text"}. */
fz_status fzi_web_sample_chance(fzi_web_state *state) FZ_EXPORT("sample_chance");
/* The state as the player sees it (-1: everything): as a position, as an observation, and drawn
 * as text. */
fz_status fzi_web_position(fzi_web_state *state, int player) FZ_EXPORT("position");
fz_status fzi_web_observation(fzi_web_state *state, int player) FZ_EXPORT("observation");
fz_status fzi_web_draw(fzi_web_state *state, int player) FZ_EXPORT("draw");
/* The state becomes this position, or this FEN: a line with a slash. */
fz_status fzi_web_read(fzi_web_state *state, const char *position) FZ_EXPORT("read");
/* The record of the game; `path` names its script. */
fz_status fzi_web_record(fzi_web_state *state, const char *path, uint64_t seed) FZ_EXPORT("record");
/* What a record says: {"game", "position", "seed" as a text, "options": [[name, value]],
 * "entries"}. */
fz_status fzi_web_read_record(const char *text) FZ_EXPORT("read_record");
/* Why a text is a legal move or not. */
fz_status fzi_web_why(fzi_web_state *state, const char *text) FZ_EXPORT("why");
/* The statements that run for a move by its place in the list; -1: for a value of chance. */
fz_status fzi_web_story(fzi_web_state *state, int index, int64_t chance, int player)
    FZ_EXPORT("story");
/* {"svg", "below", "drawn", "box", "sites", "things"}: a picture with the theme, whose coordinates
 * are hundredths of the distance of neighbouring sites; the lines of text below the board; whether
 * there is more than these lines; the corners and the middles of sites in distances; cards, dice
 * and pieces in hand by their names and roles. `set`: a region that is highlighted, or "". `bare`:
 * the picture is without the lines, unless they are all there is. `lost`: pieces beside the board,
 * as "owner kind number" with blanks between all of them. */
fz_status fzi_web_picture(fzi_web_state *state, int player, const char *set, const char *theme,
                          int bare, const char *lost) FZ_EXPORT("picture");

/* ---- web_runs.c: many games, and players ---- */

typedef struct fzi_web_runs fzi_web_runs;

/* Random playouts with streams from 0. `covers`: they count which rules ran. */
fzi_web_runs *fzi_web_runs_new(fzi_web_game *game, uint64_t seed, int covers)
    FZ_EXPORT("runs_new");
void fzi_web_runs_free(fzi_web_runs *runs) FZ_EXPORT("runs_free");
/* Plays `count` more; the answer counts all so far. */
fz_status fzi_web_runs_more(fzi_web_runs *runs, uint32_t count) FZ_EXPORT("runs_more");
/* [{"line", "column", "start", "length", "ran", "tried", "offered"}] of the script's own rules. */
fz_status fzi_web_runs_rules(fzi_web_runs *runs) FZ_EXPORT("runs_rules");
/* The number of sequences of `depth` turns, as a decimal text: {"nodes": "20"}. */
fz_status fzi_web_perft(fzi_web_state *state, unsigned depth) FZ_EXPORT("perft");
/* The move that an agent chooses: {"index", "text", "wins", "visits"}: whether it is a proven win,
 * and how often each move was tried, if the agent says it. */
fz_status fzi_web_choose(fzi_web_state *state, const char *agent, uint64_t seed)
    FZ_EXPORT("choose");

/* ---- web_pages.c ---- */

/* The rules in English, as `ferz rules --html` writes them without the board: {"html"}. */
fz_status fzi_web_rules(fzi_web_game *game) FZ_EXPORT("rules");
/* Plays random games and reports how they use the sites and the lines of the board: {"games",
 * "sites": {"svg", "share", "most": [site]}, "lines": the same with the two sites of the line}.
 * What is not used is left out. */
fz_status fzi_web_use(fzi_web_state *state, uint64_t seed, uint32_t count, const char *theme)
    FZ_EXPORT("use");

/* ---- web_lsp.c ---- */

/* Serves the messages of the Language Server Protocol on the descriptors 0 and 1 until the first
 * ends. */
int fzi_web_serve(void) FZ_EXPORT("serve");

#endif
