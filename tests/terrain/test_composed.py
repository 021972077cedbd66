"""Layers and patches: grounds made of grounds."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from creature_sim.definitions import WorldDef, explain
from creature_sim.errors import DefinitionError
from creature_sim.ground.rays import Physics
from creature_sim.library.loader import load_world
from creature_sim.terrain import build_terrain
from creature_sim.terrain.build import heights_of
from creature_sim.terrain.kinds.layers import LayersDef
from creature_sim.terrain.kinds.patches import PatchesDef, centre_of, patch_seed
from creature_sim.terrain.registry import kind_names
from tests.arrays import assert_near
from tests.marks import quick_of
from tests.scenes import walk
from tests.terrain.test_terrain import cast_down
from tests.terrain_kinds import HANGING, KINDS, SMOOTH

NODES = 0.25 * np.arange(-128, 129)
HILLS = {"kind": "hills", "amplitude": 1.0, "wavelength": 9.0, "octaves": 3}
DUNES = {"kind": "dunes", "height": 0.6, "wavelength": 6.0}
SLOPE = {"kind": "slope", "grade": 0.1}


def layered(*layers: dict[str, Any]) -> np.ndarray:
    definition = LayersDef.model_validate({"kind": "layers", "layers": layers})
    return heights_of(definition, NODES, NODES, 7)


def patched(**changes: object) -> PatchesDef:
    table = {"kind": "patches", "size": 9.0, "columns": 2, "patches": [SLOPE]}
    return PatchesDef.model_validate(table | changes)


def problems(terrain: object) -> list[str]:
    with pytest.raises(ValidationError) as caught:
        WorldDef.model_validate({"name": "a", "terrain": terrain, "creatures": []})
    return [line for line in explain(caught.value) if not line.startswith("creatures")]


def test_a_single_layer_is_its_ground() -> None:
    alone = heights_of(KINDS["hills"], NODES, NODES, 7)
    assert (layered({"how": "add", "ground": KINDS["hills"].model_dump()}) == alone).all()


@pytest.mark.slow
def test_layers_add_and_multiply() -> None:
    hills = layered({"how": "add", "ground": HILLS})
    slope = 0.1 * np.broadcast_to(NODES[:, None], hills.shape)
    add, multiply = {"how": "add", "ground": SLOPE}, {"how": "multiply", "ground": SLOPE}
    assert layered({"how": "add", "ground": HILLS}, add) == pytest.approx(hills + slope)
    assert layered({"how": "add", "ground": HILLS}, multiply) == pytest.approx(hills * slope)


def test_two_layers_of_one_kind_are_not_the_same_ground() -> None:
    hills = layered({"how": "add", "ground": HILLS})
    both = layered({"how": "add", "ground": HILLS}, {"how": "add", "ground": HILLS})
    assert abs(np.corrcoef(hills.ravel(), (both - hills).ravel())[0, 1]) < 0.3


def test_a_mask_keeps_what_lies_where_it_is_high() -> None:
    hills = layered({"how": "add", "ground": HILLS})
    mask = {"how": "mask", "ease": 0.5, "ground": SLOPE}
    found = layered({"how": "add", "ground": HILLS}, mask)
    assert (found[NODES <= 0.0] == 0.0).all()
    assert (found[NODES >= 5.0] == hills[NODES >= 5.0]).all()
    assert found[NODES == 2.5] == pytest.approx(0.5 * hills[NODES == 2.5])


@pytest.mark.slow
def test_a_blend_goes_from_one_ground_to_the_other() -> None:
    blend = {"how": "blend", "near": 5.0, "far": 11.0, "centre": [3.0, -2.0], "ground": SLOPE}
    hills = layered({"how": "add", "ground": HILLS})
    found = layered({"how": "add", "ground": HILLS}, blend)
    slope = 0.1 * np.broadcast_to(NODES[:, None], hills.shape)
    away = np.hypot(NODES[:, None] - 3.0, NODES + 2.0)
    assert (found[away <= 5.0] == hills[away <= 5.0]).all()
    assert found[away >= 11.0] == pytest.approx(slope[away >= 11.0])
    between = (away > 5.0) & (away < 11.0)
    assert (found >= np.minimum(hills, slope) - 1e-9)[between].all()
    assert (found <= np.maximum(hills, slope) + 1e-9)[between].all()


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind",
    quick_of(
        [kind for kind in KINDS if kind not in ("patches", *HANGING)],
        *("hills", "rough", "layers", "stairs", "steps", "tilted_grid", "pillar"),
    ),
)
def test_a_patch_is_its_ground_and_level_around(kind: str) -> None:
    definition = PatchesDef(
        kind="patches", size=9.0, border=2.0, columns=2, patches=(KINDS["flat"], KINDS[kind])
    )
    x0, y0 = centre_of(definition, 1)
    rng = np.random.default_rng(5)
    inside = rng.uniform(-2.4, 2.4, (400, 2))  # beyond the fade
    outside = rng.uniform(-32.0, 32.0, (4000, 2))
    outside = outside[(abs(outside - (x0, y0)) > 4.501).any(axis=1)]
    rim = np.stack((np.full(400, 4.495), np.linspace(-4.4, 4.4, 400)), axis=-1)
    rim = np.concatenate((rim, -rim, rim[:, ::-1], -rim[:, ::-1]))
    with Physics(build_terrain(definition, 7)) as physics:
        found, _ = cast_down(physics, x0 + inside[:, 0], y0 + inside[:, 1])
        around, normals = cast_down(physics, outside[:, 0], outside[:, 1])
        edge, _ = cast_down(physics, x0 + rim[:, 0], y0 + rim[:, 1])
    with Physics(build_terrain(KINDS[kind], patch_seed(7, 1))) as physics:
        expected, _ = cast_down(physics, inside[:, 0], inside[:, 1])
        whole, _ = cast_down(physics, rim[:, 0], rim[:, 1])
    assert np.isclose(found, expected, atol=0.02).mean() > 0.95  # nodes lie elsewhere in cells
    assert_near(around, 0.0, abs=1e-6)
    assert_near(normals[:, 2], 1.0)
    assert_near(edge, 0.0 if kind in SMOOTH else whole, abs=0.02)


def test_a_patch_that_is_cut_off_has_faces_at_its_rim() -> None:
    definition = patched(
        fade=0.0, border=1.0, patches=[SLOPE, {"kind": "wave", "amplitude": 0.3, "wavelength": 3.0}]
    )
    x0, y0 = centre_of(definition, 0)
    with Physics(build_terrain(definition, 7)) as physics:
        for x, z in ((-3.5, -0.2), (5.5, 0.2)):  # into the low end, and from outside the high one
            start = np.array([[x0 + x, y0 + 0.3, z]])
            fraction, normal = physics.cast(start, start - np.array([2.0, 0.0, 0.0]))
            assert fraction == pytest.approx(0.5, abs=1e-5)
            assert normal[0] == pytest.approx([1.0, 0.0, 0.0])


def test_patches_lie_row_by_row_about_the_origin() -> None:
    definition = patched(size=4.0, border=1.0, columns=3, patches=[SLOPE] * 5)
    places = np.array([centre_of(definition, index) for index in range(5)])
    assert places.tolist() == [[-5.0, -2.5], [0.0, -2.5], [5.0, -2.5], [-5.0, 2.5], [0.0, 2.5]]
    single = patched(size=4.0, border=1.0, columns=5, patches=[SLOPE])
    assert centre_of(single, 0) == (0.0, 0.0)


def test_patches_of_one_kind_differ() -> None:
    definition = patched(fade=0.0, patches=[HILLS, HILLS])
    (ax, ay), (bx, by) = centre_of(definition, 0), centre_of(definition, 1)
    x, y = np.random.default_rng(0).uniform(-4.0, 4.0, (2, 500))
    with Physics(build_terrain(definition, 7)) as physics:
        first, second = cast_down(physics, x + ax, y + ay)[0], cast_down(physics, x + bx, y + by)[0]
    assert abs(first - second).max() > 0.1


@pytest.mark.slow
def test_the_proving_ground_holds_all_kinds_and_is_walked() -> None:
    world = load_world("proving_ground")
    assert isinstance(world.terrain, PatchesDef)
    kinds = {patch.kind for patch in world.terrain.patches}
    assert kinds == set(kind_names()) - {
        *("patches", "heights", "mesh"),
        *HANGING,
    }
    for snapshot in walk(world.model_copy(update={"driver": "forward 6"}), 360):
        last = snapshot.creatures[0]
    assert last.position[0] > 1.0


def test_what_is_wrong_with_layers_is_said() -> None:
    add = {"how": "add", "ground": HILLS}
    for layers, expected in (
        ([add, {"how": "add", "ground": {"kind": "stairs"}}],
         "terrain.layers[1].ground.kind: expected a ground without edges (canyon, "),
        ([add, {"how": "add", "ground": {"kind": "lava"}}],
         "terrain.layers[1].ground.kind: expected a known one, found"),
        ([add | {"ground": HILLS | {"gain": 2.0}}],
         "terrain.layers[0].ground.gain: expected less than 1, found 2.0"),
        ([{"how": "divide", "ground": HILLS}],
         "terrain.layers[0].how: expected a known one, found"),
        ([], "terrain.layers: expected at least one, found none"),
        ([{"how": "blend", "near": 5.0, "far": 3.0, "ground": HILLS}],
         "terrain.layers[0].far: expected more than near, 5 m, found 3"),
    ):  # fmt: skip
        (line,) = problems({"kind": "layers", "layers": layers})
        assert line.startswith(expected)
    (line,) = problems({"kind": "layers", "layers": [{"how": "add", "ground": {"kind": "rails"}}]})
    assert line.endswith("which has edges and cannot be layered")


def test_layers_that_hold_themselves_or_go_too_deep_are_refused() -> None:
    cyclic: dict[str, Any] = {"kind": "layers"}
    cyclic["layers"] = [{"how": "add", "ground": cyclic}]
    deep: dict[str, Any] = HILLS
    for _ in range(5):
        deep = {"kind": "layers", "layers": [{"how": "add", "ground": deep}]}
    message = "terrain.layers: expected layers at most 4 deep in each other, found more"
    assert problems(cyclic) == problems(deep) == [message]
    shallow = deep["layers"][0]["ground"]
    assert LayersDef.model_validate(shallow).kind == "layers"


def test_what_is_wrong_with_patches_is_said() -> None:
    table = {"kind": "patches", "size": 9.0, "columns": 2, "patches": [SLOPE]}
    assert patched(columns=1, patches=[SLOPE] * 6).rows == 6  # 6 * 9 + 5 * 2 m is just enough
    for changes, expected in (
        ({"size": 33.0, "patches": [SLOPE] * 2},
         "terrain.size: expected at most 64 m for all patches and borders of a row "),
        ({"fade": 5.0}, "terrain.fade: expected at most half the size of a patch, 4.5 m, found 5"),
        ({"patches": []}, "terrain.patches: expected at least one, found none"),
        ({"patches": [table]},
         "terrain.patches[0].kind: expected a ground that is neither of patches nor a mesh, "
         "nor has undersides, found 'patches'"),
        ({"patches": [SLOPE, {"kind": "lava"}]},
         "terrain.patches[1].kind: expected a known one, found"),
        ({"patches": [{"kind": "gap", "width": -1.0, "depth": 1.0, "spacing": 1.0,
                       "clearing": 1.0}]},
         "terrain.patches[0].width: expected more than 0, found -1.0"),
    ):  # fmt: skip
        (line,) = problems(table | changes)
        assert line.startswith(expected)


def test_a_file_of_layers_without_end_is_one_message(tmp_path: Path) -> None:
    ground = 'ground = { kind = "layers", layers = [ { how = "add", '
    text = '[terrain]\nkind = "layers"\nlayers = [ { how = "add", ' + 40 * ground
    text += 'ground = { kind = "flat" } ' + 40 * "} ] } " + "} ]\n"
    file = tmp_path / "deep.toml"
    file.write_text('name = "deep"\ncreatures = [{ creature = "hexapod" }]\n' + text)
    with pytest.raises(DefinitionError, match=r"terrain\.layers: expected layers at most 4 deep"):
        load_world(file)
