"""What users write: validated, frozen models of creatures, terrains, worlds and drives."""

from creature_sim.definitions.base import explain
from creature_sim.definitions.chain import BallDef, ChainDef, ElbowDef, HingeDef, LimitDef
from creature_sim.definitions.creature import (
    CreatureDef,
    FasterDef,
    GaitDef,
    LegDef,
    PhaseGaitDef,
    ReactiveGaitDef,
)
from creature_sim.definitions.drive import Drive, Goto, Timeline, Wander, parse_drive
from creature_sim.definitions.ground import TerrainDef
from creature_sim.definitions.relief import (
    CanyonDef,
    CratersDef,
    DunesDef,
    IslandsDef,
    PyramidDef,
    TerracesDef,
)
from creature_sim.definitions.target import (
    BodyTargetDef,
    CommandDef,
    MouseDef,
    SplineDef,
    TargetDef,
    TipTargetDef,
)
from creature_sim.definitions.terrain import (
    FlatDef,
    GapDef,
    HillsDef,
    ObstaclesDef,
    PitDef,
    RailsDef,
    RoughDef,
    SlopeDef,
    StairsDef,
    SteppingStonesDef,
    StepsDef,
    TiltedGridDef,
    WaveDef,
)
from creature_sim.definitions.tree import TreeDef
from creature_sim.definitions.world import PlacementDef, RigDef, WorldDef, targets_of

__all__ = [
    "BallDef",
    "BodyTargetDef",
    "CanyonDef",
    "ChainDef",
    "CommandDef",
    "CratersDef",
    "CreatureDef",
    "Drive",
    "DunesDef",
    "ElbowDef",
    "FasterDef",
    "FlatDef",
    "GaitDef",
    "GapDef",
    "Goto",
    "HillsDef",
    "HingeDef",
    "IslandsDef",
    "LegDef",
    "LimitDef",
    "MouseDef",
    "ObstaclesDef",
    "PhaseGaitDef",
    "PitDef",
    "PlacementDef",
    "PyramidDef",
    "RailsDef",
    "ReactiveGaitDef",
    "RigDef",
    "RoughDef",
    "SlopeDef",
    "SplineDef",
    "StairsDef",
    "SteppingStonesDef",
    "StepsDef",
    "TargetDef",
    "TerracesDef",
    "TerrainDef",
    "TiltedGridDef",
    "Timeline",
    "TipTargetDef",
    "TreeDef",
    "Wander",
    "WaveDef",
    "WorldDef",
    "explain",
    "parse_drive",
    "targets_of",
]
