"""`creature-sim new creature --from`: what it writes passes `check` and walks at once."""

from pathlib import Path

import numpy as np
import pytest

from creature_sim.figures.skins import RigSkin
from creature_sim.ground.rays import Physics
from creature_sim.library.loader import builtin_models, load_creature, load_world
from creature_sim.library.variants import with_creature
from creature_sim.models.binding import binding_of
from creature_sim.score import Surface, score_track, tracks
from creature_sim.snapshots.poses import pose_of
from creature_sim.terrain import build_terrain
from tests.commands import process, sim
from tests.marks import THOROUGH
from tests.scenes import walk

WALKERS = ("spider", "beetle", "crab", "dog", "bird", "humanoid", "centipede")
SECONDS = 8


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "world"),
    [
        *((name, "hills") for name in WALKERS),
        *(pytest.param(name, "meadow", marks=THOROUGH) for name in WALKERS),
    ],
)
def test_models_walk_at_once(name: str, world: str, tmp_path: Path) -> None:
    done = sim("new", "creature", "found", "--from", name, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    made = with_creature(load_world(world), load_creature(tmp_path / "found.toml"))
    (track,) = tracks(walk(made, SECONDS * made.tick_rate), made.tick_rate)
    with Physics(build_terrain(made.terrain, made.seed)) as physics:
        metrics = score_track(track, Surface(physics), made)
    assert metrics["M1"].verdict == "excellent"
    assert metrics["M6"].verdict != "fail"
    assert metrics["M16"].verdict != "fail"
    path = np.linalg.norm(np.diff(track.position, axis=0), axis=1).sum()
    assert path > 0.45 * track.definition.motion.speed * SECONDS


@pytest.mark.slow
@pytest.mark.parametrize("name", WALKERS)
def test_check_has_nothing_to_say(name: str, tmp_path: Path) -> None:
    sim("new", "creature", "found", "--from", name, cwd=tmp_path)
    done = sim("check", "found.toml", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "warning" not in done.stdout
    definition = load_creature(tmp_path / "found.toml")
    assert definition.model is not None
    assert len(definition.model.legs) == len(definition.all_legs)


def test_arms_that_hang_swing_with_the_leg_of_the_other_side(tmp_path: Path) -> None:
    sim("new", "creature", "found", "--from", "humanoid", cwd=tmp_path)
    definition = load_creature(tmp_path / "found.toml")
    assert definition.model is not None
    swings = {swing.node: swing.leg for swing in definition.model.swings}
    assert swings == {"mixamorig:LeftArm": 1, "mixamorig:RightArm": 0}
    assert [leg.side for leg in definition.all_legs] == ["left", "right"]
    sim("new", "creature", "other", "--from", "bird", cwd=tmp_path)
    other = load_creature(tmp_path / "other.toml").model
    assert other is not None
    assert not other.swings  # its wings do not hang


@pytest.mark.slow
def test_a_long_trunk_has_segments_that_the_model_follows(tmp_path: Path) -> None:
    done = sim("new", "creature", "found", "--from", "centipede", cwd=tmp_path)
    assert "segments: segment.1, segment.2" in done.stdout
    definition = load_creature(tmp_path / "found.toml")
    assert len(definition.trunk) == 6
    assert [leg.segment for leg in definition.all_legs] == [k for k in range(6) for _ in "LR"]
    assert definition.model is not None
    assert definition.model.trunk == tuple(f"segment.{number}" for number in range(1, 7))
    binding = binding_of(definition)
    assert binding is not None
    hips = binding.joints[::2, 0]
    for hip, leg in zip(hips, definition.all_legs[::2], strict=True):
        x, y, z = leg.mount
        assert np.abs(hip - (x + definition.centres[leg.segment], y, z)).max() < 1e-4


def test_two_girdles_are_one_body(tmp_path: Path) -> None:
    sim("new", "creature", "found", "--from", "dog", cwd=tmp_path)
    assert len(load_creature(tmp_path / "found.toml").trunk) == 1


@pytest.mark.slow
def test_what_was_found_is_told_as_a_tree(tmp_path: Path) -> None:
    done = process("new", "creature", "rex", "--from", "dog", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    for line in ("├─ head: head", "thigh.L > shin.L > foot.L", "└─ limbs that do not stand"):
        assert line in done.stdout
    assert (tmp_path / "dog.glb").read_bytes() == builtin_models()["dog"].read_bytes()
    text = (tmp_path / "rex.toml").read_text()
    assert "# ? limbs that do not stand keep the pose of the file: ear.L, ear.R" in text
    assert max(map(len, text.splitlines())) < 120


def test_a_model_below_the_folder_stays_where_it_is(tmp_path: Path) -> None:
    (tmp_path / "art").mkdir()
    (tmp_path / "art" / "my dog.glb").write_bytes(builtin_models()["dog"].read_bytes())
    done = sim("new", "creature", "rex", "--from", "art/my dog.glb", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert 'file = "art/my dog.glb"' in (tmp_path / "rex.toml").read_text()
    assert sim("check", "rex.toml", cwd=tmp_path).returncode == 0


def test_the_name_of_a_model_may_hold_a_newline_and_has_to_be_text(tmp_path: Path) -> None:
    for name in ("my\ndog.glb", "\udcff.glb"):
        (tmp_path / name).write_bytes(builtin_models()["dog"].read_bytes())
    assert sim("new", "creature", "rex", "--from", "my\ndog.glb", cwd=tmp_path).returncode == 0
    assert sim("check", "rex.toml", cwd=tmp_path).returncode == 0
    done = sim("new", "creature", "max", "--from", "\udcff.glb", cwd=tmp_path)
    assert done.returncode == 2
    assert "--from: expected a name that a TOML file can hold" in done.stderr


@pytest.mark.slow
def test_a_picture_shows_it(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    done = sim("new", "creature", "rex", "--from", "dog", "--plot", "rex.png", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "rex.png").read_bytes()[:4] == b"\x89PNG"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("--from", "arm"), "expected legs"),
        (("--from", "dgo"), "--from: expected a file or a built-in model, found 'dgo'"),
        (
            ("--from", "dgo.glb"),
            "--from: expected a .glb, .gltf, .urdf or .xml file, found no file dgo.glb",
        ),
        (("--from", "broken.glb"), "broken.glb: expected glTF, found no JSON\n"),
        (("--plot", "rex.png"), "--plot: expected --from MODEL beside it, found none"),
    ],
)
def test_refusals_are_one_message(words: tuple[str, ...], expected: str, tmp_path: Path) -> None:
    (tmp_path / "broken.glb").write_bytes(b"no model")
    done = sim("new", "creature", "rex", *words, cwd=tmp_path)
    assert done.returncode == 2
    assert expected in done.stderr
    assert done.stderr.count("\n") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["broken.glb"]


def test_what_is_no_model_is_told_from_another_folder_too(tmp_path: Path) -> None:
    (tmp_path / "walk.mcap").write_bytes(b"no model")
    (tmp_path / "here").mkdir()
    done = sim("new", "creature", "rex", "--from", "../walk.mcap", cwd=tmp_path / "here")
    assert done.returncode == 2
    assert done.stderr == "error: ../walk.mcap: expected glTF, found no JSON\n"


def test_an_arm_is_a_chain_of_a_world(tmp_path: Path) -> None:
    done = sim("new", "creature", "rex", "--from", "arm", cwd=tmp_path)
    assert "creature-sim new world NAME --from" in done.stderr
    done = sim("new", "world", "crane", "--from", "arm", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "warning" not in sim("check", "crane.toml", cwd=tmp_path).stdout
    world = load_world(tmp_path / "crane.toml")
    (chain,) = world.chains
    assert chain.model is not None
    assert chain.model.bones == ("shoulder", "elbow", "wrist", "hand")
    binding = binding_of(chain)
    assert binding is not None
    *_, last = walk(world, 120)
    joints = pose_of(last).chains[0].joints
    (matrices,) = RigSkin(chain, binding).matrices(joints, np.array([0.0, 0.0, 0.0, 1.0]))
    base = binding.vertices[(binding.bones[:, 0] == 0) & (binding.weights[:, 0] > 0.9)]
    assert len(base) > 50
    assert np.abs(base @ matrices[0, :, :3].T + matrices[0, :, 3] - base).max() < 1e-6  # it stands
    assert np.abs(joints[-1] - pose_of(last).chains[0].targets[0]).max() < 0.05


def test_odd_names_of_files_and_nodes_are_written_as_text(tmp_path: Path) -> None:
    data = builtin_models()["arm"].read_bytes()
    assert data.count(b'"elbow"') == 1
    (tmp_path / "an 'odd' arm.glb").write_bytes(data.replace(b'"elbow"', b'"e\\nw="'))
    done = sim("new", "world", "odd", "--from", "an 'odd' arm.glb", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    (chain,) = load_world(tmp_path / "odd.toml").chains
    assert chain.model is not None
    assert chain.model.file == "an 'odd' arm.glb"
    assert chain.model.bones[1] == "e\nw="


def test_odd_names_of_bones_are_written_as_text(tmp_path: Path) -> None:
    data = builtin_models()["dog"].read_bytes()
    assert data.count(b'"shin.L"') == data.count(b'"ear.L"') == 1
    odd = data.replace(b'"shin.L"', b'"a\\nb=1"').replace(b'"ear.L"', b'"\\nc=1"')
    (tmp_path / "dog.glb").write_bytes(odd)
    done = sim("new", "creature", "rex", "--from", "dog.glb", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    model = load_creature(tmp_path / "rex.toml").model
    assert model is not None
    assert "a\nb=1" in model.legs[2]


def test_bones_of_one_name_are_refused(tmp_path: Path) -> None:
    """What was written named one bone twice: it was no valid creature."""
    data = builtin_models()["dog"].read_bytes()
    (tmp_path / "dog.glb").write_bytes(data.replace(b'"shin.L"', b'"shin.R"'))
    done = sim("new", "creature", "rex", "--from", "dog.glb", cwd=tmp_path)
    assert done.returncode == 2
    said = "error: dog.glb: expected bones with names of their own, found 2 that are named 'shin.R'"
    assert done.stderr == f"{said}\n"
    assert not (tmp_path / "rex.toml").exists()


def test_a_world_from_nothing_is_not_written(tmp_path: Path) -> None:
    done = sim("new", "world", "crane", "--from", "missing.glb", cwd=tmp_path)
    assert done.returncode == 2
    assert not list(tmp_path.iterdir())


def test_nothing_is_replaced_by_accident(tmp_path: Path) -> None:
    (tmp_path / "rex.toml").write_text("mine")
    done = sim("new", "creature", "rex", "--from", "dog", cwd=tmp_path)
    assert done.returncode == 2
    assert [path.name for path in tmp_path.iterdir()] == ["rex.toml"]
