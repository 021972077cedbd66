"""Pictures without a screen."""

import numpy as np
from numpy.typing import NDArray

from creature_sim.definitions import WorldDef
from creature_sim.errors import DisplayUnavailable
from creature_sim.figures.camera import Camera
from creature_sim.figures.ground import Ground
from creature_sim.figures.overlay import USUAL
from creature_sim.figures.subjects import is_subject_there, subject_frame, subject_up
from creature_sim.figures.trail import Trail
from creature_sim.snapshots.poses import Pose
from creature_sim.terrain import Terrain
from creature_sim.view.frame import Frame
from creature_sim.view.gl.display import open_offscreen

Picture = NDArray[np.uint8]
"""(H, W, 3), top row first."""


class Studio:
    """A world set up for taking pictures: as many as wanted, in any order.

    with Studio(world, terrain) as studio:
        picture = studio.render(pose, Camera(yaw=2.5))
    """

    def __init__(
        self, world: WorldDef, terrain: Terrain, size: tuple[int, int] = (1280, 720)
    ) -> None:
        """Open a context and upload the ground.

        Raises:
            DisplayUnavailable: no OpenGL 3.3, or no picture of this size.
        """
        self._context = open_offscreen()
        from creature_sim.view.gl.canvas import Canvas  # these use OpenGL, which exists only now
        from creature_sim.view.scene import Scene

        self._world = world
        try:
            self._canvas = Canvas(size)
            self._scene = Scene(world, terrain)
        except DisplayUnavailable:
            self._context.close()
            raise

    @property
    def ground(self) -> Ground:
        """The ground of the world."""
        return self._scene.ground

    def render(
        self,
        pose: Pose,
        camera: Camera | None = None,
        *,
        selected: int = 0,
        is_overlaid: bool = False,
        has_shadows: bool = True,
        trail: Trail | None = None,
    ) -> Picture:
        """A picture of a pose, (H, W, 3).

        Args:
            pose: where the creatures are.
            camera: None, or one that has never followed anything, looks at `selected`.
            selected: creature or chain to look at and to explain.
            is_overlaid: whether to draw the overlay.
            has_shadows: whether the sun casts shadows.
            trail: footprints and dust to draw; it must have seen this pose and those before it.
        """
        camera = camera or Camera()
        if not camera.is_aimed and is_subject_there(self._world, pose, selected):
            position, turn = subject_frame(self._world, pose, selected)
            camera.follow(position, turn, 0.0, subject_up(self._world, pose, selected))
        self._context.switch_to()
        with self._canvas:
            frame = Frame(
                pose,
                selected=selected,
                layers=USUAL if is_overlaid else (),
                has_shadows=has_shadows,
                trail=trail,
            )
            self._scene.draw(frame, camera, self._canvas.size)
            return self._canvas.read()

    def close(self) -> None:
        """Free everything."""
        self._context.switch_to()
        self._canvas.delete()
        self._scene.delete()
        self._context.close()

    def __enter__(self) -> "Studio":
        """Enter a block that closes the studio at its end."""
        return self

    def __exit__(self, *_: object) -> None:
        """Free everything."""
        self.close()


def render(
    world: WorldDef,
    pose: Pose,
    terrain: Terrain,
    size: tuple[int, int] = (1280, 720),
    camera: Camera | None = None,
    *,
    selected: int = 0,
    is_overlaid: bool = False,
) -> Picture:
    """One picture, (H, W, 3); a `Studio` takes several faster.

    Raises:
        DisplayUnavailable: there is no OpenGL 3.3, not even without a screen.
    """
    with Studio(world, terrain, size) as studio:
        return studio.render(pose, camera, selected=selected, is_overlaid=is_overlaid)
