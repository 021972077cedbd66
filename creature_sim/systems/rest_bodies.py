"""Creatures sit, fold their legs, and stand up again."""

import esper
import numpy as np

from creature_sim.components import (
    FLYING_FREE,
    FOLDED,
    FOLDING,
    FOLDS,
    LIES,
    LOWERING,
    NO_BED,
    NO_FOOTHOLDS,
    OVERTURNED,
    RISING,
    SITS,
    SITTING,
    STANDING,
    STANDS,
    TURNING,
    UNFOLDING,
    UNSTEADY,
    WALKING,
    Flight,
    FlightFootRecord,
    FlightRecord,
    GravityRecord,
    LegChain,
    Plan,
    Records,
    Suspension,
    SuspensionRecord,
)
from creature_sim.components.arrays import any_of, herds
from creature_sim.components.queries import gravity_here, tick_now
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.flying import hold, move
from creature_sim.locomotion.folding import (
    OFF,
    SPOTS,
    UNTURNED,
    deepest,
    draw_in,
    fold_feet,
    probe_belly,
    room_under,
    take_feet,
)
from creature_sim.locomotion.resting import (
    enter,
    is_ready,
    rest_on,
    settle_down,
    stage_ticks,
    stand_feet,
    walk_again,
)
from creature_sim.locomotion.sitting import pitched
from creature_sim.locomotion.touchdown import Landing, is_enough, up_of
from creature_sim.locomotion.trunk import centre_of
from creature_sim.locomotion.turning import (
    come_down,
    is_down,
    lie_on,
    stretched,
    to_feet,
    trunk_over,
)
from creature_sim.maths import TAU, Floats, X, along, distance, norm, put, quat, rotate, scale, vec
from creature_sim.systems.plan_flights import cast_still, find_footholds

SHARE = 0.5
"""It lies down where so much of its underside is over ground."""
QUADRUPED = 4
"""Who has so many legs sits with its hind down."""
STILL = 1e9
"""In a tick that is so long nothing has a velocity [s]."""
SHARES = 0.8
"""It stands up where so many of its feet find some."""


class RestBodies(esper.Processor):
    """Move creatures that rest, or are asked to."""

    def process(self, dt: float) -> None:
        """Go down, draw legs in, put them out, rise."""
        if not any_of("rest") and not any_of("flight"):
            return
        for entity, plan, (_, legs, bodies, gaits, feet, holds) in herds():
            flight = esper.component_for_entity(entity, Flight)
            hung = esper.component_for_entity(entity, Suspension).records
            rests = (gaits["rest"] != 0) | (flight.records["stage"] >= LOWERING)
            rests |= flight.records["tumbles"] != 0
            for row in np.flatnonzero(rests).tolist():
                creature = Creature(
                    plan.body[0], legs, bodies[row], gaits[row], feet[row], holds[row]
                )
                joints = esper.component_for_entity(entity, LegChain).joints[row]
                own = flight.feet[row]
                rest = Rest(creature, plan, flight.records[row], own, hung[row], joints)
                rest.go_on(gravity_here()[0], dt)


