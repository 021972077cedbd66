"""Named gaits: closed forms of when legs lift, and creatures that walk by them."""

from itertools import pairwise

import numpy as np
import pytest

from creature_sim.components import STANDING
from creature_sim.components.arrays import herds
from creature_sim.definitions import CreatureDef
from creature_sim.definitions.patterns import PATTERNS, duty_factor, offsets
from creature_sim.inputs import Input
from creature_sim.library.loader import load_creature
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.prediction import home_ahead
from creature_sim.locomotion.steps import is_worth_it
from creature_sim.locomotion.swing import seconds_to_touchdown
from creature_sim.maths import add, put, quat, rotate, sub, vec
from creature_sim.score import tracks
from creature_sim.simulation import Simulation
from tests.scenes import scene, walk


def legs_of(pairs: int) -> list[tuple[int, bool]]:
    return [(pair, is_right) for pair in range(pairs) for is_right in (False, True)]


def airborne(pattern: str, pairs: int) -> np.ndarray:
    """Whether each leg swings, (1000, 2 * pairs), over a cycle."""
    duty = duty_factor(pattern, pairs)
    phases = (np.arange(1000) + 0.5) / 1000.0
    places = (phases[:, None] + np.array(offsets(pattern, legs_of(pairs), duty))) % 1.0
    swings: np.ndarray = places >= duty
    return swings


@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("pairs", [2, 3, 4, 10, 20])
def test_offsets_are_phases_and_every_leg_swings_as_long(pattern: str, pairs: int) -> None:
    duty = duty_factor(pattern, pairs)
    assert 0.0 < duty < 1.0
    assert all(0.0 <= offset < 1.0 for offset in offsets(pattern, legs_of(pairs), duty))
    assert airborne(pattern, pairs).mean(axis=0) == pytest.approx(1.0 - duty, abs=2e-3)


@pytest.mark.parametrize("pairs", [2, 3, 6, 20])
def test_a_wave_lifts_one_leg_at_a_time_from_behind_forward(pairs: int) -> None:
    swings = airborne("wave", pairs)
    assert swings.sum(axis=1).max() == 1
    order = [int(np.argmax(row)) for row in swings]
    left = [leg // 2 for leg, _ in pairwise([*order, -1]) if leg % 2 == 0]
    changes = [a for a, b in pairwise([*left, -1]) if a != b]
    assert changes == sorted(changes, reverse=True)


@pytest.mark.parametrize("pattern", ["ripple", "tripod", "metachronal", "wave"])
@pytest.mark.parametrize("pairs", [3, 4, 10, 20])
def test_neighbours_and_pairs_never_swing_together(pattern: str, pairs: int) -> None:
    swings = airborne(pattern, pairs)
    assert not (swings[:, 0::2] & swings[:, 1::2]).any()
    for side in (swings[:, 0::2], swings[:, 1::2]):
        assert not (side[:, 1:] & side[:, :-1]).any()


def test_gaits_of_four_legs_pair_them_as_named() -> None:
    front_left, front_right, hind_left, hind_right = range(4)
    together = {
        "trot": [(front_left, hind_right), (front_right, hind_left)],
        "pace": [(front_left, hind_left), (front_right, hind_right)],
        "bound": [(front_left, front_right), (hind_left, hind_right)],
    }
    for pattern, pairs in together.items():
        swings = airborne(pattern, 2)
        for a, b in pairs:
            assert (swings[:, a] == swings[:, b]).all()
    assert airborne("amble", 2).sum(axis=1).max() <= 2


def with_gait(creature: str, **gait: object) -> CreatureDef:
    table = load_creature(creature).model_dump()
    shared = {"kind": "phase", "stride_length": 0.36, "step_height": 0.08}
    table["gait"] = shared | gait
    return CreatureDef.model_validate(table)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("creature", "pattern"),
    [("hexapod", "wave"), ("hexapod", "ripple"), ("hexapod", "metachronal"), ("spider8", "tripod")]
    + [("spider4", pattern) for pattern in ("amble", "trot", "pace", "bound")],
)
def test_creatures_walk_by_named_gaits(creature: str, pattern: str) -> None:
    plan = with_gait(creature, pattern=pattern)
    world = scene("meadow", creature, driver="forward 12")
    world = world.model_copy(update={"species": {creature: plan}})
    (track,) = tracks(walk(world, 540), 60)
    assert track.position[-1, 0] > 2.25
    assert (~track.is_swinging[240:]).mean() == pytest.approx(plan.cycle()[1], abs=0.05)


