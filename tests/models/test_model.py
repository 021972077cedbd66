"""Models from files: what they hold at rest, and what is refused."""

from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from creature_sim.drivers import make_driver
from creature_sim.errors import DefinitionError
from creature_sim.export.formats import write_export
from creature_sim.models import open_model
from creature_sim.models.packing import packed
from creature_sim.replay import open_replay, record
from tests.models.makes import CORNERS, PIXELS, PLACES, POINTS, leg, painted_leg, write
from tests.replay.messages import joint_rounding
from tests.scenes import scene

SECRET = "do not read this"


@pytest.mark.parametrize("end", [".glb", ".gltf"])
def test_a_leg_is_read(end: str, tmp_path: Path) -> None:
    model = open_model(write(tmp_path / f"leg{end}", *leg()))
    assert model.nodes.names == ("hip", "knee", "tip", "skin")
    assert model.nodes.parents == (-1, 0, 1, -1)
    assert [row[1, 3] for row in model.nodes.matrices] == [0.0, 1.0, 2.0, 0.0]
    assert model.bones == (0, 1)
    (part,) = model.parts
    assert np.abs(part.vertices - POINTS).max() < 1e-6
    assert part.triangles.tolist() == CORNERS.tolist()
    assert part.colour == (0.2, 0.4, 0.6)
    assert part.joints[:, 0].tolist() == [0, 0, 0, 1, 1, 1, 1, 1, 1]
    assert part.weights.sum(axis=1).tolist() == [1.0] * 9


def test_buffers_beside_a_file_are_read(tmp_path: Path) -> None:
    document, data = leg()
    (tmp_path / "a leg.bin").write_bytes(data)
    document["buffers"][0]["uri"] = "a%20leg.bin"
    path = write(tmp_path / "leg.glb", document, b"")
    assert np.abs(open_model(path).parts[0].vertices - POINTS).max() < 1e-6


def test_an_even_scale_and_a_turn_move_the_rest(tmp_path: Path) -> None:
    document, data = leg()
    half = np.sqrt(0.5)
    document["nodes"].append(
        {"name": "units", "children": [0], "scale": [0.01] * 3, "rotation": [half, 0, 0, half]}
    )
    model = open_model(write(tmp_path / "leg.glb", document, data))
    tip = model.nodes.matrices[2][:3, 3]
    assert np.abs(tip - [0.0, 0.0, 0.02]).max() < 1e-9
    x, y, z = 0.01 * POINTS.T
    assert np.abs(model.parts[0].vertices - np.stack((x, -z, y), axis=1)).max() < 1e-6


@pytest.mark.slow
def test_our_own_exports_are_read_at_rest(tmp_path: Path) -> None:
    world = scene("hills", "hexapod")
    record(world, tmp_path / "walk.mcap", 30, driver=make_driver(world))
    replay = open_replay(tmp_path / "walk.mcap")
    write_export(replay, tmp_path / "walk.glb", force=False, progress=lambda done: None)
    model = open_model(tmp_path / "walk.glb")
    creature = replay.poses[0].creature(0)
    joints = creature.joints
    # The export is of the run itself, in floats of 32 bits; what was recorded is rounded.
    arm = float(np.linalg.norm(joints - creature.position, axis=-1).max())
    off = joint_rounding(world, arm) + 1e-6
    for leg_index, name in enumerate(("L1", "R1", "L2")):
        for joint, label in enumerate(("hip", "joint_1", "joint_2", "tip")):
            x, y, z = model.nodes.matrices[model.nodes.names.index(f"{name}_{label}")][:3, 3]
            assert np.abs(np.array([x, -z, y]) - joints[leg_index, joint]).max() < off


def test_colours_and_pictures_are_read(tmp_path: Path) -> None:
    document, data = painted_leg()
    turned = {"offset": [0.5, 0.25], "scale": [2.0, 1.0]}
    texture = document["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"]
    model = open_model(write(tmp_path / "leg.glb", document, data))
    (part,) = model.parts
    assert (model.pictures[0] == PIXELS).all()
    assert part.picture == 0
    assert part.places is not None
    assert part.colours is not None
    assert np.abs(part.places - PLACES).max() < 1e-6
    assert np.abs(part.colours - [1.0, 128 / 255, 0.0]).max() < 1e-6
    texture["extensions"] = {"KHR_texture_transform": turned}
    (part,) = open_model(write(tmp_path / "leg.glb", document, data)).parts
    assert part.places is not None
    assert np.abs(part.places - (PLACES * [2.0, 1.0] + [0.5, 0.25])).max() < 1e-6


