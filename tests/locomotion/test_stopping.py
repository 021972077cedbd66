"""Bodies come softly to a stand before a planted leg is at its limit."""

import pytest

from creature_sim.inputs import Input
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.reach import FULL_STRETCH, reach_in_world
from creature_sim.locomotion.stopping import SOFTLY, stop_left
from creature_sim.maths import add, norm, put, quat, rotate, scale, vec
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
    made = standing(creature)
    body, acceleration = made.trunk[0], float(made.plan.acceleration)
    put(body.velocity, (0.5 * direction[0], 0.5 * direction[1], 0.0))
    for _ in range(120):
        left = stop_left(made, 0, (0.0, 0.0, 0.0), DT)
        velocity = scale(vec(body.velocity), left)
        assert (1.0 - left) * norm(vec(body.velocity)) <= 2.0 * SOFTLY * acceleration * DT
        put(body.velocity, velocity)
        moved = rotate(quat(body.orientation), scale(velocity, DT))
        put(body.position, add(vec(body.position), moved))
    assert norm(vec(body.velocity)) < 0.02
    for leg, foot in zip(made.legs, made.feet, strict=True):
        place = vec(body.position), quat(body.orientation)
        assert reach_in_world(*place, leg, vec(foot.position))[1] <= FULL_STRETCH + 1e-9


def standing(creature: str) -> Creature:
    """A creature at rest."""
    with Simulation(scene("meadow", creature)) as simulation:
        simulation.step(Input.of([(0.0,) * 4]))
        return changeable(simulation.snapshot.creatures[0])


@pytest.mark.slow
@pytest.mark.parametrize("creature", ["spider8", "ant", "hexapod"])
def test_who_wanders_on_a_meadow_never_stops_as_on_a_leash(creature: str) -> None:
    (track,) = tracks(walk(scene("meadow", creature), 2400), 60)
    metric = sudden_stops(Walk(track))
    assert metric.verdict != "fail", metric.reason
