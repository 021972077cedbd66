"""A mesh whose vertices follow bones."""

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from creature_sim.maths import Floats

Colour = tuple[float, ...]


@dataclass(frozen=True)
class Skin:
    """A mesh.

    Attributes:
        name: of what it shows.
        vertices: (V, 3) in the pose at rest [m].
        normals: (V, 3).
        bones: (V, K) that each vertex follows.
        parts: triangles (T, 3), counter-clockwise from outside, by the name of their material.
        colours: red, green and blue of each material, as a screen shows them, 0 to 1.
        weights: (V, K) how much it follows each of them.
        shades: (V, 3) colours of the vertices besides, as amounts of light; None: all are 1.
        places: (V, 2) in pictures, from the top left corner; None where there are none.
        pictures: (H, W, 3) of materials that have one.
        thin: materials that are seen from both sides.
    """

    name: str
    vertices: Floats
    normals: Floats
    bones: NDArray[np.int64]
    parts: dict[str, NDArray[Any]]
    colours: dict[str, Colour]
    weights: Floats
    shades: Floats | None = None
    places: Floats | None = None
    pictures: dict[str, NDArray[np.uint8]] = field(default_factory=dict)
    thin: tuple[str, ...] = ()

    def vertex_colours(self) -> Floats:
        """Of a model, for what shows no pictures: (V, 3) as a screen shows them, 0 to 1."""
        assert self.shades is not None
        found: Floats = np.sqrt(self.shades)
        for name, picture in self.pictures.items():
            assert self.places is not None
            mine = np.unique(self.parts[name])
            height, width = picture.shape[:2]
            columns, rows = ((self.places[mine] % 1.0) * [width, height]).astype(np.int64).T
            found[mine] *= picture[rows.clip(0, height - 1), columns.clip(0, width - 1)] / 255.0
        return found


def joined(model: Skin, other: Skin) -> Skin:
    """A model's mesh and another that has no pictures, whose colours become those of vertices."""
    assert model.shades is not None
    first, count = len(model.vertices), len(other.vertices)
    width = model.bones.shape[1] - other.bones.shape[1]
    shades = np.ones((count, 3))
    for name, triangles in other.parts.items():
        shades[np.unique(triangles)] = np.square(other.colours[name])
    return replace(
        model,
        vertices=np.concatenate((model.vertices, other.vertices)),
        normals=np.concatenate((model.normals, other.normals)),
        bones=np.concatenate((model.bones, np.pad(other.bones, ((0, 0), (0, width))))),
        weights=np.concatenate((model.weights, np.pad(other.weights, ((0, 0), (0, width))))),
        parts={**model.parts, **{name: part + first for name, part in other.parts.items()}},
        colours={**model.colours, **dict.fromkeys(other.parts, (1.0, 1.0, 1.0))},
        shades=np.concatenate((model.shades, shades)),
        places=None
        if model.places is None
        else np.concatenate((model.places, np.zeros((count, 2)))),
    )