def test_pictures_beside_a_file_are_read(tmp_path: Path) -> None:
    document, data = painted_leg()
    Image.fromarray(PIXELS).save(tmp_path / "a skin.png")
    document["images"] = [{"uri": "a%20skin.png"}]
    path = write(tmp_path / "leg.glb", document, data)
    assert (open_model(path).pictures[0] == PIXELS).all()
    whole = packed(path)
    (tmp_path / "a skin.png").unlink()
    assert (open_model(path, whole).pictures[0] == PIXELS).all()
    with pytest.raises(DefinitionError, match="expected a file that is whole in itself"):
        open_model(path, path.read_bytes())


@pytest.mark.parametrize("uri", ["none.png", "D:\\art\\skin.png", "../skin.png", "http://x/y.png"])
def test_without_its_picture_a_model_is_drawn_in_its_colour(uri: str, tmp_path: Path) -> None:
    document, data = painted_leg()
    (tmp_path / "in").mkdir()
    Image.fromarray(PIXELS).save(tmp_path / "skin.png")
    document["images"] = [{"uri": uri}]
    path = write(tmp_path / "in" / "leg.glb", document, data)
    model = open_model(path)
    assert model.notes == (f"no picture {uri!r} is in the folder of the model: left out",)
    assert model.pictures == ()
    (part,) = model.parts
    assert part.picture is None
    (carried,) = open_model(path, packed(path)).parts
    assert carried.picture is None
    assert (carried.vertices == part.vertices).all()


