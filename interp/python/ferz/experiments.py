"""Experiments: measures and reports of many games, archives, shards and studies."""
import json
import os
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from .games import Game, checked_limits, settings_of
from .library import (STATUS, Error, diagnostics_of, encoded, ffi, lib, new_context, owned, text,
                      whole)

Path = Union[str, "os.PathLike[str]"]
Agents = Union[str, Sequence[str], None]
Progress = Optional[Callable[[int, int], Any]]


class _Run:
    """An fz_run_options and what must live as long. A run calls `progress`, if there is one, with
    the numbers of games that are done and wanted; it stops when that returns true."""

    def __init__(self, *, count: int = 1000, seed: int = 1, agents: Agents = None,
                 threads: int = 0, shard: Optional[Tuple[int, int]] = None,
                 branching: bool = False, records: Optional[str] = None, resume: bool = False,
                 progress: Progress = None, limits: Any = ffi.NULL,
                 settings: Optional[Mapping[str, str]] = None):
        self.problem: Optional[BaseException] = None
        part, parts = shard or (0, 0)
        if shard and not 1 <= part <= parts:
            raise Error(f"a shard is (K, N) with K from 1 to N, not {shard!r}")
        if agents is not None and not isinstance(agents, str):
            agents = ",".join(agents)
        rows, self._texts = settings_of(settings or {})
        self._kept = [rows, limits, self._text(agents), self._text(records),
                      self._watch(progress)]
        self.fields = {
            "settings": rows, "setting_count": len(settings or {}), "limits": limits,
            "agents": self._kept[2], "records": self._kept[3], "seed": whole(seed, "seed"),
            "count": whole(count, "count", 48), "threads": whole(threads, "threads", 32),
            "shard": whole(part, "shard", 32), "shards": whole(parts, "shards", 32),
            "branching": bool(branching), "resume": bool(resume), "watch": self._kept[4]}
        self.options = ffi.new("fz_run_options *", self.fields)

    @staticmethod
    def _text(value: Optional[str]) -> Any:
        return ffi.NULL if value is None else ffi.new("char[]", encoded(value))

    def _watch(self, progress: Progress) -> Any:
        def stop(_user: Any, done: int, total: int) -> bool:
            return bool(progress(done, total)) if progress else False

        def failed(_kind: Any, problem: BaseException, _trace: Any) -> bool:
            self.problem = problem
            return True
        self._stop = ffi.callback("bool(void *, uint64_t, uint64_t)", stop, error=True,
                                  onerror=failed)
        return ffi.new("fz_watch *", {"stop": self._stop})

    def check(self, context: Any, status: int) -> None:
        """Raises what `progress` raised, or why the library failed."""
        if self.problem is not None:
            raise self.problem
        if status != lib.FZ_OK:
            raise Error(text(lib.fz_context_message(context)), STATUS[status])


def _of_game(game: Game, **given: Any) -> _Run:
    chosen = {option.name: option.value for option in game.options if not option.is_default}
    return _Run(limits=game._limits, settings=chosen, **given)


def _taken(context: Any, pointer: Any) -> str:
    try:
        return text(pointer)
    finally:
        lib.fz_text_free(context, pointer)


def _measured(function: Any, game: Game, rollouts: int, influence: bool,
              strategic_depth: Optional[str], given: Dict[str, Any]) -> str:
    run, found = _of_game(game, **given), ffi.new("char **")
    agent = _Run._text(strategic_depth)
    also = ffi.new("fz_measure_options *", {
        "rollouts": whole(rollouts, "rollouts", 32), "influence": bool(influence),
        "strategic_depth": agent})
    with game._lock:        # of the context
        status = function(game._context, game._program, run.options, also, found)
        said = _taken(game._context, found[0])
        run.check(game._context, status)
    return said


def measure(game: Game, *, rollouts: int = 0, influence: bool = False,
            strategic_depth: Optional[str] = None, **run: Any) -> Dict[str, Any]:
    """Plays games and measures them, as `ferz measure --format json` does. `run`: count, seed,
    agents, threads, shard and progress."""
    found: Dict[str, Any] = json.loads(_measured(lib.fz_run_measure, game, rollouts, influence,
                                                 strategic_depth, run))
    return found


def report(game: Game, *, rollouts: int = 0, influence: bool = False,
           strategic_depth: Optional[str] = None, **run: Any) -> str:
    """The same games as one page in HTML, as `ferz report` writes it."""
    return _measured(lib.fz_run_page, game, rollouts, influence, strategic_depth, run)


def shard(game: Game, **run: Any) -> str:
    """Plays the games of a run, or with `shard` (K, N) a part of them; the text of a shard file."""
    options, found = _of_game(game, **run), ffi.new("char **")
    with game._lock:
        status = lib.fz_run_shard(game._context, game._program, options.options, found)
        said = _taken(game._context, found[0])
        options.check(game._context, status)
    return said


def join(shards: Sequence[str]) -> Dict[str, Any]:
    """The results of all games of these shards, as `ferz merge --format json` prints them."""
    context, results = new_context(), ffi.new("char **")
    texts = [encoded(one, "a shard") for one in shards]
    kept = [ffi.new("char[]", one) for one in texts]
    status = lib.fz_shards_join(context, ffi.new("char *[]", kept),
                                ffi.new("size_t[]", [len(one) for one in texts]), len(kept),
                                ffi.NULL, results)
    if status != lib.FZ_OK:
        raise Error(text(lib.fz_context_message(context)), STATUS[status])
    found: Dict[str, Any] = json.loads(_taken(context, results[0]))
    return found


