"""Other programs read what is exported: the validator of Khronos, Blender, three.js."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from creature_sim.export import names
from creature_sim.replay import Replay, open_replay
from creature_sim.snapshots.poses import pose_of
from tests.commands import sim
from tests.export.gltfs import Gltf
from tests.export.peers import in_blender, in_three, validated
from tests.export.recordings import with_changes
from tests.export.test_animation import exported, recorded
from tests.export.test_loops import steady

pytestmark = pytest.mark.slow
REPLAYS = Path(__file__).parents[2] / "replays"
TIMES = [0.0, 0.4, 1.0]


@pytest.fixture(scope="module")
def walk(tmp_path_factory: pytest.TempPathFactory) -> Replay:
    path = tmp_path_factory.mktemp("peers") / "walk.mcap"
    return recorded(path, "hills", "hexapod", 60)


def joints_of(replay: Replay, time: float) -> dict[str, Any]:
    """Where the joints of the first creature are, by the names of their nodes."""
    (state,) = [state for state in replay.rerun() if state.tick == round(60 * time)]
    creature = pose_of(state).creature(0)
    plan = replay.world.species_of(replay.world.creatures[0])
    return {
        f"{name}_{label}": creature.joints[leg, joint]
        for leg, name in enumerate(names.leg_names(plan))
        for joint, label in enumerate(names.leg_joint_names(plan.all_legs[leg]))
    } | {"body": creature.position}


@pytest.mark.parametrize("kind", ["walk", "loop", "changes", "props", "humanoid", "ground"])
def test_the_validator_finds_nothing(kind: str, walk: Replay, tmp_path: Path) -> None:
    path = tmp_path / "out.glb"
    if kind == "loop":
        replay = steady(tmp_path / "walk.mcap", "hexapod", "forward 20")
        exported(replay, path, is_loop=True)
    elif kind == "ground":
        assert sim("export", "hills.toml", "-o", str(path), cwd=_worlds()).returncode == 0
    else:
        replays = {
            "walk": lambda: walk,
            "changes": lambda: open_replay(with_changes(tmp_path / "changes.mcap")),
            "props": lambda: recorded(tmp_path / "props.mcap", "platforms", "hexapod", 60),
            "humanoid": lambda: open_replay(REPLAYS / "humanoid.mcap"),
        }
        exported(replays[kind](), path)
    report = validated(path)
    assert (report["numErrors"], report["numWarnings"]) == (0, 0), report["messages"]


def _worlds() -> Path:
    return Path(__file__).parents[2] / "worlds"


def test_blender_reads_joints_and_draws(walk: Replay, tmp_path: Path) -> None:
    exported(walk, tmp_path / "walk.glb")
    picture = {"path": str(tmp_path / "walk.png"), **_seen(walk)}
    report = in_blender(tmp_path / "walk.glb", TIMES, **picture)
    assert report["actions"] == ["hills"]
    assert report["objects"]["0_hexapod"] == "ARMATURE"
    assert report["objects"]["ground"] == "MESH"
    for time in TIMES:
        here = report["places"][str(time)]
        for name, joint in joints_of(walk, time).items():
            assert np.abs(np.array(here[f"0_hexapod/{name}"]) - joint).max() < 1e-4
    _check_picture(tmp_path / "walk.png")


@pytest.mark.parametrize("end", [".bvh", ".usda"])
def test_blender_reads_the_other_formats(end: str, walk: Replay, tmp_path: Path) -> None:
    path = tmp_path / f"walk{end}"
    assert sim("export", str(walk.path), "-o", str(path), "--creature", "0").returncode == 0
    report = in_blender(path, TIMES)
    (armature,) = (name for name, kind in report["objects"].items() if kind == "ARMATURE")
    for time in TIMES:
        here = report["places"][str(time)]
        for name, joint in joints_of(walk, time).items():
            found = np.array(here[f"{armature}/{name}"])
            assert np.abs(found - joint).max() < 1e-4


def test_three_plays_it(walk: Replay, tmp_path: Path) -> None:
    exported(walk, tmp_path / "walk.glb")
    with in_three(tmp_path / "walk.glb") as page:
        assert page.evaluate("window.clips") == ["hills"]
        assert page.evaluate("window.duration") == pytest.approx(1.0)
        for time in TIMES[:-1]:  # at its end it begins again
            here = page.evaluate(f"window.show({time})")
            for name, joint in joints_of(walk, time).items():
                x, y, z = here[name]
                assert np.abs(np.array([x, -z, y]) - joint).max() < 1e-4
        seen = _seen(walk)
        page.evaluate("seen => window.show(0.9, seen.eye, seen.target, seen.view)", seen)
        page.screenshot(path=str(tmp_path / "three.png"))
    _check_picture(tmp_path / "three.png")


def _seen(walk: Replay) -> dict[str, Any]:
    """Where an eye is that sees the creature at its end, and where it looks."""
    target = joints_of(walk, TIMES[-1])["body"]
    return {
        "eye": (target + np.array([-1.2, -2.0, 0.9])).tolist(),
        "target": target.tolist(),
        "view": 0.5,
    }


def _check_picture(path: Path) -> None:
    """It shows an orange body and blue-grey legs in its middle."""
    pixels = np.asarray(Image.open(path).convert("RGB"), np.int64)
    r, g, b = np.moveaxis(pixels, -1, 0)
    height, width = r.shape
    middle = slice(height // 4, -height // 4), slice(width // 4, -width // 4)
    assert ((r > g + 40) & (r > b + 60))[middle].mean() > 0.01
    assert ((b > r + 8) & (b > g) & (b < 140))[middle].mean() > 0.01


def test_the_reader_of_the_tests_agrees_with_three(walk: Replay, tmp_path: Path) -> None:
    file = exported(walk, tmp_path / "walk.glb")
    assert isinstance(file, Gltf)
    with in_three(tmp_path / "walk.glb") as page:
        for time in (0.013, 0.507):  # between keys
            here, places = page.evaluate(f"window.show({time})"), file.positions(time)
            for name, node in file.below("0_hexapod").items():
                x, y, z = here[name]
                assert np.abs(np.array([x, -z, y]) - places[node]).max() < 2e-5
