"""Round pillars on level ground."""

from collections.abc import Iterator
from typing import Literal

import numpy as np
from pydantic import Field, model_validator

from creature_sim.files.definition import Positive
from creature_sim.maths import TAU, Floats, sin_cos
from creature_sim.terrain.ground import Boundless, GroundDef
from creature_sim.terrain.kind import Challenge, TerrainKind
from creature_sim.terrain.patterns.cells import cells_between
from creature_sim.terrain.patterns.rows import cuts_between
from creature_sim.terrain.patterns.solids import floor
from creature_sim.terrain.tiles.blocks import block_mesh
from creature_sim.terrain.tiles.tiles import MeshTile, Tile, join, quad_mesh
from creature_sim.terrain.tiles.tiling import HALF_SIZE, Stretch

SIDES = 48
"""Sides of the prism that a round pillar is."""
EXAMPLE = """\
kind = "pillar"
radius = 0.4
height = 2.0
spacing = 3.0                 # from axis to axis; the start is in the middle of four"""


class PillarDef(Boundless):
    """Round pillars on level ground; the origin is in the middle of four."""

    kind: Literal["pillar"]
    radius: Positive = Field(ge=0.02, le=10.0, description="[m]")
    height: Positive = Field(le=30.0, description="[m]")
    spacing: Positive = Field(ge=1.5, le=32.0, description="from axis to axis [m]")

    @model_validator(mode="after")
    def _pillars_fit(self) -> "PillarDef":
        if 2.0 * self.radius >= self.spacing:
            raise ValueError(
                f"radius: expected less than half the spacing, {0.5 * self.spacing:g} m, found "
                f"{self.radius:g}"
            )
        return self


def tiles(definition: PillarDef, _seed: int) -> Iterator[Tile]:
    """A grid of prisms of many sides, those that would reach over the border left out."""
    yield from floor(0.0)
    count = int((HALF_SIZE - definition.radius) / definition.spacing + 0.5)
    axes: Floats = (np.arange(-count, count, dtype=np.float64) + 0.5) * definition.spacing
    for x in axes.tolist():
        yield join(_prisms(definition, np.array([x]), axes))


def between(definition: PillarDef, _seed: int, x: Stretch, y: Stretch) -> MeshTile:
    """Prisms that meet two stretches, whole, and the floor."""
    cuts_x, cuts_y = cuts_between(*x), cuts_between(*y)
    level = np.zeros((len(cuts_x) - 1, len(cuts_y) - 1))
    floor = block_mesh(cuts_x, cuts_y, level, slice(None), slice(None))
    axes = []
    for low, high in (x, y):
        _, numbers = cells_between(
            low - definition.radius, high + definition.radius, definition.spacing
        )
        axes.append((numbers.astype(np.float64) + 0.5) * definition.spacing)
    return join([floor, *_prisms(definition, *axes)])


def _prisms(definition: PillarDef, x: Floats, y: Floats) -> list[MeshTile]:
    """Pillars around all of x (X,) and y (Y,) [m]."""
    prism = _prism(definition)
    return [
        MeshTile(prism.vertices + np.array([a, b, 0.0]), prism.triangles)
        for a in x.tolist()
        for b in y.tolist()
    ]


def _prism(definition: PillarDef) -> MeshTile:
    """A pillar at the origin: its sides, and a fan on top."""
    turns = [sin_cos(TAU * i / SIDES) for i in range(SIDES)]
    rim = [(definition.radius * c, definition.radius * s) for s, c in turns]
    around = list(zip(rim, [*rim[1:], rim[0]], strict=True))
    top = definition.height
    sides = quad_mesh(np.array([[(*a, 0.0), (*b, 0.0), (*b, top), (*a, top)] for a, b in around]))
    fan = np.array([[(0.0, 0.0, top), (*a, top), (*b, top)] for a, b in around]).reshape(-1, 3)
    return join([sides, MeshTile(fan, np.arange(len(fan), dtype=np.int32).reshape(-1, 3))])


def trial(challenge: Challenge) -> GroundDef:
    """Pillars 0.4 m thick and 1 m high, 3.2 - 1.6 d from axis to axis; the path lies between."""
    spacing = max(1.5, (3.2 - 1.6 * challenge.d) * challenge.scale)
    return PillarDef(
        kind="pillar", radius=0.2 * challenge.scale, height=challenge.scale, spacing=spacing
    )


KIND = TerrainKind(PillarDef, tiles=tiles, between=between, example=EXAMPLE, trial=trial)
