"""The walk is a walk: measured on solved joints, for every creature on every world."""

from functools import cache

import numpy as np
import pytest

from creature_sim.components import STANDING
from creature_sim.definitions import WorldDef
from creature_sim.inputs import Event, Input
from creature_sim.simulation import Simulation
from creature_sim.terrain import HALF_SIZE
from tests.marks import THOROUGH
from tests.rays import rays_on
from tests.scenes import CREATURES, WORLDS, Footprints, at_rest, herd, scene, walk

everywhere = pytest.mark.parametrize(
    ("world", "creature"), [(world, creature) for world in WORLDS for creature in CREATURES]
)
lasting = pytest.mark.parametrize("seconds", [10, pytest.param(60, marks=THOROUGH)], scope="module")


@cache
def wandered(world: str, creature: str, seconds: int) -> tuple[WorldDef, Footprints]:
    made = scene(world, creature)
    return made, Footprints(walk(made, 60 * seconds))


@pytest.mark.slow
@lasting
@everywhere
def test_it_gets_somewhere(world: str, creature: str, seconds: int) -> None:
    _, prints = wandered(world, creature, seconds)
    steps = np.linalg.norm(np.diff(prints.positions, axis=0), axis=1)
    assert steps.sum() > 0.25 * seconds
    assert steps.max() < 0.05
    assert sum(1 for _ in prints.stances()) > 1.7 * seconds


@pytest.mark.slow
@lasting
@everywhere
def test_standing_feet_do_not_move(world: str, creature: str, seconds: int) -> None:
    _, prints = wandered(world, creature, seconds)
    stances = list(prints.stances())
    assert {leg for leg, *_ in stances} == set(range(len(prints.legs)))
    for leg, first, last in stances:
        drift = np.linalg.norm(prints.tips[first:last, leg] - prints.tips[first, leg], axis=1)
        assert drift.max() <= 0.005 * prints.reach[leg]


@lasting
@everywhere
def test_feet_touch_down_on_the_surface(world: str, creature: str, seconds: int) -> None:
    made, prints = wandered(world, creature, seconds)
    stances = list(prints.stances())
    tips = np.array([prints.tips[first, leg] for leg, first, _ in stances])
    normals = np.array([prints.feet["goal_normal"][first, leg] for leg, first, _ in stances])
    reach = np.array([prints.reach[leg] for leg, _, _ in stances])
    length, nearest = 0.2, np.full(len(tips), np.inf)
    for aside in ((0, 0, 0), (1e-3, 0, 0), (-1e-3, 0, 0), (0, 1e-3, 0), (0, -1e-3, 0)):
        starts = tips + length * normals + aside  # a foot may stand on the very edge of a box
        ends = starts - 2.0 * length * normals
        fractions, _ = rays_on(made.terrain, made.seed).cast(starts, ends)
        nearest = np.minimum(nearest, abs(length - 2.0 * length * fractions))
    assert (nearest <= 0.003 * reach).all()


@lasting
@everywhere
def test_feet_in_the_air_stay_above_the_ground(world: str, creature: str, seconds: int) -> None:
    made, prints = wandered(world, creature, seconds)
    up = np.array([0.0, 0.0, 0.5])
    tips = prints.tips[::2][prints.is_swinging[::2]]
    reach = np.broadcast_to(prints.reach, prints.is_swinging.shape)[::2][prints.is_swinging[::2]]
    fractions, _ = rays_on(made.terrain, made.seed).cast(tips + up, tips - up)
    depth = 0.5 - fractions
    assert (depth <= 0.03 * reach).all()
    assert (depth > 1e-4).mean() < 0.01


@lasting
@everywhere
def test_bones_keep_their_lengths(world: str, creature: str, seconds: int) -> None:
    _, prints = wandered(world, creature, seconds)
    for index, leg in enumerate(prints.legs):
        joints = prints.joints[:, index, : len(leg.bones) + 1]
        lengths = np.linalg.norm(np.diff(joints, axis=1), axis=2)
        assert abs(lengths / leg.bones - 1.0).max() <= 1e-9


@lasting
@everywhere
def test_legs_are_never_outrun(world: str, creature: str, seconds: int) -> None:
    _, prints = wandered(world, creature, seconds)
    stretch = np.linalg.norm(prints.tips - prints.joints[:, :, 0], axis=2) / prints.reach
    assert stretch[~prints.is_swinging].max() <= 0.98


@lasting
@everywhere
def test_body_stays_above_the_ground_and_near_it(world: str, creature: str, seconds: int) -> None:
    made, prints = wandered(world, creature, seconds)
    ends = prints.positions - (0.0, 0.0, 5.0)
    fractions, _ = rays_on(made.terrain, made.seed).cast(prints.positions, ends)
    ride = prints.definition.body.ride_height
    assert (fractions < 1.0).all()
    assert (5.0 * fractions).min() > 0.4 * ride
    assert (5.0 * fractions).max() < 2.0 * ride


@lasting
@everywhere
def test_knees_bend_to_the_poles_side(world: str, creature: str, seconds: int) -> None:
    _, prints = wandered(world, creature, seconds)
    ups = np.array([[0, 0, 1.0]])
    chord = prints.tips - prints.joints[:, :, 0]
    chord /= np.linalg.norm(chord, axis=2, keepdims=True)
    up = ups - (chord @ ups.T) * chord
    inner = prints.joints[:, :, 1:-1] - prints.joints[:, :, :1]
    assert np.einsum("tlk,tljk->tlj", up, inner).min() > -0.05


@lasting
@pytest.mark.parametrize("world", WORLDS)
def test_spider4_lifts_one_leg_per_side_and_never_a_pair(world: str, seconds: int) -> None:
    _, prints = wandered(world, "spider4", seconds)
    left, right = prints.is_swinging[:, 0::2], prints.is_swinging[:, 1::2]
    assert left.sum(axis=1).max() <= 1
    assert right.sum(axis=1).max() <= 1
    assert not (left & right).any()


