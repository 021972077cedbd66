"""Golden replays: every built-in creature, world and kind of chain, and who climbs; re-simulated by
the tests.

`python -m tests.tools.goldens` records them anew, which is right only together with a new
math_profile.
"""

from argparse import ArgumentParser
from pathlib import Path

from creature_sim.definitions.world import WorldDef
from creature_sim.drivers import make_driver
from creature_sim.library.loader import load_creature, load_world
from creature_sim.library.variants import with_creature
from creature_sim.replay import record
from tests.scenes import scene

FOLDER = Path(__file__).parents[2] / "replays"

GOLDENS = {
    "hexapod-hills": ("hills", "hexapod", "forward 4; forward left 1.5; stop 1"),
    "hexapod-slope": ("slope", "hexapod", "wander"),
    "spider4-steps": ("steps", "spider4", "wander"),
    "spider4-meadow": ("meadow", "spider4", "goto 3,-2"),
    "spider8-stairs": ("stairs", "spider8", "forward 10"),
    "spider8-hills": ("hills", "spider8", "wander"),
    "hexapod-endless": ("endless", "hexapod", "wander"),
}
TICKS = 240
CLIMBING_GOLDENS = {
    "ant-climbs-room": ("room", "ant", "forward left 2; forward 6"),
    "hexapod-climbs-lattice": ("lattice", "hexapod", "forward 8"),
}
"""From the floor up a wall, and up a fence."""
CLIMBING_TICKS = 480
RIG_GOLDENS = ("arm", "humanoid")
"""Worlds without creatures, as they are."""
RIG_TICKS = 60
LENGTHS = (
    dict.fromkeys(GOLDENS, TICKS)
    | dict.fromkeys(CLIMBING_GOLDENS, CLIMBING_TICKS)
    | dict.fromkeys(RIG_GOLDENS, RIG_TICKS)
)
"""Ticks of each."""


def main() -> None:
    """Record all goldens."""
    ArgumentParser(description=__doc__).parse_args()
    for name, (world, creature, drive) in GOLDENS.items():
        _record(name, scene(world, creature, driver=drive), TICKS)
    for name, (world, creature, drive) in CLIMBING_GOLDENS.items():
        made = with_creature(load_world(world), load_creature(creature).climbing)
        _record(name, made.model_copy(update={"driver": drive}), CLIMBING_TICKS)
    for name in RIG_GOLDENS:
        _record(name, load_world(name), RIG_TICKS)


def _record(name: str, made: WorldDef, ticks: int) -> None:
    path = FOLDER / f"{name}.mcap"
    snapshot = record(made, path, ticks, driver=make_driver(made), force=True)
    print(f"{path.name}  {snapshot.digest}  {path.stat().st_size / 1024:.0f} kB")


if __name__ == "__main__":
    main()
