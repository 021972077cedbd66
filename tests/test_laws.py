"""Laws of whole simulations: what a creature does depends on itself and its ground alone."""

from functools import cache
from itertools import pairwise
from math import atan2, cos, pi, sin
from random import Random
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from creature_sim.definitions import PlacementDef, WorldDef
from creature_sim.inputs import Event, Input
from creature_sim.maths import Floats
from creature_sim.replay import Recorder, open_replay, verify
from creature_sim.simulation import Simulation
from creature_sim.snapshots.poses import Pose, blend, pose_of
from tests.scenes import scene, walk

SITES = ((3.0, 4.0), (-5.0, 2.0), (0.0, -8.0), (9.0, 9.0), (-7.0, -7.0))
KINDS = ("hexapod", "spider4")
DRIVE = "forward 0.3; forward left 0.3; back strafe-right 9"


def peopled(creatures: list[tuple[str, int]]) -> WorldDef:
    """Creatures at sites on stairs; all are driven alike."""
    plans = {kind: plan for kind in KINDS for plan in [scene("stairs", kind).species[kind]]}
    placements = tuple(
        PlacementDef(creature=kind, position=SITES[site]) for kind, site in creatures
    )
    used = {kind for kind, _ in creatures}
    return scene("stairs", "hexapod", driver=DRIVE).model_copy(
        update={
            "creatures": placements,
            "species": {kind: plan for kind, plan in plans.items() if kind in used},
        }
    )


def digests_of(creatures: list[tuple[str, int]], ticks: int = 40) -> dict[tuple[str, int], object]:
    """Digests of every creature after some ticks."""
    with Simulation(peopled(creatures)) as simulation:
        for _ in range(ticks):
            simulation.step()
        return dict(zip(creatures, simulation.snapshot.digests, strict=True))


herds = st.permutations(range(len(SITES))).flatmap(
    lambda sites: st.tuples(*[st.tuples(st.sampled_from(KINDS), st.just(site)) for site in sites])
)


@pytest.mark.slow
@settings(max_examples=8)
@given(herds, st.integers(1, 4), st.randoms(use_true_random=False))
def test_a_creature_does_not_depend_on_its_place_in_the_list_nor_on_who_else_is_there(
    herd: tuple[tuple[str, int], ...], count: int, random: Random
) -> None:
    expected = digests_of(list(herd))
    some = random.sample(list(herd), count)
    found = digests_of(some)
    assert found == {creature: expected[creature] for creature in some}
    assert len({str(parts) for parts in expected.values()}) == len(herd)


axes = st.tuples(*[st.floats(-1.0, 1.0)] * 4)
happenings = st.one_of(
    st.builds(Event, st.just("reset"), st.integers(0, 1)),
    st.builds(Event, st.just("disable_leg"), st.integers(0, 1), leg=st.integers(0, 3)),
    st.builds(
        Event,
        st.just("push"),
        st.integers(0, 1),
        velocity=st.tuples(*[st.floats(-1.0, 1.0)] * 3),
    ),
)
runs = st.lists(
    st.tuples(st.tuples(axes, axes), st.lists(happenings, max_size=2), st.integers(1, 15)),
    min_size=1,
    max_size=5,
)
"""Commands and events, and for how many ticks a command holds."""


@pytest.mark.slow
@settings(max_examples=8)
@given(runs)
def test_any_run_is_recorded_as_it_was_and_verifies(
    tmp_path_factory: pytest.TempPathFactory,
    run: list[tuple[tuple[tuple[float, ...], ...], list[Event], int]],
) -> None:
    path = tmp_path_factory.mktemp("laws") / "run.mcap"
    inputs = [
        Input.of(commands, events if tick == 0 else ())
        for commands, events, ticks in run
        for tick in range(ticks)
    ]
    with Simulation(peopled([("hexapod", 0), ("spider4", 1)])) as simulation:
        with Recorder(path, simulation) as recorder:
            for given_input in inputs:
                simulation.step(given_input)
                recorder.write(given_input, simulation.snapshot)
        digest = simulation.digest
    assert list(open_replay(path).inputs) == inputs
    proof = verify(path)
    assert proof.ok is True
    assert proof.digest == digest
    assert proof.ticks == len(inputs)


