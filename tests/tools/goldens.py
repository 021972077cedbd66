"""Golden replays: every built-in creature, world and kind of chain, re-simulated by the tests.

`python -m tests.tools.goldens` records them anew, which is right only together with a new
math_profile.
"""

from argparse import ArgumentParser
from pathlib import Path

from creature_sim.drivers import make_driver
from creature_sim.library.loader import load_world
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
RIG_GOLDENS = ("arm", "humanoid")
"""Worlds without creatures, as they are."""
RIG_TICKS = 60


def main() -> None:
    """Record all goldens."""
    ArgumentParser(description=__doc__).parse_args()
    for name, (world, creature, drive) in GOLDENS.items():
        made = scene(world, creature, driver=drive)
        path = FOLDER / f"{name}.mcap"
        snapshot = record(made, path, TICKS, driver=make_driver(made), force=True)
        _tell(path, snapshot.digest)
    for name in RIG_GOLDENS:
        path = FOLDER / f"{name}.mcap"
        _tell(path, record(load_world(name), path, RIG_TICKS, force=True).digest)


def _tell(path: Path, digest: str) -> None:
    print(f"{path.name}  {digest}  {path.stat().st_size / 1024:.0f} kB")


if __name__ == "__main__":
    main()
