/* The cache of compiled code: shared libraries under the hash of what they were made from. Loading
 * one runs it, so the folder must be writable by its owner alone, and a file is checked as a whole
 * before it is loaded.
 *
 * The folder is opened once, without following a link, and everything goes through that
 * descriptor: whoever renames or replaces a path on the way changes nothing. */
#ifndef FZ_INTERP_NATIVE_NATIVE_CACHE_H
#define FZ_INTERP_NATIVE_NATIVE_CACHE_H

#include <stdbool.h>
#include <stddef.h>

/* A descriptor of $XDG_CACHE_HOME/ferz, ~/.cache/ferz or /tmp/ferz-UID, made if necessary;
 * closed by the caller. -1: there is no such folder that is the user's own and that nobody else
 * may write in. */
int fzi_cache_open(void);

/* Makes a file in the folder with these contents; it must not be there. */
bool fzi_cache_write(int folder, const char *name, const char *text, size_t length);

/* Marks a finished library as complete: adds its length and a checksum at its end. */
bool fzi_cache_seal(int folder, const char *name);

/* Is there a sealed library of the user's own, complete and undamaged? It counts as used now. */
bool fzi_cache_has(int folder, const char *name);

/* The path by which the library can be loaded: it leads through the descriptor. It holds the
 * library's own name, so two libraries never have the same path. False: `size` is too small. */
bool fzi_cache_path(int folder, const char *name, char *path, size_t size);

/* Removes files of compiles that were killed: NAME.PID.… of processes that are gone, unchanged
 * for ten minutes. Then libraries that were not used for 60 days, and those whose use was longest
 * ago until the others have at most 256 MiB. */
void fzi_cache_sweep(int folder);

#endif
