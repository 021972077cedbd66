"""What esper's current context holds."""

import esper
import numpy as np

from creature_sim.components import Body, Carrier
from creature_sim.components.props import Props, Solids
from creature_sim.maths import Floats, Vec, add, quat, rotate, vec


def find_props() -> tuple[Solids, Props] | None:
    """The props of esper's current context; None where there are none."""
    for _, (solids, props) in esper.get_components(Solids, Props):
        return solids, props
    return None


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
    return add(vec(position), rotate(quat(orientation), carrier.offset))
