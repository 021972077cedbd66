"""Who climbs keeps out of walls beside it, and trusts no ray that begins in one."""

from itertools import islice

import numpy as np
import pytest

from creature_sim.components import HitRecord, zeros
from creature_sim.lab.course import Course, Trial
from creature_sim.library.loader import load_creature
from creature_sim.locomotion.bends import OVER, is_buried
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.reach import hip_of
from creature_sim.locomotion.slots import bend_slot
from creature_sim.maths import add, put, quat, rotate, scale, vec
from creature_sim.maths.geometry import rotation_matrices
from creature_sim.simulation import Simulation
from tests.scenes import walk


@pytest.mark.slow
@pytest.mark.parametrize("name", ["hexapod", "spider8"])
def test_wanderers_get_on_in_a_corridor_as_high_as_they_are_and_turn_into_no_wall(
    name: str,
) -> None:
    """For 30 s; a hexapod that did not keep off was stuck in one after five."""
    creature = load_creature(name).climbing
    world = Course.of(creature).world(creature, Trial("corridor", 0.5, 0))
    states = walk(world.model_copy(update={"driver": "wander"}), 1800)
    tracks = [
        (np.array(one.position), rotation_matrices(np.array(one.orientation)), one.plan.legs)
        for one in (state.creatures[0] for state in islice(states, 0, None, 10))
    ]
    half = 0.5 * float(world.terrain.model_dump()["width"])
    for position, turn, legs in tracks:
        if abs(position[0]) < 11.0:  # it is 23 m long
            assert np.abs((position + legs["mount"] @ turn.T)[:, 1]).max() < half
    way = np.array([position for position, _, _ in tracks])
    assert np.linalg.norm(np.diff(way[:, :2], axis=0), axis=1).sum() > 6.0


def test_hips_in_rock_are_known_by_the_wall_before_them() -> None:
    """A wall between the middle of the body and a hip, not one beyond it."""
    creature = load_creature("hexapod").climbing
    with Simulation(Course.of(creature).world(creature, Trial("corridor", 0.5, 0))) as simulation:
        state = simulation.snapshot.creatures[0]
    plan = state.plan
    made = Creature(
        plan.body[0], plan.legs, state.segments, state.gait, state.feet, state.footholds
    )
    hits = zeros(HitRecord, 200)
    for i, leg in enumerate(plan.legs):
        body = state.segments[leg.segment]
        hip = hip_of(vec(body.position), quat(body.orientation), leg)
        aside = rotate(quat(body.orientation), (0.0, float(leg.side), 0.0))
        wall = hits[bend_slot(1, len(plan.legs), i) + OVER]
        assert not is_buried(made, i, hits)
        wall.is_hit = 1
        put(wall.normal, scale(aside, -1.0))
        for beyond in (-0.05, 0.05):
            put(wall.point, add(hip, scale(aside, beyond)))
            assert is_buried(made, i, hits) == (beyond < 0.0)
