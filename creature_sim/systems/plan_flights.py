"""Leaps are judged and planned as a whole, and bodies that hang in the air let fall."""

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

import esper
import numpy as np

from creature_sim.components import (
    ACCEPTED,
    CLINGS,
    CROUCHING,
    FLYING_FREE,
    GROUND,
    IN_THE_WAY,
    KINEMATIC,
    LEAPS,
    LOW_ROOF,
    MOVES_THERE,
    NO_FOOTHOLDS,
    NO_GROUND,
    TOO_STEEP,
    Body,
    Command,
    CommandRecord,
    Flight,
    FlightFootRecord,
    FlightRecord,
    GravityRecord,
    Plan,
    Records,
)
from creature_sim.components.arrays import any_of, herds
from creature_sim.components.queries import (
    find_props,
    gravity_here,
    ground_here,
    tick_now,
)
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.crowd import spread_of
from creature_sim.locomotion.falls import CHORDS as PIECES
from creature_sim.locomotion.falls import caught_at, fall, probe_fall, rest_below, thrown_at
from creature_sim.locomotion.flying import begin
from creature_sim.locomotion.gravity import up_at
from creature_sim.locomotion.gripping import clings, fastest_turn, pushed_off
from creature_sim.locomotion.leap_paths import (
    CHORDS,
    OFFSETS,
    extents,
    meets_what_moves,
    probe_path,
)
from creature_sim.locomotion.leaps import may_leap, plan_leap
from creature_sim.locomotion.roofs import CEILING
from creature_sim.locomotion.slipping import slid_off
from creature_sim.locomotion.touchdown import (
    CATCHES,
    CELLS,
    SHARES,
    Landing,
    is_enough,
    landing_on,
    probe_landing,
    segment_at,
    settled,
    take_footholds,
)
from creature_sim.locomotion.turning import tumble
from creature_sim.locomotion.walls import STEEPEST
from creature_sim.locomotion.wishes import (
    ASKED,
    FALLS,
    HOP_RINGS,
    HOP_WAYS,
    HOPS,
    SEEKS,
    SLIPS,
    THROWN,
    hop_to,
    rests,
    sought,
)
from creature_sim.maths import Floats, Vec, along, distance, dot, sub, vec
from creature_sim.props.rays import cast

HIGHER = (1.0, 1.25, 1.5)
"""Times of flight over that of the least speed: where a leap is blocked a higher one is tried."""
FARTHEST_LOOK, LOOKS = 3.4, 10
"""Who leaps of its own accord looks so many reaches ahead, at so many points."""
NEAREST_LOOK = 1.0
"""The first of them is so many reaches off."""
LEVEL, DEEP = 0.6, 2.2
"""It looks so many reaches up and down there: first for ground that is as high, then for any."""
LAYERS = 4
"""Who is told where to leap looks through so many roofs, floors and props one over the other."""
APART = 1e-3
"""A ray goes on so far behind what it met [m]."""
OFF = 0.15
"""Footholds may lift or lower its head over the point by this fraction of its reach: the top of
a table beside the point does not count."""
OUTWARD = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
"""Who slips off what turns leaves it at one of these fractions of its fastest leap's speed."""
STILL = 1e-3
"""What goes faster than this is not leapt to [m/s]."""


class Hits(NamedTuple):
    """What rays found: (R,) or (R, 3)."""

    points: Floats
    normals: Floats
    props: np.ndarray
    is_hit: np.ndarray


class PlanFlights(esper.Processor):
    """Let creatures leap and fall."""

    def process(self, dt: float) -> None:
        """Plan the leaps that were asked for, and the falls of bodies that nothing holds."""
        if not any_of("urge"):
            return
        for entity, plan, (_, legs, bodies, gaits, feet, holds) in herds():
            flight = esper.component_for_entity(entity, Flight)
            command = esper.component_for_entity(entity, Command)
            for row in np.flatnonzero(gaits["urge"]).tolist():
                creature = Creature(
                    plan.body[0], legs, bodies[row], gaits[row], feet[row], holds[row]
                )
                _plan(creature, flight.records[row], flight.feet[row], command.records[row], dt)


