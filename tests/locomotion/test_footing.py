"""What feet of who climbs say to its body, and where a foot goes that holds its body back."""

import numpy as np
import pytest
from numpy.typing import NDArray

from creature_sim.components import (
    FLYING,
    LOST,
    STANDING,
    FootRecord,
    GaitRecord,
    HitRecord,
    zeros,
)
from creature_sim.locomotion.braking import NUDGE, margin_of, reach_left, slide
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.footing import (
    ASIDE,
    BESIDE,
    COMES_AT,
    COMES_IN,
    TURNED,
    come_over_feet,
    leave_edge,
    near_feet,
)
from creature_sim.locomotion.landing import is_free
from creature_sim.locomotion.prediction import hardly_moves
from creature_sim.locomotion.reach import (
    FULL_STRETCH,
    hip_of,
    loses_reach,
    reach_in_world,
    reach_to,
)
from creature_sim.locomotion.search import GROPES, PRESSING
from creature_sim.locomotion.seeking import Outlook, judge_elsewhere
from creature_sim.maths import Vec, Z, add, along, mix, put, quat, rotate, scale, sub, unrotate, vec
from tests.climbers import standing


def leaning(angle: float) -> Vec:
    """An up at an angle to that of a floor [rad]."""
    return (float(np.sin(angle)), 0.0, float(np.cos(angle)))


@pytest.mark.parametrize("angle", [0.0, 0.5, 0.9, 1.2, 2.0, 3.0])
def test_a_body_turns_no_farther_than_its_feet_have_got(angle: float) -> None:
    """On plates that are thinner than a body it had turned by 65 degrees beside them."""
    feet = zeros(FootRecord, 6)
    for foot in feet:
        put(foot.goal_normal, Z)
    feet[1].phase, feet[4].phase = FLYING, LOST
    put(feet[1].goal_normal, (1.0, 0.0, 0.0))  # those in the air say nothing
    up = near_feet(feet, leaning(angle))
    assert up == pytest.approx(leaning(min(angle, float(np.arccos(TURNED)))), abs=1e-9)


def test_feet_on_both_sides_of_a_plate_let_a_body_turn_either_way() -> None:
    feet = zeros(FootRecord, 6)
    for i, foot in enumerate(feet):
        put(foot.goal_normal, (0.0, 0.0, 1.0 if i % 2 else -1.0))
    for angle in (0.0, 1.5, 3.0):
        assert near_feet(feet, leaning(angle)) == leaning(angle)


@pytest.mark.parametrize("side", [-1, 1])
def test_a_body_goes_away_from_where_the_feet_of_one_side_reach_nothing(side: int) -> None:
    """An ant walked along a shelf on the feet of one side, those of the other one in the air."""
    creature, _ = standing()
    put(creature.trunk[0].velocity, (0.3, 0.0, 0.0))
    creature.gait.commanded_pace = 0.5
    hanging = [i for i, leg in enumerate(creature.legs) if leg.side == side]
    for i in hanging:
        creature.feet[i].phase, creature.footholds[i].fallback = FLYING, GROPES
        leave_edge(creature, 0)
        assert creature.trunk[0].velocity[1] == 0.0  # they reach where they want to land
    for count, i in enumerate(hanging, 1):
        put(creature.feet[i].goal, add(vec(creature.feet[i].goal), (0.0, 0.0, -3.0)))
        leave_edge(creature, 0)
        sideways = creature.trunk[0].velocity[1]
        assert sideways == (0.0 if count == 1 else pytest.approx(-side * ASIDE * 0.5))
    assert creature.trunk[0].velocity[0] == 0.3


