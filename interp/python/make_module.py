#!/usr/bin/env python3
"""Makes the Python module `ferz` in a folder: its sources, and the declarations of ferz.h as cffi
reads them.

    make_module.py --version VERSION --library PATH [--copy] OUT
    make_module.py --remove OUT

PATH is libferz.so; with --copy it is put into the module, with the games and modules that Ferz
comes with, so that the folder can be moved. --remove removes what was made. A package of others
with the same name is neither changed nor removed."""
import argparse
import pathlib
import re
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
HEADER = HERE.parent / "ferz.h"
LIBRARY = ("stdlib", "games")
MADE = "# Written by make_module.py."        # so begins a file of a module that this made


def declarations(text):
    """A header without comments and what the preprocessor takes away."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    text = re.sub(r"#ifdef __cplusplus\n.*?#endif\n", "", text, flags=re.DOTALL)
    return re.sub(r"^#.*\n", "", text, flags=re.MULTILINE)


def sources():
    return [path for path in sorted((HERE / "ferz").iterdir()) if path.is_file()]


def is_ours(module):
    place = module / "_place.py"
    return place.is_file() and place.read_text("utf-8", "replace").startswith(MADE)


def remove(module):
    """What make() put there, and what Python compiled of it."""
    if not is_ours(module):
        return
    for name in [path.name for path in sources()] + ["libferz.so", "_declarations.py", "_place.py"]:
        (module / name).unlink(missing_ok=True)
        for compiled in (module / "__pycache__").glob(f"{pathlib.Path(name).stem}.*.pyc"):
            compiled.unlink()
    shutil.rmtree(module / "library", ignore_errors=True)
    for folder in (module / "__pycache__", module):
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()


def make(module, version, library, copied):
    import cffi     # only what makes a module needs it
    if module.exists() and any(module.iterdir()) and not is_ours(module):
        sys.exit(f"make_module.py: {module} is another package")
    module.mkdir(parents=True, exist_ok=True)
    (module / "_place.py").write_text(f'{MADE}\nLIBRARY = {"" if copied else str(library)!r}\n'
                                      f'VERSION = "{version}"\n')
    for source in sources():
        shutil.copy(source, module)
    if copied:
        shutil.copy(library, module / "libferz.so")
        shutil.rmtree(module / "library", ignore_errors=True)
        for folder in LIBRARY:
            shutil.copytree(HERE.parent.parent / folder, module / "library" / folder)
    builder = cffi.FFI()
    builder.cdef(declarations(HEADER.read_text(encoding="utf-8")))
    builder.set_source("ferz._declarations", None)
    builder.emit_python_code(str(module / "_declarations.py"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--version")
    parser.add_argument("--library", type=pathlib.Path)
    parser.add_argument("--copy", action="store_true")
    parser.add_argument("--remove", action="store_true")
    parser.add_argument("out", type=pathlib.Path)
    args = parser.parse_args()
    module = args.out / "ferz"
    if args.remove:
        remove(module)
        return
    if not args.version or not args.library:
        parser.error("--version and --library are needed")
    if args.copy and not args.library.exists():
        sys.exit("make_module.py: there is no shared library: configure without --disable-shared")
    try:
        make(module, args.version, args.library, args.copy)
    except ImportError:
        sys.exit("make_module.py: this Python has no cffi (Debian: python3-cffi)")


if __name__ == "__main__":
    main()
