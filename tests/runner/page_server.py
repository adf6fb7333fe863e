"""The server of `ferz web` under requests that try: to read outside of its folder, to write, to
come from another page."""
import collections
import contextlib
import json
import os
import re
import socket
import subprocess
import time

from .common import Failure, Result, text

SECRET = "not for the page"
PAGE = b"<!doctype html>the page"


def folders(context):
    """A page, and a folder of scripts with what leads out of it."""
    place = context.folder()
    page, scripts = place / "page", place / "scripts"
    (scripts / "inner").mkdir(parents=True)
    page.mkdir()
    (page / "index.html").write_bytes(PAGE)
    (page / "ferz.wasm").write_bytes(b"\0asm")
    (page / "secret.key").write_text(SECRET)
    (place / "outside.game").write_text(SECRET)
    (place / "outside.html").write_text(SECRET)
    (scripts / "mine.game").write_text("mine")
    (scripts / "inner/deep.game").write_text("deep")
    (scripts / "notes.txt").write_text(SECRET)
    (scripts / ".hidden.game").write_text(SECRET)
    (scripts / ".git").mkdir()
    (scripts / ".git/kept.game").write_text(SECRET)
    (scripts / "link.game").symlink_to(place / "outside.game")
    (scripts / "out").symlink_to(place)
    os.mkfifo(scripts / "pipe.game")
    return page, scripts


Server = collections.namedtuple("Server", "port key")


@contextlib.contextmanager
def served(context, page, *options, port=0):
    """ferz web with these arguments; gives its port and its key."""
    with started(context, [*context.ferz, "web", "--port", str(port), "--page", str(page),
                           *map(str, options)]) as server:
        yield server


@contextlib.contextmanager
def started(context, words):
    """The server that a command starts."""
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env=context.environment) as server:
        try:
            line = text(server.stdout.readline())
            found = re.search(r"^http://127\.0\.0\.1:(\d+)/\?key=([0-9a-f]{32})$", line.strip())
            if not found:
                raise Failure(f"no address: {line}{text(server.stderr.read())}")
            yield Server(int(found[1]), found[2])
        finally:
            server.terminate()
            try:
                server.wait(10)
            except subprocess.TimeoutExpired:
                server.kill()
                raise Failure("ferz web did not end") from None


def ask(server, target, method="GET", headers=None, body=b"", host=None, key=None):
    """Status, headers and body, over a plain socket: nothing tidies the request."""
    port = server.port
    lines = [f"{method} {target} HTTP/1.1", f"Host: {host or f'127.0.0.1:{port}'}",
             f"X-Ferz-Key: {server.key if key is None else key}",
             "Connection: close", *(headers or [])]
    if body:
        lines.append(f"Content-Length: {len(body)}")
    with socket.create_connection(("127.0.0.1", port), 10) as connection:
        with contextlib.suppress(OSError):  # a refused body is not read to its end
            connection.sendall("\r\n".join(lines).encode() + b"\r\n\r\n" + body)
        received = b""
        with contextlib.suppress(OSError):
            while part := connection.recv(65536):
                received += part
    head, _, rest = received.partition(b"\r\n\r\n")
    status = re.match(r"HTTP/1\.1 (\d+)", head.decode("latin-1"))
    return int(status[1]) if status else 0, head.decode("latin-1").lower(), rest


