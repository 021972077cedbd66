"""One cycle of a walk: it goes on where it began, in place, and a root carries the way."""

from pathlib import Path

import numpy as np
import pytest

from creature_sim.definitions import PlacementDef
from creature_sim.drivers import make_driver
from creature_sim.export import names
from creature_sim.export.animation.actors import the_creature
from creature_sim.export.animation.loops import orders_of
from creature_sim.export.animation.takes import take_of
from creature_sim.inputs import Event, Input
from creature_sim.library.loader import load_creature, load_world
from creature_sim.library.variants import with_creature
from creature_sim.replay import Recorder, Replay, open_replay, record
from creature_sim.simulation import Simulation
from creature_sim.terrain import read_ground
from tests.climbers import CEILING, climber, in_room
from tests.commands import sim
from tests.export.bvhs import Bvh
from tests.export.gltfs import Gltf
from tests.export.test_animation import DRIFT, exported
from tests.marks import sample_of

CREATURES = sample_of(
    ("hexapod", "spider4", "spider8", "biped", "ant", "crab"), "hexapod", "biped", slow=("crab",)
)


def steady(path: Path, creature: str, drive: str, seconds: float = 14.0) -> Replay:
    world = with_creature(load_world("hills"), load_creature(creature))
    world = world.model_copy(
        update={
            "terrain": read_ground({"kind": "flat"}),
            "creatures": (PlacementDef(creature=creature, heading=0.7),),
        }
    )
    record(world, path, round(60 * seconds), driver=make_driver(world, drive))
    return open_replay(path)


class Cycle:
    """A loop as a file has it."""

    def __init__(self, replay: Replay, path: Path) -> None:
        self.replay = replay
        self.file = exported(replay, path, is_loop=True)


