"""Where a course leads: straight on, or past points in space."""

from dataclasses import dataclass
from itertools import pairwise
from math import fsum

from creature_sim.drivers import towards
from creature_sim.guides import Guide
from creature_sim.maths import PI, TAU, Vec, atan2, clamp, distance, quat, sub, unrotate, vec
from creature_sim.snapshots.snapshot import CreatureState, Snapshot

LOOKAHEAD = 4.0
"""On a straight course the driver steers to a point this many reaches ahead."""
NEAR = 1.0
"""Points are passed at this many reaches."""


@dataclass
class Way:
    """The way over a course, and how much of it is left.

    Attributes:
        points: that bodies pass, in order; none on a straight course [m, world].
        length: of the course; a straight one ends this far from the origin along X [m].
        reach: of the creature's legs [m].
        passed: how many of the points were passed.
        guide: that leads over surfaces to the points; None: straight to them.
    """

    points: tuple[Vec, ...]
    length: float
    reach: float
    passed: int = 0
    guide: Guide | None = None

    def lead(self, creature: CreatureState, snapshot: Snapshot) -> tuple[float, float]:
        """Forward and turn that lead a creature on, each from -1 to 1."""
        position = vec(creature.position)
        if not self.points:
            path = (LOOKAHEAD * self.reach, -position[1], 0.0)
            return towards(creature, snapshot, path)[:2]
        point = self.points[min(self.passed, len(self.points) - 1)]
        led = self.guide.lead(creature, point) if self.guide else None
        if led is not None:
            return led[:2]
        path = sub(point, position)
        ahead, aside, up = unrotate(quat(creature.orientation), path)
        if -up > max(abs(ahead), abs(aside)):  # below its feet: round the edge ahead
            return 1.0, 0.0
        error = atan2(aside, ahead) - creature.definition.motion.heading
        error -= TAU * ((error + PI) // TAU)
        return clamp(1.0 - abs(error), 0.0, 1.0), clamp(2.0 * error, -1.0, 1.0)

    def left(self, creature: CreatureState) -> float:
        """Length of the rest of the way [m]; 0 or less at its end. Passes points that are near."""
        position = vec(creature.position)
        if not self.points:
            return self.length - position[0]
        while self._is_near(position):
            self.passed += 1
        rest = self.points[self.passed :]
        return length_of((position, *rest)) if rest else 0.0

    def _is_near(self, position: Vec) -> bool:
        """Whether a position [m, world] is near the next point."""
        rest = self.points[self.passed :]
        return bool(rest) and distance(rest[0], position) < NEAR * self.reach


def length_of(points: tuple[Vec, ...]) -> float:
    """Length of a way past points [m]."""
    return fsum(distance(a, b) for a, b in pairwise(points))