def flat_at(x: float, y: float, heading: float, **changes: object) -> WorldDef:
    """A hexapod on level ground, somewhere and turned somehow."""
    made = scene("meadow", "hexapod", driver="forward 0.5; forward left 9", **changes)
    placement = PlacementDef(creature="hexapod", position=(x, y), heading=heading)
    terrain = made.terrain.model_copy(update={"amplitude": 0.0})
    return made.model_copy(update={"creatures": (placement,), "terrain": terrain})


def trace(world: WorldDef, ticks: int) -> tuple[Floats, Floats]:
    """Positions (T, 3) and feet (T, L, 3)."""
    positions, tips = [], []
    with Simulation(world) as simulation:
        for _ in range(ticks):
            simulation.step()
            positions.append(simulation.snapshot.creatures[0].position)
            tips.append(simulation.snapshot.creatures[0].tips)
    return np.array(positions), np.array(tips)


@pytest.mark.slow
@settings(max_examples=8)
@given(st.floats(-15, 15), st.floats(-15, 15), st.floats(-pi, pi))
def test_a_walk_on_level_ground_is_moved_and_turned_with_its_start(
    x: float, y: float, heading: float
) -> None:
    with patch("creature_sim.spawn.herds.seed_of", return_value=0):  # or their strokes differ
        here, there = (trace(flat_at(*start), 90) for start in ((0.0, 0.0, 0.0), (x, y, heading)))
    turn = np.array(
        [(cos(heading), -sin(heading), 0.0), (sin(heading), cos(heading), 0.0), (0.0, 0.0, 1.0)]
    )
    for found, expected in zip(there, here, strict=True):
        # Ties within a micrometre fall either way.
        assert abs(found - (expected @ turn.T + (x, y, 0.0))).max() < 1e-5
    assert np.linalg.norm(here[0][-1]) > 0.3


@pytest.mark.slow
@settings(max_examples=6)
@given(st.lists(axes, min_size=2, max_size=4))
def test_legs_keep_their_lengths_and_bodies_their_pace_whatever_is_asked(
    run: list[tuple[float, ...]],
) -> None:
    with Simulation(scene("hills", "hexapod")) as simulation:
        creature = simulation.snapshot.creatures[0]
        bones = [np.array(leg.bones) for leg in creature.definition.all_legs]
        fastest = creature.definition.motion.speed / 60.0
        for command in run:
            for _ in range(20):
                before = simulation.snapshot.creatures[0]
                simulation.step(Input.of([command]))
                after = simulation.snapshot.creatures[0]
                assert np.linalg.norm(after.position - before.position) < 1.5 * fastest
                for joints, lengths in zip(after.joints, bones, strict=True):
                    found = np.linalg.norm(np.diff(joints[: len(lengths) + 1], axis=0), axis=1)
                    assert found == pytest.approx(lengths, rel=1e-9)


@pytest.mark.slow
@given(st.integers(0, 29), st.floats(0.0, 1.0), st.floats(0.0, 1.0))
def test_a_pose_between_two_lies_between_them(tick: int, first: float, second: float) -> None:
    poses = walked_poses()
    before, after = poses[tick], poses[tick + 1]
    low, high = sorted((first, second))
    ways = [blend(before, after, share).herds[0].positions - before.herds[0].positions
            for share in (0.0, low, high, 1.0)]  # fmt: skip
    whole = after.herds[0].positions - before.herds[0].positions
    assert abs(ways[0]).max() < 1e-12
    assert abs(ways[3] - whole).max() < 1e-12
    lengths = [float(np.linalg.norm(way)) for way in ways]
    assert all(a <= b + 1e-12 for a, b in pairwise(lengths))
    for way, share in zip(ways, (0.0, low, high, 1.0), strict=True):
        assert abs(way - share * whole).max() < 1e-9


@cache
def walked_poses() -> tuple[Pose, ...]:
    return tuple(map(pose_of, walk(scene("meadow", "hexapod", driver="forward 9"), 30)))


@pytest.mark.slow
@settings(max_examples=10)
@given(st.floats(-pi, pi))
def test_a_creature_stands_as_it_is_turned(heading: float) -> None:
    with Simulation(flat_at(2.0, -3.0, heading)) as simulation:
        x, y, z, w = simulation.snapshot.creatures[0].orientation
    assert abs(x) + abs(y) < 1e-6
    assert abs((2.0 * atan2(z, w) - heading + pi) % (2.0 * pi) - pi) < 1e-6
