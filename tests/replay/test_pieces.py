"""Recordings are cut into parts, joined, and compared."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from creature_sim.drivers import make_driver
from creature_sim.errors import OutputError, ReplayCorrupt, ReplayVersion
from creature_sim.library.variants import with_seed, with_twins
from creature_sim.replay import Replay, concat, diff, open_replay, record, trim, verify
from tests.replay.messages import restless, with_field
from tests.replay.test_replay import rewritten
from tests.replay.test_seek import with_comings_and_goings
from tests.scenes import scene

TICKS = 200


@pytest.fixture(scope="module")
def walk(tmp_path_factory: pytest.TempPathFactory) -> Replay:
    path = tmp_path_factory.mktemp("pieces") / "walk.mcap"
    record(scene("hills", "hexapod"), path, TICKS, driver=restless)
    return open_replay(path)


@pytest.fixture(scope="module")
def changing(tmp_path_factory: pytest.TempPathFactory) -> Replay:
    path = tmp_path_factory.mktemp("changing") / "walk.mcap"
    with_comings_and_goings(path)
    return open_replay(path)


def cut(replay: Replay, folder: Path, ticks: list[int]) -> list[Path]:
    """The parts of a recording between some ticks."""
    paths = []
    for first, last in pairwise(ticks):
        paths.append(folder / f"{first}.mcap")
        trim(replay, paths[-1], first, last)
    return paths


@pytest.mark.slow
@pytest.mark.parametrize("ticks", [[0, 60, 120, 200], [0, 1, 199, 200], [0, 37, 150, 200]])
def test_parts_are_proven_and_join_to_the_whole(
    ticks: list[int], walk: Replay, tmp_path: Path
) -> None:
    paths = cut(walk, tmp_path, ticks)
    for path, first, last in zip(paths, ticks, ticks[1:], strict=False):
        part = open_replay(path)
        assert (part.first, part.last, part.cut) == (first, last, "")
        assert list(part.inputs) == list(walk.inputs[first:last])
        assert part.poses.ticks == [t for t in walk.poses.ticks if first <= t <= last]
        assert verify(part).ok is True
        assert part.state_at(last).digest == part.digest
        part.close()
    concat([open_replay(path) for path in paths], tmp_path / "whole.mcap")
    whole = open_replay(tmp_path / "whole.mcap")
    assert verify(whole).ok is True
    assert diff(walk, whole).is_equal
    assert list(whole.digests) == list(walk.digests)


def test_a_recording_of_physics_is_cut_only_behind_its_start(tmp_path: Path) -> None:
    """No keyframe holds all of its state: parts that began later could never be proven."""
    record(with_twins(scene("hills", "hexapod")), tmp_path / "twin.mcap", 20)
    twin = open_replay(tmp_path / "twin.mcap")
    with pytest.raises(ReplayVersion, match=r"tick 5 has no keyframe.*tick 0 can be the first"):
        trim(twin, tmp_path / "late.mcap", 5, 20)
    assert not (tmp_path / "late.mcap").exists()
    trim(twin, tmp_path / "early.mcap", 0, 15)
    assert verify(tmp_path / "early.mcap").ok is True


@pytest.mark.slow
def test_a_part_knows_who_came_and_went_before_it(changing: Replay, tmp_path: Path) -> None:
    paths = cut(changing, tmp_path, [0, 35, 100, 145, 200])
    for path in paths:
        part = open_replay(path)
        assert verify(part).ok is True
        assert part.world.creatures == changing.world.creatures[: len(part.world.creatures)]
    assert len(part.world.creatures) == 4
    concat([open_replay(path) for path in paths], tmp_path / "whole.mcap")
    assert verify(tmp_path / "whole.mcap").ok is True
    assert diff(changing, open_replay(tmp_path / "whole.mcap")).is_equal


@pytest.mark.slow
def test_parts_that_overlap_are_joined(walk: Replay, tmp_path: Path) -> None:
    trim(walk, tmp_path / "a.mcap", 0, 150)
    trim(walk, tmp_path / "b.mcap", 60, 200)
    parts = [open_replay(tmp_path / name) for name in ("a.mcap", "b.mcap")]
    concat(parts, tmp_path / "whole.mcap")
    assert verify(tmp_path / "whole.mcap").ticks == TICKS


@pytest.mark.slow
def test_what_does_not_follow_is_not_joined(walk: Replay, tmp_path: Path) -> None:
    first, _, last = (open_replay(path) for path in cut(walk, tmp_path, [0, 60, 120, 200]))
    record(scene("meadow", "hexapod"), tmp_path / "meadow.mcap", 60)
    record(scene("hills", "hexapod", driver="wander"), tmp_path / "left.mcap", 60)
    out = tmp_path / "out.mcap"
    for parts, reason in (
        ((first, last), "begins at 120"),
        ((first, open_replay(tmp_path / "meadow.mcap")), "another world"),
        ((last, first), "begins at 0"),
    ):
        with pytest.raises(ReplayCorrupt, match=reason):
            concat(parts, out)
    world = scene("hills", "hexapod", driver="wander")
    other = tmp_path / "other.mcap"
    record(world, other, 90, driver=make_driver(world, "forward 2"))
    trim(open_replay(other), tmp_path / "tail.mcap", 60, 90)
    with pytest.raises(ReplayCorrupt, match="another state at tick 60"):
        concat([first, open_replay(tmp_path / "tail.mcap")], out)
    assert not out.exists()


def test_of_no_ticks_none_can_be_cut_out(tmp_path: Path) -> None:
    record(scene("meadow", "hexapod"), tmp_path / "still.mcap", 0)
    with pytest.raises(ValueError, match="expected ticks to trim, found none in the recording"):
        trim(open_replay(tmp_path / "still.mcap"), tmp_path / "out.mcap", 0, 0)
    assert not (tmp_path / "out.mcap").exists()


def test_ticks_that_are_not_there_cannot_be_cut_out(walk: Replay, tmp_path: Path) -> None:
    for first, last in ((-1, 5), (5, 5), (6, 5), (0, TICKS + 1)):
        with pytest.raises(ValueError, match="expected ticks within 0 to 200"):
            trim(walk, tmp_path / "out.mcap", first, last)
    (tmp_path / "out.mcap").write_text("mine")
    with pytest.raises(OutputError, match="force=True"):
        trim(walk, tmp_path / "out.mcap", 0, 5)
    assert (tmp_path / "out.mcap").read_text() == "mine"


def test_a_recording_of_other_kernels_is_cut_at_its_keyframes(walk: Replay, tmp_path: Path) -> None:
    def change(found: str, data: bytes) -> bytes:
        return data.replace(b'"math_profile":"', b'"math_profile":"9')

    other = open_replay(rewritten(walk.path, tmp_path / "other.mcap", change))
    trim(other, tmp_path / "part.mcap", 60, 200)
    assert open_replay(tmp_path / "part.mcap").first == 60
    with pytest.raises(ReplayVersion, match="tick 60 can be the first"):
        trim(other, tmp_path / "more.mcap", 61, 200)


def test_equal_runs_have_no_difference(walk: Replay) -> None:
    found = diff(walk, walk)
    assert found.is_equal
    assert (found.world, found.inputs, found.states) == (None, None, None)


@pytest.mark.slow
def test_the_first_difference_is_named(walk: Replay, tmp_path: Path) -> None:
    def flip(message: dict[str, list[list[int]]]) -> None:
        message["commands"][0][1] += 1000

    other = rewritten(walk.path, tmp_path / "flipped.mcap", with_field("/input", 77, flip))
    changed = open_replay(other)
    found = diff(walk, changed)
    assert found.inputs is not None
    assert (found.inputs.tick, found.inputs.owner, found.inputs.where) == (77, "creature 0", "turn")
    assert found.inputs.b == int(str(found.inputs.a)) + 1000
    assert found.states is None  # the digests in the file were not changed

    world = scene("hills", "hexapod", driver="wander")
    path = tmp_path / "late.mcap"
    record(
        world,
        path,
        TICKS,
        driver=lambda snapshot: (
            restless(snapshot) if snapshot.tick < 100 else make_driver(world, "stop 9")(snapshot)
        ),
    )
    found = diff(walk, open_replay(path))
    assert found.inputs is not None
    assert found.inputs.tick == 101
    assert found.states is not None
    assert (found.states.tick, found.states.owner) == (101, "creature 0")
    assert found.states.where.startswith("command.")
    assert found.states.a != found.states.b


@pytest.mark.slow
def test_other_worlds_and_lengths_are_named(walk: Replay, tmp_path: Path) -> None:
    record(with_seed(scene("hills", "hexapod", driver="wander"), 3), tmp_path / "seed.mcap", 30)
    found = diff(walk, open_replay(tmp_path / "seed.mcap"))
    assert found.world is not None
    assert (found.world.where, found.world.b) == ("seed", 3)
    assert found.ticks == (TICKS, 30)
    assert found.states is not None
    trim(walk, tmp_path / "short.mcap", 0, 100)
    found = diff(walk, open_replay(tmp_path / "short.mcap"))
    assert not found.is_equal
    assert (found.world, found.inputs, found.states) == (None, None, None)


@pytest.mark.slow
def test_parts_that_begin_at_other_ticks_are_not_equal(walk: Replay, tmp_path: Path) -> None:
    parts = []
    for first, last in ((0, 100), (60, 160), (120, 200)):
        trim(walk, tmp_path / f"{first}.mcap", first, last)
        parts.append(open_replay(tmp_path / f"{first}.mcap"))
    found = diff(parts[0], parts[1])
    assert not found.is_equal
    assert (found.ticks, found.first, found.note) == ((100, 100), (0, 60), "")
    assert (found.world, found.inputs, found.states) == (None, None, None)
    assert diff(parts[0], parts[2]).note.endswith("no tick is in both")


def test_without_the_kernels_parts_are_compared_by_their_hashes(
    walk: Replay, tmp_path: Path
) -> None:
    def change(found: str, data: bytes) -> bytes:
        data = with_field("/digest", 9, other_body)(found, data)
        return data.replace(b'"math_profile":"', b'"math_profile":"9')

    def other_body(message: dict[str, Any]) -> None:
        message["creatures"][0]["body"] = "00"

    found = diff(walk, open_replay(rewritten(walk.path, tmp_path / "other.mcap", change)))
    assert "math_profile 9" in found.note
    assert found.states is not None
    assert (found.states.tick, found.states.where) == (9, "body")