@pytest.mark.slow
@pytest.mark.parametrize("what", ["side", "cut", "format", "all", "many"])
def test_pictures_that_are_too_much_are_refused(what: str, tmp_path: Path) -> None:
    found = BytesIO()
    sides = {"side": (5000, 10), "all": (4096, 4096), "many": (4096, 4096)}
    picture = Image.new("L", sides.get(what, (8, 8)))
    picture.save(found, "BMP" if what == "format" else "PNG")
    data = found.getvalue()
    document, body = painted_leg(data[: len(data) // 2] if what == "cut" else data)
    if what in ("all", "many"):  # each of them would do
        document["images"] *= 3 if what == "all" else 65
        document["textures"] = [{"source": index} for index in range(3)]
        document["materials"] = [
            {"pbrMetallicRoughness": {"baseColorTexture": {"index": index}}} for index in range(3)
        ]
        (primitive,) = document["meshes"][0]["primitives"]
        document["meshes"][0]["primitives"] = [
            {**primitive, "material": index} for index in range(3)
        ]
    path = write(tmp_path / "leg.glb", document, body)
    with pytest.raises(DefinitionError, match="images") as refused:
        open_model(path)
    assert str(refused.value).startswith(f"{path}: images")
    assert len(str(refused.value).splitlines()) == 1


def changed(**changes: Any) -> tuple[dict[str, Any], bytes]:
    """The leg with other values: `nodes__0__scale` is that of the first node."""
    document, data = leg()
    for key, value in changes.items():
        *path, last = (int(word) if word.isdigit() else word for word in key.split("__"))
        place: Any = document
        for word in path:
            place = place[word]
        place[last] = value
    return document, data


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "version": ({"asset__version": "1.0"}, "asset.version: expected version \"2.0\", found '1.0'"),
    "cycle": ({"nodes__2__children": [0]}, "nodes: expected trees of nodes, found node 0 below"),
    "self": ({"nodes__3__children": [3]}, "nodes: expected trees of nodes, found node 3 below"),
    "two parents": ({"nodes__0__children": [1, 2]}, "expected a node with one parent"),
    "uneven": ({"nodes__1__scale": [1, 2, 1]}, "at 'knee': apply it"),
    "mirror": ({"nodes__1__scale": [-1, -1, -1]}, "at 'knee': apply it"),
    "quaternion": ({"nodes__1__rotation": [0, 0, 0, 2]}, "expected a unit quaternion"),
    "huge count": ({"accessors__0__count": 10**9}, "accessors[0].count: expected a whole number"),
    "count": ({"accessors__0__count": 10**6}, "accessors[0].count: expected no more than the 108"),
    "offset": (
        {"bufferViews__0__byteOffset": 10**6},
        "bufferViews[0].byteOffset: expected a whole",
    ),
    "length": (
        {"bufferViews__0__byteLength": 10**6},
        "bufferViews[0].byteLength: expected a whole",
    ),
    "buffer": ({"buffers__0__byteLength": 10**6}, "buffers[0].byteLength: expected at most"),
    "index": ({"nodes__3__mesh": 7}, "nodes[3].mesh: expected a whole number from 0 to 0, found 7"),
    "negative": ({"nodes__3__skin": -1}, "nodes[3].skin: expected a whole number from 0 to 0"),
    "truth": ({"nodes__3__mesh": True}, "nodes[3].mesh: expected a whole number"),
    "joint": ({"skins__0__joints": [0]}, "JOINTS_0: expected indices below 1, found 0 to 1"),
    "no joints": ({"skins__0__joints": []}, "skins[0].joints: expected at least one joint"),
    "outside": (
        {"buffers__0__uri": "../secret.bin"},
        "buffers[0].uri: expected the name of a file",
    ),
    "absolute": ({"buffers__0__uri": "/etc/passwd"}, "buffers[0].uri: expected the name of a file"),
    "scheme": ({"buffers__0__uri": "file:///etc/passwd"}, "expected the name of a file"),
    "network": ({"buffers__0__uri": "http://x/y.bin"}, "expected the name of a file"),
    "escaped": ({"buffers__0__uri": "%2e%2e/secret.bin"}, "expected the name of a file"),
    "windows": ({"buffers__0__uri": "..\\secret.bin"}, "expected the name of a file"),
    "link": ({"buffers__0__uri": "link.bin"}, "found one outside it"),
    "no file": ({"buffers__0__uri": "none.bin"}, "none.bin: expected a file, found none"),
    "data": ({"buffers__0__uri": "data:,hello"}, "expected bytes in base 64"),
    "base 64": ({"buffers__0__uri": "data:;base64,$$$"}, "expected bytes in base 64"),
    "draco": ({"extensionsRequired": ["KHR_draco_mesh_compression"]}, "export without it"),
    "sparse": ({"accessors__0__sparse": {}}, "expected no sparse accessor"),
    "a list": ({"nodes": {}}, "nodes: expected a list, found {}"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_wrong_is_named(name: str, tmp_path: Path) -> None:
    changes, error = REFUSED[name]
    folder = tmp_path / "models"
    folder.mkdir()
    (tmp_path / "secret.bin").write_text(SECRET)
    (folder / "link.bin").symlink_to(tmp_path / "secret.bin")
    path = write(folder / "leg.glb", *changed(**changes))
    with pytest.raises(DefinitionError) as refused:
        open_model(path)
    assert str(refused.value).startswith(f"{path}: ")
    assert error in str(refused.value)
    assert SECRET not in str(refused.value)
    assert len(str(refused.value).splitlines()) == 1


@pytest.mark.parametrize("what", ["joints", "nodes", "deep", "wide", "not finite", "not a file"])
def test_too_much_is_refused(what: str, tmp_path: Path) -> None:
    document, data = leg()
    path = tmp_path / "leg.glb"
    if what == "joints":
        document["skins"][0]["joints"] = [0] * 10**6
    elif what == "nodes":
        document["nodes"] = [{}] * 10**6
    elif what == "wide":
        document["nodes"] = [{}] * 30_000
    elif what == "not finite":
        data = np.full(len(data) // 4, np.nan, "<f4").tobytes()
    elif what == "not a file":
        path = tmp_path
    if what == "deep":
        write(path, b'{"asset":' + b"[" * 100_000, data)
    elif what != "not a file":
        write(path, document, data)
    with pytest.raises(DefinitionError) as refused:
        open_model(path)
    assert len(str(refused.value)) < 500
