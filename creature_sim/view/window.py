"""A window that shows a `Show`: frames, keys and the mouse."""

from time import perf_counter, sleep

import pyglet
from pyglet import gl
from pyglet.window import BaseWindow, key, mouse

from creature_sim.figures.optics import Optics
from creature_sim.figures.subjects import (
    CAMERAS,
    UNTURNED,
    is_subject_there,
    subject_camera,
    subject_frame,
    subject_scale,
    subject_up,
    subject_viewpoint,
)
from creature_sim.figures.trail import Trail
from creature_sim.snapshots.poses import Pose
from creature_sim.view.beside import Beside, half
from creature_sim.view.flat.hud import Hud, Texts
from creature_sim.view.flat.layers import Layers
from creature_sim.view.flat.sliders import Sliders
from creature_sim.view.frame import Frame
from creature_sim.view.gl.display import is_software
from creature_sim.view.pointer import Pointer
from creature_sim.view.scene import Scene
from creature_sim.view.shows.controls import actions_by_key
from creature_sim.view.shows.gamepad import open_gamepads
from creature_sim.view.shows.show import Show
from creature_sim.view.shows.ticks import RateMeter

SHORTEST_FRAME = 1.0 / 144.0
"""A frame takes at least this long, where nothing else limits the frame rate [s]."""
STATUS_SECONDS = 0.1
"""The status line changes at most this often: laying out text is slower than drawing it [s]."""