@pytest.fixture(scope="module", params=CREATURES)
def cycle(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Cycle:
    path = tmp_path_factory.mktemp("loop")
    return Cycle(steady(path / "walk.mcap", request.param, "forward 20"), path / "loop.glb")


@pytest.mark.slow
def test_its_end_is_its_beginning(cycle: Cycle) -> None:
    file = cycle.file
    file.play("walk_in_place_loop")
    first, last = file.positions(0.0), file.positions(file.duration)
    assert np.abs(last - first).max() < 1e-6
    # It goes on at the same pace: the step over the seam is between those on both sides of it.
    step = 1.0 / 60.0
    before = file.positions(file.duration - step) - file.positions(file.duration - 2.0 * step)
    over = first - file.positions(file.duration - step)
    after = file.positions(step) - first
    assert (np.abs(over - 0.5 * (before + after)).max(axis=1) < 0.02).all()


@pytest.mark.slow
def test_a_root_carries_the_way_at_an_even_pace(cycle: Cycle) -> None:
    file = cycle.file
    root, body = file.names.index("root"), file.names.index("body")
    file.play("walk_in_place_loop")
    assert not file.positions(0.5 * file.duration)[root].any()
    file.play("walk_with_root_motion_loop")
    extras = file.document["animations"][0]["extras"]
    way = file.positions(file.duration)[root]
    half = file.positions(0.5 * file.duration)[root]
    assert np.abs(half - 0.5 * way).max() < 1e-3 * np.abs(way).max()
    length = extras["cycles"] * extras["stride"]
    assert np.sqrt((way**2).sum()) == pytest.approx(length, abs=1e-4)
    assert extras["speed"] == pytest.approx(length / extras["seconds"], abs=1e-5)
    landed = [event["leg"] for event in extras["events"] if event["name"] == "touchdown"]
    assert all(landed.count(leg) % extras["cycles"] == 0 for leg in landed)
    assert extras["seconds"] == pytest.approx(file.duration, abs=1e-5)
    moved = file.positions(file.duration)[body] - file.positions(0.0)[body]
    assert np.abs(moved - way).max() < 1e-5


def test_events_say_when_feet_lift_and_land(cycle: Cycle) -> None:
    file, replay = cycle.file, cycle.replay
    file.play("walk_with_root_motion_loop")
    extras = file.document["animations"][0]["extras"]
    assert extras["loop"] is True
    nodes = [node for node in file.document["nodes"] if "extras" in node]
    assert [(node["name"], node["extras"]) for node in nodes] == [
        (f"0_{replay.world.species_of(replay.world.creatures[0]).name}", extras)
    ]
    plan = replay.world.species_of(replay.world.creatures[0])
    for leg, label in zip(plan.all_legs, names.leg_names(plan), strict=True):
        tip = file.names.index(f"{label}_tip")
        sole = (-leg.foot.heel, leg.foot.toe) if leg.foot else (0.0,)
        mine = [event for event in extras["events"] if event["leg"] == label]
        kinds = [event["name"] for event in mine]
        assert sorted(set(kinds)) == ["lift-off", "touchdown"]
        assert all(a != b for a, b in zip(kinds, [*kinds[1:], kinds[0]], strict=True))
        times = [event["time"] for event in mine]
        for (kind, begin), end in zip(
            zip(kinds, times, strict=True), [*times[1:], file.duration], strict=True
        ):
            if kind == "touchdown":  # it stands until its next lift-off, or the end
                stop = max(begin, end - 1.0 / 60.0)
                turns = np.array([file.matrices(t)[tip] for t in np.linspace(begin, stop, 20)])
                ends = np.array([(end, 0.0, 0.0, 1.0) for end in sole])
                goes = np.linalg.norm(np.diff(turns @ ends.T, axis=0), axis=1)
                assert goes.min(axis=1).sum() < DRIFT * leg.reach  # its heel stays, or its toe


@pytest.mark.slow
def test_a_curve_turns_its_root(tmp_path: Path) -> None:
    replay = steady(tmp_path / "walk.mcap", "hexapod", "forward left 20")
    file = exported(replay, tmp_path / "loop.glb", is_loop=True)
    file.play("walk_with_root_motion_loop")
    root, body = (file.names.index(name) for name in ("root", "body"))
    last = file.matrices(file.duration)
    ahead = last[root][:3, 0]
    assert abs(np.arctan2(-ahead[2], ahead[0])) > 0.1
    seen = [file.positions(t)[body] for t in np.linspace(0.0, file.duration, 9)]
    speeds = np.sqrt((np.diff(seen, axis=0) ** 2).sum(axis=1))
    assert np.ptp(speeds) < 0.2 * speeds.mean()


@pytest.mark.slow
@pytest.mark.parametrize("end", [".bvh", ".usda"])
def test_other_formats_hold_the_same_cycle(end: str, tmp_path: Path) -> None:
    replay = steady(tmp_path / "walk.mcap", "hexapod", "forward 20")
    file = exported(replay, tmp_path / "loop.glb", is_loop=True)
    file.play("walk_with_root_motion_loop")
    done = sim("export", "walk.mcap", "-o", f"loop{end}", "--loop", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    if end == ".bvh":
        bvh = Bvh(tmp_path / "loop.bvh")
        assert bvh.names[:2] == ["root", "body"]
        assert bvh.frame_time * (len(bvh.frames) - 1) == pytest.approx(file.duration, abs=1e-6)
        for frame in (0, 10, len(bvh.frames) - 1):
            places = file.positions(frame / 60)
            for name, place in bvh.positions(frame).items():
                assert np.abs(place - places[file.names.index(name)]).max() < 1e-4
        words = ["export", "walk.mcap", "-o", "loop.bvh", "--loop", "--force", "--fps"]
        assert sim(*words, "30", cwd=tmp_path).returncode == 0
        half = Bvh(tmp_path / "loop.bvh")
        assert half.frame_time == pytest.approx(1 / 30)
        assert (half.frames == bvh.frames[::2]).all()
        for fps in ("24", "7.5"):  # between ticks; not at the end of the 36 ticks
            done = sim(*words, fps, cwd=tmp_path)
            assert done.returncode == 2
            assert done.stderr.startswith("error: --fps: expected ")
            assert done.stderr.rstrip().endswith(f"found {fps}")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("drive", "found"),
    [("stop 9", "none in which every foot steps"), ("forward 1; left 1; stop 1", "")],
)
def test_what_has_no_cycle_is_refused(drive: str, found: str, tmp_path: Path) -> None:
    steady(tmp_path / "walk.mcap", "hexapod", drive, 3.0)
    done = sim("export", "walk.mcap", "-o", "loop.glb", "--loop", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("error: --loop: expected a walk of 0_hexapod that repeats itself")
    assert found in done.stderr
    assert not (tmp_path / "loop.glb").exists()


@pytest.mark.slow
def test_a_cycle_is_one_of_a_command_that_stays_the_same(tmp_path: Path) -> None:
    """Who turns and goes on alternately comes back to a pose; that is no cycle of its gait."""
    steady(tmp_path / "turns.mcap", "hexapod", "forward .6; left .6")
    done = sim("export", "turns.mcap", "-o", "loop.glb", "--loop", cwd=tmp_path)
    assert done.returncode == 2
    assert "repeats itself while its command stays the same, found one that" in done.stderr
    assert not (tmp_path / "loop.glb").exists()
    replay = steady(tmp_path / "walk.mcap", "hexapod", "stop 1; forward 3; left 1", 7.0)
    file = exported(replay, tmp_path / "loop.glb", is_loop=True)
    assert file.document["animations"][0]["extras"]["cycles"] == 1


def test_an_order_ends_where_a_command_changes_and_at_an_event(tmp_path: Path) -> None:
    path = tmp_path / "walk.mcap"
    world = with_creature(load_world("meadow"), load_creature("hexapod"))
    with Simulation(world) as simulation, Recorder(path, simulation) as recorder:
        for tick in range(1, 10):
            pushes = [Event("push", 0, velocity=(0.1, 0.0, 0.0))] if tick == 4 else []
            given = Input.of([(0.5 + 0.01 * tick, 0.0 if tick < 7 else 0.2)], pushes)
            simulation.step(given)
            recorder.write(given, simulation.snapshot)
    orders = orders_of(open_replay(path), 0, np.arange(1, 10))
    assert np.flatnonzero(np.diff(orders)).tolist() == [2, 3, 5]


@pytest.mark.slow
def test_of_several_creatures_one_must_be_named(tmp_path: Path) -> None:
    world = with_creature(load_world("hills"), load_creature("hexapod"))
    places = tuple(PlacementDef(creature="hexapod", position=(0.0, y)) for y in (-2.0, 2.0))
    world = world.model_copy(update={"terrain": read_ground({"kind": "flat"}), "creatures": places})
    record(world, tmp_path / "two.mcap", 600, driver=make_driver(world, "forward 20"))
    done = sim("export", "two.mcap", "-o", "loop.glb", "--loop", cwd=tmp_path)
    assert done.returncode == 2
    assert "--creature: expected the number of one creature" in done.stderr
    words = ("--loop", "--creature", "1")
    assert sim("export", "two.mcap", "-o", "loop.glb", *words, cwd=tmp_path).returncode == 0
    assert "1_hexapod" in Gltf(tmp_path / "loop.glb").names


@pytest.mark.slow
def test_a_walk_on_a_ceiling_is_a_cycle_the_right_way_up(tmp_path: Path) -> None:
    world = in_room(climber("spider8"), 2.4, position=(-3.0, 0.0), up=CEILING)
    record(world, tmp_path / "walk.mcap", 360, driver=make_driver(world, "forward 8"))
    file = exported(open_replay(tmp_path / "walk.mcap"), tmp_path / "loop.glb", is_loop=True)
    take = take_of(open_replay(tmp_path / "walk.mcap"), None, None, lambda done: None)
    actor = the_creature(world, take, 0)
    tips = actor.rest[list(actor.skeleton.feet), 2]  # and so is the pose at rest
    assert abs(tips.min()) < 1e-9
    assert (tips < actor.rest[actor.skeleton.names.index("body"), 2]).all()
    file.play("walk_with_root_motion_loop")
    for time in (0.0, file.duration):
        places = {
            name: file.positions(time)[node] for name, node in file.below("0_spider8").items()
        }
        tips = np.array([place for name, place in places.items() if name.endswith("_tip")])
        assert -0.01 < tips[:, 2].min() < 0.01
        assert (places["body"][2] > tips[:, 2] + 0.05).any()
    way = file.positions(file.duration)[file.names.index("root")]
    assert way[0] > 0.2
    assert np.abs(way[1:]).max() < 0.02
