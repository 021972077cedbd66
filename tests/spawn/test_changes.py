"""Creatures that come and go between ticks: recorded and proven; all others keep their bits."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import esper
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from creature_sim.components import Herd, Part
from creature_sim.definitions import PlacementDef, WorldDef
from creature_sim.drivers import make_driver
from creature_sim.errors import CreatureSimError, DefinitionError, SimulationError
from creature_sim.inputs import Event, Input
from creature_sim.library.loader import load_creature, load_world
from creature_sim.replay import Divergence, Recorder, diff, open_replay, verify
from creature_sim.replay.digests import SIXTH
from creature_sim.score import tracks
from creature_sim.session import Session
from creature_sim.simulation import Simulation
from creature_sim.snapshots.layout import find_layout
from creature_sim.systems import SYSTEMS
from tests.commands import sim
from tests.marks import few
from tests.replay.messages import with_field
from tests.replay.test_replay import rewritten
from tests.scenes import herd, scene

HEXAPOD, SPIDER = load_creature("hexapod"), load_creature("spider4")
PLACE = PlacementDef(creature="hexapod", position=(3.0, 3.0))
PHYSICAL = PLACE.model_copy(update={"physical": True})


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two seconds on hills: three creatures come, then one goes."""
    path = tmp_path_factory.mktemp("changes") / "changes.mcap"
    with Simulation(scene("hills", "hexapod")) as simulation:
        recorder = Recorder(path, simulation)
        session = Session(simulation, make_driver(simulation.world, "wander"), [recorder])
        for tick in range(120):
            if tick == 30:
                assert simulation.spawn(HEXAPOD, (3.0, 2.0)) == 1
                assert simulation.spawn(SPIDER, (-3.0, 2.0), heading=1.0) == 2
                assert simulation.spawn(HEXAPOD, (3.0, -4.0), alone=True) == 3
            if tick == 60:
                simulation.remove(1)
            session.advance()
        recorder.close()
    return path


@pytest.mark.slow
def test_a_replay_with_changes_is_proven_and_shows_who_was_there_when(recorded: Path) -> None:
    assert verify(recorded).ok is True
    replay = open_replay(recorded)
    assert (len(replay.start.creatures), len(replay.world.creatures)) == (1, 4)
    there = {
        int(pose.tick): [
            int(number) for part in pose.herds for number in part.members[part.is_there].tolist()
        ]
        for pose in replay.poses
    }
    assert sorted(there[0]) == [0]
    assert sorted(there[40]) == [0, 1, 2, 3]
    assert sorted(there[119 - 119 % 2]) == [0, 2, 3]
    counts = [len(snapshot.creatures) for snapshot in replay.rerun()]
    assert counts == [1] * 31 + [4] * 30 + [3] * 60


def test_a_digest_that_was_changed_is_of_the_creature_with_that_number(
    recorded: Path, tmp_path: Path
) -> None:
    """Not of the second one that is there."""

    def change(message: dict[str, Any]) -> None:
        message["creatures"][1]["foot_target"] = "0" * SIXTH.part

    path = rewritten(recorded, tmp_path / "digest.mcap", with_field("/digest", 100, change))
    assert verify(path).divergence == Divergence(100, "foot_target", 2)
    with open_replay(recorded) as one, open_replay(path) as other:
        assert one.numbers_at(40) == [0, 1, 2, 3]
        found = diff(one, replace(other, metadata={**other.metadata, "math_profile": "0"}))
    assert found.states is not None
    assert (found.states.tick, found.states.owner) == (100, "creature 2")


@pytest.mark.slow
def test_commands_read_a_replay_with_changes(recorded: Path, tmp_path: Path) -> None:
    for words in (
        ["verify", recorded],
        ["info", recorded],
        ["replay", recorded, "--headless", "--json"],
        ["score", recorded],
        ["export", recorded, "-o", tmp_path / "page.html"],
    ):
        done = sim(*map(str, words))
        assert done.returncode == 0, (words, done.stderr)


