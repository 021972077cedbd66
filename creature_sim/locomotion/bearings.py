"""Where goals lie from where creatures are, and the commands that lead there."""

import numpy as np
from numpy.typing import NDArray

from creature_sim.components import (
    BodyRecord,
    GravityRecord,
    PlanRecord,
    Records,
    RecordTable,
)
from creature_sim.locomotion.gravity import rise_from
from creature_sim.maths import (
    Floats,
    Vec,
    any_normal,
    atan2,
    clamp,
    cross,
    dot,
    norm,
    put,
    quat,
    reject,
    rotate,
    scale,
    sin_cos,
    sub,
    unit,
    vec,
)
from creature_sim.maths.jit import kernel


@kernel
def level_path(plan: PlanRecord, gravity: GravityRecord, body: BodyRecord, goal: Vec) -> Vec:
    """Path to a goal [m, world] at right angles to gravity, as long as the path over the ground.

    On a planet it is the direction in which the great circle to the goal begins.
    """
    position = vec(body.position)
    up = rise_from(plan, gravity, body, position)
    level = reject(sub(goal, position), up)
    if not gravity.is_central:
        return level
    out = sub(goal, vec(gravity.centre))
    arc = norm(out) * atan2(norm(level), dot(out, up))
    return scale(unit(level, any_normal(up)), arc)


@kernel
def along_path(
    plan: PlanRecord, heading: float, gravity: GravityRecord, body: BodyRecord, path: Vec
) -> tuple[float, float, float]:
    """Forward and turn that lead along a level path, and its length [m].

    Args:
        plan: of its body.
        heading: of what it calls ahead, from X towards Y [rad, body].
        gravity: of the world.
        body: its first segment.
        path: [m, world].
    """
    error = bearing_of(plan, heading, gravity, body, path)
    left = norm(path)
    forward = clamp(1.0 - abs(error), 0.0, 1.0) * clamp(2.0 * left, 0.2, 1.0)
    return forward, clamp(2.0 * error, -1.0, 1.0), left


@kernel
def way_faced(heading: float, body: BodyRecord) -> Vec:
    """Unit direction [world] of what a creature calls ahead, from X towards Y of its body [rad]."""
    sine, cosine = sin_cos(heading)
    return rotate(quat(body.orientation), (cosine, sine, 0.0))


@kernel
def bearing_of(
    plan: PlanRecord, heading: float, gravity: GravityRecord, body: BodyRecord, path: Vec
) -> float:
    """Angle to the left from what a creature calls ahead to a path [rad]; see `along_path`."""
    ahead = way_faced(heading, body)
    up = rise_from(plan, gravity, body, vec(body.position))
    return atan2(dot(cross(ahead, path), up), dot(ahead, path))


@kernel
def lead_to_goals(
    plan: Records[PlanRecord],
    heading: float,
    gravity: Records[GravityRecord],
    bodies: RecordTable[BodyRecord],
    numbers: NDArray[np.int64],
    arrived: float,
    goals: Floats,
    has_goal: NDArray[np.bool_],
    axes: Floats,
    paths: Floats,
) -> None:
    """Write the commands and paths of creatures that go to points above or below their goals.

    Args:
        plan: (1,).
        heading: of what they call ahead, from X towards Y [rad, body].
        gravity: (1,).
        bodies: (N, S).
        numbers: (N,) of the creatures.
        arrived: goals that are no farther are reached [m].
        goals: (C, 3) by number of the creature [m, world].
        has_goal: (C,) who goes to one; False is written of who has arrived.
        axes: (C, 4) forward and turn are written.
        paths: (C, 3) written [m, world].
    """
    for n in range(bodies.shape[0]):
        body, number = bodies[n, 0], numbers[n]
        if not has_goal[number]:
            continue
        path = level_path(plan[0], gravity[0], body, vec(goals[number]))
        forward, turn, left = along_path(plan[0], heading, gravity[0], body, path)
        if left <= arrived:
            has_goal[number] = False
            continue
        axes[number, 0], axes[number, 1] = forward, turn
        put(paths[number], path)


@kernel
def measure_ways(
    plan: Records[PlanRecord],
    gravity: Records[GravityRecord],
    bodies: RecordTable[BodyRecord],
    goal: Vec,
    ways: Floats,
) -> None:
    """Write how far a goal is: over the ground, or for those that climb through the air.

    Args:
        plan: (1,).
        gravity: (1,).
        bodies: (N, S).
        goal: [m, world].
        ways: (N,) written [m].
    """
    for n in range(bodies.shape[0]):
        body = bodies[n, 0]
        path = sub(goal, vec(body.position))
        if not plan[0].climbs:
            path = level_path(plan[0], gravity[0], body, goal)
        ways[n] = norm(path)


@kernel
def crowd_around(
    order: NDArray[np.int64],
    places: Floats,
    sizes: Floats,
    ways: Floats,
    arrived: float,
    beside: float,
    is_there: NDArray[np.bool_],
) -> None:
    """Write who has arrived at a goal, or stands beside somebody who has, and is nearer.

    Of several, the nearest one has arrived where it stands beside the goal: they would walk around
    it for ever.

    Args:
        order: (N,) indices, the nearest first.
        places: (N, 3) where they are [m, world].
        sizes: (N,) their radii [m].
        ways: (N,) how far they are from the goal [m].
        arrived: it is reached within this distance [m]...
        beside: ...or beside somebody who has, as near as this multiple of both their radii.
        is_there: (N,) written.
    """
    there = np.empty(len(order), np.int64)
    count = 0
    for one in order:
        is_first = count == 0 and ways[one] <= 2.0 * beside * sizes[one]
        is_there[one] = ways[one] <= arrived or is_first
        for other in there[:count]:
            apart = beside * (sizes[other] + sizes[one])
            gap = sub(vec(places[other]), vec(places[one]))
            is_there[one] = is_there[one] or dot(gap, gap) < apart * apart
        if is_there[one]:
            there[count] = one
            count += 1
