"""A window that shows a `Show`: frames, keys and the mouse."""

from time import perf_counter, sleep
from typing import Any

import numpy as np
import pyglet
from pyglet import gl
from pyglet.window import key, mouse

from creature_sim.definitions import ChainDef
from creature_sim.figures.picking import Grip, dragged, ground_at, nearest, prop_at
from creature_sim.figures.subjects import (
    CAMERAS,
    UNTURNED,
    subject_camera,
    subject_frame,
    subject_viewpoint,
    up_at,
)
from creature_sim.figures.trail import Trail
from creature_sim.maths import Floats, vec
from creature_sim.props.shapes import solids_of
from creature_sim.snapshots.poses import Pose
from creature_sim.view.beside import Beside, half
from creature_sim.view.flat.hud import Hud
from creature_sim.view.flat.layers import Layers
from creature_sim.view.flat.sliders import Sliders
from creature_sim.view.gl.display import is_software
from creature_sim.view.scene import Scene
from creature_sim.view.shows.controls import actions_by_key
from creature_sim.view.shows.gamepad import open_gamepads
from creature_sim.view.shows.show import Show

SHORTEST_FRAME = 1.0 / 144.0
"""Where nothing else holds frames back, this does [s]."""
TURN_PER_PIXEL = 0.006
"""Of a drag [rad]."""
CLICK_REACH = 4
"""A button that goes down and up within this was clicked, not dragged [px]."""
STATUS_SECONDS = 0.1
"""Text changes no more often than this: laying it out costs more than drawing it."""


