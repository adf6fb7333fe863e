/* `ferz show --svg` and the like: a position painted into a file. */
#ifndef FZ_CLI_PICTURE_FILE_H
#define FZ_CLI_PICTURE_FILE_H

#include "session.h"

/* Was a picture asked for? */
bool fzi_picture_asked(const fzi_cli *cli);
/* Are the options of pictures right? They are complained about before the game is compiled. */
int fzi_picture_check(const fzi_cli *cli);
/* The number of --theme, or of the first one; -1 after a complaint. */
int fzi_picture_theme(const fzi_cli *cli);
/* The name of the `let` that --set becomes (fzi_picture_script). */
#define FZ_PICTURE_SET "set_to_shade"
/* The script with the set of --set as a shown `let` behind it, so that it is checked and evaluated
 * as any other, and for a player from what that player knows. To be freed; NULL after a
 * complaint. */
char *fzi_picture_script(const fzi_cli *cli, const char *path, size_t *length);
/* Writes the picture of the session's state for a player (-1: everything). An exit code. */
int fzi_picture_write(fzi_session *session, int player);
/* The same, to a file of its own: with --output game.svg and number 7, game-007.svg. */
int fzi_picture_write_numbered(fzi_session *session, int player, size_t number);

#endif
