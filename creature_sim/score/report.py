"""All metrics of a track."""

from creature_sim.definitions import WorldDef
from creature_sim.score import (  # noqa: F401 - they register their metrics
    anticipation,
    bodies,
    bones,
    climbs,
    evenness,
    feet,
    flights,
    halts,
    idleness,
    joints,
    liveliness,
    march,
    meetings,
    motion,
    overlap,
    rhythm,
    standstills,
    twins,
)
from creature_sim.score.metric import Metric, not_applicable
from creature_sim.score.registry import metric_specs
from creature_sim.score.surface import Surface
from creature_sim.score.track import Track
from creature_sim.score.walk import Walk


def score_track(
    track: Track,
    surface: Surface,
    world: WorldDef,
    *,
    others: tuple[Track, ...] = (),
    rays: float | None = None,
    microseconds: float | None = None,
) -> dict[str, Metric]:
    """Every registered metric by its key.

    Args:
        track: the run of one creature.
        surface: the ground that it walked on.
        world: for the name of its terrain.
        others: the runs of all other creatures of the same world.
        rays: cast per leg and tick; None: not counted.
        microseconds: of computing per leg and tick; None: not measured.
    """
    specs = metric_specs()
    if len(track.position) < 2:  # it came in the last tick, or went at once
        return {key: not_applicable("it was there for one tick only") for key in specs}
    walk = Walk(track, surface, world.terrain.kind, rays, microseconds, others)
    return {key: spec.measure(walk) for key, spec in specs.items()}
