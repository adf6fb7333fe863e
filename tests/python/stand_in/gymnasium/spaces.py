"""Spaces as far as ferz.environments uses them."""
import numpy as np


class Space:
    """A set of values."""

    def contains(self, value):
        raise NotImplementedError


class Discrete(Space):
    def __init__(self, n):
        self.n = int(n)
        self._generator = np.random.default_rng(1)

    def sample(self, mask=None):
        if mask is None:
            return self._generator.integers(self.n)
        return self._generator.choice(np.flatnonzero(mask))

    def contains(self, value):
        return 0 <= value < self.n


class Box(Space):
    def __init__(self, low, high, shape=None, dtype=np.float32):
        self.shape = np.shape(low) if shape is None else shape
        self.low, self.high, self.dtype = low, high, np.dtype(dtype)

    def contains(self, value):
        return value.shape == self.shape and value.dtype == self.dtype and \
            bool(np.all((value >= self.low) & (value <= self.high)))


class Dict(Space):
    def __init__(self, parts):
        self.spaces = parts

    def contains(self, value):
        return value.keys() == self.spaces.keys() and \
            all(space.contains(value[name]) for name, space in self.spaces.items())
