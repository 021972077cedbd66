"""Tables of joints: read back with csv and pyarrow, and compared with the states of the run."""

import csv
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import esper
import numpy as np
import pytest
from pyarrow import parquet

from creature_sim.components import Body
from creature_sim.drivers import make_driver
from creature_sim.export.rows import COLUMNS
from creature_sim.export.tables import write_table
from creature_sim.replay import Recorder, Replay, open_replay, record
from creature_sim.session import Session
from creature_sim.simulation import Simulation
from creature_sim.systems import SYSTEMS
from tests.commands import sim
from tests.export.recordings import TICKS, there_at, with_changes
from tests.scenes import scene
from tests.tools import goldens

REPLAYS = Path(__file__).parents[2] / "replays"
ABOUT = {"recording": "walk.mcap", "world": "hills"}
Row = dict[str, Any]


def read(path: Path) -> list[Row]:
    """Rows of a table; numbers as numbers, None where there is none."""
    if path.suffix == ".parquet":
        rows: list[Row] = parquet.read_table(path).to_pylist()
        return rows
    with path.open(newline="") as stream:
        return [
            {name: _value(name, text) for name, text in row.items()}
            for row in csv.DictReader(stream)
        ]


def _value(name: str, text: str) -> Any:
    if name in ("kind", "name", "part", "joint_name", "source"):
        return text
    if name in ("tick", "number", "joint"):
        return int(text)
    return float(text) if text else None


def by_tick(rows: list[Row]) -> Iterator[tuple[int, list[Row]]]:
    ticks = sorted({row["tick"] for row in rows})
    for tick in ticks:
        yield tick, [row for row in rows if row["tick"] == tick]


def position(row: Row) -> list[float]:
    return [row["x"], row["y"], row["z"]]


def turn(row: Row) -> list[float | None]:
    return [row["qx"], row["qy"], row["qz"], row["qw"]]


def recorded(path: Path, world: str, creature: str, ticks: int) -> Replay:
    made = scene(world, creature)
    record(made, path, ticks, driver=make_driver(made))
    return open_replay(path)


