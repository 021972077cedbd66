"""Digests of all creatures on some worlds, to compare two versions of Python or two machines.

`python -m tests.tools.digests FILE` writes them, or compares them with those that are there.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from creature_sim.drivers import make_driver
from creature_sim.library.loader import builtin_names
from creature_sim.simulation import Simulation
from tests.scenes import WORLDS, scene

TICKS = 90
DRIVE = "forward 0.4; lose 1; push 0.5,0.8; strafe-left 0.4; stop 1"


class Run:
    """One creature on one world, that can be advanced between the ticks of others."""

    def __init__(self, creature: str, world: str) -> None:
        """Build it."""
        definition = scene(world, creature)
        self._simulation = Simulation(definition)
        self._drive = make_driver(definition, DRIVE)

    def ticks(self) -> Iterator[None]:
        """Advance by a tick at a time, to the end."""
        for _ in range(TICKS):
            self._simulation.step(self._drive(self._simulation.snapshot))
            yield

    def end(self) -> str:
        """Digest of ground and state; closed after it."""
        with self._simulation as simulation:
            return f"{simulation.terrain.digest} {simulation.digest}"


def digest(creature: str, world: str) -> str:
    """Digest of a run that nothing interrupts."""
    run = Run(creature, world)
    for _ in run.ticks():
        pass
    return run.end()


def main() -> None:
    """Write or compare the file."""
    path = Path(sys.argv[1])
    found = {
        f"{creature} on {world}": digest(creature, world)
        for creature in builtin_names("creature")
        for world in WORLDS
    }
    if not path.exists():
        path.write_text(json.dumps(found, indent=1) + "\n")
        print(f"{path}: written, {len(found)} digests")
        return
    expected = json.loads(path.read_text())
    different = [name for name in {**expected, **found} if expected.get(name) != found.get(name)]
    if different:
        raise SystemExit(f"{path}: other digests of {', '.join(different)}")
    print(f"{path}: all {len(found)} digests are equal")


if __name__ == "__main__":
    main()
