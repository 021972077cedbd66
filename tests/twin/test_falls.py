"""Creatures that forces move fall, which is told, and get up by themselves."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from math import pi
from pathlib import Path

import esper
import numpy as np
import pybullet
import pytest

from creature_sim.components import FOLDED, UPRIGHT, WALKING, Twin
from creature_sim.definitions import WorldDef
from creature_sim.inputs import Event, Input
from creature_sim.library.loader import load_creature, load_world
from creature_sim.library.variants import with_creature, with_twins
from creature_sim.motions.refusals import refusals_in
from creature_sim.replay import open_replay, verify
from creature_sim.score import Surface, Walk, tracks
from creature_sim.score.bodies import fall_of
from creature_sim.simulation import Simulation
from creature_sim.snapshots.falls import falls_in
from creature_sim.snapshots.poses import Fall
from creature_sim.twin.twins import Twins
from tests.commands import sim
from tests.marks import sample_of
from tests.tools.twins import creature_of, world_of
from tests.twin.test_twins import AHEAD, LEVEL, STILL, first, physical, upright

POSES = {
    "on its back": (pi, 0.0),
    "on its left": (-0.5 * pi, 0.0),
    "on its right": (0.5 * pi, 0.0),
    "on its nose": (0.0, 0.5 * pi),
    "on its tail": (0.0, -0.5 * pi),
    "on its back, to the left": (-2.3, 0.0),
    "on its back, to the right": (2.3, 0.0),
    "on its back, nose down": (0.0, 2.3),
    "on its back, tail down": (0.0, -2.3),
    "on its nose, to a side": (0.8, 1.0),
    "on its tail, to a side": (-0.8, -1.0),
    "on its belly, legs stretched": (0.0, 0.0),
}
"""Roll and pitch in which it is dropped [rad]."""


STANDS = 15
"""It has got up once it has stood for so many ticks."""


HEIGHT, CLEAR = 0.35, 0.75
"""It is dropped from so much above where it stands [m]; from this part of its length, if that is
more, so that no end of it begins below the ground."""


@contextmanager
def dropped(world: WorldDef, pose: str) -> Iterator[Simulation]:
    """A world whose creature is in the air in a pose."""
    with Simulation(world) as simulation:
        trunk = first(simulation.snapshot).definition.trunk
        height = max(HEIGHT, CLEAR * sum(part.size[0] for part in trunk))
        with simulation.context():
            ((_, twin),) = esper.get_component(Twin)
        base = twin.records[0]
        base.orientation[:] = pybullet.getQuaternionFromEuler((*POSES[pose], 0.3))
        base.position[2] += height
        if pose == "on its belly, legs stretched":
            base.position[2] -= height + 0.05
            twin.angles[0], twin.goals[0] = 0.1, 0.1
        yield simulation


def gets_up(world: WorldDef, pose: str) -> bool:
    """Whether a world's creature that is dropped in a pose stands within five seconds."""
    with dropped(world, pose) as simulation:
        ticks = 0
        for _ in range(300 + STANDS):
            simulation.step(STILL)
            now = first(simulation.snapshot)
            stands = now.herd.parts["twin"]["records"][0].stage == UPRIGHT
            stands &= now.flight.stage == WALKING and upright(simulation.snapshot) > 0.95
            stands &= bool(now.herd.parts["twin"]["contacts"][0].sum() >= 3)
            ticks = ticks + 1 if stands else 0
            if ticks == STANDS:
                return True
        return False


@pytest.mark.parametrize(
    "creature", sample_of(("hexapod", "ant", "spider8", "spider4", "centipede"), slow=("hexapod",))
)
def test_it_gets_up_within_five_seconds(creature: str) -> None:
    """Of 60 poses here 59 (docs/twins.md); other machines round otherwise, and tumble otherwise."""
    world = physical(creature=creature, terrain=LEVEL)
    assert sum(gets_up(world, pose) for pose in POSES) >= 10


def test_who_lies_does_not_stand_up_yet_whatever_it_is_told() -> None:
    """Told to walk it put its feet out while it lay on its back, and did not get over.

    Or it was refused that, as a leap, in each tick. What it is told to do is refused by its name.
    """
    told = {20: "sit", 30: "fold", 40: "stand"}
    found = []
    with dropped(physical(creature="spider4", terrain=LEVEL), "on its back") as simulation:
        for tick in range(60):
            events = [Event(told[tick], 0)] if tick in told else []
            simulation.step(Input.of([()] if events else AHEAD.commands, events))
            now = first(simulation.snapshot)
            if now.herd.parts["twin"]["records"][0].stage != UPRIGHT:
                assert now.flight.stage == FOLDED
                found += [(one.motion, one.reason) for one in refusals_in(simulation.snapshot)]
    assert found == [("sit", "it leaps or falls"), ("fold", "it leaps or falls")]


