"""What a gait decides, drawn over one creature."""

from collections.abc import Collection
from typing import Literal

import numpy as np

from creature_sim.components import GravityRecord
from creature_sim.definitions import CreatureDef
from creature_sim.figures.ground import Ground
from creature_sim.figures.insight import Insight
from creature_sim.figures.palette import BLUE, GREEN, ORANGE, PURPLE, SKY_BLUE, VERMILLION, YELLOW
from creature_sim.figures.sizes import creature_size, scale_of
from creature_sim.figures.solids import NO_ROWS, Rows, Solids, bars, perpendicular, rgb, rows
from creature_sim.locomotion.gravity import up_at
from creature_sim.maths import Floats, vec
from creature_sim.maths.geometry import convex_hull, rotation_matrices, tangents
from creature_sim.snapshots.poses import CreaturePose

Layer = Literal["feet", "support", "zones", "rays"]
USUAL: tuple[Layer, ...] = ("feet", "support")
GOAL, FOOTHOLD, HOME, SUPPORT = rgb(YELLOW), rgb(SKY_BLUE), rgb(PURPLE), rgb(GREEN)
REACH, SOFT_LIMIT, RAYS, HELD = rgb(ORANGE), rgb(BLUE), rgb(VERMILLION), rgb(ORANGE)
FORCE, PRESSURE = rgb(ORANGE), rgb(BLUE)
SIZE = 0.022
"""Of a mark on a creature of usual size, as all lengths here [m]."""
DOT_SPACING, MAX_DOTS = 0.2, 200
"""Of the path to a goal [m]; and how many dots it has at most."""
RAY = 0.08
"""Length of the normals that are drawn [m]."""
WEIGHT = 1.5
"""Length over the ride height of the arrow of a force that bears the whole weight."""
FAINT = 0.01
"""Less than this part of the weight is not drawn."""
NORMAL = 2.0
"""Length over the ride height of the normal of what feet hold on to."""
ARC, ARC_POINTS = 0.9, 13
"""Half the angle of an arc that shows a leg's zone [rad], and the number of its points."""
MAX_LEGS = 24
"""Zones and texts of more legs would hide the creature, and be slow."""
PIN = 0.25
"""Height of the pin at a goal [m]."""


def overlay(
    plan: CreatureDef,
    creature: CreaturePose,
    gravity: GravityRecord,
    layers: Collection[Layer] = USUAL,
    insight: Insight | None = None,
) -> Solids:
    """Marks of one creature.

    feet     yellow: where each foot stands or is going, with a line from a foot in the air; blue:
             where it would step now, the larger the better; violet: its home
    support  green: the polygon of the standing feet, the body above it, and a disc below its centre
             of mass, vermillion where that is outside the polygon; of who climbs, seen along
             its own up, and orange: the normal of what its feet hold on to; of who is moved by
             forces, orange: those of the ground on its feet, and blue: the centre of pressure
    zones    orange: how far each leg reaches on its ground; blue: its soft reach limit
    rays     vermillion: where rays found ground, and its normals

    Args:
        plan: its body plan.
        creature: its pose.
        gravity: the world's field.
        layers: which marks to draw.
        insight: what its feet decided; None: not known.
    """
    parts = []
    scale = scale_of(creature_size(plan))
    size = SIZE * scale
    if "feet" in layers:
        parts.append(_feet(plan, creature, insight, size))
    if "support" in layers:
        parts.append(_support(plan, creature, gravity, size))
        if insight is not None and len(insight.forces):
            parts.append(_forces(plan, creature, insight.forces, size))
    if "zones" in layers:
        parts.append(_zones(plan, creature, size))
    if "rays" in layers and insight is not None and len(insight.hits):
        ends = insight.hits + RAY * scale * insight.normals
        discs = _discs(insight.hits, insight.normals, RAYS, 0.6 * size, size)
        parts.append(Solids(NO_ROWS, discs, _lines(insight.hits, ends, RAYS, size)))
    return Solids.joined(parts)