@pytest.fixture(scope="module")
def walk(tmp_path_factory: pytest.TempPathFactory) -> Replay:
    return recorded(tmp_path_factory.mktemp("tables") / "walk.mcap", "hills", "hexapod", 40)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_every_joint_of_every_tick_is_exact(walk: Replay, tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"walk.{kind}"
    assert write_table(walk, path, ABOUT) == ""
    rows = read(path)
    assert list(rows[0]) == list(COLUMNS)
    legs = ("L1", "R1", "L2", "R2", "L3", "R3")
    joints = list(enumerate(("hip", "joint_1", "joint_2", "tip")))
    states = list(walk.rerun())
    found = list(by_tick(rows))
    assert [tick for tick, _ in found] == list(range(41))
    for state, (tick, mine) in zip(states, found, strict=True):
        creature = state.creatures[0]
        assert state.tick == tick
        assert {row["time"] for row in mine} == {tick / 60}
        assert {(row["kind"], row["number"], row["name"], row["source"]) for row in mine} == {
            ("creature", 0, "hexapod", "simulated")
        }
        body, head, *rest = mine
        assert (head["part"], head["joint"], head["joint_name"]) == ("head", 0, "centre")
        assert (body["part"], body["joint"], body["joint_name"]) == ("body", 0, "centre")
        assert position(body) == creature.position.tolist()
        assert turn(body) == creature.orientation.tolist()
        names = [(row["part"], row["joint"], row["joint_name"]) for row in rest]
        assert names == [(leg, index, joint) for leg in legs for index, joint in joints]
        assert [position(row) for row in rest] == creature.joints.reshape(-1, 3).tolist()
        assert {tuple(turn(row)) for row in rest} == {(None,) * 4}


def test_joints_say_how_far_they_are_bent(walk: Replay, tmp_path: Path) -> None:
    write_table(walk, tmp_path / "walk.csv", ABOUT)
    for _, mine in by_tick(read(tmp_path / "walk.csv")):
        for leg in ("L1", "R3"):
            rows = [row for row in mine if row["part"] == leg]
            points = np.array([position(row) for row in rows])
            assert rows[0]["bend"] is rows[-1]["bend"] is None
            for k in (1, 2):
                a, b = points[k] - points[k - 1], points[k + 1] - points[k]
                cosine = a @ b / (np.linalg.norm(a) * np.linalg.norm(b))
                assert np.cos(rows[k]["bend"]) == pytest.approx(cosine, abs=1e-12)
                assert 0.0 < rows[k]["bend"] < np.pi
        assert all(row["bend"] is None for row in mine if row["joint_name"] == "centre")


def test_branching_joints_have_no_bend(tmp_path: Path) -> None:
    replay = open_replay(REPLAYS / "humanoid.mcap")
    write_table(replay, tmp_path / "tree.csv", ABOUT)
    first = [row for row in read(tmp_path / "tree.csv") if row["tick"] == 0]
    bends = {row["joint_name"]: row["bend"] for row in first if row["part"] == "bones"}
    assert bends["root"] is bends["chest"] is bends["left_hand"] is None
    assert 0.0 < bends["left_knee"] < np.pi


@pytest.mark.slow
def test_both_kinds_hold_the_same(walk: Replay, tmp_path: Path) -> None:
    for kind in ("csv", "parquet"):
        write_table(walk, tmp_path / f"walk.{kind}", ABOUT)
    assert read(tmp_path / "walk.csv") == read(tmp_path / "walk.parquet")


def test_parquet_says_units_and_source(walk: Replay, tmp_path: Path) -> None:
    path = tmp_path / "walk.parquet"
    write_table(walk, path, ABOUT)
    schema = parquet.read_schema(path)
    units = {name: (schema.field(name).metadata or {}).get(b"unit", b"") for name in COLUMNS}
    assert {name: unit.decode() for name, unit in units.items()} == COLUMNS
    assert json.loads(schema.metadata[b"creature_sim"]) == {
        **ABOUT,
        "tick_rate": 60,
        "source": "simulated",
    }


@pytest.mark.slow
def test_creatures_have_rows_only_while_they_are_there(tmp_path: Path) -> None:
    replay = open_replay(with_changes(tmp_path / "changes.mcap"))
    assert write_table(replay, tmp_path / "exact.csv", ABOUT) == ""
    rows = read(tmp_path / "exact.csv")
    for state, (tick, mine) in zip(replay.rerun(), by_tick(rows), strict=True):
        numbers = [row["number"] for row in mine]
        assert numbers == sorted(numbers)
        assert set(numbers) == set(there_at(tick))
        bodies = [position(row) for row in mine if row["part"] == "body"]
        assert bodies == [creature.position.tolist() for creature in state.creatures]
    assert tick == TICKS
    assert {(row["number"], row["name"]) for row in rows} == {
        (0, "hexapod"),
        (1, "hexapod"),
        (2, "spider4"),
    }
    # The same from poses.
    poses = tmp_path / "poses.csv"
    assert write_table(_forged(replay, 0), poses, ABOUT)
    for tick, mine in by_tick(read(poses)):
        assert {row["number"] for row in mine} == set(there_at(tick))


@pytest.mark.parametrize("name", ["arm", "humanoid"])
def test_chains_and_trees_have_their_joints(name: str, tmp_path: Path) -> None:
    replay = open_replay(REPLAYS / f"{name}.mcap")
    assert write_table(replay, tmp_path / "chain.csv", ABOUT) == ""
    rig = replay.world.rigs[0]
    for state, (_, mine) in zip(replay.rerun(), by_tick(read(tmp_path / "chain.csv")), strict=True):
        bones = [row for row in mine if row["part"] == "bones"]
        targets = [row for row in mine if row["part"] == "targets"]
        assert [position(row) for row in bones] == state.chains[0].joints.tolist()
        assert [position(row) for row in targets] == state.chains[0].targets.tolist()
    names = [row["joint_name"] for row in bones]
    if name == "arm":
        assert names == ["root", "joint_1", "joint_2", "tip"]
    else:
        assert names == ["root", *(joint.name for joint in rig.joints)]


@pytest.mark.slow
def test_props_and_trunks_have_their_turns(tmp_path: Path) -> None:
    replay = recorded(tmp_path / "walk.mcap", "platforms", "centipede", 10)
    assert write_table(replay, tmp_path / "walk.csv", ABOUT) == ""
    for state, (_, mine) in zip(replay.rerun(), by_tick(read(tmp_path / "walk.csv")), strict=True):
        props = [row for row in mine if row["kind"] == "prop"]
        assert [(row["number"], row["name"]) for row in props] == [
            (number, prop.shape) for number, prop in enumerate(replay.world.props)
        ]
        records = state.props.records
        assert [position(row) for row in props] == records["position"].tolist()
        assert [turn(row) for row in props] == records["orientation"].tolist()
        trunk = [row for row in mine if row["joint_name"] == "centre" and row["kind"] != "prop"]
        segments = state.creatures[0].segments
        assert [row["part"] for row in trunk[:2]] == ["body", "segment_1"]
        *_, head = trunk
        assert [position(row) for row in trunk[:-1]] == segments["position"].tolist()
        assert [turn(row) for row in trunk[:-1]] == segments["orientation"].tolist()
        assert head["part"] == "head"


# --- what cannot be simulated here ------------------------------------------------------------


def _forged(replay: Replay, tick: int) -> Replay:
    """The replay with another digest at a tick."""
    digests: Any = [dict(message) for message in replay.digests]
    digests[tick]["creatures"] = [{"body": "0" * 16}] * len(digests[tick]["creatures"])
    return replace(replay, digests=digests)


@pytest.mark.parametrize("kind", ["csv", "parquet"])
@pytest.mark.parametrize("tick", [0, 25])
def test_where_the_run_differs_the_poses_are_taken(
    walk: Replay, tmp_path: Path, kind: str, tick: int
) -> None:
    path = tmp_path / f"walk.{kind}"
    notice = write_table(_forged(walk, tick), path, ABOUT)
    assert f"differs at tick {tick} from the recording" in notice
    rows = read(path)
    assert {row["source"] for row in rows} == {"pose"}
    for pose, (at, mine) in zip(walk.poses, by_tick(rows), strict=True):
        creature = pose.creature(0)
        assert at == pose.tick
        assert position(mine[0]) == creature.position.tolist()
        points = np.concatenate((creature.positions, creature.joints.reshape(-1, 3)))
        assert [position(row) for row in mine] == points.tolist()
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    if kind == "parquet":
        about = json.loads(parquet.read_schema(path).metadata[b"creature_sim"])
        assert (about["source"], about["reason"] in notice) == ("pose", True)


class Rise(esper.Processor):
    """A system that is not known here when the recording is read."""

    def process(self, dt: float) -> None:
        for _, body in esper.get_component(Body):
            body.records["position"][..., 2] += 0.1 * dt


@pytest.mark.slow
def test_a_recording_of_other_systems_gives_its_poses(tmp_path: Path) -> None:
    made = scene("hills", "hexapod")
    systems = (*SYSTEMS, Rise)
    with Simulation(made, systems=systems) as simulation:
        recorder = Recorder(tmp_path / "walk.mcap", simulation)
        session = Session(simulation, make_driver(made, "wander"), [recorder])
        for _ in range(20):
            session.advance()
        recorder.close()
    replay = open_replay(tmp_path / "walk.mcap")
    done = sim("export", "walk.mcap", "-o", "walk.csv", cwd=tmp_path)
    assert done.returncode == 0
    assert done.stderr.startswith("notice: the table has the recorded poses")
    assert "made with the system tests.export.test_tables.Rise" in done.stderr
    rows = read(tmp_path / "walk.csv")
    assert {row["source"] for row in rows} == {"pose"}
    assert len(rows) == len(replay.poses) * 26


@pytest.mark.slow
def test_command_writes_a_table(tmp_path: Path) -> None:
    done = sim("export", str(REPLAYS / "arm.mcap"), "-o", str(tmp_path / "arm.csv"))
    assert (done.returncode, done.stderr) == (0, "")
    assert "one row per joint and tick" in done.stdout
    assert len(read(tmp_path / "arm.csv")) == (goldens.RIG_TICKS + 1) * 5
