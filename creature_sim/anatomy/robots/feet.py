"""Where a robot's leg touches the ground."""

import numpy as np

from creature_sim.anatomy.robots.chains import Chain, is_insect
from creature_sim.anatomy.robots.machine import Machine, Pose
from creature_sim.anatomy.robots.surfaces import Surfaces
from creature_sim.maths import Floats

LONG = 0.18
"""A foot is a sole if it is so long, over the leg above it."""
LYING = 1.5
"""And so many times as long as its ankle is high above its lowest point."""
FAR = 0.9
UP = np.array([0.0, 0.0, 1.0])


def foot_of(machine: Machine, surfaces: Surfaces, group: int) -> Floats:
    """The point (3,) that a last group stands on [m, group]: the far end of its far ball."""
    best = np.zeros(3)
    farthest = -1.0
    for placed in machine.shapes[group]:
        shape = placed.shape
        if shape.kind not in ("sphere", "capsule") or not (shape.collides or shape.is_drawn):
            continue
        half = 0.5 * shape.size[1] if shape.kind == "capsule" else 0.0
        for side in (-half, half):
            centre = placed.place + placed.turn[:, 2] * side
            size = float(np.linalg.norm(centre))
            end = centre * (1.0 + shape.size[0] / size) if size > 1e-9 else centre
            if size + shape.size[0] > farthest:
                farthest, best = size + shape.size[0], end
    skin = [one.points for one in surfaces.groups[group]]
    points = np.concatenate([*skin, machine.ends(group)])
    sizes = np.linalg.norm(points, axis=1)
    if len(points) and float(sizes.max()) > 1.1 * farthest:  # the leg goes on beyond its balls
        best = points[sizes >= FAR * sizes.max()].mean(axis=0)
    return best


def sole_of(machine: Machine, surfaces: Surfaces, chain: Chain, pose: Pose) -> str:
    """Which joint a foot that lies turns on: `ankle`, `bend`, or empty where it does not lie."""
    last = chain.groups[-1]
    if not surfaces.groups[last] or is_insect(machine, chain, pose, UP):
        return ""
    if chain.ankles:
        ankle, kind = chain.ankles[0], "ankle"
        before = chain.bends[-1]
        if len(chain.bends) > 2 and _is_near(pose, before, ankle, chain):
            ankle, kind = before, "bend"
    elif len(chain.bends) > 2:
        ankle, kind = chain.bends[-1], "bend"
    else:
        return ""
    points = np.concatenate(
        [one.points @ pose.turns[last].T + pose.places[last] for one in surfaces.groups[last]]
    )
    leg = float(np.linalg.norm(pose.places[ankle] - pose.places[chain.bends[0]]))
    height = float(pose.places[ankle][2] - points[:, 2].min())
    long = float(np.ptp(points[:, 0]))
    return kind if long > LONG * leg and long > LYING * height else ""


def _is_near(pose: Pose, one: int, other: int, chain: Chain) -> bool:
    """Whether two joints of a leg are at one place."""
    leg = float(np.linalg.norm(pose.places[other] - pose.places[chain.bends[0]]))
    return float(np.linalg.norm(pose.places[one] - pose.places[other])) < 0.15 * leg
