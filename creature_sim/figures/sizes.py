"""How large creatures, chains and trees are: cameras, light and marks follow their size."""

from collections.abc import Iterator
from math import floor, hypot, log10, sin

import numpy as np

from creature_sim.definitions import ChainDef, CreatureDef, RigDef
from creature_sim.figures.optics import FIELD_OF_VIEW
from creature_sim.maths import Floats

USUAL = 0.65
"""Reach of the hexapod's legs, for which cameras and marks are laid out [m]."""
SPREAD = 3.0
"""Sizes within this factor of the usual one count as usual, so that most worlds look alike."""
FOG = 46.0
"""Half of the light comes through air of this depth around a creature of usual size [m]."""
MIDDLE = 0.35
"""Where the middle of a chain is, as a fraction of its reach from its root."""
FIT = 1.06 / sin(0.5 * FIELD_OF_VIEW)
"""A camera at this many radii of a ball has all of the ball in its picture."""


def scale_of(size: float) -> float:
    """How many times larger than usual something of a size [m] is; 1 for all usual sizes."""
    ratio = size / USUAL
    return 1.0 if 1.0 / SPREAD < ratio < SPREAD else ratio


def square_beside(scale: float) -> float:
    """Side of the squares that lines part the ground into: 1 m, or a power of ten of it [m].

    Args:
        scale: how many times larger than usual the creature is.
    """
    return float(10.0 ** floor(log10(scale) + 0.35))


def fog_around(scale: float) -> float:
    """How thick the fog is around something so many times larger than usual [1/m^2]."""
    return 1.0 / (FOG * max(1.0, scale)) ** 2


def creature_size(plan: CreatureDef) -> float:
    """Reach of the longest leg [m]."""
    return max(leg.reach for leg in plan.all_legs)


def rig_size(rig: RigDef) -> float:
    """A length that compares with the reach of a creature's leg [m]."""
    return 0.5 * rig.reach if isinstance(rig, ChainDef) else 0.65 * max(joint_distances(rig))


def ball_radius(plan: CreatureDef) -> float:
    """Radius of a ball around the body that holds all of the creature [m]."""
    centres = plan.centres
    mounts = [
        -centres[leg.segment] + float(np.sqrt((np.array(leg.mount) ** 2).sum())) + leg.reach
        for leg in plan.all_legs
    ]
    half = 0.5 * float(np.sqrt((np.array(plan.trunk[-1].size) ** 2).sum()))
    body = 0.5 * float(np.sqrt((np.array(plan.body.size) ** 2).sum()))
    return max(*mounts, half - centres[-1], body, head_distance(plan))


def head_distance(plan: CreatureDef) -> float:
    """How far a head reaches from the middle of its body, however it is turned [m]; 0: none."""
    if plan.head is None:
        return 0.0
    length, width, height = plan.head.size
    far = hypot(length, 0.5 * width, 0.5 * height)
    return hypot(*plan.head.mount) + far


def creature_radius(plan: CreatureDef) -> float:
    """Radius of a ball around the middle of the trunk that holds a creature at rest [m]."""
    along = np.array(plan.centres)
    along -= along.mean()
    points = [
        np.array([abs(x), 0.0, 0.0]) + 0.5 * np.array(segment.size)
        for x, segment in zip(along, plan.trunk, strict=True)
    ]
    for leg in plan.all_legs:
        middle = np.array([along[leg.segment], 0.0, 0.0])
        hip = middle + np.array(leg.mount)
        foot = middle + np.array([*leg.home, -plan.body.ride_height])
        gap = float(((foot - hip) ** 2).sum())
        # A leg of two equal bones would raise its knee so far above the line from hip to foot.
        rise = 0.5 * float(np.sqrt(max(0.0, leg.reach**2 - gap)))
        points += [foot, 0.5 * (hip + foot) + np.array([0.0, 0.0, rise])]
    return max(_farthest(points), float(along[0]) + head_distance(plan))


def rig_middle(rig: RigDef) -> Floats:
    """Roughly the middle of a chain or tree at its start, (3,) [m; as its root is given]."""
    if isinstance(rig, ChainDef):
        direction: Floats = np.array(rig.direction)
        root: Floats = np.array(rig.root)
        along: Floats = root + MIDDLE * rig.reach * direction / np.sqrt((direction**2).sum())
        return along
    joints = joint_positions(rig)
    middle: Floats = 0.5 * (joints.min(axis=0) + joints.max(axis=0))
    return middle


def rig_radius(rig: RigDef) -> float:
    """Radius of a ball that holds a chain or tree at its start [m].

    The ball is around its middle; of one that hangs on a creature, around the creature's body.
    """
    around = rig_middle(rig) if rig.creature is None else np.zeros(3)
    if isinstance(rig, ChainDef):
        aside = float(np.sqrt(((np.array(rig.root) - around) ** 2).sum()))
        return max(aside, (1.0 - MIDDLE) * rig.reach)
    gaps = np.sqrt(((joint_positions(rig) - around) ** 2).sum(axis=1))
    drawn = [rig.radius, *(joint.radius for joint in rig.joints)]
    return float((gaps + np.array([radius or 0.0 for radius in drawn])).max())


def joint_positions(rig: RigDef) -> Floats:
    """Joints of a tree at the start, the root first, (J, 3) [m; as its root is given]."""
    assert not isinstance(rig, ChainDef)
    positions: list[Floats] = [np.array(rig.root, dtype=np.float64)]
    for joint, parent in zip(rig.joints, rig.parents[1:], strict=True):
        positions.append(positions[parent] + np.array(joint.offset))
    return np.array(positions)


def joint_distances(rig: RigDef) -> Iterator[float]:
    """Distance of each joint of a tree from its root, at the start [m]."""
    positions = joint_positions(rig)
    yield from np.sqrt(((positions[1:] - positions[0]) ** 2).sum(axis=1)).tolist()


def _farthest(points: list[Floats] | Floats) -> float:
    """Distance of the farthest of some points (P, 3) from the origin [m]."""
    return float(np.sqrt((np.array(points) ** 2).sum(axis=1)).max())
