"""Who climbs keeps out of walls beside it, and trusts no ray that begins in one."""

from itertools import islice, product

import numpy as np
import pytest

from creature_sim.components import BodyRecord, GaitRecord, HitRecord, zeros
from creature_sim.lab.course import Course, Trial
from creature_sim.library.loader import load_creature
from creature_sim.locomotion.bends import OVER, is_buried
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.flanks import (
    ALONG_AT,
    APART,
    keep_off_wall,
    side_of_turn,
    turn_along,
)
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
    """For 30 s; a hexapod that did not keep off was stuck in one after five.

    Knees were in the walls half of the time, when nobody asked where they bend.
    """
    creature = load_creature(name).climbing
    world = Course.of(creature).world(creature, Trial("corridor", 0.5, 0))
    states = walk(world.model_copy(update={"driver": "wander"}), 1800)
    tracks = [
        (np.array(one.position), rotation_matrices(np.array(one.orientation)), one)
        for one in (state.creatures[0] for state in islice(states, 0, None, 10))
    ]
    half = 0.5 * float(world.terrain.model_dump()["width"])
    in_wall = []
    for position, turn, one in tracks:
        if abs(position[0]) < 11.0:  # it is 23 m long
            assert np.abs((position + one.plan.legs["mount"] @ turn.T)[:, 1]).max() < half
            in_wall.append(np.abs(np.array(one.joints)[..., 1]).max() > half + 0.01)
    assert np.mean(in_wall) < 0.2
    way = np.array([position for position, _, _ in tracks])
    assert np.linalg.norm(np.diff(way[:, :2], axis=0), axis=1).sum() > 6.0


@pytest.fixture
def in_corridor() -> Creature:
    """A hexapod that climbs, in a corridor, told to go straight on."""
    creature = load_creature("hexapod").climbing
    with Simulation(Course.of(creature).world(creature, Trial("corridor", 0.5, 0))) as simulation:
        state = simulation.snapshot.creatures[0]
    trunk, gaits = zeros(BodyRecord, len(state.segments)), zeros(GaitRecord, 1)
    trunk[:], gaits[0] = state.segments, state.gait
    plan = state.plan
    made = Creature(plan.body[0], plan.legs, trunk, gaits[0], state.feet, state.footholds)
    put(made.gait.commanded_velocity, (0.5, 0.0, 0.0))
    made.gait.commanded_pace = 0.5
    return made


@pytest.mark.parametrize("y", [-0.4, 0.4])
def test_who_goes_at_a_wall_turns_the_nearer_way_along_it(in_corridor: Creature, y: float) -> None:
    wall, body = zeros(HitRecord, 1)[0], in_corridor.trunk[0]
    for x, turns in ((-0.9, True), (0.9, False)):
        wall.is_hit, body.yaw_rate = 1, 0.0
        put(wall.normal, rotate(quat(body.orientation), (x, y, 0.0)))
        for _ in range(60):
            turn_along(in_corridor, 0, wall, side_of_turn(in_corridor, 0, wall), 1.0 / 60.0)
        assert body.yaw_rate == pytest.approx(np.sign(y) * 0.9 * ALONG_AT if turns else 0.0)


def test_who_goes_at_a_wall_turns_along_it_as_it_is_told_to_turn(in_corridor: Creature) -> None:
    """It stood there, told to turn one way and turned the other one."""
    wall, body = zeros(HitRecord, 1)[0], in_corridor.trunk[0]
    for y, told in product((-0.4, 0.4), (-0.5, 0.5)):
        wall.is_hit, body.yaw_rate, in_corridor.gait.turning = 1, 0.0, told
        put(wall.normal, rotate(quat(body.orientation), (-0.9, y, 0.0)))
        turn_along(in_corridor, 0, wall, side_of_turn(in_corridor, 0, wall), 1.0 / 60.0)
        assert body.yaw_rate * told > 0.0


def test_a_body_goes_aside_where_a_hip_would_turn_into_a_wall(in_corridor: Creature) -> None:
    """It could not turn before a wall that it faced."""
    wall, body = zeros(HitRecord, 1)[0], in_corridor.trunk[0]
    leg, aside = in_corridor.legs[0], rotate(quat(body.orientation), (0.0, 1.0, 0.0))
    home = np.hypot(leg.home[0] - leg.mount[0], leg.home[1] - leg.mount[1])
    hip = hip_of(vec(body.position), quat(body.orientation), leg)
    put(wall.normal, scale(aside, -1.0))
    put(wall.point, add(hip, scale(aside, APART * home)))
    put(body.velocity, (0.0, 0.0, 0.0))
    body.yaw_rate = told = 0.1 * np.sign(leg.mount[0])
    assert keep_off_wall(in_corridor, leg, wall, 0.0)
    assert body.yaw_rate == pytest.approx(told)
    assert body.velocity[1] == pytest.approx(-told * leg.mount[0])


def test_a_hip_that_is_too_near_to_a_wall_leaves_it(in_corridor: Creature) -> None:
    """The body goes away from it, and turns so that this hip does; farther off nothing happens."""
    wall, body = zeros(HitRecord, 1)[0], in_corridor.trunk[0]
    leg, aside = in_corridor.legs[0], rotate(quat(body.orientation), (0.0, 1.0, 0.0))
    hip = hip_of(vec(body.position), quat(body.orientation), leg)
    put(wall.normal, scale(aside, -1.0))
    for gap, leaves in ((0.05, True), (2.0, False)):
        put(wall.point, add(hip, scale(aside, gap)))
        put(body.velocity, (0.0, 0.0, 0.0))
        body.yaw_rate = 0.0
        assert keep_off_wall(in_corridor, leg, wall, 0.0) == leaves
        speed = body.velocity[1] + body.yaw_rate * leg.mount[0]
        assert (speed < -0.01) == leaves
        assert (body.velocity[1] < 0.0) == (body.yaw_rate * leg.mount[0] < 0.0) == leaves


@pytest.mark.parametrize("side", [-1.0, 0.0, 1.0])
def test_a_hip_that_is_too_near_turns_no_body_back(in_corridor: Creature, side: float) -> None:
    """With the stick held at a wall it turned to and fro five times a second."""
    wall, body = zeros(HitRecord, 1)[0], in_corridor.trunk[0]
    leg, aside = in_corridor.legs[0], rotate(quat(body.orientation), (0.0, 1.0, 0.0))
    hip = hip_of(vec(body.position), quat(body.orientation), leg)
    put(wall.normal, scale(aside, -1.0))
    put(wall.point, add(hip, scale(aside, 0.05)))
    put(body.velocity, (0.0, 0.0, 0.0))
    body.yaw_rate = 0.0
    assert keep_off_wall(in_corridor, leg, wall, side)
    assert body.velocity[1] < 0.0
    assert body.yaw_rate * side >= 0.0
    away = -np.sign(leg.mount[0])  # so its hip would turn away
    assert (body.yaw_rate * away > 0.0) == (side != -away)


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
