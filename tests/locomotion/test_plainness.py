"""On plain ground few rays suffice, and anything else is looked at with all of them at once."""

from math import cos, sin

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from creature_sim.components import (
    FLYING,
    GROUND,
    HELD_BY_GROUND,
    LIFTING,
    STANDING,
    HitRecord,
    PropRecord,
    SolidRecord,
    zeros,
)
from creature_sim.definitions import PropDef
from creature_sim.library.loader import load_creature
from creature_sim.locomotion.bumps import CLEARANCE, apex_over
from creature_sim.locomotion.foot_probes import (
    LOOK_EVERY,
    LOOKING,
    PLAIN_EVERY,
    probe_arc,
    probe_foothold,
    probe_ring,
)
from creature_sim.locomotion.plainness import (
    FLAT,
    KNOWN,
    fits,
    is_near_props,
    note_ground,
    walks_on_plain,
)
from creature_sim.locomotion.rays import Rays
from creature_sim.locomotion.search import EDGE
from creature_sim.locomotion.slots import (
    ARC_RAYS,
    RING,
    ahead_slot,
    arc_slot,
    foothold_slot,
    ring_slot,
)
from creature_sim.maths import put
from creature_sim.simulation import Simulation
from creature_sim.spawn.plans import plan_of
from tests.locomotion.test_footholds import DT, Standing
from tests.scenes import scene

LEG, UP = 2, (0.0, 0.0, 1.0)
SURE = round(KNOWN / DT) + 1
"""Ticks after which a creature knows that it walks on plain ground."""


def hit_at(point: tuple[float, float, float], normal: tuple[float, float, float]) -> HitRecord:
    hit = zeros(HitRecord, 1)[0]
    hit.is_hit, hit.prop = 1, GROUND
    put(hit.point, point)
    put(hit.normal, normal)
    return hit


@pytest.mark.slow
@given(st.floats(-0.4, 0.4), st.floats(-0.35, 0.35))
def test_even_curves_are_plain_however_high_they_rise(angle: float, slope: float) -> None:
    here, there = ((sin(a), 0.0, cos(a)) for a in (slope, slope + angle))  # on a round hill
    leg = plan_of(load_creature("hexapod")).legs[LEG]
    assert fits(leg, hit_at(there, there), here, here)


@pytest.mark.slow
@given(st.floats(-1.0, 1.0), st.floats(-0.3, 0.3), st.floats(-0.3, 0.3))
def test_steps_that_count_as_edges_are_not_however_low(rise: float, x: float, y: float) -> None:
    leg = plan_of(load_creature("hexapod")).legs[LEG]
    found = fits(leg, hit_at((x, y, rise), UP), (0.0, 0.0, 0.0), UP)
    if abs(rise) >= EDGE * leg.reach:
        assert not found
    elif abs(rise) < 0.99 * FLAT * leg.reach:
        assert found


def test_walls_props_and_holes_are_not() -> None:
    leg, goal = plan_of(load_creature("hexapod")).legs[LEG], (0.3, 0.2, 0.1)
    assert fits(leg, hit_at(goal, UP), goal, UP)
    assert not fits(leg, hit_at(goal, (1.0, 0.0, 0.0)), goal, UP)
    for field, value in (("prop", 0), ("is_hit", 0)):
        hit = hit_at(goal, UP)
        setattr(hit, field, value)
        assert not fits(leg, hit, goal, UP)


