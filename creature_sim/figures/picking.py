"""What is under the mouse: a target, a foot or a knee to drag, the ground, a prop."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from creature_sim.components import PropRecord, Solids, zeros
from creature_sim.definitions import WorldDef
from creature_sim.definitions.hinging import BALL
from creature_sim.figures.ground import Ground
from creature_sim.figures.optics import Optics
from creature_sim.maths import Floats
from creature_sim.maths.geometry import rotation_matrices
from creature_sim.props.rays import cast_props
from creature_sim.snapshots.poses import Pose, PropsPose

CATCH = 16.0
"""A target is caught within this distance of the middle of its mark [px]."""
SIGHT = 200.0
"""Props are found up to this distance from the eye [m]."""
FARTHEST = 100.0
"""A target is dragged no farther from where it was caught than this on any axis [m]."""


class Handle(NamedTuple):
    """A foot or a knee of a creature.

    Attributes:
        creature: its number.
        leg: which.
        is_knee: whether it is the knee.
        segment: that the leg hangs on.
        position: (3,) [m, world].
    """

    creature: int
    leg: int
    is_knee: bool
    segment: int
    position: Floats


@dataclass(frozen=True)
class Grip:
    """A target, a foot or a knee that the mouse holds.

    Attributes:
        position: (3,) where it was caught [m, world].
        normal: (3,) of the plane that it moves in [world].
        chain: which chain or tree.
        target: which of its targets.
        handle: the foot or the knee; None: a target.
    """

    position: Floats
    normal: Floats
    chain: int = -1
    target: int = -1
    handle: Handle | None = None


def leg_handles(world: WorldDef, pose: Pose, number: int) -> list[Handle]:
    """All feet of a creature, and the knees of those legs whose hips let a pole turn them."""
    creature = pose.creature(number)
    plan = world.species_of(world.creatures[number])
    found = []
    for index, (leg, joints) in enumerate(zip(plan.all_legs, plan.leg_joints, strict=True)):
        points = creature.joints[index]
        found.append(Handle(number, index, False, leg.segment, points[len(leg.bones)]))
        if joints[0].kind == BALL:
            found.append(Handle(number, index, True, leg.segment, points[1]))
    return found


def on_segment(pose: Pose, handle: Handle, point: Floats) -> Floats:
    """A point [m, world] in the frame of the segment that a handle's leg hangs on, (3,) [m]."""
    creature = pose.creature(handle.creature)
    turn = rotation_matrices(creature.orientations[handle.segment])
    found: Floats = (point - creature.positions[handle.segment]) @ turn
    return found


def nearest(points: Floats, pixel: tuple[float, float], optics: Optics) -> int:
    """Which of points (P, 3) appears nearest to a pixel; -1 where none is near enough to catch."""
    gaps = optics.pixels(points) - np.array(pixel)
    distances = np.nan_to_num(np.sqrt((gaps**2).sum(axis=1)), nan=np.inf)
    if not len(distances) or distances.min() > CATCH:
        return -1
    return int(distances.argmin())


def dragged(grip: Grip, pixel: tuple[float, float], optics: Optics) -> Floats | None:
    """Where the line of sight through a pixel meets the plane of a grip, (3,) [m, world].

    None where it does not: the plane is seen edge-on, or lies behind the eye.
    """
    ray = optics.sight(pixel)
    slope = float(ray @ grip.normal)
    if abs(slope) < 1e-3:
        return None
    distance = float((grip.position - optics.eye) @ grip.normal) / slope
    if distance <= 0.0:
        return None
    low, high = grip.position - FARTHEST, grip.position + FARTHEST
    found: Floats = np.clip(optics.eye + distance * ray, low, high)
    return found


def ground_at(pixel: tuple[float, float], optics: Optics, ground: Ground) -> Floats | None:
    """Where the line of sight through a pixel meets the ground first, (3,) [m, world], or None.

    All triangles are tried (Moeller and Trumbore 1997): a click costs some milliseconds.
    """
    ray = optics.sight(pixel)
    corners = ground.vertices[ground.triangles, :3].astype(np.float64)
    start = corners[:, 0]
    first, second = corners[:, 1] - start, corners[:, 2] - start
    across = np.cross(ray, second)
    scale = (first * across).sum(axis=1)
    safe = np.where(np.abs(scale) > 1e-12, scale, np.inf)
    gap = optics.eye - start
    u = (gap * across).sum(axis=1) / safe
    turned = np.cross(gap, first)
    v = (turned @ ray) / safe
    distance = (turned * second).sum(axis=1) / safe
    is_inside = (u >= -1e-9) & (v >= -1e-9) & (u + v <= 1.0 + 1e-9)
    is_hit = is_inside & (distance > 0.0) & np.isfinite(safe)
    if not is_hit.any():
        return None
    found: Floats = optics.eye + distance[is_hit].min() * ray
    return found


def prop_at(
    pixel: tuple[float, float], optics: Optics, solids: Solids, pose: PropsPose
) -> Floats | None:
    """Where the line of sight through a pixel meets a prop first, (3,) [m, world], or None."""
    records = zeros(PropRecord, len(pose.positions))
    records["position"], records["orientation"] = pose.positions, pose.orientations
    start = np.array(optics.eye, np.float64)[None]
    end = start + SIGHT * optics.sight(pixel)
    fractions, numbers = np.ones(1), np.zeros(1, np.int64)
    normals = np.zeros((1, 3))
    cast_props(solids.records, solids.planes, records, start, end, fractions, normals, numbers)
    if fractions[0] == 1.0:
        return None
    found: Floats = start[0] + fractions[0] * (end - start)[0]
    return found