def reading(context, name):
    page, scripts = folders(context)
    results = []

    def check(what, good, detail=""):
        results.append(Result(f"{name}:{what}", good, str(detail)))

    with served(context, page, scripts) as server:
        port = server.port
        for target, expected in {"/": PAGE, "/index.html": PAGE,
                                 "/ferz.wasm": b"\0asm", "/files/mine.game": b"mine",
                                 "/files/inner/deep.game": b"deep",
                                 "/files/%6dine.game": b"mine"}.items():
            status, _, body = ask(server, target)
            check(f"reads {target}", status == 200 and body == expected, (status, body))
        (page / "main.js").write_bytes(b"plain")
        (page / "main.js.gz").write_bytes(b"packed")
        (scripts / "mine.game.gz").write_bytes(b"packed")
        packs = ["Accept-Encoding: br, gzip"]
        _, head, body = ask(server, "/main.js", headers=packs)
        check("sends what is packed", body == b"packed" and "content-encoding: gzip" in head, head)
        _, head, body = ask(server, "/main.js")
        check("but not to all", body == b"plain" and "content-encoding" not in head, head)
        tag = re.search(r"etag: (\S+)", head)[1]
        status, _, body = ask(server, "/main.js", headers=[f"If-None-Match: {tag}"])
        check("nothing is sent twice", status == 304 and body == b"", (status, body))
        (page / "main.js").write_bytes(b"other")
        check("but what is new is", ask(server, "/main.js",
                                        headers=[f"If-None-Match: {tag}"])[2] == b"other")
        check("scripts are not packed",
              ask(server, "/files/mine.game", headers=packs)[2] == b"mine")
        listed = json.loads(ask(server, "/files.list")[2])
        check("lists", listed == {"files": ["inner/deep.game", "mine.game"], "all": True,
                                  "may_save": False},
              listed)
        for key in ("", "0" * 32, server.key[:-1], server.key + "0", server.key.upper() + " "):
            for target in ("/files/mine.game", "/files.list", "/%66iles/mine.game"):
                status, _, body = ask(server, target, key=key)
                check(f"refuses {target} with the key {len(key)}",
                      status == 403 and b"mine" not in body, (status, body))
        check("the page itself needs no key", ask(server, "/", key="")[0] == 200)
        check("the page has no key in it", server.key not in ask(server, "/")[1])
        for target in ATTEMPTS:
            status, _, body = ask(server, target)
            check(f"refuses {target}", status in (400, 403, 404) and SECRET.encode() not in body,
                  (status, body))
        for host in ("example.com", f"example.com:{port}", "127.0.0.1", f"127.0.0.1:{port + 1}",
                     f"127.0.0.1:{port}.example.com", f"localhost.:{port}", f"[::1]:{port}", " "):
            for target in ("/", "/files/mine.game", "/files.list"):
                status, _, body = ask(server, target, host=host)
                check(f"refuses the host {host} for {target}",
                      status in (400, 403) and b"mine" not in body and b"page" not in body,
                      (status, body))
        check("localhost is a name of it", ask(server, "/", host=f"LOCALHOST:{port}")[0] == 200)
        for origin in ("http://example.com", "null", f"https://127.0.0.1:{port}"):
            check(f"refuses the origin {origin}",
                  ask(server, "/files/mine.game", headers=[f"Origin: {origin}"])[0] == 403)
        check("its own origin", ask(server, "/files/mine.game",
                                    headers=[f"Origin: http://127.0.0.1:{port}"])[0] == 200)
        for method in ("PUT", "POST", "DELETE", "PATCH", "OPTIONS", "TRACE"):
            status = ask(server, "/files/mine.game", method, [], b"changed")[0]
            check(f"refuses {method}", status in (403, 405), status)
        check("nothing was written", (scripts / "mine.game").read_text() == "mine")
        headers = ask(server, "/")[1]
        for wanted in ("content-security-policy: default-src 'none'; script-src 'self'",
                       "frame-ancestors 'none'", "nosniff", "no-referrer",
                       "cross-origin-resource-policy: same-origin"):
            check(f"has the header {wanted}", wanted in headers, headers)
        check("nobody else may read", "access-control" not in headers)
        check("a script is no page", "sandbox\r\n" in ask(server, "/files/mine.game")[1])
        check("HEAD has no body", ask(server, "/", "HEAD")[::2] == (200, b""))
        check("a body without end", flood(server))
        check("it goes on", ask(server, "/")[0] == 200)
        check("only loopback", loopback_only(port))
    return results


