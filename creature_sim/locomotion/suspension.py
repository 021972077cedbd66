"""Bodies hang on their legs as masses on springs.

All that comes before plans a body: where it would be if it weighed nothing. The body itself is
carried: feet that press push it up and along the line from foot to hip, and springs of the legs
draw it to where it is planned. The stiffness of all legs together stays the same however many of
them stand (the template of Blickhan and Full 1993, and of Full and Koditschek 1999), so each of
its motions is a damped oscillation that is pushed:

    q'' = -w^2 q - 2 d w q' + f

Its closed form over a tick, with f constant, is exact at any tick rate. Pushes f count against
what they were of late: a body that stands still, on whatever feet, is where it is planned.
"""

from typing import NamedTuple

import numpy as np

from creature_sim.components import (
    AIRBORNE,
    LOST,
    BodyPoseRecord,
    BodyRecord,
    FootholdRecord,
    FootRecord,
    GaitRecord,
    GravityRecord,
    LegRecord,
    PlanRecord,
    Records,
    RecordTable,
    SegmentRecord,
    SuspensionRecord,
)
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.gravity import down_at
from creature_sim.locomotion.hanging import Hanging, hang, show
from creature_sim.locomotion.running import rock
from creature_sim.locomotion.setting_out import leaning, load_of, over_those_that_stay, turns_ahead
from creature_sim.locomotion.shoves import toppling
from creature_sim.locomotion.springs import Springs, pushed, springs_of
from creature_sim.locomotion.sway import sways
from creature_sim.maths import (
    Vec,
    add,
    approach,
    clamp,
    cross,
    dot,
    mix,
    norm,
    put,
    put_quat,
    quat,
    scale,
    sub,
    unit,
    unrotate,
    vec,
)
from creature_sim.maths.jit import kernel

LOADING = 0.04
"""Time constant in which a foot takes weight, and gives it away [s]."""
OF_LATE = 0.5
"""Time constant of the means that pushes are counted against [s]."""
ALONG = 0.16
"""A foot pushes along by this fraction of what would aim at its hip."""
HIND = 0.65
"""Feet behind the middle of a body that walks press harder than that by this fraction per half of
its length, feet in front less."""
FALLS = 0.3
"""Feet tilt a body that falls from foot to foot by this fraction of how far they would tilt one
that stands: most of their torque is what makes it fall."""
LIMBS = 0.25
"""Fraction of the mass that is in the legs: the more, the slower a body turns."""
LIGHTEST = 0.1
"""Feet carry a body with this fraction of all their load at least."""
GRIP = 1.0
"""Feet do not hold back a body that gains or loses speed by more than this many g."""
STIFF = 0.3
"""Nor does a body swing on if its legs slow it down by this many g. They are near their limits:
they would draw it back at once, and stop it twice."""


class Pushes(NamedTuple):
    """What feet do to a segment, see `pressing`."""

    force: Vec
    torque: Vec
    inertia: Vec


@kernel
def press(creature: Creature, dt: float) -> None:
    """Let feet take weight, or give it away: written; `dt` is the length of a tick [s]."""
    fraction = approach(dt, LOADING)
    for i in range(creature.feet.shape[0]):
        foot = creature.feet[i]
        foot.load += fraction * (load_of(creature, i) - foot.load)


