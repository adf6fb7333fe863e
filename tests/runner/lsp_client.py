"""A client of the language server, for tests: speaks the protocol with `ferz lsp`."""
import json
import re
import select
import subprocess
import tempfile
import time
from pathlib import Path

from .common import Failure

MARK = re.compile(r"«(\w*)»")


class Client:
    """Starts the server in a folder. `with` says goodbye and checks how it ends."""

    def __init__(self, context, folder, capabilities=None, initialize=True):
        self.folder = Path(folder)
        self.limit = context.time_limit
        self.errors = tempfile.TemporaryFile()                 # noqa: SIM115: closed in __exit__
        self.server = subprocess.Popen([*context.ferz, "lsp"], stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE, stderr=self.errors,
                                       env=context.environment, cwd=self.folder)
        self.received = b""
        self.messages = []          # notifications that nobody has asked for yet
        self.number = 0
        self.versions = {}
        self.capabilities = {**(capabilities or {})}
        self.capabilities.setdefault("textDocument", {})["publishDiagnostics"] = {
            "versionSupport": True}
        if initialize:
            self.answer = self.request("initialize", processId=None, rootUri=self.uri(""),
                                       capabilities=self.capabilities)
            self.notify("initialized")

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind is None:
            self.request("shutdown")
            self.notify("exit")
        self.server.stdin.close()
        try:
            code = self.server.wait(timeout=self.limit)
        except subprocess.TimeoutExpired:
            self.server.kill()
            self.server.wait()
            code = "no end"
        self.errors.seek(0)
        said = self.errors.read().decode("utf-8", "replace")
        self.errors.close()
        self.server.stdout.close()
        if kind is None and (code != 0 or said):
            raise Failure(f"the server ended with {code}\n{said}")

    def uri(self, name):
        return (self.folder / name).as_uri()

    # ---- messages ----

    def send_bytes(self, data):
        self.server.stdin.write(data)
        self.server.stdin.flush()

    def send(self, **message):
        self.send_bytes(framed(**message))

    def read(self, seconds=None):
        """The next message; None if the server has ended, or nothing comes in `seconds`."""
        end = time.monotonic() + (seconds or self.limit)
        while True:
            head, blank, rest = self.received.partition(b"\r\n\r\n")
            if blank:
                length = int(re.fullmatch(rb"Content-Length: (\d+)", head)[1])
                if len(rest) >= length:
                    self.received = rest[length:]
                    return json.loads(rest[:length])
            ready, _, _ = select.select([self.server.stdout], [], [],
                                        max(0, end - time.monotonic()))
            more = self.server.stdout.read1(65536) if ready else b""
            if not more:
                if ready or seconds:
                    return None
                raise Failure("the server does not answer")
            self.received += more

    def begin(self, method, **params):
        self.number += 1
        self.send(id=self.number, method=method, params=params)
        return self.number

    def end(self, number):
        """The answer to a request; what comes before it is kept."""
        while True:
            message = self.read()
            if message is None:
                raise Failure("the server has ended")
            if "id" in message and message["id"] == number:
                return message
            self.messages.append(message)

    def request(self, method, **params):
        message = self.end(self.begin(method, **params))
        if "error" in message:
            raise Failure(f"{method}: {message['error']}")
        return message["result"]

    def fails(self, method, **params):
        """The error of a request that must fail."""
        answer = self.end(self.begin(method, **params))
        if "error" not in answer:
            raise Failure(f"{method} {params} does not fail: {answer['result']}")
        return answer["error"]

    def notify(self, method, **params):
        self.send(method=method, params=params)

    # ---- documents ----

    def open(self, name, text):
        """Opens a document; returns the places of its marks «name» as offsets."""
        plain, places = marked(text)
        self.versions[name] = 1
        self.notify("textDocument/didOpen",
                    textDocument={"uri": self.uri(name), "languageId": "ferz", "version": 1,
                                  "text": plain})
        return Document(self, name, plain, places)

    def diagnostics(self, name):
        """The newest diagnostics of a document: those that come after all that was sent."""
        self.request("textDocument/codeAction", textDocument={"uri": self.uri(name)},
                     range=span((0, 0), (0, 0)), context={"diagnostics": []})
        return self.published(name)

    def published(self, name):
        """The last diagnostics of a document that have come; waits for the first."""
        while True:
            found = [m for m in self.messages
                     if m.get("method") == "textDocument/publishDiagnostics"
                     and m["params"]["uri"] == self.uri(name)
                     and m["params"].get("version") in (None, self.versions[name])]
            if found:
                self.messages = [m for m in self.messages if m not in found]
                return found[-1]["params"]["diagnostics"]
            message = self.read()
            if message is None:
                raise Failure("the server has ended")
            self.messages.append(message)


class Document:
    """An open document with its text as the server has it."""

    def __init__(self, client, name, text, places):
        self.client = client
        self.name = name
        self.text = text
        self.places = places

    @property
    def at(self):
        return {"uri": self.client.uri(self.name)}

    def position(self, mark=""):
        """The position of a mark, in UTF-16 units."""
        before = self.text[:self.places[mark]]
        line = before.rpartition("\n")[2]
        return {"line": before.count("\n"), "character": len(line.encode("utf-16-le")) // 2}

    def ask(self, method, mark="", **params):
        return self.client.request(f"textDocument/{method}", textDocument=self.at,
                                   position=self.position(mark), **params)

    def of(self, method, **params):
        return self.client.request(f"textDocument/{method}", textDocument=self.at, **params)

    def change(self, text):
        """Replaces the whole text."""
        self.text, self.places = marked(text)
        self.send([{"text": self.text}])

    def send(self, changes):
        self.client.versions[self.name] += 1
        self.client.notify("textDocument/didChange", contentChanges=changes,
                           textDocument={**self.at,
                                         "version": self.client.versions[self.name]})

    def diagnostics(self):
        return self.client.diagnostics(self.name)

    def close(self):
        self.client.notify("textDocument/didClose", textDocument=self.at)

    def text_at(self, place):
        return cut(self.text, place)

    def edited(self, edits):
        """The text after the edits of an answer."""
        return edited(self.text, edits)


def framed(**message):
    """The bytes of a message."""
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def marked(text):
    """A text without its marks, and their offsets by name."""
    places, plain, last = {}, "", 0
    for mark in MARK.finditer(text):
        plain += text[last:mark.start()]
        places[mark[1]] = len(plain)
        last = mark.end()
    return plain + text[last:], places


def span(start, end):
    return {"start": {"line": start[0], "character": start[1]},
            "end": {"line": end[0], "character": end[1]}}


def offset(text, position):
    lines = text.split("\n")
    line = lines[position["line"]].encode("utf-16-le")[:2 * position["character"]]
    return sum(len(one) + 1 for one in lines[:position["line"]]) + len(line.decode("utf-16-le"))


def cut(text, place):
    return text[offset(text, place["start"]):offset(text, place["end"])]


def edited(text, edits):
    for edit in sorted(edits, key=lambda e: -offset(text, e["range"]["start"])):
        text = (text[:offset(text, edit["range"]["start"])] + edit["newText"]
                + text[offset(text, edit["range"]["end"]):])
    return text
