"""Feet that catch a body: where they step for its velocity, and that they get there as it tilts."""

import numpy as np
from numpy.typing import NDArray

from creature_sim.components import (
    BY_WALK,
    SHIFTED,
    STANDING,
    UPRIGHT,
    BodyRecord,
    FootRecord,
    GaitRecord,
    GravityRecord,
    LegTargetRecord,
    Records,
    RecordTable,
    TwinRecord,
)
from creature_sim.locomotion.capture import pendulum_rate
from creature_sim.maths import (
    Floats,
    Quat,
    Vec,
    add,
    along,
    cross,
    norm,
    put,
    quat,
    quat_multiply,
    quat_unit,
    reject,
    scale,
    sub,
    turn_between,
    unrotate,
    vec,
)
from creature_sim.maths.jit import kernel
from creature_sim.twin.forces import factor, solve
from creature_sim.twin.links import Links
from creature_sim.twin.motion import Motion, move_base, move_links, tip_of

STILL: Vec = (0.0, 0.0, 0.0)
CATCHES = 1.0
"""Feet step aside by this part of how far the capture point is from where it should be..."""
FARTHEST = 0.25
"""...but by no more than this fraction of the reach."""
SOFT = 0.02
"""Legs that are nearly straight are not bent any harder: damping of the least squares [m/m]."""
LEAVES = 0.8
"""A hinge keeps this fraction of its correction in each tick once its foot stands."""
FARTHEST_TURN = 0.8
"""No hinge is corrected by more [rad]."""


@kernel
def catch(base: TwinRecord, body: BodyRecord, rate: float, reach: float) -> Vec:
    """How far beside where they would feet should step [m, body].

    The capture point of a pendulum is v / w ahead of it (Pratt et al. 2006; Hof 2008), so that is
    how far an error of its velocity moves it; Raibert 1986 places feet by the same rule.

    Args:
        base: of the twin.
        body: as its walk has it.
        rate: w of the pendulum [1/s].
        reach: of its legs [m].
    """
    off = sub(vec(base.drift), vec(base.goal_velocity))
    x, y, _ = unrotate(quat(body.orientation), scale(off, CATCHES / rate))
    far = norm((x, y, 0.0))
    goes = min(1.0, FARTHEST * reach / max(far, 1e-9))
    return (goes * x, goes * y, 0.0)


@kernel
def shift_feet(
    targets: RecordTable[LegTargetRecord],
    bases: Records[TwinRecord],
    trunks: RecordTable[BodyRecord],
    gaits: Records[GaitRecord],
    gravity: GravityRecord,
    reach: float,
) -> None:
    """Shift footholds of the legs of N twins, beside what events shift them.

    Args:
        targets: (N, L); written.
        bases: (N,) of the twins.
        trunks: (N, S).
        gaits: (N,).
        gravity: the field.
        reach: of their legs [m].
    """
    for n in range(targets.shape[0]):
        aside = catch(bases[n], trunks[n, 0], pendulum_rate(gravity, gaits[n]), reach)
        for i in range(targets.shape[1]):
            target = targets[n, i]
            if target.is_led == SHIFTED:
                put(target.point, add(vec(target.point), aside))
            elif target.is_led == 0:
                target.is_led = SHIFTED
                put(target.point, aside)


@kernel
def reach_out(
    links: Links,
    motion: Motion,
    bases: Records[TwinRecord],
    feet: RecordTable[FootRecord],
    contacts: NDArray[np.int64],
    joints: Floats,
    rotations: Floats,
    corrections: Floats,
    goals: Floats,
    up: Vec,
    dt: float,
) -> None:
    """Bring feet in the air over where they should be in the world, however the bodies are.

    Soles get there level, and as high as they should be. Other feet keep their height against the
    body: where it tips over one, that lands the sooner. Goals of hinges are for bodies as they are
    planned. For bodies as they will be they are corrected by one step of damped least squares
    (Wampler 1986).

    Args:
        links: of the twins.
        motion: room; written.
        bases: (N,) of the twins; those that do not walk are left out.
        feet: (N, L) of their walks.
        contacts: (N, L) whether they touch anything.
        joints: (N, L, J, 3) that the walks want [m, world].
        rotations: (N, L, J - 1, 4) of the bones that they want.
        corrections: (N, A) of goals, so far [rad]; written.
        goals: (N, A) of hinges [rad]; written.
        up: against gravity [world].
        dt: length of a tick [s].
    """
    for n in range(bases.shape[0]):
        base = bases[n]
        if base.stage != UPRIGHT or base.led != BY_WALK:
            continue
        place = along(vec(base.position), vec(base.velocity), dt)
        turn = turned_by(quat(base.orientation), scale(vec(base.spin), dt))
        move_base(motion, links, place, turn, STILL, STILL)
        move_links(motion, links, goals[n], goals[n])
        for i in range(feet.shape[1]):
            is_swinging = has_sole(links, i) and feet[n, i].phase != STANDING  # heels touch before
            is_free = is_swinging or not contacts[n, i]
            _fade(links, i, 0.0 if is_free else LEAVES, corrections[n])
            if is_free:
                _correct(links, motion, i, joints[n, i], rotations[n, i], corrections[n], up)
        for j in range(goals.shape[1]):
            goals[n, j] += corrections[n, j]


