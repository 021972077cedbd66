"""Shadow maps: one of the ground, drawn now and then, and one of what moves, drawn every frame."""

from collections.abc import Callable

import numpy as np
from pyglet import gl

from creature_sim.figures.camera import Camera
from creature_sim.figures.ground import Ground
from creature_sim.figures.sun import SUN, Beam, beam
from creature_sim.maths import Floats
from creature_sim.terrain import HALF_SIZE
from creature_sim.view.gl.mesh import Mesh
from creature_sim.view.gl.shaders import Programs, columns
from creature_sim.view.gl.texture import Texture

NEAR_SIDE, FAR_SIDE = 1024, 2048
NEAR_UNIT, FAR_UNIT = 0, 1

PER_DISTANCE = 5.0
"""Reach of the ground's map over the distance of the camera."""
NEAREST, FARTHEST = 8.0, 1.5 * HALF_SIZE
"""Its smallest reach around a creature of usual size, and the largest of all [m]."""
BELOW = 0.06
"""The ground casts shadows up to this far below a ceiling [m]; a map covers 0.05 m more."""
STRIDE = 0.1
"""The ground's map is drawn anew when the camera has moved this fraction of its reach."""


class Shadows:
    """What the sun does not reach.

    Attributes:
        features: with which programs are compiled that show the ground's own shadows.
    """

    def __init__(self, ground: Ground, mesh: Mesh, programs: Programs) -> None:
        """Allocate the maps; ground that casts no shadow on itself has none."""
        self._programs = programs
        self._near = Texture(NEAR_SIDE, is_depth=True)
        self._far: Texture | None = None
        self.features: tuple[str, ...] = ()
        self.renew(ground, mesh)
        programs.set(sun=tuple(SUN.tolist()), near_shadow=NEAR_UNIT, far_shadow=FAR_UNIT)

    def renew(self, ground: Ground, mesh: Mesh) -> None:
        """Go on with other ground."""
        self._ground, self._mesh = ground, mesh
        # Middle and reach of the ground's map, and the ceiling over it.
        self._covered: tuple[float, ...] | None = None
        if self._far is None and shades_itself(ground):
            self._far = Texture(FAR_SIDE, is_depth=True)
            self.features = ("FAR",)

    def cover(self, camera: Camera, ceiling: float) -> None:
        """Let the ground's map cover what is around a camera's target, but for what is above it.

        A room is lit as if its ceiling let the sun through: its walls and all in it cast shadows.

        Args:
            camera: that looks at the target.
            ceiling: height of what hangs over the target; inf: nothing does [m].
        """
        if self._far is None:
            return
        target = camera.target
        wanted = 2.0 ** np.ceil(np.log2(PER_DISTANCE * camera.distance))
        reach = min(FARTHEST, max(NEAREST * min(1.0, camera.scale), wanted))
        stride = STRIDE * reach
        middle = np.round(target[:2] / stride) * stride
        covered = (*middle.tolist(), reach, ceiling)
        if covered != self._covered:
            self._covered = covered
            boxes = self._ground.boxes
            low = np.append(middle - reach, target[2] - reach)
            high = np.append(middle + reach, target[2] + reach)
            low[2], high[2] = max(low[2], boxes[:, 0, 2].min()), min(high[2], boxes[:, 1, 2].max())
            high[2] = max(min(high[2], ceiling - BELOW), low[2])
            light = beam(low[None], high[None], FAR_SIDE, soft=1.0)
            with self._far:
                self._begin(light)
                if np.isinf(ceiling):
                    gl.glEnable(gl.GL_DEPTH_CLAMP)  # things outside the map cast shadows too
                self._programs.use("ground_depth")
                if np.isinf(ceiling):
                    self._draw_ground()
                else:
                    self._draw_cut_ground()
                gl.glDisable(gl.GL_DEPTH_CLAMP)
                gl.glDisable(gl.GL_POLYGON_OFFSET_FILL)
            self._programs.set(far_from_world=columns(light.to_map), far_texel=light.texel)
        self._far.bind(FAR_UNIT)

    def _draw_ground(self) -> None:
        self._mesh.draw(np.array([0]), np.array([len(self._ground.triangles)]))

    def _draw_cut_ground(self) -> None:
        """Draw ground whose walls are open at the top, where a ceiling is cut off.

        The sun looks into them there, onto their far sides. These are drawn where they are, or a
        little nearer: else it would shine into the corner behind them.
        """
        gl.glEnable(gl.GL_CULL_FACE)
        self._draw_ground()
        gl.glCullFace(gl.GL_FRONT)
        gl.glPolygonOffset(-0.3, 0.0)
        self._draw_ground()
        gl.glCullFace(gl.GL_BACK)
        gl.glDisable(gl.GL_CULL_FACE)

    def draw(self, low: Floats, high: Floats, draw: Callable[[], None]) -> None:
        """Fill the map of what moves.

        Args:
            low: (B, 3) lowest corners of boxes around all that casts a shadow [m, world].
            high: (B, 3) highest corners.
            draw: draws their depths.
        """
        light = beam(low, high, NEAR_SIDE)
        with self._near:
            self._begin(light)
            draw()
            gl.glDisable(gl.GL_POLYGON_OFFSET_FILL)
        self._near.bind(NEAR_UNIT)
        self._programs.set(
            near_from_world=columns(light.to_map),
            near_texel=light.texel,
            near_is_fine=light.is_fine,
        )

    def _begin(self, light: Beam) -> None:
        gl.glEnable(gl.GL_DEPTH_TEST)
        gl.glDisable(gl.GL_CULL_FACE)
        gl.glClear(gl.GL_DEPTH_BUFFER_BIT)
        gl.glEnable(gl.GL_POLYGON_OFFSET_FILL)
        gl.glPolygonOffset(1.5, 4.0)
        self._programs.set(view_projection=columns(light.to_clip))

    def delete(self) -> None:
        """Free the memory; the context must be current."""
        for texture in (self._near, self._far):
            if texture:
                texture.delete()


def shades_itself(ground: Ground) -> bool:
    """Whether any of the ground faces away from the sun; if none does, none lies in shadow."""
    corners = ground.vertices[ground.triangles][..., :3]
    faces = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    return bool((faces @ SUN < -1e-6).any())
