"""What is written of many ticks at once is what would be written of each."""

from collections.abc import Iterator

import pytest

from creature_sim.drivers import make_driver
from creature_sim.inputs import Event, Input
from creature_sim.library.loader import load_creature
from creature_sim.replay.events import encode_all_events, encode_events
from creature_sim.replay.pose_codec import encode_pose, encode_poses
from creature_sim.simulation import Simulation
from creature_sim.snapshots import tapes as taking
from creature_sim.snapshots.hashes import hashes_of
from creature_sim.snapshots.poses import pose_of
from creature_sim.snapshots.snapshot import Snapshot
from creature_sim.snapshots.tapes import Reel, Tape
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


@pytest.mark.parametrize("count", [1, 2, 5])
def test_creatures_of_a_herd_are_hashed_as_each_alone(count: int) -> None:
    with Simulation(herd("hills", "hexapod", [(2.0 * n, 1.0) for n in range(count)])) as simulation:
        for _ in range(3):
            simulation.step()
        snapshot = simulation.snapshot
    together = hashes_of(snapshot).values.reshape(count, -1).tolist()
    assert together == [hashes_of(snapshot.of(n)).values[0].tolist() for n in range(count)]
    joints = [row[list(snapshot.herds[0].parts).index("leg_chain")] for row in together]
    assert len(set(joints)) == count


@pytest.mark.slow
def test_ticks_together_are_written_as_each_alone() -> None:
    snapshots = list(walks())
    tapes: list[Tape] = []
    for snapshot in snapshots:
        if not tapes or not tapes[-1].add(snapshot):
            tapes.append(Tape(Reel(snapshot), snapshot.tick, 60))
            assert tapes[-1].add(snapshot)
    assert [tape.count for tape in tapes] == [51, 50, 20, 30]
    events = []
    for tape in tapes:
        run = [snapshots[tick] for tick in tape.ticks]
        indices = range(0, len(run), 3)
        poses = [encode_pose(pose_of(run[index]), 10_000) for index in indices]
        assert encode_poses(tape, indices, 10_000) == poses
        hashes = [hashes_of(one) for one in run]
        assert tape.hashes().values.tolist() == [each.values[0].tolist() for each in hashes]
        told = encode_all_events(tape)
        assert told == [(one.tick, event) for one in run for event in encode_events(one)]
        events += [event for _, event in told]
    kinds = [b'"kind":"step"', b'"kind":"refusal"']
    assert all(any(kind in event for event in events) for kind in kinds)


@pytest.mark.slow
def test_states_that_are_kept_until_they_are_written_say_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(taking, "MAX_HASHES", 1)
    kinds = set[bytes]()
    for snapshot in walks():
        tape = Tape(Reel(snapshot), snapshot.tick, 60)
        assert tape.reel.is_whole
        assert tape.add(snapshot)
        assert not tape.add(snapshot)  # there is room for one
        assert encode_poses(tape, range(1), 10_000) == [encode_pose(pose_of(snapshot), 10_000)]
        assert tape.hashes().values.tolist() == hashes_of(snapshot).values.tolist()
        told = encode_all_events(tape)
        assert told == [(snapshot.tick, event) for event in encode_events(snapshot)]
        kinds |= {event.split(b",")[1] for _, event in told}
    assert kinds == {b'"kind":"step"', b'"kind":"refusal"'}
