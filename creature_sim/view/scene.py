"""Draws a world at a moment: shadows, marks, creatures, chains and props, ground, sky, dust."""

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
from pyglet import gl

from creature_sim.definitions import WorldDef
from creature_sim.figures.camera import Camera, look_at, perspective
from creature_sim.figures.creatures import Figures
from creature_sim.figures.detail import levels_of, rectangle, visible
from creature_sim.figures.insight import Insight
from creature_sim.figures.overlay import Layer, overlay, way_mark
from creature_sim.figures.palette import EDGED, ROLLING, SKY_BLUE
from creature_sim.figures.props import PropFigures, prop_shapes
from creature_sim.figures.shapes import DISTANT, LEVELS, hull, limb, sphere, square
from creature_sim.figures.solids import NO_ROWS, Rows, Solids, rgb
from creature_sim.figures.sun import reached
from creature_sim.figures.surroundings import Surroundings
from creature_sim.figures.trail import Trail
from creature_sim.maths import Floats, Vec
from creature_sim.snapshots.poses import Pose
from creature_sim.terrain import HALF_SIZE, Terrain
from creature_sim.terrain.traits import planet_of
from creature_sim.view.gl.marks import MarkMap, corners_of
from creature_sim.view.gl.mesh import Mesh
from creature_sim.view.gl.shaders import Programs, columns
from creature_sim.view.gl.shadows import Shadows
from creature_sim.view.shows.show import Ghost

DUST = "#cfc4ad"
GHOST_OPACITY = 0.4
FADE = 7.0
"""The ground fades into the horizon this far before its border [m]."""
MARGIN = 0.15
"""Thickness of what stands around joints, at most [m]."""
SHADOW_REACH = 12.0
"""What is farther from where the camera looks has a contact shadow only [m]."""


class _Pieces:
    """Meshes of the three solids in one level of detail."""

    def __init__(self, level: int) -> None:
        self.hull = Mesh(*hull(level), is_instanced=True)
        self.sphere = Mesh(*sphere(level), is_instanced=True)
        self.limb = Mesh(*limb(level), is_instanced=True)

    def fill(self, solids: Solids) -> None:
        self.hull.fill(solids.hulls)
        self.sphere.fill(solids.spheres)
        self.limb.fill(solids.limbs)

    def draw_solids(self) -> None:
        self.hull.draw_instances()
        self.sphere.draw_instances()

    def delete(self) -> None:
        for mesh in (self.hull, self.sphere, self.limb):
            mesh.delete()


