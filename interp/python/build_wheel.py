"""Makes a wheel of the Python module: what `pip install ./interp/python` calls (PEP 517), and
`./dev wheel`.

    build_wheel.py OUT

The module is that of `./dev python`, with libferz, the standard library and the games inside. What
libferz itself needs (libffi, jansson, SQLite ...) must be there where the wheel is used. Two wheels
of one build have the same bytes."""
import base64
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import sysconfig
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MODULE = ROOT / "build/python/ferz"
DATE = (1980, 1, 1, 0, 0, 0)        # the first that a zip file can have
TAG = "py3-none-" + re.sub(r"[-.]", "_", sysconfig.get_platform())


def metadata(version):
    return (f"Metadata-Version: 2.1\nName: ferz\nVersion: {version}\n"
            "Summary: compile the rules of a board game, play it, and sample many games at once\n"
            "Author: The Ferz authors\nHome-page: https://example.org/ferz/\n"
            "Keywords: board games,general game playing,simulation,reinforcement learning\n"
            "Classifier: Programming Language :: Python :: 3\n"
            "Classifier: Operating System :: POSIX :: Linux\n"
            "Classifier: Topic :: Games/Entertainment :: Board Games\n"
            "License: MIT\nLicense-File: LICENSE\nRequires-Python: >=3.8\nRequires-Dist: cffi\n"
            "Requires-Dist: numpy\nDescription-Content-Type: text/markdown\n\n"
            + (ROOT / "docs/python.md").read_text("utf-8"))


def module_files():
    return {f"ferz/{path.relative_to(MODULE).as_posix()}": path.read_bytes()
            for path in sorted(MODULE.rglob("*"))
            if path.is_file() and "__pycache__" not in path.parts}


def info_files(version):
    return {"METADATA": metadata(version).encode(),
            "WHEEL": f"Wheel-Version: 1.0\nGenerator: ferz\nRoot-Is-Purelib: false\nTag: {TAG}\n"
                     .encode(),
            "LICENSE": (ROOT / "LICENSE").read_bytes()}


def record_row(name, data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}\n"


def pack(folder):
    """The module that was made, as a wheel in the folder; its name."""
    version = re.search(r'VERSION = "(.*)"', (MODULE / "_place.py").read_text("utf-8"))[1]
    info = f"ferz-{version}.dist-info"
    files = module_files() | {f"{info}/{name}": data
                              for name, data in info_files(version).items()}
    record = "".join(record_row(*item) for item in files.items()) + f"{info}/RECORD,,\n"
    name = f"ferz-{version}-{TAG}.whl"
    with zipfile.ZipFile(pathlib.Path(folder) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in {**files, f"{info}/RECORD": record.encode()}.items():
            entry = zipfile.ZipInfo(path, DATE)
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, data)
    return name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """The hook of PEP 517."""
    del config_settings, metadata_directory     # there is nothing to choose
    # Where pip builds, Python finds no packages; making the module needs cffi.
    outside = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    subprocess.run([ROOT / "dev", "python"], check=True, env=outside)
    return pack(wheel_directory)


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    """The hook of PEP 517 that builds nothing."""
    del config_settings
    version = re.search(r"^AC_INIT\(\[\w+\], \[(.*?)\]", (ROOT / "configure.ac").read_text("utf-8"),
                        re.MULTILINE)[1]
    info = pathlib.Path(metadata_directory) / f"ferz-{version}.dist-info"
    info.mkdir()
    for name, data in info_files(version).items():
        (info / name).write_bytes(data)
    return info.name


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    print(pack(sys.argv[1]))


if __name__ == "__main__":
    main()
