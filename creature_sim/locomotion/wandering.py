"""How creatures wander: where chance leads them, back from borders, and past what stops them."""

import numpy as np
from numpy.typing import NDArray

from creature_sim.components import (
    BodyRecord,
    CommandRecord,
    GaitRecord,
    GravityRecord,
    HitRecord,
    PlanRecord,
    Records,
    RecordTable,
)
from creature_sim.inputs import FULL
from creature_sim.locomotion.bearings import along_path, bearing_of, way_faced
from creature_sim.locomotion.gravity import is_on_floor
from creature_sim.maths import (
    Floats,
    Vec,
    Z,
    clamp,
    dot,
    quat,
    random_unit,
    rotate,
    scale,
    sin_cos,
    vec,
)
from creature_sim.maths.jit import kernel

WANDER_STREAM = 2000
DRAWN_STREAM, ROUND_STREAM = 4000, 5000
"""Beside those of who wanders, for who climbs: the moods in which it is drawn, and its rounds."""
DRAWN, BRISK = 0.75, 0.7
"""Who climbs is drawn to another side of the world in this part of its moods, and goes there at
least so fast, as a fraction of its speed."""
ROUND = 24
"""It has another order of sides after so many moods."""
FACES = 0.2
"""It faces a wall that its way leads to at more than this (the sine)."""
STOPPED, SETS_OUT = 0.3, 60
"""It is stopped where it goes slower than this fraction of what it is told, after so many ticks."""
TURNS_AT, PASSES_AT, BENDS = 0.15, 0.6, 0.1
"""Who is stopped turns away and goes on at the first of these fractions of its speed; then it goes
on at the second one until its mood changes, and turns by the third."""
BACKS_AT = 0.8
"""Who climbs, and has no wall ahead, goes back at this fraction of what it may: it leaves the edge
that has caught it. Ants came back to the front of a shelf for a minute."""
HOMES, FACES_HOME = 0.8, 0.2
"""Who climbs and is past the walls, but not on a floor, goes home at the first of these fractions
of its speed, whichever way it faces, and turns there by the second at most: in a doorway, on a
strip narrower than its stance, ants turned on the spot for half a minute..."""
WELL_INSIDE = 1.0
"""...until it is inside by so many reaches: it would stay on the border."""
ON_WALL = 0.7
"""Outside the wall, where its up points away from home by more than this (the cosine), it goes down
to the floor as well: the way home leads through the wall. Inside, where it points home, it goes
straight in: away from the edge of the doorway and along the wall."""
FLAT = 0.98
"""It is home as well where it is flat on the inside of the wall: its up points home by more than
this."""
LED_AWAY, LASTS = 0.9, 4
"""Who has come home is led away from the side that it was drawn to, at this fraction of its speed,
until a mood whose number `LASTS` divides. Before, it was drawn past the same wall again."""
NO_TURN = 0.05
"""It turns to the side to which it turns already, faster than this [rad/s]."""