class Walking(Standing):
    """A hexapod on level ground that notes what its rays have found."""

    def __init__(self) -> None:
        super().__init__()
        self.feet["prop"] = GROUND
        self.room = np.full((1, 1), np.inf)
        self.solids, self.props = zeros(SolidRecord, 1), zeros(PropRecord, 1)
        put(self.props[0].position, (50.0, 0.0, 0.0))
        self.solids[0].bound = 0.5
        self.ground[:] = hit_at((0.0, 0.0, 0.0), (0.0, 0.0, 1.0))
        first = ahead_slot(1, len(self.plan.legs), 0)
        shape = self.ground.shape[1]
        self.room_for_rays = np.zeros((shape, 3)), np.zeros((shape, 3)), np.zeros(shape, np.int64)
        self.ground["is_hit"][0, first:] = 0
        for leg in range(len(self.plan.legs)):
            self.is_active[0, foothold_slot(1, leg)] = 1
            put(self.feet[0, leg].goal, (0.1, 0.1, 0.0))

    def looks(self, ticks: int) -> NDArray[np.bool_]:
        """Which rays of LEG are cast at its aim, around it and along its arc in every tick."""
        rays, legs, rows = Rays(*self.room_for_rays), len(self.plan.legs), []
        whole = (foothold_slot(1, LEG), 1), (ring_slot(1, legs, LEG), len(RING))
        for _ in range(ticks):
            self.gaits[0].age += 1
            probe_foothold(self.creature, rays, LEG, DT)
            probe_ring(self.creature, rays, LEG, DT)
            probe_arc(self.creature, rays, LEG)
            slots = (*whole, (arc_slot(1, legs, LEG), ARC_RAYS))
            rows.append(np.concatenate([rays.is_active[a : a + count] for a, count in slots]) != 0)
        return np.array(rows, np.bool_)

    def fly(self, phase: int) -> None:
        """Let LEG be in the air, and its body know that the ground is plain."""
        foot, foothold = self.feet[0, LEG], self.footholds[0, LEG]
        self.gaits[0].plain, foot.phase = KNOWN, phase
        put(foot.track, (-0.2, 0.1, 0.0))
        put(foot.goal, (0.1, 0.1, 0.0))
        put(foothold.aim, (0.1, 0.1, 0.0))
        foothold.clear = 1.0

    def note(self, ticks: int = 1) -> bool:
        for _ in range(ticks):
            note_ground(
                self.plan.body, self.plan.legs, self.bodies, self.gaits, self.feet, self.footholds,
                self.ground, self.is_active, self.room, self.solids, self.props, DT,
            )  # fmt: skip
        return bool(walks_on_plain(self.gaits[0]))