@pytest.mark.slow
def test_who_comes_last_has_no_walk_to_score(tmp_path: Path) -> None:
    """Also who comes and goes at once, and who had no time to get anywhere."""
    path = tmp_path / "late.mcap"
    with Simulation(scene("meadow", "hexapod")) as simulation:
        recorder = Recorder(path, simulation)
        session = Session(simulation, make_driver(simulation.world, "forward 9"), [recorder])
        for tick in range(60):
            if tick in (20, 50, 59):
                simulation.spawn(SPIDER, (3.0, -4.0 + 0.1 * tick))
            if tick == 21:
                simulation.remove(1)
            session.advance()
        recorder.close()
    done = sim("score", str(path), "--json", "--compare")
    assert done.returncode == 0, done.stderr
    creatures = json.loads(done.stdout)[0]["creatures"]
    assert len(creatures) == 4
    for number in (1, 3):
        for metric in (
            *creatures[number]["metrics"].values(),
            *creatures[number]["other"].values(),
        ):
            assert metric == {
                "value": None,
                "verdict": "n/a",
                "reason": "it was there for one tick only",
            }
    assert creatures[2]["metrics"]["M16"]["reason"].startswith("it was there for less than 1 s")
    assert creatures[2]["metrics"]["M1"]["verdict"] == "excellent"


@pytest.mark.slow
def test_who_comes_into_a_world_without_creatures_is_scored(tmp_path: Path) -> None:
    path = tmp_path / "arm.mcap"
    with Simulation(load_world("arm")) as simulation:
        recorder = Recorder(path, simulation)
        session = Session(simulation, make_driver(simulation.world, "forward 9"), [recorder])
        for tick in range(60):
            if tick == 10:
                simulation.spawn(HEXAPOD, (3.0, 1.0))
            session.advance()
        recorder.close()
    done = sim("score", str(path), "--json", "--plot", str(tmp_path / "walk.png"))
    assert done.returncode == 0, done.stderr
    (creature,) = json.loads(done.stdout)[0]["creatures"]
    assert creature["metrics"]["M1"]["verdict"] == "excellent"
    assert (tmp_path / "walk.png").exists()


@pytest.mark.slow
def test_tracks_begin_and_end_with_their_creatures(recorded: Path) -> None:
    found = tracks(open_replay(recorded).rerun(), 60)
    assert [len(track.position) for track in found] == [121, 30, 90, 90]
    assert [track.definition.name for track in found] == ["hexapod"] * 2 + ["spider4", "hexapod"]


