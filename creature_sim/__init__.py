"""Creatures that walk over generated terrain with no animation data.

    import creature_sim

    world = creature_sim.load_world("hills")
    with creature_sim.Simulation(world) as simulation:
        simulation.step()

Names load when they are first used: importing `creature_sim` is cheap.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from creature_sim.components import Part
    from creature_sim.drivers import make_driver
    from creature_sim.errors import CreatureSimError
    from creature_sim.inputs import Event, Input
    from creature_sim.library.loader import load_creature, load_world
    from creature_sim.library.variants import with_creature
    from creature_sim.replay import Recorder, open_replay, record, verify
    from creature_sim.session import Session
    from creature_sim.simulation import Simulation
    from creature_sim.systems import SYSTEMS

    __version__: str

_HOMES = {
    "CreatureSimError": "errors",
    "Event": "inputs",
    "Input": "inputs",
    "Part": "components",
    "Recorder": "replay",
    "SYSTEMS": "systems",
    "Session": "session",
    "Simulation": "simulation",
    "load_creature": "library.loader",
    "load_world": "library.loader",
    "make_driver": "drivers",
    "open_replay": "replay",
    "record": "replay",
    "verify": "replay",
    "with_creature": "library.variants",
}

__all__ = [
    "SYSTEMS",
    "CreatureSimError",
    "Event",
    "Input",
    "Part",
    "Recorder",
    "Session",
    "Simulation",
    "load_creature",
    "load_world",
    "make_driver",
    "open_replay",
    "record",
    "verify",
    "with_creature",
]


def __getattr__(name: str) -> object:
    """Import a public name's module when it is first asked for; `__version__` is a string."""
    if name == "__version__":
        from importlib.metadata import PackageNotFoundError, version

        try:
            return version("creature-sim")
        except PackageNotFoundError:  # run from its folder
            return "unknown"
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """The public names."""
    return sorted(__all__)
