"""Creature and world files: each is refused with a message, or is simulated with finite numbers."""

import json
import tomllib
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from creature_sim.definitions import WorldDef
from creature_sim.errors import CreatureSimError, SimulationError
from creature_sim.library.loader import (
    builtin_folder,
    builtin_names,
    load_creature,
    load_world,
    schema_text,
)
from creature_sim.library.variants import with_creature
from creature_sim.simulation import Simulation
from tests.tools.fuzz.trees import bounds_of, check_message, mutated, toml

TICKS = 12
MANY = 300
"""Creatures and rigs of which a case need not simulate more: it would only take long."""


@cache
def seeds() -> list[tuple[str, dict[str, Any]]]:
    """Kind and tables of all built-in files."""
    return [
        (kind, tomllib.loads((builtin_folder(kind) / f"{name}.toml").read_text()))
        for kind in ("creature", "world")
        for name in builtin_names(kind)
    ]


@cache
def bounds(kind: str) -> dict[str, list[Any]]:
    """Bounds by key."""
    return bounds_of(json.loads(schema_text("world" if kind == "world" else "creature")))


def make(number: int, folder: Path) -> Path:
    """Write the file of a case."""
    random = Random(number)
    kind, tree = random.choice(seeds())
    others = [other for same, other in seeds() if same == kind]
    data = toml(mutated(tree, bounds(kind), others, random)).encode()
    if random.random() < 0.05:
        where = random.randrange(len(data))
        data = data[:where] + random.randbytes(random.randrange(4)) + data[where + 1 :]
    path = folder / f"{kind}.toml"
    path.write_bytes(data)
    return path


def attempt(path: Path) -> str:
    """Load a file, and simulate what it says: "refused" or "simulated".

    Raises:
        Exception: any but a message for its user: a finding.
    """
    try:
        world = _world(path)
        if len(world.creatures) + len(world.chains) + len(world.trees) + len(world.props) > MANY:
            return "accepted"
        simulation = Simulation(world)
    except CreatureSimError as error:
        if isinstance(error, SimulationError):
            raise
        check_message(error)
        return "refused"
    with simulation:
        for _ in range(TICKS):
            simulation.step()
        for creature in simulation.snapshot.creatures:
            assert np.isfinite(creature.position).all()
            assert np.isfinite(creature.joints).all()
    return "simulated"


def _world(path: Path) -> WorldDef:
    if path.stem == "world":
        return load_world(path)
    return with_creature(load_world("meadow"), load_creature(path))
