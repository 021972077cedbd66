"""What esper's current context holds."""

import esper
import numpy as np

from creature_sim.components.herds import Body
from creature_sim.components.neighbours import Crowd, Others
from creature_sim.components.props import PropRecord, Props, SolidRecord, Solids
from creature_sim.components.records import Records, zeros
from creature_sim.components.rigs import Carrier
from creature_sim.components.world import Clock, Gravity, GravityRecord, Ground
from creature_sim.maths import Floats, Vec, add, quat, rotate, vec

_NO_SOLIDS, _NO_PROPS = zeros(SolidRecord, 0), zeros(PropRecord, 0)
_ORIGIN = np.zeros(3)
_UNTURNED = np.array([0.0, 0.0, 0.0, 1.0])


def gravity_here() -> Records[GravityRecord]:
    """The world's field of gravity, (1,)."""
    ((_, gravity),) = esper.get_component(Gravity)
    return gravity.records


def tick_now() -> int:
    """Number of the tick that is being computed."""
    ((_, clock),) = esper.get_component(Clock)
    return clock.tick


def ground_here() -> Ground:
    """Where rays are cast."""
    ((_, ground),) = esper.get_component(Ground)
    return ground


def others_here() -> Others:
    """Who is near to anybody in this tick."""
    ((_, crowd),) = esper.get_component(Crowd)
    return crowd.others


def find_props() -> tuple[Solids, Props] | None:
    """The props of the world; None where there are none."""
    for _, (solids, props) in esper.get_components(Solids, Props):
        return solids, props
    return None


def solids_here() -> Records[SolidRecord]:
    """What the props of the world are, (P,)."""
    props = find_props()
    return props[0].records if props else _NO_SOLIDS


def props_here() -> Records[PropRecord]:
    """Where the props of the world are, (P,)."""
    props = find_props()
    return props[1].records if props else _NO_PROPS


def frame_of(carrier: Carrier | None) -> tuple[Floats, Floats]:
    """Origin (3,) [m, world] and orientation (4,) xyzw of a frame; without a carrier, the world."""
    if carrier is None:
        return _ORIGIN, _UNTURNED
    body = esper.component_for_entity(carrier.entity, Body).records[carrier.row, 0]
    return body.position, body.orientation


def point_on(carrier: Carrier) -> Vec:
    """Where a point on a creature's body is now [m, world]."""
    position, orientation = frame_of(carrier)
    return add(vec(position), rotate(quat(orientation), carrier.offset))
