"""Chains that look like a model: the arm of a file follows that of the world."""

from pathlib import Path

import numpy as np
import pytest

from creature_sim.definitions import WorldDef
from creature_sim.drivers import make_driver
from creature_sim.errors import DefinitionError
from creature_sim.figures.creatures import Figures
from creature_sim.library.loader import files_of, load_world
from creature_sim.library.variants import with_target
from creature_sim.models.binding import binding_of
from creature_sim.replay import open_replay, record
from creature_sim.snapshots.poses import pose_of
from tests.models.makes import leg, write
from tests.models.test_skins import skinned
from tests.scenes import walk

TEXT = """
name = "crane"
[terrain]
kind = "flat"
[[chains]]
name = "crane"
root = [1.0, 2.0, 0.5]
bones = [1.0, 1.0]
[chains.model]
file = "leg.glb"
bones = ["hip", "knee", "tip"]
[chains.target]
kind = "spline"
period = 4.0
keyframes = [[2.0, 2.0, 1.5], [1.0, 3.0, 1.0], [0.5, 1.5, 1.2]]
"""


def crane(folder: Path, text: str = TEXT) -> WorldDef:
    write(folder / "leg.glb", *leg())
    (folder / "crane.toml").write_text(text)
    return load_world(folder / "crane.toml")


def test_a_chain_shows_its_model(tmp_path: Path) -> None:
    world = crane(tmp_path)
    assert tmp_path / "leg.glb" in files_of("world", tmp_path / "crane.toml")
    binding = binding_of(world.chains[0])
    assert binding is not None
    figures = Figures(world)
    assert list(figures.bindings) == ["chain 0"]
    for snapshot in walk(world, 60):
        pose = pose_of(snapshot)
        (matrices,) = figures.skins(pose, np.zeros(0, np.int64)).values()
        ends = np.concatenate((binding.joints[0], np.ones((3, 1))), axis=1)
        for bone in (1, 2):  # after the base
            found = ends[bone - 1 : bone + 1] @ matrices[0, bone].T
            assert np.abs(found - pose.chains[0].joints[bone - 1 : bone + 1]).max() < 1e-6
        assert np.abs(skinned(binding, matrices)[0] - pose.chains[0].joints[0]).max() < 2.2
        (solids, *_) = figures.solids(pose, np.zeros(0, np.int64))
        assert (len(solids.limbs), len(solids.spheres)) == (0, 1)  # the mark of its target


def test_variants_and_replays_keep_the_model(tmp_path: Path) -> None:
    world = with_target(crane(tmp_path), "1.5,2.5,1.0")
    assert binding_of(world.chains[0]) is not None
    record(world, tmp_path / "crane.mcap", 10, driver=make_driver(world))
    assert binding_of(open_replay(tmp_path / "crane.mcap").world.chains[0]) is not None


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ('"tip"]', '"top"]', "chains[0].model.bones[2]: expected a node of leg.glb, found 'top'"),
        (', "tip"]', "]", "chains[0].model.bones: expected 3 nodes, for the chain has 2 bones"),
        ('"leg.glb"', '"../leg.glb"', "chains[0].model.file: expected a path below the folder"),
    ],
)
def test_what_is_wrong_is_named(old: str, new: str, error: str, tmp_path: Path) -> None:
    with pytest.raises(DefinitionError) as refused:
        crane(tmp_path, TEXT.replace(old, new))
    assert error in str(refused.value)
    assert str(refused.value).startswith(f"{tmp_path / 'crane.toml'}:")
