/* Describes a game, for `ferz info`: as text, or as an object of JSON. */
#ifndef FZ_CLI_PRINT_GAME_H
#define FZ_CLI_PRINT_GAME_H

#include "ferz_tools.h"
#include "json.h"

void fzi_game_print(const fz_program *program);
json_t *fzi_game_json(const fz_program *program);

#endif