class Scene:
    """The ground of a world, uploaded when it changes, and creatures: three draw calls a level."""

    def __init__(self, world: WorldDef, terrain: Terrain) -> None:
        """Upload everything that does not move into the current context."""
        self._surroundings = Surroundings(terrain)
        self.ground = self._surroundings.ground
        self._is_endless = terrain.chunks is not None
        self._world = world
        self._middle = planet_of(world.terrain)
        self._figures = Figures(world)
        self._ghost_figures: dict[int, tuple[WorldDef, Figures]] = {}  # by identity of the world
        self._ground_mesh = Mesh(self.ground.vertices, self.ground.triangles)
        none = np.empty((0, 6), np.float32), np.empty((0, 3), np.uint32)
        self._sky_mesh = Mesh(*none)
        self._pieces = [_Pieces(level) for level in range(LEVELS)]
        self._props = PropFigures(world.props)
        self._prop_meshes = [Mesh(*solid, is_instanced=True) for solid in prop_shapes()]
        self._dust = Mesh(*square(), is_instanced=True)
        self._programs = Programs()
        self._marks = MarkMap(self._programs)
        self._shadows = Shadows(self.ground, self._ground_mesh, self._programs)
        low, high = float(self.ground.boxes[:, 0, 2].min()), float(self.ground.boxes[:, 1, 2].max())
        colours = EDGED if self.ground.is_edged else ROLLING
        self._programs.set(
            **{name: _linear(colour) for name, colour in colours.items()},
            height_range=(low, 1.0 / max(high - low, 0.2)),
            border=(HALF_SIZE - FADE, HALF_SIZE - 0.5),
            middle=(0.0, 0.0),
        )

    def draw(
        self,
        pose: Pose,
        camera: Camera,
        size: tuple[int, int],
        *,
        selected: int = 0,
        layers: Collection[Layer] = (),
        insight: Insight | None = None,
        has_shadows: bool = True,
        trail: Trail | None = None,
        goal: Vec | None = None,
        ghosts: Sequence[Ghost] = (),
        left: int = 0,
    ) -> None:
        """Draw into the bound framebuffer.

        Args:
            pose: where the creatures are.
            camera: where to look from.
            size: of the part of the framebuffer to draw into; nothing into an empty one.
            selected: creature that the overlay explains.
            layers: of the overlay to draw.
            insight: what is known of that creature beyond its pose.
            has_shadows: whether the sun casts shadows; without, what is near the ground dims it.
            trail: footprints and dust to draw.
            goal: where the selected creature was sent [m, world].
            ghosts: other poses, drawn translucent.
            left: where that part begins [px].
        """
        width, height = size
        if width < 1 or height < 1:
            return
        self._follow(camera.target[:2])
        eye = camera.eye(self.ground)
        both = perspective(width / height) @ look_at(eye, camera.target, camera.frame[:, 2])
        positions = pose.positions
        levels = levels_of(positions, self._figures.radii, both, size)
        gl.glDisable(gl.GL_BLEND)
        gl.glDepthMask(gl.GL_TRUE)
        for pieces, solids in zip(self._pieces, self._figures.solids(pose, levels), strict=True):
            pieces.fill(solids)
        for mesh, rows in zip(self._prop_meshes, self._props.rows(pose.props), strict=True):
            mesh.fill(rows)
        away = np.sqrt(((positions - camera.target) ** 2).sum(axis=1))
        casts = (levels < DISTANT) & (away < SHADOW_REACH) & has_shadows
        shaded = None
        if has_shadows:
            self._shadows.cover(camera.target, camera.distance)
            shaded = self._draw_shadows(pose, casts, camera.target)
        marks = self._figures.contacts(pose, (levels < LEVELS) & ~casts)
        if not has_shadows:
            marks += self._figures.rig_contacts(pose, self.ground)
        if trail is not None:
            marks.append(trail.marks())
        rows = np.concatenate(marks) if marks else NO_ROWS
        if len(rows):
            self._marks.draw(rows, camera.target, camera.distance)
        self._programs.set(eye=tuple(eye.tolist()), view_projection=columns(both))
        area = (left, 0, width, height)
        gl.glViewport(*area)
        gl.glEnable(gl.GL_DEPTH_TEST)
        _clear(area, gl.GL_COLOR_BUFFER_BIT | gl.GL_DEPTH_BUFFER_BIT)
        features = ("NEAR", *self._shadows.features) if has_shadows else ()
        gl.glEnable(gl.GL_CULL_FACE)
        self._draw_pieces(self._pieces, *features)
        self._draw_props(*features)
        gl.glDisable(gl.GL_CULL_FACE)  # ground may be seen from below where it overhangs
        self._draw_ground(both, eye, area, shaded, rows)
        self._draw_sky(both)
        if trail is not None:
            self._draw_dust(trail, eye, camera.target)
        if ghosts:
            self._draw_ghosts(ghosts)
        if goal is not None and selected < pose.creature_count:
            self._pieces[0].fill(
                way_mark(positions[selected], np.array(goal), self.ground, self._middle)
            )
            self._draw_pieces(self._pieces[:1])
        if layers and selected < pose.creature_count:
            plan = self._world.species_of(self._world.creatures[selected])
            _clear(area, gl.GL_DEPTH_BUFFER_BIT)  # marks are seen through ground and legs
            self._pieces[0].fill(
                overlay(plan, pose.creature(selected), layers, insight, self._middle)
            )
            self._draw_pieces(self._pieces[:1])

    def _follow(self, place: Floats) -> None:
        """Have the ground around a place (2,) [m, world], if it has no border."""
        if not self._is_endless:
            return
        self._programs.set(middle=tuple(place.tolist()))
        self._surroundings.follow(place)
        if self._surroundings.ground is not self.ground:
            self.ground = self._surroundings.ground
            self._ground_mesh.delete()
            self._ground_mesh = Mesh(self.ground.vertices, self.ground.triangles)
            self._shadows.renew(self.ground, self._ground_mesh)

    def _draw_ghosts(self, ghosts: Sequence[Ghost]) -> None:
        """Draw their nearest surfaces only: first how far those are, then their colours."""
        parts = []
        for world, pose, is_tinted in ghosts:
            if id(world) not in self._ghost_figures:
                self._ghost_figures[id(world)] = (world, Figures(world))
            levels = np.zeros(pose.creature_count, np.int64)
            solids = self._ghost_figures[id(world)][1].solids(pose, levels)[0]
            if is_tinted:
                for rows in (solids.hulls, solids.spheres, solids.limbs):
                    rows[:, 12:15] = 0.25 * rows[:, 12:15] + 0.75 * np.array(rgb(SKY_BLUE))
            parts.append(solids)
        self._pieces[0].fill(Solids.joined(parts))
        gl.glColorMask(False, False, False, False)
        self._draw_pieces(self._pieces[:1])
        gl.glColorMask(True, True, True, True)
        gl.glDepthFunc(gl.GL_LEQUAL)
        gl.glEnable(gl.GL_BLEND)
        gl.glBlendColor(0.0, 0.0, 0.0, GHOST_OPACITY)
        gl.glBlendFunc(gl.GL_CONSTANT_ALPHA, gl.GL_ONE_MINUS_CONSTANT_ALPHA)
        self._draw_pieces(self._pieces[:1])
        gl.glDisable(gl.GL_BLEND)
        gl.glDepthFunc(gl.GL_LESS)

    def _draw_pieces(self, pieces: list[_Pieces], *features: str, kind: str = "") -> None:
        self._programs.use("solid" + kind, *features)
        for piece in pieces:
            piece.draw_solids()
        self._programs.use("limb" + kind, *features)
        for piece in pieces:
            piece.limb.draw_instances()

    def _draw_props(self, *features: str, kind: str = "") -> None:
        self._programs.use("solid" + kind, *features)
        for mesh in self._prop_meshes:
            mesh.draw_instances()

    def _draw_casters(self) -> None:
        """Draw all that casts shadows."""
        self._draw_pieces(self._pieces[:DISTANT], kind="_depth")
        self._draw_props(kind="_depth")

    def _draw_shadows(self, pose: Pose, casts: Any, target: Floats) -> Floats:
        """Fill the map of what moves; returns points (P, 3) around all that it may shade."""
        joints = [
            herd.joints[casts[herd.members]].reshape(-1, herd.joints[0, ..., 0].size, 3)
            for herd in pose.herds
        ]
        joints += [chain.joints[None] for chain in pose.chains]
        if not sum(map(len, joints)):  # an empty map, for the ground's sake
            joints = [np.zeros((1, 1, 3))]
        low, high = (
            np.concatenate([extreme(part, axis=1) for part in joints])
            for extreme in (np.min, np.max)
        )
        low, high = low - MARGIN, high + MARGIN
        lowest, highest = self._props.boxes(pose.props)
        is_near = np.abs(pose.props.positions - target).max(axis=1, initial=0.0) < SHADOW_REACH
        low = np.concatenate((low, lowest[is_near]))
        high = np.concatenate((high, highest[is_near]))
        self._shadows.draw(low, high, self._draw_casters)
        return reached(low, high, self.ground)

    def _draw_ground(
        self,
        view_projection: Floats,
        eye: Floats,
        area: tuple[int, int, int, int],
        shaded: Floats | None,
        marks: Rows,
    ) -> None:
        """Draw it with shadows and marks where they may be, then the rest, which costs less."""
        boxes = self.ground.boxes
        plots = np.flatnonzero(visible(boxes, view_projection))
        away = ((boxes.mean(axis=1)[plots] - eye) ** 2).sum(axis=1)
        plots = plots[np.argsort(away)]  # what is near hides what is far before that is coloured
        kind = ("EDGED",) if self.ground.is_edged else ()
        far = kind + (() if shaded is None else self._shadows.features)
        near: tuple[str, ...] = () if shaded is None else ("NEAR",)
        points = [] if shaded is None else [shaded]
        if len(marks):
            near = (*near, "MARKS")
            points.append(corners_of(marks, self.ground))
        if near:
            corners = np.concatenate(points)
            low, high = corners.min(axis=0), corners.max(axis=0)
            meets = ((boxes[plots, 0] <= high) & (boxes[plots, 1] >= low)).all(axis=1)
            x, y, width, height = rectangle(corners, view_projection, area[2:])
            part = (x + area[0], y, width, height)
            gl.glEnable(gl.GL_SCISSOR_TEST)
            gl.glScissor(*part)
            self._programs.use("ground", *near, *far)
            self._draw_plots(plots[meets])
            gl.glDisable(gl.GL_SCISSOR_TEST)
            if part == area:
                plots = plots[~meets]
        self._programs.use("ground", *far)
        self._draw_plots(plots)

    def _draw_plots(self, plots: Any) -> None:
        for plot in plots.tolist():
            first, last = self.ground.first[plot : plot + 2].tolist()
            self._ground_mesh.draw(first, last - first)

    def _draw_sky(self, view_projection: Floats) -> None:
        """Fill what nothing stands before, last, so that no pixel is coloured twice."""
        gl.glDepthFunc(gl.GL_LEQUAL)
        self._programs.set(to_world=columns(np.linalg.inv(view_projection)))
        self._programs.use("sky")
        self._sky_mesh.draw_bare(3)
        gl.glDepthFunc(gl.GL_LESS)

    def _draw_dust(self, trail: Trail, eye: Floats, target: Floats) -> None:
        back = (eye - target) / np.sqrt(((eye - target) ** 2).sum())
        right = np.array([-back[1], back[0], 0.0])
        right /= max(1e-9, float(np.sqrt((right * right).sum())))
        self._dust.fill(trail.dust(right, np.cross(back, right), rgb(DUST)))
        gl.glEnable(gl.GL_BLEND)
        gl.glBlendFunc(gl.GL_SRC_ALPHA, gl.GL_ONE_MINUS_SRC_ALPHA)
        gl.glDepthMask(gl.GL_FALSE)
        self._programs.use("dust")
        self._dust.draw_instances()
        gl.glDepthMask(gl.GL_TRUE)
        gl.glDisable(gl.GL_BLEND)

    def delete(self) -> None:
        """Free the memory on the graphics card; the context must be current."""
        parts: list[Any] = [
            self._ground_mesh,
            self._sky_mesh,
            *self._pieces,
            *self._prop_meshes,
            self._dust,
            self._marks,
            self._shadows,
            self._programs,
        ]
        for part in parts:
            part.delete()


def _clear(area: tuple[int, int, int, int], buffers: int) -> None:
    """Clear a part of the framebuffer."""
    gl.glEnable(gl.GL_SCISSOR_TEST)
    gl.glScissor(*area)
    gl.glClear(buffers)
    gl.glDisable(gl.GL_SCISSOR_TEST)


def _linear(colour: str) -> tuple[float, ...]:
    """As the shaders reckon, gamma 2."""
    return tuple(part * part for part in rgb(colour))