def test_a_body_leaves_an_edge_no_farther_than_its_legs_reach() -> None:
    """A leg that was stretched aside held it for minutes: it could not go back either."""
    creature, _ = standing()
    body, told = creature.trunk[0], (-0.3, 0.0, 0.0)
    right = np.flatnonzero(creature.legs["side"] == -1)
    creature.gait.commanded_pace = 0.5
    for i in right[:2]:
        creature.feet[i].phase, creature.footholds[i].fallback = FLYING, GROPES
        put(creature.feet[i].goal, add(vec(creature.feet[i].goal), (0.0, 0.0, -3.0)))
    leg, foot = creature.legs[right[2]], creature.feet[right[2]]
    position, orientation = vec(body.position), quat(body.orientation)
    home, aside = vec(foot.position), []
    for out in np.linspace(0.0, 0.6, 61):
        put(foot.position, add(home, rotate(orientation, (0.0, -out * leg.reach, 0.0))))
        stretch = reach_in_world(position, orientation, leg, vec(foot.position))[1]
        put(body.velocity, told)
        leave_edge(creature, 0)
        assert body.velocity[0] == pytest.approx(told[0])
        if stretch > FULL_STRETCH:
            assert vec(body.velocity) == told
        aside.append(body.velocity[1])
    assert aside[0] == pytest.approx(ASIDE * 0.5)
    assert aside == sorted(aside, reverse=True)
    assert aside[-1] == 0.0


def stretched(creature: Creature, seed: int) -> NDArray[np.int64]:
    """Pull the feet of two legs of different hips out, until their legs are stretched."""
    rng, body = np.random.default_rng(seed), creature.trunk[0]
    pulled = rng.permutation(len(creature.legs))[:2]
    for i in pulled.tolist():
        leg, foot = creature.legs[i], creature.feet[i]
        most = rng.uniform(0.5 * (leg.soft_reach + FULL_STRETCH), FULL_STRETCH)
        away = rotate(quat(body.orientation), (*rng.normal(size=2).tolist(), 0.0))
        away = add(scale(vec(leg.out), 2.0), away)
        while margin_of(creature, i)[1] < most:
            put(foot.position, along(vec(foot.position), away, 0.001))
    return pulled


@pytest.mark.parametrize("seed", range(20))
def test_a_body_slides_where_legs_are_stretched(seed: int) -> None:
    """It goes and turns as they let it, and as near to what it wants as that allows."""
    creature, _ = standing()
    pulled, rng = stretched(creature, seed), np.random.default_rng(seed)
    body, top = creature.trunk[0], creature.plan.speed
    lever = top / creature.plan.turn_rate
    wanted = rng.uniform(-1.0, 1.0, 3) * top
    put(body.velocity, (wanted[0], wanted[1], 0.0))
    body.yaw_rate = wanted[2] / lever
    scaled, left = reach_left(creature), slide(creature, 0, top)
    found = np.array([*body.velocity[:2], body.yaw_rate * lever])
    assert np.linalg.norm(found) == pytest.approx(left * np.linalg.norm(wanted))
    assert left >= scaled - 1e-6
    normals, limits = [], []
    for i in pulled.tolist():
        leg, (foot, stretch, rest) = creature.legs[i], margin_of(creature, i)
        ways = [(x - w * foot[1] / lever, y + w * foot[0] / lever) for x, y, w in np.eye(3)]
        shifts = [(NUDGE * x, NUDGE * y, 0.0) for x, y in ways]
        normal = np.array([reach_to(leg, sub(foot, shift))[1] - stretch for shift in shifts])
        normals.append(normal / np.linalg.norm(normal))
        limits.append(rest * top)
    assert (np.array(normals) @ found <= np.array(limits) + 0.02 * top).all()
    taken, *_ = np.linalg.lstsq(np.array(normals).T, wanted - found)
    assert (taken > -0.02 * top).all()
    assert np.array(normals).T @ taken == pytest.approx(wanted - found, abs=0.02 * top)


def test_a_body_that_hangs_on_two_feet_and_turns_goes_on() -> None:
    """An ant hung there for four minutes: one leg let it not go on, the other one not back."""
    creature, _ = standing("ant")
    body, top = creature.trunk[0], creature.plan.speed
    for i in range(4):
        creature.feet[i].phase = FLYING
    for i, place in ((4, (-0.61, 0.29, -0.27)), (5, (-0.66, -0.315, -0.19))):
        foot = add(vec(body.position), rotate(quat(body.orientation), place))
        put(creature.feet[i].position, foot)
    for sign in (1.0, -1.0):
        put(body.velocity, (0.027 * sign, 0.0, 0.0))
        body.yaw_rate = 0.1 * sign
        assert reach_left(creature) == 0.0
        assert slide(creature, 0, top) > 0.7