@lasting
@pytest.mark.parametrize("world", WORLDS)
def test_spider8_never_lifts_both_of_a_pair(world: str, seconds: int) -> None:
    _, prints = wandered(world, "spider8", seconds)
    assert not (prints.is_swinging[:, 0::2] & prints.is_swinging[:, 1::2]).any()


@pytest.mark.slow
def test_tripod_of_the_hexapod() -> None:
    prints = Footprints(walk(scene("meadow", "hexapod", driver="forward 20"), 1200))
    swings = prints.is_swinging[300:]
    first, second = swings[:, [0, 3, 4]], swings[:, [1, 2, 5]]
    assert swings.mean() == pytest.approx(1.0 - 0.55, abs=0.05)
    assert (first.all(axis=1) | ~first.any(axis=1)).mean() > 0.9
    assert (first.any(axis=1) & second.any(axis=1)).mean() < 0.05


@pytest.mark.slow
def test_swings_rise_over_the_ground_and_end_softly() -> None:
    prints = Footprints(walk(scene("meadow", "spider4", driver="forward 10"), 600))
    swings = 0
    for leg in range(4):
        flying = prints.is_swinging[:, leg]
        begins = np.flatnonzero(flying[1:] & ~flying[:-1]) + 1
        for begin in begins:
            end = begin + int(np.argmin(flying[begin:])) if not flying[begin:].all() else None
            if end is None:
                continue
            path = prints.tips[begin - 1 : end + 1, leg]
            rise = path[:, 2] - np.linspace(path[0, 2], path[-1, 2], len(path))
            assert rise.max() > 0.08
            swings += 1
    assert swings > 20


@pytest.mark.slow
def test_commands_move_and_turn_the_body() -> None:
    def end_of(driver: str) -> tuple[np.ndarray, np.ndarray]:
        for snapshot in walk(scene("meadow", "hexapod", driver=driver), 300):
            creature = snapshot.creatures[0]
        return creature.position, creature.orientation

    ahead, straight = end_of("forward 9")
    behind, _ = end_of("back 9")
    _, left = end_of("left 9")
    _, right = end_of("right 9")
    assert ahead[0] > 2.5
    assert abs(ahead[1]) < 0.2
    assert behind[0] < -2.5
    assert abs(straight[2]) < 0.05
    assert 2.0 * np.arctan2(left[2], left[3]) > 2.0
    assert 2.0 * np.arctan2(right[2], right[3]) < -2.0


@pytest.mark.slow
@pytest.mark.parametrize("creature", CREATURES)
def test_stands_still_after_stopping(creature: str) -> None:
    made = at_rest(scene("stairs", creature, driver="forward left 3; stop 9"))
    prints = Footprints(walk(made, 60 * 8))
    assert not prints.is_swinging[-180:].any()
    assert np.ptp(prints.positions[-120:], axis=0).max() < 2e-4
    assert np.ptp(prints.tips[-120:], axis=0).max() < 2e-4


@pytest.mark.slow
@pytest.mark.parametrize("creature", CREATURES)
@pytest.mark.parametrize("world", ["meadow", "steps"])
def test_the_border_holds_the_body_back(creature: str, world: str) -> None:
    made = herd(world, creature, [(29.0, 10.0)], driver="forward 60")
    with Simulation(made) as simulation:
        for _ in range(900):
            simulation.step()
            creature_now = simulation.snapshot.creatures[0]
            assert abs(creature_now.tips[:, :2]).max() < HALF_SIZE
        at_border = creature_now.position[0]
        for _ in range(120):
            simulation.step()
        assert simulation.snapshot.creatures[0].position[0] == pytest.approx(at_border, abs=0.02)
    assert 30.0 < at_border < HALF_SIZE


@pytest.mark.slow
def test_violent_input_neither_stretches_legs_nor_breaks_the_walk() -> None:
    rng = np.random.default_rng(5)
    with Simulation(scene("steps", "spider8")) as simulation:
        for tick in range(1800):
            if tick % 6 == 0:
                axes = tuple(rng.choice([-1.0, 1.0], 2).tolist())
            simulation.step(Input.of([axes]))
            creature = simulation.snapshot.creatures[0]
            stretch = np.linalg.norm(creature.tips - creature.joints[:, 0], axis=1)
            reach = np.array([leg.reach for leg in creature.definition.all_legs])
            stands = creature.feet["phase"] == STANDING
            assert (stretch[stands] <= 0.98 * reach[stands]).all()


def test_reset_puts_a_creature_back() -> None:
    with Simulation(scene("hills", "hexapod", driver="forward 9")) as simulation:
        begin = simulation.snapshot.creatures[0].position
        for _ in range(120):
            simulation.step()
        assert np.linalg.norm(simulation.snapshot.creatures[0].position - begin) > 0.8
        simulation.step(Input.of([(0.0, 0.0)], [Event("reset", 0)]))
        assert np.linalg.norm(simulation.snapshot.creatures[0].position - begin) < 0.02


@pytest.mark.slow
def test_tick_rates_agree() -> None:
    ends = []
    for rate in (30, 60, 120):
        made = scene("meadow", "hexapod", driver="forward 4; forward left 3", tick_rate=rate)
        *_, last = walk(made, 7 * rate)
        ends.append(last.creatures[0].position)
    # A foot rests for two ticks before it rises: at 30 Hz the body waits a little longer for it.
    for end, part in ((ends[0], 0.025), (ends[2], 0.01)):
        assert np.linalg.norm(end - ends[1]) < part * 7 * 0.7
