"""How climbers' feet feel around for ground that the usual rays do not find.

A fan of rays goes from the hip over all that the leg may reach, and moves on in each tick. So feet
find bars, poles and rims, like the legs of an insect that tread on nothing (Pearson, Franklin
1984).
"""

from math import sqrt

from creature_sim.components import (
    STANDING,
    YAWS,
    FootholdRecord,
    FootRecord,
    HitRecord,
    LegRecord,
    Records,
)
from creature_sim.locomotion.bends import BACK, bent_hits
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.rays import Rays, cast_between
from creature_sim.locomotion.reach import hip_of
from creature_sim.locomotion.search import gropes, knows_good
from creature_sim.locomotion.slots import bend_slot, foothold_slot
from creature_sim.maths import (
    GOLDEN,
    Vec,
    X,
    along,
    dot,
    mix,
    quat,
    rotate,
    sin_cos,
    sub,
    unit,
    unrotate,
    vec,
)
from creature_sim.maths.jit import kernel

FAN, STANDING_FAN = 12, 6
"""Rays of the fan of a foot in the air, and of one that stands, which has time; half as many if the
foot knows a good place. They take the room that walkers use for a patch."""
BACKS = 3
"""Behind an edge one in so many of them goes back to its far side."""
HIGHEST = 0.7
"""The rays go from straight down to so far up (the sine)."""
WIDEST = 1.4
"""Rays of hips that are balls go so far to either side [rad]."""
FACES = 0.3
"""Ground that faces a leg by more than this cosine is a wall; facing away by more, it is behind an
edge."""
PAST = 1.05
"""The ray to what is known already goes on behind it to this multiple of the way."""


@kernel
def feels_around(creature: Creature, rays: Rays, i: int) -> bool:
    """Whether a leg of who climbs casts a fan in this tick; its other rays are planned."""
    is_looking = rays.is_active[foothold_slot(creature.trunk.shape[0], i)] != 0
    return bool(is_looking and gropes(creature.plan, creature.footholds[i]))


@kernel
def probe_fan(creature: Creature, rays: Rays, fan: Rays, hits: Records[HitRecord], i: int) -> None:
    """Cast a fan for a leg that feels around; its first ray goes to what it has found so far.

    Where it found the far side of an edge, which its hip may not see, some go back to that.

    Args:
        creature: whose leg it is.
        rays: of the creature; those of the leg's foothold are planned, with the bent ones.
        fan: its first `fan_size` rays are written.
        hits: (Q,) what they found last.
        i: the leg.
    """
    leg, foothold = creature.legs[i], creature.footholds[i]
    segment_count = creature.trunk.shape[0]
    fan.is_active[:] = 0
    body = creature.trunk[leg.segment]
    orientation = quat(body.orientation)
    hip = hip_of(vec(body.position), orientation, leg)
    known = known_place(creature.feet[i], foothold)
    cast_between(fan, 0, hip, mix(hip, known, PAST))
    shift = (GOLDEN * creature.gait.age) % 1.0
    size = fan_size(creature.feet[i], foothold)
    for k in range(1, size):
        way = rotate(orientation, fan_direction(leg, k, size, shift))
        cast_between(fan, k, hip, along(hip, way, leg.reach))
    back = bend_slot(segment_count, creature.legs.shape[0], i) + BACK
    face, start = hits[back], vec(rays.start[back])
    normal = vec(face.normal)
    first_bent, second_bent = bent_hits(creature, i, hits)
    if back in (first_bent, second_bent) and rays.is_active[back]:
        rim = along(start, normal, -dot(sub(start, vec(face.point)), normal))
        for k in range(size - size // BACKS, size):
            there = mix(rim, vec(face.point), (GOLDEN * k + shift) % 1.0)
            cast_between(fan, k, start, mix(start, there, PAST))


@kernel
def fan_size(foot: FootRecord, foothold: FootholdRecord) -> int:
    """How many rays the fan of a foot has."""
    size = STANDING_FAN if foot.phase == STANDING else FAN
    return size // 2 if knows_good(foot, foothold) else size


@kernel
def known_place(foot: FootRecord, foothold: FootholdRecord) -> Vec:
    """Where a foot would go unless it finds a better place [m, world]."""
    return vec(foothold.position) if foot.phase == STANDING else vec(foot.goal)


@kernel
def fan_direction(leg: LegRecord, k: int, size: int, shift: float) -> Vec:
    """Direction of a ray of a fan (segment), spread evenly over the part of a sphere there.

    Args:
        leg: whose hip it begins at.
        k: the ray, from 1 on.
        size: of the fan.
        shift: by which the fan of this tick is moved on, 0 to 1.
    """
    x, y, _ = vec(leg.middle) if leg.hip == YAWS else vec(leg.out)
    half = 0.5 * (leg.yaw_hi - leg.yaw_lo) if leg.hip == YAWS else WIDEST
    z = (1.0 + HIGHEST) * ((k - 1.0 + shift) / (size - 1.0)) - 1.0
    sine, cosine = sin_cos(half * (2.0 * ((GOLDEN * k + 3.0 * shift) % 1.0) - 1.0))
    level = sqrt(max(0.0, 1.0 - z * z))
    return (level * (cosine * x - sine * y), level * (sine * x + cosine * y), z)


@kernel
def off_aim(creature: Creature, i: int, point: Vec, normal: Vec) -> float:
    """How far a place is from a foot's aim along the ground, as an ant would see it [m].

    What is below the aim behind an edge, or above it on a wall, is farther on by that.

    Args:
        creature: whose foot it is.
        i: its leg.
        point: the place [m, world].
        normal: of the ground there [world].
    """
    leg, aim = creature.legs[i], vec(creature.footholds[i].aim)
    body = creature.trunk[leg.segment]
    orientation = quat(body.orientation)
    hip = hip_of(vec(body.position), orientation, leg)
    x, y, z = unrotate(orientation, sub(aim, hip))
    out, level = unit((x, y, 0.0), X), sqrt(x * x + y * y)
    x, y, high = unrotate(orientation, sub(point, hip))
    on, aside = out[0] * x + out[1] * y, out[0] * y - out[1] * x
    faces = dot(unrotate(orientation, normal), out)
    if abs(faces) > FACES:
        on += max(0.0, z - high if faces > 0.0 else high - z)
    return sqrt((on - level) * (on - level) + aside * aside)
