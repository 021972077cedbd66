"""Feet and knees go to where events want them."""

import esper
import numpy as np

from creature_sim.components import (
    IN_WORLD,
    ON_BODY,
    ON_PROP,
    Body,
    Foothold,
    FootTarget,
    LegTarget,
    Plan,
    PropRecord,
    zeros,
)
from creature_sim.components.queries import find_props, herds
from creature_sim.inputs import Event
from creature_sim.locomotion.lead import lead, let_walk, take
from creature_sim.maths import put, put_quat, quat_unit, vec

NO_PROPS = zeros(PropRecord, 1)


KINDS = {"body": ON_BODY, "world": IN_WORLD, "prop": ON_PROP}


def lead_leg(event: Event, entity: int, row: int) -> None:
    """Do to a leg of a creature what an event of kind `set_foot` or `set_pole` asks."""
    i = event.leg
    assert i is not None
    target = esper.component_for_entity(entity, LegTarget).records[row, i]
    point = vec(np.array(event.point, np.float64)) if event.point else None
    if event.kind == "set_pole":
        target.pole_kind = KINDS[event.on] if point else 0
        target.pole_prop = event.prop or 0
        put(target.pole_point, point or (0.0, 0.0, 0.0))
        return
    plan = esper.component_for_entity(entity, Plan)
    leg = plan.legs[i]
    body = esper.component_for_entity(entity, Body).records[row, leg.segment]
    foot = esper.component_for_entity(entity, FootTarget).records[row, i]
    foothold = esper.component_for_entity(entity, Foothold).records[row, i]
    if point:
        take(foot, foothold, target)
        put(target.point, point)
        wanted = event.rotation
        put_quat(target.rotation, quat_unit(wanted) if wanted else (0.0, 0.0, 0.0, 0.0))
    else:
        let_walk(leg, body, foot, foothold, target)


class LeadFeet(esper.Processor):
    """Move feet that are led, and swing poles round to their targets."""

    def process(self, dt: float) -> None:
        """Lead the legs of all herds."""
        props = find_props()
        records = props[1].records if props else NO_PROPS
        for entity, _, (_, legs, bodies, _, feet, footholds) in herds():
            targets = esper.component_for_entity(entity, LegTarget).records
            lead(legs, bodies, feet, footholds, targets, records, dt)
