"""What the camera can follow: every creature, then every chain and tree, in one numbering."""

from math import pi
from typing import Literal

import numpy as np

from creature_sim.definitions import WorldDef
from creature_sim.figures.camera import PITCH, Camera, Viewpoint
from creature_sim.figures.labels import printable
from creature_sim.figures.sizes import (
    FIT,
    creature_radius,
    creature_size,
    rig_middle,
    rig_radius,
    rig_size,
    scale_of,
)
from creature_sim.locomotion.gravity import gravity_of, up_at
from creature_sim.maths import Floats, vec
from creature_sim.maths.geometry import rotation_matrices
from creature_sim.snapshots.poses import Pose

CameraName = Literal["chase", "orbit", "side", "top"]
CAMERAS: tuple[CameraName, ...] = ("chase", "orbit", "side", "top")
DISTANCE = 4.0
"""Of a camera from a creature, over the reach of its longest leg; farther where it does not fit."""
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
    return f"{printable(name)} ({subject + 1}/{subject_count(world)})"


def gap_of(tips: Floats, targets: Floats) -> float:
    """Largest distance of joints (E, 3) from their targets (E, 3) [m]."""
    return float(np.sqrt(((tips - targets) ** 2).sum(axis=1)).max())


def is_there(pose: Pose, number: int) -> bool:
    """Whether a pose has the creature of a number: it has come, and has not gone."""
    return any((herd.members[herd.is_there] == number).any() for herd in pose.herds)


def is_subject_there(world: WorldDef, pose: Pose, subject: int) -> bool:
    """Whether a pose has a subject: chains and trees are always there."""
    return subject >= len(world.creatures) or is_there(pose, subject)


def subject_frame(world: WorldDef, pose: Pose, subject: int) -> tuple[Floats, Floats]:
    """Position (3,) [m, world] and orientation (4,) xyzw that a camera follows.

    For a creature they are the middle of its trunk and the orientation of its head, for a chain on
    one those of its body; those of a fixed chain do not change.
    """
    count = len(world.creatures)
    if subject < count:
        creature = pose.creature(subject)
        return creature.positions.mean(axis=0), creature.orientation
    rig = world.rigs[subject - count]
    if rig.creature is None:
        return rig_middle(rig), UNTURNED
    carrier = pose.creature(rig.creature)
    return carrier.position, carrier.orientation


def camera_up(world: WorldDef, position: Floats) -> Floats:
    """Up for a camera that follows a position (3,) [m, world]: against gravity, a unit (3,)."""
    return np.array(up_at(gravity_of(world.terrain)[0], vec(position)))


def subject_up(world: WorldDef, pose: Pose, subject: int) -> Floats:
    """Up for a camera that follows a subject, a unit (3,) [world].

    That of its own body for who climbs, against gravity for all others.
    """
    position, orientation = subject_frame(world, pose, subject)
    climbs = subject < len(world.creatures) and (
        world.species_of(world.creatures[subject]).climb is not None
    )
    if not climbs:
        return camera_up(world, position)
    up: Floats = rotation_matrices(orientation)[:, 2]
    return up


def subject_camera(world: WorldDef, subject: int, name: CameraName = "chase") -> Camera:
    """A camera that sees all of a subject: a creature from behind, a chain from its side."""
    return Camera(*subject_viewpoint(world, subject, name), subject_scale(world, subject))


def subject_viewpoint(world: WorldDef, subject: int, name: CameraName) -> Viewpoint:
    """Where a camera begins."""
    distance = DISTANCE * _size(world, subject)
    if name == "side":
        distance *= SIDE_NEARNESS
    distance = max(distance, FIT * _radius(world, subject))
    if name == "side":
        return Viewpoint(-0.5 * pi, SIDE_PITCH, distance)
    if name == "top":
        return Viewpoint(0.0, TOP_PITCH, distance)
    return Viewpoint(0.5 if subject < len(world.creatures) else 1.1, PITCH, distance)


def subject_scale(world: WorldDef, subject: int) -> float:
    """How many times larger than usual a subject is; 1 for all usual sizes."""
    return scale_of(_size(world, subject))


def _size(world: WorldDef, subject: int) -> float:
    """Reach of a creature's longest leg, or a length like it [m]."""
    count = len(world.creatures)
    if subject < count:
        return creature_size(world.species_of(world.creatures[subject]))
    return rig_size(world.rigs[subject - count])


def _radius(world: WorldDef, subject: int) -> float:
    """Radius of a ball around what a camera follows that holds the subject at its start [m]."""
    count = len(world.creatures)
    if subject < count:
        return creature_radius(world.species_of(world.creatures[subject]))
    return rig_radius(world.rigs[subject - count])
