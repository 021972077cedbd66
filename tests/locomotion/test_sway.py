"""Bodies over few feet: what catches a falling one, and how it sways from foot to foot."""

from functools import cache
from math import cosh, exp, sinh

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from creature_sim.definitions import CreatureDef
from creature_sim.inputs import Input
from creature_sim.library.loader import load_creature, load_world
from creature_sim.library.variants import with_creature
from creature_sim.locomotion.capture import capture_margin
from creature_sim.maths import Floats
from creature_sim.maths.geometry import rotation_matrices
from creature_sim.score import Track, tracks
from creature_sim.score.support import support_margin
from creature_sim.simulation import Simulation
from creature_sim.snapshots.snapshot import Snapshot
from tests.scenes import scene, share_inside

metres = st.floats(-1.0, 1.0)


def fallen_from(start: float, rate: float, pressed: float, fall: float, time: float) -> float:
    """The extrapolated centre of mass of x'' = w^2 (x - p) after a time, in closed form."""
    x = pressed + (start - pressed) * cosh(fall * time) + rate / fall * sinh(fall * time)
    v = (start - pressed) * fall * sinh(fall * time) + rate * cosh(fall * time)
    return x + v / fall


@pytest.mark.slow
@given(metres, metres, metres, st.floats(2.0, 8.0), st.floats(0.05, 0.6))
def test_a_pendulum_is_caught_where_the_margin_says_so(
    start: float, rate: float, next_foot: float, fall: float, time: float
) -> None:
    """Standing on a sole from -0.1 to 0.1, with the next one of that size about `next_foot`."""
    now = np.array([(-0.1, 0.0), (0.1, 0.0)])
    later = now + np.array([(next_foot, 0.0)])
    landed = [fallen_from(start, rate, p, fall, time) for p in (-0.1, 0.1)]
    reach = max(min(landed), next_foot - 0.1) - min(max(landed), next_foot + 0.1)
    if abs(reach) > 1e-6:  # the two stretches overlap, or do not
        off = capture_margin(now, 2, later, 2, exp(-fall * time), start + rate / fall, 0.0)
        assert (off >= -1e-9) == (reach < 0.0)


@pytest.mark.slow
@given(st.floats(0.0, 1.0), st.floats(0.1, 1.0), st.integers(0, 15))
def test_the_margin_between_two_points_is_the_distance_from_the_point_between(
    fraction: float, apart: float, way: int
) -> None:
    now, later = np.zeros((1, 2)), np.array([(apart, 0.0)])
    angle = 2.0 * np.pi * way / 16.0
    x, y = fraction * apart + 0.3 * np.cos(angle), 0.3 * np.sin(angle)
    assert capture_margin(now, 1, later, 1, fraction, x, y) == pytest.approx(-0.3, abs=1e-9)
    assert capture_margin(now, 0, later, 1, fraction, x, y) == -np.inf


@cache
def walked(creature: str, forward: float, world: str = "meadow") -> Track:
    """Fifteen seconds straight ahead."""
    with Simulation(scene(world, creature)) as simulation:

        def states() -> list[Snapshot]:
            found = [simulation.snapshot]
            for _ in range(900):
                simulation.step(Input.of([(forward,)]))
                found.append(simulation.snapshot)
            return found

        return tracks(states(), 60)[0]


def sideways(track: Track) -> tuple[Floats, Floats]:
    """Where the body is aside of its course, without its drift, and on which side one foot stands.

    The course is straight; the body itself yaws a little with its steps.
    """
    left = rotation_matrices(track.orientation)[300:, :, 1].mean(axis=0)
    left[2] = 0.0
    y = track.position[300:] @ left
    alone = track.is_swinging[300:, 1].astype(int) - track.is_swinging[300:, 0]
    return y - np.convolve(y, np.ones(61) / 61, "same"), alone


@pytest.mark.slow
def test_a_biped_sways_over_the_foot_that_stands_the_slower_the_more() -> None:
    sizes = []
    for forward in (1.0, 0.6):
        y, alone = (part[60:-60] for part in sideways(walked("biped", forward)))
        assert y[alone > 0].mean() > 0.003 > -0.003 > y[alone < 0].mean()
        sizes.append(np.ptp(y))
    assert sizes[1] > 1.25 * sizes[0] > 0.014


@pytest.mark.slow
def test_the_side_of_the_swinging_leg_drops() -> None:
    track = walked("biped", 1.0)
    _, alone = sideways(track)
    roll = np.degrees(np.arcsin(rotation_matrices(track.orientation)[300:, 2, 1]))
    assert 1.0 < roll.max() < 5.0
    late = np.roll(alone, 6)  # it turns no faster than bodies do
    assert roll[late > 0].mean() > 0.3 > -0.3 > roll[late < 0].mean()


@pytest.mark.slow
@pytest.mark.parametrize("world", ["meadow", "hills"])
def test_spider4_crawls_slowly_with_its_weight_over_three_feet(world: str) -> None:
    track = walked("spider4", 0.4, world)
    assert track.is_static[2:].all()  # at rest it settles as those do that trot
    assert (track.is_swinging.sum(axis=1) <= 1).mean() > 0.98
    margins = support_margin(track)
    assert (margins > 0.0).mean() >= 0.95
    lifts = [first for _, first, _ in track.swings() if first > 120]
    assert len(lifts) > 8
    assert (margins[lifts] > 0.0).mean() >= 0.9, "the weight is over the others before a foot lifts"


@pytest.mark.slow
def test_spider4_trots_at_full_speed() -> None:
    track = walked("spider4", 1.0)
    swings = track.is_swinging[180:]
    assert not track.is_static[180:].any()
    assert (swings[:, 0] == swings[:, 3]).mean() > 0.95
    assert (swings[:, 1] == swings[:, 2]).mean() > 0.95
    assert (swings[:, 0] & swings[:, 1]).mean() < 0.02
    assert share_inside(track) >= 0.95


@pytest.mark.slow
def test_any_four_legs_that_pace_sway_from_side_to_side() -> None:
    plan = load_creature("spider4").model_dump()
    plan["gait"] = {"kind": "phase", "pattern": "pace", "stride_length": 0.5, "step_height": 0.1}
    made = with_creature(load_world("meadow"), CreatureDef(**plan))
    with Simulation(made.model_copy(update={"driver": "forward 9"})) as simulation:
        states = [simulation.snapshot]
        for _ in range(540):
            simulation.step()
            states.append(simulation.snapshot)
    (track,) = tracks(states, 60)
    assert share_inside(track, 120) >= 0.95
    assert np.ptp(track.position[300:, 1]) > 0.1
