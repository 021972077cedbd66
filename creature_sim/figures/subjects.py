"""What can be looked at: every creature, then every chain and tree, counted through."""

from collections.abc import Iterator
from math import pi
from typing import Literal

import numpy as np

from creature_sim.definitions import ChainDef, RigDef, WorldDef
from creature_sim.figures.camera import PITCH, Camera, Viewpoint
from creature_sim.maths import Floats
from creature_sim.snapshots.poses import Pose
from creature_sim.terrain.traits import planet_of

CameraName = Literal["chase", "orbit", "side", "top"]
CAMERAS: tuple[CameraName, ...] = ("chase", "orbit", "side", "top")
SIDE_PITCH, TOP_PITCH = 0.16, 1.5
SIDE_NEARNESS = 0.8
"""Distance of the camera at the side over that of the others: feet are small."""
UNTURNED = np.array([0.0, 0.0, 0.0, 1.0])


def subject_count(world: WorldDef) -> int:
    """How many there are."""
    return len(world.creatures) + len(world.rigs)


def subject_name(world: WorldDef, subject: int) -> str:
    """Its name, and which one of how many it is."""
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
    """Place (3,) [m, world] and orientation (4,) that a camera follows.

    A creature's are those of its body, and of a chain on its body; a fixed chain's do not move.
    """
    count = len(world.creatures)
    creature = subject if subject < count else world.rigs[subject - count].creature
    if creature is not None:
        body = pose.creature(creature)
        return body.position, body.orientation
    return _middle(world.rigs[subject - count]), UNTURNED


def up_at(world: WorldDef, place: Floats) -> Floats | None:
    """Direction away from the middle of a planet at a place (3,), (3,); None on other ground."""
    planet = planet_of(world.terrain)
    return None if planet is None else place - np.array(planet)


def _middle(rig: RigDef) -> Floats:
    """Where a fixed chain or tree is, more or less [m, world]."""
    root: Floats = np.array(rig.root)
    if not isinstance(rig, ChainDef):
        return root
    direction: Floats = np.array(rig.direction)
    middle: Floats = root + 0.35 * rig.reach * direction / np.sqrt((direction**2).sum())
    return middle


def subject_camera(world: WorldDef, subject: int) -> Camera:
    """A camera that sees it whole: a creature from behind, a chain from its side."""
    return Camera(*subject_viewpoint(world, subject, "chase"))


def subject_viewpoint(world: WorldDef, subject: int, name: CameraName) -> Viewpoint:
    """Where a camera stands at first."""
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
    return 0.5 * rig.reach if isinstance(rig, ChainDef) else 0.65 * max(_ways(rig))


def _ways(rig: RigDef) -> Iterator[float]:
    """Distance of every joint of a tree from its root, at the start [m]."""
    assert not isinstance(rig, ChainDef)
    places: list[Floats] = [np.zeros(3)]
    for joint, parent in zip(rig.joints, rig.parents[1:], strict=True):
        places.append(places[parent] + np.array(joint.offset))
        yield float(np.sqrt((places[-1] ** 2).sum()))
