/* The options of pictures: --svg, --png, --pdf, --scene, --theme, --set. */
#ifndef FZ_CLI_PICTURE_OPTIONS_H
#define FZ_CLI_PICTURE_OPTIONS_H

#include "options.h"

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

#endif
