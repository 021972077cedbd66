"""The metrics of a walk, as the tools that make tables of scores take them."""

from collections.abc import Iterator

from creature_sim.definitions import WorldDef
from creature_sim.ground.rays import Physics
from creature_sim.score import Metric, Surface, Track, score_track, tracks
from creature_sim.snapshots.snapshot import Snapshot
from creature_sim.terrain import build_terrain


def measured(world: WorldDef, states: Iterator[Snapshot]) -> tuple[dict[str, Metric], Track]:
    """Metrics and track of the only creature of a world."""
    (track,) = tracks(states, world.tick_rate)
    with Physics(build_terrain(world.terrain, world.seed)) as physics:
        return score_track(track, Surface(physics), world), track
