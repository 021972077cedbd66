"""What the ground of a world is like: heights, slopes, roughness, and where one can walk."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from creature_sim.definitions import CreatureDef, WorldDef
from creature_sim.ground.rays import Physics
from creature_sim.locomotion.walls import STEEPEST
from creature_sim.maths import Floats
from creature_sim.maths.jit import kernel
from creature_sim.score.part import WHOLE, Part, part_of
from creature_sim.score.section import section
from creature_sim.score.starts import Start, View, starts_of, view_of
from creature_sim.terrain import HALF_SIZE, build_terrain, is_endless
from creature_sim.terrain.tiles.tiles import CELL
from creature_sim.terrain.tiles.tiling import TILE
from creature_sim.terrain.traits import walls_of

SPACING = 0.125
"""Distance between neighbouring samples of a whole ground [m]."""
SAMPLES = round(2.0 * HALF_SIZE / SPACING)
"""Along each side, also of a part."""
SLOPES = (0, 5, 10, 15, 20, 30, 45, 60, 90)
"""Edges of the classes of the slope histogram [degrees]."""
CLIMB = 0.3
"""Largest step that is climbed, up or down, over the reach of the shortest leg.

On the stairs of `creature-sim trial`, a hexapod succeeds in half of its runs at 0.32 of its reach.
"""
STRIDE = 0.5
"""Widest ditch that is stepped over, over the reach of the shortest leg."""
_AROUND = 1.0  # rays begin and end this far beyond the ground [m]


@dataclass(frozen=True)
class Walkable:
    """The ground that a creature can walk on.

    Attributes:
        climb: highest step that it climbs [m].
        stride: widest ditch that it steps over [m].
        is_footing: (N, N) whether feet accept the slope.
        is_reached: (N, N) whether the creature gets there from a start, step by step.
    """

    climb: float
    stride: float
    is_footing: NDArray[np.bool_]
    is_reached: NDArray[np.bool_]


@dataclass(frozen=True)
class Survey:
    """The ground of a world, sampled on a grid, from above or from below.

    Attributes:
        world: whose ground it is.
        centre: x, y of the middle of what is sampled [m]: of endless ground the part around the
            first creature, of a level floor that of all that stands on it.
        side: of the square that is sampled [m].
        offsets: (N,) of the samples from the centre, along X and along Y alike [m].
        heights: (N, N) [m]; NaN where there is no ground, or a wall below a roof; from below inf
            where nothing hangs.
        normals: (N, N, 3) of the ground.
        lowest: of all ground, also between samples [m].
        highest: of all ground [m].
        creatures: where they start.
        view: from where it is looked at. Below a roof ground is cut off, so that where there is no
            height is a wall. Who starts below a ceiling, upside down, is shown that from below.
    """

    world: WorldDef
    centre: tuple[float, float]
    side: float
    offsets: Floats
    heights: Floats
    normals: Floats
    lowest: float
    highest: float
    creatures: list[Start]
    view: View

    @property
    def side_seen(self) -> float:
        """1.0 where ground is seen from above, -1.0 from below."""
        return -1.0 if self.view.from_below else 1.0

    @property
    def spacing(self) -> float:
        """Distance between neighbouring samples [m]."""
        return self.side / len(self.offsets)

    @property
    def is_whole(self) -> bool:
        """Whether all ground is sampled, or of endless ground as much as there would be."""
        return self.side == 2.0 * HALF_SIZE

    @cached_property
    def slopes(self) -> Floats:
        """Angle between the ground and level, (N, N) [degrees]; NaN where there is none."""
        slopes = np.degrees(np.arccos(np.clip(self.side_seen * self.normals[..., 2], -1.0, 1.0)))
        return np.where(np.isfinite(self.heights), slopes, np.nan)

    @cached_property
    def walls(self) -> tuple[float, float] | None:
        """How far the walls around the first start are along X and Y [m]; None without them."""
        walls = walls_of(self.world.terrain)
        x, y = self.starts[0]
        return walls if abs(x) < walls[0] < inf and abs(y) < walls[1] < inf else None

    @cached_property
    def is_counted(self) -> NDArray[np.bool_]:
        """Whether samples (N, N) are between the walls around the first start; without them all."""
        x, y = self.walls or (inf, inf)
        is_between = abs(self.centre[0] + self.offsets) < x
        return is_between[:, None] & (abs(self.centre[1] + self.offsets) < y)

    @cached_property
    def histogram(self) -> list[float]:
        """Fraction of the ground counted in each class of SLOPES; vertical faces have none."""
        slopes = self.slopes[self.is_counted & np.isfinite(self.slopes)]
        counts, _ = np.histogram(slopes, SLOPES)
        return [float(count) / max(slopes.size, 1) for count in counts]

    @cached_property
    def roughness(self) -> float:
        """RMS of heights about the plane that best fits each square metre [m]."""
        square = min(round(1.0 / self.spacing), len(self.offsets))  # samples along a metre
        count = len(self.offsets) // square
        heights = np.where(self.is_counted & np.isfinite(self.heights), self.heights, np.nan)
        squares = heights[: count * square, : count * square]
        squares = squares.reshape(count, square, count, square).swapaxes(1, 2)
        step = np.arange(square) - 0.5 * (square - 1)
        weight = square * float((step * step).sum())
        along = (squares * step[:, None]).sum(axis=(2, 3), keepdims=True) / weight
        across = (squares * step).sum(axis=(2, 3), keepdims=True) / weight
        plane = squares.mean(axis=(2, 3), keepdims=True) + along * step[:, None] + across * step
        rest = (squares - plane) ** 2
        return float(np.sqrt(rest[np.isfinite(rest)].mean())) if np.isfinite(rest).any() else 0.0

    def walkable(self, creature: CreatureDef) -> Walkable:
        """The ground that a creature can walk on from the starts of the world's creatures."""
        reach = min(leg.reach for leg in creature.all_legs)
        climb, stride = CLIMB * reach, STRIDE * reach
        # Who hangs walks on a ceiling as on the mirror image of it.
        heights, upward = self.side_seen * self.heights, self.side_seen * self.normals[..., 2]
        is_footing = (upward >= STEEPEST) & np.isfinite(heights)
        # Rise of even ground from a sample to the next one along X and Y.
        z = np.maximum(upward[..., None], STEEPEST)
        rise = np.where(is_footing[..., None], -self.normals[..., :2] / z, 0.0) * self.spacing
        is_reached = np.zeros(is_footing.shape, dtype=np.bool_)
        cells = np.array([self.cell_of(start) for start in self.starts], dtype=np.int64)
        _flood(
            np.nan_to_num(heights, nan=-1e9 if np.isposinf(self.view.cut) else 1e9, neginf=-1e9),
            rise,
            is_footing,
            is_reached,
            cells.reshape(-1, 2),
            climb,
            int(stride / self.spacing) + 1,  # from sample to sample beyond its edges
        )
        return Walkable(climb, stride, is_footing, is_reached)

    @property
    def starts(self) -> list[tuple[float, float]]:
        """Where creatures start, x, y [m]; the origin where there are none."""
        return [start.point[:2] for start in self.creatures] or [(0.0, 0.0)]

    def cell_of(self, point: tuple[float, float]) -> tuple[int, int]:
        """Indices of the sample nearest to x, y [m]."""
        last = len(self.offsets) - 1
        i, j = (
            round((value - middle - float(self.offsets[0])) / self.spacing)
            for value, middle in zip(point, self.centre, strict=True)
        )
        return min(max(i, 0), last), min(max(j, 0), last)

    def document(self, creature: CreatureDef | None) -> dict[str, Any]:
        """The whole survey in plain numbers, for JSON; with a creature also what it can walk on."""
        middle = self.centre if is_endless(self.world.terrain) else (0.0, 0.0)
        part = _square(self.centre, self.side)
        if self.walls:
            part = {axis: [-far, far] for axis, far in zip("xy", self.walls, strict=True)}
        found: dict[str, Any] = {
            "world": self.world.name,
            "kind": self.world.terrain.kind,
            "seed": self.world.seed,
            "extent": {
                **_square(middle, 2.0 * HALF_SIZE),
                "z": [self.lowest, self.highest],
            },
            "part": part,
            "endless": is_endless(self.world.terrain),
            "from_below": self.view.from_below,
            "slopes": [
                {"from": low, "to": high, "share": share}
                for low, high, share in zip(SLOPES[:-1], SLOPES[1:], self.histogram, strict=True)
            ],
            "roughness": self.roughness,
        }
        if creature:
            ground = self.walkable(creature)
            found["creature"] = {
                "name": creature.name,
                "climb": ground.climb,
                "stride": ground.stride,
                "footing": float(ground.is_footing[self.is_counted].mean()),
                "walkable": float(ground.is_reached[self.is_counted].mean()),
            }
        return found


