"""What is written of many ticks at once is what would be written of each."""

from collections.abc import Iterator

import pytest

from creature_sim.drivers import make_driver
from creature_sim.inputs import Event, Input
from creature_sim.library.loader import load_creature
from creature_sim.replay.batches import encode_all_events
from creature_sim.replay.codec import encode_events
from creature_sim.replay.pose_codec import encode_pose, encode_poses
from creature_sim.simulation import Simulation
from creature_sim.snapshots.poses import pose_of
from creature_sim.snapshots.snapshot import Snapshot
from creature_sim.snapshots.stacks import herd_stacks, runs
from tests.scenes import herd


def walks() -> Iterator[Snapshot]:
    """Creatures of two plans, some of which come and go; one is refused what it is asked for."""
    world = herd("hills", "hexapod", [(0.0, 0.0), (2.0, 1.0), (-2.0, 0.0)])
    with Simulation(world) as simulation:
        drive = make_driver(world, "forward 9")
        yield simulation.snapshot
        for tick in range(150):
            if tick == 50:
                simulation.spawn(load_creature("spider8"), (3.0, -3.0))
            if tick in (100, 120):
                simulation.remove(1 if tick == 100 else 3)  # the second leaves an empty herd
            given_input = drive(simulation.snapshot)
            leap = (Event("leap", 0, point=(90.0, 0.0, 0.0)),) if tick in (20, 23, 26) else ()
            simulation.step(Input(given_input.commands, (*given_input.events, *leap)))
            yield simulation.snapshot


@pytest.mark.slow
def test_ticks_together_are_written_as_each_alone() -> None:
    snapshots = list(walks())
    parts = list(runs(snapshots))
    assert [len(run) for run in parts] == [51, 50, 20, 30]
    events = []
    for run in parts:
        stacks = herd_stacks(run)
        assert encode_poses(run, 10_000) == [encode_pose(pose_of(one), 10_000) for one in run]
        found = encode_all_events(run, stacks)
        assert found == [encode_events(one) for one in run]
        events += [event for told in found for event in told]
    kinds = [b'"kind":"step"', b'"kind":"refusal"']
    assert all(any(kind in event for event in events) for kind in kinds)