class View:
    """Draws a show into a native window and passes on to it what the user does.

    The native window calls the methods whose names start with `on_`.
    """

    def __init__(self, native: BaseWindow, show: Show) -> None:
        """Upload the scene; the window's context must be current."""
        self._native = native
        self._show = show
        self._build()
        self._is_software = is_software()
        # A CPU draws 60 frames a second without shadows, 30 with them.
        self._has_shadows = not self._is_software
        self._hud = Hud(show.mode, native.scale)
        self._camera = subject_camera(show.world, show.selected)
        self._subject, self._distance = show.selected, self._camera.distance
        self._pointer = Pointer(show, self._camera)
        self._actions = {
            getattr(key, name): action for name, action in actions_by_key(show.mode).items()
        }
        self._camera_name = CAMERAS[0]
        self._gamepads = open_gamepads(lambda action: self._press(action, False))
        self._layers = Layers(show, native.scale)
        self._sliders = Sliders(show, native.scale)
        self._pose: Pose | None = None
        self._is_closing = False
        self._is_hidden = False
        self._is_drawn = False
        self._last_frame: float | None = None
        self._fps = RateMeter()
        self._status = self._rate = ""
        self._status_time = -1.0
        native.push_handlers(self)

    def _build(self) -> None:
        """Upload the show's world."""
        self._world, self._terrain = self._show.world, self._show.terrain
        self._scene = Scene(self._world, self._terrain)
        self._trail = Trail(self._world)
        self._other: Beside | None = None

    def _delete_scenes(self) -> None:
        self._scene.delete()
        if self._other is not None:
            self._other.delete()

    def run(self) -> None:
        """Show frames until the user or the show ends it, then close the window."""
        pyglet.clock.schedule(self._frame)
        try:
            pyglet.app.run(interval=None)
        finally:
            pyglet.clock.unschedule(self._frame)
            self._native.switch_to()
            self._delete_scenes()
            self._sliders.delete()
            self._native.close()

    def _frame(self, _seconds: float) -> None:
        """Advance by the time since the last frame, and draw."""
        now = perf_counter()
        seconds = 0.0 if self._last_frame is None else now - self._last_frame
        self._last_frame = now
        self._show.steer(self._gamepads.axes)
        pose = self._show.advance(seconds)
        self._pose = pose
        self._fps.add(1, seconds)
        self._take_world()
        self._trail.add(pose)
        self._follow(pose, seconds)
        if self._is_closing or self._show.is_over:
            pyglet.app.exit()
        if not self._is_hidden:
            self._native.switch_to()
            self._present()
            self._draw(pose, now, seconds)
            self._is_drawn = True
            if self._is_software:  # its other threads colour pixels until the next ticks are done
                gl.glFlush()
            else:
                self._present()
        sleep(max(0.0, SHORTEST_FRAME - (perf_counter() - now)))

    def _present(self) -> None:
        """Show what was drawn, if anything was since the last time."""
        if self._is_drawn:
            self._native.flip()
            self._is_drawn = False

    def _take_world(self) -> None:
        """Go on with the world as it is now: creatures may have come, or its file was changed."""
        world, terrain = self._show.world, self._show.terrain
        if world is self._world:
            return
        if terrain is self._terrain:
            self._world = world
            self._scene.populate(world)
            self._trail.populate(world)
            return
        self._native.switch_to()
        self._delete_scenes()
        self._build()
        self._look_at(self._show.selected)

    def _follow(self, pose: Pose, seconds: float) -> None:
        """Move the camera with what is selected; where that has gone, it stays."""
        world, selected = self._world, self._show.selected
        if selected != self._subject:
            self._look_at(selected)
        if is_subject_there(world, pose, selected):
            position, orientation = subject_frame(world, pose, selected)
            turn = {"orbit": None, "top": UNTURNED}.get(self._camera_name, orientation)
            self._camera.follow(position, turn, seconds, subject_up(world, pose, selected))
        self._camera.settle(self._scene.ground, seconds)

    def _look_at(self, subject: int) -> None:
        """Come nearer or go farther, as far as the size of a subject differs from the last one."""
        self._subject = subject
        name = self._camera_name
        distance = subject_viewpoint(self._world, subject, name).distance
        if distance != self._distance:
            ratio = distance / self._distance
            self._camera.resize(ratio * self._camera.distance, subject_scale(self._world, subject))
            self._distance = distance

    def _draw(self, pose: Pose, now: float, seconds: float) -> None:
        if now - self._status_time > STATUS_SECONDS:
            self._status, self._status_time = self._show.status, now
            self._rate = f"{self._fps.rate:.0f} fps" if self._fps.rate else ""
        size, pixels = self._native.get_size(), self._native.get_framebuffer_size()
        width, height = pixels
        frame = Frame(
            pose,
            selected=self._show.selected,
            layers=self._layers.solid,
            insight=self._show.insight if self._layers.choice.is_on else None,
            has_shadows=self._has_shadows,
            trail=self._trail,
            goal=self._show.goal,
            ghosts=self._show.ghosts,
        )
        beside = self._show.beside
        if beside is not None:
            self._other = self._other or Beside(beside, self._show.terrain)
            self._other.draw(beside.pose, frame, self._camera, pixels)
            width = half(width)
        self._scene.draw(frame, self._camera, (width, height))
        gl.glViewport(0, 0, *pixels)
        if self._layers.choice.is_on:
            self._layers.draw(pose, self._optics, self._hud.bottom(self._show.timeline))
        self._sliders.draw(size, pixels, seconds)
        self._hud.draw(  # last: what it says is never under a panel
            size,
            Texts(self._status, self._rate, self._show.notice, self._show.names),
            self._show.timeline,
            self._show.step_fractions,
        )

    def on_key_press(self, symbol: int, modifiers: int) -> bool:
        """Do what a key stands for; True keeps pyglet from closing the window at Escape."""
        if self._sliders.key(symbol, True):
            return True
        action = self._actions.get(symbol)
        if action is not None:
            self._press(action, bool(modifiers & key.MOD_SHIFT))
        return True

    def _press(self, action: str, is_shifted: bool) -> None:
        """Start an action of the window or of the show."""
        if self._layers.choice.press(action):
            return
        if action == "shadows":
            self._has_shadows = not self._has_shadows
        elif action == "help":
            self._hud.turn_page()
        elif action == "panel":
            self._sliders.toggle()
        elif action == "close":
            self._is_closing = True
        elif action == "camera":
            self._next_camera()
        else:
            self._show.press(action, is_shifted)
            self._status_time = -1.0

    def on_text(self, text: str) -> None:
        """Pass text on to the panel."""
        self._sliders.text(text)

    def _next_camera(self) -> None:
        """Glide to the viewpoint of the next camera; orbit begins where the camera is."""
        index = (CAMERAS.index(self._camera_name) + 1) % len(CAMERAS)
        self._camera_name = CAMERAS[index]
        if self._camera_name != "orbit":
            viewpoint = subject_viewpoint(self._show.world, self._show.selected, self._camera_name)
            self._distance = viewpoint.distance
            self._camera.go(viewpoint)

    def on_key_release(self, symbol: int, _modifiers: int) -> bool:
        """End what a held key does."""
        self._sliders.key(symbol, False)
        action = self._actions.get(symbol)
        if action is not None:
            self._show.release(action)
        return True

    def on_deactivate(self) -> None:
        """Release all keys: the window will not hear of it when they come up."""
        self._show.release_all()

    def on_mouse_motion(self, x: int, y: int, _across: int, _up: int) -> None:
        """Pass the position of the mouse on to the panel, and to who looks there."""
        self._sliders.move(x, y)
        if self._show.follows_mouse:
            self._pointer.follow((x, y), self._optics, self._scene.ground, self._pose)

    def on_mouse_press(self, x: int, y: int, button: int, _modifiers: int) -> None:
        """Begin a drag or a click, on the panel or in the picture."""
        if not self._sliders.press(x, y, button):
            leads = button == mouse.RIGHT
            self._pointer.press((x, y), self._hud, self._optics, self._pose, leads=leads)

    @property
    def _optics(self) -> Optics:
        """How the picture of this frame shows the world, in the window's own units."""
        width, height = self._native.get_size()
        if self._show.beside is not None:
            width = half(width)
        return self._camera.optics(self._scene.ground, (width, height))

    def on_mouse_release(self, x: int, y: int, button: int, _modifiers: int) -> None:
        """End a drag or a click, on the panel or in the picture."""
        if not self._sliders.release(x, y, button):
            self._pointer.release((x, y), button, self._optics, self._scene.ground, self._pose)

    def on_mouse_drag(
        self, x: int, y: int, across: int, up: int, buttons: int, _modifiers: int
    ) -> None:
        """Drag the panel, or what is in the picture."""
        if not self._sliders.drag(x, y):
            self._pointer.drag((x, y), (across, up), buttons, self._hud, self._optics, self._pose)

    def on_mouse_scroll(self, x: int, y: int, across: float, up: float) -> None:
        """Go nearer or farther."""
        if self._sliders.wheel(x, y, across, up):
            return
        if self._hud.wheel(up):
            return
        self._camera.zoom(up)

    def on_scale(self, scale: float, _dpi: int) -> None:
        """Lay text out anew: the window was moved to a screen with another pixel density."""
        page = self._hud.page
        self._hud = Hud(self._show.mode, scale)
        self._hud.page = page
        self._layers.rescale(scale)
        self._sliders.rescale(scale)

    def on_hide(self) -> None:
        """Stop drawing while minimised; time goes on."""
        self._is_hidden = True

    def on_show(self) -> None:
        """Draw again."""
        self._is_hidden = False

    def on_close(self) -> bool:
        """Close after this frame, while the context still exists, so that memory can be freed."""
        self._is_closing = True
        return True


def run(native: BaseWindow, show: Show) -> None:
    """Show it in a window until the window is closed."""
    View(native, show).run()
