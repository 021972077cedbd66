"""The same run gives the same bits, whatever runs around it and on whatever processor."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any

import esper
import numpy as np
import pytest

from creature_sim.components import Probes
from creature_sim.definitions import PlacementDef
from creature_sim.drivers import make_driver
from creature_sim.inputs import Input
from creature_sim.library.loader import builtin_names, load_creature, load_world
from creature_sim.library.variants import with_creature
from creature_sim.maths import Floats
from creature_sim.replay import Recorder
from creature_sim.session import Session
from creature_sim.simulation import Simulation
from creature_sim.snapshots.settling import settle
from tests.commands import process
from tests.marks import sample_of
from tests.scenes import CREATURES, WORLDS, herd, scene
from tests.tools.digests import Run, digest

TICKS = 300
BELOW_THE_TABLE = {"position": (-2.2, -1.45), "height": 0.5, "up": (0.0, 0.0, -1.0)}
"""A start in the world `room`."""

PROGRAM = """
import sys
from creature_sim.simulation import Simulation
from tests.scenes import scene
ticks = int(sys.argv[1])
with Simulation(scene("steps", "spider8")) as simulation:
    for _ in range(ticks):
        simulation.step()
    print(simulation.terrain.digest, simulation.digest)
"""

CPUS = {
    "another hash seed": {"PYTHONHASHSEED": "12345"},
    "a plain x86-64": {
        "NUMBA_CPU_NAME": "generic",
        "NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4 AVX2 FMA3",
        "OPENBLAS_CORETYPE": "Nehalem",
        "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX512F,-AVX2,-FMA,-FMA4,-AVX",
    },
}


def run_elsewhere(ticks: int, changes: dict[str, str]) -> str:
    """Digests of a run in another process."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", PROGRAM, str(ticks)],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": "0", **changes},
        cwd=Path(__file__).parent.parent,
    )
    return done.stdout.strip()


def digest_here(ticks: int) -> str:
    with Simulation(scene("steps", "spider8")) as simulation:
        for _ in range(ticks):
            simulation.step()
        return f"{simulation.terrain.digest} {simulation.digest}"


@pytest.mark.slow
@pytest.mark.parametrize("cpu", CPUS)
def test_same_digest_in_another_process(cpu: str) -> None:
    assert run_elsewhere(TICKS, CPUS[cpu]) == digest_here(TICKS)


@pytest.mark.slow
def test_same_digest_without_a_compiler() -> None:
    assert run_elsewhere(12, {"NUMBA_DISABLE_JIT": "1"}) == digest_here(12)


@pytest.mark.slow
def test_same_digest_with_and_without_a_recorder(tmp_path: Path) -> None:
    world = scene("hills", "hexapod")
    digests = []
    for is_recorded in (False, True):
        with Simulation(world) as simulation:
            recorders = [Recorder(tmp_path / "a.mcap", simulation)] if is_recorded else []
            session = Session(simulation, make_driver(world), recorders)
            for _ in range(TICKS):
                session.advance()
            for recorder in recorders:
                recorder.close()
            digests.append(simulation.digest)
    assert digests[0] == digests[1]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "creature", "climbs", "start"),
    [
        ("room", "hexapod", True, BELOW_THE_TABLE),
        ("room", "spider8", True, {}),
        ("cave", "ant", True, {}),
        ("lattice", "spider4", True, {}),
        ("crates", "centipede", True, {}),
        ("pipe", "hexapod", False, {}),
        ("stairs", "biped", False, {}),
        ("proving_ground", "ant", False, {}),
    ],
)
def test_a_run_goes_on_the_same_from_each_of_its_snapshots(
    name: str, creature: str, climbs: bool, start: dict[str, Any]
) -> None:
    plan = load_creature(creature)
    world = with_creature(load_world(name), plan.climbing if climbs else plan)
    placement = world.creatures[0].model_copy(update=start)
    world = world.model_copy(update={"creatures": (placement,)})
    drive = make_driver(world, "wander")
    inputs: list[Input] = []
    snapshots = []
    with Simulation(world) as simulation:
        for tick in range(20 * world.tick_rate):
            if tick % 20 == 0:
                snapshots.append(simulation.snapshot)
            inputs.append(drive(simulation.snapshot))
            simulation.step(inputs[-1])
        snapshots.append(simulation.snapshot)
    with Simulation(world) as other:
        for before, after in reversed(list(pairwise(snapshots))):  # nothing is left of before
            other.restore(before)
            for given in inputs[before.tick : after.tick]:
                other.step(given)
            assert other.snapshot.digests == after.digests, f"from tick {before.tick}"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "creature", "climbs"),
    [
        ("room", "spider8", True),
        ("lattice", "spider4", True),
        ("wheel", "ant", True),
        ("platforms", "hexapod", False),
        ("proving_ground", "centipede", False),
        ("steps", "biped", False),
        ("meadow", "hexapod", False),
    ],
)
def test_what_is_no_state_is_worked_out_anew_in_each_tick(
    name: str, creature: str, climbs: bool
) -> None:
    plan = load_creature(creature)
    world = with_creature(load_world(name), plan.climbing if climbs else plan)
    digests = []
    for is_spoiled in (False, True):
        rng = np.random.default_rng(1)
        with Simulation(world) as simulation:
            session = Session(simulation, make_driver(world, "wander"))
            for _ in range(TICKS):
                session.advance()
                if is_spoiled:
                    with simulation.context():
                        spoil_probes(rng)
            digests.append(simulation.digest)
    assert digests[0] == digests[1]


