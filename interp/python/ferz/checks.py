"""Checks of scripts, and differences of two games."""
import os
from dataclasses import dataclass
from typing import Any, List, Mapping, Optional, Tuple, Union

from .games import Game, Setting, checked_limits, settings_of
from .library import (STATUS, Diagnostic, Error, diagnostics_of, encoded, ffi, lib, new_context,
                      text as text_of, whole)


@dataclass(frozen=True)
class Finding:
    """Something suspicious in a game. Lines and columns count from 1."""

    message: str
    file: Optional[str]         # None: the finding has no place
    line: Optional[int]
    column: Optional[int]
    rule: Optional[str]         # the text of a rule that played no part
    record: Optional[str]       # of a game that shows it, for ferz.Record
    deep: bool                  # found by the deep check


@dataclass(frozen=True)
class Check:
    """What `ferz.check` found. `failure`: why a random game failed; ""."""

    diagnostics: List[Diagnostic]
    findings: List[Finding]
    playouts: int               # random games that were played
    positions: int              # that the deep check tested
    failure: str


@dataclass(frozen=True)
class Difference:
    """How two games differ. `reason`: None if no difference was found. `only`: the moves, or
    results of chance, that one of the games alone has; `each`: what each game does instead, or
    None."""

    reason: Optional[str]
    plies: int                  # moves and results of chance before the difference
    shortest: bool              # no shorter line of play shows a difference
    only: Tuple[List[str], List[str]]
    each: Optional[Tuple[str, str]]
    record: Optional[str]       # of the moves before the difference, in the first game
    depth: int                  # to which all lines of play were compared
    whole: bool                 # there are no longer ones
    games: int                  # random games that were compared after that
    positions: int


def _optional(pointer: Any) -> Optional[str]:
    return None if pointer == ffi.NULL else text_of(pointer)


def _finding(found: Any) -> Finding:
    rule = None
    if found.rule != ffi.NULL:
        rule = bytes(ffi.buffer(found.rule, found.length)).decode("utf-8", "replace")
    return Finding(text_of(found.message), _optional(found.path), found.line or None,
                   found.column or None, rule, _optional(found.record), bool(found.is_deep))


def check(path: Union[str, "os.PathLike[str]", None] = None, *, text: Optional[str] = None,
          options: Optional[Mapping[str, Setting]] = None,
          limits: Optional[Mapping[str, int]] = None, playouts: int = 0, deep: bool = False,
          seed: int = 1, threads: int = 1) -> Check:
    """Checks the script at `path`, or `text`, as `ferz check` does. `playouts`: random games, which
    find rules that never run. `deep`: tests many positions. Mistakes in the script are in
    `diagnostics`; Error is raised if the file cannot be read."""
    if path is None and text is None:
        raise TypeError("check needs a path or a text")
    name = os.fspath(path) if path is not None else "script.game"
    limited = ffi.new("fz_limits *", checked_limits(limits or {}))
    todo = ffi.new("fz_check_options *", {
        "playouts": whole(playouts, "playouts"), "deep": bool(deep), "seed": whole(seed, "seed"),
        "threads": whole(threads, "threads", 32), "limits": limited})
    settings, _texts = settings_of(options or {})
    source = ffi.NULL if text is None else encoded(text, "the script")
    context, made = new_context(), ffi.new("fz_check **")
    status = lib.fz_check_game(context, os.fsencode(name), source,
                               0 if text is None else len(source), settings, len(options or {}),
                               todo, made)
    if made[0] == ffi.NULL:
        raise Error(text_of(lib.fz_context_message(context)), STATUS[status])
    try:
        report = lib.fz_check_report(made[0])
        said = [] if report == ffi.NULL else diagnostics_of(report)
        if status not in (lib.FZ_OK, lib.FZ_RUNTIME) and not said:
            raise Error(text_of(lib.fz_context_message(context)), STATUS[status])
        found, findings = ffi.new("fz_finding *"), []
        while lib.fz_check_finding(made[0], len(findings), found):
            findings.append(_finding(found))
        return Check(said, findings, lib.fz_check_tally(made[0]).playouts,
                     lib.fz_check_positions(made[0]), text_of(lib.fz_check_message(made[0])))
    finally:
        lib.fz_check_free(made[0])


def compare(one: Game, other: Game, *, depth: int = 3, games: int = 100, seed: int = 1
            ) -> Difference:
    """Plays two games side by side, as `ferz diff --behaviour` does: all lines of play of up to
    `depth` moves, as far as bounds of memory and work allow, then random `games`."""
    name = ffi.new("char[]", os.fsencode(one.path))
    task = ffi.new("fz_diff_task *", {
        "programs": [one._program, other._program], "path": name, "limits": one._limits,
        "seed": whole(seed, "seed"), "depth": whole(depth, "depth", 10),
        "games": whole(games, "games")})
    context, found = new_context(), ffi.new("fz_diff *")
    try:
        status = lib.fz_games_diff(context, task, found)
        if status != lib.FZ_OK:
            raise Error(text_of(lib.fz_context_message(context)), STATUS[status])
        only = [[text_of(found.only[side][i]) for i in range(found.only_count[side])]
                for side in (0, 1)]
        each = None if found.each[0] == ffi.NULL else (text_of(found.each[0]),
                                                       text_of(found.each[1]))
        return Difference(_optional(found.why), found.plies, bool(found.is_shortest),
                          (only[0], only[1]), each, _optional(found.record), found.depth,
                          bool(found.is_whole), found.games, found.positions)
    finally:
        lib.fz_diff_free(context, found)