ATTEMPTS = (
    "/files/../outside.game", "/files/..%2foutside.game", "/files/%2e%2e/outside.game",
    "/files/%2e%2e%2foutside.game", "/files/%252e%252e/outside.game",
    "/files/inner/../../outside.game", "/files/inner/..%2f..%2foutside.game",
    "/files/..\\outside.game", "/files/..%5coutside.game", "/files/link.game",
    "/files/out/outside.game", "/files/out/scripts/mine.game", "/files/.hidden.game",
    "/files/.git/kept.game", "/files/notes.txt", "/files/notes.txt%00.game",
    "/files/pipe.game", "/files/inner", "/files/inner/", "/files/", "/files",
    "/files//etc/passwd", "/files//mine.game", "/files/mine.game/", "/files/./mine.game",
    "/../outside.html", "/%2e%2e/outside.html", "/..%2foutside.html", "//outside.html",
    "/secret.key", "/etc/passwd", "outside.html", "http://127.0.0.1/files/../outside.game",
    "/files/" + "a/" * 2000 + "x.game", "/files/" + "a" * 5000 + ".game",
)


def flood(server):
    """Eight megabytes are not kept, and the answer is a refusal."""
    body = b"x" * (8 << 20)
    return ask(server, "/files/mine.game", "PUT", [], body)[0] in (0, 403, 413)


def loopback_only(port):
    """Other addresses of this machine do not answer."""
    for address in {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None,
                                                              socket.AF_INET)}:
        if not address.startswith("127."):
            with contextlib.suppress(OSError), socket.create_connection((address, port), 2):
                return False
    return True


def saving(context, name):
    page, scripts = folders(context)
    results = []

    def put(target, body, headers=(), **more):
        return ask(server, target, "PUT", list(headers), body, **more)[0]

    def check(what, good, detail=""):
        results.append(Result(f"{name}:{what}", good, str(detail)))

    outside = scripts.parent
    before = {path: path.read_text() for path in outside.rglob("*.game")
              if path.is_file() and not path.is_symlink() and "out" not in path.parts}
    with served(context, page, "--save", scripts) as server:
        check("saves", put("/files/mine.game", b"changed") == 200
              and (scripts / "mine.game").read_text() == "changed")
        check("makes a new script", put("/files/inner/new.game", b"new") == 200
              and (scripts / "inner/new.game").read_text() == "new")
        for key in ("", "0" * 32, server.key[:-1], server.key + "0"):
            check(f"needs its key, not {len(key)} others",
                  put("/files/mine.game", b"evil", key=key) == 403)
        check("not of another page", put("/files/mine.game", b"evil",
                                         ("Origin: http://example.com",)) == 403)
        check("not too much", put("/files/mine.game", b"x" * (5 << 20)) in (0, 413))
        check("not of another host", ask(server, "/files/mine.game", "PUT", [],
                                         b"evil", host="example.com")[0] == 403)
        for target in (*ATTEMPTS, "/files/evil.txt", "/index.html", "/files/none/x.game"):
            if "%6d" not in target and target != "/files//mine.game":
                status = put(target, b"evil")
                check(f"refuses {target}", status in (0, 400, 403, 404, 405, 414), status)
        check("the script is as it was", (scripts / "mine.game").read_text() == "changed")
    now = {path: path.read_text() for path in outside.rglob("*.game")
           if path.is_file() and not path.is_symlink() and "out" not in path.parts}
    before[scripts / "mine.game"] = "changed"
    before[scripts / "inner/new.game"] = "new"
    check("nothing else was written", now == before, sorted(set(now) ^ set(before)))
    check("nothing is left over", not list(scripts.glob("**/.ferz-web*")))
    return results


def crowded(context, name):
    """Silent connections lock nobody out, and end soon; connections with the key stay."""
    page, scripts = folders(context)
    results = []

    def get(server):
        begun = time.monotonic()
        status = ask(server, "/files/mine.game")[0]
        return status == 200 and time.monotonic() - begun < 2

    with served(context, page, scripts) as server, contextlib.ExitStack() as crowd:
        def connect():
            return crowd.enter_context(socket.create_connection(("127.0.0.1", server.port), 10))

        friend = connect()
        request = f"GET /files.list HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n" \
                  f"X-Ferz-Key: {server.key}\r\n\r\n".encode()
        friend.sendall(request)
        first = friend.recv(65536)
        silent = [connect() for _ in range(64)]
        results.append(Result(f"{name}:64 silent connections", get(server)))
        for one in silent[::2]:
            with contextlib.suppress(OSError):
                one.sendall(b"GET /files/mine.game HTTP/1.1\r\n")
        results.append(Result(f"{name}:half a request on each second", get(server)))
        silent += [connect() for _ in range(64)]
        results.append(Result(f"{name}:128 silent connections", get(server)))
        friend.sendall(request)
        results.append(Result(f"{name}:a connection with the key stays",
                              first and b"mine.game" in friend.recv(65536)))
        silent[-1].settimeout(10)
        begun = time.monotonic()
        with contextlib.suppress(OSError):
            silent[-1].recv(1)
        results.append(Result(f"{name}:silence ends soon", time.monotonic() - begun < 8))
    return results


