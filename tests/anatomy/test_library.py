"""The models of the library are what their script makes, bit for bit."""

import json
import struct

import numpy as np
import pytest

from creature_sim.library.loader import builtin_models
from creature_sim.models import open_model
from tests.tools.models import files

MODELS = dict(files())


@pytest.mark.parametrize("name", MODELS)
def test_the_script_makes_the_same_bits(name: str) -> None:
    assert builtin_models()[name.removesuffix(".glb")].read_bytes() == MODELS[name]


def test_there_is_no_other() -> None:
    assert {f"{name}.glb" for name in builtin_models()} == set(MODELS)


@pytest.mark.parametrize("name", MODELS)
def test_models_are_small_and_whole(name: str) -> None:
    data = MODELS[name]
    model = open_model(builtin_models()[name.removesuffix(".glb")])
    assert not model.notes
    count = sum(len(part.vertices) for part in model.parts)
    assert 500 <= count <= 3000
    assert len(data) < 100_000
    for part in model.parts:
        assert part.normals is not None
        np.testing.assert_allclose(np.linalg.norm(part.normals, axis=1), 1.0, atol=1e-3)
        assert part.weights.max(axis=1).min() >= 0.49  # between two bones at most
        assert set(np.unique(part.joints)) <= set(model.bones)
    size = struct.unpack_from("<I", data, 12)[0]
    assert "MIT" in json.loads(data[20 : 20 + size])["asset"]["copyright"]


@pytest.mark.parametrize("name", MODELS)
def test_faces_look_outwards(name: str) -> None:
    model = open_model(builtin_models()[name.removesuffix(".glb")])
    for part in model.parts:
        a, b, c = (part.vertices[part.triangles[:, k]] for k in range(3))
        faces = np.cross(b - a, c - a)
        assert part.normals is not None
        normals = part.normals[part.triangles].sum(axis=1)
        assert ((faces * normals).sum(axis=1) >= -1e-9).mean() > 0.99
