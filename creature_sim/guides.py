"""Guides: who climbs is led to a goal along floors, walls and ceilings, round edges and corners."""

from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from threading import Thread

import numpy as np

from creature_sim.definitions import WorldDef
from creature_sim.errors import CreatureSimError, DefinitionError
from creature_sim.ground.rays import Physics
from creature_sim.ground.routes import Field, Routes, is_in_rock
from creature_sim.ground.ways import straighten
from creature_sim.maths import Floats, Vec, atan2, clamp, sin_cos
from creature_sim.maths.geometry import lengths, rotation_matrices
from creature_sim.props.meshes import prop_mesh
from creature_sim.snapshots.snapshot import CreatureState
from creature_sim.terrain import Terrain, build_terrain

MARGIN = 5.0
"""Ways are looked for so far around a creature and its goal [m]."""
NEAR = 0.5
"""Goals are no farther from a surface than this, nor deeper in rock [m]."""
AHEAD = 2.0
"""It is led to a point of its way this many ride heights ahead."""
ON = 0.02
"""What is so little below a surface is on it [m]."""
LOST = 3.0
"""Who is farther from its way than so many ride heights needs another one."""
HINT = 0.1
"""Of two surfaces as near to a goal it goes to the one that faces as its own does."""
TINY = 1e-9
"""No line of a way is shorter, as a divisor [m]."""
FACES = 0.2
"""Points ahead count as long as their surfaces do not face away (the cosine)."""
OPPOSITE = 0.7
"""Not even the next one counts where its surface faces the body's back (the cosine)."""


@dataclass
class Way:
    """The way of a creature to a goal.

    Attributes:
        goal: where it leads [m, world].
        routes: the graph in which it was found.
        places: (K, 3) past which the body goes [m, world].
        normals: (K, 3) of what it walks on there.
        passed: how many of them it has passed.
    """

    goal: Vec
    routes: Routes
    places: Floats
    normals: Floats
    passed: int = 0


class Guide:
    """Leads the creatures of a world; it builds what it knows of the ground when first asked."""

    def __init__(self, world: WorldDef, terrain: Terrain | None = None) -> None:
        """Lead creatures of this world; its ground is built unless it is there already."""
        self._world = world
        self._given = terrain
        self._ways: dict[int, Way] = {}
        self._nowhere: dict[int, tuple[Vec, Floats]] = {}  # goals without a way, and from where
        self._fields: list[tuple[Routes, Vec, Field]] = []
        self._graphs: list[tuple[float, Floats, Floats, Routes]] = []
        self._making: Thread | None = None

    @cached_property
    def _terrain(self) -> Terrain:
        """The ground, and the props that stay."""
        ground = self._given or build_terrain(self._world.terrain, self._world.seed)
        still = [prop_mesh(prop) for prop in self._world.props if prop.motion == "static"]
        return replace(ground, tiles=(*ground.tiles, *still)) if still else ground

    def check(self, goal: Vec, name: str) -> None:
        """Refuse a goal [m, world] in rock or far from any surface.

        Raises:
            DefinitionError: it begins with `name`, that of the key or option that it is from.
        """
        low, high = np.array(goal) - NEAR, np.array(goal) + NEAR
        routes = Routes.over(self._terrain, 0.5 * NEAR, 0.0, low, high)
        place, gap = routes.nearest(np.array(goal))
        is_on = False
        if gap < NEAR:
            off = (np.array(goal) - routes.points[place]) @ routes.normals[place]
            is_on = bool(abs(off) < ON)
        found = f"{goal[0]:g},{goal[1]:g},{goal[2]:g}"
        without = f"'goto {goal[0]:g},{goal[1]:g}' finds the ground by itself"
        with Physics(self._terrain) as physics:
            within = is_in_rock(physics, np.array(goal))
        if within and not is_on:
            raise DefinitionError(
                f"{name}: expected 'goto X,Y,Z' on or above a surface, found {found} inside rock; "
                f"{without}"
            )
        if gap > NEAR:
            raise DefinitionError(
                f"{name}: expected 'goto X,Y,Z' within {NEAR:g} m of a surface, found {found} "
                f"farther away; {without}"
            )

    def prepare(self, creature: CreatureState, goal: Vec) -> None:
        """Begin to make what `lead` has to know of the ground, in the background.

        It changes no way: `lead` would make the same, and waits until this is done.
        """
        before = self._making

        def make() -> None:
            if before is not None:
                before.join()
            with suppress(CreatureSimError):  # `lead` meets it, too
                self._routes(creature, np.array(goal))

        self._making = Thread(target=make, daemon=True)
        self._making.start()

    @property
    def is_preparing(self) -> bool:
        """Whether `lead` would have to wait."""
        return self._making is not None and self._making.is_alive()

    def lead(self, creature: CreatureState, goal: Vec) -> tuple[float, float, float] | None:
        """Forward, turn and how far the goal is [m]; None: no way leads there."""
        position, turn = creature.position, rotation_matrices(creature.orientation)
        height = float(creature.plan.body[0]["ride_height"])
        way = self._ways.get(creature.number)
        if way is None or way.goal != goal or self._is_lost(way, position, turn[:, 2], height):
            known, there = self._nowhere.get(creature.number, (None, position))
            if known == goal and lengths((position - there)[None])[0] < height:
                return None
            way = self._plan(creature, goal)
            if way is None:
                self._nowhere[creature.number] = goal, position
                return None
            self._nowhere.pop(creature.number, None)
            self._ways[creature.number] = way
        point, normal, step, left = _ahead(way, position, turn[:, 2], height)
        direction = _unfolded(point - position, normal, step, turn[:, 2])
        sine, cosine = sin_cos(creature.definition.motion.heading)
        x, y, _ = (turn.T @ direction).tolist()
        error = atan2(cosine * y - sine * x, cosine * x + sine * y)
        forward = clamp(1.0 - abs(error), 0.0, 1.0) * clamp(2.0 * left, 0.2, 1.0)
        return forward, clamp(2.0 * error, -1.0, 1.0), left

    @property
    def lost(self) -> Collection[int]:
        """Numbers of the creatures for which no way was found when they were last led."""
        return self._nowhere.keys()

    def finds_none(self, number: int, goal: Vec) -> bool:
        """Whether no way was found when a creature, by its number, was last led to a goal."""
        known, _ = self._nowhere.get(number, (None, None))
        return known == goal

    def _is_lost(self, way: Way, position: Floats, up: Floats, height: float) -> bool:
        """Whether a body is too far from its way; notes what it has passed of it.

        On the floor below a table it has not passed what leads along the underside, however near.
        """
        part = slice(way.passed, way.passed + 1 + round(2.0 * AHEAD))
        gaps = lengths(way.places[part] - position)
        way.passed += int((gaps + height * (1.0 - way.normals[part] @ up)).argmin())
        return bool(gaps.min() > LOST * height + lengths(way.places[1:2] - way.places[:1]).sum())

    def _plan(self, creature: CreatureState, goal: Vec) -> Way | None:
        """The shortest way of a creature; None: there is none."""
        start, end = creature.position, np.array(goal)
        up = rotation_matrices(creature.orientation)[:, 2]
        height = float(creature.plan.body[0]["ride_height"])
        if self._making is not None:
            self._making.join()
        routes = self._routes(creature, end)
        last, gap = routes.nearest(end, HINT * up)
        first, _ = routes.nearest(start, up)
        if first < 0 or gap > NEAR + height:
            return None
        field = self._field(routes, goal, last)
        if not np.isfinite(field.distances[first]):
            return None
        nodes = [first]
        while (following := int(field.nexts[nodes[-1]])) >= 0:
            nodes.append(following)
        places, normals = routes.places[nodes], routes.normals[nodes]
        lift = end + normals[-1] * (height - (end - routes.points[last]) @ normals[-1])
        places[0], places[-1] = start, lift
        straighten(routes, field, places, normals)
        return Way(goal, routes, places, normals)

    def _routes(self, creature: CreatureState, end: Floats) -> Routes:
        """A graph of the surfaces around a creature and a point: one that there is, or another."""
        start, near = creature.position, 0.5 * MARGIN
        height = float(creature.plan.body[0]["ride_height"])
        for tall, low, high, routes in self._graphs:
            inside = np.minimum(start, end) - near >= low
            if tall == height and inside.all() and (np.maximum(start, end) + near <= high).all():
                return routes
        low, high = np.minimum(start, end) - MARGIN, np.maximum(start, end) + MARGIN
        width = float(creature.definition.body.size[1])
        routes = Routes.over(self._terrain, height, width, low, high)
        self._graphs = [*self._graphs[-3:], (height, low, high, routes)]
        return routes

    def _field(self, routes: Routes, goal: Vec, last: int) -> Field:
        """Ways to a goal: several creatures share them."""
        for known, there, field in self._fields:
            if known is routes and there == goal:
                return field
        found = routes.field(last)
        self._fields = [*self._fields[-7:], (routes, goal, found)]
        return found


