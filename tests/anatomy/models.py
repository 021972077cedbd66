"""Models in other frames than their own, for the tests."""

from dataclasses import replace

import numpy as np

from creature_sim.library.loader import builtin_models
from creature_sim.maths import Floats
from creature_sim.models import Model, open_model

Z_UP = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])
"""What takes +Y, which is up, to +Z."""
BACKWARDS = np.diag([-1.0, 1.0, -1.0])
SIDEWAYS = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])
"""What takes +Z, which is ahead, to +X."""
LYING = np.array([[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
"""What takes +Y to +X."""


def built_in(name: str) -> Model:
    """A model of the library."""
    return open_model(builtin_models()[name])


def changed(model: Model, turn: Floats, scale: float = 1.0, shift: float = 0.0) -> Model:
    """A model turned, scaled, and moved along all axes."""
    matrix = np.eye(4)
    matrix[:3, :3] = scale * turn
    matrix[:3, 3] = shift
    nodes = replace(model.nodes, matrices=matrix @ model.nodes.matrices)
    parts = [
        replace(part, vertices=part.vertices @ (scale * turn).T + shift) for part in model.parts
    ]
    return replace(model, nodes=nodes, parts=tuple(parts))


def renamed(model: Model) -> Model:
    """A model whose bones say nothing."""
    names = tuple(f"node {index}" for index in range(len(model.nodes.names)))
    return replace(model, nodes=replace(model.nodes, names=names))
