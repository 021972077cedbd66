"""How bodies of who climbs give way before a leg holds them back at once."""

import numpy as np
import pytest

from creature_sim.components import STANDING, SuspensionRecord, zeros
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.hanging import GIVES, RIGHTS, YIELDS, give, room_left
from creature_sim.locomotion.reach import reach_to
from creature_sim.maths import add, put, quat, rotate, scale, sub, unit, unrotate, vec
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