@kernel
def wander(
    plan: Records[PlanRecord],
    heading: float,
    gravity: Records[GravityRecord],
    bodies: RecordTable[BodyRecord],
    numbers: NDArray[np.int64],
    gaits: Records[GaitRecord],
    commands: Records[CommandRecord],
    hits: RecordTable[HitRecord],
    ahead: int,
    seed: int,
    mood: int,
    is_new: bool,
    farthest: tuple[float, float],
    axes: Floats,
) -> None:
    """Write the commands of creatures that go where chance leads them, and turn back at a border.

    Args:
        plan: (1,).
        heading: of what they call ahead, from X towards Y [rad, body].
        gravity: (1,).
        bodies: (N, S).
        numbers: (N,) of the creatures.
        gaits: (N,).
        commands: (N,) what they were told last.
        hits: (N, Q) what their rays have found.
        ahead: slot of those straight ahead.
        seed: of the world.
        mood: how often all have changed their directions.
        is_new: whether they change them now.
        farthest: from the origin, along X and along Y, that they go [m].
        axes: (C, 4) by number of the creature; forward, turn and, of who goes home, strafe are
            written.
    """
    for n in range(bodies.shape[0]):
        body, number = bodies[n, 0], numbers[n]
        told, x, y = commands[n], body.position[0], body.position[1]
        past = max(abs(x) - farthest[0], abs(y) - farthest[1])
        is_homing = plan[0].climbs and told.strafe != 0
        if past > 0.0 or (is_homing and not is_home(plan[0], body, farthest, past)):
            if is_homing or (plan[0].climbs and not is_on_floor(plan[0], gravity[0], body)):
                go_home(plan[0], heading, gravity[0], body, farthest, axes[number])
                continue
            forward, turn, _ = along_path(plan[0], heading, gravity[0], body, (-x, -y, 0.0))
            axes[number, 0], axes[number, 1] = max(0.3, forward), turn
            continue
        stream = WANDER_STREAM + number
        turn = 2.0 * random_unit(seed, stream, 2 * mood) - 1.0
        pace = random_unit(seed, stream, 2 * mood + 1)
        forward, turn = 0.5 + 0.5 * pace, 0.8 * turn
        leaves = is_homing or (was_told(told, LED_AWAY) and not (is_new and mood % LASTS == 0))
        if plan[0].climbs and (leaves or random_unit(seed, DRAWN_STREAM + number, mood) < DRAWN):
            order = int(8.0 * random_unit(seed, ROUND_STREAM + number, mood // ROUND))
            up = rotate(quat(body.orientation), Z)
            there = scale(next_side(up, order), 1.0 if leaves else -1.0)
            _, turn, _ = along_path(plan[0], heading, gravity[0], body, there)
            forward = LED_AWAY if leaves else max(BRISK, forward)
        if is_blocked(plan[0], heading, body, gaits[n], told, hits[n, ahead]):
            goes_back = plan[0].climbs and gaits[n].stuck < 0
            is_caught = goes_back and not faces_wall(heading, body, hits[n, ahead])
            forward = BACKS_AT if is_caught else TURNS_AT
            turn = onward_turn(body, told, turn)
        elif not is_new and gets_past(told):
            forward, turn = PASSES_AT, BENDS * onward_turn(body, told, turn)
        axes[number, 0], axes[number, 1] = forward, turn


@kernel
def way_in(body: BodyRecord, farthest: tuple[float, float]) -> Vec:
    """Straight home from the border that is nearest [world].

    Args:
        body: its first segment.
        farthest: from the origin, along X and along Y, that it goes [m].
    """
    x, y, _ = vec(body.position)
    if farthest[0] - abs(x) < farthest[1] - abs(y):
        return (-1.0 if x > 0.0 else 1.0, 0.0, 0.0)
    return (0.0, -1.0 if y > 0.0 else 1.0, 0.0)


@kernel
def leaning_in(body: BodyRecord, inward: Vec) -> float:
    """How much a body's up points along the way in: 1 where it is flat on the inside of a wall."""
    return dot(inward, rotate(quat(body.orientation), Z))


@kernel
def is_home(plan: PlanRecord, body: BodyRecord, farthest: tuple[float, float], past: float) -> bool:
    """Whether who was on its way home is there: well inside, or flat on the inside of the wall.

    Args:
        plan: of its body.
        body: its first segment.
        farthest: from the origin, along X and along Y, that it goes [m].
        past: how far it is past the border; less than 0 inside [m].
    """
    if past < -WELL_INSIDE * plan.reach:
        return True
    return leaning_in(body, way_in(body, farthest)) > FLAT


@kernel
def go_home(
    plan: PlanRecord,
    heading: float,
    gravity: GravityRecord,
    body: BodyRecord,
    farthest: tuple[float, float],
    axes: Floats,
) -> None:
    """Write the axes (4,) of who climbs that lead to the origin, whichever way it faces.

    Only they have a strafe: so it knows next time that it goes home.

    Args:
        plan: of its body.
        heading: of what it calls ahead, from X towards Y [rad, body].
        gravity: of the world.
        body: its first segment.
        farthest: from the origin, along X and along Y, that it goes [m].
        axes: written, but for the height.
    """
    x, y, z = vec(body.position)
    home, inward = (-x, -y, 0.0), way_in(body, farthest)
    leans = leaning_in(body, inward)
    if leans > ON_WALL:
        home = inward
    elif leans < -ON_WALL:
        home = (-x, -y, -z)
    bearing = bearing_of(plan, heading, gravity, body, home)
    sine, cosine = sin_cos(bearing)
    axes[0], axes[2] = HOMES * cosine, HOMES * sine
    axes[1] = clamp(bearing, -FACES_HOME, FACES_HOME)


@kernel
def is_blocked(
    plan: PlanRecord,
    heading: float,
    body: BodyRecord,
    gait: GaitRecord,
    told: CommandRecord,
    wall: HitRecord,
) -> bool:
    """Whether a creature has to turn to get on: it goes back, or climbs and a wall stops it.

    Args:
        plan: of its body.
        heading: of what it calls ahead, from X towards Y [rad, body].
        body: its first segment.
        gait: how it walks.
        told: what it was told last.
        wall: what its ray straight ahead has found.
    """
    if gait.stuck < 0:
        return True
    is_off = plan.climbs and (was_told(told, TURNS_AT) or is_stopped(body, gait))
    return bool(is_off and faces_wall(heading, body, wall))


@kernel
def faces_wall(heading: float, body: BodyRecord, wall: HitRecord) -> bool:
    """Whether a creature faces what its ray straight ahead has found.

    Args:
        heading: of what it calls ahead, from X towards Y [rad, body].
        body: its first segment.
        wall: what the ray found.
    """
    return bool(wall.is_hit and dot(way_faced(heading, body), vec(wall.normal)) < -FACES)


@kernel
def is_stopped(body: BodyRecord, gait: GaitRecord) -> bool:
    """Whether something keeps a creature from going as it is told."""
    told = vec(gait.commanded_velocity)
    return bool(gait.age > SETS_OUT and dot(vec(body.velocity), told) < STOPPED * dot(told, told))


@kernel
def was_told(told: CommandRecord, forward: float) -> bool:
    """Whether a creature was told last to go forward at just this fraction of its speed."""
    return bool(told.forward == round(forward * FULL))


@kernel
def gets_past(told: CommandRecord) -> bool:
    """Whether a creature was told last to get past what has stopped it."""
    return was_told(told, TURNS_AT) or was_told(told, PASSES_AT) or was_told(told, BACKS_AT)


@kernel
def onward_turn(body: BodyRecord, told: CommandRecord, wished: float) -> float:
    """Turn that gets a creature past what stops it: as told, or as it turns, else as wished.

    If it changed its mind half-way round it would never get past.

    Args:
        body: its first segment.
        told: what it was told last.
        wished: turn that it wishes for otherwise.
    """
    side = body.yaw_rate if abs(body.yaw_rate) > NO_TURN else wished
    if gets_past(told):
        side = float(told.turn)
    return 1.0 if side >= 0.0 else -1.0


@kernel
def next_side(up: Vec, order: int) -> Vec:
    """Where the side of a box faces that comes after the one that faces nearly as `up` [world].

    Each comes after one that is beside it, and after six all were there: after three it is the
    opposite one.

    Args:
        up: of who is on a side [world].
        order: which of the eight orders, from 0 on.
    """
    x, y, z = abs(up[0]), abs(up[1]), abs(up[2])
    axis = 2 if z >= max(x, y) else (1 if y >= x else 0)
    first = 1.0 if order & 1 else -1.0
    second = 1.0 if order & 2 else -1.0
    sign = first if axis == 0 else (second if axis == 1 else -first * second)
    if up[axis] < 0.0:
        sign = -sign
    after = (axis + (2 if order & 4 else 1)) % 3
    return (
        sign if after == 0 else 0.0,
        sign if after == 1 else 0.0,
        sign if after == 2 else 0.0,
    )
