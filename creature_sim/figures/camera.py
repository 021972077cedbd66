"""A third-person camera: behind the creature or where the user turned it, never in the ground."""

from math import cos, exp, pi, sin
from typing import NamedTuple

import numpy as np

from creature_sim.figures.arm import Arm, eased, free_arm, wanted_arm
from creature_sim.figures.ground import Ground
from creature_sim.figures.optics import FAR, NEAR, Optics, look_at, perspective
from creature_sim.maths import Floats
from creature_sim.maths.geometry import rotation_matrices

PITCH = 0.38
"""Of a camera that nobody turned [rad]."""
CLEARANCE = 0.15
"""The line of sight stays this far above the ground [m]."""
FOLLOW_TIME = 0.18
"""Time constant of following the position [s]."""
TURN_TIME = 0.6
"""Time constant of following the heading [s]."""
SETTLED = 5e-4
"""A heading this close to its goal is set to it: less than a pixel [rad]."""
UPRIGHT = 1.0 - 1e-6
"""A cosine of what is up as it should be and as it is: nearer, it is set to it."""
UP_TIME = 0.25
"""Time constant of turning with what is up [s]."""
GLIDE_TIME = 0.15
"""Time constant of gliding to another viewpoint [s]."""
RISE_TIME, SINK_TIME = 0.12, 0.5
"""Time constants of rising where a hill comes between, and of sinking again behind it [s]."""
FAR_AWAY = 6.0
"""The camera jumps to a target farther off than this: another creature, a reset [m]."""
NEAREST, FARTHEST = 0.5, 40.0
"""The wheel brings it this near and this far [m]."""


class Viewpoint(NamedTuple):
    """Where an eye stands: yaw and pitch [rad] and distance [m], as `Camera` has them."""

    yaw: float
    pitch: float
    distance: float


