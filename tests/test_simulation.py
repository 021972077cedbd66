"""The simulation as a library: parts of one's own, threads, closing, wrong inputs."""

import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import esper
import numpy as np
import pytest

from creature_sim.components import Body, Herd, Part
from creature_sim.definitions import WorldDef
from creature_sim.errors import DefinitionError, OutputError, SimulationError
from creature_sim.inputs import Event, Input
from creature_sim.library.loader import builtin_folder, load_creature, load_world
from creature_sim.replay import Recorder, open_replay, record, verify
from creature_sim.simulation import Simulation
from creature_sim.systems import SYSTEMS
from tests import scenes
from tests.scenes import scene


@dataclass
class Effort(Part):
    name = "effort"
    spent: np.ndarray  # (N,)


class Work(esper.Processor):
    """Puts a new array, or a new part, in the place of the old one, every tick."""

    makes = staticmethod(lambda old: old + 1.0)

    def process(self, dt: float) -> None:
        del dt
        for entity, herd in esper.get_component(Herd):
            part = esper.try_component(entity, Effort)
            before = part.spent if part else np.zeros(len(herd.members))
            esper.add_component(entity, Effort(self.makes(before)))


def test_what_is_printed_of_states_and_replays_fits_on_a_line(tmp_path: Path) -> None:
    """It was all definitions and arrays, thousands of characters."""
    last = record(load_world("meadow"), tmp_path / "a.mcap", 3)
    assert repr(last) == (
        "Snapshot(tick=3, herds=(HerdState(name='hexapod', members=[0]),), chains=())"
    )
    told = "CreatureState(number=0, name='hexapod', position=["
    assert repr(last.creatures[0]).startswith(told)
    assert len(repr(last.creatures[0])) < 130
    assert repr(open_replay(tmp_path / "a.mcap")) == (
        f"Replay(path='{tmp_path}/a.mcap', world='meadow', first=0, last=3)"
    )


def test_a_name_in_the_place_of_a_definition_is_told() -> None:
    name: Any = "spider4"
    with pytest.raises(DefinitionError, match=r"^world: expected .* load_world .* 'spider4'$"):
        Simulation(name)
    with (
        Simulation(scene("meadow", "hexapod")) as simulation,
        pytest.raises(DefinitionError, match=r"^creature: expected .* load_creature .* 'spider4'$"),
    ):
        simulation.spawn(name)


def test_a_part_of_ones_own_is_seen_whatever_happens_to_it() -> None:
    with Simulation(scene("meadow", "hexapod"), systems=(*SYSTEMS, Work)) as simulation:
        digests = set()
        for tick in range(1, 6):
            simulation.step()
            assert simulation.snapshot.herds[0].parts["effort"]["spent"].tolist() == [tick]
            digests.add(simulation.snapshot.digests[0]["effort"])
        assert len(digests) == 5


def test_a_part_that_comes_between_ticks_is_seen_and_so_is_another_in_its_place() -> None:
    with Simulation(scene("meadow", "hexapod")) as simulation:
        simulation.step()
        assert "effort" not in simulation.snapshot.herds[0].parts
        for spent in (3.0, 5.0):
            with simulation.context():
                ((entity, _),) = esper.get_component(Herd)
                esper.add_component(entity, Effort(np.full(1, spent)))
            simulation.step()
            assert simulation.snapshot.herds[0].parts["effort"]["spent"].tolist() == [spent]
        with simulation.context():
            esper.remove_component(entity, Effort)
        simulation.step()
        assert "effort" not in simulation.snapshot.herds[0].parts


def test_what_is_changed_between_ticks_is_in_the_next_snapshot() -> None:
    with Simulation(scene("meadow", "hexapod")) as simulation:
        before = simulation.digest
        with simulation.context():
            ((_, body),) = esper.get_component(Body)
            body.records["position"][0, 0, 2] += 0.125
            assert simulation.digest != before
            body.records["position"][0, 0, 2] += 0.125
        found = simulation.snapshot.creatures[0].position[2]
        assert found == body.records["position"][0, 0, 2]


class Swap(esper.Processor):
    """Puts a copy of every array in its place."""

    def process(self, dt: float) -> None:
        del dt
        for entity, _ in esper.get_component(Herd):
            parts: tuple[object, ...] = esper.components_for_entity(entity)
            for part in parts:
                if isinstance(part, Part):
                    for name, array in part.arrays().items():
                        setattr(part, name, array.copy())


@pytest.mark.parametrize("at", [0, 1, 8, 15, 20, len(SYSTEMS)])
def test_arrays_that_a_system_of_ones_own_puts_into_fields_are_those_that_walk(at: int) -> None:
    world = scene("hills", "hexapod")
    systems = (*SYSTEMS[:at], Swap, *SYSTEMS[at:])
    with Simulation(world) as plain, Simulation(world, systems=systems) as swapped:
        for _ in range(20):
            plain.step()
            swapped.step()
            assert swapped.digest == plain.digest


def test_parts_that_come_between_ticks_in_the_place_of_others_are_those_that_walk() -> None:
    world = scene("hills", "hexapod")
    with Simulation(world) as plain, Simulation(world) as swapped:
        for _ in range(20):
            plain.step()
            swapped.step()
            assert swapped.digest == plain.digest
            with swapped.context():
                for entity, body in esper.get_component(Body):
                    esper.add_component(entity, Body(body.records.copy()))
                    body.records["position"] = np.nan


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (np.array([np.nan]), "expected finite numbers in part 'effort'"),
        (np.zeros(7), r"'effort', spent: expected an array of 1 rows.*found \(7,\)"),
        (np.zeros(1, np.float32), "expected a contiguous array of 8-byte numbers, found float32"),
        ([1.0], "expected an array of 1 rows.*found list"),
    ],
)
def test_a_part_that_is_no_state_is_refused(made: object, message: str) -> None:
    class Spoil(Work):
        makes = staticmethod(lambda old: made)

    with (
        Simulation(scene("meadow", "hexapod"), systems=(*SYSTEMS, Spoil)) as simulation,
        pytest.raises(SimulationError, match=message),
    ):
        simulation.step()


