"""[model] in a creature's file: what it may say, where its file may be, and what replays carry."""

from pathlib import Path
from typing import Any

import pytest

from creature_sim.definitions import CreatureDef
from creature_sim.drivers import make_driver
from creature_sim.errors import DefinitionError
from creature_sim.library.loader import files_of, load_creature, load_world
from creature_sim.library.variants import with_creature
from creature_sim.models.binding import binding_of
from creature_sim.replay import open_replay, record, verify
from tests.models.makes import leg, write
from tests.models.rigs import model_table, write_rig
from tests.scenes import scene

HEXAPOD = Path(load_creature.__globals__["__file__"]).parent / "creatures" / "hexapod.toml"


def toml_of(table: dict[str, Any]) -> str:
    """A table as text."""
    lines = [f"{key} = {_value(value)}" for key, value in table.items() if value is not None]
    return "\n[model]\n" + "\n".join(lines) + "\n"


def _value(value: Any) -> str:
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_value, value)) + "]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_value(part)}" for key, part in value.items()) + " }"
    return f'"{value}"' if isinstance(value, str) else repr(value)


def creature_file(folder: Path, **changes: Any) -> Path:
    """A hexapod's file with a model beside it."""
    write_rig("hexapod", folder / "model.glb", rings=2, sides=3)
    table = {**model_table(load_creature("hexapod")), **changes}
    path = folder / "bug.toml"
    path.write_text(HEXAPOD.read_text() + toml_of(table))
    return path


def test_a_creature_is_loaded_with_its_model(tmp_path: Path) -> None:
    path = creature_file(tmp_path)
    bug = load_creature(path)
    assert bug.model.data == (tmp_path / "model.glb").read_bytes()
    assert binding_of(bug) is not None
    assert binding_of(bug.climbing) is not None
    assert CreatureDef.model_validate(bug.model_dump()) == bug  # its digest stands for the file
    world = tmp_path / "world.toml"
    world.write_text(
        'name = "w"\nseed = 1\n[terrain]\nkind = "flat"\n[[creatures]]\ncreature = "bug.toml"\n'
        'position = [0.0, 0.0]\n[[creatures]]\ncreature = "bug.toml"\nclimb = true\n'
        "position = [3.0, 0.0]\n"
    )
    loaded = load_world(world)
    assert all(binding_of(species) is not None for species in loaded.species.values())
    assert tmp_path / "model.glb" in files_of("world", world)
    assert files_of("creature", path) == [path, tmp_path / "model.glb"]


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "no file": ({"file": "none.glb"}, "model.file: "),
    "outside": ({"file": "../model.glb"}, "model.file: expected a path below the folder"),
    "absolute": ({"file": "/etc/passwd"}, "model.file: expected a path below the folder"),
    "no model": ({"file": "bug.toml"}, "model.file: "),
    "axes": ({"up": "-Z"}, "expected an axis across forward, +Z, found -Z"),
    "an axis": ({"up": "Y"}, "model.up: expected"),
    "head": ({"head": "box 0"}, "model.head: expected a node that nothing else names"),
    "trunk": ({"trunk": ["box 0", "box 1"]}, "model.trunk: expected at most 1 nodes"),
    "name": ({"trunk": ["bax 0"]}, "expected a node of model.glb, found 'bax 0'; did you mean"),
    "twice": ({"trunk": ["leg 0 bone 0"]}, "expected a node that nothing else names"),
    "legs": ({"legs": [["leg 0 bone 0"]]}, "model.legs: expected a list for each of 6 legs"),
    "bones": ({"legs": [["leg 0 bone 0"]] * 6}, "model.legs[0]: expected 4 nodes, for the left"),
    "tips": ({"tips": [[0.0, 0.0, 0.0]]}, "model.tips: expected one for each of 6 legs, found 1"),
    "swing": ({"swings": [{"node": "x", "leg": 9}]}, "model.swings[0].leg: expected 0 to 5, found"),
    "swung": ({"swings": [{"node": "x", "leg": 0}]}, "model.swings[0].node: expected a node"),
    "digest": ({"digest": "0" * 32}, "model.digest: expected a file with the digest 000"),
    "unknown": ({"colour": "red"}, "model.colour"),
    "scale": ({"scale": 0.0}, "model.scale: expected"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", REFUSED)
def test_what_is_wrong_is_named(name: str, tmp_path: Path) -> None:
    changes, error = REFUSED[name]
    path = creature_file(tmp_path, **changes)
    with pytest.raises(DefinitionError) as refused:
        load_creature(path)
    assert error in str(refused.value)
    assert str(refused.value).startswith(f"{path}:")
    assert all(len(line) < 1_500 for line in str(refused.value).splitlines())


def test_a_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "bugs"
    folder.mkdir()
    path = creature_file(folder, file="link.glb")
    (folder / "model.glb").rename(tmp_path / "model.glb")
    (folder / "link.glb").symlink_to(tmp_path / "model.glb")
    with pytest.raises(DefinitionError, match="found one outside it"):
        load_creature(path)


def test_a_model_without_bones_is_refused(tmp_path: Path) -> None:
    path = creature_file(tmp_path)
    document, data = leg()
    document["nodes"] = [{"name": "statue", "mesh": 0}]
    document["scenes"] = [{"nodes": [0]}]
    del document["skins"]
    write(tmp_path / "model.glb", document, data)
    with pytest.raises(DefinitionError, match=r"expected a node of model.glb.*there are statue"):
        load_creature(path)


def test_buffers_beside_a_model_are_taken_along(tmp_path: Path) -> None:
    path = creature_file(tmp_path, file="model.gltf")
    size = int.from_bytes((tmp_path / "model.glb").read_bytes()[12:16], "little")
    whole = (tmp_path / "model.glb").read_bytes()
    text, body = whole[20 : 20 + size], whole[28 + size :]
    (tmp_path / "model.bin").write_bytes(body)
    length = text.index(b'"buffers":[{')
    (tmp_path / "model.gltf").write_bytes(
        text[: length + 12] + b'"uri":"model.bin",' + text[length + 12 :]
    )
    beside = binding_of(load_creature(path))
    (tmp_path / "model.bin").unlink()
    alone = binding_of(load_creature(creature_file(tmp_path)))
    assert (beside.vertices == alone.vertices).all()
    assert len(beside.pictures) == 1


@pytest.mark.slow
def test_a_replay_carries_a_model_and_does_without(tmp_path: Path) -> None:
    plan = write_rig("hexapod", tmp_path / "model.glb", rings=2, sides=3)
    digests = []
    for name, model in (("whole", plan.model), ("lost", None), ("none", None)):
        shown = plan.model_copy(update={"model": model})
        if name == "lost":  # as a definition that nobody has loaded
            shown = CreatureDef.model_validate(plan.model_dump())
        world = with_creature(scene("meadow", "hexapod"), shown)
        record(world, tmp_path / f"{name}.mcap", 20, driver=make_driver(world))
        replay = open_replay(tmp_path / f"{name}.mcap")
        verify(replay)
        assert (binding_of(replay.world.species["hexapod"]) is not None) == (name == "whole")
        lacks = "without the model model.glb: its creatures are drawn as plain bodies"
        assert (lacks in replay.notice) == (name == "lost")
        digests.append(replay.digest)
    assert len(set(digests)) == 1  # of the last state
