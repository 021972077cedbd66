"""What a solve returns."""

from collections.abc import Callable
from enum import IntEnum
from functools import cached_property
from typing import Any

import numpy as np

from creature_sim.maths import Floats
from creature_sim.maths.jit import kernel


class Status(IntEnum):
    """How a solve ended."""

    REACHED = 0
    """The tip is within the tolerance of the target."""
    TOO_FAR = 1
    """The target is beyond the stretched chain, which points at it."""
    TOO_NEAR = 2
    """The target is in the hole that a bone longer than all others leaves; the tip is nearest."""
    LIMITED = 3
    """The limits keep the tip away; the nearest pose found."""
    MAX_ITERATIONS = 4
    """The iterations did not suffice; the nearest pose found."""


STATUSES = np.array(list(Status), dtype=object)


@kernel
def judge(
    error: float, tolerance: float, d: float, hole: float, reach: float, is_settled: bool
) -> int:
    """Status of a solve with this tip error, for a target at distance d [m] from the root.

    `is_settled` says that limits let no step lead nearer.
    """
    if error <= tolerance:
        return 0
    if d > reach:
        return 1
    if d < hole:
        return 2
    return 3 if is_settled else 4


class Solution:
    """A solved chain; of a path or a batch, every field has one more leading axis.

    Attributes:
        joints: (J, 3), or (J, 2) for flat input [m, world], root first.
        iterations: Passes over the chain, and steps of what helps them.
        error: Distance of the tip from the target [m].
        effector: (4,) rotation that a user gave to the effector, or None.
    """

    def __init__(
        self,
        joints: Floats,
        iterations: Any,
        error: Any,
        code: Any,
        turn: Callable[[], Floats] | None,
        effector: Floats | None,
    ) -> None:
        """Keep the fields; `turn` makes the rotations when they are asked for.

        `code` is the number of the status, or an array of them.
        """
        self.joints = joints
        self.iterations = iterations
        self.error = error
        self._code = code
        self.effector = effector
        self._turn = turn

    @cached_property
    def status(self) -> Any:
        """How it ended, a `Status`; of a path or batch an array of them (dtype object)."""
        return STATUSES[self._code]

    @cached_property
    def rotations(self) -> Floats | None:
        """(J - 1, 4) world rotation xyzw of each bone against its start; None if not wanted.

        Made when first asked for. Along a path each has the sign nearer to the one before.
        """
        return None if self._turn is None else self._turn()

    @property
    def effector_rotation(self) -> Floats | None:
        """(4,) rotation xyzw of what the tip carries: the target's, else that of the last bone."""
        if self.effector is not None:
            return self.effector
        return None if self.rotations is None else self.rotations[..., -1, :]

    def first(self, effector: Floats | None) -> "Solution":
        """Give the solution for the first target of a path."""
        turn = self._turn
        return Solution(
            self.joints[0],
            int(self.iterations[0]),
            float(self.error[0]),
            self._code[0],
            None if turn is None else lambda: turn()[0],
            effector,
        )

    @staticmethod
    def stacked(
        paths: "list[Solution]",
        shape: tuple[int, int],
        has_rotations: bool,
        effector: Floats | None,
    ) -> "Solution":
        """One solution of many paths of one target each; `shape` is that of a pose."""
        joints, width = shape
        turns = np.array([path.rotations for path in paths], np.float64)
        turns = turns.reshape(len(paths), joints - 1, 4)
        return Solution(
            np.array([path.joints[0] for path in paths]).reshape(-1, joints, width),
            np.array([path.iterations[0] for path in paths], np.int64),
            np.array([path.error[0] for path in paths], np.float64),
            np.array([path._code[0] for path in paths], np.int64),
            (lambda: turns) if has_rotations else None,
            effector,
        )

    def __repr__(self) -> str:
        """Return what a user wants to see first."""
        return f"Solution(status={self.status!r}, iterations={self.iterations}, error={self.error})"
