/* Reading and writing whole files. */
#ifndef FZ_CLI_FILES_H
#define FZ_CLI_FILES_H

#include "options.h"

/* A text from the file (stdin for "-"), to be freed with free; NULL after a complaint. */
char *fzi_file_read(const fzi_cli *cli, const char *path, size_t *length);
/* Writes the bytes (to stdout for "-"); a file is replaced only when all is written. An exit
 * code. */
int fzi_file_write(const fzi_cli *cli, const char *path, const char *bytes, size_t length);
/* The path of the file `name`: as given if it is there, otherwise beside another file if it is
 * there. To be freed. */
char *fzi_file_beside(const char *beside, const char *name);

#endif