def _plan(
    creature: Creature,
    flight: FlightRecord,
    own: Records[FlightFootRecord],
    command: CommandRecord,
    dt: float,
) -> None:
    """Plan what one creature was asked for, or needs."""
    gravity, gait, asked = gravity_here()[0], creature.gait, creature.gait.urge
    gait.urge = 0
    if asked == FALLS or (asked == THROWN and not _catches_itself(creature, gravity, own)):
        gait.stuck = 0
        landing = _fall(creature, gravity, flight, own, dt)
        if asked == THROWN and landing is not None and not flight.tumbles:
            tumble(creature, flight, landing)
    elif asked == SLIPS:
        _slip(creature, gravity, flight, own, dt)
    elif asked == ASKED:
        flight.refusal = _leap(creature, gravity, vec(flight.point), flight, own, dt)
        flight.asked, flight.asked_tick = LEAPS, tick_now()
    elif asked == SEEKS:
        rests(gait, dt)
        wide = FARTHEST_LOOK - NEAREST_LOOK
        looks = [NEAREST_LOOK + wide * k / (LOOKS - 1) for k in range(LOOKS)]
        points = [sought(creature, command, far * creature.plan.reach) for far in looks]
        _leap_to_any(creature, gravity, points, flight, own, dt)
    elif asked == HOPS:
        ways = product(range(1, HOP_RINGS + 1), range(HOP_WAYS))
        points = [hop_to(creature, gravity, ring, k) for ring, k in ways]
        _leap_to_any(creature, gravity, points, flight, own, dt)


def _leap_to_any(
    creature: Creature,
    gravity: GravityRecord,
    points: Sequence[Vec],
    flight: FlightRecord,
    own: Records[FlightFootRecord],
    dt: float,
) -> None:
    """Begin a leap to the first point with ground for all feet, if there is one."""
    for look, point in product((LEVEL, DEEP), points):
        if _leap(creature, gravity, point, flight, own, dt, look, is_whole=True) == ACCEPTED:
            return


def _leap(
    creature: Creature,
    gravity: GravityRecord,
    point: Vec,
    flight: FlightRecord,
    own: Records[FlightFootRecord],
    dt: float,
    look: float = 1.0,
    *,
    is_whole: bool = False,
) -> int:
    """Begin a leap to a point of the ground; ACCEPTED, or why it cannot be.

    Args:
        creature: that leaps.
        gravity: the field.
        point: on the ground, or near it [m, world].
        flight: written.
        own: (L,) its feet; written.
        dt: length of a tick [s].
        look: so many reaches above and below the point ground is looked for.
        is_whole: whether all feet must find ground.
    """
    why = may_leap(creature, flight)
    if why != ACCEPTED:
        return why
    if clings(creature, gravity):
        return CLINGS
    up = up_at(gravity, point)
    far = look * creature.plan.reach
    ground = _ground_at(point, up, far, layers=1 if is_whole else LAYERS)
    if not ground.is_hit[0]:
        return MOVES_THERE if ground.props[0] >= 0 else NO_GROUND
    if dot(vec(ground.normals[0]), up) < max(STEEPEST, creature.plan.steepest):
        return TOO_STEEP
    if not is_whole and _has_roof(vec(ground.points[0]), up, creature.plan.reach):
        return LOW_ROOF
    landing, found = _land(creature, landing_on(creature, vec(ground.points[0]), up), own)
    if not is_enough(creature, found, SHARES) or (is_whole and found < len(own)):
        return NO_FOOTHOLDS
    head, _ = segment_at(creature, 0, landing.centre, landing.turn)
    height = dot(sub(head, vec(ground.points[0])), up) - creature.plan.ride_height
    if not is_whole and abs(height) > OFF * creature.plan.reach:
        return NO_FOOTHOLDS
    if _is_loose(own):
        return MOVES_THERE
    why = ACCEPTED
    for higher in HIGHER:
        now = plan_leap(creature, gravity, landing, higher, flight, own, dt)
        now = now or _path(creature, gravity, flight, up, dt)
        now = now or _meets_what_moves(creature, gravity, flight, own, dt)
        if now == ACCEPTED:
            begin(creature, flight, CROUCHING)
            return ACCEPTED
        why = why or now
    return why


