"""Shows without a window: what stands in for replays and snapshots."""

from dataclasses import dataclass

from creature_sim.definitions import WorldDef
from creature_sim.inputs import FULL
from creature_sim.library.loader import load_world
from creature_sim.locomotion.gravity import gravity_of
from creature_sim.simulation import Simulation
from creature_sim.snapshots.poses import Happening, Pose, blend, pose_of
from creature_sim.snapshots.snapshot import Snapshot
from creature_sim.terrain.kinds.flat import FlatDef
from creature_sim.view.shows.keyboard import WALK
from creature_sim.view.shows.player import ReplayShow

STILL = (0, 0, 0, 0)
"""Nobody steers."""


WALKING = round(WALK * FULL)
"""What a key gives without Shift."""


@dataclass
class Recorded:
    world: WorldDef
    tick_rate: int
    poses: list[Pose]
    events: tuple[Happening, ...] = ()


def no_snapshot(creature_count: int = 1) -> Snapshot:
    """A snapshot that says how many creatures there are, and nothing of them."""
    return Snapshot(0, (), (), gravity_of(FlatDef(kind="flat")), creature_count)


def moved(tick: int, x: float) -> Pose:
    """The meadow's creature at x."""
    global _standing
    if _standing is None:
        with Simulation(load_world("meadow")) as simulation:
            _standing = pose_of(simulation.snapshot)
    pose = blend(_standing, _standing, 0.0)
    pose.herds[0].positions[:] = (x, 0.0, 0.3)
    return Pose(tick, pose.herds, creature_count=1)


_standing: Pose | None = None


def replay_show(count: int, step: int = 1) -> ReplayShow:
    """A creature that moves along X at 0.6 m/s."""
    poses = [moved(step * i, 0.01 * step * i) for i in range(count)]
    return ReplayShow(Recorded(load_world("meadow"), 60, poses))