def test_a_body_slides_past_a_foot_so_near_that_its_leg_would_fold_too_far() -> None:
    """A hexapod hung beside its feet for ten seconds: to come back it would have folded a leg."""
    creature, _ = standing()
    body, told = creature.trunk[0], (-0.05, 0.0, 0.0)
    creature.gait.commanded_pace = 0.5
    for i in np.flatnonzero(creature.legs["side"] == -1)[:2]:
        creature.feet[i].phase, creature.footholds[i].fallback = FLYING, GROPES
        put(creature.feet[i].goal, add(vec(creature.feet[i].goal), (0.0, 0.0, -3.0)))
    front = int(np.flatnonzero(creature.legs["side"] == 1)[0])
    leg, foot = creature.legs[front], creature.feet[front]
    position, orientation = vec(body.position), quat(body.orientation)
    hip, home = hip_of(position, orientation, leg), vec(foot.position)
    near = next(
        there
        for there in (mix(home, hip, 0.005 * k) for k in range(200))
        if reach_in_world(position, orientation, leg, there)[0] < leg.min_reach
    )
    put(foot.position, near)
    at = unrotate(orientation, sub(near, position))

    def folds(x: float, y: float) -> bool:
        then = sub(at, (x * 1e-3, y * 1e-3, 0.0))
        return loses_reach(leg, at, then, leg.min_reach, np.inf)

    assert folds(told[0], ASIDE * 0.5)
    put(body.velocity, told)
    leave_edge(creature, 0)
    x, y, _ = vec(body.velocity)
    assert not folds(x, y)
    assert not folds(0.9 * x, 0.9 * y)
    assert x < told[0]  # farther back, as it goes aside
    assert y > 0.0


@pytest.mark.parametrize("far", [0.0, 0.04, 0.06, 0.1, 0.3])
def test_a_body_that_hangs_beside_its_feet_comes_back_over_them(far: float) -> None:
    """A spider hung in a doorway for half a minute, all of its feet on one side of it."""
    creature, gravity = standing()
    body, plan = creature.trunk[0], creature.plan
    put(body.velocity, (0.0, 0.0, 0.0))
    ahead = unrotate(
        quat(body.orientation), sub(vec(creature.feet[0].position), vec(body.position))
    )
    hindmost = min(
        unrotate(quat(body.orientation), sub(vec(foot.position), vec(body.position)))[0]
        for foot in creature.feet
    )
    assert ahead[0] > 0.0 > hindmost
    on = rotate(quat(body.orientation), (-hindmost + far * plan.reach, 0.0, 0.0))
    for foot in creature.feet:  # all of them are ahead now
        put(foot.position, add(vec(foot.position), on))
        put(foot.goal, vec(foot.position))
    creature.legs["soft_reach"] = 10.0
    come_over_feet(creature, gravity, 0)
    back = min(far * plan.reach / COMES_IN, COMES_AT * plan.speed) if far > BESIDE else 0.0
    assert vec(body.velocity) == pytest.approx((back, 0.0, 0.0), abs=1e-6)
    put(body.velocity, (1.0, 0.0, 0.0))
    come_over_feet(creature, gravity, 0)
    assert vec(body.velocity) == (1.0, 0.0, 0.0)  # it comes anyway


def test_feet_that_clamp_a_body_leave_it_where_it_is() -> None:
    creature, gravity = standing()
    body = creature.trunk[0]
    on = rotate(quat(body.orientation), (2.0 * creature.plan.reach, 0.0, 0.0))
    for foot in creature.feet:
        put(foot.position, add(vec(foot.position), on))
    put(body.velocity, (0.0, 0.0, 0.0))
    creature.legs["soft_reach"] = 10.0
    put(creature.feet[0].goal_normal, (1.0, 0.0, 0.0))
    come_over_feet(creature, gravity, 0)
    assert body.velocity[0] == 0.0
    put(creature.feet[0].goal_normal, Z)
    come_over_feet(creature, gravity, 0)
    assert body.velocity[0] > 0.0


