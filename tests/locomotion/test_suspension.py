"""Bodies hang on their legs as masses on springs."""

from math import pi

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from creature_sim.locomotion.springs import oscillation, pushed
from creature_sim.maths import Floats
from creature_sim.maths.geometry import rotation_angles, rotation_matrices
from creature_sim.snapshots.snapshot import Snapshot
from tests.scenes import at_rest, scene, thrown_about, walk
from tests.score.test_liveliness import flat_world

NUMBERS = st.floats(-1.0, 1.0)


def carried(snapshot: Snapshot) -> Floats:
    """How far bodies are from where they are planned, (N S,) [m]."""
    parts = snapshot.herds[0].parts
    planned = parts["suspension"]["records"]["position"]
    moves: Floats = np.linalg.norm(parts["body"]["records"]["position"] - planned, axis=-1)
    return moves.reshape(-1)


@pytest.mark.slow
@given(NUMBERS, NUMBERS, st.floats(-20.0, 20.0), st.floats(0.5, 30.0), st.floats(0.05, 0.95))
def test_an_oscillation_is_the_solution_of_its_equation(
    offset: float, rate: float, push: float, frequency: float, damping: float
) -> None:
    angular = 2.0 * pi * frequency
    dt = 1.0 / 60.0
    q, v, steps = offset, rate, 4000
    for _ in range(steps):  # the midpoint method
        h = dt / steps
        a = push - angular * angular * q - 2.0 * damping * angular * v
        half_q, half_v = q + 0.5 * h * v, v + 0.5 * h * a
        a = push - angular * angular * half_q - 2.0 * damping * angular * half_v
        q, v = q + h * half_v, v + h * a
    found = pushed(oscillation(angular, damping, dt), offset, rate, push)
    size = abs(offset) + abs(rate) / angular + abs(push) / angular**2
    assert found[0] == pytest.approx(q, abs=1e-4 * size)
    assert found[1] == pytest.approx(v, abs=1e-4 * size * angular)


@pytest.mark.slow
@given(NUMBERS, NUMBERS, st.floats(-20.0, 20.0), st.floats(0.5, 30.0), st.floats(0.05, 0.95))
def test_two_short_ticks_are_one_long_one(
    offset: float, rate: float, push: float, frequency: float, damping: float
) -> None:
    angular = 2.0 * pi * frequency
    short, long = oscillation(angular, damping, 1.0 / 240.0), oscillation(angular, damping, 1 / 120)
    twice = pushed(short, *pushed(short, offset, rate, push), push)
    once = pushed(long, offset, rate, push)
    size = abs(offset) + abs(rate) / angular + abs(push) / angular**2
    np.testing.assert_allclose(twice, once, atol=1e-12 * size * angular)


def test_without_weight_a_body_is_where_it_is_planned() -> None:
    for snapshot in walk(flat_world("hexapod", "forward 2; left 2", weight=0.0), 200):
        assert carried(snapshot).max() == 0.0


@pytest.mark.parametrize("creature", ["hexapod", "biped", "centipede"])
def test_a_body_at_rest_is_where_it_is_planned(creature: str) -> None:
    *_, last = walk(at_rest(flat_world(creature, "forward 2; stop 6")), 480)
    assert carried(last).max() < 1e-4


def test_a_body_leans_ahead_as_it_sets_out_and_overshoots_once_as_it_stops() -> None:
    states = list(walk(at_rest(flat_world("hexapod", "forward 3; stop 3")), 360))
    x = np.array([state.creatures[0].position[0] for state in states])
    planned = np.array(
        [s.herds[0].parts["suspension"]["records"]["position"][0, 0, 0] for s in states]
    )
    off = x - planned
    assert off[2:12].max() > 0.5e-3
    after = x[180:] - x[-1]
    assert 0.3e-3 < after.max() < 20e-3


@pytest.mark.parametrize("kind", ["reverse", "random"])
def test_feet_of_a_carried_body_stay_where_they_stand(kind: str) -> None:
    stand: dict[int, Floats] = {}
    for snapshot in thrown_about(flat_world("ant", "stop 1"), kind, 300):
        creature = snapshot.creatures[0]
        for leg, phase in enumerate(creature.feet["phase"]):
            tip = creature.joints[leg, -1]
            if phase == 0:
                assert np.abs(tip - stand.setdefault(leg, tip)).max() < 1e-6
            else:
                stand.pop(leg, None)


@pytest.mark.parametrize("kind", ["reverse", "strafe"])
def test_joints_of_a_carried_trunk_bend_as_far_as_they_may_and_nothing_snaps(kind: str) -> None:
    world = flat_world("centipede", "stop 1")
    bend = world.species["centipede"].trunk[1].bend
    before = None
    for snapshot in thrown_about(world, kind, 400):
        turned = snapshot.herds[0].parts["body"]["records"]["orientation"][0].copy()
        noses = rotation_matrices(turned)[..., 0]
        bends = np.arccos(np.minimum(1.0, (noses[1:] * noses[:-1]).sum(axis=1)))
        assert bends.max() <= bend + 1e-6
        if before is not None:
            assert np.degrees(rotation_angles(before, turned)).max() < 2.0
        before = turned


@pytest.mark.slow
def test_legs_of_a_carried_trunk_reach_feet_that_it_comes_too_near_to() -> None:
    for snapshot in thrown_about(flat_world("millipede", "stop 1"), "strafe", 300):
        creature = snapshot.creatures[0]
        stands = creature.feet["phase"] == 0
        tips, feet = creature.joints[stands, -1], creature.feet["position"][stands]
        assert np.abs(tips - feet).max() < 1e-6


@pytest.mark.slow
def test_a_body_gives_way_softly_to_a_hind_foot_that_leaves_far_behind_it() -> None:
    """It is turned by four degrees as that lifts, on the way up a box, and comes back at once."""
    states = list(walk(scene("proving_ground", "hexapod"), 1640))[1600:]
    turned = np.array([state.creatures[0].orientation for state in states])
    assert np.degrees(rotation_angles(turned[:-1], turned[1:])).max() < 2.0