def states(world: WorldDef, ticks: int, *changes: tuple[int, str]) -> Iterator[dict[int, object]]:
    """Digests of every creature by number, after each tick; creatures come and go meanwhile."""
    with Simulation(world) as simulation:
        for tick in range(ticks):
            for when, what in changes:
                if when == tick and what == "spawn":
                    simulation.spawn(HEXAPOD, (0.0, 6.0 + 0.5 * tick))
                elif when == tick:
                    simulation.remove(int(what))
            simulation.step()
            snapshot = simulation.snapshot
            numbers = [creature.number for creature in snapshot.creatures]
            yield dict(zip(numbers, snapshot.digests, strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("removed", [0, 1, 2])
def test_a_herd_that_grows_and_shrinks_keeps_the_others_bits(removed: int) -> None:
    world = herd("hills", "hexapod", [(0.0, 0.0), (5.0, 1.0), (-5.0, 1.0)])
    calm = list(states(world, 40))
    changed = list(states(world, 40, (5, "spawn"), (12, str(removed)), (20, "spawn")))
    for tick, (one, other) in enumerate(zip(calm, changed, strict=True)):
        stayed = {0, 1, 2} - ({removed} if tick >= 12 else set())
        assert {number: one[number] for number in stayed} == {
            number: other[number] for number in stayed
        }
    assert set(changed[-1]) == {0, 1, 2, 3, 4} - {removed}


@pytest.mark.slow
def test_who_comes_walks_as_it_would_have_from_the_start() -> None:
    """A creature's bits depend on neither its herd, its number nor when it came."""
    place = (2.0, 1.0)
    alone = scene("slope", "hexapod", driver="forward 9")
    first = herd("slope", "hexapod", [place]).model_copy(update={"driver": "forward 9"})
    command = make_driver(alone, "forward 9")
    with Simulation(first) as one, Simulation(alone) as other:
        for _ in range(7):
            other.step()
        number = other.spawn(HEXAPOD, place)
        for _ in range(30):
            one.step(command(one.snapshot))
            other.step(Input((command(one.snapshot).commands[0],) * 2))
        assert number == 1
        parts, others = one.snapshot.digests[0], other.snapshot.digests[1]
        assert len(parts) == 13
        for name in parts.keys() - {"sensed"}:  # rays look to other sides on other ticks
            assert parts[name] == others[name], name


def test_numbers_are_never_given_twice_and_commands_count_the_gone() -> None:
    with Simulation(scene("meadow", "hexapod")) as simulation:
        simulation.remove(0)
        assert not list(simulation.snapshot.creatures)
        assert simulation.spawn(SPIDER) == 1
        simulation.step(Input.of([(), (1.0,)]))
        with pytest.raises(DefinitionError, match="expected one per creature, 2, found 1"):
            simulation.step(Input.of([(1.0,)]))
        (living,) = simulation.snapshot.creatures
        assert living.number == 1
        assert simulation.snapshot.creature(1).definition.name == "spider4"
        with pytest.raises(KeyError):
            simulation.snapshot.creature(0)


@pytest.mark.slow
@few
@given(st.lists(st.sampled_from(["spawn", "spawn alone", "remove", "step"]), max_size=8))
def test_any_order_of_changes_leaves_a_world_that_steps(todo: list[str]) -> None:
    with Simulation(scene("meadow", "hexapod")) as simulation:
        living, given_out = {0}, 1
        for what in todo:
            if what == "step":
                simulation.step()
            elif what == "remove" and living:
                simulation.remove(living.pop())
            elif what != "remove":
                position = (2.0 * given_out, -2.0 * given_out)
                number = simulation.spawn(HEXAPOD, position, alone=what.endswith("alone"))
                assert number == given_out
                living.add(number)
                given_out += 1
        simulation.step()
        assert {creature.number for creature in simulation.snapshot.creatures} == living


@pytest.mark.parametrize(
    ("position", "error", "words"),
    [
        ((1e9, 0.0), DefinitionError, "position: expected x and y where creatures may start"),
        ((31.9, 0.0), DefinitionError, "position: expected x and y"),
        ((float("nan"), 0.0), DefinitionError, "position"),
        (("a", "b"), DefinitionError, "position"),
    ],
)
def test_a_bad_start_is_one_message_and_changes_nothing(
    position: tuple[float, float], error: type[CreatureSimError], words: str
) -> None:
    with Simulation(scene("meadow", "hexapod")) as simulation:
        before = simulation.digest
        with pytest.raises(error, match=words):
            simulation.spawn(HEXAPOD, position)
        assert simulation.digest == before
        assert not simulation.has_changed
        simulation.step()


def test_nobody_comes_beside_a_planet() -> None:
    world = load_world("planet")
    with Simulation(world) as simulation, pytest.raises(DefinitionError, match="position"):
        simulation.spawn(HEXAPOD, (30.0, 30.0))


def test_chains_stay_on_their_creatures_when_others_go_and_keep_them() -> None:
    world = herd("meadow", "hexapod", [(0.0, 0.0), (3.0, 0.0)])
    tail = {
        "name": "tail",
        "creature": 1,
        "root": [-0.2, 0.0, 0.05],
        "bones": [0.2, 0.1],
        "direction": [-1.0, 0.0, 0.5],
        "target": {"kind": "command", "start": [2.0, 0.0, 0.5]},
    }
    world = WorldDef.model_validate({**world.model_dump(mode="json"), "chains": [tail]})
    with Simulation(world) as simulation:
        with pytest.raises(DefinitionError, match="no chain or tree hangs on"):
            simulation.remove(1)
        simulation.remove(0)
        for _ in range(30):
            simulation.step()
        (creature,) = simulation.snapshot.creatures
        root = simulation.snapshot.chains[0].joints[0]
        assert np.linalg.norm(root - creature.position) == pytest.approx(
            np.linalg.norm([-0.2, 0.0, 0.05]), abs=1e-9
        )


@pytest.mark.parametrize("count", [1, 2])
def test_a_recording_goes_on_when_the_last_of_a_herd_has_gone(count: int, tmp_path: Path) -> None:
    path = tmp_path / "empty.mcap"
    starts = [(float(3 * number), 0.0) for number in range(count)]
    with Simulation(herd("meadow", "hexapod", starts)) as simulation:
        recorder = Recorder(path, simulation)
        session = Session(simulation, make_driver(simulation.world, "forward 2"), [recorder])
        for tick in range(90):
            if tick == 30:
                for number in range(count):
                    simulation.remove(number)
            if tick == 60:
                assert simulation.spawn(HEXAPOD) == count
            session.advance()
        recorder.close()
    assert verify(path).ok is True
    with open_replay(path) as replay:
        there = {
            int(pose.tick): sum(int(part.is_there.sum()) for part in pose.herds)
            for pose in replay.poses
        }
    assert [there[tick] for tick in (20, 40, 80)] == [count, 0, 1]


def test_events_to_who_is_gone_are_refused() -> None:
    with Simulation(scene("meadow", "hexapod")) as simulation:
        simulation.remove(0)
        with pytest.raises(DefinitionError, match="0, which was removed"):
            simulation.step(Input.of([()], [Event("reset", 0)]))
        with pytest.raises(DefinitionError, match="number of one that is there"):
            simulation.remove(0)
        for number in (-1, 7):
            with pytest.raises(DefinitionError):
                simulation.remove(number)


def test_a_snapshot_of_a_world_that_more_creatures_have_seen_is_refused() -> None:
    world = scene("meadow", "hexapod")
    with Simulation(world) as simulation, Simulation(world) as other:
        other.remove(other.spawn(HEXAPOD, (3.0, 3.0)))
        with pytest.raises(SimulationError, match=r"expected 1 creatures so far.* found 2"):
            simulation.restore(other.snapshot)
        simulation.step()


@pytest.mark.parametrize(
    ("count", "events", "message"),
    [
        (1, None, "events: expected a tuple, found None"),
        (1, ("reset",), r"events\[0\]: expected an Event, found 'reset'"),
        (
            1,
            (Event("spawn", 1, definition="hexapod", placement=PLACE),),  # type: ignore[arg-type]
            r"events\[0\]: expected a definition and a placement, found str and PlacementDef",
        ),
        (1, (Event("spawn", 1, definition=HEXAPOD),), "found CreatureDef and NoneType"),
        (2, (Event("reset", 0, definition=HEXAPOD),), "expected one per creature, 1, found 2"),
        (1, (Event("remove", [0]),), r"events\[0\].creature: expected an int"),  # type: ignore[arg-type]
        (
            2,
            (Event("spawn", 1, definition=HEXAPOD, placement=PHYSICAL),),
            "physical: expected a world that begins with such a creature",
        ),
    ],
)
def test_events_of_other_kinds_are_refused_and_change_nothing(
    count: int, events: Any, message: str
) -> None:
    with Simulation(scene("meadow", "hexapod")) as simulation:
        before = simulation.digest
        with pytest.raises(DefinitionError, match=message):
            simulation.step(Input(((0, 0, 0, 0),) * count, events))
        assert (simulation.digest, len(simulation.world.creatures)) == (before, 1)
        simulation.step()


def test_a_recording_begins_before_anybody_comes(tmp_path: Path) -> None:
    with Simulation(scene("meadow", "hexapod")) as simulation:
        simulation.spawn(HEXAPOD, (3.0, 3.0))
        with pytest.raises(ValueError, match="before the recording"):
            Recorder(tmp_path / "late.mcap", simulation)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_pushers_of_props_come_and_go_with_their_creatures(tmp_path: Path) -> None:
    path = tmp_path / "pushed.mcap"
    with Simulation(load_world("platforms")) as simulation:
        recorder = Recorder(path, simulation)
        session = Session(simulation, make_driver(simulation.world), [recorder])
        for tick in range(60):
            if tick == 10:
                simulation.spawn(SPIDER, (-4.0, -4.0))
            if tick == 30:
                simulation.remove(1)
            session.advance()
        recorder.close()
    assert verify(path).ok is True


@dataclass
class Hunger(Part):
    """State of one's own, on one creature alone."""

    name = "hunger"
    level: NDArray[np.float64]


class Starve(esper.Processor):
    """Only the second creature is ever hungry."""

    def process(self, dt: float) -> None:
        for entity, whose in esper.get_component(Herd):
            if whose.members.tolist() == [1] and not esper.has_component(entity, Hunger):
                esper.add_component(entity, Hunger(np.zeros(1)))
        for _, hunger in esper.get_component(Hunger):
            hunger.level += dt


class Tire(esper.Processor):
    """A part that all hexapods have: it grows with their herd."""

    def process(self, dt: float) -> None:
        for entity, whose in esper.get_component(Herd):
            if not esper.has_component(entity, Hunger):
                esper.add_component(entity, Hunger(np.zeros(len(whose.members))))
            esper.component_for_entity(entity, Hunger).level += dt


def test_a_component_on_one_creature_only() -> None:
    with Simulation(scene("meadow", "hexapod"), systems=(*SYSTEMS, Starve)) as simulation:
        simulation.spawn(HEXAPOD, (3.0, 3.0), alone=True)
        for _ in range(60):
            simulation.step()
        calm, hungry = simulation.snapshot.creatures
        assert "hunger" not in calm.herd.parts
        assert hungry.herd.parts["hunger"]["level"] == pytest.approx([1.0])
        assert "hunger" in simulation.snapshot.digests[1]


def test_parts_of_ones_own_grow_and_shrink_with_their_herd() -> None:
    with Simulation(scene("meadow", "hexapod"), systems=(*SYSTEMS, Tire)) as simulation:
        for _ in range(30):
            simulation.step()
        simulation.spawn(HEXAPOD, (3.0, 3.0))
        for _ in range(30):
            simulation.step()
        level = simulation.snapshot.herds[0].parts["hunger"]["level"]
        assert level == pytest.approx([1.0, 0.5])
        simulation.remove(0)
        simulation.step()
        assert simulation.snapshot.herds[0].parts["hunger"]["level"] == pytest.approx(
            [0.5 + 1 / 60]
        )


def test_the_state_of_a_herd_lies_together_as_it_grows_and_shrinks() -> None:
    """A snapshot is a copy of one piece of memory, and holds what fields do."""
    with Simulation(scene("meadow", "hexapod"), systems=(*SYSTEMS, Tire)) as simulation:

        def pieces() -> list[int]:
            with simulation.context():
                ((_, arrays),) = find_layout().herds
                for name, fields in arrays.items():
                    for field, array in fields.items():
                        seen = simulation.snapshot.herds[0].parts[name][field]
                        assert np.array_equal(seen, array), (name, field)
                return [len(run.arrays) for run in arrays.runs]

        (whole,) = pieces()
        simulation.step()
        assert pieces() == [whole, 1]  # a part that comes later lies elsewhere
        simulation.spawn(HEXAPOD, (3.0, 3.0))
        assert pieces() == [whole + 1]
        simulation.step()
        simulation.remove(0)
        assert pieces() == [whole + 1]
