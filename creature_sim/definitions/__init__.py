"""What users write: validated, frozen models of creatures, terrains, worlds and drives."""

from creature_sim.definitions.chain import BallDef, ChainDef, ElbowDef, HingeDef, LimitDef
from creature_sim.definitions.creature import CreatureDef
from creature_sim.definitions.drive import Drive, Goto, Timeline, Wander, parse_drive
from creature_sim.definitions.gait import FasterDef, GaitDef, PhaseGaitDef, ReactiveGaitDef
from creature_sim.definitions.legs import LegDef
from creature_sim.definitions.placement import PlacementDef
from creature_sim.definitions.props import PropDef
from creature_sim.definitions.target import (
    BodyTargetDef,
    CommandDef,
    MouseDef,
    SplineDef,
    TargetDef,
    TipTargetDef,
)
from creature_sim.definitions.tree import TreeDef
from creature_sim.definitions.world import RigDef, WorldDef, targets_of
from creature_sim.files.definition import Definition, explain
from creature_sim.terrain import TerrainDef

__all__ = [
    "BallDef",
    "BodyTargetDef",
    "ChainDef",
    "CommandDef",
    "CreatureDef",
    "Definition",
    "Drive",
    "ElbowDef",
    "FasterDef",
    "GaitDef",
    "Goto",
    "HingeDef",
    "LegDef",
    "LimitDef",
    "MouseDef",
    "PhaseGaitDef",
    "PlacementDef",
    "PropDef",
    "ReactiveGaitDef",
    "RigDef",
    "SplineDef",
    "TargetDef",
    "TerrainDef",
    "Timeline",
    "TipTargetDef",
    "TreeDef",
    "Wander",
    "WorldDef",
    "explain",
    "parse_drive",
    "targets_of",
]
