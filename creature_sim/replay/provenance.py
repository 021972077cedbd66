"""Where and by what a replay was made."""

from collections.abc import Sequence
from pathlib import Path

import esper

from creature_sim.definitions import WorldDef
from creature_sim.ground.rays import BUILD
from creature_sim.replay.plugins import plugins_of
from creature_sim.replay.schemas import FORMAT
from creature_sim.simulation import MATH_PROFILE


def describe(
    heights: str, systems: Sequence[type[esper.Processor]], world: WorldDef
) -> dict[str, str]:
    """The metadata of a recording made here and now."""
    import platform
    from importlib.metadata import PackageNotFoundError, version

    def installed(*names: str) -> str:
        for name in names:
            try:
                return version(name)
            except PackageNotFoundError:
                continue
        return "unknown"

    plugins = plugins_of(systems, {"terrain": world.terrain.model_dump(mode="json")})
    return {
        "format": FORMAT,
        "math_profile": str(MATH_PROFILE),
        "heights": heights,
        "systems": system_names(systems),
        "creature_sim": installed("creature-sim"),
        "python": platform.python_version(),
        "numpy": installed("numpy"),
        "numba": installed("numba"),
        "pybullet": installed("pybullet", "pybullet-arm64"),
        "esper": installed("esper"),
        "exactness": world.exactness,
        "computer": computer(),
        "machine": platform.machine(),
        "system": platform.system(),
        **({"plugins": plugins} if plugins else {}),
    }


def computer() -> str:
    """The processor, the C library and the build of pybullet, on which forces are computed here.

    Where these are equal, dynamics are equal to the bit.
    """
    import platform

    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    processor = names[0] if names else platform.processor() or platform.machine()
    return f"{processor}, {' '.join(platform.libc_ver())}, pybullet of {BUILD}"


def system_names(systems: Sequence[type[esper.Processor]]) -> str:
    """The names of the systems of a tick, in order."""
    return " ".join(f"{system.__module__}.{system.__qualname__}" for system in systems)