def _square(centre: tuple[float, float], side: float) -> dict[str, list[float]]:
    """Where a square begins and ends along X and Y [m]."""
    return {
        axis: [middle - 0.5 * side, middle + 0.5 * side]
        for axis, middle in zip("xy", centre, strict=True)
    }


def survey(world: WorldDef) -> Survey:
    """Build the ground of a world and sample it with rays from above.

    Of a level floor only the part is sampled on which something stands, closer together.
    Below a roof over the first start, what is higher than half-way up to it is left out. If that
    start hangs below ground, this is sampled from below, without what is lower than half-way down.
    """
    terrain = build_terrain(world.terrain, world.seed)
    part, tiles = WHOLE, terrain.tiles
    if terrain.chunks is None:
        part = part_of(world, terrain)
    elif world.creatures:
        x, y = (TILE * round(position / TILE) for position in world.creatures[0].position)
        part, corner = Part((x, y), 2.0 * HALF_SIZE), np.array((x, y)) - HALF_SIZE
        tiles = tuple(terrain.chunks.between(corner, corner + 2.0 * HALF_SIZE - CELL))
    centre, side = part
    tops = [tile.mesh()[0][:, 2] for tile in tiles]
    lowest, highest = (float(min(map(np.min, tops))), float(max(map(np.max, tops))))
    offsets: Floats = (np.arange(SAMPLES, dtype=np.float64) + 0.5) * (side / SAMPLES) - 0.5 * side
    heights, normals = np.empty((SAMPLES, SAMPLES)), np.empty((SAMPLES, SAMPLES, 3))
    with Physics(terrain) as physics:
        starts = starts_of(world, physics)
        view = view_of(world, starts, physics)
        if view.from_below or np.isfinite(view.cut):
            seen = section(terrain, centre, offsets, view.cut, from_below=view.from_below)
        else:
            begin, length = highest + _AROUND, highest - lowest + 2.0 * _AROUND
            seen = heights, normals
            for row, ends in zip(range(SAMPLES), _rows(offsets, centre, begin), strict=True):
                fractions, normals[row] = physics.cast(ends, ends - np.array([0.0, 0.0, length]))
                heights[row] = np.where(fractions < 1.0, begin - length * fractions, np.nan)
    return Survey(world, *part, offsets, *seen, lowest, highest, starts, view)


