"""What components are made of: arrays of records, and state that snapshots copy."""

from dataclasses import dataclass, fields
from typing import Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

Records: TypeAlias = NDArray[Any]
"""Array of numpy records; the comment beside it names their dtype."""


Record: TypeAlias = Any
"""One record of such an array, inside a kernel."""


GRAVITY = 9.81
"""[m/s^2]"""


def record_type(*names: tuple[str, str] | tuple[str, str, tuple[int, ...]]) -> np.dtype[Any]:
    """Record type of 8-byte fields: no padding, and readable as attributes without a compiler.

    For the latter no field may be named like an attribute of numpy's own scalars (`base`, `data`).
    """
    return np.dtype((np.record, list(names)))


@dataclass
class Part:
    """A component that is state: copied into snapshots, digested, restored by a reset.

    Every array in it has the herd's N creatures as its leading axis and 8-byte fields.
    Derive from it to add state of your own to the world; `name` is what digests call it.
    """

    name: ClassVar[str]

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The arrays by field name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


@dataclass
class Spawned:
    """Copies of an entity's parts as they were before the first tick, for a reset."""

    parts: dict[type[Part], dict[str, NDArray[Any]]]
