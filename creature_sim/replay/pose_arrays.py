"""The arrays of poses, whichever way a replay encodes them."""

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

import numpy as np

from creature_sim.definitions import ChainDef, CreatureDef, RigDef
from creature_sim.definitions.world import targets_of
from creature_sim.maths import Floats
from creature_sim.snapshots.poses import HerdPose

POSE_RATE = 30
"""Poses per second, at most."""
FARTHEST_POSE = 1e7
"""No creature gets so far from the origin [m]."""

DEPTH = -50.0
"""Height at which creatures are shown that are not there [m]."""
POSE_FIELDS = (
    "positions", "orientations", "joints", "normals", "headings", "goals", "footholds",
)  # fmt: skip


def pose_ticks(tick_rate: int) -> int:
    """Ticks from one recorded pose to the next."""
    return max(1, round(tick_rate / POSE_RATE))


def pose_of_arrays(
    rows: Sequence[Mapping[str, Any]],
    shapes: Mapping[str, tuple[int, ...]],
    numbers: Sequence[int],
    is_there: Sequence[bool],
) -> HerdPose:
    """The pose of a herd from the arrays of each of its creatures; ValueError if they do not fit.

    Args:
        rows: of each creature, as `HerdPose` names them.
        shapes: that they must have.
        numbers: of the creatures.
        is_there: which of them are.
    """
    floats = {
        field: floats_of([fields[field] for fields in rows], len(rows), *shape)
        for field, shape in shapes.items()
    }
    swinging = np.array([fields["is_swinging"] for fields in rows], dtype=np.bool_)
    if swinging.shape != floats["goals"].shape[:2]:
        raise ValueError(f"is_swinging of {swinging.shape}")
    return HerdPose(np.array(numbers), **floats, is_swinging=swinging, is_there=np.array(is_there))


def rig_shapes(rig: RigDef) -> tuple[tuple[int, int], tuple[int, int]]:
    """Shapes of the joints and targets of a chain or tree in a pose."""
    count = 1 + len(rig.bones if isinstance(rig, ChainDef) else rig.joints)
    return (count, 3), (len(targets_of(rig)), 3)


def pose_shapes(definition: CreatureDef) -> dict[str, tuple[int, ...]]:
    """Shapes of a creature's arrays in a pose."""
    segments, legs = len(definition.boxes), len(definition.all_legs)
    joints = 1 + max(len(leg.bones) for leg in definition.all_legs)
    shapes = (segments, 3), (segments, 4), (legs, joints, 3), *[(legs, 3)] * 4
    return dict(zip(POSE_FIELDS, shapes, strict=True))


def pose_size(definition: CreatureDef) -> int:
    """How many numbers the pose of a creature has."""
    shapes = pose_shapes(definition)
    return shapes["goals"][0] + sum(prod(shape) for shape in shapes.values())


def away(
    shapes: Mapping[str, tuple[int, ...]], position: tuple[float, float]
) -> dict[str, Floats | list[bool]]:
    """A creature that is not there: all its points are one, far below where it starts."""
    point = (*position, DEPTH)
    fields: dict[str, Floats | list[bool]] = {
        field: np.broadcast_to(point, shape) for field, shape in shapes.items() if shape[-1] == 3
    }
    fields["orientations"] = np.broadcast_to((0.0, 0.0, 0.0, 1.0), shapes["orientations"])
    fields["normals"] = np.broadcast_to((0.0, 0.0, 1.0), shapes["normals"])
    fields["headings"] = np.broadcast_to((1.0, 0.0, 0.0), shapes["headings"])
    fields["is_swinging"] = [False] * shapes["goals"][0]
    return fields


def floats_of(values: object, *shape: int) -> Floats:
    """Numbers of a pose, of the expected shape; ValueError if they cannot be shown."""
    found = np.array(values, dtype=np.float64)
    if found.shape != shape:
        raise ValueError(f"numbers of the shape {found.shape} instead of {shape}")
    if not (np.abs(found) <= FARTHEST_POSE).all():
        raise ValueError("a number that is too large to be shown")
    return found
