/* `ferz show --svg` and the like: a position painted into a file. */
#ifndef FZ_CLI_PICTURE_FILE_H
#define FZ_CLI_PICTURE_FILE_H

#include "picture_options.h"
#include "session.h"

/* Writes the picture of the session's state for a player (-1: everything). An exit code. */
int fzi_picture_write(fzi_session *session, int player);
/* The same, to a file of its own: with --output game.svg and number 7, game-007.svg. */
int fzi_picture_write_numbered(fzi_session *session, int player, size_t number);

#endif
