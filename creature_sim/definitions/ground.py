"""The ground of a world: any one of all kinds."""

from typing import Annotated

from pydantic import Field

from creature_sim.definitions.relief import (
    CanyonDef,
    CratersDef,
    DunesDef,
    IslandsDef,
    PyramidDef,
    TerracesDef,
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

TerrainDef = Annotated[
    FlatDef
    | HillsDef
    | SlopeDef
    | RoughDef
    | WaveDef
    | DunesDef
    | CanyonDef
    | CratersDef
    | TerracesDef
    | IslandsDef
    | StairsDef
    | PyramidDef
    | StepsDef
    | ObstaclesDef
    | TiltedGridDef
    | SteppingStonesDef
    | GapDef
    | PitDef
    | RailsDef,
    Field(discriminator="kind"),
]
