"""The library libferz, its errors, and the ownership of what it makes."""
import ctypes.util
import json
import operator
import os
import pathlib
from dataclasses import dataclass
from typing import Any, Callable, List, Optional

from ._declarations import ffi
from ._place import LIBRARY, VERSION

STATUS = ("ok", "invalid", "not-found", "no-memory", "runtime", "bad-input", "refused", "usage")


@dataclass(frozen=True)
class Diagnostic:
    """A mistake in a script. Lines and columns count from 1; the end belongs to the place."""

    code: str
    severity: str               # "error" or "warning"
    message: str
    file: Optional[str]
    line: Optional[int]
    column: Optional[int]
    end_line: Optional[int]
    end_column: Optional[int]
    hints: List[str]
    fixes: List[Any]            # edits that carry out the hints, as in the JSON of ferz check


class Error(Exception):
    """A call failed; the text says why. `status`: "invalid" (the script has errors, listed in
    `diagnostics`), "runtime" (the script failed while playing; the text has the place), "usage",
    "not-found", "bad-input", "refused" or "no-memory"."""

    def __init__(self, message: str, status: str = "usage",
                 diagnostics: Optional[List[Diagnostic]] = None):
        super().__init__(message)
        self.status = status
        self.diagnostics = diagnostics or []


def _open() -> Any:
    beside = pathlib.Path(__file__).resolve().parent / "libferz.so"
    tries = [os.environ.get("FERZ_LIBRARY"), str(beside) if beside.exists() else None,
             LIBRARY if LIBRARY and os.path.exists(LIBRARY) else None,
             "libferz.so.1", ctypes.util.find_library("ferz")]
    problems = []
    for path in filter(None, tries):
        try:
            return ffi.dlopen(path)
        except OSError as problem:
            problems.append(str(problem))
    raise ImportError("libferz cannot be loaded: " + "; ".join(problems))


def _find_library() -> None:
    """A module that has games and modules of its own says so to libferz."""
    own = pathlib.Path(__file__).resolve().parent / "library"
    for name in ("stdlib", "games"):
        if (own / name).is_dir():
            os.environ.setdefault(f"FERZ_{name.upper()}", str(own / name))


_find_library()
lib = _open()


def text(chars: Any) -> str:
    """A borrowed text of the library."""
    return "" if chars == ffi.NULL else ffi.string(chars).decode("utf-8", "replace")


def version() -> str:
    """The version of the library that runs."""
    return text(lib.fz_version())


# Structures are laid out as the header said when the module was made.
if version() != VERSION:
    raise ImportError(f"libferz is version {version()}, the module was made for {VERSION}")


def owned(pointer: Any, free: Callable[[Any], None], *needed: Any) -> Any:
    """The pointer, freed when nobody has it any more. What is `needed` lives as long."""
    def release(dead: Any, _needed: Any = needed) -> None:
        free(dead)
    return ffi.gc(pointer, release)


def new_context() -> Any:
    context = lib.fz_context_new(ffi.NULL)
    if context == ffi.NULL:
        raise Error("out of memory", "no-memory")
    return owned(context, lib.fz_context_free)


def diagnostics_of(report: Any) -> List[Diagnostic]:
    fields = Diagnostic.__dataclass_fields__
    return [Diagnostic(**{name: row.get(name) for name in fields})
            for row in json.loads(text(lib.fz_report_text(report, lib.FZ_JSON)))]


def whole(value: Any, what: str, bits: int = 64) -> int:
    """A number from 0 that the library takes in so many bits."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{what} is a whole number, not {type(value).__name__}")
    number = operator.index(value)
    if not 0 <= number < 1 << bits:
        raise Error(f"{what} is a number from 0 to 2^{bits} - 1, not {number}")
    return number


def encoded(value: str, what: str = "a text") -> bytes:
    """A text as the library takes it."""
    if not isinstance(value, str):
        raise TypeError(f"{what} is a str, not {type(value).__name__}")
    if "\0" in value:
        raise ValueError(f"{what} has no NUL")
    return value.encode("utf-8", "surrogateescape")