@pytest.mark.slow
def test_simulations_in_threads_do_not_mix() -> None:
    def run(found: list[str]) -> None:
        with Simulation(scene("meadow", "spider4")) as simulation:
            for _ in range(120):
                simulation.step()
            found.append(simulation.digest)

    alone: list[str] = []
    run(alone)
    together: list[str] = []
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=run, args=(together,)) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(before)
    assert together == alone * 3


def test_a_closed_simulation_says_so() -> None:
    simulation = Simulation(scene("meadow", "hexapod"))
    worlds = len(esper.list_worlds())
    simulation.close()
    simulation.close()
    with pytest.raises(SimulationError, match="found a closed one"):
        simulation.step(Input.of([(0.0, 0.0)]))
    assert len(esper.list_worlds()) == worlds - 1


@pytest.mark.parametrize(
    "given",
    [
        5,
        [(1, 0)],
        Input((5,)),  # type: ignore[arg-type]
        Input(((True, 0),)),
        Input(((1, 2, 3),)),
        Input(((0, 0, 0, 0),), (5,)),  # type: ignore[arg-type]
        Input(((0, 0, 0, 0),), (Event("reset", 0), "reset")),  # type: ignore[arg-type]
        Input(((0, 0, 0, 0),) * 2, (Event("spawn", 1, definition="ant"),)),  # type: ignore[arg-type]
        Input(((0, 0, 0, 0),) * 2, (Event("push", 0, definition=load_creature("ant")),)),
    ],
)
def test_inputs_of_the_wrong_kind_are_refused(given: Input) -> None:
    with (
        Simulation(scene("meadow", "hexapod")) as simulation,
        pytest.raises(DefinitionError, match="expected"),
    ):
        simulation.step(given)


@pytest.mark.parametrize("number", [0, 1])
def test_no_event_reaches_a_creature_in_the_tick_in_which_it_goes(number: int) -> None:
    world = scenes.herd("meadow", "hexapod", [(0.0, 0.0), (3.0, 0.0)])
    push = Event("push", number, velocity=(0.5, 0.0, 0.0))
    with Simulation(world) as simulation:
        with pytest.raises(DefinitionError, match=f"found {number}, which was removed"):
            simulation.step(Input.of([(), ()], [Event("remove", number), push]))
        assert simulation.tick == 0
        assert [creature.number for creature in simulation.snapshot.creatures] == [0, 1]


@pytest.mark.parametrize("reference", ["sub/bug.toml", "./bug.toml", "my bug.toml"])
def test_a_world_whose_creature_is_a_path_is_recorded_and_verified(
    reference: str, tmp_path: Path
) -> None:
    bug = tmp_path / reference
    bug.parent.mkdir(exist_ok=True)
    bug.write_text((builtin_folder("creature") / "spider4.toml").read_text())
    place = f'[[creatures]]\ncreature = "{reference}"\n'
    (tmp_path / "w.toml").write_text(f'name = "w"\nterrain = {{ kind = "flat" }}\n{place}{place}')
    world = load_world(tmp_path / "w.toml")
    assert [placement.creature for placement in world.creatures] == ["spider4", "spider4"]
    record(world, tmp_path / "a.mcap", 5)
    assert verify(tmp_path / "a.mcap").ok


def test_two_recordings_to_one_place_do_not_mix(tmp_path: Path) -> None:
    world, path = scene("meadow", "hexapod"), tmp_path / "a.mcap"
    with Simulation(world) as simulation, Recorder(path, simulation) as recorder:
        with pytest.raises(OutputError, match="expected nothing else to be written"):
            Recorder(path, simulation)
        path.write_text("came meanwhile")
        with pytest.raises(OutputError, match="one that appeared meanwhile"):
            recorder.close()
    assert path.read_text() == "came meanwhile"


@pytest.mark.slow
def test_a_run_that_fails_leaves_the_older_recording(tmp_path: Path) -> None:
    world, path = scene("meadow", "hexapod"), tmp_path / "a.mcap"
    record(world, path, 30)

    def fails(snapshot: object) -> Input:
        raise RuntimeError(snapshot)

    with pytest.raises(RuntimeError):
        record(world, path, 30, driver=fails, force=True)
    assert verify(path).ticks == 30
    assert [file.name for file in tmp_path.iterdir()] == ["a.mcap"]


def test_a_recorder_takes_every_tick_from_the_first(tmp_path: Path) -> None:
    with Simulation(scene("meadow", "hexapod")) as simulation:
        with Recorder(tmp_path / "a.mcap", simulation) as recorder:
            simulation.step()
            simulation.step()
            with pytest.raises(ValueError, match="expected tick 1, found 2"):
                recorder.write(Input.of([(0.0, 0.0)]), simulation.snapshot)
        with pytest.raises(ValueError, match="before"):
            Recorder(tmp_path / "b.mcap", simulation)


def test_a_world_without_the_creature_that_it_places_says_so() -> None:
    world = WorldDef.model_validate(
        {"name": "bare", "terrain": {"kind": "flat"}, "creatures": [{"creature": "hexapod"}]}
    )
    says = r"species: expected a creature 'hexapod', found \[\]; .* from load_world"
    with pytest.raises(DefinitionError, match=says):
        world.species_of(world.creatures[0])
    with pytest.raises(DefinitionError, match=says):
        Simulation(world)