@pytest.mark.parametrize("lands", [True, False])
def test_a_body_does_not_come_back_from_where_the_next_foot_lands(lands: bool) -> None:
    """Of a trot a body is beside three feet in every step: that held a gecko back, and aside."""
    creature, gravity = standing("spider4")
    body, foot = creature.trunk[0], creature.feet[0]
    creature.legs["soft_reach"] = 10.0
    on = rotate(quat(body.orientation), (0.25 * creature.plan.reach, 0.0, 0.0))
    put(body.position, add(vec(body.position), on))  # towards the forelegs, one of which flies
    foot.phase = FLYING
    if not lands:
        put(foot.goal, add(vec(foot.goal), (0.0, 0.0, -3.0)))
    put(body.velocity, (0.0, 0.0, 0.0))
    come_over_feet(creature, gravity, 0)
    assert (vec(body.velocity) == (0.0, 0.0, 0.0)) == lands


def test_the_head_of_a_centipede_is_not_beside_its_feet() -> None:
    creature, gravity = standing("centipede")
    body = creature.trunk[0]
    ahead = [
        unrotate(quat(body.orientation), sub(vec(foot.position), vec(body.position)))[0]
        for foot in creature.feet[2:]
    ]
    assert max(ahead) < -BESIDE * creature.plan.reach
    for foot in creature.feet[:2]:  # as at the end of its stroke
        put(foot.position, add(vec(foot.position), (-0.2 * creature.plan.reach, 0.0, 0.0)))
    told = (creature.plan.speed, 0.0, 0.0)
    put(body.velocity, told)
    come_over_feet(creature, gravity, 0)
    assert vec(body.velocity) == told


def test_a_body_hardly_moves_at_less_than_a_tenth_of_what_it_is_told_to() -> None:
    gait = zeros(GaitRecord, 1)[0]
    for pace, told, hardly in ((0.0, 0.0, False), (0.02, 0.5, True), (0.06, 0.5, False)):
        gait.pace, gait.commanded_pace = pace, told
        assert hardly_moves(gait) == hardly


def test_an_urgent_foot_goes_elsewhere_where_the_body_hardly_moves() -> None:
    """The best place was where it stood already, which held its body back for ever."""
    creature, gravity = standing()
    foot, hit = creature.feet[0], zeros(HitRecord, 1)[0]
    hit.is_hit, hit.prop = 1, -1
    put(hit.normal, Z)
    then, nothing = quat(creature.trunk[0].orientation), zeros(HitRecord, 1)[0]
    outlook = Outlook(vec(creature.trunk[0].position), then, nothing, False, nothing)
    put(creature.trunk[0].velocity, (0.0, 0.0, 0.0))
    foot.phase = STANDING
    for aside, urgency, pace, is_place in (
        (0.0, 2.0 * PRESSING, 0.0, False),
        (0.0, 0.5, 0.0, True),  # it is in no need
        (0.0, 2.0 * PRESSING, 0.4, True),  # the body goes on
        (0.05, 2.0 * PRESSING, 0.0, True),  # that is elsewhere
    ):
        foot.urgency, creature.gait.pace, creature.gait.commanded_pace = urgency, pace, 0.5
        put(hit.point, add(vec(foot.position), (aside, 0.0, 0.0)))
        found = judge_elsewhere(creature, 0, hit, outlook, gravity)
        assert (found.is_ground and found.is_in_reach) == is_place


def test_two_feet_in_the_air_that_want_one_place_do_not_wait_for_each_other() -> None:
    """While the body goes on they do; where it hardly moves only one that stands keeps it free."""
    creature, _ = standing("ant")
    one = 0
    other = int(creature.legs[one].meets[0])
    creature.feet[one].phase = creature.feet[other].phase = FLYING
    put(creature.feet[one].goal, vec(creature.feet[other].position))
    creature.gait.commanded_pace = 0.5
    for pace, phase, is_place in (
        (0.4, FLYING, False),
        (0.0, FLYING, True),
        (0.0, STANDING, False),
    ):
        creature.gait.pace, creature.feet[other].phase = pace, phase
        assert is_free(creature, one) == is_place
