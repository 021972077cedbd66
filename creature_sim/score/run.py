"""Scores a run by simulating it again, and counts its rays and its time."""

import time
from collections.abc import Callable, Iterable, Iterator

import numpy as np

from creature_sim.inputs import Input
from creature_sim.score.metric import Metric
from creature_sim.score.report import score_track
from creature_sim.score.rows import tracks
from creature_sim.score.surface import Surface
from creature_sim.score.track import Track
from creature_sim.simulation import Simulation
from creature_sim.snapshots.snapshot import Snapshot


def score_run(
    simulation: Simulation,
    inputs: Iterable[Input],
    progress: Callable[[int], None] | None = None,
) -> list[tuple[Track, dict[str, Metric]]]:
    """Simulate from tick 0 with these inputs and score each creature, in the order of the world.

    Where no creature is there, nor comes, the list is empty.

    Args:
        simulation: before its first tick.
        inputs: of every tick.
        progress: called with the number of ticks done, after each.
    """
    times: list[float] = []

    def snapshots() -> Iterator[Snapshot]:
        yield simulation.snapshot
        for given in inputs:
            begin = time.perf_counter()
            simulation.step(given)
            times.append(time.perf_counter() - begin)
            if progress:
                progress(simulation.tick)
            yield simulation.snapshot

    before = simulation.physics.ray_count
    found = tracks(snapshots(), simulation.world.tick_rate)
    if not found:
        return []
    cast = simulation.physics.ray_count - before
    leg_ticks = sum(track.is_swinging.shape[1] for track in found) * max(1, len(times))
    spent = 1e6 * float(np.median(times)) * len(times) / leg_ticks if times else 0.0
    surface = Surface(simulation.physics)
    rays, world = cast / leg_ticks, simulation.world
    return [
        (
            track,
            score_track(
                track,
                surface,
                world,
                rays=rays,
                microseconds=spent,
                others=tuple(other for other in found if other is not track),
            ),
        )
        for track in found
    ]