@kernel
def pressing(
    body: BodyRecord, segment: SegmentRecord, legs: Records[LegRecord], feet: Records[FootRecord]
) -> tuple[Vec, Vec, Vec]:
    """How feet push a segment, per unit of what all of them carry where all stand [segment].

    Returns:
        Force, torque about its centre [m], and moments of inertia about its X, Y and Z over its
        mass [m^2].
    """
    position, orientation = vec(body.position), quat(body.orientation)
    force = torque = (0.0, 0.0, 0.0)
    ahead = unit(vec(body.velocity), force)
    xx = yy = zz = 0.0
    count = 0
    for i in range(segment.first_near, segment.last_near):
        foot, leg = feet[i], legs[i]
        if foot.phase == LOST:
            continue
        count += 1
        fx, fy, fz = unrotate(orientation, sub(vec(foot.position), position))
        height = max(leg.mount[2] - fz, 0.1 * leg.reach)
        load = foot.load * (1.0 - HIND * (fx * ahead[0] + fy * ahead[1]) / leg.reach)
        push = (
            ALONG * load * (leg.mount[0] - fx) / height,
            ALONG * load * (leg.mount[1] - fy) / height,
            load,
        )
        force, torque = add(force, push), add(torque, cross((fx, fy, fz), push))
        xx += fx * fx
        yy += fy * fy
        zz += 0.25 * fz * fz  # the middle of the leg
    whole = 1.0 / max(1.0, float(count))
    solid = (1.0 - LIMBS) / 3.0
    limbs = LIMBS * whole
    xx = solid * segment.front * segment.front + limbs * xx
    yy = solid * segment.side * segment.side + limbs * yy
    zz = solid * segment.top * segment.top + limbs * zz
    return scale(force, whole), scale(torque, whole), (yy + zz, xx + zz, xx + yy)


@kernel
def place_bodies(
    bodies: RecordTable[BodyRecord], suspensions: RecordTable[SuspensionRecord]
) -> None:
    """Put bodies (N, S) where they were planned to be.

    Until they are carried again suspensions keep where they were instead.
    """
    for n in range(bodies.shape[0]):
        for s in range(bodies.shape[1]):
            body, hung = bodies[n, s], suspensions[n, s]
            position, orientation = vec(body.position), quat(body.orientation)
            put(body.position, vec(hung.position))
            put_quat(body.orientation, quat(hung.orientation))
            put(hung.position, position)
            put_quat(hung.orientation, orientation)


@kernel
def carry_bodies(
    plan: Records[PlanRecord],
    legs: Records[LegRecord],
    bodies: RecordTable[BodyRecord],
    gaits: Records[GaitRecord],
    feet: RecordTable[FootRecord],
    footholds: RecordTable[FootholdRecord],
    gravity: Records[GravityRecord],
    segments: Records[SegmentRecord],
    suspensions: RecordTable[SuspensionRecord],
    poses: Records[BodyPoseRecord],
    dt: float,
) -> None:
    """Carry bodies from where they are planned to where their springs let them be.

    Args:
        plan: (1,).
        legs: (L,).
        bodies: (N, S); written.
        gaits: (N,).
        feet: (N, L); their loads are written.
        footholds: (N, L).
        gravity: (1,).
        segments: (S,).
        suspensions: (N, S); written.
        poses: (N,) how motions hold them; written where that is too far.
        dt: length of a tick [s].
    """
    springs = springs_of(plan[0], dt)
    fraction = approach(dt, OF_LATE)
    room = (bodies.shape[1], 3)
    forces, torques, inertias = np.empty(room), np.empty(room), np.empty(room)
    position, orientation = np.empty(room), np.empty((bodies.shape[1], 4))
    for n in range(bodies.shape[0]):
        creature = Creature(plan[0], legs, bodies[n], gaits[n], feet[n], footholds[n])
        hanging = Hanging(segments, suspensions[n], poses[n], position, orientation)
        press(creature, dt)
        if gaits[n].flight == AIRBORNE:
            show(creature, hanging)
            continue
        if gaits[n].run:
            rock(creature, suspensions[n, 0], springs, dt)
            hang(creature, hanging, dt)
            continue
        ahead = leaning(creature)
        falls = FALLS if sways(creature) else 1.0
        count, along = bodies.shape[1], 0.0
        for s in range(count):
            force, torque, inertia = pressing(bodies[n, s], segments[s], legs, feet[n])
            put(forces[s], force)
            put(torques[s], scale(torque, falls))
            put(inertias[s], inertia)
            along += force[0] / count
        for s in range(count):
            forces[s, 0] = along  # a trunk goes as one
            hung, g = suspensions[n, s], gravity[0].acceleration
            pull = hangs_down(creature, gravity[0], bodies[n, s])
            pushes = Pushes(vec(forces[s]), vec(torques[s]), vec(inertias[s]))
            over = scale(over_those_that_stay(creature, s), springs.slides.square)
            looks = turns_ahead(gaits[n]) if s == gaits[n].leader else 0.0
            shift, turn = toppling(plan[0], gaits[n], bodies[n, s], segments[s], count)
            over = add(over, scale(shift, springs.rises.square))
            gain = gained(creature, hung, bodies[n, s], g, dt)
            oscillate(hung, springs, pushes, sub(add(add(ahead, over), pull), gain), turn, looks, g)
            put(hung.velocity, vec(bodies[n, s].velocity))
            put(hung.force, mix(vec(hung.force), pushes.force, fraction))
            put(hung.torque, mix(vec(hung.torque), pushes.torque, fraction))
        hang(creature, hanging, dt)


