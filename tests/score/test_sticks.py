"""What sticks thrown about and resets must not count as: slips, lost rhythm, bob, getting stuck."""

from collections.abc import Iterable, Iterator
from itertools import islice

import numpy as np
import pytest

from creature_sim.ground.rays import Physics
from creature_sim.inputs import Event, Input
from creature_sim.maths.geometry import rotation_angles
from creature_sim.score import Metric, Surface, Track, score_track, tracks
from creature_sim.score.bodies import asked_path
from creature_sim.score.reading import spans
from creature_sim.simulation import Simulation
from creature_sim.snapshots.snapshot import Snapshot
from creature_sim.terrain import build_terrain
from tests.scenes import scene
from tests.tools.sticks import sticks


def measured(world: str, creature: str, inputs: Iterable[Input]) -> tuple[Track, dict[str, Metric]]:
    """A walk under these inputs, and its metrics."""
    made = scene(world, creature)

    def states() -> Iterator[Snapshot]:
        with Simulation(made) as simulation:
            yield simulation.snapshot
            for given in inputs:
                simulation.step(given)
                yield simulation.snapshot

    (track,) = tracks(states(), made.tick_rate)
    with Physics(build_terrain(made.terrain, made.seed)) as physics:
        return track, score_track(track, Surface(physics), made)


def fails(metrics: dict[str, Metric]) -> list[str]:
    return [number for number, metric in metrics.items() if metric.verdict == "fail"]


@pytest.mark.slow
def test_a_reset_is_no_slip_and_no_pop() -> None:
    def given() -> Iterator[Input]:
        for tick, noise in enumerate(islice(sticks("noise", 1), 500)):
            events = (Event("reset", 0),) if tick in (150, 333) else ()
            yield Input(noise.commands, events)

    track, metrics = measured("hills", "hexapod", given())
    assert np.flatnonzero(track.is_put_back).tolist() == [151, 334]
    assert not fails(metrics)


@pytest.mark.slow
def test_noise_at_every_tick_makes_no_foot_slip_and_asks_nobody_to_get_far() -> None:
    track, metrics = measured("meadow", "hexapod", islice(sticks("noise", 0), 900))
    assert metrics["M1"].verdict == metrics["M2"].verdict == "excellent"
    assert metrics["M16"].verdict == "excellent"
    assert asked_path(track) < 0.5 * np.linalg.norm(track.wanted[:, :2], axis=1).sum() / 60.0


@pytest.mark.slow
def test_a_steady_command_asks_for_its_whole_path() -> None:
    track, _ = measured("meadow", "hexapod", [Input.of([(1.0,)])] * 300)
    speed = float(np.linalg.norm(track.wanted[-1, :2]))
    setting_out = 0.5 * speed**2 / float(track.plan.body[0].acceleration)
    assert asked_path(track) == pytest.approx(speed * 5.0 - setting_out, rel=0.01)


@pytest.mark.slow
def test_other_speeds_have_another_duty_factor_and_the_same_rhythm() -> None:
    given = [Input.of([(pace,)]) for pace in (1.0, 0.4, 0.7) for _ in range(480)]
    track, metrics = measured("meadow", "hexapod", given)
    assert np.ptp(track.duty_factor[480:]) > 0.05
    assert metrics["M10"].verdict == "excellent"


@pytest.mark.slow
def test_who_is_told_to_crouch_does_not_bob() -> None:
    given = [Input.of([(0.5, 0.0, 0.0, height)]) for height in (0.0, -1.0) for _ in range(300)]
    _, metrics = measured("planet", "hexapod", given)
    assert metrics["M12"].verdict in ("excellent", "pass")


def test_runs_of_flags_end_at_cuts() -> None:
    flags = np.array([[True, True, True, False, True, True]]).T
    cuts = np.array([False, True, False, True, True, False])
    assert list(spans(flags, cuts)) == [(0, 0, 1), (0, 1, 3), (0, 4, 6)]


@pytest.mark.parametrize(
    "creature", ["centipede", pytest.param("millipede", marks=pytest.mark.slow)]
)
def test_a_bent_trunk_goes_aside_and_back_as_it_is_told(creature: str) -> None:
    """Bent in a curve, then pushed aside and a little back: no segment swings round."""
    axes = [(0.6, 1.0)] * 360 + [(-0.2, 0.0, -0.8)] * 240
    track, metrics = measured("meadow", creature, [Input.of([given]) for given in axes])
    turned = np.degrees(rotation_angles(track.orientations[:-1], track.orientations[1:]))
    assert turned.max() < 2.0
    off = track.velocity[-60:] - track.wanted[-60:, :2]
    assert np.linalg.norm(off, axis=1).mean() < 0.12 * np.linalg.norm(track.wanted[-1, :2])
    assert metrics["M13"].verdict != "fail"
