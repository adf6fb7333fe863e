"""What ferz.environments uses of Gymnasium, for tests on machines without it."""
from . import spaces

__all__ = ["Env", "spaces"]


class Env:
    def reset(self, *, seed=None, options=None):
        """Nothing is drawn here."""
