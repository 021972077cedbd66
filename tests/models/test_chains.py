"""Chains that look like a model: the arm of a file follows that of the world."""

from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from creature_sim.definitions import WorldDef
from creature_sim.drivers import make_driver
from creature_sim.errors import DefinitionError
from creature_sim.figures.creatures import Figures
from creature_sim.library.loader import files_of, load_creature, load_world
from creature_sim.library.variants import with_target
from creature_sim.models import Model, open_model
from creature_sim.models.binding import Binding, bind, binding_of
from creature_sim.replay import open_replay, record
from creature_sim.snapshots.poses import pose_of
from tests.commands import sim
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


def wagging(folder: Path) -> tuple[WorldDef, Binding, Binding, Binding]:
    """A world of what `new creature` writes, a dog with its tail as a chain.

    Returns also the models of the whole dog, of the one without the tail, and of the tail.
    """
    sim("new", "creature", "dog", "--from", "dog", cwd=folder)
    file = folder / "dog.toml"
    whole = binding_of(load_creature(file))
    lines = file.read_text().splitlines()
    start = lines.index("# [[chains]]")
    lines[lines.index("[model]")] = '[model]\nwithout = ["tail.1"]'
    file.write_text("\n".join(lines))
    head = 'name = "tailed"\n[terrain]\nkind = "flat"\n[[creatures]]\ncreature = "dog.toml"\n'
    tail = "\n".join(line.removeprefix("# ") for line in lines[start:])
    (folder / "tailed.toml").write_text(head + tail)
    world = load_world(folder / "tailed.toml")
    body, wagged = binding_of(load_creature(file)), binding_of(world.chains[0])
    assert whole is not None
    assert body is not None
    assert wagged is not None
    return world, whole, body, wagged


@pytest.mark.slow
def test_a_dog_and_its_tail_are_the_whole_dog(tmp_path: Path) -> None:
    world, whole, body, tail = wagging(tmp_path)
    assert len(body.triangles) + len(tail.triangles) == len(whole.triangles)
    assert 0 < len(tail.triangles) < 0.2 * len(whole.triangles)
    moved = tail.vertices - tail.joints[0, 0] + world.chains[0].root
    both = np.concatenate((body.vertices, moved))
    gaps = [np.abs(both - vertex).max(axis=1).min() for vertex in whole.vertices]
    assert max(gaps) < 1e-4


def grown_on(model: Model) -> Model:
    """The model of the dog with a tail whose first half follows the hips more than itself."""
    hips, first = (model.nodes.names.index(name) for name in ("hips", "tail.1"))
    parts = []
    for part in model.parts:
        is_near = (part.joints[:, 0] == first) & (part.vertices[:, 2] > -0.42)
        joints = np.hstack((part.joints[:, :1], part.joints))
        weights = np.hstack((part.weights[:, :1], part.weights))
        joints[is_near, :2], weights[is_near] = (hips, first), 0.0
        weights[~is_near, 0] = 0.0
        weights[is_near, :2] = 0.7, 0.3
        parts.append(replace(part, joints=joints, weights=weights))
    return replace(model, parts=tuple(parts))


@pytest.mark.slow
def test_a_tail_wags_without_a_seam(tmp_path: Path) -> None:
    world, *_ = wagging(tmp_path)
    model, chain = grown_on(open_model(tmp_path / "dog.glb")), world.chains[0]
    (plan,) = world.species.values()
    body, tail = bind(plan, model), bind(chain, model)
    moved = tail.vertices - tail.joints[0, 0] + chain.root
    mine, others = np.nonzero(np.abs(body.vertices[:, None] - moved).max(axis=2) < 1e-4)
    assert len(mine) > 5
    end, figures, sides = int(moved[:, 0].argmin()), Figures(world), []
    for snapshot in islice(walk(world, 120), 0, None, 10):
        pose = pose_of(snapshot)
        of_body, of_tail = figures.skins(pose, np.zeros(1, np.int64)).values()
        (first,), (second,) = skinned(body, of_body), skinned(tail, of_tail)
        np.testing.assert_allclose(first[mine], second[others], atol=1e-6)
        sides.append(float(second[end, 1] - pose.creature(0).position[1]))
        (solids, *_) = figures.solids(pose, np.zeros(1, np.int64))
        assert not solids.spheres[:, :12].reshape(-1, 3, 4)[..., :3].any()  # no mark
    assert max(sides) > 0.05
    assert min(sides) < -0.05


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        (
            '["tail.1"]',
            '["tail.7"]',
            "without[0]: expected a node of dog.glb, found 'tail.7'",
        ),
        ('["tail.1"]', '["hips"]', "model.without: expected something of dog.glb that is drawn"),
    ],
)
def test_what_is_left_out_must_be_there(old: str, new: str, error: str, tmp_path: Path) -> None:
    wagging(tmp_path)
    file = tmp_path / "dog.toml"
    file.write_text(file.read_text().replace(f"without = {old}", f"without = {new}"))
    with pytest.raises(DefinitionError) as caught:
        load_world(tmp_path / "tailed.toml")
    assert error in str(caught.value)
