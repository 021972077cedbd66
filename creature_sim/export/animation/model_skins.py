"""The models of creatures, chains and trees as skins."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from creature_sim.definitions import PropDef
from creature_sim.export.animation.actors import TRUNK, Actor
from creature_sim.export.animation.rig_models import bone_nodes, first_joint
from creature_sim.export.animation.skin import Skin
from creature_sim.figures.skins import RigSkin
from creature_sim.maths import Floats
from creature_sim.models.binding import Binding, Surface


def creature_model(actor: Actor, binding: Binding) -> Skin:
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
    return _skin(actor, binding, bones, np.array([0.0, 0.0, -low]))


def rig_model(actor: Actor, figure: RigSkin) -> Skin:
    """The mesh of the model of a chain or a tree, which at rest has its root where it was first."""
    moved = actor.rest[first_joint(figure), :3] - figure.joints[0]
    return _skin(actor, figure.binding, np.array(bone_nodes(figure)), moved)


def _skin(actor: Actor, binding: Binding, bones: NDArray[np.int64], moved: Floats) -> Skin:
    """A mesh, at rest moved by (3,) [m], whose bones are nodes (B,) of an actor."""
    assert not isinstance(actor.plan, PropDef)
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
        actor.plan.name,
        binding.vertices + moved,
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
