"""Models of creatures in a page: tables of their vertices, and their pictures."""

import base64
from collections.abc import Sequence
from io import BytesIO
from typing import Any

import numpy as np

from creature_sim.export.packing import Table
from creature_sim.models.binding import Binding
from creature_sim.models.images import Picture

FINE = 1e-5
"""Vertices, normals, colours, places and weights are rounded to this [m, 1]."""
FOUR = 4
"""Bones that a vertex follows in a page."""


def model_tables(models: Sequence[Binding]) -> dict[str, Table]:
    """Tables of the models, by number.

    `model_0`: position, normal, colour, place in the picture, and weights of each vertex;
    `model_bones_0`: the bones it follows; `model_triangles_0`; `model_rest_0`: where bones lie.
    """
    found: dict[str, Table] = {}
    for number, model in enumerate(models):
        weights = model.weights[:, :FOUR]  # the largest are first
        weights = weights / weights.sum(axis=1, keepdims=True)
        columns = (model.vertices, model.normals, model.colours, model.places, weights)
        bones = [joints[:count] for joints, count in zip(model.joints, model.counts, strict=True)]
        found[f"model_{number}"] = Table(np.hstack(columns), FINE)
        found[f"model_bones_{number}"] = Table(model.bones[:, :FOUR], 1.0)
        found[f"model_triangles_{number}"] = Table(model.triangles, 1.0)
        found[f"model_rest_{number}"] = Table(
            np.concatenate((model.boxes, *bones, model.swings.places)), FINE
        )
    return found


def model_headers(models: Sequence[Binding]) -> list[dict[str, Any]]:
    """Pictures of the models, and their surfaces: first triangle, count, picture, is_thin."""
    return [
        {
            "pictures": [_png(picture) for picture in model.pictures],
            "surfaces": [
                [
                    surface.first,
                    surface.count,
                    len(model.pictures) if surface.picture is None else surface.picture,
                    surface.is_thin,
                ]
                for surface in model.surfaces
            ],
        }
        for model in models
    ]


def _png(picture: Picture) -> str:
    """A picture as PNG, in base 64."""
    from PIL import Image

    data = BytesIO()
    Image.fromarray(picture).save(data, "PNG", optimize=True)
    return base64.b64encode(data.getvalue()).decode("ascii")