class Archive:
    """An archive of games; `ferz.archive` opens it. Close it, or use it in a `with` block."""

    def __init__(self, path: Path, create: bool):
        self._context, made = new_context(), ffi.new("fz_archive **")
        status = lib.fz_archive_open(self._context, os.fsencode(path), create, made)
        if status != lib.FZ_OK:
            raise Error(text(lib.fz_context_message(self._context)), STATUS[status])
        self._archive = owned(made[0], lib.fz_archive_close, self._context)

    def _open(self) -> Any:
        if self._archive is None:
            raise Error("the archive is closed")
        return self._archive

    def play(self, game: Game, **run: Any) -> int:
        """Plays the games of a run and stores them: count, seed, agents, threads, shard, branching,
        progress; `records`: "all", "failed", "7" or "2..9"; with `resume`, continues a run that is
        there. How many games of the run the archive has."""
        options, tally = _of_game(game, **run), ffi.new("fz_tally *")
        status = lib.fz_archive_play(self._open(), game._program, options.options, tally)
        options.check(self._context, status)
        return int(tally.playouts + tally.failed)

    @property
    def runs(self) -> List[Dict[str, Any]]:
        """The runs: their experiment, and which of its games are there."""
        found = ffi.new("char **")
        status = lib.fz_archive_runs(self._open(), found)
        said = _taken(self._context, found[0])
        if status != lib.FZ_OK:
            raise Error(text(lib.fz_context_message(self._context)), STATUS[status])
        rows: List[Dict[str, Any]] = json.loads(said)
        return rows

    def record(self, run: int, game: int) -> str:
        """The record of a game, for ferz.Record. Both numbers count from 1."""
        found = ffi.new("char **")
        status = lib.fz_archive_record(self._open(), whole(run, "run", 63),
                                       whole(game, "game", 63), found)
        if status != lib.FZ_OK:
            raise Error(text(lib.fz_context_message(self._context)), STATUS[status])
        return _taken(self._context, found[0])

    def join(self, *paths: Path) -> str:
        """Adds the runs of the first of these archives, each with its parts in the others, such as
        shards. A text: why the use of the board was left out, or nothing."""
        names = [ffi.new("char[]", os.fsencode(path)) for path in paths]
        status = lib.fz_archives_join(self._open(), names, len(names), ffi.NULL)
        said = text(lib.fz_context_message(self._context))
        if status != lib.FZ_OK:
            raise Error(said, STATUS[status])
        return str(said)

    def close(self) -> None:
        if self._archive is not None:
            ffi.release(self._archive)
        self._archive = None

    def __enter__(self) -> "Archive":
        return self

    def __exit__(self, *_problem: Any) -> None:
        self.close()


def archive(path: Path, create: bool = True) -> Archive:
    """Opens an archive, or makes the file."""
    return Archive(path, create)


class Study:
    """A study that was played; `ferz.study` plays it."""

    def __init__(self, context: Any, study: Any, kept: Any):
        self._context, self._study, self._kept = context, study, kept

    def table(self, name: str, argument: Optional[str] = None) -> Any:
        """A table, as a list of dicts with the same keys: "results", "lines", "differences",
        "line differences", "distances", "wear", "recovery", "reconstruction", "use", "runs" or
        "study" (see fz_study_table of ferz.h)."""
        found = ffi.new("char **")
        status = lib.fz_study_table(self._study, encoded(name, "a table"),
                                    _Run._text(argument), found)
        if status != lib.FZ_OK:
            raise Error(text(lib.fz_context_message(self._context)), STATUS[status])
        return json.loads(_taken(self._context, found[0]))

    @property
    def results(self) -> List[Dict[str, Any]]:
        """How the games of each ruleset ended."""
        rows: List[Dict[str, Any]] = self.table("results")
        return rows


def study(path: Path, *, script: Optional[str] = None, archive: Optional[Path] = None,
          grid: Optional[str] = None, limits: Optional[Mapping[str, int]] = None,
          count: Optional[int] = None, seed: Optional[int] = None, **run: Any) -> Study:
    """Plays the study of a file, or of a text (`script`) that stands for it. `archive`: where its
    games are kept; `resume` continues. `grid` adds axes; count, seed and agents replace those of
    the study. `run`: agents, threads, shard, resume and progress."""
    limited = ffi.new("fz_limits *", checked_limits(limits or {}))
    options = _Run(limits=limited, count=count or 0, seed=seed or 0, **run)
    kept = [options, limited, _Run._text(grid),
            ffi.NULL if archive is None else ffi.new("char[]", os.fsencode(archive))]
    todo = ffi.new("fz_study_options *", {
        "run": options.fields, "sets_count": count is not None, "sets_seed": seed is not None,
        "grid": kept[2], "archive": kept[3]})
    context, made = new_context(), ffi.new("fz_study **")
    source = ffi.NULL if script is None else encoded(script, "the study")
    options.check(context, lib.fz_study_open(context, os.fsencode(path), source,
                                             0 if script is None else len(source), todo, made))
    found = owned(made[0], lib.fz_study_free, context, kept, todo)
    errors = ffi.new("fz_report **")
    status = lib.fz_study_play(found, errors)
    if errors[0] != ffi.NULL:
        problems = owned(errors[0], lib.fz_report_free, context)
        raise Error(text(lib.fz_report_text(problems, lib.FZ_TEXT)).rstrip("\n"), STATUS[status],
                    diagnostics_of(problems))
    options.check(context, status)
    return Study(context, found, (kept, todo))