def _feet(
    plan: CreatureDef, creature: CreaturePose, insight: Insight | None, size: float
) -> Solids:
    turn = rotation_matrices(creature.orientation)
    homes = np.array([[*leg.home, -plan.body.ride_height] for leg in plan.all_legs])
    homes = creature.position + homes @ turn.T
    flat = np.array([0.0, 0.0, 1.0]) @ turn.T
    worth = np.ones(len(homes)) if insight is None else 0.4 + 0.8 * np.nan_to_num(insight.scores)
    spheres = [
        _discs(creature.goals, creature.normals, GOAL, 1.3 * size, size),
        _discs(creature.footholds, creature.normals, FOOTHOLD, size * worth[:, None], size),
        _discs(homes, np.broadcast_to(flat, homes.shape), HOME, size, size),
    ]
    flying = creature.is_swinging
    limbs = [_lines(creature.joints[flying, -1], creature.goals[flying], GOAL, size)]
    limbs.append(_lines(homes, creature.footholds, FOOTHOLD, size))
    return Solids(NO_ROWS, np.concatenate(spheres), np.concatenate(limbs))


def _support(
    plan: CreatureDef, creature: CreaturePose, gravity: GravityRecord, size: float
) -> Solids:
    shares = np.array(plan.shares)
    centre = shares @ creature.positions[: len(shares)]
    flat = rotation_matrices(creature.orientation)[:, 2]
    up = flat if plan.climb is not None else np.array(up_at(gravity, vec(centre)))
    axes = np.stack((*tangents(up), up), axis=-1)
    standing = creature.goals[~creature.is_swinging] + size * up
    if len(standing) < 2:
        return Solids(NO_ROWS, NO_ROWS, NO_ROWS)
    seen = (standing - centre) @ axes  # seen from above, with the centre at the origin
    order = convex_hull(seen[:, :2])
    corners, spots = standing[order], seen[order, :2]
    after = np.roll(corners, -1, axis=0)
    edge = np.roll(spots, -1, axis=0) - spots
    is_over = bool((edge[:, 1] * spots[:, 0] >= edge[:, 0] * spots[:, 1]).all())
    foot = creature.position - flat * plan.body.ride_height
    below = centre + seen[:, 2].mean() * up
    lines = [
        _lines(corners, after, SUPPORT, size),
        _lines(creature.position[None], foot[None], SUPPORT, size),
    ]
    if plan.climb is not None:
        held = creature.normals[~creature.is_swinging].sum(axis=0)
        held /= max(float(np.sqrt((held * held).sum())), 1e-9)
        end = below + NORMAL * plan.body.ride_height * held
        thick, thin = np.full(1, 0.6 * size), np.full(1, 0.05 * size)
        lines.append(bars(below[None], end[None], thick, thin, HELD))
    return Solids(
        NO_ROWS,
        _discs(below[None], up[None], SUPPORT if is_over else RAYS, 1.2 * size, size),
        np.concatenate(lines),
    )


def _forces(plan: CreatureDef, creature: CreaturePose, forces: Floats, size: float) -> Solids:
    """Arrows of the forces (L, 3) on feet, over the weight, and the point that they press on."""
    sizes = np.sqrt((forces * forces).sum(axis=1))
    pressed = sizes > FAINT
    if not pressed.any():
        return Solids(NO_ROWS, NO_ROWS, NO_ROWS)
    tips, whole = creature.joints[pressed, -1], forces[pressed].sum(axis=0)
    ends = tips + WEIGHT * plan.body.ride_height * forces[pressed]
    thick, thin = np.full(len(tips), 0.5 * size), np.full(len(tips), 0.05 * size)
    centre = (tips * sizes[pressed, None]).sum(axis=0) / sizes.sum()
    up = whole / max(float(np.sqrt((whole * whole).sum())), 1e-9)
    disc = _discs(centre[None], up[None], PRESSURE, 1.2 * size, 1.5 * size)
    return Solids(NO_ROWS, disc, bars(tips, ends, thick, thin, FORCE))