def _ground_at(point: Vec, up: Vec, far: float, layers: int) -> Hits:
    """The ground that is nearest to a point, along the vertical through it.

    What a ray from above meets first may be a roof over the ground that is meant.

    Args:
        point: on the ground, or near it [m, world].
        up: there.
        far: how far above and below the point to look [m].
        layers: so many grounds, one below the other, are looked at.
    """
    end = np.array([along(point, up, -far)])
    found = below = cast_still(np.array([along(point, up, far)]), end)
    for _ in range(layers - 1):
        if not (below.is_hit[0] or below.props[0] >= 0):
            break
        below = cast_still(np.array([along(vec(below.points[0]), up, -APART)]), end)
        place = vec(below.points[0])
        is_nearer = distance(place, point) < distance(vec(found.points[0]), point)
        if is_nearer and _has_roof(place, up, 2.0 * far):  # and is not within something solid
            found = below
    return found


def _has_roof(ground: Vec, up: Vec, high: float) -> bool:
    """Whether anything hangs over a point of the ground, no higher than this [m]."""
    start, end = np.array([along(ground, up, APART)]), np.array([along(ground, up, high)])
    return bool(cast(ground_here().physics, find_props(), start, end)[0][0] < 1.0)


def _catches_itself(
    creature: Creature, gravity: GravityRecord, own: Records[FlightFootRecord]
) -> bool:
    """Whether there is ground for the feet of a body that was pushed, where it would stop."""
    up = up_at(gravity, vec(creature.trunk[0].position))
    landing = landing_on(creature, caught_at(creature, gravity), up)
    return is_enough(creature, _land(creature, landing, own)[1], CATCHES)


def _land(
    creature: Creature, landing: Landing, own: Records[FlightFootRecord]
) -> tuple[Landing, int]:
    """Choose footholds, and tilt a landing to them; and how many there are."""
    hits = _ground_for(creature, landing)
    take_footholds(creature, landing, *hits, own)
    landing = settled(creature, landing, own)
    return landing, take_footholds(creature, landing, *hits, own)


def find_footholds(creature: Creature, landing: Landing, own: Records[FlightFootRecord]) -> int:
    """Choose footholds for a landing as it is; how many there are."""
    return take_footholds(creature, landing, *_ground_for(creature, landing), own)


def _ground_for(creature: Creature, landing: Landing) -> Hits:
    """The ground where feet may land."""
    shape = (len(creature.legs) * CELLS, 3)
    starts, ends = np.empty(shape), np.empty(shape)
    probe_landing(creature, landing, starts, ends)
    return cast_still(starts, ends)


def _path(
    creature: Creature, gravity: GravityRecord, flight: FlightRecord, up: Vec, dt: float
) -> int:
    """Whether nothing is in the way of a flight: ACCEPTED, or what is."""
    shape = (CHORDS * OFFSETS, 3)
    starts, ends = np.empty(shape), np.empty(shape)
    probe_path(creature, gravity, flight, starts, ends, dt)
    fractions, normals, _ = cast(ground_here().physics, find_props(), starts, ends)
    met = np.flatnonzero(fractions < 1.0)
    if not len(met):
        return IN_THE_WAY if _meets_others(creature, flight, starts[::OFFSETS]) else ACCEPTED
    hangs_over = [dot(vec(normals[k]), up) < CEILING for k in met.tolist()]
    return LOW_ROOF if any(hangs_over) else IN_THE_WAY


def _is_loose(own: Records[FlightFootRecord]) -> bool:
    """Whether a foot would land on what is pushed about."""
    props = find_props()
    numbers = own["prop"][own["is_found"] != 0]
    return props is not None and bool(props[0].is_dynamic[numbers[numbers != GROUND]].any())


def _meets_what_moves(
    creature: Creature,
    gravity: GravityRecord,
    flight: FlightRecord,
    own: Records[FlightFootRecord],
    dt: float,
) -> int:
    """Whether nothing on a path comes into a flight: ACCEPTED or MOVES_THERE."""
    props = find_props()
    if props is None or not (props[0].records["motion"] == KINEMATIC).any():
        return ACCEPTED
    meets = meets_what_moves(creature, gravity, flight, own, *props, tick_now(), dt)
    return MOVES_THERE if meets else ACCEPTED


