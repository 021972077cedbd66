"""A window that shows a state whenever it is told to."""

from creature_sim.definitions import WorldDef
from creature_sim.figures.camera import Camera
from creature_sim.snapshots.poses import Pose
from creature_sim.terrain import Terrain
from creature_sim.view.frame import Frame
from creature_sim.view.gl.display import is_software, open_window


class StepWindow:
    """A window without a loop of its own."""

    def __init__(self, world: WorldDef, terrain: Terrain) -> None:
        """Open it and upload the ground.

        Raises:
            DisplayUnavailable: there is no screen, or no OpenGL 3.3 on it.
        """
        self._native = open_window(f"creature_sim - {world.name}", "take pictures instead")
        from creature_sim.view.scene import Scene  # it uses OpenGL, which exists only now

        self._scene = Scene(world, terrain)
        self._has_shadows = not is_software()

    def show(self, pose: Pose, camera: Camera) -> None:
        """Draw a state; what the user did to the window meanwhile happens now."""
        self._native.switch_to()
        self._native.dispatch_events()
        frame = Frame(pose, has_shadows=self._has_shadows)
        self._scene.draw(frame, camera, self._native.get_framebuffer_size())
        self._native.flip()

    def close(self) -> None:
        """Free everything."""
        self._native.switch_to()
        self._scene.delete()
        self._native.close()