@pytest.mark.parametrize(
    ("gait", "message"),
    [
        ({"pattern": "trot"}, "expected 4 legs for 'trot', found 6"),
        ({"pattern": "tripod", "offsets": (0.0,) * 6}, "expected none beside pattern 'tripod'"),
        ({"offsets": (0.0,) * 6}, "gait.duty_factor: expected a number"),
        ({}, "gait: expected a pattern, or offsets of leg_pairs, found neither"),
        ({"pattern": "hop"}, "wave"),
    ],
)
def test_gaits_that_do_not_fit_are_refused(gait: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        with_gait("hexapod", **gait)


@pytest.mark.slow
@pytest.mark.parametrize("creature", ["hexapod", "ant"])
def test_a_tripod_sets_out_with_three_legs_at_once(creature: str) -> None:
    (track,) = tracks(walk(scene("meadow", creature, driver="forward 9"), 120), 60)
    up = track.is_swinging.sum(axis=1)
    first = int(np.argmax(up > 0))
    assert first < 12
    assert up[first + 4] == 3
    legs = np.flatnonzero(track.is_swinging[first + 4])
    assert legs.tolist() in ([0, 3, 4], [1, 2, 5])  # of a side the first and last, and one between


@pytest.mark.parametrize(("speed", "steps"), [(0.35, True), (1.0, False)], ids=["crawl", "trot"])
def test_late_in_its_turn_a_foot_of_a_crawl_still_steps(speed: float, steps: bool) -> None:
    """Of a trot it may have stepped already, and has another turn soon."""
    with Simulation(scene("meadow", "spider4")) as simulation:
        for _ in range(200):
            simulation.step(Input.of([(speed, 0.0, 0.0)]))
        with simulation.context():
            ((_, plan, (_, legs, bodies, gaits, feet, holds)),) = herds()
        creature = Creature(plan.body[0], legs, bodies[0], gaits[0], feet[0], holds[0])
        i = int(np.flatnonzero(feet["phase"][0] == STANDING)[0])
        foot, gait, turn = feet[0, i], gaits[0], quat(bodies[0, 0].orientation)
        lands = seconds_to_touchdown(plan.body[0], gait, foot)
        later = sub(home_ahead(creature, i, lands), home_ahead(creature, i, 0.0))
        away = add(later, (0.4 * gait.stroke, 0.0, 0.0))
        put(holds[0, i].aim, add(vec(foot.position), rotate(turn, away)))
        late = gait.duty_factor + 0.9 * (1.0 - gait.duty_factor)
        assert bool(gait.is_static) == steps
        assert is_worth_it(creature, i, (late - foot.phase_offset) % 1.0) == steps


@pytest.mark.slow
def test_slow_feet_stand_for_more_of_the_cycle() -> None:
    shares = {}
    for forward in (0.15, 1.0):
        with Simulation(scene("meadow", "hexapod")) as simulation:
            states = []
            for _ in range(900):
                simulation.step(Input.of([(forward,)]))
                states.append(simulation.snapshot)
        (track,) = tracks(states, 60)
        shares[forward] = (~track.is_swinging[300:]).mean()
        assert shares[forward] == pytest.approx(states[-1].creatures[0].gait.duty_factor, abs=0.05)
        assert max(b - a for _, a, b in track.swings()) <= 0.45 * 60  # none hangs in the air
    assert shares[0.15] > shares[1.0] + 0.2


@pytest.mark.parametrize("creature", [pytest.param("spider8", marks=pytest.mark.slow), "biped"])
def test_planted_feet_keep_their_heading_while_the_body_turns(creature: str) -> None:
    states = walk(scene("meadow", creature, driver="forward left 9"), 300)
    before, turned = None, 0.0
    for state in states:
        now = state.creatures[0]
        if before is not None:
            for was, foot in zip(before.feet, now.feet, strict=True):
                change = float(np.linalg.norm(foot.heading - was.heading))
                if was.phase != STANDING or foot.phase != STANDING:
                    turned = max(turned, change)
                else:
                    assert change == 0.0
        before = now
    assert 0.01 < turned < 0.08
