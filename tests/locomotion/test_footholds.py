"""Where feet go next: choosing footholds, keeping them in the air, and looking ahead of a swing."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from creature_sim.components import (
    FLYING,
    FOUND,
    GRAVITY,
    NOT_FOUND,
    SAMPLED,
    STANDING,
    BodyRecord,
    FootholdRecord,
    FootRecord,
    GaitRecord,
    GravityRecord,
    HitRecord,
    nobody,
    room_for_patches,
    zeros,
)
from creature_sim.library.loader import load_creature
from creature_sim.locomotion.balance import DESPERATE, HOPELESS, would_tip
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.flight import advance, keep_in_reach
from creature_sim.locomotion.footholds import CHOOSY, STUBBORN, TOO_LATE, choose_footholds
from creature_sim.locomotion.headings import HEADING_RATE
from creature_sim.locomotion.reach import FULL_STRETCH, hip_of, reach_to
from creature_sim.locomotion.search import ARC_FIRST, ARC_LAST, arc_fraction
from creature_sim.locomotion.slots import (
    ARC_RAYS,
    PATCH_RAYS,
    RING,
    foothold_slot,
    ring_slot,
    slot_count,
)
from creature_sim.locomotion.swing import HURRY, SHORTEST_SWING, begin_swing, swing_rate
from creature_sim.maths import cross, put, quat, vec
from creature_sim.spawn.plans import plan_of
from tests.scenes import scene, walk

DT = 1.0 / 60.0


class Standing:
    """A hexapod on level ground, all feet at home, and all that its kernels look at."""

    def __init__(self) -> None:
        self.plan = plan_of(load_creature("hexapod"))
        legs = self.plan.legs
        self.bodies, self.gaits = zeros(BodyRecord, 1, 1), zeros(GaitRecord, 1)
        self.bodies["share"] = 1.0
        self.feet = zeros(FootRecord, 1, len(legs))
        self.footholds = zeros(FootholdRecord, 1, len(legs))
        self.ground = zeros(HitRecord, 1, slot_count(1, len(legs)))
        self.is_active = np.zeros(self.ground.shape, np.int8)
        self.patches = room_for_patches(1, len(legs), PATCH_RAYS)
        self.field = zeros(GravityRecord, 1)
        self.gravity = self.field[0]
        self.gravity.acceleration = GRAVITY
        height = float(self.plan.body[0].ride_height)
        put(self.body.position, (0.0, 0.0, height))
        self.body.orientation[3] = 1.0
        self.gaits[0].ride_height, self.gaits[0].duty_factor = height, 0.5
        self.gaits[0].is_static = 1
        self.gaits[0].stroke = self.gaits[0].swing_length = 0.3
        for foot, foothold, leg in zip(self.feet[0], self.footholds[0], legs, strict=True):
            for point in (foot.position, foot.track, foot.goal, foothold.position, foothold.aim):
                put(point, (leg.home[0], leg.home[1], 0.0))
            for normal in (foot.goal_normal, foot.normal):
                put(normal, (0.0, 0.0, 1.0))

    @property
    def body(self) -> BodyRecord:
        return self.bodies[0, 0]

    @property
    def creature(self) -> Creature:
        """The same, as kernels take one creature."""
        return Creature(
            self.plan.body[0],
            self.plan.legs,
            self.bodies[0],
            self.gaits[0],
            self.feet[0],
            self.footholds[0],
        )

    def lift(self, leg: int, score: float) -> FootRecord:
        """A foot in the first half of its swing to where it stood."""
        foot = self.feet[0, leg]
        foot.phase, foot.progress, self.footholds[0, leg].score = FLYING, 0.3, score
        self.footholds[0, leg].clear = 1.0
        foot.elapsed, foot.rate = 0.4, 4.0
        return foot

    def sense(self, leg: int, x: float, y: float, edges: int) -> None:
        """Let a leg find level ground beside its home, with so many edges around."""
        home = self.plan.legs[leg].home
        point = np.array((home[0] + x, home[1] + y, 0.0))
        ring = ring_slot(1, len(self.plan.legs), leg)
        for k, slot in enumerate([foothold_slot(1, leg), *range(ring, ring + len(RING))]):
            hit = self.ground[0, slot]
            hit.is_hit, hit.point[:], hit.prop = 1, point, -1
            put(hit.normal, (0.0, 0.0, 1.0))
            if k:
                hit.point[:] = point + 0.1 * np.array(RING[k - 1])
                if k <= edges:
                    hit.point[2] -= 0.2
            self.is_active[0, slot] = 1
        self.choose()

    def choose(self) -> None:
        """Judge what is sensed."""
        choose_footholds(
            self.plan.body,
            self.plan.legs,
            self.bodies,
            self.gaits,
            self.feet,
            self.footholds,
            self.ground,
            self.is_active,
            self.patches.rows,
            self.patches.is_active,
            self.patches.records,
            nobody(1, len(self.plan.legs)),
            self.plan.segments,
            self.field,
            np.full((1, 1), np.inf),
            DT,
        )


def test_a_foot_in_the_air_keeps_a_clear_goal_beside_edges() -> None:
    standing = Standing()
    foot = standing.lift(2, 1.0)
    clear = foot.goal.copy()
    standing.sense(2, 0.03, 0.0, edges=1)
    assert (foot.goal == clear).all()
    assert standing.footholds[0, 2].score == 1.0
    assert standing.footholds[0, 2].offset.any()  # and goes on looking


def test_it_takes_one_that_is_as_good_or_far_from_its_own() -> None:
    standing = Standing()
    foot, reach = standing.lift(2, 1.0), float(standing.plan.legs[2].reach)
    foothold = standing.footholds[0, 2]
    before = foot.goal.copy()
    standing.sense(2, 0.03, 0.0, edges=0)
    assert foot.goal - before == pytest.approx((0.03, 0.0, 0.0))
    assert foothold.score > CHOOSY
    before = foot.goal.copy()
    standing.sense(2, 0.04 + STUBBORN * reach, 0.0, edges=1)
    assert foot.goal[0] > before[0] + STUBBORN * reach
    assert 0.0 < foothold.score < CHOOSY


@pytest.mark.parametrize("height", [-0.15, 0.15])
def test_but_late_in_its_swing_none_on_another_level(height: float) -> None:
    standing = Standing()
    foot = standing.lift(2, 0.1)
    before = foot.goal.copy()
    ground = standing.ground[0]
    standing.sense(2, 0.03, 0.0, edges=0)
    assert (foot.goal != before).any()
    before = foot.goal.copy()
    ground["point"][..., 2] += height
    foot.progress = TOO_LATE + 0.05
    standing.choose()
    assert (foot.goal == before).all()
    foot.progress = TOO_LATE - 0.05
    standing.choose()
    assert foot.goal[2] == pytest.approx(height)


def found_at(standing: Standing, leg: int, height: float) -> bool:
    """Whether level ground at a height straight below the shoulder is taken as a foothold."""
    body, own = standing.body, standing.plan.legs[leg]
    hip = hip_of(vec(body.position), quat(body.orientation), own)
    hip = (hip[0] + own.coxa * own.out[0], hip[1] + own.coxa * own.out[1], hip[2])
    standing.feet[0, leg].urgency = 0.5
    standing.sense(leg, 0.0, 0.0, edges=0)
    put(standing.ground[0, foothold_slot(1, leg)].point, (hip[0], hip[1], height))
    standing.choose()
    return bool(standing.footholds[0, leg].status == FOUND)


def test_a_foothold_is_judged_from_where_the_hip_will_be() -> None:
    standing = Standing()
    body, leg = standing.body, standing.plan.legs[2]
    depth = 0.95 * float(leg.arm) - float(body.position[2] + leg.mount[2])
    assert not found_at(standing, 2, -depth)  # just out of reach
    body.climb = -0.3
    assert found_at(standing, 2, -depth)


FRONT, REAR = 0, 4
"""Legs of a hexapod, both on the left."""


def tips(standing: Standing, leg: int, urgency: float) -> bool:
    """Whether a foot whose step is so urgent may not lift, as it would tip the body."""
    standing.feet[0, leg].urgency = urgency
    return bool(would_tip(standing.creature, standing.gravity, leg, 0.0))


def with_weight(x: float, y: float) -> Standing:
    """A hexapod whose feet all know where to step, with its weight over (x, y)."""
    standing = Standing()
    standing.feet["urgency"] = 0.5
    standing.footholds["status"] = FOUND
    standing.body.position[:2] = (x, y)
    return standing


@pytest.mark.slow
def test_the_most_urgent_step_waits_for_the_weight_but_not_for_ever() -> None:
    outside = with_weight(0.40, 0.34)  # over the front foot itself
    assert tips(outside, FRONT, 1.5)
    assert tips(outside, FRONT, DESPERATE + 0.1)
    assert not tips(outside, FRONT, HOPELESS + 0.1)
    inside = with_weight(0.12, 0.18)  # just inside of the line between its neighbours
    assert tips(inside, FRONT, 1.5)
    assert not tips(inside, FRONT, DESPERATE + 0.1)


def test_a_more_urgent_step_that_has_nowhere_to_go_holds_up_nobody() -> None:
    standing = with_weight(-0.40, 0.34)
    standing.feet[0, FRONT].urgency = 9.0
    assert tips(standing, REAR, HOPELESS + 0.1)  # the other one goes first
    standing.footholds[0, FRONT].status = NOT_FOUND
    assert not tips(standing, REAR, HOPELESS + 0.1)


@pytest.mark.slow
def test_a_foot_in_the_air_is_taken_along_with_its_hip() -> None:
    standing = Standing()
    leg, foot = standing.plan.legs[2], standing.lift(2, 1.0)
    standing.body.position[:] = -leg.mount  # the hip is the origin
    out = np.array(leg.out)
    for far in (0.1, 0.5, 3.0):
        arm = (0.6 * out + np.array((0.0, 0.0, -0.8))) * leg.arm
        foot.track[:] = foot.position[:] = leg.coxa * out + far * arm
        keep_in_reach(standing.creature, 2)
        kept = leg.coxa * out + min(far, FULL_STRETCH) * arm
        if far < leg.min_reach:  # out, as high as it is
            ahead = np.sqrt((leg.min_reach * leg.arm) ** 2 - (far * arm[2]) ** 2)
            kept = (leg.coxa + ahead) * out + far * np.array((0.0, 0.0, arm[2]))
        assert foot.position == pytest.approx(kept)
        assert foot.track == pytest.approx((*kept[:2], far * arm[2]))  # it keeps its level


def test_an_arch_that_is_folded_too_far_does_not_press_its_track_into_a_wall() -> None:
    standing = Standing()
    standing.plan = plan_of(load_creature("hexapod").climbing)
    leg, foot = standing.plan.legs[2], standing.lift(2, 1.0)
    standing.body.position[:] = -leg.mount
    out = np.array(leg.out)
    for normal in (foot.normal, foot.goal_normal):
        normal[:] = -out
    foot.track[:] = (leg.coxa + 1.05 * leg.min_reach * leg.arm) * out
    track = np.array(foot.track)
    foot.position[:] = track - 0.3 * leg.arm * out  # its arch brings it too near to its hip
    arched = np.array(foot.position)
    keep_in_reach(standing.creature, 2)
    assert (foot.position - arched) @ out > 0.2 * leg.arm
    assert foot.track == pytest.approx(track)


@pytest.mark.parametrize("yaw", [-2.5, -1.3, -0.4, 0.9, 1.6])
def test_a_foot_in_the_air_is_turned_along_with_its_hip(yaw: float) -> None:
    standing = Standing()
    leg, foot = standing.plan.legs[2], standing.lift(2, 1.0)
    standing.body.position[:] = -leg.mount
    allowed = np.clip(yaw, FULL_STRETCH * leg.yaw_lo, FULL_STRETCH * leg.yaw_hi)
    level = leg.coxa + 0.6 * leg.arm
    there = level * np.array((-np.sin(yaw), np.cos(yaw), 0.0)) + (0.0, 0.0, -0.3 * leg.arm)
    foot.track[:] = foot.position[:] = there
    keep_in_reach(standing.creature, 2)
    assert np.arctan2(-foot.position[0], foot.position[1]) == pytest.approx(allowed)
    if allowed == yaw:
        assert foot.position == pytest.approx(there)
    far, stretch = reach_to(leg, vec(np.array(foot.position) + leg.mount))
    assert leg.min_reach - 1e-9 <= far <= FULL_STRETCH + 1e-9
    assert stretch <= FULL_STRETCH + 1e-9


@pytest.mark.slow
@pytest.mark.parametrize("turn", [0.5, 2.0, np.pi])
def test_a_heading_turns_level_and_no_faster_than_it_may(turn: float) -> None:
    standing = Standing()
    foot = standing.lift(2, 1.0)
    put(foot.heading, (np.cos(turn), np.sin(turn), 0.0))
    foot.apex = 0.1
    for _ in range(150):
        before = foot.heading.copy()
        foot.elapsed = 0.3
        advance(standing.creature, 2, 0.1, nobody(1, len(standing.plan.legs)), DT)
        assert foot.heading[2] == 0.0
        assert np.linalg.norm(foot.heading - before) < 1.5 * HEADING_RATE * DT
    assert foot.heading == pytest.approx((1.0, 0.0, 0.0), abs=2e-3)


def test_a_foot_waits_where_its_arc_turns_out_too_low_and_goes_on_over_it() -> None:
    standing = Standing()
    foot = standing.feet[0, 2]
    begin_swing(foot)
    foot.goal[0] += 0.3
    foot.phase = SAMPLED
    for _ in range(5):
        advance(standing.creature, 2, 0.09, nobody(1, len(standing.plan.legs)), DT)
    usual, speeds = float(foot.rate), []
    for _ in range(14):
        before = foot.track.copy()
        advance(standing.creature, 2, 0.4, nobody(1, len(standing.plan.legs)), DT)
        speeds.append(float(np.linalg.norm(foot.track - before)) / DT)
    assert min(speeds) < 0.3 * max(speeds)  # it has slowed down...
    assert foot.rate < usual
    while foot.phase != STANDING and foot.progress < 0.5:
        advance(standing.creature, 2, 0.4, nobody(1, len(standing.plan.legs)), DT)
    assert foot.position[2] > 0.35  # ...until it is high enough


def test_a_foot_turns_evenly_to_the_slope_that_it_goes_to() -> None:
    standing = Standing()
    foot = standing.lift(2, 1.0)
    foot.phase, foot.progress = SAMPLED, 0.0
    put(foot.heading, (0.0, 1.0, 0.0))
    put(foot.goal_normal, (0.6, 0.0, 0.8))
    turns: list[float] = []
    while foot.phase != STANDING and len(turns) < 60:
        before = foot.normal.copy()
        advance(standing.creature, 2, 0.1, nobody(1, len(standing.plan.legs)), DT)
        turns.append(np.degrees(2.0 * np.arcsin(0.5 * np.linalg.norm(foot.normal - before))))
    turned = [turn for turn in turns if turn > 1e-6]
    assert sum(turned) == pytest.approx(np.degrees(np.arccos(0.8)))
    assert max(turned) < 1.2 * min(turned[:-1])
    assert turns[-1] < 1e-6  # it is done before it lands


def test_no_foot_is_hurried_beyond_the_shortest_swing() -> None:
    standing = Standing()
    gait, foot = standing.gaits[0], standing.lift(2, 1.0)
    gait.pace, gait.swing_length = 50.0, 0.01  # carried away while it hardly walks
    rate = swing_rate(standing.plan.body[0], gait, foot)
    assert rate == pytest.approx(HURRY / SHORTEST_SWING)


@pytest.mark.slow
@given(st.integers(0, 10**9))
def test_rays_along_an_arc_leave_no_wide_gap(tick: int) -> None:
    fractions = [arc_fraction(tick + ago, k) for ago in range(3) for k in range(ARC_RAYS)]
    assert min(fractions) >= ARC_FIRST
    assert max(fractions) <= ARC_LAST
    gaps = np.diff([ARC_FIRST, *sorted(fractions), ARC_LAST])
    assert gaps.max() < 0.65 * (ARC_LAST - ARC_FIRST) / ARC_RAYS


@pytest.mark.parametrize(("creature", "is_level"), [("biped", True), ("hexapod", False)])
def test_two_legs_carry_a_level_body_and_more_follow_the_slope(
    creature: str, is_level: bool
) -> None:
    *_, last = walk(scene("slope", creature, driver="forward 4; stop 2"), 360)
    (seen,) = last.creatures
    x, y, z, w = seen.segments["orientation"][0]
    up = np.array((2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)))
    feet = seen.feet["goal_normal"].mean(axis=0)
    assert feet[2] < 0.97  # it is a slope
    expected = (0.0, 0.0, 1.0) if is_level else feet / np.linalg.norm(feet)
    assert np.degrees(np.linalg.norm(cross(tuple(up), tuple(expected)))) < 2.0


def test_a_level_body_comes_down_to_stand_across_a_slope() -> None:
    world = scene("slope", "biped", driver="stop 4")
    slope = world.terrain.model_copy(update={"grade": 0.9})
    places = tuple(place.model_copy(update={"heading": 1.57}) for place in world.creatures)
    made = world.model_copy(update={"terrain": slope, "creatures": places})
    *_, last = walk(made, 240)
    (seen,) = last.creatures
    lengths = np.linalg.norm(seen.joints[:, -1] - seen.joints[:, 0], axis=1)
    definition = load_creature("biped")
    leg = definition.all_legs[0]
    assert (lengths < leg.comfort * leg.reach).all()
    assert seen.body.position[2] - seen.feet["position"][:, 2].mean() < definition.body.ride_height