def _meets_others(creature: Creature, flight: FlightRecord, way: Floats) -> bool:
    """Whether a body on its way (K, 3) would meet another creature, or land among its feet."""
    front, wide, _ = extents(creature)
    own = spread_of(creature.legs)
    for _, (plan, body) in esper.get_components(Plan, Body):
        around = spread_of(plan.legs)
        for trunk in body.records:
            if np.shares_memory(trunk, creature.trunk):
                continue
            for place in trunk["position"]:
                other = vec(place)
                gap = min(distance(vec(point), other) for point in way) - max(front, wide)
                beside = distance(vec(flight.rest), other) - own
                if min(gap, beside) < around:
                    return True
    return False


def _fall(
    creature: Creature,
    gravity: GravityRecord,
    flight: FlightRecord,
    own: Records[FlightFootRecord],
    dt: float,
) -> Landing | None:
    """Let a creature fall to the ground below, or on as long as it finds none; where it lands."""
    is_free = flight.stage == FLYING_FREE
    velocity = vec(flight.velocity) if is_free else thrown_at(creature, gravity)
    return _fall_at(creature, gravity, velocity, flight, own, dt)


def _fall_at(
    creature: Creature,
    gravity: GravityRecord,
    velocity: Vec,
    flight: FlightRecord,
    own: Records[FlightFootRecord],
    dt: float,
) -> Landing | None:
    """The same with a velocity of its centre [m/s, world]."""
    ground, is_met = _below(creature, gravity, velocity, dt)
    point, ticks = rest_below(creature, gravity, velocity, ground, dt)
    if clings(creature, gravity):
        velocity = pushed_off(creature, gravity, velocity, spread_of(creature.legs), ticks * dt)
        ground, is_met = _below(creature, gravity, velocity, dt)
        point, ticks = rest_below(creature, gravity, velocity, ground, dt)
    landing = landing_on(creature, point, up_at(gravity, point))
    landing, _ = _land(creature, landing, own)
    fall(creature, gravity, velocity, landing, ticks, flight, own, dt)
    if flight.spin > fastest_turn(creature, gravity):
        tumble(creature, flight, landing)
    return landing if is_met else None


def _slip(
    creature: Creature,
    gravity: GravityRecord,
    flight: FlightRecord,
    own: Records[FlightFootRecord],
    dt: float,
) -> None:
    """Let a creature fall off what turns, no farther out than it must to fall clear of that."""
    before, walks = creature.feet.copy(), thrown_at(creature, gravity)
    for fraction in OUTWARD:
        creature.feet[:] = before
        velocity = slid_off(creature, gravity, walks, fraction, dt)
        _fall_at(creature, gravity, velocity, flight, own, dt)
        if _meets_what_moves(creature, gravity, flight, own, dt) == ACCEPTED:
            break


def _below(
    creature: Creature, gravity: GravityRecord, velocity: Vec, dt: float
) -> tuple[Vec, bool]:
    """Where a fall meets the ground [m, world], or how far it gets, and whether it meets it."""
    starts, ends = np.empty((PIECES, 3)), np.empty((PIECES, 3))
    probe_fall(creature, gravity, velocity, starts, ends, dt)
    below = cast_still(starts, ends)
    if below.is_hit.any():
        return vec(below.points[int(below.is_hit.argmax())]), True
    return vec(ends[-1]), False


def cast_still(starts: Floats, ends: Floats) -> Hits:
    """What rays hit that keeps still: nothing on a path does, also where it turns back."""
    props = find_props()
    fractions, normals, numbers = cast(ground_here().physics, props, starts, ends)
    is_hit = fractions < 1.0
    if props:
        is_still = np.abs(props[1].records["velocity"]).sum(axis=1) < STILL
        is_still &= props[0].records["motion"] != KINEMATIC
        for k in np.flatnonzero(numbers >= 0).tolist():
            is_hit[k] &= bool(is_still[numbers[k]])
    points = starts + (ends - starts) * fractions[:, None]
    return Hits(points, normals, numbers, is_hit)
