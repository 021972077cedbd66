"""What a solve returns."""

from collections.abc import Callable
from enum import IntEnum
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from creature_sim.maths import Floats
from creature_sim.maths.jit import kernel


class Status(IntEnum):
    """How a solve ended."""

    REACHED = 0
    """The tip is within the tolerance of the target."""
    TOO_FAR = 1
    """The target is farther from the root than the chain reaches. FABRIK points the chain at it;
    under limits, or by another method, it is the nearest pose found."""
    TOO_NEAR = 2
    """The target is nearer to the root than the tip can come, for a bone is longer than all others
    together. FABRIK brings it as near as it can be; under limits, or by another method, it is the
    nearest pose found."""
    LIMITED = 3
    """The limits keep the tip away; the nearest pose found."""
    MAX_ITERATIONS = 4
    """The iterations did not suffice; the nearest pose found."""


STATUSES = np.array(list(Status), dtype=object)

OUTCOME = np.dtype(
    (
        np.record,
        [
            ("iterations", "i8"),  # passes over the chain, and steps of what helps them
            ("error", "f8"),  # distance of the tip from the target [m]
            ("status", "i8"),  # number of a `Status`
        ],
    )
)

Outcomes: TypeAlias = NDArray[Any]
"""Array of OUTCOME records."""


@kernel
def judge(
    error: float, tolerance: float, d: float, min_reach: float, reach: float, is_settled: bool
) -> int:
    """Number of the status of a solve.

    Args:
        error: Distance of the tip from the target [m].
        tolerance: Error that counts as there [m].
        d: Distance of the target from the root [m].
        min_reach: Smallest distance that the chain can reach [m].
        reach: Largest distance that the chain can reach [m].
        is_settled: Whether limits let no step lead nearer.
    """
    if error <= tolerance:
        return 0
    if d > reach:
        return 1
    if d < min_reach:
        return 2
    return 3 if is_settled else 4


class Posed:
    """What solutions of one and of many chains have in common.

    Attributes:
        joints: (..., J, 3), or (..., J, 2) for flat input [m, world], root first. Rotations are
            worked out from them when they are first asked for: ask before changing them in place.
        effector: (..., 4) rotation that a user gave to the effector, or None.
    """

    def __init__(
        self, joints: Floats, turn: Callable[[], Floats] | None, effector: Floats | None
    ) -> None:
        """Keep the fields; `turn` makes the rotations when they are asked for."""
        self.joints = joints
        self.effector = effector
        self._turn = turn

    @cached_property
    def rotations(self) -> Floats:
        """(..., J - 1, 4) world rotation xyzw of each bone against its start.

        Made when first asked for. Along a path each has the sign nearer to the one before.

        Raises:
            ValueError: It was solved with `rotations=False`.
        """
        if self._turn is None:
            raise ValueError("rotations: there are none, it was solved with rotations=False")
        return self._turn()

    @property
    def effector_rotation(self) -> Floats:
        """(..., 4) rotation xyzw of what the tip carries: the target's, else the last bone's."""
        if self.effector is not None:
            return self.effector
        last: Floats = self.rotations[..., -1, :]
        return last


class Solution(Posed):
    """A solved chain.

    Attributes:
        joints: (J, 3), or (J, 2) for flat input [m, world], root first.
        iterations: Passes over the chain, and steps of what helps them.
        error: Distance of the tip from the target [m].
        status: How it ended.
        effector: (4,) rotation that a user gave to the effector, or None.
    """

    def __init__(
        self,
        joints: Floats,
        iterations: int,
        error: float,
        status: Status,
        turn: Callable[[], Floats] | None = None,
        effector: Floats | None = None,
    ) -> None:
        """Keep the fields; `turn` makes the rotations when they are asked for."""
        super().__init__(joints, turn, effector)
        self.iterations = iterations
        self.error = error
        self.status = status

    def __repr__(self) -> str:
        """Return what a user wants to see first."""
        return f"Solution(status={self.status!r}, iterations={self.iterations}, error={self.error})"


class Solutions(Posed):
    """One chain solved for many targets, or many chains: fields have a leading axis, n long.

    Attributes:
        joints: (n, J, 3), or (n, J, 2) for flat input [m, world], roots first.
        effector: (n, 4) rotations that a user gave to the effector, or None.
    """

    def __init__(
        self,
        joints: Floats,
        outcomes: Outcomes,
        turn: Callable[[], Floats] | None,
        effector: Floats | None = None,
    ) -> None:
        """Keep joints and outcomes (n,); `turn` makes the rotations when they are asked for."""
        super().__init__(joints, turn, effector)
        self._outcomes = outcomes

    @cached_property
    def iterations(self) -> NDArray[np.int64]:
        """(n,) passes over the chain, and steps of what helps them."""
        return np.ascontiguousarray(self._outcomes["iterations"])

    @cached_property
    def error(self) -> Floats:
        """(n,) distance of the tip from the target [m]."""
        return np.ascontiguousarray(self._outcomes["error"])

    @cached_property
    def status(self) -> NDArray[Any]:
        """(n,) how each ended, of dtype object: each is a `Status`."""
        found: NDArray[Any] = STATUSES[self._outcomes["status"]]
        return found

    def first(self, effector: Floats | None) -> Solution:
        """The solution for the first target."""
        turn = self._turn
        iterations, error, status = self._outcomes.item(0)
        return Solution(
            self.joints[0],
            iterations,
            error,
            STATUSES[status],
            None if turn is None else lambda: turn()[0],
            effector,
        )

    def __repr__(self) -> str:
        """Return what a user wants to see first."""
        return f"Solutions(status={self.status}, iterations={self.iterations}, error={self.error})"
