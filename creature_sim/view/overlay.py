"""What the gait is thinking, drawn over one creature."""

import numpy as np

from creature_sim.definitions import CreatureDef
from creature_sim.maths import Floats
from creature_sim.poses import CreaturePose
from creature_sim.view.ground import Ground
from creature_sim.view.palette import GREEN, PURPLE, SKY_BLUE, YELLOW
from creature_sim.view.solids import NO_ROWS, Rows, Solids, bars, matrices, perpendicular, rgb, rows

GOAL, FOOTHOLD, HOME, SUPPORT = rgb(YELLOW), rgb(SKY_BLUE), rgb(PURPLE), rgb(GREEN)
SIZE = 0.022
"""Of a mark [m]."""
DOT_SPACING, MOST_DOTS = 0.2, 200
"""Of a way that is shown [m]; how many dots it has at the most."""
PIN = 0.25
"""Height of the mark where a way ends [m]."""


def overlay(plan: CreatureDef, creature: CreaturePose) -> Solids:
    """Marks of one creature.

    Yellow: where each foot stands or is going, with a line from a foot in the air. Blue: where it
    would step now. Violet: its home position. Green: the polygon of the standing feet, and the
    body's centre above it.
    """
    up = np.array([0.0, 0.0, SIZE])
    turn = matrices(creature.orientation)
    homes = np.array([[*leg.home, -plan.body.ride_height] for leg in plan.all_legs])
    homes = creature.position + homes @ turn.T
    flat = np.array([0.0, 0.0, 1.0]) @ turn.T
    spheres = [
        _discs(creature.goals, creature.normals, GOAL, 1.3),
        _discs(creature.footholds, creature.normals, FOOTHOLD, 1.0),
        _discs(homes, np.broadcast_to(flat, homes.shape), HOME, 1.0),
    ]
    flying = creature.is_swinging
    limbs = [_lines(creature.joints[flying, -1], creature.goals[flying], GOAL)]
    limbs.append(_lines(homes, creature.footholds, FOOTHOLD))
    standing = creature.goals[~flying] + up
    if len(standing) >= 2:
        ring = standing[hull(standing[:, :2])]
        limbs.append(_lines(ring, np.roll(ring, -1, axis=0), SUPPORT))
        foot = creature.position - flat * plan.body.ride_height
        limbs.append(_lines(creature.position[None], foot[None], SUPPORT))
    return Solids(NO_ROWS, np.concatenate(spheres), np.concatenate(limbs))


def _discs(places: Floats, normals: Floats, colour: tuple[float, ...], size: float) -> Rows:
    first, second = perpendicular(normals)
    base = np.stack((first * size, second * size, normals * 0.35), axis=-1) * SIZE
    return rows(base, places + 0.2 * SIZE * normals, colour)


def _lines(start: Floats, end: Floats, colour: tuple[float, ...]) -> Rows:
    radius = np.full(len(start), 0.2 * SIZE)
    return bars(start, end, radius, radius, colour)


def hull(points: Floats) -> list[int]:
    """Convex hull of (P, 2) points, counter-clockwise (Andrew's monotone chain, 1979)."""
    order = sorted(range(len(points)), key=lambda i: (points[i, 0], points[i, 1]))

    def half(indices: list[int]) -> list[int]:
        chain: list[int] = []
        for index in indices:
            while len(chain) >= 2 and _turn(points, chain[-2], chain[-1], index) <= 0.0:
                chain.pop()
            chain.append(index)
        return chain[:-1]

    return half(order) + half(order[::-1])


def _turn(points: Floats, i: int, j: int, k: int) -> float:
    (ax, ay), (bx, by), (cx, cy) = points[i], points[j], points[k]
    return float((bx - ax) * (cy - ay) - (by - ay) * (cx - ax))


def way_mark(start: Floats, goal: tuple[float, float], ground: Ground) -> Solids:
    """Dots along the ground from a creature to where it was sent, and a pin there."""
    end = np.array(goal)
    count = int(np.clip(np.sqrt(((end - start[:2]) ** 2).sum()) / DOT_SPACING, 1, MOST_DOTS))
    places = end + np.linspace(0.0, 1.0, count, endpoint=False)[:, None] * (start[:2] - end)
    dots = np.column_stack((places, ground.heights(places)))
    spheres = rows(np.broadcast_to(0.6 * SIZE * np.eye(3), (count, 3, 3)), dots, GOAL)
    foot = dots[:1]
    head = foot + np.array([0.0, 0.0, PIN])
    thin, thick = np.full(1, 0.3 * SIZE), np.full(1, 0.9 * SIZE)
    return Solids(NO_ROWS, spheres, bars(foot, head, thin, thick, GOAL))
