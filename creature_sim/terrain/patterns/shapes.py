"""Solids that users write: boxes, posts and pipes, alone or in rows, turned in any way."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Annotated, Literal

import numpy as np
from pydantic import Field, model_validator

from creature_sim.files.definition import Angle, Definition, NotNegative, Number
from creature_sim.files.problems import shown
from creature_sim.maths import TAU, Vec, X, Y, Z, rotate, sin_cos
from creature_sim.maths.turns import quat_of_turns
from creature_sim.terrain.ground import FARTHEST_EDGE
from creature_sim.terrain.patterns.solids import box, cuts, floor
from creature_sim.terrain.tiles.pieces import pieces
from creature_sim.terrain.tiles.tiles import MeshTile, Tile, join, quad_mesh
from creature_sim.terrain.tiles.tiling import MAX_HEIGHT

MAX_QUADS = 120_000
"""Quadrangles of all solids of a ground."""

Length = Annotated[float, Field(strict=True, allow_inf_nan=False, ge=0.002, le=62.0)]
Place = tuple[Number, Number, Number]


class SolidDef(Definition):
    """A box or a cylinder, or a row of equal ones; a cylinder with a bore is a pipe."""

    shape: Literal["box", "cylinder"] = Field(description="the axis of a cylinder is its own Z")
    size: tuple[Length, Length, Length] | None = Field(
        None, description="of a box along its own X, Y and Z [m]"
    )
    radius: Length | None = Field(None, description="of a cylinder [m]")
    length: Length | None = Field(None, description="of a cylinder along its axis [m]")
    bore: NotNegative = Field(0.0, description="radius of the hole along its axis [m]")
    sides: Annotated[int, Field(strict=True, ge=3, le=96)] = Field(
        48, description="of the prism that a round cylinder is"
    )
    position: Place = Field(description="of its middle [m, world]")
    rotation: tuple[Angle, Angle, Angle] = Field(
        (0.0, 0.0, 0.0), description="roll, pitch, yaw: about X, then Y, then Z [rad]"
    )
    count: Annotated[int, Field(strict=True, ge=1, le=1000)] = Field(
        1, description="how many of it stand in a row"
    )
    step: Place = Field((0.0, 0.0, 0.0), description="from one of the row to the next [m, world]")

    @model_validator(mode="after")
    def _is_whole(self) -> "SolidDef":
        """Refuse what a shape needs and has not, or has and does not need; and what is too far."""
        what = f"where shape is {self.shape!r}"
        is_box = self.shape == "box"
        needs = {"size": is_box, "radius": not is_box, "length": not is_box}
        problems = []
        for key, is_needed in needs.items():
            found = getattr(self, key)
            if is_needed and found is None:
                problems.append(f"{key}: expected one {what}, found none")
            if not is_needed and found is not None:
                problems.append(f"{key}: expected none {what}, found {shown(found)}")
        if self.bore and (is_box or self.bore >= (self.radius or 0.0)):
            problems.append(
                f"bore: expected none {what}, found {self.bore:g}"
                if is_box
                else f"bore: expected less than the radius, found {self.bore:g}"
            )
        problems += self._too_far() if not problems else []
        if problems:
            raise ValueError("\n".join(problems))
        return self

    def _too_far(self) -> list[str]:
        """What lies beyond the ground."""
        found = []
        for number in (0, self.count - 1):
            middle = [a + number * b for a, b in zip(self.position, self.step, strict=True)]
            away = max(abs(middle[0]), abs(middle[1]))
            if not away <= FARTHEST_EDGE or not abs(middle[2]) <= MAX_HEIGHT:
                found.append(
                    f"{'step' if number else 'position'}: expected solids whose middles lie within "
                    f"{FARTHEST_EDGE:g} m along X and Y, and {MAX_HEIGHT:g} m along Z, found "
                    f"{[round(value, 3) for value in middle]}"
                )
        return found

    @property
    def quad_count(self) -> int:
        """How many quadrangles it is made of; a triangle counts as one."""
        if self.size is not None:
            x, y, z = (len(cuts(0.0, side)) - 1 for side in self.size)
            return 2 * self.count * (x * y + y * z + z * x)
        assert self.radius is not None
        assert self.length is not None
        round_faces = (len(cuts(0.0, self.length)) - 1) * (2 if self.bore else 1)
        return self.count * self.sides * (round_faces + 2 * len(_rings(self.radius, self.bore)))


def check_solids(solids: Sequence[SolidDef]) -> None:
    """Refuse more than can be held."""
    total = 0
    for solid in solids:
        total += solid.quad_count
    if total > MAX_QUADS:
        raise ValueError(f"solids: expected at most {MAX_QUADS} quadrangles, found {total}")


def solid_mesh(solid: SolidDef) -> MeshTile:
    """Mesh of a solid, or of a row of them [m, world]."""
    if solid.size is not None:
        mesh = box_mesh(solid.size)
    else:
        assert solid.radius is not None
        assert solid.length is not None
        mesh = cylinder_mesh(solid.radius, solid.bore, solid.length, solid.sides)
    turn = quat_of_turns(solid.rotation)
    x, y, z = mesh.vertices.T
    axes = [np.array(rotate(turn, axis)) for axis in (X, Y, Z)]
    turned = x[:, None] * axes[0] + y[:, None] * axes[1] + z[:, None] * axes[2]
    position, step = np.array(solid.position), np.array(solid.step)
    return join(
        [
            MeshTile(turned + (position + number * step), mesh.triangles)
            for number in range(solid.count)
        ]
    )


def on_floor(meshes: Sequence[MeshTile]) -> Iterator[Tile]:
    """Meshes on level ground."""
    yield from floor(0.0)
    mesh = join(meshes)
    yield from pieces(mesh.vertices, mesh.triangles)


def _rings(radius: float, bore: float) -> list[tuple[float, float]]:
    """Inner and outer radius of each ring of a cylinder's end [m], from the axis on."""
    line = cuts(bore, radius)
    if not bore and len(line) > 2:  # there is no edge at the axis
        del line[1]
    return list(pairwise(line))