def test_ground_is_plain_once_nothing_else_was_found_for_a_while() -> None:
    walking = Walking()
    assert not walking.note(SURE // 2)
    assert walking.note(SURE)


@pytest.mark.slow
@pytest.mark.parametrize(
    "event", ["edge", "wall", "prop near", "on a prop", "roof", "run", "leap", "held", "lost"]
)
def test_anything_else_ends_that_at_once(event: str) -> None:
    walking = Walking()
    gait, legs = walking.gaits[0], len(walking.plan.legs)
    assert walking.note(SURE)
    if event == "edge":
        walking.ground[0, foothold_slot(1, LEG)].point[2] = 0.1
    elif event == "wall":
        walking.ground[0, ahead_slot(1, legs, 0)].is_hit = 1
    elif event == "prop near":
        put(walking.props[0].position, (1.0, 0.0, 0.0))
    elif event == "on a prop":
        walking.feet[0, LEG].prop = 0
    elif event == "roof":
        walking.room[0, 0] = 0.3
    elif event == "run":
        gait.run = 1
    elif event == "leap":
        gait.flight = 1
    elif event == "held":
        gait.is_held = HELD_BY_GROUND
    else:
        gait.lost_count = 1
    assert not walking.note()


def test_a_foot_that_lifts_looks_at_all_of_its_way_and_then_at_one_place_in_turn() -> None:
    walking = Walking()
    walking.fly(LIFTING)
    assert walking.looks(1).all()
    walking.fly(FLYING)
    looks = walking.looks(len(RING) * PLAIN_EVERY)
    aim, ring, arc = looks[:, 0], looks[:, 1 : 1 + len(RING)], looks[:, 1 + len(RING) :]
    assert aim.sum() == len(RING)
    for places in (ring, arc):
        assert (places.sum(axis=0) == 1).all()  # each of them once
        assert (places.sum(axis=1) == aim).all()  # and one at a time


def test_what_is_not_plain_any_more_is_looked_at_as_a_whole() -> None:
    walking = Walking()
    walking.fly(FLYING)
    walking.gaits[0].plain = 0.0
    looks = walking.looks(LOOK_EVERY)
    assert looks.any(axis=0).all()
    assert looks[:, 1 + len(RING) :].all()  # along the arc in every tick


def test_a_foot_that_stands_waits_for_its_turn_where_nothing_is_in_its_way() -> None:
    walking = Walking()
    walking.fly(STANDING)
    walking.feet[0, LEG].urgency = LOOKING + 0.1
    assert walking.looks(PLAIN_EVERY)[:, 0].sum() == 1
    walking.footholds[0, LEG].clear = 0.5
    assert walking.looks(PLAIN_EVERY)[:, 0].sum() == PLAIN_EVERY // LOOK_EVERY
    walking.gaits[0].plain = 0.0
    assert walking.looks(PLAIN_EVERY)[:, 0].all()


def test_rays_that_were_not_cast_raise_no_arc() -> None:
    walking = Walking()
    walking.fly(FLYING)
    foot, hits = walking.feet[0, LEG], walking.ground[0, :ARC_RAYS]
    for k in range(ARC_RAYS):
        put(hits[k].point, (-0.1, 0.1, 0.3))
    apex = {
        count: apex_over(
            walking.plan.body[0], foot, UP, hits,
            (np.arange(ARC_RAYS) < count).astype(np.int64), CLEARANCE, 0,
        )
        for count in (0, 1)
    }  # fmt: skip
    assert apex[0] < 2.0 * walking.plan.body[0].step_height < apex[1]


def test_props_are_near_where_rays_may_reach_them() -> None:
    walking = Walking()
    near = [
        x for x in np.arange(0.0, 20.0, 0.1)
        if put(walking.props[0].position, (x, 0.0, 0.0))
        or is_near_props(walking.creature, walking.solids, walking.props)
    ]  # fmt: skip
    assert max(near) > 0.5 + 2.0 * max(walking.plan.legs["reach"])
    assert len(near) == round(max(near) / 0.1) + 1


def rays_per_leg(world: str, creature: str) -> float:
    """Rays a leg and tick of a creature that has found out where it walks."""
    with Simulation(scene(world, creature)) as simulation:
        for _ in range(2 * SURE):
            simulation.step()
        before = simulation.physics.ray_count
        for _ in range(300):
            simulation.step()
        legs = len(simulation.snapshot.creatures[0].plan.legs)
        return (simulation.physics.ray_count - before) / 300 / legs


@pytest.mark.slow
@pytest.mark.parametrize(("creature", "most"), [("hexapod", 0.9), ("spider8", 1.2)])
def test_few_rays_suffice_on_hills_and_all_are_cast_on_stairs(creature: str, most: float) -> None:
    assert rays_per_leg("hills", creature) <= most
    assert rays_per_leg("stairs", creature) > 3.0


def test_a_prop_that_comes_its_way_is_looked_at_with_all_rays() -> None:
    plank = PropDef(
        shape="box",
        size=(0.6, 5.0, 0.1),
        motion="kinematic",
        waypoints=((4.0, 5.0, 0.12), (4.0, 0.0, 0.12)),
        period=8.0,
    )
    world = scene("meadow", "hexapod", driver="forward 15", props=(plank,))
    plain, rays = [], []
    with Simulation(world) as simulation:
        for _ in range(900):
            before = simulation.physics.ray_count
            simulation.step()
            rays.append(simulation.physics.ray_count - before)
            creature = simulation.snapshot.creatures[0]
            plain.append(creature.gait["plain"] >= KNOWN)
            steps_on_it = (creature.feet["prop"] == 0).any()
            if steps_on_it:
                break
    assert any(plain)
    assert steps_on_it
    assert not plain[-1]
    last = len(plain) - 1 - plain[::-1].index(True)
    assert len(plain) - last > 10  # it knew long before
    assert np.mean(rays[last + 2 :]) > 2.0 * np.mean(np.array(rays)[: last + 1][plain[: last + 1]])


def test_what_it_knows_of_the_ground_is_restored() -> None:
    world = scene("hills", "hexapod")
    with Simulation(world) as simulation:
        for _ in range(SURE + 30):
            simulation.step()
        kept = simulation.snapshot
        assert kept.creatures[0].gait["plain"] >= KNOWN
        for _ in range(60):
            simulation.step()
        expected = simulation.digest
        simulation.restore(kept)
        for _ in range(60):
            simulation.step()
        assert simulation.digest == expected
    with Simulation(world) as other:
        other.restore(kept)
        for _ in range(60):
            other.step()
        assert other.digest == expected
