"""Feet and knees go to where events want them."""

import esper
import numpy as np

from creature_sim.components import (
    IN_WORLD,
    ON_BODY,
    ON_PROP,
    SHIFTED,
    Body,
    Foothold,
    FootTarget,
    Gait,
    LegTarget,
    Motions,
    Plan,
)
from creature_sim.components.arrays import AllHerds, HerdArrays
from creature_sim.components.queries import find_props, gravity_here, ground_here
from creature_sim.inputs import FARTHEST_SHIFT, Event
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.lead import lead, let_walk, take
from creature_sim.locomotion.sight import RAYS, probe_sight
from creature_sim.locomotion.tasks import ask
from creature_sim.maths import Vec, put, put_quat, quat_unit, vec
from creature_sim.maths.jit import kernel, unchecked
from creature_sim.maths.tables import Table
from creature_sim.motions import NUMBERS, Motion
from creature_sim.props.rays import cast_props

KINDS = {"body": ON_BODY, "world": IN_WORLD, "prop": ON_PROP}


def lead_leg(event: Event, entity: int, row: int) -> None:
    """Do to legs of a creature what `set_foot`, `set_pole` or `shift_footholds` asks."""
    if event.kind == "shift_footholds":
        shift_footholds(event, entity, row)
        return
    i = event.leg
    assert i is not None
    target = esper.component_for_entity(entity, LegTarget).records[row, i]
    target.task = 0
    point = vec(np.array(event.point, np.float64)) if event.point else None
    if event.kind == "set_pole":
        target.pole_kind = KINDS[event.on] if point else 0
        target.pole_prop = event.prop or 0
        put(target.pole_point, point or (0.0, 0.0, 0.0))
        return
    plan = esper.component_for_entity(entity, Plan)
    body = esper.component_for_entity(entity, Body).records[row]
    gait = esper.component_for_entity(entity, Gait).records[row]
    feet = esper.component_for_entity(entity, FootTarget).records[row]
    footholds = esper.component_for_entity(entity, Foothold).records[row]
    if point:
        take(feet[i], footholds[i], target)
        put(target.point, point)
        wanted = event.rotation
        put_quat(target.rotation, quat_unit(wanted) if wanted else (0.0, 0.0, 0.0, 0.0))
    else:
        creature = Creature(plan.body[0], plan.legs, body, gait, feet, footholds)
        let_walk(creature, gravity_here()[0], target, i)


def shift_footholds(event: Event, entity: int, row: int) -> None:
    """Let the legs of a creature look for footholds beside where they would; no offset: as usual.

    Feet that are led, or come back from there, take none.
    """
    legs = esper.component_for_entity(entity, Plan).legs
    targets = esper.component_for_entity(entity, LegTarget).records[row]
    walks = (targets["is_led"] == 0) | (targets["is_led"] == SHIFTED)
    most = FARTHEST_SHIFT * legs["reach"][:, None]
    asked = np.zeros((len(legs), 2)) if event.offsets is None else np.array(event.offsets)
    offsets = np.clip(asked.reshape(-1, 2), -most, most)
    is_shifted = offsets.any(axis=1)
    changed = walks & (is_shifted | (targets["is_led"] == SHIFTED))
    targets["point"][changed, :2], targets["point"][changed, 2] = offsets[changed], 0.0
    targets["is_led"][changed] = np.where(is_shifted, SHIFTED, 0)[changed]


def ask_leg(event: Event, motion: Motion, entity: int, row: int) -> None:
    """Ask the leg that an event of a motion names for what it is to do."""
    assert event.leg is not None
    targets = esper.component_for_entity(entity, LegTarget).records[row]
    asked = esper.component_for_entity(entity, Motions).records[row, NUMBERS[motion.name]]
    other = -1 if event.other is None else event.other
    asked.refusal = ask(targets[event.leg], motion.task, vec(asked.point), other)
    asked.is_asked = 0


def is_hidden(creature: Creature, point: Vec) -> bool:
    """Whether a point is below ground, or behind what keeps its place as legs touch it."""
    starts, ends = np.empty((RAYS, 3)), np.empty((RAYS, 3))
    probe_sight(creature, gravity_here()[0], point, starts, ends)
    fractions, normals = ground_here().physics.cast(starts, ends)
    found = find_props()
    if found:
        solids, props = found
        which = ~solids.is_dynamic
        cast_props(
            solids.records[which], solids.planes[which], props.records[which],
            starts, ends, fractions, normals, np.zeros(RAYS, np.int64),
        )  # fmt: skip
    straight, above, down = (fractions == 1.0).tolist()
    return not (straight or (above and down))


@unchecked
@kernel
def _lead(herds: Table[HerdArrays], dt: float) -> None:
    for k in range(len(herds)):
        herd = herds[k]
        lead(*herd.walkers, herd.targets, herd.props, herd.solids, dt)


class LeadFeet(esper.Processor):
    """Move feet that are led, and swing poles round to their targets."""

    def process(self, dt: float) -> None:
        """Lead the legs of all herds."""
        for _, herds in esper.get_component(AllHerds):
            _lead(herds, dt)
