"""Draws a world at a moment: shadows, marks, creatures, chains and props, ground, sky, dust."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from pyglet import gl

from creature_sim.definitions import WorldDef
from creature_sim.figures.camera import Camera
from creature_sim.figures.creatures import MARGIN, Figures
from creature_sim.figures.detail import levels_of
from creature_sim.figures.ground import Ground
from creature_sim.figures.nearness import MOST, Nearness
from creature_sim.figures.optics import Optics
from creature_sim.figures.overlay import goal_path, overlay
from creature_sim.figures.palette import EDGED, ROLLING
from creature_sim.figures.props import PropFigures, prop_shapes
from creature_sim.figures.shapes import DISTANT, LEVELS, SMALL
from creature_sim.figures.sight import ceiling_over
from creature_sim.figures.sizes import fog_around, square_beside
from creature_sim.figures.solids import NO_ROWS, Rows, rgb
from creature_sim.figures.subjects import is_there
from creature_sim.figures.sun import reached
from creature_sim.figures.surroundings import Surroundings
from creature_sim.locomotion.gravity import gravity_of
from creature_sim.maths import Floats
from creature_sim.snapshots.poses import Pose
from creature_sim.terrain import HALF_SIZE, Terrain
from creature_sim.view.frame import Frame
from creature_sim.view.gl.display import is_software
from creature_sim.view.gl.dust import Dust
from creature_sim.view.gl.ghosts import Ghosts
from creature_sim.view.gl.instances import Instances
from creature_sim.view.gl.marks import MarkMap, corners_of
from creature_sim.view.gl.mesh import Mesh
from creature_sim.view.gl.pieces import Pieces
from creature_sim.view.gl.plots import GroundPlots
from creature_sim.view.gl.shaders import Programs, columns
from creature_sim.view.gl.shadows import Shadows
from creature_sim.view.gl.skins import Skins

FADE = 7.0
"""The ground fades into the horizon over this distance before its border [m]."""
SHADOW_REACH = 12.0
"""What is farther than this from a target of usual size has only a contact shadow [m]."""
HIGHEST = 1e6
"""Above all ground [m]."""

Area = tuple[int, int, int, int]
"""Left, bottom, width and height of a part of the framebuffer [px]."""


class _Uploaded(Protocol):
    """What holds memory of the graphics card."""

    def delete(self) -> None:
        """Free it."""


class Scene:
    """The ground of a world, uploaded when it changes, and everything that moves on it."""

    def __init__(self, world: WorldDef, terrain: Terrain) -> None:
        """Upload everything that does not move into the current context."""
        self._surroundings = Surroundings(terrain)
        self._is_endless = terrain.chunks is not None
        self._is_software = is_software()
        self._world = world
        self._gravity = gravity_of(world.terrain)[0]
        self._programs = Programs()
        self._plots = GroundPlots(self._surroundings.ground, self._programs)
        self._figures = Figures(world)
        self._pieces = Pieces()
        self._skins = Skins(self._programs)
        self._ghosts = Ghosts(self._programs, self._pieces)
        self._props = PropFigures(world.props)
        self._prop_pieces = Instances(prop_shapes())
        self._sky = Mesh(np.empty((0, 6), np.float32), np.empty((0, 3), np.uint32))
        self._dust = Dust(self._programs)
        self._marks = MarkMap(self._programs)
        self._shadows = Shadows(self.ground, self._plots.mesh, self._programs)
        low, high = float(self.ground.boxes[:, 0, 2].min()), float(self.ground.boxes[:, 1, 2].max())
        colours = EDGED if self.ground.is_edged else ROLLING
        self._programs.set(
            **{name: _linear(colour) for name, colour in colours.items()},
            height_range=(low, 1.0 / max(high - low, 0.2)),
            border=(HALF_SIZE - FADE, HALF_SIZE - 0.5),
            middle=(0.0, 0.0),
        )

    @property
    def ground(self) -> Ground:
        """The ground that is drawn now."""
        return self._plots.ground

    def draw(self, frame: Frame, camera: Camera, size: tuple[int, int], left: int = 0) -> None:
        """Draw a frame into a part of the bound framebuffer.

        1. Upload what moves, each creature in its level of detail.
        2. Fill the maps of shadows and of marks.
        3. Draw what moves, the ground, the sky, dust.
        4. Draw ghosts and marks over it.

        Args:
            frame: what to draw.
            camera: where to look from.
            size: of that part [px]; nothing is drawn into an empty one.
            left: where that part begins [px].
        """
        if min(size) < 1:
            return
        self._follow(camera.target[:2])
        optics = camera.optics(self.ground, size)
        count = frame.pose.creature_count
        levels = levels_of(frame.pose.positions, self._figures.radii[:count], optics)
        self._upload(frame.pose, levels, DISTANT if frame.has_shadows else SMALL)
        gl.glDisable(gl.GL_BLEND)
        gl.glDepthMask(gl.GL_TRUE)
        ceiling = ceiling_over(self.ground, camera.target)
        self._programs.set(
            fog=fog_around(camera.scale),
            square=square_beside(camera.scale),
            marks_top=min(ceiling, HIGHEST),
        )
        is_near = (levels < DISTANT) & self._is_near(frame.pose, camera)
        # Marks are on ground that faces up only: who climbs darkens any without shadows, too.
        darkens = is_near & (frame.has_shadows | self._figures.climbs[:count])
        light = ("NEAR",) if frame.has_shadows else ("OPEN",) if darkens.any() else ()
        shaded = self._darken_ground(frame.pose, darkens, camera)
        if frame.has_shadows:
            cast = self._draw_shadows(frame.pose, is_near, camera, ceiling)
            shaded = np.concatenate((cast, shaded))
        marks = self._draw_marks(
            frame, camera, optics, (levels < LEVELS) & ~darkens, levels < DISTANT
        )
        self._programs.set(eye=tuple(optics.eye.tolist()), view_projection=columns(optics.matrix))
        area = (left, 0, *size)
        gl.glViewport(*area)
        gl.glEnable(gl.GL_DEPTH_TEST)
        _clear(area, gl.GL_COLOR_BUFFER_BIT | gl.GL_DEPTH_BUFFER_BIT)
        self._draw_movers(("NEAR", *self._shadows.features) if frame.has_shadows else ())
        self._draw_ground(optics, left, light, shaded, marks)
        self._draw_sky(optics)
        if frame.trail is not None:
            self._dust.draw(frame.trail, optics)
        if frame.ghosts:
            self._ghosts.draw(frame.ghosts)
        if is_there(frame.pose, frame.selected):
            self._draw_goal(frame, camera.scale)
            self._draw_overlay(frame, area)

    def populate(self, world: WorldDef) -> None:
        """Go on with creatures that have joined the world; all else of it is as it was."""
        self._world = world
        self._figures.populate(world)

    def _is_near(self, pose: Pose, camera: Camera) -> NDArray[np.bool_]:
        """Which of the creatures (N,) are near enough to the camera's target to cast shadows."""
        gaps = np.sqrt(((pose.positions - camera.target) ** 2).sum(axis=1))
        found: NDArray[np.bool_] = gaps < SHADOW_REACH * camera.scale
        return found

    def _follow(self, position: Floats) -> None:
        """Have the ground around a position (2,) [m, world], if it has no border."""
        if not self._is_endless:
            return
        self._programs.set(middle=tuple(position.tolist()))
        self._surroundings.follow(position)
        if self._surroundings.ground is not self.ground:
            self._plots.replace(self._surroundings.ground)
            self._shadows.renew(self.ground, self._plots.mesh)

    def _upload(self, pose: Pose, levels: NDArray[np.int64], first_flat: int) -> None:
        """Upload what moves."""
        self._pieces.fill(self._figures.solids(pose, levels, first_flat))
        self._skins.fill(self._figures.skins(pose, levels), self._figures.bindings)
        self._prop_pieces.fill(self._props.rows(pose.props))

    def _draw_shadows(
        self, pose: Pose, casts: NDArray[np.bool_], camera: Camera, ceiling: float
    ) -> Floats:
        """Fill the shadow maps; returns points (P, 3) around all that what moves may shade."""
        self._shadows.cover(camera, ceiling)
        low, high = self._figures.boxes(pose, casts)
        if not len(low):  # the ground's program reads a map, if only an empty one
            low, high = np.zeros((1, 3)) - MARGIN, np.zeros((1, 3)) + MARGIN
        lowest, highest = self._props.boxes(pose.props)
        gaps = np.abs(pose.props.positions - camera.target).max(axis=1, initial=0.0)
        is_near = gaps < SHADOW_REACH * camera.scale
        low = np.concatenate((low, lowest[is_near]))
        high = np.concatenate((high, highest[is_near]))
        self._shadows.draw(low, high, self._draw_casters)
        return reached(low, high, self.ground)

    def _darken_ground(self, pose: Pose, casts: NDArray[np.bool_], camera: Camera) -> Floats:
        """Let what is near to ground darken it; returns points (C, 3) around all that it does."""
        balls, around, corners = Nearness.of(self._figures.balls(pose, casts), camera.target)
        rows = np.zeros((MOST, 4))
        rows[: len(balls)] = balls
        self._programs.set(
            balls=[tuple(row) for row in rows.tolist()],
            ball_count=len(balls),
            balls_around=tuple(around.tolist()),
        )
        return corners

    def _draw_casters(self) -> None:
        """Draw the depths of all that casts shadows."""
        self._pieces.draw(self._programs, variant="_depth", levels=DISTANT)
        self._skins.draw(variant="_depth")
        self._draw_props("solid_depth")

    def _draw_marks(
        self,
        frame: Frame,
        camera: Camera,
        optics: Optics,
        chosen: NDArray[np.bool_],
        near: NDArray[np.bool_],
    ) -> Rows:
        """Fill the map of marks: footprints, shade under chosen (N,) bodies and near feet."""
        marks = self._figures.contacts(frame.pose, chosen, near)
        if not frame.has_shadows:
            marks += self._figures.rig_contacts(frame.pose, self.ground)
        if frame.trail is not None:
            marks.append(frame.trail.marks(optics))
        rows = np.concatenate(marks) if marks else NO_ROWS
        if len(rows):
            self._marks.draw(rows, camera)
        return rows

    def _draw_movers(self, features: tuple[str, ...]) -> None:
        """Draw creatures, chains, trees and props."""
        gl.glEnable(gl.GL_CULL_FACE)
        self._pieces.draw(self._programs, *features)
        self._draw_props("solid", *features)
        self._begin_pixels()
        gl.glDisable(gl.GL_CULL_FACE)
        self._pieces.draw_legs(self._programs, *features, "SMALL")
        self._skins.draw(*features)
        self._begin_pixels()

    def _draw_props(self, program: str, *features: str) -> None:
        self._programs.use(program, *features)
        self._prop_pieces.draw()

    def _draw_ground(
        self, optics: Optics, left: int, light: tuple[str, ...], shaded: Floats, marks: Rows
    ) -> None:
        """Draw the ground, from both sides: where it overhangs it is seen from below.

        Args:
            optics: of the picture.
            left: where it begins [px].
            light: features of the program where what moves shades the ground.
            shaded: (C, 3) points around all that it shades [m, world].
            marks: what is in the map of marks.
        """
        extra, points = light, [shaded]
        if len(marks):
            extra = (*extra, "MARKS")
            points.append(corners_of(marks, self.ground))
        plain = self._shadows.features if "NEAR" in light else ()
        self._plots.draw(optics, left, plain=plain, extra=extra, reach=np.concatenate(points))
        self._begin_pixels()

    def _begin_pixels(self) -> None:
        """Where a CPU draws, have its other threads colour pixels while this one goes on.

        Otherwise they wait until a frame is complete.
        """
        if self._is_software:
            gl.glFlush()

    def _draw_sky(self, optics: Optics) -> None:
        """Fill the pixels that nothing has covered: last, so that none is coloured twice."""
        gl.glDepthFunc(gl.GL_LEQUAL)
        self._programs.set(to_world=columns(np.linalg.inv(optics.matrix)))
        self._programs.use("sky")
        self._sky.draw_bare(3)
        gl.glDepthFunc(gl.GL_LESS)

    def _draw_goal(self, frame: Frame, scale: float) -> None:
        """Draw the path to where the selected creature was sent."""
        if frame.goal is None:
            return
        start = frame.pose.positions[frame.selected]
        path = goal_path(start, np.array(frame.goal), self.ground, self._gravity, scale)
        self._pieces.fill([path])
        self._pieces.draw(self._programs)

    def _draw_overlay(self, frame: Frame, area: Area) -> None:
        """Draw the overlay of the selected creature, seen through ground and legs."""
        if not frame.layers:
            return
        plan = self._world.species_of(self._world.creatures[frame.selected])
        creature = frame.pose.creature(frame.selected)
        _clear(area, gl.GL_DEPTH_BUFFER_BIT)
        marks = overlay(plan, creature, self._gravity, frame.layers, frame.insight)
        self._pieces.fill([marks])
        self._pieces.draw(self._programs)

    def delete(self) -> None:
        """Free the memory on the graphics card; the context must be current."""
        parts: list[_Uploaded] = [self._plots, self._sky, self._pieces, self._prop_pieces]
        parts += [self._skins, self._dust, self._marks, self._shadows, self._programs]
        for part in parts:
            part.delete()


def _clear(area: Area, buffers: int) -> None:
    """Clear a part of the framebuffer."""
    gl.glEnable(gl.GL_SCISSOR_TEST)
    gl.glScissor(*area)
    gl.glClear(buffers)
    gl.glDisable(gl.GL_SCISSOR_TEST)


def _linear(colour: str) -> tuple[float, ...]:
    """A colour as the shaders compute with it, gamma 2."""
    return tuple(part * part for part in rgb(colour))