def _rows(offsets: Floats, centre: tuple[float, float], height: float) -> Iterator[Floats]:
    """Samples (N, 3) [m] at one height, row by row along X."""
    for x in centre[0] + offsets:
        y = centre[1] + offsets
        yield np.stack((np.full(len(y), x), y, np.full(len(y), height)), axis=-1)


@kernel
def _flood(
    heights: Floats,
    rise: Floats,
    is_footing: NDArray[np.bool_],
    is_reached: NDArray[np.bool_],
    starts: NDArray[np.int64],
    climb: float,
    stride: int,
) -> None:
    """Mark all samples that are reached from the starts by steps along X and Y.

    Args:
        heights: (N, N) of the samples [m].
        rise: (N, N, 2) of even ground to the next sample along X and Y [m].
        is_footing: (N, N) whether feet can stand there.
        is_reached: (N, N) is set where samples are reached.
        starts: (S, 2) indices.
        climb: highest step, on top of the even rise [m].
        stride: longest step in samples; nothing on the path may stand out higher than `climb`.
    """
    count = heights.shape[0]
    stack = np.empty((count * count, 2), dtype=np.int64)
    size = 0
    for k in range(starts.shape[0]):
        i, j = starts[k]
        if is_footing[i, j] and not is_reached[i, j]:
            is_reached[i, j] = True
            stack[size] = starts[k]
            size += 1
    while size > 0:
        size -= 1
        i, j = stack[size]
        for direction in range(4):
            axis, sign = direction // 2, 1 - 2 * (direction % 2)
            for step in range(1, stride + 1):
                a = i + sign * step * (1 - axis)
                b = j + sign * step * axis
                if a < 0 or b < 0 or a >= count or b >= count:
                    break
                slope = 0.5 * (rise[i, j, axis] + rise[a, b, axis])
                step_up = heights[a, b] - heights[i, j] - sign * step * slope
                if step_up > climb:
                    break
                if is_footing[a, b] and step_up >= -climb and not is_reached[a, b]:
                    is_reached[a, b] = True
                    stack[size, 0] = a
                    stack[size, 1] = b
                    size += 1
