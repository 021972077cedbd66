"""What users write: validated, frozen models of creatures, terrains, worlds and drives."""

from creature_sim.definitions.base import explain
from creature_sim.definitions.creature import (
    CreatureDef,
    GaitDef,
    LegDef,
    PhaseGaitDef,
    ReactiveGaitDef,
)
from creature_sim.definitions.drive import Drive, Goto, Timeline, Wander, parse_drive
from creature_sim.definitions.terrain import (
    FlatDef,
    HillsDef,
    SlopeDef,
    StairsDef,
    StepsDef,
    TerrainDef,
)
from creature_sim.definitions.world import PlacementDef, WorldDef

__all__ = [
    "CreatureDef",
    "Drive",
    "FlatDef",
    "GaitDef",
    "Goto",
    "HillsDef",
    "LegDef",
    "PhaseGaitDef",
    "PlacementDef",
    "ReactiveGaitDef",
    "SlopeDef",
    "StairsDef",
    "StepsDef",
    "TerrainDef",
    "Timeline",
    "Wander",
    "WorldDef",
    "explain",
    "parse_drive",
]
