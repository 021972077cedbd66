"""What a simulation holds is freed: when it is closed, and when it is forgotten."""

import gc
import sys
import threading
import warnings
from collections.abc import Callable

import esper
import numpy as np
import pybullet
import pytest

from creature_sim.errors import SimulationError
from creature_sim.ground import bodies
from creature_sim.library.loader import load_world
from creature_sim.simulation import Simulation
from tests.forks import start_script
from tests.grounds import shared_physics, spoilt
from tests.scenes import scene
from tests.terrain_kinds import KINDS


def clients() -> int:
    """Clients of pybullet that are open."""
    infos = (pybullet.getConnectionInfo(number) for number in range(1024))
    return sum(info["isConnected"] for info in infos)


@pytest.fixture
def before() -> tuple[int, int]:
    """Open clients and contexts of esper before a test."""
    gc.collect()
    return clients(), len(esper.list_worlds())


Before = tuple[int, int]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["hills", "endless", "playground", "platforms"])
def test_a_forgotten_simulation_is_freed_with_a_warning(name: str, before: Before) -> None:
    held = [Simulation(load_world(name))]
    held[0].step()
    assert clients() > before[0]
    with pytest.warns(ResourceWarning, match=f"'{name}' was dropped without close"):
        held.clear()
    assert (clients(), len(esper.list_worlds())) == before


@pytest.mark.slow
def test_a_closed_simulation_leaves_nothing_and_warns_of_nothing(before: Before) -> None:
    for name in ("hills", "endless", "playground"):
        simulation = Simulation(load_world(name))
        simulation.step()
        simulation.close()
        simulation.close()
        assert (clients(), len(esper.list_worlds())) == before
        with pytest.raises(SimulationError, match="closed"):
            simulation.step()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            del simulation
            gc.collect()


@pytest.mark.slow
def test_a_simulation_that_cannot_be_built_leaves_nothing(
    before: Before, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise SimulationError("no")

    monkeypatch.setattr("creature_sim.simulation.remember_rigs", fail)
    for name in ("playground", "endless"):
        with pytest.raises(SimulationError, match="no"):
            Simulation(load_world(name))
        gc.collect()
        assert (clients(), len(esper.list_worlds())) == before


@pytest.mark.slow
def test_forgetting_one_while_others_step_disturbs_nobody() -> None:
    """The garbage collector may run anywhere: in other threads, in the middle of a tick."""
    with Simulation(scene("hills", "hexapod")) as simulation:
        for _ in range(60):
            simulation.step()
        expected = simulation.digest
    digests: list[str] = []

    def walk() -> None:
        with Simulation(scene("hills", "hexapod")) as simulation:
            for _ in range(60):
                simulation.step()
            digests.append(simulation.digest)

    def forget() -> None:
        for _ in range(4):
            Simulation(scene("meadow", "hexapod")).step()
            gc.collect()

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        threads = [threading.Thread(target=work) for work in (walk, forget, walk, forget)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert digests == [expected] * 2


MEMORY = """
import gc, sys, warnings
from creature_sim.library.loader import load_world
from creature_sim.simulation import Simulation

def memory():
    gc.collect()
    return int(open("/proc/self/statm").read().split()[1]) // 256

warnings.simplefilter("ignore")
world = load_world("hills")
def one():
    simulation = Simulation(world)
    simulation.step()
    if sys.argv[1] == "close":
        simulation.close()
for _ in range(3):
    one()
before = memory()
for _ in range(12):
    one()
print(memory() - before)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the memory of a process is read from /proc")
@pytest.mark.parametrize("how", ["close", "forget"])
def test_memory_stays_bounded(how: str) -> None:
    """Each client is about 70 MB: twelve that stay are 800."""
    process = start_script(MEMORY, how)
    output, errors = process.communicate()
    assert process.returncode == 0, errors
    assert int(output.splitlines()[-1]) < 150


@pytest.mark.slow
def test_a_simulation_still_open_at_exit_is_no_error() -> None:
    code = (
        "import warnings\n"
        "from creature_sim.library.loader import load_world\n"
        "from creature_sim.simulation import Simulation\n"
        "warnings.simplefilter('error')\n"
        "kept = Simulation(load_world('meadow')); kept.step()\n"
    )
    process = start_script(code)
    assert process.communicate()[1] == ""
    assert process.returncode == 0


@pytest.mark.parametrize("answer", [-1, None])
def test_the_end_of_clients_is_said(monkeypatch: pytest.MonkeyPatch, answer: int | None) -> None:
    def connect(method: int) -> int:
        if answer is None:
            raise pybullet.error("Not connected")
        return answer

    monkeypatch.setattr(bodies, "_open", {0, 1, 2})
    monkeypatch.setattr(pybullet, "connect", connect)
    with pytest.raises(SimulationError, match=r"no client left .* 3 are open\. Close"):
        bodies.connect()


@pytest.mark.parametrize("spoil", [pybullet.disconnect, pybullet.resetSimulation])
def test_who_spoils_a_ground_that_tests_share_is_told(spoil: Callable[..., None]) -> None:
    with shared_physics(KINDS["slope"], 4242) as physics:
        client = physics.client
    spoil(physicsClientId=client)
    (said,) = spoilt()
    assert said.startswith(f"client {client}, kept with")
    assert not spoilt()
    with shared_physics(KINDS["slope"], 4242) as physics:
        _, normals = physics.cast(np.array([[0.0, 0.0, 50.0]]), np.array([[0.0, 0.0, -50.0]]))
    assert normals[0, 2] > 0.0


def test_two_grounds_alike_at_once_leave_one() -> None:
    with shared_physics(KINDS["slope"], 4242), shared_physics(KINDS["slope"], 4242):
        before = clients()
    assert clients() == before - 1