def _ahead(
    way: Way, position: Floats, up: Floats, height: float
) -> tuple[Floats, Floats, Floats, float]:
    """The point of a way that a body [m, world] is led to, and what it is like there.

    Returns:
        The point [m, world], the normal of its surface, the unit direction of the way there, and
        how long the rest of the way is [m].
    """
    places, normals = way.places[way.passed :], way.normals[way.passed :]
    to_next = float(lengths(places[:1] - position)[0])
    if len(places) == 1:
        return places[0], normals[0], (places[0] - position) / max(to_next, TINY), to_next
    lines = np.diff(places, axis=0)
    sizes = np.maximum(lengths(lines), TINY)
    done = (position - places[0]) @ lines[0] / sizes[0]
    goal, k = clamp(done, 0.0, sizes[0]) + AHEAD * height, 0
    while k + 2 < len(places) and goal > sizes[k] and normals[k + 2] @ up >= -FACES:
        goal -= sizes[k]
        k += 1
    # Below a table it goes on to the leg first, not along the underside above its back.
    fraction = min(goal / sizes[k], 1.0) if normals[k + 1] @ up >= -OPPOSITE else 0.0
    normal = normals[k + 1] if fraction > 0.5 else normals[k]
    return places[k] + fraction * lines[k], normal, lines[k] / sizes[k], to_next + sizes.sum()


def _unfolded(path: Floats, normal: Floats, step: Floats, up: Floats) -> Floats:
    """Direction of a path along the body's own plane, as if the ground were unfolded.

    What of it leads out of that plane goes on along the way there, on the surface turned level.

    Args:
        path: from the body to a point of its way [m, world].
        normal: of the surface there.
        step: unit direction of the way there.
        up: of the body.
    """
    far = max(float(np.sqrt(path @ path)), TINY)
    off = float(path @ up)
    found: Floats = (path - off * up) / far + abs(off) / far * _turned(step, normal, up)
    return found


def _turned(vector: Floats, normal: Floats, up: Floats) -> Floats:
    """A vector on a surface with a normal, after the shortest turn of that to `up` (Rodrigues)."""
    axis, cosine = np.cross(normal, up), float(normal @ up)
    if cosine < -0.99:
        return vector
    along = axis * (axis @ vector) / (1.0 + cosine)
    found: Floats = vector * cosine + np.cross(axis, vector) + along
    return found
