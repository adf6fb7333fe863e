#!/usr/bin/env python3
"""Makes the Python module `ferz` in a folder: its sources, and the declarations of ferz.h as cffi
reads them.

    make_module.py --version VERSION --library PATH [--copy] OUT

PATH is libferz.so; with --copy it is put into the module, so that the folder can be moved."""
import argparse
import pathlib
import re
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
HEADER = HERE.parent / "ferz.h"


def declarations(text):
    """A header without comments and what the preprocessor takes away."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    text = re.sub(r"#ifdef __cplusplus\n.*?#endif\n", "", text, flags=re.DOTALL)
    return re.sub(r"^#.*\n", "", text, flags=re.MULTILINE)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--version", required=True)
    parser.add_argument("--library", required=True, type=pathlib.Path)
    parser.add_argument("--copy", action="store_true")
    parser.add_argument("out", type=pathlib.Path)
    args = parser.parse_args()
    try:
        import cffi
    except ImportError:
        sys.exit("make_module.py: this Python has no cffi (Debian: python3-cffi)")
    if args.copy and not args.library.exists():
        sys.exit("make_module.py: there is no shared library: configure without --disable-shared")

    module = args.out / "ferz"
    module.mkdir(parents=True, exist_ok=True)
    for source in sorted((HERE / "ferz").iterdir()):
        if source.is_file():
            shutil.copy(source, module)
    place = str(args.library)
    if args.copy:
        shutil.copy(args.library, module / "libferz.so")
        place = ""
    (module / "_place.py").write_text(f'# Written by make_module.py.\nLIBRARY = {place!r}\n'
                                      f'VERSION = "{args.version}"\n')
    builder = cffi.FFI()
    builder.cdef(declarations(HEADER.read_text(encoding="utf-8")))
    builder.set_source("ferz._declarations", None)
    builder.emit_python_code(str(module / "_declarations.py"))


if __name__ == "__main__":
    main()
