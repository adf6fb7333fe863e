"""What a player sees, as arrays of numbers."""
from dataclasses import dataclass
from typing import Any, Dict, List, Tuple

import numpy as np

from .library import ffi, lib, text


@dataclass(frozen=True)
class Feature:
    """A part of an observation: planes `first` .. or values `first` .., which have `shape`; planes
    have the sites as a last axis. `variable`: is it a variable of the script? docs/python.md of
    Ferz lists the others."""

    name: str
    variable: bool
    is_planes: bool
    first: int
    shape: Tuple[int, ...]

    @property
    def size(self) -> int:
        return int(np.prod(self.shape))


# Those that are lists of numbers by nature keep their axis of one element.
LISTS = ("pieces", "last_move", "out", "seen", "heights", "below")


def features_of(program: Any, lengths: Dict[int, int]) -> List[Feature]:
    """`lengths`: of the variables by number."""
    found, row = [], ffi.new("fz_feature *")
    while lib.fz_program_feature(program, len(found), row):
        name = text(row.name)
        single = name not in LISTS if row.variable < 0 else lengths[row.variable] == 1
        shape = (row.rows, row.columns)
        if row.columns == 1 and name != "pieces":
            shape = () if single and row.rows == 1 else (row.rows,)
        found.append(Feature(name, row.variable >= 0, bool(row.is_planes), row.first, shape))
    return found


class Observation:
    """What a player sees. `planes` (uint8) has a row for each plane and a column for each site,
    `values` (int32) an element for each value; those of a batch have an axis of games before.

    The features are attributes, such as `pieces` and `mover`; `observation["pot"]` is a variable of
    the script. Both are views of the arrays."""

    def __init__(self, features: List[Feature], planes: "np.ndarray", values: "np.ndarray"):
        self._features = features
        self.planes = planes
        self.values = values

    def _find(self, name: str, variable: bool) -> "np.ndarray":
        for feature in self._features:
            if feature.name == name and feature.variable == variable:
                games = self.values.shape[:-1]
                end = feature.first + feature.size
                if feature.is_planes:
                    found = self.planes[..., feature.first:end, :]
                    return found.reshape(games + feature.shape + self.planes.shape[-1:])
                return self.values[..., feature.first:end].reshape(games + feature.shape)
        raise KeyError(name)

    def __getitem__(self, variable: str) -> "np.ndarray":
        return self._find(variable, True)

    def __getattr__(self, name: str) -> "np.ndarray":
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self._find(name, False)
        except KeyError:
            raise AttributeError(f"there is no feature {name!r} in this game") from None


def blocks(game: Any, *games: int) -> Observation:
    """An observation to be filled."""
    planes = np.zeros((*games, game.planes, len(game.sites)), np.uint8)
    values = np.zeros((*games, game.values), np.int32)
    return Observation(game.features, planes, values)


def pointers(observation: Observation) -> Tuple[Any, Any]:
    """Where the library fills it; as long as the observation lives."""
    return (ffi.from_buffer("uint8_t[]", observation.planes),
            ffi.from_buffer("int32_t[]", observation.values))
