"""The models of creatures as skins."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from creature_sim.export.animation.actors import TRUNK, Actor
from creature_sim.export.animation.skin import Skin
from creature_sim.models.binding import Binding, Surface


def model_skin(name: str, actor: Actor, binding: Binding) -> Skin:
    """The mesh of a creature's model, which at rest stands on the ground."""
    legs = actor.skeleton.groups[1:]
    bones = np.array(
        [
            *range(TRUNK, TRUNK + len(binding.boxes)),
            *(bone for leg in legs for bone in leg[:-1]),
            *range(legs[-1][-1] + 1, len(actor.skeleton.names)),  # those that swing with legs
        ]
    )
    low = float(binding.joints[:, -1, 2].min())
    parts: dict[str, NDArray[Any]] = {}
    pictures: dict[str, NDArray[np.uint8]] = {}
    colours: dict[str, tuple[float, ...]] = {}
    for surface in binding.surfaces:
        label = _label(surface)
        parts[label] = binding.triangles[surface.first : surface.first + surface.count]
        colours[label] = (1.0, 1.0, 1.0)
        if surface.picture is not None:
            pictures[label] = binding.pictures[surface.picture]
    return Skin(
        name,
        binding.vertices - np.array([0.0, 0.0, low]),
        binding.normals,
        bones[binding.bones],
        parts,
        colours,
        binding.weights,
        binding.colours,
        binding.places if pictures else None,
        pictures,
        tuple(_label(surface) for surface in binding.surfaces if surface.is_thin),
    )


def _label(surface: Surface) -> str:
    name = "model" if surface.picture is None else f"model_{surface.picture}"
    return f"{name}_thin" if surface.is_thin else name
