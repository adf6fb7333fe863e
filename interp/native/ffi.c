/* Values cross as the language page says: numbers, truth values and members of finite types as
 * int, a set of sites as a pointer to its words and an int, their number. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "ffi.h"

#include <string.h>

#include "interp/vm/engine.h"

#ifdef HAVE_LIBFFI

#include <dlfcn.h>
#include <ffi.h>
#include <stdio.h>

enum { MAX_ARGUMENTS = 32 };

typedef struct bound {
    void (*function)(void);
    ffi_cif cif;
    ffi_type *types[MAX_ARGUMENTS];
    uint8_t order[16];
    uint8_t params;
} bound;

typedef struct libraries {
    fzi_natives natives;
    fzi_allocator allocator;
    int words;
    uint32_t count;
    uint32_t handle_count;
    bound *functions;
    void **handles;
} libraries;

static void libraries_free(fzi_attachment *attachment)
{
    libraries *l = (libraries *)(void *)attachment;
    for (uint32_t i = 0; i < l->handle_count; i++)
        dlclose(l->handles[i]);
    FZI_RELEASE(l->allocator, l->handles, l->functions, l);
}

static bool call(void *user, uint32_t index, const int64_t *ints, const uint64_t *sets,
                 int64_t *result, const char **message)
{
    libraries *l = user;
    const bound *b = &l->functions[index];
    int numbers[MAX_ARGUMENTS];
    const uint64_t *pointers[MAX_ARGUMENTS];
    void *values[MAX_ARGUMENTS];
    unsigned count = 0, n = 0, s = 0;
    ffi_arg returned = 0;
    (void)message;
    for (unsigned i = 0; i < b->params; i++) {
        if (b->order[i]) {
            pointers[count] = sets + (size_t)l->words * s++;
            values[count] = (void *)&pointers[count];
            count++;
            numbers[count] = l->words;
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

static libraries *libraries_new(fz_context *context, const fz_program *program)
{
    fzi_allocator allocator = context->allocator;
    libraries *l = fzi_allocate(allocator, sizeof *l);
    if (!l)
        return NULL;
    memset(l, 0, sizeof *l);
    l->natives = (fzi_natives){{libraries_free}, call};
    l->allocator = allocator;
    l->words = program->board.words;
    l->count = program->native_count;
    l->functions = fzi_allocate(allocator, sizeof(bound) * program->native_count);
    l->handles = fzi_allocate(allocator, sizeof(void *) * program->native_count);
    if (!l->functions || !l->handles) {
        libraries_free(&l->natives.attachment);
        return NULL;
    }
    memset(l->functions, 0, sizeof(bound) * program->native_count);
    return l;
}

/* A library is a plain file name in one of the folders: nothing of the path comes from the
 * script. */
static bool is_plain_name(const char *name)
{
    return *name && *name != '.' && !strchr(name, '/');
}

static void *open_library(libraries *l, fz_context *context, const char *name)
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
                l->handles[l->handle_count++] = library;
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

static fz_status find_function(libraries *l, fz_context *context, const char *library,
                               const char *symbol, bound *into)
{
    if (!context->allow_native)
        return fzi_context_fail(
            context, FZ_REFUSED,
            "the script wants native code ('%s' from '%s'), which is not allowed "
            "without --allow-native",
            symbol, library);
    void *opened = is_plain_name(library) ? open_library(l, context, library) : NULL;
    if (!opened)
        return fzi_context_fail(context, FZ_NOT_FOUND,
                                "native library '%s' is in none of the folders of --native-path",
                                library);
    void *found = dlsym(opened, symbol);
    if (!found)
        return fzi_context_fail(context, FZ_NOT_FOUND, "native library '%s' has no symbol '%s'",
                                library, symbol);
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

fz_status fzi_natives_load(fz_context *context, const fz_program *program, fzi_attachment **natives)
{
    fz_status status = FZ_OK;
    *natives = NULL;
    if (!program->native_count)
        return FZ_OK;
    libraries *made = libraries_new(context, program);
    if (!made)
        return fzi_context_no_memory(context);
    for (uint32_t i = 0; i < program->native_count && status == FZ_OK; i++) {
        const fz_native *native = &program->natives[i];
        status = find_function(made, context, fzi_text(program, native->library),
                               fzi_text(program, native->symbol), &made->functions[i]);
        if (status == FZ_OK && !describe(&made->functions[i], native))
            status = fzi_context_fail(context, FZ_REFUSED, "native function '%s' cannot be called",
                                      fzi_text(program, native->name));
    }
    if (status == FZ_OK)
        *natives = &made->natives.attachment;
    else
        libraries_free(&made->natives.attachment);
    return status;
}

#else /* without libffi */

fz_status fzi_natives_load(fz_context *context, const fz_program *program, fzi_attachment **natives)
{
    *natives = NULL;
    return program->native_count
               ? fzi_context_fail(context, FZ_REFUSED,
                                  "this ferz was built without native functions (libffi)")
               : FZ_OK;
}

#endif
