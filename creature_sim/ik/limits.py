"""Joint limits: what a user writes, and the tables that the kernels read."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import pi
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from creature_sim.ik.angles import BALL, HINGE, Model
from creature_sim.ik.leg import side_of
from creature_sim.ik.rotations import between
from creature_sim.maths import Floats, Vec, cross, norm, put, put_quat, reject, scale, vec
from creature_sim.maths.jit import kernel


def _interval(name: str, interval: Sequence[float]) -> tuple[float, float]:
    try:
        low, high = (float(bound) for bound in interval)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name}: expected two angles, got {interval!r}") from None
    if not -2.0 * pi <= low <= high <= 2.0 * pi or high - low > 2.0 * pi * (1.0 + 1e-12):
        raise ValueError(
            f"{name}: expected angles in order, at most a turn apart, got {interval!r}"
        )
    return low, high


def _direction(axis: Sequence[float] | None) -> Vec | None:
    if axis is None:
        return None
    try:
        values = [float(value) for value in axis]
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"axis: expected three numbers, got {axis!r}") from None
    if len(values) == 2:
        values.append(0.0)
    length = norm((values[0], values[1], values[2])) if len(values) == 3 else 0.0
    if not 0.0 < length < float("inf"):
        raise ValueError(f"axis: expected three numbers, finite and not all 0, got {axis!r}")
    return (values[0] / length, values[1] / length, values[2] / length)


def _half_angles(cone: float | Sequence[float]) -> tuple[float, float]:
    try:
        halves = np.broadcast_to(np.asarray(cone, np.float64), 2).tolist()
    except (TypeError, ValueError):
        halves = [-1.0]
    if not all(0.0 <= angle <= pi for angle in halves):
        raise ValueError(f"cone: expected one or two half-angles from 0 to pi, got {cone!r}")
    return halves[0], halves[1]


@dataclass(frozen=True, slots=True)
class Limit:
    """How far one bone may turn against its parent; 0 is the straight continuation of the parent.

    Make one with `Limit.ball` or `Limit.hinge`. Angles are radians, axes are directions in the
    world at the start pose, which the parent carries along.

    Attributes:
        kind: "ball" or "hinge".
        axis: Of a hinge, its axis; of a ball, the axis of the first half-angle of its cone.
        cone: Half-angles of a ball's cone about its first and second axis.
        low: Smallest twist of a ball, smallest angle of a hinge.
        high: Largest.
    """

    kind: str
    axis: Vec | None
    cone: tuple[float, float]
    low: float
    high: float

    def __post_init__(self) -> None:
        """Refuse what neither `ball` nor `hinge` makes; the axis becomes a unit vector."""
        if self.kind not in ("ball", "hinge"):
            raise ValueError(f'kind: expected "ball" or "hinge", got {self.kind!r}')
        axis = _direction(self.axis)
        if self.kind == "hinge" and axis is None:
            raise ValueError("axis: expected three numbers for a hinge, got None")
        low, high = _interval("low, high", (self.low, self.high))
        cone = _half_angles(self.cone)
        for name, value in (("axis", axis), ("cone", cone), ("low", low), ("high", high)):
            object.__setattr__(self, name, value)

    @staticmethod
    def ball(
        cone: float | Sequence[float] = pi,
        twist: tuple[float, float] = (-pi, pi),
        axis: Sequence[float] | None = None,
    ) -> "Limit":
        """Joint that swings within a cone and twists within an interval.

        Args:
            cone: Half-angle [rad, 0 to pi]; or two, of a cone with an elliptic cross-section:
                how far the bone may turn about `axis`, and about the axis at right angles.
            twist: Smallest and largest turn [rad] about the bone's own direction.
            axis: Direction of the first axis, as far as it is at right angles to the parent. By
                default it is the horizontal one; X if the parent is vertical.

        Raises:
            ValueError: A half-angle is not within 0 to pi, the twist's interval is empty or
                exceeds a whole turn, or the axis has no direction.
        """
        return Limit(
            "ball", cast("Vec | None", axis), _half_angles(cone), *_interval("twist", twist)
        )

    @staticmethod
    def hinge(axis: Sequence[float], lo: float, hi: float) -> "Limit":
        """Joint that turns about one axis, from `lo` to `hi` [rad].

        Raises:
            ValueError: The axis has no direction, or the interval is empty or exceeds a turn.
        """
        return Limit("hinge", cast(Vec, axis), (0.0, 0.0), *_interval("lo, hi", (lo, hi)))


SHOULDER = Limit.ball(cone=pi / 2)
"""A shoulder: 90 degrees to any side."""

WRIST = Limit.ball(cone=(pi / 4, pi / 6), twist=(-pi / 2, pi / 2))
"""A wrist: less than a shoulder, and less about the second axis than about the first."""


def elbow(axis: Sequence[float]) -> Limit:
    """Make an elbow: a hinge that bends forward only, up to 150 degrees about `axis`."""
    return Limit.hinge(axis, 0.0, 5.0 * pi / 6.0)


class LimitRows(NamedTuple):
    """What limits say without a pose, one row for each of B bones.

    kinds: (B,) `BALL` or `HINGE`. bounds: (B, 4) as of `Model`. axes: (B, 3) of hinges, and first
    axes of the swing of balls. has_axis: (B,) whether one was given.
    """

    kinds: NDArray[np.int64]
    bounds: Floats
    axes: Floats
    has_axis: NDArray[np.bool_]


def rows_of(limits: Sequence[Limit | None]) -> LimitRows:
    """Rows of limits, one per bone; None is a joint that turns freely."""
    listed = [limit or Limit.ball() for limit in limits]
    return LimitRows(
        np.array([HINGE if limit.kind == "hinge" else BALL for limit in listed], np.int64),
        np.array([(*limit.cone, limit.low, limit.high) for limit in listed], np.float64),
        np.array([limit.axis or (0.0, 0.0, 0.0) for limit in listed], np.float64),
        np.array([limit.axis is not None for limit in listed], np.bool_),
    )


def tabulate(
    directions: Floats,
    lengths: Floats,
    limits: Sequence[Limit | None],
    base: Vec,
    is_flat: bool = False,
) -> Model:
    """Tables of the limits of a chain.

    Args:
        directions: (B, 3) unit vectors of the start bones [world].
        lengths: (B,) [m].
        limits: One per bone; None is a joint that turns freely.
        base: Unit vector that the first bone's limit is measured from.
        is_flat: Whether the chain is flat, where the second axis of every ball must be Z.
    """
    rows = rows_of(limits)
    model = model_for(rows, lengths)
    fill_model(model, rows, directions, base, is_flat)
    return model


@kernel
def model_for(rows: LimitRows, lengths: Floats) -> Model:
    """Room for the tables of a chain with bone lengths (B,) [m]."""
    bones = lengths.shape[0]
    axes, straighten = np.zeros((bones, 3, 3)), np.zeros((bones, 4))
    return Model(rows.kinds, axes, straighten, np.zeros((bones, 4)), lengths)


@kernel
def fill_model(model: Model, rows: LimitRows, directions: Floats, base: Vec, is_flat: bool) -> None:
    """Write the tables of a chain in a pose; arguments as of `tabulate`."""
    axes, bounds = model.axes, model.bounds
    for i in range(directions.shape[0]):
        straight = vec(directions[i - 1]) if i > 0 else base
        put(axes[i, 0], straight)
        put_quat(model.straighten[i], between(vec(directions[i]), straight))
        for k in range(4):
            bounds[i, k] = rows.bounds[i, k]
        if rows.kinds[i] == HINGE:
            put(axes[i, 1], vec(rows.axes[i]))
            continue
        first = (0.0, 0.0, 0.0)
        if rows.has_axis[i]:
            first = reject(vec(rows.axes[i]), straight)
        if is_flat and abs(first[2]) > 0.0:
            first = (0.0, 0.0, 0.0)
            bounds[i, 0], bounds[i, 1] = bounds[i, 1], bounds[i, 0]
        length = norm(first)
        first = scale(first, 1.0 / length) if length > 1e-9 else side_of(straight)
        put(axes[i, 1], first)
        put(axes[i, 2], cross(straight, first))
