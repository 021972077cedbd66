"""What the camera can follow: every creature, then every chain and tree, in one numbering."""

from collections.abc import Iterator
from math import pi
from typing import Literal

import numpy as np

from creature_sim.definitions import ChainDef, RigDef, WorldDef
from creature_sim.figures.camera import PITCH, Camera, Viewpoint
from creature_sim.locomotion.gravity import gravity_of, up_at
from creature_sim.maths import Floats, vec
from creature_sim.snapshots.poses import Pose

CameraName = Literal["chase", "orbit", "side", "top"]
CAMERAS: tuple[CameraName, ...] = ("chase", "orbit", "side", "top")
SIDE_PITCH, TOP_PITCH = 0.16, 1.5
SIDE_NEARNESS = 0.8
"""Distance of the side camera over that of the others: feet are small."""
UNTURNED = np.array([0.0, 0.0, 0.0, 1.0])


def subject_count(world: WorldDef) -> int:
    """Number of subjects."""
    return len(world.creatures) + len(world.rigs)


def subject_name(world: WorldDef, subject: int) -> str:
    """Name of a subject, and which one of how many it is."""
    count = len(world.creatures)
    if subject < count:
        name = world.species_of(world.creatures[subject]).name
    else:
        name = world.rigs[subject - count].name
    return f"{name} ({subject + 1}/{subject_count(world)})"


def gap_of(tips: Floats, targets: Floats) -> float:
    """Largest distance of joints (E, 3) from their targets (E, 3) [m]."""
    return float(np.sqrt(((tips - targets) ** 2).sum(axis=1)).max())


def subject_frame(world: WorldDef, pose: Pose, subject: int) -> tuple[Floats, Floats]:
    """Position (3,) [m, world] and orientation (4,) xyzw that a camera follows.

    Those of the body, for a creature and for a chain on one; those of a fixed chain do not change.
    """
    count = len(world.creatures)
    creature = subject if subject < count else world.rigs[subject - count].creature
    if creature is not None:
        body = pose.creature(creature)
        return body.position, body.orientation
    return _middle(world.rigs[subject - count]), UNTURNED


def camera_up(world: WorldDef, position: Floats) -> Floats:
    """Up for a camera that follows a position (3,) [m, world]: against gravity, a unit (3,)."""
    return np.array(up_at(gravity_of(world.terrain)[0], vec(position)))


def _middle(rig: RigDef) -> Floats:
    """Roughly the middle of a fixed chain or tree, (3,) [m, world]."""
    root: Floats = np.array(rig.root)
    if not isinstance(rig, ChainDef):
        return root
    direction: Floats = np.array(rig.direction)
    middle: Floats = root + 0.35 * rig.reach * direction / np.sqrt((direction**2).sum())
    return middle


def subject_camera(world: WorldDef, subject: int) -> Camera:
    """A camera that sees all of a subject: a creature from behind, a chain from its side."""
    return Camera(*subject_viewpoint(world, subject, "chase"))


def subject_viewpoint(world: WorldDef, subject: int, name: CameraName) -> Viewpoint:
    """Where a camera begins."""
    distance = 4.0 * _size(world, subject)
    if name == "side":
        return Viewpoint(-0.5 * pi, SIDE_PITCH, SIDE_NEARNESS * distance)
    if name == "top":
        return Viewpoint(0.0, TOP_PITCH, distance)
    return Viewpoint(0.5 if subject < len(world.creatures) else 1.1, PITCH, distance)


def _size(world: WorldDef, subject: int) -> float:
    """Reach of a creature's longest leg, or a length like it [m]."""
    count = len(world.creatures)
    if subject < count:
        return max(leg.reach for leg in world.species_of(world.creatures[subject]).all_legs)
    rig = world.rigs[subject - count]
    return 0.5 * rig.reach if isinstance(rig, ChainDef) else 0.65 * max(joint_distances(rig))


def joint_distances(rig: RigDef) -> Iterator[float]:
    """Distance of each joint of a tree from its root, at the start [m]."""
    assert not isinstance(rig, ChainDef)
    positions: list[Floats] = [np.zeros(3)]
    for joint, parent in zip(rig.joints, rig.parents[1:], strict=True):
        positions.append(positions[parent] + np.array(joint.offset))
        yield float(np.sqrt((positions[-1] ** 2).sum()))