def box_mesh(size: Vec, position: Vec = (0.0, 0.0, 0.0)) -> MeshTile:
    """An upright box about a position [m]."""
    half = np.array(size) / 2.0
    x, y, z = (np.array(position) - half).tolist()
    a, b, c = (np.array(position) + half).tolist()
    return box((x, y, z), (a, b, c))


def cylinder_mesh(radius: float, bore: float, length: float, sides: int) -> MeshTile:
    """A prism about the Z axis [m], with a hole along it if `bore` is not 0."""
    turns = [sin_cos(TAU * i / sides) for i in range(sides)]
    line = cuts(-0.5 * length, 0.5 * length)
    low, high = line[0], line[-1]
    quads: list[list[tuple[float, float, float]]] = []
    fans: list[list[tuple[float, float, float]]] = []
    for (s, c), (t, d) in zip(turns, [*turns[1:], turns[0]], strict=True):
        for bottom, top in pairwise(line):
            for r in (radius, bore):
                if r == 0.0:
                    continue
                a, b = (r * c, r * s), (r * d, r * t)
                a, b = (a, b) if r == radius else (b, a)
                quads.append([(*a, bottom), (*b, bottom), (*b, top), (*a, top)])
        for inner, outer in _rings(radius, bore):
            a, b = (outer * c, outer * s), (outer * d, outer * t)
            e, f = (inner * d, inner * t), (inner * c, inner * s)
            if inner:
                quads.append([(*a, high), (*b, high), (*e, high), (*f, high)])
                quads.append([(*b, low), (*a, low), (*f, low), (*e, low)])
            else:
                fans.append([(0.0, 0.0, high), (*a, high), (*b, high)])
                fans.append([(0.0, 0.0, low), (*b, low), (*a, low)])
    meshes = [quad_mesh(np.array(quads))]
    if fans:
        corners = np.array(fans).reshape(-1, 3)
        meshes.append(MeshTile(corners, np.arange(len(corners), dtype=np.int32).reshape(-1, 3)))
    return join(meshes)
