"""How twins topple over that lie on their backs, if their hips are balls.

Motors of such hips turn legs over the back, but not far aside. So the body stands up on them, back
down; then all feet go to one side of it, and it falls to the other one, onto its edge, with its
legs stretched. There all feet go to the side that it lies on, which pushes it over the edge. Last
it draws its legs in, knees first: so they come back above the ground.
"""

import numpy as np

from creature_sim.components import TwinRecord
from creature_sim.maths import TAU, Floats, Vec, X, dot, quat, rotate, sin_cos, vec
from creature_sim.maths.jit import kernel
from creature_sim.twin.links import Links
from creature_sim.twin.motion import motion_for, move_base, move_links, tip_of
from creature_sim.twin.righting import SPREADS, rolled

BALL = 3
"""Hinges of a hip that is a ball: in the plane of its leg, out of it, about its first bone."""
LEAN = 0.6
"""Legs lean so far to a side of the back [rad]."""
BENDS, ASIDES = 97, 9
"""Angles of a hip's first two hinges at which it is looked where its leg points."""
STANDS_UP = 0.55
"""So long it stands up on its back [s]."""
PUSHES, IS_OVER = 2.4, 1.0
"""It pushes once it is turned by less than this against standing, until it is by less than that
[rad]."""
ON_END = 0.9
"""On its nose or its tail, with a sine of more than this, it lies on no side."""
FAR = 1.5
"""Hips that have to turn back farther wait for their knees [rad]..."""
BENT = 0.75
"""...to be bent by this part of what they may."""


def poses_of(links: Links) -> Floats:
    """Angles of all hinges with all legs stretched over the back, (3, A) [rad].

    Feet to the right, above the hips, and to the left; none, (0, A), if a hip is no ball.
    """
    count = len(links.parent) - 1
    if any(len(_hip(links, leg)) != BALL for leg in range(len(links.bone))):
        return np.zeros((0, count))
    hips = [links.position[_hip(links, leg)[0] + 1] for leg in range(len(links.bone))]
    found, best = np.zeros((3, count)), np.full((3, len(hips)), -np.inf)
    angles = np.clip(np.zeros(count), links.lo, links.hi)
    motion, still = motion_for(len(links.parent)), (0.0, 0.0, 0.0)
    move_base(motion, links, still, (0.0, 0.0, 0.0, 1.0), still, still)
    for bend in np.linspace(0.0, 1.0, BENDS).tolist():
        for aside in np.linspace(0.0, 1.0, ASIDES).tolist():
            for leg in range(len(hips)):
                for hinge, part in zip(_hip(links, leg), (bend, aside), strict=False):
                    lo, hi = links.lo[hinge], links.hi[hinge]
                    angles[hinge] = lo + part * (hi - lo)
            move_links(motion, links, angles, angles)
            for leg, hip in enumerate(hips):
                x, y, z = vec(np.array(tip_of(motion, links, leg)) - hip)
                for pose in range(3):
                    sine, cosine = sin_cos((pose - 1) * LEAN)
                    far = sine * y + cosine * z - abs(x)
                    if far > best[pose, leg]:
                        best[pose, leg] = far
                        mine = _hinges(links, leg)
                        found[pose, mine] = angles[mine]
    return found


def _hinges(links: Links, leg: int) -> list[int]:
    """All hinges of a leg, hip first."""
    bones = [bone for bone in links.bone[leg].tolist() if bone > 0]
    return [k - 1 for bone in bones for k in range(int(links.first[bone]), bone + 1)]


def _hip(links: Links, leg: int) -> list[int]:
    """The hinges of its hip."""
    bone = int(links.bone[leg, 0])
    return list(range(int(links.first[bone]) - 1, bone))


@kernel
def topple_over(poses: Floats, base: TwinRecord, up: Vec, goals: Floats, dt: float) -> None:
    """Write the angles (A,) that hinges of a twin that topples over shall have [rad].

    Args:
        poses: (3, A) as in `poses_of`.
        base: of the twin.
        up: against gravity [world].
        goals: those of legs that are drawn in; written.
        dt: length of a tick [s].
    """
    angle, pose = rolled(base, up), 1
    if abs(dot(rotate(quat(base.orientation), X), up)) < ON_END:
        if angle < IS_OVER:
            if base.ticks * dt > SPREADS:
                return
        elif angle < PUSHES:
            pose -= base.side
        elif base.ticks * dt > STANDS_UP:
            pose += base.side
    for j in range(goals.shape[0]):
        goals[j] = poses[pose, j]


@kernel
def come_back(links: Links, old: Floats, goals: Floats) -> None:
    """Let hips turn back the way they came, and wait for their knees where that is far.

    Args:
        links: of the twin.
        old: (A,) angles that hinges should have had in the last tick [rad].
        goals: (A,) in which legs are drawn in; written.
    """
    for leg in range(links.bone.shape[0]):
        hip, knee = links.first[links.bone[leg, 0]] - 1, links.bone[leg, 1] - 1
        if goals[hip] < links.lo[hip]:
            goals[hip] += TAU
        elif goals[hip] > links.hi[hip]:
            goals[hip] -= TAU
        bent = links.lo[knee] + BENT * (links.hi[knee] - links.lo[knee])
        if abs(goals[hip] - old[hip]) > FAR and old[knee] < bent:
            goals[hip] = old[hip]
            goals[knee] = max(goals[knee], bent)
