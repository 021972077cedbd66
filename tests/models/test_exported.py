"""Models of creatures in animations for other programs: the same mesh, in the same places."""

from pathlib import Path

import numpy as np
import pytest

from creature_sim.drivers import make_driver
from creature_sim.export.formats import write_export
from creature_sim.figures.skins import SkinFigure
from creature_sim.library.variants import with_creature
from creature_sim.models.binding import binding_of
from creature_sim.replay import Replay, open_replay, record
from creature_sim.snapshots.poses import pose_of
from tests.export.gltfs import Gltf
from tests.models.rigs import write_rig
from tests.models.test_skins import skinned
from tests.scenes import scene


def walked(name: str, folder: Path) -> Replay:
    """A walk over hills of a creature with a model."""
    plan = write_rig(name, folder / "model.glb")
    world = with_creature(scene("hills", name), plan)
    record(world, folder / "walk.mcap", 60, driver=make_driver(world))
    return open_replay(folder / "walk.mcap")


def test_a_usda_holds_the_model(tmp_path: Path) -> None:
    replay = walked("hexapod", tmp_path)
    write_export(replay, tmp_path / "walk.usda", force=False, progress=lambda done: None)
    text = (tmp_path / "walk.usda").read_text()
    assert "elementSize = 4" in text
    assert 'interpolation = "vertex"' in text


@pytest.mark.parametrize("name", ["hexapod", "biped", "centipede"])
def test_a_glb_holds_the_model(name: str, tmp_path: Path) -> None:
    replay = walked(name, tmp_path)
    write_export(replay, tmp_path / "walk.glb", force=False, progress=lambda done: None)
    run = Gltf(tmp_path / "walk.glb")
    plan = replay.world.species[name]
    binding = binding_of(plan)
    assert binding is not None
    figure = SkinFigure(plan, binding)
    body = run.names.index(f"0_{name}_skin")
    for tick, pose in enumerate(replay.rerun()):
        if tick in (0, 30, 60):
            herd = pose_of(pose).herds[0]
            (wanted,) = skinned(binding, figure.matrices(herd, np.array([0])))
            assert np.abs(run.skinned(body, tick / 60.0) - wanted).max() < 2e-4
    (image,) = run.document["images"]
    assert image["mimeType"] == "image/png"
    names = {material["name"] for material in run.document["materials"]}
    assert {"model", "model_0"} <= names
