"""Bodies come softly to a stand before a planted leg is at its limit."""

import pytest

from creature_sim.components import FLYING, GravityRecord, SuspensionRecord, zeros
from creature_sim.inputs import Input
from creature_sim.locomotion.clearance import LEAST_GAP, gap_at
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.hanging import held_back
from creature_sim.locomotion.posture import SHIFT_STIFFNESS
from creature_sim.locomotion.reach import FULL_STRETCH, hip_of, reach_in_world
from creature_sim.locomotion.stopping import SOFTLY, walk_left
from creature_sim.locomotion.suspension import gained
from creature_sim.locomotion.sway import JOLT, fallen
from creature_sim.maths import Z, add, along, distance, norm, put, quat, rotate, scale, vec
from creature_sim.score import Walk, tracks
from creature_sim.score.halts import sudden_stops
from creature_sim.simulation import Simulation
from tests.climbers import changeable
from tests.scenes import scene, walk

DT = 1.0 / 60.0


@pytest.mark.parametrize("creature", ["hexapod", "spider4", "crab"])
@pytest.mark.parametrize("direction", [(1.0, 0.0), (0.0, 1.0), (-0.6, 0.8)])
def test_a_body_whose_feet_stay_slows_down_evenly(
    creature: str, direction: tuple[float, float]
) -> None:
    made, gravity = standing(creature), earth()
    body, acceleration = made.trunk[0], float(made.plan.acceleration)
    put(body.velocity, (0.5 * direction[0], 0.5 * direction[1], 0.0))
    for _ in range(120):
        left = walk_left(made, gravity, 0, DT)
        velocity = scale(vec(body.velocity), left)
        assert (1.0 - left) * norm(vec(body.velocity)) <= 2.0 * SOFTLY * acceleration * DT
        put(body.velocity, velocity)
        moved = rotate(quat(body.orientation), scale(velocity, DT))
        put(body.position, add(vec(body.position), moved))
    assert norm(vec(body.velocity)) < 0.02
    for leg, foot in zip(made.legs, made.feet, strict=True):
        place = vec(body.position), quat(body.orientation)
        assert reach_in_world(*place, leg, vec(foot.position))[1] <= FULL_STRETCH + 1e-9


def test_a_body_slows_down_softly_before_its_legs_meet() -> None:
    made, gravity = standing("crab"), earth()
    body, acceleration = made.trunk[0], float(made.plan.acceleration)
    at, facing = vec(body.position), quat(body.orientation)
    for leg, ahead in ((4, -0.07), (6, 0.07)):  # towards each other
        there = add(vec(made.feet[leg].position), rotate(facing, (ahead, 0.0, 0.0)))
        put(made.feet[leg].position, there)
        put(made.feet[leg].goal, there)
    between = gap_at(made, 4, 6, vec(made.feet[4].position))
    put(body.velocity, (0.0, 0.5 * made.legs[4].out[1], 0.0))
    for _ in range(120):
        left = walk_left(made, gravity, 0, DT)
        assert (1.0 - left) * norm(vec(body.velocity)) <= 2.0 * SOFTLY * acceleration * DT
        velocity = scale(vec(body.velocity), left)
        put(body.velocity, velocity)
        put(body.position, add(vec(body.position), rotate(facing, scale(velocity, DT))))
    reach = made.legs[4].reach
    gap = gap_at(made, 4, 6, vec(made.feet[4].position))
    assert norm(vec(body.velocity)) < 0.02
    assert distance(vec(body.position), at) > 0.04
    assert LEAST_GAP * reach < gap < 0.01 * reach < between


@pytest.mark.parametrize(("told", "swings_on"), [(-1.6, True), (1.6, False)])
def test_who_is_held_by_its_legs_does_not_swing_on_as_who_stops(
    told: float, swings_on: bool
) -> None:
    made = standing("hexapod")
    hung = zeros(SuspensionRecord, 1)[0]
    put(hung.force, (0.0, 0.0, 1.0))
    put(hung.velocity, (0.4, 0.0, 0.0))
    put(made.gait.acceleration, (told, 0.0, 0.0))
    put(made.trunk[0].velocity, (0.4 - 1.6 * DT, 0.0, 0.0))
    made.trunk[0].yaw_rate = 0.0
    gain = gained(made, hung, made.trunk[0], 9.81, DT)
    assert gain == pytest.approx((-1.6 if swings_on else 0.0, 0.0, 0.0), abs=1e-9)
    put(made.trunk[0].velocity, (0.0, 0.0, 0.0))  # all at once: it swings on all the same
    assert gained(made, hung, made.trunk[0], 9.81, DT)[0] < -9.0


def test_who_sways_makes_good_what_it_missed_without_a_jolt() -> None:
    made, gravity = standing("spider4"), earth()
    put(made.gait.shift, (0.0, 0.1, 0.0))
    aside = rotate(quat(made.trunk[0].orientation), (0.0, 0.1, 0.0))
    put(made.trunk[0].position, add(vec(made.trunk[0].position), aside))
    _, rate, _ = fallen(made, gravity, DT, SHIFT_STIFFNESS)
    most = JOLT * gravity.acceleration * DT
    assert -most <= rate[1] < -0.5 * most


def test_a_foot_that_lifts_and_folds_its_leg_does_not_hold_its_body_back() -> None:
    made = standing("spider4")
    leg, orientation = made.legs[0], quat(made.trunk[0].orientation)
    hip = hip_of(vec(made.trunk[0].position), orientation, leg)
    out = rotate(orientation, (float(leg.out[0]), float(leg.out[1]), 0.0))
    folded = along(along(hip, out, leg.coxa + 0.1 * leg.arm), Z, -0.2 * leg.arm - leg.ankle)
    put(made.feet[0].position, folded)
    put(made.feet[0].goal, vec(made.feet[0].position))
    nearer = made.trunk["position"] - (0.0, 0.0, 0.01)
    assert held_back(made, nearer, made.trunk["orientation"], False) == 0
    made.feet[0].phase, made.feet[0].load = FLYING, 1.0
    assert held_back(made, nearer, made.trunk["orientation"], False) < 0


def earth() -> GravityRecord:
    """The field of gravity on a floor."""
    gravity = zeros(GravityRecord, 1)[0]
    gravity.acceleration = 9.81
    return gravity


def standing(creature: str) -> Creature:
    """A creature at rest."""
    with Simulation(scene("meadow", creature)) as simulation:
        simulation.step(Input.of([(0.0,) * 4]))
        return changeable(simulation.snapshot.creatures[0])


@pytest.mark.slow
@pytest.mark.parametrize("creature", ["spider4", "spider8", "ant", "hexapod"])
def test_who_wanders_on_a_meadow_never_stops_as_on_a_leash(creature: str) -> None:
    (track,) = tracks(walk(scene("meadow", creature), 2400), 60)
    metric = sudden_stops(Walk(track))
    assert metric.verdict != "fail", metric.reason
