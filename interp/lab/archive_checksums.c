/* Checksums of the rows of archives. docs/archive.md describes them. See lab.h. */
#include "lab.h"
#include "sqlite.h"

static uint64_t add_number(uint64_t hash, int64_t number)
{
    char bytes[8];

    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)((uint64_t)number >> 8 * i & 0xff);
    return fzi_text_hash(bytes, sizeof bytes, hash);
}

/* Two rows with different values have different texts here. Archives hold no other types. */
static uint64_t add_value(uint64_t hash, sqlite3_value *value)
{
    const char *text;
    int length;

    switch (sqlite3_value_type(value)) {
    case SQLITE_NULL: return fzi_text_hash("n", 1, hash);
    case SQLITE_INTEGER:
        return add_number(fzi_text_hash("i", 1, hash), sqlite3_value_int64(value));
    case SQLITE_TEXT:
        text = (const char *)sqlite3_value_text(value);
        length = sqlite3_value_bytes(value);
        hash = add_number(fzi_text_hash("t", 1, hash), length);
        return fzi_text_hash(text ? text : "", text ? (size_t)length : 0, hash);
    default: return fzi_text_hash("x", 1, hash);
    }
}

static int64_t checksum(sqlite3_value **values, int count)
{
    uint64_t hash = FZI_HASH_START;

    for (int i = 0; i < count; i++)
        hash = add_value(hash, values[i]);
    return (int64_t)hash;
}

/* row_checksum(COLUMN, ...) */
static void row_checksum(sqlite3_context *call, int count, sqlite3_value **values)
{
    sqlite3_result_int64(call, checksum(values, count));
}

/* row_is_whole(CHECKSUM, COLUMN, ...) is 1, or the statement fails. */
static void row_is_whole(sqlite3_context *call, int count, sqlite3_value **values)
{
    if (sqlite3_value_type(values[0]) == SQLITE_INTEGER &&
        sqlite3_value_int64(values[0]) == checksum(values + 1, count - 1)) {
        sqlite3_result_int64(call, 1);
        return;
    }
    sqlite3_result_error(call, "a row does not have its checksum", -1);
    sqlite3_result_error_code(call, SQLITE_CORRUPT); /* after the text, which it keeps */
}

int fzi_checksums_add(sqlite3 *database)
{
    static const struct {
        const char *name;
        void (*run)(sqlite3_context *, int, sqlite3_value **);
    } functions[] = {{"row_checksum", row_checksum}, {"row_is_whole", row_is_whole}};
    int code = SQLITE_OK;

    for (size_t i = 0; i < sizeof functions / sizeof *functions && code == SQLITE_OK; i++)
        code = sqlite3_create_function(database, functions[i].name, -1,
                                       SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL, functions[i].run,
                                       NULL, NULL);
    return code;
}