class Camera:
    """Looks at a point that follows a creature.

    The lengths in this file suit creatures of usual size; they are multiplied by `scale`.

    Attributes:
        target: (3,) what it looks at [m, world].
        frame: (3, 3) turns its own axes, Z up, to those of the world; on a planet it turns with
            the creature's up.
        heading: (2,) smoothed direction of the creature in the XY plane of `frame`.
        yaw: direction of the eye from the target; 0 is behind, positive to the left [rad].
        pitch: height of the eye above the target's plane [rad].
        distance: from target to eye [m].
        scale: how many times larger than usual the creature is.
    """

    def __init__(
        self,
        yaw: float = 0.5,
        pitch: float = PITCH,
        distance: float = 2.6,
        scale: float = 1.0,
    ) -> None:
        """Start at the origin; the first `follow` jumps to the creature."""
        self.target = np.zeros(3)
        self.frame = np.eye(3)
        self.heading = np.array([1.0, 0.0])
        self.yaw = yaw
        self.pitch = pitch
        self.distance = distance
        self.scale = scale
        self.is_aimed = False
        self._goal: Viewpoint | None = None
        self._lift: float | None = None  # how far hills lift it now [m]
        self._arm: Arm | None = None  # how walls and roofs move it now

    def follow(
        self,
        position: Floats,
        orientation: Floats | None,
        seconds: float,
        up: Floats | None = None,
    ) -> None:
        """Move towards a creature's body as `seconds` pass.

        Args:
            position: (3,) of the body [m, world].
            orientation: (4,) xyzw of the body; None: the camera does not turn with it.
            seconds: since the last call.
            up: (3,) against gravity, or away from what is climbed [world]; None: as before.
        """
        self._glide(seconds)
        if up is not None:
            part = 1.0 - exp(-seconds / UP_TIME) if self.is_aimed else 1.0
            self.frame = turned_to(self.frame, up_towards(self.frame, up, part))
        ahead = self.heading
        if orientation is not None:
            ahead = _ahead(orientation, self.frame, self.heading)
        gap = position - self.target
        if not self.is_aimed or float(np.sqrt((gap * gap).sum())) > FAR_AWAY * self.scale:
            self.target, self.heading = position.copy(), ahead
            self.is_aimed, self._lift, self._arm = True, None, None
            return
        self.target = self.target + gap * (1.0 - exp(-seconds / FOLLOW_TIME))
        turned = self.heading + (ahead - self.heading) * (1.0 - exp(-seconds / TURN_TIME))
        length = float(np.hypot(*turned))
        self.heading = turned / length if length > 1e-3 else ahead
        if float(np.hypot(*(ahead - self.heading))) < SETTLED:
            self.heading = ahead

    @property
    def is_tilted(self) -> bool:
        """Whether its up differs from the world's Z."""
        return bool(self.frame[2, 2] < 1.0)

    def go(self, viewpoint: Viewpoint) -> None:
        """Glide to another viewpoint during the next calls of `follow`."""
        self._goal = viewpoint

    def resize(self, distance: float, scale: float) -> None:
        """Look at something of another size, from where it looked at the last one.

        Args:
            distance: to go to, where it would have begun [m].
            scale: of the new subject.
        """
        yaw, pitch, _ = self._goal or (self.yaw, self.pitch, 0.0)
        self.scale = scale
        self.go(Viewpoint(yaw, pitch, distance))

    def _glide(self, seconds: float) -> None:
        """Come nearer to the viewpoint it was sent to, by the shorter turn."""
        if self._goal is None:
            return
        fraction = 1.0 - exp(-seconds / GLIDE_TIME)
        yaw, pitch, distance = self._goal
        turn = (yaw - self.yaw + pi) % (2.0 * pi) - pi
        if max(abs(turn), abs(pitch - self.pitch), abs(distance / self.distance - 1.0)) < SETTLED:
            self.yaw, self.pitch, self.distance = self._goal
            self._goal = None
            return
        self.yaw = (self.yaw + turn * fraction + pi) % (2.0 * pi) - pi
        self.pitch += (pitch - self.pitch) * fraction
        self.distance += (distance - self.distance) * fraction

    def orbit(self, across: float, up: float) -> None:
        """Turn by a drag of the mouse [rad]."""
        self._goal = None
        self.yaw = (self.yaw - across + pi) % (2.0 * pi) - pi
        self.pitch = min(1.5, max(-0.3, self.pitch - up))

    def zoom(self, steps: float) -> None:
        """Go nearer by notches of the wheel."""
        self._goal = None
        nearest, farthest = NEAREST * self.scale, FARTHEST * self.scale
        self.distance = min(farthest, max(nearest, self.distance * 0.88**steps))

    def settle(self, ground: Ground, seconds: float) -> None:
        """Ease up and down over the hills of the ground, or within its walls, as `seconds` pass."""
        if ground.hangs or self.is_tilted:
            dip, fraction = eased(self._arm, self._wanted_arm(ground), seconds)
            free = self._free(ground, self.unhindered(dip))
            self._arm = Arm(dip, min(fraction, free))  # it goes back from where it had to come
            return
        needed = self._needed(ground, self.unhindered())
        if self._lift is None:
            self._lift = needed
        time = RISE_TIME if needed > self._lift else SINK_TIME
        self._lift += (needed - self._lift) * (1.0 - exp(-seconds / time))

    def eye(self, ground: Ground) -> Floats:
        """Position of the eye, (3,) [m, world], never in the ground.

        It is high enough to see the target over the ground: at once before the first `settle`,
        gradually after that. Where anything hangs over the ground, or up is not the world's, the
        eye comes nearer until nothing is between.
        """
        if ground.hangs or self.is_tilted:
            return self._within(ground)
        eye = self.unhindered()
        if self._lift is None:
            eye[2] += self._needed(ground, eye)
        else:
            floor = float(self._heights(ground, eye[None, :2])[0]) + CLEARANCE * self.scale
            eye[2] = max(eye[2] + self._lift, floor)
        return eye

    def _wanted_arm(self, ground: Ground) -> Arm:
        gap = CLEARANCE * self.scale
        return wanted_arm(ground, self.target, self.unhindered, self.pitch, gap)

    def _within(self, ground: Ground) -> Floats:
        """Position of an eye among walls and below roofs, (3,) [m, world]."""
        dip, fraction = self._arm or self._wanted_arm(ground)
        eye = self.unhindered(dip)
        return self.target + min(fraction, self._free(ground, eye)) * (eye - self.target)

    def _free(self, ground: Ground, eye: Floats) -> float:
        return free_arm(ground, self.target, eye, CLEARANCE * self.scale)

    def _needed(self, ground: Ground, eye: Floats) -> float:
        """How far an eye must be lifted until it sees the target over the ground [m]."""
        fractions = np.linspace(0.35, 1.0, 14)
        line = self.target[:2] + fractions[:, None] * (eye[:2] - self.target[:2])
        clear = self._heights(ground, line) + CLEARANCE * self.scale
        needed = (clear - self.target[2]) / fractions
        return max(0.0, float(self.target[2] + needed.max() - eye[2]))

    def _heights(self, ground: Ground, points: Floats) -> Floats:
        """Heights at points (P, 2), (P,) [m]: exact beside what is smaller than the ground's cells.

        Elsewhere those of the cells do, which let the camera glide over edges.
        """
        return ground.heights(points) if self.scale >= 1.0 else ground.surface(points)

    def unhindered(self, dip: float = 0.0) -> Floats:
        """Where the eye would be without any ground, lower by `dip` [rad], (3,) [m, world]."""
        back, pitch = -self.heading, self.pitch - dip
        c, s = cos(-self.yaw), sin(-self.yaw)
        flat = np.array([c * back[0] - s * back[1], s * back[0] + c * back[1]])
        eye: Floats = self.target + self.distance * self.frame @ np.array(
            [cos(pitch) * flat[0], cos(pitch) * flat[1], sin(pitch)]
        )
        return eye

    def optics(self, ground: Ground, size: tuple[int, int]) -> Optics:
        """How a picture of `size` [px] shows the world from here."""
        eye = self.eye(ground)
        to_eye = look_at(eye, self.target, self.frame[:, 2])
        near, far = NEAR * self.scale, FAR * max(1.0, self.scale)
        return Optics(perspective(size[0] / size[1], near, far) @ to_eye, eye, size)


