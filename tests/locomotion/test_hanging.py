"""How bodies of who climbs give way before a leg holds them back at once."""

import numpy as np
import pytest

from creature_sim.components import (
    FLYING,
    LOST,
    STANDING,
    BodyPoseRecord,
    SuspensionRecord,
    zeros,
)
from creature_sim.library.loader import load_creature
from creature_sim.locomotion.climbing import CLIMBS_AT
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.hanging import (
    CALM,
    GIVES,
    RIGHTS,
    YIELDS,
    Hanging,
    give,
    hang,
    room_left,
)
from creature_sim.locomotion.reach import FOLDS_TO, reach_to
from creature_sim.maths import (
    Z,
    add,
    angle_between,
    norm,
    put,
    put_quat,
    quat,
    quat_multiply,
    quat_turned,
    rotate,
    scale,
    sub,
    unit,
    unrotate,
    vec,
)
from creature_sim.spawn.plans import plan_of
from tests.climbers import standing

DT = 1.0 / 60.0


def stretch(creature: Creature, i: int, stretch: float) -> None:
    """Put a foot as far out from its hip, on the line to where it stands, as its leg reaches so."""
    leg, body = creature.legs[i], creature.trunk[0]
    hip = vec(leg.mount)
    stand = unrotate(quat(body.orientation), sub(vec(creature.feet[i].goal), vec(body.position)))
    way = unit(sub(stand, hip), stand)
    far = max(np.linspace(0.0, 2.0, 4001), key=lambda d: -off(creature, i, d, way, stretch))
    there = add(
        vec(body.position), rotate(quat(body.orientation), add(hip, scale(way, float(far))))
    )
    put(creature.feet[i].goal, there)
    put(creature.feet[i].position, there)


def off(
    creature: Creature, i: int, far: float, way: tuple[float, float, float], wanted: float
) -> float:
    """How far the stretch of a leg whose foot is so far out is off what is wanted."""
    leg = creature.legs[i]
    return abs(reach_to(leg, add(vec(leg.mount), scale(way, float(far))))[1] - wanted)


def test_a_body_has_the_less_room_to_hang_the_nearer_a_foot_is_to_its_reach() -> None:
    creature, _ = standing()
    assert creature.feet[0].phase == STANDING
    assert room_left(creature, 0) == 1.0
    left = []
    for far in (0.85, 0.92, 0.95, 0.99):
        stretch(creature, 0, far)
        left.append(room_left(creature, 0))
    assert left[0] == 1.0
    assert left == sorted(left, reverse=True)
    assert left[1] < 1.0
    assert left[-1] == 0.0


def test_a_body_that_loses_its_room_turns_back_softly() -> None:
    """It had turned by five degrees in a tick, when a leg that stood came to its limit."""
    creature, _ = standing()
    hung = zeros(SuspensionRecord, 1)[0]
    hung.given = 1.0
    put(hung.turn, (0.0, 0.0, np.radians(5.0)))
    stretch(creature, 0, 1.0)
    ticks = 0
    while hung.given > 0.0:
        before = float(hung.given)
        give(creature, 0, hung, DT)
        assert (before - hung.given) * hung.turn[2] <= RIGHTS * DT + 1e-12
        ticks += 1
        assert ticks < 30
    assert ticks * DT >= YIELDS
    stretch(creature, 0, 0.8)
    give(creature, 0, hung, DT)
    assert hung.given == pytest.approx(DT / GIVES)


def test_who_does_not_climb_gives_way_likewise() -> None:
    creature, _ = standing()
    creature.plan.climbs = 0
    hung = zeros(SuspensionRecord, 1)[0]
    hung.given = 1.0
    stretch(creature, 0, 1.0)
    give(creature, 0, hung, DT)
    assert hung.given == pytest.approx(1.0 - DT / YIELDS)


@pytest.mark.parametrize("is_held", [False, True])
def test_what_is_planned_and_what_swings_turn_a_body_calmly_together(is_held: bool) -> None:
    """A leg at its limit turned a body back at once, besides how it turned up a wall."""
    creature, _ = standing("ant")
    segments = plan_of(load_creature("ant").climbing).segments
    body, hung = creature.trunk[0], zeros(SuspensionRecord, 1)
    before, place = quat(body.orientation), vec(body.position)
    planned = quat_multiply(before, quat_turned((0.0, CLIMBS_AT * DT, 0.0)))
    pose = zeros(BodyPoseRecord, 1)[0]
    hanging = Hanging(segments, hung, pose, np.empty((1, 3)), np.empty((1, 4)))
    if is_held:
        stretch(creature, 0, 1.0)
    rng = np.random.default_rng(0)
    for _ in range(30):
        hung[0].given = rng.uniform(0.0, 1.0)
        put(hung[0].turn, (*rng.uniform(-0.1, 0.1, 2), 0.0))
        was = quat_multiply(before, quat_turned(scale(vec(hung[0].turn), hung[0].given)))
        for _ in range(40):
            put_quat(body.orientation, planned)
            put(body.position, place)
            put_quat(hung[0].orientation, was)
            hang(creature, hanging, DT)
            assert quat(hung[0].orientation) == planned
            now = quat(body.orientation)
            assert angle_between(rotate(was, Z), rotate(now, Z)) < CALM * DT + 1e-9
            was = now
        if is_held:  # it gets there in the end
            assert angle_between(rotate(planned, Z), rotate(was, Z)) < 0.01


@pytest.mark.parametrize("phase", [FLYING, LOST])
@pytest.mark.parametrize("climbs", [True, False])
def test_feet_in_the_air_go_along_with_a_climber_that_hangs_nearer_to_them(
    phase: int, climbs: bool
) -> None:
    """In a corridor legs did not fold so far: their tips were up to 27 mm beside their feet."""
    creature, _ = standing()
    segments = plan_of(load_creature("hexapod").climbing).segments
    creature.plan.climbs = climbs
    leg, foot, body = creature.legs[0], creature.feet[0], creature.trunk[0]
    hung, pose = zeros(SuspensionRecord, 1), zeros(BodyPoseRecord, 1)[0]
    hanging = Hanging(segments, hung, pose, np.empty((1, 3)), np.empty((1, 4)))
    put_quat(hung[0].orientation, quat(body.orientation))
    planned, turn = vec(body.position), quat(body.orientation)
    nearest = add(vec(leg.mount), scale(vec(leg.out), leg.coxa + leg.min_reach * leg.arm))
    before = add(planned, rotate(turn, nearest))
    foot.phase = phase
    for toward in (0.0, 0.03):
        put(foot.position, before)
        put(body.position, planned)
        put_quat(body.orientation, turn)
        put(hung[0].offset, scale(vec(leg.out), toward))
        hung[0].given = 1.0
        hang(creature, hanging, DT)
        now = unrotate(quat(body.orientation), sub(vec(foot.position), vec(body.position)))
        if climbs and phase == FLYING and toward > 0.0:
            assert reach_to(leg, now)[0] == pytest.approx(FOLDS_TO * leg.min_reach)
        else:
            assert vec(foot.position) == before
    assert norm(sub(vec(body.position), planned)) > 0.02  # it hung that far
