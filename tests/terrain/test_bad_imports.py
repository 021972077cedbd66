"""Files of ground that are none: one message each, in bounded memory."""

import json
import re
import struct
import subprocess
import sys
import tracemalloc
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import trimesh
from PIL import Image

from creature_sim.errors import DefinitionError
from creature_sim.library.loader import check
from creature_sim.maths import Floats
from creature_sim.terrain.files.mesh_files import open_mesh
from tests.commands import sim
from tests.terrain.test_imports import (
    SPACING,
    bumps,
    save_asc,
    save_geotiff,
    save_npy,
    save_png,
    save_tiff,
    world_file,
)


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png_of(width: int, height: int, data: bytes) -> bytes:
    """A grey PNG of 16 bits with these compressed bytes."""
    header = struct.pack(">IIBBBBB", width, height, 16, 0, 0, 0, 0)
    parts = (chunk(b"IHDR", header), chunk(b"IDAT", data), chunk(b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def cut_file(save: Callable[[Path, Floats], None], share: float) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        save(path, bumps(257, 257))
        data = path.read_bytes()
        path.write_bytes(data[: int(share * len(data))])

    return write


def text(content: str) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        path.write_text(content)

    return write


def grid_of(*shape: int, kind: str = "f4", value: float = 0.0) -> Callable[[Path], None]:
    return lambda path: np.save(path, np.full(shape, value, dtype=kind))


def glb_of(table: dict[str, Any], data: bytes = b"") -> bytes:
    words = json.dumps(table).encode()
    words += b" " * (-len(words) % 4)
    body = struct.pack("<II", len(words), 0x4E4F534A) + words
    body += struct.pack("<II", len(data), 0x004E4942) + data
    return struct.pack("<4sII", b"glTF", 2, 12 + len(body)) + body


def stl_of(triangles: np.ndarray) -> bytes:
    records = np.zeros(len(triangles), dtype=[("n", "<f4", 3), ("v", "<f4", (3, 3)), ("a", "<u2")])
    records["v"] = triangles
    return bytes(80) + struct.pack("<I", len(triangles)) + records.tobytes()


def soup(path: Path) -> None:
    """Triangles that share no vertices: few enough, but too many bytes."""
    corners = np.random.default_rng(0).uniform(-30, 30, (190_000, 3, 3))
    path.write_bytes(stl_of(corners.astype(np.float32)))


def geotiff_in_degrees(path: Path) -> None:
    save_geotiff(path, bumps(300, 300), 0.000277, model=2)


BOMB = {
    "asset": {"version": "2.0"},
    "accessors": [{"count": 10**9, "componentType": 5126, "type": "VEC3"}],
    "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
    "nodes": [{"mesh": 0}],
    "scenes": [{"nodes": [0]}],
}
ASC = "ncols 300\nnrows 300\ncellsize 0.25\n"
ROW = " ".join(["1"] * 300) + "\n"
NPY = np.lib.format.magic(1, 0)
HEIGHTS = ('kind = "heights"', SPACING)
MESH = ('kind = "mesh"',)
Bad = tuple[str, Callable[[Path], Any] | None, tuple[str, ...], str]
BAD: dict[str, Bad] = {
    "missing": ("no.png", None, HEIGHTS, "expected a file of heights, found none"),
    "folder": ("dir.npy", Path.mkdir, HEIGHTS, "found something that is no file"),
    "suffix": ("a.jpg", Path.touch, HEIGHTS, r"expected \.png, .* found '\.jpg'"),
    "empty": ("a.png", Path.touch, HEIGHTS, "expected a whole .png file"),
    "pixel": (
        "a.png",
        lambda path: save_png(path, np.ones((1, 1))),
        HEIGHTS,
        "expected at least 2 x 2 heights, found 1 x 1",
    ),
    "line": ("a.npy", grid_of(1, 4000), HEIGHTS, "expected at least 2 x 2"),
    "photo": (
        "a.png",
        lambda path: Image.new("RGB", (300, 300)).save(path),
        HEIGHTS,
        "expected a grey image of 16 bits, found an image of mode RGB",
    ),
    "grey of 8 bits": (
        "a.png",
        lambda path: Image.new("L", (300, 300)).save(path),
        HEIGHTS,
        "found an image of mode L",
    ),
    "photo in TIFF": (
        "a.tif",
        lambda path: Image.new("RGB", (300, 300)).save(path),
        HEIGHTS,
        "expected one channel .* found an image of mode RGB",
    ),
    "40,000 x 40,000": (
        "a.png",
        lambda path: path.write_bytes(png_of(40_000, 40_000, zlib.compress(b"0"))),
        HEIGHTS,
        r"expected at most 67108864 heights \(8192 x 8192\) in such a file, found 40000 x 40000",
    ),
    "40,000 x 40,000 text": (
        "a.asc",
        text("ncols 40000\nnrows 40000\ncellsize 1\n1 2 3"),
        HEIGHTS,
        "found 40000 x 40000",
    ),
    "bomb": (
        "a.png",
        lambda path: path.write_bytes(png_of(30, 30, zlib.compress(bytes(300 << 20), 9))),
        HEIGHTS,
        "expected data that cover the ground",
    ),
    "truncated PNG": ("a.png", cut_file(save_png, 0.5), HEIGHTS, "expected a whole .png file"),
    "truncated TIFF": ("a.tif", cut_file(save_tiff, 0.5), HEIGHTS, "expected a whole .tif file"),
    "truncated GeoTIFF": (
        "a.tif",
        cut_file(save_geotiff, 0.02),
        HEIGHTS,
        "expected a whole .tif file",
    ),
    "truncated array": ("a.npy", cut_file(save_npy, 0.5), HEIGHTS, "expected a whole .npy file"),
    "truncated header": ("a.npy", cut_file(save_npy, 2e-5), HEIGHTS, "expected a whole .npy file"),
    "truncated grid": ("a.asc", cut_file(save_asc, 0.5), HEIGHTS, r"in row \d+ of 257, found \d+"),
    "not an array": ("a.npy", text("no array"), HEIGHTS, "the magic string is not correct"),
    "not a PNG": ("a.png", text("heights"), HEIGHTS, "expected a whole .png file"),
    "pickled": (
        "a.npy",
        lambda path: np.save(path, np.array([{}]), allow_pickle=True),
        HEIGHTS,
        "expected a whole .npy file",
    ),
    "shape": ("a.npy", grid_of(300, 300, 3), HEIGHTS, r"found float32 of shape \(300, 300, 3\)"),
    "complex": ("a.npy", grid_of(300, 300, kind="c8"), HEIGHTS, "found complex64"),
    "damaged header": (
        "a.npy",
        lambda path: path.write_bytes(b"\x93NUMPY\x01\x00\x0a\x00{'descr': (\n"),
        HEIGHTS,
        "expected a whole .npy file",
    ),
    "header": ("a.asc", text("ncols many\n"), HEIGHTS, "expected a number behind ncols"),
    "no header": ("a.asc", text("1 2 3\n"), HEIGHTS, "expected a count as ncols .* found none"),
    "no cells": ("a.asc", text(ASC.replace("300", "0", 1)), HEIGHTS, "as ncols .* found 0"),
    "negative": ("a.asc", text(ASC.replace("0.25", "-1")), HEIGHTS, "as cellsize .* found -1"),
    "short row": ("a.asc", text(ASC + ROW * 50 + "1 2\n"), HEIGHTS, "300 heights in row 51"),
    "word": (
        "a.asc",
        text(ASC + ROW * 60 + ROW.replace("1", "x") + ROW * 239),
        HEIGHTS,
        "expected numbers in row 61",
    ),
    "endless row": ("a.asc", text(ASC + "1" * 10**7), HEIGHTS, "expected 300 heights in row"),
    "NaN": ("a.npy", grid_of(300, 300, value=np.nan), HEIGHTS, "found 66564 holes"),
    "too small": (
        "a.npy",
        grid_of(100, 300),
        HEIGHTS,
        "cover the ground, 64 m around y = 0 m, found 25 m",
    ),
    "beyond": ("a.npy", grid_of(300, 300), (*HEIGHTS, "centre = [20.0, 0.0]"), "around x = 20 m"),
    "no spacing": ("a.npy", grid_of(300, 300), HEIGHTS[:1], "spacing: expected .* found none"),
    "degrees": ("a.tif", geotiff_in_degrees, HEIGHTS[:1], "spacing: expected .* found none"),
    "too high": (
        "a.npy",
        grid_of(300, 300, value=8848.0),
        HEIGHTS,
        "from -400 to 400 m .* found 8848 to 8848 m",
    ),
    "scale 0": ("a.npy", grid_of(300, 300), (*HEIGHTS, "scale = 0.0"), "terrain.scale: expected"),
    "scale -1": ("a.npy", grid_of(300, 300), (*HEIGHTS, "scale = -1.0"), "found -1.0"),
    "key": ("a.npy", grid_of(300, 300), (*HEIGHTS, "size = 1.0"), "terrain.size: expected no such"),
    "mesh suffix": ("a.ply", Path.touch, MESH, r"expected \.obj, \.glb or \.stl"),
    "mesh missing": ("a.obj", None, MESH, "expected a file of a mesh, found none"),
    "mesh empty": ("a.stl", Path.touch, MESH, "expected"),
    "no triangles": ("a.obj", text("v 0 0 0\nv 1 0 0\n"), MESH, "expected a mesh of triangles"),
    "wrong vertex": ("a.obj", text("v 0 0 0\nv 1 0 0\nf 1 2 9\n"), MESH, "expected"),
    "no vertex": (
        "a.obj",
        text("v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"),
        MESH,
        "expected finite vertices",
    ),
    "truncated STL": (
        "a.stl",
        lambda path: path.write_bytes(stl_of(np.ones((50, 3, 3)))[:-200]),
        MESH,
        r"expected a (whole \.stl file|mesh of triangles)",  # versions of trimesh differ
    ),
    "truncated GLB": (
        "a.glb",
        lambda path: path.write_bytes(trimesh.creation.box().export(file_type="glb")[:300]),
        MESH,
        "expected a whole .glb file",
    ),
    "GLB bomb": ("a.glb", lambda path: path.write_bytes(glb_of(BOMB)), MESH, "in an accessor"),
    "triangles": (
        "a.stl",
        lambda path: path.write_bytes(stl_of(np.zeros((200_001, 3, 3)))),
        MESH,
        "expected at most 200000 triangles, found at least 200001",
    ),
    "bytes": ("a.stl", soup, MESH, "expected ground of at most 8388608 bytes"),
    "far away": (
        "a.stl",
        lambda path: path.write_bytes(stl_of(np.full((5, 3, 3), 99.0))),
        MESH,
        "expected triangles within 32 m",
    ),
    "mesh scale": ("a.stl", soup, (*MESH, "scale = 0.0"), "terrain.scale: expected"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_one_message_in_bounded_memory(name: str, tmp_path: Path) -> None:
    file, write, lines, expected = BAD[name]
    if write:
        write(tmp_path / file)
    world = world_file(tmp_path, *lines, f'file = "{file}"')
    tracemalloc.start()
    try:
        with pytest.raises(DefinitionError, match=expected) as caught:
            check(world)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    message = str(caught.value)
    assert re.match(rf"{re.escape(str(world))}:\d+: terrain\.", message)
    assert len(message.splitlines()) == 1
    assert peak < 128 << 20


@pytest.mark.slow
def test_the_command_line_refuses_with_code_2_and_checks_what_is_right(tmp_path: Path) -> None:
    world = world_file(tmp_path, *HEIGHTS, 'file = "a.png"')
    (tmp_path / "a.png").write_bytes(png_of(40_000, 40_000, zlib.compress(bytes(10 << 20))))
    for words in (["check"], ["run", "--headless", "--record", str(tmp_path / "a.mcap")]):
        done = sim(*words[:1], str(world), *words[1:])
        assert done.returncode == 2
        assert done.stdout == ""
        assert len(done.stderr.strip().splitlines()) == 1
    assert not list(tmp_path.glob("*.mcap*"))
    save_png(tmp_path / "a.png", bumps(257, 257))
    done = sim("check", str(world_file(tmp_path, *HEIGHTS, 'file = "a.png"', "scale = 0.0001")))
    assert done.returncode == 0
    assert "heights with hexapod" in done.stdout


MEASURE = """
import resource, sys
from creature_sim.library.loader import load_world
from creature_sim.errors import DefinitionError
import creature_sim.terrain.files.imports, PIL.PngImagePlugin, PIL.TiffImagePlugin
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    load_world(sys.argv[1])
except DefinitionError:
    pass
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "content", "expected"),
    [
        ("a.obj", b"", "expected a mesh, found an empty file"),
        ("a.glb", b"", "expected a mesh, found an empty file"),
        ("a.glb", glb_of({"nodes": "all"}), "found one that cannot be read (it is damaged)"),
        (
            "a.stl",
            stl_of(np.full((2, 3, 3), np.nan, np.float32)),
            "expected finite vertices, found others",
        ),
    ],
)
def test_a_damaged_mesh_is_refused_in_our_words(
    file: str, content: bytes, expected: str, tmp_path: Path
) -> None:
    """Without a warning of numpy's, which the tests would raise."""
    (tmp_path / file).write_bytes(content)
    with pytest.raises(DefinitionError, match=re.escape(expected)):
        open_mesh(tmp_path / file)


@pytest.mark.parametrize("name", ["40,000 x 40,000", "bomb", "40,000 x 40,000 text"])
def test_a_bomb_takes_no_memory_of_the_process(name: str, tmp_path: Path) -> None:
    file, write, lines, _ = BAD[name]
    assert write
    write(tmp_path / file)
    world = world_file(tmp_path, *lines, f'file = "{file}"')
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, str(world)], capture_output=True, text=True, check=True
    )
    assert int(done.stdout) < 64 << 10  # kibibytes