def large(context, name):
    """Of a folder with very many files the list has what is near the top, and it comes soon."""
    page, scripts = folders(context)
    deep = scripts / "a/b/c"
    deep.mkdir(parents=True)
    (deep / "far.game").write_text("far")
    for i in range(21000):
        os.close(os.open(deep / f"{i}", os.O_CREAT | os.O_WRONLY))
    begun = time.monotonic()
    for entry in os.scandir(deep):
        entry.stat(follow_symlinks=False)
    ours = time.monotonic() - begun  # of this machine, as busy as it is
    with served(context, page, scripts) as server:
        begun = time.monotonic()
        listed = json.loads(ask(server, "/files.list")[2])
        took = time.monotonic() - begun
    return [Result(f"{name}:not all", not listed["all"], str(listed)),
            Result(f"{name}:the top", "mine.game" in listed["files"]
                   and "inner/deep.game" in listed["files"], str(listed)),
            Result(f"{name}:soon", took < 2 + 20 * ours, str((took, ours)))]


def bounds(context, name):
    """A list is whole with as many scripts, or entries, as it may have, and not with one more."""
    place = context.folder()
    page, results = place / "page", []
    page.mkdir()
    (page / "index.html").write_bytes(PAGE)
    for most, suffix in ((5000, ".game"), (20000, ".txt")):
        scripts = place / suffix
        (scripts / "inner").mkdir(parents=True)
        for i in range(most - (suffix == ".txt")):  # the inner folder is an entry
            os.close(os.open(scripts / f"inner/{i}{suffix}", os.O_CREAT | os.O_WRONLY))
        with served(context, page, scripts) as server:
            for more in (0, 1):
                listed = json.loads(ask(server, "/files.list")[2])
                got = (listed["all"], len(listed["files"]))
                expected = (more == 0, most if suffix == ".game" else 0)
                results.append(Result(f"{name}:{most + more} {suffix}", got == expected, str(got)))
                (scripts / f"more{suffix}").touch()
    return results


def port_of_http(context, name):
    """Browsers leave out port 80."""
    page, scripts = folders(context)
    try:
        with served(context, page, scripts, port=80) as server:
            status = ask(server, "/", host="127.0.0.1")[0]
            foreign = ask(server, "/", host="example.com")[0]
    except Failure as failure:
        if "cannot serve on port 80" not in str(failure):
            raise
        return [Result(f"{name}: this user may not serve on port 80", True)]
    return [Result(name, (status, foreign) == (200, 403), str((status, foreign)))]


def usage(context, name):
    page, scripts = folders(context)
    empty = context.folder()
    results = []
    for words, expected in (
            (["--port", "99999"], "is no port"), (["--port", "x"], "is no port"),
            ([scripts / "none"], "No such file"), (["--page", empty], "the page is not there"),
            ([scripts / "mine.game"], "Not a directory")):
        output = context.run("web", "--page", page, *words) if "--page" not in words else \
            context.run("web", *words)
        results.append(Result(f"{name}:{words[-1]}", output.code == 2 and expected in output.err,
                              output.describe()))
    with served(context, page, scripts) as server:
        output = context.run("web", "--page", page, "--port", server.port, scripts)
        results.append(Result(f"{name}:a taken port", output.code == 2 and "--port 0" in output.err,
                              output.describe()))
    time.sleep(0.05)
    return results
