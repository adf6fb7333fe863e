/* Values cross as the language page says: numbers, truth values and members of finite types as int, a set
 * of sites as a pointer to its words and an int, their number. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "ffi.h"

#include <string.h>

#ifdef HAVE_LIBFFI

#include <dlfcn.h>
#include <ffi.h>
#include <stdio.h>

enum { MOST_ARGUMENTS = 32 };

typedef struct bound {
    void (*function)(void);
    ffi_cif cif;
    ffi_type *types[MOST_ARGUMENTS];
    uint8_t order[16];
    uint8_t params;
} bound;

struct fzi_natives {
    fzi_allocator allocator;
    int words;
    uint32_t count;
    uint32_t library_count;
    bound *functions;
    void **libraries;
};

void fzi_natives_free(fzi_natives *natives)
{
    if (!natives)
        return;
    for (uint32_t i = 0; i < natives->library_count; i++)
        dlclose(natives->libraries[i]);
    fzi_release(natives->allocator, natives->libraries);
    fzi_release(natives->allocator, natives->functions);
    fzi_release(natives->allocator, natives);
}

static fzi_natives *natives_new(fz_context *context, const fz_program *program)
{
    fzi_allocator allocator = context->allocator;
    fzi_natives *natives = fzi_allocate(allocator, sizeof *natives);
    if (!natives)
        return NULL;
    memset(natives, 0, sizeof *natives);
    natives->allocator = allocator;
    natives->words = program->board.words;
    natives->count = program->native_count;
    natives->functions = fzi_allocate(allocator, sizeof(bound) * program->native_count);
    natives->libraries = fzi_allocate(allocator, sizeof(void *) * program->native_count);
    if (!natives->functions || !natives->libraries) {
        fzi_natives_free(natives);
        return NULL;
    }
    memset(natives->functions, 0, sizeof(bound) * program->native_count);
    return natives;
}

/* A library is a plain file name in one of the folders: nothing of the path comes from the script. */
static bool is_plain_name(const char *name)
{
    return *name && *name != '.' && !strchr(name, '/');
}

static void *open_library(fzi_natives *natives, fz_context *context, const char *name)
{
    static const struct {
        const char *before, *after;
    } forms[] = {{"", ""}, {"", ".so"}, {"lib", ".so"}};
    char path[4096];
    for (char **dir = context->native_dirs; dir && *dir; dir++) {
        for (unsigned i = 0; i < sizeof forms / sizeof *forms; i++) {
            snprintf(path, sizeof path, "%s/%s%s%s", *dir, forms[i].before, name, forms[i].after);
            void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
            if (library) {
                natives->libraries[natives->library_count++] = library;
                return library;
            }
        }
    }
    return NULL;
}

/* dlsym gives a pointer to data; ISO C has no way from it to a function but the bytes. */
static void (*function_of(void *symbol))(void)
{
    void (*function)(void) = NULL;
    memcpy(&function, &symbol, sizeof function);
    return function;
}

static fz_status find_function(fzi_natives *natives, fz_context *context, const char *library,
                               const char *symbol, bound *into)
{
    for (size_t i = 0; i < context->host_count; i++) {
        const fzi_host_function *host = &context->host_functions[i];
        if (strcmp(host->library, library) == 0 && strcmp(host->symbol, symbol) == 0) {
            into->function = host->function;
            return FZ_OK;
        }
    }
    if (!context->allow_native)
        return fzi_context_fail(context, FZ_REFUSED,
                                "the script wants native code ('%s' from '%s'), which is not allowed "
                                "without --allow-native",
                                symbol, library);
    void *opened = is_plain_name(library) ? open_library(natives, context, library) : NULL;
    if (!opened)
        return fzi_context_fail(context, FZ_NOT_FOUND,
                                "native library '%s' is in none of the folders of --native-path", library);
    void *found = dlsym(opened, symbol);
    if (!found)
        return fzi_context_fail(context, FZ_NOT_FOUND, "native library '%s' has no symbol '%s'", library,
                                symbol);
    into->function = function_of(found);
    return FZ_OK;
}

static bool describe(bound *b, const fz_native *native)
{
    unsigned count = 0;
    b->params = native->params;
    memcpy(b->order, native->order, sizeof b->order);
    for (unsigned i = 0; i < native->params; i++) {
        b->types[count++] = native->order[i] ? &ffi_type_pointer : &ffi_type_sint;
        if (native->order[i])
            b->types[count++] = &ffi_type_sint;
    }
    return ffi_prep_cif(&b->cif, FFI_DEFAULT_ABI, count, &ffi_type_sint, b->types) == FFI_OK;
}

fz_status fzi_natives_load(fz_context *context, const fz_program *program, fzi_natives **natives)
{
    fz_status status = FZ_OK;
    *natives = NULL;
    if (!program->native_count)
        return FZ_OK;
    fzi_natives *made = natives_new(context, program);
    if (!made)
        return fzi_context_fail(context, FZ_NO_MEMORY, "not enough memory");
    for (uint32_t i = 0; i < program->native_count && status == FZ_OK; i++) {
        const fz_native *native = &program->natives[i];
        status = find_function(made, context, fzi_text(program, native->library),
                               fzi_text(program, native->symbol), &made->functions[i]);
        if (status == FZ_OK && !describe(&made->functions[i], native))
            status = fzi_context_fail(context, FZ_REFUSED, "native function '%s' cannot be called",
                                      fzi_text(program, native->name));
    }
    if (status == FZ_OK)
        *natives = made;
    else
        fzi_natives_free(made);
    return status;
}

bool fzi_natives_call(void *user, uint32_t index, const int64_t *ints, const uint64_t *sets,
                      int64_t *result, const char **message)
{
    fzi_natives *natives = user;
    const bound *b = &natives->functions[index];
    int numbers[MOST_ARGUMENTS];
    const uint64_t *pointers[MOST_ARGUMENTS];
    void *values[MOST_ARGUMENTS];
    unsigned count = 0, n = 0, s = 0;
    ffi_arg returned = 0;
    (void)message;
    for (unsigned i = 0; i < b->params; i++) {
        if (b->order[i]) {
            pointers[count] = sets + (size_t)natives->words * s++;
            values[count] = (void *)&pointers[count];
            count++;
            numbers[count] = natives->words;
        } else {
            numbers[count] = (int)ints[n++];
        }
        values[count] = &numbers[count];
        count++;
    }
    ffi_cif cif = b->cif;
    ffi_call(&cif, b->function, &returned, values);
    *result = (int)returned;
    return true;
}

#else /* without libffi */

fz_status fzi_natives_load(fz_context *context, const fz_program *program, fzi_natives **natives)
{
    *natives = NULL;
    return program->native_count
               ? fzi_context_fail(context, FZ_REFUSED, "this ferz was built without native functions (libffi)")
               : FZ_OK;
}

void fzi_natives_free(fzi_natives *natives)
{
    (void)natives;
}

bool fzi_natives_call(void *user, uint32_t index, const int64_t *ints, const uint64_t *sets,
                      int64_t *result, const char **message)
{
    (void)user, (void)index, (void)ints, (void)sets, (void)result;
    *message = "native functions are not built in";
    return false;
}

#endif
