/* ferz web: the page for browsers of this machine. */
#include "cli.h"

#include "interp/serve/page_server.h"

#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#ifndef FZ_PAGE_DIR
#define FZ_PAGE_DIR "/usr/local/share/ferz/web"
#endif
#ifndef FZ_CHECKOUT_PAGE_DIR
#define FZ_CHECKOUT_PAGE_DIR FZ_PAGE_DIR
#endif

enum { DEFAULT_PORT = 8642, KEY_BYTES = 16 };

/* The folder of the page: what --page says, or where it was installed or built. */
static int open_page(const fzi_cli *cli)
{
    const char *given = cli->values[FZ_CLI_PAGE];
    const char *const places[] = {given ? given : FZ_PAGE_DIR,
                                  given ? given : FZ_CHECKOUT_PAGE_DIR};
    size_t size;

    for (int i = 0; i < 2; i++) {
        int folder = fzi_page_folder(places[i]);
        int index = folder >= 0 ? fzi_page_open(folder, "index.html", &size) : -1;
        if (index >= 0) {
            close(index);
            return folder;
        }
        if (folder >= 0)
            close(folder);
    }
    if (given)
        fzi_cli_complain(cli, "%s: the page is not there", given);
    else
        fzi_cli_complain(cli, "the files of the page are not in %s: in the sources of ferz %s, run "
                              "`./dev web` and `make install`, which need clang, wasi-libc and "
                              "node; --page names another folder", FZ_PAGE_DIR, FZ_VERSION);
    return -1;
}

static bool read_port(const fzi_cli *cli, uint16_t *port)
{
    const char *text = cli->values[FZ_CLI_PORT];
    uint64_t number = DEFAULT_PORT;

    if (text && (!fzi_number_read(text, &number) || number > 65535)) {
        fzi_cli_complain(cli, "--port: '%s' is no port", text);
        return false;
    }
    *port = (uint16_t)number;
    return true;
}

/* A new key, in hexadecimal digits. False: the system has no random bytes. */
static bool make_key(char key[2 * KEY_BYTES + 1])
{
    unsigned char bytes[KEY_BYTES];

    if (getentropy(bytes, sizeof bytes) != 0)
        return false;
    for (int i = 0; i < KEY_BYTES; i++)
        snprintf(key + 2 * i, 3, "%02x", bytes[i]);
    return true;
}

static void wait_for_interrupt(const fzi_page_task *task, uint16_t port)
{
    const struct timespec moment = {.tv_nsec = 100000000};

    fzi_terminal_catch_interrupt();
    printf("http://127.0.0.1:%u/?key=%s\n", port, task->key);
    fflush(stdout);
    while (!fzi_terminal_interrupted())
        nanosleep(&moment, NULL);
}

static int serve(const fzi_cli *cli, const fzi_page_task *task)
{
    if (fzi_page_serve(task, wait_for_interrupt))
        return FZ_EXIT_OK;
    return fzi_cli_complain(cli, "cannot serve on port %u: %s; --port 0 takes a free one",
                            task->port, errno ? strerror(errno) : "it is not free");
}

int fzi_cli_web(const fzi_cli *cli)
{
    const char *folder = cli->words.count ? cli->words.items[0] : ".";
    char key[2 * KEY_BYTES + 1];
    fzi_page_task task = {.may_save = fzi_cli_has(cli, FZ_CLI_SAVE), .key = key};
    int code = FZ_EXIT_USAGE;

    if (!fzi_page_serves())
        return fzi_cli_complain(cli, "this ferz was built without libmicrohttpd, which serves the "
                                     "page, or cannot load it; install it (Debian: "
                                     "libmicrohttpd-dev) and build again");
    if (!read_port(cli, &task.port))
        return code;
    if (!make_key(key))
        return fzi_cli_complain(cli, "no random bytes for a key: %s", strerror(errno));
    task.scripts = fzi_page_folder(folder);
    if (task.scripts < 0)
        return fzi_cli_complain(cli, "%s: %s", folder, strerror(errno));
    task.page = open_page(cli);
    if (task.page >= 0) {
        code = serve(cli, &task);
        close(task.page);
    }
    close(task.scripts);
    return code;
}
