"""Walks go on from where their twins are."""

import esper
import numpy as np

from creature_sim.components import (
    DRAWS_IN,
    FOLDED,
    LIES,
    STANDS,
    UNFOLDING,
    UPRIGHT,
    WALKS,
    Flight,
    FlightFootRecord,
    LegChain,
    Records,
    Suspension,
    Twin,
    TwinRecord,
)
from creature_sim.components.arrays import herds
from creature_sim.components.queries import gravity_here, tick_now
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.folding import fold_feet
from creature_sim.locomotion.frames import into_world, taken_along
from creature_sim.locomotion.gravity import up_at
from creature_sim.locomotion.resting import enter
from creature_sim.locomotion.trunk import centre_of
from creature_sim.maths import (
    Quat,
    Vec,
    along,
    put,
    quat,
    quat_conjugate,
    quat_multiply,
    vec,
)
from creature_sim.systems.plan_flights import cast_still
from creature_sim.systems.rest_bodies import Rest
from creature_sim.twin.caring import needs_care, take_care
from creature_sim.twin.following import follow_all, stand_over
from creature_sim.twin.righting import ROLLS, TOPPLES, lie_on
from creature_sim.twin.twins import Twins

LOOKS = 1.5
"""Ground to stand up on is looked for so many reaches above and below."""


class FollowTwins(esper.Processor):
    """Plan on from what is measured, instead of from what was wanted."""

    def process(self, dt: float) -> None:
        """Bring the plans of all creatures with twins nearer to these; those that fall, lie."""
        if not esper.get_component(Twin):
            return
        for entity, plan, (_, legs, bodies, gaits, feet, holds) in herds():
            twin = esper.try_component(entity, Twin)
            if not twin:
                continue
            chain = esper.component_for_entity(entity, LegChain)
            flight = esper.component_for_entity(entity, Flight)
            hung = esper.component_for_entity(entity, Suspension).records
            chain.joints[:], chain.rotations[:] = twin.joints, twin.rotations
            field, bases = gravity_here()[0], twin.records
            places, turns = bases["goal_position"].copy(), bases["goal_orientation"].copy()
            points = feet["goal"].copy()
            falls = follow_all(
                bases, flight.records, bodies, feet, field, twin.tips, twin.contacts, dt
            )
            for row in np.flatnonzero(flight.records["stage"] == UNFOLDING).tolist():
                _take_along(flight.feet[row], bases[row], vec(places[row]), quat(turns[row]))
            twins = esper.component_for_entity(entity, Twins)
            twins.shift(twin, feet, places, turns, points)
            if needs_care(plan):
                take_care(bases, gaits, feet, dt)
            for row in np.flatnonzero((bases["stage"] != UPRIGHT) | (falls != 0)).tolist():
                base = bases[row]
                creature = Creature(
                    plan.body[0], legs, bodies[row], gaits[row], feet[row], holds[row]
                )
                own = flight.records[row], flight.feet[row], hung[row]
                rest = Rest(creature, plan, *own, chain.joints[row])
                up = up_at(field, vec(base.position))
                if falls[row]:
                    _fall(rest, base, int(falls[row]), dt)
                elif lie_on(base, up, TOPPLES if twins.topples else ROLLS, dt):
                    _stand_up(rest, base, up)


def _take_along(own: Records[FlightFootRecord], base: TwinRecord, place: Vec, turn: Quat) -> None:
    """Shift footholds (L,) of legs that are put out with a plan that was drawn to its twin.

    It was at a place with a turn before. Else feet would be off where they rest, and step.
    """
    turned = quat_multiply(quat(base.goal_orientation), quat_conjugate(turn))
    for foot in own:
        put(foot.goal, taken_along(place, vec(base.goal_position), turned, vec(foot.goal)))


def _fall(rest: Rest, base: TwinRecord, fall: int, dt: float) -> None:
    """Let a twin lie that has fallen, and its plan with it, legs drawn in."""
    base.stage, base.ticks = DRAWS_IN, 0
    base.fall, base.fall_tick = fall, tick_now()
    base.fall_count += 1
    gait, flight = rest.creature.gait, rest.flight
    gait.rest, gait.urge, gait.run, flight.tumbles = LIES, 0, WALKS, 0
    put(flight.here, centre_of(rest.creature.trunk))
    enter(rest.creature, gravity_here()[0], flight, rest.own, FOLDED, dt)
    fold_feet(rest.creature, rest.plan.segments, rest.own)


def _stand_up(rest: Rest, base: TwinRecord, up: Vec) -> None:
    """Plan to stand up where a twin lies on its belly."""
    creature, flight = rest.creature, rest.flight
    far = LOOKS * creature.plan.reach
    middle = vec(base.position)
    starts = np.array([along(middle, up, far)])
    ground = cast_still(starts, np.array([along(middle, up, -far)]))
    below = vec(ground.points[0]) if ground.is_hit[0] else middle
    stand_over(base, creature.trunk, below, up, creature.plan.ride_height)
    for leg, foot in zip(creature.legs, creature.feet, strict=True):
        body = creature.trunk[leg.segment]
        home = into_world(vec(body.position), quat(body.orientation), vec(leg.home))
        put(foot.position, home)
    put(flight.here, centre_of(creature.trunk))
    put(flight.rest, vec(flight.here))
    put(flight.arrival, vec(flight.here))
    put(flight.lean, (0.0, 0.0, 0.0))
    if not rest.fold_at_once():
        flight.asked = STANDS  # nobody told it to fold
    creature.gait.rest = 0