def up_towards(frame: Floats, up: Floats, part: float) -> Floats:
    """What is up after a part, 0 to 1, of the shortest turn from a frame's Z to `up`, (3,)."""
    z = frame[:, 2]
    if float(z @ up) > UPRIGHT:
        return up
    aside = up - (up @ z) * z
    length = float(np.sqrt((aside * aside).sum()))
    # Straight over: across the frame's X, as a body turns that walks over an edge.
    towards = aside / length if length > 1e-6 else frame[:, 0]
    angle = part * float(np.arctan2(length, up @ z))
    return cos(angle) * z + sin(angle) * towards


def turned_to(frame: Floats, up: Floats) -> Floats:
    """A frame (3, 3) after the shortest turn that makes its Z point along `up` (3,)."""
    z = up / np.sqrt((up * up).sum())
    x = frame[:, 0] - (frame[:, 0] @ z) * z
    length = np.sqrt((x * x).sum())
    # Where X itself has become up or down, the old Z has become X or its opposite.
    x = x / length if length > 1e-6 else -np.sign(frame[:, 0] @ z) * frame[:, 2]
    return np.stack((x, np.cross(z, x), z), axis=1)


def _ahead(orientation: Floats, frame: Floats, otherwise: Floats) -> Floats:
    """Direction of a body's X in a frame's XY plane, (2,); `otherwise` where X is vertical."""
    ahead: Floats = (rotation_matrices(orientation)[:, 0] @ frame)[:2]
    length = float(np.hypot(*ahead))
    return ahead / length if length > 1e-6 else otherwise
