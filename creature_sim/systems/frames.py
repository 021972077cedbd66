"""Frames that rigs hang on: the world's, or a creature's body's."""

import esper
import numpy as np

from creature_sim.components import Body, Carrier
from creature_sim.maths import Floats, Quat, Vec, add, quat, rotate, sub, unrotate, vec
from creature_sim.maths.jit import kernel

_ORIGIN = np.zeros(3)
_UNTURNED = np.array([0.0, 0.0, 0.0, 1.0])


def frame_of(carrier: Carrier | None) -> tuple[Floats, Floats]:
    """Origin (3,) [m, world] and orientation (4,) xyzw of a frame; without a carrier, the world."""
    if carrier is None:
        return _ORIGIN, _UNTURNED
    body = esper.component_for_entity(carrier.entity, Body).records[carrier.row, 0]
    return body["position"], body["orientation"]


def place_on(carrier: Carrier) -> Vec:
    """Where a place on a creature's body is now [m, world]."""
    position, orientation = frame_of(carrier)
    return into_world(vec(position), quat(orientation), carrier.offset)


@kernel
def into_world(position: Vec, orientation: Quat, point: Vec) -> Vec:
    """A point of a frame [m, frame] in the world [m, world]."""
    return add(position, rotate(orientation, point))


@kernel
def into_frame(position: Vec, orientation: Quat, point: Vec) -> Vec:
    """A point of the world [m, world] in a frame [m, frame]."""
    return unrotate(orientation, sub(point, position))
