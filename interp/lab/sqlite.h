/* SQLite, for the archives. Without it (configure --without-sqlite) the functions below stand for
 * it: no archive can be opened, so none but sqlite3_open_v2 and sqlite3_errmsg is ever called. */
#ifndef FZ_INTERP_LAB_SQLITE_H
#define FZ_INTERP_LAB_SQLITE_H

#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#ifdef HAVE_SQLITE
#include <sqlite3.h>
#else

#include <stddef.h>

typedef struct sqlite3 {
    char none;
} sqlite3;
typedef struct sqlite3_stmt sqlite3_stmt;
typedef struct sqlite3_value sqlite3_value;
typedef struct sqlite3_context sqlite3_context;
typedef long long sqlite3_int64;

enum { SQLITE_OK, SQLITE_ERROR, SQLITE_BUSY = 5, SQLITE_IOERR = 10, SQLITE_CORRUPT = 11,
       SQLITE_FULL = 13, SQLITE_SCHEMA = 17, SQLITE_CONSTRAINT = 19,
       SQLITE_NOTADB = 26, SQLITE_ROW = 100, SQLITE_DONE };
enum { SQLITE_INTEGER = 1, SQLITE_TEXT = 3, SQLITE_NULL = 5, SQLITE_UTF8 = 1,
       SQLITE_DETERMINISTIC = 0x800, SQLITE_OPEN_READWRITE = 2, SQLITE_OPEN_CREATE = 4 };
#define SQLITE_TRANSIENT NULL

static inline int sqlite3_open_v2(const char *path, sqlite3 **database, int flags, const char *vfs)
{
    static const sqlite3 none = {0};
    (void)path, (void)flags, (void)vfs;
    *database = (sqlite3 *)(void *)&none;
    return SQLITE_ERROR;
}

static inline const char *sqlite3_errmsg(sqlite3 *database)
{
    (void)database;
    return "this ferz was built without SQLite, which archives need";
}

#define FZI_ABSENT(type, name, parameters)                                                        \
    static inline type sqlite3_##name parameters                                                  \
    {                                                                                             \
        return (type)0;                                                                           \
    }
#define S sqlite3_stmt *statement __attribute__((unused))
#define D sqlite3 *database __attribute__((unused))
#define U __attribute__((unused))
#define V sqlite3_value *value __attribute__((unused))
FZI_ABSENT(int, bind_int64, (S, int at U, sqlite3_int64 value U))
FZI_ABSENT(int, bind_null, (S, int at U))
FZI_ABSENT(int, bind_text, (S, int at U, const char *text U, int size U, void *free U))
FZI_ABSENT(int, bind_value, (S, int at U, const sqlite3_value *value U))
FZI_ABSENT(int, busy_timeout, (D, int milliseconds U))
FZI_ABSENT(int, close, (D))
FZI_ABSENT(int, column_count, (S))
FZI_ABSENT(int, column_int, (S, int column U))
FZI_ABSENT(sqlite3_int64, column_int64, (S, int column U))
FZI_ABSENT(const char *, column_name, (S, int column U))
FZI_ABSENT(const unsigned char *, column_text, (S, int column U))
FZI_ABSENT(int, column_type, (S, int column U))
FZI_ABSENT(sqlite3_value *, column_value, (S, int column U))
FZI_ABSENT(int, create_function, (D, const char *name U, int count U, int flags U, void *user U,
                                  void (*run)(sqlite3_context *, int, sqlite3_value **) U,
                                  void (*step)(sqlite3_context *, int, sqlite3_value **) U,
                                  void (*end)(sqlite3_context *) U))
FZI_ABSENT(int, errcode, (D))
FZI_ABSENT(int, exec, (D, const char *sql U, void *row U, void *user U, char **message U))
FZI_ABSENT(int, finalize, (S))
FZI_ABSENT(sqlite3_int64, last_insert_rowid, (D))
FZI_ABSENT(int, prepare_v2, (D, const char *sql U, int size U, sqlite3_stmt **made U,
                             const char **rest U))
FZI_ABSENT(int, reset, (S))
FZI_ABSENT(int, sleep, (int milliseconds U))
FZI_ABSENT(int, step, (S))
FZI_ABSENT(int, value_bytes, (V))
FZI_ABSENT(sqlite3_int64, value_int64, (V))
FZI_ABSENT(const unsigned char *, value_text, (V))
FZI_ABSENT(int, value_type, (V))
#undef V
#undef S
#undef D
#undef U

static inline void sqlite3_randomness(int size, void *bytes)
{
    (void)size, (void)bytes;
}

static inline void sqlite3_result_error(sqlite3_context *call, const char *text, int size)
{
    (void)call, (void)text, (void)size;
}

static inline void sqlite3_result_error_code(sqlite3_context *call, int code)
{
    (void)call, (void)code;
}

static inline void sqlite3_result_int64(sqlite3_context *call, sqlite3_int64 value)
{
    (void)call, (void)value;
}

#endif
#endif
