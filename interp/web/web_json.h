/* JSON, written into a text that grows. Members and items are separated by themselves: whoever
 * writes says what begins and what ends. */
#ifndef FZ_INTERP_WEB_WEB_JSON_H
#define FZ_INTERP_WEB_WEB_JSON_H

#include <stdint.h>

#include "interp/support/buffer.h"

/* `key` names a member of an object; NULL: an item of an array, or the whole. */
void fzi_web_open(fzi_buffer *out, const char *key, char bracket);
void fzi_web_close(fzi_buffer *out, char bracket);
/* What is not UTF-8 becomes U+FFFD; NULL becomes null. */
void fzi_web_string(fzi_buffer *out, const char *key, const char *text);
void fzi_web_string_part(fzi_buffer *out, const char *key, const char *text, size_t length);
/* Beyond 2^53 the reader may round. */
void fzi_web_integer(fzi_buffer *out, const char *key, int64_t value);
/* With `digits` behind the point at most; null for what is no number. */
void fzi_web_real(fzi_buffer *out, const char *key, double value, int digits);
void fzi_web_bool(fzi_buffer *out, const char *key, bool value);
/* JSON that is written already. */
void fzi_web_written(fzi_buffer *out, const char *key, const char *json);

#endif
