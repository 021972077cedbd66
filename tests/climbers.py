"""Creatures that climb, in a room with four walls and a ceiling."""

from typing import Any

from creature_sim.components import (
    BodyRecord,
    FootholdRecord,
    FootRecord,
    GaitRecord,
    GravityRecord,
    zeros,
)
from creature_sim.definitions import CreatureDef, PlacementDef, WorldDef
from creature_sim.inputs import Event, Input
from creature_sim.library.loader import load_creature
from creature_sim.locomotion.creature import Creature
from creature_sim.maths import Vec, Z, quat, rotate
from creature_sim.simulation import Simulation
from creature_sim.snapshots.snapshot import CreatureState

CEILING = (0.0, 0.0, -1.0)
WALL = (1.0, 0.0, 0.0)
STILL = Input.of([()])


def climber(name: str, **climb: Any) -> CreatureDef:
    """A built-in creature whose feet hold so."""
    table = load_creature(name).model_dump()
    return CreatureDef.model_validate({**table, "climb": climb})


def in_room(creature: CreatureDef, ceiling: float = 2.4, **placement: Any) -> WorldDef:
    """A room, its ceiling so high [m], with one creature that stands still."""
    room = {"kind": "room", "length": 8.0, "width": 6.0, "height": ceiling}
    return WorldDef.model_validate(
        {
            "name": "room",
            "driver": "stop 1",
            "terrain": room,
            "creatures": [PlacementDef(creature=creature.name, **placement)],
            "species": {creature.name: creature},
        }
    )


def up_of(creature: CreatureState) -> Vec:
    """Where a body faces [world]."""
    return rotate(quat(creature.orientation), Z)


def go(simulation: Simulation, seconds: float, *events: Event) -> list[CreatureState]:
    """The first creature, tick by tick, while nobody drives it but these events at first."""
    found = []
    for tick in range(round(seconds * simulation.world.tick_rate)):
        simulation.step(Input.of([()], events) if events and not tick else STILL)
        found.append(simulation.snapshot.creatures[0])
    return found


def standing(name: str = "hexapod") -> tuple[Creature, GravityRecord]:
    """A creature that climbs and stands on a floor, to be changed; and its field of gravity."""
    with Simulation(in_room(load_creature(name).climbing)) as simulation:
        state = go(simulation, 0.5)[-1]
    gravity = zeros(GravityRecord, 1)[0]
    gravity.acceleration = 9.81
    return changeable(state), gravity


def changeable(state: CreatureState) -> Creature:
    """A creature as kernels see it, to be changed."""
    trunk, feet = zeros(BodyRecord, len(state.segments)), zeros(FootRecord, len(state.feet))
    footholds = zeros(FootholdRecord, len(state.feet))
    trunk[:], feet[:], footholds[:] = state.segments, state.feet, state.footholds
    gaits = zeros(GaitRecord, 1)
    gaits[0] = state.gait
    plan = state.plan
    return Creature(plan.body[0], plan.legs, trunk, gaits[0], feet, footholds)
