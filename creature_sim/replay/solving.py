"""How FABRIK solved the legs of a replay: its poses do not say, so it is simulated again."""

from itertools import islice
from typing import NamedTuple

from creature_sim.errors import CreatureSimError
from creature_sim.replay.replay import Replay
from creature_sim.replay.verify import why_not

SECONDS = 10
"""No more than the first seconds are simulated..."""
LEG_TICKS = 30_000
"""...and of many legs fewer ticks, so that it takes a moment."""


class Solving(NamedTuple):
    """How legs were solved.

    Attributes:
        ticks: so many were simulated.
        passes: of FABRIK in a tick, the mean of all legs.
        most: passes of a leg in a tick.
        laid: fraction of legs and ticks in which passes did not arrive and the leg was laid.
    """

    ticks: int
    passes: float
    most: int
    laid: float


def solving_of(replay: Replay) -> Solving | None:
    """How the legs were solved in the first ticks.

    None where there are no legs, or where the same run cannot be simulated here.
    """
    world = replay.start
    legs = sum(len(world.species_of(placement).all_legs) for placement in world.creatures)
    if not legs or why_not(replay):
        return None
    wanted = min(SECONDS * world.tick_rate, max(1, LEG_TICKS // legs))
    ticks = count = passes = most = laid = 0
    snapshot = None
    try:
        for snapshot in islice(replay.rerun(), 1, wanted + 1):
            ticks += 1
            for herd in snapshot.herds:
                chain = herd.parts["leg_chain"]
                if chain["passes"].size:
                    count += chain["passes"].size
                    passes += int(chain["passes"].sum())
                    most = max(most, int(chain["passes"].max()))
                    laid += int(chain["is_laid"].sum())
    except CreatureSimError:  # a ground that cannot be built, a keyframe of something else
        return None
    if snapshot is None or not count:
        return None
    if not replay.scheme().is_state(snapshot, replay.digests[ticks]):
        return None
    return Solving(ticks, passes / count, most, laid / count)
