"""Tables of angles, read back."""

import csv
from pathlib import Path

import numpy as np

from creature_sim.maths import Floats


class Table:
    """A `.csv` of angles.

    Attributes:
        names: of its columns.
    """

    def __init__(self, path: Path) -> None:
        """Read a file."""
        with path.open(newline="") as stream:
            self.names, *rows = csv.reader(stream)
        self._numbers = np.array([[float(text) for text in row] for row in rows])

    def columns(self, names: list[str]) -> Floats:
        """Columns by name, (T, N)."""
        found: Floats = self._numbers[:, [self.names.index(name) for name in names]]
        return found

    @property
    def times(self) -> Floats:
        """(T,) [s]."""
        return self.columns(["time"])[:, 0]

    @property
    def positions(self) -> Floats:
        """(T, 3) of the base [m, world]."""
        return self.columns(["x", "y", "z"])

    @property
    def orientations(self) -> Floats:
        """(T, 4) of the base, xyzw."""
        return self.columns(["qx", "qy", "qz", "qw"])