def spoil_probes(rng: np.random.Generator) -> None:
    """Fill with random numbers what systems hand to one another within a tick."""
    for _, probes in esper.get_component(Probes):
        patches = probes.patches
        for floats in (probes.start, probes.end, probes.room, patches.start, patches.end):
            floats[...] = rng.uniform(-3.0, 3.0, floats.shape)
        for numbers in (probes.is_active, patches.is_active, patches.rows):
            numbers[...] = rng.integers(0, 2, numbers.shape)
        patches.records["point"] = rng.uniform(-3.0, 3.0, patches.records["point"].shape)
        patches.records["is_hit"] = rng.integers(0, 2, patches.records.shape)


@pytest.mark.slow
def test_same_digest_interleaved_with_another_simulation() -> None:
    worlds = [scene("hills", "hexapod"), scene("stairs", "spider4")]

    def run(simulations: list[Simulation], together: bool) -> list[str]:
        if together:
            for _ in range(TICKS):
                for simulation in simulations:
                    simulation.step()
        else:
            for simulation in simulations:
                for _ in range(TICKS):
                    simulation.step()
        digests = [simulation.digest for simulation in simulations]
        for simulation in simulations:
            simulation.close()
        return digests

    apart = run([Simulation(world) for world in worlds], False)
    assert run([Simulation(world) for world in worlds], True) == apart


@pytest.mark.slow
@pytest.mark.parametrize("creature", CREATURES)
def test_a_creature_alone_is_the_creature_in_a_herd(creature: str) -> None:
    drive = "forward 2; forward left 2; back 2"
    places = [(3.0, 4.0), (-5.0, 2.0), (0.0, -8.0)]
    with Simulation(herd("hills", creature, places, driver=drive)) as simulation:
        for _ in range(TICKS):
            simulation.step()
        together = simulation.snapshot.digests
    for place, digests in zip(places, together, strict=True):
        with Simulation(herd("hills", creature, [place], driver=drive)) as simulation:
            for _ in range(TICKS):
                simulation.step()
            assert simulation.snapshot.digests == (digests,)


@pytest.mark.slow
def test_a_creature_among_others_of_another_kind_is_the_same() -> None:
    drive = "forward 4; right 1"
    alone = herd("steps", "spider4", [(3.0, 4.0)], driver=drive)
    mixed = alone.model_copy(
        update={
            "creatures": (
                PlacementDef(creature="hexapod", position=(-4.0, 0.0)),
                *alone.creatures,
                PlacementDef(creature="hexapod", position=(6.0, 0.0)),
            ),
            "species": {**alone.species, **scene("steps", "hexapod").species},
        }
    )
    found = []
    for world, place in ((alone, 0), (mixed, 1)):
        with Simulation(world) as simulation:
            for _ in range(TICKS):
                simulation.step()
            found.append(simulation.snapshot.digests[place])
    assert found[0] == found[1]


def test_zeros_are_positive_and_nan_is_refused() -> None:
    def settled(*rows: tuple[float, ...], floats: tuple[int, ...] = (-1,)) -> tuple[bool, Floats]:
        found = np.array(rows)
        return settle(found.view(np.int64), np.array(floats)), found

    is_finite, found = settled((-0.0, 1.0), (-0.0, 2.0), floats=(-1, -1))
    assert is_finite
    assert not np.signbit(found).any()
    assert not settled((1.0,), (np.nan,))[0]
    assert not settled((np.inf,), (1.0,))[0]
    assert settled((1.0, np.nan), floats=(-1, 0))[0]  # no float: it may be anything


def test_no_state_has_a_negative_zero() -> None:
    with Simulation(scene("meadow", "hexapod", driver="forward 1; stop 1")) as simulation:
        for _ in range(150):
            simulation.step()
        zeros = 0
        for part in simulation.snapshot.herds[0].parts.values():
            for array in part.values():
                names = array.dtype.names or (None,)
                for name in names:
                    values = array if name is None else array[name]
                    if values.dtype.kind == "f":
                        assert not (np.signbit(values) & (values == 0.0)).any()
                        zeros += int((values == 0.0).sum())
        assert zeros > 10


@pytest.mark.slow
def test_json_of_a_snapshot_free_run_is_stable() -> None:
    words = ("run", "meadow", "--headless", "--json", "--ticks", "60", "--drive", "forward 1")
    runs = [json.loads(process(*words).stdout) for _ in range(2)]
    for run in runs:
        run.pop("ticks_per_second")
    assert runs[0] == runs[1]


@pytest.mark.slow
@pytest.mark.parametrize("world", sample_of(WORLDS, "steps"))
def test_all_creatures_walk_the_same_alone_interleaved_and_in_threads(world: str) -> None:
    creatures = builtin_names("creature")
    alone = [digest(creature, world) for creature in creatures]
    assert len(set(alone)) == len(creatures)
    runs = [Run(creature, world) for creature in creatures]
    for _ in zip(*(run.ticks() for run in runs), strict=True):
        pass
    assert [run.end() for run in runs] == alone
    with ThreadPoolExecutor(len(creatures)) as threads:
        assert list(threads.map(digest, creatures, [world] * len(creatures))) == alone