STOOL = """
name = "stool"

[body]
size = [0.3, 0.3, 0.06]
ride_height = 0.45
mass = 3.0

[motion]
speed = 0.3
turn_rate = 0.8
acceleration = 1.0
turn_acceleration = 3.0

[gait]
kind = "phase"
pattern = "wave"
stride_length = 0.2
step_height = 0.06

[[leg_pairs]]
mount = [-0.10, 0.10, -0.03]
bones = [0.24, 0.24]
home = [-0.14, 0.14]

[[legs]]
side = "left"
pair = 1
mount = [0.14, 0.0, -0.03]
bones = [0.24, 0.24]
home = [0.2, 0.0]
"""


def test_a_stool_that_leans_on_legs_that_it_has_drawn_in_puts_them_away(tmp_path: Path) -> None:
    """It drew them in again, for ever: it was over, and did not lie on its belly."""
    file = tmp_path / "stool.toml"
    file.write_text(STOOL)
    world = with_twins(with_creature(load_world("meadow"), load_creature(str(file))))
    with Simulation(world) as simulation:
        for tick in range(480):
            simulation.step(AHEAD if tick < 60 else STILL)
        assert first(simulation.snapshot).herd.parts["twin"]["records"][0].fall_count > 0
        assert first(simulation.snapshot).flight.stage == WALKING
        assert upright(simulation.snapshot) > 0.95


@pytest.mark.slow
def test_a_trunk_of_segments_that_stands_on_its_tail_bends_and_falls() -> None:
    """Straight it stood there for three seconds."""
    assert gets_up(physical(creature="centipede", terrain=LEVEL), "on its tail")


@pytest.mark.slow
def test_a_robot_whose_legs_reach_over_its_back_gets_up_too() -> None:
    """Of 12 poses here 12: hips turn all the way that the motors of its URDF do."""
    world = with_twins(world_of(creature_of("a1"), "level", 0))
    assert sum(gets_up(world, pose) for pose in POSES) >= 11


def thrown() -> Event:
    """A push that nobody takes."""
    return Event("push", 0, velocity=(6.0, 9.0, 0.0))


@pytest.mark.slow
def test_a_fall_is_told_by_snapshots_replays_scores_and_the_summary(tmp_path: Path) -> None:
    world = physical(terrain=LEVEL)
    states = []
    with Simulation(world) as simulation:
        for tick in range(420):
            simulation.step(Input.of([()], [thrown()] if tick == 30 else []))
            states.append(simulation.snapshot)
        falls = [fall for state in states for fall in falls_in(state)]
        assert [fall.reason for fall in falls][:1] == ["it tipped over"]
        assert 30 < falls[0].tick < 120
        (track,) = tracks(states, 60)
        assert track.twin is not None
        assert track.twin.is_down[falls[0].tick + 5]
        assert "tipped over" in fall_of(Walk(track, Surface(simulation.physics)))
        assert upright(states[-1]) > 0.95
        assert not track.twin.is_down[-1]
    path = tmp_path / "fall.mcap"
    words = ["run", "meadow", "--physical", "--headless", "--seconds", "3", "--json"]
    done = sim(*words, "--drive", "stop 0.5; push 9,9; stop 4", "--record", str(path))
    told = json.loads(done.stdout)["creatures"][0]["fell"]
    found = [event for event in open_replay(path).events if isinstance(event, Fall)]
    assert [{"tick": fall.tick, "reason": fall.reason} for fall in found] == told
    assert told
    assert verify(path).ok


@pytest.mark.slow
def test_who_sinks_onto_the_belly_has_fallen_too() -> None:
    """Its motors fail for two seconds; then it stands up."""
    found = []
    with Simulation(physical(terrain=LEVEL)) as simulation:
        with simulation.context():
            ((_, twins),) = esper.get_component(Twins)
        gains = twins.machine.gains
        arrays = gains.stiffness, gains.damping, gains.effort
        saved = [array.copy() for array in arrays]
        for tick in range(420):
            for array, usual in zip(arrays, saved, strict=True):
                array[:] = 1e-9 if 30 <= tick < 150 else usual
            simulation.step(STILL)
            found += list(falls_in(simulation.snapshot))
        assert [fall.reason for fall in found] == ["it lay on its body"]
        assert upright(simulation.snapshot) > 0.95
        height = load_creature("hexapod").body.ride_height
        assert first(simulation.snapshot).body.position[2] == pytest.approx(height, abs=0.03)


@pytest.mark.slow
def test_a_creature_may_begin_on_its_back() -> None:
    world = physical(terrain=LEVEL)
    placement = world.creatures[0].model_copy(update={"overturned": True})
    with Simulation(world.model_copy(update={"creatures": (placement,)})) as simulation:
        assert upright(simulation.snapshot) < -0.9
        for _ in range(360):
            simulation.step(STILL)
        assert upright(simulation.snapshot) > 0.95


@pytest.mark.slow
def test_who_has_got_up_walks_on() -> None:
    with Simulation(physical(terrain=LEVEL)) as simulation:
        for tick in range(480):
            simulation.step(Input.of([(1 << 14, 0, 0)], [thrown()] if tick == 30 else []))
        before = first(simulation.snapshot).body.position.copy()
        for _ in range(120):
            simulation.step(AHEAD)
        after = first(simulation.snapshot).body.position
        assert upright(simulation.snapshot) > 0.95
        assert np.linalg.norm(after - before) > 0.5