class View:
    """Draws a show into a native window and hands it what the user does.

    The native window calls the methods whose names start with `on_`.
    """

    def __init__(self, native: Any, show: Show) -> None:
        """Upload the scene; the window's context must be current."""
        self._native = native
        self._show = show
        self._build()
        self._has_shadows = not is_software()  # a CPU draws 60 frames a second without, 30 with
        self._hud = Hud(show.mode, native.scale)
        self._camera = subject_camera(show.world, show.selected)
        self._actions = {
            getattr(key, name): action for name, action in actions_by_key(show.mode).items()
        }
        self._camera_name = CAMERAS[0]
        self._gamepads = open_gamepads(lambda action: self._press(action, False))
        self._layers = Layers(show, native.scale)
        self._sliders = Sliders(show, native.scale)
        self._drag = 0  # way of the mouse since its button went down [px]
        self._is_scrubbing = False
        self._grip: Grip | None = None
        self._pose: Pose | None = None
        self._is_closing = False
        self._is_hidden = False
        self._last_frame: float | None = None
        self._status = ""
        self._status_time = -1.0
        native.push_handlers(self)

    def _build(self) -> None:
        """Upload the show's world."""
        self._world = self._show.world
        self._scene = Scene(self._world, self._show.terrain)
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
        """Let the time since the last frame pass, and draw."""
        now = perf_counter()
        seconds = 0.0 if self._last_frame is None else now - self._last_frame
        self._last_frame = now
        self._show.steer(self._gamepads.axes)
        pose = self._show.advance(seconds)
        self._pose = pose
        if self._show.world is not self._world:  # its file was changed
            self._native.switch_to()
            self._delete_scenes()
            self._build()
        self._trail.add(pose)
        place, orientation = subject_frame(self._show.world, pose, self._show.selected)
        turn = {"orbit": None, "top": UNTURNED}.get(self._camera_name, orientation)
        self._camera.follow(place, turn, seconds, up_at(self._show.world, place))
        self._camera.settle(self._scene.ground, seconds)
        if self._is_closing or self._show.is_over:
            pyglet.app.exit()
        if not self._is_hidden:
            self._native.switch_to()
            self._draw(pose, now, seconds)
            self._native.flip()
        sleep(max(0.0, SHORTEST_FRAME - (perf_counter() - now)))

    def _draw(self, pose: Any, now: float, seconds: float) -> None:
        if now - self._status_time > STATUS_SECONDS:
            self._status, self._status_time = self._show.status, now
        width, height = self._native.get_framebuffer_size()
        beside = self._show.beside
        if beside is not None:
            self._other = self._other or Beside(beside, self._show.terrain)
            self._other.draw(
                beside,
                self._camera,
                (width, height),
                selected=self._show.selected,
                layers=self._layers.solid,
                has_shadows=self._has_shadows,
            )
            width = half(width)
        self._scene.draw(
            pose,
            self._camera,
            (width, height),
            selected=self._show.selected,
            layers=self._layers.solid,
            insight=self._show.insight if self._layers.is_on else None,
            has_shadows=self._has_shadows,
            trail=self._trail,
            goal=self._show.goal,
            ghosts=self._show.ghosts,
        )
        gl.glViewport(0, 0, *self._native.get_framebuffer_size())
        if self._layers.is_on:
            matrix, size, _ = self._optics()
            self._layers.draw(pose, matrix, size, self._hud.bottom(self._show.timeline))
        self._hud.draw(
            self._native.get_size(),
            self._status,
            self._show.notice,
            self._show.timeline,
            self._show.step_shares,
        )
        size, pixels = self._native.get_size(), self._native.get_framebuffer_size()
        self._sliders.draw(size, pixels, seconds)

    def on_key_press(self, symbol: int, modifiers: int) -> bool:
        """Do what a key stands for; True keeps pyglet from its own idea of Escape."""
        if self._sliders.key(symbol, True):
            return True
        action = self._actions.get(symbol)
        if action is not None:
            self._press(action, bool(modifiers & key.MOD_SHIFT))
        return True

    def _press(self, action: str, is_shifted: bool) -> None:
        """Start an action, of the window's own or of the show."""
        if self._layers.press(action):
            return
        if action == "shadows":
            self._has_shadows = not self._has_shadows
        elif action == "help":
            self._hud.is_helping = not self._hud.is_helping
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
        """Write into the panel."""
        self._sliders.text(text)

    def _next_camera(self) -> None:
        """Glide to where the next camera stands; orbit begins where it is."""
        place = (CAMERAS.index(self._camera_name) + 1) % len(CAMERAS)
        self._camera_name = CAMERAS[place]
        if self._camera_name != "orbit":
            viewpoint = subject_viewpoint(self._show.world, self._show.selected, self._camera_name)
            self._camera.go(viewpoint)

    def on_key_release(self, symbol: int, _modifiers: int) -> bool:
        """End what a held key does."""
        self._sliders.key(symbol, False)
        action = self._actions.get(symbol)
        if action is not None:
            self._show.release(action)
        return True

    def on_deactivate(self) -> None:
        """Let go of all keys: their releases go to another window."""
        self._show.release_all()

    def on_mouse_motion(self, x: int, y: int, _across: int, _up: int) -> None:
        """Let the panel know."""
        self._sliders.move(x, y)

    def on_mouse_press(self, x: int, y: int, button: int, _modifiers: int) -> None:
        """Catch the panel, the bar, or a target."""
        self._drag = 0
        if self._sliders.press(x, y, button):
            return
        if self._show.timeline is not None and self._hud.is_on_bar(y):
            self._is_scrubbing = True
            self._show.scrub(self._hud.share_at(x))
        else:
            self._grip = self._grip_at(x, y)

    def _grip_at(self, x: int, y: int) -> Grip | None:
        """The target under the mouse; it will move in the view's plane, of a flat chain in its."""
        handles = self._show.handles
        if self._pose is None or not handles:
            return None
        places = np.array([self._pose.chains[chain].targets[target] for chain, target in handles])
        matrix, size, eye = self._optics()
        found = nearest(places, (x, y), matrix, size)
        if found < 0:
            return None
        chain, target = handles[found]
        normal = eye - self._camera.target
        rig = self._show.world.rigs[chain]
        if isinstance(rig, ChainDef) and rig.planar and rig.creature is None:
            normal = np.array([0.0, 0.0, 1.0])
        return Grip(chain, target, places[found], normal / np.sqrt((normal**2).sum()))

    def _optics(self) -> tuple[Floats, tuple[int, int], Floats]:
        """World to clip space, the size of its picture, and the eye, as this frame has them."""
        size = self._native.get_size()
        if self._show.beside is not None:
            size = (half(size[0]), size[1])
        ground = self._scene.ground
        return self._camera.matrix(ground, size[0] / size[1]), size, self._camera.eye(ground)

    def on_mouse_release(self, x: int, y: int, button: int, _modifiers: int) -> None:
        """Let go of the bar, or of a target; a click on the ground sends the creature there."""
        if self._sliders.release(x, y, button):
            return
        is_free = not self._is_scrubbing and self._grip is None
        if is_free and button == mouse.LEFT and self._drag <= CLICK_REACH:
            matrix, size, eye = self._optics()
            places = [ground_at((x, y), matrix, size, eye, self._scene.ground)]
            if self._pose is not None and self._show.world.props:
                solids = solids_of(self._show.world.props)
                places.append(prop_at((x, y), matrix, size, eye, solids, self._pose.props))
            met = [place for place in places if place is not None]
            if met:
                place = min(met, key=lambda place: float(((place - eye) ** 2).sum()))
                self._show.send(vec(place))
        self._is_scrubbing = False
        self._grip = None

    def on_mouse_drag(
        self, x: int, y: int, across: int, up: int, buttons: int, _modifiers: int
    ) -> None:
        """Pull the bar or a target, or turn the camera."""
        if self._sliders.drag(x, y):
            return
        self._drag += abs(across) + abs(up)
        if self._is_scrubbing:
            self._show.scrub(self._hud.share_at(x))
        elif self._grip is not None:
            matrix, size, eye = self._optics()
            place = dragged(self._grip, (x, y), matrix, size, eye)
            if place is not None:
                px, py, pz = (float(part) for part in place)
                self._show.set_target(self._grip.chain, self._grip.target, (px, py, pz))
        elif buttons & (mouse.LEFT | mouse.MIDDLE | mouse.RIGHT):
            self._camera.orbit(across * TURN_PER_PIXEL, up * TURN_PER_PIXEL)

    def on_mouse_scroll(self, x: int, y: int, across: float, up: float) -> None:
        """Go nearer or farther."""
        if self._sliders.wheel(x, y, across, up):
            return
        self._camera.zoom(up)

    def on_scale(self, scale: float, _dpi: int) -> None:
        """Lay text out anew: the window came to a screen with finer pixels, or coarser ones."""
        is_helping = self._hud.is_helping
        self._hud = Hud(self._show.mode, scale)
        self._hud.is_helping = is_helping
        self._layers.rescale(scale)
        self._sliders.rescale(scale)

    def on_hide(self) -> None:
        """Stop drawing while minimised; time goes on."""
        self._is_hidden = True

    def on_show(self) -> None:
        """Draw again."""
        self._is_hidden = False

    def on_close(self) -> bool:
        """Close after this frame, while there is still a context to free things in."""
        self._is_closing = True
        return True


def run(native: Any, show: Show) -> None:
    """Show it in a window until it is closed."""
    View(native, show).run()
