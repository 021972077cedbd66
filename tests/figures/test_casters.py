"""The triangles that cast the shadows of models."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from creature_sim.figures.casters import casters
from creature_sim.library.loader import load_creature
from creature_sim.models.binding import Binding, binding_of
from tests.commands import sim
from tests.models.rigs import write_rig

SIDE = 512


def silhouette(binding: Binding, triangles: NDArray[np.int64], along: int) -> NDArray[np.bool_]:
    """What covers the pixels of a picture, seen along an axis."""
    points = np.delete(binding.vertices, along, axis=1)
    low, high = points.min(axis=0), points.max(axis=0)
    pixels = (points - low) / (high - low).max() * (SIDE - 1)
    picture = Image.new("1", (SIDE, SIDE))
    draw = ImageDraw.Draw(picture)
    for corners in pixels[triangles]:
        draw.polygon([tuple(corner) for corner in corners.tolist()], fill=1)
    return np.asarray(picture)


@pytest.mark.parametrize("name", ["spider", "dog", "humanoid"])
def test_shadows_of_models_keep_their_outline(name: str, tmp_path: Path) -> None:
    sim("new", "creature", "found", "--from", name, cwd=tmp_path)
    binding = binding_of(load_creature(tmp_path / "found.toml"))
    assert binding is not None
    coarse, _ = casters(binding)
    for along in range(3):
        expected, shown = (
            silhouette(binding, triangles, along) for triangles in (binding.triangles, coarse)
        )
        assert (expected != shown).sum() < 0.03 * expected.sum()


def test_a_fine_model_casts_its_shadow_with_few_triangles(tmp_path: Path) -> None:
    binding = binding_of(write_rig("hexapod", tmp_path / "model.glb", rings=45, sides=54))
    assert binding is not None
    coarse, closed = casters(binding)
    assert len(coarse) < 0.3 * len(binding.triangles)
    assert closed == len(coarse)
    followed = binding.bones[:, 0]
    assert set(followed[coarse].ravel()) == set(followed)


def test_what_is_seen_from_both_sides_comes_last(tmp_path: Path) -> None:
    binding = binding_of(write_rig("hexapod", tmp_path / "model.glb", rings=11, sides=16))
    assert binding is not None
    *others, last = binding.surfaces
    thin = replace(binding, surfaces=(*others, replace(last, is_thin=True)))
    (coarse, closed), (same, count) = casters(binding), casters(thin)
    np.testing.assert_array_equal(coarse, same)
    assert closed == len(coarse)
    is_of_last = np.isin(coarse, binding.triangles[last.first :])
    assert 0 < count < len(coarse)
    assert is_of_last[count:].all()
    assert not is_of_last[:count].any()
