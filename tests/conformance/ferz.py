"""The program ferz as an implementation of the conformance suite: a request becomes a command."""
import json
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

LIBRARY = Path(__file__).resolve().parents[2] / "stdlib"
ERROR = re.compile(r"^(?:.*/)?([^:/]*):(\d+):\d+: error\[(E\d+)\]", re.MULTILINE)

IN_FOLDER = re.compile(r"^(?:.*/)?(\d+)/([^:/]*):(\d+):\d+: error\[(E\d+)\]", re.MULTILINE)


class Ferz:
    """Runs commands in a folder of its own, which goes with the object."""

    def __init__(self, command, environment=None):
        self.command = command
        self.folder = tempfile.TemporaryDirectory(
            prefix="ferz-conform-", dir=environment and environment.get("TMPDIR"))
        self.known = {}                 # answers by request (foresee)
        self.environment = dict(environment or os.environ, FERZ_PATH=str(LIBRARY), NO_COLOR="1",
                                LC_ALL="C.UTF-8")

    def foresee(self, requests):
        """Asks once about many scripts that should be refused: processes cost more than answers."""
        folders = [Path(self.folder.name, str(number)) for number in range(len(requests))]
        for folder, request in zip(folders, requests):
            folder.mkdir()
            for name, text in {"case.game": request["script"], **request["files"]}.items():
                (folder / name).write_text(text, encoding="utf-8", newline="")
        done = subprocess.run([*self.command, "check", *(f"{f.name}/case.game" for f in folders)],
                              cwd=self.folder.name, env=self.environment, capture_output=True,
                              encoding="utf-8", errors="replace", check=False, timeout=100)
        for error in reversed(list(IN_FOLDER.finditer(done.stdout))):
            self.known[json.dumps(requests[int(error[1])])] = {
                "error": {"file": error[2], "line": int(error[3]), "code": error[4]}}
        for folder in folders:
            shutil.rmtree(folder)

    def answer(self, request):
        known = self.known.get(json.dumps(request))
        if known:
            return known
        folder = Path(self.folder.name)
        files = {"case.game": request["script"], **request.get("files", {})}
        for name, text in files.items():
            (folder / name).write_text(text, encoding="utf-8", newline="")
        words = [word for name, value in request.get("options", {}).items()
                 for word in ("-o", f"{name}={value}")]
        events = list(request.get("events", []))
        last = [events.pop()] if request.get("outcomes") and events else []
        words += ["--play", ", ".join(events)] if events else []
        words += ["--for", request["player"]] if request.get("player") else []
        if request.get("outcomes"):
            answer = self.run("outcomes", *words, "case.game", *last)
            answer = {"outcomes": answer} if isinstance(answer, list) else answer
        elif "perft" in request or "decisions" in request:
            kind = "perft" if "perft" in request else "decisions"
            words += ["--decisions"] if kind == "decisions" else []
            answer = self.run("perft", *words, "case.game", str(request[kind]))
            if "depths" in answer:
                answer = {kind: answer["depths"][-1]["nodes"]}
        elif request.get("tests"):
            answer = self.tests(*words)
        else:
            answer = self.run("moves", *words, "case.game")
        for name in files:
            (folder / name).unlink()
        return answer

    def tests(self, *words):
        """Which tests pass. A failed one is no failure of the command."""
        answer = self.run("test", *words, "case.game", good=(0, 1))
        if "tests" not in answer:
            return answer
        return {"tests": [test["passed"] for test in answer["tests"]]}

    def run(self, command, *words, good=(0,)):
        done = subprocess.run([*self.command, command, *words, "--format", "json"],
                              cwd=self.folder.name, env=self.environment, capture_output=True,
                              encoding="utf-8", errors="replace", check=False, timeout=100)
        if done.returncode in good and done.stdout.startswith(("{", "[")):
            return json.loads(done.stdout)
        error = ERROR.search(done.stderr)
        if error:
            return {"error": {"file": error[1], "line": int(error[2]), "code": error[3]}}
        return {"failed": {"message": done.stderr.strip()}}
