"""Sessions with `ferz dap`, the debugger for editors; see lsp.py, which runs them."""
import json
import subprocess

from .common import Failure
from .lsp import contains, equal

RULES = """game "Count";
players A, B;
board square(2);
option Most: 1..9 = 3;
var count: int;
show count;
proc add(n: int) {
  count += n;
}
turn {
  choose for n in 1..Most "{n}" => { add(n); add(n); } otherwise draw;
}
end { if count > 9 win me; }
limit 9 turns draw;
"""


class Adapter:
    """A client that waits for the answer to each request."""

    def __init__(self, context, folder, *words):
        self.server = subprocess.Popen([*context.ferz, "dap", *words], stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE, env=context.environment, cwd=folder)
        self.number, self.events = 0, []

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        self.server.stdin.close()
        if kind:
            self.server.kill()
        code = self.server.wait(timeout=60)
        self.server.stdout.close()
        if kind is None and code:
            raise Failure(f"the adapter ended with {code}")

    def read(self):
        length = self.server.stdout.readline()
        if not length:
            raise Failure("the adapter has ended")
        self.server.stdout.readline()
        return json.loads(self.server.stdout.read(int(length.split(b":")[1])))

    def ask(self, command, **arguments):
        """The response; events before it are kept."""
        self.number += 1
        body = json.dumps({"seq": self.number, "type": "request", "command": command,
                           "arguments": arguments}).encode()
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.server.stdin.flush()
        while True:
            message = self.read()
            if message["type"] == "response":
                equal(message["request_seq"], self.number)
                return message
            self.events.append(message)

    def good(self, command, **arguments):
        answer = self.ask(command, **arguments)
        if not answer["success"]:
            raise Failure(f"{command}: {answer['message']}")
        return answer["body"]

    def event(self, name):
        """The next event of that name; what comes before it is dropped."""
        while True:
            message = self.events.pop(0) if self.events else self.read()
            if message["event"] == name:
                return message["body"]

    def stop(self):
        """(reason, innermost line, names of the calls) where the rules stop."""
        reason = self.event("stopped")["reason"]
        frames = self.good("stackTrace", threadId=1)["stackFrames"]
        return reason, frames[0]["line"], [frame["name"] for frame in frames]

    def values(self, scope="Position", frame=1):
        """Of the scope, in the order in which the editor shows them; None: there is none."""
        scopes = {one["name"]: one["variablesReference"]
                  for one in self.good("scopes", frameId=frame)["scopes"]}
        if scope not in scopes:
            return None
        found = self.good("variables", variablesReference=scopes[scope])["variables"]
        return {one["name"]: one["value"] for one in found}


def started(adapter, path, **arguments):
    contains(adapter.good("initialize", adapterID="ferz"), "supportsStepBack")
    adapter.good("launch", program=str(path), **arguments)
    adapter.event("initialized")


def script(context):
    path = context.folder() / "count.game"
    path.write_text(RULES)
    return path


def test_dap_steps(context):
    path = script(context)
    with Adapter(context, path.parent) as adapter:
        started(adapter, path, seed=1)
        adapter.good("configurationDone")
        equal(adapter.stop(), ("entry", 0, ["the game waits"]))
        adapter.good("evaluate", expression="2", context="repl")
        equal(adapter.stop(), ("step", 11, ["turn"]))
        adapter.good("stepIn", threadId=1)
        equal(adapter.stop(), ("step", 11, ["turn"]))
        adapter.good("stepIn", threadId=1)
        equal(adapter.stop(), ("step", 8, ["add", "turn"]))
        equal(adapter.good("evaluate", expression="n * 10", context="watch")["result"], "20")
        equal(adapter.values().get("count", "0"), "0")
        equal(adapter.values("Names"), {"me": "A", "n": "2"})
        equal(adapter.values("Names", frame=2), None)
        adapter.good("stepOut", threadId=1)
        equal(adapter.stop()[1], 11)
        equal(adapter.values()["count"], "2")
        adapter.good("stepBack", threadId=1)
        equal(adapter.stop(), ("step", 8, ["add", "turn"]))
        adapter.good("next", threadId=1)
        equal(adapter.stop(), ("step", 11, ["turn"]))
        adapter.good("disconnect")


def test_dap_breakpoints(context):
    """They hold in random play; the rest of a line counts, and an option of the launch."""
    path = script(context)
    with Adapter(context, path.parent) as adapter:
        started(adapter, path, stopOnEntry=False, options={"Most": 1})
        found = adapter.good("setBreakpoints", source={"path": str(path)},
                             breakpoints=[{"line": 7}, {"line": 99}])["breakpoints"]
        equal(found, [{"verified": True, "line": 8}, {"verified": False}])
        adapter.good("configurationDone")
        equal(adapter.stop(), ("breakpoint", 8, ["add", "turn"]))
        adapter.good("continue", threadId=1)
        adapter.stop()
        equal(adapter.values()["count"], "1")
        adapter.good("setBreakpoints", source={"path": str(path)}, breakpoints=[])
        adapter.good("continue", threadId=1)
        equal(adapter.stop(), ("game over", 0, ["the game waits"]))
        contains(adapter.values()["count"], "10")
        adapter.good("disconnect")


def test_dap_failures(context):
    path = script(context)
    broken = path.parent / "broken.game"
    broken.write_text(RULES.replace("count += n", "cout += n"))
    with Adapter(context, path.parent) as adapter:
        equal(adapter.ask("next", threadId=1)["message"], "no game was launched")
        equal(adapter.ask("launch")["message"], "launch needs a program: a script")
        contains(adapter.ask("launch", program=str(broken), seed=7, options={"Most": 2})["message"],
                 "unknown name 'cout'")
        equal(adapter.ask("other")["message"], "there is no such request")
        equal(adapter.ask("evaluate", expression="1")["message"], "no game was launched")
        started(adapter, path)
        equal(adapter.good("evaluate", expression="Most", context="watch")["result"], "3")
        equal(adapter.ask("launch", program=str(path))["message"], "a game is being debugged")
        adapter.good("terminate")
    long = path.parent / "long.game"  # to step through its rules takes more instructions
    setup = "setup { for k in 1..200 { count += k; count -= k; } }\n"
    long.write_text(RULES.replace("turn {", setup + "turn {"))
    with Adapter(context, path.parent, "--limit", "instructions=3000") as adapter:
        contains(adapter.ask("launch", program=str(long))["message"], "too many instructions")
        equal(adapter.ask("stackTrace", threadId=1)["message"], "no game was launched")
        started(adapter, path)
        adapter.good("terminate")
