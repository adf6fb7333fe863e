"""What registries ask for: one version everywhere, and the metadata of each package."""
import json
import re
import subprocess
import tempfile
from pathlib import Path
from xml.etree import ElementTree

from .common import ROOT, Result

NPM, VSCODE = "interp/web/npm/package.json", "docs/editors/vscode/package.json"
APPSTREAM = "docs/packaging/ferz.metainfo.xml"
VERSIONS = {                            # where else the version stands, as a pattern
    NPM: r'"version": "(.*?)"', VSCODE: r'"version": "(.*?)"',
    APPSTREAM: r'<release version="(.*?)"', "docs/CITATION.cff": r"^version: (.*)$",
    "docs/packaging/debian/changelog": r"\A\w+ \((.*)-\d+\)", "NEWS": r"^(\d\S*) ",
    "docs/packaging.md": r"ferz-(\S*)\.tar"}
COMMON = {"name", "version", "description", "license", "author", "keywords", "homepage",
          "repository", "bugs"}
FIELDS = {NPM: COMMON | {"type", "main", "types", "exports", "files", "engines"},
          VSCODE: COMMON | {"displayName", "publisher", "icon", "categories", "engines", "main"}}
MARKETS = {"Programming Languages", "Linters", "Formatters", "Debuggers", "Testing", "Other"}


OPTIONAL = ("SQLITE", "LIBFFI", "LIBEDIT", "UTF8PROC", "CAIRO", "MICROHTTPD")
USES = re.compile(rf"\b(?:HAVE_(?:{'|'.join(OPTIONAL)})\b|sqlite3_|SQLITE_)")


def read(path):
    return (ROOT / path).read_text(encoding="utf-8")


def other_versions():
    version = re.search(r"^AC_INIT\(\[\w+\], \[(.*?)\]", read("configure.ac"), re.M)[1]
    problems = ""
    for path, pattern in VERSIONS.items():
        found = re.search(pattern, read(path), re.MULTILINE)
        if not found or found[1] != version:
            problems += f"{path}: version {found and found[1]}, not {version}\n"
    return problems


def missing_metadata():
    problems = ""
    for path, fields in FIELDS.items():
        package = json.loads(read(path))
        problems += "".join(f"{path}: no {name}\n" for name in sorted(fields - {*package}))
        problems += f"{path}: private packages are not published\n" if "private" in package else ""
        strange = {*package.get("categories", ())} - MARKETS
        problems += f"{path}: unknown categories {strange}\n" if strange else ""
        icon = ROOT / path.replace("package.json", package.get("icon", "package.json"))
        if package.get("icon") and icon.read_bytes()[16:24] != b"\0\0\0\x80\0\0\0\x80":
            problems += f"{path}: the icon is no picture of 128 times 128\n"
    return problems


def missing_appstream():
    tree = ElementTree.fromstring(read(APPSTREAM))
    wanted = ("id", "name", "summary", "description", "metadata_license", "project_license",
              "developer", "launchable", "icon", "url", "categories", "content_rating", "releases")
    return "".join(f"no {name}\n" for name in wanted if tree.find(name) is None)


def appstream(_, name):
    """What checks such files in distributions finds nothing wrong."""
    done = subprocess.run(["appstreamcli", "validate", "--no-net", ROOT / APPSTREAM],
                          capture_output=True, text=True, check=False)
    return [Result(name, done.returncode == 0, done.stdout + done.stderr)]


def without_libraries(context, name):
    """What uses an optional library compiles without it."""
    problems = ""
    with tempfile.TemporaryDirectory() as folder:
        text = (context.build / "config.h").read_text(encoding="utf-8")
        (Path(folder) / "config.h").write_text(
            re.sub(rf"^#define HAVE_(?:{'|'.join(OPTIONAL)}) .*$", "", text, flags=re.MULTILINE),
            encoding="utf-8")
        sources = [path for room in ("grammar", "interp") for path in (ROOT / room).rglob("*.c")
                   if USES.search(path.read_text(encoding="utf-8"))]
        for path in sorted(sources):
            done = context.command(["cc", "-std=c11", "-fsyntax-only", "-DHAVE_CONFIG_H",
                                    "-D_POSIX_C_SOURCE=200809L", f"-I{folder}", f"-I{ROOT}",
                                    f"-I{ROOT}/interp", f"-I{context.build}", path])
            problems += done.describe() if done.code else ""
    return [Result(name, len(sources) > 8 and not problems, problems)]