class Rest:
    """One creature that rests, or may."""

    def __init__(
        self,
        creature: Creature,
        plan: Plan,
        flight: FlightRecord,
        own: Records[FlightFootRecord],
        hung: Records[SuspensionRecord],
        joints: Floats,
    ) -> None:
        """Take what there is of it; all but its plan and its joints are written."""
        self.creature, self.plan, self.flight = creature, plan, flight
        self.own, self.hung, self.joints = own, hung, joints

    def go_on(self, gravity: GravityRecord, dt: float) -> None:
        """Move on by a tick, and begin what comes next."""
        stage = self.flight.stage
        if stage == WALKING:
            if is_ready(self.creature, self.flight, dt):
                self._go_down()
                enter(self.creature, gravity, self.flight, self.own, LOWERING, dt)
            return
        tumbles = stage == FLYING_FREE and self.flight.tumbles
        if tumbles and is_down(self.creature, self.plan.segments, self.joints, self.flight, dt):
            come_down(self.creature, self.flight)
            enter(self.creature, gravity, self.flight, self.own, OVERTURNED, dt)
            fold_feet(self.creature, self.plan.segments, self.own)
            stage = OVERTURNED
        if stage < LOWERING:
            return
        if self.flight.crouch_ticks == 0:
            self.flight.crouch_ticks = stage_ticks(self.creature.plan, gravity, stage, dt)
        if not self._move(dt):
            return
        up = up_of(self.creature)
        if stage in (LOWERING, RISING):
            settle_down(self.hung, self.flight, up, dt)
        elif stage == UNFOLDING:
            stand_feet(self.creature, self.own, self.hung)
        elif stage == TURNING:
            self._lies_on_belly()
        if stage == RISING:
            walk_again(self.creature, self.flight)
            return
        following = self._next(stage)
        if following != stage:
            enter(self.creature, gravity, self.flight, self.own, following, dt)

    def _move(self, dt: float) -> bool:
        """Move on by a tick; whether the stage has ended."""
        if self.flight.stage < OVERTURNED:
            return rest_on(self.creature, self.flight, self.own, self.hung, dt)
        segments, radii = self.plan.segments, self.plan.radii
        return lie_on(
            self.creature, segments, radii, self.joints, self.flight, self.own, self.hung, dt
        )

    def fold_at_once(self) -> bool:
        """Let a creature that stands lie folded from now on; False where no ground is below it."""
        creature, flight = self.creature, self.flight
        self._go_down()
        if not self._lie_down():
            return False
        creature.gait.rest = FOLDS
        enter(creature, gravity_here()[0], flight, self.own, FOLDED, STILL)
        put(flight.start, vec(flight.arrival))
        move(creature, flight, vec(flight.arrival), (0.0, 0.0, 0.0), STILL)
        rest_on(creature, flight, self.own, self.hung, STILL)
        return True

    def _next(self, stage: int) -> int:
        """The stage after one that has ended."""
        asked = self.creature.gait.rest
        if stage in (LOWERING, SITTING, UNFOLDING):
            if asked == FOLDS and norm(vec(self.flight.lean)) > 0.0:
                return RISING  # it sits up; it lies down from where it stands
            if asked == FOLDS and self._lie_down():
                return FOLDING
            return SITTING if asked else RISING
        if stage == OVERTURNED and self.flight.is_on_back:
            put(self.flight.lean, to_feet(self.creature, vec(self.flight.bed_normal)))
            return TURNING
        if stage == OVERTURNED:
            self._lies_on_belly()
        if stage != RISING:
            if asked not in (FOLDS, LIES) and self._put_out():
                return UNFOLDING
            return FOLDED
        return stage

    def overturn_at_once(self) -> None:
        """Let a creature that lies folded lie on its back from now on; it turns over and rises."""
        creature, flight = self.creature, self.flight
        up, centre = up_of(creature), vec(flight.here)
        room, _ = self._room()
        trunk = trunk_over(creature, self.plan.segments, UNTURNED, up)
        put(flight.bed, along(vec(flight.rest), up, -trunk - room))
        put(flight.bed_normal, up)
        over = scale(rotate(quat(creature.trunk[0].orientation), X), 0.5 * TAU)
        move(creature, flight, centre, over, STILL)
        for i, leg in enumerate(creature.legs):
            hold(creature, i, stretched(leg, 0.0, 0.0))
        creature.gait.rest = 0
        enter(creature, gravity_here()[0], flight, self.own, OVERTURNED, STILL)
        flight.crouch_ticks = 0  # the first tick knows how long a tick is
        come_down(creature, flight)

    def _lies_on_belly(self) -> None:
        """Write where it would stand."""
        flight = self.flight
        up = up_of(self.creature)
        put(flight.rest, along(vec(flight.bed), up, self.creature.plan.ride_height))
        put(flight.arrival, vec(flight.here))

    def _go_down(self) -> None:
        """Choose how low it sits."""
        take_feet(self.creature, self.own)
        stand = centre_of(self.creature.trunk)
        put(self.flight.rest, stand)
        room, _ = self._room()
        self._sit(room)
        if self.creature.gait.rest == SITS and len(self.creature.legs) == QUADRUPED:
            self._sit_up(room)

    def _sit_up(self, room: float) -> None:
        """Write how it sits with its hind down, where its legs let it."""
        creature, stand, up = self.creature, vec(self.flight.rest), up_of(self.creature)
        most = max(0.0, room - OFF * creature.plan.reach)
        lean, depth = pitched(creature, self.plan.segments[0], self.own, stand, up, most)
        if norm(lean) > 0.0:
            put(self.flight.lean, lean)
            put(self.flight.low, along(stand, up, -depth))

    def _sit(self, room: float) -> None:
        """Write where it sits on its footholds, with so much room below where it stands [m]."""
        creature, stand = self.creature, vec(self.flight.rest)
        up = up_of(creature)
        most = max(0.0, room - OFF * creature.plan.reach)
        depth = deepest(creature, self.own, stand, up, most)
        put(self.flight.low, along(stand, up, -depth))
        put(self.flight.lean, (0.0, 0.0, 0.0))

    def _lie_down(self) -> bool:
        """Choose how it lies; refuse where there is no ground for it."""
        creature, flight = self.creature, self.flight
        room, found = self._room()
        if found < SHARE * SPOTS * len(creature.trunk):
            return self._refuse(FOLDS, NO_BED)
        for foot in creature.feet:
            if foot.phase == STANDING and norm(vec(foot.drift)) > 1e-6:
                return self._refuse(FOLDS, UNSTEADY)
        take_feet(creature, self.own)
        stand = vec(flight.rest)
        depth = distance(stand, vec(flight.low))
        down = draw_in(creature, self.plan.segments, self.own, stand, room, depth)
        put(flight.arrival, along(stand, up_of(creature), -down))
        return True

    def _put_out(self) -> bool:
        """Choose footholds, and how low it goes on them first."""
        creature = self.creature
        landing = Landing(vec(self.flight.rest), UNTURNED, up_of(creature))
        found = find_footholds(creature, landing, self.own)
        if not is_enough(creature, found, SHARES):
            self.creature.gait.rest = FOLDS
            return self._refuse(STANDS, NO_FOOTHOLDS)
        room, _ = self._room()
        self._sit(room)
        return True

    def _room(self) -> tuple[float, int]:
        """Room below the trunk where it stands [m], and how many rays found ground."""
        creature, segments = self.creature, self.plan.segments
        count = SPOTS * len(segments)
        starts, ends = np.empty((count, 3)), np.empty((count, 3))
        probe_belly(creature, segments, vec(self.flight.rest), starts, ends)
        hits = cast_still(starts, ends)
        depths = np.ones(count)
        for k in np.flatnonzero(hits.is_hit).tolist():
            long = distance(vec(starts[k]), vec(ends[k]))
            depths[k] = distance(vec(starts[k]), vec(hits.points[k])) / long
        return room_under(creature, segments, depths)

    def _refuse(self, what: int, why: int) -> bool:
        """Say why it cannot fold, or stand; what it does instead goes on."""
        flight = self.flight
        flight.asked, flight.refusal, flight.asked_tick = what, why, tick_now()
        if self.creature.gait.rest == FOLDS and self.flight.stage != FOLDED:
            self.creature.gait.rest = SITS
        return False