@kernel
def hangs_down(creature: Creature, gravity: GravityRecord, body: BodyRecord) -> Vec:
    """What pulls at a segment that clings beside what pulls at one on a floor [m/s^2, segment]."""
    if not creature.plan.climbs:
        return (0.0, 0.0, 0.0)
    x, y, z = unrotate(quat(body.orientation), down_at(gravity, vec(body.position)))
    return scale((x, y, z + 1.0), gravity.acceleration)


@kernel
def gained(
    creature: Creature, hung: SuspensionRecord, body: BodyRecord, g: float, dt: float
) -> Vec:
    """Acceleration of a segment as it is planned that its springs take up [m/s^2, segment].

    Not all by which a walker is slower than it was told to be: its legs hold it.

    Args:
        creature: whose segment it is.
        hung: how it hangs on its legs.
        body: the segment, where it is planned.
        g: gravity [m/s^2].
        dt: length of a tick [s].
    """
    now, before = vec(body.velocity), vec(hung.velocity)
    if hung.force[2] == 0.0:  # it has never been carried
        before = now
    gain = add(scale(sub(now, before), 1.0 / dt), cross((0.0, 0.0, body.yaw_rate), now))
    way = unit(before, (0.0, 0.0, 0.0))
    if not creature.plan.climbs:
        told = min(0.0, dot(vec(creature.gait.acceleration), way))
        gain = add(gain, scale(way, clamp(told - dot(gain, way), 0.0, STIFF * g)))
    return scale(gain, min(1.0, GRIP * g / max(norm(gain), 1e-9)))


@kernel
def oscillate(
    hung: SuspensionRecord,
    springs: Springs,
    pushes: Pushes,
    drive: Vec,
    leans: Vec,
    looks: float,
    g: float,
) -> None:
    """Move a segment on against where it is planned.

    Args:
        hung: how it hangs on its legs; written.
        springs: of the plan.
        pushes: of its feet.
        drive: acceleration of what else pushes it [m/s^2, segment].
        leans: rotation vector to where it topples [rad, segment].
        looks: how far it looks to where it turns [rad].
        g: gravity [m/s^2].
    """
    if hung.force[2] == 0.0:  # it has never been carried
        put(hung.force, pushes.force)
        put(hung.torque, pushes.torque)
    lift = g / max(hung.force[2], LIGHTEST)
    fx, fy, fz = add(scale(sub(pushes.force, vec(hung.force)), lift), drive)
    tx, ty, tz = scale(sub(pushes.torque, vec(hung.torque)), lift)
    ix, iy, iz = pushes.inertia
    offset, rate, turn, spin = hung.offset, hung.rate, hung.turn, hung.spin
    offset[0], rate[0] = pushed(springs.slides, offset[0], rate[0], fx)
    offset[1], rate[1] = pushed(springs.slides, offset[1], rate[1], fy)
    offset[2], rate[2] = pushed(springs.rises, offset[2], rate[2], fz)
    turn[0], spin[0] = pushed(
        springs.tilts, turn[0], spin[0], tx / ix + leans[0] * springs.tilts.square
    )
    turn[1], spin[1] = pushed(
        springs.tilts, turn[1], spin[1], ty / iy + leans[1] * springs.tilts.square
    )
    turn[2], spin[2] = pushed(
        springs.twists, turn[2], spin[2], tz / iz + looks * springs.twists.square
    )
