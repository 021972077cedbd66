"""Systems call kernels with arguments of the same types in every call; nobody checks that there."""

import sys
from collections import defaultdict
from collections.abc import Callable

import pytest

from creature_sim.definitions import WorldDef
from creature_sim.inputs import Input
from creature_sim.library.loader import load_creature, load_world
from creature_sim.library.variants import with_twins
from creature_sim.maths.compiler import Kernel
from creature_sim.simulation import Simulation
from tests.scenes import scene

WORLDS: dict[str, Callable[[], WorldDef]] = {
    "chains and props": lambda: load_world("playground"),
    "endless": lambda: load_world("endless"),
    "planet": lambda: load_world("planet"),
    "room": lambda: scene("room", "spider8"),
    "runner": lambda: scene("stairs", "hexapod"),
    "snake": lambda: scene("hills", "centipede"),
    "twin": lambda: with_twins(scene("hills", "spider4")),
    "two herds": lambda: load_world("proving_ground"),
}
TICKS = 90


@pytest.fixture
def types(monkeypatch: pytest.MonkeyPatch) -> dict[str, set[object]]:
    """What every unchecked kernel is called with, by its name, while a test runs."""
    found: dict[str, set[object]] = defaultdict(set)

    def watched(call: Callable[..., object], checked: Kernel) -> Callable[..., object]:
        def watch(*arguments: object) -> object:
            found[checked.__name__].add(tuple(map(checked.typeof_pyval, arguments)))
            return call(*arguments)

        return watch

    for name, module in list(sys.modules.items()):
        if name.startswith("creature_sim."):
            for key, value in list(vars(module).items()):
                checked = getattr(value, "__wrapped__", None)
                if isinstance(checked, Kernel):
                    monkeypatch.setattr(module, key, watched(value, checked))
    return found


@pytest.mark.slow
def test_each_unchecked_kernel_is_given_the_same_types_in_all_worlds(
    types: dict[str, set[object]],
) -> None:
    for make in WORLDS.values():
        with Simulation(make()) as simulation:
            for tick in range(TICKS):
                if tick == TICKS // 2:
                    near = simulation.world.nearest_start(2.0, 2.0)
                    simulation.spawn(load_creature("ant"), near)
                count = len(simulation.world.creatures)
                simulation.step(Input(((65534, 9000, 0, 0),) * count))
    known = {"_steer", "_swing", "_run", "_solve_legs", "_spread", "_place_bodies"}
    assert known <= types.keys()
    assert {name: len(kinds) for name, kinds in types.items() if len(kinds) > 1} == {}
