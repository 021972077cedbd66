"""Any tick of a recording can be gone to, and is the state that was there."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from creature_sim.errors import ReplayCorrupt, SimulationError
from creature_sim.inputs import Event, Input
from creature_sim.library.loader import load_creature, load_world
from creature_sim.replay import (
    Divergence,
    Recorder,
    Replay,
    open_replay,
    record,
    verify,
    verify_in_parallel,
)
from creature_sim.simulation import Simulation
from creature_sim.snapshots.snapshot import Snapshot
from tests.replay.test_replay import rewritten
from tests.scenes import herd, scene

TICKS = 200


def ferry_of(simulation: Simulation) -> list[float]:
    """Where the largest of the moving props is [m]."""
    props = simulation.snapshot.props
    assert props is not None
    moving = [index for index, prop in enumerate(props.definitions) if prop.motion == "kinematic"]
    largest = max(moving, key=lambda index: props.definitions[index].size or (0.0, 0.0, 0.0))
    return [float(x) for x in props.records[largest].position]


def with_comings_and_goings(path: Path) -> None:
    """Record two creatures among others that come and go; some start on what moves."""
    props = tuple(prop for prop in load_world("platforms").props if prop.motion != "dynamic")
    made = herd("platforms", "spider4", [(0.0, 0.0), (4.0, 1.0)], props=props)
    with Simulation(made) as simulation, Recorder(path, simulation) as recorder:
        for tick in range(TICKS):
            if tick == 40:
                x, y, _ = ferry_of(simulation)
                simulation.spawn(load_creature("spider4"), (x, y))
                feet = simulation.snapshot.creatures[2].feet
                assert (feet["prop"] >= 0).any(), "nobody starts on what moves"
            if tick == 90:
                simulation.spawn(load_creature("biped"), (2.0, -3.0), alone=True)
            if tick == 130:
                simulation.remove(0)
            count = len(simulation.world.creatures)
            events = (Event("reset", 2),) if tick == 150 else ()
            simulation.step(Input.of([(0.7, 0.2)] * count, events))
            recorder.write(simulation.input, simulation.snapshot)


@pytest.fixture(scope="module")
def recordings(tmp_path_factory: pytest.TempPathFactory) -> Sequence[Path]:
    folder = tmp_path_factory.mktemp("seek")
    record(scene("endless", "hexapod"), folder / "endless.mcap", TICKS)
    record(load_world("humanoid"), folder / "tree.mcap", TICKS)
    record(load_world("arm"), folder / "chain.mcap", TICKS)
    with_comings_and_goings(folder / "changes.mcap")
    return sorted(folder.glob("*.mcap"))


@pytest.mark.slow
def test_a_keyframe_is_written_every_second(recordings: Sequence[Path]) -> None:
    for path in recordings:
        assert list(open_replay(path).keyframes.ticks) == [60, 120, 180]


@pytest.mark.slow
def test_every_tick_is_found_in_any_order(recordings: Sequence[Path]) -> None:
    rng = np.random.default_rng(4)
    for path in recordings:
        with open_replay(path) as replay:
            expected = [snapshot.digest for snapshot in replay.rerun()]
            for tick in [0, TICKS, 59, 60, 61, *rng.integers(0, TICKS + 1, 40).tolist()]:
                found = replay.state_at(tick)
                assert found.tick == tick
                assert found.digest == expected[tick], (path.name, tick)


@pytest.mark.slow
def test_a_tick_beyond_the_end_is_refused(recordings: Sequence[Path]) -> None:
    with open_replay(recordings[0]) as replay:
        for tick in (-1, TICKS + 1):
            with pytest.raises(ValueError, match="expected 0 to 200"):
                replay.state_at(tick)
        half: Any = 1.5  # it was taken for 2
        with pytest.raises(TypeError):
            replay.state_at(half)


@pytest.mark.slow
def test_a_stretch_is_verified_from_its_keyframe(recordings: Sequence[Path]) -> None:
    for path in recordings:
        result = verify(path, first=130, last=170)
        assert result.ok is True
        assert (result.first, result.last) == (120, 170)
        assert verify(path, first=10).first == 0
        with pytest.raises(ValueError, match="within 0 to 200"):
            verify(path, first=10, last=TICKS + 1)


def test_nothing_before_a_keyframe_is_simulated(recordings: Sequence[Path]) -> None:
    done: list[int] = []
    verify(recordings[0], first=180, progress=done.append)
    assert done == list(range(1, 21))


@pytest.mark.slow
def test_processes_prove_together_what_one_proves(
    recordings: Sequence[Path], tmp_path: Path
) -> None:
    path = next(path for path in recordings if path.name == "changes.mcap")
    assert verify_in_parallel(open_replay(path), 2) == verify(path)

    def change(topic: str, data: bytes) -> bytes:
        changed = re.sub(rb'"chain":"..', b'"chain":"00', data)
        return changed if topic == "/digest" else data

    path = rewritten(recordings[0], tmp_path / "forged.mcap", change)
    found = verify_in_parallel(open_replay(path), 2)
    assert found.divergence == verify(path).divergence == Divergence(0, "chain", None)


def changed_keyframe(path: Path, target: Path, tick: int) -> Replay:
    """A recording whose keyframe has another last bit."""

    def change(topic: str, data: bytes) -> bytes:
        if topic == "/keyframe" and data.startswith(b'{"tick":%d,' % tick):
            return data[:-1] + bytes([data[-1] ^ 1])
        return data

    return open_replay(rewritten(path, target, change))


def test_a_forged_keyframe_is_found(recordings: Sequence[Path], tmp_path: Path) -> None:
    replay = changed_keyframe(recordings[0], tmp_path / "forged.mcap", 120)
    assert verify(replay).divergence == Divergence(120, "keyframe", None)
    assert verify(replay, first=120).divergence == Divergence(120, "keyframe", None)
    assert verify(replay, first=180).ok is True
    with replay:
        assert replay.state_at(119).tick == 119
        with pytest.raises(ReplayCorrupt, match="after tick 120"):
            replay.state_at(140)


def test_a_keyframe_of_something_else_is_refused(
    recordings: Sequence[Path], tmp_path: Path
) -> None:
    other = open_replay(recordings[1]).keyframes[1]

    def change(topic: str, data: bytes) -> bytes:
        is_second = topic == "/keyframe" and data.startswith(b'{"tick":120,')
        return other if is_second else data

    replay = open_replay(rewritten(recordings[0], tmp_path / "other.mcap", change))
    with replay, pytest.raises(ReplayCorrupt, match="keyframe of tick 120"):
        replay.state_at(121)


@pytest.mark.slow
def test_pushed_props_have_no_keyframes(tmp_path: Path) -> None:
    path = tmp_path / "pushed.mcap"
    record(load_world("platforms"), path, 70)
    with open_replay(path) as replay:
        assert not replay.keyframes
        expected = [snapshot.digest for snapshot in replay.rerun()]
        for tick in (65, 3, 70):
            assert replay.state_at(tick).digest == expected[tick]


def test_a_simulation_goes_back_to_a_snapshot_of_its_own() -> None:
    with Simulation(herd("hills", "hexapod", [(0.0, 0.0), (3.0, 0.0)])) as simulation:
        for _ in range(50):
            simulation.step(Input.of([(1.0, 0.3)] * 2))
        kept = simulation.snapshot

        def run() -> list[str]:
            found = []
            for _ in range(30):
                simulation.step(Input.of([(0.5, -0.3)] * 2))
                found.append(simulation.digest)
            return found

        first = run()
        simulation.restore(kept)
        assert simulation.digest == kept.digest
        assert run() == first


@pytest.mark.slow
def test_a_snapshot_of_another_world_is_refused() -> None:
    def first(world: str, creature: str) -> Snapshot:
        with Simulation(scene(world, creature)) as other:
            return other.snapshot

    with Simulation(scene("hills", "hexapod")) as simulation:
        for other in (first("hills", "biped"), first("platforms", "hexapod")):
            with pytest.raises(SimulationError, match="expected the creatures and parts"):
                simulation.restore(other)
    simulation = Simulation(load_world("platforms"))
    with simulation, pytest.raises(SimulationError, match="dynamic props"):
        simulation.restore(simulation.snapshot)
