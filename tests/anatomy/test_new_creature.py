"""`creature-sim new creature --from`: what it writes passes `check` and walks at once."""

from pathlib import Path

import numpy as np
import pytest

from creature_sim.ground.rays import Physics
from creature_sim.library.loader import builtin_models, load_creature, load_world
from creature_sim.library.variants import with_creature
from creature_sim.score import Surface, score_track, tracks
from creature_sim.terrain import build_terrain
from tests.commands import process, sim
from tests.scenes import walk

WALKERS = ("spider", "beetle", "crab", "dog", "bird", "humanoid")
SECONDS = 10


@pytest.mark.parametrize("world", ["meadow", "hills"])
@pytest.mark.parametrize("name", WALKERS)
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


def test_a_picture_shows_it(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    done = sim("new", "creature", "rex", "--from", "dog", "--plot", "rex.png", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "rex.png").read_bytes()[:4] == b"\x89PNG"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("--from", "arm"), "expected legs"),
        (("--from", "dgo"), "--from: expected a file, or one of arm, beetle"),
        (("--from", "dgo.glb"), "--from: expected a .glb or .gltf file, found no file dgo.glb"),
        (("--from", "broken.glb"), "broken.glb: expected glTF, found no JSON"),
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


def test_nothing_is_replaced_by_accident(tmp_path: Path) -> None:
    (tmp_path / "rex.toml").write_text("mine")
    done = sim("new", "creature", "rex", "--from", "dog", cwd=tmp_path)
    assert done.returncode == 2
    assert [path.name for path in tmp_path.iterdir()] == ["rex.toml"]
