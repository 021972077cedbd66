"""Models of creatures in animations for other programs: the same mesh, in the same places."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from PIL import Image

from creature_sim.drivers import make_driver
from creature_sim.errors import OutputError
from creature_sim.export.formats import write_export
from creature_sim.export.page import page_of
from creature_sim.figures.skins import RigSkin, SkinFigure
from creature_sim.library.variants import with_creature
from creature_sim.maths import Floats
from creature_sim.maths.geometry import rotation_matrices
from creature_sim.models.binding import binding_of
from creature_sim.replay import Replay, open_replay, record
from creature_sim.snapshots.poses import pose_of
from tests.export.gltfs import Gltf
from tests.export.peers import validated
from tests.export.test_page import Visit, browser, unpacked
from tests.models.rigs import write_rig
from tests.models.test_chains import TEXT, crane
from tests.models.test_skins import skinned
from tests.models.trees import people
from tests.scenes import scene

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ["browser"]
UNTURNED = np.array([0.0, 0.0, 0.0, 1.0])
CARRIER = '[[creatures]]\ncreature = "hexapod"\n'
Y_UP = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])


def walked(name: str, folder: Path) -> Replay:
    """A walk over hills of a creature with a model."""
    plan = write_rig(name, folder / "model.glb", has_arms=name == "biped")
    world = with_creature(scene("hills", name), plan)
    record(world, folder / "walk.mcap", 60, driver=make_driver(world))
    return open_replay(folder / "walk.mcap")


@pytest.mark.slow
def test_the_validator_of_khronos_finds_nothing_wrong(tmp_path: Path) -> None:
    replay = walked("hexapod", tmp_path)
    write_export(replay, tmp_path / "walk.glb", force=False, progress=lambda done: None)
    for name in ("model", "walk"):
        found = validated(tmp_path / f"{name}.glb")
        assert (found["numErrors"], found["numWarnings"]) == (0, 0), found["messages"][:3]


@pytest.mark.slow
def test_a_usda_holds_the_model(tmp_path: Path) -> None:
    replay = walked("hexapod", tmp_path)
    write_export(replay, tmp_path / "walk.usda", force=False, progress=lambda done: None)
    text = (tmp_path / "walk.usda").read_text()
    assert "elementSize = 4" in text
    assert 'interpolation = "vertex"' in text


@pytest.mark.slow
def test_a_usda_has_its_pictures_beside_it(tmp_path: Path) -> None:
    pxr = pytest.importorskip("pxr.UsdShade")
    from pxr import Usd, UsdGeom

    replay = walked("hexapod", tmp_path)
    write_export(replay, tmp_path / "walk.usda", force=False, progress=lambda done: None)
    binding = binding_of(replay.world.species["hexapod"])
    assert binding is not None
    beside = np.asarray(Image.open(tmp_path / "walk_0.png"))
    np.testing.assert_array_equal(beside, binding.pictures[0])
    stage = Usd.Stage.Open(str(tmp_path / "walk.usda"))
    skin = stage.GetPrimAtPath("/world/_0_hexapod/skin")
    painted = [part for part in UsdGeom.Subset.GetAllGeomSubsets(UsdGeom.Imageable(skin))]
    materials = [
        pxr.MaterialBindingAPI(part.GetPrim()).ComputeBoundMaterial()[0] for part in painted
    ]
    (striped,) = [found for found in materials if found]
    surface = striped.ComputeSurfaceSource()[0]
    source = surface.GetInput("diffuseColor").GetConnectedSources()[0][0].source
    picture = pxr.Shader(source.GetPrim())
    assert picture.GetInput("file").Get().resolvedPath == str(tmp_path / "walk_0.png")
    places = np.array(UsdGeom.PrimvarsAPI(skin).GetPrimvar("st").Get())
    np.testing.assert_allclose(places[:, 1], 1.0 - binding.places[:, 1], atol=1e-6)
    (tmp_path / "walk.usda").unlink()
    with pytest.raises(OutputError, match=r"walk_0.png: expected no file there"):
        write_export(replay, tmp_path / "walk.usda", force=False, progress=lambda done: None)
    checks = pytest.importorskip("pxr.UsdValidation")  # of later versions
    context = checks.ValidationContext(checks.ValidationRegistry().GetOrLoadAllValidators())
    assert [error.GetMessage() for error in context.Validate(stage)] == []


@pytest.mark.slow
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


def assert_follow(
    tables: Mapping[str, Any], bones: Sequence[tuple[int, int]], row: int, matrices: Floats
) -> None:
    """The bones of a page, numbers of a point and a turn, are at matrices (B, 3, 4) in a row."""
    for bone, (point, turn) in enumerate(bones):
        quaternion = tables["turns"][row].reshape(-1, 4)[turn]
        matrix = rotation_matrices(quaternion / np.sqrt((quaternion**2).sum()))
        assert np.abs(matrix - matrices[bone, :, :3]).max() < 1e-3
        place = tables["points"][row].reshape(-1, 3)[point]
        rest = tables["model_rest_0"][bone]
        assert np.abs(place - matrix @ rest - matrices[bone, :, 3]).max() < 1e-3


@pytest.mark.parametrize("name", ["hexapod", "biped"])
def test_a_page_holds_the_model(name: str, tmp_path: Path) -> None:
    replay = walked(name, tmp_path)
    header, tables = unpacked(page_of(replay, "walk"))
    binding = binding_of(replay.world.species[name])
    assert binding is not None
    assert np.abs(tables["model_0"][:, :3] - binding.vertices).max() < 1e-5
    assert (tables["model_bones_0"] == binding.bones).all()
    assert (tables["model_triangles_0"] == binding.triangles).all()
    assert header["parts"]["limbs"] == header["parts"]["hulls"] == []
    ((_, bones),) = header["parts"]["skins"]
    figure = SkinFigure(replay.world.species[name], binding)
    assert len(bones) == figure.bone_count
    for row, pose in enumerate(replay.poses):
        matrices = figure.matrices(pose.herds[0], np.array([0]))[0]
        assert_follow(tables, bones, row, matrices)


def rigged(kind: str, folder: Path) -> tuple[Replay, RigSkin]:
    """A chain or a tree with a model, and its bones."""
    world = crane(folder) if kind == "chain" else people(folder)
    record(world, folder / "run.mcap", 60, driver=make_driver(world))
    replay = open_replay(folder / "run.mcap")
    (rig,) = replay.world.rigs
    binding = binding_of(rig)
    assert binding is not None
    return replay, RigSkin(rig, binding)


@pytest.mark.parametrize("kind", ["chain", "tree"])
def test_a_glb_holds_the_model_of_a_rig(kind: str, tmp_path: Path) -> None:
    replay, figure = rigged(kind, tmp_path)
    write_export(replay, tmp_path / "run.glb", force=False, progress=lambda done: None)
    run = Gltf(tmp_path / "run.glb")
    (skin,) = (node for node, name in enumerate(run.names) if name.endswith("_skin"))
    for tick, state in enumerate(replay.rerun()):
        if tick in (0, 16, 30, 60):
            matrices = figure.matrices(pose_of(state).chains[0].joints, UNTURNED)
            (wanted,) = skinned(figure.binding, matrices)
            found = run.skinned(skin, tick / 60.0)
            assert np.abs(found[: len(wanted)] - wanted).max() < 1e-3
            marks = found[len(wanted) :].reshape(len(pose_of(state).chains[0].targets), -1, 3)
            assert np.abs(marks.mean(axis=1) - pose_of(state).chains[0].targets).max() < 1e-3


@pytest.mark.slow
def test_a_base_turns_with_what_carries_it(tmp_path: Path) -> None:
    text = TEXT.replace("[[chains]]", CARRIER + "[[chains]]").replace(
        "root =", "creature = 0\nroot ="
    )
    world = crane(tmp_path, text)
    record(world, tmp_path / "run.mcap", 60, driver=make_driver(world))
    replay = open_replay(tmp_path / "run.mcap")
    write_export(replay, tmp_path / "run.glb", force=False, progress=lambda done: None)
    run = Gltf(tmp_path / "run.glb")
    base = run.names.index("base")
    for tick, state in enumerate(replay.rerun()):
        if tick in (0, 60):
            turn = rotation_matrices(pose_of(state).creature(0).orientation)
            found = run.matrices(tick / 60.0)[base][:3, :3]
            assert np.abs(found - Y_UP @ turn @ Y_UP.T).max() < 1e-3


@pytest.mark.parametrize("suffix", [".usda", ".bvh"])
def test_other_files_hold_rigs_with_models(suffix: str, tmp_path: Path) -> None:
    replay, _ = rigged("tree", tmp_path)
    path = tmp_path / f"run{suffix}"
    write_export(replay, path, force=False, progress=lambda done: None)
    assert "left_knee" in path.read_text()


@pytest.mark.parametrize("kind", ["chain", "tree"])
def test_a_page_holds_the_model_of_a_rig(kind: str, tmp_path: Path) -> None:
    replay, figure = rigged(kind, tmp_path)
    header, tables = unpacked(page_of(replay, "run"))
    assert header["parts"]["limbs"] == []
    ((_, bones),) = header["parts"]["skins"]
    for row, pose in enumerate(replay.poses):
        (matrices,) = figure.matrices(pose.chains[0].joints, UNTURNED)
        assert_follow(tables, bones, row, matrices)


@pytest.mark.slow
def test_a_browser_shows_the_model(tmp_path: Path, browser: "Browser") -> None:
    replay = walked("hexapod", tmp_path)
    path = tmp_path / "walk.html"
    path.write_text(page_of(replay, "walk"))
    visit = Visit(browser, path)
    red, green, blue = np.moveaxis(visit.picture(), -1, 0)
    assert int(((red > 110) & (red > green + 15) & (green > 2 * blue)).sum()) > 100
    visit.finish(path)
