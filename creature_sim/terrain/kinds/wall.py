"""Walls with gates."""

from typing import Literal

import numpy as np
from pydantic import Field, model_validator

from creature_sim.files.definition import NotNegative, Positive
from creature_sim.terrain.ground import Boundless, GroundDef, check_inside
from creature_sim.terrain.kind import Challenge, TerrainKind
from creature_sim.terrain.patterns.rows import BEYOND, Row
from creature_sim.terrain.tiles.tiling import Blocks, Stretch

EXAMPLE = """\
kind = "wall"
height = 2.0                  # of the wall before and the one behind the start
distance = 4.0                # from the start to them
thickness = 0.3
gate = 2.5                    # width of the opening in their middle"""


class WallDef(Boundless):
    """A wall before and one behind the origin, across X, with a gate in each."""

    kind: Literal["wall"]
    height: Positive = Field(le=30.0, description="[m]")
    distance: Positive = Field(
        ge=0.1, le=30.0, description="from the origin to their near faces, along X [m]"
    )
    thickness: Positive = Field(0.3, ge=0.05, le=10.0, description="[m]")
    gate: NotNegative = Field(
        0.0, le=40.0, description="width of the opening in the middle; 0 leaves none [m]"
    )

    @model_validator(mode="after")
    def _is_inside(self) -> "WallDef":
        found = f"{self.distance:g} m and {self.thickness:g} m of thickness"
        check_inside(self.distance + self.thickness, "distance", "walls that end", found)
        return self


def blocks(definition: WallDef, _seed: int, x: Stretch, y: Stretch) -> Blocks:
    """Two walls with gates."""
    near, far = definition.distance, definition.distance + definition.thickness
    edges_x, numbers_x = Row(np.array([near, far, BEYOND, 2.0 * BEYOND]), 1).between(*x)
    half = 0.5 * definition.gate
    gates = [half, BEYOND, 2.0 * BEYOND] if half else [BEYOND, 2.0 * BEYOND]
    edges_y, numbers_y = Row(np.array(gates), 1).between(*y)
    is_gate = (numbers_y == 0) & (half > 0.0)
    return edges_x, edges_y, np.where((numbers_x == 1)[:, None] & ~is_gate, definition.height, 0.0)


def trial(challenge: Challenge) -> GroundDef:
    """A wall 1 m high, 3 m ahead, with a gate 2.4 - 1.4 d wide."""
    return WallDef(
        kind="wall",
        height=challenge.scale,
        distance=max(3.0 * challenge.scale, challenge.clearing + challenge.scale),
        gate=(2.4 - 1.4 * challenge.d) * challenge.scale,
    )


KIND = TerrainKind(WallDef, blocks=blocks, example=EXAMPLE, trial=trial)