@kernel
def _fade(links: Links, i: int, keeps: float, corrections: Floats) -> None:
    """Let the hinges of a leg keep a part of their corrections."""
    k, stop = links.foot[i], links.segment[links.carrier[i]]
    while k != stop:
        corrections[k - 1] *= keeps
        k = links.parent[k]


@kernel
def _correct(
    links: Links,
    motion: Motion,
    i: int,
    joints: Floats,
    rotations: Floats,
    corrections: Floats,
    up: Vec,
) -> None:
    """Add corrections to the hinges of a leg in the air."""
    tip, length = tip_of(motion, links, i), sole_length(links, i)
    off = sub(vec(joints[joints.shape[0] - 1]), tip)
    goal = quat(rotations[bone_count(links, i) - 1])
    turn = turn_between(quat(motion.orientation[links.foot[i]]), goal)
    wanted = np.empty(6)
    put(wanted[:3], off if length > 0.0 else reject(off, up))
    put(wanted[3:], scale(turn, length))
    turn_hinges_by(links, motion, i, tip, length, wanted, corrections)


@kernel
def turn_hinges_by(
    links: Links, motion: Motion, i: int, tip: Vec, length: float, wanted: Floats, angles: Floats
) -> None:
    """Turn the hinges of a leg so that its foot moves: a step of damped least squares.

    Args:
        links: of the twin.
        motion: where its links are.
        i: the leg.
        tip: where it ends [m, world].
        length: by which turns of the foot are multiplied [m]; 0: it may turn as it likes.
        wanted: (6,) how the tip shall move [m, world], and how the foot shall turn, times `length`;
            overwritten.
        angles: (A,) of all hinges; those of the leg are written [rad].
    """
    foot, stop = links.foot[i], links.segment[links.carrier[i]]
    matrix = np.zeros((6, 6))
    column = np.empty(6)
    arm = norm(sub(tip, vec(motion.position[stop])))
    for a in range(6):
        matrix[a, a] = SOFT * arm * arm
    k = foot
    while k != stop:
        _column(motion, k, tip, length, column)
        for a in range(6):
            for b in range(6):
                matrix[a, b] += column[a] * column[b]
        k = links.parent[k]
    factor(matrix)
    solve(matrix, wanted)
    k = foot
    while k != stop:
        _column(motion, k, tip, length, column)
        turn = 0.0
        for a in range(6):
            turn += column[a] * wanted[a]
        angles[k - 1] += min(FARTHEST_TURN, max(-FARTHEST_TURN, turn))
        k = links.parent[k]


@kernel
def sole_length(links: Links, i: int) -> float:
    """How long a foot is that has to lie flat [m]; 0: it has no sole."""
    return norm(vec(links.tip[i])) if has_sole(links, i) else 0.0


@kernel
def has_sole(links: Links, i: int) -> bool:
    """Whether a foot presses with more than its tip."""
    count = 0
    for p in range(links.owner.shape[0]):
        count += links.owner[p] == i
    return count > 1


@kernel
def _column(motion: Motion, k: int, tip: Vec, length: float, column: Floats) -> None:
    """Write how a hinge moves a tip, and turns its sole, times a length."""
    axis = vec(motion.axis[k])
    put(column[:3], cross(axis, sub(tip, vec(motion.position[k]))))
    put(column[3:], scale(axis, length))


@kernel
def bone_count(links: Links, i: int) -> int:
    """How many bones a leg has."""
    count = 0
    for b in range(links.bone.shape[1]):
        if links.bone[i, b] >= 0:
            count += 1
    return count


@kernel
def turned_by(orientation: Quat, turn: Vec) -> Quat:
    """An orientation turned further by a small rotation vector [rad, world]."""
    x, y, z = scale(turn, 0.5)
    return quat_unit(quat_multiply((x, y, z, 1.0), orientation))
