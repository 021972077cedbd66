"""The mouse over the picture: it drags targets, feet and the replay's bar, turns the camera."""

import numpy as np
from pyglet.window import mouse

from creature_sim.definitions import ChainDef
from creature_sim.figures.camera import Camera
from creature_sim.figures.ground import Ground
from creature_sim.figures.optics import Optics
from creature_sim.figures.picking import (
    Grip,
    Handle,
    dragged,
    ground_at,
    leg_handles,
    nearest,
    on_segment,
    prop_at,
)
from creature_sim.maths import Floats, vec
from creature_sim.props.shapes import solids_of
from creature_sim.snapshots.poses import Pose
from creature_sim.view.flat.hud import Hud
from creature_sim.view.shows.show import Show

TURN_PER_PIXEL = 0.006
"""Angle by which a drag turns the camera [rad]."""
CLICK_REACH = 4
"""A button that comes up within this distance was clicked, not dragged [px]."""

Pixel = tuple[float, float]


class Pointer:
    """What a button does between going down and coming up."""

    def __init__(self, show: Show, camera: Camera) -> None:
        """Begin with all buttons up."""
        self._show = show
        self._camera = camera
        self._path = 0  # length of the mouse's path since its button went down [px]
        self._is_scrubbing = False
        self._grip: Grip | None = None

    def press(
        self, pixel: Pixel, hud: Hud, optics: Optics, pose: Pose | None, *, leads: bool = False
    ) -> None:
        """Catch the bar of a replay, or a target.

        Args:
            pixel: where the mouse is.
            hud: with the bar.
            optics: of the picture.
            pose: that is shown.
            leads: whether it may catch feet and knees of the selected creature.
        """
        self._path = 0
        if self._show.timeline is not None and hud.is_on_bar(pixel[1]):
            self._is_scrubbing = True
            self._show.scrub(hud.fraction_at(pixel[0]))
        else:
            self._grip = self._grip_at(pixel, optics, pose)
            if leads and self._grip is None and pose is not None and self._show.leads_legs:
                self._grip = self._limb_at(pixel, optics, pose)

    def _limb_at(self, pixel: Pixel, optics: Optics, pose: Pose) -> Grip | None:
        """The foot or the knee under the mouse; it will move parallel to the picture."""
        number = self._show.selected
        if number >= len(self._show.world.creatures):
            return None
        handles = leg_handles(self._show.world, pose, number)
        points = np.array([handle.position for handle in handles])
        found = nearest(points, pixel, optics)
        if found < 0:
            return None
        normal = optics.eye - self._camera.target
        normal = normal / np.sqrt((normal**2).sum())
        return Grip(points[found], normal, handle=handles[found])

    def _lead(self, handle: Handle, point: Floats | None, pose: Pose | None) -> None:
        """Lead a foot, or a knee on its body, to a point [m, world]; None: let it go."""
        if handle.is_knee and point is not None:
            if pose is None:
                return
            point = on_segment(pose, handle, point)
        kind = "set_pole" if handle.is_knee else "set_foot"
        self._show.lead(kind, handle.leg, None if point is None else vec(point))

    def _grip_at(self, pixel: Pixel, optics: Optics, pose: Pose | None) -> Grip | None:
        """The target under the mouse.

        It will move parallel to the picture; of a planar chain on the ground, horizontally.
        """
        handles = self._show.handles
        if pose is None or not handles:
            return None
        points = np.array([pose.chains[chain].targets[target] for chain, target in handles])
        found = nearest(points, pixel, optics)
        if found < 0:
            return None
        chain, target = handles[found]
        normal = optics.eye - self._camera.target
        rig = self._show.world.rigs[chain]
        if isinstance(rig, ChainDef) and rig.planar and rig.creature is None:
            normal = np.array([0.0, 0.0, 1.0])
        return Grip(points[found], normal / np.sqrt((normal**2).sum()), chain, target)

    def drag(
        self,
        pixel: Pixel,
        step: Pixel,
        buttons: int,
        hud: Hud,
        optics: Optics,
        pose: Pose | None = None,
    ) -> None:
        """Pull the bar, a target, a foot or a knee, or turn the camera.

        Args:
            pixel: where the mouse is.
            step: how far it has moved across and up.
            buttons: that are down.
            hud: with the bar.
            optics: of the picture.
            pose: that is shown.
        """
        self._path += int(abs(step[0]) + abs(step[1]))
        if self._is_scrubbing:
            self._show.scrub(hud.fraction_at(pixel[0]))
        elif self._grip is not None:
            point = dragged(self._grip, pixel, optics)
            if point is not None and self._grip.handle is not None:
                self._lead(self._grip.handle, point, pose)
            elif point is not None:
                self._show.set_target(self._grip.chain, self._grip.target, vec(point))
        elif buttons & (mouse.LEFT | mouse.MIDDLE | mouse.RIGHT):
            self._camera.orbit(step[0] * TURN_PER_PIXEL, step[1] * TURN_PER_PIXEL)

    def release(
        self, pixel: Pixel, button: int, optics: Optics, ground: Ground, pose: Pose | None
    ) -> None:
        """Let go of the bar or of a target; a click sends the creature there.

        A foot or a knee that was dragged stays where it is led; one that was clicked is let go.
        """
        is_free = not self._is_scrubbing and self._grip is None
        if self._grip is not None and self._grip.handle and self._path <= CLICK_REACH:
            self._lead(self._grip.handle, None, pose)
        if is_free and button == mouse.LEFT and self._path <= CLICK_REACH:
            self._send(pixel, optics, ground, pose)
        self._is_scrubbing = False
        self._grip = None

    def follow(self, pixel: Pixel, optics: Optics, ground: Ground, pose: Pose | None) -> None:
        """Let the selected creature look or reach at what is under the mouse."""
        point = self._point_at(pixel, optics, ground, pose)
        if point is not None:
            self._show.follow(vec(point))

    def _send(self, pixel: Pixel, optics: Optics, ground: Ground, pose: Pose | None) -> None:
        """Send the selected creature to the ground or the prop under the mouse."""
        point = self._point_at(pixel, optics, ground, pose)
        if point is not None:
            self._show.send(vec(point))

    def _point_at(
        self, pixel: Pixel, optics: Optics, ground: Ground, pose: Pose | None
    ) -> Floats | None:
        """The ground or the prop under the mouse, (3,) [m, world]; None: nothing is."""
        found = [ground_at(pixel, optics, ground)]
        if pose is not None and self._show.world.props:
            solids = solids_of(self._show.world.props)
            found.append(prop_at(pixel, optics, solids, pose.props))
        met = [point for point in found if point is not None]
        return min(met, key=lambda point: float(((point - optics.eye) ** 2).sum()), default=None)
