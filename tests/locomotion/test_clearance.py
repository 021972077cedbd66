"""Legs keep out of each other's way, whoever throws the sticks about."""

from itertools import pairwise

import numpy as np
import pytest

from creature_sim.components import LOST
from creature_sim.library.loader import builtin_names, load_creature, load_world
from creature_sim.library.variants import with_creature
from creature_sim.locomotion.clearance import TOUCHDOWN_GAP, gap_at, partner
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.landing import keeps_off
from creature_sim.maths import quat, rotate, vec
from creature_sim.score import tracks
from creature_sim.score.overlap import body_depths, leg_depths
from creature_sim.simulation import Simulation
from creature_sim.snapshots.snapshot import CreatureState, Snapshot
from creature_sim.spawn.plans import plan_of
from tests.climbers import changeable
from tests.scenes import scene, thrown_about

CASES = [
    ("crab", "steps", "random"),
    ("crab", "hills", "strafe"),
    ("ant", "stairs", "spin"),
    ("centipede", "stairs", "spin"),
]


def gaps(state: CreatureState) -> dict[tuple[int, int], float]:
    """Gaps of all pairs of legs that may meet, from above [m]."""
    plan = state.plan
    creature = Creature(
        plan.body[0], plan.legs, state.segments, state.gait, state.feet, state.footholds
    )
    found = {}
    for i in range(len(plan.legs)):
        for k in range(len(plan.legs[i].meets)):
            other = partner(creature, i, k)
            if other > i and state.feet[i].phase != LOST:
                found[i, other] = gap_at(creature, i, other, vec(state.feet[i].position))
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("creature", "world", "sticks"), CASES)
def test_legs_never_meet_each_other_nor_the_body(creature: str, world: str, sticks: str) -> None:
    """Bars as thick as they are drawn stay less than 2 mm in one another, in every tick."""
    (track,) = tracks(thrown_about(scene(world, creature), sticks, 480), 60)
    assert np.diff(track.is_swinging.astype(int), axis=0).clip(0).sum() > 20  # it walks
    assert leg_depths(track).max() < 0.002
    assert body_depths(track).max() < 0.002


@pytest.mark.slow
@pytest.mark.parametrize(("creature", "world", "sticks"), CASES[:3])
def test_no_tick_brings_legs_nearer_that_are_too_near(
    creature: str, world: str, sticks: str
) -> None:
    """Of one segment: seen from above they keep their least gap, or what there is of it.

    As they are planned: what weighs on them moves them by a millimetre more.
    """
    plan = load_creature(creature)
    plan = plan.model_copy(update={"motion": plan.motion.model_copy(update={"weight": 0.0})})
    made = with_creature(load_world(world), plan)
    states: list[Snapshot] = list(thrown_about(made, sticks, 300))
    least = TOUCHDOWN_GAP * min(leg.reach for leg in load_creature(creature).all_legs)
    for before, after in pairwise(gaps(state.creatures[0]) for state in states):
        for pair, gap in after.items():
            assert gap >= min(least, before[pair]) - 1e-9


def test_legs_that_lean_to_one_side_do_not_hold_their_body_back() -> None:
    """As below a body that is upright on a slope: from above each foot is below the other hip."""
    with Simulation(scene("meadow", "biped")) as simulation:
        made = changeable(simulation.snapshot.creatures[0])
    before = gap_at(made, 0, 1, vec(made.feet[0].position))
    made.feet["position"] += rotate(quat(made.trunk[0].orientation), (0.0, -0.3, 0.0))
    assert gap_at(made, 0, 1, vec(made.feet[0].position)) > 0.85 * before


@pytest.mark.slow
@pytest.mark.parametrize("name", builtin_names("creature"))
def test_only_legs_that_may_touch_are_looked_at(name: str) -> None:
    """Each pair is on both lists; mirrored legs have mirrored lists."""
    legs = plan_of(load_creature(name)).legs
    lists = [{int(k) for k in leg.meets if k >= 0} for leg in legs]
    for i, meets in enumerate(lists):
        assert i not in meets
        assert all(i in lists[other] for other in meets)
        if name != "biped":  # its two legs stand near to each other
            assert all(legs[other].side == legs[i].side for other in meets)


def test_neighbours_are_on_the_list() -> None:
    """Those before and behind on the same side of a crab."""
    legs = plan_of(load_creature("crab")).legs
    for i in range(2, 6):
        assert {i - 2, i + 2} <= {int(k) for k in legs[i].meets}


def test_hips_turn_no_farther_than_the_body_lets_their_arms_pass() -> None:
    """The front legs of an ant turn in less than its file says, and out as far."""
    legs = plan_of(load_creature("ant")).legs
    assert -0.9 < legs[0].yaw_lo < 0.0
    assert legs[0].yaw_hi == pytest.approx(1.05)
    assert legs[1].yaw_hi == pytest.approx(-legs[0].yaw_lo)


@pytest.mark.slow
def test_a_leg_knows_the_foot_that_waits_for_it_to_go() -> None:
    with Simulation(scene("meadow", "millipede")) as simulation:
        state = simulation.snapshot.creatures[0]
    feet, plan = state.feet.copy(), state.plan
    creature = Creature(plan.body[0], plan.legs, state.segments, state.gait, feet, state.footholds)
    assert not keeps_off(creature, 16, 18)
    feet[18].goal = feet[16].position
    assert keeps_off(creature, 16, 18)
    assert not keeps_off(creature, 14, 18)