def _zones(plan: CreatureDef, creature: CreaturePose, size: float) -> Solids:
    """Arcs of spheres around the hips where they cut the plane of the foot."""
    legs = plan.all_legs[:MAX_LEGS]
    turns = rotation_matrices(creature.orientations)[[leg.segment for leg in legs]]
    hips, goals = creature.joints[: len(legs), 0], creature.goals[: len(legs)]
    up = turns[:, :, 2]
    height = ((hips - goals) * up).sum(axis=1, keepdims=True)
    outward = np.array([[*np.subtract(leg.home, leg.mount[:2]), 0.0] for leg in legs])
    outward /= np.maximum(np.sqrt((outward**2).sum(axis=1, keepdims=True)), 1e-9)
    out = np.einsum("lij,lj->li", turns, outward)
    side = np.cross(up, out)
    angles = np.linspace(-ARC, ARC, ARC_POINTS)[:, None, None]
    round_ = np.cos(angles) * out + np.sin(angles) * side  # (A, L, 3)
    reaches = np.array([leg.reach for leg in legs])[:, None]
    soft_limits = np.array([leg.comfort * leg.reach for leg in legs])[:, None]
    limbs = []
    for radii, colour in ((reaches, REACH), (soft_limits, SOFT_LIMIT)):
        flat = np.sqrt(np.maximum(radii**2 - height**2, 0.0))
        points = hips - height * up + flat * round_
        limbs.append(_lines(points[:-1].reshape(-1, 3), points[1:].reshape(-1, 3), colour, size))
    return Solids(NO_ROWS, NO_ROWS, np.concatenate(limbs))


def _discs(
    points: Floats,
    normals: Floats,
    colour: tuple[float, ...],
    radius: float | Floats,
    size: float,
) -> Rows:
    first, second = perpendicular(normals)
    base = np.stack((first * radius, second * radius, normals * 0.35 * size), axis=-1)
    return rows(base, points + 0.2 * size * normals, colour)


def _lines(start: Floats, end: Floats, colour: tuple[float, ...], size: float) -> Rows:
    radius = np.full(len(start), 0.2 * size)
    return bars(start, end, radius, radius, colour)


def goal_path(
    start: Floats, goal: Floats, ground: Ground, gravity: GravityRecord, scale: float = 1.0
) -> Solids:
    """Dots along the ground from a creature to where it was sent, and a pin there.

    Args:
        start: (3,) [m, world].
        goal: (3,) [m, world].
        ground: below the dots, where there is no planet.
        gravity: the world's field.
        scale: how many times larger than usual the creature is.
    """
    up = np.array(up_at(gravity, vec(goal)))
    size = SIZE * scale
    if not gravity.is_central:
        distance = float(np.sqrt(((goal - start)[:2] ** 2).sum()))
        points = goal[:2] + _dot_fractions(distance / scale) * (start - goal)[:2]
        dots = np.column_stack((points, ground.heights(points)))
    else:
        back = start - gravity.centre
        radius = float(np.sqrt(((goal - gravity.centre) ** 2).sum()))
        level = back - (back @ up) * up
        length = float(np.sqrt((level**2).sum()))
        aside = level / length if length > 1e-6 else tangents(up)[0]
        angle = float(np.arctan2(length, back @ up))
        angles = _dot_fractions(radius * angle / scale) * angle
        dots = gravity.centre + radius * (np.cos(angles) * up + np.sin(angles) * aside)
    spheres = rows(np.broadcast_to(0.6 * size * np.eye(3), (len(dots), 3, 3)), dots, GOAL)
    foot = dots[:1]
    thin, thick = np.full(1, 0.3 * size), np.full(1, 0.9 * size)
    return Solids(NO_ROWS, spheres, bars(foot, foot + PIN * scale * up, thin, thick, GOAL))


def _dot_fractions(length: float) -> Floats:
    """Fractions of a path at which its dots are, from its end on, (D, 1).

    Args:
        length: of the path, over how many times larger than usual the creature is [m].
    """
    count = int(np.clip(length / DOT_SPACING, 1, MAX_DOTS))
    return np.linspace(0.0, 1.0, count, endpoint=False)[:, None]
