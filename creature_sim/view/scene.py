"""Draws a world at a moment: sky, ground, creatures, chains."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from pyglet import gl

from creature_sim.definitions import WorldDef
from creature_sim.maths import Floats
from creature_sim.poses import Pose
from creature_sim.terrain import Terrain
from creature_sim.view.camera import Camera
from creature_sim.view.figures import Figures
from creature_sim.view.ground import Ground
from creature_sim.view.mesh import Mesh
from creature_sim.view.overlay import overlay
from creature_sim.view.shaders import compile_program
from creature_sim.view.shapes import limb, rounded_box, sphere
from creature_sim.view.solids import Solids

Rgb = tuple[float, float, float]
ROLLING: dict[str, Rgb] = {
    "level_colour": (0.40, 0.52, 0.30),
    "high_colour": (0.62, 0.62, 0.40),
    "steep_colour": (0.50, 0.44, 0.36),
}
EDGED: dict[str, Rgb] = {
    "level_colour": (0.60, 0.58, 0.53),
    "high_colour": (0.74, 0.69, 0.60),
    "steep_colour": (0.48, 0.45, 0.42),
}


class Scene:
    """A world's ground, uploaded once, and its creatures, in three draw calls."""

    def __init__(self, world: WorldDef, terrain: Terrain) -> None:
        """Upload everything that does not move into the current context."""
        self.ground = Ground.of(terrain)
        self._world = world
        self._figures = Figures(world)
        self._ground_mesh = Mesh(self.ground.vertices, self.ground.triangles)
        none = np.empty((0, 6), np.float32), np.empty((0, 3), np.uint32)
        self._sky_mesh = Mesh(*none)
        self._box = Mesh(*rounded_box(), is_instanced=True)
        self._sphere = Mesh(*sphere(), is_instanced=True)
        self._limb = Mesh(*limb(), is_instanced=True)
        self._programs = {
            name: compile_program(name) for name in ("sky", "ground", "solid", "limb")
        }
        boxes = self.ground.boxes
        _set(
            self._programs["ground"],
            **(EDGED if self.ground.is_edged else ROLLING),
            band=0.12 if self.ground.is_edged else 0.0,
            height_range=(float(boxes[:, 0, 2].min()), float(boxes[:, 1, 2].max())),
        )

    def draw(
        self,
        pose: Pose,
        camera: Camera,
        size: tuple[int, int],
        *,
        selected: int = 0,
        is_overlaid: bool = False,
    ) -> None:
        """Draw into the bound framebuffer.

        Args:
            pose: where the creatures are.
            camera: where to look from.
            size: of the framebuffer; nothing is drawn into an empty one.
            selected: creature that the overlay explains.
            is_overlaid: whether to draw the overlay.
        """
        width, height = size
        if width < 1 or height < 1:
            return
        eye = camera.eye(self.ground)
        both = camera.matrix(self.ground, width / height)
        gl.glViewport(0, 0, width, height)
        gl.glEnable(gl.GL_DEPTH_TEST)
        gl.glDisable(gl.GL_BLEND)
        gl.glDepthMask(gl.GL_TRUE)
        gl.glClear(gl.GL_COLOR_BUFFER_BIT | gl.GL_DEPTH_BUFFER_BIT)
        for program in self._programs.values():
            _set(program, eye=tuple(eye.tolist()), view_projection=_columns(both))
        gl.glEnable(gl.GL_CULL_FACE)
        self._draw_solids(self._figures.solids(pose))
        gl.glDisable(gl.GL_CULL_FACE)  # ground may be seen from below where it overhangs
        self._programs["ground"].use()
        for tile in np.flatnonzero(visible(self.ground.boxes, both)).tolist():
            first, last = self.ground.first[tile : tile + 2].tolist()
            self._ground_mesh.draw(first, last - first)
        self._draw_sky(both)
        if is_overlaid and selected < len(pose.creatures):
            plan = self._world.plan_of(self._world.creatures[selected])
            gl.glClear(gl.GL_DEPTH_BUFFER_BIT)  # marks are seen through ground and legs
            self._draw_solids(overlay(plan, pose.creatures[selected]))

    def _draw_solids(self, solids: Solids) -> None:
        self._programs["solid"].use()
        self._box.draw_instances(solids.boxes)
        self._sphere.draw_instances(solids.spheres)
        self._programs["limb"].use()
        self._limb.draw_instances(solids.limbs)

    def _draw_sky(self, view_projection: Floats) -> None:
        """Fill what nothing stands before, last, so that no pixel is coloured twice."""
        gl.glDepthFunc(gl.GL_LEQUAL)
        program = self._programs["sky"]
        _set(program, to_world=_columns(np.linalg.inv(view_projection)))
        program.use()
        self._sky_mesh.draw_bare(3)
        gl.glDepthFunc(gl.GL_LESS)
        program.stop()

    def delete(self) -> None:
        """Free the memory on the graphics card; the context must be current."""
        for mesh in (self._ground_mesh, self._sky_mesh, self._box, self._sphere, self._limb):
            mesh.delete()
        for program in self._programs.values():
            program.delete()


def visible(boxes: Floats, view_projection: Floats) -> Any:
    """Which of (K, 2, 3) boxes may be in view, (K,): not wholly outside one plane of the view."""
    corners = np.stack(
        [boxes[:, [i, j, k], [0, 1, 2]] for i in (0, 1) for j in (0, 1) for k in (0, 1)], axis=1
    )
    clip = corners @ view_projection[:, :3].T + view_projection[:, 3]
    x, y, z, w = np.moveaxis(clip, -1, 0)
    outside = [(side > w).all(axis=1) for side in (x, -x, y, -y, z, -z)]
    return ~np.any(outside, axis=0)


def _columns(matrix: NDArray[np.floating[Any]]) -> tuple[float, ...]:
    return tuple(matrix.T.ravel().tolist())


def _set(program: Any, **uniforms: Any) -> None:
    """Set those uniforms that the compiler has kept."""
    for name, value in uniforms.items():
        if name in program.uniforms:
            program[name] = value
